//! `export_job`: the rows that the export resource is read from.
//!
//! What must stay true: whatever a caller can see of a job changes only together with `revision`,
//! so two answers with one epoch and one revision are the same answer.

use docket_wire::{Export, ExportFile, JobStatus, PayloadHash, Problem, Progress};
use jiff::Timestamp;
use rusqlite::{
    Connection, OptionalExtension, Row, Transaction, named_params, params, types::Type,
};

use super::{StoreError, count, integer, millis, timestamp};

/// Jobs that a list by traits names at most. Two of them are as ambiguous as a thousand.
const LIST_LIMIT: u32 = 500;

/// What a job is, whoever asks.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) business_id: String,
    pub(crate) tenant_id: String,
    pub(crate) operation: String,
    pub(crate) request_key: Option<String>,
    pub(crate) payload_hash: PayloadHash,
    pub(crate) requested_by: String,
    /// Canonical JSON of the parameters alone.
    pub(crate) parameters: String,
    pub(crate) format: String,
    /// Whom the step and the warnings speak to.
    pub(crate) language: String,
    pub(crate) status: JobStatus,
    pub(crate) revision: u64,
    pub(crate) progress: Option<Progress>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) file: Option<StoredFile>,
    pub(crate) problem: Option<Problem>,
    pub(crate) warnings: Vec<String>,
    pub(crate) cancel_requested: bool,
}

/// A finished file, as its row knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredFile {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) media_type: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub(crate) sha256: String,
}

/// What a list asks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) operation: Option<String>,
    pub(crate) payload_hash: Option<PayloadHash>,
    pub(crate) requested_by: Option<String>,
    pub(crate) created_after: Option<Timestamp>,
    pub(crate) created_before: Option<Timestamp>,
}

impl Job {
    /// The resource as it travels.
    pub(crate) fn to_export(&self, service_epoch: u64) -> Export {
        Export {
            business_id: self.business_id.clone(),
            tenant_id: self.tenant_id.clone(),
            operation: self.operation.clone(),
            request_key: self.request_key.clone(),
            payload_hash: self.payload_hash,
            requested_by: self.requested_by.clone(),
            status: self.status.clone(),
            progress: self.progress.clone(),
            service_epoch,
            revision: self.revision,
            created_at: self.created_at,
            updated_at: self.updated_at,
            expires_at: self.expires_at,
            file: self.file.as_ref().map(|file| ExportFile {
                name: file.name.clone(),
                size: file.size,
                media_type: file.media_type.clone(),
                digest: Some(crate::files::repr_digest(&file.sha256)),
                href: format!(
                    "/v1/tenants/{}/exports/{}/file",
                    crate::http::path_segment(&self.tenant_id),
                    self.business_id
                ),
            }),
            problem: self.problem.clone(),
            warnings: self.warnings.clone(),
        }
    }
}

pub(super) const COLUMNS: &str = "business_id, tenant_id, operation, request_key, payload_hash,
    requested_by, parameters, format, language, status, revision, queue_ahead, progress_done,
    progress_total, progress_step, created_at, updated_at, expires_at, file_name, file_size,
    file_media_type, file_sha256, problem, warnings, cancel_requested";

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Job> {
    let status: String = row.get("status")?;
    Ok(Job {
        business_id: row.get("business_id")?,
        tenant_id: row.get("tenant_id")?,
        operation: row.get("operation")?,
        request_key: row.get("request_key")?,
        payload_hash: hash(row)?,
        requested_by: row.get("requested_by")?,
        parameters: row.get("parameters")?,
        format: row.get("format")?,
        language: row.get("language")?,
        status: status.parse().unwrap_or_else(|never: std::convert::Infallible| match never {}),
        revision: count(row.get("revision")?),
        progress: progress(row)?,
        created_at: timestamp(row.get("created_at")?),
        updated_at: timestamp(row.get("updated_at")?),
        expires_at: row.get::<_, Option<i64>>("expires_at")?.map(timestamp),
        file: file(row)?,
        problem: json(row, "problem")?,
        warnings: json(row, "warnings")?.unwrap_or_default(),
        cancel_requested: row.get("cancel_requested")?,
    })
}

