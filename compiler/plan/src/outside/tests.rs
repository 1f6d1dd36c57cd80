//! Small programs without a loop under budgets: what is rematerialized is certified, survives its text form, and is dropped where
//! nothing is to be recomputed.

use crate::cost::Target;
use crate::{Mode, PlanOptions, Recompute, plan};
use meshloom_ir::{Func, parse, print};
use meshloom_source::FrontOptions;
use meshloom_source::entry::EntryKind;
use meshloom_syntax::elaborate::compile;

/// Layers written out; weights split over `data`, so that gathering one again is among what can be done.
fn text(layers: usize) -> String {
    let fields: Vec<String> = (0..layers)
        .map(|i| format!("up{i}: f32[d, h] @ [data, _] = normal(0.1), down{i}: f32[h, d] = normal(0.1)"))
        .collect();
    let body: Vec<String> = (0..layers).map(|i| format!("x = x + dot(tanh(dot(x, m.up{i})), m.down{i})")).collect();
    format!(
        "mesh [data: 2]\ndim batch = 256, d = 16, h = 64\nstruct Net {{ {} }}\n\
         fn loss(m: Net, x: f32[batch, d] @ [data, _], y: f32[batch, d] @ [data, _]) -> f32 {{\n{}\nmse(x, y)\n}}\n\
         train net = sgd(loss, lr: 0.1)\n",
        fields.join(", "),
        body.join("\n")
    )
}

fn step(layers: usize) -> Func {
    let out = compile("test.loom", &text(layers), &FrontOptions::default());
    let entry = &out.elaborated.unwrap_or_else(|| panic!("{:?}", out.diagnostics)).entries[0];
    let EntryKind::Train { spec, state, .. } = &entry.kind else { panic!("a train entry") };
    let options = meshloom_autodiff::TrainOptions { state: state.clone(), wide: true, ..Default::default() };
    meshloom_autodiff::train_step(&entry.func, spec, &options).expect("the loss has a gradient")
}

fn options() -> PlanOptions {
    let target = Target::builtin("h100-sxm").expect("is built in");
    PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() }
}

#[test]
fn plans_under_budgets_are_certified_and_survive_their_text() {
    for layers in [1, 6] {
        let global = step(layers);
        let free = plan(&global, &options()).unwrap();
        let (mut last, mut made) = (0.0, 0);
        for percent in [95, 90, 85] {
            let budget = free.memory.as_ref().unwrap().total * percent / 100;
            let p = match plan(&global, &PlanOptions { budget: Some(budget), ..options() }) {
                Ok(p) => p,
                Err(e) => {
                    assert!(percent < 90, "{}", e[0].message);
                    continue;
                }
            };
            assert!(p.memory.as_ref().unwrap().total <= budget);
            assert!(p.totals.predicted_step_us >= last);
            last = p.totals.predicted_step_us;
            meshloom_certify::check(&global, &p.local, &p.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
            let again = parse::parse(&print::print(&p.local)).unwrap();
            assert_eq!(print::print(&again), print::print(&p.local));
            made += p.stashes.iter().filter(|s| s.rematerialized).count();
            let none = PlanOptions { budget: Some(budget), recompute: Recompute::None, ..options() };
            if let Ok(kept) = plan(&global, &none) {
                assert!(kept.totals.predicted_step_us >= p.totals.predicted_step_us && kept.stashes.is_empty());
            }
        }
        assert!(last > 0.0);
        assert!(made > 0 || layers == 1, "{layers} layers");
    }
}
