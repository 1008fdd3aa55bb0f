//! The service's database, read as another program would.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, Row};

/// See the head of this file.
pub struct Rows(Connection);

/// A row of `export_job`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// The service's id.
    pub business_id: String,
    /// The key that made it; none where the service keeps none.
    pub request_key: Option<String>,
    /// Its status.
    pub status: String,
    /// Who asked.
    pub requested_by: String,
    /// SHA-256 of its file, in hexadecimal digits.
    pub file_sha256: Option<String>,
}

/// A row of `request_record`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// The key.
    pub request_key: String,
    /// `present` or `abandoned`.
    pub state: String,
    /// The job.
    pub business_id: Option<String>,
}

impl Rows {
    /// The database in this file.
    ///
    /// # Panics
    /// It can not be opened.
    pub fn of(database: &Path) -> Self {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        Self(Connection::open_with_flags(database, flags).expect("the service's database opens"))
    }

    /// The jobs, oldest first.
    ///
    /// # Panics
    /// They can not be read.
    pub fn jobs(&self) -> Vec<JobRow> {
        let query = "SELECT business_id, request_key, status, requested_by, file_sha256 \
                     FROM export_job ORDER BY created_at, rowid";
        self.read(query, |row| {
            Ok(JobRow {
                business_id: row.get(0)?,
                request_key: row.get(1)?,
                status: row.get(2)?,
                requested_by: row.get(3)?,
                file_sha256: row.get(4)?,
            })
        })
    }

    /// The keys that the service knows.
    ///
    /// # Panics
    /// They can not be read.
    pub fn records(&self) -> Vec<RecordRow> {
        let query = "SELECT request_key, state, business_id FROM request_record \
                     ORDER BY recorded_at, request_key";
        self.read(query, |row| {
            Ok(RecordRow { request_key: row.get(0)?, state: row.get(1)?, business_id: row.get(2)? })
        })
    }

    /// Changes what the service holds behind its back, as no client could.
    ///
    /// # Panics
    /// The statement is wrong.
    pub fn tamper(&self, statement: &str) {
        self.0.execute_batch(statement).expect("the statement runs");
    }

    fn read<T>(&self, query: &str, row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
        let mut statement = self.0.prepare(query).expect("the table is as interfaces.md says");
        let rows = statement.query_map([], row).expect("the table can be read");
        rows.collect::<rusqlite::Result<_>>().expect("the rows can be read")
    }
}
