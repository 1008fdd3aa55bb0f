//! The one background task: it takes no input and asks the store what is due.
//!
//! A click, a timer, a restart and an answer all end here. [`pass`] starts a drive for each export
//! that is due and has none; a drive makes at most one call; what it brought is written down, many
//! ends in one transaction, and only then published. The next pass is the retry: nothing in here
//! retries by itself, and an export that is stuck holds up no other.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use tokio::task::{self, JoinSet};

use crate::{
    attempt::{AttemptKind, AttemptResult},
    desk::{Desk, Result},
    export::ExportId,
    journal::later,
    plan::{self, Action, Ended},
    record::Record,
    store::{EndedAttempt, Wake},
};

mod drive;
mod fetching;
mod follow_up;

/// How many ends are written in one transaction.
const ENDS_MAX: usize = 256;
/// Gap between looks at the store where the file `wake` can not be watched.
const UNWATCHED_GAP: Duration = Duration::from_secs(2);

/// Drives everything that is open until the engine is shut down.
pub(crate) async fn run(desk: Arc<Desk>) {
    let mut pass = Pass {
        desk,
        drives: JoinSet::new(),
        under_way: HashMap::new(),
        broken: HashMap::new(),
        unwritten: Vec::new(),
    };
    // Begun before the first look at the store: what is recorded after it is not missed.
    let wake_file = match Wake::watch(pass.desk.store.home()) {
        Ok(wake_file) => Some(wake_file),
        Err(error) => {
            tracing::error!(event = "wake_not_watched", reason = %error);
            None
        }
    };
    loop {
        pass.write_unwritten().await;
        let next_due = match pass.begin_due().await {
            Ok(next_due) => next_due,
            Err(error) => {
                tracing::error!(event = "pass_failed", reason = %error);
                Some(pass.soon())
            }
        };
        let unwritten = (!pass.unwritten.is_empty()).then(|| pass.soon());
        let next_due = next_due.into_iter().chain(unwritten).min();
        let desk = Arc::clone(&pass.desk);
        tokio::select! {
            () = desk.stop.cancelled() => break,
            () = desk.wake.notified() => {}
            () = called(&desk, wake_file.as_ref()) => {}
            () = sleep_until(&desk, next_due) => {}
            Some(ended) = pass.drives.join_next_with_id(), if !pass.drives.is_empty() => {
                pass.write_down(ended).await;
            }
        }
    }
    pass.drives.shutdown().await;
}

async fn called(desk: &Desk, wake_file: Option<&Wake>) {
    match wake_file {
        Some(wake_file) => wake_file.changed().await,
        None => desk.clock.sleep_until(later(desk.clock.now(), UNWATCHED_GAP)).await,
    }
}

async fn sleep_until(desk: &Desk, at: Option<Timestamp>) {
    match at {
        Some(at) => desk.clock.sleep_until(at).await,
        None => std::future::pending().await,
    }
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
    drives: JoinSet<EndedAttempt>,
    /// Calls under way by export: one that can change something, and at most one look beside it.
    under_way: HashMap<ExportId, Vec<AttemptKind>>,
    /// How the attempt of each drive ends if the drive itself breaks.
    broken: HashMap<task::Id, EndedAttempt>,
    /// Ends that the store could not take yet. Their exports stay under way.
    unwritten: Vec<EndedAttempt>,
}

impl Pass {
    /// Starts a drive for each export that is due. Returns when the next one will be.
    async fn begin_due(&mut self) -> Result<Option<Timestamp>> {
        self.stop_unwanted().await?;
        let now = self.desk.clock.now();
        let mut seen: HashSet<ExportId> = HashSet::new();
        let mut again: Option<Timestamp> = None;
        // What waits for room stays due; all that is due is looked at, so that it hides no other.
        loop {
            let limit = seen.len() + self.room() + self.under_way.len();
            let rows = u32::try_from(limit).unwrap_or(u32::MAX);
            let due = self.desk.blocking(move |desk| Ok(desk.store.due(now, rows)?)).await?;
            let (before, is_all) = (seen.len(), due.len() < limit);
            for record in due {
                if self.room() == 0 {
                    return Ok(None);
                }
                if seen.insert(record.export.id.clone()) {
                    let soon = self.begin_one(record, now).await;
                    again = again.into_iter().chain(soon).min();
                }
            }
            if is_all || seen.len() == before {
                break;
            }
        }
        let next = self.desk.blocking(move |desk| Ok(desk.store.next_due_after(now)?)).await?;
        Ok(next.into_iter().chain(again).min())
    }

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

