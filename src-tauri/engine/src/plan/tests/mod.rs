//! The plan told as stories: one export, a clock, answers by hand. Each story is a row of
//! lifecycle.md.

use std::{collections::BTreeMap, time::Duration};

use docket_wire::{
    Capabilities, Export as Job, ExportFile, JobStatus, PayloadHash, Problem, ProblemType, Progress,
};
use jiff::Timestamp;

use super::*;
use crate::{
    attempt::{AttemptResult, CallReason, CallResult, DeferUntil, FetchEnd, Phase, Verified},
    capabilities::{ServiceFacts, Suspicion},
    delivery::Delivery,
    export::{Account, ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    journal::{Journal, Turn},
    knowledge::{ByHand, Knowledge, evidence_of},
    stage::{NotCreatedWhy, Stage, not_created_why, stage},
};

mod access;
mod cancelling;
mod confirming;
mod fetching;
mod following;
mod guards;
mod held;
mod progress;
mod sending;
mod unreached;
mod windows;

/// Everything that a service can do, with a short lag.
pub(super) fn full() -> Capabilities {
    Capabilities {
        idempotent_submit: true,
        lookup_by_key: true,
        lookup_by_traits: true,
        abandon: true,
        cancel: true,
        key_retention_s: 24 * 3600,
        visibility_lag_s: 3,
        max_wait_s: 0,
        poll_interval_s: 2,
        file_retention_s: 7 * 24 * 3600,
        resumable_files: true,
    }
}

pub(super) fn less(change: impl FnOnce(&mut Capabilities)) -> Capabilities {
    let mut capabilities = full();
    change(&mut capabilities);
    capabilities
}

pub(super) const KEY: &str = "01a226c1-4984-7b1d-9e0f-5c2d84a7f3b6";

pub(super) struct Story {
    pub record: Record,
    pub now: Timestamp,
    pub policy: Policy,
    /// Every call that was made, in order.
    pub calls: Vec<AttemptKind>,
}

impl Story {
    /// A click at a service that can do this, described a moment ago.
    pub fn at(capabilities: Capabilities) -> Self {
        let mut story = Self::offline();
        let facts = facts(capabilities, story.now);
        story.record.journal.first_sent = Some(facts.service_time(story.now));
        story.record.facts = Some(facts);
        story.replan();
        story
    }

    /// A click while nothing is known of the service.
    pub fn offline() -> Self {
        let now: Timestamp = "2026-11-29T10:02:11Z".parse().unwrap();
        let payload =
            Payload::new("orders", serde_json::json!({"region": ["north"]}), "csv").unwrap();
        let record = Record {
            export: Export {
                id: ExportId::from_text("export"),
                request_key: RequestKey::from_text(KEY),
                click_id: ClickId::from_text("click"),
                account: Account {
                    service: ServiceId::from_text("meridian"),
                    address: "https://meridian.example".to_owned(),
                    tenant_id: "acme".to_owned(),
                    subject: Some("ann".to_owned()),
                },
                body: payload.canonical().to_vec(),
                payload,
                created_at: now,
                supersedes: None,
                trace_id: "0af7651916cd43dd8448eb211c80319c".to_owned(),
                folder: None,
            },
            title: BTreeMap::new(),
            knowledge: Knowledge::default(),
            journal: Journal::new(now, None),
            delivery: Delivery::default(),
            facts: None,
            stage: Stage::Sending,
            next_action_at: Some(now),
            version: 1,
            updated_at: now,
        };
        let mut story = Self { record, now, policy: Policy::default(), calls: Vec::new() };
        story.replan();
        story
    }

    pub fn moment(&self) -> Moment<'_> {
        // The longest gap, so that times in stories are round.
        Moment { policy: &self.policy, now: self.now, chance: 1.0 }
    }

    pub fn replan(&mut self) -> Action {
        let policy = self.policy.clone();
        let moment = Moment { policy: &policy, now: self.now, chance: 1.0 };
        replan(&mut self.record, moment)
    }

    pub fn next(&self) -> Action {
        next_action(&self.record, self.moment())
    }

    pub fn stage(&self) -> Stage {
        let Record { knowledge, journal, delivery, facts, .. } = &self.record;
        stage(knowledge, journal, delivery, facts.as_ref(), self.now)
    }

    pub fn wait(&mut self, time: Duration) {
        self.now = later(self.now, time);
    }

    /// Waits for the next planned call and says which it is; None where nothing is planned.
    pub fn due(&mut self) -> Option<AttemptKind> {
        for _ in 0..4 {
            let action = self.next();
            if let Action::WaitUntil(at, _) = action {
                self.now = at;
            } else if let Some(kind) = action.call() {
                return Some(kind);
            } else {
                self.replan();
                self.record.next_action_at?;
            }
        }
        None
    }

    /// The next planned call, which there must be.
    pub fn until_due(&mut self) -> AttemptKind {
        match self.due() {
            Some(kind) => kind,
            None => panic!("nothing is planned: {:?} at {}", self.next(), self.stage()),
        }
    }

    /// The call begins and, after a while, ends so.
    pub fn ends(&mut self, kind: AttemptKind, result: AttemptResult) {
        self.begins(kind);
        self.wait(Duration::from_millis(100));
        self.ended(kind, result);
    }

    /// The next call is of this kind, and ends so.
    pub fn then(&mut self, kind: AttemptKind, result: AttemptResult) {
        assert_eq!(self.until_due(), kind, "at {}", self.stage());
        self.ends(kind, result);
    }

    pub fn begins(&mut self, kind: AttemptKind) {
        let journal = &mut self.record.journal;
        journal.last_attempt_no += 1;
        if kind.changes_something() {
            journal.in_flight.push(InFlight {
                attempt_no: journal.last_attempt_no,
                kind,
                started_at: self.now,
                crossed_at: None,
            });
        }
        self.calls.push(kind);
        self.replan();
    }

    pub fn crosses(&mut self) {
        let now = self.now;
        self.record.journal.in_flight.last_mut().unwrap().crossed_at = Some(now);
        self.replan();
    }

    pub fn ended(&mut self, kind: AttemptKind, result: AttemptResult) {
        let result = self.said_now(result);
        let journal = &mut self.record.journal;
        let at = journal.in_flight.iter().position(|call| call.kind == kind);
        let (attempt_no, started_at) = match at {
            Some(at) => {
                let call = journal.in_flight.remove(at);
                (call.attempt_no, call.started_at)
            }
            None => (journal.last_attempt_no, self.now),
        };
        for evidence in evidence_of(attempt_no, kind, &result) {
            self.record.knowledge.add(evidence);
        }
        let policy = self.policy.clone();
        let end =
            Ended { kind, result: &result, http_status: None, started_at, ended_at: self.now };
        ended(&mut self.record, end, &policy);
        self.replan();
    }

    /// An answer that names no time is of now, by the service's clock.
    fn said_now(&self, mut result: AttemptResult) -> AttemptResult {
        if let AttemptResult::NotSeen { as_of } | AttemptResult::Listed { as_of, .. } = &mut result
            && *as_of == UNTOLD
        {
            let facts = self.record.facts.as_ref();
            *as_of = facts.map_or(self.now, |facts| facts.service_time(self.now));
        }
        result
    }

    /// A submit that crossed the boundary and had no answer.
    pub fn lost_submit(capabilities: Capabilities) -> Self {
        let mut story = Self::at(capabilities);
        story.then(AttemptKind::Submit, lost());
        assert_eq!(
            story.stage(),
            if story.is_closed() { Stage::Unresolved } else { Stage::Confirming }
        );
        story
    }

    pub fn is_closed(&self) -> bool {
        self.record.journal.schedule.closed.is_some()
    }

    /// Calls of this kind so far.
    pub fn count(&self, kind: AttemptKind) -> usize {
        self.calls.iter().filter(|call| **call == kind).count()
    }

    /// Answers every call alike until the window closes or nothing is planned. Bounded.
    pub fn always(&mut self, answer: impl Fn(AttemptKind) -> AttemptResult) {
        for _ in 0..1000 {
            self.replan();
            if self.is_closed() || self.record.next_action_at.is_none() || self.stage().is_settled()
            {
                return;
            }
            match self.due() {
                Some(kind) if !self.is_closed() => self.ends(kind, answer(kind)),
                Some(_) | None => return,
            }
        }
        panic!("asked for ever");
    }
}

