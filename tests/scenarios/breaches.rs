//! A service that breaks its word on keys: two jobs under one key, or a job beside a tombstone. The
//! export stops, both are shown, the person says which; and nothing is sent again to that service by
//! itself until a check of it passes.

use docket_engine::{
    attempt::AttemptKind,
    export::ExportId,
    knowledge::ByHand,
    policy::Policy,
    stage::Stage,
    view::{Knowing, PersonAction, RequestExport},
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    calls::Caller,
    client::short,
    invariants::on_the_wire_and_on_the_screen,
    story::{attempts, offers},
    world::{ADA, other_week, week},
};
use serde_json::{Value, json};
use std::time::Duration;

/// A submit whose answer is held back, made at the service as this job.
async fn out_with_a_job() -> (World, Client, ExportId, String) {
    let world = World::new().await;
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Late)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    let job = world.rows().jobs().remove(0).business_id;
    (world, client, id, job)
}

/// The service tells a look of another job than the submit's answer names.
async fn two_jobs() -> (World, Client, ExportId, [String; 2]) {
    let (world, client, id, first) = out_with_a_job().await;
    let twin = json!({"operation": "orders", "parameters": week(), "format": "csv"});
    let caller = Caller::of(world.service().url(), ADA);
    let second = caller.submit("0190c8a0-0000-7000-8000-00000000000a", &twin).await.export();
    let (key, second) = (client.now(&id).await.request_key, second.business_id);
    world.rows().tamper(&format!(
        "UPDATE export_job SET request_key = '{key}' WHERE business_id = '{second}';
         UPDATE request_record SET business_id = '{second}' WHERE request_key = '{key}';"
    ));
    client.engine.check_now(&id).await.expect("it can be asked about");
    client.until(&id, "the look's job", |view| view.business_id.is_some()).await;
    world.proxy.release();
    (world, client, id, [first, second])
}

async fn breached(client: &Client, id: &ExportId, jobs: &[String]) {
    let open =
        client.until(id, "a breach", |view| view.reason.as_deref() == Some("key_breached")).await;
    assert_eq!(open.stage, Stage::Unresolved);
    let mut shown: Vec<_> = open.candidates.iter().map(|one| one.business_id.clone()).collect();
    let mut jobs = jobs.to_vec();
    shown.sort();
    jobs.sort();
    assert_eq!(shown, jobs, "both are shown");
    assert_eq!(open.next_action_at, None, "it stops");
    assert!(offers(&open, PersonAction::Settle), "{:?}", open.actions);
    for refused in [PersonAction::ExportAgain, PersonAction::Resend, PersonAction::Cancel] {
        assert!(!offers(&open, refused), "{:?}", open.actions);
    }
}

/// Asks for one more, knowing of the one that is unknown.
async fn beside(client: &Client, parameters: Value) -> ExportId {
    let form = client.form(parameters).await;
    client.send(RequestExport { knowing: vec![Knowing::NearTwin], ..form }).await
}

#[tokio::test]
async fn two_jobs_under_one_key_are_settled_by_the_person() {
    for chosen in 0..2 {
        let (world, client, id, jobs) = two_jobs().await;
        breached(&client, &id, &jobs).await;
        let trace = client.now(&id).await.attempts[0].trace_id.clone();
        let asked = world.proxy.seen().len();
        // Another export goes its way, and this one is not asked about meanwhile.
        let other = beside(&client, other_week()).await;
        client.until_saved(&other).await;
        let since = world.proxy.seen_since(asked);
        assert!(since.iter().all(|seen| seen.trace.as_ref() != Some(&trace)), "{since:#?}");

        for wrong in [ByHand::Absent, ByHand::Job { business_id: "exp_of_nobody".to_owned() }] {
            assert!(client.engine.settle(&id, wrong).await.is_err(), "neither of the two");
        }
        let business_id = jobs[chosen].clone();
        client.engine.settle(&id, ByHand::Job { business_id: business_id.clone() }).await.unwrap();
        let saved = client.until_saved(&id).await;
        assert_eq!(saved.business_id, Some(business_id));
        assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 1, "nothing was sent again");
        on_the_wire_and_on_the_screen(&world, &[&client]);
        client.close().await;
    }
}

#[tokio::test]
async fn a_job_beside_a_tombstone_is_settled_by_the_person() {
    let (world, client, id, job) = out_with_a_job().await;
    let key = client.now(&id).await.request_key;
    world.rows().tamper(&format!(
        "UPDATE request_record SET state = 'abandoned', business_id = NULL, payload_hash = NULL
         WHERE request_key = '{key}';"
    ));
    client.engine.check_now(&id).await.unwrap();
    client.until_stage(&id, Stage::NotCreated).await;
    world.proxy.release();
    breached(&client, &id, std::slice::from_ref(&job)).await;
    client.engine.settle(&id, ByHand::Job { business_id: job.clone() }).await.unwrap();
    assert_eq!(client.until_saved(&id).await.business_id, Some(job));
    on_the_wire_and_on_the_screen(&world, &[&client]);
}

#[tokio::test]
async fn nothing_is_sent_again_by_itself_until_a_check_passes() {
    let (world, client, id, jobs) = two_jobs().await;
    breached(&client, &id, &jobs).await;
    // A first send goes, and so do looks; a second send of what was lost waits for the person.
    world.proxy.rules([Rule::swallow(Call::Submit)]);
    let lost = beside(&client, other_week()).await;
    let open = client.until_stage(&lost, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("not_visible"));
    assert!(open.looks > 1, "looks go on: {open:?}");
    assert_eq!(attempts(&open, AttemptKind::Submit).len(), 1);
    assert!(offers(&open, PersonAction::Resend), "{:?}", open.actions);
    client.engine.resend(&lost).await.unwrap();
    client.until_saved(&lost).await;

    // A check that fails changes nothing.
    let third = json!({"from": "2026-09-01", "to": "2026-09-07"});
    let service = client.service().await;
    world.proxy.rules([Rule::swallow(Call::Operations), Rule::swallow(Call::Submit)]);
    client.engine.check_service(&service).await.unwrap();
    let lost = beside(&client, third).await;
    let open = client.until_stage(&lost, Stage::Unresolved).await;
    assert_eq!(attempts(&open, AttemptKind::Submit).len(), 1);

    // One that passes lets it go by itself again, from the next look on.
    client.engine.check_service(&service).await.unwrap();
    client.engine.check_now(&lost).await.unwrap();
    let saved = client.until_saved(&lost).await;
    assert_eq!(attempts(&saved, AttemptKind::Submit).len(), 2);
    on_the_wire_and_on_the_screen(&world, &[&client]);
}
