//! What is typed wrong, or lies wrong on the disk: one sentence, the right exit code, nothing lost.

use docket_tests::{
    Call, World,
    program::{Ended, Terminal},
    world::TENANT,
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

async fn world() -> (World, Terminal) {
    let world = World::with(|config| config.max_wait = Duration::from_secs(20)).await;
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    (world, terminal)
}

/// One sentence for a person, and the same for a program.
fn one_sentence(ended: &Ended) -> String {
    let said: Vec<&str> = ended.stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(said.len(), 1, "one sentence: {said:?}");
    assert!(said[0].ends_with(['.', '?', '!']), "a sentence: {said:?}");
    for leak in ["panicked", "Error {", "RUST_BACKTRACE", "secret-of"] {
        assert!(!said[0].contains(leak), "{said:?}");
    }
    said[0].to_owned()
}

fn code_of(ended: &Ended) -> String {
    let document = ended.json();
    let message = document["error"]["message"].as_str().expect("a message");
    assert!(!message.is_empty());
    document["error"]["code"].as_str().expect("a code").to_owned()
}

#[tokio::test]
async fn a_report_or_a_parameter_that_is_none() {
    let (world, terminal) = world().await;
    for (arguments, hint) in [
        (&["export", "salaries", "-p", "a=1"][..], "salaries"),
        (&["export", "ledger", "-p", "rows=many"], "rows"),
        (&["export", "orders", "-p", "from"], "from"),
        (&["export", "ledger", "-p", "rows=5", "-p", "colour=red"], "colour"),
        (&["export", "orders", "-p", "to=2026-11-07"], "from"),
        (&["export", "ledger", "-p", "rows=5", "--format", "pdf"], "pdf"),
        (&["export", "orders", "--params-json", "no-such-file.json"], "no-such-file.json"),
        (&["operations", "--service", "Nobody"], "Nobody"),
    ] {
        let ended = terminal.run(arguments).await;
        assert_eq!(ended.code, Some(2), "{arguments:?} {ended:?}");
        let said = one_sentence(&ended);
        assert!(said.contains(hint), "{said}");
        let ended = terminal.run([arguments, &["--json"]].concat()).await.with_code(2);
        code_of(&ended);
    }
    let rounded = r#"{"rows": 123456789012345678901234567890}"#;
    let arguments = ["export", "ledger", "--params-json", "-"];
    let ended = terminal.run_with_input(&arguments, rounded).await.with_code(2);
    assert!(one_sentence(&ended).contains("123456789012345678901234567890"));
    for no_object in ["[1]", "{\"from\":", "nothing"] {
        let arguments = ["export", "orders", "--params-json", "-"];
        let ended = terminal.run_with_input(&arguments, no_object).await.with_code(2);
        one_sentence(&ended);
    }
    let listed = terminal.run(["list", "--json"]).await.with_code(0);
    assert!(!listed.stdout.contains("request_key"), "nothing was recorded: {}", listed.stdout);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 0);
}

#[tokio::test]
async fn addresses_that_are_none() {
    let folder = tempfile::TempDir::new().unwrap();
    let terminal = Terminal::at(folder.path());
    for address in ["ftp://reports.example.com", "not an address", "http://reports.example.com"] {
        let arguments = ["service", "add", address, "--tenant", TENANT];
        let ended = terminal.run(arguments).await;
        assert_eq!(ended.code, Some(2), "{address}: {ended:?}");
        one_sentence(&ended);
    }
    let ended = terminal.run(["export", "orders"]).await.with_code(2);
    one_sentence(&ended);
    for tenant in [".", "..", "../other", "a?b", "%2e%2e"] {
        let arguments = ["service", "add", "https://reports.example.com", "--tenant", tenant];
        let ended = terminal.run(arguments).await.with_code(2);
        assert!(one_sentence(&ended).contains(tenant), "{ended:?}");
    }
}

