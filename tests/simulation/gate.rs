//! The connector with a gate in it: where a call of the client can be stopped, and a client cut off
//! from the world as by SIGKILL.
//!
//! A call that is stopped before it begins has its attempt on disk and nothing on the wire; one that
//! is stopped after its answer has everything at the service and nothing on disk. Between the two
//! the proxy stalls it. Together these are all the places at which a kill can be told from another.

use std::{
    future::pending,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use docket_engine::{
    attempt::{AttemptEnd, CallReason},
    connector::{
        Call, Connector, EncodeError, FileAnswer, FileSource, FileStream, OpenFile, Submit, Target,
    },
    export::{BusinessId, Payload},
};
use docket_tests::{Call as Kind, Proxy};
use docket_wire::OperationList;
use jiff::Timestamp;

use crate::script::Point;

/// See the head of this file.
pub struct Gate {
    inner: Arc<dyn Connector>,
    traps: Mutex<Vec<(Kind, Point)>>,
    calls: Arc<Calls>,
}

/// The calls of a client.
#[derive(Default)]
struct Calls {
    shut: AtomicBool,
    /// Calls that began or ended so far.
    moves: AtomicU64,
    /// Calls that go on by themselves.
    going: Mutex<Vec<Kind>>,
    /// Calls that stopped here for good, and where.
    stopped: Mutex<Vec<(Kind, Point)>>,
}

/// A call that goes on, until this is dropped: it ended, or nobody waits for it any more.
struct Going(Arc<Calls>, Kind);

impl Going {
    fn of(calls: &Arc<Calls>, on: Kind) -> Self {
        calls.moves.fetch_add(1, Ordering::Relaxed);
        lock(&calls.going).push(on);
        Self(Arc::clone(calls), on)
    }

    /// It goes no further.
    async fn stop<T>(self, at: Point) -> T {
        lock(&self.0.stopped).push((self.1, at));
        drop(self);
        pending().await
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        self.0.moves.fetch_add(1, Ordering::Relaxed);
        let mut going = lock(&self.0.going);
        if let Some(at) = going.iter().position(|kind| *kind == self.1) {
            going.remove(at);
        }
    }
}

impl Gate {
    /// An open gate before this connector.
    pub fn before(inner: Arc<dyn Connector>) -> Self {
        Self { inner, traps: Mutex::default(), calls: Arc::default() }
    }

    /// The next call of this kind stops here.
    pub fn trap(&self, on: Kind, at: Point) {
        lock(&self.traps).push((on, at));
    }

    /// From now on no call begins, and none that is under way brings anything.
    pub fn shut(&self) {
        self.calls.shut.store(true, Ordering::Relaxed);
    }

    /// How much has moved so far.
    pub fn moves(&self) -> u64 {
        self.calls.moves.load(Ordering::Relaxed)
    }

    /// Whether any call is under way: going on, or stopped.
    pub fn is_calling(&self) -> bool {
        !lock(&self.calls.going).is_empty() || !self.stopped().is_empty()
    }

    /// The calls that stopped here, and where.
    pub fn stopped(&self) -> Vec<(Kind, Point)> {
        lock(&self.calls.stopped).clone()
    }

    /// Whether any call goes on by itself.
    pub fn is_going(&self) -> bool {
        !lock(&self.calls.going).is_empty()
    }

    /// The calls that go on by themselves.
    pub fn going(&self) -> Vec<Kind> {
        lock(&self.calls.going).clone()
    }

    /// Whether each call that goes on stalls in the proxy: none is on its way.
    pub fn waits_for(&self, proxy: &Proxy) -> bool {
        let going = lock(&self.calls.going);
        let stalling = proxy.stalling();
        let of = |all: &[Kind], kind| all.iter().filter(|one| **one == kind).count();
        going.iter().all(|kind| of(&going, *kind) <= of(&stalling, *kind))
    }

    fn trapped(&self, on: Kind) -> Option<Point> {
        let mut traps = lock(&self.traps);
        let at = traps.iter().position(|(kind, _)| *kind == on)?;
        Some(traps.remove(at).1)
    }

    async fn through<T>(&self, on: Kind, call: impl Future<Output = T>) -> T {
        let going = Going::of(&self.calls, on);
        let trap = self.trapped(on);
        if trap == Some(Point::BeforeConnect) || self.calls.shut.load(Ordering::Relaxed) {
            return going.stop(Point::BeforeConnect).await;
        }
        let answer = call.await;
        if trap == Some(Point::AnswerRead) || self.calls.shut.load(Ordering::Relaxed) {
            return going.stop(Point::AnswerRead).await;
        }
        answer
    }
}

/// A file that is coming: each of its pieces is waited for like an answer.
struct Pieces {
    source: Box<dyn FileSource>,
    calls: Arc<Calls>,
}

#[async_trait]
impl FileSource for Pieces {
    async fn next(&mut self) -> Result<Option<Bytes>, CallReason> {
        let _going = Going::of(&self.calls, Kind::File);
        self.source.next().await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl Connector for Gate {
    fn encode(&self, payload: &Payload) -> Result<Vec<u8>, EncodeError> {
        self.inner.encode(payload)
    }

    async fn describe(&self, call: &Call) -> AttemptEnd {
        self.through(Kind::Service, self.inner.describe(call)).await
    }

    async fn catalogue(&self, call: &Call) -> Result<OperationList, Box<AttemptEnd>> {
        self.through(Kind::Operations, self.inner.catalogue(call)).await
    }

    async fn submit(&self, call: &Call, submit: &Submit) -> AttemptEnd {
        self.through(Kind::Submit, self.inner.submit(call, submit)).await
    }

    async fn lookup(&self, call: &Call, target: &Target) -> AttemptEnd {
        let on = match target {
            Target::Job(_) => Kind::Job,
            Target::Key { .. } => Kind::Key,
            Target::Traits { .. } => Kind::Traits,
        };
        self.through(on, self.inner.lookup(call, target)).await
    }

    async fn poll(&self, call: &Call, job: &BusinessId, wait: Option<Duration>) -> AttemptEnd {
        self.through(Kind::Job, self.inner.poll(call, job, wait)).await
    }

    async fn abandon(&self, call: &Call, first_sent: Timestamp) -> AttemptEnd {
        self.through(Kind::Abandon, self.inner.abandon(call, first_sent)).await
    }

    async fn cancel(&self, call: &Call, job: &BusinessId) -> AttemptEnd {
        self.through(Kind::Cancel, self.inner.cancel(call, job)).await
    }

    async fn open_file(&self, call: &Call, open: &OpenFile) -> FileAnswer {
        let mut answer = self.through(Kind::File, self.inner.open_file(call, open)).await;
        answer.opened = answer.opened.map(|stream| {
            let pieces = Pieces { source: stream.source, calls: Arc::clone(&self.calls) };
            FileStream { source: Box::new(pieces), ..stream }
        });
        answer
    }
}
