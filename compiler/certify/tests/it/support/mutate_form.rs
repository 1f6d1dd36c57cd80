//! Ways to break a rewritten program. Each changes the form and then makes a new random plan from the changed form,
//! believing all that the form says. So the local program, its claims and its steps fit the wrong form exactly, and
//! only the check of the form itself can tell.

use super::dice::{self, Plan};
use super::rewrite::Rewritten;
use super::{Rng, perturb};
use meshloom_certify::{Classes, Equal, Form, check, laws};
use meshloom_ir::*;

pub struct Broken {
    pub kind: &'static str,
    pub plan: Plan,
}

impl Broken {
    /// That the checker refuses it and names an op: of the form where that is wrong, of the local program where it no longer
    /// proves what it claims. `None` if it is accepted.
    pub fn refusal(&self) -> Option<Result<(), String>> {
        let why = check(&self.plan.global, &self.plan.local, &self.plan.cert).err()?;
        let named = why.iter().any(|r| (r.form.is_some() || r.op.is_some()) && !r.text.is_empty());
        // Only the program as a whole and its inputs are no op's.
        let whole = why.iter().all(|r| r.message.contains("rewritten program") || r.message.starts_with('%'));
        Some(if named || whole { Ok(()) } else { Err(format!("{}: names no op: {}", self.kind, why[0])) })
    }
}

/// A plan of the form that takes it at its word; `None` where the form is not even a program.
fn believed(global: &Func, form: &Form, seed: u64) -> Option<Plan> {
    verify::verify(&form.func).ok()?;
    let mut classes = Classes::new(&form.func);
    for e in &form.equal {
        classes.unite(e.a, e.b);
    }
    Some(dice::believing(global, form, &classes, seed))
}

/// Mutants of a rewritten program.
pub fn all(p: &Rewritten, seed: u64) -> Vec<Broken> {
    let mut m = Mutants { p, seed, rng: Rng::new(seed), out: Vec::new() };
    m.added_ops();
    m.laws();
    m.other_tensors();
    m.structure();
    m.out
}

/// The recomputation of [`super::rewrite::recomputed`], reading what it must not.
pub fn recomputations(p: &Rewritten, seed: u64) -> Vec<Broken> {
    let mut m = Mutants { p, seed, rng: Rng::new(seed), out: Vec::new() };
    let given = p.global.ops.len();
    let back = p.form.func.op(OpId(given as u32)).parent;
    // Arguments of the backward body: carry, two weights, and stashes of what enters, of tanh, and of what leaves.
    let args = p.form.func.region(back).args.clone();
    let [carry, w, v, enters, _, leaves, _] = args[..] else { unreachable!("the arguments of `recomputed`") };
    for (kind, from, to) in [
        ("recomputes from the next iteration", enters, leaves),
        ("recomputes from the gradient that is carried", enters, carry),
        ("recomputes from another stack", w, v),
        ("recomputes from another stack", v, w),
    ] {
        m.form(kind, |f| {
            for data in &mut f.func.ops[given..] {
                data.operands.iter_mut().filter(|x| **x == from).for_each(|x| *x = to);
            }
        });
    }
    m.out
}

struct Mutants<'a> {
    p: &'a Rewritten,
    seed: u64,
    rng: Rng,
    out: Vec<Broken>,
}

