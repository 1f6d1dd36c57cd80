//! Loops of more iterations than are run one by one: they are proved as a whole, and damaged ones are not.

use crate::support::{Case, source};

const DEEP: &str = "dim batch = 4, n = 4
struct Layer { w: f32[n, n] = normal(0.1), b: f32[n] = zeros }
struct Net { layers: [Layer; 6000] }
fn loss(m: Net, x: f32[batch, n]) -> f32 {
    for p in m.layers { x = x + tanh(dot(x, p.w) + p.b) }
    mean(x * x)
}
train net = sgd(loss, lr: 0.1)
";

const SCAN: &str = "dim n = 2, embed = 4, rounds = 5001
fn cell(state: f32[n, embed], x: f32[n, embed], w: f32[embed, embed]) -> (f32[n, embed], f32[n]) {
    let next = tanh(dot(state, w) + x)
    (next, mean(next, -1))
}
fn energy(w: f32[embed, embed], start: f32[n, embed], xs: f32[rounds, n, embed]) -> f32 {
    let (last, means) = scan(cell, start, xs, w)
    mean(last) + mean(means)
}
entry f(w: f32[embed, embed], start: f32[n, embed], xs: f32[rounds, n, embed]) -> (f32[n, embed], f32[rounds, n], f32[embed, embed]) {
    let (last, means) = scan(cell, start, xs, w)
    (last, means, grad(energy)(w, start, xs))
}
";

pub fn cases() -> Vec<Case> {
    [("deep.loom", DEEP), ("scan.loom", SCAN)]
        .into_iter()
        .flat_map(|(name, text)| source(name, text, &[], None))
        .collect()
}

#[test]
fn long_loops_are_proved_as_a_whole() {
    let mut open = 0;
    for case in cases() {
        let start = std::time::Instant::now();
        let audit = case.accepted();
        println!("{}: {} steps, {:?}", case.name, audit.steps, start.elapsed());
        if !audit.is_proved() {
            println!("{}", case.text());
        }
        audit.unfollowed.iter().for_each(|u| println!("open: {u}"));
        open += audit.unfollowed.len();
    }
    assert_eq!(open, 0);
}
