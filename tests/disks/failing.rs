//! A disk that fails in the middle: a sync that errs, reads and writes that do half, a disk that can
//! only be read from now on. What was told to be recorded is on the disk, what was not leaves no trace,
//! nothing leaves this computer without its row, and Docket goes on by itself when the disk is well.

use docket_engine::{export::ExportId, view::ErrorCode};
use docket_tests::{Call, world::week};

use crate::{
    computer::Computer,
    disk::{Fault, Op},
};

/// How many different ends a power cut is given.
const SEEDS: u64 = 8;

#[tokio::test]
async fn a_click_whose_sync_failed_is_not_believed_and_the_next_one_lasts() {
    for seed in 0..SEEDS {
        let computer = Computer::new().await;
        let client = computer.start().await.expect("Docket starts");
        computer.sign_in(&client).await.expect("the service is added");
        computer.disk.fault(Fault::with(libc::EIO, &[Op::Sync]).of("-wal").times(1));
        let error = computer.ask(&client, "orders", week()).await.expect_err("not recorded");
        assert_eq!(error.code, ErrorCode::StoreUnwritable, "{error}");
        assert!(error.message.contains("docket.db"), "{error}");
        assert_eq!(client.all().await, [], "nothing is half recorded");
        computer.ask(&client, "orders", week()).await.expect("the disk is well");
        // What the failed sync should have written is lost: the second click must not stand on it.
        computer.disk.power_off();
        client.close().await;
        computer.disk.power_on(seed);
        computer.lives_on().await;
    }
}

#[tokio::test]
async fn nothing_leaves_while_its_row_can_not_be_made_to_last() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    let click = computer.click(&client).await.expect("recorded");
    computer.disk.fault(Fault::with(libc::EIO, &[Op::Sync]).of("-wal"));
    client.engine.start();
    computer.disk.until_failed(computer.disk.failed() + 3).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 0);
    computer.disk.heal();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 1);
    computer.is_whole(&client, &saved);
}

#[tokio::test]
async fn reads_and_writes_that_do_half_are_done_to_the_end() {
    let computer = Computer::new().await;
    computer.disk.fault(Fault::short(&[Op::Write]));
    computer.disk.fault(Fault::short(&[Op::Read]));
    let client = computer.running().await;
    let click = computer.click(&client).await.expect("recorded");
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    assert!(computer.disk.failed() > 100);
    computer.is_whole(&client, &saved);
    client.close().await;
    computer.lives_on().await;
}

#[tokio::test]
async fn a_disk_that_can_only_be_read_from_now_on() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    computer.sign_in(&client).await.expect("the service is added");
    computer.disk.fault(Fault::read_only());
    let error = computer.ask(&client, "orders", week()).await.expect_err("not recorded");
    assert_eq!(error.code, ErrorCode::StoreUnwritable, "{error}");
    assert!(error.message.contains("docket.db"), "{error}");
    assert_eq!(client.all().await, [], "what there is can be read");
    computer.disk.heal();
    let click = computer.ask(&client, "orders", week()).await.expect("recorded");
    computer.disk.fault(Fault::read_only());
    client.engine.start();
    computer.disk.until_failed(computer.disk.failed() + 3).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 0);
    let seen = client.now(&ExportId::from_text(&*click.id)).await;
    assert_eq!(seen.request_key, click.request_key);
    computer.disk.heal();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    computer.is_whole(&client, &saved);
}

#[tokio::test]
async fn a_disk_that_can_not_be_read_for_a_while() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    let click = computer.click(&client).await.expect("recorded");
    client.close().await;
    for n in 1..12 {
        computer.disk.fault(Fault::with(libc::EIO, &[Op::Read]).from(n));
        // Whatever it says of a disk that can not be read, it takes nothing for lost.
        if let Ok(client) = computer.start().await {
            client.close().await;
        }
        computer.disk.heal();
    }
    computer.lives_on().await;
    assert_eq!(computer.world.rows().jobs().len(), 1);
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 1);
    drop(click);
}
