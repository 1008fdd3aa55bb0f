//! The file `wake`: how a process that only records wishes calls the one that drives.
//!
//! An observer writes it after its commit; the driver watches it and reads the store anew. What it
//! holds means nothing. Nothing is asked periodically: while nobody touches the file, nothing wakes.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use notify::{EventKind, RecursiveMode, Watcher};
use tokio::sync::Notify;

use super::{error::StoreError, folder};

const FILE: &str = "wake";

/// Watches for calls by other processes. Those that come while nobody waits are one call later.
pub struct Wake {
    called: Arc<Notify>,
    _watcher: notify::RecommendedWatcher,
}

impl std::fmt::Debug for Wake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wake").finish_non_exhaustive()
    }
}

impl Wake {
    /// Watches the file in the store's folder. Begin with it before the store is read: what is
    /// recorded later is then not missed.
    ///
    /// # Errors
    /// [`StoreError::Unwatchable`], a folder that can not be written.
    pub fn watch(home: &Path) -> Result<Self, StoreError> {
        let path = home.join(FILE);
        folder::private_file(&path)?;
        let called = Arc::new(Notify::new());
        let caller = Arc::clone(&called);
        // An error of the watch may hide a touch, so it counts as one.
        let mut watcher =
            notify::recommended_watcher(move |seen: Result<notify::Event, notify::Error>| {
                if seen.map_or(true, |event| is_touch(event.kind)) {
                    caller.notify_one();
                }
            })
            .map_err(|error| unwatchable(&path, &error))?;
        // The file and not the folder: there the driver's own writes would wake it.
        watcher
            .watch(&path, RecursiveMode::NonRecursive)
            .map_err(|error| unwatchable(&path, &error))?;
        Ok(Self { called, _watcher: watcher })
    }

    /// Returns once another process has called since the last return.
    pub async fn changed(&self) {
        self.called.notified().await;
    }
}

fn is_touch(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(_) => false,
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

fn unwatchable(path: &Path, error: &notify::Error) -> StoreError {
    let reason = match &error.kind {
        notify::ErrorKind::MaxFilesWatch => "too many are watched".to_owned(),
        notify::ErrorKind::Io(error) => error.kind().to_string(),
        notify::ErrorKind::Generic(_)
        | notify::ErrorKind::PathNotFound
        | notify::ErrorKind::WatchNotFound
        | notify::ErrorKind::InvalidConfig(_) => "the system refused".to_owned(),
    };
    StoreError::Unwatchable { path: path.to_owned(), reason }
}

/// Calls the driver. What was recorded is durable already, so a failure is told to the log alone:
/// the driver finds the wish at its next look.
pub(super) fn touch(home: &Path) {
    let path = home.join(FILE);
    if let Err(error) = write(&path) {
        tracing::warn!(event = "wake_failed", reason = %error, "the driver could not be woken");
    }
}

fn write(path: &PathBuf) -> Result<(), StoreError> {
    folder::private_file(path)?;
    fs::write(path, b"\n").map_err(|error| StoreError::io(path, &error))
}
