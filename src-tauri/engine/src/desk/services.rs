//! What is known of the services, for whoever lists them: names, health, where credentials are.

use std::sync::{Arc, PoisonError};

use jiff::Timestamp;

use super::{Desk, Result};
use crate::{
    attempt::{AttemptResult, CallResult},
    capabilities::Suspicion,
    error::EngineError,
    export::{ExportId, ServiceId},
    journal::between,
    plan,
    record::Record,
    store::{Place, Practice, Role, ServiceProfile},
    view::{CallerView, ChangeView, CredentialKept, ServiceHealth, ServiceView},
};

/// Open exports of one service that are changed in one transaction.
pub(crate) const OPEN_AT_ONCE: u32 = 256;

impl Desk {
    /// A service that was added and not removed.
    pub(crate) fn profile(&self, id: &ServiceId) -> Result<ServiceProfile> {
        match self.store.service(id)? {
            Some(profile) if profile.removed_at.is_none() => Ok(profile),
            Some(_) | None => Err(EngineError::unknown_service(id.as_str())),
        }
    }

    pub(crate) fn service_views(&self) -> Result<Vec<ServiceView>> {
        let health = self.health.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.store
            .services()?
            .into_iter()
            .map(|profile| {
                let open_exports = self.store.unsettled_of(&profile.id)?;
                Ok(ServiceView {
                    credential: self.credential_kept(&profile.id),
                    health: health.get(&profile.id).cloned(),
                    id: profile.id.to_string(),
                    name: profile.name,
                    address: profile.address,
                    tenant_id: profile.tenant_id,
                    caller: profile
                        .caller
                        .map(|caller| CallerView { subject: caller.subject, name: caller.name }),
                    open_exports,
                    practice: profile.practice == Practice::Yes,
                })
            })
            .collect()
    }

    fn credential_kept(&self, id: &ServiceId) -> CredentialKept {
        let in_memory =
            self.credentials.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id);
        let stored = in_memory || self.secrets.get(id).is_some();
        let kept = if stored { self.secrets.kept(id) } else { CredentialKept::None };
        if kept == CredentialKept::None && in_memory { CredentialKept::Session } else { kept }
    }

    /// Tells whoever subscribed what is known of the services.
    pub(crate) async fn publish_services(self: &Arc<Self>) -> Result<()> {
        let services = self.blocking(Self::service_views).await?;
        self.send(ChangeView::Services { services });
        Ok(())
    }

    /// Keeps how the last call to a service went, for the screen; tells whether the service answers
    /// again after a call that did not get through.
    pub(crate) fn note_call(
        &self,
        service: &ServiceId,
        result: &AttemptResult,
        (began, ended): (Timestamp, Timestamp),
    ) -> bool {
        let health = ServiceHealth {
            call_result: result.call_result(),
            duration_ms: u64::try_from(between(began, ended).as_millis()).unwrap_or_default(),
            reason: result.reason().map(|reason| reason.to_string()),
            at: ended,
        };
        let answers = health.call_result == CallResult::Answered;
        let before = self
            .health
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(service.clone(), health)
            .map(|before| before.call_result == CallResult::Answered);
        if before != Some(answers)
            && let Ok(services) = self.service_views()
        {
            self.send(ChangeView::Services { services });
        }
        answers && before == Some(false)
    }

    /// The service passed its checks: what it was suspected of is no longer held against it.
    pub(crate) fn trust_anew(&self, service: &ServiceId) -> Result<()> {
        self.store.update_service(service, &mut |profile| {
            if let Some(facts) = &mut profile.facts {
                facts.suspected = Suspicion::None;
            }
        })?;
        self.change_open_of(service, &mut |record| {
            if let Some(facts) = &mut record.facts {
                facts.suspected = Suspicion::None;
            }
            plan::replan(record, self.moment());
        })?;
        self.tell_driver();
        Ok(())
    }

    /// The service answers again: what waited for it is tried at once. The driver does that between
    /// its calls; another process writes it down for the driver.
    pub(crate) fn try_anew(&self, service: &ServiceId) -> Result<()> {
        if self.store.role() == Role::Driver {
            self.answering.lock().unwrap_or_else(PoisonError::into_inner).insert(service.clone());
            self.wake.notify_one();
            return Ok(());
        }
        let now = self.clock.now();
        self.change_open_of(service, &mut |record| {
            plan::reachable_again(record, now);
            plan::replan(record, self.moment());
        })
    }

    /// Changes every open export of a service, some in each transaction, and tells of those that
    /// were written.
    pub(crate) fn change_open_of(
        &self,
        service: &ServiceId,
        change: &mut dyn FnMut(&mut Record),
    ) -> Result<()> {
        let mut place = Place::default();
        while let Some((ids, next)) = self.store.open_after(service, place, OPEN_AT_ONCE)? {
            self.change_each(&ids, change)?;
            place = next;
        }
        Ok(())
    }

    /// Changes these exports in one transaction and tells of those that were written; gives them as
    /// they are now. One that can not be written holds up no other: then each has a transaction of
    /// its own.
    pub(crate) fn change_each(
        &self,
        ids: &[ExportId],
        change: &mut dyn FnMut(&mut Record),
    ) -> Result<Vec<Record>> {
        let now = self.clock.now();
        let changed = match self.store.change_each(ids, now, change) {
            Ok(changed) => changed,
            Err(_) => ids.iter().flat_map(|id| self.change_alone(id, now, change)).collect(),
        };
        self.publish_written(&changed, now)?;
        Ok(changed)
    }

    fn change_alone(
        &self,
        id: &ExportId,
        now: Timestamp,
        change: &mut dyn FnMut(&mut Record),
    ) -> Vec<Record> {
        self.store.change_each(std::slice::from_ref(id), now, change).unwrap_or_else(|error| {
            tracing::error!(event = "change_failed", export_id = %id, reason = %error);
            Vec::new()
        })
    }
}
