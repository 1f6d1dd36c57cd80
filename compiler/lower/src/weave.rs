//! Pipeline stages: the loops over microbatches of a stage are its actions, and a schedule says which of them runs when. Here
//! their steps become one step, [`Actions`], with what the stage sends and receives on the way.
//!
//! What one action leaves for another is a stack by microbatch. Only the microbatches in flight are in memory: a stack has as
//! many slots as the order needs, and microbatch `i` is in slot `i` modulo that. A stack that anything else reads is whole.
//!
//! A value is sent just after what writes it, and received just before what reads it first. What depends, through other stages, on
//! what this one sends is received after that: fusion knows it ([`Received`]). Not here: the order itself
//! (`pipeline`), and whether stages that wait for each other come to an end.

use crate::error::LowerError;
use crate::facts::Received;
use crate::memory::{ActionBody, Actions, Buffer, Ref, Step, root};
use crate::view::{BufId, Home};
use meshloom_bundle::program::LoopIndex;
use meshloom_ir::{Def, Func, Op, OpId, Role, Span, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// How a stage runs its loops over microbatches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weave {
    pub microbatches: u64,
    /// The loops, each with the name of its action.
    pub actions: Vec<(OpId, String)>,
    /// Which action runs, and for which microbatch: each pair once, and those of one action in order.
    pub order: Vec<(usize, u64)>,
    /// Inputs and outputs that are stacks by microbatch and are received or sent entry by entry.
    pub received_each: BTreeSet<usize>,
    pub sent_each: BTreeSet<usize>,
    /// By input that is received once in a step: the outputs that are sent before it can be there.
    pub after: BTreeMap<usize, BTreeSet<usize>>,
}

/// The wires of a stage's program: what it receives, in the order of the inputs, then what it sends, in that of the outputs.
pub fn wires(func: &Func) -> (Vec<usize>, Vec<usize>) {
    let of = |ports: &[meshloom_ir::Port], role: Role| -> Vec<usize> {
        ports.iter().enumerate().filter(|p| p.1.role == role).map(|p| p.0).collect()
    };
    (of(&func.inputs, Role::Received), of(&func.outputs, Role::Sent))
}

impl Weave {
    /// What is received once in a step.
    pub fn received(&self, func: &Func) -> Vec<Received> {
        let (received, _) = wires(func);
        let once = received.into_iter().enumerate().filter(|(_, i)| !self.received_each.contains(i));
        let of = |(wire, i): (usize, usize)| Received {
            value: func.body().args[i],
            wire: wire as u32,
            after: self.after.get(&i).into_iter().flatten().map(|&o| func.body().yields[o]).collect(),
        };
        once.map(of).collect()
    }

    fn action(&self, o: OpId) -> Option<usize> {
        self.actions.iter().position(|a| a.0 == o)
    }

    /// Slots of the stacks that are in memory for the microbatches in flight alone.
    pub fn slots(&self, func: &Func) -> BTreeMap<ValueId, u64> {
        let mut at: BTreeMap<(usize, u64), usize> = BTreeMap::new();
        self.order.iter().enumerate().for_each(|(t, &turn)| _ = at.insert(turn, t));
        let mut found = BTreeMap::new();
        let stacks = self.actions.iter().enumerate().flat_map(|(k, (o, _))| {
            let data = func.op(*o);
            let Op::Repeat { carries, .. } = data.op else { return Vec::new() };
            data.results[carries..].iter().map(|&v| (v, Some(k))).collect()
        });
        let received = self.received_each.iter().map(|&i| (func.body().args[i], None));
        for (v, writer) in stacks.chain(received) {
            let Some(mut users) = self.users(func, v) else { continue };
            users.extend(writer);
            let lives = |i: u64| {
                let turns = users.iter().filter_map(|&k| at.get(&(k, i)).copied());
                let begin = writer.and_then(|k| at.get(&(k, i)).copied()).or_else(|| turns.clone().min());
                begin.zip(turns.max())
            };
            let all: Vec<Option<(usize, usize)>> = (0..self.microbatches).map(lives).collect();
            // By turn, the last microbatch that has begun.
            let mut begun: Vec<(usize, usize)> =
                all.iter().enumerate().filter_map(|(i, one)| one.map(|(begin, _)| (begin, i))).collect();
            begun.sort_unstable();
            let mut latest = 0;
            for (_, i) in &mut begun {
                latest = latest.max(*i);
                *i = latest;
            }
            let mut slots = 1;
            for (i, one) in all.iter().enumerate() {
                let Some((_, end)) = one else { continue };
                let upto = begun.partition_point(|b| b.0 <= *end);
                let last = upto.checked_sub(1).map_or(i, |k| begun[k].1);
                slots = slots.max(last.saturating_sub(i) as u64 + 1);
            }
            found.insert(v, slots.min(self.microbatches));
        }
        found
    }

