//! Programs in the `loom` dialect through MLIR's parser, verifiers and printer.

use crate::context::MlirContext;
use meshloom_codegen::{CodegenError, CodegenPhase};

/// Parses `text` (verifying it), prints it, and checks that what was printed parses to the same. Returns MLIR's print.
pub fn roundtrip(text: &str) -> Result<String, CodegenError> {
    let context = MlirContext::new();
    let print = |text: &str| Ok(context.parse("program", text)?.as_operation().to_string());
    let first = print(text)?;
    let second = print(&first)?;
    if first == second {
        Ok(first)
    } else {
        Err(CodegenError::general(CodegenPhase::Parse, "the printed program parses to a different one"))
    }
}
