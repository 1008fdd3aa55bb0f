//! The verbs for what a person wants: an intent, a wish, a hold.
//!
//! Any process uses them, the driver or not. The guard against a second export is decided inside
//! the transaction that records the first (lifecycle.md, guards 1 and 2).

use jiff::Timestamp;

use super::{Store, against::Against, error::StoreError, export, meta, service};
use crate::{export::ExportId, record::Record};

/// Exports that are in memory at once where many are changed.
const AT_ONCE_MAX: usize = 256;

/// What became of a click.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent<T> {
    /// A new intent is on disk.
    Recorded(Record),
    /// The same opening of the form had recorded it already.
    SameClick(Record),
    /// The guard held it: nothing was recorded.
    Held(T),
}

/// What may hold an intent: it is asked what stands against it, inside the transaction.
pub type Guard<'a, T> = &'a dyn Fn(&mut Record, &Against<'_>) -> Result<Option<T>, StoreError>;

impl Store {
    /// Records an intent, once for each `click_id`. Once this has returned [`Intent::Recorded`],
    /// the export is durable.
    ///
    /// `guard` may ask what stands against the intent, and what it gives back holds it. It is asked
    /// inside the transaction, so two clicks at once see each other; what it changes of the record is
    /// recorded. The record's version, stage and time of writing are set here.
    ///
    /// # Errors
    /// A store that can not be written; then nothing was recorded.
    pub fn record_intent<T>(
        &self,
        mut record: Record,
        now: Timestamp,
        guard: Guard<'_, T>,
    ) -> Result<Intent<T>, StoreError> {
        self.write(|tx| {
            let click = record.export.click_id.as_str();
            if let Some(same) = export::select(tx, "WHERE click_id = ?1", [click])?.pop() {
                return Ok(Intent::SameClick(same));
            }
            // It may have been removed since the form was read.
            if service::is_removed(tx, &record.export.account.service)? {
                return Err(StoreError::ServiceRemoved(record.export.account.service.clone()));
            }
            let against = Against::new(tx, &record.export.account, &record.export.payload);
            if let Some(held) = guard(&mut record, &against)? {
                return Ok(Intent::Held(held));
            }
            export::insert(tx, &mut record, now)?;
            Ok(Intent::Recorded(record))
        })
    }

    /// Changes what a person wants of an export, or what holds it. Nothing is written where `apply`
    /// changes nothing and the stage is still the same at `now`. None where there is no such export.
    ///
    /// # Errors
    /// It would open what is over, and its service was removed; a store that can not be written.
    pub fn change(
        &self,
        id: &ExportId,
        now: Timestamp,
        apply: &mut dyn FnMut(&mut Record),
    ) -> Result<Option<Record>, StoreError> {
        self.write(|tx| {
            let Some(before) = export::get(tx, id)? else { return Ok(None) };
            let was_over = before.stage.is_settled();
            let after = change_one(tx, before, now, apply)?;
            let service = &after.export.account.service;
            if was_over && !after.stage.is_settled() && service::is_removed(tx, service)? {
                return Err(StoreError::ServiceRemoved(service.clone()));
            }
            Ok(Some(after))
        })
    }

    /// The same for many exports, in one transaction; a row that can not be read is left out, so that
    /// it holds up no other. Gives the others in the order asked for.
    ///
    /// # Errors
    /// A store that can not be written; then none was changed.
    pub fn change_each(
        &self,
        ids: &[ExportId],
        now: Timestamp,
        apply: &mut dyn FnMut(&mut Record),
    ) -> Result<Vec<Record>, StoreError> {
        self.write(|tx| self.change_each_in(tx, ids, now, apply))
    }

    /// Holds every open export of a store that is a copy, and notes that this was done: until then
    /// each opening says [`Provenance::RestoredOrCopied`](super::Provenance::RestoredOrCopied).
    /// Gives which were open. However many they are, only some are in memory at once.
    ///
    /// # Errors
    /// [`StoreError::NotDriver`], a store that can not be written.
    pub fn hold_restored(
        &self,
        now: Timestamp,
        apply: &mut dyn FnMut(&mut Record),
    ) -> Result<Vec<ExportId>, StoreError> {
        self.drive(|tx| {
            let open = export::open_ids(tx)?;
            for some in open.chunks(AT_ONCE_MAX) {
                self.change_each_in(tx, some, now, apply)?;
            }
            meta::held(tx)?;
            Ok(open)
        })
    }

    fn change_each_in(
        &self,
        tx: &rusqlite::Connection,
        ids: &[ExportId],
        now: Timestamp,
        apply: &mut dyn FnMut(&mut Record),
    ) -> Result<Vec<Record>, StoreError> {
        let mut changed = Vec::with_capacity(ids.len());
        for id in ids {
            match export::get(tx, id) {
                Ok(Some(before)) => changed.push(change_one(tx, before, now, apply)?),
                Ok(None) => {}
                Err(error @ StoreError::Damaged { damage, .. }) => {
                    tracing::error!(event = "row_not_read", export_id = %id, reason = %error);
                    self.suspect(damage);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(changed)
    }
}

fn change_one(
    tx: &rusqlite::Connection,
    before: Record,
    now: Timestamp,
    apply: &mut dyn FnMut(&mut Record),
) -> Result<Record, StoreError> {
    let mut record = before.clone();
    apply(&mut record);
    export::restage(&mut record, now);
    if record != before {
        export::update(tx, &before, &mut record, now)?;
    }
    Ok(record)
}
