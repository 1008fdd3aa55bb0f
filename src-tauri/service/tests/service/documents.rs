//! The OpenAPI document: pinned by a golden file, and true of every answer that a test gets.

use std::{path::PathBuf, sync::LazyLock};

use reqwest::Method;
use serde_json::Value;

use crate::world::World;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(docket_service::openapi()).unwrap());

/// The document knows the route and gives it this status.
pub fn assert_documented(method: &Method, path: &str, status: u16) {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |template: &str| {
        let (known, asked) = (template.split('/'), path.split('/'));
        known.clone().count() == asked.clone().count()
            && known.zip(asked).all(|(known, asked)| known == asked || known.starts_with('{'))
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let Some((template, item)) = paths.iter().find(|(template, _)| fits(template)) else {
        assert!(status == 404, "{path} answered {status} and is not in the document");
        return;
    };
    let method = method.as_str().to_ascii_lowercase();
    if method == "head" || item.get(&method).is_none() {
        return;
    }
    let responses = item[&method]["responses"].as_object().unwrap();
    assert!(
        responses.contains_key(&status.to_string()),
        "{method} {template} answered {status}, which the document does not have"
    );
}

#[tokio::test]
async fn the_document_is_served_as_it_is_pinned() {
    let world = World::new().await;
    let answer = world.send(Method::GET, "/v1/openapi.json", &[], "").await.unwrap();
    assert_eq!(answer.status, 200);
    let served: Value = answer.json();
    assert_eq!(served["openapi"], "3.1.0");
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/openapi.json");
    if std::env::var_os("DOCKET_BLESS").is_some() {
        let text = serde_json::to_string_pretty(&served).unwrap();
        std::fs::write(&golden, format!("{text}\n")).unwrap();
    }
    let pinned: Value = serde_json::from_str(&std::fs::read_to_string(&golden).unwrap()).unwrap();
    assert!(pinned == served, "the document has changed; DOCKET_BLESS=1 pins it anew");
}

#[tokio::test]
async fn anybody_may_read_what_the_service_says_of_itself() {
    let world = World::with_clock(|config| {
        config.visibility_lag = std::time::Duration::from_secs(3);
    })
    .await;
    let answer = world.send(Method::GET, "/v1/service", &[], "").await.unwrap();
    assert_eq!(answer.header("date"), Some("Sat, 28 Nov 2026 10:00:00 GMT"));
    let document: docket_wire::ServiceDocument = answer.json();
    assert_eq!(document.now, world.now());
    assert_eq!(document.remembers_since, "2026-11-27T10:00:00Z".parse().unwrap());
    assert_eq!((document.service_epoch, document.capabilities.visibility_lag_s), (1, 3));
    assert_eq!(document.capabilities.key_retention_s, 24 * 60 * 60);
}

#[tokio::test]
async fn a_caller_is_told_their_name_and_their_reports_in_both_languages() {
    let world = World::new().await;
    let list: docket_wire::OperationList =
        world.bob().call(Method::GET, "operations", &[]).await.json();
    assert_eq!((list.caller.subject.as_str(), list.caller.name.as_str()), ("bob", "bob"));
    let names: Vec<&str> = list.operations.iter().map(|known| known.operation.as_str()).collect();
    assert_eq!(names, ["orders", "ledger"]);
    let orders = &list.operations[0];
    assert_eq!(orders.title["zh-CN"], "区域订单");
    assert_eq!(orders.formats, ["csv", "xlsx", "ndjson"]);
    assert_eq!(
        orders.parameters["x-order"],
        serde_json::json!(["from", "to", "region", "columns", "status"])
    );
    let region = &orders.parameters["properties"]["region"];
    assert_eq!(region["x-i18n"]["zh-CN"]["title"], "大区");
    assert_eq!(region["items"]["oneOf"][0]["x-i18n"]["zh-CN"]["title"], "华北");
}
