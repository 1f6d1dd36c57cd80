//! Reads the bundle that a command was given. Where a signature is required, it is checked before anything of the bundle is read:
//! a bundle is code.
//!
//! Signatures have minisign's format: `model.loomx.minisig` beside `model.loomx`. `meshloom compile --sign` makes them, and so does
//! `minisign -S`.

use crate::{Failed, Result};
use meshloom_bundle::Bundle;
use minisign_verify::{Error, PublicKey, Signature};
use std::path::{Path, PathBuf};

/// The bundle in a file, signed by `key` if one is given: a file with a public key of minisign, or the key itself in base64.
///
/// # Errors
/// Exit code 2: a file that cannot be read or is no bundle, a signature that is missing or is another's.
pub fn bundle(path: &Path, key: Option<&str>) -> Result<Bundle> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|e| Failed::usage(format!("{name}: cannot be read: {e}")))?;
    if let Some(key) = key {
        signed(path, &bytes, key)?;
    }
    Bundle::read(&bytes).map_err(|e| Failed::usage(format!("{name}: {e}")))
}

/// Where the signature of a file lies.
pub fn signature_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".minisig");
    name.into()
}

fn signed(path: &Path, bytes: &[u8], key: &str) -> Result<()> {
    let (name, beside) = (path.display(), signature_of(path));
    let key_file = Path::new(key);
    let public = match key_file.exists() {
        true => PublicKey::from_file(key_file).map_err(|e| no_key(key, &e)),
        false => PublicKey::from_base64(key).map_err(|e| no_key(key, &e)),
    }?;
    if !beside.exists() {
        let text = format!("{name}: is not signed: there is no {}", beside.display());
        return Err(Failed::usage(text).help("compile it with --sign KEY, or sign it with `minisign -S`"));
    }
    let signature = Signature::from_file(&beside).map_err(|e| {
        let what = match e {
            Error::IoError(e) => format!("cannot be read: {e}"),
            _ => "is no signature in minisign's format".to_owned(),
        };
        Failed::usage(format!("{}: {what}", beside.display()))
    })?;
    public.verify(bytes, &signature, false).map_err(|e| {
        let what = match e {
            Error::UnexpectedKeyId => "is signed with another key than --require-signature names",
            Error::UnexpectedAlgorithm => "has a signature of minisign's old format, which is not taken: sign it again",
            _ => "is not what was signed: damaged, or replaced after that",
        };
        Failed::usage(format!("{name}: {what}"))
    })
}

fn no_key(key: &str, e: &Error) -> Failed {
    match e {
        Error::IoError(e) => Failed::usage(format!("--require-signature: {key}: cannot be read: {e}")),
        _ => Failed::usage(format!(
            "--require-signature: `{}`: no file, and no public key of minisign",
            key.escape_debug()
        ))
        .help("give the .pub file that `minisign -G` wrote, or the second line of it"),
    }
}
