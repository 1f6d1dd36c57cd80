//! Attention as one kernel: which composites can be, why others are written out, and the launches.
//!
//! A composite's body is its meaning, and its name says that a kernel computes the same. What the kernel has to be told beside
//! shapes and strides is where a device's queries and keys begin, if a mask goes by position and one of them is split.
//!
//! Not here: what the kernels do (`kernels::attention`), and whose results lie in another order than these ([`crate::storage`]).

use crate::ScheduleError;
use crate::expand::{BufferArg, Stop, kernel_dtype};
use crate::lower::Views;
use crate::memory::Step;
use crate::region::Scheduler;
use crate::view::View;
use meshloom_bundle::program::{ALIGN, Dim};
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Pass, named};
use meshloom_ir::{Func, Op, OpId, ValueId};
use meshloom_kernels::KernelSpec;
use meshloom_kernels::attention::Strides;
use meshloom_kernels::spec::{Attention, AttentionBackward, AttentionShape};

/// What a kernel is called with, but for where its operands lie.
pub struct Call {
    shape: AttentionShape,
    segmented: bool,
    /// Where queries and keys begin.
    starts: Vec<Dim>,
}

/// The physical order of a result's dims: the elements of one position together, so that merging heads back into a model dim
/// costs nothing. `None` where there is no reason for another than the order of dims.
pub fn physical_order(name: &str, result: usize) -> Option<Vec<usize>> {
    let (form, pass) = named(name)?;
    let dims = match (pass, result) {
        (Pass::Forward, 0) => form.out,
        (Pass::Backward, 0) => form.q,
        (Pass::Backward, _) => form.k,
        _ => return None,
    };
    let place = |c: char| dims.find(c);
    let order = ['b', 's', 't', 'h', 'g', 'd', 'e'];
    Some(order.into_iter().filter_map(place).collect())
}

/// The kernel call of a composite.
///
/// # Errors
/// Why its body has to be written out instead.
pub fn call(func: &Func, o: OpId) -> Result<Call, String> {
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
    let dtype = func.ty(values[0]).dtype;
    let kernel = kernel_dtype(dtype).ok().filter(|d| d.computed().is_float());
    let kernel = kernel.ok_or_else(|| format!("its kernel does not take {}", dtype.name()))?;
    for (&v, d) in values.iter().zip(&dims).filter(|(_, d)| !matches!(**d, "bs" | "bt")) {
        match kernel_dtype(func.ty(v).dtype) {
            // The log-sum-exp is never rounded.
            Ok(given) if given == if *d == form.rows { kernel.computed() } else { kernel } => {}
            _ => return Err(format!("its kernel does not take {} beside {}", func.ty(v).dtype, dtype)),
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
        dtype: kernel,
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
    };
    let starts = positions(func, o)?;
    // All positions that there are, those of other devices among them.
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
    Ok(Call { shape, segmented, starts })
}

/// Where a device's queries and keys begin: what a mask by position compares.
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
        Op::Elem(e) if matches!(e.def().name, "compare_ge" | "compare_lt" | "compare_gt") => {
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

impl Scheduler<'_> {
    /// Where an operand lies, its dims given by their letters.
    fn attention_operand(&self, view: &View, dtype: meshloom_ir::DType, dims: &str) -> (Strides, BufferArg) {
        let bytes = view.offset as u64 * dtype.bytes();
        let base = bytes / ALIGN * ALIGN;
        let stride = |c: char| dims.find(c).map_or(0, |i| view.strides[i]);
        let strides = Strides {
            offset: ((bytes - base) / dtype.bytes()) as i64,
            batch: stride('b'),
            head: stride('h'),
            group: stride('g'),
            // Queries have one, keys the other.
            seq: stride('s') + stride('t'),
        };
        (strides, BufferArg { home: view.home, offset: base, dtype })
    }

    pub fn attention(&self, views: &Views, op: OpId) -> Result<Vec<Step>, ScheduleError> {
        let data = self.func.op(op);
        let Op::Composite { name, .. } = &data.op else { return Ok(Vec::new()) };
        let refuse =
            |why: &str| self.stopped(op, Stop::Fail(format!("internal: composite `{name}` was kept, but {why}")));
        let Call { mut shape, segmented, starts } = call(self.func, op).map_err(|why| refuse(&why))?;
        let (form, pass) = named(name).ok_or_else(|| refuse("there is no kernel for it"))?;
        let (mut strides, mut args) = (Vec::new(), Vec::new());
        for (i, dims) in form.dims(pass, segmented).into_iter().enumerate() {
            let (view, v) = match data.operands.get(i) {
                Some(&v) => (self.operand(views, op, v)?, v),
                None => {
                    let r = data.results[i - data.operands.len()];
                    (views[&r].clone(), r)
                }
            };
            let elements = dims.ends_with(['d', 'e']) && self.func.ty(v).shape.last().is_some_and(|&n| n > 1);
            if view.shard.is_some() || elements && view.strides.last() != Some(&1) {
                return Err(refuse(&format!("`{dims}` of it has strides {:?}", view.strides)));
            }
            let (s, a) = self.attention_operand(&view, self.func.ty(v).dtype, dims);
            strides.push(s);
            args.push(a);
        }
        if segmented {
            shape.segments = Some([strides.remove(3), strides.remove(3)]);
        }
        let spec = match strides[..] {
            [q, k, v, o, lse] => KernelSpec::Attention(Attention { shape, q, k, v, o, lse }),
            [q, k, v, o, lse, d_o, dq, dk, dv] => {
                KernelSpec::AttentionBackward(AttentionBackward { shape, q, k, v, o, lse, d_o, dq, dk, dv })
            }
            _ => return Err(refuse("its operands are not those of its kernel")),
        };
        Ok(vec![self.launch(spec, &args, starts, op, &[op])])
    }
}
