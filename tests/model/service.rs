//! The service: what protocol.md says that it guarantees, and what it may do all the same.
//!
//! Jobs and request records are written together, so a crash between a request and its answer is a
//! request that is served and an answer that is lost. Records are swept late, a restore forgets, a
//! job shows late to looks, access is withdrawn. A row of the table of lifecycle.md takes away what
//! a service can do; a broken service breaks its own rule, to be caught.

use std::collections::{BTreeMap, BTreeSet};

use docket_engine::{
    attempt::{AttemptResult, CallReason, DeferUntil, Phase},
    capabilities::{ServiceFacts, Suspicion},
};
use docket_wire::{Export as Job, JobStatus, PayloadHash, Problem, ProblemType};

use crate::{
    network::{Ask, Letter},
    rows::{BrokenService, Config},
    world::{ANN, RETENTION, World, at, second_of},
};

/// What the protocol allows clocks to differ, and adds to what is remembered.
const FIVE_MINUTES: i64 = 300;

/// How the service takes a request beside what its state says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mood {
    Serves,
    /// 503, `accepted: false`, to a key that it does not know.
    Busy,
    /// 409 `in-progress`.
    InProgress,
    /// 422 to a key that it does not know.
    Invalid,
    /// 401, whatever is asked.
    SignedOut,
}

/// What the caller may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    #[default]
    Full,
    /// The operation was withdrawn: 403 to a submit, a replay too.
    NoOperation,
    /// No longer of the tenant: looks are filtered, the rest is 403.
    Nothing,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobRow {
    pub key: String,
    pub requested_by: &'static str,
    pub status: JobStatus,
    pub revision: u64,
    pub created_at: i64,
    pub settled_at: Option<i64>,
    pub cancel_asked: bool,
}

/// What is recorded of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyRow {
    /// The job's id; none is a tombstone.
    pub job: Option<u8>,
    pub owner: &'static str,
    pub first_sent: i64,
    /// When a tombstone was put.
    pub put_at: i64,
}

/// The database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows {
    pub jobs: BTreeMap<u8, JobRow>,
    pub keys: BTreeMap<String, KeyRow>,
}

/// See the head of this file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Service {
    pub rows: Rows,
    pub backup: Rows,
    pub epoch: u64,
    pub restored_at: Option<i64>,
    pub access: Access,
    /// Of what was ever made: the key of each job by its id. A restore forgets the job, not this.
    pub made: Vec<String>,
    /// What each job ever was.
    pub was: BTreeSet<(u8, JobStatus)>,
}

impl Service {
    /// A key first sent before this may have been forgotten.
    pub fn remembers_since(&self, now: i64) -> i64 {
        let restored = self.restored_at.map_or(i64::MIN, |at| at + FIVE_MINUTES);
        restored.max(now - RETENTION)
    }

    fn is_settled(&self, id: u8) -> Option<i64> {
        self.rows.jobs.get(&id).and_then(|job| job.settled_at)
    }

    /// The keys that the sweep may forget now.
    pub fn forgettable(&self, now: i64) -> Vec<String> {
        let long_ago = now - RETENTION - FIVE_MINUTES;
        let settled = |row: &KeyRow| match row.job {
            Some(id) => self.is_settled(id),
            None => Some(row.put_at),
        };
        self.rows
            .keys
            .iter()
            .filter(|(_, row)| {
                settled(row).is_some_and(|at| at < long_ago) && row.first_sent < long_ago
            })
            .map(|(key, _)| key.clone())
            .collect()
    }

    /// Forgets what the sweep may.
    pub fn sweep(&mut self, now: i64) {
        for key in self.forgettable(now) {
            self.rows.keys.remove(&key);
        }
    }

    pub fn restore(&mut self, now: i64) {
        self.rows = self.backup.clone();
        self.epoch += 1;
        self.restored_at = Some(now);
    }

    /// A job goes on.
    pub fn moves(&mut self, id: u8, status: JobStatus, now: i64) {
        let Some(job) = self.rows.jobs.get_mut(&id) else { return };
        job.revision += 1;
        job.settled_at = status.is_settled().then_some(now);
        job.status = status.clone();
        self.was.insert((id, status));
    }

    fn make(&mut self, key: &str, caller: &'static str, now: i64) -> u8 {
        let id = u8::try_from(self.made.len()).expect("a story has few jobs");
        self.made.push(key.to_owned());
        self.was.insert((id, JobStatus::Queued));
        let row = JobRow {
            key: key.to_owned(),
            requested_by: caller,
            status: JobStatus::Queued,
            revision: 1,
            created_at: now,
            settled_at: None,
            cancel_asked: false,
        };
        self.rows.jobs.insert(id, row);
        id
    }
}

