//! Starting the service, and ending it.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use thiserror::Error;
use tokio::sync::Notify;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    access::{Access, Token, TokensError},
    app::{App, Limiter, Running, Shared},
    chance,
    changes::Changes,
    config::{Config, PRACTICE_TENANT},
    faults::Faults,
    files::Folder,
    http,
    operations::Catalogue,
    serve::{self, Counter},
    store::{OpenError, Store},
    sweep, worker,
};

/// How long calls and workers are waited for at the end.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a service did not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The database is in use, unreadable or not ours.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The folder of files can not be used.
    #[error("the folder {path} can not be used: {source}")]
    Files {
        /// The folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The address can not be listened on.
    #[error("{address} can not be listened on: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The tokens are not well formed.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The system has no randomness for a token.
    #[error("no practice token can be made: {0}")]
    Chance(#[from] getrandom::Error),
    /// A report's schema is none.
    #[error("a report's schema can not be used: {0}")]
    Schema(String),
    /// The runtime is going down.
    #[error("the start was interrupted: {0}")]
    Interrupted(#[from] tokio::task::JoinError),
}

/// Whether new jobs are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intake {
    /// They are.
    Open,
    /// They are put off with 503; everything else is answered, replays too.
    Draining,
}

/// A running service. Dropping it ends the service at once; [`ServiceHandle::shutdown`] lets calls
/// finish.
pub struct ServiceHandle {
    address: SocketAddr,
    practice_token: Option<String>,
    app: Shared,
    tasks: TaskTracker,
}

/// Starts a service. When this returns, it listens.
///
/// # Errors
/// What keeps it from starting; nothing is left running then.
pub async fn start(config: Config) -> Result<ServiceHandle, StartError> {
    let mut config = config;
    let practice_token = if config.practice { Some(chance::token()?) } else { None };
    let own = practice_token.as_deref().map(practice_tenant);
    let access = Access::new(std::mem::take(&mut config.tokens), own)?;
    let catalogue = Catalogue::new().map_err(|error| StartError::Schema(error.to_string()))?;
    let (store, folder, config) = tokio::task::spawn_blocking(move || -> Result<_, StartError> {
        let store = Store::open(&config.database, config.clock.now(), config.restored)?;
        let folder = Folder::open(&config.files).map_err(|source| StartError::Files {
            path: config.files.display().to_string(),
            source,
        })?;
        Ok((store, folder, config))
    })
    .await??;
    let listen = config.listen;
    let broken = |source| StartError::Listen { address: listen, source };
    let listener = serve::bind(listen).map_err(broken)?;
    let address = listener.local_addr().map_err(broken)?;
    let app = Arc::new(App {
        config,
        store,
        folder,
        access,
        catalogue,
        changes: Changes::default(),
        faults: Faults::default(),
        limiter: Limiter::default(),
        running: Running::default(),
        work: Notify::new(),
        sweep: Notify::new(),
        draining: AtomicBool::new(false),
        stop: CancellationToken::new(),
    });
    let tasks = TaskTracker::new();
    for _ in 0..app.config.workers {
        tasks.spawn(worker::run(Arc::clone(&app)));
    }
    tasks.spawn(sweep::run(Arc::clone(&app)));
    let counter = Counter {
        app: Arc::clone(&app),
        router: http::router(Arc::clone(&app)),
        tasks: tasks.clone(),
    };
    tasks.spawn(serve::run(counter, listener, address));
    tracing::info!(%address, service_epoch = app.store.state().service_epoch, "listening");
    Ok(ServiceHandle { address, practice_token, app, tasks })
}

/// The one who practises: may ask for every report.
fn practice_tenant(secret: &str) -> Token {
    let operations = ["orders", "customers", "ledger"];
    let mut token = Token::new(secret, PRACTICE_TENANT, "you").with_operations(operations);
    token.name = Some("You".to_owned());
    token
}

impl ServiceHandle {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `http://ADDRESS:PORT`, as `docket service add` takes it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The token of the tenant `practice`, in practice mode.
    pub fn practice_token(&self) -> Option<&str> {
        self.practice_token.as_deref()
    }

    /// The rules of loss, to be set from within the process, practice mode or not.
    pub fn faults(&self) -> Faults {
        self.app.faults.clone()
    }

    /// From now on these credentials and no others, save the one that practice mode made.
    ///
    /// # Errors
    /// A secret's hash that is none; the credentials stay as they were.
    pub fn replace_tokens(&self, tokens: Vec<Token>) -> Result<(), TokensError> {
        self.app.access.replace(tokens)
    }

    /// Whether new jobs are taken from now on.
    pub fn set_intake(&self, intake: Intake) {
        let draining = match intake {
            Intake::Open => false,
            Intake::Draining => true,
        };
        self.app.draining.store(draining, Ordering::Relaxed);
    }

    /// Ends the service: waiting polls are answered, calls finish, a job that is being worked on goes
    /// back to the queue. When this returns, the database may be opened by another.
    pub async fn shutdown(self) {
        self.app.stop.cancel();
        self.tasks.close();
        let limit = crate::clock::later(self.app.now(), END_TIMEOUT);
        let rest = async {
            self.tasks.wait().await;
            self.app.store.rests().await;
        };
        tokio::select! {
            () = rest => {}
            () = self.app.config.clock.sleep_until(limit) => {
                tracing::warn!("some calls did not come to their end");
            }
        }
    }
}

impl Drop for ServiceHandle {
    fn drop(&mut self) {
        self.app.stop.cancel();
    }
}
