//! A submit was lost: every row of the capability table, the window and its end, and what a person
//! may do meanwhile.

use super::*;
use crate::{journal::between, knowledge::SubmitEnd};

#[test]
fn ask_before_sending_then_the_same_key_after_the_lag() {
    let mut story = Story::lost_submit(full());
    story.then(AttemptKind::Lookup, not_seen());
    // One second after the end of the submit: the lag is three.
    story.then(AttemptKind::Lookup, not_seen());
    let since = between(story.record.journal.last_crossed_end.unwrap(), story.now);
    assert!(since >= Duration::from_secs(3), "{since:?}");
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    assert_eq!(story.stage(), Stage::Accepted);
    assert_eq!(story.count(AttemptKind::Submit), 2);
}

#[test]
fn each_loss_is_asked_about_also_where_the_clock_did_not_move() {
    let mut story = Story::lost_submit(less(|can| can.visibility_lag_s = 0));
    story.until_due();
    for kind in [AttemptKind::Lookup, AttemptKind::Submit] {
        assert_eq!(story.due(), Some(kind));
        story.begins(kind);
        story.ended(kind, if kind == AttemptKind::Submit { lost() } else { not_seen() });
    }
    assert_eq!(story.until_due(), AttemptKind::Lookup, "and not the same key at once");
}

#[test]
fn a_look_that_finds_the_job_ends_it() {
    let mut story = Story::lost_submit(full());
    story.then(AttemptKind::Lookup, found(JobStatus::Running));
    assert_eq!(story.stage(), Stage::Running);
    assert_eq!(
        story.record.knowledge.last_submit().map(|end| end.call_result()),
        Some(CallResult::Lost)
    );
}

#[test]
fn a_job_that_a_broken_answer_named_is_asked_about_by_its_id() {
    let mut story = Story::at(less(|can| {
        can.lookup_by_key = false;
        can.lookup_by_traits = false;
        can.idempotent_submit = false;
        can.abandon = false;
    }));
    let hinted = AttemptResult::Lost {
        phase: Phase::Receive,
        reason: CallReason::Truncated,
        hint: Some("exp_1".to_owned()),
    };
    story.then(AttemptKind::Submit, hinted);
    assert_eq!(story.stage(), Stage::Confirming);
    story.until_due();
    assert_eq!(story.next(), Action::Lookup(LookBy::Job(BusinessId::from_text("exp_1"))));
}

#[test]
fn at_the_end_of_the_window_one_more_submit_then_an_abandon() {
    let mut story = Story::lost_submit(full());
    story.always(|kind| match kind {
        AttemptKind::Abandon => AttemptResult::Abandoned,
        AttemptKind::Submit => lost(),
        AttemptKind::Describe
        | AttemptKind::Lookup
        | AttemptKind::Poll
        | AttemptKind::Cancel
        | AttemptKind::Download => not_seen(),
    });
    assert_eq!(story.stage(), Stage::NotCreated);
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::Abandoned));
    let last: Vec<AttemptKind> = story.calls.iter().rev().take(2).copied().collect();
    assert_eq!(last, [AttemptKind::Abandon, AttemptKind::Submit]);
}

#[test]
fn an_abandon_that_nobody_asked_for_goes_only_after_a_last_submit_that_crossed() {
    let mut story = Story::lost_submit(full());
    // Only looks get through; the last submit does not.
    story.always(|kind| if kind == AttemptKind::Submit { not_sent() } else { lost() });
    assert_eq!(story.count(AttemptKind::Abandon), 0);
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::ServiceUnreachable));
}

#[test]
fn an_abandon_has_five_tries_then_it_is_unresolved() {
    let mut story = Story::lost_submit(full());
    story.always(|kind| if kind == AttemptKind::Lookup { not_seen() } else { lost() });
    assert_eq!(story.count(AttemptKind::Abandon), 5);
    assert_eq!(story.stage(), Stage::Unresolved);
}

