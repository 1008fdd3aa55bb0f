//! What every part of a running service shares.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::{
    access::Access,
    changes::Changes,
    clock::{between, later},
    config::{Config, RateLimit},
    faults::Faults,
    files::Folder,
    operations::Catalogue,
    store::Store,
};

/// Subjects whose windows are kept in memory at most; past it the count begins anew.
const MAX_WINDOWS: usize = 10_000;

/// A running service.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) folder: Folder,
    pub(crate) access: Access,
    pub(crate) catalogue: Catalogue,
    pub(crate) changes: Changes,
    pub(crate) faults: Faults,
    pub(crate) limiter: Limiter,
    pub(crate) running: Running,
    /// Rung when there may be work.
    pub(crate) work: Notify,
    /// Rung when there may be something to sweep sooner than was thought.
    pub(crate) sweep: Notify,
    /// Whether new jobs are put off.
    pub(crate) draining: AtomicBool,
    /// Ends everything.
    pub(crate) stop: CancellationToken,
}

impl App {
    /// The time now, no finer than the database keeps it: a time that was told once is told again in
    /// the same digits.
    pub(crate) fn now(&self) -> Timestamp {
        let now = self.config.clock.now();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    pub(crate) fn remembers_since(&self, now: Timestamp) -> Timestamp {
        self.store.state().remembers_since(now, self.config.key_retention)
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed) || self.stop.is_cancelled()
    }

    /// Waits that long, or until the service stops.
    pub(crate) async fn pause(&self, length: Duration) {
        let until = later(self.now(), length);
        tokio::select! {
            () = self.config.clock.sleep_until(until) => {}
            () = self.stop.cancelled() => {}
        }
    }
}

/// Counts new jobs by subject, in windows of a fixed length.
#[derive(Debug, Default)]
pub(crate) struct Limiter(Mutex<HashMap<(String, String), Window>>);

#[derive(Clone, Copy, Debug)]
struct Window {
    began: Timestamp,
    submits: u32,
}

impl Limiter {
    /// Counts one more, or says how long to wait.
    pub(crate) fn count(
        &self,
        limit: Option<RateLimit>,
        tenant_id: &str,
        subject: &str,
        now: Timestamp,
    ) -> Result<(), Duration> {
        let Some(limit) = limit else { return Ok(()) };
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MAX_WINDOWS {
            windows.retain(|_, window| between(window.began, now) < limit.per);
        }
        if windows.len() >= MAX_WINDOWS {
            windows.clear();
        }
        let window = windows
            .entry((tenant_id.to_owned(), subject.to_owned()))
            .or_insert(Window { began: now, submits: 0 });
        let age = between(window.began, now);
        if age >= limit.per {
            *window = Window { began: now, submits: 0 };
        } else if window.submits >= limit.submits {
            return Err(limit.per.saturating_sub(age));
        }
        window.submits += 1;
        Ok(())
    }
}

/// The jobs that this process works on, so that a cancel reaches its worker at once.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<HashMap<String, CancellationToken>>);

impl Running {
    /// Enters a job until the answer is dropped.
    pub(crate) fn enter(&self, business_id: &str, halt: CancellationToken) -> Entered<'_> {
        self.jobs().insert(business_id.to_owned(), halt);
        Entered { running: self, business_id: business_id.to_owned() }
    }

    /// Tells the worker of a job, if there is one here, to stop.
    pub(crate) fn halt(&self, business_id: &str) {
        if let Some(halt) = self.jobs().get(business_id) {
            halt.cancel();
        }
    }

    fn jobs(&self) -> std::sync::MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job that is worked on.
pub(crate) struct Entered<'a> {
    running: &'a Running,
    business_id: String,
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.running.jobs().remove(&self.business_id);
    }
}

/// An app behind its counter.
pub(crate) type Shared = Arc<App>;
