//! What is found at an opening: nothing, a store, another's file, a torn one, a newer one.

use std::{fs, path::Path, time::Duration};

use super::*;
use crate::store::{Damage, check, schema, wake::Wake};

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn store_and_files_are_the_persons_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    drop(place.driven());
    // As a copy by a careless program would leave it.
    fs::set_permissions(place.db(), fs::Permissions::from_mode(0o644)).unwrap();
    let store = place.driven();
    record(&store, orders());
    let _observer = place.open();
    let _wake = Wake::watch(&place.home).unwrap();
    assert_eq!(mode(&place.home), 0o700);
    assert_eq!(mode(&place.machine), 0o700);
    for file in fs::read_dir(&place.home).unwrap().chain(fs::read_dir(&place.machine).unwrap()) {
        let path = file.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    assert!(schema::wal_of(&place.db()).exists(), "the log was looked at too");
}

#[cfg(unix)]
#[test]
fn a_folder_that_holds_other_things_keeps_its_rights() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    fs::create_dir(&place.home).unwrap();
    fs::write(place.home.join("other"), "").unwrap();
    fs::set_permissions(&place.home, fs::Permissions::from_mode(0o750)).unwrap();
    let _store = place.driven();
    assert_eq!(mode(&place.home), 0o750);
    assert_eq!(mode(&place.db()), 0o600);
}

#[test]
fn a_second_opener_only_reads_and_records_wishes() {
    let place = Place::new();
    let driver = place.driven();
    let first = record(&driver, orders());
    let opened = place.open();
    assert_eq!(opened.role, Role::Observer);
    let observer = opened.store;

    assert_eq!(observer.get(&first.export.id).unwrap().unwrap(), first);
    let second = record(&observer, intent("customers", json!({})));
    let wished = observer
        .change(&first.export.id, at(1), &mut |record| record.journal.wishes.check = true)
        .unwrap()
        .unwrap();
    assert_eq!(driver.get(&second.export.id).unwrap().unwrap(), second);
    assert_eq!(driver.get(&first.export.id).unwrap().unwrap(), wished);

    let id = &first.export.id;
    let refused =
        |result: Result<(), StoreError>| assert!(matches!(result, Err(StoreError::NotDriver)));
    let change = crate::store::Change::Submit;
    refused(observer.begin_change(id, 2, change, "s", at(2), &same).map(drop));
    refused(observer.reserve_look(id).map(drop));
    refused(observer.mark_crossed(id, 1, at(2), &same).map(drop));
    refused(observer.finish(&[], at(2), &|_, _| {}).map(drop));
    refused(observer.interrupted(at(2), &as_it_is).map(drop));
    refused(observer.hold_restored(at(2), &mut same).map(drop));
    assert_eq!(driver.get(id).unwrap().unwrap(), wished, "nothing of that was written");
}

#[test]
fn an_observer_takes_over_once_the_driver_has_ended() {
    let place = Place::new();
    let driver = place.driven();
    let observer = place.open().store;
    assert_eq!(observer.take_over(at(1)).unwrap(), None);
    drop(driver);
    assert_eq!(observer.take_over(at(2)).unwrap(), Some(crate::store::Provenance::Own));
    assert_eq!(observer.role(), Role::Driver);
    assert_eq!(place.open().role, Role::Observer);
}

#[tokio::test]
async fn an_observers_wish_wakes_the_driver_and_a_look_does_not() {
    let place = Place::new();
    let driver = place.driven();
    let first = record(&driver, orders());
    let wake = Wake::watch(&place.home).unwrap();
    let observer = place.open().store;
    observer.get(&first.export.id).unwrap();
    observer.change(&first.export.id, at(0), &mut |_| {}).unwrap();
    driver
        .change(&first.export.id, at(1), &mut |record| record.journal.wishes.check = true)
        .unwrap();
    let quiet = tokio::time::timeout(Duration::from_millis(300), wake.changed()).await;
    assert!(quiet.is_err(), "a look, a change of nothing, or the driver's own write woke it");

    observer
        .change(&first.export.id, at(2), &mut |record| record.journal.wishes.resend = true)
        .unwrap();
    tokio::time::timeout(Duration::from_secs(10), wake.changed()).await.unwrap();
}

/// The store of `place` is refused, and each file is left byte by byte as it was.
fn refused_and_kept(place: &Place) -> StoreError {
    let files = [place.db(), schema::wal_of(&place.db())];
    let before = files.each_ref().map(|file| fs::read(file).ok());
    let error = place.try_open().unwrap_err();
    let after = files.each_ref().map(|file| fs::read(file).ok());
    for (at, file) in files.iter().enumerate() {
        assert!(before[at] == after[at], "{} changed: {error}", file.display());
    }
    error
}

