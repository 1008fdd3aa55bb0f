//! Each row of the table at the head of `classify`, for every call that it concerns.
//! Long because a row that is missing here is a row that nobody holds.

use docket_wire::{Problem, ProblemType};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use super::*;
use crate::{
    attempt::{CallResult, DeferUntil},
    export::RequestKey,
};

const DATE: &str = "Tue, 14 Nov 2023 22:13:20 GMT";
/// The `Date` of every answer here: the service's clock.
const SERVICE_NOW: Timestamp = Timestamp::constant(1_700_000_000, 0);
/// This computer's clock, ten seconds ahead.
const NOW: Timestamp = Timestamp::constant(1_700_000_010, 0);
const FIRST_SENT: Timestamp = Timestamp::constant(1_699_999_000, 0);

const JSON: (&str, &str) = ("content-type", "application/json");
const PROBLEM: (&str, &str) = ("content-type", "application/problem+json");
const HTML: (&str, &str) = ("content-type", "text/html; charset=utf-8");
const LOCATION: (&str, &str) = ("location", "/v1/tenants/t1/exports/J-1");

/// Headers of an answer.
type Pairs<'a> = &'a [(&'a str, &'a str)];
/// A word for messages, headers, a body, and what it proves of a submit.
type ReceiptRow<'a> = (&'a str, Pairs<'a>, Received, AttemptResult);
/// A word for messages, status, media type, body, and why nothing is proved.
type StrangeRow<'a> = (&'a str, u16, (&'a str, &'a str), Value, CallReason);

fn expected() -> Expected {
    Expected {
        request_key: RequestKey::from_text("K-1"),
        operation: "orders".to_owned(),
        payload_hash: hash().parse().unwrap(),
        tenant_id: "t1".to_owned(),
        subject: Some("ann".to_owned()),
    }
}

fn hash() -> String {
    "ab".repeat(32)
}

fn job() -> Value {
    json!({
        "business_id": "J-1", "tenant_id": "t1", "operation": "orders", "request_key": "K-1",
        "payload_hash": hash(), "requested_by": "ann", "status": "queued", "service_epoch": 1,
        "revision": 1, "created_at": SERVICE_NOW, "updated_at": SERVICE_NOW,
    })
}

/// The job with one member changed; `null` takes it out.
fn job_but(member: &str, value: Value) -> Value {
    let mut job = job();
    job[member] = value;
    if job[member].is_null() {
        job.as_object_mut().unwrap().remove(member);
    }
    job
}

fn found() -> AttemptResult {
    AttemptResult::Found { job: Box::new(serde_json::from_value(job()).unwrap()) }
}

fn lost(reason: CallReason) -> AttemptResult {
    lost_with(Phase::Decode, reason, None)
}

