//! Cutting a local program into stages: the transformations, one after the other, and what belongs to which stage.
//!
//! Each step is a transformation of `ir`, or of this crate, that does not change what a program computes: `once`, `copies`,
//! `segments`, `unstack`, `sums`, `distribute`. Not here: deciding anything but where each op goes ([`crate::actions`],
//! [`crate::place`]).

use crate::actions::{self, Kind, Segment};
use crate::once::once;
use crate::staged::{Action, Staged};
use crate::{carried, layers, place, sums};
use meshloom_ir::distribute::{Parts, distribute, distribute_all};
use meshloom_ir::prune::prune;
use meshloom_ir::segments::{self, Cut};
use meshloom_ir::unstack::{Stack, Unstacked, unstack};
use meshloom_ir::{Def, Func, Op, OpId, RegionId, ValueId};
use std::collections::BTreeMap;
use std::fmt;

/// Where a list of layers is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boundaries {
    /// The list's path: `blocks`.
    pub list: String,
    /// Layers of each stage, in the order of the stages. A stage may have none: the first one then has what comes before the
    /// layers alone, the last one what comes behind them, and any other nothing.
    pub sizes: Vec<u64>,
    /// Gradients of weights are actions of their own.
    pub weights: bool,
    /// How many ways the microbatches go, as many each way: each way has stages of its own, of the same layers.
    pub ways: usize,
}

/// Why a program cannot be cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotCut {
    /// The state that this input has is read in an earlier stage than the one that computes what the next microbatch gets.
    State {
        input: usize,
    },
    Other(String),
}

impl From<String> for NotCut {
    fn from(message: String) -> NotCut {
        NotCut::Other(message)
    }
}

impl fmt::Display for NotCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotCut::State { .. } => f.write_str("a stage reads state that a later stage changes"),
            NotCut::Other(message) => f.write_str(message),
        }
    }
}

impl From<NotCut> for String {
    fn from(e: NotCut) -> String {
        e.to_string()
    }
}

