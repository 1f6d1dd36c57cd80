//! The program of one rank, taken out of a staged program: the ops of its stages in their order. What other ranks compute is an
//! input of it, and what they read is an output. What two stages of one rank pass each other is a stack inside of its program.
//!
//! A stack of what the microbatches of one action give, and another rank's action reads one by one, is sent microbatch by
//! microbatch; anything else is sent once in a step. Not here: when it is sent.

use crate::staged::{Action, Staged};
use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::{Builder, Def, Func, Op, OpId, Port, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// A value that one rank sends to another.
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

/// What an input of a rank's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// This input of the staged program.
    Input(usize),
    Received(Link),
}

/// What an output of a rank's program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// This output of the staged program.
    Output(usize),
    Sent(Link),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageProgram {
    pub rank: usize,
    pub func: Func,
    /// By input and by output.
    pub taken: Vec<Taken>,
    pub given: Vec<Given>,
    /// By input that is received once in a step: the outputs that are sent before it is waited for. It may need them, and where
    /// it does not, two ranks could each wait for what the other one sends later.
    pub after: BTreeMap<usize, BTreeSet<usize>>,
    /// Its loops over microbatches.
    pub actions: Vec<Action>,
}

/// The programs of all ranks, where stage `s` is on rank `ranks[s]`.
///
/// # Errors
/// Not as many ranks as there are stages, or a rank without a stage.
pub fn project(staged: &Staged, ranks: &[usize]) -> Result<Vec<StageProgram>, String> {
    project_some(staged, ranks, &|_| true)
}

/// The programs of those ranks that are `wanted`, in their order.
///
/// # Errors
/// Those of [`project`].
pub fn project_some(
    staged: &Staged,
    ranks: &[usize],
    wanted: &dyn Fn(usize) -> bool,
) -> Result<Vec<StageProgram>, String> {
    if ranks.len() != staged.stages {
        return Err(format!("{} stages, and places for {}", staged.stages, ranks.len()));
    }
    let count = ranks.iter().max().map_or(0, |r| r + 1);
    if let Some(k) = (0..count).find(|k| !ranks.contains(k)) {
        return Err(format!("rank {k} has no stage"));
    }
    let of = |stages: &Vec<usize>| {
        let mut all: Vec<usize> = Vec::new();
        for rank in stages.iter().filter_map(|&s| ranks.get(s)) {
            if !all.contains(rank) {
                all.push(*rank);
            }
        }
        all
    };
    let ops = staged.ops.iter().map(|(&o, stages)| (o, of(stages))).collect();
    let on = OnRanks { staged, ops, inputs: staged.inputs.iter().map(of).collect() };
    let owned = on.owned(count);
    let body = staged.func.body();
    let places = body.ops.iter().enumerate().map(|(i, &o)| (o, i + 1)).collect();
    Ok((0..count).zip(&owned).filter(|x| wanted(x.0)).map(|(k, own)| on.rank(k, own, &places)).collect())
}

/// What of a staged program is one rank's, each in the order of the program.
#[derive(Clone, Default)]
struct Owned {
    inputs: Vec<usize>,
    ops: Vec<OpId>,
    outputs: Vec<usize>,
    received: Vec<Link>,
    sent: Vec<Link>,
}

/// A staged program, and which ranks have what of it.
struct OnRanks<'s> {
    staged: &'s Staged,
    ops: BTreeMap<OpId, Vec<usize>>,
    inputs: Vec<Vec<usize>>,
}

