//! A story as data: what the service can do, and what happens to everybody, step by step.
//!
//! A seed draws one (`draw`), a golden story writes one down (`stories`); both are played by the
//! same machinery (`play`). A step is one line of the timeline.

use std::{collections::BTreeSet, fmt, time::Duration};

use docket_service::Feature;
use docket_tests::{At, Back, Call, Rule, Toward, proxy::rule};

/// One story.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its name: the seed, or what it tells.
    pub name: String,
    /// The service that it meets.
    pub service: Service,
    /// The jitter of every delay, from 0 to 1.
    pub chance: f64,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// The service that a story meets.
#[derive(Clone, Debug)]
pub struct Service {
    /// What it can not do.
    pub without: BTreeSet<Feature>,
    /// How long a job waits, and how long it runs.
    pub pace: (Duration, Duration),
    /// How long a key is remembered.
    pub retention: Duration,
    /// How long a look may not see what was made.
    pub lag: Duration,
}

impl Service {
    /// One that can do everything; a job waits a second and runs for ten.
    pub fn whole() -> Self {
        Self {
            without: BTreeSet::new(),
            pace: (Duration::from_secs(1), Duration::from_secs(10)),
            retention: Duration::from_secs(24 * 3600),
            lag: Duration::ZERO,
        }
    }

    /// The same without these.
    pub fn without(mut self, features: &[Feature]) -> Self {
        self.without.extend(features);
        self
    }

    /// Whether it can do this.
    pub fn can(&self, feature: Feature) -> bool {
        !self.without.contains(&feature)
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lacks: Vec<&str> = self.without.iter().map(|feature| feature.as_str()).collect();
        match lacks.as_slice() {
            [] => f.write_str("a service that can do everything")?,
            lacks => write!(f, "a service without {}", lacks.join(", "))?,
        }
        let (waits, runs) = self.pace;
        write!(f, "; a job waits {} and runs {}", told(waits), told(runs))?;
        write!(f, "; a key is kept {}", told(self.retention))?;
        if !self.lag.is_zero() {
            write!(f, "; a look lags by {}", told(self.lag))?;
        }
        Ok(())
    }
}

