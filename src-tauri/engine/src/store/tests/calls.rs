//! Begin, cross, finish: what is durable when, and what is refused.

use docket_wire::{Export as Job, JobStatus, Progress};

use super::*;
use crate::{attempt::PhaseMark, journal::InFlight, knowledge::SubmitEnd, store::Change};

fn begin(store: &Store, record: &Record, change: Change) -> Option<(Record, u32)> {
    store
        .begin_change(&record.export.id, record.version, change, "00000000000000aa", at(10), &same)
        .unwrap()
}

fn finish(store: &Store, ends: &[EndedAttempt]) -> Vec<Record> {
    store.finish(ends, at(20), &|_, _| {}).unwrap()
}

pub(super) fn job(record: &Record, status: JobStatus, revision: u64) -> Job {
    Job {
        business_id: "J1".to_owned(),
        tenant_id: "acme".to_owned(),
        operation: record.export.payload.operation().to_owned(),
        request_key: Some(record.export.request_key.as_str().to_owned()),
        payload_hash: record.export.payload.hash(),
        requested_by: "ada".to_owned(),
        status,
        progress: None,
        service_epoch: 1,
        revision,
        created_at: at(0),
        updated_at: at(0),
        expires_at: None,
        file: None,
        problem: None,
        warnings: vec![],
    }
}

fn found(record: &Record, status: JobStatus, revision: u64) -> AttemptResult {
    AttemptResult::Found { job: Box::new(job(record, status, revision)) }
}

#[test]
fn a_change_is_durable_before_it_leaves() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let (begun, attempt_no) = begin(&store, &first, Change::Submit).unwrap();
    assert_eq!((attempt_no, begun.version), (1, 2));
    let call =
        InFlight { attempt_no: 1, kind: AttemptKind::Submit, started_at: at(10), crossed_at: None };
    assert_eq!(begun.journal.in_flight, [call]);
    let other = place.open().store;
    assert_eq!(other.get(&first.export.id).unwrap().unwrap(), begun);
    let rows = other.attempts(&first.export.id).unwrap();
    assert_eq!(
        (rows.len(), rows[0].ended_at, rows[0].span_id.as_str()),
        (1, None, "00000000000000aa")
    );
}

#[test]
fn a_change_is_refused_where_the_export_moved_on() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    store
        .change(&first.export.id, at(1), &mut |record| record.journal.wishes.check = true)
        .unwrap();
    assert_eq!(begin(&store, &first, Change::Submit), None);
    assert!(store.attempts(&first.export.id).unwrap().is_empty());
}

#[test]
fn two_changes_of_one_export_are_never_under_way() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let (begun, _) = begin(&store, &first, Change::Submit).unwrap();
    for change in [Change::Submit, Change::Abandon, Change::Cancel] {
        assert_eq!(begin(&store, &begun, change), None, "{change:?}");
    }
}

#[test]
fn no_submit_leaves_after_the_wish_to_cancel_and_an_abandon_does() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let wished = store
        .change(&first.export.id, at(1), &mut |record| record.journal.wishes.cancel = Some(at(1)))
        .unwrap()
        .unwrap();
    assert_eq!(begin(&store, &wished, Change::Submit), None);
    assert!(begin(&store, &wished, Change::Abandon).is_some());
}

#[test]
fn the_crossing_is_in_the_row_and_in_the_journal() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    begin(&store, &first, Change::Submit).unwrap();
    let crossed = store
        .mark_crossed(&first.export.id, 1, at(11), &|record| {
            record.journal.first_crossed_at = Some(at(11));
        })
        .unwrap();
    assert_eq!(crossed.journal.in_flight[0].crossed_at, Some(at(11)));
    assert_eq!(crossed.journal.first_crossed_at, Some(at(11)));
    assert_eq!(store.attempts(&first.export.id).unwrap()[0].crossed_at, Some(at(11)));
}

