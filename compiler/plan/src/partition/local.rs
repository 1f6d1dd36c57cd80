//! The program that one device runs, with its certificate.

use super::origin::OpOrigin;
use meshloom_certify::Certificate;
use meshloom_ir::Func;

#[derive(Clone)]
pub struct LocalProgram {
    pub func: Func,
    pub certificate: Certificate,
    /// By op of `func`.
    pub origins: Vec<OpOrigin>,
}
