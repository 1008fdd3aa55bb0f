//! What a disk may hold after a power cut, as a seed chooses it.
//!
//! Of each file that was not synced: the old bytes, the new ones, the new ones up to a place, or any
//! sector this or that, at the old length, the new one, or one between. Of each folder that was not
//! synced: any change of its names may have lasted or not, a rename as a whole.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::SystemTime,
};

use super::platter::{Dark, Entry, FileId, Names, SECTOR};

/// Chance by a seed (SplitMix64, Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % sides
    }

    fn is_heads(&mut self) -> bool {
        self.roll(2) == 0
    }
}

/// Empties the folder and lays down in it what the disk is found with.
///
/// # Panics
/// The folder can not be written.
pub(super) fn lay_down(root: &Path, dark: &Dark, seed: u64) {
    for entry in fs::read_dir(root).expect("the disk can be read") {
        let path = entry.expect("an entry can be read").path();
        let is_folder = fs::symlink_metadata(&path).expect("it is there").is_dir();
        let gone = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        gone.expect("the disk can be emptied");
    }
    lay_folder(root, dark, &mut Dice(seed));
}

fn lay_folder(folder: &Path, dark: &Dark, dice: &mut Dice) {
    let Some((sure, shown)) = dark.folders.get(folder) else { return };
    for (name, entry) in choose_names(sure, shown, dice) {
        let path = folder.join(name);
        match entry {
            Entry::Folder => {
                let made = fs::DirBuilder::new().mode(0o700).create(&path);
                made.expect("a folder can be laid down");
                lay_folder(&path, dark, dice);
            }
            Entry::File(id) => {
                let bytes = choose_bytes(id, dark, dice);
                let mut options = OpenOptions::new();
                let file = options.write(true).create_new(true).mode(0o600).open(&path);
                let written = file.and_then(|mut file| {
                    let made = file.metadata()?.created();
                    file.write_all(&made.map_or_else(|_| bytes.clone(), |at| told_of(&bytes, at)))
                });
                written.expect("a file can be laid down");
            }
        }
    }
}

/// After a power cut a file is the one that it was; here it is laid down anew. One that says of itself
/// when it was made, as a store's twin in its fourth line, says it of this one.
fn told_of(bytes: &[u8], made: SystemTime) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines: Vec<&str> = text.split('\n').collect();
    let is_number = |line: &str| line.len() > 15 && line.bytes().all(|byte| byte.is_ascii_digit());
    let made = made.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    let made = made.to_string();
    match &mut lines[..] {
        [_, _, _, last] if is_number(last) => *last = &made,
        _ => return bytes.to_vec(),
    }
    lines.join("\n").into_bytes()
}

fn choose_names(sure: &Names, shown: &Names, dice: &mut Dice) -> Names {
    let mut chosen = Names::new();
    let mut left: BTreeSet<&OsString> = sure.keys().chain(shown.keys()).collect();
    while let Some(first) = left.first().copied() {
        let together = one_change(first, sure, shown, &left);
        let from = if dice.is_heads() { sure } else { shown };
        for name in together {
            left.remove(name);
            if let Some(entry) = from.get(name) {
                chosen.insert(name.clone(), *entry);
            }
        }
    }
    chosen
}

/// All names that a rename moved a file between, for the change lasts as a whole.
fn one_change<'n>(
    first: &'n OsString,
    sure: &Names,
    shown: &Names,
    left: &BTreeSet<&'n OsString>,
) -> BTreeSet<&'n OsString> {
    let files = |name: &OsString| {
        [sure.get(name), shown.get(name)].into_iter().flatten().filter_map(|entry| match entry {
            Entry::File(id) => Some(*id),
            Entry::Folder => None,
        })
    };
    let mut together = BTreeSet::from([first]);
    loop {
        let theirs: BTreeSet<FileId> = together.iter().flat_map(|name| files(name)).collect();
        let joining = left.iter().filter(|name| files(name).any(|id| theirs.contains(&id)));
        let before = together.len();
        let joining: Vec<&OsString> = joining.copied().collect();
        together.extend(joining);
        if together.len() == before {
            return together;
        }
    }
}

fn choose_bytes(id: FileId, dark: &Dark, dice: &mut Dice) -> Vec<u8> {
    let Some((sure, shown)) = dark.contents.get(&id) else { return Vec::new() };
    if sure == shown {
        return sure.clone();
    }
    let (low, high) = (sure.len().min(shown.len()), sure.len().max(shown.len()));
    let length = match dice.roll(4) {
        0 => sure.len(),
        1 | 2 => shown.len(),
        _ => low + dice.roll(u64::try_from(high - low + 1).expect("it is small")) as usize,
    };
    let sectors = length.div_ceil(SECTOR);
    let kind = dice.roll(4);
    let edge = dice.roll(sectors as u64 + 1) as usize;
    let mut bytes = Vec::with_capacity(length);
    for sector in 0..sectors {
        let is_new = match kind {
            0 => false,
            1 => true,
            2 => sector < edge,
            _ => dice.is_heads(),
        };
        let from = if is_new { shown } else { sure };
        for at in sector * SECTOR..length.min((sector + 1) * SECTOR) {
            bytes.push(from.get(at).copied().unwrap_or(0));
        }
    }
    bytes
}
