//! A story that is told step by step, of a world in which all may go wrong.

use docket_engine::{
    attempt::AttemptKind,
    journal::{Turn, UnresolvedReason},
    plan::{Moment, next_action},
    record::Record,
    stage::{NotCreatedWhy, Stage, not_created_why},
};
use stateright::Model;

use crate::{
    Promise, calm,
    client::moment,
    network::Line,
    person::{Wish, stage_of},
    properties,
    rows::{Config, Row},
    service::{Access, Mood},
    steps::Step,
    story::seen,
    world::{Fault, World, policy},
};

pub const MINUTE: i64 = 60;
pub const HOUR: i64 = 3600;

/// More of each fault than any story takes.
const ENOUGH: u8 = 40;

/// Everything that may go wrong.
const EVERY: [Fault; 18] = [
    Fault::Lose,
    Fault::NotSent,
    Fault::Duplicate,
    Fault::Crash,
    Fault::Outage,
    Fault::Sleep,
    Fault::SetClock,
    Fault::Busy,
    Fault::InProgress,
    Fault::Invalid,
    Fault::SignOut,
    Fault::Access,
    Fault::BackUp,
    Fault::Restore,
    Fault::RestoreStore,
    Fault::CopyStore,
    Fault::Account,
    Fault::Wish,
];

/// See the head of this file.
pub struct Story {
    promise: Promise,
    pub world: World,
    told: String,
}

impl Story {
    /// A click at such a service.
    pub fn of(row: Row) -> Self {
        Self::with(row, |_| {})
    }

    /// A click at a service that is changed so.
    pub fn with(row: Row, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::of(row, &EVERY.map(|fault| (fault, ENOUGH)));
        config.sleeps = &[20 * MINUTE, 2 * HOUR];
        config.clocks = &[-3 * HOUR, 0, 3 * HOUR];
        config.accesses = &[Access::Full, Access::NoOperation, Access::Nothing];
        config.work = &["running", "succeeded", "cancelled", "failed"];
        config.wishes = &[
            Wish::Cancel,
            Wish::CheckNow,
            Wish::SendNow,
            Wish::Resend,
            Wish::Another,
            Wish::SettleAbsent,
        ];
        change(&mut config);
        let world = World::at_the_click(&config);
        Self { promise: Promise { config }, world, told: String::new() }
    }

    /// This happens, and may happen.
    pub fn takes(&mut self, step: Step) {
        let mut may = Vec::new();
        self.promise.actions(&self.world, &mut may);
        assert!(may.contains(&step), "{}\n{step:?} is none of {may:#?}", self.told);
        self.world.takes(step, &self.promise.config, policy());
        self.holds(&format!("{step:?}"));
    }

    fn holds(&mut self, happened: &str) {
        let seen: Vec<String> =
            (0..self.world.exports.len()).map(|export| seen(&self.world, export)).collect();
        self.told += &format!("{:>6} s  {happened}: {}\n", self.world.now, seen.join(" | "));
        for property in properties::all() {
            let holds = (property.condition)(&self.promise, &self.world);
            assert!(holds, "{}\ndoes not hold: {}", self.told, property.name);
        }
    }

    /// The call that is due begins, and its request leaves. Its number.
    pub fn calls(&mut self) -> u32 {
        self.calls_of(0)
    }

    /// The same, of another export.
    pub fn calls_of(&mut self, export: usize) -> u32 {
        if !self.world.is_due(export) {
            self.takes(Step::Wait);
        }
        self.takes(Step::Drive { export });
        let begun = self.world.exports[export].calls.last();
        assert!(begun.is_some(), "{}\nno call began", self.told);
        begun.map_or(0, |call| call.no)
    }

    /// What the call that is under way is for.
    pub fn kind(&self) -> AttemptKind {
        self.world.exports[0].calls.last().expect("a call is under way").kind
    }

    /// The request arrives and is served.
    pub fn arrives(&mut self, no: u32) {
        self.arrives_as(no, Mood::Serves);
    }

    /// The request arrives, and the service takes it so.
    pub fn arrives_as(&mut self, no: u32, mood: Mood) {
        self.takes(Step::Arrive { export: 0, no, mood });
    }

    /// What a store sent before it was restored arrives.
    pub fn late_copy_arrives(&mut self) {
        let late = self.world.letters.last().expect("it is on its way").no;
        self.arrives(late);
    }

    /// The answer arrives.
    pub fn answers(&mut self, no: u32) {
        self.takes(Step::Answer { export: 0, no, nth: 0 });
    }

