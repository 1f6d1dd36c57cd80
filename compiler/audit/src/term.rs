//! Terms: what an element is made of, seen from a kernel or from the local program.
//!
//! Both are the same language, so that they can be compared ([`crate::prove`]). A term is opened one step at a time: a load
//! becomes what lies there, a node what its kernel says, a value of the program what its op says.

use crate::affine::{Affine, linear};
use crate::exact::Exact;
use crate::memory::{Buffer, Content, Launched};
use crate::piece::at_coordinates;
use crate::place::{Padded, Place};
use crate::space::{Proof, Role, Space, unfollowed, wrong};
use crate::values::{Source, position, source};
use crate::wraps::is_narrow;
use meshloom_bundle::program::Number as BundleNumber;
use meshloom_ir::table::elem::{ElemDef, Formula, Upper};
use meshloom_ir::tensor::wrap;
use meshloom_ir::{Comparison, DType, Def, Func, Literal, Op, OpData, OpId, Reduction, Scalar};
use meshloom_kernels::spec::{DotAndSum, TILE_ROWS, panel_cols};
use meshloom_kernels::{Access, Elem, KernelSpec, Matmul, Node, NodeId, Operand};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// A node of a kernel's body at a point of its space.
    Node(Rc<Launched>, NodeId, Rc<Vec<Affine>>),
    /// What lies at an address.
    Load {
        from: Buffer,
        address: Affine,
        dtype: DType,
    },
    /// An element of a value of the program.
    Place(Place),
    /// The same, or what it is padded with.
    Padded(Box<Padded>),
    Number(Exact),
    /// An index as an i32.
    Index(Affine),
    /// Of the type in which it is rounded.
    Elem(Elem, Vec<Term>, DType),
    /// A product that is summed over: of either order.
    Product(Box<Term>, Box<Term>),
    Reduce {
        kind: Reduction,
        over: Vec<Affine>,
        arg: Box<Term>,
        dtype: DType,
    },
    /// Row `index` of a table, zero where it is not in `0..rows`.
    Row {
        of: Box<Table>,
        index: Box<Term>,
        rows: u64,
    },
}

impl Term {
    /// With other indices in the place of those that it is made of.
    pub fn with(&self, f: &dyn Fn(&Affine) -> Affine) -> Term {
        let all = |list: &[Affine]| -> Vec<Affine> { list.iter().map(f).collect() };
        let place = |p: &Place| p.map(f);
        let boxed = |t: &Term| Box::new(t.with(f));
        match self {
            Term::Node(by, node, at) => Term::Node(Rc::clone(by), *node, Rc::new(all(at))),
            Term::Load { from, address, dtype } => {
                Term::Load { from: from.clone(), address: f(address), dtype: *dtype }
            }
            Term::Place(p) => Term::Place(place(p)),
            Term::Padded(p) => Term::Padded(Box::new(p.map(f))),
            Term::Number(x) => Term::Number(*x),
            Term::Index(a) => Term::Index(f(a)),
            Term::Elem(op, args, dtype) => Term::Elem(*op, args.iter().map(|t| t.with(f)).collect(), *dtype),
            Term::Product(a, b) => Term::Product(boxed(a), boxed(b)),
            Term::Reduce { kind, over, arg, dtype } => {
                Term::Reduce { kind: *kind, over: all(over), arg: boxed(arg), dtype: *dtype }
            }
            Term::Row { of, index, rows } => {
                let of = match &**of {
                    Table::Memory { from, address, stride, dtype } => {
                        Table::Memory { from: from.clone(), address: f(address), stride: *stride, dtype: *dtype }
                    }
                    Table::Value { place: p, dim } => Table::Value { place: place(p), dim: *dim },
                };
                Term::Row { of: Box::new(of), index: boxed(index), rows: *rows }
            }
        }
    }
}

/// What rows are read from.
#[derive(Clone, Debug)]
pub(crate) enum Table {
    Memory {
        from: Buffer,
        address: Affine,
        stride: i64,
        dtype: DType,
    },
    /// The rows are dim `dim` of the value.
    Value {
        place: Place,
        dim: usize,
    },
}

impl Table {
    pub fn row(&self, row: &Affine) -> Term {
        match self {
            Table::Memory { from, address, stride, dtype } => {
                Term::Load { from: from.clone(), address: address.plus(row, *stride), dtype: *dtype }
            }
            Table::Value { place, dim } => {
                let mut at = place.at.to_vec();
                at[*dim] = row.clone();
                Term::Place(Place { at: at.into(), ..place.clone() })
            }
        }
    }
}

