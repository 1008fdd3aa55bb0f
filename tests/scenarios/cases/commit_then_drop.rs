//! Case 2: the service commits, then the connection drops. The export is being confirmed, is looked
//! up by its key, and is found: one job, one request that created.

use docket_engine::{attempt::CallResult, stage::Stage, view::ExportView};
use docket_tests::{At, Back, Call, Client, Rule, Toward, World, world::week};

/// Asks once while `rule` is in force, and sees it saved by one job and one creating request.
async fn one_job_through(rule: Rule) -> (World, Client, ExportView) {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([rule]);
    let id = client.ask(week()).await;
    let confirming = client.until_stage(&id, Stage::Confirming).await;
    assert_eq!(confirming.call_result, Some(CallResult::Lost));
    assert_eq!(confirming.business_outcome.as_str(), "unknown", "no call result writes an outcome");
    let saved = client.until_saved(&id).await;

    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].request_key.as_deref(), Some(saved.request_key.as_str()));
    assert_eq!(Some(&jobs[0].business_id), saved.business_id.as_ref());
    let created = world.proxy.seen_of(Call::Submit);
    assert_eq!(created.iter().filter(|seen| seen.status == Some(202) && !seen.replayed).count(), 1);
    assert!(saved.looks >= 1);
    world.holds(&[&client]);
    (world, client, saved)
}

#[tokio::test]
async fn closed_without_a_byte() {
    let (world, _, saved) = one_job_through(Rule::lose_answer(Call::Submit)).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "asked before sending");
    let lost = saved.attempts.iter().find(|a| a.call_result == Some(CallResult::Lost)).unwrap();
    assert_eq!(lost.reason.as_deref(), Some("closed_without_answer"));
    let found = saved.attempts.iter().find(|a| a.kind.as_str() == "lookup").unwrap();
    assert_eq!(found.result.as_deref(), Some("found"));
}

#[tokio::test]
async fn reset() {
    let rule = Rule::new(Call::Submit, Toward::Service, Back::Reset);
    let (world, _, saved) = one_job_through(rule).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(saved.attempts.iter().filter(|a| a.kind.as_str() == "submit").count(), 1);
}

#[tokio::test]
async fn cut_anywhere_in_the_answer() {
    for at in [At::Head(1), At::Head(12), At::Head(60), At::Body(0), At::Body(1), At::Body(200)] {
        let rule = Rule::new(Call::Submit, Toward::Service, Back::Cut(at));
        let (world, _, _) = one_job_through(rule).await;
        assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "{at:?}");
    }
}

#[tokio::test]
async fn the_first_looks_are_lost_too() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::swallow(Call::Key),
        Rule::instead(Call::Key, docket_tests::proxy::rule::page(502, "Bad Gateway")),
        Rule::new(Call::Key, Toward::Service, Back::Reset),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.looks, 4);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn nothing_arrived_so_the_same_key_goes_again() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::swallow(Call::Submit).times(2)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.len(), 3);
    for (before, after) in submits.iter().zip(&submits[1..]) {
        assert_eq!(before.key, after.key);
    }
    let kinds: Vec<&str> = saved.attempts.iter().map(|a| a.kind.as_str()).collect();
    let between = |from: usize| kinds[from..].iter().position(|kind| *kind == "lookup");
    assert!(between(0) < kinds.iter().rposition(|kind| *kind == "submit"), "{kinds:?}");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