    async fn begin(&mut self, record: Record) -> Result<Started> {
        let moment = self.desk.moment();
        let action = plan::next_action(&record, moment);
        let Some(kind) = action.call() else {
            // A time passed that changes what is shown or planned, and no call is due.
            let id = record.export.id.clone();
            let idle = !self.under_way.contains_key(&id);
            let at = if let Action::WaitUntil(at, _) = action { Some(at) } else { None };
            if idle || at.is_some() || action == Action::WaitForCall {
                self.rewrite(id).await?;
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
        let if_it_breaks = begun.broken();
        let drive = self.drives.spawn(drive::run(Arc::clone(&self.desk), begun));
        self.broken.insert(drive.id(), if_it_breaks);
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
                    desk.release_after(&record)?;
                }
                Ok(())
            })
            .await
    }

    /// Takes in what drives brought, this one and all that ended meanwhile, and writes it down.
    async fn write_down(
        &mut self,
        first: std::result::Result<(task::Id, EndedAttempt), task::JoinError>,
    ) {
        let mut next = Some(first);
        while let Some(joined) = next {
            match joined {
                Ok((task, ended)) => {
                    self.broken.remove(&task);
                    self.unwritten.push(ended);
                }
                Err(error) => {
                    tracing::error!(event = "drive_broke", reason = %error);
                    let ended_at = self.desk.clock.now();
                    let broken = self.broken.remove(&error.id());
                    self.unwritten.extend(broken.map(|end| EndedAttempt { ended_at, ..end }));
                }
            }
            let more = self.unwritten.len() < ENDS_MAX;
            next = if more { self.drives.try_join_next_with_id() } else { None };
        }
        self.write_unwritten().await;
    }

    /// Writes ends down together; where that can not be done, each alone, so that one that can not
    /// be written holds up no other. What is left is kept: its call is not made again meanwhile.
    async fn write_unwritten(&mut self) {
        // What a look by traits may adopt depends on what the one before it adopted.
        let (mut alone, together): (Vec<_>, Vec<_>) = std::mem::take(&mut self.unwritten)
            .into_iter()
            .partition(|ended| matches!(ended.end.result, AttemptResult::Listed { .. }));
        if !self.written(together.clone()).await {
            alone.extend(together);
        }
        for end in alone {
            if !self.written(vec![end.clone()]).await {
                self.unwritten.push(end);
            }
        }
    }

    async fn written(&mut self, ends: Vec<EndedAttempt>) -> bool {
        if let Err(error) = finish(&self.desk, ends.clone()).await {
            tracing::error!(event = "finish_failed", reason = %error);
            return false;
        }
        for end in ends {
            if let Some(kinds) = self.under_way.get_mut(&end.export) {
                kinds.retain(|kind| *kind != end.kind);
                if kinds.is_empty() {
                    self.under_way.remove(&end.export);
                }
            }
        }
        true
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
        // It is on the disk: what fails from here on must not have it written once more.
        let told = records.iter().try_for_each(|record| desk.publish(record).map(drop));
        if let Err(error) = told.and_then(|()| follow_up::after(desk, &ends, &records)) {
            tracing::error!(event = "follow_up_failed", reason = %error);
        }
        Ok(())
    })
    .await
}

/// The journal and the plan after one attempt; its evidence is joined already.
pub(crate) fn advance(desk: &Desk, record: &mut Record, end: &EndedAttempt) {
    let end = Ended {
        kind: end.kind,
        result: &end.end.result,
        http_status: end.end.http_status,
        started_at: end.started_at,
        ended_at: end.ended_at,
    };
    plan::advance(record, end, desk.moment());
}
