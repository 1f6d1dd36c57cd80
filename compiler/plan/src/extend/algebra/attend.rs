//! Attention, recognised in programs that come as single ops: `softmax(q k) v` is the composite whose kernel holds no scores, and
//! what reverse differentiation makes of it is the composite of its gradient.
//!
//! Nothing is believed of a pattern. Each step from the ops as they are written to the body of the composite is an equality with a
//! law: the softmax by its log-sum-exp, its gradient put together, `sum (d_out out) = sum (p d_p)`, contractions with their dims in
//! another order. The body repeats the ops of the program (scalings, masks, what is taken out of a row), so what is left is
//! congruence. A step that no proof follows is left out, and with it the composite.
//!
//! The search does not choose between an op of several results and several ops; a composite that is proved replaces what it
//! stands for ([`Algebra::composite`]).
//!
//! What is found is only offered: that a body means what the composite's name says is for the checker to see
//! ([`meshloom_certify::kernels`]), which knows nothing of how it was found. So a mask is taken for causal here if it depends on no
//! input.
//!
//! In a backward loop the pattern reads stashes. Behind each stands the copy of what makes it (`extend/recompute`), as part of the
//! same class, so scores are found from queries and keys as in the forward loop; the composite of the forward pass stands there
//! again, for its log-sum-exp.
//!
//! Not here: attention of 16-bit types, whose ops convert in between; masks that depend on inputs; keys shared by heads.

use super::graph::Algebra;
use super::{Rule, law};
use crate::extend::RECOGNITION;
use meshloom_certify::kernels::UNSEEN;
use meshloom_ir::op::Attr;
use meshloom_ir::{
    Builder, Def, Einsum, Func, Literal, Op, OpData, OpId, Port, Reduction, RegionId, Role, TensorType, ValueId,
};
use std::collections::BTreeMap;

pub const RULES: &[Rule] = &[Rule {
    name: RECOGNITION,
    about: "softmax(q k) v is the composite `attention`, and its gradient `attention_grad`, which hold no scores",
    reassociates: true,
    apply: recognise,
}];

/// Batch, head, queries, keys: the dims of scores.
const SCORES: &str = "bhst";
/// Scalings and masks between a contraction and its softmax, at most.
const STEPS: usize = 4;
/// Ops inside each other that make a mask, at most.
const MASK: usize = 16;
/// Ops of a body, at most.
const BODY: usize = 64;

/// Whether a loop has exponentials that could be those of scores.
pub fn concerns(func: &Func) -> bool {
    func.ops.iter().any(|d| {
        let inside = func.region(d.parent).owner.is_some_and(|o| matches!(func.op(o).op, Op::Repeat { .. }));
        let exponential = matches!(&d.op, Op::Elem(e) if e.def().name == "exponential");
        inside && exponential && func.ty(d.results[0]).rank() == SCORES.len()
    })
}

fn recognise(a: &mut Algebra<'_>, o: OpId) {
    let Op::DotGeneral(e) = a.op(o).op.clone() else { return };
    if e.to.is_some() {
        return;
    }
    for i in 0..2 {
        let p = a.op(o).operands[i];
        let Some(softmax) = Softmax::of(a, o, p) else { continue };
        if !a.first(RECOGNITION, o, softmax.quotient) {
            continue;
        }
        // Its dims are those of the scores, in their order.
        let mut names: BTreeMap<char, char> = e.operands[i].iter().copied().zip(SCORES.chars()).collect();
        let other: Vec<char> = e.operands[1 - i].clone();
        let new: Vec<char> = other.iter().copied().filter(|c| !names.contains_key(c)).collect();
        if let [own] = new[..] {
            names.insert(own, 'e');
            let read = |letters: &[char]| letters.iter().map(|c| names[c]).collect::<String>();
            let (other, result) = (read(&other), read(&e.result));
            let x = a.op(o).operands[1 - i];
            match (sorted(&other).as_str(), sorted(&result).as_str()) {
                ("beht", "behs") => {
                    forward(a, o, &softmax, x, &other, &result);
                }
                ("behs", "beht") => {
                    gradient(a, o, &softmax, x, &other, &result);
                }
                _ => {}
            }
        }
    }
}

fn sorted(letters: &str) -> String {
    let mut all: Vec<char> = letters.chars().collect();
    all.sort_unstable();
    all.into_iter().collect()
}

