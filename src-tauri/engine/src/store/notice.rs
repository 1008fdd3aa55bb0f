//! Table `notice`: what happened to the store and the person has to know, until they have read it.

use std::path::PathBuf;

use jiff::Timestamp;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::{
    Store,
    columns::{from_json, json, millis, time},
    error::StoreError,
};

/// What happened to the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "happened", rename_all = "snake_case")]
pub enum Happened {
    /// It was damaged: it was set aside whole, and what could be read of it is in this one.
    SetAside {
        /// Where the old file lies.
        path: PathBuf,
        /// Open exports that were saved. Each is looked up before anything is sent.
        open: u32,
        /// Exports that were over and were saved.
        over: u32,
        /// Exports that could not be read.
        unreadable: u32,
        /// Whether these are all, as far as the old file says how many it held.
        counted: Counted,
    },
    /// The store that lay here is gone, and nobody set it aside: this one is new.
    Gone {
        /// Where it lay.
        path: PathBuf,
    },
}

/// Whether a count is the whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// It is.
    All,
    /// There may have been more.
    AtLeast,
}

/// One notice that was not dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number.
    pub id: i64,
    /// When it happened.
    pub at: Timestamp,
    /// What.
    pub happened: Happened,
}

impl Store {
    /// What the person has not dismissed, oldest first.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn notices(&self) -> Result<Vec<Notice>, StoreError> {
        self.read(|conn| select(conn))
    }

    /// The person has read a notice. One that is not there is no fault.
    ///
    /// # Errors
    /// A store that can not be written.
    pub fn dismiss(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute(
                "UPDATE notice SET dismissed_at = ?2 WHERE id = ?1 AND dismissed_at IS NULL",
                (id, millis(now)),
            )?;
            Ok(())
        })
    }
}

pub(super) fn select(conn: &Connection) -> Result<Vec<Notice>, StoreError> {
    let mut statement = conn
        .prepare_cached("SELECT id, at, what FROM notice WHERE dismissed_at IS NULL ORDER BY id")?;
    let mut rows = statement.query([])?;
    let mut notices = Vec::new();
    while let Some(row) = rows.next()? {
        notices.push(Notice {
            id: row.get(0)?,
            at: time(row.get(1)?, "at")?,
            happened: from_json(&row.get::<_, String>(2)?, "what")?,
        });
    }
    Ok(notices)
}

/// Writes a notice down.
pub(super) fn insert(
    tx: &Connection,
    happened: &Happened,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO notice (at, what) VALUES (?1, ?2)",
        (millis(now), json(happened, "the notice")?),
    )?;
    Ok(())
}
