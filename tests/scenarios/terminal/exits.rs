//! The exit codes that scripts rely on, each by the story that leads to it.

use docket_service::Feature;
use docket_tests::{
    Back, Call, Rule, Toward, World,
    program::{Ended, Terminal},
    world::{ADA_RENEWED, ada_renewed, never_ending},
};
use std::time::Duration;

const WEEK: [&str; 4] = ["-p", "from=2026-11-01", "-p", "to=2026-11-07"];

async fn world_with(change: impl FnOnce(&mut docket_service::Config)) -> (World, Terminal) {
    let world = World::with(|config| {
        config.max_wait = Duration::from_secs(20);
        change(config);
    })
    .await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    (world, terminal)
}

async fn export(terminal: &Terminal, more: &[&str]) -> Ended {
    let downloads = terminal.downloads();
    let downloads = downloads.to_str().expect("a path of this test");
    let output = ["--output", downloads, "--json"];
    terminal.run([&["export", "orders"], &WEEK[..], &output, more].concat()).await
}

#[tokio::test]
async fn zero_done_and_every_command_prints_one_document() {
    let (world, terminal) = world_with(|_| {}).await;
    let saved = export(&terminal, &["--click-id", "c1"]).await.with_code(0).json();
    let again = export(&terminal, &["--click-id", "c1"]).await.with_code(0).json();
    assert_eq!(saved["id"], again["id"], "the same id again: the same export");
    assert_eq!(world.rows().jobs().len(), 1);
    let id = saved["id"].as_str().unwrap();
    for arguments in [
        &["service", "list", "--json"][..],
        &["service", "check", "Reports", "--json"],
        &["operations", "--json"],
        &["list", "--json"],
        &["list", "--stage", "saved", "--json"],
        &["show", id, "--json"],
        &["run", "--until-settled", "--json"],
    ] {
        terminal.run(arguments).await.with_code(0).json();
    }
    world.holds(&[]);
}

#[tokio::test]
async fn zero_recorded_and_driven_later() {
    let (world, terminal) = world_with(|_| {}).await;
    let recorded = export(&terminal, &["--no-wait"]).await.with_code(0).json();
    assert_eq!(world.rows().jobs(), [], "only recorded");
    terminal.run(["run", "--until-settled"]).await.with_code(0);
    let id = recorded["id"].as_str().unwrap();
    assert_eq!(terminal.run(["show", id, "--json"]).await.json()["stage"], "saved");
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn three_rejected() {
    let (world, terminal) = world_with(|_| {}).await;
    let backwards = ["export", "orders", "-p", "from=2026-11-07", "-p", "to=2026-11-01", "--json"];
    let rejected = terminal.run(backwards).await.with_code(3).json();
    assert_eq!(rejected["stage"], "rejected");
    assert!(!rejected["problem"]["errors"].as_array().unwrap().is_empty());
    assert_eq!(world.rows().jobs(), []);
}

#[tokio::test]
async fn four_failed_and_four_cancelled() {
    let (world, terminal) = world_with(|_| {}).await;
    let fails = docket_service::faults::Effect::FailJob;
    let any = docket_service::faults::Call::Any;
    world.service().faults().set(vec![docket_service::Rule::new(any, fails)]);
    assert_eq!(export(&terminal, &[]).await.with_code(4).json()["stage"], "failed");

    let (world, terminal) = world_with(never_ending).await;
    let recorded = export(&terminal, &["--no-wait"]).await.with_code(0).json();
    let id = recorded["id"].as_str().unwrap();
    let running = terminal.start(["run"]);
    world.proxy.until_seen(Call::Job, 1).await;
    running.kill().await;
    let cancelled = terminal.run(["cancel", id, "--json"]).await.with_code(4).json();
    assert_eq!(cancelled["stage"], "cancelled");
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
}

#[tokio::test]
async fn five_unresolved_then_nine_by_hand() {
    let nothing = [Feature::Idempotency, Feature::Lookup, Feature::Traits, Feature::Abandon];
    let (world, terminal) = world_with(|config| config.without = nothing.into()).await;
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let open = export(&terminal, &[]).await.with_code(5).json();
    assert_eq!(
        (&open["stage"], &open["reason"]),
        (&"unresolved".into(), &"lookup_unsupported".into())
    );
    let id = open["id"].as_str().unwrap();
    let settled = terminal.run(["settle", id, "--absent", "--json"]).await.with_code(9).json();
    assert_eq!(settled["reason"], "by_hand");
    assert_eq!(world.rows().jobs(), []);
}

#[tokio::test]
async fn six_still_open_after_a_look() {
    let (world, terminal) = world_with(never_ending).await;
    let recorded = export(&terminal, &["--no-wait"]).await.with_code(0).json();
    let id = recorded["id"].as_str().unwrap();
    let running = terminal.start(["run"]);
    world.proxy.until_seen(Call::Job, 1).await;
    running.kill().await;
    let open = terminal.run(["check", id, "--json"]).await.with_code(6).json();
    assert_eq!(open["stage"], "running");
}

#[tokio::test]
async fn seven_another_process_drives() {
    let (world, terminal) = world_with(never_ending).await;
    export(&terminal, &["--no-wait"]).await.with_code(0);
    let running = terminal.start(["run"]);
    world.proxy.until_seen(Call::Submit, 1).await;
    let refused = terminal.run(["run", "--until-settled", "--json"]).await.with_code(7);
    assert!(refused.json()["error"]["code"].is_string(), "{refused:?}");
    running.kill().await;
}

#[tokio::test]
async fn eight_sign_in_needed_and_then_on() {
    let (world, terminal) = world_with(|_| {}).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let mut running =
        terminal.start(["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07"]);
    let id = running.recorded().await;
    world.proxy.until_stalled(Call::Key).await;
    world.service().replace_tokens(vec![ada_renewed()]).unwrap();
    world.proxy.release();
    let ended = running.end().await;
    assert_eq!(ended.code, Some(8), "{ended:?}");

    let signed_in = Terminal::at(world.path("terminal")).with_token(Some(ADA_RENEWED));
    signed_in.run(["run", "--until-settled"]).await.with_code(0);
    assert_eq!(signed_in.run(["show", &id, "--json"]).await.json()["stage"], "saved");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[]);
}

#[tokio::test]
async fn nine_withdrawn_before_a_byte_left() {
    let (world, terminal) = world_with(|_| {}).await;
    let recorded = export(&terminal, &["--no-wait"]).await.with_code(0).json();
    let id = recorded["id"].as_str().unwrap();
    let ended = terminal.run(["cancel", id, "--json"]).await.with_code(9).json();
    assert_eq!((&ended["stage"], &ended["reason"]), (&"not_created".into(), &"withdrawn".into()));
    terminal.run(["run", "--until-settled"]).await.with_code(0);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0);
}
