//! `GET /v1/service`: what a service says of itself, to anybody, without a credential.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The answer to `GET /v1/service`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ServiceDocument {
    /// What people call the service.
    pub name: String,
    /// The version of the program that answers.
    pub version: String,
    /// The versions of the protocol that it speaks.
    pub protocol_versions: Vec<u32>,
    /// The service's clock as it answers.
    #[schema(value_type = String, format = DateTime)]
    pub now: Timestamp,
    /// A key first sent before this may have been forgotten.
    #[schema(value_type = String, format = DateTime)]
    pub remembers_since: Timestamp,
    /// Grows with every declared restore of the database.
    pub service_epoch: u64,
    /// What the service can do.
    pub capabilities: Capabilities,
}

/// What a service can do, and the numbers that go with it. All durations in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Capabilities {
    /// A submit with a known key answers like the first one.
    pub idempotent_submit: bool,
    /// `GET …/request-keys/{key}` says what a key is.
    pub lookup_by_key: bool,
    /// `GET …/exports?…` lists by operation, hash, requester and time.
    pub lookup_by_traits: bool,
    /// `POST …/request-keys/{key}/abandon` makes sure that a key never runs.
    pub abandon: bool,
    /// A job can be cancelled.
    pub cancel: bool,
    /// How long a key is remembered.
    pub key_retention_s: u32,
    /// How late after the end of a submit its job may become visible to a look-up.
    pub visibility_lag_s: u32,
    /// The longest `Prefer: wait=N` that is honoured; 0 where there is no long polling.
    pub max_wait_s: u32,
    /// How often the service likes to be asked.
    pub poll_interval_s: u32,
    /// How long a file is kept.
    pub file_retention_s: u32,
    /// `Range` and `If-Range` are honoured on files.
    pub resumable_files: bool,
}
