//! The one background task: it takes no input and asks the store what is due.
//!
//! A click, a timer, a restart and an answer all end here. [`pass`] starts a drive for each export
//! that is due and has none; a drive makes at most one call; what it brought is written down, many
//! ends in one transaction, and only then published. The next pass is the retry: nothing in here
//! retries by itself, and an export that is stuck holds up no other.

use std::{collections::HashMap, sync::Arc};

use jiff::Timestamp;
use tokio::task::JoinSet;

use crate::{
    attempt::{AttemptKind, AttemptResult, CallReason},
    engine::{Inner, Result},
    export::ExportId,
    journal::{Hold, later},
    plan::{self, Action, Ended},
    record::Record,
    store::{EndedAttempt, Wake},
};

mod drive;
mod fetching;
mod follow_up;

/// How many ends are written in one transaction.
const ENDS_MAX: usize = 256;

/// Drives everything that is open until the engine is shut down.
pub(crate) async fn run(inner: Arc<Inner>) {
    let mut pass = Pass { inner, drives: JoinSet::new(), under_way: HashMap::new() };
    // Begun before the first look at the store: what is recorded after it is not missed.
    let wake_file = match Wake::watch(pass.inner.store.home()) {
        Ok(wake_file) => Some(wake_file),
        Err(error) => {
            tracing::error!(event = "wake_not_watched", reason = %error);
            None
        }
    };
    loop {
        let next_due = match pass.begin_due().await {
            Ok(next_due) => next_due,
            Err(error) => {
                tracing::error!(event = "pass_failed", reason = %error);
                Some(crate::journal::later(
                    pass.inner.clock.now(),
                    pass.inner.policy.poll_gap_first,
                ))
            }
        };
        let inner = Arc::clone(&pass.inner);
        tokio::select! {
            () = inner.stop.cancelled() => break,
            () = inner.wake.notified() => {}
            () = called(wake_file.as_ref()) => {}
            () = sleep_until(&inner, next_due) => {}
            Some(ended) = pass.drives.join_next(), if !pass.drives.is_empty() => {
                pass.write_down(ended).await;
            }
        }
    }
    pass.drives.shutdown().await;
}

