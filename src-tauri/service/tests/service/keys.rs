//! What a key is, its abandon, and the races between abandon and submit.

use std::time::Duration;

use docket_wire::KeyState;
use reqwest::Method;

use crate::world::{Headers, Key, World, http_date, ledger, orders};

#[tokio::test]
async fn a_key_is_absent_then_present() {
    let world = World::new().await;
    let key = Key::new(&world);
    let before = world.ada().look(&key, "orders").await.key();
    assert_eq!((before.state, before.export), (KeyState::Absent, None));
    let export = world.ada().submit(&key, &orders()).await.export();
    let after = world.ada().look(&key, "orders").await.key();
    assert_eq!(after.state, KeyState::Present);
    assert_eq!(after.export.unwrap().business_id, export.business_id);
    assert_eq!(world.ada().look(&key, "ledger").await.key().state, KeyState::Absent);
}

#[tokio::test]
async fn an_abandoned_key_never_runs() {
    let world = World::new().await;
    let key = Key::new(&world);
    for _ in 0..2 {
        assert_eq!(world.ada().abandon(&key, "orders").await.key().state, KeyState::Abandoned);
    }
    assert_eq!(world.ada().look(&key, "orders").await.key().state, KeyState::Abandoned);
    let late = world.ada().submit(&key, &orders()).await;
    assert_eq!(late.problem(), (410, "abandoned".to_owned()));
    assert_eq!((world.jobs(), world.records()), (0, 1));
    // An operation that nobody knows can be sealed too.
    assert_eq!(world.ada().abandon(&key, "retired").await.key().state, KeyState::Abandoned);
}

#[tokio::test]
async fn a_tombstone_keeps_no_name_of_any_length() {
    let world = World::new().await;
    let key = Key::new(&world);
    for wrong in [String::new(), "a".repeat(256)] {
        let sealed = world.ada().abandon(&key, &wrong).await;
        assert_eq!(sealed.problem(), (400, "malformed".to_owned()));
        let looked = world.ada().look(&key, &wrong).await;
        assert_eq!(looked.problem(), (400, "malformed".to_owned()));
    }
    assert_eq!(world.records(), 0);
    let longest = "a".repeat(255);
    assert_eq!(world.ada().abandon(&key, &longest).await.key().state, KeyState::Abandoned);
}

#[tokio::test]
async fn abandoning_a_key_that_has_a_job_gives_the_job() {
    let world = World::new().await;
    let key = Key::new(&world);
    let export = world.ada().submit(&key, &orders()).await.export();
    let status = world.ada().abandon(&key, "orders").await.key();
    assert_eq!(status.state, KeyState::Present);
    assert_eq!(status.export.unwrap().business_id, export.business_id);
}

#[tokio::test]
async fn submit_and_abandon_at_once_agree_on_who_was_first() {
    let world = World::new().await;
    let ada = world.ada();
    let mut abandoned = 0;
    for _ in 0..20 {
        let key = Key::new(&world);
        let payload = ledger(1);
        let (submit, abandon) =
            tokio::join!(ada.submit(&key, &payload), ada.abandon(&key, "ledger"));
        match abandon.key().state {
            KeyState::Present => assert_eq!(submit.status, 202),
            KeyState::Abandoned => {
                assert_eq!(submit.problem(), (410, "abandoned".to_owned()));
                abandoned += 1;
            }
            other @ (KeyState::Absent | KeyState::Expired) => panic!("{other:?}"),
        }
    }
    assert_eq!((world.jobs(), world.records()), (20 - abandoned, 20));
}

#[tokio::test]
async fn a_key_of_another_is_hidden_from_looks_and_conflicts_in_an_abandon() {
    let world = World::new().await;
    let (held, sealed) = (Key::new(&world), Key::new(&world));
    world.ada().submit(&held, &orders()).await;
    world.ada().abandon(&sealed, "orders").await;
    for key in [&held, &sealed] {
        let look = world.bob().look(key, "orders").await;
        assert_eq!(look.problem(), (404, "not-found".to_owned()));
        let abandon = world.bob().abandon(key, "orders").await;
        assert_eq!(abandon.problem(), (422, "key-conflict".to_owned()));
        assert_eq!(world.eve().look(key, "orders").await.key().state, KeyState::Absent);
    }
    assert_eq!(world.carol().look(&held, "orders").await.key().state, KeyState::Present);
    assert_eq!(world.carol().abandon(&held, "orders").await.key().state, KeyState::Present);
    assert_eq!(
        world.bob().submit(&sealed, &orders()).await.problem(),
        (422, "key-conflict".to_owned())
    );
}

#[tokio::test]
async fn an_old_unknown_key_is_expired_and_gets_no_tombstone() {
    let world = World::with_clock(|_| {}).await;
    let key = Key::new(&world);
    world.advance(Duration::from_secs(24 * 60 * 60 + 1));
    assert_eq!(world.ada().look(&key, "orders").await.key().state, KeyState::Expired);
    assert_eq!(world.ada().abandon(&key, "orders").await.key().state, KeyState::Expired);
    assert_eq!(world.records(), 0);
}

#[tokio::test]
async fn an_unknown_key_from_the_future_is_refused_everywhere() {
    let world = World::with_clock(|_| {}).await;
    let key = Key::new(&world);
    let ahead = Key {
        first_sent: key.first_sent.checked_add(jiff::SignedDuration::from_mins(6)).unwrap(),
        ..key
    };
    let refusal = (400, "clock-ahead".to_owned());
    assert_eq!(world.ada().look(&ahead, "orders").await.problem(), refusal);
    assert_eq!(world.ada().abandon(&ahead, "orders").await.problem(), refusal);
    assert_eq!(world.records(), 0);
}

#[tokio::test]
async fn a_question_about_a_key_must_be_whole() {
    let world = World::new().await;
    let now = http_date(world.now());
    let first_sent = ("repeatability-first-sent", now.as_str());
    let long = format!("request-keys/{}?operation=orders", "k".repeat(300));
    let cases: [(&str, Headers<'_>, &str); 5] = [
        ("request-keys/k?operation=orders", &[], "key-missing"),
        ("request-keys/k", &[first_sent], "malformed"),
        ("request-keys/k?operation=orders&x=1", &[first_sent], "malformed"),
        ("request-keys/k?operation=orders", &[("repeatability-first-sent", "x")], "malformed"),
        (&long, &[first_sent], "malformed"),
    ];
    for (rest, headers, name) in cases {
        let answer = world.ada().call(Method::GET, rest, headers).await;
        assert_eq!(answer.problem(), (400, name.to_owned()), "{rest}");
    }
}

#[tokio::test]
async fn looks_lag_by_what_the_service_says_and_abandons_do_not() {
    let lag = Duration::from_secs(5);
    let world = World::with_clock(|config| config.visibility_lag = lag).await;
    let key = Key::new(&world);
    let id = world.ada().submit(&key, &orders()).await.export().business_id;
    assert_eq!(world.ada().look(&key, "orders").await.key().state, KeyState::Absent);
    assert_eq!(world.ada().read(&id).await.status, 404);
    assert_eq!(world.ada().abandon(&key, "orders").await.key().state, KeyState::Present);
    world.advance(lag);
    assert_eq!(world.ada().look(&key, "orders").await.key().state, KeyState::Present);
    assert_eq!(world.ada().read(&id).await.status, 200);
}