/// A duration as people say it.
pub fn told(length: Duration) -> String {
    match length.as_secs() {
        0 => "no time".to_owned(),
        seconds if seconds % 3600 == 0 => format!("{} h", seconds / 3600),
        seconds if seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

/// What becomes of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection closes before the request is read.
    ClosedUnread,
    /// The connection is reset before the request is read.
    ResetUnread,
    /// The service gets so many bytes of the head, then nothing more.
    CutInHead(usize),
    /// The service gets all of the request but so many bytes, then nothing more.
    CutNearEnd(usize),
    /// Read whole, nobody gets it, the connection closes.
    Swallowed,
    /// Read whole and kept; the caller hears nothing. It is delivered by a later step, if ever.
    KeptSilent,
    /// Read whole and kept; the connection closes.
    KeptClosed,
    /// The service gets it; the connection closes without a byte.
    AnswerLost,
    /// The service gets it; the connection is reset.
    AnswerReset,
    /// The service gets it; the caller hears nothing.
    Silence,
    /// The answer stops after so many bytes of its head.
    StallsInHead(usize),
    /// The answer stops after so many bytes of its body.
    StallsInBody(usize),
    /// The answer breaks off after so many bytes of its head.
    CutHead(usize),
    /// The answer breaks off after so many bytes of its body.
    CutBody(usize),
    /// The answer comes whole, in pieces of so many bytes.
    InPieces(usize),
    /// The service gets it twice at once.
    Twice,
    /// The service gets it, and again after its answer was lost.
    Again,
    /// The service gets it, and a copy is kept for later; the answer comes.
    AndKept,
    /// The service gets it, a copy is kept for later, and the answer is lost.
    LostAndKept,
    /// A proxy's page with 502, nobody gets the request.
    BadGateway,
    /// A proxy's page with 504, while the service goes on.
    GatewayTimeout,
    /// A page with 200, as a captive portal gives it.
    Portal,
    /// A redirect.
    Redirect,
    /// 503 in the service's own words, with `accepted: false`; nobody got the request.
    Unavailable,
    /// 503 in the service's own words from a second machine, while the first one has the request.
    UnavailableBeside,
    /// 429 in the service's own words.
    RateLimited,
    /// 401 that is not the service's.
    ForeignSignIn,
    /// 403 from a second machine, while the first one has the request.
    ForbiddenBeside,
    /// 409 `in-progress`.
    InProgress,
    /// JSON that is no answer.
    Nonsense,
}

impl Fault {
    /// Each of them.
    pub const ALL: [Self; 30] = [
        Self::ClosedUnread,
        Self::ResetUnread,
        Self::CutInHead(40),
        Self::CutNearEnd(3),
        Self::Swallowed,
        Self::KeptSilent,
        Self::KeptClosed,
        Self::AnswerLost,
        Self::AnswerReset,
        Self::Silence,
        Self::StallsInHead(20),
        Self::StallsInBody(11),
        Self::CutHead(20),
        Self::CutBody(11),
        Self::InPieces(7),
        Self::Twice,
        Self::Again,
        Self::AndKept,
        Self::LostAndKept,
        Self::BadGateway,
        Self::GatewayTimeout,
        Self::Portal,
        Self::Redirect,
        Self::Unavailable,
        Self::UnavailableBeside,
        Self::RateLimited,
        Self::ForeignSignIn,
        Self::ForbiddenBeside,
        Self::InProgress,
        Self::Nonsense,
    ];

    /// The same at another byte, where it is at one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most happen at no byte")]
    pub fn at(self, byte: usize) -> Self {
        match self {
            Self::CutInHead(_) => Self::CutInHead(byte),
            Self::CutNearEnd(_) => Self::CutNearEnd(byte),
            Self::StallsInHead(_) => Self::StallsInHead(byte),
            Self::StallsInBody(_) => Self::StallsInBody(byte),
            Self::CutHead(_) => Self::CutHead(byte),
            Self::CutBody(_) => Self::CutBody(byte),
            Self::InPieces(_) => Self::InPieces(byte),
            whole => whole,
        }
    }

    /// Its name, without the byte.
    pub fn name(self) -> String {
        let name = format!("{self:?}");
        name.split('(').next().unwrap_or_default().to_owned()
    }

    /// The rule of the proxy that does it to the next call of this kind.
    pub fn rule(self, on: Call) -> Rule {
        self.carried_out(on).named(self.name())
    }

    fn carried_out(self, on: Call) -> Rule {
        let with = |toward, back| Rule::new(on, toward, back);
        let told = |toward, status: u16, kind: &str, more: &str, headers: &[(&str, &str)]| {
            with(toward, Back::Instead(rule::problem(status, kind, more, headers)))
        };
        let later = [("retry-after", "7")];
        match self {
            Self::ClosedUnread => with(Toward::Unread, Back::Close),
            Self::ResetUnread => with(Toward::Unread, Back::Reset),
            Self::CutInHead(at) => with(Toward::Partly(at), Back::Close),
            Self::CutNearEnd(left) => with(Toward::AllBut(left), Back::Close),
            Self::Swallowed => with(Toward::Nowhere, Back::Close),
            Self::KeptSilent => with(Toward::Kept, Back::Stall),
            Self::KeptClosed => with(Toward::Kept, Back::Close),
            Self::AnswerLost => with(Toward::Service, Back::Close),
            Self::AnswerReset => with(Toward::Service, Back::Reset),
            Self::Silence => with(Toward::Service, Back::Stall),
            Self::StallsInHead(at) => with(Toward::Service, Back::StallAt(At::Head(at))),
            Self::StallsInBody(at) => with(Toward::Service, Back::StallAt(At::Body(at))),
            Self::CutHead(at) => with(Toward::Service, Back::Cut(At::Head(at))),
            Self::CutBody(at) => with(Toward::Service, Back::Cut(At::Body(at))),
            Self::InPieces(bytes) => with(Toward::Service, Back::Pieces(bytes)),
            Self::Twice => with(Toward::Twice, Back::Answer),
            Self::Again => with(Toward::Again, Back::Answer),
            Self::AndKept => with(Toward::AndKept, Back::Answer),
            Self::LostAndKept => with(Toward::AndKept, Back::Close),
            Self::BadGateway => Rule::instead(on, rule::page(502, "Bad Gateway")),
            Self::GatewayTimeout => {
                with(Toward::Service, Back::Instead(rule::page(504, "Gateway Timeout")))
            }
            Self::Portal => Rule::instead(on, rule::page(200, "OK")),
            Self::Redirect => Rule::instead(on, rule::redirect("http://127.0.0.1:9/sign-in")),
            Self::Unavailable => {
                told(Toward::Nowhere, 503, "unavailable", ",\"accepted\":false", &later)
            }
            Self::UnavailableBeside => {
                told(Toward::Service, 503, "unavailable", ",\"accepted\":false", &later)
            }
            Self::RateLimited => {
                told(Toward::Nowhere, 429, "rate-limited", ",\"accepted\":false", &later)
            }
            Self::ForeignSignIn => Rule::instead(on, rule::page(401, "Unauthorized")),
            Self::ForbiddenBeside => told(Toward::Service, 403, "forbidden", "", &[]),
            Self::InProgress => told(Toward::Nowhere, 409, "in-progress", "", &[]),
            Self::Nonsense => {
                let body = r#"{"hello":"world"}"#;
                let answer = rule::whole("200 OK", "application/json", &[], body);
                with(Toward::Service, Back::Instead(answer))
            }
        }
    }
}

/// Who signs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Ada.
    Ada,
    /// Ada, with the credential that she got later.
    AdaRenewed,
    /// Somebody else of the same tenant.
    Bob,
}

