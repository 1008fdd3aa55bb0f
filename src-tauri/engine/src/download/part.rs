//! The part of a file that is here, and what it belongs to. Blocking: runs on a thread of its own.
//!
//! The part lies in the target folder under a name made of the export's id alone, so a rename at the
//! end stays on one file system and nothing the service says is a path. Beside it lies a note of what
//! it is a part of. What does not fit the note is begun again, never appended to.
//!
//! Where the service offers a digest, any prefix may be kept: the end tells. Where it offers none, only
//! what was synced when the last try ended is trusted, because a power cut can leave a length without
//! its bytes.
//!
//! The note also says which name the part is about to get, and stays until the store knows: a program
//! that ends in between finds its file again and makes no second one.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

/// Bytes that are read at once when a part is hashed again.
const READ_BYTES: usize = 1024 * 1024;

/// What a part is a part of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// Bytes.
    pub(super) size: u64,
    /// SHA-256 as the job gives it.
    pub(super) digest: Option<[u8; 32]>,
}

/// What is noted beside a part.
#[derive(Clone, Serialize, Deserialize)]
struct Note {
    whole: Whole,
    etag: Option<String>,
    synced: u64,
    /// The most that ever was here of this file.
    #[serde(default)]
    most: u64,
    /// The name that it was about to get.
    #[serde(default)]
    named: Option<Named>,
}

/// A whole part that was about to get its name.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Named {
    /// In the part's folder.
    pub(super) name: String,
    /// SHA-256 of its bytes.
    pub(super) digest: [u8; 32],
}

/// A part that is closed, and its note.
pub(super) struct Closed {
    /// Where it lies.
    pub(super) path: PathBuf,
    note: Note,
}

impl Closed {
    /// Notes, so that it lasts, which name the part is about to get.
    pub(super) fn will_be(&mut self, named: Named) -> io::Result<()> {
        self.note.named = Some(named);
        write_note(&self.path, &self.note)?.sync_all()?;
        crate::lasting::sync_name(&self.path)
    }
}

/// A part that is open.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    hasher: Sha256,
    kept: u64,
    whole: Whole,
    etag: Option<String>,
    most: u64,
}

impl Part {
    /// Opens the part of this export in a folder, which is made where it is missing. Kept bytes are
    /// hashed again.
    ///
    /// # Errors
    /// What the system says of the folder or the file; `Interrupted` where `stop` came first.
    pub(super) fn open(
        folder: &Path,
        export: &str,
        whole: Whole,
        stop: &CancellationToken,
    ) -> io::Result<Self> {
        crate::lasting::make_folder(folder)?;
        let path = part_path(folder, export);
        refuse_links(&path)?;
        let note = read_note(&note_path(&path)).filter(|note| note.whole == whole);
        let file = user_alone().read(true).write(true).create(true).truncate(false).open(&path)?;
        let most = note.as_ref().map_or(0, |note| note.most);
        let mut part = Self { path, file, hasher: Sha256::new(), kept: 0, whole, etag: None, most };
        let length = part.file.metadata()?.len();
        let trusted = match &note {
            Some(Note { etag: Some(etag), synced, .. }) => {
                part.etag = Some(etag.clone());
                if part.whole.digest.is_some() { length } else { length.min(*synced) }
            }
            // Without a tag nobody can say that the rest is of the same file; one that is whole
            // needs no rest.
            Some(Note { etag: None, synced, .. }) if *synced == part.whole.size => *synced,
            Some(Note { etag: None, .. }) | None => 0,
        };
        part.cut_to(if trusted <= part.whole.size.min(length) { trusted } else { 0 }, stop)?;
        Ok(part)
    }

    /// Bytes of this export's part that lie in a folder, whatever they are worth.
    pub(super) fn length(folder: &Path, export: &str) -> u64 {
        fs::symlink_metadata(part_path(folder, export)).map_or(0, |found| found.len())
    }

    /// Bytes that are here.
    pub(super) fn kept(&self) -> u64 {
        self.kept
    }

