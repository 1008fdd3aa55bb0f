//! The list of all exports: what needs a person first, then what goes on by itself (what is being
//! confirmed first), then what is over; the newest first in each. Of the exports a page reads only its
//! own; what it leaves out (what stands above it, another stage, another text) it passes over in an
//! index alone. The counts are kept by the store.

use rusqlite::{Connection, named_params};

use super::{
    Store,
    columns::count,
    error::{Damage, StoreError},
    export::{self, COLUMNS},
    search::Typed,
};
use crate::{
    record::Record,
    stage::{Section, Stage},
};

/// Exports on one page, whatever was asked for.
pub const PAGE_MAX: u32 = 500;

/// Which exports are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedBy {
    /// One section; all where absent.
    pub section: Option<Section>,
    /// One stage; all where absent.
    pub stage: Option<Stage>,
    /// Words, each of which the export's text holds: key, report, title, parameters, file, service.
    pub search: Option<String>,
    /// How many to leave out from the top.
    pub offset: u32,
    /// How many at most, up to [`PAGE_MAX`].
    pub limit: u32,
}

/// A page of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// In the order of the list.
    pub records: Vec<Record>,
    /// Rows that can not be read, by their places on the page; they hide no other.
    pub unreadable: Vec<u32>,
    /// Whether there are more after these.
    pub more: bool,
    /// Over the whole store, whatever was asked for.
    pub counts: Counts,
}

/// How many exports stand where, over the whole store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// A person is needed.
    pub needs_attention: u32,
    /// Open, and Docket works alone.
    pub in_progress: u32,
    /// Of these: the result is being confirmed.
    pub confirming: u32,
    /// Over.
    pub finished: u32,
}

/// The ranks of the column `list_rank`: 0 needs a person, 1 confirming, 2 in progress, 3 over.
fn ranks(section: Option<Section>) -> (u8, u8) {
    match section {
        None => (0, 3),
        Some(Section::NeedsAttention) => (0, 0),
        Some(Section::InProgress) => (1, 2),
        Some(Section::Finished) => (3, 3),
    }
}

impl Store {
    /// A page of the list, with the counts as they were at the same moment.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn list(&self, by: &ListedBy) -> Result<Listed, StoreError> {
        let limit = by.limit.min(PAGE_MAX);
        self.read(|conn| {
            let counts = tallied(conn)?;
            let mut rows = page(conn, by, limit.saturating_add(1))?;
            let more = rows.len() > limit as usize;
            rows.truncate(limit as usize);
            let places = (0..).zip(&rows);
            let unreadable = places.filter(|(_, row)| row.is_err()).map(|(at, _)| at).collect();
            Ok(Listed { records: self.readable(rows), unreadable, more, counts })
        })
    }

    /// How many exports stand where.
    ///
    /// # Errors
    /// A store that can not be read.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.read(|conn| tallied(conn))
    }
}

pub(super) fn tallied(conn: &Connection) -> Result<Counts, StoreError> {
    let mut statement = conn.prepare_cached("SELECT list_rank, exports FROM tally")?;
    let mut rows = statement.query([])?;
    let mut by_rank = [0_u32; 4];
    while let Some(row) = rows.next()? {
        let rank: usize = count(row.get(0)?, "list_rank")?;
        let place = by_rank.get_mut(rank).ok_or_else(|| StoreError::column("list_rank"))?;
        *place = count(row.get(1)?, "exports")?;
    }
    let [needs_attention, confirming, other, finished] = by_rank;
    Ok(Counts {
        needs_attention,
        in_progress: confirming.saturating_add(other),
        confirming,
        finished,
    })
}

/// How a page is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Down the list.
    List,
    /// Down the list, looking at each text.
    Search,
}

fn page(
    conn: &Connection,
    by: &ListedBy,
    rows: u32,
) -> Result<Vec<Result<Record, Damage>>, StoreError> {
    let (first, last) = ranks(by.section);
    let stage = by.stage.map(Stage::as_str);
    match by.search.as_deref().and_then(Typed::read) {
        None => export::read_each(
            conn,
            &query(Way::List),
            named_params! {
                ":first": first, ":last": last, ":stage": stage,
                ":rows": rows, ":offset": by.offset,
            },
        ),
        Some(typed) => {
            let [a, b, c, d] = typed.patterns();
            export::read_each(
                conn,
                &query(Way::Search),
                named_params! {
                    ":first": first, ":last": last, ":stage": stage,
                    ":a": a, ":b": b, ":c": c, ":d": d, ":rows": rows, ":offset": by.offset,
                },
            )
        }
    }
}

/// The text of the query. What a page is not made of is told from the index alone; only the rows of
/// the page itself are read.
pub(super) fn query(way: Way) -> String {
    const WANTED: &str =
        "list_rank BETWEEN :first AND :last AND (:stage IS NULL OR stage = :stage)";
    const ORDER: &str = "ORDER BY list_rank, created_at DESC, seq DESC LIMIT :rows OFFSET :offset";
    match way {
        Way::List => {
            format!("SELECT {COLUMNS} FROM export INDEXED BY export_list WHERE {WANTED} {ORDER}")
        }
        // Joined, and not bound as they are: SQLite would prepare the query anew for each pattern.
        Way::Search => format!(
            "SELECT {COLUMNS} FROM export INDEXED BY export_walk WHERE {WANTED} \
             AND search GLOB '' || :a AND search GLOB '' || :b \
             AND search GLOB '' || :c AND search GLOB '' || :d {ORDER}"
        ),
    }
}
