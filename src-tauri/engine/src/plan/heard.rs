//! A poll ended, or the service spoke of the job in answer to anything: what is new of it, and when it
//! is asked again.

use std::time::Duration;

use docket_wire::{Export as Job, JobStatus};

use super::{
    advance::{Ended, millis},
    spend::spend,
};
use crate::{
    attempt::AttemptResult,
    delivery::Want,
    journal::{CancelTurn, Furthest, Hold, UnresolvedReason, between},
    knowledge::Evidence,
    policy::Policy,
    record::Record,
};

/// Gap between long polls: the service itself does the waiting.
const LONG_POLL_GAP_MS: u64 = 250;

/// A poll ended.
pub(super) fn polled(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let schedule = &mut record.journal.schedule;
    record.journal.wishes.check = false;
    if schedule.closed.is_some() {
        schedule.closed_at = Some(end.ended_at);
    }
    match end.result {
        // A poll is the look at a job that is known: what a restored store held back may go.
        AttemptResult::Found { .. } => {
            record.journal.holds.remove(&Hold::RestoredStore);
            if schedule.cancel_turn == CancelTurn::AfterPoll {
                schedule.cancel_turn = CancelTurn::Due;
            }
        }
        AttemptResult::NotSeen { .. } => {
            record.journal.holds.remove(&Hold::RestoredStore);
            schedule.quiet_polls += 1;
            schedule.poll_gap_ms = millis(policy.look_gap(schedule.quiet_polls, 1.0));
            if record.knowledge.cancel_accepted {
                record.knowledge.add(Evidence::GoneAfterCancel);
            } else if schedule.closed.is_none() {
                spend(schedule, end, policy);
            }
        }
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => {
            schedule.quiet_polls += 1;
            schedule.poll_gap_ms =
                millis(policy.poll_gap(schedule.quiet_polls, record.facts.as_ref()));
            if end.result.withdraws_access() {
                refused(record, end, policy);
            }
        }
    }
}

/// This account may no longer ask about the job: where the file waits for that, it is held; else a
/// window is spent on it, for a permission that comes back at once.
fn refused(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    if fetch_waits(record) {
        record.journal.holds.insert(Hold::AccessWithdrawn);
    } else if record.journal.schedule.closed.is_none() {
        spend(&mut record.journal.schedule, end, policy);
    }
}

/// Whether the poll was to tell where the file lies that is wanted.
fn fetch_waits(record: &Record) -> bool {
    let succeeded = record.knowledge.job().is_some_and(|job| job.status == JobStatus::Succeeded);
    succeeded && record.delivery.want == Want::Fetch
}

/// The service spoke of the job: nothing is sought any more.
pub(super) fn heard_of(record: &mut Record, job: &Job, end: Ended<'_>, policy: &Policy) {
    // A poll beside a wish to cancel is not held.
    let long_polls = record.journal.wishes.cancel.is_none()
        && record.facts.as_ref().is_some_and(|f| f.capabilities.max_wait_s > 0);
    let schedule = &mut record.journal.schedule;
    let heard = (job.service_epoch, job.revision);
    if schedule.heard.is_some_and(|(epoch, _)| job.service_epoch > epoch) {
        // A service that was put back runs it anew.
        schedule.furthest = Furthest::default();
    }
    let newer = schedule.heard.is_none_or(|before| heard > before);
    let news = newer && schedule.furthest.moved_by(job);
    if newer {
        schedule.heard = Some(heard);
    }
    schedule.window = None;
    schedule.retries = 0;
    if let Some(file) = &job.file {
        schedule.file_address = Some(file.href.clone());
    }
    // Whatever was concluded from not seeing it is refuted; that nothing moves, by news alone.
    if news || schedule.closed != Some(UnresolvedReason::NoProgress) {
        schedule.closed = None;
        schedule.closed_at = None;
    }
    if news {
        schedule.news_at = Some(end.ended_at);
        schedule.quiet_polls = 0;
        record.journal.holds.remove(&Hold::NoProgress);
        if job.status == JobStatus::Succeeded && record.journal.wishes.cancel.is_some() {
            // It ended before the cancel did. The file waits until the person asks for it.
            record.delivery.want = Want::OnRequest;
        }
    } else {
        schedule.quiet_polls += 1;
        schedule.news_at.get_or_insert(end.ended_at);
    }
    let waited = between(end.started_at, end.ended_at) >= Duration::from_secs(1);
    schedule.poll_gap_ms = if long_polls && (news || waited) {
        LONG_POLL_GAP_MS
    } else {
        millis(policy.poll_gap(schedule.quiet_polls, record.facts.as_ref()))
    };
}
