//! The practice service in this program: a real service over a real socket, for nobody else.
//!
//! Its port is kept between starts, so that exports that are open when the program ends are found
//! again by the next one.

use std::{fs, io, net::SocketAddr, path::Path};

use docket_engine::{
    engine::{Engine, NewService},
    export::ServiceId,
    store::Practice as ForPractice,
    view::{ErrorCode, ServiceView},
};
use docket_service::{Config, Faults, PRACTICE_TENANT, ServiceHandle};

use crate::{desk::Desk, error::CommandError, weather::Outage};

const FOLDER: &str = "practice";
const ADDRESS: &str = "address";

/// The practice service while it runs.
pub struct Practice {
    handle: ServiceHandle,
    service: ServiceView,
    /// The outage that the person asked for.
    pub outage: Option<Outage>,
}

impl Practice {
    /// Its rules of loss.
    pub fn faults(&self) -> Faults {
        self.handle.faults()
    }

    /// Lets its calls come to their end.
    pub async fn end(self) {
        self.handle.shutdown().await;
    }
}

/// Starts the practice service unless it runs, and adds it to the person's services.
///
/// # Errors
/// It can not be started, or the store can not be written.
pub async fn start(desk: &Desk) -> Result<ServiceView, CommandError> {
    let engine = desk.engine()?;
    let mut practice = desk.practice.lock().await;
    if let Some(running) = practice.as_ref() {
        return Ok(running.service.clone());
    }
    let handle = listen(desk.home()).await?;
    let service = add(engine, &handle).await?;
    remove_forgotten(engine, &service).await?;
    *practice = Some(Practice { handle, service: service.clone(), outage: None });
    Ok(service)
}

/// The same, where nobody waits for the answer: the window opens in any case.
pub async fn start_at_start(desk: &Desk) {
    if let Err(error) = start(desk).await {
        tracing::error!(code = %error.0.code, message = %error.0.message, "no practice service");
    }
}

/// On the port of the last time, else on a free one.
async fn listen(home: &Path) -> Result<ServiceHandle, CommandError> {
    let folder = home.join(FOLDER);
    let config = || Config::practice(folder.join("service.db"), folder.join("files"));
    let started = match last_address(&folder) {
        Some(listen) => match docket_service::start(Config { listen, ..config() }).await {
            Ok(handle) => Ok(handle),
            Err(error) => {
                tracing::warn!(%error, "the practice service does not start where it was");
                docket_service::start(config()).await
            }
        },
        None => docket_service::start(config()).await,
    };
    let handle = started.map_err(|error| {
        let message = format!("The practice service can't be started: {error}.");
        CommandError::new(ErrorCode::Internal, message)
    })?;
    if let Err(error) = fs::write(folder.join(ADDRESS), handle.address().to_string()) {
        tracing::warn!(%error, "the practice service's address is not kept");
    }
    Ok(handle)
}

fn last_address(folder: &Path) -> Option<SocketAddr> {
    match fs::read_to_string(folder.join(ADDRESS)) {
        Ok(text) => {
            text.trim().parse().ok().filter(|address: &SocketAddr| address.ip().is_loopback())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!(%error, "the practice service's address can not be read");
            None
        }
    }
}

async fn add(engine: &Engine, handle: &ServiceHandle) -> Result<ServiceView, CommandError> {
    let new = NewService {
        name: None,
        address: handle.url(),
        tenant_id: PRACTICE_TENANT.to_owned(),
        token: handle.practice_token().map(str::to_owned),
        practice: ForPractice::Yes,
    };
    Ok(engine.add_service(new).await?)
}

/// Practice services of earlier starts that nobody can reach again; one with open exports stays.
async fn remove_forgotten(engine: &Engine, running: &ServiceView) -> Result<(), CommandError> {
    let services = engine.services().await?;
    let forgotten = services.into_iter().filter(|service| {
        service.practice && service.id != running.id && service.open_exports == 0
    });
    for service in forgotten {
        engine.remove_service(&ServiceId::from_text(service.id)).await?;
    }
    Ok(())
}
