//! A copy of a store on the same computer, beside its living original: it is known for one at its first
//! opening and asks first, and the original goes on as it was. A folder that was moved is no copy.

use std::{fs, sync::Arc};

use docket_engine::{
    attempt::AttemptKind, export::ExportId, journal::Hold, secrets::MemorySecrets,
};
use docket_tests::{
    Call, Client, World,
    client::{Begin, ClientOptions},
    world::{copy_folder, week},
};

/// An export that was recorded and not sent, in a store that was closed.
async fn recorded(world: &World) -> (ExportId, Arc<MemorySecrets>) {
    let client = world.client_with(|options| options.begin = Begin::Later).await;
    let id = client.ask(week()).await;
    (id, client.close().await)
}

async fn open(world: &World, home: &str, secrets: &Arc<MemorySecrets>, begin: Begin) -> Client {
    Client::open(ClientOptions {
        home: world.path(home),
        secrets: Arc::clone(secrets),
        begin,
        ..ClientOptions::at(world.folder.path())
    })
    .await
}

#[tokio::test]
async fn a_copy_beside_its_original_asks_first_and_the_original_does_not() {
    let world = World::new().await;
    let (id, secrets) = recorded(&world).await;
    copy_folder(&world.path("home"), &world.path("copy"));
    let copy = open(&world, "copy", &secrets, Begin::Later).await;
    assert_eq!(copy.now(&id).await.hold, Some(Hold::RestoredStore));
    let original = open(&world, "home", &secrets, Begin::AtOnce).await;
    let saved = original.until_saved(&id).await;
    assert!(saved.attempts.iter().all(|attempt| attempt.kind != AttemptKind::Lookup), "its own");
    copy.engine.start();
    copy.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    original.close().await;
    copy.close().await;
    for home in ["copy", "home"] {
        let client = open(&world, home, &secrets, Begin::Later).await;
        assert_eq!(client.now(&id).await.hold, None, "{home}: each goes on as its own");
    }
}

#[tokio::test]
async fn a_folder_that_was_moved_is_no_copy() {
    let world = World::new().await;
    let (id, secrets) = recorded(&world).await;
    fs::rename(world.path("home"), world.path("moved")).expect("it can be moved");
    let moved = open(&world, "moved", &secrets, Begin::Later).await;
    assert_eq!(moved.now(&id).await.hold, None);
}

#[tokio::test]
async fn a_backup_of_a_running_store_is_known_when_it_is_put_back() {
    let world = World::new().await;
    let client = world.client_with(|options| options.begin = Begin::Later).await;
    let id = client.ask(week()).await;
    // No opening lies between the backup and the restore: only what was sent since.
    copy_folder(&client.home, &world.path("backup"));
    client.engine.start();
    client.until_saved(&id).await;
    let secrets = client.close().await;
    for file in fs::read_dir(world.path("home")).expect("it can be listed") {
        let path = file.expect("an entry").path();
        if path.is_file() {
            fs::remove_file(path).expect("it can be taken away");
        }
    }
    copy_folder(&world.path("backup"), &world.path("home"));
    let restored = open(&world, "home", &secrets, Begin::Later).await;
    assert_eq!(restored.now(&id).await.hold, Some(Hold::RestoredStore));
    restored.engine.start();
    restored.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "looked up, not sent");
}

#[tokio::test]
async fn a_history_that_is_gone_is_told() {
    let world = World::new().await;
    let (_, secrets) = recorded(&world).await;
    fs::remove_file(world.path("home").join("docket.db")).expect("it can be taken away");
    let client = open(&world, "home", &secrets, Begin::Later).await;
    let notices = client.engine.notices().await.expect("they can be read");
    assert_eq!(notices.len(), 1);
    assert_eq!(notices[0].kind, docket_engine::view::NoticeKind::StoreGone);
    client.close().await;
    let again = open(&world, "home", &secrets, Begin::Later).await;
    assert_eq!(again.engine.notices().await.expect("they can be read").len(), 1, "once");
}
