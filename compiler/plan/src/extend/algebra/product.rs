//! Sums of products: `out[i..] = sum over the other subscripts of x[..] y[..] ..`, the form in which contractions, sums,
//! transposes, broadcasts and scalings are one thing. Products of three are only ever temporary: what is written back is a
//! tree of two. (Storing them took six times the e-nodes on a chain of eight.)

use super::graph::Algebra;
use super::term::subscript;
use meshloom_ir::{Arithmetic, Einsum, Literal, Op, OpId, Reduction, Scalar, ValueId};

/// A subscript: index into [`Product::sizes`].
pub type Subscript = usize;

#[derive(Clone, Debug)]
pub struct Factor {
    pub value: ValueId,
    /// One per dim of `value`; none if it is a constant of one value, whose dims do not matter.
    pub subscripts: Vec<Subscript>,
    pub splat: Option<Literal>,
}

impl Factor {
    pub fn has(&self, l: Subscript) -> bool {
        self.subscripts.contains(&l)
    }

    /// One number for all elements.
    pub fn scalar(&self) -> bool {
        self.subscripts.is_empty()
    }
}

#[derive(Clone, Debug)]
pub struct Product {
    pub factors: Vec<Factor>,
    pub out: Vec<Subscript>,
    pub sizes: Vec<u64>,
}

/// The product that an op of floats is, if it is one.
pub fn read(a: &Algebra<'_>, o: OpId) -> Option<Product> {
    let d = a.op(o);
    let result = *d.results.first()?;
    let ty = a.ty(result);
    if !ty.dtype.is_float() || ty.elements() == 0 || d.operands.iter().any(|&x| a.ty(x).elements() == 0) {
        return None;
    }
    let rank = ty.rank();
    let plain = |value: ValueId, subscripts: Vec<Subscript>| Factor { value, subscripts, splat: None };
    match &d.op {
        // One that widens is no factor of a product in either type.
        Op::DotGeneral(e) if e.to.is_some() => None,
        Op::DotGeneral(e) => {
            let all = e.factors();
            let index = |subscripts: &[char]| -> Vec<Subscript> {
                subscripts.iter().filter_map(|c| all.iter().position(|f| f == c)).collect()
            };
            let mut sizes = vec![1; all.len()];
            let mut factors = Vec::new();
            for (subscripts, &value) in e.operands.iter().zip(&d.operands) {
                let subscripts = index(subscripts);
                for (&l, &n) in subscripts.iter().zip(a.shape(value)) {
                    sizes[l] = n;
                }
                factors.push(plain(value, subscripts));
            }
            Some(Product { factors, out: index(&e.result), sizes })
        }
        Op::Reduce { kind: Reduction::Sum, dims } => {
            let x = d.operands[0];
            let sizes = a.shape(x).to_vec();
            let out = (0..sizes.len()).filter(|i| !dims.contains(i)).collect();
            Some(Product { factors: vec![plain(x, (0..sizes.len()).collect())], out, sizes })
        }
        Op::Transpose { perm } => {
            let x = d.operands[0];
            let sizes = a.shape(x).to_vec();
            Some(Product { factors: vec![plain(x, (0..rank).collect())], out: perm.clone(), sizes })
        }
        Op::Broadcast { .. } => {
            let f = unbroadcast(a, o)?;
            Some(Product { factors: vec![f], out: (0..rank).collect(), sizes: ty.shape.clone() })
        }
        op if op.arithmetic() == Arithmetic::Multiply => {
            let factor = |&value: &ValueId| {
                if let Some(splat) = a.splat(value) {
                    return Factor { value, subscripts: Vec::new(), splat: Some(splat) };
                }
                let spread = a.definitions(value).into_iter().find_map(|o| unbroadcast(a, o));
                spread.unwrap_or_else(|| plain(value, (0..rank).collect()))
            };
            let factors = d.operands.iter().map(factor).collect();
            Some(Product { factors, out: (0..rank).collect(), sizes: ty.shape.clone() })
        }
        _ => None,
    }
}

/// What a broadcast repeats, with the result dims that it has.
fn unbroadcast(a: &Algebra<'_>, o: OpId) -> Option<Factor> {
    let d = a.op(o);
    let Op::Broadcast { shape, dims } = &d.op else { return None };
    let mut value = d.operands[0];
    let from = a.shape(value);
    let subscripts: Vec<Subscript> = (0..dims.len()).filter(|&i| from[i] == shape[dims[i]]).map(|i| dims[i]).collect();
    if subscripts.len() < dims.len() {
        // Dims of size 1 that are repeated were most likely put in for that.
        let kept: Vec<u64> = subscripts.iter().map(|&d| shape[d]).collect();
        value = a.defined_by(value, |r| {
            let plain = matches!(r.op, Op::Reshape { .. }) && a.shape(r.operands[0]) == kept;
            plain.then(|| r.operands[0])
        })?;
    }
    let splat = a.splat(value).filter(|_| subscripts.is_empty());
    Some(Factor { value, subscripts, splat })
}

