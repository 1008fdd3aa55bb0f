//! From a click to the durable row and the answer, against one bare transaction in the same folder.
//!
//! Ours is [`Engine::request`] awaited: the guards, the key, the row with its indexes and its search
//! text, the commit, the view that the window gets. Nobody drives meanwhile: what the reconciler does
//! next is no part of the click. The bare side writes one row of as many bytes.

use std::sync::Arc;

use docket_engine::{engine::Engine, export::ServiceId, secrets::MemorySecrets, view::Knowing};
use docket_tests::program::ServiceProgram;
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::{
    bare::Bare,
    measured::{Bar, Figure, ROUNDS_MIN, Side, Subject},
    place,
};

/// Clicks before the first that counts.
const WARM_UP: u32 = 50;
/// Clicks of one round.
const CLICKS: u32 = 100;
/// Rounds.
const ROUNDS: usize = ROUNDS_MIN + 4;
/// Open exports of the same report in the second figure: as many as the guard looks at.
const OPEN: u32 = 60;
/// Quality.md.
const BAR: Bar = Bar::RatioAtMost(1.5);

/// Measures a click with nothing else open, and one beside many open exports of the same report.
pub async fn run() -> Vec<Figure> {
    let folder = place::folder();
    let service = ServiceProgram::start(folder.path(), &[]).await;
    let engine = place::engine(folder.path(), Arc::new(MemorySecrets::default())).await;
    let id = place::add_service(&engine, &service.url).await;
    service.kill().await;
    let mut clicks = Clicks { engine, service: id, next: 0 };
    clicks.click_and_withdraw().await;
    let bytes = row_bytes(folder.path()) as usize;
    let mut bare = Bare::beside(&place::home(folder.path()), bytes);
    let alone = measure(&mut clicks, &mut bare, "click, nothing else open", bytes).await;
    for _ in 0..OPEN {
        clicks.click().await;
    }
    let what = format!("click, {OPEN} open of the same report");
    let beside = measure(&mut clicks, &mut bare, &what, bytes).await;
    clicks.engine.shutdown().await;
    vec![alone, beside]
}

async fn measure(clicks: &mut Clicks, bare: &mut Bare, what: &str, bytes: usize) -> Figure {
    for _ in 0..WARM_UP {
        clicks.click_and_withdraw().await;
        bare.write();
    }
    let (mut ours, mut other) = (Side::default(), Side::default());
    for _ in 0..ROUNDS {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for _ in 0..CLICKS {
            mine.push(clicks.click_and_withdraw().await);
            theirs.push(place::timed_here(|| bare.write()).0);
        }
        ours.round(mine);
        other.round(theirs);
    }
    let subject = Subject {
        bench: "click",
        figure: what.to_owned(),
        unit: "ms",
        ours: "Engine::request awaited; nobody drives".to_owned(),
        bare: format!("one row of {bytes} bytes: BEGIN IMMEDIATE, INSERT, COMMIT; WAL, FULL"),
    };
    Figure::of_pair(subject, BAR, &ours, &other)
}

/// A person who clicks.
struct Clicks {
    engine: Engine,
    service: ServiceId,
    next: u32,
}

impl Clicks {
    /// One click, and how long its answer took, in milliseconds.
    async fn click(&mut self) -> (f64, docket_engine::export::ExportId) {
        self.next += 1;
        let form = docket_engine::view::RequestExport {
            knowing: vec![Knowing::NearTwin],
            ..place::form(&self.service, "orders", parameters(self.next))
        };
        let (took, requested) = place::timed(self.engine.request(form)).await;
        (took, place::recorded(requested.expect("the intent can be recorded")))
    }

    /// The same, and withdrawn afterwards, so that no more are open than before.
    async fn click_and_withdraw(&mut self) -> f64 {
        let (took, id) = self.click().await;
        self.engine.cancel(&id).await.expect("nothing left yet");
        took
    }
}

/// Another week each time, so that no click is a copy of another.
fn parameters(number: u32) -> Value {
    let (day, region) = (number % 28 + 1, ["north", "east", "south", "west"][number as usize % 4]);
    let year = 1990 + number / 28;
    json!({
        "from": format!("{year}-01-{day:02}"), "to": format!("{year}-02-{day:02}"),
        "region": [region],
    })
}

/// What the row of an export weighs, all columns together.
fn row_bytes(folder: &std::path::Path) -> u32 {
    let conn = Connection::open(place::home(folder).join("docket.db")).expect("the store is there");
    let columns: Vec<String> = conn
        .prepare("PRAGMA table_info(export)")
        .and_then(|mut statement| statement.query_map([], |row| row.get("name"))?.collect())
        .expect("the table has columns");
    let lengths: Vec<String> =
        columns.iter().map(|name| format!("coalesce(length(cast({name} AS BLOB)), 0)")).collect();
    let query = format!("SELECT max({}) FROM export", lengths.join(" + "));
    conn.query_row(&query, [], |row| row.get(0)).expect("a row can be weighed")
}
