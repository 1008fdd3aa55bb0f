//! Plays a script: real service, real engine, real sockets, real SQLite on both sides, and time that
//! moves on only when nothing else does.
//!
//! After every step, and at every moment at which something was due, both databases are read and
//! held against the laws. When the script is over everything is mended, and time goes on until
//! every export has come to its end; then the last laws are held (`ending`).

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use docket_engine::{
    clock::Chance,
    export::ExportId,
    policy::Policy,
    secrets::MemorySecrets,
    store::Role,
    view::{ExportView, RequestExport},
};
use docket_tests::{
    Client, Rule, World,
    client::{ClientOptions, native},
    world::{ADA, ada, ada_renewed, bob},
};
use rusqlite::Connection;
use tempfile::TempDir;
use tokio::{runtime::Handle, task::JoinHandle};

use crate::{
    book::{self, Book},
    clockwork::Clockwork,
    coverage::Met,
    gate::Gate,
    laws::{Broken, Laws, Moment},
    script::{Script, Step, Tokens},
    tale::{self, Tale},
};

/// The longest leap while a request is under way, or held back, so that no timer is leapt over.
const LEAP_UNDER_WAY: Duration = Duration::from_secs(10);

/// See the head of this file.
pub struct Play {
    pub script: Script,
    pub world: World,
    pub clocks: Clockwork,
    pub client: Option<Open>,
    secrets: Arc<MemorySecrets>,
    pub service_db: Option<Connection>,
    /// In the order in which they were asked for.
    pub asked: Vec<Asked>,
    /// Rules for exports that are not asked for yet.
    pub waiting_rules: Vec<(usize, Rule)>,
    /// Since when a job runs, in the service's time.
    pub running_since: BTreeMap<String, i64>,
    /// What a person does that is not done yet.
    pub acts: Vec<(String, JoinHandle<String>)>,
    pub tokens: Tokens,
    pub book: Book,
    pub laws: Laws,
    pub tale: Tale,
    /// How many requests were told.
    told: usize,
    /// What was last said of each export and each job.
    said: BTreeMap<String, String>,
    /// What was done that excuses more than a step.
    pub history: History,
    /// What befell whom.
    pub met: Met,
}

/// What happened that the last laws have to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct History {
    /// The service was put back from a copy.
    pub service_restored: bool,
    /// The client's store was.
    pub store_put_back: bool,
    /// The client's clock was set.
    pub clock_set: bool,
    /// Keys grew older than the service keeps them, or clocks differed by more.
    pub out_of_time: bool,
}

/// The client while it runs.
pub struct Open {
    pub client: Client,
    pub gate: Arc<Gate>,
    pub store: Connection,
    /// How many of its views were told.
    heard: usize,
}

/// An export that was asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    pub id: ExportId,
    pub form: RequestExport,
    pub trace: String,
    pub key: String,
}

/// The numbers of Docket, with the long ones shorter: time costs nothing here, tries do.
fn policy() -> Policy {
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    Policy {
        window: minutes(5),
        slow_gap: minutes(20),
        no_progress_after: minutes(20),
        no_progress_end: minutes(240),
        space_reserve: 0,
        ..Policy::default()
    }
}

impl Play {
    /// The world of a script, with the client open and Ada signed in.
    pub async fn set_up(script: Script, elsewhere: &Handle, tale: Tale) -> Self {
        let clocks = Clockwork::new(elsewhere).await;
        let folder = folder();
        let service = script.service.clone();
        let clock = Arc::clone(&clocks.service);
        let world = World::placed(folder, Some(elsewhere.clone()), move |config| {
            (config.pace.queued, config.pace.running) = service.pace;
            config.key_retention = service.retention;
            config.visibility_lag = service.lag;
            config.without = service.without;
            config.tokens = tokens(Tokens::All);
            config.clock = clock;
            // A leap is longer than any lease: another worker would think its holder dead.
            config.lease = Duration::from_secs(365 * 24 * 3600);
        })
        .await;
        tale.step(Duration::ZERO, format!("{}: {}", script.name, script.service));
        let mut play = Self {
            service_db: Some(book::look_at(&world.database())),
            script,
            world,
            clocks,
            client: None,
            secrets: Arc::default(),
            asked: Vec::new(),
            waiting_rules: Vec::new(),
            running_since: BTreeMap::new(),
            acts: Vec::new(),
            tokens: Tokens::All,
            book: Book::default(),
            laws: Laws::default(),
            tale,
            told: 0,
            said: BTreeMap::new(),
            history: History::default(),
            met: Met::default(),
        };
        play.start().await;
        let url = play.world.proxy.url();
        play.open().add_service(&url, ADA).await;
        play.quiet().await;
        play.told = play.world.proxy.seen().len();
        play
    }

