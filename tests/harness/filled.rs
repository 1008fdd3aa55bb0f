//! Databases with many rows, written at once: each row is a copy of one that an engine or a service
//! wrote itself, with other names in it.
//!
//! A hundred thousand clicks would take as many syncs. What is copied is whole (every column, every
//! attempt, the triggers' own tables), so whoever opens the store meets what a person would have.
//! Nobody may have the database open meanwhile.

use std::{collections::HashMap, path::Path};

use docket_engine::export::{ClickId, ExportId, RequestKey};
use docket_wire::PayloadHash;
use rusqlite::{
    Connection, params_from_iter,
    types::{Value, ValueRef},
};

/// Copies that are written in one transaction.
const COPIES_PER_COMMIT: u32 = 2_000;

/// A text of the original with what stands in the copy instead.
pub type Change = (String, String);

/// The names of one copied export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its id.
    pub id: ExportId,
    /// Its key.
    pub request_key: String,
    /// The key of what it is a copy of.
    pub of_key: String,
    /// SHA-256 of its payload, in hexadecimal digits.
    pub payload_hash: String,
}

/// Adds `count` copies of the exports in the store of this folder, each original in turn, with their
/// attempts. A copy was created `apart_ms` before the one before it. `vary` is asked for other texts
/// in each copy: its payload, what a search finds, and whatever else holds them.
///
/// # Panics
/// The store can not be written, or has no export.
pub fn exports(
    home: &Path,
    count: u32,
    apart_ms: i64,
    mut vary: impl FnMut(u32) -> Vec<Change>,
) -> Vec<Copied> {
    let conn = open(&home.join("docket.db"));
    let originals: Vec<(Row, Vec<Row>)> = rows(&conn, "export", "ORDER BY seq", &[])
        .into_iter()
        .map(|export| {
            let id = export.text("id");
            (export, rows(&conn, "attempt", "WHERE export_id = ?1", &[&id]))
        })
        .collect();
    let first_mark: i64 = scalar(&conn, "SELECT change_mark FROM meta");
    let mut copies = Vec::new();
    in_steps(&conn, count, |at| {
        let (export, attempts) = &originals[at as usize % originals.len()];
        let names = Copied {
            id: ExportId::mint(),
            request_key: RequestKey::mint().to_string(),
            of_key: export.text("request_key"),
            payload_hash: String::new(),
        };
        let mut changes = vary(at);
        changes.push((export.text("id"), names.id.to_string()));
        changes.push((names.of_key.clone(), names.request_key.clone()));
        let payload_hash = PayloadHash::of(&export.with(&changes).bytes("payload")).to_string();
        changes.push((export.text("payload_hash"), payload_hash.clone()));
        let mut copy = export.with(&changes);
        copy.set("seq", Value::Null);
        copy.set("click_id", Value::Text(ClickId::mint().to_string()));
        let created_at = copy.integer("created_at") - i64::from(at + 1) * apart_ms;
        copy.set("created_at", Value::Integer(created_at));
        copy.set("change_mark", Value::Integer(first_mark + i64::from(at) + 1));
        copy.insert(&conn, "export");
        for attempt in attempts {
            attempt.with(&changes).insert(&conn, "attempt");
        }
        copies.push(Copied { payload_hash, ..names });
    });
    conn.execute("UPDATE meta SET change_mark = ?1", [first_mark + i64::from(count)])
        .expect("the mark can be raised");
    settle(&conn);
    copies
}

/// Tells the store in this folder that its service, and every export of it, lives at another address.
///
/// # Panics
/// The store can not be written.
pub fn moved(home: &Path, from: &str, to: &str) {
    let conn = open(&home.join("docket.db"));
    for table in ["service_profile", "export"] {
        conn.execute(&format!("UPDATE {table} SET address = replace(address, ?1, ?2)"), [from, to])
            .expect("the address can be changed");
    }
    settle(&conn);
}

/// Gives the service in this database a job for each of these copies, like the one that it has under
/// the original's key: the same in everything but its names.
///
/// # Panics
/// The database can not be written, or has no job for an original.
pub fn jobs(database: &Path, copies: &[Copied]) {
    let conn = open(database);
    let mut originals: HashMap<&str, (Row, Row)> = HashMap::new();
    let count = u32::try_from(copies.len()).expect("as many as can be counted");
    in_steps(&conn, count, |at| {
        let copied = &copies[at as usize];
        let (job, record) = originals.entry(&copied.of_key).or_insert_with(|| {
            let of_key = |table| {
                rows(&conn, table, "WHERE request_key = ?1", &[&copied.of_key])
                    .pop()
                    .expect("the service has a row for the original")
            };
            (of_key("export_job"), of_key("request_record"))
        });
        let changes = [
            (copied.of_key.clone(), copied.request_key.clone()),
            (job.text("business_id"), format!("copy-{at:08}")),
            (job.text("payload_hash"), copied.payload_hash.clone()),
        ];
        job.with(&changes).insert(&conn, "export_job");
        record.with(&changes).insert(&conn, "request_record");
    });
    settle(&conn);
}

