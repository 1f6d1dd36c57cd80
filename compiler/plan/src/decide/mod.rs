//! From a saturated e-graph to a plan: one search per rent, the local program of what it found, its predicted time and
//! peak; and the loop over rents and stashes that a memory budget asks for.

mod improve;
mod lead;
pub mod least;
mod polish;
mod solving;
mod starts;

use crate::ask::parts::MixedParts;
use crate::cost::{self, Model};
use crate::extend::recompute::Stash;
use crate::memory::budget::{Ask, Prices, Worth};
use crate::memory::held::{Measured, PeakMemo};
use crate::memory::held_at_least::bytes_at_least;
use crate::memory::outside::{self, Outside, Rematerialized};
use crate::moves::{self, Record};
use crate::partition::{self, LocalProgram};
use crate::saturate::Saturation;
use crate::saturate::program::{SearchedProgram, stacked};
use crate::search::cost::Rent;
use crate::search::other::DecidedElsewhere;
use crate::search::problem::{Choice, Problem, Site, SiteSource};
use crate::search::{self, Depth, Search, SearchResult, Solution, Spent};
use crate::{Mode, PlanError, PlanOptions, Recompute};
use meshloom_ir::{Def, Func, OpId, TensorType, ValueId};
use meshloom_lower::stashes;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What was decided, and the program that carries it out.
#[derive(Clone)]
pub struct Decision {
    pub solution: Solution,
    /// Its program, as [`partition::brief`] has it unless it is another than what the solution says: of parts, or with what is rematerialized
    /// outside of loops.
    pub local: LocalProgram,
    pub spent: Spent,
    pub lower_bound: u64,
    /// The time of a step. For a program that runs in parts, it is that of all parts.
    pub time_ps: u64,
    /// How long the program as a whole takes.
    pub whole_ps: u64,
    pub memory: Measured,
    pub peak_bytes: u64,
    /// The rent under which it was found.
    pub rent: u64,
    /// Stashes about which there is a choice, by number.
    pub open: BTreeSet<usize>,
    /// Whether a faster decision did not fit the budget.
    pub bound: bool,
    /// What is rematerialized outside of loops.
    pub outside: Vec<Rematerialized>,
}

impl Decision {
    /// How good it is, if it fits.
    pub fn worth(&self) -> moves::Worth {
        moves::Worth { step_ps: self.time_ps, bytes: self.peak_bytes }
    }
}

/// A decision with ops outside of loops rematerialized.
fn with(d: Decision, program: outside::RematerializedProgram) -> Decision {
    let time_ps = program.step_ps();
    let outside::RematerializedProgram { local, rematerialized, whole_ps, memory, peak_bytes } = program;
    Decision { local, time_ps, whole_ps, memory, peak_bytes, outside: rematerialized, ..d }
}

/// A decision, and its program with what is rematerialized outside of loops.
type Remade = (Rc<Decision>, outside::RematerializedProgram);

/// The fastest of some decisions with what is rematerialized in each.
fn fastest(all: impl Iterator<Item = Remade>) -> Option<Remade> {
    all.min_by_key(|(_, p)| p.worth())
}

/// Where a search without a rent has led, and how it went.
pub struct First {
    found: Vec<SearchResult>,
    spent: Spent,
    /// All that was found, as it stands, with how long it takes: the fastest first. Made when first asked for.
    timed: Option<Vec<Timed>>,
}

/// A choice, how long its program takes, and that program as [`Decider::briefly`] has it.
pub struct Timed {
    time_ps: u64,
    found: SearchResult,
    solution: Solution,
    local: LocalProgram,
}

/// The extraction problem of a program, with its search. It is solved again and again, under other rents and with other stashes.
/// Solving takes options of the problem away and puts them back, so it needs the problem for itself.
pub struct Extraction<'s, 'a> {
    search: Search<'s, 'a>,
    problem: Problem,
    /// A lower bound on the time of every plan that the search knows.
    lower_bound: u64,
    /// The decisions that solutions were written down as: searches under different rents and budgets come to the same ones.
    solved: Vec<Rc<Decision>>,
}

/// The extraction problem of a program, and where its search has led: the same for every budget.
pub struct Begun<'s, 'a> {
    extraction: Extraction<'s, 'a>,
    first: Option<First>,
}

/// A choice that fits a budget as it is.
pub struct Fit {
    time_ps: u64,
    found: SearchResult,
}

