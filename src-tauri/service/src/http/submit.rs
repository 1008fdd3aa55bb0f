//! `POST …/exports`: one job for one key, however often it is sent.
//!
//! The order of the looks is the protocol's: sign-in, permission, key, schema, quota, and then one
//! transaction. A key that is recorded is answered before its schema, the quota or the draining are
//! looked at, so a retry never meets an answer that only a new request deserves.

use std::time::Duration;

use axum::{
    Json,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
};
use docket_wire::{
    CreateExport, Export, FieldError, JobStatus, PayloadHash, Problem, ProblemType, Progress,
    canonical_json, first_inexact_number,
    header::{IDEMPOTENCY_REPLAYED, PREFER},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use jiff::Timestamp;

use super::{About, Refusal, caller::Caller, exports::etag, path_segment, request_key, text_of};
use crate::{
    app::Shared,
    chance,
    config::Feature,
    store::{
        Job,
        intake::{self, Key, KeyKnowledge, KeyName, KeyUse, Submitted},
    },
};

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// A body that was read.
struct Asked {
    payload: CreateExport,
    hash: PayloadHash,
    /// As it came, for the numbers in it.
    text: String,
}

/// Asks for an export, or asks again with the same key.
#[utoipa::path(post, path = "/v1/tenants/{tenant_id}/exports", tag = "exports",
    params(
        ("tenant_id" = String, Path),
        ("Idempotency-Key" = String, Header, description = "The request key, in double quotes."),
        ("Repeatability-First-Sent" = String, Header, description = "When the key was minted, as an IMF-fixdate."),
        ("Prefer" = Option<String>, Header, description = "respond-async"),
        ("Accept-Language" = Option<String>, Header, description = "en or zh-CN.")),
    request_body = CreateExport,
    responses(
        (status = 202, body = Export, headers(
            ("Location" = String, description = "The export resource."),
            ("Idempotency-Replayed" = Option<String>, description = "true where the key was known."))),
        (status = 400, description = "key-missing, malformed, clock-ahead", body = Problem, content_type = "application/problem+json"),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "forbidden", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "unknown-operation, not-found", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "in-progress", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "abandoned", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "key-expired", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "too-large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "unsupported-media-type", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "key-conflict, invalid-parameters", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "rate-limited", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "unavailable", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn submit(
    State(app): State<Shared>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let asked = read_body(&headers, body, app.config.max_body).await?;
    let operation = &asked.payload.operation;
    if !app.catalogue.knows(operation) {
        return Err(Refusal::new(ProblemType::UnknownOperation));
    }
    if !caller.may_ask_for(operation) {
        return Err(caller.without(operation));
    }
    let key = read_key(&app, &caller, &headers, operation)?;
    let now = app.now();
    if let Some(known) = look(&app, &key).await? {
        match known {
            KeyKnowledge::Unknown => refuse_old_or_future(&app, &key, now)?,
            KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } => {
                return replay(&app, known, &caller, &asked.hash, &headers);
            }
        }
    }
    let job = new_job(&app, &caller, &key, &asked, now)?;
    app.limiter
        .count(app.config.rate_limit, caller.tenant_id(), caller.subject(), now)
        .map_err(|wait| Refusal::put_off(ProblemType::RateLimited, Some(wait)))?;
    if app.is_draining() {
        return Err(Refusal::put_off(ProblemType::Unavailable, None));
    }
    let room = app.config.max_open_jobs;
    let submitted = app.store.write(move |tx| intake::submit(tx, &key, job, room)).await?;
    match submitted {
        Submitted::Created(job) => {
            app.work.notify_one();
            Ok(accepted(&job.to_export(app.store.state().service_epoch), &headers))
        }
        // Somebody else was first: the constraint said so, and this is a replay.
        Submitted::Held(known) => replay(&app, known, &caller, &asked.hash, &headers),
    }
}

async fn read_body(headers: &HeaderMap, body: Body, most: usize) -> Result<Asked, Refusal> {
    let media_type = text_of(headers, &header::CONTENT_TYPE).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::new(ProblemType::UnsupportedMediaType));
    }
    let bytes = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, most).collect())
        .await
        .map_err(|_| Refusal::malformed("The body did not arrive in time."))?
        .map_err(|error| {
            if error.is::<LengthLimitError>() {
                Refusal::new(ProblemType::TooLarge).detail(format!("The most is {most} bytes."))
            } else {
                Refusal::malformed("The body did not arrive whole.")
            }
        })?;
    let shape = || {
        Refusal::malformed("The body must be JSON with operation, parameters and format, no more.")
    };
    let text = String::from_utf8(bytes.to_bytes().into()).map_err(|_| shape())?;
    let payload: CreateExport = serde_json::from_str(&text).map_err(|_| shape())?;
    let canonical = canonical_json(&payload).map_err(|_| shape())?;
    Ok(Asked { payload, hash: PayloadHash::of(&canonical), text })
}

/// What the key of this submit means to a service with these features.
fn read_key(
    app: &Shared,
    caller: &Caller,
    headers: &HeaderMap,
    operation: &str,
) -> Result<KeyUse, Refusal> {
    let noted = app.config.has(Feature::Lookup) || app.config.has(Feature::Abandon);
    let idempotent = app.config.has(Feature::Idempotency);
    if !idempotent && !noted {
        return Ok(KeyUse::Ignored);
    }
    let request_key = request_key::idempotency_key(headers)?;
    let first_sent = request_key::first_sent(headers)?;
    let Some((request_key, first_sent)) = request_key.zip(first_sent) else {
        return if idempotent {
            Err(Refusal::new(ProblemType::KeyMissing))
        } else {
            Ok(KeyUse::Ignored)
        };
    };
    let name = KeyName {
        tenant_id: caller.tenant_id().to_owned(),
        operation: operation.to_owned(),
        request_key,
    };
    let key = Key { name, first_sent };
    Ok(if idempotent { KeyUse::Once(key) } else { KeyUse::Noted(key) })
}

