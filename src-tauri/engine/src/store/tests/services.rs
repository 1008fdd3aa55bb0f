//! The services that the person has added.

use docket_wire::{Caller, Operation, OperationList};

use super::*;
use crate::{
    capabilities::{ServiceFacts, Suspicion},
    store::{Added, Catalogue, Practice, Removed, ServiceProfile},
};

pub(super) fn profile(name: &str, address: &str) -> ServiceProfile {
    ServiceProfile {
        id: ServiceId::mint(),
        name: name.to_owned(),
        address: address.to_owned(),
        tenant_id: "acme".to_owned(),
        practice: Practice::No,
        caller: None,
        facts: None,
        catalogue: None,
        added_at: at(0),
        removed_at: None,
    }
}

fn add(store: &Store, profile: ServiceProfile) -> ServiceProfile {
    match store.add_service(profile).unwrap() {
        Added::New(profile) => profile,
        Added::AlreadyThere(profile) => panic!("{profile:?}"),
    }
}

pub(super) fn facts() -> ServiceFacts {
    ServiceFacts {
        name: "Exports".to_owned(),
        capabilities: docket_wire::Capabilities {
            idempotent_submit: true,
            lookup_by_key: true,
            lookup_by_traits: false,
            abandon: true,
            cancel: true,
            key_retention_s: 86_400,
            visibility_lag_s: 2,
            max_wait_s: 30,
            poll_interval_s: 5,
            file_retention_s: 604_800,
            resumable_files: true,
        },
        remembers_since: at(-86_400),
        service_epoch: 1,
        clock_ahead_ms: -250,
        described_at: at(0),
        suspected: Suspicion::None,
    }
}

fn catalogue() -> Catalogue {
    let operation = Operation {
        operation: "orders".to_owned(),
        title: [("en".to_owned(), "Orders".to_owned())].into(),
        description: [].into(),
        parameters: json!({ "type": "object" }),
        formats: vec!["csv".to_owned()],
    };
    let caller = Caller { subject: "ada".to_owned(), name: "Ada".to_owned() };
    let operations = OperationList { caller, operations: vec![operation] };
    Catalogue { operations: operations.into(), fetched_at: at(1) }
}

#[test]
fn a_service_is_kept_with_all_that_it_told() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let second = add(&store, profile("Practice", "http://127.0.0.1:8080"));
    let told = store
        .update_service(&first.id, &mut |profile| {
            profile.caller = Some(catalogue().operations.caller.clone());
            profile.facts = Some(facts());
            profile.catalogue = Some(catalogue());
            profile.id = ServiceId::mint();
        })
        .unwrap()
        .unwrap();
    assert_eq!(told.id, first.id, "a service keeps its id");
    drop(store);
    let store = place.driven();
    assert_eq!(store.service(&first.id).unwrap(), Some(told.clone()));
    assert_eq!(store.services().unwrap(), [told, second]);
    assert_eq!(store.update_service(&ServiceId::mint(), &mut |_| {}).unwrap(), None);
}

#[test]
fn what_another_process_learnt_of_a_catalogue_is_read_at_once() {
    let place = Place::new();
    let (store, other) = (place.driven(), place.open().store);
    let id = add(&store, profile("Finance", "https://exports.example.com")).id;
    let offered = |store: &Store| {
        let catalogue = store.service(&id).unwrap().unwrap().catalogue;
        catalogue.map(|told| told.operations.operations[0].operation.clone())
    };
    assert_eq!((offered(&store), offered(&other)), (None, None));
    // Names of one length: the text stays as long, and nothing else of the service changes.
    for name in ["orders", "ledger", "orders", "trades"] {
        for (writer, reader) in [(&store, &other), (&other, &store)] {
            let mut told = catalogue();
            let mut operations = (*told.operations).clone();
            name.clone_into(&mut operations.operations[0].operation);
            told.operations = operations.into();
            writer
                .update_service(&id, &mut |profile| profile.catalogue = Some(told.clone()))
                .unwrap();
            assert_eq!(offered(reader).as_deref(), Some(name));
            assert_eq!(offered(writer).as_deref(), Some(name));
        }
    }
}

#[test]
fn one_address_and_tenant_is_one_service() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let again = store.add_service(profile("Again", "https://exports.example.com")).unwrap();
    assert_eq!(again, Added::AlreadyThere(first.clone()));
    let mut other_tenant = profile("Other", "https://exports.example.com");
    other_tenant.tenant_id = "other".to_owned();
    add(&store, other_tenant);
    assert_eq!(store.remove_service(&first.id, at(1)).unwrap(), Removed::Gone);
    add(&store, profile("Again", "https://exports.example.com"));
}

