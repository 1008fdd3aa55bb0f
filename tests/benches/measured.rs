//! What was measured: two sides, round by round, and what the bar says of them.
//!
//! The sides take turns, so that whatever else the machine does falls on both. Only the medians over
//! all rounds are held against a bar; how far the rounds lie apart is told beside them.

use serde::Serialize;

/// Rounds of a figure at least: fewer say nothing of the noise.
pub const ROUNDS_MIN: usize = 5;

/// What a figure is held to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bar {
    /// The ratio of the medians, ours to the bare one, is at most this.
    RatioAtMost(f64),
    /// The ratio of the medians, ours to the bare one, is at least this.
    RatioAtLeast(f64),
    /// Our 95th percentile is at most this.
    P95AtMost(f64),
    /// None of ours is more than this.
    EachAtMost(f64),
}

/// What became of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It keeps to its bar.
    Met,
    /// It does not.
    Missed,
}

/// One side: the values of each round.
#[derive(Clone, Debug, Default)]
pub struct Side {
    rounds: Vec<Vec<f64>>,
}

/// One side as it is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Told {
    /// Of all values.
    pub median: f64,
    /// The 95th percentile of all values.
    pub p95: f64,
    /// How many values there are.
    pub values: usize,
    /// The median of each round.
    pub rounds: Vec<f64>,
}

impl Side {
    /// Another round.
    pub fn round(&mut self, values: Vec<f64>) {
        self.rounds.push(values);
    }

    /// Its values as they are told.
    ///
    /// # Panics
    /// Nothing was measured.
    pub fn told(&self) -> Told {
        let all: Vec<f64> = self.rounds.iter().flatten().copied().collect();
        Told {
            median: percentile(&all, 50),
            p95: percentile(&all, 95),
            values: all.len(),
            rounds: self.rounds.iter().map(|round| percentile(round, 50)).collect(),
        }
    }

    fn most(&self) -> f64 {
        self.rounds.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max)
    }
}

/// One line of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The bench that measured it.
    pub bench: &'static str,
    /// What it is.
    pub figure: String,
    /// What its values count: `ms`, `MB/s`, `requests/s`, …
    pub unit: &'static str,
    /// What our side is.
    pub ours_is: String,
    /// What the bare side is; absent where there is none.
    pub bare_is: Option<String>,
    /// Our side.
    pub ours: Told,
    /// The bare side.
    pub bare: Option<Told>,
    /// Ours to the bare one, of the medians.
    pub ratio: Option<f64>,
    /// The least and the most ratio of one round.
    pub ratio_of_rounds: Option<(f64, f64)>,
    /// What it is held to.
    pub bar: Bar,
    /// What became of it.
    pub verdict: Verdict,
    /// What else was seen.
    pub notes: Vec<String>,
}

/// What is measured, in words.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The bench.
    pub bench: &'static str,
    /// What it is.
    pub figure: String,
    /// What its values count.
    pub unit: &'static str,
    /// What our side is.
    pub ours: String,
    /// What the bare side is.
    pub bare: String,
}

impl Figure {
    /// Holds two sides against a bar.
    pub fn of_pair(subject: Subject, bar: Bar, ours: &Side, bare: &Side) -> Self {
        let (mine, other) = (ours.told(), bare.told());
        let ratios: Vec<f64> =
            mine.rounds.iter().zip(&other.rounds).map(|(a, b)| ratio(*a, *b)).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_medians = ratio(mine.median, other.median);
        let holds = match bar {
            Bar::RatioAtMost(bound) => of_medians <= bound,
            Bar::RatioAtLeast(bound) => of_medians >= bound,
            Bar::P95AtMost(bound) => mine.p95 <= bound,
            Bar::EachAtMost(bound) => ours.most() <= bound,
        };
        Self {
            bench: subject.bench,
            figure: subject.figure,
            unit: subject.unit,
            ours_is: subject.ours,
            bare_is: Some(subject.bare),
            ours: mine,
            bare: Some(other),
            ratio: Some(of_medians),
            ratio_of_rounds: Some((least, most)),
            bar,
            verdict: if holds { Verdict::Met } else { Verdict::Missed },
            notes: Vec::new(),
        }
    }

    /// The same with something that was seen beside it.
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Nothing to nothing is one.
fn ratio(ours: f64, bare: f64) -> f64 {
    if ours == bare { 1.0 } else { ours / bare }
}

/// The nearest rank.
fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}
