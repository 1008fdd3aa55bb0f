//! The main job, by clicks: a lost receipt is found again and a verified file lies on disk.

use docket_engine::stage::Stage;

use crate::{person::Person, steps, window::Window};

#[tokio::test]
async fn a_lost_receipt_is_found_again_from_the_first_run() {
    let person = Person::new();
    let window = Window::open(&person, "main-job").await;
    steps::choose_practice(&window).await;
    lose_and_find(&person, &window).await;
    window.close().await;
}

#[tokio::test]
async fn a_lost_receipt_is_found_again_with_the_practice_service_ready() {
    let person = Person::new().practising().reading("zh-CN");
    let window = Window::open(&person, "main-job-ready").await;
    window.there("[data-view=exports] [data-empty]").await;
    assert_eq!(window.attribute("html", "lang").await.as_deref(), Some("zh-CN"));
    steps::check_the_service(&window).await;
    steps::new_export(&window).await;
    lose_and_find(&person, &window).await;
    window.close().await;
}

async fn lose_and_find(person: &Person, window: &Window) {
    steps::fill_orders(window).await;
    steps::weather(window, "lose").await;
    window.click("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::Confirming).await;
    assert_eq!(window.until_shown("inspector", Stage::Confirming).await, id);
    window.until_shown("row", Stage::Saved).await;
    window.until_shown("inspector", Stage::Saved).await;
    window.nothing_regressed(&id).await;

    let view = window.export(&id).await;
    let rows = person.practice_rows();
    let jobs = rows.jobs();
    assert_eq!(jobs.len(), 1, "one intent, one job");
    assert_eq!(jobs[0].request_key.as_deref(), Some(&*view.request_key));
    assert_eq!(rows.records().len(), 1, "one key throughout");
    assert_eq!(person.keys_logged(), std::slice::from_ref(&view.request_key), "one key throughout");
    steps::looked_up(&view);
    person.has_file(&view, jobs[0].file_sha256.as_deref().expect("a finished job has a digest"));
}

#[tokio::test]
async fn connections_that_are_refused_send_nothing_and_end_by_themselves() {
    let person = Person::new().practising();
    let window = Window::open(&person, "refused").await;
    steps::new_export(&window).await;
    steps::fill_orders(&window).await;
    steps::weather(&window, "refuse").await;
    window.click("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::WaitingToSend).await;
    assert_eq!(person.practice_rows().jobs(), [], "nothing arrived");
    steps::weather(&window, "clear").await;
    window.until_shown("row", Stage::Saved).await;
    window.nothing_regressed(&id).await;
    let shown = window.shown().await;
    assert!(
        shown.iter().all(|one| one.stage != Stage::Confirming),
        "nothing was in doubt: {shown:?}"
    );
    assert_eq!(person.practice_rows().jobs().len(), 1);
    window.close().await;
}
