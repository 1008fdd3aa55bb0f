//! A connection that can be cut: after so many bytes of an answer nothing more leaves.

use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::CutAt;

/// Bytes of an answer's head that leave before the cut: its status line and a part of a header.
const OF_HEAD: usize = 40;
/// Bytes of its body that leave before the cut.
const OF_BODY: usize = 20;
/// What ends a head.
const END_OF_HEAD: &[u8; 4] = b"\r\n\r\n";

/// The switch of one connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line(Arc<Mutex<Uncut>>);

/// What may still leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Uncut {
    #[default]
    Everything,
    /// The rest of a head, of whose end so many bytes have passed, and then so many of the body.
    ThroughHead {
        seen: usize,
        then: usize,
    },
    Bytes(usize),
}

impl Line {
    /// Cuts the next answer.
    pub(crate) fn cut(&self, at: CutAt) {
        *self.uncut() = match at {
            CutAt::Head => Uncut::Bytes(OF_HEAD),
            CutAt::Body => Uncut::ThroughHead { seen: 0, then: OF_BODY },
        };
    }

    fn uncut(&self) -> MutexGuard<'_, Uncut> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Uncut {
    /// What may leave after `byte`, or nothing where it may not leave itself.
    fn after(self, byte: u8) -> Option<Self> {
        match self {
            Self::Everything => Some(Self::Everything),
            Self::Bytes(left) => left.checked_sub(1).map(Self::Bytes),
            Self::ThroughHead { seen, then } => {
                let seen = if byte == END_OF_HEAD[seen] {
                    seen + 1
                } else {
                    usize::from(byte == END_OF_HEAD[0])
                };
                let is_over = seen == END_OF_HEAD.len();
                Some(if is_over { Self::Bytes(then) } else { Self::ThroughHead { seen, then } })
            }
        }
    }

    /// How many of these bytes may leave, and what may leave after them.
    fn pass(self, bytes: &[u8]) -> (usize, Self) {
        if self == Self::Everything {
            return (bytes.len(), self);
        }
        let mut uncut = self;
        for (passed, byte) in bytes.iter().enumerate() {
            match uncut.after(*byte) {
                Some(next) => uncut = next,
                None => return (passed, uncut),
            }
        }
        (bytes.len(), uncut)
    }
}

/// A stream whose writing end obeys its [`Line`].
#[derive(Debug)]
pub(crate) struct Cutting<S> {
    stream: S,
    line: Line,
}

impl<S> Cutting<S> {
    pub(crate) fn new(stream: S, line: Line) -> Self {
        Self { stream, line }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Cutting<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Cutting<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let uncut = *this.line.uncut();
        let (allowed, _) = uncut.pass(bytes);
        if allowed == 0 && !bytes.is_empty() {
            return Poll::Ready(Err(io::Error::new(io::ErrorKind::BrokenPipe, "the line is cut")));
        }
        let written = ready!(Pin::new(&mut this.stream).poll_write(cx, &bytes[..allowed]))?;
        *this.line.uncut() = uncut.pass(&bytes[..written]).1;
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    async fn through(at: CutAt, answer: &[u8]) -> Vec<u8> {
        let (near, mut far) = tokio::io::duplex(4096);
        let line = Line::default();
        let mut near = Cutting::new(near, line.clone());
        near.write_all(b"HTTP/1.1 200 OK\r\n\r\nwhole").await.unwrap();
        line.cut(at);
        // In small pieces, as a socket may take them.
        for piece in answer.chunks(7) {
            if near.write_all(piece).await.is_err() {
                break;
            }
        }
        drop(near);
        let mut received = Vec::new();
        far.read_to_end(&mut received).await.unwrap();
        received.split_off(b"HTTP/1.1 200 OK\r\n\r\nwhole".len())
    }

    #[tokio::test]
    async fn an_answer_breaks_off_where_it_was_cut() {
        let mut answer = b"HTTP/1.1 202 Accepted\r\nlocation: /v1/somewhere\r\n\r\n".to_vec();
        let head = answer.len();
        answer.extend([b'x'; 100]);
        assert_eq!(through(CutAt::Head, &answer).await, answer[..OF_HEAD]);
        assert_eq!(through(CutAt::Body, &answer).await, answer[..head + OF_BODY]);
    }
}
