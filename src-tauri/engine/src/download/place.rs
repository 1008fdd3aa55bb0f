//! The last step: a whole, verified part gets its name. Blocking.
//!
//! The bytes are on disk before the name is, the name never replaces another file, and the folder is
//! synced, so that after a power cut the file is whole under its name or still a part. The name is
//! noted before it is given, so that whoever ended right after it finds the file again.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use sha2::Digest;
use tempfile::TempPath;
use tokio_util::sync::CancellationToken;

use super::part::{self, Named, Part, Whole};
use crate::{file_name::numbered, lasting};

/// Most names that are tried where the first ones are taken.
const NAMES_MAX: u32 = 1000;

/// Gives a part its name in its folder: the wanted one, or that with a number.
///
/// # Errors
/// What the system says. The part is kept, so the next try only gives the name.
pub(super) fn place(mut part: Part, name: &str) -> io::Result<PathBuf> {
    part.settle()?;
    let digest = part.digest();
    let mut part = part.close();
    let folder = part.path.parent().unwrap_or(Path::new(".")).to_owned();
    for n in 1..=NAMES_MAX {
        let name = if n == 1 { name.to_owned() } else { numbered(name, n) };
        let target = folder.join(&name);
        if fs::symlink_metadata(&target).is_ok() {
            continue;
        }
        part.will_be(Named { name, digest })?;
        match TempPath::try_from_path(&part.path)?.persist_noclobber(&target) {
            Ok(()) => {
                if let Err(error) = lasting::sync_folder(&folder) {
                    // A name that may not last is none: the next try gives it anew, and no second.
                    fs::rename(&target, &part.path)?;
                    return Err(error);
                }
                return Ok(target);
            }
            Err(failed) => {
                failed.path.keep().map_err(|failed| failed.error)?;
                if failed.error.kind() != io::ErrorKind::AlreadyExists {
                    return Err(failed.error);
                }
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The file that the last try gave its name and could not tell of any more, and its digest.
///
/// # Errors
/// What the system says; `Interrupted` where `stop` came first.
pub(super) fn placed(
    folder: &Path,
    export: &str,
    whole: &Whole,
    stop: &CancellationToken,
) -> io::Result<Option<(PathBuf, [u8; 32])>> {
    let Some(named) = part::named(folder, export, whole) else { return Ok(None) };
    // The note may have been changed by another: a name is one step and no way.
    let path = folder.join(crate::file_name::safe_name(&named.name));
    let there = fs::symlink_metadata(&path);
    if !there.is_ok_and(|found| found.is_file() && found.len() == whole.size) {
        return Ok(None);
    }
    let digest: [u8; 32] =
        part::hash(&mut fs::File::open(&path)?, whole.size, stop)?.finalize().into();
    if digest != named.digest || whole.digest.is_some_and(|expected| expected != digest) {
        return Ok(None);
    }
    lasting::sync_folder(folder)?;
    Ok(Some((path, digest)))
}
