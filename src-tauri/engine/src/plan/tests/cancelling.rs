//! A wish to cancel a job that is known stands until the service's final word, whatever becomes of its
//! calls; and it is never asked for in haste.

use super::{following::accepted, *};
use crate::journal::between;

fn cancelling() -> Story {
    let mut story = accepted();
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.replan();
    story
}

#[test]
fn no_number_of_calls_that_were_lost_or_not_sent_ends_the_wish() {
    for answer in [lost(), not_sent(), not_seen(), refused(ProblemType::Forbidden)] {
        let mut story = cancelling();
        for _ in 0..12 {
            story.then(AttemptKind::Cancel, answer.clone());
            assert_eq!(story.stage(), Stage::Cancelling);
            story.then(AttemptKind::Poll, found(JobStatus::Queued));
        }
        story.then(AttemptKind::Cancel, found_at(JobStatus::Running, 2));
        story.then(AttemptKind::Poll, found_at(JobStatus::Cancelled, 3));
        assert_eq!(story.stage(), Stage::Cancelled);
    }
}

#[test]
fn an_outage_that_lasts_ends_no_wish_and_costs_one_poll_a_minute() {
    let mut story = cancelling();
    story.then(AttemptKind::Cancel, not_sent());
    let began = story.now;
    for _ in 0..30 {
        story.then(AttemptKind::Poll, not_sent());
    }
    assert!(between(began, story.now) >= Duration::from_secs(15 * 60), "no haste");
    story.then(AttemptKind::Poll, found(JobStatus::Queued));
    story.then(AttemptKind::Cancel, found_at(JobStatus::Cancelled, 2));
    assert_eq!(story.stage(), Stage::Cancelled);
}

#[test]
fn it_is_asked_for_ever_more_seldom_and_no_faster_where_the_job_moves() {
    let mut story = Story::at(less(|can| can.max_wait_s = 20));
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    let began = story.now;
    for revision in 2..30 {
        story.then(AttemptKind::Cancel, lost());
        story.then(AttemptKind::Poll, moved(revision));
    }
    assert!(between(began, story.now) >= Duration::from_secs(20 * 60), "{}", story.now);
}

#[test]
fn where_nothing_settles_it_the_silence_of_the_job_ends_the_asking() {
    let mut story = cancelling();
    story.always(|kind| match kind {
        AttemptKind::Poll => found(JobStatus::Running),
        AttemptKind::Describe
        | AttemptKind::Submit
        | AttemptKind::Lookup
        | AttemptKind::Abandon
        | AttemptKind::Cancel
        | AttemptKind::Download => lost(),
    });
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::NoProgress));
    // Half an hour a minute apart, then a week half an hour apart.
    let cancels = story.count(AttemptKind::Cancel);
    assert!((300..400).contains(&cancels), "{cancels}");
}

#[test]
fn a_job_that_can_not_be_cancelled_any_more_is_only_polled() {
    let mut story = cancelling();
    story.then(AttemptKind::Cancel, AttemptResult::NotCancellable);
    for _ in 0..3 {
        story.then(AttemptKind::Poll, found(JobStatus::Running));
    }
    story.then(AttemptKind::Poll, found_at(JobStatus::Failed, 2));
    assert_eq!(story.stage(), Stage::Failed);
}

#[test]
fn a_poll_that_finds_it_cancelled_needs_no_further_word() {
    let mut story = cancelling();
    story.then(AttemptKind::Cancel, lost());
    story.then(AttemptKind::Poll, found_at(JobStatus::Cancelled, 2));
    assert_eq!((story.stage(), story.next()), (Stage::Cancelled, Action::Done));
}

#[test]
fn a_sign_in_that_ran_out_meanwhile_ends_no_wish() {
    let mut story = cancelling();
    story.then(AttemptKind::Cancel, signed_out());
    let now = story.now;
    signed_in(&mut story.record, now);
    story.replan();
    story.then(AttemptKind::Poll, found(JobStatus::Queued));
    story.then(AttemptKind::Cancel, found_at(JobStatus::Cancelled, 2));
    assert_eq!(story.stage(), Stage::Cancelled);
}

#[test]
fn a_job_in_a_status_that_nobody_knows_is_cancelled_all_the_same() {
    let mut story = accepted();
    story.then(AttemptKind::Poll, found_at(JobStatus::Unknown("paused".to_owned()), 2));
    assert!(story.is_closed());
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.replan();
    story.then(AttemptKind::Cancel, lost());
    story.then(AttemptKind::Poll, found_at(JobStatus::Unknown("paused".to_owned()), 2));
    story.then(AttemptKind::Cancel, found_at(JobStatus::Cancelled, 3));
    assert_eq!(story.stage(), Stage::Cancelled);
}
