//! Pipeline stages run: each stage's program as machine code on devices of its own, all at the same time, in the order of a
//! pipeline; and train as the program on one device does.

use crate::support::{bundle_of, library};
use meshloom_bundle::held_as;
use meshloom_bundle::{Bundle, Pipeline};
use meshloom_driver::program::{Planned, Program};
use meshloom_driver::{CompileOptions, check, lower, plan};
use meshloom_ir::interp::eval;
use meshloom_ir::{Axis, Func, Mesh, Port, Role, Tensor};
use meshloom_lower::{ScheduleOptions, Scheduled, outline};
use meshloom_pipeline::{PipelineSchedule, ScheduleRequest, csv, schedules};
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Recompute};
use meshloom_random::inputs;
use meshloom_runtime::device::gpu::simulated::Simulated;
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use meshloom_source::FrontOptions;
use meshloom_source::entry::ScheduleChoice;
use meshloom_strategy::rank_program::{RankProgram, ranks, scheduled};

const STEPS: usize = 3;

/// gpt_tiny with four layers, which are split over ranks.
fn source(clip: &str, microbatches: u32) -> String {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_tiny.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("const layers = 2", "const layers = 4").replace("seq = 32, d = 64", "seq = 8, d = 32");
    let text = text.replace("heads = 4, head = 16", "heads = 2, head = 16").replace("vocab = 256", "vocab = 32");
    let text = text.replace("mesh [", "mesh [rank: 2, ").replace("[Block; layers]", "[Block; layers] @ rank");
    text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, accumulate: {microbatches}{clip})"))
}

/// A schedule that has a name, for so many ranks and microbatches.
fn named(name: &str, ranks: u32, microbatches: u32) -> PipelineSchedule {
    let entry = schedules::find(name).unwrap_or_else(|| panic!("a schedule `{name}`"));
    schedules::make(entry, &ScheduleRequest::of(ranks, microbatches)).unwrap_or_else(|e| panic!("{e}"))
}

fn made(p: &RankProgram) -> Scheduled {
    let options = ScheduleOptions {
        locate: &|_| None,
        tokens_per_step: 0,
        device: Default::default(),
        tf32: false,
        rounds_each: false,
    };
    let made = scheduled(p, &options).unwrap_or_else(|e| panic!("{}", e.message));
    meshloom_bundle::validate(&made.program).unwrap();
    let audit = meshloom_audit::audit(&p.program.func, &made.program, &made.kernels);
    let audit = audit.unwrap_or_else(|e| panic!("rank {}: {e}", p.program.rank));
    assert!(audit.unfollowed.is_empty(), "rank {}: {}", p.program.rank, audit.unfollowed[0]);
    made
}

fn host(t: &Tensor) -> HostTensor {
    let dtype = held_as(t.ty.dtype);
    let floats = t.ty.dtype.is_float();
    let bytes =
        (0..t.len()).flat_map(|i| if floats { (t.f(i) as f32).to_le_bytes() } else { (t.i(i) as i32).to_le_bytes() });
    HostTensor { dtype, shape: t.ty.shape.clone(), bytes: bytes.collect() }
}

