//! A database or a store that goes back in time, or to a second computer.

use docket_engine::{
    attempt::AttemptKind,
    journal::{Hold, UnresolvedReason},
    stage::{NotCreatedWhy, Stage},
};

use super::story::{HOUR, Story};
use crate::{network::Line, person::Wish, rows::Row, steps::Step};

const RESTORE: Step = Step::RestoreStore { export: 0 };

#[test]
fn service_restored() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.loses_the_answer(), AttemptKind::Submit);
    story.takes(Step::Restore);
    story.goes_on();
    // The restored service trusts no key of before.
    story.is_unresolved(UnresolvedReason::KeyExpired);
    story.has_jobs(1);
}

#[test]
fn service_restored_and_the_job_was_known() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.takes(Step::Restore);
    story.goes_on();
    story.is_unresolved(UnresolvedReason::JobVanished);
    story.has_jobs(1);
}

#[test]
fn service_restored_with_the_job_inside_the_backup() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.takes(Step::BackUp);
    story.works("running");
    assert_eq!(story.asks(), AttemptKind::Poll);
    story.shows(Stage::Running);
    // It is done once more, and counts from where the backup stood.
    story.takes(Step::Restore);
    story.works("succeeded");
    story.goes_on_until(|story| story.stage() == Stage::Ready);
    story.shows(Stage::Ready);
    story.has_jobs(1);
}

#[test]
fn restored_client_store() {
    let mut story = Story::of(Row::All);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.works("succeeded");
    story.sleeps(2 * HOUR);
    story.takes(Step::Sweep);
    story.takes(RESTORE);
    assert!(story.record().journal.holds.contains(&Hold::RestoredStore));
    story.goes_on();
    story.shows(Stage::Unresolved);
    story.has_submits(1);
    story.has_jobs(1);
}

#[test]
fn copied_client_store() {
    let mut story = Story::of(Row::All);
    let submit = story.calls();
    story.takes(Step::CopyStore { export: 0 });
    // The second computer may not abandon what the first one has yet to send.
    let look = story.calls_of(1);
    assert_eq!(story.world.exports[1].calls[0].kind, AttemptKind::Lookup);
    story.takes(Step::GiveUp { export: 1, no: look });
    story.arrives(submit);
    story.answers(submit);
    story.goes_on_until(|story| story.stage_of(1) == Stage::Accepted);
    assert_eq!((story.stage(), story.stage_of(1)), (Stage::Accepted, Stage::Accepted));
    story.has_jobs(1);
}

#[test]
fn restored_beside_a_late_copy() {
    let mut story = Story::of(Row::All);
    story.calls();
    story.takes(RESTORE);
    assert_eq!(story.asks(), AttemptKind::Lookup);
    story.shows(Stage::Confirming);
    // Not wanted any more: neither withdrawn nor never sent, for something may have left.
    story.wants(Wish::Cancel);
    story.shows(Stage::Cancelling);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    story.is_not_created(NotCreatedWhy::Abandoned);
    story.late_copy_arrives();
    story.has_jobs(0);
}

#[test]
fn restored_beside_a_late_copy_without_idempotency() {
    for row in [Row::LookupAlone, Row::TraitsAlone, Row::Nothing] {
        let mut story = Story::of(row);
        story.calls();
        story.takes(RESTORE);
        story.goes_on_until(|story| story.stage() == Stage::Unresolved || !story.world.is_due(0));
        story.late_copy_arrives();
        story.goes_on();
        story.has_submits(1);
        story.has_jobs(1);
    }
}

#[test]
fn restored_and_never_answered() {
    let mut story = Story::of(Row::All);
    story.takes(RESTORE);
    story.connects(Line::Silent);
    while story.stage() != Stage::Unresolved {
        story.loses();
    }
    story.is_unresolved(UnresolvedReason::ServiceUnreachable);
    story.has_submits(0);
}

#[test]
fn minted_young_again() {
    // The clock is wrong at the click; nothing of the service's clock is known in the backup.
    let mut story = Story::with(Row::NoAbandon, |config| {
        config.skew = -3 * HOUR;
        config.described = false;
    });
    assert_eq!(story.asks(), AttemptKind::Describe);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.works("succeeded");
    story.sleeps(2 * HOUR);
    story.takes(Step::Sweep);
    story.takes(Step::SetClock { skew: 0 });
    story.takes(RESTORE);
    assert_eq!(story.record().journal.first_sent, None);
    story.goes_on();
    story.shows(Stage::Unresolved);
    assert_eq!(story.record().journal.first_sent, None, "a copied store makes no old key young");
    story.has_submits(1);
    story.has_jobs(1);
}
