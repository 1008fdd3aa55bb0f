//! A job is known: polls, silence, disappearance, cancel, and the fetch of its file.

use super::*;
use crate::journal::between;

pub(super) fn accepted() -> Story {
    let mut story = Story::at(full());
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    story
}

pub(super) fn succeeded() -> Story {
    let mut story = accepted();
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    assert_eq!(story.stage(), Stage::Ready);
    story
}

pub(super) fn fetched(end: FetchEnd) -> AttemptResult {
    AttemptResult::Fetched { end }
}

pub(super) fn saved() -> AttemptResult {
    fetched(FetchEnd::Saved {
        path: "orders.csv".into(),
        size: 10,
        digest: "00".repeat(32),
        verified: Verified::Digest,
    })
}

pub(super) fn interrupted(gained: u64) -> AttemptResult {
    fetched(FetchEnd::Interrupted { reason: CallReason::Reset, kept: 5, gained })
}

#[test]
fn a_lost_poll_is_not_a_lost_job() {
    let mut story = accepted();
    for _ in 0..20 {
        story.then(AttemptKind::Poll, lost());
        assert_eq!(story.stage(), Stage::Accepted);
    }
    story.then(AttemptKind::Poll, found_at(JobStatus::Running, 2));
    assert_eq!(story.stage(), Stage::Running);
}

#[test]
fn an_old_answer_that_arrives_late_moves_nothing_back() {
    let mut story = succeeded();
    story.ends(AttemptKind::Poll, found_at(JobStatus::Running, 1));
    assert_eq!(story.stage(), Stage::Ready);
}

#[test]
fn silence_is_held_after_half_an_hour_and_unresolved_after_a_week() {
    let mut story = accepted();
    while story.record.journal.hold().is_none() {
        story.then(AttemptKind::Poll, found(JobStatus::Queued));
    }
    assert_eq!(story.record.journal.hold(), Some(Hold::NoProgress));
    assert_eq!(story.stage(), Stage::Accepted);
    let before = story.now;
    story.then(AttemptKind::Poll, found(JobStatus::Queued));
    assert!(between(before, story.now) >= Duration::from_secs(1800));
    story.always(|_| found(JobStatus::Queued));
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::NoProgress));
    // Late truth wins.
    story.ends(AttemptKind::Poll, found_at(JobStatus::Succeeded, 9));
    assert_eq!(story.stage(), Stage::Ready);
}

#[test]
fn after_a_sleep_or_a_sign_in_one_poll_comes_before_any_conclusion() {
    let hour = Duration::from_secs(3600);
    for asleep in [hour, 8 * 24 * hour] {
        let mut story = accepted();
        story.then(AttemptKind::Poll, moved(2));
        story.wait(asleep);
        assert!(matches!(story.next(), Action::Poll(_)), "looked at before it is called silent");
        story.ends(AttemptKind::Poll, moved(3));
        assert!(!story.is_closed() && story.record.journal.holds.is_empty());

        story.then(AttemptKind::Poll, signed_out());
        story.wait(asleep);
        signed_in(&mut story.record, story.now);
        assert!(matches!(story.replan(), Action::Poll(_)));
        assert!(!story.is_closed() && story.record.journal.holds.is_empty());

        // And where that look hears nothing new, the time that passed counts.
        story.ends(AttemptKind::Poll, moved(3));
        assert!(story.is_closed() || story.record.journal.holds.contains(&Hold::NoProgress));
    }
}

#[test]
fn what_is_due_is_a_call_and_no_decision_that_would_want_another_turn() {
    let mut story = accepted();
    while story.record.journal.hold().is_none() {
        if let Action::WaitUntil(at, _) = story.next() {
            story.now = at;
        }
        assert!(matches!(story.next(), Action::Poll(_)), "at {}", story.now);
        story.ends(AttemptKind::Poll, found(JobStatus::Queued));
    }
}

