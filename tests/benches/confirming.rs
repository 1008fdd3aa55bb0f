//! 10,000 exports whose receipts were lost, all due at once, against a bare client that asks the same.
//!
//! Ours begins when the engine starts to drive and ends when none is open: each export is read, looked
//! up by its key, its answer judged, the attempt and what it proves written down durably, the view
//! told. The bare side asks the same service about the same keys, as many at a time, reads each answer
//! as JSON and keeps nothing.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use docket_engine::{
    clock::{Clock, SystemClock},
    policy::Policy,
    secrets::MemorySecrets,
    stage::Stage,
    view::ChangeView,
};
use docket_tests::{
    Call, Proxy, Rule,
    filled::{self, Copied},
    process::connections_to,
    program::ServiceProgram,
    rows::Rows,
    world::{ADA, TENANT, copy_folder, week},
};
use docket_wire::{JobStatus, KeyState, KeyStatus, header::REPEATABILITY_FIRST_SENT};
use futures_util::{StreamExt, stream};
use jiff::fmt::rfc2822::DateTimePrinter;
use tokio::sync::broadcast::error::RecvError;

use crate::{
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Exports.
const EXPORTS: u32 = 10_000;
/// Rounds.
const ROUNDS: usize = ROUNDS_MIN;
/// Quality.md.
const BAR: Bar = Bar::RatioAtMost(1.3);
/// Where a store and its twin lie.
const PARTS: [&str; 2] = ["home", "machine"];
/// Gap between two looks at how many connections are open.
const GLANCE: Duration = Duration::from_millis(10);

/// Measures how long it takes until all are settled.
pub async fn run() -> Vec<Figure> {
    let folder = place::folder();
    let secrets = Arc::new(MemorySecrets::default());
    let (service, copies) = ten_thousand(folder.path(), &secrets).await;
    let drives = Policy::default().drives_max;
    let (mut ours, mut bare) = (Side::default(), Side::default());
    let (mut open, mut open_bare) = (Side::default(), Side::default());
    let kept = place::folder();
    for part in PARTS {
        copy_folder(&folder.path().join(part), &kept.path().join(part));
    }
    // The first round warms up.
    for round in 0..=ROUNDS {
        put_back(kept.path(), folder.path());
        let glance = Glance::at(service.address());
        let took = all_settled(folder.path(), &secrets).await;
        let connections = glance.most();
        let glance = Glance::at(service.address());
        let (other, ()) = place::timed(asked(&service.url, &copies, drives)).await;
        if round > 0 {
            open.round(vec![connections as f64]);
            open_bare.round(vec![glance.most() as f64]);
            ours.round(vec![took]);
            bare.round(vec![other]);
        }
    }
    service.kill().await;
    let subject = Subject {
        bench: "confirming",
        figure: format!("{EXPORTS} exports confirming at once, all settled"),
        unit: "ms",
        ours: "from the start of the engine until none is open".to_owned(),
        bare: format!("reqwest, {drives} at a time, the same keys, each answer read as JSON"),
    };
    let connections = Subject {
        bench: "confirming",
        figure: format!("connections at once, {drives} calls at a time"),
        unit: "connections",
        ours: "the most that were open at a look".to_owned(),
        bare: "the same".to_owned(),
    };
    // One for each call, and one that closes while the next one opens.
    let at_most = Bar::EachAtMost(2.0 * drives as f64);
    vec![
        Figure::of_pair(subject, BAR, &ours, &bare),
        Figure::of_pair(connections, at_most, &open, &open_bare),
    ]
}

/// A store with ten thousand exports of lost receipts, and the service that has their jobs.
async fn ten_thousand(
    folder: &Path,
    secrets: &Arc<MemorySecrets>,
) -> (ServiceProgram, Vec<Copied>) {
    let service = ServiceProgram::start(folder, &[]).await;
    let address = service.address();
    let proxy = Proxy::start(address);
    let engine = place::engine(folder, Arc::clone(secrets)).await;
    let reports = place::add_service(&engine, &proxy.url()).await;
    proxy.rules([Rule::lose_answer(Call::Submit), Rule::swallow(Call::Key).always()]);
    engine.start();
    let form = place::form(&reports, "orders", week());
    let original = place::recorded(engine.request(form).await.expect("it can be recorded"));
    let mut changes = engine.subscribe();
    while engine.get(&original).await.expect("it can be read").stage != Stage::Confirming {
        changes.recv().await.expect("the engine tells");
    }
    engine.shutdown().await;
    service.kill().await;
    let database = folder.join("service.db");
    // Settled by the answer alone: nothing is left to fetch.
    Rows::of(&database).tamper(
        "UPDATE export_job SET status = 'cancelled', revision = revision + 1, \
         settled_at = updated_at, expires_at = NULL, file_name = NULL, file_size = NULL, \
         file_media_type = NULL, file_sha256 = NULL",
    );
    let home = place::home(folder);
    filled::moved(&home, &proxy.url(), &format!("http://{address}"));
    let copies = filled::exports(&home, EXPORTS - 1, 1, |_| Vec::new());
    filled::jobs(&database, &copies);
    let service = ServiceProgram::start(folder, &["--listen", &address.to_string()]).await;
    (service, copies)
}

/// Writes what was kept over what is there, file by file: a store that is another file was copied, and
/// would be held (lifecycle.md, guard 5).
fn put_back(kept: &Path, folder: &Path) {
    for part in PARTS {
        let entries = std::fs::read_dir(folder.join(part)).expect("the folder can be read");
        for path in entries.map(|entry| entry.expect("an entry can be read").path()) {
            let name = path.file_name().expect("an entry has a name");
            if path.is_file() && !kept.join(part).join(name).exists() {
                std::fs::remove_file(path).expect("what was made since can be removed");
            }
        }
        copy_folder(&kept.join(part), &folder.join(part));
    }
}

/// Milliseconds until the engine over this store has settled all of its exports.
async fn all_settled(folder: &Path, secrets: &Arc<MemorySecrets>) -> f64 {
    let engine = place::engine(folder, Arc::clone(secrets)).await;
    let counts = engine.counts().await.expect("they can be counted");
    assert_eq!(counts.confirming, EXPORTS, "all are being confirmed");
    let mut changes = engine.subscribe();
    let (took, ()) = place::timed(async {
        engine.start();
        loop {
            let open = match changes.recv().await {
                Ok(ChangeView::Export { counts, .. }) => counts.in_progress,
                Ok(ChangeView::Services { .. } | ChangeView::Notices { .. }) => continue,
                Err(RecvError::Lagged(_)) => {
                    engine.counts().await.expect("they can be counted").in_progress
                }
                Err(RecvError::Closed) => unreachable!("the engine is open"),
            };
            if open == 0 {
                break;
            }
        }
    })
    .await;
    let counts = engine.counts().await.expect("they can be counted");
    assert_eq!(counts.finished, EXPORTS, "all are settled");
    engine.shutdown().await;
    took
}

/// Asks about each key, so many at a time.
async fn asked(url: &str, copies: &[Copied], at_a_time: usize) {
    let client =
        reqwest::Client::builder().http1_only().no_proxy().build().expect("a client can be made");
    let first_sent = DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&SystemClock.now())
        .expect("this year fits in a date");
    stream::iter(copies)
        .map(|copied| {
            let address = format!(
                "{url}/v1/tenants/{TENANT}/request-keys/{}?operation=orders",
                copied.request_key
            );
            client
                .get(address)
                .bearer_auth(ADA)
                .header(REPEATABILITY_FIRST_SENT, &first_sent)
                .send()
        })
        .buffer_unordered(at_a_time)
        .for_each(async |answer| {
            let answer = answer.expect("the service answers");
            let status: KeyStatus = answer.json().await.expect("the answer is a key's state");
            assert_eq!(status.state, KeyState::Present);
            assert_eq!(status.export.map(|job| job.status), Some(JobStatus::Cancelled));
        })
        .await;
}

/// Looks, now and again, at how many connections to the service are open.
struct Glance {
    most: Arc<AtomicUsize>,
    looking: tokio::task::JoinHandle<()>,
}

impl Glance {
    fn at(address: SocketAddr) -> Self {
        let most = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&most);
        let looking = tokio::spawn(async move {
            loop {
                seen.fetch_max(connections_to(address).unwrap_or_default(), Ordering::Relaxed);
                place::pass(GLANCE).await;
            }
        });
        Self { most, looking }
    }

    /// The most that were open, and no more looks.
    fn most(self) -> usize {
        self.looking.abort();
        self.most.load(Ordering::Relaxed)
    }
}
