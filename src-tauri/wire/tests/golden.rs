//! The JSON of every type that travels, pinned by the files in `tests/golden/wire`.
//!
//! A change of these bytes is a change of the protocol: it must be decided, not slipped in. With
//! `DOCKET_BLESS=1` the files are written anew.

#![expect(clippy::unwrap_used, reason = "a test that can not go on says where")]

use std::{collections::BTreeMap, fmt::Debug, path::PathBuf};

use docket_wire::{
    Capabilities, CreateExport, Export, ExportFile, ExportList, FieldError, JobStatus, KeyState,
    KeyStatus, Operation, OperationList, PayloadHash, Problem, ProblemType, Progress,
    ServiceDocument, operation::Caller,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// The value has exactly this JSON, and the JSON has exactly this value.
fn pin<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: &T) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/golden/wire")
        .join(format!("{name}.json"));
    let json = serde_json::to_value(value).unwrap();
    if std::env::var_os("DOCKET_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&json).unwrap();
        std::fs::write(&path, format!("{text}\n")).unwrap();
    }
    let pinned = std::fs::read_to_string(&path).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&pinned).unwrap(), json, "{name}");
    assert_eq!(serde_json::from_str::<T>(&pinned).unwrap(), *value, "{name}");
}

/// What `value` becomes on the wire and back.
fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn payload() -> CreateExport {
    CreateExport {
        operation: "orders".to_owned(),
        parameters: json!({"from": "2026-11-01", "to": "2026-11-28", "region": ["north", "east"]}),
        format: "csv".to_owned(),
    }
}

fn hash() -> PayloadHash {
    PayloadHash::of(&docket_wire::canonical_json(&payload()).unwrap())
}

fn queued() -> Export {
    Export {
        business_id: "exp_7k3m9q2x4rtw".to_owned(),
        tenant_id: "acme".to_owned(),
        operation: "orders".to_owned(),
        request_key: Some("0190c8a0-6a5e-7c41-a3b9-e01f62d4c85a".to_owned()),
        payload_hash: hash(),
        requested_by: "ada".to_owned(),
        status: JobStatus::Queued,
        progress: Some(Progress {
            done: 0,
            total: None,
            unit: "rows".to_owned(),
            step: None,
            ahead: Some(2),
        }),
        service_epoch: 1,
        revision: 1,
        created_at: "2026-11-28T10:00:00.125Z".parse().unwrap(),
        updated_at: "2026-11-28T10:00:00.125Z".parse().unwrap(),
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
    }
}

fn succeeded() -> Export {
    Export {
        status: JobStatus::Succeeded,
        progress: Some(Progress {
            done: 5565,
            total: Some(5565),
            unit: "rows".to_owned(),
            step: None,
            ahead: None,
        }),
        revision: 7,
        updated_at: "2026-11-28T10:00:03Z".parse().unwrap(),
        expires_at: Some("2026-12-05T10:00:03Z".parse().unwrap()),
        file: Some(ExportFile {
            name: "orders-by-region_2026-11-01_2026-11-28.csv".to_owned(),
            size: 388_653,
            media_type: "text/csv; charset=utf-8".to_owned(),
            digest: Some("sha-256=:6Axo2xc/9dMbk69KvKY7AsytD78QM+bZfc0YZ3A6QuQ=:".to_owned()),
            href: "/v1/tenants/acme/exports/exp_7k3m9q2x4rtw/file".to_owned(),
        }),
        warnings: vec!["Two orders of the period are not closed yet.".to_owned()],
        ..queued()
    }
}

fn failed() -> Export {
    Export {
        status: JobStatus::Failed,
        progress: None,
        revision: 4,
        problem: Some(Problem {
            retry_may_help: Some(true),
            ..Problem::new(ProblemType::Internal)
        }),
        ..queued()
    }
}

#[test]
fn a_submit() {
    pin("create-export", &payload());
    let canonical = docket_wire::canonical_json(&payload()).unwrap();
    assert_eq!(
        String::from_utf8(canonical).unwrap(),
        r#"{"format":"csv","operation":"orders","parameters":{"from":"2026-11-01","region":["north","east"],"to":"2026-11-28"}}"#
    );
    let more = r#"{"operation": "orders", "parameters": {}, "format": "csv", "priority": 1}"#;
    assert!(serde_json::from_str::<CreateExport>(more).is_err());
}

#[test]
fn an_export_in_its_states() {
    pin("export-queued", &queued());
    pin("export-succeeded", &succeeded());
    pin("export-failed", &failed());
    let without_key = Export { request_key: None, ..queued() };
    pin("export-without-key", &without_key);
}

#[test]
fn a_list_of_exports() {
    pin(
        "export-list",
        &ExportList { items: vec![queued()], as_of: "2026-11-28T10:00:01Z".parse().unwrap() },
    );
}