#[test]
fn news_lifts_the_hold() {
    let mut story = accepted();
    while story.record.journal.hold().is_none() {
        story.then(AttemptKind::Poll, found(JobStatus::Queued));
    }
    story.then(AttemptKind::Poll, found_at(JobStatus::Running, 2));
    assert_eq!(story.record.journal.hold(), None);
}

#[test]
fn a_job_gone_for_a_whole_window_has_vanished() {
    let mut story = accepted();
    story.then(AttemptKind::Poll, not_seen());
    assert_eq!(story.stage(), Stage::Accepted, "a 404 proves nothing lasting");
    story.always(|_| not_seen());
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::JobVanished));
    assert_eq!(story.stage(), Stage::Unresolved);
}

#[test]
fn a_word_nobody_knows_is_not_running() {
    let mut story = accepted();
    story.then(AttemptKind::Poll, found_at(JobStatus::Unknown("parked".to_owned()), 2));
    assert_eq!(story.stage(), Stage::Unresolved);
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::AnswerUnreadable));
}

#[test]
fn a_cancel_of_a_known_job_waits_for_the_services_word() {
    let mut story = accepted();
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.replan();
    story.then(AttemptKind::Cancel, found_at(JobStatus::Running, 2));
    assert_eq!(story.stage(), Stage::Cancelling);
    story.then(AttemptKind::Poll, found_at(JobStatus::Cancelled, 3));
    assert_eq!(story.stage(), Stage::Cancelled);

    let mut gone = accepted();
    let now = gone.now;
    cancel(&mut gone.record, now).unwrap();
    gone.then(AttemptKind::Cancel, found_at(JobStatus::Running, 2));
    gone.then(AttemptKind::Poll, not_seen());
    assert_eq!(gone.stage(), Stage::Cancelled, "a 404 after our accepted cancel");

    let mut late = accepted();
    let now = late.now;
    cancel(&mut late.record, now).unwrap();
    late.then(AttemptKind::Cancel, AttemptResult::NotCancellable);
    late.ends(AttemptKind::Poll, found_at(JobStatus::Succeeded, 3));
    assert_eq!(late.stage(), Stage::Ready);
}

#[test]
fn a_file_is_fetched_retried_and_saved() {
    let mut story = succeeded();
    story.then(AttemptKind::Download, interrupted(3));
    assert_eq!(story.stage(), Stage::Downloading);
    for _ in 0..3 {
        story.then(AttemptKind::Download, interrupted(0));
        assert_eq!(story.record.journal.hold(), None);
        // The address may have run out: the job is asked for a fresh one before the next try.
        story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    }
    story.then(AttemptKind::Download, interrupted(0));
    assert_eq!(story.record.journal.hold(), Some(Hold::DownloadInterrupted));
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
    assert_eq!(story.record.journal.hold(), None);
    assert_eq!(story.next(), Action::Done);
}

#[test]
fn a_second_wrong_digest_asks_the_person() {
    let mut story = succeeded();
    story.then(AttemptKind::Download, fetched(FetchEnd::WrongDigest));
    assert_eq!(story.record.journal.hold(), None);
    // The job may say by now that it is to be another file.
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    story.then(AttemptKind::Download, fetched(FetchEnd::WrongDigest));
    assert_eq!(story.record.journal.hold(), Some(Hold::CheckFailed));
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Hold(Hold::CheckFailed)));
    let now = story.now;
    fetch_file(&mut story.record, now).unwrap();
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
}

#[test]
fn a_full_disk_goes_on_by_itself_and_a_closed_folder_does_not() {
    let mut story = succeeded();
    let full = FetchEnd::NoSpace { needed: 10, free: 1, kept: 0 };
    story.then(AttemptKind::Download, fetched(full));
    assert_eq!(story.record.journal.hold(), Some(Hold::NoSpace));
    story.then(AttemptKind::Download, saved());

    let mut closed = succeeded();
    let refused =
        FetchEnd::CannotWrite { folder: "closed".into(), reason: "denied".to_owned(), kept: 0 };
    closed.then(AttemptKind::Download, fetched(refused));
    assert_eq!(closed.next(), Action::WaitForPerson(WaitWhy::Hold(Hold::CannotWrite)));
}

