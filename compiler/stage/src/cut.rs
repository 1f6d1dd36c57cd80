//! Cutting a local program into stages: the transformations, one after the other, and what belongs to which stage.
//!
//! Each step is a transformation of `ir` that does not change what a program computes: `segments`, `distribute`, `unstack`.
//! Not here: deciding anything but where each op goes ([`crate::actions`], [`crate::place`]).

use crate::actions::{self, Kind, Segment};
use crate::staged::{Action, Staged};
use crate::{layers, place};
use meshloom_ir::distribute::distribute;
use meshloom_ir::prune::prune;
use meshloom_ir::segments::{self, Cut};
use meshloom_ir::unstack::{Stack, unstack};
use meshloom_ir::{Func, Op, OpId, RegionId};
use std::collections::BTreeMap;

/// Where a list of layers is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boundaries {
    /// The list's path: `blocks`.
    pub list: String,
    /// Layers at which a new stage begins, rising, without 0.
    pub at: Vec<u64>,
    /// Gradients of weights are actions of their own.
    pub weights: bool,
}

/// Cuts a local program.
///
/// # Errors
/// A list that the program does not have, boundaries that do not fit it, or a program that cannot be cut there.
pub fn cut(local: &Func, boundaries: &Boundaries) -> Result<Staged, String> {
    let found = layers::find(local, &boundaries.list)?;
    let bounds: Vec<u64> = [0].into_iter().chain(boundaries.at.iter().copied()).chain([found.count]).collect();
    if !bounds.is_sorted_by(|a, b| a < b) {
        return Err(format!(
            "the {} layers of `{}` cannot be cut at {:?}",
            found.count, boundaries.list, boundaries.at
        ));
    }
    let stages = bounds.len() - 1;
    let Op::Repeat { trip: microbatches, .. } = local.op(found.microbatches).op else {
        return Err("there is no loop over microbatches".into());
    };
    let place = local.body().ops.iter().filter(|&&o| is_loop(local, o)).position(|&o| o == found.microbatches);
    let place = place.unwrap_or(0);
    let (mut func, mut segments) = segmented(local, &found, boundaries, place)?;
    if boundaries.weights {
        (func, segments) = halved(func, segments, place)?;
    }
    let stacks: Vec<Stack> = found.inputs.iter().map(|&input| Stack { input, bounds: bounds.clone() }).collect();
    let apart = unstack(&func, &stacks)?;
    let repeat = nth_loop(&apart.func, Func::BODY, place)?;
    let body = apart.func.op(repeat).regions[0];
    let by_op: BTreeMap<OpId, Segment> =
        loops(&apart.func, body).into_iter().zip(segments).filter_map(|(o, s)| Some((o, s?))).collect();
    let parts = actions::assign(&apart.func, body, &by_op, stages, boundaries.weights);
    let made = distribute(&apart.func, repeat, &parts)?;
    let order = actions::order(stages, boundaries.weights);
    let func = prune(&made.func);
    let mut all = Vec::new();
    // A part without ops has no loop.
    let kinds = order.iter().zip(&made.loops).filter(|x| x.1.is_some()).map(|x| *x.0);
    for (k, (stage, kind)) in kinds.enumerate() {
        all.push(Action { repeat: nth_loop(&func, Func::BODY, place + k)?, stage, kind });
    }
    let placed = place::place(&func, &all, stages);
    Ok(Staged {
        func,
        stages,
        microbatches,
        actions: all,
        ops: placed.ops,
        inputs: placed.inputs,
        input_layers: apart.inputs,
        output_layers: apart.outputs,
    })
}

fn is_loop(func: &Func, o: OpId) -> bool {
    matches!(func.op(o).op, Op::Repeat { .. })
}

fn loops(func: &Func, region: RegionId) -> Vec<OpId> {
    func.region(region).ops.iter().copied().filter(|&o| is_loop(func, o)).collect()
}

/// The loop with this number in a region. Transformations keep the order of loops, and not their ids.
fn nth_loop(func: &Func, region: RegionId, n: usize) -> Result<OpId, String> {
    loops(func, region).get(n).copied().ok_or_else(|| "internal: a loop was lost".into())
}

/// The program with its layers cut, and what the loops in the loop over microbatches are, in order.
fn segmented(
    local: &Func,
    found: &layers::Layers,
    boundaries: &Boundaries,
    place: usize,
) -> Result<(Func, Vec<Option<Segment>>), String> {
    let body_of = |f: &Func| Ok::<_, String>(f.op(nth_loop(f, Func::BODY, place)?).regions[0]);
    if boundaries.at.is_empty() {
        let cut = segments::group(local, found.forward);
        let of = |o: OpId| cut.contains(&o).then(|| Segment { stage: 0, kind: kind(local, o) });
        let segments = loops(local, body_of(local)?).into_iter().map(of).collect();
        return Ok((local.clone(), segments));
    }
    let split = segments::split(local, &[Cut { repeat: found.forward, at: boundaries.at.clone() }])?;
    let of = |o: OpId| {
        let region = split.func.op(o).regions[0];
        let stage = split.segments[region.index()]? as usize;
        Some(Segment { stage, kind: kind(&split.func, o) })
    };
    let segments = loops(&split.func, body_of(&split.func)?).into_iter().map(of).collect();
    Ok((split.func, segments))
}

fn kind(func: &Func, o: OpId) -> Kind {
    let backward =
        func.walk(func.op(o).regions[0]).into_iter().any(|x| func.op(x).phase != meshloom_ir::Phase::Forward);
    if backward { Kind::Input } else { Kind::Forward }
}

/// Takes gradients of weights out of the backward loops over layers.
fn halved(
    mut func: Func,
    segments: Vec<Option<Segment>>,
    place: usize,
) -> Result<(Func, Vec<Option<Segment>>), String> {
    let mut out = Vec::new();
    for segment in segments {
        let body = func.op(nth_loop(&func, Func::BODY, place)?).regions[0];
        let o = nth_loop(&func, body, out.len())?;
        let parts = segment.filter(|s| s.kind == Kind::Input).and_then(|_| actions::halves(&func, o));
        out.push(segment);
        if let (Some(parts), Some(s)) = (parts, segment) {
            func = distribute(&func, o, &parts)?.func;
            out.push(Some(Segment { kind: Kind::Weight, ..s }));
        }
    }
    Ok((func, out))
}
