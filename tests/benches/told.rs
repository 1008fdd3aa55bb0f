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

/// The whole run.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    processors: usize,
    system: &'static str,
    figures: &'a [Figure],
    not_measured_here: Vec<NotMeasured>,
}

#[derive(Serialize)]
struct NotMeasured {
    figure: &'static str,
    why: &'static str,
}

/// Prints the head of the table.
pub fn head() {
    println!(
        "{:<58} {:>18} {:>18} {:>7} {:>13}  bar",
        "figure", "ours (p95)", "bare (p95)", "ratio", "rounds"
    );
}

/// Prints one line of the table, and its notes.
pub fn line(figure: &Figure) {
    let side = |told: &Told| format!("{} ({})", short(told.median), short(told.p95));
    let bare = figure.bare.as_ref().map_or_else(|| "-".to_owned(), side);
    let ratio = figure.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let rounds = figure
        .ratio_of_rounds
        .map_or_else(|| "-".to_owned(), |(least, most)| format!("{least:.2} – {most:.2}"));
    let what = format!("{}: {}, {}", figure.bench, figure.figure, figure.unit);
    println!(
        "{what:<58} {:>18} {bare:>18} {ratio:>7} {rounds:>13}  {}",
        side(&figure.ours),
        judged(figure)
    );
    for note in &figure.notes {
        println!("    {note}");
    }
}

/// Prints what was left out, with the reason.
pub fn left_out() {
    println!();
    for (figure, why) in NOT_MEASURED_HERE {
        println!("not measured here: {figure}: {why}");
    }
}

/// Writes the run as JSON.
///
/// # Panics
/// The file can not be written.
pub fn write(path: &Path, figures: &[Figure]) {
    let document = Document {
        schema: "docket-figures/1",
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        system: std::env::consts::OS,
        figures,
        not_measured_here: NOT_MEASURED_HERE
            .iter()
            .map(|(figure, why)| NotMeasured { figure, why })
            .collect(),
    };
    let text = serde_json::to_string_pretty(&document).expect("figures are plain numbers");
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).expect("the folder of the figures can be made");
    }
    std::fs::write(path, text + "\n").expect("the figures can be written");
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
