//! The worlds: what goes wrong in each, and that the promise holds in every order of events.

use crate::{
    holds,
    person::Wish,
    rows::{Config, Row},
    service::Access,
    world::Fault::{self, *},
};

const MINUTE: i64 = 60;
const HOUR: i64 = 3600;

/// Each row, with so much that may go wrong.
fn every(faults: &[(Fault, u8)]) -> Vec<Config> {
    some(&Row::EVERY, faults)
}

fn some(rows: &[Row], faults: &[(Fault, u8)]) -> Vec<Config> {
    rows.iter().map(|row| Config::of(*row, faults)).collect()
}

fn with(mut configs: Vec<Config>, change: impl Fn(&mut Config)) -> Vec<Config> {
    configs.iter_mut().for_each(change);
    configs
}

#[test]
fn calls_are_lost_and_the_program_dies() {
    holds("calls lost, crashes", every(&[(Lose, 2), (NotSent, 1), (Crash, 1)]));
}

#[test]
fn a_gateway_repeats() {
    holds("a gateway repeats", every(&[(Lose, 1), (Duplicate, 2)]));
}

#[test]
fn a_gateway_repeats_what_is_put_off_or_refused() {
    let faults = [(Lose, 1), (Duplicate, 1), (Busy, 1), (InProgress, 1), (Invalid, 1)];
    holds("repeats, put off or refused", every(&faults));
}

#[test]
fn a_job_shows_late() {
    let late = |config: &mut Config| config.capabilities.visibility_lag_s = 400;
    holds("a job shows late", with(every(&[(Lose, 2), (Duplicate, 1)]), late));
}

#[test]
fn the_person_checks_and_sends_again() {
    let wishes = |config: &mut Config| {
        config.wishes = &[Wish::CheckNow, Wish::SendNow, Wish::Resend];
    };
    holds("check now, send again", with(every(&[(Lose, 1), (NotSent, 1), (Wish, 2)]), wishes));
}

#[test]
fn the_person_cancels() {
    let wishes = |config: &mut Config| {
        config.wishes = &[Wish::Cancel];
        config.work = &["succeeded", "cancelled"];
    };
    holds("cancel", with(every(&[(Lose, 1), (Wish, 1)]), wishes));
}

#[test]
fn another_one_is_asked_for() {
    let wishes = |config: &mut Config| config.wishes = &[Wish::Another];
    // Where there is no look-up every try is a submit: an outage of any length is too much to visit.
    let (looked_up, sent_again) = Row::EVERY.into_iter().partition::<Vec<_>, _>(|row| {
        let can = row.capabilities();
        can.lookup_by_key || !can.idempotent_submit
    });
    let mut configs = some(&looked_up, &[(Outage, 1), (Wish, 1)]);
    configs.extend(some(&sent_again, &[(Lose, 2), (Wish, 1)]));
    holds("another one", with(configs, wishes));
}

#[test]
fn a_refused_one_is_asked_for_anew() {
    let wishes = |config: &mut Config| config.wishes = &[Wish::Another];
    let faults = [(Duplicate, 1), (Invalid, 1), (Wish, 1)];
    holds("a refusal is mended", with(every(&faults), wishes));
}

#[test]
fn a_click_while_nothing_is_known() {
    let faults = [(Lose, 1), (Outage, 1)];
    holds("click while nothing is known", with(every(&faults), |config| config.described = false));
}

#[test]
fn nobody_can_be_reached_for_a_while() {
    holds("outages", every(&[(Lose, 1), (Outage, 1), (NotSent, 1)]));
}

#[test]
fn the_lid_is_shut() {
    let sleeps = |config: &mut Config| {
        config.sleeps = &[20 * MINUTE, 2 * HOUR];
        config.work = &["succeeded"];
    };
    holds("lid shut", with(every(&[(Lose, 2), (Sleep, 1)]), sleeps));
}

#[test]
fn a_key_is_forgotten() {
    let sleeps = |config: &mut Config| {
        config.sleeps = &[2 * HOUR];
        config.work = &["succeeded"];
    };
    holds("keys are forgotten", with(every(&[(Lose, 1), (Duplicate, 1), (Sleep, 1)]), sleeps));
}

#[test]
fn clocks_differ() {
    let mut configs = Vec::new();
    for skew in [-3 * HOUR, 3 * HOUR] {
        configs.extend(with(every(&[(Lose, 2), (Duplicate, 1)]), |config| config.skew = skew));
    }
    holds("clocks differ", configs);
}

#[test]
fn the_clock_is_set() {
    let clocks = |config: &mut Config| config.clocks = &[-3 * HOUR, 0, 3 * HOUR];
    holds("the clock is set", with(every(&[(Lose, 1), (SetClock, 2)]), clocks));
}

#[test]
fn access_is_withdrawn() {
    let accesses = |config: &mut Config| {
        config.accesses = &[Access::Full, Access::NoOperation, Access::Nothing];
    };
    holds("access withdrawn", with(every(&[(Lose, 1), (Fault::Access, 2)]), accesses));
}

#[test]
fn the_person_is_signed_out() {
    let faults = [(Lose, 1), (SignOut, 2), (Account, 1)];
    holds("signed out, another account", every(&faults));
}

#[test]
fn jobs_move() {
    let work = |config: &mut Config| {
        config.work = &["running", "paused", "succeeded", "failed"];
    };
    holds("jobs move", with(every(&[(Lose, 2)]), work));
}

#[test]
fn the_service_is_restored() {
    let work = |config: &mut Config| config.work = &["succeeded"];
    let faults = [(Lose, 1), (BackUp, 1), (Restore, 1)];
    holds("service restored", with(every(&faults), work));
}

#[test]
fn the_store_is_restored() {
    let work = |config: &mut Config| {
        config.work = &["succeeded"];
        config.sleeps = &[2 * HOUR];
    };
    let faults = [(Lose, 1), (RestoreStore, 1), (Sleep, 1)];
    holds("store restored", with(every(&faults), work));
}

#[test]
fn the_store_is_restored_and_sent_again() {
    let wishes = |config: &mut Config| config.wishes = &[Wish::Resend, Wish::Cancel];
    let faults = [(Lose, 1), (RestoreStore, 1), (Wish, 1)];
    holds("store restored, wishes", with(every(&faults), wishes));
}

#[test]
fn the_store_is_copied() {
    holds("store copied", every(&[(Lose, 1), (CopyStore, 1)]));
}

#[test]
fn the_person_looks_by_hand() {
    let wishes = |config: &mut Config| config.wishes = &[Wish::SettleAbsent, Wish::Another];
    holds("by hand", with(every(&[(Lose, 1), (Wish, 2)]), wishes));
}
