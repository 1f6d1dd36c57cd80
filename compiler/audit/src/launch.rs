//! Launches: what each leaves in memory.

use crate::affine::{Affine, Var, linear};
use crate::bytes::{Bytes, Rounds, meet};
use crate::memory::{Content, Launched, Piece, Twin};
use crate::place::Place;
use crate::prove::Prover;
use crate::space::{Devices, Proof, Role, Space, Stop, unfollowed, wrong};
use crate::special;
use crate::state::State;
use crate::term::{Term, extent, reduced};
use meshloom_bundle::program::Launch;
use meshloom_ir::ValueId;
use meshloom_kernels::spec::{Dot, DotAndSum};
use meshloom_kernels::{Access, Arg, Body, BufferRole, DType, KernelSpec, Node, NodeId, Operand, Output};
use std::rc::Rc;

/// A kernel that is launched, and its arguments.
pub(crate) struct Kernel {
    pub spec: Rc<KernelSpec>,
    pub args: Vec<Arg>,
}

/// What a launch leaves in memory.
pub(crate) struct Made {
    pub pieces: Vec<Piece>,
    /// All of it was found to be values of the program.
    pub named: bool,
}

/// What a launch leaves in memory. `number` is its own.
pub(crate) fn run(
    s: &State<'_>,
    l: &Launch,
    Kernel { spec, args }: &Kernel,
    number: usize,
    twin: Option<Twin>,
) -> Proof<Made> {
    for (i, d) in args.iter().enumerate() {
        if (d.role != BufferRole::Read) != l.writes.contains(&(i as u32)) {
            return wrong(format!("does not say whether it writes `{}`", d.name));
        }
    }
    // Also those of a kernel of which nothing asks what it computes.
    if let Some(o) = l.ops.iter().find(|&&o| o as usize >= s.func.ops.len()) {
        return wrong(format!("names op {o}, which the program does not have"));
    }
    // How a GPU counts them stands with its kernel.
    if s.program.kernels[l.kernel as usize].gpu.is_none() && l.units != spec.units() {
        return wrong(format!("runs {} units of {}", l.units, spec.units()));
    }
    let by = Rc::new(Launched {
        spec: Rc::clone(spec),
        buffers: l.args.iter().map(|b| s.buffer(b)).collect(),
        dims: l.dims.iter().map(|d| s.dim(d)).collect(),
        number,
        twin,
    });
    match spec.body() {
        Some(body) => of_body(s, l, &by, body),
        None => Ok(Made { pieces: special::run(s, l, &by)?, named: true }),
    }
}

/// A kernel with a body: each of its outputs.
fn of_body(s: &State<'_>, l: &Launch, by: &Rc<Launched>, body: &Body) -> Proof<Made> {
    let shape = extent(&by.spec);
    let over = |d: usize| body.reductions().iter().any(|r| reduced(&by.spec, r.0).contains(&d));
    if shape.iter().enumerate().any(|(d, &n)| n == 0 && !over(d)) {
        return Ok(Made { pieces: Vec::new(), named: true });
    }
    if shape.contains(&0) && body.outputs.iter().any(|o| reads(body, o.node)) {
        return unfollowed("a sum over nothing, and what is done with it");
    }
    overwrites(s.rounds, by, body, &shape)?;
    let candidates = s.made_by(&l.ops)?;
    let mut pieces = Vec::new();
    let mut named = true;
    for out in &body.outputs {
        let made = output(s, by, body, out, &shape, &candidates)?;
        pieces.extend(made.pieces);
        named &= made.named;
    }
    if let KernelSpec::Pack(pack) = &*by.spec
        && !shape.contains(&0)
    {
        pieces.push(panels(by, pack));
    }
    Ok(Made { pieces, named })
}

