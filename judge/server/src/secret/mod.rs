//! Random secrets and their hashes, and passwords.

mod hashing;

pub(crate) use hashing::{Busy, Slot};
pub use hashing::{hash_password, is_password};

use crate::blobs::hash as sha256;
use judge_core::text::hex;
use std::io;
use std::sync::LazyLock;
use subtle::ConstantTimeEq;

/// A random secret of 256 bits, in hexadecimal.
pub(crate) fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|e| io::Error::other(e.to_string()))?;
    Ok(hex(&bytes))
}

/// A random password that people can type: 12 letters and digits that look different, 60 bits.
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

/// A hash of texts under a key of this process. A copy of it is of no use to guess the texts.
pub(crate) fn keyed_hash(texts: &[&str]) -> io::Result<String> {
    static KEY: LazyLock<io::Result<String>> = LazyLock::new(random);
    let key = KEY.as_ref().map_err(|e| io::Error::other(e.to_string()))?;
    Ok(hash(&format!("{key}{}", hash(&texts.join("\0")))))
}

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    a.as_bytes().ct_eq(b.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ() {
        let (a, b) = (random().expect("random"), random().expect("random"));
        assert!(a.len() == 64 && !equal(&a, &b) && equal(&a, &a));
        assert!(!equal("a", "ab"));
    }
}
