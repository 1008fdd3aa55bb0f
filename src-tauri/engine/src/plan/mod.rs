//! What to do next for one export. Pure: the same situation gives the same action.
//!
//! [`next_action`] reads and decides; it writes nothing. What it decides beside a call (a window
//! that is spent, a key that grew too old) it names as an action too, so that [`replan`] can write
//! it down in the same transaction and ask again. The rules that keep the promise stand here and
//! nowhere else: ask before sending, never a second key, never a submit after a loss without the
//! capability and the window, absence only by tombstone.

use jiff::Timestamp;

use crate::{
    attempt::AttemptKind,
    export::BusinessId,
    journal::{Hold, InFlight, UnresolvedReason, later},
    knowledge::BusinessOutcome,
    policy::{Policy, SOFT_TIMEOUT, past_soft_timeout},
    record::Record,
    stage::business_outcome,
};

mod advance;
mod copied;
mod fetch;
mod fetched;
mod follow;
mod heard;
mod learnt;
mod may;
mod seek;
mod spend;
mod succession;
mod traits;
mod unreached;
mod wish;

pub use advance::{Ended, advance, ended, replan};
pub use copied::hold_restored;
pub use fetched::{fetch_begins, fetch_is_wanted};
pub use learnt::{learn, learn_from_another, spares_a_describe};
pub use succession::{
    Asked, CopyOf, ask_for_copy, copy_of, ends_a_wait, finds_the_job, give_turn, gives_way,
    is_stopped_by_the_job, may_be_under_way, turn_after, turn_given, turn_when_recorded,
};
pub use traits::traits_window;
pub use unreached::unreached;
pub use wish::{
    NotNow, cancel, fetch_file, look_now, may_resend, meet_caller, pause, reachable_again, resume,
    send_again, send_now, settle, signed_in,
};

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Ask the service what it is.
    Describe,
    /// Send the request, with the one key.
    Submit,
    /// Ask whether there is a job.
    Lookup(LookBy),
    /// Ask how far the job is.
    Poll(BusinessId),
    /// Make sure that the key never runs.
    Abandon,
    /// Ask for the job to end.
    Cancel(BusinessId),
    /// Fetch the file.
    Download,
    /// Nothing until then; then this.
    WaitUntil(Timestamp, AttemptKind),
    /// Nothing until the call under way ends.
    WaitForCall,
    /// Nothing until the person does something.
    WaitForPerson(WaitWhy),
    /// The window ended without proof.
    Close(UnresolvedReason),
    /// The key grew too old before anything could be sent.
    NeverSend,
    /// The service has told nothing new for the alarm time.
    RaiseNoProgress,
    /// It is over.
    Done,
}

impl Action {
    /// The call that is to be made now, or at the time that is waited for; None where none is.
    pub fn kind(&self) -> Option<AttemptKind> {
        if let Self::WaitUntil(_, kind) = self { Some(*kind) } else { self.call() }
    }

    /// The call that is to be made now; None where none is.
    pub fn call(&self) -> Option<AttemptKind> {
        match self {
            Self::Describe => Some(AttemptKind::Describe),
            Self::Submit => Some(AttemptKind::Submit),
            Self::Lookup(_) => Some(AttemptKind::Lookup),
            Self::Poll(_) => Some(AttemptKind::Poll),
            Self::Abandon => Some(AttemptKind::Abandon),
            Self::Cancel(_) => Some(AttemptKind::Cancel),
            Self::Download => Some(AttemptKind::Download),
            Self::WaitUntil(..)
            | Self::WaitForCall
            | Self::WaitForPerson(_)
            | Self::Close(_)
            | Self::NeverSend
            | Self::RaiseNoProgress
            | Self::Done => None,
        }
    }
}

/// What to ask by: the best thing that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookBy {
    /// The service's id of the job.
    Job(BusinessId),
    /// The request key.
    Key,
    /// Operation, payload hash, requester and time.
    Traits,
}

/// What the person is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitWhy {
    /// To mend what holds it.
    Hold(Hold),
    /// To settle two jobs under one key.
    Breach,
    /// To ask again, or to say what was found by hand.
    Unresolved,
    /// To ask for the file.
    File,
    /// To say whether it may go although the one before it could not be sealed.
    Turn,
}

/// All that an action depends on beside the record.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The numbers.
    pub policy: &'a Policy,
    /// This computer's clock.
    pub now: Timestamp,
    /// A number in 0.0 ..= 1.0, for the jitter of whatever is planned.
    pub chance: f64,
}

/// What to do next for `record` at this moment.
pub fn next_action(record: &Record, moment: Moment<'_>) -> Action {
    Planner { record, moment }.next()
}

/// Whether no call can be made for an export of which no job is known, until the person mends what
/// holds it.
pub fn is_held_from_calls(record: &Record, moment: Moment<'_>) -> bool {
    record.knowledge.jobs.is_empty() && Planner { record, moment }.held_from_calls().is_some()
}

struct Planner<'a> {
    record: &'a Record,
    moment: Moment<'a>,
}

impl Planner<'_> {
    fn next(&self) -> Action {
        let Record { knowledge, journal, delivery, .. } = self.record;
        if delivery.saved.is_some() {
            return Action::Done;
        }
        if let Some(change) = journal.change_under_way() {
            return self.beside(change);
        }
        if knowledge.is_breached() {
            return Action::WaitForPerson(WaitWhy::Breach);
        }
        match business_outcome(knowledge, journal, self.facts()) {
            BusinessOutcome::Failed | BusinessOutcome::Cancelled | BusinessOutcome::Expired => {
                Action::Done
            }
            BusinessOutcome::Succeeded => self.fetch(),
            BusinessOutcome::Rejected => self.seal_refusal(),
            BusinessOutcome::NotCreated => Action::Done,
            BusinessOutcome::Queued | BusinessOutcome::Running => self.follow(),
            BusinessOutcome::Unknown => match knowledge.job() {
                Some(_) => self.follow(),
                None if journal.schedule.closed.is_some() => self.after_close(),
                None => self.seek(),
            },
        }
    }

    /// While a submit, an abandon or a cancel is under way only a look may run beside it.
    fn beside(&self, change: &InFlight) -> Action {
        let crossed = change.kind == AttemptKind::Submit && change.crossed_at.is_some();
        if crossed && self.record.journal.wishes.check && self.look_by().is_some() {
            return self.look();
        }
        match change.crossed_at {
            Some(at) if crossed && !past_soft_timeout(at, self.moment.now) => {
                Action::WaitUntil(later(at, SOFT_TIMEOUT), AttemptKind::Lookup)
            }
            Some(_) | None => Action::WaitForCall,
        }
    }
}

#[cfg(test)]
mod tests;
