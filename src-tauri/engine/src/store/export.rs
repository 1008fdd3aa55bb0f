//! Table `export`: one row for each intent.
//!
//! What a row says of the intent itself is written once. The rest is rewritten whole by each write,
//! with the copies for lists, so a copy is never older than what it copies.

use std::path::PathBuf;

use docket_wire::PayloadHash;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, named_params};

use super::{
    columns::{count, from_json, maybe_from_json, maybe_time, millis, stored_count, time, word},
    error::{Damage, StoreError},
    meta,
    seal::{self, State},
    search, service,
};
use crate::{
    export::{Account, ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    record::Record,
    stage::{Section, Stage, section, stage},
};

/// The columns that a [`Record`] is read from, in the order of [`from_row`].
pub(super) const COLUMNS: &str = "id, request_key, click_id, service_id, address, tenant_id, \
     subject, payload, payload_hash, body, trace_id, created_at, supersedes, folder, title, \
     knowledge, journal, delivery, facts, stage, next_action_at, version, updated_at, \
     intent_seal, state_seal";
/// What was written after a mark.
pub(super) const CHANGED: &str = "WHERE change_mark > ?1 ORDER BY change_mark LIMIT ?2";

/// The mark of the last of these.
pub(super) const CHANGED_TO: &str = "SELECT max(change_mark) FROM ( \
     SELECT change_mark FROM export WHERE change_mark > ?1 ORDER BY change_mark LIMIT ?2)";

/// Rewrites what is computed from the rest, as of `now`.
pub(super) fn restage(record: &mut Record, now: Timestamp) -> Section {
    record.stage =
        stage(&record.knowledge, &record.journal, &record.delivery, record.facts.as_ref(), now);
    section(record.stage, record.journal.hold(), record.next_action_at.is_some())
}

/// Whether an export is open, or something is still owed beside it: such as the seal of a refusal,
/// also while it is under way, where it waits for a person or was given up.
fn is_unfinished(record: &Record) -> bool {
    let seal_was_tried = record.journal.schedule.change_tries > 0 && !record.knowledge.tombstone;
    !record.stage.is_settled()
        || !record.journal.in_flight.is_empty()
        || record.next_action_at.is_some()
        || record.journal.hold().is_some()
        || (record.stage == Stage::Rejected && seal_was_tried)
}

/// Writes the row of a new intent: its version is 1.
pub(super) fn insert(
    tx: &Connection,
    record: &mut Record,
    now: Timestamp,
) -> Result<(), StoreError> {
    let section = restage(record, now);
    (record.version, record.updated_at) = (1, now);
    write_new(tx, record, section, None)
}

/// Writes a row that was read from a damaged store, in its old place and as it was there.
pub(super) fn insert_saved(
    tx: &Connection,
    record: &mut Record,
    seq: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let section = restage(record, now);
    write_new(tx, record, section, Some(seq))
}

fn write_new(
    tx: &Connection,
    record: &Record,
    section: Section,
    seq: Option<i64>,
) -> Result<(), StoreError> {
    let export = &record.export;
    let account = &export.account;
    let name = service::name_of(tx, &account.service)?;
    let state = State::of(record)?;
    tx.prepare_cached(
        "INSERT INTO export (seq, id, request_key, click_id, service_id, address, tenant_id, subject, \
         operation, payload, payload_hash, body, trace_id, created_at, supersedes, folder, title, \
         knowledge, journal, delivery, facts, stage, section, unfinished, next_action_at, version, \
         updated_at, change_mark, search, intent_seal, state_seal) \
         VALUES (:seq, :id, :request_key, :click_id, :service_id, :address, :tenant_id, :subject, \
         :operation, :payload, :payload_hash, :body, :trace_id, :created_at, :supersedes, :folder, \
         :title, :knowledge, :journal, :delivery, :facts, :stage, :section, :unfinished, \
         :next_action_at, :version, :updated_at, :change_mark, :search, :intent_seal, :state_seal)",
    )?
    .execute(named_params! {
        ":seq": seq,
        ":id": export.id.as_str(),
        ":request_key": export.request_key.as_str(),
        ":click_id": export.click_id.as_str(),
        ":service_id": account.service.as_str(),
        ":address": account.address,
        ":tenant_id": account.tenant_id,
        ":subject": account.subject,
        ":operation": export.payload.operation(),
        ":payload": export.payload.canonical(),
        ":payload_hash": export.payload.hash().to_string(),
        ":body": export.body,
        ":trace_id": export.trace_id,
        ":created_at": millis(export.created_at),
        ":supersedes": export.supersedes.as_ref().map(ExportId::as_str),
        ":folder": state.folder,
        ":title": state.title,
        ":knowledge": state.knowledge,
        ":journal": state.journal,
        ":delivery": state.delivery,
        ":facts": state.facts,
        ":stage": record.stage.as_str(),
        ":section": section.as_str(),
        ":unfinished": is_unfinished(record),
        ":next_action_at": record.next_action_at.map(millis),
        ":version": stored_count(record.version, "the version")?,
        ":updated_at": millis(record.updated_at),
        ":change_mark": meta::next_change_mark(tx)?,
        ":search": search::text_of(record, &name),
        ":intent_seal": seal::of_intent(export),
        ":state_seal": state.seal(record)?,
    })?;
    Ok(())
}

/// Writes what changed of an export that was `before`: raises its version. What never changes about
/// an intent is not written, and must not have been touched.
pub(super) fn update(
    tx: &Connection,
    before: &Record,
    record: &mut Record,
    now: Timestamp,
) -> Result<(), StoreError> {
    let section = restage(record, now);
    if !is_same_intent(&before.export, &record.export) {
        return Err(StoreError::IntentChanged(before.export.id.clone()));
    }
    (record.version, record.updated_at) = (before.version.saturating_add(1), now);
    let name = service::name_of(tx, &record.export.account.service)?;
    let state = State::of(record)?;
    tx.prepare_cached(
        "UPDATE export SET subject = :subject, folder = :folder, title = :title, \
         knowledge = :knowledge, journal = :journal, delivery = :delivery, facts = :facts, \
         stage = :stage, section = :section, unfinished = :unfinished, \
         next_action_at = :next_action_at, version = :version, updated_at = :updated_at, \
         change_mark = :change_mark, search = :search, intent_seal = :intent_seal, \
         state_seal = :state_seal WHERE id = :id",
    )?
    .execute(named_params! {
        ":id": before.export.id.as_str(),
        ":subject": record.export.account.subject,
        ":folder": state.folder,
        ":title": state.title,
        ":knowledge": state.knowledge,
        ":journal": state.journal,
        ":delivery": state.delivery,
        ":facts": state.facts,
        ":stage": record.stage.as_str(),
        ":section": section.as_str(),
        ":unfinished": is_unfinished(record),
        ":next_action_at": record.next_action_at.map(millis),
        ":version": stored_count(record.version, "the version")?,
        ":updated_at": millis(now),
        ":change_mark": meta::next_change_mark(tx)?,
        ":search": search::text_of(record, &name),
        ":intent_seal": seal::of_intent(&record.export),
        ":state_seal": state.seal(record)?,
    })?;
    Ok(())
}

/// Only whose credential it is, once that is known, and where the file goes may change.
fn is_same_intent(before: &Export, after: &Export) -> bool {
    let mut allowed = after.clone();
    allowed.folder.clone_from(&before.folder);
    allowed.account.subject.clone_from(&before.account.subject);
    allowed == *before
}

pub(super) fn folder_text(export: &Export) -> Result<Option<&str>, StoreError> {
    export
        .folder
        .as_ref()
        .map(|folder| folder.to_str().ok_or(StoreError::Unstorable { what: "the folder's path" }))
        .transpose()
}

/// Puts a service's new name into what its exports are found by. Changes no export.
pub(super) fn rename_service(
    tx: &Connection,
    service: &ServiceId,
    name: &str,
) -> Result<(), StoreError> {
    let mut rename = tx.prepare_cached("UPDATE export SET search = ?2 WHERE id = ?1")?;
    for record in
        select_each(tx, "WHERE service_id = ?1", [service.as_str()])?.into_iter().flatten()
    {
        rename.execute((record.export.id.as_str(), search::text_of(&record, name)))?;
    }
    Ok(())
}

/// The export of this id.
pub(super) fn get(conn: &Connection, id: &ExportId) -> Result<Option<Record>, StoreError> {
    Ok(select(conn, "WHERE id = ?1", [id.as_str()])?.pop())
}

/// The export of this id, which there has to be.
pub(super) fn expect(conn: &Connection, id: &ExportId) -> Result<Record, StoreError> {
    get(conn, id)?.ok_or_else(|| StoreError::UnknownExport(id.clone()))
}

/// Which exports are open, oldest first.
pub(super) fn open_ids(conn: &Connection) -> Result<Vec<ExportId>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT id FROM export INDEXED BY export_unfinished_seq WHERE unfinished = 1 \
         ORDER BY seq",
    )?;
    let mut rows = statement.query([])?;
    let mut ids = Vec::new();
    while let Some(row) = rows.next()? {
        ids.push(ExportId::from_text(row.get::<_, String>(0)?));
    }
    Ok(ids)
}

