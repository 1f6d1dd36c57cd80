//! A free choice against a restriction of it: what is chosen among more has to be as good. Models, what is open and what is fixed of it
//! are drawn; `MESHLOOM_SHOW=1` prints what was compared.
//!
//! Not here: the same of large models on fixed meshes (`plan/tests/it/frontier.rs`).

use meshloom_driver::choices::devices;
use meshloom_driver::{CompileOptions, check, plan};
use meshloom_ir::random::Rng;
use meshloom_plan::Recompute;
use meshloom_plan::cost::Target;
use meshloom_source::entry::ScheduleChoice;

const GPT: &str = include_str!("../../../../examples/gpt_small.loom");
const VIT: &str = include_str!("../../../../examples/vit.loom");
const LLAMA: &str = include_str!("../../../../examples/llama.loom");
const LARGE_LLAMA: &str = include_str!("../../../../examples/large/llama3.loom");

/// How much longer a free plan may take than a restricted one.
const WORSE: f64 = 1.005;

/// What is planned, and what is fixed of it.
struct Drawn {
    text: String,
    /// So many devices, whose mesh is chosen; or the mesh of the options.
    devices: Option<u64>,
    free: CompileOptions,
    restricted: CompileOptions,
    told: String,
}

fn step_us(of: &Drawn, options: &CompileOptions) -> Option<f64> {
    if let Some(n) = of.devices {
        return devices("m.loom", &of.text, options, n).ok()?.plans.first().map(|p| p.step_us);
    }
    let program = check("m.loom", &of.text, options).ok()?;
    let entry = plan(program, options).ok()?.entries.into_iter().next()?;
    let cut = entry.ranks.as_ref().and_then(|r| r.cut.as_ref());
    Some(cut.map_or(entry.plan.totals.predicted_step_us, |c| c.step.ps as f64 / 1e6))
}

fn named(name: &str) -> Option<ScheduleChoice> {
    Some(ScheduleChoice::Named { name: name.into(), virtual_stages: None })
}

/// A mesh is chosen, and something of it is given.
fn of_devices(rng: &mut Rng) -> Drawn {
    let (name, text, blocks) = rng.pick(&[
        ("gpt", GPT, &["zero1", "fsdp", "megatron", "fsdp_megatron"][..]),
        ("vit", VIT, &[]),
        ("llama", LLAMA, &["fsdp"]),
    ]);
    let mut free = CompileOptions::searching();
    free.plan.target = Target::builtin("h100-sxm").expect("a target");
    let layers = rng.pick(&[4, 8]);
    free.front.dims = vec![("batch".into(), rng.pick(&[16, 32])), ("layers".into(), layers)];
    let mut restricted = free.clone();
    let what = match rng.below(6) {
        0 => {
            let s = rng.pick(&["1f1b", "interleaved", "zb-h1", "zb-v"]);
            restricted.front.schedule = named(s);
            format!("--schedule {s}")
        }
        1 => {
            let how = rng.pick(&[Recompute::None, Recompute::Full]);
            restricted.plan.recompute_all = Some(how);
            format!("--recompute {}", how.name())
        }
        2 if !blocks.is_empty() => {
            let block = rng.pick(blocks);
            restricted.front.layout = Some(block.into());
            format!("--layout {block}")
        }
        3 => {
            (restricted.front.schedule, restricted.front.virtual_stages) = (named("interleaved"), Some(2));
            "--schedule interleaved --virtual 2".into()
        }
        n => {
            let (axis, size) = (rng.pick(&["pipe", "model", "data"]), if n == 4 { 1 } else { 2 });
            restricted.front.mesh = Some(vec![(axis.into(), size)]);
            format!("--mesh {axis}={size}")
        }
    };
    let n = rng.pick(&[2, 4, 8, 16]);
    let told = format!("{name}, {layers} layers on {n} devices, {what}");
    Drawn { text: text.into(), devices: Some(n), free, restricted, told }
}

