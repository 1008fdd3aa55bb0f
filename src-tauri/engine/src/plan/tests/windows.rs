//! How a window is used and how it ends: what is asked by, what is adopted, which reason stands.

use super::*;
use crate::{attempt::AttemptKind::*, journal::between};

fn listed(ids: &[&str]) -> AttemptResult {
    AttemptResult::Listed {
        jobs: ids
            .iter()
            .map(|id| Job { business_id: (*id).to_owned(), ..job(JobStatus::Running, 1) })
            .collect(),
        as_of: Timestamp::UNIX_EPOCH,
    }
}

fn by_traits_alone() -> Story {
    Story::lost_submit(less(|can| {
        can.idempotent_submit = false;
        can.lookup_by_key = false;
        can.abandon = false;
    }))
}

#[test]
fn an_id_that_may_be_wrong_is_asked_about_in_turn_with_the_key_and_one_denied_no_more() {
    let mut story = Story::at(less(|can| {
        can.idempotent_submit = false;
        can.abandon = false;
    }));
    let hinted = AttemptResult::Lost {
        phase: Phase::Receive,
        reason: CallReason::Truncated,
        hint: Some("exp_9".to_owned()),
    };
    story.then(Submit, hinted);
    let named = ByHand::Job { business_id: "exp_8".to_owned() };
    let early = settle(&mut story.record, named.clone(), story.now);
    assert_eq!(early, Err(NotNow), "it is still looked for");
    story.always(|_| lost());
    let now = story.now;
    settle(&mut story.record, named, now).unwrap();
    let mut asked = Vec::new();
    for _ in 0..4 {
        assert_eq!(story.until_due(), Lookup);
        let Action::Lookup(by) = story.next() else { panic!("not a look") };
        asked.push(by);
        story.ends(Lookup, not_seen());
    }
    let job = |id| LookBy::Job(BusinessId::from_text(id));
    assert_eq!(asked, [job("exp_8"), LookBy::Key, job("exp_9"), LookBy::Key]);
}

#[test]
fn a_job_that_was_adopted_is_followed_to_an_end_like_any_other() {
    let mut story = by_traits_alone();
    story.then(Lookup, listed(&["exp_1"]));
    story.then(Lookup, listed(&["exp_1"]));
    assert_eq!(story.stage(), Stage::Running);
    story.always(|_| lost());
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::NoProgress));

    // Late truth: a slow look adopts as well.
    let mut late = by_traits_alone();
    late.then(Lookup, listed(&["exp_1"]));
    late.always(|_| lost());
    assert_eq!(late.stage(), Stage::Unresolved);
    late.then(Lookup, listed(&["exp_1"]));
    assert_eq!(late.stage(), Stage::Running);
}

#[test]
fn several_over_all_looks_are_ambiguous_also_where_the_last_look_shows_one() {
    let mut story = by_traits_alone();
    story.then(Lookup, listed(&["exp_1", "exp_2"]));
    story.always(|_| listed(&["exp_2"]));
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::AmbiguousMatches));
}

#[test]
fn what_was_put_off_and_can_not_be_abandoned_ends_with_what_the_service_said() {
    let ended = |until| {
        let mut story = Story::at(less(|can| can.abandon = false));
        story.always(|_| AttemptResult::Deferred { until });
        story.replan();
        while story.record.next_action_at.is_some() && !story.is_closed() {
            story.due();
            story.replan();
        }
        story.record.journal.schedule.closed
    };
    let soon: Timestamp = "2026-11-29T10:03:00Z".parse().unwrap();
    assert_eq!(ended(DeferUntil::Time(soon)), Some(UnresolvedReason::ServiceErrors));
    assert_eq!(ended(DeferUntil::SignIn), Some(UnresolvedReason::SignInRefused));
}

#[test]
fn a_key_too_old_to_be_sent_is_abandoned_at_the_end() {
    let mut story = Story::lost_submit(full());
    story.always(|_| not_sent());
    assert_eq!(story.stage(), Stage::Unresolved);
    // No submit is allowed any more, an abandon is: nothing that is wanted can be killed by it.
    story.wait(Duration::from_secs(23 * 3600));
    story.then(Lookup, not_seen());
    story.then(Abandon, AttemptResult::Abandoned);
    assert_eq!(story.stage(), Stage::NotCreated);
}

#[test]
fn a_service_under_suspicion_is_not_told_to_abandon_what_is_wanted() {
    for looks in [true, false] {
        let mut story = Story::at(less(|can| {
            can.lookup_by_key = looks;
            can.lookup_by_traits = looks;
        }));
        story.record.facts.as_mut().unwrap().suspected = Suspicion::KeyBreach;
        story.then(Submit, lost());
        story.always(|_| not_seen());
        assert_eq!(story.stage(), Stage::Unresolved);
        assert_eq!((story.count(Submit), story.count(Abandon)), (1, 0));
        assert!(may_resend(&story.record, story.moment()));
    }
}

#[test]
fn a_describe_is_no_check_of_a_service_under_suspicion() {
    let mut story = Story::offline();
    let mut suspected = facts(full(), story.now);
    suspected.suspected = Suspicion::KeyBreach;
    learn(&mut story.record, suspected);
    let fresh = facts(full(), story.now);
    learn(&mut story.record, fresh);
    assert_eq!(story.record.facts.unwrap().suspected, Suspicion::KeyBreach);
}

