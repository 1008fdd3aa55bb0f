//! A file that lies somewhere else under a signed address: it runs out, is busy, lies about ranges.

use docket_engine::{
    attempt::{AttemptKind, CallResult, Verified},
    journal::Hold,
    stage::Stage,
};
use docket_tests::{
    At, Back, Call, Client, Message, Proxy, Rule, Toward, World,
    proxy::rule::{page, problem, whole},
    story::{attempts, ended},
    world::week,
};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

/// What a file host says of an address that has run out.
fn run_out(status: &str) -> Vec<u8> {
    whole(status, "application/xml", &[], "<Error><Code>AccessDenied</Code></Error>")
}

/// The whole file as its host gives it.
fn given(bytes: &[u8]) -> Vec<u8> {
    let mut answer = whole("200 OK", "text/csv", &[("etag", "\"v1\"")], "");
    let head = String::from_utf8(std::mem::take(&mut answer)).expect("a head is text");
    let length = format!("content-length: {}", bytes.len());
    [head.replace("content-length: 0", &length).as_bytes(), bytes].concat()
}

/// A job that is done, whose file lies at another host under an address that is new in each answer.
struct Elsewhere {
    world: World,
    client: Client,
    /// Between the client and the file's own host, which gives the whole file whatever is asked.
    host: Proxy,
    _origin: Proxy,
    id: docket_engine::export::ExportId,
    bytes: Vec<u8>,
}

impl Elsewhere {
    /// Its client has not heard yet that the job is done.
    async fn new() -> Self {
        Self::told(u32::MAX).await
    }

