//! Where a credential is kept: a real keychain that outlives the process, else the process alone.
//!
//! The keychain is GNOME's, on a session bus of its own that goes with the test.

use std::process::Stdio;

use docket_tests::{
    World,
    program::{Ended, Terminal, path_of},
    world::{ADA, TENANT},
};

/// Two programs one after the other, with one keychain: the first is given a token, the second is
/// given none. The keychain's own program ends with them.
const TWO_PROGRAMS: &str = r#"
echo | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 &
keychain=$!
trap 'kill $keychain' EXIT
gdbus wait --session --timeout 20 org.freedesktop.secrets || exit 90
printf %s "$TOKEN" | "$DOCKET" service add "$ADDRESS" --tenant "$TENANT" --token-stdin >/dev/null || exit 91
"$DOCKET" service list --json
"#;

#[tokio::test]
async fn a_token_outlives_the_process_in_a_real_keychain() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("terminal")).with_token(None);
    // The child's folders and nothing else of this process; the bus is the session's own.
    let like = terminal.command(["list"]);
    let mut session = tokio::process::Command::new("dbus-run-session");
    session.args(["--", "sh", "-c", TWO_PROGRAMS]).env_clear().stdin(Stdio::null());
    for (name, value) in like.as_std().get_envs() {
        if let (Some(value), false) = (value, name == "DBUS_SESSION_BUS_ADDRESS") {
            session.env(name, value);
        }
    }
    session
        .env("DOCKET", path_of("docket"))
        .env("ADDRESS", world.proxy.url())
        .env("TENANT", TENANT)
        .env("TOKEN", ADA)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    std::fs::create_dir_all(world.path("terminal/person")).expect("a person has a folder");
    let output = docket_tests::in_time("two programs and a keychain", session.output()).await;
    let ended = Ended::from(output.expect("dbus-run-session is installed: `cargo xtask test`"));
    let ended = ended.with_code(0);
    assert_eq!(ended.json()["services"][0]["credential"], "keychain", "{ended:?}");
    let store = std::fs::read(terminal.home().join("docket.db")).expect("the store is there");
    assert!(!store.windows(ADA.len()).any(|bytes| bytes == ADA.as_bytes()), "a token in the store");
}

#[tokio::test]
async fn without_a_keychain_a_token_ends_with_the_process_and_the_person_is_told() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("terminal")).with_token(None);
    let address = world.proxy.url();
    let added = terminal
        .run_with_input(&["service", "add", &address, "--tenant", TENANT, "--token-stdin"], ADA)
        .await
        .with_code(0);
    let said = format!("{}{}", added.stdout, added.stderr);
    assert!(said.contains("keychain"), "it is said plainly: {said}");
    let listed = terminal.run(["service", "list", "--json"]).await.with_code(0).json();
    assert_eq!(listed["services"][0]["credential"], "none", "{listed}");
    let export = ["export", "orders", "-p", "from=2026-11-01", "-p", "to=2026-11-07"];
    terminal.run(export).await.with_code(8);
}