/// A mesh with stages is given, and something of cut, recomputation and memory.
fn of_stages(rng: &mut Rng) -> Drawn {
    let text = GPT.replace("[Block; layers]", "[Block; layers] @ pipe").replace("mesh [", "mesh [pipe: 2, ");
    let microbatches = rng.pick(&[1, 4, 8]);
    let text = text.replace("adamw(loss,", &format!("adamw(loss, accumulate: {microbatches},"));
    let mut free = CompileOptions::searching();
    free.plan.target = Target::builtin(rng.pick(&["h100-sxm", "a100-80g"])).expect("a target");
    let layers = rng.pick(&[4, 6, 7]);
    let (pipe, inner) = (rng.pick(&[2, 4]), rng.pick(&["data", "model"]));
    free.front.mesh = Some([("pipe", pipe), (inner, 2)].map(|(a, n)| (a.into(), n)).into());
    free.front.dims = vec![("batch".into(), 16), ("layers".into(), layers)];
    if rng.chance(50) {
        free.plan.budget = Some(rng.pick(&[24, 32, 48]) << 20);
    }
    let mut restricted = free.clone();
    let what = match rng.below(4) {
        0 => {
            let sizes: Vec<u64> = (0..pipe).map(|s| layers / pipe + u64::from(s < layers % pipe)).collect();
            let told = format!("--stages {sizes:?}");
            restricted.front.stages = Some(sizes);
            told
        }
        1 => {
            let how = rng.pick(&[Recompute::None, Recompute::Full]);
            restricted.plan.recompute_all = Some(how);
            format!("--recompute {}", how.name())
        }
        2 => {
            let room = free.plan.budget.unwrap_or(free.plan.target.room());
            restricted.plan.budget = Some(room - room / 100);
            "1 % less memory".into()
        }
        _ => {
            let block = rng.pick(&["dp", "zero1", "fsdp", "megatron"]);
            restricted.front.layout = Some(block.into());
            format!("--layout {block}")
        }
    };
    let budget = free.plan.budget.map_or(String::new(), |b| format!(" of {} MiB", b >> 20));
    let target = &free.plan.target.name;
    let told = format!(
        "gpt, {layers} layers over pipe={pipe},{inner}=2 on {target}{budget}, {microbatches} microbatches, {what}"
    );
    Drawn { text, devices: None, free, restricted, told }
}

/// How many of the cases had a restricted plan; what is wrong with any of them.
fn compare(cases: impl Iterator<Item = Drawn>) -> (usize, Vec<String>) {
    let (mut compared, mut wrong) = (0, Vec::new());
    for of in cases {
        let Some(restricted) = step_us(&of, &of.restricted) else { continue };
        let free = step_us(&of, &of.free).unwrap_or(f64::INFINITY);
        compared += 1;
        let line = format!("{}: {free:.1} us free, {restricted:.1} restricted ({:.4})", of.told, free / restricted);
        if std::env::var_os("MESHLOOM_SHOW").is_some() {
            println!("{line}");
        }
        if free > restricted * WORSE {
            wrong.push(line);
        }
    }
    (compared, wrong)
}

fn drawn(seeds: std::ops::Range<u64>) -> impl Iterator<Item = Drawn> {
    seeds.map(|seed| match (seed % 2, &mut Rng::new(seed)) {
        (0, rng) => of_devices(rng),
        (_, rng) => of_stages(rng),
    })
}

#[test]
#[ignore = "takes minutes"]
fn sixty_free_choices_are_as_good_as_restricted_ones() {
    let (compared, wrong) = compare(drawn(0..60));
    println!("{compared} of 60 compared, {} worse", wrong.len());
    assert!(compared > 30 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The schedule of its report, which stages of too many bytes had hidden.
#[test]
#[ignore = "takes minutes"]
fn llama_405b_on_16384_devices_is_as_fast_as_with_the_published_schedule() {
    let mut free = CompileOptions::searching();
    free.plan.target = Target::builtin("h100-sxm").expect("a target");
    let sizes = [("embed", 16384), ("heads", 128), ("kv_heads", 8), ("head", 128), ("hidden", 53248), ("layers", 126)];
    free.front.dims = sizes.into_iter().chain([("batch", 2048)]).map(|(name, n)| (name.to_owned(), n)).collect();
    let mut restricted = free.clone();
    (restricted.front.schedule, restricted.front.virtual_stages) = (named("interleaved"), Some(4));
    let told = "Llama 3 405B on 16384 devices, --schedule interleaved --virtual 4".to_owned();
    let of = Drawn { text: LARGE_LLAMA.into(), devices: Some(16384), free, restricted, told };
    let (compared, wrong) = compare([of].into_iter());
    assert!(compared == 1 && wrong.is_empty(), "{}", wrong.join("\n"));
}
