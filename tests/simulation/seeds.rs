//! The seeds: a share of them with every run of the tests, any number by hand.
//!
//! `cargo xtask test --soak N [--from S]` runs N of them, `cargo xtask test --seed S` replays one and
//! prints its timeline. The same seed gives the same timeline.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::OnceLock,
};

use tokio::runtime::{Builder, Runtime};

use crate::{
    draw,
    play::Play,
    script::Script,
    tale::{Tale, Voice},
};

/// Seeds of one test of a usual run.
const SHARE: u64 = 60;

/// How a script was played.
pub struct Played {
    /// Its timeline.
    pub tale: String,
    /// The law that it broke.
    pub broken: Option<String>,
}

/// Where services run: threads that they keep do not keep the time of a play.
fn elsewhere() -> &'static Runtime {
    static ELSEWHERE: OnceLock<Runtime> = OnceLock::new();
    ELSEWHERE.get_or_init(|| {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        runtime.expect("a runtime can be made")
    })
}

/// Plays a script in a world of its own.
pub fn played(script: Script) -> Played {
    played_as(script, Voice::Silent)
}

fn played_as(script: Script, voice: Voice) -> Played {
    let tale = Tale::new(voice);
    let kept = tale.clone();
    let runtime = Builder::new_current_thread().enable_all().start_paused(true).build();
    let runtime = runtime.expect("a runtime can be made");
    let ended = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            let mut play = Play::set_up(script, elsewhere().handle(), tale).await;
            let held = play.run().await;
            play.close().await;
            held
        })
    }));
    let broken = match ended {
        Ok(held) => held.err(),
        Err(panic) => Some(said(&*panic)),
    };
    runtime.shutdown_background();
    Played { tale: kept.text(), broken }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without words".to_owned())
}

/// Plays these seeds, and tells of each that broke a law.
fn run(seeds: impl Iterator<Item = u64>) {
    let mut broken = 0;
    for seed in seeds {
        // A seed that hangs is known by the last of these lines.
        println!("playing seed {seed}");
        let played = played(draw::script(seed));
        if let Some(law) = &played.broken {
            broken += 1;
            println!("{}\nbroken by seed {seed}: {law}", played.tale);
            println!("replay it: cargo xtask test --seed {seed}\n");
        }
    }
    assert_eq!(broken, 0, "{broken} seeds broke a law");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// What `cargo xtask test --soak` and `--seed` run; a usual run has no number to begin with.
#[test]
fn by_hand() {
    let Some(from) = number("DOCKET_SEED_FROM") else { return };
    let count = number("DOCKET_SEED_COUNT").unwrap_or(1);
    if count > 1 {
        return run(from..from + count);
    }
    let played = played_as(draw::script(from), Voice::Aloud);
    assert_eq!(played.broken, None);
}

#[test]
fn seeds_0() {
    run(0..SHARE);
}

#[test]
fn seeds_1() {
    run(SHARE..2 * SHARE);
}

#[test]
fn a_seed_replays_exactly() {
    for seed in [1, 7, 19, 33, 58, 71] {
        let (once, twice) = (played(draw::script(seed)), played(draw::script(seed)));
        assert_eq!(once.tale, twice.tale, "seed {seed}");
    }
}
