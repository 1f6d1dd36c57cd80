//! Modules of PTX as text: where their parts are, and several as one.
//!
//! Not here: making them (`meshloom_llvm`).

use crate::target::GpuTarget;
use crate::{CodegenError, CodegenPhase};
use meshloom_bundle::waited;

/// The declaration of [`waited::VARIABLE`], a line.
pub fn variable() -> String {
    format!(".visible .global .align 8 .u64 {};\n", waited::VARIABLE)
}

/// Where a module's header ends: comments, `.version`, `.target` and `.address_size` come first.
pub fn header_end(module: &str) -> Option<usize> {
    let at = module.find(".address_size")?;
    Some(at + module[at..].find('\n')? + 1)
}

/// One module of several that were compiled for the same architecture: loading it is one call, and assembling it one run.
pub fn join_ptx(modules: &[String], target: GpuTarget) -> Result<String, CodegenError> {
    let (mut joined, variable) = (String::new(), variable());
    let any = modules.iter().any(|m| m.contains(&variable));
    for module in modules {
        // The headers are the same in all.
        let body = header_end(module);
        let body = body.ok_or_else(|| CodegenError::general(CodegenPhase::Link, "a module of PTX has no header"))?;
        if joined.is_empty() {
            joined.push_str(&module[..body]);
            joined.push_str(if any { &variable } else { "" });
        }
        let rest = &module[body..];
        joined.push_str(rest.strip_prefix(&variable).unwrap_or(rest).trim_end());
        joined.push('\n');
    }
    if joined.is_empty() {
        let version = target.features().trim_start_matches("+ptx");
        let (major, minor) = version.split_at(1);
        joined = format!(".version {major}.{minor}\n.target {target}\n.address_size 64\n");
    }
    Ok(joined)
}
