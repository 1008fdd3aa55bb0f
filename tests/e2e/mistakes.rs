//! What a person gets wrong, said once and where it is.

use docket_engine::stage::Stage;
use docket_tests::{
    Call,
    world::{ADA, TENANT},
};

use crate::{person::Person, steps, window::Window};

#[tokio::test]
async fn the_services_field_errors_stand_at_the_fields_and_the_mended_form_is_sent() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "field-errors").await;
    steps::add_service(&window, &world).await;
    window.click("[data-operation=orders]").await;
    steps::fill_days(&window, "2001-01-01", "2026-11-01").await;
    window.click("[data-action=request-export]").await;
    let refused = window.until_shown("inspector", Stage::Rejected).await;
    assert_eq!(world.rows().jobs(), [], "no export was started");

    window.click("[data-view=inspector] [data-action=edit-and-resubmit]").await;
    let said = window.text("[data-view=new-export] .field.wrong .error").await;
    let problem = window.export(&refused).await.problem.expect("the service said why");
    assert_eq!(said, problem.errors[0].detail, "the service's own words");
    let focus = "document.activeElement.closest('.field.wrong') !== null";
    window.until("the focus is at the wrong field", focus).await;

    steps::fill_days(&window, "2026-11-01", "2026-11-07").await;
    window.click("[data-action=request-export]").await;
    let id = window.until_shown("row", Stage::Saved).await;
    assert_ne!(id, refused);
    let view = window.export(&id).await;
    assert_eq!(view.supersedes.as_deref(), Some(&*refused), "linked to the refused one");
    assert_ne!(view.request_key, window.export(&refused).await.request_key, "a new number");
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[]);
    window.close().await;
}

#[tokio::test]
async fn what_the_window_can_see_itself_is_never_sent() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "incomplete").await;
    steps::add_service(&window, &world).await;
    window.click("[data-operation=orders]").await;
    window.fill("#field-from", "soon").await;
    window.click("[data-action=request-export]").await;
    window.there("[data-view=new-export] .field.wrong .error").await;
    window.there("[data-view=new-export] #field-from[aria-invalid=true]").await;
    assert_eq!(world.proxy.seen_of(Call::Submit), []);
    window.close().await;
}

#[tokio::test]
async fn a_wrong_token_gets_one_sentence_and_the_right_one_goes_on() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "wrong-token").await;
    window.click("[data-first=own]").await;
    window.fill("#service-address", &world.proxy.url()).await;
    window.fill("#service-tenant", TENANT).await;
    window.click("[data-first=continue]").await;
    window.fill("#service-token", "wrong").await;
    window.click("[data-first=continue]").await;
    window.there("[data-view=first-run] [data-error]").await;
    let sentence = window.text("[data-view=first-run] [data-error]").await;
    assert!(sentence.ends_with('.'), "{sentence}");
    assert!(!sentence.contains("wrong"), "the token is repeated: {sentence}");
    window.fill("#service-token", ADA).await;
    window.click("[data-first=continue]").await;
    window.there("[data-check=DK103][data-outcome=pass]").await;
    window.close().await;
}
