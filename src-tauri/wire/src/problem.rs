//! Refusals: RFC 9457 problem details with the types that this protocol names.
//!
//! Clients branch on `type` alone, never on text. A type that this version does not know is kept
//! and proves nothing.

use std::{convert::Infallible, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// What stands before every type's own name.
pub const TYPE_PREFIX: &str = "urn:docket:problem:";

/// A problem (RFC 9457) with the extensions of this protocol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What kind of problem this is.
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    pub problem_type: ProblemType,
    /// One sentence for people, the same for every problem of the type.
    #[serde(default)]
    pub title: String,
    /// The HTTP status.
    #[serde(default)]
    pub status: u16,
    /// One sentence for people about this occurrence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// `invalid-parameters`: what is wrong, field by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// `forbidden`: the permission that is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission: Option<String>,
    /// `forbidden`: whom to ask for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// `rate-limited`, `unavailable`: `false` says that nothing was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// A job's problem: whether the same request may succeed later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_may_help: Option<bool>,
}

/// One wrong parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// JSON Pointer (RFC 6901) into `parameters`.
    pub pointer: String,
    /// What is wrong with it, for people.
    pub detail: String,
}

macro_rules! problem_types {
    ($($variant:ident = $name:literal, $status:literal, $title:literal;)*) => {
        /// The problem types of the protocol.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ProblemType {
            $(#[doc = $title] $variant,)*
            /// A type of a later version or of somebody else.
            Unknown(String),
        }

        impl ProblemType {
            /// Every type that this version names.
            pub const KNOWN: &[Self] = &[$(Self::$variant),*];

            /// The type's URI.
            pub fn uri(&self) -> String {
                match self {
                    $(Self::$variant => format!("{TYPE_PREFIX}{}", $name),)*
                    Self::Unknown(uri) => uri.clone(),
                }
            }

            /// The type's name without the prefix; the whole URI of an unknown one.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Unknown(uri) => uri,
                }
            }

            /// The status that the protocol gives the type; 0 of an unknown one.
            pub fn status(&self) -> u16 {
                match self {
                    $(Self::$variant => $status,)*
                    Self::Unknown(_) => 0,
                }
            }

            /// One sentence, the same for every problem of the type.
            pub fn title(&self) -> &'static str {
                match self {
                    $(Self::$variant => $title,)*
                    Self::Unknown(_) => "",
                }
            }
        }

        impl FromStr for ProblemType {
            type Err = Infallible;

            fn from_str(uri: &str) -> Result<Self, Infallible> {
                Ok(match uri.strip_prefix(TYPE_PREFIX) {
                    $(Some($name) => Self::$variant,)*
                    Some(_) | None => Self::Unknown(uri.to_owned()),
                })
            }
        }
    };
}

problem_types! {
    KeyMissing = "key-missing", 400, "The request needs an Idempotency-Key and a Repeatability-First-Sent.";
    Malformed = "malformed", 400, "The request can not be read.";
    ClockAhead = "clock-ahead", 400, "Repeatability-First-Sent lies in the future.";
    Unauthenticated = "unauthenticated", 401, "Sign-in is needed.";
    Forbidden = "forbidden", 403, "This account may not do that.";
    NotFound = "not-found", 404, "There is no such thing, or it is not yours to see.";
    UnknownOperation = "unknown-operation", 404, "There is no such report.";
    InProgress = "in-progress", 409, "A request with this key is being handled.";
    NotCancellable = "not-cancellable", 409, "The job has ended already.";
    NotReady = "not-ready", 409, "The job has no file yet.";
    Abandoned = "abandoned", 410, "This key was abandoned and will never run.";
    FileExpired = "file-expired", 410, "The file is no longer kept.";
    KeyExpired = "key-expired", 412, "This key is older than the service remembers.";
    TooLarge = "too-large", 413, "The request is too large.";
    UnsupportedMediaType = "unsupported-media-type", 415, "The body must be application/json.";
    KeyConflict = "key-conflict", 422, "This key was used for a different request.";
    InvalidParameters = "invalid-parameters", 422, "Some parameters are wrong.";
    RateLimited = "rate-limited", 429, "Too many requests.";
    Internal = "internal", 500, "The service met a fault of its own.";
    Unavailable = "unavailable", 503, "The service takes no requests for the moment.";
}

impl Problem {
    /// A problem of a known type, with the protocol's status and title.
    pub fn new(problem_type: ProblemType) -> Self {
        Self {
            status: problem_type.status(),
            title: problem_type.title().to_owned(),
            problem_type,
            detail: None,
            errors: Vec::new(),
            permission: None,
            owner: None,
            accepted: None,
            retry_may_help: None,
        }
    }

    /// The same with a sentence about this occurrence.
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl Serialize for ProblemType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.uri())
    }
}

impl<'de> Deserialize<'de> for ProblemType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let uri = String::deserialize(deserializer)?;
        Ok(uri.parse().unwrap_or_else(|never: Infallible| match never {}))
    }
}
