//! What a person's log and screen hold of secrets and of their data: the real program, its real files.

use docket_tests::{
    Call, Message, Proxy, Rule, World, program::Terminal, proxy::rule::whole, world::ADA,
};
use std::{path::Path, time::Duration};

/// Every byte of every file below a folder.
fn all_bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(all_bytes(&path));
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).expect("it can be read")));
        }
    }
    found
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn no_credential_no_signed_address_and_no_parameter_is_in_a_log_or_on_a_screen() {
    let world = World::with(|config| config.max_wait = Duration::from_secs(20)).await;
    let host = Proxy::start(world.service().address());
    let refusal =
        "<Error><Code>AccessDenied</Code><Resource>/bucket?signature=s3cret</Resource></Error>";
    host.rules([Rule::instead(Call::Any, whole("403 Forbidden", "application/xml", &[], refusal))]);
    let terminal = Terminal::at(world.path("terminal"));
    terminal.add_service(&world.proxy.url()).await;
    let url = host.url();
    // Once signed elsewhere, and that address has run out; then the service's own.
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::edit(Call::Job, move |answer: &mut Message| {
            answer.edit_json(|job| {
                if job["file"].is_object() {
                    job["file"]["href"] = format!("{url}/bucket/x.csv?signature=s3cret").into();
                }
            });
        }),
    ]);
    let downloads = terminal.downloads();
    let ended = terminal
        .run([
            "export",
            "customers",
            "-p",
            "country=DE",
            "-p",
            "since=1987-06-05",
            "--output",
            downloads.to_str().expect("a path of this test"),
            "--json",
        ])
        .await
        .with_code(0);
    let id = ended.json()["id"].as_str().expect("an id").to_owned();
    let shown = terminal.run(["show", &id, "--json"]).await.with_code(0);
    let told = terminal.run(["show", &id]).await.with_code(0);

    for said in [&ended, &shown, &told] {
        for secret in [ADA, "s3cret", "signature"] {
            assert!(!said.stdout.contains(secret), "{secret} in {said:?}");
            assert!(!said.stderr.contains(secret), "{secret} in {said:?}");
        }
    }
    let logs = all_bytes(&terminal.home().join("logs"));
    assert!(logs.iter().any(|(_, bytes)| holds(bytes, "attempt_ended")), "there is a log");
    for (path, bytes) in &logs {
        // What was asked for is the person's data, as a search term is.
        for secret in [ADA, "s3cret", "signature", "1987-06-05", "country"] {
            assert!(!holds(bytes, secret), "{secret} in {path}");
        }
    }
    for (path, bytes) in all_bytes(&terminal.home()) {
        assert!(!holds(&bytes, ADA), "a credential in {path}");
    }
    world.holds(&[]);
}
