//! One drive: one attempt for one export, from its durable beginning to its end.
//!
//! No submit, abandon or cancel leaves without an open attempt row on disk. Looks, polls and
//! downloads change nothing at the service and are recorded when they end.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use tokio::sync::watch;

use super::fetching;
use crate::{
    attempt::{AttemptEnd, AttemptKind, AttemptResult, CallReason, DeferUntil, Phase},
    connector::{Call, Submit, Target},
    desk::{Desk, Result},
    journal::Hold,
    plan::{Action, LookBy, replan, traits_window},
    record::Record,
    store::{Change, EndedAttempt, MadeWith},
};

/// A drive that may make its call.
pub(super) struct Begun {
    record: Record,
    action: Action,
    kind: AttemptKind,
    attempt_no: u32,
    span_id: String,
    started_at: Timestamp,
    /// How long the service may hold its answer.
    held_for: Option<Duration>,
}

/// Whether a service may hold its answer to a poll until the job changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It may.
    MayBeHeld,
    /// So many are held already that this one is to be answered at once.
    AtOnce,
}

/// Opens the attempt. None where no call is due, or the export changed since it was read: the next
/// pass looks again.
pub(super) fn open(
    desk: &Desk,
    record: Record,
    action: Action,
    answer: Answer,
) -> Result<Option<Begun>> {
    let Some(kind) = action.call() else { return Ok(None) };
    let moment = desk.moment();
    let (id, version) = (record.export.id.clone(), record.version);
    let span_id = crate::trace::new_span_id();
    let change = match kind {
        AttemptKind::Submit => Some(Change::Submit),
        AttemptKind::Abandon => Some(Change::Abandon),
        AttemptKind::Cancel => Some(Change::Cancel),
        AttemptKind::Describe | AttemptKind::Lookup | AttemptKind::Poll | AttemptKind::Download => {
            None
        }
    };
    let (record, attempt_no) = match change {
        Some(change) => {
            let begun =
                desk.store.begin_change(&id, version, change, &span_id, moment.now, &|record| {
                    replan(record, moment);
                })?;
            let Some((record, attempt_no)) = begun else { return Ok(None) };
            desk.publish(&record)?;
            (record, attempt_no)
        }
        None => (record, desk.store.reserve_look(&id)?),
    };
    let held_for = match (kind, answer) {
        (AttemptKind::Poll, Answer::MayBeHeld) => wait(desk, &record),
        (_, _) => None,
    };
    let started_at = moment.now;
    Ok(Some(Begun { record, action, kind, attempt_no, span_id, started_at, held_for }))
}

/// Makes the call and hands back how it ended.
pub(super) async fn run(desk: Arc<Desk>, begun: Begun) -> EndedAttempt {
    let service = &begun.record.export.account.service;
    let before = desk.made_with(service, None);
    let (end, credential) = match prelude(&desk, &begun).await {
        Ok(call) => {
            let made_with = desk.made_with(service, call.credential.as_ref());
            (call_once(&desk, &begun, &call).await, made_with)
        }
        Err(end) => (*end, before),
    };
    if end.result.wants_sign_in()
        || end.result == (AttemptResult::NotSent { reason: CallReason::NoCredential })
    {
        // Another process may have signed in meanwhile: what it keeps is counted by being read.
        desk.read_credential_anew(service).await;
        drop(desk.credential(service).await);
    }
    let ended_at = desk.clock.now();
    log(&begun, &end, ended_at);
    EndedAttempt { credential, ..begun.ended(ended_at, end) }
}

