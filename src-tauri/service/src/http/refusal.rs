//! A call that is refused: a problem (RFC 9457) with its headers.

use std::time::Duration;

use axum::response::{IntoResponse, Response};
use docket_wire::{FieldError, Problem, ProblemType, header::PROBLEM_JSON};
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::store::StoreError;

/// How long a caller is asked to wait where the service can not say better.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// A call that is refused.
#[derive(Debug)]
pub(crate) struct Refusal(Box<Refused>);

#[derive(Debug)]
struct Refused {
    problem: Problem,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Refusal {
    pub(crate) fn new(problem_type: ProblemType) -> Self {
        Self::from(Problem::new(problem_type))
    }

    /// A problem that says no more than its status does (RFC 9457, 4.2.1).
    pub(crate) fn of_status(status: StatusCode) -> Self {
        Self::from(Problem {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or_default().to_owned(),
            ..Problem::new(ProblemType::Unknown("about:blank".to_owned()))
        })
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.0.problem.detail = Some(detail.into());
        self
    }

    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.push((name, value));
        self
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(ProblemType::Malformed).detail(detail)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(ProblemType::NotFound)
    }

    pub(crate) fn invalid_parameters(errors: Vec<FieldError>) -> Self {
        Self::from(Problem { errors, ..Problem::new(ProblemType::InvalidParameters) })
    }

    /// A submit that is put off: nothing was created, and the same key may come again.
    pub(crate) fn put_off(problem_type: ProblemType, wait: Option<Duration>) -> Self {
        let wait = wait.unwrap_or(RETRY_AFTER);
        // Rounded up: a caller that comes a second early is sent away again.
        let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        Self::from(Problem { accepted: Some(false), ..Problem::new(problem_type) })
            .header(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)))
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(Box::new(Refused { problem, headers: Vec::new() }))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full => Self::put_off(ProblemType::Unavailable, None),
            StoreError::Sqlite(_)
            | StoreError::Json(_)
            | StoreError::Interrupted(_)
            | StoreError::Unanswered(_)
            | StoreError::Together(_) => {
                tracing::error!(reason = %error, "the database did not answer");
                Self::new(ProblemType::Internal)
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refused { problem, headers } = *self.0;
        let status =
            StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(problem)).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        for (name, value) in headers {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
