//! What kernels compute, written to be obviously right: in f64, element by element. Tests compare emitted code with it.
//!
//! Not here: integers beyond 2^53, which f64 rounds. Their tests have expected values of their own.

use crate::added::DotAndSum;
use crate::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use crate::dot::Dot;
use crate::expr::{Access, Body, Comparison, DType, Elem, Node, Reduction, constant_as_f64};
use crate::geometry::{ceil_div, product, unravel};
use crate::matmul::{Matmul, Operand, Pack, TILE_ROWS, panel_cols};
use crate::scatter::{ScatterRows, SegmentSort};

/// The elements of a buffer, whatever their dtype. Integers and bools are whole numbers.
pub type Data = Vec<f64>;

fn address(a: &Access, index: &[u64], dims: &[i64]) -> i64 {
    let start = a.start.map_or(0, |s| s.stride * dims[s.dim as usize]);
    a.offset + start + a.strides.iter().zip(index).map(|(s, i)| s * *i as i64).sum::<i64>()
}

/// Rounds to `mantissa` bits, with exponents biased by `bias`. A number that is too large becomes NaN in e4m3, whose
/// largest exponent stands for numbers, and infinite in e5m2.
fn float8(x: f32, mantissa: i32, bias: i32) -> f64 {
    let x = f64::from(x);
    if x == 0.0 || !x.is_finite() {
        return if mantissa == 3 && x.is_infinite() { f64::NAN } else { x };
    }
    let exponent = (x.abs().log2().floor() as i32).max(1 - bias);
    let ulp = f64::powi(2.0, exponent - mantissa);
    let (rounded, large) = ((x / ulp).round_ties_even() * ulp, if mantissa == 3 { 448.0 } else { 57344.0 });
    match rounded.abs() > large {
        true if mantissa == 3 => f64::NAN,
        true => f64::INFINITY.copysign(x),
        false => rounded,
    }
}

/// Rounds to the precision of a dtype; integers wrap.
pub fn store(dtype: DType, v: f64) -> f64 {
    match dtype {
        DType::F32 => f64::from(v as f32),
        // As in kernels, what is computed in f32 is rounded to f32 first.
        DType::BF16 => f64::from(half::bf16::from_f32(v as f32)),
        DType::F16 => f64::from(half::f16::from_f32(v as f32)),
        DType::F8E4M3 => float8(v as f32, 3, 7),
        DType::F8E5M2 => float8(v as f32, 2, 15),
        DType::I8 => f64::from(v as i64 as i8),
        DType::U8 => f64::from(v as i64 as u8),
        DType::U32 => f64::from(v as i64 as u32),
        _ => v,
    }
}

/// `v` as an f32. If `v` is none, the neighbour whose last bit is 1, so that rounding it on to fewer bits rounds `v`
/// once.
fn odd(v: f64) -> f64 {
    let near = v as f32;
    let up = f64::from(near).abs() < v.abs();
    let bits = near.to_bits();
    let inexact = !v.is_nan() && f64::from(near) != v && bits & 1 == 0;
    f64::from(if inexact { f32::from_bits(if up { bits + 1 } else { bits - 1 }) } else { near })
}

/// A float as an integer: rounded towards zero; NaN becomes 0.
fn saturate(dtype: DType, v: f64) -> f64 {
    match dtype {
        DType::I64 => v as i64 as f64,
        DType::U32 => f64::from(v as u32),
        DType::I8 => f64::from(v as i8),
        DType::U8 => f64::from(v as u8),
        _ => f64::from(v as i32),
    }
}

