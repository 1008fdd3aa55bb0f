//! The journal of an export: its attempts in flight, its schedule, the person's wishes and the
//! holds. Pure.
//!
//! Everything here is a matter of time and of will, nothing of it is proof. It is stored with the
//! export, so a restart goes on where the program stopped: there is no second recovery code.
//! The window is *spent*, not dated: sleep, a changed clock, a restart or a hold spends nothing.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::attempt::{AttemptKind, words};

mod following;

pub use following::{CancelTurn, Furthest};

words!(
    /// What keeps an export from going on until a person or the machine mends it. Stands beside the
    /// stage and hides none. In order: of several the first is shown.
    Hold {
        /// The credential is of another subject than the one that asked.
        OtherAccount = "other_account",
        /// The service wants a valid sign-in. Before the next one: a copy is looked up with it.
        SignIn = "sign_in",
        /// The store was restored or copied: look before anything is sent.
        RestoredStore = "restored_store",
        /// 403 on the file.
        AccessWithdrawn = "access_withdrawn",
        /// The person paused the download.
        Paused = "paused",
        /// The folder can not be written.
        CannotWrite = "cannot_write",
        /// The disk has not enough room.
        NoSpace = "no_space",
        /// The file did not match its digest, twice.
        CheckFailed = "check_failed",
        /// The download made no progress for all its tries.
        DownloadInterrupted = "download_interrupted",
        /// The service reported nothing new for the alarm time.
        NoProgress = "no_progress",
    }
);

impl Hold {
    /// Whether it stops the fetch of the file.
    pub fn is_of_the_fetch(self) -> bool {
        match self {
            Self::AccessWithdrawn
            | Self::Paused
            | Self::CannotWrite
            | Self::NoSpace
            | Self::CheckFailed
            | Self::DownloadInterrupted => true,
            Self::OtherAccount | Self::RestoredStore | Self::SignIn | Self::NoProgress => false,
        }
    }

    /// Whether nothing but the person can mend it. The others mend themselves, or were wished for.
    pub fn needs_the_person(self) -> bool {
        match self {
            Self::OtherAccount
            | Self::RestoredStore
            | Self::SignIn
            | Self::AccessWithdrawn
            | Self::CannotWrite
            | Self::NoSpace
            | Self::CheckFailed => true,
            Self::Paused | Self::DownloadInterrupted | Self::NoProgress => false,
        }
    }
}

words!(
    /// Why a window ended without proof.
    UnresolvedReason {
        /// The service could not be reached.
        ServiceUnreachable = "service_unreachable",
        /// It kept answering with errors.
        ServiceErrors = "service_errors",
        /// It answered, but not in a way that can be read.
        AnswerUnreadable = "answer_unreadable",
        /// It refused the sign-in, a fresh one too.
        SignInRefused = "sign_in_refused",
        /// It no longer lets this account ask.
        AccessWithdrawn = "access_withdrawn",
        /// It has no record, but can not rule one out.
        NotVisible = "not_visible",
        /// It can not look requests up.
        LookupUnsupported = "lookup_unsupported",
        /// Several of its records could be the one.
        AmbiguousMatches = "ambiguous_matches",
        /// It answered about something else.
        MismatchedAnswer = "mismatched_answer",
        /// It may have forgotten the key.
        KeyExpired = "key_expired",
        /// It holds two jobs under the key.
        KeyBreached = "key_breached",
        /// It no longer shows the job that it accepted.
        JobVanished = "job_vanished",
        /// It has reported no progress for too long.
        NoProgress = "no_progress",
    }
);

/// What the last call of a window was answered, for the reason that the window ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LastAnswer {
    /// None came.
    Nothing,
    /// Not there.
    NotSeen,
    /// 401.
    SignIn,
    /// 403.
    Forbidden,
    /// 5xx.
    ServiceError,
    /// It could not be read.
    Unreadable,
    /// It was about something else.
    Mismatched,
    /// Several jobs match.
    Ambiguous,
    /// The service asked to come back later.
    Deferred,
}

