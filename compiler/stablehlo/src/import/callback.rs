//! Calls into the Python process that wrote the module, and the tokens that put them in order.
//!
//! A step has no Python to call. A callback that gives nothing back (`jax.debug.print`, `io_callback` for its effect) changes no
//! number, so it is left out, with a warning. A token is a truth value that nobody asks, and is no port of an entry.

use super::refused;
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use crate::types;
use meshloom_ir::{DType, ValueId};
use meshloom_source::Diagnostic;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.create_token", token), ("stablehlo.after_all", token)];

/// How the targets begin that call back.
const TARGETS: [&str; 3] = ["xla_python_", "xla_ffi_python_", "xla_ffi_partitioned_python_"];

/// Whether a custom call of this name calls Python.
pub fn is_one(target: &str) -> bool {
    TARGETS.iter().any(|t| target.starts_with(t))
}

/// Whether an op is such a call.
pub fn is_call(op: &TextOp<'_>) -> bool {
    op.name == "stablehlo.custom_call" && is_one(op.target())
}

fn token(i: &mut Import<'_>, _: &TextOp<'_>) -> Made {
    Ok(vec![i.token()])
}

/// Leaves out a call that gives no values back.
///
/// # Errors
/// It gives some.
pub fn import(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let given = op.results_written();
    if !given.iter().all(|t| types::is_token(t)) {
        return Err(refused::call(op.target()));
    }
    let d = Diagnostic::warning("callback", "this calls Python, which is not there when a step runs, and is left out");
    let d = d.at(op.span, "").note("it gives nothing back, so the numbers are the same without it");
    let said = |e: &Diagnostic| e.message == d.message && e.primary == d.primary;
    if !i.diagnostics.iter().any(said) {
        i.diagnostics.push(d);
    }
    Ok(given.iter().map(|_| i.token()).collect())
}

impl Import<'_> {
    /// What stands for a token.
    pub fn token(&mut self) -> ValueId {
        self.b.constant(DType::Bool, &[], 0.0)
    }
}
