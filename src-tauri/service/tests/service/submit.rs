//! `POST …/exports`: each status, and one job for one key.

use std::time::Duration;

use docket_service::{Intake, RateLimit};
use docket_wire::{JobStatus, Problem};
use reqwest::Method;
use serde_json::{Value, json};

use crate::world::{Headers, Key, World, http_date, ledger, never_ending, orders};

#[tokio::test]
async fn a_submit_is_accepted_and_its_job_named() {
    let world = World::new().await;
    let key = Key::new(&world);
    let answer = world.ada().submit(&key, &orders()).await;
    assert_eq!(answer.status, 202);
    let export = answer.export();
    let location = format!("/v1/tenants/acme/exports/{}", export.business_id);
    assert_eq!(answer.header("location"), Some(location.as_str()));
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    assert_eq!(answer.header("idempotency-replayed"), None);
    assert_eq!(export.status, JobStatus::Queued);
    assert_eq!(export.request_key.as_deref(), Some(key.name.as_str()));
    assert_eq!((export.tenant_id.as_str(), export.requested_by.as_str()), ("acme", "ada"));
    assert_eq!((export.service_epoch, export.revision), (1, 1));
    let canonical = docket_wire::canonical_json(&orders()).unwrap();
    assert_eq!(export.payload_hash, docket_wire::PayloadHash::of(&canonical));
}

#[tokio::test]
async fn the_same_key_again_is_answered_with_the_job_as_it_is_now() {
    let world = World::new().await;
    let key = Key::new(&world);
    let first = world.ada().submit(&key, &orders()).await.export();
    let done = world.ada().until(&first.business_id, &JobStatus::Succeeded).await;
    // Another order of members and other white space are the same payload.
    let respelt: Value = serde_json::from_str(
        r#"{"format":"csv", "parameters":{"region":["north","east"],"to":"2026-11-07","from":"2026-11-01"},
            "operation":"orders"}"#,
    )
    .unwrap();
    let again = world.ada().submit(&key, &respelt).await;
    assert_eq!(again.status, 202);
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.export(), done);
    assert_eq!(world.jobs(), 1);
}

#[tokio::test]
async fn one_key_sent_many_times_at_once_makes_one_job() {
    let world = World::new().await;
    let (key, ada) = (Key::new(&world), world.ada());
    let payload = orders();
    let answers = futures_util::future::join_all((0..12).map(|_| ada.submit(&key, &payload))).await;
    let replays = answers.iter().filter(|a| a.header("idempotency-replayed") == Some("true"));
    assert_eq!(replays.count(), 11);
    assert!(answers.iter().all(|answer| answer.status == 202));
    let ids: Vec<String> = answers.iter().map(|answer| answer.export().business_id).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!((world.jobs(), world.records()), (1, 1));
}

#[tokio::test]
async fn one_key_with_two_payloads_at_once_makes_one_job_and_one_conflict() {
    let world = World::new().await;
    let (key, ada) = (Key::new(&world), world.ada());
    let mut other = orders();
    other["parameters"]["to"] = "2026-11-08".into();
    let payload = orders();
    let (one, two) = tokio::join!(ada.submit(&key, &payload), ada.submit(&key, &other));
    let (accepted, refused) = if one.status == 202 { (one, two) } else { (two, one) };
    assert_eq!(accepted.status, 202);
    assert_eq!(refused.problem(), (422, "key-conflict".to_owned()));
    assert_eq!((world.jobs(), world.records()), (1, 1));
}

#[tokio::test]
async fn a_key_of_another_subject_conflicts_and_one_of_another_tenant_does_not() {
    let world = World::new().await;
    let key = Key::new(&world);
    assert_eq!(world.ada().submit(&key, &orders()).await.status, 202);
    for other in [world.bob(), world.carol()] {
        let answer = other.submit(&key, &orders()).await;
        assert_eq!(answer.problem(), (422, "key-conflict".to_owned()));
    }
    let eve = world.eve().submit(&key, &orders()).await;
    assert_eq!((eve.status, eve.header("idempotency-replayed")), (202, None));
    // The operation is a part of the key's name.
    assert_eq!(world.ada().submit(&key, &ledger(1)).await.header("idempotency-replayed"), None);
    assert_eq!(world.jobs(), 3);
}

