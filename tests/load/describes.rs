//! What a service is, is asked once for all that wait to be told.

use docket_tests::{Call, Rule, World, proxy::rule::page};

use crate::crowd::{Place, service_of, size, until};

/// Fresh clicks while nothing is known of the service; then it is there.
async fn clicks(world: &World, count: u32) -> Place {
    let place = Place::of(world, "ada");
    world.proxy.rules([Rule::instead(Call::Service, page(502, "Bad Gateway")).always()]);
    let (_, clicked) = place.click(&world.proxy.url(), count).await;
    assert_eq!(clicked.len(), count as usize);
    world.proxy.clear();
    place
}

/// Drives until each was sent; how often the service was asked what it is.
async fn described(world: &World, place: &Place, count: u32) -> usize {
    let asked = world.proxy.seen_of(Call::Service).len();
    let engine = place.open().await;
    engine.start();
    until(&engine, "each is over", |counts| counts.finished == count).await;
    engine.shutdown().await;
    let submits = world.proxy.seen_of(Call::Submit);
    assert_eq!(submits.len(), count as usize, "each was sent once");
    assert_eq!(world.rows().jobs().len(), count as usize);
    world.holds(&[]);
    world.proxy.seen_of(Call::Service).len() - asked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_describe_serves_all_that_wait_for_it() {
    let world = World::new().await;
    let count = size(60);
    let place = clicks(&world, count).await;
    assert_eq!(described(&world, &place, count).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_describe_that_is_lost_is_made_once_more_and_not_by_each() {
    let world = World::new().await;
    let place = clicks(&world, 40).await;
    world.proxy.rules([Rule::swallow(Call::Service)]);
    assert_eq!(described(&world, &place, 40).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_told_within_the_hour_is_not_asked_for_again() {
    let world = World::new().await;
    let place = clicks(&world, 20).await;
    let engine = place.open().await;
    let service = service_of(&engine).await;
    // As the window does when a person looks at its services.
    engine.check_service(&service).await.expect("it can be checked");
    engine.shutdown().await;
    drop(engine);
    assert_eq!(described(&world, &place, 20).await, 0);
}
