//! What must hold in every state: the invariants of lifecycle.md, said of a world.

use docket_engine::{
    journal::{Sending, Turn},
    knowledge::ByHand,
    mutants::with,
    plan::{self, Action},
    stage::Stage,
};
use docket_wire::JobStatus;
use stateright::Property;

use crate::{
    Promise, calm,
    network::Ask,
    person::stage_of,
    rows::Config,
    service::Access,
    world::{ANN, Held, RETENTION, World, policy, second_of},
};

/// No export of any story makes more calls than this: what asks for ever passes it.
const CALLS_MAX: u32 = 60;

/// Invariant 2: one intent, one request key, one First-Sent.
pub const ONE_KEY: &str = "one intent has one key and one First-Sent for ever";
/// Invariant 3.
pub const ONE_JOB: &str = "a key has one job";
/// The promise.
pub const KNOWINGLY: &str = "two jobs of one wish only where the person knew that there may be two";
/// The promise, of one export: whatever keys it used.
pub const ONE_WISH: &str = "one export has one job";
/// Guard 2.
pub const ASKED_KNOWINGLY: &str =
    "a copy is offered only where it may exist and the person is told";
/// Invariant 4.
pub const NO_REGRESS: &str = "no evidence takes away what is proved";
/// Absence has two proofs only.
pub const ABSENCE: &str = "not created: there is no job";
/// A refusal settles no other submit.
pub const REFUSAL: &str = "rejected: there is no job of another submit";
/// Invariant 5.
pub const OUTCOME: &str = "an outcome is what the service once said";
/// What the screen says while it waits to be sent.
pub const NOT_SENT: &str = "nothing left this computer: nothing did";
/// Invariant 6.
pub const NEXT: &str = "what is not settled has a next time, or names the person it waits for";
/// Invariant 6, of one export that waits for another.
pub const TURN: &str = "a successor waits only while the seal of the one before it may come";
/// Invariant 7.
pub const BOUNDED: &str = "nothing is asked for ever";
/// Never two submits of one export in flight.
pub const ONE_AT_A_TIME: &str = "one submit at a time";
/// No key is used that the service may have forgotten.
pub const YOUNG: &str = "no submit and no abandon leaves with a key that is too old";
/// With idempotent submit, look-up and abandon.
pub const RESOLVED: &str = "unresolved only while the service can not be reached";

/// All of them.
pub fn all() -> Vec<Property<Promise>> {
    vec![
        Property::always(ONE_KEY, |p: &Promise, world: &World| {
            p.each(world, |_, held| has_one_key(held))
        }),
        Property::always(ONE_JOB, |p: &Promise, world: &World| keys_have_one_job(&p.config, world)),
        Property::always(ONE_WISH, |p: &Promise, world: &World| has_one_job(&p.config, world)),
        Property::always(KNOWINGLY, |p: &Promise, world: &World| is_known_of_two(&p.config, world)),
        Property::always(ASKED_KNOWINGLY, |p: &Promise, world: &World| {
            p.each(world, |_, held| !held.noted.copied_blindly)
        }),
        Property::always(NO_REGRESS, |p: &Promise, world: &World| {
            p.each(world, |_, held| !held.noted.regressed)
        }),
        Property::always(ABSENCE, |p: &Promise, world: &World| p.each(world, is_absent)),
        Property::always(REFUSAL, |p: &Promise, world: &World| p.each(world, is_refused_alone)),
        Property::always(OUTCOME, |p: &Promise, world: &World| p.each(world, was_said)),
        Property::always(NOT_SENT, |p: &Promise, world: &World| p.each(world, is_unsent)),
        Property::always(NEXT, |p: &Promise, world: &World| p.each(world, has_a_next)),
        Property::always(TURN, |p: &Promise, world: &World| {
            with(p.config.mutant, || waits_for_somebody(world))
        }),
        Property::always(BOUNDED, |p: &Promise, world: &World| {
            p.each(world, |_, held| is_bounded(held))
        }),
        Property::always(ONE_AT_A_TIME, |p: &Promise, world: &World| {
            p.each(world, |_, held| !held.noted.two_at_once)
        }),
        // A clock that is set may lie about a key's age; then the service's own check holds.
        Property::always(YOUNG, |p: &Promise, world: &World| {
            !p.config.clocks.is_empty() || p.each(world, |_, held| !held.noted.left_too_old)
        }),
        Property::always(RESOLVED, |p: &Promise, world: &World| {
            let exports = 0..world.exports.len();
            with(p.config.mutant, || {
                exports.into_iter().all(|export| is_resolved(&p.config, world, export))
            })
        }),
    ]
}

impl Promise {
    /// Whether this holds for each export, as the rules stand in this configuration.
    fn each(&self, world: &World, holds: impl Fn(&World, &Held) -> bool) -> bool {
        with(self.config.mutant, || world.exports.iter().all(|held| holds(world, held)))
    }
}

fn stage(world: &World, held: &Held) -> Stage {
    stage_of(&held.record, crate::client::moment(policy(), world))
}

fn key(held: &Held) -> &str {
    held.record.export.request_key.as_str()
}

/// Whether the service ever made a job under the key of this export.
fn was_made(world: &World, held: &Held) -> bool {
    world.service.made.iter().any(|made| made == key(held))
}

fn by_hand(held: &Held) -> bool {
    held.record.knowledge.by_hand.contains(&ByHand::Absent)
}

