//! A service that can not be reached is asked by one call; the exports that made none had their turn.

use super::*;
use crate::{attempt::AttemptKind::*, journal::between};

/// The call that was made instead ended so.
fn instead(story: &mut Story, result: &AttemptResult, http_status: Option<u16>) {
    story.until_due();
    let (before, numbers) = (story.record.knowledge.clone(), story.record.journal.last_attempt_no);
    let policy = story.policy.clone();
    let moment = Moment { policy: &policy, now: story.now, chance: 1.0 };
    let (started_at, ended_at) = (story.now, story.now);
    let probe = Ended { kind: Lookup, result, http_status, started_at, ended_at };
    unreached(&mut story.record, probe, moment);
    assert_eq!(story.record.knowledge, before, "nothing is proved");
    assert_eq!(story.record.journal.last_attempt_no, numbers, "no call was made");
}

fn to_the_end(result: &AttemptResult, http_status: Option<u16>) -> Story {
    let mut story = Story::lost_submit(full());
    let began = story.now;
    let mut turns = 0;
    while !story.is_closed() {
        instead(&mut story, result, http_status);
        turns += 1;
        assert!(turns < 100, "asked for ever");
    }
    let took = between(began, story.now);
    assert!(took >= story.policy.window, "given up after {took:?}");
    assert!(took < 2 * story.policy.window, "given up after {took:?}");
    story
}

#[test]
fn a_window_ends_in_the_same_time_though_others_made_the_calls() {
    let story = to_the_end(&not_sent(), None);
    let why = story.record.journal.schedule.closed;
    assert_eq!(why, Some(UnresolvedReason::ServiceUnreachable));
    assert_eq!(story.calls, [Submit]);
}

#[test]
fn a_gateway_that_answers_with_errors_is_told_from_nobody_at_all() {
    let page = AttemptResult::Lost {
        phase: Phase::Receive,
        reason: CallReason::NotTheService,
        hint: None,
    };
    let story = to_the_end(&page, Some(502));
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::ServiceErrors));
}

#[test]
fn what_waits_to_be_sent_waits_on_and_is_given_up_with_its_key() {
    let mut story = Story::at(full());
    instead(&mut story, &not_sent(), None);
    assert_eq!(story.stage(), Stage::WaitingToSend);
    assert!(story.record.next_action_at.is_some_and(|at| at > story.now));
    for _ in 0..1000 {
        if story.stage().is_settled() || story.due().is_none() {
            break;
        }
        instead(&mut story, &not_sent(), None);
    }
    assert_eq!(why_not_created(&story), Some(NotCreatedWhy::NeverSent));
}

#[test]
fn the_first_answer_lets_all_of_them_be_tried_at_once() {
    let mut story = Story::lost_submit(full());
    for _ in 0..6 {
        instead(&mut story, &not_sent(), None);
    }
    let now = story.now;
    assert!(matches!(story.next(), Action::WaitUntil(..)));
    reachable_again(&mut story.record, now);
    assert_eq!(story.next(), Action::Lookup(LookBy::Key));
}
