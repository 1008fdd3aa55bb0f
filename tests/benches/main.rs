//! `cargo xtask bench`: the figures that Docket is held to, each against the bare thing, both sides
//! measured in the same run.
//!
//! ```text
//! figures [NAME]... [--json FILE]
//! ```
//!
//! Ends with 1 where a figure missed its bar or a bench broke, so that it can stand as a gate. One that
//! breaks takes none of the others with it, and what was measured so far is on the disk after each.
//! Asked for its tests, as a test runner asks of every target, it names none.

mod bare;
mod click;
mod confirming;
mod download;
mod idle;
mod list;
mod measured;
mod place;
mod submits;
mod told;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use measured::{Figure, Verdict};
use told::Run;

/// A bench by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bench {
    Click,
    List,
    Download,
    Confirming,
    Idle,
    Submits,
}

impl Bench {
    const ALL: [Self; 6] =
        [Self::Click, Self::List, Self::Download, Self::Confirming, Self::Idle, Self::Submits];

    fn name(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::List => "list",
            Self::Download => "download",
            Self::Confirming => "confirming",
            Self::Idle => "idle",
            Self::Submits => "submits",
        }
    }

    async fn run(self) -> Vec<Figure> {
        match self {
            Self::Click => click::run().await,
            Self::List => list::run().await,
            Self::Download => download::run().await,
            Self::Confirming => confirming::run().await,
            Self::Idle => idle::run().await,
            Self::Submits => submits::run().await,
        }
    }
}

/// How long the work that a bench left behind may take to end.
const LEFT_BEHIND: Duration = Duration::from_secs(10);

/// What was typed.
struct Asked {
    benches: Vec<Bench>,
    json: Option<PathBuf>,
}

impl Asked {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Unheard> {
        let (mut benches, mut json) = (Vec::new(), None);
        while let Some(word) = words.next() {
            match word.as_str() {
                // Cargo says it of every bench.
                "--bench" => {}
                "--json" => json = Some(words.next().ok_or(Unheard("--json needs a file".into()))?),
                name => {
                    let known = Bench::ALL.into_iter().find(|bench| bench.name() == name);
                    let known = known.ok_or_else(|| {
                        let names = Bench::ALL.map(Bench::name).join(", ");
                        Unheard(format!("there is no bench `{name}`: {names}"))
                    })?;
                    benches.push(known);
                }
            }
        }
        if benches.is_empty() {
            benches.extend(Bench::ALL);
        }
        Ok(Self { benches, json: json.map(PathBuf::from) })
    }
}

/// Why nothing was measured.
struct Unheard(String);

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let asked = match Asked::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(Unheard(why)) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    let mut run = Run::begin();
    for bench in asked.benches {
        match measure(bench) {
            Some(figures) => run.take(bench.name(), figures),
            None => run.broke(bench.name()),
        }
        if let Some(file) = &asked.json {
            run.write(file);
        }
    }
    run.end();
    if let Some(file) = &asked.json {
        println!("written: {}", file.display());
    }
    let missed = run.figures().filter(|figure| figure.verdict == Verdict::Missed).count();
    if missed == 0 && run.is_whole() {
        return ExitCode::SUCCESS;
    }
    println!("{missed} missed");
    ExitCode::FAILURE
}

/// Runs one bench, with a runtime of its own: what it leaves behind burdens no other. None where it
/// broke; why, it has said itself.
fn measure(bench: Bench) -> Option<Vec<Figure>> {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime can be made");
    let measured = catch_unwind(AssertUnwindSafe(|| runtime.block_on(bench.run())));
    runtime.shutdown_timeout(LEFT_BEHIND);
    measured.ok()
}
