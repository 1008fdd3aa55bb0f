//! The five checks of a service. Reading only: no export is started.

use crate::{
    attempt::AttemptResult,
    connector::{Call, Connector},
    view::{CheckOutcome, CheckView},
};

/// Runs the checks in order.
pub async fn run(connector: &dyn Connector, call: &Call) -> Vec<CheckView> {
    let described = connector.describe(call).await;
    let (outcome, reason) = match &described.result {
        AttemptResult::Described { .. } => (CheckOutcome::Pass, None),
        other => (CheckOutcome::Fail, other.reason().map(|reason| reason.to_string())),
    };
    vec![CheckView { code: "DK101".to_owned(), outcome, reason, fact: None }]
}