impl Product {
    /// This product with its factor `k` written out as the product `inner`.
    pub fn compose(&self, k: usize, inner: &Product) -> Product {
        let mut sizes = self.sizes.clone();
        let mut names: Vec<Option<Subscript>> = vec![None; inner.sizes.len()];
        for (&l, &name) in inner.out.iter().zip(&self.factors[k].subscripts) {
            names[l] = Some(name);
        }
        let mut rename = |l: Subscript| {
            *names[l].get_or_insert_with(|| {
                sizes.push(inner.sizes[l]);
                sizes.len() - 1
            })
        };
        let inside: Vec<Factor> = inner
            .factors
            .iter()
            .map(|f| Factor { subscripts: f.subscripts.iter().map(|&l| rename(l)).collect(), ..f.clone() })
            .collect();
        let mut factors: Vec<Factor> = Vec::new();
        for (i, f) in self.factors.iter().enumerate() {
            if i == k {
                factors.extend(inside.iter().cloned());
            } else {
                factors.push(f.clone());
            }
        }
        let mut p = Product { factors, out: self.out.clone(), sizes };
        // A sum over a dim that nothing has is so many times the rest.
        let times = p.size((0..p.sizes.len()).filter(|l| !p.out.contains(l) && !p.factors.iter().any(|f| f.has(*l))));
        if times != 1 {
            let value = self.factors[k].value;
            let splat = Some(Literal::Splat(Scalar::float(times as f64)));
            p.factors.push(Factor { value, subscripts: Vec::new(), splat });
        }
        p
    }

    pub fn size(&self, subscripts: impl IntoIterator<Item = Subscript>) -> u64 {
        subscripts.into_iter().fold(1, |n, l| n.saturating_mul(self.sizes[l]))
    }

    /// The subscripts of factors `i` and `j` that the rest of the product still needs, in the order of their labels.
    pub fn kept(&self, a: &Algebra<'_>, i: usize, j: usize) -> Vec<Subscript> {
        let (x, y) = (&self.factors[i], &self.factors[j]);
        let needed = |l: Subscript| {
            self.out.contains(&l) || self.factors.iter().enumerate().any(|(k, f)| k != i && k != j && f.has(l))
        };
        let mut kept: Vec<Subscript> = union(&x.subscripts, &y.subscripts).into_iter().filter(|&l| needed(l)).collect();
        // A scaling keeps the order of what is scaled.
        for (f, g) in [(x, y), (y, x)] {
            if f.subscripts.len() == kept.len()
                && f.subscripts.iter().all(|l| kept.contains(l))
                && g.subscripts.iter().all(|&l| f.has(l))
            {
                return f.subscripts.clone();
            }
        }
        if let Some(there) = self.there(a, x, y, &kept) {
            return there;
        }
        let label = |l: Subscript| {
            let of = |f: &Factor| f.subscripts.iter().position(|&m| m == l).map(|d| a.labels(f.value)[d]);
            of(x).into_iter().chain(of(y)).min()
        };
        kept.sort_by_key(|&l| (label(l), l));
        kept
    }

    /// The order of dims in which some op contracts `x` and `y` to the subscripts `kept` already.
    fn there(&self, a: &Algebra<'_>, x: &Factor, y: &Factor, kept: &[Subscript]) -> Option<Vec<Subscript>> {
        a.readers(x.value).into_iter().find_map(|o| {
            let d = a.op(o);
            let Op::DotGeneral(e) = &d.op else { return None };
            if e.to.is_some() {
                return None;
            }
            [(x, y), (y, x)].into_iter().find_map(|(p, q)| {
                if !a.same(d.operands[0], p.value) || !a.same(d.operands[1], q.value) {
                    return None;
                }
                let mut names: Vec<(char, Subscript)> = Vec::new();
                for (f, subscripts) in [p, q].into_iter().zip(&e.operands) {
                    for (&l, &c) in f.subscripts.iter().zip(subscripts) {
                        if names.iter().any(|n| (n.0 == c) != (n.1 == l)) {
                            return None;
                        }
                        names.push((c, l));
                    }
                }
                let order = e.result.iter().filter_map(|c| names.iter().find(|n| n.0 == *c)).map(|n| n.1);
                let order: Vec<Subscript> = order.collect();
                (order.len() == kept.len() && order.iter().all(|l| kept.contains(l))).then_some(order)
            })
        })
    }

    /// Operations when factors `i` and `j` of three are contracted first.
    pub fn tree_cost(&self, a: &Algebra<'_>, i: usize, j: usize) -> u64 {
        let kept = self.kept(a, i, j);
        let rest = &self.factors[3 - i - j].subscripts;
        let first = self.cost(&self.factors[i].subscripts, &self.factors[j].subscripts, &kept);
        first.saturating_add(self.cost(&kept, rest, &self.out))
    }

