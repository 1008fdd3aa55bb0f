//! What every connector passes, whatever its dialect: one call for each connector.
//!
//! The suite speaks to a service that works, through the trait alone, and holds the connector to what
//! the engine relies on: pure bytes, honest phases, the same job for the same key, nothing adopted
//! that is not ours, a file that is the same in parts. What faults prove is each dialect's own, in its
//! own tests.

use std::{sync::Arc, time::Duration};

use docket_wire::{Export as Job, ExportFile, JobStatus, ProblemType};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{
    Call, Connector, Expected, FileStream, OpenFile, PhaseRecorder, Submit, Target, Timeouts,
    sha256_of_digest,
};
use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason, DeferUntil, Phase},
    capabilities::ServiceFacts,
    clock::Clock,
    export::{Account, BusinessId, Payload, RequestKey},
    secret::Secret,
};

/// How often a job is asked about until it has to be done.
const POLLS_MAX: u32 = 120;
/// How long the service may hold the answer to one of these.
const POLL_WAIT: Duration = Duration::from_secs(1);

/// A connector, and a service that it can speak to.
pub struct Rig {
    /// The connector.
    pub connector: Arc<dyn Connector>,
    /// This computer's clock.
    pub clock: Arc<dyn Clock>,
    /// Whose calls these are; the subject is the credential's.
    pub account: Account,
    /// A credential that the service takes.
    pub credential: Secret,
    /// A credential that it does not take.
    pub wrong_credential: Secret,
    /// A payload whose job succeeds and makes a file of more than one byte.
    pub payload: Payload,
    /// Another payload of the same operation.
    pub other_payload: Payload,
    /// Makes keys that nobody used.
    pub new_key: fn() -> RequestKey,
}

/// A rule that a connector does not keep.
#[derive(Debug, Error)]
#[error("{rule}: {got}")]
pub struct Breach {
    /// The rule.
    pub rule: &'static str,
    /// What came instead.
    pub got: String,
}

/// Holds a connector to every rule.
///
/// # Errors
/// The first rule that it does not keep.
pub async fn run(rig: &Rig) -> Result<(), Breach> {
    encoding_is_pure(rig)?;
    let facts = a_service_is_described(rig).await?;
    a_credential_is_needed_and_looked_at(rig).await?;
    let (key, job) = one_key_is_one_job(rig, &facts).await?;
    looks_find_the_job(rig, &facts, &key, &job).await?;
    nothing_is_found_that_is_not_there(rig, &facts).await?;
    an_abandoned_key_never_runs(rig, &facts).await?;
    let file = a_job_comes_to_its_end(rig, &facts, &key, &job).await?;
    a_file_is_the_same_in_parts(rig, &key, &job, &file).await
}

impl Rig {
    fn call(&self, key: &RequestKey, payload: &Payload) -> Call {
        Call {
            account: self.account.clone(),
            credential: Some(self.credential.clone()),
            trace_id: "0af7651916cd43dd8448eb211c80319c".to_owned(),
            span_id: "b7ad6b7169203331".to_owned(),
            attempt_no: 1,
            expected: Some(Expected {
                request_key: key.clone(),
                operation: payload.operation().to_owned(),
                payload_hash: payload.hash(),
                tenant_id: self.account.tenant_id.clone(),
                subject: self.account.subject.clone(),
            }),
            progress: PhaseRecorder::new(self.clock.clone()),
            timeouts: Timeouts::default(),
            language: None,
        }
    }

    async fn submit(
        &self,
        facts: &ServiceFacts,
        key: &RequestKey,
        payload: &Payload,
    ) -> Result<AttemptEnd, Breach> {
        let call = self.call(key, payload);
        let body = self.connector.encode(payload).map_err(|error| Breach {
            rule: "the payload can be encoded",
            got: error.to_string(),
        })?;
        let end =
            self.connector.submit(&call, &Submit { body, first_sent: first_sent(facts) }).await;
        phases_are_honest(&call, &end)?;
        Ok(end)
    }
}

