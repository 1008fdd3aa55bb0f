//! `GET …/request-keys/{request_key}` and its abandon: what a key is.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::export::Export;

/// What a key is, read from the primary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct KeyStatus {
    /// See [`KeyState`].
    pub state: KeyState,
    /// The job, where the state is `present`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub export: Option<Export>,
    /// When this was read.
    #[schema(value_type = String, format = DateTime)]
    pub as_of: Timestamp,
}

/// What a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// There is a job under it.
    Present,
    /// There is none and never will be.
    Abandoned,
    /// There is none as of now; no proof.
    Absent,
    /// Unknown, and so old that it may have been forgotten.
    Expired,
}
