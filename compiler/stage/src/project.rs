//! The program of one stage, taken out of a staged program: the stage's ops in their order. What other stages compute is an input
//! of it, and what they read is an output.
//!
//! A stack of what the microbatches of one action give, and another stage's action reads one by one, is sent microbatch by
//! microbatch; anything else is sent once in a step. Not here: when it is sent.

use crate::staged::{Action, Staged};
use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::{Builder, Def, Func, Op, OpId, Port, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// A value that one stage sends to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Link {
    pub from: usize,
    pub to: usize,
    /// The value of the staged program.
    pub value: ValueId,
    /// It is a stack by microbatches, of which actions write and read one entry.
    pub each: bool,
}

impl Link {
    /// Of the wire at both ends.
    pub fn name(&self) -> String {
        format!("{}-{}.{}", self.from, self.to, self.value.0)
    }
}

/// What an input of a stage's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// This input of the staged program.
    Input(usize),
    Received(Link),
}

/// What an output of a stage's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// This output of the staged program.
    Output(usize),
    Sent(Link),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageProgram {
    pub stage: usize,
    pub func: Func,
    /// By input and by output.
    pub taken: Vec<Taken>,
    pub given: Vec<Given>,
    /// By input that is received once in a step: the outputs that are sent before it can be there.
    pub after: BTreeMap<usize, BTreeSet<usize>>,
    /// Its loops over microbatches.
    pub actions: Vec<Action>,
}

/// The programs of all stages.
pub fn project(staged: &Staged) -> Vec<StageProgram> {
    let links = links(staged);
    (0..staged.stages).map(|k| stage(staged, k, &links)).collect()
}

/// The stage that has a value, nearest to `to`: the same one if it can be had there.
fn source(staged: &Staged, v: ValueId, to: usize) -> usize {
    let all = match staged.func.value(v).def {
        Def::Op(o, _) => staged.ops.get(&o),
        Def::Arg(_, i) => staged.inputs.get(i as usize),
    };
    let all = all.map_or(&[][..], Vec::as_slice);
    if all.contains(&to) { to } else { all.first().copied().unwrap_or(0) }
}

fn links(staged: &Staged) -> BTreeSet<Link> {
    let func = &staged.func;
    let mut read: BTreeMap<(ValueId, usize), bool> = BTreeMap::new();
    let action = |o: OpId| staged.actions.iter().any(|a| a.repeat == o);
    for &o in &func.body().ops {
        let data = func.op(o);
        let slices = match data.op {
            Op::Repeat { carries, xs, .. } if action(o) => carries..carries + xs,
            _ => 0..0,
        };
        for (i, &x) in data.operands.iter().enumerate() {
            let stacked = func.value(x).def;
            let written = matches!(stacked, Def::Op(d, j) if action(d)
                && matches!(func.op(d).op, Op::Repeat { carries, .. } if j as usize >= carries));
            for &k in staged.ops.get(&o).into_iter().flatten().filter(|&&k| source(staged, x, k) != k) {
                let each = read.entry((x, k)).or_insert(true);
                *each &= written && slices.contains(&i);
            }
        }
    }
    for (i, &y) in func.body().yields.iter().enumerate() {
        let k = keeps(staged, i);
        if source(staged, y, k) != k {
            read.insert((y, k), false);
        }
    }
    read.into_iter().map(|((value, to), each)| Link { from: source(staged, value, to), to, value, each }).collect()
}

/// The values of the body that one is computed from.
fn needs(func: &Func, v: ValueId) -> BTreeSet<ValueId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![v]);
    while let Some(v) = open.pop() {
        if found.insert(v) {
            open.extend(func.def_op(v).into_iter().flat_map(|o| func.op(o).operands.iter().copied()));
        }
    }
    found
}

/// The stage that hands out output `i`: that of the input that it updates, else the one that computes it.
fn keeps(staged: &Staged, i: usize) -> usize {
    let y = staged.func.body().yields[i];
    match staged.func.outputs[i].updates {
        Some(input) => staged.inputs[input].first().copied().unwrap_or(0),
        None => source(staged, y, usize::MAX),
    }
}

fn stage(staged: &Staged, k: usize, links: &BTreeSet<Link>) -> StageProgram {
    let func = &staged.func;
    let mut b = Builder::new(format!("{}.{k}", func.name), func.mesh.clone());
    let (mut map, mut taken, mut given) = (ValueMap::new(), Vec::new(), Vec::new());
    let mut input = |b: &mut Builder, v: ValueId, port: Port| {
        let new = b.input(func.ty(v).clone(), port);
        b.func.values[new.index()].layout.clone_from(&func.value(v).layout);
        map.insert(v, new);
    };
    // By input of the staged program, the input here.
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, port) in func.inputs.iter().enumerate().filter(|x| staged.inputs[x.0].contains(&k)) {
        input(&mut b, func.body().args[i], port.clone());
        places.insert(i, taken.len());
        taken.push(Taken::Input(i));
    }
    for link in links.iter().filter(|l| l.to == k) {
        let port = Port::new(link.name(), Role::Received, func.ty(link.value).rank());
        input(&mut b, link.value, port);
        taken.push(Taken::Received(*link));
    }
    let mut actions = Vec::new();
    for &o in func.body().ops.iter().filter(|o| staged.ops.get(o).is_some_and(|s| s.contains(&k))) {
        let new = graft(&mut b, func, o, &mut map);
        actions.extend(staged.actions.iter().filter(|a| a.repeat == o).map(|a| Action { repeat: new, ..*a }));
    }
    for (i, port) in func.outputs.iter().enumerate().filter(|x| keeps(staged, x.0) == k) {
        let updates = port.updates.and_then(|i| places.get(&i).copied());
        b.output(map[&func.body().yields[i]], Port { updates, ..port.clone() });
        given.push(Given::Output(i));
    }
    for link in links.iter().filter(|l| l.from == k) {
        let port = Port::new(link.name(), Role::Sent, func.ty(link.value).rank());
        b.output(map[&link.value], port);
        given.push(Given::Sent(*link));
    }
    let sent = given.iter().enumerate().filter_map(|(o, g)| match g {
        Given::Sent(link) => Some((o, link.value)),
        Given::Output(_) => None,
    });
    let sent: Vec<(usize, ValueId)> = sent.collect();
    let mut after = BTreeMap::new();
    for (i, t) in taken.iter().enumerate() {
        let Taken::Received(link) = t else { continue };
        if !link.each {
            let needed = needs(func, link.value);
            after.insert(i, sent.iter().filter(|s| needed.contains(&s.1)).map(|s| s.0).collect());
        }
    }
    StageProgram { stage: k, func: b.finish(), taken, given, after, actions }
}
