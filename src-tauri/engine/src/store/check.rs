//! Looks at a store for damage, as thoroughly as there is a reason for.
//!
//! What is cheap is looked at each time: that the file is as long as it says, and that its tables are
//! those that this version makes. All of it is read where it is small, where its last writer did not
//! close it, or where a read of it has failed before.

use std::{collections::BTreeMap, path::Path, sync::OnceLock};

use rusqlite::Connection;

use super::{
    attempt,
    catalogue::Catalogues,
    error::{Damage, StoreError},
    export, meta, notice, schema, service,
    wal::Log,
};

/// Up to this size a store that was not closed has its pages read before it is used: a fraction of a
/// second. In a larger one, what does not fit is found when it is read.
const QUICK_CHECK_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Up to this size every store is read whole before it is used: some thousandths of a second.
const WHOLE_CHECK_BYTES_MAX: u64 = 2 * 1024 * 1024;

/// Why a store is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It is opened.
    Opening,
    /// Its last writer did not close it.
    NotClosed,
    /// A read of it has failed.
    Suspected,
}

/// # Errors
/// [`StoreError::Damaged`].
pub(super) fn check(conn: &Connection, path: &Path, reason: Reason) -> Result<(), StoreError> {
    let bytes = schema::length(path)?.unwrap_or(0);
    let damaged = |damage| StoreError::Damaged { path: path.to_owned(), damage };
    if reason == Reason::NotClosed
        && Log::read(&schema::wal_of(path))?.is_some_and(|log| log.is_damaged())
    {
        return Err(damaged(Damage::Torn));
    }
    let check = match reason {
        Reason::Suspected => Some("PRAGMA integrity_check(1)"),
        Reason::Opening | Reason::NotClosed if bytes <= WHOLE_CHECK_BYTES_MAX => {
            Some("PRAGMA integrity_check(1)")
        }
        Reason::NotClosed if bytes <= QUICK_CHECK_BYTES_MAX => Some("PRAGMA quick_check(1)"),
        Reason::Opening | Reason::NotClosed => None,
    };
    if let Some(check) = check {
        let verdict = conn.query_row(check, [], |row| row.get::<_, String>(0));
        match verdict.map_err(StoreError::from) {
            Ok(verdict) if verdict == "ok" => {}
            // A value that its table can not compute with ends the check itself.
            Err(error) if !error.is_misread() => return Err(error),
            Ok(_) | Err(_) => return Err(damaged(Damage::Malformed)),
        }
    }
    if reason == Reason::Suspected || bytes <= WHOLE_CHECK_BYTES_MAX {
        rows(conn)?;
    }
    Ok(())
}

/// Reads every row of every table.
fn rows(conn: &Connection) -> Result<(), StoreError> {
    meta::read(conn)?;
    notice::select(conn)?;
    service::select(conn, &Catalogues::default(), "", [])?;
    export::each(conn, &mut |_| Ok(()))?;
    attempt::each(conn, &mut |_| Ok(()))
}

/// The tables, indexes and triggers of a shape by their names, as they were made.
type Objects = BTreeMap<(String, String), String>;

/// Whether a store of this version has all that the version's steps make, letter by letter, and
/// nothing yet of what the later ones make.
pub(super) fn has_its_shape(
    conn: &Connection,
    version: u32,
    steps: &[&str],
) -> Result<bool, StoreError> {
    let version = version as usize;
    let made = if version == steps.len() && steps == schema::STEPS {
        newest()?.clone()
    } else {
        objects(&schema::in_memory(&steps[..version])?)?
    };
    let found = objects(conn)?;
    let has_all = made.iter().all(|(name, sql)| found.get(name) == Some(sql));
    if !has_all || version == steps.len() {
        return Ok(has_all);
    }
    // A step that can not be made here is not this store's fault.
    let Ok(newest) = schema::in_memory(steps) else { return Ok(true) };
    let later = objects(&newest)?;
    Ok(later.keys().all(|name| made.contains_key(name) || !found.contains_key(name)))
}

/// Whether a store has what all of these steps make, letter by letter, and nothing else.
pub(super) fn has_this_shape_alone(conn: &Connection, steps: &[&str]) -> Result<bool, StoreError> {
    Ok(objects(conn)? == objects(&schema::in_memory(steps)?)?)
}

fn newest() -> Result<&'static Objects, StoreError> {
    static NEWEST: OnceLock<Objects> = OnceLock::new();
    if let Some(known) = NEWEST.get() {
        return Ok(known);
    }
    let made = objects(&schema::in_memory(schema::STEPS)?)?;
    Ok(NEWEST.get_or_init(|| made))
}

/// What SQLite makes for itself is its own business, as are the tables below the search index.
fn objects(conn: &Connection) -> Result<Objects, StoreError> {
    let mut statement = conn.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL \
         AND name NOT LIKE 'sqlite@_%' ESCAPE '@' \
         AND NOT (type = 'table' AND name LIKE 'export@_trigram@_%' ESCAPE '@')",
    )?;
    let rows = statement
        .query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get::<_, String>(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
