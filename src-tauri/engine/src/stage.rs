//! The one word that a person sees. Pure.
//!
//! A copy of it in an indexed column serves lists; it is never the truth. No guard reads it.

use jiff::Timestamp;

use crate::{
    attempt::{AttemptKind, DeferUntil, words},
    capabilities::ServiceFacts,
    delivery::{Delivery, Fetching, Want},
    journal::{Hold, Journal, Sending, Turn},
    knowledge::{BusinessOutcome, Knowledge, SubmitEnd, outcome_of},
    mutants::{self, Mutant},
    policy::past_soft_timeout,
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
    if delivery.saved.is_some() {
        return Stage::Saved;
    }
    if knowledge.is_breached() {
        return Stage::Unresolved;
    }
    let outcome = business_outcome(knowledge, journal, facts);
    match outcome {
        BusinessOutcome::Expired => Stage::Expired,
        BusinessOutcome::Failed => Stage::Failed,
        BusinessOutcome::Cancelled => Stage::Cancelled,
        BusinessOutcome::Succeeded => fetch_stage(journal, delivery),
        BusinessOutcome::Rejected => Stage::Rejected,
        BusinessOutcome::NotCreated => Stage::NotCreated,
        BusinessOutcome::Queued | BusinessOutcome::Running | BusinessOutcome::Unknown => {
            open_stage(outcome, knowledge, journal, facts, now)
        }
    }
}

/// The stage of an export whose end is not known yet.
fn open_stage(
    outcome: BusinessOutcome,
    knowledge: &Knowledge,
    journal: &Journal,
    facts: Option<&ServiceFacts>,
    now: Timestamp,
) -> Stage {
    if journal.schedule.closed.is_some() {
        return Stage::Unresolved;
    }
    if journal.wishes.cancel.is_some() {
        return Stage::Cancelling;
    }
    match outcome {
        BusinessOutcome::Running => return Stage::Running,
        BusinessOutcome::Queued => return Stage::Accepted,
        BusinessOutcome::Unknown
        | BusinessOutcome::NotCreated
        | BusinessOutcome::Rejected
        | BusinessOutcome::Succeeded
        | BusinessOutcome::Failed
        | BusinessOutcome::Cancelled
        | BusinessOutcome::Expired => {}
    }
    if may_exist(knowledge, facts) || knowledge.business_id().is_some() {
        return Stage::Confirming;
    }
    match journal.under_way(AttemptKind::Submit) {
        Some(submit) if submit.crossed_at.is_some_and(|at| past_soft_timeout(at, now)) => {
            return Stage::Confirming;
        }
        Some(_) => return Stage::Sending,
        None => {}
    }
    let due = journal.schedule.next_at.is_none_or(|at| at <= now);
    if due && journal.holds.is_empty() && journal.turn == Turn::Free {
        Stage::Sending
    } else {
        Stage::WaitingToSend
    }
}

/// The stage of a job that succeeded and whose file is not here.
fn fetch_stage(journal: &Journal, delivery: &Delivery) -> Stage {
    let stopped = journal.holds.iter().any(|hold| hold.is_of_the_fetch());
    let coming = delivery.fetching == Fetching::UnderWay || delivery.kept > 0;
    if delivery.want == Want::Fetch && (stopped || coming || delivery.failures > 0) {
        Stage::Downloading
    } else {
        Stage::Ready
    }
}

/// What became of the business, as far as it is proved.
pub fn business_outcome(
    knowledge: &Knowledge,
    journal: &Journal,
    facts: Option<&ServiceFacts>,
) -> BusinessOutcome {
    if let Some(job) = knowledge.job() {
        let outcome = outcome_of(&job.status);
        let over = job.status.is_settled();
        return if knowledge.gone_after_cancel && !over {
            BusinessOutcome::Cancelled
        } else {
            outcome
        };
    }
    if knowledge.is_breached() {
        return BusinessOutcome::Unknown;
    }
    if is_rejected(knowledge) {
        return BusinessOutcome::Rejected;
    }
    if not_created_why(knowledge, journal, facts).is_some() {
        return BusinessOutcome::NotCreated;
    }
    BusinessOutcome::Unknown
}

