//! The service's database: the only SQL of this crate. One file per table, one function per verb.
//!
//! What must stay true: one process serves a database (an OS lock on a file beside it); every write
//! is part of one `BEGIN IMMEDIATE` on the one writing connection; nothing is answered before its
//! commit is on disk (WAL with `synchronous = FULL`). [`intake`] holds the verbs that touch both
//! tables; [`together`] lets verbs that wait share a commit.

mod export_job;
pub(crate) mod intake;
mod open_jobs;
mod request_record;
mod service_state;
pub(crate) mod sweep;
#[cfg(test)]
mod tests;
mod together;
pub(crate) mod work;

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use thiserror::Error;
use tokio_util::task::TaskTracker;

pub(crate) use export_job::{Job, StoredFile, Traits, expire, find, list};
pub(crate) use service_state::{CLOCK_TOLERANCE, ServiceState};

/// The steps to the shape of the tables, oldest first. A step is never edited: a change is a new one.
const SCHEMA: [&str; 2] =
    [include_str!("schema/0001-service.sql"), include_str!("schema/0002-open-jobs.sql")];

/// The database, to be shared.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Arc<Mutex<Connection>>,
    waiting: Arc<together::Queue>,
    reader: Arc<Mutex<Connection>>,
    state: ServiceState,
    /// The threads that read and write: each keeps the database open, also when nobody waits for it.
    at_work: TaskTracker,
    /// Held until the last clone is gone.
    _lock: Arc<File>,
}

/// Why a database can not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// Another process has it.
    #[error("the database {0} is served by another process")]
    InUse(PathBuf),
    /// The folder or a file can not be made or locked.
    #[error("the database {path} can not be opened: {source}")]
    Folder {
        /// The database file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It was written by a later version, or its tables are not ours.
    #[error("the database can not be brought to this version: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// SQLite said no.
    #[error("the database can not be opened: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Why a verb came to nothing. Its transaction was rolled back.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error("a stored value can not be read: {0}")]
    Json(#[from] serde_json::Error),
    #[error("as many jobs are open as there may be")]
    Full,
    #[error("the question did not come to its end: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
    #[error("the verb did not come to its end: {0}")]
    Unanswered(#[from] tokio::sync::oneshot::error::RecvError),
    /// The transaction that it shared.
    #[error(transparent)]
    Together(Arc<Self>),
}

impl Store {
    /// Opens the database, makes it where it is not there, and begins a new epoch where a restore is
    /// declared. Leases of an earlier process are free again: only one process serves a database.
    pub(crate) fn open(path: &Path, now: Timestamp, restored: bool) -> Result<Self, OpenError> {
        let folder = |source| OpenError::Folder { path: path.to_owned(), source };
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(folder)?;
        }
        let lock = lock(path)?;
        private_file(path).map_err(folder)?;
        let mut writer = connect(path)?;
        Migrations::new(SCHEMA.iter().map(|step| M::up(step)).collect()).to_latest(&mut writer)?;
        let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if restored {
            service_state::declare_restore(&tx, now)?;
        }
        work::free_all_leases(&tx)?;
        let state = service_state::read(&tx)?;
        tx.commit()?;
        let reader = connect(path)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            waiting: Arc::default(),
            reader: Arc::new(Mutex::new(reader)),
            state,
            at_work: TaskTracker::new(),
            _lock: Arc::new(lock),
        })
    }

    /// The epoch and the last restore; neither changes while the service runs.
    pub(crate) fn state(&self) -> ServiceState {
        self.state
    }

    /// Runs a verb, all of it or nothing, and returns once it is on disk. Others that wait meanwhile
    /// share its transaction.
    pub(crate) async fn write<T, F>(&self, verb: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Transaction<'_>) -> Result<T, StoreError> + Send + 'static,
    {
        let answer = self.waiting.push(verb);
        let store = self.clone();
        self.at_work.spawn_blocking(move || {
            let mut writer = store.writer.lock().unwrap_or_else(PoisonError::into_inner);
            store.waiting.run(&mut writer);
        });
        answer.await?
    }

    /// The same from a thread that may block.
    pub(crate) fn write_here<T>(
        &self,
        verb: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = verb(&tx)?;
        tx.commit()?;
        Ok(done)
    }

    /// Reads what is committed.
    pub(crate) async fn read<T, F>(&self, question: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let reader = Arc::clone(&self.reader);
        let asked = self.at_work.spawn_blocking(move || {
            question(&reader.lock().unwrap_or_else(PoisonError::into_inner))
        });
        asked.await?
    }

    /// Waits until no thread reads or writes any more: whoever drops the store then closes it.
    pub(crate) async fn rests(&self) {
        self.at_work.close();
        self.at_work.wait().await;
    }
}

fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

fn lock(database: &Path) -> Result<File, OpenError> {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    let folder = |source| OpenError::Folder { path: database.to_owned(), source };
    let file = private_file(Path::new(&name)).map_err(folder)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => OpenError::InUse(database.to_owned()),
        TryLockError::Error(source) => folder(source),
    })?;
    Ok(file)
}

/// Opens a file that is its owner's alone; SQLite gives its own files beside it the same rights.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A time as a column holds it.
pub(crate) fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

/// A column's time.
fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

/// A count as a column holds it. SQLite's integers are signed; no count here comes near their end.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn count(integer: i64) -> u64 {
    u64::try_from(integer).unwrap_or(0)
}
