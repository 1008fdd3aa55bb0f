//! The questions that the engine asks of the store, apart from the list.

use std::collections::BTreeMap;

use super::{Store, attempt, columns::count, error::StoreError, export, meta};
use crate::{
    attempt::Attempt,
    export::{Account, ClickId, ExportId, Payload, RequestKey, ServiceId},
    record::Record,
};

impl Store {
    /// The export of this id.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn get(&self, id: &ExportId) -> Result<Option<Record>, StoreError> {
        self.read(|conn| export::get(conn, id))
    }

    /// The export that this opening of a form recorded.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn get_by_click(&self, click: &ClickId) -> Result<Option<Record>, StoreError> {
        self.read(|conn| Ok(export::select(conn, "WHERE click_id = ?1", [click.as_str()])?.pop()))
    }

    /// The export of this request key.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn get_by_key(&self, key: &RequestKey) -> Result<Option<Record>, StoreError> {
        self.read(|conn| Ok(export::select(conn, "WHERE request_key = ?1", [key.as_str()])?.pop()))
    }

    /// The exports that mend or repeat this one, oldest first.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn successors(&self, id: &ExportId) -> Result<Vec<Record>, StoreError> {
        self.read(|conn| export::select(conn, "WHERE supersedes = ?1 ORDER BY seq", [id.as_str()]))
    }

    /// What [`Store::record_intent`] would show its guard of an intent of this account and payload.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn twins(&self, account: &Account, payload: &Payload) -> Result<Vec<Record>, StoreError> {
        self.read(|conn| export::twins(conn, account, payload))
    }

    /// The attempts of an export, in order.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn attempts(&self, id: &ExportId) -> Result<Vec<Attempt>, StoreError> {
        self.read(|conn| attempt::of(conn, id))
    }

    /// The attempts of many exports, each in order; an export without one has an empty list.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn attempts_of(
        &self,
        ids: &[ExportId],
    ) -> Result<BTreeMap<ExportId, Vec<Attempt>>, StoreError> {
        self.read(|conn| ids.iter().map(|id| Ok((id.clone(), attempt::of(conn, id)?))).collect())
    }

    /// How many exports of a service are not settled.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn unsettled_of(&self, service: &ServiceId) -> Result<u32, StoreError> {
        self.read(|conn| super::service::unsettled_of(conn, service))
    }

    /// The mark of the last write of an export: what to begin with at [`Store::changed_since`].
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn change_mark(&self) -> Result<u64, StoreError> {
        self.read(|conn| meta::change_mark(conn))
    }

    /// The exports that any process wrote after `mark`, in the order of their last writes, at most
    /// `limit`, and the mark to go on from. Nothing new gives the same mark.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn changed_since(&self, mark: u64, limit: u32) -> Result<(Vec<Record>, u64), StoreError> {
        let since = i64::try_from(mark).unwrap_or(i64::MAX);
        self.read(|conn| {
            let changed = export::select(conn, export::CHANGED, (since, limit))?;
            let Some(last) = changed.last() else { return Ok((changed, mark)) };
            let reached = conn
                .prepare_cached("SELECT change_mark FROM export WHERE id = ?1")?
                .query_row([last.export.id.as_str()], |row| row.get(0))?;
            Ok((changed, count(reached, "change_mark")?))
        })
    }
}
