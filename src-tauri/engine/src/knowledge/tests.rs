//! The laws of the join, by random evidence in random order, and the cases that taught them.

use docket_wire::{PayloadHash, Problem, ProblemType};
use proptest::prelude::*;

use super::*;

fn job(id: &str, status: JobStatus, epoch: u64, revision: u64) -> Job {
    Job {
        business_id: id.to_owned(),
        tenant_id: "acme".to_owned(),
        operation: "orders".to_owned(),
        request_key: Some("key".to_owned()),
        payload_hash: PayloadHash::of(b"payload"),
        requested_by: "ann".to_owned(),
        status,
        progress: None,
        service_epoch: epoch,
        revision,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        updated_at: jiff::Timestamp::UNIX_EPOCH,
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
    }
}

fn any_status() -> impl Strategy<Value = JobStatus> {
    prop_oneof![
        Just(JobStatus::Queued),
        Just(JobStatus::Running),
        Just(JobStatus::Succeeded),
        Just(JobStatus::Failed),
        Just(JobStatus::Cancelled),
        Just(JobStatus::Expired),
        Just(JobStatus::Unknown("paused".to_owned())),
    ]
}

fn any_job() -> impl Strategy<Value = Job> {
    let ids = prop_oneof![4 => Just("one"), 1 => Just("two")];
    (ids, any_status(), 0..3_u64, 0..4_u64, any::<bool>()).prop_map(
        |(id, status, epoch, revision, warned)| {
            let mut job = job(id, status, epoch, revision);
            // The same place in the order with another content: a contradiction.
            job.warnings.extend(warned.then(|| "partial".to_owned()));
            job
        },
    )
}

fn any_end() -> impl Strategy<Value = SubmitEnd> {
    prop_oneof![
        Just(SubmitEnd::NotSent { reason: CallReason::HostNotFound }),
        Just(SubmitEnd::NotSent { reason: CallReason::ConnectionRefused }),
        Just(SubmitEnd::Deferred { until: DeferUntil::SignIn }),
        Just(SubmitEnd::Deferred { until: DeferUntil::Time(jiff::Timestamp::UNIX_EPOCH) }),
        Just(SubmitEnd::Refused { problem: Box::new(Problem::new(ProblemType::Forbidden)) }),
        Just(SubmitEnd::Lost { phase: Phase::Await, reason: CallReason::Timeout }),
        Just(SubmitEnd::Lost { phase: Phase::Receive, reason: CallReason::Truncated }),
        Just(SubmitEnd::Answered),
    ]
}

fn any_time() -> impl Strategy<Value = Timestamp> {
    (0..4_i64).prop_map(|second| Timestamp::from_second(second).unwrap())
}

fn named(business_id: &str) -> ByHand {
    ByHand::Job { business_id: business_id.to_owned() }
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    prop_oneof![
        3 => (1..4_u32, any_end())
            .prop_map(|(attempt_no, end)| Evidence::Submit { attempt_no, end }),
        4 => any_job().prop_map(|job| Evidence::Job { job: Box::new(job) }),
        1 => Just(Evidence::Tombstone),
        1 => Just(Evidence::KeyExpired),
        1 => Just(Evidence::CancelAccepted),
        1 => Just(Evidence::GoneAfterCancel),
        1 => Just(Evidence::Hint { business_id: "one".to_owned() }),
        1 => any_job().prop_map(|job| Evidence::Adopted { job: Box::new(job) }),
        1 => any_time().prop_map(|at| Evidence::ByHand { finding: ByHand::Absent, at }),
        1 => any_time().prop_map(|at| Evidence::ByHand { finding: named("two"), at }),
        1 => any_time()
            .prop_map(|at| Evidence::Denied { business_id: "two".to_owned(), at }),
    ]
}

fn known(evidence: &[Evidence]) -> Knowledge {
    let mut knowledge = Knowledge::default();
    for one in evidence {
        knowledge.add(one.clone());
    }
    knowledge
}

proptest! {
    #[test]
    fn order_and_repetition_do_not_matter(
        (told, shuffled) in proptest::collection::vec(any_evidence(), 0..12)
            .prop_flat_map(|told| {
                let twice: Vec<Evidence> = told.iter().chain(&told).cloned().collect();
                (Just(told), Just(twice).prop_shuffle())
            })
    ) {
        prop_assert_eq!(known(&told), known(&shuffled));
    }

    #[test]
    fn join_is_commutative_associative_idempotent(
        a in proptest::collection::vec(any_evidence(), 0..8).prop_map(|e| known(&e)),
        b in proptest::collection::vec(any_evidence(), 0..8).prop_map(|e| known(&e)),
        c in proptest::collection::vec(any_evidence(), 0..8).prop_map(|e| known(&e)),
    ) {
        prop_assert_eq!(a.clone().join(b.clone()), b.clone().join(a.clone()));
        prop_assert_eq!(
            a.clone().join(b.clone()).join(c.clone()),
            a.clone().join(b.clone().join(c))
        );
        prop_assert_eq!(a.clone().join(a.clone()), a);
    }

    #[test]
    fn join_of_parts_is_the_whole(
        left in proptest::collection::vec(any_evidence(), 0..8),
        right in proptest::collection::vec(any_evidence(), 0..8),
    ) {
        let whole: Vec<Evidence> = left.iter().chain(&right).cloned().collect();
        prop_assert_eq!(known(&left).join(known(&right)), known(&whole));
    }

    #[test]
    fn no_evidence_takes_a_job_away_or_moves_it_back(
        before in proptest::collection::vec(any_evidence(), 0..8),
        more in any_evidence(),
    ) {
        let before = known(&before);
        let mut after = before.clone();
        after.add(more);
        for (id, statement) in &before.jobs {
            let now = &after.jobs[id];
            prop_assert!(now.order() >= statement.order());
        }
        prop_assert!(after.tombstone >= before.tombstone);
        prop_assert!(after.any_crossed() >= before.any_crossed());
        // What was lost may be answered late; it never becomes less than lost.
        for (attempt_no, end) in &before.submits {
            prop_assert!(after.submits[attempt_no].rank() >= end.rank());
        }
    }

    #[test]
    fn what_is_stored_comes_back(
        told in proptest::collection::vec(any_evidence(), 0..12).prop_map(|e| known(&e)),
    ) {
        let stored = serde_json::to_string(&told).unwrap();
        prop_assert_eq!(serde_json::from_str::<Knowledge>(&stored).unwrap(), told);
    }
}