/// What is known of the key, as far as it decides about this submit.
async fn look(app: &Shared, key: &KeyUse) -> Result<Option<KeyKnowledge>, Refusal> {
    let (name, once) = match key {
        KeyUse::Ignored => return Ok(None),
        KeyUse::Once(key) => (key.name.clone(), true),
        KeyUse::Noted(key) => (key.name.clone(), false),
    };
    let known = app.store.read(move |connection| intake::look(connection, &name)).await?;
    Ok(match known {
        // Without idempotent submits a known key makes another job.
        KeyKnowledge::Present(_) if !once => None,
        KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } | KeyKnowledge::Unknown => {
            Some(known)
        }
    })
}

fn refuse_old_or_future(app: &Shared, key: &KeyUse, now: Timestamp) -> Result<(), Refusal> {
    match key {
        KeyUse::Ignored => Ok(()),
        KeyUse::Once(key) | KeyUse::Noted(key) => {
            if key.first_sent < app.remembers_since(now) {
                return Err(Refusal::new(ProblemType::KeyExpired));
            }
            request_key::refuse_future(key.first_sent, now)
        }
    }
}

/// The job as it will stand, if its parameters will do.
fn new_job(
    app: &Shared,
    caller: &Caller,
    key: &KeyUse,
    asked: &Asked,
    now: Timestamp,
) -> Result<Job, Refusal> {
    let CreateExport { operation, parameters, format } = &asked.payload;
    if let Some(number) = inexact_number(&asked.text)? {
        return Err(Refusal::invalid_parameters(vec![number]));
    }
    // In its canonical form 3.0 is 3, as the hash has it.
    let canonical = canonical_json(parameters)
        .and_then(|bytes| Ok((serde_json::from_slice(&bytes)?, bytes)))
        .map_err(|_| {
            Refusal::malformed("The parameters can not be brought to their canonical form.")
        })?;
    let (parameters, bytes): (serde_json::Value, Vec<u8>) = canonical;
    app.catalogue
        .prepare(operation, format, &parameters, caller.language)
        .map_err(Refusal::invalid_parameters)?;
    Ok(Job {
        business_id: chance::business_id(),
        tenant_id: caller.tenant_id().to_owned(),
        operation: operation.clone(),
        request_key: match key {
            KeyUse::Once(key) | KeyUse::Noted(key) => Some(key.name.request_key.clone()),
            KeyUse::Ignored => None,
        },
        payload_hash: asked.hash,
        requested_by: caller.subject().to_owned(),
        parameters: String::from_utf8_lossy(&bytes).into_owned(),
        format: format.clone(),
        language: caller.language.tag().to_owned(),
        status: JobStatus::Queued,
        revision: 1,
        progress: Some(Progress {
            done: 0,
            total: None,
            unit: "rows".to_owned(),
            step: None,
            ahead: Some(0),
        }),
        created_at: now,
        updated_at: now,
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
        cancel_requested: false,
    })
}

fn inexact_number(text: &str) -> Result<Option<FieldError>, Refusal> {
    let found = first_inexact_number(text)
        .map_err(|_| Refusal::malformed("The body can not be read as JSON."))?;
    Ok(found.map(|number| FieldError {
        pointer: number.pointer.strip_prefix("/parameters").unwrap_or_default().to_owned(),
        detail: number.to_string(),
    }))
}

/// The answer to a key that is held already.
fn replay(
    app: &Shared,
    known: KeyKnowledge,
    caller: &Caller,
    hash: &PayloadHash,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    match known {
        KeyKnowledge::Present(job)
            if job.requested_by == caller.subject() && job.payload_hash == *hash =>
        {
            let mut response = accepted(&job.to_export(app.store.state().service_epoch), headers);
            response.headers_mut().insert(
                HeaderName::from_static(IDEMPOTENCY_REPLAYED),
                HeaderValue::from_static("true"),
            );
            Ok(response)
        }
        KeyKnowledge::Abandoned { subject } if subject == caller.subject() => {
            Err(Refusal::new(ProblemType::Abandoned))
        }
        KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } => {
            Err(Refusal::new(ProblemType::KeyConflict))
        }
        // The record was swept between the constraint and the look, so the key is older than allowed.
        KeyKnowledge::Unknown => Err(Refusal::new(ProblemType::KeyExpired)),
    }
}

/// 202 with the job (RFC 7240, 4.1).
fn accepted(export: &Export, headers: &HeaderMap) -> Response {
    let location = format!(
        "/v1/tenants/{}/exports/{}",
        path_segment(&export.tenant_id),
        path_segment(&export.business_id)
    );
    let mut response = (StatusCode::ACCEPTED, Json(export)).into_response();
    let about = About {
        business_id: Some(export.business_id.clone()),
        request_key: export.request_key.clone(),
    };
    response.extensions_mut().insert(about);
    let answer = response.headers_mut();
    answer.insert(
        header::LOCATION,
        HeaderValue::from_str(&location).expect("an encoded path is printable ASCII"),
    );
    answer.insert(header::ETAG, etag(export));
    let prefer = HeaderName::from_static(PREFER);
    if text_of(headers, &prefer).is_some_and(|prefer| prefer.contains("respond-async")) {
        answer.insert(
            HeaderName::from_static("preference-applied"),
            HeaderValue::from_static("respond-async"),
        );
    }
    response
}
