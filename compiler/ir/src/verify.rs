//! The verifier: everything a phase may rely on without looking. Types are inferred again through the op table, uses come
//! after definitions and inside the same region (regions take what they use as arguments), ports match the body, axes and
//! layouts are ones of the mesh, sizes are within limits. Run after every phase; it also admits parsed text.
//!
//! Ops and values that nothing reaches are allowed and not checked. Whether a local program computes what the global one
//! does is the certificate's business, not this module's.

use crate::graph::{Def, Func, Init, OpId, Port, RegionId, Role, Value, ValueId};
use crate::layout::{Constraint, DimSpec, Layout, Slot};
use crate::mesh::{Axis, MAX_AXES, MAX_DEVICES, Mesh};
use crate::op::Op;
use crate::print::{PrintedLine, lines};
use crate::table;
use crate::types::{DType, TensorType};
use std::fmt::{self, Write};

/// Limits on sizes, so that no program overflows arithmetic on them. They are far above what any machine holds.
/// What needs most of them are scores of attention over long sequences, which stand in the body of a composite.
pub const MAX_ELEMENTS: u64 = 1 << 52;
/// The most elements of a tensor that is not of a composite's body, over all devices.
pub const MAX_SPLIT: u64 = 1 << 48;
/// The most elements of a tensor that a source may ask to be built. What a composite's body names is built only where no kernel
/// runs the composite: the scores of attention have a place in no memory.
pub const MAX_BUILT: u64 = 1 << 42;
pub const MAX_RANK: usize = 16;
pub const MAX_TRIP: u64 = 1 << 32;
/// Regions inside regions: phases recurse over them.
pub const MAX_NESTING: usize = 32;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    pub at: PrintedLine,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a function.
///
/// # Errors
/// Everything that is wrong, in the order of the text; [`show`] puts it beside the lines.
pub fn verify(func: &Func) -> Result<(), Vec<VerifyError>> {
    let mut v = Verifier {
        func,
        defined: vec![None; func.values.len()],
        seen_op: vec![false; func.ops.len()],
        seen_region: vec![false; func.regions.len()],
        errors: Vec::new(),
    };
    v.mesh();
    // Axes of a broken mesh cannot be asked for their sizes.
    if v.errors.is_empty() {
        v.body();
    }
    if v.errors.is_empty() { Ok(()) } else { Err(v.errors) }
}

/// The errors, each under its line of the text form and the two lines before.
pub fn show(func: &Func, errors: &[VerifyError]) -> String {
    let lines = lines(func, false);
    let mut out = String::new();
    for e in errors {
        let at = lines.iter().position(|l| l.at == e.at).unwrap_or(0);
        let _ = writeln!(out, "error: {}", e.message);
        for (i, l) in lines.iter().enumerate().take(at + 1).skip(at.saturating_sub(2)) {
            let mark = if i == at { '>' } else { ' ' };
            let indent = 2 * l.depth;
            let _ = writeln!(out, "{mark} {:>4} | {:indent$}{}", i + 1, "", l.text);
        }
    }
    out
}

struct Verifier<'a> {
    func: &'a Func,
    /// Region in which each value seen so far is defined.
    defined: Vec<Option<RegionId>>,
    seen_op: Vec<bool>,
    seen_region: Vec<bool>,
    errors: Vec<VerifyError>,
}

