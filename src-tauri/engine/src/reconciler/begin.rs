//! What one pass begins: queue by queue, as many as there are lanes for, each read when its turn
//! comes.
//!
//! An export that can not be read or begun is left aside for a while and said in the log; those
//! after it in its queue get its turn.

use std::{collections::HashSet, sync::Arc};

use jiff::Timestamp;

use super::{
    Pass, Slot,
    drive::{self, Begun},
    gate::{LANES_FIRST, Room},
};
use crate::{
    attempt::AttemptKind,
    capabilities::ServiceFacts,
    desk::{Desk, Result},
    export::{ExportId, ServiceId},
    journal::later,
    plan::{self, Action},
    store::{Due, Lane, Queue},
};

/// Calls of one service that people asked for at once, beside all others.
const ASKED_MAX: usize = 4;
/// Exports that are left aside at once; beyond that one is tried in every pass.
const ASIDE_MAX: usize = 1024;
/// Rows of a queue that are read beyond those that can be begun.
const ROWS_MORE: usize = 16;

/// Until when an export is left alone that could not be begun so many times.
pub(super) struct Aside {
    until: Timestamp,
    times: u32,
}

/// What came of an export that was due.
enum Started {
    /// Its call can be made.
    Begun(Box<Begun>),
    /// It wants a describe, and what another one learnt serves it as well.
    Learns(Box<ServiceFacts>),
    /// It wants a describe, and one is under way.
    AwaitsAnother,
    /// It was planned anew, or its kind of call has no room.
    NoCall,
    /// It is not due before then after all.
    Waits(Timestamp),
    /// It changed since it was read.
    Changed,
}

/// What is under way for an export that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Nothing,
    Submit,
    Other,
}

/// How many calls of some kinds can be begun.
struct Left {
    fetches: usize,
    held_polls: usize,
    /// One at a time: its answer serves all.
    describes: usize,
}

impl Pass {
    /// Starts a drive for each export that is due. Returns when the next one will be.
    pub(super) async fn begin_due(&mut self) -> Result<Option<Timestamp>> {
        self.stop_unwanted().await?;
        let now = self.desk.clock.now();
        let longest = self.desk.policy.look_gap_max;
        self.aside.retain(|_, aside| now < later(aside.until, longest));
        let queues = self.desk.blocking(|desk| Ok(desk.store.queues()?)).await?;
        let mut wake = Vec::new();
        for queue in queues {
            match self.begin_queue(&queue, now).await {
                Ok(at) => wake.extend(at),
                Err(error) => {
                    tracing::error!(event = "queue_failed", reason = %error);
                    wake.push(self.soon());
                }
            }
        }
        wake.extend(self.aside.values().map(|aside| aside.until).filter(|until| *until > now));
        Ok(wake.into_iter().min())
    }

    async fn begin_queue(&mut self, queue: &Queue, now: Timestamp) -> Result<Option<Timestamp>> {
        let key = (queue.service.clone(), queue.lane);
        let (mut seen, mut wake) = (HashSet::new(), None);
        let (mut after, mut waiting) = (None, 0);
        loop {
            let room = match self.room(&queue.service, queue.lane, now).beside(waiting) {
                Room::Closed(until) => {
                    let until = until.map(|until| until.max(queue.first_at));
                    return Ok(until.into_iter().chain(wake).min());
                }
                Room::Lanes(_) | Room::Probe if queue.first_at > now => {
                    return Ok(Some(queue.first_at));
                }
                room @ (Room::Lanes(_) | Room::Probe) => room,
            };
            let rows = lanes(room).min(self.desk.policy.drives_max)
                + self.under_way.len()
                + seen.len()
                + ROWS_MORE;
            let due = self.due(&key, now, after.clone(), rows).await?;
            let (chosen, looked_at) = self.choose(queue, &due, room, &seen, now);
            let is_all = due.len() < rows && looked_at == due.len();
            let is_none = chosen.is_empty();
            // Of all that are due one is the best probe; the next best is among the same rows.
            if room != Room::Probe || is_none {
                after = looked_at.checked_sub(1).and_then(|at| due.get(at)).cloned().or(after);
            }
            seen.extend(chosen.iter().cloned());
            let begun = self.begin_some(queue, chosen).await?;
            waiting += begun.waiting;
            wake = wake.into_iter().chain(begun.again).min();
            if is_all && (room != Room::Probe || is_none) {
                break;
            }
        }
        let next = self
            .desk
            .blocking(move |desk| Ok(desk.store.next_due_after((&key.0, key.1), now)?))
            .await?;
        Ok(next.into_iter().chain(wake).min())
    }

    async fn due(
        &self,
        key: &(ServiceId, Lane),
        now: Timestamp,
        after: Option<Due>,
        rows: usize,
    ) -> Result<Vec<Due>> {
        let (service, lane) = key.clone();
        let limit = u32::try_from(rows).unwrap_or(u32::MAX);
        self.desk
            .blocking(move |desk| {
                Ok(desk.store.due((&service, lane), now, after.as_ref(), limit)?)
            })
            .await
    }

