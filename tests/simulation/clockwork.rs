//! Time: it stands while anything moves, and is moved on when nothing does.
//!
//! Three clocks: the wall clocks of client and service, which are set by hand, and the runtime's own
//! timers (the time-outs of requests), which are paused. The runtime skips to its next timer when
//! it has nothing to do, so it is held back except while [`Clockwork::quiet`] asks whether that is
//! so. Whatever goes over a socket is counted at both of its ends and waited for, because a system
//! under load may take its time between them; a tick of the runtime's time then comes only if no
//! task can go on and no thread works for it. How many come between two leaps may differ, so each leap
//! is longer by more than they are: what began at any of them is due at the same leap.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use docket_engine::clock::{Clock as _, ManualClock as ClientClock, SystemClock};
use docket_service::clock::Clock as _;
use docket_tests::{Call, Proxy};
use jiff::{SignedDuration, Timestamp};
use tokio::{runtime::Handle, task::JoinHandle, time::Instant};

use crate::{gate::Gate, service_clock::ServiceClock};

/// Ticks of a millisecond in a row in which nothing may move.
const TICKS: usize = 2;
/// More than the ticks that come between two leaps.
const TICKS_OF_A_LEAP: Duration = Duration::from_millis(20);
/// How long, in real time, a tick is waited for while a fetch that stalls keeps a thread, so that none
/// comes.
const KEPT: Duration = Duration::from_millis(5);
/// Pieces of work that are begun and ended by other threads meanwhile: under load they take their
/// time as whatever is waited for does.
const ERRANDS: usize = 100;
/// How often what is on its way over a socket is asked after before it is slept for.
const ASKED_AT_ONCE: usize = 50;
/// How long it is slept for.
const NAP: Duration = Duration::from_millis(1);
/// Rounds until a story counts as never quiet.
const ROUNDS_MAX: usize = 20_000;

/// See the head of this file.
pub struct Clockwork {
    /// The client's wall clock.
    pub client: Arc<ClientClock>,
    /// The service's.
    pub service: Arc<ServiceClock>,
    hold: Option<Hold>,
    /// Where the service runs, and whatever needs real time.
    pub elsewhere: Handle,
    /// Whoever connects hears nothing: what is on its way there is waited for by time alone.
    pub is_black_hole: bool,
    /// How much time passed for everybody.
    pub passed: Duration,
    /// What the runtime's timers showed after the last leap.
    timers: Instant,
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
    pub async fn new(elsewhere: &Handle) -> Self {
        let at: Timestamp = "2026-11-30T09:00:00Z".parse().expect("a time");
        Self {
            client: Arc::new(ClientClock::at(at)),
            service: Arc::new(ServiceClock::at(at, elsewhere).await),
            hold: Some(Hold::take()),
            elsewhere: elsewhere.clone(),
            is_black_hole: false,
            passed: Duration::ZERO,
            timers: now(),
        }
    }

    /// Returns when nothing moves and nothing will before time does.
    pub async fn quiet(&mut self, proxy: &Proxy, gate: Option<&Gate>) {
        let moved = || (gate.map_or(0, Gate::moves), proxy.moves());
        let heard = gate.filter(|_| !self.is_black_hole);
        let on_its_way = || !proxy.is_idle() || heard.is_some_and(|gate| !gate.waits_for(proxy));
        for round in 0..ROUNDS_MAX {
            proxy.until_idle().await;
            if on_its_way() {
                self.nap(round).await;
                continue;
            }
            let before = moved();
            self.let_time_go().await;
            for _ in 0..TICKS {
                if !self.ticks(proxy).await {
                    break;
                }
            }
            self.hold = Some(Hold::take());
            if moved() == before && !on_its_way() {
                return;
            }
        }
        unreachable!("it never comes to rest");
    }

    /// Whoever connects from now on hears nothing. That it is so shows by time that passes.
    pub async fn black_hole(&mut self, proxy: &Proxy) {
        if self.is_black_hole {
            return;
        }
        self.let_time_go().await;
        proxy.black_hole().await;
        self.hold = Some(Hold::take());
        self.is_black_hole = true;
    }

    /// Lets everybody go on, at first without sleeping.
    async fn nap(&self, round: usize) {
        if round % (ASKED_AT_ONCE + 1) < ASKED_AT_ONCE {
            tokio::task::yield_now().await;
        } else {
            real_pause(&self.elsewhere, NAP).await;
        }
    }

    /// Waits for a tick, or until it is sure that none comes: a fetch that stalls keeps a thread, and
    /// with it the runtime's time.
    async fn ticks(&self, proxy: &Proxy) -> bool {
        loop {
            tokio::select! {
                () = tick() => return true,
                () = self.errands() => if proxy.stalling().contains(&Call::File) {
                    return false;
                },
            }
        }
    }

    /// Takes as long as other threads need for what was begun before.
    async fn errands(&self) {
        real_pause(&self.elsewhere, KEPT).await;
        for _ in 0..ERRANDS {
            tokio::task::spawn_blocking(|| {}).await.expect("there is nothing to do");
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
        self.timers += by + TICKS_OF_A_LEAP;
        tokio::time::advance(self.timers.saturating_duration_since(now())).await;
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

/// What the runtime's timers show.
#[expect(clippy::disallowed_methods, reason = "the runtime's own time is what is asked")]
fn now() -> Instant {
    Instant::now()
}

/// A millisecond of the runtime's time, which passes only while it has nothing to do.
#[expect(clippy::disallowed_methods, reason = "the runtime's own time is what is asked")]
async fn tick() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}
