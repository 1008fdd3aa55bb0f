//! Table `attempt`: one row for each call, or for several equal looks in a row.
//!
//! A call that can change something has its row before it leaves; a look is written when it ends.
//! A row that was closed stays as it was closed, save that polls of a job that goes on are one row.

use docket_wire::Export as Job;
use rusqlite::{Connection, OptionalExtension, Params, Row, named_params};

use super::{
    calls::EndedAttempt,
    columns::{count, from_json, json, maybe_from_json, maybe_time, millis, time, word},
    error::{Damage, StoreError},
};
use crate::{
    attempt::{Attempt, AttemptKind, AttemptResult, Phase, PhaseMark},
    export::ExportId,
    journal::InFlight,
};

const COLUMNS: &str = "export_id, attempt_no, kind, started_at, crossed_at, ended_at, result, \
     http_status, phases, span_id, times";

/// Writes the row of a call that is about to leave.
pub(super) fn open(
    tx: &Connection,
    export: &ExportId,
    call: &InFlight,
    span_id: &str,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO attempt (export_id, attempt_no, kind, started_at, phases, span_id, times) \
         VALUES (?1, ?2, ?3, ?4, '[]', ?5, 1)",
    )?
    .execute((
        export.as_str(),
        call.attempt_no,
        call.kind.as_str(),
        millis(call.started_at),
        span_id,
    ))?;
    Ok(())
}

/// Notes that a byte of the call may have left.
pub(super) fn cross(
    tx: &Connection,
    export: &ExportId,
    attempt_no: u32,
    at: jiff::Timestamp,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE attempt SET crossed_at = coalesce(crossed_at, ?3) \
         WHERE export_id = ?1 AND attempt_no = ?2",
    )?
    .execute((export.as_str(), attempt_no, millis(at)))?;
    Ok(())
}

/// Closes the row of a call, or writes the whole row of a look.
pub(super) fn close(tx: &Connection, ended: &EndedAttempt) -> Result<(), StoreError> {
    let result = json(&ended.end.result, "the answer")?;
    if folds(ended.kind) && fold(tx, ended, &result)? {
        return Ok(());
    }
    tx.prepare_cached(
        "INSERT INTO attempt (export_id, attempt_no, kind, started_at, crossed_at, ended_at, \
         result, http_status, phases, span_id, times) \
         VALUES (:export_id, :attempt_no, :kind, :started_at, :crossed_at, :ended_at, :result, \
         :http_status, :phases, :span_id, 1) \
         ON CONFLICT (export_id, attempt_no) DO UPDATE SET \
         crossed_at = coalesce(crossed_at, excluded.crossed_at), ended_at = excluded.ended_at, \
         result = excluded.result, http_status = excluded.http_status, phases = excluded.phases \
         WHERE ended_at IS NULL",
    )?
    .execute(named_params! {
        ":export_id": ended.export.as_str(),
        ":attempt_no": ended.attempt_no,
        ":kind": ended.kind.as_str(),
        ":started_at": millis(ended.started_at),
        ":crossed_at": crossed_at(ended),
        ":ended_at": millis(ended.ended_at),
        ":result": result,
        ":http_status": ended.end.http_status,
        ":phases": json(&ended.end.phases, "the phases")?,
        ":span_id": ended.span_id,
    })?;
    Ok(())
}

/// Whether equal ones in a row are one row.
fn folds(kind: AttemptKind) -> bool {
    match kind {
        AttemptKind::Lookup | AttemptKind::Poll | AttemptKind::Download => true,
        AttemptKind::Describe
        | AttemptKind::Submit
        | AttemptKind::Abandon
        | AttemptKind::Cancel => false,
    }
}

