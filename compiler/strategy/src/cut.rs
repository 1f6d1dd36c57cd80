//! Where to cut a model into pipeline stages: how many layers each stage has, so that the slowest stage takes as little as it
//! can and each rank has room.
//!
//! Stages are not alike: the first one also has the embedding and the last one the head and the loss, so the best cut is
//! rarely the even one. But all layers of a list are alike. So a few cuts for reference are priced with the planner's cost
//! model ([`price`]), and each figure of a stage is a line in its number of layers: a cost for what stands around the layers,
//! and one for each layer. Over these lines a dynamic program finds the cut whose slowest stage is fastest ([`search`]), and
//! moves of single layers improve on it by the step that [`meshloom_pipeline::simulate`] predicts. Nothing is planned again.
//!
//! Memory counts activations in flight as the schedule has them ([`table`]). What a rank really needs is what `lower` arranges
//! for the chosen cut; where that is over the budget, the lines of its stages are corrected by it and the search goes on.
//!
//! Where the first layers keep less than the rest, each kind of layers has lines of its own (`mixed`).
//!
//! Not here: how a program is cut (`meshloom_stage`), and schedules (`meshloom_pipeline`). The time of a step leaves out that
//! ranks wait for the norm of all gradients before they update.

mod found;
mod mixed;
mod price;
mod programs;
mod request;
mod search;
mod table;

pub use found::{BoundaryMove, Cut, PredictedStep};
pub(crate) use mixed::{LeanCuts, MixedCuts, held_mixed};
pub(crate) use price::Lines;
pub use price::StageCost;
pub use request::{CutError, CutRequest};
use table::StageKind;
pub(crate) use table::StageTable;

use crate::rank_program::{self, RankProgram};
use meshloom_lower::arrange::arrange_stage;
use meshloom_pipeline::{Fraction, PipelineSchedule, PipelineTimes, Simulation, Simulator, simulate};
use meshloom_plan::cost::Model;
use meshloom_stage::project;
use price::Priced;
use search::Problem;
use std::collections::BTreeMap;

/// How often the lines are corrected by what `lower` says.
const REPAIRS: usize = 24;

/// Cells that are simulated for the moves from one cut, and moves that are tried however large the table is.
const CELLS: usize = 400_000;
const FEWEST: usize = 6;

/// Chooses how many layers each stage has.
///
/// # Errors
/// A program without these layers, a schedule with more stages than layers, and a budget that no cut keeps.
pub fn choose(asked: &CutRequest<'_>) -> Result<Cut, CutError> {
    chosen(asked).map(|made| made.0)
}

/// The same, with the programs of the ranks.
///
/// # Errors
/// Those of [`choose`].
pub(crate) fn chosen(asked: &CutRequest<'_>) -> Result<(Cut, Vec<RankProgram>), CutError> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let table = StageTable::of(schedule)?;
    let model = Model::new(asked.target, &asked.local.mesh);
    let lines = Lines::of(asked, &table, &model)?;
    let run = simulator(asked)?;
    let predictor = StepPredictor { table: &table, run: &run };
    within(asked, &lines, &predictor, |held| exact(asked, &predictor, &model, &held.sizes, held.surely()))
}

/// Whether a step is enough shorter than another one: by a two-hundredth, at least.
pub(crate) fn worth(step_ps: u64, than_ps: u64) -> bool {
    u128::from(step_ps) * 200 <= u128::from(than_ps) * 199
}

