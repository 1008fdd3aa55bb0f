//! The store: what Docket knows and wants, durable. The only SQL of the engine.
//!
//! One file, `docket.db`, one writer connection, one reader. Each verb is one transaction: it takes
//! the write lock at once (`BEGIN IMMEDIATE`), reads what it decides on inside, rewrites the copies
//! that lists use, raises the version, and is on the disk before it returns. Nothing is cached
//! between verbs, so the driver and the processes that only record wishes see one truth.
//!
//! Who may do what: any process records intents and wishes; only the driver, which holds an
//! operating-system lock, opens attempts and writes evidence ([`StoreError::NotDriver`]).
//!
//! The verbs: `intent` (what a person wants), `calls` (begin, cross, finish, interrupted).
//! The tables: `meta`, `export`, `attempt`, `service`. The questions: `ask`, `list`.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::export::ExportId;

mod ask;
mod attempt;
mod calls;
mod columns;
mod duty;
mod error;
mod export;
mod folder;
mod intent;
mod list;
mod lock;
mod meta;
mod open;
mod schema;
mod search;
mod service;
mod twin;
mod wake;

#[cfg(test)]
mod tests;

pub use calls::{Change, EndedAttempt};
pub use duty::{Due, Lane, Place, Queue};
pub use error::{Damage, StoreError};
pub use intent::Intent;
pub use list::{Counts, Listed, ListedBy, PAGE_MAX};
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
    /// The highest attempt number handed out for an export, where it may be above the stored one.
    numbers: Mutex<HashMap<ExportId, u32>>,
}

impl Store {
    /// Opens the store in `home`, making folder and file where there are none. `machine_state` is
    /// a folder that stays on this machine when a person's files are backed up or moved; the twin
    /// of the store's count lies there.
    ///
    /// # Errors
    /// A folder that can not be written or lies on a network, a full disk, a file that is newer,
    /// foreign or torn: it is then left as it was.
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
            numbers: Mutex::new(HashMap::new()),
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
        let provenance = open::claim(&mut writer, &self.machine_state, now)
            .map_err(|error| error.of(&self.path))?;
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
        let mut writer = hold(&self.writer);
        let before = writer.total_changes();
        let done = transact(&mut writer, job).map_err(|error| error.of(&self.path))?;
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
        read().map_err(|error| error.of(&self.path))
    }
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