/// A softmax over the scores of queries and keys.
struct Softmax {
    /// The division, and what it gives.
    quotient: OpId,
    p: ValueId,
    e: ValueId,
    scores: ValueId,
    /// By row: what is taken out, and the sum of exponentials.
    top: ValueId,
    sum: ValueId,
    /// The contraction of queries and keys, its operands with their dims, queries first.
    dot: OpId,
    q: (ValueId, String),
    k: (ValueId, String),
    scale: f64,
    causal: bool,
    /// By which op each of these comes about, where there are several.
    by: Vec<(ValueId, OpId)>,
}

impl Softmax {
    /// That which gives `p` in the region of `at`.
    fn of(a: &Algebra<'_>, at: OpId, p: ValueId) -> Option<Softmax> {
        let shape = a.shape(p);
        if shape.len() != SCORES.len() || !a.ty(p).dtype.is_float() {
            return None;
        }
        a.definitions(p).into_iter().find_map(|d| {
            let [e, below] = elem(a, d, "divide")?[..] else { return None };
            let sums = |m: &OpData| match &m.op {
                Op::Reduce { kind: Reduction::Sum, dims } => {
                    (dims[..] == [3] && a.same(m.operands[0], e)).then_some(())
                }
                _ => None,
            };
            let (sum, total) = rows(a, below).into_iter().find_map(|x| {
                let mut all = a.definitions(x).into_iter();
                Some((x, all.find(|&m| sums(a.op(m)).is_some())?))
            })?;
            let (scores, top, by) = a.definitions(e).into_iter().find_map(|m| {
                let [x] = elem(a, m, "exponential")?[..] else { return None };
                a.definitions(x).into_iter().find_map(|n| {
                    let [scores, top] = elem(a, n, "subtract")?[..] else { return None };
                    Some((scores, *rows(a, top).last()?, vec![(e, m), (x, n), (sum, total)]))
                })
            })?;
            let mut s = Softmax {
                quotient: d,
                p,
                e,
                scores,
                top,
                sum,
                dot: d,
                q: (p, String::new()),
                k: (p, String::new()),
                scale: 1.0,
                causal: false,
                by,
            };
            (s.read(a, scores, 0)? && a.op(s.dot).parent == a.op(at).parent).then_some(s)
        })
    }

    /// Goes from the scores to the contraction that they come from.
    fn read(&mut self, a: &Algebra<'_>, v: ValueId, depth: usize) -> Option<bool> {
        if depth > STEPS {
            return None;
        }
        for d in a.definitions(v) {
            let data = a.op(d);
            let within = self.by.len();
            self.by.push((v, d));
            match &data.op {
                Op::DotGeneral(e) if e.to.is_none() => {
                    let names: BTreeMap<char, char> = e.result.iter().copied().zip(SCORES.chars()).collect();
                    let read = |i: usize| -> String {
                        e.operands[i].iter().map(|c| names.get(c).copied().unwrap_or('d')).collect()
                    };
                    let (x, y) = ((data.operands[0], read(0)), (data.operands[1], read(1)));
                    let (q, k) = if x.1.contains('s') { (x, y) } else { (y, x) };
                    if sorted(&q.1) == "bdhs" && sorted(&k.1) == "bdht" {
                        (self.dot, self.q, self.k) = (d, q, k);
                        return Some(true);
                    }
                }
                Op::Elem(e) => match (e.def().name, &data.operands[..]) {
                    ("multiply", &[x, y]) => {
                        let (x, by) = if number(a, y).is_some() { (x, y) } else { (y, x) };
                        if let Some(n) = number(a, by) {
                            self.scale *= n;
                            return self.read(a, x, depth + 1);
                        }
                    }
                    ("divide", &[x, y]) => {
                        if let Some(n) = number(a, y) {
                            self.scale /= n;
                            return self.read(a, x, depth + 1);
                        }
                    }
                    // What a query does not see is so far below that its exponential is 0.
                    ("select", &[mask, x, low]) if number(a, low).is_some_and(|n| n <= UNSEEN) && fixed(a, mask, 0) => {
                        self.causal = true;
                        return self.read(a, x, depth + 1);
                    }
                    _ => {}
                },
                _ => {}
            }
            self.by.truncate(within);
        }
        None
    }
}

