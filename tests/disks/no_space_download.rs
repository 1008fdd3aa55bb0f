//! A full disk under the download: at any write of the part, of its note, at its sync, at its name.
//! The hold says so, what is here is kept, and the fetch goes on by itself when there is room.

use docket_engine::{export::ExportId, journal::Hold, stage::Stage, view::ExportView};
use docket_tests::{Call, Client};
use serde_json::json;

use crate::{
    computer::Computer,
    disk::{Fault, Op},
};

/// Enough for a few dozen writes.
const ROWS: u32 = 20_000;

/// Asks for a file of some size, with these faults on its way to the disk.
async fn fetch(computer: &Computer, faults: Vec<Fault>) -> (Client, ExportId) {
    let client = computer.start().await.expect("Docket starts");
    computer.sign_in(&client).await.expect("the service is added");
    let rows = json!({"rows": ROWS, "seed": 7});
    let click = computer.ask(&client, "ledger", rows).await.expect("recorded");
    for fault in faults {
        computer.disk.fault(fault);
    }
    client.engine.start();
    (client, ExportId::from_text(click.id))
}

async fn held(client: &Client, id: &ExportId, hold: Hold) -> ExportView {
    let held = client.until(id, "held", |view| view.hold == Some(hold)).await;
    assert_eq!(held.stage, Stage::Downloading);
    held
}

/// The file is there, whole, and alone.
fn whole_and_alone(computer: &Computer, client: &Client, saved: &ExportView) {
    computer.is_whole(client, saved);
    let files = std::fs::read_dir(&client.downloads).expect("the folder can be read");
    let names: Vec<_> = files.map(|file| file.expect("an entry").file_name()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

/// Which writes of the part: some, or by hand (`DOCKET_DISKS`) every one.
fn writes() -> Vec<u64> {
    if std::env::var_os("DOCKET_DISKS").is_some() { (1..200).collect() } else { vec![1, 2, 9] }
}

#[tokio::test]
async fn at_the_nth_write_of_the_part() {
    for n in writes() {
        let computer = Computer::new().await;
        // What still fits goes in, then nothing more.
        let half = Fault::short(&[Op::Write]).of(".part").from(n).times(1);
        let full = Fault::with(libc::ENOSPC, &[Op::Write]).of(".part").from(n);
        let (client, id) = fetch(&computer, vec![half, full]).await;
        let waiting = client.until(&id, "held or saved", |view| {
            view.hold == Some(Hold::NoSpace) || view.stage == Stage::Saved
        });
        if waiting.await.stage == Stage::Saved {
            assert!(n > 9, "the file has more writes");
            break;
        }
        let held = held(&client, &id, Hold::NoSpace).await;
        let kept = held.delivery.expect("a delivery").done;
        assert_eq!(kept > 0, n > 1, "what came before the {n}th write is kept");
        computer.disk.heal();
        let saved = client.until_saved(&id).await;
        whole_and_alone(&computer, &client, &saved);
        let went_on =
            computer.world.proxy.seen_of(Call::File).iter().any(|seen| seen.status == Some(206));
        assert_eq!(went_on, n > 1, "it goes on where it stopped");
        client.close().await;
    }
}

#[tokio::test]
async fn at_everything_else_that_a_download_does() {
    let full = |op, of| Fault::with(libc::ENOSPC, &[op]).of(of);
    for fault in [
        full(Op::Create, ".part"),
        full(Op::Create, ".part.json"),
        full(Op::Write, ".part.json"),
        full(Op::Sync, ".part"),
        full(Op::Sync, ".part").from(2),
        full(Op::Rename, ".csv"),
        full(Op::Sync, "downloads"),
    ] {
        let computer = Computer::new().await;
        let (client, id) = fetch(&computer, vec![fault]).await;
        computer.disk.until_failed(0).await;
        held(&client, &id, Hold::NoSpace).await;
        computer.disk.heal();
        let saved = client.until_saved(&id).await;
        whole_and_alone(&computer, &client, &saved);
        client.close().await;
    }
}

#[tokio::test]
async fn a_disk_that_says_it_is_full_is_asked_for_nothing() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    computer.sign_in(&client).await.expect("the service is added");
    // The store has its room: only the folder of the downloads lies on a full disk.
    let downloads = docket_tests::client::ClientOptions::at(&computer.disk.folder()).downloads;
    std::fs::create_dir_all(&downloads).expect("it can be made");
    let full = crate::disk::Disk::at(&downloads);
    full.fill();
    let click =
        computer.ask(&client, "ledger", json!({"rows": ROWS, "seed": 7})).await.expect("recorded");
    client.engine.start();
    let id = ExportId::from_text(click.id);
    let seen = held(&client, &id, Hold::NoSpace).await;
    assert!(!seen.is_at_rest(), "it goes on by itself once there is room");
    assert_eq!(computer.world.proxy.seen_of(Call::File).len(), 0);
    let delivery = seen.delivery.expect("a delivery");
    assert_eq!(delivery.space_free, Some(0));
    assert!(delivery.space_needed.is_some_and(|needed| needed > 0), "{delivery:?}");
    full.heal();
    let saved = client.until_saved(&id).await;
    whole_and_alone(&computer, &client, &saved);
}

#[tokio::test]
async fn a_disk_that_refuses_for_another_reason_waits_for_the_person() {
    for fault in [
        Fault::with(libc::EIO, &[Op::Write]).of(".part"),
        Fault::with(libc::EIO, &[Op::Sync]).of(".part"),
        Fault::with(libc::EROFS, &[Op::Rename]).of(".csv"),
    ] {
        let computer = Computer::new().await;
        let (client, id) = fetch(&computer, vec![fault]).await;
        held(&client, &id, Hold::CannotWrite).await;
        computer.disk.heal();
        client.engine.download(&id, None).await.expect("the person asks for it");
        let saved = client.until_saved(&id).await;
        whole_and_alone(&computer, &client, &saved);
        client.close().await;
    }
}
