//! Nothing that was sent can have made a job: describe, send, wait, give up, be refused.

use super::*;
use crate::journal::between;

#[test]
fn offline_a_click_is_recorded_and_waits_then_describes_then_sends_with_one_key() {
    let mut story = Story::offline();
    assert_eq!(story.stage(), Stage::Sending);
    story.then(AttemptKind::Describe, not_sent());
    assert_eq!(story.stage(), Stage::WaitingToSend);
    story.then(AttemptKind::Describe, not_sent());
    let learnt = facts(full(), story.now);
    let described = AttemptResult::Described { facts: Box::new(learnt) };
    story.then(AttemptKind::Describe, described);
    assert_eq!(story.record.journal.first_sent, Some(story.record.export.created_at));
    story.then(AttemptKind::Submit, not_sent());
    assert_eq!(story.stage(), Stage::WaitingToSend);
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn first_sent_is_never_later_than_the_services_own_now() {
    let mut story = Story::offline();
    let mut learnt = facts(full(), story.now);
    learnt.clock_ahead_ms = -3_600_000;
    // This computer's clock was set back meanwhile: the click seems to lie in the future.
    learnt.described_at = later(story.now, Duration::ZERO)
        .saturating_sub(jiff::SignedDuration::from_mins(10))
        .unwrap();
    let service_now = learnt.service_time(learnt.described_at);
    let described = AttemptResult::Described { facts: Box::new(learnt) };
    story.then(AttemptKind::Describe, described);
    assert_eq!(story.record.journal.first_sent, Some(service_now));
}

#[test]
fn a_describe_older_than_an_hour_is_made_again_before_the_first_submit_only() {
    let mut story = Story::at(full());
    story.begins(AttemptKind::Submit);
    story.ended(AttemptKind::Submit, not_sent());
    story.wait(Duration::from_secs(7200));
    assert_eq!(story.until_due(), AttemptKind::Submit);
    let mut fresh = Story::at(full());
    fresh.wait(Duration::from_secs(3600));
    assert_eq!(fresh.until_due(), AttemptKind::Describe);
}

#[test]
fn gaps_grow_to_five_minutes_and_no_window_is_spent() {
    let mut story = Story::at(full());
    for _ in 0..30 {
        story.then(AttemptKind::Submit, not_sent());
        assert_eq!(story.stage(), Stage::WaitingToSend);
    }
    let Action::WaitUntil(at, AttemptKind::Submit) = story.next() else { panic!("not waiting") };
    assert_eq!(between(story.now, at), Duration::from_secs(300));
    assert_eq!(story.record.journal.schedule.window, None);
}

#[test]
fn what_could_never_be_sent_is_not_created_before_the_key_is_too_old() {
    let mut story = Story::at(full());
    story.always(|_| not_sent());
    assert_eq!(story.stage(), Stage::NotCreated);
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::NeverSent));
    let lived = between(story.record.export.created_at, story.now);
    assert!(lived >= Duration::from_secs(24 * 3600 * 9 / 10), "{lived:?}");
    assert!(lived < Duration::from_secs(24 * 3600), "{lived:?}");
    assert_eq!(story.next(), Action::Done);
}

#[test]
fn a_deferral_is_kept_to_and_among_never_sent_ones_wants_an_abandon_first() {
    let mut story = Story::at(full());
    let until = later(story.now, Duration::from_secs(600));
    let deferred = AttemptResult::Deferred { until: DeferUntil::Time(until) };
    story.then(AttemptKind::Submit, deferred);
    assert_eq!(story.stage(), Stage::WaitingToSend);
    let Action::WaitUntil(at, AttemptKind::Submit) = story.next() else { panic!("not waiting") };
    assert_eq!(at, until);
    while story.until_due() == AttemptKind::Submit {
        story.ends(AttemptKind::Submit, not_sent());
    }
    story.then(AttemptKind::Abandon, AttemptResult::Abandoned);
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::Abandoned));
}

#[test]
fn a_deferral_counts_as_lost_where_keys_are_not_taken() {
    let mut story = Story::at(less(|can| can.idempotent_submit = false));
    let until = later(story.now, Duration::from_secs(600));
    story.then(AttemptKind::Submit, AttemptResult::Deferred { until: DeferUntil::Time(until) });
    assert_eq!(story.stage(), Stage::Confirming);
    assert_eq!(story.until_due(), AttemptKind::Lookup);
}

#[test]
fn a_sign_in_holds_it_and_nothing_is_sent_twice() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, signed_out());
    assert_eq!(story.stage(), Stage::WaitingToSend);
    assert_eq!(story.record.journal.hold(), Some(Hold::SignIn));
    let now = story.now;
    signed_in(&mut story.record, now);
    story.replan();
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn a_sign_in_that_never_comes_ends_with_the_key() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, lost());
    story.then(AttemptKind::Lookup, signed_out());
    assert_eq!(story.stage(), Stage::Confirming);
    let Action::WaitUntil(at, _) = story.next() else { panic!("not waiting") };
    story.now = at;
    story.replan();
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::SignInRefused));
    assert_eq!(between(story.record.export.created_at, at), Duration::from_secs(77_760));
}

#[test]
fn cancelled_before_a_byte_left_is_withdrawn_at_once() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, not_sent());
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    assert_eq!(story.replan(), Action::Done);
    assert_eq!(story.stage(), Stage::NotCreated);
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::Withdrawn));
    assert_eq!(cancel(&mut story.record, now), Err(NotNow));
}

