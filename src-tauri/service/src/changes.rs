//! Who waits for which job to change: the bell behind `Prefer: wait=N`.
//!
//! A bell is taken before the job is read, so a change between the read and the wait rings it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::Notify;

/// The bells of jobs that somebody waits for.
#[derive(Debug, Default)]
pub(crate) struct Changes(Mutex<HashMap<String, Weak<Notify>>>);

impl Changes {
    /// The bell of a job.
    pub(crate) fn bell(&self, business_id: &str) -> Arc<Notify> {
        let mut bells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bells.retain(|_, bell| bell.strong_count() > 0);
        if let Some(bell) = bells.get(business_id).and_then(Weak::upgrade) {
            return bell;
        }
        let bell = Arc::new(Notify::new());
        bells.insert(business_id.to_owned(), Arc::downgrade(&bell));
        bell
    }

    /// Rings it. Called after the commit, never before.
    pub(crate) fn ring(&self, business_id: &str) {
        let bells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bell) = bells.get(business_id).and_then(Weak::upgrade) {
            bell.notify_waiters();
        }
    }
}
