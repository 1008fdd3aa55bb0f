//! What stands against another export like this one is read off what is known and under way.

use super::*;

#[test]
fn from_the_first_moment_of_a_submit_its_outcome_is_unknown() {
    let mut story = Story::at(full());
    assert!(!may_be_under_way(&story.record), "nothing of it was begun");
    story.begins(AttemptKind::Submit);
    assert_eq!(story.stage(), Stage::Sending);
    assert!(may_be_under_way(&story.record), "a byte may leave at any moment");
    assert_eq!(copy_of(&story.record, story.moment()), CopyOf::Unknown);
    story.crosses();
    story.wait(Duration::from_secs(1));
    assert_eq!(story.stage(), Stage::Sending, "the screen waits five seconds, the guard does not");
    assert!(may_be_under_way(&story.record));
    assert_eq!(copy_of(&story.record, story.moment()), CopyOf::Unknown);
    story.ended(AttemptKind::Submit, lost());
    assert!(may_be_under_way(&story.record));
    story.ends(AttemptKind::Lookup, found(JobStatus::Queued));
    assert!(!may_be_under_way(&story.record), "its job is known");
    assert_eq!(copy_of(&story.record, story.moment()), CopyOf::JobKnown);
}

#[test]
fn what_did_not_leave_stands_against_no_other_parameters() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, not_sent());
    assert_eq!(story.stage(), Stage::WaitingToSend);
    assert!(!may_be_under_way(&story.record));
    assert_eq!(copy_of(&story.record, story.moment()), CopyOf::Unknown, "the very same waits");
}

#[test]
fn a_second_try_under_way_and_a_job_named_by_hand_are_unknown_too() {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, not_sent());
    story.until_due();
    story.begins(AttemptKind::Submit);
    assert!(may_be_under_way(&story.record));
    story.ended(AttemptKind::Submit, signed_out());
    let now = story.now;
    settle(&mut story.record, ByHand::Job { business_id: "exp_1".to_owned() }, now).unwrap();
    assert!(may_be_under_way(&story.record));
}