#[test]
fn the_reason_is_the_last_answers() {
    let told = |answer: fn() -> AttemptResult| {
        let mut story = Story::lost_submit(less(|can| {
            can.idempotent_submit = false;
            can.abandon = false;
        }));
        story.always(|_| answer());
        story.record.journal.schedule.closed
    };
    let broken = |reason| AttemptResult::Lost { phase: Phase::Decode, reason, hint: None };
    assert_eq!(told(not_seen), Some(UnresolvedReason::NotVisible));
    assert_eq!(told(not_sent), Some(UnresolvedReason::ServiceUnreachable));
    assert_eq!(told(|| refused(ProblemType::Forbidden)), Some(UnresolvedReason::AccessWithdrawn));
    for (reason, expected) in [
        (CallReason::ServiceError, UnresolvedReason::ServiceErrors),
        (CallReason::Undecodable, UnresolvedReason::AnswerUnreadable),
        (CallReason::NotTheService, UnresolvedReason::AnswerUnreadable),
        (CallReason::Mismatched, UnresolvedReason::MismatchedAnswer),
    ] {
        let mut story = Story::lost_submit(less(|can| {
            can.idempotent_submit = false;
            can.abandon = false;
        }));
        story.always(|_| broken(reason));
        assert_eq!(story.record.journal.schedule.closed, Some(expected), "{reason}");
    }
}

#[test]
fn without_abandon_it_ends_unresolved() {
    let mut story = Story::lost_submit(less(|can| can.abandon = false));
    story.always(|kind| if kind == AttemptKind::Submit { lost() } else { not_seen() });
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_eq!(story.count(AttemptKind::Abandon), 0);
    assert!(story.count(AttemptKind::Submit) > 1);
}

#[test]
fn without_lookup_the_same_key_is_the_look() {
    let mut story = Story::lost_submit(less(|can| {
        can.lookup_by_key = false;
        can.lookup_by_traits = false;
    }));
    story.then(AttemptKind::Submit, lost());
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    assert_eq!(story.count(AttemptKind::Lookup), 0);
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn without_idempotent_submit_nothing_is_sent_again() {
    for by_key in [true, false] {
        let mut story = Story::lost_submit(less(|can| {
            can.idempotent_submit = false;
            can.lookup_by_key = by_key;
        }));
        story.always(|kind| match (kind == AttemptKind::Abandon, by_key) {
            (true, _) => lost(),
            (false, true) => not_seen(),
            (false, false) => {
                AttemptResult::Listed { jobs: Vec::new(), as_of: Timestamp::UNIX_EPOCH }
            }
        });
        assert_eq!(story.count(AttemptKind::Submit), 1);
        assert_eq!(story.stage(), Stage::Unresolved);
        assert_eq!(story.count(AttemptKind::Abandon), 5, "it ends the window in every row");
    }
}

#[test]
fn without_any_means_it_is_unresolved_at_once() {
    let story = Story::lost_submit(less(|can| {
        can.idempotent_submit = false;
        can.lookup_by_key = false;
        can.lookup_by_traits = false;
        can.abandon = false;
    }));
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::LookupUnsupported));
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Unresolved));
    assert!(!may_resend(&story.record, story.moment()));
}

#[test]
fn by_traits_exactly_one_seen_in_two_looks_is_adopted() {
    let listed = |ids: &[&str]| AttemptResult::Listed {
        jobs: ids
            .iter()
            .map(|id| Job { business_id: (*id).to_owned(), ..job(JobStatus::Running, 1) })
            .collect(),
        as_of: Timestamp::UNIX_EPOCH,
    };
    let traits = || {
        Story::lost_submit(less(|can| {
            can.idempotent_submit = false;
            can.lookup_by_key = false;
            can.abandon = false;
        }))
    };
    let mut story = traits();
    story.then(AttemptKind::Lookup, listed(&["exp_1"]));
    assert_eq!(story.stage(), Stage::Confirming);
    story.then(AttemptKind::Lookup, listed(&["exp_1"]));
    assert_eq!(story.stage(), Stage::Running);

    let mut several = traits();
    several.then(AttemptKind::Lookup, listed(&["exp_1"]));
    several.always(|_| listed(&["exp_1", "exp_2"]));
    assert_eq!(several.stage(), Stage::Unresolved);
    assert_eq!(several.record.journal.schedule.closed, Some(UnresolvedReason::AmbiguousMatches));
}

