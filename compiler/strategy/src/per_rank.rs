//! What one device of each rank of a pipeline sends, computes and holds in a step.
//!
//! A plan with stages is a plan of all stages on the devices of one rank. Its own figures are sums over all ranks, and no device
//! has as much. Figures of a device come from the programs of the ranks: a collective of the plan is found there by what it does,
//! its axes, its type, its phase and its place in the source. Cutting a program keeps these, and changes how many layers one call
//! is about. Of collectives that are alike in all of them each has the share that it has in the plan.
//!
//! Not here: bytes by level of the links ([`crate::wire`]); memory, which needs a schedule ([`Ranks::bytes`]).

use crate::cut_plan::Ranks;
use crate::rank_program::RankProgram;
use crate::wire::{each_call, messages};
use meshloom_certify::staged::RankInput;
use meshloom_ir::{Axis, DType, Func, OpId, Phase, Span, table};
use meshloom_plan::cost::wire_bytes;
use meshloom_plan::{Plan, TensorPlan};
use std::collections::BTreeMap;

/// The share of one device of a rank.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RankShare {
    pub flops: u64,
    /// Bytes that it sends to other ranks.
    pub messages: u64,
    /// For each collective of the plan.
    pub collectives: Vec<CallShare>,
    /// For each tensor of the plan that is an input of the step: the layers of it, if it is a list of which the rank has some, and
    /// all of it otherwise. `None` if the rank has none of it, and for tensors that are no inputs.
    pub tensors: Vec<Option<HeldOfRank>>,
}

/// What a device of a rank does of one collective of the plan.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CallShare {
    pub times: u64,
    pub wire_bytes: f64,
}

/// What a device of a rank holds of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeldOfRank {
    Whole,
    Layers(u64),
}

impl RankShare {
    /// Bytes that the device sends, messages to other ranks among them.
    pub fn wire_bytes(&self) -> f64 {
        self.messages as f64 + self.collectives.iter().map(|c| c.wire_bytes).sum::<f64>()
    }
}

/// By rank, the share of one of its devices.
pub fn shares(plan: &Plan, ranks: &Ranks) -> Vec<RankShare> {
    let whole = calls(&plan.local);
    let of_rank = |rank: &RankProgram| {
        let func = &rank.program.func;
        let own = calls(func);
        RankShare {
            flops: func.body().ops.iter().fold(0, |n: u64, &o| n.saturating_add(table::flops(func, o))),
            messages: messages(func, &rank.program.given),
            collectives: plan
                .collectives
                .iter()
                .map(|c| share(&plan.local, c.op, c.times_per_step, &whole, &own))
                .collect(),
            tensors: plan.tensors.iter().map(|t| held(t, &plan.local, rank)).collect(),
        }
    };
    ranks.programs.iter().map(of_rank).collect()
}

/// What stays of a collective when its program is cut.
type Kind = (&'static str, Vec<Axis>, DType, Phase, Span);

fn kind(func: &Func, o: OpId) -> Option<Kind> {
    let data = func.op(o);
    let dtype = func.ty(*data.operands.first()?).dtype;
    Some((data.op.name(), data.op.collective_axes()?.to_vec(), dtype, data.phase, data.span))
}

/// By kind, all calls of a device in a step.
fn calls(func: &Func) -> BTreeMap<Kind, CallShare> {
    let mut out: BTreeMap<Kind, CallShare> = BTreeMap::new();
    each_call(func, Func::BODY, 1, &mut |o, times| {
        let Some(kind) = kind(func, o) else { return };
        let all = out.entry(kind).or_default();
        all.times = all.times.saturating_add(times);
        all.wire_bytes += sent(func, o, times);
    });
    out
}

/// Bytes that a device sends in so many executions.
fn sent(func: &Func, o: OpId, times: u64) -> f64 {
    let data = func.op(o);
    let bytes = data.operands.first().map_or(0, |&v| wire_bytes(&data.op, func.ty(v), &func.mesh));
    bytes as f64 / func.mesh.devices() as f64 * times as f64
}

/// A rank's part of the collective `o` of the plan, which is executed so many `times` there.
fn share(
    local: &Func,
    o: OpId,
    times: u64,
    whole: &BTreeMap<Kind, CallShare>,
    own: &BTreeMap<Kind, CallShare>,
) -> CallShare {
    let Some(kind) = kind(local, o) else { return CallShare::default() };
    let (Some(all), Some(some)) = (whole.get(&kind), own.get(&kind)) else { return CallShare::default() };
    let of = |part: f64, all: f64| if all > 0.0 { part / all } else { 0.0 };
    CallShare {
        times: (some.times as f64 * of(times as f64, all.times as f64)).round() as u64,
        wire_bytes: some.wire_bytes * of(sent(local, o, times), all.wire_bytes),
    }
}

/// What a rank has of a tensor that is an input of the step.
fn held(t: &TensorPlan, local: &Func, rank: &RankProgram) -> Option<HeldOfRank> {
    if t.is_output {
        return None;
    }
    let is = |input: usize| {
        let p = &local.inputs[input];
        (Some(p.role), &p.name) == (t.role, &t.name) && t.first_layer.is_none_or(|first| first == p.first_layer)
    };
    let own = rank.sources.iter().filter_map(|s| match s {
        RankInput::Input { input, layers } if is(*input) => {
            Some(layers.map_or(HeldOfRank::Whole, |(from, to)| HeldOfRank::Layers(to - from)))
        }
        _ => None,
    });
    own.reduce(|a, b| match (a, b) {
        (HeldOfRank::Layers(a), HeldOfRank::Layers(b)) => HeldOfRank::Layers(a + b),
        _ => HeldOfRank::Whole,
    })
}
