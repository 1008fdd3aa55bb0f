//! The export resource: reading, waiting, finding by traits, cancelling, failing.

use std::time::Duration;

use docket_service::{
    Pace, Rule,
    faults::{Call, Effect},
};
use docket_wire::{ExportList, JobStatus};
use reqwest::Method;

use crate::world::{Key, World, ledger, never_ending, orders};

#[tokio::test]
async fn every_change_raises_the_revision_by_one() {
    let world = World::with(|config| {
        config.pace =
            Pace { queued: Duration::from_millis(100), running: Duration::from_millis(900) };
    })
    .await;
    let first = world.ada().submit(&Key::new(&world), &ledger(1000)).await.export();
    let rest = format!("exports/{}", first.business_id);
    let mut seen = vec![first];
    while !seen.last().unwrap().status.is_settled() {
        let known = seen.last().unwrap();
        let tag = format!("\"{}-{}\"", known.service_epoch, known.revision);
        let headers = [("prefer", "wait=10"), ("if-none-match", tag.as_str())];
        let answer = world.ada().call(Method::GET, &rest, &headers).await;
        assert_eq!(answer.status, 200);
        let export = answer.export();
        assert!(export.revision > known.revision);
        assert!(export.updated_at >= known.updated_at);
        assert_eq!(export.created_at, known.created_at);
        seen.push(export);
    }
    let done = seen.pop().unwrap();
    assert_eq!(done.status, JobStatus::Succeeded);
    let progress = done.progress.unwrap();
    assert_eq!((progress.done, progress.total), (1000, Some(1000)));
    let running = seen.iter().filter(|export| export.status == JobStatus::Running).count();
    assert!(running >= 2, "progress was told on the way: {seen:?}");
    assert!(done.revision <= 8, "four times a second at most: {}", done.revision);
}

#[tokio::test]
async fn a_wait_ends_with_its_time() {
    let world = World::with(|config| {
        never_ending(config);
        config.pace.queued = Duration::from_secs(1000);
    })
    .await;
    let export = world.ada().submit(&Key::new(&world), &ledger(1)).await.export();
    let rest = format!("exports/{}", export.business_id);
    let answer = world.ada().call(Method::GET, &rest, &[("prefer", "wait=1")]).await;
    assert_eq!((answer.status, answer.export()), (200, export));
    let tag = answer.header("etag").unwrap().to_owned();
    let known = [("if-none-match", tag.as_str())];
    assert_eq!(world.ada().call(Method::GET, &rest, &known).await.status, 304);
}

#[tokio::test]
async fn those_who_wait_learn_their_place() {
    let world = World::with(|config| {
        never_ending(config);
        config.workers = 1;
    })
    .await;
    let submit = || async { world.ada().submit(&Key::new(&world), &ledger(1)).await.export() };
    let first = submit().await;
    world.ada().until(&first.business_id, &JobStatus::Running).await;
    let (second, third, fourth) = (submit().await, submit().await, submit().await);
    let ahead = |export: docket_wire::Export| export.progress.unwrap().ahead;
    assert_eq!(ahead(second.clone()), Some(0));
    assert_eq!(ahead(third.clone()), Some(1));
    assert_eq!(ahead(fourth.clone()), Some(2));
    world.ada().cancel(&third.business_id).await;
    let moved = world.ada().read(&fourth.business_id).await.export();
    assert_eq!((ahead(moved.clone()), moved.revision), (Some(1), fourth.revision + 1));
    world.ada().cancel(&first.business_id).await;
    let begun = world.ada().until(&second.business_id, &JobStatus::Running).await;
    assert_eq!(ahead(begun), None);
    assert_eq!(ahead(world.ada().read(&fourth.business_id).await.export()), Some(0));
}

#[tokio::test]
async fn traits_find_the_jobs_that_have_all_of_them() {
    let world = World::with_clock(never_ending).await;
    let old = world.ada().submit(&Key::new(&world), &orders()).await.export();
    world.advance(Duration::from_secs(60));
    let new = world.ada().submit(&Key::new(&world), &orders()).await.export();
    world.advance(Duration::from_secs(60));
    let other = world.ada().submit(&Key::new(&world), &ledger(1)).await.export();
    let find = |query: String| {
        let world = &world;
        async move {
            let list: ExportList =
                world.ada().call(Method::GET, &format!("exports?{query}"), &[]).await.json();
            list.items.into_iter().map(|export| export.business_id).collect::<Vec<_>>()
        }
    };
    let (old_id, new_id, other_id) = (old.business_id, new.business_id, other.business_id);
    assert_eq!(find(String::new()).await, [old_id.clone(), new_id.clone(), other_id.clone()]);
    assert_eq!(find("operation=ledger&requested_by=ada".to_owned()).await, [other_id]);
    let hash = old.payload_hash;
    let both = find(format!("operation=orders&payload_hash={hash}")).await;
    assert_eq!(both, [old_id.clone(), new_id.clone()]);
    let window = |after, before| {
        format!("payload_hash={hash}&created_after={after}&created_before={before}")
    };
    let at = old.created_at;
    assert_eq!(find(window(at, at)).await, [old_id]);
    assert_eq!(find(window(new.created_at, world.now())).await, [new_id]);
    for wrong in ["exports?payload_hash=x", "exports?created_after=today", "exports?title=x"] {
        let answer = world.ada().call(Method::GET, wrong, &[]).await;
        assert_eq!(answer.problem(), (400, "malformed".to_owned()), "{wrong}");
    }
}

#[tokio::test]
async fn a_waiting_job_is_cancelled_at_once() {
    let world = World::with(|config| config.pace.queued = Duration::from_secs(1000)).await;
    let export = world.ada().submit(&Key::new(&world), &ledger(1)).await.export();
    for _ in 0..2 {
        let answer = world.ada().cancel(&export.business_id).await;
        assert_eq!((answer.status, answer.export().status), (200, JobStatus::Cancelled));
    }
    let file = world.ada().file(&export.business_id, &[]).await;
    assert_eq!(file.problem(), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn a_running_job_hears_of_its_cancel_and_leaves_no_file() {
    let world = World::with(never_ending).await;
    let export = world.ada().submit(&Key::new(&world), &ledger(1_000_000)).await.export();
    let id = export.business_id;
    world.ada().until(&id, &JobStatus::Running).await;
    assert_eq!(world.ada().cancel(&id).await.status, 200);
    world.ada().until(&id, &JobStatus::Cancelled).await;
    let files = std::fs::read_dir(world.folder.path().join("files")).unwrap();
    assert_eq!(files.count(), 0);
}

#[tokio::test]
async fn a_job_that_has_ended_can_not_be_cancelled() {
    let world = World::new().await;
    let export = world.ada().export(&ledger(1)).await;
    let answer = world.ada().cancel(&export.business_id).await;
    assert_eq!(answer.problem(), (409, "not-cancellable".to_owned()));
    assert_eq!(world.ada().read(&export.business_id).await.export(), export);
    assert_eq!(world.ada().cancel("exp_none").await.problem(), (404, "not-found".to_owned()));
}

#[tokio::test]
async fn a_job_that_can_not_be_made_fails_with_its_reason() {
    let world = World::new().await;
    world.service.faults().add(Rule::new(Call::Any, Effect::FailJob));
    let export = world.ada().submit(&Key::new(&world), &ledger(1)).await.export();
    let failed = world.ada().until(&export.business_id, &JobStatus::Failed).await;
    let problem = failed.problem.unwrap();
    assert_eq!((problem.problem_type.name(), problem.retry_may_help), ("internal", Some(true)));
    assert_eq!(failed.file, None);
}
