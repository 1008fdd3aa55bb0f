//! The power goes at every call to the disk, one run for each, through the main job with its lost
//! receipt: when it is back the store opens by itself, nothing recorded is lost, nothing is doubled,
//! and the job ends in one saved file.
//!
//! What the disk then holds of what was not synced is a seed's choice. A run of all tests cuts at every
//! sync and at some of the other calls, with one seed each. `DOCKET_DISKS=SEEDS` cuts at every call,
//! with so many seeds.

use docket_tests::{Call, Rule};
use futures_util::{StreamExt, stream};

use crate::computer::Computer;

/// Where the power goes.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// When the n-th call that changes something begins.
    Call(u64),
    /// When the n-th sync begins.
    Sync(u64),
}

/// How many runs are under way at once: each waits more than it works.
const AT_ONCE: usize = 8;
/// Of the calls between the syncs a run of all tests takes every one of so many.
const STRIDE: usize = 6;

/// A computer whose first submit loses its receipt.
async fn computer() -> Computer {
    let computer = Computer::new().await;
    computer.world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    computer
}

/// One story with one cut. False where it ended before it.
async fn cut(at: Cut, seed: u64) -> bool {
    let computer = computer().await;
    match at {
        Cut::Call(n) => computer.disk.cut_at(n),
        Cut::Sync(n) => computer.disk.cut_at_sync(n),
    }
    computer.live().await;
    if !computer.disk.is_off() {
        return false;
    }
    computer.disk.power_on(seed);
    computer.lives_on().await;
    true
}

/// One story with two cuts, the second while Docket mends what the first one left.
async fn cut_twice(first: u64, second: u64, seed: u64) {
    let computer = computer().await;
    computer.disk.cut_at(first);
    computer.live().await;
    if !computer.disk.is_off() {
        return;
    }
    computer.disk.power_on(seed);
    computer.disk.cut_at(second);
    computer.lives_on().await;
    if computer.disk.is_off() {
        computer.disk.power_on(seed ^ 1);
        computer.lives_on().await;
    }
}

/// How many calls and how many syncs the story has, more or less: it depends on the machine's speed.
async fn length() -> (u64, u64) {
    let computer = computer().await;
    computer.live().await;
    assert!(!computer.disk.is_off());
    computer.lives_on().await;
    (computer.disk.calls(), computer.disk.syncs())
}

/// None in a run of all tests.
fn seeds() -> Option<u64> {
    let seeds = std::env::var("DOCKET_DISKS").ok()?;
    Some(seeds.parse().expect("DOCKET_DISKS is a number of seeds"))
}

/// Runs them, and names each that did not hold: the same again is `DOCKET_DISKS_CUT="Sync 3 7"`, with
/// the seed last.
async fn all(cuts: impl IntoIterator<Item = (Cut, u64)>) -> usize {
    let runs = stream::iter(cuts).map(|(at, seed)| async move {
        let run = tokio::spawn(cut(at, seed)).await;
        (at, seed, run.ok())
    });
    let ended: Vec<_> = runs.buffer_unordered(AT_ONCE).collect().await;
    let broken: Vec<_> = ended.iter().filter(|(_, _, held)| held.is_none()).collect();
    assert!(broken.is_empty(), "did not hold: {broken:?}");
    ended.iter().filter(|(_, _, held)| *held == Some(true)).count()
}

#[tokio::test]
async fn at_every_sync() {
    let (_, syncs) = length().await;
    let seeds = seeds().unwrap_or(1);
    let cuts =
        (1..=syncs).flat_map(|n| (0..seeds).map(move |seed| (Cut::Sync(n), n + seed * 1000)));
    let held = all(cuts).await;
    assert!(held > 10, "{held} of {syncs}");
}

#[tokio::test]
async fn at_the_calls_between() {
    let (calls, _) = length().await;
    let (stride, seeds) = seeds().map_or((STRIDE, 1), |seeds| (1, seeds));
    let cuts = (1..=calls).step_by(stride);
    let cuts = cuts.flat_map(|n| (0..seeds).map(move |seed| (Cut::Call(n), n + seed * 1000)));
    let held = all(cuts).await;
    assert!(held > 10, "{held} of {calls}");
}

#[tokio::test]
async fn while_it_mends_what_the_first_cut_left() {
    let (calls, _) = length().await;
    let (stride, seeds) = seeds().map_or((40, 1), |seeds| (7, seeds));
    let cuts = (1..=calls).step_by(stride);
    let cuts = cuts.flat_map(|n| (0..seeds).map(move |seed| (n, (n + seed) % 23 + 1, n + seed)));
    let runs = stream::iter(cuts).map(|(first, second, seed)| async move {
        let run = tokio::spawn(cut_twice(first, second, seed)).await;
        (first, second, seed, run.is_ok())
    });
    let ended: Vec<_> = runs.buffer_unordered(AT_ONCE).collect().await;
    let broken: Vec<_> = ended.iter().filter(|(.., held)| !held).collect();
    assert!(broken.is_empty(), "did not hold: {broken:?}");
}

/// One cut by hand, as a failing run names it.
#[tokio::test]
async fn the_cut_that_is_named() {
    let named = std::env::var("DOCKET_DISKS_CUT").unwrap_or_else(|_| "Sync 1 1".to_owned());
    let mut words = named.split([' ', '(', ')', ',']).filter(|word| !word.is_empty());
    let mut next = || words.next().expect("a kind, a number and a seed");
    let kind = next();
    let mut number = || next().parse().expect("a number");
    let (n, seed) = (number(), number());
    let at = if kind == "Sync" { Cut::Sync(n) } else { Cut::Call(n) };
    assert!(cut(at, seed).await, "it was over before");
}
