//! Large models on large meshes: how long planning takes, and that depth and ranks cost nothing.

use crate::support::*;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};

fn timed(mesh: &[(&str, u64)], dims: &[(&str, u64)], layers: u64) -> (Plan, f64) {
    let text = GPT_SMALL.replace("const layers = 4", &format!("const layers = {layers}"));
    let text = text.replace("seq: 1]", "seq: 1, fourth: 1]");
    let mut func = program_with(&text, mesh, None, dims);
    meshloom_autodiff::widen(&mut func);
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() };
    let start = std::time::Instant::now();
    let p = meshloom_plan::plan(&func, &options).unwrap_or_else(|e| panic!("{e:?}"));
    let seconds = start.elapsed().as_secs_f64();
    let start = std::time::Instant::now();
    meshloom_certify::check(&func, &p.local, &p.certificate).expect("the certificate holds");
    println!("{mesh:?} {layers} layers: {seconds:.2} s, check {:?}", start.elapsed());
    println!("{}{:?} {:?}", show(&func, &p), p.totals, p.stats);
    for t in p.tensors.iter().filter(|t| t.role.is_some() && !t.is_output) {
        println!("  {} {:?} {}", t.name, t.shape, t.layout.show(&func.mesh));
    }
    (p, seconds)
}

const GPT3: &[(&str, u64)] =
    &[("batch", 1536), ("seq", 2048), ("d", 12288), ("heads", 96), ("head", 128), ("vocab", 51200)];

#[test]
fn three_axes() {
    timed(&[("data", 2), ("seq", 2), ("model", 2)], &[], 24);
}

#[test]
#[ignore = "takes half a minute: a mesh of four axes"]
fn four_axes() {
    timed(&[("data", 2), ("seq", 2), ("model", 2), ("fourth", 2)], &[], 24);
}

#[test]
#[ignore = "takes half a minute: a mesh of four axes"]
fn gpt3_on_four_axes() {
    timed(&[("data", 32), ("seq", 2), ("model", 8), ("fourth", 2)], GPT3, 96);
}

#[test]
fn gpt3() {
    let mesh = [("data", 128), ("model", 8)];
    let (_, few) = timed(&mesh, GPT3, 12);
    let (_, many) = timed(&mesh, GPT3, 96);
    println!("ratio {:.2}", many / few);
}
