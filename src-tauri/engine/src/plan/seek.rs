//! No job is known: send, find out what became of what was sent, end the window, and after it.

use std::time::Duration;

use super::{Action, Planner, WaitWhy};
use crate::{
    attempt::AttemptKind,
    journal::{Hold, Sending, Turn, UnresolvedReason},
    knowledge::BusinessOutcome,
    record::Record,
    stage::{business_outcome, may_exist},
};

impl Planner<'_> {
    /// No job is known and nothing is settled: send, or find out what became of what was sent.
    pub(super) fn seek(&self) -> Action {
        if let Some(waiting) = self.held_from_calls() {
            return waiting;
        }
        let sought = self.record.knowledge.business_id().is_some();
        if may_exist(&self.record.knowledge, self.facts()) || sought {
            self.confirm()
        } else {
            self.send()
        }
    }

    /// A hold under which no call can be made. The key grows old all the same.
    pub(super) fn held_from_calls(&self) -> Option<Action> {
        let restored = self.record.journal.holds.contains(&Hold::RestoredStore);
        let only_the_person = restored && self.facts().is_some() && self.look_by().is_none();
        let hold = self
            .hold_of_the_account()
            .or_else(|| only_the_person.then_some(Hold::RestoredStore))?;
        let end = self.submit_until();
        if self.moment.now < end {
            return Some(Action::WaitUntil(end, AttemptKind::Lookup));
        }
        Some(if may_exist(&self.record.knowledge, self.facts()) {
            Action::Close(match hold {
                Hold::SignIn => UnresolvedReason::SignInRefused,
                Hold::OtherAccount
                | Hold::RestoredStore
                | Hold::AccessWithdrawn
                | Hold::Paused
                | Hold::CannotWrite
                | Hold::NoSpace
                | Hold::CheckFailed
                | Hold::DownloadInterrupted
                | Hold::NoProgress => self.reason(),
            })
        } else if self.put_off() {
            Action::Close(UnresolvedReason::SignInRefused)
        } else {
            Action::NeverSend
        })
    }

    /// The hold that lets no call of this account be made, whatever else holds the export too.
    pub(super) fn hold_of_the_account(&self) -> Option<Hold> {
        let holds = &self.record.journal.holds;
        [Hold::OtherAccount, Hold::SignIn].into_iter().find(|hold| holds.contains(hold))
    }

    /// Nothing that was sent can have made a job: send, or learn first what the service can do.
    pub(super) fn send(&self) -> Action {
        let Record { knowledge, journal, .. } = self.record;
        if knowledge.key_expired {
            return Action::Close(UnresolvedReason::KeyExpired);
        }
        if journal.wishes.cancel.is_some() {
            return self.tombstone(AbandonFor::Seal);
        }
        let end = self.submit_until();
        if self.moment.now >= end || self.is_forgotten() {
            return if self.put_off() {
                self.tombstone(AbandonFor::End)
            } else {
                Action::NeverSend
            };
        }
        match journal.turn {
            Turn::Free => {}
            Turn::AfterSeal | Turn::Person => return Action::WaitUntil(end, AttemptKind::Submit),
        }
        let kind = if self.must_describe() { AttemptKind::Describe } else { AttemptKind::Submit };
        self.at(self.retry_gap(), kind)
    }

    /// A describe is due before the first submit, unless one was made within the hour.
    pub(super) fn must_describe(&self) -> bool {
        let submitted = !self.record.knowledge.submits.is_empty();
        match self.facts() {
            None => true,
            Some(facts) => {
                let fresh = self.moment.policy.are_fresh(facts, self.moment.now);
                let stale = !submitted && !fresh;
                stale || self.record.journal.first_sent.is_none()
            }
        }
    }

    /// Some submit was put off by the service itself: it crossed the boundary.
    pub(super) fn put_off(&self) -> bool {
        self.record.knowledge.any_crossed()
    }

    /// A submit may have made a job that nobody has seen. Ask before sending.
    pub(super) fn confirm(&self) -> Action {
        let Record { knowledge, journal, .. } = self.record;
        let restored = journal.holds.contains(&Hold::RestoredStore);
        if journal.wishes.check && self.look_by().is_some() {
            return self.look();
        }
        if journal.wishes.resend && self.may_submit() {
            return Action::Submit;
        }
        if knowledge.key_expired {
            return Action::Close(UnresolvedReason::KeyExpired);
        }
        if self.facts().is_none() {
            return self.describe_to_the_end();
        }
        if restored {
            return self.look_to_the_end();
        }
        let given_up = journal.wishes.cancel.is_some() || journal.sending == Sending::Copied;
        if given_up || knowledge.refusal().is_some() {
            return self.tombstone(AbandonFor::Seal);
        }
        if self.look_by().is_none() && !self.may_submit() {
            return if self.may_abandon_unasked() {
                self.tombstone(AbandonFor::End)
            } else {
                Action::Close(UnresolvedReason::LookupUnsupported)
            };
        }
        if self.window_is_spent() {
            return self.end_window();
        }
        let asked = self.look_by().is_none() || self.not_seen_after_the_lag();
        if asked && self.may_submit() {
            return self.submit_again();
        }
        self.look_in_time()
    }

    /// Only looks are left; at the end of the window it is unresolved.
    pub(super) fn look_to_the_end(&self) -> Action {
        if self.look_by().is_none() {
            return Action::Close(UnresolvedReason::LookupUnsupported);
        }
        if self.window_is_spent() { Action::Close(self.reason()) } else { self.look_in_time() }
    }

    /// The window is spent: one more submit, then an abandon, whichever may be made.
    pub(super) fn end_window(&self) -> Action {
        if self.may_submit() && !self.window().final_submit_made {
            return self.submit_again();
        }
        if self.may_abandon_unasked() {
            self.tombstone(AbandonFor::End)
        } else {
            Action::Close(self.reason())
        }
    }

    /// An abandon that nobody asked for kills what is wanted, where the request never got through:
    /// it goes when the last submit did, or where none can be made any more.
    fn may_abandon_unasked(&self) -> bool {
        let wanted = self.takes_keys() && self.moment.now < self.submit_until();
        (self.window().final_submit_crossed || !wanted) && self.may_abandon()
    }

    /// The window ended without proof. Late truth still wins, while the service remembers the key.
    pub(super) fn after_close(&self) -> Action {
        if self.held_from_calls().is_some() {
            return Action::WaitForPerson(WaitWhy::Unresolved);
        }
        let Some(at) = self.slow_look_at() else {
            return Action::WaitForPerson(WaitWhy::Unresolved);
        };
        let unasked = self.facts().is_none() && self.record.journal.first_sent.is_some();
        let kind = match self.look_by() {
            Some(_) => AttemptKind::Lookup,
            // What the service can do was never learnt, so there is nothing to look by yet.
            None if unasked => AttemptKind::Describe,
            None if self.may_submit() && self.record.journal.wishes.cancel.is_none() => {
                AttemptKind::Submit
            }
            None => return Action::WaitForPerson(WaitWhy::Unresolved),
        };
        if self.moment.now < at { Action::WaitUntil(at, kind) } else { self.act(kind) }
    }

    /// A refusal that nothing else contradicts still wants its seal, where the service has one.
    pub(super) fn seal_refusal(&self) -> Action {
        let held = self.record.journal.holds.iter().any(|hold| !hold.is_of_the_fetch());
        if self.seal_is_possible() && !held {
            self.tombstone(AbandonFor::Seal)
        } else {
            Action::Done
        }
    }

    /// Whether it was refused, and that is still to be sealed.
    pub(super) fn owes_a_seal(&self) -> bool {
        let Record { knowledge, journal, .. } = self.record;
        let outcome = business_outcome(knowledge, journal, self.facts());
        outcome == BusinessOutcome::Rejected && self.seal_is_possible()
    }

    /// A seal is owed and can still be had, be it after a hold.
    pub(super) fn seal_is_possible(&self) -> bool {
        let Record { knowledge, journal, .. } = self.record;
        let foreign = knowledge
            .refusal()
            .is_some_and(|problem| problem.problem_type == docket_wire::ProblemType::KeyConflict);
        let tries = journal.schedule.change_tries;
        !foreign
            && !knowledge.tombstone
            && !knowledge.is_absent_by_hand()
            && tries < self.moment.policy.abandon_tries_max
            && self.may_abandon()
    }

    /// Abandons in time. Where it may not, only looks are left; where its tries had no answer, the
    /// window is over.
    pub(super) fn tombstone(&self, what_for: AbandonFor) -> Action {
        if !self.may_abandon() {
            return match what_for {
                AbandonFor::Seal => self.look_to_the_end(),
                AbandonFor::End => Action::Close(self.reason()),
            };
        }
        let tries = self.record.journal.schedule.change_tries;
        if tries >= self.moment.policy.abandon_tries_max {
            return Action::Close(self.reason());
        }
        let gap = if tries == 0 { Duration::ZERO } else { self.look_gap(tries - 1) };
        self.at(gap, AttemptKind::Abandon)
    }

    /// What the service can do is not known yet, and something may exist there: learn it first.
    pub(super) fn describe_to_the_end(&self) -> Action {
        if self.window_is_spent() {
            return Action::Close(self.reason());
        }
        self.at(self.look_gap(self.window().tries), AttemptKind::Describe)
    }
}

/// What an abandon is made for: decides what follows where it may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AbandonFor {
    /// To seal a refusal, a wish to cancel, or one that a copy takes the place of.
    Seal,
    /// Because the window is spent.
    End,
}
