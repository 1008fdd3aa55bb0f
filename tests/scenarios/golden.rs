//! Golden stories: what a person saw, what was tried and what the service holds, as text that a
//! reviewer reads. `DOCKET_BLESS=1` writes them anew.

use std::path::PathBuf;

use docket_engine::{export::ExportId, journal::Hold, policy::Policy, stage::Stage};
use docket_service::Feature;
use docket_tests::{
    At, Back, Call, Client, Rule, Toward, World,
    client::{Begin, ClientOptions, short},
    timeline,
    world::{ADA, ADA_RENEWED, TENANT, ada_renewed, copy_folder, never_ending, week},
};
use std::time::Duration;

/// Long gaps between tries to send: the test says when.
async fn deliberate(world: &World) -> Client {
    let hour = Duration::from_secs(3600);
    let policy = Policy { retry_gap_first: hour, retry_gap_max: hour, ..short() };
    world.client_with(|options| options.policy = policy).await
}

async fn told(world: &World, client: &Client, id: &ExportId, name: &str, title: &str) {
    let newest = client.now(id).await;
    let views = client.witness.views_of(id);
    let story = timeline::story(title, &views, &newest, &world.rows());
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("golden/stories/{name}.txt"));
    if std::env::var_os("DOCKET_BLESS").is_some() {
        let folder = file.parent().expect("stories lie in a folder");
        std::fs::create_dir_all(folder).expect("the folder can be made");
        std::fs::write(&file, &story).expect("the story can be written");
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(golden, story, "\n{golden}\nbut:\n{story}");
    world.holds(&[client]);
}

#[tokio::test]
async fn the_network_is_down_at_the_click() {
    let world = World::new().await;
    let client = deliberate(&world).await;
    world.proxy.refuse().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::WaitingToSend).await;
    world.proxy.listen();
    client.engine.send_now(&id).await.unwrap();
    client.until_saved(&id).await;
    told(&world, &client, &id, "network-down", "The network is down at the click.").await;
}

#[tokio::test]
async fn the_receipt_is_lost() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    client.until_saved(&id).await;
    told(&world, &client, &id, "receipt-lost", "The service commits, then the connection drops.")
        .await;
}

#[tokio::test]
async fn the_request_is_lost_and_can_not_be_repeated() {
    let world = World::with(|config| config.without = [Feature::Idempotency].into()).await;
    let client = world.client().await;
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::NotCreated).await;
    let title = "The request is lost on its way to a service that takes no key twice.";
    told(&world, &client, &id, "request-lost", title).await;
}

#[tokio::test]
async fn a_permission_is_withdrawn_after_a_loss() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::swallow(Call::Submit),
        Rule::new(Call::Key, Toward::Service, Back::StallAt(At::Body(1))),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    world.service().replace_tokens(vec![docket_service::Token::new(ADA, TENANT, "ada")]).unwrap();
    world.proxy.release();
    client.until_stage(&id, Stage::Rejected).await;
    let title = "The request is lost, and the permission is withdrawn before it is repeated.";
    told(&world, &client, &id, "refused-after-loss", title).await;
}

#[tokio::test]
async fn cancelled_while_it_is_being_confirmed() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Service, Back::StallAt(At::Body(1))),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    client.engine.cancel(&id).await.unwrap();
    world.proxy.release();
    client.until_stage(&id, Stage::Cancelled).await;
    let title = "Cancelled while nobody knows whether there is a job; there is one.";
    told(&world, &client, &id, "cancelled-while-confirming", title).await;
}

#[tokio::test]
async fn signed_out_while_it_is_being_confirmed() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Service, Back::StallAt(At::Body(1))),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    world.service().replace_tokens(vec![ada_renewed()]).unwrap();
    world.proxy.release();
    client.until(&id, "held", |view| view.hold == Some(Hold::SignIn)).await;
    client.sign_in(ADA_RENEWED).await;
    client.until_saved(&id).await;
    let title = "The receipt is lost, then the credential runs out; the person signs in again.";
    told(&world, &client, &id, "signed-out", title).await;
}

#[tokio::test]
async fn a_store_put_back_from_a_backup() {
    let world = World::new().await;
    let client = world.client_with(|options| options.begin = Begin::Later).await;
    let id = client.ask(week()).await;
    let secrets = client.close().await;
    copy_folder(&world.path("home"), &world.path("backup"));
    let options = |secrets| ClientOptions { secrets, ..ClientOptions::at(world.folder.path()) };
    let client = Client::open(options(secrets)).await;
    client.until_saved(&id).await;
    let secrets = client.close().await;
    std::fs::remove_dir_all(world.path("home")).unwrap();
    copy_folder(&world.path("backup"), &world.path("home"));
    let restored = Client::open(options(secrets)).await;
    restored.until_saved(&id).await;
    let title = "The store is put back from a backup that does not know what was sent since.";
    told(&world, &restored, &id, "store-restored", title).await;
}
