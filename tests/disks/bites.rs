//! The sick disk bites: a database that does not wait for the disk loses on it what it told to be
//! recorded, and one that does loses nothing. So what holds in the other files holds because of what
//! Docket does, and not because nothing is ever lost here.

use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::disk::Disk;

const COMMITS: u32 = 5;
const SEEDS: u64 = 40;

fn commit_all(database: &Path, synchronous: &str) -> Connection {
    let conn = Connection::open(database).expect("it opens");
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(())).expect("a log");
    conn.pragma_update(None, "synchronous", synchronous).expect("a way to sync");
    conn.execute_batch("CREATE TABLE told (n)").expect("a table");
    for n in 0..COMMITS {
        conn.execute("INSERT INTO told VALUES (?1)", [n]).expect("a commit");
    }
    conn
}

fn count(database: &Path) -> rusqlite::Result<u32> {
    Connection::open(database)?.query_row("SELECT count(*) FROM told", [], |row| row.get(0))
}

/// In how many of the seeds something is missing after the power came back.
fn losses(synchronous: &str) -> usize {
    let lost = (0..SEEDS).filter(|seed| {
        let folder = TempDir::new().expect("a folder");
        let disk = Disk::at(&folder.path().join("disk"));
        let database = disk.folder().join("told.db");
        let conn = commit_all(&database, synchronous);
        disk.power_off();
        drop(conn);
        disk.power_on(*seed);
        count(&database).ok() != Some(COMMITS)
    });
    lost.count()
}

#[test]
fn what_is_not_synced_is_lost() {
    assert_eq!(losses("FULL"), 0, "each commit waits for the disk");
    let (normal, off) = (losses("NORMAL"), losses("OFF"));
    assert!(normal > 0, "a commit that waits for nothing is lost");
    assert!(off > 0, "and so is a store that never waits");
}

#[test]
fn nothing_reaches_a_disk_without_power() {
    let folder = TempDir::new().expect("a folder");
    let disk = Disk::at(&folder.path().join("disk"));
    let file = disk.folder().join("file");
    std::fs::write(&file, "old").expect("it can be written");
    disk.power_off();
    assert!(std::fs::write(&file, "new").is_err());
    assert!(std::fs::read(&file).is_err());
    assert!(std::fs::rename(&file, disk.folder().join("other")).is_err());
    assert!(std::fs::remove_file(&file).is_err());
    assert!(std::fs::create_dir(disk.folder().join("folder")).is_err());
    std::fs::write(folder.path().join("beside"), "well").expect("another disk is well");
}

#[test]
fn a_name_whose_folder_was_not_synced_may_be_gone_and_a_rename_is_whole() {
    let (mut gone, mut renamed, mut not_renamed) = (0, 0, 0);
    for seed in 0..SEEDS {
        let folder = TempDir::new().expect("a folder");
        let root = folder.path().join("disk");
        std::fs::create_dir(&root).expect("it can be made");
        std::fs::write(root.join("target"), "old").expect("it can be written");
        let disk = Disk::at(&root);
        let root = disk.folder();
        for name in ["new", "source"] {
            let file = std::fs::File::create(root.join(name)).expect("it can be made");
            std::io::Write::write_all(&mut &file, name.as_bytes()).expect("it can be written");
            file.sync_all().expect("it can be synced");
        }
        std::fs::rename(root.join("source"), root.join("target")).expect("it can be renamed");
        disk.power_off();
        disk.power_on(seed);
        match std::fs::read_to_string(root.join("new")).as_deref() {
            Ok("new") => {}
            Ok(torn) => unreachable!("it was synced: {torn}"),
            Err(_) => gone += 1,
        }
        match std::fs::read_to_string(root.join("target")).as_deref() {
            Ok("old") => not_renamed += 1,
            Ok("source") => renamed += 1,
            other => unreachable!("one or the other: {other:?}"),
        }
    }
    assert!(gone > 0 && gone < SEEDS, "{gone} of {SEEDS}");
    assert!(renamed > 0 && not_renamed > 0, "{renamed} and {not_renamed}");
}

#[test]
fn a_sync_that_failed_is_not_made_good_by_the_next_one() {
    let lost = (0..SEEDS).filter(|seed| after_a_failed_sync(*seed) == "old");
    assert!(lost.count() > 0);
}

fn after_a_failed_sync(seed: u64) -> String {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path().join("disk");
    std::fs::create_dir(&root).expect("it can be made");
    std::fs::write(root.join("file"), "old").expect("it can be written");
    let disk = Disk::at(&root);
    let path = disk.folder().join("file");
    std::fs::write(&path, "new").expect("it can be written");
    let file = std::fs::File::open(&path).expect("it opens");
    disk.fault(crate::disk::Fault::with(libc::EIO, &[crate::disk::Op::Sync]).times(1));
    assert!(file.sync_all().is_err());
    file.sync_all().expect("the system says that all is well");
    disk.power_off();
    drop(file);
    disk.power_on(seed);
    std::fs::read_to_string(&path).expect("it is there")
}