fn of_job(job: Job) -> Evidence {
    Evidence::Job { job: Box::new(job) }
}

#[test]
fn within_an_epoch_settled_yields_only_to_settled() {
    let settled = job("one", JobStatus::Succeeded, 1, 5);
    let late_old = job("one", JobStatus::Running, 1, 9);
    let expired = job("one", JobStatus::Expired, 1, 6);
    let restored = job("one", JobStatus::Running, 2, 1);
    let told = known(&[of_job(settled.clone()), of_job(late_old)]);
    assert_eq!(told.job(), Some(&settled));
    assert_eq!(known(&[of_job(expired.clone()), of_job(settled.clone())]).job(), Some(&expired));
    assert_eq!(known(&[of_job(settled), of_job(restored.clone())]).job(), Some(&restored));
}

#[test]
fn a_tie_that_differs_is_marked_and_a_higher_statement_clears_it() {
    let one = job("one", JobStatus::Failed, 1, 5);
    let other = job("one", JobStatus::Succeeded, 1, 5);
    let told = known(&[of_job(other), of_job(one.clone())]);
    let statement = told.statement().unwrap();
    assert!(statement.contradicted);
    // The later in the order of business outcomes stands.
    assert_eq!(statement.job, one);
    let cleared = told.join(known(&[of_job(job("one", JobStatus::Failed, 1, 6))]));
    assert!(!cleared.statement().unwrap().contradicted);
}

#[test]
fn two_jobs_or_a_job_and_a_tombstone_are_a_breach_until_the_person_names_one() {
    let two = known(&[
        of_job(job("one", JobStatus::Running, 1, 1)),
        of_job(job("two", JobStatus::Running, 1, 1)),
    ]);
    assert!(two.is_breached());
    assert_eq!(two.job(), None);
    let buried = known(&[Evidence::Tombstone, of_job(job("one", JobStatus::Queued, 1, 1))]);
    assert!(buried.is_breached());
    let told = Evidence::ByHand { finding: named("two"), at: Timestamp::UNIX_EPOCH };
    let settled = two.join(known(&[told]));
    assert!(!settled.is_breached());
    assert_eq!(settled.job().map(|job| job.business_id.as_str()), Some("two"));
}

#[test]
fn of_what_the_person_found_the_newest_counts() {
    let at = |second| Timestamp::from_second(second).unwrap();
    let found = |finding, second| Evidence::ByHand { finding, at: at(second) };
    let asked = |knowledge: &Knowledge| knowledge.named().cloned().collect::<Vec<_>>();
    let corrected = known(&[found(named("one"), 1), found(ByHand::Absent, 2)]);
    assert!(corrected.is_absent_by_hand());
    let there = known(&[found(named("one"), 2), found(ByHand::Absent, 1)]);
    assert!(!there.is_absent_by_hand());
    assert_eq!(asked(&there), ["one"]);

    let denied = |second| Evidence::Denied { business_id: "one".to_owned(), at: at(second) };
    let wrong = there.join(known(&[denied(2)]));
    assert_eq!(asked(&wrong), [] as [&str; 0], "it is not asked about again");
    assert_eq!(wrong.business_id(), None);
    let insisted = wrong.join(known(&[found(named("one"), 3)]));
    assert_eq!(asked(&insisted), ["one"], "unless the person insists");
}

#[test]
fn a_refusal_does_not_outlive_a_job_and_an_unknown_word_is_not_running() {
    let refused = Evidence::Submit {
        attempt_no: 2,
        end: SubmitEnd::Refused { problem: Box::new(Problem::new(ProblemType::Forbidden)) },
    };
    let told = known(&[refused, of_job(job("one", JobStatus::Running, 1, 1))]);
    assert_eq!(told.job().map(|job| outcome_of(&job.status)), Some(BusinessOutcome::Running));
    assert_eq!(outcome_of(&JobStatus::Unknown("paused".to_owned())), BusinessOutcome::Unknown);
}

#[test]
fn a_fresh_address_of_the_same_file_is_no_other_statement() {
    let with_address = |href: &str| {
        let mut one = job("one", JobStatus::Succeeded, 1, 5);
        one.file = Some(docket_wire::ExportFile {
            name: "orders.csv".to_owned(),
            size: 1,
            media_type: "text/csv".to_owned(),
            digest: None,
            href: href.to_owned(),
        });
        of_job(one)
    };
    let told = known(&[with_address("/z?sig=old"), with_address("/a?sig=fresh")]);
    assert!(!told.statement().unwrap().contradicted);
    assert!(!serde_json::to_string(&told).unwrap().contains("sig="));
}
