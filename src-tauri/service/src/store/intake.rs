//! The verbs that decide about a key: submit, abandon, look. They touch both tables in one
//! transaction; `request_record`'s primary key settles every race, never a look before the write.

use jiff::Timestamp;
use rusqlite::{Connection, Transaction};

use super::{
    StoreError,
    export_job::{self, Job},
    open_jobs,
    request_record::{self, Held, Record},
};

pub(crate) use super::request_record::KeyName;

/// A key with what belongs to it for life.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: KeyName,
    /// When it was minted, in the service's clock.
    pub(crate) first_sent: Timestamp,
}

/// What the store knows of a key.
#[derive(Clone, Debug)]
pub(crate) enum KeyKnowledge {
    /// There is a job under it.
    Present(Box<Job>),
    /// There never will be; `subject` said so.
    Abandoned { subject: String },
    /// No row: never seen, or forgotten.
    Unknown,
}

/// What became of a submit.
#[derive(Clone, Debug)]
pub(crate) enum Submitted {
    /// The job is new.
    Created(Box<Job>),
    /// Somebody holds the key already: see what it is, and answer like a replay.
    Held(KeyKnowledge),
}

/// How a submit treats its key.
#[derive(Clone, Debug)]
pub(crate) enum KeyUse {
    /// One job for one key, whoever comes first.
    Once(Key),
    /// A service without idempotent submits: the key is remembered for look-ups and refused once it
    /// was abandoned, but each submit makes a job.
    Noted(Key),
    /// The key means nothing here.
    Ignored,
}

/// What a key is. The answer is as old as the read; it proves nothing about a later write.
pub(crate) fn look(connection: &Connection, key: &KeyName) -> Result<KeyKnowledge, StoreError> {
    let Some(record) = request_record::find(connection, key)? else {
        return Ok(KeyKnowledge::Unknown);
    };
    match record.held {
        Held::Abandoned => Ok(KeyKnowledge::Abandoned { subject: record.subject }),
        Held::Present { business_id, .. } => {
            let job = export_job::find(connection, &key.tenant_id, &business_id)?;
            // The table's foreign key keeps the job while its record is there.
            Ok(job.map_or(KeyKnowledge::Unknown, |job| KeyKnowledge::Present(Box::new(job))))
        }
    }
}

/// Creates the job and its record together, or neither.
///
/// # Errors
/// `Full` where there is no room; the roll-back takes the claim away: a refusal leaves no record.
pub(crate) fn submit(
    tx: &Transaction<'_>,
    key: &KeyUse,
    mut job: Job,
    max_open_jobs: u64,
) -> Result<Submitted, StoreError> {
    match key {
        KeyUse::Once(key) => {
            if !claim(tx, key, &job)? {
                return Ok(Submitted::Held(look(tx, &key.name)?));
            }
        }
        KeyUse::Noted(key) => {
            if !claim(tx, key, &job)?
                && let held @ KeyKnowledge::Abandoned { .. } = look(tx, &key.name)?
            {
                return Ok(Submitted::Held(held));
            }
        }
        KeyUse::Ignored => {}
    }
    if open_jobs::all(tx)? >= max_open_jobs {
        return Err(StoreError::Full);
    }
    if let Some(progress) = &mut job.progress {
        progress.ahead = Some(open_jobs::queued_of(tx, &job.tenant_id)?);
    }
    export_job::insert(tx, &job)?;
    Ok(Submitted::Created(Box::new(job)))
}

fn claim(tx: &Transaction<'_>, key: &Key, job: &Job) -> Result<bool, StoreError> {
    let record = Record {
        subject: job.requested_by.clone(),
        held: Held::Present {
            payload_hash: job.payload_hash.to_string(),
            business_id: job.business_id.clone(),
        },
    };
    Ok(request_record::insert(tx, &key.name, &record, key.first_sent, job.created_at)?)
}

/// Makes sure that no job ever comes under the key, unless one is there. A key whose First-Sent lies
/// before `remembers_since` may have been forgotten: it gets no tombstone and stays unknown.
pub(crate) fn abandon(
    tx: &Transaction<'_>,
    key: &Key,
    subject: &str,
    remembers_since: Timestamp,
    now: Timestamp,
) -> Result<KeyKnowledge, StoreError> {
    let known = look(tx, &key.name)?;
    match known {
        KeyKnowledge::Present(_) | KeyKnowledge::Abandoned { .. } => Ok(known),
        KeyKnowledge::Unknown if key.first_sent < remembers_since => Ok(known),
        KeyKnowledge::Unknown => {
            let tombstone = Record { subject: subject.to_owned(), held: Held::Abandoned };
            request_record::insert(tx, &key.name, &tombstone, key.first_sent, now)?;
            look(tx, &key.name)
        }
    }
}
