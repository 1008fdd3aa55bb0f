//! A job that is known: polls that are slow, late, put off or always the same, and a cancel that
//! crosses with its end.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    clock::{Clock, ManualClock, SystemClock},
    journal::Hold,
    policy::Policy,
    stage::Stage,
};
use docket_tests::{
    Back, Call, Rule, Toward, World,
    client::short,
    proxy::rule::problem,
    story::{attempts, ended},
    world::{never_ending, other_week, week},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

const DAY: Duration = Duration::from_secs(24 * 3600);

#[tokio::test]
async fn running_for_ever_is_told_and_comes_to_an_end() {
    let world = World::with(never_ending).await;
    let millis = Duration::from_millis;
    let policy = Policy { no_progress_after: millis(150), no_progress_end: millis(900), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    let id = client.ask(week()).await;
    let held = client.until(&id, "the alarm", |view| view.hold == Some(Hold::NoProgress)).await;
    assert_eq!(held.stage, Stage::Running, "every answer says so, and nothing moves");
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("no_progress"));
    assert!(open.business_id.is_some(), "the job's number is kept");
    assert_eq!(ended(&open, AttemptKind::Poll, CallResult::Lost), 0, "good answers all");
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_revision_that_grows_with_each_poll_is_no_progress() {
    let world = World::with(never_ending).await;
    let millis = Duration::from_millis;
    let policy = Policy { no_progress_after: millis(150), no_progress_end: millis(900), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    let revision = AtomicU64::new(1_000);
    let busy = Rule::edit(Call::Job, move |answer| {
        answer.edit_json(|job| job["revision"] = revision.fetch_add(1, Ordering::Relaxed).into());
    });
    world.proxy.rules([busy.always()]);
    let id = client.ask(week()).await;
    client.until(&id, "the alarm", |view| view.hold == Some(Hold::NoProgress)).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("no_progress"));
    assert!(open.revision > Some(1_000), "each said that something had changed");
    world.holds(&[&client]);
}

#[tokio::test]
async fn after_a_long_sleep_one_look_comes_before_the_end() {
    for asleep in [8 * DAY, DAY] {
        let mut world = World::with(|config| {
            never_ending(config);
            config.file_retention = 30 * DAY;
        })
        .await;
        let clock = Arc::new(ManualClock::at(SystemClock.now()));
        let time = Arc::clone(&clock);
        let client = world.client_with(|options| options.clock = time).await;
        let id = client.ask(week()).await;
        client.until(&id, "accepted", |view| view.business_id.is_some()).await;
        // The job is done while the lid is shut.
        world.restart_service(|config| config.pace = docket_service::Pace::FULL_SPEED).await;
        docket_tests::in_time("the job ends", async {
            while world.rows().jobs()[0].status != "succeeded" {
                tokio::task::yield_now().await;
            }
        })
        .await;
        clock.advance(asleep);
        let saved = client.until_saved(&id).await;
        for view in client.witness.views_of(&id) {
            assert_ne!(view.stage, Stage::Unresolved, "no deadline before a look");
            assert_ne!(view.hold, Some(Hold::NoProgress), "nor an alarm");
        }
        assert!(saved.file.is_some());
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn answers_slower_than_the_gap_come_one_at_a_time() {
    let world = World::new().await;
    let client = world.client().await;
    // Each answer takes many times the gap between two polls.
    world.proxy.rules([
        Rule::new(Call::Job, Toward::Service, Back::Late),
        Rule::new(Call::Job, Toward::Service, Back::Trickle(8)).always(),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Job).await;
    for _ in 0..3 {
        client.engine.check_now(&id).await.unwrap();
    }
    // Another export goes all its way meanwhile: time enough for a second poll of the first.
    let other = client.ask(other_week()).await;
    client.until_saved(&other).await;
    let first = client.now(&id).await.business_id.expect("it is known");
    let of_the_first = |seen: Vec<docket_tests::proxy::Seen>| {
        seen.into_iter().filter(|seen| seen.target.contains(first.as_str())).count()
    };
    assert_eq!(of_the_first(world.proxy.seen()), 1, "one poll in flight");
    world.proxy.release();
    client.until_saved(&id).await;
    world.holds(&[&client]);
}

#[tokio::test]
async fn an_old_receipt_that_comes_late_overwrites_nothing() {
    let world = World::new().await;
    let client = world.client().await;
    // The receipt says "queued" and takes its time; a look beside it says "succeeded".
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Late)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    docket_tests::in_time("the job ends", async {
        while world.rows().jobs()[0].status != "succeeded" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    client.engine.check_now(&id).await.unwrap();
    let known = client.until(&id, "the newer word", |view| view.revision.is_some()).await;
    assert_eq!(known.business_outcome.as_str(), "succeeded");
    world.proxy.release();
    let saved = client.until_saved(&id).await;
    let late = attempts(&saved, AttemptKind::Submit)[0];
    assert_eq!(late.result.as_deref(), Some("found"), "it came, and is written down");
    assert!(saved.revision >= known.revision);
    world.holds(&[&client]);
}

#[tokio::test]
async fn polls_that_are_put_off_are_no_failure_of_the_job() {
    let world = World::new().await;
    let client = world.client().await;
    let busy = |status, kind| problem(status, kind, "", &[("retry-after", "1")]);
    world.proxy.rules([
        Rule::instead(Call::Job, busy(429, "rate-limited")),
        Rule::instead(Call::Job, busy(503, "unavailable")),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let put_off = attempts(&saved, AttemptKind::Poll)
        .iter()
        .filter(|a| a.result.as_deref() == Some("deferred"))
        .count();
    assert_eq!(put_off, 2);
    for view in client.witness.views_of(&id) {
        assert!(!matches!(view.stage, Stage::Failed | Stage::Unresolved), "{view:?}");
    }
    let first = attempts(&saved, AttemptKind::Poll);
    let waited = first[1].started_at.duration_since(first[0].ended_at.expect("it ended"));
    assert!(waited >= jiff::SignedDuration::from_secs(1), "not before the time it asked for");
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_cancel_that_was_accepted_and_a_job_that_was_done_all_the_same() {
    let mut world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    let running = client.until_stage(&id, Stage::Running).await;
    let caller = docket_tests::calls::Caller::of(world.service().url(), docket_tests::world::ADA);
    let job = caller.look(&running.request_key, "orders").await.export.expect("a job");
    let job = serde_json::to_string(&job).expect("a job in JSON");
    let accepted = docket_tests::proxy::rule::whole("202 Accepted", "application/json", &[], &job);
    world.proxy.rules([Rule::instead(Call::Cancel, accepted)]);
    client.engine.cancel(&id).await.unwrap();
    client
        .until(&id, "accepted", |view| ended(view, AttemptKind::Cancel, CallResult::Answered) == 1)
        .await;
    assert_eq!(client.now(&id).await.stage, Stage::Cancelling, "asked for, not done");
    // The work was past the point where it hears of a cancel.
    world.restart_service(|config| config.pace = docket_service::Pace::FULL_SPEED).await;
    let ready = client.until_stage(&id, Stage::Ready).await;
    assert_eq!(world.rows().jobs()[0].status, "succeeded", "the service's final word");
    assert_eq!(ready.business_outcome.as_str(), "succeeded");
    assert_eq!(world.proxy.seen_of(Call::Cancel).len(), 1);
    assert!(ready.is_at_rest(), "its file waits until it is asked for");
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_clock_that_is_wrong_lets_no_file_and_no_key_run_out() {
    for hours in [3, -3] {
        let hour = Duration::from_secs(3600);
        let world = World::with(|config| {
            config.file_retention = hour;
            config.key_retention = 2 * hour;
        })
        .await;
        let by = jiff::SignedDuration::from_hours(hours);
        let clock = Arc::new(ManualClock::at(SystemClock.now() + by));
        let time = Arc::clone(&clock);
        let client = world.client_with(|options| options.clock = time).await;
        // Sent again with its key, although by this computer's clock the key ran out an hour ago.
        world.proxy.rules([Rule::swallow(Call::Submit)]);
        let id = client.ask(week()).await;
        client.until_stage(&id, Stage::Confirming).await;
        docket_tests::in_time("its file", async {
            while client.now(&id).await.stage != Stage::Saved {
                clock.advance(Duration::from_millis(20));
                tokio::task::yield_now().await;
            }
        })
        .await;
        let submits = world.proxy.seen_of(Call::Submit);
        assert_eq!(submits.len(), 2, "{hours} h");
        assert_eq!(submits[0].first_sent, submits[1].first_sent);
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}