/// One elementwise operation. A conversion is one of an integer, or one to a float.
pub fn apply(op: Elem, dtype: DType, x: &[f64]) -> f64 {
    let test = |b: bool| f64::from(u8::from(b));
    // NaN wins, unlike in f64::max, and -0 is less than 0.
    let pick = |a: f64, b: f64, first: bool| if a.is_nan() || (!b.is_nan() && first) { a } else { b };
    match op {
        Elem::Add => x[0] + x[1],
        Elem::Subtract => x[0] - x[1],
        Elem::Multiply => x[0] * x[1],
        Elem::Divide if dtype.is_float() => x[0] / x[1],
        Elem::Divide => (x[0] / x[1]).trunc(),
        Elem::Maximum => pick(x[0], x[1], x[0].total_cmp(&x[1]).is_gt()),
        Elem::Minimum => pick(x[0], x[1], x[0].total_cmp(&x[1]).is_lt()),
        Elem::Power => x[0].powf(x[1]),
        Elem::Negate => -x[0],
        Elem::Abs => x[0].abs(),
        Elem::Sign if x[0] == 0.0 => x[0],
        Elem::Sign => x[0].signum(),
        Elem::Exponential => x[0].exp(),
        Elem::ExponentialMinusOne => x[0].exp_m1(),
        Elem::Log => x[0].ln(),
        Elem::LogPlusOne => x[0].ln_1p(),
        Elem::Tanh => x[0].tanh(),
        Elem::Logistic => 1.0 / (1.0 + (-x[0]).exp()),
        Elem::Erf => erf(x[0]),
        Elem::Sqrt => x[0].sqrt(),
        Elem::Rsqrt => 1.0 / x[0].sqrt(),
        Elem::Floor => x[0].floor(),
        Elem::Ceil => x[0].ceil(),
        Elem::RoundNearestEven => x[0].round_ties_even(),
        Elem::Sine => x[0].sin(),
        Elem::Cosine => x[0].cos(),
        Elem::Atan2 => x[0].atan2(x[1]),
        Elem::Cbrt => x[0].cbrt(),
        Elem::Remainder if !dtype.is_float() && x[1] == 0.0 => x[0],
        Elem::Remainder => x[0] % x[1],
        Elem::Compare(c) => test(match c {
            Comparison::Eq => x[0] == x[1],
            Comparison::Ne => x[0] != x[1],
            Comparison::Lt => x[0] < x[1],
            Comparison::Le => x[0] <= x[1],
            Comparison::Gt => x[0] > x[1],
            Comparison::Ge => x[0] >= x[1],
        }),
        Elem::Select => {
            if x[0] != 0.0 {
                x[1]
            } else {
                x[2]
            }
        }
        Elem::And => ((x[0] as i64) & (x[1] as i64)) as f64,
        Elem::Or => ((x[0] as i64) | (x[1] as i64)) as f64,
        Elem::Xor => ((x[0] as i64) ^ (x[1] as i64)) as f64,
        Elem::ShiftLeft => f64::from((x[0] as i32).checked_shl(shift(x[1])).unwrap_or(0)),
        Elem::ShiftRightArithmetic => f64::from(x[0] as i32 >> shift(x[1]).min(31)),
        Elem::ShiftRightLogical => f64::from((x[0] as i32 as u32).checked_shr(shift(x[1])).unwrap_or(0) as i32),
        Elem::Threefry => {
            f64::from(threefry([x[0], x[1]].map(|k| k as i32 as u32), [x[2], x[3]].map(|c| c as i32 as u32)) as i32)
        }
        Elem::Popcnt => f64::from((x[0] as i32).count_ones()),
        Elem::CountLeadingZeros => f64::from((x[0] as i32).leading_zeros()),
        Elem::BitsOfFloat if dtype == DType::I32 => f64::from((x[0] as f32).to_bits() as i32),
        Elem::BitsOfFloat => x[0].to_bits() as i64 as f64,
        Elem::FloatOfBits if dtype == DType::F32 => f64::from(f32::from_bits(x[0] as i64 as u32)),
        Elem::FloatOfBits => f64::from_bits(x[0] as i64 as u64),
        Elem::Not if dtype == DType::Bool => test(x[0] == 0.0),
        Elem::Not => !(x[0] as i64) as f64,
        Elem::Convert => match dtype {
            DType::Bool => test(x[0] != 0.0),
            DType::I32 => f64::from(x[0] as i64 as i32),
            DType::I64 => x[0].trunc(),
            _ => store(dtype, x[0]),
        },
    }
}

