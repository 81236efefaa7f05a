//! HMAC-SHA1 as Hadoop's tokens and shuffle use it, and the keys for it (Hadoop 1.2.1: security.token.SecretManager).

use hmac::{Hmac, Mac};
use sha1::Sha1;

/// HMAC-SHA1 of `message` under `key`: a token's password, or a shuffle hash before Base64.
pub fn hmac_sha1(key: &[u8], message: &[u8]) -> [u8; 20] {
    keyed(key, message).finalize().into_bytes().into()
}

/// Whether `proof` is the HMAC-SHA1 of `message` under `key`; takes the same time whatever the answer.
pub fn verify_hmac_sha1(key: &[u8], message: &[u8], proof: &[u8]) -> bool {
    keyed(key, message).verify_slice(proof).is_ok()
}

fn keyed(key: &[u8], message: &[u8]) -> Hmac<Sha1> {
    // HMAC takes keys of any length, so the error of the trait's general constructor cannot happen.
    let mut mac = <Hmac<Sha1> as Mac>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(message);
    mac
}

/// `N` random bytes from the system.
///
/// # Panics
/// If the system has no source of randomness; going on without secrets would be worse.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

/// A new master key of 20 bytes; Hadoop's are 8, ours only need to be unguessable.
pub fn new_key() -> [u8; 20] {
    random_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_rfc_2202() {
        let expected = [
            0xef, 0xfc, 0xdf, 0x6a, 0xe5, 0xeb, 0x2f, 0xa2, 0xd2, 0x74, 0x16, 0xd5, 0xf1, 0x84, 0xdf, 0x9c, 0x25, 0x9a,
            0x7c, 0x79,
        ];
        let message = b"what do ya want for nothing?";
        assert_eq!(hmac_sha1(b"Jefe", message), expected);
        assert!(verify_hmac_sha1(b"Jefe", message, &expected));
        assert!(!verify_hmac_sha1(b"Jeff", message, &expected));
        assert!(!verify_hmac_sha1(b"Jefe", message, &expected[..19]));
    }
}
