//! A service in memory, behind the trait: for tests of everything above the wire.
//!
//! It keeps the protocol's promises (one job for one key, tombstones, 404 for what is not yours), and
//! does them with no socket and no thread, so a test is a story and not a race. What shall go wrong is
//! told beforehand, call by call ([`Turn`]); what was called is written down ([`SeenCall`]).

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use docket_wire::{Capabilities, Export as Job, JobStatus, OperationList};
use jiff::{SignedDuration, Timestamp};

use super::{
    Call, Connector, EncodeError, Expected, FileAnswer, FileRefusal, OpenFile, Submit, Target,
};
use crate::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, DeferUntil, Phase},
    capabilities::{ServiceFacts, Suspicion},
    clock::Clock,
    export::{BusinessId, Payload},
};

mod memory;

pub use self::memory::{MEMORY_FILE, MEMORY_OPERATION};
use self::memory::{Memory, Who};

/// What happens to one call instead of its plain answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Nothing leaves.
    NotSent(CallReason),
    /// It leaves and never arrives.
    LoseRequest(CallReason),
    /// It arrives, the service does what it asks, and the answer is lost.
    LoseAnswer(CallReason),
    /// It is answered so, and the service does nothing.
    Answer(AttemptResult),
}

/// One call as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenCall {
    /// What for.
    pub kind: AttemptKind,
    /// Its number within its export.
    pub attempt_no: u32,
    /// The key that it was about.
    pub request_key: Option<String>,
    /// The bytes that a submit sent.
    pub body: Option<Vec<u8>>,
    /// The time of the key that it carried.
    pub first_sent: Option<Timestamp>,
}

/// See the head of this file.
pub struct ScriptedConnector {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    memory: Memory,
    script: BTreeMap<AttemptKind, VecDeque<Turn>>,
    seen: Vec<SeenCall>,
    capabilities: Capabilities,
}

