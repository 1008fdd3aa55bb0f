//! The end of every story: nothing is in the way any more, time goes on, and everything has to come
//! to its end.

use docket_engine::{journal::Hold, stage::Stage, view::ExportView};
use docket_service::{Feature, Intake};
use docket_tests::{invariants, world::ADA};
use sha2::{Digest, Sha256};

use crate::{laws::Broken, play::Play, script::Tokens};

/// Leaps until a story counts as one without an end.
const LEAPS_MAX: usize = 1500;

impl Play {
    /// What is unsettled, with nothing planned and nobody to wait for, is forgotten.
    pub async fn nobody_is_forgotten(&self) -> Result<(), Broken> {
        let Some(open) = self.client.as_ref().filter(|open| !open.gate.is_calling()) else {
            return Ok(());
        };
        for (id, entry) in &self.book.exports {
            if entry.due.is_some() || entry.journal.change_under_way().is_some() {
                continue;
            }
            let id = docket_engine::export::ExportId::from_text(id.clone());
            let view = open.client.now(&id).await;
            let paused = view.hold == Some(Hold::Paused);
            if view.next_action_at.is_none() && !view.is_at_rest() && !paused {
                let (stage, hold) = (view.stage, view.hold);
                return Err(format!("{stage} ({hold:?}) is forgotten: nothing is planned"));
            }
        }
        Ok(())
    }

    /// Mends everything, and lets time go on to the end.
    pub async fn end_well(&mut self) -> Result<(), Broken> {
        self.mend_all().await;
        self.observe().await?;
        self.until_rest().await?;
        // Whatever a gateway still holds may arrive now, when nobody waits for it any more.
        while let Some(answer) = self.world.proxy.deliver_kept_if_any().await {
            let status = answer.status().unwrap_or_default();
            let said = format!("a request arrives when all is over: the service answers {status}");
            self.tale.step(self.clocks.passed, said);
            self.observe().await?;
        }
        self.until_rest().await?;
        self.last_laws().await
    }

    /// Lets time go on until every export is over.
    async fn until_rest(&mut self) -> Result<(), Broken> {
        for _ in 0..LEAPS_MAX {
            let views = self.open().all().await;
            if views.iter().all(|view| self.is_over(view)) {
                break;
            }
            let Some(leap) = self.next_due() else { break };
            self.leap(leap).await?;
        }
        Ok(())
    }

    async fn mend_all(&mut self) {
        self.tale.step(self.clocks.passed, "from here on nothing is in the way".to_owned());
        self.waiting_rules.clear();
        self.world.proxy.clear();
        self.network_up().await;
        self.world.proxy.release();
        self.service_up(false).await;
        self.take(Tokens::All);
        self.world.service().set_intake(Intake::Open);
        self.quiet().await;
        // What stopped at a point of the client's own goes on with a new one.
        let stuck = self.client.as_ref().is_some_and(|open| open.gate.is_calling());
        if stuck {
            self.crash().await;
        }
        if self.client.is_none() {
            self.start().await;
        }
        self.gather_acts().await;
        self.open().sign_in(ADA).await;
        for view in self.open().all().await {
            if view.hold.is_some_and(Hold::is_of_the_fetch) {
                let id = docket_engine::export::ExportId::from_text(view.id);
                // One that is not fetched any more needs nothing.
                drop(self.open().engine.resume(&id).await);
            }
        }
    }

    /// Whether this export has come as far as it can by itself.
    fn is_over(&self, view: &ExportView) -> bool {
        view.is_at_rest() && (view.stage != Stage::Unresolved || view.next_action_at.is_none())
    }

    /// What holds once everything is over.
    async fn last_laws(&mut self) -> Result<(), Broken> {
        let views = self.open().all().await;
        for view in &views {
            let number = self.asked.iter().position(|asked| asked.id.as_str() == view.id);
            let name = format!("export {}", number.map_or(0, |at| at + 1));
            if !self.is_over(view) {
                return Err(format!("{name} never comes to its end: {}", view.stage));
            }
            if view.stage == Stage::Unresolved && self.must_resolve() {
                let reason = view.reason.clone().unwrap_or_default();
                return Err(format!("{name} is unresolved ({reason}) although all can be asked"));
            }
            self.the_file_is_the_service_s(view)?;
        }
        self.no_job_of_nobody()?;
        if !self.history.service_restored {
            for asked in &self.asked {
                invariants::nothing_regresses(&self.open().witness.views_of(&asked.id));
            }
        }
        Ok(())
    }

    /// With idempotent submit, look-up and abandon an export is unresolved only while the service
    /// can not be reached, or once it may have forgotten the key.
    fn must_resolve(&self) -> bool {
        let features = [Feature::Idempotency, Feature::Lookup, Feature::Abandon];
        let can = features.iter().all(|feature| self.script.service.can(*feature));
        let kept = self.clocks.passed * 10 < self.script.service.retention * 8;
        can && kept && !self.history.service_restored && !self.history.out_of_time
    }

    fn the_file_is_the_service_s(&self, view: &ExportView) -> Result<(), Broken> {
        let (Some(file), Some(id)) = (&view.file, &view.business_id) else { return Ok(()) };
        let bytes = std::fs::read(&file.path).map_err(|error| format!("{}: {error}", file.name))?;
        let digest = hex::encode(Sha256::digest(&bytes));
        let told = self.book.jobs.get(id).and_then(|job| job.digest.clone());
        if digest != file.digest || told.is_some_and(|told| told != digest) {
            return Err(format!("{} is saved with other bytes than the service has", file.name));
        }
        Ok(())
    }

    fn no_job_of_nobody(&self) -> Result<(), Broken> {
        for job in self.book.jobs.values() {
            let ours = |key: &String| self.asked.iter().any(|asked| asked.key == *key);
            if job.key.as_ref().is_some_and(|key| !ours(key)) {
                return Err(format!("a job of a key that nobody asked with: {job:?}"));
            }
        }
        Ok(())
    }

    /// Takes the world down.
    pub async fn close(mut self) {
        self.crash().await;
        self.world.proxy.release();
        self.world.stop_service().await;
        self.clocks.end().await;
    }
}