/// What an output leaves in memory.
fn output(
    s: &State<'_>,
    by: &Rc<Launched>,
    body: &Body,
    out: &Output,
    shape: &[u64],
    candidates: &[ValueId],
) -> Proof<Made> {
    let access = &out.access;
    let dtype = body.buffers[access.buffer as usize];
    if body.dtype(out.node) != dtype {
        return wrong(format!("stores {} as {}", body.dtype(out.node).name(), dtype.name()));
    }
    let points: u64 = shape.iter().zip(&access.strides).filter(|x| *x.1 != 0).map(|x| x.0).product();
    let fits = |v: &&ValueId| {
        let ty = s.func.ty(**v);
        ty.dtype == dtype && ty.elements() == points
    };
    if points == 0 {
        return Ok(Made { pieces: Vec::new(), named: true });
    }
    let candidates: Vec<Place> = candidates.iter().filter(fits).filter_map(|&v| s.place(v)).collect();
    let point = |space: &mut Space| -> Proof<(Rc<Vec<Affine>>, Affine)> {
        let buffer = &by.buffers[access.buffer as usize];
        let at = Rc::new(space.indices(shape, Role::Free));
        let address = by.address(access, dtype, &at);
        let (lo, hi) = space.range(&address.minus(&buffer.start));
        if lo < 0 || hi + i128::from(dtype.bytes()) > buffer.bytes.into() {
            return wrong("writes beyond the end of a buffer");
        }
        if address.terms.iter().any(|t| space.role(t.0) == Role::Device) {
            return unfollowed("a place that depends on the device");
        }
        Ok((at, address))
    };
    let boxes = s.cases(|space| {
        let (at, address) = point(space)?;
        let (content, found) = content(s, space, by, out, &at, &candidates)?;
        Ok((stored(space, &address, content, dtype)?, found))
    })?;
    let named = boxes.iter().all(|b| b.1 != Found::Unnamed);
    let mut found = boxes[0].1;
    let mut pieces: Vec<Piece> = boxes.iter().map(|b| b.0.clone()).collect();
    let mixed = boxes.iter().any(|b| b.1 != found);
    if mixed {
        let all = boxes.iter().all(|b| matches!(b.1, Found::Candidate(_)));
        match all.then(|| everywhere(s, by, out, candidates.as_slice(), &point)).flatten() {
            Some(k) => found = Found::Candidate(k),
            None => return Ok(Made { pieces, named }),
        }
    }
    if boxes.len() == 1 || found == Found::Copied {
        return Ok(Made { pieces, named });
    }
    // What the proof was cut for need not be cut where it lies: readers would be cut too. On all devices it is the same.
    let whole = s.cases(|space| {
        let (at, address) = point(space)?;
        let content = match found {
            Found::Candidate(k) => named_as(s, space, &candidates[k], access, &at).map(Content::Value)?,
            _ => computed(by, out, &at)?,
        };
        stored(space, &address, content, dtype)
    });
    match whole {
        Ok(whole) => pieces = whole,
        // What lies in a box may be a value that it is on the box's devices alone.
        Err(_) if mixed => return Ok(Made { pieces, named }),
        Err(_) => {}
    }
    pieces.iter_mut().for_each(|p| p.devices = Devices::default());
    Ok(Made { pieces, named })
}

/// A point of a kernel's space, and the address of its output there.
type Point<'p> = dyn Fn(&mut Space) -> Proof<(Rc<Vec<Affine>>, Affine)> + 'p;

/// The candidate that an output is in all boxes, each of which has found one: what is zero in some box is equal there to whatever
/// else is.
fn everywhere(
    s: &State<'_>,
    by: &Rc<Launched>,
    out: &Output,
    candidates: &[Place],
    point: &Point<'_>,
) -> Option<usize> {
    let is = |candidate: &Place| {
        s.cases(|space| {
            let at = point(space)?.0;
            let place = named_as(s, space, candidate, &out.access, &at)?;
            let term = Term::Node(Rc::clone(by), out.node, at);
            Prover::new(&s.facts, space).same(&term, &Term::Place(place))
        })
    };
    candidates.iter().position(|c| is(c).is_ok())
}

