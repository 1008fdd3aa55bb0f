//! How many calls one service gets at once. Pure; one gate for each service, kept in memory.
//!
//! A service that answers gets more lanes with each answer, up to a bound; one that puts calls off
//! gets fewer. One that can not be reached is *down*: then a single call at a time is made to it, the
//! probe, for the export that is due first, with a gap that doubles. A call that met nobody at all
//! says so of the service; one that was lost may be the fault of its own request, so it takes two
//! exports in a row without an answer. The first answer opens the gate.
//!
//! What must stay true: while it is down, one probe at most is under way; an export that is stuck
//! alone closes it for nobody.

use std::{collections::BTreeSet, time::Duration};

use jiff::Timestamp;

use crate::{
    attempt::{AttemptKind, AttemptResult, CallReason, CallResult, DeferUntil},
    export::ExportId,
    journal::later,
    policy::Policy,
};

/// Lanes of a service of which nothing is known yet; kept for each however many others are called.
pub(super) const LANES_FIRST: usize = 4;
/// So many exports in a row without an answer, and the service is down.
const SILENT_MAX: usize = 2;

/// What the end of a call says of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// It is there.
    Answered,
    /// It is there and asks to be called less.
    PutOff,
    /// Nobody was met.
    Unreached,
    /// No answer of its own came; the request may be why.
    Silent,
    /// Nothing: no call was made.
    Nothing,
}

/// What may be begun now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// So many calls in all.
    Lanes(usize),
    /// One, to find out whether the service is there.
    Probe,
    /// None before then; none before the probe ends where no time is given.
    Closed(Option<Timestamp>),
}

impl Room {
    /// What is left of it where so many of what could be begun wait for one another.
    pub(super) fn beside(self, waiting: usize) -> Self {
        match self {
            Self::Lanes(lanes) if lanes > waiting => Self::Lanes(lanes - waiting),
            Self::Probe if waiting == 0 => Self::Probe,
            Self::Lanes(_) | Self::Probe => Self::Closed(None),
            Self::Closed(until) => Self::Closed(until),
        }
    }
}

/// What follows from the end of a call for the service's other exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// Nothing.
    Nothing,
    /// The probe met nobody: they have had their turn as well.
    Unreached,
    /// The service is back: what waited for it is tried now.
    Back,
}

/// See the head of this file.
#[derive(Debug)]
pub(super) struct Gate {
    lanes: usize,
    /// Exports in a row whose calls had no answer.
    silent: BTreeSet<ExportId>,
    down: Option<Down>,
}

#[derive(Debug)]
struct Down {
    failed: u32,
    gap: Duration,
    probe_at: Timestamp,
    probe: Option<ExportId>,
}

impl Gate {
    pub(super) fn new() -> Self {
        Self { lanes: LANES_FIRST, silent: BTreeSet::new(), down: None }
    }

    /// What may be begun at `now`. A clock that was set back puts no probe off by more than its gap.
    pub(super) fn room(&mut self, now: Timestamp) -> Room {
        let Some(down) = &mut self.down else { return Room::Lanes(self.lanes) };
        if down.probe.is_some() {
            return Room::Closed(None);
        }
        down.probe_at = down.probe_at.min(later(now, down.gap));
        if now < down.probe_at { Room::Closed(Some(down.probe_at)) } else { Room::Probe }
    }

    /// Whether this export's last call had no answer: another one makes the better probe.
    pub(super) fn was_silent(&self, export: &ExportId) -> bool {
        self.silent.contains(export)
    }

    /// The call of this export, which begins now, is the probe where the service is down.
    pub(super) fn begun(&mut self, export: &ExportId) {
        if let Some(down) = &mut self.down {
            down.probe.get_or_insert_with(|| export.clone());
        }
    }

    /// Something happened that may have changed it: the next probe may go at once.
    pub(super) fn doubt(&mut self, now: Timestamp) {
        if let Some(down) = &mut self.down {
            down.probe_at = now;
        }
    }

    /// The service was found to answer. Whether it was thought to be down.
    pub(super) fn open(&mut self) -> bool {
        self.silent.clear();
        let was_down = self.down.take().is_some();
        if was_down {
            self.lanes = LANES_FIRST;
        }
        was_down
    }

