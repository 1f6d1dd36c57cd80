//! In which order the dims of a value lie in memory: one answer for all who write the value or read it.
//!
//! Results of attention lie with the elements of one position together, so that merging heads back into a model dim costs
//! nothing, and stacks of such results lie as the results do. Kernels that read through strides take any order. Collectives,
//! scatters, scans and sorts take their operands as consecutive memory in the order of dims ([`reads_row_major`]): one such
//! reader, of the result or of a stack that the result becomes a part of, in whichever region, has the result stored in the order
//! of its dims.
//!
//! Not here: copies of what is a view with gaps ([`crate::fuse`]), and the check that every such reader found what it takes
//! ([`crate::lower`]).

use crate::view::{dense_strides, ordered_strides};
use meshloom_ir::{Class, Def, Func, Op, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Whether an op takes its operands as consecutive memory in the order of dims, and not through strides.
pub fn reads_row_major(op: &Op) -> bool {
    op.communicates() || matches!(op.class(), Class::Scan | Class::Sort) || matches!(op, Op::Scatter { .. })
}

/// The strides of a function's values in memory.
pub struct Storage<'a> {
    func: &'a Func,
    /// Of those that do not lie in the order of their dims.
    others: BTreeMap<ValueId, Vec<i64>>,
}

impl<'a> Storage<'a> {
    pub fn of(func: &'a Func) -> Storage<'a> {
        let mut storage = Storage { func, others: BTreeMap::new() };
        let asked = asked_row_major(func);
        // Bodies first: stacks lie as what they are made of.
        for o in func.walk(Func::BODY).into_iter().rev() {
            let data = func.op(o);
            for (i, &v) in data.results.iter().enumerate().filter(|x| !asked.contains(x.1)) {
                if let Some(strides) = storage.preferred(&data.op, o, i) {
                    storage.others.insert(v, strides);
                }
            }
        }
        storage
    }

    /// Strides under which a value with memory is stored.
    pub fn strides(&self, v: ValueId) -> Vec<i64> {
        self.others.get(&v).cloned().unwrap_or_else(|| dense_strides(&self.func.ty(v).shape))
    }

    /// Strides other than those of the order of dims that suit result `i` of an op.
    fn preferred(&self, op: &Op, id: meshloom_ir::OpId, i: usize) -> Option<Vec<i64>> {
        match op {
            Op::Composite { name, .. } => {
                let shape = &self.func.ty(self.func.op(id).results[i]).shape;
                Some(ordered_strides(shape, &crate::composite::physical_order(name, i)?))
            }
            Op::Repeat { .. } => {
                let part = stacked(self.func, id, i)?;
                let strides = self.others.get(&part)?;
                Some([&[self.func.ty(part).elements() as i64], &strides[..]].concat())
            }
            _ => None,
        }
    }
}

/// What result `i` of an op is a stack of, if it is one: a value of the op's body.
fn stacked(func: &Func, o: meshloom_ir::OpId, i: usize) -> Option<ValueId> {
    let data = func.op(o);
    match data.op {
        Op::Repeat { carries, .. } if i >= carries => func.region(*data.regions.first()?).yields.get(i).copied(),
        _ => None,
    }
}

/// Values that some reader takes row-major, and all that are stored as parts of such a value.
fn asked_row_major(func: &Func) -> BTreeSet<ValueId> {
    let readers = func.walk(Func::BODY).into_iter().map(|o| func.op(o)).filter(|d| reads_row_major(&d.op));
    let mut open: Vec<ValueId> = readers.flat_map(|d| d.operands.iter().copied()).collect();
    let mut asked = BTreeSet::new();
    while let Some(v) = open.pop() {
        if asked.insert(v)
            && let Def::Op(o, i) = func.value(v).def
        {
            open.extend(stacked(func, o, i as usize));
        }
    }
    asked
}
