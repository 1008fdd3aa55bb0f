//! The two headers that a key travels in, strictly read.
//!
//! `Idempotency-Key` is a structured-field string (RFC 9651, 4.2.5): in double quotes.
//! `Repeatability-First-Sent` is an IMF-fixdate (RFC 9110, 5.6.7) and nothing else: the OASIS standard
//! asks for it, a whole second is fine enough for limits of minutes, and a client copies it from a
//! `Date` header, which has that form already.

use docket_wire::{ProblemType, header};
use http::{HeaderMap, HeaderName};
use jiff::Timestamp;

use super::{Refusal, text_of};
use crate::{clock::later, store::CLOCK_TOLERANCE};

/// Characters of a key at most.
const MAX_KEY: usize = 255;

/// The key of a submit.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let name = HeaderName::from_static(header::IDEMPOTENCY_KEY);
    if !headers.contains_key(&name) {
        return Ok(None);
    }
    text_of(headers, &name)
        .and_then(structured_string)
        .filter(|key| is_key(key))
        .map(Some)
        .ok_or_else(|| {
            Refusal::malformed(
                "Idempotency-Key must be one string of 1 to 255 characters in quotes.",
            )
        })
}

/// Whether a text can be a key at all.
pub(super) fn is_key(text: &str) -> bool {
    (1..=MAX_KEY).contains(&text.len()) && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

/// A structured field that is one string, without parameters.
fn structured_string(field: &str) -> Option<String> {
    let inner = field.trim_matches(' ').strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.push(characters.next().filter(|escaped| "\\\"".contains(*escaped))?),
            '"' => return None,
            other => text.push(other),
        }
    }
    Some(text)
}

/// When the key was minted.
pub(super) fn first_sent(headers: &HeaderMap) -> Result<Option<Timestamp>, Refusal> {
    let name = HeaderName::from_static(header::REPEATABILITY_FIRST_SENT);
    if !headers.contains_key(&name) {
        return Ok(None);
    }
    text_of(headers, &name).and_then(imf_fixdate).map(Some).ok_or_else(|| {
        Refusal::malformed(
            "Repeatability-First-Sent must be one date such as Sun, 06 Nov 1994 08:49:37 GMT.",
        )
    })
}

/// The same where a call can not do without it.
pub(super) fn needed_first_sent(headers: &HeaderMap) -> Result<Timestamp, Refusal> {
    first_sent(headers)?.ok_or_else(|| Refusal::new(ProblemType::KeyMissing))
}

fn imf_fixdate(text: &str) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(text).ok()?;
    // The library reads the two obsolete forms too; they do not come back as they were.
    let strict = httpdate::fmt_http_date(time) == text;
    strict.then(|| Timestamp::try_from(time).ok()).flatten()
}

/// Refuses a key that comes from the future. Only an unknown key is held to this.
pub(super) fn refuse_future(first_sent: Timestamp, now: Timestamp) -> Result<(), Refusal> {
    if first_sent > later(now, CLOCK_TOLERANCE) {
        return Err(Refusal::new(ProblemType::ClockAhead));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_string_in_quotes() {
        assert_eq!(structured_string(r#""abc""#).as_deref(), Some("abc"));
        assert_eq!(structured_string(r#""a\"b\\c""#).as_deref(), Some(r#"a"b\c"#));
        for wrong in ["abc", "\"", "\"a\"b\"", r#""a\n""#, r#""a";q=1"#, ""] {
            assert_eq!(structured_string(wrong), None, "{wrong}");
        }
        assert!(!is_key(""));
        assert!(!is_key(&"k".repeat(256)));
    }

    #[test]
    fn first_sent_has_one_form() {
        assert_eq!(
            imf_fixdate("Sun, 06 Nov 1994 08:49:37 GMT").map(Timestamp::as_second),
            Some(784_111_777)
        );
        for wrong in [
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
            "1994-11-06T08:49:37Z",
            "Mon, 06 Nov 1994 08:49:37 GMT",
        ] {
            assert_eq!(imf_fixdate(wrong), None, "{wrong}");
        }
    }
}