    /// The most bytes that ever were here of this file. A fetch that begins again and again gains
    /// nothing until it comes further than that.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// The tag of the file that the part belongs to.
    pub(super) fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    /// Keeps the first bytes alone, and hashes them.
    pub(super) fn cut_to(&mut self, length: u64, stop: &CancellationToken) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.hasher = hash(&mut self.file, length, stop)?;
        self.kept = length;
        Ok(())
    }

    /// Notes which file the bytes to come belong to.
    pub(super) fn belongs_to(&mut self, etag: Option<String>) -> io::Result<()> {
        self.etag = etag;
        self.note(0)
    }

    /// Appends.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // How much of it went in is not known: what is not hashed is not kept.
            self.file.set_len(self.kept)?;
            return Err(error);
        }
        self.hasher.update(bytes);
        self.kept += bytes.len() as u64;
        Ok(())
    }

    /// Makes what is here last.
    pub(super) fn settle(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        self.most = self.most.max(self.kept);
        self.note(self.kept)
    }

    /// SHA-256 of what is here.
    pub(super) fn digest(&self) -> [u8; 32] {
        self.hasher.clone().finalize().into()
    }

    /// Empties it: what is here belongs to something else. How far it came stays known.
    pub(super) fn empty(mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.kept = 0;
        self.belongs_to(None)
    }

    /// Removes it and its note.
    pub(super) fn throw_away(self) -> io::Result<()> {
        drop(self.file);
        fs::remove_file(&self.path)?;
        remove_note(&self.path);
        Ok(())
    }

    /// Closes it.
    pub(super) fn close(self) -> Closed {
        let note = self.noted(self.kept);
        Closed { path: self.path, note }
    }

    fn note(&self, synced: u64) -> io::Result<()> {
        write_note(&self.path, &self.noted(synced)).map(drop)
    }

    fn noted(&self, synced: u64) -> Note {
        let (whole, etag) = (self.whole.clone(), self.etag.clone());
        Note { whole, etag, synced, most: self.most, named: None }
    }
}

/// What the last try was about to name, where its part is there no longer.
pub(super) fn named(folder: &Path, export: &str, whole: &Whole) -> Option<Named> {
    let part = part_path(folder, export);
    if fs::symlink_metadata(&part).is_ok() {
        return None;
    }
    read_note(&note_path(&part)).filter(|note| note.whole == *whole)?.named
}

/// Hashes so many bytes; `Interrupted` where `stop` came first.
pub(super) fn hash(file: &mut File, length: u64, stop: &CancellationToken) -> io::Result<Sha256> {
    let mut hasher = Sha256::new();
    let mut left = length;
    let mut buffer = vec![0; READ_BYTES];
    while left > 0 {
        if stop.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let wanted = usize::try_from(left).unwrap_or(READ_BYTES).min(READ_BYTES);
        file.read_exact(&mut buffer[..wanted])?;
        hasher.update(&buffer[..wanted]);
        left -= wanted as u64;
    }
    Ok(hasher)
}

fn write_note(part: &Path, note: &Note) -> io::Result<File> {
    let path = note_path(part);
    refuse_links(&path)?;
    let file = user_alone().write(true).create(true).truncate(true).open(path)?;
    serde_json::to_writer(&file, note).map_err(io::Error::from)?;
    Ok(file)
}

/// Removes the note of an export's part that is a part no longer.
pub(super) fn forget(folder: &Path, export: &str) {
    remove_note(&part_path(folder, export));
}

/// One that stays behind is small, fits nothing and harms nothing.
fn remove_note(part: &Path) {
    if let Err(error) = fs::remove_file(note_path(part)) {
        tracing::debug!(kind = %error.kind(), "the note of a finished download stays behind");
    }
}

fn part_path(folder: &Path, export: &str) -> PathBuf {
    folder.join(crate::file_name::safe_name(&format!("docket-{export}.part")))
}

fn note_path(part: &Path) -> PathBuf {
    part.with_extension("part.json")
}

fn read_note(path: &Path) -> Option<Note> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

/// Something else than a file under the part's name, such as a link to elsewhere, is taken away
/// rather than written through.
fn refuse_links(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => fs::remove_file(path),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Files that nobody else on this computer can read.
fn user_alone() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
