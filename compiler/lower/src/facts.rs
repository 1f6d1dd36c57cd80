//! What is found out about a whole function before any of its regions is fused.

use crate::rounding::Rounding;
use crate::storage::Storage;
use meshloom_ir::{Func, ValueId};
use meshloom_kernels::GpuArch;
use std::collections::BTreeSet;

pub struct Facts<'a> {
    /// The order in which the dims of values lie.
    pub storage: Storage<'a>,
    /// Values that are rounded to their type wherever they are computed: see [`crate::rounding`].
    pub rounded: BTreeSet<ValueId>,
    /// Sums and products over dims that are computed once and stored: see [`crate::rounding`].
    pub once: BTreeSet<ValueId>,
    /// Results of products with one vector, with all that is done with each: see [`crate::vector_product`].
    pub masked: BTreeSet<ValueId>,
    /// Sums that grow in place: see [`crate::inplace::sums`].
    pub sums: BTreeSet<ValueId>,
    /// Of a pipeline stage: inputs that are received once in a step.
    pub received: Vec<Received>,
    /// The GPU that kernels are for, if they are for one.
    pub gpu: Option<GpuArch>,
}

/// An input that another stage computes, of what this one sends.
#[derive(Clone, Debug)]
pub struct Received {
    pub value: ValueId,
    /// The number of its wire.
    pub wire: u32,
    /// What this stage sends before it can be there.
    pub after: BTreeSet<ValueId>,
}

impl<'a> Facts<'a> {
    pub fn of(func: &'a Func, gpu: Option<GpuArch>, rounds_each: bool) -> Facts<'a> {
        let Rounding { rounded, once } = Rounding::of(func, rounds_each);
        let (storage, sums) = (Storage::of(func), crate::sums::sums(func));
        Facts { storage, rounded, once, masked: BTreeSet::new(), sums, received: Vec::new(), gpu }
    }
}
