//! The practice service in this program: a real service over a real socket, for nobody else.
//!
//! Its port is kept between starts, so that exports that are open when the program ends are found
//! again by the next one. A program that was killed may hold port and database a moment longer, so
//! both are waited for before another port is taken; then what is open at the old one is not asked
//! to sign in, which nobody could, and the old one is tried first at the next start.

use std::{cmp::Reverse, env, fs, io, net::SocketAddr, path::Path, time::Duration};

use docket_engine::{
    clock::{Clock, SystemClock},
    engine::{Engine, NewService},
    export::ServiceId,
    store::Practice as ForPractice,
    view::{ErrorCode, ServiceView},
};
use docket_service::{Config, Faults, OpenError, PRACTICE_TENANT, ServiceHandle, StartError};

use crate::{desk::Desk, error::CommandError, weather::Outage};

const FOLDER: &str = "practice";
const ADDRESS: &str = "address";

/// Between two tries to get what a dying program still holds.
const TRY_AGAIN: Duration = Duration::from_millis(100);
/// Tries after the first: two seconds of them.
const TRIES_MORE: u32 = 20;

/// What is shown to an address where the practice service is not: it opens nothing.
const TOKEN_OF_NOBODY: &str = "practice-elsewhere";

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
    let before = earlier(engine).await?;
    let handle = listen(desk.home(), &before).await?;
    let service = add(engine, &handle).await?;
    remove_forgotten(engine, &service).await?;
    keep_from_sign_in(engine, &service, &before).await;
    *practice = Some(Practice { handle, service: service.clone(), outage: None });
    Ok(service)
}

/// The same at the start of the program, where it is asked for or was chosen before. Nobody waits
/// for the answer: the window opens in any case.
pub async fn start_at_start(desk: &Desk) {
    let asked = env::var_os("DOCKET_PRACTICE").is_some_and(|asked| asked == "1");
    if !asked && !was_chosen(desk).await {
        return;
    }
    if let Err(error) = start(desk).await {
        tracing::error!(code = %error.0.code, message = %error.0.message, "no practice service");
    }
}

/// Whether the person has chosen to practise, and has not removed it since.
async fn was_chosen(desk: &Desk) -> bool {
    let Ok(engine) = desk.engine() else { return false };
    match earlier(engine).await {
        Ok(earlier) => !earlier.is_empty(),
        Err(error) => {
            tracing::error!(message = %error.0.message, "the services can not be read");
            false
        }
    }
}

/// The practice services of earlier starts, those with most open exports first.
async fn earlier(engine: &Engine) -> Result<Vec<ServiceView>, CommandError> {
    let mut services = engine.services().await?;
    services.retain(|service| service.practice);
    services.sort_by_key(|service| Reverse(service.open_exports));
    Ok(services)
}

/// Where open exports are at home, else on the port of the last time, else on a free one.
async fn listen(home: &Path, before: &[ServiceView]) -> Result<ServiceHandle, CommandError> {
    let folder = home.join(FOLDER);
    let open = before.iter().filter(|service| service.open_exports > 0);
    let mut wanted: Vec<_> = open.filter_map(|service| port_of(&service.address)).collect();
    wanted.extend(last_address(&folder));
    let handle = listen_at(&folder, &wanted).await.map_err(|error| {
        let message = format!("The practice service can't be started: {error}.");
        CommandError::new(ErrorCode::Internal, message)
    })?;
    if let Err(error) = fs::write(folder.join(ADDRESS), handle.address().to_string()) {
        tracing::warn!(%error, "the practice service's address is not kept");
    }
    Ok(handle)
}

async fn listen_at(folder: &Path, wanted: &[SocketAddr]) -> Result<ServiceHandle, StartError> {
    let config = || Config::practice(folder.join("service.db"), folder.join("files"));
    let mut tries_more = TRIES_MORE;
    for listen in wanted {
        let config = || Config { listen: *listen, ..config() };
        match start_once_free(config, tries_more).await {
            Err(StartError::Listen { address, source }) => {
                tracing::warn!(%address, %source, "the practice service does not start where it was");
            }
            ended => return ended,
        }
        // Whoever was dying is dead by now.
        tries_more = 0;
    }
    start_once_free(config, tries_more).await
}

/// Starts the service once nobody else holds its port and its database.
async fn start_once_free(
    config: impl Fn() -> Config,
    mut tries_more: u32,
) -> Result<ServiceHandle, StartError> {
    loop {
        match docket_service::start(config()).await {
            Err(error) if tries_more > 0 && is_held(&error) => tries_more -= 1,
            ended => return ended,
        }
        let now = SystemClock.now();
        SystemClock.sleep_until(now.saturating_add(TRY_AGAIN).unwrap_or(now)).await;
    }
}

fn is_held(error: &StartError) -> bool {
    match error {
        StartError::Listen { source, .. } => source.kind() == io::ErrorKind::AddrInUse,
        StartError::Database(error) => matches!(error, OpenError::InUse(_)),
        StartError::Files { .. }
        | StartError::Tokens(_)
        | StartError::Chance(_)
        | StartError::Schema(_)
        | StartError::Interrupted(_) => false,
    }
}

