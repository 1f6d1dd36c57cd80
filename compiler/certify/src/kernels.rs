//! What the names of composites promise. A composite is proved by its body, but the kernel that runs is chosen by name,
//! attributes and shapes. Composites of the given program are what its front end made them. A composite that a form
//! adds must mean what its name says: otherwise the proof would be about one program, and another one would run. (A
//! copy of a composite of the given program does mean it.)
//!
//! The meaning is compared in real numbers, with one exception that the library makes too: a score of at most
//! [`UNSEEN`] is masked, and its exponential is 0 beside those of the row's other scores. With a causal mask, each
//! query sees the key at its own position or the first key, so no row is fully masked.
//!
//! Operands of 16 bits are widened to f32 before queries meet keys, and a body may round probabilities to the operands'
//! type before these meet values. There a kernel may differ from the body by a rounding: it may keep probabilities in
//! f32, or round them before they are divided by their sum. Operands of 32 bits and more are never rounded.
//!
//! The gradient subtracts from each row what all of its weights have in common, `sum (d_out out) = sum (p d_p)`. With
//! roundings in between, the two sums are only nearly equal. A body in 16 bits may have either; kernels have the first.
//! If the body has the second, nothing that it computes depends on `out`. Then the operand `out` must be the result of
//! the attention of the same queries, keys and values. The body must also name it, as
//! `select(false, sum (d_out out), sum (p d_p))`, so that it is split as the others are.
//!
//! A gradient may mask scores, or the probabilities that come of them.
//!
//! Not here: composites with windows or segments, which no form adds.

use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Attention, Pass, named};
use meshloom_ir::{Arithmetic, Comparison, DType, Func, Literal, Op, OpData, OpId, Reduction, ValueId};
use std::collections::BTreeMap;

/// The largest number with which masks replace scores out of sight. The library uses this one.
pub const UNSEEN: f64 = -1e9;
/// The number of nested ops that are followed.
const DEPTH: usize = 16;

/// Checks that composite `o` means what its name and attributes say, and that it has the right operands. A form adds
/// `o` to a program with `given` ops.
///
/// # Errors
/// What the composite does instead.
pub fn check(func: &Func, given: usize, o: OpId) -> Result<(), String> {
    let data = func.op(o);
    let Op::Composite { name, attrs } = &data.op else { return Ok(()) };
    if (0..given.min(o.index())).any(|g| func.ops[g].op == data.op && same_body(func, &func.ops[g], data)) {
        return Ok(());
    }
    let known = body(func, data, name, attrs)?;
    if known.sums == Sums::OfWeights && !has_result(func, data) {
        return Err(format!("is given as a result what no attention of the operands of this `{name}` gives"));
    }
    Ok(())
}

/// Checks that the body of composite `o` means what its name and attributes say, whatever its operands are.
///
/// # Errors
/// What the body does instead.
pub fn check_body(func: &Func, o: OpId) -> Result<(), String> {
    let data = func.op(o);
    let Op::Composite { name, attrs } = &data.op else { return Ok(()) };
    body(func, data, name, attrs).map(|_| ())
}

/// Whether the fourth operand is the result of the forward composite on the first three.
fn has_result(func: &Func, data: &OpData) -> bool {
    let Op::Composite { name, attrs } = &data.op else { return false };
    let forward = func.def_op(data.operands[3]).map(|o| func.op(o));
    forward.is_some_and(|f| {
        let of = matches!(&f.op, Op::Composite { name: n, attrs: a }
            if named(name).is_some_and(|(c, pass)| pass == Pass::Backward && c.name == n) && a == attrs);
        of && f.results[0] == data.operands[3] && f.operands[..] == data.operands[..3]
    })
}

/// What attention a composite is, given by its body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Meaning {
    pub form: &'static Attention,
    pub pass: Pass,
    pub scale: f64,
    pub causal: bool,
}

