//! The questions that the engine asks of the store, apart from the list.

use std::collections::HashMap;

use super::{
    Counts, Store, against::Against, attempt, columns::count, error::StoreError, export, list,
    meta, service,
};
use crate::{
    attempt::Attempt,
    export::{Account, ClickId, ExportId, Payload, RequestKey, ServiceId},
    record::Record,
};

/// What is told of an export beside its record. Both are of one moment: what is shown, and what is
/// taken to have ended, must not be put together from two.
#[derive(Clone, Debug, PartialEq)]
pub struct ToldWith {
    /// The record as it was then, where it was written since it was read.
    pub newer: Option<Record>,
    /// Its attempts, in order.
    pub attempts: Vec<Attempt>,
    /// What the person calls its service, where it has a name.
    pub service_name: Option<String>,
}

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
        self.read(|conn| {
            let clauses = "WHERE supersedes = ?1 ORDER BY seq";
            Ok(self.readable(export::select_each(conn, clauses, [id.as_str()])?))
        })
    }

    /// What `ask` makes of what stands against an intent of this account and payload.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn against<T>(
        &self,
        account: &Account,
        payload: &Payload,
        ask: &dyn Fn(&Against<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read(|conn| ask(&Against::new(conn, account, payload)))
    }

    /// The attempts of an export, in order. One whose row can not be read is left out.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn attempts(&self, id: &ExportId) -> Result<Vec<Attempt>, StoreError> {
        self.read(|conn| Ok(self.readable(attempt::of(conn, id)?)))
    }

    /// What else is told of exports, all of it as it was at one moment, and the counts then.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn told_with<'a>(
        &self,
        records: impl IntoIterator<Item = &'a Record>,
    ) -> Result<(Vec<ToldWith>, Counts), StoreError> {
        self.read(|conn| {
            let mut names: HashMap<&ServiceId, Option<String>> = HashMap::new();
            let mut told = Vec::new();
            for record in records {
                let service = &record.export.account.service;
                let service_name = match names.get(service) {
                    Some(known) => known.clone(),
                    None => {
                        let name = Some(service::name_of(conn, service)?).filter(|n| !n.is_empty());
                        names.entry(service).or_insert(name).clone()
                    }
                };
                let id = &record.export.id;
                let newer = match export::version(conn, id)? {
                    Some(version) if version != record.version => export::get(conn, id)?,
                    Some(_) | None => None,
                };
                let attempts = self.readable(attempt::of(conn, id)?);
                told.push(ToldWith { newer, attempts, service_name });
            }
            Ok((told, list::tallied(conn)?))
        })
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
    /// `limit`, and the mark to go on from. Nothing new gives the same mark; one that can not be read
    /// is left out.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn changed_since(&self, mark: u64, limit: u32) -> Result<(Vec<Record>, u64), StoreError> {
        let since = i64::try_from(mark).unwrap_or(i64::MAX);
        self.read(|conn| {
            let changed = export::select_each(conn, export::CHANGED, (since, limit))?;
            if changed.is_empty() {
                return Ok((Vec::new(), mark));
            }
            let reached = conn
                .prepare_cached(export::CHANGED_TO)?
                .query_row((since, limit), |row| row.get(0))?;
            Ok((self.readable(changed), count(reached, "change_mark")?))
        })
    }
}
