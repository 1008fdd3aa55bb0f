//! What a person wants of an export that stands: each verb is one transaction that any process may
//! make; the driver does what it says.

use std::path::PathBuf;

use super::Engine;
use crate::{
    desk::Result,
    error::EngineError,
    export::ExportId,
    knowledge::ByHand,
    plan::{self, Moment, NotNow},
    record::Record,
    view::ExportView,
};

impl Engine {
    /// Look it up now; where nothing was sent, send it now.
    ///
    /// # Errors
    /// It is settled; there is no such export; the store can not be written.
    pub async fn check_now(&self, id: &ExportId) -> Result<ExportView> {
        self.wish(id, |record, moment| plan::look_now(record, moment.now)).await
    }

    /// Send now what waits to be sent.
    ///
    /// # Errors
    /// It does not wait; there is no such export; the store can not be written.
    pub async fn send_now(&self, id: &ExportId) -> Result<ExportView> {
        self.wish(id, |record, moment| plan::send_now(record, moment.now)).await
    }

    /// Send it again with the same key, where that is safe.
    ///
    /// # Errors
    /// It is not safe; there is no such export; the store can not be written.
    pub async fn resend(&self, id: &ExportId) -> Result<ExportView> {
        self.wish(id, plan::send_again).await
    }

    /// Withdraws, abandons or cancels, as the case needs; stops a fetch.
    ///
    /// # Errors
    /// It is settled; there is no such export; the store can not be written.
    pub async fn cancel(&self, id: &ExportId) -> Result<ExportView> {
        let view = self.wish(id, |record, moment| plan::cancel(record, moment.now)).await?;
        self.desk.stop_fetch(id);
        Ok(view)
    }

    /// Records what the person found at the service by hand.
    ///
    /// # Errors
    /// What became of it is known; there is no such export; the store can not be written.
    pub async fn settle(&self, id: &ExportId, finding: ByHand) -> Result<ExportView> {
        self.wish(id, move |record, moment| plan::settle(record, finding.clone(), moment.now)).await
    }

    /// Fetches the file, into `folder` where one is given.
    ///
    /// # Errors
    /// There is none to fetch; there is no such export; the store can not be written.
    pub async fn download(&self, id: &ExportId, folder: Option<PathBuf>) -> Result<ExportView> {
        self.wish(id, move |record, moment| {
            plan::fetch_file(record, moment.now)?;
            if let Some(folder) = &folder {
                record.export.folder = Some(folder.clone());
            }
            Ok(())
        })
        .await
    }

    /// Stops fetching for now; what is here is kept.
    ///
    /// # Errors
    /// Nothing is fetched; there is no such export; the store can not be written.
    pub async fn pause(&self, id: &ExportId) -> Result<ExportView> {
        let view = self.wish(id, |record, moment| plan::pause(record, moment.now)).await?;
        self.desk.stop_fetch(id);
        Ok(view)
    }

    /// Goes on fetching.
    ///
    /// # Errors
    /// There is nothing to fetch; there is no such export; the store can not be written.
    pub async fn resume(&self, id: &ExportId) -> Result<ExportView> {
        self.wish(id, |record, moment| plan::resume(record, moment.now)).await
    }

    /// Writes a wish in one transaction, plans anew, and tells the driver.
    async fn wish(
        &self,
        id: &ExportId,
        wish: impl Fn(&mut Record, Moment<'_>) -> std::result::Result<(), NotNow> + Send + 'static,
    ) -> Result<ExportView> {
        let id = id.clone();
        let view = self
            .desk
            .blocking(move |desk| {
                let record = desk
                    .change(&id, |record, moment| wish(record, moment))?
                    .ok_or_else(|| EngineError::unknown_export(id.as_str()))?;
                let view = desk.publish(&record)?;
                desk.release_after(&record)?;
                Ok(view)
            })
            .await?;
        self.desk.tell_driver();
        Ok(view)
    }
}
