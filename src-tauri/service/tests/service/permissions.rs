//! Who may do what: every call, and nothing that hints at what may not be seen.

use docket_service::Token;
use docket_wire::{JobStatus, Problem};
use reqwest::Method;

use crate::world::{ADA, Key, World, ledger, orders};

#[tokio::test]
async fn without_a_good_credential_every_call_is_401() {
    let world = World::new().await;
    let calls = [
        (Method::GET, "operations"),
        (Method::POST, "exports"),
        (Method::GET, "exports"),
        (Method::GET, "exports/exp_1"),
        (Method::POST, "exports/exp_1/cancel"),
        (Method::GET, "exports/exp_1/file"),
        (Method::GET, "request-keys/k?operation=orders"),
        (Method::POST, "request-keys/k/abandon?operation=orders"),
    ];
    for (method, rest) in calls {
        let path = format!("/v1/tenants/acme/{rest}");
        for (authorization, challenge) in [
            (None, "Bearer realm=\"docket\""),
            (Some("Basic YWRhOng="), "Bearer realm=\"docket\""),
            (Some("Bearer wrong"), "Bearer realm=\"docket\", error=\"invalid_token\""),
        ] {
            let headers: Vec<_> =
                authorization.iter().map(|value| ("authorization", *value)).collect();
            let answer = world.send(method.clone(), &path, &headers, "").await.unwrap();
            assert_eq!(answer.problem(), (401, "unauthenticated".to_owned()), "{path}");
            assert_eq!(answer.header("www-authenticate"), Some(challenge));
        }
    }
}

#[tokio::test]
async fn an_operation_that_is_not_granted_is_403_and_names_whom_to_ask() {
    let world = World::new().await;
    let payload = serde_json::json!({"operation": "customers", "parameters": {}, "format": "csv"});
    let answer = world.bob().submit(&Key::new(&world), &payload).await;
    assert_eq!(answer.problem(), (403, "forbidden".to_owned()));
    let problem: Problem = answer.json();
    assert_eq!(problem.permission.as_deref(), Some("customers"));
    assert_eq!(problem.owner.as_deref(), Some("Dana, Finance"));

    let unknown = serde_json::json!({"operation": "secrets", "parameters": {}, "format": "csv"});
    let answer = world.bob().submit(&Key::new(&world), &unknown).await;
    assert_eq!(answer.problem(), (404, "unknown-operation".to_owned()));
    assert_eq!((world.jobs(), world.records()), (0, 0));
}

#[tokio::test]
async fn what_another_asked_for_does_not_exist_for_those_who_may_not_see_it() {
    let world = World::new().await;
    let export = world.ada().export(&orders()).await;
    let id = export.business_id.as_str();
    let hash = export.payload_hash;
    for stranger in [world.bob(), world.eve()] {
        for answer in
            [stranger.read(id).await, stranger.cancel(id).await, stranger.file(id, &[]).await]
        {
            assert_eq!(answer.problem(), (404, "not-found".to_owned()));
        }
        for query in [format!("exports?payload_hash={hash}"), "exports?requested_by=ada".to_owned()]
        {
            let list: docket_wire::ExportList =
                stranger.call(Method::GET, &query, &[]).await.json();
            assert_eq!(list.items, []);
        }
    }
    let (path, ada) = (format!("/v1/tenants/umbra/exports/{id}"), format!("Bearer {ADA}"));
    let elsewhere = world.send(Method::GET, &path, &[("authorization", &ada)], "").await.unwrap();
    assert_eq!(elsewhere.problem(), (404, "not-found".to_owned()));

    assert_eq!(world.carol().read(id).await.export(), export);
    assert_eq!(world.carol().file(id, &[]).await.status, 200);
    let list: docket_wire::ExportList =
        world.carol().call(Method::GET, "exports?requested_by=ada", &[]).await.json();
    assert_eq!(list.items, [export]);
}

#[tokio::test]
async fn a_permission_that_is_taken_away_is_gone_with_the_next_call() {
    let world = World::new().await;
    let key = Key::new(&world);
    let id = world.ada().submit(&key, &ledger(10)).await.export().business_id;
    world.ada().until(&id, &JobStatus::Succeeded).await;

    world.service.replace_tokens(vec![Token::new(ADA, "acme", "ada")]).unwrap();
    // What became of it may still be learnt; neither a replay nor the file is given.
    assert_eq!(world.ada().read(&id).await.status, 200);
    assert_eq!(world.ada().look(&key, "ledger").await.status, 200);
    assert_eq!(world.ada().file(&id, &[]).await.problem(), (403, "forbidden".to_owned()));
    let replay = world.ada().submit(&key, &ledger(10)).await;
    assert_eq!(replay.problem(), (403, "forbidden".to_owned()));

    let token = Token::new(ADA, "acme", "ada").with_operations(["ledger"]);
    world.service.replace_tokens(vec![token]).unwrap();
    let replay = world.ada().submit(&key, &ledger(10)).await;
    assert_eq!((replay.status, replay.header("idempotency-replayed")), (202, Some("true")));

    world.service.replace_tokens(Vec::new()).unwrap();
    assert_eq!(world.ada().read(&id).await.problem(), (401, "unauthenticated".to_owned()));
    assert_eq!(world.jobs(), 1);
}

#[tokio::test]
async fn paths_and_methods_that_do_not_exist_are_problems_too() {
    let world = World::new().await;
    let answer = world.ada().call(Method::GET, "nothing", &[]).await;
    assert_eq!(answer.problem(), (404, "not-found".to_owned()));
    let answer = world.ada().call(Method::DELETE, "exports/exp_1", &[]).await;
    assert_eq!(answer.problem(), (405, "about:blank".to_owned()));
    assert_eq!(answer.header("allow"), Some("GET,HEAD"));
}
