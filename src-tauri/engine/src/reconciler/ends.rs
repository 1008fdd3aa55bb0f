//! How calls ended, written down: many in one transaction, and only then told.
//!
//! An end that can not be written is kept, its export stays under way so that its call is not made
//! again, and it holds up no other: it takes up no lane, and is tried again by itself.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::task;

use super::{
    Pass, advance, follow_up,
    gate::{Follows, word},
    spread::News,
};
use crate::{
    attempt::AttemptResult,
    desk::{Desk, Result},
    journal::later,
    store::EndedAttempt,
};

/// How many ends are written in one transaction, and how many may wait to be.
pub(super) const ENDS_MAX: usize = 256;

/// Ends that the store could not take yet.
#[derive(Default)]
pub(super) struct Unwritten {
    ends: Vec<EndedAttempt>,
    again_at: Option<Timestamp>,
}

impl Unwritten {
    /// Whether so many wait that no call may be begun.
    pub(super) fn is_full(&self) -> bool {
        self.ends.len() >= ENDS_MAX
    }
}

impl Pass {
    /// Takes in what drives brought, this one and all that ended meanwhile, and writes it down.
    pub(super) async fn write_down(
        &mut self,
        first: std::result::Result<(task::Id, EndedAttempt), task::JoinError>,
    ) {
        let mut ends = Vec::new();
        let mut next = Some(first);
        while let Some(joined) = next {
            match joined {
                Ok((task, ended)) => {
                    self.broken.remove(&task);
                    ends.push(ended);
                }
                Err(error) => {
                    tracing::error!(event = "drive_broke", reason = %error);
                    let ended_at = self.desk.clock.now();
                    let broken = self.broken.remove(&error.id());
                    ends.extend(broken.map(|end| EndedAttempt { ended_at, ..end }));
                }
            }
            let more = ends.len() < ENDS_MAX;
            next = if more { self.drives.try_join_next_with_id() } else { None };
        }
        for end in &ends {
            self.hear(end);
        }
        self.write(ends).await;
    }

    /// What the end of a call says of its service.
    fn hear(&mut self, end: &EndedAttempt) {
        let Some(calls) = self.under_way.get_mut(&end.export) else { return };
        // Its lane is free, whenever it can be written.
        for (_, slot) in calls.calls.iter_mut().filter(|(kind, _)| *kind == end.kind) {
            *slot = super::Slot::Over;
        }
        let service = calls.service.clone();
        let desk = Arc::clone(&self.desk);
        let gate = self.gate(&service);
        let said = word(end.kind, &end.end.result, gate.is_probe(&end.export));
        let moment = (desk.clock.now(), desk.chance.draw());
        match gate.heard(&end.export, said, moment, &desk.policy) {
            Follows::Nothing => {}
            Follows::Unreached => {
                self.news.insert(service, News::unreached(end.clone()));
            }
            Follows::Back => {
                self.news.insert(service, News::back());
            }
        }
    }

    /// Writes ends down together; where that can not be done, each alone, so that one that can not
    /// be written holds up no other.
    async fn write(&mut self, ends: Vec<EndedAttempt>) {
        // What a look by traits may adopt depends on what the one before it adopted.
        let (mut alone, together): (Vec<_>, Vec<_>) = ends
            .into_iter()
            .partition(|ended| matches!(ended.end.result, AttemptResult::Listed { .. }));
        if !self.written(together.clone()).await {
            alone.extend(together);
        }
        self.write_each(alone).await;
    }

    async fn write_each(&mut self, ends: Vec<EndedAttempt>) {
        for end in ends {
            if !self.written(vec![end.clone()]).await {
                self.unwritten.ends.push(end);
                self.unwritten.again_at = Some(self.soon());
            }
        }
    }

    /// When what could not be written is tried again.
    pub(super) fn write_again_at(&self) -> Option<Timestamp> {
        self.unwritten.again_at
    }

    /// Tries again to write what could not be written, once its time has come.
    pub(super) async fn write_again(&mut self) {
        let now = self.desk.clock.now();
        // A clock that was set back puts it off by no more than was planned.
        let longest = later(now, self.desk.policy.poll_gap_first);
        let Some(at) = self.unwritten.again_at.map(|at| at.min(longest)) else { return };
        self.unwritten.again_at = Some(at);
        if at <= now {
            self.unwritten.again_at = None;
            let ends = std::mem::take(&mut self.unwritten.ends);
            self.write_each(ends).await;
        }
    }

    async fn written(&mut self, ends: Vec<EndedAttempt>) -> bool {
        if let Err(error) = finish(&self.desk, ends.clone()).await {
            tracing::error!(event = "finish_failed", reason = %error);
            return false;
        }
        for end in ends {
            if let Some(under_way) = self.under_way.get_mut(&end.export) {
                under_way.calls.retain(|(kind, _)| *kind != end.kind);
                if under_way.calls.is_empty() {
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
        follow_up::tidy(&ends);
        // It is on the disk: what fails from here on must not have it written once more.
        let told = desk.publish_all(&records);
        if let Err(error) = told.and_then(|()| follow_up::after(desk, &ends, &records)) {
            tracing::error!(event = "follow_up_failed", reason = %error);
        }
        Ok(())
    })
    .await
}
