//! Recording intents and wishes: one click, one export.

use std::{collections::BTreeSet, sync::Barrier, thread};

use super::*;
use crate::{
    attempt::AttemptKind,
    journal::Hold,
    stage::{Section, section, stage},
    store::{Against, Due, Lane, Queue},
};

#[test]
fn what_is_recorded_comes_back_whole() {
    let place = Place::new();
    let store = place.driven();
    let mut given = orders();
    given.export.folder = Some("reports".into());
    given.export.supersedes = Some(ExportId::mint());
    given.export.account.subject = None;
    let recorded = record(&store, given.clone());
    given.version = 1;
    assert_eq!(recorded, given);
    let asked = store.get(&given.export.id).unwrap().unwrap();
    assert_eq!(asked, given);
    assert_eq!(asked.export.payload.canonical(), given.export.payload.canonical());
    assert_eq!(store.get_by_click(&given.export.click_id).unwrap().unwrap(), given);
    assert_eq!(store.get_by_key(&given.export.request_key).unwrap().unwrap(), given);
    assert_eq!(store.successors(given.export.supersedes.as_ref().unwrap()).unwrap(), [given]);
}

#[test]
fn one_opening_of_the_form_records_one_export() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let mut again = orders();
    again.export.click_id = first.export.click_id.clone();
    let said = store.record_intent::<()>(again, at(9), &|_, _| panic!("not asked")).unwrap();
    assert_eq!(said, Intent::SameClick(first));
    assert_eq!(store.counts().unwrap().in_progress, 1);
}

/// As a refusal leaves it; `tries` abandons had no answer.
fn refused(store: &Store, next: Option<Timestamp>, tries: u32, hold: Option<Hold>) -> Record {
    let first = record(store, orders());
    let problem: docket_wire::Problem = serde_json::from_value(json!({
        "type": docket_wire::ProblemType::InvalidParameters.uri(), "title": "no", "status": 422,
    }))
    .unwrap();
    let result = AttemptResult::Refused { problem: Box::new(problem) };
    let end = ended(&first.export.id, 1, AttemptKind::Submit, result);
    store
        .finish(&[end], at(20), &|record, _| {
            record.next_action_at = next;
            record.journal.schedule.change_tries = tries;
            record.journal.holds.extend(hold);
        })
        .unwrap()
        .remove(0)
}

#[test]
fn a_refusal_whose_seal_is_owed_is_shown_to_the_guard() {
    let cases = [
        (Some(at(30)), 0, None, true),
        (None, 5, None, true),
        (None, 0, Some(Hold::SignIn), true),
        (None, 0, None, false),
    ];
    for (next, tries, hold, shown) in cases {
        let place = Place::new();
        let store = place.driven();
        let before = refused(&store, next, tries, hold);
        assert_eq!(before.stage, Stage::Rejected);
        let said = store
            .record_intent(orders(), at(40), &|_, against| {
                Ok(against.same()?.first().map(|twin| twin.stage))
            })
            .unwrap();
        let held = matches!(said, Intent::Held(Stage::Rejected));
        assert_eq!(held, shown, "{next:?} {tries} {hold:?}");
    }
}

#[test]
fn of_two_clicks_at_once_one_sees_the_other() {
    let place = Place::new();
    let stores = [place.driven(), place.open().store];
    for round in 0..20 {
        let start = Barrier::new(stores.len());
        let operation = format!("report-{round}");
        let said: Vec<Intent<ExportId>> = thread::scope(|scope| {
            let clicks = stores.each_ref().map(|store| {
                scope.spawn(|| {
                    let click = intent(&operation, json!({}));
                    start.wait();
                    let guard = |_: &mut Record, against: &Against<'_>| {
                        Ok(against.same()?.first().map(|twin| twin.export.id.clone()))
                    };
                    store.record_intent(click, at(0), &guard).unwrap()
                })
            });
            clicks.map(|click| click.join().unwrap()).into()
        });
        let (mut recorded, mut held) = (Vec::new(), Vec::new());
        for said in said {
            match said {
                Intent::Recorded(record) => recorded.push(record.export.id),
                Intent::Held(id) => held.push(id),
                Intent::SameClick(record) => panic!("{record:?}"),
            }
        }
        assert_eq!(recorded.len(), 1, "round {round}");
        assert_eq!(recorded, held, "round {round}");
    }
}

