//! Every row of the table of capabilities, over sockets: what the service can do, what became of the
//! job behind the lost submit, and what the first answer that did come was.
//!
//! A cell says which calls the client made, in order and without repeats, how the export ended, and
//! how many jobs the service holds. Read it beside lifecycle.md. What holds in all of them: one key
//! and one First-Sent on every call, no second submit past the boundary to a service without
//! idempotent ones, and never a second job that the client asked for.

use std::{fmt::Write, sync::Arc, time::Duration};

use docket_engine::{export::ExportId, policy::Policy, stage::Stage, view::ExportView};
use docket_service::Feature::{self, Abandon, Cancel, Idempotency, Lookup, Resume, Traits};
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    proxy::{Seen, rule::problem},
    world::week,
};

/// What became of the job behind the submit that was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    /// The service made it.
    Made,
    /// The request never arrived.
    NotMade,
    /// The request arrives once the client has its answer, or has given up.
    MadeLate,
    /// A gateway delivered the request twice.
    MadeTwice,
}

/// What the client hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heard {
    /// Nothing of the first submit.
    Nothing,
    /// Nothing of the first submit; the next one is refused.
    Refusal,
    /// 503 with `accepted: false` from somebody who did not know better.
    Deferral,
    /// Nothing of the first submit that left; the one before did not leave.
    NothingAfterNotSent,
}

const JOBS: [Job; 4] = [Job::Made, Job::NotMade, Job::MadeLate, Job::MadeTwice];
const HEARD: [Heard; 4] =
    [Heard::Nothing, Heard::Refusal, Heard::Deferral, Heard::NothingAfterNotSent];

