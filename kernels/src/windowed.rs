//! Windows: the part of a dim of a space in which a computed condition can hold, such as `0 <= i - start < 1`. Outside of it a kernel
//! has less to do, or nothing:
//! - Outputs that are `select(condition, new, old)` and lie over `old` are there already.
//! - A row that is `select(condition, f(sum of the row), other)` needs no sum.
//! - A sum of what is 0 where the condition does not hold goes over the window alone.
//!
//! A spec says nothing of this. Its meaning is that of all points, with a condition at each; a window is where the code for CPUs looks.
//! It may be too large and is never too small: inside of it the condition is asked at each point.
//!
//! Not here: the code ([`crate::emit`]).

use crate::expr::{Access, Body, Comparison, DType, Elem, Node, NodeId};

/// A sum of integers of which all are the same at all points, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionSum {
    /// Each with 1 or -1.
    pub terms: Vec<(i64, NodeId)>,
    pub plus: i64,
}

/// Indices of `dim` outside of which a condition does not hold: below the greatest of `lower`, and from the least of `upper` on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IndexWindow {
    pub dim: usize,
    pub lower: Vec<PositionSum>,
    pub upper: Vec<PositionSum>,
}

/// Terms of a sum. With each of them and the number below [`PositionSum::SMALL`], and dims below it, no partial sum overflows an i32.
const TERMS: usize = 4;

impl PositionSum {
    /// What all terms, and the sizes of dims, have to be below for a window to be one.
    pub const SMALL: i64 = 1 << 28;

    fn of(plus: i64) -> PositionSum {
        PositionSum { terms: Vec::new(), plus }
    }

    /// This sum and `sign` times the other.
    fn and(&self, sign: i64, other: &PositionSum) -> PositionSum {
        let more = other.terms.iter().map(|(s, id)| (s * sign, *id));
        PositionSum { terms: self.terms.iter().copied().chain(more).collect(), plus: self.plus + sign * other.plus }
    }
}

/// The windows of a condition, one for each dim that it bounds. Empty for conditions of other forms.
pub fn windows(body: &Body, shape: &[u64], condition: NodeId) -> Vec<IndexWindow> {
    let mut found: Vec<IndexWindow> = Vec::new();
    let mut open = vec![condition];
    while let Some(id) = open.pop() {
        let Node::Elem { op, args, .. } = &body.nodes[id.index()] else { continue };
        if *op == Elem::And && body.dtype(id) == DType::Bool {
            open.extend(args);
        } else if let Elem::Compare(comparison) = op
            && let Some((dim, lower, upper)) = bounds(body, *comparison, args)
            && (shape[dim] as i64) < PositionSum::SMALL
        {
            let at = found.iter().position(|w| w.dim == dim).unwrap_or_else(|| {
                found.push(IndexWindow { dim, ..IndexWindow::default() });
                found.len() - 1
            });
            found[at].lower.extend(lower);
            found[at].upper.extend(upper);
        }
    }
    found.sort_by_key(|w| w.dim);
    found
}

/// What a comparison with the index of a dim says of it: the dim, where it holds from, and where it ends.
fn bounds(
    body: &Body,
    comparison: Comparison,
    args: &[NodeId],
) -> Option<(usize, Option<PositionSum>, Option<PositionSum>)> {
    let (left, right) = (linear(body, *args.first()?)?, linear(body, *args.get(1)?)?);
    let (dim, own, other, comparison) = match (left, right) {
        ((Some(d), own), (None, other)) => (d, own, other, comparison),
        ((None, other), (Some(d), own)) => (d, own, other, turned(comparison)),
        _ => return None,
    };
    // index + own `comparison` other.
    let at = other.and(-1, &own);
    if at.terms.len() > TERMS || at.plus.abs() >= PositionSum::SMALL {
        return None;
    }
    let behind = || at.and(1, &PositionSum::of(1));
    match comparison {
        Comparison::Eq => Some((dim, Some(at.clone()), Some(behind()))),
        Comparison::Ge => Some((dim, Some(at), None)),
        Comparison::Gt => Some((dim, Some(behind()), None)),
        Comparison::Le => Some((dim, None, Some(behind()))),
        Comparison::Lt => Some((dim, None, Some(at))),
        Comparison::Ne => None,
    }
}

