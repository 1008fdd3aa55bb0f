//! How a store is opened: judged first, then set up, then claimed.
//!
//! The order matters. The folder is made, one opener at a time goes on, the file is judged by its
//! head before SQLite touches it, the driver's lock is tried, and only then the shape is brought up
//! and the restored-store check made (lifecycle.md, guards 4 and 5).

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::{Connection, MAIN_DB, OpenFlags, TransactionBehavior};

use super::{
    Provenance,
    error::StoreError,
    folder,
    lock::{DriverLock, OpeningLock},
    meta,
    schema::{self, wal_of},
    twin::Twin,
};

pub(super) const FILE: &str = "docket.db";

/// How long a write waits for another process's write to end.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Statements kept prepared for each connection; there are fewer.
const STATEMENTS_MAX: usize = 64;
/// The log is cut back to this many bytes once it was copied back.
const WAL_BYTES_KEPT: i64 = 16 * 1024 * 1024;
/// Pages kept in memory, in KiB (negative: the pragma's way to say KiB).
const CACHE_KIB: i64 = -16 * 1024;

/// A store as it was found and set up.
pub(super) struct Set {
    pub(super) path: PathBuf,
    pub(super) writer: Connection,
    pub(super) reader: Connection,
    pub(super) lock: Option<DriverLock>,
    pub(super) provenance: Provenance,
}

/// Opens the store in `home`, making it where there is none, with these steps as its schema.
pub(super) fn set_up(
    home: &Path,
    machine_state: &Path,
    now: Timestamp,
    steps: &[&str],
) -> Result<Set, StoreError> {
    folder::prepare(home)?;
    let _one_at_a_time = OpeningLock::wait(home)?;
    let path = home.join(FILE);
    let named = |error: StoreError| error.of(&path);
    let known = u32::try_from(steps.len()).expect("there are few steps");
    let found = schema::probe(&path, known)?;
    folder::private_file(&path)?;
    for beside in [wal_of(&path), schema::beside(&path, "-shm")] {
        folder::keep_private(&beside)?;
    }
    let mut writer = connect(&path).map_err(named)?;
    let version = schema::judge(&writer, &path, found, known).map_err(named)?;
    let lock = DriverLock::take(home)?;
    if version != known && lock.is_none() {
        return Err(StoreError::OlderDriver { path });
    }
    durable(&writer).map_err(named)?;
    schema::bring_up(&mut writer, &path, version, steps).map_err(named)?;
    let provenance = match lock {
        Some(_) => claim(&mut writer, machine_state, now).map_err(named)?,
        None => meta::read(&writer).map_err(named)?.provenance(),
    };
    let reader = connect(&path).and_then(read_only).map_err(named)?;
    Ok(Set { path, writer, reader, lock, provenance })
}

/// The restored-store check, and the raising of both counts, the twin last.
pub(super) fn claim(
    writer: &mut Connection,
    machine_state: &Path,
    now: Timestamp,
) -> Result<Provenance, StoreError> {
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let meta = meta::read(&tx)?;
    let twin = Twin::of(machine_state, &meta.store_id);
    let twins = twin.count()?;
    let is_new = meta.opens == 0;
    let found = match twins {
        _ if is_new => Provenance::Own,
        Some(count) if count <= meta.opens => Provenance::Own,
        Some(_) | None => Provenance::RestoredOrCopied,
    };
    let opens = meta.opens.max(twins.unwrap_or(0)).saturating_add(1);
    meta::opened(&tx, opens, found, now)?;
    let provenance = meta::read(&tx)?.provenance();
    tx.commit()?;
    twin.raise(opens)?;
    Ok(provenance)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "cache_size", CACHE_KIB)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    Ok(conn)
}

/// A commit is on the disk before it returns (lifecycle.md, invariant 1).
fn durable(writer: &Connection) -> Result<(), StoreError> {
    if writer.is_readonly(MAIN_DB)? {
        return Err(StoreError::Unwritable {
            path: PathBuf::new(),
            reason: "read-only".to_owned(),
        });
    }
    writer.pragma_update_and_check(None, "journal_mode", "WAL", |_row| Ok(()))?;
    writer.pragma_update(None, "synchronous", "FULL")?;
    // Only macOS has a stronger sync than fsync; elsewhere these say nothing.
    writer.pragma_update(None, "fullfsync", true)?;
    writer.pragma_update(None, "checkpoint_fullfsync", true)?;
    writer.pragma_update_and_check(None, "journal_size_limit", WAL_BYTES_KEPT, |_row| Ok(()))?;
    Ok(())
}

fn read_only(reader: Connection) -> Result<Connection, StoreError> {
    reader.pragma_update(None, "query_only", true)?;
    Ok(reader)
}
