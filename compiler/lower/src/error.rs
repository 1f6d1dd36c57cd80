//! The error of this crate: why a local program cannot run on a kind of device.

/// Why a local program cannot become kernels for a target, with the place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LowerError {
    pub message: String,
    pub span: meshloom_ir::Span,
}

impl LowerError {
    pub fn too_large() -> LowerError {
        let message = "the program needs more memory than can be addressed".into();
        LowerError { message, span: Default::default() }
    }
}

impl std::fmt::Display for LowerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LowerError {}