impl Verifier<'_> {
    fn error(&mut self, at: PrintedLine, message: impl Into<String>) {
        let message = message.into();
        self.errors.push(VerifyError { at, message });
    }

    fn mesh(&mut self) {
        let mesh = &self.func.mesh;
        if mesh.axes.len() > MAX_AXES {
            let message = format!("{} mesh axes; at most {MAX_AXES} are possible", mesh.axes.len());
            self.error(PrintedLine::Func, message);
        }
        for (i, (name, size)) in mesh.axes.iter().enumerate() {
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name == "_"
                || name.starts_with(|c: char| !letters(c) || c.is_ascii_digit())
                || !name.chars().all(letters)
                || name.is_empty()
            {
                self.error(PrintedLine::Func, format!("`{name}` is not a name for a mesh axis"));
            }
            if *size == 0 {
                self.error(PrintedLine::Func, format!("mesh axis `{name}` has size 0"));
            }
            if mesh.axes[..i].iter().any(|a| a.0 == *name) {
                self.error(PrintedLine::Func, format!("mesh axis `{name}` stands twice"));
            }
        }
        if mesh.devices() > MAX_DEVICES {
            let message = format!("a mesh of more than {MAX_DEVICES} devices");
            self.error(PrintedLine::Func, message);
        }
    }

    fn body(&mut self) {
        let func = self.func;
        let Some(body) = func.regions.first() else {
            return self.error(PrintedLine::Func, "a function needs a body");
        };
        if body.owner.is_some() {
            self.error(PrintedLine::Func, "the function's body says that an op owns it");
        }
        if body.args.len() != func.inputs.len() {
            let message = format!("{} inputs are described for {} body arguments", func.inputs.len(), body.args.len());
            self.error(PrintedLine::Func, message);
        }
        if body.yields.len() != func.outputs.len() {
            let message = format!("{} outputs are described for {} results", func.outputs.len(), body.yields.len());
            self.error(PrintedLine::Func, message);
        }
        self.region(Func::BODY, 0);
        if !self.errors.is_empty() {
            return;
        }
        // Parts of a stack have its name.
        let same = |a: &Port, b: &Port| a.name == b.name && a.first_layer == b.first_layer;
        for (i, (port, &v)) in func.inputs.iter().zip(&body.args).enumerate() {
            let same_name = func.inputs[..i].iter().any(|p| same(p, port));
            self.port(PrintedLine::Input(i), port, v, same_name);
        }
        for (i, (port, &v)) in func.outputs.iter().zip(&body.yields).enumerate() {
            let same_name = func.outputs[..i].iter().any(|p| same(p, port));
            self.port(PrintedLine::Output(i), port, v, same_name);
            self.updates(i, port, v);
        }
    }

    fn port(&mut self, at: PrintedLine, port: &Port, v: ValueId, same_name: bool) {
        let ty = self.func.ty(v);
        let input = matches!(at, PrintedLine::Input(_));
        let name = &port.name;
        if same_name {
            self.error(at, format!("two ports are named `{name}`"));
        }
        if let Err(m) = check_constraint(&port.constraint, ty, &self.func.mesh) {
            self.error(at, m);
        }
        if port.stacked && ty.rank() == 0 {
            self.error(at, format!("`{name}` is stacked and has no dim to stack along"));
        }
        if port.complex && !(ty.shape.last() == Some(&2) && matches!(ty.dtype, DType::F32 | DType::F64)) {
            self.error(at, format!("`{name}` is complex, and {ty} does not end in a dim of real and imaginary part"));
        }
        if port.unsigned && ty.dtype != DType::I64 {
            self.error(at, format!("`{name}` is of unsigned integers of 64 bits, and {ty} is not as wide"));
        }
        if !port.entries.is_empty() && Some(&(port.entries.len() as u64)) != ty.shape.first().filter(|_| port.stacked) {
            self.error(at, format!("`{name}` of {ty} has names for {} entries", port.entries.len()));
        }
        if port.init.is_some() && !input {
            self.error(at, format!("an output has no initial value, as `{name}` does"));
        }
        if let Some(Init::Normal(b) | Init::Uniform(b)) = port.init {
            let x = f64::from_bits(b);
            if !ty.dtype.is_float() || !x.is_finite() || x < 0.0 {
                self.error(at, format!("`{name}` of {} cannot be drawn with scale {x}", ty.dtype));
            }
        }
        if let Some((lo, hi)) = port.range
            && (!ty.dtype.is_int() || lo >= hi)
        {
            self.error(at, format!("the range {lo}..{hi} is not one for {}", ty.dtype));
        }
        if port.role == Role::Loss && (input || ty.rank() != 0 || !ty.dtype.is_float()) {
            self.error(at, format!("the loss must be a float scalar that is computed, not {ty}"));
        }
        if let Some(of) = &port.of {
            let parameter = |p: &Port| p.role == Role::Parameter && p.name == *of;
            if port.role != Role::State {
                self.error(at, format!("`{name}` is of `{of}`, but only state belongs to a parameter"));
            } else if !self.func.inputs.iter().any(parameter) {
                self.error(at, format!("`{name}` is state of `{of}`, which is no parameter"));
            }
        }
        if port.updates.is_some() && input {
            self.error(at, format!("input `{name}` says that it updates another"));
        }
    }

    fn updates(&mut self, i: usize, port: &Port, v: ValueId) {
        let func = self.func;
        let Some(target) = port.updates else { return };
        let Some(&old) = func.body().args.get(target) else {
            let message = format!("`{}` updates input {target}, which there is not", port.name);
            return self.error(PrintedLine::Output(i), message);
        };
        if func.ty(old) != func.ty(v) {
            let message = format!("`{}` is {} and updates an input of type {}", port.name, func.ty(v), func.ty(old));
            self.error(PrintedLine::Output(i), message);
        }
        if func.outputs[..i].iter().any(|p| p.updates == Some(target)) {
            let name = &func.inputs[target].name;
            self.error(PrintedLine::Output(i), format!("input `{name}` is updated twice"));
        }
    }

    /// Checks a region and those inside it.
    fn region(&mut self, r: RegionId, depth: usize) {
        let func = self.func;
        if std::mem::replace(&mut self.seen_region[r.index()], true) {
            let message = format!("region {} stands in two places", r.0);
            return self.error(PrintedLine::Yield(r), message);
        }
        let region = func.region(r);
        for (i, &v) in region.args.iter().enumerate() {
            let at = if r == Func::BODY { PrintedLine::Input(i) } else { PrintedLine::Arg(r, i) };
            self.define(at, v, Def::Arg(r, i as u32), r);
        }
        for &o in &region.ops {
            let Some(data) = func.ops.get(o.index()) else {
                self.error(PrintedLine::Op(o), format!("there is no op {}", o.0));
                continue;
            };
            if std::mem::replace(&mut self.seen_op[o.index()], true) {
                self.error(PrintedLine::Op(o), "this op stands in two places");
                continue;
            }
            if data.parent != r {
                let message = format!("an op of region {} says that it is in {}", r.0, data.parent.0);
                self.error(PrintedLine::Op(o), message);
            }
            self.op(o, r, depth);
        }
        for (i, &v) in region.yields.iter().enumerate() {
            let at = if r == Func::BODY { PrintedLine::Output(i) } else { PrintedLine::Yield(r) };
            self.usable(at, v, r);
        }
    }

    fn define(&mut self, at: PrintedLine, v: ValueId, def: Def, r: RegionId) {
        let Some(value) = self.func.values.get(v.index()) else {
            return self.error(at, format!("there is no value {}", v.0));
        };
        if self.defined[v.index()].replace(r).is_some() {
            self.error(at, "this value is defined twice");
        }
        if value.def != def {
            let message = format!("the value's own record says it comes from {:?}", value.def);
            self.error(at, message);
        }
        if let Err(m) = check_value(value, &self.func.mesh) {
            self.error(at, m);
        }
    }

    /// Whether `v` may be used in region `r` at this point; an error otherwise.
    fn usable(&mut self, at: PrintedLine, v: ValueId, r: RegionId) -> bool {
        let message = match self.defined.get(v.index()) {
            None => format!("there is no value {}", v.0),
            Some(None) => "a value is used before it is defined".into(),
            Some(Some(home)) if *home != r => {
                "a value from outside the region is used; it must come in as an argument".into()
            }
            Some(Some(_)) => return true,
        };
        self.error(at, message);
        false
    }

    fn op(&mut self, o: OpId, r: RegionId, depth: usize) {
        let func = self.func;
        let data = func.op(o);
        let at = PrintedLine::Op(o);
        let mut sound = true;
        for &v in &data.operands {
            sound &= self.usable(at, v, r);
        }
        let wanted = usize::from(data.op.has_region());
        if data.regions.len() != wanted {
            let name = data.op.name();
            let message = format!("`{name}` has {wanted} regions, not {}", data.regions.len());
            self.error(at, message);
            sound = false;
        }
        for &inner in &data.regions {
            match func.regions.get(inner.index()) {
                None => self.error(at, format!("there is no region {}", inner.0)),
                Some(_) if depth >= MAX_NESTING => {
                    self.error(at, format!("regions nested more than {MAX_NESTING} deep"));
                }
                Some(region) => {
                    if region.owner != Some(o) {
                        self.error(at, "the op's region says that another op owns it");
                    }
                    let before = self.errors.len();
                    self.region(inner, depth + 1);
                    sound &= self.errors.len() == before;
                    continue;
                }
            }
            sound = false;
        }
        for (i, &v) in data.results.iter().enumerate() {
            self.define(at, v, Def::Op(o, i as u32), r);
        }
        // Types are checked only if everything that they are inferred from is in order.
        if sound && data.results.iter().all(|v| v.index() < func.values.len()) {
            match self.result_types(o) {
                Err(message) => self.error(at, message),
                Ok(types) => self.compare_types(o, &types),
            }
        }
    }

    fn compare_types(&mut self, o: OpId, types: &[TensorType]) {
        let (func, data) = (self.func, self.func.op(o));
        if types.len() != data.results.len() {
            let message = format!("{} results, not {}", types.len(), data.results.len());
            self.error(PrintedLine::Op(o), format!("`{}` has {message}", data.op.name()));
        }
        for (ty, &v) in types.iter().zip(&data.results) {
            if ty != func.ty(v) {
                let message = format!("`{}` gives {ty}, not {}", data.op.name(), func.ty(v));
                self.error(PrintedLine::Op(o), message);
            }
        }
    }

    fn result_types(&self, o: OpId) -> Result<Vec<TensorType>, String> {
        let (func, data) = (self.func, self.func.op(o));
        (data.op.entry().check)(&data.op, &func.mesh)?;
        match &data.op {
            Op::Repeat { carries, xs, .. } => {
                if carries.checked_add(*xs).is_none() {
                    return Err(format!("`repeat` with {carries} carries and {xs} xs"));
                }
                table::region::repeat_types(func, &data.op, &data.operands, data.regions[0])
            }
            Op::Composite { .. } => table::region::composite_types(func, &data.operands, data.regions[0]),
            op => {
                let operands = func.operand_types(o);
                let ty = table::infer_on(op, &operands, &func.mesh)?;
                (op.entry().check_operands)(op, &operands, &func.mesh)?;
                Ok(vec![ty])
            }
        }
    }
}

