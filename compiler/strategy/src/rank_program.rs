//! The programs of a pipeline's ranks: a certified local program is cut into stages, the stages go to ranks as a schedule's table
//! says, and each rank runs its actions in the order of its row.
//!
//! A table gives the order alone. The programs determine what is sent and received: a value is sent as soon as it is computed,
//! and received before it is first read. So a table's sends and receives are ignored, and of the two actions in a cell the
//! first one runs first. Not here: which table, where the list of layers is cut, and whether the ranks' transfers come to an
//! end (`bundle`).

use meshloom_bundle::held_as;
use meshloom_bundle::program::Wire;
use meshloom_certify::staged::{RankInput, RankOutput};
use meshloom_ir::{Func, Phase, ValueId};
use meshloom_lower::weave::Weave;
use meshloom_lower::{LowerError, ScheduleOptions, Scheduled, Stage, schedule_stage};
use meshloom_pipeline::{ActionKind, Cell, PipelineAction, PipelineSchedule, check};
use meshloom_stage::{Action, Boundaries, Given, Kind, Link, StageProgram, Staged, Taken, cut, project_some};
use std::collections::BTreeMap;

/// What the devices of one rank run, before it is scheduled.
pub struct RankProgram {
    pub program: StageProgram,
    /// The order of its actions.
    pub weave: Weave,
    /// The whole shapes of its inputs and outputs.
    pub shapes: [Vec<Vec<u64>>; 2],
    /// What its inputs and outputs are, for the checker.
    pub sources: Vec<RankInput>,
    pub targets: Vec<RankOutput>,
    /// What it receives, in the order of its inputs, then what it sends, in that of its outputs.
    pub wires: Vec<Wire>,
}

/// The programs of all ranks, by rank. `local` is a certified program on the mesh without the pipeline's axis, and `global` the
/// program that it computes. `sizes` are the layers of `list` in each stage, in the order of the stages. A program without a
/// backward pass runs the forward actions alone.
///
/// # Errors
/// A table that cannot run, or does not fit the program: its stages or microbatches. A list that the program does not have, or
/// that cannot be cut so.
pub fn ranks(
    local: &Func,
    global: &Func,
    list: &str,
    sizes: &[u64],
    schedule: &PipelineSchedule,
) -> Result<Vec<RankProgram>, String> {
    runs(schedule)?;
    let schedule = &plain(schedule);
    runs(schedule)?;
    some_ranks(local, global, list, sizes, schedule, &|_| true).map(|made| made.1)
}

/// The same for the ranks that are `wanted`, with the staged program from which they were taken. The table has to be [`plain`],
/// and to have passed its check.
///
/// # Errors
/// Those of [`ranks`], but for those of the table alone.
pub(crate) fn some_ranks(
    local: &Func,
    global: &Func,
    list: &str,
    sizes: &[u64],
    schedule: &PipelineSchedule,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<(Staged, Vec<RankProgram>), String> {
    let ways = Ways::of(schedule, !trains(local))?;
    let (staged, programs) = staged(local, list, sizes, schedule, &ways, wanted)?;
    let ranks = programs.into_iter().map(|p| rank(p, &staged, global, schedule, &ways)).collect();
    Ok((staged, ranks))
}

fn runs(schedule: &PipelineSchedule) -> Result<(), String> {
    match check(schedule, &[]).first() {
        Some(problem) => Err(format!("schedule `{}`: {problem}", schedule.name)),
        None => Ok(()),
    }
}

/// A table of one action in each cell: without transfers and idle cells, and of `B` only where no stage has its halves apart.
/// An action takes the microbatches of a route in their order, since it adds to what it has of them: of GPipe's backwards,
/// which come in the other order, the first one is that of microbatch 0.
pub fn plain(schedule: &PipelineSchedule) -> PipelineSchedule {
    let placement = schedule.placement();
    let halves = splits(schedule);
    let mut rows = Vec::new();
    for (rank, row) in (0u32..).zip(schedule.rows()) {
        let actions = row.iter().flat_map(|c| c.actions()).filter(|a| a.kind.computes());
        let halved = actions.flat_map(|a| match a.kind {
            ActionKind::B if halves => [Some(ActionKind::I), Some(ActionKind::W)].map(|k| k.map(|kind| (a, kind))),
            kind => [Some((a, kind)), None],
        });
        let mut due: BTreeMap<(u32, ActionKind), u32> = BTreeMap::new();
        let mut cells = Vec::new();
        for (a, kind) in halved.flatten() {
            let due = due.entry((a.stage, kind)).or_default();
            // A rank may have a stage for some of the microbatches alone.
            let own = |m: &u32| placement.rank(a.stage, *m) == Some(rank);
            let next = (*due..schedule.microbatches()).find(own).unwrap_or(a.microbatch);
            *due = next + 1;
            cells.push(Cell::one(a.stage, kind, next));
        }
        rows.push(cells);
    }
    PipelineSchedule::new(&schedule.name, placement.clone(), rows)
}

/// Whether a table has the two halves of a backward action apart, anywhere.
fn splits(schedule: &PipelineSchedule) -> bool {
    let mut all = schedule.rows().iter().flatten().flat_map(|c| c.actions());
    all.any(|a| matches!(a.kind, ActionKind::I | ActionKind::W))
}

/// Which way each microbatch goes, and as which of those that go there.
pub(crate) struct Ways<'s> {
    /// For each way, the rank of each stage.
    pub routes: Vec<&'s [u32]>,
    /// By microbatch; none for those that the program does not have.
    pub turns: Vec<Option<(usize, u64)>>,
}

