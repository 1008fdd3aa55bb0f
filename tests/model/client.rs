//! The client: the engine's own pure functions, composed as the reconciler and the desk compose
//! them, over records that a store would keep.
//!
//! What stands here is only what the shell does around them: which export is due, what a request
//! carries, that an attempt is durable before it leaves, that a program that begins again counts
//! what was under way as lost. Every rule is called, none is repeated.

use std::sync::Arc;

use docket_engine::{
    attempt::{AttemptKind, AttemptResult, CallReason, CallResult, DeferUntil, Phase},
    capabilities::Suspicion,
    journal::{Hold, Turn},
    knowledge::Knowledge,
    mutants,
    plan::{self, Action, Ended, Moment},
    policy::Policy,
    record::{Record, interrupted},
};

use crate::{
    network::{Ask, Letter},
    world::{ANN, Call, Held, Noted, RETENTION, World, second_of},
};

/// Added to the numbers of what a store sent before it was restored.
const BEFORE_THE_RESTORE: u32 = 1000;

/// What a record is handed with: the time, and the fixed chance.
pub fn moment<'a>(policy: &'a Policy, world: &World) -> Moment<'a> {
    Moment { policy, now: world.local(), chance: 1.0 }
}

impl World {
    pub fn record(&self, export: usize) -> &Record {
        &self.exports[export].record
    }

    fn record_mut(&mut self, export: usize) -> &mut Record {
        Arc::make_mut(&mut self.exports[export].record)
    }

    /// Whether the driver would look at this export now.
    pub fn is_due(&self, export: usize) -> bool {
        self.record(export).next_action_at.is_some_and(|due| due <= self.local())
    }

    /// The call that the driver would make now. Only a look may run beside another call, and only
    /// beside a submit.
    pub fn due_call(&self, export: usize, policy: &Policy) -> Option<(Action, AttemptKind)> {
        let action = plan::next_action(self.record(export), moment(policy, self));
        let kind = action.call()?;
        let has_room = match self.exports[export].calls.as_slice() {
            [] => true,
            [one] => one.kind == AttemptKind::Submit && kind == AttemptKind::Lookup,
            [_, _, ..] => false,
        };
        has_room.then_some((action, kind))
    }

    /// A time passed that changes what is planned, and no call is due.
    pub fn plans_anew(&mut self, export: usize, policy: &Policy) {
        let moment = moment(policy, self);
        plan::replan(self.record_mut(export), moment);
        self.tell_successors(export, policy);
    }

    /// The attempt is durable, and then its request leaves; or it does not get that far.
    pub fn begins(&mut self, export: usize, policy: &Policy) -> Option<u32> {
        let (action, kind) = self.due_call(export, policy)?;
        let (now, moment) = (self.local(), moment(policy, self));
        let numbered = self.exports[export].numbered;
        let no = if kind.changes_something() {
            let call = self.record_mut(export).begin_change(kind, numbered, now)?;
            plan::replan(self.record_mut(export), moment);
            call.attempt_no
        } else {
            let last = self.record(export).journal.last_attempt_no;
            self.exports[export].numbered = last.max(numbered) + 1;
            self.exports[export].numbered
        };
        let submits = |call: &Call| call.kind == AttemptKind::Submit;
        if kind == AttemptKind::Submit && self.exports[export].calls.iter().any(submits) {
            self.exports[export].noted.two_at_once = true;
        }
        self.exports[export].calls.push(Call { no, kind, started_at: now });
        match self.letter(export, no, &action) {
            Some(letter) => self.leaves(export, letter, policy),
            None => self.ends(export, no, not_sent(CallReason::RequestInvalid), policy),
        }
        Some(no)
    }

    fn leaves(&mut self, export: usize, letter: Letter, policy: &Policy) {
        let (now, moment) = (self.local(), moment(policy, self));
        let no = letter.no;
        if letter.ask != Ask::Describe && self.signed_in != ANN {
            let Record { journal, .. } = self.record_mut(export);
            journal.holds.insert(Hold::OtherAccount);
            return self.ends(export, no, not_sent(CallReason::NoCredential), policy);
        }
        if letter.ask.changes_something() {
            self.record_mut(export).cross(no, now);
            plan::replan(self.record_mut(export), moment);
        }
        let service_now = self.now;
        let noted = &mut self.exports[export].noted;
        if letter.ask.names_a_key() {
            noted.keys.insert(letter.key.clone());
            noted.first_sents.extend(letter.first_sent);
        }
        if letter.ask == Ask::Submit {
            noted.submits_left += 1;
            noted.unsettled_submits += 1;
        }
        let age = letter.first_sent.map_or(0, |first_sent| service_now - second_of(first_sent));
        let by_key = letter.ask == Ask::Submit || letter.ask == Ask::Abandon;
        noted.left_too_old |= by_key && age >= RETENTION;
        self.post(letter);
    }