#[test]
fn a_change_of_nothing_writes_nothing_until_time_changes_the_stage() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let mark = store.change_mark().unwrap();
    let same = store.change(&first.export.id, at(1), &mut same).unwrap().unwrap();
    assert_eq!(same, first);
    assert_eq!(store.change_mark().unwrap(), mark);

    let begun = store
        .begin_change(&first.export.id, 1, crate::store::Change::Submit, "s", at(1), &super::same)
        .unwrap()
        .unwrap()
        .0;
    let crossed = store.mark_crossed(&first.export.id, 1, at(1), &super::same).unwrap();
    assert_eq!((begun.stage, crossed.stage), (Stage::Sending, Stage::Sending));
    let late = store.change(&first.export.id, at(60), &mut super::same).unwrap().unwrap();
    assert_eq!((late.stage, late.version), (Stage::Confirming, crossed.version + 1));
}

#[test]
fn what_was_asked_for_never_changes() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let changes: [fn(&mut Record); 4] = [
        |record| record.export.request_key = RequestKey::mint(),
        |record| record.export.payload = Payload::new("orders", json!({}), "csv").unwrap(),
        |record| record.export.body = b"other".to_vec(),
        |record| record.export.account.tenant_id = "other".to_owned(),
    ];
    for change in changes {
        let error = store.change(&first.export.id, at(1), &mut { change }).unwrap_err();
        assert!(matches!(error, StoreError::IntentChanged(_)), "{error}");
    }
    assert_eq!(store.get(&first.export.id).unwrap().unwrap(), first);
    let told = store
        .change(&first.export.id, at(1), &mut |record| {
            record.export.account.subject = Some("bob".to_owned());
            record.export.folder = Some("here".into());
        })
        .unwrap();
    assert_eq!(store.get(&first.export.id).unwrap(), told, "these two become known later");
}

#[test]
fn all_open_exports_of_a_service_change_at_once() {
    let place = Place::new();
    let store = place.driven();
    let (first, second) = (record(&store, orders()), record(&store, orders()));
    let mut other = orders();
    other.export.account.service = ServiceId::from_text("service-2");
    let other = record(&store, other);
    let service = &first.export.account.service;
    let (page, place) = store.open_after(service, Default::default(), 1).unwrap().unwrap();
    assert_eq!(page, std::slice::from_ref(&first.export.id));
    let (rest, place) = store.open_after(service, place, 10).unwrap().unwrap();
    assert_eq!(rest, std::slice::from_ref(&second.export.id));
    assert_eq!(store.open_after(service, place, 10).unwrap(), None);
    let both = [first.export.id.clone(), second.export.id];
    let hold = &mut |record: &mut Record| {
        record.journal.holds.insert(Hold::SignIn);
    };
    let held = store.change_each(&both, at(1), hold).unwrap();
    assert_eq!(
        held.iter().map(|record| &record.export.id).collect::<Vec<_>>(),
        [&both[0], &both[1]]
    );
    assert!(store.get(&other.export.id).unwrap().unwrap().journal.holds.is_empty());
    assert_eq!(store.unsettled_of(service).unwrap(), 2);
    assert_eq!(store.counts().unwrap().needs_attention, 2);
}

#[test]
fn what_is_due_comes_the_longest_due_first() {
    let place = Place::new();
    let store = place.driven();
    let due = |next: Option<i64>| {
        let mut record_due = orders();
        record_due.next_action_at = next.map(at);
        record(&store, record_due).export.id
    };
    let (late, early, _later, _never) = (due(Some(20)), due(Some(10)), due(Some(30)), due(None));
    let service = orders().export.account.service;
    let queue = (&service, Lane::Call);
    let all = store.due(queue, at(20), None, 10).unwrap();
    assert_eq!(ids_of(&all), [early.clone(), late.clone()]);
    let first = store.due(queue, at(20), None, 1).unwrap();
    assert_eq!(ids_of(&first), [early]);
    assert_eq!(ids_of(&store.due(queue, at(20), first.last(), 10).unwrap()), [late]);
    assert_eq!(store.next_due_after(queue, at(20)).unwrap(), Some(at(30)));
    assert!(store.due(queue, at(9), None, 10).unwrap().is_empty());
    let empty = Place::new();
    assert_eq!(empty.driven().queues().unwrap(), []);
}

fn ids_of(due: &[Due]) -> Vec<ExportId> {
    due.iter().map(|due| due.id.clone()).collect()
}

