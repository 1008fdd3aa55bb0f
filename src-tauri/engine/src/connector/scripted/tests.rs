//! The memory service through the suite, and the script through a story.

use super::*;
use crate::{
    clock::ManualClock,
    connector::suite::{self, Rig},
    export::{Account, RequestKey, ServiceId},
    secret::Secret,
};

const NOW: Timestamp = Timestamp::constant(1_700_000_000, 0);

fn account() -> Account {
    Account {
        service: ServiceId::from_text("s1"),
        address: "memory:".to_owned(),
        tenant_id: "t1".to_owned(),
        subject: Some("ann".to_owned()),
    }
}

fn payload(from: &str) -> Payload {
    Payload::new(MEMORY_OPERATION, serde_json::json!({"from": from}), "csv").unwrap()
}

fn connector() -> (Arc<ManualClock>, Arc<ScriptedConnector>) {
    let clock = Arc::new(ManualClock::at(NOW));
    let connector = Arc::new(ScriptedConnector::new(clock.clone()));
    connector.let_in("right", "t1", "ann");
    (clock, connector)
}

#[tokio::test]
async fn it_passes_the_suite() {
    let (clock, connector) = connector();
    let rig = Rig {
        connector,
        clock,
        account: account(),
        credential: Secret::new("right"),
        wrong_credential: Secret::new("wrong"),
        payload: payload("2026-01-01"),
        other_payload: payload("2026-02-01"),
        new_key: RequestKey::mint,
    };
    suite::run(&rig).await.unwrap();
}

#[tokio::test]
async fn a_lost_receipt_leaves_one_job_that_a_look_finds() {
    let (clock, connector) = connector();
    let payload = payload("2026-01-01");
    let call = Call {
        attempt_no: 1,
        expected: Some(Expected {
            request_key: RequestKey::from_text("K-1"),
            operation: MEMORY_OPERATION.to_owned(),
            payload_hash: payload.hash(),
            tenant_id: "t1".to_owned(),
            subject: Some("ann".to_owned()),
        }),
        ..Call::about(account(), "0".repeat(32), "0".repeat(16), clock)
    }
    .with(Some(Secret::new("right")));
    let submit = Submit { body: payload.canonical().to_vec(), first_sent: NOW };
    let turns = [
        Turn::NotSent(CallReason::ConnectionRefused),
        Turn::LoseRequest(CallReason::Timeout),
        Turn::LoseAnswer(CallReason::Reset),
    ];
    connector.script(AttemptKind::Submit, turns);
    let mut reasons = Vec::new();
    let mut jobs = Vec::new();
    for _ in 0..3 {
        let end = connector.submit(&call.renewed(), &submit).await;
        reasons.push((end.result.call_result().to_string(), end.result.reason().unwrap()));
        jobs.push(connector.jobs().len());
    }
    assert_eq!(jobs, [0, 0, 1]);
    assert_eq!(
        reasons,
        [
            ("not_sent".to_owned(), CallReason::ConnectionRefused),
            ("lost".to_owned(), CallReason::Timeout),
            ("lost".to_owned(), CallReason::Reset),
        ]
    );
    let end = connector.lookup(&call.renewed(), &Target::Key { first_sent: NOW }).await;
    assert!(matches!(end.result, AttemptResult::Found { .. }), "{:?}", end.result);
    assert_eq!(connector.seen().len(), 4);
    assert!(connector.seen().iter().all(|seen| seen.request_key.as_deref() == Some("K-1")));
}
