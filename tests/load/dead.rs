//! A service is dead while many exports of it are open: it is probed by one call at a time, every
//! window ends with its reason, and all of them move when it is back.

use docket_engine::{stage::Stage, view::ListQuery};
use docket_tests::World;

use crate::{
    crowd::{Place, abandon_at_the_service, size, until},
    front::{Front, Mode},
};

/// Calls that may be under way before anybody knows that it is dead.
const FIRST_WAVE: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_service_is_probed_by_one_and_all_move_when_it_is_back() {
    let world = World::new().await;
    let front = Front::before(world.service().address()).await;
    let place = Place::of(&world, "ada");
    let crowd = place.fill(&front.url(), size(500)).await;
    let all = u32::try_from(crowd.len()).expect("they can be counted");
    front.set(Mode::Dead);
    let before = front.connections();
    front.most();
    let engine = place.open().await;
    engine.start();
    until(&engine, "the first windows end", |counts| counts.needs_attention > 0).await;
    assert!(
        front.most() <= FIRST_WAVE,
        "nobody calls a service of which nothing is known in crowds"
    );
    until(&engine, "every window ends", |counts| counts.needs_attention == all).await;
    assert!(front.most() <= 1, "a dead service gets one call at a time");
    let probes = front.connections() - before;
    assert!(probes < crowd.len(), "{probes} calls for {all} exports and {all} windows");
    let query = ListQuery { limit: 500, ..ListQuery::default() };
    for view in engine.list(query).await.expect("the list can be read").items {
        let told = (view.stage, view.reason.as_deref());
        assert_eq!(told, (Stage::Unresolved, Some("service_unreachable")), "{view:?}");
        let numbers: Vec<u32> = view.attempts.iter().map(|attempt| attempt.attempt_no).collect();
        let mut sorted = numbers.clone();
        sorted.dedup();
        assert_eq!(numbers, sorted, "an export that made no call numbered one");
    }
    abandon_at_the_service(&world, &crowd);
    front.set(Mode::Pass);
    until(&engine, "all of them settle", |counts| counts.finished == all).await;
    engine.shutdown().await;
}
