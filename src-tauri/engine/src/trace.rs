//! Ids of W3C Trace Context: one trace per export, one span per attempt.

use uuid::Uuid;

/// A new trace id: 32 hexadecimal digits, never all zero.
#[expect(clippy::disallowed_methods, reason = "the one place that makes trace ids")]
pub fn new_trace_id() -> String {
    Uuid::new_v4().simple().to_string()
}

/// A new span id: 16 hexadecimal digits, never all zero.
#[expect(clippy::disallowed_methods, reason = "the one place that makes span ids")]
pub fn new_span_id() -> String {
    // The first half holds the version digit, so it is never zero.
    Uuid::new_v4().simple().to_string()[..16].to_owned()
}
