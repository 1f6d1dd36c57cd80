//! Models in pipeline stages, by schedule and by mesh, as threads of one process and as several processes: gpt_small has the
//! losses that JAX computed, and so has a step that JAX lowered; llama and a mixture of experts have those of the same program
//! without stages.
//!
//! Each mesh has a schedule of its own; `MESHLOOM_SCHEDULES=all` takes all on each, with a table of a user's, under `mpirun` too,
//! and verifies each bundle.

use crate::support::{Output, Place, assert_close, finish, meshloom, mpirun, named_losses, oracle_losses, root};
use safetensors::tensor::{Dtype, TensorView};
use std::collections::BTreeMap;

/// A source, made ready for stages.
struct Model {
    file: &'static str,
    text: String,
    /// Of its list.
    layers: u32,
    /// Options of compiling.
    more: Vec<&'static str>,
    inputs: Vec<String>,
    /// What the loss is called.
    loss: &'static str,
    steps: &'static str,
    /// It runs under `mpirun` too.
    mpirun: bool,
}

/// Where a model is trained.
struct On {
    mesh: &'static str,
    /// Of the pipeline.
    ranks: u32,
    /// Those that share the mesh.
    processes: &'static str,
    /// The schedules that it always has.
    usual: &'static [&'static str],
}

const SCHEDULES: [&str; 11] = [
    "gpipe",
    "1f1b",
    "interleaved",
    "breadth-first",
    "zb-h1",
    "zb-h2",
    "zb-v",
    "dualpipe",
    "dualpipe-v",
    "search",
    "table",
];

fn ok(place: &Place, args: &[&str]) -> Output {
    let out = meshloom(place, args);
    assert_eq!(out.code, 0, "{args:?}\n{}", out.stderr);
    out
}

impl Model {
    /// The same changes in each text: the axis of the stages, and microbatches.
    fn new(place: &Place, file: &'static str, layers: u32, changes: &[(&str, &str)]) -> Model {
        let text = changes.iter().fold(place.read(&format!("examples/{file}")), |text, (from, to)| {
            assert!(text.contains(from), "{file} has `{from}`");
            text.replace(from, to)
        });
        let random = ["--random-inputs", "0"].map(String::from).into();
        Model { file, text, layers, more: Vec::new(), inputs: random, loss: "loss", steps: "4", mpirun: false }
    }

    /// Writes the source for so many microbatches and stages. Where there are more stages than layers, the ends have none.
    fn written(&self, place: &Place, microbatches: u32, stages: u32) {
        let sizes: Vec<String> = (0..stages).map(|s| u32::from(s > 0 && s <= self.layers).to_string()).collect();
        let sizes = if stages > self.layers { format!("({})", sizes.join(", ")) } else { String::new() };
        let text = self.text.replace("[Block; layers]", &format!("[Block; layers] @ pipe{sizes}"));
        let text = text.replace("MICROBATCHES", &microbatches.to_string());
        std::fs::write(place.path().join(self.file), text).expect("writes");
    }

    /// What training takes.
    fn options(&self) -> Vec<&str> {
        let options = ["--steps", self.steps, "--json", "--threads", "1"];
        options.into_iter().chain(self.inputs.iter().map(String::as_str)).collect()
    }

    fn trained(&self, place: &Place, command: &[&str]) -> Vec<f64> {
        named_losses(&ok(place, &[command, &self.options()].concat()).stdout, self.loss)
    }

    /// As processes of `mpirun` that share memory, and in a build with MPI as such that send messages; empty where it is not
    /// installed.
    fn under_mpirun(&self, place: &Place, processes: &str) -> Vec<Vec<f64>> {
        let means: &[&str] = if cfg!(feature = "mpi") { &["memory", "mpi"] } else { &["memory"] };
        let one = |means: &&str| {
            let run = ["run", "m.loomx", "--collectives", means];
            let out = finish(mpirun(place, processes, &[&run[..], &self.options()].concat())?);
            assert_eq!(out.code, 0, "by {means}: {}", out.stderr);
            Some(named_losses(&out.stdout, self.loss))
        };
        means.iter().filter_map(one).collect()
    }

