//! Credentials that change while a refusal of the one before is on its way.

use super::*;
use crate::{clock::Clock, journal::Hold, secrets::Secrets};

/// The end of a call about an export, made with this credential.
fn refused_end(id: &str, result: AttemptResult, credential: MadeWith) -> EndedAttempt {
    let now = SystemClock.now();
    EndedAttempt {
        export: ExportId::from_text(id),
        attempt_no: 99,
        kind: AttemptKind::Lookup,
        span_id: "0".repeat(16),
        started_at: now,
        ended_at: now,
        end: AttemptEnd { result, http_status: None, service_time: None, phases: Vec::new() },
        credential,
    }
}

fn lost_look() -> AttemptResult {
    let phase = crate::attempt::Phase::Await;
    AttemptResult::Lost { phase, reason: CallReason::Timeout, hint: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_for_a_sign_in_is_bound_to_the_credential_that_was_refused() {
    let bench = Bench::new(
        |connector| {
            connector.let_in("renewed", "acme", "ada");
            connector.script(AttemptKind::Submit, [lost()]);
            connector.script(AttemptKind::Lookup, std::iter::repeat_n(lost(), 1000));
        },
        Some("token"),
    )
    .await;
    let id = bench.recorded("one", Vec::new()).await.id;
    bench.until(&id, |view| view.stage == Stage::Confirming).await;
    bench.engine.shutdown().await;
    let desk = &bench.engine.desk;
    let service = ServiceId::from_text(bench.service.as_str());
    let held = || {
        let record = desk.store.get(&ExportId::from_text(id.as_str())).unwrap().unwrap();
        record.journal.holds.contains(&Hold::SignIn)
    };
    let results = [
        AttemptResult::Deferred { until: DeferUntil::SignIn },
        AttemptResult::NotSent { reason: CallReason::NoCredential },
    ];
    for next in ["renewed", "renewed"] {
        let before = desk.made_with(&service, None);
        bench.engine.sign_in(&service, next.to_owned()).await.unwrap();
        let now = desk.made_with(&service, None);
        for result in &results {
            let takes_hold = |credential| {
                let end = refused_end(&id, result.clone(), credential);
                let mut record = desk.store.get(&end.export).unwrap().unwrap();
                reconciler::advance(desk, &mut record, &end);
                record.journal.holds.contains(&Hold::SignIn)
            };
            assert!(!takes_hold(before), "{result:?} of the one before, after {next}");
            assert!(takes_hold(now), "{result:?} of the one that is here");
        }
        // What came of a call with the one before lets nothing go that waits for somebody else.
        let end = refused_end(&id, lost_look(), before);
        let mut record = desk.store.get(&end.export).unwrap().unwrap();
        record.journal.holds.insert(Hold::OtherAccount);
        reconciler::advance(desk, &mut record, &end);
        assert!(record.journal.holds.contains(&Hold::OtherAccount), "after {next}");
        desk.hold_signed_out(&service, before).unwrap();
        assert!(!held(), "of the one before, after {next}");
    }
    desk.hold_signed_out(&service, desk.made_with(&service, None)).unwrap();
    assert!(held());
    bench.engine.sign_in(&service, "renewed".to_owned()).await.unwrap();
    assert!(!held(), "whoever signs in lets go");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_is_not_kept_for_a_service_that_was_removed() {
    let bench = Bench::new(|_| {}, Some("token")).await;
    let service = ServiceId::from_text(bench.service.as_str());
    bench.engine.remove_service(&service).await.unwrap();
    bench.engine.sign_in(&service, "token".to_owned()).await.unwrap_err();
    assert!(bench.secrets.get(&service).is_none());
}
