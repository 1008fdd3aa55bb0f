//! A digest that is made while the bytes pass.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::Whole;

/// Hands bytes on, and counts and digests what was taken.
pub(super) struct Digesting<W> {
    inner: W,
    hash: Sha256,
    size: u64,
}

impl<W: Write> Digesting<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, hash: Sha256::new(), size: 0 }
    }

    pub(super) fn finish(self) -> (W, Whole) {
        (self.inner, Whole { size: self.size, sha256: hex::encode(self.hash.finalize()) })
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.hash.update(&bytes[..taken]);
        self.size += u64::try_from(taken).unwrap_or(0);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// A SHA-256 in hexadecimal as `Repr-Digest` carries it (RFC 9530): `sha-256=:BASE64:`.
pub(crate) fn repr_digest(sha256: &str) -> String {
    let bytes = hex::decode(sha256).unwrap_or_default();
    format!("sha-256=:{}:", base64(&bytes))
}

/// Base64 with padding (RFC 4648, 4), as a structured field's byte sequence wants it.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at: usize| usize::from(group.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for sextet in 0..4 {
            let index = (bits >> (18 - 6 * sextet)) & 63;
            text.push(if sextet > group.len() { '=' } else { char::from(ALPHABET[index]) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_as_rfc_4648_shows() {
        for (plain, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }

    #[test]
    fn a_digest_is_made_of_what_passed() {
        let mut sink = Digesting::new(Vec::new());
        sink.write_all(b"abc").unwrap();
        let (bytes, whole) = sink.finish();
        assert_eq!((bytes.as_slice(), whole.size), (&b"abc"[..], 3));
        assert_eq!(
            repr_digest(&whole.sha256),
            "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
        );
    }
}
