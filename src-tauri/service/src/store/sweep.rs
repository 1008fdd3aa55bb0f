//! What is thrown away, and when: files past their time, and keys that nobody may send any more.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, params};

use super::{StoreError, millis, request_record, service_state::CLOCK_TOLERANCE, timestamp};
use crate::clock::{earlier, later};

/// Rows that one transaction touches at most, so that no submit waits long behind a sweep.
const BATCH: u32 = 500;

/// A job whose file is to go.
#[derive(Clone, Debug)]
pub(crate) struct Stale {
    pub(crate) business_id: String,
    pub(crate) format: String,
}

/// Jobs whose file is past its time; at most one batch.
pub(crate) fn stale_files(
    connection: &Connection,
    now: Timestamp,
) -> Result<Vec<Stale>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT business_id, format FROM export_job
         WHERE status = 'succeeded' AND expires_at <= ?1 ORDER BY expires_at LIMIT ?2",
    )?;
    let stale = statement
        .query_map(params![millis(now), BATCH], |row| {
            Ok(Stale { business_id: row.get(0)?, format: row.get(1)? })
        })?
        .collect::<Result<_, _>>()?;
    Ok(stale)
}

/// Forgets keys that are settled, and whose settling and First-Sent both lie more than the retention
/// and the tolerance back: whoever could find one gone is refused by `remembers_since`. Says whether
/// there may be more.
pub(crate) fn forget_keys(
    tx: &Transaction<'_>,
    key_retention: Duration,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let horizon = earlier(earlier(now, key_retention), CLOCK_TOLERANCE);
    let forgotten = request_record::forget(tx, horizon, BATCH)?;
    Ok(u32::try_from(forgotten).is_ok_and(|forgotten| forgotten == BATCH))
}

/// When the next sweep has something to do.
pub(crate) fn next(
    connection: &Connection,
    key_retention: Duration,
) -> Result<Option<Timestamp>, StoreError> {
    let file: Option<i64> = connection.query_row(
        "SELECT min(expires_at) FROM export_job WHERE status = 'succeeded'",
        [],
        |row| row.get(0),
    )?;
    let key = request_record::oldest(connection)?
        .map(|oldest| later(later(oldest, key_retention), CLOCK_TOLERANCE));
    Ok(file.map(timestamp).into_iter().chain(key).min())
}
