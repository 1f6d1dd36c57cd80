//! State of the model, which each microbatch changes: a stage that has its layer carries it from one to the next, and a backward
//! action reads what the forward action of its microbatch read.

use crate::scheduled::named;
use crate::stages::planned;
use crate::tables::{checked, even};
use meshloom_driver::{CompileOptions, check};
use meshloom_ir::Role;
use meshloom_stage::{Boundaries, NotCut, cut};

/// State of layers, of what comes before them and of what comes behind. Gradients read all of it.
pub fn model(accumulate: &str) -> String {
    format!(
        "mesh [data: 1, model: 1]
dim batch = 16, d = 4, ff = 8
const layers = 4
struct Block {{ w1: f32[d, ff] = normal(0.3), state mean: f32[ff] = zeros, w2: f32[ff, d] = normal(0.3) }}
struct Net {{
    embed: f32[d, d] = normal(0.5),
    state seen: f32[d] = zeros,
    state steps: f32[] = zeros,
    blocks: [Block; layers],
    state last: f32[d] = ones,
}}
fn loss(m: Net, x: f32[batch, d] @ [data, _], y: f32[batch, d] @ [data, _]) -> f32 {{
    let h = dot(x, m.embed)
    m.seen = 0.9 * m.seen + 0.1 * mean(h, 0)
    m.steps = m.steps + 1
    h = h * (1 + m.seen) / (1 + 0.1 * m.steps)
    for p in m.blocks {{
        let a = dot(h, p.w1)
        p.mean = 0.9 * p.mean + 0.1 * mean(a, 0)
        h = h + dot(gelu(a * (1 + p.mean)), p.w2)
    }}
    m.last = 0.9 * m.last + 0.1 * mean(h, 0)
    mse(h * m.last, y)
}}
train net = adamw(loss, lr: 1e-2{accumulate})
layout dp {{ params *: _ }}
layout megatron {{
    params blocks.*.w1: [_, model]
    params blocks.*.mean: [model]
    params blocks.*.w2: [model, _]
    state *: like params
}}
"
    )
}

/// Under every kind of schedule whose microbatches go one way: forward actions far ahead of backward ones, several stages on a rank,
/// gradients of weights apart.
#[test]
fn state_is_carried_from_microbatch_to_microbatch() {
    for (mesh, layout, names) in [
        ([("data", 1), ("model", 1)], "dp", &["gpipe", "1f1b", "interleaved", "zb-h1", "zb-v", "dualpipe-v"][..]),
        ([("data", 2), ("model", 2)], "megatron", &["1f1b", "interleaved", "zb-h2"]),
    ] {
        let step = planned(&model(", accumulate: 8"), &mesh, layout);
        for name in names {
            let schedule = named(name, 2, 8);
            let sizes = even(4, &schedule);
            let all = checked(&format!("{layout}, {name}"), &step, &sizes, &schedule);
            // Each stage has the state of its own layers.
            for rank in &all {
                let of = |name: &str| {
                    let own = rank.program.func.inputs.iter().filter(|p| p.name == name && p.role == Role::Parameter);
                    own.map(|p| p.first_layer).collect::<Vec<_>>()
                };
                assert_eq!(of("blocks.*.mean"), of("blocks.*.w1"), "{name}");
            }
        }
    }
}

/// Also where the first and the last rank have no layers, and with one microbatch.
#[test]
fn state_of_the_ends_is_carried() {
    let one = [("data", 1), ("model", 1)];
    let step = planned(&model(", accumulate: 4"), &one, "dp");
    checked("ends", &step, &[0, 2, 2, 0], &named("1f1b", 4, 4));
    checked("four ranks", &step, &[1, 1, 1, 1], &named("zb-h1", 4, 4));
    let step = planned(&model(""), &one, "dp");
    checked("one microbatch", &step, &[2, 2], &named("1f1b", 2, 1));
}

/// What the last stage changes is not there when the first one begins with the next microbatch.
#[test]
fn state_that_is_read_too_early_is_refused() {
    let text = model(", accumulate: 4").replace("(1 + m.seen)", "(1 + m.last)");
    // As a step without stages: the front end refuses one with them.
    let program = check("net.loom", &text, &CompileOptions::default()).unwrap_or_else(|(e, _)| panic!("{e}"));
    let global = &program.entries[0].global;
    let boundaries = Boundaries { list: "blocks".into(), sizes: vec![2, 2], weights: false, ways: 1 };
    let last = global.inputs.iter().position(|p| p.name == "last").expect("the state");
    assert_eq!(cut(global, &boundaries).unwrap_err(), NotCut::State { input: last });
}
