//! Calls to a service as they stand in the protocol, without an engine: for the races that one
//! engine alone never runs, and for looking at the service as a stranger would.

use docket_engine::clock::{Clock, SystemClock};
use docket_wire::{Export, KeyStatus, header};
use jiff::Timestamp;
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use crate::world::TENANT;

/// Somebody who speaks to a service directly.
pub struct Caller {
    http: Client,
    url: String,
    secret: String,
}

/// An answer that came whole.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The service had the key already.
    pub replayed: bool,
    /// The body, where it is JSON.
    pub body: Value,
}

impl Caller {
    /// One who calls the service at this address.
    ///
    /// # Panics
    /// No HTTP client can be made.
    pub fn of(url: impl Into<String>, secret: &str) -> Self {
        let http = Client::builder()
            .no_proxy()
            .retry(reqwest::retry::never())
            .pool_max_idle_per_host(0)
            .build()
            .expect("a client can be made");
        Self { http, url: url.into(), secret: secret.to_owned() }
    }

    /// Asks for a job under a key that was minted now.
    pub async fn submit(&self, key: &str, payload: &Value) -> Answer {
        let request = self
            .request(Method::POST, "exports")
            .header(header::IDEMPOTENCY_KEY, format!("\"{key}\""))
            .header(header::REPEATABILITY_FIRST_SENT, http_date(SystemClock.now()))
            .header(header::PREFER, "respond-async")
            .header("content-type", "application/json")
            .body(payload.to_string());
        self.answer(request).await
    }

    /// Asks what became of a key.
    ///
    /// # Panics
    /// The answer is not what the protocol says.
    pub async fn look(&self, key: &str, operation: &str) -> KeyStatus {
        let path = format!("request-keys/{key}?operation={operation}");
        let request = self
            .request(Method::GET, &path)
            .header(header::REPEATABILITY_FIRST_SENT, http_date(SystemClock.now()));
        let answer = self.answer(request).await;
        serde_json::from_value(answer.body).expect("the state of a key")
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/v1/tenants/{TENANT}/{path}", self.url);
        self.http.request(method, url).bearer_auth(&self.secret)
    }

    async fn answer(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.expect("the service answers");
        let status = response.status().as_u16();
        let replayed = response.headers().contains_key(header::IDEMPOTENCY_REPLAYED);
        let text = response.text().await.expect("the answer comes whole");
        Answer { status, replayed, body: serde_json::from_str(&text).unwrap_or_default() }
    }
}

impl Answer {
    /// The job in it.
    ///
    /// # Panics
    /// There is none.
    pub fn export(&self) -> Export {
        serde_json::from_value(self.body.clone()).expect("an export")
    }

    /// The name of its problem.
    pub fn problem(&self) -> Option<&str> {
        self.body["type"].as_str()?.strip_prefix(docket_wire::problem::TYPE_PREFIX)
    }
}

/// A point in time as an HTTP-date (RFC 9110, 5.6.7).
pub fn http_date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}
