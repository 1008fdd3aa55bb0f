//! The folder of a store: made the person's alone, and never on a network.
//!
//! A umask can only take rights away, so a file's rights are set a second time after it was made.
//! A folder that is there already and holds something is left as it is: it may be shared on
//! purpose, and the files in it are 0600 all the same.

use std::{
    fs::{self, OpenOptions},
    io,
    path::Path,
};

use super::error::StoreError;
use crate::lasting;

/// Makes the folder where it is missing, and refuses one on a network.
pub(super) fn prepare(home: &Path) -> Result<(), StoreError> {
    let lies_in = home.ancestors().find(|folder| folder.exists()).unwrap_or(home);
    if network::holds(lies_in) {
        return Err(StoreError::OnNetwork { path: home.to_owned() });
    }
    private_folder(home)
}

/// A folder that is the person's alone.
pub(super) fn private_folder(path: &Path) -> Result<(), StoreError> {
    let failed = |error: io::Error| StoreError::io(path, &error);
    lasting::make_folder(path).map_err(failed)?;
    if fs::read_dir(path).map_err(failed)?.next().is_none() {
        set_mode(path, FOLDER_MODE)?;
        // One that a kill left behind when it was made and did not last yet.
        lasting::sync_name(path).map_err(failed)?;
    }
    Ok(())
}

/// Makes a file that is the person's alone, where there is none.
pub(super) fn private_file(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    private(&mut options);
    match options.open(path) {
        Ok(_made) => set_mode(path, FILE_MODE),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => keep_private(path),
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;
#[cfg(unix)]
const OWNERS_BITS: u32 = 0o700;

/// A file that these options make is the person's alone.
#[cfg(unix)]
pub(super) fn private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, FILE_MODE);
}

/// Elsewhere the folder's own access list decides.
#[cfg(not(unix))]
pub(super) fn private(_options: &mut OpenOptions) {}

/// Takes away what others may do with a file; what its owner may do stays as it is.
#[cfg(unix)]
pub(super) fn keep_private(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = match fs::metadata(path) {
        Ok(found) => found.permissions().mode() & 0o777,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io(path, &error)),
    };
    if mode & !OWNERS_BITS == 0 { Ok(()) } else { set_mode(path, mode & OWNERS_BITS) }
}

/// Elsewhere the folder's own access list decides.
#[cfg(not(unix))]
pub(super) fn keep_private(_path: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .map_err(|error| StoreError::io(path, &error))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> Result<(), StoreError> {
    Ok(())
}

/// Makes the entries of a folder durable.
pub(super) fn sync(path: &Path) -> Result<(), StoreError> {
    lasting::sync_folder(path).map_err(|error| StoreError::io(path, &error))
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod network {
    use std::path::Path;

    /// Types of file systems that live on another computer (statfs(2), linux/magic.h). FUSE is not
    /// among them: it serves local disks too.
    const MAGIC: &[u32] = &[
        0x6969,      // NFS
        0x517B,      // SMB
        0xFF53_4D42, // CIFS
        0xFE53_4D42, // SMB2
        0x5346_414F, // AFS
        0x6B41_4653, // kAFS
        0x7375_7245, // Coda
        0x564C,      // NCP
        0x0102_1997, // 9P
        0x00C3_6400, // Ceph
        0x0BD0_0BD0, // Lustre
        0x7461_636F, // OCFS2
        0x0116_1970, // GFS2
        0x786F_4256, // a folder of VirtualBox's host
        0xBACB_ACBC, // a folder of VMware's host
    ];

    pub(super) fn holds(path: &Path) -> bool {
        // A folder that can not be asked is not refused for that: opening the file will tell.
        rustix::fs::statfs(path).is_ok_and(|found| is_network(found.f_type as u64))
    }

    /// The width of `f_type` differs between machines, its low 32 bits do not.
    pub(super) fn is_network(kind: u64) -> bool {
        MAGIC.contains(&((kind & 0xFFFF_FFFF) as u32))
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn network_file_systems_are_told_by_their_magic() {
            assert!(super::is_network(0x6969));
            assert!(super::is_network(0xFFFF_FFFF_FF53_4D42), "sign-extended on some machines");
            assert!(!super::is_network(0xEF53), "ext4");
            assert!(!super::is_network(0x0102_1994), "tmpfs");
            assert!(!super::holds(std::path::Path::new("/")));
        }
    }
}

#[cfg(target_vendor = "apple")]
mod network {
    /// The file system is stored locally (sys/mount.h).
    const MNT_LOCAL: u32 = 0x1000;

    pub(super) fn holds(path: &std::path::Path) -> bool {
        rustix::fs::statfs(path).is_ok_and(|found| found.f_flags & MNT_LOCAL == 0)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
mod network {
    use std::path::{Component, Path, Prefix};

    pub(super) fn holds(path: &Path) -> bool {
        path.components().any(|part| match part {
            Component::Prefix(prefix) => {
                matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..))
            }
            Component::RootDir
            | Component::CurDir
            | Component::ParentDir
            | Component::Normal(_) => false,
        })
    }
}
