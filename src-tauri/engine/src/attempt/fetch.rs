//! How the fetch of a file ended: what lies on disk then, and what stood in the way.

use serde::{Deserialize, Serialize};

use super::{CallReason, Verified};

/// How a download ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "fetch", rename_all = "snake_case")]
pub enum FetchEnd {
    /// The file is on disk, whole, under its final name.
    Saved {
        /// Where.
        path: std::path::PathBuf,
        /// Bytes.
        size: u64,
        /// SHA-256 of the bytes on disk, 64 hexadecimal digits.
        digest: String,
        /// What it was held against.
        verified: Verified,
    },
    /// Stopped, with what is on disk kept.
    Interrupted {
        /// Why.
        reason: CallReason,
        /// Bytes in the part file.
        kept: u64,
        /// Bytes that came in this try.
        gained: u64,
    },
    /// The person paused or cancelled it.
    Stopped {
        /// Bytes in the part file.
        kept: u64,
    },
    /// The bytes do not match what the service announced; the part was thrown away.
    WrongDigest,
    /// The disk has not enough room.
    NoSpace {
        /// Bytes still needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// Bytes in the part file.
        kept: u64,
    },
    /// The folder can not be written.
    CannotWrite {
        /// The folder.
        folder: std::path::PathBuf,
        /// The system's reason.
        reason: String,
        /// Bytes in the part file: of a whole one only the name is missing.
        #[serde(default, skip_serializing_if = "is_zero")]
        kept: u64,
    },
    /// 403 on the file.
    AccessWithdrawn,
    /// 410: the file is no longer kept.
    FileGone,
    /// The service's own 401.
    SignIn,
}

impl FetchEnd {
    /// The snake_case word for `--json` and the log.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Saved { .. } => "saved",
            Self::Interrupted { .. } => "interrupted",
            Self::Stopped { .. } => "stopped",
            Self::WrongDigest => "wrong_digest",
            Self::NoSpace { .. } => "no_space",
            Self::CannotWrite { .. } => "cannot_write",
            Self::AccessWithdrawn => "access_withdrawn",
            Self::FileGone => "file_gone",
            Self::SignIn => "sign_in",
        }
    }
}

/// What is not there is not written.
fn is_zero(bytes: &u64) -> bool {
    *bytes == 0
}