impl Mutants<'_> {
    fn form(&mut self, kind: &'static str, change: impl FnOnce(&mut Form)) {
        let mut form = self.p.form.clone();
        change(&mut form);
        if form == self.p.form {
            return;
        }
        // One cannot believe that tensors of two types are equal.
        if form.equal.iter().any(|e| form.func.ty(e.a) != form.func.ty(e.b)) {
            self.form_alone(kind, |f| *f = form);
        } else if let Some(plan) = believed(&self.p.global, &form, self.seed) {
            self.out.push(Broken { kind, plan });
        }
    }

    /// The form changed, with the local program that the right one has.
    fn form_alone(&mut self, kind: &'static str, change: impl FnOnce(&mut Form)) {
        let mut plan = dice::rewritten(&self.p.global, &self.p.form, self.seed);
        let form = plan.cert.form.as_mut().expect("a form");
        change(form);
        if *form != self.p.form {
            self.out.push(Broken { kind, plan });
        }
    }

    /// Ops that were added compute something else than is said of them.
    fn added_ops(&mut self) {
        let given = self.p.global.ops.len();
        for o in given..self.p.form.func.ops.len() {
            for _ in 0..4 {
                if let Some(func) = perturb::of(&self.p.form.func, OpId(o as u32), &mut self.rng) {
                    self.form("an added op is another one", |f| f.func = func);
                }
            }
        }
    }

    fn laws(&mut self) {
        for i in 0..self.p.form.equal.len() {
            let names: Vec<&str> = laws::all().map(|l| l.name).chain([laws::CONGRUENCE, laws::ITERATION]).collect();
            let other = self.rng.pick(&names);
            self.form("another law", |f| f.equal[i].law = other.into());
            self.form("a law that nobody knows", |f| f.equal[i].law = "because".into());
            // Without it, what reads the one where the other was claimed is no longer right.
            self.form_alone("an equality left out", |f| {
                f.equal.remove(i);
            });
        }
    }

    /// Two tensors of one type and region that nothing makes equal.
    fn other_tensors(&mut self) {
        let func = &self.p.form.func;
        let classes = dice::rewritten(&self.p.global, &self.p.form, self.seed).classes();
        let region = |v: ValueId| match func.value(v).def {
            Def::Op(o, _) => func.op(o).parent,
            Def::Arg(r, _) => r,
        };
        let values: Vec<ValueId> = (0..func.values.len() as u32).map(ValueId).collect();
        let mut pairs = Vec::new();
        for &a in &values {
            let others = values.iter().filter(|&&b| a < b && region(a) == region(b) && func.ty(a) == func.ty(b));
            pairs.extend(others.filter(|&&b| !classes.same(a, b)).map(|&b| (a, b)));
        }
        self.rng.shuffle(&mut pairs);
        for (a, b) in pairs.into_iter().take(6) {
            let names: Vec<&str> = laws::all().map(|l| l.name).chain([laws::CONGRUENCE, laws::ITERATION]).collect();
            let law = self.rng.pick(&names);
            self.form("different tensors said to be equal", |f| f.equal.push(Equal { a, b, law: law.into() }));
        }
    }

    /// A form that does not start with the program that is given.
    fn structure(&mut self) {
        let given = self.p.global.clone();
        for _ in 0..4 {
            if let Some(changed) = perturb::one(&given, &mut self.rng) {
                let o = (0..given.ops.len()).find(|&o| changed.ops[o] != given.ops[o]).expect("a change");
                self.form("an op of the program is another one", |f| {
                    f.func.ops[o] = changed.ops[o].clone();
                    for &v in &changed.ops[o].results {
                        f.func.values[v.index()].ty = changed.ty(v).clone();
                    }
                });
            }
        }
        let yields = given.body().yields.clone();
        for i in 1..yields.len() {
            if given.ty(yields[0]) == given.ty(yields[i]) && yields[0] != yields[i] {
                self.form("outputs of the program swapped", |f| f.func.regions[0].yields.swap(0, i));
            }
        }
        for r in 1..given.regions.len() {
            let yields = &given.regions[r].yields;
            let twin =
                (1..yields.len()).find(|&i| given.ty(yields[0]) == given.ty(yields[i]) && yields[0] != yields[i]);
            if let Some(i) = twin {
                self.form("a body of the program yields otherwise", |f| f.func.regions[r].yields.swap(0, i));
            }
        }
        if let Some(o) = given.body().ops.iter().position(|&o| given.op(o).regions.is_empty()) {
            self.form_alone("an op of the program left out", |f| {
                f.func.regions[0].ops.remove(o);
            });
        }
        self.form("an annotation of the program taken away", |f| {
            for port in f.func.inputs.iter_mut().chain(&mut f.func.outputs) {
                port.constraint = Constraint::absent(port.constraint.dims.len());
            }
        });
        self.form_alone("a collective in the form", |f| {
            let v = f.func.body().args[0];
            let mut b = Builder::resume(std::mem::replace(&mut f.func, Func::new("", Mesh::default())));
            b.op(Op::AllReduce { axes: vec![Axis(0)], kind: Reduction::Sum }, &[v]);
            f.func = b.finish();
        });
    }
}
