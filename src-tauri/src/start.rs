//! How the program begins and ends.
//!
//! The engine is opened before the window is made, so the first command finds it. Opening makes no
//! call; what is open goes on beside the window.

use std::{
    env,
    error::Error,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use docket_engine::{
    engine::{Engine, Options},
    log::{self, LogGuard},
    settings::Settings,
    words::{Language, Words},
};
use tauri::{AppHandle, Builder, Manager, Wry, async_runtime};

use crate::{desk::Desk, error::CommandError, events, practice, tray, window};

/// How long the end waits for what is being written. A kill does as well, so this is short.
const END_BOUND: Duration = Duration::from_secs(5);

/// The log of this process, until it ends.
type KeptLog = Mutex<Option<LogGuard>>;

/// A second start over the same folder shows the first window. A courtesy, not the lock: where it
/// can not be had, the second one observes.
pub fn once(builder: Builder<Wry>) -> Builder<Wry> {
    let chosen = env::var_os("DOCKET_HOME").is_some_and(|home| !home.is_empty());
    // Elsewhere than on Linux the id can not tell one folder from another.
    if chosen && !cfg!(target_os = "linux") {
        return builder;
    }
    let id = format!("dev.docket.desktop.{}", name_of(&Options::default_home()));
    let plugin = tauri_plugin_single_instance::Builder::new()
        .callback(|app, _arguments, _folder| window::show(app))
        .dbus_id(id)
        .build();
    builder.plugin(plugin)
}

/// A name for a folder, fit for a bus name. It tells folders apart and protects nothing.
fn name_of(home: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    std::path::absolute(home).unwrap_or_else(|_| home.to_owned()).hash(&mut hasher);
    format!("h{:016x}", hasher.finish())
}

/// Opens the engine, then the window.
///
/// # Errors
/// There is no window to be had.
pub fn setup(app: &AppHandle) -> Result<(), Box<dyn Error>> {
    let home = Options::default_home();
    // A program that can not keep a log works on without.
    let log = match log::start(&home, "docket-desktop") {
        Ok(log) => Some(log),
        Err(error) => {
            eprintln!("Docket keeps no log: {error}");
            None
        }
    };
    let (settings, unusable) = match Settings::load(&home) {
        Ok(settings) => (settings, None),
        Err(error) => (Settings::default(), Some(CommandError::from(error))),
    };
    let words = Words::for_language(language(settings.language));
    let engine = match unusable {
        Some(error) => Err(error),
        None => async_runtime::block_on(open(&home)),
    };
    if let Err(error) = &engine {
        tracing::error!(code = %error.0.code, "the store can not be opened");
    }
    app.manage(Desk::new(home, engine, settings, words));
    app.manage::<KeptLog>(Mutex::new(log));
    let desk = app.state::<Desk>();
    if let Ok(engine) = desk.engine() {
        events::forward(app, engine);
        // The practice service comes first: what is open there would find nobody at home.
        async_runtime::block_on(practice::start_at_start(&desk));
        async_runtime::block_on(async { engine.start() });
    }
    window::open(app)?;
    tray::show(app);
    Ok(())
}

async fn open(home: &Path) -> Result<Engine, CommandError> {
    Ok(Engine::open(Options::at(home.to_owned())?).await?)
}

/// `DOCKET_LANG`, else the settings, else the system's.
pub fn language(settings: Option<Language>) -> Language {
    let environment = env::var("DOCKET_LANG").ok();
    Language::chosen(environment.as_deref(), settings, sys_locale::get_locale().as_deref())
}

/// Lets what is being written come to its end.
pub fn end(app: &AppHandle) {
    let Some(desk) = app.try_state::<Desk>() else { return };
    async_runtime::block_on(async {
        let ended = tokio::time::timeout(END_BOUND, async {
            if let Ok(engine) = desk.engine() {
                engine.shutdown().await;
            }
            if let Some(practice) = desk.practice.lock().await.take() {
                practice.end().await;
            }
        });
        match ended.await {
            Ok(()) => tracing::info!(event = "ended"),
            Err(_) => tracing::warn!(event = "ended", reason = "not_waited_for"),
        }
    });
    // The process ends without dropping what is managed, so what is left of the log is written here.
    if let Some(log) = app.try_state::<KeptLog>() {
        drop(log.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}
