//! Who goes after whom: an export that mends or repeats another waits for that one's seal.
//!
//! What its predecessor became may be learnt from an attempt, a wish, a time that passed or a start;
//! each of them ends here, so that no successor waits for news that has been.

use super::{Desk, Result};
use crate::{
    journal::{Sending, Turn},
    plan,
    record::Record,
    stage::{Stage, is_rejected, stage},
};

impl Desk {
    /// Gives the successors of an export their turn, once it has become clear.
    pub(crate) fn release_after(&self, before: &Record) -> Result<()> {
        let ends_their_wait = is_rejected(&before.knowledge)
            || before.journal.sending == Sending::Copied
            || before.journal.schedule.closed.is_some()
            || before.stage.is_settled();
        if !ends_their_wait {
            return Ok(());
        }
        let turn = plan::turn_after(before, self.moment());
        // A seal that came after all frees also what had been left to the person.
        let proved = before.knowledge.tombstone || before.knowledge.is_absent_by_hand();
        for successor in self.store.successors(&before.export.id)? {
            let waits = successor.journal.turn;
            let given = match waits {
                Turn::AfterSeal => turn != Turn::AfterSeal,
                Turn::Person => proved && turn == Turn::Free,
                Turn::Free => false,
            };
            if given {
                self.give_turn(&successor, waits, turn)?;
            }
        }
        Ok(())
    }

    /// The job of an export was found: what was to take its place and has not left waits until the
    /// person asks for it again.
    pub(crate) fn stop_copies_of(&self, before: &Record) -> Result<()> {
        for successor in self.store.successors(&before.export.id)? {
            let turn = successor.journal.turn;
            if turn != Turn::Person && !has_left(&successor) {
                self.give_turn(&successor, turn, Turn::Person)?;
            }
        }
        Ok(())
    }

    fn give_turn(&self, successor: &Record, from: Turn, to: Turn) -> Result<()> {
        let given = self.change(&successor.export.id, |record, _| {
            if record.journal.turn == from && !has_left(record) {
                record.journal.turn = to;
                record.journal.schedule.next_at = None;
            }
            Ok(())
        })?;
        if let Some(record) = given {
            self.publish(&record)?;
            self.tell_driver();
        }
        Ok(())
    }

    /// An unresolved export that a copy takes the place of is not sent again and is sealed where
    /// that can be had, before the copy leaves.
    pub(crate) fn seal_predecessor(&self, successor: &Record) -> Result<()> {
        let Some(id) = &successor.export.supersedes else { return Ok(()) };
        let Some(mut before) = self.store.get(id)? else { return Ok(()) };
        let on = before.journal.sending == Sending::On;
        let unresolved = self.stage_now(&before) == Stage::Unresolved;
        if on && unresolved && before.knowledge.job().is_none() {
            let changed = self.change(id, |record, moment| {
                plan::ask_for_copy(record, moment.now);
                Ok(())
            })?;
            if let Some(record) = changed {
                self.publish(&record)?;
                before = record;
            }
        }
        self.release_after(&before)
    }

    pub(crate) fn stage_now(&self, record: &Record) -> Stage {
        let Record { knowledge, journal, delivery, facts, .. } = record;
        stage(knowledge, journal, delivery, facts.as_ref(), self.clock.now())
    }
}

/// Whether a submit of it was made, or is being made.
fn has_left(record: &Record) -> bool {
    record.knowledge.any_crossed() || record.journal.change_under_way().is_some()
}
