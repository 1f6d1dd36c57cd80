//! Loops that end early are proved, whenever they end.

use crate::support::{Case, source};

/// With a limit, with a limit of one iteration, without one, in a loop, and with carries that change places.
const TEXT: &str = "mesh [d: 2]
entry bounded(x: f32[8] @ [d]) -> f32[8] @ [d] {
    while max(abs(x)) > 0.1, at_most: 20 { x = x / 2 }
    x
}
entry once(x: f32[8] @ [d]) -> f32[8] @ [d] {
    while max(abs(x)) > 0.1, at_most: 1 { x = x / 2 }
    x
}
entry open(x: f32[8] @ [d], y: f32[8] @ [d]) -> (f32[8], f32[8], f32) {
    let n = 0.0 as f32
    while sum(x * y) > 0.1 {
        let z = x
        x = y * 0.5
        y = z
        n = n + 1.0
    }
    (x, y, n)
}
entry inside(x: f32[8] @ [d], w: f32[3, 8] @ [_, d]) -> f32[8] @ [d] {
    for r in w {
        let y = x + r
        while max(abs(y)) > 0.1 { y = y / 2 }
        x = y + r
    }
    tanh(x)
}
";

pub fn cases() -> Vec<Case> {
    source("early.loom", TEXT, &[], None)
}

#[test]
fn loops_that_end_early_are_proved() {
    for case in cases() {
        let audit = case.accepted();
        assert!(audit.is_proved(), "{}: {}\n{}", case.name, audit.unfollowed[0], case.text());
    }
}
