//! The JSON that scripts, support and the window read, pinned to the byte.
//!
//! `DOCKET_BLESS=1` writes the golden file anew; read the difference before you commit it.

use std::{collections::BTreeMap, path::Path};

use super::*;
use crate::{
    attempt::{AttemptKind, CallResult, Phase, PhaseMark, Verified},
    journal::Hold,
    knowledge::BusinessOutcome,
    stage::Stage,
};

fn at(seconds: &str) -> Timestamp {
    format!("2026-11-29T10:02:{seconds}Z").parse().unwrap()
}

/// An export with every field filled, as no real one has them all.
fn whole() -> ExportView {
    ExportView {
        id: "01a226c1-4984-7b1d-9e0f-5c2d84a7f3b6".to_owned(),
        request_key: "01a226c1-4985-7c2e-8a1b-6d3e95b8a4c7".to_owned(),
        version: 12,
        service: "Meridian".to_owned(),
        service_id: "01a226c0-0000-7000-8000-000000000001".to_owned(),
        service_address: "https://reports.meridian.example".to_owned(),
        tenant_id: "acme".to_owned(),
        subject: Some("ann".to_owned()),
        operation: "orders".to_owned(),
        title: BTreeMap::from([
            ("en".to_owned(), "Orders by region".to_owned()),
            ("zh-CN".to_owned(), "按地区的订单".to_owned()),
        ]),
        parameters: serde_json::json!({"from": "2026-11-01", "region": ["north"]}),
        format: "csv".to_owned(),
        payload_hash: "3f".repeat(32),
        stage: Stage::Downloading,
        hold: Some(Hold::NoSpace),
        reason: Some("closed_without_answer".to_owned()),
        call_result: Some(CallResult::Lost),
        business_outcome: BusinessOutcome::Succeeded,
        business_id: Some("exp_20894".to_owned()),
        revision: Some(9),
        created_at: at("11"),
        updated_at: at("59"),
        next_action_at: Some(at("59.5")),
        next_action: Some(NextAction::Download),
        window_ends_at: Some(at("30")),
        supersedes: Some("01a226c1-0000-7000-8000-000000000000".to_owned()),
        looks: 3,
        progress: Some(progress()),
        news_at: Some(at("58")),
        expires_at: Some(at("59")),
        offered: Some(OfferedFileView { name: "orders.csv".to_owned(), size: 1000 }),
        delivery: Some(DeliveryView {
            done: 400,
            total: Some(1000),
            space_needed: Some(600),
            space_free: Some(10),
            folder: Some("downloads".to_owned()),
            folder_reason: Some("permission denied".to_owned()),
        }),
        file: Some(file()),
        problem: Some(problem()),
        warnings: vec!["Two regions had no data.".to_owned()],
        candidates: vec![CandidateView {
            business_id: "exp_20895".to_owned(),
            created_at: at("12"),
            status: "running".to_owned(),
        }],
        cancel_asked: true,
        actions: vec![
            ActionView { action: PersonAction::Download, not_yet: None },
            ActionView {
                action: PersonAction::ExportAgain,
                not_yet: Some(NotYet::UntilResultKnown),
            },
        ],
        attempts: vec![attempt()],
    }
}

fn progress() -> ProgressView {
    ProgressView {
        done: 40,
        total: Some(100),
        unit: "rows".to_owned(),
        step: Some("writing".to_owned()),
        ahead: Some(2),
    }
}

fn file() -> FileView {
    FileView {
        path: "downloads/orders.csv".to_owned(),
        name: "orders.csv".to_owned(),
        size: 1000,
        digest: "9c".repeat(32),
        verified: Verified::Digest,
        saved_at: at("59"),
    }
}

fn problem() -> ProblemView {
    ProblemView {
        kind: "invalid-parameters".to_owned(),
        title: "Some parameters are wrong.".to_owned(),
        detail: Some("The period exceeds 92 days.".to_owned()),
        errors: vec![FieldErrorView {
            pointer: "/from".to_owned(),
            detail: "must lie before the end".to_owned(),
        }],
        permission: Some("orders.export".to_owned()),
        owner: Some("Data office".to_owned()),
        retry_may_help: true,
    }
}

