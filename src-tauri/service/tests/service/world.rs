//! A service in a folder of its own, and callers that speak to it.

use std::{path::PathBuf, sync::Arc, time::Duration};

use docket_service::{
    Config, ServiceHandle, Token,
    clock::{Clock, ManualClock, SystemClock},
    start,
};
use docket_wire::{Export, JobStatus, KeyStatus, Problem};
use jiff::Timestamp;
use reqwest::{
    Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Names and values as a test writes them.
pub type Headers<'a> = &'a [(&'a str, &'a str)];

/// How long a condition is waited for at most.
const PATIENCE: Duration = Duration::from_secs(30);

/// Secrets of the callers that every world knows: `ada` and `bob` of `acme`, `eve` of `umbra`, and
/// `carol` of `acme`, who sees others.
pub const ADA: &str = "secret-of-ada";
pub const BOB: &str = "secret-of-bob";
pub const CAROL: &str = "secret-of-carol";
pub const EVE: &str = "secret-of-eve";

/// A running service.
pub struct World {
    pub service: ServiceHandle,
    pub folder: TempDir,
    pub clock: Option<Arc<ManualClock>>,
    http: reqwest::Client,
}

/// One caller of a world.
pub struct Caller<'a> {
    world: &'a World,
    tenant: &'static str,
    secret: String,
}

/// A key as a client keeps it.
#[derive(Clone, Debug)]
pub struct Key {
    pub name: String,
    pub first_sent: Timestamp,
}

/// An answer that came whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl World {
    /// A service as the program starts it.
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// The same with other settings.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::open(TempDir::new().unwrap(), None, change).await
    }

    /// The same, its time standing still until the test moves it.
    pub async fn with_clock(change: impl FnOnce(&mut Config)) -> Self {
        let clock = Arc::new(ManualClock::new("2026-11-28T10:00:00Z".parse().unwrap()));
        Self::open(TempDir::new().unwrap(), Some(clock), change).await
    }

    async fn open(
        folder: TempDir,
        clock: Option<Arc<ManualClock>>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let mut config = Config::new(
            "127.0.0.1:0".parse().unwrap(),
            folder.path().join("service.db"),
            folder.path().join("files"),
        );
        config.tokens = tokens();
        if let Some(clock) = &clock {
            config.clock = Arc::clone(clock) as Arc<dyn Clock>;
        }
        change(&mut config);
        let service = start(config).await.unwrap();
        Self { service, folder, clock, http: client() }
    }

    /// Ends the service and starts it again on the same folder.
    pub async fn restart(self, change: impl FnOnce(&mut Config)) -> Self {
        let Self { service, folder, clock, .. } = self;
        service.shutdown().await;
        Self::open(folder, clock, change).await
    }

    pub fn ada(&self) -> Caller<'_> {
        self.caller("acme", ADA)
    }

    pub fn bob(&self) -> Caller<'_> {
        self.caller("acme", BOB)
    }

    pub fn carol(&self) -> Caller<'_> {
        self.caller("acme", CAROL)
    }

    pub fn eve(&self) -> Caller<'_> {
        self.caller("umbra", EVE)
    }

    pub fn caller(&self, tenant: &'static str, secret: &str) -> Caller<'_> {
        Caller { world: self, tenant, secret: secret.to_owned() }
    }

    pub fn now(&self) -> Timestamp {
        match &self.clock {
            Some(clock) => clock.now(),
            None => SystemClock.now(),
        }
    }

    pub fn advance(&self, by: Duration) {
        self.clock.as_ref().expect("a world with a clock of its own").advance(by);
    }

    /// Lets a clock of its own go on, a second at a time, until a condition holds.
    pub async fn let_time_pass_until(&self, mut condition: impl FnMut() -> bool) {
        eventually(|| {
            self.advance(Duration::from_secs(1));
            condition()
        })
        .await;
    }

    pub fn database(&self) -> PathBuf {
        self.folder.path().join("service.db")
    }

    /// Counts rows as another program would.
    pub fn count(&self, query: &str) -> i64 {
        let database = rusqlite::Connection::open(self.database()).unwrap();
        database.query_row(query, [], |row| row.get(0)).unwrap()
    }

    pub fn jobs(&self) -> i64 {
        self.count("SELECT count(*) FROM export_job")
    }

    pub fn records(&self) -> i64 {
        self.count("SELECT count(*) FROM request_record")
    }

    /// One request, exactly as it is given.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        headers: Headers<'_>,
        body: impl Into<reqwest::Body>,
    ) -> Result<Answer, reqwest::Error> {
        let mut request = self.http.request(method.clone(), self.service.url() + path).body(body);
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            request = request.header(name, HeaderValue::from_str(value).unwrap());
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await?.to_vec();
        if path.starts_with("/v1/") {
            crate::documents::assert_documented(&method, path, status);
        }
        Ok(Answer { status, headers, body })
    }
}

