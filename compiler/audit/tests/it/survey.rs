//! All examples, on several meshes and for several devices: accepted as a whole, in little of the time that planning takes.

use meshloom_driver::{CompileOptions, check, pipeline, plan};
use meshloom_ir::DType;
use meshloom_kernels::Device;
use meshloom_plan::cost::Target;
use meshloom_source::FrontOptions;
use std::path::PathBuf;
use std::time::Duration;

/// A program on a mesh: what was proved of its entries, and how long planning and the proof took.
struct Surveyed {
    name: String,
    steps: usize,
    work: u32,
    plan: Duration,
    audit: Duration,
    open: Vec<String>,
}

/// Compiles a source up to its executable programs, which fails where one is refused.
fn surveyed(
    name: &str,
    text: &str,
    mesh: Option<&[(&str, u64)]>,
    layout: Option<&str>,
    target: &str,
    precision: Option<DType>,
) -> Result<Surveyed, String> {
    let front = FrontOptions {
        mesh: mesh.map(|m| m.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(String::from),
        precision,
        ..FrontOptions::default()
    };
    let mut options = CompileOptions { front, ..CompileOptions::default() };
    options.plan.target = Target::builtin(target).expect("a target");
    let device = match options.plan.target.arch.device().gpu() {
        Some(gpu) => Device::Gpu(gpu),
        None => Device::Cpu,
    };
    let program = check(name, text, &options)
        .and_then(|mut p| {
            p.add_evaluations(&options);
            plan(p, &options)
        })
        .and_then(|p| pipeline::lower_for(p, device));
    let program =
        program.map_err(|(e, _)| format!("{name} on {mesh:?} {layout:?} in {precision:?} for {target}: {e}"))?;
    let spent = |phase: &str| program.timings.iter().filter(|t| t.0 == phase).map(|t| t.1).sum();
    let steps = program.entries.iter().map(|e| e.audit.steps).sum();
    let work = program.entries.iter().map(|e| e.audit.work).max().unwrap_or(0);
    let open =
        program.entries.iter().flat_map(|e| e.audit.unfollowed.iter().map(|u| format!("{}: {u}", e.name))).collect();
    Ok(Surveyed {
        name: format!("{name} on {mesh:?} {layout:?} in {precision:?} for {target}"),
        steps,
        work,
        plan: spent("plan"),
        audit: spent("audit"),
        open,
    })
}

const NO_AXES: Option<&[(&str, u64)]> = None;

/// What an example is planned for: a mesh, or the source's own, and a layout block.
type Place = (Option<&'static [(&'static str, u64)]>, Option<&'static str>);

/// Meshes of most examples: one device, two dims, and a size that divides little.
const USUAL: &[Place] = &[
    (Some(&[("data", 1), ("model", 1)]), None),
    (Some(&[("data", 2)]), None),
    (Some(&[("data", 4)]), None),
    (Some(&[("data", 3)]), None),
    (Some(&[("data", 2), ("model", 2)]), None),
    (Some(&[("data", 1), ("model", 3)]), None),
];
/// The same but for a `model` of 3, which not all dims can be shared by.
const EVEN: &[Place] = USUAL.split_at(5).0;

