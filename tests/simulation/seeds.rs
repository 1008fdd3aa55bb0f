//! The seeds: a share of them with every run of the tests, any number by hand.
//!
//! `cargo xtask test --soak N [--from S]` runs N of them, `cargo xtask test --seed S` replays one and
//! prints its timeline. The same seed gives the same timeline.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::OnceLock,
};

use docket_engine::mutants::{self, Mutant};
use sha2::{Digest, Sha256};
use tokio::runtime::{Builder, Runtime};

use crate::{
    coverage::Met,
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
    /// What befell whom in it.
    pub met: Met,
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
    played_as(script, Voice::Silent, None)
}

/// The same with a rule of the engine broken.
pub fn played_with(script: Script, broken: Mutant) -> Played {
    played_as(script, Voice::Silent, Some(broken))
}

fn played_as(script: Script, voice: Voice, broken: Option<Mutant>) -> Played {
    let tale = Tale::new(voice);
    let kept = tale.clone();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .on_thread_start(move || mutants::on_this_thread(broken))
        .build();
    let runtime = runtime.expect("a runtime can be made");
    let work = AssertUnwindSafe(|| {
        runtime.block_on(async {
            let mut play = Play::set_up(script, elsewhere().handle(), tale).await;
            let held = play.run().await;
            let met = play.met.clone();
            play.close().await;
            (held, met)
        })
    });
    let ended = mutants::with(broken, || catch_unwind(work));
    let (broken, met) = match ended {
        Ok((held, met)) => (held.err(), met),
        Err(panic) => (Some(said(&*panic)), Met::default()),
    };
    runtime.shutdown_background();
    Played { tale: kept.text(), broken, met }
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "a panic without words".to_owned())
}

/// Plays these seeds, and tells of each that broke a law.
fn run(seeds: impl Iterator<Item = u64>) {
    let (mut broken, mut met) = (0, Met::default());
    for seed in seeds {
        // A seed that hangs is known by the last of these lines.
        println!("playing seed {seed}");
        let played = played(draw::script(seed));
        // Whoever plays it again, also elsewhere, hears the same.
        println!("seed {seed} told {}", hex::encode(&Sha256::digest(&played.tale)[..6]));
        met.add(&played.met);
        if let Some(law) = &played.broken {
            broken += 1;
            println!("{}\nbroken by seed {seed}: {law}", played.tale);
            println!("replay it: cargo xtask test --seed {seed}\n");
        }
    }
    print!("{met}");
    assert_eq!(broken, 0, "{broken} seeds broke a law");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// How many of the first seeds notice each broken rule, and which is the first: asked by hand.
#[test]
fn who_notices_by_hand() {
    let Some(count) = number("DOCKET_MUTANT_SEEDS") else { return };
    for mutant in crate::mutants::ALL {
        let noticed = |seed: &u64| played_with(draw::script(*seed), mutant).broken.is_some();
        let noticed: Vec<u64> = (0..count).filter(noticed).collect();
        println!("{mutant:?}: {} of {count}, first {:?}", noticed.len(), noticed.first());
    }
}

/// What `cargo xtask test --soak` and `--seed` run; a usual run has no number to begin with.
#[test]
fn by_hand() {
    let Some(from) = number("DOCKET_SEED_FROM") else { return };
    let count = number("DOCKET_SEED_COUNT").unwrap_or(1);
    if count > 1 {
        return run(from..from + count);
    }
    let played = played_as(draw::script(from), Voice::Aloud, None);
    assert_eq!(played.broken, None);
}

/// The seeds of a usual run, as tests of their own, so that several of them run at once.
macro_rules! shares {
    ($($name:ident: $number:literal),*) => {
        $(
            #[test]
            fn $name() {
                run($number * SHARE..($number + 1) * SHARE);
            }
        )*
    };
}

shares! {
    seeds_0: 0, seeds_1: 1, seeds_2: 2, seeds_3: 3, seeds_4: 4, seeds_5: 5, seeds_6: 6, seeds_7: 7,
    seeds_8: 8, seeds_9: 9
}

#[test]
fn a_seed_replays_exactly() {
    for seed in [1, 9, 16, 17, 62, 70, 98, 99] {
        let (once, twice) = (played(draw::script(seed)), played(draw::script(seed)));
        assert_eq!(once.tale, twice.tale, "seed {seed}");
    }
}