fn floats(t: &HostTensor) -> Vec<f64> {
    t.bytes.chunks(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
}

/// The losses and the parameters after some steps of the program on one device, by the interpreter.
fn wanted(global: &Func, data: &[Tensor]) -> (Vec<f64>, Vec<Tensor>) {
    let (mut state, mut losses, mut last) = (data.to_vec(), Vec::new(), Vec::new());
    for _ in 0..STEPS {
        let out = eval(global, &state).unwrap();
        for (t, port) in out.iter().zip(&global.outputs) {
            if let Some(i) = port.updates {
                state[i] = t.clone();
            }
            if port.role == Role::Loss {
                losses.push(t.f(0));
            }
        }
        last = out;
    }
    (losses, last)
}

fn trains(clip: &str, mesh: &[(&str, u64)], layout: &str, sizes: &[u64], schedule: &PipelineSchedule) {
    let what = format!("{} {mesh:?} {sizes:?}", schedule.name);
    // The mesh of the step is without the ranks.
    let mesh = [&[("rank", 2)], mesh].concat();
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: Some(layout.into()),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    let text = source(clip, schedule.microbatches());
    let program = check("gpt.loom", &text, &options).and_then(|p| plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    let entry = program.entries.remove(0);
    cut_trains(&what, &entry.global, &entry.global, &entry.plan.local, sizes, schedule);
}

/// `step` is the whole step; `local` computes it, or `global`, which is the step with its layers in parts.
fn cut_trains(what: &str, step: &Func, global: &Func, local: &Func, sizes: &[u64], schedule: &PipelineSchedule) {
    let programs = ranks(local, global, "blocks", sizes, schedule).unwrap_or_else(|e| panic!("{what}: {e}"));
    let stages: Vec<Scheduled> = programs.iter().map(made).collect();
    let bundle = linked_stages(local, global, schedule, stages);
    let mut data = inputs(step, 11);
    // Moments begin as zeros.
    for (x, port) in data.iter_mut().zip(&step.inputs).filter(|d| d.1.role == Role::State) {
        assert!(port.init.is_some(), "state of the optimizer");
        *x = Tensor::zeros(&x.ty);
    }
    let (losses, last) = wanted(step, &data);
    let options = SessionOptions { threads: Some(2), ..SessionOptions::default() };
    let stepped = |mut session: Session| {
        session.initialize().unwrap();
        for (x, port) in data.iter().zip(&step.inputs) {
            session.write(&port.name, host(x)).unwrap_or_else(|e| panic!("{e}"));
        }
        let mut step = || {
            session.run().unwrap();
            session.loss().expect("one stage has the loss")
        };
        let seen: Vec<f64> = (0..STEPS).map(|_| step()).collect();
        (session, seen)
    };
    let session = Session::open(&bundle, &local.name, &options).unwrap_or_else(|e| panic!("{what}: {e}"));
    let (session, seen) = stepped(session);
    // The executor for GPUs, where all stages share one that does work in any order that its events allow: bit for bit the same.
    for seed in 0..2 {
        let driver = Box::new(Simulated::new(&bundle.contents.libraries, seed).unwrap());
        let (gpu, found) = stepped(Session::on_driver(&bundle, &local.name, &options, driver).unwrap());
        assert_eq!(found, seen, "{what}: on a simulated GPU, seed {seed}");
        for port in step.outputs.iter().filter(|p| p.updates.is_some()) {
            assert_eq!(gpu.read(&port.name), session.read(&port.name), "{what}: `{}`, seed {seed}", port.name);
        }
    }
    for (loss, wanted) in seen.iter().zip(&losses) {
        assert!((loss - wanted).abs() < 1e-5 * wanted.abs(), "{what}: losses {seen:?}, not {losses:?}");
    }
    // The gradient of a key's bias is 0 in exact numbers, and Adam makes whole steps of its noise.
    let kept = |p: &Port| p.updates.is_some() && p.name != "step" && !p.name.contains(".bk");
    let mut off = 0f64;
    for (want, port) in last.iter().zip(&step.outputs).filter(|x| kept(x.1)) {
        let got = floats(&session.read(&port.name).unwrap());
        assert_eq!(want.len(), got.len());
        off = (0..want.len()).map(|i| (want.f(i) - got[i]).abs()).fold(off, f64::max);
    }
    println!("{what}: {seen:?}, parameters and state {off:e} off");
    assert!(off < 1e-3, "{what}: parameters and state are {off} off");
}

/// A bundle of the ranks of a pipeline, whose axis is the last of the mesh.
fn linked_stages(local: &Func, global: &Func, schedule: &PipelineSchedule, ranks: Vec<Scheduled>) -> Bundle {
    let axis = Axis(global.mesh.axes.len() as u8);
    let all = global.mesh.axes.iter().cloned().chain([("pipe".to_string(), ranks.len() as u64)]);
    let program = outline(local, global, &Mesh::new(all), axis, 0).program;
    let library = library(&ranks);
    let programs = ranks.into_iter().map(|s| s.program).collect();
    let pipeline = Pipeline { axis: axis.0.into(), schedule: csv::print(schedule.rows()), ranks: programs };
    bundle_of(vec![(program, Some(pipeline))], library)
}

const ONE: [(&str, u64); 2] = [("data", 1), ("model", 1)];

#[test]
fn two_stages_train_as_one() {
    trains("", &ONE, "dp", &[2, 2], &named("1f1b", 2, 4));
}

#[test]
fn four_stages_with_weight_gradients_apart_train_as_one() {
    trains(", clip: 1.0", &ONE, "dp", &[1, 1, 1, 1], &named("zb-h1", 4, 4));
}

#[test]
fn stages_of_split_tensors_train_as_one() {
    trains(", clip: 1.0", &[("data", 2), ("model", 2)], "megatron", &[1, 3], &named("gpipe", 2, 4));
}

/// Several stages for a rank: one after the other, there and back, and two ways, where a rank keeps the parameters of one of its
/// two stages. `MESHLOOM_SCHEDULES=all` takes all schedules that have a name.
#[test]
fn ranks_of_several_stages_train_as_one() {
    let all = std::env::var("MESHLOOM_SCHEDULES").is_ok_and(|s| s == "all");
    for entry in schedules::ALL.iter().filter(|e| all || ["interleaved", "zb-v", "dualpipe"].contains(&e.name)) {
        let schedule = named(entry.name, 2, 4);
        let stages = schedule.stages() as usize;
        trains(", clip: 1.0", &ONE, "dp", &vec![4 / stages as u64; stages], &schedule);
    }
}

#[test]
fn ranks_of_two_ways_and_split_tensors_train_as_one() {
    trains(", clip: 1.0", &[("data", 2), ("model", 1)], "fsdp", &[2, 2], &named("dualpipe", 2, 4));
}

/// Layers of one stage lie otherwise than those of another one: whole, split over the data axis with their state, or as Megatron has
/// them. The boundary between layouts may lie in a stage. The ranks' programs are proved, and train as one device does.
#[test]
fn stages_of_other_layouts_train_as_one() {
    let rules = "
layout mixed {
    params *: _
    params blocks[0..2]: largest(data)
    state blocks[0..2]: largest(data)
    params blocks[2..4].w*: [_, model]
    params blocks[2..4].wo: [model, _]
    params blocks[2..4].w2: [model, _]
    params blocks[2..4].b1: [model]
}
";
    for (sizes, name) in [("2, 2", "1f1b"), ("1, 3", "zb-h1"), ("2, 2", "dualpipe")] {
        let what = format!("layouts by stage, {name}, {sizes}");
        let text =
            source(", clip: 1.0", 4).replace("[Block; layers] @ rank", &format!("[Block; layers] @ rank({sizes})"));
        let planned = |layout: &str| {
            let mut options = crate::support::on(&[("rank", 2), ("data", 2), ("model", 2)], layout);
            options.front.schedule = Some(ScheduleChoice::Named { name: name.into(), virtual_stages: None });
            let program = check("gpt.loom", &format!("{text}{rules}"), &options).and_then(|p| plan(p, &options));
            program.and_then(lower).unwrap_or_else(|(e, _)| panic!("{what}: {e}")).entries.remove(0)
        };
        let (mixed, alike) = (planned("mixed"), planned("dp"));
        let sizes: Vec<u64> = sizes.split(", ").map(|n| n.parse().expect("a number")).collect();
        let programs = &mixed.ranks.as_ref().expect("stages").programs;
        let layouts = |k: usize| -> Vec<(u64, Vec<Vec<Axis>>)> {
            let f = &programs[k].program.func;
            let own = f.inputs.iter().zip(&f.body().args).filter(|(p, _)| p.name == "blocks.*.w1");
            own.map(|(p, &v)| (p.first_layer, f.value(v).layout.as_ref().expect("a layout").dims.clone())).collect()
        };
        // As ports of the step, whose mesh is data and model.
        let (split, columns) = (vec![vec![], vec![], vec![Axis(0)]], vec![vec![], vec![], vec![Axis(1)]]);
        let (first, last) = (layouts(0), layouts(1));
        match (name, &sizes[..]) {
            ("1f1b", _) => assert_eq!((first, last), (vec![(0, split)], vec![(2, columns)]), "{what}"),
            ("zb-h1", _) => {
                assert_eq!((first, last), (vec![(0, split.clone())], vec![(1, split), (2, columns)]), "{what}");
            }
            _ => assert!(first.contains(&(0, split)) || last.contains(&(2, columns)), "{what}: {first:?} {last:?}"),
        }
        // Which layers a part has is a part of what is certified.
        let mut other = mixed.plan.local.clone();
        let moved = other.inputs.iter_mut().filter(|p| p.first_layer > 0).map(|p| p.first_layer += 1).count();
        assert!(
            moved > 0 && meshloom_certify::check(&mixed.global, &other, &mixed.plan.certificate).is_err(),
            "{what}"
        );
        // The outline has whole tensors.
        let ports = &mixed.scheduled.program.ports;
        let whole = ports.iter().find(|p| p.name == "blocks.*.w1" && p.alias.is_none()).expect("a port");
        assert_eq!((whole.first_layer, whole.global_shape[0]), (0, 4), "{what}");
        cut_trains(&what, &alike.global, &mixed.global, &mixed.plan.local, &sizes, &named(name, 2, 4));
    }
}

/// Under a budget the first stages, which wait for more microbatches, recompute what the last ones keep: the plan has two kinds
/// of layers, is faster than any with one, and trains as one device does.
#[test]
fn first_stages_recompute_more() {
    let text = source(", clip: 1.0", 8).replace("const layers = 4", "const layers = 8");
    let text = text.replace("mesh [rank: 2, ", "mesh [rank: 4, ").replace("batch = 8", "batch = 16");
    let planned = |budget: Option<u64>, recompute: Option<Recompute>| {
        let mut options = crate::support::on(&[("rank", 4), ("data", 1), ("model", 1)], "dp");
        (options.plan.mode, options.plan.budget, options.plan.recompute_all) = (Mode::Search, budget, recompute);
        options.plan.target = Target::builtin("h100-sxm").expect("a target");
        let program = check("gpt.loom", &text, &options).and_then(|p| plan(p, &options));
        program.unwrap_or_else(|(e, _)| panic!("{e}"))
    };
    let bytes = |p: &Program<Planned>| p.entries[0].ranks.as_ref().expect("stages").device_bytes().expect("memory");
    let step = |p: &Program<Planned>| p.entries[0].ranks.as_ref().and_then(|r| r.cut.as_ref()).expect("a cut").step.ps;
    let (free, full) = (planned(None, None), planned(None, Some(Recompute::Full)));
    let (most, least) = (bytes(&free), bytes(&full));
    let mut cuts = 0;
    for percent in [30, 60] {
        let budget = least + (most - least) * percent / 100;
        let found = planned(Some(budget), None);
        let (entry, ranks) = (&found.entries[0], found.entries[0].ranks.as_ref().expect("stages"));
        println!(
            "{least} to {most}, {budget}: {} bytes, {} ps beside {} and {}, {:?} {:?}",
            bytes(&found),
            step(&found),
            step(&free),
            step(&full),
            ranks.sizes,
            entry.plan.certificate.cuts
        );
        assert!(bytes(&found) <= budget && step(&free) <= step(&found) && step(&found) <= step(&full));
        if entry.plan.certificate.cuts.is_empty() {
            continue;
        }
        cuts += 1;
        let global = entry.plan.program(&entry.entry.global);
        assert_ne!(*global, entry.entry.global);
        cut_trains(
            &format!("{percent} %"),
            &entry.entry.global,
            &entry.entry.global,
            &entry.plan.local,
            &ranks.sizes,
            &named("1f1b", 4, 8),
        );
    }
    assert!(cuts > 0, "no plan has two kinds of layers");
}

/// In a searched plan a layer's parameters and their state are with its stage, and no tensor is split along the layers, so that
/// none is sent to be summed or updated. (A part of the batch for each device suggests such splits: the layers divide as well.)
#[test]
fn layers_are_kept_by_their_stage() {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_small.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("seq: 1]", "seq: 1, pipe: 1]").replace("[Block; layers]", "[Block; layers] @ pipe(1, 3)");
    let text = text.replace("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: 4)");
    let mut options = crate::support::on(&[("data", 2), ("model", 2), ("pipe", 2)], "megatron");
    options.plan.mode = meshloom_plan::Mode::Search;
    let program = check("gpt.loom", &text, &options).and_then(|p| plan(p, &options));
    let program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    let programs = &program.entries[0].ranks.as_ref().expect("stages").programs;
    for (k, p) in programs.iter().enumerate() {
        let of = |role: Role| -> Vec<u64> {
            let own = p.program.func.inputs.iter().filter(|i| i.role == role && i.stacked);
            own.map(|i| i.first_layer).collect()
        };
        assert_eq!(of(Role::Parameter), [k as u64; 16], "rank {k}");
        assert_eq!(of(Role::State), [k as u64; 32], "rank {k}");
        // No gradient is clipped and no matrix is tied: learning rates at most are sent once in a step.
        let once = p.wires.iter().filter(|w| w.sends && !w.each);
        let large: Vec<_> = once.filter(|w| !w.shape.is_empty()).collect();
        assert!(large.is_empty(), "rank {k}: {large:?}");
    }
}