    /// Operations of contracting two factors to `out`, after each is summed over what it alone has.
    fn cost(&self, x: &[Subscript], y: &[Subscript], out: &[Subscript]) -> u64 {
        let (p, q) = (needed(x, y, out), needed(y, x, out));
        let alone =
            |all: &[Subscript], kept: &[Subscript]| if all.len() == kept.len() { 0 } else { self.size(all.to_vec()) };
        let main = self.size(union(&p, &q)).saturating_mul(2);
        main.saturating_add(alone(x, &p)).saturating_add(alone(y, &q))
    }
}

fn needed(x: &[Subscript], y: &[Subscript], out: &[Subscript]) -> Vec<Subscript> {
    x.iter().copied().filter(|l| y.contains(l) || out.contains(l)).collect()
}

pub fn union(x: &[Subscript], y: &[Subscript]) -> Vec<Subscript> {
    x.iter().copied().chain(y.iter().copied().filter(|l| !x.contains(l))).collect()
}

/// One factor, summed, transposed and repeated to `out`.
pub fn build_one(a: &mut Algebra<'_>, at: OpId, p: &Product, f: &Factor, out: &[Subscript]) -> Option<ValueId> {
    if let Some(value) = &f.splat {
        let dtype = a.ty(f.value).dtype;
        let shape = out.iter().map(|&l| p.sizes[l]).collect();
        return a.make(at, Op::Constant { dtype, shape, value: value.clone() }, &[]);
    }
    let dims: Vec<usize> = (0..f.subscripts.len()).filter(|&d| !out.contains(&f.subscripts[d])).collect();
    let kept: Vec<Subscript> = f.subscripts.iter().copied().filter(|l| out.contains(l)).collect();
    let x = a.make(at, Op::Reduce { kind: Reduction::Sum, dims }, &[f.value])?;
    let dims: Vec<usize> = (0..out.len()).filter(|&d| kept.contains(&out[d])).collect();
    let perm: Vec<usize> = dims.iter().filter_map(|&d| kept.iter().position(|&l| l == out[d])).collect();
    let x = transpose(a, at, x, perm)?;
    let shape = out.iter().map(|&l| p.sizes[l]).collect();
    a.make(at, Op::Broadcast { shape, dims }, &[x])
}

/// A transpose of `x`, or of what `x` is a transpose of.
pub fn transpose(a: &mut Algebra<'_>, at: OpId, x: ValueId, perm: Vec<usize>) -> Option<ValueId> {
    if perm.iter().enumerate().all(|(i, &p)| i == p) {
        return Some(x);
    }
    let inner = a.defined_by(x, |d| match &d.op {
        Op::Transpose { perm } => Some((d.operands[0], perm.clone())),
        _ => None,
    });
    match inner {
        Some((y, inner)) => a.make(at, Op::Transpose { perm: perm.iter().map(|&i| inner[i]).collect() }, &[y]),
        None => a.make(at, Op::Transpose { perm }, &[x]),
    }
}

/// Two factors, each summed over what it alone has, then multiplied or contracted.
pub fn build_two(
    a: &mut Algebra<'_>,
    at: OpId,
    p: &Product,
    x: &Factor,
    y: &Factor,
    out: &[Subscript],
) -> Option<ValueId> {
    let had: Vec<Subscript> = out.iter().copied().filter(|&l| x.has(l) || y.has(l)).collect();
    if had.len() < out.len() {
        let value = build_two(a, at, p, x, y, &had)?;
        return build_one(a, at, p, &Factor { value, subscripts: had, splat: None }, out);
    }
    let contracted = x.subscripts.iter().any(|l| y.has(*l) && !out.contains(l));
    let (p_x, p_y) = (needed(&x.subscripts, &y.subscripts, out), needed(&y.subscripts, &x.subscripts, out));
    if !contracted && (p_x.len() == out.len() || p_y.len() == out.len()) {
        let u = build_one(a, at, p, x, out)?;
        let v = build_one(a, at, p, y, out)?;
        return either_way(a, at, &|_| Op::elem("multiply"), u, v);
    }
    let u = build_one(a, at, p, x, &p_x)?;
    let v = build_one(a, at, p, y, &p_y)?;
    let text = |subscripts: &[Subscript]| -> Vec<char> { subscripts.iter().map(|&l| subscript(l)).collect() };
    if p.sizes.len() > 52 {
        return None;
    }
    let op = |swapped: bool| {
        let (first, second) = if swapped { (&p_y, &p_x) } else { (&p_x, &p_y) };
        Some(Op::DotGeneral(Einsum::new(vec![text(first), text(second)], text(out))))
    };
    either_way(a, at, &op, u, v)
}

/// An op of two operands that may be swapped: as it is there already, or else in the order of its operands' labels.
fn either_way(
    a: &mut Algebra<'_>,
    at: OpId,
    op: &dyn Fn(bool) -> Option<Op>,
    x: ValueId,
    y: ValueId,
) -> Option<ValueId> {
    if let Some(v) = a.find(at, op(false)?, &[x, y]) {
        return Some(v);
    }
    if let Some(v) = a.find(at, op(true)?, &[y, x]) {
        return Some(v);
    }
    if a.labels(y) < a.labels(x) { a.make(at, op(true)?, &[y, x]) } else { a.make(at, op(false)?, &[x, y]) }
}
