//! Where the file of an export is on its way to this computer's disk. Pure.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::attempt::Verified;

/// The state of the fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Delivery {
    /// Whether the person wants the file fetched.
    pub want: Want,
    /// Whether a fetch is under way; after a crash it is simply begun again.
    #[serde(default)]
    pub fetching: Fetching,
    /// What is on disk in the part file, in bytes.
    pub kept: u64,
    /// What the file weighs, where known, in bytes.
    pub total: Option<u64>,
    /// Tries in a row without progress.
    pub failures: u32,
    /// Wrong digests so far.
    pub wrong_digests: u32,
    /// What holds it up, for people: bytes missing, the folder and the system's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<Obstacle>,
    /// The file, once it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<SavedFile>,
}

/// Whether the file is to be fetched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Want {
    /// As soon as it is there.
    #[default]
    Fetch,
    /// Only when the person asks.
    OnRequest,
}

/// Whether a fetch is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fetching {
    /// None is.
    #[default]
    Idle,
    /// Bytes are coming.
    UnderWay,
}

/// Why the file can not be written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "obstacle", rename_all = "snake_case")]
pub enum Obstacle {
    /// Not enough room, in bytes.
    NoSpace {
        /// Still needed.
        needed: u64,
        /// Free.
        free: u64,
    },
    /// The folder refuses.
    CannotWrite {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        reason: String,
    },
}

/// A file on disk under its final name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SavedFile {
    /// Where.
    pub path: PathBuf,
    /// Bytes.
    pub size: u64,
    /// SHA-256, 64 hexadecimal digits.
    pub digest: String,
    /// What it was held against.
    pub verified: Verified,
    /// When it was saved.
    pub at: Timestamp,
}