impl Ways<'_> {
    pub fn of(schedule: &PipelineSchedule, forward_only: bool) -> Result<Ways<'_>, String> {
        let placement = schedule.placement();
        let goes = |m: u32, r: &[u32]| (0..).zip(r).all(|(s, &rank)| placement.rank(s, m) == Some(rank));
        let all = placement.routes().iter().map(Vec::as_slice);
        // Where nothing is trained there is one microbatch, the first.
        let routes: Vec<&[u32]> =
            all.filter(|r| !forward_only || goes(0, r)).take(if forward_only { 1 } else { usize::MAX }).collect();
        let mut next = vec![0; routes.len()];
        let turn = |m: u32| {
            let way = routes.iter().position(|r| goes(m, r))?;
            next[way] += 1;
            Some((way, next[way] - 1))
        };
        let turns = (0..schedule.microbatches()).map(turn).collect();
        if next.iter().any(|n| *n != next[0]) {
            return Err(format!("schedule `{}`: not as many microbatches go each way, but {next:?}", schedule.name));
        }
        Ok(Ways { routes, turns })
    }
}

/// The staged program, and the programs of those of its ranks that are wanted.
fn staged(
    local: &Func,
    list: &str,
    sizes: &[u64],
    schedule: &PipelineSchedule,
    ways: &Ways<'_>,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<(Staged, Vec<StageProgram>), String> {
    if sizes.len() != schedule.stages() as usize {
        let (name, stages) = (&schedule.name, schedule.stages());
        return Err(format!("schedule `{name}` has {stages} stages, and the layers are cut into {}", sizes.len()));
    }
    let boundaries =
        Boundaries { list: list.into(), sizes: sizes.to_vec(), weights: splits(schedule), ways: ways.routes.len() };
    let staged = cut(local, &boundaries)?;
    let (m, n) = (staged.microbatches * ways.routes.len() as u64, u64::from(schedule.microbatches()));
    if m > n || m != n && trains(local) {
        return Err(format!("schedule `{}` is for {n} microbatches, and a step has {m}", schedule.name));
    }
    let ranks: Vec<usize> = ways.routes.iter().flat_map(|r| r.iter()).map(|&r| r as usize).collect();
    let programs = project_some(&staged, &ranks, wanted)?;
    if let Some(idle) = programs.iter().find(|p| p.actions.is_empty()) {
        let rank = idle.rank;
        return Err(format!(
            "rank {rank} would have nothing to do: its stages have no layers, and nothing else to compute"
        ));
    }
    Ok((staged, programs))
}

/// Whether a program has a backward pass.
fn trains(func: &Func) -> bool {
    func.walk(Func::BODY).into_iter().any(|o| func.op(o).phase == Phase::Backward)
}

