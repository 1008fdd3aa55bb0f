//! The whole main job without a pointer.

use docket_engine::stage::Stage;

use crate::{
    person::Person,
    steps,
    window::{Window, keys},
};

/// More stops than any view has.
const STOPS_MAX: usize = 80;

#[tokio::test]
async fn the_main_job_needs_no_pointer() {
    let person = Person::new();
    let window = Window::open(&person, "keyboard").await;
    press_on(&window, "[data-first=practice]").await;
    window.there("[data-step=checks] [data-first=continue]:not(:disabled)").await;
    press_on(&window, "[data-first=continue]").await;
    window.there("[data-view=new-export]").await;

    tab_to(&window, "[role=listbox]").await;
    window.press(&[], &keys::HOME.to_string()).await;
    for _ in 0..5 {
        if window.count("[data-operation=orders][aria-selected=true]").await == 1 {
            break;
        }
        window.press(&[], &keys::DOWN.to_string()).await;
    }
    window.there("[data-operation=orders][aria-selected=true]").await;
    type_over(&window, "#field-from", "2026-11-01").await;
    type_over(&window, "#field-to", "2026-11-07").await;
    lose_next(&window).await;
    window.press(&[keys::CONTROL], &keys::ENTER.to_string()).await;

    let id = window.until_shown("row", Stage::Confirming).await;
    window.until_shown("row", Stage::Saved).await;
    tab_to(&window, "[data-list]").await;
    window.there(&format!("[data-list][aria-activedescendant='export-{id}']")).await;
    window.nothing_regressed(&id).await;
    steps::looked_up(&window.export(&id).await);
    assert_eq!(person.practice_rows().jobs().len(), 1);
    window.close().await;
}

#[tokio::test]
async fn the_list_and_the_guards_need_no_pointer() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "keyboard-guards").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("inspector", Stage::Confirming).await;
    steps::until_looks_are_rare(&world).await;

    tab_to(&window, "[data-list]").await;
    let before = steps::looks(&world.proxy.seen());
    window.press(&[], &keys::ENTER.to_string()).await;
    steps::looked_at_once(&world, before).await;

    // The menu, its guard, and the focus that comes back.
    press_on(&window, "[data-view=inspector] [data-menu]").await;
    window.until("the menu has the focus", "document.activeElement.role === 'menuitem'").await;
    for _ in 0..STOPS_MAX {
        if window.has_focus("[data-action=cancel]").await {
            break;
        }
        window.press(&[], &keys::DOWN.to_string()).await;
    }
    window.press(&[], &keys::ENTER.to_string()).await;
    window.there("[data-dialog=cancel]").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.gone("[data-dialog=cancel]").await;
    window.until("the focus is back", "document.activeElement.matches('[data-menu]')").await;
    assert_eq!(window.export(&id).await.stage, Stage::Confirming, "nothing was cancelled");

    // Search, a filter, a new export, the settings, and back.
    window.press(&[], "/").await;
    window.until("the search box", "document.activeElement.matches('[data-search]')").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.press(&[keys::CONTROL], "n").await;
    window.there("[data-view=new-export]").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.there("[data-view=exports]").await;
    window.press(&[keys::CONTROL], ",").await;
    window.there("[data-view=settings]").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.there("[data-view=exports]").await;
    window.close().await;
}

/// Goes on with Tab until something has the focus.
async fn tab_to(window: &Window, css: &str) {
    window.there(css).await;
    for _ in 0..STOPS_MAX {
        if window.has_focus(css).await {
            return;
        }
        window.press(&[], &keys::TAB.to_string()).await;
    }
    unreachable!("Tab does not reach {css}");
}

async fn press_on(window: &Window, css: &str) {
    tab_to(window, css).await;
    window.press(&[], &keys::ENTER.to_string()).await;
}

async fn type_over(window: &Window, css: &str, text: &str) {
    tab_to(window, css).await;
    window.press(&[keys::CONTROL], "a").await;
    window.press(&[], text).await;
    let there = format!("document.querySelector('{css}').value === '{text}'");
    window.until(text, &there).await;
}

async fn lose_next(window: &Window) {
    press_on(window, "[data-weather=open]").await;
    press_on(window, "[data-weather=lose]").await;
    window.there("[data-weather=lose][aria-pressed=true]").await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
    window.gone("[data-weather=clear]").await;
    assert!(window.has_focus("[data-weather=open]").await, "the focus is back");
}
