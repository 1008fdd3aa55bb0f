//! The guards against a second export, as the window has them.

use docket_engine::stage::Stage;
use docket_tests::Call;

use crate::{
    person::Person,
    steps,
    window::{Window, keys},
};

#[tokio::test]
async fn the_same_again_while_confirming_is_shown_and_not_offered() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "twin").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("inspector", Stage::Confirming).await;

    window.click("[data-view=inspector] [data-menu]").await;
    window.there("[data-action=export-again][aria-disabled=true]").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.gone("[role=menu]").await;

    steps::new_export(&window).await;
    steps::fill_orders(&window).await;
    window.there(&format!("[data-twin='{id}'][data-copy=no][data-stage=confirming]")).await;
    window
        .until(
            "the button gives way",
            "document.querySelector('[data-action=request-export]').disabled",
        )
        .await;
    assert_eq!(window.count("[data-twin] [data-answer=copy]").await, 0, "no copy is offered");
    window.press(&[keys::CONTROL], &keys::ENTER.to_string()).await;
    window.there("[data-view=new-export]").await;
    window.click("[data-twin] [data-answer=show]").await;
    window.there(&format!("[data-view=inspector][data-export-id='{id}']")).await;

    world.proxy.clear();
    window.click("[data-view=inspector] [data-action=check-now]").await;
    let view = steps::saved(&window, &person, &world, &id).await;
    steps::looked_up(&view);
    assert_eq!(window.count("[data-list] [data-export-id]").await, 1);
    window.close().await;
}

#[tokio::test]
async fn another_period_while_one_is_unknown_gets_a_plain_question() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "near-twin").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("inspector", Stage::Confirming).await;

    steps::new_export(&window).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(&window, "2026-10-01", "2026-10-07").await;
    window.click("[data-action=request-export]").await;
    window.there("[data-dialog=near-twin] [data-answer=show]").await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1, "nothing more was sent");
    window.click("[data-dialog=near-twin] [data-answer=show]").await;
    window.there(&format!("[data-view=inspector][data-export-id='{id}']")).await;
    assert_eq!(window.count("[data-list] [data-export-id]").await, 1);
    window.close().await;
}

#[tokio::test]
async fn a_double_click_is_one_export() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "double-click").await;
    steps::add_service(&window, &world).await;
    steps::fill_orders(&window).await;
    window.click_twice("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::Saved).await;
    steps::saved(&window, &person, &world, &id).await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    window.close().await;
}

#[tokio::test]
async fn keys_that_are_held_down_are_one_export() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "held-keys").await;
    steps::add_service(&window, &world).await;
    steps::fill_orders(&window).await;
    window.run("document.querySelector('[data-action=request-export]').focus()", vec![]).await;
    window.hold_down(&[], keys::ENTER, 20).await;
    let id = window.until_shown("row", Stage::Saved).await;
    steps::saved(&window, &person, &world, &id).await;

    // The shortcut from another form of the same report, held likewise.
    steps::new_export(&window).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(&window, "2026-10-01", "2026-10-07").await;
    window.hold_down(&[keys::CONTROL], keys::ENTER, 20).await;
    window
        .until(
            "two exports",
            "document.querySelectorAll('[data-list] [data-stage=saved]').length === 2",
        )
        .await;
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 2);
    assert_eq!(world.rows().jobs().len(), 2, "one for each form");
    world.holds(&[]);
    window.close().await;
}
