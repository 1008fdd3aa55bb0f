//! What lies in the JSON columns, pinned: a change of it must be meant, since stores of older
//! versions hold it. To write the files anew, run these tests with `DOCKET_BLESS=1`.

use std::path::Path;

use docket_wire::{ExportFile, JobStatus, Problem, ProblemType, Progress};
use serde::{Serialize, de::DeserializeOwned};

use super::{calls::job, services::facts, *};
use crate::{
    attempt::{DeferUntil, FetchEnd, PhaseMark, Verified},
    delivery::{Obstacle, SavedFile, Want},
    journal::{
        CancelTurn, Candidate, Furthest, Hold, InFlight, LastAnswer, Schedule, Sending, Turn,
        UnresolvedReason, Window, Wishes,
    },
    knowledge::{ByHand, Evidence, SubmitEnd},
};

/// The value has the JSON of the file, and the JSON of the file is the value.
fn pinned<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(name: &str, value: &T) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store/golden").join(name);
    let text = serde_json::to_string_pretty(value).unwrap() + "\n";
    if std::env::var_os("DOCKET_BLESS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        text, kept,
        "{name}: stores hold the old form; if this is meant, read the old one too"
    );
    assert_eq!(&serde_json::from_str::<T>(&kept).unwrap(), value, "{name}");
}

/// An intent whose every byte is the same at each run.
fn fixed() -> Record {
    let mut record = orders();
    record.export.request_key = RequestKey::from_text("0198f0c0-0000-7000-8000-000000000001");
    record
}

fn problem() -> Problem {
    Problem {
        problem_type: ProblemType::Forbidden,
        title: "Not allowed".to_owned(),
        status: 403,
        detail: Some("Ask for it".to_owned()),
        errors: vec![],
        permission: Some("orders.read".to_owned()),
        owner: Some("finance@example.com".to_owned()),
        accepted: None,
        retry_may_help: None,
    }
}

fn rich_job() -> docket_wire::Export {
    let mut job = job(&fixed(), JobStatus::Running, 4);
    job.progress = Some(Progress {
        done: 10,
        total: Some(100),
        unit: "rows".to_owned(),
        step: Some("reading".to_owned()),
        ahead: None,
    });
    job.file = Some(ExportFile {
        name: "orders.csv".to_owned(),
        size: 2,
        media_type: "text/csv".to_owned(),
        digest: None,
        href: "/v1/files/1".to_owned(),
    });
    job.warnings = vec!["two rows were left out".to_owned()];
    job
}

#[test]
fn knowledge_is_pinned() {
    let mut knowledge = Knowledge::default();
    pinned("knowledge-empty.json", &knowledge);
    let ends = [
        SubmitEnd::NotSent { reason: CallReason::NoNetwork },
        SubmitEnd::Deferred { until: DeferUntil::Time(at(60)) },
        SubmitEnd::Deferred { until: DeferUntil::SignIn },
        SubmitEnd::Refused { problem: Box::new(problem()) },
        SubmitEnd::Lost { phase: Phase::Await, reason: CallReason::Timeout },
        SubmitEnd::Answered,
    ];
    for (attempt_no, end) in (1..).zip(ends) {
        knowledge.add(Evidence::Submit { attempt_no, end });
    }
    for evidence in [
        Evidence::Job { job: Box::new(rich_job()) },
        Evidence::Tombstone,
        Evidence::KeyExpired,
        Evidence::CancelAccepted,
        Evidence::GoneAfterCancel,
        Evidence::Hint { business_id: "J9".to_owned() },
        Evidence::ByHand { finding: ByHand::Absent, at: at(1) },
        Evidence::ByHand { finding: ByHand::Job { business_id: "J1".to_owned() }, at: at(2) },
        Evidence::Denied { business_id: "J7".to_owned(), at: at(3) },
    ] {
        knowledge.add(evidence);
    }
    pinned("knowledge.json", &knowledge);
}

