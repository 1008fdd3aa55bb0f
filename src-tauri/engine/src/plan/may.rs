//! What may be done now, and when: the conditions that every branch of the plan shares.

use std::time::Duration;

use docket_wire::Capabilities;
use jiff::Timestamp;

use super::{Action, LookBy, Planner, WaitWhy};
use crate::{
    attempt::{AttemptKind, DeferUntil},
    capabilities::{ServiceFacts, Suspicion},
    export::BusinessId,
    journal::{Hold, LastAnswer, Sending, UnresolvedReason, Window, later},
    knowledge::SubmitEnd,
    mutants::{self, Mutant},
    record::Record,
};

impl Planner<'_> {
    pub(super) fn facts(&self) -> Option<&ServiceFacts> {
        self.record.facts.as_ref()
    }

    pub(super) fn can(&self, what: impl Fn(&Capabilities) -> bool) -> bool {
        self.facts().is_some_and(|facts| what(&facts.capabilities))
    }

    /// The end of the time in which the key may be submitted. Where no clock of the service was
    /// known when it was minted, this computer's serves.
    pub(super) fn submit_until(&self) -> Timestamp {
        match self.record.journal.first_sent {
            Some(at) => self.moment.policy.submit_until(at, self.facts()),
            None => self.moment.policy.submit_until(self.record.journal.created_at, None),
        }
    }

    pub(super) fn remembered_until(&self) -> Option<Timestamp> {
        let at = self.record.journal.first_sent?;
        Some(self.moment.policy.remembered_until(at, self.facts()))
    }

    /// When the last slow look may come: a key that has no time is as old as its export.
    fn looked_for_until(&self) -> Timestamp {
        let (policy, created_at) = (self.moment.policy, self.record.journal.created_at);
        self.remembered_until().unwrap_or_else(|| policy.remembered_until(created_at, None))
    }

    pub(super) fn takes_keys(&self) -> bool {
        self.can(|can| can.idempotent_submit)
    }

    /// The service said that it remembers keys of that age.
    pub(super) fn is_remembered(&self) -> bool {
        match (self.record.journal.first_sent, self.facts()) {
            (Some(at), Some(facts)) => at >= facts.remembers_since,
            (None, _) | (_, None) => false,
        }
    }

    /// The service said that it may have forgotten keys of that age: it would refuse this one.
    pub(super) fn is_forgotten(&self) -> bool {
        let minted = self.record.journal.first_sent.is_some();
        minted && self.facts().is_some() && !self.is_remembered()
    }

    /// Whether the same key may be submitted once more after a loss.
    pub(super) fn may_submit(&self) -> bool {
        let Record { knowledge, journal, .. } = self.record;
        let trusted = self.facts().is_some_and(|facts| match facts.suspected {
            Suspicion::None => true,
            Suspicion::KeyBreach => journal.wishes.resend,
        });
        self.takes_keys()
            && trusted
            && self.is_remembered()
            && (self.moment.now < self.submit_until() || mutants::is(Mutant::SubmitAfterRetention))
            && journal.wishes.cancel.is_none()
            && journal.sending == Sending::On
            && !journal.holds.contains(&Hold::RestoredStore)
            && !knowledge.key_expired
            && knowledge.refusal().is_none()
    }

    /// Whether the key may be abandoned: it can not have been forgotten.
    pub(super) fn may_abandon(&self) -> bool {
        self.can(|can| can.abandon)
            && (self.is_young_enough_to_abandon() || mutants::is(Mutant::AbandonAtAnyAge))
            && !self.record.knowledge.key_expired
            && !self.record.journal.holds.contains(&Hold::RestoredStore)
    }

    fn is_young_enough_to_abandon(&self) -> bool {
        self.is_remembered() && self.remembered_until().is_some_and(|end| self.moment.now < end)
    }

    /// The best thing to ask by. An id that somebody gave may be wrong, so all that there is to ask
    /// by has its turn until a job is known.
    pub(super) fn look_by(&self) -> Option<LookBy> {
        let knowledge = &self.record.knowledge;
        if let Some(job) = knowledge.job() {
            return Some(LookBy::Job(BusinessId::from_text(&*job.business_id)));
        }
        let named = knowledge.named().map(|id| LookBy::Job(BusinessId::from_text(id)));
        let ways: Vec<LookBy> = named.chain(self.look_without_an_id()).collect();
        let turn = self.window().tries as usize;
        ways.get(turn.checked_rem(ways.len())?).cloned()
    }

    /// Traits may fit another's job. Where the same key may be sent again, that is the surer question.
    fn look_without_an_id(&self) -> Option<LookBy> {
        let facts = self.facts()?;
        if facts.capabilities.lookup_by_key && self.record.journal.first_sent.is_some() {
            Some(LookBy::Key)
        } else if facts.capabilities.lookup_by_traits && !self.may_submit() {
            Some(LookBy::Traits)
        } else {
            None
        }
    }

    /// A look that began later than the service's visibility lag after the last submit that
    /// crossed found nothing.
    pub(super) fn not_seen_after_the_lag(&self) -> bool {
        let journal = &self.record.journal;
        let lag = self.facts().map_or(0, |facts| facts.capabilities.visibility_lag_s);
        match (journal.not_seen_at, journal.last_crossed_end) {
            (Some(seen), Some(sent)) => seen >= later(sent, Duration::from_secs(lag.into())),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    pub(super) fn window(&self) -> Window {
        self.record.journal.schedule.window.clone().unwrap_or_default()
    }

    pub(super) fn window_is_spent(&self) -> bool {
        let length = self.moment.policy.window_length(self.facts());
        Duration::from_millis(self.window().spent_ms) >= length
    }

    /// The reason that the window would end with now: that of its last answer.
    pub(super) fn reason(&self) -> UnresolvedReason {
        let several = self.record.journal.schedule.candidates.len() > 1;
        match self.window().last_answer {
            Some(LastAnswer::NotSeen) if several => UnresolvedReason::AmbiguousMatches,
            Some(last) => last.reason(),
            None => self.reason_of_the_last_submit(),
        }
    }

    /// Where no window was opened, the last submit's answer is the last one.
    fn reason_of_the_last_submit(&self) -> UnresolvedReason {
        let last = match self.record.knowledge.last_submit() {
            Some(SubmitEnd::Deferred { until: DeferUntil::SignIn }) => LastAnswer::SignIn,
            Some(SubmitEnd::Deferred { until: DeferUntil::Time(_) }) => LastAnswer::Deferred,
            Some(
                SubmitEnd::NotSent { .. }
                | SubmitEnd::Refused { .. }
                | SubmitEnd::Lost { .. }
                | SubmitEnd::Answered,
            )
            | None => LastAnswer::Nothing,
        };
        last.reason()
    }

    pub(super) fn look_gap(&self, tries: u32) -> Duration {
        self.moment.policy.look_gap(tries, self.moment.chance)
    }

    pub(super) fn retry_gap(&self) -> Duration {
        match self.record.journal.schedule.retries {
            0 => Duration::ZERO,
            retries => self.moment.policy.retry_gap(retries, self.moment.chance),
        }
    }

    pub(super) fn look_in_time(&self) -> Action {
        self.at(self.look_gap(self.window().tries), AttemptKind::Lookup)
    }

    /// The same key again: at once, save that a try that did nothing is not repeated in haste.
    pub(super) fn submit_again(&self) -> Action {
        let gap = match self.look_by() {
            Some(_) => self.retry_gap(),
            None => self.look_gap(self.window().tries),
        };
        self.at(gap, AttemptKind::Submit)
    }

    pub(super) fn look(&self) -> Action {
        self.act(AttemptKind::Lookup)
    }

    /// The planned time if there is one, else the gap from now on; never before the time that the
    /// service asked for. A clock that was set back puts nothing off by more than was planned: what
    /// the service asked for lies within that, or was asked for by another clock.
    pub(super) fn at(&self, gap: Duration, kind: AttemptKind) -> Action {
        let (schedule, now) = (&self.record.journal.schedule, self.moment.now);
        let at = match schedule.next_at {
            Some(at) => {
                let latest = later(now, Duration::from_millis(schedule.planned_gap_ms));
                let asked = schedule.not_before.filter(|not_before| *not_before <= latest);
                asked.map_or(at, |not_before| at.max(not_before)).min(latest)
            }
            None => schedule.not_before.into_iter().fold(later(now, gap), Timestamp::max),
        };
        self.when(at, kind)
    }

    /// When an unresolved export is looked at again; None where the service may have forgotten its key
    /// by then. The last look comes while something can still follow from it. A clock that was set
    /// back puts none off by more than the slow gap.
    pub(super) fn slow_look_at(&self) -> Option<Timestamp> {
        let (schedule, gap) = (&self.record.journal.schedule, self.moment.policy.slow_gap);
        let last = schedule.closed_at.unwrap_or(self.moment.now);
        let at = schedule.next_at.unwrap_or_else(|| later(last, gap));
        let at = if at < self.looked_for_until() {
            at
        } else {
            Some(self.submit_until()).filter(|last_chance| last < *last_chance)?
        };
        Some(at.min(later(self.moment.now, gap)))
    }

    pub(super) fn when(&self, at: Timestamp, kind: AttemptKind) -> Action {
        if self.moment.now < at { Action::WaitUntil(at, kind) } else { self.act(kind) }
    }

    pub(super) fn act(&self, kind: AttemptKind) -> Action {
        let known = || self.record.knowledge.business_id();
        match kind {
            AttemptKind::Describe => Action::Describe,
            AttemptKind::Submit => Action::Submit,
            AttemptKind::Lookup => match self.look_by() {
                Some(by) => Action::Lookup(by),
                None => Action::WaitForPerson(WaitWhy::Unresolved),
            },
            AttemptKind::Poll => match known() {
                Some(id) => Action::Poll(id),
                None => Action::WaitForPerson(WaitWhy::Unresolved),
            },
            AttemptKind::Abandon => Action::Abandon,
            AttemptKind::Cancel => match known() {
                Some(id) => Action::Cancel(id),
                None => Action::WaitForPerson(WaitWhy::Unresolved),
            },
            AttemptKind::Download => Action::Download,
        }
    }
}
