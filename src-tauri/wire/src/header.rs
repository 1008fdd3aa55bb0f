//! Names of the headers that the protocol gives a meaning to, in lower case as HTTP libraries want
//! them. Standards: RFC 7240 (`prefer`), RFC 9530 (`repr-digest`), W3C Trace Context
//! (`traceparent`), draft-ietf-httpapi-idempotency-key-header, OASIS Repeatable Requests.

/// The request key, a structured-field string: in double quotes.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// `true` on an answer that repeats an earlier acceptance.
pub const IDEMPOTENCY_REPLAYED: &str = "idempotency-replayed";
/// When the key was minted, in the service's clock, as an IMF-fixdate (RFC 9110, 5.6.7).
pub const REPEATABILITY_FIRST_SENT: &str = "repeatability-first-sent";
/// SHA-256 of the whole file: `sha-256=:BASE64:`.
pub const REPR_DIGEST: &str = "repr-digest";
/// `respond-async` on a submit, `wait=N` on a poll.
pub const PREFER: &str = "prefer";
/// One trace per export, one span per attempt.
pub const TRACEPARENT: &str = "traceparent";
/// The number of the attempt within its export, for the service's log alone.
pub const DOCKET_ATTEMPT: &str = "docket-attempt";
/// The media type of every problem (RFC 9457).
pub const PROBLEM_JSON: &str = "application/problem+json";