/// Examples, the meshes that each has in common with others, and further ones.
const EXAMPLES: &[(&str, &[Place], &[Place])] = &[
    ("dpo.loom", USUAL, &[]),
    (
        "gpt.loom",
        USUAL,
        &[(Some(&[("data", 8)]), Some("fsdp")), (Some(&[("data", 3)]), Some("fsdp")), (NO_AXES, Some("megatron"))],
    ),
    ("gpt2.loom", USUAL, &[]),
    (
        "gpt_small.loom",
        USUAL,
        &[
            (Some(&[("data", 4)]), Some("dp")),
            (Some(&[("data", 4)]), Some("zero1")),
            (Some(&[("data", 3)]), Some("fsdp")),
            (Some(&[("data", 2), ("model", 2)]), Some("megatron")),
            (Some(&[("data", 2), ("model", 2)]), Some("fsdp_megatron")),
            (Some(&[("data", 2), ("seq", 2)]), Some("context")),
            (Some(&[("seq", 3)]), Some("context")),
        ],
    ),
    (
        "gpt_tiny.loom",
        USUAL,
        &[
            (Some(&[("data", 4)]), Some("dp")),
            (Some(&[("data", 8)]), Some("fsdp")),
            (Some(&[("data", 8)]), Some("zero1")),
            (Some(&[("data", 2), ("model", 4)]), Some("megatron")),
        ],
    ),
    (
        "llama.loom",
        USUAL,
        &[
            (Some(&[("data", 4)]), Some("dp")),
            (Some(&[("data", 4)]), Some("fsdp")),
            (Some(&[("data", 3)]), Some("fsdp")),
        ],
    ),
    ("lora.loom", USUAL, &[]),
    ("mamba2.loom", USUAL, &[(Some(&[("data", 4)]), Some("fsdp")), (Some(&[("data", 3)]), Some("fsdp"))]),
    ("lru.loom", USUAL, &[(Some(&[("data", 1), ("model", 4)]), Some("sequence"))]),
    ("manual.loom", EVEN, &[]),
    ("mlp.loom", USUAL, &[(Some(&[("data", 8)]), Some("dp"))]),
    (
        "moe.loom",
        &[],
        &[
            (NO_AXES, None),
            (Some(&[("expert", 1)]), None),
            (Some(&[("expert", 2)]), None),
            (Some(&[("expert", 3)]), None),
            (Some(&[("expert", 4)]), None),
        ],
    ),
    (
        "oracle_mlp.loom",
        USUAL,
        &[(Some(&[("data", 4)]), Some("dp")), (Some(&[("data", 2), ("model", 4)]), Some("megatron"))],
    ),
    ("qlora.loom", USUAL, &[]),
    (
        "unet.loom",
        USUAL,
        &[
            (Some(&[("data", 2), ("model", 2)]), Some("features")),
            (Some(&[("data", 4)]), Some("fsdp")),
            (Some(&[("data", 3)]), Some("fsdp")),
        ],
    ),
    ("vit.loom", USUAL, &[(Some(&[("data", 8)]), Some("fsdp"))]),
    ("deepseek.loom", &[], &[(NO_AXES, None), (Some(&[("data", 2), ("expert", 2)]), Some("fsdp"))]),
    ("ring.loom", &[], &[(NO_AXES, None), (Some(&[("data", 2), ("context", 4)]), None)]),
];

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.into())
}

#[test]
#[ignore = "takes a minute: plans all examples"]
fn every_example_is_proved() {
    let (only, targets) = (setting("MESHLOOM_EXAMPLES", ""), setting("MESHLOOM_TARGETS", "cpu,h100-sxm"));
    let (mut plan, mut audit, mut bad) = (Duration::ZERO, Duration::ZERO, Vec::new());
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (name, usual, more) in EXAMPLES.iter().filter(|e| only.is_empty() || only.split(',').any(|o| o == e.0)) {
        let text = std::fs::read_to_string(folder.join(name)).expect("an example");
        for target in targets.split(',') {
            let places = || usual.iter().chain(*more);
            let narrow = places().take(1).map(|p| (p, Some(DType::BF16)));
            for (&(mesh, layout), precision) in places().map(|p| (p, None)).chain(narrow) {
                match surveyed(name, &text, mesh, layout, target, precision) {
                    Ok(s) => {
                        let part = s.audit.as_secs_f64() / s.plan.as_secs_f64();
                        println!(
                            "{part:5.2} {:6} steps, {:7} comparisons, plan {:.2?}, audit {:.2?}, {} open: {}",
                            s.steps,
                            s.work,
                            s.plan,
                            s.audit,
                            s.open.len(),
                            s.name
                        );
                        bad.extend(s.open.iter().take(3).map(|o| format!("{}: {o}", s.name)));
                        (plan, audit) = (plan + s.plan, audit + s.audit);
                    }
                    Err(e) => {
                        println!("{e}");
                        bad.push(e)
                    }
                }
            }
        }
    }
    println!("planning {plan:.2?}, audits {audit:.2?}");
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
