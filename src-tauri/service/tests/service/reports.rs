//! The reports: real files of real content, the same bytes for the same parameters.

use docket_wire::JobStatus;
use serde_json::{Value, json};

use crate::world::{World, ledger};

fn asked(operation: &str, parameters: Value, format: &str) -> Value {
    json!({"operation": operation, "parameters": parameters, "format": format})
}

async fn bytes(world: &World, payload: &Value) -> (docket_wire::Export, Vec<u8>) {
    let export = world.ada().export(payload).await;
    let body = world.ada().file(&export.business_id, &[]).await.body;
    (export, body)
}

#[tokio::test]
async fn the_same_parameters_give_the_same_bytes_in_every_format() {
    let (one, other) = tokio::join!(World::new(), World::new());
    for (operation, parameters) in [
        ("orders", json!({"from": "2026-11-01", "to": "2026-11-03", "status": "open"})),
        ("customers", json!({"country": ["CN", "DE"], "since": "2024-01-01"})),
        ("ledger", json!({"rows": 501, "seed": 7})),
    ] {
        for format in ["csv", "xlsx", "ndjson"] {
            let payload = asked(operation, parameters.clone(), format);
            let (first, second) = (bytes(&one, &payload).await, bytes(&other, &payload).await);
            assert!(!first.1.is_empty());
            assert!(first.1 == second.1, "{operation} as {format} differs from itself");
            assert_eq!(first.0.file.unwrap().digest, second.0.file.unwrap().digest);
        }
    }
    let seed = |seed: u32| asked("ledger", json!({"rows": 50, "seed": seed}), "csv");
    assert_ne!(bytes(&one, &seed(1)).await.1, bytes(&one, &seed(2)).await.1);
}

#[tokio::test]
async fn orders_hold_what_was_asked_for_and_nothing_else() {
    let world = World::new().await;
    let parameters = json!({"from": "2026-11-06", "to": "2026-11-09", "region": ["south", "north"],
        "columns": ["ordered_on", "region", "net_amount", "product", "status"], "status": "shipped"});
    let (export, body) = bytes(&world, &asked("orders", parameters, "csv")).await;
    let mut csv = csv::Reader::from_reader(body.as_slice());
    assert_eq!(
        csv.headers().unwrap(),
        vec!["ordered_on", "region", "product", "net_amount", "status"]
    );
    let mut rows = 0;
    for row in csv.records() {
        let row = row.unwrap();
        assert!(("2026-11-06"..="2026-11-09").contains(&&row[0]), "{row:?}");
        assert!(["north", "south"].contains(&&row[1]), "{row:?}");
        let (whole, cents) = row[3].split_once('.').unwrap();
        assert!(cents.len() == 2 && whole.parse::<u32>().is_ok(), "{row:?}");
        assert_eq!(&row[4], "shipped");
        rows += 1;
    }
    assert!(rows > 10, "{rows}");
    assert_eq!(export.progress.unwrap().total, Some(rows));
    assert!(body.ends_with(b"\r\n") && !body.starts_with(b"\xef\xbb\xbf"));
}

#[tokio::test]
async fn ndjson_has_one_object_a_line_and_amounts_as_text() {
    let world = World::new().await;
    let payload = asked("ledger", json!({"rows": 7}), "ndjson");
    let (_, body) = bytes(&world, &payload).await;
    let text = String::from_utf8(body).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 7);
    // A debit and the credit that balances it.
    assert_eq!(rows[0]["entry_no"], rows[1]["entry_no"]);
    assert_eq!(rows[0]["debit"], rows[1]["credit"]);
    assert_eq!(rows[1]["debit"], "0.00");
    assert_ne!(rows[0]["account"], rows[1]["account"]);
}

#[tokio::test]
async fn a_sheet_opens_with_its_heading() {
    let world = World::new().await;
    let (export, body) = bytes(&world, &asked("ledger", json!({"rows": 3}), "xlsx")).await;
    assert!(body.starts_with(b"PK"));
    assert_eq!(export.file.unwrap().name, "general-ledger_3-rows.xlsx");
}

#[tokio::test]
async fn a_report_without_rows_succeeds_with_a_warning() {
    let world = World::new().await;
    let payload = asked("customers", json!({"since": "2090-01-01"}), "csv");
    let (export, body) = bytes(&world, &payload).await;
    assert_eq!(export.status, JobStatus::Succeeded);
    assert_eq!(export.warnings.len(), 1);
    assert_eq!(String::from_utf8(body).unwrap().lines().count(), 1);
}

#[tokio::test]
async fn a_large_ledger_has_every_row_it_was_asked_for() {
    let world = World::new().await;
    let (export, body) = bytes(&world, &ledger(300_000)).await;
    assert_eq!(export.file.unwrap().size, body.len() as u64);
    assert_eq!(body.iter().filter(|byte| **byte == b'\n').count(), 300_001);
}
