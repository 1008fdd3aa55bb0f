//! The desk: what every handle of the engine and the reconciler share.
//!
//! The store, the clock, the connector, the credentials; who listens; what wakes the driver. Commit
//! before publish: [`Desk::publish`] is given a record that a transaction returned.

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;
use tokio::sync::{Notify, broadcast};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    clock::{Chance, Clock},
    connector::Connector,
    error::EngineError,
    export::{ExportId, ServiceId},
    plan::{self, Moment, NotNow},
    policy::Policy,
    record::Record,
    secret::Secret,
    secrets::Secrets,
    store::{Counts, Role, Store, ToldWith},
    view::{ChangeView, ExportView, SectionCounts, ServiceHealth, of_record::export_view},
};

mod accounts;
mod services;
mod turns;

pub(crate) use accounts::{Naming, account_of};
pub(crate) use services::OPEN_AT_ONCE;

/// How many changes a slow subscriber may be behind before it has to read the list anew.
pub(crate) const CHANGES_KEPT: usize = 1024;

/// What the handles share.
pub(crate) struct Desk {
    pub(crate) store: Arc<Store>,
    pub(crate) policy: Policy,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chance: Arc<Chance>,
    pub(crate) secrets: Arc<dyn Secrets>,
    pub(crate) connector: Arc<dyn Connector>,
    pub(crate) changes: broadcast::Sender<ChangeView>,
    /// Something may be due: look again.
    pub(crate) wake: Notify,
    pub(crate) stop: CancellationToken,
    pub(crate) tasks: TaskTracker,
    pub(crate) downloads: Mutex<PathBuf>,
    /// The language that the person reads (BCP 47).
    pub(crate) language: Mutex<Option<String>>,
    /// Fetches under way, and the switch that stops each.
    pub(crate) fetches: Mutex<HashMap<ExportId, CancellationToken>>,
    /// Credentials once read, so that the keychain is asked once.
    pub(crate) credentials: Mutex<HashMap<ServiceId, Secret>>,
    /// The last credential that each service had here, and how many there were.
    pub(crate) counted: Mutex<HashMap<ServiceId, (u64, Secret)>>,
    /// Whose each of them is: the subject.
    pub(crate) whose: Mutex<HashMap<ServiceId, String>>,
    pub(crate) health: Mutex<HashMap<ServiceId, ServiceHealth>>,
    /// Services that were found to answer again, for the reconciler.
    pub(crate) answering: Mutex<HashSet<ServiceId>>,
}

/// What the engine answers with.
pub(crate) type Result<T> = std::result::Result<T, EngineError>;

impl Desk {
    /// Runs store work away from the async threads.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let desk = Arc::clone(self);
        let work = move || {
            let done = work(&desk);
            desk.tell_damage();
            done
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result,
            Err(panic) => Err(EngineError::internal(panic)),
        }
    }

    /// This moment, with one draw of chance.
    pub(crate) fn moment(&self) -> Moment<'_> {
        Moment { policy: &self.policy, now: self.clock.now(), chance: self.chance.draw() }
    }

    /// Changes one record in one transaction and plans anew; where the change can not be made now,
    /// nothing is written.
    pub(crate) fn change(
        &self,
        id: &ExportId,
        change: impl Fn(&mut Record, Moment<'_>) -> std::result::Result<(), NotNow>,
    ) -> Result<Option<Record>> {
        let moment = self.moment();
        let Some(record) = self.store.get(id)? else { return Ok(None) };
        change(&mut record.clone(), moment)?;
        let mut refused = Ok(());
        let changed = self.store.change(id, moment.now, &mut |record| {
            refused = change(record, moment);
            plan::replan(record, moment);
        })?;
        refused?;
        Ok(changed)
    }

    /// The view of an export, with its attempts.
    pub(crate) fn view(&self, record: &Record) -> Result<ExportView> {
        let (told, _) = self.store.told_with([record])?;
        Ok(self.view_with(record, &told[0]))
    }

    pub(crate) fn view_with(&self, record: &Record, told: &ToldWith) -> ExportView {
        let record = told.newer.as_ref().unwrap_or(record);
        // One that never had a name is called by its address.
        let service = told.service_name.as_ref().unwrap_or(&record.export.account.address);
        export_view(record, &told.attempts, service, self.moment())
    }

    /// Tells whoever subscribed, after the commit.
    pub(crate) fn publish(&self, record: &Record) -> Result<ExportView> {
        let (told, counts) = self.store.told_with([record])?;
        let view = self.view_with(record, &told[0]);
        self.send(ChangeView::Export { export: Box::new(view.clone()), counts: counts.into() });
        Ok(view)
    }

    /// Tells of many, after their commit.
    pub(crate) fn publish_all<'a>(
        &self,
        records: impl IntoIterator<Item = &'a Record> + Clone,
    ) -> Result<()> {
        match self.store.told_with(records.clone()) {
            Ok((told, counts)) => {
                for (record, told) in records.into_iter().zip(&told) {
                    let export = Box::new(self.view_with(record, told));
                    self.send(ChangeView::Export { export, counts: counts.into() });
                }
                Ok(())
            }
            // Of one of them something can not be read: the others are told of all the same.
            Err(_) => records
                .into_iter()
                .map(|record| self.publish(record).map(drop))
                .fold(Ok(()), std::result::Result::and),
        }
    }

    /// Tells of those among `records` that were written at `now`.
    pub(crate) fn publish_written(&self, records: &[Record], now: Timestamp) -> Result<()> {
        self.publish_all(records.iter().filter(|record| record.updated_at == now))
    }

    /// Nobody may be listening; that is no fault.
    pub(crate) fn send(&self, change: ChangeView) {
        drop(self.changes.send(change));
    }

    /// Wakes the reconciler of this process.
    pub(crate) fn tell_driver(&self) {
        // An observer's write has called the driver already, by the file `wake`.
        if self.store.role() == Role::Driver {
            self.wake.notify_one();
        }
    }

    /// Where files go unless an export says otherwise.
    pub(crate) fn downloads_folder(&self) -> PathBuf {
        self.downloads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The language that the person reads.
    pub(crate) fn language(&self) -> Option<String> {
        self.language.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops the fetch of an export, if one is under way.
    pub(crate) fn stop_fetch(&self, id: &ExportId) {
        let fetches = self.fetches.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetch) = fetches.get(id) {
            fetch.cancel();
        }
    }

    /// The credential for a service, from memory or from where it is kept.
    pub(crate) async fn credential(self: &Arc<Self>, service: &ServiceId) -> Option<Secret> {
        let known =
            self.credentials.lock().unwrap_or_else(PoisonError::into_inner).get(service).cloned();
        if known.is_some() {
            return known;
        }
        let id = service.clone();
        let secret = match self.blocking(move |desk| Ok(desk.secrets.get(&id))).await {
            Ok(secret) => secret?,
            Err(error) => {
                tracing::error!(event = "credential_not_read", reason = %error);
                return None;
            }
        };
        self.keep_credential(service, secret.clone());
        Some(secret)
    }
}

impl From<Counts> for SectionCounts {
    fn from(counts: Counts) -> Self {
        Self {
            needs_attention: counts.needs_attention,
            in_progress: counts.in_progress,
            confirming: counts.confirming,
            finished: counts.finished,
        }
    }
}
