//! Cases from the field that are the service's own: keys that take turns, refusals that hold a key
//! back, a database that says no in the middle of a submit.

use std::time::Duration;

use docket_service::{Intake, RateLimit, Token};
use docket_wire::Problem;

use crate::world::{ADA, Key, World, ledger, never_ending, orders};

/// Ada, who may ask for these.
fn ada(operations: &[&str]) -> Token {
    Token::new(ADA, "acme", "ada").with_operations(operations.iter().copied())
}

#[tokio::test]
async fn keys_that_take_turns_are_each_remembered() {
    let world = World::new().await;
    let keys: Vec<Key> = (0..4).map(|_| Key::new(&world)).collect();
    let mut first = Vec::new();
    for key in &keys {
        first.push(world.ada().submit(key, &orders()).await.export().business_id);
    }
    // A memory of the latest key alone, or of one key for a path, would make each of them again.
    for (key, id) in keys.iter().zip(&first).chain(keys.iter().zip(&first).rev()) {
        let again = world.ada().submit(key, &orders()).await;
        assert_eq!(again.header("idempotency-replayed"), Some("true"));
        assert_eq!(&again.export().business_id, id);
    }
    assert_eq!((world.jobs(), world.records()), (4, 4));
}

#[tokio::test]
async fn no_refusal_of_any_kind_holds_its_key_back() {
    let world = World::with(|config| {
        config.rate_limit = Some(RateLimit { submits: 3, per: Duration::from_secs(600) });
        config.max_open_jobs = 2;
        never_ending(config);
    })
    .await;
    let (key, payload) = (Key::new(&world), ledger(1));
    let refused = async |status: u16, kind: &str| {
        let answer = world.ada().submit(&key, &payload).await;
        assert_eq!(answer.problem(), (status, kind.to_owned()));
        assert_eq!(world.count("SELECT count(*) FROM request_record WHERE subject = 'ada'"), 0);
    };
    world.service.replace_tokens(vec![]).unwrap();
    refused(401, "unauthenticated").await;
    world.service.replace_tokens(vec![ada(&["orders"])]).unwrap();
    refused(403, "forbidden").await;
    world.service.replace_tokens(vec![ada(&["ledger"])]).unwrap();
    let wrong = serde_json::json!({"operation": "ledger", "format": "csv", "parameters": {}});
    let answer = world.ada().submit(&key, &wrong).await;
    assert_eq!(answer.problem(), (422, "invalid-parameters".to_owned()));
    world.service.set_intake(Intake::Draining);
    refused(503, "unavailable").await;
    world.service.set_intake(Intake::Open);

    // Judged afresh each time: the same key, once there is nothing against it.
    let answer = world.ada().submit(&key, &payload).await;
    assert_eq!((answer.status, answer.header("idempotency-replayed")), (202, None));
    assert_eq!((world.jobs(), world.records()), (1, 1));
}

#[tokio::test]
async fn no_room_and_too_many_hold_no_key_back_either() {
    let world = World::with(|config| {
        config.max_open_jobs = 1;
        never_ending(config);
    })
    .await;
    let held = Key::new(&world);
    let id = world.ada().submit(&held, &ledger(1)).await.export().business_id;
    let key = Key::new(&world);
    let full = world.ada().submit(&key, &ledger(1)).await;
    assert_eq!(full.problem(), (503, "unavailable".to_owned()));
    assert_eq!(full.json::<Problem>().accepted, Some(false));
    assert_eq!(world.records(), 1);
    world.ada().cancel(&id).await;
    world.ada().until(&id, &docket_wire::JobStatus::Cancelled).await;
    let answer = world.ada().submit(&key, &ledger(1)).await;
    assert_eq!((answer.status, answer.header("idempotency-replayed")), (202, None));
    assert_eq!(world.jobs(), 2);
}

#[tokio::test]
async fn what_the_database_would_not_take_is_an_error_and_leaves_nothing() {
    let world = World::new().await;
    let database = rusqlite::Connection::open(world.database()).unwrap();
    database.busy_timeout(Duration::from_secs(10)).unwrap();
    // The key is claimed first; the job's row is what the database refuses.
    database
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON export_job BEGIN SELECT RAISE(FAIL, 'no'); END",
        )
        .unwrap();
    let key = Key::new(&world);
    let answer = world.ada().submit(&key, &orders()).await;
    assert_eq!(answer.problem(), (500, "internal".to_owned()));
    // Whether a write landed is more than the service may say here: it calls nothing "not accepted".
    assert_eq!(answer.json::<Problem>().accepted, None);
    assert_eq!((world.jobs(), world.records()), (0, 0), "both rows or none");

    database.execute_batch("DROP TRIGGER full").unwrap();
    let answer = world.ada().submit(&key, &orders()).await;
    assert_eq!((answer.status, answer.header("idempotency-replayed")), (202, None));
    assert_eq!((world.jobs(), world.records()), (1, 1));
}
