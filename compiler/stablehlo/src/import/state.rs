//! The state of an import: the function that is being built, the names in scope, and the diagnostics so far.
//!
//! Not here: any op. The functions that import ops stand above this, and the table of them ([`super`]) above all. Nor names:
//! [`super::scope`] finds what they mean.

use super::sharding::Meshes;
use crate::loc::Locations;
use crate::module::{Module, TextOp};
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{Axis, Builder, Constraint, DType, Func, Mesh, Reduction, Span, ValueId};
use meshloom_source::Diagnostic;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Imports an op: its results, or a sentence about what is in the way.
pub type ImportRule = for<'m> fn(&mut Import<'m>, &TextOp<'m>) -> Result<Vec<ValueId>, String>;

/// The names of a function, or of a region in it.
pub struct ScopeFrame {
    pub names: HashMap<String, ValueId>,
    /// Results of ops that could not be imported, of types that there are none of.
    pub lost: HashSet<String>,
    /// Tuples, by what they are of: the IR has none.
    pub tuples: HashMap<String, Vec<Vec<ValueId>>>,
    /// Loops around it, which is the builder that its values are of.
    pub level: usize,
    /// A function sees nothing of its caller.
    pub function: bool,
}

/// A loop whose body is being imported.
pub struct LoopLevel {
    /// What the loop stands in.
    pub outer: Builder,
    pub captures: BTreeMap<ValueId, ValueId>,
    pub accesses: Vec<SliceAccess>,
}

/// The body of a loop as a function: its arguments are the loop's, and then what it captures.
pub struct LoopBody {
    pub func: Func,
    pub args: Vec<ValueId>,
    pub yields: Vec<ValueId>,
    /// Outside and inside.
    pub captures: Vec<(ValueId, ValueId)>,
    /// Slices that it reads and writes.
    pub accesses: Vec<SliceAccess>,
}

/// A `dynamic_slice`, or with `update` a `dynamic_update_slice` (or a scatter that does the same), as it stands in a body.
#[derive(Clone, Debug)]
pub struct SliceAccess {
    pub of: ValueId,
    /// Of each dim, before they are moved so that the slice fits.
    pub starts: Vec<ValueId>,
    pub sizes: Vec<u64>,
    pub update: Option<ValueId>,
    pub result: ValueId,
}

/// The axes that a number counts, with how much a step along each adds.
pub type AxisStrides = Vec<(Axis, u64)>;

pub struct Import<'m> {
    pub module: &'m Module<'m>,
    pub meshes: &'m Meshes,
    pub b: Builder,
    /// Values by name, of each function that is being inlined, and of the regions in it.
    pub scopes: Vec<ScopeFrame>,
    /// Loops whose bodies are being imported, outer first.
    pub levels: Vec<LoopLevel>,
    /// Functions that are being inlined.
    pub calls: usize,
    /// Ops that were imported.
    pub ops: usize,
    pub locations: Locations<'m>,
    pub diagnostics: &'m mut Vec<Diagnostic>,
    /// Of complex operands, whether an op reads the imaginary parts: of the first operand, and of all others. If this is `None`, it
    /// reads both parts of each, one after the other.
    pub part: Option<[bool; 2]>,
    /// Inside of a region on scalars that is applied to whole tensors: their shape.
    pub lift: Option<Vec<u64>>,
    /// Axes of the manual regions that are being imported.
    pub manual: Vec<Axis>,
    /// By level and value: numbers of devices, as the axes that they count.
    pub places: BTreeMap<(usize, ValueId), AxisStrides>,
    /// What [`Import::loom`] elaborated, by its text.
    pub elaborated: BTreeMap<String, Func>,
    /// The layout so far of each group of values that have to be split alike.
    pub groups: BTreeMap<i64, Constraint>,
}

impl<'m> Import<'m> {
    /// Reports what is not supported, and what to do, which follows a line break in `why`. What is called or repeated is
    /// reported once. An empty `why` reports nothing: the error was reported for an operand of the op.
    pub fn refuse(&mut self, span: Span, why: impl Into<String>) {
        let why = why.into();
        let (what, help) = why.split_once('\n').unwrap_or((&why, ""));
        let mut d = Diagnostic::error("mlir-unsupported", what).at(span, "");
        if !help.is_empty() {
            d = d.help(help);
        }
        let said = |e: &Diagnostic| e.message == d.message && e.primary == d.primary;
        if why.is_empty() || self.diagnostics.iter().any(said) {
            return;
        }
        // It may stand in a function that has no lines of its own.
        let around = self.b.span;
        if self.locations.placed(span, around) != span
            && let Some(o) = self.locations.origins.get(around)
        {
            d = d.note(format!("called from {}", o.long()));
        }
        self.diagnostics.push(d);
    }

