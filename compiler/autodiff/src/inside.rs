//! Sums of gradients over microbatches, taken where the gradients come about: inside of the loop over layers.
//!
//! A loop over layers stacks the gradients of its parameters. To add such a stack to a sum, all layers' gradients of one
//! microbatch have to be in memory beside the sum. So the sum goes into the loop as a further `xs`: each iteration adds its
//! gradient to its entry of the sum, and the loop stacks the sums. Both stacks can then be one piece of memory, and what is
//! reduced over devices is reduced layer by layer, beside the backward pass.
//!
//! Not here: gradients that are no stack, or that something else reads too; they are added after the backward pass
//! ([`crate::accumulate`]).

use meshloom_ir::graph::Def;
use meshloom_ir::{Builder, Func, Op, OpId, RegionId, TensorType, ValueId};

/// The sum of `carry` and `term` in `region`, whose ops are finished. Where `term` is a stack of a loop, the loop adds.
pub fn add(b: &mut Builder, region: RegionId, carry: ValueId, term: ValueId) -> ValueId {
    let Some((o, i)) = stack(&b.func, region, term) else {
        return b.within(region, |b| b.add(carry, term));
    };
    let data = b.func.op(o);
    let Op::Repeat { trip, reverse, carries, xs, early } = data.op else { return term };
    let (body, ty) = (data.regions[0], b.ty(term).clone());
    let entry = b.arg(body, TensorType::new(ty.dtype, ty.shape[1..].to_vec()));
    b.move_arg(body, entry, carries + xs);
    let data = &mut b.func.ops[o.index()];
    data.op = Op::Repeat { trip, reverse, carries, xs: xs + 1, early };
    data.operands.insert(carries + xs, carry);
    let each = b.func.region(body).yields[i];
    let name = b.func.value(each).name.clone();
    let sum = add(b, body, entry, each);
    if let Some(name) = name {
        b.name(sum, &name);
    }
    b.func.regions[body.index()].yields[i] = sum;
    term
}

/// The loop in `region` that stacks `v`, and the number of the result, if nothing else reads the stack.
fn stack(func: &Func, region: RegionId, v: ValueId) -> Option<(OpId, usize)> {
    let Def::Op(o, i) = func.value(v).def else { return None };
    let data = func.op(o);
    let Op::Repeat { carries, early: false, .. } = data.op else { return None };
    let read = |o: &&OpId| func.op(**o).operands.contains(&v);
    let alone = data.parent == region && !func.walk(region).iter().any(|o| read(&o));
    (alone && i as usize >= carries).then_some((o, i as usize))
}