/// The type of a term, where it has one.
pub(crate) fn type_of(func: &Func, term: &Term) -> Option<DType> {
    match term {
        Term::Node(by, node, _) => by.spec.body().map(|b| b.dtype(*node)),
        Term::Load { dtype, .. } | Term::Elem(_, _, dtype) | Term::Reduce { dtype, .. } => Some(*dtype),
        Term::Place(p) => Some(func.ty(p.value).dtype),
        Term::Padded(p) => Some(func.ty(p.place.value).dtype),
        Term::Index(_) => Some(DType::I32),
        Term::Row { of, .. } => type_of(func, &of.row(&Affine::default())),
        Term::Number(_) | Term::Product(..) => None,
    }
}

fn elem(op: Elem, args: Vec<Term>, dtype: DType) -> Term {
    Term::Elem(op, args, dtype)
}

fn int(n: i64) -> Term {
    Term::Number(Exact::Int(n))
}

/// A term as an op of other terms, or as an element of a value: what memory and kernels say of it. What is padded is one of both in
/// each box.
pub(crate) fn head(func: &Func, space: &mut Space, term: &Term) -> Proof<Term> {
    match padded_head(func, space, term)? {
        Term::Padded(p) => settled(space, &p),
        other => Ok(other),
    }
}

/// The element that something padded is, or the number; asks for a cut where it is both.
pub(crate) fn settled(space: &Space, p: &Padded) -> Proof<Term> {
    for (a, n) in &p.within {
        if !space.within(a, *n)? {
            return Ok(Term::Number(p.fill));
        }
    }
    Ok(Term::Place(p.place.clone()))
}

/// The same as [`head`], but that what is padded may be both.
pub(crate) fn padded_head(func: &Func, space: &mut Space, term: &Term) -> Proof<Term> {
    match term {
        Term::Node(by, node, at) => padded_node(func, space, by, *node, at),
        Term::Load { from, address, dtype } => load(func, space, from, address, *dtype),
        other => Ok(other.clone()),
    }
}

fn load(func: &Func, space: &mut Space, from: &Buffer, address: &Affine, dtype: DType) -> Proof<Term> {
    let within = address.minus(&from.start);
    let (lo, hi) = space.range(&within);
    // Where it begins on a device is no part of the size that a launch says.
    let here = within.terms.iter().all(|t| space.role(t.0) != Role::Device);
    if lo < 0 || hi + i128::from(dtype.bytes()) > from.bytes.into() {
        if here {
            return wrong("reads beyond the end of a buffer");
        }
        space.steps.borrow_mut().beyond();
    }
    let (piece, at) = from.memory.read(space, address, dtype.bytes())?;
    let here = |list: &[Affine]| -> Vec<Affine> { list.iter().map(|a| at_coordinates(a, &at)).collect() };
    let typed = |is: DType, term: Term| match is == dtype {
        true => Ok(term),
        false => wrong(format!("reads {} as {}", is.name(), dtype.name())),
    };
    match &piece.content {
        Content::Value(p) => {
            let is = func.ty(p.value).dtype;
            typed(is, Term::Place(p.map(&|a| at_coordinates(a, &at))))
        }
        Content::Padded(p) => {
            let is = func.ty(p.place.value).dtype;
            typed(is, padded(space, p.map(&|a| at_coordinates(a, &at))))
        }
        Content::Node { by, node, at } => {
            let is = by.spec.body().map_or(dtype, |b| b.dtype(*node));
            let at = Rc::new(here(at));
            typed(is, padded_node(func, space, by, *node, &at)?)
        }
        Content::Number(BundleNumber::Int(n)) => Ok(int(*n)),
        Content::Number(BundleNumber::Float(x)) if dtype.computed().is_float() => Ok(Term::Number(Exact::Float(*x))),
        Content::Number(BundleNumber::Float(x)) => Ok(int(*x as i64)),
        Content::Sorted { .. } => wrong("reads the order of rows as numbers"),
        Content::Padding | Content::Unknown(_) | Content::Skipped(_) => {
            wrong("reads bytes that nothing of the program is in")
        }
    }
}

/// Something padded, where that may matter.
fn padded(space: &Space, mut p: Padded) -> Term {
    let range = |x: &(Affine, u64)| (space.range(&x.0), i128::from(x.1));
    if p.within.iter().map(range).any(|((lo, hi), n)| hi < 0 || lo >= n) {
        return Term::Number(p.fill);
    }
    p.within.retain(|x| {
        let ((lo, hi), n) = range(x);
        lo < 0 || hi >= n
    });
    if p.within.is_empty() { Term::Place(p.place) } else { Term::Padded(Box::new(p)) }
}