#[test]
fn a_key_in_its_states() {
    let as_of = "2026-11-28T10:00:01Z".parse().unwrap();
    let key = |state, export| KeyStatus { state, export, as_of };
    pin("key-present", &key(KeyState::Present, Some(queued())));
    pin("key-abandoned", &key(KeyState::Abandoned, None));
    pin("key-absent", &key(KeyState::Absent, None));
    pin("key-expired", &key(KeyState::Expired, None));
}

#[test]
fn what_a_service_says_of_itself() {
    pin(
        "service",
        &ServiceDocument {
            name: "Meridian".to_owned(),
            version: "0.1.0".to_owned(),
            protocol_versions: vec![1],
            now: "2026-11-28T10:00:00Z".parse().unwrap(),
            remembers_since: "2026-11-27T10:00:00Z".parse().unwrap(),
            service_epoch: 1,
            capabilities: Capabilities {
                idempotent_submit: true,
                lookup_by_key: true,
                lookup_by_traits: true,
                abandon: true,
                cancel: true,
                key_retention_s: 86_400,
                visibility_lag_s: 0,
                max_wait_s: 30,
                poll_interval_s: 2,
                file_retention_s: 604_800,
                resumable_files: true,
            },
        },
    );
}

#[test]
fn what_a_caller_may_ask_for() {
    let both = |en: &str, zh: &str| {
        BTreeMap::from([("en".to_owned(), en.to_owned()), ("zh-CN".to_owned(), zh.to_owned())])
    };
    pin(
        "operations",
        &OperationList {
            caller: Caller { subject: "ada".to_owned(), name: "Ada".to_owned() },
            operations: vec![Operation {
                operation: "ledger".to_owned(),
                title: both("General ledger", "总账明细"),
                description: both("One row per posting.", "每行一条分录。"),
                parameters: json!({
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "type": "object",
                    "properties": {
                        "rows": {
                            "type": "integer", "minimum": 1, "title": "Rows",
                            "x-i18n": {"zh-CN": {"title": "行数"}},
                        },
                    },
                    "x-order": ["rows"],
                    "required": ["rows"],
                }),
                formats: vec!["csv".to_owned(), "ndjson".to_owned()],
            }],
        },
    );
}

#[test]
fn problems_with_all_that_they_may_carry() {
    pin(
        "problem-invalid-parameters",
        &Problem {
            errors: vec![FieldError {
                pointer: "/to".to_owned(),
                detail: "The period must end on or after its first day.".to_owned(),
            }],
            ..Problem::new(ProblemType::InvalidParameters)
        },
    );
    pin(
        "problem-forbidden",
        &Problem {
            permission: Some("orders".to_owned()),
            owner: Some("Dana, Finance".to_owned()),
            ..Problem::new(ProblemType::Forbidden)
                .with_detail("Orders are not open to this account.")
        },
    );
    pin(
        "problem-rate-limited",
        &Problem { accepted: Some(false), ..Problem::new(ProblemType::RateLimited) },
    );
}

#[test]
fn every_problem_type_keeps_its_uri_and_status() {
    let table: Vec<Value> = ProblemType::KNOWN
        .iter()
        .map(|known| json!({"type": known.uri(), "status": known.status(), "title": known.title()}))
        .collect();
    pin("problem-types", &table);
    for known in ProblemType::KNOWN {
        assert_eq!(again(known), *known);
    }
}

#[test]
fn words_of_a_later_version_are_kept_and_mean_nothing() {
    let status: JobStatus = serde_json::from_str(r#""paused""#).unwrap();
    assert_eq!(status, JobStatus::Unknown("paused".to_owned()));
    assert!(!status.is_settled());
    assert_eq!(again(&status), status);
    let uri = "https://elsewhere.example/odd";
    let odd: ProblemType = serde_json::from_value(json!(uri)).unwrap();
    assert_eq!((odd.name(), odd.status()), (uri, 0));
    assert_eq!(again(&odd), odd);
    // Members that this version does not know are passed over in what a service says.
    let mut later = serde_json::to_value(queued()).unwrap();
    later["colour"] = "green".into();
    assert_eq!(serde_json::from_value::<Export>(later).unwrap(), queued());
    // A problem of somebody else may have no more than its type.
    let bare: Problem = serde_json::from_value(json!({"type": uri})).unwrap();
    assert_eq!((bare.status, bare.title.as_str()), (0, ""));
}

#[test]
fn every_job_status_says_whether_it_is_the_end() {
    for (word, settled) in [
        ("queued", false),
        ("running", false),
        ("succeeded", true),
        ("failed", true),
        ("cancelled", true),
        ("expired", true),
    ] {
        let status: JobStatus = serde_json::from_value(json!(word)).unwrap();
        assert_eq!((status.as_str(), status.is_settled()), (word, settled));
        assert!(!matches!(status, JobStatus::Unknown(_)));
    }
}