/// The operands of an elementwise op of this name.
fn elem(a: &Algebra<'_>, o: OpId, name: &str) -> Option<Vec<ValueId>> {
    let d = a.op(o);
    matches!(&d.op, Op::Elem(e) if e.def().name == name).then(|| d.operands.clone())
}

fn number(a: &Algebra<'_>, v: ValueId) -> Option<f64> {
    let v = outside(a, v);
    if let Some(Literal::Splat(s)) = a.splat(v) {
        return Some(s.as_f64());
    }
    a.definitions(v).into_iter().find_map(|d| match (&a.op(d).op, &a.op(d).operands[..]) {
        (Op::Broadcast { .. }, &[x]) if a.shape(x).is_empty() => number(a, x),
        (Op::Elem(e), &[x]) if e.def().name == "sqrt" && a.shape(x).is_empty() => number(a, x).map(f64::sqrt),
        _ => None,
    })
}

/// What a value is outside of the loops that are given it as it is.
fn outside(a: &Algebra<'_>, mut v: ValueId) -> ValueId {
    let func = a.func();
    while let Def::Arg(r, i) = func.value(v).def
        && let Some(data) = func.region(r).owner.map(|o| func.op(o))
        && let Op::Repeat { carries, xs, .. } = data.op
        && i as usize >= carries + xs
    {
        v = data.operands[i as usize];
    }
    v
}

/// Whether `v` depends on no input.
fn fixed(a: &Algebra<'_>, v: ValueId, depth: usize) -> bool {
    let v = outside(a, v);
    let made = |d: OpId| a.op(d).operands.iter().all(|&x| fixed(a, x, depth + 1));
    depth < MASK && a.definitions(v).into_iter().min().is_some_and(made)
}

/// What stands by row in `v`, whose last dim repeats it: each way to have it, the nearest first.
fn rows(a: &Algebra<'_>, v: ValueId) -> Vec<ValueId> {
    let shape = a.shape(v).to_vec();
    let row = &shape[..shape.len() - 1];
    let in_order = |dims: &[usize]| dims.iter().enumerate().all(|(i, &d)| i == d);
    // A row, or one with a dim of size 1 behind it.
    let fits = |s: &[u64]| s == row || s.split_last().is_some_and(|(&n, s)| n == 1 && s == row);
    let mut found = vec![v];
    let mut at = 0;
    while at < found.len() && found.len() < 2 * STEPS {
        for d in a.definitions(found[at]) {
            let data = a.op(d);
            let moves = match &data.op {
                Op::Broadcast { dims, .. } => in_order(dims),
                Op::Reshape { .. } => true,
                _ => false,
            };
            if moves && fits(a.shape(data.operands[0])) && !found.contains(&data.operands[0]) {
                found.push(data.operands[0]);
            }
        }
        at += 1;
    }
    found.retain(|&x| a.shape(x) == row);
    found
}

/// `x`, whose dims are `from`, with its dims in the order `to`.
fn turned(a: &mut Algebra<'_>, at: OpId, x: ValueId, from: &str, to: &str) -> Option<ValueId> {
    let perm = to.chars().map(|c| from.find(c)).collect::<Option<Vec<usize>>>()?;
    a.make(at, Op::Transpose { perm }, &[x])
}

fn dot(a: &mut Algebra<'_>, at: OpId, spec: [&str; 3], x: ValueId, y: ValueId) -> Option<ValueId> {
    let [x_dims, y_dims, out] = spec.map(|s| s.chars().collect::<Vec<char>>());
    a.make(at, Op::DotGeneral(Einsum::new(vec![x_dims, y_dims], out)), &[x, y])
}

fn wide(a: &mut Algebra<'_>, at: OpId, row: ValueId, like: ValueId) -> Option<ValueId> {
    a.make(at, Op::Broadcast { shape: a.shape(like).to_vec(), dims: vec![0, 1, 2] }, &[row])
}

fn make(a: &mut Algebra<'_>, at: OpId, name: &str, operands: &[ValueId]) -> Option<ValueId> {
    a.make(at, Op::elem(name)?, operands)
}

fn row_sums(a: &mut Algebra<'_>, at: OpId, x: ValueId) -> Option<ValueId> {
    a.make(at, Op::Reduce { kind: Reduction::Sum, dims: vec![3] }, &[x])
}

