//! One range of a file (RFC 9110, 14).

use std::ops::Range;

/// What a `Range` header asks of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it: no range, several, another unit, or one that is not well formed.
    Whole,
    /// These bytes of it.
    Part(Range<u64>),
    /// Bytes that it does not have.
    Nothing,
}

/// Reads the header for a file of `size` bytes.
pub(super) fn wanted(header: &str, size: u64) -> Wanted {
    let Some((unit, set)) = header.split_once('=') else { return Wanted::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || set.contains(',') {
        return Wanted::Whole;
    }
    let Some((first, last)) = set.trim().split_once('-') else { return Wanted::Whole };
    match (digits(first), digits(last)) {
        (Ok(Some(first)), Ok(last)) => {
            if last.is_some_and(|last| last < first) {
                return Wanted::Whole;
            }
            let end = last.map_or(size, |last| size.min(last.saturating_add(1)));
            if first >= size { Wanted::Nothing } else { Wanted::Part(first..end) }
        }
        (Ok(None), Ok(Some(0))) => Wanted::Nothing,
        (Ok(None), Ok(Some(_))) if size == 0 => Wanted::Nothing,
        (Ok(None), Ok(Some(suffix))) => Wanted::Part(size.saturating_sub(suffix)..size),
        (Ok(None), Ok(None)) | (Err(NotDigits), _) | (_, Err(NotDigits)) => Wanted::Whole,
    }
}

struct NotDigits;

fn digits(text: &str) -> Result<Option<u64>, NotDigits> {
    if text.is_empty() {
        return Ok(None);
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NotDigits);
    }
    text.parse().map(Some).map_err(|_| NotDigits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_read_as_rfc_9110_says() {
        for (header, expected) in [
            ("bytes=0-9", Wanted::Part(0..10)),
            ("bytes=5-", Wanted::Part(5..100)),
            ("bytes=-10", Wanted::Part(90..100)),
            ("bytes=-500", Wanted::Part(0..100)),
            ("bytes=90-500", Wanted::Part(90..100)),
            ("Bytes=0-0", Wanted::Part(0..1)),
            ("bytes=100-", Wanted::Nothing),
            ("bytes=-0", Wanted::Nothing),
            ("bytes=9-5", Wanted::Whole),
            ("bytes=0-1,5-6", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("rows=0-1", Wanted::Whole),
            ("bytes", Wanted::Whole),
        ] {
            assert_eq!(wanted(header, 100), expected, "{header}");
        }
        assert_eq!(wanted("bytes=-5", 0), Wanted::Nothing);
    }
}
