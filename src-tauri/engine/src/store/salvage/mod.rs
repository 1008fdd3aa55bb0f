//! Salvage: what can be read of a damaged store, written into a new one.
//!
//! Twice through all pages: first to find, of each export, the best of the images that its row left;
//! then to write those down. An older image than the last is as good as a backup: the exports of the
//! new store are held, and only ask first. Nothing is written to the old file, and what memory is
//! needed does not grow with the size of the rows.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::Path,
};

use jiff::Timestamp;
use rusqlite::{Connection, TransactionBehavior, types::Value};

use super::{
    catalogue::Catalogues,
    error::StoreError,
    meta,
    notice::{self, Counted, Happened},
    open::connect,
    schema, service,
};
use crate::{
    delivery::Delivery,
    export::{Account, Export, ExportId, ServiceId},
    journal::{InFlight, Journal, Turn},
    knowledge::Knowledge,
    record::Record,
    stage::Stage,
    store::{Practice, ServiceProfile},
};

mod cell;
mod pages;
mod sieve;

use cell::{Cell, Layout};
use pages::{Chain, Pages};
use sieve::{Copies, Sieve, Sieved};

/// Values of a row of the tally: its rank is its number.
const TALLY_COLUMNS: usize = 2;
/// The ranks of the tally: all of its rows lie on one page.
const TALLY_RANKS: i64 = 4;

/// Where a row was read.
#[derive(Clone, Copy, Debug)]
struct Place {
    image: usize,
    start: usize,
    layout: Layout,
    chain: Chain,
}

/// The best image of an export: a whole one before an intent alone, the newer before the older.
#[derive(Clone, Copy, Debug)]
struct Best {
    rank: (bool, u64),
    seq: i64,
    place: Place,
}

/// The best image of an attempt: one that ended before one that did not, the later before the earlier.
#[derive(Clone, Copy, Debug)]
struct BestAttempt {
    rank: (bool, i64, i64),
    place: Place,
}

/// What was found in the first pass.
#[derive(Default)]
struct Finds {
    exports: HashMap<ExportId, Best>,
    attempts: BTreeMap<(String, i64), BestAttempt>,
    services: BTreeMap<ServiceId, ServiceProfile>,
    highest_seq: i64,
    tallied: Option<i64>,
}

/// Makes a new store at `into` of what can be read of the one at `from`, and notes in it what became
/// of the old one, which will lie at `aside`.
pub(super) fn salvage(
    from: &Path,
    into: &Path,
    aside: &Path,
    now: Timestamp,
    steps: &[&str],
) -> Result<(), StoreError> {
    let sieve = Sieve::new(steps)?;
    let pages = Pages::open(from)?;
    let finds = find(&pages, &sieve)?;
    super::folder::private_file(into)?;
    let mut conn = connect(into)?;
    schema::bring_up(&mut conn, into, 0, steps)?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let happened = write(&tx, &pages, &sieve, finds, aside, now)?;
    notice::insert(&tx, &happened, now)?;
    meta::saved(&tx, now)?;
    tx.commit()?;
    tracing::warn!(event = "store_set_aside", "a damaged store was saved into a new one");
    Ok(())
}

fn find(pages: &Pages, sieve: &Sieve) -> Result<Finds, StoreError> {
    let shapes = sieve.shapes();
    let mut finds = Finds::default();
    for image in 0..pages.count() {
        let page = pages.bytes(image)?;
        let mut tally = BTreeMap::new();
        for cell in pages.cells(&page, &shapes) {
            for chain in Chain::ALL {
                let Some(values) = read(pages, (image, &page), &cell, chain)? else { continue };
                let place = Place { image, start: cell.start, layout: cell.layout, chain };
                if cell.columns == TALLY_COLUMNS {
                    if let [Value::Null, Value::Integer(count)] = values[..] {
                        tally.insert(cell.number, count);
                    }
                    break;
                }
                if finds.take(sieve, &cell, &values, place)? || cell.goes_on_in.is_none() {
                    break;
                }
            }
        }
        if tally.keys().copied().eq(0..TALLY_RANKS) && tally.values().all(|count| *count >= 0) {
            finds.tallied = Some(tally.values().fold(0, |sum, count| sum.saturating_add(*count)));
        }
    }
    Ok(finds)
}

