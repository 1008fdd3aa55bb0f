//! The network around a call: portals, outages that end, a start after anything.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    policy::Policy,
    stage::Stage,
    view::ExportView,
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::{Begin, short},
    proxy::rule::{page, redirect, whole},
    story::ended,
    world::{ADA_RENEWED, ada_renewed, never_ending, week},
};
use std::time::Duration;

/// What a captive portal puts in the place of every answer.
fn portals() -> Vec<Vec<u8>> {
    vec![
        redirect("http://portal.example/sign-in"),
        page(200, "Sign in to this network"),
        page(511, "Network Authentication Required"),
        whole("401 Unauthorized", "text/html", &[("www-authenticate", "Basic")], "<h1>Hotel</h1>"),
        whole("403 Forbidden", "text/html", &[], "<h1>Hotel</h1>"),
    ]
}

#[tokio::test]
async fn a_portal_before_any_call_ends_no_session_and_no_export() {
    for portal in portals() {
        let world = World::new().await;
        let client = world.client().await;
        // Each kind of call meets it once on its way.
        let calls = [Call::Submit, Call::Key, Call::Job, Call::File];
        world.proxy.rules(calls.map(|call| Rule::instead(call, portal.clone())));
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        let text = String::from_utf8_lossy(&portal).into_owned();
        for kind in [AttemptKind::Submit, AttemptKind::Lookup, AttemptKind::Download] {
            assert!(ended(&saved, kind, CallResult::Lost) >= 1, "{kind}: {text}");
        }
        for view in client.witness.views_of(&id) {
            assert_eq!(view.hold, None, "signed out by a portal: {text}");
            assert!(!matches!(view.stage, Stage::Rejected | Stage::Failed), "{text}");
        }
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn one_good_answer_ends_the_waiting_of_all() {
    let world = World::new().await;
    // Hours of maintenance: the gaps have grown to their longest.
    let hour = Duration::from_secs(3600);
    let policy = Policy { retry_gap_first: hour, retry_gap_max: hour, ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    world.proxy.refuse().await;
    let mut ids = Vec::new();
    for day in 1..=3 {
        let parameters = serde_json::json!({"from": format!("2026-11-0{day}"), "to": "2026-11-07"});
        ids.push(client.ask(parameters).await);
    }
    for id in &ids {
        let waiting = |view: &ExportView| {
            view.stage == Stage::WaitingToSend
                && ended(view, AttemptKind::Submit, CallResult::NotSent) == 1
        };
        client.until(id, "waiting", waiting).await;
    }
    world.proxy.listen();
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0, "an hour is not over");
    client.engine.check_now(&ids[0]).await.unwrap();
    for id in &ids {
        client.until_saved(id).await;
    }
    assert_eq!(world.rows().jobs().len(), 3);
    world.holds(&[&client]);
}

/// What is open has a time for its next step, or names the person that it waits for.
fn is_owned(view: &ExportView) -> bool {
    let a_time = view.next_action_at.is_some();
    let a_person = !view.actions.is_empty()
        && (view.hold.is_some() || view.stage == Stage::Unresolved || view.is_at_rest());
    a_time || a_person
}

/// One export at each of several places on its way, and the client closed.
async fn left_open(world: &World) -> std::sync::Arc<docket_engine::secrets::MemorySecrets> {
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    let client: Client = world.client_with(|options| options.policy = policy).await;
    let parameters =
        |day: u32| serde_json::json!({"from": format!("2026-11-0{day}"), "to": "2026-11-07"});
    let ask = async |day| {
        let form = docket_engine::view::RequestExport {
            knowing: vec![docket_engine::view::Knowing::NearTwin],
            ..client.form(parameters(day)).await
        };
        client.send(form).await
    };
    let running = ask(1).await;
    client.until_stage(&running, Stage::Running).await;
    // Nobody answers about this one; its window ends.
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let unresolved = ask(2).await;
    client.until_stage(&unresolved, Stage::Unresolved).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall).always(),
    ]);
    let confirming = ask(3).await;
    world.proxy.until_stalled(Call::Key).await;
    client.until_stage(&confirming, Stage::Confirming).await;
    world.proxy.refuse().await;
    let waiting = ask(4).await;
    client.until_stage(&waiting, Stage::WaitingToSend).await;
    client.close().await
}

#[tokio::test]
async fn after_a_start_everything_that_is_open_has_a_time_or_a_person() {
    let world = World::with(|config| {
        never_ending(config);
        config.workers = 4;
    })
    .await;
    let secrets = left_open(&world).await;
    let kept = std::sync::Arc::clone(&secrets);
    let client = world
        .open_client(|options| {
            options.secrets = kept;
            options.begin = Begin::Later;
        })
        .await;
    let found = client.all().await;
    assert_eq!(found.len(), 4);
    for view in &found {
        assert!(is_owned(view), "nobody's: {view:?}");
    }
    world.proxy.clear();
    world.proxy.listen();
    client.engine.start();
    for view in &found {
        let id = docket_engine::export::ExportId::from_text(view.id.clone());
        client.until_stage(&id, Stage::Running).await;
    }
    assert_eq!(world.rows().jobs().len(), 4, "each is driven, by one");

    // Signed out, each of them names the person.
    world.service().replace_tokens(vec![ada_renewed()]).expect("a token of ours");
    for view in &found {
        let id = docket_engine::export::ExportId::from_text(view.id.clone());
        let held = client.until(&id, "held", |view| view.hold.is_some()).await;
        assert!(is_owned(&held), "{held:?}");
    }
    client.sign_in(ADA_RENEWED).await;
    for view in &found {
        let id = docket_engine::export::ExportId::from_text(view.id.clone());
        client.engine.cancel(&id).await.unwrap();
        client.until_stage(&id, Stage::Cancelled).await;
    }
    world.holds(&[&client]);
}
