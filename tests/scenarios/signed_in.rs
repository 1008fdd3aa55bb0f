//! Credentials that run out while something is unknown, and come back: nothing is lost, nothing is
//! asked about under another account, and no portal ends a session.

use docket_engine::export::ExportId;
use docket_engine::{
    attempt::{AttemptKind, CallResult},
    journal::Hold,
    stage::Stage,
    view::{CopyOffer, Knowing, Requested},
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    proxy::rule::whole,
    story::ended,
    world::{ADA, ADA_RENEWED, BOB, ada_renewed, bob, week},
};

/// An export whose receipt was lost, and whose looks are answered with 401 since.
async fn signed_out_while_confirming(world: &World) -> (Client, ExportId) {
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    world.service().replace_tokens(vec![ada_renewed(), bob()]).expect("tokens of ours");
    world.proxy.release();
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::SignIn)).await;
    assert_eq!(held.stage, Stage::Confirming, "a hold hides no stage");
    (client, id)
}

#[tokio::test]
async fn expired_while_confirming_and_back() {
    let world = World::new().await;
    let (client, id) = signed_out_while_confirming(&world).await;
    let twin = client.engine.request(client.form(week()).await).await.unwrap();
    let Requested::Twin { copy, .. } = twin else { panic!("a hold opened the guard: {twin:?}") };
    assert_eq!(copy, CopyOffer::No);

    client.sign_in(ADA_RENEWED).await;
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn another_account_is_never_asked_about_it() {
    let world = World::new().await;
    let (client, id) = signed_out_while_confirming(&world).await;
    let looks = world.proxy.seen_of(Call::Key).len();
    client.sign_in(BOB).await;
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::OtherAccount)).await;
    assert_eq!(held.stage, Stage::Confirming);
    // Bob's own export goes its way meanwhile.
    let bobs = client.ask(docket_tests::world::other_week()).await;
    let saved = client.until_saved(&bobs).await;
    assert_eq!(saved.subject.as_deref(), Some("bob"));
    assert_eq!(world.proxy.seen_of(Call::Key).len(), looks, "nobody asked as Bob");

    client.sign_in(ADA_RENEWED).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.subject.as_deref(), Some("ada"));
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}

#[tokio::test]
async fn expired_at_the_click_it_goes_with_the_same_key_after_the_sign_in() {
    let world = World::new().await;
    let client = world.client().await;
    world.service().replace_tokens(vec![ada_renewed()]).unwrap();
    let id = client.ask(week()).await;
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::SignIn)).await;
    assert_eq!(held.stage, Stage::WaitingToSend, "not rejected");
    client.sign_in(ADA_RENEWED).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Answered), 2);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_portal_ends_no_session() {
    let world = World::new().await;
    let client = world.client().await;
    let portal = whole("401 Unauthorized", "text/html", &[], "<h1>Hotel Wi-Fi</h1>");
    world.proxy.rules([Rule::lose_answer(Call::Submit), Rule::instead(Call::Key, portal).times(2)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Lookup, CallResult::Lost), 2);
    assert!(client.witness.views_of(&id).iter().all(|view| view.hold.is_none()));
    world.holds(&[&client]);
}

#[tokio::test]
async fn expired_while_the_job_runs() {
    let world = World::with(docket_tests::world::never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    world.service().replace_tokens(vec![ada_renewed()]).unwrap();
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::SignIn)).await;
    assert_eq!(held.stage, Stage::Running, "the job is untouched");
    client.witness.forget();
    client.sign_in(ADA_RENEWED).await;
    client.until(&id, "goes on", |view| view.hold.is_none()).await;
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_late_no_to_the_credential_before_ends_no_new_session() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Service, Back::Stall),
        Rule::new(Call::Key, Toward::Service, Back::Late),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    world.service().replace_tokens(vec![ada_renewed()]).unwrap();
    world.proxy.release();
    world.proxy.until_stalled(Call::Key).await;
    client.sign_in(ADA_RENEWED).await;
    world.proxy.release();
    client.until_saved(&id).await;
    assert!(client.witness.views_of(&id).iter().all(|view| view.hold.is_none()));
    let refused = world.proxy.seen_of(Call::Key).iter().filter(|s| s.status == Some(401)).count();
    assert_eq!(refused, 1, "it did come");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_copy_is_not_offered_however_it_is_asked_for() {
    let world = World::new().await;
    let (client, id) = signed_out_while_confirming(&world).await;
    let again = client.again(&client.now(&id).await, Knowing::Copy).await;
    let held = client.engine.request(again).await.unwrap();
    assert!(matches!(held, Requested::Twin { copy: CopyOffer::No, .. }), "{held:?}");
    assert_eq!(client.all().await.len(), 1);
    world.service().replace_tokens(vec![docket_tests::world::ada()]).unwrap();
    client.sign_in(ADA).await;
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
