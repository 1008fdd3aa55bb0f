//! The verbs of the workers on `export_job`: take a job under a lease, tell of progress, end it.
//!
//! Each write after the take names its lease, so a worker that lost it changes nothing.

use std::time::Duration;

use docket_wire::{JobStatus, Problem};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params};

use super::{
    StoreError,
    export_job::{self, COLUMNS, Job, StoredFile},
    integer, millis, timestamp,
};
use crate::clock::{earlier, later};

/// How often a job is taken over from a worker that died before it is given up: such a job may be
/// what kills them.
const MAX_TAKEOVERS: u32 = 5;

/// How many waiting jobs of a tenant learn their new place when one leaves the queue. Those further
/// back keep a place that is a little too high.
const PLACES_TOLD: u32 = 50;

/// What a look for work found.
#[derive(Debug)]
pub(crate) enum Taken {
    /// This job is the caller's while it renews the lease; `moved_up` waited behind it.
    Job { job: Box<Job>, moved_up: Vec<String> },
    /// This one was given up.
    GivenUp(String),
    /// Nothing is due before this time.
    NothingUntil(Timestamp),
    /// Nothing waits.
    Nothing,
}

/// Whether the lease still is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lease {
    /// It is.
    Held,
    /// It is, and somebody asked for the job's cancel.
    CancelAsked,
    /// Another has the job, or it was ended.
    Lost,
}

/// At the start of a process every lease is a dead one's.
pub(super) fn free_all_leases(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    tx.execute("UPDATE export_job SET lease_until = 0 WHERE status = 'running'", [])?;
    Ok(())
}

/// Takes the oldest job that waited for `queued`, or whose lease has run out.
pub(crate) fn take(
    tx: &Transaction<'_>,
    holder: &str,
    lease: Duration,
    queued: Duration,
    now: Timestamp,
) -> Result<Taken, StoreError> {
    let due = tx
        .prepare_cached(
            "SELECT business_id, status, takeovers FROM (
                 SELECT * FROM (SELECT business_id, status, takeovers, created_at, rowid AS place
                     FROM export_job WHERE status = 'queued' AND created_at <= ?1
                     ORDER BY created_at, rowid LIMIT 1)
                 UNION ALL
                 SELECT * FROM (SELECT business_id, status, takeovers, created_at, rowid AS place
                     FROM export_job WHERE status = 'running' AND lease_until <= ?2
                     ORDER BY created_at, rowid LIMIT 1))
             ORDER BY created_at, place LIMIT 1",
        )?
        .query_row(params![millis(earlier(now, queued)), millis(now)], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get::<_, u32>(2)?))
        })
        .optional()?;
    let Some((business_id, status, takeovers)) = due else { return next_due(tx, queued) };
    let is_takeover = status == JobStatus::Running.as_str();
    if is_takeover && takeovers >= MAX_TAKEOVERS {
        give_up(tx, &business_id, now)?;
        return Ok(Taken::GivenUp(business_id));
    }
    let job = tx
        .prepare_cached(&format!(
            "UPDATE export_job SET status = 'running', revision = revision + 1, updated_at = ?2,
                 lease_holder = ?3, lease_until = ?4, takeovers = takeovers + ?5,
                 queue_ahead = NULL, progress_done = 0, progress_total = NULL, progress_step = NULL
             WHERE business_id = ?1 RETURNING {COLUMNS}"
        ))?
        .query_row(
            params![
                business_id,
                millis(now),
                holder,
                millis(later(now, lease)),
                u32::from(is_takeover)
            ],
            export_job::read,
        )?;
    let moved_up = if is_takeover { Vec::new() } else { move_up(tx, &job.tenant_id, now)? };
    Ok(Taken::Job { job: Box::new(job), moved_up })
}

