//! What must hold after every step, in both databases and on the wire (lifecycle.md, invariants).
//!
//! A law looks at the book as it was and as it is, and at the requests that came in between. What a
//! person did knowingly, and a store that was put back, excuse what they explain and nothing more.

use std::collections::{BTreeMap, BTreeSet};

use docket_engine::{
    journal::Sending,
    knowledge::{ByHand, Knowledge, SubmitEnd},
};
use docket_service::Feature;
use docket_tests::{Call, proxy::Seen};

use crate::{
    book::{Attempt, Book, Entry},
    script::Service,
};

/// A law that is broken, in one sentence.
pub type Broken = String;

/// What the laws remember from step to step.
#[derive(Debug, Default)]
pub struct Laws {
    /// Keys that were proved to have no job and never to get one.
    never: BTreeSet<String>,
    /// The same, by the word of the client alone: a store that is put back takes it along.
    withdrawn: BTreeSet<String>,
    /// Attempt numbers of submits that came over the wire, by key, of all lives of the store.
    submits: BTreeMap<String, Vec<(u32, u32)>>,
    /// Submits that the service's own 401 ended, likewise.
    excused: BTreeMap<String, BTreeSet<(u32, u32)>>,
    /// Which life of the store this is: each that was put back is another.
    life: u32,
    /// Exports that the person sent again with the same key.
    pub resent: BTreeSet<String>,
    /// Exports that the person sent although the one before them is not sealed.
    pub sent_knowingly: BTreeSet<String>,
}

/// What a look at the laws needs beside the two books.
pub struct Moment<'a> {
    /// The service.
    pub service: &'a Service,
    /// The requests since the last look.
    pub seen: &'a [Seen],
    /// The export of a trace.
    pub of_trace: &'a BTreeMap<String, String>,
    /// The client's time, where it runs and nothing of it is under way.
    pub idle_at: Option<i64>,
    /// The service was put back from a copy.
    pub restored: bool,
    /// The service's time, where the client's clock was never set and shows the same.
    pub one_time: Option<i64>,
}

impl Laws {
    /// The client's store was put back: what only it knew is gone.
    pub fn store_was_put_back(&mut self) {
        self.life += 1;
        self.withdrawn.clear();
    }

    /// Holds every law against what is now.
    pub fn hold(&mut self, before: &Book, now: &Book, moment: &Moment<'_>) -> Result<(), Broken> {
        for (id, entry) in &now.exports {
            if let Some(was) = before.exports.get(id) {
                nothing_changed(was, entry)?;
                nothing_was_forgotten(&was.knowledge, &entry.knowledge)?;
            }
            one_change_at_a_time(entry)?;
            no_refusal_settles_another(now, entry)?;
            if !moment.restored {
                the_end_is_the_service_s(now, entry)?;
            }
            is_driven(entry, moment.idle_at)?;
        }
        if let Some(lost) = before.exports.keys().find(|id| !now.exports.contains_key(*id)) {
            return Err(format!("the export {lost} is gone"));
        }
        keys_are_one(now, moment.service)?;
        self.absence_is_for_ever(now)?;
        for request in moment.seen {
            self.has_its_row(now, request, moment)?;
        }
        self.what_left_was_sent(now)?;
        nothing_is_sent_any_more(before, now)?;
        self.one_submit_without_keys(now, moment.service)
    }

    /// Once it was proved that there is no job, there never is one.
    fn absence_is_for_ever(&mut self, now: &Book) -> Result<(), Broken> {
        for entry in now.exports.values() {
            if entry.knowledge.tombstone {
                self.never.insert(entry.key.clone());
            } else if entry.stage == "not_created"
                && !entry.knowledge.by_hand.contains(&ByHand::Absent)
            {
                self.withdrawn.insert(entry.key.clone());
            }
        }
        for job in now.jobs.values() {
            let Some(key) = &job.key else { continue };
            if self.never.contains(key) || self.withdrawn.contains(key) {
                return Err(format!("the key {key} was proved to have no job, and it has one"));
            }
        }
        Ok(())
    }

    /// Nothing that can change anything leaves without a row, and what was called not sent was not.
    fn has_its_row(
        &mut self,
        now: &Book,
        request: &Seen,
        moment: &Moment<'_>,
    ) -> Result<(), Broken> {
        let kind = match request.call {
            Call::Submit => "submit",
            Call::Abandon => "abandon",
            Call::Cancel => "cancel",
            Call::Service
            | Call::Operations
            | Call::Key
            | Call::Traits
            | Call::Job
            | Call::File
            | Call::Any => return Ok(()),
        };
        let id = request.trace.as_ref().and_then(|trace| moment.of_trace.get(trace));
        let Some(entry) = id.and_then(|id| now.exports.get(id)) else {
            return Err(format!("a {kind} of no export: {request:?}"));
        };
        let number = request.attempt.as_deref().and_then(|number| number.parse().ok());
        let number = number.ok_or_else(|| format!("a {kind} without a number: {request:?}"))?;
        if matches!(request.call, Call::Submit | Call::Abandon) {
            is_young_enough(entry, moment)?;
        }
        if entry.attempts.get(&number).is_none_or(|attempt| attempt.kind != kind) {
            return Err(format!("a {kind} left without a durable row: {request:?}"));
        }
        if kind == "submit" {
            if request.key.as_ref() != Some(&entry.key) {
                return Err(format!("a submit with another key than {}: {request:?}", entry.key));
            }
            let all = self.submits.entry(entry.key.clone()).or_default();
            if all.contains(&(self.life, number)) {
                return Err(format!("attempt {number} left twice: {request:?}"));
            }
            all.push((self.life, number));
            let id = id.cloned().unwrap_or_default();
            if moment.service.can(Feature::Lookup) && !self.resent.contains(&id) {
                asked_before_sending(entry, number)?;
            }
            self.after_its_seal(now, &id, entry, moment.service)?;
        }
        Ok(())
    }

