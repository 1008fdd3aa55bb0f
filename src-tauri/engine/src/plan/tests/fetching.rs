//! The file lies with somebody who says when to come for it, or does not give it.

use super::{
    following::{interrupted, saved, succeeded},
    *,
};
use crate::{
    journal::between,
    stage::{Section, section},
};

#[test]
fn a_fetch_that_is_put_off_goes_when_the_service_says_and_is_no_failure() {
    let mut story = succeeded();
    for _ in 0..20 {
        assert_eq!(story.until_due(), AttemptKind::Download);
        let until = later(story.now, Duration::from_secs(600));
        let put_off = AttemptResult::Deferred { until: DeferUntil::Time(until) };
        story.then(AttemptKind::Download, put_off);
        assert_eq!((story.record.journal.hold(), story.stage()), (None, Stage::Downloading));
        assert_eq!(story.next(), Action::WaitUntil(until, AttemptKind::Download));
    }
    // The person need not wait for it.
    let now = story.now;
    fetch_file(&mut story.record, now).unwrap();
    story.replan();
    assert_eq!(story.next(), Action::Download);
    let soon = AttemptResult::Deferred { until: DeferUntil::Time(later(now, Duration::ZERO)) };
    for gap in [1, 2, 4, 8, 8] {
        story.then(AttemptKind::Download, soon.clone());
        let waits =
            Action::WaitUntil(later(story.now, Duration::from_secs(gap)), AttemptKind::Download);
        assert_eq!(story.next(), waits, "it is not asked in haste");
    }
    story.then(AttemptKind::Download, saved());
    assert_eq!(story.stage(), Stage::Saved);
}

/// The end that a job which tells nothing new has, too.
#[test]
fn a_file_that_is_not_to_be_had_is_not_asked_for_for_ever_and_again_once_the_person_wants_it() {
    let soon = |now| AttemptResult::Deferred {
        until: DeferUntil::Time(later(now, Duration::from_secs(1))),
    };
    let full =
        |_| AttemptResult::Fetched { end: FetchEnd::NoSpace { needed: 10, free: 1, kept: 0 } };
    let gone = |_| AttemptResult::Fetched { end: FetchEnd::FileGone };
    let cut = |_| interrupted(0);
    let said: [(&dyn Fn(Timestamp) -> AttemptResult, Hold); 4] = [
        (&soon, Hold::DownloadInterrupted),
        (&full, Hold::NoSpace),
        (&gone, Hold::DownloadInterrupted),
        (&cut, Hold::DownloadInterrupted),
    ];
    for (answer, hold) in said {
        let mut story = succeeded();
        // A week of it, in fewer looks.
        story.policy.no_progress_end = Duration::from_secs(4 * 3600);
        for _ in 0..2 {
            let began = story.now;
            while let Some(kind) = story.due() {
                assert!(between(began, story.now) < Duration::from_secs(6 * 3600), "for ever");
                let said = match kind {
                    AttemptKind::Poll => not_seen(),
                    AttemptKind::Describe
                    | AttemptKind::Submit
                    | AttemptKind::Lookup
                    | AttemptKind::Abandon
                    | AttemptKind::Cancel
                    | AttemptKind::Download => answer(story.now),
                };
                story.ends(kind, said);
            }
            assert!(between(began, story.now) >= Duration::from_secs(4 * 3600), "not before");
            assert_eq!(story.next(), Action::WaitForPerson(WaitWhy::Hold(hold)));
            assert_eq!(story.stage(), Stage::Downloading);
            let goes_on = story.record.next_action_at.is_some();
            let stands = section(story.stage(), story.record.journal.hold(), goes_on);
            assert_eq!((goes_on, stands), (false, Section::NeedsAttention));
            let now = story.now;
            resume(&mut story.record, now).unwrap();
            story.replan();
        }
        story.then(AttemptKind::Download, saved());
        assert_eq!(story.stage(), Stage::Saved);
    }
}
