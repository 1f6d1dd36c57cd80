//! Links objects into one shared library, through the system's linker.
//!
//! It calls `ld` where there is one (kernels need no start files and no libraries), else `cc -shared`, else the `ld.lld` that lies
//! beside this program, as packages have it for machines without a compiler. There is no build id and no time stamp, so the same
//! objects give the same bytes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{CodegenError, CodegenPhase};

/// A linker, and the arguments that it takes.
struct Linker {
    program: PathBuf,
    version: &'static str,
    flags: &'static [&'static str],
}

/// The linkers that are tried, in this order.
fn linkers() -> Vec<Linker> {
    let flags = &["-shared", "--build-id=none", "-z", "noexecstack"];
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.join("ld.lld")));
    let mut all = vec![
        Linker { program: "ld".into(), version: "--version", flags },
        Linker {
            program: "cc".into(),
            version: "-Wl,--version",
            flags: &["-shared", "-nostdlib", "-Wl,--build-id=none"],
        },
    ];
    all.extend(beside.map(|program| Linker { program, version: "--version", flags }));
    all
}

/// What the first linker says that can be started.
fn first(mut run: impl FnMut(&Linker) -> io::Result<Output>) -> Result<Output, CodegenError> {
    for linker in linkers() {
        match run(&linker) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(output) => return Ok(output),
            Err(error) => {
                let what = format!("cannot run the linker {}", linker.program.display());
                return Err(CodegenError::system(CodegenPhase::Link, &what, &error));
            }
        }
    }
    let none = io::Error::from(io::ErrorKind::NotFound);
    Err(CodegenError::system(
        CodegenPhase::Link,
        "cannot run a linker (ld, cc, or an ld.lld beside this program)",
        &none,
    ))
}

/// The first line that the linker says of its version, such as `GNU ld (GNU Binutils for Debian) 2.40`.
pub fn linker_version() -> Result<String, CodegenError> {
    let output = first(|l| Command::new(&l.program).arg(l.version).output())?;
    let line = String::from_utf8_lossy(&output.stdout).lines().next().map(|line| line.trim().to_owned());
    let silent = || CodegenError::general(CodegenPhase::Link, "the linker does not say which version it is");
    line.filter(|line| !line.is_empty()).ok_or_else(silent)
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
    let output = first(|l| {
        Command::new(&l.program).args(l.flags).arg("-o").arg(&out).args(&names).current_dir(&folder).output()
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(CodegenError::said(CodegenPhase::Link, format!("the linker failed ({}): {}", output.status, said.trim())))
}
