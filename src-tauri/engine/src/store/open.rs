//! How a store is opened: judged first, then set up, then claimed.
//!
//! The order matters. The folder is made, one opener at a time goes on, the file is judged by its
//! head before SQLite touches it, the driver's lock is tried, and only then the shape is brought up
//! and the restored-store check made (lifecycle.md, guards 4 and 5). What is found to be damaged is
//! set aside by whoever drives, and the opening begins anew.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::{Connection, MAIN_DB, OpenFlags, TransactionBehavior, config::DbConfig};

use super::{
    Provenance, aside,
    check::{self, Reason},
    error::StoreError,
    folder,
    lock::{DriverLock, OpenLock, OpeningLock},
    meta,
    notice::{self, Happened},
    schema::{self, Found, wal_of},
    suspect_file,
    twin::{self, Twin, Written},
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
    pub(super) open: OpenLock,
    pub(super) claimed: Option<Twin>,
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
    aside::go_on(home)?;
    match set_up_once(home, machine_state, now, steps) {
        Err(error) if error.is_damage() => {
            aside::set_aside(home, now, steps)?;
            set_up_once(home, machine_state, now, steps)
        }
        other => other,
    }
}

fn set_up_once(
    home: &Path,
    machine_state: &Path,
    now: Timestamp,
    steps: &[&str],
) -> Result<Set, StoreError> {
    let path = home.join(FILE);
    let named = |error: StoreError| error.of(&path);
    let known = schema::count(steps);
    let found = schema::probe(&path, known)?;
    let open = OpenLock::share(home)?;
    folder::private_file(&path)?;
    // Before SQLite reads it: its log would be made with the same rights, and keep them.
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .map_err(|error| StoreError::io(&path, &error))?;
    for beside in [wal_of(&path), schema::beside(&path, "-shm")] {
        folder::keep_private(&beside)?;
    }
    schema::refuse_newer(&path, found, steps)?;
    let judged = connect(&path).and_then(|writer| {
        let version = schema::judge(&writer, &path, found, steps)?;
        Ok((writer, version))
    });
    let (mut writer, version) = match judged {
        // SQLite does not know such a file: it is ours by what it holds, or another's.
        Err(error) if error.is_misread() => return Err(schema::not_ours(&path)?),
        judged => judged.map_err(named)?,
    };
    let lock = DriverLock::take(home)?;
    if version != known && lock.is_none() {
        return Err(StoreError::OlderDriver { path });
    }
    if lock.is_some() && version == known {
        look_for_damage(&writer, home, &path, found).map_err(named)?;
    }
    // What is found to be damaged from here on keeps its log beside it.
    keep_log(&writer, KeepLog::Yes).map_err(named)?;
    durable(&writer).map_err(named)?;
    schema::bring_up(&mut writer, &path, version, steps).map_err(named)?;
    let (claimed, provenance) = match lock {
        Some(_) => {
            let claim = claim(&mut writer, (&path, machine_state), now).map_err(named)?;
            (Some(claim.0), claim.1)
        }
        None => (None, meta::read(&writer).map_err(named)?.provenance()),
    };
    let reader = connect(&path).and_then(read_only).map_err(named)?;
    keep_log(&writer, KeepLog::No).map_err(named)?;
    Ok(Set { path, writer, reader, lock, open, claimed, provenance })
}

/// Looks as closely as there is a reason to.
fn look_for_damage(
    writer: &Connection,
    home: &Path,
    path: &Path,
    found: Found,
) -> Result<(), StoreError> {
    let suspect = suspect_file(home);
    let suspected = fs::exists(&suspect).map_err(|error| StoreError::io(&suspect, &error))?;
    let reason = match found {
        _ if suspected => Reason::Suspected,
        Found::WithWal => Reason::NotClosed,
        Found::Nothing | Found::Closed => Reason::Opening,
    };
    check::check(writer, path, reason)?;
    // It was a read that failed, and not what lies there.
    if suspected { aside::remove_if_there(&suspect) } else { Ok(()) }
}

/// Whether the log stays beside the store when it is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeepLog {
    /// As it is.
    Yes,
    /// It is copied back, and taken away.
    No,
}

/// Says what becomes of the log when this connection is closed.
pub(super) fn keep_log(conn: &Connection, keep: KeepLog) -> Result<(), StoreError> {
    let keep = keep == KeepLog::Yes;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)?;
    Ok(())
}

/// The restored-store check, and the raising of both counts, the twin last.
pub(super) fn claim(
    writer: &mut Connection,
    (path, machine_state): (&Path, &Path),
    now: Timestamp,
) -> Result<(Twin, Provenance), StoreError> {
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let meta = meta::read(&tx)?;
    let mut twin = Twin::of(machine_state, &meta.store_id, path);
    let known = twin.read()?;
    let is_new = meta.opens == 0;
    let found = match &known {
        _ if is_new => Provenance::Own,
        Some(known)
            if known.count <= meta.opens
                && known.written == Written::Here
                && twin.stands_for(known) =>
        {
            Provenance::Own
        }
        Some(_) | None => Provenance::RestoredOrCopied,
    };
    let mut opens = meta.opens.max(known.as_ref().map_or(0, |known| known.count));
    if known.is_some_and(|known| !twin.stands_for(&known)) {
        // The other one may live on, and is not to be taken for a copy of this one.
        twin = Twin::of(machine_state, &meta::rename(&tx)?, path);
        opens = meta.opens;
    }
    let opens = opens.saturating_add(1);
    // One that was saved from a damaged one says so itself.
    let gone = if is_new && meta.restored_at.is_none() { twin.before_it()? } else { Vec::new() };
    if !gone.is_empty() {
        notice::insert(&tx, &Happened::Gone { path: path.to_owned() }, now)?;
    }
    meta::opened(&tx, opens, found, now)?;
    let provenance = meta::read(&tx)?.provenance();
    tx.commit()?;
    twin.raise(opens)?;
    for before in gone {
        twin::remove(&before)?;
    }
    Ok((twin, provenance))
}

pub(super) fn connect(path: &Path) -> Result<Connection, StoreError> {
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