impl ScriptedConnector {
    /// A service that knows nobody yet and can do everything.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let capabilities = Capabilities {
            idempotent_submit: true,
            lookup_by_key: true,
            lookup_by_traits: true,
            abandon: true,
            cancel: true,
            key_retention_s: 24 * 60 * 60,
            visibility_lag_s: 0,
            max_wait_s: 30,
            poll_interval_s: 2,
            file_retention_s: 7 * 24 * 60 * 60,
            resumable_files: true,
        };
        let state = State {
            memory: Memory::default(),
            script: BTreeMap::new(),
            seen: Vec::new(),
            capabilities,
        };
        Self { clock, state: Mutex::new(state) }
    }

    /// From now on this credential is this subject's, in this tenant.
    pub fn let_in(&self, credential: &str, tenant_id: &str, subject: &str) {
        let who = Who { tenant_id: tenant_id.to_owned(), subject: subject.to_owned() };
        self.state().memory.accounts.insert(credential.to_owned(), who);
    }

    /// From now on nobody is let in with this credential.
    pub fn shut_out(&self, credential: &str) {
        self.state().memory.accounts.remove(credential);
    }

    /// Changes what the service says that it can do.
    pub fn change_capabilities(&self, change: impl FnOnce(&mut Capabilities)) {
        change(&mut self.state().capabilities);
    }

    /// What happens to the next calls of this kind that have no turn yet.
    pub fn script(&self, kind: AttemptKind, turns: impl IntoIterator<Item = Turn>) {
        self.state().script.entry(kind).or_default().extend(turns);
    }

    /// Every call so far, in order.
    pub fn seen(&self) -> Vec<SeenCall> {
        self.state().seen.clone()
    }

    /// Every job that the service holds, by id.
    pub fn jobs(&self) -> Vec<Job> {
        self.state().memory.jobs.values().cloned().collect()
    }

    /// Changes the status of a job, as its work would.
    pub fn set_status(&self, id: &BusinessId, status: JobStatus) {
        let now = self.clock.now();
        self.state().memory.set(id, status, now);
    }

    /// One call: written down, then what the script says of it, else what the service does.
    fn turn(
        &self,
        call: &Call,
        seen: SeenCall,
        act: impl FnOnce(&mut State, Timestamp) -> AttemptResult,
    ) -> AttemptEnd {
        let now = self.clock.now();
        let mut state = self.state();
        let turn = state.script.get_mut(&seen.kind).and_then(VecDeque::pop_front);
        state.seen.push(seen);
        if let Some(Turn::NotSent(reason)) = turn {
            return call.not_sent(reason);
        }
        call.progress.enter(Phase::Connect);
        if call.progress.cross().is_err() {
            return call.not_sent(CallReason::ClosedBeforeSend);
        }
        call.progress.enter(Phase::Await);
        let result = match turn {
            Some(Turn::LoseRequest(reason) | Turn::NotSent(reason)) => return lost(call, reason),
            Some(Turn::LoseAnswer(reason)) => {
                drop(act(&mut state, now));
                return lost(call, reason);
            }
            Some(Turn::Answer(result)) => result,
            None => act(&mut state, now),
        };
        call.progress.enter(Phase::Receive);
        call.progress.enter(Phase::Decode);
        AttemptEnd { service_time: Some(now), ..call.ended(result) }
    }

    /// The same for a call that only somebody with a credential may make, about an export.
    fn turn_of_caller(
        &self,
        call: &Call,
        seen: SeenCall,
        act: impl FnOnce(&mut Memory, &Who, &Expected, Timestamp) -> AttemptResult,
    ) -> AttemptEnd {
        let (Some(credential), Some(expected)) = (&call.credential, &call.expected) else {
            let nobody = call.credential.is_none();
            let reason = if nobody { CallReason::NoCredential } else { CallReason::RequestInvalid };
            return call.not_sent(reason);
        };
        self.turn(call, seen, |state, now| match state.memory.accounts.get(credential.expose()) {
            Some(who) if who.tenant_id == call.account.tenant_id => {
                let who = who.clone();
                act(&mut state.memory, &who, expected, now)
            }
            Some(_) => AttemptResult::NotSeen { as_of: now },
            None => AttemptResult::Deferred { until: DeferUntil::SignIn },
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Connector for ScriptedConnector {
    fn encode(&self, payload: &Payload) -> Result<Vec<u8>, EncodeError> {
        Ok(payload.canonical().to_vec())
    }

    async fn describe(&self, call: &Call) -> AttemptEnd {
        self.turn(call, SeenCall::of(call, AttemptKind::Describe), |state, now| {
            let day = SignedDuration::from_hours(24);
            let facts = ServiceFacts {
                name: "Memory".to_owned(),
                capabilities: state.capabilities.clone(),
                remembers_since: now.saturating_sub(day).unwrap_or(now),
                service_epoch: 1,
                clock_ahead_ms: 0,
                described_at: now,
                suspected: Suspicion::None,
            };
            AttemptResult::Described { facts: Box::new(facts) }
        })
    }

    async fn catalogue(&self, call: &Call) -> Result<OperationList, Box<AttemptEnd>> {
        let Some(credential) = &call.credential else {
            return Err(Box::new(call.not_sent(CallReason::NoCredential)));
        };
        match self.state().memory.accounts.get(credential.expose()) {
            Some(who) => Ok(Memory::catalogue(who)),
            None => {
                let until = DeferUntil::SignIn;
                Err(Box::new(call.ended(AttemptResult::Deferred { until })))
            }
        }
    }

    async fn submit(&self, call: &Call, submit: &Submit) -> AttemptEnd {
        let seen = SeenCall {
            body: Some(submit.body.clone()),
            first_sent: Some(submit.first_sent),
            ..SeenCall::of(call, AttemptKind::Submit)
        };
        self.turn_of_caller(call, seen, Memory::submit)
    }

    async fn lookup(&self, call: &Call, target: &Target) -> AttemptEnd {
        let first_sent = match target {
            Target::Key { first_sent } => Some(*first_sent),
            Target::Job(_) | Target::Traits { .. } => None,
        };
        let seen = SeenCall { first_sent, ..SeenCall::of(call, AttemptKind::Lookup) };
        self.turn_of_caller(call, seen, |memory, who, asked, now| match target {
            Target::Job(id) => memory.look_by_id(who, asked, id, now),
            Target::Key { .. } => memory.look_by_key(who, asked, now),
            Target::Traits { created_after, created_before } => {
                memory.look_by_traits(who, asked, (*created_after, *created_before), now)
            }
        })
    }

    async fn poll(&self, call: &Call, job: &BusinessId, _wait: Option<Duration>) -> AttemptEnd {
        let seen = SeenCall::of(call, AttemptKind::Poll);
        self.turn_of_caller(call, seen, |memory, who, asked, now| memory.poll(who, asked, job, now))
    }

    async fn abandon(&self, call: &Call, first_sent: Timestamp) -> AttemptEnd {
        let seen =
            SeenCall { first_sent: Some(first_sent), ..SeenCall::of(call, AttemptKind::Abandon) };
        self.turn_of_caller(call, seen, |memory, who, asked, _| memory.abandon(who, asked))
    }

    async fn cancel(&self, call: &Call, job: &BusinessId) -> AttemptEnd {
        let seen = SeenCall::of(call, AttemptKind::Cancel);
        self.turn_of_caller(call, seen, |memory, who, asked, now| {
            memory.cancel(who, asked, job, now)
        })
    }

    async fn open_file(&self, call: &Call, open: &OpenFile) -> FileAnswer {
        let seen = SeenCall::of(call, AttemptKind::Download);
        let mut opened = Err(FileRefusal::Call { reason: CallReason::ServiceError });
        let end = self.turn_of_caller(call, seen, |memory, who, asked, now| {
            opened = memory.file(who, open);
            memory.look_by_id(who, asked, &open.job, now)
        });
        let opened = match end.result {
            AttemptResult::NotSent { reason } | AttemptResult::Lost { reason, .. } => {
                Err(FileRefusal::Call { reason })
            }
            AttemptResult::Deferred { until: DeferUntil::SignIn } => Err(FileRefusal::SignIn),
            AttemptResult::Found { .. }
            | AttemptResult::Listed { .. }
            | AttemptResult::NotSeen { .. }
            | AttemptResult::Abandoned
            | AttemptResult::KeyExpired
            | AttemptResult::Refused { .. }
            | AttemptResult::Deferred { until: DeferUntil::Time(_) }
            | AttemptResult::Described { .. }
            | AttemptResult::NotCancellable
            | AttemptResult::Fetched { .. } => opened,
        };
        FileAnswer { opened, http_status: None, service_time: end.service_time, phases: end.phases }
    }
}

impl SeenCall {
    fn of(call: &Call, kind: AttemptKind) -> Self {
        Self {
            kind,
            attempt_no: call.attempt_no,
            request_key: call.expected.as_ref().map(|asked| asked.request_key.to_string()),
            body: None,
            first_sent: None,
        }
    }
}

fn lost(call: &Call, reason: CallReason) -> AttemptEnd {
    call.ended(AttemptResult::Lost { phase: Phase::Await, reason, hint: None })
}

#[cfg(test)]
mod tests;
