//! What a program is arranged for: the device, and how it computes floats.
//!
//! Not here: what follows of it ([`crate::rounding`], [`crate::lower`]).

use meshloom_kernels::Device;

/// What runs a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    pub device: Device,
    /// GPUs round f32 to tf32 where they contract it.
    pub tf32: bool,
    /// Every op rounds to its type, inside of kernels too.
    pub rounds_each: bool,
}
