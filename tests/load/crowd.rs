//! Many exports at once, recorded and lost by the store's own verbs: each was submitted, and nobody
//! knows what became of it.

use std::{path::PathBuf, sync::Arc, time::Duration};

use docket_engine::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, Phase},
    clock::{Chance, Clock, SystemClock},
    connector::{NativeConnector, Proxying},
    engine::{Engine, NewService, Options},
    export::{ClickId, ExportId, Payload, RequestKey, ServiceId},
    plan::{self, Ended, Moment},
    policy::Policy,
    secrets::MemorySecrets,
    store::{EndedAttempt, Intent, MadeWith, Practice, Store},
    view::{ListQuery, RequestExport, Requested, SectionCounts},
};
use docket_tests::{
    World,
    program::Terminal,
    world::{ADA, TENANT},
};
use serde_json::json;

/// How long a crowd may take; only a failing test waits so long.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// How many make a crowd.
pub fn size(in_ci: u32) -> u32 {
    let asked = std::env::var("DOCKET_LOAD").ok();
    asked.map_or(in_ci, |asked| asked.parse().expect("DOCKET_LOAD is a number"))
}

/// A store and what it is opened with, again and again.
#[derive(Clone)]
pub struct Place {
    pub home: PathBuf,
    pub machine_state: PathBuf,
    pub downloads: PathBuf,
    pub policy: Policy,
    pub clock: Arc<dyn Clock>,
    pub secrets: Arc<MemorySecrets>,
}

impl Place {
    pub fn of(world: &World, name: &str) -> Self {
        let folder = world.path(name);
        Self {
            home: folder.join("home"),
            machine_state: folder.join("machine"),
            downloads: folder.join("downloads"),
            policy: docket_tests::client::short(),
            clock: Arc::new(SystemClock),
            secrets: Arc::new(MemorySecrets::default()),
        }
    }

    /// The store of a person at a terminal, as a second process has it.
    pub fn beside(terminal: &Terminal) -> Self {
        Self {
            home: terminal.home(),
            machine_state: terminal.machine_state(),
            downloads: terminal.downloads(),
            policy: docket_tests::client::short(),
            clock: Arc::new(SystemClock),
            secrets: Arc::new(MemorySecrets::default()),
        }
    }

    pub async fn open(&self) -> Engine {
        let connector = NativeConnector::through(&Proxying::Direct, Arc::clone(&self.clock));
        Engine::open(Options {
            home: self.home.clone(),
            machine_state: self.machine_state.clone(),
            downloads: self.downloads.clone(),
            policy: self.policy.clone(),
            clock: Arc::clone(&self.clock),
            chance: Arc::new(Chance::seeded(7)),
            secrets: self.secrets.clone(),
            connector: Some(Arc::new(connector.expect("a connector can be made"))),
        })
        .await
        .expect("the store opens")
    }

    /// Adds a service and so many exports of it that are being confirmed: their ids and keys.
    pub async fn fill(&self, url: &str, count: u32) -> Vec<(ExportId, String)> {
        let (_, ids) = self.click(url, count).await;
        let now = self.clock.now();
        let ends: Vec<EndedAttempt> = ids.iter().map(|id| lost(id, now)).collect();
        let chance = Chance::seeded(11);
        let records = self.store(now).finish(&ends, now, &|record, end| {
            let end = Ended {
                kind: end.kind,
                result: &end.end.result,
                http_status: None,
                started_at: end.started_at,
                ended_at: end.ended_at,
            };
            let moment = Moment { policy: &self.policy, now, chance: chance.draw() };
            plan::advance(record, end, moment);
        });
        let records = records.expect("they can be written");
        records
            .into_iter()
            .map(|record| (record.export.id, record.export.request_key.to_string()))
            .collect()
    }

    /// Adds a service and so many fresh clicks at it, of which none was sent.
    pub async fn click(&self, url: &str, count: u32) -> (ServiceId, Vec<ExportId>) {
        let engine = self.open().await;
        let service = added(&engine, url).await;
        let first = self.ask(&engine, &service, 0).await;
        engine.shutdown().await;
        drop(engine);
        let now = self.clock.now();
        let store = self.store(now);
        let mut ids = vec![first];
        let template = store.get(&ids[0]).expect("it can be read").expect("it was recorded");
        for number in 1..count {
            let mut record = template.clone();
            let parameters = parameters(number);
            let payload = Payload::new("orders", parameters, "csv").expect("it can be sent");
            record.export.id = ExportId::mint();
            record.export.request_key = RequestKey::mint();
            record.export.click_id = ClickId::mint();
            record.export.body = payload.canonical().to_vec();
            record.export.payload = payload;
            match store
                .record_intent::<()>(record, now, &|_, _| Ok(None))
                .expect("it can be recorded")
            {
                Intent::Recorded(record) => ids.push(record.export.id),
                Intent::SameClick(_) | Intent::Held(()) => unreachable!("nothing holds it"),
            }
        }
        (service, ids)
    }

