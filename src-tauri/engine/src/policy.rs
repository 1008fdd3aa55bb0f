//! The numbers, the back-off and the windows. Pure.
//!
//! Every loop of Docket ends by one of these bounds. All of them are settings, and tests shorten
//! them; nothing else in the engine names a duration of its own.

use std::time::Duration;

use jiff::Timestamp;

use crate::{
    capabilities::ServiceFacts,
    journal::{between, later},
};

/// How long a submit may be past the boundary before it shows as `confirming`.
pub const SOFT_TIMEOUT: Duration = Duration::from_secs(5);

/// See the head of this file.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Opening a connection.
    pub connect_timeout: Duration,
    /// A submit, an abandon or a cancel in all.
    pub change_timeout: Duration,
    /// A look or a poll in all, beside the time it asked the service to wait.
    pub look_timeout: Duration,
    /// Between two pieces of a file.
    pub file_idle_timeout: Duration,
    /// First gap between looks; doubles.
    pub look_gap_first: Duration,
    /// Longest gap between looks.
    pub look_gap_max: Duration,
    /// How much time a window has to spend.
    pub window: Duration,
    /// How long a key is remembered, while the service has not said.
    pub retention_unknown: Duration,
    /// First gap after a try that was not sent; doubles.
    pub retry_gap_first: Duration,
    /// Longest gap between tries to send.
    pub retry_gap_max: Duration,
    /// First gap between polls.
    pub poll_gap_first: Duration,
    /// Longest gap between polls.
    pub poll_gap_max: Duration,
    /// Longest time a poll asks the service to wait.
    pub poll_wait_max: Duration,
    /// Without news for so long, the hold `no_progress`.
    pub no_progress_after: Duration,
    /// Gap between polls from then on, and between slow looks.
    pub slow_gap: Duration,
    /// Without news for so long, `unresolved(no_progress)`.
    pub no_progress_end: Duration,
    /// Abandons without an answer before giving up.
    pub abandon_tries_max: u32,
    /// Download tries in a row without progress.
    pub download_tries_max: u32,
    /// Wrong digests before the person is asked.
    pub wrong_digests_max: u32,
    /// Gap between looks at a full disk.
    pub space_gap: Duration,
    /// How long a describe's answer serves.
    pub describe_fresh: Duration,
    /// How many exports are driven at once; beyond it each service keeps a few lanes of its own.
    pub drives_max: usize,
    /// How many calls one service gets at once, beside fetches and polls that it may hold.
    pub calls_max: usize,
    /// How many polls one service may hold until a job changes.
    pub held_polls_max: usize,
    /// How many files of one service are fetched at once.
    pub downloads_max: usize,
    /// Space on the disk that a download leaves free, in bytes.
    pub space_reserve: u64,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            change_timeout: Duration::from_secs(60),
            look_timeout: Duration::from_secs(30),
            file_idle_timeout: Duration::from_secs(30),
            look_gap_first: Duration::from_secs(1),
            look_gap_max: Duration::from_secs(60),
            window: Duration::from_secs(15 * 60),
            retention_unknown: Duration::from_secs(24 * 3600),
            retry_gap_first: Duration::from_secs(1),
            retry_gap_max: Duration::from_secs(5 * 60),
            poll_gap_first: Duration::from_secs(2),
            poll_gap_max: Duration::from_secs(60),
            poll_wait_max: Duration::from_secs(20),
            no_progress_after: Duration::from_secs(30 * 60),
            slow_gap: Duration::from_secs(30 * 60),
            no_progress_end: Duration::from_secs(7 * 24 * 3600),
            abandon_tries_max: 5,
            download_tries_max: 5,
            wrong_digests_max: 2,
            space_gap: Duration::from_secs(30),
            describe_fresh: Duration::from_secs(3600),
            drives_max: 64,
            calls_max: 32,
            held_polls_max: 8,
            downloads_max: 3,
            space_reserve: 64 << 20,
        }
    }
}

impl Policy {
    /// Whether these were learnt a short while ago; never by a clock that was set back since, which
    /// says nothing of the service's.
    pub fn are_fresh(&self, facts: &ServiceFacts, now: Timestamp) -> bool {
        facts.described_at <= now && between(facts.described_at, now) < self.describe_fresh
    }

