//! Where the phases are seen: the hooks that the HTTP library offers around a connection.
//!
//! A call's context travels in a task-local, because these hooks belong to a client and not to a
//! call. They run inside the call's own future, so they find it; a connection that the pool goes on
//! opening for a later call finds none and marks nothing.
//!
//! | phase | seen by |
//! | --- | --- |
//! | resolve, connect | [`MarkedResolver`]; for a host that is an address, [`MarkConnection`] |
//! | secure | the TLS session store, which is asked at the start of each handshake |
//! | send | the body when it is first asked for bytes; without a body, the open connection |
//! | await | the body when it has handed over its last byte |

use std::{
    error::Error as StdError,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use rustls::{
    NamedGroup,
    client::{
        ClientSessionMemoryCache, ClientSessionStore, Tls12ClientSessionValue,
        Tls13ClientSessionValue,
    },
    pki_types::ServerName,
};
use thiserror::Error;
use tower_layer::Layer;
use tower_service::Service;

use super::{
    fault::causes,
    phases::{GivenUp, PhaseRecorder},
};
use crate::attempt::Phase;

/// Most bytes of a body that are handed over at once.
const PIECE_BYTES: usize = 64 * 1024;
/// Most TLS sessions that are remembered for a quicker second handshake.
const TLS_SESSIONS_MAX: usize = 64;

type BoxError = Box<dyn StdError + Send + Sync>;

tokio::task_local! {
    static CONTEXT: CallContext;
}

/// What the hooks need to know of the call they run for.
#[derive(Clone)]
pub(super) struct CallContext {
    pub(super) progress: PhaseRecorder,
    pub(super) crossing: Crossing,
    pub(super) host: Host,
    pub(super) connect_timeout: Duration,
}

/// What lets the first byte out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossing {
    /// The body: nothing leaves before it was asked for its first bytes (facts.md, rule 1).
    Body,
    /// There is no body to watch: whatever follows an open connection may have left.
    Connection,
}

/// What the address of a service begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Host {
    /// A name, to be resolved.
    Name,
    /// An address, which needs no resolving.
    Address,
}

impl CallContext {
    /// Runs a call so that the hooks find its context.
    pub(super) async fn scope<F: Future>(self, call: F) -> F::Output {
        CONTEXT.scope(self, call).await
    }
}

fn with_context<T>(look: impl FnOnce(&CallContext) -> T) -> Option<T> {
    // A connection that the pool opens on its own account belongs to no call.
    CONTEXT.try_with(look).ok()
}

/// The host's name has no address.
#[derive(Debug, Error)]
#[error("the host's name could not be resolved")]
pub(super) struct NotResolved(#[source] io::Error);

/// The connection could not be opened in time.
#[derive(Debug, Error)]
#[error("the connection was not open within {0:?}")]
pub(super) struct ConnectTimedOut(Duration);

/// The system's resolver, with its start and end marked.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkedResolver;

impl Resolve for MarkedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let progress = with_context(|context| context.progress.clone());
        Box::pin(async move {
            if let Some(progress) = &progress {
                progress.enter(Phase::Resolve);
            }
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await
                .map_err(NotResolved)?
                .filter(|address| !is_local_name(name.as_str()) || address.ip().is_loopback())
                .collect();
            if let Some(progress) = &progress {
                progress.enter(Phase::Connect);
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether a name stands for this computer (RFC 6761, 6.3), so that plain http to it stays here
/// whatever a resolver says.
pub(super) fn is_local_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

/// Marks the opening of connections and bounds its time.
#[derive(Clone, Copy, Debug)]
pub(super) struct MarkConnection;

impl<S> Layer<S> for MarkConnection {
    type Service = MarkedConnection<S>;

    fn layer(&self, inner: S) -> MarkedConnection<S> {
        MarkedConnection { inner }
    }
}

/// See [`MarkConnection`].
#[derive(Clone, Debug)]
pub(super) struct MarkedConnection<S> {
    inner: S,
}

impl<S, R> Service<R> for MarkedConnection<S>
where
    S: Service<R, Error = BoxError>,
    S::Future: Send + 'static,
    S::Response: Send + 'static,
{
    type Response = S::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, destination: R) -> Self::Future {
        let opening = self.inner.call(destination);
        let Some(context) = with_context(CallContext::clone) else { return Box::pin(opening) };
        Box::pin(async move {
            // Also where a proxy is an address and nothing is resolved: a connection is being opened,
            // so this is no call over one that was open.
            context.progress.enter(match context.host {
                Host::Name => Phase::Resolve,
                Host::Address => Phase::Connect,
            });
            let opened = tokio::time::timeout(context.connect_timeout, opening)
                .await
                .map_err(|_| ConnectTimedOut(context.connect_timeout))?;
            let connection = opened.inspect_err(|error| {
                if !causes(&**error).any(|cause| cause.is::<NotResolved>()) {
                    context.progress.enter(Phase::Connect);
                }
            })?;
            if context.crossing == Crossing::Connection {
                context.progress.cross()?;
                context.progress.enter(Phase::Await);
            }
            Ok(connection)
        })
    }
}

/// Remembers TLS sessions and marks the start of each handshake: rustls asks for the hint when it
/// writes the first message of one.
#[derive(Debug)]
pub(super) struct MarkedSessions(ClientSessionMemoryCache);

impl MarkedSessions {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(ClientSessionMemoryCache::new(TLS_SESSIONS_MAX)))
    }
}

impl ClientSessionStore for MarkedSessions {
    fn set_kx_hint(&self, server_name: ServerName<'static>, group: NamedGroup) {
        self.0.set_kx_hint(server_name, group);
    }

    fn kx_hint(&self, server_name: &ServerName<'_>) -> Option<NamedGroup> {
        with_context(|context| context.progress.enter(Phase::Secure));
        self.0.kx_hint(server_name)
    }

    fn set_tls12_session(&self, server_name: ServerName<'static>, value: Tls12ClientSessionValue) {
        self.0.set_tls12_session(server_name, value);
    }

    fn tls12_session(&self, server_name: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        self.0.tls12_session(server_name)
    }

    fn remove_tls12_session(&self, server_name: &ServerName<'static>) {
        self.0.remove_tls12_session(server_name);
    }

    fn insert_tls13_ticket(
        &self,
        server_name: ServerName<'static>,
        value: Tls13ClientSessionValue,
    ) {
        self.0.insert_tls13_ticket(server_name, value);
    }

    fn take_tls13_ticket(
        &self,
        server_name: &ServerName<'static>,
    ) -> Option<Tls13ClientSessionValue> {
        self.0.take_tls13_ticket(server_name)
    }
}

/// The body of a submit. Being asked for its first bytes is the submission boundary; after the call
/// was given up it hands none over, and the connection is closed before its head is flushed.
pub(super) struct WatchedBody {
    left: Bytes,
    progress: PhaseRecorder,
}

impl WatchedBody {
    pub(super) fn new(bytes: Bytes, progress: PhaseRecorder) -> Self {
        Self { left: bytes, progress }
    }
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = GivenUp;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, GivenUp>>> {
        if let Err(given_up) = self.progress.cross() {
            return Poll::Ready(Some(Err(given_up)));
        }
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        let piece = self.left.len().min(PIECE_BYTES);
        let piece = self.left.split_to(piece);
        if self.left.is_empty() {
            self.progress.enter(Phase::Await);
        }
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}