    /// The same where so many polls are told an address.
    async fn told(times: u32) -> Self {
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([Rule::new(Call::Job, Toward::Nowhere, Back::Stall)]);
        let id = client.ask(week()).await;
        world.proxy.until_stalled(Call::Job).await;
        docket_tests::in_time("the job ends", async {
            while world.rows().jobs()[0].status != "succeeded" {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let files = std::fs::read_dir(world.path("files")).expect("the service keeps files");
        let file = files.map(|file| file.expect("a file").path()).next().expect("one file");
        let bytes = std::fs::read(file).expect("the file can be read");
        let origin = Proxy::start(world.service().address());
        origin.rules([Rule::instead(Call::Any, given(&bytes)).always()]);
        let host = Proxy::start(origin.url()["http://".len()..].parse().expect("an address"));
        let (url, signed) = (host.url(), AtomicU32::new(0));
        let address = move |answer: &mut Message| {
            let number = signed.fetch_add(1, Ordering::Relaxed);
            answer.edit_json(|job| {
                let href = format!("{url}/bucket/report.csv?signature=s3cret-{number}");
                job["file"]["href"] = href.into();
            });
        };
        let edit = Rule::new(Call::Job, Toward::Service, Back::Edited(Arc::new(address)));
        world.proxy.rules([edit.times(times)]);
        Self { world, client, host, _origin: origin, id, bytes }
    }

    /// The rest of it with these answers of the host, one after another.
    async fn saved_through(&self, answers: Vec<Rule>) -> docket_engine::view::ExportView {
        self.host.rules(answers);
        self.world.proxy.release();
        self.client.until_saved(&self.id).await
    }
}

fn host(answer: Vec<u8>) -> Rule {
    Rule::instead(Call::Any, answer)
}

#[tokio::test]
async fn an_address_that_ran_out_is_asked_for_anew_and_ends_no_session() {
    let there = Elsewhere::new().await;
    let refusals = ["403 Forbidden", "400 Bad Request", "401 Unauthorized", "410 Gone"];
    let saved = there.saved_through(refusals.map(|status| host(run_out(status))).into()).await;
    let file = saved.file.clone().expect("a file");
    assert_eq!(file.verified, Verified::Digest);
    assert_eq!(std::fs::read(&file.path).unwrap(), there.bytes);
    for view in there.client.witness.views_of(&there.id) {
        assert!(!matches!(view.hold, Some(Hold::SignIn | Hold::AccessWithdrawn)), "{view:?}");
    }
    // A fresh address, from a poll that looks at the permission anew, before each try.
    let asked: Vec<String> = there.host.seen().into_iter().map(|seen| seen.target).collect();
    let fresh: std::collections::BTreeSet<&String> = asked.iter().collect();
    assert_eq!((asked.len(), fresh.len()), (5, 5), "{asked:?}");
    assert!(there.world.proxy.seen_of(Call::Job).len() >= 5);
    assert_eq!(there.world.rows().jobs().len(), 1);
    there.world.holds(&[&there.client]);
}

#[tokio::test]
async fn an_address_that_ran_out_and_access_that_was_withdrawn_is_a_hold() {
    let there = Elsewhere::told(1).await;
    let withdrawn = problem(403, "forbidden", "", &[]);
    there.world.proxy.add_rule(Rule::instead(Call::Job, withdrawn).always());
    there.host.rules([host(run_out("403 Forbidden"))]);
    there.world.proxy.release();
    let held = there
        .client
        .until(&there.id, "held", |view| view.hold == Some(Hold::AccessWithdrawn))
        .await;
    assert_eq!(held.stage, Stage::Downloading);
    assert_eq!(held.next_action_at, None, "nobody is asked for ever");
    there.world.proxy.clear();
    there.client.engine.download(&there.id, None).await.expect("it may be tried again");
    there.client.until_saved(&there.id).await;
    there.world.holds(&[&there.client]);
}

#[tokio::test]
async fn a_host_that_is_busy_is_asked_again_later() {
    let there = Elsewhere::new().await;
    let saved = there
        .saved_through(vec![
            host(whole("429 Too Many Requests", "text/plain", &[], "slow down")),
            host(page(502, "Bad Gateway")),
        ])
        .await;
    assert_eq!(ended(&saved, AttemptKind::Download, CallResult::Lost), 2);
    assert_eq!(saved.business_outcome.as_str(), "succeeded");
    let downloads = attempts(&saved, AttemptKind::Download);
    for (before, after) in downloads.iter().zip(&downloads[1..]) {
        assert!(after.started_at > before.ended_at.expect("it ended"), "one after the other");
    }
    there.world.holds(&[&there.client]);
}

#[tokio::test]
async fn a_host_that_ignores_ranges_or_has_another_file_by_now() {
    let there = Elsewhere::new().await;
    let bytes = there.bytes.clone();
    let half = bytes.len() / 2;
    let range = format!("bytes {half}-{}/{}", bytes.len() - 1, bytes.len());
    let newer = |etag: &str| {
        let headers = [("etag", etag), ("content-range", range.as_str())];
        let tail = String::from_utf8(bytes[half..].to_ascii_uppercase()).expect("a csv is text");
        whole("206 Partial Content", "text/csv", &headers, &tail)
    };
    let cut_off = Rule::new(Call::Any, Toward::Service, Back::Cut(At::Body(half)));
    let saved = there
        .saved_through(vec![
            cut_off.clone(),
            // Another file's tail, behind another tag.
            host(newer("\"v2\"")),
            cut_off.clone(),
            // Another file's tail, and the host swears that it is the same.
            host(newer("\"v1\"")),
            // And then the whole file in answer to a range.
            cut_off,
        ])
        .await;
    let file = saved.file.clone().expect("a file");
    assert_eq!(std::fs::read(&file.path).unwrap(), bytes, "not one byte of another file");
    let words: Vec<_> = attempts(&saved, AttemptKind::Download)
        .into_iter()
        .map(|attempt| attempt.result.clone().unwrap_or_default())
        .collect();
    assert!(words.contains(&"wrong_digest".to_owned()), "{words:?}");
    there.world.holds(&[&there.client]);
}

#[tokio::test]
async fn a_prefix_that_rotted_on_the_disk_is_noticed() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::new(Call::File, Toward::Service, Back::Cut(At::Body(100))),
        Rule::new(Call::File, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::File).await;
    let part = std::fs::read_dir(&client.downloads)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.extension().is_some_and(|ending| ending == "part"))
        .expect("a part");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[29] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    world.proxy.release();
    let saved = client.until_saved(&id).await;
    let file = saved.file.clone().expect("a file");
    assert_eq!(world.rows().jobs()[0].file_sha256.as_deref(), Some(file.digest.as_str()));
    assert_eq!(file.verified, Verified::Digest);
    assert!(ended(&saved, AttemptKind::Download, CallResult::Answered) >= 2, "begun again");
    world.holds(&[&client]);
}

#[tokio::test]
async fn no_more_than_three_files_come_at_once() {
    let world = World::new().await;
    let client = world.client().await;
    world
        .proxy
        .rules([Rule::new(Call::File, Toward::Service, Back::StallAt(At::Body(10))).times(3)]);
    let mut ids = Vec::new();
    for day in 1..=6 {
        let parameters = serde_json::json!({"from": format!("2026-11-0{day}"), "to": "2026-11-07"});
        ids.push(client.ask(parameters).await);
    }
    for id in &ids {
        client.until(id, "done", |view| view.business_outcome.as_str() == "succeeded").await;
    }
    world
        .proxy
        .until(|seen| {
            seen.iter().filter(|seen| seen.call == Call::File && seen.stalled).count() == 3
        })
        .await;
    assert_eq!(world.proxy.seen_of(Call::File).len(), 3, "the others wait for room");
    world.proxy.release();
    for id in &ids {
        let saved = client.until_saved(id).await;
        assert_eq!(saved.stage, Stage::Saved, "each for itself");
    }
    assert_eq!(world.rows().jobs().len(), 6);
    world.holds(&[&client]);
}
