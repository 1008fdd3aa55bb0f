//! The twin: what is known of a store outside of it, on this machine (lifecycle.md, guard 5).
//!
//! A count in the store and its twin are raised together, the twin last, at each opening by a driver
//! and before each call leaves that can change something. So a store that is behind its twin, or
//! that has none, was restored or copied; a crash between the two leaves the twin behind, which is
//! harmless. The twin lies in the platform's machine-local state folder, which backups of a person's
//! files leave out.
//!
//! The twin also keeps which file it stands for: where that lies, and a mark that goes along when a
//! folder is renamed and not when it is copied. A copy beside its living original shares the count;
//! that it lies elsewhere under another mark tells it.
//!
//! A backup of both, put back together, has equal counts. But each twin is a file of its own and says
//! which one it is: what was written into another file, or over a later twin, is no twin of this
//! machine's now. Where a disk is put back block by block, as with a snapshot of a virtual machine,
//! files are what they were, and nothing here can tell.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{error::StoreError, folder};

/// A longer file is not a twin.
const TWIN_BYTES_MAX: u64 = 64 * 1024;
/// More twins than a machine has; what lies beyond is not looked at.
const TWINS_MAX: usize = 10_000;

/// What one store's twin says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// How often it was raised.
    pub(super) count: u64,
    mark: Option<String>,
    place: Option<String>,
    /// Whether it lies in the file that it was written into.
    pub(super) written: Written,
}

/// Where a twin was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Into this file, as far as the system tells.
    Here,
    /// Into another one: this is what a backup kept of it.
    Elsewhere,
}

/// Where one store's twin lies, and the file that it stands for.
#[derive(Clone, Debug)]
pub(super) struct Twin {
    folder: PathBuf,
    file: PathBuf,
    mark: Option<String>,
    place: Option<String>,
}

impl Twin {
    /// The twin of the store with this id, which lies at `path`.
    pub(super) fn of(machine_state: &Path, store_id: &str, path: &Path) -> Self {
        Self {
            folder: machine_state.to_owned(),
            file: machine_state.join(store_id),
            mark: mark_of(path),
            place: place_of(path),
        }
    }

    /// What it says. None where there is none that can be read: the store then counts as a copy.
    pub(super) fn read(&self) -> Result<Option<Known>, StoreError> {
        read(&self.file)
    }

    /// Whether `known` stands for this very file: one at its place, or one that was moved from
    /// there. Where the system tells neither, the count decides.
    pub(super) fn stands_for(&self, known: &Known) -> bool {
        let same = |ours: &Option<String>, theirs: &Option<String>| {
            ours.as_ref().zip(theirs.as_ref()).is_none_or(|(ours, theirs)| ours == theirs)
        };
        same(&self.place, &known.place) || same(&self.mark, &known.mark)
    }

    /// Sets the count, durable before it returns.
    pub(super) fn raise(&self, count: u64) -> Result<(), StoreError> {
        folder::private_folder(&self.folder)?;
        let fresh = self.file.with_extension("new");
        folder::private_file(&fresh)?;
        let written = File::create(&fresh).and_then(|mut file| {
            let text = [
                count.to_string(),
                self.mark.clone().unwrap_or_default(),
                self.place.clone().unwrap_or_default(),
                own_mark(&file.metadata()?).unwrap_or_default(),
            ]
            .join("\n");
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written
            .and_then(|()| fs::rename(&fresh, &self.file))
            .map_err(|error| StoreError::io(&self.file, &error))?;
        folder::sync(&self.folder)
    }

    /// The twins of other stores that lay at the same place.
    pub(super) fn before_it(&self) -> Result<Vec<PathBuf>, StoreError> {
        let others = of_place(&self.folder, self.place.as_deref())?;
        Ok(others.into_iter().map(|(file, _)| file).filter(|file| *file != self.file).collect())
    }
}

/// Takes a twin away whose store is gone.
pub(super) fn remove(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io(file, &error)),
    }
}

