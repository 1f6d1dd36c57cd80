//! What the page of a plan shows (`plan --html`), from planned and scheduled entries.
//!
//! The plan is the report of `plan --json`. Timeline, roofline and buffers are those by which the plan was made: the
//! planner's cost model, and the arena of `lower`, which is made once more. Not here: the page itself (`meshloom_report::page`).

use crate::program::{HasPlan, Planned, Program, Scheduled};
use crate::report::{self, source};
use meshloom_certify as certify;
use meshloom_ir::{Func, OpId, Span};
use meshloom_lower::arrange::{arrange, arrange_stage};
use meshloom_lower::listing::Occupancy;
use meshloom_plan::cost::{Model, OpLoad, RegionItem, TimelineSpan, loads, simulate_exposed};
use meshloom_report::page::{
    PageAction, PageBuffer, PageBuffers, PageEntry, PageOp, PagePlace, PageSource, PageSpan, PageTimeline, PlanPage,
};
use meshloom_report::snippet;
use meshloom_strategy::speed::StepWork;
use meshloom_strategy::{cut, rank_program};

/// Texts beyond so many bytes are shown in part or not at all: a page is sent around.
const LONGEST_SOURCE: usize = 400_000;
const LONGEST_CERTIFICATE: usize = 600_000;
/// Rows of pictures; the smallest are left out.
const SPANS: usize = 6_000;
const BUFFERS: usize = 3_000;
const OPS: usize = 400;

/// The page of a scheduled program.
pub fn of(program: &Program<Scheduled>) -> PlanPage {
    let entries: Vec<PageEntry> = program.entries.iter().map(|e| entry(program, e)).collect();
    PlanPage {
        title: program.path.clone(),
        version: env!("CARGO_PKG_VERSION").into(),
        sources: sources(program, &entries),
        entries,
        ..PlanPage::default()
    }
}

fn entry(program: &Program<Scheduled>, e: &Scheduled) -> PageEntry {
    let report::Report { data: plan, shown } = report::of(program, e);
    let planned = e.planned();
    let target = &program.target;
    let dtype = StepWork::of(planned).dtype;
    let certificate = certify::text::print(&planned.plan.certificate, &planned.global, &planned.plan.local);
    PageEntry {
        kind: shown.kind,
        layout: shown.layout,
        room: shown.room,
        plan,
        memory: shown.memory,
        timeline: timeline(program, planned),
        buffers: occupancy(program, planned).map_or_else(PageBuffers::default, |o| buffers(program, o)),
        ops: ops(program, planned),
        peak: target.peak(dtype) as f64,
        bandwidth: target.bandwidth as f64,
        ranks: actions(planned),
        certificate: if certificate.len() <= LONGEST_CERTIFICATE { certificate } else { String::new() },
    }
}

fn at<E>(program: &Program<E>, span: Span) -> Option<PagePlace> {
    program.locate(span).map(|p| PagePlace(p.file, p.line.into()))
}

/// What an op is called: what stands in the source, or its own name.
fn named<E>(program: &Program<E>, func: &Func, o: OpId) -> String {
    let data = func.op(o);
    let text = source(program, data.span).map_or_else(String::new, |s| s.text);
    if data.op.communicates() || text.is_empty() { data.op.name().into() } else { snippet(&text) }
}

fn timeline<E>(program: &Program<E>, planned: &Planned) -> PageTimeline {
    let (local, target) = (&planned.plan.local, &program.target);
    let mut spans = simulate_exposed(&Model::new(target, &local.mesh), local).spans;
    spans.retain(|s| s.ps > 0);
    if spans.len() > SPANS {
        let mut sizes: Vec<u64> = spans.iter().map(|s| s.ps).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let least = sizes[SPANS];
        spans.retain(|s| s.ps > least);
    }
    let us = |ps: u64| ps as f64 / 1e6;
    let one = |s: &TimelineSpan| {
        let (name, o) = match s.of {
            RegionItem::Op(_) if s.lane.is_none() => ("loop".into(), op_of(local, s.of)),
            RegionItem::Op(o) => (named(program, local, o), Some(o)),
            RegionItem::Fetch(v) | RegionItem::Store(v, _) => {
                let o = op_of(local, s.of);
                let port = local.body().args.iter().position(|a| *a == v).map(|i| local.inputs[i].name.clone());
                (port.or_else(|| Some(named(program, local, o?))).unwrap_or_default(), o)
            }
        };
        let data = o.map(|o| local.op(o));
        PageSpan {
            name,
            lane: s.lane,
            start: us(s.start_ps),
            us: us(s.ps),
            // A loop is one stretch with all of its iterations.
            times: data.filter(|_| s.lane.is_none()).map_or(s.times, |d| d.op.iterations()),
            depth: s.depth,
            phase: data.map_or("", |d| d.phase.name()).into(),
            at: data.and_then(|d| at(program, d.span)),
        }
    };
    let lanes = std::iter::once("computation".to_string()).chain(target.levels.iter().map(|l| l.name.clone()));
    let lanes = lanes.chain(["from the host", "to the host"].map(String::from));
    PageTimeline { lanes: lanes.collect(), spans: spans.iter().map(one).collect() }
}

