//! Shifts along a dim that is split: rolls, token shifts, differences and stencils send borders and nothing else, also where the
//! devices do not divide what is left. What comes out is what one device computes.

use crate::support::*;
use meshloom_ir::Func;
use meshloom_ir::random::Rng;
use meshloom_plan::{Mode, Plan, PlanOptions};

/// So many that it takes less time to send borders than all.
const ROW: u64 = 1024;
const ROW_BYTES: u64 = ROW * 4;

/// Writes a program line by line.
struct Text {
    lines: Vec<String>,
    next: usize,
}

impl Text {
    /// The number of what a new op gives, of so many rows.
    fn op(&mut self, op: &str, attrs: &str, rows: u64) -> usize {
        self.lines.push(format!("  %{} = {op} {attrs} : f32[{rows}, {ROW}]", self.next));
        self.next += 1;
        self.next - 1
    }

    fn slice(&mut self, x: usize, from: u64, to: u64) -> usize {
        self.op("slice", &format!("%{x} {{[{from}:{to}, 0:{ROW}]}}"), to - from)
    }

    /// The last `by` of `n` rows before the others.
    fn roll(&mut self, x: usize, n: u64, by: u64) -> usize {
        let (last, first) = (self.slice(x, n - by, n), self.slice(x, 0, n - by));
        self.op("concatenate", &format!("%{last}, %{first} {{dim 0}}"), n)
    }

    /// Rows further down, with zeros above them.
    fn pushed(&mut self, x: usize, n: u64, by: u64) -> usize {
        let wide = self.op("pad", &format!("%{x} {{[{by}:0, 0:0]}}"), n + by);
        self.slice(wide, 0, n)
    }

    /// Rows further up, with the last one in place of those that are not there, as `diff` with `append` has them.
    fn pulled(&mut self, x: usize, n: u64) -> usize {
        let last = self.slice(x, n - 1, n);
        let wide = self.op("concatenate", &format!("%{x}, %{last} {{dim 0}}"), n + 1);
        self.slice(wide, 1, n + 1)
    }

    fn elementwise(&mut self, op: &str, xs: [usize; 2], rows: u64) -> usize {
        self.op(op, &format!("%{}, %{}", xs[0], xs[1]), rows)
    }
}

