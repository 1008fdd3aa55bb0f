//! Where a bench takes place: a folder on the disk that the build lies on, the service as a program,
//! an engine as Docket opens it, and a stopwatch.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use docket_engine::{
    clock::{Chance, SystemClock},
    connector::{NativeConnector, Proxying},
    engine::{Engine, NewService, Options},
    export::{ClickId, ExportId, ServiceId},
    policy::Policy,
    secrets::MemorySecrets,
    store::Practice,
    view::{Knowing, RequestExport, Requested},
};
use docket_tests::world::{ADA, TENANT};
use serde_json::Value;
use tempfile::TempDir;

/// A folder that goes with the bench. It lies in cargo's target folder: where the system keeps its
/// own temporary files may be memory, on which a sync costs nothing.
///
/// # Panics
/// It can not be made.
pub fn folder() -> TempDir {
    let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(parent).expect("the build's own folder can be written");
    TempDir::with_prefix_in("figures-", parent).expect("a folder can be made there")
}

/// Milliseconds that something took.
pub async fn timed<T>(work: impl Future<Output = T>) -> (f64, T) {
    let began = now();
    let done = work.await;
    (millis(began.elapsed()), done)
}

/// The same of what blocks.
pub fn timed_here<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let began = now();
    let done = work();
    (millis(began.elapsed()), done)
}

fn millis(length: Duration) -> f64 {
    length.as_secs_f64() * 1000.0
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time; nothing is decided by it")]
fn now() -> Instant {
    Instant::now()
}

/// Lets time pass.
#[expect(clippy::disallowed_methods, reason = "idleness is measured over a time of its own")]
pub async fn pass(length: Duration) {
    tokio::time::sleep(length).await;
}

/// An engine with Docket's own numbers, over the store in this folder. It does not drive yet.
///
/// # Panics
/// It can not be opened.
pub async fn engine(folder: &Path, secrets: Arc<MemorySecrets>) -> Engine {
    let clock = Arc::new(SystemClock);
    let connector = NativeConnector::through(&Proxying::Direct, clock.clone())
        .expect("a connector can be made");
    Engine::open(Options {
        home: home(folder),
        machine_state: folder.join("machine"),
        downloads: folder.join("downloads"),
        policy: Policy::default(),
        clock,
        chance: Arc::new(Chance::System),
        secrets,
        connector: Some(Arc::new(connector)),
    })
    .await
    .expect("the store opens")
}

/// The store's folder.
pub fn home(folder: &Path) -> PathBuf {
    folder.join("home")
}

/// Adds the service and signs in; what it can do and offers is known from then on.
///
/// # Panics
/// It is refused.
pub async fn add_service(engine: &Engine, url: &str) -> ServiceId {
    let new = NewService {
        name: Some("Reports".to_owned()),
        address: url.to_owned(),
        tenant_id: TENANT.to_owned(),
        token: Some(ADA.to_owned()),
        practice: Practice::No,
    };
    let added = engine.add_service(new).await.expect("the service is added");
    ServiceId::from_text(added.id)
}

/// What a form asks for, knowing that others may be on their way.
pub fn form(service: &ServiceId, operation: &str, parameters: Value) -> RequestExport {
    RequestExport {
        service_id: service.to_string(),
        operation: operation.to_owned(),
        parameters,
        format: "csv".to_owned(),
        click_id: ClickId::mint().to_string(),
        supersedes: None,
        folder: None,
        knowing: vec![Knowing::NearTwin],
    }
}

/// The export that was recorded.
///
/// # Panics
/// None was.
pub fn recorded(requested: Requested) -> ExportId {
    match requested {
        Requested::Recorded { export } => ExportId::from_text(export.id),
        held @ (Requested::SameClick { .. }
        | Requested::Twin { .. }
        | Requested::NearTwin { .. }) => unreachable!("held back: {held:?}"),
    }
}
