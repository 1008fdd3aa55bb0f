//! Each rule that keeps the promise, broken on purpose: the model notices, and tells the story.
//!
//! The world of each holds while the rule stands.

use docket_engine::mutants::Mutant;

use crate::{
    broken_by, holds,
    person::Wish,
    properties::{
        self, ABSENCE, ASKED_KNOWINGLY, NO_REGRESS, NOT_SENT, ONE_JOB, ONE_KEY, OUTCOME, REFUSAL,
        YOUNG,
    },
    rows::{BrokenService, Config, Row},
    world::Fault::{self, *},
};

/// The rule stands: every property holds. The rule is broken: this one does not.
fn is_caught(mutant: Mutant, mut config: Config, property: &'static str) {
    holds(&format!("{mutant:?}, whole"), [config.clone()]);
    config.mutant = Some(mutant);
    let story = broken_by(config, property);
    assert!(story.is_some(), "{mutant:?} is not noticed by: {property}");
    let story = story.unwrap_or_default();
    println!("{mutant:?} breaks: {property}\n{story}");
}

fn all(faults: &[(Fault, u8)]) -> Config {
    Config::of(Row::All, faults)
}

#[test]
fn a_new_key_on_retry() {
    is_caught(Mutant::NewKeyOnRetry, all(&[(Lose, 2)]), ONE_KEY);
}

#[test]
fn a_new_key_on_retry_makes_a_second_job() {
    let config = Config { mutant: Some(Mutant::NewKeyOnRetry), ..all(&[(Lose, 2)]) };
    assert!(broken_by(config, properties::ONE_WISH).is_some());
}

#[test]
fn not_seen_believed_as_not_created() {
    let mut config = all(&[(Lose, 1)]);
    config.capabilities.visibility_lag_s = 400;
    is_caught(Mutant::NotSeenIsNotCreated, config, ABSENCE);
}

#[test]
fn a_refusal_settles_a_lost_attempt() {
    is_caught(Mutant::RefusalSettlesLost, all(&[(Lose, 1), (Invalid, 1)]), REFUSAL);
}

#[test]
fn a_submit_after_the_retention_window() {
    let config = Config { sleeps: &[2 * 3600], ..all(&[(Lose, 1), (Sleep, 1)]) };
    is_caught(Mutant::SubmitAfterRetention, config, YOUNG);
}

#[test]
fn an_old_answer_overwrites_a_new_one() {
    let config = Config { work: &["running"], wishes: &[Wish::CheckNow], ..all(&[(Wish, 1)]) };
    is_caught(Mutant::OldAnswerOverwrites, config, NO_REGRESS);
}

#[test]
fn an_unknown_status_is_taken_as_running() {
    let config = Config { work: &["paused"], ..all(&[]) };
    is_caught(Mutant::UnknownIsRunning, config, OUTCOME);
}

#[test]
fn a_key_is_abandoned_at_any_age() {
    let row = Config::of(Row::AbandonAlone, &[(Lose, 1), (Sleep, 1)]);
    let config = Config { sleeps: &[2 * 3600], ..row };
    is_caught(Mutant::AbandonAtAnyAge, config, YOUNG);
}

#[test]
fn first_sent_is_taken_anew() {
    is_caught(Mutant::FirstSentAnew, all(&[(Lose, 1)]), ONE_KEY);
}

#[test]
fn what_was_under_way_in_a_crash_is_called_not_sent() {
    is_caught(Mutant::InterruptedIsNotSent, all(&[(Lose, 1), (Crash, 1)]), NOT_SENT);
}

#[test]
fn a_guard_is_read_off_the_stage() {
    let config = Config { wishes: &[Wish::Another], ..all(&[(Lose, 1), (Wish, 1)]) };
    is_caught(Mutant::GuardByStage, config, ASKED_KNOWINGLY);
}

/// The client's rules are whole here, and the promise needs the service's: it refuses a key that it
/// may have forgotten.
#[test]
fn a_service_that_takes_a_forgotten_key_for_a_new_one() {
    let faults = [(Lose, 1), (Duplicate, 1), (Sleep, 1)];
    let config = Config { sleeps: &[2 * 3600], work: &["succeeded"], ..all(&faults) };
    holds("a service that refuses what it forgot", [config.clone()]);
    let broken_service = Some(BrokenService::ForgetsSilently);
    let story = broken_by(Config { broken_service, ..config }, ONE_JOB);
    println!("{}", story.expect("two jobs of one key are noticed"));
}

/// And it puts no tombstone over what it may have forgotten.
#[test]
fn a_service_that_abandons_a_forgotten_key() {
    let row = Config::of(Row::AbandonAlone, &[(Lose, 1), (Sleep, 1)]);
    let config = Config { sleeps: &[2 * 3600], work: &["succeeded"], ..row };
    holds("a service that abandons young keys alone", [config.clone()]);
    let broken_service = Some(BrokenService::AbandonsAtAnyAge);
    let story = broken_by(Config { broken_service, ..config }, ABSENCE);
    println!("{}", story.expect("a job beside its tombstone is noticed"));
}