    /// Plays it to its end.
    pub async fn run(&mut self) -> Result<(), Broken> {
        for step in self.script.steps.clone() {
            self.step(&step).await?;
        }
        self.end_well().await
    }

    async fn step(&mut self, step: &Step) -> Result<(), Broken> {
        let said = self.perform(step).await?;
        if let Some(said) = said {
            self.tale.step(self.clocks.passed, said);
        }
        self.observe().await
    }

    /// The client while it runs.
    pub fn open(&self) -> &Client {
        &self.client.as_ref().expect("the client runs").client
    }

    /// Starts the client on what lies on its disk.
    pub async fn start(&mut self) {
        let gate = Arc::new(Gate::before(native(self.clocks.client.clone())));
        let options = ClientOptions {
            policy: policy(),
            clock: self.clocks.client.clone(),
            secrets: Arc::clone(&self.secrets),
            connector: Some(gate.clone()),
            chance: Arc::new(Chance::Fixed(self.script.chance)),
            ..ClientOptions::at(self.world.folder.path())
        };
        let store = options.home.join("docket.db");
        let client = Client::open(options).await;
        assert_eq!(client.engine.role(), Role::Driver, "the client before it still drives");
        let store = book::look_at(&store);
        self.client = Some(Open { client, gate, store, heard: 0 });
    }

    /// The client is gone: no call begins or brings anything from now on, and nothing is tidied.
    pub async fn crash(&mut self) {
        for (_, act) in self.acts.drain(..) {
            act.abort();
        }
        if let Some(open) = self.client.take() {
            for (on, at) in open.gate.stopped() {
                self.met.note_killed(&self.script.service, on, at);
            }
            for on in open.gate.going() {
                self.met.note(&self.script.service, on, "KilledMeanwhile");
            }
            open.gate.shut();
            drop(open.client.close().await);
        }
        self.quiet().await;
    }

    /// Returns when nothing moves.
    pub async fn quiet(&mut self) {
        let gate = self.client.as_ref().map(|open| Arc::clone(&open.gate));
        self.clocks.quiet(&self.world.proxy, gate.as_deref()).await;
    }

    /// Lets time pass, stopping at every moment at which something is due.
    pub async fn pass(&mut self, length: Duration) -> Result<(), Broken> {
        let mut left = length;
        while !left.is_zero() {
            let leap = self.next_due().unwrap_or(left).min(left);
            self.leap(leap).await?;
            left = left.saturating_sub(leap);
        }
        Ok(())
    }

    /// Lets so much time pass at once: the service's first, so that what it does then is done before
    /// anybody asks.
    pub async fn leap(&mut self, by: Duration) -> Result<(), Broken> {
        self.clocks.service_goes(by);
        self.service_rests().await;
        self.clocks.client_follows(by).await;
        self.observe().await
    }

    /// How long until something is due on either side; none where nothing is.
    pub fn next_due(&self) -> Option<Duration> {
        let (client, service) = (self.clocks.client_now(), self.clocks.service_now());
        let ours: Vec<i64> = self.book.exports.values().filter_map(|entry| entry.due).collect();
        // What is due and not under way waits for the engine's own timers, which nobody sees.
        let waits = self.client.is_some() && ours.iter().any(|due| *due <= client);
        let ours = ours.into_iter().filter(|due| *due > client).map(|due| due - client);
        let theirs = self.service_dues().into_iter().filter(|due| *due > service);
        let theirs = theirs.map(|due| due - service);
        let due = ours.chain(theirs).min();
        let due = due.map(|millis| Duration::from_millis(millis.unsigned_abs()));
        let under_way = self.client.as_ref().is_some_and(|open| open.gate.is_calling());
        if under_way || waits {
            Some(due.unwrap_or(LEAP_UNDER_WAY).min(LEAP_UNDER_WAY))
        } else {
            due
        }
    }