fn of_node(func: &Func, space: &mut Space, by: &Rc<Launched>, id: NodeId, at: &Rc<Vec<Affine>>) -> Proof<Term> {
    match padded_node(func, space, by, id, at)? {
        Term::Padded(p) => settled(space, &p),
        other => Ok(other),
    }
}

fn padded_node(func: &Func, space: &mut Space, by: &Rc<Launched>, id: NodeId, at: &Rc<Vec<Affine>>) -> Proof<Term> {
    let Some(body) = by.spec.body() else { return wrong("a kernel without a body") };
    let node = |n: NodeId| Term::Node(Rc::clone(by), n, Rc::clone(at));
    let buffer = |a: &Access| (by.buffers[a.buffer as usize].clone(), body.buffers[a.buffer as usize]);
    match &body.nodes[id.index()] {
        Node::Leaf(a) => {
            let (from, dtype) = buffer(a);
            load(func, space, &from, &by.address(a, dtype, at), dtype)
        }
        Node::Gather { access, index, stride, rows } => {
            let (from, dtype) = buffer(access);
            let (address, stride) = (by.address(access, dtype, at), stride * dtype.bytes() as i64);
            let of = Table::Memory { from, address, stride, dtype };
            let row = row(func, space, of, node(*index), *rows)?;
            padded_head(func, space, &row)
        }
        Node::Const { dtype, bits } if dtype.is_float() => Ok(Term::Number(Exact::Float(f64::from_bits(*bits)))),
        Node::Const { bits, .. } => Ok(int(*bits as i64)),
        Node::Iota { dim } => Ok(Term::Index(at[*dim as usize].clone())),
        Node::Dim { dim } => Ok(Term::Index(by.dims[*dim as usize].clone())),
        Node::Elem { op, dtype, args } => Ok(elem(*op, args.iter().map(|&a| node(a)).collect(), *dtype)),
        Node::Reduce { kind, .. } if reduced(&by.spec, id).any(|d| extent(&by.spec)[d] == 0) => {
            nothing(*kind, body.dtype(id))
        }
        Node::Reduce { kind, arg } => {
            let (mut inner, mut over) = (at.to_vec(), Vec::new());
            for d in reduced(&by.spec, id) {
                inner[d] = space.index(extent(&by.spec)[d], Role::Summed);
                over.push(inner[d].clone());
            }
            let arg = Box::new(Term::Node(Rc::clone(by), *arg, Rc::new(inner)));
            Ok(Term::Reduce { kind: *kind, over, arg, dtype: body.dtype(id) })
        }
        Node::Acc => accumulated(space, by, at),
    }
}

/// The reduction of no elements. Of some kinds kernels and the program have no number in common.
fn nothing(kind: Reduction, dtype: DType) -> Proof<Term> {
    let float = dtype.computed().is_float();
    let x = match kind {
        Reduction::Sum | Reduction::Or => 0.0,
        Reduction::Prod => 1.0,
        Reduction::Max if float => f64::NEG_INFINITY,
        Reduction::Min if float => f64::INFINITY,
        _ => return unfollowed(format!("`{}` of nothing", kind.name())),
    };
    Ok(Term::Number(if float { Exact::Float(x) } else { Exact::Int(x as i64) }))
}

/// Row `index` of a table, which is known where the index is.
fn row(func: &Func, space: &mut Space, of: Table, index: Term, rows: u64) -> Proof<Term> {
    if let Some(i) = as_index(func, space, &index)? {
        let (lo, hi) = space.range(&i);
        if lo >= 0 && hi < i128::from(rows) {
            return Ok(of.row(&i));
        }
    }
    Ok(Term::Row { of: Box::new(of), index: Box::new(index), rows })
}

/// The index space of a kernel with a body.
pub(crate) fn extent(spec: &KernelSpec) -> Vec<u64> {
    match spec {
        KernelSpec::Fused(s) => s.shape.clone(),
        KernelSpec::Column(s) => s.space(),
        KernelSpec::Summed(s) => s.shape.clone(),
        KernelSpec::Pack(s) => s.space(),
        KernelSpec::Matmul(s) => s.space(),
        KernelSpec::Dot(s) => s.space(),
        KernelSpec::DotAndSum(s) => s.space(),
        _ => Vec::new(),
    }
}

