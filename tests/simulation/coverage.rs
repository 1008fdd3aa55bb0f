//! What the seeds met: what befell which kind of call, in which row of the capability table.
//!
//! A script only sets a fault up; whether the call came that it waits for is counted here, as the
//! proxy and the gate saw it. A run prints one line for each cell, also for one that was not met;
//! `cargo xtask test --soak` adds them up.

use std::{collections::BTreeMap, fmt};

use docket_service::Feature;
use docket_tests::Call;

use crate::{draw::ROWS, script::Fault, script::Point, script::Service};

/// What befell a call, beside the faults of the network.
pub const FATES: [&str; 4] =
    ["KilledBeforeConnect", "KilledAnswerRead", "KilledMeanwhile", "ServiceGone"];

/// The kinds of calls, in the order of an export's life.
const CALLS: [Call; 9] = [
    Call::Service,
    Call::Operations,
    Call::Submit,
    Call::Key,
    Call::Traits,
    Call::Abandon,
    Call::Job,
    Call::Cancel,
    Call::File,
];

/// See the head of this file.
#[derive(Clone, Debug, Default)]
pub struct Met(BTreeMap<(usize, String, String), u64>);

impl Met {
    /// This befell a call of that kind.
    pub fn note(&mut self, service: &Service, on: Call, what: impl Into<String>) {
        if is_possible(on, &service.without) {
            let cell = (row(&service.without), format!("{on:?}"), what.into());
            *self.0.entry(cell).or_default() += 1;
        }
    }

    /// Where a call is stopped on the client's side, and the client is killed there.
    pub fn note_killed(&mut self, service: &Service, on: Call, at: Point) {
        let what = match at {
            Point::BeforeConnect => FATES[0],
            Point::AnswerRead => FATES[1],
        };
        self.note(service, on, what);
    }

    /// What another play met too.
    pub fn add(&mut self, other: &Self) {
        for (cell, times) in &other.0 {
            *self.0.entry(cell.clone()).or_default() += times;
        }
    }
}

/// A line for each cell that there can be: row, call, what befell it, and how often.
impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults = Fault::ALL.iter().map(|fault| fault.name());
        let all: Vec<String> = faults.chain(FATES.map(str::to_owned)).collect();
        for (row, without) in ROWS.iter().enumerate() {
            for on in CALLS {
                if !is_possible(on, &without.iter().copied().collect()) {
                    continue;
                }
                for what in &all {
                    let cell = (row, format!("{on:?}"), what.clone());
                    let times = self.0.get(&cell).copied().unwrap_or_default();
                    writeln!(f, "met {row} {on:?} {what} {times}")?;
                }
            }
        }
        Ok(())
    }
}

type Without = std::collections::BTreeSet<Feature>;

/// Whether a service that lacks this gets such a call.
fn is_possible(on: Call, without: &Without) -> bool {
    let can = |feature| !without.contains(&feature);
    match on {
        Call::Key => can(Feature::Lookup),
        // Where the same key may be sent again, that is asked in place of traits.
        Call::Traits => !can(Feature::Lookup) && can(Feature::Traits) && !can(Feature::Idempotency),
        Call::Abandon => can(Feature::Abandon),
        Call::Cancel => can(Feature::Cancel),
        Call::Service | Call::Operations | Call::Submit | Call::Job | Call::File => true,
        Call::Any => false,
    }
}

/// The row of the table that a service stands in. What the table calls *either* tells none apart.
fn row(without: &Without) -> usize {
    let can = |feature| !without.contains(&feature);
    let (looks, traits) = (can(Feature::Lookup), can(Feature::Traits));
    match (can(Feature::Idempotency), looks, traits, can(Feature::Abandon)) {
        (true, true, _, true) => 0,
        (true, true, _, false) => 1,
        (true, false, _, true) => 2,
        (true, false, _, false) => 3,
        (false, true, _, true) => 4,
        (false, true, _, false) => 8,
        (false, false, true, true) => 5,
        (false, false, true, false) => 6,
        (false, false, false, false) => 7,
        (false, false, false, true) => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_stands_in_its_row() {
        for (at, without) in ROWS.iter().enumerate() {
            assert_eq!(row(&without.iter().copied().collect()), at, "{without:?}");
        }
    }
}
