//! Which values must be the same number in every kernel that computes them.
//!
//! A value that is stored for one reader may be computed again inside another reader's kernel, and the two may differ
//! in the last bit. Sums do not mind. Comparisons do: nothing would equal a stored maximum. Elementwise ops round alike
//! in every kernel, since no kernel fuses a multiplication and an addition into one instruction. Two differences are
//! left, and both matter to every value that a comparison, a sort or a conversion to integers depends on ([`decides`]):
//!
//! - Kernels compute 16-bit floats in f32 and round where they store ([`crate::expand`]). A value that a decision
//!   depends on is rounded after each op instead, as the IR says; and so is every value where the caller asks for it
//!   (`--strict-float`), which needs no search.
//! - Each kernel has its own order of summation. A sum that a decision depends on is computed once and stored
//!   ([`Rounding::once`]).
//!
//! The search for these values goes back from the decisions. It ends at contractions, scatters and sums over devices,
//! since each of them runs once and from memory. A second run would be rounded in another way: a library such as cuBLASLt
//! may compute the one and a kernel the other, or each has a layout of its own. So the planner rematerializes none that a
//! comparison depends on ([`decisive_sums`]). In a program that has other rematerialized ops, the search goes on through
//! sums. It ends there all the same for comparisons with a constant, which is the same number everywhere; and sums on the
//! way to such a comparison are not stored.

use meshloom_ir::layout::Reduction;
use meshloom_ir::table::elem::Sig;
use meshloom_ir::{Def, Func, Op, OpData, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// How far the search goes back from a decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reach {
    /// To the nearest sums that a value is computed from. The value is compared with a constant, or with nothing.
    Alone,
    /// To the nearest sums that a value is computed from.
    Sums,
    /// Through those sums to the inputs.
    All,
}

/// Whether a value is a constant: one number everywhere, or an array of numbers that the program states.
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

/// How far the search goes back from an op; `None` if the op decides nothing.
fn decides(func: &Func, data: &OpData) -> Option<Reach> {
    let test = matches!(&data.op, Op::Elem(e) if e.def().sig == Sig::Test);
    let alone = test || data.operands.iter().any(|&v| constant(func, v));
    data.op.decides().then_some(if alone { Reach::Alone } else { Reach::All })
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

    /// Goes on to the values that `v` is computed from.
    fn back(&mut self, v: ValueId, reach: Reach) {
        match self.func.value(v).def {
            Def::Op(o, i) => {
                let data = self.func.op(o);
                if let Op::Repeat { carries, .. } = data.op {
                    self.see(self.func.region(data.regions[0]).yields[i as usize], reach);
                    if (i as usize) < carries {
                        self.see(data.operands[i as usize], reach);
                    }
                } else if !data.op.accumulates() || reach == Reach::All {
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

/// The ops that kernels are made of. A composite's body is not among them: its kernel computes it in one.
fn ops(func: &Func, region: RegionId, out: &mut Vec<OpId>) {
    for &o in &func.region(region).ops {
        out.push(o);
        if matches!(func.op(o).op, Op::Repeat { .. }) {
            func.op(o).regions.iter().for_each(|&r| ops(func, r, out));
        }
    }
}

/// Whether a value is added up from others by the op that makes it.
fn is_sum(func: &Func, v: ValueId) -> bool {
    let reduced = |op: &Op| matches!(op, Op::Reduce { kind: Reduction::Sum | Reduction::Prod, .. });
    func.def_op(v).map(|o| &func.op(o).op).is_some_and(|op| op.accumulates() || reduced(op))
}

/// The sums that comparisons of two values, sorts and conversions to integers depend on, through ops that round alike wherever they
/// run: what must not be computed twice. In a global program or in one that is local.
pub fn decisive_sums(func: &Func) -> BTreeSet<ValueId> {
    let found = reached(func, Reach::Sums);
    let sums = found.into_iter().filter(|&(v, reach)| reach >= Reach::Sums && is_sum(func, v));
    sums.map(|(v, _)| v).collect()
}

/// The floats that decisions depend on, `most` so far back.
fn reached(func: &Func, most: Reach) -> BTreeMap<ValueId, Reach> {
    let mut all = Vec::new();
    ops(func, Func::BODY, &mut all);
    let mut s = Search { func, found: BTreeMap::new(), work: Vec::new() };
    for data in all.iter().map(|&o| func.op(o)) {
        if let Some(reach) = decides(func, data) {
            data.operands.iter().for_each(|&v| s.see(v, reach.min(most)));
        }
    }
    while let Some((v, reach)) = s.work.pop() {
        s.back(v, reach);
    }
    s.found
}

/// What kernels do so that decisions agree.
pub struct Rounding {
    /// 16-bit values that are rounded wherever they are computed.
    pub rounded: BTreeSet<ValueId>,
    /// Sums and products over dims that are computed once and stored.
    pub once: BTreeSet<ValueId>,
}

impl Rounding {
    /// `each`: every op rounds to its type, whether a decision depends on it or not.
    pub fn of(func: &Func, each: bool) -> Rounding {
        let mut all = Vec::new();
        ops(func, Func::BODY, &mut all);
        let rematerialized = all.iter().any(|&o| func.op(o).is_rematerialized());
        let most = if rematerialized { Reach::All } else { Reach::Sums };
        let found = reached(func, most);
        let narrow = |v: &ValueId| func.ty(*v).dtype.is_stored_only();
        let adds = |v: ValueId| {
            let op = func.def_op(v).map(|o| &func.op(o).op);
            matches!(op, Some(Op::Reduce { kind: Reduction::Sum | Reduction::Prod, .. }))
        };
        let once = found.iter().filter(|x| *x.1 >= Reach::Sums && adds(*x.0)).map(|x| *x.0).collect();
        let rounded = match each {
            true => {
                let all = (0..func.values.len()).map(|i| ValueId(i as u32));
                all.filter(|v| func.ty(*v).dtype.is_float() && narrow(v)).collect()
            }
            false => found.into_keys().filter(narrow).collect(),
        };
        Rounding { rounded, once }
    }
}
