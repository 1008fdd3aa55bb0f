//! Who is calling: the bearer token, looked at before all else, and the tenant of the path.

use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use docket_wire::{Problem, ProblemType};
use http::{HeaderValue, header, request::Parts};

use super::{Refusal, language_of, text_of};
use crate::{access::Token, app::Shared, language::Language, store::Job};

/// A caller that was let in, in the tenant that the path names.
pub(crate) struct Caller {
    token: Arc<Token>,
    pub(crate) language: Language,
}

impl Caller {
    pub(crate) fn tenant_id(&self) -> &str {
        &self.token.tenant_id
    }

    pub(crate) fn subject(&self) -> &str {
        &self.token.subject
    }

    pub(crate) fn name(&self) -> &str {
        self.token.name.as_deref().unwrap_or(&self.token.subject)
    }

    pub(crate) fn sees_others(&self) -> bool {
        self.token.see_others
    }

    pub(crate) fn may_ask_for(&self, operation: &str) -> bool {
        self.token.operations.contains(operation)
    }

    /// Whether what `subject` asked for may be seen.
    pub(crate) fn sees(&self, subject: &str) -> bool {
        self.token.see_others || self.token.subject == subject
    }

    /// The job, if it may be seen; else what is said of one that does not exist.
    pub(crate) fn seeing(&self, job: Option<Job>) -> Result<Job, Refusal> {
        job.filter(|job| self.sees(&job.requested_by)).ok_or_else(Refusal::not_found)
    }

    /// The refusal for an operation that the caller may not use.
    pub(crate) fn without(&self, operation: &str) -> Refusal {
        Refusal::from(Problem {
            permission: Some(operation.to_owned()),
            owner: self.token.owner.clone(),
            ..Problem::new(ProblemType::Forbidden)
        })
    }
}

impl FromRequestParts<Shared> for Caller {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let token = authenticate(parts, app)?;
        let parameters = RawPathParams::from_request_parts(parts, app)
            .await
            .map_err(|_| Refusal::malformed("The path is not UTF-8."))?;
        let elsewhere =
            parameters.iter().any(|(name, value)| name == "tenant_id" && value != token.tenant_id);
        if elsewhere {
            return Err(Refusal::not_found());
        }
        Ok(Self { token, language: language_of(&parts.headers) })
    }
}

fn authenticate(parts: &Parts, app: &Shared) -> Result<Arc<Token>, Refusal> {
    let refuse = |challenge| {
        Refusal::new(ProblemType::Unauthenticated)
            .header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
    };
    let Some((scheme, secret)) =
        text_of(&parts.headers, &header::AUTHORIZATION).and_then(|value| value.split_once(' '))
    else {
        return Err(refuse("Bearer realm=\"docket\""));
    };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(refuse("Bearer realm=\"docket\""));
    }
    app.access
        .caller(secret.trim())
        .ok_or_else(|| refuse("Bearer realm=\"docket\", error=\"invalid_token\""))
}
