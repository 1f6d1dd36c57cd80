//! Which tensors have the layers of a list along dim 0: its parameters, what is made of them layer by layer, what loops over them
//! stack, and their gradients.
//!
//! Where a list is cut into pipeline stages, a device has all layers of its stage and no others. A tensor that is split along
//! the layers would mix those of several stages: the gradient of one stage's layers would be summed, or updated, on another
//! stage's devices. So these tensors are never split there; any other dim serves as well. Not here: the cut (`stage`).

use meshloom_ir::unstack::spread::spread;
use meshloom_ir::{Func, ValueId};
use std::collections::BTreeSet;

/// By value: whether dim 0 is that of the layers of a list, of its parts from some layer on. `alike` are values that are one tensor.
pub fn stacks<'a>(func: &Func, of: Option<(&str, u64)>, alike: impl Iterator<Item = &'a Vec<ValueId>>) -> Vec<bool> {
    let mut found = vec![false; func.values.len()];
    let Some((list, first)) = of else { return found };
    // The list may be in several parts, each with layers of its own.
    let mut counts = BTreeSet::new();
    for (port, &v) in func.inputs.iter().zip(&func.body().args) {
        if port.is_of_list(list) && port.first_layer >= first {
            found[v.index()] = true;
            counts.extend(func.ty(v).shape.first().copied());
        }
    }
    counts.into_iter().for_each(|count| spread(func, count, &mut found));
    for all in alike {
        let any = all.iter().any(|v| found[v.index()]);
        all.iter().for_each(|v| found[v.index()] = any);
    }
    found
}
