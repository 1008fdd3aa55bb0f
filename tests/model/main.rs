//! A model of the promise (lifecycle.md, the invariants): the engine's own rules, composed as the
//! engine composes them, beside a network and a service that do all that they may do.
//!
//! Each world lets a few things go wrong, for each row of the table of what services can do, and
//! every order of events in it is visited. `DOCKET_MODEL_DEPTH=1` lets one more of each go wrong.

mod calm;
mod client;
mod mutants;
mod network;
mod person;
mod properties;
mod rows;
mod service;
mod steps;
mod story;
mod takes;
mod traces;
mod world;
mod worlds;

use std::time::{Duration, Instant};

use docket_engine::mutants::with;
use stateright::{Checker, HasDiscoveries, Model, Property};

use crate::{
    rows::Config,
    steps::Step,
    world::{World, policy},
};

/// No world takes so long; one that does asks for ever.
const TIME_MAX: Duration = Duration::from_secs(150);

/// A configuration, as the checker takes it.
#[derive(Clone, Debug)]
pub struct Promise {
    /// What may go wrong in it.
    pub config: Config,
}

impl Model for Promise {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        with(self.config.mutant, || vec![World::at_the_click(&self.config)])
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        with(self.config.mutant, || world.next_steps(&self.config, policy(), steps));
    }

    fn next_state(&self, world: &World, step: Step) -> Option<World> {
        let mut after = world.clone();
        with(self.config.mutant, || after.takes(step, &self.config, policy()));
        (after != *world).then_some(after)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long it took is printed; nothing is decided by it"
)]
fn now() -> Instant {
    Instant::now()
}

/// How much more of each fault is asked for by hand.
fn depth() -> u8 {
    std::env::var("DOCKET_MODEL_DEPTH").ok().and_then(|depth| depth.parse().ok()).unwrap_or(0)
}

/// Visits every state of these configurations, in each of which all the properties hold.
fn holds(name: &str, configs: impl IntoIterator<Item = Config>) {
    let mut broken = String::new();
    let mut visited = 0;
    for mut config in configs {
        config.budget = config.budget.and_more(depth());
        let row = config.row;
        let began = now();
        let checker = Promise { config }.checker().timeout(TIME_MAX).spawn_bfs().join();
        let states = checker.unique_state_count();
        let found: Vec<_> = checker
            .discoveries()
            .into_iter()
            .map(|(property, path)| (property, path.into_vec()))
            .collect();
        visited += states;
        let took = began.elapsed().as_secs_f32();
        println!(
            "{name:<40} {row:<18?} {states:>9} states, depth {:>3}, {took:.1} s",
            checker.max_depth()
        );
        if !checker.is_done() {
            broken += &format!("{row:?}: not at its end after {states} states\n");
        }
        if !found.is_empty() {
            broken += &format!("{row:?}:\n{}", story::against(found));
        }
    }
    println!("{name:<40} {:<18} {visited:>9} states", "in all");
    assert!(broken.is_empty(), "{name}\n{broken}");
}

/// The story in which this property does not hold.
fn broken_by(config: Config, property: &'static str) -> Option<String> {
    let only = HasDiscoveries::AnyOf([property].into());
    let checker =
        Promise { config }.checker().timeout(TIME_MAX).finish_when(only).spawn_bfs().join();
    let path = checker.discovery(property)?;
    Some(story::told(path.into_vec()))
}