/// Which credentials the service takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokens {
    /// All.
    All,
    /// Ada's first one has run out.
    FirstRunOut,
    /// Ada may no longer ask for the report.
    Withdrawn,
}

/// Where a call is stopped on the client's side, for a crash there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Its attempt is durable; nothing was done yet.
    BeforeConnect,
    /// Its answer was read; nothing was written.
    AnswerRead,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// The person asks for a report from a fresh form.
    Ask { report: usize },
    /// The person clicks once more on the same form.
    ClickAgain { of: usize },
    /// The person asks for the very same from a fresh form.
    AskTheSame { of: usize },
    /// The person asks for another one knowingly.
    Copy { of: usize },
    /// The person mends it and sends it as a new one.
    Edit { of: usize },
    /// The person cancels.
    Cancel { of: usize },
    /// The person asks for a look.
    Check { of: usize },
    /// The person sends it again with the same key.
    Resend { of: usize },
    /// The person sends now what waits.
    SendNow { of: usize },
    /// The person looked it up by hand: the service has it, or it has not. They say what is true.
    Settle { of: usize },
    /// The person asks for the file.
    Fetch { of: usize },
    /// The person pauses the fetch.
    Pause { of: usize },
    /// The person goes on with it.
    Resume { of: usize },
    /// Somebody signs in.
    SignIn(Who),
    /// What becomes of so many calls of a kind by one export.
    Fault { on: Call, of: usize, fault: Fault, times: u32 },
    /// One wrong file in place of the right one.
    WrongFile { of: usize },
    /// Nobody listens, and open connections break.
    NetworkDown,
    /// Open connections break, and whoever connects hears nothing.
    BlackHole,
    /// Somebody listens again.
    NetworkUp,
    /// What stalls goes on to its end.
    Release,
    /// The oldest request that was kept arrives at last.
    DeliverKept,
    /// The next call of this kind stops at this point.
    Trap { on: Call, at: Point },
    /// The client is gone, as by SIGKILL.
    Crash,
    /// The client is started.
    Start,
    /// The client's store is copied aside.
    BackUpStore,
    /// The client is gone; its store is put back from the copy.
    PutBackStore,
    /// The service goes down.
    ServiceDown,
    /// The service is started.
    ServiceUp,
    /// The service's database is copied aside.
    BackUpService,
    /// The service is put back from the copy, and says so.
    RestoreService,
    /// Which credentials the service takes from now on.
    Take(Tokens),
    /// The service puts new jobs off.
    Drain,
    /// It takes them again.
    TakeJobs,
    /// The next job fails.
    FailNextJob,
    /// Time passes for everybody.
    Pass(Duration),
    /// The client's computer sleeps, while time passes.
    Sleep(Duration),
    /// The client's clock is set by so many seconds.
    SetClock(i64),
}
