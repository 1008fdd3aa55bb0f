//! What a person wants, written into the journal. Any process may record a wish; the driver does it.
//!
//! Each verb says whether it can be done now, and changes nothing where it can not.

use jiff::Timestamp;

use super::{Ended, LookBy, Moment, Planner, copied::let_go_knowingly};
use crate::{
    attempt::{AttemptKind, AttemptResult, CallReason},
    delivery::Want,
    journal::{CancelTurn, Furthest, Hold, Sending, Turn, UnresolvedReason, Window},
    knowledge::{BusinessOutcome, ByHand, Evidence},
    policy::Policy,
    record::Record,
    stage::{Stage, business_outcome, may_exist, stage},
};

/// What a person wished can not be done in this stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that can not be done now")]
pub struct NotNow;

pub(super) fn stage_of(record: &Record, now: Timestamp) -> Stage {
    let Record { knowledge, journal, delivery, facts, .. } = record;
    stage(knowledge, journal, delivery, facts.as_ref(), now)
}

/// Cancel, by whatever verb fits: withdraw, abandon, cancel, or stop the fetch.
///
/// # Errors
/// It is settled already; a job is known, and the service can not cancel one.
pub fn cancel(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    let stage = stage_of(record, now);
    if stage.is_settled() {
        return Err(NotNow);
    }
    if stage == Stage::Ready || stage == Stage::Downloading {
        record.delivery.want = Want::OnRequest;
        record.delivery.kept = 0;
        record.delivery.failures = 0;
        record.journal.holds.retain(|hold| !hold.is_of_the_fetch());
        record.journal.schedule.next_at = None;
        return Ok(());
    }
    let can_cancel = record.facts.as_ref().is_some_and(|facts| facts.capabilities.cancel);
    if record.knowledge.job().is_some() && !can_cancel {
        return Err(NotNow);
    }
    record.journal.wishes.cancel.get_or_insert(now);
    record.journal.schedule.next_at = None;
    record.journal.schedule.not_before = None;
    record.journal.schedule.change_tries = 0;
    record.journal.schedule.cancel_turn = CancelTurn::Due;
    if record.journal.schedule.closed.is_some() {
        record.journal.open_window(now);
    }
    Ok(())
}

/// Look now: a look-up or a poll; where nothing was sent, a try to send.
///
/// # Errors
/// It is settled already.
pub fn look_now(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    if stage_of(record, now).is_settled() {
        return Err(NotNow);
    }
    if record.journal.schedule.closed.is_some() {
        record.journal.open_window(now);
    }
    let submit = record.journal.under_way(AttemptKind::Submit);
    record.journal.wishes.check = may_exist(&record.knowledge, record.facts.as_ref())
        || record.knowledge.business_id().is_some()
        || submit.is_some_and(|submit| submit.crossed_at.is_some());
    record.journal.schedule.not_before = None;
    record.journal.schedule.next_at = Some(now);
    Ok(())
}

/// Send now what waits to be sent.
///
/// # Errors
/// It does not wait to be sent.
pub fn send_now(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    match stage_of(record, now) {
        Stage::WaitingToSend | Stage::Sending => {}
        Stage::Confirming
        | Stage::Accepted
        | Stage::Running
        | Stage::Cancelling
        | Stage::Ready
        | Stage::Downloading
        | Stage::Saved
        | Stage::Rejected
        | Stage::NotCreated
        | Stage::Failed
        | Stage::Cancelled
        | Stage::Expired
        | Stage::Unresolved => return Err(NotNow),
    }
    if record.journal.turn == Turn::Person {
        record.journal.turn = Turn::Free;
    }
    record.journal.schedule.not_before = None;
    record.journal.schedule.next_at = Some(now);
    Ok(())
}

/// Whether the same key may be sent again now, because the person wants it.
pub fn may_resend(record: &Record, moment: Moment<'_>) -> bool {
    let mut asked = record.clone();
    asked.journal.wishes.resend = true;
    let_go_knowingly(&mut asked, moment);
    let unknown = business_outcome(&record.knowledge, &record.journal, record.facts.as_ref())
        == BusinessOutcome::Unknown;
    unknown && record.knowledge.job().is_none() && Planner { record: &asked, moment }.may_submit()
}

/// Send again, with the same key.
///
/// # Errors
/// The key may not be submitted any more, or what became of it is known.
pub fn send_again(record: &mut Record, moment: Moment<'_>) -> Result<(), NotNow> {
    if !may_resend(record, moment) {
        return Err(NotNow);
    }
    let_go_knowingly(record, moment);
    if record.journal.schedule.closed.is_some() {
        record.journal.open_window(moment.now);
    }
    record.journal.wishes.resend = true;
    record.journal.schedule.next_at = Some(moment.now);
    Ok(())
}

/// The person looked it up by hand: once Docket has given up, or can not call. A finding that there
/// is none is corrected by one that there is.
///
/// # Errors
/// What became of it is known already, or is still looked for; of several jobs under its key none of
/// those is named.
pub fn settle(record: &mut Record, finding: ByHand, now: Timestamp) -> Result<(), NotNow> {
    let (names_a_job, shown) = match &finding {
        ByHand::Absent => (false, false),
        ByHand::Job { business_id } => (true, record.knowledge.jobs.contains_key(business_id)),
    };
    let corrects = names_a_job && record.knowledge.is_absent_by_hand();
    let stage = stage_of(record, now);
    let given_up = stage == Stage::Unresolved || record.journal.sending == Sending::Copied;
    let asked_for = given_up || can_not_be_asked(record) || corrects;
    if record.knowledge.job().is_some() || !asked_for || (stage.is_settled() && !corrects) {
        return Err(NotNow);
    }
    if record.knowledge.is_breached() && !shown {
        return Err(NotNow);
    }
    record.knowledge.add(Evidence::ByHand { finding, at: now });
    record.journal.open_window(now);
    let schedule = &mut record.journal.schedule;
    schedule.next_at = Some(now);
    // What was heard may have been of the other job.
    schedule.heard = None;
    schedule.furthest = Furthest::default();
    schedule.news_at = record.knowledge.job().map(|_| now);
    schedule.file_address = None;
    record.journal.wishes.check |= names_a_job;
    Ok(())
}

