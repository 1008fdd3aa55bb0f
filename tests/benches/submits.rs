//! How many new jobs a second the reference service accepts, against the bare transaction behind one.
//!
//! Ours is `POST …/exports` over loopback on connections that stay open, each with a key of its own,
//! answered 202 once the job is durable; no job is begun meanwhile. The bare side writes the same two
//! rows (the key's record and the job) with the same durability, one transaction after the other, into
//! tables that have their primary keys and no more.

use std::{net::SocketAddr, path::Path};

use docket_engine::{
    clock::{Clock, SystemClock},
    export::RequestKey,
};
use docket_tests::{
    program::ServiceProgram,
    world::{ADA, TENANT},
};
use jiff::fmt::rfc2822::DateTimePrinter;
use rusqlite::{Connection, TransactionBehavior, params_from_iter, types::Value};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::{
    bare::durable,
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Connections that are open at once.
const CONNECTIONS: usize = 32;
/// Jobs of one round.
const JOBS: usize = 3_200;
/// Rounds.
const ROUNDS: usize = ROUNDS_MIN + 2;
/// What each asks for.
const BODY: &str = r#"{"operation":"orders","parameters":{"from":"2026-11-01","to":"2026-11-07","region":["north","east"]},"format":"csv"}"#;

/// Measures both.
pub async fn run() -> Vec<Figure> {
    let folder = place::folder();
    let service = ServiceProgram::start(folder.path(), &["--queued-for", "7d"]).await;
    let address = service.address();
    // One each, so that the bare side has two real rows to write again.
    submit(address, 1).await;
    let mut bare = Rows::like(&folder.path().join("service.db"), folder.path());
    let (mut ours, mut other) = (Side::default(), Side::default());
    // The first round warms up.
    for round in 0..=ROUNDS {
        let each = JOBS / CONNECTIONS;
        let callers = (0..CONNECTIONS).map(|_| tokio::spawn(submit(address, each)));
        let callers: Vec<_> = callers.collect();
        let (took, ()) = place::timed(async {
            for caller in callers {
                caller.await.expect("every job was accepted");
            }
        })
        .await;
        let (by_hand, ()) = place::timed_here(|| (0..JOBS).for_each(|_| bare.write()));
        if round > 0 {
            ours.round(vec![JOBS as f64 / took * 1000.0]);
            other.round(vec![JOBS as f64 / by_hand * 1000.0]);
        }
    }
    service.kill().await;
    let subject = Subject {
        bench: "submits",
        figure: format!("new jobs accepted, {CONNECTIONS} connections"),
        unit: "per second",
        ours: "POST to 202 over loopback, keep-alive".to_owned(),
        bare: "the same two rows, a transaction each: BEGIN IMMEDIATE … COMMIT; WAL, FULL"
            .to_owned(),
    };
    vec![Figure::of_pair(subject, Bar::RatioAtLeast(0.5), &ours, &other)]
}

/// Asks for so many jobs on one connection, one after the other.
async fn submit(address: SocketAddr, jobs: usize) {
    let stream = TcpStream::connect(address).await.expect("the service listens");
    stream.set_nodelay(true).expect("a setting of the socket");
    let mut stream = BufReader::new(stream);
    let sent = DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&SystemClock.now())
        .expect("this year fits in a date");
    for _ in 0..jobs {
        let request = format!(
            "POST /v1/tenants/{TENANT}/exports HTTP/1.1\r\nhost: {address}\r\n\
             authorization: Bearer {ADA}\r\nidempotency-key: \"{}\"\r\n\
             repeatability-first-sent: {sent}\r\nprefer: respond-async\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{BODY}",
            RequestKey::mint(),
            BODY.len(),
        );
        stream.get_mut().write_all(request.as_bytes()).await.expect("the service reads");
        answered(&mut stream).await;
    }
}

/// Reads one answer to its end: 202.
async fn answered(stream: &mut BufReader<TcpStream>) {
    let (mut line, mut first, mut length) = (String::new(), String::new(), 0);
    loop {
        line.clear();
        stream.read_line(&mut line).await.expect("the service answers");
        if first.is_empty() {
            first.clone_from(&line);
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a length is a number");
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.expect("the answer is whole");
    assert!(first.starts_with("HTTP/1.1 202"), "{first}{}", String::from_utf8_lossy(&body));
}

/// The two rows of a job, written again and again under other names.
struct Rows {
    conn: Connection,
    record: Table,
    job: Table,
}

/// A table with one row to be written again.
struct Table {
    insert: String,
    values: Vec<Value>,
    /// The columns whose value is another each time.
    names: Vec<usize>,
}

impl Rows {
    fn like(service: &Path, folder: &Path) -> Self {
        let theirs = Connection::open(service).expect("the service's database opens");
        let conn = durable(&folder.join("bare.db"));
        let (key, id) = (&["request_key", "business_id"], &["business_id", "request_key"]);
        let record =
            Table::like(&theirs, &conn, "request_record", "tenant_id, operation, request_key", key);
        let job = Table::like(&theirs, &conn, "export_job", "business_id", id);
        Self { conn, record, job }
    }

    fn write(&mut self) {
        let name = Value::Text(RequestKey::mint().to_string());
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate);
        let tx = tx.expect("nobody else writes here");
        for table in [&mut self.record, &mut self.job] {
            for at in &table.names {
                table.values[*at] = name.clone();
            }
            tx.prepare_cached(&table.insert)
                .and_then(|mut insert| insert.execute(params_from_iter(&table.values)))
                .expect("a row can be written");
        }
        tx.commit().expect("it can be made durable");
    }
}

impl Table {
    fn like(theirs: &Connection, ours: &Connection, name: &str, key: &str, names: &[&str]) -> Self {
        let columns: Vec<String> = theirs
            .prepare(&format!("PRAGMA table_info({name})"))
            .and_then(|mut statement| statement.query_map([], |row| row.get("name"))?.collect())
            .expect("the table has columns");
        let values: Vec<Value> = theirs
            .query_row(&format!("SELECT {} FROM {name}", columns.join(", ")), [], |row| {
                (0..columns.len()).map(|at| row.get(at)).collect()
            })
            .expect("the table has a row");
        ours.execute_batch(&format!(
            "CREATE TABLE {name} ({}, PRIMARY KEY ({key})) WITHOUT ROWID",
            columns.join(", ")
        ))
        .expect("the table can be made");
        let marks = vec!["?"; columns.len()].join(", ");
        let insert = format!("INSERT INTO {name} ({}) VALUES ({marks})", columns.join(", "));
        let at = |wanted: &&str| columns.iter().position(|column| column == wanted);
        Self { insert, values, names: names.iter().filter_map(at).collect() }
    }
}
