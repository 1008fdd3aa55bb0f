//! Answers that prove nothing: pages, redirects, noise, another's job. The export is being confirmed
//! until something proves more, and is asked about before it is sent again.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    stage::Stage,
};
use docket_tests::{
    Back, Call, Message, Rule, Toward, World,
    proxy::rule::{page, problem, redirect, whole},
    story::{asked_before_sending, attempts, ended},
    world::week,
};

fn noise() -> Vec<(&'static str, Back)> {
    let edited = |edit: fn(&mut serde_json::Value)| {
        let edit = move |answer: &mut Message| answer.edit_json(edit);
        Back::Edited(std::sync::Arc::new(edit))
    };
    let json = "application/json";
    vec![
        ("not_the_service", Back::Instead(page(200, "Sign in to this network"))),
        ("service_error", Back::Instead(page(502, "Bad Gateway"))),
        ("service_error", Back::Instead(page(504, "Gateway Timeout"))),
        ("not_the_service", Back::Instead(page(403, "Forbidden"))),
        ("redirect", Back::Instead(redirect("http://127.0.0.1:1/portal"))),
        ("garbled", Back::Instead(b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec())),
        ("undecodable", Back::Instead(whole("202 Accepted", json, &[], "{\"business_id\":"))),
        ("no_job_named", Back::Instead(whole("202 Accepted", json, &[], ""))),
        ("no_job_named", Back::Instead(whole("202 Accepted", json, &[], "{}"))),
        ("mismatched", edited(|job| job["request_key"] = "another".into())),
        ("mismatched", edited(|job| job["tenant_id"] = "umbra".into())),
        ("mismatched", edited(|job| job["requested_by"] = "bob".into())),
    ]
}

#[tokio::test]
async fn what_is_not_the_services_word_proves_nothing() {
    for (reason, back) in noise() {
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([Rule::new(Call::Submit, Toward::Service, back.clone())]);
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        let submits = attempts(&saved, AttemptKind::Submit);
        assert_eq!(submits.len(), 1, "{reason}: found, not sent again");
        assert_eq!(submits[0].call_result, Some(CallResult::Lost), "{reason}");
        assert_eq!(submits[0].reason.as_deref(), Some(reason), "{back:?}");
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn nor_does_it_where_nothing_arrived() {
    for (reason, back) in noise() {
        if let Back::Edited(_) = back {
            continue;
        }
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([Rule::new(Call::Submit, Toward::Nowhere, back)]);
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Lost), 1, "{reason}");
        assert!(asked_before_sending(&saved), "{reason}");
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn a_gateway_gives_up_and_the_service_commits_later() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Kept, Back::Instead(page(504, "Gateway Timeout"))),
        Rule::new(Call::Key, Toward::Service, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Confirming).await;
    world.proxy.until_stalled(Call::Key).await;
    assert_eq!(world.rows().jobs(), [], "nothing has arrived yet");
    assert_eq!(world.proxy.deliver_kept().await.status(), Some(202));
    world.proxy.release();
    let saved = client.until_saved(&id).await;
    let looks = attempts(&saved, AttemptKind::Lookup);
    assert_ne!(looks[0].call_result, Some(CallResult::Answered));
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_late_copy_arrives_after_the_file_is_here() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Kept, Back::Close)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 2);
    let late = world.proxy.deliver_kept().await;
    assert_eq!(late.status(), Some(202));
    assert!(late.header("idempotency-replayed").is_some(), "{late:?}");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_answer_is_slow_but_whole() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Trickle(16))]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Answered), 1);
    assert_eq!(saved.looks, 0);
    world.holds(&[&client]);
}

#[tokio::test]
async fn an_answer_that_only_names_the_job_is_followed_there() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::edit(Call::Submit, |answer| answer.set_body(Vec::new())),
        Rule::instead(Call::Key, page(502, "Bad Gateway")).always(),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Lost), 1, "a Location is no receipt");
    assert_eq!(world.proxy.seen_of(Call::Key).len(), 0, "the best thing to ask about is the job");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_service_is_still_at_it() {
    let world = World::new().await;
    let client = world.client().await;
    let in_progress = problem(409, "in-progress", "", &[]);
    world.proxy.rules([Rule::instead(Call::Submit, in_progress)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let first = attempts(&saved, AttemptKind::Submit)[0];
    assert_eq!(first.call_result, Some(CallResult::Lost));
    assert_eq!(first.reason.as_deref(), Some("in_progress"));
    assert!(asked_before_sending(&saved));
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
