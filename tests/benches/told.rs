//! The figures as a table for a person and as JSON for whoever keeps them.

use std::path::Path;

use serde::Serialize;

use crate::measured::{Bar, Figure, Told, Verdict};

/// What quality.md asks for besides, and why it is not here.
pub const NOT_MEASURED_HERE: [(&str, &str); 5] = [
    ("window start with 100,000 exports, against a bare window", "needs the window"),
    ("a frame under 16 ms while 10,000 exports confirm", "needs the window"),
    ("open and scroll of 100,000 exports on the screen", "needs the window"),
    ("bundle of 100,000 attempts, against zipping a copy", "needs the diagnostic bundle"),
    ("installed size", "needs the installer of the window"),
];

/// A run as it is kept: the figures so far, and on what machine.
#[derive(Serialize)]
pub struct Run {
    schema: &'static str,
    processors: usize,
    system: &'static str,
    /// How many threads wanted to run in the minute before it began, and before its last bench ended,
    /// where the system tells: far more than there are processors, and the times say little.
    load_before: Option<f64>,
    load_after: Option<f64>,
    figures: Vec<Figure>,
    /// Benches that broke.
    broken: Vec<&'static str>,
    not_measured_here: Vec<NotMeasured>,
}

#[derive(Serialize)]
struct NotMeasured {
    figure: &'static str,
    why: &'static str,
}

impl Run {
    /// A run that begins now. Prints the head of the table.
    pub fn begin() -> Self {
        let run = Self {
            schema: "docket-figures/1",
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            system: std::env::consts::OS,
            load_before: load(),
            load_after: None,
            figures: Vec::new(),
            broken: Vec::new(),
            not_measured_here: NOT_MEASURED_HERE
                .iter()
                .map(|(figure, why)| NotMeasured { figure, why })
                .collect(),
        };
        println!("{} processors, load {}", run.processors, short_load(run.load_before));
        println!(
            "{:<66} {:>18} {:>18} {:>7} {:>13}  bar",
            "figure", "ours (p95)", "bare (p95)", "ratio", "rounds"
        );
        run
    }

    /// What a bench measured; printed at once.
    pub fn take(&mut self, bench: &'static str, figures: Vec<Figure>) {
        if figures.is_empty() {
            self.broke(bench);
        }
        figures.iter().for_each(line);
        self.figures.extend(figures);
        self.load_after = load();
    }

    /// A bench broke.
    pub fn broke(&mut self, bench: &'static str) {
        println!("{bench}: BROKEN, as said above");
        self.broken.push(bench);
        self.load_after = load();
    }

    /// Prints what was left out, with the reason, and the load.
    pub fn end(&self) {
        println!();
        for (figure, why) in NOT_MEASURED_HERE {
            println!("not measured here: {figure}: {why}");
        }
        let (before, after) = (short_load(self.load_before), short_load(self.load_after));
        println!(
            "load of the last minute on {} processors: {before} before, {after} after",
            self.processors
        );
    }

    /// What was measured so far.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.figures.iter()
    }

    /// Whether no bench broke.
    pub fn is_whole(&self) -> bool {
        self.broken.is_empty()
    }

    /// Writes the run so far as JSON.
    ///
    /// # Panics
    /// The file can not be written.
    pub fn write(&self, path: &Path) {
        let text = serde_json::to_string_pretty(self).expect("figures are plain numbers");
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the folder of the figures can be made");
        }
        std::fs::write(path, text + "\n").expect("the figures can be written");
    }
}

/// How many threads wanted to run in the last minute, on average; Linux alone tells.
fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

fn short_load(load: Option<f64>) -> String {
    load.map_or_else(|| "not known".to_owned(), |load| format!("{load:.1}"))
}

/// Prints one line of the table, and its notes.
fn line(figure: &Figure) {
    let side = |told: &Told| format!("{} ({})", short(told.median), short(told.p95));
    let bare = figure.bare.as_ref().map_or_else(|| "-".to_owned(), side);
    let ratio = figure.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let rounds = figure
        .ratio_of_rounds
        .map_or_else(|| "-".to_owned(), |(least, most)| format!("{least:.2} – {most:.2}"));
    let what = format!("{}: {}, {}", figure.bench, figure.figure, figure.unit);
    println!(
        "{what:<66} {:>18} {bare:>18} {ratio:>7} {rounds:>13}  {}",
        side(&figure.ours),
        judged(figure)
    );
    for note in &figure.notes {
        println!("    {note}");
    }
}

fn judged(figure: &Figure) -> String {
    let bar = match figure.bar {
        Bar::RatioAtMost(bound) => format!("ratio ≤ {bound}"),
        Bar::RatioAtLeast(bound) => format!("ratio ≥ {bound}"),
        Bar::P95AtMost(bound) => format!("p95 ≤ {bound} {}", figure.unit),
        Bar::EachAtMost(bound) => format!("each ≤ {bound} {}", figure.unit),
    };
    match figure.verdict {
        Verdict::Met => format!("{bar}: met"),
        Verdict::Missed => format!("{bar}: MISSED"),
    }
}

/// Three figures that count.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size < 10.0 => format!("{value:.3}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}