/// An attention as a composite, and what of it the gradient goes by.
struct Attention {
    q: ValueId,
    k: ValueId,
    v: ValueId,
    /// The probabilities by their log-sum-exp.
    p: ValueId,
    /// Of queries and keys as the composite has them.
    product: ValueId,
    log_sum: ValueId,
    out: ValueId,
}

/// `o` contracts the softmax with the values `x`.
fn forward(a: &mut Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str, result: &str) -> Option<()> {
    let v = turned(a, o, x, x_dims, "bhte")?;
    let found = attention(a, o, s, v)?;
    let back = turned(a, o, found.out, "bhse", result)?;
    a.equate(o, Some(back), law::DIMS);
    Some(())
}

/// The composite for a softmax and values, beside `at`.
fn attention(a: &mut Algebra<'_>, at: OpId, s: &Softmax, v: ValueId) -> Option<Attention> {
    let q = turned(a, at, s.q.0, &s.q.1, "bhsd")?;
    let k = turned(a, at, s.k.0, &s.k.1, "bhtd")?;
    if a.shape(q)[3] != a.shape(v)[3] {
        return None;
    }
    let product = dot(a, at, ["bhsd", "bhtd", SCORES], q, k)?;
    a.equate(s.dot, Some(product), law::DIMS);
    let log = make(a, at, "log", &[s.sum])?;
    let log_sum = make(a, at, "add", &[log, s.top])?;
    let below = wide(a, at, log_sum, s.scores)?;
    let shifted = make(a, at, "subtract", &[s.scores, below])?;
    let p = make(a, at, "exponential", &[shifted])?;
    a.equate(s.quotient, Some(p), law::EXPONENTIAL);
    let out = dot(a, at, [SCORES, "bhte", "bhse"], p, v)?;
    let found = Attention { q, k, v, p, product, log_sum, out };
    if !a.composed(out) {
        let by = found.by(a, s)?;
        let body = body(a, &[q, k, v], &[out, log_sum], &by)?;
        a.composite(at, "attention", attributes(s), body);
    }
    Some(found)
}

fn attributes(s: &Softmax) -> BTreeMap<String, Attr> {
    [("causal".to_string(), Attr::Bool(s.causal)), ("scale".to_string(), Attr::Float(s.scale.to_bits()))].into()
}

impl Attention {
    /// By which ops its body is computed: the product as the composite has it.
    fn by(&self, a: &Algebra<'_>, s: &Softmax) -> Option<Vec<(ValueId, OpId)>> {
        let product = (self.product, a.func().def_op(self.product)?);
        Some([product].into_iter().chain(s.by.iter().copied()).collect())
    }
}

/// What a composite computes: from `inputs`, by `ops` in order, `outputs`. Values of the program stand for those of the body.
pub struct Body {
    pub inputs: Vec<ValueId>,
    types: Vec<TensorType>,
    /// A value of the program, and the op that computes it from others.
    pub ops: Vec<(ValueId, Op, Vec<ValueId>)>,
    pub outputs: Vec<ValueId>,
}

impl Body {
    /// A composite that computes this of `operands`. `same` says which values of the program are one tensor.
    pub fn write(
        &self,
        b: &mut Builder,
        (name, attrs): (&str, &BTreeMap<String, Attr>),
        operands: &[ValueId],
        same: &dyn Fn(ValueId, ValueId) -> bool,
    ) -> Option<Vec<ValueId>> {
        let inside = b.open();
        let yields = self.ops(b, inside, same);
        let inside = b.close(yields.clone().unwrap_or_default());
        yields.and_then(|_| b.composite(name, attrs.clone(), operands, inside).ok())
    }

    fn ops(&self, b: &mut Builder, inside: RegionId, same: &dyn Fn(ValueId, ValueId) -> bool) -> Option<Vec<ValueId>> {
        // What values of the program are in the body.
        let mut here: Vec<(ValueId, ValueId)> = Vec::new();
        for (&v, ty) in self.inputs.iter().zip(&self.types) {
            here.push((v, b.arg(inside, ty.clone())));
        }
        let of = |here: &[(ValueId, ValueId)], v: ValueId| here.iter().find(|(w, _)| same(*w, v)).map(|x| x.1);
        for (v, op, operands) in &self.ops {
            let operands = operands.iter().map(|&x| of(&here, x)).collect::<Option<Vec<_>>>()?;
            here.push((*v, b.emit(op.clone(), &operands).ok()?));
        }
        self.outputs.iter().map(|&v| of(&here, v)).collect()
    }

