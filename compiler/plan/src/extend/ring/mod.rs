//! Ring attention (Liu et al., "Ring Attention with Blockwise Transformers", 2023): a form of attention in which each block of the
//! queries meets one block of keys and values after the other, and these move from block to block in a loop. With a block on each
//! device of an axis, that is a `collective_permute` for each iteration, and no device ever has all keys.
//!
//! The form is a program with one dim more, of the blocks. `rotate` along that dim is the move; split by the axis, it is a shift
//! between devices. Parts are put together by their log-sum-exp (Milakov and Gimelshein, 2018). In the gradient, the sums for keys
//! and values move along with these, and one move more brings them home.
//!
//! With a causal mask, block `i` first meets its own keys, and then those of the blocks before it. Contiguous blocks leave out what
//! comes round from behind, and all devices do the work of the last one, as they do where keys are gathered. So blocks are of two
//! chunks from both ends of the sequence, which is half of the work ([`zigzag`]), where there are positions enough and that is faster.
//!
//! Which programs are planned with it says `crate::ring`. That the form is attention prove `certify`'s laws `ring-attention` and
//! `zigzag-attention`, which write down the same programs on their own.
//!
//! Not here: windows and segments, and blocks of unequal length without a causal mask.

mod blocks;
mod contiguous;
mod zigzag;

use super::{Equal, Extended};
use blocks::RingForm;
use meshloom_ir::{Axis, Builder, Func, Mesh, OpId, ValueId};

/// The name of the rule, and of the law of contiguous blocks.
pub const RING: &str = "ring-attention";
/// The name of the rule of blocks from both ends, and of its law.
pub const ZIGZAG: &str = "zigzag-attention";

/// Gives every attention of the first `given` ops that can have it a form with a block on each device along `axes`, which replaces it.
/// Without `zigzag`, all blocks are contiguous.
pub fn extend(ext: &mut Extended, given: usize, axes: &[Axis], zigzag: bool) {
    let func = std::mem::replace(&mut ext.func, Func::new("", Mesh::default()));
    let mut b = Builder::resume(func);
    let mut found = Vec::new();
    for o in (0..given).map(|i| OpId(i as u32)) {
        let Some(ring) = RingForm::of(&b.func, o, axes) else { continue };
        let data = b.func.op(o).clone();
        (b.span, b.phase) = (data.span, data.phase);
        let turned = zigzag && ring.causal && zigzag::fits(ring.queries, ring.blocks);
        let (law, write) =
            if turned { (ZIGZAG, RingForm::write_zigzag as Write) } else { (RING, RingForm::write as Write) };
        let forms = b.within(data.parent, |b| write(&ring, b, &data.operands));
        found.extend(data.results.iter().zip(forms).map(|(&a, b)| Equal { a, b, law }));
    }
    ext.func = b.finish();
    // What the checker does not follow, such as an attention whose body is not what its name says, is left as it is.
    let claimed = |e: &Equal| meshloom_certify::Equal { a: e.a, b: e.b, law: e.law.to_string() };
    let holds = meshloom_certify::proved(&ext.func, &found.iter().map(claimed).collect::<Vec<_>>());
    for (e, _) in found.into_iter().zip(holds).filter(|(_, holds)| *holds) {
        ext.equal.push(e);
        ext.preferred.extend(ext.func.def_op(e.b));
    }
}

/// Whether an attention has a form with a block on each device along `axes`.
pub fn applies(func: &Func, o: OpId, axes: &[Axis]) -> bool {
    RingForm::of(func, o, axes).is_some()
}

type Write = fn(&RingForm, &mut Builder, &[ValueId]) -> Vec<ValueId>;
