//! What becomes of a world in which nothing goes wrong any more.

use docket_engine::{plan, policy::Policy};

use crate::{
    client::{lost, moment},
    network::Line,
    person::stage_of,
    rows::Config,
    service::Mood,
    steps::Step,
    world::{Budget, RETENTION, World, policy, second_of},
};

/// More steps than any calm story takes.
const STEPS_MAX: usize = 400;

/// Whether an export that is unresolved becomes clear by itself, unless its key grows too old first.
pub fn resolves(world: &World, export: usize, config: &Config) -> bool {
    let mut world = world.clone();
    world.line = Line::Up;
    world.budget = Budget::default();
    for _ in 0..STEPS_MAX {
        let record = world.record(export);
        let clear = stage_of(record, moment(policy(), &world)).is_settled();
        let age = record.journal.first_sent.map_or(i64::MAX, |at| world.now - second_of(at));
        if clear || !record.knowledge.jobs.is_empty() || age >= RETENTION - RETENTION / 10 {
            return true;
        }
        if !goes_on(&mut world, config, policy()) {
            return age + slow_gap() >= RETENTION - RETENTION / 10;
        }
    }
    false
}

/// What is looked up once in so many seconds may be too old at the next look.
fn slow_gap() -> i64 {
    i64::try_from(policy().slow_gap.as_secs()).unwrap_or(i64::MAX)
}

/// The next thing that happens where all goes well: what is on its way arrives, what is due is done,
/// else time passes. False where nothing happens any more.
pub fn goes_on(world: &mut World, config: &Config, policy: &Policy) -> bool {
    match next(world, policy) {
        Some(Next::Step(step)) => world.takes(step, config, policy),
        Some(Next::GiveUp(export, no)) => world.ends(export, no, lost(), policy),
        None => return false,
    }
    true
}

enum Next {
    Step(Step),
    /// Its request, or its answer, is gone.
    GiveUp(usize, u32),
}

fn next(world: &World, policy: &Policy) -> Option<Next> {
    for (export, held) in world.exports.iter().enumerate() {
        if let Some(call) = held.calls.first() {
            let no = call.no;
            let answered = world.answers.iter().any(|a| (a.export, a.no) == (export, no));
            let on_its_way = world.letters.iter().any(|l| (l.export, l.no) == (export, no));
            return Some(match (answered, on_its_way) {
                (true, _) => Next::Step(Step::Answer { export, no, nth: 0 }),
                (false, true) => Next::Step(Step::Arrive { export, no, mood: Mood::Serves }),
                (false, false) => Next::GiveUp(export, no),
            });
        }
        let calls = plan::next_action(&held.record, moment(policy, world)).call().is_some();
        if world.is_due(export) && (!calls || world.due_call(export, policy).is_some()) {
            return Some(Next::Step(Step::Drive { export }));
        }
    }
    let later = world.exports.iter().any(|held| held.record.next_action_at.is_some());
    later.then_some(Next::Step(Step::Wait))
}