    /// Whether a composite of this body is what its name says.
    pub fn means(
        &self,
        func: &Func,
        named: (&str, &BTreeMap<String, Attr>),
        same: &dyn Fn(ValueId, ValueId) -> bool,
    ) -> bool {
        let mut b = Builder::new("", func.mesh.clone());
        let outer = self.types.iter().map(|ty| b.input(ty.clone(), Port::new("", Role::Input, ty.rank())));
        let outer: Vec<ValueId> = outer.collect();
        let made = self.write(&mut b, named, &outer, same);
        let func = b.finish();
        let o = made.and_then(|v| func.def_op(*v.first()?));
        o.is_some_and(|o| meshloom_certify::kernels::check(&func, 0, o).is_ok())
    }
}

/// Follows `outputs` down to `inputs` and to what comes from nothing. `by` says by which op a value is computed, where there are
/// several.
fn body(a: &Algebra<'_>, inputs: &[ValueId], outputs: &[ValueId], by: &[(ValueId, OpId)]) -> Option<Body> {
    let types = inputs.iter().map(|&v| a.ty(v).clone()).collect();
    let mut out = Body { inputs: inputs.to_vec(), types, ops: Vec::new(), outputs: outputs.to_vec() };
    for &v in outputs {
        visit(a, v, by, &mut out, 0)?;
    }
    Some(out)
}

fn visit(a: &Algebra<'_>, v: ValueId, by: &[(ValueId, OpId)], out: &mut Body, depth: usize) -> Option<()> {
    let v = outside(a, v);
    if out.inputs.iter().chain(out.ops.iter().map(|x| &x.0)).any(|&x| a.same(x, v)) {
        return Some(());
    }
    if depth > BODY || out.ops.len() > BODY {
        return None;
    }
    let known = by.iter().find(|(of, _)| a.same(*of, v)).map(|x| x.1);
    let own = a.func().def_op(v).filter(|&o| a.op(o).regions.is_empty());
    let o = known.or(own).or_else(|| a.definitions(v).into_iter().min())?;
    let operands: Vec<ValueId> = a.op(o).operands.iter().map(|&x| outside(a, x)).collect();
    for &x in &operands {
        visit(a, x, by, out, depth + 1)?;
    }
    out.ops.push((v, a.op(o).op.clone(), operands));
    Some(())
}

