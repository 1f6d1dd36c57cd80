//! Tensor cores: fragments of matrices in the registers of a warp (`ldmatrix`, `mma.sync`), and products of a warpgroup with operands in
//! shared memory (`wgmma`).
//!
//! Sums of one instruction are exact to f64 and rounded once. GPUs round them in their own ways, which no manual defines. Sums of integers
//! wrap.

use crate::block::Block;
use crate::clock::{Accessor, PRODUCTS};
use crate::decode::{Op, Wgmma};
use crate::memory::Shared;
use crate::number::{from_bf16, from_f8, from_f16, from_tf32};
use crate::operand::{Operand, PartType};
use crate::warp::{LANES, Product, Warp};

fn number(bits: u64, part: PartType) -> f32 {
    match part {
        PartType::F16 => from_f16(bits & 0xffff),
        PartType::Bf16 => from_bf16(bits & 0xffff),
        PartType::Tf32 => from_tf32(bits),
        PartType::E4m3 => from_f8(bits & 0xff, true),
        PartType::E5m2 => from_f8(bits & 0xff, false),
        PartType::S8 => f32::from(bits as i8),
        PartType::U8 => f32::from(bits as u8),
    }
}

/// The numbers of a register.
fn numbers(register: u64, part: PartType) -> impl Iterator<Item = f32> {
    let bits = part.bytes() as u32 * 8;
    (0..32 / bits).map(move |i| number(register >> (i * bits), part))
}

/// 16 rows of the first operand from the registers of a warp: `[row][k]`. A register holds four bytes of a row; the second one is
/// eight rows below, the third and fourth 16 bytes further along k.
fn rows_of(registers: &[[u64; LANES]], part: PartType) -> Vec<Vec<f32>> {
    let each = 4 / part.bytes() as usize;
    let mut rows = vec![vec![0.0; registers.len() / 2 * 4 * each]; 16];
    for (i, register) in registers.iter().enumerate() {
        for (lane, bits) in register.iter().enumerate() {
            let (row, k) = (lane / 4 + 8 * (i % 2), (lane % 4 + 4 * (i / 2)) * each);
            numbers(*bits, part).enumerate().for_each(|(j, x)| rows[row][k + j] = x);
        }
    }
    rows
}

/// Eight columns of the second operand: `[column][k]`.
fn columns_of(registers: &[[u64; LANES]], part: PartType) -> Vec<Vec<f32>> {
    let each = 4 / part.bytes() as usize;
    let mut columns = vec![vec![0.0; registers.len() * 4 * each]; 8];
    for (i, register) in registers.iter().enumerate() {
        for (lane, bits) in register.iter().enumerate() {
            let (column, k) = (lane / 4, (lane % 4 + 4 * i) * each);
            numbers(*bits, part).enumerate().for_each(|(j, x)| columns[column][k + j] = x);
        }
    }
    columns
}

/// Row and column of a lane's value in the register `i` of a result: pairs of columns, then eight rows below, then the next eight columns.
fn place(lane: usize, i: usize) -> (usize, usize) {
    (lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2)
}

/// The bits of a sum to which products are added: f32, or 32 bits of an integer, which wrap.
pub fn product(row: &[f32], column: &[f32], start: u32, integers: bool) -> u32 {
    let sum: f64 = row.iter().zip(column).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    match integers {
        // Sums of one instruction are far below 2^24.
        true => start.wrapping_add_signed(sum as i32),
        false => ((sum + f64::from(f32::from_bits(start))) as f32).to_bits(),
    }
}

/// An operand in shared memory, as a descriptor says.
pub struct Described {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a row that is permuted, and 16 without.
    width: u64,
}

impl Described {
    fn of(d: u64) -> Result<Described, String> {
        let bytes = |from: u32| (d >> from & 0x3fff) << 4;
        if d >> 49 & 7 != 0 {
            return Err("a descriptor with a base offset, which is not known here".into());
        }
        let width = match d >> 62 {
            0 => 16,
            1 => 128,
            2 => 64,
            _ => 32,
        };
        Ok(Described { start: bytes(0), leading: bytes(16), stride: bytes(32), width })
    }

    /// The same for `tcgen05`: its swizzle has a bit more, and some bits are fixed.
    ///
    /// # Errors
    /// What the manual excludes, and what is not known here.
    pub fn of_tensor(d: u64) -> Result<Described, String> {
        let wrong = |what: &str| Err(format!("a descriptor {d:#x} of shared memory: {what}"));
        if d >> 46 & 7 != 1 {
            return wrong("bits 46 to 48 are not 1");
        }
        // The base offset, the mode of the leading dim, and what has to be 0.
        if d >> 49 & 0xfff != 0 || d >> 14 & 3 != 0 || d >> 30 & 3 != 0 {
            return wrong("fields that are not known here");
        }
        let bytes = |from: u32| (d >> from & 0x3fff) << 4;
        let width = match d >> 61 {
            0 => 16,
            2 => 128,
            4 => 64,
            6 => 32,
            _ => return wrong("its swizzle"),
        };
        Ok(Described { start: bytes(0), leading: bytes(16), stride: bytes(32), width })
    }