/// The version that an export is at, without reading the rest of it.
pub(super) fn version(conn: &Connection, id: &ExportId) -> Result<Option<u64>, StoreError> {
    let version: Option<i64> = conn
        .prepare_cached("SELECT version FROM export WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    version.map(|version| count(version, "version")).transpose()
}

/// The last attempt number that was given to an export, without reading the rest of it.
pub(super) fn last_attempt_no(conn: &Connection, id: &ExportId) -> Result<u32, StoreError> {
    let number: Option<i64> = conn
        .prepare_cached(
            "SELECT json_extract(journal, '$.last_attempt_no') FROM export WHERE id = ?1",
        )?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    count(number.ok_or_else(|| StoreError::UnknownExport(id.clone()))?, "journal")
}

/// All exports that `clauses` name. `clauses` is fixed text; what varies goes through `params`.
pub(super) fn select(
    conn: &Connection,
    clauses: &'static str,
    params: impl Params,
) -> Result<Vec<Record>, StoreError> {
    read_all(conn, &format!("SELECT {COLUMNS} FROM export {clauses}"), params)
}

/// The same where a row that can not be read must not hide the others: see [`read_each`].
pub(super) fn select_each(
    conn: &Connection,
    clauses: &'static str,
    params: impl Params,
) -> Result<Vec<Result<Record, Damage>>, StoreError> {
    read_each(conn, &format!("SELECT {COLUMNS} FROM export {clauses}"), params)
}

/// All exports of a whole query over [`COLUMNS`].
pub(super) fn read_all(
    conn: &Connection,
    query: &str,
    params: impl Params,
) -> Result<Vec<Record>, StoreError> {
    let mut statement = conn.prepare_cached(query)?;
    let mut rows = statement.query(params)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(from_row(row)?);
    }
    Ok(records)
}

