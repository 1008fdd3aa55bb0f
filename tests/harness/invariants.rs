//! What must hold after every story, whatever was lost on the way.
//!
//! At the service: at most one job for a key. On the wire: one key, one First-Sent and one body for
//! an intent, and one request for an attempt. On the screen, read as the window reads it (a view is
//! kept if its version is newer): a key never changes, a job once known stays known, and no older
//! statement about it replaces a newer one.

use std::collections::{BTreeMap, BTreeSet};

use docket_engine::{knowledge::BusinessOutcome, stage::Stage, view::ExportView};

use crate::{Call, Client, World, proxy::Seen, timeline};

/// Asserts all of it.
///
/// # Panics
/// It does not hold.
pub fn hold(world: &World, clients: &[&Client]) {
    one_job_for_a_key(world);
    on_the_wire_and_on_the_screen(world, clients);
}

/// Asserts what holds also where the service makes a job for each copy of a request.
///
/// # Panics
/// It does not hold.
pub fn on_the_wire_and_on_the_screen(world: &World, clients: &[&Client]) {
    one_key_for_an_intent(&world.proxy.seen());
    for client in clients {
        let mut stories: BTreeMap<String, Vec<ExportView>> = BTreeMap::new();
        for view in client.witness.views() {
            stories.entry(view.id.clone()).or_default().push(view);
        }
        for views in stories.into_values() {
            nothing_regresses(&views);
        }
    }
}

fn one_job_for_a_key(world: &World) {
    let mut keys = BTreeSet::new();
    for job in world.rows().jobs() {
        if let Some(key) = job.request_key {
            assert!(keys.insert(key.clone()), "two jobs for the key {key}");
        }
    }
}

/// # Panics
/// Two First-Sents, two bodies or two attempts of one number for one key.
pub fn one_key_for_an_intent(seen: &[Seen]) {
    let mut of_key: BTreeMap<&str, (BTreeSet<&str>, BTreeSet<&[u8]>)> = BTreeMap::new();
    let mut attempts = BTreeSet::new();
    for request in seen.iter().filter(|request| request.attempt.is_some()) {
        let Some(key) = request.key.as_deref() else { continue };
        let (first_sents, bodies) = of_key.entry(key).or_default();
        first_sents.extend(request.first_sent.as_deref());
        let attempt = request.attempt.as_deref().unwrap_or_default();
        if request.call == Call::Submit {
            bodies.extend(request.body.as_deref());
        }
        // The number of a look that a kill cut short is given again: it changed nothing.
        if request.call == Call::Submit || request.call == Call::Abandon {
            assert!(attempts.insert((key, attempt)), "attempt {attempt} of {key} left twice");
        }
        assert_eq!(first_sents.len(), 1, "First-Sent of {key} changed: {first_sents:?}");
        assert!(bodies.len() <= 1, "the body of {key} changed");
    }
}

/// # Panics
/// A newer view says less than an older one.
pub fn nothing_regresses(views: &[ExportView]) {
    let mut newest: Option<&ExportView> = None;
    for view in views {
        let Some(before) = newest else {
            newest = Some(view);
            continue;
        };
        if view.version < before.version {
            continue;
        }
        let wrong = regress(before, view);
        assert!(
            wrong.is_none(),
            "{}: from {:?} to {:?}\n{}",
            wrong.unwrap_or_default(),
            before.stage,
            view.stage,
            timeline::of_views(views)
        );
        newest = Some(view);
    }
}

/// What is wrong with one view after another.
fn regress(before: &ExportView, after: &ExportView) -> Option<&'static str> {
    if before.request_key != after.request_key {
        return Some("the key changed");
    }
    if before.payload_hash != after.payload_hash {
        return Some("the payload changed");
    }
    // Under a breach no statement is ours for sure, however far the job was.
    if after.reason.as_deref() == Some("key_breached") && before.stage != Stage::Saved {
        return None;
    }
    if !may_follow(before.stage, after.stage) {
        return Some("a settled stage was left");
    }
    if is_of_a_job(before.business_outcome) {
        if before.business_id != after.business_id {
            return Some("a known job was exchanged");
        }
        if statement(before) > statement(after) {
            return Some("an older statement replaced a newer one");
        }
    }
    if before.revision.is_some() && after.revision.is_none() {
        return Some("a known job was forgotten");
    }
    None
}

