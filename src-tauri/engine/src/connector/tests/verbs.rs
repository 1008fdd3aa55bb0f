//! What each verb puts on the wire.

use std::time::Duration;

use super::{
    server::{Behaviour, Server},
    *,
};

/// The request line and the headers, in lower case, of one call to a server.
async fn request_of(
    send: impl AsyncFnOnce(&NativeConnector, &Call),
) -> (String, Vec<String>, String) {
    let server = Server::start([Behaviour::Answer(receipt())]).await;
    send(&connector(), &call(&server.url())).await;
    let seen = server.settled().await;
    let [request] = &seen.requests[..] else { panic!("{} requests", seen.requests.len()) };
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut lines = head.lines().map(str::to_owned);
    let line = lines.next().unwrap();
    let headers = lines
        .map(|line| {
            let (name, value) = line.split_once(": ").unwrap_or((&line, ""));
            format!("{}: {value}", name.to_ascii_lowercase())
        })
        .collect();
    (line, headers, body.to_owned())
}

#[tokio::test]
async fn a_submit_sends_the_stored_bytes_under_its_key() {
    let (line, headers, body) = request_of(async |connector, call| {
        connector.submit(call, &submit()).await;
    })
    .await;
    assert_eq!(line, "POST /v1/tenants/t1/exports HTTP/1.1");
    assert_eq!(body.as_bytes(), payload().canonical());
    let length = format!("content-length: {}", body.len());
    for header in [
        "idempotency-key: \"0199-key\"",
        "repeatability-first-sent: Tue, 14 Nov 2023 22:13:20 GMT",
        "prefer: respond-async",
        "content-type: application/json",
        "authorization: Bearer s3cret",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "docket-attempt: 3",
        length.as_str(),
    ] {
        assert!(headers.iter().any(|line| line == header), "{header} in {headers:?}");
    }
    assert!(!headers.iter().any(|line| line.starts_with("transfer-encoding")));
}

#[tokio::test]
async fn a_submit_of_any_length_is_sent_whole() {
    let parameters = serde_json::json!({"note": "x".repeat(300_000)});
    let payload = Payload::new("orders", parameters, "csv").unwrap();
    let body = payload.canonical().to_vec();
    let submit = Submit { body: body.clone(), first_sent: FIRST_SENT };
    let (_, _, sent) = request_of(async |connector, call| {
        let mut call = call.clone();
        call.expected.as_mut().unwrap().payload_hash = payload.hash();
        connector.submit(&call, &submit).await;
    })
    .await;
    assert!(sent.as_bytes() == body);
}

#[tokio::test]
async fn looks_and_the_rest_ask_as_the_protocol_says() {
    let id = BusinessId::from_text("J/1 ?");
    let first_sent = FIRST_SENT;
    let key = Target::Key { first_sent };
    let traits = Target::Traits { created_after: FIRST_SENT, created_before: FIRST_SENT };
    let job = Target::Job(id.clone());
    let hash = payload().hash();
    let line = |sent: (String, Vec<String>, String)| sent.0;
    let lines = [
        line(request_of(async |to, call| drop(to.describe(call).await)).await),
        line(request_of(async |to, call| drop(to.catalogue(call).await)).await),
        line(request_of(async |to, call| drop(to.lookup(call, &key).await)).await),
        line(request_of(async |to, call| drop(to.lookup(call, &job).await)).await),
        line(request_of(async |to, call| drop(to.lookup(call, &traits).await)).await),
        line(request_of(async |to, call| drop(to.abandon(call, first_sent).await)).await),
        line(request_of(async |to, call| drop(to.cancel(call, &id).await)).await),
    ];
    let expected = [
        "GET /v1/service HTTP/1.1".to_owned(),
        "GET /v1/tenants/t1/operations HTTP/1.1".to_owned(),
        "GET /v1/tenants/t1/request-keys/0199-key?operation=orders HTTP/1.1".to_owned(),
        "GET /v1/tenants/t1/exports/J%2F1%20%3F HTTP/1.1".to_owned(),
        format!(
            "GET /v1/tenants/t1/exports?operation=orders&payload_hash={hash}\
             &created_after=2023-11-14T22%3A13%3A20Z&created_before=2023-11-14T22%3A13%3A20Z\
             &requested_by=ann HTTP/1.1"
        ),
        "POST /v1/tenants/t1/request-keys/0199-key/abandon?operation=orders HTTP/1.1".to_owned(),
        "POST /v1/tenants/t1/exports/J%2F1%20%3F/cancel HTTP/1.1".to_owned(),
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn only_what_needs_a_credential_carries_it() {
    let (_, headers, _) = request_of(async |to, call| drop(to.describe(call).await)).await;
    assert!(!headers.iter().any(|line| line.starts_with("authorization")), "{headers:?}");
    let (_, headers, _) = request_of(async |to, call| {
        to.abandon(call, FIRST_SENT).await;
    })
    .await;
    assert!(headers.iter().any(|line| line == "authorization: Bearer s3cret"));
    assert!(headers.iter().any(|line| line.starts_with("repeatability-first-sent: ")));
    assert!(headers.iter().any(|line| line == "content-length: 0"), "{headers:?}");
}

#[tokio::test]
async fn a_long_poll_says_how_long_and_has_that_time_on_top() {
    let id = BusinessId::from_text("J-1");
    let (_, headers, _) = request_of(async |to, call| {
        to.poll(call, &id, Some(Duration::from_secs(30))).await;
    })
    .await;
    assert!(headers.iter().any(|line| line == "prefer: wait=30"));
    let (_, headers, _) = request_of(async |to, call| {
        to.poll(call, &id, Some(Duration::from_millis(400))).await;
    })
    .await;
    assert!(!headers.iter().any(|line| line.starts_with("prefer")), "less than a second is none");
}

#[tokio::test]
async fn a_service_is_asked_in_the_language_that_the_person_reads() {
    let server = Server::start([Behaviour::Answer(receipt())]).await;
    let spoken = |language: Option<&str>| {
        let mut call = call(&server.url());
        call.language = language.map(str::to_owned);
        call
    };
    connector().submit(&spoken(Some("zh-CN")), &submit()).await;
    connector().submit(&spoken(None), &submit()).await;
    let seen = server.settled().await;
    assert!(seen.requests[0].to_ascii_lowercase().contains("accept-language: zh-cn\r\n"));
    assert!(!seen.requests[1].to_ascii_lowercase().contains("accept-language"));
}
