//! What the ranks of a pipeline run, scheduled: their executable programs, the proof of them, and what is told of them.
//!
//! Not here: how a plan is cut into ranks ([`meshloom_strategy::cut_plan`]).

use crate::certified::certified;
use crate::failure::unscheduled;
use crate::parallel;
use crate::program::Planned;
use meshloom_audit::{Audit, KeptFloats, Objection};
use meshloom_bundle::{self as bundle, Pipeline};
use meshloom_ir::{Func, Role, print};
use meshloom_kernels::KernelSpec;
use meshloom_lower::{ScheduleOptions, Scheduled};
use meshloom_pipeline::{Fraction, csv};
use meshloom_report::{PipelineReport, RankReport, StageReport};
use meshloom_source::{Diagnostic, Failure};
use meshloom_strategy::cut_plan::Ranks;
use meshloom_strategy::pipelining::Stages;
use meshloom_strategy::rank_program::{self, RankProgram};

/// The executable programs of all ranks, validated; together they compute the plan, and come to an end.
///
/// # Errors
/// Ops that the device cannot run; what breaks the rules of bundles, as a bug.
pub fn scheduled(
    entry: &Planned,
    of: &Stages,
    ranks: &Ranks,
    options: &ScheduleOptions<'_>,
) -> Result<Vec<Scheduled>, Failure> {
    let made: Result<Vec<Scheduled>, _> = ranks.programs.iter().map(|p| rank_program::scheduled(p, options)).collect();
    let made = made.map_err(|e| Failure::Rejected(vec![unscheduled(e)]))?;
    let internal =
        |func: &Func, message: String| Failure::Internal { phase: "schedule", message, reproducer: print::print(func) };
    for (s, p) in made.iter().zip(&ranks.programs) {
        bundle::validate(&s.program).map_err(|e| match e.limit {
            true => {
                let message = format!("the program of `{}` is too large: {e}", s.program.entry);
                Failure::Rejected(vec![Diagnostic::error("too-large", message).at(entry.span, "")])
            }
            false => internal(&p.program.func, e.to_string()),
        })?;
    }
    let as_planned = options.runs() == ranks.planned;
    if let Some(before) = ranks.made.as_ref().and_then(|m| m.as_ref().ok()).filter(|_| as_planned)
        && !before.iter().zip(&made).all(|(a, b)| a.program.device_bytes() == b.program.device_bytes())
    {
        return Err(internal(&entry.plan.local, "its ranks take other memory than its plan said".into()));
    }
    bundle::validate_wires(&contents(of, &made)).map_err(|e| internal(&entry.plan.local, e.to_string()))?;
    let programs: Vec<&bundle::Program> = made.iter().map(|s| &s.program).collect();
    certified(&entry.plan.local, &ranks.programs, &programs)?;
    Ok(made)
}

/// What is proved of the programs of all ranks.
///
/// # Errors
/// The first rank whose program does something else, and what.
pub fn audit<'a>(
    ranks: impl Iterator<Item = (&'a Func, &'a bundle::Program, &'a [KernelSpec])>,
    narrow: KeptFloats,
) -> Result<Audit, Objection> {
    let mut all = Audit::default();
    let ranks: Vec<_> = ranks.collect();
    // Each on its own thread; what is told is in the order of the ranks.
    let audits =
        parallel::map(&ranks, |(func, program, kernels)| meshloom_audit::audit_with(func, program, kernels, narrow));
    for (k, audit) in audits.into_iter().enumerate() {
        let of_rank = |mut o: Objection| {
            o.message = format!("rank {k}: {}", o.message);
            o
        };
        let Audit { steps, work, unfollowed } = audit.map_err(of_rank)?;
        all.steps += steps;
        all.work = all.work.max(work);
        all.unfollowed.extend(unfollowed.into_iter().map(of_rank));
    }
    Ok(all)
}

/// What a bundle has of the stages.
pub fn contents(of: &Stages, ranks: &[Scheduled]) -> Pipeline {
    Pipeline {
        axis: u32::from(of.axis.0),
        schedule: csv::print(of.schedule.rows()),
        ranks: ranks.iter().map(|s| s.program.clone()).collect(),
    }
}

/// What `plan` tells of the stages.
pub fn report(of: &Stages, ranks: &Ranks) -> PipelineReport {
    let first: Vec<u64> = ranks.sizes.iter().scan(0, |at, n| Some(std::mem::replace(at, *at + n))).collect();
    let stages = ranks.sizes.iter().zip(&first).enumerate().map(|(s, (layers, from))| {
        let mut on = of.ranks_of(s as u32).map(|r| r as u64);
        let rank = on.next().unwrap_or(0);
        StageReport { stage: s as u64, rank, copy: on.next(), first_layer: *from, layers: *layers }
    });
    let simulated = of.at_unit_times().ok();
    let of_rank = |(k, p): (usize, &RankProgram)| RankReport {
        rank: k as u64,
        stages: of.stages_of(k).into_iter().map(u64::from).collect(),
        parameters: elements(p),
        bytes_per_device: ranks.bytes().ok().and_then(|all| all.get(k).copied()),
        flops_per_device: 0,
        wire_bytes_per_device: 0.0,
        message_bytes_per_device: 0,
        activations_in_flight: simulated.as_ref().and_then(|s| s.in_flight.get(k)).map_or(0, |i| i.until_weights),
    };
    PipelineReport {
        axis: of.mesh.name(of.axis).to_owned(),
        list: of.list.clone(),
        schedule: of.schedule.name.clone(),
        microbatches: u64::from(of.schedule.microbatches()),
        stages: stages.collect(),
        ranks: ranks.programs.iter().enumerate().map(of_rank).collect(),
        bubble: simulated.as_ref().map(bubble),
        predicted_bubble: ranks.cut.as_ref().map(|c| share(c.step.bubble_share)),
    }
}

/// The bubble as a share of the time of the rank that has it.
pub fn bubble(s: &meshloom_pipeline::Simulation) -> f64 {
    share(s.bubble_share())
}

fn share(of: Fraction) -> f64 {
    of.numerator as f64 / of.denominator as f64
}

/// Elements of the parameters of a rank: of the whole tensors, not of one device's shards.
fn elements(p: &RankProgram) -> u64 {
    let own = p.program.func.inputs.iter().zip(&p.shapes[0]).filter(|(port, _)| port.role == Role::Parameter);
    own.map(|(_, shape)| shape.iter().product::<u64>()).sum()
}