#[test]
fn a_whole_file_without_its_name_is_finished_by_itself_where_that_can_be() {
    let (kept, reason) = (10, "used by another process");
    let busy = |kept| {
        fetched(FetchEnd::CannotWrite { folder: "d".into(), reason: reason.to_owned(), kept })
    };
    let mut story = succeeded();
    story.until_due();
    fetch_begins(&mut story.record);
    for _ in 1..story.policy.download_tries_max {
        story.then(AttemptKind::Download, busy(kept));
        let before = story.now;
        assert_eq!((story.record.journal.hold(), story.stage()), (None, Stage::Downloading));
        assert_eq!(story.until_due(), AttemptKind::Download);
        assert!(between(before, story.now) >= Duration::from_secs(1), "with a gap");
    }
    let mut given_up = Story { record: story.record.clone(), now: story.now, ..succeeded() };
    given_up.then(AttemptKind::Download, busy(kept));
    assert_eq!(given_up.next(), Action::WaitForPerson(WaitWhy::Hold(Hold::CannotWrite)));
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
    let mut partly = succeeded();
    partly.record.delivery.total = Some(kept);
    partly.then(AttemptKind::Download, busy(kept - 1));
    assert_eq!(partly.next(), Action::WaitForPerson(WaitWhy::Hold(Hold::CannotWrite)));
}

#[test]
fn pause_resume_and_cancel_stop_the_fetch_and_leave_the_job() {
    let mut story = succeeded();
    let now = story.now;
    pause(&mut story.record, now).unwrap();
    story.replan();
    assert_eq!(
        (story.stage(), story.record.journal.hold()),
        (Stage::Downloading, Some(Hold::Paused))
    );
    resume(&mut story.record, now).unwrap();
    assert_eq!(story.until_due(), AttemptKind::Download);
    cancel(&mut story.record, now).unwrap();
    story.replan();
    assert_eq!(story.stage(), Stage::Ready);
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::File));
}

#[test]
fn an_expired_file_is_learnt_from_the_job() {
    let mut story = succeeded();
    story.then(AttemptKind::Download, fetched(FetchEnd::FileGone));
    story.then(AttemptKind::Poll, found_at(JobStatus::Expired, 3));
    assert_eq!(story.stage(), Stage::Expired);
    assert_eq!(story.next(), Action::Done);
}

#[test]
fn a_job_that_ended_before_its_cancel_is_not_fetched_unasked() {
    let mut story = accepted();
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    story.then(AttemptKind::Cancel, AttemptResult::NotCancellable);
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 3));
    assert_eq!(story.stage(), Stage::Ready);
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::File));
    let now = story.now;
    fetch_file(&mut story.record, now).unwrap();
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
}

#[test]
fn a_fetch_that_could_not_be_begun_is_tried_again_with_a_growing_gap() {
    let mut story = succeeded();
    let began = story.now;
    for _ in 0..4 {
        story.then(AttemptKind::Download, not_sent());
        assert_eq!(story.record.journal.hold(), None);
        story.then(AttemptKind::Poll, not_sent());
    }
    assert!(between(began, story.now) >= Duration::from_secs(7), "1, 2 and 4 seconds");
    story.then(AttemptKind::Download, lost());
    assert_eq!(story.record.journal.hold(), Some(Hold::DownloadInterrupted));
    assert_eq!(story.stage(), Stage::Downloading);
}

#[test]
fn an_address_that_may_have_run_out_is_asked_for_anew_before_the_next_fetch() {
    let mut story = succeeded();
    let run_out = FetchEnd::Interrupted { reason: CallReason::NotTheService, kept: 5, gained: 0 };
    story.then(AttemptKind::Download, fetched(run_out));
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 3));
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
}