    /// The client gives the call up.
    pub fn gives_up(&mut self, no: u32) {
        self.takes(Step::GiveUp { export: 0, no });
    }

    /// A gateway sends the request twice.
    pub fn repeats(&mut self, no: u32) {
        self.takes(Step::Duplicate { export: 0, no });
    }

    /// The next call is made and answered. What it was for.
    pub fn asks(&mut self) -> AttemptKind {
        self.asks_as(Mood::Serves)
    }

    /// The next call is made, and answered so.
    pub fn asks_as(&mut self, mood: Mood) -> AttemptKind {
        let no = self.calls();
        let kind = self.kind();
        self.arrives_as(no, mood);
        self.answers(no);
        kind
    }

    /// The next call is made and arrives, and its answer is lost. What it was for.
    pub fn loses_the_answer(&mut self) -> AttemptKind {
        let no = self.calls();
        let kind = self.kind();
        self.arrives(no);
        self.gives_up(no);
        kind
    }

    /// The next call is made and lost on its way; it may arrive yet. Its number, and what it was for.
    pub fn loses(&mut self) -> (u32, AttemptKind) {
        let no = self.calls();
        let kind = self.kind();
        self.gives_up(no);
        (no, kind)
    }

    pub fn sleeps(&mut self, seconds: i64) {
        self.takes(Step::Sleep { seconds });
    }

    pub fn works(&mut self, status: &'static str) {
        self.takes(Step::Work { job: 0, status });
    }

    pub fn wants(&mut self, wish: Wish) {
        self.takes(Step::Want { export: 0, wish });
    }

    pub fn may_want(&self, wish: Wish) -> bool {
        let mut may = Vec::new();
        self.promise.actions(&self.world, &mut may);
        may.contains(&Step::Want { export: 0, wish })
    }

    pub fn connects(&mut self, line: Line) {
        self.takes(Step::Connect { line });
    }

    /// All goes well from here on, until nothing happens any more.
    pub fn goes_on(&mut self) {
        self.goes_on_until(|_| false);
    }

    /// All goes well from here on, until this is the case.
    pub fn goes_on_until(&mut self, comes: impl Fn(&Self) -> bool) {
        let config = self.promise.config.clone();
        let mut steps = 0;
        while !comes(self) && calm::goes_on(&mut self.world, &config, policy()) {
            self.holds("goes on");
            steps += 1;
            assert!(steps < 400, "{}\nit goes on for ever", self.told);
        }
    }

    pub fn record(&self) -> &Record {
        self.world.record(0)
    }

    pub fn stage(&self) -> Stage {
        self.stage_of(0)
    }

    pub fn stage_of(&self, export: usize) -> Stage {
        stage_of(self.world.record(export), self.moment())
    }

    pub fn moment(&self) -> Moment<'static> {
        moment(policy(), &self.world)
    }

    /// It is in this stage.
    pub fn shows(&self, stage: Stage) {
        assert_eq!(self.stage(), stage, "{}", self.told);
    }

    /// It is unresolved for this reason.
    pub fn is_unresolved(&self, reason: UnresolvedReason) {
        self.shows(Stage::Unresolved);
        assert_eq!(self.record().journal.schedule.closed, Some(reason), "{}", self.told);
    }

    /// It is proved that there is no job, and by this.
    pub fn is_not_created(&self, why: NotCreatedWhy) {
        let record = self.record();
        let known = not_created_why(&record.knowledge, &record.journal, record.facts.as_ref());
        assert_eq!((self.stage(), known), (Stage::NotCreated, Some(why)), "{}", self.told);
    }

    /// What the export that takes its place waits for.
    pub fn turn(&self) -> Turn {
        self.world.record(1).journal.turn
    }

    /// So many jobs were ever made.
    pub fn has_jobs(&self, jobs: usize) {
        assert_eq!(self.world.service.made.len(), jobs, "{}", self.told);
    }

    /// So many submits of it left.
    pub fn has_submits(&self, submits: u8) {
        assert_eq!(self.world.exports[0].noted.submits_left, submits, "{}", self.told);
    }

    /// Whether the service holds a tombstone under its key.
    pub fn has_a_tombstone(&self) -> bool {
        let key = self.record().export.request_key.as_str();
        self.world.service.rows.keys.get(key).is_some_and(|row| row.job.is_none())
    }

    /// What would be done next.
    pub fn next_call(&self) -> Option<AttemptKind> {
        next_action(self.record(), self.moment()).kind()
    }
}
