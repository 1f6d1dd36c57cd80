//! Where the layers of a list are: the inputs that are its stacks, the loop over microbatches, and the loop over its layers.

use meshloom_ir::unstack::rows;
use meshloom_ir::{Def, Func, Op, OpId, ValueId};

/// The loops over the layers of a list.
pub struct Layers {
    /// Inputs that are stacks of its layers, or of some of them: parameters, and state that belongs to them.
    pub inputs: Vec<usize>,
    pub count: u64,
    /// The loop over microbatches, if there is one.
    pub microbatches: Option<OpId>,
    /// The first loop over the layers in it; where they are in segments, the loop over each segment, with its first layer.
    pub forward: Vec<(OpId, u64)>,
}

/// Finds the layers of `list`.
///
/// # Errors
/// That the program has no such list, or no loop over its layers.
pub fn find(func: &Func, list: &str) -> Result<Layers, String> {
    let inputs: Vec<usize> = (0..func.inputs.len()).filter(|&i| func.inputs[i].is_of_list(list)).collect();
    let Some(&first) = inputs.first() else { return Err(format!("there is no list of layers `{list}`")) };
    let rows = |i: usize| func.ty(func.body().args[i]).shape.first().copied().unwrap_or(0);
    // A tensor may be in several ports, each with some of its layers.
    let same = |i: &&usize| {
        (&func.inputs[**i].name, func.inputs[**i].role) == (&func.inputs[first].name, func.inputs[first].role)
    };
    let end = |i: &usize| func.inputs[*i].first_layer + rows(*i);
    let count = inputs.iter().filter(same).map(end).max().unwrap_or(0);
    // The first of the layers that a loop goes over, and how many.
    let over = |o: OpId| match func.op(o).op {
        Op::Repeat { trip, reverse: false, early: false, carries, xs } => {
            let slices = &func.op(o).operands[carries..carries + xs];
            let mut read = slices.iter().filter_map(|&x| stack(func, x));
            read.find(|(i, _)| inputs.contains(i)).map(|(_, first)| (first, trip))
        }
        _ => None,
    };
    let all = func.walk(Func::BODY);
    let missing = || format!("no loop goes over the {count} layers of `{list}`");
    let begins = |o: &OpId| over(*o).is_some_and(|(first, trip)| first == 0 && trip > 0);
    let region = all.iter().copied().find(begins).map(|o| func.op(o).parent).ok_or_else(missing)?;
    let (mut forward, mut end) = (Vec::new(), 0);
    for &o in &func.region(region).ops {
        if let Some((first, trip)) = over(o).filter(|(first, _)| *first == end && end < count) {
            forward.push((o, first));
            end += trip;
        }
    }
    if end != count {
        return Err(missing());
    }
    let microbatches = func.region(region).owner;
    if microbatches.is_some_and(|o| func.op(o).parent != Func::BODY) {
        return Err(format!("the loop over the layers of `{list}` is inside of other loops"));
    }
    Ok(Layers { inputs, count, microbatches, forward })
}

/// How many microbatches a program with these layers has: iterations of the loop that the loop over layers is in; 1 without one.
///
/// # Errors
/// Those of [`count`].
pub fn microbatches(func: &Func, list: &str) -> Result<u64, String> {
    let around = find(func, list)?.microbatches.map(|o| &func.op(o).op);
    Ok(if let Some(&Op::Repeat { trip, .. }) = around { trip } else { 1 })
}

/// How many layers `list` has.
///
/// # Errors
/// Those of a program that cannot be cut into stages of this list.
pub fn count(func: &Func, list: &str) -> Result<u64, String> {
    find(func, list).map(|found| found.count)
}

/// The input whose rows, one by one, the rows of `v` are made of, and the layer that the first of these rows is of.
fn stack(func: &Func, mut v: ValueId) -> Option<(usize, u64)> {
    let mut first = 0;
    loop {
        match func.value(v).def {
            Def::Arg(r, i) => match func.region(r).owner {
                None => return Some((i as usize, func.inputs.get(i as usize)?.first_layer + first)),
                Some(o) => v = func.op(o).operands[i as usize],
            },
            Def::Op(o, _) => {
                let operands = &func.op(o).operands;
                if let Op::Slice { start, limit } = &func.op(o).op
                    && (start[1..].iter().all(|n| *n == 0) && limit[1..] == func.ty(operands[0]).shape[1..])
                {
                    (v, first) = (operands[0], first + start[0]);
                    continue;
                }
                let by = rows::operands(func, o)?;
                v = *operands.iter().zip(by).find(|x| x.1)?.0;
            }
        }
    }
}
