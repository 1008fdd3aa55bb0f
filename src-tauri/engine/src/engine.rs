//! The handle that everybody holds: the window, the terminal, the tests.
//!
//! Cheap to clone. Every verb is a few lines: it reads or writes the store in one transaction,
//! wakes the reconciler and returns the view. Nothing here makes a call about an export; that is
//! the reconciler's alone. Commit before publish: whoever subscribed hears of a change only when it
//! is on disk.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Notify, broadcast};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    attempt::Attempt,
    clock::{Chance, Clock},
    connector::Connector,
    error::EngineError,
    export::{ExportId, ServiceId},
    journal::Hold,
    plan::{self, Moment, NotNow},
    policy::Policy,
    reconciler,
    record::Record,
    secret::Secret,
    secrets::Secrets,
    stage::Stage,
    store::{Counts, ListedBy, Role, Store},
    view::{
        ChangeView, ExportView, ListPage, ListQuery, SectionCounts, ServiceHealth,
        of_record::export_view,
    },
};

mod accounts;
mod opening;
mod request;
mod services;
mod watching;
mod wishes;

pub use opening::Options;
pub use services::NewService;

/// How many changes a slow subscriber may be behind before it has to read the list anew.
const CHANGES_KEPT: usize = 1024;

/// See the head of this file.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

/// What the handles share.
pub(crate) struct Inner {
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
    /// Fetches under way, and the switch that stops each.
    pub(crate) fetches: Mutex<HashMap<ExportId, CancellationToken>>,
    /// Credentials once read, so that the keychain is asked once.
    pub(crate) credentials: Mutex<HashMap<ServiceId, Secret>>,
    pub(crate) health: Mutex<HashMap<ServiceId, ServiceHealth>>,
}

/// What the engine answers with.
pub type Result<T> = std::result::Result<T, EngineError>;

impl Engine {
    /// Whether this process drives the store or only reads it and records wishes.
    pub fn role(&self) -> Role {
        self.inner.store.role()
    }

    /// Begins to drive what is open, where this process is the driver; else to watch what the driver
    /// does.
    pub fn start(&self) {
        let inner = Arc::clone(&self.inner);
        match self.role() {
            Role::Driver => self.inner.tasks.spawn(reconciler::run(inner)),
            Role::Observer => self.inner.tasks.spawn(watching::watch(inner)),
        };
    }

    /// Where files go from now on, unless an export says otherwise.
    pub fn set_downloads_folder(&self, folder: PathBuf) {
        *self.inner.downloads.lock().unwrap_or_else(PoisonError::into_inner) = folder;
    }

    /// Where files go unless an export says otherwise.
    pub fn downloads_folder(&self) -> PathBuf {
        self.inner.downloads_folder()
    }

    /// Ends the background task and waits for what it has begun to write. Correctness never depends
    /// on this: a kill does as well.
    pub async fn shutdown(&self) {
        self.inner.stop.cancel();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Whatever changes from now on, after its commit. Subscribe first, then read the list; of two
    /// views of one export the higher version is the newer.
    pub fn subscribe(&self) -> broadcast::Receiver<ChangeView> {
        self.inner.changes.subscribe()
    }

    /// One export.
    ///
    /// # Errors
    /// There is no such export; the store can not be read.
    pub async fn get(&self, id: &ExportId) -> Result<ExportView> {
        let id = id.clone();
        self.inner
            .blocking(move |inner| {
                let record = inner.store.get(&id)?;
                let record = record.ok_or_else(|| EngineError::unknown_export(id.as_str()))?;
                inner.view(&record)
            })
            .await
    }

    /// A page of exports.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn list(&self, query: ListQuery) -> Result<ListPage> {
        self.inner
            .blocking(move |inner| {
                let listed = inner.store.list(&ListedBy {
                    section: query.section,
                    stage: query.stage,
                    search: query.search.clone(),
                    offset: query.offset,
                    limit: query.limit,
                })?;
                let ids: Vec<ExportId> =
                    listed.records.iter().map(|record| record.export.id.clone()).collect();
                let mut attempts = inner.store.attempts_of(&ids)?;
                let items = listed
                    .records
                    .iter()
                    .map(|record| {
                        let attempts = attempts.remove(&record.export.id).unwrap_or_default();
                        inner.view_of(record, &attempts)
                    })
                    .collect::<Result<_>>()?;
                Ok(ListPage { items, counts: listed.counts.into(), more: listed.more })
            })
            .await
    }

    /// How many exports stand in each section.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn counts(&self) -> Result<SectionCounts> {
        self.inner.blocking(|inner| Ok(inner.store.counts()?.into())).await
    }

    /// Waits until an export is settled, unresolved, or waits for a person.
    ///
    /// # Errors
    /// There is no such export; the store can not be read.
    pub async fn settled_or_waiting(&self, id: &ExportId) -> Result<ExportView> {
        let mut changes = self.subscribe();
        loop {
            let view = self.get(id).await?;
            if view.is_at_rest() {
                return Ok(view);
            }
            loop {
                match changes.recv().await {
                    Ok(ChangeView::Export { export, .. }) if export.id == id.as_str() => break,
                    Ok(_) => {}
                    Err(broadcast::error::RecvError::Lagged(_)) => break,
                    Err(broadcast::error::RecvError::Closed) => return self.get(id).await,
                }
            }
        }
    }
}

impl Inner {
    /// Runs store work away from the async threads.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(self);
        match tokio::task::spawn_blocking(move || work(&inner)).await {
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
        let attempts = self.store.attempts(&record.export.id)?;
        self.view_of(record, &attempts)
    }

    fn view_of(&self, record: &Record, attempts: &[Attempt]) -> Result<ExportView> {
        let service = self.service_name(&record.export.account)?;
        Ok(export_view(record, attempts, &service, self.moment()))
    }

    /// Tells whoever subscribed, after the commit.
    pub(crate) fn publish(&self, record: &Record) -> Result<ExportView> {
        let view = self.view(record)?;
        let change = ChangeView::Export {
            export: Box::new(view.clone()),
            counts: self.store.counts()?.into(),
        };
        self.send(change);
        Ok(view)
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
        let read = self.blocking(move |inner| Ok(inner.secrets.get(&id))).await;
        let secret = read.unwrap_or_default()?;
        self.credentials
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(service.clone(), secret.clone());
        Some(secret)
    }
}

impl ExportView {
    /// Whether nothing happens any more without a person.
    pub fn is_at_rest(&self) -> bool {
        let planned = self.next_action_at.is_some();
        // A copied store is looked up by itself, as long as there is something to look by.
        let looks = self.hold == Some(Hold::RestoredStore) && planned;
        let waits = self.hold.is_some_and(Hold::needs_the_person) && !looks;
        self.stage.is_settled()
            || self.stage == Stage::Unresolved
            || waits
            || (self.stage == Stage::Ready && !planned)
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
