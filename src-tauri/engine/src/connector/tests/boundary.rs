//! The submission boundary as it is crossed: seen by the caller at once, and never called *not sent*
//! while a byte leaves.

use std::time::Duration;

use tokio::sync::Notify;

use super::{
    server::{Behaviour, Server},
    *,
};
use crate::attempt::{AttemptResult, CallResult, Phase};

#[tokio::test]
async fn the_caller_sees_the_crossing_while_the_call_waits() {
    let go = Arc::new(Notify::new());
    let server = Server::start([Behaviour::Hold(receipt(), go.clone())]).await;
    let call = call(&server.url());
    let mut phase = call.progress.subscribe();
    let sending = {
        let call = call.clone();
        tokio::spawn(async move { connector().submit(&call, &submit()).await })
    };
    phase.wait_for(|phase| *phase >= Phase::Send).await.unwrap();
    assert!(call.progress.has_crossed());
    phase.wait_for(|phase| *phase == Phase::Await).await.unwrap();
    assert!(!sending.is_finished());
    go.notify_one();
    let end = sending.await.unwrap();
    assert_eq!(end.result, AttemptResult::Found { job: Box::new(job()) });
    let phases: Vec<_> = end.phases.iter().map(|mark| mark.phase).collect();
    assert_eq!(
        phases,
        [Phase::Prepare, Phase::Connect, Phase::Send, Phase::Await, Phase::Receive, Phase::Decode]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_time_out_that_races_with_the_first_byte_never_says_not_sent_of_a_byte_that_left() {
    let connector = Arc::new(connector());
    for round in 0..300 {
        let server = Server::start([Behaviour::Stall(Vec::new())]).await;
        let mut call = call(&server.url());
        call.timeouts.submit = Duration::from_micros(round * 10);
        let end = connector.submit(&call, &submit()).await;
        let seen = server.settled().await;
        if end.result.call_result() == CallResult::NotSent {
            assert_eq!(seen.bytes, 0, "after {round}0 µs");
        }
        assert!(seen.requests.len() <= 1);
    }
}

#[tokio::test]
async fn a_body_that_is_not_what_was_hashed_does_not_leave() {
    let server = Server::start([Behaviour::Answer(receipt())]).await;
    let other = Submit { body: b"{}".to_vec(), ..submit() };
    let end = connector().submit(&call(&server.url()), &other).await;
    assert_eq!(end.result.call_result(), CallResult::NotSent);
    assert_eq!(server.seen().opened, 0);
}

#[tokio::test]
async fn without_a_credential_nothing_leaves() {
    let server = Server::start([Behaviour::Answer(receipt())]).await;
    let call = call(&server.url()).with(None);
    let ends = [
        connector().submit(&call, &submit()).await,
        connector().lookup(&call, &Target::Key { first_sent: FIRST_SENT }).await,
        connector().abandon(&call, FIRST_SENT).await,
        *connector().catalogue(&call).await.unwrap_err(),
    ];
    for end in ends {
        let reason = crate::attempt::CallReason::NoCredential;
        assert_eq!(end.result, AttemptResult::NotSent { reason });
    }
    assert_eq!(server.seen().opened, 0);
}

#[tokio::test]
async fn an_address_that_docket_does_not_speak_to_gets_nothing() {
    let addresses = [
        "http://svc.example",
        "ftp://127.0.0.1",
        "https://user:pass@svc.example",
        "https://svc.example/?token=1",
        "not an address",
        "",
    ];
    for address in addresses {
        let end = connector().submit(&call(address), &submit()).await;
        let reason = crate::attempt::CallReason::RequestInvalid;
        assert_eq!(end.result, AttemptResult::NotSent { reason }, "{address}");
    }
    let mut outside = call("http://127.0.0.1:1");
    outside.account.tenant_id = "..".to_owned();
    let end = connector().submit(&outside, &submit()).await;
    assert_eq!(end.result.call_result(), CallResult::NotSent);
}
