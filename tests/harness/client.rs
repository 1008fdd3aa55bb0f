//! One engine over one store, with a witness.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use docket_engine::{
    clock::{Chance, Clock, SystemClock},
    connector::{Connector, NativeConnector, Proxying},
    engine::{Engine, NewService, Options},
    error::EngineError,
    export::{ExportId, ServiceId},
    policy::Policy,
    secrets::MemorySecrets,
    stage::Stage,
    store::Practice,
    view::{ExportView, Knowing, ListQuery, RequestExport, Requested},
};
use serde_json::Value;

use crate::{Witness, world::TENANT};

/// What a client is opened with.
pub struct ClientOptions {
    /// Docket's folder.
    pub home: PathBuf,
    /// Where the twin of the store's count lies.
    pub machine_state: PathBuf,
    /// Where files go.
    pub downloads: PathBuf,
    /// The numbers, short.
    pub policy: Policy,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Where credentials are kept; shared by those that open one store after another.
    pub secrets: Arc<MemorySecrets>,
    /// Whether it begins to drive at once.
    pub begin: Begin,
    /// What it calls the service with; one of its own where absent.
    pub connector: Option<Arc<dyn Connector>>,
    /// Where its chance comes from.
    pub chance: Arc<Chance>,
}

/// Whether a client drives as soon as it is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// It does.
    AtOnce,
    /// Only when the test says so.
    Later,
}

impl ClientOptions {
    /// The options of the first client of a world.
    pub fn at(folder: &Path) -> Self {
        Self {
            home: folder.join("home"),
            machine_state: folder.join("machine"),
            downloads: folder.join("downloads"),
            policy: short(),
            clock: Arc::new(SystemClock),
            secrets: Arc::new(MemorySecrets::default()),
            begin: Begin::AtOnce,
            connector: None,
            chance: Arc::new(Chance::seeded(7)),
        }
    }
}

/// The numbers of Docket in milliseconds: every window ends before a person would look up.
pub fn short() -> Policy {
    let millis = Duration::from_millis;
    Policy {
        connect_timeout: millis(5000),
        change_timeout: millis(5000),
        look_timeout: millis(5000),
        look_gap_first: millis(10),
        look_gap_max: millis(40),
        window: millis(300),
        retry_gap_first: millis(10),
        retry_gap_max: millis(40),
        poll_gap_first: millis(10),
        poll_gap_max: millis(40),
        slow_gap: millis(100),
        space_gap: millis(20),
        ..Policy::default()
    }
}

/// The native connector, past whatever proxy this computer has.
///
/// # Panics
/// It can not be made.
pub fn native(clock: Arc<dyn Clock>) -> Arc<dyn Connector> {
    let native = NativeConnector::through(&Proxying::Direct, clock);
    Arc::new(native.expect("a connector can be made"))
}

/// See the head of this file.
pub struct Client {
    /// The engine.
    pub engine: Engine,
    /// Every view that it published.
    pub witness: Witness,
    /// What it was opened with, for whoever opens the store after it.
    pub home: PathBuf,
    /// Where its files go.
    pub downloads: PathBuf,
    secrets: Arc<MemorySecrets>,
}

impl Client {
    /// Opens the store.
    ///
    /// # Panics
    /// It can not be opened.
    pub async fn open(options: ClientOptions) -> Self {
        Self::try_open(options).await.expect("the store opens")
    }

    /// Opens the store, where it can be opened.
    ///
    /// # Errors
    /// What the engine says of it.
    ///
    /// # Panics
    /// No connector can be made.
    pub async fn try_open(options: ClientOptions) -> Result<Self, EngineError> {
        let ClientOptions {
            home,
            machine_state,
            downloads,
            policy,
            clock,
            secrets,
            begin,
            connector,
            chance,
        } = options;
        let connector = connector.unwrap_or_else(|| native(Arc::clone(&clock)));
        let engine = Engine::open(Options {
            home: home.clone(),
            machine_state,
            downloads: downloads.clone(),
            policy,
            clock,
            chance,
            secrets: secrets.clone(),
            connector: Some(connector),
        })
        .await?;
        let witness = Witness::of(&engine);
        if begin == Begin::AtOnce {
            engine.start();
        }
        Ok(Self { engine, witness, home, downloads, secrets })
    }

