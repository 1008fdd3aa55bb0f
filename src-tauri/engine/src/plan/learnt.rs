//! What is learnt of a service: what it can do, by a describe that was made for one export and serves
//! the others too, and how its clock stands to this computer's. Pure.

use jiff::{SignedDuration, Timestamp};

use super::{Action, Moment, advance::Ended, next_action};
use crate::{attempt::AttemptResult, capabilities::ServiceFacts, record::Record};

/// A clock that differs by less than this from what is known of it is the same: answers tell whole
/// seconds, and take their time.
const SAME_CLOCK: SignedDuration = SignedDuration::from_secs(2);

/// Takes over what a describe learnt. A key that was minted before any clock of the service was
/// known gets its time now, never later than that clock's own now; also not where this computer's
/// clock was changed since, as long as nothing was sent. A copied store makes no old key young: its
/// key has the time that it had, or none.
pub fn learn(record: &mut Record, mut facts: ServiceFacts) {
    if let Some(known) = &record.facts {
        facts.keep_suspicion_of(known);
    }
    let minted = facts.service_time(record.journal.created_at);
    let service_now = facts.service_time(facts.described_at);
    if !record.knowledge.any_crossed() {
        let first_sent = record.journal.first_sent.unwrap_or(minted);
        record.journal.first_sent = Some(first_sent.min(service_now));
    }
    record.facts = Some(facts);
}

/// Whether what is known of the service spares this export a describe of its own.
pub fn spares_a_describe(record: &Record, facts: &ServiceFacts, moment: Moment<'_>) -> bool {
    let is_young = moment.policy.are_fresh(facts, moment.now);
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

/// Whoever says that nothing is there says when: so it shows that this computer's clock was set since
/// the describe. What is known of the service's clock is left alone as long as it fits.
pub(super) fn learn_the_clock(record: &mut Record, end: Ended<'_>) {
    let (AttemptResult::NotSeen { as_of } | AttemptResult::Listed { as_of, .. }) = end.result
    else {
        return;
    };
    let Some(facts) = &mut record.facts else { return };
    let ahead_of = |local: Timestamp| as_of.duration_since(local);
    let (least, most) =
        (ahead_of(end.ended_at) - SAME_CLOCK, ahead_of(end.started_at) + SAME_CLOCK);
    let known = SignedDuration::from_millis(facts.clock_ahead_ms);
    if known < least || most < known {
        let ahead = ahead_of(end.ended_at).as_millis();
        facts.clock_ahead_ms = i64::try_from(ahead).unwrap_or(facts.clock_ahead_ms);
    }
}
