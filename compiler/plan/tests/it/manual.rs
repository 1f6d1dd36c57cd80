//! Manual regions in plans: every collective and its gradient, on several meshes, against one device and against finite
//! differences; and the plan has the collectives that were written, no others.

use crate::manual_cases::{CASES, source};
use crate::support::{planned_with, runs_alike};
use meshloom_ir::interp::eval;
use meshloom_ir::print::print;
use meshloom_ir::tensor::Data;
use meshloom_ir::{DType, Func, Tensor};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random as random;
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::elaborate::compile;

/// Devices along `data` and along `model`.
const MESHES: [(u64, u64); 5] = [(1, 1), (1, 2), (1, 4), (2, 2), (4, 1)];

fn program(text: &str, data: u64, model: u64, float: Option<DType>) -> Func {
    let mesh = Some(vec![("data".into(), data), ("model".into(), model)]);
    let out = compile("test.loom", text, &FrontOptions { mesh, float, ..FrontOptions::default() });
    let Some(e) = out.elaborated else { panic!("{}", render_all(&out.diagnostics, &out.sources, Style::Plain)) };
    e.entries[0].func.clone()
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    (0..a.len()).map(|i| a.f(i) * b.f(i)).sum()
}

/// The gradients are those of differences along a random direction.
fn differences(name: &str, f: &Func, inputs: &[Tensor]) {
    let out = eval(f, inputs).unwrap();
    let mut rng = random::Rng::new(3);
    for (k, g) in [(0, &out[1]), (1, &out[2])] {
        let along = random::tensor(&mut rng, &inputs[k].ty, (0, 1));
        let at = |h: f64| {
            let mut inputs = inputs.to_vec();
            if let (Data::Float(x), Data::Float(d)) = (&mut inputs[k].data, &along.data) {
                x.iter_mut().zip(d).for_each(|(x, d)| *x += h * d);
            }
            eval(f, &inputs).unwrap()[0].f(0)
        };
        let (want, got) = ((at(1e-5) - at(-1e-5)) / 2e-5, dot(g, &along));
        assert!(
            (want - got).abs() < 1e-6 * want.abs().max(1.0),
            "{name}: gradient {k} is {got}, differences give {want}"
        );
    }
}

#[test]
fn collectives_and_their_gradients_are_those_of_one_device() {
    for &(name, body) in CASES {
        for (data, model) in MESHES {
            let f = program(&source(body), data, model, Some(DType::F64));
            differences(name, &f, &random::inputs(&f, 7));
            let modes: &[Mode] = if (data, model) == (2, 2) { &[Mode::Follow, Mode::Search] } else { &[Mode::Follow] };
            for &mode in modes {
                let p = planned_with(&f, &PlanOptions { mode, ..PlanOptions::default() });
                runs_alike(&f, &p, 7, 1e-11);
            }
        }
    }
}

/// What is written is what is planned: over a manual axis no collective stands that nobody wrote.
#[test]
fn the_plan_has_the_collectives_that_were_written() {
    let wanted: &[(&str, &[&str])] = &[
        ("all_reduce", &["all_reduce"]),
        ("all_gather", &["all_gather"]),
        ("reduce_scatter", &["reduce_scatter"]),
        ("all_to_all", &["all_to_all"]),
        ("collective_permute", &["collective_permute"]),
        ("ring", &["collective_permute"]),
    ];
    for mode in [Mode::Follow, Mode::Search] {
        for (name, kinds) in wanted {
            let body = CASES.iter().find(|c| c.0 == *name).unwrap().1;
            // Inputs and result lie as the region has them, so that nothing is to be done around it.
            let layouts = |from: &str| body.split(from).nth(1).and_then(|s| s.split(']').next()).unwrap().to_string();
            let (x, w, y) = (layouts("x @ ["), layouts("w @ ["), layouts("-> ["));
            let text = format!(
                "mesh [data: 1, model: 4]\nentry run(x: f32[8, 16] @ [{x}], w: f32[16, 16] @ [{w}]) -> f32[8, 16] @ [{y}] {{\n{body}\n}}\n"
            );
            let f = program(&text, 1, 4, None);
            let local = planned_with(&f, &PlanOptions { mode, ..PlanOptions::default() }).local;
            let found: Vec<&str> = local
                .walk(Func::BODY)
                .into_iter()
                .filter(|&o| local.op(o).op.communicates())
                .map(|o| local.op(o).op.name())
                .collect();
            assert_eq!(found, *kinds, "{name} {mode:?}\n{}", print(&local));
        }
    }
}
