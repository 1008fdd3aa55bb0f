//! The file: whole, in ranges, verified, and gone after its time.

use std::time::Duration;

use docket_wire::JobStatus;
use sha2::{Digest, Sha256};

use crate::world::{Key, World, ledger, never_ending, orders};

#[tokio::test]
async fn a_file_comes_whole_with_all_that_verifies_it() {
    let world = World::new().await;
    let export = world.ada().export(&orders()).await;
    let file = export.file.unwrap();
    let answer = world.ada().file(&export.business_id, &[]).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some(file.media_type.as_str()));
    assert_eq!(answer.header("content-length"), Some(file.size.to_string().as_str()));
    assert_eq!(answer.header("accept-ranges"), Some("bytes"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"orders-by-region_2026-11-01_2026-11-07.csv\"")
    );
    assert_eq!(answer.header("repr-digest"), file.digest.as_deref());
    assert_eq!(answer.body.len() as u64, file.size);
    let tag = format!("\"{}\"", hex::encode(Sha256::digest(&answer.body)));
    assert_eq!(answer.header("etag"), Some(tag.as_str()));
    let expires = export.expires_at.unwrap();
    assert_eq!(expires, export.updated_at + Duration::from_secs(7 * 24 * 60 * 60));
}

#[tokio::test]
async fn a_broken_download_goes_on_where_it_stopped() {
    let world = World::new().await;
    let id = world.ada().export(&ledger(2000)).await.business_id;
    let whole = world.ada().file(&id, &[]).await;
    let tag = whole.header("etag").unwrap();
    let size = whole.body.len();

    let headers = [("range", "bytes=100-"), ("if-range", tag)];
    let rest = world.ada().file(&id, &headers).await;
    assert_eq!(rest.status, 206);
    let content_range = format!("bytes 100-{}/{size}", size - 1);
    assert_eq!(rest.header("content-range"), Some(content_range.as_str()));
    assert_eq!(rest.header("repr-digest"), whole.header("repr-digest"));
    assert_eq!(rest.header("etag"), Some(tag));
    assert_eq!(rest.body, whole.body[100..]);

    let part = world.ada().file(&id, &[("range", "bytes=10-19")]).await;
    assert_eq!((part.status, part.body.as_slice()), (206, &whole.body[10..20]));
    let tail = world.ada().file(&id, &[("range", "bytes=-5")]).await;
    assert_eq!((tail.status, tail.body.as_slice()), (206, &whole.body[size - 5..]));

    for (range, condition) in
        [("bytes=100-", "\"another\""), ("bytes=100-", "Sat, 28 Nov 2026 10:00:00 GMT")]
    {
        let answer = world.ada().file(&id, &[("range", range), ("if-range", condition)]).await;
        assert_eq!((answer.status, answer.body.len()), (200, size), "{condition}");
    }
    let weak = format!("W/{tag}");
    let answer = world.ada().file(&id, &[("range", "bytes=1-"), ("if-range", &weak)]).await;
    assert_eq!(answer.status, 200);

    let beyond = format!("bytes={size}-");
    let answer = world.ada().file(&id, &[("range", &beyond)]).await;
    assert_eq!(answer.problem(), (416, "about:blank".to_owned()));
    assert_eq!(answer.header("content-range"), Some(format!("bytes */{size}").as_str()));
}

#[tokio::test]
async fn there_is_no_file_before_the_job_is_done() {
    let world = World::with(never_ending).await;
    let id = world.ada().submit(&Key::new(&world), &ledger(10)).await.export().business_id;
    let answer = world.ada().file(&id, &[]).await;
    assert_eq!(answer.problem(), (409, "not-ready".to_owned()));
    assert_eq!(world.ada().file("exp_none", &[]).await.status, 404);
}

#[tokio::test]
async fn a_file_is_gone_after_its_time_and_the_job_says_so() {
    let kept = Duration::from_secs(3600);
    let world = World::with_clock(|config| config.file_retention = kept).await;
    let export = world.ada().export(&ledger(10)).await;
    let on_disk = world.folder.path().join("files").join(format!("{}.csv", export.business_id));
    assert!(on_disk.exists());

    world.advance(kept);
    let answer = world.ada().file(&export.business_id, &[]).await;
    assert_eq!(answer.problem(), (410, "file-expired".to_owned()));
    let expired = world.ada().read(&export.business_id).await.export();
    assert_eq!(expired.status, JobStatus::Expired);
    assert_eq!(expired.revision, export.revision + 1);
    assert!(!on_disk.exists());
    assert_eq!(world.jobs(), 1);
}

#[tokio::test]
async fn the_sweeper_throws_files_away_without_being_asked() {
    let kept = Duration::from_secs(3600);
    let world = World::with_clock(|config| config.file_retention = kept).await;
    world.ada().export(&ledger(10)).await;
    world.advance(kept);
    let expired = "SELECT count(*) FROM export_job WHERE status = 'expired'";
    world.let_time_pass_until(|| world.count(expired) == 1).await;
    assert_eq!(std::fs::read_dir(world.folder.path().join("files")).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_that_somebody_took_away_is_as_good_as_expired() {
    let world = World::new().await;
    let id = world.ada().export(&ledger(10)).await.business_id;
    std::fs::remove_file(world.folder.path().join("files").join(format!("{id}.csv"))).unwrap();
    let answer = world.ada().file(&id, &[]).await;
    assert_eq!(answer.problem(), (410, "file-expired".to_owned()));
    assert_eq!(world.ada().read(&id).await.export().status, JobStatus::Expired);
}