fn rank(
    program: StageProgram,
    staged: &Staged,
    global: &Func,
    schedule: &PipelineSchedule,
    ways: &Ways<'_>,
) -> RankProgram {
    let f = &program.func;
    // As tables write it, without its microbatch.
    let name = |a: &Action| {
        let letter = match a.kind {
            Kind::Forward => ActionKind::F,
            Kind::Weight => ActionKind::W,
            Kind::Input if splits(schedule) => ActionKind::I,
            Kind::Input => ActionKind::B,
        };
        format!("{}{}", a.stage % (schedule.stages() as usize).max(1), letter.text())
    };
    let weave = Weave {
        microbatches: staged.microbatches,
        actions: program.actions.iter().map(|a| (a.repeat, name(a))).collect(),
        order: order(&program, staged.microbatches, schedule, ways),
        received_each: received(&program).filter(|x| x.1.each).map(|x| x.0).collect(),
        sent_each: sent(&program).filter(|x| x.1.each).map(|x| x.0).collect(),
        after: program.after.clone(),
    };
    let wire = |v: ValueId, link: &Link, sends: bool| Wire {
        name: link.name(),
        stage: (if sends { link.to } else { link.from }) as u32,
        sends,
        dtype: held_as(f.ty(v).dtype),
        shape: f.ty(v).shape[usize::from(link.each)..].to_vec(),
        each: link.each,
    };
    let taken = received(&program).map(|(i, link)| wire(f.body().args[i], link, false));
    let given = sent(&program).map(|(i, link)| wire(f.body().yields[i], link, true));
    let wires = taken.chain(given).collect();
    // Of a part of a stack: the whole shape, with as many layers as the part has.
    let whole = |of: &Vec<ValueId>, here: ValueId, from: meshloom_ir::unstack::Layers| {
        let mut shape = of.get(from.0).map_or_else(|| f.ty(here).shape.clone(), |&v| global.ty(v).shape.clone());
        if let (Some((lo, hi)), Some(n)) = (from.1, shape.first_mut()) {
            *n = hi - lo;
        }
        shape
    };
    let inputs = program.taken.iter().zip(&f.body().args).map(|(t, &v)| match t {
        Taken::Input(i) => whole(&global.body().args, v, staged.input_layers[*i]),
        Taken::Received(_) => f.ty(v).shape.clone(),
    });
    let outputs = program.given.iter().zip(&f.body().yields).map(|(g, &v)| match g {
        Given::Output(i) => whole(&global.body().yields, v, staged.output_layers[*i]),
        Given::Sent(_) => f.ty(v).shape.clone(),
    });
    let shapes = [inputs.collect(), outputs.collect()];
    let source = |t: &Taken| match *t {
        Taken::Input(i) => RankInput::Input { input: staged.input_layers[i].0, layers: staged.input_layers[i].1 },
        Taken::Received(link) => RankInput::Received { from: link.from, each: link.each },
    };
    let target = |g: &Given| match *g {
        Given::Output(i) => RankOutput::Output { output: staged.output_layers[i].0, layers: staged.output_layers[i].1 },
        Given::Sent(link) => RankOutput::Sent { to: link.to, each: link.each },
    };
    let sources = program.taken.iter().map(source).collect();
    let targets = program.given.iter().map(target).collect();
    RankProgram { weave, shapes, sources, targets, wires, program }
}

fn received(p: &StageProgram) -> impl Iterator<Item = (usize, &Link)> {
    p.taken.iter().enumerate().filter_map(|(i, t)| match t {
        Taken::Received(link) => Some((i, link)),
        Taken::Input(_) => None,
    })
}

fn sent(p: &StageProgram) -> impl Iterator<Item = (usize, &Link)> {
    p.given.iter().enumerate().filter_map(|(i, g)| match g {
        Given::Sent(link) => Some((i, link)),
        Given::Output(_) => None,
    })
}

/// The order of a rank's actions: its row of the table.
fn order(p: &StageProgram, microbatches: u64, schedule: &PipelineSchedule, ways: &Ways<'_>) -> Vec<(usize, u64)> {
    let row = schedule.rows().get(p.rank).map_or(&[][..], Vec::as_slice).iter().flat_map(|c| c.actions());
    let of = |a: &PipelineAction| {
        let kind = match a.kind {
            ActionKind::F => Kind::Forward,
            ActionKind::W => Kind::Weight,
            _ => Kind::Input,
        };
        let (way, turn) = ways.turns.get(a.microbatch as usize).copied().flatten()?;
        let stage = way * schedule.stages() as usize + a.stage as usize;
        // Some stages have nothing to do for an action: the first one gives nobody a gradient.
        let k = p.actions.iter().position(|x| x.stage == stage && x.kind == kind)?;
        Some((k, turn)).filter(|t| t.1 < microbatches)
    };
    row.filter_map(of).collect()
}

/// Schedules the program of a rank.
///
/// # Errors
/// An op or type that the device cannot run.
pub fn scheduled(rank: &RankProgram, options: &ScheduleOptions<'_>) -> Result<Scheduled, LowerError> {
    let (func, weave) = (&rank.program.func, &rank.weave);
    schedule_stage(Stage { func, weave, shapes: rank.shapes.clone(), wires: rank.wires.clone() }, options)
}
