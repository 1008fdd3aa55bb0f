//! What a describe that was made for one export learnt serves the others of the same service: none
//! is asked for where an answer is younger than an hour.

use super::{Action, Moment, advance::learn, next_action};
use crate::{capabilities::ServiceFacts, journal::between, record::Record};

/// Whether what is known of the service spares this export a describe of its own.
pub fn spares_a_describe(record: &Record, facts: &ServiceFacts, moment: Moment<'_>) -> bool {
    let is_young = facts.described_at <= moment.now
        && between(facts.described_at, moment.now) < moment.policy.describe_fresh;
    let is_newer =
        record.facts.as_ref().is_none_or(|known| known.described_at < facts.described_at);
    is_young && is_newer && {
        let mut after = record.clone();
        learn_from_another(&mut after, facts);
        next_action(&after, moment) != Action::Describe
    }
}

/// Takes over what a describe of another export learnt, as after one of its own.
pub fn learn_from_another(record: &mut Record, facts: &ServiceFacts) {
    learn(record, facts.clone());
    let schedule = &mut record.journal.schedule;
    schedule.retries = 0;
    schedule.next_at = None;
    schedule.not_before = None;
}
