//! The program itself: what it prints, how it ends, and what a kill costs.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, ChildStdout, Command, Stdio},
    time::Duration,
};

use docket_wire::{Export, JobStatus};
use serde_json::Value;
use tempfile::TempDir;

use crate::world::{http_date, ledger};

struct Program {
    child: Child,
    stdout: BufReader<ChildStdout>,
    url: String,
    token: String,
}

impl Program {
    fn start(folder: &TempDir, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_docket-service"))
            .args(["--practice", "--log", "json", "--queued-for", "0ms"])
            .arg("--database")
            .arg(folder.path().join("service.db"))
            .arg("--files")
            .arg(folder.path().join("files"))
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = || {
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            line.trim_end().to_owned()
        };
        let url = line().strip_prefix("listening ").unwrap().to_owned();
        let token = line().strip_prefix("token ").unwrap().to_owned();
        Self { child, stdout, url, token }
    }

    fn exports(&self) -> String {
        format!("{}/v1/tenants/practice/exports", self.url)
    }

    async fn submit(&self, payload: &Value) -> Export {
        let clock = docket_service::clock::SystemClock;
        let now = docket_service::clock::Clock::now(&clock);
        let answer = client()
            .post(self.exports())
            .bearer_auth(&self.token)
            .header("idempotency-key", "\"0190c8a0-0000-7000-8000-00000000000f\"")
            .header("repeatability-first-sent", http_date(now))
            .header("docket-attempt", "3")
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .json(payload)
            .send()
            .await
            .unwrap();
        assert_eq!(answer.status(), 202);
        answer.json().await.unwrap()
    }

    async fn until(&self, business_id: &str, status: &JobStatus) -> Export {
        let waiting = async {
            let mut known = String::new();
            loop {
                let answer = client()
                    .get(format!("{}/{business_id}", self.exports()))
                    .bearer_auth(&self.token)
                    .header("prefer", "wait=20")
                    .header("if-none-match", &known)
                    .send();
                let answer = answer.await.unwrap();
                if answer.status() == 304 {
                    continue;
                }
                known = answer.headers()["etag"].to_str().unwrap().to_owned();
                let export: Export = answer.json().await.unwrap();
                if export.status == *status {
                    return export;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waiting).await.unwrap()
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").arg(name).arg(self.child.id().to_string()).status();
        assert!(status.unwrap().success());
    }

    /// What it wrote to stderr, once it has ended.
    fn ended(mut self) -> (bool, String) {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        (self.child.wait().unwrap().success(), log)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A test that failed must not leave it running; one that has ended is no error.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_service_goes_on_with_its_jobs() {
    let folder = TempDir::new().unwrap();
    let program = Program::start(&folder, &["--running-for", "1000s"]);
    let id = program.submit(&ledger(1000)).await.business_id;
    let running = program.until(&id, &JobStatus::Running).await;
    program.signal("-KILL");
    assert!(!program.ended().0);

    let program = Program::start(&folder, &["--running-for", "0s"]);
    let done = program.until(&id, &JobStatus::Succeeded).await;
    assert!(done.revision > running.revision);
    assert_eq!(done.service_epoch, running.service_epoch);
    let replay = program.submit(&ledger(1000)).await;
    assert_eq!(replay.business_id, id);
    let files: Vec<_> = std::fs::read_dir(folder.path().join("files"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, [format!("{id}.csv")], "nothing half done is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_service_ends_cleanly_and_its_log_keeps_secrets() {
    let folder = TempDir::new().unwrap();
    let program = Program::start(&folder, &["--running-for", "0s"]);
    let token = program.token.clone();
    let id = program.submit(&ledger(1234)).await.business_id;
    program.until(&id, &JobStatus::Succeeded).await;
    program.signal("-TERM");
    let (success, log) = program.ended();
    assert!(success, "{log}");
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let submit = lines.iter().find(|line| line["kind"] == "submit").unwrap();
    assert_eq!(submit["level"], "info");
    assert_eq!(submit["event"], "answered");
    assert_eq!(submit["business_id"], id.as_str());
    assert_eq!(submit["request_key"], "0190c8a0-0000-7000-8000-00000000000f");
    assert_eq!((&submit["http_status"], &submit["attempt_no"]), (&202.into(), &3.into()));
    assert_eq!(submit["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert!(submit["duration_ms"].is_u64() && submit["time"].is_string());
    assert!(!log.contains(&token) && !log.contains("1234"), "{log}");
}

#[cfg(unix)]
#[test]
fn a_signal_right_after_the_first_line_is_heard() {
    for _ in 0..5 {
        let folder = TempDir::new().unwrap();
        let program = Program::start(&folder, &[]);
        program.signal("-HUP");
        program.signal("-TERM");
        let (success, log) = program.ended();
        assert!(success, "{log}");
    }
}

#[test]
fn a_bad_start_is_one_sentence() {
    let folder = TempDir::new().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_docket-service"))
        .arg("--database")
        .arg(folder.path().join("service.db"))
        .arg("--files")
        .arg(folder.path().join("files"))
        .args(["--tokens", "/nowhere/tokens.toml"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("docket-service: the tokens file /nowhere/tokens.toml can not be read")
    );
}
