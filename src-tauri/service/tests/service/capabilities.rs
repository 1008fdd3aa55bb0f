//! Each feature switched off: the service says so, and is so.

use docket_service::Feature;
use docket_wire::{Capabilities, KeyState, ServiceDocument};
use reqwest::Method;

use crate::world::{Key, World, http_date, ledger};

async fn without(features: &[Feature]) -> (World, Capabilities) {
    let world = World::with(|config| config.without = features.iter().copied().collect()).await;
    let answer = world.send(Method::GET, "/v1/service", &[], "").await.unwrap();
    let document: ServiceDocument = answer.json();
    (world, document.capabilities)
}

#[tokio::test]
async fn with_everything_on_everything_is_told() {
    let (_, told) = without(&[]).await;
    assert!(told.idempotent_submit && told.lookup_by_key && told.lookup_by_traits);
    assert!(told.abandon && told.cancel && told.resumable_files);
}

#[tokio::test]
async fn without_idempotency_each_submit_makes_a_job() {
    let (world, told) = without(&[Feature::Idempotency]).await;
    assert!(!told.idempotent_submit && told.lookup_by_key);
    let key = Key::new(&world);
    let first = world.ada().submit(&key, &ledger(1)).await;
    let second = world.ada().submit(&key, &ledger(1)).await;
    assert_eq!((first.status, second.status), (202, 202));
    assert_eq!(second.header("idempotency-replayed"), None);
    assert_eq!(world.jobs(), 2);
    // The key still finds the first, and still can be sealed before its submit arrives.
    let found = world.ada().look(&key, "ledger").await.key().export.unwrap();
    assert_eq!(found.business_id, first.export().business_id);
    let sealed = Key::new(&world);
    assert_eq!(world.ada().abandon(&sealed, "ledger").await.key().state, KeyState::Abandoned);
    let late = world.ada().submit(&sealed, &ledger(1)).await;
    assert_eq!(late.problem(), (410, "abandoned".to_owned()));
    assert_eq!(world.jobs(), 2);
}

#[tokio::test]
async fn without_anything_that_needs_a_key_the_key_is_ignored() {
    let (world, _) = without(&[Feature::Idempotency, Feature::Lookup, Feature::Abandon]).await;
    let answer = world.ada().submit(&Key::new(&world), &ledger(1)).await;
    assert_eq!((answer.status, answer.export().request_key), (202, None));
    let headers = [("content-type", "application/json")];
    let body = ledger(1).to_string();
    let answer = world.ada().call_with(Method::POST, "exports", &headers, body).await.unwrap();
    assert_eq!(answer.status, 202);
    assert_eq!((world.jobs(), world.records()), (2, 0));
}

#[tokio::test]
async fn without_look_up_a_key_can_not_be_asked_about() {
    let (world, told) = without(&[Feature::Lookup]).await;
    assert!(!told.lookup_by_key);
    let key = Key::new(&world);
    world.ada().submit(&key, &ledger(1)).await;
    assert_eq!(world.ada().look(&key, "ledger").await.problem(), (404, "not-found".to_owned()));
    assert_eq!(world.ada().abandon(&key, "ledger").await.key().state, KeyState::Present);
}

#[tokio::test]
async fn without_traits_there_is_no_list() {
    let (world, told) = without(&[Feature::Traits]).await;
    assert!(!told.lookup_by_traits);
    let answer = world.ada().call(Method::GET, "exports?operation=ledger", &[]).await;
    assert_eq!(answer.problem(), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn without_abandon_no_key_is_sealed() {
    let (world, told) = without(&[Feature::Abandon]).await;
    assert!(!told.abandon);
    let key = Key::new(&world);
    assert_eq!(world.ada().abandon(&key, "ledger").await.problem(), (404, "not-found".to_owned()));
    assert_eq!(world.ada().submit(&key, &ledger(1)).await.status, 202);
}

#[tokio::test]
async fn without_cancel_a_job_takes_its_course() {
    let (world, told) = without(&[Feature::Cancel]).await;
    assert!(!told.cancel);
    let id = world.ada().submit(&Key::new(&world), &ledger(1)).await.export().business_id;
    assert_eq!(world.ada().cancel(&id).await.problem(), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn without_resume_a_file_comes_whole_or_not_at_all() {
    let (world, told) = without(&[Feature::Resume]).await;
    assert!(!told.resumable_files);
    let id = world.ada().export(&ledger(100)).await.business_id;
    let answer = world.ada().file(&id, &[("range", "bytes=10-")]).await;
    assert_eq!((answer.status, answer.header("accept-ranges")), (200, None));
    assert!(answer.header("repr-digest").is_some());
}

#[tokio::test]
async fn a_key_that_is_only_noted_is_still_held_to_its_age() {
    let (world, _) = without(&[Feature::Idempotency]).await;
    let headers = [
        ("content-type", "application/json"),
        ("idempotency-key", "\"k\""),
        ("repeatability-first-sent", &http_date("2020-01-01T00:00:00Z".parse().unwrap())),
    ];
    let body = ledger(1).to_string();
    let answer = world.ada().call_with(Method::POST, "exports", &headers, body).await.unwrap();
    assert_eq!(answer.problem(), (412, "key-expired".to_owned()));
}