fn of_place(folder: &Path, place: Option<&str>) -> Result<Vec<(PathBuf, Known)>, StoreError> {
    let Some(place) = place else { return Ok(Vec::new()) };
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io(folder, &error)),
    };
    let mut twins = Vec::new();
    for entry in listed.take(TWINS_MAX) {
        let file = entry.map_err(|error| StoreError::io(folder, &error))?.path();
        // One that was being written when the program ended is not a twin yet.
        if file.extension().is_none()
            && let Some(known) = read(&file)?
            && known.place.as_deref() == Some(place)
        {
            twins.push((file, known));
        }
    }
    Ok(twins)
}

fn read(file: &Path) -> Result<Option<Known>, StoreError> {
    let read = match fs::metadata(file) {
        Ok(found) if !found.is_file() || found.len() > TWIN_BYTES_MAX => return Ok(None),
        Ok(found) => fs::read(file).map(|bytes| (bytes, own_mark(&found))),
        Err(error) => Err(error),
    };
    match read {
        Ok((bytes, own)) => Ok(known(&bytes, own)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(file, &error)),
    }
}

/// What a twin says in a file of this mark.
fn known(bytes: &[u8], own: Option<String>) -> Option<Known> {
    let Ok(text) = std::str::from_utf8(bytes) else { return None };
    let mut lines = text.splitn(4, '\n');
    let digits = |line: &str| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    let count = lines.next().filter(|line| digits(line))?;
    let Ok(count) = count.parse() else { return None };
    let mut some = || lines.next().filter(|line| !line.is_empty()).map(str::to_owned);
    let (mark, place) = (some(), some());
    let same = some().zip(own).is_none_or(|(told, own)| told == own);
    let written = if same { Written::Here } else { Written::Elsewhere };
    Some(Known { count, mark, place, written })
}

/// Where a store lies, whole, if its path is text.
fn place_of(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let Ok(folder) = fs::canonicalize(folder) else { return None };
    folder.join(path.file_name()?).to_str().filter(|place| !place.contains('\n')).map(str::to_owned)
}

/// By what a twin knows the file that it was written into; a rename keeps it. A file system that gives
/// no time, or a name that takes over the time of the file before it (as Windows does within seconds),
/// tells nothing.
#[cfg(unix)]
fn own_mark(found: &fs::Metadata) -> Option<String> {
    let Ok(made) = found.created() else { return None };
    let Ok(made) = made.duration_since(SystemTime::UNIX_EPOCH) else { return None };
    Some(format!("{}{}", number_beside_the_time(found), made.as_nanos()))
}

#[cfg(not(unix))]
fn own_mark(_found: &fs::Metadata) -> Option<String> {
    None
}

/// What tells a file from its copy: when it was made, and where a copy may keep that, its number.
fn mark_of(path: &Path) -> Option<String> {
    let Ok(found) = fs::metadata(path) else { return None };
    let made = found.created().map(|at| at.duration_since(SystemTime::UNIX_EPOCH));
    match made {
        Ok(Ok(made)) => Some(format!("{}{}", number_beside_the_time(&found), made.as_nanos())),
        Ok(Err(_)) | Err(_) => number(&found),
    }
}

/// Copies made by the Finder keep the time.
#[cfg(target_vendor = "apple")]
fn number_beside_the_time(found: &fs::Metadata) -> String {
    number(found).unwrap_or_default()
}

/// No copy keeps the time; some file systems give out new numbers at each mount.
#[cfg(not(target_vendor = "apple"))]
fn number_beside_the_time(_found: &fs::Metadata) -> String {
    String::new()
}

#[cfg(unix)]
fn number(found: &fs::Metadata) -> Option<String> {
    Some(format!("i{}-", std::os::unix::fs::MetadataExt::ino(found)))
}

#[cfg(not(unix))]
fn number(_found: &fs::Metadata) -> Option<String> {
    None
}
