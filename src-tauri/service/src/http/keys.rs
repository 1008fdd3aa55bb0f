//! What a key is, and making sure that it never runs.

use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use docket_wire::{KeyState, KeyStatus, Problem, ProblemType};
use http::{HeaderMap, Uri};
use jiff::Timestamp;
use serde::Deserialize;

use super::{About, Refusal, caller::Caller, exports::query, request_key};
use crate::{
    app::Shared,
    config::Feature,
    store::intake::{self, Key, KeyKnowledge, KeyName},
    sweep,
};

/// Bytes of an operation's name at most: it need not be one of ours, and a tombstone keeps it.
const MAX_OPERATION: usize = 255;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    operation: String,
}

/// What a key is, read from the primary.
#[utoipa::path(get, path = "/v1/tenants/{tenant_id}/request-keys/{request_key}", tag = "request keys",
    params(
        ("tenant_id" = String, Path),
        ("request_key" = String, Path),
        ("operation" = String, Query),
        ("Repeatability-First-Sent" = String, Header)),
    responses(
        (status = 200, body = KeyStatus),
        (status = 400, description = "key-missing, malformed, clock-ahead", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn look(
    State(app): State<Shared>,
    caller: Caller,
    Path((_, request_key)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let key = read_key(&app, Feature::Lookup, &caller, request_key, &uri, &headers)?;
    let known = know(&app, &key.name).await?;
    let now = app.now();
    let known = match known {
        KeyKnowledge::Present(job) if !caller.sees(&job.requested_by) => {
            return Err(Refusal::not_found());
        }
        KeyKnowledge::Abandoned { subject } if !caller.sees(&subject) => {
            return Err(Refusal::not_found());
        }
        // A reader that lags does not know of it yet.
        KeyKnowledge::Present(job) if !super::exports::is_visible(&app, &job, now) => {
            return Ok(answer(&key, KeyState::Absent, None, now));
        }
        KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } | KeyKnowledge::Unknown => known,
    };
    say(&app, &key, known, now)
}

/// Makes sure that no job ever comes under the key, or says that one is there.
#[utoipa::path(post, path = "/v1/tenants/{tenant_id}/request-keys/{request_key}/abandon", tag = "request keys",
    params(
        ("tenant_id" = String, Path),
        ("request_key" = String, Path),
        ("operation" = String, Query),
        ("Repeatability-First-Sent" = String, Header)),
    responses(
        (status = 200, body = KeyStatus),
        (status = 400, description = "key-missing, malformed, clock-ahead", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "in-progress", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "key-conflict", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn abandon(
    State(app): State<Shared>,
    caller: Caller,
    Path((_, request_key)): Path<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let key = read_key(&app, Feature::Abandon, &caller, request_key, &uri, &headers)?;
    let now = app.now();
    if let KeyKnowledge::Unknown = know(&app, &key.name).await? {
        request_key::refuse_future(key.first_sent, now)?;
    }
    let (asked, subject) = (key.clone(), caller.subject().to_owned());
    let since = app.remembers_since(now);
    let known =
        app.store.write(move |tx| intake::abandon(tx, &asked, &subject, since, now)).await?;
    let theirs = match &known {
        KeyKnowledge::Present(job) => !caller.sees(&job.requested_by),
        KeyKnowledge::Abandoned { subject } => !caller.sees(subject),
        KeyKnowledge::Unknown => false,
    };
    if theirs {
        return Err(Refusal::new(ProblemType::KeyConflict));
    }
    app.sweep.notify_one();
    say(&app, &key, known, now)
}

fn read_key(
    app: &Shared,
    feature: Feature,
    caller: &Caller,
    request_key: String,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Key, Refusal> {
    if !app.config.has(feature) {
        return Err(Refusal::not_found());
    }
    let Question { operation } = query(uri)?;
    if !(1..=MAX_OPERATION).contains(&operation.len()) {
        return Err(Refusal::malformed("An operation's name has 1 to 255 bytes."));
    }
    if !request_key::is_key(&request_key) {
        return Err(Refusal::malformed("A request key has 1 to 255 printable characters."));
    }
    let first_sent = request_key::needed_first_sent(headers)?;
    let tenant_id = caller.tenant_id().to_owned();
    Ok(Key { name: KeyName { tenant_id, operation, request_key }, first_sent })
}

async fn know(app: &Shared, name: &KeyName) -> Result<KeyKnowledge, Refusal> {
    let look = |name: KeyName| app.store.read(move |connection| intake::look(connection, &name));
    let known = look(name.clone()).await?;
    match &known {
        KeyKnowledge::Present(job) if sweep::is_stale(job, app.now()) => {
            sweep::files(app).await?;
            Ok(look(name.clone()).await?)
        }
        KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } | KeyKnowledge::Unknown => {
            Ok(known)
        }
    }
}

fn say(app: &Shared, key: &Key, known: KeyKnowledge, now: Timestamp) -> Result<Response, Refusal> {
    let export = |job: &crate::store::Job| job.to_export(app.store.state().service_epoch);
    Ok(match known {
        KeyKnowledge::Present(job) => answer(key, KeyState::Present, Some(export(&job)), now),
        KeyKnowledge::Abandoned { .. } => answer(key, KeyState::Abandoned, None, now),
        KeyKnowledge::Unknown if key.first_sent < app.remembers_since(now) => {
            answer(key, KeyState::Expired, None, now)
        }
        KeyKnowledge::Unknown => {
            request_key::refuse_future(key.first_sent, now)?;
            answer(key, KeyState::Absent, None, now)
        }
    })
}

fn answer(
    key: &Key,
    state: KeyState,
    export: Option<docket_wire::Export>,
    as_of: Timestamp,
) -> Response {
    let about = About {
        business_id: export.as_ref().map(|export| export.business_id.clone()),
        request_key: Some(key.name.request_key.clone()),
    };
    let mut response = Json(KeyStatus { state, export, as_of }).into_response();
    response.extensions_mut().insert(about);
    response
}