/// The first that is `wanted` of the exports that `clauses` name. No other is in memory meanwhile.
pub(super) fn first(
    conn: &Connection,
    clauses: &'static str,
    params: impl Params,
    wanted: &dyn Fn(&Record) -> bool,
) -> Result<Option<Record>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM export {clauses}"))?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        let record = from_row(row)?;
        if wanted(&record) {
            return Ok(Some(record));
        }
    }
    Ok(None)
}

/// The same where a row that can not be read must not hide the others: what is wrong stands in its
/// place.
pub(super) fn read_each(
    conn: &Connection,
    query: &str,
    params: impl Params,
) -> Result<Vec<Result<Record, Damage>>, StoreError> {
    let mut statement = conn.prepare_cached(query)?;
    let mut rows = statement.query(params)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(from_row(row).map(Ok).or_else(StoreError::of_a_row)?);
    }
    Ok(records)
}

/// Reads every export there is.
pub(super) fn each(
    conn: &Connection,
    see: &mut dyn FnMut(Record) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare(&format!("SELECT {COLUMNS} FROM export"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        see(from_row(row)?)?;
    }
    Ok(())
}

/// What never changes about the one export there is, and whether it was open or something was owed.
pub(super) fn intent_alone(conn: &Connection) -> Result<Option<(Export, bool)>, StoreError> {
    let query = format!("SELECT {COLUMNS}, unfinished FROM export");
    let mut statement = conn.prepare_cached(&query)?;
    let mut rows = statement.query([])?;
    match rows.next()? {
        Some(row) => Ok(Some((export_from_row(row)?, row.get("unfinished")?))),
        None => Ok(None),
    }
}

fn from_row(row: &Row<'_>) -> Result<Record, StoreError> {
    let text = |at: usize| row.get::<_, String>(at);
    let maybe_text = |at: usize| row.get::<_, Option<String>>(at);
    let export = export_from_row(row)?;
    seal::check_state(row)?;
    Ok(Record {
        export,
        title: from_json(&text(14)?, "title")?,
        knowledge: from_json(&text(15)?, "knowledge")?,
        journal: from_json(&text(16)?, "journal")?,
        delivery: from_json(&text(17)?, "delivery")?,
        facts: maybe_from_json(maybe_text(18)?.as_deref(), "facts")?,
        stage: word(Stage::parse(&text(19)?), "stage")?,
        next_action_at: maybe_time(row.get(20)?, "next_action_at")?,
        version: count(row.get(21)?, "version")?,
        updated_at: time(row.get(22)?, "updated_at")?,
    })
}

fn export_from_row(row: &Row<'_>) -> Result<Export, StoreError> {
    let text = |at: usize| row.get::<_, String>(at);
    let maybe_text = |at: usize| row.get::<_, Option<String>>(at);
    let payload =
        Payload::from_canonical(row.get(7)?).map_err(|_| StoreError::column("payload"))?;
    // Bytes that changed on the disk must never be sent under the old key.
    let hash: PayloadHash = text(8)?.parse().map_err(|_| StoreError::column("payload_hash"))?;
    if payload.hash() != hash {
        return Err(StoreError::column("payload"));
    }
    seal::check_intent(row)?;
    Ok(Export {
        id: ExportId::from_text(text(0)?),
        request_key: RequestKey::from_text(text(1)?),
        click_id: ClickId::from_text(text(2)?),
        account: Account {
            service: ServiceId::from_text(text(3)?),
            address: text(4)?,
            tenant_id: text(5)?,
            subject: maybe_text(6)?,
        },
        payload,
        body: row.get(9)?,
        created_at: time(row.get(11)?, "created_at")?,
        supersedes: maybe_text(12)?.map(ExportId::from_text),
        trace_id: text(10)?,
        folder: maybe_text(13)?.map(PathBuf::from),
    })
}