/// The dims that a node of a body, which is a reduction, goes over.
pub(crate) fn reduced(spec: &KernelSpec, node: NodeId) -> std::ops::Range<usize> {
    match spec {
        KernelSpec::Summed(s) if node.index() >= s.first_sum() => s.added(),
        KernelSpec::Summed(s) => s.shape.len() - 1..s.shape.len(),
        KernelSpec::Fused(s) => s.shape.len() - 1..s.shape.len(),
        KernelSpec::Column(s) => s.reduced(),
        KernelSpec::DotAndSum(s) => s.added(),
        KernelSpec::Pack(s) => s.batch.len() + s.rows.len()..s.space().len(),
        _ => 0..0,
    }
}

/// A factor of a contraction. Integers of 8 bits are multiplied as i32: a sum of theirs wraps before it is multiplied.
fn factor(term: Term, dtype: DType) -> Term {
    if dtype.is_int8() { elem(Elem::Convert, vec![term], DType::I32) } else { term }
}

/// The sum of products behind [`Node::Acc`].
fn accumulated(space: &mut Space, by: &Rc<Launched>, at: &[Affine]) -> Proof<Term> {
    let load = |which: usize, address: Affine, dtype| Term::Load { from: by.buffers[which].clone(), address, dtype };
    let sum = |over, a, b, dtype| {
        let arg = Box::new(Term::Product(Box::new(a), Box::new(b)));
        Ok(Term::Reduce { kind: Reduction::Sum, over, arg, dtype })
    };
    match &*by.spec {
        KernelSpec::Dot(s) | KernelSpec::DotAndSum(DotAndSum { dot: s, .. }) if s.k.contains(&0) => {
            nothing(Reduction::Sum, s.body.acc_dtype())
        }
        KernelSpec::Matmul(s) if s.k == 0 => nothing(Reduction::Sum, s.dtype()),
        KernelSpec::Dot(s) | KernelSpec::DotAndSum(DotAndSum { dot: s, .. }) => {
            let (lead, rows) = (s.batch.len(), s.batch.len() + s.m.len());
            let over = space.indices(&s.k, Role::Summed);
            let side = |which: usize, access: &Access, free: &[Affine]| {
                let at = [&at[..lead], free, &over].concat();
                let (access, dtype) = (Access { buffer: which as u32, ..access.clone() }, s.body.buffers[which]);
                load(which, by.address(&access, dtype, &at), dtype)
            };
            let (a, b) = (side(0, &s.a, &at[lead..rows]), side(1, &s.b, &at[rows..rows + s.n.len()]));
            let (a, b) = (factor(a, s.stored(0)), factor(b, s.stored(1)));
            sum(over, a, b, s.body.acc_dtype())
        }
        KernelSpec::Matmul(s) => {
            let over = space.index(s.k, Role::Summed);
            let a = load(0, operand(space, by, s, 0, at, &over)?, s.body.buffers[0]);
            let b = load(1, operand(space, by, s, 1, at, &over)?, s.body.buffers[1]);
            sum(vec![over], a, b, s.dtype())
        }
        _ => wrong("a kernel that accumulates nothing"),
    }
}

/// The address of an operand's element for a point of a matmul's space.
fn operand(space: &Space, by: &Launched, s: &Matmul, which: usize, at: &[Affine], k: &Affine) -> Proof<Affine> {
    let (lead, rows) = (s.batch.len(), s.batch.len() + s.m.len());
    let (batch, dtype) = (&at[..lead], s.body.buffers[which]);
    let (operand, free, dims, width) = match which {
        0 => (&s.a, &at[lead..rows], &s.m, TILE_ROWS),
        _ => (&s.b, &at[rows..], &s.n, panel_cols(s.dtype())),
    };
    match operand {
        Operand::Direct { access, k_stride } => {
            let access = Access { buffer: which as u32, ..access.clone() };
            let at = [batch, free].concat();
            Ok(by.address(&access, dtype, &at).plus(k, k_stride * dtype.bytes() as i64))
        }
        Operand::Packed => {
            let (Some((last, outer)), Some((&run, runs))) = (free.split_last(), dims.split_last()) else {
                return wrong("panels without rows");
            };
            let lead = linear(batch, &s.batch);
            let outer = outer.iter().zip(runs).fold(lead, |sum, (i, &n)| sum.scaled(n as i64).plus(i, 1));
            let (panel, lane) = space.div_mod(last, width as i64)?;
            let panel = outer.scaled(run.div_ceil(width) as i64).plus(&panel, 1);
            let element = panel.scaled(s.k as i64).plus(k, 1).scaled(width as i64).plus(&lane, 1);
            Ok(element.scaled(dtype.bytes() as i64).plus(&by.buffers[which].start, 1))
        }
    }
}

