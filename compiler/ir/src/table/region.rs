//! Types of the ops with regions, and the factor rule of a composite, which follows from its body.

use super::{BASE, Class, Cost, NO_TEXT, OpDef, Text, attrs, factors};
use crate::factor::{Assignment, FactorKind, FactorRule};
use crate::graph::{Func, OpData, OpId, Region, RegionId, ValueId};
use crate::layout::{Layout, Reduction};
use crate::mesh::Axis;
use crate::op::{Attr, Op, UNBOUNDED};
use crate::text::{show_attr, show_name};
use crate::types::{DType, TensorType};
use crate::verify::MAX_TRIP;
use std::collections::BTreeMap;

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&COMPOSITE, &REPEAT, &WHILE];

pub static COMPOSITE: OpDef = OpDef {
    name: "composite",
    class: Class::Region,
    text: Text {
        show: |op, _| {
            let attrs = attrs!(op, Op::Composite { attrs, .. } => attrs);
            let list: Vec<String> = attrs.iter().map(|(k, a)| format!("{}: {}", show_name(k), show_attr(a))).collect();
            Some(list.join(", "))
        },
        ..NO_TEXT
    },
    cost: Cost::Kernel,
    anchor: |_| true,
    accumulates: |_| true,
    ..BASE
};

const LOOP: OpDef = OpDef { class: Class::Region, anchor: |_| true, ..BASE };

pub static REPEAT: OpDef = OpDef {
    name: "repeat",
    text: Text {
        show: |op, _| {
            let (trip, reverse) = attrs!(op, Op::Repeat { trip, reverse, .. } => (trip, *reverse));
            Some(format!("trip {trip}{}", if reverse { " reverse" } else { "" }))
        },
        ..NO_TEXT
    },
    check: |op, _| match op {
        Op::Repeat { trip, .. } if *trip > MAX_TRIP => Err(format!("`repeat` of {trip} iterations")),
        _ => Ok(()),
    },
    ..LOOP
};

pub static WHILE: OpDef = OpDef {
    name: "while",
    text: Text {
        show: |op, _| {
            Some(match attrs!(op, Op::Repeat { trip, .. } => *trip) {
                UNBOUNDED => String::new(),
                trip => format!("at_most {trip}"),
            })
        },
        ..NO_TEXT
    },
    check: |op, mesh| match op {
        Op::Repeat { trip: UNBOUNDED, .. } => Ok(()),
        other => (REPEAT.check)(other, mesh),
    },
    ..LOOP
};

/// Result types of a `repeat`.
///
/// # Errors
/// Which operand, argument or yield does not fit.
pub fn repeat_types(func: &Func, op: &Op, operands: &[ValueId], body: RegionId) -> Result<Vec<TensorType>, String> {
    let &Op::Repeat { trip, reverse, carries, xs, early } = op else { unreachable!("types of a repeat") };
    let region = func.region(body);
    if early {
        let asked = region.args.first().map(|&a| func.ty(a));
        if carries == 0 || asked != Some(&TensorType::scalar(DType::Bool)) {
            return Err("the first carry of a while is a bool that says whether it goes on".into());
        }
        if xs > 0 || reverse || region.yields.len() != carries {
            return Err("a while carries values, and neither slices nor stacks any".into());
        }
    }
    if operands.len() < carries + xs || region.args.len() != operands.len() {
        return Err(format!("repeat has {} operands for {} body arguments", operands.len(), region.args.len()));
    }
    for (i, (&o, &a)) in operands.iter().zip(&region.args).enumerate() {
        let (outer, inner) = (func.ty(o), func.ty(a));
        let fits = if i >= carries && i < carries + xs {
            outer.dtype == inner.dtype && outer.shape.first() == Some(&trip) && outer.shape[1..] == inner.shape[..]
        } else {
            outer == inner
        };
        if !fits {
            return Err(format!(
                "operand {i} of the repeat is {outer}, its body argument is {inner} ({trip} iterations)"
            ));
        }
    }
    if region.yields.len() < carries {
        return Err(format!("the body yields {} values for {carries} carries", region.yields.len()));
    }
    let mut types = Vec::new();
    for (i, &y) in region.yields.iter().enumerate() {
        let ty = func.ty(y);
        if i < carries {
            let carry = func.ty(operands[i]);
            if ty != carry {
                return Err(format!("carry {i} starts as {carry} and is {ty} after an iteration"));
            }
            types.push(ty.clone());
        } else {
            let mut shape = vec![trip];
            shape.extend(&ty.shape);
            types.push(TensorType::new(ty.dtype, shape));
        }
    }
    Ok(types)
}

