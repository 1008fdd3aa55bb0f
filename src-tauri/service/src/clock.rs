//! The only place that reads the wall clock or sleeps.
//!
//! Everything else takes a [`Clock`], so that a test can hold time still or move it by a day. The
//! service compares instants that outlive it (a lease, a retention), so its clock is the wall clock.

use std::time::Duration;

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use tokio::sync::watch;

/// A source of time.
pub trait Clock: Send + Sync + 'static {
    /// The time now.
    fn now(&self) -> Timestamp;

    /// Returns once the time is `at` or later.
    fn sleep_until(&self, at: Timestamp) -> BoxFuture<'_, ()>;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    fn sleep_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // The wall clock may be set back during the sleep.
            while let Ok(left) = Duration::try_from(at.duration_since(self.now())) {
                if left.is_zero() {
                    break;
                }
                tokio::time::sleep(left).await;
            }
        })
    }
}

/// A clock that stands until it is moved.
#[derive(Debug)]
pub struct ManualClock {
    now: watch::Sender<Timestamp>,
}

impl ManualClock {
    /// A clock that shows `now`.
    pub fn new(now: Timestamp) -> Self {
        Self { now: watch::Sender::new(now) }
    }

    /// Moves the clock forward and wakes whoever slept until a time that has now come.
    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now = later(*now, by));
    }

    /// Sets the clock, also backwards.
    pub fn set(&self, now: Timestamp) {
        self.now.send_replace(now);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    fn sleep_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let mut shown = self.now.subscribe();
        Box::pin(async move {
            // The sender lives as long as `self`, so this ends only when the time has come.
            if shown.wait_for(|now| *now >= at).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

/// `at` and a while, or the end of time where that is past it.
pub(crate) fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A while before `at`, or the beginning of time.
pub(crate) fn earlier(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// How long from `start` to `end`; nothing where the clock went back.
pub(crate) fn between(start: Timestamp, end: Timestamp) -> Duration {
    Duration::try_from(end.duration_since(start)).unwrap_or(Duration::ZERO)
}
