//! What was saved from a damaged store asks before it sends, over the wire; the person is told in one
//! sentence where the old file lies, in the terminal and for the window, until they have read it.

use std::{fs, path::Path, sync::Arc};

use docket_engine::{
    attempt::AttemptKind,
    journal::Hold,
    stage::Stage,
    view::{ErrorCode, NoticeKind},
};
use docket_tests::{
    Call, Client, World,
    client::{Begin, ClientOptions},
    program::Terminal,
    world::week,
};

/// Makes the head of the store another's, and leaves the rest.
fn damage(home: &Path) -> Vec<u8> {
    let path = home.join("docket.db");
    let mut held = fs::read(&path).expect("it is there");
    held[..16].fill(0xA5);
    fs::write(&path, &held).expect("it can be damaged");
    held
}

#[tokio::test]
async fn what_was_saved_looks_first_and_makes_one_job() {
    let world = World::new().await;
    let client = world.client_with(|options| options.begin = Begin::Later).await;
    let id = client.ask(week()).await;
    let key = client.now(&id).await.request_key;
    let home = client.home.clone();
    let secrets = client.close().await;
    let held = damage(&home);

    let options = ClientOptions {
        secrets: Arc::clone(&secrets),
        begin: Begin::Later,
        ..ClientOptions::at(world.folder.path())
    };
    let saved = Client::open(options).await;
    let view = saved.now(&id).await;
    assert_eq!((view.stage, view.hold), (Stage::Confirming, Some(Hold::RestoredStore)));
    assert_eq!(view.request_key, key);
    let notices = saved.engine.notices().await.expect("they can be read");
    let [notice] = &notices[..] else { unreachable!("{notices:?}") };
    assert_eq!(notice.kind, NoticeKind::StoreSetAside);
    assert_eq!((notice.open, notice.unreadable, notice.all_counted), (1, 0, true));
    assert!(fs::read(&notice.path).expect("the old file lies there") == held, "byte by byte");

    saved.engine.start();
    let ended = saved.until_saved(&id).await;
    let kinds: Vec<_> = ended.attempts.iter().map(|attempt| attempt.kind).collect();
    let first = kinds.iter().position(|kind| *kind == AttemptKind::Submit).expect("it is sent");
    assert!(kinds[..first].contains(&AttemptKind::Lookup), "looked up first: {kinds:?}");
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&saved]);

    saved.engine.dismiss_notice(notice.id.expect("it can be dismissed")).await.expect("written");
    saved.close().await;
    let again = ClientOptions { secrets, ..ClientOptions::at(world.folder.path()) };
    let again = Client::open(again).await;
    assert_eq!(again.engine.notices().await.expect("they can be read"), []);
}

#[tokio::test]
async fn the_terminal_says_it_with_every_command_until_it_was_read() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    let asked = ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07", "--no-wait"];
    terminal.run(asked).await.with_code(0);
    damage(&terminal.home());
    for _ in 0..2 {
        let ended = terminal.run(["list", "--json"]).await.with_code(0);
        let document = ended.json();
        let path = document["notices"][0]["path"].as_str().expect("where it lies").to_owned();
        assert!(Path::new(&path).is_file());
        assert!(ended.stderr.contains(&path), "{ended:?}");
        assert!(
            ended.stderr.contains("1 open and 0 finished exports were saved, nothing is missing")
        );
        assert_eq!(document["items"][0]["hold"], "restored_store");
    }
    terminal.run(["notices", "--dismiss"]).await.with_code(0);
    let ended = terminal.run(["list", "--json"]).await.with_code(0);
    assert!(ended.json()["notices"].is_null() && ended.stderr.is_empty(), "{ended:?}");
    terminal.run(["run", "--until-settled"]).await.with_code(0);
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn another_programs_file_is_left_as_it_was() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("terminal"));
    let path = terminal.home().join("docket.db");
    fs::create_dir_all(terminal.home()).expect("it can be made");
    let theirs = rusqlite::Connection::open(&path).expect("a database");
    theirs
        .execute_batch("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
        .expect("written");
    drop(theirs);
    let before = fs::read(&path).expect("it is there");
    let ended = terminal.run(["list", "--json"]).await.with_code(1);
    assert_eq!(ended.json()["error"]["code"], ErrorCode::StoreForeign.as_str());
    assert!(ended.stderr.contains("belongs to another program"), "{ended:?}");
    assert!(fs::read(&path).expect("it is there") == before);
}