    /// Where the 16 bytes lie that hold the element `(index, k)`, both in bytes along their dim where they lie together: of an operand whose rows
    /// lie along k, or across.
    fn chunk(&self, row: u64, chunk: u64, along_k: bool) -> u64 {
        let per_row = self.width / 16;
        let offset = match (along_k, self.width) {
            // Eight rows of 16 bytes are together; `leading` goes along k, `stride` to the next eight rows.
            (true, 16) => row % 8 * 16 + row / 8 * self.stride + chunk * self.leading,
            (true, w) => row % 8 * w + row / 8 * self.stride + chunk % per_row * 16 + chunk / per_row * self.leading,
            // Here `row` counts along k, and `chunk` along the other dim.
            (false, 16) => row % 8 * 16 + row / 8 * self.leading + chunk * self.stride,
            (false, w) => row % 8 * w + row / 8 * self.stride + chunk % per_row * 16 + chunk / per_row * self.leading,
        };
        let at = self.start + offset;
        at ^ (at >> 7 & (per_row - 1)) << 4
    }
}

impl Block<'_> {
    /// `ldmatrix` and `mma.sync`.
    ///
    /// # Errors
    /// What is not defined.
    pub fn matrix(&mut self, w: &mut Warp, op: &Op) -> Result<(), String> {
        match op {
            Op::LoadMatrix { d, transposed, from } => {
                let mut places = w.values(from.base, u32::MAX)?;
                for at in &mut places {
                    *at = self.own_place(at.wrapping_add_signed(from.offset) & 0xffff_ffff)?;
                }
                for (i, d) in d.iter().enumerate() {
                    // Eight lanes give the rows of each matrix of 8 by 8 values of 16 bits.
                    let mut rows = [[0u16; 8]; 8];
                    for (r, row) in rows.iter_mut().enumerate() {
                        let lane = i * 8 + r;
                        let at = places[lane];
                        if !at.is_multiple_of(16) {
                            return Err(format!("thread {} reads 16 bytes at {at:#x}", w.thread(lane)));
                        }
                        let found = self.shared.read(at, 16, &w.accessor(lane));
                        let found = found.map_err(|why| format!("thread {} reads {why}", w.thread(lane)))?;
                        row.iter_mut().zip(found.as_chunks().0).for_each(|(x, b)| *x = u16::from_le_bytes(*b));
                    }
                    let at = |r: usize, c: usize| u64::from(if *transposed { rows[c][r] } else { rows[r][c] });
                    let out = std::array::from_fn(|l| at(l / 4, 2 * (l % 4)) | at(l / 4, 2 * (l % 4) + 1) << 16);
                    w.set(*d, u32::MAX, &out)?;
                }
                Ok(())
            }
            Op::Mma { a, b, d, first, second, c, .. } => {
                let all = |o: &[Operand]| o.iter().map(|o| w.values(*o, u32::MAX)).collect::<Result<Vec<_>, _>>();
                let (rows, columns, start) = (rows_of(&all(first)?, *a), columns_of(&all(second)?, *b), all(c)?);
                let mut out = [[0; LANES]; 4];
                for (i, out) in out.iter_mut().enumerate() {
                    for lane in 0..LANES {
                        let (row, column) = place(lane, i);
                        let sum = product(&rows[row], &columns[column], start[i][lane] as u32, a.is_integer());
                        out[lane] = u64::from(sum);
                    }
                }
                d.iter().zip(&out).try_for_each(|(d, out)| w.set(*d, u32::MAX, out))
            }
            _ => Err("no matrix".into()),
        }
    }

    /// The part that a warp has in what its warpgroup does.
    ///
    /// # Errors
    /// What is not defined.
    pub fn warpgroup(&mut self, w: &mut Warp, op: &Op) -> Result<(), String> {
        if w.live() != u32::MAX {
            return Err("some lanes of the warp have ended".into());
        }
        match op {
            Op::WgmmaFence => w.fence = w.steps,
            Op::WgmmaCommit => w.products.push_back(Vec::new()),
            Op::WgmmaWait(left) => {
                while w.products.len() as u64 - 1 > *left {
                    for p in w.products.pop_front().unwrap_or_default() {
                        p.reads.iter().for_each(|(at, bytes)| self.shared.product_ends(*at, *bytes));
                        p.registers.iter().for_each(|r| w.flying[*r as usize] -= 1);
                        w.clock.0[PRODUCTS + w.agent] = p.number;
                        // They count as written now.
                        p.registers.iter().for_each(|r| w.written[*r as usize] = w.steps);
                    }
                }
            }
            Op::Wgmma(g) => return self.wgmma(w, g),
            _ => return Err("no part of a warpgroup's".into()),
        }
        Ok(())
    }

    fn wgmma(&mut self, w: &mut Warp, g: &Wgmma) -> Result<(), String> {
        let keep = w.value(g.keep, 0)? & 1 == 1;
        let inputs = g.first.iter().filter(|_| g.in_registers).filter_map(|o| match o {
            Operand::Register(r) => Some(*r),
            _ => None,
        });
        for r in g.d.iter().copied().chain(inputs) {
            let flies = w.flying[r as usize] > 0;
            if !flies && w.written[r as usize] > w.fence {
                return Err(format!("no wgmma.fence came after register {} was written", w.name(r)));
            }
            if g.first.contains(&Operand::Register(r)) && flies {
                return Err(format!(
                    "register {} is an operand, and a matrix product that writes it was not waited for",
                    w.name(r)
                ));
            }
        }
        let mut reads = Vec::new();
        let mut rows = if g.in_registers {
            let all: Vec<_> = g.first.iter().map(|o| w.values(*o, u32::MAX)).collect::<Result<_, _>>()?;
            rows_of(&all, g.a)
        } else {
            // This warp's 16 of 64 rows.
            let from = (w.index % 4) as u64 * 16;
            let d = Described::of(w.value(g.first[0], 0)?)?;
            let rows = OperandPart { from, count: 16, k: g.k.into(), part: g.a, along_k: !g.transposed[0] };
            self.shared.described(&w.product(), &d, rows, &mut reads)?
        };
        let d = Described::of(w.value(g.second, 0)?)?;
        let columns = OperandPart { from: 0, count: g.n.into(), k: g.k.into(), part: g.b, along_k: !g.transposed[1] };
        let columns = self.shared.described(&w.product(), &d, columns, &mut reads)?;
        if g.negate[0] != g.negate[1] {
            rows.iter_mut().flatten().for_each(|x| *x = -*x);
        }
        for (i, d) in g.d.iter().enumerate() {
            let d = *d as usize;
            if keep && w.known[d] != u32::MAX {
                return Err(format!("register {} has no value", w.name(d as u32)));
            }
            for lane in 0..LANES {
                let (row, column) = place(lane, i);
                let start = if keep { w.registers[d][lane] as u32 } else { 0 };
                w.registers[d][lane] = u64::from(product(&rows[row], &columns[column], start, g.a.is_integer()));
            }
            w.known[d] = u32::MAX;
            w.flying[d] += 1;
        }
        reads.iter().for_each(|(at, bytes)| self.shared.product_begins(*at, *bytes));
        w.made += 1;
        let product = Product { reads, registers: g.d.clone(), number: w.made };
        if let Some(group) = w.products.back_mut() {
            group.push(product);
        }
        Ok(())
    }
}

