//! Requests that arrive when nobody expects them any more, and answers that are somebody else's.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    policy::Policy,
    stage::Stage,
};
use docket_tests::{
    Back, Call, Client, Message, Rule, Toward, World,
    calls::Caller,
    client::short,
    proxy::rule::page,
    story::{attempts, ended},
    world::{BOB, other_week, week},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

#[tokio::test]
async fn a_front_tier_that_gives_up_races_the_retry_with_its_own_copy() {
    let world = World::new().await;
    let client = world.client().await;
    // 504 to the caller, and the worker behind it goes on with the request at the same time as the
    // caller comes again.
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Twice, Back::Instead(page(504, "Gateway Timeout"))),
        Rule::edit(Call::Key, |answer| {
            answer.edit_json(|key| {
                key["state"] = "absent".into();
                key.as_object_mut().expect("an object").remove("export");
            });
        }),
        Rule::new(Call::Submit, Toward::Twice, Back::Answer),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), submits.len());
    assert_eq!(submits.iter().map(|seen| seen.delivered).sum::<u32>(), 4, "four copies");
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.rows().records().len(), 1);
    world.holds(&[&client]);
}

/// A job of Bob's, as a cache that forgets whose answer it keeps would give it to Ada.
async fn job_of_bob(world: &World) -> Value {
    let caller = Caller::of(world.service().url(), BOB);
    let payload = json!({"operation": "orders", "parameters": week(), "format": "csv"});
    caller.submit("0190c8a0-0000-7000-8000-00000000000b", &payload).await.body
}

fn with_job(job: &Value, wrap: fn(Value) -> Value) -> Back {
    let job = wrap(job.clone());
    Back::Edited(Arc::new(move |answer: &mut Message| {
        answer.set_body(job.to_string().into_bytes());
        answer.set_header("content-type", Some("application/json"));
    }))
}

fn as_key(job: Value) -> Value {
    json!({"state": "present", "export": job, "as_of": "2026-11-07T00:00:00Z"})
}

#[tokio::test]
async fn anothers_answer_is_never_taken_for_ours() {
    let world = World::with(docket_tests::world::never_ending).await;
    let client = world.client().await;
    let bobs = job_of_bob(&world).await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Service, with_job(&bobs, |job| job)),
        Rule::new(Call::Key, Toward::Service, with_job(&bobs, as_key)).times(2),
        Rule::new(Call::Job, Toward::Service, with_job(&bobs, |job| job)).times(2),
    ]);
    let id = client.ask(week()).await;
    let polled = |view: &docket_engine::view::ExportView| {
        ended(view, AttemptKind::Poll, CallResult::Answered) > 0
    };
    let running = client.until(&id, "polled", polled).await;
    assert_eq!(running.stage, Stage::Running);
    for kind in [AttemptKind::Submit, AttemptKind::Lookup, AttemptKind::Poll] {
        assert!(ended(&running, kind, CallResult::Lost) >= 1, "{kind}: evidence, not adopted");
    }
    let bobs = bobs["business_id"].as_str().expect("an id");
    for view in client.witness.views_of(&id) {
        assert_ne!(view.business_id.as_deref(), Some(bobs), "not for a moment");
    }
    world.holds(&[&client]);
}

#[tokio::test]
async fn where_only_anothers_answers_come_it_says_so() {
    let world = World::new().await;
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    let bobs = job_of_bob(&world).await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit).always(),
        Rule::new(Call::Key, Toward::Service, with_job(&bobs, as_key)).always(),
        Rule::new(Call::Abandon, Toward::Nowhere, with_nobody(&bobs)).always(),
    ]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("mismatched_answer"));
    assert_eq!(open.business_id, None);
    world.holds(&[&client]);
}

/// The same without the service: nothing of ours is withdrawn.
fn with_nobody(job: &Value) -> Back {
    let body = as_key(job.clone()).to_string();
    Back::Instead(docket_tests::proxy::rule::whole("200 OK", "application/json", &[], &body))
}

/// Waits until the service has this many jobs.
async fn jobs(world: &World, count: usize) {
    docket_tests::in_time("jobs", async {
        while world.rows().jobs().len() < count {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn two_keys_that_take_turns_are_both_remembered() {
    let world = World::new().await;
    let client: Client = world.client().await;
    // A is sent, B is sent, then A again: a memory of the latest key alone would make A twice.
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let first = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    let form = client.form(other_week()).await;
    let form = docket_engine::view::RequestExport {
        knowing: vec![docket_engine::view::Knowing::NearTwin],
        ..form
    };
    let second = client.send(form).await;
    client.until_saved(&second).await;
    jobs(&world, 2).await;
    world.proxy.rules([Rule::edit(Call::Key, |answer| {
        answer.edit_json(|key| {
            key["state"] = "absent".into();
            key.as_object_mut().expect("an object").remove("export");
        });
    })]);
    world.proxy.release();
    let saved = client.until_saved(&first).await;
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 2);
    let again = world.proxy.seen_of(Call::Submit).pop().expect("a submit");
    assert_eq!(again.key.as_deref(), Some(saved.request_key.as_str()));
    assert!(again.replayed, "{again:?}");
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}
