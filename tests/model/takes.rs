//! What is the case after something happened.

use docket_engine::{attempt::CallReason, plan, policy::Policy};
use docket_wire::JobStatus;

use crate::{
    client::{lost, moment, not_sent},
    network::{Answer, Line},
    rows::Config,
    service::{Mood, serve},
    steps::Step,
    world::{ANN, Fault, World, second_of},
};

impl World {
    /// What is the case after this.
    pub fn takes(&mut self, step: Step, config: &Config, policy: &Policy) {
        if let Some(fault) = self.cost(&step) {
            self.budget.take(fault);
        }
        match step {
            Step::Drive { export } => self.drives(export, policy),
            Step::DriveInVain { export } => self.begins_in_vain(export, policy),
            Step::Arrive { export, no, mood } => self.arrives((export, no), mood, config),
            Step::Duplicate { export, no } => self.repeats((export, no)),
            Step::Answer { export, no, nth } => self.hears((export, no), nth, policy),
            Step::GiveUp { export, no } => self.ends(export, no, lost(), policy),
            Step::Crash { machine } => self.restarts(machine, policy),
            Step::RestoreStore { export } => self.restores_store(export, policy),
            Step::CopyStore { export } => self.copies_store(export, policy),
            Step::SignIn { who } => self.signs_in(who, policy),
            Step::Want { export, wish } => {
                self.wants(export, wish, config, policy);
            }
            Step::Wait => self.waits(),
            Step::Sleep { seconds } => self.now += seconds,
            Step::SetClock { skew } => self.skew = skew,
            Step::Connect { line } => self.line = line,
            Step::Work { job, status } => {
                let status: JobStatus = status.parse().unwrap_or(JobStatus::Queued);
                self.service.moves(job, status, self.now);
            }
            Step::Sweep => self.service.sweep(self.now),
            Step::BackUp => self.service.backup = self.service.rows.clone(),
            Step::Restore => self.service.restore(self.now),
            Step::Allow { access } => self.service.access = access,
        }
    }

    /// What this takes of what may go wrong.
    fn cost(&self, step: &Step) -> Option<Fault> {
        match step {
            Step::DriveInVain { .. } => (self.line != Line::Refusing).then_some(Fault::NotSent),
            Step::Duplicate { .. } => Some(Fault::Duplicate),
            Step::GiveUp { .. } => (self.line != Line::Silent).then_some(Fault::Lose),
            Step::Crash { .. } => Some(Fault::Crash),
            Step::RestoreStore { .. } => Some(Fault::RestoreStore),
            Step::CopyStore { .. } => Some(Fault::CopyStore),
            Step::SignIn { who } => (*who != ANN).then_some(Fault::Account),
            Step::Want { .. } => Some(Fault::Wish),
            Step::Sleep { .. } => Some(Fault::Sleep),
            Step::SetClock { .. } => Some(Fault::SetClock),
            Step::Connect { line } => (*line != Line::Up).then_some(Fault::Outage),
            Step::BackUp => Some(Fault::BackUp),
            Step::Restore => Some(Fault::Restore),
            Step::Allow { .. } => Some(Fault::Access),
            // What it costs is the mood's.
            Step::Arrive { .. }
            | Step::Drive { .. }
            | Step::Answer { .. }
            | Step::Wait
            | Step::Work { .. }
            | Step::Sweep => None,
        }
    }

    fn drives(&mut self, export: usize, policy: &Policy) {
        if self.begins(export, policy).is_none() {
            self.plans_anew(export, policy);
        }
    }

    /// Until the first of what the client has planned is due.
    fn waits(&mut self) {
        let due = self.exports.iter().filter_map(|held| held.record.next_action_at).min();
        let due = due.expect("somebody waits for a time");
        self.now = self.now.max(second_of(due) - self.skew);
    }

    fn begins_in_vain(&mut self, export: usize, policy: &Policy) {
        let letters = self.letters.clone();
        let noted = self.exports[export].noted.clone();
        if let Some(no) = self.begins(export, policy) {
            // Nothing of it left.
            self.letters = letters;
            self.exports[export].noted = noted;
            self.ends(export, no, not_sent(CallReason::ConnectionRefused), policy);
        }
    }

    /// A gateway sends a request once more by itself.
    fn repeats(&mut self, (export, no): (usize, u32)) {
        let first = self.letters.iter().find(|l| (l.export, l.no) == (export, no));
        self.post(first.expect("only what is on its way is repeated").clone());
    }

    fn hears(&mut self, (export, no): (usize, u32), nth: usize, policy: &Policy) {
        let fits = |answer: &Answer| (answer.export, answer.no) == (export, no);
        let mut fitting = (0..self.answers.len()).filter(|at| fits(&self.answers[*at]));
        let at = fitting.nth(nth).expect("only what is on its way arrives");
        let answer = self.answers.remove(at);
        self.ends(export, no, answer.result, policy);
    }

    fn arrives(&mut self, (export, no): (usize, u32), mood: Mood, config: &Config) {
        match mood {
            Mood::Serves => {}
            Mood::Busy => self.budget.take(Fault::Busy),
            Mood::InProgress => self.budget.take(Fault::InProgress),
            Mood::Invalid => self.budget.take(Fault::Invalid),
            Mood::SignedOut => self.budget.take(Fault::SignOut),
        }
        let at = self.letters.iter().position(|l| (l.export, l.no) == (export, no));
        let letter = self.letters.remove(at.expect("only what is on its way arrives"));
        let result = serve(self, config, &letter, mood);
        if self.is_awaited(export, no) {
            self.answers.push(Answer { export, no, result });
        }
    }

    fn signs_in(&mut self, who: &'static str, policy: &Policy) {
        self.signed_in = who;
        let moment = moment(policy, self);
        for held in &mut self.exports {
            let record = std::sync::Arc::make_mut(&mut held.record);
            plan::meet_caller(record, who, moment.now);
            plan::replan(record, moment);
        }
    }
}
