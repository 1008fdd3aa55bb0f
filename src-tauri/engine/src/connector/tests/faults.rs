//! Each row of the table in facts.md: one attempt, at most one request, and the side of the
//! boundary that it really ended on.

use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use url::Url;

use super::{
    server::{Behaviour, Seen, Server},
    *,
};
use crate::attempt::{AttemptResult, CallReason, CallResult, Phase};

fn not_sent(reason: CallReason) -> AttemptResult {
    AttemptResult::NotSent { reason }
}

fn lost(phase: Phase, reason: CallReason) -> AttemptResult {
    AttemptResult::Lost { phase, reason, hint: None }
}

/// An address where nobody listens.
async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    listener.local_addr().unwrap().to_string()
}

/// Submits once to a server that behaves so.
async fn submit_to(behaviour: Behaviour) -> (AttemptEnd, Seen) {
    let server = Server::start([behaviour]).await;
    let mut call = call(&server.url());
    call.timeouts.submit = Duration::from_millis(500);
    let end = connector().submit(&call, &submit()).await;
    (end, server.settled().await)
}

/// Submits once through this proxy, or to this address.
async fn submit_by(proxying: Proxying, address: &str) -> AttemptEnd {
    let connector = NativeConnector::through(&proxying, Arc::new(SystemClock)).unwrap();
    connector.submit(&call(address), &submit()).await
}

fn proxy(address: impl std::fmt::Display) -> Proxying {
    Proxying::Through(Url::parse(&format!("http://{address}")).unwrap())
}

#[tokio::test]
async fn refused_is_not_sent() {
    let end = submit_by(Proxying::Direct, &format!("http://{}", nobody().await)).await;
    assert_eq!(end.result, not_sent(CallReason::ConnectionRefused));
    assert_eq!(end.phases.last().map(|mark| mark.phase), Some(Phase::Connect));
}

#[tokio::test]
async fn a_name_without_an_address_is_not_sent() {
    let end = submit_by(Proxying::Direct, "https://docket.invalid").await;
    assert_eq!(end.result, not_sent(CallReason::HostNotFound));
    assert_eq!(end.phases.last().map(|mark| mark.phase), Some(Phase::Resolve));
}

#[tokio::test]
async fn garbage_in_the_handshake_is_not_sent() {
    let server =
        Server::start([Behaviour::Raw(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec())]).await;
    let end = submit_by(Proxying::Direct, &format!("https://{}", server.address)).await;
    assert_eq!(end.result, not_sent(CallReason::TlsFailed));
    assert_eq!(end.phases.last().map(|mark| mark.phase), Some(Phase::Secure));
    assert!(server.settled().await.requests.is_empty());
}