/// The comparison with its sides exchanged.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Lt => Comparison::Gt,
        Comparison::Le => Comparison::Ge,
        Comparison::Gt => Comparison::Lt,
        Comparison::Ge => Comparison::Le,
        same => same,
    }
}

/// An i32 as the index of a dim, or of none, and a sum.
fn linear(body: &Body, id: NodeId) -> Option<(Option<usize>, PositionSum)> {
    if body.dtype(id) != DType::I32 {
        return None;
    }
    if is_fixed(body, id) {
        return Some((
            None,
            match body.nodes[id.index()] {
                Node::Const { bits, .. } => PositionSum::of(bits as i64),
                _ => PositionSum { terms: vec![(1, id)], plus: 0 },
            },
        ));
    }
    match &body.nodes[id.index()] {
        Node::Iota { dim } => Some((Some(*dim as usize), PositionSum::default())),
        Node::Elem { op: Elem::Add, args, .. } => {
            let ((d, x), (e, y)) = (linear(body, args[0])?, linear(body, args[1])?);
            (d.is_none() || e.is_none()).then(|| (d.or(e), x.and(1, &y)))
        }
        Node::Elem { op: Elem::Subtract, args, .. } => {
            let ((d, x), (e, y)) = (linear(body, args[0])?, linear(body, args[1])?);
            e.is_none().then(|| (d, x.and(-1, &y)))
        }
        _ => None,
    }
}

/// Whether a value is the same at all points, and needs no reduction.
fn is_fixed(body: &Body, id: NodeId) -> bool {
    let moves = |a: &Access| a.strides.iter().any(|s| *s != 0);
    let own = match &body.nodes[id.index()] {
        Node::Leaf(a) | Node::Gather { access: a, .. } => !moves(a),
        Node::Iota { .. } | Node::Reduce { .. } | Node::Acc => false,
        Node::Const { .. } | Node::Dim { .. } | Node::Elem { .. } => true,
    };
    own && body.args(id).iter().all(|a| is_fixed(body, *a))
}

/// What rows outside of the windows of a kernel have to do.
pub enum Outside {
    /// Nothing, where each output (by number) lies at the place of the leaf beside it.
    Kept(Vec<(usize, Access)>),
    /// To compute this.
    Other(Body),
}

/// The windows of the rows of a fused kernel, if there are any.
pub struct Windowed {
    /// Of dims before the last; one, if [`Outside::Other`] is beside it.
    pub windows: Vec<IndexWindow>,
    pub outside: Outside,
}

impl Windowed {
    pub fn of(body: &Body, shape: &[u64]) -> Option<Windowed> {
        Windowed::kept(body, shape).or_else(|| Windowed::without_sums(body, shape))
    }

    fn rows(body: &Body, shape: &[u64], condition: NodeId) -> Option<Vec<IndexWindow>> {
        let all = windows(body, shape, condition);
        let rows: Vec<IndexWindow> = all.into_iter().filter(|w| w.dim + 1 < shape.len()).collect();
        (!rows.is_empty()).then_some(rows)
    }

    /// Outputs that are all selected by one condition, or are what was there.
    fn kept(body: &Body, shape: &[u64]) -> Option<Windowed> {
        let mut condition = None;
        let mut pairs = Vec::new();
        for (i, o) in body.outputs.iter().enumerate() {
            let (c, _, old) = selected(body, stored(body, o.node))?;
            let Node::Leaf(leaf) = &body.nodes[stored(body, old).index()] else { return None };
            let a = &o.access;
            let same = (&leaf.strides, leaf.offset, leaf.start) == (&a.strides, a.offset, a.start);
            let alike = body.buffers[leaf.buffer as usize] == body.buffers[a.buffer as usize];
            if !same || !alike || leaf.buffer == a.buffer || condition.is_some_and(|d| d != c) {
                return None;
            }
            condition = Some(c);
            pairs.push((i, leaf.clone()));
        }
        let windows = Windowed::rows(body, shape, condition?)?;
        Some(Windowed { windows, outside: Outside::Kept(pairs) })
    }