/// Whether a refusal settles the intent: it was refused, no job is known, and no other submit that
/// crossed the boundary is left to have made one. A key that stands under another's name is no
/// exception: that other may be who was signed in when the one before it was sent.
pub fn is_rejected(knowledge: &Knowledge) -> bool {
    if knowledge.refusal().is_none() {
        return false;
    }
    mutants::is(Mutant::RefusalSettlesLost)
        || knowledge.tombstone
        || knowledge.is_absent_by_hand()
        || !another_crossed(knowledge)
}

/// Whether a submit crossed the boundary beside the refused one. A 401 is apart: the service looks
/// at the sign-in before all else.
fn another_crossed(knowledge: &Knowledge) -> bool {
    knowledge.submits.values().any(|end| match end {
        SubmitEnd::NotSent { .. }
        | SubmitEnd::Refused { .. }
        | SubmitEnd::Deferred { until: DeferUntil::SignIn } => false,
        SubmitEnd::Deferred { until: DeferUntil::Time(_) }
        | SubmitEnd::Lost { .. }
        | SubmitEnd::Answered => true,
    })
}

/// The proof that there is no job and never will be, if there is one.
pub fn not_created_why(
    knowledge: &Knowledge,
    journal: &Journal,
    facts: Option<&ServiceFacts>,
) -> Option<NotCreatedWhy> {
    if !knowledge.jobs.is_empty() {
        return None;
    }
    if knowledge.tombstone {
        let ours = journal.abandon_crossed;
        return Some(if ours {
            NotCreatedWhy::Abandoned
        } else {
            NotCreatedWhy::AbandonedElsewhere
        });
    }
    if knowledge.is_absent_by_hand() {
        return Some(NotCreatedWhy::ByHand);
    }
    if mutants::is(Mutant::NotSeenIsNotCreated) && journal.not_seen_at.is_some() {
        return Some(NotCreatedWhy::NeverSent);
    }
    if journal.change_under_way().is_some() || may_exist(knowledge, facts) {
        return None;
    }
    if journal.wishes.cancel.is_some() && !knowledge.any_crossed() {
        return Some(NotCreatedWhy::Withdrawn);
    }
    // A key that a submit found too old proves nothing: a gateway's first copy of that very submit may
    // have made a job that the service has forgotten since.
    (journal.sending == Sending::NeverSent).then_some(NotCreatedWhy::NeverSent)
}

/// Whether a job that nobody has seen may exist: a submit was lost, or refused beside another that
/// crossed, or put off by a service whose word on that can not be trusted, since it does not take
/// the same key twice.
pub fn may_exist(knowledge: &Knowledge, facts: Option<&ServiceFacts>) -> bool {
    let takes_keys = facts.is_some_and(|facts| facts.capabilities.idempotent_submit);
    let refused_beside = knowledge.refusal().is_some() && another_crossed(knowledge);
    let lost = knowledge.submits.values().any(|end| match end {
        SubmitEnd::Lost { .. } => true,
        SubmitEnd::Deferred { until: DeferUntil::Time(_) } => !takes_keys,
        SubmitEnd::NotSent { .. }
        | SubmitEnd::Deferred { until: DeferUntil::SignIn }
        | SubmitEnd::Refused { .. }
        | SubmitEnd::Answered => false,
    });
    lost || refused_beside
}

/// Where an export stands in the list. `goes_on`: something is planned for it, or under way.
pub fn section(stage: Stage, hold: Option<Hold>, goes_on: bool) -> Section {
    match stage {
        Stage::Unresolved | Stage::Rejected | Stage::Failed => Section::NeedsAttention,
        Stage::Saved | Stage::NotCreated | Stage::Cancelled | Stage::Expired => Section::Finished,
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Accepted
        | Stage::Running
        | Stage::Cancelling
        | Stage::Ready
        | Stage::Downloading => match hold {
            Some(hold) if hold.needs_the_person() => Section::NeedsAttention,
            // It was tried for as long as it is.
            Some(Hold::DownloadInterrupted) if !goes_on => Section::NeedsAttention,
            Some(_) | None => Section::InProgress,
        },
    }
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
