//! Every schedule that has a name, on two and on four ranks, with one and with several stages for a rank, and on devices that
//! tensors are split over: the programs of the ranks together compute what the step does, and each of them is proved.

use crate::scheduled::{named, proved};
use crate::stages::{Entry, compute, entries, model, planned, together};
use meshloom_pipeline::{PipelineSchedule, schedules};
use meshloom_stage::{Boundaries, Given, StageProgram, cut, project};
use meshloom_strategy::rank_program::{RankProgram, ranks};

/// Cuts a program by a schedule, and checks what comes of it.
pub fn checked(what: &str, entry: &Entry, sizes: &[u64], schedule: &PipelineSchedule) -> Vec<RankProgram> {
    let Entry { global, local } = entry;
    let all = ranks(local, global, "blocks", sizes, schedule).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(all.len(), schedule.ranks(), "{what}");
    let programs: Vec<&StageProgram> = all.iter().map(|p| &p.program).collect();
    compute(what, global, local, &[&together(&programs)]);
    proved(what, &all);
    all
}

/// So many layers in as many stages as a schedule has.
pub fn even(layers: u64, schedule: &PipelineSchedule) -> Vec<u64> {
    let stages = u64::from(schedule.stages());
    (0..stages).map(|s| layers * (s + 1) / stages - layers * s / stages).collect()
}

/// The small model with eight layers and eight microbatches.
fn eight(tied: bool, clip: &str) -> String {
    let text = model(tied, clip).replace("layers = 5", "layers = 8").replace("accumulate: 4", "accumulate: 8");
    text.replace("batch = 8", "batch = 16")
}

#[test]
fn every_schedule_computes_what_the_step_does() {
    let step = planned(&eight(false, ", clip: 1.0"), &[("data", 1), ("model", 1)], "dp");
    for entry in schedules::ALL {
        for p in [2, 4] {
            let schedule = named(entry.name, p, 8);
            checked(&format!("{} on {p} ranks", entry.name), &step, &even(8, &schedule), &schedule);
        }
    }
}

#[test]
fn stages_of_split_tensors_are_scheduled() {
    let mesh = [("data", 2), ("model", 2)];
    for (layout, tied, names) in [
        ("megatron", false, ["1f1b", "interleaved", "zb-v", "dualpipe"]),
        ("fsdp", true, ["gpipe", "zb-h1", "dualpipe", "dualpipe-v"]),
    ] {
        let step = planned(&eight(tied, ", clip: 1.0"), &mesh, layout);
        for name in names {
            let schedule = named(name, 2, 8);
            checked(&format!("{layout}, {name}"), &step, &even(8, &schedule), &schedule);
        }
    }
}

/// A table of the user's that has stages on ranks in any order.
#[test]
fn stages_are_on_any_ranks() {
    let step = planned(&model(false, ""), &[("data", 1), ("model", 1)], "dp");
    let (first, second) = (["0F", "2F", "3F", "3B", "2B", "0B"], ["1F", "1B"]);
    let row =
        |all: &[&str]| (0..4).flat_map(|m| all.iter().map(move |a| format!("{a}{m}"))).collect::<Vec<_>>().join(",");
    let text = format!("{}\n{}\n", row(&first), row(&second));
    let rows = meshloom_pipeline::csv::parse("mine.csv", &text).unwrap_or_else(|e| panic!("{e}"));
    let schedule = PipelineSchedule::of_rows("mine.csv", rows).unwrap();
    let all = checked("mine.csv", &step, &[1, 1, 2, 1], &schedule);
    let parts: Vec<u64> =
        all[0].program.func.inputs.iter().filter(|p| p.name == "blocks.*.w1").map(|p| p.first_layer).collect();
    assert_eq!(parts, [0, 2, 4]);
}