fn attempt() -> AttemptView {
    AttemptView {
        attempt_no: 1,
        kind: AttemptKind::Submit,
        phase: Some(Phase::Await),
        call_result: Some(CallResult::Lost),
        result: Some("lost".to_owned()),
        http_status: Some(502),
        reason: Some("closed_without_answer".to_owned()),
        started_at: at("12"),
        ended_at: Some(at("20.2")),
        duration_ms: Some(8200),
        phases: vec![
            PhaseMark { phase: Phase::Prepare, at_ms: 0 },
            PhaseMark { phase: Phase::Send, at_ms: 72 },
        ],
        heard: Some("queued".to_owned()),
        times: 1,
        trace_id: "0af7651916cd43dd8448eb211c80319c".to_owned(),
        span_id: "b7ad6b7169203331".to_owned(),
    }
}

fn golden(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view/golden").join(name);
    if std::env::var_os("DOCKET_BLESS").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(made, kept, "{name}: what others read has changed");
}

#[test]
fn an_export_in_json_is_as_it_was_promised() {
    let whole = whole();
    let json = serde_json::to_string_pretty(&whole).unwrap() + "\n";
    golden("export.json", &json);
    assert_eq!(serde_json::from_str::<ExportView>(&json).unwrap(), whole);
}

#[test]
fn at_rest_is_what_waits_for_a_person_alone() {
    let full = whole();
    assert_eq!((full.stage, full.hold), (Stage::Downloading, Some(Hold::NoSpace)));
    assert!(!full.is_at_rest(), "a full disk is looked at again by itself");
    let waits = |hold| ExportView { hold: Some(hold), next_action: None, ..whole() };
    for hold in [Hold::Paused, Hold::CannotWrite, Hold::CheckFailed, Hold::AccessWithdrawn] {
        assert!(waits(hold).is_at_rest(), "{hold}");
    }
}

#[test]
fn the_names_that_stay_are_there() {
    let json = serde_json::to_value(whole()).unwrap();
    let promised = "id request_key service tenant_id operation parameters format payload_hash stage \
        hold reason call_result business_outcome business_id revision created_at next_action_at \
        window_ends_at supersedes progress file attempts";
    for name in promised.split_whitespace() {
        assert!(json.get(name).is_some(), "{name}");
    }
    let attempt = "attempt_no kind phase call_result result http_status reason started_at ended_at \
        duration_ms trace_id span_id";
    for name in attempt.split_whitespace() {
        assert!(json["attempts"][0].get(name).is_some(), "attempts.{name}");
    }
    for name in ["done", "total", "unit", "step", "ahead"] {
        assert!(json["progress"].get(name).is_some(), "progress.{name}");
    }
    for name in ["path", "name", "size", "digest", "verified"] {
        assert!(json["file"].get(name).is_some(), "file.{name}");
    }
}

#[test]
fn words_come_back_as_they_went_out() {
    fn all<T: Copy + std::fmt::Debug + PartialEq>(
        every: &[T],
        word: impl Fn(T) -> &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) {
        for one in every {
            assert_eq!(parse(word(*one)), Some(*one));
        }
        assert_eq!(parse("no such word"), None);
    }
    all(Stage::ALL, Stage::as_str, Stage::parse);
    all(Hold::ALL, Hold::as_str, Hold::parse);
    all(BusinessOutcome::ALL, BusinessOutcome::as_str, BusinessOutcome::parse);
    all(CallResult::ALL, CallResult::as_str, CallResult::parse);
    all(AttemptKind::ALL, AttemptKind::as_str, AttemptKind::parse);
    all(Phase::ALL, Phase::as_str, Phase::parse);
    all(ErrorCode::ALL, ErrorCode::as_str, ErrorCode::parse);
    all(PersonAction::ALL, PersonAction::as_str, PersonAction::parse);
}
