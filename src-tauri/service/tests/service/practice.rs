//! Practice mode, and its weather: each loss is real at the socket.

use std::{io::Read, net::TcpStream, time::Duration};

use docket_service::{
    Config, Faults, Rule,
    faults::{Call, CutAt, Effect, Fate, Page},
};
use docket_wire::{JobStatus, KeyState};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Key, World, eventually, ledger};

fn practice(config: &mut Config) {
    config.practice = true;
}

async fn weather(rule: Rule) -> World {
    let world = World::new().await;
    world.service.faults().set(vec![rule]);
    world
}

#[tokio::test]
async fn practice_makes_a_tenant_and_a_token() {
    let world = World::with(practice).await;
    let token = world.service.practice_token().unwrap().to_owned();
    let you = world.caller("practice", &token);
    let list: docket_wire::OperationList = you.call(Method::GET, "operations", &[]).await.json();
    assert_eq!(list.operations.len(), 3);
    assert_eq!(you.export(&ledger(10)).await.status, JobStatus::Succeeded);
    // Other credentials may be changed; this one stays.
    world.service.replace_tokens(Vec::new()).unwrap();
    assert_eq!(you.call(Method::GET, "operations", &[]).await.status, 200);
}

#[tokio::test]
async fn rules_are_set_and_read_over_http_by_the_practice_token_alone() {
    let world = World::with(practice).await;
    let token = format!("Bearer {}", world.service.practice_token().unwrap());
    let rules = json!({"rules": [{"on": "submit", "do": "lose_answer_after_commit"}]});
    let put = |authorization: String, rules: Value| {
        let world = &world;
        async move {
            let headers = [("authorization", authorization.as_str())];
            world.send(Method::PUT, "/practice/faults", &headers, rules.to_string()).await.unwrap()
        }
    };
    let expected = json!({"refusing": false, "rules": [
        {"on": "submit", "times": 1, "do": "lose_answer_after_commit"}]});
    assert_eq!(put(token.clone(), rules.clone()).await.json::<Value>(), expected);
    let headers = [("authorization", token.as_str())];
    let read = world.send(Method::GET, "/practice/faults", &headers, "").await.unwrap();
    assert_eq!(read.json::<Value>(), expected);
    let wrong = json!({"rules": [{"do": "stall", "seconds": -1}]});
    assert_eq!(put(token, wrong).await.status, 400);
    let ada = format!("Bearer {}", crate::world::ADA);
    assert_eq!(put(ada, rules.clone()).await.status, 404);

    let plain = World::new().await;
    let headers = [("authorization", "Bearer secret-of-ada")];
    let answer = plain.send(Method::GET, "/practice/faults", &headers, "").await.unwrap();
    assert_eq!(answer.status, 404);
}

#[tokio::test]
async fn a_lost_answer_is_a_commit_and_a_closed_connection() {
    let world = weather(Rule::new(Call::Submit, Effect::LoseAnswerAfterCommit)).await;
    let key = Key::new(&world);
    let error = world.ada().try_submit(&key, &ledger(1)).await.unwrap_err();
    assert!(error.is_request() && !error.is_connect(), "{error:?}");
    assert_eq!(world.jobs(), 1);
    let known = world.ada().look(&key, "ledger").await.key();
    assert_eq!(known.state, KeyState::Present);
    let again = world.ada().submit(&key, &ledger(1)).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
}

#[tokio::test]
async fn a_connection_that_closes_before_reading_did_nothing() {
    let world = weather(Rule::new(Call::Submit, Effect::CloseBeforeReading)).await;
    let key = Key::new(&world);
    assert!(world.ada().try_submit(&key, &ledger(1)).await.is_err());
    assert_eq!((world.jobs(), world.records()), (0, 0));
    assert_eq!(world.ada().submit(&key, &ledger(1)).await.status, 202);
}

#[tokio::test]
async fn a_delayed_request_is_handled_after_its_caller_has_gone() {
    let world = weather(Rule::new(Call::Submit, Effect::Delay { seconds: 0.5 })).await;
    let key = Key::new(&world);
    let ada = world.ada();
    let payload = ledger(1);
    let gone =
        tokio::time::timeout(Duration::from_millis(100), ada.try_submit(&key, &payload)).await;
    assert!(gone.is_err());
    assert_eq!(world.jobs(), 0);
    eventually(|| world.jobs() == 1).await;
    assert_eq!(ada.look(&key, "ledger").await.key().state, KeyState::Present);
}

#[tokio::test]
async fn a_stalled_answer_comes_late_and_its_commit_does_not() {
    let world = weather(Rule::new(Call::Submit, Effect::Stall { seconds: 1.0 })).await;
    let key = Key::new(&world);
    let ada = world.ada();
    let payload = ledger(1);
    let (answer, ()) = tokio::join!(ada.submit(&key, &payload), eventually(|| world.jobs() == 1));
    assert_eq!(answer.status, 202);
}

