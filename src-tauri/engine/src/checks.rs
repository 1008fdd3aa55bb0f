//! The five checks of a service, DK101 to DK105: what a person can be told before the first export.
//!
//! Reading only: no export is started and nothing at the service changes. What one check needs and an
//! earlier one did not find is skipped, so that one fault shows once.

use docket_wire::{Capabilities, OperationList};
use jiff::Timestamp;

use crate::{
    attempt::{AttemptEnd, AttemptResult, CallReason, DeferUntil},
    capabilities::ServiceFacts,
    connector::{Call, Connector, Expected, Target},
    export::{Payload, RequestKey},
    view::{CheckOutcome, CheckView},
};

/// Asks the service what the checks need, in up to three requests, and judges it.
pub async fn run(connector: &dyn Connector, call: &Call) -> Vec<CheckView> {
    let described = connector.describe(&call.renewed()).await;
    let mut checks = vec![reach(&described), trust(call, &described)];
    let AttemptResult::Described { facts } = &described.result else {
        checks.extend(["DK103", "DK104", "DK105"].map(skipped));
        return checks;
    };
    let catalogue = connector.catalogue(&call.renewed()).await;
    checks.push(sign_in(&catalogue));
    checks.push(match (&catalogue, facts.capabilities.lookup_by_key) {
        (_, false) => no_look_up(&facts.capabilities),
        (Ok(list), true) => look_up(connector, call, facts, list).await,
        (Err(_), true) => skipped("DK104"),
    });
    checks.push(resume(&facts.capabilities));
    checks
}

/// Whether no check failed, and none was skipped for want of an answer.
pub fn passed_whole(checks: &[CheckView]) -> bool {
    checks.iter().all(|check| match check.outcome {
        CheckOutcome::Pass | CheckOutcome::Warn => true,
        CheckOutcome::Fail | CheckOutcome::Skipped => false,
    })
}

/// DK101: something answers there, and it is a service of this protocol.
fn reach(described: &AttemptEnd) -> CheckView {
    match described.result.reason() {
        None => passed("DK101", described.phases.last().map(|mark| format!("{} ms", mark.at_ms))),
        // The computer was reached; what is wrong is the next check's.
        Some(reason) if is_about_trust(reason) => passed("DK101", None),
        Some(reason) => failed("DK101", reason.as_str()),
    }
}

/// DK102: the connection is one that this computer trusts, and a proxy lets it through.
fn trust(call: &Call, described: &AttemptEnd) -> CheckView {
    match described.result.reason() {
        None => {
            let scheme = call.account.address.split(':').next().unwrap_or_default();
            passed("DK102", Some(scheme.to_ascii_lowercase()))
        }
        Some(reason) if is_about_trust(reason) => failed("DK102", reason.as_str()),
        Some(_) => skipped("DK102"),
    }
}

fn is_about_trust(reason: CallReason) -> bool {
    let about_trust = [
        CallReason::CertificateUntrusted,
        CallReason::TlsFailed,
        CallReason::ProxyRefused,
        CallReason::ProxySignIn,
    ];
    about_trust.contains(&reason)
}

/// DK103: the service takes the credential and says whose it is.
fn sign_in(catalogue: &Result<OperationList, Box<AttemptEnd>>) -> CheckView {
    match catalogue {
        Ok(list) => passed("DK103", Some(list.caller.name.clone())),
        Err(end) => failed("DK103", &word_of(&end.result)),
    }
}

