//! What is stuck holds up no other: not a service that swallows every call, not a row that can not
//! be read.

use std::time::Duration;

use docket_tests::World;

use crate::{
    crowd::{Place, abandon_at_the_service, size, until},
    front::{Front, Mode},
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_swallows_every_call_delays_no_other() {
    let world = World::new().await;
    let hole = Front::before(world.service().address()).await;
    let well = Front::before(world.service().address()).await;
    let mut place = Place::of(&world, "ada");
    // Whoever waits for the hole waits beyond the end of this test.
    place.policy.look_timeout = Duration::from_secs(3600);
    place.policy.window = Duration::from_secs(3600);
    let swallowed = place.fill(&hole.url(), size(300)).await;
    let others = place.fill(&well.url(), size(300)).await;
    abandon_at_the_service(&world, &others);
    hole.set(Mode::Hole);
    let engine = place.open().await;
    engine.start();
    let settled = u32::try_from(others.len()).expect("they can be counted");
    let open = u32::try_from(swallowed.len()).expect("they can be counted");
    until(&engine, "those of the other service", |counts| counts.finished == settled).await;
    let counts = crate::crowd::counts(&engine).await;
    assert_eq!(counts.confirming, open, "no call to the hole has ended");
    assert!(hole.open() > 0 && hole.open() <= 4, "{} calls wait", hole.open());
    engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_can_not_be_read_delays_no_other() {
    let world = World::new().await;
    let front = Front::before(world.service().address()).await;
    let place = Place::of(&world, "ada");
    let crowd = place.fill(&front.url(), size(100)).await;
    abandon_at_the_service(&world, &crowd);
    let store = rusqlite::Connection::open(place.home.join("docket.db"));
    let store = store.expect("the store opens");
    // The one that is due first.
    store
        .execute(
            "UPDATE export SET delivery = '{}', next_action_at = 0 WHERE id = ?1",
            [crowd[0].0.as_str()],
        )
        .expect("a disk does as it likes");
    drop(store);
    let engine = place.open().await;
    engine.start();
    let others = u32::try_from(crowd.len() - 1).expect("they can be counted");
    let changes = &mut engine.subscribe();
    let settled = async {
        let mut finished = 0;
        while finished < others {
            match changes.recv().await {
                Ok(docket_engine::view::ChangeView::Export { counts, .. }) => {
                    finished = counts.finished;
                }
                Ok(
                    docket_engine::view::ChangeView::Services { .. }
                    | docket_engine::view::ChangeView::Notices { .. },
                )
                | Err(_) => {}
            }
        }
    };
    docket_tests::in_time("all but the one", settled).await;
    engine.shutdown().await;
}