/// The first word of Threefry-2x32 with 20 rounds.
fn threefry(key: [u32; 2], counter: [u32; 2]) -> u32 {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ crate::expr::THREEFRY_PARITY as u32];
    let (mut x, mut y) = (counter[0].wrapping_add(keys[0]), counter[1].wrapping_add(keys[1]));
    for round in 0..20usize {
        x = x.wrapping_add(y);
        y = y.rotate_left(crate::expr::THREEFRY_ROTATIONS[round % 8]) ^ x;
        if round % 4 == 3 {
            let i = round / 4;
            x = x.wrapping_add(keys[(i + 1) % 3]);
            y = y.wrapping_add(keys[(i + 2) % 3]).wrapping_add(i as u32 + 1);
        }
    }
    x
}

/// The number of bits to shift by. A negative number shifts out all bits.
fn shift(by: f64) -> u32 {
    by as i32 as u32
}

/// Taylor series for small arguments, continued fraction for large ones.
fn erf(x: f64) -> f64 {
    let a = x.abs();
    if a < 2.5 {
        let (mut term, mut sum, mut n) = (a, a, 0.0);
        while term.abs() > 1e-18 * sum.abs() {
            n += 1.0;
            term *= -a * a / n;
            sum += term / (2.0 * n + 1.0);
        }
        return x.signum() * sum * std::f64::consts::FRAC_2_SQRT_PI;
    }
    let fraction = (1..=60).rev().fold(0.0, |f, n| f64::from(n) / 2.0 / (a + f));
    x.signum() * (1.0 - (-a * a).exp() / std::f64::consts::PI.sqrt() / (a + fraction))
}

pub(crate) fn reduce(kind: Reduction, values: impl Iterator<Item = f64>) -> f64 {
    match kind {
        Reduction::Sum => values.sum(),
        Reduction::Max => values.fold(f64::NEG_INFINITY, f64::max),
        Reduction::Min => values.fold(f64::INFINITY, f64::min),
        Reduction::Prod => values.product(),
        Reduction::And | Reduction::Or => {
            let start = if kind == Reduction::And { -1.0 } else { 0.0 };
            values.fold(start, |x, y| bitwise(kind, x, y))
        }
    }
}

/// `and` and `or` of integers that are stored as floats.
pub(crate) fn bitwise(kind: Reduction, x: f64, y: f64) -> f64 {
    let (x, y) = (x as i64, y as i64);
    (if kind == Reduction::And { x & y } else { x | y }) as f64
}

/// Points at which a body is evaluated together: `reduce` x `cols`, row-major.
struct Block<'a> {
    points: Vec<Vec<u64>>,
    cols: usize,
    /// Whether reductions go over the columns of a row instead of the rows of a column.
    over_cols: bool,
    /// Whether nothing is reduced: the points are those of outputs alone, and a reduction is its identity.
    empty: bool,
    buffers: &'a [Data],
    dims: &'a [i64],
}

