//! What a GPU does in the background, as late as its threads allow: copies to shared memory are made at the wait for them, products of
//! warpgroups at theirs, with what then lies where they read. A stage that is filled before its readers are done shows as a wrong
//! result, and so does one that is read before it is filled. Two copies to the same bytes have no order, not even of one thread: the
//! second may not begin before the first is there.

use super::{MAIL_WORDS, MmaType, call, factor};
use std::collections::{BTreeSet, VecDeque};

/// Bytes of a copy.
const CHUNK: usize = 16;

struct Copy {
    to: usize,
    from: usize,
    bytes: usize,
}

/// 32 bytes along `k` of a warpgroup's products.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Products {
    descriptors: [u64; 2],
    cols: usize,
    factors: [u32; 2],
    across: [bool; 2],
    /// Where the sums begin among the thread's.
    first: usize,
    in_registers: bool,
}

/// Instructions of a thread, each with the thread's registers of the first factor.
type Group = Vec<(Products, [u32; 4])>;

#[derive(Default)]
struct Thread {
    begun: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
    multiplied: Group,
    products: VecDeque<Group>,
    /// It wrote what tensor cores may not see yet.
    unfenced: bool,
}

pub struct Later {
    threads: Vec<Thread>,
    /// Where copies go that are on their way.
    flying: BTreeSet<usize>,
    /// Some thread was so when all met.
    unfenced: bool,
}

pub fn long(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}

impl Later {
    pub fn new(threads: usize) -> Later {
        Later { threads: (0..threads).map(|_| Thread::default()).collect(), flying: BTreeSet::new(), unfenced: false }
    }

    /// Whether the call needs no other threads; they are waited for otherwise.
    pub fn call(&mut self, why: i64, thread: usize, mail: &mut [u32; MAIL_WORDS], shared: *mut u8) -> bool {
        let t = &mut self.threads[thread];
        match why {
            call::COPY => {
                let (to, from, bytes) = (mail[0] as usize, long(&mail[1..3]) as usize, mail[3] as usize);
                assert!(to.is_multiple_of(CHUNK) && (bytes == 0 || bytes == CHUNK), "a copy of {bytes} bytes to {to}");
                assert!(self.flying.insert(to), "a copy to byte {to} of shared memory, to which another is on its way");
                t.begun.push(Copy { to, from, bytes });
            }
            call::COMMIT_COPIES => t.groups.push_back(std::mem::take(&mut t.begun)),
            call::WAIT_COPIES => {
                while t.groups.len() > mail[0] as usize {
                    for copy in t.groups.pop_front().into_iter().flatten() {
                        self.flying.remove(&copy.to);
                        // SAFETY: the kernel's own addresses; what it reads in vain ends at a page that cannot be read.
                        unsafe {
                            let to = shared.add(copy.to);
                            to.write_bytes(0, CHUNK);
                            to.copy_from_nonoverlapping(copy.from as *const u8, copy.bytes);
                        }
                        t.unfenced = true;
                    }
                }
            }
            call::FENCE_ASYNC => t.unfenced = false,
            call::PRODUCTS => {
                assert!(!self.unfenced, "tensor cores read what was written without a fence");
                let m = &*mail;
                let product = Products {
                    descriptors: [long(&m[0..2]), long(&m[2..4])],
                    cols: m[4] as usize,
                    factors: [m[6], m[7]],
                    across: [m[5] & 1 != 0, m[5] & 2 != 0],
                    in_registers: m[8] != 0,
                    first: m[9] as usize,
                };
                t.multiplied.push((product, [m[10], m[11], m[12], m[13]]));
            }
            call::COMMIT_PRODUCTS => t.products.push_back(std::mem::take(&mut t.multiplied)),
            _ => return false,
        }
        true
    }

    pub fn barrier(&mut self) {
        self.unfenced = self.threads.iter().any(|t| t.unfenced);
    }