/// Result types of a `composite`: those of its body's yields.
///
/// # Errors
/// Which operand does not fit the body's argument.
pub fn composite_types(func: &Func, operands: &[ValueId], body: RegionId) -> Result<Vec<TensorType>, String> {
    let region = func.region(body);
    if operands.len() != region.args.len() {
        return Err(format!("composite has {} operands for {} body arguments", operands.len(), region.args.len()));
    }
    for (i, (&o, &a)) in operands.iter().zip(&region.args).enumerate() {
        if func.ty(o) != func.ty(a) {
            return Err(format!("operand {i} of the composite is {}, its body takes {}", func.ty(o), func.ty(a)));
        }
    }
    Ok(region.yields.iter().map(|&y| func.ty(y).clone()).collect())
}

/// Which part of the pairs of queries and keys an attention with a window or a causal mask computes, as a numerator and a denominator: its
/// kernel computes no others, though its body says what all of them count. `(1, 1)` for what is no such composite. Where a device has a
/// part of the queries, the last part counts, and where it has a part of the keys, the first: the device that has it sees most, and the
/// others wait for it.
pub fn window(func: &Func, op: OpId) -> (u64, u64) {
    let data = func.op(op);
    let Op::Composite { attrs, .. } = &data.op else { return (1, 1) };
    let width = match attrs.get("window") {
        Some(&Attr::Int(n)) => u64::try_from(n).unwrap_or(0),
        _ => 0,
    };
    // Operand 0 is the queries, `[.., query, head]`, operand 1 the keys.
    let positions = |i: usize| {
        let shape = data.operands.get(i).map_or(&[][..], |&x| &func.ty(x).shape);
        shape.len().checked_sub(2).and_then(|d| shape.get(d)).copied()
    };
    let (Some(queries), Some(keys)) = (positions(0), positions(1)) else { return (1, 1) };
    let causal = attrs.get("causal") == Some(&Attr::Bool(true));
    // Positions less than that many away, and with `causal` none ahead.
    let near = match width {
        0 => keys,
        width => width.saturating_add(if causal { 0 } else { width - 1 }).min(keys),
    };
    // The last queries see all keys but half of as many as they are; all queries but half of as many as the keys see the first keys.
    let (most, least) = (queries.max(keys), queries.min(keys));
    let seen = if causal { most.saturating_mul(2).saturating_sub(least) } else { most.saturating_mul(2) };
    if keys == 0 {
        return (1, 1);
    }
    let whole = most.saturating_mul(2);
    let narrower = u128::from(near) * u128::from(whole) < u128::from(seen) * u128::from(keys);
    if narrower { (near, keys) } else { (seen, whole) }
}

/// The factor rule of a composite: dims of operands and results that the body treats as one index throughout, and only
/// passes along (parallel in every op it runs through), may be split; all others are blocked. An index that some results have
/// and others are sums over, as the last op on the way to them, may be split too, and makes those partial: queries in the
/// gradient of attention, of which keys' gradients are sums. A conversion to another float may follow the sum. So a fused kernel needs no rule of its own, and none can be wrong.
pub fn composite_factors(func: &Func, op: OpId) -> FactorRule {
    composite_dims(func, op).rule
}