    /// The actions that slice a stack; `None` where something else reads it.
    fn users(&self, func: &Func, v: ValueId) -> Option<BTreeSet<usize>> {
        let mut users = BTreeSet::new();
        for &o in &func.body().ops {
            let data = func.op(o);
            let slices = match (self.action(o), &data.op) {
                (Some(_), Op::Repeat { carries, xs, .. }) => *carries..carries + xs,
                _ => 0..0,
            };
            for i in (0..data.operands.len()).filter(|&i| data.operands[i] == v) {
                if !slices.contains(&i) {
                    return None;
                }
                users.extend(self.action(o));
            }
        }
        let yields = func.body().yields.iter().enumerate().filter(|y| *y.1 == v);
        yields.into_iter().all(|(i, _)| self.sent_each.contains(&i)).then_some(users)
    }
}

/// What a wire carries, in memory.
pub struct End {
    /// The number of the wire.
    pub wire: u32,
    pub buf: BufId,
    pub bytes: u64,
    /// Slots of a stack that is transferred entry by entry.
    pub slots: Option<u64>,
    /// Of what is received: the buffers of what is sent before it can be there.
    pub after: BTreeSet<BufId>,
    /// Of what is sent: it is an input of the stage, which may be overwritten later.
    pub given: bool,
}

impl End {
    fn place(&self) -> Ref {
        let fixed = Home::fixed(self.buf);
        let home = match self.slots {
            Some(period) => fixed.with(0, self.bytes, LoopIndex::IterMod { delta: 0, period }),
            None => fixed,
        };
        Ref { home, offset: 0, bytes: self.bytes }
    }
}

/// What is received and sent.
#[derive(Default)]
pub struct Ends {
    pub received: Vec<End>,
    pub sent: Vec<End>,
}

fn internal(what: &str) -> LowerError {
    LowerError { message: format!("internal: {what}"), span: Span::default() }
}

