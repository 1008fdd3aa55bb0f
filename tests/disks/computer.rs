//! A person's computer whose disk can fall ill: Docket's store, its twin and the Downloads folder lie
//! on it. The service, on another machine, stays well.

use std::sync::{Arc, Mutex};

use docket_engine::{
    attempt::AttemptKind,
    engine::NewService,
    error::EngineError,
    export::{ExportId, ServiceId},
    journal::Hold,
    secrets::MemorySecrets,
    stage::Stage,
    store::Practice,
    view::{ExportView, RequestExport, Requested},
};
use docket_tests::{
    Call, Client, World,
    client::{Begin, ClientOptions},
    world::{ADA, TENANT, week},
};
use serde_json::Value;

use crate::disk::Disk;

/// See the head of this file.
pub struct Computer {
    /// The service behind its proxy.
    pub world: World,
    /// What lies on the disk of this computer.
    pub disk: Disk,
    /// Credentials lie in the system's keychain, which is not ours to lose.
    secrets: Arc<MemorySecrets>,
    /// What the person was told to be recorded.
    told: Mutex<Option<ExportView>>,
}

impl Computer {
    /// A new one, in a world of its own.
    pub async fn new() -> Self {
        let world = World::new().await;
        let disk = Disk::at(&world.path("computer"));
        let secrets = Arc::new(MemorySecrets::default());
        Self { world, disk, secrets, told: Mutex::new(None) }
    }

    /// Starts Docket, without driving anything yet.
    pub async fn start(&self) -> Result<Client, EngineError> {
        let options = ClientOptions {
            secrets: Arc::clone(&self.secrets),
            begin: Begin::Later,
            ..ClientOptions::at(&self.disk.folder())
        };
        Client::try_open(options).await
    }

    /// Starts Docket and lets it drive.
    ///
    /// # Panics
    /// It does not start.
    pub async fn running(&self) -> Client {
        let client = self.start().await.expect("Docket starts");
        client.engine.start();
        client
    }

    /// A person adds the service, if it is not there, and clicks. Clicks again after an error, or a
    /// power cut, are clicks on the same form.
    pub async fn click(&self, client: &Client) -> Result<ExportView, EngineError> {
        self.sign_in(client).await?;
        self.ask(client, "orders", week()).await
    }

    /// Adds the service, if it is not there. The power may have gone between it and its credential.
    pub async fn sign_in(&self, client: &Client) -> Result<(), EngineError> {
        let token = ADA.to_owned();
        let there = client.engine.services().await?;
        if let Some(service) = there.first() {
            if self.told().is_none() {
                let id = ServiceId::from_text(&*service.id);
                client.engine.sign_in(&id, token).await?;
            }
            return Ok(());
        }
        let new = NewService {
            name: Some("Reports".to_owned()),
            address: self.world.proxy.url(),
            tenant_id: TENANT.to_owned(),
            token: Some(token),
            practice: Practice::No,
        };
        client.engine.add_service(new).await.map(drop)
    }

    /// A click on the one form of this computer.
    pub async fn ask(
        &self,
        client: &Client,
        operation: &str,
        parameters: Value,
    ) -> Result<ExportView, EngineError> {
        let service = client.engine.services().await?.remove(0);
        let form = RequestExport {
            service_id: service.id,
            operation: operation.to_owned(),
            parameters,
            format: "csv".to_owned(),
            click_id: "the-click".to_owned(),
            supersedes: None,
            folder: None,
            knowing: Vec::new(),
        };
        let export = match client.engine.request(form).await? {
            Requested::Recorded { export } | Requested::SameClick { export } => *export,
            held @ (Requested::Twin { .. } | Requested::NearTwin { .. }) => {
                unreachable!("held back: {held:?}")
            }
        };
        *self.told() = Some(export.clone());
        Ok(export)
    }