/// What each rank holds under the cut that [`choose`] chooses, or under one that is given, and the step that the lines predict of it,
/// in picoseconds: of the even cut where none fits. Nothing else is asked of the cut, so no stage is priced but those that the
/// lines are drawn through.
///
/// # Errors
/// Those of [`choose`].
pub(crate) fn held(asked: &CutRequest<'_>, given: Option<&[u64]>) -> (Result<HeldByRanks, CutError>, Option<u64>) {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let made = || {
        let table = StageTable::of(schedule)?;
        let lines = Lines::of(asked, &table, &Model::new(asked.target, &asked.local.mesh))?;
        Ok::<_, CutError>((table, lines, simulator(asked)?))
    };
    let (table, lines, run) = match made() {
        Ok(made) => made,
        Err(e) => return (Err(e), None),
    };
    let predictor = StepPredictor { table: &table, run: &run };
    let held = match given {
        Some(sizes) => RankBytes::new(asked, &table, None).of(sizes),
        None => within(asked, &lines, &predictor, Ok),
    };
    // Lines are those of layers that are all alike.
    if let Some(sizes) = given.filter(|_| in_parts(asked)) {
        let priced = priced_stages(asked, &table, sizes);
        return (held, priced.and_then(|p| predictor.predict(&p.stages, p.send_ps)).ok().map(|s| s.ps));
    }
    let even = || search::even(lines.layers, table.stages);
    let sizes = held.as_ref().ok().map(|h| h.sizes.clone()).or_else(even);
    (held, sizes.and_then(|sizes| predictor.step_ps(&lines, &sizes)))
}

/// The step that the lines predict of a cut, in picoseconds, whatever its ranks hold.
pub(crate) fn expected(asked: &CutRequest<'_>, sizes: &[u64]) -> Option<u64> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let table = StageTable::of(schedule).ok()?;
    let predictor = StepPredictor { table: &table, run: &simulator(asked).ok()? };
    if in_parts(asked) {
        let priced = priced_stages(asked, &table, sizes).ok()?;
        return predictor.predict(&priced.stages, priced.send_ps).ok().map(|s| s.ps);
    }
    let lines = Lines::of(asked, &table, &Model::new(asked.target, &asked.local.mesh)).ok()?;
    predictor.step_ps(&lines, sizes)
}

/// Whether the list is in parts, each with ports of its own: then its layers differ.
fn in_parts(asked: &CutRequest<'_>) -> bool {
    asked.local.inputs.iter().any(|p| p.is_of_list(asked.list) && p.first_layer > 0)
}

/// The stages of a cut that is given, each priced by its own program.
fn priced_stages(asked: &CutRequest<'_>, table: &StageTable, sizes: &[u64]) -> Result<Priced, CutError> {
    let (all, microbatches) = programs::programs(asked, sizes, table)?;
    let model = Model::new(asked.target, &asked.local.mesh);
    Ok(Priced::of(&model, &all, microbatches, asked.schedule.ranks()))
}

/// What has a figure of each rank's memory.
trait HasMemory {
    fn memory(&self) -> &[u64];
}

impl HasMemory for (Cut, Vec<RankProgram>) {
    fn memory(&self) -> &[u64] {
        &self.0.memory
    }
}

impl HasMemory for HeldByRanks {
    fn memory(&self) -> &[u64] {
        &self.bytes
    }
}

/// The best cut whose ranks keep to the budget, as `make` makes it of its sizes and what its ranks hold.
fn within<T: HasMemory>(
    asked: &CutRequest<'_>,
    lines: &Lines,
    predictor: &StepPredictor<'_>,
    make: impl Fn(HeldByRanks) -> Result<T, CutError>,
) -> Result<T, CutError> {
    let &StepPredictor { table, run } = predictor;
    let mut problem = Problem::new(lines, table, asked.schedule.ranks(), asked.budget);
    let step = |sizes: &[u64]| predictor.step_ps(lines, sizes);
    let mut ranks = RankBytes::new(asked, table, Some(lines));
    let mut nearest: Option<(u64, usize)> = None;
    let fullest = |of: &[u64]| of.iter().enumerate().map(|(rank, bytes)| (*bytes, rank)).max().unwrap_or((0, 0));
    for _ in 0..REPAIRS {
        let Some(sizes) = search::best(&problem, (CELLS / run.cells().max(1)).max(FEWEST), &step) else { break };
        let held = ranks.of(&sizes)?;
        problem.learn(&sizes, &held.bytes);
        let mut worst = fullest(&held.bytes);
        if worst.0 <= asked.budget {
            let found = make(held)?;
            worst = fullest(found.memory());
            problem.learn(&sizes, found.memory());
            if worst.0 <= asked.budget {
                return Ok(found);
            }
        }
        nearest = Some(nearest.map_or(worst, |n| n.min(worst)));
    }
    // Where the lines alone say so, the cut that needs least says how much.
    let (needs, rank) = nearest.unwrap_or_else(|| problem.least());
    Err(CutError::DoesNotFit { rank, needs, budget: asked.budget })
}