/// An i32 term that is a sum of indices, modulo 2^32.
pub(crate) fn as_index(func: &Func, space: &mut Space, term: &Term) -> Proof<Option<Affine>> {
    let here = match term {
        Term::Node(by, node, at) => match by.spec.body().map(|b| (&b.nodes[node.index()], b.dtype(*node))) {
            Some((Node::Elem { .. } | Node::Const { .. } | Node::Iota { .. } | Node::Dim { .. }, DType::I32)) => {
                of_node(func, space, by, *node, at)?
            }
            Some((Node::Leaf(_), DType::I32)) => of_node(func, space, by, *node, at)?,
            _ => return Ok(None),
        },
        Term::Load { .. } => head(func, space, term)?,
        other => other.clone(),
    };
    if let Term::Place(p) = &here {
        let integer = func.ty(p.value).dtype == DType::I32;
        return match open(func, space, p, Role::Summed)? {
            Some(next @ (Term::Index(_) | Term::Number(_) | Term::Elem(..) | Term::Place(_))) if integer => {
                as_index(func, space, &next)
            }
            _ => Ok(None),
        };
    }
    Ok(match here {
        Term::Index(a) => Some(a),
        Term::Number(Exact::Int(n)) => Some(Affine::constant(n)),
        Term::Elem(op, args, DType::I32) if args.len() == 2 => {
            let Some(a) = as_index(func, space, &args[0])? else { return Ok(None) };
            let Some(b) = as_index(func, space, &args[1])? else { return Ok(None) };
            combined(space, op, &a, &b)
        }
        // An index of another type. Sums and products of those wrap elsewhere, so only constants are indices there.
        Term::Elem(Elem::Convert, args, DType::I32) if args.len() == 1 => {
            let n = constant(func, space, &args[0])?;
            n.filter(|&n| i32::try_from(n).is_ok()).map(Affine::constant)
        }
        _ => None,
    })
}

/// The number that a constant integer is, through conversions that keep it.
fn constant(func: &Func, space: &mut Space, term: &Term) -> Proof<Option<i64>> {
    Ok(match term {
        Term::Number(Exact::Int(n)) => Some(*n),
        Term::Elem(Elem::Convert, args, dtype) if args.len() == 1 && dtype.is_int() => {
            constant(func, space, &args[0])?.filter(|&n| holds(*dtype, n))
        }
        Term::Node(by, node, at) => match by.spec.body().map(|b| (&b.nodes[node.index()], b.dtype(*node))) {
            Some((Node::Const { .. } | Node::Elem { .. }, dtype)) if dtype.is_int() => {
                let next = of_node(func, space, by, *node, at)?;
                constant(func, space, &next)?.filter(|&n| holds(dtype, n))
            }
            _ => None,
        },
        Term::Place(p) => {
            let dtype = func.ty(p.value).dtype;
            let next = if dtype.is_int() { open(func, space, p, Role::Summed)? } else { None };
            let Some(next) = next else { return Ok(None) };
            constant(func, space, &next)?.filter(|&n| wrap(dtype, n) == n)
        }
        _ => None,
    })
}

/// Whether an integer type has a number, and not what it wraps to.
fn holds(dtype: DType, n: i64) -> bool {
    match dtype {
        DType::I8 => i8::try_from(n).is_ok(),
        DType::U8 => u8::try_from(n).is_ok(),
        DType::I32 => i32::try_from(n).is_ok(),
        DType::U32 => u32::try_from(n).is_ok(),
        DType::I64 => true,
        _ => false,
    }
}

fn combined(space: &Space, op: Elem, a: &Affine, b: &Affine) -> Option<Affine> {
    // The one of two that is never the smaller one.
    let larger = |first: bool| {
        let (lo, hi) = space.range(&a.minus(b));
        match (lo >= 0, hi <= 0) {
            (true, _) => Some(if first { a.clone() } else { b.clone() }),
            (_, true) => Some(if first { b.clone() } else { a.clone() }),
            _ => None,
        }
    };
    match op {
        Elem::Add => Some(a.plus(b, 1)),
        Elem::Subtract => Some(a.minus(b)),
        Elem::Multiply => match (a.as_constant(), b.as_constant()) {
            (_, Some(n)) => Some(a.scaled(n)),
            (Some(n), _) => Some(b.scaled(n)),
            _ => None,
        },
        Elem::Maximum => larger(true),
        Elem::Minimum => larger(false),
        _ => None,
    }
}

