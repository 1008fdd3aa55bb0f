//! HTTP/1.1 as the proxy needs it: where a message ends, and a few of its header lines.
//!
//! Bytes pass as they came. Whatever has no length is read until its connection closes.

use std::io;

use tokio::{
    io::{AsyncRead, AsyncReadExt},
    net::TcpStream,
};

/// Bytes of a head at most.
const HEAD_MAX: usize = 64 * 1024;
/// Bytes of a body at most.
const BODY_MAX: usize = 128 * 1024 * 1024;
const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const END_OF_CHUNKS: &[u8] = b"\r\n0\r\n\r\n";

/// One message, as its bytes came.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// With the empty line at its end.
    pub head: Vec<u8>,
    /// What follows.
    pub body: Vec<u8>,
}

impl Message {
    /// All of it.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), self.body.as_slice()].concat()
    }

    /// The words of its first line.
    pub fn first_line(&self) -> Vec<String> {
        let head = String::from_utf8_lossy(&self.head);
        head.lines().next().unwrap_or_default().split(' ').map(str::to_owned).collect()
    }

    /// The value of a header, if the message has it.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = String::from_utf8_lossy(&self.head);
        head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }

    /// The status of an answer.
    pub fn status(&self) -> Option<u16> {
        self.first_line().get(1)?.parse().ok()
    }

    /// Replaces a header line, or adds it; without a value the line is taken out.
    pub fn set_header(&mut self, name: &str, value: Option<&str>) {
        let head = String::from_utf8_lossy(&self.head).into_owned();
        let kept = head.trim_end().lines().filter(|line| {
            line.split_once(':').is_none_or(|(found, _)| !found.eq_ignore_ascii_case(name))
        });
        let mut lines: Vec<String> = kept.map(str::to_owned).collect();
        lines.extend(value.map(|value| format!("{name}: {value}")));
        self.head = (lines.join("\r\n") + "\r\n\r\n").into_bytes();
    }

    /// Replaces the body, and says its length.
    pub fn set_body(&mut self, body: Vec<u8>) {
        self.set_header("content-length", Some(&body.len().to_string()));
        self.body = body;
    }

    /// Changes a JSON body by its value.
    ///
    /// # Panics
    /// A body that is no JSON: the rule is for another call.
    pub fn edit_json(&mut self, edit: impl FnOnce(&mut serde_json::Value)) {
        let mut value = serde_json::from_slice(&self.body).expect("the rule is for a JSON answer");
        edit(&mut value);
        self.set_body(value.to_string().into_bytes());
    }

    fn length(&self) -> Length {
        let chunked = self.header("transfer-encoding").is_some();
        match self.header("content-length").and_then(|length| length.parse().ok()) {
            Some(length) => Length::Bytes(length),
            None if chunked => Length::Chunks,
            None if self.first_line().first().is_some_and(|word| word.starts_with("HTTP/")) => {
                Length::ToTheEnd
            }
            None => Length::Bytes(0),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Bytes(usize),
    Chunks,
    ToTheEnd,
}

/// The head of the next request, left in the socket. None where the caller has gone.
pub async fn peek_head(stream: &TcpStream) -> Option<Message> {
    let mut buffer = vec![0; HEAD_MAX];
    loop {
        let there = stream.peek(&mut buffer).await.ok().filter(|there| *there > 0)?;
        if let Some(end) = find(&buffer[..there], END_OF_HEAD) {
            let head = buffer[..end + END_OF_HEAD.len()].to_vec();
            return Some(Message { head, body: Vec::new() });
        }
        if there == HEAD_MAX {
            return None;
        }
        // What is there already makes the socket ready at once; the rest comes with the next packet.
        tokio::task::yield_now().await;
    }
}

/// Reads one whole message.
pub async fn read_message(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Message> {
    let mut message = Message::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let came = stream.read(&mut buffer).await?;
        if came == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        message.head.extend_from_slice(&buffer[..came]);
        if let Some(end) = find(&message.head, END_OF_HEAD) {
            message.body = message.head.split_off(end + END_OF_HEAD.len());
            break;
        }
        if message.head.len() > HEAD_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    let length = message.length();
    while !is_whole(&message.body, length) {
        let came = stream.read(&mut buffer).await?;
        if came == 0 {
            break;
        }
        if message.body.len() + came > BODY_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        message.body.extend_from_slice(&buffer[..came]);
    }
    match length {
        Length::Bytes(wanted) if message.body.len() < wanted => {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
        Length::Bytes(_) | Length::Chunks | Length::ToTheEnd => Ok(message),
    }
}

fn is_whole(body: &[u8], length: Length) -> bool {
    match length {
        Length::Bytes(length) => body.len() >= length,
        Length::Chunks => body.ends_with(END_OF_CHUNKS) || body == &END_OF_CHUNKS[2..],
        Length::ToTheEnd => false,
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
