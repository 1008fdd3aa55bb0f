//! What can be wrong with a store, each in one sentence that says what to do.
//!
//! No message holds a parameter value: a damaged row is named by its column, never quoted.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

use crate::export::{ExportId, ServiceId};

/// What went wrong with the store. Whatever it is, what had been recorded is still there.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file or its folder can not be written.
    #[error(
        "Docket cannot write to {path} ({reason}): make it writable, or name another folder in DOCKET_HOME"
    )]
    Unwritable {
        /// What refused.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// No room is left.
    #[error(
        "the disk that holds {path} is full, so nothing was recorded: free some space and try again"
    )]
    DiskFull {
        /// What could not grow.
        path: PathBuf,
    },
    /// A newer version of Docket wrote it.
    #[error(
        "{path} was written by a newer version of Docket (its schema is {found}, this version knows {known}): update Docket, the file was left as it is"
    )]
    TooNew {
        /// The store.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema that is known here.
        known: u32,
    },
    /// An older version of Docket is driving it, so it can not be brought up to date now.
    #[error("an older version of Docket has {path} open: quit that one, then start this one again")]
    OlderDriver {
        /// The store.
        path: PathBuf,
    },
    /// It is damaged. Who drives sets it aside at the next opening.
    #[error(
        "Docket's history {path} is damaged ({damage}) and nothing more is written to it: quit every Docket and start it again, and the file is set aside whole and its open exports are saved into a new one"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What gave it away.
        damage: Damage,
    },
    /// It is damaged, and can not be set aside while another process has it open.
    #[error(
        "Docket's history {path} is damaged, and another Docket has it open: quit that one, then start this one again, and the file is set aside whole"
    )]
    DamagedInUse {
        /// The file.
        path: PathBuf,
    },
    /// Another program's database.
    #[error(
        "{path} belongs to another program and was left as it is: move it away, or name another folder in DOCKET_HOME, and start Docket again"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Locks can not be trusted over a network.
    #[error(
        "{path} lies on a network folder, where two computers could drive one store: name a folder on this computer's own disk in DOCKET_HOME"
    )]
    OnNetwork {
        /// The folder.
        path: PathBuf,
    },
    /// Another program held the file for too long.
    #[error(
        "another program keeps {path} locked: close what has it open (a backup, a database viewer) and try again"
    )]
    Busy {
        /// The store.
        path: PathBuf,
    },
    /// Only the driver opens attempts and writes evidence.
    #[error("another process drives this store: ask it, or end it first")]
    NotDriver,
    /// There is no such export.
    #[error("there is no export {0} here: look its number up with `docket list`")]
    UnknownExport(ExportId),
    /// The service was removed before the request was recorded.
    #[error("the service {0} was removed, so nothing was recorded: add it again")]
    ServiceRemoved(ServiceId),
    /// What never changes about an export was about to change.
    #[error(
        "export {0} was not written, since its request would have changed: report this as a bug"
    )]
    IntentChanged(ExportId),
    /// A value that SQLite or JSON can not hold.
    #[error("{what} cannot be stored as it is: choose one of ordinary text and size")]
    Unstorable {
        /// Which value, never the value itself.
        what: &'static str,
    },
    /// The file that wakes the driver can not be watched.
    #[error(
        "changes of {path} cannot be watched ({reason}): raise the system's limit of file watches and start Docket again"
    )]
    Unwatchable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// Anything else that SQLite said.
    #[error(
        "the store could not be used ({source}): start Docket again, and report it if it stays"
    )]
    Sqlite {
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// What gave a damaged store away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// The file is not SQLite's.
    #[error("it is no database")]
    NotADatabase,
    /// Pages are missing.
    #[error("a part of it is missing")]
    Torn,
    /// SQLite found pages that contradict each other.
    #[error("its pages do not fit together")]
    Malformed,
    /// A column holds what this version can not read.
    #[error("column {column} can not be read")]
    Column {
        /// Its name.
        column: &'static str,
    },
}

impl Damage {
    /// Whether it is the file that is damaged, and not one row of it.
    pub(super) fn is_of_the_file(self) -> bool {
        match self {
            Self::NotADatabase | Self::Torn | Self::Malformed => true,
            Self::Column { .. } => false,
        }
    }
}

