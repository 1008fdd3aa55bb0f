//! An end that the store does not take holds up no other, and is written down later; the call that
//! it ends is not made again.

use docket_tests::{Call, World};
use rusqlite::Connection;

use crate::crowd::{Place, abandon_at_the_service, counts, until};

const CROWD: u32 = 60;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_end_that_can_not_be_written_delays_no_other() {
    let world = World::new().await;
    let place = Place::of(&world, "ada");
    let crowd = place.fill(&world.proxy.url(), CROWD).await;
    abandon_at_the_service(&world, &crowd);
    let (stuck, key) = &crowd[0];
    let store = Connection::open(place.home.join("docket.db")).expect("the store opens");
    // Whatever the system's reason: this one row is not taken.
    store
        .execute_batch(&format!(
            "CREATE TRIGGER full BEFORE INSERT ON attempt WHEN new.export_id = '{stuck}' \
             BEGIN SELECT raise(ABORT, 'the disk is full'); END"
        ))
        .expect("a disk does as it likes");
    let engine = place.open().await;
    engine.start();
    until(&engine, "all but the one", |counts| counts.finished == CROWD - 1).await;
    assert_eq!(counts(&engine).await.in_progress, 1, "the one");
    let looks =
        || world.proxy.seen_of(Call::Key).iter().filter(|s| s.key.as_ref() == Some(key)).count();
    world.proxy.until(|_| looks() > 0).await;
    store.execute_batch("DROP TRIGGER full").expect("there is room again");
    until(&engine, "the one too", |counts| counts.finished == CROWD).await;
    assert_eq!(looks(), 1, "what it was told once was kept");
    let told = engine.get(stuck).await.expect("it can be read");
    assert_eq!(told.attempts.len(), 2, "{:?}", told.attempts);
    engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ends_that_come_while_the_store_is_locked_are_written_when_it_is_free() {
    let world = World::new().await;
    let place = Place::of(&world, "ada");
    let crowd = place.fill(&world.proxy.url(), CROWD).await;
    abandon_at_the_service(&world, &crowd);
    let engine = place.open().await;
    let store = Connection::open(place.home.join("docket.db")).expect("the store opens");
    store.execute_batch("BEGIN IMMEDIATE").expect("it is free");
    engine.start();
    world.proxy.until_seen(Call::Key, 4).await;
    assert_eq!(counts(&engine).await.finished, 0);
    store.execute_batch("COMMIT").expect("it is let go");
    until(&engine, "all of them", |counts| counts.finished == CROWD).await;
    assert_eq!(world.proxy.seen_of(Call::Key).len(), CROWD as usize, "each was asked for once");
    engine.shutdown().await;
}
