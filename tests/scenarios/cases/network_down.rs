//! Case 1: the network is down before the request arrives. It waits, says that nothing left this
//! computer, and goes with the same key when the network is back. One job.

use docket_engine::{attempt::CallResult, stage::Stage};
use docket_tests::{Back, Call, Rule, Toward, World, world::week};

#[tokio::test]
async fn refused_then_sent_with_the_same_key() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.refuse().await;
    let id = client.ask(week()).await;
    let waiting = client.until_stage(&id, Stage::WaitingToSend).await;
    assert_eq!(waiting.reason.as_deref(), Some("connection_refused"));
    let twice = client
        .until(&id, "two tries that were not sent", |view| {
            view.attempts.iter().filter(|a| a.call_result == Some(CallResult::NotSent)).count() > 1
        })
        .await;
    assert_eq!(world.rows().jobs(), []);
    assert!(twice.attempts.iter().all(|attempt| attempt.call_result != Some(CallResult::Lost)));

    world.proxy.listen();
    let saved = client.until_saved(&id).await;
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].request_key.as_deref(), Some(saved.request_key.as_str()));
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.len(), 1, "what was refused never arrived: {submits:?}");
    assert_eq!(submits[0].key.as_deref(), Some(waiting.request_key.as_str()));
    world.holds(&[&client]);
}

#[tokio::test]
async fn it_is_down_before_anything_is_known_of_the_service() {
    let world = World::new().await;
    world.proxy.refuse().await;
    let client = world.open_client(|_| {}).await;
    client.add_service(&world.proxy.url(), docket_tests::world::ADA).await;
    let id = client.ask(week()).await;
    let waiting = client.until_stage(&id, Stage::WaitingToSend).await;
    assert_eq!(waiting.call_result, None, "a describe is no submit");
    world.proxy.listen();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.subject.as_deref(), Some("ada"));
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_name_of_the_service_has_no_address() {
    let world = World::new().await;
    let client = world.open_client(|_| {}).await;
    client.add_service("https://nowhere.invalid", docket_tests::world::ADA).await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::WaitingToSend).await;
    let tried = client.until(&id, "a try", |view| !view.attempts.is_empty()).await;
    assert_eq!(tried.attempts[0].call_result, Some(CallResult::NotSent));
    assert_eq!(tried.attempts[0].reason.as_deref(), Some("host_not_found"));
    client.engine.cancel(&id).await.unwrap();
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("withdrawn"));
    world.holds(&[&client]);
}

#[tokio::test]
async fn closed_before_a_byte_was_read_is_never_taken_for_not_sent() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Unread, Back::Close).times(3)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let submits: Vec<_> = saved.attempts.iter().filter(|a| a.kind.as_str() == "submit").collect();
    assert_eq!(submits.len(), 4);
    for submit in &submits[..3] {
        assert_eq!(submit.call_result, Some(CallResult::Lost), "its bytes had left: {submit:?}");
    }
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
