//! Draws a script from a seed.
//!
//! The plot of a seed is one cell of the whole table: what befalls, the kind of call that it
//! befalls, and a row of the capability table. Consecutive seeds walk through the table in steps that
//! reach every cell. Around the plot the dice put what else may happen: other faults, crashes, clocks,
//! wishes, a second click.

use std::{collections::BTreeSet, time::Duration};

use docket_service::Feature;
use docket_tests::Call;

use crate::{
    dice::Dice,
    script::{Fault, Point, Script, Service, Step, Tokens, Who},
};

/// The rows of the capability table (lifecycle.md), by what they lack; where a key can not be sent
/// again, with an abandon and without.
pub const ROWS: [&[Feature]; 10] = [
    &[],
    &[Feature::Abandon],
    &[Feature::Lookup, Feature::Traits],
    &[Feature::Lookup, Feature::Traits, Feature::Abandon],
    &[Feature::Idempotency],
    &[Feature::Idempotency, Feature::Lookup],
    &[Feature::Idempotency, Feature::Lookup, Feature::Abandon],
    &[Feature::Idempotency, Feature::Lookup, Feature::Traits, Feature::Abandon],
    &[Feature::Idempotency, Feature::Abandon],
    &[Feature::Idempotency, Feature::Lookup, Feature::Traits],
];

/// The kinds of calls that a plot is about. A look goes by key or by traits, as the row has it.
pub const CALLS: [Call; 8] = [
    Call::Submit,
    Call::Key,
    Call::Abandon,
    Call::Job,
    Call::File,
    Call::Cancel,
    Call::Service,
    Call::Operations,
];

/// What befalls the call that a plot is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plot {
    /// A fault of the network, or of what stands in it.
    Fault(Fault),
    /// The client is killed before or after it.
    Killed(Point),
    /// The client is killed while the service has it.
    KilledMeanwhile,
    /// The service goes down while it has it.
    ServiceGone,
}

/// What befalls beside the faults.
const FATES: [Plot; 4] = [
    Plot::Killed(Point::BeforeConnect),
    Plot::Killed(Point::AnswerRead),
    Plot::KilledMeanwhile,
    Plot::ServiceGone,
];

/// How many things may befall a call.
const PLOTS: usize = Fault::ALL.len() + FATES.len();

/// How many cells the table has.
pub const CELLS: u64 = (PLOTS * CALLS.len() * ROWS.len()) as u64;

/// A stride without a common divisor with the number of cells: it reaches each of them.
const STRIDE: u64 = 1009;

/// The cell of a seed.
pub fn cell(seed: u64) -> (Plot, Call, &'static [Feature]) {
    let mut at = usize::try_from(seed.wrapping_mul(STRIDE) % CELLS).expect("a small number");
    let row = ROWS[at % ROWS.len()];
    at /= ROWS.len();
    let call = CALLS[at % CALLS.len()];
    at /= CALLS.len();
    let fault = Fault::ALL.get(at).copied().map(Plot::Fault);
    (fault.unwrap_or_else(|| FATES[at - Fault::ALL.len()]), call, row)
}

/// The script of a seed.
pub fn script(seed: u64) -> Script {
    let mut dice = Dice::of(seed);
    let (what, call, row) = cell(seed);
    let mut service = service(&mut dice, row);
    fit(&mut service, &mut dice, call);
    let on = if call == Call::Key { look(&service) } else { call };
    let mut steps = plot(&mut dice, on, what);
    let more = 2 + dice.below(7);
    for _ in 0..more {
        let at = usize::try_from(dice.below(steps.len() as u64 + 1)).expect("a small number");
        let other = other(&mut dice, &service);
        steps.splice(at..at, other);
    }
    let chance = f64::from(u32::try_from(dice.below(101)).expect("a small number")) / 100.0;
    Script { name: format!("seed {seed}"), service, chance, steps }
}

