//! Two facts about a value, needed before its cotangent is made. Does a parameter reach it? Only then is a cotangent
//! worth making. Is it a parameter, or a rearranged parameter? Then the contraction that makes its gradient is a weight
//! gradient.
//!
//! One forward pass finds both. A repeat is walked until its carries stop changing, which takes at most one walk per
//! carry.

use crate::custom;
use meshloom_ir::{Func, Op, OpId, ValueId};

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fact {
    /// A parameter reaches it through floats.
    pub active: bool,
    /// A parameter, possibly moved or converted, but not computed with.
    pub weight: bool,
}

impl Fact {
    fn or(self, other: Fact) -> Fact {
        Fact { active: self.active || other.active, weight: self.weight || other.weight }
    }
}

/// Facts of the values seen so far; values that the engine makes later have none until [`Facts::visit`] sees them.
#[derive(Default)]
pub struct Facts {
    of: Vec<Fact>,
}

impl Facts {
    /// `trained` are the inputs that get a gradient.
    pub fn of_func(func: &Func, trained: &[usize]) -> Facts {
        let mut facts = Facts::default();
        for (i, &v) in func.body().args.iter().enumerate() {
            let is = func.ty(v).dtype.is_float() && trained.contains(&i);
            facts.set(v, Fact { active: is, weight: is });
        }
        for &o in &func.body().ops {
            facts.visit(func, o);
        }
        facts
    }

    pub fn get(&self, v: ValueId) -> Fact {
        self.of.get(v.index()).copied().unwrap_or_default()
    }

    pub fn set(&mut self, v: ValueId, fact: Fact) {
        if self.of.len() <= v.index() {
            self.of.resize(v.index() + 1, Fact::default());
        }
        self.of[v.index()] = fact;
    }

    /// Derives the facts of an op's results, and of the values of its regions, from those of its operands.
    pub fn visit(&mut self, func: &Func, o: OpId) {
        let data = func.op(o);
        match &data.op {
            Op::Repeat { carries, .. } => self.visit_repeat(func, o, *carries),
            Op::Composite { .. } => {
                let region = func.region(data.regions[0]);
                for (&a, &x) in region.args.iter().zip(&data.operands) {
                    self.set(a, self.get(x));
                }
                for &inner in &region.ops {
                    self.visit(func, inner);
                }
                let by_rule = custom::active(func, data, |x| self.get(x).active);
                for (i, (&r, &y)) in data.results.iter().zip(&region.yields).enumerate() {
                    let active = by_rule.as_ref().map_or(self.get(y).active, |all| all[i]);
                    self.set(r, Fact { active, weight: false });
                }
            }
            op => {
                let any = |f: fn(Fact) -> bool| data.operands.iter().any(|&x| f(self.get(x)));
                let fact = Fact {
                    active: !op.is_flat() && any(|f| f.active) && func.ty(data.results[0]).dtype.is_float(),
                    weight: moves(op) && any(|f| f.weight),
                };
                self.set(data.results[0], fact);
            }
        }
    }

    fn visit_repeat(&mut self, func: &Func, o: OpId, carries: usize) {
        let data = func.op(o);
        let region = func.region(data.regions[0]);
        for (&a, &x) in region.args.iter().zip(&data.operands) {
            self.set(a, self.get(x));
        }
        loop {
            for &inner in &region.ops {
                self.visit(func, inner);
            }
            let mut changed = false;
            for (&a, &y) in region.args.iter().zip(&region.yields).take(carries) {
                // A carry that mixes parameters with other values is no parameter.
                let active = Fact { active: self.get(y).active, weight: false };
                let joined = self.get(a).or(active);
                changed |= joined != self.get(a);
                self.set(a, joined);
            }
            if !changed {
                break;
            }
        }
        for (&r, &y) in data.results.iter().zip(&region.yields) {
            self.set(r, self.get(y));
        }
    }
}

/// Whether the op only moves, repeats or converts elements of its first operand.
pub fn moves(op: &Op) -> bool {
    op.is_view() || matches!(op, Op::Convert { .. })
}
