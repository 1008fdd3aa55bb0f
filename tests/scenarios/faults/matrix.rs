//! Every fault that a proxy can play, at the first call of every kind: what is written down of that
//! attempt, and that the export ends right with one job.
//!
//! A fault that happens to one kind of call and not to another is told by its column; where a race
//! of the network decides between two words for the same thing, both are named.

use std::fmt::Write;

use docket_engine::attempt::{
    CallReason::{
        self, ClosedWithoutAnswer, Garbled, NotTheService, Redirect, Reset, ServiceError, Timeout,
        Truncated,
    },
    CallResult,
    Phase::{self, Await, Decode, Receive},
};
use docket_tests::{
    At, Back, Rule, Toward,
    proxy::rule::{page, redirect},
};

use super::kinds::{Kind, Recorded, Story, Waits, recorded};

/// What an attempt is to be written down as.
#[derive(Clone, Copy, Debug)]
enum Ends {
    /// A good answer came.
    Answered,
    /// Lost there, for one of these reasons.
    Lost(Phase, &'static [CallReason]),
}

impl Ends {
    fn waits(self) -> Waits {
        match self {
            Self::Lost(_, reasons) if reasons.contains(&Timeout) => Waits::Briefly,
            Self::Lost(..) | Self::Answered => Waits::Long,
        }
    }
}

struct Fault {
    name: &'static str,
    toward: Toward,
    back: Back,
    ends: Ends,
}

fn fault(name: &'static str, toward: Toward, back: Back, ends: Ends) -> Fault {
    Fault { name, toward, back, ends }
}

fn instead(name: &'static str, answer: Vec<u8>, reason: &'static [CallReason]) -> Fault {
    fault(name, Toward::Nowhere, Back::Instead(answer), Ends::Lost(Decode, reason))
}

fn faults() -> Vec<Fault> {
    use Ends::{Answered, Lost};
    const SILENCE: Ends = Lost(Await, &[Timeout]);
    const CLOSED: Ends = Lost(Await, &[ClosedWithoutAnswer]);
    let portal = "http://login.example/portal";
    vec![
        fault(
            "closed before it is read",
            Toward::Unread,
            Back::Close,
            Lost(Await, &[ClosedWithoutAnswer, Reset]),
        ),
        fault("read, then closed", Toward::Nowhere, Back::Close, CLOSED),
        fault("done, then closed", Toward::Service, Back::Close, CLOSED),
        fault("reset", Toward::Service, Back::Reset, Lost(Await, &[Reset])),
        fault("stalls in the request's head", Toward::Partly(20), Back::Close, SILENCE),
        fault("stalls before the request's end", Toward::AllBut(1), Back::Close, SILENCE),
        fault("stalls before the answer", Toward::Service, Back::Stall, SILENCE),
        fault("stalls in the status line", Toward::Service, Back::StallAt(At::Head(5)), SILENCE),
        fault("stalls in the head", Toward::Service, Back::StallAt(At::Head(60)), SILENCE),
        fault("cut in the status line", Toward::Service, Back::Cut(At::Head(5)), CLOSED),
        fault("cut in the head", Toward::Service, Back::Cut(At::Head(60)), CLOSED),
        fault(
            "stalls in the body",
            Toward::Service,
            Back::StallAt(At::Body(1)),
            Lost(Receive, &[Timeout]),
        ),
        fault(
            "cut before the body",
            Toward::Service,
            Back::Cut(At::Body(0)),
            Lost(Receive, &[Truncated]),
        ),
        fault(
            "cut in the body",
            Toward::Service,
            Back::Cut(At::Body(9)),
            Lost(Receive, &[Truncated]),
        ),
        fault("delivered twice at once", Toward::Twice, Back::Answer, Answered),
        fault("a proxy that tries again by itself", Toward::Again, Back::Answer, Answered),
        fault("trickles", Toward::Service, Back::Trickle(160), Answered),
        fault(
            "in the place of an answer: garbage",
            Toward::Nowhere,
            Back::Instead(b"\0\xff not HTTP \r\n\r\n".to_vec()),
            Lost(Await, &[Garbled]),
        ),
        instead("a page with 200", page(200, "Welcome to the lounge"), &[NotTheService]),
        instead("a page with 404", page(404, "Not Found"), &[NotTheService]),
        instead("a page with 401", page(401, "Sign in to this network"), &[NotTheService]),
        instead("502 of a gateway", page(502, "Bad Gateway"), &[ServiceError]),
        instead("504 of a gateway", page(504, "Gateway Timeout"), &[ServiceError]),
        instead("511 of a portal", page(511, "Network Authentication Required"), &[ServiceError]),
        instead("redirected to a portal", redirect(portal), &[Redirect]),
    ]
}

/// Plays one cell. What is wrong with it, if anything is.
async fn cell(kind: Kind, fault: Fault) -> Option<String> {
    let Fault { name, toward, back, ends } = fault;
    let mut story = Story::before(kind, ends.waits()).await;
    story.meet(Some(Rule::new(kind.call(), toward, back))).await;
    let end = story.end().await;
    let came = recorded(&end, kind);
    story.client.close().await;
    let right = match ends {
        Ends::Answered => came.call == CallResult::Answered,
        Ends::Lost(phase, reasons) => is_lost(kind, came, phase, reasons),
    };
    (!right).then(|| format!("{name}: {came:?}, not {ends:?}"))
}

fn is_lost(kind: Kind, came: Recorded, phase: Phase, reasons: &[CallReason]) -> bool {
    let reason = came.reason.is_some_and(|reason| reasons.contains(&reason));
    match kind {
        // What broke was the question who calls; the submit itself did not leave.
        Kind::Catalogue => came.call == CallResult::NotSent && reason,
        // A file is not understood, only received.
        Kind::File => {
            let phase = if phase == Decode { Receive } else { phase };
            came.call == CallResult::Lost && came.phase == Some(phase) && reason
        }
        Kind::Describe
        | Kind::Submit
        | Kind::Key
        | Kind::Traits
        | Kind::Poll
        | Kind::Abandon
        | Kind::Cancel => came.call == CallResult::Lost && came.phase == Some(phase) && reason,
    }
}

async fn column(kind: Kind, faults: impl IntoIterator<Item = Fault>) {
    let playing: Vec<_> =
        faults.into_iter().map(|fault| (fault.name, tokio::spawn(cell(kind, fault)))).collect();
    let mut wrong = String::new();
    for (name, task) in playing {
        match task.await {
            Ok(None) => {}
            Ok(Some(what)) => writeln!(wrong, "{what}").expect("a text can be written to"),
            Err(error) => writeln!(wrong, "{name}: {error}").expect("a text can be written to"),
        }
    }
    assert!(wrong.is_empty(), "{kind:?}\n{wrong}");
}

#[tokio::test]
async fn describe() {
    column(Kind::Describe, faults()).await;
}

#[tokio::test]
async fn who_calls() {
    column(Kind::Catalogue, faults()).await;
}

#[tokio::test]
async fn submit() {
    column(Kind::Submit, faults()).await;
}

#[tokio::test]
async fn look_by_key() {
    column(Kind::Key, faults()).await;
}

#[tokio::test]
async fn look_by_traits() {
    column(Kind::Traits, faults()).await;
}

#[tokio::test]
async fn poll() {
    column(Kind::Poll, faults()).await;
}

#[tokio::test]
async fn abandon() {
    column(Kind::Abandon, faults()).await;
}

#[tokio::test]
async fn cancel() {
    column(Kind::Cancel, faults()).await;
}

#[tokio::test]
async fn download() {
    column(Kind::File, faults()).await;
}

/// The request comes once everybody has given up waiting for it: it changes nothing any more.
#[tokio::test]
async fn delivered_after_the_time_out() {
    for kind in Kind::ALL {
        let mut story = Story::before(kind, Waits::Briefly).await;
        let id = story.meet(Some(Rule::new(kind.call(), Toward::Kept, Back::Stall))).await;
        let end = story.end().await;
        let came = recorded(&end, kind);
        let lost = is_lost(kind, came, Await, &[Timeout]);
        assert!(lost, "{kind:?}: {came:?}");
        story.world.proxy.deliver_kept().await;
        assert_eq!(story.world.rows().jobs().len(), 1, "{kind:?}");
        let now = story.client.now(&id).await;
        assert_eq!((now.stage, now.business_id), (end.stage, end.business_id), "{kind:?}");
    }
}