/// Makes one step of the actions' loops; `numbers` are those of the loops by op.
///
/// # Errors
/// Steps that can run neither before all actions nor after them; a value that is received and not read, or sent and not written.
pub fn weave(
    steps: Vec<Step>,
    buffers: &[Buffer],
    weave: &Weave,
    numbers: &BTreeMap<OpId, usize>,
    ends: &Ends,
) -> Result<Vec<Step>, LowerError> {
    let action = |s: &Step| match s {
        Step::Loop { number, .. } => weave.actions.iter().position(|a| numbers.get(&a.0) == Some(number)),
        _ => None,
    };
    let (mut before, mut after, mut bodies) = (Vec::new(), Vec::new(), BTreeMap::new());
    let (mut done, mut late) = (Touched::default(), Touched::default());
    let idle = idle(&steps, buffers, &action);
    for step in steps {
        let mut here = Touched::of(&step, buffers);
        if let Step::Receive(wire, _) = &step {
            let end = ends.received.iter().find(|e| e.wire == *wire);
            here.reads.extend(end.iter().flat_map(|e| &e.after).map(|&b| root(buffers, b)));
        }
        if let Some(k) = action(&step) {
            if here.conflicts(&late) {
                return Err(internal("an action waits for what is computed from another one"));
            }
            done.add(&here);
            let Step::Loop { number, body, .. } = step else { continue };
            bodies.insert(k, ActionBody { name: weave.actions[k].1.clone(), number, steps: body });
        } else if here.conflicts(&done)
            || here.conflicts(&late)
            || matches!(&step, Step::Receive(w, _) if idle.contains(w))
        {
            late.add(&here);
            after.push(step);
        } else {
            before.push(step);
        }
    }
    if bodies.len() != weave.actions.len() {
        return Err(internal("an action without a loop"));
    }
    let mut bodies: Vec<ActionBody> = bodies.into_values().collect();
    for end in ends.received.iter().filter(|e| e.slots.is_some()) {
        let reads = |k: &usize| bodies[*k].steps.iter().any(|s| Touched::of(s, buffers).reads.contains(&end.buf));
        let first = weave.order.iter().map(|t| t.0).find(reads);
        let first = first.ok_or_else(|| internal("what is received is not read"))?;
        bodies[first].steps.insert(0, Step::Receive(end.wire, end.place()));
    }
    for end in ends.sent.iter().filter(|e| e.slots.is_some()) {
        let writes = |b: &&mut ActionBody| b.steps.iter().any(|s| Touched::of(s, buffers).writes.contains(&end.buf));
        let writer = bodies.iter_mut().find(writes).ok_or_else(|| internal("what is sent is not written"))?;
        writer.steps.push(Step::Send(end.wire, end.place()));
    }
    let (microbatches, order) = (weave.microbatches, weave.order.clone());
    before.push(Step::Actions(Actions { microbatches, bodies, order }));
    before.extend(after);
    Ok(once(before, buffers, ends))
}

/// Wires received once in a step that no action waits for. They are received after the actions: the stage that sends may do so
/// after its own actions, which may wait for the actions here.
fn idle(steps: &[Step], buffers: &[Buffer], action: &dyn Fn(&Step) -> Option<usize>) -> BTreeSet<u32> {
    let all: Vec<Touched> = steps.iter().map(|s| Touched::of(s, buffers)).collect();
    let waits = |at: usize| {
        let mut made = all[at].writes.clone();
        steps.iter().zip(&all).skip(at + 1).any(|(step, here)| {
            let reads = here.reads.iter().any(|b| made.contains(b));
            if reads {
                made.extend(&here.writes);
            }
            reads && action(step).is_some()
        })
    };
    let received = steps.iter().enumerate().filter_map(|(at, s)| match s {
        Step::Receive(wire, _) => Some((at, *wire)),
        _ => None,
    });
    received.filter(|(at, _)| !waits(*at)).map(|r| r.1).collect()
}

/// Adds what is sent once in a step, just after what writes it.
fn once(mut steps: Vec<Step>, buffers: &[Buffer], ends: &Ends) -> Vec<Step> {
    for end in ends.sent.iter().filter(|e| e.slots.is_none()) {
        let last = steps.iter().rposition(|s| Touched::of(s, buffers).writes.contains(&root(buffers, end.buf)));
        // What the stage was given is sent at once.
        let at = last.filter(|_| !end.given).map_or(0, |t| t + 1);
        steps.insert(at, Step::Send(end.wire, end.place()));
    }
    steps
}

/// Buffers that steps read and write.
#[derive(Default)]
struct Touched {
    reads: BTreeSet<BufId>,
    writes: BTreeSet<BufId>,
}

impl Touched {
    fn of(step: &Step, buffers: &[Buffer]) -> Touched {
        let mut t = Touched::default();
        step.visit(&mut |r, write| {
            let to = if write { &mut t.writes } else { &mut t.reads };
            to.insert(root(buffers, r.home.buf));
        });
        t
    }

    fn add(&mut self, other: &Touched) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn conflicts(&self, other: &Touched) -> bool {
        let meet = |a: &BTreeSet<BufId>, b: &BTreeSet<BufId>| a.intersection(b).next().is_some();
        meet(&self.writes, &other.writes) || meet(&self.reads, &other.writes) || meet(&self.writes, &other.reads)
    }
}

/// Whether a value is an argument of the function.
pub fn given(func: &Func, v: ValueId) -> bool {
    matches!(func.value(v).def, Def::Arg(..))
}
