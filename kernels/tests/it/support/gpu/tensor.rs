//! Tensor memory of Blackwell: columns of 128 sums, products that put sums there in the background, and loads of warps. Products are done as
//! late as they may, when no thread can go on and no box is under way; or as early, when they are begun. So sums that are read too early show
//! as columns without a value or as wrong results, and so does a stage that is overwritten before its products are done.
//!
//! Not here: fences, which the interpreter of PTX holds against what the manual says.

use super::bulk::{Bulk, When};
use super::later::{added, element, long};
use super::{MAIL_WORDS, MmaType, call, factor};
use std::collections::VecDeque;

const COLUMNS: usize = 512;
const ROWS: usize = 128;

/// What a thread began.
enum Begun {
    /// Where sums go, two descriptors, the instruction's, whether it adds, and the bytes of a factor.
    Product([u32; 8]),
    Commit(u32),
}

pub struct Tensor {
    when: When,
    /// Where the block's columns begin, and how many they are.
    taken: Option<(usize, usize)>,
    /// Bits, by column.
    sums: Vec<[Option<u32>; ROWS]>,
    begun: VecDeque<Begun>,
    /// The thread that begins products.
    thread: Option<usize>,
}

impl Tensor {
    pub fn new(when: When) -> Tensor {
        Tensor { when, taken: None, sums: vec![[None; ROWS]; COLUMNS], begun: VecDeque::new(), thread: None }
    }

    /// Whether the call is one of a thread alone.
    pub fn call(
        &mut self,
        why: i64,
        thread: usize,
        mail: &[u32; MAIL_WORDS],
        bulk: &mut Bulk,
        shared: *mut u8,
    ) -> Option<bool> {
        let begun = match why {
            call::TENSOR_PRODUCT => Begun::Product(std::array::from_fn(|i| mail[i])),
            call::TENSOR_COMMIT => Begun::Commit(mail[0]),
            call::TENSOR_FENCE_BEFORE | call::TENSOR_FENCE_AFTER => return Some(true),
            _ => return None,
        };
        // Products of one thread are done in order.
        assert!(self.thread.is_none_or(|t| t == thread), "two threads begin products");
        self.thread = Some(thread);
        self.begun.push_back(begun);
        while self.when == When::Early && self.advance(bulk, shared) {}
        Some(true)
    }

    /// Whether the call is one of the lanes of a warp together.
    pub fn together(&mut self, why: i64, warp: usize, mail: &mut [[u32; MAIL_WORDS]], shared: *mut u8) -> bool {
        if ![call::TENSOR_ALLOCATE, call::TENSOR_FREE, call::TENSOR_LOAD].contains(&why) {
            return false;
        }
        let [at, columns] = [mail[0][0] as usize, mail[0][1] as usize];
        assert!(mail.iter().all(|m| m[0] as usize == at), "lanes name other places");
        match why {
            call::TENSOR_ALLOCATE => {
                assert!(columns.is_power_of_two() && (32..=COLUMNS).contains(&columns), "{columns} columns");
                assert!(self.taken.is_none(), "a block takes columns twice");
                // As if another block had the first ones.
                let first = COLUMNS - columns;
                self.taken = Some((first, columns));
                // SAFETY: the kernel's own address.
                unsafe { shared.add(at).cast::<u32>().write_unaligned(first as u32) };
            }
            call::TENSOR_FREE => {
                assert!(self.begun.is_empty(), "products are under way");
                assert_eq!(self.taken.take(), Some((at, columns)), "columns that the block does not have");
            }
            _ => {
                let (lane, column) = (at >> 16, at & 0xffff);
                assert_eq!(lane, warp % 4 * 32, "warp {warp} has no rows from {lane} on");
                self.own(column, 32);
                for (row, m) in mail.iter_mut().enumerate() {
                    for (i, word) in m.iter_mut().enumerate().take(32) {
                        let sum = self.sums[column + i][lane + row];
                        *word = sum.unwrap_or_else(|| panic!("column {} has no value", column + i));
                    }
                }
            }
        }
        true
    }

    fn own(&self, column: usize, count: usize) {
        let (first, columns) = self.taken.expect("the block has columns");
        assert!(column >= first && column + count <= first + columns, "columns {column} and the next {count}");
    }

    /// Does what was begun first, if anything is under way.
    pub fn advance(&mut self, bulk: &mut Bulk, shared: *mut u8) -> bool {
        match self.begun.pop_front() {
            None => return false,
            Some(Begun::Product(words)) => self.product(&words, shared),
            Some(Begun::Commit(barrier)) => {
                let mut mail = [0; MAIL_WORDS];
                mail[0] = barrier;
                bulk.call(call::ARRIVE, &mail, shared);
            }
        }
        true
    }

    fn product(&mut self, words: &[u32; 8], shared: *const u8) {
        let (to, instruction, bytes) = (words[0] as usize, words[5], words[7]);
        let field = |at: u32, bits: u32| instruction >> at & ((1 << bits) - 1);
        let cols = field(17, 6) as usize * 8;
        assert_eq!((field(24, 5), to >> 16), (8, 0), "128 rows, from the first lane on");
        assert_eq!(instruction & !(0x3f_0000_u32 << 1 | 0x1f << 24 | 3 << 4 | 0x3f << 7 | 3 << 15), 0, "other fields");
        self.own(to, cols);
        // What the sums are says of which kind the instruction is.
        let all = match (field(4, 2), bytes) {
            (1, 1) => [MmaType::E4m3, MmaType::E5m2],
            (1, 2) => [MmaType::F16, MmaType::Bf16],
            (2, 1) => [MmaType::U8, MmaType::S8],
            other => panic!("sums and bytes {other:?}"),
        };
        let operand = |which: usize, rows: usize| -> Vec<Vec<f64>> {
            let descriptor = long(&words[1 + 2 * which..]);
            assert_eq!(descriptor >> 46 & 0x7fff, 1, "the fixed bits");
            let (of, across) = (all[field(7 + 3 * which as u32, 3) as usize], field(15 + which as u32, 1) == 1);
            let number = |row: usize, k: u64| {
                let at = element(descriptor, across, row as u64, k, of.bytes());
                // SAFETY: descriptors name shared memory, or the kernel is wrong.
                let byte = |i: u64| unsafe { u32::from(*shared.add(at + i as usize)) };
                factor(of as u32, (0..of.bytes()).rev().fold(0, |bits, i| bits << 8 | byte(i)))
            };
            (0..rows).map(|row| (0..of.depth()).map(|k| number(row, k)).collect()).collect()
        };
        let (a, b) = (operand(0, ROWS), operand(1, cols));
        for (col, b) in b.iter().enumerate() {
            for (sum, a) in self.sums[to + col].iter_mut().zip(&a) {
                let before = if words[6] == 1 { sum.expect("sums to add to") } else { 0 };
                *sum = Some(added(all[0], before, a, b));
            }
        }
    }

    /// The block ended.
    pub fn end(&self) {
        assert!(self.begun.is_empty(), "products that nobody waited for");
        assert!(self.taken.is_none(), "columns that were not given back");
    }
}
