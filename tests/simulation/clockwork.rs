//! Time: it stands while anything moves, and is moved on when nothing does.
//!
//! Three clocks: the wall clocks of client and service, which are set by hand, and the runtime's own
//! timers (the time-outs of requests), which are paused. The runtime skips to its next timer when
//! it has nothing to do, so it is held back except while [`Clockwork::quiet`] asks whether that is
//! so: a few milliseconds of its time pass only if no task can go on, no thread works for it and no
//! socket has news.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use docket_engine::clock::{Clock as _, ManualClock as ClientClock, SystemClock};
use docket_service::clock::{Clock as _, ManualClock as ServiceClock};
use docket_tests::{Call, Proxy};
use jiff::{SignedDuration, Timestamp};
use tokio::{runtime::Handle, task::JoinHandle};

use crate::gate::Gate;

/// Ticks of a millisecond in a row in which nothing may move.
const TICKS: usize = 4;
/// How long nothing has moved, in real time, while a thread is kept and no tick can come.
const KEPT: Duration = Duration::from_millis(30);
/// Rounds until a story counts as never quiet.
const ROUNDS_MAX: usize = 2000;

/// See the head of this file.
pub struct Clockwork {
    /// The client's wall clock.
    pub client: Arc<ClientClock>,
    /// The service's.
    pub service: Arc<ServiceClock>,
    hold: Option<Hold>,
    /// Where the service runs, and whatever needs real time.
    pub elsewhere: Handle,
    /// How much time passed for everybody.
    pub passed: Duration,
}

/// The runtime's time stands until this is let go.
struct Hold {
    let_go: mpsc::Sender<()>,
    held: JoinHandle<()>,
}

impl Hold {
    fn take() -> Self {
        let (let_go, until) = mpsc::channel::<()>();
        let held = tokio::task::spawn_blocking(move || {
            // Ends when the sender is dropped.
            until.recv().unwrap_or_default();
        });
        Self { let_go, held }
    }

    async fn release(self) {
        drop(self.let_go);
        self.held.await.expect("it only waits");
    }
}

impl Clockwork {
    /// Clocks that agree. The runtime's time is paused already.
    pub fn new(elsewhere: &Handle) -> Self {
        let at: Timestamp = "2026-11-30T09:00:00Z".parse().expect("a time");
        Self {
            client: Arc::new(ClientClock::at(at)),
            service: Arc::new(ServiceClock::new(at)),
            hold: Some(Hold::take()),
            elsewhere: elsewhere.clone(),
            passed: Duration::ZERO,
        }
    }

    /// Returns when nothing moves and nothing will before time does.
    pub async fn quiet(&mut self, proxy: &Proxy, gate: Option<&Gate>) {
        for _ in 0..ROUNDS_MAX {
            proxy.until_idle().await;
            let moved = || (gate.map_or(0, Gate::moves), proxy.moves());
            let before = moved();
            self.let_time_go().await;
            for _ in 0..TICKS {
                if !self.ticks(proxy).await {
                    break;
                }
            }
            self.hold = Some(Hold::take());
            if moved() == before && proxy.is_idle() {
                return;
            }
        }
        unreachable!("it never comes to rest");
    }

    /// Waits for a tick, or until it is sure that none comes: a fetch that stalls keeps a thread, and
    /// with it the runtime's time.
    async fn ticks(&self, proxy: &Proxy) -> bool {
        loop {
            tokio::select! {
                () = tick() => return true,
                () = real_pause(&self.elsewhere, KEPT) => if proxy.is_stalling(Call::File) {
                    return false;
                },
            }
        }
    }

    async fn let_time_go(&mut self) {
        if let Some(hold) = self.hold.take() {
            hold.release().await;
        }
    }

    /// The client's time.
    pub fn client_now(&self) -> i64 {
        self.client.now().as_millisecond()
    }

    /// The service's time.
    pub fn service_now(&self) -> i64 {
        self.service.now().as_millisecond()
    }

    /// Moves the service's clock on; the client's follows by [`Clockwork::client_follows`].
    pub fn service_goes(&self, by: Duration) {
        self.service.advance(by);
    }

    /// Moves the client's clock and its timers on.
    pub async fn client_follows(&mut self, by: Duration) {
        self.passed += by;
        self.client.advance(by);
        tokio::time::advance(by).await;
    }

    /// The client's computer slept: its wall clock went on, its timers did not.
    pub fn client_slept(&mut self, by: Duration) {
        self.passed += by;
        self.client.advance(by);
    }

    /// Sets the client's clock by so many seconds.
    pub fn set_client(&self, seconds: i64) {
        let at = self.client.now().saturating_add(SignedDuration::from_secs(seconds));
        self.client.set(at.expect("a time"));
    }

    /// Lets go of the runtime, at the end.
    pub async fn end(mut self) {
        self.let_time_go().await;
    }
}

/// So much real time, in which threads elsewhere work.
async fn real_pause(elsewhere: &Handle, length: Duration) {
    let wait = async move {
        let until = SystemClock.now().saturating_add(length).expect("a time");
        SystemClock.sleep_until(until).await;
    };
    elsewhere.spawn(wait).await.expect("its runtime lives");
}

/// A millisecond of the runtime's time, which passes only while it has nothing to do.
#[expect(clippy::disallowed_methods, reason = "the runtime's own time is what is asked")]
async fn tick() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}
