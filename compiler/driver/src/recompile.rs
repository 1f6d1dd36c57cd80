//! Checks that the machine code of a bundle is what its kernels compile to.
//!
//! Machine code is not decompiled. The kernels are compiled again, and the bytes must be the same: the compiler is
//! deterministic, and a library says which tools made it. If this machine has other tools, equal kernels may give other bytes,
//! and the library cannot be checked. A cubin is assembled again from the bundle's own PTX.
//!
//! Not here: what the kernels have to compute, which [`crate::verify`] proves, and running them.

use crate::backend::{self, Cpu, Kernels};
use meshloom_bundle::{LibraryContents, LibraryKind};
use meshloom_codegen::worker::Isolation;
use meshloom_kernels::GpuArch;
use meshloom_kernels::target::Level;
use meshloom_source::Failure;

/// What is known of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// It is what the kernels compile to, byte for byte.
    Same,
    /// It is not, though the same tools made it: damaged or replaced.
    Other(String),
    /// It cannot be compared here.
    Unknown(String),
}

/// Compares the libraries of a bundle with the kernels of all its entries. The results are in the bundle's order.
///
/// # Errors
/// What LLVM, the linker or the assembler said.
pub fn libraries(
    found: &[LibraryContents],
    kernels: &Kernels<'_>,
    isolation: &Isolation,
    threads: usize,
) -> Result<Vec<Code>, Failure> {
    let one = |l: &LibraryContents| {
        let gpu = GpuArch::by_name(&l.name);
        let cpu = [Level::V3, Level::V4].map(|level| Cpu { level }).into_iter().find(|c| c.name() == l.name);
        let made = match (l.kind, cpu, gpu) {
            (LibraryKind::ElfSo, Some(cpu), _) => Some(backend::library(kernels, cpu, isolation, threads)?),
            (LibraryKind::Ptx, _, Some(gpu)) => Some(backend::ptx(kernels, gpu, isolation, threads)?),
            (LibraryKind::Cubin, _, Some(gpu)) => {
                match found.iter().find(|p| p.kind == LibraryKind::Ptx && p.name == l.name) {
                    None => return Ok(Code::Unknown("the PTX that it was made of is not in the bundle".into())),
                    Some(ptx) => match backend::cubin(ptx, gpu, threads)? {
                        None => return Ok(Code::Unknown("there is no ptxas here to assemble the PTX again".into())),
                        made => made,
                    },
                }
            }
            _ => None,
        };
        let unknown = || Code::Unknown(format!("this version does not compile for `{}`", l.name));
        Ok(made.map_or_else(unknown, |made| compared(l, &made)))
    };
    found.iter().map(one).collect()
}

fn compared(found: &LibraryContents, made: &LibraryContents) -> Code {
    if found.symbols != made.symbols || found.cpu_features != made.cpu_features {
        return Code::Other(
            "it does not declare the kernels and CPU features that its entries' kernels compile to".into(),
        );
    }
    let at = found.bytes.iter().zip(&made.bytes).position(|(a, b)| a != b);
    match at {
        None if found.bytes.len() == made.bytes.len() => Code::Same,
        at if found.tools == made.tools => {
            let at = at.unwrap_or(found.bytes.len().min(made.bytes.len()));
            let what = format!("it is not what its kernels compile to, from byte {at} on, and names the same tools");
            Code::Other(format!("{what}: damaged or replaced"))
        }
        _ => Code::Unknown(format!("it was made by other tools than there are here: {}", other_tools(found, made))),
    }
}

/// The tools that differ: what made the one, and what made the other.
fn other_tools(found: &LibraryContents, made: &LibraryContents) -> String {
    let names = found.tools.keys().chain(made.tools.keys().filter(|n| !found.tools.contains_key(*n)));
    let one = |name: &String| {
        let version = |l: &LibraryContents| l.tools.get(name).cloned().unwrap_or_else(|| "none".into());
        let (a, b) = (version(found), version(made));
        let said = match name.as_str() {
            // Hashes are of no use to readers.
            "mlir" => "this compiler writes its kernels in another way".to_owned(),
            "ptx" => "its PTX was another".to_owned(),
            _ => format!("{name} `{}`, here `{b}`", a.escape_debug()),
        };
        (a != b).then_some(said)
    };
    names.filter_map(one).collect::<Vec<_>>().join("; ")
}