impl Block<'_> {
    fn each(&self, f: impl Fn(usize, &[u64]) -> f64) -> Data {
        self.points.iter().enumerate().map(|(p, i)| f(p, i)).collect()
    }

    fn values(&self, b: &Body, node: &Node, known: &[Data]) -> Data {
        let at = |a: &Access, i: &[u64], more: i64| {
            self.buffers[a.buffer as usize][(address(a, i, self.dims) + more) as usize]
        };
        match node {
            Node::Reduce { kind, .. } if self.empty => self.each(|_, _| reduce(*kind, std::iter::empty())),
            Node::Leaf(_) | Node::Gather { .. } if self.empty => self.each(|_, _| 0.0),
            Node::Leaf(a) => self.each(|_, i| at(a, i, 0)),
            Node::Gather { access, index, stride, rows } => self.each(|p, i| {
                let row = known[index.index()][p];
                let none = b.buffers[access.buffer as usize].nothing();
                if row >= 0.0 && row < *rows as f64 { at(access, i, stride * row as i64) } else { none }
            }),
            Node::Const { dtype, bits } => self.each(|_, _| store(*dtype, constant_as_f64(*dtype, *bits))),
            Node::Iota { dim } => self.each(|_, i| i[*dim as usize] as f64),
            Node::Dim { dim } => self.each(|_, _| self.dims[*dim as usize] as f64),
            Node::Elem { op, dtype, args } => self.each(|p, _| {
                let x: Vec<f64> = args.iter().map(|a| known[a.index()][p]).collect();
                match op {
                    Elem::Convert if dtype.is_int() && b.dtype(args[0]).computed().is_float() => saturate(*dtype, x[0]),
                    Elem::Convert if dtype.is_stored_only() && b.dtype(args[0]) != DType::F32 => {
                        store(*dtype, if dtype.is_float() { odd(x[0]) } else { x[0] })
                    }
                    _ => apply(*op, *dtype, &x),
                }
            }),
            Node::Reduce { kind, arg } => {
                let v = &known[arg.index()];
                if self.over_cols {
                    let r = reduce(*kind, v.iter().copied());
                    return vec![r; v.len()];
                }
                let sums: Data =
                    (0..self.cols).map(|c| reduce(*kind, v.iter().skip(c).step_by(self.cols).copied())).collect();
                self.each(|p, _| sums[p % self.cols])
            }
            Node::Acc => self.each(|_, _| 0.0),
        }
    }

    /// The values of all nodes. `acc` are the values of [`Node::Acc`].
    fn evaluate(&self, b: &Body, acc: &[f64]) -> Vec<Data> {
        b.nodes.iter().fold(Vec::new(), |mut known, node| {
            let v = if *node == Node::Acc { acc.to_vec() } else { self.values(b, node, &known) };
            known.push(v);
            known
        })
    }
}

/// Stores the outputs of a block of points.
fn write(b: &Body, points: &[Vec<u64>], known: &[Data], buffers: &mut [Data], dims: &[i64]) {
    for out in &b.outputs {
        let buffer = out.access.buffer as usize;
        for (p, i) in points.iter().enumerate() {
            buffers[buffer][address(&out.access, i, dims) as usize] =
                store(b.buffers[buffer], known[out.node.index()][p]);
        }
    }
}

/// Evaluates a body over `outer` x (`reduce` x `cols`).
pub(crate) fn body(
    b: &Body,
    outer: &[u64],
    reduce: &[u64],
    cols: u64,
    over_cols: bool,
    buffers: &mut [Data],
    dims: &[i64],
) {
    let mut inner = [reduce, &[cols]].concat();
    let empty = b.has_reduce() && product(&inner) == 0 && (over_cols || cols > 0);
    if empty {
        inner[..reduce.len()].fill(1);
        inner[reduce.len()] = cols.max(1);
    }
    for o in 0..product(outer) {
        let points: Vec<Vec<u64>> =
            (0..product(&inner)).map(|i| [unravel(o, outer), unravel(i, &inner)].concat()).collect();
        let block = Block { points, cols: cols as usize, over_cols, empty, buffers, dims };
        let known = block.evaluate(b, &[]);
        let points = block.points;
        write(b, &points, &known, buffers, dims);
    }
}

