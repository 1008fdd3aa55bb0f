//! What the service says of itself, and what a caller may ask for.

use axum::{Json, extract::State};
use docket_wire::{Capabilities, Operation, OperationList, Problem, ServiceDocument, operation};

use super::caller::Caller;
use crate::{
    app::Shared,
    config::{Config, Feature},
};

/// Name, versions, clock and capabilities, to anybody.
#[utoipa::path(get, path = "/v1/service", tag = "service", security(()),
    responses((status = 200, body = ServiceDocument)))]
pub(super) async fn describe(State(app): State<Shared>) -> Json<ServiceDocument> {
    let now = app.now();
    Json(ServiceDocument {
        name: app.config.name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol_versions: vec![1],
        now,
        remembers_since: app.remembers_since(now),
        service_epoch: app.store.state().service_epoch,
        capabilities: capabilities(&app.config),
    })
}

fn capabilities(config: &Config) -> Capabilities {
    Capabilities {
        idempotent_submit: config.has(Feature::Idempotency),
        lookup_by_key: config.has(Feature::Lookup),
        lookup_by_traits: config.has(Feature::Traits),
        abandon: config.has(Feature::Abandon),
        cancel: config.has(Feature::Cancel),
        key_retention_s: whole_seconds(config.key_retention),
        visibility_lag_s: whole_seconds(config.visibility_lag),
        max_wait_s: whole_seconds(config.max_wait),
        poll_interval_s: whole_seconds(config.poll_interval),
        file_retention_s: whole_seconds(config.file_retention),
        resumable_files: config.has(Feature::Resume),
    }
}

fn whole_seconds(length: std::time::Duration) -> u32 {
    u32::try_from(length.as_secs()).unwrap_or(u32::MAX)
}

/// Who is calling, and the reports that this caller may ask for.
#[utoipa::path(get, path = "/v1/tenants/{tenant_id}/operations", tag = "service",
    params(("tenant_id" = String, Path)),
    responses(
        (status = 200, body = OperationList),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(super) async fn operations(State(app): State<Shared>, caller: Caller) -> Json<OperationList> {
    let allowed = |known: &&Operation| caller.may_ask_for(&known.operation);
    Json(OperationList {
        caller: operation::Caller {
            subject: caller.subject().to_owned(),
            name: caller.name().to_owned(),
        },
        operations: app.catalogue.operations().filter(allowed).cloned().collect(),
    })
}
