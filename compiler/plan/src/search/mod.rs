//! Extraction: which e-node each tensor takes, and which conversions its readers share.
//!
//! Several greedy starts, coordinate descent over the options of each site, then kicks around what is still converted: a
//! site forced, alone or with its surroundings, all readers of a layout moved to another, or an axis laid along a dim
//! wherever that dim goes. All of it deterministic and bounded by counts. egg's own extractors add up trees, and what
//! matters here is what is shared.

mod acyclic;
#[cfg(test)]
mod brute;
pub mod cost;
mod descend;
pub mod dims;
mod exact;
mod kick;
pub mod problem;
pub mod read;
mod start;
pub mod state;
pub mod steiner;

use crate::program::{Port, Program};
use crate::saturate::Saturation;
use crate::{Limits, Mode, PlanError};
use cost::{Cost, Rent};
use dims::Dims;
use meshloom_ir::{Assignment, Layout, Op, OpId, ValueId};
use problem::{Problem, Source};
use start::Sums;
use state::State;
use std::collections::BTreeMap;

/// One conversion of a tensor.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub from: Layout,
    pub to: Layout,
    pub step: Op,
}

/// What was decided, free of the search's numbering. Tensors are named by the value that stands for them.
#[derive(Debug, Default)]
pub struct Solution {
    /// By op that is carried out: its local form.
    pub forms: BTreeMap<OpId, Assignment>,
    /// By tensor: what brings it about.
    pub sources: BTreeMap<ValueId, Source>,
    /// By tensor: the layout it comes about in.
    pub native: BTreeMap<ValueId, Layout>,
    /// By tensor: its conversions, each from a layout that is there.
    pub conversions: BTreeMap<ValueId, Vec<Conversion>>,
    /// By output that is no input's next value.
    pub outputs: BTreeMap<usize, Layout>,
    pub cost: Cost,
}

/// How the search went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub moves: usize,
    /// The limit on kicks was reached.
    pub limited: bool,
}

/// The best choice found.
pub fn solve(
    program: &Program<'_>,
    saturation: &Saturation,
    problem: &mut Problem,
    rent: Rent,
    limits: &Limits,
) -> Result<(Solution, Effort), PlanError> {
    let dims = (program.mode == Mode::Search).then(|| Dims::new(program, problem));
    let mut best: Option<(Cost, Vec<u32>)> = None;
    let mut effort = Effort::default();
    for sums in [Sums::Whole, Sums::Scattered, Sums::Later] {
        let mut s = State::new(problem, rent);
        start::greedy(&mut s, sums);
        descend::all(&mut s);
        if let Some(dims) = &dims {
            kick::lay_axes(&mut s, dims);
        }
        effort.moves += s.moves;
        if best.as_ref().is_none_or(|b| s.total < b.0) {
            best = Some((s.total, s.chosen.clone()));
        }
    }
    let mut state = State::new(problem, rent);
    if let Some((_, chosen)) = best {
        state.adopt(&chosen);
        state.release();
    }
    effort.limited = kick::run(&mut state, dims.as_ref(), limits.kicks);
    effort.moves += state.moves;
    if dims.is_some()
        && let Some((_, chosen)) = exact::solve(state.problem, state.total, limits.states)
    {
        state = State::new(problem, rent);
        state.adopt(&chosen);
        state.release();
        effort.limited = false;
    }
    if state.total.is_impossible() {
        return Err(impossible(program, &mut state));
    }
    Ok((write(program, saturation, &mut state), effort))
}

/// Says which tensor cannot be converted to what is asked of it.
fn impossible(program: &Program<'_>, state: &mut State<'_>) -> PlanError {
    let n = state.problem.tensors.len() as u32;
    let worst = (0..n).find(|&t| state.tensor_cost(t).is_impossible());
    let (name, span) = match worst.map(|t| state.problem.tensors[t as usize].value) {
        Some(v) => (program.name(v), program.func.value(v).span),
        None => ("this program".into(), meshloom_ir::Span::default()),
    };
    PlanError::new(span, format!("`{name}` cannot be brought into the layouts that are asked of it"))
        .help("loosen a layout on it, or allow more e-nodes")
}

fn write(program: &Program<'_>, saturation: &Saturation, state: &mut State<'_>) -> Solution {
    let tables = &saturation.tables;
    let mut out = Solution { cost: state.total, ..Solution::default() };
    for s in 0..state.problem.sites.len() as u32 {
        if !state.active(s) {
            continue;
        }
        let choice = &state.problem.sites[s as usize].options[state.chosen[s as usize] as usize];
        match choice.source {
            Source::Op(o) => {
                out.forms.insert(o, tables.assignments.get(choice.key).clone());
            }
            Source::Output(i) => {
                out.outputs.insert(i, tables.layouts.get(choice.key).clone());
            }
            Source::Port(_) => {}
        }
        for n in &choice.natives {
            out.sources.insert(state.problem.tensors[n.tensor as usize].value, choice.source);
        }
    }
    for t in 0..state.problem.tensors.len() as u32 {
        let Some(native) = state.native(t) else {
            continue;
        };
        let wanted = state.wanted(t);
        let (v, table) = (state.problem.tensors[t as usize].value, state.problem.tensors[t as usize].table);
        let table = &mut state.problem.tables[table];
        let mut steps = Vec::new();
        table.grow(native, &wanted, &mut |s| steps.push(s));
        let layout = |table: &steiner::Table, i: u16| tables.layouts.get(table.layouts[i as usize]).clone();
        let conversions = steps.iter().map(|s| Conversion {
            from: layout(table, s.from),
            to: layout(table, s.edge.to),
            step: tables.steps.get(s.edge.step).clone(),
        });
        out.conversions.insert(v, conversions.collect());
        out.native.insert(v, layout(table, native));
    }
    // Inputs that nothing reads are still there.
    for (i, &v) in program.func.body().args.iter().enumerate() {
        debug_assert!(matches!(program.port(v), Some(Port::Input(_))));
        out.native.entry(v).or_insert_with(|| {
            let c = &program.inputs[i];
            c.closed().unwrap_or_else(|| Layout::replicated(c.dims.len()))
        });
    }
    out
}