/// `o` contracts the softmax with the gradient of the attention's result, `x`, over queries: the gradient of values.
fn gradient(a: &mut Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str, result: &str) -> Option<()> {
    let region = a.op(o).parent;
    let (d_p, v, v_dims) = a.readers(x).into_iter().filter(|&r| a.op(r).parent == region).find_map(|r| {
        let (other, dims, to) = contraction(a, r, x, x_dims)?;
        (to == SCORES && sorted(&dims) == "beht").then_some((r, other, dims))
    })?;
    // Both read the gradient of the scores, which is scaled and masked as the scores are.
    let of = |a: &Algebra<'_>, y: &(ValueId, String), from: &str| -> Vec<(OpId, ValueId, String)> {
        let here = a.readers(y.0).into_iter().filter(|&r| a.op(r).parent == region);
        let all = here.filter_map(|r| {
            let (other, dims, to) = contraction(a, r, y.0, &y.1)?;
            (dims == SCORES && sorted(&to) == from).then_some((r, other, to))
        });
        all.collect()
    };
    let (for_q, for_k) = (of(a, &s.k, "bdhs"), of(a, &s.q, "bdht"));
    let (d_q, d_scores, q_dims, d_k, k_dims) = for_q.into_iter().find_map(|(d_q, x, q_dims)| {
        let (d_k, _, k_dims) = for_k.iter().find(|(_, y, _)| a.same(x, *y))?;
        Some((d_q, x, q_dims, *d_k, k_dims.clone()))
    })?;
    let mut steps = Vec::new();
    let inner = unscaled(a, s, d_scores, &mut steps)?;

    let v = turned(a, o, v, &v_dims, "bhte")?;
    let found = attention(a, o, s, v)?;
    let d_out = turned(a, o, x, x_dims, "bhse")?;
    let dp = dot(a, o, ["bhse", "bhte", SCORES], d_out, v)?;
    a.equate(d_p, Some(dp), law::DIMS);
    // As the program has it, put together; then with the row sums from what is smaller.
    let both = make(a, o, "multiply", &[s.p, dp])?;
    let sums = row_sums(a, o, both)?;
    let below = wide(a, o, sums, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let whole = make(a, o, "multiply", &[s.p, centred])?;
    a.equate(inner, Some(whole), law::QUOTIENT);
    let both = make(a, o, "multiply", &[d_out, found.out])?;
    let small = row_sums(a, o, both)?;
    a.equate(a.func().def_op(sums)?, Some(small), law::ORDER);
    let below = wide(a, o, small, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let ds = make(a, o, "multiply", &[found.p, centred])?;
    a.equate(inner, Some(ds), law::CONGRUENCE);

    let dq = dot(a, o, [SCORES, "bhtd", "bhsd"], d_scores, found.k)?;
    let dk = dot(a, o, [SCORES, "bhsd", "bhtd"], d_scores, found.q)?;
    let dv = dot(a, o, [SCORES, "bhse", "bhte"], found.p, d_out)?;
    for (op, canonical, from, to) in
        [(d_q, dq, "bhsd", q_dims.as_str()), (d_k, dk, "bhtd", k_dims.as_str()), (o, dv, "bhte", result)]
    {
        let back = turned(a, o, canonical, from, to);
        a.equate(op, back, law::DIMS);
    }
    if !a.composed(dq) {
        let inputs = [found.q, found.k, found.v, found.out, found.log_sum, d_out];
        let mut by = found.by(a, s)?;
        for v in [ds, small, found.p] {
            by.push((v, a.func().def_op(v)?));
        }
        by.extend(steps);
        let body = body(a, &inputs, &[dq, dk, dv], &by)?;
        a.composite(o, "attention_grad", attributes(s), body);
    }
    Some(())
}

/// What contraction `r` reads beside `x`, whose dims have these names: the other operand, its dims, and the result's. Dims that `x`
/// has not are those of a head's elements, or the one of scores that is missing.
fn contraction(a: &Algebra<'_>, r: OpId, x: ValueId, x_dims: &str) -> Option<(ValueId, String, String)> {
    let d = a.op(r);
    let Op::DotGeneral(e) = &d.op else { return None };
    let i = d.operands.iter().position(|&y| a.same(x, y)).filter(|_| e.to.is_none())?;
    let mut names: BTreeMap<char, char> = e.operands[i].iter().copied().zip(x_dims.chars()).collect();
    let new: Vec<char> = e.operands[1 - i].iter().copied().filter(|c| !names.contains_key(c)).collect();
    let [own] = new[..] else { return None };
    names.insert(own, ['s', 't'].into_iter().find(|c| !x_dims.contains(*c))?);
    let read = |letters: &[char]| letters.iter().map(|c| names.get(c)).collect::<Option<String>>();
    Some((d.operands[1 - i], read(&e.operands[1 - i])?, read(&e.result)?))
}

/// The product with the softmax or its exponentials that `v` is a scaling and a mask of; by which ops, in `steps`.
fn unscaled(a: &Algebra<'_>, s: &Softmax, v: ValueId, steps: &mut Vec<(ValueId, OpId)>) -> Option<OpId> {
    if steps.len() > STEPS {
        return None;
    }
    a.definitions(v).into_iter().find_map(|d| {
        let Op::Elem(e) = &a.op(d).op else { return None };
        let next = match (e.def().name, &a.op(d).operands[..]) {
            ("multiply", &[x, y]) => {
                let softmax = |v: ValueId| a.same(v, s.p) || a.same(v, s.e);
                if softmax(x) || softmax(y) {
                    return Some(d);
                }
                let (x, by) = if number(a, y).is_some() { (x, y) } else { (y, x) };
                number(a, by).map(|_| x)
            }
            ("divide", &[x, y]) => number(a, y).map(|_| x),
            ("select", &[mask, x, zero]) if number(a, zero) == Some(0.0) && fixed(a, mask, 0) => Some(x),
            _ => None,
        }?;
        steps.push((v, d));
        let found = unscaled(a, s, next, steps);
        if found.is_none() {
            steps.pop();
        }
        found
    })
}