/// Which factor of a composite each dim of each value in its body is: what its local form follows from.
pub struct CompositeDims {
    pub rule: FactorRule,
    factor_of: BTreeMap<(ValueId, usize), usize>,
    /// The factors that a value is a sum over, or another reduction.
    partial: BTreeMap<ValueId, Vec<(usize, Reduction)>>,
}

impl CompositeDims {
    /// The layout that body value `v` has under an assignment of the composite.
    pub fn layout(&self, func: &Func, v: ValueId, a: &Assignment) -> Layout {
        let mut l = Layout::replicated(func.ty(v).rank());
        for (d, axes) in l.dims.iter_mut().enumerate() {
            *axes = self.axes(v, d, a);
        }
        for (f, kind) in self.partial.get(&v).into_iter().flatten() {
            l.partial.extend(a.factors.get(f).into_iter().flatten().map(|&x| (x, *kind)));
        }
        l
    }

    /// The assignment of body op `inner`, whose factor rule is `rule` ([`body_factors`]), that goes with one of the composite.
    pub fn assignment(&self, func: &Func, inner: OpId, rule: &FactorRule, a: &Assignment) -> Assignment {
        let mut out = Assignment::default();
        let data = func.op(inner);
        for (values, lists) in [(&data.operands, &rule.operands), (&data.results, &rule.results)] {
            for (&v, list) in values.iter().zip(lists) {
                for (d, fs) in list.iter().enumerate() {
                    let axes = self.axes(v, d, a);
                    // Of several factors the one that is the dim; a dim of size 1 may be split too, by axes of size 1.
                    let whole = fs.iter().find(|&&f| rule.sizes[f] != 1).or(fs.first());
                    if let (false, Some(&f)) = (axes.is_empty(), whole) {
                        out.factors.insert(f, axes);
                    }
                }
            }
        }
        if let (Op::Convert { .. }, Some(&x)) = (&data.op, data.operands.first()) {
            let sums = self.partial.get(&x).into_iter().flatten();
            let axes = sums.filter_map(|(f, _)| a.factors.get(f)).flatten();
            out.linear.extend(axes.map(|&axis| (axis, 0)));
        }
        out
    }

    fn axes(&self, v: ValueId, d: usize, a: &Assignment) -> Vec<Axis> {
        let factor = self.factor_of.get(&(v, d));
        factor.and_then(|f| a.factors.get(f)).cloned().unwrap_or_default()
    }
}