fn has_one_key(held: &Held) -> bool {
    held.noted.keys.len() <= 1 && held.noted.first_sents.len() <= 1
}

/// Of a service that does not know a key again, the client sends one request at most; what a gateway
/// repeats is not the client's.
fn keys_have_one_job(config: &Config, world: &World) -> bool {
    if !config.capabilities.idempotent_submit {
        return world.exports.iter().all(|held| held.noted.unsettled_submits <= 1);
    }
    let made = &world.service.made;
    (0..made.len()).all(|at| !made[..at].contains(&made[at]))
}

/// However many keys an export used, there is one job of it.
fn has_one_job(config: &Config, world: &World) -> bool {
    !config.capabilities.idempotent_submit
        || world.exports.iter().all(|held| {
            let made = world.service.made.iter().filter(|made| held.noted.keys.contains(*made));
            made.count() <= 1
        })
}

fn is_known_of_two(config: &Config, world: &World) -> bool {
    let [first, second] = world.exports.as_slice() else { return true };
    // A copied store has the key that its original has.
    if key(first) == key(second) {
        return true;
    }
    let told = second.noted.knowingly || by_hand(first);
    // Without a seal a copy of what was refused can not be ruled out (lifecycle.md, the table).
    let sealable = config.capabilities.abandon;
    told || !sealable || !(was_made(world, first) && was_made(world, second))
}

fn is_absent(world: &World, held: &Held) -> bool {
    let settled = stage(world, held) == Stage::NotCreated && !by_hand(held);
    !settled || !was_made(world, held)
}

/// Until it is sealed a refusal may show where its submit was the only one; then a copy of that one
/// may still have made the job.
fn is_refused_alone(world: &World, held: &Held) -> bool {
    if stage(world, held) != Stage::Rejected || by_hand(held) || !was_made(world, held) {
        return true;
    }
    let sealed = held.record.knowledge.tombstone;
    !sealed && held.noted.submits_left <= 1
}

fn was_said(world: &World, held: &Held) -> bool {
    let Some(job) = held.record.knowledge.job() else { return true };
    let said = |status: JobStatus| {
        world
            .service
            .was
            .iter()
            .any(|(id, was)| crate::service::name_of(*id) == job.business_id && *was == status)
    };
    match stage(world, held) {
        Stage::Failed => said(JobStatus::Failed),
        Stage::Cancelled => said(JobStatus::Cancelled) || held.record.knowledge.gone_after_cancel,
        Stage::Expired => said(JobStatus::Expired),
        Stage::Ready | Stage::Downloading | Stage::Saved => said(JobStatus::Succeeded),
        Stage::Running => said(JobStatus::Running),
        Stage::Accepted => said(JobStatus::Queued),
        Stage::Sending
        | Stage::WaitingToSend
        | Stage::Confirming
        | Stage::Cancelling
        | Stage::Rejected
        | Stage::NotCreated
        | Stage::Unresolved => true,
    }
}

/// No submit crossed as far as is known, and none is under way: none did.
fn is_unsent(world: &World, held: &Held) -> bool {
    if held.record.knowledge.any_crossed() || held.record.journal.change_under_way().is_some() {
        return true;
    }
    let on_its_way =
        world.letters.iter().any(|letter| letter.ask == Ask::Submit && letter.key == key(held));
    !on_its_way && !was_made(world, held)
}

fn is_bounded(held: &Held) -> bool {
    held.record.journal.last_attempt_no.max(held.numbered) <= CALLS_MAX
}

fn has_a_next(world: &World, held: &Held) -> bool {
    let stage = stage(world, held);
    if stage.is_settled() || !held.calls.is_empty() || held.record.next_action_at.is_some() {
        return true;
    }
    let action = plan::next_action(&held.record, crate::client::moment(policy(), world));
    let named = matches!(action, Action::WaitForPerson(_));
    // What is not settled and given up says why.
    let reason =
        held.record.journal.schedule.closed.is_some() || held.record.knowledge.is_breached();
    named && (stage != Stage::Unresolved || reason)
}

fn waits_for_somebody(world: &World) -> bool {
    let [first, second] = world.exports.as_slice() else { return true };
    if second.record.journal.turn != Turn::AfterSeal || second.record.export.supersedes.is_none() {
        return true;
    }
    let over = stage(world, second).is_settled();
    over || !first.calls.is_empty() || first.record.next_action_at.is_some()
}

/// Whether what is unresolved has its reason in the service: its last call was not heard, or nobody
/// may ask any more. And what is unresolved while the service would answer is resolved by the next
/// slow look.
fn is_resolved(config: &Config, world: &World, export: usize) -> bool {
    let can = &config.capabilities;
    let all = can.idempotent_submit && can.lookup_by_key && can.abandon;
    let held = &world.exports[export];
    let Held { record, noted, .. } = held;
    let lost = all
        && stage(world, held) == Stage::Unresolved
        && record.knowledge.jobs.is_empty()
        && record.journal.sending != Sending::Copied
        && !by_hand(held);
    if !lost {
        return true;
    }
    let minted = record.journal.first_sent.map_or(i64::MIN, second_of);
    let forgotten = minted < world.service.remembers_since(world.now);
    let too_old = forgotten || world.now - minted >= RETENTION - RETENTION / 10;
    let may_ask = world.service.access == Access::Full && world.signed_in == ANN;
    (noted.unheard || too_old) && (too_old || !may_ask || calm::resolves(world, export, config))
}
