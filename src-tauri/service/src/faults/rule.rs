//! Rules of loss as data, and as the JSON of `/practice/faults`:
//!
//! ```json
//! {"rules": [
//!   {"on": "submit", "times": 1, "do": "lose_answer_after_commit"},
//!   {"on": "poll", "times": 2, "do": "stall", "seconds": 5},
//!   {"on": "submit", "do": "status", "code": 502, "body": "html", "request": "handled"},
//!   {"do": "refuse_connections", "seconds": 10}
//! ]}
//! ```
//!
//! `on` is `any` and `times` is 1 where they are not given. Each call takes the first rule that fits.

use std::time::Duration;

use docket_wire::ProblemType;
use http::Method;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// The longest time that a rule may name.
const MAX_SECONDS: f64 = 3600.0;

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Rule {
    /// Which calls it is for.
    #[serde(default)]
    pub on: Call,
    /// How many of them.
    #[serde(default = "once")]
    pub times: u32,
    /// What happens to them.
    #[serde(flatten)]
    pub effect: Effect,
}

/// A kind of call, as `lifecycle.md` names them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Every kind.
    #[default]
    Any,
    /// `GET /v1/service`, `GET …/operations`.
    Describe,
    /// `POST …/exports`.
    Submit,
    /// `GET …/request-keys/{key}`, `GET …/exports?…`.
    Lookup,
    /// `GET …/exports/{id}`.
    Poll,
    /// `POST …/request-keys/{key}/abandon`.
    Abandon,
    /// `POST …/exports/{id}/cancel`.
    Cancel,
    /// `GET …/exports/{id}/file`.
    File,
}

/// What happens to a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Effect {
    /// It is handled to its end; then the connection closes without a byte.
    LoseAnswerAfterCommit,
    /// The connection closes before the body is read; nothing is handled.
    CloseBeforeReading,
    /// It is handled at once; its answer comes so much later.
    Stall {
        /// How long.
        seconds: f64,
    },
    /// It is handled so much later, even if the caller has gone; then answered.
    Delay {
        /// How long.
        seconds: f64,
    },
    /// Something between caller and service answers instead.
    Status {
        /// The HTTP status.
        code: u16,
        /// What the answer carries.
        #[serde(default)]
        body: Page,
        /// The problem's name without its prefix; the usual one for the status where not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
        /// `Retry-After`, in seconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
        /// What becomes of the call itself.
        #[serde(default)]
        request: Fate,
    },
    /// A page with status 200 in place of the answer, as a captive portal gives it.
    #[serde(rename = "html_200")]
    Html200 {
        /// What becomes of the call itself.
        #[serde(default)]
        request: Fate,
    },
    /// It is handled; the answer breaks off.
    TruncateAnswer {
        /// Where.
        #[serde(default)]
        at: CutAt,
    },
    /// For so long nobody listens, and open connections break. Begins at once, whatever `on` says; as
    /// nobody listens, only time or the process itself can end it.
    RefuseConnections {
        /// How long.
        seconds: f64,
    },
    /// No call: the next job that a worker takes fails.
    FailJob,
}

/// What an answer from something in between carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Page {
    /// A proxy's page.
    #[default]
    Html,
    /// A problem, as the service itself would give it.
    Problem,
}

/// What becomes of a call whose answer comes from something in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The service never sees it.
    #[default]
    Dropped,
    /// The service handles it to its end.
    Handled,
}

/// Where an answer breaks off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CutAt {
    /// Within its first lines.
    Head,
    /// After its head and a few bytes of its body.
    #[default]
    Body,
}

/// The document of `/practice/faults`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WireRules {
    /// In the order in which they are looked at.
    pub rules: Vec<Rule>,
    /// Whether connections are refused now; ignored where rules are set.
    #[serde(default)]
    pub refusing: bool,
}

/// A rule that can not be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// A time that is no time.
    #[error("`seconds` must be from 0 to 3600")]
    Seconds,
    /// A status that is none.
    #[error("`code` must be from 200 to 599")]
    Code,
    /// A problem that the protocol does not name.
    #[error("`problem` must be a problem type of the protocol, without its prefix")]
    Problem,
}

fn once() -> u32 {
    1
}

impl Rule {
    /// A rule for the next call of this kind.
    pub fn new(on: Call, effect: Effect) -> Self {
        Self { on, times: once(), effect }
    }

    /// The same for so many calls.
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Whether it can be carried out.
    ///
    /// # Errors
    /// What about it can not.
    pub fn check(&self) -> Result<(), RuleError> {
        match &self.effect {
            Effect::Stall { seconds }
            | Effect::Delay { seconds }
            | Effect::RefuseConnections { seconds }
                if !(0.0..=MAX_SECONDS).contains(seconds) =>
            {
                Err(RuleError::Seconds)
            }
            Effect::Status { code, .. } if !(200..=599).contains(code) => Err(RuleError::Code),
            Effect::Status { problem: Some(name), .. } if problem_of(name).is_none() => {
                Err(RuleError::Problem)
            }
            Effect::LoseAnswerAfterCommit
            | Effect::CloseBeforeReading
            | Effect::Stall { .. }
            | Effect::Delay { .. }
            | Effect::Status { .. }
            | Effect::Html200 { .. }
            | Effect::TruncateAnswer { .. }
            | Effect::RefuseConnections { .. }
            | Effect::FailJob => Ok(()),
        }
    }

