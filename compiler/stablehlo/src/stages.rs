//! Pipeline stages of an imported train step: `--pipe AXIS`.
//!
//! A step that JAX lowered says nothing of layers or passes. What says so is its loops: a `lax.scan` over microbatches that
//! accumulates gradients, in it a scan over layers, and the scan that JAX made of that for the backward pass, which goes the
//! other way and reads what the first one stacked. From these follow
//! - the arrays that have a row for each layer: what the scan over layers slices, and state that is updated with such rows;
//! - the forward pass: what leads to the scan over layers, and to the loss; all else in the loop is backward;
//! - the update: what depends on the loop.
//!
//! Nobody has to believe that: phases say where an op runs and not what it computes, and what is made of them is proved.
//! Not here: a step without a loop over microbatches, which is refused. Whether its gradient is the mean of those of
//! microbatches would have to be derived.

use meshloom_ir::segments::group;
use meshloom_ir::unstack::rows;
use meshloom_ir::unstack::spread::spread;
use meshloom_ir::{Def, Func, Op, OpId, Phase, Port, Span, ValueId};
use meshloom_source::entry::{Pipelining, ScheduleChoice};
use meshloom_source::{Diagnostic, FrontOptions};
use std::collections::BTreeSet;

/// The axis of stages of a loss, where nobody names one.
const AXIS: &str = "pipe";
/// What runs stages where nothing is said.
const SCHEDULE: &str = "1f1b";

/// Layers of a list, as in Loom.
const MAX_LAYERS: u64 = 65_536;

/// The loops of a train step.
struct Loops {
    microbatches: OpId,
    /// Over the layers.
    forward: OpId,
    /// All over the layers, in order.
    all: Vec<OpId>,
}

/// Marks stacks of layers and phases, as `--pipe` asks. `None` where it does not, or the axis has one device.
///
/// # Errors
/// A step whose loops are not those of stages.
pub fn staged(func: &mut Func, options: &FrontOptions, span: Span) -> Result<Option<Pipelining>, Box<Diagnostic>> {
    let Some(name) = asked(func, options, span)? else { return Ok(None) };
    let loops = find(func).map_err(|why| {
        let d = Diagnostic::error("stages", format!("--pipe {name}: {}", why.message));
        Box::new(d.at(why.span.unwrap_or(span), "").help(why.help))
    })?;
    mark_layers(func, &loops);
    mark_phases(func, &loops);
    let span = func.op(loops.forward).span;
    Ok(several(func, name).then(|| pipelining(name, options, span)))
}

/// The stages of a loss whose layers were rolled: all that was stacked is theirs. Where no option names an axis, they are on the axis
/// `pipe` of the mesh.
///
/// # Errors
/// It has no such layers.
pub fn of_loss(func: &Func, options: &FrontOptions, span: Span) -> Result<Option<Pipelining>, Box<Diagnostic>> {
    let name = match several(func, AXIS) && options.pipe.is_none() {
        true => AXIS,
        false => match asked(func, options, span)? {
            Some(name) if several(func, name) => name.as_str(),
            _ => return Ok(None),
        },
    };
    let depths: BTreeSet<u64> = func
        .inputs
        .iter()
        .zip(&func.body().args)
        .filter(|(p, _)| p.stacked)
        .filter_map(|(_, &v)| func.ty(v).shape.first().copied())
        .collect();
    let wrong = |message: &str, help: &str| {
        let d = Diagnostic::error("stages", format!("--pipe {name}: {message}")).at(span, "");
        Err(Box::new(d.help(help)))
    };
    match depths.len() {
        0 => wrong("no layers of the loss are alike", "without stages, other axes of the mesh split it"),
        1 => Ok(Some(pipelining(name, options, span))),
        _ => wrong(
            "the loss has several lists of layers",
            "stages are cut from one list: give the axis to the tensors, `--mesh data=..,model=..`",
        ),
    }
}

