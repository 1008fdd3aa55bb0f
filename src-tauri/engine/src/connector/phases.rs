//! How far a call got, observed while it runs.
//!
//! The one thing that must stay true: `not sent` is a proof. The submission boundary is a latch with
//! two ends. Whoever is about to let the first byte out must [`PhaseRecorder::cross`] first, and
//! whoever is about to say that nothing left must [`PhaseRecorder::bar`] it first. Only one of the
//! two succeeds, so a time-out that races with the connection's task can not be called *not sent*
//! while a byte leaves.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use tokio::sync::watch;

use crate::{
    attempt::{Phase, PhaseMark},
    clock::Clock,
};

/// Marks the phases of one call. Clones mark the same call.
#[derive(Clone)]
pub struct PhaseRecorder {
    shared: Arc<Shared>,
}

struct Shared {
    clock: Arc<dyn Clock>,
    started: Timestamp,
    state: Mutex<State>,
    phase: watch::Sender<Phase>,
}

struct State {
    marks: Vec<PhaseMark>,
    boundary: Boundary,
}

/// Where a call stands to the submission boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// No byte has left, but one may.
    Ahead,
    /// A byte may have left, since then.
    Crossed(Timestamp),
    /// No byte has left, and none will.
    Barred,
}

/// The call was given up before its first byte: none may leave any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call was given up before its first byte left")]
pub struct GivenUp;

impl PhaseRecorder {
    /// A call that begins now, in `prepare`.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let state = State {
            marks: vec![PhaseMark { phase: Phase::Prepare, at_ms: 0 }],
            boundary: Boundary::Ahead,
        };
        let shared = Shared {
            started: clock.now(),
            clock,
            state: Mutex::new(state),
            phase: watch::Sender::new(Phase::Prepare),
        };
        Self { shared: Arc::new(shared) }
    }

    /// A recorder for another call, by the same clock.
    pub fn renewed(&self) -> Self {
        Self::new(self.shared.clock.clone())
    }

    /// The phase as it changes. At `send` or later a byte may have left.
    pub fn subscribe(&self) -> watch::Receiver<Phase> {
        self.shared.phase.subscribe()
    }

    /// The phase that the call is in.
    pub fn phase(&self) -> Phase {
        *self.shared.phase.borrow()
    }

    /// When each phase began.
    pub fn marks(&self) -> Vec<PhaseMark> {
        self.state().marks.clone()
    }

    /// Where the call stands to the submission boundary.
    pub fn boundary(&self) -> Boundary {
        self.state().boundary
    }

    /// Whether a byte may have left.
    pub fn has_crossed(&self) -> bool {
        matches!(self.boundary(), Boundary::Crossed(_))
    }

    /// The call begins a phase other than `send`. A phase that lies before the one it is in is a
    /// second try of the same kind, such as the next address of a host, and leaves no mark.
    pub fn enter(&self, phase: Phase) {
        let mut state = self.state();
        if phase <= self.phase() {
            return;
        }
        self.mark(&mut state, phase);
    }

    /// The first byte is about to leave.
    ///
    /// # Errors
    /// The call was given up: no byte may leave.
    pub fn cross(&self) -> Result<(), GivenUp> {
        let mut state = self.state();
        match state.boundary {
            Boundary::Barred => Err(GivenUp),
            Boundary::Crossed(_) => Ok(()),
            Boundary::Ahead => {
                state.boundary = Boundary::Crossed(self.shared.clock.now());
                self.mark(&mut state, Phase::Send);
                Ok(())
            }
        }
    }

    /// An answer came over a connection that was open already: nothing was seen of the request's
    /// leaving, so it is taken to have left when the phase before began.
    ///
    /// # Errors
    /// The call was given up: nothing left, and the answer is not its own.
    pub fn cross_unseen(&self) -> Result<(), GivenUp> {
        let mut state = self.state();
        match state.boundary {
            Boundary::Barred => Err(GivenUp),
            Boundary::Crossed(_) => Ok(()),
            Boundary::Ahead => {
                state.boundary = Boundary::Crossed(self.shared.clock.now());
                let at_ms = state.marks.last().map_or(0, |mark| mark.at_ms);
                state.marks.push(PhaseMark { phase: Phase::Send, at_ms });
                state.marks.push(PhaseMark { phase: Phase::Await, at_ms });
                self.shared.phase.send_replace(Phase::Await);
                Ok(())
            }
        }
    }

    /// The call ends. If its first byte has not left yet, none will. Returns where it stood.
    pub fn bar(&self) -> Boundary {
        let mut state = self.state();
        if state.boundary == Boundary::Ahead {
            state.boundary = Boundary::Barred;
        }
        state.boundary
    }

    fn mark(&self, state: &mut State, phase: Phase) {
        let elapsed = self.shared.clock.now().duration_since(self.shared.started);
        let at_ms = u32::try_from(elapsed.as_millis().max(0)).unwrap_or(u32::MAX);
        state.marks.push(PhaseMark { phase, at_ms });
        self.shared.phase.send_replace(phase);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;

    fn recorder() -> (Arc<ManualClock>, PhaseRecorder) {
        let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
        (clock.clone(), PhaseRecorder::new(clock))
    }

    #[test]
    fn phases_are_marked_in_milliseconds_from_the_start() {
        let (clock, recorder) = recorder();
        let seen = recorder.subscribe();
        clock.advance(Duration::from_millis(3));
        recorder.enter(Phase::Connect);
        clock.advance(Duration::from_millis(4));
        assert_eq!(recorder.cross(), Ok(()));
        assert_eq!(*seen.borrow(), Phase::Send);
        recorder.enter(Phase::Resolve);
        assert_eq!(recorder.phase(), Phase::Send, "no phase comes twice");
        let marks: Vec<_> = recorder.marks().iter().map(|mark| (mark.phase, mark.at_ms)).collect();
        assert_eq!(marks, [(Phase::Prepare, 0), (Phase::Connect, 3), (Phase::Send, 7)]);
    }

    #[test]
    fn over_an_open_connection_the_wait_is_the_services_own() {
        let (clock, recorder) = recorder();
        clock.advance(Duration::from_millis(80));
        assert_eq!(recorder.cross_unseen(), Ok(()));
        recorder.enter(Phase::Receive);
        let marks: Vec<_> = recorder.marks().iter().map(|mark| (mark.phase, mark.at_ms)).collect();
        assert_eq!(
            marks,
            [(Phase::Prepare, 0), (Phase::Send, 0), (Phase::Await, 0), (Phase::Receive, 80)]
        );
    }

    #[test]
    fn a_call_that_was_given_up_lets_no_byte_out() {
        let (_, recorder) = recorder();
        assert_eq!(recorder.bar(), Boundary::Barred);
        assert_eq!(recorder.cross(), Err(GivenUp));
        assert!(!recorder.has_crossed());
    }

    #[test]
    fn a_call_that_crossed_can_not_be_called_not_sent() {
        let (clock, recorder) = recorder();
        recorder.cross().unwrap();
        clock.advance(Duration::from_secs(1));
        recorder.cross().unwrap();
        assert_eq!(recorder.bar(), Boundary::Crossed(Timestamp::UNIX_EPOCH));
    }
}