impl LastAnswer {
    /// The reason that a window ends with after this answer.
    pub fn reason(self) -> UnresolvedReason {
        match self {
            Self::Nothing => UnresolvedReason::ServiceUnreachable,
            Self::NotSeen => UnresolvedReason::NotVisible,
            Self::SignIn => UnresolvedReason::SignInRefused,
            Self::Forbidden => UnresolvedReason::AccessWithdrawn,
            Self::ServiceError | Self::Deferred => UnresolvedReason::ServiceErrors,
            Self::Unreadable => UnresolvedReason::AnswerUnreadable,
            Self::Mismatched => UnresolvedReason::MismatchedAnswer,
            Self::Ambiguous => UnresolvedReason::AmbiguousMatches,
        }
    }
}

/// An attempt that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct InFlight {
    /// Which.
    pub attempt_no: u32,
    /// What for.
    pub kind: AttemptKind,
    /// When it began.
    pub started_at: Timestamp,
    /// When its first byte may have left, once it may.
    pub crossed_at: Option<Timestamp>,
}

/// A bounded time in which an unknown outcome is looked into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Window {
    /// How much of it is spent.
    pub spent_ms: u64,
    /// Tries so far: looks, repeated submits, abandons.
    pub tries: u32,
    /// When the last try ended, or the window opened.
    pub last_try_at: Option<Timestamp>,
    /// The submit before the end was made.
    pub final_submit_made: bool,
    /// That last submit crossed the boundary and was not deferred.
    pub final_submit_crossed: bool,
    /// The last answer to a try; `Nothing` where none came yet.
    pub last_answer: Option<LastAnswer>,
    /// Tries in a row since then that no answer came to.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub silent_tries: u32,
}

/// What has not happened is not written.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// What a person wants of an export. Recorded by any process, done by the driver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wishes {
    /// Cancel it, by whatever verb fits. Never taken back.
    pub cancel: Option<Timestamp>,
    /// Look now.
    pub check: bool,
    /// Send again with the same key.
    pub resend: bool,
}

/// When to do what is next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Schedule {
    /// The planned time of the next try; None where it is to be planned anew.
    pub next_at: Option<Timestamp>,
    /// The gap from the last try to `next_at`, as planned.
    pub planned_gap_ms: u64,
    /// Tries in a row that were not sent or deferred, for the back-off.
    pub retries: u32,
    /// The service asked not to come back before.
    pub not_before: Option<Timestamp>,
    /// The open window, if one is.
    pub window: Option<Window>,
    /// The last window ended without proof.
    pub closed: Option<UnresolvedReason>,
    /// When that was, or when the last slow look ended since.
    pub closed_at: Option<Timestamp>,
    /// Abandons, or cancels, in a row that had no answer.
    pub change_tries: u32,
    /// What the wish to cancel a known job waits for.
    #[serde(default, skip_serializing_if = "CancelTurn::is_due")]
    pub cancel_turn: CancelTurn,
    /// Polls in a row without news, for their gap.
    pub quiet_polls: u32,
    /// When the service last told something new of the job.
    pub news_at: Option<Timestamp>,
    /// Epoch and revision of the job as it was last heard of.
    pub heard: Option<(u64, u64)>,
    /// How far the job was said to be: what is told again is no news.
    #[serde(default, skip_serializing_if = "Furthest::is_empty")]
    pub furthest: Furthest,
    /// Where the file lies, as it was last told. A signed address is a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_address: Option<String>,
    /// The gap before the next poll, as the last one suggested.
    pub poll_gap_ms: u64,
    /// Jobs that looks by traits listed, with the number of looks that did.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub candidates: BTreeMap<String, Candidate>,
}

/// A job that a look by traits listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Candidate {
    /// In how many looks.
    pub looks: u32,
    /// When it was created, in the service's clock.
    pub created_at: Timestamp,
    /// The service's word for how far it is.
    pub status: String,
}

words!(
    /// What an export waits for before its first submit, beside a time.
    Turn {
        /// Nothing: it may go.
        Free = "free",
        /// The seal of the export that it follows.
        AfterSeal = "after_seal",
        /// The person: the export that it follows has a job after all, or could not be sealed.
        Person = "person",
    }
);

