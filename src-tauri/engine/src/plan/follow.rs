//! A job is known and has not ended: follow it, cancel it, notice that it stands still or is gone.

use std::time::Duration;

use super::{Action, Planner, WaitWhy};
use crate::{
    attempt::AttemptKind,
    export::BusinessId,
    journal::{CancelTurn, Hold, LastAnswer, UnresolvedReason, between},
    knowledge::{BusinessOutcome, outcome_of},
    record::Record,
};

impl Planner<'_> {
    /// A job is known and not settled: follow it.
    pub(super) fn follow(&self) -> Action {
        let Record { knowledge, journal, .. } = self.record;
        let Some(job) = knowledge.job() else { return Action::WaitForPerson(WaitWhy::Breach) };
        let id = BusinessId::from_text(job.business_id.clone());
        if let Some(hold) = self.hold_of_the_account() {
            return Action::WaitForPerson(WaitWhy::Hold(hold));
        }
        if journal.wishes.check {
            return Action::Poll(id);
        }
        if journal.schedule.closed.is_some() {
            let Some(at) = self.slow_look_at() else {
                return Action::WaitForPerson(WaitWhy::Unresolved);
            };
            return self.when(at, AttemptKind::Poll);
        }
        if self.cancel_is_due() {
            return self.at(Duration::ZERO, AttemptKind::Cancel);
        }
        if outcome_of(&job.status) == BusinessOutcome::Unknown {
            return Action::Close(UnresolvedReason::AnswerUnreadable);
        }
        if let Some(reason) = self.gone_for_a_window() {
            return Action::Close(reason);
        }
        self.poll_in_time()
    }

    /// A wish to cancel stands until the service's final word, however many of its calls were lost or
    /// not sent. Each of those is followed by polls, and an answer that the job goes on lets the next
    /// one go: so it is asked for no faster than it is polled, and what ends the polls ends it too.
    fn cancel_is_due(&self) -> bool {
        let Record { knowledge, journal, .. } = self.record;
        journal.wishes.cancel.is_some()
            && !knowledge.cancel_accepted
            && journal.schedule.cancel_turn == CancelTurn::Due
            && !journal.holds.contains(&Hold::RestoredStore)
            && self.can(|can| can.cancel)
    }

    pub(super) fn poll_in_time(&self) -> Action {
        if self.is_quiet_to_the_end() {
            return Action::Close(UnresolvedReason::NoProgress);
        }
        self.poll_as_quiet()
    }

    /// For how long the service has told nothing new. A poll that is due is made before anything is
    /// concluded: after a sleep nobody has looked for longer than the service was silent.
    fn quiet(&self) -> Duration {
        let (schedule, now) = (&self.record.journal.schedule, self.moment.now);
        match schedule.next_at {
            Some(planned) if planned <= now => Duration::ZERO,
            Some(_) | None => between(schedule.news_at.unwrap_or(now), now),
        }
    }

    pub(super) fn is_quiet_to_the_end(&self) -> bool {
        self.quiet() >= self.moment.policy.no_progress_end
    }

    /// A poll in time; after the alarm time without news, a slow one.
    pub(super) fn poll_as_quiet(&self) -> Action {
        let (journal, policy, quiet) = (&self.record.journal, self.moment.policy, self.quiet());
        let gap = if quiet < policy.no_progress_after {
            Duration::from_millis(journal.schedule.poll_gap_ms)
        } else if journal.holds.contains(&Hold::NoProgress) {
            policy.slow_gap
        } else {
            return Action::RaiseNoProgress;
        };
        self.at(gap, AttemptKind::Poll)
    }

    /// For a whole window the service said that it has no such job, or that this account may not
    /// ask about it: the reason, if so.
    pub(super) fn gone_for_a_window(&self) -> Option<UnresolvedReason> {
        let window = self.record.journal.schedule.window.as_ref()?;
        self.window_is_spent().then_some(match window.last_answer {
            Some(LastAnswer::Forbidden) => UnresolvedReason::AccessWithdrawn,
            Some(_) | None => UnresolvedReason::JobVanished,
        })
    }
}