/// Plays one cell and says what came of it.
async fn cell(without: &[Feature], job: Job, heard: Heard) -> String {
    let world = World::with(|config| config.without = without.iter().copied().collect()).await;
    let late = job == Job::MadeLate;
    // Only late truth wants looks after the end.
    let slow_gap = Duration::from_millis(if late { 100 } else { 3_600_000 });
    let policy = Policy { slow_gap, ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    world.proxy.rules(rules(job, heard));
    if heard == Heard::NothingAfterNotSent {
        world.proxy.refuse().await;
    }
    let id = client.ask(week()).await;
    if heard == Heard::NothingAfterNotSent {
        client.until_stage(&id, Stage::WaitingToSend).await;
        world.proxy.listen();
    }
    let ended = |view: &ExportView| view.stage.is_settled() || view.stage == Stage::Unresolved;
    let end = client.until(&id, "an end", ended).await;
    let calls = world.proxy.seen();
    let mut told = format!("{} {} {}", letters(&calls), word(&end), world.rows().jobs().len());
    if late {
        world.proxy.deliver_kept().await;
        let after = settle_down(&world, &client, &end).await;
        write!(told, ", late: {} {}", word(&after), world.rows().jobs().len())
            .expect("a text can be written to");
    }
    holds(&world, &client, without);
    client.close().await;
    told
}

/// What is shown once the late request has done all that it can.
async fn settle_down(world: &World, client: &Client, end: &ExportView) -> ExportView {
    let id = ExportId::from_text(&*end.id);
    let looks_on = end.stage == Stage::Unresolved && !world.rows().jobs().is_empty();
    if !looks_on || end.reason.as_deref() == Some("lookup_unsupported") {
        return client.now(&id).await;
    }
    client.until_saved(&id).await
}

fn rules(job: Job, heard: Heard) -> Vec<Rule> {
    let toward = match job {
        Job::Made => Toward::Service,
        Job::NotMade => Toward::Nowhere,
        Job::MadeLate => Toward::Kept,
        Job::MadeTwice => Toward::Twice,
    };
    let busy = || problem(503, "unavailable", r#","accepted":false"#, &[("retry-after", "0")]);
    let forbidden = || problem(403, "forbidden", "", &[]);
    match heard {
        Heard::Nothing | Heard::NothingAfterNotSent => {
            vec![Rule::new(Call::Submit, toward, Back::Close)]
        }
        Heard::Refusal => vec![
            Rule::new(Call::Submit, toward, Back::Close),
            Rule::instead(Call::Submit, forbidden()).always(),
        ],
        Heard::Deferral => vec![Rule::new(Call::Submit, toward, Back::Instead(busy()))],
    }
}

/// The calls about the key, in order: S a submit, K a look by key, T by traits, J by id, A an
/// abandon. A poll of a known job is a J too, and what follows the first one is left out.
fn letters(calls: &[Seen]) -> String {
    let mut letters = String::new();
    for seen in calls {
        let letter = match seen.call {
            Call::Submit => 'S',
            Call::Key => 'K',
            Call::Traits => 'T',
            Call::Abandon => 'A',
            Call::Job | Call::File => break,
            Call::Service | Call::Operations | Call::Cancel | Call::Any => continue,
        };
        if !letters.ends_with(letter) || letter == 'S' {
            letters.push(letter);
        }
    }
    letters
}

fn word(view: &ExportView) -> String {
    if view.stage == Stage::Saved {
        return "saved".to_owned();
    }
    format!("{}({})", view.stage, view.reason.as_deref().unwrap_or("-"))
}

fn holds(world: &World, client: &Client, without: &[Feature]) {
    let seen = world.proxy.seen();
    let submits = seen.iter().filter(|seen| seen.call == Call::Submit);
    if without.contains(&Idempotency) {
        assert_eq!(submits.count(), 1, "never a second submit past the boundary: {seen:#?}");
    }
    let mut keys: Vec<&str> = seen.iter().filter_map(|seen| seen.key.as_deref()).collect();
    keys.dedup();
    assert_eq!(keys.len(), 1, "one key: {seen:#?}");
    docket_tests::invariants::on_the_wire_and_on_the_screen(world, &[client]);
}

/// Plays all cells of a row of the table at once, for each service that stands in that row.
async fn row(services: &[&[Feature]], expected: [[&'static str; 4]; 4]) {
    let mut playing = Vec::new();
    for without in services {
        let without: Arc<[Feature]> = (*without).into();
        for (job, cells) in JOBS.into_iter().zip(expected) {
            for (heard, expected) in HEARD.into_iter().zip(cells) {
                let features = Arc::clone(&without);
                let task = tokio::spawn(async move { cell(&features, job, heard).await });
                playing.push((Arc::clone(&without), job, heard, expected, task));
            }
        }
    }
    let mut wrong = String::new();
    for (without, job, heard, expected, task) in playing {
        let told = task.await.expect("a cell is played to its end");
        if told != expected {
            writeln!(wrong, "without {without:?}, {job:?}, {heard:?}: {told:?}, not {expected:?}")
                .expect("a text can be written to");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A cell for each thing that may have been heard, the same for all but a refusal.
fn but_refused(same: &'static str, refused: &'static str) -> [&'static str; 4] {
    [same, refused, same, same]
}

#[tokio::test]
async fn keys_look_ups_and_abandon() {
    let services: &[&[Feature]] = &[&[], &[Traits], &[Cancel, Resume]];
    row(
        services,
        [
            ["SK saved 1", "SK saved 1", "SS saved 1", "SK saved 1"],
            ["SKS saved 1", "SKSA rejected(forbidden) 0", "SS saved 1", "SKS saved 1"],
            [
                "SKS saved 1, late: saved 1",
                "SKSA rejected(forbidden) 0, late: rejected(forbidden) 0",
                "SS saved 1, late: saved 1",
                "SKS saved 1, late: saved 1",
            ],
            ["SK saved 1", "SK saved 1", "SS saved 1", "SK saved 1"],
        ],
    )
    .await;
}

#[tokio::test]
async fn keys_and_look_ups_without_abandon() {
    row(
        &[&[Abandon], &[Abandon, Traits]],
        [
            ["SK saved 1", "SK saved 1", "SS saved 1", "SK saved 1"],
            ["SKS saved 1", "SKSK unresolved(not_visible) 0", "SS saved 1", "SKS saved 1"],
            [
                "SKS saved 1, late: saved 1",
                "SKSK unresolved(not_visible) 0, late: saved 1",
                "SS saved 1, late: saved 1",
                "SKS saved 1, late: saved 1",
            ],
            ["SK saved 1", "SK saved 1", "SS saved 1", "SK saved 1"],
        ],
    )
    .await;
}

#[tokio::test]
async fn keys_without_look_ups_with_abandon() {
    row(
        &[&[Lookup], &[Lookup, Traits]],
        [
            but_refused("SS saved 1", "SSA saved 1"),
            but_refused("SS saved 1", "SSA rejected(forbidden) 0"),
            but_refused(
                "SS saved 1, late: saved 1",
                "SSA rejected(forbidden) 0, late: rejected(forbidden) 0",
            ),
            but_refused("SS saved 1", "SSA saved 1"),
        ],
    )
    .await;
}

#[tokio::test]
async fn keys_alone() {
    let unsupported = "SS unresolved(lookup_unsupported) 1";
    row(
        &[&[Lookup, Abandon, Traits]],
        [
            but_refused("SS saved 1", unsupported),
            but_refused("SS saved 1", "SS unresolved(lookup_unsupported) 0"),
            but_refused(
                "SS saved 1, late: saved 1",
                "SS unresolved(lookup_unsupported) 0, late: unresolved(lookup_unsupported) 1",
            ),
            but_refused("SS saved 1", unsupported),
        ],
    )
    .await;
}

#[tokio::test]
async fn keys_and_traits_look_only_once_the_key_may_not_be_sent_again() {
    row(
        &[&[Lookup, Abandon]],
        [
            but_refused("SS saved 1", "SST saved 1"),
            but_refused("SS saved 1", "SST unresolved(not_visible) 0"),
            but_refused(
                "SS saved 1, late: saved 1",
                "SST unresolved(not_visible) 0, late: saved 1",
            ),
            but_refused("SS saved 1", "SST saved 1"),
        ],
    )
    .await;
}

#[tokio::test]
async fn look_ups_and_abandon_without_keys() {
    row(
        &[&[Idempotency], &[Idempotency, Traits]],
        [
            ["SK saved 1"; 4],
            ["SKA not_created(abandoned) 0"; 4],
            ["SKA not_created(abandoned) 0, late: not_created(abandoned) 0"; 4],
            ["SK saved 2"; 4],
        ],
    )
    .await;
}

#[tokio::test]
async fn look_ups_alone() {
    row(
        &[&[Idempotency, Abandon], &[Idempotency, Abandon, Traits]],
        [
            ["SK saved 1"; 4],
            ["SK unresolved(not_visible) 0"; 4],
            ["SK unresolved(not_visible) 0, late: saved 1"; 4],
            ["SK saved 2"; 4],
        ],
    )
    .await;
}

#[tokio::test]
async fn traits_and_abandon() {
    row(
        &[&[Idempotency, Lookup]],
        [
            ["ST saved 1"; 4],
            ["STA not_created(abandoned) 0"; 4],
            ["STA not_created(abandoned) 0, late: not_created(abandoned) 0"; 4],
            ["STA saved 2"; 4],
        ],
    )
    .await;
}

#[tokio::test]
async fn traits_alone() {
    row(
        &[&[Idempotency, Lookup, Abandon]],
        [
            ["ST saved 1"; 4],
            ["ST unresolved(not_visible) 0"; 4],
            ["ST unresolved(not_visible) 0, late: saved 1"; 4],
            ["ST unresolved(ambiguous_matches) 2"; 4],
        ],
    )
    .await;
}

#[tokio::test]
async fn abandon_alone() {
    row(
        &[&[Idempotency, Lookup, Traits]],
        [
            ["SA saved 1"; 4],
            ["SA not_created(abandoned) 0"; 4],
            ["SA not_created(abandoned) 0, late: not_created(abandoned) 0"; 4],
            ["SA saved 2"; 4],
        ],
    )
    .await;
}

#[tokio::test]
async fn nothing_at_all() {
    row(
        &[&[Idempotency, Lookup, Traits, Abandon]],
        [
            ["S unresolved(lookup_unsupported) 1"; 4],
            ["S unresolved(lookup_unsupported) 0"; 4],
            ["S unresolved(lookup_unsupported) 0, late: unresolved(lookup_unsupported) 1"; 4],
            ["S unresolved(lookup_unsupported) 2"; 4],
        ],
    )
    .await;
}
