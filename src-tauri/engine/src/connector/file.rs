//! The file of a job, as it comes over the wire: its head, and its bytes piece by piece.
//!
//! An address on another origin is a secret and stands in no error, log or `Debug` output. What goes
//! wrong there says nothing about the session: only the service's own 401 ends one.

use std::{fmt, time::Duration};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use docket_wire::{ProblemType, header as wire};
use http::{
    HeaderMap, HeaderName, Method, StatusCode,
    header::{
        ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, RANGE,
        RETRY_AFTER,
    },
};
use jiff::Timestamp;
use reqwest::Response;
use url::Origin;

use super::{
    Call, classify, fault, header,
    http::{Http, Incoming, Outgoing, read},
    request::Request,
};
use crate::{
    attempt::{CallReason, PhaseMark},
    clock::Clock,
    export::BusinessId,
};

/// Which bytes of which file.
#[derive(Clone, PartialEq, Eq)]
pub struct OpenFile {
    /// The job that made it.
    pub job: BusinessId,
    /// Where it lies, as the job says: a path at the service, or an absolute address.
    pub href: String,
    /// Its media type, as the job says.
    pub media_type: String,
    /// The first byte that is wanted.
    pub from: u64,
    /// The strong entity tag of what is here already; without one only a whole file is asked for.
    pub if_range: Option<String>,
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenFile")
            .field("job", &self.job)
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

/// How the opening of a file ended.
#[derive(Debug)]
pub struct FileAnswer {
    /// The bytes, or why there are none.
    pub opened: Result<FileStream, FileRefusal>,
    /// The HTTP status, where a head came.
    pub http_status: Option<u16>,
    /// The service's clock, where the answer was the service's own.
    pub service_time: Option<Timestamp>,
    /// When each phase began.
    pub phases: Vec<PhaseMark>,
}

impl FileAnswer {
    /// An answer without a file, before or without any head.
    pub(super) fn refused(call: &Call, refusal: FileRefusal) -> Self {
        Self {
            opened: Err(refusal),
            http_status: None,
            service_time: None,
            phases: call.progress.marks(),
        }
    }
}

/// Why there is no file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRefusal {
    /// The call brought none, or an answer that proves nothing.
    Call {
        /// Why.
        reason: CallReason,
    },
    /// The service's own 401.
    SignIn,
    /// 403: this account may no longer have it.
    AccessWithdrawn,
    /// 410: it is no longer kept.
    Gone,
    /// 429 or 503: not before then.
    PutOff {
        /// By this computer's clock, within the bounds of every such wish.
        until: Timestamp,
    },
    /// 416: there are no such bytes; what is here belongs to something else.
    NoSuchRange,
}

/// Bytes that come one piece after another.
#[async_trait]
pub trait FileSource: Send {
    /// The next piece; None after the last.
    async fn next(&mut self) -> Result<Option<Bytes>, CallReason>;
}

/// A file that is coming.
pub struct FileStream {
    /// Where its first byte belongs: 0, or where the range that was granted begins.
    pub from: u64,
    /// What the whole file weighs, in bytes, where the answer says so.
    pub size: Option<u64>,
    /// Its strong entity tag.
    pub etag: Option<String>,
    /// SHA-256 of the whole file (`Repr-Digest`, RFC 9530).
    pub digest: Option<[u8; 32]>,
    /// Its bytes.
    pub source: Box<dyn FileSource>,
}

impl fmt::Debug for FileStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStream")
            .field("from", &self.from)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// The `sha-256` of a `Repr-Digest` or of a job's `digest`: `sha-256=:BASE64:`, alone or in a list
/// (RFC 9530, 3; RFC 8941, 3.2).
pub fn sha256_of_digest(value: &str) -> Option<[u8; 32]> {
    value.split(',').find_map(|member| {
        let (name, rest) = member.trim().split_once('=')?;
        if !name.eq_ignore_ascii_case("sha-256") {
            return None;
        }
        let encoded = rest.strip_prefix(':')?.split_once(':')?.0;
        STANDARD.decode(encoded).ok()?.try_into().ok()
    })
}

