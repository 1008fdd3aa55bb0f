//! What is kept while a job that is known is followed: how far it was said to be, and what a wish to
//! cancel it waits for. Pure.
//!
//! Progress is what a person would call so: a status that the job did not have before, a count that
//! is past its highest, a place nearer to the head of the queue, a file. A revision that grows alone
//! is none, and neither is a job that begins again and again and never gets further.

use std::collections::{BTreeMap, btree_map::Entry};

use docket_wire::Export as Job;
use serde::{Deserialize, Serialize};

/// What is kept apart of one job; what a service makes up beyond it is no progress.
const MARKS_MAX: usize = 64;
/// By so many characters of its name a step is known again.
const STEP_CHARS: usize = 64;

/// What the wish to cancel a job that is known waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CancelTurn {
    /// Nothing: it may be asked for.
    #[default]
    Due,
    /// It was asked for and no answer came: a poll says first whether there is anything left to
    /// cancel.
    AfterPoll,
    /// The service said that the job has ended: a poll tells how.
    Over,
}

impl CancelTurn {
    /// Whether nothing is waited for.
    pub(super) fn is_due(&self) -> bool {
        *self == Self::Due
    }
}

/// The furthest that one job was said to be: of each thing that can move, its highest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Furthest(BTreeMap<String, u64>);

impl Furthest {
    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes a statement in and says whether the job got further by it.
    pub fn moved_by(&mut self, job: &Job) -> bool {
        let mut moved = false;
        for (mark, reached) in marks(job) {
            let is_full = self.0.len() >= MARKS_MAX;
            match self.0.entry(mark) {
                Entry::Occupied(mut known) if *known.get() < reached => {
                    known.insert(reached);
                    moved = true;
                }
                Entry::Vacant(new) if !is_full => {
                    new.insert(reached);
                    moved = true;
                }
                Entry::Occupied(_) | Entry::Vacant(_) => {}
            }
        }
        moved
    }
}

fn marks(job: &Job) -> impl Iterator<Item = (String, u64)> {
    let status = Some((format!("status {}", job.status), 0));
    let file = job.file.as_ref().map(|_| ("file".to_owned(), 0));
    let count = job.progress.as_ref().map(|progress| {
        let step = progress.step.as_deref().unwrap_or_default();
        let step: String = step.chars().take(STEP_CHARS).collect();
        (format!("step {step}"), progress.done)
    });
    let ahead = job.progress.as_ref().and_then(|progress| progress.ahead);
    let place = ahead.map(|ahead| ("place".to_owned(), u64::MAX - ahead));
    [status, file, count, place].into_iter().flatten()
}
