//! The smaller family: the real programs, killed by SIGKILL, and started again on what is on disk.
//!
//! The seeds stop an engine in this process and play every interleaving of calls; what they can not
//! play is a process that is gone in the middle of an instruction, on either side. Here `docket` and
//! `docket-service` are children. One of them, or both, is killed where the proxy holds a call, or at
//! an instant that the dice choose; then both are started again, and there is one job.

use std::{path::Path, time::Duration};

use docket_engine::clock::{Clock, SystemClock};
use docket_tests::{
    At, Back, Call, Proxy, Rule, Toward, invariants,
    program::{ServiceProgram, Terminal},
    proxy::rule::page,
    rows::Rows,
};
use serde_json::Value;
use tempfile::TempDir;

use crate::dice::Dice;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Client,
    Service,
    Both,
}

/// Where a call stands when somebody is killed.
#[derive(Clone, Debug)]
struct Place {
    call: Call,
    toward: Toward,
    back: Back,
}

/// The named points: in each call that an export makes, before, within and after what the service
/// does.
fn places(call: Call) -> Vec<Place> {
    let place = |toward, back| Place { call, toward, back };
    let mut places = vec![
        place(Toward::Unread, Back::Stall),
        place(Toward::Partly(60), Back::Close),
        place(Toward::Nowhere, Back::Stall),
        place(Toward::Service, Back::Stall),
        place(Toward::Service, Back::StallAt(At::Head(20))),
        place(Toward::Service, Back::StallAt(At::Body(30))),
    ];
    if call == Call::Submit {
        places.push(place(Toward::AllBut(3), Back::Close));
    }
    places
}

/// Both programs and the proxy between them.
struct Pair {
    folder: TempDir,
    service: Option<ServiceProgram>,
    proxy: Proxy,
    terminal: Terminal,
}

impl Pair {
    async fn new() -> Self {
        let folder = TempDir::new().expect("a folder for the test can be made");
        let service = ServiceProgram::start(folder.path(), &[]).await;
        let proxy = Proxy::start(service.address());
        let terminal = Terminal::at(folder.path().join("terminal"));
        terminal.add_service(&proxy.url()).await;
        Self { folder, service: Some(service), proxy, terminal }
    }

    async fn kill_service(&mut self) {
        if let Some(service) = self.service.take() {
            service.kill().await;
        }
    }

    /// Nothing is in the way any more, and the service is there.
    async fn mend(&mut self) {
        self.proxy.clear();
        self.proxy.release();
        if self.service.is_none() {
            let service = ServiceProgram::start(self.folder.path(), &[]).await;
            self.proxy.set_upstream(service.address());
            self.service = Some(service);
        }
    }

    /// Starts both again, and sees the export through.
    async fn goes_on(&mut self, id: &str) -> Value {
        self.mend().await;
        self.terminal.run(["run", "--until-settled"]).await;
        self.terminal.run(["show", id, "--json"]).await.json()
    }

    fn rows(&self) -> Rows {
        Rows::of(&self.folder.path().join("service.db"))
    }

    /// One job under the one key, and the file is the service's; or the proof that there is none.
    fn holds(&self, shown: &Value, wanted: &[&str]) {
        let jobs = self.rows().jobs();
        let stage = shown["stage"].as_str().expect("a stage");
        assert!(wanted.contains(&stage), "{shown:#}\n{:#?}", self.proxy.seen());
        let made = usize::from(stage != "not_created");
        assert_eq!(jobs.len(), made, "{jobs:?}\n{shown:#}");
        for job in &jobs {
            assert_eq!(job.request_key.as_deref(), shown["request_key"].as_str());
            if stage == "saved" {
                assert_eq!(job.file_sha256.as_deref(), shown["file"]["digest"].as_str());
            }
        }
        invariants::one_key_for_an_intent(&self.proxy.seen());
    }
}

