//! A table of each kind in memory, through which a row goes that may be one of ours: what the
//! table's own checks and the store's own reading take for one, is one.
//!
//! So there is one way to read a row, whether the store is whole or not.

use rusqlite::{Connection, params_from_iter, types::Value};

use super::{
    super::{attempt, catalogue::Catalogues, error::StoreError, export, schema, service},
    cell::{Numbered, Shape},
};
use crate::{
    export::{Export, ExportId},
    record::Record,
    store::ServiceProfile,
};

/// What could be read of an export.
pub(super) enum Sieved {
    /// All of it.
    Whole(Box<Record>),
    /// What never changes about it; what was known of it since is damaged.
    Intent(Box<Export>, Copies),
}

/// What the copies for lists say of an export whose state can not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// It was over.
    Over,
    /// It was not.
    Open,
}

/// See the head of this file.
pub(super) struct Sieve {
    conn: Connection,
    export: Vec<String>,
    attempt: Vec<String>,
    service: Vec<String>,
}

/// What is computed with of an export, all of it JSON.
const STATE: [&str; 4] = ["title", "knowledge", "journal", "delivery"];
/// Columns that an export had in the first shape of a store.
const EXPORT_COLUMNS_MIN: usize = 28;

impl Sieve {
    pub(super) fn new(steps: &[&str]) -> Result<Self, StoreError> {
        let mut conn = schema::in_memory(steps)?;
        conn.pragma_update(None, "foreign_keys", false)?;
        // What is computed of a row is not asked for here: a damaged one gives none.
        let computed: Vec<String> = conn
            .prepare(
                "SELECT 'DROP ' || type || ' ' || name FROM sqlite_schema \
                 WHERE type IN ('trigger', 'index') AND sql IS NOT NULL",
            )?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let tx = conn.transaction()?;
        for drop in computed {
            tx.execute_batch(&drop)?;
        }
        tx.commit()?;
        let columns = |table: &str| stored_columns(&conn, table);
        let (export, attempt, service) =
            (columns("export")?, columns("attempt")?, columns("service_profile")?);
        Ok(Self { conn, export, attempt, service })
    }

    /// What the rows look like that are sought, with that of the tally.
    pub(super) fn shapes(&self) -> Vec<Shape> {
        let unnumbered = |columns: &Vec<String>| Shape {
            numbered: Numbered::No,
            columns: columns.len()..=columns.len(),
        };
        vec![
            Shape { numbered: Numbered::Yes, columns: EXPORT_COLUMNS_MIN..=self.export.len() },
            Shape { numbered: Numbered::Yes, columns: super::TALLY_COLUMNS..=super::TALLY_COLUMNS },
            unnumbered(&self.attempt),
            unnumbered(&self.service),
        ]
    }

    /// The export that these values are, if they are one.
    pub(super) fn export(&self, values: &[Value]) -> Result<Option<Sieved>, StoreError> {
        if !self.holds("export", &self.export, values)? {
            return Ok(None);
        }
        match export::select(&self.conn, "", []) {
            Ok(mut records) => Ok(records.pop().map(|record| Sieved::Whole(Box::new(record)))),
            Err(error) if error.is_damage() => match export::intent_alone(&self.conn) {
                Ok(Some((export, unfinished))) => {
                    let copies = if unfinished { Copies::Open } else { Copies::Over };
                    Ok(Some(Sieved::Intent(Box::new(export), copies)))
                }
                Ok(None) => Ok(None),
                Err(error) if error.is_damage() => Ok(None),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// Whether these values are an attempt.
    pub(super) fn is_attempt(&self, values: &[Value]) -> Result<bool, StoreError> {
        let (Some(Value::Text(id)), true) =
            (values.first(), self.holds("attempt", &self.attempt, values)?)
        else {
            return Ok(false);
        };
        match attempt::of(&self.conn, &ExportId::from_text(id.as_str())) {
            Ok(attempts) => Ok(attempts.len() == 1),
            Err(error) if error.is_damage() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The service that these values are, if they are one.
    pub(super) fn service(&self, values: &[Value]) -> Result<Option<ServiceProfile>, StoreError> {
        if !self.holds("service_profile", &self.service, values)? {
            return Ok(None);
        }
        match service::select(&self.conn, &Catalogues::default(), "", []) {
            Ok(mut profiles) => Ok(profiles.pop()),
            Err(error) if error.is_damage() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes an attempt as it is into a store.
    pub(super) fn write_attempt(
        &self,
        into: &Connection,
        values: &[Value],
    ) -> Result<(), StoreError> {
        insert(into, "attempt", &self.attempt, values)?;
        Ok(())
    }

    /// Makes this the one row of a table. False where the table does not take it.
    fn holds(&self, table: &str, names: &[String], values: &[Value]) -> Result<bool, StoreError> {
        self.conn.prepare_cached(&format!("DELETE FROM {table}"))?.execute([])?;
        match taken(insert(&self.conn, table, names, values))? {
            Taken::Yes => Ok(true),
            Taken::No => Ok(false),
            // What is known is no JSON any more; the intent beside it may be whole.
            Taken::NotComputed => {
                let blank = |(name, value): (&String, &Value)| match STATE.contains(&name.as_str())
                {
                    true => Value::Text("{}".to_owned()),
                    false => value.clone(),
                };
                let without: Vec<Value> = names.iter().zip(values).map(blank).collect();
                Ok(taken(insert(&self.conn, table, names, &without))? == Taken::Yes)
            }
        }
    }
}

/// What became of a row that was put to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Yes,
    No,
    /// What the table computes of it can not be computed.
    NotComputed,
}

fn taken(inserted: rusqlite::Result<()>) -> Result<Taken, StoreError> {
    match inserted.map_err(|error| (error.sqlite_error_code(), error)) {
        Ok(()) => Ok(Taken::Yes),
        Err((Some(rusqlite::ErrorCode::ConstraintViolation), _)) => Ok(Taken::No),
        Err((Some(rusqlite::ErrorCode::Unknown), _)) => Ok(Taken::NotComputed),
        Err((_, error)) => Err(error.into()),
    }
}

fn insert(
    into: &Connection,
    table: &str,
    names: &[String],
    values: &[Value],
) -> rusqlite::Result<()> {
    let names = &names[..values.len().min(names.len())];
    let marks = vec!["?"; names.len()].join(", ");
    let query = format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(", "));
    into.prepare_cached(&query)?.execute(params_from_iter(&values[..names.len()])).map(drop)
}

/// The columns in the order in which a row holds them; those that are computed are not among them.
fn stored_columns(conn: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    Ok(conn
        .prepare("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid")?
        .query_map([table], |row| row.get(0))?
        .collect::<Result<_, _>>()?)
}
