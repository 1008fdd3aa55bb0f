//! The native connector over real sockets: what each fault proves, and how many requests it made.

mod boundary;
mod faults;
pub(crate) mod server;
mod verbs;

use std::sync::Arc;

use docket_wire::{Export as Job, JobStatus};
use jiff::Timestamp;

use super::*;
use crate::{clock::SystemClock, export::ServiceId};

const SUBJECT: &str = "ann";
const TENANT: &str = "t1";
const FIRST_SENT: Timestamp = Timestamp::constant(1_700_000_000, 0);

pub(crate) fn payload() -> Payload {
    Payload::new("orders", serde_json::json!({"from": "2026-01-01"}), "csv").unwrap()
}

fn expected() -> Expected {
    Expected {
        request_key: RequestKey::from_text("0199-key"),
        operation: "orders".to_owned(),
        payload_hash: payload().hash(),
        tenant_id: TENANT.to_owned(),
        subject: Some(SUBJECT.to_owned()),
    }
}

pub(crate) fn call(address: &str) -> Call {
    let account = Account {
        service: ServiceId::from_text("s1"),
        address: address.to_owned(),
        tenant_id: TENANT.to_owned(),
        subject: Some(SUBJECT.to_owned()),
    };
    let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
    Call {
        attempt_no: 3,
        expected: Some(expected()),
        ..Call::about(account, trace.to_owned(), span.to_owned(), Arc::new(SystemClock))
    }
    .with(Some(Secret::new("s3cret")))
}

fn submit() -> Submit {
    Submit { body: payload().canonical().to_vec(), first_sent: FIRST_SENT }
}

pub(crate) fn job() -> Job {
    Job {
        business_id: "J-1".to_owned(),
        tenant_id: TENANT.to_owned(),
        operation: "orders".to_owned(),
        request_key: Some("0199-key".to_owned()),
        payload_hash: payload().hash(),
        requested_by: SUBJECT.to_owned(),
        status: JobStatus::Queued,
        progress: None,
        service_epoch: 1,
        revision: 1,
        created_at: FIRST_SENT,
        updated_at: FIRST_SENT,
        expires_at: None,
        file: None,
        problem: None,
        warnings: Vec::new(),
    }
}

pub(crate) fn connector() -> NativeConnector {
    NativeConnector::through(&Proxying::Direct, Arc::new(SystemClock)).unwrap()
}

/// A receipt as the service gives it.
fn receipt() -> Vec<u8> {
    server::answer(
        "202 Accepted",
        "Content-Type: application/json\r\nLocation: /v1/tenants/t1/exports/J-1\r\n",
        &serde_json::to_string(&job()).unwrap(),
    )
}