    /// What came over the wire is never called not sent.
    fn what_left_was_sent(&self, now: &Book) -> Result<(), Broken> {
        for entry in now.exports.values() {
            let left = self.submits.get(&entry.key).into_iter().flatten();
            for (_, number) in left.filter(|(life, _)| *life == self.life) {
                let said = entry.knowledge.submits.get(number);
                if matches!(said, Some(SubmitEnd::NotSent { .. })) {
                    let key = &entry.key;
                    return Err(format!("submit {number} of {key} left and is called not sent"));
                }
            }
        }
        Ok(())
    }

    /// What comes after another is sent only when that one can not make a job any more.
    fn after_its_seal(
        &self,
        now: &Book,
        id: &str,
        entry: &Entry,
        service: &Service,
    ) -> Result<(), Broken> {
        let before = entry.supersedes.as_ref().and_then(|before| now.exports.get(before));
        let Some(before) = before.filter(|_| !self.sent_knowingly.contains(id)) else {
            return Ok(());
        };
        let known = &before.knowledge;
        let refused = known.refusal().is_some();
        let open = known.jobs.is_empty() && !known.tombstone && crossed(known);
        let by_hand = !known.by_hand.is_empty();
        if refused && open && !by_hand && service.can(Feature::Abandon) && !known.key_expired {
            return Err(format!("sent before {} was sealed", before.key));
        }
        Ok(())
    }

    /// Where a service takes no key twice, at most one submit of an intent may have arrived.
    fn one_submit_without_keys(&mut self, now: &Book, service: &Service) -> Result<(), Broken> {
        if service.can(Feature::Idempotency) {
            return Ok(());
        }
        for entry in now.exports.values() {
            for (number, end) in &entry.knowledge.submits {
                let until = docket_engine::attempt::DeferUntil::SignIn;
                if *end == (SubmitEnd::Deferred { until }) {
                    let excused = self.excused.entry(entry.key.clone()).or_default();
                    excused.insert((self.life, *number));
                }
            }
        }
        for (key, submits) in &self.submits {
            let excused = self.excused.get(key);
            let may_have = |submit: &&(u32, u32)| !excused.is_some_and(|all| all.contains(submit));
            if submits.iter().filter(may_have).count() > 1 {
                return Err(format!("{key} was sent twice to a service that takes no key twice"));
            }
        }
        Ok(())
    }
}

/// No submit begins once the person wished to cancel, or gave the key up.
fn nothing_is_sent_any_more(before: &Book, now: &Book) -> Result<(), Broken> {
    for (id, entry) in &now.exports {
        let Some(was) = before.exports.get(id) else { continue };
        let given_up = was.journal.wishes.cancel.is_some() || was.journal.sending != Sending::On;
        let is_new = |number: &u32| !was.attempts.contains_key(number);
        let submit =
            |(number, attempt): (&u32, &Attempt)| attempt.kind == "submit" && is_new(number);
        if given_up && entry.attempts.iter().any(submit) {
            return Err(format!("{} was sent although it was given up", entry.key));
        }
    }
    Ok(())
}

/// A key is submitted, or abandoned, only while the service can not have forgotten it.
fn is_young_enough(entry: &Entry, moment: &Moment<'_>) -> Result<(), Broken> {
    let (Some(now), Some(first_sent)) = (moment.one_time, entry.journal.first_sent) else {
        return Ok(());
    };
    let age = now - first_sent.as_millisecond();
    if u128::from(age.max(0).unsigned_abs()) > moment.service.retention.as_millis() {
        return Err(format!("{} was sent when it was {} s old", entry.key, age / 1000));
    }
    Ok(())
}

fn crossed(knowledge: &Knowledge) -> bool {
    knowledge.submits.values().any(SubmitEnd::crossed)
}

fn nothing_changed(was: &Entry, is: &Entry) -> Result<(), Broken> {
    if was.key != is.key {
        return Err(format!("the key {} became {}", was.key, is.key));
    }
    if was.payload != is.payload {
        return Err(format!("the payload of {} changed", is.key));
    }
    let (before, after) = (was.journal.first_sent, is.journal.first_sent);
    if crossed(&was.knowledge) && before.is_some() && before != after {
        return Err(format!("First-Sent of {} changed from {before:?} to {after:?}", is.key));
    }
    if is.version < was.version {
        return Err(format!("the version of {} went back", is.key));
    }
    Ok(())
}

