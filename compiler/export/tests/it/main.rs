//! Plans of small models, as JSON, in the words of each stack. `tests/data/export/make` made the plans.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod read;

use insta::assert_snapshot;
use meshloom_export::{Description, Output, Predicted, Sharded, Stack, Style, export};
use meshloom_report::{PlanReport, TotalsReport};

/// The plan of a file of `tests/data/export`.
fn plan(name: &str) -> PlanReport {
    let path = format!("{}/../../tests/data/export/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    PlanReport::list_from_json(&text).unwrap_or_else(|e| panic!("{path}: {e}")).remove(0)
}

/// What a stack is told, without the helpers that every DTensor file has.
fn written(name: &str, stack: Stack) -> String {
    let plan = plan(name);
    let text = export(&Description::of(&plan).expect("a train step"), stack, None).text;
    match (text.find("\n\n\nclass Whole"), text.find("\n\n\ndef make_mesh")) {
        (Some(from), Some(to)) => format!("{}\n..{}", &text[..from], &text[to..]),
        _ => text,
    }
}

#[test]
fn dtensor_llama() {
    assert_snapshot!(written("llama", Stack::Dtensor));
}

#[test]
fn dtensor_gpt2() {
    assert_snapshot!(written("gpt2", Stack::Dtensor));
}

#[test]
fn dtensor_qwen3() {
    assert_snapshot!(written("qwen3", Stack::Dtensor));
}

#[test]
fn launchers_llama() {
    for stack in Stack::ALL.into_iter().filter(|s| *s != Stack::Dtensor) {
        assert_snapshot!(format!("llama_{}", stack.name()), written("llama", stack));
    }
}

#[test]
fn modules_are_what_reads_say() {
    let plan = plan("llama");
    let d = Description::of(&plan).expect("a train step");
    let style = |path: &str| &d.modules.iter().find(|m| m.path == path).expect(path).style;
    let axis = || "model".to_string();
    let split = Style::Column { axis: axis(), inputs_first: false, output: Output::Split };
    assert_eq!(*style("model.layers.*.self_attn.k_proj"), split);
    assert_eq!(*style("model.layers.*.mlp.down_proj"), Style::Row { axis: axis(), inputs_first: false, fed: true });
    assert_eq!(*style("lm_head"), Style::Column { axis: axis(), inputs_first: false, output: Output::Loss });
    assert_eq!(*style("model.norm"), Style::Norm { feeds: true });
    assert_eq!((d.data.sharded, d.data.over.as_slice()), (Sharded::Parameters, &["data".to_string()][..]));
}

#[test]
fn a_column_that_is_exchanged_gives_its_whole_result_and_so_do_its_neighbours() {
    let mut plan = plan("llama");
    for r in plan.reads.iter_mut().filter(|r| r.tensor.ends_with("up_proj.weight")) {
        r.ends.iter_mut().for_each(|e| e.exchanged = true);
    }
    let d = Description::of(&plan).expect("a train step");
    let style = |path: &str| &d.modules.iter().find(|m| m.path == path).expect(path).style;
    for name in ["gate_proj", "up_proj"] {
        let style = style(&format!("model.layers.*.mlp.{name}"));
        assert!(matches!(style, Style::Column { output: Output::Gathered, .. }), "{name}: {style:?}");
    }
    assert!(matches!(style("model.layers.*.mlp.down_proj"), Style::Row { fed: false, .. }));
    assert!(matches!(style("model.layers.*.self_attn.q_proj"), Style::Column { output: Output::Split, .. }));
}

#[test]
fn every_collective_is_said_or_listed() {
    let mut plan = plan("llama");
    let permuted = plan.collectives.iter_mut().find(|c| c.bytes > 64).expect("a collective");
    permuted.op = "collective_permute".into();
    let (row, d) = (permuted.number, Description::of(&plan).expect("a train step"));
    for stack in Stack::ALL {
        let made = export(&d, stack, None);
        let line = format!("collective_permute #{row} ");
        assert!(made.lost.iter().any(|l| l.what.starts_with(&line)), "{}", stack.name());
        assert!(made.text.contains(&line), "{}", stack.name());
        assert!(
            made.lost.iter().all(|l| !l.cost.is_empty() && made.text.contains(&l.what.replace('"', "\\\""))),
            "{}",
            stack.name()
        );
    }
}

#[test]
fn both_predictions_stand_above() {
    let plan = plan("llama");
    let d = Description::of(&plan).expect("a train step");
    let totals = TotalsReport { predicted_step_us: 1500.0, wire_bytes_per_device: 2048.0, ..TotalsReport::default() };
    let made = export(&d, Stack::Megatron, Some(Predicted::of(&totals)));
    assert!(
        made.text.contains("as it runs here: 1.5 ms a step, 2.0 KiB sent by a device, memory unknown"),
        "{}",
        made.text
    );
}

#[test]
fn what_is_no_training_step_is_refused() {
    let mut plan = plan("llama");
    plan.reads.clear();
    let e = Description::of(&plan).err().expect("no reads");
    assert!(e.help.contains("plan --json"), "{e:?}");
    plan.tensors.clear();
    assert!(Description::of(&plan).err().expect("no tensors").message.contains("no parameters"));
}
