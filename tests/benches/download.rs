//! From the service's file to a verified file under its name, against curl piped to sha256sum.
//!
//! Ours is the engine's whole fetch: the wish written down, the request, the bytes hashed and written
//! as they come, the sync, the digest compared, the rename, what the store notes of it. It begins when
//! a person asks for a file again that was deleted, and ends when the export is told as saved. The
//! bare side takes the same file from the same service: `curl | tee FILE | sha256sum`, `sync FILE`.

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use docket_engine::{
    engine::Engine, export::ExportId, secrets::MemorySecrets, stage::Stage, view::ExportView,
};
use docket_tests::{
    process::high_water_kb,
    program::{ServiceProgram, Terminal},
    world::{ADA, TENANT},
};
use serde_json::json;

use crate::{
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Rows of the file whose fetch is timed: about 250 MB.
const ROWS: u64 = 3_150_000;
/// Rows of the files whose memory is compared: about 50 and 500 MB.
const FEW_ROWS: u64 = 630_000;
const MANY_ROWS: u64 = 6_300_000;
/// Rounds.
const ROUNDS: usize = ROUNDS_MIN + 2;
/// Rounds of the comparison of memory, which time does not disturb.
const ROUNDS_OF_MEMORY: usize = 3;
/// How much more memory a file of ten times the size may take.
const FLAT: f64 = 1.1;

/// Measures the throughput, and the memory of the program.
pub async fn run() -> Vec<Figure> {
    vec![throughput().await, memory().await]
}

async fn throughput() -> Figure {
    let folder = place::folder();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let engine = place::engine(folder.path(), Arc::new(MemorySecrets::default())).await;
    let reports = place::add_service(&engine, &service.url).await;
    engine.start();
    let form = place::form(&reports, "ledger", json!({"rows": ROWS, "seed": 1}));
    let id = place::recorded(engine.request(form).await.expect("the intent can be recorded"));
    let mut saved = settled(&engine, &id).await;
    let (mut ours, mut bare) = (Side::default(), Side::default());
    let size = saved.file.as_ref().expect("it is saved").size;
    // The first round warms up.
    for round in 0..=ROUNDS {
        remove_file(&saved);
        let (took, again) = place::timed(fetched(&engine, &id)).await;
        saved = again;
        let target = folder.path().join("bare.csv");
        let (by_curl, digest) = place::timed_here(|| curl(&service.url, &saved, &target));
        let file = saved.file.as_ref().expect("it is saved");
        assert_eq!(file.digest, digest, "both fetched the same bytes");
        std::fs::remove_file(&target).expect("it was written");
        if round > 0 {
            ours.round(vec![megabytes(size) / took * 1000.0]);
            bare.round(vec![megabytes(size) / by_curl * 1000.0]);
        }
    }
    engine.shutdown().await;
    service.kill().await;
    let subject = Subject {
        bench: "download",
        figure: format!("fetch, verify, sync, rename {:.0} MB", megabytes(size)),
        unit: "MB/s",
        ours: "from the wish to the export told as saved, with its digest compared".to_owned(),
        bare: "curl | tee FILE | sha256sum, then sync FILE, from the same service".to_owned(),
    };
    Figure::of_pair(subject, Bar::RatioAtLeast(0.9), &ours, &bare)
}

async fn fetched(engine: &Engine, id: &ExportId) -> ExportView {
    engine.download(id, None).await.expect("there is a file");
    settled(engine, id).await
}

async fn settled(engine: &Engine, id: &ExportId) -> ExportView {
    let view = engine.settled_or_waiting(id).await.expect("the export can be read");
    assert_eq!(view.stage, Stage::Saved, "{view:?}");
    view
}

fn remove_file(saved: &ExportView) {
    let file = saved.file.as_ref().expect("it is saved");
    std::fs::remove_file(&file.path).expect("it lies where the export says");
}

/// Fetches the file of this export as a person would by hand. Gives its SHA-256.
fn curl(url: &str, saved: &ExportView, target: &Path) -> String {
    let job = saved.business_id.as_deref().expect("its job is known");
    let script = "set -e\n\
        curl --silent --show-error --fail --header \"Authorization: Bearer $TOKEN\" \"$FROM\" \
        | tee \"$TO\" | sha256sum\nsync \"$TO\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .env("TOKEN", ADA)
        .env("FROM", format!("{url}/v1/tenants/{TENANT}/exports/{job}/file"))
        .env("TO", target)
        .output()
        .expect("there is a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8(output.stdout).expect("a digest is text");
    said.split(' ').next().unwrap_or_default().to_owned()
}

async fn memory() -> Figure {
    let (mut many, mut few) = (Side::default(), Side::default());
    for _ in 0..ROUNDS_OF_MEMORY {
        few.round(vec![peak_of(FEW_ROWS).await]);
        many.round(vec![peak_of(MANY_ROWS).await]);
    }
    let subject = Subject {
        bench: "download",
        figure: format!("memory of docket, {MANY_ROWS} rows against {FEW_ROWS}"),
        unit: "MB",
        ours: "the most that `docket export` held (VmHWM) for the large file".to_owned(),
        bare: "the same for the small one".to_owned(),
    };
    Figure::of_pair(subject, Bar::RatioAtMost(FLAT), &many, &few)
}

/// The most memory, in MB, that the program holds while it requests and fetches so many rows.
async fn peak_of(rows: u64) -> f64 {
    let folder = place::folder();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let terminal = Terminal::at(folder.path());
    terminal.add_service(&service.url).await;
    let (rows, output) = (format!("rows={rows}"), terminal.downloads());
    let output = output.to_str().expect("a folder of plain letters");
    let arguments = ["export", "ledger", "-p", &rows, "--output", output];
    let mut docket = terminal.command(arguments).spawn().expect("docket starts");
    let process = docket.id().expect("it runs");
    let mut most = 0;
    let mut glance = tokio::time::interval(Duration::from_millis(10));
    let status = loop {
        tokio::select! {
            status = docket.wait() => break status.expect("it ends"),
            _ = glance.tick() => most = most.max(high_water_kb(process).unwrap_or_default()),
        }
    };
    assert!(status.success(), "{status}");
    service.kill().await;
    megabytes(most * 1024)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