/// The attention that the body of a composite computes, if it is that of the composite's name and no attribute says otherwise. A
/// scale that is not said is one over the root of the elements of a head. `None` also where exponentials may overflow: a law is
/// about what is computed, too.
pub(crate) fn meaning(func: &Func, data: &OpData) -> Option<Meaning> {
    let Op::Composite { name, attrs } = &data.op else { return None };
    let (form, pass) = named(name)?;
    let known = computed(func, data, form, pass)?;
    let said = attrs.iter().all(|(key, value)| match (key.as_str(), value) {
        ("causal", Attr::Bool(causal)) => *causal == known.causal,
        ("scale", Attr::Float(bits)) => close(f64::from_bits(*bits), known.scale),
        ("window" | "segments" | "query_segments" | "key_segments", Attr::Int(n)) => *n == 0,
        _ => false,
    });
    let head = *func.ty(*data.operands.first()?).shape.last()? as f64;
    let usual = attrs.contains_key("scale") || close(head.sqrt().recip(), known.scale);
    let named = attrs.contains_key("causal") || !known.causal;
    (said && usual && named && known.steady && known.sums == Sums::OfResults).then_some(Meaning {
        form,
        pass,
        scale: known.scale,
        causal: known.causal,
    })
}

fn body(func: &Func, data: &OpData, name: &str, attrs: &BTreeMap<String, Attr>) -> Result<Scores, String> {
    let Some((form, pass)) = named(name) else {
        return Err(format!("nothing says what a composite `{name}` has to compute"));
    };
    if func.region(data.regions[0]).args.len() != form.operands(pass, false) {
        return Err(format!("nothing says what a composite `{name}` has to compute"));
    }
    let known = computed(func, data, form, pass);
    let known = known.ok_or_else(|| format!("does not compute what a composite `{name}` has to"))?;
    let said = |key: &str| attrs.get(key);
    let scale = matches!(said("scale"), Some(Attr::Float(bits)) if close(f64::from_bits(*bits), known.scale));
    if attrs.len() != 2 || said("causal") != Some(&Attr::Bool(known.causal)) || !scale {
        return Err(format!("computes a `{name}` of other attributes than it says"));
    }
    Ok(known)
}

/// How the body of a composite computes scores, if it is this pass of attention.
fn computed(func: &Func, data: &OpData, form: &'static Attention, pass: Pass) -> Option<Scores> {
    let body = func.region(data.regions[0]);
    let operands = body.args.first().map(|&q| func.ty(q).dtype);
    let narrow = operands.filter(|t| matches!(t, DType::BF16 | DType::F16));
    let b = Body { func, form, narrow };
    match (pass, &body.args[..], &body.yields[..]) {
        (Pass::Forward, &[q, k, v], &[out, lse]) => b.forward([q, k, v], [out, lse]),
        (Pass::Backward, &[q, k, v, out, lse, d_out], &[dq, dk, dv]) => {
            b.gradient([q, k, v, out, lse, d_out], [dq, dk, dv])
        }
        _ => None,
    }
}

/// Whether two products of the same numbers agree, up to rounding.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * b.abs()
}

/// Whether two lists name the same dims, in whichever order.
fn same(x: &str, y: &str) -> bool {
    x.len() == y.len() && x.chars().all(|c| y.contains(c)) && y.chars().all(|c| x.contains(c))
}

/// Whether two composites do the same ops on their arguments.
fn same_body(func: &Func, a: &OpData, b: &OpData) -> bool {
    let (x, y) = (func.region(a.regions[0]), func.region(b.regions[0]));
    if x.args.len() != y.args.len() || x.ops.len() != y.ops.len() || x.yields.len() != y.yields.len() {
        return false;
    }
    let mut map: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for (&v, &w) in x.args.iter().zip(&y.args) {
        if func.ty(v) != func.ty(w) {
            return false;
        }
        map.insert(v, w);
    }
    for (&o, &p) in x.ops.iter().zip(&y.ops) {
        let (o, p) = (func.op(o), func.op(p));
        let operands = o.operands.iter().map(|v| map.get(v)).eq(p.operands.iter().map(Some));
        let plain = o.regions.is_empty() && p.regions.is_empty();
        if o.op != p.op || !operands || !plain || o.results.len() != p.results.len() {
            return false;
        }
        map.extend(o.results.iter().copied().zip(p.results.iter().copied()));
    }
    x.yields.iter().map(|v| map.get(v)).eq(y.yields.iter().map(Some))
}

/// How scores are computed from the matmul of queries and keys.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scores {
    scale: f64,
    causal: bool,
    sums: Sums,
    /// Whether the sum of exponentials is taken below the largest score of the row, so that it cannot overflow. A gradient takes
    /// none.
    steady: bool,
}

/// The sums that a gradient subtracts from its rows.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Sums {
    /// `sum (d_out out)`, or no sum at all.
    OfResults,
    /// `sum (p d_p)`.
    OfWeights,
}

