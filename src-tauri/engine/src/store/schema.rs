//! The shapes of a store, oldest first, and the way from one to the next.
//!
//! A file is taken for a store by its head alone, before SQLite may touch it: what is foreign is
//! refused and left as it is. So is what is newer, once its tables bear that out: the number of a
//! version is four bytes that can be damaged, and every step changes the tables too. Before a store
//! that holds something changes its shape, a copy is laid aside.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags, config::DbConfig};
use rusqlite_migration::{M, Migrations};

use super::{
    check,
    error::{Damage, StoreError},
    folder,
};

/// Add a file for each change; never edit one.
pub(super) const STEPS: &[&str] = &[
    include_str!("schema/0001_init.sql"),
    include_str!("schema/0002_seal.sql"),
    include_str!("schema/0003_lanes.sql"),
    include_str!("schema/0004_light_click.sql"),
];

/// "Dock", as the first step sets it.
const APPLICATION_ID: u32 = 0x446F_636B;

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The head of a database file (sqlite.org/fileformat2.html, 1.3).
const HEAD_BYTES: usize = 100;
/// By which format it is written and read: 1, or 2 where it has a log.
const FORMATS_AT: usize = 18;
const USER_VERSION_AT: usize = 60;
const APPLICATION_ID_AT: usize = 68;

/// What a store of ours holds near its beginning, whatever its head says.
const OURS: &[u8] = b"CREATE TABLE meta (\n    one         INTEGER PRIMARY KEY CHECK (one = 1),";
/// How far that is looked for, in bytes.
const BEGINNING: u64 = 256 * 1024;

/// What lies at the store's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing yet.
    Nothing,
    /// A store, closed by whoever had it last.
    Closed,
    /// A store whose last writer did not close it, or that is open now.
    WithWal,
}

/// Judges the file by its head. Writes nothing.
pub(super) fn probe(path: &Path, known: u32) -> Result<Found, StoreError> {
    let wal = length(&wal_of(path))?.unwrap_or(0);
    let damaged = |damage| Err(StoreError::Damaged { path: path.to_owned(), damage });
    let found = match length(path)? {
        // SQLite would throw the log away if it found the file empty.
        None | Some(0) if wal > 0 => return damaged(Damage::Torn),
        None | Some(0) => return Ok(Found::Nothing),
        Some(_) if wal > 0 => Found::WithWal,
        Some(_) => Found::Closed,
    };
    let head = head(path)?.filter(|head| head.starts_with(MAGIC));
    let Some(head) = head else {
        // The power went while the file was made: SQLite takes back what its journal says.
        let unfinished = length(&beside(path, "-journal"))?.is_some_and(|bytes| bytes > 0);
        return if unfinished { Ok(Found::WithWal) } else { damaged(Damage::NotADatabase) };
    };
    // Both are 0 in a store that was made and not yet copied back from its log.
    let application_id = number_at(&head, APPLICATION_ID_AT);
    if application_id != APPLICATION_ID && application_id != 0 {
        return Err(not_ours(path)?);
    }
    let version = number_at(&head, USER_VERSION_AT);
    // Another value would have SQLite open it for reading alone, or not at all.
    if head[FORMATS_AT..FORMATS_AT + 2].iter().any(|format| !(1..=2).contains(format)) {
        return if version > known {
            Err(StoreError::TooNew { path: path.to_owned(), found: version, known })
        } else {
            damaged(Damage::Malformed)
        };
    }
    Ok(found)
}

/// A database that does not say it is ours: another program's, unless it holds what ours hold.
pub(super) fn not_ours(path: &Path) -> Result<StoreError, StoreError> {
    let mut beginning = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning))
        .map_err(|error| StoreError::io(path, &error))?;
    let path = path.to_owned();
    Ok(if beginning.windows(OURS.len()).any(|bytes| bytes == OURS) {
        StoreError::Damaged { path, damage: Damage::Malformed }
    } else {
        StoreError::Foreign { path }
    })
}

/// Judges the store by what SQLite makes of it, and says which shape it has: 0 where it is new.
pub(super) fn judge(
    conn: &Connection,
    path: &Path,
    found: Found,
    steps: &[&str],
) -> Result<u32, StoreError> {
    let known = count(steps);
    keep_log_of(conn, found)?;
    let application_id: u32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version = version_of(conn)?;
    if application_id == APPLICATION_ID && version > known {
        return Err(newer(conn, path, version, steps));
    }
    let tables: u32 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let damaged = |damage| Err(StoreError::Damaged { path: path.to_owned(), damage });
    let is_new = application_id == 0 && version == 0 && tables == 0;
    if application_id != APPLICATION_ID && !is_new {
        return Err(not_ours(path)?);
    }
    // Where there is a log, the last pages may be in it alone.
    if found == Found::Closed && !has_all_pages(conn, path)? {
        return damaged(Damage::Torn);
    }
    if !is_new && !check::has_its_shape(conn, version, steps)? {
        return damaged(Damage::Malformed);
    }
    Ok(version)
}

