//! The first few elements of each row by size. On CPUs few of them are selected in one pass, and rows are sorted by merging where
//! many are asked for; on GPUs rows are sorted by digits, or searched where few are asked for.

use super::kernel::{Arg, BufferRole, Kernel, SpecError};
use crate::args::arg;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::gpu::sort::{Radix, digit_of};
use crate::emit::gpu::turns::{over_block, turns};
use crate::emit::scatter::{load_index, store_index};
use crate::emit::selection;
use crate::emit::sort_key::{key_of, store_result};
use crate::expr::{DType, Reduction};
use crate::gpu::{GpuArch, WARP};
use crate::grid::Grid;
use crate::grid::sort::{BITS, THREADS};
use crate::reference::Data;
use crate::target::Target;
use crate::verify::{ensure, space};
use std::fmt::{Formatter, Result as Written};

/// Rows shorter than this are searched by a warp.
const SHORT_ROW: u64 = 1024;

/// The first `k` of each row of `n` elements by size, NaN being the largest and ties in the order of their positions: the elements,
/// or their positions. Buffers: x, out, both dense. A unit is a row.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TopK {
    pub dtype: DType,
    pub rows: u64,
    pub n: u64,
    pub k: u64,
    pub largest: bool,
    pub indices: bool,
}

/// The longest list that is kept sorted while a row is read, on CPUs.
const SELECTED: u64 = 128;

impl TopK {
    /// Whether a CPU keeps the first few of a row while it reads it: keys and positions fit a word together, and a list is shorter
    /// than its row.
    fn is_selected(&self) -> bool {
        self.dtype.computed().bytes() <= 4 && self.k <= SELECTED && 2 * self.k <= self.n
    }

    /// Two lists of positions, written in turn.
    fn lists_bytes(&self) -> u64 {
        8 * self.n.max(1)
    }

    /// Passes over the row: the first merges runs of one.
    pub fn passes(&self) -> u32 {
        u64::BITS - self.n.saturating_sub(1).leading_zeros()
    }

    pub fn out_dtype(&self) -> DType {
        if self.indices { DType::I32 } else { self.dtype }
    }

    /// Whether the first few are found one by one: keys and positions fit a word together, and rounds are fewer than what sorting
    /// takes.
    fn is_searched(&self) -> bool {
        self.dtype.computed().bytes() <= 4 && self.k <= 32
    }
}

impl Kernel for TopK {
    fn kind(&self) -> &'static str {
        "top_k"
    }

    fn text(&self, f: &mut Formatter<'_>) -> Written {
        let order = if self.largest { "largest" } else { "smallest" };
        let what = if self.indices { " indices" } else { "" };
        writeln!(f, "top_k {} [{}, {}] {order} {}{what}", self.dtype.name(), self.rows, self.n, self.k)
    }

    fn verify(&self) -> Result<(), SpecError> {
        space(&[self.rows, self.n])?;
        ensure(self.n <= i32::MAX as u64, || "top_k: more than i32 can count".into())?;
        let fits = self.k <= self.n && self.dtype != DType::Bool;
        ensure(fits, || format!("top_k: the first {} of {}", self.k, self.n))
    }

    fn args(&self) -> Vec<Arg> {
        let (read, written) = (self.rows * self.n, self.rows * self.k);
        vec![arg("x", self.dtype, BufferRole::Read, read), arg("out", self.out_dtype(), BufferRole::Write, written)]
    }

    fn units(&self) -> u64 {
        self.rows
    }

    fn flops(&self) -> u64 {
        self.rows * self.n * u64::from(self.passes())
    }

    fn reference(&self, buffers: &mut [Data], _: &[i64]) {
        reference(self, buffers);
    }

    fn emit(&self, b: &mut Builder, target: &Target) -> Result<(), SpecError> {
        if self.is_selected() {
            selection::emit(b, self, target);
        } else {
            merge(b, self);
        }
        Ok(())
    }

    fn grid(&self, _: GpuArch, _: bool) -> Option<Grid> {
        if self.is_searched() {
            return Some(Grid::by_blocks(self.rows, 1, search_threads(self.n), 1));
        }
        let workspace = self.lists_bytes().next_multiple_of(64);
        Some(Grid { workspace, ..Grid::by_blocks(self.rows, 1, THREADS, 1) })
    }

    /// Buffers: x, out. Workspace of those that are sorted: two lists of positions.
    fn emit_gpu(&self, b: &mut Builder, grid: &Grid) -> Result<(), SpecError> {
        if self.is_searched() {
            search(b, self, grid);
        } else {
            sort(b, self, grid);
        }
        Ok(())
    }

    /// Of a CPU.
    fn scratch_bytes(&self) -> u64 {
        if self.is_selected() { 8 * selection::list(self.k) } else { self.lists_bytes() }
    }
}