#[tokio::test]
async fn a_service_that_can_not_be_reached_keeps_the_intent() {
    let (world, terminal) = world().await;
    world.proxy.refuse().await;
    let recorded = terminal
        .run([
            "export",
            "orders",
            "-p",
            "from=2026-11-01",
            "-p",
            "to=2026-11-07",
            "--no-wait",
            "--json",
        ])
        .await
        .with_code(0)
        .json();
    let id = recorded["id"].as_str().unwrap().to_owned();
    assert_eq!(world.rows().jobs(), []);
    world.proxy.listen();
    terminal.run(["run", "--until-settled"]).await.with_code(0);
    assert_eq!(terminal.run(["show", &id, "--json"]).await.json()["stage"], "saved");
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_wrong_token() {
    let (world, terminal) = world().await;
    let stranger = Terminal::at(world.path("terminal")).with_token(Some("not-a-token"));
    let arguments = ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07"];
    let ended = stranger.run(arguments).await.with_code(8);
    assert!(one_sentence(&ended).contains("token"), "{ended:?}");
    let add = ["service", "add", &world.proxy.url(), "--tenant", TENANT, "--token-stdin"];
    let ended = stranger.run_with_input(&add, "not-a-token").await.with_code(8);
    one_sentence(&ended);
    // The service that was there is as it was.
    terminal.run(arguments).await.with_code(0);
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_folder_that_can_not_be_written() {
    let (world, terminal) = world().await;
    let in_the_way = world.path("in-the-way");
    std::fs::write(&in_the_way, "a file, no folder").unwrap();
    let output = in_the_way.to_str().unwrap();
    let arguments = ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07"];
    let ended = terminal.run([&arguments[..], &["--output", output, "--json"]].concat()).await;
    assert_eq!(ended.code, Some(6), "{ended:?}");
    let open = ended.json();
    assert_eq!((&open["stage"], &open["hold"]), (&"downloading".into(), &"cannot_write".into()));
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(std::fs::read_to_string(&in_the_way).unwrap(), "a file, no folder");

    let id = open["id"].as_str().unwrap();
    let looked = terminal.run(["check", id]).await;
    assert_eq!(looked.code, Some(6), "a look that can not help ends at once: {looked:?}");
    let elsewhere = world.path("elsewhere");
    let output = elsewhere.to_str().unwrap();
    let ended = terminal.run([&arguments[..], &["--output", output, "--json"]].concat()).await;
    let saved = ended.with_code(0).json();
    assert_eq!(saved["id"], id, "the same export");
    assert!(Path::new(saved["file"]["path"].as_str().unwrap()).starts_with(&elsewhere));
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn a_store_that_is_foreign_torn_or_out_of_reach() {
    let (_world, terminal) = world().await;
    let store = terminal.home().join("docket.db");
    let whole = std::fs::read(&store).unwrap();
    let torn = whole[..whole.len() / 2].to_vec();
    for (what, bytes) in [("foreign", b"this is no database at all".repeat(200)), ("torn", torn)] {
        for beside in ["docket.db-wal", "docket.db-shm"] {
            drop(std::fs::remove_file(terminal.home().join(beside)));
        }
        std::fs::write(&store, &bytes).unwrap();
        let ended = terminal.run(["list"]).await.with_code(0);
        let said = one_sentence(&ended);
        let aside = |path: &PathBuf| said.contains(path.to_str().expect("a path of this test"));
        let entries = std::fs::read_dir(terminal.home()).unwrap();
        let kept = entries.map(|entry| entry.unwrap().path()).find(aside);
        let kept = kept.unwrap_or_else(|| unreachable!("{what}: no file is named: {said}"));
        assert_eq!(std::fs::read(kept).unwrap(), bytes, "{what}: set aside as it was");
        terminal.run(["notices", "--dismiss"]).await.with_code(0);
        let ended = terminal.run(["list"]).await.with_code(0);
        assert_eq!(ended.stderr, "", "{what}: said until it was read");
    }

    let blocked = Terminal::at(terminal.home().join("docket.db"));
    let ended = blocked.run(["list"]).await.with_code(1);
    one_sentence(&ended);
}

#[tokio::test]
async fn usage() {
    let folder = tempfile::TempDir::new().unwrap();
    let terminal = Terminal::at(folder.path());
    for arguments in [&["frobnicate"][..], &["export"], &["settle", "x"], &["show"]] {
        let ended = terminal.run(arguments).await;
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        let ended = terminal.run([arguments, &["--json"]].concat()).await.with_code(2);
        assert_eq!(code_of(&ended), "usage");
    }
    let ended = terminal.run(["show", "no-such-export"]).await;
    assert_eq!(ended.code, Some(2), "{ended:?}");
    one_sentence(&ended);
}

#[tokio::test]
async fn a_row_that_can_not_be_read_hides_no_other_and_is_told() {
    let (_world, terminal) = world().await;
    let downloads = terminal.downloads();
    let mut ids = Vec::new();
    for from in ["from=2026-11-01", "from=2026-11-02"] {
        let what = ["export", "orders", "-p", from, "-p", "to=2026-11-07", "--json", "--output"];
        let saved = terminal.run([&what[..], &[downloads.to_str().unwrap()]].concat()).await;
        ids.push(saved.with_code(0).json()["id"].as_str().unwrap().to_owned());
    }
    let [one, other] = &ids[..] else { unreachable!("{ids:?}") };
    // Somebody drives, so what is found is not set aside at once.
    let mut running = terminal.start(["run"]);
    running.says().await;
    let sql = rusqlite::Connection::open(terminal.home().join("docket.db")).unwrap();
    let damage = "UPDATE export SET title = 'x' || title WHERE id = ?1";
    assert_eq!(sql.execute(damage, [one.as_str()]).unwrap(), 1);
    let listed = terminal.run(["list", "--json"]).await.with_code(0);
    let page = listed.json();
    assert_eq!(page["items"].as_array().unwrap().len(), 1, "{page}");
    assert_eq!(page["items"][0]["id"], other.as_str());
    assert_eq!(page["unreadable"], serde_json::json!([1]));
    let shown = terminal.run(["list"]).await.with_code(0);
    assert!(
        shown.stdout.contains(other.as_str()) && shown.stderr.contains("1 export can't be read")
    );
    running.kill().await;
    // The next start sets it aside whole and says so.
    let next = terminal.run(["list", "--json"]).await.with_code(0);
    assert!(next.stderr.contains("set aside"), "{next:?}");
    assert_eq!(next.json()["unreadable"], serde_json::json!([]));
}