    /// Outputs that are all selected by one condition, or are what takes no reduction.
    fn without_sums(body: &Body, shape: &[u64]) -> Option<Windowed> {
        if !body.has_reduce() {
            return None;
        }
        let mut condition = None;
        let mut other = body.clone();
        for (i, o) in body.outputs.iter().enumerate() {
            let (c, _, instead) = selected(body, stored(body, o.node))?;
            if condition.is_some_and(|d| d != c) {
                return None;
            }
            condition = Some(c);
            // What is stored in 16 bits is rounded as the whole would be.
            other.outputs[i].node = match body.nodes[o.node.index()] {
                Node::Elem { op: Elem::Convert, dtype, .. } => other.convert(instead, dtype),
                _ => instead,
            };
        }
        let windows: Vec<IndexWindow> = Windowed::rows(body, shape, condition?)?.into_iter().take(1).collect();
        let other = reached(&other);
        (!other.has_reduce()).then_some(Windowed { windows, outside: Outside::Other(other) })
    }
}

/// A body without the nodes that no output needs. Its buffers stay.
fn reached(body: &Body) -> Body {
    let mut live = vec![false; body.nodes.len()];
    let mut open: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut live[id.index()], true) {
            open.extend(body.args(id));
        }
    }
    let mut new = Body::new(&body.buffers);
    let mut moved = vec![NodeId(0); body.nodes.len()];
    for (i, node) in body.nodes.iter().enumerate().filter(|(i, _)| live[*i]) {
        let mut node = node.clone();
        match &mut node {
            Node::Elem { args, .. } => args.iter_mut().for_each(|a| *a = moved[a.index()]),
            Node::Gather { index: a, .. } | Node::Reduce { arg: a, .. } => *a = moved[a.index()],
            Node::Leaf(_) | Node::Const { .. } | Node::Iota { .. } | Node::Dim { .. } | Node::Acc => {}
        }
        moved[i] = new.node(node);
    }
    body.outputs.iter().for_each(|o| new.output(moved[o.node.index()], o.access.clone()));
    new
}

/// The operands of a `select`.
fn selected(body: &Body, id: NodeId) -> Option<(NodeId, NodeId, NodeId)> {
    match &body.nodes[id.index()] {
        Node::Elem { op: Elem::Select, args, .. } => Some((args[0], args[1], args[2])),
        _ => None,
    }
}

/// What is converted to or from a type of memory.
fn stored(body: &Body, id: NodeId) -> NodeId {
    match &body.nodes[id.index()] {
        Node::Elem { op: Elem::Convert, dtype, args } => {
            let from = body.dtype(args[0]);
            let memory = dtype.is_stored_only() && dtype.computed() == from
                || from.is_stored_only() && from.computed() == *dtype;
            if memory { args[0] } else { id }
        }
        _ => id,
    }
}

/// The windows of what a sum over rows adds up: where it is not 0 for a condition.
pub fn of_sum(body: &Body, shape: &[u64], summed: NodeId) -> Vec<IndexWindow> {
    let conditions = body.nodes.iter().filter_map(|n| match n {
        Node::Elem { op: Elem::Select, args, .. } => Some(args[0]),
        _ => None,
    });
    let zero = |c: &NodeId| without(body, summed, *c).is_some_and(|x| x == 0.0);
    let found = conditions.into_iter().find(|c| zero(c) && !windows(body, shape, *c).is_empty());
    found.map_or_else(Vec::new, |c| windows(body, shape, c))
}

/// The number that a float is wherever a condition does not hold, if it is the same one everywhere. Zeros have no sign here.
fn without(body: &Body, id: NodeId, condition: NodeId) -> Option<f64> {
    match &body.nodes[id.index()] {
        Node::Const { dtype, bits } if dtype.is_float() => Some(f64::from_bits(*bits)),
        Node::Elem { op, dtype, args } if dtype.is_float() => {
            let of = |k: usize| without(body, args[k], condition);
            match op {
                Elem::Select if args[0] == condition => of(2),
                // What only one of them is may be multiplied by an infinity.
                Elem::Multiply => (of(0)? == 0.0 && of(1)? == 0.0).then_some(0.0),
                Elem::Convert => of(0).filter(|x| *x == 0.0),
                _ => None,
            }
        }
        _ => None,
    }
}
