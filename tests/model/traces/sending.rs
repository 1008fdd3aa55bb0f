//! Before a job is known: what is sent, refused, put off, withdrawn.

use docket_engine::{
    attempt::AttemptKind,
    journal::{Hold, UnresolvedReason},
    plan::{CopyOf, copy_of},
    stage::{NotCreatedWhy, Stage},
};

use super::story::{HOUR, MINUTE, Story};
use crate::{
    network::Line,
    person::Wish,
    rows::Row,
    service::{Access, Mood},
    steps::Step,
    world::{ANN, BOB},
};

#[test]
fn clock_ahead() {
    for skew in [3 * HOUR, -3 * HOUR] {
        for described in [true, false] {
            let mut story = Story::with(Row::All, |config| {
                config.skew = skew;
                config.described = described;
            });
            if !described {
                assert_eq!(story.asks(), AttemptKind::Describe);
            }
            let submit = story.calls();
            story.repeats(submit);
            story.arrives(submit);
            story.gives_up(submit);
            story.works("succeeded");
            story.sleeps(2 * HOUR);
            story.takes(Step::Sweep);
            // The copy that a proxy held: its First-Sent is as old as the click, whatever the clock.
            story.arrives(submit);
            story.has_jobs(1);
            story.goes_on();
            story.is_unresolved(UnresolvedReason::KeyExpired);
            story.has_jobs(1);
        }
    }
}

#[test]
fn deferred_is_no_proof() {
    let mut story = Story::of(Row::All);
    let submit = story.calls();
    story.repeats(submit);
    story.arrives_as(submit, Mood::Busy);
    story.answers(submit);
    story.shows(Stage::WaitingToSend);
    assert!(story.record().knowledge.any_crossed(), "something may have left this computer");
    assert_eq!(copy_of(story.record(), story.moment()), CopyOf::Unknown, "no editing beside it");
    story.arrives(submit);
    // Not wanted any more: only the service can say whether there is one.
    story.wants(Wish::Cancel);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    story.shows(Stage::Cancelling);
    assert!(story.record().knowledge.job().is_some(), "here it is");
    story.has_jobs(1);
}

#[test]
fn deferred_is_no_proof_and_neither_is_a_refusal_beside_it() {
    for mood in [Mood::Invalid, Mood::Busy] {
        let mut story = Story::of(Row::All);
        let submit = story.calls();
        story.repeats(submit);
        story.arrives_as(submit, mood);
        story.answers(submit);
        story.arrives(submit);
        story.goes_on_until(|story| story.record().knowledge.job().is_some());
        story.shows(Stage::Accepted);
        story.has_jobs(1);
    }
}

#[test]
fn stored_refusal() {
    let mut story = Story::of(Row::All);
    let first = story.calls();
    story.arrives_as(first, Mood::Invalid);
    story.gives_up(first);
    assert_eq!(story.asks(), AttemptKind::Lookup);
    story.shows(Stage::Confirming);
    assert_eq!(story.asks_as(Mood::Invalid), AttemptKind::Submit);
    story.shows(Stage::Confirming);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    story.shows(Stage::Rejected);
    assert!(story.has_a_tombstone());
    story.has_jobs(0);
}

#[test]
fn expired_token_at_the_click() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.asks_as(Mood::SignedOut), AttemptKind::Submit);
    story.shows(Stage::WaitingToSend);
    assert!(story.record().journal.holds.contains(&Hold::SignIn));
    story.takes(Step::SignIn { who: ANN });
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.shows(Stage::Accepted);
    story.has_jobs(1);
}

#[test]
fn signed_in_and_then_forbidden_without_abandon() {
    let mut story = Story::of(Row::NoAbandon);
    story.asks_as(Mood::SignedOut);
    story.takes(Step::SignIn { who: ANN });
    story.takes(Step::Allow { access: Access::NoOperation });
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.shows(Stage::Rejected);
    story.has_jobs(0);
}

