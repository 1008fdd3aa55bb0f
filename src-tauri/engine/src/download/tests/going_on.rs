//! A fetch that broke off goes on where it stopped, and never puts a byte where it does not belong.

use super::*;

#[tokio::test]
async fn a_whole_file_is_saved_under_its_name_for_the_user_alone() {
    let rig = Rig::new([whole()]).await;
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(rig.names(), ["orders.csv"]);
    assert_eq!(fs::read(rig.folder.path().join("orders.csv")).unwrap(), bytes());
    assert_eq!(*rig.done.borrow(), bytes().len() as u64);
    let request = last_request(&rig.server).await;
    assert!(request.contains("accept-encoding: identity"), "{request}");
    assert!(request.contains("authorization: bearer s3cret") && !request.contains("range"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = fs::metadata(rig.folder.path().join("orders.csv")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn a_cut_file_goes_on_where_it_stopped() {
    let rig = Rig::new([cut(70_000), rest(70_000, ETAG)]).await;
    let end = rig.fetch().await;
    let reason = CallReason::Truncated;
    assert_eq!(end, FetchEnd::Interrupted { reason, kept: 70_000, gained: 70_000 });
    assert_eq!(rig.names(), ["docket-E-1.part", "docket-E-1.part.json"]);
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    let request = last_request(&rig.server).await;
    assert!(request.contains("range: bytes=70000-\r\n"), "{request}");
    assert!(request.contains("if-range: \"v1\"\r\n"), "{request}");
    assert_eq!(rig.names(), ["orders.csv"]);
}

#[tokio::test]
async fn an_answer_that_is_the_whole_file_begins_again() {
    let rig = Rig::new([cut(70_000), whole()]).await;
    rig.fetch().await;
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(fs::read(rig.folder.path().join("orders.csv")).unwrap(), bytes());
}

#[tokio::test]
async fn a_range_goes_where_it_says_it_belongs() {
    let rig = Rig::new([cut(70_000), rest(30_000, ETAG)]).await;
    rig.fetch().await;
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
}

#[tokio::test]
async fn the_rest_of_another_file_is_not_put_behind_this_one() {
    for other in [rest(70_000, "\"v2\""), rest(70_000, "W/\"v1\""), rest(90_000, ETAG)] {
        let rig = Rig::new([cut(70_000), other, whole()]).await;
        rig.fetch().await;
        let reason = CallReason::Mismatched;
        let end = rig.fetch().await;
        assert_eq!(end, FetchEnd::Interrupted { reason, kept: 0, gained: 0 });
        assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
        assert!(!last_request(&rig.server).await.contains("range"));
    }
}

#[tokio::test]
async fn without_a_strong_tag_a_fetch_begins_again() {
    let weak = file_answer("200 OK", "ETag: W/\"v1\"\r\n", &bytes());
    let cut = Behaviour::Answer(weak[..weak.len() - 1000].to_vec());
    let rig = Rig::new([cut, whole()]).await;
    assert!(matches!(rig.fetch().await, FetchEnd::Interrupted { kept: 199_000, .. }));
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert!(!last_request(&rig.server).await.contains("range"));
}

#[tokio::test]
async fn what_the_job_says_anew_throws_an_old_part_away() {
    let mut rig = Rig::new([cut(70_000), whole()]).await;
    rig.fetch.file.digest = Some(digest_of(b"an older file"));
    rig.fetch().await;
    rig.fetch.file.digest = Some(digest_of(&bytes()));
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert!(!last_request(&rig.server).await.contains("range"));
}

#[tokio::test]
async fn without_a_digest_only_what_was_synced_is_kept() {
    let mut rig = Rig::new([cut(70_000), rest(70_000, ETAG)]).await;
    rig.fetch.file.digest = None;
    rig.fetch().await;
    // A power cut can leave a length without its bytes.
    let part = fs::OpenOptions::new().write(true).open(rig.part()).unwrap();
    part.set_len(90_000).unwrap();
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Size));
    assert!(last_request(&rig.server).await.contains("range: bytes=70000-"));
}

#[tokio::test]
async fn a_part_without_its_note_or_with_a_torn_one_is_begun_again() {
    for note in [None, Some("{\"whole\": {\"si")] {
        let rig = Rig::new([cut(70_000), whole()]).await;
        rig.fetch().await;
        let path = rig.folder.path().join("docket-E-1.part.json");
        match note {
            None => fs::remove_file(path).unwrap(),
            Some(torn) => fs::write(path, torn).unwrap(),
        }
        assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
        assert!(!last_request(&rig.server).await.contains("range"));
    }
}

#[tokio::test]
async fn a_whole_part_only_gets_its_name() {
    let rig = Rig::new([whole()]).await;
    let whole = Whole {
        size: bytes().len() as u64,
        digest: rig.fetch.file.digest.as_deref().and_then(sha256_of_digest),
    };
    let mut part = Part::open(rig.folder.path(), "E-1", whole, &rig.stop).unwrap();
    part.belongs_to(Some(ETAG.to_owned())).unwrap();
    part.write(&bytes()).unwrap();
    part.settle().unwrap();
    drop(part);
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(rig.server.seen().opened, 0);
}

#[tokio::test]
async fn a_fetch_that_is_stopped_keeps_what_came() {
    let answer = file_answer("200 OK", &format!("ETag: {ETAG}\r\n"), &bytes());
    let rig = Rig::new([Behaviour::Stall(answer[..100_000].to_vec()), whole()]).await;
    let mut done = rig.done.subscribe();
    let stop = rig.stop.clone();
    let stopping = async {
        done.wait_for(|done| *done > 90_000).await.unwrap();
        stop.cancel();
    };
    let (end, ()) = tokio::join!(rig.fetch(), stopping);
    let FetchEnd::Stopped { kept } = end else { panic!("{end:?}") };
    assert!(kept > 90_000 && fs::metadata(rig.part()).unwrap().len() == kept);
    assert_eq!(rig.fetch().await, FetchEnd::Stopped { kept }, "stopped before it began");
    let again = Rig { stop: CancellationToken::new(), ..rig };
    assert_eq!(again.fetch().await, again.saved("orders.csv", Verified::Digest));
}

#[tokio::test]
async fn a_file_that_stands_still_is_interrupted() {
    let answer = file_answer("200 OK", &format!("ETag: {ETAG}\r\n"), &bytes());
    let rig = Rig::new([Behaviour::Stall(answer[..100_000].to_vec())]).await;
    let mut call = call(&rig.server.url());
    call.timeouts.file_idle = std::time::Duration::from_millis(100);
    let end = rig.ended(fetch(&connector(), &call, &rig.fetch, &rig.stop, &rig.done).await);
    let FetchEnd::Interrupted { reason: CallReason::Timeout, kept, gained } = end else {
        panic!("{end:?}");
    };
    assert!(kept == gained && kept > 90_000);
}

#[tokio::test]
async fn a_file_that_breaks_off_at_the_same_byte_again_and_again_gains_nothing() {
    let other = rest(70_000, "\"v2\"");
    let rig = Rig::new([cut(70_000), cut(70_000), other, cut(70_000), cut(70_001)]).await;
    for gains in [70_000, 0, 0, 0, 1] {
        let end = rig.fetch().await;
        let FetchEnd::Interrupted { gained, .. } = end else { panic!("{end:?}") };
        assert_eq!(gained, gains);
    }
}

#[tokio::test]
async fn a_file_that_was_named_and_not_recorded_is_found_again_and_not_doubled() {
    let rig = Rig::new([whole(), whole(), whole()]).await;
    assert_eq!(rig.fetch_unrecorded().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(rig.fetch().await, rig.saved("orders.csv", Verified::Digest));
    assert_eq!(rig.names(), ["orders.csv"]);
    assert_eq!(rig.server.settled().await.requests.len(), 1, "no byte comes twice");
    // Once it is recorded, a fetch that is asked for anew is a file of its own.
    assert_eq!(rig.fetch_unrecorded().await, rig.saved("orders (2).csv", Verified::Digest));
    // What lies there is no longer that file: it is left alone, and fetched again.
    fs::write(rig.folder.path().join("orders (2).csv"), "mine").unwrap();
    assert_eq!(rig.fetch().await, rig.saved("orders (3).csv", Verified::Digest));
    assert_eq!(rig.names(), ["orders (2).csv", "orders (3).csv", "orders.csv"]);
}
