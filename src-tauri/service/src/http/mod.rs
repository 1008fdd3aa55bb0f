//! The calls of the protocol, one file per thing that is called.
//!
//! What must stay true: each call looks at the caller's permission before anything else; a thing that
//! the caller may not see is answered like one that does not exist; a refusal leaves no record.

mod caller;
mod exports;
mod file;
mod keys;
mod openapi;
mod practice;
mod range;
mod refusal;
mod request_key;
mod service;
mod submit;

use std::fmt::Write;

use axum::{
    Router,
    extract::Request,
    routing::{get, post},
};
use docket_wire::ProblemType;
use http::{HeaderName, StatusCode, header};

pub(crate) use openapi::document;
pub(crate) use refusal::Refusal;

use crate::app::Shared;

/// What a call turned out to be about, for the log alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) business_id: Option<String>,
    pub(crate) request_key: Option<String>,
}

/// Every route. Those that are switched off answer like paths that were never there.
pub(crate) fn router(app: Shared) -> Router {
    let mut router = Router::new()
        .route("/v1/service", get(service::describe))
        .route("/v1/openapi.json", get(openapi::serve))
        .route("/v1/tenants/{tenant_id}/operations", get(service::operations))
        .route("/v1/tenants/{tenant_id}/exports", get(exports::list).post(submit::submit))
        .route("/v1/tenants/{tenant_id}/exports/{business_id}", get(exports::read))
        .route("/v1/tenants/{tenant_id}/exports/{business_id}/cancel", post(exports::cancel))
        .route("/v1/tenants/{tenant_id}/exports/{business_id}/file", get(file::fetch))
        .route("/v1/tenants/{tenant_id}/request-keys/{request_key}", get(keys::look))
        .route("/v1/tenants/{tenant_id}/request-keys/{request_key}/abandon", post(keys::abandon));
    if app.config.practice {
        router = router.route("/practice/faults", get(practice::rules).put(practice::set_rules));
    }
    router.fallback(nowhere).method_not_allowed_fallback(wrong_method).with_state(app)
}

async fn nowhere(_: Request) -> Refusal {
    Refusal::new(ProblemType::NotFound)
}

/// 405, and with it the methods that there are: axum writes `Allow`.
async fn wrong_method(_: Request) -> Refusal {
    Refusal::of_status(StatusCode::METHOD_NOT_ALLOWED)
}

/// A text as one segment of a path (RFC 3986, 3.3): all but the unreserved characters encoded.
pub(crate) fn path_segment(text: &str) -> String {
    let mut segment = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            segment.push(char::from(byte));
        } else {
            write!(segment, "%{byte:02X}").expect("a string takes what it is given");
        }
    }
    segment
}

/// The one value of a header as text; nothing where it is absent, doubled or not text.
fn text_of<'a>(headers: &'a http::HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// The language that the caller asks for.
fn language_of(headers: &http::HeaderMap) -> crate::language::Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    crate::language::Language::accepted(wanted.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_keeps_to_unreserved_characters() {
        assert_eq!(path_segment("acme-1.x"), "acme-1.x");
        assert_eq!(path_segment("a/b 北"), "a%2Fb%20%E5%8C%97");
    }
}