#[tokio::test]
async fn a_submit_that_can_not_be_read_is_refused_and_leaves_no_record() {
    let world = World::with(|config| config.max_body = 1000).await;
    let ada = world.ada();
    let now = http_date(world.now());
    let json = ("content-type", "application/json");
    let key = ("idempotency-key", "\"k\"");
    let first_sent = ("repeatability-first-sent", now.as_str());
    let body = orders().to_string();
    let long = format!("{body}{}", " ".repeat(1000));
    let with_key = format!("{}, \"more\": 1}}", body.trim_end_matches('}'));
    let cases: [(Headers<'_>, &str, (u16, &str)); 12] = [
        (&[key, first_sent], &body, (415, "unsupported-media-type")),
        (&[("content-type", "text/json"), key, first_sent], &body, (415, "unsupported-media-type")),
        (&[json, key, first_sent], &long, (413, "too-large")),
        (&[json, key, first_sent], "{", (400, "malformed")),
        (&[json, key, first_sent], "[]", (400, "malformed")),
        (&[json, key, first_sent], &with_key, (400, "malformed")),
        (&[json, first_sent], &body, (400, "key-missing")),
        (&[json, key], &body, (400, "key-missing")),
        (&[json, ("idempotency-key", "k"), first_sent], &body, (400, "malformed")),
        (&[json, ("idempotency-key", "\"\""), first_sent], &body, (400, "malformed")),
        (&[json, key, ("repeatability-first-sent", "today")], &body, (400, "malformed")),
        (&[json, key, key, first_sent], &body, (400, "malformed")),
    ];
    for (headers, body, (status, name)) in cases {
        let answer =
            ada.call_with(Method::POST, "exports", headers, body.to_owned()).await.unwrap();
        assert_eq!(answer.problem(), (status, name.to_owned()), "{headers:?} {body}");
    }
    assert_eq!((world.jobs(), world.records()), (0, 0));
}

#[tokio::test]
async fn wrong_parameters_are_named_field_by_field_in_the_callers_language() {
    let world = World::new().await;
    let payload = json!({"operation": "orders", "format": "csv",
        "parameters": {"from": "2026-02-30", "to": "2026-03-01", "region": ["moon"]}});
    let problem: Problem = world.ada().submit(&Key::new(&world), &payload).await.json();
    let fields: Vec<&str> = problem.errors.iter().map(|error| error.pointer.as_str()).collect();
    assert_eq!(fields, ["/from", "/region/0"]);
    assert!(problem.errors[1].detail.starts_with("Choose one of these: North, "));

    let key = Key::new(&world);
    let (name, first_sent) = (format!("\"{}\"", key.name), http_date(key.first_sent));
    let headers = [
        ("content-type", "application/json; charset=utf-8"),
        ("idempotency-key", name.as_str()),
        ("repeatability-first-sent", first_sent.as_str()),
        ("accept-language", "zh-CN, en;q=0.5"),
    ];
    let body =
        r#"{"operation": "ledger", "format": "csv", "parameters": {"rows": 9007199254740993}}"#;
    let answer = world.ada().call_with(Method::POST, "exports", &headers, body).await.unwrap();
    assert_eq!(answer.problem(), (422, "invalid-parameters".to_owned()));
    let problem: Problem = answer.json();
    assert_eq!(problem.errors[0].pointer, "/rows");

    let too_long =
        json!({"operation": "ledger", "format": "xlsx", "parameters": {"rows": 1_048_576}});
    let answer = world.ada().submit(&Key::new(&world), &too_long).await;
    assert_eq!(answer.problem(), (422, "invalid-parameters".to_owned()));
    assert_eq!((world.jobs(), world.records()), (0, 0));

    // Mended under the same key: a refusal left nothing behind.
    assert_eq!(world.ada().submit(&key, &ledger(10)).await.status, 202);
}

#[tokio::test]
async fn an_unknown_key_may_be_neither_too_old_nor_from_the_future() {
    let world = World::with_clock(|_| {}).await;
    let minutes = |minutes: i64| {
        Key::minted(world.now().checked_add(jiff::SignedDuration::from_mins(minutes)).unwrap())
    };
    let problem = |minutes_from_now| {
        let key = minutes(minutes_from_now);
        let world = &world;
        async move { world.ada().submit(&key, &ledger(1)).await.problem() }
    };
    assert_eq!(problem(-24 * 60 - 1).await, (412, "key-expired".to_owned()));
    assert_eq!(problem(6).await, (400, "clock-ahead".to_owned()));
    assert_eq!(world.ada().submit(&minutes(-24 * 60), &ledger(1)).await.status, 202);
    let known = minutes(5);
    assert_eq!(world.ada().submit(&known, &ledger(1)).await.status, 202);
    // A key that is known is replayed, however old it has become.
    world.advance(Duration::from_secs(24 * 60 * 60 + 6 * 60));
    let again = world.ada().submit(&known, &ledger(1)).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (202, Some("true")));
    assert_eq!(world.jobs(), 2);
}

#[tokio::test]
async fn a_recorded_key_is_replayed_while_new_ones_are_put_off() {
    let world = World::with(|config| {
        config.rate_limit = Some(RateLimit { submits: 1, per: Duration::from_secs(600) });
        config.max_open_jobs = 1;
        never_ending(config);
    })
    .await;
    let key = Key::new(&world);
    assert_eq!(world.ada().submit(&key, &ledger(1)).await.status, 202);
    let replayed = || async {
        let answer = world.ada().submit(&key, &ledger(1)).await;
        assert_eq!((answer.status, answer.header("idempotency-replayed")), (202, Some("true")));
    };

    let limited = world.ada().submit(&Key::new(&world), &ledger(1)).await;
    assert_eq!(limited.problem(), (429, "rate-limited".to_owned()));
    assert_eq!(limited.json::<Problem>().accepted, Some(false));
    let wait: u64 = limited.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
    replayed().await;

    let full = world.bob().submit(&Key::new(&world), &ledger(1)).await;
    assert_eq!(full.problem(), (503, "unavailable".to_owned()));
    assert_eq!(full.json::<Problem>().accepted, Some(false));
    assert!(full.header("retry-after").is_some());

    world.service.set_intake(Intake::Draining);
    let draining = world.carol().submit(&Key::new(&world), &ledger(1)).await;
    assert_eq!(draining.problem(), (503, "unavailable".to_owned()));
    replayed().await;
    assert_eq!((world.jobs(), world.records()), (1, 1));

    // None of the refusals holds a key back.
    world.service.set_intake(Intake::Open);
    world
        .ada()
        .cancel(&world.ada().look(&key, "ledger").await.key().export.unwrap().business_id)
        .await;
}
