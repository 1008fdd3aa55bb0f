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
use docket_engine::{
    attempt::AttemptEnd,
    connector::{Call, Connector, EncodeError, FileAnswer, OpenFile, Submit, Target},
    export::{BusinessId, Payload},
};
use docket_tests::Call as Kind;
use docket_wire::OperationList;
use jiff::Timestamp;

use crate::script::Point;

/// See the head of this file.
pub struct Gate {
    inner: Arc<dyn Connector>,
    traps: Mutex<Vec<(Kind, Point)>>,
    shut: AtomicBool,
    /// Calls that began or ended so far.
    moves: AtomicU64,
    /// Calls that began and have not ended.
    under_way: AtomicU64,
}

impl Gate {
    /// An open gate before this connector.
    pub fn before(inner: Arc<dyn Connector>) -> Self {
        Self {
            inner,
            traps: Mutex::default(),
            shut: AtomicBool::new(false),
            moves: AtomicU64::new(0),
            under_way: AtomicU64::new(0),
        }
    }

    /// The next call of this kind stops here.
    pub fn trap(&self, on: Kind, at: Point) {
        self.traps.lock().unwrap_or_else(PoisonError::into_inner).push((on, at));
    }

    /// From now on no call begins, and none that is under way brings anything.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::Relaxed);
    }

    /// How much has moved so far.
    pub fn moves(&self) -> u64 {
        self.moves.load(Ordering::Relaxed)
    }

    /// How many calls are under way.
    pub fn under_way(&self) -> u64 {
        self.under_way.load(Ordering::Relaxed)
    }

    fn trapped(&self, on: Kind) -> Option<Point> {
        let mut traps = self.traps.lock().unwrap_or_else(PoisonError::into_inner);
        let at = traps.iter().position(|(kind, _)| *kind == on)?;
        Some(traps.remove(at).1)
    }

    async fn through<T>(&self, on: Kind, call: impl Future<Output = T>) -> T {
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let trap = self.trapped(on);
        if trap == Some(Point::BeforeConnect) || self.shut.load(Ordering::Relaxed) {
            return pending().await;
        }
        let answer = call.await;
        if trap == Some(Point::AnswerRead) || self.shut.load(Ordering::Relaxed) {
            return pending().await;
        }
        self.moves.fetch_add(1, Ordering::Relaxed);
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        answer
    }
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
        self.through(Kind::File, self.inner.open_file(call, open)).await
    }
}
