//! The bare sides over SQLite: what one durable transaction costs by itself.
//!
//! Nothing is left out that durability needs (WAL, `synchronous=FULL`, `BEGIN IMMEDIATE`) and nothing
//! is added: one connection, prepared statements, no index but the primary key.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

/// A database with one plain table.
pub struct Bare {
    conn: Connection,
    bytes: usize,
    next: u64,
}

impl Bare {
    /// Beside the store in this folder, with rows of so many bytes.
    ///
    /// # Panics
    /// It can not be made.
    pub fn beside(home: &Path, bytes: usize) -> Self {
        let conn = durable(&home.join("bare.db"));
        conn.execute_batch("CREATE TABLE plain (id TEXT PRIMARY KEY, body BLOB NOT NULL) STRICT")
            .expect("a table can be made");
        Self { conn, bytes, next: 0 }
    }

    /// One row, on the disk when this returns.
    ///
    /// # Panics
    /// It can not be written.
    pub fn write(&mut self) {
        self.next += 1;
        let (id, body) = (format!("{:036}", self.next), vec![b'x'; self.bytes]);
        let tx = self.conn.transaction_with_behavior(TransactionBehavior::Immediate);
        let tx = tx.expect("nobody else writes here");
        tx.prepare_cached("INSERT INTO plain (id, body) VALUES (?1, ?2)")
            .and_then(|mut insert| insert.execute((id, body)))
            .expect("a row can be written");
        tx.commit().expect("it can be made durable");
    }
}

/// Opens a database with the store's own durability.
///
/// # Panics
/// It can not be opened.
pub fn durable(path: &Path) -> Connection {
    let conn = Connection::open(path).expect("a database can be made");
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(())).expect("WAL is there");
    conn.pragma_update(None, "synchronous", "full").expect("a setting of SQLite");
    conn.pragma_update(None, "fullfsync", true).expect("a setting of SQLite");
    conn
}
