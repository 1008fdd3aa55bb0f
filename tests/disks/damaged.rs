//! A damaged store: bits that flipped, parts that are missing, bytes that were never a store. It is set
//! aside whole and byte by byte as it was, what is left of it goes on in a new one, and nothing is sent
//! before it was asked about.
//!
//! One flipped byte can take one row with it, and no more: that is what each seed is held to.
//! `DOCKET_DISKS=SEEDS` runs so many seeds of each kind.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use docket_engine::{
    capabilities::ServiceFacts,
    delivery::Delivery,
    export::{Account, ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    journal::Journal,
    knowledge::Knowledge,
    record::Record,
    stage::Stage,
    store::{Counted, Happened, Intent, ListedBy, Provenance, Role, Store},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tempfile::TempDir;

/// Exports in the store that is damaged.
const EXPORTS: usize = 24;
/// Seeds of each kind in a run of all tests.
const SEEDS: u64 = 60;

fn seeds() -> u64 {
    std::env::var("DOCKET_DISKS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS)
}

/// Chance by a seed (SplitMix64, Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % sides as u64).expect("fewer than the sides")
    }
}

fn at(seconds: i64) -> Timestamp {
    let start: Timestamp = "2026-11-29T10:00:00Z".parse().expect("a time");
    start + SignedDuration::from_secs(seconds)
}

/// A store in a folder of its own, and what is in it.
struct Sound {
    folder: TempDir,
    exports: BTreeMap<ExportId, Record>,
}

struct Opened {
    store: Store,
    provenance: Provenance,
}

fn open(folder: &Path) -> Opened {
    let opened = Store::open(&folder.join("home"), &folder.join("machine"), at(100))
        .unwrap_or_else(|error| unreachable!("{error}"));
    assert_eq!(opened.role, Role::Driver);
    Opened { store: opened.store, provenance: opened.provenance }
}

fn intent(number: usize) -> Record {
    // Every third row goes on in pages of its own.
    let text = "a long text ".repeat(if number.is_multiple_of(3) { 700 } else { 4 });
    let payload =
        Payload::new("orders", json!({"number": number, "text": text}), "csv").expect("a payload");
    let created_at = at(i64::try_from(number).expect("few"));
    Record {
        export: Export {
            id: ExportId::mint(),
            request_key: RequestKey::mint(),
            click_id: ClickId::mint(),
            account: Account {
                service: ServiceId::from_text("service-1"),
                address: "https://exports.example.com".to_owned(),
                tenant_id: "acme".to_owned(),
                subject: Some("ada".to_owned()),
            },
            body: payload.canonical().to_vec(),
            payload,
            created_at,
            supersedes: None,
            trace_id: "0123456789abcdef0123456789abcdef".to_owned(),
            folder: None,
        },
        title: BTreeMap::new(),
        knowledge: Knowledge::default(),
        journal: Journal::new(created_at, Some(created_at)),
        delivery: Delivery::default(),
        facts: None::<ServiceFacts>,
        stage: Stage::Sending,
        next_action_at: Some(created_at),
        version: 0,
        updated_at: created_at,
    }
}

