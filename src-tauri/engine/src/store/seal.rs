//! The seal of a row: a checksum of its values, by which a damaged one is told from a whole one.
//!
//! SQLite notices a page that does not fit among its pages, and not a letter that became another.
//! A request key or a body that changed by itself would be sent as it is, so each row carries the
//! CRC-32 of its values and is read only where that still fits. It guards against accidents, not
//! against people.

use rusqlite::{Row, types::ValueRef};

use super::{
    columns::{json, maybe_json, millis, stored_count},
    error::StoreError,
    export::folder_text,
};
use crate::{
    export::{Export, ExportId},
    record::Record,
};

/// Where in `export::COLUMNS` those stand that never change, and their seal.
const INTENT: [usize; 12] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12];
const INTENT_SEAL: usize = 23;
/// Where the others stand, and their seal.
const STATE: [usize; 10] = [0, 6, 13, 14, 15, 16, 17, 18, 20, 21];
const STATE_SEAL: usize = 24;

/// The seal of these values, in this order.
fn of<'a>(values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let mut sum = crc32fast::Hasher::new();
    for value in values {
        // The kind and the length go in too: no two rows of values are the same bytes.
        match value {
            ValueRef::Null => sum.update(&[0]),
            ValueRef::Integer(number) => {
                sum.update(&[1]);
                sum.update(&number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                sum.update(&[2]);
                sum.update(&number.to_le_bytes());
            }
            ValueRef::Text(bytes) => add(&mut sum, 3, bytes),
            ValueRef::Blob(bytes) => add(&mut sum, 4, bytes),
        }
    }
    i64::from(sum.finalize())
}

fn add(sum: &mut crc32fast::Hasher, kind: u8, bytes: &[u8]) {
    sum.update(&[kind]);
    sum.update(&(bytes.len() as u64).to_le_bytes());
    sum.update(bytes);
}

/// Holds the values at these places of a row against its seal at `seal`. A row that was never
/// sealed passes.
fn check(
    row: &Row<'_>,
    places: &[usize],
    seal: usize,
    what: &'static str,
) -> Result<(), StoreError> {
    let Some(stored) = row.get::<_, Option<i64>>(seal)? else { return Ok(()) };
    let values: Vec<ValueRef<'_>> =
        places.iter().map(|at| row.get_ref(*at)).collect::<Result<_, _>>()?;
    if of(values) == stored { Ok(()) } else { Err(StoreError::column(what)) }
}

/// What never changes about an export is as it was written.
pub(super) fn check_intent(row: &Row<'_>) -> Result<(), StoreError> {
    check(row, &INTENT, INTENT_SEAL, "intent_seal")
}

/// What can change of an export is as it was written.
pub(super) fn check_state(row: &Row<'_>) -> Result<(), StoreError> {
    check(row, &STATE, STATE_SEAL, "state_seal")
}

/// What can change of an export, as it is stored.
pub(super) struct State<'a> {
    pub(super) folder: Option<&'a str>,
    pub(super) title: String,
    pub(super) knowledge: String,
    pub(super) journal: String,
    pub(super) delivery: String,
    pub(super) facts: Option<String>,
}

impl<'a> State<'a> {
    pub(super) fn of(record: &'a Record) -> Result<Self, StoreError> {
        Ok(Self {
            folder: folder_text(&record.export)?,
            title: json(&record.title, "the title")?,
            knowledge: json(&record.knowledge, "what is known")?,
            journal: json(&record.journal, "the journal")?,
            delivery: json(&record.delivery, "the file's path")?,
            facts: maybe_json(record.facts.as_ref(), "the service's facts")?,
        })
    }

    /// In the order of [`STATE`].
    pub(super) fn seal(&self, record: &Record) -> Result<i64, StoreError> {
        let texts = [&self.title, &self.knowledge, &self.journal, &self.delivery];
        let texts = texts.map(|value| text(Some(value)));
        Ok(of([
            text(Some(record.export.id.as_str())),
            text(record.export.account.subject.as_deref()),
            text(self.folder),
        ]
        .into_iter()
        .chain(texts)
        .chain([
            text(self.facts.as_deref()),
            number(record.next_action_at.map(millis)),
            number(Some(stored_count(record.version, "the version")?)),
        ])))
    }
}

/// The seal of an intent's values, in the order of [`INTENT`].
pub(super) fn of_intent(export: &Export) -> i64 {
    let account = &export.account;
    let hash = export.payload.hash().to_string();
    let before = [
        export.id.as_str(),
        export.request_key.as_str(),
        export.click_id.as_str(),
        account.service.as_str(),
        &account.address,
        &account.tenant_id,
    ];
    of(before.map(|value| text(Some(value))).into_iter().chain([
        ValueRef::Blob(export.payload.canonical()),
        text(Some(&hash)),
        ValueRef::Blob(&export.body),
        text(Some(&export.trace_id)),
        number(Some(millis(export.created_at))),
        text(export.supersedes.as_ref().map(ExportId::as_str)),
    ]))
}

/// A text or its absence.
fn text(value: Option<&str>) -> ValueRef<'_> {
    value.map_or(ValueRef::Null, |text| ValueRef::Text(text.as_bytes()))
}

/// A number or its absence.
fn number(value: Option<i64>) -> ValueRef<'static> {
    value.map_or(ValueRef::Null, ValueRef::Integer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_each_border_and_each_absence_counts() {
        let sealed = of([text(Some("ab")), text(Some("c")), text(None), number(Some(7))]);
        for other in [
            of([text(Some("a")), text(Some("bc")), text(None), number(Some(7))]),
            of([text(Some("ab")), text(Some("c")), text(Some("")), number(Some(7))]),
            of([text(Some("ab")), text(Some("c")), text(None), number(None)]),
            of([text(Some("ab")), ValueRef::Blob(b"c"), text(None), number(Some(7))]),
            of([text(Some("ab")), text(Some("b")), text(None), number(Some(7))]),
        ] {
            assert_ne!(sealed, other);
        }
    }
}
