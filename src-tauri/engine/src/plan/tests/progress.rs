//! What counts as news of a job: what a person would call progress, and a revision alone is none.

use super::{following::accepted, *};
use crate::journal::between;

fn told(status: JobStatus, revision: u64, step: &str, done: u64) -> AttemptResult {
    let progress = Progress {
        done,
        total: Some(100),
        unit: "rows".to_owned(),
        step: Some(step.to_owned()),
        ahead: None,
    };
    let job = Job { progress: Some(progress), ..job(status, revision) };
    AttemptResult::Found { job: Box::new(job) }
}

/// Polls so often, with a revision that grows each time; gives when the alarm came, if it did.
fn alarm_after(
    story: &mut Story,
    polls: u64,
    answer: impl Fn(u64) -> AttemptResult,
) -> Option<Duration> {
    let began = story.now;
    for revision in 2..polls {
        story.then(AttemptKind::Poll, answer(revision));
        if story.record.journal.holds.contains(&Hold::NoProgress) {
            return Some(between(began, story.now));
        }
    }
    None
}

#[test]
fn a_revision_that_grows_alone_is_no_progress() {
    for long_polls in [0, 20] {
        let mut story = Story::at(less(|can| can.max_wait_s = long_polls));
        story.then(AttemptKind::Submit, found(JobStatus::Queued));
        let alarm =
            alarm_after(&mut story, 10_000, |revision| told(JobStatus::Running, revision, "a", 5));
        let alarm = alarm.expect("it comes");
        assert!(alarm < Duration::from_secs(32 * 60), "{alarm:?}");
        assert!(story.count(AttemptKind::Poll) < 100, "and nobody is asked in haste");
        story.always(|_| told(JobStatus::Running, 20_000, "a", 5));
        assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::NoProgress));
    }
}

#[test]
fn a_job_that_begins_again_and_again_gets_no_further() {
    let mut story = accepted();
    let alarm = alarm_after(&mut story, 10_000, |revision| {
        let (step, done) = [("read", 10), ("read", 50), ("write", 5)][revision as usize % 3];
        let status = if revision % 5 == 0 { JobStatus::Queued } else { JobStatus::Running };
        told(status, revision, step, done)
    });
    assert!(alarm.is_some());
    // Past its furthest, it moves again.
    story.then(AttemptKind::Poll, told(JobStatus::Running, 20_000, "write", 6));
    assert_eq!(story.record.journal.hold(), None);
}

#[test]
fn steps_that_a_service_makes_up_without_end_are_no_progress() {
    let mut story = accepted();
    let alarm = alarm_after(&mut story, 10_000, |revision| {
        told(JobStatus::Running, revision, &format!("part {revision}"), 0)
    });
    assert!(alarm.is_some());
}

#[test]
fn a_count_a_step_and_a_place_in_the_queue_are() {
    let waiting = |revision, ahead| {
        let progress = Progress {
            done: 0,
            total: None,
            unit: "rows".to_owned(),
            step: None,
            ahead: Some(ahead),
        };
        let job = Job { progress: Some(progress), ..job(JobStatus::Queued, revision) };
        AttemptResult::Found { job: Box::new(job) }
    };
    let mut story = accepted();
    let mut news_at = story.record.journal.schedule.news_at;
    for (answer, news) in [
        (waiting(2, 4), true),
        (waiting(3, 5), false),
        (waiting(4, 3), true),
        (told(JobStatus::Running, 5, "read", 0), true),
        (told(JobStatus::Running, 6, "read", 1), true),
        (told(JobStatus::Running, 7, "read", 1), false),
        (told(JobStatus::Running, 8, "write", 1), true),
        (told(JobStatus::Running, 4, "write", 9), false),
        (found_at(JobStatus::Succeeded, 9), true),
    ] {
        story.wait(Duration::from_secs(1));
        story.ends(AttemptKind::Poll, answer.clone());
        let now = story.record.journal.schedule.news_at;
        assert_eq!(now > news_at, news, "{answer:?}");
        news_at = now;
    }
}

#[test]
fn after_a_restore_of_the_service_the_job_runs_anew() {
    let mut story = accepted();
    story.then(AttemptKind::Poll, told(JobStatus::Running, 7, "read", 90));
    let anew = Job { service_epoch: 2, ..job(JobStatus::Queued, 1) };
    story.then(AttemptKind::Poll, AttemptResult::Found { job: Box::new(anew) });
    assert_eq!(story.record.journal.schedule.news_at, Some(story.now));
    let AttemptResult::Found { job } = told(JobStatus::Running, 2, "read", 3) else { return };
    let moved = Job { service_epoch: 2, ..*job };
    story.then(AttemptKind::Poll, AttemptResult::Found { job: Box::new(moved) });
    assert_eq!(story.record.journal.schedule.news_at, Some(story.now));
}
