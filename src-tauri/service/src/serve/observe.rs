//! What every answer has, and what the log keeps of a call.
//!
//! What must stay true: no credential and no parameter value is logged; what a caller sends is logged
//! only in the form that the protocol gives it.

use std::{future::Future, time::SystemTime};

use axum::body::Body;
use docket_wire::header::{DOCKET_ATTEMPT, TRACEPARENT};
use http::{HeaderMap, HeaderValue, Request, Response, header};
use jiff::Timestamp;

use crate::{app::Shared, clock::between, faults::Call, http::About};

/// Handles a call, dates its answer by the service's clock, and logs one line.
pub(super) async fn observed<F, R>(
    app: &Shared,
    request: Request<Body>,
    handle: F,
) -> Response<Body>
where
    F: FnOnce(Request<Body>) -> R,
    R: Future<Output = Response<Body>>,
{
    let began = app.now();
    let kind = Call::of(request.method(), request.uri().path()).map(Call::as_str);
    let attempt_no: Option<u32> =
        text(request.headers(), DOCKET_ATTEMPT).and_then(|number| number.parse().ok());
    let trace_id = text(request.headers(), TRACEPARENT).and_then(trace_id).map(str::to_owned);
    let mut response = handle(request).await;
    let now = app.now();
    let headers = response.headers_mut();
    headers.insert(header::DATE, date(now));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let about = response.extensions_mut().remove::<About>().unwrap_or_default();
    tracing::info!(
        kind,
        http_status = response.status().as_u16(),
        request_key = about.request_key,
        business_id = about.business_id,
        attempt_no,
        trace_id,
        duration_ms = u64::try_from(between(began, now).as_millis()).unwrap_or(u64::MAX),
        "answered"
    );
    response
}

/// The service's clock as a header has it (RFC 9110, 6.6.1).
fn date(now: Timestamp) -> HeaderValue {
    let time = SystemTime::try_from(now).unwrap_or(SystemTime::UNIX_EPOCH);
    HeaderValue::from_str(&httpdate::fmt_http_date(time)).expect("a date is printable ASCII")
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The trace of a `traceparent` (W3C Trace Context, 3.2): version, trace, parent, flags.
fn trace_id(header: &str) -> Option<&str> {
    let mut fields = header.split('-');
    let (version, trace) = (fields.next()?, fields.next()?);
    let is_hex = |field: &str| {
        field.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let is_trace = version.len() == 2 && trace.len() == 32 && is_hex(version) && is_hex(trace);
    is_trace.then_some(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trace_is_logged_as_one() {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(trace_id(parent), Some("4bf92f3577b34da6a3ce929d0e0e4736"));
        for wrong in
            ["", "00", "00-secret-00f067aa0ba902b7-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-0-1"]
        {
            assert_eq!(trace_id(wrong), None, "{wrong}");
        }
    }
}
