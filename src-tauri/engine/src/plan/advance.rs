//! What the end of an attempt changes in the journal, and the plan that follows from it.
//!
//! [`ended`] runs after the evidence was joined, in the same transaction; [`replan`] then writes
//! down what comes next. Neither touches what is proved.

use std::time::Duration;

use docket_wire::Export as Job;
use jiff::Timestamp;

use super::{
    Action, Moment, Planner,
    fetched::fetched,
    heard::{heard_of, polled},
    learnt::{learn, learn_the_clock},
    next_action,
    spend::{last_answer, spend},
    wish::set_aside_a_wrong_name,
};
use crate::{
    attempt::{AttemptKind, AttemptResult, CallReason, DeferUntil},
    journal::{CancelTurn, Candidate, Hold, LastAnswer, Schedule, Sending, Window, between},
    knowledge::Evidence,
    policy::Policy,
    record::Record,
    stage::may_exist,
};

/// Decisions beside a call that one write may take in a row; more would be a loop.
const DECISIONS_MAX: usize = 6;

/// The end of one attempt.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// What it was for.
    pub kind: AttemptKind,
    /// What it proved.
    pub result: &'a AttemptResult,
    /// The HTTP status, where a head came.
    pub http_status: Option<u16>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// Moves the journal and the delivery on by the end of one attempt, whose evidence is joined.
pub fn ended(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let schedule = &mut record.journal.schedule;
    schedule.next_at = None;
    schedule.not_before = None;
    if let AttemptResult::Deferred { until } = end.result {
        match until {
            DeferUntil::Time(at) => schedule.not_before = Some(*at),
            DeferUntil::SignIn => {
                record.journal.holds.insert(Hold::SignIn);
            }
        }
    }
    learn_the_clock(record, end);
    match end.kind {
        AttemptKind::Describe => described(record, end, policy),
        AttemptKind::Submit => submitted(record, end, policy),
        AttemptKind::Lookup => looked(record, end, policy),
        AttemptKind::Poll => polled(record, end, policy),
        AttemptKind::Abandon | AttemptKind::Cancel => changed(record, end, policy),
        AttemptKind::Download => fetched(record, end, policy),
    }
    if let AttemptResult::Found { job } = end.result {
        heard_of(record, job, end, policy);
    }
}

/// The journal and the plan after one attempt, whose evidence is joined.
pub fn advance(record: &mut Record, end: Ended<'_>, moment: Moment<'_>) -> Action {
    ended(record, end, moment.policy);
    if let AttemptResult::NotSent { reason: CallReason::NoCredential } = end.result {
        record.journal.holds.insert(Hold::SignIn);
    }
    replan(record, moment)
}

/// Writes down what comes next, and takes the decisions on the way that need no call.
pub fn replan(record: &mut Record, moment: Moment<'_>) -> Action {
    for _ in 0..DECISIONS_MAX {
        let action = next_action(record, moment);
        let journal = &mut record.journal;
        match action {
            Action::Close(reason) => {
                let schedule = &mut journal.schedule;
                schedule.closed = Some(reason);
                schedule.closed_at = Some(moment.now);
                schedule.next_at = None;
                schedule.window = None;
                schedule.change_tries = 0;
                journal.wishes.check = false;
                journal.wishes.resend = false;
            }
            Action::NeverSend => journal.sending = Sending::NeverSent,
            Action::RaiseNoProgress => {
                journal.holds.insert(Hold::NoProgress);
            }
            Action::Describe
            | Action::Submit
            | Action::Lookup(_)
            | Action::Poll(_)
            | Action::Abandon
            | Action::Cancel(_)
            | Action::Download => {
                record.next_action_at = Some(moment.now);
                // What was planned for earlier keeps its gap: it is charged to the window.
                if record.journal.schedule.next_at.is_none() {
                    plan_at(record, moment.now, moment.now);
                }
                return action;
            }
            Action::WaitUntil(at, _) => {
                record.next_action_at = Some(at);
                plan_at(record, at, moment.now);
                return action;
            }
            Action::WaitForCall | Action::WaitForPerson(_) | Action::Done => {
                record.next_action_at = None;
                journal.schedule.next_at = None;
                // Nothing holds up what is over; a seal that is still owed waits for its hold to end.
                if action == Action::Done && !(Planner { record, moment }).owes_a_seal() {
                    record.journal.holds.clear();
                }
                return action;
            }
        }
    }
    Action::WaitForCall
}

/// Keeps the planned time and the gap to it, so that the window can be charged with it later. A
/// call under way has its own end; what is due beside it is not a planned try.
fn plan_at(record: &mut Record, at: Timestamp, now: Timestamp) {
    let under_way = record.journal.change_under_way().is_some();
    let schedule = &mut record.journal.schedule;
    if !under_way && schedule.next_at != Some(at) {
        schedule.next_at = Some(at);
        schedule.planned_gap_ms = millis(between(now, at));
    }
}

fn described(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    if let AttemptResult::Described { facts } = end.result {
        learn(record, (**facts).clone());
        record.journal.schedule.retries = 0;
        return;
    }
    record.journal.schedule.retries += 1;
    if record.journal.schedule.closed.is_some() {
        record.journal.schedule.closed_at = Some(end.ended_at);
    } else if may_exist(&record.knowledge, record.facts.as_ref()) {
        spend(&mut record.journal.schedule, end, policy);
    }
}