impl OnRanks<'_> {
    /// The rank that has a value, nearest to `to`: the same one if it can be had there.
    fn source(&self, v: ValueId, to: usize) -> usize {
        let all = match self.staged.func.value(v).def {
            Def::Op(o, _) => self.ops.get(&o),
            Def::Arg(_, i) => self.inputs.get(i as usize),
        };
        let all = all.map_or(&[][..], Vec::as_slice);
        if all.contains(&to) { to } else { all.first().copied().unwrap_or(0) }
    }

    fn links(&self) -> BTreeSet<Link> {
        let (staged, func) = (self.staged, &self.staged.func);
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
                for &k in self.ops.get(&o).into_iter().flatten().filter(|&&k| self.source(x, k) != k) {
                    let each = read.entry((x, k)).or_insert(true);
                    *each &= written && slices.contains(&i);
                }
            }
        }
        for (i, &y) in func.body().yields.iter().enumerate() {
            let k = self.keeps(i);
            if self.source(y, k) != k {
                read.insert((y, k), false);
            }
        }
        read.into_iter().map(|((value, to), each)| Link { from: self.source(value, to), to, value, each }).collect()
    }

    /// The rank that hands out output `i`: that of the input that it updates, else the one that computes it.
    fn keeps(&self, i: usize) -> usize {
        let y = self.staged.func.body().yields[i];
        match self.staged.func.outputs[i].updates {
            Some(input) => self.inputs[input].first().copied().unwrap_or(0),
            None => self.source(y, usize::MAX),
        }
    }

    /// By rank.
    fn owned(&self, count: usize) -> Vec<Owned> {
        let func = &self.staged.func;
        let mut all = vec![Owned::default(); count];
        for (i, ranks) in self.inputs.iter().enumerate() {
            ranks.iter().for_each(|&k| all[k].inputs.push(i));
        }
        for &o in &func.body().ops {
            self.ops.get(&o).into_iter().flatten().for_each(|&k| all[k].ops.push(o));
        }
        (0..func.outputs.len()).for_each(|i| all[self.keeps(i)].outputs.push(i));
        for link in self.links() {
            all[link.to].received.push(link);
            all[link.from].sent.push(link);
        }
        all
    }

    /// The program of rank `k`. `places` are those of the ops in the whole program, from 1.
    fn rank(&self, k: usize, own: &Owned, places: &BTreeMap<OpId, usize>) -> StageProgram {
        let (staged, func) = (self.staged, &self.staged.func);
        let mut b = Builder::new(format!("{}.{k}", func.name), func.mesh.clone());
        let (mut map, mut taken, mut given) = (ValueMap::new(), Vec::new(), Vec::new());
        let mut input = |b: &mut Builder, v: ValueId, port: Port| {
            let new = b.input(func.ty(v).clone(), port);
            b.func.values[new.index()].layout.clone_from(&func.value(v).layout);
            map.insert(v, new);
        };
        // By input of the staged program, the input here.
        let mut here: BTreeMap<usize, usize> = BTreeMap::new();
        for &i in &own.inputs {
            input(&mut b, func.body().args[i], func.inputs[i].clone());
            here.insert(i, taken.len());
            taken.push(Taken::Input(i));
        }
        for link in &own.received {
            let port = Port::new(link.name(), Role::Received, func.ty(link.value).rank());
            input(&mut b, link.value, port);
            taken.push(Taken::Received(*link));
        }
        let mut actions = Vec::new();
        for &o in &own.ops {
            let new = graft(&mut b, func, o, &mut map);
            actions.extend(staged.actions.iter().filter(|a| a.repeat == o).map(|a| Action { repeat: new, ..*a }));
        }
        for &i in &own.outputs {
            let port = &func.outputs[i];
            let updates = port.updates.and_then(|i| here.get(&i).copied());
            b.output(map[&func.body().yields[i]], Port { updates, ..port.clone() });
            given.push(Given::Output(i));
        }
        for link in &own.sent {
            let port = Port::new(link.name(), Role::Sent, func.ty(link.value).rank());
            b.output(map[&link.value], port);
            given.push(Given::Sent(*link));
        }
        let sent = given.iter().enumerate().filter_map(|(o, g)| match g {
            Given::Sent(link) => Some((o, link.value)),
            Given::Output(_) => None,
        });
        let sent: Vec<(usize, ValueId)> = sent.collect();
        // A rank sends what comes first in the program before it waits for what comes later. So do all others: of those that wait,
        // the one that waits for the earliest value would be sent it.
        let place = |v: ValueId| func.def_op(v).and_then(|o| places.get(&o).copied()).unwrap_or(0);
        let mut after = BTreeMap::new();
        for (i, t) in taken.iter().enumerate() {
            let Taken::Received(link) = t else { continue };
            if !link.each {
                let earlier = sent.iter().filter(|s| place(s.1) < place(link.value));
                after.insert(i, earlier.map(|s| s.0).collect());
            }
        }
        StageProgram { rank: k, func: b.finish(), taken, given, after, actions }
    }
}