/// Refuses a store whose head says that it is newer, unless its log says otherwise. What can not be
/// told, as of tables that this SQLite does not know, is left to whoever wrote it.
pub(super) fn refuse_newer(path: &Path, found: Found, steps: &[&str]) -> Result<(), StoreError> {
    let known = count(steps);
    let Some(head) =
        head(path)?.filter(|head| number_at(head, APPLICATION_ID_AT) == APPLICATION_ID)
    else {
        return Ok(());
    };
    let by_its_head = number_at(&head, USER_VERSION_AT);
    if by_its_head <= known {
        return Ok(());
    }
    let look = || -> Result<(u32, StoreError), StoreError> {
        let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        keep_log_of(&conn, found)?;
        let version = version_of(&conn)?;
        Ok((version, newer(&conn, path, version, steps)))
    };
    match look() {
        Ok((version, _)) if version <= known => Ok(()),
        Ok((_, verdict)) => Err(verdict),
        Err(_) => Err(StoreError::TooNew { path: path.to_owned(), found: by_its_head, known }),
    }
}

/// What a store is that says it is newer: one whose tables are those of this version, to the letter,
/// has a damaged head.
fn newer(conn: &Connection, path: &Path, found: u32, steps: &[&str]) -> StoreError {
    let path = path.to_owned();
    if matches!(check::has_this_shape_alone(conn, steps), Ok(true)) {
        StoreError::Damaged { path, damage: Damage::Malformed }
    } else {
        StoreError::TooNew { path, found, known: count(steps) }
    }
}

/// SQLite gives the four bytes as a number with a sign.
fn version_of(conn: &Connection) -> Result<u32, StoreError> {
    let version: i32 = conn.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(version.cast_unsigned())
}

/// A refused file is left with its log, as it was; one without a log is left without one.
fn keep_log_of(conn: &Connection, found: Found) -> Result<(), StoreError> {
    let keep = found == Found::WithWal;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)?;
    Ok(())
}

/// How many steps there are.
pub(super) fn count(steps: &[&str]) -> u32 {
    u32::try_from(steps.len()).expect("there are few steps")
}

/// A store of these steps in memory.
pub(super) fn in_memory(steps: &[&str]) -> Result<Connection, StoreError> {
    let mut conn = Connection::open_in_memory()?;
    if !steps.is_empty() {
        migrate(&mut conn, Path::new(""), steps)?;
    }
    Ok(conn)
}

/// Brings a store of an older shape, or a new one, to the newest.
pub(super) fn bring_up(
    conn: &mut Connection,
    path: &Path,
    version: u32,
    steps: &[&str],
) -> Result<(), StoreError> {
    if version as usize == steps.len() {
        return Ok(());
    }
    if version > 0 {
        lay_aside(conn, path, version)?;
    }
    migrate(conn, path, steps)
}

fn migrate(conn: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let migrations = Migrations::new(steps.iter().map(|step| M::up(step)).collect());
    migrations.to_latest(conn).map_err(|error| {
        if let rusqlite_migration::Error::RusqliteError { err, .. } = error {
            StoreError::from(err)
        } else {
            // The list is ours and was judged before: what is left is a file that changed meanwhile.
            StoreError::Damaged { path: path.to_owned(), damage: Damage::Malformed }
        }
    })
}

/// Copies the store to `docket.db.schema-N`, whole, before its shape changes.
fn lay_aside(conn: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let aside = beside(path, &format!(".schema-{version}"));
    let fresh = beside(path, &format!(".schema-{version}.new"));
    match fs::remove_file(&fresh) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(StoreError::io(&fresh, &error)),
    }
    folder::private_file(&fresh)?;
    let name = fresh.to_str().ok_or(StoreError::Unstorable { what: "the store's path" })?;
    conn.execute("VACUUM INTO ?1", [name])?;
    fs::rename(&fresh, &aside).map_err(|error| StoreError::io(&aside, &error))
}

/// The log beside the store.
pub(super) fn wal_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// A file beside the store whose name goes on with `end`.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// How long a file is. None where there is none.
pub(super) fn length(path: &Path) -> Result<Option<u64>, StoreError> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found.len())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

fn head(path: &Path) -> Result<Option<[u8; HEAD_BYTES]>, StoreError> {
    let mut head = [0; HEAD_BYTES];
    match fs::File::open(path).and_then(|mut file| file.read_exact(&mut head)) {
        Ok(()) => Ok(Some(head)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

fn number_at(head: &[u8; HEAD_BYTES], at: usize) -> u32 {
    head[at..at + 4].iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Whether the file is as long as it says: cheap, and tells of a copy that broke off.
fn has_all_pages(conn: &Connection, path: &Path) -> Result<bool, StoreError> {
    let pages: u64 =
        conn.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0))?.unsigned_abs();
    let page_bytes: u64 =
        conn.pragma_query_value(None, "page_size", |row| row.get::<_, i64>(0))?.unsigned_abs();
    Ok(length(path)?.is_some_and(|bytes| bytes >= pages.saturating_mul(page_bytes)))
}
