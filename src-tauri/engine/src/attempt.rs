//! An attempt: one HTTP call made for an export, how far it got, and what it proved.
//!
//! One attempt is exactly one request on the wire. What happened to the call ([`CallResult`]) and
//! what became of the business are two things: only `Knowledge` leads from one to the other.

use docket_wire::{Export as Job, Problem, ProblemType};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::capabilities::ServiceFacts;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, ts_rs::TS)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word that is stored, shown in `--json` and sent to the window.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The variant of a stored word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

mod fetch;
mod reason;

pub use fetch::FetchEnd;
pub use reason::CallReason;

words!(
    /// What an attempt was for.
    AttemptKind {
        /// Asks what the service is and who is calling.
        Describe = "describe",
        /// Asks for the job.
        Submit = "submit",
        /// Asks whether there is a job: by id, by key or by traits.
        Lookup = "lookup",
        /// Asks how far a known job is.
        Poll = "poll",
        /// Makes sure that the key never runs, or learns that it did.
        Abandon = "abandon",
        /// Asks for a known job to end.
        Cancel = "cancel",
        /// Fetches the file.
        Download = "download",
    }
);

impl AttemptKind {
    /// Whether the call can change anything at the service, and so needs a durable row before.
    pub fn changes_something(self) -> bool {
        match self {
            Self::Submit | Self::Abandon | Self::Cancel => true,
            Self::Describe | Self::Lookup | Self::Poll | Self::Download => false,
        }
    }
}

words!(
    /// How far a call got. The submission boundary is the start of `send`.
    Phase {
        /// Building the request.
        Prepare = "prepare",
        /// Looking the host up.
        Resolve = "resolve",
        /// Opening the connection.
        Connect = "connect",
        /// The TLS handshake.
        Secure = "secure",
        /// From here on a byte may have left.
        Send = "send",
        /// Sent whole; waiting for the first byte of the answer.
        Await = "await",
        /// Reading the answer.
        Receive = "receive",
        /// Understanding it.
        Decode = "decode",
        /// Writing down what it proved.
        Record = "record",
    }
);

words!(
    /// What happened to the call.
    CallResult {
        /// No byte of the request left.
        NotSent = "not_sent",
        /// It may have arrived; no valid answer came.
        Lost = "lost",
        /// The service answered.
        Answered = "answered",
    }
);

/// Until when a refusal for now stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeferUntil {
    /// The service asked to come back then (this computer's clock).
    Time(Timestamp),
    /// The service wants a valid sign-in first.
    SignIn,
}

/// What one answer proves. See the table of lifecycle.md.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "snake_case")]
pub enum AttemptResult {
    /// Ended before the submission boundary: this attempt did nothing.
    NotSent {
        /// Why.
        reason: CallReason,
    },
    /// Crossed the boundary and no valid answer came.
    Lost {
        /// Where it was lost.
        phase: Phase,
        /// Why.
        reason: CallReason,
        /// A job id that a broken answer still named: worth asking about, no proof.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
    /// The job exists and is ours.
    Found {
        /// What the service says of it.
        job: Box<Job>,
    },
    /// Every job that matches by traits. Not joined: adoption decides.
    Listed {
        /// Oldest first.
        jobs: Vec<Job>,
        /// The service's time of the look.
        as_of: Timestamp,
    },
    /// Not there as of then; nothing lasting.
    NotSeen {
        /// The service's time of the look.
        as_of: Timestamp,
    },
    /// No job under this key, ever.
    Abandoned,
    /// The service may have forgotten the key.
    KeyExpired,
    /// This handling created nothing.
    Refused {
        /// Why, in the service's words.
        problem: Box<Problem>,
    },
    /// The same, for now.
    Deferred {
        /// Until when.
        until: DeferUntil,
    },
    /// A describe's answer.
    Described {
        /// What was learnt.
        facts: Box<ServiceFacts>,
    },
    /// A cancel came too late: the job has ended.
    NotCancellable,
    /// A download's end.
    Fetched {
        /// See [`FetchEnd`].
        end: FetchEnd,
    },
}

words!(
    /// What a saved file was held against.
    Verified {
        /// The service's SHA-256.
        Digest = "digest",
        /// Its size alone, where the service offered no digest.
        Size = "size",
    }
);

impl AttemptResult {
    /// What happened to the call.
    pub fn call_result(&self) -> CallResult {
        match self {
            Self::NotSent { .. } => CallResult::NotSent,
            Self::Lost { .. } => CallResult::Lost,
            Self::Found { .. }
            | Self::Listed { .. }
            | Self::NotSeen { .. }
            | Self::Abandoned
            | Self::KeyExpired
            | Self::Refused { .. }
            | Self::Deferred { .. }
            | Self::Described { .. }
            | Self::NotCancellable => CallResult::Answered,
            Self::Fetched { end } => match end {
                FetchEnd::Interrupted { reason, .. } if reason.is_before_the_boundary() => {
                    CallResult::NotSent
                }
                FetchEnd::Interrupted { .. } | FetchEnd::Stopped { .. } => CallResult::Lost,
                FetchEnd::NoSpace { .. } | FetchEnd::CannotWrite { .. } => CallResult::Answered,
                FetchEnd::Saved { .. }
                | FetchEnd::WrongDigest
                | FetchEnd::AccessWithdrawn
                | FetchEnd::FileGone
                | FetchEnd::SignIn => CallResult::Answered,
            },
        }
    }