/// The request for a file, and the origin of the service.
pub(super) fn request(call: &Call, open: &OpenFile) -> Result<(Outgoing, Origin), CallReason> {
    let job = Request::to_tenant(call, Method::GET, &["exports", open.job.as_str()])?;
    let origin = job.url().origin();
    let mut request = Request::to_file(call, job.url(), &open.href)?
        .with(ACCEPT_ENCODING.as_str(), "identity")?;
    if let (Some(etag), 1..) = (&open.if_range, open.from) {
        request = request
            .with(RANGE.as_str(), &format!("bytes={}-", open.from))?
            .with(IF_RANGE.as_str(), etag)?;
    }
    Ok((request.finish(None, call.timeouts.ask), origin))
}

/// Makes the request and judges the head of its answer.
pub(super) async fn open(
    http: &Http,
    call: &Call,
    open: &OpenFile,
    (outgoing, service): (Outgoing, Origin),
    clock: &dyn Clock,
) -> FileAnswer {
    let url = outgoing.url.clone();
    let whose = if url.origin() == service { Whose::Service } else { Whose::Other };
    let response = match http.open(call, outgoing).await {
        Ok(response) => response,
        Err(result) => {
            let reason = result.reason().unwrap_or(CallReason::ClosedWithoutAnswer);
            return FileAnswer::refused(call, FileRefusal::Call { reason });
        }
    };
    let (status, headers) = (response.status(), response.headers().clone());
    let opened = match status {
        StatusCode::OK | StatusCode::PARTIAL_CONTENT => {
            stream(response, open, call.timeouts.file_idle)
                .map_err(|reason| FileRefusal::Call { reason })
        }
        StatusCode::RANGE_NOT_SATISFIABLE => Err(FileRefusal::NoSuchRange),
        _ => {
            let body = read(response, call.timeouts.ask).await;
            let incoming = Incoming { status, headers: headers.clone(), url, body };
            Err(refusal(&incoming, whose, clock.now()))
        }
    };
    let own = whose == Whose::Service && !matches!(opened, Err(FileRefusal::Call { .. }));
    FileAnswer {
        opened,
        http_status: Some(status.as_u16()),
        service_time: if own { header::date(&headers) } else { None },
        phases: call.progress.marks(),
    }
}

/// Whose answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Service,
    Other,
}

/// What an answer that is no file proves. Another host's refusal of a signed address only says that
/// the address has run out: the next poll brings a new one. But when to come back it says itself.
fn refusal(incoming: &Incoming, whose: Whose, now: Timestamp) -> FileRefusal {
    if incoming.status.is_redirection() {
        return FileRefusal::Call { reason: CallReason::Redirect };
    }
    let problem = match whose {
        Whose::Service => classify::problem(incoming),
        Whose::Other => None,
    };
    let put_off = FileRefusal::PutOff { until: header::retry_after(&incoming.headers, now) };
    match problem.map(|problem| problem.problem_type) {
        Some(ProblemType::RateLimited | ProblemType::Unavailable) => put_off,
        None if whose == Whose::Other && says_when(incoming) => put_off,
        Some(ProblemType::Unauthenticated) => FileRefusal::SignIn,
        Some(ProblemType::Forbidden) => FileRefusal::AccessWithdrawn,
        Some(ProblemType::FileExpired) => FileRefusal::Gone,
        Some(ProblemType::NotReady | ProblemType::NotFound | ProblemType::Internal) => {
            FileRefusal::Call { reason: CallReason::ServiceError }
        }
        Some(
            ProblemType::KeyMissing
            | ProblemType::Malformed
            | ProblemType::ClockAhead
            | ProblemType::UnknownOperation
            | ProblemType::InProgress
            | ProblemType::NotCancellable
            | ProblemType::Abandoned
            | ProblemType::KeyExpired
            | ProblemType::TooLarge
            | ProblemType::UnsupportedMediaType
            | ProblemType::KeyConflict
            | ProblemType::InvalidParameters
            | ProblemType::Unknown(_),
        )
        | None => FileRefusal::Call { reason: classify::reason_of_status(incoming.status) },
    }
}

