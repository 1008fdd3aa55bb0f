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
    desk::{Desk, Result},
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
pub(crate) async fn run(desk: Arc<Desk>) {
    let mut pass = Pass { desk, drives: JoinSet::new(), under_way: HashMap::new() };
    // Begun before the first look at the store: what is recorded after it is not missed.
    let wake_file = match Wake::watch(pass.desk.store.home()) {
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
                Some(crate::journal::later(pass.desk.clock.now(), pass.desk.policy.poll_gap_first))
            }
        };
        let desk = Arc::clone(&pass.desk);
        tokio::select! {
            () = desk.stop.cancelled() => break,
            () = desk.wake.notified() => {}
            () = called(wake_file.as_ref()) => {}
            () = sleep_until(&desk, next_due) => {}
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

async fn sleep_until(desk: &Desk, at: Option<Timestamp>) {
    match at {
        Some(at) => desk.clock.sleep_until(at).await,
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
    /// It is not due before then after all.
    Waits(Timestamp),
    /// It changed since it was loaded.
    Changed,
}

struct Pass {
    desk: Arc<Desk>,
    drives: JoinSet<DriveEnd>,
    /// Calls under way by export: one that can change something, and at most one look beside it.
    under_way: HashMap<ExportId, Vec<AttemptKind>>,
}

impl Pass {
    /// Starts a drive for each export that is due. Returns when the next one will be.
    async fn begin_due(&mut self) -> Result<Option<Timestamp>> {
        let now = self.desk.clock.now();
        let room = self.desk.policy.drives_max.saturating_sub(self.drives.len());
        if room == 0 {
            return Ok(None);
        }
        let limit = u32::try_from(room + self.under_way.len()).unwrap_or(u32::MAX);
        let due = self.desk.blocking(move |desk| Ok(desk.store.due(now, limit)?)).await?;
        let mut again: Option<Timestamp> = None;
        for record in due {
            if self.drives.len() >= self.desk.policy.drives_max {
                return Ok(None);
            }
        self.stop_unwanted().await?;
            // One that can not be begun now holds up no other, and is looked at again soon.
            let soon = match self.begin(record).await {
                Ok(Started::AsPlanned) => None,
                Ok(Started::Waits(at)) => Some(at),
                Ok(Started::Changed) => Some(later(now, self.desk.policy.look_gap_first)),
                Err(error) => {
                    tracing::error!(event = "begin_failed", reason = %error);
                    Some(later(now, self.desk.policy.poll_gap_first))
                }
            };
            again = again.into_iter().chain(soon).min();
        }
        let next = self.desk.blocking(move |desk| Ok(desk.store.next_due_after(now)?)).await?;
        Ok(next.into_iter().chain(again).min())
    }

    async fn begin(&mut self, record: Record) -> Result<Started> {
        let moment = self.desk.moment();
        let action = plan::next_action(&record, moment);
        let Some(kind) = kind_of(&action) else {
            // A time passed that changes what is shown or planned, and no call is due.
            let id = record.export.id.clone();
            let idle = !self.under_way.contains_key(&id);
            let at = if let Action::WaitUntil(at, _) = action { Some(at) } else { None };
            if idle || at.is_some() || action == Action::WaitForCall {
                self.rewrite(id).await?;
    /// How many more drives may be begun.
    fn room(&self) -> usize {
        self.desk.policy.drives_max.saturating_sub(self.drives.len() + self.unwritten.len())
    }

    /// When to look again after something could not be done.
    fn soon(&self) -> Timestamp {
        later(self.desk.clock.now(), self.desk.policy.poll_gap_first)
    }

    /// One that can not be begun now holds up no other, and is looked at again soon.
    async fn begin_one(&mut self, record: Record, now: Timestamp) -> Option<Timestamp> {
        match self.begin(record).await {
            Ok(Started::AsPlanned) => None,
            Ok(Started::Waits(at)) => Some(at),
            Ok(Started::Changed) => Some(later(now, self.desk.policy.look_gap_first)),
            Err(error) => {
                tracing::error!(event = "begin_failed", reason = %error);
                Some(self.soon())
            }
        }
    }

    /// Stops fetches that the person no longer wants: whichever process recorded that.
    async fn stop_unwanted(&self) -> Result<()> {
        let fetching: Vec<ExportId> = self
            .under_way
            .iter()
            .filter(|(_, kinds)| kinds.contains(&AttemptKind::Download))
            .map(|(id, _)| id.clone())
            .collect();
        if fetching.is_empty() {
            return Ok(());
        }
        let stop = move |desk: &Desk| {
            for id in &fetching {
                if desk.store.get(id)?.is_some_and(|record| !plan::fetch_is_wanted(&record)) {
                    desk.stop_fetch(id);
                }
            }
            Ok(())
        };
        self.desk.blocking(stop).await
    }

            }
            return Ok(at.map_or(Started::AsPlanned, Started::Waits));
        };
        if !self.has_room(&record.export.id, kind) {
            return Ok(Started::AsPlanned);
        }
        let id = record.export.id.clone();
        let Some(begun) = drive::begin(&self.desk, record, action).await? else {
            return Ok(Started::Changed);
        };
        self.under_way.entry(id).or_default().push(kind);
        self.drives.spawn(drive::run(Arc::clone(&self.desk), begun));
        Ok(Started::AsPlanned)
    }

    /// Only a look may run beside another call of the same export, and only beside a submit.
    fn has_room(&self, id: &ExportId, kind: AttemptKind) -> bool {
        let downloads =
            self.under_way.values().flatten().filter(|kind| **kind == AttemptKind::Download);
        if kind == AttemptKind::Download && downloads.count() >= self.desk.policy.downloads_max {
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
        self.desk
            .blocking(move |desk| {
                let changed = desk.change(&id, |_, _| Ok(()))?;
                if let Some(record) = changed {
                    desk.publish(&record)?;
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
        if let Err(error) = finish(&self.desk, ends).await {
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
async fn finish(desk: &Arc<Desk>, ends: Vec<EndedAttempt>) -> Result<()> {
    if ends.is_empty() {
        return Ok(());
    }
    desk.blocking(move |desk| {
        let ends: Vec<EndedAttempt> =
            ends.into_iter().map(|end| follow_up::ours_alone(desk, end)).collect::<Result<_>>()?;
        let now = desk.clock.now();
        let records = desk.store.finish(&ends, now, &|record, end| advance(desk, record, end))?;
        for record in &records {
            desk.publish(record)?;
        }
        follow_up::after(desk, &ends, &records)
    })
    .await
}

/// The journal and the plan after one attempt; its evidence is joined already.
pub(crate) fn advance(desk: &Desk, record: &mut Record, end: &EndedAttempt) {
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
        &desk.policy,
    );
    if let AttemptResult::NotSent { reason: CallReason::NoCredential } = result {
        record.journal.holds.insert(Hold::SignIn);
    }
    plan::replan(record, desk.moment());
}