fn nothing_was_forgotten(was: &Knowledge, is: &Knowledge) -> Result<(), Broken> {
    for (id, statement) in &was.jobs {
        let Some(newer) = is.jobs.get(id) else {
            return Err(format!("the job {id} was forgotten"));
        };
        let order =
            |job: &docket_wire::Export| (job.service_epoch, job.status.is_settled(), job.revision);
        if order(&newer.job) < order(&statement.job) {
            return Err(format!("an older statement about {id} replaced a newer one"));
        }
    }
    let flags = |knowledge: &Knowledge| {
        [
            knowledge.tombstone,
            knowledge.key_expired,
            knowledge.cancel_accepted,
            knowledge.gone_after_cancel,
        ]
    };
    if flags(was).iter().zip(flags(is)).any(|(was, is)| *was && !is) {
        return Err("a proof was forgotten".to_owned());
    }
    match was.submits.keys().find(|number| !is.submits.contains_key(number)) {
        Some(number) => Err(format!("the end of submit {number} was forgotten")),
        None => Ok(()),
    }
}

fn one_change_at_a_time(entry: &Entry) -> Result<(), Broken> {
    let changes = entry.journal.in_flight.iter().filter(|call| call.kind.changes_something());
    if changes.count() > 1 {
        return Err(format!("two changes of {} are in flight", entry.key));
    }
    Ok(())
}

/// One submit that was refused says nothing of another one that was not. (What a gateway doubles of the
/// refused one itself, nobody can know where nothing is sealed.)
fn no_refusal_settles_another(now: &Book, entry: &Entry) -> Result<(), Broken> {
    let outstanding = |end: &SubmitEnd| match end {
        SubmitEnd::Lost { .. } | SubmitEnd::Answered => true,
        SubmitEnd::NotSent { .. } | SubmitEnd::Deferred { .. } | SubmitEnd::Refused { .. } => false,
    };
    let known = &entry.knowledge;
    let of_another = known.submits.values().any(outstanding) && known.by_hand.is_empty();
    let has_a_job = || now.jobs.values().any(|job| job.key.as_ref() == Some(&entry.key));
    if entry.stage == "rejected" && of_another && has_a_job() {
        return Err(format!("{} is called rejected, and another submit made a job", entry.key));
    }
    Ok(())
}

/// A job that the client knows as ended is so at the service, until that is put back from a copy.
fn the_end_is_the_service_s(now: &Book, entry: &Entry) -> Result<(), Broken> {
    for (id, statement) in &entry.knowledge.jobs {
        let Some(row) = now.jobs.get(id) else { continue };
        let said = statement.job.status.to_string();
        if statement.job.status.is_settled() && row.status != said && row.status != "expired" {
            return Err(format!("the job {id} is called {said} and is {}", row.status));
        }
    }
    Ok(())
}

/// How long something may be due and not begun, in milliseconds: while a service does not answer one
/// probe at a time is made, and the longest gap between two is five minutes.
const OVERDUE_MAX: i64 = 400_000;

fn is_driven(entry: &Entry, idle_at: Option<i64>) -> Result<(), Broken> {
    match (entry.due, idle_at) {
        (Some(due), Some(now)) if now - due > OVERDUE_MAX => {
            Err(format!("{} has been due for {} s", entry.key, (now - due) / 1000))
        }
        (Some(_) | None, _) => Ok(()),
    }
}

fn keys_are_one(now: &Book, service: &Service) -> Result<(), Broken> {
    let mut keys = BTreeSet::new();
    for entry in now.exports.values() {
        if !keys.insert(&entry.key) {
            return Err(format!("two exports have the key {}", entry.key));
        }
    }
    // Elsewhere each copy of a request makes a job: what a gateway doubles is no fault of ours.
    if !service.can(Feature::Idempotency) {
        return Ok(());
    }
    let mut made = BTreeSet::new();
    for key in now.jobs.values().filter_map(|job| job.key.as_ref()) {
        if !made.insert(key) {
            return Err(format!("two jobs for the key {key}"));
        }
    }
    Ok(())
}

/// Between a submit that was lost and the next one lies a look.
fn asked_before_sending(entry: &Entry, number: u32) -> Result<(), Broken> {
    let before = entry.attempts.range(..number);
    let last = before.rev().find(|(_, attempt)| attempt.kind == "submit");
    let Some((last, attempt)) = last else { return Ok(()) };
    let lost = matches!(entry.knowledge.submits.get(last), Some(SubmitEnd::Lost { .. }));
    let mut between = entry.attempts.range(last + 1..number);
    if lost && attempt.result.is_some() && !between.any(|(_, attempt)| attempt.kind == "lookup") {
        return Err(format!("{} was sent again before anybody looked", entry.key));
    }
    Ok(())
}