/// What an output was found to be in a box.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// The value of the program of this number among those that it may be.
    Candidate(usize),
    /// Elements of values of the program.
    Copied,
    /// Something that the program has no value for.
    Unnamed,
}

/// A content, a function of the indices of a space, where these addresses are.
fn stored(space: &Space, address: &Affine, content: Content, dtype: DType) -> Proof<Piece> {
    let address = space.known(address);
    // The round is no coordinate: the piece is where it is in this one.
    let of_round = |t: &&(Var, i64)| space.role(t.0) == Role::Round;
    let base = Affine { terms: address.terms.iter().filter(of_round).copied().collect(), offset: address.offset };
    let terms: Vec<(Var, i64)> = address.terms.iter().filter(|t| !of_round(t)).copied().collect();
    let strides: Vec<i64> = terms.iter().map(|t| t.1).collect();
    let sizes: Vec<u64> = terms.iter().map(|t| space.size(t.0)).collect();
    let piece = Piece::strided(base, &strides, &sizes, dtype.bytes(), |index| {
        let coordinate = |v| terms.iter().position(|t| t.0 == v).map(|i| index[i].clone());
        let here = |a: &Affine| space.known(a).with(&coordinate);
        content.map(&here)
    });
    let devices = space.devices();
    piece.map_or_else(|| wrong("writes an element twice"), |p| Ok(Piece { devices, ..p.merged() }))
}

/// The element of a value that an output's element would be, by its place in row-major order.
fn named_as(s: &State<'_>, space: &Space, value: &Place, access: &Access, at: &[Affine]) -> Proof<Place> {
    let element = at.iter().zip(&access.strides).fold(Affine::default(), |sum, (i, &s)| sum.plus(i, s));
    let at = space.unravel(&element, &s.func.ty(value.value).shape)?;
    Ok(Place { at: at.into(), ..value.clone() })
}

/// What an output is, as a function of the indices of the kernel's space; and whether it is a value of the program.
fn content(
    s: &State<'_>,
    space: &mut Space,
    by: &Rc<Launched>,
    out: &Output,
    at: &Rc<Vec<Affine>>,
    candidates: &[Place],
) -> Proof<(Content, Found)> {
    let access = &out.access;
    let term = Term::Node(Rc::clone(by), out.node, Rc::clone(at));
    // Where one value would be seen in parts of the box only, another may be seen in all of it. A cut of what a proof itself counts
    // is over with the proof: the next one gives out the same numbers.
    let (mut cut, first) = (None, space.now());
    for (k, c) in candidates.iter().enumerate() {
        let place = named_as(s, space, c, access, at)?;
        match Prover::new(&s.facts, space).same(&term, &Term::Place(place.clone())) {
            Ok(()) => return Ok((Content::Value(place), Found::Candidate(k))),
            Err(Stop::Differs(_) | Stop::Unfollowed(_)) => {}
            Err(Stop::Split { var, at }) if var < first => cut = cut.or(Some(Stop::Split { var, at })),
            Err(other) => return Err(other),
        }
    }
    if let Some(cut) = cut {
        return Err(cut);
    }
    let element = at.iter().zip(&access.strides).fold(Affine::default(), |sum, (i, &s)| sum.plus(i, s));
    let element = space.known(&element);
    let written = |space: &Space, a: &Affine| {
        let written = |v: Var| matches!(space.role(v), Role::Device | Role::Round) || element.factor(v) != 0;
        space.known(a).terms.iter().all(|t| written(t.0))
    };
    match Prover::new(&s.facts, space).padded_head(&term) {
        Ok(Term::Place(p)) if p.at.iter().all(|a| written(space, a)) => {
            return Ok((Content::Value(p), Found::Copied));
        }
        Ok(Term::Padded(p)) if p.place.at.iter().chain(p.within.iter().map(|w| &w.0)).all(|a| written(space, a)) => {
            return Ok((Content::Padded(p), Found::Copied));
        }
        Ok(_) | Err(Stop::Differs(_) | Stop::Unfollowed(_)) => {}
        Err(other) => return Err(other),
    }
    Ok((computed(by, out, at)?, Found::Unnamed))
}