#[test]
fn a_service_with_open_exports_stays_and_one_without_leaves_its_name() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let mut given = orders();
    given.export.account.service = first.id.clone();
    let open = record(&store, given);
    assert_eq!(store.remove_service(&first.id, at(1)).unwrap(), Removed::InUse(1));
    store
        .change(&open.export.id, at(1), &mut |record| {
            record.journal.wishes.cancel = Some(at(1));
            record.next_action_at = None;
        })
        .unwrap();
    assert_eq!(store.remove_service(&first.id, at(2)).unwrap(), Removed::Gone);
    assert_eq!(store.remove_service(&first.id, at(3)).unwrap(), Removed::Unknown);
    assert!(store.services().unwrap().is_empty());
    let gone = store.service(&first.id).unwrap().unwrap();
    assert_eq!((gone.name.as_str(), gone.removed_at), ("Finance", Some(at(2))));
}

#[test]
fn a_service_stays_while_a_call_of_an_export_that_is_over_is_under_way() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let mut given = orders();
    given.export.account.service = first.id.clone();
    let over = record(&store, given).export.id;
    let refused = AttemptResult::Refused {
        problem: Box::new(docket_wire::Problem::new(docket_wire::ProblemType::Forbidden)),
    };
    let same = |_: &mut Record| {};
    let begin = |version, change| {
        store.begin_change(&over, version, change, "s", at(1), &same).unwrap().unwrap().1
    };
    let no = begin(1, crate::store::Change::Submit);
    store
        .finish(&[ended(&over, no, AttemptKind::Submit, refused)], at(2), &|record, _| {
            record.next_action_at = None;
        })
        .unwrap();
    let rejected = store.get(&over).unwrap().unwrap();
    assert_eq!(rejected.stage, Stage::Rejected);
    // Its seal leaves: what it brings may be the job.
    begin(rejected.version, crate::store::Change::Abandon);
    let Export { account, payload, .. } = &rejected.export;
    let same = store.against(account, payload, &|against| against.same()).unwrap();
    assert_eq!(same.len(), 1, "the guard sees it while the seal is under way");
    assert_eq!(store.remove_service(&first.id, at(3)).unwrap(), Removed::InUse(1));
}

#[test]
fn what_is_over_is_not_opened_again_once_its_service_is_removed() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let mut given = orders();
    given.export.account.service = first.id.clone();
    let over = record(&store, given).export.id;
    let withdraw = &mut |record: &mut Record| {
        record.journal.wishes.cancel = Some(at(1));
        record.next_action_at = None;
    };
    let withdrawn = store.change(&over, at(1), withdraw).unwrap().unwrap();
    assert_eq!(store.remove_service(&first.id, at(2)).unwrap(), Removed::Gone);
    let opened = store.change(&over, at(3), &mut |record| record.journal.wishes.cancel = None);
    assert!(matches!(&opened, Err(StoreError::ServiceRemoved(id)) if *id == first.id));
    assert_eq!(store.get(&over).unwrap().unwrap(), withdrawn);
}

#[test]
fn exports_are_found_by_what_their_service_is_called_now() {
    let place = Place::new();
    let store = place.driven();
    let first = add(&store, profile("Finance", "https://exports.example.com"));
    let mut given = orders();
    given.export.account.service = first.id.clone();
    let export = record(&store, given);
    let found = |typed: &str| {
        let by = ListedBy { search: Some(typed.to_owned()), ..page(10) };
        store.list(&by).unwrap().records.len()
    };
    assert_eq!(found("finance"), 1);
    store.update_service(&first.id, &mut |profile| profile.name = "Treasury".to_owned()).unwrap();
    assert_eq!((found("finance"), found("treasury")), (0, 1));
    assert_eq!(store.get(&export.export.id).unwrap().unwrap(), export, "no export changed");
}

#[test]
fn no_column_could_hold_a_credential() {
    let place = Place::new();
    let _store = place.driven();
    let sql = place.sql();
    let mut columns = sql.prepare("SELECT name FROM pragma_table_info('service_profile')").unwrap();
    let names: Vec<String> =
        columns.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    for word in ["token", "secret", "password", "credential", "authorization"] {
        assert!(names.iter().all(|name| !name.contains(word)), "{names:?}");
    }
}