fn holds(
    rule: &'static str,
    kept: impl Into<Kept>,
    got: impl std::fmt::Debug,
) -> Result<(), Breach> {
    match kept.into() {
        Kept::Yes => Ok(()),
        Kept::No => Err(Breach { rule, got: format!("{got:?}") }),
    }
}

enum Kept {
    Yes,
    No,
}

impl From<bool> for Kept {
    fn from(kept: bool) -> Self {
        if kept { Self::Yes } else { Self::No }
    }
}

fn first_sent(facts: &ServiceFacts) -> Timestamp {
    facts.service_time(facts.described_at)
}

fn found(rule: &'static str, end: AttemptEnd) -> Result<Job, Breach> {
    match end.result {
        AttemptResult::Found { job } => Ok(*job),
        got @ (AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. }) => Err(Breach { rule, got: format!("{got:?}") }),
    }
}

/// Phases come in order and each once; an answer is one of a call that crossed the boundary.
fn phases_are_honest(call: &Call, end: &AttemptEnd) -> Result<(), Breach> {
    let ordered = end
        .phases
        .windows(2)
        .all(|pair| pair[0].phase < pair[1].phase && pair[0].at_ms <= pair[1].at_ms);
    holds("phases come in order, each once", ordered, &end.phases)?;
    let sent = end.phases.iter().any(|mark| mark.phase == Phase::Send);
    holds("an answered call crossed the boundary", sent && call.progress.has_crossed(), &end.phases)
}

fn encoding_is_pure(rig: &Rig) -> Result<(), Breach> {
    let (one, two) = (rig.connector.encode(&rig.payload), rig.connector.encode(&rig.payload));
    holds("the same payload has the same bytes", one.is_ok() && one == two, (&one, &two))?;
    let other = rig.connector.encode(&rig.other_payload);
    holds("another payload has other bytes", one != other, &one)
}

async fn a_service_is_described(rig: &Rig) -> Result<ServiceFacts, Breach> {
    let call = rig.call(&(rig.new_key)(), &rig.payload).with(None);
    let end = rig.connector.describe(&call).await;
    let AttemptResult::Described { facts } = end.result else {
        return Err(Breach { rule: "a service is described", got: format!("{:?}", end.result) });
    };
    let list = rig.connector.catalogue(&rig.call(&(rig.new_key)(), &rig.payload)).await;
    let list = list.map_err(|end| Breach {
        rule: "a caller has a catalogue",
        got: format!("{:?}", end.result),
    })?;
    let known = rig.account.subject.as_deref() == Some(list.caller.subject.as_str());
    holds("the catalogue says who is calling", known, &list.caller)?;
    let offered = list.operations.iter().any(|one| one.operation == rig.payload.operation());
    holds("the catalogue offers the operation", offered, list.operations.len())?;
    Ok(*facts)
}

async fn a_credential_is_needed_and_looked_at(rig: &Rig) -> Result<(), Breach> {
    let submit = Submit { body: rig.payload.canonical().to_vec(), first_sent: rig.clock.now() };
    let call = rig.call(&(rig.new_key)(), &rig.payload).with(None);
    let end = rig.connector.submit(&call, &submit).await;
    let none = AttemptResult::NotSent { reason: CallReason::NoCredential };
    holds("nothing is sent without a credential", end.result == none, &end.result)?;
    holds("nor can it be any more", call.progress.cross().is_err(), call.progress.boundary())?;
    let call = rig.call(&(rig.new_key)(), &rig.payload).with(Some(rig.wrong_credential.clone()));
    let end = rig.connector.submit(&call, &submit).await;
    let sign_in = AttemptResult::Deferred { until: DeferUntil::SignIn };
    holds("a wrong credential waits for sign-in", end.result == sign_in, &end.result)
}

