//! Nothing is due: no timer is set, the clock is not asked, the store is not read.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use docket_engine::clock::{Clock, SystemClock};
use docket_tests::{Call, Rule, World, program::Terminal, proxy::rule::problem};
use jiff::Timestamp;

use crate::{
    crowd::{Place, abandon_at_the_service, size, until},
    front::Front,
};

/// How long nothing may happen.
const SPAN: Duration = Duration::from_millis(1500);

/// The system's clock, counted.
#[derive(Default)]
struct Counted {
    asked: AtomicU64,
    slept: AtomicU64,
    sleeping: AtomicU64,
}

/// One sleep under way, however it ends.
struct Sleeping<'a>(&'a AtomicU64);

impl Drop for Sleeping<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[async_trait]
impl Clock for Counted {
    fn now(&self) -> Timestamp {
        self.asked.fetch_add(1, SeqCst);
        SystemClock.now()
    }

    async fn sleep_until(&self, at: Timestamp) {
        self.slept.fetch_add(1, SeqCst);
        self.sleeping.fetch_add(1, SeqCst);
        let _sleeping = Sleeping(&self.sleeping);
        SystemClock.sleep_until(at).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_nothing_due_nothing_wakes() {
    let world = World::new().await;
    let front = Front::before(world.service().address()).await;
    let clock = Arc::new(Counted::default());
    let place = Place { clock: clock.clone(), ..Place::of(&world, "ada") };
    let crowd = place.fill(&front.url(), size(200)).await;
    abandon_at_the_service(&world, &crowd);
    let engine = place.open().await;
    engine.start();
    let all = u32::try_from(crowd.len()).expect("they can be counted");
    until(&engine, "all of them settle", |counts| counts.finished == all).await;
    // What the last end set off comes to its end: from then on the counts stand.
    let mut before = (u64::MAX, u64::MAX);
    let quiet = async {
        loop {
            let now = (clock.asked.load(SeqCst), clock.slept.load(SeqCst));
            if now == before && clock.sleeping.load(SeqCst) == 0 {
                return;
            }
            before = now;
            SystemClock
                .sleep_until(docket_engine::journal::later(SystemClock.now(), SPAN / 3))
                .await;
        }
    };
    docket_tests::in_time("nothing more happens", quiet).await;
    SystemClock.sleep_until(docket_engine::journal::later(SystemClock.now(), SPAN)).await;
    let after = (clock.asked.load(SeqCst), clock.slept.load(SeqCst));
    assert_eq!(after, before, "(asked, slept): something woke with nothing due");
    assert_eq!(clock.sleeping.load(SeqCst), 0, "a timer is set with nothing due");
    engine.shutdown().await;
}

/// Threads for what blocks end after ten idle seconds, which wakes them.
const THREADS_END: Duration = Duration::from_secs(11);
/// How long a program may take to come to rest.
const SETTLING: Duration = Duration::from_secs(60);

/// A program over one that is put off for an hour, one that waits for a person and one that is over.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_for_an_hour_or_for_a_person_wakes_nobody() {
    let world = World::new().await;
    let terminal = Terminal::at(world.path("ada"));
    terminal.add_service(&world.proxy.url()).await;
    let week = |month: u8| [format!("from=2026-{month:02}-01"), format!("to=2026-{month:02}-07")];
    let ask = async |[from, to]: [String; 2], more: &[&str]| {
        let asked = ["export", "orders", "-p", &from, "-p", &to];
        terminal.run([&asked[..], more].concat()).await
    };
    let downloads = terminal.downloads();
    ask(week(9), &["--output", downloads.to_str().expect("a path of this test")])
        .await
        .with_code(0);
    // No folder can be made where a file lies.
    let file = world.path("file");
    std::fs::write(&file, "").expect("the folder is the test's");
    ask(week(10), &["--output", file.join("x").to_str().expect("likewise")]).await.with_code(6);
    let busy = problem(429, "rate-limited", ",\"accepted\":false", &[("retry-after", "3600")]);
    world.proxy.rules([Rule::instead(Call::Submit, busy).always()]);
    ask(week(11), &["--no-wait"]).await.with_code(0);
    let mut driver = terminal.start(["run"]);
    driver.says().await;
    world.proxy.until_seen(Call::Submit, 3).await;
    let process = driver.process();
    let spent = || docket_tests::process::spent(process).expect("it runs");
    let quiet = async {
        pass(THREADS_END).await;
        loop {
            let before = spent();
            pass(SPAN).await;
            if spent().since(before).wakes == 0 {
                return;
            }
        }
    };
    tokio::time::timeout(SETTLING, quiet).await.expect("it comes to rest");
    let before = spent();
    pass(2 * SPAN).await;
    assert_eq!(spent().since(before), docket_tests::process::Spent::default());
    assert!(driver.is_running());
    driver.kill().await;
}

async fn pass(time: Duration) {
    SystemClock.sleep_until(docket_engine::journal::later(SystemClock.now(), time)).await;
}