#[test]
fn an_end_is_joined_into_what_is_known_by_then() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    begin(&store, &first, Change::Submit).unwrap();
    let id = &first.export.id;
    let look = store.reserve_look(id).unwrap();
    assert_eq!(look, 2);
    finish(&store, &[ended(id, look, AttemptKind::Lookup, found(&first, JobStatus::Running, 3))]);
    store.change(id, at(15), &mut |record| record.journal.wishes.cancel = Some(at(15))).unwrap();

    let mut end = ended(id, 1, AttemptKind::Submit, lost());
    end.end.phases = vec![PhaseMark { phase: Phase::Send, at_ms: 250 }];
    let after = &finish(&store, &[end])[0];
    assert_eq!(after.knowledge.job().unwrap().revision, 3, "the job stays found");
    assert!(matches!(after.knowledge.submits[&1], SubmitEnd::Lost { .. }));
    assert_eq!(after.journal.wishes.cancel, Some(at(15)));
    assert!(after.journal.in_flight.is_empty());
    assert_eq!(after.journal.last_attempt_no, 2);
    let rows = store.attempts(id).unwrap();
    assert_eq!(rows.iter().map(|row| row.attempt_no).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(rows[0].crossed_at.unwrap().as_millisecond(), at(10).as_millisecond() + 250);
}

#[test]
fn a_row_that_was_closed_stays_and_late_evidence_counts() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    begin(&store, &first, Change::Submit).unwrap();
    let id = &first.export.id;
    finish(&store, &[ended(id, 1, AttemptKind::Submit, lost())]);
    let late = ended(id, 1, AttemptKind::Submit, found(&first, JobStatus::Queued, 1));
    let after = &finish(&store, &[late])[0];
    assert!(after.knowledge.job().is_some());
    assert_eq!(store.attempts(id).unwrap()[0].result, Some(lost()));
}

#[test]
fn many_ends_are_one_transaction_and_each_export_comes_once() {
    let place = Place::new();
    let store = place.driven();
    let (first, second) = (record(&store, orders()), record(&store, orders()));
    let poll = |of: &Record, no, revision| {
        ended(&of.export.id, no, AttemptKind::Poll, found(of, JobStatus::Running, revision))
    };
    let after = finish(&store, &[poll(&first, 1, 1), poll(&second, 1, 1), poll(&first, 2, 2)]);
    let versions: Vec<_> = after.iter().map(|record| (&record.export.id, record.version)).collect();
    assert_eq!(versions, [(&first.export.id, 2), (&second.export.id, 2)]);
    assert_eq!(after[0].knowledge.job().unwrap().revision, 2);

    let unknown = ended(&ExportId::mint(), 1, AttemptKind::Poll, lost());
    let error = store.finish(&[poll(&first, 3, 9), unknown], at(30), &|_, _| {}).unwrap_err();
    assert!(matches!(error, StoreError::UnknownExport(_)), "{error}");
    assert_eq!(store.get(&first.export.id).unwrap().unwrap(), after[0], "all or nothing");
    let rows = store.attempts(&first.export.id).unwrap();
    assert_eq!(rows.iter().map(|row| row.times).collect::<Vec<_>>(), [2]);
}

#[test]
fn equal_polls_in_a_row_are_one_row() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let id = &first.export.id;
    let running = || found(&first, JobStatus::Running, 1);
    for no in 1..=3 {
        finish(&store, &[ended(id, no, AttemptKind::Poll, running())]);
    }
    let rows = store.attempts(id).unwrap();
    assert_eq!((rows.len(), rows[0].attempt_no, rows[0].times), (1, 1, 3));
    assert_eq!((rows[0].started_at, rows[0].ended_at), (at(10), Some(at(14))));

    let mut other_status = ended(id, 4, AttemptKind::Poll, running());
    other_status.end.http_status = Some(200);
    finish(&store, &[other_status]);
    finish(&store, &[ended(id, 5, AttemptKind::Lookup, running())]);
    finish(&store, &[ended(id, 6, AttemptKind::Poll, found(&first, JobStatus::Queued, 2))]);
    finish(&store, &[ended(id, 7, AttemptKind::Poll, running())]);
    let rows = store.attempts(id).unwrap();
    let told: Vec<_> = rows.iter().map(|row| (row.attempt_no, row.times)).collect();
    assert_eq!(told, [(1, 3), (4, 1), (5, 1), (6, 1), (7, 1)]);
}

#[test]
fn calls_that_change_something_are_never_one_row() {
    let place = Place::new();
    let store = place.driven();
    let mut now = record(&store, orders());
    let id = now.export.id.clone();
    for _ in 0..2 {
        let (_, no) = begin(&store, &now, Change::Submit).unwrap();
        now = finish(&store, &[ended(&id, no, AttemptKind::Submit, lost())]).remove(0);
    }
    assert_eq!(store.attempts(&id).unwrap().len(), 2);
    assert_eq!(now.knowledge.submits.len(), 2);
}