fn hash(row: &Row<'_>) -> rusqlite::Result<PayloadHash> {
    row.get::<_, String>("payload_hash")?
        .parse()
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(4, Type::Text, Box::new(error)))
}

fn progress(row: &Row<'_>) -> rusqlite::Result<Option<Progress>> {
    let ahead = row.get::<_, Option<i64>>("queue_ahead")?.map(count);
    let done = row.get::<_, Option<i64>>("progress_done")?.map(count);
    Ok((ahead.is_some() || done.is_some()).then_some(Progress {
        done: done.unwrap_or(0),
        total: row.get::<_, Option<i64>>("progress_total")?.map(count),
        unit: "rows".to_owned(),
        step: row.get("progress_step")?,
        ahead,
    }))
}

fn file(row: &Row<'_>) -> rusqlite::Result<Option<StoredFile>> {
    let Some(name) = row.get("file_name")? else { return Ok(None) };
    Ok(Some(StoredFile {
        name,
        size: count(row.get("file_size")?),
        media_type: row.get("file_media_type")?,
        sha256: row.get("file_sha256")?,
    }))
}

fn json<T: serde::de::DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(column)?;
    text.map(|text| serde_json::from_str(&text))
        .transpose()
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error)))
}

pub(super) fn insert(tx: &Transaction<'_>, job: &Job) -> Result<(), StoreError> {
    tx.prepare_cached(
        "INSERT INTO export_job (business_id, tenant_id, operation, request_key, payload_hash,
             requested_by, parameters, format, language, status, revision, queue_ahead, created_at,
             updated_at)
         VALUES (:id, :tenant, :operation, :key, :hash, :subject, :parameters, :format, :language,
             :status, :revision, :ahead, :now, :now)",
    )?
    .execute(named_params! {
        ":id": job.business_id,
        ":tenant": job.tenant_id,
        ":operation": job.operation,
        ":key": job.request_key,
        ":hash": job.payload_hash.to_string(),
        ":subject": job.requested_by,
        ":parameters": job.parameters,
        ":format": job.format,
        ":language": job.language,
        ":status": job.status.as_str(),
        ":revision": integer(job.revision),
        ":ahead": job.progress.as_ref().and_then(|progress| progress.ahead).map(integer),
        ":now": millis(job.created_at),
    })?;
    Ok(())
}

/// One job of a tenant.
pub(crate) fn find(
    connection: &Connection,
    tenant_id: &str,
    business_id: &str,
) -> Result<Option<Job>, StoreError> {
    let job = connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM export_job WHERE business_id = ?1 AND tenant_id = ?2"
        ))?
        .query_row(params![business_id, tenant_id], read)
        .optional()?;
    Ok(job)
}

/// The jobs of a tenant that have these traits, oldest first.
pub(crate) fn list(
    connection: &Connection,
    tenant_id: &str,
    traits: &Traits,
) -> Result<Vec<Job>, StoreError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM export_job
         WHERE tenant_id = :tenant
           AND (:operation IS NULL OR operation = :operation)
           AND (:hash IS NULL OR payload_hash = :hash)
           AND (:subject IS NULL OR requested_by = :subject)
           AND (:after IS NULL OR created_at >= :after)
           AND (:before IS NULL OR created_at <= :before)
         ORDER BY created_at, business_id LIMIT {LIST_LIMIT}"
    ))?;
    let jobs = statement.query_map(
        named_params! {
            ":tenant": tenant_id,
            ":operation": traits.operation,
            ":hash": traits.payload_hash.map(|hash| hash.to_string()),
            ":subject": traits.requested_by,
            ":after": traits.created_after.map(millis),
            ":before": traits.created_before.map(millis),
        },
        read,
    )?;
    Ok(jobs.collect::<Result<_, _>>()?)
}

/// Says that a job's file is gone.
pub(crate) fn expire(
    tx: &Transaction<'_>,
    business_id: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    tx.prepare_cached(
        "UPDATE export_job SET status = 'expired', revision = revision + 1, updated_at = ?2
         WHERE business_id = ?1 AND status = 'succeeded'",
    )?
    .execute(params![business_id, millis(now)])?;
    Ok(())
}
