//! Extraction: which e-node each tensor takes, and which conversions its readers share.
//!
//! The search has several greedy starts. From each, coordinate descent goes over the options of the sites. Perturbations follow,
//! around what is still converted: one site is forced, alone or with its surroundings; all readers of a layout are moved to
//! another; or an axis is laid along one dim wherever that dim goes. All of it is deterministic and bounded by counts.
//!
//! egg's own extractors add up trees. What matters here is what is shared.

mod acyclic;
#[cfg(test)]
mod brute;
pub mod cost;
mod descend;
pub mod dims;
mod exact;
mod known;
mod perturb;
pub mod problem;
pub mod read;
#[cfg(test)]
mod reshards;
mod start;
pub mod state;
pub mod steiner;

use crate::program::{RegionPort, SearchedProgram};
use crate::saturate::Saturation;
use crate::segment::Image;
use crate::{Limits, Mode, PlanError};
use cost::{Cost, Rent};
use dims::Dims;
use known::Known;
use meshloom_ir::{Assignment, Layout, Op, OpId, ValueId};
use perturb::Bounds;
pub use perturb::Depth;
use problem::{Problem, SiteSource};
use rustc_hash::FxHashMap;
use start::{Inputs, Sums};
use state::State;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One conversion of a tensor.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub from: Layout,
    pub to: Layout,
    pub step: Op,
}

/// What was decided, free of the search's numbering. Tensors are named by the value that stands for them.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// By op that is carried out: its local form.
    pub forms: BTreeMap<OpId, Assignment>,
    /// By tensor: what brings it about.
    pub sources: BTreeMap<ValueId, SiteSource>,
    /// By tensor: the layout it comes about in.
    pub native: BTreeMap<ValueId, Layout>,
    /// By tensor: its conversions, each from a layout that is there.
    pub conversions: BTreeMap<ValueId, Vec<Conversion>>,
    /// By output that is no input's next value.
    pub outputs: BTreeMap<usize, Layout>,
    pub choices: Choices,
}

/// How the search went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    pub moves: usize,
    /// The limit on perturbations was reached.
    pub limited: bool,
}

/// Where a search has led: by site, the number of its option.
#[derive(Clone)]
pub struct SearchResult {
    cost: Cost,
    chosen: Vec<u32>,
    /// What was fixed on the way.
    fixed: Inputs,
}

/// A choice that outlives the numbering of options: by site, the form and its key.
pub type Choices = Vec<Option<(SiteSource, u32)>>;

/// What the search is given, and what it remembers. It is of one problem.
pub struct Search<'s, 'a> {
    pub program: &'s SearchedProgram<'a>,
    pub saturation: &'s Saturation,
    pub limits: Limits,
    pub dims: Option<Dims>,
    known: RefCell<Known>,
}