fn read(
    pages: &Pages,
    page: (usize, &[u8]),
    cell: &Cell,
    chain: Chain,
) -> Result<Option<Vec<Value>>, StoreError> {
    Ok(pages.payload(page, cell, chain)?.and_then(|payload| cell::values(&payload)))
}

/// Reads a row again that was found.
fn read_again(pages: &Pages, sieve: &Sieve, place: Place) -> Result<Vec<Value>, StoreError> {
    let page = pages.bytes(place.image)?;
    let cells = pages.cells(&page, &sieve.shapes());
    let cell = cells.iter().find(|cell| cell.start == place.start && cell.layout == place.layout);
    let values = match cell {
        Some(cell) => read(pages, (place.image, &page), cell, place.chain)?,
        None => None,
    };
    // Read a moment ago: now the disk gives something else.
    values.ok_or_else(|| StoreError::column("export"))
}

impl Finds {
    /// Takes a row in that is one of ours; false where it is none.
    fn take(
        &mut self,
        sieve: &Sieve,
        cell: &Cell,
        values: &[Value],
        place: Place,
    ) -> Result<bool, StoreError> {
        if cell.layout == Layout::Table {
            let Some(sieved) = sieve.export(values)? else { return Ok(false) };
            let (id, rank) = match &sieved {
                Sieved::Whole(record) => (record.export.id.clone(), (true, record.version)),
                Sieved::Intent(export, _) => (export.id.clone(), (false, 0)),
            };
            self.highest_seq = self.highest_seq.max(cell.number);
            let best = Best { rank, seq: cell.number, place };
            let known = self.exports.entry(id).or_insert(best);
            if known.rank <= rank {
                *known = best;
            }
            return Ok(rank.0);
        }
        if sieve.is_attempt(values)? {
            if let Some((key, rank)) = rank_of_attempt(values) {
                let best = BestAttempt { rank, place };
                let known = self.attempts.entry(key).or_insert(best);
                if known.rank <= rank {
                    *known = best;
                }
            }
            return Ok(true);
        }
        let Some(mut profile) = sieve.service(values)? else { return Ok(false) };
        // Whose credential is here is asked again: it may have changed since this image.
        profile.caller = None;
        self.services.insert(profile.id.clone(), profile);
        Ok(true)
    }
}

/// The export of an attempt and its number.
type AttemptOf = (String, i64);
/// How good an image of an attempt is: the greater, the better.
type AttemptRank = (bool, i64, i64);

/// Which attempt it is, and how good an image of it: the columns are those of the table `attempt`.
fn rank_of_attempt(values: &[Value]) -> Option<(AttemptOf, AttemptRank)> {
    let (Value::Text(export), Value::Integer(attempt_no)) = (values.first()?, values.get(1)?)
    else {
        return None;
    };
    let number = |at: usize| match values.get(at) {
        Some(Value::Integer(number)) => Some(*number),
        Some(Value::Null | Value::Real(_) | Value::Text(_) | Value::Blob(_)) | None => None,
    };
    let (ended_at, times) = (number(5), number(10).unwrap_or_default());
    let rank = (ended_at.is_some(), times, ended_at.unwrap_or_default());
    Some(((export.clone(), *attempt_no), rank))
}

