//! The dialect of protocol.md: which request each verb makes, and nothing about what answers prove.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use docket_wire::{OperationList, PayloadHash, header as wire};
use http::Method;
use jiff::Timestamp;

use super::{
    Call, Connector, EncodeError, Expected, FileAnswer, OpenFile, Submit, Target,
    classify::{self, Asked, Origin, Verdict},
    file, header,
    http::{ClientsError, Http, Incoming, Outgoing, Proxying},
    request::Request,
};
use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason, Phase},
    clock::Clock,
    export::{BusinessId, Payload},
};

/// Speaks protocol.md, version 1.
pub struct NativeConnector {
    http: Http,
    clock: Arc<dyn Clock>,
}

impl NativeConnector {
    /// A connector that reaches services as the system says.
    ///
    /// # Errors
    /// The HTTP clients can not be made, for want of certificates to trust.
    pub fn new(clock: Arc<dyn Clock>) -> Result<Self, ClientsError> {
        Self::through(&Proxying::System, clock)
    }

    /// A connector that reaches services by another way than the system says.
    ///
    /// # Errors
    /// As [`NativeConnector::new`].
    pub fn through(proxying: &Proxying, clock: Arc<dyn Clock>) -> Result<Self, ClientsError> {
        Ok(Self { http: Http::new(proxying)?, clock })
    }

    /// One exchange, and what its answer proves.
    async fn ask(
        &self,
        call: &Call,
        asked: Asked<'_>,
        outgoing: Result<Outgoing, CallReason>,
    ) -> AttemptEnd {
        match self.exchange(call, outgoing).await {
            Ok(incoming) => {
                end(call, &incoming, classify::classify(asked, &incoming, self.clock.now()))
            }
            Err(end) => *end,
        }
    }

    async fn exchange(
        &self,
        call: &Call,
        outgoing: Result<Outgoing, CallReason>,
    ) -> Result<Incoming, Box<AttemptEnd>> {
        let outgoing = outgoing.map_err(|reason| Box::new(call.not_sent(reason)))?;
        let ended = self.http.exchange(call, outgoing).await;
        ended.map_err(|result| Box::new(call.ended(result)))
    }
}

#[async_trait]
impl Connector for NativeConnector {
    fn encode(&self, payload: &Payload) -> Result<Vec<u8>, EncodeError> {
        Ok(payload.canonical().to_vec())
    }

    async fn describe(&self, call: &Call) -> AttemptEnd {
        let outgoing =
            Request::to_service(call).map(|request| request.finish(None, call.timeouts.ask));
        self.ask(call, Asked::Service, outgoing).await
    }

    async fn catalogue(&self, call: &Call) -> Result<OperationList, Box<AttemptEnd>> {
        let outgoing = Request::to_tenant(call, Method::GET, &["operations"])
            .map(|request| request.finish(None, call.timeouts.ask));
        let incoming = self.exchange(call, outgoing).await?;
        classify::catalogue(&incoming, self.clock.now())
            .map_err(|verdict| Box::new(end(call, &incoming, *verdict)))
    }

    async fn submit(&self, call: &Call, submit: &Submit) -> AttemptEnd {
        let Some(expected) = &call.expected else { return about_nothing(call) };
        let asked = Asked::Submit { expected, first_sent: submit.first_sent };
        self.ask(call, asked, submitting(call, expected, submit)).await
    }

    async fn lookup(&self, call: &Call, target: &Target) -> AttemptEnd {
        let Some(expected) = &call.expected else { return about_nothing(call) };
        match target {
            Target::Job(id) => self.poll(call, id, None).await,
            Target::Key { first_sent } => {
                let asked = Asked::Key { expected, first_sent: *first_sent };
                let outgoing = about_key(call, expected, *first_sent, Method::GET, &[]);
                self.ask(call, asked, outgoing).await
            }
            Target::Traits { created_after, created_before } => {
                let created = (*created_after, *created_before);
                let outgoing = by_traits(call, expected, created);
                self.ask(call, Asked::Traits { expected, created }, outgoing).await
            }
        }
    }

