//! A service in memory, behind the trait: for tests of everything above the wire.
//!
//! It keeps the protocol's promises (one job for one key, tombstones, 404 for what is not yours), and
//! does them with no socket and no thread, so a test is a story and not a race. What shall go wrong is
//! told beforehand, call by call ([`Turn`]); what was called is written down ([`SeenCall`]).

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use docket_wire::{Capabilities, Export as Job, OperationList, ProblemType};
use jiff::{SignedDuration, Timestamp};

use super::{
    Call, Connector, EncodeError, FileAnswer, FileRefusal, OpenFile, Submit, Target,
};
use crate::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, DeferUntil, Phase},
    capabilities::{ServiceFacts, Suspicion},
    clock::Clock,
    export::{BusinessId, Payload},
};

mod memory;

pub use self::memory::{MEMORY_FILE, MEMORY_OPERATION};
use self::memory::Memory;

/// What happens to one call instead of its plain answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Nothing leaves.
    NotSent(CallReason),
    /// It leaves and never arrives.
    LoseRequest(CallReason),
    /// It arrives, the service does what it asks, and the answer is lost.
    LoseAnswer(CallReason),
    /// It is answered so, and the service does nothing.
    Answer(AttemptResult),
}

/// One call as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenCall {
    /// What for.
    pub kind: AttemptKind,
    /// Its number within its export.
    pub attempt_no: u32,
    /// The key that it was about.
    pub request_key: Option<String>,
    /// The bytes that a submit sent.
    pub body: Option<Vec<u8>>,
    /// The time of the key that it carried.
    pub first_sent: Option<Timestamp>,
}

/// See the head of this file.
pub struct ScriptedConnector {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    memory: Memory,
    script: BTreeMap<AttemptKind, VecDeque<Turn>>,
    seen: Vec<SeenCall>,
    capabilities: Capabilities,
}
