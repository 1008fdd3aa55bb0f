//! The rows of the table: what follows a lost submit where the service lacks a thing.

use docket_engine::{attempt::AttemptKind, knowledge::ByHand, policy::Policy, stage::Stage};
use docket_service::Feature;
use docket_tests::{
    Call, Client, Rule, World,
    calls::Caller,
    client::short,
    story::{attempts, offers},
    world::{ADA, never_ending, week},
};
use serde_json::json;
use std::time::Duration;

async fn without(features: &[Feature]) -> (World, Client) {
    let world = World::with(|config| config.without = features.iter().copied().collect()).await;
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    (world, client)
}

#[tokio::test]
async fn no_abandon_then_unresolved_at_the_end() {
    let (world, client) = without(&[Feature::Abandon]).await;
    world.proxy.rules([Rule::swallow(Call::Submit).always()]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("not_visible"));
    assert!(world.proxy.seen_of(Call::Submit).len() > 1, "the same key again");
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0);

    world.proxy.clear();
    client.engine.resend(&id).await.unwrap();
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_lookup_then_the_same_key_again() {
    let (world, client) = without(&[Feature::Lookup, Feature::Traits]).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit).times(3)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 4);
    assert_eq!(saved.looks, 0);
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.iter().filter(|seen| seen.replayed).count(), 3);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_idempotency_then_it_is_never_sent_again() {
    let (world, client) = without(&[Feature::Idempotency]).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);

    let (world, client) = without(&[Feature::Idempotency]).await;
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let id = client.ask(week()).await;
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "never submit");
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_idempotency_and_no_abandon_then_only_looks() {
    let (world, client) = without(&[Feature::Idempotency, Feature::Abandon]).await;
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("not_visible"));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert!(client.engine.resend(&id).await.is_err(), "not safe here");
    assert!(open.looks > 1);
    world.holds(&[&client]);
}

const TRAITS_ALONE: &[Feature] = &[Feature::Idempotency, Feature::Lookup, Feature::Abandon];

#[tokio::test]
async fn traits_alone_find_the_one_job() {
    let (world, client) = without(TRAITS_ALONE).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert!(world.proxy.seen_of(Call::Traits).len() >= 2, "seen in two looks");
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(saved.business_id, Some(world.rows().jobs()[0].business_id.clone()));
    world.holds(&[&client]);
}

#[tokio::test]
async fn traits_that_fit_two_jobs_are_left_to_the_person() {
    let (world, client) = without(TRAITS_ALONE).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let twin = json!({"operation": "orders", "parameters": week(), "format": "csv"});
    let caller = Caller::of(world.service().url(), ADA);
    let made = caller.submit("0190c8a0-0000-7000-8000-00000000000a", &twin).await;
    assert_eq!(made.status, 202, "{made:?}");
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("ambiguous_matches"));
    assert_eq!(open.candidates.len(), 2);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);

    let mut ids = world.rows().jobs().into_iter().map(|job| job.business_id);
    let ours = ids.find(|id| *id != made.export().business_id).expect("ours is there");
    let finding = ByHand::Job { business_id: ours.clone() };
    client.engine.settle(&id, finding).await.unwrap();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.business_id, Some(ours));
    world.holds(&[&client]);
}

#[tokio::test]
async fn nothing_to_ask_by_then_the_person_looks() {
    let nothing: Vec<Feature> = [TRAITS_ALONE, &[Feature::Traits]].concat();
    let (world, client) = without(&nothing).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("lookup_unsupported"));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    let job = world.rows().jobs().remove(0);
    let finding = ByHand::Job { business_id: job.business_id.clone() };
    client.engine.settle(&id, finding).await.unwrap();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.business_id, Some(job.business_id));
    world.holds(&[&client]);

    let (world, client) = without(&nothing).await;
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Unresolved).await;
    client.engine.settle(&id, ByHand::Absent).await.unwrap();
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("by_hand"));
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_cancel_then_none_is_offered() {
    let world = World::with(|config| {
        never_ending(config);
        config.without = [Feature::Cancel].into();
    })
    .await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    let running = client.until_stage(&id, Stage::Running).await;
    assert!(!offers(&running, docket_engine::view::PersonAction::Cancel));
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_resume_then_a_cut_file_begins_anew() {
    let (world, client) = without(&[Feature::Resume]).await;
    let cut = docket_tests::Back::Cut(docket_tests::At::Body(100));
    world.proxy.rules([Rule::new(Call::File, docket_tests::Toward::Service, cut).times(2)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let files = world.proxy.seen_of(Call::File);
    assert!(files.iter().all(|seen| seen.status == Some(200)), "{files:?}");
    let digest = saved.file.expect("a file").digest;
    assert_eq!(world.rows().jobs()[0].file_sha256, Some(digest));
}