fn damage(error: &StoreError) -> Damage {
    let StoreError::Damaged { damage, path } = error else { panic!("{error}") };
    assert!(path.ends_with("docket.db"));
    *damage
}

#[test]
fn another_programs_database_is_refused_and_kept() {
    for setup in [
        "PRAGMA application_id = 7",
        "CREATE TABLE theirs (x)",
        "PRAGMA journal_mode = WAL; CREATE TABLE theirs (x)",
        "PRAGMA user_version = 1",
    ] {
        let place = Place::new();
        fs::create_dir(&place.home).unwrap();
        place.sql().execute_batch(setup).unwrap();
        let error = refused_and_kept(&place);
        assert!(matches!(error, StoreError::Foreign { .. }), "{setup}: {error}");
    }
}

#[test]
fn a_newer_store_is_refused_and_untouched() {
    let ours = u32::try_from(schema::STEPS.len()).unwrap();
    for step in [
        "CREATE TABLE later (x)",
        "ALTER TABLE export ADD COLUMN later TEXT",
        "CREATE INDEX later ON export (updated_at)",
        "DROP INDEX export_change",
        // As a later SQLite may write it.
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) \
         VALUES ('table', 'later', 'later', 0, 'CREATE LATER TABLE later')",
    ] {
        let place = Place::new();
        drop(place.driven());
        place.sql().execute_batch(step).unwrap();
        place.sql().pragma_update(None, "user_version", 9).unwrap();
        let error = refused_and_kept(&place);
        let known = |known| known == ours;
        assert!(
            matches!(error, StoreError::TooNew { found: 9, known: n, .. } if known(n)),
            "{step}: {error}"
        );
        assert!(error.to_string().contains("update Docket"));
    }
}

#[test]
fn each_step_changes_the_tables_so_that_a_damaged_number_is_told() {
    for steps in 1..schema::STEPS.len() {
        let before = schema::in_memory(&schema::STEPS[..steps]).unwrap();
        let newer = &schema::STEPS[..=steps];
        assert!(!check::has_this_shape_alone(&before, newer).unwrap(), "step {}", steps + 1);
    }
}

#[test]
fn a_version_that_is_damaged_is_not_taken_for_a_newer_one() {
    let versions = (0..32).map(|bit| u32::try_from(schema::STEPS.len()).unwrap() ^ (1 << bit));
    for version in versions {
        let place = Place::new();
        let kept = record(&place.driven(), orders());
        place.sql().pragma_update(None, "user_version", version.cast_signed()).unwrap();
        let opened = place.open();
        assert_eq!(opened.provenance, crate::store::Provenance::RestoredOrCopied, "{version}");
        let saved = opened.store.get(&kept.export.id).unwrap().unwrap();
        assert_eq!(saved.export, kept.export, "{version}");
        let notices = opened.store.notices().unwrap();
        let [notice] = &notices[..] else { panic!("{notices:?}") };
        assert!(matches!(notice.happened, crate::store::Happened::SetAside { open: 1, .. }));
    }
}

#[test]
fn a_newer_version_that_lies_in_the_log_alone_is_seen_too() {
    let place = Place::new();
    let store = place.driven();
    let newer = place.sql();
    newer.execute_batch("CREATE TABLE later (x)").unwrap();
    newer.pragma_update(None, "user_version", 9).unwrap();
    let error = place.try_open().unwrap_err();
    assert!(matches!(error, StoreError::TooNew { found: 9, .. }), "{error}");
    drop((newer, store));
}

const NEXT: &str = "ALTER TABLE export ADD COLUMN note TEXT;";

fn open_next(place: &Place) -> Result<Opened, StoreError> {
    let steps: Vec<&str> = schema::STEPS.iter().copied().chain([NEXT]).collect();
    Store::open_with(&place.home, &place.machine, at(0), &steps)
}

#[test]
fn a_store_is_copied_aside_before_its_shape_changes() {
    let place = Place::new();
    let kept = record(&place.driven(), orders());
    let store = open_next(&place).unwrap().store;
    assert_eq!(store.get(&kept.export.id).unwrap().unwrap(), kept);
    let version = schema::STEPS.len();
    let name = format!("docket.db.schema-{version}");
    let aside = rusqlite::Connection::open(place.home.join(&name)).unwrap();
    let of_aside = |sql: &str| aside.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!(of_aside("SELECT count(*) FROM export"), 1);
    assert_eq!(of_aside("PRAGMA user_version"), i64::try_from(version).unwrap());
    #[cfg(unix)]
    assert_eq!(mode(&place.home.join(&name)), 0o600);
}

