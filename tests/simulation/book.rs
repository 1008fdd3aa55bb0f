//! Both databases as they are now, read as another program would: what the laws are held against.

use std::{collections::BTreeMap, path::Path};

use docket_engine::{journal::Journal, knowledge::Knowledge};
use rusqlite::{Connection, OpenFlags, Row};

/// What both sides have on disk.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// The client's exports by their id, in no order of time.
    pub exports: BTreeMap<String, Entry>,
    /// The service's jobs by their id.
    pub jobs: BTreeMap<String, Job>,
    /// The keys that the service knows: `present` or `abandoned`.
    pub keys: BTreeMap<String, String>,
}

/// One export of the client.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its key.
    pub key: String,
    /// The bytes of what was asked for, and of what every submit sends.
    pub payload: (Vec<u8>, Vec<u8>),
    /// What is proved.
    pub knowledge: Knowledge,
    /// What is planned.
    pub journal: Journal,
    /// The stage as its last write left it.
    pub stage: String,
    /// When it is due (milliseconds of the client's clock).
    pub due: Option<i64>,
    /// Grows with each write.
    pub version: u64,
    /// The export that it follows.
    pub supersedes: Option<String>,
    /// Its attempts: number, kind, whether it has an end, and the word of its result.
    pub attempts: BTreeMap<u32, Attempt>,
}

/// One row of the client's attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What it was for.
    pub kind: String,
    /// The JSON of its result, once it has one.
    pub result: Option<String>,
}

/// One job of the service.
#[derive(Clone, Debug)]
pub struct Job {
    /// The key that made it, where the service keeps any.
    pub key: Option<String>,
    /// Its status.
    pub status: String,
    /// When it was created (milliseconds of the service's clock).
    pub created_at: i64,
    /// A worker has begun to write its file.
    pub begun: bool,
    /// Somebody asked for its cancel.
    pub cancel_asked: bool,
    /// SHA-256 of its file, in hexadecimal digits.
    pub digest: Option<String>,
}

/// A connection that only looks.
pub fn look_at(database: &Path) -> Connection {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags).expect("a database opens");
    connection.pragma_update(None, "query_only", true).expect("it can be set");
    connection.busy_timeout(docket_tests::PATIENCE).expect("it can be set");
    connection
}

/// The client's side.
pub fn exports(store: &Connection) -> BTreeMap<String, Entry> {
    let mut attempts: BTreeMap<String, BTreeMap<u32, Attempt>> = BTreeMap::new();
    let rows = all(store, "SELECT export_id, attempt_no, kind, result FROM attempt", |row| {
        let attempt = Attempt { kind: row.get(2)?, result: row.get(3)? };
        Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?, attempt))
    });
    for (export, number, attempt) in rows {
        attempts.entry(export).or_default().insert(number, attempt);
    }
    let columns = "SELECT id, request_key, payload, body, knowledge, journal, stage, \
                   next_action_at, version, supersedes FROM export";
    all(store, columns, |row| {
        let id: String = row.get(0)?;
        let entry = Entry {
            key: row.get(1)?,
            payload: (row.get(2)?, row.get(3)?),
            knowledge: json(row, 4)?,
            journal: json(row, 5)?,
            stage: row.get(6)?,
            due: row.get(7)?,
            version: row.get::<_, i64>(8)?.unsigned_abs(),
            supersedes: row.get(9)?,
            attempts: attempts.remove(&id).unwrap_or_default(),
        };
        Ok((id, entry))
    })
    .into_iter()
    .collect()
}

/// The service's jobs.
pub fn jobs(service: &Connection) -> BTreeMap<String, Job> {
    let columns = "SELECT business_id, request_key, status, created_at, \
                   progress_step IS NOT NULL AND coalesce(lease_until, 0) > 0, cancel_requested, \
                   file_sha256 FROM export_job";
    all(service, columns, |row| {
        let job = Job {
            key: row.get(1)?,
            status: row.get(2)?,
            created_at: row.get(3)?,
            begun: row.get(4)?,
            cancel_asked: row.get(5)?,
            digest: row.get(6)?,
        };
        Ok((row.get(0)?, job))
    })
    .into_iter()
    .collect()
}

/// The keys that the service knows.
pub fn keys(service: &Connection) -> BTreeMap<String, String> {
    all(service, "SELECT request_key, state FROM request_record", |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
    .into_iter()
    .collect()
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let text: String = row.get(at)?;
    Ok(serde_json::from_str(&text).expect("the store's JSON is the engine's"))
}

fn all<T>(
    connection: &Connection,
    query: &str,
    row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let mut statement = connection.prepare_cached(query).expect("the table is as it was");
    let rows = statement.query_map([], row).expect("the table can be read");
    rows.collect::<rusqlite::Result<_>>().expect("the rows can be read")
}