    /// What the person was told.
    fn told(&self) -> std::sync::MutexGuard<'_, Option<ExportView>> {
        self.told.lock().expect("nobody broke while holding it")
    }

    /// From the start to the saved file, or until the power is cut.
    pub async fn live(&self) {
        let Ok(client) = self.start().await else {
            assert!(self.disk.is_off(), "the store did not open although nothing was wrong");
            return;
        };
        client.engine.start();
        match self.click(&client).await {
            Ok(export) => {
                self.saved(&client, export).await;
            }
            Err(error) => assert!(self.disk.is_off(), "{error}"),
        }
        client.close().await;
    }

    /// Waits until the file is saved; none where the power is cut before.
    async fn saved(&self, client: &Client, export: ExportView) -> Option<ExportView> {
        if export.stage == Stage::Saved {
            return Some(export);
        }
        let id = ExportId::from_text(export.id);
        tokio::select! {
            saved = client.until_saved(&id) => Some(saved),
            () = self.disk.until_off() => None,
        }
    }

    /// What must hold when the power is back, and that it ends in one job and a saved file. Returns
    /// without more where the power is cut once more.
    ///
    /// # Panics
    /// It does not.
    pub async fn lives_on(&self) {
        let client = match self.start().await {
            Ok(client) => client,
            Err(_) if self.disk.is_off() => return,
            Err(error) => unreachable!("after a power cut: {error}\n{}", self.disk.told()),
        };
        self.nothing_was_lost(&client).await;
        client.engine.start();
        match self.click(&client).await {
            Ok(export) => {
                if let Some(saved) = self.saved(&client, export).await {
                    self.is_whole(&client, &saved);
                }
            }
            Err(error) => assert!(self.disk.is_off(), "{error}"),
        }
        client.close().await;
    }

    /// What was told to be recorded is there; whatever left this computer has its row.
    async fn nothing_was_lost(&self, client: &Client) {
        let all =
            client.engine.list(docket_engine::view::ListQuery { limit: 10, ..Default::default() });
        let Ok(all) = all.await else {
            assert!(self.disk.is_off(), "the list can not be read");
            return;
        };
        let there = all.items.first();
        if let Some(told) = self.told().as_ref() {
            let there = there.unwrap_or_else(|| {
                unreachable!("an intent was lost\n{}", self.disk.told());
            });
            assert_eq!((&there.id, &there.request_key), (&told.id, &told.request_key));
        }
        for left in self.world.proxy.seen() {
            let kind = match left.call {
                Call::Submit => AttemptKind::Submit,
                Call::Abandon => AttemptKind::Abandon,
                Call::Cancel => AttemptKind::Cancel,
                Call::Service
                | Call::Operations
                | Call::Key
                | Call::Traits
                | Call::Job
                | Call::File
                | Call::Any => continue,
            };
            let there = there.expect("what left belongs to an intent");
            let row = there.attempts.iter().find(|attempt| {
                attempt.kind == kind && left.attempt == Some(attempt.attempt_no.to_string())
            });
            let row = row.unwrap_or_else(|| {
                unreachable!("{kind} {:?} left and has no row\n{}", left.attempt, self.disk.told())
            });
            assert!(row.call_result.is_some(), "an attempt without an end counts as lost: {row:?}");
        }
        let home = std::fs::read_dir(&client.home).expect("Docket's folder can be read");
        for file in home {
            let name = file.expect("an entry can be read").file_name();
            let name = name.to_string_lossy();
            assert!(!name.starts_with("docket.damaged"), "a power cut is no damage: {name}");
        }
        match client.engine.notices().await {
            Ok(notices) => assert!(notices.is_empty(), "{notices:?}"),
            Err(error) => assert!(self.disk.is_off(), "{error}"),
        }
        for view in all.items {
            assert_ne!(view.hold, Some(Hold::RestoredStore), "a power cut is no restored backup");
        }
    }

    /// One job, one key, one verified file.
    pub fn is_whole(&self, client: &Client, saved: &ExportView) {
        assert_eq!(saved.stage, Stage::Saved);
        let file = saved.file.as_ref().expect("a file");
        let bytes = std::fs::read(&file.path).expect("the file is there");
        assert_eq!(bytes.len() as u64, file.size);
        let jobs = self.world.rows().jobs();
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        assert_eq!(jobs[0].request_key.as_deref(), Some(saved.request_key.as_str()));
        assert_eq!(jobs[0].file_sha256.as_deref(), Some(file.digest.as_str()));
        assert_eq!(self.world.rows().records().len(), 1);
        self.world.holds(&[client]);
        let files = std::fs::read_dir(&client.downloads).expect("the folder can be read");
        let names: Vec<_> = files
            .map(|file| file.expect("an entry").file_name().to_string_lossy().into_owned())
            // A note that a power cut brought back is small and harms nothing.
            .filter(|name| !name.ends_with(".part.json"))
            .collect();
        assert_eq!(names.len(), 1, "{names:?}\n{}", self.disk.told());
    }
}
