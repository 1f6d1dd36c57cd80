//! Answers of `explain` about a layer of a pipeline (`blocks[3]`): why it is in its stage, and what it would cost to move the
//! stage's boundaries by a layer. Each other cut is made and priced as the chosen one was; nothing is planned again, since a
//! cut changes no layout.

use crate::program::{Planned, Program};
use crate::question::Unknown;
use meshloom_ir::Func;
use meshloom_report::layer::{BoundaryReport, LayerExplanation};
use meshloom_strategy::cut::{self, Cut, CutRequest};
use meshloom_strategy::cut_plan::Ranks;
use meshloom_strategy::pipelining::Stages;

/// Answers a question about a layer; `None` where the question is about something else.
///
/// # Errors
/// A layer that there is not.
pub fn explain(program: &Program<Planned>, what: &str) -> Option<Result<LayerExplanation, Unknown>> {
    let (list, layer) = what.trim().strip_suffix(']')?.rsplit_once('[')?;
    let layer: u64 = layer.parse().ok()?;
    let staged = |e: &Planned| e.pipeline.as_ref().is_some_and(|p| p.list == list);
    let entry = program.entries.iter().find(|e| staged(e))?;
    let (of, ranks) = (entry.pipeline.as_deref()?, entry.ranks.as_ref()?);
    Some(answer(program, entry, of, ranks, layer).map(|a| LayerExplanation { question: what.into(), ..a }))
}

fn answer(
    program: &Program<Planned>,
    entry: &Planned,
    of: &Stages,
    ranks: &Ranks,
    layer: u64,
) -> Result<LayerExplanation, Unknown> {
    let unknown = |message: String, help: &str| Unknown { message, help: help.into() };
    let cut = ranks.cut.as_ref().ok_or_else(|| unknown("these stages have no predicted times".into(), ""))?;
    let found = cut.stage_of(layer).zip(cut.slowest());
    let (stage, slowest) = found.ok_or_else(|| {
        let last = cut.sizes.iter().sum::<u64>().saturating_sub(1);
        let list = &of.list;
        unknown(format!("`{list}` has no layer {layer}"), &format!("its layers are {list}[0] to {list}[{last}]"))
    })?;
    let request = CutRequest {
        local: &entry.plan.local,
        global: &entry.global,
        list: &of.list,
        schedule: &of.schedule,
        target: &program.target,
        budget: ranks.budget,
    };
    let moves = cut::moved(&request, cut, stage).map_err(|e| unknown(e.to_string(), ""))?;
    let peak = |c: &Cut| c.memory.iter().copied().max().unwrap_or(0);
    let moves = moves.into_iter().map(|(m, c)| BoundaryReport {
        stage: m.stage as u64,
        begins: if m.later { "later" } else { "earlier" }.into(),
        predicted_step_us: micros(c.step.ps),
        peak_bytes_per_device: peak(&c),
        fits: peak(&c) <= ranks.budget,
        sizes: m.sizes,
    });
    let on = |way: usize| cut.ranks_of.get(stage)?.get(way).map(|r| *r as u64);
    Ok(LayerExplanation {
        schema: 1,
        entry: entry.name.clone(),
        question: String::new(),
        list: of.list.clone(),
        axis: of.mesh.name(of.axis).to_owned(),
        layer,
        stage: stage as u64,
        rank: on(0).unwrap_or(0),
        copy: on(1),
        first_layer: cut.begin(stage),
        layers: cut.sizes[stage],
        decided_by: if of.given { "source" } else { "cost" }.into(),
        own_layouts: part_of(&entry.global, &of.list, layer).filter(|_| ranks.by_stage),
        microbatch_us: micros(cut.stages[stage].microbatch()),
        slowest_stage: slowest as u64,
        slowest_microbatch_us: micros(cut.stages[slowest].microbatch()),
        predicted_step_us: micros(cut.step.ps),
        moves: moves.collect(),
    })
}

/// The part of a list in which a layer is: `[first, end]`.
fn part_of(func: &Func, list: &str, layer: u64) -> Option<[u64; 2]> {
    let ports = func.inputs.iter().zip(&func.body().args).filter(|(p, _)| p.is_of_list(list));
    let mut parts =
        ports.filter_map(|(p, &v)| Some([p.first_layer, p.first_layer + func.ty(v).shape.first().copied()?]));
    parts.find(|[first, end]| (*first..*end).contains(&layer))
}

fn micros(ps: u64) -> f64 {
    ps as f64 / 1e6
}