#[tokio::test]
async fn an_answer_breaks_off_in_its_head_or_in_its_body() {
    for (at, head_is_seen) in [(CutAt::Head, false), (CutAt::Body, true)] {
        let world = weather(Rule::new(Call::Submit, Effect::TruncateAnswer { at })).await;
        let error = world.ada().try_submit(&Key::new(&world), &ledger(1)).await.unwrap_err();
        assert_eq!(error.is_decode() || error.is_body(), head_is_seen, "{error:?}");
        assert_eq!(world.jobs(), 1);
    }
}

#[tokio::test]
async fn something_in_between_answers_and_the_request_is_dropped_or_handled() {
    for (fate, jobs) in [(Fate::Dropped, 0), (Fate::Handled, 1)] {
        let page = Effect::Status {
            code: 504,
            body: Page::Html,
            problem: None,
            retry_after: Some(7),
            request: fate,
        };
        let world = weather(Rule::new(Call::Poll, page.clone())).await;
        world.service.faults().set(vec![Rule::new(Call::Submit, page)]);
        let key = Key::new(&world);
        let answer = world.service.faults();
        assert_eq!(answer.rules().len(), 1);
        let sent = raw_submit(&world, &key).await;
        assert!(sent.contains("504 Gateway Timeout") && sent.contains("retry-after: 7"), "{sent}");
        assert!(sent.contains("text/html"), "{sent}");
        assert_eq!(world.jobs(), jobs);
    }
    let world = weather(Rule::new(Call::Submit, Effect::Html200 { request: Fate::Dropped })).await;
    let sent = raw_submit(&world, &Key::new(&world)).await;
    assert!(sent.starts_with("HTTP/1.1 200 OK") && sent.contains("<html>"), "{sent}");

    let problem = Effect::Status {
        code: 409,
        body: Page::Problem,
        problem: Some("in-progress".to_owned()),
        retry_after: None,
        request: Fate::Dropped,
    };
    let world = weather(Rule::new(Call::Any, problem)).await;
    let answer = world.ada().submit(&Key::new(&world), &ledger(1)).await;
    assert_eq!(answer.problem(), (409, "in-progress".to_owned()));
}

/// A submit whose answer is no part of the protocol, so it is read as bytes.
async fn raw_submit(world: &World, key: &Key) -> String {
    let body = ledger(1).to_string();
    let request = format!(
        "POST /v1/tenants/acme/exports HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         authorization: Bearer {}\r\ncontent-type: application/json\r\nidempotency-key: \"{}\"\r\n\
         repeatability-first-sent: {}\r\ncontent-length: {}\r\n\r\n{body}",
        crate::world::ADA,
        key.name,
        crate::world::http_date(key.first_sent),
        body.len()
    );
    let address = world.service.address();
    tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn a_refused_connection_meets_no_listener_until_the_weather_clears() {
    let world = World::with(practice).await;
    let address = world.service.address();
    let faults: Faults = world.service.faults();
    // The call that brings the outage about is still answered.
    let authorization = format!("Bearer {}", world.service.practice_token().unwrap());
    let rules = json!({"rules": [{"do": "refuse_connections", "seconds": 1000}]}).to_string();
    let headers = [("authorization", authorization.as_str())];
    let answer = world.send(Method::PUT, "/practice/faults", &headers, rules).await.unwrap();
    assert_eq!(answer.json::<Value>()["refusing"], true);
    let is_refused = || {
        TcpStream::connect(address)
            .is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionRefused)
    };
    eventually(is_refused).await;
    let error = world.ada().try_submit(&Key::new(&world), &ledger(1)).await.unwrap_err();
    assert!(error.is_connect(), "{error:?}");
    faults.clear();
    eventually(|| TcpStream::connect(address).is_ok()).await;
    assert_eq!(world.ada().submit(&Key::new(&world), &ledger(1)).await.status, 202);

    faults.add(Rule::new(Call::Any, Effect::RefuseConnections { seconds: 0.2 }));
    eventually(|| !faults.is_refusing() && TcpStream::connect(address).is_ok()).await;
    assert_eq!(world.jobs(), 1);
}

#[tokio::test]
async fn an_outage_breaks_open_connections() {
    let world = World::with(crate::world::never_ending).await;
    let id = world.ada().submit(&Key::new(&world), &ledger(1)).await.export().business_id;
    world.ada().until(&id, &JobStatus::Running).await;
    let ada = world.ada();
    let rest = format!("exports/{id}");
    let poll = ada.call_with(Method::GET, &rest, &[("prefer", "wait=30")], "");
    let outage = async {
        eventually(|| true).await;
        let rule = Rule::new(Call::Any, Effect::RefuseConnections { seconds: 1.0 });
        world.service.faults().add(rule);
    };
    let (broken, ()) = tokio::join!(poll, outage);
    assert!(broken.is_err());
}
