//! How a gate opens and closes, in seconds after a start that means nothing.

use super::*;
use crate::attempt::Phase;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + seconds).unwrap()
}

fn export(name: &str) -> ExportId {
    ExportId::from_text(name)
}

/// With the longest gaps.
fn heard(gate: &mut Gate, name: &str, word: Word, seconds: i64) -> Follows {
    gate.heard(&export(name), word, (at(seconds), 1.0), &Policy::default())
}

/// A gate that one call closed at second 0: the next probe goes at second 1.
fn closed() -> Gate {
    let mut gate = Gate::new();
    assert_eq!(heard(&mut gate, "a", Word::Unreached, 0), Follows::Nothing);
    gate
}

#[test]
fn each_answer_opens_a_lane_up_to_the_bound_and_a_put_off_closes_half() {
    let mut gate = Gate::new();
    assert_eq!(gate.room(at(0)), Room::Lanes(LANES_FIRST));
    for _ in 0..100 {
        assert_eq!(heard(&mut gate, "a", Word::Answered, 0), Follows::Nothing);
    }
    assert_eq!(gate.room(at(0)), Room::Lanes(Policy::default().calls_max));
    heard(&mut gate, "a", Word::PutOff, 0);
    assert_eq!(gate.room(at(0)), Room::Lanes(Policy::default().calls_max / 2));
    for _ in 0..10 {
        heard(&mut gate, "a", Word::PutOff, 0);
    }
    assert_eq!(gate.room(at(0)), Room::Lanes(1));
}

#[test]
fn a_dead_service_gets_one_probe_at_a_time_with_growing_gaps() {
    let mut gate = closed();
    let mut now = 0;
    for gap in [1, 2, 4, 8, 16, 32, 60, 60] {
        assert_eq!(gate.room(at(now)), Room::Closed(Some(at(now + gap))));
        now += gap;
        assert_eq!(gate.room(at(now)), Room::Probe);
        gate.begun(&export("b"));
        assert_eq!(gate.room(at(now + 1000)), Room::Closed(None), "one is under way");
        assert_eq!(heard(&mut gate, "old", Word::Silent, now), Follows::Nothing);
        assert_eq!(heard(&mut gate, "b", Word::Unreached, now), Follows::Unreached);
    }
    now += 60;
    gate.begun(&export("c"));
    assert_eq!(heard(&mut gate, "c", Word::Answered, now), Follows::Back);
    assert_eq!(gate.room(at(now)), Room::Lanes(LANES_FIRST), "not all at once");
}

#[test]
fn one_export_without_an_answer_closes_it_for_no_other() {
    let mut gate = Gate::new();
    for _ in 0..5 {
        heard(&mut gate, "a", Word::Silent, 0);
        assert_eq!(gate.room(at(0)), Room::Lanes(LANES_FIRST));
    }
    heard(&mut gate, "b", Word::Answered, 0);
    heard(&mut gate, "b", Word::Silent, 0);
    assert_eq!(gate.room(at(0)), Room::Lanes(LANES_FIRST + 1), "there was an answer in between");
    heard(&mut gate, "a", Word::Silent, 0);
    assert_eq!(gate.room(at(0)), Room::Closed(Some(at(1))));
    assert!(gate.was_silent(&export("a")) && !gate.was_silent(&export("c")));
}

#[test]
fn a_probe_that_made_no_call_lets_the_next_go_at_once() {
    let mut gate = closed();
    gate.begun(&export("b"));
    assert_eq!(heard(&mut gate, "b", Word::Nothing, 1), Follows::Nothing);
    assert_eq!(gate.room(at(1)), Room::Probe);
}

#[test]
fn a_clock_that_was_set_back_puts_no_probe_off_by_more_than_its_gap() {
    let mut gate = closed();
    assert_eq!(gate.room(at(-500)), Room::Closed(Some(at(-499))));
    assert_eq!(gate.room(at(-499)), Room::Probe);
}

#[test]
fn an_answer_to_anybody_and_a_doubt_open_it() {
    let mut gate = closed();
    assert_eq!(heard(&mut gate, "asked", Word::Answered, 0), Follows::Back);
    let mut gate = closed();
    gate.doubt(at(0));
    assert_eq!(gate.room(at(0)), Room::Probe);
    assert!(gate.open() && !gate.open());
}

#[test]
fn only_the_services_own_silence_counts() {
    let lost = |reason| AttemptResult::Lost { phase: Phase::Await, reason, hint: None };
    let said = |kind, result: &AttemptResult| word(kind, result, IsProbe::No);
    let not_sent = |reason| AttemptResult::NotSent { reason };
    let refused = not_sent(CallReason::ConnectionRefused);
    assert_eq!(said(AttemptKind::Lookup, &refused), Word::Unreached);
    assert_eq!(said(AttemptKind::Lookup, &not_sent(CallReason::NoCredential)), Word::Nothing);
    assert_eq!(said(AttemptKind::Lookup, &lost(CallReason::Timeout)), Word::Silent);
    assert_eq!(said(AttemptKind::Submit, &lost(CallReason::InProgress)), Word::Answered);
    assert_eq!(said(AttemptKind::Submit, &AttemptResult::KeyExpired), Word::Answered);
    assert_eq!(said(AttemptKind::Download, &refused), Word::Nothing, "it may lie elsewhere");
    assert_eq!(word(AttemptKind::Download, &refused, IsProbe::Yes), Word::Unreached);
}