fn submitted(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let length = policy.window_length(record.facts.as_ref());
    let journal = &mut record.journal;
    journal.wishes.resend = false;
    let crossed = !matches!(end.result, AttemptResult::NotSent { .. });
    let put_off = matches!(end.result, AttemptResult::Deferred { .. });
    if crossed {
        journal.first_crossed_at.get_or_insert(end.started_at);
        journal.last_crossed_end = Some(end.ended_at);
        // What a look did not see before says nothing of this one, not even in the same instant.
        journal.not_seen_at = None;
    }
    let schedule = &mut journal.schedule;
    schedule.retries = if crossed && !put_off { 0 } else { schedule.retries + 1 };
    let lost = matches!(end.result, AttemptResult::Lost { .. });
    let refused = matches!(end.result, AttemptResult::Refused { .. });
    match &schedule.window {
        Some(window) => {
            let last = Duration::from_millis(window.spent_ms) >= length;
            let window = spend(schedule, end, policy);
            if last {
                window.final_submit_made = true;
                window.final_submit_crossed = crossed && !put_off;
            }
        }
        // A refusal wants its seal, which a closed window would not let go.
        None if schedule.closed.is_some() && refused => journal.open_window(end.ended_at),
        None if schedule.closed.is_some() => schedule.closed_at = Some(end.ended_at),
        None if lost || may_exist(&record.knowledge, record.facts.as_ref()) => {
            let last = last_answer(end);
            let window = Window {
                last_try_at: Some(end.ended_at),
                last_answer: Some(last),
                silent_tries: u32::from(last == LastAnswer::Nothing),
                ..Window::default()
            };
            schedule.window = Some(window);
        }
        None => {}
    }
}

fn looked(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    set_aside_a_wrong_name(record, end, policy);
    let journal = &mut record.journal;
    journal.wishes.check = false;
    let answered = match end.result {
        AttemptResult::Found { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired => true,
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => false,
    };
    if answered {
        journal.holds.remove(&Hold::RestoredStore);
        journal.schedule.retries = 0;
    }
    let not_seen = match end.result {
        AttemptResult::Listed { jobs, .. } => {
            list_candidates(&mut journal.schedule, jobs);
            jobs.is_empty()
        }
        AttemptResult::NotSeen { .. } => true,
        AttemptResult::Found { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => false,
    };
    if not_seen {
        journal.not_seen_at = Some(end.started_at);
    }
    if journal.schedule.closed.is_none() {
        spend(&mut journal.schedule, end, policy);
    } else if not_seen {
        // A slow look was answered: a window that has only its end left, the last submit and the
        // abandon. Where neither may be made, the next plan closes it again in the same write.
        journal.open_window(end.ended_at);
        let window = spend(&mut journal.schedule, end, policy);
        window.spent_ms = u64::MAX;
    } else {
        journal.schedule.closed_at = Some(end.ended_at);
    }
    adopt(record, end, policy);
}

fn list_candidates(schedule: &mut Schedule, jobs: &[Job]) {
    for job in jobs {
        let candidate = schedule.candidates.entry(job.business_id.clone()).or_insert(Candidate {
            looks: 0,
            created_at: job.created_at,
            status: String::new(),
        });
        candidate.looks += 1;
        candidate.status = job.status.to_string();
    }
}

/// Exactly one job over all looks so far, seen in two: adopted. The adoption is the evidence.
fn adopt(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let AttemptResult::Listed { jobs, .. } = end.result else { return };
    let candidates = &record.journal.schedule.candidates;
    let seen_twice = candidates.values().all(|candidate| candidate.looks >= 2);
    if let ([job], 1, true) = (jobs.as_slice(), candidates.len(), seen_twice) {
        record.knowledge.add(Evidence::Adopted { job: Box::new(job.clone()) });
        heard_of(record, job, end, policy);
    }
}

/// An abandon or a cancel ended.
fn changed(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let journal = &mut record.journal;
    let crossed = !matches!(end.result, AttemptResult::NotSent { .. });
    if end.kind == AttemptKind::Abandon && crossed {
        journal.abandon_crossed = true;
    }
    let schedule = &mut journal.schedule;
    schedule.change_tries = match end.result {
        AttemptResult::Found { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::NotCancellable => 0,
        AttemptResult::Deferred { until: DeferUntil::SignIn } => schedule.change_tries,
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::Fetched { .. } => schedule.change_tries.saturating_add(1),
    };
    let has_ended = matches!(end.result, AttemptResult::NotCancellable);
    // Asked before it is asked for again, after a while that grows: a job may have ended meanwhile.
    let unanswered = match schedule.change_tries {
        0 => None,
        tries => Some(policy.look_gap(tries - 1, 1.0)),
    };
    schedule.poll_gap_ms = 0;
    if end.kind == AttemptKind::Cancel {
        let waits = if has_ended { CancelTurn::Over } else { CancelTurn::AfterPoll };
        schedule.cancel_turn = waits;
        schedule.poll_gap_ms = unanswered.map_or(0, millis);
    } else if schedule.closed.is_none() {
        spend(schedule, end, policy);
    }
}

pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
