//! The list: its order, its pages, its search, and the indexes that serve it.

use std::slice::from_ref;

use super::*;
use crate::{
    stage::Section,
    store::{
        Counts, against, duty, export,
        list::{Way, query},
    },
};

/// An export that stands at this stage in the list, whatever it knows.
fn standing(store: &Store, place: &Place, made: i64, stage: Stage, section: Section) -> ExportId {
    let mut given = orders();
    given.export.created_at = at(made);
    let id = record(store, given).export.id;
    place
        .sql()
        .execute(
            "UPDATE export SET stage = ?2, section = ?3 WHERE id = ?1",
            (id.as_str(), stage.as_str(), section.as_str()),
        )
        .unwrap();
    id
}

fn ids(store: &Store, by: &ListedBy) -> Vec<ExportId> {
    store.list(by).unwrap().records.into_iter().map(|record| record.export.id).collect()
}

#[test]
fn what_needs_a_person_is_first_and_the_newest_is_first_in_each() {
    use Section::{Finished, InProgress, NeedsAttention};
    let place = Place::new();
    let store = place.driven();
    let add = |made, stage, section| standing(&store, &place, made, stage, section);
    let saved = add(9, Stage::Saved, Finished);
    let running = add(8, Stage::Running, InProgress);
    let older_doubt = add(1, Stage::Confirming, InProgress);
    let doubt = add(2, Stage::Confirming, InProgress);
    let refused = add(3, Stage::Rejected, NeedsAttention);
    let newest_running = add(10, Stage::Accepted, InProgress);
    let held_doubt = add(0, Stage::Confirming, NeedsAttention);

    let all = [&refused, &held_doubt, &doubt, &older_doubt, &newest_running, &running, &saved];
    assert_eq!(ids(&store, &page(10)).iter().collect::<Vec<_>>(), all);
    let counts = Counts { needs_attention: 2, in_progress: 4, confirming: 2, finished: 1 };
    assert_eq!(store.counts().unwrap(), counts);

    let of = |section| ListedBy { section: Some(section), ..page(10) };
    assert_eq!(ids(&store, &of(NeedsAttention)).iter().collect::<Vec<_>>(), all[..2]);
    assert_eq!(ids(&store, &of(InProgress)).iter().collect::<Vec<_>>(), all[2..6]);
    assert_eq!(ids(&store, &of(Finished)), [saved]);
    let confirming = ListedBy { stage: Some(Stage::Confirming), ..page(10) };
    assert_eq!(ids(&store, &confirming), [held_doubt, doubt.clone(), older_doubt.clone()]);
    let both = ListedBy { section: Some(InProgress), ..confirming };
    assert_eq!(ids(&store, &both), [doubt, older_doubt]);
}

#[test]
fn pages_follow_each_other_and_the_last_says_so() {
    let place = Place::new();
    let store = place.driven();
    for made in 0..5 {
        standing(&store, &place, made, Stage::Saved, Section::Finished);
    }
    let all = ids(&store, &page(10));
    let part = |offset, limit| store.list(&ListedBy { offset, ..page(limit) }).unwrap();
    let (first, last) = (part(0, 3), part(3, 3));
    assert_eq!((first.records.len(), first.more), (3, true));
    assert_eq!((last.records.len(), last.more), (2, false));
    assert!(!part(0, 5).more);
    assert_eq!(first.counts, last.counts);
    let joined: Vec<_> =
        first.records.into_iter().chain(last.records).map(|record| record.export.id).collect();
    assert_eq!(joined, all);
    assert!(ids(&store, &page(0)).is_empty());
}

#[test]
fn a_search_finds_what_an_export_is_known_by() {
    let place = Place::new();
    let store = place.driven();
    let mut given =
        intent("Ledger", json!({ "region": "Østfold", "rows": 4711, "deep": [{ "x": "Needle" }] }));
    given.title.insert("zh-CN".to_owned(), "订单明细".to_owned());
    let found = record(&store, given).export;
    record(&store, orders());
    let search =
        |typed: &str| ids(&store, &ListedBy { search: Some(typed.to_owned()), ..page(10) });
    let key = found.request_key.as_str();
    for typed in [
        key,
        // Its chance: what comes before is the time, and the other may be of the same one.
        &key[20..],
        "ledger",
        "LEDG",
        "østf",
        "ØST",
        "4711",
        "needle",
        "订单",
        "订单明",
        "明",
        "ledger 4711",
        "4711  needle  ledger 明细",
        " ledger ",
        "%",
        "le",
        "The l",
    ] {
        let expected = if typed == "%" { vec![] } else { vec![found.id.clone()] };
        assert_eq!(search(typed), expected, "{typed}");
    }
    for typed in
        ["ledger orders", "needles", "\"", "AND", "x*", "*", "?eedle", "[ln]eedle", "region"]
    {
        assert!(search(typed).is_empty(), "{typed}");
    }
    assert_eq!(search("").len(), 2);
    assert_eq!(search("  ").len(), 2);
    let finished = ListedBy {
        search: Some("ledger".to_owned()),
        section: Some(Section::Finished),
        ..page(10)
    };
    assert!(ids(&store, &finished).is_empty());
    let sending = ListedBy { section: None, stage: Some(Stage::Sending), ..finished };
    assert_eq!(ids(&store, &sending), from_ref(&found.id));
    let saved = ListedBy { stage: Some(Stage::Saved), ..sending };
    assert!(ids(&store, &saved).is_empty());
}

