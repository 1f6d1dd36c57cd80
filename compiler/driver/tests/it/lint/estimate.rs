//! How long a launch takes on an H100, by what its kernel's machine code says: the longest of several streams of work.
//!
//! It is an estimate, and finds what is far from the hardware: kernels that compute more than they move, that ask for too few bytes
//! at a time, or whose blocks leave multiprocessors idle. Caches are not modelled: a byte of a buffer is moved once.

use super::sass::{Code, Mix};
use meshloom_bundle::{GpuLaunch, Launch};
use meshloom_kernels::attention::AttentionShape;
use meshloom_kernels::geometry::product;
use meshloom_kernels::tensor_map::results::BOX;
use meshloom_kernels::{Body, GpuArch, KernelSpec, Node};

/// Multiprocessors of an H100 (SXM), and their clock in GHz.
const PROCESSORS: f64 = 132.0;
const CLOCK: f64 = 1.755;
/// Bytes of a nanosecond: 85 % of 3.35 TB/s.
const COPIED: f64 = 0.85 * 3350.0;
/// Bytes of a nanosecond from the L2 cache to all multiprocessors, measured in matmuls on an H100.
const CACHED: f64 = 8400.0;
/// Operations of a nanosecond that warpgroups reach: 75 % of 989 TFLOP/s in 16 bits.
const MULTIPLIED: f64 = 0.75 * 989_400.0;
/// Instructions of warps that all multiprocessors begin in a nanosecond: four each in a cycle, of which seven of ten are used.
const ISSUED: f64 = 0.7 * 4.0 * PROCESSORS * CLOCK;
/// Cycles of a quarter of a multiprocessor for a warp's product of 16 x 8 x 16, and for 32 exponentials, reciprocals or roots. Warps reach
/// about 62 % of what warpgroups do.
const WARP_PRODUCT: f64 = 6.5;
const SPECIAL: f64 = 8.0;
/// Nanoseconds from the request of a byte to its arrival, under load; and from one launch of a graph to the next.
const LATENCY: f64 = 800.0;
pub const LAUNCH: f64 = 1500.0;

/// Nanoseconds of one launch, by what bounds it.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub memory: f64,
    /// Too few bytes are under way.
    pub waiting: f64,
    /// Instructions other than the products of warpgroups.
    pub issue: f64,
    /// Products of tensor cores; what follows them in the same warps is in `issue`, and comes on top.
    pub products: f64,
    /// Unless it is other warps that multiply meanwhile.
    pub beside: bool,
}

impl Time {
    pub fn all(&self) -> f64 {
        let work = if self.products > 0.0 && !self.beside {
            self.products + self.issue
        } else {
            self.products.max(self.issue)
        };
        LAUNCH + self.memory.max(self.waiting).max(work)
    }

    pub fn bound(&self) -> &'static str {
        let issue = if self.products > 0.0 { 0.0 } else { self.issue };
        let more = if self.beside { 0.0 } else { self.issue };
        let work = if self.products > 0.0 { self.products + more } else { 0.0 };
        let of = [("memory", self.memory), ("latency", self.waiting), ("instructions", issue), ("products", work)];
        of.into_iter().fold(("launch", LAUNCH), |a, b| if b.1 > a.1 { b } else { a }).0
    }
}

