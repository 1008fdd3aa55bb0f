//! Who goes after whom: an export that mends or repeats another waits for that one's seal.
//!
//! What its predecessor became may be learnt from an attempt, a wish, a time that passed or a start;
//! each of them ends here, so that no successor waits for news that has been.

use super::{Desk, Result};
use crate::{journal::Turn, plan, record::Record};

impl Desk {
    /// Gives the successors of an export their turn, once it has become clear.
    pub(crate) fn release_after(&self, before: &Record) -> Result<()> {
        if !plan::ends_a_wait(before) {
            return Ok(());
        }
        for successor in self.store.successors(&before.export.id)? {
            if let Some(turn) = plan::turn_given(before, &successor, self.moment()) {
                self.give_turn(&successor, successor.journal.turn, turn)?;
            }
        }
        Ok(())
    }

    /// The job of an export was found: what was to take its place and has not left waits until the
    /// person asks for it again.
    pub(crate) fn stop_copies_of(&self, before: &Record) -> Result<()> {
        for successor in self.store.successors(&before.export.id)? {
            if plan::is_stopped_by_the_job(&successor) {
                self.give_turn(&successor, successor.journal.turn, Turn::Person)?;
            }
        }
        Ok(())
    }

    fn give_turn(&self, successor: &Record, from: Turn, to: Turn) -> Result<()> {
        let given = self.change(&successor.export.id, |record, _| {
            plan::give_turn(record, from, to);
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
        if plan::gives_way(&before, self.clock.now()) {
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
}
