//! What a problem (RFC 9457) proves. Its type alone counts, and only where the protocol gives that
//! type to the status and to the call: a refusal that belongs to another call is as good as none.

use docket_wire::{Problem, ProblemType, header::PROBLEM_JSON};
use jiff::{SignedDuration, Timestamp};

use super::{Asked, Verdict};
use crate::{
    attempt::{AttemptResult, CallReason, DeferUntil, Phase},
    connector::{
        header,
        http::{Incoming, Received},
    },
};

/// How far ahead of its clock a service lets `Repeatability-First-Sent` lie.
const CLOCK_AHEAD_ALLOWED: SignedDuration = SignedDuration::from_mins(5);

/// The problem in an answer, if it is one of ours: right media type, right schema, and of a type
/// that the protocol gives to this status.
pub(in crate::connector) fn problem(incoming: &Incoming) -> Option<Problem> {
    let Received::Whole(bytes) = &incoming.body else { return None };
    if header::media_type(&incoming.headers).as_deref() != Some(PROBLEM_JSON) {
        return None;
    }
    let problem: Problem = serde_json::from_slice(bytes).ok()?;
    let status = incoming.status.as_u16();
    let says_so = problem.status == 0 || problem.status == status;
    (says_so && problem.problem_type.status() == status).then_some(problem)
}

/// What a problem proves of this call; None where the protocol does not give it to the call.
pub(super) fn of(
    asked: Asked<'_>,
    problem: Problem,
    incoming: &Incoming,
    now: Timestamp,
) -> Option<Verdict> {
    let takes_key =
        matches!(asked, Asked::Submit { .. } | Asked::Key { .. } | Asked::Abandon { .. });
    let submits = matches!(asked, Asked::Submit { .. });
    let abandons = matches!(asked, Asked::Abandon { .. });
    let result = match &problem.problem_type {
        ProblemType::Forbidden => refused(problem),
        ProblemType::Unauthenticated => AttemptResult::Deferred { until: DeferUntil::SignIn },
        ProblemType::KeyMissing | ProblemType::Malformed if takes_key => refused(problem),
        ProblemType::ClockAhead => clock_ahead(asked, incoming, now)?,
        ProblemType::NotFound => not_found(asked, problem, incoming, now)?,
        ProblemType::UnknownOperation
        | ProblemType::TooLarge
        | ProblemType::UnsupportedMediaType
        | ProblemType::InvalidParameters
            if submits =>
        {
            refused(problem)
        }
        ProblemType::KeyConflict if submits || abandons => refused(problem),
        ProblemType::InProgress if submits || abandons => lost(CallReason::InProgress),
        ProblemType::NotCancellable if matches!(asked, Asked::Cancel { .. }) => {
            AttemptResult::NotCancellable
        }
        ProblemType::Abandoned if submits => AttemptResult::Abandoned,
        ProblemType::KeyExpired if takes_key => AttemptResult::KeyExpired,
        ProblemType::RateLimited | ProblemType::Unavailable => {
            let until = DeferUntil::Time(header::retry_after(&incoming.headers, now));
            let says_nothing = problem.accepted.unwrap_or(changes_something(asked));
            if says_nothing {
                lost(CallReason::ServiceError)
            } else {
                AttemptResult::Deferred { until }
            }
        }
        ProblemType::Internal => lost(CallReason::ServiceError),
        ProblemType::KeyMissing
        | ProblemType::Malformed
        | ProblemType::UnknownOperation
        | ProblemType::TooLarge
        | ProblemType::UnsupportedMediaType
        | ProblemType::InvalidParameters
        | ProblemType::KeyConflict
        | ProblemType::InProgress
        | ProblemType::NotCancellable
        | ProblemType::NotReady
        | ProblemType::Abandoned
        | ProblemType::FileExpired
        | ProblemType::KeyExpired
        | ProblemType::Unknown(_) => return None,
    };
    Some(Verdict::own(result))
}

fn refused(problem: Problem) -> AttemptResult {
    AttemptResult::Refused { problem: Box::new(problem) }
}

fn lost(reason: CallReason) -> AttemptResult {
    AttemptResult::Lost { phase: Phase::Decode, reason, hint: None }
}

/// Whether a call can change anything at the service.
fn changes_something(asked: Asked<'_>) -> bool {
    match asked {
        Asked::Submit { .. } | Asked::Abandon { .. } | Asked::Cancel { .. } => true,
        Asked::Service
        | Asked::Operations
        | Asked::Job { .. }
        | Asked::Key { .. }
        | Asked::Traits { .. } => false,
    }
}

/// The key seems to come from the future: until the service's clock has come near enough to it.
fn clock_ahead(asked: Asked<'_>, incoming: &Incoming, now: Timestamp) -> Option<AttemptResult> {
    let first_sent = match asked {
        Asked::Submit { first_sent, .. }
        | Asked::Key { first_sent, .. }
        | Asked::Abandon { first_sent, .. } => first_sent,
        Asked::Service
        | Asked::Operations
        | Asked::Job { .. }
        | Asked::Traits { .. }
        | Asked::Cancel { .. } => return None,
    };
    let service_now = header::date(&incoming.headers).unwrap_or(now);
    let wait = first_sent.duration_since(service_now).saturating_sub(CLOCK_AHEAD_ALLOWED);
    let until = header::later(now, std::time::Duration::try_from(wait).unwrap_or_default());
    Some(AttemptResult::Deferred { until: DeferUntil::Time(until) })
}

/// A 404: of a job or a key it is "not seen"; of a catalogue it is a tenant that is not ours.
fn not_found(
    asked: Asked<'_>,
    problem: Problem,
    incoming: &Incoming,
    now: Timestamp,
) -> Option<AttemptResult> {
    match asked {
        Asked::Job { .. } | Asked::Key { .. } | Asked::Cancel { .. } => {
            let as_of = header::date(&incoming.headers).unwrap_or(now);
            Some(AttemptResult::NotSeen { as_of })
        }
        Asked::Operations => Some(refused(problem)),
        Asked::Service | Asked::Submit { .. } | Asked::Traits { .. } | Asked::Abandon { .. } => {
            None
        }
    }
}
