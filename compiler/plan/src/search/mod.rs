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
#[cfg(test)]
mod reshards;
mod start;
pub mod state;
pub mod steiner;

use crate::program::{Port, Program};
use crate::saturate::Saturation;
use crate::segment::Image;
use crate::{Limits, Mode, PlanError};
use cost::{Cost, Rent};
use dims::Dims;
use kick::Bounds;
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
    /// For comparisons with brute force.
    #[cfg(test)]
    pub cost: Cost,
    pub choices: Choices,
}

/// How the search went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub moves: usize,
    /// The limit on kicks was reached.
    pub limited: bool,
}

/// A choice that outlives the numbering of options: by site, the form and its key.
pub type Choices = Vec<Option<(Source, u32)>>;

/// What the search is given.
pub struct Search<'s, 'a> {
    pub program: &'s Program<'a>,
    pub saturation: &'s Saturation,
    pub limits: Limits,
    pub dims: Option<Dims>,
}

/// Placements tried around one start for each site there is.
const PER_SITE: usize = 10_000;
/// Kicks at a choice that was good under another rent.
const AGAIN: usize = 120;

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(
        program: &'s Program<'a>,
        saturation: &'s Saturation,
        problem: &Problem,
        limits: Limits,
    ) -> Search<'s, 'a> {
        let dims = (program.mode == Mode::Search).then(|| Dims::new(program, problem));
        Search { program, saturation, limits, dims }
    }

    /// The best choice found from everywhere.
    ///
    /// # Errors
    /// Some tensor cannot be converted to what is asked of it.
    pub fn solve(
        &self,
        problem: &mut Problem,
        rent: Rent,
        followed: Option<&Solution>,
    ) -> Result<(Solution, Effort), PlanError> {
        let mut effort = Effort::default();
        let mut best: Option<(Cost, Vec<u32>)> = None;
        // Small programs have come to rest long before large ones.
        let moves = (self.limits.moves / 8).min(problem.sites.len().saturating_mul(PER_SITE));
        let all = Bounds { kicks: usize::MAX, moves };
        let bounds = if self.dims.is_some() { all } else { Bounds { kicks: self.limits.kicks, moves: usize::MAX } };
        let holds: &[start::Inputs] = if self.dims.is_some() { &start::Inputs::ALL } else { &[start::Inputs::Open] };
        for &inputs in holds {
            let held = inputs.hold(problem, self.program);
            let mut found: Option<(Cost, Vec<u32>)> = None;
            for sums in [Sums::Whole, Sums::Scattered, Sums::Later] {
                let mut s = State::new(problem, rent);
                start::greedy(&mut s, sums);
                descend::all(&mut s);
                effort.moves += s.moves;
                if found.as_ref().is_none_or(|b| s.total < b.0) {
                    found = Some((s.total, s.chosen.clone()));
                }
            }
            let Some((mut total, mut chosen)) = found else {
                continue;
            };
            if !held.is_empty() {
                (total, chosen) = self.kicked(problem, rent, &chosen, bounds, &mut effort);
                let forms = forms(problem, &chosen);
                for (s, site) in held {
                    problem.sites[s] = site;
                }
                chosen = numbers(problem, &forms);
            }
            // Some problems have only what is pinned, and the same again is not tried twice.
            if best.as_ref().is_none_or(|b| total != b.0) {
                let (total, chosen) = self.kicked(problem, rent, &chosen, bounds, &mut effort);
                if best.as_ref().is_none_or(|b| total < b.0) {
                    best = Some((total, chosen));
                }
            }
        }
        if let Some(followed) = followed {
            let chosen = numbers(problem, &self.translated(problem, followed));
            let (total, chosen) = self.kicked(problem, rent, &chosen, bounds, &mut effort);
            if best.as_ref().is_none_or(|b| total < b.0) {
                best = Some((total, chosen));
            }
        }
        let (bound, mut chosen) = best.unwrap_or_default();
        if self.dims.is_some()
            && let Some((_, better)) = exact::solve(problem, rent, bound, self.limits.states)
        {
            chosen = better;
            effort.limited = false;
        }
        self.finish(problem, rent, &chosen, effort)
    }

    /// The best choice found near one that was good under other conditions.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn resume(&self, problem: &mut Problem, rent: Rent, from: &Choices) -> Result<(Solution, Effort), PlanError> {
        let mut effort = Effort::default();
        let chosen = numbers(problem, from);
        let again = Bounds { kicks: AGAIN, moves: self.limits.moves / 16 };
        let (_, chosen) = self.kicked(problem, rent, &chosen, again, &mut effort);
        self.finish(problem, rent, &chosen, effort)
    }

    /// What another search decided about the same program, in this one's numbering.
    fn translated(&self, problem: &Problem, other: &Solution) -> Choices {
        let tables = &self.saturation.tables;
        let native = |v: ValueId| other.native.get(&v).and_then(|l| tables.layouts.number(l));
        let site = |site: &problem::Site| match site.source {
            Source::Op(o) => {
                let key = other.forms.get(&o).and_then(|a| tables.assignments.number(a))?;
                Some((site.source, key))
            }
            Source::Output(i) => Some((site.source, other.outputs.get(&i).and_then(|l| tables.layouts.number(l))?)),
            Source::Port(_) => {
                let first = site.options.first()?.natives.first()?;
                Some((site.source, native(problem.tensors[first.tensor as usize].value)?))
            }
        };
        problem.sites.iter().map(site).collect()
    }

    /// What was decided about another program, as far as its tensors and ops are found in this one.
    pub fn imagined(&self, problem: &Problem, other: &Solution, others: &Program<'_>, image: &Image) -> Choices {
        let tables = &self.saturation.tables;
        let tensor = |v: ValueId| image.values[v.index()].map(|w| others.rep(w));
        let native = |t: u32| {
            let w = tensor(problem.tensors[t as usize].value)?;
            other.native.get(&w).and_then(|l| tables.layouts.number(l))
        };
        let brought = |site: &problem::Site| {
            let first = site.options.first()?.natives.first()?;
            other.sources.get(&tensor(problem.tensors[first.tensor as usize].value)?).copied()
        };
        let site = |site: &problem::Site| {
            let chosen = brought(site);
            let fits = |o: &&problem::Choice| match o.source {
                Source::Op(op) => match image.ops[op.index()] {
                    Some(old) => {
                        let form = other.forms.get(&old).and_then(|a| tables.assignments.number(a));
                        form == Some(o.key)
                    }
                    // A slice or a stack put together lies as the stack does.
                    None => o.natives.iter().all(|n| {
                        let t = &problem.tables[problem.tensors[n.tensor as usize].table];
                        native(n.tensor) == Some(t.layouts[n.layout as usize])
                    }),
                },
                Source::Port(_) => o.natives.first().and_then(|n| native(n.tensor)) == Some(o.key),
                Source::Output(i) => other.outputs.get(&i).and_then(|l| tables.layouts.number(l)) == Some(o.key),
            };
            let same = |o: &&problem::Choice| match (o.source, chosen) {
                (Source::Op(op), Some(Source::Op(old))) => image.ops[op.index()] == Some(old),
                (Source::Op(_), _) => false,
                _ => true,
            };
            let mut all = site.options.iter().filter(fits);
            let any = all.clone().next();
            all.find(same).or(any).map(|o| (o.source, o.key))
        };
        problem.sites.iter().map(site).collect()
    }

    fn kicked(
        &self,
        problem: &mut Problem,
        rent: Rent,
        chosen: &[u32],
        bounds: Bounds,
        effort: &mut Effort,
    ) -> (Cost, Vec<u32>) {
        let mut state = State::new(problem, rent);
        state.adopt(chosen);
        state.release();
        descend::all(&mut state);
        effort.limited |= kick::run(&mut state, self.dims.as_ref(), bounds);
        effort.moves += state.moves;
        (state.total, state.chosen)
    }

    fn finish(
        &self,
        problem: &mut Problem,
        rent: Rent,
        chosen: &[u32],
        effort: Effort,
    ) -> Result<(Solution, Effort), PlanError> {
        let mut state = State::new(problem, rent);
        state.adopt(chosen);
        state.release();
        if state.total.is_impossible() {
            return Err(impossible(self.program, &mut state));
        }
        Ok((write(self.program, self.saturation, &mut state), effort))
    }
}

/// A choice by forms.
fn forms(problem: &Problem, chosen: &[u32]) -> Choices {
    let form = |(site, &o): (&problem::Site, &u32)| site.options.get(o as usize).map(|o| (o.source, o.key));
    problem.sites.iter().zip(chosen).map(form).collect()
}

/// A choice by numbers, as far as its forms are there.
fn numbers(problem: &Problem, forms: &Choices) -> Vec<u32> {
    let at = |(site, c): (&problem::Site, &Option<(Source, u32)>)| {
        let same = c.and_then(|c| site.options.iter().position(|o| (o.source, o.key) == c));
        same.map_or(state::UNSET, |o| o as u32)
    };
    problem.sites.iter().zip(forms).map(at).collect()
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
    let mut out = Solution {
        #[cfg(test)]
        cost: state.total,
        ..Solution::default()
    };
    for s in 0..state.problem.sites.len() as u32 {
        if !state.active(s) {
            out.choices.push(None);
            continue;
        }
        let choice = &state.problem.sites[s as usize].options[state.chosen[s as usize] as usize];
        out.choices.push(Some((choice.source, choice.key)));
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