fn next_due(tx: &Transaction<'_>, queued: Duration) -> Result<Taken, StoreError> {
    let next: Option<i64> = tx
        .prepare_cached(
            "SELECT min(due) FROM (
                 SELECT min(created_at) + ?1 AS due FROM export_job WHERE status = 'queued'
                 UNION ALL
                 SELECT min(lease_until) FROM export_job WHERE status = 'running')",
        )?
        .query_row(params![i64::try_from(queued.as_millis()).unwrap_or(i64::MAX)], |row| {
            row.get(0)
        })?;
    Ok(next.map_or(Taken::Nothing, |next| Taken::NothingUntil(timestamp(next))))
}

fn move_up(
    tx: &Transaction<'_>,
    tenant_id: &str,
    now: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let mut statement = tx.prepare_cached(
        "UPDATE export_job SET queue_ahead = place.ahead, revision = revision + 1, updated_at = ?3
         FROM (SELECT business_id AS id, row_number() OVER (ORDER BY created_at, rowid) - 1 AS ahead
               FROM export_job WHERE status = 'queued' AND tenant_id = ?1
               ORDER BY created_at, rowid LIMIT ?2) AS place
         WHERE business_id = place.id AND queue_ahead IS NOT place.ahead RETURNING business_id",
    )?;
    let moved = statement
        .query_map(params![tenant_id, PLACES_TOLD, millis(now)], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(moved)
}

fn give_up(tx: &Transaction<'_>, business_id: &str, now: Timestamp) -> Result<(), StoreError> {
    let problem = Problem {
        retry_may_help: Some(false),
        ..Problem::new(docket_wire::ProblemType::Internal)
            .with_detail("The work on this export was interrupted again and again.")
    };
    settle(tx, business_id, &JobStatus::Failed, Some(&problem), now)
}

/// Keeps the job for another lease.
pub(crate) fn renew(
    tx: &Transaction<'_>,
    business_id: &str,
    holder: &str,
    until: Timestamp,
) -> Result<Lease, StoreError> {
    let renewed = tx
        .prepare_cached(
            "UPDATE export_job SET lease_until = ?3
             WHERE business_id = ?1 AND lease_holder = ?2 AND status = 'running'
             RETURNING cancel_requested",
        )?
        .query_row(params![business_id, holder, millis(until)], |row| row.get(0))
        .optional()?;
    Ok(lease(renewed))
}

/// What an update that named its lease says of it: the job's `cancel_requested`, if it met the job.
fn lease(met: Option<bool>) -> Lease {
    match met {
        Some(false) => Lease::Held,
        Some(true) => Lease::CancelAsked,
        None => Lease::Lost,
    }
}

/// Gives the job back at once: the service stops.
pub(crate) fn release(
    tx: &Transaction<'_>,
    business_id: &str,
    holder: &str,
) -> Result<(), StoreError> {
    renew(tx, business_id, holder, Timestamp::UNIX_EPOCH)?;
    Ok(())
}

/// How far the work is, for callers to see.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) done: u64,
    pub(crate) total: u64,
    pub(crate) step: String,
}

/// Tells of progress, and keeps the job for another lease.
pub(crate) fn tell(
    tx: &Transaction<'_>,
    business_id: &str,
    holder: &str,
    step: &Step,
    until: Timestamp,
    now: Timestamp,
) -> Result<Lease, StoreError> {
    let told = tx
        .prepare_cached(
            "UPDATE export_job SET progress_done = ?3, progress_total = ?4, progress_step = ?5,
                 lease_until = ?6, updated_at = ?7, revision = revision + 1
             WHERE business_id = ?1 AND lease_holder = ?2 AND status = 'running'
             RETURNING cancel_requested",
        )?
        .query_row(
            params![
                business_id,
                holder,
                integer(step.done),
                integer(step.total),
                step.step,
                millis(until),
                millis(now)
            ],
            |row| row.get(0),
        )
        .optional()?;
    Ok(lease(told))
}

/// How a worker's job ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The file is whole and under its name, and is `kept` from now on.
    Finished { file: StoredFile, rows: u64, warnings: Vec<String>, kept: Duration },
    /// It can not be made.
    Failed(Problem),
    /// Somebody asked for its cancel, and was heard.
    Cancelled,
}

