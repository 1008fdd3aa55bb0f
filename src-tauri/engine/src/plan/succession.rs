//! Who goes after whom: an export that mends or repeats another one, and what it waits for. Pure.
//!
//! Every rule is read off what is known, never off the stage of a list. The store's side of it, the
//! guard inside the transaction and the write of a turn, stands in `engine/request.rs` and
//! `desk/turns.rs`.

use jiff::Timestamp;

use super::{Moment, Planner, wish::stage_of};
use crate::{
    attempt::{AttemptKind, AttemptResult},
    journal::{Sending, Turn},
    knowledge::BusinessOutcome,
    mutants::{self, Mutant},
    record::Record,
    stage::{Stage, business_outcome, is_rejected},
};

/// What stands against another export of the very same payload (lifecycle.md, guard 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyOf {
    /// Nothing: this one is settled.
    Settled,
    /// The seal of this refused one is owed: the new one is its successor and waits for it.
    SealOwed,
    /// Nothing is proved and its window is open: no copy is offered.
    Unknown,
    /// It may exist, and the person may ask for another one knowingly.
    Unresolved,
    /// Its job is known, and the person may ask for another one knowingly.
    JobKnown,
}

/// What stands against a copy of this export.
pub fn copy_of(record: &Record, moment: Moment<'_>) -> CopyOf {
    let outcome = business_outcome(&record.knowledge, &record.journal, record.facts.as_ref());
    let stage = stage_of(record, moment.now);
    if stage.is_settled() {
        let sealed = turn_after(record, moment) == Turn::Free;
        return if stage == Stage::Rejected && !sealed {
            CopyOf::SealOwed
        } else {
            CopyOf::Settled
        };
    }
    if mutants::is(Mutant::GuardByStage) && stage != Stage::Confirming {
        return CopyOf::JobKnown;
    }
    match (outcome, stage) {
        (BusinessOutcome::Unknown, Stage::Unresolved) => CopyOf::Unresolved,
        (BusinessOutcome::Unknown, _) => CopyOf::Unknown,
        (_, _) => CopyOf::JobKnown,
    }
}

/// Whether something that nobody has seen may come of an export, or may be on its way: a near twin of
/// it is a question first.
pub fn may_be_under_way(record: &Record) -> bool {
    let Record { knowledge, journal, facts, .. } = record;
    let unknown = business_outcome(knowledge, journal, facts.as_ref()) == BusinessOutcome::Unknown;
    unknown && (has_left(record) || knowledge.business_id().is_some())
}

/// Whether the person asked for a successor as a copy, knowing that there may be two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Knowing.
    Knowingly,
    /// Not as a copy: it mends one, or is simply asked for.
    Plainly,
}

/// What an export waits for that is recorded now as the successor of `before`.
pub fn turn_when_recorded(before: &Record, asked: Asked, moment: Moment<'_>) -> Turn {
    let settled = before.stage.is_settled() && !is_rejected(&before.knowledge);
    // Of a known job a copy was asked for knowingly: nothing to wait for.
    if settled || (asked == Asked::Knowingly && before.knowledge.job().is_some()) {
        Turn::Free
    } else {
        turn_of_copy(before, moment)
    }
}

/// Whether an unresolved export is to be sealed, and not sent again, because a copy takes its place.
pub fn gives_way(before: &Record, now: Timestamp) -> bool {
    before.journal.sending == Sending::On
        && stage_of(before, now) == Stage::Unresolved
        && before.knowledge.job().is_none()
}

/// Whether what is known of an export may end the wait of its successors.
pub fn ends_a_wait(before: &Record) -> bool {
    is_rejected(&before.knowledge)
        || before.journal.sending == Sending::Copied
        || before.journal.schedule.closed.is_some()
        || before.stage.is_settled()
}