fn service(dice: &mut Dice, row: &[Feature]) -> Service {
    let mut without: BTreeSet<Feature> = row.iter().copied().collect();
    for feature in [Feature::Cancel, Feature::Resume, Feature::Traits] {
        if dice.happens(12) {
            without.insert(feature);
        }
    }
    let seconds = Duration::from_secs;
    Service {
        without,
        pace: (
            seconds(dice.one_of(&[1, 1, 5, 40])),
            seconds(dice.one_of(&[1, 3, 30, 30, 120, 400])),
        ),
        retention: seconds(dice.one_of(&[3600, 24 * 3600, 24 * 3600])),
        lag: seconds(dice.one_of(&[0, 0, 0, 20])),
    }
}

/// The service does its work in such a time that the call that the plot is about comes to be made.
fn fit(service: &mut Service, dice: &mut Dice, call: Call) {
    let seconds = Duration::from_secs;
    match call {
        Call::File => service.pace = (seconds(1), seconds(dice.one_of(&[1, 3]))),
        Call::Job => service.pace.1 = seconds(dice.one_of(&[30, 120])),
        Call::Cancel => {
            service.pace.1 = seconds(400);
            service.without.remove(&Feature::Cancel);
        }
        Call::Submit
        | Call::Key
        | Call::Traits
        | Call::Abandon
        | Call::Service
        | Call::Operations
        | Call::Any => {}
    }
}

/// The kind of look that a service has.
fn look(service: &Service) -> Call {
    if service.can(Feature::Lookup) { Call::Key } else { Call::Traits }
}

/// What has to happen so that this befalls the call.
fn plot(dice: &mut Dice, on: Call, what: Plot) -> Vec<Step> {
    let times = dice.one_of(&[1, 1, 1, 2, 5, 40]);
    let (meets, after) = befalls(dice, on, what, times);
    let seconds = Duration::from_secs;
    // What befalls a call while it is under way comes before the call is given up.
    let is_fate = !matches!(what, Plot::Fault(_));
    let fault = if is_fate {
        dice.one_of(&[Fault::AnswerLost, Fault::Swallowed, Fault::LostAndKept])
    } else {
        dice.one_of(&[Fault::AnswerLost, Fault::Swallowed, Fault::LostAndKept, Fault::Silence])
    };
    let loses = |times| Step::Fault { on: Call::Submit, of: 0, fault, times };
    let ask = Step::Ask { report: 0 };
    let a_while = Step::Pass(seconds(if is_fate {
        dice.one_of(&[2, 7, 7])
    } else {
        dice.one_of(&[1, 2, 7, 15, 90])
    }));
    let long = Step::Pass(Duration::from_secs(dice.one_of(&[90, 400, 1500])));
    let mut steps = match on {
        Call::Submit => vec![meets, ask, a_while],
        Call::Key | Call::Traits => vec![loses(1), meets, ask, a_while],
        // Looks and further sends that bring nothing leave it in doubt until it is given up.
        Call::Abandon => {
            let blind = |on| Step::Fault { on, of: 0, fault: Fault::Swallowed, times: 5 };
            let (by_key, by_traits) = (blind(Call::Key), blind(Call::Traits));
            vec![loses(3), by_key, by_traits, meets, ask, a_while, Step::Cancel { of: 0 }]
        }
        Call::Cancel => vec![meets, ask, a_while, Step::Cancel { of: 0 }],
        Call::Job | Call::File => vec![meets, ask, a_while],
        Call::Service | Call::Any => {
            // What is known of a service is believed for an hour.
            vec![Step::Pass(Duration::from_secs(3700)), meets, ask, a_while]
        }
        Call::Operations => vec![ask, meets, Step::SignIn(Who::AdaRenewed), a_while],
    };
    steps.extend(after);
    steps.push(long);
    if let Plot::Fault(
        Fault::KeptSilent | Fault::KeptClosed | Fault::AndKept | Fault::LostAndKept,
    ) = what
    {
        steps.push(Step::DeliverKept);
    }
    steps
}