/// Of a matrix that is the embedding and the head, each end's part of the gradient is sent once in a step.
#[test]
fn parts_of_a_gradient_are_sent_once() {
    let Entry { global, local } = planned(&model(true, ""), &[("data", 1), ("model", 1)], "dp");
    let wte = global.ty(global.body().args[0]).shape.clone();
    let boundaries = Boundaries { list: "blocks".into(), sizes: vec![2, 3], weights: false, ways: 1 };
    let programs = project(&cut(&local, &boundaries).unwrap(), &[0, 1]).unwrap();
    compute("tied", &global, &local, &[&together(&programs.iter().collect::<Vec<_>>())]);
    let mut sent = Vec::new();
    for p in &programs {
        for (given, &y) in p.given.iter().zip(&p.func.body().yields) {
            if let Given::Sent(l) = given
                && p.func.ty(y).shape.ends_with(&wte)
            {
                sent.push((l.from, l.each));
            }
        }
    }
    assert_eq!(sent, [(0, false), (1, false)]);
}

/// What validation runs is cut as the training is, and its parameters are on the same ranks. So is a step of one microbatch.
#[test]
fn programs_without_a_loop_over_microbatches_are_cut() {
    for tied in [false, true] {
        let mesh = [("data", 2), ("model", 1)];
        let all = entries(&model(tied, ""), &mesh, Some("fsdp"));
        let homes = |all: &[RankProgram]| -> Vec<Vec<(String, u64)>> {
            let own = |p: &RankProgram| {
                let parameters = p.program.func.inputs.iter().filter(|i| i.role == meshloom_ir::Role::Parameter);
                parameters.map(|i| (i.name.clone(), i.first_layer)).collect()
            };
            all.iter().map(own).collect()
        };
        for name in ["1f1b", "zb-v", "dualpipe"] {
            let schedule = named(name, 2, 4);
            let sizes = even(5, &schedule);
            let [train, eval] =
                [&all[0], &all[1]].map(|e| checked(&format!("{}, {name}", e.global.name), e, &sizes, &schedule));
            assert_eq!(homes(&train), homes(&eval), "{name}");
            assert!(eval.iter().all(|p| p.weave.microbatches == 1));
        }
        let one = entries(&model(tied, ", clip: 1.0").replace(", accumulate: 4", ""), &mesh, Some("fsdp")).remove(0);
        checked("one microbatch", &one, &[2, 3], &named("zb-h1", 2, 1));
    }
}

fn example(file: &str, changes: &[(&str, &str)]) -> String {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path).expect("an example");
    changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{file} has `{from}`");
        text.replace(from, to)
    })
}

#[test]
fn llama_runs_in_stages() {
    let text = example(
        "llama.loom",
        &[
            ("seq = 128, embed = 256, heads = 8", "seq = 4, embed = 16, heads = 4"),
            ("head = 32, hidden = 704, vocab = 256", "head = 4, hidden = 16, vocab = 16"),
            ("clip: 1.0,", "clip: 1.0, accumulate: 4,"),
        ],
    );
    let all = entries(&text, &[("data", 2), ("model", 2)], None);
    for e in &all {
        let name = if e.global.name == "llama" { "interleaved" } else { "1f1b" };
        let schedule = named(name, 2, 4);
        checked(&e.global.name, e, &even(4, &schedule), &schedule);
    }
}

#[test]
fn a_mixture_of_experts_runs_in_stages() {
    let text = example(
        "moe.loom",
        &[
            ("seq = 64", "seq = 4"),
            ("embed = 128", "embed = 16"),
            ("head = 32", "head = 4"),
            ("hidden = 256", "hidden = 16"),
            ("vocab = 256", "vocab = 16"),
            ("capacity = 24", "capacity = 4"),
            ("clip: 1.0", "clip: 1.0, accumulate: 4"),
        ],
    );
    let all = entries(&text, &[("expert", 2)], None);
    let schedule = named("zb-h1", 2, 4);
    checked("moe", &all[0], &[1, 1], &schedule);
}