/// Conversions of a stack that are tried for the layout of a part of it.
const CONVERTED: usize = 4;
/// Questions asked near the best plan within a budget.
const POLISH: usize = 40;
/// Of the choices that are handed on, none costs more than the cheapest and this part of it.
const FAR: u64 = 4;
/// Questions asked about whole programs near the choices that are handed on, round by round: how many in all, how many
/// about each, the best first, and what is changed.
const ROUNDS: &[(usize, usize, Depth)] = &[(90, 16, Depth::Dims), (90, 40, Depth::Dims), (40, 40, Depth::Sites)];
/// On meshes of so many axes what is fixed is let go of before the first perturbation.
const MANY_AXES: usize = 3;
/// Programs of fewer sites are searched more thoroughly.
const FEW_SITES: usize = 400;
/// Placements tried around one start for each site there is.
const PER_SITE: usize = 10_000;

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(
        program: &'s SearchedProgram<'a>,
        saturation: &'s Saturation,
        problem: &mut Problem,
        limits: Limits,
    ) -> Search<'s, 'a> {
        let dims = (program.mode == Mode::Search).then(|| Dims::new(program, problem));
        Search { program, saturation, limits, dims, known: RefCell::default() }
    }

    /// The best choices found from everywhere, the cheapest first; no more than `most`, and none far from the cheapest.
    ///
    /// # Errors
    /// Some tensor cannot be converted to what is asked of it.
    pub fn solve(
        &self,
        problem: &mut Problem,
        rent: Rent,
        followed: Option<&Solution>,
        most: usize,
    ) -> Result<(Vec<SearchResult>, Effort), PlanError> {
        let mut effort = Effort::default();
        let mut found = self.starts(problem, rent, followed, &mut effort);
        // What is cheap as a sum of times may overlap badly, so where the starts have led first is remembered.
        let early = found.clone();
        found.retain(|f| f.fixed == Inputs::Open);
        // From a start to where single dims lead is a short way; further on the best of them go first.
        for depth in [Depth::Pairs, Depth::Sites] {
            if self.dims.is_none() {
                continue;
            }
            let end = effort.moves + self.moves(problem, depth);
            for at in found.iter_mut() {
                if effort.moves >= end {
                    break;
                }
                *at = self.perturbed(problem, rent, &at.chosen, depth, &mut effort);
            }
            cheapest_first(&mut found);
        }
        if self.dims.is_some()
            && let Some(bound) = found.first().map(|b| b.cost)
            && let Some((cost, chosen)) = exact::solve(problem, rent, bound, self.limits.states)
        {
            found = vec![SearchResult { cost, chosen, fixed: Inputs::Open }];
            effort.limited = false;
        }
        let bound = found.first().map_or(Cost::ZERO, |b| b.cost);
        if most > 1 {
            found.extend(early);
            cheapest_first(&mut found);
        }
        found.truncate(most.max(1));
        found.retain(|f| f.cost.idle == bound.idle && f.cost.time <= bound.time.saturating_add(bound.time / FAR));
        if found.first().is_some_and(|f| f.cost.is_impossible()) {
            let mut state = self.state(problem, rent, &found[0].chosen);
            return Err(impossible(self.program, &mut state));
        }
        Ok((found, effort))
    }

    /// What is found from each start, the cheapest first, each cost once.
    fn starts(
        &self,
        problem: &mut Problem,
        rent: Rent,
        followed: Option<&Solution>,
        effort: &mut Effort,
    ) -> Vec<SearchResult> {
        let mut all = Vec::new();
        let axes = self.program.axes.len();
        let holds = if self.dims.is_some() { Inputs::all(axes) } else { vec![Inputs::Open] };
        let few = self.dims.is_none() || problem.sites.len() < FEW_SITES;
        let depth = if few { Depth::Sites } else { Depth::Dims };
        for fixed in holds {
            fixed.hold(problem, self.program, &[]);
            let mut found: Option<(Cost, Vec<u32>)> = None;
            for &sums in if fixed == Inputs::Open { &Sums::ALL[..] } else { &[Sums::Later] } {
                let mut s = State::new(problem, &self.known, rent);
                start::greedy(&mut s, sums);
                descend::all(&mut s);
                effort.moves += s.moves;
                if found.as_ref().is_none_or(|b| s.total < b.0) {
                    found = Some((s.total, s.chosen.clone()));
                }
            }
            let Some((_, mut chosen)) = found else {
                continue;
            };
            if fixed != Inputs::Open {
                // With more axes there are as many starts more, and the way on from here is the same.
                if axes < MANY_AXES {
                    let found = self.perturbed(problem, rent, &chosen, depth, effort);
                    chosen.clone_from(&found.chosen);
                    all.push(SearchResult { fixed, ..found });
                }
                Inputs::Open.hold(problem, self.program, &[]);
            }
            all.push(self.perturbed(problem, rent, &chosen, depth, effort));
        }
        if let Some(followed) = followed {
            let chosen = numbers(problem, &self.translated(problem, followed));
            all.push(self.perturbed(problem, rent, &chosen, depth, effort));
        }
        cheapest_first(&mut all);
        all
    }

    /// Placements tried in one run of perturbations.
    fn moves(&self, problem: &Problem, depth: Depth) -> usize {
        let share = match depth {
            Depth::Readers | Depth::Dims => 32,
            Depth::Pairs | Depth::Sites if problem.sites.len() < FEW_SITES => 48,
            Depth::Pairs => 32,
            Depth::Sites => 64,
        };
        // Small programs have come to rest long before large ones.
        (self.limits.moves / share).min(problem.sites.len().saturating_mul(PER_SITE))
    }

    /// The best choice found near one that was good under other conditions.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn resume(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: &Choices,
        depth: Depth,
    ) -> Result<(Solution, Effort), PlanError> {
        let mut effort = Effort::default();
        let chosen = numbers(problem, from);
        let found = self.perturbed(problem, rent, &chosen, depth, &mut effort);
        Ok((self.finish(problem, rent, &found)?, effort))
    }

    /// Goes on from choices by what plans really take, which `judge` says: from each a little, and from the best of them
    /// further.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn refine(
        &self,
        problem: &mut Problem,
        rent: Rent,
        from: Vec<SearchResult>,
        judge: &mut dyn FnMut(&Solution) -> u64,
    ) -> Result<Solution, PlanError> {
        if let [only] = &from[..] {
            return self.finish(problem, rent, only);
        }
        // What is gone on from differs, but often leads to the same.
        let mut judged = FxHashMap::default();
        let mut judge = |s: &mut State<'_>| {
            let took = judged.entry(s.question("judge"));
            *took.or_insert_with(|| judge(&write(self.program, self.saturation, s)))
        };
        let mut all = Vec::new();
        for found in from {
            let took = judge(&mut self.state(problem, rent, &found.chosen));
            // Who changes parameters first ends elsewhere than who leaves them as they are.
            if found.fixed == Inputs::Open {
                all.push((took, SearchResult { fixed: Inputs::Kept, ..found.clone() }, BTreeSet::new()));
            }
            all.push((took, found, BTreeSet::new()));
        }
        // Programs on many axes are larger, and each question about a whole one is more expensive.
        let part = if self.program.axes.len() < MANY_AXES { 1 } else { 2 };
        let mut open = self.limits.programs;
        for &(most, each, depth) in ROUNDS {
            let Some(dims) = &self.dims else {
                break;
            };
            all.sort_by_key(|r| r.0);
            let mut left = (most / part).min(open);
            for (took, found, seen) in &mut all {
                if left == 0 {
                    break;
                }
                found.fixed.hold(problem, self.program, &found.chosen);
                let mut state = self.state(problem, rent, &found.chosen);
                let before = seen.len();
                *took = perturb::refine(&mut state, dims, *took, (each.min(left), depth), seen, &mut judge);
                let asked = (seen.len() - before).min(left);
                (left, open) = (left - asked, open - asked);
                found.chosen = state.chosen;
            }
        }
        Inputs::Open.hold(problem, self.program, &[]);
        let best = all.into_iter().min_by_key(|r| r.0).map(|r| r.1.chosen);
        self.chosen(problem, rent, &best.unwrap_or_default())
    }

    /// Goes on a little from a choice by what plans really take; `took` is what that one takes.
    ///
    /// # Errors
    /// As [`Search::solve`].
    pub fn polish(
        &self,
        problem: &mut Problem,
        rent: Rent,
        (from, took): (&Choices, u64),
        judge: &mut dyn FnMut(&Solution) -> u64,
    ) -> Result<Solution, PlanError> {
        let mut state = self.state(problem, rent, &numbers(problem, from));
        if let Some(dims) = &self.dims {
            let mut judge = |s: &mut State<'_>| judge(&write(self.program, self.saturation, s));
            perturb::refine(&mut state, dims, took, (POLISH, Depth::Dims), &mut BTreeSet::new(), &mut judge);
        }
        let chosen = state.chosen;
        self.chosen(problem, rent, &chosen)
    }

    fn state<'p>(&'p self, problem: &'p mut Problem, rent: Rent, chosen: &[u32]) -> State<'p> {
        let mut state = State::new(problem, &self.known, rent);
        state.adopt(chosen);
        state.release();
        state
    }

    /// What another search decided about the same program, in this one's numbering.
    fn translated(&self, problem: &Problem, other: &Solution) -> Choices {
        let tables = &self.saturation.tables;
        let native = |v: ValueId| other.native.get(&v).and_then(|l| tables.layouts.number(l));
        let site = |site: &problem::Site| match site.source {
            SiteSource::Op(o) => {
                let key = other.forms.get(&o).and_then(|a| tables.assignments.number(a))?;
                Some((site.source, key))
            }
            SiteSource::Output(i) => Some((site.source, other.outputs.get(&i).and_then(|l| tables.layouts.number(l))?)),
            SiteSource::Port(_) => {
                let first = site.options.first()?.natives.first()?;
                Some((site.source, native(problem.tensors[first.tensor as usize].value)?))
            }
        };
        problem.sites.iter().map(site).collect()
    }

    /// What was decided about another program, as far as its tensors and ops are found in this one.
    pub fn imagined(
        &self,
        problem: &Problem,
        other: &Solution,
        others: &SearchedProgram<'_>,
        image: &Image,
    ) -> Choices {
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
        // The part of a stack, or a stack of parts, lies as the stack does, or as it is first converted to.
        let lying = |o: &problem::Choice, level: usize| {
            let of = |n: &problem::Want| {
                let t = &problem.tensors[n.tensor as usize];
                let w = tensor(t.value)?;
                let layout = match level.checked_sub(1) {
                    None => other.native.get(&w)?,
                    Some(i) => &other.conversions.get(&w)?.get(i)?.to,
                };
                Some(tables.layouts.number(layout)? == problem.tables[t.table].layouts[n.layout as usize])
            };
            o.natives.iter().all(|n| of(n) == Some(true))
        };
        let added = |o: &problem::Choice| matches!(o.source, SiteSource::Op(op) if image.ops[op.index()].is_none());
        let site = |site: &problem::Site| {
            let chosen = brought(site);
            if site.options.first().is_some_and(added) {
                let mut levels = (0..=CONVERTED).filter_map(|l| site.options.iter().find(|o| lying(o, l)));
                return levels.next().map(|o| (o.source, o.key));
            }
            let fits = |o: &&problem::Choice| match o.source {
                SiteSource::Op(op) => image.ops[op.index()].is_some_and(|old| {
                    let form = other.forms.get(&old).and_then(|a| tables.assignments.number(a));
                    form == Some(o.key)
                }),
                SiteSource::Port(_) => o.natives.first().and_then(|n| native(n.tensor)) == Some(o.key),
                SiteSource::Output(i) => other.outputs.get(&i).and_then(|l| tables.layouts.number(l)) == Some(o.key),
            };
            let same = |o: &&problem::Choice| match (o.source, chosen) {
                (SiteSource::Op(op), Some(SiteSource::Op(old))) => image.ops[op.index()] == Some(old),
                (SiteSource::Op(_), _) => false,
                _ => true,
            };
            let mut all = site.options.iter().filter(fits);
            let any = all.clone().next();
            all.find(same).or(any).map(|o| (o.source, o.key))
        };
        problem.sites.iter().map(site).collect()
    }

    fn perturbed(
        &self,
        problem: &mut Problem,
        rent: Rent,
        chosen: &[u32],
        depth: Depth,
        effort: &mut Effort,
    ) -> SearchResult {
        let all = Bounds { perturbations: usize::MAX, moves: self.moves(problem, depth) };
        let bounds = if self.dims.is_some() {
            all
        } else {
            Bounds { perturbations: self.limits.perturbations, moves: usize::MAX }
        };
        let mut state = self.state(problem, rent, chosen);
        descend::all(&mut state);
        effort.limited |= perturb::run(&mut state, self.dims.as_ref(), depth, bounds);
        effort.moves += state.moves;
        SearchResult { cost: state.total, chosen: state.chosen, fixed: Inputs::Open }
    }

    /// The solution that a choice is.
    ///
    /// # Errors
    /// Some tensor cannot be converted to what is asked of it.
    pub fn finish(&self, problem: &mut Problem, rent: Rent, found: &SearchResult) -> Result<Solution, PlanError> {
        self.chosen(problem, rent, &found.chosen)
    }

    fn chosen(&self, problem: &mut Problem, rent: Rent, chosen: &[u32]) -> Result<Solution, PlanError> {
        let mut state = self.state(problem, rent, chosen);
        if state.total.is_impossible() {
            return Err(impossible(self.program, &mut state));
        }
        Ok(write(self.program, self.saturation, &mut state))
    }
}

