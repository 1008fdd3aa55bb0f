//! Two programs over one store: one drives, the other records what is wanted, and takes over when
//! the first is killed.

use docket_tests::{
    Back, Call, Rule, Toward, World,
    program::{Running, Terminal},
};
use std::time::Duration;

async fn world() -> (World, Terminal) {
    let world = World::with(|config| config.max_wait = Duration::from_secs(20)).await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    (world, terminal)
}

fn ask(terminal: &Terminal, from: &str) -> Running {
    let from = format!("from={from}");
    let downloads = terminal.downloads();
    let output = downloads.to_str().expect("a path of this test");
    terminal.start([
        "export",
        "orders",
        "-p",
        &from,
        "-p",
        "to=2026-11-07",
        "--output",
        output,
        "--json",
    ])
}

#[tokio::test]
async fn the_driver_does_what_the_other_recorded() {
    let (world, terminal) = world().await;
    let mut driver = terminal.start(["run"]);
    // It says what it drives once it does.
    driver.says().await;
    let ended = ask(&terminal, "2026-11-01").end().await.with_code(0);
    assert_eq!(ended.json()["stage"], "saved");
    let ended = ask(&terminal, "2026-11-02").end().await.with_code(0);
    assert_eq!(ended.json()["stage"], "saved");
    assert_eq!(world.rows().jobs().len(), 2);
    assert!(driver.is_running());
    driver.kill().await;
    world.holds(&[]);
}

#[tokio::test]
async fn the_other_takes_over_when_the_driver_is_killed() {
    let (world, terminal) = world().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    let mut driver = ask(&terminal, "2026-11-01");
    let first = driver.recorded().await;
    world.proxy.until_stalled(Call::Submit).await;
    let mut other = ask(&terminal, "2026-11-01");
    let second = other.recorded().await;
    assert_eq!(first, second, "the same export: the guard stands in both programs");
    world.proxy.clear();
    driver.kill().await;
    let ended = other.end().await.with_code(0);
    assert_eq!(ended.json()["stage"], "saved");
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[]);
}
