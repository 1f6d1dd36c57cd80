//! Where models are cut into pipeline stages: the best of all cuts, better than even ones, within memory.

use meshloom_driver::{CompileOptions, check, plan};
use meshloom_ir::Func;
use meshloom_pipeline::{PipelineSchedule, ScheduleRequest, schedules};
use meshloom_plan::cost::Target;
use meshloom_source::FrontOptions;
use meshloom_strategy::cut::{Cut, CutError, CutRequest, choose, moved, price};

const ROOM: u64 = 1 << 40;

/// A GPT whose head takes as long as some of its layers do, planned for one device of a stage.
fn planned(layers: u64, microbatches: u64, vocab: u64, target: &str) -> (Func, Func) {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_tiny.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("const layers = 2", &format!("const layers = {layers}"));
    let text =
        text.replace("seq = 32, d = 64", "seq = 8, d = 32").replace("heads = 4, head = 16", "heads = 2, head = 16");
    let text = text.replace("vocab = 256", &format!("vocab = {vocab}")).replace("batch = 8", "batch = 16");
    let text = text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, accumulate: {microbatches})"));
    // The source says that its layers are split over ranks, which are no part of the mesh of the step.
    let text = text.replace("mesh [", "mesh [rank: 2, ").replace("[Block; layers]", "[Block; layers] @ rank");
    let front = FrontOptions {
        mesh: Some(vec![("rank".into(), 2), ("data".into(), 1), ("model".into(), 1)]),
        layout: Some("dp".into()),
        ..FrontOptions::default()
    };
    let mut options = CompileOptions { front, ..CompileOptions::default() };
    options.plan.target = Target::builtin(target).expect("a target");
    let program = check("gpt.loom", &text, &options).and_then(|p| plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    let entry = program.entries.remove(0);
    (entry.global.clone(), entry.plan.local.clone())
}

fn table(name: &str, ranks: u32, microbatches: u32) -> PipelineSchedule {
    let entry = schedules::find(name).expect("a schedule");
    schedules::make(entry, &ScheduleRequest::of(ranks, microbatches)).expect("a table")
}

fn request<'a>(
    global: &'a Func,
    local: &'a Func,
    schedule: &'a PipelineSchedule,
    target: &'a Target,
    budget: u64,
) -> CutRequest<'a> {
    CutRequest { local, global, list: "blocks", schedule, target, budget }
}

fn even(layers: u64, stages: u64) -> Vec<u64> {
    (0..stages).map(|s| layers / stages + u64::from(s < layers % stages)).collect()
}

#[test]
fn heavy_ends_get_fewer_layers() {
    for target in ["cpu", "h100-sxm"] {
        let (global, local) = planned(16, 16, 8192, target);
        let target = Target::builtin(target).expect("a target");
        for p in [2, 4, 8] {
            let schedule = table("1f1b", p, 16);
            let asked = request(&global, &local, &schedule, &target, ROOM);
            let found = choose(&asked).unwrap_or_else(|e| panic!("{e}"));
            let other = price(&asked, &even(16, u64::from(p))).unwrap_or_else(|e| panic!("{e}"));
            println!("{} p={p}: {:?} {:?}, even {:?}", target.name, found.sizes, found.step, other.step);
            assert!(found.step.ps <= other.step.ps, "{:?}: {:?} and {:?}", found.sizes, found.step, other.step);
            // On a GPU, layers this small are launches, and the head is one of many.
            if target.name == "cpu" {
                assert!(found.step.ps < other.step.ps, "{:?}: {:?} and {:?}", found.sizes, found.step, other.step);
                assert!(
                    found.sizes.last() < found.sizes.iter().max(),
                    "the head is in the last stage: {:?}",
                    found.sizes
                );
            }
            assert_eq!(found.sizes.iter().sum::<u64>(), 16);
        }
    }
}

/// All ways to give `layers` to `stages`.
fn all(layers: u64, stages: usize) -> Vec<Vec<u64>> {
    if stages == 1 {
        return vec![vec![layers]];
    }
    let rest = |n: u64| all(layers - n, stages - 1).into_iter().map(move |r| [vec![n], r].concat());
    (1..=layers + 1 - stages as u64).flat_map(rest).collect()
}

#[test]
fn no_other_cut_is_better() {
    let (global, local) = planned(6, 4, 128, "cpu");
    let target = Target::builtin("cpu").expect("cpu");
    for (name, ranks, stages) in [("1f1b", 2, 2), ("zb-h1", 3, 3), ("interleaved", 2, 4)] {
        let schedule = table(name, ranks, 4);
        let asked = request(&global, &local, &schedule, &target, ROOM);
        let found = choose(&asked).unwrap_or_else(|e| panic!("{e}"));
        let cuts: Vec<Cut> = all(6, stages).iter().map(|s| price(&asked, s).expect("a cut")).collect();
        let best = cuts.iter().min_by_key(|c| c.step.ps).expect("cuts");
        println!("{name} {ranks}: {:?} of {} cuts, {:?}", found.sizes, cuts.len(), found.step);
        assert_eq!(found.step.ps, best.step.ps, "{name}: {:?} and not {:?}", found.sizes, best.sizes);
        // What is said of moves is what the moved cuts cost.
        for stage in 0..stages {
            for (m, cut) in moved(&asked, &found, stage).unwrap_or_else(|e| panic!("{e}")) {
                let said = cuts.iter().find(|c| c.sizes == m.sizes).expect("one of all");
                assert_eq!((cut.step, m.stage == stage || m.stage == stage + 1), (said.step, true), "{m:?}");
            }
        }
    }
}

