//! Tests of the store, through its own verbs; SQL only where a test looks behind them.

mod against;
mod aside;
mod calls;
mod child;
mod golden;
mod intent;
mod list;
mod opening;
mod services;
mod twins;

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::{EndedAttempt, Intent, ListedBy, MadeWith, Opened, Role, Store, StoreError};
use crate::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, Phase},
    delivery::Delivery,
    export::{Account, ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    journal::Journal,
    knowledge::Knowledge,
    record::Record,
    stage::Stage,
};

/// A home and a machine's own folder that go when the test ends.
struct Place {
    _dir: tempfile::TempDir,
    home: PathBuf,
    machine: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (home, machine) = (dir.path().join("home"), dir.path().join("machine"));
        Self { _dir: dir, home, machine }
    }

    fn try_open(&self) -> Result<Opened, StoreError> {
        Store::open(&self.home, &self.machine, at(0))
    }

    fn open(&self) -> Opened {
        self.try_open().unwrap()
    }

    /// The store, which this test drives.
    fn driven(&self) -> Store {
        let opened = self.open();
        assert_eq!(opened.role, Role::Driver);
        opened.store
    }

    fn db(&self) -> PathBuf {
        self.home.join("docket.db")
    }

    /// A look behind the verbs.
    fn sql(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.db()).unwrap()
    }
}

/// So many seconds after a start that means nothing.
fn at(seconds: i64) -> Timestamp {
    let start: Timestamp = "2026-01-05T09:00:00Z".parse().unwrap();
    start + SignedDuration::from_secs(seconds)
}

/// An intent that is due at once, of the report `operation`.
fn intent(operation: &str, parameters: serde_json::Value) -> Record {
    let id = ExportId::mint();
    let payload = Payload::new(operation, parameters, "csv").unwrap();
    Record {
        export: Export {
            id,
            request_key: RequestKey::mint(),
            click_id: ClickId::mint(),
            account: Account {
                service: ServiceId::from_text("service-1"),
                address: "https://exports.example.com".to_owned(),
                tenant_id: "acme".to_owned(),
                subject: Some("ada".to_owned()),
            },
            body: payload.canonical().to_vec(),
            payload,
            created_at: at(0),
            supersedes: None,
            trace_id: "0123456789abcdef0123456789abcdef".to_owned(),
            folder: None,
        },
        title: [("en".to_owned(), format!("The {operation}"))].into(),
        knowledge: Knowledge::default(),
        journal: Journal::new(at(0), None),
        delivery: Delivery::default(),
        facts: None,
        stage: Stage::Sending,
        next_action_at: Some(at(0)),
        version: 0,
        updated_at: at(0),
    }
}

fn orders() -> Record {
    intent("orders", json!({ "region": "north" }))
}

/// Records an intent that nothing holds.
fn record(store: &Store, record: Record) -> Record {
    let now = record.export.created_at;
    match store.record_intent::<()>(record, now, &|_, _| Ok(None)).unwrap() {
        Intent::Recorded(record) => record,
        Intent::SameClick(_) | Intent::Held(()) => panic!("not recorded"),
    }
}

fn ended(
    export: &ExportId,
    attempt_no: u32,
    kind: AttemptKind,
    result: AttemptResult,
) -> EndedAttempt {
    EndedAttempt {
        export: export.clone(),
        attempt_no,
        kind,
        span_id: format!("{attempt_no:016x}"),
        started_at: at(10),
        ended_at: at(11 + i64::from(attempt_no)),
        end: AttemptEnd { result, http_status: None, service_time: None, phases: vec![] },
        credential: MadeWith::Current,
    }
}

fn lost() -> AttemptResult {
    AttemptResult::Lost { phase: Phase::Await, reason: CallReason::Timeout, hint: None }
}

/// Changes nothing.
fn same(_record: &mut Record) {}

/// Plans nothing after an end.
fn as_it_is(_record: &mut Record, _end: &EndedAttempt) {}

fn page(limit: u32) -> ListedBy {
    ListedBy { limit, ..ListedBy::default() }
}

/// What is due of the service of [`orders`] so many seconds after the start.
fn due(store: &Store, seconds: i64) -> Vec<super::Due> {
    let service = orders().export.account.service;
    store.due((&service, super::Lane::Call), at(seconds), None, 10).unwrap()
}
