//! Reads the bundle that a command was given. Where a signature is required, it is checked before anything of the bundle is read:
//! a bundle is code.
//!
//! Signatures have minisign's format: `model.loomx.minisig` beside `model.loomx`. `meshloom compile --sign` makes them, and so does
//! `minisign -S`.

use crate::{Failed, Result};
use meshloom_bundle::{Bundle, archive};
use meshloom_file::{self as file, DataFile};
use minisign_verify::{Error, PublicKey, Signature};
use std::path::{Path, PathBuf};

/// The bundle in a file, signed by `key` if one is given: a file with a public key of minisign, or the key itself in base64.
///
/// # Errors
/// Exit code 2: a file that cannot be read or is no bundle, a signature that is missing or is another's.
pub fn bundle(path: &Path, key: Option<&str>) -> Result<Bundle> {
    let name = path.display();
    let bytes = bytes(path)?;
    if let Some(key) = key {
        signed(path, &bytes, key)?;
    }
    Bundle::read(&bytes).map_err(|e| Failed::usage(format!("{name}: {e}")))
}

/// The bytes of a file that ends as a bundle does, and is as long as its end says: nothing else is read whole.
///
/// # Errors
/// Exit code 2: a file that cannot be read or is no bundle. Exit code 4: no memory for it.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let file = DataFile::regular(path)?;
    let mut end = vec![0; file.len().min(archive::END as u64) as usize];
    file.read_at(file.len() - end.len() as u64, &mut end)?;
    archive::length(&end, file.len()).map_err(|e| Failed::usage(format!("{}: {e}", path.display())))?;
    Ok(file.all()?)
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
        true => PublicKey::decode(&of_option(key_file)?).map_err(|_| no_key(key)),
        false => PublicKey::from_base64(key).map_err(|_| no_key(key)),
    }?;
    let Some(text) = file::own(&beside, file::TEXT)? else {
        let text = format!("{name}: is not signed: there is no {}", beside.display());
        return Err(Failed::usage(text).help("compile it with --sign KEY, or sign it with `minisign -S`"));
    };
    let signature = Signature::decode(&String::from_utf8_lossy(&text))
        .map_err(|_| Failed::usage(format!("{}: is no signature in minisign's format", beside.display())))?;
    public.verify(bytes, &signature, false).map_err(|e| {
        let what = match e {
            Error::UnexpectedKeyId => "is signed with another key than --require-signature names",
            Error::UnexpectedAlgorithm => "has a signature of minisign's old format, which is not taken: sign it again",
            _ => "is not what was signed: damaged, or replaced after that",
        };
        Failed::usage(format!("{name}: {what}"))
    })
}

/// The text of a key's file.
fn of_option(key: &Path) -> Result<String> {
    file::text(key, file::TEXT).map_err(|e| Failed::usage(format!("--require-signature: {e}")))
}

fn no_key(key: &str) -> Failed {
    Failed::usage(format!("--require-signature: `{}`: no file, and no public key of minisign", key.escape_debug()))
        .help("give the .pub file that `minisign -G` wrote, or the second line of it")
}
