//! A store that was hurt, as the person at the window learns of it.

use std::{fs, path::Path};

use docket_engine::stage::Stage;
use docket_tests::Call;

use crate::{person::Person, steps, window::Window};

/// Makes the head of the store another's, and leaves the rest.
fn damage(store: &Path) -> Vec<u8> {
    let mut held = fs::read(store).expect("it is there");
    held[..16].fill(0xA5);
    fs::write(store, &held).expect("it can be damaged");
    held
}

/// The program restarts without its credential, as on a computer without a keychain: the sign-in comes
/// first, since nothing can be looked up before.
#[tokio::test]
async fn a_damaged_store_is_set_aside_and_what_it_held_is_looked_up_before_it_is_sent() {
    let world = steps::reports(|_| {}).await;
    let person = Person::new();
    let window = Window::open(&person, "damaged-store").await;
    steps::add_service(&window, &world).await;
    steps::keep_in_doubt(&world);
    steps::request_orders(&window).await;
    let id = window.until_shown("row", Stage::Confirming).await;
    let key = window.export(&id).await.request_key;
    window.kill().await;
    let held = damage(&person.home().join("docket.db"));
    world.proxy.clear();
    let submits = world.proxy.seen_of(Call::Submit).len();

    let window = Window::open(&person, "damaged-store-again").await;
    let path = window.text("[data-notice=store_set_aside] .path .mono").await;
    assert!(fs::read(path).expect("the old file lies there") == held, "byte by byte");
    window.picture("damaged-store").await;
    steps::sign_in_again(&window, &id).await;
    let view = steps::saved(&window, &person, &world, &id).await;
    assert_eq!(view.request_key, key);
    steps::looked_up(&view);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), submits, "what was known is found");

    window.click("[data-notice-action=dismiss]").await;
    window.gone("[data-notice]").await;
    window.close().await;
    let window = Window::open(&person, "damaged-store-read").await;
    window.until_shown("row", Stage::Saved).await;
    assert_eq!(window.count("[data-notice]").await, 0, "once read it is said no more");
    window.close().await;
}