fn write(
    tx: &Connection,
    pages: &Pages,
    sieve: &Sieve,
    mut finds: Finds,
    aside: &Path,
    now: Timestamp,
) -> Result<Happened, StoreError> {
    for profile in std::mem::take(&mut finds.services).into_values() {
        write_service(tx, profile, now)?;
    }
    let mut found: Vec<(&ExportId, &Best)> = finds.exports.iter().collect();
    found.sort_by_key(|(_, best)| best.seq);
    let (mut open, mut over) = (0, 0);
    for (id, best) in found {
        let values = read_again(pages, sieve, best.place)?;
        let mut record = match sieve.export(&values)? {
            Some(Sieved::Whole(record)) => *record,
            // What was over is not opened again for want of how it ended.
            Some(Sieved::Intent(_, Copies::Over)) | None => continue,
            Some(Sieved::Intent(export, Copies::Open)) => unknown_since(*export),
        };
        let before = record.export.supersedes.as_ref();
        let is_alone = before.is_some_and(|before| !finds.exports.contains_key(before));
        if is_alone && record.journal.turn == Turn::AfterSeal {
            // Nobody is left whose seal it could wait for.
            record.journal.turn = Turn::Person;
        }
        if service::name_of(tx, &record.export.account.service)?.is_empty() {
            write_service(tx, profile_of(&record.export.account, now), now)?;
        }
        let rows = finds.attempts.range((id.to_string(), i64::MIN)..=(id.to_string(), i64::MAX));
        let numbers: BTreeSet<u32> =
            rows.clone().filter_map(|((_, no), _)| u32::try_from(*no).ok()).collect();
        let last = numbers.last().copied().unwrap_or(0);
        record.journal.last_attempt_no = record.journal.last_attempt_no.max(last);
        super::export::insert_saved(tx, &mut record, best.seq, now)?;
        for (_, attempt) in rows {
            sieve.write_attempt(tx, &read_again(pages, sieve, attempt.place)?)?;
        }
        for call in &record.journal.in_flight {
            if !numbers.contains(&call.attempt_no) {
                write_interrupted(tx, id, call)?;
            }
        }
        *(if record.stage.is_settled() { &mut over } else { &mut open }) += 1;
    }
    let saved = i64::from(open + over);
    let highest = finds.highest_seq.max(saved);
    let counted = if finds.tallied == Some(highest) { Counted::All } else { Counted::AtLeast };
    let unreadable = u32::try_from(highest - saved).unwrap_or(u32::MAX);
    Ok(Happened::SetAside { path: aside.to_owned(), open, over, unreadable, counted })
}

/// A call that was under way and whose row is lost: the start closes it, as any other.
fn write_interrupted(tx: &Connection, id: &ExportId, call: &InFlight) -> Result<(), StoreError> {
    super::attempt::open(tx, id, call, &"0".repeat(16))
}

/// Adds a service; of two with one address the one that came first stays.
fn write_service(
    tx: &Connection,
    mut profile: ServiceProfile,
    now: Timestamp,
) -> Result<(), StoreError> {
    let there = service::select(
        tx,
        &Catalogues::default(),
        "WHERE removed_at IS NULL AND address = ?1 AND tenant_id = ?2",
        (&profile.address, &profile.tenant_id),
    )?;
    if profile.removed_at.is_none() && !there.is_empty() {
        profile.removed_at = Some(now);
    }
    service::write(tx, &profile)
}

/// A service whose own row is lost, as an export knows it. Its credential lies under the same id.
fn profile_of(account: &Account, now: Timestamp) -> ServiceProfile {
    ServiceProfile {
        id: account.service.clone(),
        name: account.address.clone(),
        address: account.address.clone(),
        tenant_id: account.tenant_id.clone(),
        practice: Practice::No,
        caller: None,
        facts: None,
        catalogue: None,
        added_at: now,
        removed_at: None,
    }
}

/// An export of which only the intent is left.
fn unknown_since(export: Export) -> Record {
    Record {
        title: BTreeMap::new(),
        knowledge: Knowledge::default(),
        journal: Journal::new(export.created_at, None),
        delivery: Delivery::default(),
        facts: None,
        stage: Stage::Sending,
        next_action_at: None,
        version: 1,
        updated_at: export.created_at,
        export,
    }
}
