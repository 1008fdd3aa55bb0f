//! All that is stored of one export, as one value: what the pure functions are given and what a
//! write verb changes. How a call begins, crosses and ends in it stands here, so that whoever keeps
//! the record, in a store or in a model, does it alike.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{
    attempt::{AttemptKind, AttemptResult, CallReason, Phase},
    capabilities::ServiceFacts,
    delivery::Delivery,
    export::{Export, RequestKey},
    journal::{InFlight, Journal},
    knowledge::{Knowledge, evidence_of},
    mutants::{self, Mutant},
    stage::Stage,
};

/// One export with everything that is known, planned and wished about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What never changes.
    pub export: Export,
    /// The report's title by language, as it was when the intent was recorded.
    pub title: BTreeMap<String, String>,
    /// What is proved.
    pub knowledge: Knowledge,
    /// What is under way, planned and wished.
    pub journal: Journal,
    /// Where the file is.
    pub delivery: Delivery,
    /// What the service can do, by the last describe made for it.
    pub facts: Option<ServiceFacts>,
    /// The stage as of the last write: for lists alone.
    pub stage: Stage,
    /// When there is something to do; None where it waits for a person or is done.
    pub next_action_at: Option<Timestamp>,
    /// Grows by one with every write.
    pub version: u64,
    /// When it was last written.
    pub updated_at: Timestamp,
}

impl Record {
    /// A call that can change something begins; `numbered` is the last number that was given to any
    /// call. None, and nothing changed, where another change is under way, or where it is a submit
    /// although the person wants it cancelled.
    pub fn begin_change(
        &mut self,
        kind: AttemptKind,
        numbered: u32,
        now: Timestamp,
    ) -> Option<InFlight> {
        let journal = &mut self.journal;
        let withdrawn = kind == AttemptKind::Submit && journal.wishes.cancel.is_some();
        if journal.change_under_way().is_some() || withdrawn {
            return None;
        }
        let attempt_no = journal.last_attempt_no.max(numbered).saturating_add(1);
        let call = InFlight { attempt_no, kind, started_at: now, crossed_at: None };
        journal.last_attempt_no = attempt_no;
        journal.in_flight.push(call.clone());
        if mutants::is(Mutant::FirstSentAnew) {
            journal.first_sent = self.facts.as_ref().map(|facts| facts.service_time(now));
        }
        if mutants::is(Mutant::NewKeyOnRetry) && self.knowledge.any_lost() {
            self.export.request_key =
                RequestKey::from_text(format!("{}+", self.export.request_key));
        }
        Some(call)
    }

    /// A byte of a call may have left.
    pub fn cross(&mut self, attempt_no: u32, at: Timestamp) {
        for call in &mut self.journal.in_flight {
            if call.attempt_no == attempt_no {
                call.crossed_at = call.crossed_at.or(Some(at));
            }
        }
    }

    /// A call ended: what it proved joins what is known *now*, whatever was known when it began.
    pub fn take_in(&mut self, attempt_no: u32, kind: AttemptKind, result: &AttemptResult) {
        self.journal.in_flight.retain(|call| call.attempt_no != attempt_no);
        self.journal.last_attempt_no = self.journal.last_attempt_no.max(attempt_no);
        for evidence in evidence_of(attempt_no, kind, result) {
            self.knowledge.add(evidence);
        }
    }
}

/// How a call ended that was under way when the program did. Without the mark of the boundary a byte
/// may have left all the same: the mark is written after it.
pub fn interrupted(crossed_at: Option<Timestamp>) -> AttemptResult {
    if mutants::is(Mutant::InterruptedIsNotSent) {
        return AttemptResult::NotSent { reason: CallReason::Interrupted };
    }
    let phase = if crossed_at.is_some() { Phase::Send } else { Phase::Prepare };
    AttemptResult::Lost { phase, reason: CallReason::Interrupted, hint: None }
}