/// What every call needs: the credential, and once per credential the knowledge whose it is. Where
/// that can not be had nothing is sent.
async fn prelude(desk: &Arc<Desk>, begun: &Begun) -> std::result::Result<Call, Box<AttemptEnd>> {
    let export = &begun.record.export;
    let clock = Arc::clone(&desk.clock);
    let mut call = Call::of(export, begun.attempt_no, begun.span_id.clone(), clock);
    call.timeouts = desk.timeouts();
    call.language = desk.language();
    if begun.kind == AttemptKind::Describe {
        return Ok(call);
    }
    if desk.credential(&export.account.service).await.is_none() {
        return Err(Box::new(not_sent(CallReason::NoCredential)));
    }
    let caller = match desk.caller_of(&export.account.service).await {
        Ok(caller) => caller,
        Err(end) => {
            if end.result.wants_sign_in() {
                desk.read_credential_anew(&export.account.service).await;
            }
            return Err(Box::new(unable(&end)));
        }
    };
    // Read after the caller, who tells when it is another's than the one in memory.
    call.credential = desk.credential(&export.account.service).await;
    if call.credential.is_none() {
        return Err(Box::new(not_sent(CallReason::NoCredential)));
    }
    match &export.account.subject {
        Some(subject) if *subject != caller.subject => {
            let id = export.id.clone();
            hold(desk, id, Hold::OtherAccount).await;
            Err(Box::new(not_sent(CallReason::NoCredential)))
        }
        Some(_) => Ok(call),
        None => {
            if let Some(expected) = &mut call.expected {
                expected.subject = Some(caller.subject);
            }
            Ok(call)
        }
    }
}

