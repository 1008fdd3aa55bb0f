//! What the proxy writes down of a request.

use std::fmt;

use docket_wire::header;

use super::{Call, Message};

/// One request, as it came from a caller.
#[derive(Clone, PartialEq, Eq)]
pub struct Seen {
    /// What it asked for.
    pub call: Call,
    /// Its method.
    pub method: String,
    /// Its path, with the query.
    pub target: String,
    /// `Idempotency-Key`, without its quotes; of a call about a key, the key in its path.
    pub key: Option<String>,
    /// `Repeatability-First-Sent`.
    pub first_sent: Option<String>,
    /// `Docket-Attempt`.
    pub attempt: Option<String>,
    /// Its body, where it was read.
    pub body: Option<Vec<u8>>,
    /// How often the service got it.
    pub delivered: u32,
    /// The status of the service's answer.
    pub status: Option<u16>,
    /// The service's answer said that it had the key already.
    pub replayed: bool,
    /// It came to the place where its rule has it stall.
    pub stalled: bool,
    /// The trace that it belongs to: of an export's calls, the export's.
    pub trace: Option<String>,
    /// What its rule did to it; none where it passed as it came.
    pub fate: Option<String>,
    /// The name of that rule, where it has one.
    pub rule: Option<String>,
}

impl Seen {
    pub(super) fn of(head: &Message) -> Self {
        let line = head.first_line();
        let word = |at: usize| line.get(at).cloned().unwrap_or_default();
        let (method, target) = (word(0), word(1));
        let call = Call::of(&method, &target);
        let in_path = || {
            let rest = target.split_once("/request-keys/")?.1;
            Some(rest.split(['/', '?']).next().unwrap_or_default().to_owned())
        };
        Self {
            call,
            key: head
                .header(header::IDEMPOTENCY_KEY)
                .map(|key| key.trim_matches('"').to_owned())
                .or_else(in_path),
            first_sent: head.header(header::REPEATABILITY_FIRST_SENT),
            attempt: head.header(header::DOCKET_ATTEMPT),
            trace: head.header("traceparent").and_then(|value| trace_of(&value)),
            fate: None,
            rule: None,
            method,
            target,
            body: None,
            delivered: 0,
            status: None,
            replayed: false,
            stalled: false,
        }
    }

    pub(super) fn answered(&mut self, answer: &Message) {
        self.status = answer.status();
        self.replayed = answer.header(header::IDEMPOTENCY_REPLAYED).is_some();
    }
}

/// The trace id of a `traceparent` (W3C Trace Context, 3.2).
fn trace_of(traceparent: &str) -> Option<String> {
    traceparent.split('-').nth(1).map(str::to_owned)
}

/// One line, because a failing test prints many.
impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |word: &Option<String>| word.clone().unwrap_or_else(|| "-".to_owned());
        let (call, target, attempt) = (self.call, &self.target, word(&self.attempt));
        write!(f, "{call:?} {target} attempt {attempt}, key {}", word(&self.key))?;
        let status = self.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
        write!(f, ", delivered {} times, status {status}", self.delivered)?;
        for (is, what) in [(self.replayed, ", replayed"), (self.stalled, ", stalled")] {
            f.write_str(if is { what } else { "" })?;
        }
        Ok(())
    }
}
