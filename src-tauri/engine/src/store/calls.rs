//! The verbs around a call: begin, cross, finish, and what a start finds interrupted.
//!
//! Only the driver uses them. A submit, an abandon or a cancel is durable before it leaves; looks,
//! polls and downloads change nothing, so their numbers are handed out in memory and they are
//! written when they end, many in one transaction (house.md, law 2).

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::Connection;

use super::{Store, attempt, error::StoreError, export, hold, meta};
use crate::{
    attempt::{AttemptEnd, AttemptKind},
    export::ExportId,
    record::{Record, interrupted},
};

/// A call that can change something at the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Asks for the job.
    Submit,
    /// Makes sure that the key never runs.
    Abandon,
    /// Asks for the job to end.
    Cancel,
}

impl Change {
    /// The same as a kind of attempt.
    pub fn kind(self) -> AttemptKind {
        match self {
            Self::Submit => AttemptKind::Submit,
            Self::Abandon => AttemptKind::Abandon,
            Self::Cancel => AttemptKind::Cancel,
        }
    }
}

/// A call that has ended, ready to be written down.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedAttempt {
    /// Whose.
    pub export: ExportId,
    /// Its number: from [`Store::begin_change`] or [`Store::reserve_look`].
    pub attempt_no: u32,
    /// What it was for.
    pub kind: AttemptKind,
    /// The span of the attempt (16 hexadecimal digits).
    pub span_id: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How.
    pub end: AttemptEnd,
    /// Which credential it was made with.
    pub credential: MadeWith,
}

/// Which credential of its service a call was made with. Where another is here since, that this one
/// was not taken says nothing of that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeWith {
    /// The one that is here, whichever that is.
    Current,
    /// The one of this number, by the count of this process; 0 where it knew of none yet.
    Numbered(u64),
}

impl Store {
    /// Opens the row of a call that can change something. Once this has returned, the attempt is
    /// durable: a crash after it counts the call as lost. Gives the export and the attempt's number.
    ///
    /// None, and nothing written, where the export is no longer at `expected_version`, another
    /// change of it is under way, or it is to be submitted although the person wants it cancelled.
    /// `apply` changes the record once the attempt is among those in flight.
    ///
    /// # Errors
    /// [`StoreError::UnknownExport`], [`StoreError::NotDriver`], a store that can not be written.
    pub fn begin_change(
        &self,
        id: &ExportId,
        expected_version: u64,
        change: Change,
        span_id: &str,
        now: Timestamp,
        apply: &dyn Fn(&mut Record),
    ) -> Result<Option<(Record, u32)>, StoreError> {
        let mut numbers = hold(&self.numbers);
        let reserved = numbers.get(id).copied().unwrap_or(0);
        let begun = self.drive(|tx| {
            let before = export::expect(tx, id)?;
            if before.version != expected_version {
                return Ok(None);
            }
            let mut record = before.clone();
            let Some(call) = record.begin_change(change.kind(), reserved, now) else {
                return Ok(None);
            };
            attempt::open(tx, id, &call, span_id)?;
            apply(&mut record);
            export::update(tx, &before, &mut record, now)?;
            Ok(Some((record, call.attempt_no, meta::raise(tx)?)))
        })?;
        let begun = begun.map(|(record, attempt_no, count)| {
            self.raise_twin(count);
            (record, attempt_no)
        });
        if reserved > 0
            && let Some((_, attempt_no)) = &begun
        {
            numbers.insert(id.clone(), *attempt_no);
        }
        Ok(begun)
    }

    /// The number of a describe, look, poll or download. Kept in memory until the attempt is
    /// written: there is one driver, and what it forgets in a crash changed nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownExport`], [`StoreError::NotDriver`].
    pub fn reserve_look(&self, id: &ExportId) -> Result<u32, StoreError> {
        if self.role() == super::Role::Observer {
            return Err(StoreError::NotDriver);
        }
        let mut numbers = hold(&self.numbers);
        let stored = self.read(|conn| export::last_attempt_no(conn, id))?;
        let reserved = numbers.entry(id.clone()).or_default();
        *reserved = stored.max(*reserved).saturating_add(1);
        Ok(*reserved)
    }

