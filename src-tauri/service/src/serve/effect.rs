//! What a rule does to a call.

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use docket_wire::{Problem, ProblemType};
use http::{HeaderValue, Request, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use thiserror::Error;

use super::{Counter, handle};
use crate::{
    faults::{Call, Effect, Fate, Line, Page, length, problem_of},
    http::Refusal,
};

/// Bytes of a body that a delayed call may bring along.
const MAX_DELAYED_BODY: usize = 1024 * 1024;

/// A call that gets no answer: its connection closes.
#[derive(Debug, Error)]
pub(super) enum NoAnswer {
    #[error("the answer was lost by a rule")]
    Lost,
    #[error("the body did not arrive whole")]
    Body,
}

/// Answers a call as the rules have it.
pub(super) async fn answer(
    counter: Counter,
    request: Request<Body>,
    line: Line,
) -> Result<Response, NoAnswer> {
    let call = Call::of(request.method(), request.uri().path());
    let Some(effect) = call.and_then(|call| counter.app.faults.take(call)) else {
        return Ok(handle(&counter, request).await);
    };
    tracing::info!(kind = call.map(Call::as_str), effect = ?effect, "a rule applies");
    match effect {
        Effect::LoseAnswerAfterCommit => {
            handle(&counter, request).await;
            Err(NoAnswer::Lost)
        }
        Effect::CloseBeforeReading => Err(NoAnswer::Lost),
        Effect::Stall { seconds } => {
            let response = handle(&counter, request).await;
            counter.app.pause(length(seconds)).await;
            Ok(response)
        }
        Effect::Delay { seconds } => delayed(counter, request, seconds).await,
        Effect::Status { code, body, problem, retry_after, request: fate } => {
            suffer(&counter, request, fate).await;
            Ok(in_between(code, body, problem.as_deref(), retry_after))
        }
        Effect::Html200 { request: fate } => {
            suffer(&counter, request, fate).await;
            Ok(page(StatusCode::OK))
        }
        Effect::TruncateAnswer { at } => {
            let response = handle(&counter, request).await;
            line.cut(at);
            Ok(response)
        }
        // Neither is ever given to a call.
        Effect::RefuseConnections { .. } | Effect::FailJob => Ok(handle(&counter, request).await),
    }
}

/// Takes the call in whole, and handles it later, whether or not its caller still waits.
async fn delayed(
    counter: Counter,
    request: Request<Body>,
    seconds: f64,
) -> Result<Response, NoAnswer> {
    let (parts, body) = request.into_parts();
    let body = Limited::new(body, MAX_DELAYED_BODY).collect().await.map_err(|_| NoAnswer::Body)?;
    let tasks = counter.tasks.clone();
    let later = tasks.spawn(async move {
        counter.app.pause(length(seconds)).await;
        handle(&counter, Request::from_parts(parts, Body::from(body.to_bytes()))).await
    });
    later.await.map_err(|_| NoAnswer::Lost)
}

async fn suffer(counter: &Counter, request: Request<Body>, fate: Fate) {
    match fate {
        Fate::Dropped => {}
        Fate::Handled => {
            handle(counter, request).await;
        }
    }
}

fn in_between(code: u16, body: Page, problem: Option<&str>, retry_after: Option<u32>) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut response = match body {
        Page::Html => page(status),
        Page::Problem => match problem.and_then(problem_of).or_else(|| usual(code)) {
            Some(put_off @ (ProblemType::RateLimited | ProblemType::Unavailable)) => {
                Refusal::put_off(put_off, None).into_response()
            }
            Some(other) => {
                Refusal::from(Problem { status: code, ..Problem::new(other) }).into_response()
            }
            None => Refusal::of_status(status).into_response(),
        },
    };
    *response.status_mut() = status;
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// The first type that the protocol gives this status.
fn usual(code: u16) -> Option<ProblemType> {
    ProblemType::KNOWN.iter().find(|known| known.status() == code).cloned()
}

/// A page as a proxy or a captive portal gives it.
fn page(status: StatusCode) -> Response {
    let reason = status.canonical_reason().unwrap_or("Error");
    let html = format!(
        "<!doctype html><html><head><title>{reason}</title></head>\
         <body><h1>{} {reason}</h1><hr>gateway</body></html>\n",
        status.as_u16()
    );
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}
