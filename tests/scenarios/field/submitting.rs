//! A submit whose answer says little, says it late, or says it in words of its own.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    policy::Policy,
    stage::Stage,
    view::PersonAction,
    words::{Language, Words},
};
use docket_service::Feature;
use docket_tests::{
    Back, Call, Message, Rule, Toward, World,
    client::short,
    proxy::rule::{problem, whole},
    story::{asked_before_sending, attempts, ended, offers},
    world::{never_ending, other_week, week},
};
use std::{collections::BTreeSet, time::Duration};

/// Looks that do not show the job although it is there, as from a replica that lags.
fn unseen(times: u32) -> Rule {
    Rule::edit(Call::Key, |answer| {
        answer.edit_json(|key| {
            key["state"] = "absent".into();
            key.as_object_mut().expect("an object").remove("export");
        });
    })
    .times(times)
}

#[tokio::test]
async fn somebody_was_first_and_the_job_is_followed() {
    let conflicts = [
        ("in_progress", problem(409, "in-progress", "", &[])),
        ("not_the_service", problem(409, "already-exists", "", &[])),
        ("not_the_service", whole("409 Conflict", "application/json", &[], "{\"error\":409}")),
    ];
    for (reason, conflict) in conflicts {
        let world = World::with(never_ending).await;
        let policy = Policy { window: Duration::from_secs(20), ..short() };
        let client = world.client_with(|options| options.policy = policy).await;
        // POST 1 commits and its answer is lost; POST 2 meets it; looks show it only later.
        world.proxy.rules([
            Rule::lose_answer(Call::Submit),
            Rule::new(Call::Submit, Toward::Service, Back::Instead(conflict)).times(3),
            unseen(5),
        ]);
        let id = client.ask(week()).await;
        let known = client.until(&id, "known", |view| view.business_id.is_some()).await;
        let submits = attempts(&known, AttemptKind::Submit);
        assert!(submits.len() > 1, "{reason}: {submits:?}");
        assert_eq!(submits[1].reason.as_deref(), Some(reason));
        assert!(asked_before_sending(&known), "{reason}");
        let seen: BTreeSet<Stage> =
            client.witness.views_of(&id).into_iter().map(|view| view.stage).collect();
        let quiet = [Stage::Sending, Stage::Confirming, Stage::Accepted, Stage::Running];
        assert!(seen.iter().all(|stage| quiet.contains(stage)), "no error on the way: {seen:?}");
        assert_eq!(client.all().await.len(), 1, "one job is shown");
        assert_eq!(world.rows().jobs().len(), 1);
        assert_eq!(known.business_id, Some(world.rows().jobs()[0].business_id.clone()));
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn three_ways_to_get_no_answer_are_three_rows_and_three_sentences() {
    let mut sentences = BTreeSet::new();
    let words = Words::for_language(Language::English);
    let after_commit = Back::Instead(problem(500, "internal", "", &[]));
    for (rule, call, reason) in [
        (None, CallResult::NotSent, "connection_refused"),
        (Some(Back::Reset), CallResult::Lost, "reset"),
        (Some(after_commit), CallResult::Lost, "service_error"),
    ] {
        let world = World::new().await;
        let client = world.client().await;
        match rule {
            None => world.proxy.refuse().await,
            Some(back) => world.proxy.rules([Rule::new(Call::Submit, Toward::Service, back)]),
        }
        let id = client.ask(week()).await;
        let first = client
            .until(&id, "its end", |view| {
                attempts(view, AttemptKind::Submit)
                    .iter()
                    .any(|submit| submit.call_result.is_some())
            })
            .await;
        let submit = attempts(&first, AttemptKind::Submit)[0].clone();
        assert_eq!((submit.call_result, submit.reason.as_deref()), (Some(call), Some(reason)));
        let stage =
            if call == CallResult::NotSent { Stage::WaitingToSend } else { Stage::Confirming };
        client.until_stage(&id, stage).await;
        sentences.insert(words.say(&format!("call-reason-{reason}"), &[("svc", "Reports".into())]));
        world.proxy.listen();
        client.until_saved(&id).await;
        assert_eq!(world.rows().jobs().len(), 1, "{reason}");
        world.holds(&[&client]);
    }
    assert_eq!(sentences.len(), 3, "{sentences:?}");
}

#[tokio::test]
async fn an_acceptance_without_a_location_names_its_job_in_the_body() {
    let world = World::new().await;
    let client = world.client().await;
    world.proxy.rules([Rule::edit(Call::Submit, |answer| answer.set_header("location", None))]);
    let id = client.ask(week()).await;
    let saved = client.until_saved(&id).await;
    assert_eq!(ended(&saved, AttemptKind::Submit, CallResult::Answered), 1);
    assert_eq!(saved.looks, 0);
    world.holds(&[&client]);
}

#[tokio::test]
async fn an_acceptance_that_names_nothing_and_can_not_be_asked_about_is_the_persons() {
    let world = World::with(|config| {
        config.without =
            [Feature::Idempotency, Feature::Lookup, Feature::Traits, Feature::Abandon].into();
    })
    .await;
    let client = world.client().await;
    world.proxy.rules([Rule::edit(Call::Submit, |answer: &mut Message| {
        answer.set_header("location", None);
        answer.set_body(b"{}".to_vec());
    })]);
    let id = client.ask(week()).await;
    let open = client.until_stage(&id, Stage::Unresolved).await;
    assert_eq!(open.reason.as_deref(), Some("lookup_unsupported"));
    assert_eq!(attempts(&open, AttemptKind::Submit)[0].reason.as_deref(), Some("no_job_named"));
    assert!(offers(&open, PersonAction::Settle));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn absent_is_provisional_while_a_request_may_still_wait_somewhere() {
    let world = World::with(|config| config.without = [Feature::Idempotency].into()).await;
    let policy = Policy { window: Duration::from_secs(20), ..short() };
    let client = world.client_with(|options| options.policy = policy).await;
    let gateway = docket_tests::proxy::rule::page(504, "Gateway Timeout");
    world.proxy.rules([Rule::new(Call::Submit, Toward::Kept, Back::Instead(gateway))]);
    let id = client.ask(week()).await;
    // The gateway gave up; look after look is answered "absent".
    world.proxy.until_seen(Call::Key, 6).await;
    let waiting = client.now(&id).await;
    assert_eq!(waiting.stage, Stage::Confirming);
    assert!(
        attempts(&waiting, AttemptKind::Lookup)
            .iter()
            .all(|look| look.result.as_deref() == Some("not_seen"))
    );
    assert_eq!(world.proxy.deliver_kept().await.status(), Some(202), "it comes all the same");
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.business_id, Some(world.rows().jobs()[0].business_id.clone()));
    assert_eq!(world.rows().jobs().len(), 1);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    world.holds(&[&client]);
}

#[tokio::test]
async fn problems_are_told_apart_by_their_type_and_by_nothing_else() {
    let says = |kind: &'static str, title: &'static str| {
        move |answer: &mut Message| {
            answer.edit_json(|problem| {
                problem["type"] = format!("urn:docket:problem:{kind}").into();
                problem["title"] = title.into();
                problem["detail"] = title.into();
            });
        }
    };
    let backwards = serde_json::json!({"from": "2026-11-07", "to": "2026-11-01"});
    let world = World::new().await;
    let client = world.client().await;
    let talk = "Accepted. Try again later with another key, the first one is abandoned.";
    world.proxy.rules([Rule::edit(Call::Submit, says("invalid-parameters", talk))]);
    let id = client.ask(backwards.clone()).await;
    let rejected = client.until_stage(&id, Stage::Rejected).await;
    assert_eq!(rejected.reason.as_deref(), Some("invalid-parameters"), "whatever it talks of");

    // A type that nobody knows proves nothing, however well its text reads.
    let world = World::new().await;
    let client = world.client().await;
    let talk = "The parameters are not valid.";
    world.proxy.rules([
        Rule::edit(Call::Submit, says("wrong-parameters", talk)),
        Rule::new(Call::Key, Toward::Service, Back::Stall),
    ]);
    let id = client.ask(backwards).await;
    world.proxy.until_stalled(Call::Key).await;
    let confirming = client.now(&id).await;
    assert_eq!(confirming.stage, Stage::Confirming);
    assert_eq!(
        attempts(&confirming, AttemptKind::Submit)[0].reason.as_deref(),
        Some("not_the_service")
    );
    world.proxy.release();
    world.holds(&[&client]);
}

#[tokio::test]
async fn a_key_travels_with_the_calls_about_it_and_with_no_other() {
    let world = World::with(never_ending).await;
    let client = world.client().await;
    world.proxy.rules([Rule::lose_answer(Call::Submit)]);
    let id = client.ask(week()).await;
    client.until_stage(&id, Stage::Running).await;
    client.engine.cancel(&id).await.unwrap();
    client.until_stage(&id, Stage::Cancelled).await;
    let mut world = world;
    world.restart_service(|config| config.pace = docket_service::Pace::FULL_SPEED).await;
    let other = client.ask(other_week()).await;
    let saved = client.until_saved(&other).await;
    let keys = [client.now(&id).await.request_key, saved.request_key];
    for seen in world.proxy.seen() {
        let carries = matches!(seen.call, Call::Submit | Call::Key | Call::Abandon);
        assert_eq!(seen.key.is_some(), carries, "{seen:?}");
        assert!(seen.key.is_none_or(|key| keys.contains(&key)));
    }
    for call in [Call::Cancel, Call::File, Call::Job, Call::Key, Call::Submit] {
        assert!(!world.proxy.seen_of(call).is_empty(), "{call:?} was made");
    }
    world.holds(&[&client]);
}

#[tokio::test]
async fn signed_in_again_and_then_refused_it_is_rejected_and_not_unknown() {
    let world = World::with(|config| config.without = [Feature::Abandon].into()).await;
    let client = world.client().await;
    world.service().replace_tokens(vec![docket_tests::world::ada_renewed()]).unwrap();
    let id = client.ask(week()).await;
    client.until(&id, "held", |view| view.hold == Some(docket_engine::journal::Hold::SignIn)).await;
    // A 401 was looked at before all else, so what crossed then can have made nothing.
    world.proxy.rules([Rule::instead(Call::Submit, problem(403, "forbidden", "", &[]))]);
    client.sign_in(docket_tests::world::ADA_RENEWED).await;
    let rejected = client.until_stage(&id, Stage::Rejected).await;
    assert_eq!(rejected.reason.as_deref(), Some("forbidden"));
    assert_eq!(rejected.next_action_at, None);
    assert_eq!(world.rows().jobs(), []);
    world.holds(&[&client]);
}
