//! The sockets: the accept loop, the connections, and the rules of loss that act on them.
//!
//! What must stay true: a call that was begun is handled to its end, whoever hangs up meanwhile (a
//! commit is never half a commit because a caller left); a refused connection meets no listener.

mod effect;
mod observe;

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body};
use http::{Method, Request, Response};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::Semaphore,
};
use tokio_util::{
    sync::CancellationToken,
    task::{AbortOnDropHandle, TaskTracker},
};

use crate::{
    app::Shared,
    clock::later,
    faults::{Cutting, Line, Outage},
};

/// Connections that are open at once; more wait in the listener's queue.
const MAX_CONNECTIONS: usize = 2048;
/// How long a connection may be silent before or between requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(60);
/// Connections that the system holds for a listener that is busy.
const BACKLOG: u32 = 1024;

/// What the sockets need of the service.
#[derive(Clone)]
pub(crate) struct Counter {
    pub(crate) app: Shared,
    pub(crate) router: Router,
    /// Every connection, and every call that outlives its connection.
    pub(crate) tasks: TaskTracker,
}

/// Binds the address that callers are told.
pub(crate) fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    reserve(address)?.listen(BACKLOG)
}

/// Takes the port without listening: whoever connects is refused.
fn reserve(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Elsewhere this option lets another program take the same port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Accepts connections until the service stops.
pub(crate) async fn run(counter: Counter, mut listener: TcpListener, address: SocketAddr) {
    let mut outages = counter.app.faults.outages();
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut breaks = CancellationToken::new();
    loop {
        let outage = *outages.borrow_and_update();
        if let Outage::For(length) = outage {
            breaks.cancel();
            breaks = CancellationToken::new();
            drop(listener);
            match sit_out(&counter.app, &mut outages, address, length).await {
                Some(again) => listener = again,
                None => return,
            }
            continue;
        }
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        tokio::select! {
            () = counter.app.stop.cancelled() => return,
            changed = outages.changed() => if changed.is_err() { return },
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let connection = connection(counter.clone(), stream, breaks.clone());
                    counter.tasks.spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                }
                Err(error) => {
                    // Out of file descriptors, or the caller has gone again.
                    tracing::warn!(reason = %error, "a connection was not accepted");
                    counter.app.pause(Duration::from_millis(50)).await;
                }
            },
        }
    }
}

/// Holds the port without listening until the outage is over; nothing where the service stops.
async fn sit_out(
    app: &Shared,
    outages: &mut tokio::sync::watch::Receiver<Outage>,
    address: SocketAddr,
    length: Duration,
) -> Option<TcpListener> {
    let until = later(app.now(), length);
    let held = held_port(app, address).await?;
    tokio::select! {
        () = app.config.clock.sleep_until(until) => app.faults.outage_is_over(),
        // Other rules: the loop looks at them as soon as it can listen.
        changed = outages.changed() => changed.ok()?,
        () = app.stop.cancelled() => return None,
    }
    match held.listen(BACKLOG) {
        Ok(listener) => Some(listener),
        Err(error) => {
            tracing::error!(reason = %error, "the port can not be listened on again");
            None
        }
    }
}

async fn held_port(app: &Shared, address: SocketAddr) -> Option<TcpSocket> {
    // The old listener's socket may need a moment to go.
    for _ in 0..100 {
        match reserve(address) {
            Ok(socket) => return Some(socket),
            Err(error) => tracing::warn!(reason = %error, "the port is not free yet"),
        }
        app.pause(Duration::from_millis(50)).await;
    }
    tracing::error!("the port was taken by another program");
    None
}

/// One connection until it ends, is broken by an outage, or the service stops.
async fn connection(counter: Counter, stream: TcpStream, breaks: CancellationToken) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(reason = %error, "small answers may be late");
    }
    let line = Line::default();
    // The call that brings an outage about is still answered.
    let spared = Arc::new(AtomicBool::new(false));
    let stop = counter.app.stop.clone();
    let service = {
        let (line, spared) = (line.clone(), Arc::clone(&spared));
        service_fn(move |request: Request<Incoming>| {
            spared.store(request.uri().path().starts_with("/practice/"), Ordering::Relaxed);
            effect::answer(counter.clone(), request.map(Body::new), line.clone())
        })
    };
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .serve_connection(TokioIo::new(Cutting::new(stream, line)), service)
    );
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = breaks.cancelled() => {
            if !spared.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(reason = %error, "a connection broke");
    }
}

/// Handles a call to its end. What only reads stops with its caller; what writes does not.
async fn handle(counter: &Counter, request: Request<Body>) -> Response<Body> {
    let may_write = request.method() != Method::GET && request.method() != Method::HEAD;
    let (app, router) = (counter.app.clone(), counter.router.clone());
    let task = counter.tasks.spawn(async move {
        observe::observed(&app, request, |request| async {
            let service = TowerToHyperService::new(router);
            let answered: Result<_, Infallible> =
                hyper::service::Service::call(&service, request).await;
            answered.unwrap_or_else(|never| match never {})
        })
        .await
    });
    let ended = if may_write { task.await } else { AbortOnDropHandle::new(task).await };
    ended.unwrap_or_else(|error| {
        tracing::error!(reason = %error, "a call was not handled to its end");
        axum::response::IntoResponse::into_response(crate::http::Refusal::new(
            docket_wire::ProblemType::Internal,
        ))
    })
}
