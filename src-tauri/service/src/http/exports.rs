//! The export resource: read it, wait for it to change, find it by its traits, cancel it.

use std::time::Duration;

use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use docket_wire::{Export, ExportList, JobStatus, Problem, ProblemType, header::PREFER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use jiff::Timestamp;
use serde::{Deserialize, de::DeserializeOwned};

use super::{About, Refusal, caller::Caller, text_of};
use crate::{
    app::Shared,
    clock::{earlier, later},
    config::Feature,
    store::{
        self, Job, Traits,
        work::{self, CancelMet},
    },
    sweep,
};

/// The resource as it is now, or, with `Prefer: wait=N`, as soon as it is another.
#[utoipa::path(get, path = "/v1/tenants/{tenant_id}/exports/{business_id}", tag = "exports",
    params(
        ("tenant_id" = String, Path),
        ("business_id" = String, Path),
        ("Prefer" = Option<String>, Header, description = "wait=N: hold the answer until the revision changes, N seconds at most."),
        ("If-None-Match" = Option<String>, Header, description = "The ETag that the caller has: the wait is for another, and 304 says that there is none.")),
    responses(
        (status = 200, body = Export, headers(("ETag" = String))),
        (status = 304, description = "Not changed."),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn read(
    State(app): State<Shared>,
    caller: Caller,
    Path((_, business_id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let deadline = later(app.now(), wait(&headers).min(app.config.max_wait));
    let known = text_of(&headers, &header::IF_NONE_MATCH).map(str::to_owned);
    let mut at_first = None;
    loop {
        let bell = app.changes.bell(&business_id);
        let mut rung = std::pin::pin!(bell.notified());
        rung.as_mut().enable();
        let job = fresh(&app, &caller, &business_id).await?;
        if !is_visible(&app, &job, app.now()) {
            return Err(Refusal::not_found());
        }
        let export = job.to_export(app.store.state().service_epoch);
        let tag = etag(&export);
        let is_known = known.as_deref().is_some_and(|known| {
            known
                .split(',')
                .any(|one| one.trim().trim_start_matches("W/").as_bytes() == tag.as_bytes())
        });
        let has_changed = match (&known, at_first.get_or_insert(export.revision)) {
            (Some(_), _) => !is_known,
            (None, first) => *first != export.revision,
        };
        if has_changed
            || job.status.is_settled()
            || app.now() >= deadline
            || app.stop.is_cancelled()
        {
            return Ok(resource(&export, is_known));
        }
        tokio::select! {
            () = rung => {}
            () = app.config.clock.sleep_until(deadline) => {}
            () = app.stop.cancelled() => {}
        }
    }
}

/// `wait=N` among the preferences (RFC 7240, 4.3); no wait where there is none.
fn wait(headers: &HeaderMap) -> Duration {
    headers
        .get_all(HeaderName::from_static(PREFER))
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split([',', ';']))
        .find_map(|preference| {
            let (name, seconds) = preference.split_once('=')?;
            name.trim().eq_ignore_ascii_case("wait").then_some(seconds.trim())
        })
        .and_then(|seconds| seconds.parse::<u32>().ok())
        .map_or(Duration::ZERO, |seconds| Duration::from_secs(seconds.into()))
}

fn resource(export: &Export, is_known: bool) -> Response {
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Json(export).into_response()
    };
    response.headers_mut().insert(header::ETAG, etag(export));
    response.extensions_mut().insert(about(export));
    response
}

fn about(export: &Export) -> About {
    About { business_id: Some(export.business_id.clone()), request_key: export.request_key.clone() }
}

/// Strong: with the same epoch and revision the resource is the same, byte for byte.
pub(super) fn etag(export: &Export) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{}-{}\"", export.service_epoch, export.revision))
        .expect("digits in quotes are printable ASCII")
}

/// A job that the caller may see, with its file's time looked at.
pub(super) async fn fresh(
    app: &Shared,
    caller: &Caller,
    business_id: &str,
) -> Result<Job, Refusal> {
    let look = || {
        let (tenant, id) = (caller.tenant_id().to_owned(), business_id.to_owned());
        app.store.read(move |connection| store::find(connection, &tenant, &id))
    };
    let job = caller.seeing(look().await?)?;
    if !sweep::is_stale(&job, app.now()) {
        return Ok(job);
    }
    sweep::files(app).await?;
    caller.seeing(look().await?)
}

