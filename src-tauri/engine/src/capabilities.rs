//! What a service can do, and what is known of its clock.

use docket_wire::Capabilities;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// What a `describe` learnt, kept with the service and with each export that was sent to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ServiceFacts {
    /// What people call the service.
    pub name: String,
    /// What it can do, by its own word.
    pub capabilities: Capabilities,
    /// A key first sent before this may have been forgotten (the service's clock).
    pub remembers_since: Timestamp,
    /// Grows with every declared restore.
    pub service_epoch: u64,
    /// The service's clock less this computer's, in milliseconds.
    pub clock_ahead_ms: i64,
    /// When this was learnt, by this computer's clock.
    pub described_at: Timestamp,
    /// The service once showed two jobs for one key: nothing is sent again to it without the person.
    pub suspected: Suspicion,
}

/// Whether the service has broken its word on keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Suspicion {
    /// It has kept it so far.
    None,
    /// It showed two jobs, or a job and a tombstone, for one key.
    KeyBreach,
}

impl ServiceFacts {
    /// A describe is no check: what was suspected before it still is.
    pub fn keep_suspicion_of(&mut self, before: &Self) {
        match before.suspected {
            Suspicion::None => {}
            Suspicion::KeyBreach => self.suspected = Suspicion::KeyBreach,
        }
    }

    /// The service's clock at a moment of this computer's.
    pub fn service_time(&self, local: Timestamp) -> Timestamp {
        local
            .saturating_add(SignedDuration::from_millis(self.clock_ahead_ms))
            .unwrap_or(Timestamp::MAX)
    }
}
