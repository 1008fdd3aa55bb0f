//! Time: the soft time-out, a lid that is shut, a key that grows old, a clock that is wrong.

use docket_engine::{
    clock::{Clock, ManualClock, SystemClock},
    policy::{Policy, SOFT_TIMEOUT},
    stage::Stage,
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    world::{never_ending, week},
};
use std::{sync::Arc, time::Duration};

const HOUR: Duration = Duration::from_secs(3600);

/// A client whose clock stands until the test moves it.
async fn client_at(world: &World, policy: Policy) -> (Client, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(SystemClock.now()));
    let time = Arc::clone(&clock);
    let client = world
        .client_with(|options| {
            options.policy = policy;
            options.clock = time;
        })
        .await;
    (client, clock)
}

#[tokio::test]
async fn a_submit_that_takes_long_is_being_confirmed_and_says_so_by_itself() {
    let world = World::new().await;
    let (client, clock) = client_at(&world, short()).await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    let sent = client.until(&id, "its boundary", |view| view.next_action_at.is_some()).await;
    assert_eq!(sent.stage, Stage::Sending);
    clock.advance(SOFT_TIMEOUT + Duration::from_millis(1));
    let long = client.until_stage(&id, Stage::Confirming).await;
    assert!(long.version > sent.version, "the crossing of the time-out is published");
    assert_eq!(long.call_result, None, "the call has not ended");
    world.proxy.release();
    client.until(&id, "its end", |view| view.call_result.is_some()).await;
    clock.advance(HOUR);
    client.until(&id, "found", |view| view.business_id.is_some()).await;
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_shut_lid_spends_nothing_of_the_window() {
    let world = World::new().await;
    let (client, clock) = client_at(&world, Policy { window: HOUR / 60, ..short() }).await;
    world
        .proxy
        .rules([Rule::new(Call::Submit, Toward::Nowhere, Back::Close), Rule::swallow(Call::Key)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Confirming).await;
    // Ten hours later, as when a person opens the lid in the morning.
    clock.advance(10 * HOUR);
    client.until(&id, "a look", |view| view.looks == 1).await;
    clock.advance(10 * HOUR);
    client.until(&id, "known", |view| view.business_id.is_some()).await;
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1, "wanted, not withdrawn");
    assert_eq!(world.proxy.seen_of(Call::Abandon).len(), 0);
    world.holds(&[&client]);
}

#[tokio::test]
async fn what_could_not_be_sent_while_its_key_was_young_is_never_sent() {
    let world = World::new().await;
    let (client, clock) = client_at(&world, short()).await;
    world.proxy.refuse().await;
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::WaitingToSend).await;
    clock.advance(25 * HOUR);
    let ended = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("never_sent"));
    world.proxy.listen();
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_clock_that_is_wrong_makes_no_key_old_or_young() {
    for (ahead, by) in [("ahead", 3), ("behind", -3)] {
        let world = World::new().await;
        let clock =
            Arc::new(ManualClock::at(SystemClock.now() + jiff::SignedDuration::from_hours(by)));
        let time = Arc::clone(&clock);
        let client = world.client_with(|options| options.clock = time).await;
        world.proxy.rules([Rule::lose_answer(Call::Submit)]);
        let id = client.ask(week()).await;
        client.until_stage(&id, Stage::Confirming).await;
        clock.advance(Duration::from_millis(100));
        client.until(&id, "found", |view| view.business_id.is_some()).await;
        let submit = world.proxy.seen_of(Call::Submit).remove(0);
        assert_eq!(submit.status, Some(202), "{ahead}: First-Sent is by the service's clock");
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_puts_nothing_off() {
    let world = World::with(never_ending).await;
    let policy = Policy { poll_gap_first: HOUR / 60, poll_gap_max: HOUR / 60, ..short() };
    let (client, clock) = client_at(&world, policy).await;
    let id = client.ask(week()).await;
    let known = client
        .until(&id, "a poll's time", |view| {
            view.business_id.is_some() && view.next_action_at.is_some_and(|at| at > clock.now())
        })
        .await;
    let asked = world.proxy.seen_of(Call::Job).len();
    clock.set(clock.now() - jiff::SignedDuration::from_hours(24));
    let planned = client
        .until(&id, "a time by the new clock", |view| {
            view.next_action_at.is_some_and(|at| at <= clock.now() + HOUR)
        })
        .await;
    assert_eq!(planned.stage, known.stage);
    clock.advance(HOUR / 60);
    world.proxy.until_seen(Call::Job, asked + 1).await;
    world.holds(&[&client]);
}
