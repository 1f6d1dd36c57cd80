//! Windows along a dim that is split: borders are exchanged, also where blocks are not all full, where there are fewer windows than
//! elements, and with strides and dilations. What comes out is what one device computes.

use crate::support::*;
use meshloom_ir::{Func, Op, Window};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::Rng;

/// So many that it takes less time to send borders than all of an image.
const CHANNELS: u64 = 1024;

/// A convolution along the rows of `x`, which `devices` split, a bias, and sums over rows.
fn convolution(n: u64, w: Window, devices: u64) -> Func {
    let (k, count) = (w.size, w.count(n).unwrap());
    let (stride, dilation, low, high) = (w.stride, w.dilation, w.low, w.high);
    meshloom_ir::parse::parse(&format!(
        "func @f on [rows: {devices}] {{
  input %0 x: f32[2, {n}, {CHANNELS}] input constraint [_, rows, _]
  input %1 w: f32[{k}, {CHANNELS}, 5] input constraint [_, _, _]
  input %2 b: f32[5] input constraint [_]
  %3 = windows %0 {{dim 1 size {k} stride {stride} dilation {dilation} pad {low}:{high} with 0.0}} : f32[2, {count}, {k}, {CHANNELS}]
  %4 = dot_general %3, %1 {{bnkc,kcd->bnd}} : f32[2, {count}, 5]
  %5 = broadcast_in_dim %2 {{dims [2]}} : f32[2, {count}, 5]
  %6 = add %4, %5 : f32[2, {count}, 5]
  %7 = maximum %6, %5 : f32[2, {count}, 5]
  %8 = reduce %7 {{sum [0, 1]}} : f32[5]
  output %7 y: output
  output %8 sums: output
}}"
    ))
    .unwrap_or_else(|e| panic!("{e:?}"))
}

/// Whether the image is gathered; both plans are certified, and run with NaN in the padding.
fn gathers(n: u64, w: Window, devices: u64) -> bool {
    gathered(&convolution(n, w, devices)).contains(&true)
}

/// The same, of any program, in the plan that is searched for and in the one that follows the annotations.
fn gathered(func: &Func) -> [bool; 2] {
    [Mode::Search, Mode::Follow].map(|mode| {
        let p = planned_with(func, &PlanOptions { mode, ..PlanOptions::default() });
        runs_alike(func, &p, 3, 1e-5);
        let local = &p.local;
        let image = |o: &&meshloom_ir::OpData| {
            matches!(o.op, Op::AllGather { .. } | Op::AllToAll { .. })
                && local.ty(o.operands[0]).shape.last() == Some(&CHANNELS)
        };
        local.ops.iter().any(|o| image(&o))
    })
}

fn window(size: u64, stride: u64, dilation: u64, low: i64, high: i64) -> Window {
    Window { size, stride, dilation, low, high, fill: meshloom_ir::Scalar::float(0.0) }
}

#[test]
fn borders_are_exchanged() {
    let same = |size: u64, stride, dilation: u64| {
        let around = ((size - 1) * dilation) as i64;
        window(size, stride, dilation, around / 2, around - around / 2)
    };
    let valid = |size, stride, dilation| window(size, stride, dilation, 0, 0);
    let cases = [
        // Blocks are full, as many windows as elements.
        (32, same(3, 1, 1), 4),
        // Fewer windows, in blocks of the same length.
        (32, valid(3, 1, 1), 4),
        (32, valid(4, 1, 1), 4),
        (32, valid(2, 1, 2), 4),
        (36, valid(3, 2, 1), 3),
        (32, valid(5, 2, 1), 4),
        (32, window(3, 1, 1, 0, 1), 4),
        // A dim that the devices do not divide.
        (30, same(3, 1, 1), 4),
        (31, same(3, 1, 2), 4),
        (29, same(5, 1, 1), 4),
        (30, same(3, 2, 1), 4),
        (31, same(3, 2, 1), 4),
        (23, same(3, 1, 1), 3),
        // Both.
        (31, valid(3, 1, 1), 4),
        (30, valid(2, 2, 1), 4),
    ];
    let shown = |(n, w, devices): &(u64, Window, u64)| format!("{n} over {devices}: {w:?}");
    let gathered: Vec<_> = cases.iter().filter(|&&(n, w, devices)| gathers(n, w, devices)).map(shown).collect();
    assert!(gathered.is_empty(), "{}", gathered.join("\n"));
}

/// A block of the result has other windows than those that begin in a block of the image: fewer, more, or a stride that does not
/// divide the block. To take another part in each block is work, so the search may find another plan that takes less time.
#[test]
fn borders_are_exchanged_where_blocks_begin_elsewhere() {
    let cases = [
        (32, window(6, 1, 1, 0, 0), 4),
        (30, window(3, 3, 1, 1, 1), 4),
        (32, window(3, 1, 1, 3, 3), 4),
        (40, window(3, 3, 1, 0, 0), 4),
        (27, window(3, 2, 2, 1, 2), 3),
    ];
    for (n, w, devices) in cases {
        let [_, followed] = gathered(&convolution(n, w, devices));
        assert!(!followed, "{n} over {devices}: {w:?}");
    }
}

#[test]
fn windows_that_reach_further_than_the_next_block_are_gathered() {
    for (n, w, devices) in [(16, window(11, 1, 1, 5, 5), 4), (12, window(4, 1, 2, 3, 3), 4)] {
        assert!(gathers(n, w, devices), "{n} over {devices}: {w:?}");
    }
}

/// Poolings by `max`, whose windows are filled with the least there is, of images that the devices do not divide.
#[test]
fn poolings_of_uneven_images_exchange_borders() {
    for (n, count) in [(30, 30), (29, 29)] {
        let func = meshloom_ir::parse::parse(&format!(
            "func @f on [rows: 4] {{
  input %0 x: f32[2, {n}, {CHANNELS}] input constraint [_, rows, _]
  %1 = windows %0 {{dim 1 size 3 stride 1 dilation 1 pad 1:1 with -inf}} : f32[2, {count}, 3, {CHANNELS}]
  %2 = reduce %1 {{max [2]}} : f32[2, {count}, {CHANNELS}]
  output %2 y: output
}}"
        ))
        .unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(gathered(&func), [false; 2], "{n}");
    }
}

#[test]
fn random_windows() {
    let rng = &mut Rng::new(29);
    for _ in 0..40 {
        let mut small = |from: u64, n: usize| from + rng.below(n) as u64;
        let (n, devices, size) = (small(8, 40), small(2, 4), small(1, 5));
        let w = window(size, small(1, 3), small(1, 2), small(0, 4) as i64, small(0, 4) as i64);
        if w.count(n).is_ok_and(|count| count > 0) {
            gathers(n, w, devices);
        }
    }
}
