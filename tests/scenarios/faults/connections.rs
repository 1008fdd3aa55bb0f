//! Connections that do not open, break, or were closed while they rested: at each kind of call, and
//! on the way to services that are not on this computer.

use docket_engine::{
    attempt::{
        AttemptKind,
        CallReason::{self, CertificateUntrusted, ConnectTimeout, ConnectionRefused},
        CallResult, Phase,
    },
    clock::SystemClock,
    connector::{NativeConnector, Proxying},
    stage::Stage,
    view::ExportView,
};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    proxy::{Seen, rule::whole},
    story::attempts,
    world::{ADA, week},
};
use std::sync::Arc;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::{
    kinds::{Kind, Story, Waits},
    tls,
};

/// Whether an attempt of this kind did not leave, for this reason; after a submit or a cancel that was
/// lost, the ask that comes before the next one.
fn did_not_leave(view: &ExportView, kind: Kind, reason: CallReason) -> bool {
    let asks_first = match kind {
        Kind::Submit => Some(AttemptKind::Lookup),
        Kind::Cancel => Some(AttemptKind::Poll),
        Kind::Describe
        | Kind::Catalogue
        | Kind::Key
        | Kind::Traits
        | Kind::Poll
        | Kind::Abandon
        | Kind::File => None,
    };
    let meant = view
        .attempts
        .iter()
        .filter(|attempt| attempt.kind == kind.attempt() || Some(attempt.kind) == asks_first);
    meant.into_iter().any(|attempt| {
        attempt.call_result == Some(CallResult::NotSent)
            && attempt.reason.as_deref() == Some(reason.as_str())
    })
}

/// How the network goes in the middle of a call.
#[derive(Clone, Copy, Debug)]
enum Away {
    /// Nobody listens.
    Refused,
    /// Nobody answers at all.
    Silent,
}

/// The network goes in the middle of a call of this kind, stays away for the next ones, and comes
/// back.
async fn away(kind: Kind, how: Away) {
    let waits = match how {
        Away::Refused => Waits::Long,
        Away::Silent => Waits::Briefly,
    };
    let mut story = Story::before(kind, waits).await;
    let stalls = Rule::new(kind.call(), Toward::Nowhere, Back::Stall);
    let id = story.meet(Some(stalls)).await;
    story.world.proxy.until_stalled(kind.call()).await;
    let reason = match how {
        Away::Refused => {
            story.world.proxy.refuse().await;
            ConnectionRefused
        }
        Away::Silent => {
            story.world.proxy.black_hole().await;
            ConnectTimeout
        }
    };
    let waits = |view: &ExportView| did_not_leave(view, kind, reason);
    story.client.until(&id, reason.as_str(), waits).await;
    story.world.proxy.clear();
    story.world.proxy.listen();
    let end = story.end().await;
    let first = attempts(&end, kind.attempt())[0];
    let lost = if kind == Kind::Catalogue { CallResult::NotSent } else { CallResult::Lost };
    assert_eq!(first.call_result, Some(lost), "{kind:?}: {first:?}");
    story.client.close().await;
}

async fn all_away(how: Away) {
    let playing = Kind::ALL.map(|kind| tokio::spawn(away(kind, how)));
    for (kind, task) in Kind::ALL.into_iter().zip(playing) {
        task.await.unwrap_or_else(|error| unreachable!("{kind:?}: {error}"));
    }
}

#[tokio::test]
async fn nobody_listens_any_more() {
    all_away(Away::Refused).await;
}

#[tokio::test]
async fn a_black_hole() {
    all_away(Away::Silent).await;
}

