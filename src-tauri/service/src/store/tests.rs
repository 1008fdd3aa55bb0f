//! The verbs on their own: leases that lapse, ends that come too late, keys that grow old.

use std::time::Duration;

use docket_wire::{JobStatus, PayloadHash, Progress};
use jiff::Timestamp;
use tempfile::TempDir;

use super::{
    Job, Store, StoreError, StoredFile,
    intake::{self, Key, KeyName, KeyUse, Submitted},
    sweep,
    work::{self, CancelMet, End, Lease, Step, Taken},
};

const LEASE: Duration = Duration::from_secs(30);

struct World {
    store: Store,
    /// Seconds since the beginning.
    now: i64,
    _folder: TempDir,
}

impl World {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("db"), at(0), false).unwrap();
        Self { store, now: 0, _folder: folder }
    }

    fn submit(&self, id: &str) -> Result<Submitted, StoreError> {
        let key = Key { name: name(id), first_sent: at(self.now) };
        self.store.write_here(|tx| intake::submit(tx, &KeyUse::Once(key), job(id, at(self.now)), 3))
    }

    fn take(&self, holder: &str) -> Taken {
        let now = at(self.now);
        self.store.write_here(|tx| work::take(tx, holder, LEASE, Duration::ZERO, now)).unwrap()
    }

    fn take_job(&self, holder: &str) -> Job {
        match self.take(holder) {
            Taken::Job { job, .. } => *job,
            other @ (Taken::GivenUp(_) | Taken::NothingUntil(_) | Taken::Nothing) => {
                panic!("{other:?}")
            }
        }
    }

    fn tell(&self, id: &str, holder: &str) -> Lease {
        let step = Step { done: 5, total: 10, step: "Writing rows".to_owned() };
        let (now, until) = (at(self.now), at(self.now + 30));
        self.store.write_here(|tx| work::tell(tx, id, holder, &step, until, now)).unwrap()
    }

    fn finish(&self, id: &str, holder: &str) -> JobStatus {
        let file = StoredFile {
            name: "a.csv".to_owned(),
            size: 1,
            media_type: "text/csv".to_owned(),
            sha256: "00".repeat(32),
        };
        let kept = Duration::from_secs(3600);
        let end = End::Finished { file, rows: 10, warnings: Vec::new(), kept };
        let now = at(self.now);
        self.store.write_here(|tx| work::end(tx, id, holder, &end, now)).unwrap()
    }

    fn find(&self, id: &str) -> Job {
        self.store.write_here(|tx| super::find(tx, "acme", id)).unwrap().unwrap()
    }

    fn cancel(&self, id: &str) -> CancelMet {
        let now = at(self.now);
        let job = self.find(id);
        self.store.write_here(|tx| work::cancel(tx, job, now)).unwrap()
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn name(id: &str) -> KeyName {
    KeyName {
        tenant_id: "acme".to_owned(),
        operation: "ledger".to_owned(),
        request_key: format!("key-of-{id}"),
    }
}

fn job(id: &str, now: Timestamp) -> Job {
    Job {
        business_id: id.to_owned(),
        tenant_id: "acme".to_owned(),
        operation: "ledger".to_owned(),
        request_key: Some(name(id).request_key),
        payload_hash: PayloadHash::of(b"{}"),
        requested_by: "ada".to_owned(),
        parameters: "{}".to_owned(),
        format: "csv".to_owned(),
        language: "en".to_owned(),
        status: JobStatus::Queued,
        revision: 1,
        progress: Some(Progress {
            done: 0,
            total: None,
            unit: "rows".to_owned(),
            step: None,
            ahead: Some(0),
        }),
        created_at: now,
        updated_at: now,
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
        cancel_requested: false,
    }
}

#[test]
fn a_lapsed_lease_is_taken_over_and_its_old_holder_changes_nothing() {
    let mut world = World::new();
    world.submit("a").unwrap();
    world.take_job("first");
    assert_eq!(world.tell("a", "first"), Lease::Held);
    world.now = 29;
    assert!(matches!(world.take("second"), Taken::NothingUntil(due) if due == at(30)));
    world.now = 30;
    let taken = world.take_job("second");
    assert_eq!(taken.progress.unwrap().done, 0);

    assert_eq!(world.tell("a", "first"), Lease::Lost);
    assert_eq!(world.finish("a", "first"), JobStatus::Running);
    assert_eq!(world.find("a").revision, taken.revision);
    assert_eq!(world.finish("a", "second"), JobStatus::Succeeded);
    assert!(matches!(world.take("third"), Taken::Nothing));
}

#[test]
fn a_job_that_outlives_its_workers_again_and_again_is_given_up() {
    let mut world = World::new();
    world.submit("a").unwrap();
    for holder in 0..6 {
        world.take_job(&holder.to_string());
        world.now += 30;
    }
    assert!(matches!(world.take("last"), Taken::GivenUp(id) if id == "a"));
    let job = world.find("a");
    assert_eq!(job.status, JobStatus::Failed);
    assert_eq!(job.problem.unwrap().retry_may_help, Some(false));
}

#[test]
fn a_cancel_that_was_accepted_wins_over_a_file() {
    let world = World::new();
    world.submit("a").unwrap();
    world.take_job("one");
    assert!(matches!(world.cancel("a"), CancelMet::Accepted { .. }));
    let asked = world.find("a").revision;
    // Asked twice is asked once.
    assert!(matches!(world.cancel("a"), CancelMet::Accepted { .. }));
    assert_eq!(world.find("a").revision, asked);
    assert_eq!(world.tell("a", "one"), Lease::CancelAsked);
    assert_eq!(world.finish("a", "one"), JobStatus::Cancelled);
    assert_eq!(world.find("a").file, None);
}

#[test]
fn where_there_is_no_room_no_key_is_claimed() {
    let world = World::new();
    for id in ["a", "b", "c"] {
        assert!(matches!(world.submit(id), Ok(Submitted::Created(_))));
    }
    assert!(matches!(world.submit("d"), Err(StoreError::Full)));
    // A known key needs no room.
    assert!(matches!(world.submit("a"), Ok(Submitted::Held(_))));
    world.cancel("a");
    assert!(matches!(world.submit("d"), Ok(Submitted::Created(_))));
}

#[test]
fn the_next_sweep_is_told_by_the_oldest_of_what_is_settled() {
    let mut world = World::new();
    let retention = Duration::from_secs(1000);
    let next = |world: &World| world.store.write_here(|tx| sweep::next(tx, retention)).unwrap();
    assert_eq!(next(&world), None);
    world.submit("a").unwrap();
    assert_eq!(next(&world), None, "a job that goes on keeps its key");
    world.now = 50;
    world.take_job("one");
    world.finish("a", "one");
    // Its settling counts, not its First-Sent: 50 s, the retention and the tolerance.
    assert_eq!(next(&world), Some(at(50 + 1000 + 300)));
    let forget = |now| {
        world.store.write_here(|tx| sweep::forget_keys(tx, retention, at(now))).unwrap();
        let count = "SELECT count(*) FROM request_record";
        world.store.write_here(|tx| Ok(tx.query_row(count, [], |row| row.get::<_, i64>(0))?))
    };
    assert_eq!(forget(1350).unwrap(), 1);
    assert_eq!(forget(1351).unwrap(), 0);
}

#[test]
fn a_sweep_never_comes_between_a_key_that_is_taken_and_the_look_at_who_has_it() {
    let mut world = World::new();
    world.submit("a").unwrap();
    world.take_job("one");
    world.finish("a", "one");
    // Old enough to be forgotten, by a sweep that starts in the middle of the next submit of the key.
    world.now = 5_000;
    let (go, started) = std::sync::mpsc::channel();
    std::thread::scope(|threads| {
        let (store, now) = (world.store.clone(), at(world.now));
        threads.spawn(move || {
            started.recv().unwrap();
            let forget = |tx: &rusqlite::Transaction<'_>| {
                sweep::forget_keys(tx, Duration::from_secs(1000), now)
            };
            store.write_here(forget).unwrap();
        });
        let key = KeyUse::Once(Key { name: name("a"), first_sent: at(0) });
        let submitted = world.store.write_here(|tx| {
            go.send(()).unwrap();
            intake::submit(tx, &key, job("b", at(5_000)), 3)
        });
        let Ok(Submitted::Held(intake::KeyKnowledge::Present(job))) = submitted else {
            panic!("{submitted:?}");
        };
        assert_eq!(job.business_id, "a", "the one that has it, and no second");
    });
    let count = "SELECT count(*) FROM request_record";
    let left =
        world.store.write_here(|tx| Ok(tx.query_row(count, [], |row| row.get::<_, i64>(0))?));
    assert_eq!(left.unwrap(), 0, "the sweep came after");
}

#[tokio::test]
async fn it_rests_only_once_nobody_reads_it_also_where_nobody_waits_for_the_answer() {
    let world = World::new();
    let (began, begun) = tokio::sync::oneshot::channel();
    let (go, goes_on) = std::sync::mpsc::channel::<()>();
    let store = world.store.clone();
    let asked = tokio::spawn(async move {
        let question = store.read(move |_| {
            began.send(()).unwrap();
            goes_on.recv().unwrap();
            Ok(())
        });
        question.await
    });
    begun.await.unwrap();
    asked.abort();
    assert!(asked.await.unwrap_err().is_cancelled());
    let mut rests = std::pin::pin!(world.store.rests());
    tokio::select! {
        biased;
        () = &mut rests => panic!("somebody reads"),
        () = std::future::ready(()) => {}
    }
    go.send(()).unwrap();
    rests.await;
}
