//! What may happen next in a world.

use docket_engine::{journal::Hold, plan, policy::Policy};

use crate::{
    client::moment,
    network::{Ask, Line},
    person::Wish,
    rows::Config,
    service::{Access, Mood},
    world::{ANN, BOB, Fault, World},
};

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The driver makes the call that is due, or plans anew.
    Drive {
        export: usize,
    },
    /// The same, and the call ends before a byte of it left.
    DriveInVain {
        export: usize,
    },
    /// A request arrives and is answered.
    Arrive {
        export: usize,
        no: u32,
        mood: Mood,
    },
    /// A gateway sends a request a second time.
    Duplicate {
        export: usize,
        no: u32,
    },
    /// An answer arrives.
    Answer {
        export: usize,
        no: u32,
        nth: usize,
    },
    /// The client gives a call up.
    GiveUp {
        export: usize,
        no: u32,
    },
    /// The client's program dies and begins again.
    Crash {
        machine: u8,
    },
    /// The client's store is as it was at the click.
    RestoreStore {
        export: usize,
    },
    /// Time passes until something is due.
    Wait,
    /// Time passes, whatever is due.
    Sleep {
        seconds: i64,
    },
    /// The client's clock is set to so much more than the service's.
    SetClock {
        skew: i64,
    },
    /// The line is cut, or mended.
    Connect {
        line: Line,
    },
    /// A job goes on.
    Work {
        job: u8,
        status: &'static str,
    },
    /// The service forgets what it may forget.
    Sweep,
    BackUp,
    Restore,
    Allow {
        access: Access,
    },
    /// The client's store, as it is, goes on on a second computer too.
    CopyStore {
        export: usize,
    },
    /// The right person, or another one, signs in.
    SignIn {
        who: &'static str,
    },
    /// The person wants something.
    Want {
        export: usize,
        wish: Wish,
    },
}

impl World {
    /// What may happen next.
    pub fn next_steps(&self, config: &Config, policy: &Policy, steps: &mut Vec<Step>) {
        for export in 0..self.exports.len() {
            self.steps_of_driver(export, policy, steps);
            self.steps_of_calls(export, steps);
        }
        self.steps_of_wire(steps);
        self.steps_of_time(config, steps);
        self.steps_of_service(config, steps);
        for export in 0..self.exports.len() {
            self.steps_of_person(export, config, policy, steps);
        }
    }

    fn steps_of_driver(&self, export: usize, policy: &Policy, steps: &mut Vec<Step>) {
        if !self.is_due(export) {
            return;
        }
        let calls = plan::next_action(self.record(export), moment(policy, self)).call().is_some();
        if !calls {
            return steps.push(Step::Drive { export });
        }
        if self.due_call(export, policy).is_none() {
            return;
        }
        if self.line != Line::Refusing {
            steps.push(Step::Drive { export });
        }
        if self.line == Line::Refusing || self.budget.has(Fault::NotSent) {
            steps.push(Step::DriveInVain { export });
        }
    }

    fn steps_of_calls(&self, export: usize, steps: &mut Vec<Step>) {
        for call in &self.exports[export].calls {
            if self.line == Line::Silent || self.budget.has(Fault::Lose) {
                steps.push(Step::GiveUp { export, no: call.no });
            }
        }
        let machine = self.exports[export].machine;
        let first = self.exports.iter().position(|held| held.machine == machine);
        if self.budget.has(Fault::Crash) && first == Some(export) {
            steps.push(Step::Crash { machine });
        }
        if self.budget.has(Fault::RestoreStore) && self.exports[export].backup.is_some() {
            steps.push(Step::RestoreStore { export });
        }
        if self.budget.has(Fault::CopyStore) && machine == 0 {
            steps.push(Step::CopyStore { export });
        }
    }