pub(super) fn facts(capabilities: Capabilities, now: Timestamp) -> ServiceFacts {
    ServiceFacts {
        name: "Meridian".to_owned(),
        capabilities,
        remembers_since: later(now, Duration::ZERO)
            .saturating_sub(jiff::SignedDuration::from_hours(24))
            .unwrap(),
        service_epoch: 1,
        clock_ahead_ms: 0,
        described_at: now,
        suspected: Suspicion::None,
    }
}

pub(super) fn not_sent() -> AttemptResult {
    AttemptResult::NotSent { reason: CallReason::ConnectionRefused }
}

pub(super) fn lost() -> AttemptResult {
    AttemptResult::Lost { phase: Phase::Await, reason: CallReason::ClosedWithoutAnswer, hint: None }
}

/// The time of an answer that names none.
pub(super) const UNTOLD: Timestamp = Timestamp::UNIX_EPOCH;

pub(super) fn not_seen() -> AttemptResult {
    AttemptResult::NotSeen { as_of: UNTOLD }
}

pub(super) fn refused(problem_type: ProblemType) -> AttemptResult {
    AttemptResult::Refused { problem: Box::new(Problem::new(problem_type)) }
}

pub(super) fn signed_out() -> AttemptResult {
    AttemptResult::Deferred { until: DeferUntil::SignIn }
}

pub(super) fn job(status: JobStatus, revision: u64) -> Job {
    Job {
        business_id: "exp_1".to_owned(),
        tenant_id: "acme".to_owned(),
        operation: "orders".to_owned(),
        request_key: Some(KEY.to_owned()),
        payload_hash: PayloadHash::of(b"payload"),
        requested_by: "ann".to_owned(),
        file: (status == JobStatus::Succeeded).then(|| ExportFile {
            name: "orders.csv".to_owned(),
            size: 10,
            media_type: "text/csv".to_owned(),
            digest: None,
            href: "/file".to_owned(),
        }),
        status,
        progress: None,
        service_epoch: 1,
        revision,
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
        expires_at: None,
        problem: None,
        warnings: Vec::new(),
    }
}

pub(super) fn found(status: JobStatus) -> AttemptResult {
    AttemptResult::Found { job: Box::new(job(status, 1)) }
}

pub(super) fn found_at(status: JobStatus, revision: u64) -> AttemptResult {
    AttemptResult::Found { job: Box::new(job(status, revision)) }
}

/// It runs and has got so far.
pub(super) fn moved(revision: u64) -> AttemptResult {
    let progress =
        Progress { done: revision, total: None, unit: "rows".to_owned(), step: None, ahead: None };
    let job = Job { progress: Some(progress), ..job(JobStatus::Running, revision) };
    AttemptResult::Found { job: Box::new(job) }
}

pub(super) fn why_not_created(story: &Story) -> Option<NotCreatedWhy> {
    not_created_why(&story.record.knowledge, &story.record.journal, story.record.facts.as_ref())
}
