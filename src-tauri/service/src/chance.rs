//! The only place where the service draws lots: ids of jobs, names of lease holders, tokens.

use uuid::Uuid;

/// Letters and digits that nobody confuses on the telephone (Crockford's Base32, lower case).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The id of a new job: short enough to read out, 60 bits of chance, no hint at how many there are.
pub(crate) fn business_id() -> String {
    let mut bits = lot().as_u128();
    let mut id = String::from("exp_");
    for _ in 0..12 {
        // The low five bits of a random UUID's last 62 are all chance.
        id.push(char::from(ALPHABET[usize::try_from(bits & 31).unwrap_or(0)]));
        bits >>= 5;
    }
    id
}

/// The name under which one worker holds one lease.
pub(crate) fn lease_holder() -> String {
    lot().simple().to_string()
}

#[expect(clippy::disallowed_methods, reason = "chance enters the service here; no request key")]
fn lot() -> Uuid {
    Uuid::new_v4()
}

/// A token of 256 bits, in hexadecimal.
///
/// # Errors
/// The system has no randomness to give.
#[expect(clippy::disallowed_methods, reason = "chance enters the service here")]
pub(crate) fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_and_differ() {
        let (one, other) = (business_id(), business_id());
        assert_eq!(one.len(), "exp_".len() + 12);
        assert_ne!(one, other);
    }
}
