//! What the guard is shown of what stands against a new intent.

use std::sync::Mutex;

use super::{services::facts, *};
use crate::store::Against;

#[test]
fn the_guard_sees_what_is_open_of_the_service_and_the_report_and_nothing_else() {
    let place = Place::new();
    let store = place.driven();
    let twin = record(&store, orders());
    let near = record(&store, intent("orders", json!({ "region": "south" })));
    record(&store, intent("customers", json!({})));
    let mut elsewhere = orders();
    elsewhere.export.account.service = ServiceId::from_text("service-2");
    elsewhere.export.account.address = "https://other.example.com".to_owned();
    record(&store, elsewhere);
    let mut added_again = orders();
    added_again.export.account.service = ServiceId::from_text("service-3");
    let added_again = record(&store, added_again);
    let over = record(&store, orders());
    let over = store
        .change(&over.export.id, at(1), &mut |record| {
            record.journal.wishes.cancel = Some(at(1));
            record.next_action_at = None;
        })
        .unwrap()
        .unwrap();
    assert_eq!(over.stage, Stage::NotCreated);

    let seen = Mutex::new(Vec::new());
    let said = store
        .record_intent(orders(), at(2), &|_, against| {
            *seen.lock().unwrap() = standing(against);
            Ok(Some("held"))
        })
        .unwrap();
    assert_eq!(said, Intent::Held("held"));
    let expected = [&twin, &added_again, &near].map(|record| record.export.id.clone());
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!(store.counts().unwrap().in_progress, 5, "nothing was recorded");
    let (account, payload) = (&twin.export.account, &twin.export.payload);
    let asked = store.against(account, payload, &|against| Ok(standing(against))).unwrap();
    assert_eq!(asked, expected);
}

/// All that stands against an intent: of the same payload, oldest first; of others, newest first.
fn standing(against: &Against<'_>) -> Vec<ExportId> {
    let same = against.same().unwrap().into_iter().map(|record| record.export.id);
    let others = Mutex::new(Vec::new());
    let none = against.near(&|record| {
        others.lock().unwrap().push(record.export.id.clone());
        false
    });
    assert_eq!(none.unwrap(), None);
    same.chain(others.into_inner().unwrap()).collect()
}

#[test]
fn a_twin_is_seen_behind_any_number_of_near_ones() {
    let place = Place::new();
    let store = place.driven();
    let twin = record(&store, orders());
    let near = |rows: u32| record(&store, intent("orders", json!({ "rows": rows })));
    let newest = (0..80).map(near).last().unwrap();
    let (account, payload) = (&twin.export.account, &twin.export.payload);
    store
        .against(account, payload, &|against| {
            let seen = standing(against);
            assert_eq!(seen.len(), 51, "a click costs the same however many are open");
            assert_eq!((&seen[0], &seen[1]), (&twin.export.id, &newest.export.id));
            assert_eq!(against.near(&|_| true)?.as_ref(), Some(&newest));
            Ok(())
        })
        .unwrap();
}

#[test]
fn what_the_guard_changes_of_an_intent_is_recorded() {
    let place = Place::new();
    let store = place.driven();
    let said = store.record_intent::<()>(orders(), at(0), &|record, against| {
        assert_eq!(against.facts()?, None, "nothing is known of this service");
        record.facts = Some(facts());
        Ok(None)
    });
    let Intent::Recorded(recorded) = said.unwrap() else { panic!("not recorded") };
    assert_eq!(recorded.facts, Some(facts()));
    assert_eq!(store.get(&recorded.export.id).unwrap(), Some(recorded));
}