/// An output as what the kernel computes.
fn computed(by: &Rc<Launched>, &Output { node, ref access }: &Output, at: &[Affine]) -> Proof<Content> {
    let body = by.spec.body().map_or_else(|| wrong("a kernel without a body"), Ok)?;
    let mut point = at.to_vec();
    for (d, i) in point.iter_mut().enumerate().filter(|x| access.strides[x.0] == 0) {
        if !i.terms.is_empty() && varies(&by.spec, body, node, d) {
            return wrong("writes an element more than once");
        }
        *i = Affine::constant(i.offset);
    }
    Ok(Content::Node { by: Rc::clone(by), node, at: point })
}

/// Whether a node reads memory, apart from what it sums over.
fn reads(body: &Body, node: NodeId) -> bool {
    match &body.nodes[node.index()] {
        Node::Leaf(_) | Node::Gather { .. } => true,
        Node::Elem { args, .. } => args.iter().any(|&a| reads(body, a)),
        Node::Const { .. } | Node::Iota { .. } | Node::Dim { .. } | Node::Reduce { .. } | Node::Acc => false,
    }
}

/// Whether a node is another one where the index of a dim is another one.
fn varies(spec: &KernelSpec, body: &Body, node: NodeId, dim: usize) -> bool {
    match &body.nodes[node.index()] {
        Node::Leaf(a) => a.strides[dim] != 0,
        Node::Gather { access, index, .. } => access.strides[dim] != 0 || varies(spec, body, *index, dim),
        Node::Iota { dim: d } => *d as usize == dim,
        Node::Reduce { arg, .. } => !reduced(spec, node).contains(&dim) && varies(spec, body, *arg, dim),
        Node::Elem { args, .. } => args.iter().any(|&a| varies(spec, body, a, dim)),
        Node::Acc => contraction(spec).is_none_or(|d| dim < d.space().len()),
        Node::Const { .. } | Node::Dim { .. } => false,
    }
}

/// The contraction of operands as they lie that a kernel computes.
fn contraction(spec: &KernelSpec) -> Option<&Dot> {
    match spec {
        KernelSpec::Dot(s) | KernelSpec::DotAndSum(DotAndSum { dot: s, .. }) => Some(s),
        _ => None,
    }
}

/// Bytes that an access of a launch touches; all of its buffer where that depends on the device.
fn touched(by: &Launched, body: &Body, access: &Access, rows: i64, shape: &[u64]) -> Bytes {
    let (buffer, bytes) = (&by.buffers[access.buffer as usize], body.buffers[access.buffer as usize].bytes() as i64);
    if access.start.is_some() {
        return (buffer.start.clone(), buffer.bytes);
    }
    let ends = access.strides.iter().zip(shape).map(|(&s, &n)| s * (n.max(1) as i64 - 1)).chain([rows]);
    let (mut lo, mut hi) = (access.offset, access.offset);
    ends.for_each(|end| (lo, hi) = (lo + end.min(0), hi + end.max(0)));
    (buffer.start.shifted(lo * bytes), (hi + 1 - lo) * bytes)
}

/// All bytes of a buffer.
fn all(by: &Launched, buffer: u32) -> Bytes {
    (by.buffers[buffer as usize].start.clone(), by.buffers[buffer as usize].bytes)
}