    /// Notes that a byte of a call may have left this computer. `apply` changes the record after
    /// the attempt in flight was marked.
    ///
    /// # Errors
    /// [`StoreError::UnknownExport`], [`StoreError::NotDriver`], a store that can not be written.
    pub fn mark_crossed(
        &self,
        id: &ExportId,
        attempt_no: u32,
        at: Timestamp,
        apply: &dyn Fn(&mut Record),
    ) -> Result<Record, StoreError> {
        self.drive(|tx| {
            let before = export::expect(tx, id)?;
            attempt::cross(tx, id, attempt_no, at)?;
            let mut record = before.clone();
            record.cross(attempt_no, at);
            apply(&mut record);
            export::update(tx, &before, &mut record, at)?;
            Ok(record)
        })
    }

    /// Writes down how calls ended, all in one transaction, and what they proved: the evidence is
    /// joined into the knowledge as it is *now*, whatever it was when the call began, then `apply`
    /// plans what comes next. Gives each export once, in the order of its first end.
    ///
    /// An attempt that was closed before keeps its end; its evidence is joined all the same.
    ///
    /// # Errors
    /// [`StoreError::UnknownExport`], [`StoreError::NotDriver`], a store that can not be written.
    pub fn finish(
        &self,
        ends: &[EndedAttempt],
        now: Timestamp,
        apply: &dyn Fn(&mut Record, &EndedAttempt),
    ) -> Result<Vec<Record>, StoreError> {
        let mut numbers = hold(&self.numbers);
        let records = self.drive(|tx| {
            let mut pairs: Vec<(Record, Record)> = Vec::new();
            for ended in ends {
                let known = pairs.iter().position(|(_, after)| after.export.id == ended.export);
                let at = match known {
                    Some(at) => at,
                    None => {
                        let before = export::expect(tx, &ended.export)?;
                        pairs.push((before.clone(), before));
                        pairs.len() - 1
                    }
                };
                attempt::close(tx, ended)?;
                let record = &mut pairs[at].1;
                record.take_in(ended.attempt_no, ended.kind, &ended.end.result);
                apply(record, ended);
            }
            write_all(tx, pairs, now)
        })?;
        for record in &records {
            // A number that is written needs no memory; one that is still out does.
            if numbers
                .get(&record.export.id)
                .is_some_and(|no| *no <= record.journal.last_attempt_no)
            {
                numbers.remove(&record.export.id);
            }
        }
        Ok(records)
    }

    /// Closes, at the driver's start, every attempt that has no end: the program ended while it was
    /// under way, so it counts as lost. `apply` plans what comes next after each, as in
    /// [`Store::finish`]. Gives the exports concerned.
    ///
    /// # Errors
    /// [`StoreError::NotDriver`], a store that can not be written.
    pub fn interrupted(
        &self,
        now: Timestamp,
        apply: &dyn Fn(&mut Record, &EndedAttempt),
    ) -> Result<Vec<Record>, StoreError> {
        self.drive(|tx| {
            let mut by_export: BTreeMap<ExportId, Vec<EndedAttempt>> = BTreeMap::new();
            for (id, attempt) in attempt::unended(tx)? {
                let result = interrupted(attempt.crossed_at);
                by_export.entry(id.clone()).or_default().push(EndedAttempt {
                    export: id,
                    attempt_no: attempt.attempt_no,
                    kind: attempt.kind,
                    span_id: attempt.span_id,
                    started_at: attempt.started_at,
                    ended_at: now,
                    end: AttemptEnd {
                        result,
                        http_status: None,
                        service_time: None,
                        phases: attempt.phases,
                    },
                    credential: MadeWith::Current,
                });
            }
            let mut pairs = Vec::with_capacity(by_export.len());
            for (id, ends) in by_export {
                let before = export::expect(tx, &id)?;
                let mut record = before.clone();
                for ended in &ends {
                    attempt::close(tx, ended)?;
                    record.take_in(ended.attempt_no, ended.kind, &ended.end.result);
                }
                record.journal.in_flight.clear();
                for ended in &ends {
                    apply(&mut record, ended);
                }
                pairs.push((before, record));
            }
            write_all(tx, pairs, now)
        })
    }
}

/// Writes the second of each pair over the first.
fn write_all(
    tx: &Connection,
    pairs: Vec<(Record, Record)>,
    now: Timestamp,
) -> Result<Vec<Record>, StoreError> {
    pairs
        .into_iter()
        .map(|(before, mut record)| {
            export::update(tx, &before, &mut record, now)?;
            Ok(record)
        })
        .collect()
}
