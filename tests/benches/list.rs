//! A page of a list of 100,000 exports, and the search while a person types.
//!
//! Ours is [`Engine::list`] as the window asks it: the page, the attempts of its exports, the counts,
//! the views. The bare side reads the same columns of as many rows in the same order, and for a search
//! looks through the texts with `LIKE`.

use std::{path::Path, sync::Arc};

use docket_engine::{
    engine::Engine,
    secrets::MemorySecrets,
    stage::{Section, Stage},
    view::ListQuery,
};
use docket_tests::{filled, program::ServiceProgram, world::week};
use rusqlite::Connection;
use serde_json::json;

use crate::{
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Exports in the store.
const EXPORTS: u32 = 100_000;
/// Exports on a page, as the window asks for them.
const PAGE: u32 = 50;
/// Rounds.
const ROUNDS: usize = ROUNDS_MIN + 2;
/// Where a person may have scrolled to, in exports from the top.
const OFFSETS: [u32; 6] = [0, 50, 1_000, 10_000, 50_000, 99_900];
/// What a person types, letter by letter.
const TYPED: [&str; 8] = [
    "orders",
    "orders north 2024-03",
    "customers",
    "general ledger",
    "订单",
    "2026-01-0",
    "reports",
    "no such thing",
];
/// The columns of a page, in the bare query.
const COLUMNS: &str = "id, request_key, payload, title, knowledge, journal, delivery, facts, stage";

/// Measures pages and searches.
pub async fn run() -> Vec<Figure> {
    let folder = place::folder();
    let secrets = Arc::new(MemorySecrets::default());
    originals(folder.path(), &secrets).await;
    let home = place::home(folder.path());
    filled::exports(&home, EXPORTS, 60_000, other_texts);
    let engine = place::engine(folder.path(), secrets).await;
    let bare = Connection::open(home.join("docket.db")).expect("the store is there");
    bare.pragma_update(None, "cache_size", -16 * 1024).expect("a setting of SQLite");
    let figures = vec![pages(&engine, &bare).await, searches(&engine, &bare).await];
    engine.shutdown().await;
    figures
}

/// One export of each kind that a list shows: saved, refused, withdrawn, waiting for a person.
async fn originals(folder: &Path, secrets: &Arc<MemorySecrets>) {
    let service = ServiceProgram::start(folder, &[]).await;
    let engine = place::engine(folder, Arc::clone(secrets)).await;
    let id = place::add_service(&engine, &service.url).await;
    engine.start();
    for (operation, parameters, ends) in [
        ("orders", week(), Stage::Saved),
        ("customers", json!({"country": ["DE"], "since": "2026-11-01"}), Stage::Saved),
        ("ledger", json!({"rows": 1000, "seed": 1}), Stage::Saved),
        ("orders", json!({"from": "2026-11-07", "to": "2026-11-01"}), Stage::Rejected),
    ] {
        let form = place::form(&id, operation, parameters);
        let requested = engine.request(form).await.expect("the intent can be recorded");
        let view = engine.settled_or_waiting(&place::recorded(requested)).await;
        let view = view.expect("the export can be read");
        assert_eq!(view.stage, ends, "{view:?}");
    }
    service.kill().await;
    let form = place::form(&id, "orders", json!({"from": "2026-10-01", "to": "2026-10-02"}));
    let requested = engine.request(form).await.expect("the intent can be recorded");
    let withdrawn = place::recorded(requested);
    engine.cancel(&withdrawn).await.expect("nothing arrived");
    engine.shutdown().await;
}

/// Other days, regions and rows in each copy.
fn other_texts(at: u32) -> Vec<filled::Change> {
    let (year, month, day) = (2020 + at / 28 / 12 % 7, at / 28 % 12 + 1, at % 28 + 1);
    let region = ["north", "south", "west"][at as usize % 3];
    vec![
        ("2026-11-01".to_owned(), format!("{year}-{month:02}-{day:02}")),
        ("2026-11-07".to_owned(), format!("{year}-{month:02}-28")),
        ("north".to_owned(), region.to_owned()),
    ]
}

async fn pages(engine: &Engine, bare: &Connection) -> Figure {
    let asked = |section, stage, offset| ListQuery {
        section,
        stage,
        offset,
        limit: PAGE,
        ..ListQuery::default()
    };
    let mut queries: Vec<ListQuery> = OFFSETS.map(|offset| asked(None, None, offset)).into();
    queries.extend(OFFSETS.map(|offset| asked(Some(Section::Finished), None, offset)));
    queries.extend([0, 10_000].map(|offset| asked(None, Some(Stage::Rejected), offset)));
    queries.push(asked(Some(Section::InProgress), None, 0));
    queries.push(asked(Some(Section::NeedsAttention), None, 0));
    let (mut ours, mut other) = (Side::default(), Side::default());
    for round in 0..=ROUNDS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for query in &queries {
            let (took, page) = place::timed(engine.list(query.clone())).await;
            page.expect("the list can be read");
            mine.push(took);
            theirs.push(place::timed_here(|| bare_page(bare, query)).0);
        }
        // The first round warms up.
        if round > 0 {
            ours.round(mine);
            other.round(theirs);
        }
    }
    let subject = Subject {
        bench: "list",
        figure: format!("a page of {PAGE} of {EXPORTS}"),
        unit: "ms",
        ours: "Engine::list, at every depth, by section and by stage".to_owned(),
        bare: "the same columns of as many rows by the same index, by rusqlite alone".to_owned(),
    };
    Figure::of_pair(subject, Bar::P95AtMost(16.0), &ours, &other)
}

