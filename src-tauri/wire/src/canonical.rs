//! The canonical form of a payload (RFC 8785) and its hash.
//!
//! The hash compares parameters; it never stands in for a permission check. A number that a double
//! does not hold exactly would change on its way through the canonical form, so it is refused
//! before: long ids and money are strings.

use std::{collections::BTreeMap, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// SHA-256 of the canonical bytes of a payload. Travels as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadHash([u8; 32]);

/// Text that is no SHA-256 in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a payload hash has 64 hexadecimal digits")]
pub struct NotAHash;

/// A number whose value changes when it is read as a double.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the number {literal} can not be kept exactly; send it as a string")]
pub struct InexactNumber {
    /// JSON Pointer (RFC 6901) of the number within the text that was looked at.
    pub pointer: String,
    /// The number as it was written.
    pub literal: String,
}

impl PayloadHash {
    /// The hash of canonical bytes.
    pub fn of(canonical: &[u8]) -> Self {
        Self(Sha256::digest(canonical).into())
    }
}

impl fmt::Display for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for PayloadHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PayloadHash({self})")
    }
}

impl FromStr for PayloadHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NotAHash)?;
        Ok(Self(bytes))
    }
}

impl Serialize for PayloadHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PayloadHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The canonical bytes of a value (RFC 8785: members sorted, no white space, numbers as ECMAScript
/// writes them).
///
/// # Errors
/// What can not be JSON at all, such as a NaN.
pub fn canonical_json<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json_canonicalizer::to_vec(value)
}

/// The first number in a JSON text that a double does not hold exactly: its shortest form as a
/// double has another decimal value than what was written.
///
/// # Errors
/// Text that is not JSON.
pub fn first_inexact_number(json: &str) -> Result<Option<InexactNumber>, serde_json::Error> {
    find_inexact(serde_json::from_str(json)?, &mut String::new())
}

fn find_inexact(
    raw: &RawValue,
    pointer: &mut String,
) -> Result<Option<InexactNumber>, serde_json::Error> {
    let text = raw.get();
    let children: Vec<(String, &RawValue)> = match text.as_bytes().first() {
        Some(b'{') => serde_json::from_str::<BTreeMap<String, &RawValue>>(text)?
            .into_iter()
            .map(|(name, value)| (name.replace('~', "~0").replace('/', "~1"), value))
            .collect(),
        Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(text)?
            .into_iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        Some(b'-' | b'0'..=b'9') => {
            let inexact = !is_exact(text);
            return Ok(inexact
                .then(|| InexactNumber { pointer: pointer.clone(), literal: text.to_owned() }));
        }
        Some(_) | None => return Ok(None),
    };
    for (name, value) in children {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name);
        if let Some(found) = find_inexact(value, pointer)? {
            return Ok(Some(found));
        }
        pointer.truncate(length);
    }
    Ok(None)
}

fn is_exact(literal: &str) -> bool {
    let Ok(double) = literal.parse::<f64>() else { return false };
    double.is_finite() && decimal(literal) == decimal(&format!("{double:e}"))
}

/// Sign, digits without zeros at either end, and the power of ten of the last digit.
fn decimal(literal: &str) -> Option<(bool, String, i64)> {
    let negative = literal.starts_with('-');
    let (mantissa, exponent) =
        literal.trim_start_matches('-').split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) =
        mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let power = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()?;
    let significant = digits.trim_start_matches('0');
    let trimmed = significant.trim_end_matches('0');
    if trimmed.is_empty() {
        return Some((false, String::new(), 0));
    }
    let dropped = i64::try_from(significant.len() - trimmed.len()).ok()?;
    Some((negative, trimmed.to_owned(), power + dropped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_form_sorts_members_and_drops_white_space() {
        let value: serde_json::Value =
            serde_json::from_str(r#"{ "b": [1.0, 2e3], "a": "é", "\ud83d\ude00": null }"#).unwrap();
        assert_eq!(
            String::from_utf8(canonical_json(&value).unwrap()).unwrap(),
            r#"{"a":"é","b":[1,2000],"😀":null}"#
        );
    }

    #[test]
    fn numbers_that_a_double_changes_are_named_with_their_place() {
        let found = |json: &str| first_inexact_number(json).unwrap().map(|number| number.pointer);
        assert_eq!(found(r#"{"a": [1, {"b/c": 9007199254740993}]}"#).as_deref(), Some("/a/1/b~1c"));
        assert_eq!(found("0.1000000000000000055511151231257827").as_deref(), Some(""));
        assert_eq!(found("1e400").as_deref(), Some(""));
        assert_eq!(found(r#"{"text": "9007199254740993"}"#), None);
        for exact in ["0", "-0", "0.1", "-12.50", "1e3", "1E+3", "9007199254740992", "1.0", "-1e-7"]
        {
            assert_eq!(found(exact), None, "{exact}");
        }
    }

    #[test]
    fn a_hash_travels_as_hexadecimal() {
        let hash = PayloadHash::of(b"");
        assert_eq!(
            hash.to_string(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert_eq!("e3b0".parse::<PayloadHash>(), Err(NotAHash));
    }
}
