//! What all attempts so far have proved about one intent. Pure.
//!
//! `Knowledge` is a join: adding evidence in any order, any number of times, gives the same value,
//! and no evidence takes away what other evidence proved. A job once found stays found; a refusal
//! or a transport failure says nothing against it. Absence has two proofs only: every submit was
//! [`SubmitEnd::NotSent`], or the service holds a tombstone.
//!
//! What is *not* here, because it is a matter of time and not of proof: schedules, holds, wishes,
//! the last answer. They are the journal's.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use docket_wire::{Export as Job, JobStatus, Problem};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    attempt::{CallReason, CallResult, DeferUntil, Phase, words},
    export::BusinessId,
    mutants::{self, Mutant},
};

mod evidence;

pub use evidence::{Evidence, evidence_of};

words!(
    /// What became of the business, as far as it is known.
    BusinessOutcome {
        /// Nothing is proved.
        Unknown = "unknown",
        /// Proved: there is no job and never will be.
        NotCreated = "not_created",
        /// The service refused, and nothing else can have made a job.
        Rejected = "rejected",
        /// Accepted, not begun.
        Queued = "queued",
        /// Being worked on.
        Running = "running",
        /// Done; there is, or was, a file.
        Succeeded = "succeeded",
        /// Ended without a file.
        Failed = "failed",
        /// Ended on request.
        Cancelled = "cancelled",
        /// Its file is gone.
        Expired = "expired",
    }
);

/// The attempt number of the submit that a copied store counts for each export whose job it does
/// not know: the store that it was copied from may have made one.
pub const RESTORED_SUBMIT: u32 = 0;

/// What a person found at the service, by hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum ByHand {
    /// There is no such export.
    Absent,
    /// This is the one.
    Job {
        /// The service's id.
        business_id: String,
    },
}

/// What a person found, and when. Of two the later counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Finding {
    /// When the person said so, by this computer's clock.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub finding: ByHand,
}

/// How a submit ended, from the one that proves least against a job to the one that proves one.
/// The order is the join's: of two ends for one attempt the later variant stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum SubmitEnd {
    /// Nothing left this computer.
    NotSent {
        /// Why.
        reason: CallReason,
    },
    /// Nothing was created, for now.
    Deferred {
        /// Until when.
        until: DeferUntil,
    },
    /// This handling created nothing.
    Refused {
        /// Why.
        problem: Box<Problem>,
    },
    /// It may have arrived.
    Lost {
        /// Where it was lost.
        phase: Phase,
        /// Why.
        reason: CallReason,
    },
    /// The service answered about the key itself: found, abandoned or expired.
    Answered,
}

impl SubmitEnd {
    fn rank(&self) -> u8 {
        match self {
            Self::NotSent { .. } => 0,
            Self::Deferred { .. } => 1,
            Self::Refused { .. } => 2,
            Self::Lost { .. } => 3,
            Self::Answered => 4,
        }
    }

    /// What happened to the call.
    pub fn call_result(&self) -> CallResult {
        match self {
            Self::NotSent { .. } => CallResult::NotSent,
            Self::Lost { .. } => CallResult::Lost,
            Self::Deferred { .. } | Self::Refused { .. } | Self::Answered => CallResult::Answered,
        }
    }

    /// Whether a byte of it may have left this computer.
    pub fn crossed(&self) -> bool {
        !matches!(self, Self::NotSent { .. })
    }

    fn stronger(self, other: Self) -> Self {
        let order = self.rank().cmp(&other.rank()).then_with(|| by_bytes(&self, &other));
        if order == Ordering::Less { other } else { self }
    }
}

/// The best statement about one job, and whether an equally good one contradicts it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JobStatement {
    /// What the service said.
    pub job: Job,
    /// It also said something else of the same epoch, settledness and revision.
    pub contradicted: bool,
}

impl JobStatement {
    /// (epoch, settled, revision), compared in this order.
    fn order(&self) -> (u64, bool, u64) {
        (self.job.service_epoch, self.job.status.is_settled(), self.job.revision)
    }

    fn better(self, other: Self) -> Self {
        match self.order().cmp(&other.order()) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal => {
                let contradicted = self.contradicted || other.contradicted || self.job != other.job;
                let word = outcome_of(&self.job.status).cmp(&outcome_of(&other.job.status));
                let order = word.then_with(|| by_bytes(&self.job, &other.job));
                let job = if order == Ordering::Less { other.job } else { self.job };
                Self { job, contradicted }
            }
        }
    }
}

