//! `docket demo` on a machine where nothing is: a lost receipt, a look-up, a verified file.

use docket_tests::{program::Terminal, rows::Rows};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

/// Issue 2: in under twenty seconds.
const DEMO: Duration = Duration::from_secs(20);

fn find(folder: &Path, fits: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            found.extend(find(&entry.path(), fits));
        } else if fits(&entry.path()) {
            found.push(entry.path());
        }
    }
    found
}

#[tokio::test]
async fn in_an_empty_home_it_leaves_one_job_and_a_verified_file() {
    let folder = TempDir::new().unwrap();
    let terminal = Terminal::at(folder.path()).with_token(None);
    let downloads = terminal.downloads();
    let output = downloads.to_str().unwrap();
    let ended = tokio::time::timeout(DEMO, terminal.run(["demo", "--output", output, "--json"]))
        .await
        .expect("the demonstration takes less")
        .with_code(0);
    let export = ended.json();
    assert_eq!(export["stage"], "saved", "{export:#}");
    assert_eq!(export["file"]["verified"], "digest");

    let attempts = export["attempts"].as_array().unwrap();
    let lost = attempts.iter().position(|a| a["kind"] == "submit" && a["call_result"] == "lost");
    let looked = attempts.iter().position(|a| a["kind"] == "lookup" && a["result"] == "found");
    assert!(lost.expect("a lost receipt") < looked.expect("a look-up"));
    let told = ["receipt", "look", "verified"];
    assert!(told.iter().any(|word| ended.stderr.contains(word)), "{}", ended.stderr);

    let is_services =
        |path: &Path| path.extension().is_some_and(|e| e == "db") && !path.ends_with("docket.db");
    let databases = find(&terminal.home(), &is_services);
    assert_eq!(databases.len(), 1, "{databases:?}");
    let jobs = Rows::of(&databases[0]).jobs();
    assert_eq!(jobs.len(), 1, "exactly one row in export_job");
    assert_eq!(jobs[0].file_sha256.as_deref(), export["file"]["digest"].as_str());
    let path = export["file"]["path"].as_str().unwrap();
    let bytes = std::fs::read(path).expect("the file is there");
    assert_eq!(Some(bytes.len() as u64), export["file"]["size"].as_u64());

    for stray in ["person", "xdg/data", "xdg/config"] {
        let left = find(&folder.path().join(stray), &|_| true);
        assert!(left.is_empty(), "nothing beside DOCKET_HOME: {left:?}");
    }
}

#[tokio::test]
async fn a_second_demonstration_is_a_second_export() {
    let folder = TempDir::new().unwrap();
    let terminal = Terminal::at(folder.path()).with_token(None);
    let downloads = terminal.downloads();
    let arguments = ["demo", "--output", downloads.to_str().unwrap(), "--json"];
    let one = terminal.run(arguments).await.with_code(0).json();
    let other = terminal.run(arguments).await.with_code(0).json();
    assert_ne!(one["request_key"], other["request_key"]);
    assert_ne!(one["file"]["path"], other["file"]["path"], "no file is overwritten");
}