    fn trains(&self, place: &Place, on: On, want: &[f64]) {
        let On { mesh, ranks, processes, usual } = on;
        let all = std::env::var("MESHLOOM_SCHEDULES").is_ok_and(|s| s == "all");
        for name in SCHEDULES.iter().filter(|s| all || usual.contains(s)) {
            let two = name.starts_with("dualpipe");
            let microbatches = if two { 2 * ranks } else { 4 };
            let each = if ["interleaved", "breadth-first", "zb-v", "dualpipe-v"].contains(name) { 2 } else { 1 };
            self.written(place, microbatches, ranks * each);
            let row = |r: u32| {
                let of = |kind: char| (0..microbatches).map(move |m| format!("{r}{kind}{m}"));
                of('F').chain(of('B')).collect::<Vec<_>>().join(",")
            };
            let table: Vec<String> = (0..ranks).map(row).collect();
            std::fs::write(place.path().join("table.csv"), table.join("\n")).expect("writes");
            let schedule = if *name == "table" { "table.csv" } else { name };
            let built = [&["--mesh", mesh, "--schedule", schedule][..], &self.more].concat();
            ok(place, &[&["compile", self.file, "-o", "m.loomx", "--cpu", "native"], &built[..]].concat());
            let mut found = vec![self.trained(place, &["run", "m.loomx"])];
            found.push(self.trained(place, &["launch", "--nproc-per-node", processes, "m.loomx"]));
            if all || self.mpirun {
                found.extend(self.under_mpirun(place, processes));
            }
            found.iter().for_each(|found| assert_close(found, want, 1e-5));
            let off = found.iter().flat_map(|f| f.iter().zip(want)).map(|(x, y)| ((x - y) / y).abs());
            let (off, runs) = (off.fold(0.0, f64::max), found.len());
            println!("{} on {mesh} by {name}, {microbatches} microbatches, {runs} runs: {off:.1e} off", self.file);
            if all {
                let out = ok(place, &[&["verify", self.file, "m.loomx", "--kernels", "skip"], &built[2..]].concat());
                assert!(out.stderr.contains("Proved"), "{}", out.stderr);
            }
        }
    }
}

/// Options that give gpt_small the parameters and the data of the oracle.
fn gpt_small_inputs() -> Vec<String> {
    let scale = 0.02 * 3f64.sqrt();
    let all = ["wte", "wpe", "head"].map(|n| format!("{n}=det:uniform:gpt_small/{n}:{scale}"));
    let layers =
        ["wq", "wk", "wv", "wo", "w1", "w2"].map(|n| format!("blocks.*.{n}=det:uniform:gpt_small/h*/{n}:{scale}"));
    let data = [("tokens", 0), ("targets", 1)].map(|(n, at)| format!("{n}=det:tokens:gpt_small/tokens:1024:129:{at}"));
    [&all[..], &layers, &data].concat().into_iter().flat_map(|i| ["--input".into(), i]).collect()
}

fn gpt_small(on: On, layout: &'static str, mpirun: bool) {
    let place = Place::new();
    let changes =
        [("seq: 1]", "seq: 1, pipe: 1]"), ("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: MICROBATCHES)")];
    let mut model = Model::new(&place, "gpt_small.loom", 4, &changes);
    (model.more, model.steps, model.mpirun) = (vec!["--layout", layout], "5", mpirun);
    model.inputs = gpt_small_inputs();
    model.trains(&place, on, &oracle_losses("gpt_small"));
}

#[test]
fn gpt_small_in_two_stages() {
    gpt_small(On { mesh: "pipe=2", ranks: 2, processes: "2", usual: &["dualpipe"] }, "dp", false);
}

#[test]
fn gpt_small_on_four_ranks() {
    gpt_small(On { mesh: "pipe=4", ranks: 4, processes: "4", usual: &["zb-v"] }, "dp", false);
}

#[test]
fn gpt_small_in_stages_of_split_tensors() {
    let on = On { mesh: "data=2,pipe=2,model=2", ranks: 2, processes: "4", usual: &["1f1b"] };
    gpt_small(on, "megatron", true);
}

