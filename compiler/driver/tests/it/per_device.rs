//! With pipeline stages the figures of a device in the report, its text and assertions are those of the rank that has most, and all
//! ranks together have what the plan has.

use meshloom_driver::program::{Planned, Program};
use meshloom_driver::{CompileOptions, check, plan, report};
use meshloom_source::entry::ScheduleChoice;
use meshloom_strategy::per_rank::RankShare;

/// gpt_tiny with eight layers in four stages.
fn source() -> String {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_tiny.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("const layers = 2", "const layers = 8").replace("seq = 32, d = 64", "seq = 8, d = 32");
    let text = text.replace("heads = 4, head = 16", "heads = 2, head = 16");
    let text = text.replace("mesh [", "mesh [rank: 4, ").replace("[Block; layers]", "[Block; layers] @ rank");
    text.replace("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: 8, clip: 1.0)")
        .replace("batch = 8", "batch = 16")
}

fn options(schedule: &str, layout: &str) -> CompileOptions {
    let mut options = crate::support::on(&[("rank", 4), ("data", 2), ("model", 2)], layout);
    options.front.schedule = Some(ScheduleChoice::Named { name: schedule.into(), virtual_stages: None });
    options
}

fn planned(options: &CompileOptions) -> Result<Program<Planned>, String> {
    check("gpt.loom", &source(), options).and_then(|p| plan(p, options)).map_err(|(e, _)| e.to_string())
}

#[test]
fn figures_of_a_device_are_those_of_the_rank_that_has_most() {
    for (schedule, layout) in [("interleaved", "megatron"), ("dualpipe", "fsdp")] {
        let what = format!("{schedule}, {layout}");
        let options = options(schedule, layout);
        let program = planned(&options).unwrap_or_else(|e| panic!("{what}: {e}"));
        let entry = &program.entries[0];
        let shares = entry.shares();
        ranks_have_it_all(&what, entry, &shares);
        let made = report::of(&program, entry);
        let (totals, ranks) = (&made.data.totals, &made.data.pipeline.as_ref().expect("stages").ranks);
        let most = ranks.iter().map(|r| r.wire_bytes_per_device).fold(0.0, f64::max);
        assert_eq!(totals.wire_bytes_per_device, most, "{what}");
        assert!(most < entry.plan.totals.wire_bytes_per_device, "{what}: no device sends what all ranks do");
        assert_eq!(Some(totals.flops_per_device), ranks.iter().map(|r| r.flops_per_device).max(), "{what}");
        // Each level rounds what each collective sends on it.
        let levels: u64 = made.data.levels.iter().map(|l| l.wire_bytes_per_device).sum();
        assert!((levels as f64 - most).abs() < 0.01 * most + 64.0, "{what}: {levels} on all levels, and {most}");
        let text = made.text();
        let rows = text.lines().filter(|l| l.contains("in all on rank")).count();
        assert_eq!(rows, 1, "{what}: {text}");
        asserted(&what, &options, &made.data);
        let of = made.data.pipeline.as_ref().expect("stages");
        // Copies of layers are received in each step, and are no parameters.
        let layers = |rank: u64| -> u64 {
            let own = of.stages.iter().filter(|s| s.rank == rank);
            own.map(|s| s.layers).sum()
        };
        let t = made.data.tensors.iter().find(|t| t.name.starts_with("blocks.*")).expect("a list");
        assert_eq!(Some(t.local_shape[0]), (0..4).map(layers).max(), "{what}: {}", t.name);
        assert_eq!((t.ranks.len(), t.bytes_per_device), (4, 4 * t.local_shape.iter().product::<u64>()), "{what}");
    }
}

/// Every collective of the plan is found in the programs of the ranks, and nowhere else.
fn ranks_have_it_all(what: &str, entry: &Planned, shares: &[RankShare]) {
    assert!(!entry.plan.collectives.is_empty(), "{what}");
    for (k, c) in entry.plan.collectives.iter().enumerate() {
        let all: f64 = shares.iter().map(|s| s.collectives[k].wire_bytes).sum();
        let wanted = c.wire_bytes_per_device;
        assert!(all >= 0.999 * wanted, "{what}: {} of {}: {all} of {wanted}", c.does.name(), c.tensor);
    }
    let flops: u64 = shares.iter().map(|s| s.flops).sum();
    assert!(flops as f64 >= 0.95 * entry.plan.totals.flops_per_device as f64, "{what}: {flops}");
}

/// Assertions of what the report says hold, and those of a byte less do not.
fn asserted(what: &str, options: &CompileOptions, data: &meshloom_report::PlanReport) {
    let bytes = data.totals.wire_bytes_per_device;
    let messages = data.pipeline.iter().flat_map(|p| &p.ranks).map(|r| r.message_bytes_per_device).max().unwrap_or(0);
    let mut options = options.clone();
    options.asserts = vec![
        format!("wire_bytes <= {}", bytes.ceil()),
        format!("wire_bytes < {}", bytes.floor()),
        format!("wire_bytes(rank) <= {messages}"),
        format!("wire_bytes(rank) < {messages}"),
    ];
    let failed = planned(&options).err().unwrap_or_default();
    let broken: Vec<&str> = failed.lines().collect();
    assert_eq!(broken.len(), 2, "{what}: {failed}");
    assert!(broken[0].contains("wire_bytes of") && broken[0].contains("not <"), "{what}: {failed}");
    assert!(broken[1].contains("wire_bytes(rank) of") && broken[1].contains("not <"), "{what}: {failed}");
}