/// The axis that is to have the stages.
///
/// # Errors
/// The mesh has no such axis, or there is something to be said of stages and no axis.
fn asked<'o>(func: &Func, options: &'o FrontOptions, span: Span) -> Result<Option<&'o String>, Box<Diagnostic>> {
    let wrong = |message: String| Diagnostic::error("stages", message).at(span, "");
    let Some(name) = &options.pipe else {
        let given = [
            ("schedule", options.schedule.is_some()),
            ("virtual", options.virtual_stages.is_some()),
            ("stages", options.stages.is_some()),
        ];
        let Some((option, _)) = given.iter().find(|o| o.1) else { return Ok(None) };
        let d = wrong(format!("--{option}: the step is not split into stages"));
        return Err(Box::new(
            d.help("--pipe AXIS splits its layers over an axis of the mesh: `--mesh pipe=2 --pipe pipe`"),
        ));
    };
    if func.mesh.axis(name).is_none() {
        let d = wrong(format!("--pipe {name}: the mesh has no axis `{name}`"));
        return Err(Box::new(d.help(format!("give its size: `--mesh {name}=2`"))));
    }
    Ok(Some(name))
}

/// Whether an axis has more than one device.
fn several(func: &Func, name: &str) -> bool {
    func.mesh.axis(name).is_some_and(|axis| func.mesh.size(axis) > 1)
}

/// What the options say of stages over the axis `name`, of all layers.
fn pipelining(name: &str, options: &FrontOptions, span: Span) -> Pipelining {
    let named = ScheduleChoice::Named { name: SCHEDULE.into(), virtual_stages: None };
    let mut schedule = options.schedule.clone().unwrap_or(named);
    if let ScheduleChoice::Named { virtual_stages, .. } = &mut schedule {
        *virtual_stages = options.virtual_stages;
    }
    Pipelining {
        axis: name.to_owned(),
        list: Port::ALL_LAYERS.into(),
        sizes: options.stages.clone(),
        sizes_span: Span::default(),
        span,
        schedule,
        schedule_span: Span::default(),
        layers: Vec::new(),
    }
}

/// Why a step has no stages.
struct Missing {
    message: &'static str,
    span: Option<Span>,
    help: &'static str,
}

/// The loop over layers that reads most parameters.
fn find(func: &Func) -> Result<Loops, Missing> {
    let mut found: Option<(usize, Loops)> = None;
    let mut outside = None;
    for &outer in &func.body().ops {
        let inner = match func.op(outer).op {
            Op::Repeat { reverse: false, early: false, .. } => func.region(func.op(outer).regions[0]).ops.as_slice(),
            _ => &[],
        };
        for (&o, nested) in inner.iter().map(|o| (o, true)).chain([(&outer, false)]) {
            let Some((stacks, all)) = over_layers(func, o) else { continue };
            if !nested {
                outside = Some(func.op(o).span);
            } else if found.as_ref().is_none_or(|f| f.0 < stacks) {
                found = Some((stacks, Loops { microbatches: outer, forward: o, all }));
            }
        }
    }
    match (found, outside) {
        (Some((_, loops)), _) => Ok(loops),
        (None, Some(span)) => Err(Missing {
            message: "the loop over layers is in no loop over microbatches",
            span: Some(span),
            help: "accumulate gradients in the step: `lax.scan` over microbatches, whose body adds the gradients of one of them to \
                   its carry (docs/from-jax.md)",
        }),
        (None, None) => Err(Missing {
            message: "no loop over layers has a backward pass",
            span: None,
            help: "stack the layers' parameters and go over them with `lax.scan`, in the loss of one microbatch",
        }),
    }
}

/// Of a forward loop over layers: how many inputs it slices, and all loops over the same layers; one goes backwards.
fn over_layers(func: &Func, o: OpId) -> Option<(usize, Vec<OpId>)> {
    let Op::Repeat { trip, reverse: false, early: false, .. } = func.op(o).op else { return None };
    let all = group(func, o);
    let backward = |&o: &OpId| matches!(func.op(o).op, Op::Repeat { reverse: true, .. });
    let stacks = sliced(func, o);
    ((2..=MAX_LAYERS).contains(&trip) && !stacks.is_empty() && all.iter().any(backward)).then_some((stacks.len(), all))
}

/// The inputs that a loop slices row by row.
fn sliced(func: &Func, o: OpId) -> BTreeSet<usize> {
    let Op::Repeat { carries, xs, .. } = func.op(o).op else { return BTreeSet::new() };
    func.op(o).operands[carries..carries + xs].iter().filter_map(|&x| input(func, x)).collect()
}

/// The input that has the rows of `v`.
fn input(func: &Func, mut v: ValueId) -> Option<usize> {
    loop {
        match func.value(v).def {
            Def::Arg(r, i) => match func.region(r).owner {
                None => return Some(i as usize),
                Some(o) => match func.op(o).op {
                    Op::Repeat { carries, xs, .. } if i as usize >= carries + xs => v = func.op(o).operands[i as usize],
                    _ => return None,
                },
            },
            Def::Op(o, _) => {
                let by = rows::operands(func, o)?;
                v = *func.op(o).operands.iter().zip(by).find(|x| x.1)?.0;
            }
        }
    }
}