    /// Ends it cleanly, and hands over its credentials for whoever opens the store next.
    pub async fn close(self) -> Arc<MemorySecrets> {
        self.engine.shutdown().await;
        self.secrets
    }

    /// Adds the one service of this client.
    ///
    /// # Panics
    /// It is refused.
    pub async fn add_service(&self, url: &str, token: &str) {
        let new = NewService {
            name: Some("Reports".to_owned()),
            address: url.to_owned(),
            tenant_id: TENANT.to_owned(),
            token: Some(token.to_owned()),
            practice: Practice::No,
        };
        self.engine.add_service(new).await.expect("the service is added");
    }

    /// The one service of this client.
    ///
    /// # Panics
    /// There is none.
    pub async fn service(&self) -> ServiceId {
        let services = self.engine.services().await.expect("services can be listed");
        ServiceId::from_text(services.first().expect("a service was added").id.clone())
    }

    /// Signs in with another credential.
    ///
    /// # Panics
    /// It is not taken.
    pub async fn sign_in(&self, token: &str) {
        let service = self.service().await;
        self.engine.sign_in(&service, token.to_owned()).await.expect("the credential is taken");
    }

    /// A request of the report `orders` with these parameters, from a form of its own.
    pub async fn form(&self, parameters: Value) -> RequestExport {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        RequestExport {
            service_id: self.service().await.to_string(),
            operation: "orders".to_owned(),
            parameters,
            format: "csv".to_owned(),
            click_id: format!("click-{}", NEXT.fetch_add(1, Ordering::Relaxed)),
            supersedes: None,
            folder: None,
            knowing: Vec::new(),
        }
    }

    /// Asks for `orders` with these parameters, knowing that others may be on their way.
    pub async fn ask(&self, parameters: Value) -> ExportId {
        let form = self.form(parameters).await;
        self.send(RequestExport { knowing: vec![Knowing::NearTwin], ..form }).await
    }

    /// Asks for what a form says.
    ///
    /// # Panics
    /// A guard stands against it.
    pub async fn send(&self, form: RequestExport) -> ExportId {
        match self.engine.request(form).await.expect("the intent can be recorded") {
            Requested::Recorded { export } => ExportId::from_text(export.id),
            held @ (Requested::SameClick { .. }
            | Requested::Twin { .. }
            | Requested::NearTwin { .. }) => unreachable!("held back: {held:?}"),
        }
    }

    /// The same again in the place of an export, knowing what a person was told.
    pub async fn again(&self, before: &ExportView, knowing: Knowing) -> RequestExport {
        RequestExport {
            supersedes: Some(before.id.clone()),
            knowing: vec![knowing],
            operation: before.operation.clone(),
            format: before.format.clone(),
            ..self.form(before.parameters.clone()).await
        }
    }

    /// The export as it is now.
    ///
    /// # Panics
    /// It can not be read.
    pub async fn now(&self, id: &ExportId) -> ExportView {
        self.engine.get(id).await.expect("the export can be read")
    }

    /// All exports, as they are now.
    ///
    /// # Panics
    /// They can not be read.
    pub async fn all(&self) -> Vec<ExportView> {
        let query = ListQuery { limit: 200, ..ListQuery::default() };
        self.engine.list(query).await.expect("the list can be read").items
    }

    /// Waits until the export was seen as it is wanted.
    pub async fn until(
        &self,
        id: &ExportId,
        what: &str,
        fits: impl Fn(&ExportView) -> bool,
    ) -> ExportView {
        self.witness.until(id, what, fits).await
    }

    /// Waits until the export was seen in this stage.
    pub async fn until_stage(&self, id: &ExportId, stage: Stage) -> ExportView {
        self.until(id, stage.as_str(), |view| view.stage == stage).await
    }

    /// Waits until its file is saved, whatever is on the way.
    pub async fn until_saved(&self, id: &ExportId) -> ExportView {
        self.until_stage(id, Stage::Saved).await
    }
}