/// What ranks hold under a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HeldByRanks {
    /// Layers of each stage.
    pub sizes: Vec<u64>,
    /// By rank.
    pub bytes: Vec<u64>,
    /// All of them were arranged for these very sizes.
    pub sure: bool,
}

impl HeldByRanks {
    fn surely(&self) -> Option<Vec<u64>> {
        self.sure.then(|| self.bytes.clone())
    }
}

/// What ranks hold under several cuts of one program. A rank's own stages decide it: of other stages it has what they send, which
/// is the same however many layers they have. So each rank is arranged once for its sizes. Ranks whose stages are of the same kinds
/// and sizes have the same program, but for the slots of what waits: with lines, only the fullest of these is arranged, and the
/// others are off by as much.
struct RankBytes<'a> {
    asked: &'a CutRequest<'a>,
    table: &'a StageTable,
    lines: Option<&'a Lines>,
    /// By rank and the sizes of its stages: the bytes, and the cut for which they were found.
    known: BTreeMap<(usize, Vec<u64>), (u64, usize)>,
    cuts: usize,
}

impl<'a> RankBytes<'a> {
    fn new(asked: &'a CutRequest<'a>, table: &'a StageTable, lines: Option<&'a Lines>) -> RankBytes<'a> {
        RankBytes { asked, table, lines, known: BTreeMap::new(), cuts: 0 }
    }

    /// What the lines say of a rank.
    fn guess(&self, lines: &Lines, sizes: &[u64], rank: usize) -> u64 {
        let own =
            self.table.own(rank).map(|s| lines.stage(s, sizes[s % self.table.stages]).bytes(&self.table.slots[s]));
        own.fold(0, u64::saturating_add)
    }

    /// For each rank the one that stands for it: of those with the same program the one that should hold most.
    fn fullest(&self, sizes: &[u64]) -> Vec<usize> {
        let ranks = self.asked.schedule.ranks();
        let Some(lines) = self.lines else { return (0..ranks).collect() };
        let mut most: BTreeMap<Vec<StageKind>, (u64, usize)> = BTreeMap::new();
        let kinds: Vec<Vec<StageKind>> = (0..ranks).map(|r| self.table.kinds(r, sizes)).collect();
        for (rank, of) in kinds.iter().enumerate() {
            let guess = self.guess(lines, sizes, rank);
            let best = most.entry(of.clone()).or_insert((guess, rank));
            if guess > best.0 {
                *best = (guess, rank);
            }
        }
        kinds.iter().map(|k| most[k].1).collect()
    }

    fn of(&mut self, sizes: &[u64]) -> Result<HeldByRanks, CutError> {
        let (asked, table) = (self.asked, self.table);
        if sizes.len() != table.stages {
            return Err(CutError::Cannot(format!("the schedule has {} stages, not {}", table.stages, sizes.len())));
        }
        let own = |rank: usize| (rank, table.own(rank).map(|s| sizes[s % table.stages]).collect::<Vec<u64>>());
        let fullest = self.fullest(sizes);
        let lacks = |rank: usize| fullest.contains(&rank) && !self.known.contains_key(&own(rank));
        if (0..fullest.len()).any(lacks) {
            let (local, global) = (asked.local, asked.global);
            let made = rank_program::some_ranks(local, global, asked.list, sizes, asked.schedule, &lacks)?.1;
            self.cuts += 1;
            for rank in made {
                let bytes = arranged(asked, &rank)?;
                self.known.insert(own(rank.program.rank), (bytes, self.cuts));
            }
        }
        let known = |rank: usize| self.known.get(&own(rank)).copied();
        let mut sure = true;
        let mut bytes = Vec::new();
        let first = known(0).map(|k| k.1);
        for (rank, &like) in fullest.iter().enumerate() {
            sure &= known(rank).map(|k| k.1) == first;
            bytes.push(match (known(rank), known(like), self.lines) {
                (Some(own), ..) => own.0,
                (None, Some(other), Some(lines)) => {
                    let guess = |r: usize| i128::from(self.guess(lines, sizes, r));
                    let own = (i128::from(other.0) + guess(rank) - guess(like)).max(0);
                    u64::try_from(own).unwrap_or(u64::MAX)
                }
                _ => 0,
            });
        }
        Ok(HeldByRanks { sizes: sizes.to_vec(), bytes, sure })
    }
}