#[tokio::test]
async fn a_connection_that_was_closed_while_it_rested() {
    let world = World::new().await;
    let client = world.client().await;
    let rests = |on| Rule::new(on, Toward::Service, Back::AnswerAndClose).always();
    world.proxy.rules([Rule::lose_answer(Call::Submit), rests(Call::Key), rests(Call::Job)]);
    let id = client.ask(week()).await;
    client.until_saved(&id).await;
    // One attempt, one request: what the pool opens anew, it does not send twice.
    let seen = world.proxy.seen();
    let of_the_export = |seen: &&Seen| seen.attempt.as_deref().is_some_and(|no| no != "0");
    let asked = seen.iter().filter(of_the_export);
    let numbers: Vec<_> = asked.map(|seen| seen.attempt.clone()).collect();
    let mut once = numbers.clone();
    once.dedup();
    assert_eq!(numbers, once, "{seen:#?}");
    world.holds(&[&client]);
}

/// A client of a service elsewhere, which can not be reached.
async fn client_of(world: &World, address: &str, proxying: Proxying) -> Client {
    let connector = NativeConnector::through(&proxying, Arc::new(SystemClock));
    let connector = Arc::new(connector.expect("a connector can be made"));
    let client = world.open_client(|options| options.connector = Some(connector)).await;
    client.add_service(address, ADA).await;
    client
}

/// An export waits, nothing of it has left, and the reason is told; withdrawn, it was never sent.
async fn waits_because(client: &Client, reason: CallReason, phase: Phase) {
    let id = client.ask(week()).await;
    let waits = |view: &ExportView| {
        let told = |reason: &str| {
            view.attempts.iter().any(|attempt| attempt.reason.as_deref() == Some(reason))
        };
        view.stage == Stage::WaitingToSend && told(reason.as_str())
    };
    let waiting = client.until(&id, reason.as_str(), waits).await;
    for attempt in &waiting.attempts {
        assert_eq!(attempt.kind, AttemptKind::Describe, "{attempt:?}");
        assert_eq!(attempt.call_result, Some(CallResult::NotSent), "{attempt:?}");
        assert_eq!(attempt.phase, Some(phase), "{attempt:?}");
    }
    client.engine.cancel(&id).await.expect("what was not sent can be withdrawn");
    let end = client.until_stage(&id, Stage::NotCreated).await;
    assert_eq!(end.reason.as_deref(), Some("withdrawn"));
}

#[tokio::test]
async fn a_name_without_an_address() {
    let world = World::new().await;
    let client = client_of(&world, "https://docket.invalid", Proxying::Direct).await;
    waits_because(&client, CallReason::HostNotFound, Phase::Resolve).await;
}

#[tokio::test]
async fn a_certificate_that_nobody_vouches_for() {
    let world = World::new().await;
    let server = tls::SelfSigned::start();
    let client = client_of(&world, &server.url(), Proxying::Direct).await;
    waits_because(&client, CertificateUntrusted, Phase::Secure).await;
    client.close().await;
    assert_eq!(server.plain_bytes(), 0, "no byte of a request");
}

#[tokio::test]
async fn something_else_than_tls() {
    let world = World::new().await;
    let address = always_answering(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()).await;
    let client = client_of(&world, &format!("https://{address}"), Proxying::Direct).await;
    waits_because(&client, CallReason::TlsFailed, Phase::Secure).await;
}

#[tokio::test]
async fn a_proxy_that_opens_no_tunnel() {
    for (status, reason) in [
        ("502 Bad Gateway", CallReason::ProxyRefused),
        ("403 Forbidden", CallReason::ProxyRefused),
        ("407 Proxy Authentication Required", CallReason::ProxySignIn),
    ] {
        let world = World::new().await;
        let refusal = whole(status, "text/html", &[], "<p>no</p>");
        let proxy = format!("http://{}", always_answering(refusal).await);
        let through = Proxying::Through(proxy.parse().expect("an address"));
        let client = client_of(&world, "https://docket.invalid", through).await;
        waits_because(&client, reason, Phase::Connect).await;
        client.close().await;
    }
}

/// Somebody who answers whatever comes with these bytes.
async fn always_answering(bytes: Vec<u8>) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("a bound socket has an address");
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut first = [0; 4096];
            // One who goes before it hears the answer does not want it.
            if stream.read(&mut first).await.is_ok() {
                drop(stream.write_all(&bytes).await);
            }
        }
    });
    address
}
