//! In which order the dims of a value lie in memory. There is one answer for everything that writes the value or reads
//! it.
//!
//! Results of attention lie with the elements of one position together, so that merging heads back into a model dim
//! costs nothing. A stack of such results lies as the results do. Kernels that read through strides take any order.
//! Collectives, scatters, scans and sorts do not: they take their operands as consecutive memory in the order of dims
//! ([`reads_row_major`]). One such reader is enough to have the value stored in that order. So is one reader of a stack
//! that the value becomes a part of, in whichever region.
//!
//! Not here: copies of views with gaps ([`crate::fuse`]), and the check that every such reader found what it takes
//! ([`crate::state`]).

use crate::joined::source;
use crate::view::{dense_strides, ordered_strides};
use meshloom_ir::{Class, Def, Func, Op, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Whether an op takes its operands as consecutive memory in the order of dims, and not through strides.
pub fn reads_row_major(op: &Op) -> bool {
    op.communicates() || matches!(op.class(), Class::Scan | Class::Sort) || matches!(op, Op::Scatter { .. })
}

/// The strides of a function's values in memory.
pub struct Storage<'a> {
    func: &'a Func,
    /// The strides of the values whose dims lie in another order than in their type.
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
                if let Some(strides) = storage.preferred(&asked, o, i) {
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

    /// Whether a value with memory lies in the order of its dims.
    pub fn is_row_major(&self, v: ValueId) -> bool {
        !self.others.contains_key(&v)
    }

    /// The strides that suit result `i` of an op better than those of the order of dims, if there are any.
    fn preferred(&self, asked: &BTreeSet<ValueId>, id: meshloom_ir::OpId, i: usize) -> Option<Vec<i64>> {
        match &self.func.op(id).op {
            Op::Composite { name, .. } => {
                let shape = &self.func.ty(self.func.op(id).results[i]).shape;
                Some(ordered_strides(shape, &crate::composite::physical_order(name, i)?))
            }
            Op::Repeat { .. } => {
                let part = stacked(self.func, id, i)?;
                let strides = self.others.get(&part)?;
                Some([&[self.func.ty(part).elements() as i64], &strides[..]].concat())
            }
            Op::Concatenate { dim: 0 } => {
                let mut all = self.func.op(id).operands.iter().map(|&part| self.rows(asked, part));
                let first = all.next()??;
                all.all(|s| s.as_ref() == Some(&first)).then_some(first)
            }
            _ => None,
        }
    }

    /// The strides of a part of a concatenation along dim 0, if it suits it better to lie in another order than that of its dims,
    /// and its rows lie one behind the other.
    fn rows(&self, asked: &BTreeSet<ValueId>, part: ValueId) -> Option<Vec<i64>> {
        let (x, lead) = source(self.func, part);
        let Def::Op(o, i) = self.func.value(x).def else { return None };
        let known = self.others.get(&x).cloned();
        // What a loop stacks is known once its body is.
        let own = known.or_else(|| if asked.contains(&x) { None } else { self.preferred(asked, o, i as usize) })?;
        let ty = self.func.ty(part);
        let row = ty.elements() as i64 / (*ty.shape.first()? as i64).max(1);
        let strides = [vec![row; lead], own].concat();
        (strides.first() == Some(&row)).then_some(strides)
    }
}

/// If result `i` of an op is a stack: the value of the op's body that is stacked.
fn stacked(func: &Func, o: meshloom_ir::OpId, i: usize) -> Option<ValueId> {
    let data = func.op(o);
    match data.op {
        Op::Repeat { carries, .. } if i >= carries => func.region(*data.regions.first()?).yields.get(i).copied(),
        _ => None,
    }
}

/// Values that some reader takes row-major, with all values that are stored as parts of such a value.
fn asked_row_major(func: &Func) -> BTreeSet<ValueId> {
    let readers = func.walk(Func::BODY).into_iter().map(|o| func.op(o)).filter(|d| reads_row_major(&d.op));
    let mut open: Vec<ValueId> = readers.flat_map(|d| d.operands.iter().copied()).collect();
    // What another stage receives lies in the order of dims.
    let sent = func.outputs.iter().zip(&func.body().yields).filter(|o| o.0.role == Role::Sent);
    open.extend(sent.map(|o| *o.1));
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
