//! The handle and its one background task over a service in memory: what spans two exports.

use std::{path::Path, sync::Arc, time::Duration};

use docket_wire::{Problem, ProblemType};

use super::*;
use crate::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, DeferUntil},
    capabilities::Suspicion,
    clock::{Chance, SystemClock},
    connector::{ScriptedConnector, Turn},
    export::ServiceId,
    knowledge::ByHand,
    plan,
    policy::Policy,
    record::Record,
    secrets::MemorySecrets,
    stage::Stage,
    store::{Change, EndedAttempt, MadeWith, Practice},
    view::{Knowing, RequestExport, Requested},
};

mod signed_in;

/// An engine, a service in memory, and a folder that goes with the test.
struct Bench {
    engine: Engine,
    connector: Arc<ScriptedConnector>,
    secrets: Arc<MemorySecrets>,
    service: String,
    folder: tempfile::TempDir,
}

async fn open(
    folder: &Path,
    connector: Arc<ScriptedConnector>,
    secrets: Arc<MemorySecrets>,
) -> Engine {
    let options = Options {
        home: folder.join("home"),
        machine_state: folder.join("machine"),
        downloads: folder.join("downloads"),
        policy: Policy {
            look_gap_first: Duration::from_millis(60),
            look_gap_max: Duration::from_millis(120),
            retry_gap_first: Duration::from_millis(20),
            poll_gap_first: Duration::from_millis(50),
            ..Policy::default()
        },
        clock: Arc::new(SystemClock),
        chance: Arc::new(Chance::seeded(1)),
        secrets,
        connector: Some(connector),
    };
    Engine::open(options).await.unwrap()
}

impl Bench {
    async fn new(change: impl FnOnce(&ScriptedConnector), token: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(SystemClock);
        let connector = Arc::new(ScriptedConnector::new(clock));
        connector.let_in("token", "acme", "ada");
        change(&connector);
        let secrets = Arc::new(MemorySecrets::default());
        let engine = open(folder.path(), connector.clone(), secrets.clone()).await;
        engine.start();
        let added = engine
            .add_service(NewService {
                name: None,
                address: "https://meridian.example".to_owned(),
                tenant_id: "acme".to_owned(),
                token: token.map(str::to_owned),
                practice: Practice::No,
            })
            .await
            .unwrap();
        Self { engine, connector, secrets, service: added.id, folder }
    }

    /// What another process would open.
    async fn beside(&self) -> Engine {
        open(self.folder.path(), self.connector.clone(), self.secrets.clone()).await
    }

    async fn click(&self, click_id: &str, knowing: Vec<Knowing>) -> Requested {
        let request = RequestExport {
            service_id: self.service.clone(),
            operation: "orders".to_owned(),
            parameters: serde_json::json!({}),
            format: "csv".to_owned(),
            click_id: click_id.to_owned(),
            supersedes: None,
            folder: None,
            knowing,
        };
        self.engine.request(request).await.unwrap()
    }

    async fn recorded(&self, click_id: &str, knowing: Vec<Knowing>) -> ExportView {
        let requested = self.click(click_id, knowing).await;
        let Requested::Recorded { export } = requested else {
            panic!("not recorded: {requested:?}")
        };
        *export
    }

    async fn until(&self, id: &str, fits: impl Fn(&ExportView) -> bool) -> ExportView {
        let id = ExportId::from_text(id);
        let mut changes = self.engine.subscribe();
        let wait = async {
            loop {
                let view = self.engine.get(&id).await.unwrap();
                if fits(&view) {
                    return view;
                }
                drop(changes.recv().await);
            }
        };
        match tokio::time::timeout(Duration::from_secs(20), wait).await {
            Ok(view) => view,
            Err(_) => panic!("still {:?}", self.engine.get(&id).await),
        }
    }

    fn calls(&self, kind: AttemptKind) -> Vec<String> {
        let seen = self.connector.seen().into_iter().filter(|call| call.kind == kind);
        seen.filter_map(|call| call.request_key).collect()
    }
}