/// Asks for an export that loses its submit where `on` is a later call than that.
#[expect(clippy::wildcard_enum_match_arm, reason = "other calls come without a loss before them")]
fn rules(place: &Place) -> Vec<Rule> {
    let stalls = Rule::new(place.call, place.toward, place.back.clone());
    match place.call {
        Call::Key => vec![Rule::lose_answer(Call::Submit), stalls],
        Call::Abandon => {
            let unseen = Rule::instead(Call::Key, page(502, "Bad Gateway")).always();
            vec![Rule::swallow(Call::Submit), unseen, stalls]
        }
        _ => vec![stalls],
    }
}

async fn killed_at(place: Place, victim: Victim) {
    let mut pair = Pair::new().await;
    pair.proxy.rules(rules(&place));
    let mut running = pair.terminal.start(request(&pair.terminal));
    let id = running.recorded().await;
    if place.call == Call::Abandon {
        pair.proxy.until_seen(Call::Submit, 1).await;
        // The wish of another process, which would wait for the call that stalls.
        let wish = pair.terminal.start(vec!["cancel".to_owned(), id.clone()]);
        pair.proxy.until_stalled(place.call).await;
        wish.kill().await;
    }
    pair.proxy.until_stalled(place.call).await;
    if victim != Victim::Client {
        pair.kill_service().await;
    }
    if victim == Victim::Service {
        // The client lives on, and sees it through by itself once the service is back.
        pair.mend().await;
        running.end().await;
    } else {
        running.kill().await;
    }
    let shown = pair.goes_on(&id).await;
    let wanted: &[&str] = if place.call == Call::Abandon {
        &["not_created", "cancelled", "saved"]
    } else {
        &["saved"]
    };
    pair.holds(&shown, wanted);
}

fn request(terminal: &Terminal) -> Vec<String> {
    let downloads = terminal.downloads();
    let output = Path::to_str(&downloads).expect("a path of this test");
    ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07", "--output", output]
        .map(str::to_owned)
        .to_vec()
}

/// Every place of a call, and whoever can be killed there.
async fn every_place(call: Call) {
    for place in places(call) {
        for victim in [Victim::Client, Victim::Service, Victim::Both] {
            println!("{place:?}, {victim:?}");
            killed_at(place.clone(), victim).await;
        }
    }
}

#[tokio::test]
async fn killed_in_a_submit() {
    every_place(Call::Submit).await;
}

#[tokio::test]
async fn killed_in_a_look() {
    every_place(Call::Key).await;
}

#[tokio::test]
async fn killed_in_an_abandon() {
    every_place(Call::Abandon).await;
}

#[tokio::test]
async fn killed_in_a_poll() {
    every_place(Call::Job).await;
}

#[tokio::test]
async fn killed_in_a_fetch() {
    every_place(Call::File).await;
}

/// Kills whoever the dice say at instants that they say, three times.
async fn killed_at_random(seed: u64) {
    let mut dice = Dice::of(seed);
    let mut pair = Pair::new().await;
    let mut running = pair.terminal.start(request(&pair.terminal));
    let id = running.recorded().await;
    for _ in 0..3 {
        instants(dice.below(120)).await;
        if dice.happens(50) {
            pair.kill_service().await;
            instants(dice.below(40)).await;
            let service = ServiceProgram::start(pair.folder.path(), &[]).await;
            pair.proxy.set_upstream(service.address());
            pair.service = Some(service);
        }
        if dice.happens(70) {
            running.kill().await;
            running = pair.terminal.start(["run", "--until-settled"]);
        }
    }
    running.kill().await;
    let shown = pair.goes_on(&id).await;
    pair.holds(&shown, &["saved"]);
}

/// Some milliseconds of real time: an instant that nobody chose is what is wanted.
async fn instants(millis: u64) {
    let until = SystemClock.now().saturating_add(Duration::from_millis(millis)).expect("a time");
    SystemClock.sleep_until(until).await;
}

#[tokio::test]
async fn killed_at_any_instant() {
    let from = std::env::var("DOCKET_LIVES_FROM").ok().and_then(|text| text.parse().ok());
    let count = std::env::var("DOCKET_LIVES").ok().and_then(|text| text.parse().ok());
    let from: u64 = from.unwrap_or(0);
    for seed in from..from + count.unwrap_or(8) {
        println!("life {seed}");
        killed_at_random(seed).await;
    }
}