/// The step that comes before the call, and those that come once it is under way.
fn befalls(dice: &mut Dice, on: Call, what: Plot, times: u32) -> (Step, Vec<Step>) {
    let held = Step::Fault { on, of: 0, fault: Fault::Silence, times: 1 };
    let short = Step::Pass(Duration::from_secs(dice.one_of(&[1, 20, 300])));
    match what {
        Plot::Fault(fault) => {
            (Step::Fault { on, of: 0, fault: anywhere(dice, fault), times }, Vec::new())
        }
        Plot::Killed(at) => (Step::Trap { on, at }, vec![Step::Crash, short, Step::Start]),
        Plot::KilledMeanwhile => (held, vec![Step::Crash, short, Step::Start]),
        Plot::ServiceGone => (held, vec![Step::ServiceDown, short, Step::ServiceUp]),
    }
}

/// The same fault at any byte.
fn anywhere(dice: &mut Dice, fault: Fault) -> Fault {
    fault.at(usize::try_from(1 + dice.below(80)).expect("a small number"))
}

/// Something that happens beside the plot.
fn other(dice: &mut Dice, service: &Service) -> Vec<Step> {
    let of = usize::try_from(dice.below(3)).expect("a small number");
    let seconds = Duration::from_secs;
    let pass = Step::Pass(seconds(dice.one_of(&[1, 3, 10, 61, 61, 300, 1000])));
    match dice.below(26) {
        0..=3 => vec![any_fault(dice, of, service), pass],
        4 => vec![dice.one_of(&[Step::NetworkDown, Step::BlackHole]), pass, Step::NetworkUp],
        5 | 6 => vec![Step::Crash, pass, Step::Start],
        7 => {
            let on = dice.one_of(&[
                Call::Submit,
                look(service),
                Call::Abandon,
                Call::Job,
                Call::File,
                Call::Cancel,
                Call::Operations,
            ]);
            let at = dice.one_of(&[Point::BeforeConnect, Point::AnswerRead]);
            vec![Step::Trap { on, at }, pass, Step::Crash, Step::Start]
        }
        8 => vec![Step::ServiceDown, pass, Step::ServiceUp],
        9 => vec![Step::Sleep(seconds(dice.one_of(&[60, 1000, 3600 * 7, 3600 * 30])))],
        10 => vec![Step::SetClock(dice.one_of(&[-10_800, -60, 60, 3600, 10_800]))],
        11 => vec![Step::Ask { report: of }, Step::ClickAgain { of }],
        12 => vec![Step::AskTheSame { of }, Step::Copy { of }],
        13 => vec![Step::Edit { of }],
        14 => vec![Step::Cancel { of }],
        15 => vec![Step::Check { of }, Step::SendNow { of }],
        16 => vec![Step::Resend { of }],
        17 => vec![Step::DeliverKept],
        18 => vec![Step::Take(Tokens::FirstRunOut), pass, Step::SignIn(Who::AdaRenewed)],
        19 => vec![Step::Take(Tokens::Withdrawn), pass, Step::Take(Tokens::All)],
        20 => vec![Step::SignIn(Who::Bob), pass, Step::SignIn(Who::Ada)],
        21 => vec![Step::Drain, pass, Step::TakeJobs],
        22 => vec![Step::Pause { of }, pass, Step::Resume { of }],
        23 => dice.one_of(&[
            vec![Step::WrongFile { of }],
            vec![Step::FailNextJob],
            vec![Step::Fetch { of }],
            vec![Step::Settle { of }],
            vec![Step::Release],
        ]),
        24 => vec![Step::BackUpService, pass, Step::RestoreService],
        _ => vec![Step::BackUpStore, Step::Crash, Step::Start, pass, Step::PutBackStore],
    }
}

fn any_fault(dice: &mut Dice, of: usize, service: &Service) -> Step {
    let on = dice.one_of(&[
        Call::Submit,
        Call::Submit,
        look(service),
        Call::Job,
        Call::Abandon,
        Call::Cancel,
        Call::File,
        Call::Operations,
        Call::Any,
    ]);
    let times = dice.one_of(&[1, 1, 3, 30]);
    let fault = dice.one_of(&Fault::ALL);
    Step::Fault { on, of, fault: anywhere(dice, fault), times }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_of_the_table_is_reached() {
        let name = |seed| format!("{:?}", cell(seed));
        let cells: BTreeSet<String> = (0..CELLS).map(name).collect();
        assert_eq!(cells.len() as u64, CELLS);
    }
}
