//! The one word that a person sees. Pure.
//!
//! A copy of it in an indexed column serves lists; it is never the truth. No guard reads it.

use jiff::Timestamp;

use crate::{
    attempt::words,
    capabilities::ServiceFacts,
    delivery::Delivery,
    journal::{Hold, Journal},
    knowledge::Knowledge,
};


words!(
    /// The one word that a person sees.
    Stage {
        /// A submit, or the describe before it, is due at once or under way.
        Sending = "sending",
        /// Every submit so far was not sent or deferred.
        WaitingToSend = "waiting_to_send",
        /// A submit may have arrived and no job is known. This is the product.
        Confirming = "confirming",
        /// The job is known: queued.
        Accepted = "accepted",
        /// The job is being worked on.
        Running = "running",
        /// A cancel was asked for; the service's final word decides.
        Cancelling = "cancelling",
        /// Succeeded, file not fetched yet.
        Ready = "ready",
        /// Bytes are coming, or stopped by a hold.
        Downloading = "downloading",
        /// The file is on disk under its final name.
        Saved = "saved",
        /// A submit was refused and nothing else can have made a job.
        Rejected = "rejected",
        /// Proved: safe to ask anew.
        NotCreated = "not_created",
        /// The job ended without a file.
        Failed = "failed",
        /// The job ended on request.
        Cancelled = "cancelled",
        /// Its file is gone.
        Expired = "expired",
        /// The window ended without proof.
        Unresolved = "unresolved",
    }
);

impl Stage {
    /// Whether the export is over. A seal that is still owed goes on beside it and opens nothing.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Saved
            | Self::Rejected
            | Self::NotCreated
            | Self::Failed
            | Self::Cancelled
            | Self::Expired => true,
            Self::Sending
            | Self::WaitingToSend
            | Self::Confirming
            | Self::Accepted
            | Self::Running
            | Self::Cancelling
            | Self::Ready
            | Self::Downloading
            | Self::Unresolved => false,
        }
    }
}

words!(
    /// Why it is proved that there is no job.
    NotCreatedWhy {
        /// Cancelled before a byte left.
        Withdrawn = "withdrawn",
        /// Could not be sent while the key was young.
        NeverSent = "never_sent",
        /// Our tombstone.
        Abandoned = "abandoned",
        /// A tombstone that we did not ask for.
        AbandonedElsewhere = "abandoned_elsewhere",
        /// The person looked it up.
        ByHand = "by_hand",
    }
);

/// The first stage that fits, in the order of lifecycle.md. `facts` is what the service can do, by
/// the last describe; `now` is this computer's clock.
pub fn stage(
    knowledge: &Knowledge,
    journal: &Journal,
    delivery: &Delivery,
    facts: Option<&ServiceFacts>,
    now: Timestamp,
) -> Stage {
    let _parts = (knowledge, journal, delivery, facts, now);
    Stage::Sending
}

/// Where an export stands in the list.
pub fn section(stage: Stage, hold: Option<Hold>) -> Section {
    let _parts = (stage, hold);
    Section::InProgress
}

words!(
    /// Where an export stands in the list.
    Section {
        /// A person is needed.
        NeedsAttention = "needs_attention",
        /// Open, and Docket works alone.
        InProgress = "in_progress",
        /// Over.
        Finished = "finished",
    }
);