    fn letter(&self, export: usize, no: u32, action: &Action) -> Option<Letter> {
        let record = self.record(export);
        let ask = match action {
            Action::Describe => Ask::Describe,
            Action::Submit => Ask::Submit,
            Action::Abandon => Ask::Abandon,
            Action::Cancel(id) => Ask::Cancel(id.to_string()),
            Action::Poll(id) => Ask::ByJob(id.to_string()),
            Action::Lookup(by) => Ask::of_look(by, plan::traits_window(record, self.local())),
            Action::Download
            | Action::WaitUntil(..)
            | Action::WaitForCall
            | Action::WaitForPerson(_)
            | Action::Close(_)
            | Action::NeverSend
            | Action::RaiseNoProgress
            | Action::Done => return None,
        };
        let first_sent = record.journal.first_sent;
        if ask.names_a_key() && first_sent.is_none() {
            return None;
        }
        let key = record.export.request_key.to_string();
        Some(Letter { export, no, ask, key, first_sent, caller: self.signed_in })
    }

    /// A call ends: closed, joined and planned in one write, and then what follows beyond it.
    pub fn ends(&mut self, export: usize, no: u32, result: AttemptResult, policy: &Policy) {
        let calls = &mut self.exports[export].calls;
        let Some(at) = calls.iter().position(|call| call.no == no) else { return };
        let call = calls.remove(at);
        let result = self.free_of_others(export, result);
        let moment = moment(policy, self);
        let before = self.record(export).knowledge.clone();
        let record = self.record_mut(export);
        record.take_in(no, call.kind, &result);
        let ended = Ended {
            kind: call.kind,
            result: &result,
            http_status: None,
            started_at: call.started_at,
            ended_at: moment.now,
        };
        plan::advance(record, ended, moment);
        self.note_the_end(export, call.kind, &before, &result);
        self.follows(export, call.kind, &result, policy);
        self.sweep_the_wire();
    }

    /// A look by traits must not adopt a job that another export of ours holds already.
    fn free_of_others(&self, export: usize, mut result: AttemptResult) -> AttemptResult {
        if let AttemptResult::Listed { jobs, .. } = &mut result {
            let machine = self.exports[export].machine;
            jobs.retain(|job| {
                !self.exports.iter().enumerate().any(|(other, held)| {
                    other != export
                        && held.machine == machine
                        && held.record.knowledge.jobs.contains_key(&job.business_id)
                })
            });
        }
        result
    }

    fn note_the_end(
        &mut self,
        export: usize,
        kind: AttemptKind,
        before: &Knowledge,
        result: &AttemptResult,
    ) {
        let after = self.record(export).knowledge.clone();
        // The join itself is not broken here, whatever else is.
        let joined = mutants::with(None, || before.clone().join(after.clone()));
        let noted = &mut self.exports[export].noted;
        noted.regressed |= joined != after;
        if kind == AttemptKind::Submit
            && *result == (AttemptResult::Deferred { until: DeferUntil::SignIn })
        {
            noted.unsettled_submits -= 1;
        }
        let answered = result.call_result() == CallResult::Answered;
        let put_off = matches!(result, AttemptResult::Deferred { .. });
        noted.unheard = !answered || put_off || result.withdraws_access();
    }

    /// What the end of an attempt means beyond its own export.
    fn follows(
        &mut self,
        export: usize,
        kind: AttemptKind,
        result: &AttemptResult,
        policy: &Policy,
    ) {
        let (now, moment) = (self.local(), moment(policy, self));
        let heard = result.call_result() == CallResult::Answered;
        let back = heard && !std::mem::replace(&mut self.heard, heard);
        let signed_out = *result == AttemptResult::Deferred { until: DeferUntil::SignIn };
        let breached = self.record(export).knowledge.is_breached();
        for other in 0..self.exports.len() {
            if self.exports[other].machine != self.exports[export].machine {
                continue;
            }
            let record = self.record_mut(other);
            if back {
                plan::reachable_again(record, now);
            }
            if signed_out {
                record.journal.holds.insert(Hold::SignIn);
            }
            if let (true, Some(facts)) = (breached, &mut record.facts) {
                facts.suspected = Suspicion::KeyBreach;
            }
            if back || signed_out || breached {
                plan::replan(record, moment);
            }
        }
        self.tell_successors(export, policy);
        if plan::finds_the_job(kind, result, self.record(export)) {
            for successor in self.successors(export) {
                if plan::is_stopped_by_the_job(self.record(successor)) {
                    self.gives_turn(successor, Turn::Person, policy);
                }
            }
        }
    }

    /// The exports that mend or repeat this one.
    fn successors(&self, export: usize) -> Vec<usize> {
        let id = &self.record(export).export.id;
        let follows = |other: &usize| self.record(*other).export.supersedes.as_ref() == Some(id);
        (0..self.exports.len()).filter(follows).collect()
    }