    fn steps_of_wire(&self, steps: &mut Vec<Step>) {
        if self.line != Line::Up {
            return;
        }
        let mut before = None;
        for letter in &self.letters {
            // Two copies of one request are one choice.
            if before.replace(letter) == Some(letter) {
                continue;
            }
            let (export, no) = (letter.export, letter.no);
            let mut arrive = |mood| steps.push(Step::Arrive { export, no, mood });
            arrive(Mood::Serves);
            let changes = letter.ask == Ask::Submit || letter.ask == Ask::Abandon;
            let moods = [
                (Fault::Busy, Mood::Busy, changes),
                (Fault::InProgress, Mood::InProgress, changes),
                (Fault::Invalid, Mood::Invalid, letter.ask == Ask::Submit),
                (Fault::SignOut, Mood::SignedOut, letter.ask != Ask::Describe),
            ];
            for (fault, mood, fits) in moods {
                if fits && self.budget.has(fault) {
                    arrive(mood);
                }
            }
            if letter.ask.changes_something() && self.budget.has(Fault::Duplicate) {
                steps.push(Step::Duplicate { export, no });
            }
        }
        for (at, answer) in self.answers.iter().enumerate() {
            let (export, no) = (answer.export, answer.no);
            let same = |other: &&crate::network::Answer| other.export == export && other.no == no;
            let nth = self.answers[..at].iter().filter(same).count();
            steps.push(Step::Answer { export, no, nth });
        }
    }

    fn steps_of_time(&self, config: &Config, steps: &mut Vec<Step>) {
        let idle = self.exports.iter().all(|held| held.calls.is_empty());
        let due = (0..self.exports.len()).any(|export| self.is_due(export));
        let later = self.exports.iter().any(|held| held.record.next_action_at.is_some());
        if idle && !due && later {
            steps.push(Step::Wait);
        }
        if self.budget.has(Fault::Sleep) {
            steps.extend(config.sleeps.iter().map(|seconds| Step::Sleep { seconds: *seconds }));
        }
        if self.budget.has(Fault::SetClock) {
            let other = config.clocks.iter().filter(|skew| **skew != self.skew);
            steps.extend(other.map(|skew| Step::SetClock { skew: *skew }));
        }
        match self.line {
            Line::Up if self.budget.has(Fault::Outage) => {
                steps.push(Step::Connect { line: Line::Refusing });
                steps.push(Step::Connect { line: Line::Silent });
            }
            Line::Up => {}
            Line::Refusing | Line::Silent => steps.push(Step::Connect { line: Line::Up }),
        }
    }

    fn steps_of_service(&self, config: &Config, steps: &mut Vec<Step>) {
        for (id, job) in &self.service.rows.jobs {
            if job.settled_at.is_some() {
                continue;
            }
            for status in config.work {
                let asked = *status != "cancelled" || job.cancel_asked;
                let begins = *status == "succeeded" || job.status.as_str() == "queued";
                if job.status.as_str() != *status && asked && (begins || *status == "cancelled") {
                    steps.push(Step::Work { job: *id, status });
                }
            }
        }
        if !self.service.forgettable(self.now).is_empty() {
            steps.push(Step::Sweep);
        }
        if self.budget.has(Fault::BackUp) && self.service.backup != self.service.rows {
            steps.push(Step::BackUp);
        }
        if self.budget.has(Fault::Restore) {
            steps.push(Step::Restore);
        }
        if self.budget.has(Fault::Access) {
            let other = config.accesses.iter().filter(|access| **access != self.service.access);
            steps.extend(other.map(|access| Step::Allow { access: *access }));
        }
        let held = |hold| self.exports.iter().any(|held| held.record.journal.holds.contains(&hold));
        if held(Hold::SignIn) || (held(Hold::OtherAccount) && self.signed_in != ANN) {
            steps.push(Step::SignIn { who: ANN });
        }
        if self.budget.has(Fault::Account) && self.signed_in == ANN {
            steps.push(Step::SignIn { who: BOB });
        }
    }

    fn steps_of_person(
        &self,
        export: usize,
        config: &Config,
        policy: &Policy,
        steps: &mut Vec<Step>,
    ) {
        if !self.budget.has(Fault::Wish) {
            return;
        }
        for wish in config.wishes {
            let mut after = self.clone();
            if after.wants(export, *wish, config, policy) {
                steps.push(Step::Want { export, wish: *wish });
            }
        }
    }
}
