//! Rules of the fault proxy, as data: which call, what becomes of its request, what comes back.
//!
//! The two sides are chosen apart, because that is how networks lose things: a request can arrive
//! although no answer comes back, and an answer can come although nothing arrived.

use std::{fmt, sync::Arc};

use super::wire::Message;

/// A kind of call, told by method and path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// `GET /v1/service`.
    Service,
    /// `GET …/operations`.
    Operations,
    /// `POST …/exports`.
    Submit,
    /// `GET …/request-keys/{key}`.
    Key,
    /// `GET …/exports?…`.
    Traits,
    /// `GET …/exports/{id}`.
    Job,
    /// `POST …/request-keys/{key}/abandon`.
    Abandon,
    /// `POST …/exports/{id}/cancel`.
    Cancel,
    /// `GET …/exports/{id}/file`.
    File,
    /// Anything; as a request, one that the protocol does not know.
    Any,
}

impl Call {
    /// The kind of a request.
    pub fn of(method: &str, target: &str) -> Self {
        let path = target.split('?').next().unwrap_or_default();
        let mut segments = path.trim_start_matches('/').split('/');
        if segments.next() != Some("v1") {
            return Self::Any;
        }
        let rest: Vec<&str> = segments.collect();
        match (method, rest.as_slice()) {
            ("GET", ["service"]) => Self::Service,
            ("GET", ["tenants", _, "operations"]) => Self::Operations,
            ("POST", ["tenants", _, "exports"]) => Self::Submit,
            ("GET", ["tenants", _, "exports"]) => Self::Traits,
            ("GET", ["tenants", _, "request-keys", _]) => Self::Key,
            ("POST", ["tenants", _, "request-keys", _, "abandon"]) => Self::Abandon,
            ("GET", ["tenants", _, "exports", _]) => Self::Job,
            ("POST", ["tenants", _, "exports", _, "cancel"]) => Self::Cancel,
            ("GET", ["tenants", _, "exports", _, "file"]) => Self::File,
            (_, _) => Self::Any,
        }
    }
}

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// The service gets it.
    Service,
    /// Read whole; nobody gets it.
    Nowhere,
    /// Not read: its bytes are still in the socket when the connection ends.
    Unread,
    /// The service gets so many bytes of it, then nothing more.
    Partly(usize),
    /// The service gets it without so many bytes at its end.
    AllBut(usize),
    /// The service gets it twice at once, as from a proxy that retries by itself.
    Twice,
    /// The service gets it, and once more after its answer, which a proxy lost; the caller gets the
    /// second.
    Again,
    /// Kept until the test has it delivered.
    Kept,
    /// The service gets it, and a copy is kept until the test has it delivered.
    AndKept,
}

/// A place in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// After so many bytes of its head.
    Head(usize),
    /// After its head and so many bytes of its body.
    Body(usize),
}

/// What the caller gets.
#[derive(Clone)]
pub enum Back {
    /// The service's answer.
    Answer,
    /// The service's answer; then the connection closes, which nothing in it announced.
    AnswerAndClose,
    /// The connection closes without a byte.
    Close,
    /// The connection is reset.
    Reset,
    /// Nothing, until the caller gives up or the test lets go.
    Stall,
    /// Nothing until the test lets go; then the whole answer, as it was.
    Late,
    /// The answer up to here, then nothing until the caller gives up or the test lets go.
    StallAt(At),
    /// The answer up to here; then the connection closes.
    Cut(At),
    /// The answer, so many bytes at a time.
    Trickle(usize),
    /// The same without a pause: as soon as one piece was taken the next one comes.
    Pieces(usize),
    /// These bytes in place of the answer.
    Instead(Vec<u8>),
    /// The answer, changed on the way.
    Edited(Edit),
}

/// How an answer is changed on the way.
pub type Edit = Arc<dyn Fn(&mut Message) + Send + Sync>;

impl fmt::Debug for Back {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Answer => "answer",
            Self::AnswerAndClose => "answer, then close",
            Self::Close => "close",
            Self::Reset => "reset",
            Self::Stall => "stall",
            Self::Late => "late",
            Self::StallAt(_) => "stall in the answer",
            Self::Cut(_) => "cut",
            Self::Trickle(_) => "trickle",
            Self::Pieces(_) => "in pieces",
            Self::Instead(_) => "another answer",
            Self::Edited(_) => "edited",
        })
    }
}

/// One rule. The first that fits is taken.
#[derive(Clone, Debug)]
pub struct Rule {
    pub(super) on: Call,
    pub(super) trace: Option<String>,
    pub(super) skip: u32,
    pub(super) times: u32,
    pub(super) name: Option<String>,
    pub(super) toward: Toward,
    pub(super) back: Back,
}

impl Rule {
    /// For the next call of this kind.
    pub fn new(on: Call, toward: Toward, back: Back) -> Self {
        Self { on, trace: None, skip: 0, times: 1, name: None, toward, back }
    }

    /// The service commits, then the connection drops.
    pub fn lose_answer(on: Call) -> Self {
        Self::new(on, Toward::Service, Back::Close)
    }

    /// Read whole, then closed: the service never sees it.
    pub fn swallow(on: Call) -> Self {
        Self::new(on, Toward::Nowhere, Back::Close)
    }

    /// Something between caller and service answers; nobody gets the request.
    pub fn instead(on: Call, answer: Vec<u8>) -> Self {
        Self::new(on, Toward::Nowhere, Back::Instead(answer))
    }

    /// The service's answer, changed on the way.
    pub fn edit(on: Call, edit: impl Fn(&mut Message) + Send + Sync + 'static) -> Self {
        Self::new(on, Toward::Service, Back::Edited(Arc::new(edit)))
    }

    /// The same for so many calls.
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// The same for calls of this trace alone: for one export of several.
    pub fn of_trace(mut self, trace: &str) -> Self {
        self.trace = Some(trace.to_owned());
        self
    }

    /// The same under a name, by which what it did is found again.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same for every call.
    pub fn always(self) -> Self {
        self.times(u32::MAX)
    }

    /// The same, after so many calls of this kind were let through.
    pub fn after(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }
}

impl Rule {
    /// Whether it is for this call.
    pub(super) fn fits(&self, call: Call, trace: Option<&str>) -> bool {
        let is_kind = self.on == Call::Any || self.on == call;
        is_kind && self.trace.as_deref().is_none_or(|of| Some(of) == trace)
    }

    /// What it does, for a person who reads a timeline.
    pub(super) fn fate(&self) -> String {
        format!("{:?}, {:?}", self.toward, self.back)
    }
}

/// An answer that is not the service's: a page as a proxy or a captive portal gives it.
pub fn page(status: u16, reason: &str) -> Vec<u8> {
    let body = format!("<!doctype html><title>{reason}</title><h1>{status} {reason}</h1>");
    whole(&format!("{status} {reason}"), "text/html; charset=utf-8", &[], &body)
}

/// A problem as the service itself would give it, with more header lines.
pub fn problem(status: u16, kind: &str, more: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let body = format!(
        r#"{{"type":"{}{kind}","title":"No","status":{status}{more}}}"#,
        docket_wire::problem::TYPE_PREFIX
    );
    whole(&format!("{status} Problem"), "application/problem+json", headers, &body)
}

/// A redirect.
pub fn redirect(to: &str) -> Vec<u8> {
    whole("302 Found", "text/html", &[("location", to)], "")
}

/// An answer of these parts.
pub fn whole(status: &str, media_type: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let more: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n{more}\r\n{body}"
    )
    .into_bytes()
}
