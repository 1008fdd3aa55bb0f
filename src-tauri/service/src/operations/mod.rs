//! The reports that this service can make, and the rules for asking for them.
//!
//! One file per report, one line in [`CATALOGUE`]. A report's rows come from its parameters alone,
//! so the same parameters give the same bytes, today and after a restart.

mod check;
mod customers;
mod draw;
mod ledger;
mod orders;
mod places;
mod schema;

use std::ops::ControlFlow;

use docket_wire::{FieldError, Operation};
use jiff::civil::Date;
use serde_json::Value;

pub(crate) use check::{Catalogue, Prepared};

use crate::{files::Format, language::Language};

/// Every report, in the order in which callers see them.
const CATALOGUE: [&dyn ReportKind; 3] =
    [&orders::OrdersByRegion, &customers::CustomersByCountry, &ledger::GeneralLedger];

/// A kind of report.
trait ReportKind: Send + Sync {
    /// What callers are told.
    fn operation(&self) -> Operation;

    /// Reads parameters that keep to the schema, and applies the rules that a schema can not say.
    fn prepare(
        &self,
        parameters: &Value,
        language: Language,
    ) -> Result<Box<dyn Report>, Vec<FieldError>>;
}

/// One report, ready to be written.
pub(crate) trait Report: Send {
    /// The file's name without its ending.
    fn stem(&self) -> String;

    /// The heading of each column.
    fn columns(&self) -> Vec<&'static str>;

    /// How many rows there will be.
    fn total(&self) -> u64;

    /// Hands out the rows in order until told to stop.
    fn rows(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> ControlFlow<()>) -> ControlFlow<()>;
}

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell<'a> {
    /// Words.
    Text(&'a str),
    /// A count.
    Integer(i64),
    /// An amount in hundredths; written as decimal text.
    Money(i64),
    /// A day; written as ISO 8601.
    Date(Date),
}

/// The format that a caller names, if the report comes in it at all.
fn format_of(operation: &Operation, name: &str) -> Option<Format> {
    let format = Format::of_name(name)?;
    operation.formats.iter().any(|known| known == name).then_some(format)
}
