//! Pictures of every view in both languages and both themes, narrow and large: to be looked at, and
//! for what a machine can see of them, that nothing runs out of the window.
//!
//! With `DOCKET_BLESS=1` the README's picture is made anew.

use std::{fs, time::Duration};

use docket_engine::stage::Stage;
use docket_tests::{Back, Call, Rule, Toward};

use crate::{
    person::Person,
    steps,
    window::{Window, is_blessing, keys, root},
};

/// No animation runs but those that never end.
const STILL: &str = "document.getAnimations().every( \
    (one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)";
/// The README's picture.
const README: &str = "confirming.png";

#[tokio::test]
async fn every_view_in_english() {
    every_view("en").await;
}

#[tokio::test]
async fn every_view_in_chinese() {
    every_view("zh-CN").await;
}

async fn every_view(language: &'static str) {
    // A job that runs so long is looked at long enough.
    let world = steps::reports(|config| config.pace.running = Duration::from_secs(4)).await;
    let person = Person::new().reading(language);
    let window = Window::open(&person, &format!("views-{language}")).await;
    shoot(&window, "first-run", language).await;
    steps::add_service(&window, &world).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(&window, "2026-08-01", "2026-08-31").await;
    shoot(&window, "new-export", language).await;
    window.click("[data-action=request-export]").await;
    let first = window.until_shown("inspector", Stage::Running).await;
    shoot(&window, "running", language).await;
    window.until_shown("inspector", Stage::Saved).await;
    shoot(&window, "saved", language).await;

    in_all_kinds_of_weather(&window, &world).await;
    shoot(&window, "confirming", language).await;
    if language == "en" && is_blessing() {
        bless(&window).await;
    }
    window.resize(760, 540).await;
    list_and_details(&window, "narrow", language).await;
    window.resize(1120, 740).await;
    steps::new_export(&window).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(&window, "2026-11-01", "2026-11-07").await;
    window.there("[data-twin]").await;
    shoot(&window, "duplicate", language).await;
    window.click("[data-nav=settings]").await;
    shoot(&window, "settings", language).await;
    world.proxy.clear();
    window.nothing_regressed(&first).await;
    window.close().await;
}

/// The system's text at 200 %: to the page, a window of half the size.
#[tokio::test]
async fn every_view_at_twice_the_size() {
    let language = "zh-CN";
    let world = steps::reports(|_| {}).await;
    let person = Person::new().reading(language).seeing_twice_the_size();
    let window = Window::open(&person, "views-zoomed").await;
    window.until("half the size", "innerWidth === 560").await;
    shoot(&window, "first-run-zoomed", language).await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::fill_orders(&window).await;
    shoot(&window, "new-export-zoomed", language).await;
    window.click("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::Confirming).await;
    list_and_details(&window, "zoomed", language).await;
    window.click("[data-list] [data-export-id]").await;
    world.proxy.clear();
    window.click("[data-view=inspector] [data-action=check-now]").await;
    steps::saved(&window, &person, &world, &id).await;
    shoot(&window, "saved-zoomed", language).await;
    window.close().await;
}

/// A list with something in every section: one refused, one waiting to be sent, one confirming.
async fn in_all_kinds_of_weather(window: &Window, world: &docket_tests::World) {
    steps::new_export(window).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(window, "2020-01-01", "2026-01-01").await;
    window.click("[data-action=request-export]").await;
    window.until_shown("row", Stage::Rejected).await;
    world.proxy.rules([
        Rule::new(Call::Submit, Toward::Service, Back::Close),
        Rule::swallow(Call::Key).always(),
    ]);
    steps::new_export(window).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(window, "2026-11-01", "2026-11-07").await;
    window.click("[data-action=request-export]").await;
    window.until_shown("inspector", Stage::Confirming).await;
    let looked =
        "document.querySelectorAll('[data-timeline] [data-attempt-kind=lookup]').length >= 1";
    window.until("a look that had no answer", looked).await;
}

/// One picture in each theme.
async fn shoot(window: &Window, view: &str, language: &str) {
    for theme in ["light", "dark"] {
        paint(window, theme).await;
        window.picture(&format!("{view}-{theme}-{language}")).await;
    }
    fits(window, view).await;
}

async fn list_and_details(window: &Window, size: &str, language: &str) {
    paint(window, "light").await;
    window.picture(&format!("list-{size}-{language}")).await;
    fits(window, size).await;
    window.click("[data-list] [data-export-id][data-stage=confirming]").await;
    let seen = "document.querySelector('[data-view=inspector]') \
        .checkVisibility({ visibilityProperty: true })";
    window.until("the details", seen).await;
    window.until("nothing moves", STILL).await;
    window.drawn().await;
    window.picture(&format!("details-{size}-{language}")).await;
    fits(window, size).await;
    window.press(&[], &keys::ESCAPE.to_string()).await;
}

/// Asserts that nothing that is in sight runs out of the window sideways.
async fn fits(window: &Window, view: &str) {
    let wide = "return [...document.querySelectorAll('body *')] \
        .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) \
        .filter((one) => one.closest('.hidden-text, .cut') === null) \
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1) \
        .map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`)";
    let wide = window.run(wide, vec![]).await;
    assert_eq!(wide, serde_json::json!([]), "{view} is wider than its window");
}

/// Puts a theme on, and waits until every colour has changed and everything was drawn.
async fn paint(window: &Window, theme: &str) {
    let script = format!(
        "document.documentElement.dataset.theme = '{theme}'; document.activeElement?.blur()"
    );
    window.run(&script, vec![]).await;
    window.until("nothing moves", STILL).await;
    window.drawn().await;
}

async fn bless(window: &Window) {
    paint(window, "light").await;
    let picture = window.picture("confirming-light-en").await;
    let folder = root().join("tests").join("golden").join("window");
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::copy(picture, folder.join(README)).expect("the picture can be kept");
}
