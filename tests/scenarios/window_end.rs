//! The end of the window: an abandon that answers "here it is" or "it never will be", or an exact
//! reason why not. Late truth wins all the same.

use docket_engine::{attempt::AttemptKind, policy::Policy, stage::Stage};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World, client::short, proxy::rule::page, story::attempts,
    world::week,
};
use std::time::Duration;

/// A client whose slow looks come only when the person asks.
async fn patient_client(world: &World) -> Client {
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    world.client_with(|options| options.policy = policy).await
}

#[tokio::test]
async fn nothing_ever_arrives_so_the_key_is_withdrawn() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Kept, Back::Close),
        Rule::swallow(Call::Submit).always(),
    ]);
    let id = client.ask(week()).await;
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"));
    let kinds: Vec<_> = ended.attempts.iter().map(|attempt| attempt.kind).collect();
    assert_eq!(kinds.last(), Some(&AttemptKind::Abandon));
    assert_eq!(kinds[kinds.len() - 2], AttemptKind::Submit, "a wanted export is tried once more");

    let late = world.proxy.deliver_kept().await;
    assert_eq!(late.status(), Some(410), "the late original loses: {late:?}");
    assert_eq!(world.rows().jobs(), []);
    assert_eq!(world.rows().records()[0].state, "abandoned");
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_abandon_finds_the_job() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::instead(Call::Key, page(502, "Bad Gateway")).always(),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Abandon).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.rows().records()[0].state, "present");
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_answer_of_the_abandon_is_lost() {
    let world = World::new().await;
    let client = world.client().await;
    world
        .proxy
        .rules([Rule::swallow(Call::Submit).always(), Rule::lose_answer(Call::Abandon).times(3)]);
    let id = client.ask(week()).await;
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"), "our own tombstone");
    assert_eq!(attempts(&ended, AttemptKind::Abandon).len(), 4);
    assert!(!client.witness.views_of(&id).iter().any(|view| view.stage == Stage::Unresolved));
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_abandon_has_no_answer_so_it_is_unresolved_until_somebody_can_be_asked() {
    let world = World::new().await;
    let client = world.client().await;
    world
        .proxy
        .rules([Rule::swallow(Call::Submit).always(), Rule::swallow(Call::Abandon).always()]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("not_visible"), "the looks were answered");
    assert_eq!(attempts(&open, AttemptKind::Abandon).len(), 5, "tried five times");

    world.proxy.clear();
    // The first slow look that answers opens a window with its last submit: a wanted export is had.
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_network_goes_after_the_commit_and_comes_back_much_later() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    world.proxy.refuse().await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("service_unreachable"));
    assert_eq!(open.business_outcome.as_str(), "unknown", "no transport failure says more");

    world.proxy.clear();
    world.proxy.listen();
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_reason_is_that_of_the_last_answer() {
    for (answer, reason) in [
        (page(502, "Bad Gateway"), "service_errors"),
        (page(200, "Sign in to this network"), "answer_unreadable"),
    ] {
        let world = World::new().await;
        let client = patient_client(&world).await;
        world.proxy.rules([
            Rule::instead(Call::Submit, answer.clone()).always(),
            Rule::instead(Call::Key, answer.clone()).always(),
            Rule::instead(Call::Abandon, answer).always(),
        ]);
        let id = client.ask(week()).await;
        let open = client.until_stage(&id, Stage::Unresolved).await;
        assert_eq!(open.reason.as_deref(), Some(reason));
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn the_person_asks_again_and_it_is_found() {
    let world = World::new().await;
    let client = patient_client(&world).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Unresolved).await;
    world.proxy.clear();
    let asked = client.engine.check_now(&id).await.unwrap();
    assert_eq!(asked.stage, Stage::Confirming);
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn one_that_is_stuck_holds_up_no_other() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Nowhere, Back::Stall)]);
    let stuck = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    let other = client.ask(docket_tests::world::other_week()).await;
    client.until_saved(&other).await;
    assert_eq!(client.now(&stuck).await.stage, Stage::Sending);
    world.proxy.release();
    client.until_saved(&stuck).await;
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}