/// A shape that an attribute gives.
pub(crate) fn check_shape(shape: &[u64]) -> Result<(), String> {
    check_type(&TensorType::new(DType::Bool, shape))
}

pub(crate) fn check_axes(axes: &[Axis], mesh: &Mesh) -> Result<(), String> {
    for (i, a) in axes.iter().enumerate() {
        if a.index() >= mesh.axes.len() {
            return Err(format!("the mesh {mesh} has no axis number {}", a.0));
        }
        if axes[..i].contains(a) {
            return Err(format!("axis `{}` is used twice", mesh.name(*a)));
        }
    }
    Ok(())
}

fn check_type(ty: &TensorType) -> Result<(), String> {
    if ty.rank() > MAX_RANK {
        return Err(format!("{ty} has more than {MAX_RANK} dims"));
    }
    // Dims one by one too: a size of zero hides the others from the product.
    if ty.elements() > MAX_ELEMENTS || ty.shape.iter().any(|&n| n > MAX_ELEMENTS) {
        return Err(format!("{ty} is too large"));
    }
    Ok(())
}

fn check_value(value: &Value, mesh: &Mesh) -> Result<(), String> {
    check_type(&value.ty)?;
    match &value.layout {
        Some(l) => check_layout(l, &value.ty, mesh),
        None => Ok(()),
    }
}

