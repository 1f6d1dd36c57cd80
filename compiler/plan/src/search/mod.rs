//! Extraction: which e-node each tensor takes, and which conversions its readers share.
//!
//! The search has several greedy starts. From each, coordinate descent goes over the options of the sites. Perturbations follow,
//! around what is still converted: one site is forced, alone or with its surroundings; all readers of a layout are moved to
//! another; or an axis is laid along one dim wherever that dim goes. All of it is deterministic and bounded by counts.
//!
//! egg's own extractors add up trees. What matters here is what is shared.

mod acyclic;
pub mod cost;
mod descend;
pub mod dims;
mod exact;
pub mod followed;
mod hiding;
mod homes;
pub mod image;
mod known;
mod leaner;
pub mod other;
mod perturb;
pub mod plain;
pub mod problem;
pub mod read;
mod start;
pub mod state;
pub mod steiner;
mod through;
mod whole;

use crate::effort;
use crate::moves::{Move, Record};
use crate::saturate::Saturation;
use crate::saturate::program::{RegionPort, SearchedProgram};
use crate::{Limits, Mode, PlanError};
use cost::{Cost, Rent};
use dims::Dims;
use known::Known;
use meshloom_ir::{Assignment, Layout, Op, OpId, ValueId};
use perturb::Bounds;
pub use perturb::Depth;
use problem::{Problem, SiteSource};
use start::{Inputs, Sums};
use state::State;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One conversion of a tensor.
#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    pub from: Layout,
    pub to: Layout,
    pub step: Op,
}

/// What was decided, free of the search's numbering. Tensors are named by the value that stands for them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Solution {
    /// The local form of each op that is carried out.
    pub forms: BTreeMap<OpId, Assignment>,
    /// The site that makes each tensor.
    pub sources: BTreeMap<ValueId, SiteSource>,
    /// The native layout of each tensor.
    pub native: BTreeMap<ValueId, Layout>,
    /// The conversions of each tensor. Each starts from its native layout or from the result of an earlier one.
    pub conversions: BTreeMap<ValueId, Vec<Conversion>>,
    /// By output that is no input's next value.
    pub outputs: BTreeMap<usize, Layout>,
    pub choices: Choices,
}

/// How the search went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    pub moves: usize,
    /// The limit on perturbations was reached.
    pub limited: bool,
}

/// Where a search has led: by site, the number of its option.
#[derive(Clone)]
pub struct SearchResult {
    cost: Cost,
    /// How many layouts there are in it ([`State::kinds`]).
    kinds: usize,
    chosen: Vec<u32>,
    /// What was fixed on the way.
    fixed: Inputs,
    /// The move that led there.
    pub by: Move,
}

impl SearchResult {
    /// The same, as another move led there.
    pub fn by(self, by: Move) -> SearchResult {
        SearchResult { by, ..self }
    }

    /// A choice in which nothing is fixed.
    fn of(state: State<'_>) -> SearchResult {
        SearchResult {
            cost: state.total,
            kinds: state.kinds(),
            chosen: state.chosen,
            fixed: Inputs::Open,
            by: Move::Starts,
        }
    }
}

/// A choice that outlives the numbering of options: by site, the form and its key.
pub type Choices = Vec<Option<(SiteSource, u32)>>;

