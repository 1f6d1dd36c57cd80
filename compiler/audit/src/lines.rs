//! The line of the source that an objection is about.
//!
//! Most launches and collectives name one. Those that the compiler adds by itself (gradients, updates of parameters) name none, and
//! ports have no instruction at all. They get the line of the nearest op: first among the ops that they are computed from, then among
//! those that are computed from them, then through ops in either direction (gradients and a count of steps meet in the update of a
//! parameter). If no such op has a line, they get that of the nearest instruction.

use meshloom_bundle::program::{Instr, Program, SourcePlace};
use meshloom_ir::{Def, Func, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The line of an instruction, if it is about one.
pub(crate) fn of_instruction(func: &Func, program: &Program, instr: &Instr) -> Option<SourcePlace> {
    let mut ops = Vec::new();
    for (named, source) in said(instr) {
        if source.is_some() {
            return source.cloned();
        }
        ops.extend(named.iter().map(|&o| OpId(o)).filter(|o| o.index() < func.ops.len()));
    }
    nearest(func, program, ops)
}

/// The line of the op that makes a value; of an input, that of an op which reads it.
pub(crate) fn of_value(func: &Func, program: &Program, value: ValueId) -> Option<SourcePlace> {
    match func.def_op(value) {
        Some(o) => nearest(func, program, vec![o]),
        None => nearest(func, program, readers(func, &[value]).collect()),
    }
}

/// The line of the first launch of a kernel that has one.
pub(crate) fn of_kernel(program: &Program, kernel: usize) -> Option<SourcePlace> {
    first(&program.instrs, &|i| matches!(i, Instr::Launch(l) if l.kernel as usize == kernel))
}

/// The line nearest to an instruction of the program, counting loops as one: its own, or that of one behind it, or before it.
pub(crate) fn near(program: &Program, at: usize) -> Option<SourcePlace> {
    let (before, after) = program.instrs.split_at(at.min(program.instrs.len()));
    let one = |i: &Instr| first(std::slice::from_ref(i), &|_| true);
    after.iter().find_map(one).or_else(|| before.iter().rev().find_map(one))
}

fn first(list: &[Instr], which: &dyn Fn(&Instr) -> bool) -> Option<SourcePlace> {
    list.iter().find_map(|i| match i {
        Instr::Loop { body, .. } => first(body, which),
        Instr::While(w) => first(&w.body, which).or_else(|| first(&w.after, which)),
        Instr::Actions(a) => a.bodies.iter().find_map(|b| first(&b.body, which)),
        other => said(other).into_iter().filter(|_| which(other)).find_map(|s| s.1.cloned()),
    })
}

/// The ops that an instruction names, with their line; of the instructions in a loop none.
fn said(instr: &Instr) -> Vec<(&[u32], Option<&SourcePlace>)> {
    match instr {
        Instr::Launch(l) => vec![(&l.ops, l.source.as_ref())],
        Instr::Collective(c) => vec![(&c.ops, c.source.as_ref())],
        Instr::Bucket(all) => all.iter().map(|c| (&c.ops[..], c.source.as_ref())).collect(),
        _ => Vec::new(),
    }
}

/// The line of each op that an instruction names together with one.
fn lines<'a>(list: &'a [Instr], out: &mut BTreeMap<u32, &'a SourcePlace>) {
    for instr in list {
        for (ops, source) in said(instr) {
            out.extend(ops.iter().filter_map(|&o| Some((o, source?))));
        }
        match instr {
            Instr::Loop { body, .. } => lines(body, out),
            Instr::While(w) => [&w.body, &w.after].into_iter().for_each(|l| lines(l, out)),
            Instr::Actions(a) => a.bodies.iter().for_each(|b| lines(&b.body, out)),
            _ => {}
        }
    }
}

fn nearest(func: &Func, program: &Program, from: Vec<OpId>) -> Option<SourcePlace> {
    let mut named = BTreeMap::new();
    lines(&program.instrs, &mut named);
    let upwards = |o: OpId| makers(func, o);
    let downwards = |o: OpId| readers(func, &func.op(o).results).collect();
    let both = |o: OpId| makers(func, o).into_iter().chain(readers(func, &func.op(o).results)).collect();
    let steps: [&dyn Fn(OpId) -> Vec<OpId>; 3] = [&upwards, &downwards, &both];
    steps.into_iter().find_map(|next| {
        let (mut open, mut seen) = (VecDeque::from(from.clone()), BTreeSet::new());
        while let Some(o) = open.pop_front() {
            if let Some(&line) = named.get(&o.0) {
                return Some(line.clone());
            }
            if seen.insert(o) {
                open.extend(next(o));
            }
        }
        None
    })
}

/// The ops that an op reads; of a loop, also those that its body gives to the next iteration.
fn makers(func: &Func, o: OpId) -> Vec<OpId> {
    let data = func.op(o);
    let given = data.regions.iter().flat_map(|&r| &func.region(r).yields);
    let of = |v: &ValueId| match func.value(*v).def {
        Def::Op(o, _) => Some(o),
        Def::Arg(r, _) => func.region(r).owner,
    };
    given.chain(&data.operands).filter_map(of).collect()
}

/// The ops that read one of these values.
fn readers<'a>(func: &'a Func, values: &'a [ValueId]) -> impl Iterator<Item = OpId> + 'a {
    let all = (0..func.ops.len()).map(|i| OpId(i as u32));
    all.filter(|&o| func.op(o).operands.iter().any(|v| values.contains(v)))
}
