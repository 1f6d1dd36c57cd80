//! Signs bundles, in minisign's format (Ed25519 over BLAKE2b): keys come from `minisign -G`, and anything that reads minisign's
//! signatures can check them. [`meshloom_terminal::load`] does.

use meshloom_runtime::file;
use meshloom_terminal::{Failed, Result};
use minisign::{SecretKey, SecretKeyBox};
use std::io::IsTerminal;
use std::path::Path;

/// The variable with the password of a secret key, for scripts.
const PASSWORD: &str = "MESHLOOM_SIGN_PASSWORD";

/// A secret key, ready to sign.
pub struct Signer(SecretKey);

impl Signer {
    /// Reads a secret key. The password of one that has a password comes from the environment or from the terminal.
    ///
    /// # Errors
    /// Exit code 2: no such file, no secret key of minisign, a wrong password or none.
    pub fn read(path: &Path) -> Result<Signer> {
        let fail = |what: &str| Failed::usage(format!("--sign: {}: {what}", path.display()));
        let text = file::text(path, file::TEXT).map_err(|e| Failed::usage(format!("--sign: {e}")))?;
        let boxed = || SecretKeyBox::from_string(&text).map_err(|e| fail(&format!("no secret key of minisign: {e}")));
        if let Ok(key) = SecretKey::from_unencrypted_box(boxed()?) {
            return Ok(Signer(key));
        }
        let password = std::env::var(PASSWORD).ok();
        if password.is_none() && !std::io::stdin().is_terminal() {
            return Err(fail("has a password, and there is no terminal to ask for it")
                .help(format!("set {PASSWORD}, or make a key without a password: minisign -G -W")));
        }
        SecretKey::from_box(boxed()?, password).map(Signer).map_err(|e| fail(&e.to_string()))
    }

    /// The signature of a bundle, as text. Its trusted comment is the bundle's hash, so equal bundles have equal comments.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn sign(&self, bytes: &[u8]) -> Result<String> {
        let comment = format!("meshloom bundle sha256:{}", meshloom_bundle::sha256(bytes));
        let signature = minisign::sign(None, &self.0, bytes, Some(&comment), Some("signature of a meshloom bundle"));
        signature.map(|s| s.to_string()).map_err(|e| Failed::usage(format!("--sign: {e}")))
    }
}
