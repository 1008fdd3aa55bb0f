//! What a person does while nobody knows: clicks again, waits, looks at several, resends, tidies up.

use docket_engine::{
    attempt::AttemptKind,
    policy::{Policy, SOFT_TIMEOUT},
    stage::Stage,
    view::{CopyOffer, ErrorCode, ExportView, NotYet, PersonAction, RequestExport, Requested},
};
use docket_service::Feature;
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    story::{attempts, offers},
    world::{other_week, week},
};
use std::{sync::Arc, time::Duration};

#[tokio::test]
async fn clicked_again_while_the_first_is_out() {
    let world = World::new().await;
    let clock = docket_engine::clock::ManualClock::at(docket_engine::clock::Clock::now(
        &docket_engine::clock::SystemClock,
    ));
    let clock = Arc::new(clock);
    let time = Arc::clone(&clock);
    let client = world.client_with(|options| options.clock = time).await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Late)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    // 80 ms later: the row was there before anything was awaited.
    clock.advance(Duration::from_millis(80));
    let again = client.engine.request(client.form(week()).await).await.unwrap();
    let Requested::Twin { export, copy } = again else { panic!("two rows: {again:?}") };
    assert_eq!((export.id.as_str(), copy), (id.as_str(), CopyOffer::No));

    // The service takes its minutes; the person changes one character and clicks.
    clock.advance(SOFT_TIMEOUT + Duration::from_millis(1));
    client.until_stage(&id, Stage::Confirming).await;
    let near = client.engine.request(client.form(other_week()).await).await.unwrap();
    assert!(
        matches!(&near, Requested::NearTwin { export } if export.id == id.as_str()),
        "{near:?}"
    );
    assert_eq!(client.all().await.len(), 1);
    world.proxy.release();
    client.until(&id, "its receipt", |view| view.business_id.is_some()).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn what_is_no_part_of_the_request_makes_no_other_request() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Late)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    // Another opening of the form, another folder, the members in another order.
    let respelt: serde_json::Value = serde_json::from_str(
        r#"{"region": ["north", "east"], "to": "2026-11-07", "from": "2026-11-01"}"#,
    )
    .unwrap();
    let elsewhere = world.path("elsewhere").display().to_string();
    let form = RequestExport { folder: Some(elsewhere), ..client.form(respelt).await };
    let same = client.engine.request(form).await.unwrap();
    assert!(
        matches!(&same, Requested::Twin { export, .. } if export.id == id.as_str()),
        "{same:?}"
    );
    world.proxy.release();
    client.until_saved(&id).await;
    let sent = world.proxy.seen_of(Call::Submit).remove(0).body.expect("a body");
    let sent: serde_json::Value = serde_json::from_slice(&sent).unwrap();
    let members: Vec<&String> = sent.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["format", "operation", "parameters"]);
    assert_eq!(sent["parameters"], week());
}

#[tokio::test]
async fn a_click_waits_for_no_network() {
    let world = World::new().await;
    let client = world.client().await;
    // From now on nobody says a word.
    world.proxy.rules([Rule::new(Call::Any, Toward::Nowhere, Back::Stall).always()]);
    let id = client.ask(week()).await;
    let row = client.now(&id).await;
    assert_eq!(row.stage, Stage::Sending, "its row is there, with its key: {row:?}");
    assert_eq!(client.all().await.len(), 1);
    world.proxy.until_stalled(Call::Submit).await;
    assert_eq!(world.rows().jobs(), []);
    world.proxy.clear();
    world.proxy.release();
    client.until_saved(&id).await;
    world.holds(&[&client]);
}

/// What may be done now with an export.
fn offered(view: &ExportView) -> Vec<PersonAction> {
    let now = view.actions.iter().filter(|offered| offered.not_yet.is_none());
    now.map(|offered| offered.action).collect()
}

/// A client whose slow looks come only when the person asks.
async fn patient(world: &World) -> Client {
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    world.client_with(|options| options.policy = policy).await
}

#[tokio::test]
async fn while_nobody_knows_a_second_export_is_not_what_is_offered() {
    let world = World::new().await;
    let client = patient(&world).await;
    world.proxy.rules([
        Rule::swallow(Call::Submit).always(),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    let confirming = client.now(&id).await;
    assert_eq!(offered(&confirming), [PersonAction::CheckNow, PersonAction::Cancel]);
    let again = confirming.actions.iter().find(|a| a.action == PersonAction::ExportAgain);
    let not_yet = again.expect("it is shown with its reason").not_yet;
    assert_eq!(not_yet, Some(NotYet::UntilResultKnown));

    world.proxy.release();
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(offered(&open)[0], PersonAction::CheckNow, "to look again comes first");
    assert!(!open.request_key.is_empty() && open.business_id.is_none(), "a reference to copy");
    // Asked for as if nothing were: it is shown instead.
    let again = client.engine.request(client.form(week()).await).await.unwrap();
    assert!(matches!(&again, Requested::Twin { export, .. } if export.id == id.as_str()));
    assert_eq!(client.all().await.len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn each_of_several_has_its_own_row_and_its_own_actions() {
    let world = World::new().await;
    let client = patient(&world).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let mut ids = Vec::new();
    for day in 1..=3 {
        let parameters = serde_json::json!({"from": format!("2026-11-0{day}"), "to": "2026-11-07"});
        let form = RequestExport {
            knowing: vec![docket_engine::view::Knowing::NearTwin],
            ..client.form(parameters).await
        };
        ids.push(client.send(form).await);
    }
    for id in &ids {
        client.until_stage(id, Stage::Unresolved).await;
    }
    let rows = client.all().await;
    let keys: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row.request_key.as_str()).collect();
    assert_eq!((rows.len(), keys.len()), (3, 3));
    assert!(rows.iter().all(|row| offers(row, PersonAction::CheckNow)));

    world.proxy.clear();
    client.engine.check_now(&ids[1]).await.unwrap();
    client.until_saved(&ids[1]).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn resent_is_the_same_key_and_the_same_bytes() {
    let world = World::with(|config| config.without = [Feature::Abandon].into()).await;
    let client = patient(&world).await;
    world.proxy.rules([Rule::swallow(Call::Submit).always()]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    let before = world.proxy.seen_of(Call::Submit);
    world.proxy.clear();
    client.engine.resend(&id).await.unwrap();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.request_key, open.request_key);
    let after = world.proxy.seen_of(Call::Submit).split_off(before.len());
    assert_eq!(after.len(), 1);
    assert_eq!((&after[0].key, &after[0].body), (&before[0].key, &before[0].body));
    assert_eq!(after[0].first_sent, before[0].first_sent);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn nothing_is_tidied_away_while_it_is_unknown() {
    let world = World::new().await;
    let client = patient(&world).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    let refused = client.engine.remove_service(&client.service().await).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ServiceInUse);
    let secrets = client.close().await;

    // A start finds all of it: key, payload, attempts. Late truth still wins.
    world.proxy.clear();
    let client = world.open_client(|options| options.secrets = secrets).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.request_key, open.request_key);
    assert!(
        attempts(&saved, AttemptKind::Submit).len() >= attempts(&open, AttemptKind::Submit).len()
    );
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
