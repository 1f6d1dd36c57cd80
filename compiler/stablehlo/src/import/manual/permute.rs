//! `collective_permute`: pairs of devices, as shifts around axes.
//!
//! Each pair moves a value by so many devices around each axis. Pairs that move alike are one shift. If a shift does not reach
//! all devices, those that it reaches take what came; the others take what another shift brought, or zeros.

use super::enclosed::Made;
use crate::import::state::{Import, ImportRule};
use crate::import::written::groups;
use crate::module::TextOp;
use meshloom_ir::{Axis, DType, Op as Ir, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.collective_permute", permute)];

/// Shifts of one op: each of them costs as much as a whole one.
const MOST: usize = 64;

/// Places of a device along the axes of the mesh.
type Coords = Vec<u64>;

fn permute(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    if i.manual.is_empty() {
        return Err(
            "`stablehlo.collective_permute` stands outside of a manual region\ncollectives are written in `shard_map`"
                .to_string(),
        );
    }
    let xs = i.operands(op)?;
    let pairs = op.attr("source_target_pairs").and_then(groups).ok_or("`source_target_pairs` is missing")?;
    let mut moves: BTreeMap<Coords, BTreeSet<Coords>> = BTreeMap::new();
    let mut targets = BTreeSet::new();
    let axes: Vec<Axis> = i.mesh().all_axes().collect();
    for pair in &pairs {
        let places = i.meshes.positions(pair).ok_or("a pair names a device that there is none of")?;
        let coords = |p: u64| i.meshes.devices.coords(p).ok_or("a pair names a device that there is none of");
        let &[from, to] = &places[..] else { return Err("a pair is of two devices".to_string()) };
        let (from, to) = (coords(from)?, coords(to)?);
        if !targets.insert(to.clone()) {
            return Err("two pairs have the same target".to_string());
        }
        let by = axes.iter().map(|&a| (to[a.index()] + i.mesh().size(a) - from[a.index()]) % i.mesh().size(a));
        moves.entry(by.collect()).or_default().insert(to);
    }
    let moved = moves.keys().flat_map(|m| axes.iter().filter(|a| m[a.index()] != 0));
    if let Some(&a) = moved.into_iter().find(|a| !i.manual.contains(a)) {
        let name = i.mesh().name(a);
        return Err(format!(
            "the pairs go along the axis `{name}`, which is not manual here\nname it in `axis_names` of the `shard_map`"
        ));
    }
    if moves.len() > MOST {
        return Err(format!(
            "the pairs are {} different shifts; at most {MOST} are done\nuse `all_to_all` or `all_gather`",
            moves.len()
        ));
    }
    xs.into_iter().map(|x| exchanged(i, x, &moves)).collect()
}

fn exchanged(i: &mut Import<'_>, x: ValueId, moves: &BTreeMap<Coords, BTreeSet<Coords>>) -> Result<ValueId, String> {
    let axes: Vec<Axis> = i.mesh().all_axes().collect();
    let mut out: Option<ValueId> = None;
    for (by, targets) in moves {
        let mut v = x;
        for &a in axes.iter().filter(|a| by[a.index()] != 0) {
            v = i.emit(Ir::CollectiveShift { axes: vec![a], by: by[a.index()], mirror: false }, &[v])?;
        }
        out = Some(match mask(i, targets)? {
            None => v,
            Some(here) => {
                let shape = i.b.shape(v);
                let here = i.broadcast(here, &shape, &[])?;
                let dtype = i.b.ty(x).dtype;
                let others = out.unwrap_or_else(|| i.b.constant(dtype, &shape, 0.0));
                i.select(here, v, others)?
            }
        });
    }
    match out {
        Some(v) => Ok(v),
        None => {
            let ty = i.b.ty(x).clone();
            Ok(i.b.constant(ty.dtype, &ty.shape, 0.0))
        }
    }
}

/// Whether a device is one of `targets`; `None` where all are.
fn mask(i: &mut Import<'_>, targets: &BTreeSet<Coords>) -> Result<Option<ValueId>, String> {
    let count = i.meshes.devices.count();
    let here: Vec<bool> = (0..count).filter_map(|d| Some(targets.contains(&i.meshes.devices.coords(d)?))).collect();
    let axes = i.differing(&here)?;
    if axes.is_empty() {
        return Ok(None);
    }
    let number = |t: &Coords| axes.iter().fold(0, |n, &a| n * i.mesh().size(a) + t[a.index()]);
    let numbers: BTreeSet<u64> = targets.iter().map(number).collect();
    let all = i.mesh().group_size(&axes);
    let index = i.number_along(&axes)?;
    // Runs of numbers one after the other.
    let starts: Vec<u64> = numbers.iter().copied().filter(|&n| n == 0 || !numbers.contains(&(n - 1))).collect();
    let mut here: Option<ValueId> = None;
    for start in starts {
        let end = (start..all).take_while(|n| numbers.contains(n)).count() as u64 + start;
        let mut within: Option<ValueId> = None;
        for (name, bound, needed) in [("compare_ge", start, start > 0), ("compare_lt", end, end < all)] {
            if !needed {
                continue;
            }
            let bound = i.b.constant(DType::I32, &[], bound as f64);
            let side = i.elem(name, &[index, bound])?;
            within = Some(match within {
                Some(w) => i.elem("and", &[w, side])?,
                None => side,
            });
        }
        let Some(within) = within else { continue };
        here = Some(match here {
            Some(h) => i.elem("or", &[h, within])?,
            None => within,
        });
    }
    Ok(here)
}
