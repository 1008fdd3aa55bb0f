//! A long history in the store: what is open moves as if there were none, and who looks or clicks
//! beside it waits for nothing.

use std::{sync::Arc, time::Duration};

use docket_engine::{
    clock::{Clock, SystemClock},
    view::ListQuery,
};
use docket_tests::{World, filled};

use crate::{
    crowd::{Place, abandon_at_the_service, counts, service_of, size, until},
    front::Front,
};

/// Of those in the store so many are open, at least.
const OPEN: u32 = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_open_moves_beside_a_long_history() {
    let world = World::new().await;
    let front = Front::before(world.service().address()).await;
    let place = Place::of(&world, "ada");
    let history = size(5_000);
    // One that is over, and as many like it as a long life makes.
    let first = place.fill(&front.url(), 1).await;
    abandon_at_the_service(&world, &first);
    let engine = place.open().await;
    engine.start();
    until(&engine, "the first", |counts| counts.finished == 1).await;
    engine.shutdown().await;
    drop(engine);
    filled::exports(&place.home, history, 60_000, |_| Vec::new());
    let open = OPEN.max(history / 20);
    let crowd = place.fill(&front.url(), open).await;
    abandon_at_the_service(&world, &crowd);

    let began = SystemClock.now();
    let engine = Arc::new(place.open().await);
    tell("opening", began);
    assert_eq!(counts(&engine).await.finished, history + 1);
    let began = SystemClock.now();
    engine.start();
    let beside = tokio::spawn(look_and_click(Arc::clone(&engine), place.clone()));
    let over = history + 1 + open;
    until(&engine, "what was open", |counts| counts.finished >= over).await;
    tell("all that was open", began);
    let slowest = beside.await.expect("whoever is beside it is served");
    eprintln!("slowest look {:?}, slowest click {:?}", slowest.0, slowest.1);
    engine.shutdown().await;
}

/// Looks at the list and asks for more, while others are driven; the longest of each.
async fn look_and_click(
    engine: Arc<docket_engine::engine::Engine>,
    place: Place,
) -> (Duration, Duration) {
    let service = service_of(&engine).await;
    let (mut look, mut click) = (Duration::ZERO, Duration::ZERO);
    for number in 0..20 {
        let began = SystemClock.now();
        let query = ListQuery { limit: 50, ..ListQuery::default() };
        engine.list(query).await.expect("the list can be read");
        look = look.max(since(began));
        let began = SystemClock.now();
        place.ask(&engine, &service, 200_000 + number).await;
        click = click.max(since(began));
    }
    (look, click)
}

fn since(began: jiff::Timestamp) -> Duration {
    SystemClock.now().duration_since(began).unsigned_abs()
}

fn tell(what: &str, began: jiff::Timestamp) {
    eprintln!("{what}: {:?}", since(began));
}