#[test]
fn the_journal_is_pinned() {
    let mut journal = Journal::new(at(0), None);
    pinned("journal-new.json", &journal);
    journal.first_sent = Some(at(1));
    journal.last_attempt_no = 3;
    journal.in_flight = vec![InFlight {
        attempt_no: 3,
        kind: AttemptKind::Submit,
        started_at: at(2),
        crossed_at: Some(at(3)),
    }];
    journal.last_crossed_end = Some(at(4));
    journal.first_crossed_at = Some(at(3));
    journal.not_seen_at = Some(at(5));
    journal.abandon_crossed = true;
    (journal.turn, journal.sending) = (Turn::AfterSeal, Sending::Copied);
    journal.schedule = Schedule {
        next_at: Some(at(6)),
        planned_gap_ms: 1_000,
        retries: 1,
        not_before: Some(at(7)),
        window: Some(Window {
            last_answer: Some(LastAnswer::NotSeen),
            last_try_at: Some(at(5)),
            ..Window::default()
        }),
        closed: Some(UnresolvedReason::NotVisible),
        closed_at: Some(at(8)),
        change_tries: 2,
        cancel_turn: CancelTurn::AfterPoll,
        quiet_polls: 3,
        news_at: Some(at(9)),
        heard: Some((1, 4)),
        furthest: {
            let mut furthest = Furthest::default();
            assert!(furthest.moved_by(&rich_job()));
            furthest
        },
        file_address: Some("/file?sig=fresh".to_owned()),
        poll_gap_ms: 5_000,
        candidates: [(
            "J2".to_owned(),
            Candidate { looks: 1, created_at: at(0), status: "queued".to_owned() },
        )]
        .into(),
    };
    journal.wishes = Wishes { cancel: Some(at(10)), check: true, resend: true };
    journal.holds = Hold::ALL.iter().copied().collect();
    pinned("journal.json", &journal);
}

#[test]
fn the_delivery_is_pinned() {
    pinned("delivery-new.json", &Delivery::default());
    let delivery = Delivery {
        want: Want::OnRequest,
        kept: 1,
        total: Some(2),
        failures: 3,
        wrong_digests: 1,
        obstacle: Some(Obstacle::NoSpace { needed: 1, free: 0 }),
        saved: Some(SavedFile {
            path: "/reports/orders.csv".into(),
            size: 2,
            digest: "00".repeat(32),
            verified: Verified::Digest,
            at: at(1),
        }),
        ..Delivery::default()
    };
    pinned("delivery.json", &delivery);
    let cannot = Obstacle::CannotWrite { folder: "/mnt".into(), reason: "read-only".to_owned() };
    pinned("delivery-obstacle.json", &cannot);
}

#[test]
fn facts_are_pinned() {
    pinned("facts.json", &facts());
}

#[test]
fn results_of_attempts_are_pinned() {
    let fetch = |end| AttemptResult::Fetched { end };
    let results = vec![
        AttemptResult::NotSent { reason: CallReason::HostNotFound },
        AttemptResult::Lost {
            phase: Phase::Decode,
            reason: CallReason::Truncated,
            hint: Some("J1".to_owned()),
        },
        lost(),
        AttemptResult::Found { job: Box::new(rich_job()) },
        AttemptResult::Listed { jobs: vec![], as_of: at(1) },
        AttemptResult::NotSeen { as_of: at(1) },
        AttemptResult::Abandoned,
        AttemptResult::KeyExpired,
        AttemptResult::Refused { problem: Box::new(problem()) },
        AttemptResult::Deferred { until: DeferUntil::SignIn },
        AttemptResult::Described { facts: Box::new(facts()) },
        AttemptResult::NotCancellable,
        fetch(FetchEnd::Saved {
            path: "/reports/orders.csv".into(),
            size: 2,
            digest: "00".repeat(32),
            verified: Verified::Size,
        }),
        fetch(FetchEnd::Interrupted { reason: CallReason::Reset, kept: 5, gained: 2 }),
        fetch(FetchEnd::Stopped { kept: 5 }),
        fetch(FetchEnd::WrongDigest),
        fetch(FetchEnd::NoSpace { needed: 9, free: 1, kept: 5 }),
        fetch(FetchEnd::CannotWrite {
            folder: "/mnt".into(),
            reason: "read-only".to_owned(),
            kept: 0,
        }),
        fetch(FetchEnd::AccessWithdrawn),
        fetch(FetchEnd::FileGone),
        fetch(FetchEnd::SignIn),
    ];
    pinned("results.json", &results);
    pinned("phases.json", &vec![PhaseMark { phase: Phase::Send, at_ms: 12 }]);
}
