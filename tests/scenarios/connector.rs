//! The suite of all connectors, run on the native one against the reference service: with all it can
//! do, and with each thing that it may lack.

use std::sync::Arc;

use docket_engine::{
    clock::SystemClock,
    connector::{
        NativeConnector, Proxying,
        suite::{self, Rig},
    },
    export::{Account, Payload, RequestKey, ServiceId},
    secret::Secret,
};
use docket_service::Feature;
use docket_tests::{
    World,
    world::{ADA, TENANT},
};
use serde_json::json;

fn rig(address: String) -> Rig {
    let clock = Arc::new(SystemClock);
    let rows = |seed: u32| {
        Payload::new("ledger", json!({"rows": 5000, "seed": seed}), "csv").expect("an object")
    };
    Rig {
        connector: Arc::new(
            NativeConnector::through(&Proxying::Direct, clock.clone()).expect("HTTP clients"),
        ),
        clock,
        account: Account {
            service: ServiceId::mint(),
            address,
            tenant_id: TENANT.to_owned(),
            subject: Some("ada".to_owned()),
        },
        credential: Secret::new(ADA),
        wrong_credential: Secret::new("secret-of-nobody"),
        payload: rows(1),
        other_payload: rows(2),
        new_key: RequestKey::mint,
    }
}

#[tokio::test]
async fn the_native_connector_passes_the_suite() {
    let world = World::new().await;
    suite::run(&rig(format!("http://{}", world.service().address()))).await.expect("every rule");
}

#[tokio::test]
async fn the_native_connector_passes_the_suite_whatever_the_service_lacks() {
    for lacks in
        [Feature::Lookup, Feature::Traits, Feature::Abandon, Feature::Cancel, Feature::Resume]
    {
        let world = World::with(|config| {
            config.without.insert(lacks);
        })
        .await;
        let rig = rig(format!("http://{}", world.service().address()));
        if let Err(breach) = suite::run(&rig).await {
            panic!("without {lacks:?}: {breach}");
        }
    }
}
