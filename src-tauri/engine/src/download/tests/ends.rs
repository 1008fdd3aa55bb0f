//! How a fetch can end, and that nothing gets a name that is not whole and right.

use std::path::Path;

use super::*;
use crate::clock::{Clock, SystemClock};

#[tokio::test]
async fn bytes_that_are_not_the_announced_ones_are_thrown_away() {
    let mut wrong = bytes();
    wrong[123_456] ^= 1;
    let rig = Rig::new([Behaviour::Answer(file_answer("200 OK", "", &wrong))]).await;
    assert_eq!(rig.fetch().await, FetchEnd::WrongDigest);
    assert_eq!(rig.names(), [] as [String; 0]);
}

#[tokio::test]
async fn the_answers_digest_serves_where_the_job_gives_none() {
    let mut wrong = bytes();
    wrong[0] ^= 1;
    let head = format!("Repr-Digest: {}\r\n", digest_of(&bytes()));
    let answers = [file_answer("200 OK", &head, &wrong), file_answer("200 OK", &head, &bytes())];
    let mut rig = Rig::new(answers.map(Behaviour::Answer)).await;
    rig.fetch.file.digest = None;
    assert_eq!(rig.fetch().await, FetchEnd::WrongDigest);
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
}

#[tokio::test]
async fn a_file_of_another_size_is_not_taken() {
    let mut longer = bytes();
    longer.push(0);
    let rig = Rig::new([Behaviour::Answer(file_answer("200 OK", "", &longer))]).await;
    let reason = CallReason::Mismatched;
    assert_eq!(rig.fetch().await, FetchEnd::Interrupted { reason, kept: 0, gained: 0 });

    // Without a length only the bytes tell.
    let mut endless = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\n".to_vec();
    endless.extend_from_slice(&longer);
    let rig = Rig::new([Behaviour::Answer(endless)]).await;
    assert_eq!(rig.fetch().await, FetchEnd::WrongDigest);
    let mut short = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\n".to_vec();
    short.extend_from_slice(&bytes()[..1000]);
    let rig = Rig::new([Behaviour::Answer(short)]).await;
    let reason = CallReason::Truncated;
    assert_eq!(rig.fetch().await, FetchEnd::Interrupted { reason, kept: 1000, gained: 1000 });
    assert!(!rig.names().contains(&"orders.csv".to_owned()));
}

#[tokio::test]
async fn an_empty_file_is_a_file() {
    let mut rig = Rig::new([Behaviour::Answer(file_answer("200 OK", "", b""))]).await;
    rig.fetch.file.size = 0;
    rig.fetch.file.digest = Some(digest_of(b""));
    assert!(matches!(rig.fetch().await, FetchEnd::Saved { size: 0, .. }));
    assert_eq!(
        rig.server.settled().await.requests.len(),
        1,
        "permission is looked at all the same"
    );
}

#[tokio::test]
async fn no_other_file_is_replaced() {
    let rig = Rig::new([whole()]).await;
    let mine = rig.folder.path().join("orders.csv");
    fs::write(&mine, "mine").unwrap();
    fs::create_dir(rig.folder.path().join("orders (2).csv")).unwrap();
    assert_eq!(rig.fetch().await, rig.saved("orders (3).csv", Verified::Digest));
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
}

