//! Copies and successors.

use docket_engine::{
    attempt::AttemptKind,
    journal::{Sending, Turn},
    stage::Stage,
};

use super::story::Story;
use crate::{network::Line, person::Wish, rows::Row, service::Mood, steps::Step};

/// Refused, with a copy of the request still on its way, and asked for anew.
fn refused_and_asked_for_anew() -> (Story, u32) {
    let mut story = Story::of(Row::All);
    let submit = story.calls();
    story.repeats(submit);
    story.arrives_as(submit, Mood::Invalid);
    story.answers(submit);
    story.shows(Stage::Rejected);
    story.wants(Wish::Another);
    assert_eq!(story.turn(), Turn::AfterSeal);
    assert!(!story.world.is_due(1), "it waits for the seal");
    (story, submit)
}

#[test]
fn successor_before_the_seal() {
    let (mut story, submit) = refused_and_asked_for_anew();
    story.arrives(submit);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    story.shows(Stage::Accepted);
    assert_eq!(story.turn(), Turn::Person, "its job is here: another one only knowingly");
    story.has_jobs(1);
}

#[test]
fn successor_before_the_seal_that_is_never_answered() {
    let (mut story, _) = refused_and_asked_for_anew();
    while story.turn() == Turn::AfterSeal {
        let (_, kind) = story.loses();
        assert_eq!(kind, AttemptKind::Abandon);
    }
    assert_eq!(story.turn(), Turn::Person);
}

#[test]
fn successor_after_the_seal() {
    let (mut story, submit) = refused_and_asked_for_anew();
    assert_eq!(story.asks(), AttemptKind::Abandon);
    assert_eq!(story.turn(), Turn::Free);
    story.arrives(submit);
    story.has_jobs(0);
    story.goes_on_until(|story| story.stage_of(1) == Stage::Accepted);
    story.has_jobs(1);
}

/// Unresolved, and a copy is asked for knowingly while nobody can be reached.
fn unresolved_and_copied() -> (Story, u32) {
    let mut story = Story::of(Row::All);
    let (submit, _) = story.loses();
    story.connects(Line::Refusing);
    while story.stage() == Stage::Confirming {
        if !story.world.is_due(0) {
            story.takes(Step::Wait);
        }
        story.takes(Step::DriveInVain { export: 0 });
    }
    story.shows(Stage::Unresolved);
    story.wants(Wish::Another);
    assert_eq!(story.record().journal.sending, Sending::Copied);
    story.connects(Line::Up);
    (story, submit)
}

#[test]
fn copy_beside_a_reopened_window() {
    let (mut story, submit) = unresolved_and_copied();
    story.wants(Wish::CheckNow);
    assert_eq!(story.asks(), AttemptKind::Lookup);
    // The old key is withdrawn before the copy leaves, and not submitted again.
    assert_eq!(story.asks(), AttemptKind::Abandon);
    assert!(story.has_a_tombstone());
    story.arrives(submit);
    story.goes_on_until(|story| story.stage_of(1) == Stage::Accepted);
    story.has_jobs(1);
    story.has_submits(1);
}

#[test]
fn copy_beside_a_reopened_window_that_finds_the_job() {
    let (mut story, submit) = unresolved_and_copied();
    story.arrives(submit);
    assert_eq!(story.asks(), AttemptKind::Abandon);
    assert!(story.record().knowledge.job().is_some());
    assert_eq!(story.turn(), Turn::Person, "the copy stops until the person asks again");
    story.goes_on();
    story.has_jobs(1);
}