struct Body<'a> {
    func: &'a Func,
    form: &'static Attention,
    /// The type of operands, if it has 16 bits.
    narrow: Option<DType>,
}

impl<'a> Body<'a> {
    fn def(&self, v: ValueId) -> Option<&'a OpData> {
        self.func.def_op(v).map(|o| self.func.op(o)).filter(|d| d.regions.is_empty())
    }

    fn shape(&self, v: ValueId) -> &'a [u64] {
        &self.func.ty(v).shape
    }

    /// The operands of `v`, if it is an elementwise op that is this.
    fn elem(&self, v: ValueId, arithmetic: Arithmetic) -> Option<&'a [ValueId]> {
        let d = self.def(v)?;
        (d.op.arithmetic() == arithmetic).then_some(&d.operands[..])
    }

    /// Whether `v` is the elementwise product of these two, widened or as they are.
    fn is_product(&self, v: ValueId, [x, y]: [ValueId; 2]) -> bool {
        let of = |v: ValueId, x: ValueId| v == x || self.unrounded(v) == x;
        let product = self.elem(v, Arithmetic::Multiply);
        product.is_some_and(|d| of(d[0], x) && of(d[1], y) || of(d[0], y) && of(d[1], x))
    }

    /// out = sum p v, p = exp(scores - lse), lse = log sum exp(scores - top) + top for any top.
    fn forward(&self, [q, k, v]: [ValueId; 3], [out, lse]: [ValueId; 2]) -> Option<Scores> {
        let (p, dims) = self.other(self.unrounded(out), (v, self.form.v), self.form.out)?;
        let (scores, known) = self.probabilities(p, &dims, [q, k], lse)?;
        let (sum, row) = self.unturned(lse, self.form.rows);
        let &[x, y] = self.elem(sum, Arithmetic::Add).filter(|_| row == self.row(&dims))? else { return None };
        let normal = |log: ValueId, top: ValueId| -> Option<ValueId> {
            let &[sum] = self.elem(log, Arithmetic::Logarithm)? else { return None };
            let e = self.row_sum(sum)?;
            let &[shifted] = self.elem(e, Arithmetic::Exponential)? else { return None };
            let &[from, below] = self.elem(shifted, Arithmetic::Subtract)? else { return None };
            (from == scores && self.rows(below, e).contains(&top)).then_some(top)
        };
        let top = normal(x, y).or_else(|| normal(y, x))?;
        let from = self.def(top).filter(|d| d.op.arithmetic() == Arithmetic::Same).map_or(top, |d| d.operands[0]);
        let most = self.def(from).is_some_and(|d| {
            let last = self.shape(scores).len() - 1;
            matches!(&d.op, Op::Reduce { kind: Reduction::Max, dims } if dims[..] == [last]) && d.operands[0] == scores
        });
        Some(Scores { steady: most, ..known })
    }

    /// Checks dv = sum p d_out, ds = p (d_p - sum (d_out out)), dq = sum ds k and dk = sum ds q, where ds is scaled and
    /// masked as scores are. In 16 bits, ds = p (d_p - sum (p d_p)) holds too, if the other sum is named beside it.
    fn gradient(&self, inputs: [ValueId; 6], [dq, dk, dv]: [ValueId; 3]) -> Option<Scores> {
        let [q, k, v, out, lse, d_out] = inputs;
        let Attention { q: queries, out: results, .. } = self.form;
        let (p, dims) = self.other(self.unrounded(dv), (d_out, results), self.form.v)?;
        let (seen, masked) = self.masked(p, &dims);
        let (_, known) = self.probabilities(seen, &dims, [q, k], lse)?;
        let known = Scores { causal: known.causal || masked, ..known };
        let ds = self.other(self.unrounded(dq), (k, self.form.k), queries)?;
        if self.other(self.unrounded(dk), (q, queries), self.form.k)? != ds {
            return None;
        }
        let centred = |y: ValueId| -> Option<Sums> {
            let &[dp, below] = self.elem(y, Arithmetic::Subtract)? else { return None };
            let rows = self.rows(below, y);
            let of_results = |&x: &ValueId| {
                let (sum, row) = self.unturned(x, self.row(&dims));
                let both = self.row_sum(sum).filter(|_| row == self.form.rows);
                both.is_some_and(|both| self.is_product(both, [d_out, out]))
            };
            let of_weights = |&x: &ValueId| {
                let Some(&[never, results, weights]) = self.elem(x, Arithmetic::Select) else { return false };
                let both = self.row_sum(weights).is_some_and(|both| self.is_product(both, [p, dp]));
                both && self.number(never, 0) == Some(0.0) && of_results(&results)
            };
            let sums = if rows.iter().any(of_results) {
                Sums::OfResults
            } else if self.narrow.is_some() && rows.iter().any(of_weights) {
                Sums::OfWeights
            } else {
                return None;
            };
            let (dp, order) = self.unturned(self.unrounded(dp), &dims);
            (self.other(dp, (d_out, results), &order)? == (v, self.form.v.to_string())).then_some(sums)
        };
        let inner = |x: ValueId| -> Option<Sums> {
            let &[x, y] = self.elem(x, Arithmetic::Multiply)? else { return None };
            [(x, y), (y, x)].into_iter().find_map(|(x, y)| centred(y).filter(|_| x == p))
        };
        let (mut at, mut scale) = (ds, 1.0);
        for _ in 0..DEPTH {
            at = self.unturned(at.0, &at.1);
            if at.1 == dims
                && let Some(sums) = inner(at.0)
            {
                return close(scale, known.scale).then_some(Scores { sums, ..known });
            }
            if let Some((x, by)) = self.scaling(at.0) {
                (at.0, scale) = (x, scale * by);
                continue;
            }
            let &[mask, x, zero] = self.elem(at.0, Arithmetic::Select)? else { return None };
            if !known.causal || self.number(zero, 0)? != 0.0 || !self.is_causal(mask, &at.1) {
                return None;
            }
            at.0 = x;
        }
        None
    }

    /// Probabilities before those of keys that a causal mask hides were replaced with 0, and whether they were.
    fn masked(&self, p: ValueId, dims: &str) -> (ValueId, bool) {
        match self.elem(p, Arithmetic::Select) {
            Some(&[mask, x, zero]) if self.number(zero, 0) == Some(0.0) && self.is_causal(mask, dims) => (x, true),
            _ => (p, false),
        }
    }

    /// For p = exp(scores - lse) with dims `dims`: the scores, and how they are computed.
    fn probabilities(&self, p: ValueId, dims: &str, [q, k]: [ValueId; 2], lse: ValueId) -> Option<(ValueId, Scores)> {
        let &[shifted] = self.elem(p, Arithmetic::Exponential)? else { return None };
        let &[scores, below] = self.elem(shifted, Arithmetic::Subtract)? else { return None };
        let lse = self.unturned(lse, self.form.rows);
        let in_order = same(dims, self.form.scores) && dims.ends_with('t');
        if !in_order || !self.rows(below, p).into_iter().any(|x| self.unturned(x, self.row(dims)) == lse) {
            return None;
        }
        let (mut at, mut known) =
            ((scores, dims.to_string()), Scores { scale: 1.0, causal: false, sums: Sums::OfResults, steady: true });
        // Masks come last: a score out of sight has to stay so, whatever was done to it before.
        at = self.unturned(at.0, &at.1);
        while let Some(&[mask, x, low]) = self.elem(at.0, Arithmetic::Select) {
            if self.number(low, 0)? > UNSEEN || !self.is_causal(mask, &at.1) {
                return None;
            }
            (at, known.causal) = (self.unturned(x, &at.1), true);
        }
        for _ in 0..DEPTH {
            if self.other(at.0, (q, self.form.q), &at.1) == Some((k, self.form.k.to_string())) {
                return Some((scores, known));
            }
            let (x, by) = self.scaling(at.0)?;
            (at, known.scale) = (self.unturned(x, &at.1), known.scale * by);
        }
        None
    }

    /// The value that `v` is a widening to f32 of, or a rounding to the operands' type.
    fn unrounded(&self, v: ValueId) -> ValueId {
        let of = |v: ValueId| Some(self.func.ty(v).dtype);
        let Some(OpData { op: Op::Convert { .. }, operands, .. }) = self.def(v) else { return v };
        let x = operands[0];
        let wide = Some(DType::F32);
        let rounds = self.narrow.is_some() && [(of(v), of(x)), (of(x), of(v))].contains(&(self.narrow, wide));
        if rounds { x } else { v }
    }

    /// The value that `v` is a transpose of, and its dims. `v` has the dims `dims`.
    fn unturned(&self, mut v: ValueId, dims: &str) -> (ValueId, String) {
        let mut dims: Vec<char> = dims.chars().collect();
        for _ in 0..DEPTH {
            let Some(OpData { op: Op::Transpose { perm }, operands, .. }) = self.def(v) else { break };
            if perm.len() != dims.len() {
                break;
            }
            let mut inner = dims.clone();
            perm.iter().zip(&dims).for_each(|(&p, &c)| inner[p] = c);
            (v, dims) = (operands[0], inner);
        }
        (v, dims.into_iter().collect())
    }

    /// The dims of a value that has one element for each row of scores with these dims.
    fn row<'d>(&self, dims: &'d str) -> &'d str {
        &dims[..dims.len().saturating_sub(1)]
    }

    /// The other operand of the contraction `v` that reads `known`, with its dims. `known` and the result have the
    /// given dims. A summed dim that `known` lacks makes it `None`.
    fn other(&self, v: ValueId, known: (ValueId, &str), result: &str) -> Option<(ValueId, String)> {
        let d = self.def(v)?;
        let Op::DotGeneral(e) = &d.op else { return None };
        if e.to.is_some() {
            return None;
        }
        (0..2).find_map(|i| {
            let mut names: BTreeMap<char, char> = BTreeMap::new();
            let mut named = |subscripts: &[char], dims: &str| {
                let dims: Vec<char> = dims.chars().collect();
                let same = |(c, n): (&char, &char)| *names.entry(*c).or_insert(*n) == *n;
                subscripts.len() == dims.len() && subscripts.iter().zip(&dims).all(same)
            };
            let reads =
                self.unrounded(d.operands[i]) == known.0 && named(&e.operands[i], known.1) && named(&e.result, result);
            // Two dims with one subscript would be a diagonal.
            let mut all: Vec<char> = names.values().copied().collect();
            all.sort_unstable();
            let apart = all.windows(2).all(|w| w[0] != w[1]);
            let other = e.operands[1 - i].iter().map(|c| names.get(c)).collect::<Option<String>>();
            other.filter(|_| reads && apart).map(|dims| (self.unrounded(d.operands[1 - i]), dims))
        })
    }

    /// The value that `v` sums over its last dim.
    fn row_sum(&self, v: ValueId) -> Option<ValueId> {
        let d = self.def(v)?;
        let last = self.shape(*d.operands.first()?).len().checked_sub(1)?;
        matches!(&d.op, Op::Reduce { kind: Reduction::Sum, dims } if dims[..] == [last]).then(|| d.operands[0])
    }

    /// The values with one element for each row that `v` repeats along the last dim of `like`.
    fn rows(&self, v: ValueId, like: ValueId) -> Vec<ValueId> {
        let Some((_, row)) = self.shape(like).split_last() else { return Vec::new() };
        let fits = |s: &[u64]| s == row || s.split_last().is_some_and(|(&n, s)| n == 1 && s == row);
        let mut found = Vec::new();
        let mut at = Some(v);
        while let Some(x) = at.filter(|_| found.len() < DEPTH) {
            found.push(x);
            at = self.def(x).and_then(|d| {
                let moves = match &d.op {
                    Op::Broadcast { dims, .. } => dims.iter().enumerate().all(|(i, &d)| i == d),
                    Op::Reshape { .. } => true,
                    _ => false,
                };
                d.operands.first().copied().filter(|&x| moves && fits(self.shape(x)))
            });
        }
        found.retain(|&x| self.shape(x) == row);
        found
    }

    /// `v` as a tensor and the number that it is multiplied by.
    fn scaling(&self, v: ValueId) -> Option<(ValueId, f64)> {
        if let Some(&[x, y]) = self.elem(v, Arithmetic::Multiply) {
            let right = self.number(y, 0).map(|n| (x, n));
            return right.or_else(|| self.number(x, 0).map(|n| (y, n)));
        }
        let &[x, y] = self.elem(v, Arithmetic::Divide)? else { return None };
        self.number(y, 0).filter(|&n| n != 0.0).map(|n| (x, 1.0 / n))
    }

    /// The number that all elements of `v` are.
    fn number(&self, v: ValueId, depth: usize) -> Option<f64> {
        let d = self.def(v).filter(|_| depth < DEPTH)?;
        let of = || self.number(*d.operands.first()?, depth + 1);
        match &d.op {
            Op::Constant { value: Literal::Splat(s), .. } => Some(s.as_f64()),
            Op::Broadcast { .. } | Op::Reshape { .. } => of(),
            op if op.arithmetic() == Arithmetic::Root => of().map(f64::sqrt),
            _ => None,
        }
    }

    /// Whether a mask of scores with these dims lets query i see the keys up to i, and no others.
    fn is_causal(&self, mask: ValueId, scores: &str) -> bool {
        let mut at = mask;
        // For each dim of `at`, the dim of scores that it is.
        let mut dims: Vec<Option<char>> = scores.chars().map(Some).collect();
        for _ in 0..DEPTH {
            let Some(d) = self.def(at) else { return false };
            let compared = |x: ValueId, y: ValueId| {
                let dim = |v| self.position(v, 0).and_then(|i| dims[i]);
                dim(x) == Some('s') && dim(y) == Some('t')
            };
            match (&d.op, &d.operands[..]) {
                (op, &[x, y]) if op.arithmetic() == Arithmetic::Compare(Comparison::Ge) => return compared(x, y),
                (op, &[x, y]) if op.arithmetic() == Arithmetic::Compare(Comparison::Le) => return compared(y, x),
                // `tril` of a mask that is true everywhere.
                (op, &[x, y, z])
                    if op.arithmetic() == Arithmetic::Select
                        && self.number(y, 0) == Some(1.0)
                        && self.number(z, 0) == Some(0.0) =>
                {
                    at = x;
                }
                (op, &[x, y])
                    if op.arithmetic() == Arithmetic::And && self.truth(at) && self.number(x, 0) == Some(1.0) =>
                {
                    at = y;
                }
                (op, &[x, y])
                    if op.arithmetic() == Arithmetic::And && self.truth(at) && self.number(y, 0) == Some(1.0) =>
                {
                    at = x;
                }
                // A mask as numbers.
                (op, &[x, y])
                    if op.arithmetic() == Arithmetic::Compare(Comparison::Ne) && self.number(y, 0) == Some(0.0) =>
                {
                    at = x
                }
                (Op::Convert { .. }, &[x]) if self.truth(x) || self.truth(at) => at = x,
                (op, &[x]) => match self.moved(op, x, at) {
                    Some(from) => {
                        dims = from.iter().map(|d| d.and_then(|d| dims[d])).collect();
                        at = x;
                    }
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    fn truth(&self, v: ValueId) -> bool {
        self.func.ty(v).dtype == DType::Bool
    }

    /// The dim of `v` whose index each element is.
    fn position(&self, v: ValueId, depth: usize) -> Option<usize> {
        let d = self.def(v).filter(|_| depth < DEPTH)?;
        match (&d.op, &d.operands[..]) {
            (Op::Iota { dim, shard, dtype, .. }, _) => {
                let exact = matches!(dtype, DType::I32 | DType::I64);
                (exact && shard.is_empty()).then_some(*dim)
            }
            (op, &[x, y]) if op.arithmetic() == Arithmetic::Add && self.number(y, 0) == Some(0.0) => {
                self.position(x, depth + 1)
            }
            (op, &[x]) => {
                let i = self.position(x, depth + 1)?;
                self.moved(op, x, v)?[i]
            }
            _ => None,
        }
    }

    /// For each dim of `x`, the dim of `to` that it becomes, if `op` only moves and repeats elements. A dim of size 1
    /// becomes none of them, which is `None`.
    fn moved(&self, op: &Op, x: ValueId, to: ValueId) -> Option<Vec<Option<usize>>> {
        let (from, into) = (self.shape(x), self.shape(to));
        match op {
            Op::Broadcast { dims, .. } => {
                Some(dims.iter().enumerate().map(|(i, &d)| (from[i] == into[d] && from[i] != 1).then_some(d)).collect())
            }
            Op::Transpose { perm } => Some((0..from.len()).map(|i| perm.iter().position(|&p| p == i)).collect()),
            // Dims of size 1 come and go.
            Op::Reshape { .. } => {
                let long = |s: &[u64]| (0..s.len()).filter(|&i| s[i] != 1).collect::<Vec<usize>>();
                let (a, b) = (long(from), long(into));
                let same = a.len() == b.len() && a.iter().zip(&b).all(|(&i, &j)| from[i] == into[j]);
                same.then(|| (0..from.len()).map(|i| a.iter().position(|&k| k == i).map(|n| b[n])).collect())
            }
            _ => None,
        }
    }
}