/// Threads of a block that searches a row.
fn search_threads(n: u64) -> u32 {
    if n <= SHORT_ROW { WARP as u32 } else { 256 }
}

fn reference(s: &TopK, buffers: &mut [Data]) {
    let (n, k) = (s.n as usize, s.k as usize);
    for row in 0..s.rows as usize {
        let x = buffers[0][row * n..(row + 1) * n].to_vec();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| {
            let by_size = match (x[i].is_nan(), x[j].is_nan()) {
                (false, false) => x[i].partial_cmp(&x[j]).unwrap_or(std::cmp::Ordering::Equal),
                (a, b) => a.cmp(&b),
            };
            if s.largest { by_size.reverse() } else { by_size }
        });
        for (r, &i) in order.iter().take(k).enumerate() {
            buffers[1][row * k + r] = if s.indices { i as f64 } else { x[i] };
        }
    }
}

/// Buffers: x, out. Scratch: two lists of positions.
fn merge(b: &mut Builder, s: &TopK) {
    let (x, out) = (Buf::arg(0, s.dtype), Buf::arg(1, s.out_dtype()));
    let computed = ElemKind::value(s.dtype.computed());
    let scratch = b.scratch(ElemKind::I32);
    let n = Ix::from(s.n);
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| {
        let base = b.scale(unit, s.n as i64);
        b.loop_(Ix::ZERO, n, 1, |b, i| store_index(b, i, scratch, i));
        let (mut from, mut to) = (0, s.n as i64);
        for pass in 0..s.passes() {
            let width = 1i64 << pass;
            b.loop_(Ix::ZERO, n, 2 * width as u64, |b, start| {
                let middle = b.min(start.plus(width), n);
                let end = b.min(start.plus(2 * width), n);
                let (i, j) = (b.ix(start), b.ix(middle));
                b.for_(start, end, 1, &[i, j], |b, place, at| {
                    let (i, j) = (Ix::from(at[0]), Ix::from(at[1]));
                    // Beyond the end of a run anything may be read, as long as it is there.
                    let last = Ix::from(s.n as i64 - 1);
                    let (left_at, right_at) = (b.min(i, last), b.min(j, last));
                    let (left, right) =
                        (load_index(b, scratch, left_at.plus(from)), load_index(b, scratch, right_at.plus(from)));
                    let (u_at, v_at) = (b.add(base, left), b.add(base, right));
                    let (u, v) = (b.load(x, u_at, 0), b.load(x, v_at, 0));
                    let (u, v) = (convert(b, u, computed), convert(b, v, computed));
                    // The right one goes first only if it comes before the left one: ties keep their order.
                    let before = precedes(b, v, u, s.largest);
                    let right_is_there = b.test("slt", j, end);
                    let no_left = b.test("sge", i, middle);
                    let first = b.binary("andi", right_is_there, before);
                    let takes = b.binary("ori", no_left, first);
                    let (l, r) = (b.ix(left), b.ix(right));
                    let taken = b.select(takes, r, l);
                    store_index(b, Ix::from(taken), scratch, place.plus(to));
                    let (next_i, next_j) = (b.ix(i.plus(1)), b.ix(j.plus(1)));
                    let (i, j) = (b.ix(i), b.ix(j));
                    vec![b.select(takes, i, next_i), b.select(takes, next_j, j)]
                });
            });
            std::mem::swap(&mut from, &mut to);
        }
        let target = b.scale(unit, s.k as i64);
        b.loop_(Ix::ZERO, Ix::from(s.k), 1, |b, r| {
            let at = load_index(b, scratch, r.plus(from));
            let to = b.add(target, r);
            if s.indices {
                return store_index(b, at, out, to);
            }
            let at = b.add(base, at);
            let value = b.load(x, at, 0);
            b.store(value, out, to);
        });
    });
}

