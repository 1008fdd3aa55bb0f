//! A TCP server that does as it is told and counts: connections, bytes, whole requests.
//!
//! It reads HTTP/1.1 only as far as counting needs: a head to its empty line, then as many bytes as
//! `Content-Length` says. One behaviour per connection, in order; the last one serves all later
//! ones. What a connection saw is known once it has ended, so a test waits for an end, not for luck.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
};

use crate::clock::{Clock, SystemClock};

/// What a connection does.
#[derive(Clone, Debug)]
pub(crate) enum Behaviour {
    /// Closes before it reads.
    CloseAtOnce,
    /// Closes after a while, whatever came in the meantime unread.
    CloseAfter(Duration),
    /// Resets after a while.
    ResetAfter(Duration),
    /// Reads one whole request, sends these bytes, closes.
    Answer(Vec<u8>),
    /// The same, and stays open for the next request, with the next behaviour.
    AnswerAndStay(Vec<u8>),
    /// Reads one whole request, sends this much, and no more, and stays.
    Stall(Vec<u8>),
    /// Reads whatever comes before it sends these bytes, request or not.
    Raw(Vec<u8>),
    /// Reads one whole request and answers when it is let go.
    Hold(Vec<u8>, Arc<Notify>),
}

/// What all connections saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) opened: usize,
    pub(crate) ended: usize,
    pub(crate) bytes: usize,
    /// Heads and bodies of whole requests.
    pub(crate) requests: Vec<String>,
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: watch::Sender<Seen>,
}

impl Server {
    pub(crate) async fn start(behaviours: impl IntoIterator<Item = Behaviour>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = watch::Sender::new(Seen::default());
        let mut script: Vec<Behaviour> = behaviours.into_iter().collect();
        script.reverse();
        let script = Arc::new(Mutex::new(script));
        let counting = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counting.send_modify(|seen| seen.opened += 1);
                let (script, counting) = (script.clone(), counting.clone());
                tokio::spawn(async move {
                    serve(stream, &script, &counting).await;
                    counting.send_modify(|seen| seen.ended += 1);
                });
            }
        });
        Self { address, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was seen, once every connection has ended.
    pub(crate) async fn settled(&self) -> Seen {
        let mut seen = self.seen.subscribe();
        let settled = seen.wait_for(|seen| seen.opened == seen.ended).await.unwrap();
        settled.clone()
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen.borrow().clone()
    }
}

fn next(script: &Mutex<Vec<Behaviour>>) -> Behaviour {
    let mut script = script.lock().unwrap();
    if script.len() > 1 { script.pop().unwrap() } else { script[0].clone() }
}

async fn serve(mut stream: TcpStream, script: &Mutex<Vec<Behaviour>>, seen: &watch::Sender<Seen>) {
    loop {
        match next(script) {
            Behaviour::CloseAtOnce => return,
            Behaviour::CloseAfter(time) => {
                pause(time).await;
                return;
            }
            Behaviour::ResetAfter(time) => {
                pause(time).await;
                stream.set_zero_linger().unwrap();
                return;
            }
            Behaviour::Answer(bytes) => {
                if request(&mut stream, seen).await {
                    write(&mut stream, &bytes).await;
                    end(&mut stream, seen).await;
                }
                return;
            }
            Behaviour::AnswerAndStay(bytes) => {
                if !request(&mut stream, seen).await {
                    return;
                }
                write(&mut stream, &bytes).await;
            }
            Behaviour::Stall(bytes) => {
                if request(&mut stream, seen).await {
                    stream.write_all(&bytes).await.unwrap();
                    drain(&mut stream, seen).await;
                }
                return;
            }
            Behaviour::Raw(bytes) => {
                let mut first = [0; 4096];
                let count = stream.read(&mut first).await.unwrap_or(0);
                seen.send_modify(|seen| seen.bytes += count);
                write(&mut stream, &bytes).await;
                end(&mut stream, seen).await;
                return;
            }
            Behaviour::Hold(bytes, go) => {
                if request(&mut stream, seen).await {
                    go.notified().await;
                    write(&mut stream, &bytes).await;
                    end(&mut stream, seen).await;
                }
                return;
            }
        }
    }
}

/// Reads one request. False where the other side closed before it was whole.
async fn request(stream: &mut TcpStream, seen: &watch::Sender<Seen>) -> bool {
    let mut read = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().unwrap())
            });
            if body.len() >= length.unwrap_or(0) {
                seen.send_modify(|seen| seen.requests.push(text));
                return true;
            }
        }
        let mut piece = [0; 4096];
        let count = stream.read(&mut piece).await.unwrap_or(0);
        if count == 0 {
            return false;
        }
        seen.send_modify(|seen| seen.bytes += count);
        read.extend_from_slice(&piece[..count]);
    }
}

/// A peer that is gone does not want the rest.
async fn write(stream: &mut TcpStream, bytes: &[u8]) {
    if stream.write_all(bytes).await.is_ok() && stream.flush().await.is_ok() {}
}

/// Closes this side and takes in what still comes, so that closing resets nothing.
async fn end(stream: &mut TcpStream, seen: &watch::Sender<Seen>) {
    if stream.shutdown().await.is_ok() {
        drain(stream, seen).await;
    }
}

async fn drain(stream: &mut TcpStream, seen: &watch::Sender<Seen>) {
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(count) => seen.send_modify(|seen| seen.bytes += count),
        }
    }
}

async fn pause(time: Duration) {
    SystemClock.sleep_until(crate::journal::later(SystemClock.now(), time)).await;
}

/// An answer with this head and body, and its right length.
pub(crate) fn answer(status: &str, head: &str, body: &str) -> Vec<u8> {
    let date = httpdate::fmt_http_date(std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    format!(
        "HTTP/1.1 {status}\r\nDate: {date}\r\nContent-Length: {}\r\n{head}\r\n{body}",
        body.len()
    )
    .into_bytes()
}
