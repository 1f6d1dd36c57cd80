//! What a kernel computes, as data: a *spec*. `lower` writes specs, the emitter turns them into MLIR, and
//! [`crate::reference`] computes their values.
//!
//! A spec has everything that the machine code depends on and nothing else: no buffer addresses, no names from the
//! source, no target. Equal specs are one kernel. The hash of the text form names it, and is its key in the kernel
//! cache.
//!
//! A kernel is called as `void k(ptr buffer.., [ptr scratch], i64 lo, i64 hi, i64 dim..)` and computes units `lo..hi`
//! of `units()`. Units are independent, and each is computed in one fixed order, so the bits do not depend on how a
//! launch is cut. Panel formats, units and scratch do not depend on the target, so one program runs with kernels of any
//! CPU level.
//!
//! A kernel is a struct with an entry ([`kernel::Kernel`]) in a file of this folder, and a name in the list below. The
//! entry says which code computes the kernel on which kind of device.

mod attention;
mod contraction;
mod cum_log_sum_exp;
mod dot_and_sum;
mod fused;
pub mod kernel;
mod running;
mod scan;
mod scatter;
mod summed;
pub(crate) mod top_k;

pub use crate::added::DotAndSum;
pub use crate::attention::{Attention, AttentionBackward, AttentionShape, Strides};
pub use crate::column::Column;
pub use crate::dot::Dot;
pub use crate::expr::{Access, Body, Comparison, DType, Elem, Node, NodeId, Output, Reduction, Start};
pub use crate::fused::Fused;
pub use crate::matmul::{Matmul, Operand, Pack, TILE_ROWS, panel_cols};
pub use crate::scatter::{ScatterRows, SegmentSort};
pub use crate::summed::Summed;
pub use cum_log_sum_exp::CumLogSumExp;
pub use kernel::{Arg, BufferRole, SpecError};
pub use scan::Scan;
pub use top_k::TopK;

use crate::fnv::fnv128;
use crate::reference::Data;
use kernel::Kernel;
use std::fmt::{self, Display, Formatter};

/// Declares [`KernelSpec`]. Each kernel is one name in the list.
macro_rules! kernels {
    ($($name:ident),* $(,)?) => {
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum KernelSpec {
            $($name($name),)*
        }

        impl KernelSpec {
            /// The kernel's entry, for everyone who does not care which kernel it is.
            pub fn entry(&self) -> &dyn Kernel {
                match self {
                    $(KernelSpec::$name(s) => s,)*
                }
            }

            /// The same kernel, whose threads copy what this one may fetch.
            pub fn by_threads(&self) -> Option<KernelSpec> {
                match self {
                    $(KernelSpec::$name(s) => s.by_threads().map(KernelSpec::$name),)*
                }
            }
        }
    };
}

kernels! {
    Fused,
    Column,
    Summed,
    Pack,
    Matmul,
    Dot,
    DotAndSum,
    Attention,
    AttentionBackward,
    SegmentSort,
    ScatterRows,
    Scan,
    TopK,
    CumLogSumExp,
}

impl Display for KernelSpec {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.entry().text(f)
    }
}

impl KernelSpec {
    /// A strided copy of `shape`, element by element.
    pub fn copy(dtype: DType, shape: &[u64], src: Access, dst: Access) -> KernelSpec {
        let mut body = Body::new(&[dtype, dtype]);
        let x = body.leaf(Access { buffer: 0, ..src });
        body.output(x, Access { buffer: 1, ..dst });
        let shape = if shape.is_empty() { vec![1] } else { shape.to_vec() };
        KernelSpec::Fused(Fused { shape, body })
    }

    pub fn kind(&self) -> &'static str {
        self.entry().kind()
    }

    /// The hash of the text form.
    pub fn hash(&self) -> String {
        format!("{:032x}", fnv128(self.to_string().as_bytes()))
    }

    /// The name of the kernel's function. Equal specs have equal names.
    pub fn symbol(&self) -> String {
        self.symbol_of(&self.hash())
    }

    /// The same for those who have the hash already: the text is long.
    pub fn symbol_of(&self, hash: &str) -> String {
        format!("{}_{}", self.kind(), &hash[..16])
    }

    /// Checks that the emitter and the reference can take this spec.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn verify(&self) -> Result<(), SpecError> {
        self.entry().verify()
    }

    /// Buffer arguments, in the order of the kernel's signature.
    pub fn args(&self) -> Vec<Arg> {
        self.entry().args()
    }

    /// Computes all units. `buffers` are the arguments of [`KernelSpec::args`]; those that are written change in place.
    pub fn reference(&self, buffers: &mut [Data], dims: &[i64]) {
        self.entry().reference(buffers, dims);
    }

    /// The body, for the families that have one.
    pub fn body(&self) -> Option<&Body> {
        self.entry().body()
    }

    /// The number of units, which do not depend on each other. A launch covers `0..units()`, or a part of it.
    pub fn units(&self) -> u64 {
        self.entry().units()
    }

    /// Bytes of scratch memory that each worker gives to the kernel after the buffers; 0 if it takes none.
    pub fn scratch_bytes(&self) -> u64 {
        self.entry().scratch_bytes()
    }

    /// The number of i64 dims that the kernel takes after `hi`.
    pub fn dims(&self) -> u32 {
        self.entry().dims()
    }

    /// Floating point operations of all units.
    pub fn flops(&self) -> u64 {
        self.entry().flops()
    }

    /// Bytes that have to be moved at least once.
    pub fn bytes(&self) -> u64 {
        self.args()
            .iter()
            .map(|a| a.elements * a.dtype.bytes() * if a.role == BufferRole::ReadWrite { 2 } else { 1 })
            .sum()
    }
}
