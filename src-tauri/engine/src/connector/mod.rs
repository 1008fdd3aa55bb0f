//! How Docket speaks to a service. Other services will speak other dialects, so nothing above this
//! module knows HTTP: it hands over a [`Call`] and gets back what the answer proves.
//!
//! What every connector keeps, and [`suite`] holds it to:
//! - One attempt is one request on the wire. No retry, no redirect, here or in a library below.
//! - `encode` is pure. Its bytes are stored with the intent and sent unchanged by every attempt.
//! - `NotSent` is a proof that no byte of the request left, `Lost` proves nothing at all.
//! - An answer is adopted only if it is recognisably the service's and echoes what is ours.
//!
//! A connector for another dialect is one more file here, and one more line in the suite's call.

mod classify;
mod echo;
mod fault;
pub mod file;
mod header;
mod hooks;
mod http;
pub mod native;
pub mod phases;
mod request;
pub mod scripted;
pub mod suite;
#[cfg(test)]
pub(crate) mod tests;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use docket_wire::{OperationList, PayloadHash};
use jiff::Timestamp;
use thiserror::Error;

use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason},
    clock::Clock,
    export::{Account, BusinessId, Export, Payload, RequestKey},
    secret::Secret,
};

pub use self::{
    file::{FileAnswer, FileRefusal, FileSource, FileStream, OpenFile, sha256_of_digest},
    http::{ClientsError, Proxying},
    native::NativeConnector,
    phases::{Boundary, PhaseRecorder},
    scripted::{ScriptedConnector, SeenCall, Turn},
};

/// How long a connection may take to open.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a submit may take from its start to the end of its answer.
pub const SUBMIT_TIMEOUT: Duration = Duration::from_secs(60);
/// How long any other call may take.
pub const ASK_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a file may stand still before its fetch counts as interrupted.
pub const FILE_IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// One dialect. Every method but `encode` makes at most one request and never fails: how the call
/// ended is its answer.
#[async_trait]
pub trait Connector: Send + Sync {
    /// The bytes that every submit of this payload sends. Pure: the same payload, the same bytes.
    ///
    /// # Errors
    /// A payload that this dialect can not express.
    fn encode(&self, payload: &Payload) -> Result<Vec<u8>, EncodeError>;

    /// What the service is and can do: `Described`. Needs no credential.
    async fn describe(&self, call: &Call) -> AttemptEnd;

    /// Who is calling, and what this caller may ask for. No attempt of an export.
    ///
    /// # Errors
    /// How the call ended where it brought no catalogue.
    async fn catalogue(&self, call: &Call) -> Result<OperationList, Box<AttemptEnd>>;

    /// Asks for the job, under the key of `call.expected`.
    async fn submit(&self, call: &Call, submit: &Submit) -> AttemptEnd;

    /// Asks whether there is a job.
    async fn lookup(&self, call: &Call, target: &Target) -> AttemptEnd;

    /// Asks how far a known job is. With `wait` the service holds its answer until the job changes
    /// or the time is over, if it can.
    async fn poll(&self, call: &Call, job: &BusinessId, wait: Option<Duration>) -> AttemptEnd;

    /// Makes sure that the key of `call.expected` never runs, or learns that it did.
    async fn abandon(&self, call: &Call, first_sent: Timestamp) -> AttemptEnd;

    /// Asks for a known job to end.
    async fn cancel(&self, call: &Call, job: &BusinessId) -> AttemptEnd;

    /// Opens the file of a job; its bytes follow through [`FileStream`].
    async fn open_file(&self, call: &Call, open: &OpenFile) -> FileAnswer;
}

/// A payload that a dialect can not express.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The dialect has no such format.
    #[error("the service's dialect has no format {format}")]
    Format {
        /// The format.
        format: String,
    },
}

