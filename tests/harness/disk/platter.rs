//! What a disk holds for sure: the contents that were synced, the names whose folder was synced.
//!
//! Everything else is what the system shows for now. A file is told by itself and not by its name,
//! so that a rename moves it. After a sync that failed, what it should have written is lost although
//! it can still be read: the system takes it for written, and a later sync does not write it again.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ffi::OsString,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// What a disk writes whole or not at all, in bytes.
pub(super) const SECTOR: usize = 512;

/// A file, whatever its name.
pub(super) type FileId = u64;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    File(FileId),
    Folder,
}

/// The names in a folder.
pub(super) type Names = BTreeMap<OsString, Entry>;

#[derive(Clone, Debug, Default)]
struct Content {
    synced: Vec<u8>,
    /// As it was when its last name went.
    last: Option<Vec<u8>>,
    /// Sectors that a failed sync lost, until they are written again.
    lost: BTreeSet<usize>,
}

pub(super) struct Platter {
    contents: HashMap<FileId, Content>,
    /// Which file an inode is now; a number is given again once a file is gone.
    by_inode: HashMap<u64, FileId>,
    folders: BTreeMap<PathBuf, Names>,
    next: FileId,
}

/// What the power left: of each thing the sure version and the one that was shown.
pub(super) struct Dark {
    pub(super) folders: BTreeMap<PathBuf, (Names, Names)>,
    pub(super) contents: HashMap<FileId, (Vec<u8>, Vec<u8>)>,
}

impl Platter {
    /// Everything that lies in a folder, all of it sure.
    pub(super) fn of(folder: &Path) -> Self {
        let mut platter = Self {
            contents: HashMap::new(),
            by_inode: HashMap::new(),
            folders: BTreeMap::new(),
            next: 0,
        };
        for folder in folders_of(folder) {
            for (path, inode) in files_of(&folder) {
                let id = platter.id(inode);
                platter.contents.entry(id).or_default().synced = read(&path);
            }
            let names = platter.names(&folder);
            platter.folders.insert(folder, names);
        }
        platter
    }

    fn id(&mut self, inode: u64) -> FileId {
        let next = &mut self.next;
        *self.by_inode.entry(inode).or_insert_with(|| {
            *next += 1;
            *next
        })
    }

    fn names(&mut self, folder: &Path) -> Names {
        let files = files_of(folder).into_iter().map(|(path, inode)| {
            let name = path.file_name().expect("a file has a name").to_owned();
            (name, Entry::File(self.id(inode)))
        });
        let mut names: Names = files.collect();
        for inner in subfolders(folder) {
            names.insert(inner.file_name().expect("a folder has a name").into(), Entry::Folder);
        }
        names
    }

    /// A file was made: whatever its inode was before is another file.
    pub(super) fn made(&mut self, inode: u64) {
        self.by_inode.remove(&inode);
        self.id(inode);
    }

    /// A name is about to be taken away.
    pub(super) fn leaving(&mut self, path: &Path) {
        let Ok(found) = fs::symlink_metadata(path) else { return };
        if found.is_file() {
            let id = self.id(found.ino());
            let content = self.contents.entry(id).or_default();
            content.last = Some(read(path));
        }
    }

    /// Bytes went into a file: they are no longer lost.
    pub(super) fn written(&mut self, inode: u64, at: u64, bytes: usize) {
        let id = self.id(inode);
        let content = self.contents.entry(id).or_default();
        if !content.lost.is_empty() {
            let first = usize::try_from(at).unwrap_or(usize::MAX) / SECTOR;
            let last = first + bytes / SECTOR;
            content.lost.retain(|sector| *sector < first || *sector > last);
        }
    }

    /// A file was synced, except for what an earlier sync lost.
    pub(super) fn synced(&mut self, inode: u64, shown: Vec<u8>) {
        let id = self.id(inode);
        let content = self.contents.entry(id).or_default();
        let before = std::mem::replace(&mut content.synced, shown);
        for sector in &content.lost {
            let from = sector * SECTOR;
            let to = (from + SECTOR).min(content.synced.len());
            for at in from..to {
                content.synced[at] = before.get(at).copied().unwrap_or(0);
            }
        }
    }

    /// A sync of a file failed: what it should have written never will be by itself.
    pub(super) fn sync_failed(&mut self, inode: u64, shown: &[u8]) {
        let id = self.id(inode);
        let content = self.contents.entry(id).or_default();
        for (sector, bytes) in shown.chunks(SECTOR).enumerate() {
            let from = sector * SECTOR;
            if content.synced.get(from..from + bytes.len()) != Some(bytes) {
                content.lost.insert(sector);
            }
        }
    }

    /// The names of a folder last.
    pub(super) fn folder_synced(&mut self, folder: &Path) {
        let names = self.names(folder);
        self.folders.insert(folder.to_owned(), names);
    }

    /// What is there when the power goes.
    pub(super) fn darken(&mut self, root: &Path) -> Dark {
        let mut folders = BTreeMap::new();
        let mut shown: HashMap<FileId, Vec<u8>> = HashMap::new();
        for folder in folders_of(root) {
            for (path, inode) in files_of(&folder) {
                let id = self.id(inode);
                shown.insert(id, read(&path));
            }
            let names = self.names(&folder);
            let sure = self.folders.get(&folder).cloned().unwrap_or_default();
            folders.insert(folder, (sure, names));
        }
        for (folder, sure) in &self.folders {
            folders.entry(folder.clone()).or_insert_with(|| (sure.clone(), Names::new()));
        }
        let ids: BTreeSet<FileId> = shown.keys().chain(self.contents.keys()).copied().collect();
        let contents = ids.into_iter().map(|id| {
            let known = self.contents.remove(&id).unwrap_or_default();
            let last = shown.remove(&id).or(known.last);
            let last = last.unwrap_or_else(|| known.synced.clone());
            (id, (known.synced, last))
        });
        Dark { contents: contents.collect(), folders }
    }
}

/// A folder and all below it, each before what it holds.
fn folders_of(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![root.to_owned()];
    let mut at = 0;
    while let Some(folder) = found.get(at).cloned() {
        found.extend(subfolders(&folder));
        at += 1;
    }
    found
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|(_, found)| found.is_dir()).map(|(path, _)| path).collect()
}

fn files_of(folder: &Path) -> Vec<(PathBuf, u64)> {
    let files = entries(folder).into_iter().filter(|(_, found)| found.is_file());
    files.map(|(path, found)| (path, found.ino())).collect()
}

fn entries(folder: &Path) -> Vec<(PathBuf, fs::Metadata)> {
    let Ok(listed) = fs::read_dir(folder) else { return Vec::new() };
    let found = listed.flatten().filter_map(|entry| {
        let path = entry.path();
        // One that went meanwhile is none.
        fs::symlink_metadata(&path).ok().map(|found| (path, found))
    });
    found.collect()
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_default()
}