/// Whether `u` comes before `v`; NaN is larger than all numbers.
fn precedes(b: &mut Builder, u: Val, v: Val, largest: bool) -> Val {
    let (large, small) = if largest { (u, v) } else { (v, u) };
    if !b.ty(u).kind.is_float() {
        return b.compare("sgt", large, small);
    }
    let above = b.compare("ogt", large, small);
    let nan = b.compare("uno", large, large);
    let number = b.compare("ord", small, small);
    let beyond = b.binary("andi", nan, number);
    b.binary("ori", above, beyond)
}

/// What the element at a position is sorted by: see [`key_of`].
fn key(b: &mut Builder, s: &TopK, base: Ix, position: Ix) -> Val {
    let (x, computed) = (Buf::arg(0, s.dtype), ElemKind::value(s.dtype.computed()));
    let at = b.add(base, position);
    let x = b.load(x, at, 0);
    let x = convert(b, x, computed);
    key_of(b, s, x)
}

/// A key and its position are one number, so that each round's least is a reduction.
fn search(b: &mut Builder, s: &TopK, grid: &Grid) {
    let ty = Ty::scalar(ElemKind::I64);
    let threads = u64::from(grid.threads);
    let (thread, hi) = (b.thread(), b.hi());
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, row| {
        let (base, to) = (b.scale(row, s.n as i64), b.scale(row, s.k as i64));
        let (least, most) = (b.int(ty, i64::MIN), b.int(ty, i64::MAX));
        b.for_(Ix::ZERO, Ix::from(s.k), 1, &[least], |b, r, last| {
            let found = b.for_(thread, Ix::from(s.n), threads, &[most], |b, i, found| {
                let key = key(b, s, base, i);
                let (key, half) = (b.cast("extsi", key, ElemKind::I64), b.int(ty, 32));
                let key = b.binary("shli", key, half);
                let place = b.ix(i);
                let place = b.cast("index_cast", place, ElemKind::I64);
                let code = b.binary("ori", key, place);
                let after = b.compare("sgt", code, last[0]);
                let code = b.select(after, code, most);
                vec![b.binary("minsi", code, found[0])]
            });
            let found = over_block(b, &[(Reduction::Min, found[0])], threads)[0];
            let store = b.test("eq", thread, Ix::ZERO);
            b.if_(store, |b| {
                let low = b.int(ty, 0xffff_ffff);
                let place = b.binary("andi", found, low);
                let place = b.cast("index_cast", place, ElemKind::Index);
                let to = b.add(to, r);
                store_result(b, s, base, place.into(), to);
            });
            vec![found]
        });
    });
}

fn sort(b: &mut Builder, s: &TopK, grid: &Grid) {
    let radix = Radix::new(b, s.n, grid);
    let bits = 8 * s.dtype.computed().bytes();
    let (thread, hi) = (b.thread(), b.hi());
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, row| {
        let base = b.scale(row, s.n as i64);
        let sorted = radix.sort(b, bits / BITS, &|b, position, bit| {
            let key = key(b, s, base, position);
            let ty = b.ty(key);
            // What is below zero comes first.
            let sign = b.int(ty, if bits == 64 { i64::MIN } else { i32::MIN.into() });
            let key = b.binary("xori", key, sign);
            digit_of(b, key, bit)
        });
        let to = b.scale(row, s.k as i64);
        b.loop_(thread, Ix::from(s.k), THREADS.into(), |b, r| {
            let at = b.add(sorted, r);
            let position = load_index(b, radix.space, at);
            let to = b.add(to, r);
            store_result(b, s, base, position, to);
        });
        b.barrier();
    });
}