/// A layout of a value: of its rank, with axes of the mesh, each once. Divisibility is not asked here, since in a local
/// program the type is already that of the shard.
fn check_layout(l: &Layout, ty: &TensorType, mesh: &Mesh) -> Result<(), String> {
    if l.dims.len() != ty.rank() {
        return Err(format!("a layout of {} dims on {ty}", l.dims.len()));
    }
    let axes: Vec<Axis> = l.dims.iter().flatten().chain(l.partial.keys()).copied().collect();
    check_axes(&axes, mesh)?;
    if ty.dtype == DType::Bool && l.partial.values().any(|r| !r.is_idempotent()) {
        return Err("partial sums or products of bool".into());
    }
    Ok(())
}

pub(crate) fn check_constraint(c: &Constraint, ty: &TensorType, mesh: &Mesh) -> Result<(), String> {
    let dims = c
        .dims
        .iter()
        .map(|d| match d {
            DimSpec::Exactly(a) | DimSpec::AtLeast(a) => a.clone(),
        })
        .collect();
    let partial = c.partial.clone();
    let layout = Layout { dims, partial };
    check_layout(&layout, ty, mesh)?;
    let replicated: Vec<Axis> = c.replicated.iter().copied().collect();
    check_axes(&replicated, mesh)?;
    match replicated.iter().find(|&&a| layout.slot(a) != Slot::Replicated) {
        Some(&a) => Err(format!("a layout with axis `{}` and with copies over it", mesh.name(a))),
        None => Ok(()),
    }
}
