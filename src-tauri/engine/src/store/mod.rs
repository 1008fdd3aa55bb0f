//! The store: what Docket knows and wants, durable. The only SQL of the engine.
//!
//! One file, `docket.db`, one writer connection, one reader. Each verb is one transaction: it takes
//! the write lock at once (`BEGIN IMMEDIATE`), reads what it decides on inside, rewrites the copies
//! that lists use, raises the version, and is on the disk before it returns. Nothing is cached
//! between verbs but what a text says that is still the same ([`catalogue`]), so the driver and the
//! processes that only record wishes see one truth.
//!
//! Who may do what: any process records intents and wishes; only the driver, which holds an
//! operating-system lock, opens attempts and writes evidence ([`StoreError::NotDriver`]).
//!
//! The verbs: `intent` (what a person wants), `calls` (begin, cross, finish, interrupted).
//! The tables: `meta`, `export`, `attempt`, `service`, `notice`. The questions: `ask`, `list`.
//! Where it is damaged: `check` finds it, `aside` sets it aside, `salvage` reads what is left.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::export::ExportId;

mod against;
mod aside;
mod ask;
mod attempt;
mod calls;
mod catalogue;
mod check;
mod columns;
mod duty;
mod error;
mod export;
mod folder;
mod intent;
mod list;
mod lock;
mod meta;
mod notice;
mod open;
mod salvage;
mod schema;
mod seal;
mod search;
mod service;
mod twin;
mod wake;
mod wal;

#[cfg(test)]
mod tests;

pub use against::Against;
pub use ask::ToldWith;
pub use calls::{Change, EndedAttempt, MadeWith};
pub use duty::{Due, Lane, Place, Queue};
pub use error::{Damage, StoreError};
pub use intent::Intent;
pub use list::{Counts, Listed, ListedBy, PAGE_MAX};
pub use notice::{Counted, Happened, Notice};
pub use service::{Added, Catalogue, Practice, Removed, ServiceProfile};
pub use wake::Wake;

/// What this process may do with the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It holds the lock: it alone makes calls and writes what they prove.
    Driver,
    /// Another process drives: this one reads, and records what the person wants.
    Observer,
}

/// Where the store comes from (lifecycle.md, guard 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provenance {
    /// It went on here from where it stopped, or it is new.
    Own,
    /// It is behind its twin or has none: what it does not know may have been sent. Told at each
    /// opening until [`Store::hold_restored`] was called.
    RestoredOrCopied,
}

/// A store that was opened.
#[derive(Debug)]
pub struct Opened {
    /// It.
    pub store: Store,
    /// What this process may do with it.
    pub role: Role,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// The store. Every method blocks: call them from a thread that may.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    machine_state: PathBuf,
    path: PathBuf,
    writer: Mutex<Connection>,
    reader: Mutex<Connection>,
    lock: Mutex<Option<lock::DriverLock>>,
    /// What this machine knows of the store beside it, where this process drives.
    twin: Mutex<Option<twin::Twin>>,
    /// Something was read of it that makes no sense.
    damage: OnceLock<Damage>,
    damage_told: AtomicBool,
    // Let go last: whoever sets the store aside waits for it.
    _open: lock::OpenLock,
    /// The highest attempt number handed out for an export, where it may be above the stored one.
    numbers: Mutex<HashMap<ExportId, u32>>,
    catalogues: catalogue::Catalogues,
}

impl Store {
    /// Opens the store in `home`, making folder and file where there are none. `machine_state` is
    /// a folder that stays on this machine when a person's files are backed up or moved; the twin
    /// of the store's count lies there.
    ///
    /// # Errors
    /// A folder that can not be written or lies on a network, a full disk, a file that is newer or
    /// foreign, one that is damaged while another process drives: it is then left as it was. Who
    /// drives sets a damaged one aside, and a [`Notice`] says so.
    pub fn open(home: &Path, machine_state: &Path, now: Timestamp) -> Result<Opened, StoreError> {
        Self::open_with(home, machine_state, now, schema::STEPS)
    }

    fn open_with(
        home: &Path,
        machine_state: &Path,
        now: Timestamp,
        steps: &[&str],
    ) -> Result<Opened, StoreError> {
        let set = open::set_up(home, machine_state, now, steps)?;
        let store = Self {
            home: home.to_owned(),
            machine_state: machine_state.to_owned(),
            path: set.path,
            writer: Mutex::new(set.writer),
            reader: Mutex::new(set.reader),
            lock: Mutex::new(set.lock),
            twin: Mutex::new(set.claimed),
            damage: OnceLock::new(),
            damage_told: AtomicBool::new(false),
            _open: set.open,
            numbers: Mutex::new(HashMap::new()),
            catalogues: catalogue::Catalogues::default(),
        };
        let role = store.role();
        Ok(Opened { store, role, provenance: set.provenance })
    }

