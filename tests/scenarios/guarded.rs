//! The guards against a second export: what a click is answered while another one like it is open,
//! and what a person may do knowingly.

use docket_engine::{
    clock::{Clock, ManualClock, SystemClock},
    export::ExportId,
    policy::Policy,
    stage::Stage,
    view::{CopyOffer, ExportView, Knowing, RequestExport, Requested},
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    world::{never_ending, other_week, week},
};
use std::{sync::Arc, time::Duration};

/// An export that is being confirmed for as long as its look stalls.
async fn confirming(world: &World) -> (Client, ExportId) {
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    (client, id)
}

async fn request(client: &Client, form: RequestExport) -> Requested {
    client.engine.request(form).await.expect("it is answered")
}

fn twin_of(requested: &Requested) -> (&ExportView, CopyOffer) {
    let Requested::Twin { export, copy } = requested else {
        unreachable!("no twin: {requested:?}")
    };
    (export, *copy)
}

#[tokio::test]
async fn while_it_is_being_confirmed_no_copy_is_offered() {
    let world = World::new().await;
    let (client, id) = confirming(&world).await;
    let same = request(&client, client.form(week()).await).await;
    assert_eq!(twin_of(&same).0.id, id.as_str());
    assert_eq!(twin_of(&same).1, CopyOffer::No);
    let knowingly = client.again(&client.now(&id).await, Knowing::Copy).await;
    assert_eq!(twin_of(&request(&client, knowingly).await).1, CopyOffer::No);
    world.proxy.release();
    client.until_saved(&id).await;
    assert_eq!(client.all().await.len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_near_twin_is_asked_about_first() {
    let world = World::new().await;
    let (client, id) = confirming(&world).await;
    let near = request(&client, client.form(other_week()).await).await;
    let Requested::NearTwin { export } = near else { panic!("not asked: {near:?}") };
    assert_eq!(export.id, id.as_str());
    let form =
        RequestExport { knowing: vec![Knowing::NearTwin], ..client.form(other_week()).await };
    let other = client.send(form).await;
    client.until_saved(&other).await;
    world.proxy.release();
    client.until_saved(&id).await;
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}

#[tokio::test]
async fn from_the_first_moment_of_its_submit_a_near_twin_is_asked_about() {
    let world = World::new().await;
    // Time stands still: the screen says `sending` for as long as this takes.
    let clock = Arc::new(ManualClock::at(SystemClock.now()));
    let client = world.client_with(|options| options.clock = clock).await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    assert_eq!(client.now(&id).await.stage, Stage::Sending);
    let near = request(&client, client.form(other_week()).await).await;
    assert!(
        matches!(&near, Requested::NearTwin { export } if export.id == id.as_str()),
        "{near:?}"
    );
    let form = client.form(week()).await;
    let same = request(&client, RequestExport { knowing: vec![Knowing::Copy], ..form }).await;
    assert_eq!(twin_of(&same).1, CopyOffer::No);
    assert_eq!(client.all().await.len(), 1);
}

#[tokio::test]
async fn of_a_job_that_is_known_a_copy_is_made_only_knowingly() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    let running = client.until_stage(&id, Stage::Running).await;
    let same = request(&client, client.form(week()).await).await;
    assert_eq!(twin_of(&same).0.id, id.as_str());
    assert_eq!(twin_of(&same).1, CopyOffer::JobKnown);
    assert_eq!(world.rows().jobs().len(), 1);
    let copy = client.send(client.again(&running, Knowing::Copy).await).await;
    let copied = client.until_stage(&copy, Stage::Running).await;
    assert_ne!(copied.request_key, running.request_key);
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_form_that_was_recorded_is_recorded_once() {
    let world = World::new().await;
    let client = world.client().await;
    let form = client.form(week()).await;
    let id = client.send(form.clone()).await;
    let same = request(&client, form.clone()).await;
    assert!(matches!(&same, Requested::SameClick { export } if export.id == id.as_str()));
    client.until_saved(&id).await;
    let later = request(&client, form).await;
    assert!(matches!(&later, Requested::SameClick { export } if export.id == id.as_str()));
    // A form of its own, after the first is settled, is a new intent.
    let next = client.ask(week()).await;
    client.until_saved(&next).await;
    assert_eq!(world.rows().jobs().len(), 2);
    world.holds(&[&client]);
}

/// An export that nobody can answer about, and whose slow looks the person alone asks for.
async fn unresolved(world: &World, first: Rule) -> (Client, ExportView) {
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    world.proxy.rules([
        first,
        Rule::swallow(Call::Submit).always(),
        Rule::swallow(Call::Key).always(),
        Rule::swallow(Call::Abandon).always(),
    ]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    (client, open)
}

#[tokio::test]
async fn a_copy_of_an_unresolved_one_waits_for_the_old_key_to_be_withdrawn() {
    let world = World::new().await;
    let (client, old) = unresolved(&world, Rule::swallow(Call::Submit)).await;
    let same = request(&client, client.form(week()).await).await;
    assert_eq!(twin_of(&same).1, CopyOffer::Unresolved);
    world.proxy.rules([Rule::new(Call::Abandon, Toward::Service, Back::Stall)]);
    let submits = world.proxy.seen_of(Call::Submit).len();
    let copy = client.send(client.again(&old, Knowing::Copy).await).await;
    world.proxy.until_stalled(Call::Abandon).await;
    assert_eq!(client.now(&copy).await.stage, Stage::WaitingToSend);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), submits, "the copy waits");
    world.proxy.release();
    let saved = client.until_saved(&copy).await;
    let old_id = ExportId::from_text(old.id.clone());
    let ended = client.until_stage(&old_id, Stage::NotCreated).await;
    assert_eq!(ended.reason.as_deref(), Some("abandoned"));
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].request_key.as_deref(), Some(saved.request_key.as_str()));
    world.holds(&[&client]);
}

#[tokio::test]
async fn where_the_old_one_has_a_job_after_all_the_copy_stops() {
    let world = World::new().await;
    let (client, old) = unresolved(&world, Rule::lose_answer(Call::Submit)).await;
    world.proxy.clear();
    let copy = client.send(client.again(&old, Knowing::Copy).await).await;
    client.until_saved(&ExportId::from_text(old.id.clone())).await;
    let waiting =
        client.until(&copy, "the person", |view| view.reason.as_deref() == Some("person")).await;
    assert_eq!(waiting.stage, Stage::WaitingToSend);
    assert_eq!(world.rows().jobs().len(), 1);
    client.engine.send_now(&copy).await.unwrap();
    client.until_saved(&copy).await;
    assert_eq!(world.rows().jobs().len(), 2, "asked for again, knowingly");
    world.holds(&[&client]);
}