impl Sound {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder for the test");
        let store = open(folder.path()).store;
        let mut exports = BTreeMap::new();
        for number in 0..EXPORTS {
            let recorded = store.record_intent::<()>(intent(number), at(1), &|_, _| Ok(None));
            let Ok(Intent::Recorded(record)) = recorded else { unreachable!("{recorded:?}") };
            // A later image of some rows, so that there is more than one to choose from.
            let id = record.export.id.clone();
            let wished = store.change(&id, at(2), &mut |record| record.journal.wishes.check = true);
            exports.insert(id, wished.expect("written").expect("there"));
        }
        drop(store);
        Self { folder, exports }
    }

    /// The same store with its last writes still in the log, as a killed program leaves it.
    fn with_log(self) -> Self {
        let store = open(self.folder.path()).store;
        let mut exports = self.exports;
        for number in EXPORTS..EXPORTS + 6 {
            let recorded = store.record_intent::<()>(intent(number), at(1), &|_, _| Ok(None));
            let Ok(Intent::Recorded(record)) = recorded else { unreachable!("{recorded:?}") };
            exports.insert(record.export.id.clone(), record);
        }
        let folder = TempDir::new().expect("a folder for the test");
        for part in ["home", "machine"] {
            docket_tests::world::copy_folder(
                &self.folder.path().join(part),
                &folder.path().join(part),
            );
        }
        Self { folder, exports }
    }

    fn file(&self, end: &str) -> PathBuf {
        self.folder.path().join("home").join(format!("docket.db{end}"))
    }

    /// A copy of the whole, to be damaged.
    fn copy(&self) -> Self {
        let folder = TempDir::new().expect("a folder for the test");
        for part in ["home", "machine"] {
            docket_tests::world::copy_folder(
                &self.folder.path().join(part),
                &folder.path().join(part),
            );
        }
        Self { folder, exports: self.exports.clone() }
    }
}

/// What an opening made of a damaged store.
struct Outcome {
    lost: usize,
    set_aside: Option<Happened>,
}

/// Opens a store that was damaged, and holds it to what must be true whatever was damaged.
fn open_damaged(damaged: &Sound, what: &str) -> Outcome {
    let home = damaged.folder.path().join("home");
    let before = ["", "-wal"].map(|end| fs::read(damaged.file(end)).unwrap_or_default());
    let mut opened = open(damaged.folder.path());
    // As the engine does it: what is open is read at once, and what can not be leads to another opening.
    read_all(&opened.store);
    if opened.store.is_damaged() {
        drop(opened);
        opened = open(damaged.folder.path());
    }
    let held = opened
        .store
        .hold_restored(at(101), &mut |record| docket_engine::plan::hold_restored(record, at(101)));
    if opened.provenance == Provenance::Own {
        // Nothing to hold: it went on as it was.
    } else {
        held.expect("what is open is held");
    }
    let notices = opened.store.notices().expect("they can be read");
    let set_aside = notices.into_iter().map(|notice| notice.happened).next();
    let mut lost = 0;
    for (id, known) in &damaged.exports {
        match opened.store.get(id).unwrap_or_else(|error| unreachable!("{what}: {error}")) {
            Some(record) => assert_same(known, &record, set_aside.is_some(), what),
            None => lost += 1,
        }
    }
    if let Some(Happened::SetAside { path, open, over, unreadable, counted }) = &set_aside {
        assert_eq!(opened.provenance, Provenance::RestoredOrCopied, "{what}: held");
        let beside = |end: &str| PathBuf::from(format!("{}{end}", path.display()));
        assert_eq!(fs::read(path).expect("the old file lies there"), before[0], "{what}: bytes");
        if !before[1].is_empty() {
            let log = fs::read(beside("-wal")).expect("its log lies beside it");
            assert!(log.starts_with(&before[1]), "{what}: bytes of the log");
        }
        assert_eq!((*open as usize, *over), (damaged.exports.len() - lost, 0), "{what}");
        match counted {
            Counted::All => assert_eq!(*unreadable as usize, lost, "{what}: a true count"),
            Counted::AtLeast => {
                assert!(*unreadable as usize <= lost, "{what}: not more than is true")
            }
        }
    } else {
        assert!(!home.join("docket.salvage").exists(), "{what}");
    }
    drop(opened);
    // Whatever it was, the next start is an ordinary one.
    assert_eq!(open(damaged.folder.path()).provenance, Provenance::Own, "{what}");
    Outcome { lost, set_aside }
}

fn read_all(store: &Store) {
    let by = ListedBy { limit: 100, ..ListedBy::default() };
    drop(store.list(&by));
    drop(store.services());
}

fn assert_same(known: &Record, record: &Record, saved: bool, what: &str) {
    assert_eq!(known.export, record.export, "{what}: the intent, its key and its bytes");
    if saved {
        assert_eq!(
            record.journal.hold(),
            Some(docket_engine::journal::Hold::RestoredStore),
            "{what}"
        );
        assert!(record.knowledge.any_lost(), "{what}: it may have been sent");
    }
}

