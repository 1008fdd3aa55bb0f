//! A store that was restored or copied (lifecycle.md, guard 5): what it does not know may have been
//! sent. Nothing is sent from it until a look was answered, or the person says so.

use jiff::Timestamp;

use super::{Moment, Planner};
use crate::{
    attempt::{CallReason, Phase},
    journal::Hold,
    knowledge::{BusinessOutcome, Evidence, RESTORED_SUBMIT, SubmitEnd},
    record::Record,
    stage::{business_outcome, stage},
};

/// Holds what is not settled; where no job is known, one more submit counts as lost.
pub fn hold_restored(record: &mut Record, now: Timestamp) {
    let Record { knowledge, journal, delivery, facts, .. } = &*record;
    let is_over = stage(knowledge, journal, delivery, facts.as_ref(), now).is_settled();
    // Of one that succeeded nothing is sent any more: only its file is fetched.
    let outcome = business_outcome(knowledge, journal, facts.as_ref());
    if is_over || outcome == BusinessOutcome::Succeeded {
        return;
    }
    record.journal.holds.insert(Hold::RestoredStore);
    if record.knowledge.job().is_none() {
        let end = SubmitEnd::Lost { phase: Phase::Send, reason: CallReason::Restored };
        record.knowledge.add(Evidence::Submit { attempt_no: RESTORED_SUBMIT, end });
        record.journal.schedule.next_at = None;
    }
}

/// The person lets it be sent again. Where the service has no look, that word stands for one; and it
/// gives a time to a key whose own a copied store has lost.
pub(super) fn let_go_knowingly(record: &mut Record, moment: Moment<'_>) {
    let Some(facts) = &record.facts else { return };
    let minted = facts.service_time(record.journal.created_at);
    let service_now = facts.service_time(facts.described_at);
    if (Planner { record, moment }).look_by().is_none() {
        record.journal.holds.remove(&Hold::RestoredStore);
    }
    record.journal.first_sent.get_or_insert(minted.min(service_now));
}
