//! The requests of protocol.md, as the wire wants them: addresses and headers.

use docket_wire::header as wire;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE},
};
use jiff::Timestamp;
use url::Url;

use super::{
    Call, Expected, header,
    http::{Connection, Outgoing, is_allowed},
};
use crate::attempt::CallReason;

/// One request as it is put together. What can not be put together is `NotSent`.
pub(super) struct Request<'a> {
    call: &'a Call,
    method: Method,
    url: Url,
    headers: HeaderMap,
}

impl<'a> Request<'a> {
    /// A request to the service itself, from nobody in particular.
    pub(super) fn to_service(call: &'a Call) -> Result<Self, CallReason> {
        let url = below(address(call)?, &["v1", "service"])?;
        let mut request = Self { call, method: Method::GET, url, headers: HeaderMap::new() };
        request.header(ACCEPT, "application/json, application/problem+json")?;
        request.trace()?;
        Ok(request)
    }

    /// A request to something of the tenant's, with the caller's credential.
    pub(super) fn to_tenant(
        call: &'a Call,
        method: Method,
        path: &[&str],
    ) -> Result<Self, CallReason> {
        let tenant = below(address(call)?, &["v1", "tenants", &call.account.tenant_id])?;
        let mut request =
            Self { call, method, url: below(tenant, path)?, headers: HeaderMap::new() };
        request.header(ACCEPT, "application/json, application/problem+json")?;
        if let Some(language) = &call.language {
            request.header(ACCEPT_LANGUAGE, language)?;
        }
        request.trace()?;
        request.credential()?;
        Ok(request)
    }

    /// A request for a file, wherever it lies. Another origin than the service's gets no credential,
    /// and learns nothing of the trace: its address is a secret between it and the service.
    pub(super) fn to_file(call: &'a Call, job: &Url, href: &str) -> Result<Self, CallReason> {
        let url = job.join(href).map_err(|_| CallReason::RequestInvalid)?;
        if !is_allowed(&url) {
            return Err(CallReason::RequestInvalid);
        }
        let at_the_service = url.origin() == job.origin();
        let mut request = Self { call, method: Method::GET, url, headers: HeaderMap::new() };
        if at_the_service {
            request.trace()?;
            request.credential()?;
        }
        Ok(request)
    }

    /// The same with one more header.
    pub(super) fn with(mut self, name: &str, value: &str) -> Result<Self, CallReason> {
        let name = HeaderName::try_from(name).map_err(|_| CallReason::RequestInvalid)?;
        self.header(name, value)?;
        Ok(self)
    }

    /// The same with the key in the header.
    pub(super) fn with_key(self, expected: &Expected) -> Result<Self, CallReason> {
        let key = expected.request_key.as_str();
        // A structured-field string (RFC 8941, 3.3.3) holds printable ASCII; a key holds neither of
        // the two characters that would have to be escaped.
        let plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
        if key.is_empty() || !key.bytes().all(plain) {
            return Err(CallReason::RequestInvalid);
        }
        self.with(wire::IDEMPOTENCY_KEY, &format!("\"{key}\""))
    }

    /// The same with the time of the key.
    pub(super) fn with_first_sent(self, first_sent: Timestamp) -> Result<Self, CallReason> {
        let value = header::imf_fixdate(first_sent).ok_or(CallReason::RequestInvalid)?;
        self.with(wire::REPEATABILITY_FIRST_SENT, &value)
    }

    /// The same with this in the address's query.
    pub(super) fn asking(mut self, pairs: &[(&str, &str)]) -> Self {
        self.url.query_pairs_mut().extend_pairs(pairs);
        self
    }

    /// The address, for what is relative to it.
    pub(super) fn url(&self) -> &Url {
        &self.url
    }

    /// The finished request. One that can change something has a connection of its own.
    pub(super) fn finish(self, body: Option<Vec<u8>>, timeout: std::time::Duration) -> Outgoing {
        let asks = self.method == Method::GET;
        let mut headers = self.headers;
        if body.is_some() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        } else if !asks {
            // Some proxies refuse a POST that does not say it has no body (RFC 9110, 8.6).
            headers.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
        }
        Outgoing {
            method: self.method,
            url: self.url,
            headers,
            body: body.map(Into::into),
            connection: if asks { Connection::Pooled } else { Connection::Fresh },
            timeout,
        }
    }

    fn header(&mut self, name: HeaderName, value: &str) -> Result<(), CallReason> {
        let value = HeaderValue::from_str(value).map_err(|_| CallReason::RequestInvalid)?;
        self.headers.insert(name, value);
        Ok(())
    }

    fn credential(&mut self) -> Result<(), CallReason> {
        let credential = self.call.credential.as_ref().ok_or(CallReason::NoCredential)?;
        let mut value = HeaderValue::from_str(&format!("Bearer {}", credential.expose()))
            .map_err(|_| CallReason::RequestInvalid)?;
        value.set_sensitive(true);
        self.headers.insert(AUTHORIZATION, value);
        Ok(())
    }

    /// W3C Trace Context, and the number of the attempt for the service's log.
    fn trace(&mut self) -> Result<(), CallReason> {
        let parent = format!("00-{}-{}-01", self.call.trace_id, self.call.span_id);
        self.header(HeaderName::from_static(wire::TRACEPARENT), &parent)?;
        let attempt = self.call.attempt_no.to_string();
        self.header(HeaderName::from_static(wire::DOCKET_ATTEMPT), &attempt)
    }
}

fn address(call: &Call) -> Result<Url, CallReason> {
    let url = Url::parse(&call.account.address).map_err(|_| CallReason::RequestInvalid)?;
    // A credential in an address would travel, and be shown, with it.
    let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    if plain && is_allowed(&url) { Ok(url) } else { Err(CallReason::RequestInvalid) }
}

/// An address below another. Each segment is escaped, so none can lead elsewhere.
fn below(mut url: Url, path: &[&str]) -> Result<Url, CallReason> {
    if path.iter().any(|segment| matches!(*segment, "" | "." | "..")) {
        return Err(CallReason::RequestInvalid);
    }
    url.path_segments_mut().map_err(|()| CallReason::RequestInvalid)?.pop_if_empty().extend(path);
    Ok(url)
}
