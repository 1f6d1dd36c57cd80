//! The number of a device, `partition_id`, and what JAX computes from it. `axis_index` divides the number by the strides of the
//! axes behind an axis, and takes the remainder by the axis' size.
//!
//! The number differs between the devices of all axes, the index only between those of its own axis. So quotients and remainders
//! of numbers are followed, with the axes that they count, and are computed from those axes alone.

use super::enclosed::Made;
use crate::import::elementwise;
use crate::import::state::{AxisStrides, Import, ImportRule, constant};
use crate::module::TextOp;
use meshloom_ir::types::Scalar;
use meshloom_ir::{DType, Op as Ir, ValueId};

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.partition_id", partition_id),
    ("stablehlo.replica_id", replica_id),
    ("stablehlo.divide", part),
    ("stablehlo.remainder", part),
];

fn partition_id(i: &mut Import<'_>, _: &TextOp<'_>) -> Made {
    if i.manual.is_empty() {
        return Err(
            "`partition_id` is a device's number, which only a manual region has\ncall `axis_index` in a `shard_map`"
                .to_string(),
        );
    }
    let mut axes = i.manual.clone();
    axes.sort_unstable();
    let place = axes.into_iter().map(|a| (a, i.meshes.devices.span(a).0)).filter(|p| p.1 > 0).collect();
    Ok(vec![i.place(place, DType::U32)?])
}

/// Programs are of one replica.
fn replica_id(i: &mut Import<'_>, _: &TextOp<'_>) -> Made {
    Ok(vec![i.b.constant(DType::U32, &[], 0.0)])
}

/// A quotient or remainder by a constant, of a device's number or of anything else.
fn part(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    if !i.places.is_empty() && i.lift.is_none() {
        let operands = i.operands(op)?;
        if let [x, by] = operands[..]
            && let Some(Scalar::Int(n @ 1..)) = constant(&i.b.func, by)
            && let Some(place) = i.places.get(&(i.level(), x)).cloned()
            && let Some(place) = i.counted(&place, n as u64, op.name == "stablehlo.divide")
        {
            let dtype = i.b.ty(x).dtype;
            return Ok(vec![i.place(place, dtype)?]);
        }
    }
    elementwise::by_name(i, op)
}

impl Import<'_> {
    /// The axes that are left of a number divided by `n`, or of the remainder; `None` where an axis is cut.
    fn counted(&self, place: &AxisStrides, n: u64, divide: bool) -> Option<AxisStrides> {
        let mut out = AxisStrides::new();
        for &(axis, weight) in place {
            let (low, high) = self.meshes.devices.span(axis);
            let end = weight.checked_mul(high / low.max(1))?;
            match (weight >= n, end <= n) {
                (true, _) if divide && weight % n == 0 => out.push((axis, weight / n)),
                (true, _) if !divide && weight % n == 0 => {}
                (_, true) if divide => {}
                (_, true) => out.push((axis, weight)),
                _ => return None,
            }
        }
        Some(out)
    }

    /// A device's place along axes, as a number.
    pub(super) fn place(&mut self, place: AxisStrides, dtype: DType) -> Result<ValueId, String> {
        let mut sum: Option<ValueId> = None;
        for &(axis, weight) in &place {
            // One by one: they may be of different regions.
            let index = self.emit(Ir::Iota { dtype: DType::I32, shape: vec![1], dim: 0, shard: vec![axis] }, &[])?;
            let mut index = self.emit(Ir::Reshape { shape: Vec::new() }, &[index])?;
            if weight != 1 {
                let by = self.b.constant(DType::I32, &[], weight as f64);
                index = self.elem("multiply", &[index, by])?;
            }
            sum = Some(match sum {
                Some(s) => self.elem("add", &[s, index])?,
                None => index,
            });
        }
        let v = match sum {
            Some(v) => self.convert(v, dtype)?,
            None => self.b.constant(dtype, &[], 0.0),
        };
        let level = self.level();
        self.places.insert((level, v), place);
        Ok(v)
    }
}
