//! Phases by name, as the command line is given them. What they are is the driver's ([`meshloom_driver::phases`]).

use crate::rejected;
use meshloom_driver::phases::{PHASES, Phase, Reached, Show};
use meshloom_terminal::{Failed, Result};

/// The phase of a name.
///
/// # Errors
/// A name that is none.
pub fn named(name: &str) -> Result<&'static Phase> {
    Phase::named(name).ok_or_else(|| {
        let names: Vec<&str> = PHASES.iter().map(|p| p.name).collect();
        Failed::usage(format!("there is no phase `{name}`")).help(format!("there are {}", names.join(", ")))
    })
}

/// The output of a phase for all entries. Kernels are those for this machine.
///
/// # Errors
/// A phase that this build does not hold; what the phase's form cannot say.
pub fn text(program: &Reached, phase: &Phase) -> Result<String> {
    program.text(phase, show()).map_err(rejected::failed)
}

#[cfg(feature = "llvm")]
fn show() -> Show {
    let cpu = crate::build::host().unwrap_or(crate::build::LEVELS[0]);
    Show { level: cpu.level, bodies: true, mlir }
}

#[cfg(feature = "llvm")]
fn mlir(text: &str) -> std::result::Result<String, String> {
    use meshloom_codegen::worker;
    worker::program().and_then(|program| worker::printed(text, &program)).map_err(|e| e.to_string())
}

#[cfg(not(feature = "llvm"))]
fn show() -> Show {
    let mlir = |_: &str| Err("this build has no MLIR".to_string());
    Show { level: meshloom_kernels::target::Level::V3, bodies: true, mlir }
}