#[test]
fn a_cancel_waits_for_the_submit_under_way_and_no_submit_leaves_after_it() {
    let mut story = Story::at(full());
    story.begins(AttemptKind::Submit);
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    assert_eq!(story.replan(), Action::WaitForCall);
    assert_eq!(story.stage(), Stage::Cancelling);
    story.ended(AttemptKind::Submit, lost());
    story.then(AttemptKind::Abandon, AttemptResult::Abandoned);
    assert_eq!(story.stage(), Stage::NotCreated);
    assert_eq!(story.count(AttemptKind::Submit), 1);
}

#[test]
fn a_refusal_alone_shows_at_once_and_its_seal_goes_on_beside_it() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, refused(ProblemType::InvalidParameters));
    assert_eq!(story.stage(), Stage::Rejected);
    story.then(AttemptKind::Abandon, lost());
    assert_eq!(story.stage(), Stage::Rejected);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::AfterSeal);
    story.then(AttemptKind::Abandon, AttemptResult::Abandoned);
    assert_eq!(story.stage(), Stage::Rejected);
    assert_eq!(story.next(), Action::Done);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::Free);
}

#[test]
fn a_seal_has_five_tries_then_the_successor_is_the_persons() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
    for _ in 0..5 {
        story.then(AttemptKind::Abandon, lost());
    }
    assert_eq!(story.next(), Action::Done);
    assert_eq!(story.stage(), Stage::Rejected);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::Person);
}

#[test]
fn a_key_conflict_needs_no_seal() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, refused(ProblemType::KeyConflict));
    assert_eq!(story.stage(), Stage::Rejected);
    assert_eq!(story.next(), Action::Done);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::Free);
}

/// The credential was another's for a while, as after a store was put back from a backup.
#[test]
fn a_key_conflict_beside_a_submit_that_was_answered_with_anothers_job_is_not_rejected() {
    let mut story = Story::at(full());
    let mismatched =
        AttemptResult::Lost { phase: Phase::Decode, reason: CallReason::Mismatched, hint: None };
    story.then(AttemptKind::Submit, mismatched);
    while story.until_due() == AttemptKind::Lookup {
        story.ends(AttemptKind::Lookup, not_seen());
    }
    story.then(AttemptKind::Submit, refused(ProblemType::KeyConflict));
    assert_eq!(story.stage(), Stage::Confirming, "the first one may have made a job");
    story.always(|_| refused(ProblemType::KeyConflict));
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::MismatchedAnswer));
}

#[test]
fn a_key_that_was_too_old_for_the_one_submit_proves_nothing() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, AttemptResult::KeyExpired);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::KeyExpired));
    assert_eq!(story.stage(), Stage::Unresolved);
}

#[test]
fn a_key_that_the_service_is_known_to_have_forgotten_is_not_sent_at_all() {
    let mut story = Story::at(full());
    let first_sent = story.record.journal.first_sent.expect("it was minted");
    let facts = story.record.facts.as_mut().expect("the service is known");
    facts.remembers_since = later(first_sent, Duration::from_secs(1));
    story.replan();
    assert_eq!(story.stage(), Stage::NotCreated);
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::NeverSent));
}

#[test]
fn a_key_that_was_put_off_and_is_then_too_old_is_not_sent_again() {
    let mut story = Story::at(full());
    let until = later(story.now, Duration::from_secs(60));
    story.then(AttemptKind::Submit, AttemptResult::Deferred { until: DeferUntil::Time(until) });
    story.then(AttemptKind::Submit, AttemptResult::KeyExpired);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::KeyExpired));
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_ne!(story.until_due(), AttemptKind::Submit);
}

#[test]
fn past_the_soft_time_out_a_submit_under_way_is_confirming_and_a_look_may_run_beside_it() {
    let mut story = Story::at(full());
    story.begins(AttemptKind::Submit);
    story.wait(Duration::from_secs(9));
    assert_eq!(story.stage(), Stage::Sending, "a slow connection is not a lost answer");
    story.crosses();
    assert_eq!(story.stage(), Stage::Sending);
    let Action::WaitUntil(at, _) = story.next() else { panic!("the time-out is a due time") };
    story.now = at;
    assert_eq!(story.stage(), Stage::Confirming);
    assert_eq!(story.next(), Action::WaitForCall);
    let now = story.now;
    look_now(&mut story.record, now).unwrap();
    assert_eq!(story.next(), Action::Lookup(LookBy::Key));
}

#[test]
fn a_service_that_answers_again_is_tried_at_once() {
    let mut story = Story::at(full());
    for _ in 0..10 {
        story.then(AttemptKind::Submit, not_sent());
    }
    assert!(matches!(story.next(), Action::WaitUntil(..)));
    let now = story.now;
    reachable_again(&mut story.record, now);
    assert_eq!(story.replan(), Action::Submit);

    // What the service itself asked for is kept to.
    let mut busy = Story::at(full());
    let until = later(busy.now, Duration::from_secs(600));
    let deferred = AttemptResult::Deferred { until: DeferUntil::Time(until) };
    busy.then(AttemptKind::Submit, deferred);
    let now = busy.now;
    reachable_again(&mut busy.record, now);
    assert_eq!(busy.replan(), Action::WaitUntil(until, AttemptKind::Submit));
}

#[test]
fn what_was_learnt_by_a_clock_that_was_set_back_since_is_not_believed() {
    let mut story = Story::at(full());
    let facts = story.record.facts.as_mut().unwrap();
    facts.described_at = later(story.now, Duration::from_secs(24 * 3600));
    story.replan();
    assert_eq!(story.next(), Action::Describe);
}
