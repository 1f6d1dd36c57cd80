//! Large models on large meshes: how long planning takes, and that depth and ranks cost nothing.

use crate::support::*;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};

/// A model whose convolutions are sums of products of slices.
const UNET: &str = include_str!("../../../../tests/data/unet.loom");

fn timed(mesh: &[(&str, u64)], dims: &[(&str, u64)], layers: u64) -> (Plan, f64) {
    let text = GPT_SMALL.replace("const layers = 4", &format!("const layers = {layers}"));
    timed_text(&text.replace("seq: 1]", "seq: 1, fourth: 1]"), mesh, dims)
}

fn timed_text(text: &str, mesh: &[(&str, u64)], dims: &[(&str, u64)]) -> (Plan, f64) {
    let mut func = program_with(text, mesh, None, dims);
    meshloom_autodiff::widen(&mut func);
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() };
    let start = std::time::Instant::now();
    let p = meshloom_plan::plan(&func, &options).unwrap_or_else(|e| panic!("{e:?}"));
    let seconds = start.elapsed().as_secs_f64();
    let start = std::time::Instant::now();
    meshloom_certify::check(&func, &p.local, &p.certificate).expect("the certificate holds");
    println!("{mesh:?} {dims:?}: {seconds:.2} s, check {:?}", start.elapsed());
    println!("{}{:?} {:?}", show(&func, &p), p.totals, p.stats);
    for t in p.tensors.iter().filter(|t| t.role.is_some() && !t.is_output) {
        println!("  {} {:?} {}", t.name, t.shape, t.layout.show(&func.mesh));
    }
    (p, seconds)
}

/// The text of `gpt_small` from `from` up to `to`.
fn between(from: &str, to: &str) -> &'static str {
    let start = GPT_SMALL.find(from).expect("is there");
    &GPT_SMALL[start..start + GPT_SMALL[start..].find(to).expect("is there")]
}

/// `gpt_small` without its layout blocks, with these fields of layers and these lines that go through them.
fn with_layers(items: &str, fields: &str, through: &str) -> String {
    let (field, walk) =
        ("    blocks: [Block; layers],\n", between("    for p in m.blocks", "    let x = normalize(x) * m.lnf_g"));
    let text = GPT_SMALL.replace(walk, through).replace(field, fields);
    let text = text.replace("struct Gpt", &format!("{items}struct Gpt"));
    text[..text.find("layout dp").expect("is there")].to_string()
}

/// So many kinds of layers, three of each: each has a struct and a function of its own.
fn kinds(n: usize) -> String {
    let (layer, block) = (between("struct Block", "struct Gpt"), between("fn block", "fn loss"));
    let (mut items, mut fields, mut through) = (String::new(), String::new(), String::new());
    for i in 0..n {
        items += &layer.replace("Block", &format!("Block{i}"));
        items += &block.replace("fn block(p: Block", &format!("fn block{i}(p: Block{i}"));
        fields += &format!("    blocks{i}: [Block{i}; 3],\n");
        through += &format!("    for p in m.blocks{i} {{\n        x = block{i}(p, x)\n    }}\n");
    }
    with_layers(&items, &fields, &through)
}

/// So many layers without a loop.
fn written_out(n: usize) -> String {
    let fields: String = (0..n).map(|i| format!("    b{i}: Block,\n")).collect();
    let through: String = (0..n).map(|i| format!("    let x = block(m.b{i}, x)\n")).collect();
    with_layers("", &fields, &through)
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

#[test]
#[ignore = "takes ten seconds: a large program"]
fn eight_kinds_of_layers() {
    timed_text(&kinds(8), &[("data", 2), ("model", 4)], &[]);
}

#[test]
#[ignore = "takes ten seconds: a large program"]
fn layers_that_are_written_out() {
    timed_text(&written_out(16), &[("data", 2), ("model", 4)], &[]);
}

#[test]
#[ignore = "takes ten seconds: a large program"]
fn convolutions_of_slices() {
    timed_text(UNET, &[("data", 2), ("model", 4)], &[]);
}