/// The input of the search, and its memory. It belongs to one problem.
pub struct Search<'s, 'a> {
    pub program: &'s SearchedProgram<'a>,
    pub saturation: &'s Saturation,
    pub limits: Limits,
    pub dims: Option<Dims>,
    known: RefCell<Known>,
}

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

    /// The best choices found from everywhere, the cheapest first; no more than `most`, and none far from the cheapest. If
    /// `most` is more than one, choices follow that a sum of times may misjudge: the starts as they stand, and leaner choices.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
    pub fn solve(
        &self,
        problem: &mut Problem,
        rent: Rent,
        followed: Option<&Solution>,
        most: usize,
    ) -> Result<(Vec<SearchResult>, Spent), PlanError> {
        let mut spent = Spent::default();
        let mut stand = Vec::new();
        let mut found = self.starts(problem, rent, followed, &mut stand, &mut spent);
        // What is cheap as a sum of times may overlap badly, so where the starts have led first is remembered.
        let early = found.clone();
        found.retain(|f| f.fixed == Inputs::Open);
        // From a start to where single dims lead is a short way; further on the best of them go first.
        for depth in [Depth::Pairs, Depth::Sites] {
            if self.dims.is_none() {
                continue;
            }
            let end = spent.moves + self.most_moves(problem, depth);
            for at in found.iter_mut() {
                if spent.moves >= end {
                    break;
                }
                *at = self.perturbed(problem, rent, &at.chosen, depth, &mut spent);
            }
            cheapest_first(&mut found);
        }
        if self.dims.is_some()
            && let Some(bound) = found.first().map(|b| b.cost)
            && let Some((cost, chosen)) = exact::solve(problem, rent, bound, self.limits.states)
            && self.moves(|moves| moves.accepts(Move::Exact, bound, cost))
        {
            found = vec![self.result(problem, rent, &chosen)];
            spent.limited = false;
        }
        let bound = found.first().map_or(Cost::ZERO, |b| b.cost);
        if most > 1 {
            found.extend(early);
            cheapest_first(&mut found);
        }
        found.truncate(most.max(1));
        found.retain(|f| {
            f.cost.idle == bound.idle && f.cost.time <= bound.time.saturating_add(bound.time / effort::HANDED_ON_LONGER)
        });
        if found.first().is_some_and(|f| f.cost.is_impossible()) {
            let mut state = self.state(problem, rent, &found[0].chosen);
            return Err(impossible(self.program, &mut state));
        }
        if most > 1 && self.has_loops() {
            let leaner = self.leaner(problem, &found[0], &stand, &mut spent);
            let known = found.iter().chain(stand.iter().map(|s| &s.1)).chain(&leaner);
            let hiding = self.hiding(problem, rent, known, &mut spent);
            let stand = stand.into_iter().map(|s| s.1.by(Move::Standing));
            let leaner = leaner.into_iter().map(|f| f.by(Move::Leaner));
            let hiding = hiding.into_iter().map(|f| f.by(Move::Hiding));
            let mut stand: Vec<SearchResult> = stand.chain(leaner).chain(hiding).collect();
            cheapest_first(&mut stand);
            stand.retain(|s| !s.cost.is_impossible() && found.iter().all(|f| f.cost != s.cost));
            found.extend(stand);
        }
        Ok((found, spent))
    }

    /// What is found from each start, the cheapest first, each cost once. `stand` takes the starts themselves.
    fn starts(
        &self,
        problem: &mut Problem,
        rent: Rent,
        followed: Option<&Solution>,
        stand: &mut Vec<(Inputs, SearchResult)>,
        spent: &mut Spent,
    ) -> Vec<SearchResult> {
        let mut all = Vec::new();
        let axes = self.program.axes.len();
        // Of axes that could change places the first one will do, where there are many.
        let single: Vec<usize> = (0..axes).filter(|&a| axes <= effort::MANY_AXES || problem.twins[a] == a).collect();
        let single = single.into_iter();
        let mut holds = if self.dims.is_some() { Inputs::all(axes, single) } else { vec![Inputs::Open] };
        if rent == Rent::HIGH {
            // What holds more of parameters and state than another start is far from anything small.
            holds.retain(|h| matches!(h, Inputs::Open | Inputs::Split(_)));
        }
        let few = self.dims.is_none() || problem.sites.len() < effort::FEW_SITES;
        let depth = if few { Depth::Sites } else { Depth::Dims };
        for fixed in holds {
            fixed.hold(problem, self.program, &[]);
            let mut found: Option<SearchResult> = None;
            for &sums in if fixed == Inputs::Open { &Sums::ALL[..] } else { &[Sums::Later] } {
                let mut s = State::new(problem, &self.known, rent);
                start::greedy(&mut s, sums);
                descend::all(&mut s);
                spent.moves += s.moves;
                if found.as_ref().is_none_or(|b| s.total < b.cost) {
                    found = Some(SearchResult::of(s));
                }
            }
            let Some(found) = found else {
                continue;
            };
            let mut chosen = found.chosen.clone();
            stand.push((fixed, found));
            if fixed != Inputs::Open {
                // With more axes there are as many starts more, and the way on from here is the same.
                if axes < effort::MANY_AXES {
                    let found = self.perturbed(problem, rent, &chosen, depth, spent);
                    chosen.clone_from(&found.chosen);
                    all.push(SearchResult { fixed, ..found });
                }
                Inputs::Open.hold(problem, self.program, &[]);
            }
            all.push(self.perturbed(problem, rent, &chosen, depth, spent));
        }
        if let Some(followed) = followed {
            let chosen = Search::numbers(problem, &self.translated(problem, followed));
            stand.push((Inputs::Open, self.result(problem, rent, &chosen)));
            all.push(self.perturbed(problem, rent, &chosen, depth, spent));
        }
        cheapest_first(&mut all);
        all
    }

    /// Placements tried in one run of perturbations.
    fn most_moves(&self, problem: &Problem, depth: Depth) -> usize {
        let share = match depth {
            Depth::Pairs | Depth::Sites if problem.sites.len() < effort::FEW_SITES => effort::RUN_SHARE_FEW_SITES,
            Depth::Readers | Depth::Dims | Depth::Pairs => effort::RUN_SHARE,
            Depth::Sites => effort::RUN_SHARE_SITES,
        };
        // With more axes each start is dearer, there are more of them, and what they lead to is the same.
        let share = share * (1 + 2 * self.program.axes.len().saturating_sub(effort::MANY_AXES));
        // Small programs have come to rest long before large ones.
        (self.limits.moves / share).min(problem.sites.len().saturating_mul(effort::MOVES_PER_SITE))
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
    ) -> Result<(Solution, Spent), PlanError> {
        let mut spent = Spent::default();
        let chosen = Search::numbers(problem, from);
        let found = self.perturbed(problem, rent, &chosen, depth, &mut spent);
        Ok((self.finish(problem, rent, &found)?, spent))
    }

    /// How the moves went so far.
    pub fn moves<T>(&self, ask: impl FnOnce(&mut Record) -> T) -> T {
        ask(&mut self.known.borrow_mut().moves)
    }

    fn state<'p>(&'p self, problem: &'p mut Problem, rent: Rent, chosen: &[u32]) -> State<'p> {
        let mut state = State::new(problem, &self.known, rent);
        state.adopt(chosen);
        state.release();
        state
    }

    fn perturbed(
        &self,
        problem: &mut Problem,
        rent: Rent,
        chosen: &[u32],
        depth: Depth,
        spent: &mut Spent,
    ) -> SearchResult {
        let all = Bounds { perturbations: usize::MAX, moves: self.most_moves(problem, depth) };
        let bounds = if self.dims.is_some() {
            all
        } else {
            Bounds { perturbations: self.limits.perturbations, moves: usize::MAX }
        };
        let mut state = self.state(problem, rent, chosen);
        descend::all(&mut state);
        spent.limited |= perturb::run(&mut state, self.dims.as_ref(), depth, bounds);
        spent.moves += state.moves;
        SearchResult::of(state)
    }

    /// A choice, with what it costs under a rent.
    fn result(&self, problem: &mut Problem, rent: Rent, chosen: &[u32]) -> SearchResult {
        SearchResult::of(self.state(problem, rent, chosen))
    }

    /// The solution that a choice is.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
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

/// Says which tensor cannot be converted to a layout that is required of it.
fn impossible(program: &SearchedProgram<'_>, state: &mut State<'_>) -> PlanError {
    let n = state.problem.tensors.len() as u32;
    let worst = (0..n).find(|&t| state.tensor_cost(t).is_impossible());
    let (name, span) = match worst.map(|t| state.problem.tensors[t as usize].value) {
        Some(v) => (program.name(v), program.func.value(v).span),
        None => ("this program".into(), meshloom_ir::Span::default()),
    };
    PlanError::new(span, format!("`{name}` cannot be brought into the layouts that are asked of it"))
        .help("loosen one of these layouts (`?` leaves a dim to the compiler), or write one that lies between them")
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

#[cfg(test)]
mod tests;
