//! The service's clock, which also tells who sleeps by it.
//!
//! A worker that writes a file tells of its progress on a thread of its own, whenever its clock has
//! gone on. What a poll finds depends on whether it has: so it is waited for until each worker
//! sleeps again.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
    time::Duration,
};

use docket_service::clock::{Clock, ManualClock};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use tokio::runtime::Handle;

/// See the head of this file.
pub struct ServiceClock {
    shown: ManualClock,
    sleepers: Arc<Mutex<Vec<Timestamp>>>,
    /// Where the service's own tasks run: who sleeps there is no worker.
    of_the_service: ThreadId,
}

/// A worker that sleeps, until this is dropped.
struct Sleeper(Arc<Mutex<Vec<Timestamp>>>, Timestamp);

impl Drop for Sleeper {
    fn drop(&mut self) {
        let mut sleepers = lock(&self.0);
        if let Some(at) = sleepers.iter().position(|until| *until == self.1) {
            sleepers.remove(at);
        }
    }
}

impl ServiceClock {
    /// A clock that shows `at`, for a service whose tasks run there, on one thread.
    pub async fn at(at: Timestamp, elsewhere: &Handle) -> Self {
        let of_the_service = elsewhere.spawn(async { thread::current().id() });
        Self {
            shown: ManualClock::new(at),
            sleepers: Arc::default(),
            of_the_service: of_the_service.await.expect("its runtime lives"),
        }
    }

    /// Moves it on.
    pub fn advance(&self, by: Duration) {
        self.shown.advance(by);
    }

    /// How many workers sleep, and have nothing to do before time goes on.
    pub fn workers_asleep(&self) -> usize {
        let now = self.shown.now();
        lock(&self.sleepers).iter().filter(|until| **until > now).count()
    }
}

impl Clock for ServiceClock {
    fn now(&self) -> Timestamp {
        self.shown.now()
    }

    fn sleep_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let sleep = self.shown.sleep_until(at);
        if thread::current().id() == self.of_the_service {
            return sleep;
        }
        lock(&self.sleepers).push(at);
        let sleeper = Sleeper(Arc::clone(&self.sleepers), at);
        Box::pin(async move {
            let _sleeper = sleeper;
            sleep.await;
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
