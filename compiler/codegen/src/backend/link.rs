//! Links objects into one shared library, through the system's linker.
//!
//! It calls `ld` where there is one (kernels need no start files and no libraries), and `cc -shared` otherwise. There
//! is no build id and no time stamp, so the same objects give the same bytes.

use std::io;
use std::path::Path;
use std::process::Command;

use crate::{CodegenError, CodegenPhase};

/// The first line that the linker says of its version, such as `GNU ld (GNU Binutils for Debian) 2.40`.
pub fn linker_version() -> Result<String, CodegenError> {
    let said = match Command::new("ld").arg("--version").output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Command::new("cc").arg("-Wl,--version").output(),
        other => other,
    };
    let fail = |message: String| CodegenError::general(CodegenPhase::Link, message);
    let output =
        said.map_err(|error| CodegenError::system(CodegenPhase::Link, "cannot run the linker (ld or cc)", &error))?;
    let line = String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned());
    line.filter(|line| !line.is_empty()).ok_or_else(|| fail("the linker does not say which version it is".into()))
}

/// Links relocatable objects into the shared library `out`.
pub fn link_shared<O: AsRef<[u8]>>(objects: &[O], out: &Path) -> Result<(), CodegenError> {
    let fail = |what: &str, error: io::Error| CodegenError::system(CodegenPhase::Link, what, &error);
    let folder = tempfile::tempdir().map_err(|error| fail("cannot make a temporary folder", error))?;
    let mut names = Vec::with_capacity(objects.len());
    for (index, object) in objects.iter().enumerate() {
        // Relative names: the linker may write them into the output.
        let name = format!("{index}.o");
        let what = || format!("cannot write an object into {}", folder.path().display());
        std::fs::write(folder.path().join(&name), object).map_err(|error| fail(&what(), error))?;
        names.push(name);
    }
    let out = std::path::absolute(out).map_err(|error| fail("cannot name the output", error))?;
    let run = |tool: &str, flags: &[&str]| {
        Command::new(tool).args(flags).arg("-o").arg(&out).args(&names).current_dir(&folder).output()
    };
    let output = match run("ld", &["-shared", "--build-id=none", "-z", "noexecstack"]) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            run("cc", &["-shared", "-nostdlib", "-Wl,--build-id=none"])
        }
        other => other,
    };
    let output = output.map_err(|error| fail("cannot run the linker (ld or cc)", error))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(CodegenError::said(CodegenPhase::Link, format!("the linker failed ({}): {}", output.status, said.trim())))
}
