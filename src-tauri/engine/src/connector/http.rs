//! The HTTP clients and the one exchange that all calls make.
//!
//! Whatever can change something at the service goes through a client that opens a fresh connection
//! for each request: on a reused one a lost request can not be told from one that never left
//! (facts.md). Asks and files may reuse connections. Both speak HTTP/1.1 only, follow no redirect,
//! retry nothing and trust what the computer trusts. Plain http goes to this computer alone, and
//! never through a proxy.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode};
use reqwest::{Client, Response};
use rustls::{ClientConfig, client::Resumption};
use rustls_platform_verifier::BuilderVerifierExt;
use thiserror::Error;
use url::{Host as UrlHost, Url};

use super::{
    Call,
    fault::{self, Fault},
    hooks::{
        CallContext, Crossing, Host, MarkConnection, MarkedResolver, MarkedSessions, WatchedBody,
        is_local_name,
    },
};
use crate::attempt::{AttemptResult, CallReason, Phase};

/// Most bytes of an answer that are read. A catalogue with its schemas is the largest.
const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Most idle connections that are kept to one host: as many as a service gets calls at once
/// (`Policy::calls_max`), so that a busy one is not left and met again with each call.
const IDLE_CONNECTIONS_MAX: usize = 32;
/// How long an idle connection is kept.
const IDLE_CONNECTION_TIME: Duration = Duration::from_secs(30);

/// The way to services that are not on this computer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Proxying {
    /// As the system says.
    #[default]
    System,
    /// Through this one, whatever the system says.
    Through(Url),
    /// Through none.
    Direct,
}

/// The clients could not be made.
#[derive(Debug, Error)]
pub enum ClientsError {
    /// The certificates that this computer trusts can not be had.
    #[error("the certificates that this computer trusts can not be read")]
    Trust(#[from] rustls::Error),
    /// The HTTP library refused its settings.
    #[error("the HTTP client can not be made")]
    Client(#[from] reqwest::Error),
}

/// Which client a request goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connection {
    /// One of its own.
    Fresh,
    /// One that may have served before.
    Pooled,
}

/// One request.
pub(super) struct Outgoing {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
    pub(super) connection: Connection,
    /// For the whole exchange; of a file, to its first byte.
    pub(super) timeout: Duration,
}

/// The head of an answer and what came of its body.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) url: Url,
    pub(super) body: Received,
}

/// What came of a body.
#[derive(Debug)]
pub(super) enum Received {
    /// All of it.
    Whole(Vec<u8>),
    /// It broke off.
    Cut(CallReason),
    /// More than an answer may have.
    TooLong,
}

struct Clients {
    fresh: Client,
    pooled: Client,
}

/// All clients of a connector.
pub(super) struct Http {
    to_this_computer: Clients,
    elsewhere: Clients,
}

impl Http {
    pub(super) fn new(proxying: &Proxying) -> Result<Self, ClientsError> {
        let tls = trust_of_this_computer()?;
        Ok(Self {
            to_this_computer: Clients::new(&tls, &Proxying::Direct)?,
            elsewhere: Clients::new(&tls, proxying)?,
        })
    }

    /// Makes one request and reads its answer.
    ///
    /// The error is `NotSent` or `Lost`: no head of an answer came.
    pub(super) async fn exchange(
        &self,
        call: &Call,
        outgoing: Outgoing,
    ) -> Result<Incoming, AttemptResult> {
        let (timeout, url, connection) =
            (outgoing.timeout, outgoing.url.clone(), outgoing.connection);
        let mut head = None;
        let mut body = Vec::new();
        let exchange = async {
            let mut response = self.send(call, outgoing).await?;
            head = Some((response.status(), std::mem::take(response.headers_mut())));
            drain(&mut response, &mut body).await
        };
        let ended = tokio::time::timeout(timeout, exchange).await.unwrap_or(Err(Fault::TimedOut));
        let Some((status, headers)) = head else {
            let fault = match ended {
                Err(fault) => fault,
                Ok(Reading::Whole | Reading::TooLong) => Fault::TimedOut,
            };
            return Err(ended_by(&fault, call, connection));
        };
        Ok(Incoming { status, headers, url, body: received(ended, body) })
    }

    /// Makes one request and hands the answer over as soon as its head is there.
    pub(super) async fn open(
        &self,
        call: &Call,
        outgoing: Outgoing,
    ) -> Result<Response, AttemptResult> {
        let (timeout, connection) = (outgoing.timeout, outgoing.connection);
        match tokio::time::timeout(timeout, self.send(call, outgoing)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(ended_by(&Fault::Http(error), call, connection)),
            Err(_) => Err(ended_by(&Fault::TimedOut, call, connection)),
        }
    }

