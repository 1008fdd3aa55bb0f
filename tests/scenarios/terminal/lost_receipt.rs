//! `docket export` against the real service behind a proxy that kills the connection after the
//! service has committed.

use docket_tests::{
    Call, Proxy, Rule,
    program::{ServiceProgram, Terminal},
    rows::Rows,
};
use tempfile::TempDir;

#[tokio::test]
async fn one_job_one_key_and_a_look_up() {
    let folder = TempDir::new().unwrap();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let proxy = Proxy::start(service.address());
    let terminal = Terminal::at(folder.path().join("terminal"));
    terminal.add_service(&proxy.url()).await;
    proxy.rules([Rule::lose_answer(Call::Submit)]);
    let downloads = terminal.downloads();
    let output = downloads.to_str().unwrap();
    let dates = ["-p", "from=2026-11-01", "-p", "to=2026-11-07", "-p", "region=north,east"];
    let arguments = [&["export", "orders"], &dates[..], &["--output", output, "--json"]].concat();
    let ended = terminal.run(arguments).await.with_code(0);
    assert!(ended.stderr.lines().any(|line| line.starts_with("recorded ")), "{}", ended.stderr);

    let export = ended.json();
    assert_eq!(export["stage"], "saved", "{export:#}");
    let attempts = export["attempts"].as_array().unwrap();
    let lost = attempts.iter().position(|a| a["kind"] == "submit" && a["call_result"] == "lost");
    let lost = lost.expect("a lost submit");
    assert!(attempts[lost..].iter().any(|a| a["kind"] == "lookup"), "{export:#}");
    let jobs = Rows::of(&folder.path().join("service.db")).jobs();
    assert_eq!(jobs.len(), 1);
    assert_eq!(jobs[0].request_key.as_deref(), export["request_key"].as_str());
    assert_eq!(jobs[0].file_sha256.as_deref(), export["file"]["digest"].as_str());
    for seen in proxy.seen().iter().filter(|seen| seen.key.is_some()) {
        assert_eq!(seen.key.as_deref(), export["request_key"].as_str(), "one key throughout");
    }
    assert_eq!(proxy.seen_of(Call::Submit).len(), 1);

    let secret = docket_tests::world::ADA.as_bytes();
    for entry in std::fs::read_dir(terminal.home()).unwrap().flatten() {
        if let Ok(bytes) = std::fs::read(entry.path()) {
            let holds = bytes.windows(secret.len()).any(|window| window == secret);
            assert!(!holds, "a credential in {:?}", entry.path());
        }
    }
}