/// The layers of the first stage are whole on each device, those of the second one are split, with their state.
#[test]
fn gpt_small_in_stages_of_other_layouts() {
    let place = Place::new();
    let rules = "
layout mixed {
    params *: _
    params blocks[2..4]: largest(data)
    state blocks[2..4]: largest(data)
}
";
    let text = place.read("examples/gpt_small.loom") + rules;
    let text = text.replace("seq: 1]", "seq: 1, pipe: 1]").replace("[Block; layers]", "[Block; layers] @ pipe(2, 2)");
    let text = text.replace("weight_decay: 0.01)", "weight_decay: 0.01, accumulate: 4)");
    std::fs::write(place.path().join("gpt_small.loom"), text).expect("writes");
    let built = ["gpt_small.loom", "--mesh", "data=2,pipe=2", "--layout", "mixed"];
    ok(&place, &[&["compile", "-o", "m.loomx", "--cpu", "native"], &built[..]].concat());
    let mut model = Model::new(&place, "gpt_small.loom", 4, &[]);
    (model.inputs, model.steps) = (gpt_small_inputs(), "5");
    let want = oracle_losses("gpt_small");
    let processes = ["2", "4"].map(|n| model.trained(&place, &["launch", "--nproc-per-node", n, "m.loomx"]));
    for found in processes.into_iter().chain([model.trained(&place, &["run", "m.loomx"])]) {
        assert_close(&found, &want, 1e-5);
    }
    let out = ok(&place, &[&["verify", built[0], "m.loomx", "--kernels", "skip"], &built[3..]].concat());
    assert!(out.stderr.contains("Proved"), "{}", out.stderr);
    // A checkpoint is that of any other mesh.
    ok(&place, &[&["run", "m.loomx", "--save", "c"], &model.options()[..]].concat());
    let on = ["run", "gpt_small.loom", "--mesh", "data=2", "--layout", "dp", "--resume", "c", "--steps", "6", "--json"];
    let data: Vec<&str> = model.inputs.iter().map(String::as_str).filter(|i| i.contains("tokens")).collect();
    let data: Vec<&str> = data.into_iter().flat_map(|i| ["--input", i]).collect();
    assert_eq!(named_losses(&ok(&place, &[&on[..], &data].concat()).stdout, "loss").len(), 1);
}

#[test]
fn llama_in_stages() {
    let place = Place::new();
    let changes = [
        ("mesh [data: 2, model: 2]", "mesh [data: 1, model: 1, pipe: 1]"),
        ("clip: 1.0,", "clip: 1.0, accumulate: MICROBATCHES,"),
    ];
    let model = Model::new(&place, "llama.loom", 4, &changes);
    model.written(&place, 4, 1);
    let want = model.trained(&place, &["run", model.file, "--mesh", "data=1"]);
    let on = On { mesh: "data=2,pipe=2,model=2", ranks: 2, processes: "4", usual: &["interleaved"] };
    model.trains(&place, on, &want);
}

/// Experts and stages together.
#[test]
fn a_mixture_of_experts_in_stages() {
    let place = Place::new();
    let changes =
        [("mesh [expert: 8]", "mesh [expert: 1, pipe: 1]"), ("clip: 1.0", "clip: 1.0, accumulate: MICROBATCHES")];
    let model = Model::new(&place, "moe.loom", 2, &changes);
    model.written(&place, 4, 1);
    let want = model.trained(&place, &["run", model.file, "--mesh", "expert=1"]);
    model.trains(&place, On { mesh: "expert=2,pipe=2", ranks: 2, processes: "4", usual: &["zb-h1"] }, &want);
}