/// What every call carries.
#[derive(Clone)]
pub struct Call {
    /// Whose call it is and where it goes.
    pub account: Account,
    /// The credential; a call that needs one and has none is `NotSent`.
    pub credential: Option<Secret>,
    /// The trace of the export (W3C Trace Context: 32 hexadecimal digits).
    pub trace_id: String,
    /// The span of the attempt (16 hexadecimal digits).
    pub span_id: String,
    /// From 1 within its export; 0 for calls that are no attempt.
    pub attempt_no: u32,
    /// What the answer has to be about; absent where the call is about no export.
    pub expected: Option<Expected>,
    /// Where the phases are marked.
    pub progress: PhaseRecorder,
    /// How long it may take.
    pub timeouts: Timeouts,
    /// The language that the person reads, as a tag (BCP 47): what a service says is shown as it is.
    pub language: Option<String>,
}

impl Call {
    /// A call about an export.
    pub fn of(export: &Export, attempt_no: u32, span_id: String, clock: Arc<dyn Clock>) -> Self {
        Self {
            account: export.account.clone(),
            credential: None,
            trace_id: export.trace_id.clone(),
            span_id,
            attempt_no,
            expected: Some(Expected::of(export)),
            progress: PhaseRecorder::new(clock),
            timeouts: Timeouts::default(),
            language: None,
        }
    }

    /// A call about a service alone.
    pub fn about(
        account: Account,
        trace_id: String,
        span_id: String,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            account,
            credential: None,
            trace_id,
            span_id,
            attempt_no: 0,
            expected: None,
            progress: PhaseRecorder::new(clock),
            timeouts: Timeouts::default(),
            language: None,
        }
    }

    /// The same with this credential.
    pub fn with(mut self, credential: Option<Secret>) -> Self {
        self.credential = credential;
        self
    }

    /// The same call once more, with no phase marked.
    pub fn renewed(&self) -> Self {
        Self { progress: self.progress.renewed(), ..self.clone() }
    }

    /// The end of a call that was given up: from here on nothing leaves.
    fn not_sent(&self, reason: CallReason) -> AttemptEnd {
        self.progress.bar();
        self.ended(AttemptResult::NotSent { reason })
    }

    /// How the call ended, with the phases as they were marked.
    fn ended(&self, result: AttemptResult) -> AttemptEnd {
        AttemptEnd { result, http_status: None, service_time: None, phases: self.progress.marks() }
    }
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// To open the connection, TLS and proxy included.
    pub connect: Duration,
    /// From the start of a submit to the end of its answer.
    pub submit: Duration,
    /// The same for every other call; a long poll has the time that it waits on top.
    pub ask: Duration,
    /// Between two pieces of a file.
    pub file_idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: CONNECT_TIMEOUT,
            submit: SUBMIT_TIMEOUT,
            ask: ASK_TIMEOUT,
            file_idle: FILE_IDLE_TIMEOUT,
        }
    }
}

/// What an answer has to be about to be ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The key of the intent.
    pub request_key: RequestKey,
    /// The report.
    pub operation: String,
    /// SHA-256 of the canonical payload.
    pub payload_hash: PayloadHash,
    /// The tenant.
    pub tenant_id: String,
    /// The subject that asked, once known.
    pub subject: Option<String>,
}

impl Expected {
    /// What answers about this export have to be about.
    pub fn of(export: &Export) -> Self {
        Self {
            request_key: export.request_key.clone(),
            operation: export.payload.operation().to_owned(),
            payload_hash: export.payload.hash(),
            tenant_id: export.account.tenant_id.clone(),
            subject: export.account.subject.clone(),
        }
    }
}

/// What a submit sends beside what the call says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submit {
    /// The bytes that `encode` made when the intent was recorded.
    pub body: Vec<u8>,
    /// When the key was minted, in the service's clock: the same on every call. It travels in whole
    /// seconds, rounded down.
    pub first_sent: Timestamp,
}

/// What a look-up asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The job that an answer named.
    Job(BusinessId),
    /// The key of `call.expected`.
    Key {
        /// As in [`Submit::first_sent`].
        first_sent: Timestamp,
    },
    /// Operation, payload hash and requester of `call.expected`, created inside this time.
    Traits {
        /// Not before, in the service's clock.
        created_after: Timestamp,
        /// Not after, in the service's clock.
        created_before: Timestamp,
    },
}