    async fn send(&self, call: &Call, outgoing: Outgoing) -> Result<Response, reqwest::Error> {
        let here = is_this_computer(&outgoing.url);
        let clients = if here { &self.to_this_computer } else { &self.elsewhere };
        let client = match outgoing.connection {
            Connection::Fresh => &clients.fresh,
            Connection::Pooled => &clients.pooled,
        };
        let context = CallContext {
            progress: call.progress.clone(),
            crossing: if outgoing.body.is_some() { Crossing::Body } else { Crossing::Connection },
            host: if here && !has_name(&outgoing.url) { Host::Address } else { Host::Name },
            connect_timeout: call.timeouts.connect,
        };
        let mut request = client
            .request(outgoing.method, outgoing.url)
            .version(http::Version::HTTP_11)
            .headers(outgoing.headers);
        if let Some(bytes) = outgoing.body {
            let body = WatchedBody::new(bytes, call.progress.clone());
            request = request.body(reqwest::Body::wrap(body));
        }
        let request = request.build()?;
        let response = context.scope(client.execute(request)).await?;
        // On a reused connection no hook ran. An answer shows that the request left.
        if call.progress.cross_unseen().is_ok() {
            call.progress.enter(Phase::Receive);
        }
        Ok(response)
    }
}

/// How a call ended that had no head of an answer. Where a reused connection broke, no hook saw the
/// request leave, and it may have.
fn ended_by(fault: &Fault, call: &Call, connection: Connection) -> AttemptResult {
    let was_built = !matches!(fault, Fault::Http(error) if error.is_builder());
    let reused = connection == Connection::Pooled && call.progress.phase() == Phase::Prepare;
    if was_built && reused {
        // Given up before: then nothing left, and the result says so.
        call.progress.cross_unseen().unwrap_or(());
    }
    fault::result_of(fault, &call.progress)
}

/// How far a body was read.
enum Reading {
    Whole,
    TooLong,
}

/// The body of an answer whose head was looked at before.
pub(super) async fn read(mut response: Response, timeout: Duration) -> Received {
    let mut body = Vec::new();
    let ended = tokio::time::timeout(timeout, drain(&mut response, &mut body)).await;
    received(ended.unwrap_or(Err(Fault::TimedOut)), body)
}

async fn drain(response: &mut Response, body: &mut Vec<u8>) -> Result<Reading, Fault> {
    while let Some(piece) = response.chunk().await? {
        if body.len() + piece.len() > ANSWER_BYTES_MAX {
            return Ok(Reading::TooLong);
        }
        body.extend_from_slice(&piece);
    }
    Ok(Reading::Whole)
}

fn received(ended: Result<Reading, Fault>, body: Vec<u8>) -> Received {
    match ended {
        Ok(Reading::Whole) => Received::Whole(body),
        Ok(Reading::TooLong) => Received::TooLong,
        Err(fault) => Received::Cut(fault::reason_of_cut(&fault)),
    }
}

impl Clients {
    fn new(tls: &ClientConfig, proxying: &Proxying) -> Result<Self, ClientsError> {
        let fresh = builder(tls, proxying)?.pool_max_idle_per_host(0).build()?;
        let pooled = builder(tls, proxying)?
            .pool_max_idle_per_host(IDLE_CONNECTIONS_MAX)
            .pool_idle_timeout(IDLE_CONNECTION_TIME)
            .build()?;
        Ok(Self { fresh, pooled })
    }
}

fn builder(
    tls: &ClientConfig,
    proxying: &Proxying,
) -> Result<reqwest::ClientBuilder, ClientsError> {
    let builder = Client::builder()
        .tls_backend_preconfigured(tls.clone())
        .user_agent(concat!("docket/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        // A body that an intermediary compressed is none of the service's, and a file is hashed as
        // it is stored there.
        .no_gzip()
        .dns_resolver(Arc::new(MarkedResolver))
        .connector_layer(MarkConnection);
    Ok(match proxying {
        Proxying::System => builder,
        Proxying::Through(proxy) => builder.no_proxy().proxy(reqwest::Proxy::all(proxy.clone())?),
        Proxying::Direct => builder.no_proxy(),
    })
}

fn trust_of_this_computer() -> Result<ClientConfig, ClientsError> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_platform_verifier()?
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    tls.resumption = Resumption::store(MarkedSessions::new());
    Ok(tls)
}

/// Whether a call to this address stays on this computer.
pub(super) fn is_this_computer(url: &Url) -> bool {
    match url.host() {
        Some(UrlHost::Domain(name)) => is_local_name(name),
        Some(UrlHost::Ipv4(address)) => address.is_loopback(),
        Some(UrlHost::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

fn has_name(url: &Url) -> bool {
    match url.host() {
        Some(UrlHost::Domain(_)) => true,
        Some(UrlHost::Ipv4(_) | UrlHost::Ipv6(_)) | None => false,
    }
}

/// Whether Docket speaks to this address at all: https anywhere, plain http on this computer.
pub(super) fn is_allowed(url: &Url) -> bool {
    match url.scheme() {
        "https" => url.has_host(),
        "http" => is_this_computer(url),
        _ => false,
    }
}
