//! What a person does in one go, and what is asked of the service for the test's own sake.

use std::time::Duration;

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    stage::Stage,
    view::ExportView,
};
use docket_service::Config;
use docket_tests::{
    Call, Rule, World,
    proxy::Seen,
    world::{ADA, TENANT},
};

use crate::{person::Person, window::Window};

/// A service that answers as soon as it can, with a name as a person knows it.
pub async fn reports(change: impl FnOnce(&mut Config)) -> World {
    World::with(|config| {
        "Acme reports".clone_into(&mut config.name);
        config.max_wait = Duration::from_secs(20);
        change(config);
    })
    .await
}

/// The next receipt is lost, and whoever asks by the key gets no answer until the test says so.
pub fn keep_in_doubt(world: &World) {
    world.proxy.rules([Rule::lose_answer(Call::Submit), Rule::swallow(Call::Key).always()]);
}

/// How often the service was asked by the key.
pub fn looks(seen: &[Seen]) -> usize {
    seen.iter().filter(|one| one.call == Call::Key && one.attempt.as_deref() != Some("0")).count()
}

/// The gaps between looks double: after the third one the next is at least four seconds away.
pub async fn until_looks_are_rare(world: &World) {
    world.proxy.until(|seen| looks(seen) >= 3).await;
}

/// Waits for a look that a person asked for: sooner than the next would have been.
pub async fn looked_at_once(world: &World, before: usize) {
    let asked = world.proxy.until(|seen| looks(seen) > before);
    let asked = tokio::time::timeout(Duration::from_secs(3), asked).await;
    assert!(asked.is_ok(), "what was asked for was not done at once");
}

/// From the first run to the form of a new export, by the practice service.
pub async fn choose_practice(window: &Window) {
    window.click("[data-view=first-run] [data-first=practice]").await;
    finish_checks(window).await;
}

/// From the first run to the form of a new export, by a service's address and token.
pub async fn add_service(window: &Window, world: &World) {
    window.click("[data-view=first-run] [data-first=own]").await;
    window.fill("#service-address", &world.proxy.url()).await;
    window.fill("#service-tenant", TENANT).await;
    window.click("[data-first=continue]").await;
    window.fill("#service-token", ADA).await;
    window.click("[data-first=continue]").await;
    finish_checks(window).await;
}

/// Has the only service checked, in the settings. What is drawn in motion for the first time costs a
/// window without a graphics card a second: here nothing waits for it.
pub async fn check_the_service(window: &Window) {
    window.click("[data-nav=settings]").await;
    window.click("[data-service-action=check]").await;
    all_checks_pass(window).await;
}

async fn all_checks_pass(window: &Window) {
    let passed = "document.querySelectorAll('[data-check][data-outcome=pass]').length === 5";
    window.until("five checks that pass", passed).await;
}

async fn finish_checks(window: &Window) {
    window.there("[data-view=first-run][data-step=checks]").await;
    all_checks_pass(window).await;
    window.click("[data-first=continue]").await;
    window.there("[data-view=new-export]").await;
}

/// Fills the form of the report `orders`.
pub async fn fill_orders(window: &Window) {
    window.click("[data-operation=orders]").await;
    window.there("[data-operation=orders][aria-selected=true]").await;
    fill_days(window, "2026-11-01", "2026-11-07").await;
}

/// Fills the period of the form.
pub async fn fill_days(window: &Window, from: &str, to: &str) {
    window.fill("#field-from", from).await;
    window.fill("#field-to", to).await;
    let there = format!("document.querySelector('#field-to').value === '{to}'");
    window.until("the dates", &there).await;
}

/// Asks for `orders` by the form and the button.
pub async fn request_orders(window: &Window) {
    fill_orders(window).await;
    window.click("[data-action=request-export]").await;
}

/// Makes the practice service's network misbehave.
pub async fn weather(window: &Window, which: &str) {
    window.click("[data-weather=open]").await;
    window.click(&format!("[data-weather={which}]")).await;
    if which != "clear" {
        window.there(&format!("[data-weather={which}][aria-pressed=true]")).await;
    }
    window.click("[data-weather=open]").await;
    window.gone("[data-weather=clear]").await;
}

/// Without a keychain the token is gone with the program; signing in again is all that is asked.
pub async fn sign_in_again(window: &Window, id: &str) {
    window.there(&format!("[data-export-id='{id}'][data-hold=sign_in]")).await;
    window.click("[data-view=inspector] [data-action=sign-in]").await;
    window.fill("#sign-in-token", ADA).await;
    window.click("[data-dialog=sign-in] [data-answer=yes]").await;
    window.gone("[data-dialog=sign-in]").await;
}

/// Goes to the form of a new export.
pub async fn new_export(window: &Window) {
    window.click("[data-nav=new-export]").await;
    window.there("[data-view=new-export]").await;
}

/// Waits until the export is shown as saved, and asserts what must hold of every one that is: one job
/// for its key, its file on disk, and nothing that went back on the way.
pub async fn saved(window: &Window, person: &Person, world: &World, id: &str) -> ExportView {
    window.until_shown("row", Stage::Saved).await;
    window.until_shown("inspector", Stage::Saved).await;
    window.nothing_regressed(id).await;
    let view = window.export(id).await;
    one_job(person, world, &view);
    view
}

/// Asserts that the service holds one job, made under this export's key by one request, and that its
/// file lies on disk.
pub fn one_job(person: &Person, world: &World, view: &ExportView) {
    let jobs = world.rows().jobs();
    assert_eq!(jobs.len(), 1, "one intent, one job: {jobs:?}");
    assert_eq!(jobs[0].request_key.as_deref(), Some(&*view.request_key));
    let mut seen = world.proxy.seen();
    // A check of the service asks about a key that is nobody's, as attempt 0.
    seen.retain(|request| request.key.is_some() && request.attempt.as_deref() != Some("0"));
    let others: Vec<_> =
        seen.iter().filter(|one| one.key.as_deref() != Some(&*view.request_key)).collect();
    assert!(others.is_empty(), "one key throughout, but {others:?}");
    let created = seen.iter().filter(|one| one.status == Some(202) && !one.replayed);
    assert!(created.count() <= 1, "more than one request that created");
    world.holds(&[]);
    person.has_file(view, jobs[0].file_sha256.as_deref().expect("a finished job has a digest"));
}

/// Asserts that the answer to the only submit was lost and that it was looked up, not sent again.
pub fn looked_up(view: &ExportView) {
    let of = |kind: AttemptKind| view.attempts.iter().filter(move |one| one.kind == kind);
    let submits: Vec<_> = of(AttemptKind::Submit).collect();
    assert_eq!(submits.len(), 1, "it was not sent again");
    assert_eq!(submits[0].call_result, Some(CallResult::Lost));
    let after = of(AttemptKind::Lookup).filter(|one| one.attempt_no > submits[0].attempt_no);
    assert!(after.count() >= 1, "it was looked up");
}
