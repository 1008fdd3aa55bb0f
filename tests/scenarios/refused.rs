//! Refusals and answers to come back later: what they prove, what is sealed, what goes again.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    clock::{Clock, SystemClock},
    journal::Hold,
    stage::Stage,
    view::{ErrorCode, Knowing, RequestExport},
};
use docket_service::{Intake, Token};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    calls::http_date,
    proxy::rule::problem,
    story::{attempts, ended},
    world::{ADA, TENANT, week},
};
use serde_json::json;
use std::time::Duration;

/// Ada may ask for nothing more.
fn withdraw(world: &World) {
    let nothing = Token::new(ADA, TENANT, "ada");
    world.service().replace_tokens(vec![nothing]).expect("a token of ours");
}

#[tokio::test]
async fn wrong_parameters_are_rejected_field_by_field_and_sealed() {
    let world = World::new().await;
    let client = world.client().await;
    let backwards = json!({"from": "2026-11-07", "to": "2026-11-01"});
    let id = client.ask(backwards).await;
    let rejected = client.until_stage(&id, Stage::Rejected).await;
    assert_eq!(rejected.reason.as_deref(), Some("invalid-parameters"));
    assert!(!rejected.problem.unwrap().errors.is_empty());
    client
        .until(&id, "its seal", |view| ended(view, AttemptKind::Abandon, CallResult::Answered) == 1)
        .await;
    assert_eq!(client.now(&id).await.stage, Stage::Rejected);
    assert_eq!(world.rows().jobs(), []);
    assert_eq!(world.rows().records()[0].state, "abandoned");

    let mended = RequestExport { supersedes: Some(id.to_string()), ..client.form(week()).await };
    let mended = client.send(mended).await;
    let saved = client.until_saved(&mended).await;
    assert_ne!(saved.request_key, client.now(&id).await.request_key, "a new intent, a new key");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_mended_one_waits_for_the_seal() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Abandon, Toward::Service, Back::Stall)]);
    let id = client.ask(json!({"from": "2026-11-07", "to": "2026-11-01"})).await;
    client.until_stage(&id, Stage::Rejected).await;
    world.proxy.until_stalled(Call::Abandon).await;
    let mended = RequestExport { supersedes: Some(id.to_string()), ..client.form(week()).await };
    let mended = client.send(mended).await;
    let waiting = client.until_stage(&mended, Stage::WaitingToSend).await;
    assert_eq!(waiting.reason.as_deref(), Some("after_seal"));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "nothing goes before the seal");
    world.proxy.release();
    client.until_saved(&mended).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_refusal_after_a_loss_is_sealed_before_it_is_believed() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Kept, Back::Close),
        Rule::new(Call::Key, Toward::Service, Back::StallAt(docket_tests::At::Body(1))),
        Rule::new(Call::Abandon, Toward::Service, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    withdraw(&world);
    world.proxy.release();
    world.proxy.until_stalled(Call::Abandon).await;
    let refused = client.now(&id).await;
    assert_eq!(refused.stage, Stage::Confirming, "the lost one may have made a job");
    world.proxy.release();
    let rejected = client.until_stage(&id, Stage::Rejected).await;
    assert_eq!(rejected.reason.as_deref(), Some("forbidden"));
    assert_eq!(attempts(&rejected, AttemptKind::Submit).len(), 2);
    world.service().replace_tokens(vec![docket_tests::world::ada()]).unwrap();
    assert_eq!(world.proxy.deliver_kept().await.status(), Some(410), "the late copy loses");
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_seal_finds_the_job_of_the_lost_one() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        // A replica that lags: the job is there and is not shown.
        Rule::edit(Call::Key, |answer| {
            answer.edit_json(|key| {
                key["state"] = "absent".into();
                key.as_object_mut().expect("an object").remove("export");
            });
        }),
        Rule::new(Call::Submit, Toward::Nowhere, Back::Instead(problem(403, "forbidden", "", &[]))),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Abandon).len(), 1);
    assert!(!client.witness.views_of(&id).iter().any(|view| view.stage == Stage::Rejected));
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_key_of_somebody_else_needs_no_seal() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::instead(Call::Submit, problem(422, "key-conflict", "", &[]))]);
    let id = client.ask(week()).await;
    let rejected = client.until_stage(&id, Stage::Rejected).await;
    assert_eq!(rejected.next_action_at, None);
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_report_that_is_not_in_the_catalogue_is_not_recorded() {
    let world = World::new().await;
    let client = world.client().await;
    let form = RequestExport { operation: "salaries".to_owned(), ..client.form(week()).await };
    let refused = client.engine.request(form).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::UnknownOperation);
    assert_eq!(client.all().await.len(), 0);
    let precise = json!({"from": "2026-11-01", "rows": 9_007_199_254_740_993_u64});
    let refused = client.engine.request(client.form(precise).await).await.unwrap_err();
    assert_eq!((refused.code, refused.fields.len()), (ErrorCode::InvalidParameters, 1));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0);
}