/// DK104, really asked: a key that nobody used is looked up.
async fn look_up(
    connector: &dyn Connector,
    call: &Call,
    facts: &ServiceFacts,
    list: &OperationList,
) -> CheckView {
    let Some(expected) = nobodys(call, list) else { return skipped("DK104") };
    let call = Call { expected: Some(expected), ..call.renewed() };
    let first_sent: Timestamp = facts.service_time(facts.described_at);
    let end = connector.lookup(&call, &Target::Key { first_sent }).await;
    match end.result {
        AttemptResult::NotSeen { .. } => {
            let last = end.phases.last();
            passed("DK104", last.map(|mark| format!("{} ms", mark.at_ms)))
        }
        AttemptResult::NotSent { .. }
        | AttemptResult::Lost { .. }
        | AttemptResult::Found { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Refused { .. }
        | AttemptResult::Deferred { .. }
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => failed("DK104", &word_of(&end.result)),
    }
}

/// What a look-up for a request that nobody made would have to be about. The key is no export's: it
/// is not minted and nothing is ever sent under it.
fn nobodys(call: &Call, list: &OperationList) -> Option<Expected> {
    let operation = list.operations.first().map_or("docket-check", |first| &first.operation);
    let payload = Payload::new(operation, serde_json::json!({}), "csv").ok()?;
    Some(Expected {
        request_key: RequestKey::from_text("docket-check"),
        operation: operation.to_owned(),
        payload_hash: payload.hash(),
        tenant_id: call.account.tenant_id.clone(),
        subject: Some(list.caller.subject.clone()),
    })
}

/// DK104 where keys can not be looked up.
fn no_look_up(capabilities: &Capabilities) -> CheckView {
    if capabilities.lookup_by_traits {
        check("DK104", CheckOutcome::Warn, Some("unsupported"), None)
    } else {
        failed("DK104", "unsupported")
    }
}

/// DK105: a broken download goes on where it stopped.
fn resume(capabilities: &Capabilities) -> CheckView {
    if capabilities.resumable_files {
        passed("DK105", None)
    } else {
        check("DK105", CheckOutcome::Warn, Some("unsupported"), None)
    }
}

/// Why a call did not bring what was asked for, as a word.
fn word_of(result: &AttemptResult) -> String {
    match result {
        AttemptResult::NotSent { reason: CallReason::NoCredential }
        | AttemptResult::Deferred { until: DeferUntil::SignIn } => "sign_in".to_owned(),
        AttemptResult::NotSent { reason } | AttemptResult::Lost { reason, .. } => {
            reason.to_string()
        }
        AttemptResult::Refused { problem } => problem.problem_type.name().replace('-', "_"),
        AttemptResult::Deferred { until: DeferUntil::Time(_) }
        | AttemptResult::Found { .. }
        | AttemptResult::Listed { .. }
        | AttemptResult::NotSeen { .. }
        | AttemptResult::Abandoned
        | AttemptResult::KeyExpired
        | AttemptResult::Described { .. }
        | AttemptResult::NotCancellable
        | AttemptResult::Fetched { .. } => result.word().to_owned(),
    }
}

fn passed(code: &str, fact: Option<String>) -> CheckView {
    check(code, CheckOutcome::Pass, None, fact)
}

fn failed(code: &str, reason: &str) -> CheckView {
    check(code, CheckOutcome::Fail, Some(reason), None)
}

fn skipped(code: &str) -> CheckView {
    check(code, CheckOutcome::Skipped, None, None)
}

fn check(
    code: &str,
    outcome: CheckOutcome,
    reason: Option<&str>,
    fact: Option<String>,
) -> CheckView {
    CheckView { code: code.to_owned(), outcome, reason: reason.map(str::to_owned), fact }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        attempt::AttemptKind,
        clock::SystemClock,
        connector::{ScriptedConnector, Turn},
        export::{Account, ServiceId},
        secret::Secret,
    };

    /// Code, outcome and reason of each check of a service that was changed so.
    async fn checked(credential: &str, change: impl FnOnce(&ScriptedConnector)) -> Vec<String> {
        let connector = ScriptedConnector::new(Arc::new(SystemClock));
        connector.let_in("right", "t1", "ann");
        change(&connector);
        let account = Account {
            service: ServiceId::from_text("s1"),
            address: "https://svc.example".to_owned(),
            tenant_id: "t1".to_owned(),
            subject: None,
        };
        let call = Call::about(account, "0".repeat(32), "0".repeat(16), Arc::new(SystemClock))
            .with(Some(Secret::new(credential)));
        let checks = run(&connector, &call).await;
        assert!(connector.jobs().is_empty(), "nothing is started");
        let word = |check: &CheckView| {
            let reason = check.reason.as_deref().unwrap_or("-");
            format!("{} {} {reason}", check.code, check.outcome)
        };
        checks.iter().map(word).collect()
    }

    #[tokio::test]
    async fn a_service_in_order_passes_all_five() {
        let checks = checked("right", |_| {}).await;
        assert_eq!(
            checks,
            ["DK101", "DK102", "DK103", "DK104", "DK105"].map(|code| format!("{code} pass -"))
        );
    }

    #[tokio::test]
    async fn one_fault_shows_once() {
        let refused = CallReason::ConnectionRefused;
        let checks = checked("right", |service| {
            service.script(AttemptKind::Describe, [Turn::NotSent(refused)]);
        })
        .await;
        assert_eq!(
            checks,
            [
                "DK101 fail connection_refused",
                "DK102 skipped -",
                "DK103 skipped -",
                "DK104 skipped -",
                "DK105 skipped -",
            ]
        );
        let untrusted = CallReason::CertificateUntrusted;
        let checks = checked("right", |service| {
            service.script(AttemptKind::Describe, [Turn::NotSent(untrusted)]);
        })
        .await;
        assert_eq!(checks[..2], ["DK101 pass -", "DK102 fail certificate_untrusted"]);
        let checks = checked("wrong", |_| {}).await;
        assert_eq!(checks[2..], ["DK103 fail sign_in", "DK104 skipped -", "DK105 pass -"]);
    }

    #[tokio::test]
    async fn what_a_service_can_not_do_is_told_before_it_is_missed() {
        let checks = checked("right", |service| {
            service.change_capabilities(|can| {
                can.lookup_by_key = false;
                can.resumable_files = false;
            });
        })
        .await;
        assert_eq!(checks[3..], ["DK104 warn unsupported", "DK105 warn unsupported"]);
        let checks = checked("right", |service| {
            service.change_capabilities(|can| {
                can.lookup_by_key = false;
                can.lookup_by_traits = false;
            });
        })
        .await;
        assert_eq!(checks[3], "DK104 fail unsupported");
        let checks = checked("right", |service| {
            service.script(AttemptKind::Lookup, [Turn::LoseAnswer(CallReason::Timeout)]);
        })
        .await;
        assert_eq!(checks[3], "DK104 fail timeout", "it is really asked");
    }
}
