//! A secret of the run's own, which keeps strangers out: `MESHLOOM_JOB_KEY`.
//!
//! It is never sent. Rank 0 and the process that wants to join each draw a random number, and each proves that it knows
//! the secret by an HMAC over both numbers and what it says of itself. So what is overheard is of no use another time.
//! What comes after is not encrypted, and not signed: the secret is no protection from somebody who can change what is
//! on the wire.

use hmac::{Hmac, KeyInit, Mac};
use rustix::io::retry_on_intr;
use rustix::rand::{GetRandomFlags, getrandom};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// A random number that is used once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nonce([u8; 32]);

/// That somebody knows the secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof([u8; 32]);

/// The secret of a run.
#[derive(Clone)]
pub struct JobKey(String);

impl std::fmt::Debug for JobKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobKey(..)")
    }
}

/// Whose proof it is: the one of a rank is none of rank 0's.
#[derive(Clone, Copy)]
pub enum Prover {
    Joining,
    First,
}

impl Nonce {
    /// # Errors
    /// The system has no random numbers.
    pub fn draw() -> std::io::Result<Nonce> {
        let mut bytes = [0; 32];
        let mut filled = 0;
        while filled < bytes.len() {
            filled += retry_on_intr(|| getrandom(&mut bytes[filled..], GetRandomFlags::empty()))?;
        }
        Ok(Nonce(bytes))
    }
}

impl JobKey {
    /// A secret as somebody chose it.
    pub fn new(text: impl Into<String>) -> JobKey {
        JobKey(text.into())
    }

    /// A secret that nobody can guess, as text.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn random() -> std::io::Result<String> {
        Ok(Nonce::draw()?.0.iter().map(|b| format!("{b:02x}")).collect())
    }

    /// `nonces` are the joining process's, then rank 0's.
    pub fn prove(&self, by: Prover, nonces: [Nonce; 2], what: &impl Serialize) -> Proof {
        Proof(self.mac(by, nonces, what).finalize().into_bytes().into())
    }

    pub fn holds(&self, proof: Option<Proof>, by: Prover, nonces: [Nonce; 2], what: &impl Serialize) -> bool {
        // In a time that does not depend on where the two differ.
        proof.is_some_and(|p| self.mac(by, nonces, what).verify_slice(&p.0).is_ok())
    }

    fn mac(&self, by: Prover, nonces: [Nonce; 2], what: &impl Serialize) -> Hmac<Sha256> {
        // A key may have any length.
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.as_bytes()).expect("HMAC takes keys of any length");
        mac.update(match by {
            Prover::Joining => b"meshloom: a rank joins",
            Prover::First => b"meshloom: rank 0 says go",
        });
        nonces.iter().for_each(|n| mac.update(&n.0));
        // Plain data: it always has a text.
        mac.update(&serde_json::to_vec(what).unwrap_or_default());
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_is_for_one_key_one_meeting_and_one_side() {
        let (key, a, b) = (JobKey::new("secret"), Nonce::draw().unwrap(), Nonce::draw().unwrap());
        assert_ne!(a, b);
        let proof = Some(key.prove(Prover::Joining, [a, b], &"rank 1"));
        assert!(key.holds(proof, Prover::Joining, [a, b], &"rank 1"));
        assert!(!key.holds(proof, Prover::First, [a, b], &"rank 1"));
        assert!(!key.holds(proof, Prover::Joining, [b, a], &"rank 1"));
        assert!(!key.holds(proof, Prover::Joining, [a, b], &"rank 2"));
        assert!(!key.holds(None, Prover::Joining, [a, b], &"rank 1"));
        assert!(!JobKey::new("other").holds(proof, Prover::Joining, [a, b], &"rank 1"));
        assert_eq!(format!("{key:?}"), "JobKey(..)");
        assert_eq!(JobKey::random().unwrap().len(), 64);
    }
}