/// What the local program says of an element: the op that computes it; `None` of what it is given. Indices that are summed over
/// get the role.
pub(crate) fn open(func: &Func, space: &mut Space, place: &Place, role: Role) -> Proof<Option<Term>> {
    let mut p = place.clone();
    loop {
        match source(func, space, &p)? {
            Source::Place(next) => p = next,
            Source::Number(x) => return Ok(Some(Term::Number(Exact::of(func.ty(p.value).dtype, x)))),
            Source::Itself => break,
        }
    }
    match func.value(p.value).def {
        Def::Arg(..) => Ok(None),
        Def::Op(o, i) => {
            let of = rounding(func, space, &p, o);
            let term = of_op(func, space, &p, o, i as usize, role)?;
            Ok(match of {
                Some(to) => term.map(|t| rounded(t, to)),
                None => term,
            })
        }
    }
}

/// The narrow float type that the result of an op is rounded to, where each op rounds and this one makes numbers that its operands
/// are not.
fn rounding(func: &Func, space: &Space, p: &Place, o: OpId) -> Option<DType> {
    let (op, to) = (&func.op(o).op, func.ty(p.value).dtype);
    let computes = matches!(op, Op::Elem(_) | Op::Reduce { .. } | Op::DotGeneral(_)) && !op.keeps_rounded();
    (space.rounds_each && computes && to.is_stored_only() && to.computed().is_float()).then_some(to)
}

/// A term of a narrow type as one of the wider type that it is computed in, with its rounding as a conversion: none of the source may
/// be left out.
fn rounded(term: Term, to: DType) -> Term {
    let wide = to.computed();
    let of = |dtype: DType| if dtype == to { wide } else { dtype };
    let term = match term {
        Term::Elem(op, args, dtype) => Term::Elem(op, args, of(dtype)),
        Term::Reduce { kind, over, arg, dtype } => Term::Reduce { kind, over, arg, dtype: of(dtype) },
        other => return other,
    };
    elem(Elem::Convert, vec![term], to)
}

/// A coordinate in the whole tensor, of one in this device's block.
fn whole(func: &Func, at: &Affine, shard: &[meshloom_ir::Axis], block: u64) -> Affine {
    at.plus(&position(&func.mesh, shard), block as i64)
}

fn of_op(func: &Func, space: &mut Space, p: &Place, o: OpId, i: usize, role: Role) -> Proof<Option<Term>> {
    let data = func.op(o);
    let dtype = func.ty(p.value).dtype;
    let kernel = dtype;
    let here = |i: usize| operand_at(data, p, i, Rc::clone(&p.at));
    let number = |x: Scalar| Term::Number(Exact::of(dtype, x));
    Ok(Some(match &data.op {
        Op::Constant { value: Literal::Splat(x), .. } => number(*x),
        Op::Constant { value: Literal::Dense(all), .. } => {
            let index = space.known(&linear(&p.at, &func.ty(p.value).shape));
            match index.as_constant().and_then(|i| all.get(usize::try_from(i).ok()?)) {
                Some(x) => number(*x),
                None => return Ok(None),
            }
        }
        Op::Iota { dim, shard, shape, .. } => {
            let i = Term::Index(whole(func, &p.at[*dim], shard, shape[*dim]));
            if dtype == DType::I32 { i } else { elem(Elem::Convert, vec![i], kernel) }
        }
        Op::Elem(e) => {
            let of = if rounding(func, space, p, o).is_some() { kernel.computed() } else { kernel };
            return elementwise(e.def(), (0..data.operands.len()).map(here).collect(), of).map(Some);
        }
        Op::Convert { .. } => elem(Elem::Convert, vec![here(0)], kernel),
        Op::Reduce { kind, dims } => reduction(func, space, data, p, *kind, dims, role)?,
        Op::DotGeneral(e) => contraction(func, space, data, p, e, role)?,
        Op::Gather { shard, total } => {
            let (table, index, rows) = gathered(func, p, data, shard, *total);
            row(func, space, table, index, rows)?
        }
        Op::RandomBits { total, shard, shape } => random(func, data, p, total, shard, shape),
        Op::PartialSplit { axes } => {
            let first = vec![Term::Index(position(&func.mesh, axes)), int(0)];
            let first = elem(Elem::Compare(Comparison::Eq), first, DType::Bool);
            let nothing = meshloom_ir::table::contract::nothing(dtype);
            elem(Elem::Select, vec![first, here(0), number(nothing)], kernel)
        }
        Op::PadMask { axes, dim, size, kind } => {
            let index = Term::Index(whole(func, &p.at[*dim], axes, func.ty(p.value).shape[*dim]));
            let inside = elem(Elem::Compare(Comparison::Lt), vec![index, int(*size as i64)], DType::Bool);
            let fill = meshloom_ir::table::contract::identity_of(*kind, dtype);
            elem(Elem::Select, vec![inside, here(0), number(fill)], kernel)
        }
        Op::ShardSlice { axes, dim } => {
            // Of a dim that the devices do not divide: what lies beyond the end is nobody's.
            let size = func.ty(data.operands[0]).shape[*dim];
            let index = Term::Index(whole(func, &p.at[*dim], axes, func.ty(p.value).shape[*dim]));
            let place = Place { value: data.operands[0], ..p.clone() };
            row(func, space, Table::Value { place, dim: *dim }, clamped(index, size), size)?
        }
        // The meaning of a composite is its body.
        Op::Composite { .. } => {
            let value = func.region(data.regions[0]).yields[i];
            Term::Place(Place { value, ..p.clone() })
        }
        _ => return Ok(None),
    }))
}