/// The call before this one did not get through, so this one was not sent.
fn unable(end: &AttemptEnd) -> AttemptEnd {
    match end.result {
        AttemptResult::Deferred { until: DeferUntil::SignIn } => not_sent(CallReason::NoCredential),
        AttemptResult::NotSent { reason } | AttemptResult::Lost { reason, .. } => not_sent(reason),
        // Of a catalogue a 404 says that there is no such tenant, as far as this account may know.
        AttemptResult::Refused { .. } => not_sent(CallReason::AccessRefused),
        AttemptResult::Deferred { until: DeferUntil::Time(_) } => not_sent(CallReason::AskedToWait),
        AttemptResult::Found { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => not_sent(CallReason::ConnectFailed),
    }
}

fn not_sent(reason: CallReason) -> AttemptEnd {
    AttemptEnd {
        result: AttemptResult::NotSent { reason },
        http_status: None,
        service_time: None,
        phases: Vec::new(),
    }
}

async fn hold(desk: &Arc<Desk>, id: crate::export::ExportId, hold: Hold) {
    let held = desk
        .blocking(move |desk| {
            desk.change(&id, |record, _| {
                record.journal.holds.insert(hold);
                Ok(())
            })
        })
        .await;
    if let Err(error) = held {
        tracing::error!(event = "hold_failed", reason = %error);
    }
}

async fn call_once(desk: &Arc<Desk>, begun: &Begun, call: &Call) -> AttemptEnd {
    let crossing =
        tokio::spawn(tell_crossing(Arc::clone(desk), call.progress.subscribe(), begun.mark()));
    let end = request(desk, begun, call).await;
    crossing.abort();
    end
}

impl Begun {
    fn ended(&self, ended_at: Timestamp, end: AttemptEnd) -> EndedAttempt {
        EndedAttempt {
            export: self.record.export.id.clone(),
            attempt_no: self.attempt_no,
            kind: self.kind,
            span_id: self.span_id.clone(),
            started_at: self.started_at,
            ended_at,
            end,
            credential: MadeWith::Current,
        }
    }

    /// How it ends if its drive breaks: nobody knows how far it came.
    pub(super) fn broken(&self) -> EndedAttempt {
        let (phase, reason) = (Phase::Send, CallReason::Interrupted);
        let end = AttemptEnd {
            result: AttemptResult::Lost { phase, reason, hint: None },
            http_status: None,
            service_time: None,
            phases: Vec::new(),
        };
        self.ended(self.started_at, end)
    }

    pub(super) fn kind(&self) -> AttemptKind {
        self.kind
    }

    /// Whether it is a poll that the service may hold.
    pub(super) fn is_held_poll(&self) -> bool {
        self.held_for.is_some()
    }

    fn mark(&self) -> Option<(crate::export::ExportId, u32)> {
        self.kind.changes_something().then(|| (self.record.export.id.clone(), self.attempt_no))
    }
}

/// Writes down that the submission boundary was crossed, as it is: the screen says from then on
/// that the request may have left.
async fn tell_crossing(
    desk: Arc<Desk>,
    mut phases: watch::Receiver<Phase>,
    mark: Option<(crate::export::ExportId, u32)>,
) {
    let Some((id, attempt_no)) = mark else { return };
    if phases.wait_for(|phase| *phase >= Phase::Send).await.is_err() {
        return;
    }
    let crossed = desk
        .blocking(move |desk| {
            let moment = desk.moment();
            let record = desk.store.mark_crossed(&id, attempt_no, moment.now, &|record| {
                replan(record, moment);
            })?;
            desk.publish(&record)?;
            Ok(())
        })
        .await;
    if let Err(error) = crossed {
        tracing::error!(event = "crossing_not_written", reason = %error);
    }
    // The soft time-out is due from now on.
    desk.wake.notify_one();
}

async fn request(desk: &Arc<Desk>, begun: &Begun, call: &Call) -> AttemptEnd {
    let Record { export, journal, .. } = &begun.record;
    let connector = &desk.connector;
    let Some(first_sent) = journal.first_sent.or_else(|| needless(&begun.action)) else {
        return not_sent(CallReason::RequestInvalid);
    };
    match &begun.action {
        Action::Describe => connector.describe(call).await,
        Action::Submit => {
            connector.submit(call, &Submit { body: export.body.clone(), first_sent }).await
        }
        Action::Lookup(by) => {
            let target = match by {
                LookBy::Job(id) => Target::Job(id.clone()),
                LookBy::Key => Target::Key { first_sent },
                LookBy::Traits => traits(&begun.record, desk.clock.now()),
            };
            connector.lookup(call, &target).await
        }
        Action::Poll(id) => connector.poll(call, id, begun.held_for).await,
        Action::Abandon => connector.abandon(call, first_sent).await,
        Action::Cancel(id) => connector.cancel(call, id).await,
        Action::Download => fetching::fetch(desk, &begun.record, call).await,
        Action::WaitUntil(..)
        | Action::WaitForCall
        | Action::WaitForPerson(_)
        | Action::Close(_)
        | Action::NeverSend
        | Action::RaiseNoProgress
        | Action::Done => not_sent(CallReason::RequestInvalid),
    }
}

/// Calls that carry no First-Sent go without one.
fn needless(action: &Action) -> Option<Timestamp> {
    match action {
        Action::Submit | Action::Abandon | Action::Lookup(LookBy::Key) => None,
        Action::Describe
        | Action::Lookup(LookBy::Job(_) | LookBy::Traits)
        | Action::Poll(_)
        | Action::Cancel(_)
        | Action::Download
        | Action::WaitUntil(..)
        | Action::WaitForCall
        | Action::WaitForPerson(_)
        | Action::Close(_)
        | Action::NeverSend
        | Action::RaiseNoProgress
        | Action::Done => Some(Timestamp::UNIX_EPOCH),
    }
}

fn traits(record: &Record, now: Timestamp) -> Target {
    let (created_after, created_before) = traits_window(record, now);
    Target::Traits { created_after, created_before }
}

/// How long the service may hold its answer until the job changes.
fn wait(desk: &Desk, record: &Record) -> Option<Duration> {
    let longest = record.facts.as_ref()?.capabilities.max_wait_s;
    let checking = record.journal.wishes.check || record.journal.wishes.cancel.is_some();
    (longest > 0 && !checking)
        .then(|| Duration::from_secs(longest.into()).min(desk.policy.poll_wait_max))
}

fn log(begun: &Begun, end: &AttemptEnd, ended_at: Timestamp) {
    let export = &begun.record.export;
    let reason = end.result.reason();
    tracing::info!(
        event = "attempt_ended",
        export_id = %export.id,
        request_key = %export.request_key,
        business_id = begun.record.knowledge.business_id().map(|id| id.to_string()),
        attempt_no = begun.attempt_no,
        kind = %begun.kind,
        phase = end.phases.last().map(|mark| mark.phase.as_str()),
        call_result = %end.result.call_result(),
        result = end.result.word(),
        reason = reason.map(|reason| reason.as_str()),
        http_status = end.http_status,
        duration_ms = i64::try_from(ended_at.duration_since(begun.started_at).as_millis()).ok(),
        trace_id = export.trace_id,
    );
}
