//! A store that was put back from a copy, or copied to another computer: what it does not know may
//! have been sent. It is held, looked up first, and never makes a second job.

use docket_engine::{
    attempt::{AttemptKind, CallReason},
    clock::{Clock, ManualClock, SystemClock},
    export::ExportId,
    journal::Hold,
    stage::Stage,
    view::{Knowing, PersonAction, RequestExport},
};
use docket_service::Feature;
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::{Begin, ClientOptions},
    story::{attempts, offers},
    world::{copy_folder, never_ending, week},
};
use std::sync::Arc;

/// Records an export that is not sent, and copies the store as it lies there. Hands over the client,
/// closed, as options for whoever opens a store next.
async fn backup_before_sending(world: &World) -> (ExportId, ClientOptions) {
    let client = world.client_with(|options| options.begin = Begin::Later).await;
    let id = client.ask(week()).await;
    let secrets = client.close().await;
    copy_folder(&world.path("home"), &world.path("backup"));
    let options = ClientOptions { secrets, ..ClientOptions::at(world.folder.path()) };
    (id, options)
}

fn again(options: &ClientOptions, world: &World) -> ClientOptions {
    ClientOptions {
        secrets: Arc::clone(&options.secrets),
        ..ClientOptions::at(world.folder.path())
    }
}

/// Puts the backup back in the place of the store.
fn put_back(world: &World) {
    std::fs::remove_dir_all(world.path("home")).expect("the store can be taken away");
    copy_folder(&world.path("backup"), &world.path("home"));
}

#[tokio::test]
async fn what_was_sent_after_the_backup_is_found() {
    let world = World::new().await;
    let (id, options) = backup_before_sending(&world).await;
    let client = Client::open(again(&options, &world)).await;
    client.until_saved(&id).await;
    client.close().await;
    put_back(&world);

    let restored =
        Client::open(ClientOptions { begin: Begin::Later, ..again(&options, &world) }).await;
    let held = restored.now(&id).await;
    assert_eq!((held.stage, held.hold), (Stage::Confirming, Some(Hold::RestoredStore)));
    assert_eq!(held.reason.as_deref(), Some(CallReason::Restored.as_str()));
    restored.engine.start();
    let saved = restored.until_saved(&id).await;
    assert_eq!(saved.hold, None);
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 0, "looked up, not sent");
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&restored]);
}

#[tokio::test]
async fn what_was_never_sent_goes_after_the_look() {
    let world = World::new().await;
    let (id, options) = backup_before_sending(&world).await;
    Client::open(ClientOptions { begin: Begin::Later, ..again(&options, &world) })
        .await
        .close()
        .await;
    put_back(&world);
    let restored = Client::open(again(&options, &world)).await;
    let saved = restored.until_saved(&id).await;
    let kinds: Vec<_> = saved.attempts.iter().map(|attempt| attempt.kind).collect();
    assert_eq!(kinds[..2], [AttemptKind::Lookup, AttemptKind::Submit], "looked up first");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&restored]);
}

#[tokio::test]
async fn nothing_leaves_before_a_look_was_answered() {
    let world = World::new().await;
    let (id, options) = backup_before_sending(&world).await;
    Client::open(ClientOptions { begin: Begin::Later, ..again(&options, &world) })
        .await
        .close()
        .await;
    put_back(&world);
    world.proxy.rules([
        Rule::swallow(Call::Key).times(3),
        Rule::new(Call::Key, Toward::Service, Back::Stall),
    ]);
    let restored = Client::open(again(&options, &world)).await;
    restored.engine.cancel(&id).await.unwrap();
    world.proxy.until_stalled(Call::Key).await;
    let held = restored.now(&id).await;
    assert_eq!((held.stage, held.hold), (Stage::Cancelling, Some(Hold::RestoredStore)));
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0);
    world.proxy.release();
    let ended = restored.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"), "never `withdrawn`: it may have left");
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&restored]);
}

#[tokio::test]
async fn a_key_that_grew_too_old_in_a_backup_is_no_proof_that_nothing_was_sent() {
    let world = World::new().await;
    let (id, options) = backup_before_sending(&world).await;
    let client = Client::open(again(&options, &world)).await;
    client.until_saved(&id).await;
    client.close().await;
    put_back(&world);

    let day_after = SystemClock.now() + jiff::SignedDuration::from_hours(26);
    let restored = Client::open(ClientOptions {
        begin: Begin::Later,
        clock: Arc::new(ManualClock::at(day_after)),
        ..again(&options, &world)
    })
    .await;
    let held = restored.now(&id).await;
    assert_eq!((held.stage, held.hold), (Stage::Confirming, Some(Hold::RestoredStore)));
    assert!(!offers(&held, PersonAction::EditAndResubmit), "a second job");
}

#[tokio::test]
async fn a_store_copied_to_another_computer_makes_no_second_job() {
    let world = World::new().await;
    let (id, options) = backup_before_sending(&world).await;
    let original = Client::open(again(&options, &world)).await;
    let copy = Client::open(ClientOptions {
        home: world.path("backup"),
        machine_state: world.path("other-machine"),
        downloads: world.path("other-downloads"),
        ..again(&options, &world)
    })
    .await;
    original.until_saved(&id).await;
    copy.until_saved(&id).await;
    assert!(copy.witness.views_of(&id)[0].stage != Stage::WaitingToSend);
    assert_eq!(world.rows().jobs().len(), 1);
    let keys: std::collections::BTreeSet<_> =
        world.proxy.seen_of(Call::Submit).into_iter().map(|seen| seen.key).collect();
    assert_eq!(keys.len(), 1);
}

#[tokio::test]
async fn without_a_look_up_the_person_says() {
    let world = World::with(|config| {
        config.without = [Feature::Lookup, Feature::Traits].into();
    })
    .await;
    let (id, options) = backup_before_sending(&world).await;
    Client::open(ClientOptions { begin: Begin::Later, ..again(&options, &world) })
        .await
        .close()
        .await;
    put_back(&world);
    let restored = Client::open(again(&options, &world)).await;
    let form = RequestExport {
        knowing: vec![Knowing::NearTwin],
        ..restored.form(docket_tests::world::other_week()).await
    };
    let other = restored.send(form).await;
    restored.until_saved(&other).await;
    let held = restored.now(&id).await;
    assert_eq!(held.hold, Some(Hold::RestoredStore), "{held:?}");
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "only the other one's");
    assert!(offers(&held, PersonAction::Resend) && offers(&held, PersonAction::Settle));
    restored.engine.resend(&id).await.unwrap();
    restored.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&restored]);
}

#[tokio::test]
async fn a_job_that_the_copy_knows_is_followed() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    let secrets = client.close().await;
    copy_folder(&world.path("home"), &world.path("backup"));
    let options = ClientOptions { secrets, ..ClientOptions::at(world.folder.path()) };
    Client::open(ClientOptions { begin: Begin::Later, ..again(&options, &world) })
        .await
        .close()
        .await;
    put_back(&world);
    let restored = Client::open(again(&options, &world)).await;
    restored.engine.cancel(&id).await.unwrap();
    let ended = restored.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(ended.attempts.iter().filter(|a| a.kind == AttemptKind::Submit).count(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&restored]);
}