/// Says of the arrays that have a row for each layer that they are stacks.
fn mark_layers(func: &mut Func, loops: &Loops) {
    let Op::Repeat { trip, .. } = func.op(loops.forward).op else { return };
    let mut found = vec![false; func.values.len()];
    let arg = |i: usize| func.body().args[i].index();
    sliced(func, loops.forward).into_iter().for_each(|i| found[arg(i)] = true);
    loop {
        spread(func, trip, &mut found);
        // State that is updated row by row.
        let yields = func.outputs.iter().zip(&func.body().yields);
        let next = yields.filter(|(_, y)| found[y.index()]).filter_map(|(p, _)| p.updates);
        let rows = |i: &usize| !found[arg(*i)] && func.ty(func.body().args[*i]).shape.first() == Some(&trip);
        let more: Vec<usize> = next.filter(rows).collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|i| found[arg(i)] = true);
    }
    let stacks: Vec<usize> = (0..func.inputs.len()).filter(|&i| found[arg(i)]).collect();
    let mut taken: BTreeSet<String> = func.inputs.iter().chain(&func.outputs).map(|p| p.name.clone()).collect();
    for i in stacks {
        let name = func.inputs[i].name.clone();
        // Each layer has a name, as the layers of a list have: for files that hold them one by one.
        let mut apart = (1..).map(|dots| {
            let before = format!("{name}{}", ".".repeat(dots));
            (0..trip).map(|l| format!("{before}{l}")).collect::<Vec<_>>()
        });
        let entries = apart.find(|all| all.iter().all(|n| !taken.contains(n))).unwrap_or_default();
        taken.extend(entries.iter().cloned());
        let next = func.outputs.iter_mut().filter(|p| p.updates == Some(i));
        for port in next.chain([&mut func.inputs[i]]) {
            (port.stacked, port.entries) = (true, entries.clone());
        }
    }
}

/// Says of each op whether it belongs to the forward pass, the backward pass or the update.
fn mark_phases(func: &mut Func, loops: &Loops) {
    let body = func.op(loops.microbatches).regions[0];
    let backward = |o: &OpId| matches!(func.op(*o).op, Op::Repeat { reverse: true, .. });
    let last: BTreeSet<OpId> = loops.all.iter().copied().filter(backward).collect();
    let mut forward = above(func, loops.forward);
    forward.insert(loops.forward);
    // The loss, or its sum: numbers that no gradient leads to.
    for &y in &func.region(body).yields {
        let Some(o) = func.def_op(y).filter(|_| func.ty(y).rank() == 0 && func.ty(y).dtype.is_float()) else {
            continue;
        };
        let mut all = above(func, o);
        all.insert(o);
        if all.is_disjoint(&last) {
            forward.extend(all);
        }
    }
    let mut late: BTreeSet<OpId> = BTreeSet::new();
    let mut phases: Vec<(OpId, Phase)> = Vec::new();
    for &o in &func.body().ops {
        let reads = |x: &ValueId| func.def_op(*x).is_some_and(|d| d == loops.microbatches || late.contains(&d));
        let phase = match o {
            o if o == loops.microbatches => Phase::Backward,
            o if func.op(o).operands.iter().any(reads) => {
                late.insert(o);
                Phase::Update
            }
            _ => Phase::Forward,
        };
        phases.push((o, phase));
    }
    for &o in &func.region(body).ops {
        phases.push((o, if forward.contains(&o) { Phase::Forward } else { Phase::Backward }));
    }
    for (o, phase) in phases {
        let inside = if o == loops.microbatches { Vec::new() } else { func.op(o).regions.clone() };
        let nested: Vec<OpId> = inside.into_iter().flat_map(|r| func.walk(r)).collect();
        nested.into_iter().chain([o]).for_each(|o| func.ops[o.index()].phase = phase);
    }
}

/// The ops of its region that an op depends on.
fn above(func: &Func, o: OpId) -> BTreeSet<OpId> {
    let mut found = BTreeSet::new();
    let mut open = func.op(o).operands.clone();
    while let Some(v) = open.pop() {
        if let Some(d) = func.def_op(v).filter(|&d| func.op(d).parent == func.op(o).parent)
            && found.insert(d)
        {
            open.extend(&func.op(d).operands);
        }
    }
    found
}