#[test]
fn ranks_keep_their_memory() {
    let (global, local) = planned(6, 8, 512, "cpu");
    let target = Target::builtin("cpu").expect("cpu");
    for (name, p) in [("1f1b", 4), ("zb-h1", 4), ("interleaved", 2)] {
        let schedule = table(name, p, 8);
        let asked = |budget| request(&global, &local, &schedule, &target, budget);
        let free = choose(&asked(ROOM)).unwrap_or_else(|e| panic!("{e}"));
        let most = *free.memory.iter().max().expect("ranks");
        // The cut itself fits just so.
        assert_eq!(choose(&asked(most)).map(|c| c.sizes), Ok(free.sizes.clone()));
        // With less room another cut is found that keeps it, and none only where there is none.
        let stages = free.sizes.len();
        let cuts: Vec<Cut> = all(6, stages).iter().map(|s| price(&asked(ROOM), s).expect("a cut")).collect();
        let needs = |c: &Cut| c.memory.iter().max().copied().unwrap_or(0);
        let least = cuts.iter().map(needs).min().expect("cuts");
        for budget in [most - 1, (most + least) / 2, least, least - 1] {
            let fitting = cuts.iter().filter(|c| needs(c) <= budget);
            let best = fitting.map(|c| c.step.ps).min();
            let found = choose(&asked(budget));
            println!(
                "{name}: {budget} of {least}..{most}: {best:?} {:?}",
                found.as_ref().map(|c| (&c.sizes, c.step.ps))
            );
            match found {
                Ok(cut) => {
                    assert!(needs(&cut) <= budget, "{:?} of {budget}", cut.memory);
                    assert!(Some(cut.step.ps) == best || name == "interleaved", "{name}: {:?}", cut.sizes);
                }
                Err(e) => {
                    // With several stages on a rank a cut may be overlooked.
                    assert!(best.is_none() || name == "interleaved", "{name}: {e}");
                    assert!(matches!(e, CutError::DoesNotFit { needs, .. } if needs > budget), "{e}");
                }
            }
        }
        assert!(matches!(choose(&asked(1000)), Err(CutError::DoesNotFit { .. })));
    }
}

#[test]
fn many_layers_and_stages() {
    let (global, local) = planned(96, 16, 1024, "h100-sxm");
    let target = Target::builtin("h100-sxm").expect("a target");
    let schedule = table("1f1b", 16, 16);
    let asked = request(&global, &local, &schedule, &target, ROOM);
    let found = choose(&asked).unwrap_or_else(|e| panic!("{e}"));
    let other = price(&asked, &even(96, 16)).unwrap_or_else(|e| panic!("{e}"));
    println!("{:?} {:?} even {:?}", found.sizes, found.step, other.step);
    assert!(found.step.ps < other.step.ps);
    assert_eq!((found.stage_of(95), found.stage_of(96)), (Some(15), None));
    // The last stage can begin earlier or later, and ends where the list does.
    let moves = moved(&asked, &found, 15).unwrap_or_else(|e| panic!("{e}"));
    assert!(!moves.is_empty() && moves.iter().all(|(m, _)| m.stage == 15), "{moves:?}");
    assert!(moves.iter().all(|(m, cut)| cut.sizes == m.sizes && m.sizes.iter().sum::<u64>() == 96), "{moves:?}");
    assert!(moves.iter().all(|(_, cut)| cut.step.ps >= found.step.ps), "no neighbour is faster");
}

#[test]
fn what_cannot_be_cut_is_said() {
    let (global, local) = planned(4, 4, 32, "cpu");
    let target = Target::builtin("cpu").expect("cpu");
    let said = |list: &str, schedule: &PipelineSchedule| {
        let asked = CutRequest { local: &local, global: &global, list, schedule, target: &target, budget: ROOM };
        choose(&asked).expect_err("refused").to_string()
    };
    assert_eq!(said("layers", &table("1f1b", 2, 4)), "there is no list of layers `layers`");
    assert_eq!(said("blocks", &table("1f1b", 8, 8)), "`blocks` has 4 layers, and the pipeline 8 stages");
    assert_eq!(said("blocks", &table("1f1b", 2, 8)), "schedule `1f1b` is for 8 microbatches, and a step has 4");
}

/// Of DualPipe each rank has two stages, with the parameters of both.
#[test]
fn both_copies_of_a_stage_are_counted() {
    let (global, local) = planned(8, 8, 512, "cpu");
    let target = Target::builtin("cpu").expect("cpu");
    let of = |name: &str, budget: u64| {
        let schedule = table(name, 2, 8);
        let (list, target) = ("blocks", &target);
        choose(&CutRequest { local: &local, global: &global, list, schedule: &schedule, target, budget })
    };
    let (one, two) = (of("1f1b", ROOM).expect("a cut"), of("dualpipe", ROOM).expect("a cut"));
    println!("{one:?}\n{two:?}");
    assert_eq!((&one.ranks_of, &two.ranks_of), (&vec![vec![0], vec![1]], &vec![vec![0, 1], vec![1, 0]]));
    assert!(two.memory.iter().zip(&one.memory).all(|(two, one)| two > one), "{:?} {:?}", two.memory, one.memory);
    // Microbatches that enter at both ends leave no rank without work at the start.
    assert!(two.step.bubble_ps < one.step.bubble_ps, "{:?} {:?}", two.step, one.step);
    let most = *two.memory.iter().max().expect("ranks");
    assert!(of("dualpipe", most).expect("a cut").memory.iter().all(|m| *m <= most));
    assert!(matches!(of("dualpipe", most / 4), Err(CutError::DoesNotFit { .. })));
}