#[tokio::test]
async fn the_services_name_is_never_a_path() {
    let mut rig = Rig::new([whole()]).await;
    rig.fetch.file.name = "../../orders\u{202E}.csv".to_owned();
    assert_eq!(rig.fetch().await, rig.saved("_.._orders.csv", Verified::Digest));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_the_place_of_the_part_is_not_written_through() {
    let rig = Rig::new([whole()]).await;
    let elsewhere = rig.folder.path().join("precious");
    fs::write(&elsewhere, "precious").unwrap();
    std::os::unix::fs::symlink(&elsewhere, rig.part()).unwrap();
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(fs::read_to_string(elsewhere).unwrap(), "precious");
}

#[tokio::test]
async fn a_refusal_says_what_stands_in_the_way() {
    let html = |status| Behaviour::Answer(answer(status, "Content-Type: text/html\r\n", "<p>"));
    let lost = |reason| FetchEnd::Interrupted { reason, kept: 0, gained: 0 };
    let rows = [
        (problem("401 Unauthorized", "unauthenticated"), FetchEnd::SignIn),
        (html("401 Unauthorized"), lost(CallReason::NotTheService)),
        (problem("403 Forbidden", "forbidden"), FetchEnd::AccessWithdrawn),
        (html("403 Forbidden"), lost(CallReason::NotTheService)),
        (problem("410 Gone", "file-expired"), FetchEnd::FileGone),
        (html("410 Gone"), lost(CallReason::NotTheService)),
        (problem("404 Not Found", "not-found"), lost(CallReason::ServiceError)),
        (problem("409 Conflict", "not-ready"), lost(CallReason::ServiceError)),
        (html("503 Service Unavailable"), lost(CallReason::ServiceError)),
        (html("502 Bad Gateway"), lost(CallReason::ServiceError)),
        (html("302 Found"), lost(CallReason::Redirect)),
        (html("200 OK"), lost(CallReason::NotTheService)),
        (
            Behaviour::Answer(file_answer("200 OK", "Content-Encoding: gzip\r\n", b"x")),
            lost(CallReason::Undecodable),
        ),
        (
            Behaviour::Answer(file_answer("206 Partial Content", "", b"x")),
            lost(CallReason::Undecodable),
        ),
    ];
    for (behaviour, end) in rows {
        let row = format!("{behaviour:?}");
        let rig = Rig::new([behaviour]).await;
        assert_eq!(rig.fetch().await, end, "{row}");
        assert_eq!(rig.server.settled().await.requests.len(), 1, "{row}");
    }
}

/// Where a file lies.
#[derive(Clone, Copy)]
enum Lies {
    Here,
    Elsewhere,
}

/// An answer to come back later, as the service or as a plain host gives it.
fn later(status: &str, head: &str, kind: Option<&str>) -> Behaviour {
    let (media, body) = match kind {
        Some(kind) => (
            "application/problem+json",
            format!("{{\"type\": \"urn:docket:problem:{kind}\", \"status\": {}}}", &status[..3]),
        ),
        None => ("application/xml", "<Error/>".to_owned()),
    };
    let head = format!("Content-Type: {media}\r\n{head}");
    Behaviour::Answer(answer(status, &head, &body))
}

#[tokio::test]
async fn whoever_keeps_the_file_says_when_to_come_back() {
    let (busy, full) = ("429 Too Many Requests", "503 Service Unavailable");
    let after = |seconds| format!("Retry-After: {seconds}\r\n");
    for (lies, answers, seconds) in [
        (Lies::Here, later(busy, &after("600"), Some("rate-limited")), 600),
        (Lies::Here, later(full, &after("9999999999"), Some("unavailable")), 3600),
        (Lies::Here, later(full, "", Some("unavailable")), 1),
        (Lies::Here, later(full, &after("soon"), Some("unavailable")), 1),
        (Lies::Elsewhere, later(full, &after("7200"), None), 3600),
        (Lies::Elsewhere, later(busy, &after("30"), None), 30),
    ] {
        let row = format!("{answers:?}");
        let mut rig = Rig::new([answers.clone(), whole()]).await;
        let other = Server::start([answers, whole()]).await;
        match lies {
            Lies::Here => {}
            Lies::Elsewhere => rig.fetch.file.href = format!("{}/bucket/x", other.url()),
        }
        let began = SystemClock.now();
        let call = call(&rig.server.url());
        let end = fetch(&connector(), &call, &rig.fetch, &rig.stop, &rig.done).await;
        let AttemptResult::Deferred { until: DeferUntil::Time(until) } = end.result else {
            panic!("{row}: {:?}", end.result)
        };
        let waits = until.duration_since(began).as_secs();
        assert!((seconds..=seconds + 2).contains(&waits), "{row}: {waits} s");
        assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest), "{row}");
    }
}

#[tokio::test]
async fn a_gateway_in_the_services_place_says_nothing_of_when() {
    let head = "Retry-After: 600\r\n";
    let gateway = later("503 Service Unavailable", head, None);
    let rig = Rig::new([gateway]).await;
    let reason = CallReason::ServiceError;
    assert_eq!(rig.fetch().await, FetchEnd::Interrupted { reason, kept: 0, gained: 0 });
}

#[tokio::test]
async fn a_range_that_is_not_there_begins_again() {
    let none = problem("416 Range Not Satisfiable", "range");
    let rig = Rig::new([cut(70_000), none, whole()]).await;
    rig.fetch().await;
    let reason = CallReason::Mismatched;
    assert_eq!(rig.fetch().await, FetchEnd::Interrupted { reason, kept: 0, gained: 0 });
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
}