/// Cuts a local program.
///
/// # Errors
/// A list that the program does not have, boundaries that do not fit it, or a program that cannot be cut there.
pub fn cut(local: &Func, boundaries: &Boundaries) -> Result<Staged, NotCut> {
    let mut local = local.clone();
    let mut found = layers::find(&local, &boundaries.list)?;
    if found.microbatches.is_none() {
        local = once(&local)?;
        found = layers::find(&local, &boundaries.list)?;
    }
    let lost = || "internal: the loop over microbatches was lost".to_string();
    let microbatches = found.microbatches.ok_or_else(lost)?;
    let Op::Repeat { trip, .. } = local.op(microbatches).op else { return Err(lost().into()) };
    let end = |at: &mut u64, n: &u64| {
        *at = at.saturating_add(*n);
        Some(*at)
    };
    let mut bounds: Vec<u64> = [0].into_iter().chain(boundaries.sizes.iter().scan(0, end)).collect();
    if bounds.last() != Some(&found.count) || found.count == 0 {
        let (list, sizes) = (&boundaries.list, &boundaries.sizes);
        let message = format!("the {} layers of `{list}` cannot be cut into stages of {sizes:?} layers", found.count);
        return Err(message.into());
    }
    bounds.dedup();
    // Those that have layers, in their order.
    let with: Vec<usize> = (0..boundaries.sizes.len()).filter(|&s| boundaries.sizes[s] > 0).collect();
    let (stages, ways) = (boundaries.sizes.len(), boundaries.ways.max(1));
    let at = |region: RegionId, o: OpId| loops(&local, region).iter().position(|&x| x == o).ok_or_else(lost);
    let place = at(Func::BODY, microbatches)?;
    let inner = local.op(microbatches).regions[0];
    let forward = found.forward.iter().map(|(o, first)| Ok((at(inner, *o)?, *first)));
    let forward = forward.collect::<Result<Vec<_>, String>>()?;
    let all = sums::copies(&local, microbatches, ways as u64)?;
    let (mut func, mut segments) = segmented(&all, &bounds, &with, place, &forward, ways)?;
    if boundaries.weights {
        (func, segments) = halved(&func, &segments, place)?;
    }
    // A stack has a part for each segment of a stage, since a part is read as a whole.
    let mut parts: Vec<u64> = bounds.iter().copied().chain(found.forward.iter().map(|f| f.1)).collect();
    parts.sort_unstable();
    parts.dedup();
    let first_layer = |input: usize| func.inputs[input].first_layer;
    let stack = |&input: &usize| {
        let rows = func.ty(func.body().args[input]).shape.first().copied().unwrap_or(0);
        let own = parts.iter().filter_map(|b| b.checked_sub(first_layer(input)).filter(|b| *b <= rows));
        let mut own: Vec<u64> = own.chain([0, rows]).collect();
        own.sort_unstable();
        own.dedup();
        Stack { input, bounds: own }
    };
    let stacks: Vec<Stack> = found.inputs.iter().map(stack).collect();
    let mut apart = unstack(&func, &stacks)?;
    let order = actions::order(stages, boundaries.weights);
    // Where a loop is distributed, the loops behind it get other numbers.
    let mut kinds = Vec::new();
    for (way, segments) in segments.into_iter().enumerate().rev() {
        let repeat = nth_loop(&apart.func, Func::BODY, place + way)?;
        let body = apart.func.op(repeat).regions[0];
        let by_op: BTreeMap<OpId, Segment> =
            loops(&apart.func, body).into_iter().zip(segments).filter_map(|(o, s)| Some((o, s?))).collect();
        summed(&mut apart.func, repeat, &by_op, stages);
        let parts = assigned(&apart, repeat, &by_op, boundaries)?;
        let made = distribute(&apart.func, repeat, &parts)?;
        // A part without ops has no loop.
        let own = order.iter().zip(&made.loops[0]).filter(|x| x.1.is_some());
        let own: Vec<(usize, Kind)> = own.map(|((stage, kind), _)| (way * stages + stage, *kind)).collect();
        kinds.splice(0..0, own);
        apart.func = made.func;
    }
    let func = prune(&apart.func);
    let mut all = Vec::new();
    for (k, (stage, kind)) in kinds.into_iter().enumerate() {
        all.push(Action { repeat: nth_loop(&func, Func::BODY, place + k)?, stage, kind });
    }
    let of_layers =
        apart.inputs.iter().map(|&(input, layers)| stage_of(&bounds, &with, first_layer(input) + layers?.0));
    let of_layers: Vec<Option<usize>> = of_layers.collect();
    let placed = place::place(&func, &all, stages * ways, &of_layers);
    Ok(Staged {
        func,
        stages: stages * ways,
        microbatches: trip / ways as u64,
        actions: all,
        ops: placed.ops,
        inputs: placed.inputs,
        input_layers: apart.inputs,
        output_layers: apart.outputs,
    })
}

/// The actions of the ops of a loop over microbatches, in which nothing is read that a later action has for it.
fn assigned(
    apart: &Unstacked,
    repeat: OpId,
    segments: &BTreeMap<OpId, Segment>,
    boundaries: &Boundaries,
) -> Result<Parts, NotCut> {
    let (func, data) = (&apart.func, apart.func.op(repeat));
    let parts = actions::assign(func, data.regions[0], segments, boundaries.sizes.len(), boundaries.weights);
    let Some(k) = carried::read_too_early(func, repeat, &parts) else { return Ok(parts) };
    Err(match func.value(data.operands[k]).def {
        Def::Arg(_, i) => NotCut::State { input: apart.inputs[i as usize].0 },
        Def::Op(..) => NotCut::Other("a stage reads what only a later stage computes".into()),
    })
}