    /// Waits for rest, reads both databases, holds the laws, and tells what is new.
    pub async fn observe(&mut self) -> Result<(), Broken> {
        self.quiet().await;
        self.gather_acts().await;
        self.service_rests().await;
        let mut now = Book::default();
        match &self.client {
            Some(open) => now.exports = book::exports(&open.store),
            None => now.exports.clone_from(&self.book.exports),
        }
        if let Some(service) = &self.service_db {
            now.jobs = book::jobs(service);
            now.keys = book::keys(service);
        } else {
            now.jobs.clone_from(&self.book.jobs);
        }
        let seen = self.world.proxy.seen_since(self.told);
        self.told += seen.len();
        for request in &seen {
            if let Some(rule) = &request.rule {
                self.met.note(&self.script.service, request.call, rule);
            }
        }
        self.tell(&seen, &now).await;
        let of_trace: BTreeMap<String, String> =
            self.asked.iter().map(|asked| (asked.trace.clone(), asked.id.to_string())).collect();
        let idle = self.client.as_ref().is_some_and(|open| !open.gate.is_calling());
        let moment = Moment {
            service: &self.script.service,
            seen: &seen,
            of_trace: &of_trace,
            idle_at: idle.then(|| self.clocks.client_now()),
            restored: self.history.service_restored,
            one_time: (!self.history.clock_set).then(|| self.clocks.service_now()),
        };
        let held = self.laws.hold(&self.book, &now, &moment);
        self.book = now;
        held?;
        self.nobody_is_forgotten().await
    }

    async fn tell(&mut self, seen: &[docket_tests::proxy::Seen], now: &Book) {
        let number: BTreeMap<String, usize> = self
            .asked
            .iter()
            .enumerate()
            .map(|(at, asked)| (asked.trace.clone(), at + 1))
            .collect();
        let mut lines = tale::requests(seen, &number);
        if let Some(open) = &mut self.client {
            let mut fresh = open.client.witness.views_since(open.heard);
            open.heard += fresh.len();
            let at = |view: &ExportView| self.asked.iter().position(|a| a.id.as_str() == view.id);
            fresh.sort_by_key(|view| (at(view), view.version));
            for view in fresh {
                let Some(number) = at(&view) else { continue };
                let line = docket_tests::timeline::seen(&view);
                if self.said.get(&view.id) != Some(&line) {
                    lines.push(format!("export {}  {line}", number + 1));
                    self.said.insert(view.id, line);
                }
            }
        }
        let whose = |job: &book::Job| {
            let key = job.key.as_ref()?;
            self.asked.iter().position(|asked| asked.key == *key)
        };
        let mut jobs: Vec<_> = now.jobs.iter().map(|(id, job)| (whose(job), id, job)).collect();
        jobs.sort_by_key(|(whose, _, job)| (job.created_at, *whose));
        for (whose, id, job) in jobs {
            let of = whose.map_or("a job".to_owned(), |at| format!("the job of export {}", at + 1));
            if self.said.get(id) != Some(&job.status) {
                lines.push(format!("the service: {of} is {}", job.status));
                self.said.insert(id.clone(), job.status.clone());
            }
        }
        for line in lines {
            self.tale.seen(self.clocks.passed, line);
        }
    }
}

/// The credentials of the service.
pub fn tokens(tokens: Tokens) -> Vec<docket_service::Token> {
    match tokens {
        Tokens::All => vec![ada(), ada_renewed(), bob()],
        Tokens::FirstRunOut => vec![ada_renewed(), bob()],
        Tokens::Withdrawn => [ada(), ada_renewed()]
            .into_iter()
            .map(|token| token.with_operations(["customers"]))
            .chain([bob()])
            .collect(),
    }
}

/// A folder in memory where the system has one: what a disk does to a store is another proof.
fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a folder for the test can be made")
}
