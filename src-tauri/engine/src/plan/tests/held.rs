//! What holds an export, and a store that was copied: what waits, what does not, what lifts a hold.

use super::*;
use crate::knowledge::{Evidence, RESTORED_SUBMIT, SubmitEnd};

/// What guard 5 does to an export of a copied store.
fn copied(story: &mut Story) {
    let now = story.now;
    hold_restored(&mut story.record, now);
    story.replan();
}

fn hold(story: &mut Story, hold: Hold) {
    story.record.journal.holds.insert(hold);
    story.replan();
}

fn without_looks() -> Capabilities {
    less(|can| {
        can.lookup_by_key = false;
        can.lookup_by_traits = false;
    })
}

#[test]
fn a_poll_that_is_answered_lifts_the_hold_of_a_copied_store() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    copied(&mut story);
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.replan();
    story.then(AttemptKind::Poll, lost());
    assert_eq!(story.record.journal.hold(), Some(Hold::RestoredStore));
    story.then(AttemptKind::Poll, found(JobStatus::Queued));
    assert_eq!(story.record.journal.hold(), None);
    story.then(AttemptKind::Cancel, found_at(JobStatus::Cancelled, 2));
    assert_eq!(story.stage(), Stage::Cancelled);
}

#[test]
fn a_sign_in_is_waited_for_also_in_a_copied_store() {
    let mut seeking = Story::lost_submit(full());
    copied(&mut seeking);
    hold(&mut seeking, Hold::SignIn);
    assert!(matches!(seeking.next(), Action::WaitUntil(..)), "{:?}", seeking.next());

    let mut following = Story::at(full());
    following.then(AttemptKind::Submit, found(JobStatus::Queued));
    copied(&mut following);
    hold(&mut following, Hold::SignIn);
    let waits = Action::WaitForPerson(WaitWhy::Hold(Hold::SignIn));
    assert_eq!(following.next(), waits);

    let mut fetching = Story::at(full());
    fetching.then(AttemptKind::Submit, found(JobStatus::Succeeded));
    copied(&mut fetching);
    fetching.then(AttemptKind::Download, AttemptResult::Fetched { end: FetchEnd::SignIn });
    assert_eq!(fetching.next(), waits);
}

#[test]
fn a_saved_file_is_held_by_nothing() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, found(JobStatus::Succeeded));
    copied(&mut story);
    story.then(
        AttemptKind::Download,
        AttemptResult::Fetched {
            end: FetchEnd::Saved {
                path: "orders.csv".into(),
                size: 10,
                digest: "00".repeat(32),
                verified: Verified::Digest,
            },
        },
    );
    assert_eq!((story.stage(), story.record.journal.hold()), (Stage::Saved, None));
}

#[test]
fn a_copied_store_opens_nothing_that_was_settled() {
    let mut withdrawn = Story::at(full());
    let now = withdrawn.now;
    cancel(&mut withdrawn.record, now).unwrap();
    withdrawn.replan();
    copied(&mut withdrawn);
    assert_eq!((withdrawn.stage(), withdrawn.record.journal.hold()), (Stage::NotCreated, None));

    let mut rejected = Story::at(full());
    rejected.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
    copied(&mut rejected);
    assert_eq!(rejected.stage(), Stage::Rejected);
}

#[test]
fn a_copied_store_makes_no_old_key_young() {
    let mut story = Story::offline();
    copied(&mut story);
    let learnt = AttemptResult::Described { facts: Box::new(facts(full(), story.now)) };
    story.then(AttemptKind::Describe, learnt);
    assert_eq!(story.record.journal.first_sent, None, "the person says so, or nobody");
    // By traits it can be looked up; never by a key whose time nobody knows.
    assert_eq!(story.until_due(), AttemptKind::Lookup);
    assert_eq!(story.next(), Action::Lookup(LookBy::Traits));
    story.always(|_| AttemptResult::Listed { jobs: Vec::new(), as_of: Timestamp::UNIX_EPOCH });
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_eq!(story.count(AttemptKind::Submit), 0);
    let (policy, now) = (story.policy.clone(), story.now);
    send_again(&mut story.record, Moment { policy: &policy, now, chance: 1.0 }).unwrap();
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn where_nothing_can_be_looked_up_the_person_lets_a_copied_store_send() {
    let mut story = Story::at(without_looks());
    copied(&mut story);
    assert!(matches!(story.next(), Action::WaitUntil(..)));
    let (policy, now) = (story.policy.clone(), story.now);
    send_again(&mut story.record, Moment { policy: &policy, now, chance: 1.0 }).unwrap();
    assert_eq!(story.record.journal.hold(), None);
    story.then(AttemptKind::Submit, found(JobStatus::Queued));

    // Where a look can answer, the hold is the look's to lift.
    let mut looked = Story::at(full());
    copied(&mut looked);
    let now = looked.now;
    let moment = Moment { policy: &policy, now, chance: 1.0 };
    assert_eq!(send_again(&mut looked.record, moment), Err(NotNow));
}

#[test]
fn a_successor_waits_for_a_seal_that_a_hold_keeps_back() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
    hold(&mut story, Hold::SignIn);
    assert_eq!(story.next(), Action::Done);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::AfterSeal);
    let now = story.now;
    signed_in(&mut story.record, now);
    story.then(AttemptKind::Abandon, AttemptResult::Abandoned);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::Free);
}