#[tokio::test]
async fn a_service_that_drains_is_asked_again_with_the_same_key() {
    let world = World::new().await;
    let client = world.client().await;
    world.service().set_intake(Intake::Draining);
    let id = client.ask(week()).await;
    let waiting = client
        .until(&id, "put off", |view| {
            view.stage == Stage::WaitingToSend && view.call_result == Some(CallResult::Answered)
        })
        .await;
    assert_eq!(waiting.reason.as_deref(), Some("deferred"));
    world.service().set_intake(Intake::Open);
    client.engine.send_now(&id).await.unwrap();
    client.until_saved(&id).await;
    let submits = world.proxy.seen_of(Call::Submit);
    assert!(submits.iter().all(|seen| seen.key == submits[0].key));
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

/// When the next try is planned after this `Retry-After`, in seconds from now.
async fn put_off(world: &World, client: &Client, retry_after: &str) -> i64 {
    let put_off =
        problem(429, "rate-limited", ",\"accepted\":false", &[("retry-after", retry_after)]);
    world.proxy.rules([Rule::instead(Call::Submit, put_off)]);
    let id = client.ask(week()).await;
    let waiting =
        client.until(&id, "put off", |view| view.call_result == Some(CallResult::Answered)).await;
    assert_eq!(waiting.stage, Stage::WaitingToSend, "{retry_after}");
    let at = waiting.next_action_at.expect("a time");
    let seconds = at.duration_since(SystemClock.now()).as_secs();
    client.engine.send_now(&id).await.expect("it waits to be sent");
    client.until_saved(&id).await;
    seconds
}

#[tokio::test]
async fn every_form_of_retry_after_is_read_and_clamped() {
    let world = World::new().await;
    let client = world.client().await;
    let in_half_an_hour = SystemClock.now() + Duration::from_secs(1800);
    let cases = [
        ("600", 595..=600),
        (&*http_date(in_half_an_hour), 1790..=1800),
        ("Thu, 31 Dec 2099 23:59:59 GMT", 3590..=3600),
        ("9999999999", 3590..=3600),
    ];
    for (form, expected) in cases {
        let seconds = put_off(&world, &client, form).await;
        assert!(expected.contains(&seconds), "{form}: {seconds} s");
    }
    for form in [
        "0",
        "-1",
        "soon",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1.5",
        "",
        "Fri, 31 Dec 2099 23:59:59 GMT",
    ] {
        let seconds = put_off(&world, &client, form).await;
        assert!((-1..=60).contains(&seconds), "{form:?}: {seconds} s");
    }
    assert_eq!(world.rows().jobs().len(), 11);
    world.holds(&[&client]);
}

#[tokio::test]
async fn without_accepted_false_a_429_is_no_proof() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(
        Call::Submit,
        Toward::Service,
        Back::Instead(problem(429, "rate-limited", "", &[("retry-after", "1")])),
    )]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Lost), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_copy_of_what_was_put_off_makes_the_job_that_is_then_found() {
    let world = World::new().await;
    let client = world.client().await;
    let drained = problem(503, "unavailable", ",\"accepted\":false", &[("retry-after", "1")]);
    world.proxy.rules([Rule::new(Call::Submit, Toward::Kept, Back::Instead(drained))]);
    let id = client.ask(week()).await;
    client.until(&id, "put off", |view| view.reason.as_deref() == Some("deferred")).await;
    assert_eq!(world.proxy.deliver_kept().await.status(), Some(202));
    client.engine.send_now(&id).await.unwrap();
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert!(world.proxy.seen_of(Call::Submit)[1].replayed);
    world.holds(&[&client]);
}

#[tokio::test]
async fn access_that_is_withdrawn_before_the_file_is_a_hold() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::File, Toward::Nowhere, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::File).await;
    withdraw(&world);
    world.proxy.release();
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::AccessWithdrawn)).await;
    assert_eq!(held.stage, Stage::Downloading, "a hold hides no stage");
    world.service().replace_tokens(vec![docket_tests::world::ada()]).unwrap();
    client.engine.download(&id, None).await.unwrap();
    client.until_saved(&id).await;
    world.holds(&[&client]);
    let again = client.again(&client.now(&id).await, Knowing::Copy).await;
    client.until_saved(&client.send(again).await).await;
    assert_eq!(world.rows().jobs().len(), 2, "asked for knowingly");
}

#[tokio::test]
async fn a_tenant_that_is_not_this_accounts_is_told_as_that_and_withdrawn() {
    for (answer, reason) in [
        (problem(403, "forbidden", "", &[]), "access_refused"),
        (problem(404, "not-found", "", &[]), "access_refused"),
        (problem(503, "unavailable", ",\"accepted\":false", &[]), "asked_to_wait"),
    ] {
        let world = World::new().await;
        let client = world.open_client(|_| {}).await;
        world.proxy.refuse().await;
        client.add_service(&world.proxy.url(), docket_tests::world::ADA).await;
        world.proxy.rules([Rule::instead(Call::Operations, answer).always()]);
        world.proxy.listen();
        let id = client.ask(week()).await;
        let told = |view: &docket_engine::view::ExportView| {
            view.stage == Stage::WaitingToSend && view.reason.as_deref() == Some(reason)
        };
        client.until(&id, reason, told).await;
        assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0, "nothing left");
        client.engine.cancel(&id).await.unwrap();
        let end = client.until_stage(&id, Stage::NotCreated).await;
        assert_eq!(end.reason.as_deref(), Some("withdrawn"));
        client.close().await;
    }
}
