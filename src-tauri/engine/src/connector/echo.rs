//! Whether an answer is about what was asked: the key, the operation, the payload, the tenant and
//! the requester, as they come back. Whatever differs is evidence and never adopted.

use docket_wire::Export as Job;

use super::Expected;

/// How an answer stands to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Echo {
    /// It is ours.
    Ours,
    /// It is somebody else's, or something else.
    NotOurs,
}

/// Holds a job against what is expected. A resource without a key comes from a service that takes
/// none: then every trait has to be ours, as it has to be anyway. The requester is left out while
/// nobody knows whose credential this is.
pub(super) fn of_job(expected: &Expected, job: &Job) -> Echo {
    let key = job.request_key.as_deref().is_none_or(|key| key == expected.request_key.as_str());
    let subject = expected.subject.as_deref().is_none_or(|subject| subject == job.requested_by);
    let traits = job.operation == expected.operation
        && job.payload_hash == expected.payload_hash
        && job.tenant_id == expected.tenant_id;
    if key && subject && traits { Echo::Ours } else { Echo::NotOurs }
}