    /// Where the call was lost, if it was.
    pub fn lost_at(&self) -> Option<Phase> {
        if let Self::Lost { phase, .. } = self { Some(*phase) } else { None }
    }

    /// Why the service refused, if it did.
    pub fn refusal(&self) -> Option<&Problem> {
        if let Self::Refused { problem } = self { Some(problem) } else { None }
    }

    /// Whether the service wants a valid sign-in first.
    pub fn wants_sign_in(&self) -> bool {
        matches!(
            self,
            Self::Deferred { until: DeferUntil::SignIn } | Self::Fetched { end: FetchEnd::SignIn }
        )
    }

    /// Whether this account may no longer ask: told by the call itself, or by the one before it.
    pub fn withdraws_access(&self) -> bool {
        let forbidden =
            self.refusal().is_some_and(|problem| problem.problem_type == ProblemType::Forbidden);
        forbidden || matches!(self, Self::NotSent { reason: CallReason::AccessRefused })
    }

    /// The snake_case word for `--json` and the log.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NotSent { .. } => "not_sent",
            Self::Lost { .. } => "lost",
            Self::Found { .. } => "found",
            Self::Listed { .. } => "listed",
            Self::NotSeen { .. } => "not_seen",
            Self::Abandoned => "abandoned",
            Self::KeyExpired => "key_expired",
            Self::Refused { .. } => "refused",
            Self::Deferred { .. } => "deferred",
            Self::Described { .. } => "described",
            Self::NotCancellable => "not_cancellable",
            Self::Fetched { end } => end.word(),
        }
    }

    /// Why the call was not sent or was lost.
    pub fn reason(&self) -> Option<CallReason> {
        match self {
            Self::NotSent { reason }
            | Self::Lost { reason, .. }
            | Self::Fetched { end: FetchEnd::Interrupted { reason, .. } } => Some(*reason),
            Self::Found { .. }
            | Self::Listed { .. }
            | Self::NotSeen { .. }
            | Self::Abandoned
            | Self::KeyExpired
            | Self::Refused { .. }
            | Self::Deferred { .. }
            | Self::Described { .. }
            | Self::NotCancellable
            | Self::Fetched { .. } => None,
        }
    }
}

/// When a phase began, in milliseconds from the start of the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct PhaseMark {
    /// The phase.
    pub phase: Phase,
    /// Milliseconds from the start of the attempt.
    pub at_ms: u32,
}

/// How one call ended: what the connector hands back.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptEnd {
    /// What it proved.
    pub result: AttemptResult,
    /// The HTTP status, where a head came.
    pub http_status: Option<u16>,
    /// The service's clock, by its `Date`, where the answer was the service's own.
    pub service_time: Option<Timestamp>,
    /// When each phase began.
    pub phases: Vec<PhaseMark>,
}

/// One attempt as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// From 1 within its export; 0 is the submit that a restored store counts.
    pub attempt_no: u32,
    /// What it was for.
    pub kind: AttemptKind,
    /// When it began.
    pub started_at: Timestamp,
    /// When its first byte may have left, where that is known.
    pub crossed_at: Option<Timestamp>,
    /// When it ended; the last one where equal polls were folded into one row.
    pub ended_at: Option<Timestamp>,
    /// What it proved; absent while it is under way.
    pub result: Option<AttemptResult>,
    /// The HTTP status, where a head came.
    pub http_status: Option<u16>,
    /// When each phase began.
    pub phases: Vec<PhaseMark>,
    /// The span of the attempt (16 hexadecimal digits).
    pub span_id: String,
    /// How many equal attempts in a row this row stands for.
    pub times: u32,
}
