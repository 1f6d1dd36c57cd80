//! Which 16-bit values are rounded to their type wherever a kernel computes them.
//!
//! Kernels compute 16-bit floats in f32 and round where they store ([`crate::expand`]). So a value that is stored for one reader
//! and recomputed for another differs between the two. Sums do not mind; comparisons do: nothing equals a stored maximum.
//! Therefore every value that a comparison, a sort or a conversion to integers depends on ([`decides`]) is rounded after each op,
//! as the IR says. It is then the same number in every kernel. All other values keep their f32 bits until they are stored.
//!
//! The search for these values ends at contractions, scatters and sums over devices: each of them runs once and from memory.
//! Where ops are rematerialized for the backward pass, those may run twice, so the search goes on through them. It does not for
//! comparisons with a constant, which have no second value to be equal to.

use crate::dtype::kernel_dtype;
use meshloom_ir::layout::Reduction;
use meshloom_ir::table::Class;
use meshloom_ir::table::elem::Sig;
use meshloom_ir::{Def, Func, Op, OpData, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// How far back a decision reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reach {
    /// To the sums that it is made of.
    Sums,
    /// Through them.
    All,
}

/// Whether an op's result is one of its operands (but for the sign) or an integer: rounded already, if they are.
pub fn keeps_rounded(op: &Op) -> bool {
    match op {
        Op::Elem(e) => e.def().keeps,
        Op::Reduce { kind, .. } => matches!(kind, Reduction::Max | Reduction::Min),
        _ => false,
    }
}

/// Whether a value is one number everywhere.
fn constant(func: &Func, v: ValueId) -> bool {
    let mut at = v;
    while let Some(o) = func.def_op(at) {
        match &func.op(o).op {
            Op::Constant { .. } => return true,
            Op::Broadcast { .. } | Op::Convert { .. } | Op::Reshape { .. } => at = func.op(o).operands[0],
            _ => break,
        }
    }
    false
}

/// How far back the decision reaches that an op makes of its operands; `None` of one that makes none.
fn decides(func: &Func, data: &OpData) -> Option<Reach> {
    match &data.op {
        Op::Elem(e) if e.def().step => {
            let alone = e.def().sig == Sig::Test || data.operands.iter().any(|&v| constant(func, v));
            Some(if alone { Reach::Sums } else { Reach::All })
        }
        Op::Convert { to } if !to.is_float() => Some(Reach::All),
        op if op.class() == Class::Sort => Some(Reach::All),
        _ => None,
    }
}

/// Whether an op adds up what others computed, once and from memory.
fn sums(op: &Op) -> bool {
    match op {
        Op::Composite { .. } | Op::Scatter { .. } => true,
        op if matches!(op.class(), Class::Contraction | Class::Scan) => true,
        Op::AllReduce { kind, .. } | Op::ReduceScatter { kind, .. } => *kind == Reduction::Sum,
        _ => false,
    }
}

struct Search<'a> {
    func: &'a Func,
    found: BTreeMap<ValueId, Reach>,
    work: Vec<(ValueId, Reach)>,
}

impl Search<'_> {
    fn see(&mut self, v: ValueId, reach: Reach) {
        let known = self.found.get(&v).is_some_and(|&r| r >= reach);
        if self.func.ty(v).dtype.is_float() && !known {
            self.found.insert(v, reach);
            self.work.push((v, reach));
        }
    }

    /// What `v` is made of.
    fn back(&mut self, v: ValueId, reach: Reach) {
        match self.func.value(v).def {
            Def::Op(o, i) => {
                let data = self.func.op(o);
                if let Op::Repeat { carries, .. } = data.op {
                    self.see(self.func.region(data.regions[0]).yields[i as usize], reach);
                    if (i as usize) < carries {
                        self.see(data.operands[i as usize], reach);
                    }
                } else if !sums(&data.op) || reach == Reach::All {
                    data.operands.iter().for_each(|&x| self.see(x, reach));
                }
            }
            Def::Arg(r, i) => {
                let region = self.func.region(r);
                let Some(data) = region.owner.map(|o| self.func.op(o)) else { return };
                let Op::Repeat { carries, .. } = data.op else { return };
                self.see(data.operands[i as usize], reach);
                if (i as usize) < carries {
                    self.see(region.yields[i as usize], reach);
                }
            }
        }
    }
}

/// Ops that kernels are made of: what a composite means is its kernel's business.
fn ops(func: &Func, region: RegionId, out: &mut Vec<OpId>) {
    for &o in &func.region(region).ops {
        out.push(o);
        if matches!(func.op(o).op, Op::Repeat { .. }) {
            func.op(o).regions.iter().for_each(|&r| ops(func, r, out));
        }
    }
}

/// The values that are rounded wherever they are computed.
pub fn rounded(func: &Func) -> BTreeSet<ValueId> {
    let mut all = Vec::new();
    ops(func, Func::BODY, &mut all);
    let again = all.iter().any(|&o| func.op(o).is_rematerialized());
    let mut s = Search { func, found: BTreeMap::new(), work: Vec::new() };
    for data in all.iter().map(|&o| func.op(o)) {
        if let Some(reach) = decides(func, data) {
            let reach = if again { reach } else { Reach::Sums };
            data.operands.iter().for_each(|&v| s.see(v, reach));
        }
    }
    while let Some((v, reach)) = s.work.pop() {
        s.back(v, reach);
    }
    let narrow = |v: &ValueId| kernel_dtype(func.ty(*v).dtype).is_stored_only();
    s.found.into_keys().filter(narrow).collect()
}