pub(crate) fn pack(s: &Pack, buffers: &mut [Data], dims: &[i64]) {
    let (run, k, panels) = (s.run(), product(&s.k), ceil_div(s.run(), s.width));
    buffers[s.panels as usize] = vec![0.0; s.elements() as usize];
    let lead = [&s.batch[..], &s.rows].concat();
    for r in 0..product(&lead) {
        let points: Vec<Vec<u64>> = (0..k).map(|i| [unravel(r, &lead), unravel(i, &s.k)].concat()).collect();
        let block = Block { points, cols: 1, over_cols: false, empty: false, buffers, dims };
        let known = block.evaluate(&s.body, &[]);
        let points = block.points;
        write(&s.body, &points, &known, buffers, dims);
        let (outer, at) = (r / run.max(1), r % run.max(1));
        for (i, v) in known[s.value.index()].iter().enumerate() {
            let element = ((outer * panels + at / s.width) * k + i as u64) * s.width + at % s.width;
            buffers[s.panels as usize][element as usize] = store(s.body.dtype(s.value), *v);
        }
    }
}

/// Element of A (0) or B (1) at (batch, free index, k).
fn operand(s: &Matmul, which: usize, [batch, free, k]: [u64; 3], data: &Data, dims: &[i64]) -> f64 {
    let (o, free_dims, width) = if which == 0 { (&s.a, &s.m, TILE_ROWS) } else { (&s.b, &s.n, panel_cols(s.dtype())) };
    let run = free_dims.last().copied().unwrap_or(1);
    match o {
        Operand::Direct { access, k_stride } => {
            let index = [unravel(batch, &s.batch), unravel(free, free_dims)].concat();
            data[(address(access, &index, dims) + k_stride * k as i64) as usize]
        }
        Operand::Packed => {
            let (outer, at) = (batch * (product(free_dims) / run) + free / run, free % run);
            data[(((outer * ceil_div(run, width) + at / width) * s.k + k) * width + at % width) as usize]
        }
    }
}

pub(crate) fn matmul(s: &Matmul, buffers: &mut [Data], dims: &[i64]) {
    let space = s.space();
    let points: Vec<Vec<u64>> = (0..product(&space)).map(|i| unravel(i, &space)).collect();
    let (m, n) = (product(&s.m), product(&s.n));
    let mut acc = Vec::with_capacity(points.len());
    for i in 0..points.len() as u64 {
        let (batch, row, col) = (i / (m * n), i / n % m, i % n);
        let term = |k: u64| {
            operand(s, 0, [batch, row, k], &buffers[0], dims) * operand(s, 1, [batch, col, k], &buffers[1], dims)
        };
        acc.push((0..s.k).map(term).sum());
    }
    let block = Block { points, cols: 1, over_cols: false, empty: false, buffers, dims };
    let known = block.evaluate(&s.body, &acc);
    let points = block.points;
    write(&s.body, &points, &known, buffers, dims);
}

/// An f32 with the 10 bits of mantissa that tensor cores multiply. It is the nearest, ties away from zero, as
/// `cvt.rna.tf32.f32` rounds.
pub fn tf32(x: f64) -> f64 {
    let bits = (x as f32).to_bits();
    let rounded = if x.is_nan() { bits } else { bits.wrapping_add(1 << 12) & !0x1fff };
    f64::from(f32::from_bits(rounded))
}

pub(crate) fn dot(s: &Dot, buffers: &mut [Data], dims: &[i64]) {
    let space = s.space();
    let points: Vec<Vec<u64>> = (0..product(&space)).map(|i| unravel(i, &space)).collect();
    let steps: Vec<Vec<u64>> = (0..product(&s.k)).map(|k| unravel(k, &s.k)).collect();
    let (lead, rows) = (s.batch.len(), s.batch.len() + s.m.len());
    let element = |which: usize, access: &Access, free: &[u64], point: &[u64], k: &[u64]| {
        let x = buffers[which][address(access, &[&point[..lead], free, k].concat(), dims) as usize];
        if s.tf32 { tf32(x) } else { x }
    };
    let sum = |p: &Vec<u64>| {
        let term = |k: &Vec<u64>| element(0, &s.a, &p[lead..rows], p, k) * element(1, &s.b, &p[rows..], p, k);
        let sum = steps.iter().map(term).sum();
        // Sums of integers wrap.
        if s.dtype().is_int8() { f64::from(sum as i64 as i32) } else { sum }
    };
    let acc: Data = points.iter().map(sum).collect();
    let block = Block { points, cols: 1, over_cols: false, empty: false, buffers, dims };
    let known = block.evaluate(&s.body, &acc);
    let points = block.points;
    write(&s.body, &points, &known, buffers, dims);
}

