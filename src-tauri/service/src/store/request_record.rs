//! `request_record`: which keys were accepted, and which were abandoned.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{millis, timestamp};

/// What identifies a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyName {
    pub(crate) tenant_id: String,
    pub(crate) operation: String,
    pub(crate) request_key: String,
}

/// One row.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) subject: String,
    pub(super) held: Held,
}

/// What the key stands for.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Present { payload_hash: String, business_id: String },
    Abandoned,
}

pub(super) fn find(connection: &Connection, key: &KeyName) -> rusqlite::Result<Option<Record>> {
    connection
        .prepare_cached(
            "SELECT subject, payload_hash, business_id FROM request_record
             WHERE tenant_id = ?1 AND operation = ?2 AND request_key = ?3",
        )?
        .query_row(params![key.tenant_id, key.operation, key.request_key], read)
        .optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Record> {
    // The table's checks let hash and job be there together or not at all.
    let held = match (row.get(1)?, row.get(2)?) {
        (Some(payload_hash), Some(business_id)) => Held::Present { payload_hash, business_id },
        (None, _) | (_, None) => Held::Abandoned,
    };
    Ok(Record { subject: row.get(0)?, held })
}

/// Inserts a row unless the key is taken; says whether it was free.
pub(super) fn insert(
    tx: &Transaction<'_>,
    key: &KeyName,
    record: &Record,
    first_sent: Timestamp,
    now: Timestamp,
) -> rusqlite::Result<bool> {
    let (state, payload_hash, business_id) = match &record.held {
        Held::Present { payload_hash, business_id } => {
            ("present", Some(payload_hash), Some(business_id))
        }
        Held::Abandoned => ("abandoned", None, None),
    };
    let inserted = tx
        .prepare_cached(
            "INSERT INTO request_record (tenant_id, operation, request_key, payload_hash, subject,
                 state, business_id, first_sent_at, recorded_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (tenant_id, operation, request_key) DO NOTHING",
        )?
        .execute(params![
            key.tenant_id,
            key.operation,
            key.request_key,
            payload_hash,
            record.subject,
            state,
            business_id,
            millis(first_sent),
            millis(now)
        ])?;
    Ok(inserted == 1)
}

/// Forgets what was settled, and first sent, before `horizon`; at most `limit` rows.
pub(super) fn forget(
    tx: &Transaction<'_>,
    horizon: Timestamp,
    limit: u32,
) -> rusqlite::Result<usize> {
    tx.prepare_cached(
        "DELETE FROM request_record WHERE (tenant_id, operation, request_key) IN (
             SELECT request_record.tenant_id, request_record.operation, request_record.request_key
             FROM request_record LEFT JOIN export_job USING (business_id)
             WHERE first_sent_at < ?1 AND CASE request_record.state
                 WHEN 'abandoned' THEN recorded_at ELSE settled_at END < ?1
             LIMIT ?2)",
    )?
    .execute(params![millis(horizon), limit])
}

/// The earliest time from which some row's age counts: a row can be forgotten no sooner than one
/// retention after it.
pub(super) fn oldest(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let oldest: Option<i64> = connection.query_row(
        "SELECT min(max(first_sent_at, coalesce(settled_at, recorded_at)))
         FROM request_record LEFT JOIN export_job USING (business_id)
         WHERE request_record.state = 'abandoned' OR settled_at IS NOT NULL",
        [],
        |row| row.get(0),
    )?;
    Ok(oldest.map(timestamp))
}