/// Any total order serves where two values differ and neither is better: the join needs one winner.
fn by_bytes<T: Serialize>(left: &T, right: &T) -> Ordering {
    let bytes = |value: &T| serde_json::to_vec(value).unwrap_or_default();
    bytes(left).cmp(&bytes(right))
}

/// All that is proved. Empty at first; grows by [`Knowledge::add`] alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Knowledge {
    /// Statements about our job by the service's id. Two are a breach by the service.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub jobs: BTreeMap<String, JobStatement>,
    /// Ended submits by attempt number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub submits: BTreeMap<u32, SubmitEnd>,
    /// The service holds a tombstone.
    #[serde(default)]
    pub tombstone: bool,
    /// The service may have forgotten the key.
    #[serde(default)]
    pub key_expired: bool,
    /// A cancel of ours was accepted.
    #[serde(default)]
    pub cancel_accepted: bool,
    /// After which the job was gone.
    #[serde(default)]
    pub gone_after_cancel: bool,
    /// Job ids that broken answers named.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub hints: BTreeSet<String>,
    /// What the person found by hand.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub by_hand: BTreeSet<ByHand>,
    /// The newest of these: of several findings it counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_by_hand: Option<Finding>,
    /// Jobs that the person named and the service said were none of ours, with the time of the
    /// asking.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub denied: BTreeMap<String, Timestamp>,
}

impl Knowledge {
    /// Adds one piece of evidence. Commutative, associative and idempotent over all evidence.
    pub fn add(&mut self, evidence: Evidence) {
        match evidence {
            Evidence::Submit { attempt_no, end } => {
                let joined = match self.submits.remove(&attempt_no) {
                    Some(known) => known.stronger(end),
                    None => end,
                };
                self.submits.insert(attempt_no, joined);
            }
            Evidence::Job { job } | Evidence::Adopted { job } => {
                self.add_job(JobStatement { job: *job, contradicted: false });
            }
            Evidence::Tombstone => self.tombstone = true,
            Evidence::KeyExpired => self.key_expired = true,
            Evidence::CancelAccepted => self.cancel_accepted = true,
            Evidence::GoneAfterCancel => self.gone_after_cancel = true,
            Evidence::Hint { business_id } => {
                self.hints.insert(business_id);
            }
            Evidence::ByHand { finding, at } => {
                self.by_hand.insert(finding.clone());
                let last = self.last_by_hand.take();
                self.last_by_hand = last.max(Some(Finding { at, finding }));
            }
            Evidence::Denied { business_id, at } => self.deny(business_id, at),
        }
    }

    /// The join of two bodies of knowledge.
    pub fn join(mut self, other: Self) -> Self {
        for (attempt_no, end) in other.submits {
            self.add(Evidence::Submit { attempt_no, end });
        }
        for statement in other.jobs.into_values() {
            self.add_job(statement);
        }
        self.tombstone |= other.tombstone;
        self.key_expired |= other.key_expired;
        self.cancel_accepted |= other.cancel_accepted;
        self.gone_after_cancel |= other.gone_after_cancel;
        self.hints.extend(other.hints);
        self.by_hand.extend(other.by_hand);
        self.last_by_hand = self.last_by_hand.take().max(other.last_by_hand);
        for (business_id, at) in other.denied {
            self.deny(business_id, at);
        }
        self
    }

    fn deny(&mut self, business_id: String, at: Timestamp) {
        let denied = self.denied.entry(business_id).or_insert(at);
        *denied = at.max(*denied);
    }

    fn add_job(&mut self, mut statement: JobStatement) {
        // Where the file lies is no statement about the job: a signed address is another with each
        // answer. The journal keeps the one that was heard last.
        if let Some(file) = &mut statement.job.file {
            file.href.clear();
        }
        let joined = match self.jobs.remove(&statement.job.business_id) {
            Some(_) if mutants::is(Mutant::OldAnswerOverwrites) => statement,
            Some(known) => known.better(statement),
            None => statement,
        };
        self.jobs.insert(joined.job.business_id.clone(), joined);
    }

    /// Two jobs, or a job and a tombstone, for one key: the service broke its word, and the person
    /// has not said which job is meant.
    pub fn is_breached(&self) -> bool {
        let contradicted = self.jobs.len() > 1 || (self.tombstone && !self.jobs.is_empty());
        contradicted && self.named_by_hand().is_none()
    }

