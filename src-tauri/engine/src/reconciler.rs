//! The one background task: it takes no input and asks the store what is due.
//!
//! A click, a timer, a restart and an answer all end here. A pass starts a drive for each export
//! that is due, has none, and may call its service now ([`gate`]); a drive makes at most one call;
//! what it brought is written down, many ends in one transaction, and only then published. The next
//! pass is the retry: nothing in here retries by itself.
//!
//! What must stay true: an export that is stuck holds up no other, and neither does a service: each
//! has lanes of its own. What is not to be called now is not read, so a pass is as long as what it
//! begins and not as what waits. While nothing is due, nothing wakes.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tokio::task::{self, JoinSet};

use crate::{
    attempt::AttemptKind,
    clock::was_set_back,
    desk::{Desk, Result},
    export::{ExportId, ServiceId},
    journal::{Hold, later},
    plan::{self, Ended},
    record::Record,
    store::{EndedAttempt, Wake},
};

mod begin;
mod drive;
mod ends;
mod fetching;
mod follow_up;
mod gate;
mod spread;

use gate::Gate;

/// Gap between looks at the store where the file `wake` can not be watched.
const UNWATCHED_GAP: Duration = Duration::from_secs(2);

/// Drives everything that is open until the engine is shut down.
pub(crate) async fn run(desk: Arc<Desk>) {
    let mut pass = Pass::new(desk);
    // Begun before the first look at the store: what is recorded after it is not missed.
    let wake_file = match Wake::watch(pass.desk.store.home()) {
        Ok(wake_file) => Some(wake_file),
        Err(error) => {
            tracing::error!(event = "wake_not_watched", reason = %error);
            None
        }
    };
    loop {
        pass.write_again().await;
        pass.hear_of_services();
        pass.hear_of_the_clock().await;
        let more = pass.spread().await;
        let next_due = match pass.begin_due().await {
            Ok(next_due) => next_due,
            Err(error) => {
                tracing::error!(event = "pass_failed", reason = %error);
                Some(pass.soon())
            }
        };
        let next_due = next_due.into_iter().chain(pass.write_again_at()).min();
        let desk = Arc::clone(&pass.desk);
        tokio::select! {
            () = desk.stop.cancelled() => break,
            () = desk.wake.notified() => {}
            () = called(&desk, wake_file.as_ref()) => pass.doubt(),
            () = sleep_until(&desk, next_due, pass.latest) => {}
            () = std::future::ready(()), if more => {}
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

/// Sleeps until then, or until the clock is set back: also where that was done since it showed
/// `latest`, while the pass was at work.
async fn sleep_until(desk: &Desk, at: Option<Timestamp>, latest: Timestamp) {
    match at {
        Some(_) if was_set_back(latest, desk.clock.now()) => {}
        Some(at) => desk.clock.sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// What a call that is under way takes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// A lane of its service.
    Call,
    /// One of those that a person asked for, which go beside all others.
    Asked,
    /// One of the polls that the service may hold.
    HeldPoll,
    /// One of the fetches.
    Fetch,
    /// Nothing any more: it has ended and is to be written down.
    Over,
}

/// Calls under way for one export: one that can change something, and at most one look beside it.
struct UnderWay {
    service: ServiceId,
    calls: Vec<(AttemptKind, Slot)>,
}

struct Pass {
    desk: Arc<Desk>,
    drives: JoinSet<EndedAttempt>,
    under_way: HashMap<ExportId, UnderWay>,
    gates: HashMap<ServiceId, Gate>,
    /// How the attempt of each drive ends if the drive itself breaks.
    broken: HashMap<task::Id, EndedAttempt>,
    /// Exports for which nothing could be begun, and until when each is left alone.
    aside: HashMap<ExportId, begin::Aside>,
    /// What is still to be told to the exports of a service.
    news: HashMap<ServiceId, spread::News>,
    unwritten: ends::Unwritten,
    /// The latest that the clock has shown.
    latest: Timestamp,
}

impl Pass {
    fn new(desk: Arc<Desk>) -> Self {
        let latest = desk.clock.now();
        Self {
            desk,
            drives: JoinSet::new(),
            under_way: HashMap::new(),
            gates: HashMap::new(),
            broken: HashMap::new(),
            aside: HashMap::new(),
            news: HashMap::new(),
            unwritten: ends::Unwritten::default(),
            latest,
        }
    }

    /// When to look again after something could not be done.
    fn soon(&self) -> Timestamp {
        later(self.desk.clock.now(), self.desk.policy.poll_gap_first)
    }

    fn gate(&mut self, service: &ServiceId) -> &mut Gate {
        self.gates.entry(service.clone()).or_insert_with(Gate::new)
    }

    /// How many calls of a service take up such a slot.
    fn taken(&self, service: &ServiceId, slot: Slot) -> usize {
        let of_service = self.under_way.values().filter(|calls| calls.service == *service);
        of_service.flat_map(|calls| &calls.calls).filter(|(_, taken)| *taken == slot).count()
    }

    /// Another process wrote something: a service that was down may be looked at now.
    fn doubt(&mut self) {
        let now = self.desk.clock.now();
        self.gates.values_mut().for_each(|gate| gate.doubt(now));
    }

    /// Opens the gates of services that were found to answer by another way than a drive.
    fn hear_of_services(&mut self) {
        let answering: HashSet<ServiceId> = std::mem::take(
            &mut *self.desk.answering.lock().unwrap_or_else(PoisonError::into_inner),
        );
        for service in answering {
            self.gate(&service).open();
            self.news.insert(service, spread::News::back());
        }
    }

    /// A clock that was set back would put off by as much whatever was planned by it before: all that
    /// is open is planned anew.
    async fn hear_of_the_clock(&mut self) {
        let now = self.desk.clock.now();
        if was_set_back(self.latest, now) {
            self.latest = now;
            self.doubt();
            match self.desk.blocking(|desk| Ok(desk.store.services()?)).await {
                Ok(services) => {
                    let known = services.into_iter().map(|service| service.id);
                    self.news.extend(known.map(|service| (service, spread::News::back())));
                }
                Err(error) => tracing::error!(event = "clock_not_heard_of", reason = %error),
            }
        }
        self.latest = self.latest.max(now);
    }

    /// Stops fetches that the person no longer wants: whichever process recorded that.
    async fn stop_unwanted(&self) -> Result<()> {
        let is_fetch = |(kind, _): &(AttemptKind, Slot)| *kind == AttemptKind::Download;
        let fetching: Vec<ExportId> = self
            .under_way
            .iter()
            .filter(|(_, under_way)| under_way.calls.iter().any(is_fetch))
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

/// The journal and the plan after one attempt; its evidence is joined already.
pub(crate) fn advance(desk: &Desk, record: &mut Record, end: &EndedAttempt) {
    let held = record.journal.holds.contains(&Hold::SignIn);
    plan::advance(record, ended_of(end), desk.moment());
    let holds = &record.journal.holds;
    let by_this_end = holds.contains(&Hold::SignIn) && !held;
    if by_this_end && desk.is_former(&record.export.account.service, end.credential) {
        let others = holds.contains(&Hold::OtherAccount);
        // What waits for a sign-in has had it; it may have been somebody else's.
        plan::signed_in(record, end.ended_at);
        if others {
            record.journal.holds.insert(Hold::OtherAccount);
        }
        plan::replan(record, desk.moment());
    }
}

fn ended_of(end: &EndedAttempt) -> Ended<'_> {
    Ended {
        kind: end.kind,
        result: &end.end.result,
        http_status: end.end.http_status,
        started_at: end.started_at,
        ended_at: end.ended_at,
    }
}