#[derive(Clone, Copy)]
pub struct Decider<'d, 'a> {
    pub program: &'d SearchedProgram<'a>,
    pub saturation: &'d Saturation,
    pub model: &'d Model,
    pub memory: &'d PeakMemo<'d>,
    pub options: &'d PlanOptions,
    pub stashes: &'d [Stash],
    /// Ops that the program was given with; the others are alternatives.
    pub given: usize,
    /// What following the annotations alone decides: where the search starts from, among others.
    pub followed: Option<&'d Solution>,
    /// The cut that the program is of, where its first layers keep less.
    pub mixed: Option<&'d MixedParts>,
}

impl Begun<'_, '_> {
    /// How the moves of its search went.
    pub fn moves(&self) -> Record {
        self.extraction.search.moves(|moves| moves.clone())
    }
}

impl<'d, 'a> Decider<'d, 'a> {
    /// What decisions are made from.
    ///
    /// # Errors
    /// No form satisfies the annotations.
    pub fn begin(&self) -> Result<Begun<'d, 'a>, PlanError> {
        Ok(Begun { extraction: self.extraction()?, first: None })
    }

    fn extraction(&self) -> Result<Extraction<'d, 'a>, PlanError> {
        let mut problem = search::read::read(self.program, self.saturation, self.model, self.options.objective())?;
        let lower_bound = problem.lower_bound();
        let search = Search::new(self.program, self.saturation, &mut problem, self.options.limits);
        Ok(Extraction { search, problem, lower_bound, solved: Vec::new() })
    }
}

