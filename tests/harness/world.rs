//! The service behind its proxy, in a folder that goes with the test.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use docket_service::{Config, ServiceHandle, Token, start};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Handle;

use crate::{Client, Proxy, client::ClientOptions, rows::Rows};

/// The tenant of every world.
pub const TENANT: &str = "acme";
/// The secret of `ada`, who may ask for every report.
pub const ADA: &str = "secret-of-ada";
/// The secret of `bob`, likewise.
pub const BOB: &str = "secret-of-bob";
/// Another secret of `ada`, for a sign-in that is renewed.
pub const ADA_RENEWED: &str = "secret-of-ada-renewed";

/// See the head of this file.
pub struct World {
    /// Between client and service.
    pub proxy: Proxy,
    /// Everything of this world.
    pub folder: TempDir,
    config: Config,
    service: Option<ServiceHandle>,
    /// Where the service runs, if not where the test does.
    elsewhere: Option<Handle>,
}

impl World {
    /// A service as fast as the machine can, with every capability.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// The same with other settings.
    ///
    /// # Panics
    /// The service does not start.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = TempDir::new().expect("a folder for the test can be made");
        Self::placed(folder, None, change).await
    }

    /// The same in this folder, with a service that runs elsewhere: what keeps its threads does not
    /// keep the test's time.
    ///
    /// # Panics
    /// The service does not start.
    pub async fn placed(
        folder: TempDir,
        elsewhere: Option<Handle>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = Config::new(
            "127.0.0.1:0".parse().expect("an address"),
            folder.path().join("service.db"),
            folder.path().join("files"),
        );
        config.tokens = vec![ada(), bob()];
        // Short polls: the engine's own gaps are what a test sets.
        config.poll_interval = Duration::ZERO;
        config.max_wait = Duration::ZERO;
        change(&mut config);
        let service = begin(elsewhere.as_ref(), config.clone()).await;
        let proxy = Proxy::start(service.address());
        Self { proxy, folder, config, service: Some(service), elsewhere }
    }

    /// What the service is started with.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Whether the service runs.
    pub fn serves(&self) -> bool {
        self.service.is_some()
    }

    /// The running service.
    ///
    /// # Panics
    /// It was ended.
    pub fn service(&self) -> &ServiceHandle {
        self.service.as_ref().expect("the service runs")
    }

    /// Ends the service cleanly. Its proxy stays, with nobody behind it.
    pub async fn stop_service(&mut self) {
        if let Some(service) = self.service.take() {
            match &self.elsewhere {
                None => service.shutdown().await,
                Some(there) => {
                    there.spawn(service.shutdown()).await.expect("the service ends");
                }
            }
        }
    }

    /// Starts the service again on what it left, with other settings.
    ///
    /// # Panics
    /// It does not start.
    pub async fn restart_service(&mut self, change: impl FnOnce(&mut Config)) {
        self.stop_service().await;
        change(&mut self.config);
        let service = begin(self.elsewhere.as_ref(), self.config.clone()).await;
        self.proxy.set_upstream(service.address());
        self.service = Some(service);
    }

    /// The service's database, as another program sees it.
    pub fn rows(&self) -> Rows {
        Rows::of(&self.database())
    }

    /// The service's database file.
    pub fn database(&self) -> PathBuf {
        self.config.database.clone()
    }

    /// A folder of this world.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Ada at her computer, signed in through the proxy.
    pub async fn client(&self) -> Client {
        self.client_with(|_| {}).await
    }

    /// The same with other options.
    pub async fn client_with(&self, change: impl FnOnce(&mut ClientOptions)) -> Client {
        let client = self.open_client(change).await;
        client.add_service(&self.proxy.url(), ADA).await;
        client
    }

    /// An engine over a store, as it lies there; nobody signs in.
    pub async fn open_client(&self, change: impl FnOnce(&mut ClientOptions)) -> Client {
        let mut options = ClientOptions::at(self.folder.path());
        change(&mut options);
        Client::open(options).await
    }

    /// Asserts what must hold after every story; see `invariants`.
    ///
    /// # Panics
    /// It does not.
    pub fn holds(&self, clients: &[&Client]) {
        crate::invariants::hold(self, clients);
    }
}

async fn begin(elsewhere: Option<&Handle>, config: Config) -> ServiceHandle {
    let started = match elsewhere {
        None => start(config).await,
        Some(there) => there.spawn(start(config)).await.expect("its runtime lives"),
    };
    started.expect("the service starts")
}

/// Ada, who may ask for everything.
pub fn ada() -> Token {
    Token::new(ADA, TENANT, "ada").with_operations(["orders", "customers", "ledger"])
}

/// Ada with another credential.
pub fn ada_renewed() -> Token {
    Token::new(ADA_RENEWED, TENANT, "ada").with_operations(["orders", "customers", "ledger"])
}

/// Bob of the same tenant.
pub fn bob() -> Token {
    Token::new(BOB, TENANT, "bob").with_operations(["orders", "customers", "ledger"])
}

/// Parameters of a small export that always succeeds.
pub fn week() -> Value {
    json!({"from": "2026-11-01", "to": "2026-11-07", "region": ["north", "east"]})
}

/// Parameters of another one of the same report.
pub fn other_week() -> Value {
    json!({"from": "2026-10-01", "to": "2026-10-07", "region": ["north", "east"]})
}

/// A job that runs until somebody ends it.
pub fn never_ending(config: &mut Config) {
    config.pace.running = Duration::from_secs(100_000);
}

/// Copies a folder of a store, file by file, as a backup does.
///
/// # Panics
/// It can not be copied.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the copy's folder can be made");
    for entry in std::fs::read_dir(from).expect("the folder can be read") {
        let entry = entry.expect("an entry can be read");
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file can be copied");
        }
    }
}
