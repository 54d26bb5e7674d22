//! Random secrets and their hashes, and passwords.

use crate::blobs::{hash as sha256, hex};
use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use std::io;
use std::sync::LazyLock;

/// A random secret of 256 bits, in hexadecimal.
///
/// # Errors
///
/// When the system has no random numbers.
pub(crate) fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(hex(&bytes))
}

/// A random password that people can type: 12 letters and digits that look different, 60 bits.
///
/// # Errors
///
/// When the system has no random numbers.
pub(crate) fn password() -> io::Result<String> {
    const SIGNS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    let sign = |byte: &u8| char::from(SIGNS[usize::from(byte % 32)]);
    Ok(bytes.iter().map(sign).collect())
}

/// The hash under which the store keeps a random secret. One round is enough: the secret cannot be
/// guessed.
pub fn hash(secret: &str) -> String {
    sha256(secret.as_bytes())
}

/// The argon2id hash of a password, in PHC form.
///
/// # Errors
///
/// When the system has no random numbers.
pub fn hash_password(password: &str) -> io::Result<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    let hash = hash.map_err(|e| io::Error::other(e.to_string()))?;
    Ok(hash.to_string())
}

/// Whether a password is right. Takes as long for a user without a password as for a wrong one, so
/// that the time does not reveal which names exist.
pub fn is_password(password: &str, stored: Option<&str>) -> bool {
    /// The hash of a random password, which is kept nowhere.
    static NONE: LazyLock<String> = LazyLock::new(|| {
        random()
            .and_then(|secret| hash_password(&secret))
            .unwrap_or_default()
    });
    let parsed = PasswordHash::new(stored.unwrap_or(&NONE));
    let verified = parsed.is_ok_and(|stored| {
        Argon2::default()
            .verify_password(password.as_bytes(), &stored)
            .is_ok()
    });
    verified && stored.is_some()
}

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    let differ = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |acc, (a, b)| acc | (a ^ b));
    a.len() == b.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_verified() {
        let hash = hash_password("right").expect("random numbers");
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(is_password("right", Some(&hash)));
        assert!(!is_password("wrong", Some(&hash)));
        assert!(!is_password("", None));
    }

    #[test]
    fn secrets_differ() {
        let (a, b) = (random().expect("random"), random().expect("random"));
        assert!(a.len() == 64 && !equal(&a, &b) && equal(&a, &a));
        assert!(!equal("a", "ab"));
    }
}
