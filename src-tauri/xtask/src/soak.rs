//! `cargo xtask test --soak N` and `--seed S`: the simulation by hand.
//!
//! The program of the tests is built once, with the profile `soak`, and run by as many processes as there are
//! processors, each with a share of the seeds at a time. It prints the timeline of each seed that breaks a law, and how
//! to replay it; here they are counted. It prints too what befell which call in which row of the capability table; that
//! is added up to one table. The last line is `N seeds, F failed`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};

use crate::machine::{self, Purpose};
use crate::paths::{self, cargo};

/// With so many seeds for each cell, one that was never met is a fault of its plot.
const SEEDS_FOR_EACH: u64 = 8;

/// Seeds that one process plays: few enough that progress is seen, many enough that its start costs nothing.
const SHARE: u64 = 50;
/// What the program prints before the number of a seed that broke a law.
const BROKEN: &str = "broken by seed ";

/// What it prints before each cell of the table: row, call, what befell it, how often.
const MET: &str = "met ";

/// How often something befell a kind of call, by what befell it and the kind; within, by the row of the capability
/// table.
type Cells = BTreeMap<(String, String), BTreeMap<String, u64>>;

/// Which seeds.
pub enum Seeds {
    /// So many from this one on.
    Soak { from: u64, count: u64 },
    /// This one, with its timeline.
    Replay(u64),
}

impl Seeds {
    /// The seeds that the arguments of `cargo xtask test` ask for, if they ask for any.
    pub fn asked_for(arguments: &[String]) -> Result<Option<Self>> {
        let value = |name: &str| -> Result<Option<u64>> {
            let Some(at) = arguments.iter().position(|argument| argument == name) else {
                return Ok(None);
            };
            let value = arguments.get(at + 1).with_context(|| format!("{name} needs a number"))?;
            Ok(Some(value.parse().with_context(|| format!("{name} {value}"))?))
        };
        let (soak, from, seed) = (value("--soak")?, value("--from")?, value("--seed")?);
        let known = [soak, from, seed].iter().flatten().count();
        let asked = match (soak, from, seed) {
            (None, None, None) => return Ok(None),
            (Some(count), from, None) => Self::Soak { from: from.unwrap_or(0), count },
            (None, None, Some(seed)) => Self::Replay(seed),
            (..) => bail!("choose either --soak N [--from S] or --seed S"),
        };
        if arguments.len() != 2 * known {
            bail!("--soak, --from and --seed stand alone, each with a number");
        }
        Ok(Some(asked))
    }
}

