//! Case 3: two requests with one key arrive at once. With one payload there is one job and the other
//! answer is a replay; with two payloads the other answer is a conflict. And two processes over one
//! store make one export of one click.

use std::collections::BTreeSet;

use docket_engine::{
    store::Role,
    view::{ExportView, Requested},
};
use docket_tests::{
    Back, Call, Rule, Toward, World,
    calls::Caller,
    world::{ADA, BOB, other_week, week},
};
use serde_json::{Value, json};

const KEY: &str = "0190c8a0-0000-7000-8000-000000000001";
const AT_ONCE: usize = 8;

fn payload(parameters: &Value) -> Value {
    json!({"operation": "orders", "parameters": parameters, "format": "csv"})
}

#[tokio::test]
async fn identical_requests_are_one_job_and_replays() {
    let world = World::new().await;
    let caller = Caller::of(world.proxy.url(), ADA);
    let payload = payload(&week());
    let calls = (0..AT_ONCE).map(|_| caller.submit(KEY, &payload));
    let answers = futures_util::future::join_all(calls).await;

    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1);
    assert!(answers.iter().all(|answer| answer.status == 202), "{answers:?}");
    assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1, "one created");
    let named: BTreeSet<String> =
        answers.iter().map(|answer| answer.export().business_id).collect();
    assert_eq!(named, BTreeSet::from([jobs[0].business_id.clone()]));
    assert_eq!(world.rows().records().len(), 1);
    world.holds(&[]);
}

#[tokio::test]
async fn two_payloads_under_one_key_are_one_job_and_a_conflict() {
    for _ in 0..4 {
        let world = World::new().await;
        let caller = Caller::of(world.proxy.url(), ADA);
        let (one, other) = (payload(&week()), payload(&other_week()));
        let (one, other) = tokio::join!(caller.submit(KEY, &one), caller.submit(KEY, &other));
        let (won, lost) = if one.status == 202 { (one, other) } else { (other, one) };
        assert_eq!(won.status, 202);
        assert_eq!((lost.status, lost.problem()), (422, Some("key-conflict")));
        let jobs = world.rows().jobs();
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].business_id, won.export().business_id);
    }
}

#[tokio::test]
async fn one_key_of_two_people_is_one_job_and_a_conflict() {
    let world = World::new().await;
    let (ada, bob) = (Caller::of(world.proxy.url(), ADA), Caller::of(world.proxy.url(), BOB));
    let payload = payload(&week());
    let (ada, bob) = tokio::join!(ada.submit(KEY, &payload), bob.submit(KEY, &payload));
    let mut statuses = [ada.status, bob.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 422]);
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_proxy_that_retries_by_itself_makes_no_second_job() {
    for back in [Back::Answer, Back::Close] {
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([Rule::new(Call::Submit, Toward::Twice, back)]);
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        assert_eq!(world.rows().jobs().len(), 1);
        let submits = world.proxy.seen_of(Call::Submit);
        assert_eq!(submits.len(), 1, "one attempt, one request");
        assert_eq!(submits[0].delivered, 2, "and two at the service");
        assert_eq!(saved.attempts.iter().filter(|a| a.kind.as_str() == "submit").count(), 1);
        world.holds(&[&client]);
    }
}

fn view_of(requested: Requested) -> ExportView {
    match requested {
        Requested::Recorded { export }
        | Requested::SameClick { export }
        | Requested::Twin { export, .. }
        | Requested::NearTwin { export } => *export,
    }
}

#[tokio::test]
async fn one_click_in_two_processes_is_one_export() {
    let world = World::new().await;
    let driver = world.client().await;
    let observer = world.open_client(|_| {}).await;
    assert_eq!((driver.engine.role(), observer.engine.role()), (Role::Driver, Role::Observer));
    let form = driver.form(week()).await;
    let asks = (0..AT_ONCE).map(|n| {
        let engine = if n % 2 == 0 { &driver.engine } else { &observer.engine };
        engine.request(form.clone())
    });
    let asked = futures_util::future::join_all(asks).await;
    let views: Vec<ExportView> =
        asked.into_iter().map(|requested| view_of(requested.expect("it is recorded"))).collect();
    let ids: BTreeSet<&str> = views.iter().map(|view| view.id.as_str()).collect();
    assert_eq!(ids.len(), 1);
    let id = docket_engine::export::ExportId::from_text(views[0].id.clone());
    driver.until_saved(&id).await;
    observer.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&driver, &observer]);
}

#[tokio::test]
async fn the_same_again_from_two_processes_is_the_one_that_is_open() {
    let world = World::with(docket_tests::world::never_ending).await;
    let driver = world.client().await;
    let observer = world.open_client(|_| {}).await;
    let (one, other) = (driver.form(week()).await, observer.form(week()).await);
    let (one, other) = tokio::join!(driver.engine.request(one), observer.engine.request(other));
    let (one, other) = (one.expect("it is recorded"), other.expect("it is answered"));
    let recorded =
        [&one, &other].iter().filter(|r| matches!(r, Requested::Recorded { .. })).count();
    assert_eq!(recorded, 1, "{one:?} {other:?}");
    assert_eq!(view_of(one).id, view_of(other).id);
    driver.engine.shutdown().await;
    assert!(world.rows().jobs().len() <= 1);
    world.holds(&[&driver, &observer]);
}