impl Caller<'_> {
    fn path(&self, rest: &str) -> String {
        format!("/v1/tenants/{}/{rest}", self.tenant)
    }

    pub async fn call(&self, method: Method, rest: &str, headers: Headers<'_>) -> Answer {
        self.call_with(method, rest, headers, "").await.unwrap()
    }

    pub async fn call_with(
        &self,
        method: Method,
        rest: &str,
        headers: Headers<'_>,
        body: impl Into<reqwest::Body>,
    ) -> Result<Answer, reqwest::Error> {
        let authorization = format!("Bearer {}", self.secret);
        let mut headers = headers.to_vec();
        headers.push(("authorization", &authorization));
        self.world.send(method, &self.path(rest), &headers, body).await
    }

    pub async fn try_submit(&self, key: &Key, payload: &Value) -> Result<Answer, reqwest::Error> {
        let (name, first_sent) = (format!("\"{}\"", key.name), http_date(key.first_sent));
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", name.as_str()),
            ("repeatability-first-sent", first_sent.as_str()),
            ("prefer", "respond-async"),
        ];
        self.call_with(Method::POST, "exports", &headers, payload.to_string()).await
    }

    pub async fn submit(&self, key: &Key, payload: &Value) -> Answer {
        self.try_submit(key, payload).await.unwrap()
    }

    pub async fn look(&self, key: &Key, operation: &str) -> Answer {
        let rest = format!("request-keys/{}?operation={operation}", key.name);
        let first_sent = http_date(key.first_sent);
        self.call(Method::GET, &rest, &[("repeatability-first-sent", &first_sent)]).await
    }

    pub async fn abandon(&self, key: &Key, operation: &str) -> Answer {
        let rest = format!("request-keys/{}/abandon?operation={operation}", key.name);
        let first_sent = http_date(key.first_sent);
        self.call(Method::POST, &rest, &[("repeatability-first-sent", &first_sent)]).await
    }

    pub async fn read(&self, business_id: &str) -> Answer {
        self.call(Method::GET, &format!("exports/{business_id}"), &[]).await
    }

    pub async fn cancel(&self, business_id: &str) -> Answer {
        self.call(Method::POST, &format!("exports/{business_id}/cancel"), &[]).await
    }

    pub async fn file(&self, business_id: &str, headers: Headers<'_>) -> Answer {
        self.call(Method::GET, &format!("exports/{business_id}/file"), headers).await
    }

    /// Waits by long polls until the job has this status.
    pub async fn until(&self, business_id: &str, status: &JobStatus) -> Export {
        let rest = format!("exports/{business_id}");
        let waiting = async {
            let mut answer = self.read(business_id).await;
            loop {
                let export = answer.export();
                if export.status == *status {
                    return export;
                }
                assert!(!export.status.is_settled(), "{export:?}");
                let known = answer.header("etag").unwrap().to_owned();
                let headers = [("prefer", "wait=20"), ("if-none-match", known.as_str())];
                let next = self.call(Method::GET, &rest, &headers).await;
                if next.status != 304 {
                    answer = next;
                }
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the job gets there in time")
    }

    /// Submits with a fresh key, and waits until there is a file.
    pub async fn export(&self, payload: &Value) -> Export {
        let answer = self.submit(&Key::new(self.world), payload).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        self.until(&answer.export().business_id, &JobStatus::Succeeded).await
    }
}

impl Key {
    /// A key that no other test has, minted now.
    pub fn new(world: &World) -> Self {
        Self::minted(world.now())
    }

    pub fn minted(first_sent: Timestamp) -> Self {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { name: format!("0190c8a0-0000-7000-8000-{number:012}"), first_sent }
    }
}

impl Answer {
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn export(&self) -> Export {
        self.json()
    }

    pub fn key(&self) -> KeyStatus {
        assert_eq!(self.status, 200, "{}", self.text());
        self.json()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The status and the problem's name; a problem says the same status as the answer.
    pub fn problem(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem: Problem = self.json();
        assert_eq!(problem.status, self.status);
        (self.status, problem.problem_type.name().to_owned())
    }
}

fn tokens() -> Vec<Token> {
    let all = ["orders", "customers", "ledger"];
    let mut bob = Token::new(BOB, "acme", "bob").with_operations(["orders", "ledger"]);
    bob.owner = Some("Dana, Finance".to_owned());
    vec![
        Token::new(ADA, "acme", "ada").with_operations(all),
        bob,
        Token::new(CAROL, "acme", "carol").with_operations(all).seeing_others(),
        Token::new(EVE, "umbra", "eve").with_operations(all),
    ]
}

/// A client that sends what it is told, once.
fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .build()
        .unwrap()
}

pub fn http_date(at: Timestamp) -> String {
    httpdate::fmt_http_date(at.try_into().unwrap())
}

pub fn orders() -> Value {
    json!({
        "operation": "orders",
        "parameters": {"from": "2026-11-01", "to": "2026-11-07", "region": ["north", "east"]},
        "format": "csv",
    })
}

pub fn ledger(rows: u64) -> Value {
    json!({"operation": "ledger", "parameters": {"rows": rows}, "format": "csv"})
}

/// A job that runs until somebody ends it: the longest there is, at a pace that never finishes.
pub fn never_ending(config: &mut Config) {
    config.pace.running = Duration::from_secs(100_000);
}

/// Waits until a condition holds.
pub async fn eventually(mut condition: impl FnMut() -> bool) {
    let waiting = async {
        let mut tick = tokio::time::interval(Duration::from_millis(10));
        while !condition() {
            tick.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the condition comes to hold in time");
}
