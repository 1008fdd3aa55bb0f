//! The real program, killed by SIGKILL while a call of each kind is out, and run again: one job, the
//! right end, and nothing asked for twice that changes something beyond what the rules allow.

use docket_service::{
    Config,
    Feature::{Idempotency, Lookup, Traits},
};
use docket_tests::{
    At, Back, Call, Rule, Toward, World,
    program::{Running, Terminal},
    world::never_ending,
};
use serde_json::Value;
use std::time::Duration;

async fn world(change: impl FnOnce(&mut Config)) -> (World, Terminal) {
    let world = World::with(|config| {
        config.max_wait = Duration::from_secs(20);
        change(config);
    })
    .await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    (world, terminal)
}

fn ask(terminal: &Terminal) -> Running {
    let downloads = terminal.downloads();
    let output = downloads.to_str().expect("a path of this test");
    let week = ["-p", "from=2026-11-01", "-p", "to=2026-11-07", "--output", output];
    terminal.start([&["export", "orders"], &week[..]].concat())
}

/// Asks, kills where a call stalls, and drives on in fair weather to this exit code.
async fn killed(
    (world, terminal): &(World, Terminal),
    rules: Vec<Rule>,
    stalls: Call,
    code: i32,
) -> Value {
    world.proxy.rules(rules);
    let mut running = ask(terminal);
    let id = running.recorded().await;
    world.proxy.until_stalled(stalls).await;
    running.kill().await;
    goes_on(world, terminal, &id, code).await
}

async fn goes_on(world: &World, terminal: &Terminal, id: &str, code: i32) -> Value {
    world.proxy.clear();
    terminal.run(["run", "--until-settled"]).await.with_code(code);
    let shown = terminal.run(["show", id, "--json"]).await.with_code(0).json();
    world.holds(&[]);
    shown
}

fn times(world: &World, call: Call) -> usize {
    world.proxy.seen_of(call).len()
}

/// Whether the call's request had arrived when the program was killed.
const ARRIVED: [Toward; 2] = [Toward::Service, Toward::Nowhere];

#[tokio::test]
async fn in_an_abandon() {
    for toward in ARRIVED {
        for (submit, code, jobs) in
            [(Rule::swallow(Call::Submit), 9, 0), (Rule::lose_answer(Call::Submit), 0, 1)]
        {
            let alone = |config: &mut Config| config.without = [Idempotency, Lookup, Traits].into();
            let place = world(alone).await;
            let rules = vec![submit, Rule::new(Call::Abandon, toward, Back::Stall)];
            let shown = killed(&place, rules, Call::Abandon, code).await;
            let (world, _) = &place;
            assert_eq!(world.rows().jobs().len(), jobs, "{toward:?}: {shown:#}");
            assert_eq!((times(world, Call::Submit), times(world, Call::Abandon)), (1, 2));
        }
    }
}

#[tokio::test]
async fn in_a_cancel() {
    for toward in ARRIVED {
        let (world, terminal) = world(never_ending).await;
        let mut running = ask(&terminal);
        let id = running.recorded().await;
        world.proxy.until_seen(Call::Job, 1).await;
        running.kill().await;
        world.proxy.rules([Rule::new(Call::Cancel, toward, Back::Stall)]);
        let cancelling = terminal.start(["cancel", &id]);
        world.proxy.until_stalled(Call::Cancel).await;
        cancelling.kill().await;
        let shown = goes_on(&world, &terminal, &id, 4).await;
        assert_eq!(shown["stage"], "cancelled", "{toward:?}: {shown:#}");
        let jobs = world.rows().jobs();
        assert_eq!((jobs.len(), jobs[0].status.as_str()), (1, "cancelled"));
        assert_eq!(times(&world, Call::Submit), 1);
        assert!(times(&world, Call::Cancel) <= 2, "{:#?}", world.proxy.seen());
    }
}

#[tokio::test]
async fn in_a_look_a_poll_and_a_download() {
    let lost = || Rule::lose_answer(Call::Submit);
    let cut = |call, at| Rule::new(call, Toward::Service, Back::StallAt(at));
    for (rules, call) in [
        (vec![lost(), Rule::new(Call::Key, Toward::Nowhere, Back::Stall)], Call::Key),
        (vec![lost(), cut(Call::Key, At::Body(9))], Call::Key),
        (vec![Rule::new(Call::Job, Toward::Nowhere, Back::Stall)], Call::Job),
        (vec![cut(Call::Job, At::Body(9))], Call::Job),
        (vec![Rule::new(Call::File, Toward::Nowhere, Back::Stall)], Call::File),
        (vec![cut(Call::File, At::Head(20))], Call::File),
        (vec![cut(Call::File, At::Body(0))], Call::File),
        (vec![cut(Call::File, At::Body(1000))], Call::File),
    ] {
        let place = world(|_| {}).await;
        let shown = killed(&place, rules, call, 0).await;
        let (world, _) = &place;
        let jobs = world.rows().jobs();
        assert_eq!(jobs.len(), 1, "{call:?}");
        assert_eq!(jobs[0].file_sha256.as_deref(), shown["file"]["digest"].as_str(), "{call:?}");
        assert_eq!(times(world, Call::Submit), 1, "{call:?}: found, not sent again");
    }
}