/// An element of an operand, in the iteration of the result.
fn operand_at(data: &OpData, p: &Place, i: usize, at: Rc<[Affine]>) -> Term {
    Term::Place(Place { value: data.operands[i], iterations: p.iterations.clone(), at })
}

fn reduction(
    func: &Func,
    space: &mut Space,
    data: &OpData,
    p: &Place,
    kind: Reduction,
    dims: &[usize],
    role: Role,
) -> Proof<Term> {
    let (mut kept, mut over, mut at) = (p.at.iter(), Vec::new(), Vec::new());
    for (d, &n) in func.ty(data.operands[0]).shape.iter().enumerate() {
        if dims.contains(&d) {
            over.push(space.index(n, role));
            at.extend(over.last().cloned());
        } else {
            at.extend(kept.next().cloned());
        }
    }
    let (arg, dtype) = (Box::new(operand_at(data, p, 0, at.into())), func.ty(p.value).dtype);
    match dims.iter().any(|&d| func.ty(data.operands[0]).shape[d] == 0) {
        true => nothing(kind, dtype),
        false => Ok(Term::Reduce { kind, over, arg, dtype }),
    }
}

fn contraction(
    func: &Func,
    space: &mut Space,
    data: &OpData,
    p: &Place,
    e: &meshloom_ir::Einsum,
    role: Role,
) -> Proof<Term> {
    let mut empty = false;
    let mut known: Vec<(char, Affine)> = e.result.iter().copied().zip(p.at.iter().cloned()).collect();
    let mut over = Vec::new();
    let sides = [0, 1].map(|k| {
        let mut at = Vec::new();
        for (d, &c) in e.operands[k].iter().enumerate() {
            if !known.iter().any(|x| x.0 == c) {
                let n = func.ty(data.operands[k]).shape[d];
                empty |= n == 0;
                over.push(space.index(n, role));
                known.extend(over.last().map(|a| (c, a.clone())));
            }
            at.extend(known.iter().find(|x| x.0 == c).map(|x| x.1.clone()));
        }
        Box::new(factor(operand_at(data, p, k, at.into()), func.ty(data.operands[k]).dtype))
    });
    let [a, b] = sides;
    let (arg, dtype) = (Box::new(Term::Product(a, b)), func.ty(p.value).dtype);
    if empty { nothing(Reduction::Sum, dtype) } else { Ok(Term::Reduce { kind: Reduction::Sum, over, arg, dtype }) }
}

/// Random bits: of a key, and of the element's index in the whole tensor as two words.
fn random(
    func: &Func,
    data: &OpData,
    p: &Place,
    total: &[u64],
    shard: &[Vec<meshloom_ir::Axis>],
    shape: &[u64],
) -> Term {
    let word = |i: i64| operand_at(data, p, 0, Rc::from([Affine::constant(i)]));
    let cut = meshloom_ir::table::random::split(total);
    let counter = |dims: std::ops::Range<usize>| {
        Term::Index(dims.fold(Affine::default(), |sum, d| {
            let axes = shard.get(d).map_or(&[][..], |a| a);
            sum.scaled(total[d] as i64).plus(&whole(func, &p.at[d], axes, shape[d]), 1)
        }))
    };
    elem(Elem::Threefry, vec![word(0), word(1), counter(0..cut), counter(cut..total.len())], DType::I32)
}

