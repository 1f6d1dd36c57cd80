//! What schedules are made of is followed: nothing of them is refused, and nothing is left open.

use crate::support::{Case, differentiated, example, plain, scheduled, source_in, source_on_gpu};
use meshloom_ir::{DType, Func};
use meshloom_kernels::KernelSpec;
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{self as random, RandomOptions, Rng};

fn proved(cases: Vec<Case>) {
    for case in cases {
        let start = std::time::Instant::now();
        let audit = case.accepted();
        println!("{}: {} steps, {:?}", case.name, audit.steps, start.elapsed());
        assert!(audit.is_proved(), "{}: {}\n{}", case.name, audit.unfollowed[0], case.text());
    }
}

#[test]
fn examples_on_one_device() {
    for name in ["mlp.loom", "oracle_mlp.loom", "gpt_tiny.loom"] {
        proved(example(name, &[("data", 1), ("model", 1)], None));
    }
}

#[test]
fn examples_on_meshes() {
    let both: &[(&str, u64)] = &[("data", 2), ("model", 4)];
    proved(example("mlp.loom", both, None));
    proved(example("oracle_mlp.loom", both, Some("megatron")));
    proved(example("gpt_tiny.loom", both, Some("megatron")));
    for &layout in if all() { &["fsdp", "zero1"][..] } else { &["fsdp"] } {
        proved(example("gpt_tiny.loom", &[("data", 8)], Some(layout)));
    }
}

/// Kernels know a constant index and read the row itself, whatever integers the index was made of.
#[test]
fn rows_by_a_constant_of_any_type() {
    for dtype in ["i32", "i64", "u32", "i8", "u8"] {
        let converted = if dtype == "i32" { "reshape %1" } else { "convert %1" };
        let text = format!(
            "func @main on [] {{
  input %0 x: f64[8, 6] @ [_, _] input
  %1 = constant {{1}} : {dtype} @ []
  %2 = {converted} : i32 @ []
  %3 = broadcast_in_dim %2 {{dims []}} : i32[1] @ [_]
  %4 = gather %0, %3 : f64[1, 6] @ [_, _]
  output %4 y: output
}}
"
        );
        let f = meshloom_ir::parse::parse(&text).expect("parses");
        proved(vec![scheduled(format!("an index from {dtype}"), f.clone(), &f).expect("runs on CPUs")]);
    }
}

/// A row kernel of a GPU that adds up columns of what it reads and of what it computes, and stores rows, too.
pub fn rows_with_sums() -> Vec<Case> {
    let text = "dim n = 2112, m = 128
entry f(x: f32[n, m], dy: f32[n, m], scale: f32[m]) -> (f32[n, m], f32[m], f32[m]) {
    let apart = x - mean(x, -1, keep: true)
    let normal = apart * rsqrt(mean(apart * apart, -1, keep: true) + 0.001)
    let along = dy * scale
    (along - normal * mean(along * normal, -1, keep: true), sum(dy * normal, 0), sum(dy, 0))
}
";
    let cases = source_on_gpu("norm.loom", text);
    let summed = |c: &Case| c.scheduled.kernels.iter().any(|k| matches!(k, KernelSpec::Summed(_)));
    assert!(cases.iter().all(summed), "no rows with sums of columns\n{}", cases[0].text());
    cases
}

