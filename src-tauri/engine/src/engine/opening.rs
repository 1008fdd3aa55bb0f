//! Opening the engine: folders, the store, and what a restart owes to calls that were under way.

use std::{
    collections::{HashMap, HashSet},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use tokio::sync::{Notify, broadcast};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::Engine;
use crate::{
    clock::{Chance, Clock, SystemClock},
    connector::{Connector, NativeConnector},
    desk::{CHANGES_KEPT, Desk, Result},
    error::EngineError,
    plan,
    policy::Policy,
    reconciler,
    secrets::{self, Secrets},
    settings::Settings,
    store::{Opened, Provenance, Role, Store},
    view::ErrorCode,
};

/// What an engine is opened with.
#[derive(Clone)]
pub struct Options {
    /// Docket's folder: the store, the logs, the settings. Made where it is missing.
    pub home: PathBuf,
    /// The platform's machine-local state folder, for the twin of the store's counter.
    pub machine_state: PathBuf,
    /// Where files go unless an export says otherwise.
    pub downloads: PathBuf,
    /// The numbers.
    pub policy: Policy,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The chance.
    pub chance: Arc<Chance>,
    /// Where credentials are kept.
    pub secrets: Arc<dyn Secrets>,
    /// The dialect; the native one where absent.
    pub connector: Option<Arc<dyn Connector>>,
}

impl Options {
    /// The options of a real run in `home`: the system's clock and chance, the keychain, the folder
    /// of the settings or the person's Downloads folder.
    ///
    /// # Errors
    /// Settings that can not be read or understood.
    pub fn at(home: PathBuf) -> Result<Self> {
        let settings = Settings::load(&home)
            .map_err(|error| EngineError::new(ErrorCode::Internal, format!("{error}.")))?;
        let downloads = settings
            .downloads_folder
            .or_else(dirs::download_dir)
            .unwrap_or_else(|| home.join("downloads"));
        Ok(Self {
            machine_state: machine_state(&home),
            downloads,
            policy: Policy::default(),
            clock: Arc::new(SystemClock),
            chance: Arc::new(Chance::System),
            secrets: secrets::of_this_computer(),
            connector: None,
            home,
        })
    }

    /// `DOCKET_HOME`, else the platform's data folder for Docket.
    pub fn default_home() -> PathBuf {
        match std::env::var_os("DOCKET_HOME") {
            Some(home) if !home.is_empty() => PathBuf::from(home),
            Some(_) | None => dirs::data_dir().unwrap_or_else(|| PathBuf::from(".")).join("Docket"),
        }
    }
}

/// A folder that is not part of what people back up or sync with their data, if there is one.
fn machine_state(home: &Path) -> PathBuf {
    let local = dirs::state_dir().or_else(dirs::data_local_dir);
    local.map_or_else(|| home.join("machine"), |local| local.join("Docket").join("machine"))
}

impl Engine {
    /// Opens the store and mends what the last run left: attempts without an end count as lost, a
    /// store that was restored or copied is held. Makes no call; [`Engine::start`] begins that.
    ///
    /// # Errors
    /// A store that can not be opened; it is then left as it is.
    pub async fn open(options: Options) -> Result<Self> {
        if let Some(engine) = Self::open_once(options.clone()).await? {
            return Ok(engine);
        }
        // What is open was read, and not all of it could be: the store is set aside by opening it.
        let engine = Self::open_once(options).await?;
        engine.ok_or_else(|| {
            EngineError::new(
                ErrorCode::StoreDamaged,
                "A part of Docket's history can not be read; start Docket again.",
            )
        })
    }

    /// None where something that is open could not be read.
    async fn open_once(options: Options) -> Result<Option<Self>> {
        let opened = {
            let (home, state, now) =
                (options.home.clone(), options.machine_state.clone(), options.clock.now());
            tokio::task::spawn_blocking(move || Store::open(&home, &state, now))
                .await
                .map_err(EngineError::internal)??
        };
        let Opened { store, role, provenance } = opened;
        let connector = match options.connector {
            Some(connector) => connector,
            None => Arc::new(
                NativeConnector::new(Arc::clone(&options.clock)).map_err(EngineError::internal)?,
            ),
        };
        let desk = Arc::new(Desk {
            store: Arc::new(store),
            policy: options.policy,
            clock: options.clock,
            chance: options.chance,
            secrets: options.secrets,
            connector,
            changes: broadcast::Sender::new(CHANGES_KEPT),
            wake: Notify::new(),
            stop: CancellationToken::new(),
            tasks: TaskTracker::new(),
            downloads: Mutex::new(options.downloads),
            language: Mutex::new(None),
            fetches: Mutex::new(HashMap::new()),
            credentials: Mutex::new(HashMap::new()),
            counted: Mutex::new(HashMap::new()),
            whose: Mutex::new(HashMap::new()),
            health: Mutex::new(HashMap::new()),
            answering: Mutex::new(HashSet::new()),
        });
        if role == Role::Driver {
            let mended = desk.blocking(move |desk| desk.mend(provenance)).await;
            if desk.store.is_damaged() {
                return Ok(None);
            }
            mended?;
        }
        Ok(Some(Self { desk }))
    }
}

impl Desk {
    /// What a driver owes to the run before it.
    pub(crate) fn mend(&self, provenance: Provenance) -> Result<()> {
        let now = self.clock.now();
        // Before anything is planned: to a plan a copied store looks as if nothing had been sent, and a
        // key that grew too old since would be proof of that.
        if provenance == Provenance::RestoredOrCopied {
            self.store.hold_restored(now, &mut |record| {
                plan::hold_restored(record, now);
                plan::replan(record, self.moment());
            })?;
        }
        self.store.interrupted(now, &|record, end| reconciler::advance(self, record, end))?;
        for service in self.store.services()? {
            self.change_open_of(&service.id, &mut |record| {
                plan::reachable_again(record, now);
                plan::replan(record, self.moment());
            })?;
        }
        for successor in self.store.waiting_for_their_turn()? {
            self.seal_predecessor(&successor)?;
        }
        Ok(())
    }
}