#[test]
fn numbers_of_looks_and_changes_never_clash() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let id = &first.export.id;
    let looks = [store.reserve_look(id).unwrap(), store.reserve_look(id).unwrap()];
    let (begun, change) = begin(&store, &first, Change::Submit).unwrap();
    let third = store.reserve_look(id).unwrap();
    assert_eq!((looks, change, third), ([1, 2], 3, 4));
    finish(&store, &[ended(id, 1, AttemptKind::Lookup, lost())]);
    assert_eq!(store.reserve_look(id).unwrap(), 5, "4 is still out");
    for no in [4, 5, 2] {
        finish(&store, &[ended(id, no, AttemptKind::Lookup, lost())]);
    }
    assert!(store.numbers.lock().unwrap().is_empty(), "nothing is kept that is written");
    assert_eq!(store.reserve_look(id).unwrap(), 6);
    assert_eq!(begun.journal.last_attempt_no, 3);
}

#[test]
fn what_a_start_finds_open_counts_as_lost() {
    let place = Place::new();
    let store = place.driven();
    let (crossed, prepared, idle) =
        (record(&store, orders()), record(&store, orders()), record(&store, orders()));
    begin(&store, &crossed, Change::Submit).unwrap();
    store.mark_crossed(&crossed.export.id, 1, at(11), &same).unwrap();
    begin(&store, &prepared, Change::Abandon).unwrap();
    drop(store);

    let store = place.driven();
    let after =
        store.interrupted(at(30), &|record, _| record.next_action_at = Some(at(31))).unwrap();
    assert_eq!(after.len(), 2);
    for record in &after {
        assert!(record.journal.in_flight.is_empty());
        assert_eq!(
            (record.version, record.next_action_at),
            (4 - u64::from(record.export.id == prepared.export.id), Some(at(31)))
        );
    }
    let lost =
        |phase| Some(AttemptResult::Lost { phase, reason: CallReason::Interrupted, hint: None });
    let row = |of: &Record| store.attempts(&of.export.id).unwrap().remove(0);
    assert_eq!(row(&crossed).result, lost(Phase::Send));
    assert_eq!(row(&prepared).result, lost(Phase::Prepare));
    assert_eq!(row(&prepared).ended_at, Some(at(30)));
    let known = store.get(&crossed.export.id).unwrap().unwrap().knowledge;
    assert!(known.any_lost() && known.any_crossed());
    assert_eq!(store.get(&idle.export.id).unwrap().unwrap(), idle);
    assert!(store.interrupted(at(40), &as_it_is).unwrap().is_empty(), "once");
}

#[test]
fn an_export_that_is_not_there_is_said() {
    let place = Place::new();
    let store = place.driven();
    let id = ExportId::mint();
    let unknown = |error| matches!(error, StoreError::UnknownExport(of) if of == id);
    assert!(unknown(store.begin_change(&id, 1, Change::Submit, "s", at(0), &same).unwrap_err()));
    assert!(unknown(store.reserve_look(&id).unwrap_err()));
    assert!(unknown(store.mark_crossed(&id, 1, at(0), &same).unwrap_err()));
    assert_eq!(store.change(&id, at(0), &mut same).unwrap(), None);
}

#[test]
fn polls_of_a_job_that_goes_on_are_one_row_whatever_its_numbers_say() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let id = &first.export.id;
    for (no, done) in [(1, 10), (2, 20), (3, 30)] {
        let mut running = job(&first, JobStatus::Running, u64::from(no));
        running.progress = Some(Progress {
            done,
            total: Some(100),
            unit: "rows".to_owned(),
            step: None,
            ahead: None,
        });
        let result = AttemptResult::Found { job: Box::new(running) };
        finish(&store, &[ended(id, no, AttemptKind::Poll, result)]);
    }
    let done = found(&first, JobStatus::Succeeded, 4);
    finish(&store, &[ended(id, 4, AttemptKind::Poll, done)]);
    let rows = store.attempts(id).unwrap();
    assert_eq!(
        rows.iter().map(|row| (row.attempt_no, row.times)).collect::<Vec<_>>(),
        [(1, 3), (4, 1)]
    );
    let Some(AttemptResult::Found { job }) = &rows[0].result else { panic!("no job") };
    assert_eq!(job.progress.as_ref().map(|progress| progress.done), Some(30), "the newest stands");
}