    /// All threads of a warpgroup wait: the groups that have to be there are multiplied.
    pub fn multiply(&mut self, mail: &mut [[u32; MAIL_WORDS]], first: usize, shared: *const u8) {
        let pending = mail[0][0] as usize;
        while self.threads[first].products.len() > pending {
            let groups: Vec<Group> =
                (0..128).map(|t| self.threads[first + t].products.pop_front().unwrap_or_default()).collect();
            for (i, (p, _)) in groups[0].iter().enumerate() {
                let alike = |g: &Group| g.len() == groups[0].len() && g[i].0 == *p;
                assert!(groups.iter().all(alike), "threads of a warpgroup multiply other things");
                let registers: Vec<[u32; 4]> = groups.iter().map(|g| g[i].1).collect();
                product(p, &registers, mail, shared);
            }
        }
    }
}

/// Byte in shared memory of an element: lines of 128 bytes, of a row or of 64 rows, in the order of the manual's table for the
/// 128-byte swizzle.
pub fn element(descriptor: u64, across: bool, row: u64, k: u64, bytes: u64) -> usize {
    assert_eq!(descriptor >> 62, 1, "the 128-byte swizzle");
    let field = |at: u32| (descriptor >> at & 0x3fff) * 16;
    let (leading, stride) = (field(16), field(32));
    // The emulation's shared memory is longer than a GPU's: the address has two bits more, which are 0 there.
    let start = (descriptor & 0xffff) * 16;
    let at = if across {
        assert_eq!(bytes, 2, "only operands of 16 bits lie across");
        start + row / 64 * leading + row % 64 * 2 + k / 8 * stride + k % 8 * 128
    } else {
        start + row / 8 * stride + row % 8 * 128 + k * bytes
    };
    (at ^ (at >> 7 & 7) << 4) as usize
}

/// `wgmma` of `64 x cols x 16`, or 32 deep; the sums begin at word 1.
fn product(p: &Products, registers: &[[u32; 4]], mail: &mut [[u32; MAIL_WORDS]], shared: *const u8) {
    let f = MmaType::ALL[p.factors[0] as usize];
    let read = |which: usize, row: usize, k: u64| {
        let at = element(p.descriptors[which], p.across[which], row as u64, k, f.bytes());
        // SAFETY: descriptors name shared memory, or the kernel is wrong.
        let bits =
            (0..f.bytes()).rev().fold(0, |bits, i| unsafe { bits << 8 | u32::from(*shared.add(at + i as usize)) });
        factor(p.factors[which], bits)
    };
    let matrix = |which: usize, rows: usize| -> Vec<Vec<f64>> {
        (0..rows).map(|row| (0..f.depth()).map(|k| read(which, row, k)).collect()).collect()
    };
    let a = if p.in_registers { fragments(p.factors[0], registers) } else { matrix(0, 64) };
    let b = matrix(1, p.cols);
    for (thread, m) in mail.iter_mut().enumerate() {
        let (warp, lane) = (thread / 32, thread % 32);
        for i in 0..p.cols / 2 {
            let row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
            let col = 8 * (i / 4) + lane % 4 * 2 + i % 2;
            let to = &mut m[1 + p.first + i];
            *to = added(f, *to, &a[row], &b[col]);
        }
    }
}

/// The bits of a sum with a row's products by a column: f32, or an integer, which wraps.
pub fn added(f: MmaType, sum: u32, row: &[f64], col: &[f64]) -> u32 {
    let products: f64 = row.iter().zip(col).map(|(a, b)| a * b).sum();
    match f.is_integer() {
        true => sum.wrapping_add_signed(products as i32),
        false => ((f64::from(f32::from_bits(sum)) + products) as f32).to_bits(),
    }
}

/// 64 rows from the registers of four warps, by the manual's figure of the first factor's fragments.
fn fragments(of: u32, registers: &[[u32; 4]]) -> Vec<Vec<f64>> {
    let f = MmaType::ALL[of as usize];
    let per_word = 4 / f.bytes() as usize;
    let mut rows = vec![vec![0.0; f.depth() as usize]; 64];
    for (thread, words) in registers.iter().enumerate() {
        let (warp, lane) = (thread / 32, thread % 32);
        for (i, word) in words.iter().enumerate() {
            let (row, k) = (16 * warp + lane / 4 + 8 * (i % 2), (lane % 4 + 4 * (i / 2)) * per_word);
            (0..per_word).for_each(|j| rows[row][k + j] = factor(of, word >> (j * 32 / per_word)));
        }
    }
    rows
}