/// What `write` makes of a tensor of `n` rows, and how many rows that is. The axes `a`, `b` .. of these sizes split the rows.
fn program(n: u64, axes: &[u64], write: impl FnOnce(&mut Text) -> (usize, u64)) -> Func {
    let names = ["a", "b", "c"];
    let mesh: Vec<String> = names.iter().zip(axes).map(|(a, n)| format!("{a}: {n}")).collect();
    let split = if axes.len() == 1 { "a".to_string() } else { format!("({})", names[..axes.len()].join(", ")) };
    let mut text = Text { lines: Vec::new(), next: 1 };
    let (y, rows) = write(&mut text);
    let layout = if rows == n { format!(" constraint [{split}, _]") } else { String::new() };
    let text = format!(
        "func @f on [{}] {{\n  input %0 x: f32[{n}, {ROW}] input constraint [{split}, _]\n{}\n  output %{y} y: output{layout}\n}}",
        mesh.join(", "),
        text.lines.join("\n")
    );
    meshloom_ir::parse::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Both plans are certified and compute what one device does, with NaN in the padding; of both, the rows that all devices send together.
fn rows_sent(func: &Func) -> [u64; 2] {
    [Mode::Search, Mode::Follow].map(|mode| {
        let p: Plan = planned_with(func, &PlanOptions { mode, ..PlanOptions::default() });
        runs_alike(func, &p, 3, 0.0);
        p.totals.mesh_wire_bytes.div_ceil(ROW_BYTES)
    })
}

#[test]
fn a_roll_sends_as_many_rows_as_it_goes() {
    for (axes, devices) in [(&[4][..], 4), (&[8], 8), (&[2, 2], 4)] {
        for by in [1, 3, 64 - 1, 64 - 2] {
            let f = program(64, axes, |t| (t.roll(0, 64, by), 64));
            let border = by.min(64 - by);
            assert_eq!(rows_sent(&f), [devices * border; 2], "by {by} over {axes:?}");
        }
    }
}

#[test]
fn a_roll_by_whole_blocks_sends_each_block_once() {
    for (n, by) in [(8, 1), (8, 3), (32, 4), (32, 28)] {
        let f = program(n, &[8], |t| (t.roll(0, n, by), n));
        assert_eq!(rows_sent(&f), [n; 2], "{n} by {by}");
    }
}

#[test]
fn a_shift_over_zeros_sends_its_border() {
    for by in [1, 2] {
        let f = program(64, &[8], |t| (t.pushed(0, 64, by), 64));
        assert_eq!(rows_sent(&f), [8 * by; 2]);
    }
}

/// 63 rows on 8 devices, the last of which has one less.
#[test]
fn differences_send_one_row() {
    let f = program(64, &[8], |t| {
        let (next, here) = (t.slice(0, 1, 64), t.slice(0, 0, 63));
        (t.elementwise("subtract", [next, here], 63), 63)
    });
    assert_eq!(rows_sent(&f), [8; 2]);
    let f = program(64, &[8], |t| {
        let next = t.pulled(0, 64);
        (t.elementwise("subtract", [next, 0], 64), 64)
    });
    assert_eq!(rows_sent(&f), [8; 2]);
}

/// A stencil of a point on each side, three times. A search may gather instead, since fewer collectives take less time.
#[test]
fn steps_of_a_stencil_send_borders_each() {
    let f = program(64, &[4], |t| {
        let mut x = 0;
        for _ in 0..3 {
            let (before, behind) = (t.roll(x, 64, 1), t.roll(x, 64, 63));
            let both = t.elementwise("add", [before, behind], 64);
            x = t.elementwise("maximum", [both, x], 64);
        }
        (x, 64)
    });
    let [_, followed] = rows_sent(&f);
    assert_eq!(followed, 3 * 2 * 4);
}

/// Without the rule the rows are gathered.
#[test]
fn the_rule_is_needed() {
    let f = program(64, &[8], |t| (t.roll(0, 64, 1), 64));
    let p = without(&f, &["shifts-in-blocks"]);
    assert!(p.totals.mesh_wire_bytes > 100 * ROW_BYTES, "{}", p.totals.mesh_wire_bytes);
}

/// Of terms that are drawn: rolls, shifts over zeros and ends that repeat, on one axis or two. Plans that follow
/// annotations compute the same, but gather for some sums of a shift over zeros and another shift.
#[test]
fn random_stencils() {
    let rng = &mut Rng::new(47);
    for i in 0..50 {
        let axes = rng.pick(&[&[2][..], &[4], &[3], &[2, 2], &[2, 3]]);
        let devices: u64 = axes.iter().product();
        let n = devices * (4 + rng.below(8) as u64);
        let (mut borders, mut shown) = (0, Vec::new());
        let f = program(n, axes, |t| {
            let mut sum = 0;
            for _ in 0..1 + rng.below(3) {
                let (kind, by) = (rng.below(4), 1 + rng.below(2) as u64);
                shown.push((kind, by));
                let term = match kind {
                    0 => t.roll(0, n, by),
                    1 => t.roll(0, n, n - by),
                    2 => t.pushed(0, n, by),
                    _ => t.pulled(0, n),
                };
                borders += if kind == 3 { 1 } else { by };
                sum = t.elementwise(rng.pick(&["add", "maximum"]), [sum, term], n);
            }
            (sum, n)
        });
        let [searched, _] = rows_sent(&f);
        assert!(searched <= devices * borders, "{i}: {n} over {axes:?}: {shown:?}: {searched}");
    }
}