/// The service's id of a job, as it travels.
pub fn name_of(id: u8) -> String {
    format!("job-{id}")
}

fn id_of(name: &str) -> Option<u8> {
    name.strip_prefix("job-")?.parse().ok()
}

fn refused(problem_type: ProblemType) -> AttemptResult {
    AttemptResult::Refused { problem: Box::new(Problem::new(problem_type)) }
}

/// Answers one request, and changes the service by it.
pub fn serve(world: &mut World, config: &Config, letter: &Letter, mood: Mood) -> AttemptResult {
    if letter.ask == Ask::Describe {
        return AttemptResult::Described { facts: Box::new(facts(world, config)) };
    }
    if mood == Mood::SignedOut {
        return AttemptResult::Deferred { until: DeferUntil::SignIn };
    }
    let mut at_work = AtWork { world, config, letter, mood };
    match &letter.ask {
        Ask::Describe | Ask::Submit => at_work.submit(),
        Ask::Abandon => at_work.abandon(),
        Ask::Cancel(id) => at_work.cancel(id),
        Ask::ByKey => at_work.by_key(),
        Ask::ByJob(id) => at_work.by_job(id),
        Ask::ByTraits(after, before) => at_work.by_traits(second_of(*after)..=second_of(*before)),
    }
}

/// What a describe learns now.
pub fn facts(world: &World, config: &Config) -> ServiceFacts {
    ServiceFacts {
        name: String::new(),
        capabilities: config.capabilities.clone(),
        remembers_since: at(world.service.remembers_since(world.now).max(-RETENTION)),
        service_epoch: world.service.epoch,
        clock_ahead_ms: -world.skew * 1000,
        described_at: world.local(),
        suspected: Suspicion::None,
    }
}

struct AtWork<'a> {
    world: &'a mut World,
    config: &'a Config,
    letter: &'a Letter,
    mood: Mood,
}