/// A row of a table, column by column; columns that the database computes are left out.
#[derive(Clone)]
struct Row(Vec<(String, Value)>);

impl Row {
    fn value(&self, column: &str) -> &Value {
        let found = self.0.iter().find(|(name, _)| name == column);
        &found.expect("the table has this column").1
    }

    fn text(&self, column: &str) -> String {
        String::from_utf8(self.bytes(column)).expect("the column holds text")
    }

    fn bytes(&self, column: &str) -> Vec<u8> {
        match ValueRef::from(self.value(column)) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                unreachable!("{column} holds neither text nor bytes")
            }
        }
    }

    fn integer(&self, column: &str) -> i64 {
        match self.value(column) {
            Value::Integer(integer) => *integer,
            other @ (Value::Null | Value::Real(_) | Value::Text(_) | Value::Blob(_)) => {
                unreachable!("{column} holds {other:?}")
            }
        }
    }

    fn set(&mut self, column: &str, value: Value) {
        let found = self.0.iter_mut().find(|(name, _)| name == column);
        found.expect("the table has this column").1 = value;
    }

    /// The same row with other texts in it.
    fn with(&self, changes: &[Change]) -> Self {
        let changed = |text: &str| {
            changes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
        };
        let value = |value: &Value| match value {
            Value::Text(text) => Value::Text(changed(text)),
            Value::Blob(bytes) => Value::Blob(
                changed(std::str::from_utf8(bytes).expect("what is sent is JSON")).into_bytes(),
            ),
            same @ (Value::Null | Value::Integer(_) | Value::Real(_)) => same.clone(),
        };
        Self(self.0.iter().map(|(name, old)| (name.clone(), value(old))).collect())
    }

    fn insert(&self, conn: &Connection, table: &str) {
        let names: Vec<&str> = self.0.iter().map(|(name, _)| name.as_str()).collect();
        let marks = vec!["?"; names.len()].join(", ");
        conn.prepare_cached(&format!(
            "INSERT INTO {table} ({}) VALUES ({marks})",
            names.join(", ")
        ))
        .and_then(|mut insert| insert.execute(params_from_iter(self.0.iter().map(|(_, v)| v))))
        .expect("a copy fits where its original stands");
    }
}

fn rows(conn: &Connection, table: &str, clauses: &str, params: &[&str]) -> Vec<Row> {
    let columns: Vec<String> = conn
        .prepare(&format!("PRAGMA table_info({table})"))
        .and_then(|mut statement| statement.query_map([], |row| row.get("name"))?.collect())
        .expect("the table has columns");
    let query = format!("SELECT {} FROM {table} {clauses}", columns.join(", "));
    let mut statement = conn.prepare(&query).expect("the table is there");
    let read = statement.query_map(params_from_iter(params), |row| {
        let values = columns.iter().map(|name| Ok((name.clone(), row.get(name.as_str())?)));
        Ok(Row(values.collect::<rusqlite::Result<_>>()?))
    });
    read.and_then(Iterator::collect).expect("the rows can be read")
}

fn open(database: &Path) -> Connection {
    let conn = Connection::open(database).expect("the database opens");
    // Whoever fills it waits for its end; a power cut would only mean to fill another.
    conn.pragma_update(None, "synchronous", "off").expect("a setting of SQLite");
    conn
}

/// The indexes grow in steps, as they would in life.
fn in_steps(conn: &Connection, count: u32, mut write: impl FnMut(u32)) {
    for at in 0..count {
        if at % COPIES_PER_COMMIT == 0 {
            conn.execute_batch("BEGIN IMMEDIATE").expect("nobody else has the database");
        }
        write(at);
        if (at + 1) % COPIES_PER_COMMIT == 0 || at + 1 == count {
            conn.execute_batch("COMMIT").expect("the copies can be written");
        }
    }
}

/// Brings everything into the one file.
fn settle(conn: &Connection) {
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .expect("the log can be copied back");
}

fn scalar(conn: &Connection, query: &str) -> i64 {
    conn.query_row(query, [], |row| row.get(0)).expect("the store has this value")
}