/// Sums of what several stages add become a sum of each stage, where they are large: each is sent once in a step.
fn summed(func: &mut Func, repeat: OpId, segments: &BTreeMap<OpId, Segment>, stages: usize) {
    let stages = actions::stages(func, func.op(repeat).regions[0], segments, stages);
    for sum in sums::sums(func, repeat) {
        let mut groups: BTreeMap<usize, Vec<ValueId>> = BTreeMap::new();
        let of = |v: &ValueId| func.def_op(*v).and_then(|o| stages.get(&o).copied());
        // What depends on no layer goes with the first of the others.
        let first = sum.addends.iter().filter_map(of).min().unwrap_or(0);
        for v in &sum.addends {
            groups.entry(of(v).unwrap_or(first)).or_default().push(*v);
        }
        let large = sum.addends.iter().any(|&v| func.ty(v).bytes() > place::SMALL);
        if groups.len() > 1 && large {
            sums::split(func, repeat, &sum, &groups.into_values().collect::<Vec<_>>());
        }
    }
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

/// The stage that a layer is in; `with` are the stages between the bounds.
fn stage_of(bounds: &[u64], with: &[usize], layer: u64) -> Option<usize> {
    with.get(bounds.partition_point(|b| *b <= layer).checked_sub(1)?).copied()
}

/// What the loops of a region are, in order.
type Segments = Vec<Option<Segment>>;

/// The program with its layers cut, and for each loop over microbatches what the loops in it are. `with` are the stages between the
/// bounds, and `forward` are the numbers of the loops over layers there, with their first layers.
fn segmented(
    func: &Func,
    bounds: &[u64],
    with: &[usize],
    place: usize,
    forward: &[(usize, u64)],
    ways: usize,
) -> Result<(Func, Vec<Segments>), String> {
    let body_of = |f: &Func, way: usize| Ok::<_, String>(f.op(nth_loop(f, Func::BODY, place + way)?).regions[0]);
    // By loop: the layers at which it begins and is cut, those of its group alike.
    let mut begins: BTreeMap<OpId, Vec<u64>> = BTreeMap::new();
    let mut cuts = Vec::new();
    for way in 0..ways {
        for &(number, first) in forward {
            let repeat = nth_loop(func, body_of(func, way)?, number)?;
            let Op::Repeat { trip, .. } = func.op(repeat).op else { continue };
            let at = bounds.iter().filter(|b| (first + 1..first + trip).contains(*b));
            let at: Vec<u64> = at.map(|b| b - first).collect();
            let all: Vec<u64> = [0].iter().chain(&at).map(|b| first + b).collect();
            begins.extend(segments::group(func, repeat).into_iter().map(|o| (o, all.clone())));
            if !at.is_empty() {
                cuts.push(Cut { repeat, at });
            }
        }
    }
    let stage = |layer: u64| stage_of(bounds, with, layer);
    if cuts.is_empty() {
        let of = |o: OpId| Some(Segment { stage: stage(*begins.get(&o)?.first()?)?, kind: kind(func, o) });
        let of_way = |way| Ok(loops(func, body_of(func, way)?).into_iter().map(of).collect());
        return Ok((func.clone(), (0..ways).map(of_way).collect::<Result<_, String>>()?));
    }
    let split = segments::split(func, &cuts)?;
    let of = |o: OpId| {
        let region = split.func.op(o).regions[0];
        let begins = begins.get(&split.ops[o.index()]?)?;
        let layer = *begins.get(split.segments[region.index()].unwrap_or(0) as usize)?;
        Some(Segment { stage: stage(layer)?, kind: kind(&split.func, o) })
    };
    let of_way = |way| Ok(loops(&split.func, body_of(&split.func, way)?).into_iter().map(of).collect());
    let all = (0..ways).map(of_way).collect::<Result<_, String>>()?;
    Ok((split.func, all))
}

fn kind(func: &Func, o: OpId) -> Kind {
    let backward =
        func.walk(func.op(o).regions[0]).into_iter().any(|x| func.op(x).phase != meshloom_ir::Phase::Forward);
    if backward { Kind::Input } else { Kind::Forward }
}

/// Takes gradients of weights out of the backward loops over layers, of all ways. The first loop over microbatches has the number
/// `place`.
fn halved(func: &Func, segments: &[Segments], place: usize) -> Result<(Func, Vec<Segments>), String> {
    let (mut all, mut out) = (Vec::new(), Vec::new());
    for (way, of) in segments.iter().enumerate() {
        let body = func.op(nth_loop(func, Func::BODY, place + way)?).regions[0];
        let mut own = Vec::new();
        for (o, segment) in loops(func, body).into_iter().zip(of) {
            own.push(*segment);
            let Some(s) = segment.filter(|s| s.kind == Kind::Input) else { continue };
            if let Some(parts) = actions::halves(func, o) {
                all.push((o, parts));
                own.push(Some(Segment { kind: Kind::Weight, ..s }));
            }
        }
        out.push(own);
    }
    Ok((distribute_all(func, &all)?.func, out))
}