/// What the operand of a contraction adds up to, part by part.
pub(crate) fn added(s: &DotAndSum, operand: &Data, dims: &[i64]) -> Data {
    let (free, depth) = (product(s.free()), s.depth());
    let element = |i: u64, k: u64| {
        let index = [unravel(i, s.free()), unravel(k, &s.dot.k)].concat();
        operand[address(s.access(), &index, dims) as usize]
    };
    let sum = |at: u64| (0..depth).map(|k| element(at % free, at / free * depth + k)).sum();
    (0..s.parts * free).map(|at| store(DType::F32, sum(at))).collect()
}

/// A head of queries: its batch, its head of keys and values, and its place in the group.
type Head = [u64; 3];

fn heads(s: &AttentionShape) -> impl Iterator<Item = Head> {
    let (heads, group) = (s.heads, s.group);
    (0..s.batch * heads * group).map(move |u| [u / (heads * group), u / group % heads, u % group])
}

/// The scaled scores of one query. A masked score is minus infinity.
fn scores(s: &AttentionShape, [q, k]: [Strides; 2], buffers: &[Data], dims: &[i64], head: Head, i: u64) -> Data {
    let ahead = if s.shifted { dims[0] - dims[1] } else { 0 };
    let sees = |j: u64| {
        let away = i as i64 + ahead - j as i64;
        let placed = !(s.causal && away < 0 || s.window > 0 && away.unsigned_abs() >= s.window);
        let alike = |[q, k]: [Strides; 2]| at(&buffers[3], q, head, i, 0) == at(&buffers[4], k, head, j, 0);
        placed && s.segments.is_none_or(alike)
    };
    let term = |j: u64, d: u64| at(&buffers[0], q, head, i, d) * at(&buffers[1], k, head, j, d);
    let score = |j: u64| (0..s.head).map(|d| term(j, d)).sum::<f64>() * s.scale();
    (0..s.kv_len).map(|j| if sees(j) { score(j) } else { f64::NEG_INFINITY }).collect()
}

fn place(at: Strides, [b, h, g]: Head, i: u64, d: u64) -> usize {
    let start = at.offset + b as i64 * at.batch + h as i64 * at.head + g as i64 * at.group;
    (start + i as i64 * at.seq + d as i64) as usize
}

fn at(data: &Data, strides: Strides, head: Head, i: u64, d: u64) -> f64 {
    data[place(strides, head, i, d)]
}

pub(crate) fn attention(a: &Attention, buffers: &mut [Data], dims: &[i64]) {
    let (s, out) = (&a.shape, a.shape.inputs() as usize);
    for head in heads(s) {
        for i in 0..s.q_len {
            let score = scores(s, [a.q, a.k], buffers, dims, head, i);
            let max = score.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = score.iter().map(|x| (x - max).exp()).sum();
            for d in 0..s.value {
                let o: f64 = (0..s.kv_len)
                    .map(|j| (score[j as usize] - max).exp() / sum * at(&buffers[2], a.v, head, j, d))
                    .sum();
                buffers[out][place(a.o, head, i, d)] = store(s.dtype, o);
            }
            buffers[out + 1][place(a.lse, head, i, 0)] = store(s.computed(), max + sum.ln());
        }
    }
}

