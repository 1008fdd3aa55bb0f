//! `GET …/exports/{business_id}/file`: the file, or one range of it.

use std::{io, ops::Range};

use axum::{
    body::Body,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use docket_wire::{JobStatus, Problem, ProblemType, header::REPR_DIGEST};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt},
};
use tokio_util::io::ReaderStream;

use super::{
    About, Refusal,
    caller::Caller,
    exports::{fresh, is_visible},
    range::{Wanted, wanted},
    text_of,
};
use crate::{
    app::Shared,
    config::Feature,
    files::{Format, repr_digest},
    store::{self, Job, StoredFile},
};

/// Bytes that are read at once.
const CHUNK: usize = 128 * 1024;

/// The file, or one range of it.
#[utoipa::path(get, path = "/v1/tenants/{tenant_id}/exports/{business_id}/file", tag = "exports",
    params(
        ("tenant_id" = String, Path),
        ("business_id" = String, Path),
        ("Range" = Option<String>, Header, description = "One range of bytes."),
        ("If-Range" = Option<String>, Header, description = "The ETag that the range belongs to.")),
    responses(
        (status = 200, description = "The whole file.", content_type = "application/octet-stream", headers(
            ("ETag" = String), ("Accept-Ranges" = String), ("Content-Disposition" = String),
            ("Repr-Digest" = String, description = "SHA-256 of the whole file."))),
        (status = 206, description = "The range.", content_type = "application/octet-stream"),
        (status = 401, description = "unauthenticated", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "forbidden", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "not-found", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "not-ready", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "file-expired", body = Problem, content_type = "application/problem+json"),
        (status = 416, description = "The file has no such range.", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn fetch(
    State(app): State<Shared>,
    caller: Caller,
    Path((_, business_id)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let job = fresh(&app, &caller, &business_id).await?;
    if !is_visible(&app, &job, app.now()) {
        return Err(Refusal::not_found());
    }
    if !caller.may_ask_for(&job.operation) {
        return Err(caller.without(&job.operation));
    }
    let stored = match &job.status {
        JobStatus::Queued | JobStatus::Running => {
            return Err(Refusal::new(ProblemType::NotReady));
        }
        JobStatus::Expired => return Err(Refusal::new(ProblemType::FileExpired)),
        JobStatus::Failed | JobStatus::Cancelled | JobStatus::Unknown(_) => {
            return Err(Refusal::not_found());
        }
        JobStatus::Succeeded => job.file.clone().ok_or_else(Refusal::not_found)?,
    };
    let file = open(&app, &job).await?;
    let tag = format!("\"{}\"", stored.sha256);
    let asked = if app.config.has(Feature::Resume) {
        asked_range(&headers, &tag, stored.size)
    } else {
        Wanted::Whole
    };
    let (status, range) = match asked {
        Wanted::Whole => (StatusCode::OK, 0..stored.size),
        Wanted::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Wanted::Nothing => {
            let range = format!("bytes */{}", stored.size);
            return Err(Refusal::of_status(StatusCode::RANGE_NOT_SATISFIABLE)
                .header(header::CONTENT_RANGE, value(&range)));
        }
    };
    let mut response = (status, stream(file, range.clone()).await?).into_response();
    describe(&app, response.headers_mut(), &stored, &tag, &range);
    if status == StatusCode::PARTIAL_CONTENT {
        let whole = format!("bytes {}-{}/{}", range.start, range.end - 1, stored.size);
        response.headers_mut().insert(header::CONTENT_RANGE, value(&whole));
    }
    response.extensions_mut().insert(About {
        business_id: Some(job.business_id.clone()),
        request_key: job.request_key.clone(),
    });
    Ok(response)
}

/// `Range`, unless `If-Range` names another file (RFC 9110, 13.1.5: compared strongly; a date never
/// fits, for the file has none).
fn asked_range(headers: &HeaderMap, tag: &str, size: u64) -> Wanted {
    let Some(range) = text_of(headers, &header::RANGE) else { return Wanted::Whole };
    let is_of_another =
        headers.contains_key(header::IF_RANGE) && text_of(headers, &header::IF_RANGE) != Some(tag);
    if is_of_another { Wanted::Whole } else { wanted(range, size) }
}

/// Opens the file of a job. One that somebody took out of the folder is as good as expired.
async fn open(app: &Shared, job: &Job) -> Result<File, Refusal> {
    let format = Format::of_name(&job.format).ok_or_else(Refusal::not_found)?;
    match File::open(app.folder.path(&job.business_id, format)).await {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            tracing::warn!(business_id = job.business_id, "a file is not where it should be");
            let (id, now) = (job.business_id.clone(), app.now());
            app.store.write(move |tx| store::expire(tx, &id, now)).await?;
            app.changes.ring(&job.business_id);
            Err(Refusal::new(ProblemType::FileExpired))
        }
        Err(error) => Err(unreadable(&error)),
    }
}

async fn stream(mut file: File, range: Range<u64>) -> Result<Body, Refusal> {
    if range.start > 0 {
        file.seek(io::SeekFrom::Start(range.start)).await.map_err(|error| unreadable(&error))?;
    }
    let part = file.take(range.end - range.start);
    Ok(Body::from_stream(ReaderStream::with_capacity(part, CHUNK)))
}

fn unreadable(error: &io::Error) -> Refusal {
    tracing::error!(reason = %error, "a file can not be read");
    Refusal::new(ProblemType::Internal)
}

fn describe(
    app: &Shared,
    headers: &mut HeaderMap,
    stored: &StoredFile,
    tag: &str,
    range: &Range<u64>,
) {
    headers.insert(header::CONTENT_TYPE, value(&stored.media_type));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    headers.insert(header::ETAG, value(tag));
    headers.insert(HeaderName::from_static(REPR_DIGEST), value(&repr_digest(&stored.sha256)));
    headers.insert(
        header::CONTENT_DISPOSITION,
        value(&format!("attachment; filename=\"{}\"", stored.name)),
    );
    if app.config.has(Feature::Resume) {
        headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    }
}

fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).expect("names, digests and numbers of this service are ASCII")
}