/// What a rank holds.
fn arranged(asked: &CutRequest<'_>, rank: &RankProgram) -> Result<u64, CutError> {
    let held = arrange_stage(&rank.program.func, asked.target.runs(), &rank.weave);
    let held = held.map_err(|e| CutError::Cannot(format!("rank {}: {e}", rank.program.rank)))?;
    Ok(held.peak().total)
}

/// What is predicted of a cut that is given, whether or not it fits the budget.
///
/// # Errors
/// Those of [`choose`], and sizes that are not those of the program.
pub fn price(asked: &CutRequest<'_>, sizes: &[u64]) -> Result<Cut, CutError> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let table = StageTable::of(schedule)?;
    let predictor = StepPredictor { table: &table, run: &simulator(asked)? };
    exact(asked, &predictor, &Model::new(asked.target, &asked.local.mesh), sizes, None).map(|m| m.0)
}

/// The same with the programs of the ranks, where it may be known what they hold.
///
/// # Errors
/// Those of [`price`].
pub(crate) fn priced(
    asked: &CutRequest<'_>,
    sizes: &[u64],
    held: Option<&HeldByRanks>,
) -> Result<(Cut, Vec<RankProgram>), CutError> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let table = StageTable::of(schedule)?;
    let model = Model::new(asked.target, &asked.local.mesh);
    let predictor = StepPredictor { table: &table, run: &simulator(asked)? };
    exact(asked, &predictor, &model, sizes, held.and_then(HeldByRanks::surely))
}

/// The step of a plan if all stages took equally long and recomputed so much more of their forward pass, in per mille: about what can
/// be had of it by recomputing more and cutting otherwise; `None` where it is not predicted.
pub(crate) fn balanced_ps(asked: &CutRequest<'_>, of: &Cut, more: u64) -> Option<u64> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    let table = StageTable::of(schedule).ok()?;
    let predictor = StepPredictor { table: &table, run: &simulator(asked).ok()? };
    let mean = |f: &dyn Fn(&StageCost) -> u64| {
        let all = of.stages.iter().map(|s| u128::from(f(s))).sum::<u128>();
        u64::try_from(all / of.stages.len().max(1) as u128).unwrap_or(u64::MAX)
    };
    let [forward, backward, weights] = [0, 1, 2].map(|k| mean(&|s| s.times[k]));
    let again = u64::try_from(u128::from(forward) * u128::from(more) / 1000).unwrap_or(u64::MAX);
    let times = [forward, backward.saturating_add(again), weights];
    let stage = StageCost { times, outside: mean(&|s| s.outside), ..StageCost::default() };
    predictor.predict(&vec![stage; of.stages.len()], of.send_ps).ok().map(|s| s.ps)
}

/// What is predicted of a cut if one boundary of a stage is moved by one layer, each way; with its own programs, so nothing is
/// taken from a line.
///
/// # Errors
/// Those of [`price`].
pub fn moved(asked: &CutRequest<'_>, from: &Cut, stage: usize) -> Result<Vec<(BoundaryMove, Cut)>, CutError> {
    from.neighbours(stage).into_iter().map(|m| price(asked, &m.sizes).map(|cut| (m, cut))).collect()
}

/// What stages cost by their number of layers: the first, one between, the last.
///
/// # Errors
/// Those of [`choose`], but for the budget's.
pub(crate) fn lines(asked: &CutRequest<'_>) -> Result<Lines, CutError> {
    let schedule = &rank_program::plain(asked.schedule);
    let asked = &CutRequest { schedule, ..*asked };
    Lines::of(asked, &StageTable::of(schedule)?, &Model::new(asked.target, &asked.local.mesh))
}

fn simulator<'a>(asked: &CutRequest<'a>) -> Result<Simulator<'a>, CutError> {
    Simulator::new(asked.schedule).map_err(|e| CutError::Cannot(e.to_string()))
}