    /// The values of an op's operands; of complex ones, those that [`Import::part`] says.
    ///
    /// # Errors
    /// One that is not defined before.
    pub fn operands(&mut self, op: &TextOp<'_>) -> Result<Vec<ValueId>, String> {
        let all = self.values(&op.operands())?;
        // What a region takes from outside is a scalar there.
        self.lifted(all)
    }

    /// Exactly so many of them.
    ///
    /// # Errors
    /// As [`Import::operands`], and another number.
    pub fn exactly<const N: usize>(&mut self, op: &TextOp<'_>) -> Result<[ValueId; N], String> {
        let all = self.operands(op)?;
        let found = all.len();
        all.try_into().map_err(|_| format!("`{}` takes {N} operands, and has {found}", op.name))
    }

    /// Emits an op whose types were written by somebody else.
    ///
    /// # Errors
    /// The operands do not fit.
    pub fn emit(&mut self, op: meshloom_ir::Op, operands: &[ValueId]) -> Result<ValueId, String> {
        self.b.emit(op, operands)
    }

    /// An elementwise op by its name.
    ///
    /// # Errors
    /// There is none, or the operands do not fit.
    pub fn elem(&mut self, name: &str, operands: &[ValueId]) -> Result<ValueId, String> {
        let op = meshloom_ir::Op::elem(name).ok_or_else(|| format!("`{name}` is not supported"))?;
        self.b.emit(op, operands)
    }

    /// A value spread over `shape`, its dims at `dims`.
    ///
    /// # Errors
    /// It does not fit there.
    pub fn broadcast(&mut self, x: ValueId, shape: &[u64], dims: &[usize]) -> Result<ValueId, String> {
        if self.b.ty(x).shape == shape {
            return Ok(x);
        }
        self.emit(meshloom_ir::Op::Broadcast { shape: shape.to_vec(), dims: dims.to_vec() }, &[x])
    }

    /// # Errors
    /// The operands do not fit.
    pub fn select(&mut self, c: ValueId, x: ValueId, y: ValueId) -> Result<ValueId, String> {
        self.elem("select", &[c, x, y])
    }

    /// # Errors
    /// There is no such conversion.
    pub fn convert(&mut self, x: ValueId, to: DType) -> Result<ValueId, String> {
        if self.b.ty(x).dtype == to { Ok(x) } else { self.emit(meshloom_ir::Op::Convert { to }, &[x]) }
    }

    /// # Errors
    /// The element type cannot be reduced so.
    pub fn reduce(&mut self, kind: Reduction, x: ValueId, dims: &[usize]) -> Result<ValueId, String> {
        if dims.is_empty() { Ok(x) } else { self.emit(meshloom_ir::Op::Reduce { kind, dims: dims.to_vec() }, &[x]) }
    }

    pub fn func(&self) -> &Func {
        &self.b.func
    }

    pub fn mesh(&self) -> &Mesh {
        &self.b.func.mesh
    }
}

/// Whether all bits of an element are zero, as those of -0 are not.
pub fn is_zero(x: Scalar) -> bool {
    matches!(x, Scalar::Float(0) | Scalar::Int(0))
}

/// The element that a value is everywhere, where it is a constant.
pub fn constant(func: &Func, v: ValueId) -> Option<Scalar> {
    let data = func.op(func.def_op(v)?);
    match &data.op {
        meshloom_ir::Op::Constant { value: Literal::Splat(x), .. } => Some(*x),
        // As `jnp.pad` has its zero: an integer that becomes an element of the operand's type.
        meshloom_ir::Op::Convert { to } => {
            constant(func, data.operands[0]).filter(|&x| is_zero(x)).map(|_| Scalar::of(*to, 0.0))
        }
        meshloom_ir::Op::Constant { value: Literal::Dense(all), .. } => {
            all.first().copied().filter(|x| all.iter().all(|y| x == y))
        }
        meshloom_ir::Op::Broadcast { .. } | meshloom_ir::Op::Reshape { .. } => constant(func, data.operands[0]),
        _ => None,
    }
}