async fn called(wake_file: Option<&Wake>) {
    match wake_file {
        Some(wake_file) => wake_file.changed().await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(inner: &Inner, at: Option<Timestamp>) {
    match at {
        Some(at) => inner.clock.sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// What a drive hands back.
pub(crate) struct DriveEnd {
    id: ExportId,
    kind: AttemptKind,
    ended: Option<EndedAttempt>,
}

/// What came of an export that was due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Started {
    /// Its call is under way, or waits for room, or it was planned anew.
    AsPlanned,
    /// It changed since it was loaded.
    Changed,
}

struct Pass {
    inner: Arc<Inner>,
    drives: JoinSet<DriveEnd>,
    /// Calls under way by export: one that can change something, and at most one look beside it.
    under_way: HashMap<ExportId, Vec<AttemptKind>>,
}

impl Pass {
    /// Starts a drive for each export that is due. Returns when the next one will be.
    async fn begin_due(&mut self) -> Result<Option<Timestamp>> {
        let now = self.inner.clock.now();
        let room = self.inner.policy.drives_max.saturating_sub(self.drives.len());
        if room == 0 {
            return Ok(None);
        }
        let limit = u32::try_from(room + self.under_way.len()).unwrap_or(u32::MAX);
        let due = self.inner.blocking(move |inner| Ok(inner.store.due(now, limit)?)).await?;
        let mut again = None;
        for record in due {
            if self.drives.len() >= self.inner.policy.drives_max {
                return Ok(None);
            }
            // One that can not be begun now holds up no other, and is looked at again soon.
            match self.begin(record).await {
                Ok(Started::AsPlanned) => {}
                Ok(Started::Changed) => again = Some(later(now, self.inner.policy.look_gap_first)),
                Err(error) => {
                    tracing::error!(event = "begin_failed", reason = %error);
                    again = Some(later(now, self.inner.policy.poll_gap_first));
                }
            }
        }
        let next = self.inner.blocking(move |inner| Ok(inner.store.next_due_after(now)?)).await?;
        Ok(next.into_iter().chain(again).min())
    }

    async fn begin(&mut self, record: Record) -> Result<Started> {
        let moment = self.inner.moment();
        let action = plan::next_action(&record, moment);
        let Some(kind) = kind_of(&action) else {
            // A time passed that changes what is shown or planned, and no call is due.
            let id = record.export.id.clone();
            let idle = !self.under_way.contains_key(&id);
            let waits = matches!(action, Action::WaitForCall | Action::WaitUntil(..));
            if idle || waits {
                self.rewrite(id).await?;
            }
            return Ok(Started::AsPlanned);
        };
        if !self.has_room(&record.export.id, kind) {
            return Ok(Started::AsPlanned);
        }
        let id = record.export.id.clone();
        let Some(begun) = drive::begin(&self.inner, record, action).await? else {
            return Ok(Started::Changed);
        };
        self.under_way.entry(id).or_default().push(kind);
        self.drives.spawn(drive::run(Arc::clone(&self.inner), begun));
        Ok(Started::AsPlanned)
    }

    /// Only a look may run beside another call of the same export, and only beside a submit.
    fn has_room(&self, id: &ExportId, kind: AttemptKind) -> bool {
        let downloads =
            self.under_way.values().flatten().filter(|kind| **kind == AttemptKind::Download);
        if kind == AttemptKind::Download && downloads.count() >= self.inner.policy.downloads_max {
            return false;
        }
        match self.under_way.get(id).map(Vec::as_slice) {
            None | Some([]) => true,
            Some([AttemptKind::Submit]) => kind == AttemptKind::Lookup,
            Some(_) => false,
        }
    }

    /// Plans one export anew and publishes it.
    async fn rewrite(&self, id: ExportId) -> Result<()> {
        self.inner
            .blocking(move |inner| {
                let changed = inner.change(&id, |_, _| Ok(()))?;
                if let Some(record) = changed {
                    inner.publish(&record)?;
                }
                Ok(())
            })
            .await
    }

    /// Writes down what drives brought: this one, and all that ended meanwhile.
    async fn write_down(&mut self, first: std::result::Result<DriveEnd, tokio::task::JoinError>) {
        let mut ends = Vec::new();
        let mut next = Some(first);
        while let Some(joined) = next {
            match joined {
                Ok(end) => {
                    if let Some(kinds) = self.under_way.get_mut(&end.id) {
                        kinds.retain(|kind| *kind != end.kind);
                        if kinds.is_empty() {
                            self.under_way.remove(&end.id);
                        }
                    }
                    ends.extend(end.ended);
                }
                // A drive that panicked leaves its attempt open; it is closed as lost below.
                Err(error) => tracing::error!(event = "drive_broke", reason = %error),
            }
            next = if ends.len() < ENDS_MAX { self.drives.try_join_next() } else { None };
        }
        if let Err(error) = finish(&self.inner, ends).await {
            tracing::error!(event = "finish_failed", reason = %error);
        }
    }
}

fn kind_of(action: &Action) -> Option<AttemptKind> {
    match action {
        Action::Describe => Some(AttemptKind::Describe),
        Action::Submit => Some(AttemptKind::Submit),
        Action::Lookup(_) => Some(AttemptKind::Lookup),
        Action::Poll(_) => Some(AttemptKind::Poll),
        Action::Abandon => Some(AttemptKind::Abandon),
        Action::Cancel(_) => Some(AttemptKind::Cancel),
        Action::Download => Some(AttemptKind::Download),
        Action::WaitUntil(..)
        | Action::WaitForCall
        | Action::WaitForPerson(_)
        | Action::Close(_)
        | Action::NeverSend
        | Action::RaiseNoProgress
        | Action::Done => None,
    }
}

/// Closes attempts, joins what they proved, plans what comes next: one transaction. Then tells.
async fn finish(inner: &Arc<Inner>, ends: Vec<EndedAttempt>) -> Result<()> {
    if ends.is_empty() {
        return Ok(());
    }
    inner
        .blocking(move |inner| {
            let ends: Vec<EndedAttempt> = ends
                .into_iter()
                .map(|end| follow_up::ours_alone(inner, end))
                .collect::<Result<_>>()?;
            let now = inner.clock.now();
            let records =
                inner.store.finish(&ends, now, &|record, end| advance(inner, record, end))?;
            for record in &records {
                inner.publish(record)?;
            }
            follow_up::after(inner, &ends, &records)
        })
        .await
}

/// The journal and the plan after one attempt; its evidence is joined already.
pub(crate) fn advance(inner: &Inner, record: &mut Record, end: &EndedAttempt) {
    let result = &end.end.result;
    plan::ended(
        record,
        Ended {
            kind: end.kind,
            result,
            http_status: end.end.http_status,
            started_at: end.started_at,
            ended_at: end.ended_at,
        },
        &inner.policy,
    );
    if let AttemptResult::NotSent { reason: CallReason::NoCredential } = result {
        record.journal.holds.insert(Hold::SignIn);
    }
    plan::replan(record, inner.moment());
}
