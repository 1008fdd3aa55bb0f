//! Asking after what was lost, and the end of the window.

use docket_engine::{
    attempt::{AttemptKind, AttemptResult},
    journal::UnresolvedReason,
    knowledge::{Evidence, Knowledge},
    stage::{NotCreatedWhy, Stage},
};
use docket_wire::JobStatus;

use super::story::{HOUR, Story};
use crate::{
    network::{Ask, Letter, Line},
    person::Wish,
    rows::{Config, Row},
    service::{Mood, serve},
    steps::Step,
    world::World,
};

#[test]
fn abandon_after_the_sweep() {
    for row in [Row::All, Row::NoKeys, Row::AbandonAlone] {
        let mut story = Story::of(row);
        assert_eq!(story.loses_the_answer(), AttemptKind::Submit);
        story.works("succeeded");
        story.sleeps(2 * HOUR);
        story.takes(Step::Sweep);
        story.goes_on();
        story.shows(Stage::Unresolved);
        assert!(!story.has_a_tombstone(), "a key that may have been forgotten is not abandoned");
        story.has_jobs(1);
    }
}

#[test]
fn abandons_answer_lost() {
    let mut story = Story::of(Row::All);
    while story.stage() == Stage::Confirming || story.stage() == Stage::Sending {
        let no = story.calls();
        if story.kind() == AttemptKind::Abandon {
            story.arrives(no);
        }
        story.gives_up(no);
    }
    story.is_unresolved(UnresolvedReason::ServiceUnreachable);
    assert!(story.has_a_tombstone());
    story.goes_on();
    story.is_not_created(NotCreatedWhy::Abandoned);
}

#[test]
fn wanted_export_abandoned() {
    for put_off in [false, true] {
        let mut story = Story::of(Row::All);
        story.loses();
        // Looks are lost; whatever would change something does not get through.
        while story.stage() == Stage::Confirming {
            if !story.world.is_due(0) {
                story.takes(Step::Wait);
            }
            match (story.next_call(), put_off) {
                (Some(AttemptKind::Submit | AttemptKind::Abandon), true) => {
                    story.asks_as(Mood::Busy);
                }
                (Some(AttemptKind::Submit | AttemptKind::Abandon), false) => {
                    story.takes(Step::DriveInVain { export: 0 });
                }
                (_, _) => drop(story.loses()),
            }
        }
        story.shows(Stage::Unresolved);
        assert!(!story.has_a_tombstone(), "what is wanted is not withdrawn");
        story.goes_on_until(|story| story.record().knowledge.job().is_some());
        story.shows(Stage::Accepted);
        story.has_jobs(1);
    }
}

#[test]
fn outage_longer_than_the_window_without_abandon() {
    let mut story = Story::of(Row::NoAbandon);
    story.loses();
    story.connects(Line::Refusing);
    while story.stage() == Stage::Confirming {
        if !story.world.is_due(0) {
            story.takes(Step::Wait);
        }
        story.takes(Step::DriveInVain { export: 0 });
    }
    story.is_unresolved(UnresolvedReason::ServiceUnreachable);
    story.connects(Line::Up);
    story.goes_on_until(|story| story.record().knowledge.job().is_some());
    story.shows(Stage::Accepted);
    story.has_jobs(1);
}

#[test]
fn a_resend_after_the_tombstone_is_no_refusal() {
    let mut story = Story::of(Row::All);
    let (submit, _) = story.loses();
    // Somebody else of the same service abandons the key.
    let letter = Letter {
        export: 0,
        no: submit,
        ask: Ask::Abandon,
        key: story.record().export.request_key.to_string(),
        first_sent: story.record().journal.first_sent,
        caller: crate::world::ANN,
    };
    let config = Config::of(Row::All, &[]);
    serve(&mut story.world, &config, &letter, Mood::Serves);
    story.wants(Wish::Resend);
    assert_eq!(story.asks(), AttemptKind::Submit);
    story.is_not_created(NotCreatedWhy::AbandonedElsewhere);
}

#[test]
fn order_of_equal_revisions() {
    let (mut world, config) = a_job();
    let mut said = |status: JobStatus, revision: u64| {
        let job = world.service.rows.jobs.get_mut(&0).expect("it was made");
        (job.status, job.revision) = (status, revision);
        answer(&mut world, &config)
    };
    let statements =
        [said(JobStatus::Running, 1), said(JobStatus::Succeeded, 1), said(JobStatus::Running, 2)];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let known: Vec<Knowledge> = orders
        .iter()
        .map(|order| {
            let mut knowledge = Knowledge::default();
            for at in order {
                knowledge.add(statements[*at].clone());
            }
            knowledge
        })
        .collect();
    assert!(known.iter().all(|knowledge| *knowledge == known[0]), "{known:#?}");
    assert_eq!(known[0].job().map(|job| job.status.clone()), Some(JobStatus::Succeeded));
}

fn a_job() -> (World, Config) {
    let mut story = Story::of(Row::All);
    story.asks();
    (story.world, Config::of(Row::All, &[]))
}

fn answer(world: &mut World, config: &Config) -> Evidence {
    let letter = Letter {
        export: 0,
        no: 9,
        ask: Ask::ByJob(crate::service::name_of(0)),
        key: String::new(),
        first_sent: None,
        caller: crate::world::ANN,
    };
    let said = serve(world, config, &letter, Mood::Serves);
    let AttemptResult::Found { job } = said else { unreachable!("it was made: {said:?}") };
    Evidence::Job { job }
}
