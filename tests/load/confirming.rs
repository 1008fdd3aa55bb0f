//! Thousands are being confirmed at once: each is looked up once, over few connections.

use docket_tests::World;

use crate::{
    crowd::{Place, abandon_at_the_service, size, until},
    front::Front,
};

/// Lanes of one service, and a connection each for what is kept open or closes just now.
const CONNECTIONS_MAX: usize = 2 * 32;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_settle_over_few_connections() {
    let world = World::new().await;
    let front = Front::before(world.service().address()).await;
    let place = Place::of(&world, "ada");
    let crowd = place.fill(&front.url(), size(2_000)).await;
    abandon_at_the_service(&world, &crowd);
    front.most();
    let engine = place.open().await;
    engine.start();
    let all = u32::try_from(crowd.len()).expect("they can be counted");
    until(&engine, "all of them settle", |counts| counts.finished == all).await;
    assert!(front.most() <= CONNECTIONS_MAX, "connections are bounded");
    let last = engine.get(&crowd[crowd.len() - 1].0).await.expect("it can be read");
    let looks: u32 = last.attempts.iter().filter(|a| a.attempt_no > 1).map(|a| a.times).sum();
    assert_eq!(looks, 1, "one look was enough: {:?}", last.attempts);
    engine.shutdown().await;
}
