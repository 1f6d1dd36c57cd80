//! Which composites run as one kernel, why the others are expanded, and in which order the dims of a kernel's results
//! lie.
//!
//! A composite's body is its meaning, and its name says that a kernel computes the same. A kernel is told shapes and
//! strides. Where a mask goes by position and the positions are split over devices, a kernel is also told at which
//! position the device's queries and keys begin.
//!
//! Not here: the launches ([`crate::attention`]), and what the kernels do (`kernels::attention`).

use meshloom_bundle::program::Dim;
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Pass, named};
use meshloom_ir::{Arithmetic, Comparison, Func, Op, OpId, ValueId};
use meshloom_kernels::spec::AttentionShape;

/// The arguments of a kernel's call, apart from where its operands lie.
pub struct AttentionCall {
    pub shape: AttentionShape,
    pub segmented: bool,
    /// The positions at which queries and keys begin.
    pub starts: Vec<Dim>,
}

/// The physical order of a result's dims. The elements of one position lie together, so that merging heads back into a
/// model dim costs nothing. `None` means the order of the dims in the type.
pub fn physical_order(name: &str, result: usize) -> Option<Vec<usize>> {
    let (form, pass) = named(name)?;
    let dims = match (pass, result) {
        (Pass::Forward, 0) => form.out,
        (Pass::Backward, 0) => form.q,
        (Pass::Backward, _) => form.k,
        _ => return None,
    };
    let place = |c: char| dims.find(c);
    let order = ['n', 'b', 's', 't', 'h', 'g', 'd', 'e'];
    Some(order.into_iter().filter_map(place).collect())
}

/// The kernel call of a composite.
///
/// # Errors
/// The reason why its body has to run as single ops instead.
pub fn call(func: &Func, o: OpId) -> Result<AttentionCall, String> {
    let data = func.op(o);
    let Op::Composite { name, attrs } = &data.op else { return Err("it is no composite".into()) };
    let (form, pass) = named(name).ok_or_else(|| "there is no kernel for it".to_string())?;
    let segmented = data.operands.len() == form.operands(pass, true);
    let dims = form.dims(pass, segmented);
    let values: Vec<ValueId> = data.operands.iter().chain(&data.results).copied().collect();
    let shapes = || values.iter().map(|&v| &func.ty(v).shape);
    if dims.len() != values.len() || dims.iter().zip(shapes()).any(|(d, s)| d.len() != s.len()) {
        return Err("its operands are not those of its kernel".into());
    }
    let size = |c: char| {
        let mut all = dims.iter().zip(shapes()).filter_map(|(d, s)| d.find(c).map(|i| s[i]));
        let n = all.next().unwrap_or(1);
        if all.all(|m| m == n) { Ok(n) } else { Err("its operands are not those of its kernel".to_string()) }
    };
    if size('n')? != 1 {
        return Err("its kernel takes one block at a time".into());
    }
    let dtype = func.ty(values[0]).dtype;
    if !dtype.is_float() {
        return Err(format!("its kernel does not take {dtype}"));
    }
    for (&v, d) in values.iter().zip(&dims).filter(|(_, d)| !form.segments.contains(d)) {
        // The log-sum-exp is never rounded.
        let wanted = if *d == form.rows { dtype.computed() } else { dtype };
        if func.ty(v).dtype != wanted {
            return Err(format!("its kernel does not take {} beside {}", func.ty(v).dtype, dtype));
        }
    }
    let causal = attrs.get("causal") == Some(&Attr::Bool(true));
    let window = match attrs.get("window") {
        Some(Attr::Int(n)) => u64::try_from(*n).unwrap_or(0),
        _ => 0,
    };
    let scale = match attrs.get("scale") {
        Some(Attr::Float(bits)) => *bits,
        _ => (1.0 / (size('d')? as f64).sqrt()).to_bits(),
    };
    let mut shape = AttentionShape {
        dtype,
        batch: size('b')?,
        heads: size('h')?,
        group: size('g')?,
        q_len: size('s')?,
        kv_len: size('t')?,
        head: size('d')?,
        value: size('e')?,
        causal,
        window,
        segments: None,
        shifted: false,
        scale,
        by_threads: false,
    };
    let starts = positions(func, o)?;
    // The number of positions on all devices together.
    let total = |i: usize, len: u64| match &starts[i] {
        Dim::ShardStart { axes, .. } => {
            let axes: Vec<meshloom_ir::mesh::Axis> = axes.iter().map(|&a| meshloom_ir::mesh::Axis(a as u8)).collect();
            len * func.mesh.group_size(&axes)
        }
        _ => len,
    };
    let (queries, keys) = (total(0, shape.q_len), total(1, shape.kv_len));
    if shape.window >= queries.max(keys) {
        shape.window = 0;
    }
    if pass == Pass::Forward && shape.window > 0 && queries > keys + shape.window - 1 {
        return Err("some queries see no key, which its kernel does not foresee".into());
    }
    let split = starts.iter().any(|s| !matches!(s, Dim::Const(_)));
    shape.shifted = shape.after().is_some() && (split || shape.q_len != shape.kv_len);
    let starts = if shape.shifted { starts.into() } else { Vec::new() };
    Ok(AttentionCall { shape, segmented, starts })
}

/// The positions at which a device's queries and keys begin, read off the mask in the composite's body.
fn positions(func: &Func, o: OpId) -> Result<[Dim; 2], String> {
    let body = func.region(func.op(o).regions[0]);
    let iota = |mut v: ValueId| -> Option<&Op> {
        loop {
            let data = func.op(func.def_op(v)?);
            if matches!(data.op, Op::Iota { .. }) {
                return Some(&data.op);
            }
            v = *data.operands.first()?;
        }
    };
    let start = |op: &Op| match op {
        Op::Iota { shard, dim, shape, .. } if !shard.is_empty() => {
            Dim::ShardStart { axes: shard.iter().map(|a| u32::from(a.0)).collect(), block: shape[*dim] as i64 }
        }
        _ => Dim::Const(0),
    };
    let compared = body.ops.iter().map(|&o| func.op(o)).find_map(|d| match &d.op {
        op if matches!(op.arithmetic(), Arithmetic::Compare(Comparison::Ge | Comparison::Lt | Comparison::Gt)) => {
            Some([iota(d.operands[0])?, iota(d.operands[1])?])
        }
        _ => None,
    });
    if let Some([query, key]) = compared {
        return Ok([start(query), start(key)]);
    }
    let placed = body.ops.iter().any(|&o| matches!(&func.op(o).op, Op::Iota { shard, .. } if !shard.is_empty()));
    if placed {
        Err("its kernel cannot be told where its queries and keys begin".into())
    } else {
        Ok([Dim::Const(0), Dim::Const(0)])
    }
}
