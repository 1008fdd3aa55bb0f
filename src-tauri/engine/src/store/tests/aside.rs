//! A damaged store is set aside whole, by whoever drives and by nobody else, and wherever that ends
//! the next start goes on from there.

use std::fs;

use super::*;
use crate::store::{
    Happened, Notice,
    aside::{self, Step},
    schema,
};

/// The store of `place` is set aside whole: what the person is told, and the store that goes on.
fn set_aside(place: &Place) -> (u32, Store) {
    let files = [place.db(), schema::wal_of(&place.db())];
    let before = files.each_ref().map(|file| fs::read(file).unwrap_or_default());
    let opened = place.open();
    assert_eq!(opened.provenance, crate::store::Provenance::RestoredOrCopied, "it only asks first");
    let notices = opened.store.notices().unwrap();
    let [Notice { happened: Happened::SetAside { path, open, .. }, .. }] = &notices[..] else {
        panic!("{notices:?}")
    };
    assert!(fs::read(path).unwrap_or_default() == before[0], "byte by byte as it was");
    assert!(fs::read(schema::wal_of(path)).unwrap_or_default() == before[1], "its log too");
    (*open, opened.store)
}

#[test]
fn a_file_that_is_no_database_is_set_aside() {
    for text in ["short".to_owned(), "a letter, not a database. ".repeat(1_000)] {
        let place = Place::new();
        fs::create_dir(&place.home).unwrap();
        fs::write(place.db(), text).unwrap();
        let (open, store) = set_aside(&place);
        assert_eq!(open, 0);
        record(&store, orders());
    }
}

#[test]
fn a_torn_store_is_set_aside_and_what_is_left_goes_on() {
    let whole = |place: &Place| {
        let store = place.driven();
        for _ in 0..20 {
            record(&store, orders());
        }
        drop(store);
        fs::read(place.db()).unwrap()
    };
    for kept in [2, 3] {
        let place = Place::new();
        let whole = whole(&place);
        fs::write(place.db(), &whole[..whole.len() * kept / 4 - 100]).unwrap();
        let (open, store) = set_aside(&place);
        assert_eq!(store.counts().unwrap().in_progress, open);
    }
    let place = Place::new();
    let whole = whole(&place);
    fs::write(place.db(), &whole[..whole.len() - 100]).unwrap();
    assert!(set_aside(&place).0 >= 19, "the last page holds one row at most that is not elsewhere");
}

#[test]
fn an_empty_file_with_a_log_beside_it_is_torn_and_one_without_is_new() {
    let place = Place::new();
    fs::create_dir(&place.home).unwrap();
    fs::write(place.db(), "").unwrap();
    fs::write(schema::wal_of(&place.db()), "a log").unwrap();
    assert_eq!(set_aside(&place).0, 0);
    let place = Place::new();
    fs::create_dir(&place.home).unwrap();
    fs::write(place.db(), "").unwrap();
    assert_eq!(place.driven().notices().unwrap(), []);
}

#[test]
fn a_store_whose_file_is_gone_goes_on_from_its_log() {
    let place = Place::new();
    let store = place.driven();
    let kept = record(&store, orders());
    let log = fs::read(schema::wal_of(&place.db())).unwrap();
    drop(store);
    fs::remove_file(place.db()).unwrap();
    fs::write(schema::wal_of(&place.db()), log).unwrap();
    let (open, store) = set_aside(&place);
    assert_eq!(open, 1);
    assert_eq!(store.get(&kept.export.id).unwrap().unwrap().export, kept.export);
}

#[test]
fn pages_that_do_not_fit_are_found_where_the_last_writer_did_not_close() {
    let place = Place::new();
    let store = place.driven();
    for _ in 0..50 {
        record(&store, orders());
    }
    drop(store);
    let mut bytes = fs::read(place.db()).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 8_192].fill(0xA5);
    fs::write(place.db(), &bytes).unwrap();
    // A log of no frames: somebody opened it after that and was killed.
    fs::write(schema::wal_of(&place.db()), [0; 64]).unwrap();
    set_aside(&place);
}

#[test]
fn a_damaged_store_that_another_has_open_is_left_until_it_is_closed() {
    let place = Place::new();
    let driver = place.driven();
    record(&driver, orders());
    let observer = place.open().store;
    drop(driver);
    let mut bytes = fs::read(place.db()).unwrap();
    bytes[..16].fill(0);
    fs::write(place.db(), &bytes).unwrap();
    let error = place.try_open().unwrap_err();
    assert!(matches!(error, StoreError::DamagedInUse { .. }), "{error}");
    assert!(fs::read(place.db()).unwrap() == bytes, "left as it was");
    drop(observer);
    place.driven();
}

#[test]
fn a_start_that_ends_anywhere_while_a_store_is_set_aside_is_gone_on_with() {
    for ended_before in Step::ALL {
        let place = Place::new();
        let kept = record(&place.driven(), orders());
        let mut bytes = fs::read(place.db()).unwrap();
        bytes[..16].fill(0);
        fs::write(place.db(), &bytes).unwrap();
        aside::set_aside_until(&place.home, at(0), schema::STEPS, Some(ended_before)).unwrap();
        let opened = place.open();
        assert_eq!(opened.store.get(&kept.export.id).unwrap().unwrap().export, kept.export);
        let notices = opened.store.notices().unwrap();
        let [Notice { happened: Happened::SetAside { path, .. }, .. }] = &notices[..] else {
            panic!("{ended_before:?}: {notices:?}")
        };
        assert!(fs::read(path).unwrap() == bytes, "{ended_before:?}");
        let left = ["docket.aside", "docket.salvage", "docket.suspect"];
        assert!(left.iter().all(|file| !place.home.join(file).exists()), "{ended_before:?}");
    }
}
