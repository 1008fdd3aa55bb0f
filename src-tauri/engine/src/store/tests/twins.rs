//! A store that was restored or copied is known for one (lifecycle.md, guard 5).

use std::fs;

use super::*;
use crate::{journal::Hold, store::Provenance};

/// Puts the files of `from`'s home into `to`'s, as a backup program would: the machine's own folder
/// is not among them.
fn copy(from: &Place, to: &Place) {
    fs::create_dir_all(&to.home).unwrap();
    for file in fs::read_dir(&to.home).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    for file in fs::read_dir(&from.home).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), to.home.join(file.file_name())).unwrap();
    }
}

fn hold_all(store: &Store) -> Vec<Record> {
    let held = store
        .hold_restored(at(5), &mut |record| {
            record.journal.holds.insert(Hold::RestoredStore);
        })
        .unwrap();
    held.iter().map(|id| store.get(id).unwrap().unwrap()).collect()
}

#[test]
fn a_store_that_goes_on_where_it_stopped_is_our_own() {
    let place = Place::new();
    for _ in 0..3 {
        assert_eq!(place.open().provenance, Provenance::Own);
    }
}

#[test]
fn a_store_copied_back_is_held() {
    let (place, backup) = (Place::new(), Place::new());
    let open = record(&place.driven(), orders());
    copy(&place, &backup);
    drop(place.open());
    copy(&backup, &place);

    let restored = place.open();
    assert_eq!(restored.provenance, Provenance::RestoredOrCopied);
    let held = hold_all(&restored.store);
    assert_eq!(held.len(), 1);
    assert_eq!(held[0].export.id, open.export.id);
    assert_eq!(restored.store.get(&open.export.id).unwrap().unwrap(), held[0]);
    drop(restored);
    assert_eq!(place.open().provenance, Provenance::Own, "it is held now, and goes on from here");
}

#[test]
fn it_stays_restored_until_its_exports_are_held() {
    let (place, backup) = (Place::new(), Place::new());
    drop(place.open());
    copy(&place, &backup);
    drop(place.open());
    copy(&backup, &place);
    for _ in 0..3 {
        let opened = place.open();
        assert_eq!(opened.provenance, Provenance::RestoredOrCopied, "a crash before the hold");
        assert_eq!(
            place.open().provenance,
            Provenance::RestoredOrCopied,
            "an observer is told too"
        );
    }
    hold_all(&place.driven());
    assert_eq!(place.open().provenance, Provenance::Own);
}

#[test]
fn a_store_on_another_machine_has_no_twin_there() {
    let (place, other) = (Place::new(), Place::new());
    drop(place.open());
    copy(&place, &other);
    assert_eq!(other.open().provenance, Provenance::RestoredOrCopied);
    assert_eq!(place.open().provenance, Provenance::Own, "the first machine goes on");
}

#[test]
fn a_twin_that_is_gone_or_cannot_be_read_makes_a_copy() {
    for twin in [None, Some(""), Some("many"), Some("99999999999999999999999")] {
        let place = Place::new();
        drop(place.open());
        let file = fs::read_dir(&place.machine).unwrap().next().unwrap().unwrap().path();
        match twin {
            None => fs::remove_file(&file).unwrap(),
            Some(text) => fs::write(&file, text).unwrap(),
        }
        assert_eq!(place.open().provenance, Provenance::RestoredOrCopied, "{twin:?}");
    }
}

#[test]
fn a_crash_between_the_two_counts_is_no_copy() {
    let place = Place::new();
    drop(place.open());
    place.sql().execute("UPDATE meta SET opens = opens + 1", []).unwrap();
    assert_eq!(place.open().provenance, Provenance::Own);
}

#[test]
fn an_observer_raises_nothing() {
    let place = Place::new();
    let driver = place.open();
    let count =
        || place.sql().query_row("SELECT opens FROM meta", [], |row| row.get::<_, i64>(0)).unwrap();
    let before = count();
    drop(place.open());
    assert_eq!(count(), before);
    drop(driver);
    drop(place.open());
    assert_eq!(count(), before + 1);
}

/// Puts files of a folder back from a copy as a backup program does: into new files, or over what lies
/// there.
#[cfg(unix)]
fn put_back(files: &[(std::path::PathBuf, Vec<u8>)], over: bool) {
    for (path, bytes) in files {
        if !over {
            fs::remove_file(path).unwrap();
        }
        fs::write(path, bytes).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn store_and_twin_put_back_together_are_held() {
    for over in [false, true] {
        let place = Place::new();
        let open = record(&place.driven(), orders());
        let folders = [&place.home, &place.machine];
        let files: Vec<_> = folders
            .into_iter()
            .flat_map(|folder| fs::read_dir(folder).unwrap())
            .map(|file| file.unwrap().path())
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        drop(place.open());
        put_back(&files, over);
        let restored = place.open();
        assert_eq!(restored.provenance, Provenance::RestoredOrCopied, "over: {over}");
        assert_eq!(hold_all(&restored.store)[0].export.id, open.export.id);
        drop(restored);
        assert_eq!(place.open().provenance, Provenance::Own, "it goes on from here");
    }
}

#[cfg(unix)]
#[test]
fn a_twin_of_an_older_version_and_a_folder_that_was_moved_are_no_copies() {
    let place = Place::new();
    drop(place.open());
    let twin = fs::read_dir(&place.machine).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&twin).unwrap();
    assert_eq!(text.lines().count(), 4, "this file system tells when a file was made");
    // Without the line by which it knows its own file.
    let older: Vec<&str> = text.lines().take(3).collect();
    fs::write(&twin, older.join("\n")).unwrap();
    assert_eq!(place.open().provenance, Provenance::Own);
    let moved = place.machine.with_file_name("moved");
    fs::rename(&place.machine, &moved).unwrap();
    let opened = Store::open(&place.home, &moved, at(0)).unwrap();
    assert_eq!(opened.provenance, Provenance::Own);
}

#[test]
fn only_what_is_open_is_held() {
    let place = Place::new();
    let store = place.driven();
    let open = record(&store, orders());
    let over = record(&store, orders());
    store
        .change(&over.export.id, at(1), &mut |record| {
            record.journal.wishes.cancel = Some(at(1));
            record.next_action_at = None;
        })
        .unwrap();
    let held = hold_all(&store);
    assert_eq!(held.iter().map(|record| &record.export.id).collect::<Vec<_>>(), [&open.export.id]);
}

#[test]
fn a_machine_folder_that_cannot_be_written_is_said() {
    let place = Place::new();
    fs::write(&place.machine, "a file").unwrap();
    let error = place.try_open().unwrap_err();
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    fs::remove_file(&place.machine).unwrap();
    assert_eq!(place.open().role, Role::Driver, "the lock was given back");
}