/// The service was asked about the job that the person named, and has none that is ours: it is not
/// asked about again, so that a slip of the pen costs one look.
pub(super) fn set_aside_a_wrong_name(record: &mut Record, end: Ended<'_>, policy: &Policy) {
    let denied = matches!(
        end.result,
        AttemptResult::NotSeen { .. } | AttemptResult::Lost { reason: CallReason::Mismatched, .. }
    );
    let moment = Moment { policy, now: end.ended_at, chance: 0.0 };
    let asked = Planner { record, moment }.look_by();
    let Some(LookBy::Job(id)) = asked.filter(|_| denied) else { return };
    let business_id = id.to_string();
    if record.knowledge.by_hand.contains(&ByHand::Job { business_id: business_id.clone() }) {
        record.knowledge.add(Evidence::Denied { business_id, at: end.started_at });
    }
}

/// Whether no call is made for it until the person does something.
fn can_not_be_asked(record: &Record) -> bool {
    let holds = &record.journal.holds;
    let no_look = record.facts.as_ref().is_some_and(|facts| {
        !facts.capabilities.lookup_by_key && !facts.capabilities.lookup_by_traits
    });
    holds.contains(&Hold::SignIn)
        || holds.contains(&Hold::OtherAccount)
        || (holds.contains(&Hold::RestoredStore) && no_look)
}

/// Stop fetching for now.
///
/// # Errors
/// Nothing is being fetched.
pub fn pause(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    match stage_of(record, now) {
        Stage::Ready | Stage::Downloading => {
            record.journal.holds.insert(Hold::Paused);
            record.journal.schedule.next_at = None;
            Ok(())
        }
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Accepted
        | Stage::Running
        | Stage::Cancelling
        | Stage::Saved
        | Stage::Rejected
        | Stage::NotCreated
        | Stage::Failed
        | Stage::Cancelled
        | Stage::Expired
        | Stage::Unresolved => Err(NotNow),
    }
}

/// Go on fetching, whatever stopped it.
///
/// # Errors
/// There is nothing to fetch.
pub fn resume(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    let stage = stage_of(record, now);
    if stage != Stage::Ready && stage != Stage::Downloading {
        return Err(NotNow);
    }
    begin_anew(record, now);
    Ok(())
}

/// Fetch the file; also again, where it was moved or deleted since.
///
/// # Errors
/// There is no file to fetch.
pub fn fetch_file(record: &mut Record, now: Timestamp) -> Result<(), NotNow> {
    let outcome = business_outcome(&record.knowledge, &record.journal, record.facts.as_ref());
    if outcome != BusinessOutcome::Succeeded {
        return Err(NotNow);
    }
    record.delivery.saved = None;
    begin_anew(record, now);
    Ok(())
}

fn begin_anew(record: &mut Record, now: Timestamp) {
    record.delivery.want = Want::Fetch;
    record.delivery.failures = 0;
    record.delivery.wrong_digests = 0;
    record.journal.holds.retain(|hold| !hold.is_of_the_fetch());
    let schedule = &mut record.journal.schedule;
    schedule.not_before = None;
    schedule.next_at = Some(now);
    // What was given up as too long without news has its time anew.
    schedule.news_at = Some(now);
}

/// A valid credential of the right account is here again.
pub fn signed_in(record: &mut Record, now: Timestamp) {
    let journal = &mut record.journal;
    journal.holds.remove(&Hold::SignIn);
    journal.holds.remove(&Hold::OtherAccount);
    // How long nobody could look says nothing of a job: it is asked first.
    journal.wishes.check |= record.knowledge.job().is_some();
    match journal.schedule.closed {
        Some(UnresolvedReason::SignInRefused | UnresolvedReason::AccessWithdrawn) => {
            journal.open_window(now);
        }
        Some(_) | None => journal.schedule.next_at = None,
    }
}

/// Whose credential is here is known: what that subject asked for goes on, what another asked for
/// waits.
pub fn meet_caller(record: &mut Record, subject: &str, now: Timestamp) {
    let holds = &mut record.journal.holds;
    match &record.export.account.subject {
        Some(ours) if ours != subject => {
            holds.remove(&Hold::SignIn);
            holds.insert(Hold::OtherAccount);
            record.journal.schedule.next_at = None;
        }
        Some(_) => {
            let held = holds.contains(&Hold::SignIn) || holds.contains(&Hold::OtherAccount);
            if held || record.journal.schedule.closed.is_some() {
                signed_in(record, now);
            }
        }
        None => {
            record.export.account.subject = Some(subject.to_owned());
            signed_in(record, now);
        }
    }
}

/// The service answers again, or the program begins anew: what waited for it is tried at once, and
/// what was given up is looked up once more while the service remembers it.
pub fn reachable_again(record: &mut Record, now: Timestamp) {
    let schedule = &mut record.journal.schedule;
    let unheard = |window: &Window| window.silent_tries > 0;
    let waits = schedule.retries > 0 || schedule.window.as_ref().is_some_and(unheard);
    if (waits || schedule.closed.is_some()) && schedule.next_at.is_some_and(|at| at > now) {
        schedule.next_at = Some(now);
    }
}