    /// The gap before the next look after `tries` tries: doubling, the upper half drawn by chance,
    /// so that many exports do not ask in step and none asks at once.
    pub fn look_gap(&self, tries: u32, chance: f64) -> Duration {
        let full = doubled(self.look_gap_first, self.look_gap_max, tries);
        full.mul_f64(0.5 + 0.5 * chance.clamp(0.0, 1.0))
    }

    /// The gap before the next try to send after `retries` that did nothing: full jitter.
    pub fn retry_gap(&self, retries: u32, chance: f64) -> Duration {
        doubled(self.retry_gap_first, self.retry_gap_max, retries.saturating_sub(1))
            .mul_f64(chance.clamp(0.0, 1.0))
    }

    /// The gap before the next poll after `quiet` polls without news.
    pub fn poll_gap(&self, quiet: u32, facts: Option<&ServiceFacts>) -> Duration {
        let likes = facts.map_or(0, |facts| facts.capabilities.poll_interval_s);
        let first = self.poll_gap_first.max(Duration::from_secs(likes.into()));
        doubled(first, self.poll_gap_max.max(first), quiet / 2)
    }

    /// How long the service remembers a key; a guess until it said so.
    pub fn retention(&self, facts: Option<&ServiceFacts>) -> Duration {
        facts.map_or(self.retention_unknown, |facts| {
            Duration::from_secs(facts.capabilities.key_retention_s.into())
        })
    }

    /// How much time a window has to spend: so much less than the key has that its last submit can
    /// still be made.
    pub fn window_length(&self, facts: Option<&ServiceFacts>) -> Duration {
        let retention = self.retention(facts);
        self.window.min(retention - retention / 5)
    }

    /// The last moment, by this computer's clock, at which a key first sent at `first_sent` (the
    /// service's clock) may still be submitted: its retention less a tenth.
    pub fn submit_until(&self, first_sent: Timestamp, facts: Option<&ServiceFacts>) -> Timestamp {
        local_time(later(first_sent, less_a_tenth(self.retention(facts))), facts)
    }

    /// The last moment, by this computer's clock, at which the key may still be abandoned or be
    /// worth a slow look: its whole retention.
    pub fn remembered_until(
        &self,
        first_sent: Timestamp,
        facts: Option<&ServiceFacts>,
    ) -> Timestamp {
        local_time(later(first_sent, self.retention(facts)), facts)
    }
}

/// This computer's time for a moment of the service's clock.
fn local_time(service: Timestamp, facts: Option<&ServiceFacts>) -> Timestamp {
    let ahead = facts.map_or(0, |facts| facts.clock_ahead_ms);
    service.saturating_sub(jiff::SignedDuration::from_millis(ahead)).unwrap_or(service)
}

fn less_a_tenth(whole: Duration) -> Duration {
    whole - whole / 10
}

fn doubled(first: Duration, max: Duration, times: u32) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(times.min(20))).min(max)
}

/// Whether a submit that crossed the boundary then has been out for longer than the soft time-out.
pub fn past_soft_timeout(crossed_at: Timestamp, now: Timestamp) -> bool {
    between(crossed_at, now) >= SOFT_TIMEOUT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_double_and_end() {
        let policy = Policy::default();
        let gaps: Vec<u64> = (0..9).map(|n| policy.look_gap(n, 1.0).as_secs()).collect();
        assert_eq!(gaps, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
        assert_eq!(policy.look_gap(3, 0.0), Duration::from_secs(4));
        assert_eq!(policy.retry_gap(1, 1.0), Duration::from_secs(1));
        assert_eq!(policy.retry_gap(40, 1.0), Duration::from_secs(300));
        assert_eq!(policy.retry_gap(5, 0.0), Duration::ZERO);
    }

    #[test]
    fn a_window_is_never_longer_than_the_key() {
        let policy = Policy { window: Duration::from_secs(900), ..Policy::default() };
        assert_eq!(policy.window_length(None), Duration::from_secs(900));
        let short = Policy { retention_unknown: Duration::from_secs(100), ..policy };
        assert_eq!(short.window_length(None), Duration::from_secs(80));
    }
}