#[test]
fn no_submit_and_no_abandon_with_a_key_that_may_be_forgotten() {
    let mut story = Story::lost_submit(full());
    // A restore of the service's database: it remembers nothing of before.
    let mut restored = story.record.facts.clone().unwrap();
    restored.remembers_since = later(story.now, Duration::from_secs(300));
    story.record.facts = Some(restored);
    story.always(|_| not_seen());
    assert_eq!(story.count(AttemptKind::Submit), 1);
    assert_eq!(story.count(AttemptKind::Abandon), 0);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::NotVisible));

    let mut old = Story::lost_submit(full());
    old.wait(Duration::from_secs(25 * 3600));
    old.always(|_| not_seen());
    assert_eq!((old.count(AttemptKind::Submit), old.count(AttemptKind::Abandon)), (1, 0));
}

#[test]
fn a_key_expired_after_a_loss_is_unresolved_without_waiting() {
    let mut story = Story::lost_submit(full());
    story.then(AttemptKind::Lookup, AttemptResult::KeyExpired);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::KeyExpired));
}

#[test]
fn a_refusal_after_a_loss_is_sealed_first() {
    let sealed = |answer: AttemptResult| {
        let mut story = Story::lost_submit(full());
        story.then(AttemptKind::Lookup, not_seen());
        story.then(AttemptKind::Lookup, not_seen());
        story.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
        assert_eq!(story.stage(), Stage::Confirming, "the job of the first may exist");
        story.then(AttemptKind::Abandon, answer);
        story.stage()
    };
    assert_eq!(sealed(AttemptResult::Abandoned), Stage::Rejected);
    assert_eq!(sealed(found(JobStatus::Running)), Stage::Running);

    let mut story = Story::lost_submit(less(|can| can.abandon = false));
    story.then(AttemptKind::Lookup, not_seen());
    story.then(AttemptKind::Lookup, not_seen());
    story.then(AttemptKind::Submit, refused(ProblemType::Forbidden));
    story.always(|_| not_seen());
    assert_eq!(story.stage(), Stage::Unresolved);
}

#[test]
fn sleep_and_a_changed_clock_spend_nothing_of_the_window() {
    let mut story = Story::lost_submit(full());
    story.wait(Duration::from_secs(8 * 3600));
    assert_eq!(story.until_due(), AttemptKind::Lookup);
    story.ends(AttemptKind::Lookup, lost());
    let spent = story.record.journal.schedule.window.as_ref().unwrap().spent_ms;
    assert_eq!(spent, 1000, "one planned gap");
    story.now = story.now.saturating_sub(jiff::SignedDuration::from_hours(3)).unwrap();
    story.ends(AttemptKind::Lookup, lost());
    assert_eq!(story.record.journal.schedule.window.as_ref().unwrap().spent_ms, 1000);
}

#[test]
fn late_truth_wins_and_an_answered_slow_look_opens_the_end_anew() {
    let mut story = Story::lost_submit(full());
    story.always(|_| lost());
    assert_eq!(story.stage(), Stage::Unresolved);
    let closed = story.now;
    story.then(AttemptKind::Lookup, lost());
    assert_eq!(between(closed, story.now).as_secs(), 1800);
    assert_eq!(story.stage(), Stage::Unresolved);
    let submits = story.count(AttemptKind::Submit);
    story.then(AttemptKind::Lookup, not_seen());
    assert_eq!(story.stage(), Stage::Confirming);
    story.then(AttemptKind::Submit, lost());
    story.then(AttemptKind::Abandon, found(JobStatus::Succeeded));
    assert_eq!(story.count(AttemptKind::Submit), submits + 1);
    assert_eq!(story.stage(), Stage::Ready);
}

