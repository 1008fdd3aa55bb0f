//! Whose credential is here: asked of the service, kept beside it, and held against what was asked
//! for before.
//!
//! Knowledge belongs to one service address, tenant and subject. What another subject asked for
//! waits for that person and is never asked about with this one's credential.

use std::sync::{Arc, PoisonError};

use docket_wire::{Caller, OperationList};

use super::{Desk, Result};
use crate::{
    attempt::{AttemptEnd, AttemptResult},
    connector::{Call, Timeouts},
    export::{Account, ServiceId},
    journal::Hold,
    plan,
    secret::Secret,
    store::{Catalogue, MadeWith, ServiceProfile},
};

impl Desk {
    pub(crate) fn keep_credential(&self, id: &ServiceId, secret: Secret) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let last = counted.entry(id.clone()).or_insert_with(|| (1, secret.clone()));
        if last.1 != secret {
            *last = (last.0 + 1, secret.clone());
        }
        drop(counted);
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), secret);
    }

    /// Somebody signed in: also where it is with the same credential, the service was asked since.
    pub(crate) fn count_anew(&self, id: &ServiceId) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = counted.get_mut(id) {
            last.0 += 1;
        }
    }

    /// By what a call is told that was made with this credential, or is refused for want of one.
    pub(crate) fn made_with(&self, id: &ServiceId, secret: Option<&Secret>) -> MadeWith {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        MadeWith::Numbered(match (counted.get(id), secret) {
            (None, _) => 0,
            (Some((number, last)), Some(secret)) if last != secret => number - 1,
            (Some((number, _)), _) => *number,
        })
    }

    /// Whether another credential is here than the one that a call was made with.
    pub(crate) fn is_former(&self, id: &ServiceId, credential: MadeWith) -> bool {
        match credential {
            MadeWith::Current => false,
            made_with @ MadeWith::Numbered(_) => made_with != self.made_with(id, None),
        }
    }

    pub(crate) fn forget_credential(&self, id: &ServiceId) {
        self.credentials.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Another process may have signed in since: what it keeps for all is read again.
    pub(crate) async fn read_credential_anew(self: &Arc<Self>, id: &ServiceId) {
        let service = id.clone();
        match self.blocking(move |desk| Ok(desk.secrets.get(&service).is_some())).await {
            Ok(true) => self.forget_credential(id),
            Ok(false) => {}
            Err(error) => tracing::error!(event = "credential_not_read", reason = %error),
        }
    }

    /// Notes whose the credential here is by the store, and says whose it was by what was noted.
    fn note_whose(&self, id: &ServiceId, caller: &Caller) -> Option<String> {
        let mut whose = self.whose.lock().unwrap_or_else(PoisonError::into_inner);
        whose.insert(id.clone(), caller.subject.clone())
    }

    pub(crate) fn call_about(&self, profile: &ServiceProfile) -> Call {
        let account = account_of(profile);
        let mut call = Call::about(
            account,
            crate::trace::new_trace_id(),
            crate::trace::new_span_id(),
            Arc::clone(&self.clock),
        );
        call.timeouts = self.timeouts();
        call.language = self.language();
        call
    }

    /// How long calls may take, by the numbers of this desk.
    pub(crate) fn timeouts(&self) -> Timeouts {
        Timeouts {
            connect: self.policy.connect_timeout,
            submit: self.policy.change_timeout,
            ask: self.policy.look_timeout,
            file_idle: self.policy.file_idle_timeout,
        }
    }

    /// Asks a service what it is, where that is not known yet. A service that can not be reached is
    /// asked again before the first submit.
    pub(crate) async fn learn_facts(self: &Arc<Self>, profile: &ServiceProfile, naming: Naming) {
        let began = self.clock.now();
        let end = self.connector.describe(&self.call_about(profile)).await;
        let (id, ended, result) = (profile.id.clone(), self.clock.now(), end.result);
        let kept = self
            .blocking(move |desk| {
                if desk.note_call(&id, &result, (began, ended)) {
                    desk.try_anew(&id)?;
                }
                if let AttemptResult::Described { facts } = result {
                    desk.store.update_service(&id, &mut |profile| {
                        let mut learnt = (*facts).clone();
                        if let Some(known) = &profile.facts {
                            learnt.keep_suspicion_of(known);
                        }
                        profile.facts = Some(learnt);
                        if naming == Naming::ByService && !facts.name.is_empty() {
                            profile.name = facts.name.clone();
                        }
                    })?;
                }
                Ok(())
            })
            .await;
        if let Err(error) = kept {
            tracing::error!(event = "facts_not_kept", reason = %error);
        }
    }

    pub(crate) async fn ask_catalogue(
        &self,
        profile: &ServiceProfile,
        credential: Option<Secret>,
    ) -> std::result::Result<OperationList, Box<AttemptEnd>> {
        let call = self.call_about(profile).with(credential);
        self.connector.catalogue(&call).await
    }

    /// Whose credential is here: known, or asked for now.
    pub(crate) async fn caller_of(
        self: &Arc<Self>,
        id: &ServiceId,
    ) -> std::result::Result<Caller, Box<AttemptEnd>> {
        let service = id.clone();
        let known = self.blocking(move |desk| Ok(desk.store.caller_of(&service)?)).await;
        if let Ok(Some(caller)) = known {
            let before = self.note_whose(id, &caller);
            if before.is_some_and(|before| before != caller.subject) {
                self.read_credential_anew(id).await;
            }
            return Ok(caller);
        }
        let service = id.clone();
        let read = self.blocking(move |desk| Ok(desk.store.service(&service)?)).await;
        let Ok(Some(profile)) = read else {
            return Err(Box::new(AttemptEnd {
                result: AttemptResult::NotSent {
                    reason: crate::attempt::CallReason::RequestInvalid,
                },
                http_status: None,
                service_time: None,
                phases: Vec::new(),
            }));
        };
        self.read_credential_anew(id).await;
        let credential = self.credential(id).await;
        let list = self.ask_catalogue(&profile, credential).await?;
        let caller = list.caller.clone();
        if let Err(error) = self.know_caller(id, list).await {
            tracing::error!(event = "caller_not_kept", reason = %error);
        }
        Ok(caller)
    }

    /// Writes down whose credential is here and what may be asked for, and lets go on what waited
    /// for it. Exports of another subject are held.
    pub(crate) async fn know_caller(
        self: &Arc<Self>,
        id: &ServiceId,
        list: OperationList,
    ) -> Result<()> {
        let (id, now, list) = (id.clone(), self.clock.now(), Arc::new(list));
        self.note_whose(&id, &list.caller);
        self.blocking(move |desk| {
            let caller = list.caller.clone();
            desk.store.update_service(&id, &mut |profile| {
                profile.caller = Some(caller.clone());
                profile.catalogue =
                    Some(Catalogue { operations: Arc::clone(&list), fetched_at: now });
            })?;
            desk.change_open_of(&id, &mut |record| {
                plan::meet_caller(record, &caller.subject, now);
                plan::replan(record, desk.moment());
            })?;
            desk.tell_driver();
            Ok(())
        })
        .await
    }

    /// The credential is new and nobody has said whose it is: asked before the next attempt, which
    /// is why what waited for a sign-in goes on.
    pub(crate) async fn forget_caller(self: &Arc<Self>, id: &ServiceId) -> Result<()> {
        let (id, now) = (id.clone(), self.clock.now());
        self.blocking(move |desk| {
            desk.store.update_service(&id, &mut |profile| profile.caller = None)?;
            desk.change_open_of(&id, &mut |record| {
                let holds = &record.journal.holds;
                if holds.contains(&Hold::SignIn) || holds.contains(&Hold::OtherAccount) {
                    plan::signed_in(record, now);
                }
                plan::replan(record, desk.moment());
            })?;
            desk.tell_driver();
            Ok(())
        })
        .await
    }

    /// Holds every open export of a service whose credential was refused, as long as it is the one
    /// that is here: who signs in lets go what is held, and what is held after that is no business of
    /// the credential before.
    pub(crate) fn hold_signed_out(&self, id: &ServiceId, refused: MadeWith) -> Result<()> {
        self.change_open_of(id, &mut |record| {
            if !self.is_former(id, refused) {
                record.journal.holds.insert(Hold::SignIn);
                plan::replan(record, self.moment());
            }
        })
    }
}

/// Who names a service that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    ByPerson,
    ByService,
}

/// Whose an export is that is asked for now.
pub(crate) fn account_of(profile: &ServiceProfile) -> Account {
    Account {
        service: profile.id.clone(),
        address: profile.address.clone(),
        tenant_id: profile.tenant_id.clone(),
        subject: profile.caller.as_ref().map(|caller| caller.subject.clone()),
    }
}
