//! The twin: a copy, outside the store, of the count of its opens (lifecycle.md, guard 5).
//!
//! The count in the store and the twin are raised together at each opening by a driver, the twin
//! last. So a store that is behind its twin, or that has none, was restored or copied; a crash
//! between the two leaves the twin behind, which is harmless. The twin lies in the platform's
//! machine-local state folder, which backups of a person's files leave out.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{error::StoreError, folder};

/// Enough for any count; a longer file is not a twin.
const TWIN_BYTES_MAX: usize = 20;

/// Where one store's twin lies.
#[derive(Clone, Debug)]
pub(super) struct Twin {
    folder: PathBuf,
    file: PathBuf,
}

impl Twin {
    /// The twin of the store with this id.
    pub(super) fn of(machine_state: &Path, store_id: &str) -> Self {
        Self { folder: machine_state.to_owned(), file: machine_state.join(store_id) }
    }

    /// Its count. None where there is none that can be read: the store then counts as a copy.
    pub(super) fn count(&self) -> Result<Option<u64>, StoreError> {
        match fs::read(&self.file) {
            Ok(bytes) => Ok(read_count(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io(&self.file, &error)),
        }
    }

    /// Sets the count, durable before it returns.
    pub(super) fn raise(&self, count: u64) -> Result<(), StoreError> {
        folder::private_folder(&self.folder)?;
        let fresh = self.file.with_extension("new");
        folder::private_file(&fresh)?;
        let written = File::create(&fresh).and_then(|mut file| {
            file.write_all(count.to_string().as_bytes())?;
            file.sync_all()
        });
        written
            .and_then(|()| fs::rename(&fresh, &self.file))
            .map_err(|error| StoreError::io(&self.file, &error))?;
        folder::sync(&self.folder)
    }
}

fn read_count(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > TWIN_BYTES_MAX {
        return None;
    }
    bytes.iter().try_fold(0_u64, |count, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        count.checked_mul(10)?.checked_add(digit)
    })
}