pub fn time(spec: &KernelSpec, launch: &Launch, shape: &GpuLaunch, code: &Code) -> Time {
    let bytes: u64 = launch.args.iter().map(|a| a.bytes).sum();
    let written: u64 = launch.writes.iter().map(|&w| launch.args[w as usize].bytes).sum();
    let mut t = Time { memory: bytes as f64 / COPIED, waiting: 0.0, issue: 0.0, products: 0.0, beside: false };
    let blocks = launch.units.div_ceil(shape.units_per_block) as f64;
    let warps = f64::from(shape.threads) / 32.0;
    let whole = code.whole();
    if whole.group_products > 0 {
        // The last tiles keep all waiting. The warps that multiply store as well.
        let rounds = (blocks / PROCESSORS).ceil() / (blocks / PROCESSORS);
        t.products = spec.flops() as f64 / MULTIPLIED * rounds;
        t.issue = stores(code, written) / ISSUED;
        // What warps to spare add up is of slices that are there anyway.
        let dot = match spec {
            KernelSpec::Dot(d) => Some(d),
            KernelSpec::DotAndSum(s) => Some(&s.dot),
            _ => None,
        };
        if let Some((d, grid)) = dot.zip(spec.entry().grid(GpuArch::Sm90a, true)) {
            let tiling = grid.tiling;
            // Tensor cores make half as many products in tf32.
            t.products *= if d.tf32 { 2.0 } else { 1.0 };
            let slices = product(&d.k).div_ceil(tiling.k) as f64 * (blocks / PROCESSORS).ceil() * PROCESSORS;
            let lines = tiling.rows + tiling.brought_cols();
            t.products = t.products.max(slices * (lines * 128) as f64 / CACHED);
            t.beside = tiling.ping_pong;
        }
        // Attention takes exponentials under its products; its gradient twice, and seven products for the five that are counted.
        t.products = match spec {
            KernelSpec::Attention(a) => t.products.max(exponentials(&a.shape)),
            KernelSpec::AttentionBackward(a) => (t.products * 7.0 / 5.0).max(2.0 * exponentials(&a.shape)),
            _ => t.products,
        };
        return t;
    }
    if whole.warp_products > 0 {
        let best = code.loops.iter().map(|l| code.mix(l.clone())).filter(|m| m.warp_products > 0);
        let most = best.fold(whole, |a, b| if share(&b) > share(&a) { b } else { a });
        t.products = spec.flops() as f64 / (MULTIPLIED * share(&most));
        return t;
    }
    let slots = PROCESSORS * resident(shape, code);
    let busy = blocks.min(slots) * f64::from(shape.threads);
    let hot = code.innermost().map(|l| code.mix(l.clone())).max_by_key(|m| m.loaded).filter(|m| m.loaded > 0);
    let hot = hot.unwrap_or(whole);
    if hot.loaded > 0 {
        t.waiting = (bytes - written) as f64 / (busy * hot.loaded as f64 / LATENCY);
    }
    t.issue = match spec {
        KernelSpec::Fused(f) if f.body.has_reduce() => {
            let turns =
                (f.cols() as f64 / (f64::from(shape.threads) * lanes(&hot, &f.body, f.shape.len() - 1))).max(1.0);
            let inner: f64 = code.innermost().map(|l| cost(&code.mix(l.clone()))).sum();
            blocks * warps * ((cost(&whole) - inner).max(0.0) + inner * turns) / ISSUED
        }
        KernelSpec::Fused(_) => blocks * warps * cost(&hot) / ISSUED,
        // A loop goes through the rows of a part, some at a time.
        KernelSpec::Summed(s) => {
            let each = lanes(&hot, &s.body, s.shape.len() - 1) * f64::from(shape.threads);
            let rows = product(&s.shape[s.added()]) as f64 * s.cols() as f64 / each;
            blocks * warps * ((cost(&whole) - cost(&hot)).max(0.0) + cost(&hot) * rows.max(1.0)) / ISSUED
        }
        KernelSpec::Column(c) => {
            let (space, each) = (product(&c.space()) as f64, lanes(&hot, &c.body, c.space().len() - 1));
            (space / (32.0 * each) * cost(&hot) + blocks * warps * cost(&whole)) / ISSUED
        }
        _ => 0.0,
    };
    t
}

/// Nanoseconds that the units for special functions take for one exponential of each weight: a multiprocessor has 16 of them.
fn exponentials(s: &AttentionShape) -> f64 {
    s.pairs() as f64 / (16.0 * PROCESSORS * CLOCK)
}

/// Instructions, or those that special functions take the time of.
fn cost(m: &Mix) -> f64 {
    (m.instructions as f64).max(m.special as f64 * SPECIAL)
}

/// The share of the tensor cores' peak that products of warps reach among other instructions.
fn share(m: &Mix) -> f64 {
    let products = m.warp_products as f64;
    4.0 * products / (m.instructions as f64 / 0.7).max(products * WARP_PRODUCT).max(m.special as f64 * SPECIAL)
}

/// Stores to shared memory of the sums that are written out at a time.
const STAGED: u64 = 8;

/// Instructions of all warps for what comes after the products of a tile, for so many bytes that are stored.
fn stores(code: &Code, written: u64) -> f64 {
    // A warp has boxes stored in each round of a loop, where they are not those of a whole tile.
    let boxed = code.loops.iter().map(|l| code.mix(l.clone())).filter(|m| m.boxes > 0 && m.staged > 0);
    if let Some(m) = boxed.min_by_key(|m| m.instructions) {
        return written as f64 / (m.boxes * BOX) as f64 * cost(&m);
    }
    let stores = code.innermost().map(|l| code.mix(l.clone())).filter(|m| m.stored > 0);
    let most = stores.max_by_key(|m| m.stored);
    // Sums go to shared memory by one of several stretches of code, each with stores of its own and a jump.
    let others = |m: &Mix| m.staged.saturating_sub(STAGED) as f64 * (1.0 + 1.0 / STAGED as f64);
    most.map_or(0.0, |m| written as f64 / (32.0 * m.stored as f64) * (cost(&m) - others(&m)))
}

/// Points that a thread takes in a round of a loop, by the bytes that it loads of those that move along `dim`.
fn lanes(hot: &Mix, body: &Body, dim: usize) -> f64 {
    let moving = body.nodes.iter().filter_map(|n| match n {
        Node::Leaf(a) if a.strides[dim] != 0 => Some(body.buffers[a.buffer as usize].bytes()),
        _ => None,
    });
    let bytes: u64 = moving.sum();
    (hot.loaded as f64 / bytes.max(1) as f64).floor().max(1.0)
}

/// Blocks that a multiprocessor has at a time.
fn resident(shape: &GpuLaunch, code: &Code) -> f64 {
    let threads = u64::from(shape.threads);
    let by_registers = 65536 / (code.registers.next_multiple_of(8).max(16) * threads);
    let by_memory = (227 << 10) / (u64::from(shape.shared_bytes) + 1024);
    (2048 / threads).min(by_registers).min(by_memory).clamp(1, 32) as f64
}
