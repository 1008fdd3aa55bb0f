//! An export: one business intent, one deliberate click, and what never changes about it.
//!
//! The payload is made canonical once, when the intent is recorded; its bytes are what every
//! attempt sends. A [`RequestKey`] is minted in one function and lives as long as the intent.

use std::{fmt, path::PathBuf};

use docket_wire::{PayloadHash, canonical_json};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uuid::Uuid;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The id from its text, as it was stored or typed.
            pub fn from_text(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id!(
    /// Names an export on this computer. Never travels.
    ExportId
);
text_id!(
    /// Names the intent to the service, for ever: a UUID version 7. Travels as `Idempotency-Key`.
    RequestKey
);
text_id!(
    /// Made when a form was opened, so that one opening records one export at most.
    ClickId
);
text_id!(
    /// Names a service that the person has added.
    ServiceId
);
text_id!(
    /// The service's id of a job.
    BusinessId
);

impl ExportId {
    /// A new id.
    #[expect(clippy::disallowed_methods, reason = "the one place that makes export ids")]
    pub fn mint() -> Self {
        Self(Uuid::now_v7().to_string())
    }
}

impl RequestKey {
    /// A new key. Called where an intent is recorded, and nowhere else.
    #[expect(clippy::disallowed_methods, reason = "the one place that mints request keys")]
    pub fn mint() -> Self {
        Self(Uuid::now_v7().to_string())
    }
}

impl ServiceId {
    /// A new id.
    #[expect(clippy::disallowed_methods, reason = "the one place that makes service ids")]
    pub fn mint() -> Self {
        Self(Uuid::now_v7().to_string())
    }
}

impl ClickId {
    /// A new id, for callers that have no form.
    #[expect(clippy::disallowed_methods, reason = "the one place that makes click ids")]
    pub fn mint() -> Self {
        Self(Uuid::now_v7().to_string())
    }
}

/// What is asked for, canonical (RFC 8785), with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    operation: String,
    parameters: serde_json::Value,
    format: String,
    canonical: Vec<u8>,
    hash: PayloadHash,
}

/// Parameters that can not be sent as they are.
#[derive(Debug, Error)]
pub enum PayloadError {
    /// Parameters travel as an object.
    #[error("the parameters must be a JSON object")]
    NotAnObject,
    /// A value that JSON can not hold.
    #[error("the parameters can not be written as JSON")]
    NotJson(#[from] serde_json::Error),
    /// What is stored is not what was made: the row is damaged.
    #[error("the stored payload does not have its shape")]
    Damaged,
}

impl Payload {
    /// The payload of a new intent.
    ///
    /// # Errors
    /// Parameters that are no JSON object.
    pub fn new(
        operation: impl Into<String>,
        parameters: serde_json::Value,
        format: impl Into<String>,
    ) -> Result<Self, PayloadError> {
        if !parameters.is_object() {
            return Err(PayloadError::NotAnObject);
        }
        let (operation, format) = (operation.into(), format.into());
        let canonical = canonical_json(&serde_json::json!({
            "operation": operation, "parameters": parameters, "format": format,
        }))?;
        let hash = PayloadHash::of(&canonical);
        Ok(Self { operation, parameters, format, canonical, hash })
    }

    /// The payload from its stored bytes, which are kept as they are.
    ///
    /// # Errors
    /// Bytes that are not a payload.
    pub fn from_canonical(canonical: Vec<u8>) -> Result<Self, PayloadError> {
        let create: docket_wire::CreateExport = serde_json::from_slice(&canonical)?;
        if !create.parameters.is_object() {
            return Err(PayloadError::Damaged);
        }
        let hash = PayloadHash::of(&canonical);
        Ok(Self {
            operation: create.operation,
            parameters: create.parameters,
            format: create.format,
            canonical,
            hash,
        })
    }

    /// The report.
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// Its parameters, an object.
    pub fn parameters(&self) -> &serde_json::Value {
        &self.parameters
    }

    /// `csv`, `xlsx`, `ndjson`.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// The bytes that were made once.
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// SHA-256 of the canonical bytes.
    pub fn hash(&self) -> PayloadHash {
        self.hash
    }
}

/// Whose export it is and where it lives. Knowledge belongs to one account; open exports of another
/// wait for the person and are never asked about elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Account {
    /// The service as the person added it.
    pub service: ServiceId,
    /// Its address, without a trailing slash.
    pub address: String,
    /// The tenant.
    pub tenant_id: String,
    /// The subject that asked; unknown until the service said whose credential this is.
    pub subject: Option<String>,
}

/// One business intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its name on this computer.
    pub id: ExportId,
    /// Its name to the service, for ever.
    pub request_key: RequestKey,
    /// The opening of the form that recorded it.
    pub click_id: ClickId,
    /// Whose it is.
    pub account: Account,
    /// What is asked for.
    pub payload: Payload,
    /// The bytes that every submit sends, as the connector encoded them when the intent was recorded.
    pub body: Vec<u8>,
    /// When the intent was recorded, by this computer's clock.
    pub created_at: Timestamp,
    /// The export that this one mends or repeats.
    pub supersedes: Option<ExportId>,
    /// The trace of all its attempts (W3C Trace Context: 32 hexadecimal digits).
    pub trace_id: String,
    /// Where its file goes; the settings' folder where absent.
    pub folder: Option<PathBuf>,
}