async fn one_key_is_one_job(rig: &Rig, facts: &ServiceFacts) -> Result<(RequestKey, Job), Breach> {
    let key = (rig.new_key)();
    let first = found("a submit is accepted", rig.submit(facts, &key, &rig.payload).await?)?;
    let again =
        found("a repeated submit is answered", rig.submit(facts, &key, &rig.payload).await?)?;
    let same = first.business_id == again.business_id;
    holds("one key is one job", same, (&first.business_id, &again.business_id))?;
    let end = rig.submit(facts, &key, &rig.other_payload).await?;
    let conflict = matches!(&end.result, AttemptResult::Refused { problem }
        if problem.problem_type == ProblemType::KeyConflict);
    holds("a key is not used for another payload", conflict, &end.result)?;
    let other =
        found("another key is accepted", rig.submit(facts, &(rig.new_key)(), &rig.payload).await?)?;
    let apart = first.business_id != other.business_id;
    holds("two keys are two jobs", apart, &other.business_id)?;
    Ok((key, first))
}

async fn looks_find_the_job(
    rig: &Rig,
    facts: &ServiceFacts,
    key: &RequestKey,
    job: &Job,
) -> Result<(), Breach> {
    let mut targets = vec![Target::Job(BusinessId::from_text(&job.business_id))];
    if facts.capabilities.lookup_by_key {
        targets.push(Target::Key { first_sent: first_sent(facts) });
    }
    for target in targets {
        let call = rig.call(key, &rig.payload);
        let seen = found("a look finds the job", rig.connector.lookup(&call, &target).await)?;
        holds("it is the same job", seen.business_id == job.business_id, &target)?;
        let foreign = rig.call(key, &rig.other_payload);
        let end = rig.connector.lookup(&foreign, &target).await;
        let mismatched = matches!(
            end.result,
            AttemptResult::Lost { reason: CallReason::Mismatched, hint: None, .. }
        );
        holds("an answer about another payload is not adopted", mismatched, &end.result)?;
    }
    if facts.capabilities.lookup_by_traits {
        let (created_after, created_before) = (job.created_at, job.created_at);
        let call = rig.call(key, &rig.payload);
        let traits = Target::Traits { created_after, created_before };
        let end = rig.connector.lookup(&call, &traits).await;
        let listed = matches!(&end.result, AttemptResult::Listed { jobs, .. }
            if jobs.iter().any(|found| found.business_id == job.business_id));
        holds("a look by traits lists the job", listed, &end.result)?;
    }
    Ok(())
}

async fn nothing_is_found_that_is_not_there(rig: &Rig, facts: &ServiceFacts) -> Result<(), Breach> {
    let mut targets = vec![Target::Job(BusinessId::from_text("no-such-job"))];
    if facts.capabilities.lookup_by_key {
        targets.push(Target::Key { first_sent: first_sent(facts) });
    }
    for target in targets {
        let call = rig.call(&(rig.new_key)(), &rig.payload);
        let end = rig.connector.lookup(&call, &target).await;
        let not_seen = matches!(end.result, AttemptResult::NotSeen { .. });
        holds("what is not there is not seen", not_seen, (&target, &end.result))?;
    }
    Ok(())
}

async fn an_abandoned_key_never_runs(rig: &Rig, facts: &ServiceFacts) -> Result<(), Breach> {
    if !facts.capabilities.abandon {
        return Ok(());
    }
    let key = (rig.new_key)();
    for _ in 0..2 {
        let call = rig.call(&key, &rig.payload);
        let end = rig.connector.abandon(&call, first_sent(facts)).await;
        let abandoned = end.result == AttemptResult::Abandoned;
        holds("an unused key can be abandoned, twice", abandoned, &end.result)?;
        phases_are_honest(&call, &end)?;
    }
    let end = rig.submit(facts, &key, &rig.payload).await?;
    let abandoned = end.result == AttemptResult::Abandoned;
    holds("an abandoned key never runs", abandoned, &end.result)?;
    if facts.capabilities.lookup_by_key {
        let target = Target::Key { first_sent: first_sent(facts) };
        let end = rig.connector.lookup(&rig.call(&key, &rig.payload), &target).await;
        let abandoned = end.result == AttemptResult::Abandoned;
        holds("a look says that a key is abandoned", abandoned, &end.result)?;
    }
    Ok(())
}