    /// How many of a queue may be begun.
    fn room(&mut self, service: &ServiceId, lane: Lane, now: Timestamp) -> Room {
        if self.unwritten.is_full() {
            return Room::Closed(None);
        }
        let free = self.desk.policy.drives_max.saturating_sub(self.drives.len());
        let lanes = match (lane, self.gate(service).room(now)) {
            (Lane::UnderWay, _) => usize::MAX,
            (Lane::Asked, _) => ASKED_MAX.saturating_sub(self.taken(service, Slot::Asked)),
            (Lane::Call | Lane::Fetch, shut @ (Room::Closed(_) | Room::Probe)) => return shut,
            (Lane::Call, Room::Lanes(lanes)) => {
                let calls = self.taken(service, Slot::Call);
                // However many others are called, a service keeps a few lanes.
                let own = LANES_FIRST.saturating_sub(calls);
                lanes.saturating_sub(calls).min(free.max(own))
            }
            (Lane::Fetch, Room::Lanes(_)) => {
                self.desk.policy.downloads_max.saturating_sub(self.taken(service, Slot::Fetch))
            }
        };
        if lanes == 0 { Room::Closed(None) } else { Room::Lanes(lanes) }
    }

    /// Which of these are begun now, and how many were looked at for that. The best probe is an
    /// export whose own last call did not fail.
    fn choose(
        &mut self,
        queue: &Queue,
        due: &[Due],
        room: Room,
        seen: &HashSet<ExportId>,
        now: Timestamp,
    ) -> (Vec<ExportId>, usize) {
        let mut chosen = Vec::new();
        let mut looked_at = 0;
        for row in due {
            if chosen.len() >= lanes(room) && room != Room::Probe {
                break;
            }
            looked_at += 1;
            let left_aside = self.aside.get(&row.id).is_some_and(|aside| aside.until > now);
            let is_under_way = queue.lane != Lane::UnderWay && self.under_way.contains_key(&row.id);
            if !left_aside && !is_under_way && !seen.contains(&row.id) {
                chosen.push(row.id.clone());
            }
        }
        if room == Room::Probe {
            let gate = self.gate(&queue.service);
            let best = chosen.iter().position(|id| !gate.was_silent(id)).unwrap_or(0);
            chosen = chosen.into_iter().nth(best).into_iter().collect();
        }
        (chosen, looked_at)
    }

    /// Plans these exports and begins what they need.
    async fn begin_some(&mut self, queue: &Queue, ids: Vec<ExportId>) -> Result<BegunSome> {
        let service = &queue.service;
        let policy = &self.desk.policy;
        let mut left = Left {
            fetches: policy.downloads_max.saturating_sub(self.taken(service, Slot::Fetch)),
            held_polls: policy.held_polls_max.saturating_sub(self.taken(service, Slot::HeldPoll)),
            describes: usize::from(!self.is_described(service)),
        };
        let wanted: Vec<(ExportId, Beside)> =
            ids.into_iter().map(|id| self.with_beside(id)).collect();
        let started = self.desk.blocking(move |desk| Ok(open_all(desk, wanted, &mut left))).await?;
        let (mut wake, mut waiting) = (Vec::new(), 0);
        for (id, started) in started {
            match started {
                Ok(Started::Begun(begun)) => self.drive(queue, id, *begun),
                Ok(Started::NoCall) => {}
                Ok(Started::AwaitsAnother) => waiting += 1,
                // What it was to learn could not be written down.
                Ok(Started::Learns(_)) => wake.push(self.leave_aside(id)),
                Ok(Started::Waits(at)) => wake.push(at),
                Ok(Started::Changed) => {
                    wake.push(later(self.desk.clock.now(), self.desk.policy.look_gap_first))
                }
                Err(error) => {
                    tracing::error!(event = "begin_failed", export_id = %id, reason = %error);
                    wake.push(self.leave_aside(id));
                }
            }
        }
        Ok(BegunSome { again: wake.into_iter().min(), waiting })
    }

    /// Whether a describe of this service is under way.
    fn is_described(&self, service: &ServiceId) -> bool {
        let of_service = self.under_way.values().filter(|calls| calls.service == *service);
        let is_describe = |(kind, slot): &(AttemptKind, Slot)| {
            *kind == AttemptKind::Describe && *slot != Slot::Over
        };
        of_service.flat_map(|calls| &calls.calls).any(is_describe)
    }

    fn with_beside(&self, id: ExportId) -> (ExportId, Beside) {
        let beside = match self.under_way.get(&id).map(|under_way| under_way.calls.as_slice()) {
            None | Some([]) => Beside::Nothing,
            Some([(AttemptKind::Submit, _)]) => Beside::Submit,
            Some(_) => Beside::Other,
        };
        (id, beside)
    }

