//! What a try costs its window, and what its answer was, for the reason that the window ends with.

use std::time::Duration;

use super::advance::{Ended, millis};
use crate::{
    attempt::{AttemptResult, CallReason, DeferUntil},
    journal::{LastAnswer, Schedule, Window, between},
    policy::Policy,
};

/// Charges the window with the gap since the last try, at most the gap that was planned, so that
/// sleep, a changed clock, a restart or a hold spends nothing; nor does a time that the service
/// asked for, beyond the longest gap between looks: one wait would end a window that has hardly been
/// looked into.
pub(super) fn spend<'a>(
    schedule: &'a mut Schedule,
    end: Ended<'_>,
    policy: &Policy,
) -> &'a mut Window {
    let planned = Duration::from_millis(schedule.planned_gap_ms).min(policy.look_gap_max);
    let last = last_answer(end);
    let window = schedule.window.get_or_insert_default();
    let gap = window.last_try_at.map_or(Duration::ZERO, |at| between(at, end.started_at));
    window.spent_ms = window.spent_ms.saturating_add(millis(gap.min(planned)));
    window.tries += 1;
    window.last_try_at = Some(end.ended_at);
    // A try without an answer says nothing; only where none had one could nobody be reached.
    if last == LastAnswer::Nothing {
        window.silent_tries += 1;
        window.last_answer.get_or_insert(last);
    } else {
        window.silent_tries = 0;
        window.last_answer = Some(last);
    }
    window
}

pub(super) fn last_answer(end: Ended<'_>) -> LastAnswer {
    match end.result {
        // The call before this one told it.
        AttemptResult::NotSent { reason: CallReason::AccessRefused } => LastAnswer::Forbidden,
        AttemptResult::NotSent { .. } => LastAnswer::Nothing,
        AttemptResult::Lost { reason, .. } => match reason {
            CallReason::ServiceError => LastAnswer::ServiceError,
            CallReason::NotTheService if end.http_status.is_some_and(|code| code >= 500) => {
                LastAnswer::ServiceError
            }
            CallReason::NotTheService
            | CallReason::Garbled
            | CallReason::Redirect
            | CallReason::NoJobNamed
            | CallReason::Undecodable => LastAnswer::Unreadable,
            CallReason::Mismatched => LastAnswer::Mismatched,
            CallReason::InProgress => LastAnswer::Deferred,
            CallReason::NoNetwork
            | CallReason::HostNotFound
            | CallReason::ConnectionRefused
            | CallReason::ConnectTimeout
            | CallReason::ConnectFailed
            | CallReason::CertificateUntrusted
            | CallReason::TlsFailed
            | CallReason::ProxyRefused
            | CallReason::ProxySignIn
            | CallReason::NoCredential
            | CallReason::AccessRefused
            | CallReason::AskedToWait
            | CallReason::RequestInvalid
            | CallReason::ClosedBeforeSend
            | CallReason::ClosedWithoutAnswer
            | CallReason::Reset
            | CallReason::Timeout
            | CallReason::Truncated
            | CallReason::Interrupted
            | CallReason::Restored => LastAnswer::Nothing,
        },
        AttemptResult::Listed { jobs, .. } if jobs.len() > 1 => LastAnswer::Ambiguous,
        AttemptResult::Listed { .. } | AttemptResult::NotSeen { .. } => LastAnswer::NotSeen,
        AttemptResult::Refused { problem }
            if problem.problem_type == docket_wire::ProblemType::Forbidden =>
        {
            LastAnswer::Forbidden
        }
        AttemptResult::Refused { problem }
            if problem.problem_type == docket_wire::ProblemType::KeyConflict =>
        {
            LastAnswer::Mismatched
        }
        AttemptResult::Refused { .. } => LastAnswer::Unreadable,
        AttemptResult::Deferred { until: DeferUntil::SignIn } => LastAnswer::SignIn,
        AttemptResult::Deferred { until: DeferUntil::Time(_) } => LastAnswer::Deferred,
        AttemptResult::Found { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => LastAnswer::NotSeen,
    }
}