/// What is read of an operand of a matrix product: `count` indices from `from` on, each of `k` elements.
pub struct OperandPart {
    pub from: u64,
    pub count: u64,
    pub k: u64,
    pub part: PartType,
    /// Lines of chunks lie along `k`, for each index; else along the indices, for each step of `k`.
    pub along_k: bool,
}

impl Shared {
    /// Reads an operand of a matrix product: `[index][k]`. Notes in `reads` what it read.
    ///
    /// # Errors
    /// What is not defined.
    pub fn described(
        &mut self,
        by: &Accessor<'_>,
        d: &Described,
        wanted: OperandPart,
        reads: &mut Vec<(u64, u64)>,
    ) -> Result<Vec<Vec<f32>>, String> {
        let OperandPart { from, count, k, part, along_k } = wanted;
        let each = 16 / part.bytes();
        let mut out = vec![vec![0.0; k as usize]; count as usize];
        let (lines, chunks) =
            if along_k { (from..from + count, 0..k / each) } else { (0..k, from / each..(from + count) / each) };
        for line in lines {
            for chunk in chunks.clone() {
                let at = d.chunk(line, chunk, along_k);
                let found = self.read(at, 16, by).map_err(|why| format!("the product reads {why}"))?;
                for (i, bytes) in found.chunks(part.bytes() as usize).enumerate() {
                    let mut whole = [0; 8];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    let x = number(u64::from_le_bytes(whole), part);
                    let (index, k) = match along_k {
                        true => (line - from, chunk * each + i as u64),
                        false => (chunk * each + i as u64 - from, line),
                    };
                    out[index as usize][k as usize] = x;
                }
                reads.push((at, 16));
            }
        }
        Ok(out)
    }
}