#[test]
fn each_service_has_a_queue_for_each_way_to_go_on() {
    let place = Place::new();
    let store = place.driven();
    let planned = |service: &str, due: Option<i64>, change: &dyn Fn(&mut Record)| {
        let mut planned = orders();
        planned.export.account.service = ServiceId::from_text(service);
        planned.next_action_at = due.map(at);
        change(&mut planned);
        record(&store, planned).export.id
    };
    let check = |record: &mut Record| record.journal.wishes.check = true;
    let resend = |record: &mut Record| record.journal.wishes.resend = true;
    let submit = |record: &mut Record| {
        record.journal.wishes.check = true;
        record.journal.in_flight.push(crate::journal::InFlight {
            attempt_no: 1,
            kind: AttemptKind::Submit,
            started_at: at(0),
            crossed_at: None,
        });
    };
    let call = planned("service-1", Some(30), &same);
    planned("service-1", Some(40), &same);
    let asked = [planned("service-1", Some(7), &check), planned("service-1", Some(8), &resend)];
    let under_way = planned("service-1", Some(9), &submit);
    planned("service-2", None, &same);
    planned("service-3", Some(5), &same);
    let queue = |service: &str, lane, first| Queue {
        service: ServiceId::from_text(service),
        lane,
        first_at: at(first),
    };
    let queues = [
        queue("service-1", Lane::UnderWay, 9),
        queue("service-1", Lane::Asked, 7),
        queue("service-1", Lane::Call, 30),
        queue("service-3", Lane::Call, 5),
    ];
    assert_eq!(store.queues().unwrap(), queues);
    let service = ServiceId::from_text("service-1");
    let due = |lane| ids_of(&store.due((&service, lane), at(30), None, 10).unwrap());
    assert_eq!(due(Lane::UnderWay), [under_way]);
    assert_eq!(due(Lane::Asked), asked);
    assert_eq!(due(Lane::Call), [call]);
    assert!(due(Lane::Fetch).is_empty());
}

#[test]
fn an_observer_learns_what_changed() {
    let place = Place::new();
    let store = place.driven();
    let observer = place.open().store;
    let (first, second) = (record(&store, orders()), record(&store, orders()));
    let (changed, mark) = observer.changed_since(0, 10).unwrap();
    assert_eq!(changed, [first.clone(), second.clone()]);
    assert_eq!(observer.changed_since(mark, 10).unwrap(), (vec![], mark));
    let check = &mut |record: &mut Record| record.journal.wishes.check = true;
    let first = store.change(&first.export.id, at(1), check).unwrap().unwrap();
    let (changed, next) = observer.changed_since(mark, 10).unwrap();
    assert_eq!(changed, std::slice::from_ref(&first));
    assert_eq!(observer.change_mark().unwrap(), next);
    let (page, at_first) = observer.changed_since(0, 1).unwrap();
    assert_eq!(page, [second]);
    assert_eq!(observer.changed_since(at_first, 1).unwrap().0, [first]);
}

#[test]
fn every_word_that_is_written_has_its_place_in_the_schema() {
    let place = Place::new();
    let store = place.driven();
    record(&store, orders());
    let sql = place.sql();
    for word in Stage::ALL.iter().map(|stage| stage.as_str()) {
        sql.execute("UPDATE export SET stage = ?1", [word]).unwrap();
    }
    for word in Section::ALL.iter().map(|section| section.as_str()) {
        sql.execute("UPDATE export SET section = ?1", [word]).unwrap();
    }
    for (no, kind) in AttemptKind::ALL.iter().enumerate() {
        let insert = "INSERT INTO attempt (export_id, attempt_no, kind, started_at, phases, span_id, times) \
             SELECT id, ?1, ?2, 0, '[]', '', 1 FROM export";
        sql.execute(insert, (no as i64 + 1, kind.as_str())).unwrap();
    }
    for stage in Stage::ALL {
        let settled: bool = sql
            .query_row(
                "SELECT ?1 IN ('saved', 'rejected', 'not_created', 'failed', 'cancelled', 'expired')",
                [stage.as_str()],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(settled, stage.is_settled(), "as the count of open exports takes it");
    }
    sql.execute("UPDATE export SET stage = 'other'", []).unwrap_err();
}

#[test]
fn the_copies_are_those_that_the_pure_functions_give() {
    let place = Place::new();
    let store = place.driven();
    refused(&store, None, 0, None);
    let first = record(&store, orders());
    store
        .begin_change(&first.export.id, 1, crate::store::Change::Submit, "s", at(1), &same)
        .unwrap();
    store.mark_crossed(&first.export.id, 1, at(9), &same).unwrap();
    let mut stages = BTreeSet::new();
    for listed in store.list(&page(10)).unwrap().records {
        let expected = stage(
            &listed.knowledge,
            &listed.journal,
            &listed.delivery,
            listed.facts.as_ref(),
            listed.updated_at,
        );
        assert_eq!(listed.stage, expected);
        let stored: String = place
            .sql()
            .query_row(
                "SELECT section FROM export WHERE id = ?1",
                [listed.export.id.as_str()],
                |row| row.get(0),
            )
            .unwrap();
        assert_eq!(stored, section(listed.stage, listed.journal.hold(), true).as_str());
        stages.insert(listed.stage);
    }
    assert_eq!(stages, [Stage::Sending, Stage::Rejected].into());
}