/// Bytes that a contraction reads of its two operands: of panels all, of an operand as it lies those of its rows and columns.
fn contracted(by: &Launched, body: &Body) -> Vec<Bytes> {
    let of = |side: u32, access: &Access, rows: i64, shape: &[&[u64]]| {
        touched(by, body, &Access { buffer: side, ..access.clone() }, rows, &shape.concat())
    };
    match &*by.spec {
        KernelSpec::Dot(s) | KernelSpec::DotAndSum(DotAndSum { dot: s, .. }) => {
            vec![of(0, &s.a, 0, &[&s.batch, &s.m, &s.k]), of(1, &s.b, 0, &[&s.batch, &s.n, &s.k])]
        }
        KernelSpec::Matmul(s) => [(&s.a, &s.m), (&s.b, &s.n)]
            .into_iter()
            .zip(0..)
            .map(|((operand, free), side)| match operand {
                Operand::Direct { access, k_stride } => {
                    of(side, access, (s.k as i64 - 1).max(0) * k_stride, &[&s.batch, free])
                }
                Operand::Packed => all(by, side),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a kernel with a body leaves alone what it reads, or writes each element where it alone has read it.
fn overwrites(rounds: Rounds, by: &Launched, body: &Body, shape: &[u64]) -> Proof<()> {
    type Touched<'a> = (Bytes, Option<&'a Access>);
    let mut reads: Vec<Touched<'_>> = Vec::new();
    for n in &body.nodes {
        match n {
            Node::Leaf(a) => reads.push((touched(by, body, a, 0, shape), Some(a))),
            Node::Gather { access, stride, rows, .. } => {
                let last = (*rows as i64 - 1).max(0) * stride;
                reads.push((touched(by, body, access, last, shape), None));
            }
            _ => {}
        }
    }
    reads.extend(contracted(by, body).into_iter().map(|bytes| (bytes, None)));
    let mut writes: Vec<Touched<'_>> =
        body.outputs.iter().map(|o| (touched(by, body, &o.access, 0, shape), Some(&o.access))).collect();
    if let KernelSpec::Pack(s) = &*by.spec {
        writes.push((all(by, s.panels), None));
    }
    let meet = |a: &Bytes, b: &Bytes| meet(rounds, (&a.0, a.1), (&b.0, b.1));
    let alike = |a: &Access, b: &Access| {
        let start = |x: &Access| {
            let bytes = body.buffers[x.buffer as usize].bytes() as i64;
            (by.buffers[x.buffer as usize].start.shifted(x.offset * bytes), bytes)
        };
        start(a) == start(b) && a.strides == b.strides && a.start == b.start
    };
    for (i, (w, to)) in writes.iter().enumerate() {
        for (_, from) in reads.iter().filter(|r| meet(w, &r.0)) {
            if !to.zip(*from).is_some_and(|(to, from)| alike(to, from)) {
                return wrong("writes over what it still reads");
            }
        }
        if writes[i + 1..].iter().any(|o| meet(w, &o.0)) {
            return wrong("writes two results to the same bytes");
        }
    }
    Ok(())
}

/// What a pack leaves in its panels. Rows beyond the last one are zeros that nobody reads.
fn panels(by: &Rc<Launched>, s: &meshloom_kernels::Pack) -> Piece {
    let (outer, run) = (&s.rows[..s.rows.len().saturating_sub(1)], s.run());
    let shape = [&s.batch[..], outer, &[run.div_ceil(s.width)], &s.k, &[s.width]].concat();
    let lead = s.batch.len() + outer.len();
    let dtype: DType = s.body.dtype(s.value);
    Piece::dense(by.buffers[s.panels as usize].start.clone(), &shape, dtype.bytes(), |at| {
        let row = linear(&[at[lead].clone(), at[shape.len() - 1].clone()], &[1, s.width]);
        let row = if s.rows.is_empty() { Vec::new() } else { vec![row] };
        let at = [&at[..lead], &row, &at[lead + 1..shape.len() - 1]].concat();
        Content::Node { by: Rc::clone(by), node: s.value, at }
    })
}