fn lost() -> Turn {
    Turn::LoseRequest(CallReason::Timeout)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_clicked_anew_after_a_refusal_waits_for_the_seal() {
    let refused =
        AttemptResult::Refused { problem: Box::new(Problem::new(ProblemType::Forbidden)) };
    let bench = Bench::new(
        |connector| {
            connector.script(AttemptKind::Submit, [Turn::Answer(refused)]);
            // The seal waits for a sign-in, so that the second click comes before it for sure.
            let signed_out = AttemptResult::Deferred { until: DeferUntil::SignIn };
            connector.script(AttemptKind::Abandon, [Turn::Answer(signed_out)]);
        },
        Some("token"),
    )
    .await;
    let first = bench.recorded("one", Vec::new()).await;
    bench.until(&first.id, |view| view.hold == Some(crate::journal::Hold::SignIn)).await;
    let second = bench.recorded("two", Vec::new()).await;
    assert_eq!(second.supersedes.as_deref(), Some(&*first.id));
    let service = ServiceId::from_text(&*bench.service);
    bench.engine.sign_in(&service, "token".to_owned()).await.unwrap();
    bench.until(&second.id, |view| view.business_id.is_some()).await;
    let seen = bench.connector.seen();
    let at = |kind| seen.iter().rposition(|call| call.kind == kind).unwrap();
    assert!(at(AttemptKind::Abandon) < at(AttemptKind::Submit), "sealed first: {seen:?}");
    bench.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_person_found_by_hand_lets_the_copy_go() {
    let bench = Bench::new(
        |connector| {
            connector.change_capabilities(|can| {
                can.idempotent_submit = false;
                can.lookup_by_key = false;
                can.lookup_by_traits = false;
            });
            connector.script(AttemptKind::Submit, [lost()]);
            connector.script(AttemptKind::Abandon, (0..9).map(|_| lost()));
        },
        Some("token"),
    )
    .await;
    let first = bench.recorded("one", Vec::new()).await;
    bench.until(&first.id, |view| view.stage == Stage::Unresolved).await;
    let copy = bench.recorded("two", vec![Knowing::Copy]).await;
    assert_eq!(copy.stage, Stage::WaitingToSend);
    assert_eq!(copy.supersedes.as_deref(), Some(&*first.id));
    let id = ExportId::from_text(first.id.as_str());
    bench.engine.settle(&id, ByHand::Absent).await.unwrap();
    bench.until(&copy.id, |view| view.business_id.is_some()).await;
    assert_eq!(bench.calls(AttemptKind::Submit).len(), 2);
    bench.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_settled_stands_against_no_click_whatever_holds_it() {
    let bench = Bench::new(|_| {}, None).await;
    let first = bench.recorded("one", Vec::new()).await;
    let held = |view: &ExportView| view.hold == Some(crate::journal::Hold::SignIn);
    bench.until(&first.id, held).await;
    bench.engine.cancel(&ExportId::from_text(first.id.as_str())).await.unwrap();
    bench.until(&first.id, |view| view.stage == Stage::NotCreated).await;
    let second = bench.recorded("two", Vec::new()).await;
    assert!(matches!(bench.click("three", Vec::new()).await, Requested::Twin { .. }));

    // What was asked for before anybody signed in is the same person's afterwards.
    bench.engine.sign_in(&ServiceId::from_text(&*bench.service), "token".to_owned()).await.unwrap();
    bench.until(&second.id, |view| view.business_id.is_some()).await;
    assert_eq!(bench.calls(AttemptKind::Submit).len(), 1);
    bench.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_through_another_process_is_what_the_driver_uses() {
    let bench = Bench::new(|_| {}, Some("token")).await;
    let export = bench.recorded("one", Vec::new()).await;
    bench.until(&export.id, |view| view.business_id.is_some()).await;
    bench.connector.shut_out("token");
    bench.until(&export.id, |view| view.hold == Some(crate::journal::Hold::SignIn)).await;
    bench.connector.let_in("renewed", "acme", "ada");
    let other = bench.beside().await;
    assert_eq!(other.role(), Role::Observer);
    let service = ServiceId::from_text(&*bench.service);
    other.sign_in(&service, "renewed".to_owned()).await.unwrap();
    bench.until(&export.id, |view| view.stage == Stage::Saved).await;

    // Somebody else signs in there: what is asked for here is asked for as that person.
    bench.connector.let_in("bobs", "acme", "bob");
    other.sign_in(&service, "bobs".to_owned()).await.unwrap();
    let second = bench.recorded("two", Vec::new()).await;
    bench.until(&second.id, |view| view.business_id.is_some()).await;
    let askers: Vec<String> =
        bench.connector.jobs().into_iter().map(|job| job.requested_by).collect();
    assert_eq!(askers, ["ada", "bob"]);
    other.shutdown().await;
    bench.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_passes_lifts_what_a_service_was_suspected_of() {
    let bench = Bench::new(|_| {}, Some("token")).await;
    let service = ServiceId::from_text(&*bench.service);
    let suspect = |profile: &mut crate::store::ServiceProfile| {
        profile.facts.as_mut().unwrap().suspected = Suspicion::KeyBreach;
    };
    let suspected = || {
        let profile = bench.engine.desk.store.service(&service).unwrap().unwrap();
        profile.facts.unwrap().suspected
    };
    bench.engine.desk.store.update_service(&service, &mut |profile| suspect(profile)).unwrap();
    // Once for what is shown beside its name, once for the check itself.
    bench.connector.script(AttemptKind::Describe, [lost(), lost()]);
    bench.engine.check_service(&service).await.unwrap();
    assert_eq!(suspected(), Suspicion::KeyBreach);
    bench.engine.check_service(&service).await.unwrap();
    assert_eq!(suspected(), Suspicion::None);
    bench.engine.shutdown().await;
}

/// Calls that begin and end while others look.
const ROUNDS: u32 = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_told_of_an_export_is_of_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let connector = Arc::new(ScriptedConnector::new(Arc::new(SystemClock)));
    // It drives nothing by itself.
    let engine = open(folder.path(), connector.clone(), Arc::default()).await;
    let (secrets, service) = (Arc::default(), added(&engine).await);
    let bench = Bench { engine, connector, secrets, service, folder };
    let export = bench.recorded("one", Vec::new()).await;
    let id = ExportId::from_text(export.id);
    let desk = Arc::clone(&bench.engine.desk);
    let changing = id.clone();
    let mut changes = bench.engine.subscribe();
    let writer = tokio::task::spawn_blocking(move || {
        for _ in 0..ROUNDS {
            let version = desk.store.get(&changing).unwrap().unwrap().version;
            call_and_refuse(&desk, &changing, version);
        }
    });
    let mut looks = 0;
    while !writer.is_finished() {
        let one = bench.engine.get(&id).await.unwrap();
        let listed = bench.engine.list(ListQuery { limit: 1, ..ListQuery::default() }).await;
        for view in [&one, &listed.unwrap().items[0]] {
            assert!(!view.is_at_rest(), "a call is under way or planned: {view:#?}");
        }
        looks += 1;
    }
    writer.await.unwrap();
    assert!(looks > ROUNDS / 10, "{looks} looks beside {ROUNDS} calls");
    while let Ok(change) = changes.try_recv() {
        if let ChangeView::Export { export, .. } = change {
            assert!(!export.is_at_rest(), "a call is under way or planned: {export:#?}");
        }
    }
}

async fn added(engine: &Engine) -> String {
    let new = NewService {
        name: None,
        address: "https://meridian.example".to_owned(),
        tenant_id: "acme".to_owned(),
        token: None,
        practice: Practice::No,
    };
    engine.add_service(new).await.unwrap().id
}

/// One submit that nobody was there to take.
fn call_and_refuse(desk: &Desk, id: &ExportId, version: u64) {
    let (moment, span) = (desk.moment(), "00000000000000aa");
    let replan = |record: &mut Record| {
        plan::replan(record, moment);
    };
    let submit = Change::Submit;
    let begun = desk.store.begin_change(id, version, submit, span, moment.now, &replan).unwrap();
    let (begun, attempt_no) = begun.unwrap();
    desk.publish(&begun).unwrap();
    let end = EndedAttempt {
        export: id.clone(),
        attempt_no,
        kind: AttemptKind::Submit,
        span_id: span.to_owned(),
        started_at: moment.now,
        ended_at: moment.now,
        end: AttemptEnd {
            result: AttemptResult::NotSent { reason: CallReason::ConnectionRefused },
            http_status: None,
            service_time: None,
            phases: Vec::new(),
        },
        credential: MadeWith::Current,
    };
    let advance = |record: &mut Record, end: &EndedAttempt| {
        reconciler::advance(desk, record, end);
    };
    let ended = desk.store.finish(&[end], moment.now, &advance).unwrap();
    desk.publish(&ended[0]).unwrap();
}
