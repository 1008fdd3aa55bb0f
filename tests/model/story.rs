//! A path of the model, as a person can read it.

use crate::{
    client::moment,
    person::stage_of,
    steps::Step,
    world::{World, policy},
};

/// One line for each thing that happened, with what the person then saw of each export.
pub fn told(path: impl IntoIterator<Item = (World, Option<Step>)>) -> String {
    let mut told = String::new();
    let mut happened = "click".to_owned();
    for (world, next) in path {
        let seen: Vec<String> =
            (0..world.exports.len()).map(|export| seen(&world, export)).collect();
        let hours = format!("{:>6} s", world.now);
        told += &format!("{hours}  {happened:<56} {}\n", seen.join(" | "));
        happened = next.map_or_else(String::new, |step| format!("{step:?}"));
    }
    told
}

/// What the person sees of an export.
pub fn seen(world: &World, export: usize) -> String {
    let record = world.record(export);
    let stage = stage_of(record, moment(policy(), world));
    let reason = record.journal.schedule.closed.map(|reason| format!("({reason:?})"));
    let holds: Vec<String> = record.journal.holds.iter().map(|hold| format!("+{hold:?}")).collect();
    format!("{stage:?}{}{}", reason.unwrap_or_default(), holds.concat())
}

/// The stories of what was found against the promise.
pub fn against(
    found: impl IntoIterator<Item = (&'static str, Vec<(World, Option<Step>)>)>,
) -> String {
    let mut told_of = String::new();
    for (property, path) in found {
        told_of += &format!("does not hold: {property}\n{}\n", told(path));
    }
    told_of
}
