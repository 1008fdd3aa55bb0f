//! Wall clock, sleep and chance, as arguments.
//!
//! Everything else in the engine is handed a [`Clock`] and a [`Chance`]; clippy refuses the system's
//! own elsewhere. Times have whole milliseconds, because that is what the store keeps. A sleep is to
//! a point in wall time and looks at the clock again at least once a minute, since timers stand
//! still while a computer sleeps.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;

/// Longest stretch slept without a look at the wall clock.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// By how much a clock may fall behind without having been set back.
const TRIMMED: SignedDuration = SignedDuration::from_secs(1);

/// Where the time comes from.
#[async_trait]
pub trait Clock: Send + Sync + 'static {
    /// The wall clock, in whole milliseconds.
    fn now(&self) -> Timestamp;

    /// Returns once the wall clock has reached `at`, or was set back meanwhile: then whoever sleeps
    /// has planned by another clock, and looks again.
    async fn sleep_until(&self, at: Timestamp);
}

/// The computer's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[async_trait]
impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
    fn now(&self) -> Timestamp {
        whole_millis(Timestamp::now())
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that sleeps")]
    async fn sleep_until(&self, at: Timestamp) {
        loop {
            match Duration::try_from(at.duration_since(self.now())) {
                Ok(left) if !left.is_zero() => {
                    let (began, timer) = (self.now(), tokio::time::Instant::now());
                    tokio::time::sleep(left.min(LOOK_AGAIN)).await;
                    if was_set_back(moved(began, timer.elapsed()), self.now()) {
                        return;
                    }
                }
                Ok(_) | Err(_) => return,
            }
        }
    }
}

/// Whether a clock shows less than it did, or than it should: by more than what a time server
/// trims.
pub fn was_set_back(expected: Timestamp, now: Timestamp) -> bool {
    expected.duration_since(now) > TRIMMED
}

/// A clock that stands until it is moved: for tests.
#[derive(Debug)]
pub struct ManualClock {
    now: watch::Sender<Timestamp>,
}

impl ManualClock {
    /// A clock that stands at `at`.
    pub fn at(at: Timestamp) -> Self {
        Self { now: watch::Sender::new(whole_millis(at)) }
    }

    /// Moves the clock on and wakes whoever slept until then.
    pub fn advance(&self, by: Duration) {
        self.now.send_modify(|now| *now = moved(*now, by));
    }

    /// Sets the clock, also backwards: as a person or a time server does.
    pub fn set(&self, at: Timestamp) {
        self.now.send_replace(whole_millis(at));
    }
}

#[async_trait]
impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    async fn sleep_until(&self, at: Timestamp) {
        let mut seen = self.now.subscribe();
        let mut latest = *seen.borrow();
        let ends = |now: &Timestamp| {
            let back = was_set_back(latest, *now);
            latest = latest.max(*now);
            *now >= at || back
        };
        // The sender lives as long as `self`, so the wait ends by the time alone.
        if seen.wait_for(ends).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn moved(at: Timestamp, by: Duration) -> Timestamp {
    let by = SignedDuration::try_from(by).unwrap_or(SignedDuration::MAX);
    at.saturating_add(by).unwrap_or(Timestamp::MAX)
}

fn whole_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// Where chance comes from: a number in 0.0 ..= 1.0 for each draw.
#[derive(Debug)]
pub enum Chance {
    /// The system's random numbers.
    System,
    /// The same sequence for the same seed: for tests and replays (SplitMix64).
    Seeded(Mutex<u64>),
    /// The same number for each draw: for tests in which the order of draws must not matter.
    Fixed(f64),
}

impl Chance {
    /// A sequence that replays.
    pub fn seeded(seed: u64) -> Self {
        Self::Seeded(Mutex::new(seed))
    }

    /// The next number in 0.0 ..= 1.0.
    pub fn draw(&self) -> f64 {
        let bits = match self {
            Self::Fixed(number) => return *number,
            Self::System => system_bits(),
            Self::Seeded(state) => {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut mixed = *state;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                mixed ^ (mixed >> 31)
            }
        };
        // 53 bits fill a double's fraction exactly.
        (bits >> 11) as f64 / ((1_u64 << 53) - 1) as f64
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that asks for chance")]
fn system_bits() -> u64 {
    let mut bytes = [0; 8];
    // Without random numbers every delay is the middle one: slower to spread, never wrong.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(_) => u64::MAX / 2,
    }
}