#[test]
fn permission_withdrawn() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.loses_the_answer(), AttemptKind::Submit);
    story.takes(Step::Allow { access: Access::NoOperation });
    // Whoever asked may learn what became of it.
    assert_eq!(story.asks(), AttemptKind::Lookup);
    story.shows(Stage::Accepted);
}

#[test]
fn permission_withdrawn_and_no_longer_of_the_tenant() {
    let mut story = Story::of(Row::All);
    story.loses_the_answer();
    story.takes(Step::Allow { access: Access::Nothing });
    story.goes_on_until(|story| story.stage() == Stage::Unresolved);
    story.is_unresolved(UnresolvedReason::AccessWithdrawn);
    story.takes(Step::Allow { access: Access::Full });
    story.goes_on_until(|story| story.record().knowledge.job().is_some());
    story.shows(Stage::Accepted);
    story.has_jobs(1);
}

#[test]
fn other_account() {
    let mut story = Story::of(Row::All);
    let (submit, _) = story.loses();
    story.takes(Step::SignIn { who: BOB });
    assert!(story.record().journal.holds.contains(&Hold::OtherAccount));
    story.shows(Stage::Confirming);
    assert!(!story.world.is_due(0), "nobody is asked about elsewhere");
    story.arrives(submit);
    story.takes(Step::SignIn { who: ANN });
    story.goes_on_until(|story| story.record().knowledge.job().is_some());
    story.shows(Stage::Accepted);
    assert!(story.world.service.rows.jobs.values().all(|job| job.requested_by == ANN));
    story.has_jobs(1);
}

#[test]
fn guard_by_stage() {
    let mut story = Story::of(Row::All);
    story.loses_the_answer();
    assert_eq!(story.asks_as(Mood::SignedOut), AttemptKind::Lookup);
    assert!(story.record().journal.holds.contains(&Hold::SignIn));
    assert_eq!(copy_of(story.record(), story.moment()), CopyOf::Unknown);
    assert!(!story.may_want(Wish::Another), "a hold opens no guard");
}

#[test]
fn cancel() {
    // The wish is recorded between the plan and the write that begins the submit.
    let mut story = Story::of(Row::All);
    assert_eq!(story.next_call(), Some(AttemptKind::Submit));
    let mut planned = story.record().clone();
    planned.journal.wishes.cancel = Some(story.world.local());
    assert_eq!(planned.begin_change(AttemptKind::Submit, 0, story.world.local()), None);
    story.wants(Wish::Cancel);
    story.is_not_created(NotCreatedWhy::Withdrawn);
    story.has_submits(0);
}

#[test]
fn cancel_while_confirming() {
    let mut story = Story::of(Row::All);
    let (submit, _) = story.loses();
    story.wants(Wish::Cancel);
    story.shows(Stage::Cancelling);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    story.is_not_created(NotCreatedWhy::Abandoned);
    // The late original loses.
    story.arrives(submit);
    story.has_jobs(0);
}

#[test]
fn lid() {
    let mut story = Story::of(Row::All);
    story.loses();
    story.sleeps(20 * MINUTE);
    assert_eq!(story.asks(), AttemptKind::Lookup);
    story.shows(Stage::Confirming);
    assert_eq!(story.asks(), AttemptKind::Submit, "a person who closed the lid wants the export");
    story.shows(Stage::Accepted);
    assert!(!story.has_a_tombstone());
}

#[test]
fn lid_shut_offline() {
    let mut story = Story::of(Row::All);
    story.connects(Line::Refusing);
    while story.stage() != Stage::NotCreated {
        if !story.world.is_due(0) {
            story.takes(Step::Wait);
        }
        let drive = Step::Drive { export: 0 };
        let may_call =
            story.next_call().is_some() && story.world.due_call(0, crate::policy()).is_some();
        story.takes(if may_call { Step::DriveInVain { export: 0 } } else { drive });
    }
    story.is_not_created(NotCreatedWhy::NeverSent);
}

#[test]
fn running_for_ever() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.goes_on_until(|story| story.record().journal.holds.contains(&Hold::NoProgress));
    story.shows(Stage::Accepted);
    story.goes_on();
    story.is_unresolved(UnresolvedReason::NoProgress);
}