#[test]
fn a_slow_submit_that_is_refused_is_sealed() {
    let mut story = Story::lost_submit(less(|can| {
        can.lookup_by_key = false;
        can.lookup_by_traits = false;
    }));
    story.always(|_| not_sent());
    assert_eq!(story.stage(), Stage::Unresolved);
    story.then(Submit, refused(ProblemType::Forbidden));
    assert_eq!(story.stage(), Stage::Confirming);
    story.then(Abandon, AttemptResult::Abandoned);
    assert_eq!(story.stage(), Stage::Rejected);
}

#[test]
fn a_clock_that_was_set_back_delays_nothing_by_more_than_was_planned() {
    let mut story = Story::lost_submit(full());
    assert!(matches!(story.next(), Action::WaitUntil(..)));
    story.now = story.now.saturating_sub(jiff::SignedDuration::from_hours(24 * 365)).unwrap();
    story.replan();
    let at = story.record.next_action_at.unwrap();
    assert!(between(story.now, at) <= Duration::from_secs(1), "{at}");
}

#[test]
fn a_clock_that_was_set_back_puts_nothing_off_again_and_again_because_the_service_asked_to_wait() {
    let mut story = Story::at(full());
    let until = later(story.now, Duration::from_secs(7));
    story.then(Submit, AttemptResult::Deferred { until: DeferUntil::Time(until) });
    story.now = story.now.saturating_sub(jiff::SignedDuration::from_hours(3)).unwrap();
    story.replan();
    let at = story.record.next_action_at.unwrap();
    assert!(between(story.now, at) <= Duration::from_secs(7), "{at}");
    story.now = at;
    assert_eq!(story.replan(), Action::Submit);
}

#[test]
fn a_clock_that_was_set_is_heard_of_from_the_service_that_saw_nothing() {
    for ahead in [-48, 48] {
        let mut story = Story::lost_submit(full());
        assert_eq!(story.until_due(), Lookup);
        let set = jiff::SignedDuration::from_hours(ahead);
        story.now = story.now.checked_add(set).unwrap();
        story.replan();
        // By the clock that was set the key would be too old, or never grow old.
        while story.until_due() == Lookup {
            let as_of = story.now.checked_sub(set).unwrap();
            story.ends(Lookup, AttemptResult::NotSeen { as_of });
        }
        assert_eq!(story.until_due(), Submit, "the service would take it, {ahead} h");
        let ahead_ms = story.record.facts.as_ref().unwrap().clock_ahead_ms;
        let known = jiff::SignedDuration::from_millis(ahead_ms);
        assert!((known + set).abs() <= jiff::SignedDuration::from_secs(2), "{known}");
    }
}

#[test]
fn a_clock_that_fits_an_answer_is_left_as_it_was_learnt() {
    let mut story = Story::lost_submit(full());
    let known = story.record.facts.as_ref().unwrap().clock_ahead_ms;
    assert_eq!(story.until_due(), Lookup);
    let as_of = story.now.checked_sub(jiff::SignedDuration::from_secs(1)).unwrap();
    story.ends(Lookup, AttemptResult::NotSeen { as_of });
    assert_eq!(story.record.facts.as_ref().unwrap().clock_ahead_ms, known);
}

#[test]
fn a_clock_set_back_puts_a_slow_look_off_by_no_more_than_its_gap() {
    let day = Duration::from_secs(24 * 3600);
    let unseen = || {
        let mut story = Story::lost_submit(less(|_| {}));
        story.always(|_| lost());
        story
    };
    let vanished = || {
        let mut story = super::following::accepted();
        while !story.is_closed() {
            story.then(Poll, not_seen());
        }
        story
    };
    for (mut story, look) in [(unseen(), Lookup), (vanished(), Poll)] {
        assert!(story.is_closed());
        let now = story.now.checked_sub(day).unwrap();
        story.now = now;
        assert!(matches!(story.replan(), Action::WaitUntil(_, kind) if kind == look));
        assert_eq!(story.until_due(), look);
        assert!(between(now, story.now) <= Policy::default().slow_gap, "{}", story.now);
    }
}

#[test]
fn the_last_slow_look_comes_while_the_key_can_still_be_abandoned() {
    // The next one in its time would come when the service may have forgotten the key.
    let mut story = Story::lost_submit(less(|can| can.key_retention_s = 3600));
    story.always(|_| lost());
    story.then(Lookup, lost());
    let minted = story.record.journal.first_sent.unwrap();
    let since = |story: &Story| between(minted, story.now);
    assert_eq!(story.until_due(), Lookup);
    assert_eq!(since(&story), Duration::from_secs(3600 - 360), "and not after an hour");
    let (record, policy, now) = (story.record.clone(), story.policy.clone(), story.now);
    let mut settled = Story { record, now, policy, calls: Vec::new() };
    settled.ends(Lookup, not_seen());
    settled.then(Abandon, AttemptResult::Abandoned);
    assert_eq!(settled.stage(), Stage::NotCreated);
    // One that brings nothing is the last.
    story.ends(Lookup, lost());
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Unresolved));
}
