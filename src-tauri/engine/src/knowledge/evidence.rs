//! One piece of evidence, and what the end of an attempt proves. Pure.

use docket_wire::Export as Job;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ByHand, SubmitEnd};
use crate::attempt::{AttemptKind, AttemptResult};

/// One thing that was proved, with where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Evidence {
    /// A submit ended.
    Submit {
        /// Which; 0 is the one that a restored store counts.
        attempt_no: u32,
        /// How.
        end: SubmitEnd,
    },
    /// The service spoke of our job, in answer to whatever.
    Job {
        /// What it said.
        job: Box<Job>,
    },
    /// The service holds a tombstone for our key.
    Tombstone,
    /// The service may have forgotten our key.
    KeyExpired,
    /// An accepted cancel, after which a 404 means `cancelled`.
    CancelAccepted,
    /// A poll found nothing after our accepted cancel.
    GoneAfterCancel,
    /// A broken answer named a job: worth asking about.
    Hint {
        /// The id that it named.
        business_id: String,
    },
    /// Exactly one job matched our traits over all looks: recorded once.
    Adopted {
        /// The job.
        job: Box<Job>,
    },
    /// The person looked it up by hand.
    ByHand {
        /// What the person found.
        finding: ByHand,
        /// When the person said so, by this computer's clock.
        at: Timestamp,
    },
    /// The service was asked about a job that the person named: it is not there, or not ours.
    Denied {
        /// The id that was named.
        business_id: String,
        /// When it was asked, by this computer's clock.
        at: Timestamp,
    },
}

/// What the end of an attempt proves, as evidence.
pub fn evidence_of(attempt_no: u32, kind: AttemptKind, result: &AttemptResult) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    if kind == AttemptKind::Submit {
        evidence.extend(submit_end(result).map(|end| Evidence::Submit { attempt_no, end }));
    }
    match result {
        AttemptResult::Found { job } => {
            evidence.push(Evidence::Job { job: job.clone() });
            if kind == AttemptKind::Cancel {
                evidence.push(Evidence::CancelAccepted);
            }
        }
        AttemptResult::Abandoned => evidence.push(Evidence::Tombstone),
        AttemptResult::KeyExpired => evidence.push(Evidence::KeyExpired),
        AttemptResult::Lost { hint: Some(id), .. } => {
            evidence.push(Evidence::Hint { business_id: id.clone() });
        }
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { hint: None, .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => {}
    }
    evidence
}

/// How a submit ended; None for results that no submit can have.
fn submit_end(result: &AttemptResult) -> Option<SubmitEnd> {
    match result {
        AttemptResult::NotSent { reason } => Some(SubmitEnd::NotSent { reason: *reason }),
        AttemptResult::Lost { phase, reason, .. } => {
            Some(SubmitEnd::Lost { phase: *phase, reason: *reason })
        }
        AttemptResult::Refused { problem } => Some(SubmitEnd::Refused { problem: problem.clone() }),
        AttemptResult::Deferred { until } => Some(SubmitEnd::Deferred { until: *until }),
        AttemptResult::Found { .. } | AttemptResult::Abandoned | AttemptResult::KeyExpired => {
            Some(SubmitEnd::Answered)
        }
        AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => None,
    }
}
