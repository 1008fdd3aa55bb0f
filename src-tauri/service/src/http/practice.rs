//! `/practice/faults`: the rules of loss of a practice service, read and set by its own token.

use axum::{Json, body::Bytes, extract::State};

use super::{Refusal, caller::Caller};
use crate::{app::Shared, config::PRACTICE_TENANT, faults::WireRules};

/// The rules that still have something to do.
pub(super) async fn rules(
    State(app): State<Shared>,
    caller: Caller,
) -> Result<Json<WireRules>, Refusal> {
    belongs_here(&caller)?;
    Ok(Json(in_force(&app)))
}

/// From now on these rules and no others.
pub(super) async fn set_rules(
    State(app): State<Shared>,
    caller: Caller,
    body: Bytes,
) -> Result<Json<WireRules>, Refusal> {
    belongs_here(&caller)?;
    let asked: WireRules =
        serde_json::from_slice(&body).map_err(|error| Refusal::malformed(error.to_string()))?;
    asked
        .rules
        .iter()
        .try_for_each(crate::faults::Rule::check)
        .map_err(|error| Refusal::malformed(error.to_string()))?;
    app.faults.set(asked.rules);
    Ok(Json(in_force(&app)))
}

fn in_force(app: &Shared) -> WireRules {
    WireRules { rules: app.faults.rules(), refusing: app.faults.is_refusing() }
}

/// The weather is made by the practice tenant alone.
fn belongs_here(caller: &Caller) -> Result<(), Refusal> {
    if caller.tenant_id() == PRACTICE_TENANT { Ok(()) } else { Err(Refusal::not_found()) }
}
