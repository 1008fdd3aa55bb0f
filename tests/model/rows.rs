//! What a service can do: the rows of the table of lifecycle.md; and what a configuration of the
//! model lets happen beside it.

use docket_engine::{capabilities::ServiceFacts, mutants::Mutant};
use docket_wire::Capabilities;

use crate::{
    person::Wish,
    service::{Access, facts},
    world::{Budget, Fault, RETENTION, World},
};

/// A service that breaks a rule of the protocol, so that it can be seen which rule keeps the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenService {
    /// It takes a key that it may have forgotten for a new one.
    ForgetsSilently,
    /// It puts a tombstone under a key that it may have forgotten.
    AbandonsAtAnyAge,
}

/// A row of the table: what a service can do about a request whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Row {
    All,
    NoAbandon,
    NoLookup,
    KeysAlone,
    NoKeys,
    LookupAlone,
    TraitsAndAbandon,
    TraitsAlone,
    AbandonAlone,
    Nothing,
}

impl Row {
    /// Every row: what the table leaves open (–) stands here in both ways.
    pub const EVERY: [Self; 10] = [
        Self::All,
        Self::NoAbandon,
        Self::NoLookup,
        Self::KeysAlone,
        Self::NoKeys,
        Self::LookupAlone,
        Self::TraitsAndAbandon,
        Self::TraitsAlone,
        Self::AbandonAlone,
        Self::Nothing,
    ];

    /// What the describe of such a service says.
    pub fn capabilities(self) -> Capabilities {
        let (idempotent_submit, lookup_by_key, lookup_by_traits, abandon) = match self {
            Self::All => (true, true, true, true),
            Self::NoAbandon => (true, true, false, false),
            Self::NoLookup => (true, false, false, true),
            Self::KeysAlone => (true, false, false, false),
            Self::NoKeys => (false, true, false, true),
            Self::LookupAlone => (false, true, false, false),
            Self::TraitsAndAbandon => (false, false, true, true),
            Self::TraitsAlone => (false, false, true, false),
            Self::AbandonAlone => (false, false, false, true),
            Self::Nothing => (false, false, false, false),
        };
        Capabilities {
            idempotent_submit,
            lookup_by_key,
            lookup_by_traits,
            abandon,
            cancel: true,
            key_retention_s: u32::try_from(RETENTION).unwrap_or(u32::MAX),
            visibility_lag_s: 0,
            max_wait_s: 0,
            poll_interval_s: 0,
            file_retention_s: 0,
            resumable_files: false,
        }
    }
}

/// One configuration: a service, what may go wrong and what may be done by hand.
#[derive(Clone, Debug)]
pub struct Config {
    pub row: Row,
    pub capabilities: Capabilities,
    pub budget: Budget,
    /// Whether the service was described before the click.
    pub described: bool,
    /// The client's clock less the service's, at the click.
    pub skew: i64,
    /// To what the client's clock may be set.
    pub clocks: &'static [i64],
    /// For how many seconds the client's computer may sleep.
    pub sleeps: &'static [i64],
    /// What the caller may be allowed.
    pub accesses: &'static [Access],
    /// What a job may come to.
    pub work: &'static [&'static str],
    /// What the person may want.
    pub wishes: &'static [Wish],
    pub broken_service: Option<BrokenService>,
    /// The rule that is broken on purpose.
    pub mutant: Option<Mutant>,
}

impl Config {
    /// Such a service, known at the click, and so much that may go wrong.
    pub fn of(row: Row, faults: &[(Fault, u8)]) -> Self {
        Self {
            row,
            capabilities: row.capabilities(),
            budget: Budget::of(faults),
            described: true,
            skew: 0,
            clocks: &[],
            sleeps: &[],
            accesses: &[],
            work: &[],
            wishes: &[],
            broken_service: None,
            mutant: None,
        }
    }

    /// Whether the service keeps keys for any of its answers, and so refuses one that it may have
    /// forgotten.
    pub fn notes_keys(&self) -> bool {
        let can = &self.capabilities;
        can.idempotent_submit || can.lookup_by_key || can.abandon
    }

    /// What an export that is recorded now knows of the service.
    pub fn facts_at(&self, world: &World) -> Option<ServiceFacts> {
        self.described.then(|| facts(world, self))
    }
}
