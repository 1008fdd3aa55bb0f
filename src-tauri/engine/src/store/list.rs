//! The list of all exports: what needs a person first, then what goes on by itself (what is being
//! confirmed first), then what is over; the newest first in each. A page reads only itself, and the
//! counts are kept by the store: neither grows with the number of exports.

use rusqlite::{Connection, named_params};

use super::{
    Store,
    columns::count,
    error::StoreError,
    export::{self, COLUMNS},
    search::Typed,
};
use crate::{
    record::Record,
    stage::{Section, Stage},
};

/// Exports on one page, whatever was asked for.
pub const PAGE_MAX: u32 = 500;

/// Candidates up to which a search asks the index of trigrams; where there are more, hits lie so
/// close that walking down the list finds a page of them sooner.
const CANDIDATES_MAX: u32 = 2_000;

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
            let mut records = page(conn, by, limit.saturating_add(1))?;
            let more = records.len() > limit as usize;
            records.truncate(limit as usize);
            Ok(Listed { records, more, counts })
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

fn tallied(conn: &Connection) -> Result<Counts, StoreError> {
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
    /// Down the list of one stage.
    Stage,
    /// Down the list, looking at each text.
    Walk,
    /// From the index of trigrams, then sorted.
    Trigrams,
}

fn page(conn: &Connection, by: &ListedBy, rows: u32) -> Result<Vec<Record>, StoreError> {
    let (first, last) = ranks(by.section);
    let typed = by.search.as_deref().and_then(Typed::read);
    let Some(typed) = typed else {
        return match by.stage {
            None => export::read_all(
                conn,
                &query(Way::List),
                named_params! { ":first": first, ":last": last, ":rows": rows, ":offset": by.offset },
            ),
            Some(stage) => export::read_all(
                conn,
                &query(Way::Stage),
                named_params! {
                    ":first": first, ":last": last, ":stage": stage.as_str(),
                    ":rows": rows, ":offset": by.offset,
                },
            ),
        };
    };
    let stage = by.stage.map(Stage::as_str);
    let [a, b, c, d] = &typed.words;
    match typed.trigrams {
        Some(trigrams) if are_few(conn, &trigrams)? => export::read_all(
            conn,
            &query(Way::Trigrams),
            named_params! {
                ":trigrams": trigrams, ":first": first, ":last": last, ":stage": stage,
                ":a": a, ":b": b, ":c": c, ":d": d, ":rows": rows, ":offset": by.offset,
            },
        ),
        Some(_) | None => export::read_all(
            conn,
            &query(Way::Walk),
            named_params! {
                ":first": first, ":last": last, ":stage": stage,
                ":a": a, ":b": b, ":c": c, ":d": d, ":rows": rows, ":offset": by.offset,
            },
        ),
    }
}

fn are_few(conn: &Connection, trigrams: &str) -> Result<bool, StoreError> {
    let found: u32 = conn
        .prepare_cached(
            "SELECT count(*) FROM (SELECT 1 FROM export_trigram WHERE export_trigram MATCH ?1 \
             LIMIT ?2)",
        )?
        .query_row((trigrams, CANDIDATES_MAX), |row| row.get(0))?;
    Ok(found < CANDIDATES_MAX)
}

/// The text of the query. The inner query finds the rows' numbers from an index alone; only the
/// rows of the page itself are read.
pub(super) fn query(way: Way) -> String {
    const HELD: &str = "(:stage IS NULL OR stage = :stage) AND instr(search, :a) \
         AND instr(search, :b) AND instr(search, :c) AND instr(search, :d)";
    const ORDER: &str = "ORDER BY list_rank, created_at DESC, seq DESC";
    const PAGE: &str = "LIMIT :rows OFFSET :offset";
    let in_section = "list_rank BETWEEN :first AND :last";
    match way {
        Way::List => {
            format!(
                "SELECT {COLUMNS} FROM export INDEXED BY export_list WHERE {in_section} {ORDER} {PAGE}"
            )
        }
        Way::Stage => format!(
            "SELECT {COLUMNS} FROM export INDEXED BY export_stage \
             WHERE stage = :stage AND {in_section} {ORDER} {PAGE}"
        ),
        Way::Walk => format!(
            "SELECT {COLUMNS} FROM export INDEXED BY export_walk WHERE {in_section} AND {HELD} {ORDER} {PAGE}"
        ),
        Way::Trigrams => format!(
            "SELECT {COLUMNS} FROM export WHERE seq IN \
             (SELECT rowid FROM export_trigram WHERE export_trigram MATCH :trigrams) \
             AND +{in_section} AND {HELD} {ORDER} {PAGE}"
        ),
    }
}
