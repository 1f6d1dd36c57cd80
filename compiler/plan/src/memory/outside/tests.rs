//! Small programs without a loop under budgets: what is rematerialized is certified, survives its text form, and is dropped where
//! nothing is to be recomputed.

use super::Outside;
use crate::cost::{Model, Target};
use crate::memory::held::PeakMemo;
use crate::partition::LocalProgram;
use crate::{Mode, PlanOptions, Recompute, plan};
use meshloom_ir::{Func, OpId, parse, print};
use meshloom_source::FrontOptions;
use meshloom_source::entry::EntryKind;
use meshloom_syntax::elaborate::compile;
use std::collections::BTreeSet;

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

/// What a device is said to hold at least it does hold, whatever is rematerialized; and of nothing rematerialized that is nearly all.
#[test]
fn bounds_hold() {
    let options = options();
    let mut told = 0;
    for layers in [1, 6] {
        let p = plan(&step(layers), &options).unwrap();
        let local = LocalProgram { func: p.local, certificate: p.certificate, origins: Vec::new(), missing: None };
        let (model, memory) = (Model::new(&options.target, &local.func.mesh), PeakMemo::default());
        let measured = memory.of(&local.func, &options.target);
        let outside = Outside::new(&model, &memory, &local, &measured, Box::new(|| local.clone()));
        assert!(outside.holds_at_least([].iter()) > measured.bytes() / 100 * 95);
        let mut state = 1u64;
        for _ in 0..60 {
            let mut taken = |_: &&OpId| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 33 & 3 == 0
            };
            let set: BTreeSet<OpId> = outside.ops.keys().filter(&mut taken).copied().collect();
            let bound = outside.holds_at_least(set.iter());
            assert!(bound <= outside.held(&outside.made(&set)).bytes(), "{layers} layers, {set:?}");
            told += usize::from(bound > measured.bytes() / 2);
        }
    }
    assert!(told > 10, "{told} of the bounds say something");
}
