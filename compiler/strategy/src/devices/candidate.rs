//! Which meshes there are for a number of devices, and what else of a plan is open with each: layout block, microbatches,
//! recomputation.
//!
//! Axes that do not split the batch stay within a node, since what they exchange is exchanged in every layer. An axis of context
//! alone may take whole nodes: of a long sequence, keys and values are few beside the work of a layer, and nothing else splits a batch
//! of fewer rows than there are nodes. The stages are the outermost axis, as they exchange least. What is left over is data parallel,
//! and divides the batch.

use super::shape::{AxisUse, LayoutUse, ModelShape};
use meshloom_plan::Recompute;
use meshloom_plan::cost::Target;
use meshloom_source::entry::Overrides;

/// Rows of a microbatch on one device that are tried, smallest first.
const ROWS: [u64; 4] = [1, 2, 4, 8];

/// One way to use the devices. The schedule of stages is not a part of it: of all schedules the best is taken.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    /// By axis of the model, that of the stages left out.
    pub sizes: Vec<u64>,
    /// Ranks of the pipeline; 1 without stages.
    pub pipe: u64,
    /// Which layout block, by its position.
    pub layout: usize,
    /// Rows of a microbatch on one device.
    pub rows: u64,
    pub microbatches: u64,
    /// What the backward pass recomputes of layers.
    pub recompute: Recompute,
}

/// A schedule of stages, with the stages of each rank where it leaves them open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduleOf {
    pub name: &'static str,
    pub each: u32,
    /// Whether `each` is to be written down.
    pub open: bool,
}

/// What the command line leaves open.
#[derive(Clone, Debug, Default)]
pub struct Open {
    pub recompute: Option<Recompute>,
    pub schedule: Option<String>,
    pub virtual_stages: Option<u32>,
}

impl Candidate {
    /// The mesh as it is written, the stages first.
    pub fn mesh(&self, shape: &ModelShape) -> Vec<(String, u64)> {
        let pipe = shape.list.as_ref().map(|l| (l.axis.clone(), self.pipe));
        let axes = shape.axes.iter().map(|a| a.name.clone()).zip(self.sizes.iter().copied());
        pipe.into_iter().filter(|p| p.1 > 1).chain(axes).collect()
    }

    /// What stands otherwise than in the source.
    pub fn overrides(&self, shape: &ModelShape, schedule: Option<ScheduleOf>, recompute: bool) -> Overrides {
        let mut settings = Vec::new();
        let mut set = |name: &str, value: String| settings.push((name.to_owned(), value));
        if shape.splits_batch {
            set("accumulate", self.microbatches.to_string());
        }
        if let Some(s) = schedule.filter(|_| self.pipe > 1) {
            set("schedule", format!("\"{}\"", s.name));
            if s.open {
                set("virtual", s.each.to_string());
            }
        }
        if recompute {
            set("recompute", self.recompute.name().to_owned());
        }
        let stages = shape.list.as_ref().filter(|_| self.pipe > 1).map(|l| (l.field.clone(), l.axis.clone()));
        Overrides { mesh: self.mesh(shape), stages, train: shape.train.clone(), settings }
    }
}

/// All candidates for so many devices, in a fixed order.
pub fn all(shape: &ModelShape, devices: u64, target: &Target, open: &Open) -> Vec<Candidate> {
    let node = target.levels.first().and_then(|l| l.devices).unwrap_or(devices);
    let mut out = Vec::new();
    for (layout, of) in shape.layouts.iter().enumerate() {
        for pipe in pipes(shape, devices) {
            let mut sizes = vec![1; shape.axes.len()];
            let mut meshes = Vec::new();
            let all = Fill { shape, of, node, devices };
            all.fill(devices / pipe, 0, &mut sizes, &mut meshes);
            for sizes in meshes.into_iter().filter(|s| divides(shape, layout, s)) {
                for (rows, microbatches) in microbatches(shape, &sizes) {
                    for recompute in recomputed(open) {
                        let sizes = sizes.clone();
                        out.push(Candidate { sizes, pipe, layout, rows, microbatches, recompute });
                    }
                }
            }
        }
    }
    out
}

fn recomputed(open: &Open) -> Vec<Recompute> {
    match open.recompute {
        // What the budget then asks for is known once it is planned.
        Some(Recompute::Full | Recompute::Auto) => vec![Recompute::Full],
        Some(Recompute::None) => vec![Recompute::None],
        None => vec![Recompute::None, Recompute::Full],
    }
}

/// Numbers of ranks that divide the devices and have a layer each.
fn pipes(shape: &ModelShape, devices: u64) -> Vec<u64> {
    match &shape.list {
        None => vec![1],
        Some(list) => match list.fixed {
            Some(n) => vec![n].into_iter().filter(|n| *n > 0 && devices.is_multiple_of(*n)).collect(),
            // A dim named `batch` is what microbatches split, and stages without them wait for each other.
            None if !shape.splits_batch => vec![1],
            None => divisors(devices).into_iter().filter(|n| *n <= list.layers).collect(),
        },
    }
}

/// What the sizes of axes are chosen by.
struct Fill<'a> {
    shape: &'a ModelShape,
    of: &'a LayoutUse,
    node: u64,
    devices: u64,
}

