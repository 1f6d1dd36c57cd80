//! Ring attention (Liu et al., 2023): queries and keys in blocks, keys going round the blocks of queries.
//!
//! Softmax over all keys follows from softmax over some of them and over the others, if the log-sum-exp of each is known. So
//! block `i` of the queries meets block `i` of the keys first, and then the blocks before it, one in each iteration of a loop in
//! which keys and values move to the next block. With a causal mask, only the blocks up to `i` count. The gradient of scores needs
//! the log-sum-exp of all keys, which the forward pass kept; so the gradients of all blocks add up, and those of keys and values
//! move along with these.
//!
//! The right side is written down completely, as a program (`contiguous`, `zigzag`), and the values must be that program. A composite in
//! it must mean what its name says ([`kernels::meaning`]).
//!
//! With a causal mask, blocks may have a chunk from each end of the sequence, so that all have the same work ([`zigzag`]).
//!
//! Zeros fill the last block. With a causal mask no query sees them, and a query of zeros whose results and gradients are zeros
//! adds nothing to any gradient. Without one they would be keys, so blocks must divide.
//!
//! Not here: windows and segments, which would leave queries without a key in some block.

mod blocks;
mod contiguous;
mod same;
mod zigzag;

use super::attend::AttentionBody;
use super::{Law, LawCx, sample};
use crate::kernels::{self, Meaning};
use blocks::RightSide;
use meshloom_ir::random::Rng;
use meshloom_ir::table::composite::{Attention, BLOCKED, DENSE, GROUPED, Pass};
use meshloom_ir::{Builder, Def, Func, Mesh, Op, Port, Role, TensorType, ValueId};
use std::collections::BTreeMap;

pub const LAWS: &[Law] = &[
    Law {
        name: "ring-attention",
        law: "attention is that of each block of queries with one block of keys after the other, put together by their log-sum-exp",
        reassociates: true,
        check: |cx, a, b| follows(cx, a, b, Order::Contiguous),
        sample: |rng, b| instance(rng, b, Order::Contiguous),
    },
    Law {
        name: "zigzag-attention",
        law: "causal attention is that of blocks of two chunks, one from each end of the sequence, which meet two chunks of keys at a time",
        reassociates: true,
        check: |cx, a, b| follows(cx, a, b, Order::Zigzag),
        sample: |rng, b| instance(rng, b, Order::Zigzag),
    },
];

/// Which positions a block has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Contiguous,
    /// A chunk from the front of the sequence and one from its back.
    Zigzag,
}

/// Ops between a result and the loop that it comes from, at most.
const BEHIND: usize = 16;

fn follows(cx: &LawCx<'_>, a: ValueId, b: ValueId, order: Order) -> bool {
    let Def::Op(o, result) = cx.func.value(a).def else { return false };
    let data = cx.func.op(o);
    let Some(of) = kernels::meaning(cx.func, data).filter(|m| m.form.name != BLOCKED.name) else { return false };
    let Some(blocks) = blocks(cx.func, b) else { return false };
    let ring = RightSide { of, blocks };
    let types: Vec<TensorType> = data.operands.iter().map(|&v| cx.ty(v).clone()).collect();
    let Some(right) = program(&ring, order, &types) else { return false };
    let mut same = same::Same { cx, right: &right, of, given: data, known: BTreeMap::new() };
    right.body().yields.get(result as usize).is_some_and(|&y| same.value(y, b))
}

/// One more than the iterations of the loop that `v` comes from.
fn blocks(func: &Func, mut v: ValueId) -> Option<u64> {
    for _ in 0..BEHIND {
        let data = func.op(func.def_op(v)?);
        // Halves are chosen by `select` and put together by `concatenate`: the last operand of either comes from the loop.
        match (&data.op, &data.operands[..]) {
            (&Op::Repeat { trip, early: false, .. }, _) => return trip.checked_add(1),
            (Op::Elem(_) | Op::Concatenate { .. }, &[.., x]) | (_, &[x]) => v = x,
            _ => return None,
        }
    }
    None
}

/// A program whose inputs are the operands of the composite, and whose outputs are its results.
fn program(ring: &RightSide, order: Order, types: &[TensorType]) -> Option<Func> {
    let form = ring.of.form;
    let length = |i: usize, dims: &str| types.get(i)?.shape.get(dims.len().checked_sub(2)?).copied();
    let (queries, keys) = (length(0, form.q)?, length(1, form.k)?);
    let divides = |n: u64| n.is_multiple_of(ring.blocks);
    let fits = match order {
        Order::Zigzag => ring.of.causal && queries == keys && queries / 2 >= ring.blocks,
        Order::Contiguous if ring.of.causal => queries == keys,
        Order::Contiguous => divides(queries) && divides(keys),
    };
    if !fits || ring.blocks < 2 || queries < ring.blocks || keys < ring.blocks {
        return None;
    }
    let mut b = Builder::new("ring", Mesh::default());
    let port = |ty: &TensorType| Port::new("x", Role::Input, ty.rank());
    let inputs: Vec<ValueId> = types.iter().map(|ty| b.input(ty.clone(), port(ty))).collect();
    let made = match order {
        Order::Contiguous => ring.write(&mut b, &inputs),
        Order::Zigzag => ring.write_zigzag(&mut b, &inputs),
    };
    for v in made {
        let rank = b.ty(v).rank();
        b.output(v, Port::new("y", Role::Output, rank));
    }
    Some(b.finish())
}

/// Attention of random shapes, and the same in blocks.
fn instance(rng: &mut Rng, b: &mut Builder, order: Order) -> (ValueId, ValueId) {
    let form: &'static Attention = rng.pick(&[&DENSE, &GROUPED]);
    let (causal, blocks) = (order == Order::Zigzag || rng.chance(60), 2 + rng.below(2) as u64);
    let pass = if rng.chance(50) { Pass::Forward } else { Pass::Backward };
    let mut each = || 1 + rng.below(2) as u64;
    let (queries, keys) = (each() * blocks, each() * blocks);
    let queries = if causal { keys + rng.below(blocks as usize) as u64 } else { queries };
    let queries = if order == Order::Zigzag { blocks + queries } else { queries };
    let keys = if causal { queries } else { keys };
    let sizes: BTreeMap<char, u64> =
        "bhgde".chars().map(|c| (c, 1 + rng.below(2) as u64)).chain([('s', queries), ('t', keys)]).collect();
    let scale = rng.pick(&[1.0, 0.5]);
    let of = |dims: &str| dims.chars().map(|c| sizes[&c]).collect::<Vec<u64>>();
    let xs: Vec<ValueId> =
        form.dims(pass, false)[..form.operands(pass, false)].iter().map(|dims| sample::input(b, &of(dims))).collect();
    let whole = AttentionBody { form, pass, causal, scale }.write(b, &xs);
    let ring = RightSide { of: Meaning { form, pass, scale, causal }, blocks };
    let right = match order {
        Order::Contiguous => ring.write(b, &xs),
        Order::Zigzag => ring.write_zigzag(b, &xs),
    };
    let at = rng.below(whole.len());
    (whole[at], right[at])
}
