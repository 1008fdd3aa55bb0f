//! What befalls network, client and service: cuts, crashes, backups, restores.

use std::{fs, path::Path, time::Duration};

use docket_engine::connector::CONNECT_TIMEOUT;
use docket_service::{Intake, Rule as ServiceRule, faults};
use rusqlite::Connection;

use crate::{
    book,
    play::{Play, tokens},
    script::Step,
};

/// How often the service is asked whether it rests before the story counts as stuck.
const ASKED_MAX: usize = 200_000;
/// How often whoever connects is waited for in vain.
const GIVE_UP_MAX: usize = 50;
/// Jobs that the service works on at once.
const WORKERS: usize = 2;

impl Play {
    /// Does a step that is nobody's wish.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only fates come here")]
    pub async fn fate(&mut self, step: &Step) -> String {
        match step {
            Step::NetworkDown
            | Step::BlackHole
            | Step::NetworkUp
            | Step::Release
            | Step::DeliverKept => self.fate_of_the_network(step).await,
            Step::Crash | Step::Start | Step::BackUpStore | Step::PutBackStore => {
                self.fate_of_the_client(step).await
            }
            _ => self.fate_of_the_service(step).await,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only its fates come here")]
    async fn fate_of_the_network(&mut self, step: &Step) -> String {
        match step {
            Step::NetworkDown => {
                self.world.proxy.refuse().await;
                "the network is down".to_owned()
            }
            Step::BlackHole => {
                self.clocks.black_hole(&self.world.proxy).await;
                "whoever connects hears nothing".to_owned()
            }
            Step::NetworkUp => {
                self.network_up().await;
                "the network is back".to_owned()
            }
            Step::Release => {
                self.world.proxy.release();
                "what was stalled goes on".to_owned()
            }
            Step::DeliverKept => self.deliver_kept().await,
            _ => unreachable!("no fate of the network"),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only its fates come here")]
    async fn fate_of_the_client(&mut self, step: &Step) -> String {
        match step {
            Step::Crash => {
                self.crash().await;
                "the client is killed".to_owned()
            }
            Step::Start => {
                if self.client.is_none() {
                    self.start().await;
                }
                "the client is started".to_owned()
            }
            Step::BackUpStore => {
                let (home, copy) = (self.world.path("home"), self.world.path("backup"));
                copy_database(&home.join("docket.db"), &copy.join("docket.db"));
                "the client's store is copied aside".to_owned()
            }
            Step::PutBackStore => self.put_back_store().await,
            _ => unreachable!("no fate of the client"),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only its fates come here")]
    async fn fate_of_the_service(&mut self, step: &Step) -> String {
        match step {
            Step::ServiceDown => {
                self.service_down().await;
                "the service goes down".to_owned()
            }
            Step::ServiceUp => {
                self.service_up(false).await;
                "the service is started".to_owned()
            }
            Step::BackUpService => {
                let copy = self.world.path("service-backup/service.db");
                copy_database(&self.world.database(), &copy);
                "the service's database is copied aside".to_owned()
            }
            Step::RestoreService => self.restore_service().await,
            Step::Take(which) => {
                self.take(*which);
                format!("credentials that the service takes: {which:?}")
            }
            Step::Drain => {
                self.set_intake(Intake::Draining);
                "the service puts new jobs off".to_owned()
            }
            Step::TakeJobs => {
                self.set_intake(Intake::Open);
                "the service takes jobs again".to_owned()
            }
            Step::FailNextJob => {
                if self.world.serves() {
                    let fail = ServiceRule::new(faults::Call::Any, faults::Effect::FailJob);
                    self.world.service().faults().add(fail);
                }
                "the next job will fail".to_owned()
            }
            _ => unreachable!("no fate of the service"),
        }
    }

    /// Somebody listens again. The system knocks anew in its own time for whoever is still
    /// connecting, so those give up before.
    pub async fn network_up(&mut self) {
        for _ in 0..GIVE_UP_MAX {
            let connects = self.client.as_ref().is_some_and(|open| open.gate.is_going());
            if !self.clocks.is_black_hole || !connects {
                break;
            }
            self.clocks.service_goes(CONNECT_TIMEOUT);
            self.service_rests().await;
            self.clocks.client_follows(CONNECT_TIMEOUT).await;
            self.quiet().await;
        }
        self.clocks.is_black_hole = false;
        self.world.proxy.listen();
    }

    fn set_intake(&self, intake: Intake) {
        if self.world.serves() {
            self.world.service().set_intake(intake);
        }
    }

    async fn deliver_kept(&mut self) -> String {
        match self.world.proxy.deliver_kept_if_any().await {
            Some(answer) => {
                let status = answer.status().unwrap_or_default();
                format!("a request arrives long after it was sent: the service answers {status}")
            }
            None => "no request was kept, or nobody takes it".to_owned(),
        }
    }

    async fn put_back_store(&mut self) -> String {
        let copy = self.world.path("backup/docket.db");
        if !copy.exists() {
            return "there is no copy of the store to put back".to_owned();
        }
        self.crash().await;
        replace_database(&copy, &self.world.path("home/docket.db"));
        self.history.store_put_back = true;
        self.laws.store_was_put_back();
        self.book.exports.clear();
        self.start().await;
        "the client is killed, and started on the copy of its store".to_owned()
    }

    /// Ends the service. Whoever waits for it loses the connection.
    pub async fn service_down(&mut self) {
        for on in self.world.proxy.stalling() {
            self.met.note(&self.script.service, on, "ServiceGone");
        }
        self.world.proxy.release();
        self.quiet().await;
        self.world.stop_service().await;
        self.running_since.clear();
    }

    /// Starts it on what it left.
    pub async fn service_up(&mut self, restored: bool) {
        if self.world.serves() {
            return;
        }
        let taken = tokens(self.tokens);
        self.world
            .restart_service(|config| {
                config.tokens = taken;
                config.restored = restored;
            })
            .await;
        self.service_db = Some(book::look_at(&self.world.database()));
    }

    async fn restore_service(&mut self) -> String {
        let copy = self.world.path("service-backup/service.db");
        if !copy.exists() {
            return "there is no copy of the service to put back".to_owned();
        }
        self.service_down().await;
        self.service_db = None;
        replace_database(&copy, &self.world.database());
        self.history.service_restored = true;
        self.service_up(true).await;
        "the service is put back from its copy, and says so".to_owned()
    }

    /// When the service's jobs are due, in its own time.
    pub fn service_dues(&self) -> Vec<i64> {
        let (waits, runs) = self.script.service.pace;
        let millis = |length: Duration| i64::try_from(length.as_millis()).expect("a short time");
        let dues = self.book.jobs.iter().filter_map(|(id, job)| match job.status.as_str() {
            "queued" => Some(job.created_at + millis(waits)),
            "running" => self.running_since.get(id).map(|since| since + millis(runs)),
            _ => None,
        });
        dues.collect()
    }

    /// Waits until the service has done all that its time allows.
    pub async fn service_rests(&mut self) {
        for _ in 0..ASKED_MAX {
            if self.is_service_at_rest() {
                return;
            }
            // Its threads work meanwhile.
            self.clocks.elsewhere.spawn(std::future::ready(())).await.expect("its runtime lives");
        }
        unreachable!("the service never comes to rest: {:?}", self.book.jobs);
    }

    fn is_service_at_rest(&mut self) -> bool {
        let Some(service) = self.service_db.as_ref().filter(|_| self.world.serves()) else {
            return true;
        };
        self.book.jobs = book::jobs(service);
        let now = self.clocks.service_now();
        for (id, job) in &self.book.jobs {
            if job.status == "running" && job.begun {
                self.running_since.entry(id.clone()).or_insert(now);
            }
        }
        let (waits, runs) = self.script.service.pace;
        let is_over = |since: i64, length: Duration| {
            now - since >= i64::try_from(length.as_millis()).expect("a short time")
        };
        let running = self.book.jobs.values().filter(|job| job.status == "running").count();
        let moves = self.book.jobs.iter().any(|(id, job)| match job.status.as_str() {
            "queued" => running < WORKERS && is_over(job.created_at, waits),
            // What a worker has just taken has no beginning yet.
            "running" => !job.begun || job.cancel_asked || is_over(self.running_since[id], runs),
            _ => false,
        });
        // Whoever does not sleep is about to tell how far it is.
        !moves && self.clocks.service.workers_asleep() == running
    }
}

/// A whole copy of a database that may be in use.
fn copy_database(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("it has a folder")).expect("the folder can be made");
    if to.exists() {
        fs::remove_file(to).expect("the older copy can be removed");
    }
    let connection = Connection::open(from).expect("the database opens");
    let to = to.to_str().expect("a path of this test");
    connection.execute("VACUUM INTO ?1", [to]).expect("it can be copied");
}

/// Puts a copy in the place of a database that nobody has open.
fn replace_database(copy: &Path, database: &Path) {
    for ending in ["-wal", "-shm"] {
        let mut beside = database.as_os_str().to_owned();
        beside.push(ending);
        if Path::new(&beside).exists() {
            fs::remove_file(&beside).expect("it can be removed");
        }
    }
    // As a file of its own: what held the old one holds it still.
    fs::remove_file(database).expect("it can be removed");
    fs::copy(copy, database).expect("the copy can be put back");
}
