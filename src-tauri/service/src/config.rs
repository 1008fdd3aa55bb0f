//! What a service is started with, and the numbers that it keeps to.

use std::{
    collections::BTreeSet, fmt, net::SocketAddr, path::PathBuf, str::FromStr, sync::Arc,
    time::Duration,
};

use thiserror::Error;

use crate::{
    access::Token,
    clock::{Clock, SystemClock},
};

/// The tenant that practice mode makes.
pub const PRACTICE_TENANT: &str = "practice";

/// What a service is started with.
#[derive(Clone)]
pub struct Config {
    /// What people call the service.
    pub name: String,
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database file; made where it is not there.
    pub database: PathBuf,
    /// The folder of finished files; made where it is not there.
    pub files: PathBuf,
    /// The credentials in force.
    pub tokens: Vec<Token>,
    /// How long a key is remembered.
    pub key_retention: Duration,
    /// How long a file is kept.
    pub file_retention: Duration,
    /// The database was put back from a copy: a new epoch begins, and no older key is trusted.
    pub restored: bool,
    /// What is switched off.
    pub without: BTreeSet<Feature>,
    /// Adds the tenant `practice` with a token of its own, and `/practice/faults`.
    pub practice: bool,
    /// How the work is paced.
    pub pace: Pace,
    /// How often the service likes to be asked.
    pub poll_interval: Duration,
    /// The longest `Prefer: wait=N` that is honoured.
    pub max_wait: Duration,
    /// Looks see a job only this long after it was created, as from a replica that lags.
    pub visibility_lag: Duration,
    /// How long a worker that gives no sign of life keeps its job.
    pub lease: Duration,
    /// Jobs that are worked on at once.
    pub workers: usize,
    /// How many new jobs a subject may ask for; replays do not count.
    pub rate_limit: Option<RateLimit>,
    /// Jobs queued or running at most, over all tenants.
    pub max_open_jobs: u64,
    /// Bytes of a request's body at most.
    pub max_body: usize,
    /// The source of time.
    pub clock: Arc<dyn Clock>,
}

impl Config {
    /// A service with every capability and nobody who may use it.
    pub fn new(listen: SocketAddr, database: PathBuf, files: PathBuf) -> Self {
        Self {
            name: "Docket reference service".to_owned(),
            listen,
            database,
            files,
            tokens: Vec::new(),
            key_retention: Duration::from_secs(24 * 60 * 60),
            file_retention: Duration::from_secs(7 * 24 * 60 * 60),
            restored: false,
            without: BTreeSet::new(),
            practice: false,
            pace: Pace::FULL_SPEED,
            poll_interval: Duration::from_secs(2),
            max_wait: Duration::from_secs(30),
            visibility_lag: Duration::ZERO,
            lease: Duration::from_secs(30),
            workers: 2,
            rate_limit: None,
            max_open_jobs: 100_000,
            max_body: 64 * 1024,
            clock: Arc::new(SystemClock),
        }
    }

    /// A practice service on a free port of this machine: paced for the eye, with a token of its own.
    pub fn practice(database: PathBuf, files: PathBuf) -> Self {
        Self {
            name: "Docket practice service".to_owned(),
            practice: true,
            pace: Pace::FOR_THE_EYE,
            poll_interval: Duration::from_secs(1),
            ..Self::new(SocketAddr::from(([127, 0, 0, 1], 0)), database, files)
        }
    }

    pub(crate) fn has(&self, feature: Feature) -> bool {
        !self.without.contains(&feature)
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("listen", &self.listen)
            .field("database", &self.database)
            .field("files", &self.files)
            .field("without", &self.without)
            .finish_non_exhaustive()
    }
}

/// The least time that a job takes, so that a person can watch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// From its creation until a worker takes it.
    pub queued: Duration,
    /// From then until its file is whole.
    pub running: Duration,
}

impl Pace {
    /// As fast as the machine can.
    pub const FULL_SPEED: Self = Self { queued: Duration::ZERO, running: Duration::ZERO };
    /// Slow enough to see each state.
    pub const FOR_THE_EYE: Self =
        Self { queued: Duration::from_millis(500), running: Duration::from_millis(2500) };
}

/// So many new jobs in so much time, for each subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    /// New jobs.
    pub submits: u32,
    /// The length of the window that they are counted in.
    pub per: Duration,
}

/// What can be switched off, to stand in for services that lack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A submit with a known key answers like the first one.
    Idempotency,
    /// The look-up of a key.
    Lookup,
    /// The list by traits.
    Traits,
    /// The abandon of a key.
    Abandon,
    /// The cancel of a job.
    Cancel,
    /// Ranges of a file.
    Resume,
}

impl Feature {
    /// Every feature, in the order in which the program names them.
    pub const ALL: [Self; 6] =
        [Self::Idempotency, Self::Lookup, Self::Traits, Self::Abandon, Self::Cancel, Self::Resume];

    /// The word for `--without`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idempotency => "idempotency",
            Self::Lookup => "lookup",
            Self::Traits => "traits",
            Self::Abandon => "abandon",
            Self::Cancel => "cancel",
            Self::Resume => "resume",
        }
    }
}

/// A word that names no feature.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("choose from idempotency, lookup, traits, abandon, cancel, resume")]
pub struct UnknownFeature;

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(word: &str) -> Result<Self, UnknownFeature> {
        Self::ALL.into_iter().find(|feature| feature.as_str() == word).ok_or(UnknownFeature)
    }
}