fn flip(path: &Path, dice: &mut Dice, bytes: usize) -> Vec<usize> {
    let mut held = fs::read(path).expect("it is there");
    let mut places = Vec::new();
    for _ in 0..bytes {
        let place = dice.roll(held.len());
        held[place] ^= 1 << dice.roll(8);
        places.push(place);
    }
    fs::write(path, held).expect("it can be damaged");
    places
}

#[test]
fn a_flipped_bit_anywhere_takes_one_row_at_most() {
    let sound = Sound::new();
    let (mut set_aside, mut lost) = (0, 0);
    for seed in 0..seeds() {
        let damaged = sound.copy();
        let places = flip(&damaged.file(""), &mut Dice(seed), 1);
        let outcome = open_damaged(&damaged, &format!("seed {seed}, byte {places:?}"));
        assert!(outcome.lost <= 1, "seed {seed}, byte {places:?}: {} rows", outcome.lost);
        assert!(outcome.lost == 0 || outcome.set_aside.is_some(), "seed {seed}: told");
        set_aside += usize::from(outcome.set_aside.is_some());
        lost += outcome.lost;
    }
    assert!(set_aside > 0, "the seeds hit something");
    eprintln!("{} seeds: {set_aside} set aside, {lost} rows lost", seeds());
}

#[test]
fn several_flipped_bits_take_one_row_each_at_most() {
    let sound = Sound::new();
    for seed in 0..seeds() {
        let damaged = sound.copy();
        let places = flip(&damaged.file(""), &mut Dice(1_000_000 + seed), 5);
        let outcome = open_damaged(&damaged, &format!("seed {seed}, bytes {places:?}"));
        assert!(outcome.lost <= 5, "seed {seed}: {} rows", outcome.lost);
        assert!(outcome.lost == 0 || outcome.set_aside.is_some(), "seed {seed}: told");
    }
}

#[test]
fn each_byte_of_the_head_may_be_another() {
    let sound = Sound::new();
    for place in 0..100 {
        let damaged = sound.copy();
        let mut held = fs::read(damaged.file("")).expect("it is there");
        held[place] ^= 0x5A;
        fs::write(damaged.file(""), held).expect("it can be damaged");
        assert_eq!(open_damaged(&damaged, &format!("head byte {place}")).lost, 0);
    }
}

#[test]
fn a_flipped_bit_in_the_log_takes_one_row_at_most() {
    let sound = Sound::new().with_log();
    let mut set_aside = 0;
    for seed in 0..seeds() {
        let damaged = sound.copy();
        let places = flip(&damaged.file("-wal"), &mut Dice(2_000_000 + seed), 1);
        let outcome = open_damaged(&damaged, &format!("seed {seed}, byte {places:?} of the log"));
        assert!(outcome.lost <= 1, "seed {seed}: {} rows", outcome.lost);
        set_aside += usize::from(outcome.set_aside.is_some());
    }
    assert!(set_aside > 0, "the seeds hit something");
}

#[test]
fn a_store_that_is_cut_off_at_any_page_keeps_what_lies_before() {
    let sound = Sound::new();
    let whole = fs::read(sound.file("")).expect("it is there");
    let pages = whole.len() / 4096;
    for kept in 1..pages {
        let damaged = sound.copy();
        fs::write(damaged.file(""), &whole[..kept * 4096]).expect("it can be cut");
        let outcome = open_damaged(&damaged, &format!("{kept} of {pages} pages"));
        assert!(outcome.set_aside.is_some(), "{kept} of {pages} pages: told");
    }
}

#[test]
fn what_was_never_a_store_is_set_aside_too() {
    for held in [&b"x"[..], b"a letter, and no database at all", &[0xA5; 20_000]] {
        let sound = Sound::new();
        let damaged = Sound { exports: BTreeMap::new(), ..sound.copy() };
        fs::write(damaged.file(""), held).expect("it can be written");
        assert!(open_damaged(&damaged, "garbage").set_aside.is_some());
    }
}
