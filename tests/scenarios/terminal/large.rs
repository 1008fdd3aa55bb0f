//! A large file goes through both programs in flat memory: neither ever holds more than a piece of it.

use std::{fs, time::Duration};

use docket_tests::{
    process::high_water_kb,
    program::{ServiceProgram, Terminal},
};
use tempfile::TempDir;

/// Rows of the export that every run makes; ten millions are made by hand.
const ROWS: u64 = 300_000;
/// Issue 2: each program stays under so many kilobytes. The file itself weighs about 24 MB.
const MEMORY_MAX_KB: u64 = 150_000;

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_large_ledger_is_made_fetched_and_verified_in_flat_memory() {
    let folder = TempDir::new().unwrap();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let terminal = Terminal::at(folder.path());
    terminal.add_service(&service.url).await;
    let rows = format!("rows={ROWS}");
    let output = terminal.downloads();
    let arguments =
        ["export", "ledger", "-p", &rows, "--output", output.to_str().unwrap(), "--json"];
    let mut docket = terminal.command(arguments).spawn().unwrap();
    let process = docket.id().unwrap();
    let mut most = 0;
    let mut glance = tokio::time::interval(Duration::from_millis(20));
    let status = docket_tests::in_time("a large export", async {
        loop {
            tokio::select! {
                status = docket.wait() => break status.unwrap(),
                _ = glance.tick() => most = most.max(high_water_kb(process).unwrap_or_default()),
            }
        }
    })
    .await;
    assert!(status.success(), "{status}");
    let file = fs::read_dir(&output).unwrap().next().unwrap().unwrap().path();
    let lines = fs::read(&file).unwrap().iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines as u64, ROWS + 1, "a head and every row");
    let made = high_water_kb(service.process()).unwrap();
    assert!(most > 0 && most < MEMORY_MAX_KB, "docket held {most} kB");
    assert!(made < MEMORY_MAX_KB, "docket-service held {made} kB");
}
