//! One verb for the person: cancel. It withdraws what was not sent, abandons what may have been,
//! cancels a job that is known and stops a fetch; the service's final word decides.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    stage::Stage,
    view::ErrorCode,
};
use docket_service::Feature;
use docket_tests::{
    At, Back, Call, Rule, Toward, World,
    story::attempts,
    world::{never_ending, week},
};

#[tokio::test]
async fn waiting_to_send_is_withdrawn() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.refuse().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::WaitingToSend).await;
    client.engine.cancel(&id).await.unwrap();
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("withdrawn"));
    world.proxy.listen();
    let next = client.ask(docket_tests::world::other_week()).await;
    client.until_saved(&next).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "no submit leaves after a cancel");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn in_flight_and_committed_is_waited_for_and_then_cancelled() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    let asked = client.engine.cancel(&id).await.unwrap();
    assert_eq!(asked.stage, Stage::Cancelling);
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0, "a submit in flight is waited for");
    world.proxy.release();
    let ended = client.until_stage(&id, Stage::Cancelled).await;
    let kinds: Vec<_> = ended.attempts.iter().map(|attempt| attempt.kind).collect();
    assert!(kinds.contains(&AttemptKind::Abandon), "{kinds:?}");
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}

#[tokio::test]
async fn in_flight_and_lost_on_the_way_is_abandoned() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Kept, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    client.engine.cancel(&id).await.unwrap();
    world.proxy.release();
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"));
    assert_eq!(world.proxy.deliver_kept().await.status(), Some(410));
    assert_eq!(world.rows().jobs(), []);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn confirming_is_abandoned_at_once() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::swallow(Call::Submit).always(),
        Rule::new(Call::Key, Toward::Service, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    client.engine.cancel(&id).await.unwrap();
    world.proxy.release();
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"));
    assert_eq!(attempts(&ended, AttemptKind::Submit).len(), 1);
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_running_job_is_cancelled() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    let asked = client.engine.cancel(&id).await.unwrap();
    assert_eq!(asked.stage, Stage::Cancelling);
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_answer_of_the_cancel_is_lost() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    world.proxy.rules([Rule::lose_answer(Call::Cancel).times(2)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_number_of_lost_calls_ends_the_wish() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    world.proxy.rules([Rule::swallow(Call::Cancel).times(9)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.proxy.seen_of(Call::Cancel).len(), 10);
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_outage_ends_the_wish() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    world.proxy.refuse().await;
    client.engine.cancel(&id).await.unwrap();
    let in_vain = |view: &docket_engine::view::ExportView| {
        let not_sent = |attempt: &&docket_engine::view::AttemptView| {
            attempt.call_result == Some(CallResult::NotSent)
        };
        view.attempts.iter().filter(not_sent).map(|attempt| attempt.times).sum::<u32>() >= 12
    };
    client.until(&id, "twelve calls in vain", in_vain).await;
    assert_eq!(client.now(&id).await.stage, Stage::Cancelling);
    world.proxy.listen();
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_job_is_gone_after_our_own_cancel() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    let gone = docket_tests::proxy::rule::problem(404, "not-found", "", &[]);
    world.proxy.rules([
        Rule::edit(Call::Cancel, |answer| answer.edit_json(|job| job["status"] = "running".into())),
        Rule::instead(Call::Job, gone).always(),
    ]);
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_job_was_done_first() {
    let world = World::new().await;
    let client = world.client().await;
    // The receipt says queued, and the next poll comes only after the cancel.
    world.proxy.rules([Rule::new(Call::Job, Toward::Nowhere, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Job).await;
    client.engine.cancel(&id).await.unwrap();
    world.proxy.release();
    let ready = client.until_stage(&id, Stage::Ready).await;
    assert_eq!(world.rows().jobs()[0].status, "succeeded", "the service's final word decides");
    assert!(ready.is_at_rest(), "nobody wants the file of what was cancelled, unless asked");
    client.engine.download(&id, None).await.unwrap();
    client.until_saved(&id).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_fetch_is_stopped_and_asked_for_again() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::File, Toward::Service, Back::StallAt(At::Body(100)))]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::File).await;
    client.engine.cancel(&id).await.unwrap();
    let ready = client
        .until(&id, "ready and quiet", |view| {
            view.stage == Stage::Ready && view.next_action_at.is_none() && !view.cancel_asked
        })
        .await;
    assert!(ready.file.is_none());
    assert_eq!(world.proxy.seen_of(Call::Cancel).len(), 0, "the job is done, nothing to cancel");
    client.engine.download(&id, None).await.unwrap();
    client.until_saved(&id).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn what_is_over_can_not_be_cancelled() {
    let world = World::new().await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_saved(&id).await;
    let refused = client.engine.cancel(&id).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotNow);
    assert_eq!(client.now(&id).await.stage, Stage::Saved);
}

#[tokio::test]
async fn without_an_abandon_the_wish_waits_for_the_job() {
    let world = World::with(|config| {
        never_ending(config);
        config.without = [Feature::Abandon].into();
    })
    .await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    client.engine.cancel(&id).await.unwrap();
    world.proxy.release();
    client.until_stage(&id, Stage::Cancelled).await;
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0);
    assert_eq!(world.rows().jobs()[0].status, "cancelled");
    world.holds(&[&client]);
}
