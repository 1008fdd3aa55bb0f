//! The handle that everybody holds: the window, the terminal, the tests.
//!
//! Cheap to clone. Every verb is a few lines: it reads or writes the store in one transaction,
//! wakes the reconciler and returns the view. Nothing here makes a call about an export; that is
//! the reconciler's alone. Commit before publish: whoever subscribed hears of a change only when it
//! is on disk.

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError},
};

use tokio::sync::broadcast;

use crate::{
    desk::{Desk, Result},
    error::EngineError,
    export::ExportId,
    reconciler,
    store::{ListedBy, Role},
    view::{ChangeView, ExportView, ListPage, ListQuery, SectionCounts},
};

mod notices;
mod opening;
mod request;
mod services;
mod watching;
mod wishes;

pub use opening::Options;
pub use services::NewService;

/// See the head of this file.
#[derive(Clone)]
pub struct Engine {
    pub(crate) desk: Arc<Desk>,
}

impl Engine {
    /// Whether this process drives the store or only reads it and records wishes.
    pub fn role(&self) -> Role {
        self.desk.store.role()
    }

    /// Begins to drive what is open, where this process is the driver; else to watch what the driver
    /// does.
    pub fn start(&self) {
        let desk = Arc::clone(&self.desk);
        match self.role() {
            Role::Driver => self.desk.tasks.spawn(reconciler::run(desk)),
            Role::Observer => self.desk.tasks.spawn(watching::watch(desk)),
        };
    }

    /// The language that the person reads, as a tag (BCP 47): services are asked to speak it.
    pub fn set_language(&self, language: &str) {
        *self.desk.language.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(language.to_owned());
    }

    /// Where files go from now on, unless an export says otherwise.
    pub fn set_downloads_folder(&self, folder: PathBuf) {
        *self.desk.downloads.lock().unwrap_or_else(PoisonError::into_inner) = folder;
    }

    /// Where files go unless an export says otherwise.
    pub fn downloads_folder(&self) -> PathBuf {
        self.desk.downloads_folder()
    }

    /// Ends the background task and waits for what it has begun to write. Correctness never depends
    /// on this: a kill does as well.
    pub async fn shutdown(&self) {
        self.desk.stop.cancel();
        self.desk.tasks.close();
        self.desk.tasks.wait().await;
    }

    /// Whatever changes from now on, after its commit. Subscribe first, then read the list; of two
    /// views of one export the higher version is the newer.
    pub fn subscribe(&self) -> broadcast::Receiver<ChangeView> {
        self.desk.changes.subscribe()
    }

    /// One export.
    ///
    /// # Errors
    /// There is no such export; the store can not be read.
    pub async fn get(&self, id: &ExportId) -> Result<ExportView> {
        let id = id.clone();
        self.desk
            .blocking(move |desk| {
                let record = desk.store.get(&id)?;
                let record = record.ok_or_else(|| EngineError::unknown_export(id.as_str()))?;
                desk.view(&record)
            })
            .await
    }

    /// These exports, all as they are at one moment. One that there is not is left out.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn get_each(&self, ids: Vec<ExportId>) -> Result<Vec<ExportView>> {
        self.desk
            .blocking(move |desk| {
                let found = ids.iter().filter_map(|id| desk.store.get(id).transpose());
                let records = found.collect::<std::result::Result<Vec<_>, _>>()?;
                let (told, _) = desk.store.told_with(&records)?;
                let told = records.iter().zip(&told);
                Ok(told.map(|(record, told)| desk.view_with(record, told)).collect())
            })
            .await
    }

    /// A page of exports.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn list(&self, query: ListQuery) -> Result<ListPage> {
        self.desk
            .blocking(move |desk| {
                let listed = desk.store.list(&ListedBy {
                    section: query.section,
                    stage: query.stage,
                    search: query.search.clone(),
                    offset: query.offset,
                    limit: query.limit,
                })?;
                let (told, _) = desk.store.told_with(&listed.records)?;
                let told = listed.records.iter().zip(&told);
                let items = told.map(|(record, told)| desk.view_with(record, told)).collect();
                Ok(ListPage {
                    items,
                    counts: listed.counts.into(),
                    unreadable: listed.unreadable,
                    more: listed.more,
                })
            })
            .await
    }

    /// How many exports stand in each section.
    ///
    /// # Errors
    /// The store can not be read.
    pub async fn counts(&self) -> Result<SectionCounts> {
        self.desk.blocking(|desk| Ok(desk.store.counts()?.into())).await
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

#[cfg(test)]
mod tests;