/// The turn that a successor is given now; None where it keeps the one that it has.
pub fn turn_given(before: &Record, successor: &Record, moment: Moment<'_>) -> Option<Turn> {
    if !ends_a_wait(before) {
        return None;
    }
    let turn = turn_after(before, moment);
    // A seal that came after all frees also what had been left to the person.
    let proved = before.knowledge.tombstone || before.knowledge.is_absent_by_hand();
    let given = match successor.journal.turn {
        Turn::AfterSeal => turn != Turn::AfterSeal,
        Turn::Person => proved && turn == Turn::Free,
        Turn::Free => false,
    };
    given.then_some(turn)
}

/// Whether the end of a call found the job that was sought, by its answer or by adopting it; a known
/// one is polled. `record` has taken the answer in.
pub fn finds_the_job(kind: AttemptKind, result: &AttemptResult, record: &Record) -> bool {
    let found = match result {
        AttemptResult::Found { .. } => true,
        AttemptResult::Listed { .. } => record.knowledge.job().is_some(),
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => false,
    };
    match kind {
        AttemptKind::Submit | AttemptKind::Lookup | AttemptKind::Abandon => found,
        AttemptKind::Describe | AttemptKind::Poll | AttemptKind::Cancel | AttemptKind::Download => {
            false
        }
    }
}

/// Whether a successor that has not left waits for the person, now that its predecessor's job was
/// found.
pub fn is_stopped_by_the_job(successor: &Record) -> bool {
    successor.journal.turn != Turn::Person && !has_left(successor)
}

/// Gives a successor its turn, unless it has left or was given another one meanwhile.
pub fn give_turn(successor: &mut Record, from: Turn, to: Turn) {
    if successor.journal.turn == from && !has_left(successor) {
        successor.journal.turn = to;
        successor.journal.schedule.next_at = None;
    }
}

/// Whether a submit of it was made, or is being made.
fn has_left(record: &Record) -> bool {
    record.knowledge.any_crossed() || record.journal.change_under_way().is_some()
}

/// The person wants another one of the very same, knowing that this one may exist: from now on this
/// one is not sent again, and it is sealed where that can be had.
pub fn ask_for_copy(record: &mut Record, now: Timestamp) {
    record.journal.sending = Sending::Copied;
    if record.knowledge.job().is_none() {
        record.journal.open_window(now);
    }
}

/// What a copy of this export waits for, which is asked for now: of an unresolved one that can be
/// sealed, for that seal, however often it was tried before.
fn turn_of_copy(record: &Record, moment: Moment<'_>) -> Turn {
    let unresolved = record.journal.schedule.closed.is_some() && record.knowledge.jobs.is_empty();
    if unresolved && (Planner { record, moment }).may_abandon() {
        let mut asked = record.clone();
        ask_for_copy(&mut asked, moment.now);
        return turn_after(&asked, moment);
    }
    turn_after(record, moment)
}

/// What the successor of this export waits for.
pub fn turn_after(record: &Record, moment: Moment<'_>) -> Turn {
    let Record { knowledge, journal, facts, .. } = record;
    if !knowledge.jobs.is_empty() {
        return Turn::Person;
    }
    let sealed = knowledge.tombstone || knowledge.is_absent_by_hand() || !knowledge.any_crossed();
    if sealed && journal.change_under_way().is_none() {
        return Turn::Free;
    }
    let planner = Planner { record, moment };
    let can_seal = planner.can(|can| can.abandon);
    if is_rejected(knowledge) {
        return if planner.seal_is_possible() || journal.change_under_way().is_some() {
            Turn::AfterSeal
        } else if can_seal && journal.schedule.change_tries > 0 {
            Turn::Person
        } else {
            Turn::Free
        };
    }
    let outcome = business_outcome(knowledge, journal, facts.as_ref());
    if outcome == BusinessOutcome::NotCreated {
        return Turn::Free;
    }
    match journal.schedule.closed {
        // Nothing can seal it: the person asked knowingly.
        Some(_) if !planner.may_abandon() => Turn::Free,
        Some(_) => Turn::Person,
        None => Turn::AfterSeal,
    }
}
