//! From a finished job to a verified file, through a network that cuts, lies and stalls.

use docket_engine::{
    attempt::{AttemptKind, Verified},
    clock::{Clock, SystemClock},
    journal::Hold,
    stage::Stage,
    view::{ExportView, RequestExport},
};
use docket_tests::{
    At, Back, Call, Client, Message, Rule, Toward, World,
    proxy::rule::{page, problem},
    story::attempts,
    world::{other_week, week},
};
use std::{collections::BTreeSet, path::Path};

/// Its file is on disk, whole, as the service made it, and nothing else lies beside.
fn verified(world: &World, client: &Client, saved: &ExportView, files: usize) {
    let file = saved.file.as_ref().expect("a file");
    let bytes = std::fs::read(&file.path).expect("the file is there");
    assert_eq!(bytes.len() as u64, file.size);
    let row = world
        .rows()
        .jobs()
        .into_iter()
        .find(|job| Some(&job.business_id) == saved.business_id.as_ref());
    assert_eq!(row.expect("its job").file_sha256.as_deref(), Some(file.digest.as_str()));
    assert_eq!(entries(&client.downloads).len(), files, "{:?}", entries(&client.downloads));
}

fn entries(folder: &Path) -> BTreeSet<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeSet::new() };
    entries
        .map(|entry| {
            entry.expect("an entry can be read").file_name().to_string_lossy().into_owned()
        })
        .collect()
}

fn cut(at: At) -> Rule {
    Rule::new(Call::File, Toward::Service, Back::Cut(at))
}

#[tokio::test]
async fn cut_and_resumed_where_it_stopped() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([cut(At::Body(100)), cut(At::Body(50)), cut(At::Head(20))]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    assert_eq!(saved.file.as_ref().unwrap().verified, Verified::Digest);
    let statuses: Vec<_> = world.proxy.seen_of(Call::File).iter().map(|seen| seen.status).collect();
    assert_eq!(statuses, [Some(200), Some(206), Some(206), Some(206)]);
    world.holds(&[&client]);
}