    /// The statement about our one job. None under a breach: then no statement is ours for sure.
    pub fn statement(&self) -> Option<&JobStatement> {
        if self.is_breached() {
            return None;
        }
        self.named_by_hand().or_else(|| self.jobs.values().next())
    }

    fn named_by_hand(&self) -> Option<&JobStatement> {
        self.newest_first().find_map(|finding| match finding {
            ByHand::Job { business_id } => self.jobs.get(business_id),
            ByHand::Absent => None,
        })
    }

    fn newest_first(&self) -> impl Iterator<Item = &ByHand> {
        let last = self.last_by_hand.as_ref().map(|last| &last.finding);
        let before = self.by_hand.iter().rev().filter(move |before| Some(*before) != last);
        last.into_iter().chain(before)
    }

    /// Our one job.
    pub fn job(&self) -> Option<&Job> {
        self.statement().map(|statement| &statement.job)
    }

    /// The id to ask about: of the job, of the one the person named, or of one a broken answer named.
    pub fn business_id(&self) -> Option<BusinessId> {
        let known = self.job().map(|job| &job.business_id);
        known.or_else(|| self.named().next()).map(BusinessId::from_text)
    }

    /// The ids that somebody gave for the job, the person's first. Any of them may be wrong; one that
    /// the service denied is left out, unless the person named it once more since.
    pub fn named(&self) -> impl Iterator<Item = &String> {
        let by_hand = self.newest_first().filter_map(|finding| match finding {
            ByHand::Job { business_id } => Some(business_id),
            ByHand::Absent => None,
        });
        by_hand.filter(|id| !self.is_denied(id)).chain(&self.hints)
    }

    fn is_denied(&self, business_id: &str) -> bool {
        let named_at = self.last_by_hand.as_ref().and_then(|last| match &last.finding {
            ByHand::Job { business_id: named } if named == business_id => Some(last.at),
            ByHand::Job { .. } | ByHand::Absent => None,
        });
        self.denied.get(business_id).is_some_and(|denied| Some(*denied) >= named_at)
    }

    /// Whether the person said last that the service has no such export, and nothing says otherwise.
    pub fn is_absent_by_hand(&self) -> bool {
        self.jobs.is_empty() && self.newest_first().next() == Some(&ByHand::Absent)
    }

    /// The refusal of the latest refused submit.
    pub fn refusal(&self) -> Option<&Problem> {
        self.submits.values().rev().find_map(|end| match end {
            SubmitEnd::Refused { problem } => Some(&**problem),
            SubmitEnd::NotSent { .. }
            | SubmitEnd::Deferred { .. }
            | SubmitEnd::Lost { .. }
            | SubmitEnd::Answered => None,
        })
    }

    /// Whether a byte of any submit may have left this computer.
    pub fn any_crossed(&self) -> bool {
        self.submits.values().any(SubmitEnd::crossed)
    }

    /// Whether any submit is lost.
    pub fn any_lost(&self) -> bool {
        self.submits.values().any(|end| matches!(end, SubmitEnd::Lost { .. }))
    }

    /// Whether the store was copied since: what it does not know may have been sent.
    pub fn was_copied(&self) -> bool {
        self.submits.contains_key(&RESTORED_SUBMIT)
    }

    /// The end of the latest submit that ended.
    pub fn last_submit(&self) -> Option<&SubmitEnd> {
        self.submits.values().next_back()
    }
}

/// The business outcome that a job's status tells. A word nobody knows tells nothing.
pub fn outcome_of(status: &JobStatus) -> BusinessOutcome {
    match status {
        JobStatus::Queued => BusinessOutcome::Queued,
        JobStatus::Running => BusinessOutcome::Running,
        JobStatus::Succeeded => BusinessOutcome::Succeeded,
        JobStatus::Failed => BusinessOutcome::Failed,
        JobStatus::Cancelled => BusinessOutcome::Cancelled,
        JobStatus::Expired => BusinessOutcome::Expired,
        JobStatus::Unknown(_) if mutants::is(Mutant::UnknownIsRunning) => BusinessOutcome::Running,
        JobStatus::Unknown(_) => BusinessOutcome::Unknown,
    }
}

#[cfg(test)]
mod tests;