/// Writes the end of a job. A cancel that was accepted before wins over a file.
pub(crate) fn end(
    tx: &Transaction<'_>,
    business_id: &str,
    holder: &str,
    end: &End,
    now: Timestamp,
) -> Result<JobStatus, StoreError> {
    let cancelled: Option<bool> = tx
        .prepare_cached(
            "SELECT cancel_requested FROM export_job
             WHERE business_id = ?1 AND lease_holder = ?2 AND status = 'running'",
        )?
        .query_row(params![business_id, holder], |row| row.get(0))
        .optional()?;
    match (cancelled, end) {
        (None, _) => Ok(JobStatus::Running),
        (Some(true), _) | (Some(false), End::Cancelled) => {
            settle(tx, business_id, &JobStatus::Cancelled, None, now)?;
            Ok(JobStatus::Cancelled)
        }
        (Some(false), End::Failed(problem)) => {
            settle(tx, business_id, &JobStatus::Failed, Some(problem), now)?;
            Ok(JobStatus::Failed)
        }
        (Some(false), End::Finished { file, rows, warnings, kept }) => {
            tx.prepare_cached(
                "UPDATE export_job SET file_name = ?2, file_size = ?3, file_media_type = ?4,
                     file_sha256 = ?5, warnings = ?6, expires_at = ?7, progress_done = ?8,
                     progress_total = ?8, progress_step = NULL
                 WHERE business_id = ?1",
            )?
            .execute(params![
                business_id,
                file.name,
                integer(file.size),
                file.media_type,
                file.sha256,
                serde_json::to_string(warnings)?,
                millis(later(now, *kept)),
                integer(*rows)
            ])?;
            settle(tx, business_id, &JobStatus::Succeeded, None, now)?;
            Ok(JobStatus::Succeeded)
        }
    }
}

fn settle(
    tx: &Transaction<'_>,
    business_id: &str,
    status: &JobStatus,
    problem: Option<&Problem>,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE export_job SET status = ?2, problem = ?3, settled_at = ?4, updated_at = ?4,
             revision = revision + 1, lease_holder = NULL, lease_until = NULL, queue_ahead = NULL
         WHERE business_id = ?1",
    )?
    .execute(params![
        business_id,
        status.as_str(),
        problem.map(serde_json::to_string).transpose()?,
        millis(now)
    ])?;
    Ok(())
}

/// What a wish to cancel met.
#[derive(Clone, Debug)]
pub(crate) enum CancelMet {
    /// The job is cancelled, or will be as soon as its worker hears of it.
    Accepted { job: Box<Job>, moved_up: Vec<String> },
    /// It ended in another way before.
    Settled,
}

/// Cancels a waiting job at once, and marks a running one for its worker. Idempotent.
pub(crate) fn cancel(
    tx: &Transaction<'_>,
    job: Job,
    now: Timestamp,
) -> Result<CancelMet, StoreError> {
    let mut moved_up = Vec::new();
    match job.status {
        JobStatus::Queued => {
            settle(tx, &job.business_id, &JobStatus::Cancelled, None, now)?;
            moved_up = move_up(tx, &job.tenant_id, now)?;
        }
        JobStatus::Running if !job.cancel_requested => {
            tx.prepare_cached(
                "UPDATE export_job SET cancel_requested = 1, updated_at = ?2,
                     revision = revision + 1
                 WHERE business_id = ?1",
            )?
            .execute(params![job.business_id, millis(now)])?;
        }
        JobStatus::Running | JobStatus::Cancelled => {}
        JobStatus::Succeeded | JobStatus::Failed | JobStatus::Expired | JobStatus::Unknown(_) => {
            return Ok(CancelMet::Settled);
        }
    }
    let job = export_job::find(tx, &job.tenant_id, &job.business_id)?.unwrap_or(job);
    Ok(CancelMet::Accepted { job: Box::new(job), moved_up })
}
