//! Two layers against brute force: all choices of what each of them recomputes, every one planned and measured.

use crate::cost::{Model, Target};
use crate::decide::Decider;
use crate::extend::prepared::Prepared;
use crate::memory::budget::Ask;
use crate::memory::held::PeakMemo;
use crate::saturate::program::SearchedProgram;
use crate::search::image;
use crate::search::other::DecidedElsewhere;
use crate::{Mode, PlanOptions, plan, saturate};
use meshloom_ir::segments::{Cut, split};
use meshloom_ir::{Def, Func, Op};
use meshloom_source::FrontOptions;
use meshloom_source::entry::EntryKind;
use meshloom_syntax::elaborate::compile;

/// A block of few stashes, so that all of their choices can be planned: its norm, its hidden layer before and after gelu.
const BLOCK: &str = "
mesh [data: 1]
dim batch = 64, d = 32, hidden = 128
struct Block { g: f32[d] = ones, up: f32[d, hidden] = normal(0.02), down: f32[hidden, d] = normal(0.02) }
struct Net { blocks: [Block; 2] }
fn loss(m: Net, x: f32[batch, d], y: f32[batch, d]) -> f32 {
    for p in m.blocks { x = x + dot(gelu(dot(normalize(x) * p.g, p.up)), p.down) }
    mse(x, y)
}
train net = sgd(loss, lr: 0.1)
";

fn step() -> Func {
    let out = compile("test.loom", BLOCK, &FrontOptions::default());
    let entry = &out.elaborated.unwrap_or_else(|| panic!("{:?}", out.diagnostics)).entries[0];
    let EntryKind::Train { spec, state, .. } = &entry.kind else { panic!("a train entry") };
    let options = meshloom_autodiff::TrainOptions { state: state.clone(), wide: true, ..Default::default() };
    meshloom_autodiff::train_step(&entry.func, spec, &options).expect("the loss has a gradient")
}

/// Predicted time and peak of all choices.
fn all(func: &Func, options: &PlanOptions) -> Vec<(u64, u64)> {
    let whole = Prepared::new(func, options);
    let model = Model::new(&options.target, &func.mesh);
    let program = SearchedProgram::new(&whole.ext, options).unwrap();
    let saturation = saturate::run(&program, options);
    let decider = Decider {
        program: &program,
        saturation: &saturation,
        model: &model,
        memory: &PeakMemo::default(),
        options,
        stashes: &whole.stashes,
        given: func.ops.len(),
        followed: None,
        mixed: None,
    };
    let decided = decider.decide(None, &mut decider.begin().unwrap()).unwrap();
    let forward = func.walk(Func::BODY).into_iter().find(|&o| matches!(func.op(o).op, Op::Repeat { .. })).unwrap();
    let split = split(func, &[Cut { repeat: forward, at: vec![1] }]).unwrap();
    let parts = Prepared::new(&split.func, options);
    let image = image::image(&whole.ext, func.ops.len(), &split, &parts.ext);
    let cut = SearchedProgram::new(&parts.ext, options).unwrap();
    let saturation = saturate::run(&cut, options);
    let decider = Decider {
        program: &cut,
        saturation: &saturation,
        stashes: &parts.stashes,
        given: split.func.ops.len(),
        ..decider
    };
    // What enters an iteration is always kept.
    let open: Vec<usize> = (0..parts.stashes.len())
        .filter(|&i| matches!(split.func.value(parts.stashes[i].of).def, Def::Op(..)))
        .collect();
    assert!((4..=10).contains(&open.len()));
    let measured = |m: u32| {
        let rematerialized = open.iter().enumerate().filter(|(i, _)| m >> i & 1 == 1).map(|(_, &s)| s).collect();
        let kept = (0..parts.stashes.len())
            .filter(|i: &usize| !open.contains(i) || m >> open.iter().position(|o| o == i).unwrap_or(31) & 1 == 0)
            .collect();
        let whole = DecidedElsewhere { solution: &decided.solution, program: &program, image: &image };
        let d = decider.near(&Ask { rent: 0, rematerialized, kept }, &whole).unwrap();
        (d.time_ps, d.peak_bytes)
    };
    (0..1u32 << open.len()).map(measured).collect()
}

#[test]
fn two_layers_against_all_choices() {
    let func = step();
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() };
    let choices = all(&func, &options);
    let (low, high) = (choices.iter().map(|c| c.1).min().unwrap(), choices.iter().map(|c| c.1).max().unwrap());
    let mut cut = 0;
    for step in 0..=12 {
        let budget = low + (high - low) * step / 12;
        let best = choices.iter().filter(|c| c.1 <= budget).map(|c| c.0).min().unwrap();
        let p = plan(&func, &PlanOptions { budget: Some(budget), ..options.clone() }).unwrap();
        let time = p.totals.predicted_step_us * 1e6;
        assert!(p.memory.as_ref().unwrap().total <= budget);
        // Brute force holds stashes and searches the rest shortly; the planner may find a better form of something else.
        assert!(time <= best as f64 * 1.001, "{time} ps against {best} by brute force");
        cut += p.certificate.cuts.len();
    }
    assert!(cut > 0, "no loop was cut");
}
