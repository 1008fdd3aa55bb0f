//! A folder or a file that can not be written: one sentence, nothing lost, and a start works again when
//! it can be.
//!
//! The system's own rights are what refuses, so the program runs as somebody who has none: where the
//! tests run as the system's administrator, as `nobody`; else as whoever runs them.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use docket_tests::{
    World,
    program::{Ended, Terminal},
};

/// `nobody`, by custom.
const NOBODY: u32 = 65_534;

fn give(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

/// Whether rights mean nothing to whoever runs the tests.
fn is_administrator() -> bool {
    fs::metadata("/proc/self").expect("it is there").uid() == 0
}

async fn run(terminal: &Terminal, arguments: &[&str]) -> Ended {
    let mut command = terminal.command(arguments);
    if is_administrator() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = docket_tests::in_time("docket", command.output()).await;
    output.expect("docket starts").into()
}

async fn refuses_and_then_works(lock: impl Fn(&Path), unlock: impl Fn(&Path)) {
    let world = World::new().await;
    give(world.folder.path(), 0o755);
    let folder = world.path("terminal");
    fs::create_dir(&folder).expect("it can be made");
    if is_administrator() {
        std::os::unix::fs::chown(&folder, Some(NOBODY), Some(NOBODY)).expect("it can be given");
    }
    let terminal = Terminal::at(&folder);
    run(&terminal, &["service", "list"]).await.with_code(0);
    lock(&terminal.home());
    let before = fs::read(terminal.home().join("docket.db")).expect("it is there");
    let ended = run(&terminal, &["list", "--json"]).await.with_code(1);
    assert_eq!(ended.json()["error"]["code"], "store_unwritable", "{ended:?}");
    assert!(ended.stderr.contains("make it writable, or name another folder"), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "one sentence: {ended:?}");
    assert!(fs::read(terminal.home().join("docket.db")).expect("there") == before, "untouched");
    unlock(&terminal.home());
    let ended = run(&terminal, &["list", "--json"]).await.with_code(0);
    assert!(ended.json()["notices"].is_null(), "nothing happened to it: {ended:?}");
}

#[tokio::test]
async fn a_folder_that_can_not_be_written() {
    refuses_and_then_works(
        |home| {
            for file in fs::read_dir(home).expect("it can be listed") {
                let path = file.expect("an entry").path();
                give(&path, if path.is_dir() { 0o500 } else { 0o400 });
            }
            give(home, 0o500);
        },
        |home| {
            give(home, 0o700);
            for file in fs::read_dir(home).expect("it can be listed") {
                let path = file.expect("an entry").path();
                give(&path, if path.is_dir() { 0o700 } else { 0o600 });
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_file_that_can_not_be_written() {
    refuses_and_then_works(
        |home| give(&home.join("docket.db"), 0o400),
        |home| give(&home.join("docket.db"), 0o600),
    )
    .await;
}