/// An index between the ends of `total` rows.
fn clamped(index: Term, total: u64) -> Term {
    let low = elem(Elem::Maximum, vec![index, int(0)], DType::I32);
    elem(Elem::Minimum, vec![low, int(total.saturating_sub(1) as i64)], DType::I32)
}

fn gathered(
    func: &Func,
    p: &Place,
    data: &OpData,
    shard: &[meshloom_ir::Axis],
    total: Option<u64>,
) -> (Table, Term, u64) {
    let (table, indices) = (func.ty(data.operands[0]), func.ty(data.operands[1]));
    let rows = table.shape[0];
    let (named, rest) = p.at.split_at(indices.rank());
    let place = |value, at: Vec<Affine>| Place { value, iterations: p.iterations.clone(), at: at.into() };
    let mut index = Term::Place(place(data.operands[1], named.to_vec()));
    if indices.dtype == DType::I64 {
        // Clamped as an i64 first: there are no more rows than an i32 counts.
        let low = elem(Elem::Maximum, vec![index, int(0)], DType::I64);
        let both = elem(Elem::Minimum, vec![low, int(i32::MAX.into())], DType::I64);
        index = elem(Elem::Convert, vec![both], DType::I32);
    }
    let mut index = clamped(index, total.unwrap_or(rows * func.mesh.group_size(shard)));
    if !shard.is_empty() {
        let start = Term::Index(position(&func.mesh, shard).scaled(rows as i64));
        index = elem(Elem::Subtract, vec![index, start], DType::I32);
    }
    let at = [&[Affine::default()], rest].concat();
    (Table::Value { place: place(data.operands[0], at), dim: 0 }, index, rows)
}

/// A row of the op table: a primitive, or its expression over primitives.
fn elementwise(def: &ElemDef, args: Vec<Term>, kernel: DType) -> Proof<Term> {
    if let Some(op) = Elem::by_name(def.name) {
        let term = elem(op, args, kernel);
        // Of the type itself, and not of the one that it is computed in.
        let wider = 8 * (kernel.computed().bytes() - kernel.bytes());
        return Ok(match def.upper == Upper::Counted && kernel.is_stored_only() {
            true => elem(Elem::Subtract, vec![term, int(wider as i64)], kernel),
            false => term,
        });
    }
    let Some(formula) = def.lower.formula() else { return unfollowed(format!("no kernel knows `{}`", def.name)) };
    // Of integers that kernels compute in wider ones the whole expression wraps, and not each of its ops.
    let narrow = is_narrow(kernel);
    match expression(&formula, &args, if narrow { kernel.computed() } else { kernel }) {
        Some(term) if narrow => Ok(elem(Elem::Convert, vec![term], kernel)),
        Some(term) => Ok(term),
        None => unfollowed(format!("the expression of `{}`", def.name)),
    }
}

fn expression(formula: &Formula, args: &[Term], dtype: DType) -> Option<Term> {
    match formula {
        Formula::Argument(i) => args.get(*i).cloned(),
        // What is compared to find a Bool is of the operands' type.
        Formula::Number(x) if dtype.computed().is_float() || dtype == DType::Bool => {
            Some(Term::Number(Exact::Float(*x)))
        }
        Formula::Number(x) => Some(Term::Number(Exact::Int(*x as i64))),
        Formula::Apply(name, inner) => {
            let op = Elem::by_name(name)?;
            let inner: Option<Vec<Term>> = inner.iter().map(|f| expression(f, args, dtype)).collect();
            Some(elem(op, inner?, if matches!(op, Elem::Compare(_)) { DType::Bool } else { dtype }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 300 as 8 bits is another number.
    #[test]
    fn a_type_holds_what_does_not_wrap() {
        let held = |n: i64| [DType::I8, DType::U8, DType::I32, DType::U32, DType::I64].map(|t| holds(t, n));
        assert_eq!(held(300), [false, false, true, true, true]);
        assert_eq!(held(-1), [true, false, true, false, true]);
        assert_eq!(held(1 << 31), [false, false, false, true, true]);
        assert_eq!(held(i64::MIN), [false, false, false, false, true]);
    }
}
