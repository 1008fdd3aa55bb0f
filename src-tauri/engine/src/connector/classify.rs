//! What one answer proves: from status, head and body to exactly one result (lifecycle.md, "What
//! one answer proves"). Pure; each row is a test.
//!
//! | answer | result |
//! | --- | --- |
//! | 2xx of the call's status, media type and schema, echoing what is ours | `Found`, `Listed`, `Described`, or what the key's state says |
//! | the same, about another key, operation, payload, tenant or requester | `Lost(mismatched)`, no hint |
//! | no trait matches; key `absent`; 404 `not-found` for a job or a key | `NotSeen` |
//! | key `abandoned`; 410 `abandoned` on a submit | `Abandoned` |
//! | key `expired`; 412 `key-expired` | `KeyExpired` |
//! | 2xx to a submit that broke off or does not decode | `Lost`, with the id that `Location` or the body names as a hint |
//! | 2xx to a submit that names no job | `Lost(no_job_named)` |
//! | a problem that the protocol gives as a refusal for this call; `forbidden` on any | `Refused` |
//! | 401 `unauthenticated` | `Deferred(sign-in)` |
//! | 400 `clock-ahead`; 429 and 503 with `accepted: false` | `Deferred(time)` |
//! | 429 and 503 without it: to an ask; to a call that can change something | `Deferred(time)`; `Lost(service_error)` |
//! | 409 `in-progress`; 409 `not-cancellable` | `Lost(in_progress)`; `NotCancellable` |
//! | 3xx | `Lost(redirect)` |
//! | any other 5xx, whoever sent it | `Lost(service_error)` |
//! | everything else: another media type, status, problem type, or one that belongs to another call | `Lost(not_the_service)` |

mod refusal;

use docket_wire::{Export as Job, ExportList, KeyState, KeyStatus, OperationList, ServiceDocument};
use http::StatusCode;
use jiff::Timestamp;
use serde::de::DeserializeOwned;

pub(super) use self::refusal::problem;
use super::{
    Expected,
    echo::{self, Echo},
    header,
    http::{Incoming, Received},
};
use crate::{
    attempt::{AttemptResult, CallReason, Phase},
    capabilities::{ServiceFacts, Suspicion},
    export::BusinessId,
};

