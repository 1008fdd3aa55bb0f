//! A job that this account may no longer ask about, and its file.

use super::{
    following::{accepted, interrupted, saved, succeeded},
    *,
};
use crate::journal::between;

#[test]
fn a_job_that_may_no_longer_be_asked_about_gives_no_fresh_address() {
    let withdrawn = [
        refused(ProblemType::Forbidden),
        AttemptResult::NotSent { reason: CallReason::AccessRefused },
    ];
    for answer in withdrawn {
        let mut story = succeeded();
        story.then(AttemptKind::Download, interrupted(0));
        story.then(AttemptKind::Poll, answer);
        let hold = Hold::AccessWithdrawn;
        assert_eq!((story.record.journal.hold(), story.stage()), (Some(hold), Stage::Downloading));
        assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Hold(hold)));
        // Once it may again, the person has it fetched.
        let now = story.now;
        fetch_file(&mut story.record, now).unwrap();
        story.then(AttemptKind::Download, interrupted(0));
        story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
        story.then(AttemptKind::Download, saved());
        assert_eq!(story.stage(), Stage::Saved);
    }
    let mut story = succeeded();
    let refused_before = AttemptResult::NotSent { reason: CallReason::AccessRefused };
    story.then(AttemptKind::Download, refused_before);
    assert_eq!(story.record.journal.hold(), Some(Hold::AccessWithdrawn));
    // While it runs, a refused poll says nothing of a file.
    let mut story = accepted();
    story.then(AttemptKind::Poll, refused(ProblemType::Forbidden));
    assert_eq!(story.record.journal.hold(), None);
}

#[test]
fn a_job_that_may_not_be_asked_about_for_a_window_is_unresolved_and_says_why() {
    let withdrawn = [
        refused(ProblemType::Forbidden),
        AttemptResult::NotSent { reason: CallReason::AccessRefused },
    ];
    for answer in withdrawn {
        let mut story = accepted();
        let began = story.now;
        while !story.is_closed() {
            story.then(AttemptKind::Poll, answer.clone());
        }
        let closed = story.record.journal.schedule.closed;
        assert_eq!(closed, Some(UnresolvedReason::AccessWithdrawn));
        assert!(between(began, story.now) >= Duration::from_secs(15 * 60), "a whole window");
        // A slow look still corrects it.
        story.then(AttemptKind::Poll, found_at(JobStatus::Running, 2));
        assert_eq!(story.stage(), Stage::Running);
    }
}

#[test]
fn a_permission_that_comes_back_in_time_costs_nothing() {
    let mut story = accepted();
    for _ in 0..3 {
        story.then(AttemptKind::Poll, refused(ProblemType::Forbidden));
    }
    story.then(AttemptKind::Poll, found_at(JobStatus::Running, 2));
    assert_eq!(story.stage(), Stage::Running);
    assert_eq!(story.record.journal.schedule.window, None);
}
