//! Table `meta`: one row about the store itself.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::{
    Provenance,
    columns::{count, millis, stored_count},
    error::StoreError,
};

/// What the store knows of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meta {
    /// Names its twin.
    pub(super) store_id: String,
    /// How often it was opened by a driver, or let a call leave that can change something.
    pub(super) opens: u64,
    /// It was found to be a copy then (milliseconds), and its exports are not held yet.
    pub(super) restored_at: Option<i64>,
}

impl Meta {
    /// Where the store comes from, as far as it knows by itself.
    pub(super) fn provenance(&self) -> Provenance {
        if self.restored_at.is_some() { Provenance::RestoredOrCopied } else { Provenance::Own }
    }
}

/// The row, which a store that was made whole always has.
pub(super) fn read(conn: &Connection) -> Result<Meta, StoreError> {
    let row = conn
        .query_row("SELECT store_id, opens, restored_at FROM meta WHERE one = 1", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    let (store_id, opens, restored_at) = row.ok_or_else(|| StoreError::column("meta"))?;
    Ok(Meta { store_id, opens: count(opens, "opens")?, restored_at })
}

/// Raises the count by which a copy is told, and gives it.
pub(super) fn raise(tx: &Connection) -> Result<u64, StoreError> {
    let raised = tx
        .prepare_cached("UPDATE meta SET opens = opens + 1 WHERE one = 1 RETURNING opens")?
        .query_row([], |row| row.get(0))?;
    count(raised, "opens")
}

/// Gives the store a name of its own, so that it shares no twin with what it was copied from.
pub(super) fn rename(tx: &Connection) -> Result<String, StoreError> {
    Ok(tx.query_row(
        "UPDATE meta SET store_id = lower(hex(randomblob(16))) WHERE one = 1 RETURNING store_id",
        [],
        |row| row.get(0),
    )?)
}

/// Marks a store that was made of what could be read of a damaged one: until its exports are held,
/// each opening says so.
pub(super) fn saved(tx: &Connection, now: Timestamp) -> Result<(), StoreError> {
    tx.execute("UPDATE meta SET restored_at = ?1 WHERE one = 1", [millis(now)])?;
    Ok(())
}

/// Sets the count of opens and, where it was found to be a copy, remembers that until its exports
/// are held: a crash in between must not lose it.
pub(super) fn opened(
    tx: &Connection,
    opens: u64,
    found: Provenance,
    now: Timestamp,
) -> Result<(), StoreError> {
    let restored_at = match found {
        Provenance::Own => None,
        Provenance::RestoredOrCopied => Some(millis(now)),
    };
    tx.execute(
        "UPDATE meta SET opens = ?1, restored_at = coalesce(restored_at, ?2) WHERE one = 1",
        (stored_count(opens, "opens")?, restored_at),
    )?;
    Ok(())
}

/// The exports of a copy are held now.
pub(super) fn held(tx: &Connection) -> Result<(), StoreError> {
    tx.execute("UPDATE meta SET restored_at = NULL WHERE one = 1", [])?;
    Ok(())
}

/// The mark of the last write of an export.
pub(super) fn change_mark(conn: &Connection) -> Result<u64, StoreError> {
    let mark = conn
        .prepare_cached("SELECT change_mark FROM meta WHERE one = 1")?
        .query_row([], |row| row.get(0))?;
    count(mark, "change_mark")
}

/// The mark of the write that is being made. Marks grow in the order of commits, since one
/// transaction writes at a time.
pub(super) fn next_change_mark(tx: &Connection) -> Result<i64, StoreError> {
    Ok(tx
        .prepare_cached(
            "UPDATE meta SET change_mark = change_mark + 1 WHERE one = 1 RETURNING change_mark",
        )?
        .query_row([], |row| row.get(0))?)
}
