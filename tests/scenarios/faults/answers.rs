//! Answers that are too large, too many, packed or cut up: each is bounded and proves nothing that it
//! does not say.

use docket_engine::attempt::{
    CallReason::{Garbled, Undecodable},
    CallResult, Phase,
};
use docket_tests::{Back, Message, Rule, Toward};

use super::kinds::{Kind, Recorded, Story, Waits, recorded};

/// More than any answer may have.
const TOO_LARGE: usize = 9 * 1024 * 1024;

/// Every kind but the file, whose bytes have a bound of their own.
fn asked() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| *kind != Kind::File)
}

async fn met(kind: Kind, edit: impl Fn(&mut Message) + Send + Sync + 'static) -> Recorded {
    let mut story = Story::before(kind, Waits::Long).await;
    story.meet(Some(Rule::edit(kind.call(), edit))).await;
    let end = story.end().await;
    story.client.close().await;
    recorded(&end, kind)
}

#[track_caller]
fn is_lost(kind: Kind, came: Recorded, phase: Phase, reason: docket_engine::attempt::CallReason) {
    let wanted = match kind {
        Kind::Catalogue => (CallResult::NotSent, Some(reason)),
        Kind::Describe
        | Kind::Submit
        | Kind::Key
        | Kind::Traits
        | Kind::Poll
        | Kind::Abandon
        | Kind::Cancel
        | Kind::File => (CallResult::Lost, Some(reason)),
    };
    assert_eq!((came.call, came.reason), wanted, "{kind:?}");
    assert!(kind == Kind::Catalogue || came.phase == Some(phase), "{kind:?}: {came:?}");
}

#[tokio::test]
async fn of_one_byte_a_chunk() {
    for kind in Kind::ALL {
        let came = met(kind, |answer| chunked(answer, 1)).await;
        assert_eq!(came.call, CallResult::Answered, "{kind:?}: {came:?}");
    }
}

#[tokio::test]
async fn that_are_too_large() {
    for kind in asked() {
        let came = met(kind, |answer| {
            let padded = [answer.body.as_slice(), &vec![b' '; TOO_LARGE]].concat();
            answer.set_body(padded);
        })
        .await;
        is_lost(kind, came, Phase::Decode, Undecodable);
    }
}

#[tokio::test]
async fn that_never_end() {
    for kind in asked() {
        let came = met(kind, |answer| {
            answer.body.extend(vec![b' '; TOO_LARGE]);
            chunked(answer, 64 * 1024);
            // The last chunk is missing: more would come.
            answer.body.truncate(answer.body.len() - 5);
        })
        .await;
        is_lost(kind, came, Phase::Decode, Undecodable);
    }
}

#[tokio::test]
async fn that_somebody_packed_are_not_unpacked() {
    for kind in Kind::ALL {
        let came = met(kind, |answer| {
            answer.set_body(gzip(&answer.body));
            answer.set_header("content-encoding", Some("gzip"));
        })
        .await;
        let phase = if kind == Kind::File { Phase::Receive } else { Phase::Decode };
        is_lost(kind, came, phase, Undecodable);
    }
}

#[tokio::test]
async fn of_too_many_header_lines() {
    for kind in Kind::ALL {
        let came = met(kind, |answer| {
            for line in 0..5_000 {
                answer.set_header(&format!("x-{line}"), Some("0123456789"));
            }
        })
        .await;
        is_lost(kind, came, Phase::Await, Garbled);
    }
}

#[tokio::test]
async fn of_a_header_line_without_end() {
    for kind in Kind::ALL {
        let long = Rule::new(kind.call(), Toward::Nowhere, Back::Instead(endless_head()));
        let mut story = Story::before(kind, Waits::Long).await;
        story.meet(Some(long)).await;
        let end = story.end().await;
        is_lost(kind, recorded(&end, kind), Phase::Await, Garbled);
        story.client.close().await;
    }
}

fn endless_head() -> Vec<u8> {
    let mut head = b"HTTP/1.1 200 OK\r\nx-long: ".to_vec();
    head.extend(vec![b'a'; 4 * 1024 * 1024]);
    head
}

/// The same answer in chunks of so many bytes, the first with an extension (RFC 9112, 7.1.1).
fn chunked(answer: &mut Message, size: usize) {
    let mut body = Vec::new();
    for (nth, piece) in answer.body.chunks(size).enumerate() {
        let extension = if nth == 0 { ";x=y" } else { "" };
        body.extend(format!("{:x}{extension}\r\n", piece.len()).into_bytes());
        body.extend(piece);
        body.extend(b"\r\n");
    }
    body.extend(b"0\r\n\r\n");
    answer.set_header("content-length", None);
    answer.set_header("transfer-encoding", Some("chunked"));
    answer.body = body;
}

/// These bytes as gzip (RFC 1952), in one stored block (RFC 1951, 3.2.4).
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("a short answer");
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(bytes);
    packed.extend(crc32(bytes).to_le_bytes());
    packed.extend(u32::from(length).to_le_bytes());
    packed
}

fn crc32(bytes: &[u8]) -> u32 {
    let folded = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    });
    !folded
}
