//! What is not seen yet, gone for a while, told in words nobody knows, or told late: none of it
//! regresses what is known, and late truth wins.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    policy::Policy,
    stage::Stage,
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    proxy::rule::{page, problem},
    story::{attempts, ended},
    world::{never_ending, week},
};
use std::time::Duration;

fn gone() -> Vec<u8> {
    problem(404, "not-found", "", &[])
}

async fn client_with_window(world: &World, window: Duration) -> Client {
    let policy = Policy { window, ..short() };
    world.client_with(|options| options.policy = policy).await
}

#[tokio::test]
async fn not_visible_at_first_is_waited_for_and_not_sent_again() {
    let world = World::with(|config| config.visibility_lag = Duration::from_secs(1)).await;
    let client = client_with_window(&world, Duration::from_secs(20)).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let looks = attempts(&saved, AttemptKind::Lookup);
    assert_eq!(looks[0].result.as_deref(), Some("not_seen"));
    assert_eq!(looks.last().unwrap().result.as_deref(), Some("found"));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_job_that_is_not_found_right_after_its_receipt() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::instead(Call::Job, gone()).times(3)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Answered), 1);
    assert!(client.witness.views_of(&id).iter().all(|view| view.stage != Stage::Unresolved));
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_job_that_vanished_and_came_back() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    world.proxy.rules([Rule::instead(Call::Job, gone()).always()]);
    let vanished = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(vanished.reason.as_deref(), Some("job_vanished"));
    assert!(vanished.business_id.is_some(), "evidence is kept");
    world.proxy.clear();
    client.witness.forget();
    client.engine.check_now(&id).await.unwrap();
    let back = client.until_stage(&id, Stage::Running).await;
    assert_eq!(back.business_id, vanished.business_id);
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_status_that_nobody_knows_is_not_running() {
    let world = World::new().await;
    let client = world.client().await;
    let paused = |answer: &mut docket_tests::Message| {
        answer.edit_json(|job| {
            job["status"] = "paused".into();
            job.as_object_mut().expect("an object").remove("file");
        });
    };
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::edit(Call::Key, |answer| {
            answer.edit_json(|key| key["export"]["status"] = "paused".into());
        }),
        Rule::edit(Call::Job, paused).times(1),
    ]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("answer_unreadable"));
    assert_eq!(open.business_outcome.as_str(), "unknown");
    assert!(open.business_id.is_some());
    // A slow look tells more, sooner or later.
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn an_older_statement_does_not_undo_a_newer_one() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    let running = client.until_stage(&id, Stage::Running).await;
    world.proxy.rules([Rule::edit(Call::Job, |answer| {
        answer.edit_json(|job| {
            job["status"] = "queued".into();
            job["revision"] = 1.into();
            job.as_object_mut().expect("an object").remove("progress");
        });
    })
    .times(3)]);
    world
        .proxy
        .until(|seen| {
            let polls = seen.iter().filter(|seen| seen.call == Call::Job && seen.status.is_some());
            polls.count() >= 6
        })
        .await;
    let now = client.now(&id).await;
    assert_eq!(now.stage, Stage::Running);
    assert!(now.revision >= running.revision);
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_late_receipt_helps_and_a_late_failure_harms_nothing() {
    let world = World::new().await;
    let client = world.client().await;
    // The submit is out for as long as the test likes; a look beside it finds the job.
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    client.engine.check_now(&id).await.unwrap();
    let known = client.until(&id, "found beside", |view| view.business_id.is_some()).await;
    assert_eq!(known.call_result, None, "the submit has not ended");
    world.proxy.release();
    client.until_saved(&id).await;
    let late = client
        .until(&id, "the submit's end", |view| view.call_result == Some(CallResult::Lost))
        .await;
    assert!(late.business_id.is_some(), "two lines on the screen: the call, and the export");
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn polls_that_are_lost_are_no_failure_of_the_job() {
    let world = World::new().await;
    let client = world.client().await;
    let accepted = ",\"accepted\":false";
    world.proxy.rules([
        Rule::swallow(Call::Job),
        Rule::instead(Call::Job, page(502, "Bad Gateway")),
        Rule::instead(Call::Job, problem(503, "unavailable", accepted, &[("retry-after", "0")])),
        Rule::instead(Call::Job, page(200, "Sign in to this network")),
        Rule::new(Call::Job, Toward::Service, Back::Reset),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    for view in client.witness.views_of(&id) {
        assert!(!matches!(view.stage, Stage::Failed | Stage::Unresolved), "{view:?}");
    }
    assert!(attempts(&saved, AttemptKind::Poll).len() > 4);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_job_that_fails_is_called_failed_and_nothing_else_is() {
    let world = World::new().await;
    let client = world.client().await;
    let fails = docket_service::faults::Effect::FailJob;
    let any = docket_service::faults::Call::Any;
    world.service().faults().set(vec![docket_service::Rule::new(any, fails)]);
    let id = client.ask(week()).await;
    let failed = client.until_stage(&id, Stage::Failed).await;
    assert_eq!(failed.call_result, Some(CallResult::Answered));
    assert!(failed.problem.is_some());
    assert_eq!(world.rows().jobs()[0].status, "failed");
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_service_is_killed_and_started_again() {
    let world = World::new().await;
    let folder = world.path("program");
    std::fs::create_dir_all(&folder).unwrap();
    let slow = ["--running-for", "60s", "--poll-interval", "0s", "--lease", "1s"];
    let program = docket_tests::program::ServiceProgram::start(&folder, &slow).await;
    world.proxy.set_upstream(program.address());
    let client = world.client().await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    let running = client.until(&id, "running", |view| view.stage == Stage::Running).await;
    program.kill().await;
    let fast = ["--poll-interval", "0s", "--lease", "1s"];
    let program = docket_tests::program::ServiceProgram::start(&folder, &fast).await;
    world.proxy.set_upstream(program.address());
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.business_id, running.business_id);
    let rows = docket_tests::rows::Rows::of(&folder.join("service.db"));
    assert_eq!(rows.jobs().len(), 1);
    world.holds(&[&client]);
}