/// The version of the protocol that is spoken here.
const PROTOCOL_VERSION: u32 = 1;

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a> {
    /// `GET /v1/service`
    Service,
    /// `GET …/operations`
    Operations,
    /// `POST …/exports`
    Submit { expected: &'a Expected, first_sent: Timestamp },
    /// `GET …/exports/{business_id}`
    Job { expected: &'a Expected, id: &'a BusinessId },
    /// `GET …/request-keys/{request_key}`
    Key { expected: &'a Expected, first_sent: Timestamp },
    /// `GET …/exports?…`
    Traits { expected: &'a Expected, created: (Timestamp, Timestamp) },
    /// `POST …/request-keys/{request_key}/abandon`
    Abandon { expected: &'a Expected, first_sent: Timestamp },
    /// `POST …/exports/{business_id}/cancel`
    Cancel { expected: &'a Expected, id: &'a BusinessId },
}

/// What an answer proves, and whether it is recognisably the service's own.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) result: AttemptResult,
    pub(super) origin: Origin,
}

/// Who gave an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The service: by media type and schema.
    Service,
    /// Somebody between, or nobody knows.
    Somebody,
}

impl Verdict {
    fn own(result: AttemptResult) -> Self {
        Self { result, origin: Origin::Service }
    }

    fn lost(reason: CallReason) -> Self {
        Self::lost_naming(Phase::Decode, reason, None)
    }

    fn lost_naming(phase: Phase, reason: CallReason, hint: Option<String>) -> Self {
        let result = AttemptResult::Lost { phase, reason, hint };
        Self { result, origin: Origin::Somebody }
    }
}

/// What an answer to `asked` proves. `now` is this computer's clock at its end.
pub(super) fn classify(asked: Asked<'_>, incoming: &Incoming, now: Timestamp) -> Verdict {
    if incoming.status.is_success() {
        return success(asked, incoming, now);
    }
    if incoming.status.is_redirection() {
        return Verdict::lost(CallReason::Redirect);
    }
    let said = refusal::problem(incoming);
    if let Some(verdict) = said.and_then(|said| refusal::of(asked, said, incoming, now)) {
        return verdict;
    }
    match &incoming.body {
        Received::Cut(reason) if !incoming.status.is_server_error() => {
            Verdict::lost_naming(Phase::Receive, *reason, None)
        }
        Received::Cut(_) | Received::Whole(_) | Received::TooLong => {
            Verdict::lost(reason_of_status(incoming.status))
        }
    }
}

/// What a status alone says of an answer that proves nothing.
pub(super) fn reason_of_status(status: StatusCode) -> CallReason {
    if status.is_server_error() { CallReason::ServiceError } else { CallReason::NotTheService }
}

fn success(asked: Asked<'_>, incoming: &Incoming, now: Timestamp) -> Verdict {
    match asked {
        Asked::Submit { expected, .. } => receipt(expected, incoming),
        Asked::Service => match decode::<ServiceDocument>(incoming, &[200]) {
            Ok(document) => described(document, now),
            Err(verdict) => verdict,
        },
        // The catalogue itself is read by `catalogue`; here it would be no attempt's result.
        Asked::Operations => Verdict::lost(CallReason::NotTheService),
        Asked::Job { expected, id } => job(expected, id, decode(incoming, &[200])),
        Asked::Cancel { expected, id } => job(expected, id, decode(incoming, &[200, 202])),
        Asked::Key { expected, .. } => key(expected, decode(incoming, &[200])),
        Asked::Abandon { expected, .. } => match decode::<KeyStatus>(incoming, &[200, 201]) {
            // An abandon leaves no key absent.
            Ok(status) if status.state == KeyState::Absent => {
                Verdict::lost(CallReason::Undecodable)
            }
            decoded => key(expected, decoded),
        },
        Asked::Traits { expected, created } => match decode(incoming, &[200]) {
            Ok(list) => listed(expected, created, list),
            Err(verdict) => verdict,
        },
    }
}

/// The catalogue in an answer to [`Asked::Operations`].
pub(super) fn catalogue(
    incoming: &Incoming,
    now: Timestamp,
) -> Result<OperationList, Box<Verdict>> {
    if !incoming.status.is_success() {
        return Err(Box::new(classify(Asked::Operations, incoming, now)));
    }
    decode(incoming, &[200]).map_err(Box::new)
}

/// The body of an answer that has the right status, media type and schema.
fn decode<T: DeserializeOwned>(incoming: &Incoming, statuses: &[u16]) -> Result<T, Verdict> {
    let bytes = match &incoming.body {
        Received::Whole(bytes) => bytes,
        Received::Cut(reason) => {
            return Err(Verdict::lost_naming(Phase::Receive, *reason, None));
        }
        Received::TooLong => return Err(Verdict::lost(CallReason::Undecodable)),
    };
    if !statuses.contains(&incoming.status.as_u16()) || !is_json(incoming) {
        return Err(Verdict::lost(CallReason::NotTheService));
    }
    serde_json::from_slice(bytes).map_err(|_| Verdict::lost(CallReason::Undecodable))
}

fn is_json(incoming: &Incoming) -> bool {
    header::media_type(&incoming.headers).as_deref() == Some("application/json")
}

/// A 2xx to a submit. Its body names the job; where it does not, whatever still names one is a hint.
fn receipt(expected: &Expected, incoming: &Incoming) -> Verdict {
    let located = header::located_job(&incoming.headers, &incoming.url);
    let lost = |phase, reason, hint| Verdict::lost_naming(phase, reason, hint);
    let bytes = match &incoming.body {
        Received::Whole(bytes) => bytes,
        Received::Cut(reason) => return lost(Phase::Receive, *reason, located),
        Received::TooLong => return lost(Phase::Decode, CallReason::Undecodable, located),
    };
    if bytes.is_empty() {
        return lost(Phase::Decode, CallReason::NoJobNamed, located);
    }
    if !is_json(incoming) || !matches!(incoming.status.as_u16(), 200..=202) {
        return Verdict::lost(CallReason::NotTheService);
    }
    match serde_json::from_slice::<Job>(bytes) {
        Ok(job) if !header::is_id(&job.business_id) => {
            lost(Phase::Decode, CallReason::NoJobNamed, located)
        }
        Ok(job) => found(expected, job),
        Err(_) => match serde_json::from_slice::<serde_json::Value>(bytes) {
            Ok(value) => {
                let named = value["business_id"].as_str().filter(|id| header::is_id(id));
                let hint = named.map(str::to_owned).or(located);
                let unreadable = CallReason::Undecodable;
                let reason = if hint.is_some() { unreadable } else { CallReason::NoJobNamed };
                lost(Phase::Decode, reason, hint)
            }
            Err(_) => lost(Phase::Decode, CallReason::Undecodable, located),
        },
    }
}

fn found(expected: &Expected, job: Job) -> Verdict {
    match echo::of_job(expected, &job) {
        Echo::Ours => Verdict::own(AttemptResult::Found { job: Box::new(job) }),
        Echo::NotOurs => Verdict::lost(CallReason::Mismatched),
    }
}

fn job(expected: &Expected, id: &BusinessId, decoded: Result<Job, Verdict>) -> Verdict {
    match decoded {
        Ok(job) if job.business_id != id.as_str() => Verdict::lost(CallReason::Mismatched),
        Ok(job) => found(expected, job),
        Err(verdict) => verdict,
    }
}

fn key(expected: &Expected, decoded: Result<KeyStatus, Verdict>) -> Verdict {
    let status = match decoded {
        Ok(status) => status,
        Err(verdict) => return verdict,
    };
    match (status.state, status.export) {
        (KeyState::Present, Some(job)) => found(expected, job),
        (KeyState::Present, None) => Verdict::lost(CallReason::NoJobNamed),
        (KeyState::Abandoned, None) => Verdict::own(AttemptResult::Abandoned),
        (KeyState::Absent, None) => Verdict::own(AttemptResult::NotSeen { as_of: status.as_of }),
        (KeyState::Expired, None) => Verdict::own(AttemptResult::KeyExpired),
        // A state that denies the job it comes with proves nothing.
        (KeyState::Abandoned | KeyState::Absent | KeyState::Expired, Some(_)) => {
            Verdict::lost(CallReason::Undecodable)
        }
    }
}

/// What matches by every trait. A service that ignored one of them, or knows a job by another key,
/// shows jobs that are not meant: they are left out.
fn listed(expected: &Expected, created: (Timestamp, Timestamp), list: ExportList) -> Verdict {
    let jobs: Vec<Job> = list
        .items
        .into_iter()
        .filter(|job| (created.0..=created.1).contains(&job.created_at))
        .filter(|job| echo::of_job(expected, job) == Echo::Ours)
        .collect();
    Verdict::own(if jobs.is_empty() {
        AttemptResult::NotSeen { as_of: list.as_of }
    } else {
        AttemptResult::Listed { jobs, as_of: list.as_of }
    })
}

fn described(document: ServiceDocument, now: Timestamp) -> Verdict {
    if !document.protocol_versions.contains(&PROTOCOL_VERSION) {
        return Verdict::lost(CallReason::NotTheService);
    }
    // Measured at the end of the answer the service's clock seems behind by its way here, never
    // ahead: a key minted by it is never later than the service's own now.
    let ahead = document.now.duration_since(now).as_millis();
    let facts = ServiceFacts {
        name: document.name,
        capabilities: document.capabilities,
        remembers_since: document.remembers_since,
        service_epoch: document.service_epoch,
        clock_ahead_ms: i64::try_from(ahead).unwrap_or(0),
        described_at: now,
        suspected: Suspicion::None,
    };
    Verdict::own(AttemptResult::Described { facts: Box::new(facts) })
}

#[cfg(test)]
mod tests;