/// Whether a host that keeps files asks to be called later.
fn says_when(incoming: &Incoming) -> bool {
    let full = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    full.contains(&incoming.status) && incoming.headers.contains_key(RETRY_AFTER)
}

/// The bytes of a 200 or a 206.
fn stream(response: Response, open: &OpenFile, idle: Duration) -> Result<FileStream, CallReason> {
    let headers = response.headers();
    let media_type = header::media_type(headers).unwrap_or_default();
    if media_type == "text/html" && !open.media_type.starts_with("text/html") {
        return Err(CallReason::NotTheService);
    }
    if header::text(headers, &CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(CallReason::Undecodable);
    }
    let (from, size) = if response.status() == StatusCode::PARTIAL_CONTENT {
        let range = header::text(headers, &CONTENT_RANGE).and_then(content_range);
        range.ok_or(CallReason::Undecodable)?
    } else {
        let length = header::text(headers, &CONTENT_LENGTH).and_then(|text| text.parse().ok());
        (0, length)
    };
    let repr_digest = HeaderName::from_static(wire::REPR_DIGEST);
    Ok(FileStream {
        from,
        size,
        etag: strong_etag(headers),
        digest: header::text(headers, &repr_digest).and_then(sha256_of_digest),
        source: Box::new(HttpFile { response, idle }),
    })
}

/// First byte and whole size of a `Content-Range: bytes FIRST-LAST/SIZE` (RFC 9110, 14.4).
fn content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let (range, size) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    let size = if size == "*" { None } else { Some(size.parse().ok()?) };
    let fits = first <= last && size.is_none_or(|size| last < size);
    fits.then_some((first, size))
}

/// An entity tag that two answers share only if every byte is the same (RFC 9110, 8.8.3).
fn strong_etag(headers: &HeaderMap) -> Option<String> {
    let value = header::text(headers, &ETAG)?;
    let strong = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
    strong.then(|| value.to_owned())
}

struct HttpFile {
    response: Response,
    idle: Duration,
}

#[async_trait]
impl FileSource for HttpFile {
    async fn next(&mut self) -> Result<Option<Bytes>, CallReason> {
        match tokio::time::timeout(self.idle, self.response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(fault::reason_of_cut(&error.into())),
            Err(_) => Err(CallReason::Timeout),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_digest_is_read_from_a_list_of_them() {
        let empty = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
        let digest = sha256_of_digest(empty).unwrap();
        assert_eq!(hex::encode(digest)[..8], *"e3b0c442");
        assert_eq!(sha256_of_digest(&format!("sha-512=:AAAA:, {empty}")), Some(digest));
        for not in ["", "sha-256=47DE", "sha-256=:AAAA:", "md5=:AAAA:", "sha-256=:!!:"] {
            assert_eq!(sha256_of_digest(not), None, "{not}");
        }
    }

    #[test]
    fn a_content_range_says_where_bytes_belong() {
        assert_eq!(content_range("bytes 5-9/10"), Some((5, Some(10))));
        assert_eq!(content_range("bytes 5-9/*"), Some((5, None)));
        for not in ["bytes 5-10/10", "bytes 9-5/10", "bytes */10", "items 0-1/2", "bytes 5-/10"] {
            assert_eq!(content_range(not), None, "{not}");
        }
    }

    #[test]
    fn a_weak_entity_tag_is_none() {
        let of =
            |value| strong_etag(&HeaderMap::from_iter([(ETAG, HeaderValue::from_static(value))]));
        assert_eq!(of("\"a\"").as_deref(), Some("\"a\""));
        assert_eq!(of("W/\"a\""), None);
        assert_eq!(of("\""), None);
        assert_eq!(of("a"), None);
    }

    #[test]
    fn an_address_is_not_printed() {
        let open = OpenFile {
            job: BusinessId::from_text("J-1"),
            href: "https://files.example/x?signature=s3cret".to_owned(),
            media_type: "text/csv".to_owned(),
            from: 0,
            if_range: None,
        };
        assert!(!format!("{open:?}").contains("s3cret"));
    }
}
