//! All that is stored of one export, as one value: what the pure functions are given and what a
//! write verb changes.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{
    capabilities::ServiceFacts, delivery::Delivery, export::Export, journal::Journal,
    knowledge::Knowledge, stage::Stage,
};

/// One export with everything that is known, planned and wished about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// What never changes.
    pub export: Export,
    /// The report's title by language, as it was when the intent was recorded.
    pub title: BTreeMap<String, String>,
    /// What is proved.
    pub knowledge: Knowledge,
    /// What is under way, planned and wished.
    pub journal: Journal,
    /// Where the file is.
    pub delivery: Delivery,
    /// What the service can do, by the last describe made for it.
    pub facts: Option<ServiceFacts>,
    /// The stage as of the last write: for lists alone.
    pub stage: Stage,
    /// When there is something to do; None where it waits for a person or is done.
    pub next_action_at: Option<Timestamp>,
    /// Grows by one with every write.
    pub version: u64,
    /// When it was last written.
    pub updated_at: Timestamp,
}
