//! The export resource: what a service says of one job.

use std::{convert::Infallible, fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::{PayloadHash, problem::Problem};

/// The body of `POST …/exports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateExport {
    /// The report.
    pub operation: String,
    /// What its JSON Schema allows.
    #[schema(value_type = Object)]
    pub parameters: serde_json::Value,
    /// One of the operation's formats.
    pub format: String,
}

/// One job at the service.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Export {
    /// The service's id of the job.
    pub business_id: String,
    /// Whose data it is.
    pub tenant_id: String,
    /// The report.
    pub operation: String,
    /// The key under which it was created; absent where the service takes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_key: Option<String>,
    /// SHA-256 of the canonical payload.
    #[schema(value_type = String)]
    pub payload_hash: PayloadHash,
    /// Subject that asked for it.
    pub requested_by: String,
    /// How far it is.
    #[schema(value_type = String)]
    pub status: JobStatus,
    /// Numbers as the service counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Grows with every declared restore of the service's database.
    pub service_epoch: u64,
    /// Grows by one at each change of the resource.
    pub revision: u64,
    /// When the job was created, in the service's clock.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it last changed, in the service's clock.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// Until when the file is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub expires_at: Option<Timestamp>,
    /// The file, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<ExportFile>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
    /// What a person should know of a partial success.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// How far a job is. A word that this version does not know is kept, never taken for `running`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobStatus {
    /// Accepted, not begun.
    Queued,
    /// Being worked on.
    Running,
    /// Done; there is a file.
    Succeeded,
    /// Ended without a file.
    Failed,
    /// Ended because somebody asked for it.
    Cancelled,
    /// Its file is gone.
    Expired,
    /// A word of a later version.
    Unknown(String),
}

impl JobStatus {
    /// The word that travels.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Unknown(word) => word,
        }
    }

    /// Whether the job has ended.
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Queued | Self::Running | Self::Unknown(_) => false,
            Self::Succeeded | Self::Failed | Self::Cancelled | Self::Expired => true,
        }
    }
}

impl FromStr for JobStatus {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Self, Infallible> {
        Ok(match word {
            "queued" => Self::Queued,
            "running" => Self::Running,
            "succeeded" => Self::Succeeded,
            "failed" => Self::Failed,
            "cancelled" => Self::Cancelled,
            "expired" => Self::Expired,
            other => Self::Unknown(other.to_owned()),
        })
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for JobStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for JobStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(word.parse().unwrap_or_else(|never: Infallible| match never {}))
    }
}

/// Numbers as the service counts them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    /// Units done.
    pub done: u64,
    /// Units in all, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// What is counted: `rows`.
    pub unit: String,
    /// What is being done now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Jobs before this one while it is queued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
}

/// The file that a job made.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct ExportFile {
    /// A suggestion, never a path.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Media type.
    pub media_type: String,
    /// `sha-256=:BASE64:` as in `Repr-Digest` (RFC 9530), where the service offers one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Where to fetch it: a path at the service, or an absolute address.
    pub href: String,
}

/// The answer to a look by traits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExportList {
    /// Every job that matches, oldest first.
    pub items: Vec<Export>,
    /// When this was read from the primary.
    #[schema(value_type = String, format = DateTime)]
    pub as_of: Timestamp,
}