impl Decider<'_, '_> {
    /// Where the search without a rent has led, which is searched for once.
    fn met<'f>(
        &self,
        of: &mut Extraction<'_, '_>,
        rent: Rent,
        first: &'f mut Option<First>,
    ) -> Result<&'f mut First, PlanError> {
        Ok(match first {
            Some(known) => known,
            None => {
                let most = self.timed_at_most();
                let (found, spent) = of.search.solve(&mut of.problem, rent, self.followed, most)?;
                first.insert(First { found, spent, timed: None })
            }
        })
    }

    /// Bytes of a plan under a high rent, with all that may be recomputed; `None` where there is no plan, or the target cannot run it.
    pub fn least(&self) -> Option<u64> {
        let mut of = self.extraction().ok()?;
        let recomputed = self.stashes.iter().enumerate().filter(|(_, s)| !self.carried(s));
        let ask = Ask { rent: Rent::HIGH.0, rematerialized: recomputed.map(|(i, _)| i).collect(), ..Ask::default() };
        let made = self.solve(&mut of, &ask, |Extraction { search, problem, .. }, rent| {
            let (found, spent) = search.solve(problem, rent, None, 1)?;
            Ok((search.finish(problem, rent, &found[0])?, spent))
        });
        let d = made.ok().filter(|d| d.memory.held.is_ok())?;
        let bytes = d.peak_bytes;
        Some(self.outside(vec![d], 0).1.min(bytes))
    }

    /// The decision near one about a program that this one's is a part of, or has parts of.
    ///
    /// # Errors
    /// A tensor cannot be converted to a layout that is required of it.
    pub fn near(&self, ask: &Ask, other: &DecidedElsewhere<'_, '_>) -> Result<Decision, PlanError> {
        let near = self.solve(&mut self.extraction()?, ask, |Extraction { search, problem, .. }, rent| {
            let from = search.imagined(problem, other);
            search.resume(problem, rent, &from, Depth::Readers)
        });
        near.map(Rc::unwrap_or_clone)
    }

    /// The decision that one about the same program on another mesh is, as it stands; `None` where that does not fit `budget`, or has
    /// to be made to and then takes no less than `longest`.
    pub fn standing(
        &self,
        ask: &Ask,
        other: &DecidedElsewhere<'_, '_>,
        budget: u64,
        longest: u64,
        begun: &mut Begun<'_, '_>,
    ) -> Option<Decision> {
        let made = self.solve(&mut begun.extraction, ask, |Extraction { search, problem, .. }, rent| {
            let from = search.imagined(problem, other);
            Ok((search.standing(problem, rent, &from)?, Spent::default()))
        });
        let d = made.ok()?;
        if d.peak_bytes <= budget {
            return Some(Rc::unwrap_or_clone(d));
        }
        self.outside_fitting(vec![d], budget, longest)
    }

    /// For each of `asks`, the local program near a decision in which stashes are kept and recomputed as it says; `None` if a
    /// tensor cannot be converted to a layout that is required of it.
    ///
    /// # Errors
    /// No form satisfies the annotations.
    pub fn as_asked(&self, asks: &[Ask], near: &Decision) -> Result<Vec<Option<LocalProgram>>, PlanError> {
        let Extraction { search, mut problem, .. } = self.extraction()?;
        let local = |ask: &Ask| {
            let taken = self.restrict(&mut problem, ask);
            let found = search.resume(&mut problem, Rent(ask.rent), &near.solution.choices, Depth::Readers);
            for (s, site) in taken {
                problem.sites[s] = site;
            }
            found.ok().map(|(solution, _)| self.timed(&solution).1)
        };
        Ok(asks.iter().map(local).collect())
    }

    /// One search under `ask`, and what comes of it.
    fn solve(
        &self,
        of: &mut Extraction<'_, '_>,
        ask: &Ask,
        find: impl FnOnce(&mut Extraction<'_, '_>, Rent) -> Result<(Solution, Spent), PlanError>,
    ) -> Result<Rc<Decision>, PlanError> {
        let open = (0..self.stashes.len()).filter(|&i| self.is_open(&of.problem, i)).collect();
        let taken = self.restrict(&mut of.problem, ask);
        let found = find(of, Rent(ask.rent));
        for (s, site) in taken {
            of.problem.sites[s] = site;
        }
        let (solution, spent) = found?;
        let known = of.solved.iter().rev().find(|d| d.solution == solution).cloned();
        let d = match known {
            Some(known) => Rc::new(Decision { spent, rent: ask.rent, open, ..(*known).clone() }),
            None => {
                let d = self.written(solution)?;
                let d = Rc::new(Decision { spent, lower_bound: of.lower_bound, rent: ask.rent, open, ..d });
                of.solved.push(d.clone());
                d
            }
        };
        Ok(match self.options.recompute_outside() {
            Recompute::Full if self.options.mode == Mode::Search => {
                let program = self.beyond_loops(&d).full();
                Rc::new(with(Rc::unwrap_or_clone(d), program))
            }
            _ => d,
        })
    }

    /// A solution as a program that is timed and measured.
    fn written(&self, solution: Solution) -> Result<Decision, PlanError> {
        let (whole_ps, local) = if self.runs_in_parts() { self.timed(&solution) } else { self.briefly(&solution) };
        local.lacks_nothing()?;
        let memory = self.peak(&local);
        let peak_bytes = memory.bytes();
        Ok(Decision {
            solution,
            local,
            spent: Spent::default(),
            lower_bound: 0,
            time_ps: memory.step_ps.unwrap_or(whole_ps),
            whole_ps,
            memory,
            peak_bytes,
            rent: 0,
            open: BTreeSet::new(),
            bound: false,
            outside: Vec::new(),
        })
    }

    /// Among decisions that are too large, the fastest that fits `budget` once ops outside of loops are rematerialized, if it takes
    /// less than `longest`.
    fn outside_fitting(&self, seen: Vec<Rc<Decision>>, budget: u64, longest: u64) -> Option<Decision> {
        if self.options.recompute_outside() != Recompute::Auto {
            return None;
        }
        // If devices run parts of a program, the time of a step has to be measured, so these times are no bound.
        let bounded = !self.runs_in_parts();
        let mut best: Option<Remade> = None;
        let mut seen = seen;
        seen.sort_by_key(|d| d.time_ps);
        for d in seen {
            // A program that takes as long may hold less.
            let found = best.as_ref().map_or(longest, |(_, p)| longest.min(p.step_ps().saturating_add(1)));
            if bounded && d.time_ps >= found {
                continue;
            }
            let program = self.beyond_loops(&d).fitting(budget, if bounded { found } else { u64::MAX });
            best = fastest(best.into_iter().chain(program.map(|p| (d, p))));
        }
        best.map(|(d, program)| with(Rc::unwrap_or_clone(d), program))
    }

    /// What a decision could rematerialize outside of loops.
    fn beyond_loops<'d>(&'d self, d: &'d Decision) -> Outside<'d> {
        let whole = Box::new(|| self.local(&d.solution));
        Outside::new(self.model, self.memory, &d.local, &d.memory, whole)
    }

    /// Among decisions that are too large, the fastest that fits `budget` once ops outside of loops are rematerialized; and the
    /// least bytes that any of them then holds.
    fn outside(&self, seen: Vec<Rc<Decision>>, budget: u64) -> (Option<Decision>, u64) {
        if self.options.recompute_outside() != Recompute::Auto {
            return (None, u64::MAX);
        }
        let made = |d: Rc<Decision>| {
            let program = self.beyond_loops(&d).within(budget);
            (d, program)
        };
        let made: Vec<_> = seen.into_iter().map(made).collect();
        let least = made.iter().map(|(_, p)| p.peak_bytes).min().unwrap_or(u64::MAX);
        let fit = made.into_iter().filter(|(_, p)| p.peak_bytes <= budget);
        (fastest(fit).map(|(d, program)| with(Rc::unwrap_or_clone(d), program)), least)
    }

    /// The program that carries a solution out.
    fn local(&self, solution: &Solution) -> LocalProgram {
        partition::build(self.program, solution)
    }

    /// The same, and how long a step of it takes: as long as can be, if it lacks something.
    fn timed(&self, solution: &Solution) -> (u64, LocalProgram) {
        let local = self.local(solution);
        let step_ps = cost::simulate(self.model, &local.func).step_ps;
        (if local.missing.is_some() { u64::MAX } else { step_ps }, local)
    }

    /// A solution's program without what only a reader or the checker asks for, and how long a step of it takes.
    fn briefly(&self, solution: &Solution) -> (u64, LocalProgram) {
        let local = partition::brief(self.program, solution);
        let step_ps = if local.missing.is_some() { u64::MAX } else { cost::simulate(self.model, &local.func).step_ps };
        (step_ps, local)
    }

    /// The time of a step of a solution's program.
    fn took(&self, solution: &Solution) -> u64 {
        self.briefly(solution).0
    }

    /// A solution's program, and how long a step of it takes: of all parts, where it runs in parts. That says nothing of memory.
    fn judged(&self, solution: &Solution) -> (u64, LocalProgram) {
        let Some(parts) = self.memory.parts() else { return self.briefly(solution) };
        let local = self.local(solution);
        let step_ps = if local.missing.is_some() { None } else { parts.step_ps(&local.func) };
        (step_ps.unwrap_or(u64::MAX), local)
    }

    /// Whether devices run parts of the program. Then the code that cuts the program measures it.
    pub fn runs_in_parts(&self) -> bool {
        self.memory.parts().is_some()
    }

    /// Whether a solution's program does not fit. `brief` is that program as [`Decider::briefly`] makes it. For most programs that do not
    /// fit, a lower bound shows it and no kernels are made.
    fn is_large(&self, solution: &Solution, brief: &LocalProgram, budget: u64) -> bool {
        if self.runs_in_parts() {
            return self.peak(&self.local(solution)).bytes() > budget;
        }
        self.at_least(brief) > budget || self.peak(brief).bytes() > budget
    }

    /// A lower bound on the bytes that a device holds. If devices run parts of the program, it is 0, since nothing is known of the parts.
    fn at_least(&self, local: &LocalProgram) -> u64 {
        if self.runs_in_parts() { 0 } else { bytes_at_least(&local.func) }
    }

    fn peak(&self, local: &LocalProgram) -> Measured {
        if let (Some(parts), Some(mixed)) = (self.memory.parts(), self.mixed) {
            return parts.measure_mixed(&local.func, mixed).into();
        }
        let memory = self.memory.of(&local.func, &self.model.target);
        debug_assert!(memory.held.is_err() || self.at_least(local) <= memory.bytes(), "the bound is none");
        memory
    }

    /// Whether a stash enters the body, so that recomputing it would take all iterations before it.
    fn carried(&self, s: &Stash) -> bool {
        matches!(self.program.func.value(s.of).def, Def::Arg(..))
    }

    fn all_or_nothing(&self) -> Ask {
        let full = |s: &Stash| s.how == Recompute::Full && !self.carried(s);
        let rematerialized = self.stashes.iter().enumerate().filter(|(_, s)| full(s)).map(|(i, _)| i);
        Ask { rematerialized: rematerialized.collect(), ..Ask::default() }
    }

    /// Takes options away: reading what must be recomputed, computing what must be kept. Gives the sites as they were.
    fn restrict(&self, problem: &mut Problem, ask: &Ask) -> Vec<(usize, Site)> {
        let mut taken = Vec::new();
        for (i, s) in self.stashes.iter().enumerate() {
            let (rematerialized, kept) = (ask.rematerialized.contains(&i), ask.kept.contains(&i));
            if !rematerialized && !kept {
                continue;
            }
            if let Some(writer) = self.writer(problem, s).filter(|_| self.is_open(problem, i)) {
                let site = &mut problem.sites[writer];
                taken.push((writer, site.clone()));
                site.options.retain(|o| matches!(o.source, SiteSource::Op(_)) == rematerialized);
                site.forget();
                site.source = site.options[0].source;
            }
        }
        taken.reverse();
        taken
    }

    /// The site that brings a stash about in the backward pass.
    fn writer(&self, problem: &Problem, s: &Stash) -> Option<usize> {
        let v = self.program.rep(s.arg);
        let tensor = problem.tensors.iter().find(|t| t.value == v)?;
        Some(tensor.writer as usize).filter(|&w| w < problem.sites.len())
    }

    /// Whether stash `i` can be kept and can be recomputed.
    fn is_open(&self, problem: &Problem, i: usize) -> bool {
        let Some(writer) = self.writer(problem, &self.stashes[i]) else { return false };
        let rematerialized = |o: &Choice| matches!(o.source, SiteSource::Op(_));
        let options = &problem.sites[writer].options;
        options.iter().any(rematerialized) && !options.iter().all(rematerialized)
    }

    /// Stashes that a solution rematerializes.
    pub fn rematerialized(&self, solution: &Solution) -> BTreeSet<usize> {
        let copied = |s: &Stash| matches!(solution.sources.get(&self.program.rep(s.arg)), Some(SiteSource::Op(_)));
        self.stashes.iter().enumerate().filter(|(_, s)| copied(s)).map(|(i, _)| i).collect()
    }

    /// What it takes to keep each stash, and what to recompute it, under the layouts of a decision. A stash without a choice costs
    /// nothing.
    pub fn prices(&self, d: &Decision) -> Prices {
        let func = self.program.func;
        let mut pieces: Vec<OpId> = Vec::new();
        let mut prices = Prices::default();
        for (i, s) in self.stashes.iter().enumerate() {
            if !d.open.contains(&i) {
                prices.stashes.push(Worth::default());
                continue;
            }
            let native = |v: ValueId| d.solution.native.get(&self.program.rep(v));
            let layout = native(s.stack).cloned().or_else(|| native(s.arg).map(stacked));
            let ty = func.ty(s.stack);
            let shape = layout.and_then(|l| l.local_shape(&ty.shape, &func.mesh)).unwrap_or_else(|| ty.shape.clone());
            let mut work = BTreeSet::new();
            let mut open = vec![s.copy];
            while let Some(v) = open.pop() {
                // What the backward pass computes anyway costs nothing more.
                let Some(o) = func.def_op(v).filter(|o| o.index() >= self.given) else {
                    continue;
                };
                let at = pieces.iter().position(|&p| p == o).unwrap_or_else(|| {
                    pieces.push(o);
                    prices.work_ps.push(self.work(func, &d.solution, o));
                    pieces.len() - 1
                });
                if work.insert(at) {
                    open.extend(&func.op(o).operands);
                }
            }
            let bytes = TensorType::new(ty.dtype, shape).bytes();
            let trip = ty.shape.first().copied().unwrap_or(1);
            let bytes = if func.stashes_in_host { stashes::window_bytes(bytes, trip) } else { bytes };
            prices.stashes.push(Worth { bytes, work });
        }
        prices
    }

    /// Time of an op in one step, as its operands and results lie.
    fn work(&self, func: &Func, solution: &Solution, o: OpId) -> u64 {
        let data = func.op(o);
        let local = |&v: &ValueId| {
            let ty = func.ty(v);
            let layout = solution.native.get(&self.program.rep(v));
            let shape = layout.and_then(|l| l.local_shape(&ty.shape, &func.mesh));
            TensorType::new(ty.dtype, shape.unwrap_or_else(|| ty.shape.clone()))
        };
        let operands: Vec<TensorType> = data.operands.iter().map(local).collect();
        let results: Vec<TensorType> = data.results.iter().map(local).collect();
        let part = |t: &[TensorType], vs: &[ValueId]| {
            let whole: u64 = vs.iter().map(|&v| func.ty(v).elements()).sum();
            let here: u64 = t.iter().map(TensorType::elements).sum();
            (here, whole.max(1))
        };
        let (here, whole) = part(&results, &data.results);
        let flops = u128::from(meshloom_ir::table::flops(func, o)) * u128::from(here) / u128::from(whole);
        let operands: Vec<&TensorType> = cost::reads(func, o).into_iter().map(|i| &operands[i]).collect();
        let results: Vec<&TensorType> = results.iter().collect();
        let flops = u64::try_from(flops).unwrap_or(u64::MAX);
        let once = self.model.op_ps(&data.op, data.phase, &operands, &results, flops);
        once.saturating_mul(self.program.weight(data.results[0]))
    }
}
