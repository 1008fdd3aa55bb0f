//! A second window over one store: it reads, and what its person wants is done by the first.

use docket_engine::stage::Stage;

use crate::{person::Person, steps, window::Window};

#[tokio::test]
async fn a_second_window_sees_the_rows_and_its_wish_is_done() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let first = Window::open(&person, "first-window").await;
    steps::add_service(&first, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&first).await;
    let id = first.until_shown("row", Stage::Confirming).await;
    steps::until_looks_are_rare(&world).await;

    let second = Window::open(&person, "second-window").await;
    second.there("[data-role=observer]").await;
    assert_eq!(second.until_shown("row", Stage::Confirming).await, id);
    assert_eq!(first.count("[data-role=observer]").await, 0);
    world.proxy.clear();
    let before = steps::looks(&world.proxy.seen());
    second.click("[data-view=inspector] [data-action=check-now]").await;
    steps::looked_at_once(&world, before).await;
    let view = steps::saved(&first, &person, &world, &id).await;
    steps::looked_up(&view);
    second.until_shown("row", Stage::Saved).await;
    second.close().await;
    first.close().await;
}

#[tokio::test]
async fn a_second_window_takes_over_when_the_first_is_killed() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let first = Window::open(&person, "killed-window").await;
    steps::add_service(&first, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&first).await;
    let id = first.until_shown("row", Stage::Confirming).await;
    let second = Window::open(&person, "heir-window").await;
    second.there("[data-role=observer]").await;
    first.kill().await;

    world.proxy.clear();
    steps::sign_in_again(&second, &id).await;
    let view = steps::saved(&second, &person, &world, &id).await;
    steps::looked_up(&view);
    second.gone("[data-role=observer]").await;
    second.close().await;
}