#[test]
fn a_file_that_the_job_still_promises_and_nobody_has_is_not_asked_for_without_end() {
    let mut story = succeeded();
    for _ in 0..4 {
        story.then(AttemptKind::Download, fetched(FetchEnd::FileGone));
        story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    }
    story.then(AttemptKind::Download, fetched(FetchEnd::FileGone));
    assert_eq!(story.record.journal.hold(), Some(Hold::DownloadInterrupted));
    let held = story.now;
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    assert!(between(held, story.now) >= Duration::from_secs(1800));

    // A job that succeeded and names no file.
    let mut story = accepted();
    let nameless = Job { file: None, ..job(JobStatus::Succeeded, 2) };
    let answer = AttemptResult::Found { job: Box::new(nameless) };
    let mut polls = 0;
    while story.due() == Some(AttemptKind::Poll) {
        story.ends(AttemptKind::Poll, answer.clone());
        polls += 1;
        assert!(polls < 1000, "asked for ever");
    }
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::File));
    assert_eq!(story.record.journal.hold(), Some(Hold::NoProgress));
    let now = story.now;
    look_now(&mut story.record, now).unwrap();
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 3));
    story.then(AttemptKind::Download, saved());
}

#[test]
fn a_job_that_is_shown_again_has_not_vanished() {
    let mut story = accepted();
    story.always(|_| not_seen());
    assert_eq!(story.record.journal.schedule.closed, Some(UnresolvedReason::JobVanished));
    let now = story.now;
    reachable_again(&mut story.record, now);
    assert!(matches!(story.replan(), Action::Poll(_)), "looked for at once");
    story.then(AttemptKind::Poll, found(JobStatus::Queued));
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn a_job_that_can_not_be_cancelled_offers_no_cancel() {
    let mut story = Story::at(less(|can| can.cancel = false));
    story.then(AttemptKind::Submit, found(JobStatus::Queued));
    let now = story.now;
    assert_eq!(cancel(&mut story.record, now), Err(NotNow));
    assert_eq!(story.stage(), Stage::Accepted);
}

#[test]
fn of_two_jobs_under_one_key_the_person_names_one_and_that_one_is_followed() {
    let mut story = accepted();
    let other = Job { business_id: "exp_2".to_owned(), ..job(JobStatus::Running, 40) };
    story.ends(AttemptKind::Poll, AttemptResult::Found { job: Box::new(other) });
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Breach));
    let now = story.now;
    assert_eq!(settle(&mut story.record, ByHand::Absent, now), Err(NotNow));
    let named = |id: &str| ByHand::Job { business_id: id.to_owned() };
    assert_eq!(settle(&mut story.record, named("exp_3"), now), Err(NotNow));
    story.record.journal.schedule.file_address = Some("/exports/exp_2/file".to_owned());
    settle(&mut story.record, named("exp_1"), now).unwrap();
    story.replan();
    assert_eq!(story.record.journal.schedule.file_address, None, "that of the other job");
    assert_eq!(story.stage(), Stage::Accepted);
    story.then(AttemptKind::Poll, found_at(JobStatus::Running, 2));
    assert_eq!(story.record.journal.schedule.news_at, Some(story.now), "news of the one named");
}

#[test]
fn a_check_is_made_also_where_the_file_is_not_wanted_or_held_up() {
    let mut story = succeeded();
    let now = story.now;
    cancel(&mut story.record, now).unwrap();
    look_now(&mut story.record, now).unwrap();
    story.then(AttemptKind::Poll, found_at(JobStatus::Succeeded, 2));
    assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::File));

    let mut full = succeeded();
    full.then(AttemptKind::Download, fetched(FetchEnd::NoSpace { needed: 10, free: 1, kept: 0 }));
    let now = full.now;
    look_now(&mut full.record, now).unwrap();
    full.then(AttemptKind::Poll, found_at(JobStatus::Expired, 3));
    assert_eq!(full.stage(), Stage::Expired);
}
