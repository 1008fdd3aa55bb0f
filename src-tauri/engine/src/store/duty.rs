//! Questions of the driver alone: when it is to look next, and whether a job is taken.

use jiff::Timestamp;
use rusqlite::OptionalExtension;

use super::{
    Store,
    columns::{maybe_time, millis},
    error::StoreError,
    export,
};
use crate::{export::ExportId, journal::Turn, record::Record};

impl Store {
    /// When something is to be done next after `now`: what is due already is under way or waits for
    /// room, and its end wakes the driver.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn next_due_after(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        self.read(|conn| {
            let next: Option<i64> = conn
                .prepare_cached(
                    "SELECT next_action_at FROM export WHERE next_action_at > ?1 \
                     ORDER BY next_action_at LIMIT 1",
                )?
                .query_row([millis(now)], |row| row.get(0))
                .optional()?;
            maybe_time(next, "next_action_at")
        })
    }

    /// The exports that wait for the one that they mend or repeat, oldest first.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn waiting_for_their_turn(&self) -> Result<Vec<Record>, StoreError> {
        self.read(|conn| {
            let mut open = export::select(conn, export::OPEN, [])?;
            open.retain(|record| record.journal.turn == Turn::AfterSeal);
            Ok(open)
        })
    }

    /// Whether another export than `id` knows a job of this id as its own.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn holds_job(&self, business_id: &str, id: &ExportId) -> Result<bool, StoreError> {
        self.read(|conn| {
            Ok(conn
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM export, json_each(export.knowledge, '$.jobs') \
                     WHERE json_each.key = ?1 AND export.id <> ?2)",
                )?
                .query_row((business_id, id.as_str()), |row| row.get(0))?)
        })
    }
}