    fn store(&self, now: jiff::Timestamp) -> Store {
        Store::open(&self.home, &self.machine_state, now).expect("the store opens").store
    }

    /// Asks for one that is like no other.
    pub async fn ask(&self, engine: &Engine, service: &ServiceId, number: u32) -> ExportId {
        let request = RequestExport {
            service_id: service.to_string(),
            operation: "orders".to_owned(),
            parameters: parameters(number),
            format: "csv".to_owned(),
            click_id: ClickId::mint().to_string(),
            supersedes: None,
            folder: None,
            knowing: vec![docket_engine::view::Knowing::NearTwin],
        };
        match engine.request(request).await.expect("the intent can be recorded") {
            Requested::Recorded { export } => ExportId::from_text(export.id),
            held @ (Requested::SameClick { .. }
            | Requested::Twin { .. }
            | Requested::NearTwin { .. }) => unreachable!("held back: {held:?}"),
        }
    }
}

/// What the service takes, and what is like no other up to 270,000.
fn parameters(number: u32) -> serde_json::Value {
    let from = jiff::civil::date(2000, 1, 1).saturating_add(jiff::Span::new().days(number % 9_000));
    let to = from.saturating_add(jiff::Span::new().days(number / 9_000 % 30));
    json!({ "from": from.to_string(), "to": to.to_string(), "region": ["north"] })
}

fn lost(id: &ExportId, now: jiff::Timestamp) -> EndedAttempt {
    let result =
        AttemptResult::Lost { phase: Phase::Await, reason: CallReason::Timeout, hint: None };
    EndedAttempt {
        export: id.clone(),
        attempt_no: 1,
        kind: AttemptKind::Submit,
        span_id: "00000000000000a1".to_owned(),
        started_at: now,
        ended_at: now,
        end: AttemptEnd { result, http_status: None, service_time: None, phases: Vec::new() },
        credential: MadeWith::Current,
    }
}

/// Tells the service that these keys were given up: a look-up alone settles each.
pub fn abandon_at_the_service(world: &World, crowd: &[(ExportId, String)]) {
    let rows: Vec<String> = crowd
        .iter()
        .map(|(_, key)| {
            format!("('{TENANT}', 'orders', '{key}', 'ada', 'abandoned', {NOW}, {NOW})")
        })
        .collect();
    const NOW: &str = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
    world.rows().tamper(&format!(
        "INSERT INTO request_record \
         (tenant_id, operation, request_key, subject, state, first_sent_at, recorded_at) \
         VALUES {}",
        rows.join(", ")
    ));
}

/// How many stand where.
pub async fn counts(engine: &Engine) -> SectionCounts {
    let query = ListQuery { limit: 1, ..ListQuery::default() };
    engine.list(query).await.expect("the list can be read").counts
}

/// Waits until so many stand so.
pub async fn until(engine: &Engine, what: &str, fits: impl Fn(&SectionCounts) -> bool) {
    let mut changes = engine.subscribe();
    let waiting = async {
        while !fits(&counts(engine).await) {
            // Whoever is behind looks at the counts all the same.
            drop(changes.recv().await);
            while changes.try_recv().is_ok() {}
        }
    };
    let ended = tokio::time::timeout(PATIENCE, waiting).await;
    if ended.is_err() {
        unreachable!("{what}: not in time, {:?}", counts(engine).await);
    }
}

/// The one service of a store.
pub async fn service_of(engine: &Engine) -> ServiceId {
    let services = engine.services().await.expect("they can be read");
    ServiceId::from_text(services[0].id.as_str())
}

/// The service at this address, added where it is not there yet.
async fn added(engine: &Engine, url: &str) -> ServiceId {
    let known = engine.services().await.expect("they can be read");
    if let Some(service) = known.into_iter().find(|service| service.address == url) {
        return ServiceId::from_text(service.id);
    }
    let new = NewService {
        name: Some(url.to_owned()),
        address: url.to_owned(),
        tenant_id: TENANT.to_owned(),
        token: Some(ADA.to_owned()),
        practice: Practice::No,
    };
    ServiceId::from_text(engine.add_service(new).await.expect("the service is added").id)
}
