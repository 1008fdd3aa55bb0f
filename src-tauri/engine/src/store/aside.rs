//! Setting a damaged store aside: whole, under another name beside, and a new one in its place.
//!
//! Whatever ends the program in between, the next opening goes on from there. The new store is made
//! under another name and is on the disk before anything of the old one is touched. Then a note says
//! what the old one is called from now on; while it lies there, a store is opened by nobody, and
//! which of the files still carry their old names says how far it went. Only who drives, and has the
//! store to itself, does any of this.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use jiff::Timestamp;

use super::{
    error::StoreError,
    folder,
    lock::{DriverLock, OpenLock},
    open::FILE,
    salvage,
    schema::{beside, wal_of},
};

/// Holds the name that the old store gets, while it gets it.
const NOTE: &str = "docket.aside";
/// Where the new store is made.
const WORK: &str = "docket.salvage";
/// A note longer than this is none.
const NOTE_BYTES_MAX: u64 = 256;
/// Damage within one second.
const SAME_SECOND_MAX: u32 = 1_000;

/// How far it goes, for the tests: the program may end before any of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Note,
    RenameLog,
    RenameStore,
    PutInPlace,
    RemoveNote,
}

impl Step {
    #[cfg(test)]
    pub(super) const ALL: [Self; 5] =
        [Self::Note, Self::RenameLog, Self::RenameStore, Self::PutInPlace, Self::RemoveNote];
}

/// Sets the store aside and puts what can be read of it in its place.
pub(super) fn set_aside(home: &Path, now: Timestamp, steps: &[&str]) -> Result<(), StoreError> {
    set_aside_until(home, now, steps, None)
}

/// The same, as if the program ended before a step.
pub(super) fn set_aside_until(
    home: &Path,
    now: Timestamp,
    steps: &[&str],
    end: Option<Step>,
) -> Result<(), StoreError> {
    let path = home.join(FILE);
    // Held to the end of this: nobody else drives, and nobody is left with the file that goes.
    let Some(_drives) = DriverLock::take(home)? else {
        return Err(StoreError::DamagedInUse { path });
    };
    let Some(_alone) = OpenLock::alone(home)? else {
        return Err(StoreError::DamagedInUse { path });
    };
    let aside = free_name(home, now)?;
    let work = home.join(WORK);
    remove_work(&work)?;
    folder::private_folder(&work)?;
    salvage::salvage(&path, &work.join(FILE), &aside, now, steps)
        .map_err(|error| error.of(&path))?;
    folder::sync(&work)?;
    if end == Some(Step::Note) {
        return Ok(());
    }
    write_note(home, &aside)?;
    finish(home, &work, &aside, end)
}

/// Goes on with what an opening before this one could not bring to its end.
pub(super) fn go_on(home: &Path) -> Result<(), StoreError> {
    let Some(aside) = read_note(home)? else { return Ok(()) };
    let path = home.join(FILE);
    let Some(_drives) = DriverLock::take(home)? else {
        return Err(StoreError::DamagedInUse { path });
    };
    finish(home, &home.join(WORK), &aside, None)
}

/// The old files get their new names, the store proper last; the new one takes its place.
fn finish(home: &Path, work: &Path, aside: &Path, end: Option<Step>) -> Result<(), StoreError> {
    let (path, fresh) = (home.join(FILE), work.join(FILE));
    // Once the new one is in its place, the name is the new one's.
    if exists(&fresh)? {
        if end == Some(Step::RenameLog) {
            return Ok(());
        }
        for end in ["-shm", "-wal", "-journal"] {
            rename_if_there(&beside(&path, end), &beside(aside, end))?;
        }
        folder::sync(home)?;
        if end == Some(Step::RenameStore) {
            return Ok(());
        }
        rename_if_there(&path, aside)?;
        folder::sync(home)?;
        if end == Some(Step::PutInPlace) {
            return Ok(());
        }
        rename_if_there(&fresh, &path)?;
        folder::sync(home)?;
    }
    if end == Some(Step::RemoveNote) {
        return Ok(());
    }
    remove_if_there(&super::suspect_file(home))?;
    remove_if_there(&home.join(NOTE))?;
    folder::sync(home)?;
    remove_work(work)
}

/// `docket.damaged-TIME.db`, or the next one that is free.
fn free_name(home: &Path, now: Timestamp) -> Result<PathBuf, StoreError> {
    let time = now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
    for more in 1..=SAME_SECOND_MAX {
        let more = if more == 1 { String::new() } else { format!("-{more}") };
        let aside = home.join(format!("docket.damaged-{time}{more}.db"));
        if !exists(&aside)? && !exists(&wal_of(&aside))? && !exists(&beside(&aside, "-shm"))? {
            return Ok(aside);
        }
    }
    Err(StoreError::Unwritable {
        path: home.to_owned(),
        reason: "too many damaged files lie there".to_owned(),
    })
}

fn write_note(home: &Path, aside: &Path) -> Result<(), StoreError> {
    let (note, fresh) = (home.join(NOTE), home.join(NOTE).with_extension("aside.new"));
    let name = aside.file_name().unwrap_or_default().to_string_lossy();
    folder::private_file(&fresh)?;
    fs::write(&fresh, name.as_bytes())
        .and_then(|()| fs::File::open(&fresh)?.sync_all())
        .and_then(|()| fs::rename(&fresh, &note))
        .map_err(|error| StoreError::io(&note, &error))?;
    folder::sync(home)
}

fn read_note(home: &Path) -> Result<Option<PathBuf>, StoreError> {
    let note = home.join(NOTE);
    match fs::metadata(&note) {
        Ok(found) if found.len() <= NOTE_BYTES_MAX => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::io(&note, &error)),
    }
    let name = fs::read(&note).map_err(|error| StoreError::io(&note, &error))?;
    let name = String::from_utf8_lossy(&name).into_owned();
    let is_ours = name.starts_with("docket.damaged-") && !name.contains(['/', '\\']);
    Ok(is_ours.then(|| home.join(name)))
}

fn exists(path: &Path) -> Result<bool, StoreError> {
    fs::exists(path).map_err(|error| StoreError::io(path, &error))
}

fn rename_if_there(from: &Path, to: &Path) -> Result<(), StoreError> {
    match fs::rename(from, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io(from, &error)),
    }
}

pub(super) fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

/// What lies there was made here, and is not the new store any more or not yet.
fn remove_work(work: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(work) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::io(work, &error)),
    }
}
