//! The service that [`ScriptedConnector`](super::ScriptedConnector) speaks to: what it remembers, and
//! what it does for each call.

use std::collections::{BTreeMap, VecDeque};

use async_trait::async_trait;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use docket_wire::{
    Caller, Export as Job, ExportFile, JobStatus, Operation, OperationList, Problem, ProblemType,
};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::{
    attempt::{AttemptResult, CallReason, Phase},
    connector::{
        Expected, FileRefusal, FileSource, FileStream, OpenFile,
        echo::{self, Echo},
    },
    export::BusinessId,
};

/// The one operation that the memory service offers.
pub const MEMORY_OPERATION: &str = "orders";
/// The bytes of every file that it makes.
pub const MEMORY_FILE: &[u8] = b"id,amount\r\n1,2.00\r\n2,3.50\r\n3,0.99\r\n";

/// Whose call it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Who {
    pub(super) tenant_id: String,
    pub(super) subject: String,
}

/// What stands under a key.
enum Entry {
    Job(String),
    Tombstone { subject: String },
}

/// Bytes that come at once.
const PIECE_BYTES: usize = 8;

struct Pieces(VecDeque<Bytes>);

#[async_trait]
impl FileSource for Pieces {
    async fn next(&mut self) -> Result<Option<Bytes>, CallReason> {
        Ok(self.0.pop_front())
    }
}

/// Tenant, operation, key: the constraint.
type KeyName = (String, String, String);

#[derive(Default)]
pub(super) struct Memory {
    pub(super) accounts: BTreeMap<String, Who>,
    keys: BTreeMap<KeyName, Entry>,
    pub(super) jobs: BTreeMap<String, Job>,
    made: u32,
}

impl Memory {
    pub(super) fn catalogue(who: &Who) -> OperationList {
        let titles = |text: &str| BTreeMap::from([("en".to_owned(), text.to_owned())]);
        OperationList {
            caller: Caller { subject: who.subject.clone(), name: who.subject.clone() },
            operations: vec![Operation {
                operation: MEMORY_OPERATION.to_owned(),
                title: titles("Orders"),
                description: titles("All orders."),
                parameters: serde_json::json!({"type": "object"}),
                formats: vec!["csv".to_owned()],
            }],
        }
    }

    pub(super) fn submit(&mut self, who: &Who, asked: &Expected, now: Timestamp) -> AttemptResult {
        let name = key_name(who, asked);
        match self.keys.get(&name) {
            Some(Entry::Tombstone { .. }) => AttemptResult::Abandoned,
            Some(Entry::Job(id)) => match self.jobs.get(id) {
                Some(job)
                    if job.payload_hash == asked.payload_hash
                        && job.requested_by == who.subject =>
                {
                    found(asked, job)
                }
                Some(_) | None => refused(ProblemType::KeyConflict),
            },
            None => {
                self.made += 1;
                let id = format!("J-{}", self.made);
                let job = new_job(&id, who, asked, now);
                self.keys.insert(name, Entry::Job(id.clone()));
                let result = found(asked, &job);
                self.jobs.insert(id, job);
                result
            }
        }
    }

    pub(super) fn look_by_key(&self, who: &Who, asked: &Expected, now: Timestamp) -> AttemptResult {
        match self.keys.get(&key_name(who, asked)) {
            Some(Entry::Tombstone { subject }) if *subject == who.subject => {
                AttemptResult::Abandoned
            }
            Some(Entry::Job(id)) => self.look_by_id(who, asked, &BusinessId::from_text(id), now),
            Some(Entry::Tombstone { .. }) | None => AttemptResult::NotSeen { as_of: now },
        }
    }

    pub(super) fn look_by_id(
        &self,
        who: &Who,
        asked: &Expected,
        id: &BusinessId,
        now: Timestamp,
    ) -> AttemptResult {
        match self.seen_by(who, id) {
            Some(job) => found(asked, job),
            None => AttemptResult::NotSeen { as_of: now },
        }
    }

    pub(super) fn look_by_traits(
        &self,
        who: &Who,
        asked: &Expected,
        created: (Timestamp, Timestamp),
        now: Timestamp,
    ) -> AttemptResult {
        let jobs: Vec<Job> = self
            .jobs
            .values()
            .filter(|job| job.tenant_id == who.tenant_id && job.requested_by == who.subject)
            .filter(|job| (created.0..=created.1).contains(&job.created_at))
            .filter(|job| echo::of_job(asked, job) == Echo::Ours)
            .cloned()
            .collect();
        if jobs.is_empty() {
            AttemptResult::NotSeen { as_of: now }
        } else {
            AttemptResult::Listed { jobs, as_of: now }
        }
    }

    pub(super) fn abandon(&mut self, who: &Who, asked: &Expected) -> AttemptResult {
        let name = key_name(who, asked);
        match self.keys.get(&name) {
            Some(Entry::Job(id)) => match self.seen_by(who, &BusinessId::from_text(id)) {
                Some(job) => found(asked, job),
                None => refused(ProblemType::KeyConflict),
            },
            Some(Entry::Tombstone { subject }) if *subject == who.subject => {
                AttemptResult::Abandoned
            }
            Some(Entry::Tombstone { .. }) => refused(ProblemType::KeyConflict),
            None => {
                self.keys.insert(name, Entry::Tombstone { subject: who.subject.clone() });
                AttemptResult::Abandoned
            }
        }
    }