#[test]
fn a_file_is_found_by_its_name_once_it_is_saved() {
    let place = Place::new();
    let store = place.driven();
    let first = record(&store, orders());
    let search =
        |typed: &str| ids(&store, &ListedBy { search: Some(typed.to_owned()), ..page(10) });
    assert!(search("quarter").is_empty());
    store
        .change(&first.export.id, at(1), &mut |record| {
            record.delivery.saved = Some(crate::delivery::SavedFile {
                path: "/downloads/Quarter-1.csv".into(),
                size: 1,
                digest: "00".repeat(32),
                verified: crate::attempt::Verified::Size,
                at: at(1),
            });
        })
        .unwrap();
    assert_eq!(search("quarter-1"), from_ref(&first.export.id));
    assert_eq!(search("qu"), [first.export.id]);
    assert!(search("downloads").is_empty(), "the folder is not its name");
}

#[test]
fn a_common_word_is_found_in_the_order_of_the_list_too() {
    let place = Place::new();
    let store = place.driven();
    let newest = fill(&place, 3_000);
    let common = ListedBy { search: Some("orders".to_owned()), ..page(3) };
    let listed = store.list(&common).unwrap();
    assert!(listed.more);
    assert_eq!(listed.records[0].export.id.as_str(), newest);
    assert_eq!(ids(&store, &common), ids(&store, &page(3)));
    let rare = ListedBy { search: Some("number-17-".to_owned()), ..page(3) };
    assert_eq!(ids(&store, &rare).len(), 1);
}

/// Many finished exports, by copying one: their ids, and the newest one's.
fn fill(place: &Place, rows: u32) -> String {
    let store = place.open().store;
    let kept = record(&store, orders());
    let sql = place.sql();
    sql.execute(
        "INSERT INTO export (id, request_key, click_id, service_id, address, tenant_id, subject, \
         operation, payload, payload_hash, body, trace_id, created_at, title, knowledge, journal, \
         delivery, stage, section, unfinished, next_action_at, version, updated_at, change_mark, search) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1) \
         SELECT 'e' || i, 'k' || i, 'c' || i, service_id, address, tenant_id, subject, operation, \
         payload, payload_hash, body, trace_id, created_at + i, title, knowledge, journal, delivery, \
         'saved', 'finished', 0, NULL, 1, updated_at, change_mark + i, search || ' number-' || i || '-' \
         FROM export, n WHERE id = ?2",
        (rows, kept.export.id.as_str()),
    )
    .unwrap();
    sql.execute("UPDATE export SET stage = 'saved', section = 'finished', next_action_at = NULL, unfinished = 0, state_seal = NULL WHERE id = ?1", [kept.export.id.as_str()]).unwrap();
    format!("e{rows}")
}

/// What SQLite says it would do.
fn plan(sql: &rusqlite::Connection, query: &str) -> String {
    let mut statement = sql.prepare(&format!("EXPLAIN QUERY PLAN {query}")).unwrap();
    // Without values for its parameters: a plan needs none.
    let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3));
    lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

#[test]
fn with_a_hundred_thousand_exports_every_question_has_its_index() {
    let place = Place::new();
    let store = place.driven();
    fill(&place, 100_000);
    let sql = place.sql();
    let select = |clauses: &str| format!("SELECT {} FROM export {clauses}", export::COLUMNS);
    let served = [
        (query(Way::List), "USING INDEX export_list"),
        (query(Way::Search), "USING INDEX export_walk"),
        (duty::QUEUES.to_owned(), "USING INDEX export_lane"),
        (duty::DUE.to_owned(), "USING INDEX export_lane"),
        (duty::NEXT_DUE.to_owned(), "USING INDEX export_lane"),
        (duty::HELD_BY_ANOTHER.to_owned(), "SEARCH known_job USING PRIMARY KEY"),
        (select(duty::WAITING), "USING INDEX export_successor"),
        (select(against::SAME), "USING INDEX export_unfinished_payload (payload_hash=?)"),
        (select(against::NEAR), "export_unfinished_address (address=? AND operation=?)"),
        (duty::OPEN_AFTER.to_owned(), "SEARCH export USING INDEX export_unfinished_seq"),
        (select("WHERE click_id = ?1"), "USING INDEX sqlite_autoindex_export_3"),
        (select("WHERE supersedes = ?1 ORDER BY seq"), "USING INDEX export_successor"),
        (select(export::CHANGED), "USING INDEX export_change"),
        (select("WHERE id = ?1"), "USING INDEX sqlite_autoindex_export_1"),
    ];
    for (query, index) in served {
        let plan = plan(&sql, &query);
        assert!(plan.contains(index), "{query}\n{plan}");
        for line in plan.lines().filter(|line| line.starts_with("SCAN")) {
            let few = ["(subquery", "SCAN service", "SCAN way", "CONSTANT ROW"];
            let is_small = few.iter().any(|few| line.contains(few));
            assert!(is_small, "{query}\n{plan}");
        }
    }
    for way in [Way::List, Way::Search] {
        let plan = plan(&sql, &query(way));
        assert!(!plan.contains("TEMP B-TREE"), "sorted by hand: {plan}");
    }

    assert_eq!(store.counts().unwrap().finished, 100_001);
    let last = ListedBy { offset: 99_990, ..page(50) };
    let listed = store.list(&last).unwrap();
    assert_eq!((listed.records.len(), listed.more), (11, false));
    let rare = ListedBy { search: Some("number-77777-".to_owned()), ..page(50) };
    assert_eq!(ids(&store, &rare).len(), 1);
}