/// The address of a practice service, which is always this computer's.
fn port_of(address: &str) -> Option<SocketAddr> {
    let address: SocketAddr = address.strip_prefix("http://")?.parse().ok()?;
    address.ip().is_loopback().then_some(address)
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

/// What is open where the practice service no longer is waits until it is there again. It must not
/// ask for a sign-in: no token would help.
async fn keep_from_sign_in(engine: &Engine, running: &ServiceView, before: &[ServiceView]) {
    let elsewhere =
        before.iter().filter(|service| service.id != running.id && service.open_exports > 0);
    for service in elsewhere {
        let id = ServiceId::from_text(service.id.clone());
        // Nobody is there to take it or not; until the program ends, it is kept.
        if let Err(error) = engine.sign_in(&id, TOKEN_OF_NOBODY.to_owned()).await {
            tracing::warn!(
                address = %service.address,
                open = service.open_exports,
                code = %error.code,
                "practice exports wait for an address that is taken"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{net::TcpListener, sync::Arc};

    use docket_engine::{
        clock::Chance,
        engine::Options,
        policy::Policy,
        secrets::MemorySecrets,
        settings::Settings,
        stage::Stage,
        view::{ExportView, RequestExport, Requested},
        words::{Language, Words},
    };
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    /// The program's desk over a folder, as a start of it makes one; what it was told in confidence
    /// is forgotten between two of them.
    async fn desk(folder: &TempDir) -> Desk {
        let home = folder.path().join("home");
        let options = Options {
            home: home.clone(),
            machine_state: folder.path().join("machine"),
            downloads: folder.path().join("downloads"),
            policy: Policy::default(),
            clock: Arc::new(SystemClock),
            chance: Arc::new(Chance::System),
            secrets: Arc::new(MemorySecrets::default()),
            connector: None,
        };
        let engine = Engine::open(options).await.unwrap();
        Desk::new(home, Ok(engine), Settings::default(), Words::for_language(Language::English))
    }

    async fn end(desk: Desk) {
        desk.engine().unwrap().shutdown().await;
        if let Some(practice) = desk.practice.lock().await.take() {
            practice.end().await;
        }
    }

    async fn request(desk: &Desk, service: &ServiceView) -> ExportView {
        let request = RequestExport {
            service_id: service.id.clone(),
            operation: "customers".to_owned(),
            parameters: json!({}),
            format: "csv".to_owned(),
            click_id: "a-click".to_owned(),
            supersedes: None,
            folder: None,
            knowing: Vec::new(),
        };
        let requested = desk.engine().unwrap().request(request).await.unwrap();
        let Requested::Recorded { export } = requested else { panic!("{requested:?}") };
        *export
    }

    async fn wait_until(desk: &Desk, id: &str, is: impl Fn(&ExportView) -> bool) -> ExportView {
        let engine = desk.engine().unwrap();
        let mut changes = engine.subscribe();
        let id = docket_engine::export::ExportId::from_text(id);
        let found = async {
            loop {
                let view = engine.get(&id).await.unwrap();
                if is(&view) {
                    return view;
                }
                assert_eq!(view.hold, None, "nobody can sign in to the practice service");
                changes.recv().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(30), found).await.expect("it comes to that")
    }

    #[tokio::test]
    async fn the_port_of_a_dying_program_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let first = desk(&folder).await;
        let before = start(&first).await.unwrap();
        end(first).await;
        let dying = TcpListener::bind(port_of(&before.address).unwrap()).unwrap();
        let second = desk(&folder).await;
        let (after, ()) = tokio::join!(start(&second), async {
            SystemClock.sleep_until(SystemClock.now() + Duration::from_millis(400)).await;
            drop(dying);
        });
        let after = after.unwrap();
        assert_eq!((after.id, after.address), (before.id, before.address));
        end(second).await;
    }

    #[tokio::test]
    async fn who_has_practised_practises_after_a_plain_start() {
        let folder = tempfile::tempdir().unwrap();
        let first = desk(&folder).await;
        start_at_start(&first).await;
        assert!(first.practice.lock().await.is_none(), "nobody asked for it");
        start(&first).await.unwrap();
        end(first).await;
        let second = desk(&folder).await;
        start_at_start(&second).await;
        assert!(second.practice.lock().await.is_some());
        end(second).await;
    }

    #[tokio::test]
    async fn exports_whose_port_is_taken_wait_for_it_and_come_home() {
        let folder = tempfile::tempdir().unwrap();
        let first = desk(&folder).await;
        let home = start(&first).await.unwrap();
        let export = request(&first, &home).await;
        end(first).await;

        // It hangs up on whoever calls.
        let taken = tokio::net::TcpListener::bind(port_of(&home.address).unwrap()).await.unwrap();
        let stranger = tokio::spawn(async move { while taken.accept().await.is_ok() {} });
        let second = desk(&folder).await;
        let away = start(&second).await.unwrap();
        assert_ne!(away.address, home.address);
        second.engine().unwrap().start();
        let services = second.engine().unwrap().services().await.unwrap();
        assert_eq!(services.len(), 2);
        wait_until(&second, &export.id, |view| view.hold.is_none() && view.call_result.is_some())
            .await;
        end(second).await;
        stranger.abort();
        assert!(stranger.await.is_err(), "it was ended");

        let third = desk(&folder).await;
        let back = start(&third).await.unwrap();
        assert_eq!((&back.id, &back.address), (&home.id, &home.address));
        third.engine().unwrap().start();
        wait_until(&third, &export.id, |view| view.stage == Stage::Saved).await;
        end(third).await;
    }
}