/// Builds and runs them.
pub fn run(seeds: &Seeds) -> Result<ExitCode> {
    machine::prepare(Purpose::Terminal)?;
    let program = build()?;
    match *seeds {
        Seeds::Replay(seed) => {
            let status = simulation(&program, seed, 1).status()?;
            Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Seeds::Soak { from, count } => soak(&program, from, count),
    }
}

/// The program of the test target `simulation`.
fn build() -> Result<PathBuf> {
    let built = cargo(&["test", "--workspace", "--test", "simulation", "--profile", "soak"])
        .args(["--no-run", "--message-format=json"])
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cargo")?;
    if !built.status.success() {
        bail!("the simulation does not build");
    }
    let messages = String::from_utf8_lossy(&built.stdout);
    let program = messages.lines().rev().find_map(|line| {
        let rest = line.split(r#""executable":""#).nth(1)?;
        Some(rest.split('"').next()?.replace(r"\\", r"\"))
    });
    program.map(PathBuf::from).context("cargo names no program")
}

fn simulation(program: &PathBuf, from: u64, count: u64) -> Command {
    let mut command = paths::command(program);
    command
        .args(["--exact", "seeds::by_hand", "--nocapture"])
        .env("DOCKET_SEED_FROM", from.to_string())
        .env("DOCKET_SEED_COUNT", count.to_string());
    command
}

fn soak(program: &PathBuf, from: u64, count: u64) -> Result<ExitCode> {
    let (next, played) = (AtomicU64::new(0), AtomicU64::new(0));
    let (failed, cells) = (Mutex::new(Vec::new()), Mutex::new(Cells::new()));
    let work = || -> Result<()> {
        loop {
            let begin = next.fetch_add(SHARE, Ordering::Relaxed);
            if begin >= count {
                return Ok(());
            }
            let share = SHARE.min(count - begin);
            let output = simulation(program, from + begin, share).output()?;
            let said = String::from_utf8_lossy(&output.stdout);
            let mut broken = broken_seeds(&said);
            if !output.status.success() {
                println!("{said}{}", String::from_utf8_lossy(&output.stderr));
                if broken.is_empty() {
                    // It did not come to its end: nobody knows which seed it was.
                    broken.push(from + begin);
                }
            }
            add_met(&mut cells.lock().expect("nobody panics with it"), &said);
            let mut all = failed.lock().expect("nobody panics with it");
            all.extend(broken);
            let done = played.fetch_add(share, Ordering::Relaxed) + share;
            println!("{done} of {count} seeds, {} failed", all.len());
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let ends = workers.into_iter().map(|worker| worker.join().expect("a worker ends"));
        ends.collect::<Result<Vec<()>>>()
    })?;
    let cells = cells.into_inner().expect("nobody panics with it");
    print!("{}", table(&cells));
    let failed = failed.into_inner().expect("nobody panics with it");
    for seed in &failed {
        println!("replay it: cargo xtask test --seed {seed}");
    }
    println!("{count} seeds, {} failed", failed.len());
    let (all, empty) = holes(&cells);
    let full = empty == 0 || count < SEEDS_FOR_EACH * all as u64;
    if !full {
        println!("{empty} cells were never met: their plots do not come to what they are about");
    }
    Ok(if failed.is_empty() && full { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Adds up what the program said that it met.
fn add_met(cells: &mut Cells, said: &str) {
    for line in said.lines().filter_map(|line| line.strip_prefix(MET)) {
        let words: Vec<&str> = line.split(' ').collect();
        if let [row, call, what, times] = words[..]
            && let Ok(times) = times.parse::<u64>()
        {
            let cell = cells.entry((what.to_owned(), call.to_owned())).or_default();
            *cell.entry(row.to_owned()).or_default() += times;
        }
    }
}

/// What befell whom: in each cell how often, in the row of the capability table in which that was rarest.
fn table(cells: &Cells) -> String {
    let calls: BTreeSet<&String> = cells.keys().map(|(_, call)| call).collect();
    let whats: BTreeSet<&String> = cells.keys().map(|(what, _)| what).collect();
    let mut text = format!("{:<20}", "rarest in any row");
    calls.iter().for_each(|call| text.push_str(&format!("{call:>11}")));
    for what in whats {
        text.push_str(&format!("\n{what:<20}"));
        for call in &calls {
            let rows = cells.get(&(what.clone(), (*call).clone()));
            let rarest = rows.and_then(|rows| rows.values().min());
            text.push_str(&rarest.map_or_else(|| format!("{:>11}", "-"), |n| format!("{n:>11}")));
        }
    }
    let (all, empty) = holes(cells);
    text.push_str(&format!(
        "\n{all} cells (what befell × call × row), {empty} of them never met\n"
    ));
    text
}

/// How many cells there are, and how many were never met.
fn holes(cells: &Cells) -> (usize, usize) {
    let all = cells.values().flat_map(BTreeMap::values);
    (all.clone().count(), all.filter(|times| **times == 0).count())
}

/// The seeds of which the program said that they broke a law.
fn broken_seeds(said: &str) -> Vec<u64> {
    let numbers = said.lines().filter_map(|line| line.strip_prefix(BROKEN)?.split(':').next());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Cells, Seeds, add_met, broken_seeds, table};

    fn asked(words: &[&str]) -> anyhow::Result<Option<Seeds>> {
        Seeds::asked_for(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn seeds_are_asked_for_by_number() {
        assert!(matches!(asked(&[]), Ok(None)));
        let soak = asked(&["--soak", "500", "--from", "7"]);
        assert!(matches!(soak, Ok(Some(Seeds::Soak { from: 7, count: 500 }))));
        assert!(matches!(asked(&["--seed", "12"]), Ok(Some(Seeds::Replay(12)))));
        for wrong in [&["--soak"][..], &["--seed", "x"], &["--from", "3"], &["--seed", "1", "-v"]] {
            assert!(asked(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_was_met_is_added_up() {
        let mut cells = Cells::new();
        add_met(&mut cells, "met 0 Submit Portal 2\nplaying seed 3\nmet 1 Submit Portal 0\n");
        add_met(&mut cells, "met 0 Submit Portal 1\nmet 0 Key Portal 4\n");
        let told = table(&cells);
        assert!(told.contains("3 cells (what befell × call × row), 1 of them never met"), "{told}");
        assert!(told.lines().nth(1).is_some_and(|line| line.ends_with("4          0")), "{told}");
    }

    #[test]
    fn seeds_that_broke_a_law_are_counted() {
        let said = "a line\nbroken by seed 41: two jobs\nreplay it\nbroken by seed 7: gone\n";
        assert_eq!(broken_seeds(said), [41, 7]);
    }
}