/// Whether a look finds the job yet.
pub(super) fn is_visible(app: &Shared, job: &Job, now: Timestamp) -> bool {
    job.created_at <= earlier(now, app.config.visibility_lag)
}

/// A query string as a type.
pub(super) fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T, Refusal> {
    Query::try_from_uri(uri).map(|Query(query)| query).map_err(|_| {
        Refusal::malformed("The query has a parameter too many, too few or ill formed.")
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    operation: Option<String>,
    payload_hash: Option<docket_wire::PayloadHash>,
    requested_by: Option<String>,
    created_after: Option<Timestamp>,
    created_before: Option<Timestamp>,
}

/// The jobs that have these traits, among those that the caller may see.
#[utoipa::path(get, path = "/v1/tenants/{tenant_id}/exports", tag = "exports",
    params(
        ("tenant_id" = String, Path),
        ("operation" = Option<String>, Query),
        ("payload_hash" = Option<String>, Query),
        ("requested_by" = Option<String>, Query),
        ("created_after" = Option<String>, Query, description = "RFC 3339; this moment included."),
        ("created_before" = Option<String>, Query, description = "RFC 3339; this moment included.")),
    responses(
        (status = 200, body = ExportList),
        (status = 400, description = "malformed", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(app): State<Shared>,
    caller: Caller,
    uri: Uri,
) -> Result<Json<ExportList>, Refusal> {
    if !app.config.has(Feature::Traits) {
        return Err(Refusal::not_found());
    }
    let Question { operation, payload_hash, requested_by, created_after, created_before } =
        query(&uri)?;
    let now = app.now();
    if !caller.sees_others() && requested_by.as_deref().is_some_and(|who| who != caller.subject()) {
        return Ok(Json(ExportList { items: Vec::new(), as_of: now }));
    }
    let only_own = (!caller.sees_others()).then(|| caller.subject().to_owned());
    let traits = Traits {
        operation,
        payload_hash,
        requested_by: requested_by.or(only_own),
        created_after,
        created_before,
    };
    let look = || {
        let (tenant, traits) = (caller.tenant_id().to_owned(), traits.clone());
        app.store.read(move |connection| store::list(connection, &tenant, &traits))
    };
    let mut jobs = look().await?;
    if jobs.iter().any(|job| sweep::is_stale(job, now)) {
        sweep::files(&app).await?;
        jobs = look().await?;
    }
    let epoch = app.store.state().service_epoch;
    let visible = jobs.iter().filter(|job| is_visible(&app, job, now));
    Ok(Json(ExportList { items: visible.map(|job| job.to_export(epoch)).collect(), as_of: now }))
}

/// Ends a job that has not ended yet. Idempotent.
#[utoipa::path(post, path = "/v1/tenants/{tenant_id}/exports/{business_id}/cancel", tag = "exports",
    params(("tenant_id" = String, Path), ("business_id" = String, Path)),
    responses(
        (status = 200, body = Export, description = "Cancelled, or soon to be: the status says which."),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "not-cancellable", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn cancel(
    State(app): State<Shared>,
    caller: Caller,
    Path((_, business_id)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    if !app.config.has(Feature::Cancel) {
        return Err(Refusal::not_found());
    }
    fresh(&app, &caller, &business_id).await?;
    let (tenant, now) = (caller.tenant_id().to_owned(), app.now());
    let met = app
        .store
        .write(move |tx| {
            let job = store::find(tx, &tenant, &business_id)?;
            job.map(|job| work::cancel(tx, job, now)).transpose()
        })
        .await?;
    match met {
        None => Err(Refusal::not_found()),
        Some(CancelMet::Settled) => Err(Refusal::new(ProblemType::NotCancellable)),
        Some(CancelMet::Accepted { job, moved_up }) => {
            if job.status == JobStatus::Running {
                app.running.halt(&job.business_id);
            }
            app.changes.ring(&job.business_id);
            moved_up.iter().for_each(|waiting| app.changes.ring(waiting));
            app.sweep.notify_one();
            Ok(resource(&job.to_export(app.store.state().service_epoch), false))
        }
    }
}
