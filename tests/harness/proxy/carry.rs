//! Carrying out what a rule says of one request.

use std::{io, sync::Arc, time::Duration};

use docket_engine::clock::{Clock, SystemClock};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{At, Back, Busy, Message, Resting, Shared, Toward, lock, wire};

/// Gap between two pieces of an answer that trickles.
const TRICKLE_GAP: Duration = Duration::from_millis(2);

/// What becomes of the caller's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    Next,
    Close,
}

impl Shared {
    /// Gives the service a request, on a connection of its own, and reads its answer.
    pub(super) async fn deliver(&self, request: &[u8]) -> io::Result<Message> {
        let upstream = *lock(&self.upstream);
        let mut service = TcpStream::connect(upstream).await?;
        service.write_all(request).await?;
        wire::read_message(&mut service).await
    }

    /// Gives the service the beginning of a request. The rest follows never.
    async fn deliver_partly(&self, beginning: &[u8]) -> io::Result<TcpStream> {
        let upstream = *lock(&self.upstream);
        let mut service = TcpStream::connect(upstream).await?;
        service.write_all(beginning).await?;
        Ok(service)
    }
}

pub(super) async fn carry(
    shared: &Arc<Shared>,
    caller: &mut TcpStream,
    number: usize,
    toward: Toward,
    back: Back,
) -> Then {
    let answer = match forward(shared, caller, number, toward).await {
        Forwarded::Answered(answer) => answer,
        Forwarded::NoAnswer => None,
        Forwarded::Unread => {
            return hand_back(shared, caller, number, None, back).await.unwrap_or(Then::Close);
        }
        Forwarded::CallerGone => return Then::Close,
    };
    hand_back(shared, caller, number, answer, back).await.unwrap_or(Then::Close)
}

enum Forwarded {
    Answered(Option<Message>),
    NoAnswer,
    Unread,
    CallerGone,
}

async fn forward(
    shared: &Arc<Shared>,
    caller: &mut TcpStream,
    number: usize,
    toward: Toward,
) -> Forwarded {
    match toward {
        Toward::Unread => return Forwarded::Unread,
        Toward::Partly(bytes) => return partly(shared, caller, number, bytes).await,
        Toward::AllBut(bytes) => {
            let Ok(request) = wire::read_message(caller).await else {
                return Forwarded::CallerGone;
            };
            let mut all = request.bytes();
            all.truncate(all.len().saturating_sub(bytes));
            return hold_beginning(shared, caller, number, &all).await;
        }
        Toward::Service
        | Toward::Nowhere
        | Toward::Twice
        | Toward::Again
        | Toward::Kept
        | Toward::AndKept => {}
    }
    let Ok(request) = wire::read_message(caller).await else { return Forwarded::CallerGone };
    let bytes = request.bytes();
    shared.note(number, |seen| seen.body = Some(request.body));
    match toward {
        Toward::Nowhere | Toward::Unread | Toward::Partly(_) | Toward::AllBut(_) => {
            Forwarded::NoAnswer
        }
        Toward::Kept => {
            lock(&shared.kept).push(bytes);
            Forwarded::NoAnswer
        }
        Toward::AndKept => {
            lock(&shared.kept).push(bytes.clone());
            Forwarded::Answered(delivered(shared, number, bytes, 1).await)
        }
        Toward::Service => Forwarded::Answered(delivered(shared, number, bytes, 1).await),
        Toward::Twice => Forwarded::Answered(delivered(shared, number, bytes, 2).await),
        Toward::Again => {
            delivered(shared, number, bytes.clone(), 1).await;
            Forwarded::Answered(delivered(shared, number, bytes, 1).await)
        }
    }
}

/// Delivers so many copies at once; the answer is the first one's. It goes on if the caller's
/// connection is broken meanwhile.
async fn delivered(
    shared: &Arc<Shared>,
    number: usize,
    bytes: Vec<u8>,
    copies: u32,
) -> Option<Message> {
    let bytes = Arc::new(bytes);
    let deliveries: Vec<_> = (0..copies)
        .map(|_| {
            let (shared, bytes) = (Arc::clone(shared), Arc::clone(&bytes));
            let busy = Busy::with(&shared);
            tokio::spawn(async move {
                let _busy = busy;
                let answer = shared.deliver(&bytes).await.ok();
                shared.note(number, |seen| {
                    seen.delivered += 1;
                    if let Some(answer) = &answer
                        && !(seen.status.is_some() && seen.replayed)
                    {
                        seen.answered(answer);
                    }
                });
                answer
            })
        })
        .collect();
    let mut answers = Vec::new();
    for delivery in deliveries {
        answers.push(delivery.await.ok().flatten());
    }
    answers.into_iter().next().flatten()
}