/// The op that a stretch is of; of a copy, the one that makes what is stored, or the first that reads what is fetched.
fn op_of(func: &Func, item: RegionItem) -> Option<OpId> {
    let reader = |v| (0..func.ops.len() as u32).map(OpId).find(|&o| func.op(o).operands.contains(&v));
    match item {
        RegionItem::Op(o) | RegionItem::Store(_, Some(o)) => Some(o),
        RegionItem::Fetch(v) | RegionItem::Store(v, None) => reader(v),
    }
}

/// What lies in memory when; of a pipeline, on the rank that needs most. Nothing where the target cannot run the program.
fn occupancy<E>(program: &Program<E>, planned: &Planned) -> Option<Occupancy> {
    let Some(ranks) = &planned.ranks else {
        return arrange(&planned.plan.local, program.target.runs()).ok().map(|a| a.occupancy());
    };
    let made = ranks.made.as_ref()?.as_ref().ok()?;
    let fullest = (0..made.len()).rev().max_by_key(|k| made[*k].program.device_bytes())?;
    let rank = ranks.programs.get(fullest)?;
    arrange_stage(&rank.program.func, ranks.planned, &rank.weave).ok().map(|a| a.occupancy())
}

fn buffers<E>(program: &Program<E>, o: Occupancy) -> PageBuffers {
    let all = o.buffers.into_iter().take(BUFFERS);
    let one = |b: meshloom_lower::listing::Occupant| PageBuffer {
        what: b.what,
        kind: b.kind.into(),
        bytes: b.bytes,
        first: b.first,
        last: b.last,
    };
    PageBuffers {
        steps: o.steps.iter().map(|&(name, span)| (name.to_string(), at(program, span))).collect(),
        all: all.map(one).collect(),
        total: o.total,
    }
}

fn ops<E>(program: &Program<E>, planned: &Planned) -> Vec<PageOp> {
    let (local, target) = (&planned.plan.local, &program.target);
    let row = |l: &OpLoad| {
        let data = local.op(l.op);
        PageOp {
            op: data.op.name().into(),
            text: named(program, local, l.op),
            phase: data.phase.name().into(),
            at: at(program, data.span),
            times: l.times,
            us: l.ps as f64 / 1e6,
            flops: l.flops,
            bytes: l.bytes,
            bound: l.bound.name().into(),
        }
    };
    loads(&Model::new(target, &local.mesh), local).iter().take(OPS).map(row).collect()
}

/// The actions of a pipeline's ranks at the times that are predicted of its stages.
fn actions(planned: &Planned) -> Vec<Vec<PageAction>> {
    let (Some(of), Some(ranks)) = (&planned.pipeline, &planned.ranks) else { return Vec::new() };
    let Some(found) = &ranks.cut else { return Vec::new() };
    let schedule = rank_program::plain(&of.schedule);
    let Ok((run, tick)) = cut::timeline(&schedule, found) else { return Vec::new() };
    let us = |ticks: u64| ticks.saturating_mul(tick) as f64 / 1e6;
    let rows = schedule.rows().iter().zip(&run.events);
    rows.map(|(row, events)| {
        let one = |e: &meshloom_pipeline::PipelineEvent| {
            let cell = row.get(e.slot).map(ToString::to_string).unwrap_or_default();
            let kinds: String = cell.chars().filter(|c| "FIWB".contains(*c)).take(2).collect();
            let kind = if cell.starts_with('(') { "F+B".into() } else { kinds.chars().take(1).collect() };
            PageAction { name: cell, kind, start: us(e.start), us: us(e.end - e.start) }
        };
        events.iter().map(one).collect()
    })
    .collect()
}

/// The files that something on the page points into, the user's first.
fn sources<E>(program: &Program<E>, entries: &[PageEntry]) -> Vec<PageSource> {
    let mut wanted: Vec<PagePlace> = Vec::new();
    for e in entries {
        wanted.extend(e.ops.iter().filter_map(|o| o.at.clone()));
        wanted.extend(e.timeline.spans.iter().filter_map(|s| s.at.clone()));
        let places = e.plan.collectives.iter().map(|c| &c.source).chain(e.plan.tensors.iter().map(|t| &t.source));
        wanted.extend(places.flatten().map(|p| PagePlace(p.file.clone(), p.line)));
    }
    wanted.sort();
    wanted.dedup();
    let mut out = Vec::new();
    for (_, file) in program.sources.files() {
        let lines: Vec<u64> = wanted.iter().filter(|p| p.0 == file.name).map(|p| p.1).collect();
        if !file.library || !lines.is_empty() {
            out.push(PageSource::new(&file.name, &file.text, &lines, LONGEST_SOURCE));
        }
    }
    out
}