async fn searches(engine: &Engine, bare: &Connection) -> Figure {
    let prefixes: Vec<String> = TYPED
        .iter()
        .flat_map(|text| {
            let letters: Vec<char> = text.chars().collect();
            (1..=letters.len()).map(move |count| letters[..count].iter().collect())
        })
        .collect();
    let (mut ours, mut other) = (Side::default(), Side::default());
    let mut slowest = (0.0, String::new());
    for round in 0..=ROUNDS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for typed in &prefixes {
            let query =
                ListQuery { search: Some(typed.clone()), limit: PAGE, ..ListQuery::default() };
            let (took, page) = place::timed(engine.list(query)).await;
            page.expect("the list can be read");
            if round > 0 && took > slowest.0 {
                slowest = (took, typed.clone());
            }
            mine.push(took);
            theirs.push(place::timed_here(|| bare_search(bare, typed)).0);
        }
        if round > 0 {
            ours.round(mine);
            other.round(theirs);
        }
    }
    let subject = Subject {
        bench: "list",
        figure: format!("search of {EXPORTS} as typed"),
        unit: "ms",
        ours: format!("Engine::list after each letter of {} texts", TYPED.len()),
        bare: "a page WHERE search LIKE '%…%' in the order of the list, by rusqlite alone"
            .to_owned(),
    };
    Figure::of_pair(subject, Bar::P95AtMost(50.0), &ours, &other)
        .noting(format!("slowest: {:.1} ms for \"{}\"", slowest.0, slowest.1))
}

fn bare_page(conn: &Connection, query: &ListQuery) -> usize {
    let (first, last) = match query.section {
        None => (0, 3),
        Some(Section::NeedsAttention) => (0, 0),
        Some(Section::InProgress) => (1, 2),
        Some(Section::Finished) => (3, 3),
    };
    let stage = query.stage.map(Stage::as_str);
    let by_stage = if stage.is_some() { "stage = ?5 AND" } else { "?5 IS NULL AND" };
    read(
        conn,
        &format!(
            "SELECT {COLUMNS} FROM export WHERE {by_stage} list_rank BETWEEN ?1 AND ?2 \
             ORDER BY list_rank, created_at DESC, seq DESC LIMIT ?3 OFFSET ?4"
        ),
        (first, last, query.limit, query.offset, stage),
    )
}

fn bare_search(conn: &Connection, typed: &str) -> usize {
    read(
        conn,
        &format!(
            "SELECT {COLUMNS} FROM export WHERE search LIKE ?1 \
             ORDER BY list_rank, created_at DESC, seq DESC LIMIT ?2"
        ),
        (format!("%{typed}%"), PAGE),
    )
}

/// Reads every column of every row. Gives how many there were.
fn read(conn: &Connection, query: &str, params: impl rusqlite::Params) -> usize {
    let mut statement = conn.prepare_cached(query).expect("the store has these columns");
    let mut rows = statement.query(params).expect("the store can be read");
    let mut count = 0;
    while let Some(row) = rows.next().expect("a row can be read") {
        for column in 0..COLUMNS.split(',').count() {
            std::hint::black_box(row.get_ref(column).expect("the row has this column"));
        }
        count += 1;
    }
    count
}