    /// Takes in what the end of a call of this export says.
    pub(super) fn heard(
        &mut self,
        export: &ExportId,
        word: Word,
        (now, chance): (Timestamp, f64),
        policy: &Policy,
    ) -> Follows {
        let probe = self.down.as_mut().and_then(|down| down.probe.take_if(|id| id == export));
        match word {
            Word::Nothing => Follows::Nothing,
            Word::Answered | Word::PutOff => {
                if self.open() {
                    return Follows::Back;
                }
                self.lanes = match word {
                    Word::PutOff => (self.lanes / 2).max(1),
                    Word::Answered | Word::Unreached | Word::Silent | Word::Nothing => {
                        (self.lanes + 1).min(policy.calls_max.max(1))
                    }
                };
                Follows::Nothing
            }
            Word::Unreached | Word::Silent => {
                // Beyond these nobody is told apart: then any may probe again.
                if self.silent.len() > 2 * policy.calls_max {
                    self.silent.clear();
                }
                self.silent.insert(export.clone());
                let closes = word == Word::Unreached || self.silent.len() >= SILENT_MAX;
                match &mut self.down {
                    None if !closes => Follows::Nothing,
                    None => {
                        self.down = Some(Down::until(now, 0, policy.look_gap(0, chance)));
                        Follows::Nothing
                    }
                    // Calls that began before it was down tell nothing new.
                    Some(_) if probe.is_none() => Follows::Nothing,
                    Some(down) => {
                        let failed = down.failed.saturating_add(1);
                        *down = Down::until(now, failed, policy.look_gap(failed, chance));
                        Follows::Unreached
                    }
                }
            }
        }
    }
}

impl Down {
    fn until(now: Timestamp, failed: u32, gap: Duration) -> Self {
        Self { failed, gap, probe_at: later(now, gap), probe: None }
    }
}

/// What the end of a call says of the service. A file may lie elsewhere, so a fetch says nothing
/// unless it was the only call that there was to make.
pub(super) fn word(kind: AttemptKind, result: &AttemptResult, is_probe: IsProbe) -> Word {
    if kind == AttemptKind::Download && is_probe == IsProbe::No {
        return Word::Nothing;
    }
    if let AttemptResult::Deferred { until: DeferUntil::Time(_) } = result {
        return Word::PutOff;
    }
    match (result.call_result(), result.reason()) {
        (CallResult::Answered, _) => Word::Answered,
        (CallResult::NotSent | CallResult::Lost, Some(reason)) => word_of(reason),
        // A fetch that was stopped.
        (CallResult::NotSent | CallResult::Lost, None) => Word::Nothing,
    }
}

/// Whether a call is the probe of a service that is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsProbe {
    Yes,
    No,
}

impl Gate {
    /// Whether this export's call is the probe.
    pub(super) fn is_probe(&self, export: &ExportId) -> IsProbe {
        match self.down.as_ref().and_then(|down| down.probe.as_ref()) {
            Some(probe) if probe == export => IsProbe::Yes,
            Some(_) | None => IsProbe::No,
        }
    }
}

fn word_of(reason: CallReason) -> Word {
    match reason {
        CallReason::NoNetwork
        | CallReason::HostNotFound
        | CallReason::ConnectionRefused
        | CallReason::ConnectTimeout
        | CallReason::ConnectFailed
        | CallReason::CertificateUntrusted
        | CallReason::TlsFailed
        | CallReason::ProxyRefused
        | CallReason::ProxySignIn => Word::Unreached,
        CallReason::ClosedBeforeSend
        | CallReason::ClosedWithoutAnswer
        | CallReason::Reset
        | CallReason::Timeout
        | CallReason::Truncated
        | CallReason::Garbled
        | CallReason::NotTheService
        | CallReason::ServiceError
        | CallReason::Redirect => Word::Silent,
        // Whoever says that speaks as the service does.
        CallReason::NoJobNamed
        | CallReason::Undecodable
        | CallReason::Mismatched
        | CallReason::InProgress
        | CallReason::AccessRefused => Word::Answered,
        CallReason::AskedToWait => Word::PutOff,
        CallReason::NoCredential
        | CallReason::RequestInvalid
        | CallReason::Interrupted
        | CallReason::Restored => Word::Nothing,
    }
}

#[cfg(test)]
mod tests;
