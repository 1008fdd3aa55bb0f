//! A sick disk: a folder whose power can be cut at any call, that can be full, go read-only, or fail.
//!
//! It stands at the system's own door (`door`): the calls of libc through which SQLite, the standard
//! library and every crate reach a file, for the files below one folder of a test. So nothing is a
//! mock: the real SQLite over its real Unix file system, the real downloader, real errors. What the
//! disk keeps is a model (`platter`): only what was synced is sure; of the rest, after a power cut,
//! any sector, any length and any name may be the old one or the new one, as a seed says (`after`).
//!
//! Belongs to the target `disks` alone: whoever links this file has its calls looked at.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

mod after;
mod door;
mod platter;
mod sick;

pub use sick::{Fault, Op};

use sick::Inner;

/// See the head of this file. Well again when it is dropped.
pub struct Disk {
    inner: Arc<Inner>,
}

impl Disk {
    /// Takes a folder, which is made where it is missing. What lies in it is on the disk for sure.
    ///
    /// # Panics
    /// The folder can not be made or read.
    pub fn at(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).expect("the disk's folder can be made");
        let folder = folder.canonicalize().expect("the disk's folder is there");
        let inner = Arc::new(Inner::new(folder));
        door::hang(&inner);
        Self { inner }
    }

    /// Its folder.
    pub fn folder(&self) -> PathBuf {
        self.inner.folder.clone()
    }

    /// How many calls that change something were begun so far.
    pub fn calls(&self) -> u64 {
        self.inner.state().calls
    }

    /// How many syncs were begun so far.
    pub fn syncs(&self) -> u64 {
        self.inner.state().syncs
    }

    /// The calls so far, for a person who reads why a test failed.
    pub fn told(&self) -> String {
        self.inner.state().told.join("\n")
    }

    /// Cuts the power when the n-th call from now (1 is the next) is about to change something.
    pub fn cut_at(&self, n: u64) {
        let mut state = self.inner.state();
        state.cut_at = Some(state.calls + n);
    }

    /// Cuts the power when the n-th sync from now is about to begin.
    pub fn cut_at_sync(&self, n: u64) {
        let mut state = self.inner.state();
        state.cut_at_sync = Some(state.syncs + n);
    }

    /// Cuts the power now.
    pub fn power_off(&self) {
        door::unseen(|| self.inner.state().cut(&self.inner.folder));
    }

    /// Whether the power is cut.
    pub fn is_off(&self) -> bool {
        self.inner.state().dark.is_some()
    }

    /// Returns when the power is cut. Whoever waits for it waits for something else beside.
    ///
    /// # Panics
    /// The disk is gone.
    pub async fn until_off(&self) {
        let mut off = self.inner.state().off.subscribe();
        off.wait_for(|off| *off).await.expect("the disk is there");
    }

    /// Gives power again. Whoever used the disk must be gone. What lies in the folder from now on is
    /// what such a disk may hold: chosen by the seed, and reached by no program that was there before.
    ///
    /// # Panics
    /// The power is not cut, or the folder can not be written.
    pub fn power_on(&self, seed: u64) {
        door::unseen(|| {
            let mut state = self.inner.state();
            let dark = state.dark.take().expect("the power was cut");
            after::lay_down(&self.inner.folder, &dark, seed);
            *state = sick::State::new(&self.inner.folder);
        });
    }

    /// From now on calls that fit fail as the fault says.
    pub fn fault(&self, fault: Fault) {
        self.inner.state().faults.push(fault);
    }

    /// The disk is full for whatever takes more room, and says so.
    pub fn fill(&self) {
        self.inner.state().is_full = true;
    }

    /// How often something failed as it was told to.
    pub fn failed(&self) -> u64 {
        *self.inner.state().failed.borrow()
    }

    /// Returns when something has failed as it was told to, since the count was this.
    ///
    /// # Panics
    /// Nothing fails in time.
    pub async fn until_failed(&self, since: u64) {
        let mut failed = self.inner.state().failed.subscribe();
        let waiting = failed.wait_for(|failed| *failed > since);
        let waited = docket_tests::in_time("a call that fails", waiting).await;
        waited.expect("the disk is there");
    }

    /// Everything works again.
    pub fn heal(&self) {
        let mut state = self.inner.state();
        state.faults.clear();
        state.is_full = false;
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        door::take_down(&self.inner);
    }
}