impl AtWork<'_> {
    fn key(&self) -> Option<&KeyRow> {
        self.world.service.rows.keys.get(&self.letter.key)
    }

    fn first_sent(&self) -> i64 {
        self.letter.first_sent.map_or(self.world.now, second_of)
    }

    fn may_be_forgotten(&self) -> bool {
        self.config.broken_service != Some(BrokenService::ForgetsSilently)
            && self.first_sent() < self.world.service.remembers_since(self.world.now)
    }

    /// What a call answers that changes something, when it knows no row and is not to make one.
    fn put_off(&self) -> Option<AttemptResult> {
        let ahead = self.first_sent() - self.world.now - FIVE_MINUTES;
        let later = |wait: i64| DeferUntil::Time(at(self.world.now + self.world.skew + wait));
        if ahead > 0 {
            return Some(AttemptResult::Deferred { until: later(ahead) });
        }
        match self.mood {
            Mood::Busy => Some(AttemptResult::Deferred { until: later(60) }),
            Mood::InProgress => Some(AttemptResult::Lost {
                phase: Phase::Decode,
                reason: CallReason::InProgress,
                hint: None,
            }),
            Mood::Serves | Mood::Invalid | Mood::SignedOut => None,
        }
    }

    fn submit(&mut self) -> AttemptResult {
        match self.world.service.access {
            Access::Full => {}
            Access::NoOperation | Access::Nothing => return refused(ProblemType::Forbidden),
        }
        match self.key().cloned() {
            Some(row) if row.owner != self.letter.caller => {
                return refused(ProblemType::KeyConflict);
            }
            Some(KeyRow { job: None, .. }) => return AttemptResult::Abandoned,
            Some(KeyRow { job: Some(id), .. }) if self.config.capabilities.idempotent_submit => {
                return self.found(id);
            }
            Some(_) => {}
            None if self.config.notes_keys() && self.may_be_forgotten() => {
                return AttemptResult::KeyExpired;
            }
            None => {}
        }
        if let Some(put_off) = self.put_off() {
            return put_off;
        }
        if self.mood == Mood::Invalid {
            return refused(ProblemType::InvalidParameters);
        }
        let (key, caller, now) = (self.letter.key.clone(), self.letter.caller, self.world.now);
        let id = self.world.service.make(&key, caller, now);
        let row =
            KeyRow { job: Some(id), owner: caller, first_sent: self.first_sent(), put_at: now };
        self.world.service.rows.keys.entry(key).or_insert(row);
        self.found(id)
    }

    fn abandon(&mut self) -> AttemptResult {
        if self.world.service.access == Access::Nothing {
            return refused(ProblemType::Forbidden);
        }
        match self.key() {
            Some(row) if row.owner != self.letter.caller => {
                return refused(ProblemType::KeyConflict);
            }
            Some(KeyRow { job: Some(id), .. }) => return self.found(*id),
            Some(KeyRow { job: None, .. }) => return AttemptResult::Abandoned,
            None => {}
        }
        let unchecked = self.config.broken_service == Some(BrokenService::AbandonsAtAnyAge);
        if self.may_be_forgotten() && !unchecked {
            return AttemptResult::KeyExpired;
        }
        if let Some(put_off) = self.put_off() {
            return put_off;
        }
        let row = KeyRow {
            job: None,
            owner: self.letter.caller,
            first_sent: self.first_sent(),
            put_at: self.world.now,
        };
        self.world.service.rows.keys.insert(self.letter.key.clone(), row);
        AttemptResult::Abandoned
    }

    fn cancel(&mut self, name: &str) -> AttemptResult {
        let known = id_of(name).filter(|id| self.world.service.rows.jobs.contains_key(id));
        let Some(id) = known.filter(|id| self.may_see(*id)) else { return self.not_seen() };
        if self.world.service.is_settled(id).is_some() {
            return AttemptResult::NotCancellable;
        }
        if let Some(job) = self.world.service.rows.jobs.get_mut(&id) {
            job.cancel_asked = true;
        }
        self.found(id)
    }

    fn by_key(&self) -> AttemptResult {
        match self.key() {
            _ if self.world.service.access == Access::Nothing => self.not_seen(),
            Some(row) if row.owner != self.letter.caller => self.not_seen(),
            Some(KeyRow { job: None, .. }) => AttemptResult::Abandoned,
            Some(KeyRow { job: Some(id), .. }) if self.shows(*id) => self.found(*id),
            Some(_) => self.not_seen(),
            None if self.may_be_forgotten() => AttemptResult::KeyExpired,
            None => self.not_seen(),
        }
    }

    fn by_job(&self, name: &str) -> AttemptResult {
        let known = id_of(name).filter(|id| self.world.service.rows.jobs.contains_key(id));
        match known.filter(|id| self.may_see(*id)) {
            Some(id) => self.found(id),
            None => self.not_seen(),
        }
    }

    fn by_traits(&self, created: std::ops::RangeInclusive<i64>) -> AttemptResult {
        let matching = |(id, job): (&u8, &JobRow)| {
            let fits = self.shows(*id) && self.may_see(*id) && created.contains(&job.created_at);
            fits.then(|| self.resource(*id))
        };
        let jobs: Vec<Job> = self.world.service.rows.jobs.iter().filter_map(matching).collect();
        if jobs.is_empty() {
            return self.not_seen();
        }
        AttemptResult::Listed { jobs, as_of: at(self.world.now) }
    }

    fn may_see(&self, id: u8) -> bool {
        let rows = &self.world.service.rows;
        self.world.service.access != Access::Nothing
            && rows.jobs.get(&id).is_some_and(|job| job.requested_by == self.letter.caller)
    }

    /// Whether a job shows to looks yet.
    fn shows(&self, id: u8) -> bool {
        let lag = i64::from(self.config.capabilities.visibility_lag_s);
        let rows = &self.world.service.rows;
        rows.jobs.get(&id).is_some_and(|job| self.world.now >= job.created_at + lag)
    }

    fn not_seen(&self) -> AttemptResult {
        AttemptResult::NotSeen { as_of: at(self.world.now) }
    }

    fn found(&self, id: u8) -> AttemptResult {
        AttemptResult::Found { job: Box::new(self.resource(id)) }
    }

    fn resource(&self, id: u8) -> Job {
        let job = &self.world.service.rows.jobs[&id];
        let keyed = self.config.capabilities.lookup_by_key;
        Job {
            business_id: name_of(id),
            tenant_id: "acme".to_owned(),
            operation: "orders".to_owned(),
            request_key: keyed.then(|| job.key.clone()),
            payload_hash: PayloadHash::of(b"orders"),
            requested_by: ANN.to_owned(),
            status: job.status.clone(),
            progress: None,
            service_epoch: self.world.service.epoch,
            revision: job.revision,
            created_at: at(job.created_at),
            updated_at: at(job.created_at),
            expires_at: None,
            file: None,
            problem: None,
            warnings: Vec::new(),
        }
    }
}
