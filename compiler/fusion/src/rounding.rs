//! Which values are one number, in whichever kernel they are computed.
//!
//! A value that is stored for one reader may be computed again for another. Sums do not mind a difference in the last bit;
//! comparisons do: nothing equals a stored maximum. Elementwise ops round alike in every kernel, since no kernel contracts a
//! product and a sum into one operation. Two things are left, for every value that a comparison, a sort or a conversion to integers
//! depends on ([`decides`]):
//!
//! - Kernels compute 16-bit floats in f32 and round where they store ([`crate::expand`]). Such a value is rounded after each op
//!   instead, as the IR says. All other values keep their f32 bits until they are stored.
//! - Kernels add in orders of their own. A sum on the way to such a value is taken once and stored ([`Rounding::once`]).
//!
//! The search for these values ends at contractions, scatters and sums over devices: each of them runs once and from memory.
//! Where ops are rematerialized for the backward pass, those may run twice, so the search goes on through them. It does not for
//! comparisons with a constant, which have no second value to be equal to; nor are sums stored for them.

use crate::dtype::kernel_dtype;
use meshloom_ir::layout::Reduction;
use meshloom_ir::table::Class;
use meshloom_ir::table::elem::Sig;
use meshloom_ir::{Def, Func, Op, OpData, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// How far back a decision reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reach {
    /// To the sums that it is made of, of a value that is compared with no other.
    Alone,
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
            Some(if alone { Reach::Alone } else { Reach::All })
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

/// What kernels do so that decisions agree.
pub struct Rounding {
    /// Values of 16 bits that are rounded wherever they are computed.
    pub rounded: BTreeSet<ValueId>,
    /// Sums and products over dims that are computed once, and stored.
    pub once: BTreeSet<ValueId>,
}

impl Rounding {
    pub fn of(func: &Func) -> Rounding {
        let mut all = Vec::new();
        ops(func, Func::BODY, &mut all);
        let again = all.iter().any(|&o| func.op(o).is_rematerialized());
        let most = if again { Reach::All } else { Reach::Sums };
        let mut s = Search { func, found: BTreeMap::new(), work: Vec::new() };
        for data in all.iter().map(|&o| func.op(o)) {
            if let Some(reach) = decides(func, data) {
                data.operands.iter().for_each(|&v| s.see(v, reach.min(most)));
            }
        }
        while let Some((v, reach)) = s.work.pop() {
            s.back(v, reach);
        }
        let narrow = |v: &ValueId| kernel_dtype(func.ty(*v).dtype).is_stored_only();
        let adds = |v: ValueId| {
            let op = func.def_op(v).map(|o| &func.op(o).op);
            matches!(op, Some(Op::Reduce { kind: Reduction::Sum | Reduction::Prod, .. }))
        };
        let once = s.found.iter().filter(|x| *x.1 >= Reach::Sums && adds(*x.0)).map(|x| *x.0).collect();
        Rounding { rounded: s.found.into_keys().filter(narrow).collect(), once }
    }
}