/// See [`composite_factors`].
pub fn composite_dims(func: &Func, op: OpId) -> CompositeDims {
    let data = func.op(op);
    let region = func.region(data.regions[0]);
    let mut dims = Classes::default();
    let mut reads: BTreeMap<ValueId, Vec<OpId>> = BTreeMap::new();
    for &o in &region.ops {
        func.op(o).operands.iter().for_each(|&v| reads.entry(v).or_default().push(o));
    }
    // Results and what they are converted from, and what they are sums over.
    let mut sums: Vec<(ValueId, usize, Reduction)> = Vec::new();
    for o in region.ops.iter().copied() {
        let inner = func.op(o);
        let Some(rule) = factors(func, o) else {
            // A loop in a body: none of the dims it sees may be split.
            for &v in inner.operands.iter().chain(&inner.results) {
                for d in 0..func.ty(v).rank() {
                    let node = dims.dim(v, d);
                    dims.block(node);
                }
            }
            continue;
        };
        let nodes = dims.join_factors(inner, &rule);
        let given: Option<Vec<Vec<ValueId>>> =
            inner.results.iter().map(|&r| yielded(func, region, &reads, r)).collect();
        for (f, &node) in nodes.iter().enumerate() {
            match (rule.kinds[f], &given) {
                (FactorKind::Parallel, _) => {}
                (FactorKind::Reduced(kind), Some(given))
                    if kind == Reduction::Sum || given.iter().all(|chain| chain.len() == 1) =>
                {
                    dims.reduce(node, kind);
                    sums.extend(given.iter().flatten().map(|&r| (r, node, kind)));
                }
                (FactorKind::Reduced(_) | FactorKind::Single | FactorKind::Resized(_) | FactorKind::Blocked, _) => {
                    dims.block(node);
                }
            }
        }
    }
    dims.block_repeated(func, region);
    let (mut rule, number) = dims.rule(func, region);
    // A factor that no result shows would make the results differ from device to device; one that only some results show
    // likewise, unless the others are sums over it.
    for f in 0..rule.sizes.len() {
        let shows = |i: usize| rule.results[i].iter().any(|d| d.contains(&f));
        let mut summed =
            |v: ValueId| sums.iter().any(|&(r, node, _)| r == v && number.get(&dims.find(node)) == Some(&f));
        let everywhere = region.yields.iter().enumerate().all(|(i, &v)| shows(i) || summed(v));
        if !everywhere || !(0..rule.results.len()).any(shows) {
            rule.kinds[f] = FactorKind::Blocked;
        }
    }
    let keys: Vec<(ValueId, usize)> = dims.dims.keys().copied().collect();
    let factor_of = keys.into_iter().filter_map(|(v, d)| {
        let node = dims.dim(v, d);
        Some(((v, d), *number.get(&dims.find(node))?))
    });
    let factor_of = factor_of.collect();
    let mut partial: BTreeMap<ValueId, Vec<(usize, Reduction)>> = BTreeMap::new();
    for (v, node, kind) in sums {
        if let Some(&f) = number.get(&dims.find(node)) {
            partial.entry(v).or_default().push((f, kind));
        }
    }
    CompositeDims { rule, factor_of, partial }
}

/// The factor rule of an op of a composite's body. There a float may be narrowed while it is a partial sum: the composite's kernel adds up
/// in the wide type and rounds its result, as a contraction does whose result is partial.
pub fn body_factors(func: &Func, op: OpId) -> Option<FactorRule> {
    let mut rule = factors(func, op)?;
    let data = func.op(op);
    if let (Op::Convert { to }, Some(&x)) = (&data.op, data.operands.first())
        && to.is_float()
        && func.ty(x).dtype.is_float()
    {
        rule.linear = vec![vec![0]];
    }
    Some(rule)
}

/// What a value of a region becomes before nothing else reads it: itself, and floats of other widths. The last of them is a result of the
/// region.
fn yielded(func: &Func, region: &Region, reads: &BTreeMap<ValueId, Vec<OpId>>, v: ValueId) -> Option<Vec<ValueId>> {
    let readers = reads.get(&v).map_or(&[][..], Vec::as_slice);
    if region.yields.contains(&v) {
        return readers.is_empty().then(|| vec![v]);
    }
    let &[o] = readers else { return None };
    let data = func.op(o);
    let is_float = func.ty(v).dtype.is_float();
    let Op::Convert { to } = data.op else { return None };
    let rest = (is_float && to.is_float()).then(|| yielded(func, region, reads, *data.results.first()?))??;
    Some([vec![v], rest].concat())
}

/// Union-find over (value, dim) pairs and op factors.
#[derive(Default)]
struct Classes {
    parent: Vec<usize>,
    blocked: Vec<bool>,
    reduced: Vec<Option<Reduction>>,
    dims: BTreeMap<(ValueId, usize), usize>,
}