    /// What this process may do now.
    pub fn role(&self) -> Role {
        match *hold(&self.lock) {
            Some(_) => Role::Driver,
            None => Role::Observer,
        }
    }

    /// Takes over from a driver that has ended: an observer becomes the driver, and is told where
    /// the store comes from as at an opening. None where another process still drives.
    ///
    /// # Errors
    /// A lock or a twin that can not be written.
    pub fn take_over(&self, now: Timestamp) -> Result<Option<Provenance>, StoreError> {
        let mut lock = hold(&self.lock);
        if lock.is_some() {
            return Ok(Some(self.read(|conn| Ok(meta::read(conn)?.provenance()))?));
        }
        let Some(taken) = lock::DriverLock::take(&self.home)? else { return Ok(None) };
        let mut writer = hold(&self.writer);
        let (twin, provenance) = open::claim(&mut writer, (&self.path, &self.machine_state), now)
            .map_err(|error| self.noted(error))?;
        *hold(&self.twin) = Some(twin);
        *lock = Some(taken);
        Ok(Some(provenance))
    }

    /// The folder that the store lies in.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// One write transaction by whichever process; the driver is woken by an observer's.
    fn write<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(damage) = self.damage.get().filter(|damage| damage.is_of_the_file()) {
            return Err(StoreError::Damaged { path: self.path.clone(), damage: *damage });
        }
        let mut writer = hold(&self.writer);
        let before = writer.total_changes();
        let done = transact(&mut writer, job).map_err(|error| self.noted(error))?;
        let wrote = writer.total_changes() != before;
        drop(writer);
        if wrote && self.role() == Role::Observer {
            wake::touch(&self.home);
        }
        Ok(done)
    }

    /// One write transaction of the driver's.
    fn drive<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self.role() {
            Role::Driver => self.write(job),
            Role::Observer => Err(StoreError::NotDriver),
        }
    }

    /// One consistent read.
    fn read<T>(
        &self,
        job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut reader = hold(&self.reader);
        let read = || {
            let tx = reader.transaction_with_behavior(TransactionBehavior::Deferred)?;
            job(&tx)
        };
        read().map_err(|error| self.noted(error))
    }

    /// The error, naming the store. Damage is noted.
    fn noted(&self, error: StoreError) -> StoreError {
        let error = error.of(&self.path);
        if let StoreError::Damaged { damage, .. } = &error {
            self.suspect(*damage);
        } else if error.is_misread() {
            self.suspect(Damage::Malformed);
        }
        error
    }

    /// Something was read that makes no sense: the next opening by a driver looks at all of it.
    /// Where one row is damaged the others go on; where it is the file, nothing more is written.
    fn suspect(&self, damage: Damage) {
        if self.damage.set(damage).is_ok() {
            tracing::error!(event = "store_damaged", reason = %damage);
            if let Err(error) = folder::private_file(&suspect_file(&self.home)) {
                tracing::error!(event = "damage_not_noted", reason = %error);
            }
        }
    }

    /// Those that could be read; that others could not is noted.
    fn readable<T>(&self, rows: Vec<Result<T, Damage>>) -> Vec<T> {
        let noted = |row| match row {
            Ok(row) => Some(row),
            Err(damage) => {
                self.suspect(damage);
                None
            }
        };
        rows.into_iter().filter_map(noted).collect()
    }

    /// Whether something was read that makes no sense.
    pub fn is_damaged(&self) -> bool {
        self.damage.get().is_some()
    }

    /// The same, true once.
    pub fn is_damaged_since(&self) -> bool {
        self.is_damaged() && !self.damage_told.swap(true, Ordering::Relaxed)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Raises the twin before a call leaves. What can not be written is told to the log alone: the
    /// count goes on, and the next one that is written makes up for it.
    fn raise_twin(&self, count: u64) {
        let twin = hold(&self.twin);
        if let Some(Err(error)) = twin.as_ref().map(|twin| twin.raise(count)) {
            tracing::warn!(event = "twin_not_raised", reason = %error);
        }
    }
}

/// A damaged store is left with its log, as it was.
impl Drop for Store {
    fn drop(&mut self) {
        if self.is_damaged() {
            for conn in [&self.writer, &self.reader] {
                if let Err(error) = open::keep_log(&hold(conn), open::KeepLog::Yes) {
                    tracing::error!(event = "log_not_kept", reason = %error);
                }
            }
        }
    }
}

/// Lies beside a store of which something could not be read, until all of it was looked at.
fn suspect_file(home: &Path) -> PathBuf {
    home.join("docket.suspect")
}

fn transact<T>(
    writer: &mut Connection,
    job: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = job(&tx)?;
    tx.commit()?;
    Ok(done)
}

/// A panic inside a transaction rolls it back, so what the lock guards is whole all the same.
fn hold<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
