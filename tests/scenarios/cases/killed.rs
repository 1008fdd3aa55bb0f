//! Case 4: the client is killed in every phase of a call and started again. It goes on by itself:
//! one job, saved. The real program, killed by SIGKILL while the proxy holds its call where it is.

use docket_tests::{
    At, Back, Call, Rule, Toward, World,
    program::{Running, Terminal},
};
use std::time::Duration;

/// A world whose service holds polls, so that a program with its real gaps is quick.
async fn world() -> World {
    World::with(|config| config.max_wait = Duration::from_secs(20)).await
}

async fn terminal(world: &World) -> Terminal {
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    terminal
}

fn ask(terminal: &Terminal) -> Running {
    let downloads = terminal.downloads();
    let output = downloads.to_str().expect("a path of this test");
    terminal.start([
        "export",
        "orders",
        "-p",
        "from=2026-11-01",
        "-p",
        "to=2026-11-07",
        "--output",
        output,
        "--json",
    ])
}

/// Starts again, and sees it through: one job, under the key that stood on disk before the kill.
async fn goes_on(world: &World, terminal: &Terminal, id: &str) -> serde_json::Value {
    world.proxy.clear();
    let ended = terminal.run(["run", "--until-settled"]).await;
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let shown = terminal.run(["show", id, "--json"]).await.with_code(0).json();
    assert_eq!(shown["stage"], "saved", "{shown:#}");
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    assert_eq!(jobs[0].request_key.as_deref(), shown["request_key"].as_str());
    assert_eq!(jobs[0].file_sha256.as_deref(), shown["file"]["digest"].as_str());
    world.holds(&[]);
    shown
}

/// Killed while a call of this kind stands where `rule` has it stand.
async fn killed_at(rules: Vec<Rule>, stalls: Call) -> (World, serde_json::Value) {
    let world = world().await;
    let terminal = terminal(&world).await;
    world.proxy.rules(rules);
    let mut running = ask(&terminal);
    let id = running.recorded().await;
    world.proxy.until_stalled(stalls).await;
    running.kill().await;
    let shown = goes_on(&world, &terminal, &id).await;
    (world, shown)
}

fn kinds(shown: &serde_json::Value) -> Vec<String> {
    let attempts = shown["attempts"].as_array().expect("attempts");
    attempts
        .iter()
        .map(|attempt| {
            let word = |name: &str| attempt[name].as_str().unwrap_or("-").to_owned();
            format!("{} {}", word("kind"), word("call_result"))
        })
        .collect()
}

#[tokio::test]
async fn before_it_could_connect() {
    let world = world().await;
    let terminal = terminal(&world).await;
    world.proxy.refuse().await;
    let mut running = ask(&terminal);
    let id = running.recorded().await;
    running.kill().await;
    world.proxy.listen();
    let shown = goes_on(&world, &terminal, &id).await;
    let lost = kinds(&shown).iter().filter(|kind| kind.as_str() == "submit lost").count();
    assert!(lost <= 1, "{shown:#}");
}

#[tokio::test]
async fn connected_and_nothing_read() {
    killed_at(vec![Rule::new(Call::Submit, Toward::Unread, Back::Stall)], Call::Submit).await;
}

#[tokio::test]
async fn in_the_middle_of_its_request() {
    for bytes in [10, 300] {
        let rule = Rule::new(Call::Submit, Toward::Partly(bytes), Back::Close);
        killed_at(vec![rule], Call::Submit).await;
    }
}

#[tokio::test]
async fn sent_and_not_arrived() {
    let rule = Rule::new(Call::Submit, Toward::Nowhere, Back::Stall);
    let (world, shown) = killed_at(vec![rule], Call::Submit).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 2, "looked up, then sent again");
    assert!(kinds(&shown).contains(&"lookup answered".to_owned()), "{shown:#}");
}

#[tokio::test]
async fn committed_and_waiting_for_the_answer() {
    let rule = Rule::new(Call::Submit, Toward::Service, Back::Stall);
    let (world, shown) = killed_at(vec![rule], Call::Submit).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "found, not sent again");
    assert!(kinds(&shown).contains(&"submit lost".to_owned()), "{shown:#}");
}

#[tokio::test]
async fn in_the_middle_of_the_answer() {
    for at in [At::Head(20), At::Body(50)] {
        let rule = Rule::new(Call::Submit, Toward::Service, Back::StallAt(at));
        let (world, _) = killed_at(vec![rule], Call::Submit).await;
        assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    }
}

#[tokio::test]
async fn in_a_look() {
    let rules =
        vec![Rule::lose_answer(Call::Submit), Rule::new(Call::Key, Toward::Service, Back::Stall)];
    let (world, _) = killed_at(rules, Call::Key).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
}

#[tokio::test]
async fn after_the_receipt() {
    let rule = Rule::new(Call::Job, Toward::Service, Back::Stall);
    let (world, shown) = killed_at(vec![rule], Call::Job).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert!(!kinds(&shown).contains(&"submit lost".to_owned()), "{shown:#}");
}

#[tokio::test]
async fn in_the_middle_of_the_file() {
    let rule = Rule::new(Call::File, Toward::Service, Back::StallAt(At::Body(100)));
    let (world, shown) = killed_at(vec![rule], Call::File).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(shown["file"]["verified"], "digest");
}

#[tokio::test]
async fn three_times_in_a_row() {
    let world = world().await;
    let terminal = terminal(&world).await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Nowhere, Back::Stall).times(2),
        Rule::new(Call::Submit, Toward::Service, Back::Stall),
    ]);
    let mut running = ask(&terminal);
    let id = running.recorded().await;
    world.proxy.until_stalled(Call::Submit).await;
    running.kill().await;
    for stalled in 2..=3 {
        let running = terminal.start(["run", "--until-settled"]);
        world
            .proxy
            .until(|seen| {
                let of = |seen: &&docket_tests::proxy::Seen| seen.call == Call::Submit;
                seen.iter().filter(of).filter(|seen| seen.stalled).count() >= stalled
            })
            .await;
        running.kill().await;
    }
    goes_on(&world, &terminal, &id).await;
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.len(), 3, "{:#?}", world.proxy.seen());
}
