//! The file lies with somebody who says when to come for it.

use super::{
    following::{saved, succeeded},
    *,
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
