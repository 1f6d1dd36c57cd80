//! `meshloom bench`: compile time and step time of a known workload, with the parameters and inputs of the oracles, in
//! the form that the JAX peer prints too.

use crate::args::{BenchArgs, Workload};
use crate::commands::{bench_gpu, calibrate};
use crate::{build, model};
use meshloom_driver::{CompileOptions, front};
use meshloom_runtime::{Session, SessionOptions};
use meshloom_source::FrontOptions;
use meshloom_terminal::{Failed, Result, status};
use serde_json::{Map, Value, json};
use std::time::Instant;

const GPT: &str = include_str!("../../../examples/gpt_small.loom");
const GPT_TINY: &str = include_str!("../../../examples/gpt_tiny.loom");
const MLP: &str = include_str!("../../../examples/oracle_mlp.loom");
/// Steps before the clock starts. They touch memory and warm caches.
const WARM_UP: u64 = 2;

struct Load {
    name: &'static str,
    file: &'static str,
    source: &'static str,
    dims: &'static [(&'static str, u64)],
    inputs: Vec<String>,
}

pub fn run(args: &BenchArgs) -> Result<()> {
    if args.gpu {
        return bench_gpu::run();
    }
    let Some(workload) = args.workload else {
        return calibrate::run(args);
    };
    let load = load(workload);
    let mut dims: Vec<(String, u64)> = load.dims.iter().map(|&(n, s)| (n.into(), s)).collect();
    if let Some(n) = args.layers {
        if workload == Workload::Mlp {
            return Err(Failed::usage("--layers: the mlp has none"));
        }
        dims.retain(|d| d.0 != "layers");
        dims.push(("layers".into(), n));
    }
    let mesh = args.mesh.as_ref().map(|m| m.0.clone()).unwrap_or_default();
    let front =
        FrontOptions { mesh: Some(mesh.clone()), layout: Some(args.layout.clone()), dims, ..FrontOptions::default() };
    let options = CompileOptions { front, ..CompileOptions::default() };

    let start = Instant::now();
    let program = front::check(load.file, load.source, &options).map_err(crate::rejected::failed)?;
    let program = model::lower(model::plan(program, &options)?)?;
    let lowered = start.elapsed().as_secs_f64();
    let bundle = build::in_memory(&program, None)?;
    let entry = bundle.manifest.entries.first().map(|e| e.name.clone()).unwrap_or_default();
    let run = SessionOptions { threads: args.threads, seed: 0, ..SessionOptions::default() };
    let mut session = Session::open(&bundle, &entry, &run)?;
    let compile = start.elapsed().as_secs_f64();

    let axes: Map<String, Value> = mesh.iter().map(|(n, s)| (n.clone(), json!(s))).collect();
    let mut out = Map::new();
    out.insert("work".into(), json!(load.name));
    out.insert("mesh".into(), Value::Object(axes));
    out.insert("layout".into(), json!(args.layout));
    out.insert("compile_s".into(), json!(compile));
    out.insert("front_s".into(), json!(lowered));
    let phases: Map<String, Value> =
        program.timings.iter().map(|(p, t)| ((*p).into(), json!(t.as_secs_f64()))).collect();
    out.insert("phases_s".into(), Value::Object(phases));
    let kernels = bundle.contents.libraries.first().map_or(0, |l| l.symbols.len());
    out.insert("kernels".into(), json!(kernels));
    let mut said = vec![format!("{}: compiled in {}", load.name, status::duration(compile))];

    if !args.compile_only {
        session.initialize()?;
        for input in &load.inputs {
            session.input(&input.parse()?)?;
        }
        let (mut times, mut losses) = (Vec::new(), Vec::new());
        for step in 0..WARM_UP + args.steps.max(1) {
            let r = session.step()?;
            losses.extend(r.loss.filter(|_| losses.len() < 5));
            if step >= WARM_UP {
                times.push(r.seconds * 1e3);
            }
        }
        times.sort_by(f64::total_cmp);
        let median = (times[(times.len() - 1) / 2] + times[times.len() / 2]) / 2.0;
        out.insert("threads".into(), json!(session.workers()));
        out.insert("step_ms".into(), json!({ "min": times[0], "median": median }));
        out.insert("losses".into(), json!(losses));
        out.insert("peak_bytes".into(), json!(session.peak_bytes()));
        said.push(format!(
            "step {median:.2} ms median, {:.2} ms min, by {}",
            times[0],
            status::count(session.workers() as u64, "thread")
        ));
    }
    if args.json {
        status::data(&format!("{}\n", Value::Object(out)))
    } else {
        status::data(&format!("{}\n", said.join("; ")))
    }
    Ok(())
}

fn load(workload: Workload) -> Load {
    // 0.02 sqrt(3): uniform values with a standard deviation of 0.02.
    let linear = 0.02 * 3f64.sqrt();
    match workload {
        Workload::Mlp => Load {
            name: "mlp",
            file: "mlp.loom",
            source: MLP,
            dims: &[],
            inputs: vec![
                format!("w1=det:uniform:mlp/w1:{}", (3.0 / 128f64).sqrt()),
                format!("w2=det:uniform:mlp/w2:{}", (3.0 / 512f64).sqrt()),
                "x=det:uniform:mlp/x:1".into(),
                "y=det:uniform:mlp/y:1".into(),
            ],
        },
        Workload::GptTiny => Load {
            name: "gpt_tiny",
            file: "gpt_tiny.loom",
            source: GPT_TINY,
            dims: &[],
            inputs: gpt("gpt_tiny", 32, 256, linear),
        },
        Workload::GptSmall => Load {
            name: "gpt_small",
            file: "gpt_small.loom",
            source: GPT,
            dims: &[],
            inputs: gpt("gpt_small", 128, 1024, linear),
        },
        Workload::GptMedium => Load {
            name: "gpt_medium",
            file: "gpt_small.loom",
            source: GPT,
            dims: &[("layers", 6), ("d", 512), ("head", 64), ("seq", 256), ("vocab", 4096)],
            inputs: gpt("gpt_medium", 256, 4096, linear),
        },
    }
}

/// Values by the formula that the oracles were made with; gains and biases keep their ones and zeros.
fn gpt(work: &str, seq: u64, vocab: u64, scale: f64) -> Vec<String> {
    let mut all: Vec<String> =
        ["wte", "wpe", "head"].iter().map(|p| format!("{p}=det:uniform:{work}/{p}:{scale}")).collect();
    let layers = ["wq", "wk", "wv", "wo", "w1", "w2"];
    all.extend(layers.iter().map(|p| format!("blocks.*.{p}=det:uniform:{work}/h*/{p}:{scale}")));
    for (port, column) in [("tokens", 0), ("targets", 1)] {
        all.push(format!("{port}=det:tokens:{work}/tokens:{vocab}:{}:{column}", seq + 1));
    }
    all
}
