//! The file of a job that this account may no longer ask about.

use super::{
    following::{accepted, interrupted, saved, succeeded},
    *,
};

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