#[tokio::test]
async fn answers_that_are_no_file() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::swallow(Call::File),
        Rule::instead(Call::File, page(200, "Sign in to this network")),
        Rule::instead(Call::File, page(502, "Bad Gateway")),
    ]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_busy_service_is_asked_for_the_file_when_it_says() {
    let world = World::new().await;
    let client = world.client().await;
    let busy = problem(429, "rate-limited", ",\"accepted\":false", &[("retry-after", "600")]);
    world.proxy.rules([Rule::instead(Call::File, busy)]);
    let id = client.ask(week()).await;
    let put_off = |view: &ExportView| {
        let fetches = attempts(view, AttemptKind::Download);
        fetches.iter().any(|fetch| fetch.result.as_deref() == Some("deferred"))
    };
    let waiting = client.until(&id, "it is put off", put_off).await;
    assert_eq!((waiting.stage, waiting.hold), (Stage::Downloading, None));
    let at = waiting.next_action_at.expect("a time");
    let seconds = at.duration_since(SystemClock.now()).as_secs();
    assert!((590..=600).contains(&seconds), "{seconds} s");
    assert_eq!(world.proxy.seen_of(Call::File).len(), 1);
    client.engine.download(&id, None).await.expect("the person need not wait");
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

fn flip(answer: &mut Message) {
    let last = answer.body.len() - 1;
    answer.body[last] ^= 1;
}

#[tokio::test]
async fn one_wrong_byte_is_fetched_again() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::edit(Call::File, flip)]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(attempts(&saved, AttemptKind::Download).len(), 2);
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn wrong_twice_is_never_given_a_name() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::edit(Call::File, flip).times(2)]);
    let id = client.ask(week()).await;
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::CheckFailed)).await;
    assert_eq!(held.stage, Stage::Downloading);
    assert!(held.file.is_none());
    let offered = held.offered.expect("an offer").name;
    assert!(!entries(&client.downloads).contains(&offered));
    client.engine.download(&id, None).await.unwrap();
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_file_that_is_shorter_or_longer_than_was_said() {
    let edits: [fn(&mut Message); 2] = [
        |answer| {
            let short = answer.body[..answer.body.len() / 2].to_vec();
            answer.set_body(short);
        },
        |answer| answer.set_body([answer.body.clone(), b"more".to_vec()].concat()),
    ];
    for edit in edits {
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([Rule::edit(Call::File, edit)]);
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        assert!(attempts(&saved, AttemptKind::Download).len() > 1);
        verified(&world, &client, &saved, 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn a_lie_about_the_digest_is_held_against_the_job() {
    let world = World::new().await;
    let client = world.client().await;
    let lie = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:";
    world
        .proxy
        .rules([Rule::edit(Call::File, move |answer| answer.set_header("repr-digest", Some(lie)))
            .always()]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_folder_that_can_not_be_written() {
    let world = World::new().await;
    let client = world.client().await;
    let in_the_way = world.path("in-the-way");
    std::fs::write(&in_the_way, "a file, no folder").unwrap();
    let form = RequestExport {
        folder: Some(in_the_way.display().to_string()),
        ..client.form(week()).await
    };
    let id = client.send(form).await;
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::CannotWrite)).await;
    assert_eq!(held.stage, Stage::Downloading);
    assert_eq!(held.delivery.unwrap().folder, Some(in_the_way.display().to_string()));
    client.engine.download(&id, Some(client.downloads.clone())).await.unwrap();
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    assert_eq!(std::fs::read_to_string(&in_the_way).unwrap(), "a file, no folder");
    world.holds(&[&client]);
}

/// Every job's file is called so.
fn call_it(name: &'static str) -> Rule {
    Rule::edit(Call::Job, move |answer| {
        answer.edit_json(|job| {
            if job["file"].is_object() {
                job["file"]["name"] = name.into();
            }
        });
    })
    .always()
}

#[tokio::test]
async fn two_files_of_one_name_are_two_files() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([call_it("report.csv")]);
    std::fs::create_dir_all(&client.downloads).unwrap();
    std::fs::write(client.downloads.join("report.csv"), "somebody's own").unwrap();
    let (one, other) = (client.ask(week()).await, client.ask(other_week()).await);
    let (one, other) = tokio::join!(client.until_saved(&one), client.until_saved(&other));
    verified(&world, &client, &one, 3);
    verified(&world, &client, &other, 3);
    assert_ne!(one.file.unwrap().path, other.file.unwrap().path);
    let own = std::fs::read_to_string(client.downloads.join("report.csv")).unwrap();
    assert_eq!(own, "somebody's own");
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_name_is_never_a_path() {
    for name in ["../../evil.csv", "/etc/evil.csv", "..", "a\\..\\evil.csv", ".bashrc"] {
        let world = World::new().await;
        let client = world.client().await;
        world.proxy.rules([call_it(name)]);
        let id = client.ask(week()).await;
        let saved = client.until_saved(&id).await;
        let path = saved.file.clone().unwrap().path;
        assert_eq!(Path::new(&path).parent(), Some(client.downloads.as_path()), "{name}");
        assert!(!entries(&client.downloads).contains(".bashrc"), "{name}");
        verified(&world, &client, &saved, 1);
    }
}

#[tokio::test]
async fn paused_and_resumed() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::new(Call::File, Toward::Service, Back::StallAt(At::Body(100)))]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::File).await;
    client.engine.pause(&id).await.unwrap();
    let paused = client.until(&id, "paused", |view| view.hold == Some(Hold::Paused)).await;
    assert_eq!(paused.stage, Stage::Downloading);
    client.until(&id, "stopped", |v| !attempts(v, AttemptKind::Download).is_empty()).await;
    assert_eq!(world.proxy.seen_of(Call::File).len(), 1);
    client.engine.resume(&id).await.unwrap();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.hold, None);
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn the_file_is_said_to_be_gone_and_the_job_says_otherwise() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::instead(Call::File, problem(410, "file-expired", "", &[]))]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn fetched_again_after_it_was_deleted() {
    let world = World::new().await;
    let client = world.client().await;
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    std::fs::remove_file(saved.file.unwrap().path).unwrap();
    client.witness.forget();
    client.engine.download(&id, None).await.unwrap();
    let again = client.until_saved(&id).await;
    verified(&world, &client, &again, 1);
    assert_eq!(world.rows().jobs().len(), 1);
}

#[tokio::test]
async fn no_progress_for_all_its_tries_is_a_hold_that_mends_itself() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::swallow(Call::File).times(6)]);
    let id = client.ask(week()).await;
    let held = client.until(&id, "held", |view| view.hold == Some(Hold::DownloadInterrupted)).await;
    assert!(held.next_action_at.is_some());
    let saved = client.until_saved(&id).await;
    verified(&world, &client, &saved, 1);
    world.holds(&[&client]);
}
