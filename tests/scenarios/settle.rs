//! The person's own evidence, through the real terminal: what `docket settle` takes, what it refuses
//! and why, and what is shown when it was wrong.
//!
//! The export is brought to where Docket gives up by an engine with short times over the terminal's
//! own store; from there on everything is the program.

use docket_engine::{policy::Policy, stage::Stage};
use docket_service::Feature::{self, Abandon, Idempotency, Lookup, Traits};
use docket_tests::{
    Back, Call, Rule, Toward, World,
    calls::Caller,
    client::short,
    program::{Ended, Terminal},
    world::{ADA, BOB, never_ending, other_week, week},
};
use serde_json::{Value, json};
use std::time::Duration;

const NOTHING: [Feature; 4] = [Idempotency, Lookup, Traits, Abandon];

/// An export that Docket gave up for this reason.
async fn given_up(without: &[Feature], lost: Rule, reason: &str) -> (World, Terminal, String) {
    let world = World::with(|config| {
        config.max_wait = Duration::from_secs(20);
        config.without = without.iter().copied().collect();
    })
    .await;
    let terminal = Terminal::at(world.path("terminal"));
    let client = world
        .client_with(|options| {
            options.home = terminal.home();
            options.machine_state = terminal.machine_state();
            options.downloads = terminal.downloads();
            options.policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
        })
        .await;
    world.proxy.rules([lost]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some(reason));
    client.close().await;
    (world, terminal, id.to_string())
}

async fn settle(terminal: &Terminal, id: &str, finding: &[&str]) -> Ended {
    terminal.run([&["settle", id, "--json"], finding].concat()).await
}

async fn shown(terminal: &Terminal, id: &str) -> Value {
    terminal.run(["show", id, "--json"]).await.with_code(0).json()
}

fn job(world: &World, at: usize) -> String {
    world.rows().jobs()[at].business_id.clone()
}

#[tokio::test]
async fn one_that_can_not_be_looked_up() {
    let lost = Rule::lose_answer(Call::Submit);
    let (world, terminal, id) = given_up(&NOTHING, lost, "lookup_unsupported").await;
    let told = terminal.run(["show", &id]).await.with_code(0).stdout;
    assert!(told.contains(&format!("docket settle {id}")), "how to check by hand: {told}");
    let saved = settle(&terminal, &id, &["--job", &job(&world, 0)]).await.with_code(0).json();
    assert_eq!(saved["business_id"], job(&world, 0));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[]);
}

#[tokio::test]
async fn one_of_several_that_fit() {
    let twice = Rule::new(Call::Submit, Toward::Twice, Back::Close);
    let traits = [Idempotency, Lookup, Abandon];
    let (world, terminal, id) = given_up(&traits, twice, "ambiguous_matches").await;
    let told = terminal.run(["show", &id]).await.with_code(0).stdout;
    for candidate in [job(&world, 0), job(&world, 1)] {
        assert!(told.contains(&candidate), "{told}");
    }
    let saved = settle(&terminal, &id, &["--job", &job(&world, 1)]).await.with_code(0).json();
    assert_eq!(saved["business_id"], job(&world, 1));
}

#[tokio::test]
async fn one_that_the_service_does_not_show() {
    let lost = Rule::swallow(Call::Submit);
    let (world, terminal, id) = given_up(&[Idempotency, Abandon], lost, "not_visible").await;
    let absent = settle(&terminal, &id, &["--absent"]).await.with_code(9).json();
    assert_eq!((&absent["stage"], &absent["reason"]), (&"not_created".into(), &"by_hand".into()));
    // It survives a restart: each command is one.
    assert_eq!(shown(&terminal, &id).await["reason"], "by_hand");
    assert_eq!(world.rows().jobs(), []);
}

#[tokio::test]
async fn absent_and_there_after_all() {
    let late = Rule::new(Call::Submit, Toward::Kept, Back::Close);
    let (world, terminal, id) = given_up(&NOTHING, late, "lookup_unsupported").await;
    settle(&terminal, &id, &["--absent"]).await.with_code(9);
    world.proxy.deliver_kept().await;
    // Nobody but the person can find it: the newer finding stands.
    let saved = settle(&terminal, &id, &["--job", &job(&world, 0)]).await.with_code(0).json();
    assert_eq!(saved["business_id"], job(&world, 0));
    world.holds(&[]);
}

#[tokio::test]
async fn a_job_that_is_not_this_one() {
    let lost = Rule::lose_answer(Call::Submit);
    let (world, terminal, id) = given_up(&NOTHING, lost, "lookup_unsupported").await;
    let payload =
        |parameters| json!({"operation": "orders", "parameters": parameters, "format": "csv"});
    let (ada, bob) =
        (Caller::of(world.service().url(), ADA), Caller::of(world.service().url(), BOB));
    let others = ada.submit("k-ada", &payload(other_week())).await.export().business_id;
    let bobs = bob.submit("k-bob", &payload(week())).await.export().business_id;
    for (wrong, sentence) in [
        ("exp_of_nobody", "has no export exp_of_nobody that this account may see"),
        (bobs.as_str(), "that this account may see"),
        (others.as_str(), "is not this export"),
    ] {
        let ended = settle(&terminal, &id, &["--job", wrong]).await.with_code(5);
        assert!(ended.stderr.contains(sentence), "{wrong}: {ended:?}");
        let now = shown(&terminal, &id).await;
        assert_eq!(now["reason"], "lookup_unsupported", "{now:#}");
        assert_eq!(now["business_id"], Value::Null, "{wrong} is set aside");
    }
    settle(&terminal, &id, &["--job", &job(&world, 0)]).await.with_code(0);
    assert_eq!(shown(&terminal, &id).await["business_id"], job(&world, 0));
}

#[tokio::test]
async fn a_wrong_job_stands_in_the_way_of_no_other_finding() {
    let lost = Rule::swallow(Call::Submit);
    let (_world, terminal, id) = given_up(&NOTHING, lost, "lookup_unsupported").await;
    settle(&terminal, &id, &["--job", "exp_of_nobody"]).await.with_code(5);
    settle(&terminal, &id, &["--absent"]).await.with_code(9);
}

#[tokio::test]
async fn one_that_is_settled_or_looked_for_needs_no_finding() {
    let world = World::with(|config| {
        config.max_wait = Duration::from_secs(20);
        never_ending(config);
    })
    .await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let mut running =
        terminal.start(["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07"]);
    let id = running.recorded().await;
    world.proxy.until_stalled(Call::Key).await;
    for finding in [&["--absent"][..], &["--job", "exp_of_nobody"]] {
        let refused = settle(&terminal, &id, finding).await.with_code(1).json();
        assert_eq!(refused["error"]["code"], "settle_open", "{refused:#}");
    }
    running.kill().await;
    world.proxy.clear();
    terminal.run(["cancel", &id]).await.with_code(4);
    let refused = settle(&terminal, &id, &["--absent"]).await.with_code(1).json();
    assert_eq!(refused["error"]["code"], "settle_over", "{refused:#}");
}