#[tokio::test]
async fn a_handshake_that_is_closed_is_not_sent() {
    let server = Server::start([Behaviour::CloseAtOnce]).await;
    let end = submit_by(Proxying::Direct, &format!("https://{}", server.address)).await;
    assert_eq!(end.result.call_result(), CallResult::NotSent);
    assert_eq!(server.settled().await.requests, [] as [String; 0]);
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_not_sent() {
    let end = submit_by(proxy(nobody().await), "https://docket.invalid").await;
    assert_eq!(end.result, not_sent(CallReason::ConnectionRefused));
}

#[tokio::test]
async fn a_proxy_that_refuses_the_tunnel_is_not_sent() {
    let rows = [
        ("502 Bad Gateway", CallReason::ProxyRefused),
        ("403 Forbidden", CallReason::ProxyRefused),
        ("407 Proxy Authentication Required", CallReason::ProxySignIn),
    ];
    for (status, reason) in rows {
        let refusal = server::answer(status, "Content-Type: text/html\r\n", "<p>no</p>");
        let server = Server::start([Behaviour::Answer(refusal)]).await;
        let end = submit_by(proxy(server.address), "https://docket.invalid").await;
        assert_eq!(end.result, not_sent(reason), "{status}");
        let seen = server.settled().await;
        assert_eq!(seen.requests.len(), 1, "the CONNECT alone");
        assert!(seen.requests[0].starts_with("CONNECT docket.invalid:443 "));
        assert!(!seen.requests[0].contains("s3cret"));

        // A look goes over connections that may have been open: this one was not.
        let through = NativeConnector::through(&proxy(server.address), Arc::new(SystemClock));
        let looks = call("https://docket.invalid");
        let end = through.unwrap().poll(&looks, &BusinessId::from_text("J-1"), None).await;
        assert_eq!(end.result, not_sent(reason), "{status}");
    }
}

#[tokio::test]
async fn a_call_to_this_computer_takes_no_proxy() {
    let server = Server::start([Behaviour::Answer(receipt())]).await;
    let end = submit_by(proxy(nobody().await), &server.url()).await;
    assert_eq!(end.result, AttemptResult::Found { job: Box::new(job()) });
}

/// A listener that takes no more connections: its backlog is full.
#[cfg(target_os = "linux")]
async fn full() -> (TcpListener, Vec<TcpStream>) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    // The system takes one more than it was told.
    for _ in 0..2 {
        waiting.push(TcpStream::connect(address).await.unwrap());
    }
    (listener, waiting)
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_that_does_not_open_in_time_is_not_sent() {
    let (listener, _waiting) = full().await;
    let address = format!("http://{}", listener.local_addr().unwrap());
    let mut slow = call(&address);
    slow.timeouts.connect = Duration::from_millis(100);
    let end = connector().submit(&slow, &submit()).await;
    assert_eq!(end.result, not_sent(CallReason::ConnectTimeout));

    let mut slow = call(&address);
    slow.timeouts.submit = Duration::from_millis(100);
    let end = connector().submit(&slow, &submit()).await;
    assert_eq!(end.result, not_sent(CallReason::ConnectTimeout), "the time of the whole call");
    assert_eq!(slow.progress.boundary(), Boundary::Barred);
}

#[tokio::test]
async fn closed_at_once_is_not_sent_only_where_the_server_read_nothing() {
    for _ in 0..20 {
        let (end, seen) = submit_to(Behaviour::CloseAtOnce).await;
        // Which of the two it is depends on who is quicker; that it is the truth does not.
        if end.result.call_result() == CallResult::NotSent {
            assert_eq!(seen.bytes, 0);
        } else {
            assert_eq!(end.result.call_result(), CallResult::Lost);
        }
        assert_eq!(seen.opened, 1, "one attempt, one connection");
    }
}

#[tokio::test]
async fn closed_or_reset_after_the_boundary_is_lost() {
    let rows = [
        Behaviour::CloseAfter(Duration::from_millis(20)),
        Behaviour::ResetAfter(Duration::from_millis(200)),
    ];
    for behaviour in rows {
        let (end, seen) = submit_to(behaviour.clone()).await;
        let reasons = [CallReason::Reset, CallReason::ClosedWithoutAnswer];
        let AttemptResult::Lost { phase: Phase::Await, reason, hint: None } = end.result else {
            panic!("{behaviour:?}: {:?}", end.result);
        };
        assert!(reasons.contains(&reason), "{behaviour:?}: {reason}");
        assert_eq!((seen.opened, end.http_status), (1, None));
    }
}

#[tokio::test]
async fn what_comes_after_a_whole_request_and_is_no_answer_is_lost() {
    let rows: [(&str, Behaviour, AttemptResult); 6] = [
        (
            "closed without a byte",
            Behaviour::Answer(Vec::new()),
            lost(Phase::Await, CallReason::ClosedWithoutAnswer),
        ),
        (
            "garbage",
            Behaviour::Answer(b"\x16\x03\x01\x00\xff garbage \r\n\r\n".to_vec()),
            lost(Phase::Await, CallReason::Garbled),
        ),
        (
            "half a status line",
            Behaviour::Answer(b"HTTP/1.1 20".to_vec()),
            lost(Phase::Await, CallReason::ClosedWithoutAnswer),
        ),
        ("silence", Behaviour::Stall(Vec::new()), lost(Phase::Await, CallReason::Timeout)),
        (
            "half a head, then silence",
            Behaviour::Stall(b"HTTP/1.1 202 Accepted\r\nDate:".to_vec()),
            lost(Phase::Await, CallReason::Timeout),
        ),
        (
            "a head without an end",
            Behaviour::Answer(
                b"HTTP/1.1 202 Accepted\r\nLocation: /v1/tenants/t1/exports/J-1\r\n".to_vec(),
            ),
            lost(Phase::Await, CallReason::ClosedWithoutAnswer),
        ),
    ];
    for (row, behaviour, result) in rows {
        let (end, seen) = submit_to(behaviour).await;
        assert_eq!(end.result, result, "{row}");
        assert_eq!((seen.opened, seen.requests.len()), (1, 1), "{row}");
        assert_eq!((end.http_status, end.service_time), (None, None), "{row}");
    }
}

#[tokio::test]
async fn an_answer_cut_in_its_body_is_lost_and_its_location_a_hint() {
    let whole = receipt();
    let body = whole.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap() + 4;
    let rows = [
        ("cut", Behaviour::Answer(whole[..body + 20].to_vec()), CallReason::Truncated),
        ("cut before the body", Behaviour::Answer(whole[..body].to_vec()), CallReason::Truncated),
        ("stalled", Behaviour::Stall(whole[..body + 20].to_vec()), CallReason::Timeout),
    ];
    for (row, behaviour, reason) in rows {
        let (end, seen) = submit_to(behaviour).await;
        let hint = Some("J-1".to_owned());
        assert_eq!(
            end.result,
            AttemptResult::Lost { phase: Phase::Receive, reason, hint },
            "{row}"
        );
        assert_eq!(end.http_status, Some(202), "{row}");
        assert_eq!((seen.opened, seen.requests.len()), (1, 1), "{row}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let there = Server::start([Behaviour::Answer(receipt())]).await;
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let head = format!("Location: {}/v1/tenants/t1/exports/J-1\r\n", there.url());
        let redirect = server::answer(status, &head, "");
        let (end, seen) = submit_to(Behaviour::Answer(redirect.clone())).await;
        assert_eq!(end.result, lost(Phase::Decode, CallReason::Redirect), "{status}");
        assert_eq!(seen.requests.len(), 1, "{status}");
        let here = Server::start([Behaviour::Answer(redirect)]).await;
        let end = connector().poll(&call(&here.url()), &BusinessId::from_text("J-1"), None).await;
        assert_eq!(end.result, lost(Phase::Decode, CallReason::Redirect), "{status}");
    }
    assert_eq!(there.seen(), Seen::default());
}

#[tokio::test]
async fn a_pooled_connection_that_was_closed_asks_again_by_itself_but_once() {
    // Of an ask a fault proves nothing, so the pool may open a new connection for it. What matters:
    // the server sees one request for one call.
    let found = server::answer(
        "200 OK",
        "Content-Type: application/json\r\n",
        &serde_json::to_string(&job()).unwrap(),
    );
    let server = Server::start([Behaviour::Answer(found)]).await;
    let connector = connector();
    for asked in 1..=3 {
        let end = connector.poll(&call(&server.url()), &BusinessId::from_text("J-1"), None).await;
        assert_eq!(end.result, AttemptResult::Found { job: Box::new(job()) });
        assert_eq!(server.settled().await.requests.len(), asked);
    }
}

#[tokio::test]
async fn a_look_that_breaks_on_a_used_connection_is_lost_and_not_called_unsent() {
    let found = server::answer(
        "200 OK",
        "Content-Type: application/json\r\n",
        &serde_json::to_string(&job()).unwrap(),
    );
    let read_and_closed = Behaviour::Answer(Vec::new());
    let server = Server::start([Behaviour::AnswerAndStay(found), read_and_closed]).await;
    let (connector, job) = (connector(), BusinessId::from_text("J-1"));
    connector.poll(&call(&server.url()), &job, None).await;
    let end = connector.poll(&call(&server.url()), &job, None).await;
    assert_eq!(end.result.call_result(), CallResult::Lost, "{end:?}");
    assert!(end.phases.iter().any(|mark| mark.phase == Phase::Send), "{end:?}");
    assert_eq!(server.settled().await.requests.len(), 2);
}

#[tokio::test]
async fn what_can_change_something_never_goes_over_a_used_connection() {
    let server = Server::start([Behaviour::AnswerAndStay(receipt())]).await;
    let connector = connector();
    for sent in 1..=3 {
        connector.submit(&call(&server.url()), &submit()).await;
        connector.abandon(&call(&server.url()), FIRST_SENT).await;
        connector.cancel(&call(&server.url()), &BusinessId::from_text("J-1")).await;
        let seen = server.settled().await;
        assert_eq!((seen.opened, seen.requests.len()), (3 * sent, 3 * sent));
    }
}