    /// Gives the successors of an export their turn, once it has become clear.
    pub fn tell_successors(&mut self, export: usize, policy: &Policy) {
        for successor in self.successors(export) {
            let moment = moment(policy, self);
            if let Some(turn) =
                plan::turn_given(self.record(export), self.record(successor), moment)
            {
                self.gives_turn(successor, turn, policy);
            }
        }
    }

    fn gives_turn(&mut self, successor: usize, turn: Turn, policy: &Policy) {
        let moment = moment(policy, self);
        let record = self.record_mut(successor);
        plan::give_turn(record, record.journal.turn, turn);
        plan::replan(record, moment);
    }

    /// Changes what a person wants of an export, or what holds it, if that can be done now.
    pub fn wishes(
        &mut self,
        export: usize,
        policy: &Policy,
        wish: impl FnOnce(&mut Record, Moment<'_>) -> Result<(), plan::NotNow>,
    ) -> Result<(), plan::NotNow> {
        let moment = moment(policy, self);
        wish(self.record_mut(export), moment)?;
        plan::replan(self.record_mut(export), moment);
        self.tell_successors(export, policy);
        Ok(())
    }

    /// The program dies and begins again: what was under way counts as lost.
    pub fn restarts(&mut self, machine: u8, policy: &Policy) {
        self.heard = true;
        for export in 0..self.exports.len() {
            if self.exports[export].machine == machine {
                self.exports[export].calls.clear();
                self.exports[export].numbered = 0;
                self.mends(export, policy);
            }
        }
        for export in 0..self.exports.len() {
            self.seals_what_gave_way(export, policy);
        }
        self.sweep_the_wire();
    }

    fn mends(&mut self, export: usize, policy: &Policy) {
        let moment = moment(policy, self);
        let record = self.record_mut(export);
        let ends: Vec<_> = record
            .journal
            .in_flight
            .drain(..)
            .map(|call| (call.attempt_no, call.kind, call.started_at, interrupted(call.crossed_at)))
            .collect();
        for (no, kind, _, result) in &ends {
            record.take_in(*no, *kind, result);
        }
        for (_, kind, started_at, result) in &ends {
            let (kind, result) = (*kind, result);
            let (started_at, ended_at) = (*started_at, moment.now);
            let ended = Ended { kind, result, http_status: None, started_at, ended_at };
            plan::advance(record, ended, moment);
        }
        plan::reachable_again(record, moment.now);
        plan::replan(record, moment);
    }

    /// An unresolved export that a copy takes the place of is sealed before the copy leaves.
    pub fn seals_what_gave_way(&mut self, before: usize, policy: &Policy) {
        let (now, moment) = (self.local(), moment(policy, self));
        let copied = !self.successors(before).is_empty();
        if copied && plan::gives_way(self.record(before), now) {
            let record = self.record_mut(before);
            plan::ask_for_copy(record, now);
            plan::replan(record, moment);
        }
        self.tell_successors(before, policy);
    }

    /// The store is as it was at the click, and that is noticed.
    pub fn restores_store(&mut self, export: usize, policy: &Policy) {
        let Some(backup) = self.exports[export].backup.clone() else { return };
        self.exports[export].record = backup;
        self.exports[export].calls.clear();
        self.exports[export].numbered = 0;
        // The store counts anew; what it sent before is on the wire under numbers of its own.
        let before = self.letters.iter_mut().filter(|letter| letter.export == export);
        before.for_each(|letter| letter.no += BEFORE_THE_RESTORE);
        self.letters.sort();
        // Held before anything is planned: a key that grew too old proves nothing in a copy.
        let now = self.local();
        plan::hold_restored(self.record_mut(export), now);
        self.mends(export, policy);
        self.sweep_the_wire();
    }

    /// The store as it is goes on on a second computer, and that is noticed there: what was under
    /// way counts as lost, and nothing leaves before a look.
    pub fn copies_store(&mut self, export: usize, policy: &Policy) {
        let Held { record, .. } = &self.exports[export];
        let (record, copy) = (Arc::clone(record), self.exports.len());
        let calls = Vec::new();
        let noted = Noted::default();
        self.exports.push(Held { record, machine: 1, calls, numbered: 0, backup: None, noted });
        let now = self.local();
        plan::hold_restored(self.record_mut(copy), now);
        self.mends(copy, policy);
    }
}

/// The end of a call of which no byte left.
pub fn not_sent(reason: CallReason) -> AttemptResult {
    AttemptResult::NotSent { reason }
}

/// The end of a call that was given up.
pub fn lost() -> AttemptResult {
    AttemptResult::Lost { phase: Phase::Await, reason: CallReason::Timeout, hint: None }
}