/// What `tests/data/stablehlo/models/make.py` gives its steps: parameters by their place among the leaves, tokens, and zeros.
fn given(place: &Place) -> Vec<String> {
    let numbers = |shape: &[usize], seed: usize, scale: f64| -> Vec<f32> {
        let at = |i: usize| ((i * 2_654_435_761 + seed * 40_503) % (1 << 32)) as f64 / (1u64 << 32) as f64 - 0.5;
        (0..shape.iter().product()).map(|i| (at(i) * scale) as f32).collect()
    };
    let leaves: [(&str, &[usize]); 9] = [
        ("embed", &[32, 16]),
        ("h.ln1", &[4, 16]),
        ("h.ln2", &[4, 16]),
        ("h.w1", &[4, 16, 64]),
        ("h.w2", &[4, 64, 16]),
        ("h.wk", &[4, 16, 16]),
        ("h.wo", &[4, 16, 16]),
        ("h.wq", &[4, 16, 16]),
        ("h.wv", &[4, 16, 16]),
    ];
    let mut all: BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)> = BTreeMap::new();
    let mut put = |name: String, shape: &[usize], values: &[f32]| {
        all.insert(name, (Dtype::F32, shape.to_vec(), values.iter().flat_map(|x| x.to_le_bytes()).collect()));
    };
    for (seed, (name, shape)) in leaves.into_iter().enumerate() {
        let values = match name.contains("ln") {
            true => numbers(shape, seed, 0.2).into_iter().map(|x| 1.0 + x).collect(),
            false => numbers(shape, seed, 0.6),
        };
        put(format!("params.{name}"), shape, &values);
        ["m", "v"].iter().for_each(|s| put(format!("{s}.{name}"), shape, &vec![0.0; values.len()]));
    }
    put("t".into(), &[], &[0.0]);
    for (name, seed) in [("arg28", 3), ("arg29", 5)] {
        let tokens = (0..32i32).flat_map(|k| ((k * 7 + k * k * seed) % 32).to_le_bytes()).collect();
        all.insert(name.into(), (Dtype::I32, vec![4, 8], tokens));
    }
    let views = all.iter().map(|(n, (d, s, b))| (n, TensorView::new(*d, s.clone(), b).expect("a tensor")));
    safetensors::serialize_to_file(views, None, &place.path().join("in.safetensors")).expect("writes");
    ["--inputs", "in.safetensors"].map(String::from).into()
}

/// A step as JAX lowers it, with a scan over microbatches and in it one over layers, and the losses that JAX computed.
fn accumulated(place: &Place, more: Vec<&'static str>) -> (Model, Vec<f64>) {
    let models = root().join("tests/data/stablehlo/models");
    let read = |name: &str| std::fs::read_to_string(models.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let json: serde_json::Value = serde_json::from_str(&read("losses.json")).expect("JSON");
    let want = json["accumulated"].as_array().expect("a curve").iter().filter_map(|x| x.as_f64()).collect();
    let model = Model {
        file: "accumulated.mlir",
        text: read("accumulated.mlir"),
        layers: 4,
        more,
        inputs: given(place),
        loss: "result.1",
        steps: "5",
        mpirun: false,
    };
    (model, want)
}

/// `--pipe` finds the stages of a step that JAX lowered.
#[test]
fn a_scan_of_jax_in_stages() {
    let place = Place::new();
    let (model, want) = accumulated(&place, vec!["--pipe", "pipe"]);
    model.trains(&place, On { mesh: "data=2,pipe=2", ranks: 2, processes: "4", usual: &["1f1b"] }, &want);
}

/// `--stages` says how many layers each of them has.
#[test]
fn a_scan_of_jax_in_stages_of_given_sizes() {
    let place = Place::new();
    let (model, want) = accumulated(&place, Vec::new());
    model.written(&place, 4, 2);
    let built = [model.file, "--mesh", "pipe=2", "--pipe", "pipe", "--stages", "1,3"];
    let told = ok(&place, &[&["plan"], &built[..]].concat()).stdout;
    let layers = |rank: &str| told.lines().any(|l| l.trim_start().starts_with(rank));
    assert!(layers("pipe 0   0        0..1") && layers("pipe 1   1        1..4"), "{told}");
    ok(&place, &[&["compile", "-o", "m.loomx", "--cpu", "native"], &built[..]].concat());
    let found = [&["run", "m.loomx"][..], &["launch", "--nproc-per-node", "2", "m.loomx"]];
    found.iter().for_each(|command| assert_close(&model.trained(&place, command), &want, 1e-5));
    let out = ok(&place, &[&["verify", model.file, "m.loomx", "--kernels", "skip"], &built[3..]].concat());
    assert!(out.stderr.contains("Proved"), "{}", out.stderr);
}
