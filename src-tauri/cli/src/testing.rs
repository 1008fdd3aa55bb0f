//! Exports as the tests of this crate need them.

use docket_engine::{journal::Hold, stage::Stage, view::ExportView};
use serde_json::json;

/// An export in a stage, everything else plain.
pub fn export(stage: Stage, hold: Option<Hold>) -> ExportView {
    let mut view: ExportView = serde_json::from_value(json!({
        "id": "0199-export", "request_key": "0199-key", "version": 1,
        "service": "Meridian", "service_id": "0199-service",
        "service_address": "http://127.0.0.1:1", "tenant_id": "t", "subject": null,
        "operation": "orders", "title": {}, "parameters": {}, "format": "csv",
        "payload_hash": "", "stage": "sending", "hold": null, "reason": null,
        "call_result": null, "business_outcome": "unknown", "business_id": null,
        "revision": null, "created_at": "2026-11-29T10:02:11Z",
        "updated_at": "2026-11-29T10:02:11Z", "next_action_at": null, "next_action": null,
        "window_ends_at": null, "supersedes": null, "looks": 0, "progress": null,
        "news_at": null, "expires_at": null, "offered": null, "delivery": null, "file": null,
        "problem": null, "warnings": [], "candidates": [], "cancel_asked": false,
        "actions": [], "attempts": [],
    }))
    .expect("the view has these fields");
    view.stage = stage;
    view.hold = hold;
    view
}
