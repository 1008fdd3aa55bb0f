//! The log beside the store, read frame by frame (sqlite.org/fileformat2.html, 4).
//!
//! SQLite goes through the log up to the first frame that does not fit and takes what lies behind it
//! for the rest of a write that a power loss cut short. That is right of the last transaction alone:
//! each commit is on the disk before the next one begins. Where more than one commit lies behind a
//! frame that does not fit, the log was damaged, and what SQLite would leave out was recorded.

use std::{fs::File, io::Read, path::Path};

use super::error::StoreError;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// The last bit says in which order the checksum reads its words.
const MAGIC: u32 = 0x377F_0682;
/// The size of page that our stores are made with.
pub(super) const USUAL_PAGE_BYTES: usize = 4096;

/// One page as a transaction wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Where its page begins in the log.
    pub(super) at: u64,
    /// Which page it is.
    pub(super) page_no: u32,
    /// It is of the log as it is now, not a rest of an older one.
    pub(super) is_of_now: bool,
    is_commit: bool,
}

/// See the head of this file.
#[derive(Debug)]
pub(super) struct Log {
    /// Bytes of a page.
    pub(super) page_bytes: usize,
    /// All frames, in the order of the file.
    pub(super) frames: Vec<Frame>,
    /// How many of them fit, from the first.
    fitting: usize,
    header_fits: bool,
}

impl Log {
    /// The log at this path. None where there is none, or nothing in it.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, StoreError> {
        let mut bytes = Vec::new();
        match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(read) if read > HEADER_BYTES => Ok(Some(Self::of(&bytes))),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io(path, &error)),
        }
    }

    fn of(bytes: &[u8]) -> Self {
        let (header, body) = bytes.split_at(HEADER_BYTES);
        let order = if word(header, 0) & 1 == 1 { Order::Big } else { Order::Little };
        let sum = checksum((0, 0), &header[..24], order);
        let header_fits =
            word(header, 0) & !1 == MAGIC && sum == (word(header, 24), word(header, 28));
        let named = word(header, 8) as usize;
        let is_size = named.is_power_of_two() && (512..=65_536).contains(&named);
        let page_bytes = if header_fits && is_size { named } else { USUAL_PAGE_BYTES };
        let frame_bytes = FRAME_HEADER_BYTES + page_bytes;
        // A header that can not be read is taken to be that of the first frame.
        let salt_of = |frame: &[u8]| (word(frame, 8), word(frame, 12));
        let salts = match body.chunks_exact(frame_bytes).next() {
            Some(first) if !header_fits => salt_of(first),
            Some(_) | None => (word(header, 16), word(header, 20)),
        };
        let (mut frames, mut fitting, mut sum, mut fits) = (Vec::new(), 0, sum, header_fits);
        for (index, frame) in body.chunks_exact(frame_bytes).enumerate() {
            let is_of_now = salt_of(frame) == salts;
            let at = (HEADER_BYTES + index * frame_bytes + FRAME_HEADER_BYTES) as u64;
            if fits {
                sum = checksum(sum, &frame[..8], order);
                sum = checksum(sum, &frame[FRAME_HEADER_BYTES..], order);
                fits = is_of_now && sum == (word(frame, 16), word(frame, 20));
                fitting += usize::from(fits);
            }
            let (page_no, is_commit) = (word(frame, 0), word(frame, 4) != 0);
            frames.push(Frame { at, page_no, is_of_now, is_commit });
        }
        Self { page_bytes, frames, fitting, header_fits }
    }

    /// Whether more than a write that was cut short lies behind the first frame that does not fit.
    pub(super) fn is_damaged(&self) -> bool {
        let behind = self.frames[self.fitting..].iter();
        let commits = behind.filter(|frame| frame.is_of_now && frame.is_commit).count();
        // The header is on the disk before the first frame is written.
        if self.header_fits { commits > 1 } else { commits > 0 }
    }
}

#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

fn checksum(sum: (u32, u32), bytes: &[u8], order: Order) -> (u32, u32) {
    let number = |bytes: &[u8]| match (bytes.try_into(), order) {
        (Ok(bytes), Order::Big) => u32::from_be_bytes(bytes),
        (Ok(bytes), Order::Little) => u32::from_le_bytes(bytes),
        (Err(_), _) => 0,
    };
    bytes.chunks_exact(8).fold(sum, |(one, two), pair| {
        let one = one.wrapping_add(number(&pair[..4])).wrapping_add(two);
        (one, two.wrapping_add(number(&pair[4..])).wrapping_add(one))
    })
}

/// A big-endian word.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().fold(0, |word, byte| word << 8 | u32::from(*byte))
}