#[test]
fn a_step_that_fails_leaves_the_store_as_it_was() {
    let place = Place::new();
    let kept = record(&place.driven(), orders());
    let more = [NEXT, "CREATE TABLE export (x)"];
    let steps: Vec<&str> = schema::STEPS.iter().copied().chain(more).collect();
    Store::open_with(&place.home, &place.machine, at(0), &steps).unwrap_err();
    let store = place.driven();
    assert_eq!(store.get(&kept.export.id).unwrap().unwrap(), kept);
}

#[test]
fn a_newer_version_does_not_change_a_store_that_an_older_one_drives() {
    let place = Place::new();
    let older = place.driven();
    assert!(matches!(open_next(&place), Err(StoreError::OlderDriver { .. })));
    record(&older, orders());
}

#[test]
fn a_folder_that_cannot_be_made_is_said() {
    let place = Place::new();
    fs::write(&place.home, "a file").unwrap();
    let error = place.try_open().unwrap_err();
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    assert!(error.to_string().contains("DOCKET_HOME"));
}

#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    let place = Place::new();
    let store = place.driven();
    let kept = record(&store, orders());
    let pages = |max: i64| {
        let writer = store.writer.lock().unwrap();
        writer.pragma_update_and_check(None, "max_page_count", max, |_| Ok(())).unwrap();
    };
    pages(1);
    let wide = intent("orders", json!({ "text": "wide ".repeat(10_000) }));
    let error = store.record_intent::<()>(wide.clone(), at(1), &|_, _| Ok(None)).unwrap_err();
    assert!(matches!(&error, StoreError::DiskFull { path } if *path == place.db()), "{error}");
    assert_eq!(store.get(&wide.export.id).unwrap(), None);
    assert_eq!(store.get(&kept.export.id).unwrap().unwrap(), kept);
    pages(1_000_000);
    record(&store, wide);
}

#[test]
fn a_store_that_another_program_locks_is_said_to_be_busy() {
    let place = Place::new();
    let store = place.driven();
    store.writer.lock().unwrap().busy_timeout(Duration::from_millis(10)).unwrap();
    let other = place.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = store.record_intent::<()>(orders(), at(0), &|_, _| Ok(None)).unwrap_err();
    assert!(matches!(&error, StoreError::Busy { path } if *path == place.db()), "{error}");
    other.execute_batch("ROLLBACK").unwrap();
    record(&store, orders());
}

#[test]
fn a_commit_is_synced_in_full() {
    let place = Place::new();
    let store = place.driven();
    let writer = store.writer.lock().unwrap();
    let says =
        |name: &str| writer.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((says("synchronous"), says("fullfsync"), says("checkpoint_fullfsync")), (2, 1, 1));
    let mode: String = writer.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_text_that_is_none_any_more_is_damage_of_its_row_alone() {
    for column in ["id", "address", "trace_id", "title", "stage"] {
        let place = Place::new();
        let store = place.driven();
        let (kept, other) = (record(&store, orders()), record(&store, intent("ledger", json!({}))));
        let key = kept.export.request_key.clone();
        let flip =
            format!("UPDATE export SET {column} = CAST(x'6fff' AS TEXT) WHERE request_key = ?1");
        let sql = place.sql();
        sql.pragma_update(None, "ignore_check_constraints", true).unwrap();
        sql.execute(&flip, [key.as_str()]).unwrap();
        let error = store.get_by_key(&key).unwrap_err();
        assert!(matches!(damage(&error), Damage::Column { .. }), "{column}: {error}");
        assert_eq!(store.get(&other.export.id).unwrap(), Some(other), "{column}");
    }
}

#[test]
fn a_payload_that_changed_on_the_disk_is_never_sent() {
    let place = Place::new();
    let store = place.driven();
    let kept = record(&store, orders());
    let other = Payload::new("orders", json!({ "region": "south" }), "csv").unwrap();
    place.sql().execute("UPDATE export SET payload = ?1", [other.canonical()]).unwrap();
    let error = store.get(&kept.export.id).unwrap_err();
    assert_eq!(damage(&error), Damage::Column { column: "payload" });
    assert!(!error.to_string().contains("south"));
}
