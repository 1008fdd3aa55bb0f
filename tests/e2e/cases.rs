//! The cases that must never break, through the real window and over real sockets.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    stage::Stage,
};
use docket_tests::{Back, Call, Rule, Toward, World, world::ADA};
use serde_json::Value;

use crate::{person::Person, steps, window::Window};

#[tokio::test]
async fn case_1_the_network_is_down_before_the_request_arrives() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-1").await;
    steps::add_service(&window, &world).await;
    world.proxy.refuse().await;
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::WaitingToSend).await;
    assert_eq!(window.until_shown("inspector", Stage::WaitingToSend).await, id);
    let waiting = window.export(&id).await;
    assert_eq!(world.proxy.seen_of(Call::Submit), [], "nothing arrived");
    assert_eq!(world.rows().jobs(), []);

    world.proxy.listen();
    window.click("[data-view=inspector] [data-action=send-now]").await;
    let view = steps::saved(&window, &person, &world, &id).await;
    assert_eq!(view.request_key, waiting.request_key);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    let lost = view.attempts.iter().any(|one| one.call_result == Some(CallResult::Lost));
    assert!(!lost, "what was refused was certainly not sent");
    window.close().await;
}

#[tokio::test]
async fn case_2_the_service_commits_then_the_connection_drops() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-2").await;
    steps::add_service(&window, &world).await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::Confirming).await;
    assert_eq!(window.until_shown("inspector", Stage::Confirming).await, id);
    let view = steps::saved(&window, &person, &world, &id).await;
    steps::looked_up(&view);
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.len(), 1, "one request that created");
    assert_eq!(submits[0].delivered, 1);
    window.close().await;
}

#[tokio::test]
async fn case_4_killed_while_confirming_the_next_window_goes_on() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-4-confirming").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::Confirming).await;
    window.kill().await;

    world.proxy.clear();
    let window = Window::open(&person, "case-4-confirming-again").await;
    steps::sign_in_again(&window, &id).await;
    let view = steps::saved(&window, &person, &world, &id).await;
    steps::looked_up(&view);
    window.close().await;
}

#[tokio::test]
async fn case_4_killed_while_sending_the_next_window_goes_on() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-4-sending").await;
    steps::add_service(&window, &world).await;
    world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Stall)]);
    steps::request_orders(&window).await;
    world.proxy.until_stalled(Call::Submit).await;
    let id = window.until_shown("row", Stage::Sending).await;
    window.kill().await;

    let window = Window::open(&person, "case-4-sending-again").await;
    steps::sign_in_again(&window, &id).await;
    let view = steps::saved(&window, &person, &world, &id).await;
    steps::looked_up(&view);
    window.close().await;
}

/// With the practice service inside, both ends of the wire die at once.
#[tokio::test]
async fn case_4_killed_with_its_practice_service_the_next_window_goes_on() {
    let person = Person::new().practising();
    let window = Window::open(&person, "case-4-practice").await;
    steps::new_export(&window).await;
    steps::fill_orders(&window).await;
    steps::weather(&window, "stall").await;
    window.click("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::Sending).await;
    window.kill().await;

    let window = Window::open(&person, "case-4-practice-again").await;
    window.until_shown("row", Stage::Saved).await;
    window.nothing_regressed(&id).await;
    let view = window.export(&id).await;
    let jobs = person.practice_rows().jobs();
    assert_eq!(jobs.len(), 1, "one intent, one job");
    assert_eq!(jobs[0].request_key.as_deref(), Some(&*view.request_key));
    assert_eq!(person.keys_logged(), std::slice::from_ref(&view.request_key), "one key throughout");
    person.has_file(&view, jobs[0].file_sha256.as_deref().expect("a finished job has a digest"));
    window.close().await;
}

#[tokio::test]
async fn case_4_killed_while_confirming_the_terminal_goes_on() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-4-terminal").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::Confirming).await;
    window.kill().await;

    world.proxy.clear();
    finish_in_terminal(&person, &world, &id).await;
}

#[tokio::test]
async fn case_4_killed_while_downloading_the_terminal_goes_on() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "case-4-downloading").await;
    steps::add_service(&window, &world).await;
    world.proxy.rules([Rule::new(Call::File, Toward::Service, Back::Trickle(64)).always()]);
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::Downloading).await;
    window.kill().await;

    world.proxy.clear();
    finish_in_terminal(&person, &world, &id).await;
}

async fn finish_in_terminal(person: &Person, world: &World, id: &str) {
    let ran = person.docket(&["run", "--until-settled"], Some(ADA)).await;
    assert!(ran.status.success(), "{ran:?}");
    let shown = person.docket(&["show", id, "--json"], None).await;
    assert!(shown.status.success(), "{shown:?}");
    let export: Value = serde_json::from_slice(&shown.stdout).expect("one document");
    assert_eq!(export["stage"], "saved", "{export}");
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1, "one intent, one job");
    assert_eq!(export["request_key"].as_str(), jobs[0].request_key.as_deref());
    assert_eq!(export["file"]["digest"].as_str(), jobs[0].file_sha256.as_deref());
    let submits: Vec<_> = export["attempts"]
        .as_array()
        .expect("attempts are a list")
        .iter()
        .filter(|one| one["kind"] == AttemptKind::Submit.as_str())
        .collect();
    assert_eq!(submits.len(), 1, "it was not sent again");
    world.holds(&[]);
}