/// The gradients of a weight and of the bias beside it: a contraction of a GPU that adds up an operand in parts, and the kernel that adds these.
pub fn operands_with_sums() -> Vec<Case> {
    let text = "dim b = 2, s = 1024, m = 1024, n = 2048
entry f(x: bf16[b, s, m], dy: bf16[b, s, n]) -> (bf16[m, n], f32[n]) {
    (einsum(\"bsm,bsn->mn\", x, dy), sum(dy as f32, [0, 1]))
}
";
    let cases = source_on_gpu("gradients.loom", text);
    let summed = |c: &Case| c.scheduled.kernels.iter().any(|k| matches!(k, KernelSpec::DotAndSum(_)));
    assert!(cases.iter().all(summed), "no contraction with sums of an operand\n{}", cases[0].text());
    cases
}

#[test]
fn contractions_that_add_up_operands() {
    proved(operands_with_sums());
}

#[test]
fn rows_that_add_up_columns() {
    proved(rows_with_sums());
}

/// Rows and a product that need a sum of columns of what they read before they begin: it is not theirs to take along.
#[test]
fn sums_that_are_waited_for() {
    let rows = "dim n = 2112, m = 128
entry f(x: f32[n, m]) -> f32[n, m] {
    x - sum(x, 0) / 2112.0
}
";
    let product = "dim k = 2048, m = 1024, n = 2048
entry f(x: bf16[k, m], dy: bf16[k, n]) -> f32[m, n] {
    einsum(\"km,kn->mn\", x, dy) as f32 + sum(dy as f32, 0)
}
";
    for (name, text) in [("centred.loom", rows), ("shifted.loom", product)] {
        let cases = source_on_gpu(name, text);
        let takes = |k: &KernelSpec| matches!(k, KernelSpec::Summed(_) | KernelSpec::DotAndSum(_));
        assert!(!cases.iter().any(|c| c.scheduled.kernels.iter().any(takes)), "{}", cases[0].text());
        proved(cases);
    }
}

/// Whether tests take all programs of their lists, and not a part of them.
fn all() -> bool {
    std::env::var("MESHLOOM_AUDITS").is_ok_and(|s| s == "all")
}

/// Seeds of a survey, or those that `MESHLOOM_SEEDS=FIRST..LAST` names.
pub fn seeds(usual: std::ops::Range<u64>) -> std::ops::Range<u64> {
    asked().unwrap_or(usual)
}

fn asked() -> Option<std::ops::Range<u64>> {
    let asked = std::env::var("MESHLOOM_SEEDS").ok()?;
    let (a, b) = asked.split_once("..")?;
    Some(a.parse().expect("a seed")..b.parse().expect("a seed"))
}

fn random(usual: std::ops::Range<u64>, with: impl Fn(&mut RandomOptions)) {
    random_of(usual, with, Some);
}

/// The program of a seed, if it is one that CPUs can run.
fn of_seed(seed: u64, with: impl Fn(&mut RandomOptions), change: impl Fn(Func) -> Option<Func>) -> Option<Case> {
    let mut rng = Rng::new(seed);
    let mesh = random::mesh(&mut rng, 8);
    let dtype = if seed.is_multiple_of(4) { DType::F32 } else { DType::F64 };
    let mut options = RandomOptions { dtype, ..RandomOptions::new(mesh) };
    with(&mut options);
    let f = plain(change(random::program(seed, &options))?);
    let mode = if seed.is_multiple_of(3) { Mode::Search } else { Mode::Follow };
    let options = PlanOptions { mode, ..PlanOptions::default() };
    let plan = meshloom_plan::plan(&f, &options).unwrap_or_else(|e| panic!("{e:?}"));
    scheduled(format!("seed {seed}"), plan.local, &f)
}

/// Programs of seeds, one of every five if none are asked for.
fn random_of(usual: std::ops::Range<u64>, with: impl Fn(&mut RandomOptions), change: impl Fn(Func) -> Option<Func>) {
    let step = if all() || asked().is_some() { 1 } else { 5 };
    let (mut followed, mut open, mut refused) = (0, Vec::new(), Vec::new());
    for seed in seeds(usual).step_by(step) {
        let Some(case) = of_seed(seed, &with, &change) else { continue };
        match case.audit() {
            Ok(a) if a.is_proved() => followed += 1,
            Ok(a) => open.push(format!("seed {seed}: {}", a.unfollowed[0])),
            Err(e) => refused
                .push(format!("seed {seed}: {e}\n{}", if refused.is_empty() { case.text() } else { String::new() })),
        }
    }
    println!("{followed} proved\n{} open:\n{}", open.len(), open.join("\n"));
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn random_programs() {
    random(0..100, |_| {});
}

#[test]
fn random_programs_with_arrays_of_constants() {
    random(3000..3060, |o| (o.arrays, o.constraints) = (true, false));
}

#[test]
fn random_programs_of_uneven_dims() {
    random(1000..1060, |o| o.uneven = true);
}

#[test]
fn random_programs_with_wide_integers() {
    let wide = |o: &mut RandomOptions| (o.wide, o.uneven) = (true, o.mesh.devices() > 4);
    random(2000..2040, wide);
    // A constant of eight bits that is widened and narrowed again, and is an output.
    random(20006..20007, wide);
}

#[test]
fn random_programs_with_attention() {
    random(2000..2060, |o| (o.attention, o.uneven) = (true, o.mesh.devices() > 4));
}

#[test]
fn random_programs_in_16_bits() {
    random(4000..4040, |o| {
        *o = RandomOptions {
            dtype: DType::BF16,
            decisions: true,
            ints: false,
            repeats: false,
            composites: false,
            ..o.clone()
        };
    });
}

fn with_attention(o: &mut RandomOptions) {
    (o.attention, o.dtype) = (true, DType::F64);
}

#[test]
fn gradients_of_random_programs() {
    random_of(3000..3040, with_attention, differentiated);
}

/// Attention that reads the second half of each row of a buffer, and writes the first one.
pub fn attention_within_rows() -> Case {
    of_seed(21170, with_attention, differentiated).expect("a program for CPUs")
}

#[test]
fn attention_that_reads_and_writes_parts_of_the_same_rows() {
    proved(vec![attention_within_rows()]);
}

/// A loss of a gradient that reads a padded sum: a value that lies in memory part by part.
#[test]
fn a_sum_over_parts_of_a_value() {
    let case = of_seed(30387, with_attention, differentiated).expect("a program for CPUs");
    proved(vec![case]);
}

/// Convolutions with their gradients, one of which has zeros between what it reads: sums over values that are padded, and over
/// a concatenation, in 32 and in 16 bits.
#[test]
fn convolutions() {
    let text = "mesh [data: 1, model: 1]
dim batch = 2, side = 4, c = 4, d = 4
struct M { w: f32[4, 4, c, d] = normal(0.05), b: f32[d] = zeros, k: f32[3, 3, d, d] = normal(0.05), v: f32[3, 3, 2 * d, d] = normal(0.05) }
fn loss(m: M, x: f32[batch, side, side, c] @ [data, _, _, _], y: f32[batch, 2 * side, 2 * side, d] @ [data, _, _, _]) -> f32 {
    let up = conv_transpose2d(x, m.w, stride: 2, padding: 1) + m.b
    let kept = conv2d(up, m.k, padding: 1) + m.b
    let z = concat([up, kept], -1)
    let z = z - mean(z, [1, 2], keep: true)
    mse(conv2d(silu(z), m.v, padding: 1), y)
}
train t = sgd(loss, lr: 0.1)
";
    for precision in [None, Some(DType::BF16)] {
        for data in [1, 2] {
            let cases = source_in(precision, "conv.loom", text, &[("data", data)], None);
            // Cut for each side of each padding, one launch would take tens of thousands.
            for c in &cases {
                let work = c.accepted().work;
                assert!(work < 2000, "{}: {work} comparisons", c.name);
            }
            proved(cases);
        }
    }
}