#[tokio::test]
async fn another_host_gets_no_credential_and_ends_no_session() {
    let refusals = ["400 Bad Request", "401 Unauthorized", "403 Forbidden", "410 Gone"];
    let behaviours = refusals.map(|status| match &status[..3] {
        "401" => problem(status, "unauthenticated"),
        _ => Behaviour::Answer(answer(status, "Content-Type: application/xml\r\n", "<Error/>")),
    });
    let elsewhere = Server::start(behaviours.into_iter().chain([whole()])).await;
    let mut rig = Rig::new([whole()]).await;
    rig.fetch.file.href = format!("{}/bucket/x?signature=abc", elsewhere.url());
    for status in refusals {
        let reason = CallReason::NotTheService;
        let end = rig.fetch().await;
        assert_eq!(end, FetchEnd::Interrupted { reason, kept: 0, gained: 0 }, "{status}");
    }
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    for request in elsewhere.settled().await.requests {
        let request = request.to_ascii_lowercase();
        assert!(!request.contains("s3cret") && !request.contains("traceparent"), "{request}");
    }
    assert_eq!(rig.server.seen().opened, 0);
    rig.fetch.file.href = "http://files.example/x".to_owned();
    let end = rig.fetch().await;
    let reason = CallReason::RequestInvalid;
    assert_eq!(end, FetchEnd::Interrupted { reason, kept: 0, gained: 0 }, "plain http elsewhere");
}

#[tokio::test]
async fn a_folder_that_can_not_be_written_is_named_with_the_systems_reason() {
    let mut rig = Rig::new([whole()]).await;
    let in_the_way = rig.folder.path().join("file");
    fs::write(&in_the_way, "").unwrap();
    rig.fetch.folder = in_the_way.join("downloads");
    let end = rig.fetch().await;
    let FetchEnd::CannotWrite { folder, reason, kept: 0 } = end else { panic!("{end:?}") };
    assert_eq!(folder, rig.fetch.folder);
    assert!(!reason.is_empty());
    assert_eq!(rig.server.seen().opened, 0, "no byte is fetched that can not be written");
}

#[tokio::test]
async fn a_name_that_can_not_be_given_keeps_the_whole_file_until_it_can() {
    let rig = Rig::new([whole()]).await;
    let taken = |n: u32| rig.folder.path().join(crate::file_name::numbered("orders.csv", n));
    fs::write(rig.folder.path().join("orders.csv"), "").unwrap();
    (2..=1000).for_each(|n| fs::write(taken(n), "").unwrap());
    let end = rig.fetch().await;
    let FetchEnd::CannotWrite { kept, .. } = end else { panic!("{end:?}") };
    assert_eq!(kept, bytes().len() as u64, "all of it is here, without its name");
    assert_eq!(fs::read(rig.part()).unwrap(), bytes());

    fs::remove_file(taken(7)).unwrap();
    assert_eq!(rig.fetch().await, rig.saved("orders (7).csv", Verified::Digest));
    assert_eq!(rig.server.settled().await.requests.len(), 1, "fetched once");
    assert!(!rig.part().exists());
}

#[tokio::test]
async fn a_folder_that_is_missing_is_made() {
    let mut rig = Rig::new([whole()]).await;
    rig.fetch.folder = rig.folder.path().join("a/b");
    let end = rig.fetch().await;
    assert!(
        matches!(end, FetchEnd::Saved { path, .. } if path == rig.fetch.folder.join("orders.csv"))
    );
}

#[tokio::test]
async fn a_disk_that_is_too_full_is_found_out_before_the_request() {
    let mut rig = Rig::new([whole()]).await;
    rig.fetch.file.size = 1 << 60;
    let end = rig.fetch().await;
    let FetchEnd::NoSpace { needed, free, kept: 0 } = end else { panic!("{end:?}") };
    assert!(needed == 1 << 60 && free > 0);
    assert_eq!(rig.server.seen().opened, 0);
}

#[test]
fn a_disk_that_fills_up_on_the_way_is_no_refusal_of_the_folder() {
    let fetch = Fetch {
        export: ExportId::from_text("E-1"),
        job: BusinessId::from_text("J-1"),
        file: ExportFile {
            name: "orders.csv".to_owned(),
            size: 100,
            media_type: "text/csv".to_owned(),
            digest: None,
            href: "/".to_owned(),
        },
        folder: Path::new(".").to_owned(),
    };
    let end = |kind: io::ErrorKind| obstacle(&fetch, &kind.into(), 40);
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        assert!(matches!(end(kind), FetchEnd::NoSpace { needed: 60, kept: 40, .. }));
    }
    assert!(matches!(end(io::ErrorKind::PermissionDenied), FetchEnd::CannotWrite { .. }));
    assert!(matches!(end(io::ErrorKind::ReadOnlyFilesystem), FetchEnd::CannotWrite { .. }));
}