async fn a_job_comes_to_its_end(
    rig: &Rig,
    facts: &ServiceFacts,
    key: &RequestKey,
    job: &Job,
) -> Result<ExportFile, Breach> {
    let id = BusinessId::from_text(&job.business_id);
    let mut last = job.clone();
    for _ in 0..POLLS_MAX {
        if last.status.is_settled() {
            break;
        }
        let end = rig.connector.poll(&rig.call(key, &rig.payload), &id, Some(POLL_WAIT)).await;
        let next = found("a poll is answered", end)?;
        let grew = next.revision >= last.revision;
        holds("revisions do not go back", grew, (last.revision, next.revision))?;
        last = next;
    }
    holds("a job comes to its end", last.status == JobStatus::Succeeded, &last.status)?;
    if facts.capabilities.cancel {
        let end = rig.connector.cancel(&rig.call(key, &rig.payload), &id).await;
        let late = end.result == AttemptResult::NotCancellable;
        holds("a job that has ended is not cancelled", late, &end.result)?;
    }
    if facts.capabilities.abandon {
        let call = rig.call(key, &rig.payload);
        let end = rig.connector.abandon(&call, first_sent(facts)).await;
        let seen = found("an abandon that comes too late shows the job", end)?;
        holds("it is the same job", seen.business_id == job.business_id, &seen.business_id)?;
    }
    last.file
        .ok_or_else(|| Breach { rule: "a job that succeeded has a file", got: "none".to_owned() })
}

async fn a_file_is_the_same_in_parts(
    rig: &Rig,
    key: &RequestKey,
    job: &Job,
    file: &ExportFile,
) -> Result<(), Breach> {
    let open = OpenFile {
        job: BusinessId::from_text(&job.business_id),
        href: file.href.clone(),
        media_type: file.media_type.clone(),
        from: 0,
        if_range: None,
    };
    let opened = rig.connector.open_file(&rig.call(key, &rig.payload), &open).await.opened;
    let whole = opened.map_err(|refusal| refused("a file can be opened", refusal))?;
    holds("a whole file begins at its first byte", whole.from == 0, whole.from)?;
    let (etag, announced) = (whole.etag.clone(), whole.digest);
    let bytes = read(whole).await?;
    holds("a file has its size", bytes.len() as u64 == file.size, bytes.len())?;
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    for said in [announced, file.digest.as_deref().and_then(sha256_of_digest)].into_iter().flatten()
    {
        holds("a file has its digest", said == digest, hex::encode(digest))?;
    }
    let from = file.size / 2;
    let (Some(tag), 1..) = (etag, from) else { return Ok(()) };
    let open = OpenFile { from, if_range: Some(tag), ..open };
    let opened = rig.connector.open_file(&rig.call(key, &rig.payload), &open).await.opened;
    let rest = opened.map_err(|refusal| refused("the rest of a file can be opened", refusal))?;
    let at = usize::try_from(rest.from).unwrap_or(usize::MAX);
    holds("a range begins where it was asked for, or at 0", at == 0 || rest.from == from, at)?;
    let rest = read(rest).await?;
    holds("a file is the same in parts", bytes.get(at..) == Some(rest.as_slice()), rest.len())
}

fn refused(rule: &'static str, refusal: super::FileRefusal) -> Breach {
    Breach { rule, got: format!("{refusal:?}") }
}

async fn read(mut stream: FileStream) -> Result<Vec<u8>, Breach> {
    let mut bytes = Vec::new();
    loop {
        match stream.source.next().await {
            Ok(Some(piece)) => bytes.extend_from_slice(&piece),
            Ok(None) => return Ok(bytes),
            Err(reason) => {
                return Err(Breach { rule: "a file comes whole", got: reason.to_string() });
            }
        }
    }
}
