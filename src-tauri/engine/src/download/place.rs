//! The last step: a whole, verified part gets its name. Blocking.
//!
//! The bytes are on disk before the name is, the name never replaces another file, and the folder is
//! synced, so that after a power cut the file is whole under its name or still a part.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempPath;

use super::part::Part;
use crate::{file_name::numbered, lasting};

/// Most names that are tried where the first ones are taken.
const NAMES_MAX: u32 = 1000;

/// Gives a part its name in its folder: the wanted one, or that with a number.
///
/// # Errors
/// What the system says. The part is kept, so the next try only gives the name.
pub(super) fn place(mut part: Part, name: &str) -> io::Result<PathBuf> {
    part.settle()?;
    let path = part.close();
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    let mut unnamed = TempPath::try_from_path(&path)?;
    for n in 1..=NAMES_MAX {
        let target = folder.join(if n == 1 { name.to_owned() } else { numbered(name, n) });
        match unnamed.persist_noclobber(&target) {
            Ok(()) => {
                if let Err(error) = lasting::sync_folder(&folder) {
                    // A name that may not last is none: the next try gives it anew, and no second.
                    fs::rename(&target, &path)?;
                    return Err(error);
                }
                super::part::remove_note(&path);
                return Ok(target);
            }
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                unnamed = failed.path;
            }
            Err(failed) => {
                let error = failed.error;
                failed.path.keep().map_err(|failed| failed.error)?;
                return Err(error);
            }
        }
    }
    unnamed.keep().map_err(|failed| failed.error)?;
    Err(io::ErrorKind::AlreadyExists.into())
}