    pub(crate) fn fits(&self, call: Call) -> bool {
        self.effect != Effect::FailJob && (self.on == Call::Any || self.on == call)
    }

    pub(crate) fn outage(&self) -> Option<Duration> {
        match self.effect {
            Effect::RefuseConnections { seconds } => Some(length(seconds)),
            Effect::LoseAnswerAfterCommit
            | Effect::CloseBeforeReading
            | Effect::Stall { .. }
            | Effect::Delay { .. }
            | Effect::Status { .. }
            | Effect::Html200 { .. }
            | Effect::TruncateAnswer { .. }
            | Effect::FailJob => None,
        }
    }
}

/// A rule's seconds as a length; nothing for what is no length.
pub(crate) fn length(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.min(MAX_SECONDS)).unwrap_or(Duration::ZERO)
}

/// The problem type of a name without its prefix.
pub(crate) fn problem_of(name: &str) -> Option<ProblemType> {
    ProblemType::KNOWN.iter().find(|known| known.name() == name).cloned()
}

impl Call {
    /// The kind of a request, if rules can be set for it.
    pub(crate) fn of(method: &Method, path: &str) -> Option<Self> {
        let mut segments = path.trim_start_matches('/').split('/');
        if segments.next() != Some("v1") {
            return None;
        }
        let rest: Vec<&str> = segments.collect();
        match (method.as_str(), rest.as_slice()) {
            ("GET", ["service"] | ["tenants", _, "operations"]) => Some(Self::Describe),
            ("POST", ["tenants", _, "exports"]) => Some(Self::Submit),
            ("GET", ["tenants", _, "exports"] | ["tenants", _, "request-keys", _]) => {
                Some(Self::Lookup)
            }
            ("GET", ["tenants", _, "exports", _]) => Some(Self::Poll),
            ("POST", ["tenants", _, "request-keys", _, "abandon"]) => Some(Self::Abandon),
            ("POST", ["tenants", _, "exports", _, "cancel"]) => Some(Self::Cancel),
            ("GET", ["tenants", _, "exports", _, "file"]) => Some(Self::File),
            (_, _) => None,
        }
    }

    /// Its word, as rules and logs write it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Describe => "describe",
            Self::Submit => "submit",
            Self::Lookup => "lookup",
            Self::Poll => "poll",
            Self::Abandon => "abandon",
            Self::Cancel => "cancel",
            Self::File => "file",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_the_head_of_this_file_shows_them() {
        let text = r#"{"rules": [
            {"on": "submit", "times": 1, "do": "lose_answer_after_commit"},
            {"on": "poll", "times": 2, "do": "stall", "seconds": 5},
            {"on": "submit", "do": "status", "code": 502, "body": "html", "request": "handled"},
            {"do": "refuse_connections", "seconds": 10},
            {"do": "html_200"}, {"do": "truncate_answer", "at": "head"}
        ]}"#;
        let read: WireRules = serde_json::from_str(text).unwrap();
        assert_eq!(
            read.rules,
            [
                Rule::new(Call::Submit, Effect::LoseAnswerAfterCommit),
                Rule::new(Call::Poll, Effect::Stall { seconds: 5.0 }).times(2),
                Rule::new(
                    Call::Submit,
                    Effect::Status {
                        code: 502,
                        body: Page::Html,
                        problem: None,
                        retry_after: None,
                        request: Fate::Handled
                    }
                ),
                Rule::new(Call::Any, Effect::RefuseConnections { seconds: 10.0 }),
                Rule::new(Call::Any, Effect::Html200 { request: Fate::Dropped }),
                Rule::new(Call::Any, Effect::TruncateAnswer { at: CutAt::Head }),
            ]
        );
        let again: WireRules =
            serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
        assert_eq!(again, read);
    }

    #[test]
    fn rules_that_can_not_be_carried_out_are_refused() {
        let check = |effect| Rule::new(Call::Any, effect).check();
        assert_eq!(check(Effect::Stall { seconds: -1.0 }), Err(RuleError::Seconds));
        assert_eq!(check(Effect::Delay { seconds: f64::NAN }), Err(RuleError::Seconds));
        assert_eq!(check(Effect::FailJob), Ok(()));
    }

    #[test]
    fn calls_are_told_apart_by_method_and_path() {
        for (method, path, call) in [
            (Method::GET, "/v1/service", Some(Call::Describe)),
            (Method::POST, "/v1/tenants/t/exports", Some(Call::Submit)),
            (Method::GET, "/v1/tenants/t/exports", Some(Call::Lookup)),
            (Method::GET, "/v1/tenants/t/request-keys/k", Some(Call::Lookup)),
            (Method::GET, "/v1/tenants/t/exports/e/file", Some(Call::File)),
            (Method::PUT, "/practice/faults", None),
        ] {
            assert_eq!(Call::of(&method, path), call, "{path}");
        }
    }
}
