//! The op table: for each op one entry ([`OpDef`]) with all that phases ask of it: name and text, class, types, factor rule,
//! local form, gradient, evaluation, cost, and the form it takes under further leading dims.
//!
//! [`entry`] is the one place that leads from an op to its entry, and every op has one. Elementwise ops are rows of
//! [`elem::TABLE`], which share an entry; all others stand in a file per family, each with one `pub static`. What an op with a
//! region means is its body, which each phase walks; what a collective means is in [`OpDef::group`].

pub mod algebra;
pub mod comm;
pub mod composite;
pub mod contract;
pub mod elem;
pub mod index;
pub mod order;
pub mod random;
pub mod region;
pub mod shape;
pub mod window;
pub mod wire;

use crate::builder::Builder;
use crate::factor::{Assignment, FactorRule};
use crate::graph::{Func, OpId, ValueId};
use crate::index_map::IndexMap;
use crate::mesh::Mesh;
use crate::op::Op;
use crate::scan;
use crate::tensor::Tensor;
use crate::text::Attrs;
use crate::types::{DType, TensorType};
use std::fmt;

/// The kind of an op, for code that needs to know no more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Makes elements from their places alone: `constant`, `iota`.
    Source,
    /// Elements of its operand, seen in another order, or several times: no memory of its own.
    View,
    /// A view with padding beyond the ends.
    Window,
    /// Identity that says something of its operand: `constrain`.
    Pin,
    /// Moves elements of its operands, and may fill in others.
    Move,
    Elementwise,
    Contraction,
    Reduction,
    /// For each element, the reduction of all elements up to it.
    Scan,
    /// Elements in the order of their sizes.
    Sort,
    /// Rows that indices name.
    Rows,
    Random,
    /// Devices exchange bytes.
    Collective,
    /// Works on a device's own shard, by the device's place in the mesh. Nothing moves between devices.
    Shard,
    /// Its meaning is its body.
    Region,
}

/// How the cost model prices an op on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// A view, or an op whose cost other ops include.
    Free,
    /// Fused with its neighbours; reads no more than it writes.
    Result,
    /// Fused with its neighbours; reads all operands.
    Fused,
    /// A kernel that reads as much of operand 0 as it writes, and all of the others.
    Rows,
    /// A kernel that reads all operands.
    Kernel,
    /// A conversion between layouts.
    Reshard,
}

/// How a collective spreads its buffer over the wire. Volumes are those of a group of n with a full buffer S, by the ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exchange {
    /// S (n - 1) / n, in log n steps.
    Once,
    /// 2 S (n - 1) / n: there and back.
    Twice,
    /// S (n - 1) / n, a different part to every other device.
    Pairs,
    /// S, from each device to one other.
    Permute,
}

/// The text between an op's braces.
#[derive(Clone, Copy)]
pub struct Text {
    /// `None`: no braces, since the result's type says everything.
    pub(crate) show: fn(&Op, &Mesh) -> Option<String>,
    /// Reads what `show` writes, without the braces. Absent for ops with regions, whose heads the parser reads.
    pub(crate) read: Option<fn(&mut Attrs<'_, '_>) -> scan::ParseResult<Op>>,
    /// The op of this name where no braces follow.
    pub(crate) bare: Option<fn(&str) -> Option<Op>>,
    /// Fills in what the text gives as the result type alone.
    pub(crate) complete: fn(&mut Op, &TensorType),
}

const NO_TEXT: Text = Text { show: |_, _| None, read: None, bare: None, complete: |_, _| {} };

/// What a local form is made from.
pub struct Local<'a> {
    pub mesh: &'a Mesh,
    pub rule: &'a FactorRule,
    pub assignment: &'a Assignment,
    /// Local type of the result.
    pub result: &'a TensorType,
}

/// Which device evaluates.
#[derive(Clone, Copy)]
pub struct EvalCx<'a> {
    pub mesh: &'a Mesh,
    pub device: u64,
}

/// What a gradient rule sees: the op, its operands and result, and the cotangent of the result.
pub struct GradCx<'a> {
    pub op: &'a Op,
    pub operands: &'a [ValueId],
    pub result: ValueId,
    pub ct: ValueId,
}