fn lost_with(phase: Phase, reason: CallReason, hint: Option<&str>) -> AttemptResult {
    AttemptResult::Lost { phase, reason, hint: hint.map(str::to_owned) }
}

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("date", HeaderValue::from_static(DATE));
    for (name, value) in pairs {
        headers.insert(HeaderName::try_from(*name).unwrap(), HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn incoming(status: u16, pairs: &[(&str, &str)], body: Received) -> Incoming {
    Incoming {
        status: StatusCode::from_u16(status).unwrap(),
        headers: headers(pairs),
        url: Url::parse("https://svc.example/v1/tenants/t1/exports").unwrap(),
        body,
    }
}

fn whole(value: &Value) -> Received {
    Received::Whole(value.to_string().into_bytes())
}

/// Every call, by a word for messages.
fn every_call<'a>(expected: &'a Expected, id: &'a BusinessId) -> [(&'static str, Asked<'a>); 8] {
    let first_sent = FIRST_SENT;
    [
        ("service", Asked::Service),
        ("operations", Asked::Operations),
        ("submit", Asked::Submit { expected, first_sent }),
        ("job", Asked::Job { expected, id }),
        ("key", Asked::Key { expected, first_sent }),
        ("traits", Asked::Traits { expected, created: (FIRST_SENT, NOW) }),
        ("abandon", Asked::Abandon { expected, first_sent }),
        ("cancel", Asked::Cancel { expected, id }),
    ]
}

/// What an answer proves of one call.
fn verdict(call: &str, incoming: &Incoming) -> Verdict {
    let (expected, id) = (expected(), BusinessId::from_text("J-1"));
    let calls = every_call(&expected, &id);
    let (_, asked) = calls.iter().find(|(word, _)| *word == call).unwrap();
    classify(*asked, incoming, NOW)
}

/// What a submit's 2xx proves.
fn receipt_of(status: u16, pairs: &[(&str, &str)], body: Received) -> AttemptResult {
    verdict("submit", &incoming(status, pairs, body)).result
}

#[test]
fn a_receipt_is_adopted_by_status_media_type_schema_and_echo() {
    for status in [200, 201, 202] {
        assert_eq!(receipt_of(status, &[JSON, LOCATION], whole(&job())), found(), "{status}");
    }
    assert_eq!(receipt_of(202, &[JSON], whole(&job())), found(), "without a Location");
    let keyless = job_but("request_key", Value::Null);
    let result = receipt_of(202, &[JSON], whole(&keyless));
    assert!(matches!(result, AttemptResult::Found { .. }), "a service that takes no keys");
    assert_eq!(receipt_of(203, &[JSON], whole(&job())), lost(CallReason::NotTheService));
    assert_eq!(receipt_of(200, &[HTML], whole(&job())), lost(CallReason::NotTheService));
    assert_eq!(receipt_of(200, &[], whole(&job())), lost(CallReason::NotTheService));
}

#[test]
fn an_answer_about_something_else_is_never_adopted() {
    let foreign = [
        ("request_key", json!("K-2")),
        ("operation", json!("customers")),
        ("payload_hash", json!("cd".repeat(32))),
        ("tenant_id", json!("t2")),
        ("requested_by", json!("bob")),
    ];
    for (member, value) in foreign {
        let job = job_but(member, value);
        let key = json!({"state": "present", "export": job, "as_of": SERVICE_NOW});
        for call in ["submit", "job", "cancel"] {
            let verdict = verdict(call, &incoming(200, &[JSON, LOCATION], whole(&job)));
            assert_eq!(verdict.result, lost(CallReason::Mismatched), "{call}: {member}");
            assert_eq!(verdict.origin, Origin::Somebody);
        }
        for call in ["key", "abandon"] {
            let verdict = verdict(call, &incoming(200, &[JSON], whole(&key)));
            assert_eq!(verdict.result, lost(CallReason::Mismatched), "{call}: {member}");
        }
    }
    let other = job_but("business_id", json!("J-2"));
    for call in ["job", "cancel"] {
        let verdict = verdict(call, &incoming(200, &[JSON], whole(&other)));
        assert_eq!(verdict.result, lost(CallReason::Mismatched), "{call} of J-1");
    }
}

#[test]
fn while_nobody_knows_the_requester_it_is_not_compared() {
    let expected = Expected { subject: None, ..expected() };
    let asked = Asked::Submit { expected: &expected, first_sent: FIRST_SENT };
    let verdict = classify(asked, &incoming(202, &[JSON], whole(&job())), NOW);
    assert_eq!(verdict.result, found());
}

#[test]
fn a_receipt_that_can_not_be_read_may_still_name_a_job() {
    let half = || Received::Whole(b"{\"business_id\": \"J-".to_vec());
    let later_schema = json!({"business_id": "J-7", "status": 5});
    let nameless = json!({"accepted": true});
    let rows: Vec<ReceiptRow> = vec![
        ("an empty body", &[], Received::Whole(Vec::new()), lost(CallReason::NoJobNamed)),
        (
            "an empty body with a Location",
            &[LOCATION],
            Received::Whole(Vec::new()),
            lost_with(Phase::Decode, CallReason::NoJobNamed, Some("J-1")),
        ),
        ("no id", &[JSON], whole(&nameless), lost(CallReason::NoJobNamed)),
        (
            "an empty id",
            &[JSON],
            whole(&job_but("business_id", json!(""))),
            lost(CallReason::NoJobNamed),
        ),
        (
            "no id in the body but a Location",
            &[JSON, LOCATION],
            whole(&nameless),
            lost_with(Phase::Decode, CallReason::Undecodable, Some("J-1")),
        ),
        (
            "another schema with an id",
            &[JSON, LOCATION],
            whole(&later_schema),
            lost_with(Phase::Decode, CallReason::Undecodable, Some("J-7")),
        ),
        ("half of it", &[JSON], half(), lost(CallReason::Undecodable)),
        (
            "half of it with a Location",
            &[JSON, LOCATION],
            half(),
            lost_with(Phase::Decode, CallReason::Undecodable, Some("J-1")),
        ),
        (
            "cut",
            &[JSON, LOCATION],
            Received::Cut(CallReason::Truncated),
            lost_with(Phase::Receive, CallReason::Truncated, Some("J-1")),
        ),
        (
            "too long",
            &[JSON, LOCATION],
            Received::TooLong,
            lost_with(Phase::Decode, CallReason::Undecodable, Some("J-1")),
        ),
        ("a portal's page", &[HTML, LOCATION], whole(&job()), lost(CallReason::NotTheService)),
    ];
    for (row, pairs, body, result) in rows {
        assert_eq!(receipt_of(202, pairs, body), result, "{row}");
    }
}

#[test]
fn a_key_is_what_its_state_says() {
    let key = |state: &str, export: Value| {
        let mut status = json!({"state": state, "as_of": "2023-11-14T22:13:19Z"});
        if !export.is_null() {
            status["export"] = export;
        }
        incoming(200, &[JSON], whole(&status))
    };
    let as_of = "2023-11-14T22:13:19Z".parse().unwrap();
    let unreadable = lost(CallReason::Undecodable);
    let rows = [
        (key("present", job()), found(), found()),
        (key("abandoned", Value::Null), AttemptResult::Abandoned, AttemptResult::Abandoned),
        (key("expired", Value::Null), AttemptResult::KeyExpired, AttemptResult::KeyExpired),
        (key("absent", Value::Null), AttemptResult::NotSeen { as_of }, unreadable.clone()),
        (key("present", Value::Null), lost(CallReason::NoJobNamed), lost(CallReason::NoJobNamed)),
        (key("abandoned", job()), unreadable.clone(), unreadable.clone()),
        (key("paused", Value::Null), unreadable.clone(), unreadable),
    ];
    for (answer, looked_up, abandoned) in rows {
        assert_eq!(verdict("key", &answer).result, looked_up);
        assert_eq!(verdict("abandon", &answer).result, abandoned);
    }
}

#[test]
fn a_list_keeps_only_what_matches_by_every_trait() {
    let list = |items: &[Value]| {
        incoming(200, &[JSON], whole(&json!({"items": items, "as_of": SERVICE_NOW})))
    };
    let keyless = job_but("request_key", Value::Null);
    let strangers = [
        job_but("operation", json!("customers")),
        job_but("requested_by", json!("bob")),
        job_but("payload_hash", json!("cd".repeat(32))),
        job_but("request_key", json!("K-2")),
        job_but("created_at", json!("2023-11-14T20:00:00Z")),
    ];
    let not_seen = AttemptResult::NotSeen { as_of: SERVICE_NOW };
    assert_eq!(verdict("traits", &list(&[])).result, not_seen);
    assert_eq!(verdict("traits", &list(&strangers)).result, not_seen);
    let mut items = strangers.to_vec();
    items.push(keyless.clone());
    let jobs = vec![serde_json::from_value(keyless).unwrap()];
    let listed = AttemptResult::Listed { jobs, as_of: SERVICE_NOW };
    assert_eq!(verdict("traits", &list(&items)).result, listed);
}

#[test]
fn a_service_is_described_with_its_clock() {
    let document = |versions: &[u32]| {
        let document = json!({
            "name": "Reports", "version": "1", "protocol_versions": versions,
            "now": "2023-11-14T22:13:20.500Z", "remembers_since": "2023-11-13T22:13:20Z",
            "service_epoch": 4,
            "capabilities": {
                "idempotent_submit": true, "lookup_by_key": true, "lookup_by_traits": false,
                "abandon": true, "cancel": true, "key_retention_s": 86400, "visibility_lag_s": 0,
                "max_wait_s": 30, "poll_interval_s": 2, "file_retention_s": 604_800,
                "resumable_files": true,
            },
        });
        incoming(200, &[JSON], whole(&document))
    };
    let AttemptResult::Described { facts } = verdict("service", &document(&[1, 2])).result else {
        panic!("not described");
    };
    assert_eq!((facts.clock_ahead_ms, facts.service_epoch), (-9500, 4));
    assert!(facts.service_time(NOW) <= "2023-11-14T22:13:20.500Z".parse().unwrap());
    assert_eq!(verdict("service", &document(&[2])).result, lost(CallReason::NotTheService));
}

/// A problem as the service sends it.
fn problem_answer(problem: &Problem) -> Incoming {
    let value = serde_json::to_value(problem).unwrap();
    incoming(problem.status, &[PROBLEM, ("retry-after", "60")], whole(&value))
}

/// What each call makes of a problem: `-` proves nothing of it.
fn words_of(problem: &Problem) -> Vec<String> {
    let (expected, id) = (expected(), BusinessId::from_text("J-1"));
    every_call(&expected, &id)
        .into_iter()
        .map(|(_, asked)| {
            let verdict = classify(asked, &problem_answer(problem), NOW);
            match (&verdict.result, verdict.origin) {
                (AttemptResult::Lost { reason: CallReason::NotTheService, .. }, _) => {
                    "-".to_owned()
                }
                (AttemptResult::Lost { reason, .. }, Origin::Service) => reason.to_string(),
                (AttemptResult::Deferred { until: DeferUntil::SignIn }, _) => "sign_in".to_owned(),
                (result, Origin::Service) => result.word().to_owned(),
                (result, Origin::Somebody) => format!("nobody's {}", result.word()),
            }
        })
        .collect()
}

#[test]
fn a_problem_proves_something_only_of_the_calls_that_the_protocol_gives_it_to() {
    use ProblemType::*;
    #[rustfmt::skip]
    let rows: [(ProblemType, [&str; 8]); 20] = [
        // type                service    operations   submit         job         key            traits       abandon        cancel
        (Forbidden,            ["refused", "refused",  "refused",     "refused",  "refused",     "refused",   "refused",     "refused"]),
        (Unauthenticated,      ["sign_in", "sign_in",  "sign_in",     "sign_in",  "sign_in",     "sign_in",   "sign_in",     "sign_in"]),
        (RateLimited,          ["deferred","deferred", "service_error","deferred","deferred",    "deferred",  "service_error","service_error"]),
        (Unavailable,          ["deferred","deferred", "service_error","deferred","deferred",    "deferred",  "service_error","service_error"]),
        (Internal,             ["service_error", "service_error", "service_error", "service_error", "service_error", "service_error", "service_error", "service_error"]),
        (KeyMissing,           ["-",       "-",        "refused",     "-",        "refused",     "-",         "refused",     "-"]),
        (Malformed,            ["-",       "-",        "refused",     "-",        "refused",     "-",         "refused",     "-"]),
        (ClockAhead,           ["-",       "-",        "deferred",    "-",        "deferred",    "-",         "deferred",    "-"]),
        (NotFound,             ["-",       "refused",  "-",           "not_seen", "not_seen",    "-",         "-",           "not_seen"]),
        (UnknownOperation,     ["-",       "-",        "refused",     "-",        "-",           "-",         "-",           "-"]),
        (InProgress,           ["-",       "-",        "in_progress", "-",        "-",           "-",         "in_progress", "-"]),
        (NotCancellable,       ["-",       "-",        "-",           "-",        "-",           "-",         "-",           "not_cancellable"]),
        (NotReady,             ["-",       "-",        "-",           "-",        "-",           "-",         "-",           "-"]),
        (Abandoned,            ["-",       "-",        "abandoned",   "-",        "-",           "-",         "-",           "-"]),
        (FileExpired,          ["-",       "-",        "-",           "-",        "-",           "-",         "-",           "-"]),
        (KeyExpired,           ["-",       "-",        "key_expired", "-",        "key_expired", "-",         "key_expired", "-"]),
        (TooLarge,             ["-",       "-",        "refused",     "-",        "-",           "-",         "-",           "-"]),
        (UnsupportedMediaType, ["-",       "-",        "refused",     "-",        "-",           "-",         "-",           "-"]),
        (KeyConflict,          ["-",       "-",        "refused",     "-",        "-",           "-",         "refused",     "-"]),
        (InvalidParameters,    ["-",       "-",        "refused",     "-",        "-",           "-",         "-",           "-"]),
    ];
    assert_eq!(rows.len(), ProblemType::KNOWN.len(), "every type has its row");
    for (problem_type, words) in rows {
        assert_eq!(words_of(&Problem::new(problem_type.clone())), words, "{}", problem_type.name());
    }
}

#[test]
fn a_refusal_for_now_says_until_when() {
    for problem_type in [ProblemType::RateLimited, ProblemType::Unavailable] {
        let said = |accepted| {
            let problem = Problem { accepted, ..Problem::new(problem_type.clone()) };
            verdict("submit", &problem_answer(&problem)).result
        };
        let until = DeferUntil::Time("2023-11-14T22:14:30Z".parse().unwrap());
        assert_eq!(said(Some(false)), AttemptResult::Deferred { until });
        assert_eq!(said(Some(true)).call_result(), CallResult::Lost, "something was created");
        assert_eq!(said(None).call_result(), CallResult::Lost);
    }
}

#[test]
fn a_clock_ahead_waits_until_the_services_clock_is_near_enough() {
    let expected = expected();
    let ahead = |seconds| {
        let first_sent =
            crate::journal::later(SERVICE_NOW, std::time::Duration::from_secs(seconds));
        let asked = Asked::Submit { expected: &expected, first_sent };
        let problem = Problem::new(ProblemType::ClockAhead);
        let result = classify(asked, &problem_answer(&problem), NOW).result;
        let AttemptResult::Deferred { until: DeferUntil::Time(until) } = result else {
            panic!("{result:?}");
        };
        until.duration_since(NOW).as_secs()
    };
    assert_eq!((ahead(400), ahead(0), ahead(90_000)), (100, 1, 3600));
}

#[test]
fn what_is_not_recognisably_the_services_proves_nothing() {
    let problem = |problem_type, status| {
        let problem = Problem { status, ..Problem::new(problem_type) };
        serde_json::to_value(&problem).unwrap()
    };
    let forbidden = problem(ProblemType::Forbidden, 403);
    let silent = json!({"type": ProblemType::Forbidden.uri()});
    let unknown = problem(ProblemType::Unknown("about:blank".to_owned()), 403);
    let unavailable = problem(ProblemType::Unavailable, 503);
    let rows: Vec<StrangeRow> = vec![
        ("a portal's 401", 401, HTML, json!("sign in"), CallReason::NotTheService),
        ("a gateway's 401 in JSON", 401, JSON, json!({"error": "x"}), CallReason::NotTheService),
        ("a firewall's 403", 403, HTML, json!("no"), CallReason::NotTheService),
        ("a problem as plain JSON", 403, JSON, forbidden.clone(), CallReason::NotTheService),
        ("a problem under another status", 400, PROBLEM, forbidden, CallReason::NotTheService),
        ("a silent problem under another status", 400, PROBLEM, silent, CallReason::NotTheService),
        ("a problem nobody knows", 403, PROBLEM, unknown, CallReason::NotTheService),
        ("no problem at all", 403, PROBLEM, json!([]), CallReason::NotTheService),
        ("a gateway's 404", 404, HTML, json!("no"), CallReason::NotTheService),
        ("a gateway's 408", 408, HTML, json!("no"), CallReason::NotTheService),
        ("a gateway's 500", 500, HTML, json!("no"), CallReason::ServiceError),
        ("a gateway's 502", 502, HTML, json!("no"), CallReason::ServiceError),
        ("a gateway's 503", 503, HTML, json!("no"), CallReason::ServiceError),
        ("a gateway's 504", 504, HTML, json!("no"), CallReason::ServiceError),
        ("a 503 as plain JSON", 503, JSON, unavailable, CallReason::ServiceError),
        ("moved", 301, HTML, json!("no"), CallReason::Redirect),
        ("found", 302, HTML, json!("no"), CallReason::Redirect),
        ("not modified", 304, JSON, json!(null), CallReason::Redirect),
        ("moved, with the method kept", 308, HTML, json!("no"), CallReason::Redirect),
        ("a page with 200", 200, HTML, json!("welcome"), CallReason::NotTheService),
    ];
    let (expected, id) = (expected(), BusinessId::from_text("J-1"));
    for (row, status, media_type, body, reason) in rows {
        for (call, asked) in every_call(&expected, &id) {
            let verdict = classify(asked, &incoming(status, &[media_type], whole(&body)), NOW);
            assert_eq!(verdict.result, lost(reason), "{call}: {row}");
            assert_eq!(verdict.origin, Origin::Somebody, "{call}: {row}");
        }
    }
}

#[test]
fn a_cut_or_endless_answer_to_an_ask_is_lost() {
    for call in ["service", "job", "key", "traits", "abandon", "cancel"] {
        let cut = incoming(200, &[JSON], Received::Cut(CallReason::Timeout));
        let result = lost_with(Phase::Receive, CallReason::Timeout, None);
        assert_eq!(verdict(call, &cut).result, result, "{call}");
        let endless = incoming(200, &[JSON], Received::TooLong);
        assert_eq!(verdict(call, &endless).result, lost(CallReason::Undecodable), "{call}");
        let cut = incoming(403, &[PROBLEM], Received::Cut(CallReason::Truncated));
        let result = lost_with(Phase::Receive, CallReason::Truncated, None);
        assert_eq!(verdict(call, &cut).result, result, "{call}");
    }
}

#[test]
fn a_catalogue_says_who_is_calling() {
    let list = json!({"caller": {"subject": "ann", "name": "Ann"}, "operations": []});
    let read = catalogue(&incoming(200, &[JSON], whole(&list)), NOW).unwrap();
    assert_eq!(read.caller.subject, "ann");
    let refused = catalogue(&incoming(200, &[HTML], whole(&list)), NOW).unwrap_err();
    assert_eq!(refused.result, lost(CallReason::NotTheService));
    let elsewhere = problem_answer(&Problem::new(ProblemType::NotFound));
    let refused = catalogue(&elsewhere, NOW).unwrap_err();
    assert!(matches!(refused.result, AttemptResult::Refused { .. }), "no such tenant");
}
