//! A second window over one store: it reads, and what its person wants is done by the first.

use docket_engine::stage::Stage;
use docket_tests::Call;

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
    // The gaps between looks double; soon nothing but a wish makes one for a while.
    world.proxy.until(|seen| looks(seen) >= 4).await;

    let second = Window::open(&person, "second-window").await;
    second.there("[data-role=observer]").await;
    assert_eq!(second.until_shown("row", Stage::Confirming).await, id);
    assert_eq!(first.count("[data-role=observer]").await, 0);
    world.proxy.clear();
    second.click("[data-view=inspector] [data-action=check-now]").await;
    let view = steps::saved(&first, &person, &world, &id).await;
    steps::looked_up(&view);
    second.until_shown("row", Stage::Saved).await;
    second.close().await;
    first.close().await;
}

fn looks(seen: &[docket_tests::proxy::Seen]) -> usize {
    seen.iter().filter(|one| one.call == Call::Key && one.attempt.as_deref() != Some("0")).count()
}