impl Classes {
    /// Joins the dims of an op's values with the op's own factors, a node for each of which it gives. Factors that make up
    /// a dim together are blocked.
    fn join_factors(&mut self, op: &OpData, rule: &FactorRule) -> Vec<usize> {
        let nodes: Vec<usize> = rule.sizes.iter().map(|_| self.fresh()).collect();
        for (values, lists) in [(&op.operands, &rule.operands), (&op.results, &rule.results)] {
            for (&v, list) in values.iter().zip(lists) {
                for (d, fs) in list.iter().enumerate() {
                    let alone = match fs.as_slice() {
                        [f] => Some(*f),
                        // Size-1 factors do not make a dim composite.
                        many => {
                            let big: Vec<usize> = many.iter().copied().filter(|&f| rule.sizes[f] != 1).collect();
                            if let [f] = big[..] { Some(f) } else { None }
                        }
                    };
                    let node = self.dim(v, d);
                    match alone {
                        Some(f) => self.join(node, nodes[f]),
                        None => {
                            self.block(node);
                            for &f in fs {
                                self.block(nodes[f]);
                            }
                        }
                    }
                }
            }
        }
        nodes
    }

    /// Two dims of one value in one class cannot be split together.
    fn block_repeated(&mut self, func: &Func, region: &Region) {
        let results = region.ops.iter().flat_map(|&o| &func.op(o).results);
        for &v in region.args.iter().chain(results) {
            let nodes: Vec<usize> = (0..func.ty(v).rank()).map(|d| self.dim(v, d)).collect();
            for i in 0..nodes.len() {
                if nodes[..i].iter().any(|&n| self.find(n) == self.find(nodes[i])) {
                    self.block(nodes[i]);
                }
            }
        }
    }

    /// The rule whose factors are the classes of the body's arguments and results, and the factor of each class.
    fn rule(&mut self, func: &Func, region: &Region) -> (FactorRule, BTreeMap<usize, usize>) {
        let (mut sizes, mut kinds) = (Vec::new(), Vec::new());
        let mut number: BTreeMap<usize, usize> = BTreeMap::new();
        let mut lists = |values: &[ValueId]| -> Vec<Vec<Vec<usize>>> {
            let mut out = Vec::new();
            for &v in values {
                let mut list = Vec::new();
                for d in 0..func.ty(v).rank() {
                    let node = self.dim(v, d);
                    let class = self.find(node);
                    let f = *number.entry(class).or_insert_with(|| {
                        sizes.push(func.ty(v).shape[d]);
                        kinds.push(match self.reduced[class] {
                            _ if self.blocked[class] => FactorKind::Blocked,
                            Some(kind) => FactorKind::Reduced(kind),
                            None => FactorKind::Parallel,
                        });
                        sizes.len() - 1
                    });
                    list.push(vec![f]);
                }
                out.push(list);
            }
            out
        };
        let (operands, results) = (lists(&region.args), lists(&region.yields));
        (FactorRule { sizes, kinds, operands, results, linear: Vec::new(), commuting: Vec::new() }, number)
    }

    fn fresh(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.blocked.push(false);
        self.reduced.push(None);
        self.parent.len() - 1
    }

    fn dim(&mut self, v: ValueId, d: usize) -> usize {
        if let Some(&n) = self.dims.get(&(v, d)) {
            return n;
        }
        let n = self.fresh();
        self.dims.insert((v, d), n);
        n
    }

    fn find(&mut self, mut n: usize) -> usize {
        while self.parent[n] != n {
            self.parent[n] = self.parent[self.parent[n]];
            n = self.parent[n];
        }
        n
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (lo, hi) = (a.min(b), a.max(b));
        self.parent[hi] = lo;
        self.blocked[lo] |= self.blocked[hi];
        if let Some(kind) = self.reduced[hi] {
            self.reduce(lo, kind);
        }
    }

    /// Something is reduced over it; in two ways at once it cannot be.
    fn reduce(&mut self, n: usize, kind: Reduction) {
        let n = self.find(n);
        if self.reduced[n].is_some_and(|k| k != kind) {
            self.blocked[n] = true;
        }
        self.reduced[n] = Some(kind);
    }

    fn block(&mut self, n: usize) {
        let n = self.find(n);
        self.blocked[n] = true;
    }
}
