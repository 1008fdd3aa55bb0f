//! Who drives: the operating system's locks on files beside the store.
//!
//! `docket.lock` is held by the driver until its process ends, however it ends: no lease, nothing
//! to clean up. `docket.opening` is held for the moments of opening, so that two processes never
//! make, migrate or judge one store at the same time. `docket.open` is shared by all that have the
//! store open, so that none of them is left with a file that was set aside.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use super::{error::StoreError, folder};

const DRIVER_FILE: &str = "docket.lock";
const OPENING_FILE: &str = "docket.opening";
const OPEN_FILE: &str = "docket.open";

/// Held by the one process that drives the store.
#[derive(Debug)]
pub(super) struct DriverLock {
    _held: File,
}

impl DriverLock {
    /// The lock, or None where another process has it.
    pub(super) fn take(home: &Path) -> Result<Option<Self>, StoreError> {
        let path = home.join(DRIVER_FILE);
        let file = open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _held: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StoreError::io(&path, &error)),
        }
    }
}

/// Held while a store is being opened.
#[derive(Debug)]
pub(super) struct OpeningLock {
    _held: File,
}

impl OpeningLock {
    /// Waits for whoever is opening the store now.
    pub(super) fn wait(home: &Path) -> Result<Self, StoreError> {
        let path = home.join(OPENING_FILE);
        let file = open(&path)?;
        file.lock().map_err(|error| StoreError::io(&path, &error))?;
        Ok(Self { _held: file })
    }
}

/// Shared by every process that has the store open.
#[derive(Debug)]
pub(super) struct OpenLock {
    _held: File,
}

impl OpenLock {
    /// One more that has it open.
    pub(super) fn share(home: &Path) -> Result<Self, StoreError> {
        let path = home.join(OPEN_FILE);
        let file = open(&path)?;
        file.lock_shared().map_err(|error| StoreError::io(&path, &error))?;
        Ok(Self { _held: file })
    }

    /// Nobody has it open but whoever asks, or None.
    pub(super) fn alone(home: &Path) -> Result<Option<Self>, StoreError> {
        let path = home.join(OPEN_FILE);
        let file = open(&path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _held: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(StoreError::io(&path, &error)),
        }
    }
}

fn open(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    folder::private(&mut options);
    let file = options.open(path).map_err(|error| StoreError::io(path, &error))?;
    folder::keep_private(path)?;
    Ok(file)
}
