//! Folders and names that a power cut does not take back.
//!
//! A file that was synced is found again only if its name lasts too, and the names of all folders
//! above it: each of them is made to last by a sync of the folder that it stands in (fsync(2), notes).

use std::{fs, io, path::Path};

/// Makes a folder where it is missing, with those above it. Each that was made lasts.
///
/// # Errors
/// What the system says.
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
    fs::create_dir_all(path)?;
    missing.into_iter().try_for_each(sync_name)
}

/// Makes the name of a file or a folder last.
///
/// # Errors
/// What the system says.
pub(crate) fn sync_name(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => sync_folder(folder),
        Some(_) => sync_folder(Path::new(".")),
        None => Ok(()),
    }
}

/// Makes the names in a folder last, where the system lets it be synced.
///
/// # Errors
/// What the system says.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    match fs::File::open(folder) {
        Ok(folder) => folder.sync_all(),
        // One that may be written and not listed can not be synced: it was made by another.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Elsewhere a name is as durable as it gets.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