    async fn poll(&self, call: &Call, id: &BusinessId, wait: Option<Duration>) -> AttemptEnd {
        let Some(expected) = &call.expected else { return about_nothing(call) };
        let wait = wait.filter(|wait| wait.as_secs() > 0);
        let outgoing = Request::to_tenant(call, Method::GET, &["exports", id.as_str()])
            .and_then(|request| match wait {
                Some(wait) => request.with(wire::PREFER, &format!("wait={}", wait.as_secs())),
                None => Ok(request),
            })
            .map(|request| request.finish(None, call.timeouts.ask + wait.unwrap_or_default()));
        self.ask(call, Asked::Job { expected, id }, outgoing).await
    }

    async fn abandon(&self, call: &Call, first_sent: Timestamp) -> AttemptEnd {
        let Some(expected) = &call.expected else { return about_nothing(call) };
        let outgoing = about_key(call, expected, first_sent, Method::POST, &["abandon"]);
        self.ask(call, Asked::Abandon { expected, first_sent }, outgoing).await
    }

    async fn cancel(&self, call: &Call, id: &BusinessId) -> AttemptEnd {
        let Some(expected) = &call.expected else { return about_nothing(call) };
        let outgoing = Request::to_tenant(call, Method::POST, &["exports", id.as_str(), "cancel"])
            .map(|request| request.finish(None, call.timeouts.ask));
        self.ask(call, Asked::Cancel { expected, id }, outgoing).await
    }

    async fn open_file(&self, call: &Call, open: &OpenFile) -> FileAnswer {
        match file::request(call, open) {
            Ok(outgoing) => file::open(&self.http, call, open, outgoing, self.clock.as_ref()).await,
            Err(reason) => FileAnswer::refused(call, file::FileRefusal::Call { reason }),
        }
    }
}

fn submitting(call: &Call, expected: &Expected, submit: &Submit) -> Result<Outgoing, CallReason> {
    // Only the bytes that were hashed when the intent was recorded may go out under its key.
    if PayloadHash::of(&submit.body) != expected.payload_hash {
        return Err(CallReason::RequestInvalid);
    }
    let request = Request::to_tenant(call, Method::POST, &["exports"])?
        .with_key(expected)?
        .with_first_sent(submit.first_sent)?
        .with(wire::PREFER, "respond-async")?;
    Ok(request.finish(Some(submit.body.clone()), call.timeouts.submit))
}

fn about_key(
    call: &Call,
    expected: &Expected,
    first_sent: Timestamp,
    method: Method,
    verb: &[&str],
) -> Result<Outgoing, CallReason> {
    let mut path = vec!["request-keys", expected.request_key.as_str()];
    path.extend(verb);
    let request = Request::to_tenant(call, method, &path)?
        .with_first_sent(first_sent)?
        .asking(&[("operation", &expected.operation)]);
    Ok(request.finish(None, call.timeouts.ask))
}

fn by_traits(
    call: &Call,
    expected: &Expected,
    (after, before): (Timestamp, Timestamp),
) -> Result<Outgoing, CallReason> {
    let (hash, after, before) =
        (expected.payload_hash.to_string(), after.to_string(), before.to_string());
    let mut traits = vec![
        ("operation", expected.operation.as_str()),
        ("payload_hash", &hash),
        ("created_after", &after),
        ("created_before", &before),
    ];
    traits.extend(expected.subject.as_deref().map(|subject| ("requested_by", subject)));
    let request = Request::to_tenant(call, Method::GET, &["exports"])?.asking(&traits);
    Ok(request.finish(None, call.timeouts.ask))
}

/// A call that needs an export and is about none.
fn about_nothing(call: &Call) -> AttemptEnd {
    call.not_sent(CallReason::RequestInvalid)
}

fn end(call: &Call, incoming: &Incoming, verdict: Verdict) -> AttemptEnd {
    call.progress.enter(match &verdict.result {
        AttemptResult::Lost { phase, .. } => *phase,
        AttemptResult::NotSent { .. }
        | AttemptResult::Found { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => Phase::Decode,
    });
    AttemptEnd {
        http_status: Some(incoming.status.as_u16()),
        service_time: match verdict.origin {
            Origin::Service => header::date(&incoming.headers),
            Origin::Somebody => None,
        },
        ..call.ended(verdict.result)
    }
}