words!(
    /// What became of the wish to send.
    Sending {
        /// It is still to be sent, or was.
        On = "on",
        /// The key grew too old before anything could be sent.
        NeverSent = "never_sent",
        /// The person asked for another one knowingly: this one is not sent again.
        Copied = "copied",
    }
);

/// See the head of this file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Journal {
    /// When the intent was recorded, by this computer's clock.
    pub created_at: Timestamp,
    /// When the key was minted, in the service's clock. None until a `Date` of that service is known.
    pub first_sent: Option<Timestamp>,
    /// The last attempt number that was given.
    pub last_attempt_no: u32,
    /// Under way now.
    #[serde(default)]
    pub in_flight: Vec<InFlight>,
    /// When the last submit that crossed ended.
    pub last_crossed_end: Option<Timestamp>,
    /// When the first submit that crossed began.
    pub first_crossed_at: Option<Timestamp>,
    /// When the last look ended that was answered `NotSeen`.
    pub not_seen_at: Option<Timestamp>,
    /// An abandon of ours crossed the boundary: the tombstone is ours.
    pub abandon_crossed: bool,
    /// What it waits for before its first submit.
    pub turn: Turn,
    /// Whether it may be sent at all.
    pub sending: Sending,
    /// When to do what is next.
    pub schedule: Schedule,
    /// What the person wants.
    pub wishes: Wishes,
    /// What holds it.
    #[serde(default)]
    pub holds: BTreeSet<Hold>,
}

impl Journal {
    /// The journal of an intent that was recorded at `created_at`.
    pub fn new(created_at: Timestamp, first_sent: Option<Timestamp>) -> Self {
        Self {
            created_at,
            first_sent,
            last_attempt_no: 0,
            in_flight: Vec::new(),
            last_crossed_end: None,
            first_crossed_at: None,
            not_seen_at: None,
            abandon_crossed: false,
            turn: Turn::Free,
            sending: Sending::On,
            schedule: Schedule::default(),
            wishes: Wishes::default(),
            holds: BTreeSet::new(),
        }
    }

    /// The hold that is shown: the first of those that stand.
    pub fn hold(&self) -> Option<Hold> {
        self.holds.first().copied()
    }

    /// The attempt of this kind that is under way.
    pub fn under_way(&self, kind: AttemptKind) -> Option<&InFlight> {
        self.in_flight.iter().find(|attempt| attempt.kind == kind)
    }

    /// Opens a new window, as when the person asks again; whatever was planned is planned anew.
    pub fn open_window(&mut self, now: Timestamp) {
        let schedule = &mut self.schedule;
        schedule.closed = None;
        schedule.closed_at = None;
        schedule.next_at = None;
        schedule.not_before = None;
        schedule.change_tries = 0;
        schedule.window = Some(Window { last_try_at: Some(now), ..Window::default() });
    }

    /// The call under way that can change something at the service.
    pub fn change_under_way(&self) -> Option<&InFlight> {
        self.in_flight.iter().find(|attempt| attempt.kind.changes_something())
    }
}

/// A point in time later by a duration, never past the end of time. The duration counts in whole
/// milliseconds, rounded up: that is what the store keeps and the clock tells, and a plan for the
/// middle of a millisecond would be due before its time and then never again.
pub fn later(at: Timestamp, by: Duration) -> Timestamp {
    let millis = i64::try_from(by.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX);
    at.saturating_add(SignedDuration::from_millis(millis)).unwrap_or(Timestamp::MAX)
}

/// How much time lies between two points; nothing where the clock went back.
pub fn between(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_planned_lies_on_a_whole_millisecond() {
        let now = Timestamp::UNIX_EPOCH;
        for (by, millis) in [(0, 0), (1, 1), (999_999, 1), (1_000_000, 1), (1_000_001, 2)] {
            let at = later(now, Duration::from_nanos(by));
            assert_eq!(at, Timestamp::from_millisecond(millis).unwrap(), "{by} ns");
        }
        assert_eq!(later(now, Duration::MAX), Timestamp::MAX);
    }
}
