//! What the end of an attempt means beyond its own export: a job that another export of ours holds,
//! a service that broke its word, a successor whose turn has come.

use std::collections::BTreeMap;

use docket_wire::Export as Job;

use crate::{
    attempt::{AttemptKind, AttemptResult, FetchEnd},
    capabilities::{ServiceFacts, Suspicion},
    desk::{Desk, Result},
    download, plan,
    record::Record,
    store::EndedAttempt,
};

/// A look by traits must not adopt a job that another export of ours holds already.
pub(super) fn ours_alone(desk: &Desk, mut end: EndedAttempt) -> Result<EndedAttempt> {
    if let AttemptResult::Listed { jobs, .. } = &mut end.end.result {
        let mut free: Vec<Job> = Vec::new();
        for job in jobs.drain(..) {
            if !desk.store.holds_job(&job.business_id, &end.export)? {
                free.push(job);
            }
        }
        *jobs = free;
    }
    Ok(end)
}

/// After the commit, before anybody is told: nothing lies beside a file that is told to be saved.
pub(super) fn tidy(ends: &[EndedAttempt]) {
    for end in ends {
        if let AttemptResult::Fetched { end: FetchEnd::Saved { path, .. } } = &end.end.result {
            download::recorded(&end.export, path);
        }
    }
}

/// After the commit.
pub(super) fn after(desk: &Desk, ends: &[EndedAttempt], records: &[Record]) -> Result<()> {
    for end in ends {
        let record = records.iter().find(|record| record.export.id == end.export);
        let Some(service) = record.map(|record| &record.export.account.service) else { continue };
        desk.note_call(service, &end.end.result, (end.started_at, end.ended_at));
    }
    for record in records {
        if let Some(facts) = &record.facts {
            let described = ends
                .iter()
                .any(|end| end.export == record.export.id && end.kind == AttemptKind::Describe);
            if described {
                keep_facts(desk, record, facts)?;
            }
        }
        if record.knowledge.is_breached() {
            suspect(desk, record)?;
        }
        desk.release_after(record)?;
        let finds = |end: &EndedAttempt| plan::finds_the_job(end.kind, &end.end.result, record);
        if ends.iter().any(|end| end.export == record.export.id && finds(end)) {
            desk.stop_copies_of(record)?;
        }
    }
    let mut signed_out = BTreeMap::new();
    for end in ends.iter().filter(|end| end.end.result.wants_sign_in()) {
        let record = records.iter().find(|record| record.export.id == end.export);
        let Some(service) = record.map(|record| &record.export.account.service) else { continue };
        if !desk.is_former(service, end.credential) {
            signed_out.insert(service, end.credential);
        }
    }
    for (service, refused) in signed_out {
        desk.hold_signed_out(service, refused)?;
    }
    Ok(())
}

/// The service showed two jobs for one key: nothing is sent again to it by itself until a check of
/// the service passes.
fn suspect(desk: &Desk, record: &Record) -> Result<()> {
    // What is asked for from now on learns it from the service's profile; whatever was asked for
    // before is among those that are open.
    if let Some(facts) = &record.facts {
        let mut facts = facts.clone();
        facts.suspected = Suspicion::KeyBreach;
        keep_facts(desk, record, &facts)?;
    }
    desk.change_open_of(&record.export.account.service, &mut |record| {
        if let Some(facts) = &mut record.facts {
            facts.suspected = Suspicion::KeyBreach;
        }
        plan::replan(record, desk.moment());
    })
}

/// What a describe learnt serves the next exports to the same service too. It is no check: what the
/// service is suspected of it still is, also for the export that asked.
fn keep_facts(desk: &Desk, record: &Record, facts: &ServiceFacts) -> Result<()> {
    let mut kept = facts.clone();
    desk.store.update_service(&record.export.account.service, &mut |profile| {
        kept = facts.clone();
        if let Some(known) = &profile.facts {
            kept.keep_suspicion_of(known);
        }
        profile.facts = Some(kept.clone());
    })?;
    if kept.suspected != facts.suspected {
        desk.change(&record.export.id, |record, _| {
            if let Some(facts) = &mut record.facts {
                facts.keep_suspicion_of(&kept);
            }
            Ok(())
        })?;
    }
    Ok(())
}
