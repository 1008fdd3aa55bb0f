//! The world of the model: one state of it, and what a configuration lets happen in it.
//!
//! Time counts in whole seconds of the service's clock; a client's clock may differ. Faults are
//! bounded by a budget that is part of the state, so that the states are finite; nothing else is
//! bounded, so that a run that does not end would be a rule that asks for ever.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{Hash, Hasher},
    sync::{Arc, LazyLock},
    time::Duration,
};

use docket_engine::{
    attempt::AttemptKind,
    delivery::{Delivery, Want},
    export::{Account, ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    journal::Journal,
    knowledge::Knowledge,
    policy::Policy,
    record::Record,
    stage::Stage,
};
use jiff::Timestamp;

use crate::{
    network::{Answer, Letter, Line},
    rows::Config,
    service::Service,
};

/// When the story begins, in seconds since 1970.
const BEGINNING: i64 = 1_795_946_400;

/// A moment of the story.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(BEGINNING + seconds).expect("a story is short")
}

/// The second of the story in which a moment lies.
pub fn second_of(at: Timestamp) -> i64 {
    at.as_second() - BEGINNING
}

/// How long the service remembers a key, in seconds. Beside the five minutes of the protocol it is
/// long enough to matter and short enough to pass in a few steps.
pub const RETENTION: i64 = 3600;

/// The numbers: few tries, long gaps, so that every branch is a few steps away.
pub fn policy() -> &'static Policy {
    static POLICY: LazyLock<Policy> = LazyLock::new(short);
    &POLICY
}

fn short() -> Policy {
    let minutes = |count: u64| Duration::from_secs(count * 60);
    Policy {
        look_gap_first: minutes(5),
        look_gap_max: minutes(5),
        window: minutes(10),
        retention_unknown: minutes(60),
        retry_gap_first: minutes(5),
        retry_gap_max: minutes(10),
        poll_gap_first: minutes(10),
        poll_gap_max: minutes(10),
        no_progress_after: minutes(20),
        slow_gap: minutes(30),
        no_progress_end: minutes(40),
        abandon_tries_max: 2,
        describe_fresh: minutes(60),
        ..Policy::default()
    }
}

/// What may go wrong, or be done by hand, and is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The client gives a call up; its request, or its answer, may still be on the way.
    Lose,
    /// A call ends before a byte of it left.
    NotSent,
    /// A gateway sends a request twice.
    Duplicate,
    /// The client's program dies and begins again.
    Crash,
    /// Nobody can be reached, or nobody answers, for a while.
    Outage,
    /// The client's computer sleeps.
    Sleep,
    /// The client's clock is set.
    SetClock,
    /// The service puts a request off: 503, `accepted: false`.
    Busy,
    /// The service says that it handles this key already: 409.
    InProgress,
    /// The service finds the parameters wrong: 422.
    Invalid,
    /// The service's own 401.
    SignOut,
    /// Access is withdrawn, or given back.
    Access,
    /// The service's database is backed up.
    BackUp,
    /// The service's database is restored from its backup.
    Restore,
    /// The client's store is restored as it was at the click.
    RestoreStore,
    /// The client's store is copied to a second computer.
    CopyStore,
    /// Somebody else signs in.
    Account,
    /// The person wants something.
    Wish,
}

/// How much of each fault is left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Budget(BTreeMap<Fault, u8>);

impl Budget {
    /// So much of each of these.
    pub fn of(faults: &[(Fault, u8)]) -> Self {
        Self(faults.iter().copied().collect())
    }

    /// So many more of each that there are any of.
    pub fn and_more(mut self, more: u8) -> Self {
        self.0.values_mut().for_each(|left| *left += more);
        self
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.0.get(&fault).is_some_and(|left| *left > 0)
    }

    /// Takes one, which must be there. An empty account is none, so that equal budgets are equal.
    pub fn take(&mut self, fault: Fault) {
        let left = self.0.get_mut(&fault).expect("only what is left is taken");
        *left -= 1;
        if *left == 0 {
            self.0.remove(&fault);
        }
    }
}

/// A call that the client awaits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub no: u32,
    pub kind: AttemptKind,
    pub started_at: Timestamp,
}

/// One export as a client keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    pub record: Arc<Record>,
    /// On which computer.
    pub machine: u8,
    /// What is under way.
    pub calls: Vec<Call>,
    /// The last number that was given to a look, in memory.
    pub numbered: u32,
    /// The store as it was at the click.
    pub backup: Option<Arc<Record>>,
    /// What only the model knows.
    pub noted: Noted,
}