/// A cut with its own programs; its ranks are arranged where it is not known what they hold.
fn exact(
    asked: &CutRequest<'_>,
    predictor: &StepPredictor<'_>,
    model: &Model,
    sizes: &[u64],
    held: Option<Vec<u64>>,
) -> Result<(Cut, Vec<RankProgram>), CutError> {
    let table = predictor.table;
    if sizes.len() != table.stages {
        return Err(CutError::Cannot(format!("the schedule has {} stages, not {}", table.stages, sizes.len())));
    }
    let (staged, ranks) =
        rank_program::some_ranks(asked.local, asked.global, asked.list, sizes, asked.schedule, &|_| true)?;
    let alone: Vec<usize> = (0..staged.stages).collect();
    let all = project(&staged, &alone)?;
    let mut priced = Priced::of(model, &all, staged.microbatches, asked.schedule.ranks());
    let memory = match held {
        Some(held) => held,
        None => ranks.iter().map(|r| arranged(asked, r)).collect::<Result<Vec<u64>, CutError>>()?,
    };
    let step = predictor.predict(&priced.stages, priced.send_ps)?;
    priced.stages.truncate(table.stages);
    let cut = Cut {
        list: asked.list.into(),
        sizes: sizes.to_vec(),
        ranks_of: table.ranks_of(),
        stages: priced.stages,
        memory,
        send_ps: priced.send_ps,
        step,
    };
    Ok((cut, ranks))
}

/// What is made of a schedule once, to predict the steps of many cuts by it.
struct StepPredictor<'a> {
    /// Which stages each rank has.
    table: &'a StageTable,
    /// When its actions run.
    run: &'a Simulator<'a>,
}

impl StepPredictor<'_> {
    /// The step of stages, those of all ways, that cost so much.
    fn predict(&self, stages: &[StageCost], send_ps: u64) -> Result<PredictedStep, CutError> {
        let (times, tick) = times(&stages[..self.table.stages.min(stages.len())], send_ps)?;
        let run = self.run.run(&times);
        let mut outside = vec![0u64; run.events.len()];
        for (rank, cost) in self.table.rank_of.iter().zip(stages) {
            if let Some(of) = outside.get_mut(*rank) {
                *of = of.saturating_add(cost.outside);
            }
        }
        let end = |r: usize| run.events[r].last().map_or(0, |e| e.end).saturating_mul(tick).saturating_add(outside[r]);
        Ok(PredictedStep {
            ps: (0..outside.len()).map(end).max().unwrap_or(0),
            bubble_ps: run.bubble().saturating_mul(tick),
            bubble_share: run.bubble_share(),
            slowest_ps: stages.iter().map(StageCost::microbatch).max().unwrap_or(0),
        })
    }

    /// How long the step of a cut takes, by lines.
    fn step_ps(&self, lines: &Lines, sizes: &[u64]) -> Option<u64> {
        self.predict(&lines.at(sizes), lines.send_ps).ok().map(|s| s.ps)
    }
}

/// The times of stages, in ticks of so many picoseconds.
fn times(stages: &[StageCost], send_ps: u64) -> Result<(PipelineTimes, u64), CutError> {
    let longest = stages.iter().flat_map(|s| s.times).chain([send_ps]).max().unwrap_or(0);
    // A tick is a picosecond, or as many as keep the times short enough for the simulator.
    let mut tick = 1;
    while longest / tick > 1 << 34 {
        tick *= 10;
    }
    let whole = |ps: u64| Fraction::new(ps.div_ceil(tick), 1);
    // Both ways a stage has the same layers.
    let each: Vec<[Fraction; 3]> = stages.iter().map(|s| s.times.map(whole)).collect();
    let times = PipelineTimes::new(&each, whole(send_ps), None).map_err(|e| CutError::Cannot(e.to_string()))?;
    Ok((times, tick))
}

/// When each action of a table runs at the times of a cut, and how many picoseconds a tick of that has.
///
/// # Errors
/// None for the table that was cut for.
pub fn timeline(schedule: &PipelineSchedule, cut: &Cut) -> Result<(Simulation, u64), CutError> {
    let stages = &cut.stages[..(schedule.stages() as usize).min(cut.stages.len())];
    let (times, tick) = times(stages, cut.send_ps)?;
    let run = simulate(schedule, &times).map_err(|e| CutError::Cannot(e.to_string()))?;
    Ok((run, tick))
}
