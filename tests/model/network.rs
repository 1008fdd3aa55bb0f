//! What is on its way: requests, and their answers.
//!
//! The wire keeps no order. A request whose caller gave up is still on it, and arrives whenever it
//! likes, or never. An answer whose caller gave up is nobody's.

use docket_engine::{attempt::AttemptResult, plan::LookBy};
use jiff::Timestamp;

use crate::world::World;

/// What a request asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    Describe,
    Submit,
    Abandon,
    Cancel(String),
    ByKey,
    ByJob(String),
    ByTraits(Timestamp, Timestamp),
}

impl Ask {
    /// The question of a look.
    pub fn of_look(by: &LookBy, created: (Timestamp, Timestamp)) -> Self {
        match by {
            LookBy::Job(id) => Self::ByJob(id.to_string()),
            LookBy::Key => Self::ByKey,
            LookBy::Traits => Self::ByTraits(created.0, created.1),
        }
    }

    /// Whether it can change anything at the service.
    pub fn changes_something(&self) -> bool {
        match self {
            Self::Submit | Self::Abandon | Self::Cancel(_) => true,
            Self::Describe | Self::ByKey | Self::ByJob(_) | Self::ByTraits(..) => false,
        }
    }

    /// Whether it names a key, and so carries a First-Sent.
    pub fn names_a_key(&self) -> bool {
        match self {
            Self::Submit | Self::Abandon | Self::ByKey => true,
            Self::Describe | Self::Cancel(_) | Self::ByJob(_) | Self::ByTraits(..) => false,
        }
    }
}

/// A request on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter {
    /// Whose.
    pub export: usize,
    /// Which attempt of it.
    pub no: u32,
    pub ask: Ask,
    pub key: String,
    pub first_sent: Option<Timestamp>,
    /// Whose credential it carries.
    pub caller: &'static str,
}

/// An answer on its way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    pub export: usize,
    pub no: u32,
    pub result: AttemptResult,
}

/// Whether anybody can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    Up,
    /// No connection can be opened.
    Refusing,
    /// Requests go out, nothing comes in.
    Silent,
}

impl World {
    /// Puts a request on the wire. Its order there is no order in time.
    pub fn post(&mut self, letter: Letter) {
        self.letters.push(letter);
        self.letters.sort();
    }

    /// Whether the caller still waits for the answer to this attempt.
    pub fn is_awaited(&self, export: usize, no: u32) -> bool {
        self.exports[export].calls.iter().any(|call| call.no == no)
    }

    /// What nobody waits for and what can change nothing is as good as gone.
    pub fn sweep_the_wire(&mut self) {
        let exports = &self.exports;
        let awaited =
            |export: usize, no: u32| exports[export].calls.iter().any(|call| call.no == no);
        self.letters
            .retain(|letter| letter.ask.changes_something() || awaited(letter.export, letter.no));
        self.answers.retain(|answer| awaited(answer.export, answer.no));
    }
}
