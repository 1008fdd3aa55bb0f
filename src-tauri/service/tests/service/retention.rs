//! What is forgotten, and when; what a declared restore changes.

use std::time::Duration;

use docket_service::{StartError, start};
use docket_wire::{JobStatus, KeyState, ServiceDocument};
use reqwest::Method;

use crate::world::{Key, World, ledger, never_ending};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn keys_are_forgotten_only_when_nobody_may_send_them_any_more() {
    let world = World::with_clock(|config| config.file_retention = 30 * DAY).await;
    let (job, tombstone) = (Key::new(&world), Key::new(&world));
    let id = world.ada().submit(&job, &ledger(1)).await.export().business_id;
    world.ada().until(&id, &JobStatus::Succeeded).await;
    world.ada().abandon(&tombstone, "ledger").await;

    // Refused already, and still remembered: the margin is five minutes.
    world.advance(DAY + 5 * MINUTE);
    assert_eq!(world.ada().look(&job, "ledger").await.key().state, KeyState::Present);
    assert_eq!(world.records(), 2);
    world.advance(2 * MINUTE);
    world.let_time_pass_until(|| world.records() == 0).await;

    // Forgotten, and the age says so: nothing runs a second time.
    assert_eq!(world.ada().look(&job, "ledger").await.key().state, KeyState::Expired);
    assert_eq!(world.ada().abandon(&job, "ledger").await.key().state, KeyState::Expired);
    for key in [&job, &tombstone] {
        let answer = world.ada().submit(key, &ledger(1)).await;
        assert_eq!(answer.problem(), (412, "key-expired".to_owned()));
    }
    assert_eq!((world.jobs(), world.records()), (1, 0));
    assert_eq!(world.ada().read(&id).await.export().status, JobStatus::Succeeded);
}

#[tokio::test]
async fn the_key_of_a_job_that_goes_on_is_kept_whatever_its_age() {
    let world = World::with_clock(never_ending).await;
    let key = Key::new(&world);
    let id = world.ada().submit(&key, &ledger(1)).await.export().business_id;
    world.ada().until(&id, &JobStatus::Running).await;
    let other = Key::new(&world);
    world.ada().abandon(&other, "ledger").await;
    world.advance(DAY + 6 * MINUTE);
    world.let_time_pass_until(|| world.records() == 1).await;
    let again = world.ada().submit(&key, &ledger(1)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn a_declared_restore_begins_an_epoch_that_trusts_no_older_key() {
    let world = World::with_clock(|_| {}).await;
    let (lost, kept) = (Key::new(&world), Key::new(&world));
    let id = world.ada().submit(&kept, &ledger(1)).await.export().business_id;
    let before = world.ada().until(&id, &JobStatus::Succeeded).await;

    let world = world.restart(|config| config.restored = true).await;
    let answer = world.send(Method::GET, "/v1/service", &[], "").await.unwrap();
    let document: ServiceDocument = answer.json();
    let restored_at = world.now();
    assert_eq!(document.remembers_since.duration_since(restored_at).as_mins(), 5);
    assert!(document.service_epoch > before.service_epoch);

    let after = world.ada().read(&id).await.export();
    assert_eq!((after.service_epoch, after.revision), (document.service_epoch, before.revision));
    let refused = world.ada().submit(&lost, &ledger(1)).await;
    assert_eq!(refused.problem(), (412, "key-expired".to_owned()));
    assert_eq!(world.ada().look(&lost, "ledger").await.key().state, KeyState::Expired);
    assert_eq!(world.ada().submit(&kept, &ledger(1)).await.status, 202);

    world.advance(5 * MINUTE);
    assert_eq!(world.ada().submit(&Key::new(&world), &ledger(1)).await.status, 202);

    // The same copy put back once more is another life again.
    let world = world.restart(|config| config.restored = true).await;
    assert!(world.ada().read(&id).await.export().service_epoch > document.service_epoch);
    // A start without a declaration changes nothing.
    let epoch = world.ada().read(&id).await.export().service_epoch;
    let world = world.restart(|_| {}).await;
    assert_eq!(world.ada().read(&id).await.export().service_epoch, epoch);
}

#[tokio::test]
async fn a_shutdown_gives_running_jobs_back() {
    let world = World::with(never_ending).await;
    let id = world.ada().submit(&Key::new(&world), &ledger(100)).await.export().business_id;
    world.ada().until(&id, &JobStatus::Running).await;
    let world = world.restart(|_| {}).await;
    world.ada().until(&id, &JobStatus::Succeeded).await;
    assert_eq!(world.jobs(), 1);
}

#[tokio::test]
async fn one_process_serves_a_database() {
    let world = World::new().await;
    let config = docket_service::Config::new(
        "127.0.0.1:0".parse().unwrap(),
        world.database(),
        world.folder.path().join("files"),
    );
    let refused = start(config).await.err().unwrap();
    assert!(
        matches!(refused, StartError::Database(docket_service::OpenError::InUse(_))),
        "{refused}"
    );
}

#[tokio::test]
async fn a_database_of_a_later_version_is_refused() {
    let world = World::new().await;
    let folder = world.folder.path().to_owned();
    let database = world.database();
    let World { service, folder: kept, .. } = world;
    service.shutdown().await;
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let config =
        docket_service::Config::new("127.0.0.1:0".parse().unwrap(), database, folder.join("files"));
    let refused = start(config).await.err().unwrap();
    assert!(
        matches!(refused, StartError::Database(docket_service::OpenError::Migration(_))),
        "{refused}"
    );
    drop(kept);
}