    fn drive(&mut self, queue: &Queue, id: ExportId, begun: Begun) {
        let slot = match (queue.lane, begun.kind()) {
            (Lane::UnderWay | Lane::Asked, _) => Slot::Asked,
            (Lane::Fetch, _) | (Lane::Call, AttemptKind::Download) => Slot::Fetch,
            (Lane::Call, _) if begun.is_held_poll() => Slot::HeldPoll,
            (Lane::Call, _) => Slot::Call,
        };
        if queue.lane == Lane::Call || queue.lane == Lane::Fetch {
            self.gate(&queue.service).begun(&id);
        }
        self.aside.remove(&id);
        let under_way = self.under_way.entry(id).or_insert_with(|| super::UnderWay {
            service: queue.service.clone(),
            calls: Vec::new(),
        });
        under_way.calls.push((begun.kind(), slot));
        let if_it_breaks = begun.broken();
        let drive = self.drives.spawn(drive::run(Arc::clone(&self.desk), begun));
        self.broken.insert(drive.id(), if_it_breaks);
    }

    fn leave_aside(&mut self, id: ExportId) -> Timestamp {
        let times = self.aside.get(&id).map_or(0, |aside| aside.times.saturating_add(1));
        let until = later(self.desk.clock.now(), self.desk.policy.look_gap(times, 1.0));
        if self.aside.len() < ASIDE_MAX {
            self.aside.insert(id, Aside { until, times });
        }
        until
    }
}

/// What came of some exports that were due.
struct BegunSome {
    /// When to look again, if early.
    again: Option<Timestamp>,
    /// So many wait for a describe that is under way. Each keeps its place in the lanes: whatever is
    /// behind it is not read as long as it waits.
    waiting: usize,
}

/// Opens these. Those that learn from another's describe learn it together, then each is opened.
fn open_all(
    desk: &Desk,
    wanted: Vec<(ExportId, Beside)>,
    left: &mut Left,
) -> Vec<(ExportId, Result<Started>)> {
    let (mut opened, mut learning, mut known) = (Vec::new(), Vec::new(), None);
    for (id, beside) in wanted {
        match open(desk, &id, beside, left) {
            Ok(Started::Learns(facts)) => {
                learning.push((id, beside));
                known = Some(facts);
            }
            started => opened.push((id, started)),
        }
    }
    if let Some(facts) = known {
        let ids: Vec<ExportId> = learning.iter().map(|(id, _)| id.clone()).collect();
        let learnt = desk.change_each(&ids, &mut |record| {
            plan::learn_from_another(record, &facts);
            plan::replan(record, desk.moment());
        });
        if let Err(error) = learnt {
            tracing::error!(event = "facts_not_shared", reason = %error);
        }
        let open = |(id, beside)| {
            let started = open(desk, &id, beside, left);
            (id, started)
        };
        opened.extend(learning.into_iter().map(open));
    }
    opened
}

fn lanes(room: Room) -> usize {
    match room {
        Room::Lanes(lanes) => lanes,
        Room::Probe => 1,
        Room::Closed(_) => 0,
    }
}

/// Plans one export as it is now, and opens its attempt where a call is due.
fn open(desk: &Desk, id: &ExportId, beside: Beside, left: &mut Left) -> Result<Started> {
    let Some(record) = desk.store.get(id)? else { return Ok(Started::Changed) };
    let action = plan::next_action(&record, desk.moment());
    let Some(kind) = action.call() else {
        // A time passed that changes what is shown or planned, and no call is due.
        let at = if let Action::WaitUntil(at, _) = action { Some(at) } else { None };
        let mut planned = None;
        if beside == Beside::Nothing || at.is_some() || action == Action::WaitForCall {
            // It may be due in this very instant, which this pass has looked at already.
            planned = rewrite(desk, id)?;
        }
        return Ok(at.or(planned).map_or(Started::NoCall, Started::Waits));
    };
    // Only a look may run beside another call of the same export, and only beside a submit.
    let may_run = match beside {
        Beside::Nothing => kind != AttemptKind::Download || left.fetches > 0,
        Beside::Submit => kind == AttemptKind::Lookup,
        Beside::Other => false,
    };
    if !may_run {
        return Ok(Started::NoCall);
    }
    if kind == AttemptKind::Describe {
        let known = desk.store.facts_of(&record.export.account.service)?;
        match known.filter(|facts| plan::spares_a_describe(&record, facts, desk.moment())) {
            Some(facts) => return Ok(Started::Learns(Box::new(facts))),
            None if left.describes == 0 => return Ok(Started::AwaitsAnother),
            None => {}
        }
    }
    let hold = if left.held_polls > 0 { drive::Answer::MayBeHeld } else { drive::Answer::AtOnce };
    let Some(begun) = drive::open(desk, record, action, hold)? else {
        return Ok(Started::Changed);
    };
    left.fetches -= usize::from(kind == AttemptKind::Download);
    left.held_polls -= usize::from(begun.is_held_poll());
    left.describes -= usize::from(kind == AttemptKind::Describe);
    Ok(Started::Begun(Box::new(begun)))
}

/// Plans one export anew and publishes it. Returns when it is due.
fn rewrite(desk: &Desk, id: &ExportId) -> Result<Option<Timestamp>> {
    let Some(record) = desk.change(id, |_, _| Ok(()))? else { return Ok(None) };
    desk.publish(&record)?;
    desk.release_after(&record)?;
    Ok(record.next_action_at)
}
