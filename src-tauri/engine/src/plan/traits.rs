//! The time of our send, for a service that can be asked by traits alone. Pure.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::{journal::later, record::Record};

/// Slack on both sides of the time in which a look by traits seeks: clocks differ by a little.
const TRAITS_SLACK: Duration = Duration::from_secs(5);

/// The time of our send, in the service's clock, with the lag after which a job may show: created
/// after the first, before the second. When a copied store's other self sent is not known: any time
/// since the click.
pub fn traits_window(record: &Record, now: Timestamp) -> (Timestamp, Timestamp) {
    let Record { knowledge, journal, facts, .. } = record;
    let at = |local: Timestamp| facts.as_ref().map_or(local, |facts| facts.service_time(local));
    let lag = facts.as_ref().map_or(0, |facts| facts.capabilities.visibility_lag_s);
    let copied = knowledge.was_copied();
    let first = journal.first_crossed_at.filter(|_| !copied).unwrap_or(journal.created_at);
    let last = journal.last_crossed_end.filter(|_| !copied).unwrap_or(now);
    let slack = SignedDuration::try_from(TRAITS_SLACK).unwrap_or_default();
    let after = at(first).saturating_sub(slack).unwrap_or(first);
    (after, later(at(last), TRAITS_SLACK + Duration::from_secs(lag.into())))
}
