//! A full disk under the store, from any write on: the click is answered with what to do and leaves
//! nothing half recorded, nothing leaves this computer without its row, an answer that could not be
//! written is written when there is room, and Docket goes on by itself.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    export::ExportId,
    settings::{CloseButton, Settings, Theme},
    view::ErrorCode,
};
use docket_tests::{
    Back, Call, Rule, Toward,
    story::{attempts, ended},
    world::week,
};

use crate::{
    computer::Computer,
    disk::{Fault, Op},
};

#[tokio::test]
async fn the_click_from_its_nth_write_on() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    computer.sign_in(&client).await.expect("the service is added");
    let mut refused = 0;
    let click = loop {
        let before = computer.disk.failed();
        computer.disk.fault(Fault::full().from(refused + 1));
        let answer = computer.ask(&client, "orders", week()).await;
        computer.disk.heal();
        match answer {
            Ok(click) => {
                assert_eq!(computer.disk.failed(), before, "an intent on a full disk");
                break click;
            }
            Err(error) => {
                assert_eq!(error.code, ErrorCode::DiskFull, "{error}");
                assert!(error.message.contains("docket.db"), "{error}");
                assert!(error.message.contains("free some space"), "{error}");
                assert_eq!(client.all().await, [], "nothing is half recorded");
                refused += 1;
            }
        }
    };
    assert!(refused >= 2, "a click is several writes, {refused} were refused");
    client.engine.start();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 1);
    computer.is_whole(&client, &saved);
}

#[tokio::test]
async fn nothing_leaves_from_a_full_disk() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    let click = computer.click(&client).await.expect("recorded");
    computer.disk.fault(Fault::full());
    client.engine.start();
    computer.disk.until_failed(computer.disk.failed() + 3).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 0);
    computer.disk.heal();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 1);
    computer.is_whole(&client, &saved);
}

/// The disk fills while the submit is on its way; what the service answers can not be written.
async fn filled_while_the_submit_is_away(computer: &Computer) -> (docket_tests::Client, ExportId) {
    computer.world.proxy.rules([Rule::new(Call::Submit, Toward::Service, Back::Late)]);
    let client = computer.running().await;
    let click = computer.click(&client).await.expect("recorded");
    computer.world.proxy.until_stalled(Call::Submit).await;
    let id = ExportId::from_text(click.id);
    // The crossing is written once the stall is seen; that write is not the one that is tested.
    client
        .until(&id, "crossed", |view| view.attempts.iter().any(|a| a.kind == AttemptKind::Submit))
        .await;
    computer.disk.fault(Fault::full());
    (client, id)
}

#[tokio::test]
async fn an_answer_that_could_not_be_written_is_written_later() {
    let computer = Computer::new().await;
    let (client, id) = filled_while_the_submit_is_away(&computer).await;
    let before = computer.disk.failed();
    computer.world.proxy.release();
    computer.disk.until_failed(before + 3).await;
    let asked = computer.world.proxy.seen_of(Call::Key).len();
    computer.disk.heal();
    let saved = client.until_saved(&id).await;
    let submits = attempts(&saved, AttemptKind::Submit);
    assert_eq!(submits.len(), 1);
    assert_eq!(asked, 0, "its end is not known to the store, so nothing else is done");
    assert_eq!(submits[0].call_result, Some(CallResult::Answered), "the answer was kept");
    computer.is_whole(&client, &saved);
}

#[tokio::test]
async fn and_is_lost_where_docket_is_killed_meanwhile() {
    let computer = Computer::new().await;
    let (client, _id) = filled_while_the_submit_is_away(&computer).await;
    let before = computer.disk.failed();
    computer.world.proxy.release();
    computer.disk.until_failed(before + 1).await;
    computer.disk.power_off();
    client.close().await;
    computer.disk.power_on(3);
    computer.lives_on().await;
    let client = computer.running().await;
    let saved = client.all().await.remove(0);
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Lost), 1, "{:?}", saved.attempts);
    assert_eq!(computer.world.proxy.seen_of(Call::Submit).len(), 1, "asked, not sent again");
    client.close().await;
}

#[tokio::test]
async fn every_write_of_the_story_once() {
    let computer = Computer::new().await;
    computer.world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let client = computer.start().await.expect("Docket starts");
    let click = computer.click(&client).await.expect("recorded");
    // Each write of the store fails once and is made later: every third one that is tried.
    for n in 0..400 {
        computer.disk.fault(Fault::full().of(".db-wal").from(n * 3 + 1).times(1));
    }
    client.engine.start();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    assert!(computer.disk.failed() > 5, "{}", computer.disk.failed());
    computer.disk.heal();
    computer.is_whole(&client, &saved);
}

#[tokio::test]
async fn the_start_on_a_full_disk_says_so_and_leaves_all_as_it_was() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    computer.click(&client).await.expect("recorded");
    client.close().await;
    let mut refused = 0;
    loop {
        let before = computer.disk.failed();
        computer.disk.fault(Fault::full().from(refused + 1));
        let started = computer.start().await;
        computer.disk.heal();
        match started {
            Ok(client) => {
                client.close().await;
                // What is left to write at a start, such as its log's index, is no matter.
                if computer.disk.failed() == before {
                    break;
                }
            }
            Err(error) => {
                assert_eq!(error.code, ErrorCode::DiskFull, "{error}");
                assert!(error.message.contains("free some space"), "{error}");
            }
        }
        refused += 1;
    }
    assert!(refused > 3, "a start writes, {refused} were refused");
    computer.lives_on().await;
}

#[tokio::test]
async fn the_log_and_the_settings_stop_nothing() {
    let computer = Computer::new().await;
    let client = computer.start().await.expect("Docket starts");
    let log = docket_engine::log::start(&client.home, "docket").expect("the log begins");
    let close = |settings: &mut Settings| settings.close = CloseButton::Background;
    Settings::change(&client.home, close).expect("there is room");
    let click = computer.click(&client).await.expect("recorded");
    computer.disk.fault(Fault::with(libc::ENOSPC, &[Op::Write]).of(".jsonl"));
    client.engine.start();
    let saved = client.until_saved(&ExportId::from_text(click.id)).await;
    drop(log);
    assert!(computer.disk.failed() > 0, "the log was not written");
    computer.disk.fault(Fault::full());
    let change = Settings::change(&client.home, |settings| settings.theme = Theme::Dark);
    let error = change.expect_err("there is no room").to_string();
    assert!(error.contains("settings.toml") && error.contains("stay as they were"), "{error}");
    computer.disk.heal();
    let kept = Settings::load(&client.home).expect("they can be read");
    assert_eq!((kept.close, kept.theme), (CloseButton::Background, Theme::System));
    computer.is_whole(&client, &saved);
}