/// The cheapest first, each cost once.
fn cheapest_first(found: &mut Vec<SearchResult>) {
    found.sort_by_key(|f| f.cost);
    found.dedup_by(|b, a| a.cost == b.cost);
}

/// A choice by numbers, as far as its forms are there.
fn numbers(problem: &Problem, forms: &Choices) -> Vec<u32> {
    let at = |(site, c): (&problem::Site, &Option<(SiteSource, u32)>)| {
        let same = c.and_then(|c| site.options.iter().position(|o| (o.source, o.key) == c));
        same.map_or(state::UNSET, |o| o as u32)
    };
    problem.sites.iter().zip(forms).map(at).collect()
}

/// Says which tensor cannot be converted to what is asked of it.
fn impossible(program: &SearchedProgram<'_>, state: &mut State<'_>) -> PlanError {
    let n = state.problem.tensors.len() as u32;
    let worst = (0..n).find(|&t| state.tensor_cost(t).is_impossible());
    let (name, span) = match worst.map(|t| state.problem.tensors[t as usize].value) {
        Some(v) => (program.name(v), program.func.value(v).span),
        None => ("this program".into(), meshloom_ir::Span::default()),
    };
    PlanError::new(span, format!("`{name}` cannot be brought into the layouts that are asked of it"))
        .help("loosen a layout on it, or allow more e-nodes")
}

fn write(program: &SearchedProgram<'_>, saturation: &Saturation, state: &mut State<'_>) -> Solution {
    let tables = &saturation.tables;
    let mut out = Solution::default();
    for s in 0..state.problem.sites.len() as u32 {
        if !state.active(s) {
            out.choices.push(None);
            continue;
        }
        let choice = &state.problem.sites[s as usize].options[state.chosen[s as usize] as usize];
        out.choices.push(Some((choice.source, choice.key)));
        match choice.source {
            SiteSource::Op(o) => {
                out.forms.insert(o, tables.assignments.get(choice.key).clone());
            }
            SiteSource::Output(i) => {
                out.outputs.insert(i, tables.layouts.get(choice.key).clone());
            }
            SiteSource::Port(_) => {}
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
        debug_assert!(matches!(program.port(v), Some(RegionPort::Input(_))));
        out.native.entry(v).or_insert_with(|| {
            let c = &program.inputs[i];
            c.closed().unwrap_or_else(|| Layout::replicated(c.dims.len()))
        });
    }
    out
}