/// Counts a look in the export's latest row, where that says the same: to the letter, or of a job
/// that is still as far by its word and only its numbers moved. The newest answer stands in the row.
fn fold(tx: &Connection, ended: &EndedAttempt, result: &str) -> Result<bool, StoreError> {
    let latest: Option<(u32, String)> = tx
        .prepare_cached(
            "SELECT attempt_no, result FROM attempt WHERE export_id = ?1 AND kind = ?2 \
             AND http_status IS ?3 AND result IS NOT NULL \
             AND attempt_no = (SELECT max(attempt_no) FROM attempt WHERE export_id = ?1)",
        )?
        .query_row((ended.export.as_str(), ended.kind.as_str(), ended.end.http_status), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((attempt_no, before)) = latest else { return Ok(false) };
    let same = before == result
        || without_numbers(&from_json::<AttemptResult>(&before, "result")?)
            .is_some_and(|before| without_numbers(&ended.end.result) == Some(before));
    if same {
        tx.prepare_cached(
            "UPDATE attempt SET times = times + 1, ended_at = ?3, result = ?4 \
             WHERE export_id = ?1 AND attempt_no = ?2",
        )?
        .execute((ended.export.as_str(), attempt_no, millis(ended.ended_at), result))?;
    }
    Ok(same)
}

/// A statement about a job that goes on, without what moves while it does. None of anything else.
fn without_numbers(result: &AttemptResult) -> Option<Job> {
    let AttemptResult::Found { job } = result else { return None };
    if job.status.is_settled() {
        return None;
    }
    let mut job = (**job).clone();
    job.progress = None;
    job.revision = 0;
    job.updated_at = job.created_at;
    Some(job)
}

/// When the first byte may have left, in milliseconds, by the phases that passed.
fn crossed_at(ended: &EndedAttempt) -> Option<i64> {
    let send = ended.end.phases.iter().find(|mark| mark.phase >= Phase::Send)?;
    Some(millis(ended.started_at).saturating_add(i64::from(send.at_ms)))
}

/// The attempts of an export, in order; what is wrong with one stands in its place.
pub(super) fn of(
    conn: &Connection,
    export: &ExportId,
) -> Result<Vec<Result<Attempt, Damage>>, StoreError> {
    let query = format!("SELECT {COLUMNS} FROM attempt WHERE export_id = ?1 ORDER BY attempt_no");
    let mut statement = conn.prepare_cached(&query)?;
    let mut rows = statement.query([export.as_str()])?;
    let mut attempts = Vec::new();
    while let Some(row) = rows.next()? {
        attempts.push(from_row(row).map(Ok).or_else(StoreError::of_a_row)?);
    }
    Ok(attempts)
}

/// The attempts that have no end, in order.
pub(super) fn unended(conn: &Connection) -> Result<Vec<(ExportId, Attempt)>, StoreError> {
    select(conn, "WHERE ended_at IS NULL ORDER BY export_id, attempt_no", [])
}

/// Reads every attempt there is.
pub(super) fn each(
    conn: &Connection,
    see: &mut dyn FnMut(Attempt) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare(&format!("SELECT {COLUMNS} FROM attempt"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        see(from_row(row)?)?;
    }
    Ok(())
}

fn select(
    conn: &Connection,
    clauses: &'static str,
    params: impl Params,
) -> Result<Vec<(ExportId, Attempt)>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM attempt {clauses}"))?;
    let mut rows = statement.query(params)?;
    let mut attempts = Vec::new();
    while let Some(row) = rows.next()? {
        attempts.push((ExportId::from_text(row.get::<_, String>(0)?), from_row(row)?));
    }
    Ok(attempts)
}

fn from_row(row: &Row<'_>) -> Result<Attempt, StoreError> {
    let kind: String = row.get(2)?;
    let result: Option<String> = row.get(6)?;
    let phases: String = row.get(8)?;
    let http_status: Option<i64> = row.get(7)?;
    Ok(Attempt {
        attempt_no: count(row.get(1)?, "attempt_no")?,
        kind: word(AttemptKind::parse(&kind), "kind")?,
        started_at: time(row.get(3)?, "started_at")?,
        crossed_at: maybe_time(row.get(4)?, "crossed_at")?,
        ended_at: maybe_time(row.get(5)?, "ended_at")?,
        result: maybe_from_json::<AttemptResult>(result.as_deref(), "result")?,
        http_status: http_status.map(|status| count(status, "http_status")).transpose()?,
        phases: from_json::<Vec<PhaseMark>>(&phases, "phases")?,
        span_id: row.get(9)?,
        times: count(row.get(10)?, "times")?,
    })
}