/// How far a statement about a job is: settled first, then its revision. One service epoch.
fn statement(view: &ExportView) -> (bool, u64) {
    let settled = match view.business_outcome {
        BusinessOutcome::Succeeded
        | BusinessOutcome::Failed
        | BusinessOutcome::Cancelled
        | BusinessOutcome::Expired => true,
        BusinessOutcome::Unknown
        | BusinessOutcome::NotCreated
        | BusinessOutcome::Rejected
        | BusinessOutcome::Queued
        | BusinessOutcome::Running => false,
    };
    (settled, view.revision.unwrap_or_default())
}

fn is_of_a_job(outcome: BusinessOutcome) -> bool {
    match outcome {
        BusinessOutcome::Queued
        | BusinessOutcome::Running
        | BusinessOutcome::Succeeded
        | BusinessOutcome::Failed
        | BusinessOutcome::Cancelled
        | BusinessOutcome::Expired => true,
        BusinessOutcome::Unknown | BusinessOutcome::NotCreated | BusinessOutcome::Rejected => false,
    }
}

/// Which stages may follow a settled one. Late truth corrects a refusal or an absence that a person
/// found; a file may be fetched again, and run out; every other end is one.
fn may_follow(before: Stage, after: Stage) -> bool {
    if before == after {
        return true;
    }
    match before {
        Stage::Saved => matches!(after, Stage::Ready | Stage::Downloading | Stage::Expired),
        Stage::Failed | Stage::Cancelled | Stage::Expired => false,
        Stage::NotCreated | Stage::Rejected => {
            !matches!(after, Stage::Sending | Stage::WaitingToSend)
        }
        Stage::Ready | Stage::Downloading => {
            matches!(after, Stage::Ready | Stage::Downloading | Stage::Saved | Stage::Expired)
        }
        Stage::Accepted | Stage::Running => {
            !matches!(after, Stage::Sending | Stage::WaitingToSend | Stage::Confirming)
        }
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Cancelling
        | Stage::Unresolved => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_once_known_stays_known() {
        for (before, after) in [
            (Stage::Saved, Stage::Confirming),
            (Stage::Running, Stage::Confirming),
            (Stage::Accepted, Stage::WaitingToSend),
            (Stage::Cancelled, Stage::Running),
            (Stage::Rejected, Stage::Sending),
            (Stage::Ready, Stage::Running),
        ] {
            assert!(!may_follow(before, after), "{before} then {after}");
        }
        assert!(may_follow(Stage::Rejected, Stage::Accepted), "the seal found the job");
        assert!(may_follow(Stage::Saved, Stage::Downloading), "fetched again");
    }

    #[test]
    fn two_requests_of_one_attempt_are_seen() {
        let request = |attempt: &str| Seen {
            call: Call::Submit,
            method: "POST".to_owned(),
            target: "/v1/tenants/acme/exports".to_owned(),
            key: Some("k".to_owned()),
            first_sent: Some("then".to_owned()),
            attempt: Some(attempt.to_owned()),
            body: Some(b"{}".to_vec()),
            delivered: 1,
            status: None,
            replayed: false,
            stalled: false,
            trace: None,
            fate: None,
            rule: None,
        };
        one_key_for_an_intent(&[request("1"), request("2")]);
        let twice = std::panic::catch_unwind(|| {
            one_key_for_an_intent(&[request("1"), request("1")]);
        });
        assert!(twice.is_err());
        let other_body = Seen { body: Some(b"[]".to_vec()), ..request("2") };
        let changed = std::panic::catch_unwind(move || {
            one_key_for_an_intent(&[request("1"), other_body]);
        });
        assert!(changed.is_err());
    }
}