pub(crate) fn attention_backward(a: &AttentionBackward, buffers: &mut [Data], dims: &[i64]) {
    let (s, o) = (&a.shape, a.shape.inputs() as usize);
    let (lse, d_o, dq, dk, dv) = (o + 1, o + 2, o + 3, o + 4, o + 5);
    for head in heads(s) {
        for (len, row, strides, out) in
            [(s.q_len, s.head, a.dq, dq), (s.kv_len, s.head, a.dk, dk), (s.kv_len, s.value, a.dv, dv)]
        {
            // The gradients of keys and values are sums over the group.
            if out == dq || head[2] == 0 {
                (0..len * row).for_each(|e| buffers[out][place(strides, head, e / row, e % row)] = 0.0);
            }
        }
        for i in 0..s.q_len {
            let lse = at(&buffers[lse], a.lse, head, i, 0);
            let p: Data = scores(s, [a.q, a.k], buffers, dims, head, i).iter().map(|x| (x - lse).exp()).collect();
            let delta: f64 =
                (0..s.value).map(|d| at(&buffers[o], a.o, head, i, d) * at(&buffers[d_o], a.d_o, head, i, d)).sum();
            for j in 0..s.kv_len {
                let dp: f64 =
                    (0..s.value).map(|d| at(&buffers[d_o], a.d_o, head, i, d) * at(&buffers[2], a.v, head, j, d)).sum();
                let ds = p[j as usize] * (dp - delta) * s.scale();
                for d in 0..s.head {
                    let (q, k) = (at(&buffers[0], a.q, head, i, d), at(&buffers[1], a.k, head, j, d));
                    buffers[dq][place(a.dq, head, i, d)] += ds * k;
                    buffers[dk][place(a.dk, head, j, d)] += ds * q;
                }
                for d in 0..s.value {
                    buffers[dv][place(a.dv, head, j, d)] += p[j as usize] * at(&buffers[d_o], a.d_o, head, i, d);
                }
            }
        }
    }
}

pub(crate) fn segment_sort(s: &SegmentSort, buffers: &mut [Data], dims: &[i64]) {
    let start = if s.sharded { dims[0] } else { 0 };
    let row = |i: usize| (buffers[0][i] as i64).clamp(0, s.total as i64 - 1) - start;
    let rows: Vec<i64> = (0..s.count as usize).map(row).collect();
    let mut next = 0;
    for r in 0..s.rows as usize {
        buffers[2][r] = next as f64;
        for (i, _) in rows.iter().enumerate().filter(|(_, x)| **x == r as i64) {
            buffers[1][next] = i as f64;
            next += 1;
        }
    }
    buffers[2][s.rows as usize] = next as f64;
}

pub(crate) fn scatter_rows(s: &ScatterRows, buffers: &mut [Data]) {
    for r in 0..s.rows as usize {
        for c in 0..s.cols as usize {
            let segment = buffers[1][r] as usize..buffers[1][r + 1] as usize;
            let sum: f64 = segment.map(|q| buffers[2][buffers[0][q] as usize * s.update_stride as usize + c]).sum();
            buffers[3][r * s.out_stride as usize + c] = store(s.dtype, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::tf32;

    #[test]
    fn tf32_is_the_nearest() {
        let ulp = f64::powi(2.0, -10);
        assert_eq!([1.0, 1.0 + ulp, -1.5].map(tf32), [1.0, 1.0 + ulp, -1.5]);
        // Below the middle, in the middle (away from zero), above it.
        assert_eq!([0.49, 0.5, 0.51].map(|x| tf32(1.0 + x * ulp)), [1.0, 1.0 + ulp, 1.0 + ulp]);
        assert_eq!(tf32(-(1.0 + 0.5 * ulp)), -(1.0 + ulp));
        assert!(
            tf32(f64::NAN).is_nan()
                && tf32(f64::INFINITY) == f64::INFINITY
                && tf32(f64::from(f32::MAX)) == f64::INFINITY
        );
    }
}