async fn partly(
    shared: &Arc<Shared>,
    caller: &mut TcpStream,
    number: usize,
    bytes: usize,
) -> Forwarded {
    let mut beginning = vec![0; bytes];
    if caller.read_exact(&mut beginning).await.is_err() {
        return Forwarded::CallerGone;
    }
    hold_beginning(shared, caller, number, &beginning).await
}

async fn hold_beginning(
    shared: &Arc<Shared>,
    caller: &mut TcpStream,
    number: usize,
    beginning: &[u8],
) -> Forwarded {
    let Ok(service) = shared.deliver_partly(beginning).await else { return Forwarded::NoAnswer };
    stall(shared, caller, number).await;
    drop(service);
    Forwarded::CallerGone
}

/// Nothing more happens until the caller goes or the test lets go.
async fn stall(shared: &Shared, caller: &mut TcpStream, number: usize) {
    let mut released = shared.released.subscribe();
    shared.note(number, |seen| seen.stalled = true);
    let call = shared.seen.borrow()[number].call;
    let _resting = Resting::of(shared, call);
    let gone = async {
        let mut rest = [0; 1024];
        while caller.read(&mut rest).await.is_ok_and(|came| came > 0) {}
    };
    tokio::select! {
        () = gone => {}
        // The sender lives as long as `shared`, so only a release ends this.
        _ = released.changed() => {}
    }
}

async fn hand_back(
    shared: &Shared,
    caller: &mut TcpStream,
    number: usize,
    answer: Option<Message>,
    back: Back,
) -> io::Result<Then> {
    let whole = || answer.clone().ok_or(io::ErrorKind::NotConnected);
    match back {
        Back::Close => {}
        Back::Reset => caller.set_zero_linger()?,
        Back::Stall => stall(shared, caller, number).await,
        Back::Answer => {
            caller.write_all(&whole()?.bytes()).await?;
            return Ok(Then::Next);
        }
        Back::AnswerAndClose => caller.write_all(&whole()?.bytes()).await?,
        Back::Late => {
            stall(shared, caller, number).await;
            caller.write_all(&whole()?.bytes()).await?;
            return Ok(Then::Next);
        }
        Back::Instead(bytes) => {
            caller.write_all(&bytes).await?;
            return Ok(Then::Next);
        }
        Back::Edited(edit) => {
            let mut edited = whole()?;
            edit(&mut edited);
            caller.write_all(&edited.bytes()).await?;
            return Ok(Then::Next);
        }
        Back::Cut(at) => caller.write_all(&up_to(&whole()?, at)).await?,
        Back::StallAt(at) => {
            let answer = whole()?;
            let whole = answer.bytes().len();
            // A whole answer would stall nobody.
            let mut part = up_to(&answer, at);
            part.truncate(whole.saturating_sub(1));
            caller.write_all(&part).await?;
            stall(shared, caller, number).await;
        }
        Back::Pieces(bytes) => {
            for piece in whole()?.bytes().chunks(bytes.max(1)) {
                caller.write_all(piece).await?;
                tokio::task::yield_now().await;
            }
            return Ok(Then::Next);
        }
        Back::Trickle(bytes) => {
            for piece in whole()?.bytes().chunks(bytes.max(1)) {
                caller.write_all(piece).await?;
                let next = docket_engine::journal::later(SystemClock.now(), TRICKLE_GAP);
                SystemClock.sleep_until(next).await;
            }
            return Ok(Then::Next);
        }
    }
    Ok(Then::Close)
}

fn up_to(answer: &Message, at: At) -> Vec<u8> {
    let length = match at {
        At::Head(bytes) => bytes.min(answer.head.len()),
        At::Body(bytes) => answer.head.len() + bytes.min(answer.body.len()),
    };
    answer.bytes()[..length].to_vec()
}
