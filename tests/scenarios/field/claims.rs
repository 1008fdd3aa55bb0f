//! Keys that a service claims and does not honour: for ever in progress, ignored, or done long ago
//! with nothing left of the result.

use docket_engine::{
    attempt::{AttemptKind, CallResult},
    knowledge::ByHand,
    policy::Policy,
    stage::Stage,
    view::PersonAction,
};
use docket_service::Feature;
use docket_tests::{
    Back, Call, Client, Rule, Toward, World,
    client::short,
    proxy::rule::problem,
    story::{ended, offers},
    world::week,
};
use std::time::Duration;

/// A client whose slow looks come only when the person asks.
async fn patient(world: &World) -> Client {
    let policy = Policy { slow_gap: Duration::from_secs(3600), ..short() };
    world.client_with(|options| options.policy = policy).await
}

#[tokio::test]
async fn a_claim_that_never_ends_is_bounded_and_told_with_its_key() {
    for without in [vec![], vec![Feature::Lookup, Feature::Traits]] {
        let world = World::with(|config| config.without = without.iter().copied().collect()).await;
        let client = patient(&world).await;
        // A service that crashed in its handler and left the key claimed.
        let claimed = problem(409, "in-progress", "", &[]);
        world.proxy.rules([
            Rule::instead(Call::Submit, claimed.clone()).always(),
            Rule::instead(Call::Abandon, claimed).always(),
        ]);
        let id = client.ask(week()).await;
        let open = client.until_stage(&id, Stage::Unresolved).await;
        assert_eq!(ended(&open, AttemptKind::Abandon, CallResult::Lost), 5, "{without:?}");
        let asked = world.proxy.seen().len();
        let keys: Vec<_> = world.proxy.seen_of(Call::Submit).into_iter().map(|s| s.key).collect();
        assert!(keys.iter().all(|key| key.as_deref() == Some(open.request_key.as_str())));
        assert!(offers(&open, PersonAction::CheckNow) && offers(&open, PersonAction::Settle));
        assert_eq!(world.proxy.seen().len(), asked, "nothing is asked for ever");

        // The claim is let go of at last.
        world.proxy.clear();
        client.engine.check_now(&id).await.unwrap();
        client.until_saved(&id).await;
        assert_eq!(world.rows().jobs().len(), 1);
        world.holds(&[&client]);
    }
}

#[tokio::test]
async fn a_service_that_ignores_its_keys_is_found_out() {
    // It says that it takes keys and makes a job of each request all the same.
    let world = World::with(|config| config.without = [Feature::Idempotency].into()).await;
    let client = world.open_client(|_| {}).await;
    world.proxy.rules([
        Rule::edit(Call::Service, |answer| {
            answer.edit_json(|says| says["capabilities"]["idempotent_submit"] = true.into());
        })
        .always(),
        Rule::new(Call::Submit, Toward::Service, Back::Close),
        Rule::new(Call::Submit, Toward::Service, Back::Late),
        Rule::edit(Call::Key, |answer| {
            answer.edit_json(|key| {
                key["state"] = "absent".into();
                key.as_object_mut().expect("an object").remove("export");
            });
        }),
    ]);
    client.add_service(&world.proxy.url(), docket_tests::world::ADA).await;
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Submit).await;
    client.engine.check_now(&id).await.unwrap();
    client.until(&id, "the first job", |view| view.business_id.is_some()).await;
    world.proxy.release();
    let breach =
        client.until(&id, "both jobs", |view| view.reason.as_deref() == Some("key_breached")).await;
    assert_eq!(breach.stage, Stage::Unresolved);
    assert_eq!(world.rows().jobs().len(), 2, "the harm is the service's; the person is told");
    let shown: Vec<&str> =
        breach.candidates.iter().map(|candidate| candidate.business_id.as_str()).collect();
    for job in world.rows().jobs() {
        assert!(shown.contains(&job.business_id.as_str()), "{job:?} in {shown:?}");
    }

    let chosen = world.rows().jobs()[1].business_id.clone();
    client.engine.settle(&id, ByHand::Job { business_id: chosen.clone() }).await.unwrap();
    let saved = client.until_saved(&id).await;
    assert_eq!(saved.business_id, Some(chosen));
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 2);
}

#[tokio::test]
async fn done_long_ago_and_nothing_kept_is_an_end_and_not_an_error() {
    let world = World::with(|config| config.file_retention = Duration::ZERO).await;
    let client = world.client().await;
    world.proxy.rules([
        Rule::lose_answer(Call::Submit),
        Rule::new(Call::Key, Toward::Nowhere, Back::Stall),
    ]);
    let id = client.ask(week()).await;
    world.proxy.until_stalled(Call::Key).await;
    docket_tests::in_time("the file runs out", async {
        while world.rows().jobs()[0].status != "expired" {
            tokio::task::yield_now().await;
        }
    })
    .await;
    world.proxy.release();
    let gone = client.until_stage(&id, Stage::Expired).await;
    assert!(gone.business_id.is_some() && gone.file.is_none());
    assert!(offers(&gone, PersonAction::ExportAgain), "another one is asked for by the person");
    assert_eq!(gone.next_action_at, None);
    assert_eq!(world.proxy.seen_of(Call::Submit).len(), 1);
    assert_eq!(world.rows().jobs().len(), 1);
    world.holds(&[&client]);
}
