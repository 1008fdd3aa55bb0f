//! A process that is killed: what it had recorded is all there, and nothing is forgotten.
//!
//! The child is this test program, told by its environment what to do. It is killed without a
//! warning, as a person or the system would.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use super::*;
use crate::{knowledge::SubmitEnd, store::Change};

const HOME: &str = "DOCKET_TEST_STORE_HOME";
const MACHINE: &str = "DOCKET_TEST_STORE_MACHINE";
const PART: &str = "DOCKET_TEST_STORE_PART";
const DONE: &str = "child: done ";

/// Plays a part in a process of its own and then waits to be killed. Does nothing as a test.
#[test]
fn plays_its_part() {
    let Some(part) = std::env::var_os(PART) else { return };
    let place = |name| std::path::PathBuf::from(std::env::var_os(name).unwrap());
    let opened = Store::open(&place(HOME), &place(MACHINE), at(0)).unwrap();
    let store = opened.store;
    let first = record(&store, orders());
    let id = first.export.id.clone();
    let begun = || {
        let begun = store.begin_change(&id, 1, Change::Submit, "00000000000000aa", at(1), &same);
        begun.unwrap().unwrap();
    };
    match part.to_str().unwrap() {
        "record" => {}
        "begin" => begun(),
        "cross" => {
            begun();
            store.mark_crossed(&id, 1, at(2), &same).unwrap();
        }
        "finish" => {
            begun();
            store.finish(&[ended(&id, 1, AttemptKind::Submit, lost())], at(3), &|_, _| {}).unwrap();
        }
        other => panic!("no part {other}"),
    }
    println!("\n{DONE}{id}");
    loop {
        std::thread::park();
    }
}

/// Starts the child and waits until it has played its part.
fn play(place: &Place, part: &str) -> (Child, ExportId) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::tests::child::plays_its_part", "--nocapture", "--test-threads=1"])
        .envs([(HOME, place.home.as_path()), (MACHINE, place.machine.as_path())])
        .env(PART, Path::new(part))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines.map(Result::unwrap).find(|line| line.starts_with(DONE));
    let id = ExportId::from_text(&said.expect("the child says when it is done")[DONE.len()..]);
    (child, id)
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn killed_between_begin_and_finish_the_attempt_counts_as_lost() {
    for part in ["begin", "cross"] {
        let place = Place::new();
        let (child, id) = play(&place, part);
        kill(child);
        let store = place.driven();
        let open = &store.attempts(&id).unwrap()[0];
        assert_eq!(open.ended_at, None);
        let after = store.interrupted(at(60), &as_it_is).unwrap();
        assert_eq!(after.len(), 1);
        assert!(matches!(
            after[0].knowledge.submits[&1],
            SubmitEnd::Lost { reason: CallReason::Interrupted, .. }
        ));
        assert_eq!(after[0].stage, Stage::Confirming, "{part}");
        assert_eq!(after[0].export.id, id);
    }
}

#[test]
fn killed_at_any_other_moment_nothing_is_forgotten() {
    let place = Place::new();
    let (child, id) = play(&place, "record");
    kill(child);
    let store = place.driven();
    assert!(store.interrupted(at(60), &as_it_is).unwrap().is_empty());
    assert_eq!(due(&store, 60)[0].id, id);
    drop(store);

    let place = Place::new();
    let (child, id) = play(&place, "finish");
    kill(child);
    let store = place.driven();
    assert!(store.interrupted(at(60), &as_it_is).unwrap().is_empty());
    assert_eq!(store.attempts(&id).unwrap()[0].result, Some(lost()));
}

#[test]
fn a_driver_in_another_process_keeps_the_lock_until_it_ends() {
    let place = Place::new();
    let (child, id) = play(&place, "record");
    let observer = place.open();
    assert_eq!(observer.role, Role::Observer);
    assert!(observer.store.get(&id).unwrap().is_some());
    assert_eq!(observer.store.take_over(at(1)).unwrap(), None);
    kill(child);
    assert!(observer.store.take_over(at(2)).unwrap().is_some());
}
