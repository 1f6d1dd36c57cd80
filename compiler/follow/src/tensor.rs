//! What a device has of a global tensor while the program is followed.

use meshloom_ir::{Axis, Layout, ValueId};

/// What kind of tensor it is in PyTorch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TensorKind {
    /// Made of constants: a number in the Python code, `arange`.
    Free,
    /// Made of whole numbers of the batch alone, such as labels.
    Data,
    /// A `torch.Tensor`.
    Plain,
    /// A `DTensor` on the mesh of this axis.
    DTensor(Axis),
}

impl TensorKind {
    pub fn axis(self) -> Option<Axis> {
        match self {
            TensorKind::DTensor(a) => Some(a),
            _ => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalTensor {
    pub local: ValueId,
    pub layout: Layout,
    pub kind: TensorKind,
    /// Which module or op made it split or partial, as the end of a sentence.
    pub since: Option<String>,
}
