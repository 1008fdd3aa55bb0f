//! A click becomes an intent: the guards against a second export, and the one transaction that
//! records. Row before request.

use docket_wire::{canonical_json, first_inexact_number};

use super::Engine;
use crate::{
    delivery::Delivery,
    desk::{Desk, Result, account_of},
    error::EngineError,
    export::{ClickId, Export, ExportId, Payload, RequestKey, ServiceId},
    journal::{Journal, Turn},
    knowledge::Knowledge,
    plan::{self, Asked, CopyOf},
    record::Record,
    stage::Stage,
    store::{Against, Intent, ServiceProfile, StoreError},
    view::{CopyOffer, ErrorCode, FieldErrorView, Knowing, RequestExport, Requested},
};

/// Why nothing was recorded.
enum Guard {
    Twin(Box<Record>, CopyOffer),
    NearTwin(Box<Record>),
    /// It is to be recorded as what comes after this one, and waits for its seal.
    After(ExportId),
}

impl Engine {
    /// Records what a person asks for, unless an unsettled export stands against it. When this
    /// returns `Recorded`, the intent is on disk and will be seen through, whatever happens to this
    /// process.
    ///
    /// # Errors
    /// The service or the report is unknown here; parameters can not be sent as they are; the store
    /// can not be written: then nothing was recorded.
    pub async fn request(&self, request: RequestExport) -> Result<Requested> {
        let requested = self.desk.blocking(move |desk| desk.record(&request)).await?;
        self.desk.tell_driver();
        Ok(requested)
    }

    /// What [`Engine::request`] would say of exports that stand against this one. Records nothing.
    ///
    /// # Errors
    /// As for `request`.
    pub async fn twin(&self, request: RequestExport) -> Result<Option<Requested>> {
        self.desk
            .blocking(move |desk| {
                let profile = desk.profile(&ServiceId::from_text(request.service_id.as_str()))?;
                let payload = payload(&request)?;
                let guard = desk.store.against(&account_of(&profile), &payload, &|against| {
                    desk.guard(against, &profile, &request)
                })?;
                match guard {
                    Some(guard) => desk.held(guard),
                    None => Ok(None),
                }
            })
            .await
    }
}

impl Desk {
    fn record(&self, request: &RequestExport) -> Result<Requested> {
        let intent = match self.try_to_record(request)? {
            Intent::Held(Guard::After(before)) => self.try_to_record(&RequestExport {
                supersedes: Some(before.to_string()),
                ..request.clone()
            })?,
            intent @ (Intent::Recorded(_) | Intent::SameClick(_) | Intent::Held(_)) => intent,
        };
        match intent {
            Intent::Recorded(record) => {
                self.seal_predecessor(&record)?;
                Ok(Requested::Recorded { export: Box::new(self.publish(&record)?) })
            }
            Intent::SameClick(record) => {
                Ok(Requested::SameClick { export: Box::new(self.view(&record)?) })
            }
            Intent::Held(guard) => {
                let held = self.held(guard)?;
                held.ok_or_else(|| EngineError::internal("a successor without its predecessor"))
            }
        }
    }

    /// The service may have broken its word since its profile was read: who marks what is open has
    /// not seen this one.
    fn take_up_suspicion(
        &self,
        record: &mut Record,
        against: &Against<'_>,
    ) -> std::result::Result<(), StoreError> {
        let Some(facts) = &mut record.facts else { return Ok(()) };
        let Some(known) = against.facts()? else { return Ok(()) };
        if known.suspected != facts.suspected {
            facts.suspected = known.suspected;
            plan::replan(record, self.moment());
        }
        Ok(())
    }

    fn try_to_record(&self, request: &RequestExport) -> Result<Intent<Guard>> {
        let profile = self.profile(&ServiceId::from_text(request.service_id.as_str()))?;
        let operation = profile.catalogue.as_ref().and_then(|catalogue| {
            catalogue.operations.operations.iter().find(|op| op.operation == request.operation)
        });
        if profile.catalogue.is_some() && operation.is_none() {
            return Err(EngineError::new(
                ErrorCode::UnknownOperation,
                format!("{} has no report {} for this account.", profile.name, request.operation),
            ));
        }
        let payload = payload(request)?;
        let title = operation.map(|operation| operation.title.clone()).unwrap_or_default();
        let record = self.new_record(request, &profile, payload, title)?;
        let now = record.updated_at;
        Ok(self.store.record_intent(record, now, &|record, against| {
            self.take_up_suspicion(record, against)?;
            self.guard(against, &profile, request)
        })?)
    }