/// Changes a column of one row behind the store's back, by a letter that no seal overlooks.
fn damage(place: &Place, table: &str, column: &str, of: &str) {
    let sql = format!("UPDATE {table} SET {column} = {column} || ' ' WHERE {of}");
    assert_eq!(place.sql().execute(&sql, []).unwrap(), 1, "{table}.{column}");
}

#[test]
fn a_row_that_can_not_be_read_hides_no_other() {
    for column in ["journal", "knowledge", "title", "delivery", "payload_hash", "request_key"] {
        let place = Place::new();
        let store = place.driven();
        let ids: Vec<ExportId> = (0..5)
            .map(|number| {
                let mut given = intent("orders", json!({ "number": number }));
                given.export.created_at = at(-number);
                record(&store, given).export.id
            })
            .collect();
        let mark = store.change_mark().unwrap() - 5;
        damage(&place, "export", column, &format!("id = '{}'", ids[1]));
        let others = [&ids[0], &ids[2], &ids[3], &ids[4]];
        let listed = store.list(&page(10)).unwrap();
        let shown: Vec<&ExportId> = listed.records.iter().map(|r| &r.export.id).collect();
        assert_eq!((shown, listed.unreadable, listed.more), (others.to_vec(), vec![1], false));
        let two = store.list(&page(2)).unwrap();
        assert_eq!((two.records.len(), two.unreadable, two.more), (1, vec![1], true));
        let rest = store.list(&ListedBy { offset: 2, ..page(2) }).unwrap();
        assert_eq!((rest.records[0].export.id.clone(), rest.more), (ids[2].clone(), true));
        assert!(store.is_damaged(), "and it is told");
        // Whoever watches through a second process hears of the others, and goes on from there.
        let (changed, reached) = store.changed_since(mark, 10).unwrap();
        assert_eq!((changed.len(), reached), (4, store.change_mark().unwrap()), "{column}");
        assert_eq!(store.changed_since(reached, 10).unwrap(), (vec![], reached));
        drop(store);
        let next = place.open();
        assert_eq!(next.provenance, crate::store::Provenance::RestoredOrCopied);
        let saved = next.store.list(&page(10)).unwrap();
        assert!(saved.records.len() >= 4 && saved.unreadable.is_empty(), "set aside and saved");
    }
}

#[test]
fn a_text_that_is_no_text_is_damage_like_any_other() {
    let place = Place::new();
    let store = place.driven();
    let kept = record(&store, orders()).export.id;
    record(&store, intent("customers", json!({})));
    let look = ended(&kept, 1, AttemptKind::Lookup, lost());
    store.finish(&[look], at(1), &as_it_is).unwrap();
    place.sql().execute("UPDATE attempt SET span_id = CAST(x'FFFE' AS TEXT)", []).unwrap();
    let whole = store.get(&kept).unwrap().unwrap();
    let (told, _) = store.told_with([&whole]).unwrap();
    assert_eq!(told[0].attempts, [], "left out");
    assert_eq!(store.attempts(&kept).unwrap(), []);
    assert!(store.is_damaged());
    place
        .sql()
        .execute("UPDATE export SET payload_hash = CAST(x'FFFE' AS TEXT) WHERE seq = 1", [])
        .unwrap();
    let listed = store.list(&page(10)).unwrap();
    assert_eq!((listed.records.len(), listed.unreadable.len()), (1, 1));
    drop(store);
    assert_eq!(place.open().role, Role::Driver, "set aside, and not refused for ever");
}

#[test]
fn a_service_that_can_not_be_read_hides_no_other() {
    let place = Place::new();
    let store = place.driven();
    for name in ["a", "b"] {
        let profile = super::services::profile(name, &format!("https://{name}.example.com"));
        store.add_service(profile).unwrap();
    }
    let damaged = "UPDATE service_profile SET caller = '{' WHERE name = 'a'";
    assert_eq!(place.sql().execute(damaged, []).unwrap(), 1);
    let names: Vec<String> = store.services().unwrap().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["b"]);
    assert!(store.is_damaged());
}