impl Fill<'_> {
    /// Sizes of all axes from `at` on whose product is `left`.
    fn fill(&self, left: u64, at: usize, sizes: &mut Vec<u64>, out: &mut Vec<Vec<u64>>) {
        let shape = self.shape;
        if at == shape.axes.len() {
            sizes[shape.rest] = left;
            let alone = |(a, n): (&AxisUse, &u64)| {
                a.fixed.is_none() && *n > 1 && *n <= self.node && a.with.is_some_and(|with| sizes[with] == 1)
            };
            if shape.axes[shape.rest].fixed.is_none_or(|n| n == left) && !shape.axes.iter().zip(&*sizes).any(alone) {
                out.push(sizes.clone());
            }
            return;
        }
        if at == shape.rest {
            return self.fill(left, at + 1, sizes, out);
        }
        for n in self.sizes(at, left, sizes).into_iter().filter(|n| *n > 0 && left.is_multiple_of(*n)) {
            sizes[at] = n;
            self.fill(left / n, at + 1, sizes, out);
        }
        sizes[at] = 1;
    }

    /// Sizes of an axis.
    fn sizes(&self, at: usize, left: u64, sizes: &[u64]) -> Vec<u64> {
        let axis = &self.shape.axes[at];
        let small = |n: u64| n > 1 || !self.of.needed[at];
        let all = divisors(left).into_iter().filter(|n| small(*n));
        match axis.fixed {
            Some(n) => vec![n],
            None if !self.of.used[at] => vec![1],
            // Whole nodes: a part of one is for what is exchanged more often.
            None if axis.batch => {
                all.filter(|n| *n == 1 || self.devices <= self.node || n.is_multiple_of(self.node)).collect()
            }
            // Inside of a node, beside what else is there, or so that all of it takes whole nodes.
            None if axis.with.is_some() => all.collect(),
            None => {
                let own = (0..at).filter(|i| !self.shape.axes[*i].batch);
                let inside: u64 = own.map(|i| sizes[i]).product();
                let whole = |n: u64| {
                    (0..at).any(|i| self.shape.axes[i].with.is_some()) && (n * inside).is_multiple_of(self.node)
                };
                all.filter(|n| self.node.is_multiple_of(n * inside) || self.node.is_multiple_of(*n) && whole(*n))
                    .collect()
            }
        }
    }
}

/// Whether what a layout splits comes out even. What the axis of the rest splits alone is left to the planner.
fn divides(shape: &ModelShape, layout: usize, sizes: &[u64]) -> bool {
    let rows: u64 = batch(shape, sizes);
    let even = |(n, axes): &(u64, Vec<usize>)| n.is_multiple_of(axes.iter().map(|a| sizes[*a]).product());
    let mut splits = shape.layouts[layout].splits.iter().filter(|s| s.1 != [shape.rest]);
    shape.batch.is_multiple_of(rows) && splits.all(even)
}

/// Into how many parts a batch is split.
fn batch(shape: &ModelShape, sizes: &[u64]) -> u64 {
    shape.axes.iter().zip(sizes).filter(|(a, _)| a.batch).map(|(_, n)| *n).product()
}

/// Rows of a microbatch on a device, and how many there are.
fn microbatches(shape: &ModelShape, sizes: &[u64]) -> Vec<(u64, u64)> {
    let own = shape.batch / batch(shape, sizes).max(1);
    if !shape.splits_batch {
        return vec![(own, 1)];
    }
    let mut all: Vec<(u64, u64)> = ROWS.iter().filter(|r| own.is_multiple_of(**r)).map(|r| (*r, own / r)).collect();
    if all.is_empty() {
        all.push((own, 1));
    }
    all
}

/// The schedules that are tried.
pub const NAMES: &[&str] = &["1f1b", "interleaved", "zb-h1", "zb-h2", "zb-v", "dualpipe", "dualpipe-v"];

/// Schedules for so many ranks and microbatches.
pub fn schedules(candidate: &Candidate, layers: u64, open: &Open) -> Vec<ScheduleOf> {
    let (p, m) = (candidate.pipe, candidate.microbatches);
    if p < 2 {
        return Vec::new();
    }
    let fits = |each: u64| each.saturating_mul(p) <= layers;
    let mut all = vec![ScheduleOf { name: "1f1b", each: 1, open: false }];
    if m.is_multiple_of(p) {
        let each = [2u32, 3, 4, 6].into_iter().filter(|v| fits(u64::from(*v)));
        all.extend(each.map(|each| ScheduleOf { name: "interleaved", each, open: true }));
    }
    all.push(ScheduleOf { name: "zb-h1", each: 1, open: false });
    all.push(ScheduleOf { name: "zb-h2", each: 1, open: false });
    if fits(2) {
        all.push(ScheduleOf { name: "zb-v", each: 2, open: false });
    }
    if m >= 2 * p {
        if p.is_multiple_of(2) && m.is_multiple_of(2) {
            all.push(ScheduleOf { name: "dualpipe", each: 1, open: false });
        }
        if fits(2) {
            all.push(ScheduleOf { name: "dualpipe-v", each: 2, open: false });
        }
    }
    all.retain(|s| open.schedule.as_ref().is_none_or(|n| n == s.name));
    all.retain(|s| !s.open || open.virtual_stages.is_none_or(|v| v == s.each));
    all
}

/// Rising.
pub fn divisors(n: u64) -> Vec<u64> {
    let low: Vec<u64> = (1..).take_while(|d| d * d <= n).filter(|d| n.is_multiple_of(*d)).collect();
    let high = low.iter().rev().map(|d| n / d).filter(|d| d * d != n && !low.contains(d)).collect::<Vec<_>>();
    low.into_iter().chain(high).collect()
}