    /// None where nothing holds it.
    fn held(&self, guard: Guard) -> Result<Option<Requested>> {
        Ok(match guard {
            Guard::Twin(record, copy) => {
                Some(Requested::Twin { export: Box::new(self.view(&record)?), copy })
            }
            Guard::NearTwin(record) => {
                Some(Requested::NearTwin { export: Box::new(self.view(&record)?) })
            }
            Guard::After(_) => None,
        })
    }

    fn new_record(
        &self,
        request: &RequestExport,
        profile: &ServiceProfile,
        payload: Payload,
        title: std::collections::BTreeMap<String, String>,
    ) -> Result<Record> {
        let moment = self.moment();
        let now = moment.now;
        let body = self.connector.encode(&payload).map_err(|error| {
            EngineError::new(ErrorCode::InvalidParameters, format!("{error}: choose another."))
        })?;
        let known = profile.facts.as_ref().filter(|facts| facts.described_at <= now);
        let facts = known.filter(|facts| self.policy.are_fresh(facts, now)).cloned();
        // Never later than the service's own now: its clock is known by the last answer's Date.
        let first_sent = known.map(|facts| facts.service_time(now));
        let mut journal = Journal::new(now, first_sent);
        let supersedes = request.supersedes.as_deref().map(ExportId::from_text);
        if let Some(before) = &supersedes {
            let known = request.knowing.contains(&Knowing::Copy);
            let asked = if known { Asked::Knowingly } else { Asked::Plainly };
            journal.turn = self
                .store
                .get(before)?
                .map_or(Turn::Free, |before| plan::turn_when_recorded(&before, asked, moment));
        }
        let mut record = Record {
            export: Export {
                id: ExportId::mint(),
                request_key: RequestKey::mint(),
                click_id: ClickId::from_text(request.click_id.as_str()),
                account: account_of(profile),
                payload,
                body,
                created_at: now,
                supersedes,
                trace_id: crate::trace::new_trace_id(),
                folder: request.folder.as_ref().map(Into::into),
            },
            title,
            knowledge: Knowledge::default(),
            journal,
            delivery: Delivery::default(),
            facts,
            stage: Stage::Sending,
            next_action_at: Some(now),
            version: 0,
            updated_at: now,
        };
        plan::replan(&mut record, moment);
        Ok(record)
    }

    /// Guard 2 of lifecycle.md, read off what is known and never off the stage of a list.
    fn guard(
        &self,
        against: &Against<'_>,
        profile: &ServiceProfile,
        request: &RequestExport,
    ) -> std::result::Result<Option<Guard>, StoreError> {
        let knows = |what| request.knowing.contains(&what);
        let subject = profile.caller.as_ref().map(|caller| &caller.subject);
        let is_ours = |record: &Record| {
            let account = &record.export.account;
            // While nobody knows whose one of them is, it may be the same person's.
            let same = account.subject.as_ref().zip(subject).is_none_or(|(a, b)| a == b);
            account.tenant_id == profile.tenant_id && same
        };
        let mut before = None;
        for record in against.same()?.into_iter().filter(is_ours) {
            let copy = match plan::copy_of(&record, self.moment()) {
                CopyOf::Settled => continue,
                CopyOf::SealOwed => {
                    before = Some(record.export.id);
                    continue;
                }
                CopyOf::Unknown => CopyOffer::No,
                CopyOf::Unresolved => CopyOffer::Unresolved,
                CopyOf::JobKnown => CopyOffer::JobKnown,
            };
            if copy == CopyOffer::No || !knows(Knowing::Copy) {
                return Ok(Some(Guard::Twin(Box::new(record), copy)));
            }
            if copy == CopyOffer::Unresolved {
                before = Some(record.export.id);
            }
        }
        if !knows(Knowing::NearTwin) {
            let near = against.near(&|record| is_ours(record) && plan::may_be_under_way(record))?;
            if let Some(record) = near {
                return Ok(Some(Guard::NearTwin(Box::new(record))));
            }
        }
        Ok(before.filter(|_| request.supersedes.is_none()).map(Guard::After))
    }
}

/// The payload of a request, refused where a number would not survive it.
fn payload(request: &RequestExport) -> Result<Payload> {
    let invalid = |message: String, fields| EngineError {
        code: ErrorCode::InvalidParameters,
        message,
        fields,
    };
    let text = serde_json::to_string(&request.parameters).map_err(EngineError::internal)?;
    if let Some(number) = first_inexact_number(&text).map_err(EngineError::internal)? {
        let field = FieldErrorView { pointer: number.pointer.clone(), detail: number.to_string() };
        return Err(invalid(format!("{number}."), vec![field]));
    }
    canonical_json(&request.parameters).map_err(EngineError::internal)?;
    let made = Payload::new(
        request.operation.as_str(),
        request.parameters.clone(),
        request.format.as_str(),
    );
    made.map_err(|error| invalid(format!("{error}."), Vec::new()))
}
