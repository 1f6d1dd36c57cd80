//! Launches of attention's kernels.
//!
//! Not here: which composites these kernels compute ([`crate::composite`]), what the kernels do (`kernels::attention`),
//! and in which order the dims of their results lie ([`crate::storage`]).

use crate::composite::{AttentionCall, call};
use crate::error::LowerError;
use crate::expand::{BufferArg, Stop};
use crate::memory::Step;
use crate::state::Lowering;
use crate::view::{View, Views};
use meshloom_bundle::program::ALIGN;
use meshloom_ir::table::composite::named;
use meshloom_ir::{Op, OpId};
use meshloom_kernels::attention::Strides;
use meshloom_kernels::spec::{Attention, AttentionBackward};
use meshloom_kernels::{Device, KernelSpec};

impl Lowering<'_> {
    /// Where an operand lies. `dims` has its subscripts.
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

    pub fn attention(&self, views: &Views, op: OpId) -> Result<Vec<Step>, LowerError> {
        let data = self.func.op(op);
        let Op::Composite { name, .. } = &data.op else { return Ok(Vec::new()) };
        let refuse =
            |why: &str| self.stopped(op, Stop::Fail(format!("internal: composite `{name}` was kept, but {why}")));
        let AttentionCall { mut shape, segmented, starts } = call(self.func, op).map_err(|why| refuse(&why))?;
        shape.by_threads = matches!(self.device, Device::GpuWithoutTma(gpu) if gpu.fetches());
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