    pub(super) fn cancel(
        &mut self,
        who: &Who,
        asked: &Expected,
        id: &BusinessId,
        now: Timestamp,
    ) -> AttemptResult {
        match self.seen_by(who, id).map(|job| job.status.is_settled()) {
            None => AttemptResult::NotSeen { as_of: now },
            Some(true) => AttemptResult::NotCancellable,
            Some(false) => {
                self.set(id, JobStatus::Cancelled, now);
                self.look_by_id(who, asked, id, now)
            }
        }
    }

    /// A poll finds the job one step further.
    pub(super) fn poll(
        &mut self,
        who: &Who,
        asked: &Expected,
        id: &BusinessId,
        now: Timestamp,
    ) -> AttemptResult {
        let next = match self.seen_by(who, id).map(|job| &job.status) {
            Some(JobStatus::Queued) => Some(JobStatus::Running),
            Some(JobStatus::Running) => Some(JobStatus::Succeeded),
            Some(
                JobStatus::Succeeded
                | JobStatus::Failed
                | JobStatus::Cancelled
                | JobStatus::Expired
                | JobStatus::Unknown(_),
            )
            | None => None,
        };
        if let Some(next) = next {
            self.set(id, next, now);
        }
        self.look_by_id(who, asked, id, now)
    }

    /// Changes a job's status, as its work would.
    pub(super) fn set(&mut self, id: &BusinessId, status: JobStatus, now: Timestamp) {
        if let Some(job) = self.jobs.get_mut(id.as_str()) {
            job.file = (status == JobStatus::Succeeded).then(|| file_of(id));
            job.status = status;
            job.revision += 1;
            job.updated_at = now;
        }
    }

    /// The file of a job, from where it is wanted.
    pub(super) fn file(&self, who: &Who, open: &OpenFile) -> Result<FileStream, FileRefusal> {
        let job = self.seen_by(who, &open.job);
        if job.is_some_and(|job| job.status == JobStatus::Expired) {
            return Err(FileRefusal::Gone);
        }
        if job.is_none_or(|job| job.file.is_none()) {
            return Err(FileRefusal::Call { reason: CallReason::ServiceError });
        }
        let etag = "\"memory\"".to_owned();
        let same = open.if_range.as_ref() == Some(&etag);
        let from = if same { usize::try_from(open.from).unwrap_or(usize::MAX) } else { 0 };
        let rest = MEMORY_FILE.get(from..).filter(|rest| !rest.is_empty());
        let rest = rest.ok_or(FileRefusal::NoSuchRange)?;
        let pieces = rest.chunks(PIECE_BYTES).map(Bytes::from_static).collect();
        Ok(FileStream {
            from: from as u64,
            size: Some(MEMORY_FILE.len() as u64),
            etag: Some(etag),
            digest: Some(Sha256::digest(MEMORY_FILE).into()),
            source: Box::new(Pieces(pieces)),
        })
    }

    /// A job that the caller may see.
    pub(super) fn seen_by(&self, who: &Who, id: &BusinessId) -> Option<&Job> {
        let job = self.jobs.get(id.as_str())?;
        (job.tenant_id == who.tenant_id && job.requested_by == who.subject).then_some(job)
    }
}

fn key_name(who: &Who, asked: &Expected) -> KeyName {
    (who.tenant_id.clone(), asked.operation.clone(), asked.request_key.to_string())
}

fn found(asked: &Expected, job: &Job) -> AttemptResult {
    match echo::of_job(asked, job) {
        Echo::Ours => AttemptResult::Found { job: Box::new(job.clone()) },
        Echo::NotOurs => {
            AttemptResult::Lost { phase: Phase::Decode, reason: CallReason::Mismatched, hint: None }
        }
    }
}

fn refused(problem_type: ProblemType) -> AttemptResult {
    AttemptResult::Refused { problem: Box::new(Problem::new(problem_type)) }
}

fn new_job(id: &str, who: &Who, asked: &Expected, now: Timestamp) -> Job {
    Job {
        business_id: id.to_owned(),
        tenant_id: who.tenant_id.clone(),
        operation: asked.operation.clone(),
        request_key: Some(asked.request_key.to_string()),
        payload_hash: asked.payload_hash,
        requested_by: who.subject.clone(),
        status: JobStatus::Queued,
        progress: None,
        service_epoch: 1,
        revision: 1,
        created_at: now,
        updated_at: now,
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
    }
}

fn file_of(id: &BusinessId) -> ExportFile {
    ExportFile {
        name: format!("{MEMORY_OPERATION}.csv"),
        size: MEMORY_FILE.len() as u64,
        media_type: "text/csv".to_owned(),
        digest: Some(format!("sha-256=:{}:", STANDARD.encode(Sha256::digest(MEMORY_FILE)))),
        href: format!("/v1/exports/{id}/file"),
    }
}