/// What was noted about an export, to be held against the promise. No rule sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Noted {
    /// Keys that calls carried.
    pub keys: BTreeSet<String>,
    /// First-Sents that calls carried.
    pub first_sents: BTreeSet<Timestamp>,
    /// Submits that left.
    pub submits_left: u8,
    /// Those of them that may have been accepted, or may be yet: all that a 401 did not answer.
    pub unsettled_submits: u8,
    /// A submit or an abandon left when its key was older than the service remembers.
    pub left_too_old: bool,
    /// A submit left while another one of it was under way.
    pub two_at_once: bool,
    /// Evidence took something away that was proved.
    pub regressed: bool,
    /// The last call that ended had no answer of the service's, or was put off or forbidden.
    pub unheard: bool,
    /// It is a copy that was asked for while the person was told neither that the first one may
    /// exist nor that it does.
    pub copied_blindly: bool,
    /// It is another one that the person asked for knowing that there may be two.
    pub knowingly: bool,
    /// It was asked for as the successor of an export that was refused.
    pub after_refusal: bool,
}

impl Hash for Held {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Record { export, knowledge, journal, delivery, facts, next_action_at, .. } =
            &*self.record;
        export.request_key.hash(state);
        export.account.subject.hash(state);
        (knowledge, journal, delivery, facts, next_action_at).hash(state);
        (self.machine, &self.calls, self.numbered, &self.noted).hash(state);
        self.backup.is_some().hash(state);
    }
}

/// One state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// The service's clock.
    pub now: i64,
    /// The clients' clock less the service's.
    pub skew: i64,
    /// In the order in which they were recorded.
    pub exports: Vec<Held>,
    pub letters: Vec<Letter>,
    pub answers: Vec<Answer>,
    pub line: Line,
    pub service: Service,
    pub budget: Budget,
    /// Whether the last call of anybody was answered: what comes back is noticed.
    pub heard: bool,
    /// Whose credential is here.
    pub signed_in: &'static str,
}

/// The one who clicks.
pub const ANN: &str = "ann";
/// Somebody else of the same computer.
pub const BOB: &str = "bob";

impl World {
    /// A click, at a service that can do what the configuration says.
    pub fn at_the_click(config: &Config) -> Self {
        let mut world = Self {
            now: 0,
            skew: config.skew,
            exports: Vec::new(),
            letters: Vec::new(),
            answers: Vec::new(),
            line: Line::Up,
            service: Service::default(),
            budget: config.budget.clone(),
            heard: true,
            signed_in: ANN,
        };
        let record = Arc::new(world.new_record(config, None));
        let held = Held {
            backup: Some(Arc::clone(&record)),
            record,
            machine: 0,
            calls: Vec::new(),
            numbered: 0,
            noted: Noted::default(),
        };
        world.exports.push(held);
        world
    }

    /// The clients' clock.
    pub fn local(&self) -> Timestamp {
        at(self.now + self.skew)
    }

    /// An export that is recorded now, as `Engine::request` makes it.
    pub fn new_record(&self, config: &Config, supersedes: Option<ExportId>) -> Record {
        let now = self.local();
        let known = config.facts_at(self);
        let first_sent = known.as_ref().map(|facts| facts.service_time(now));
        let payload = Payload::new("orders", serde_json::json!({}), "csv").expect("an object");
        let number = self.exports.len();
        let account = Account {
            service: ServiceId::from_text("service"),
            address: "https://service.example".to_owned(),
            tenant_id: "acme".to_owned(),
            subject: Some(ANN.to_owned()),
        };
        Record {
            export: Export {
                id: ExportId::from_text(format!("export {number}")),
                request_key: RequestKey::from_text(format!("key {number}")),
                click_id: ClickId::from_text(format!("click {number}")),
                account,
                body: payload.canonical().to_vec(),
                payload,
                created_at: now,
                supersedes,
                trace_id: String::new(),
                folder: None,
            },
            title: BTreeMap::new(),
            knowledge: Knowledge::default(),
            journal: Journal::new(now, first_sent),
            // The fetch of the file is no part of the model: it waits for the person.
            delivery: Delivery { want: Want::OnRequest, ..Delivery::default() },
            facts: known,
            stage: Stage::Sending,
            next_action_at: Some(now),
            version: 1,
            updated_at: now,
        }
    }
}