/// Builds the cotangents of the operands; `None` where an operand has none (indices, conditions).
pub type GradRule = fn(&mut Builder, &GradCx<'_>) -> Vec<Option<ValueId>>;

/// The index map of an op, from the types of its operands and of its result.
pub type MapRule = fn(&Op, &[&TensorType], &TensorType) -> IndexMap;

/// The dim that an op works along, and the op along another one.
pub type Along = (fn(&Op) -> usize, fn(&Op, usize) -> Op);

/// Takes an op and the types of operands for which it has a result.
pub type Put<'a> = dyn FnMut(Op, &[(DType, &[u64])]) + 'a;

/// One entry of the table.
pub struct OpDef {
    /// StableHLO's name, which the text form has too. That of an elementwise op is in its row ([`Op::name`]).
    pub name: &'static str,
    pub class: Class,
    pub text: Text,
    /// Checks attributes that can be wrong for all operands, which the types do not show.
    pub check: fn(&Op, &Mesh) -> Result<(), String>,
    /// Checks operands whose types fit against the mesh.
    pub check_operands: fn(&Op, &[&TensorType], &Mesh) -> Result<(), String>,
    /// Result type from operand types, or what does not fit. Ops with regions: [`region`].
    pub infer: fn(&Op, &[&TensorType], &Mesh) -> Result<TensorType, String>,
    /// For an op that moves elements: where the elements of the result come from, given the types of operands and result. The
    /// factor rule and the evaluation follow from it.
    pub map: Option<MapRule>,
    /// Which dims are the same index.
    pub factors: fn(&Op, &[&TensorType], &TensorType) -> FactorRule,
    /// The op one device runs under an assignment: attributes that carry sizes are rewritten.
    pub localize: fn(&Op, &Local<'_>) -> Op,
    /// Absent: the op passes no gradient (integers, comparisons) or stands in local programs only.
    pub grad: Option<GradRule>,
    pub eval: fn(&Op, &[&Tensor], &EvalCx<'_>) -> Tensor,
    /// For an op that stands in local programs only: what all devices of a group do together.
    pub group: Option<&'static comm::Group>,
    /// Floating point operations.
    pub flops: fn(&Op, &[&TensorType], &TensorType) -> u64,
    pub cost: Cost,
    /// The op with further dims in front of all operands and of the result, or why there is none. An op that has a form of
    /// its own in manual regions ([`crate::manual`]) says so. For an op along a dim it follows from `along`.
    ///
    /// An op with several dims among its attributes says which of them are sizes, which are dims, and which are offsets. The
    /// index map cannot say it: it is made of the attributes, and leads from them to elements, not back. A description of
    /// the attributes would take an entry as many lines as the form itself.
    pub batch: fn(&Op, &[u64]) -> Result<Op, &'static str>,
    /// For an op whose only dim, or first of two dims, is an attribute: that dim, and the op along another dim.
    pub along: Option<Along>,
    /// Whether it reads and writes buffers of its own: others are fused around it, not with it.
    pub anchor: fn(&Op) -> bool,
    /// Whether a small difference in an operand can make a large one in the result, as in a comparison.
    pub decides: fn(&Op) -> bool,
    /// Whether each element of the result is one of the operands', but for the sign, or an integer: it is rounded already if
    /// they are. It matters for ops that are computed inside other kernels.
    pub keeps_rounded: fn(&Op) -> bool,
    /// Whether it adds elements and rounds nothing but sums. Applied to the summands of a sum, it gives summands of its result for the
    /// sum, up to the order of additions.
    pub adds: fn(&Op) -> bool,
    /// Whether it combines elements in a kernel or collective of its own, so that they are added up once and from memory.
    pub accumulates: fn(&Op) -> bool,
    /// Whether the op reads the position of its device, so that it can only stand in a local program.
    pub reads_device: fn(&Op) -> bool,
    /// Whether its local form may be a collective.
    pub exchanges: bool,
    /// The op with operands, in enough variants to see all that its entry says: tests demand it of each ([`crate::random::instances`]).
    /// Dims are of sizes that 2 divides, 3 divides, and neither. None of ops with regions and of those of local programs.
    pub samples: fn(&mut Put<'_>),
}

impl fmt::Debug for OpDef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// What most entries have; the rest is written out in each.
const BASE: OpDef = OpDef {
    name: "",
    class: Class::Elementwise,
    text: NO_TEXT,
    check: |_, _| Ok(()),
    check_operands: |_, _, _| Ok(()),
    infer: |op, _, _| Err(format!("the type of `{}` does not follow from its operands alone", op.name())),
    map: None,
    factors: |op, xs, r| match op.index_map(xs, r) {
        Some(map) => map.factors(xs, r),
        None => {
            let shapes: Vec<&[u64]> = xs.iter().map(|x| &x.shape[..]).collect();
            FactorRule::opaque(&shapes, &[&r.shape])
        }
    },
    localize: |op, _| op.clone(),
    grad: None,
    eval: |op, xs, _| {
        let types: Vec<&TensorType> = xs.iter().map(|x| &x.ty).collect();
        let ty = infer(op, &types).unwrap_or_else(|e| unreachable!("verified IR: {e}"));
        match op.index_map(&types, &ty) {
            Some(map) => map.eval(xs, &ty),
            None => unreachable!("`{}` is not what one device evaluates by itself", op.name()),
        }
    },
    group: None,
    flops: |_, _, _| 0,
    cost: Cost::Free,
    batch: |op, lead| match op.entry().along {
        Some((dim, with)) => Ok(with(op, dim(op) + lead.len())),
        None => Err("it has a form of its own"),
    },
    along: None,
    anchor: |_| false,
    decides: |_| false,
    keeps_rounded: |_| false,
    adds: |_| false,
    accumulates: |_| false,
    reads_device: |_| false,
    exchanges: false,
    samples: |_| {},
};

/// Element types of samples.
const FLOAT: DType = DType::F64;
const INT: DType = DType::I32;

/// The families of entries, in the order of docs/ir.md. An entry stands in the list of its file.
static FAMILIES: &[&&[&OpDef]] = &[
    &elem::ENTRIES,
    &shape::ENTRIES,
    &contract::ENTRIES,
    &order::ENTRIES,
    &window::ENTRIES,
    &random::ENTRIES,
    &index::ENTRIES,
    &region::ENTRIES,
    &comm::ENTRIES,
];

/// All entries.
pub fn entries() -> impl Iterator<Item = &'static OpDef> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

/// The entry that reads the text of an op of this name.
pub fn by_name(name: &str) -> Option<&'static OpDef> {
    match elem::Elem::by_name(name) {
        Some(_) => Some(&elem::ELEM),
        None => entries().find(|d| d.name == name),
    }
}

/// The entry of an op that one device computes by itself, from operands alone; `None` for collectives and ops with regions.
pub fn def(op: &Op) -> Option<&'static OpDef> {
    let d = op.entry();
    (d.class != Class::Region && d.group.is_none()).then_some(d)
}

/// Result type of an op without regions that one device computes by itself.
///
/// # Errors
/// What does not fit, as a sentence without a place.
pub fn infer(op: &Op, operands: &[&TensorType]) -> Result<TensorType, String> {
    infer_on(op, operands, &Mesh::default())
}

/// Result type of an op without regions on one device of a mesh.
///
/// # Errors
/// What does not fit, as a sentence without a place.
pub fn infer_on(op: &Op, operands: &[&TensorType], mesh: &Mesh) -> Result<TensorType, String> {
    (op.entry().infer)(op, operands, mesh)
}

/// The factor rule of an op of a function: from the table, or for a composite from its body. `None` for `repeat` and
/// collectives.
pub fn factors(func: &Func, op: OpId) -> Option<FactorRule> {
    let data = func.op(op);
    match &data.op {
        Op::Composite { .. } => Some(region::composite_factors(func, op)),
        other => def(other).map(|d| (d.factors)(other, &func.operand_types(op), func.ty(data.results[0]))),
    }
}

/// Floating point operations of an op, those of its regions included.
pub fn flops(func: &Func, op: OpId) -> u64 {
    let data = func.op(op);
    match &data.op {
        Op::Repeat { .. } => data.op.iterations().saturating_mul(region_flops(func, op)),
        Op::Composite { .. } => {
            let (seen, keys) = region::window(func, op);
            (u128::from(region_flops(func, op)) * u128::from(seen) / u128::from(keys.max(1))) as u64
        }
        other => match def(other) {
            Some(d) => (d.flops)(other, &func.operand_types(op), func.ty(data.results[0])),
            None => 0,
        },
    }
}

fn region_flops(func: &Func, op: OpId) -> u64 {
    let regions = &func.op(op).regions;
    regions.iter().flat_map(|&r| &func.region(r).ops).fold(0, |n: u64, &o| n.saturating_add(flops(func, o)))
}

fn arity(op: &Op, operands: &[&TensorType], n: usize) -> Result<(), String> {
    if operands.len() == n {
        return Ok(());
    }
    Err(format!("`{}` takes {n} operand{}, not {}", op.name(), if n == 1 { "" } else { "s" }, operands.len()))
}

fn one_per_element(_: &Op, _: &[&TensorType], result: &TensorType) -> u64 {
    result.elements()
}

/// What an entry of one op takes of it; another op comes to another entry ([`Op::entry`]).
macro_rules! attrs {
    ($op:expr, $pat:pat => $value:expr) => {
        match $op {
            $pat => $value,
            other => unreachable!("`{}` asked of another entry", other.name()),
        }
    };
}
use attrs;

/// A shape or dims with further leading ones, for [`OpDef::batch`].
mod lead {
    /// `lead` before `shape`.
    pub fn with(lead: &[u64], shape: &[u64]) -> Vec<u64> {
        lead.iter().chain(shape).copied().collect()
    }

    /// Dims behind so many more.
    pub fn moved(lead: &[u64], dims: &[usize]) -> Vec<usize> {
        dims.iter().map(|d| d + lead.len()).collect()
    }

    /// All further dims, and then `dims`.
    pub fn all(lead: &[u64], dims: &[usize]) -> Vec<usize> {
        (0..lead.len()).chain(moved(lead, dims)).collect()
    }

    /// Zeros for the further dims.
    pub fn zeros(lead: &[u64], of: &[u64]) -> Vec<u64> {
        std::iter::repeat_n(0, lead.len()).chain(of.iter().copied()).collect()
    }
}