#[test]
fn the_submit_that_a_copied_store_counts_is_lost() {
    let mut story = Story::at(full());
    copied(&mut story);
    let ghost = story.record.knowledge.submits.get(&RESTORED_SUBMIT);
    assert!(matches!(ghost, Some(SubmitEnd::Lost { reason: CallReason::Restored, .. })));
    let again = story.record.knowledge.clone();
    story.record.knowledge.add(Evidence::Submit {
        attempt_no: RESTORED_SUBMIT,
        end: SubmitEnd::Lost { phase: Phase::Send, reason: CallReason::Restored },
    });
    assert_eq!(story.record.knowledge, again);
}

#[test]
fn a_copied_store_that_never_learnt_what_the_service_can_do_asks_that_at_its_slow_look() {
    let mut story = Story::offline();
    story.record.journal.first_sent = Some(story.now);
    copied(&mut story);
    story.always(|_| lost());
    assert_eq!(story.stage(), Stage::Unresolved);
    let describes = story.count(AttemptKind::Describe);
    assert!(describes < 100, "{describes}: nothing is asked for ever");

    let mut story = Story::offline();
    story.record.journal.first_sent = Some(story.now);
    copied(&mut story);
    while !story.is_closed() {
        story.then(AttemptKind::Describe, lost());
    }
    let now = story.now;
    let facts = Box::new(facts(full(), now));
    story.then(AttemptKind::Describe, AttemptResult::Described { facts });
    story.then(AttemptKind::Lookup, found(JobStatus::Running));
    assert_eq!(story.stage(), Stage::Running);
}

#[test]
fn a_copy_on_a_computer_that_has_no_credential_asks_for_the_sign_in_first() {
    let mut story = Story::lost_submit(full());
    copied(&mut story);
    story.then(AttemptKind::Lookup, signed_out());
    assert_eq!(story.record.journal.hold(), Some(Hold::SignIn), "nothing can be looked up before");
    let now = story.now;
    signed_in(&mut story.record, now);
    story.replan();
    assert_eq!(story.record.journal.hold(), Some(Hold::RestoredStore));
    story.then(AttemptKind::Lookup, found(JobStatus::Queued));
    assert_eq!((story.record.journal.hold(), story.stage()), (None, Stage::Accepted));
}

#[test]
fn what_is_over_is_held_by_nothing_save_a_seal_that_is_owed() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, not_sent());
    hold(&mut story, Hold::SignIn);
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.replan();
    assert_eq!((story.stage(), story.record.journal.hold()), (Stage::NotCreated, None));

    let mut refused_first = Story::at(full());
    refused_first.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
    refused_first.then(AttemptKind::Abandon, signed_out());
    let held = (refused_first.stage(), refused_first.record.journal.hold());
    assert_eq!(held, (Stage::Rejected, Some(Hold::SignIn)), "its seal goes after the sign-in");
}

#[test]
fn a_copy_of_what_only_waits_for_its_file_has_nothing_to_hold_back() {
    let mut story = super::following::succeeded();
    copied(&mut story);
    assert_eq!(story.record.journal.hold(), None);
    assert_eq!(story.next(), Action::Download);
}

/// A store that was copied while its export had never been sent, on a service that keeps no keys.
#[test]
fn a_copy_whose_key_has_no_time_is_not_looked_for_for_ever() {
    let mut story = Story::offline();
    copied(&mut story);
    let by_traits = less(|can| {
        can.idempotent_submit = false;
        can.lookup_by_key = false;
        can.abandon = false;
    });
    let facts = Box::new(facts(by_traits, story.now));
    story.then(AttemptKind::Describe, AttemptResult::Described { facts });
    assert_eq!(story.record.journal.first_sent, None);
    let began = story.now;
    while let Some(kind) = story.due() {
        assert!(crate::journal::between(began, story.now) < Duration::from_secs(25 * 3600));
        story.ends(kind, not_seen());
    }
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Unresolved));
}