impl StoreError {
    /// The error of a call to the file system.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let path = path.to_owned();
        let kind = error.kind();
        if kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded {
            Self::DiskFull { path }
        } else {
            Self::Unwritable { path, reason: kind.to_string() }
        }
    }

    /// What SQLite said, sorted. The store's path is put in by [`StoreError::of`].
    fn sorted(source: rusqlite::Error) -> Self {
        let path = PathBuf::new();
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged { path, damage: Damage::Malformed },
            Some(ErrorCode::NotADatabase) => Self::Damaged { path, damage: Damage::NotADatabase },
            Some(ErrorCode::ReadOnly) => Self::Unwritable { path, reason: "read-only".to_owned() },
            // A letter that became another may be none any more.
            None if is_of_a_value(&source) => Self::column("text"),
            Some(_) | None => Self::Sqlite { source },
        }
    }

    /// The same error, naming the store that it is about.
    pub(crate) fn of(self, store: &Path) -> Self {
        let path = store.to_owned();
        match self {
            Self::Unwritable { path: unnamed, reason } if unnamed.as_os_str().is_empty() => {
                Self::Unwritable { path, reason }
            }
            Self::DiskFull { path: unnamed } if unnamed.as_os_str().is_empty() => {
                Self::DiskFull { path }
            }
            Self::Busy { path: unnamed } if unnamed.as_os_str().is_empty() => Self::Busy { path },
            Self::Damaged { path: unnamed, damage } if unnamed.as_os_str().is_empty() => {
                Self::Damaged { path, damage }
            }
            Self::Sqlite { source } => Self::of_the_disk(source, path),
            other @ (Self::Unwritable { .. }
            | Self::DiskFull { .. }
            | Self::TooNew { .. }
            | Self::OlderDriver { .. }
            | Self::Damaged { .. }
            | Self::DamagedInUse { .. }
            | Self::Foreign { .. }
            | Self::OnNetwork { .. }
            | Self::Busy { .. }
            | Self::NotDriver
            | Self::UnknownExport(_)
            | Self::ServiceRemoved(_)
            | Self::IntentChanged(_)
            | Self::Unstorable { .. }
            | Self::Unwatchable { .. }) => other,
        }
    }

    /// What a call to the system that failed below SQLite means; SQLite does not say why it did.
    fn of_the_disk(source: rusqlite::Error, path: PathBuf) -> Self {
        let code = source.sqlite_error_code();
        let cannot_open = matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied));
        let failed = code == Some(ErrorCode::SystemIoFailure);
        // Its log and its index are made when it is opened, and take room too.
        if (cannot_open || failed) && is_full(&path) {
            Self::DiskFull { path }
        } else if cannot_open {
            Self::Unwritable { path, reason: "it cannot be opened".to_owned() }
        } else if failed && is_of_a_write(&source) {
            Self::Unwritable { path, reason: "the disk reports an error".to_owned() }
        } else {
            Self::Sqlite { source }
        }
    }

    /// Whether the store itself is to be set aside.
    pub(crate) fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }

    /// Whether SQLite could not make sense of a statement of ours over what the store holds.
    pub(crate) fn is_misread(&self) -> bool {
        match self {
            Self::Sqlite { source } => source.sqlite_error_code() == Some(ErrorCode::Unknown),
            Self::Unwritable { .. }
            | Self::DiskFull { .. }
            | Self::TooNew { .. }
            | Self::OlderDriver { .. }
            | Self::Damaged { .. }
            | Self::DamagedInUse { .. }
            | Self::Foreign { .. }
            | Self::OnNetwork { .. }
            | Self::Busy { .. }
            | Self::NotDriver
            | Self::UnknownExport(_)
            | Self::ServiceRemoved(_)
            | Self::IntentChanged(_)
            | Self::Unstorable { .. }
            | Self::Unwatchable { .. } => false,
        }
    }

    /// Damage of one row, for whoever reads on after it; any other error stays one.
    pub(super) fn of_a_row<T>(self) -> Result<Result<T, Damage>, Self> {
        if let Self::Damaged { damage, .. } = &self
            && !damage.is_of_the_file()
        {
            return Ok(Err(*damage));
        }
        Err(self)
    }

    /// A column that this version can not read.
    pub(crate) fn column(column: &'static str) -> Self {
        Self::Damaged { path: PathBuf::new(), damage: Damage::Column { column } }
    }
}

/// Less than this leaves no room for SQLite's own files beside the store, in bytes.
const ROOM_MIN: u64 = 64 * 1024;

/// Whether what failed was to put something on the disk, or to make it last.
fn is_of_a_write(source: &rusqlite::Error) -> bool {
    let code = source.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| {
        [
            ffi::SQLITE_IOERR_WRITE,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_IOERR_DIR_FSYNC,
            ffi::SQLITE_IOERR_TRUNCATE,
            ffi::SQLITE_IOERR_DELETE,
            ffi::SQLITE_IOERR_SHMOPEN,
            ffi::SQLITE_IOERR_SHMSIZE,
        ]
        .contains(&code)
    })
}

/// Whether a value was read that can not stand in its column.
fn is_of_a_value(source: &rusqlite::Error) -> bool {
    use rusqlite::Error::{
        FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType, Utf8Error,
    };
    matches!(
        source,
        Utf8Error(..)
            | FromSqlConversionFailure(..)
            | InvalidColumnType(..)
            | IntegralValueOutOfRange(..)
    )
}

fn is_full(store: &Path) -> bool {
    let folder = store.parent().unwrap_or(store);
    fs4::available_space(folder).is_ok_and(|free| free < ROOM_MIN)
}

impl From<rusqlite::Error> for StoreError {
    fn from(source: rusqlite::Error) -> Self {
        Self::sorted(source)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_disk_without_room_is_told_though_sqlite_only_says_io_error() {
        let error =
            |code| StoreError::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        // A file system that has no room for anybody.
        let full = Path::new("/proc/docket.db");
        let told = error(ffi::SQLITE_IOERR_SHMSIZE).of(full);
        assert!(matches!(&told, StoreError::DiskFull { path } if path == full), "{told:?}");
        let other = error(ffi::SQLITE_MISUSE).of(full);
        assert!(matches!(other, StoreError::Sqlite { .. }), "{other:?}");
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("docket.db");
        let elsewhere = error(ffi::SQLITE_IOERR_SHMSIZE).of(&path);
        assert!(matches!(&elsewhere, StoreError::Unwritable { .. }), "{elsewhere:?}");
        let read = error(ffi::SQLITE_IOERR_READ).of(&path);
        assert!(matches!(read, StoreError::Sqlite { .. }), "{read:?}");
    }
}
