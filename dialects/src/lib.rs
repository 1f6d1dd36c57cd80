//! The `loom` MLIR dialect, registered from Rust, and the one place that decides how LLVM is linked.
//!
//! The dialect is C++ because MLIR's op definitions and verifiers are (see `td/Loom.td` and `cpp/`); everything above
//! this crate is Rust through melior. Depending on this crate is also what makes a binary link LLVM's shared libraries
//! (see `build.rs`). Lowering and code generation are not here: they are in `meshloom-codegen`.

use std::sync::Once;

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;

unsafe extern "C" {
    fn meshloomRegisterDialect(registry: MlirDialectRegistry);
    fn meshloomRegisterPasses();
}

/// Adds the `loom` dialect to `registry`.
pub fn register(registry: &DialectRegistry) {
    // SAFETY: the registry is live for the call, and the shim only inserts a dialect constructor into it.
    unsafe { meshloomRegisterDialect(registry.to_raw()) }
}

/// Makes `loom-expand-math` known to pass pipelines. Idempotent and thread-safe.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    // SAFETY: takes no arguments; MLIR's pass registry is a process-wide table and `Once` keeps this single-threaded.
    ONCE.call_once(|| unsafe { meshloomRegisterPasses() });
}