#[test]
fn a_person_may_ask_again_resend_or_settle() {
    let unresolved = || {
        let mut story = Story::lost_submit(full());
        story.always(|_| not_sent());
        assert_eq!(story.stage(), Stage::Unresolved);
        story
    };
    let mut asked = unresolved();
    let now = asked.now;
    look_now(&mut asked.record, now).unwrap();
    assert_eq!(asked.stage(), Stage::Confirming);
    asked.then(AttemptKind::Lookup, found(JobStatus::Running));
    assert_eq!(asked.stage(), Stage::Running);

    let mut again = unresolved();
    let (policy, now) = (again.policy.clone(), again.now);
    send_again(&mut again.record, Moment { policy: &policy, now, chance: 1.0 }).unwrap();
    again.then(AttemptKind::Submit, found(JobStatus::Running));

    let mut absent = unresolved();
    let now = absent.now;
    settle(&mut absent.record, ByHand::Absent, now).unwrap();
    assert_eq!(absent.replan(), Action::Done);
    assert_eq!(why_not_created(&absent), Some(NotCreatedWhy::ByHand));

    let mut named = unresolved();
    let now = named.now;
    let finding = ByHand::Job { business_id: "exp_1".to_owned() };
    settle(&mut named.record, finding, now).unwrap();
    named.replan();
    assert_eq!(named.next(), Action::Lookup(LookBy::Job(BusinessId::from_text("exp_1"))));
}

#[test]
fn one_that_a_copy_takes_the_place_of_is_not_sent_again_and_is_sealed() {
    let mut story = Story::lost_submit(full());
    story.always(|_| not_sent());
    let now = story.now;
    ask_for_copy(&mut story.record, now);
    story.replan();
    assert_eq!(turn_after(&story.record, story.moment()), Turn::AfterSeal);
    story.then(AttemptKind::Abandon, AttemptResult::Abandoned);
    assert_eq!(turn_after(&story.record, story.moment()), Turn::Free);

    let mut found_it = Story::lost_submit(full());
    found_it.always(|_| not_sent());
    let now = found_it.now;
    ask_for_copy(&mut found_it.record, now);
    found_it.then(AttemptKind::Abandon, found(JobStatus::Running));
    assert_eq!(turn_after(&found_it.record, found_it.moment()), Turn::Person);
}

#[test]
fn a_copied_store_looks_before_anything_is_sent() {
    let mut story = Story::at(full());
    story.record.journal.holds.insert(Hold::RestoredStore);
    let ghost = crate::knowledge::Evidence::Submit {
        attempt_no: 0,
        end: SubmitEnd::Lost { phase: Phase::Send, reason: CallReason::Restored },
    };
    story.record.knowledge.add(ghost);
    story.record.journal.schedule.next_at = None;
    story.replan();
    assert_eq!(story.stage(), Stage::Confirming);
    story.then(AttemptKind::Lookup, lost());
    story.then(AttemptKind::Lookup, not_seen());
    assert_eq!(story.record.journal.hold(), None);
    story.then(AttemptKind::Submit, found(JobStatus::Queued));

    // No withdrawal and no submit while nothing was answered.
    let mut held = Story::at(full());
    held.record.journal.holds.insert(Hold::RestoredStore);
    let ghost = crate::knowledge::Evidence::Submit {
        attempt_no: 0,
        end: SubmitEnd::Lost { phase: Phase::Send, reason: CallReason::Restored },
    };
    held.record.knowledge.add(ghost);
    let now = held.now;
    cancel(&mut held.record, now).unwrap();
    held.replan();
    assert_eq!(held.stage(), Stage::Cancelling);
    assert_eq!(held.until_due(), AttemptKind::Lookup);
}
