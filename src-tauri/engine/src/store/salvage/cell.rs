//! One row as it lies on a page: its cell and its record (sqlite.org/fileformat2.html, 1.6 and 2).
//!
//! Whatever the bytes say, reading them ends and reads nothing beyond them.

use std::ops::{Range, RangeInclusive};

use rusqlite::types::Value;

/// A row larger than this is none of ours.
const PAYLOAD_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How a cell is laid out on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A row by its number.
    Table,
    /// An entry of an index, or a row of a table without row numbers.
    Index,
    /// The same, between two pages.
    IndexBetween,
}

impl Layout {
    pub(super) const ALL: [Self; 3] = [Self::Table, Self::Index, Self::IndexBetween];

    /// Where the pointers to the cells begin.
    pub(super) fn first_pointer(self) -> usize {
        match self {
            Self::Table | Self::Index => 8,
            Self::IndexBetween => 12,
        }
    }

    /// Bytes of a payload that lie on the page at most, and at least where it goes on elsewhere.
    fn local(self, page_bytes: usize) -> (usize, usize) {
        let least = (page_bytes - 12) * 32 / 255 - 23;
        match self {
            Self::Table => (page_bytes - 35, least),
            Self::Index | Self::IndexBetween => ((page_bytes - 12) * 64 / 255 - 23, least),
        }
    }
}

/// What a row looks like that is sought.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// It lies in a table by its number, or not.
    pub(super) numbered: Numbered,
    /// How many values it may have: those of an older shape are fewer.
    pub(super) columns: RangeInclusive<usize>,
}

/// Whether rows have numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbered {
    Yes,
    No,
}

/// A cell that looks like one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// Where it begins on its page, by which it is found again.
    pub(super) start: usize,
    /// In which layout it was read.
    pub(super) layout: Layout,
    /// The row's number; 0 where it has none.
    pub(super) number: i64,
    /// How many values it has.
    pub(super) columns: usize,
    /// Bytes of its payload in all.
    pub(super) payload_bytes: usize,
    /// Those that lie on this page.
    pub(super) local: Range<usize>,
    /// The page that it goes on in.
    pub(super) goes_on_in: Option<u32>,
}

impl Cell {
    /// The cell at `start`, if one of these shapes is there.
    pub(super) fn read(
        page: &[u8],
        start: usize,
        page_bytes: usize,
        layout: Layout,
        shapes: &[Shape],
    ) -> Option<Self> {
        let mut at = match layout {
            Layout::Table | Layout::Index => start,
            Layout::IndexBetween => start.checked_add(4)?,
        };
        if start < layout.first_pointer() || at >= page.len() {
            return None;
        }
        let payload_bytes = usize::try_from(varint(page, &mut at)?).ok()?;
        let number = match layout {
            Layout::Table => varint(page, &mut at)?,
            Layout::Index | Layout::IndexBetween => 0,
        };
        if !(2..=PAYLOAD_BYTES_MAX).contains(&payload_bytes) {
            return None;
        }
        let (most, least) = layout.local(page_bytes);
        let here = if payload_bytes <= most {
            payload_bytes
        } else {
            let here = least + (payload_bytes - least) % (page_bytes - 4);
            if here <= most { here } else { least }
        };
        let local = at..at.checked_add(here)?;
        let goes_on_in = if here < payload_bytes {
            let word = page.get(local.end..local.end + 4)?;
            Some(word.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
        } else {
            None
        };
        let columns = types(page.get(local.clone())?)?.len();
        let numbered = if layout == Layout::Table { Numbered::Yes } else { Numbered::No };
        let fits = |shape: &Shape| shape.numbered == numbered && shape.columns.contains(&columns);
        shapes.iter().any(fits).then_some(Self {
            start,
            layout,
            number,
            columns,
            payload_bytes,
            local,
            goes_on_in,
        })
    }
}

/// The types of a record's values, and where the values begin.
fn types(record: &[u8]) -> Option<Vec<u64>> {
    let mut at = 0;
    let header = usize::try_from(varint(record, &mut at)?).ok()?;
    if header > record.len() {
        return None;
    }
    let mut types = Vec::new();
    while at < header {
        types.push(u64::try_from(varint(record, &mut at)?).ok()?);
    }
    (at == header).then_some(types)
}

/// The values of a whole record.
pub(super) fn values(record: &[u8]) -> Option<Vec<Value>> {
    let types = types(record)?;
    let mut at = usize::try_from(varint(record, &mut 0)?).ok()?;
    let mut values = Vec::with_capacity(types.len());
    for kind in types {
        let bytes = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => (kind - 12) / 2,
        };
        let end = at.checked_add(usize::try_from(bytes).ok()?)?;
        let bytes = record.get(at..end)?;
        at = end;
        values.push(match kind {
            0 => Value::Null,
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            7 => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
            1..=6 => Value::Integer(integer(bytes)),
            _ if kind % 2 == 0 => Value::Blob(bytes.to_vec()),
            _ => Value::Text(String::from_utf8(bytes.to_vec()).ok()?),
        });
    }
    (at == record.len()).then_some(values)
}

/// A signed number of up to eight bytes.
fn integer(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|byte| *byte > 0x7F) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}

/// A number of one to nine bytes.
fn varint(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let mut number = 0_u64;
    for place in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if place == 8 {
            return Some((number << 8 | u64::from(byte)).cast_signed());
        }
        number = number << 7 | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            return Some(number.cast_signed());
        }
    }
    None
}
