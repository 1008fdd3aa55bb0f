//! How values lie in columns: times as milliseconds, words as text, values as JSON.

use jiff::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use super::error::StoreError;

/// Milliseconds since 1970: what a clock of whole milliseconds loses nothing by.
pub(super) fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}

pub(super) fn time(millis: i64, column: &'static str) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|_| StoreError::column(column))
}

pub(super) fn maybe_time(
    millis: Option<i64>,
    column: &'static str,
) -> Result<Option<Timestamp>, StoreError> {
    millis.map(|millis| time(millis, column)).transpose()
}

pub(super) fn json<T: Serialize>(value: &T, what: &'static str) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| StoreError::Unstorable { what })
}

pub(super) fn maybe_json<T: Serialize>(
    value: Option<&T>,
    what: &'static str,
) -> Result<Option<String>, StoreError> {
    value.map(|value| json(value, what)).transpose()
}

/// The reason is dropped on purpose: it would quote what is stored.
pub(super) fn from_json<T: DeserializeOwned>(
    text: &str,
    column: &'static str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::column(column))
}

pub(super) fn maybe_from_json<T: DeserializeOwned>(
    text: Option<&str>,
    column: &'static str,
) -> Result<Option<T>, StoreError> {
    text.map(|text| from_json(text, column)).transpose()
}

pub(super) fn word<T>(word: Option<T>, column: &'static str) -> Result<T, StoreError> {
    word.ok_or_else(|| StoreError::column(column))
}

pub(super) fn count<T: TryFrom<i64>>(stored: i64, column: &'static str) -> Result<T, StoreError> {
    T::try_from(stored).map_err(|_| StoreError::column(column))
}

pub(super) fn stored_count(count: u64, what: &'static str) -> Result<i64, StoreError> {
    i64::try_from(count).map_err(|_| StoreError::Unstorable { what })
}
