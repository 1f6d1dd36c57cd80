//! The order of steps over all ranks, run once: each rank takes its steps one after the other, a send is a copy and never
//! waits, and a receive waits for the send at the other end.
//!
//! A rank can run an iteration of an action when what the loop reads is there: the same entry of stacks that it slices, all of
//! anything else. An action whose loop carries something runs its iterations in the order of the loop.
//!
//! Not here: in which memory values are (`audit`), and transports on which a send waits (`pipeline`).

use super::program::{Rank, RankInput, RankOutput, RankStep};
use super::refusal::Refusal;
use meshloom_ir::{Def, Func, Op, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub fn check(ranks: &[Rank<'_>]) -> Result<usize, Vec<Refusal>> {
    let mut runs = Vec::new();
    for (k, r) in ranks.iter().enumerate() {
        runs.push(Run::new(k, r).map_err(|e| vec![e])?);
    }
    let mut sent: BTreeSet<(&str, Option<u64>)> = BTreeSet::new();
    let mut waiting: BTreeMap<(&str, Option<u64>), usize> = BTreeMap::new();
    let mut open: Vec<usize> = (0..ranks.len()).rev().collect();
    while let Some(k) = open.pop() {
        while let Some(&step) = ranks[k].steps.get(runs[k].next) {
            let wire = match step {
                RankStep::Run { .. } => None,
                RankStep::Send { output, entry } => ranks[k].func.outputs.get(output).map(|p| (p.name.as_str(), entry)),
                RankStep::Receive { input, entry } => ranks[k].func.inputs.get(input).map(|p| (p.name.as_str(), entry)),
            };
            if let (RankStep::Receive { .. }, Some(key)) = (step, wire)
                && !sent.contains(&key)
            {
                waiting.insert(key, k);
                break;
            }
            runs[k].take(step).map_err(|e| vec![Refusal::rank(k, format!("step {}: {e}", runs[k].next))])?;
            if let (RankStep::Send { .. }, Some(key)) = (step, wire) {
                sent.insert(key);
                open.extend(waiting.remove(&key));
            }
            runs[k].next += 1;
        }
    }
    let mut wrong = Vec::new();
    for (key, k) in &waiting {
        let of = key.1.map_or_else(String::new, |m| format!(", microbatch {m}"));
        let message = format!(
            "waits for wire `{}`{of} at step {}, which is sent by no rank that does not wait itself",
            key.0, runs[*k].next
        );
        wrong.push(Refusal::rank(*k, message));
    }
    if wrong.is_empty() {
        wrong.extend(runs.iter().flat_map(Run::end));
    }
    if wrong.is_empty() { Ok(ranks.iter().map(|r| r.steps.len()).sum()) } else { Err(wrong) }
}

/// Actions and inputs that something needs: first the actions, then the inputs.
type Needs = BTreeSet<usize>;

/// What an action reads.
#[derive(Debug, Default)]
struct Reads {
    /// Actions and received inputs of which it reads the entry of its iteration.
    each: Needs,
    /// Actions and received inputs of which it reads all entries.
    whole: Needs,
}

struct Run<'r> {
    k: usize,
    rank: &'r Rank<'r>,
    next: usize,
    trips: Vec<u64>,
    reads: Vec<Reads>,
    /// For each output: the action whose stack it is, if it is one, and what else it needs.
    gives: Vec<(Option<usize>, Needs)>,
    /// For each action and input: the microbatches that are done.
    done: Vec<BTreeSet<Option<u64>>>,
    sent: BTreeSet<(usize, Option<u64>)>,
    /// For each action and input: how many times it is done in a step.
    times: Vec<u64>,
}

impl<'r> Run<'r> {
    fn new(k: usize, rank: &'r Rank<'r>) -> Result<Run<'r>, Refusal> {
        let func = rank.func;
        let mut trips = Vec::new();
        for (a, action) in rank.actions.iter().enumerate() {
            let twice = rank.actions[..a].iter().any(|other| other.repeat == action.repeat);
            match func.ops.get(action.repeat.index()).map(|d| &d.op) {
                Some(&Op::Repeat { trip, early: false, .. }) if !twice && func.body().ops.contains(&action.repeat) => {
                    trips.push(trip);
                }
                _ => return Err(Refusal::rank(k, format!("action `{}` is no loop of its own", action.name))),
            }
        }
        let inputs = func.body().args.iter().zip(&rank.inputs).map(|(&a, s)| match s {
            RankInput::Received { each: true, .. } => func.ty(a).shape.first().copied().unwrap_or(0),
            RankInput::Received { each: false, .. } => 1,
            RankInput::Input { .. } => 0,
        });
        let times = trips.iter().copied().chain(inputs).collect::<Vec<u64>>();
        let done = vec![BTreeSet::new(); times.len()];
        let mut run =
            Run { k, rank, next: 0, trips, reads: Vec::new(), gives: Vec::new(), done, sent: BTreeSet::new(), times };
        run.needs();
        Ok(run)
    }

    /// What each action and each output needs.
    fn needs(&mut self) {
        let func = self.rank.func;
        let by: BTreeMap<OpId, usize> = self.rank.actions.iter().enumerate().map(|(k, a)| (a.repeat, k)).collect();
        let mut of: BTreeMap<ValueId, Needs> = BTreeMap::new();
        for (i, (&a, s)) in func.body().args.iter().zip(&self.rank.inputs).enumerate() {
            let received = matches!(s, RankInput::Received { .. });
            of.insert(a, received.then_some(self.trips.len() + i).into_iter().collect());
        }
        let mut reads: Vec<Reads> = self.trips.iter().map(|_| Reads::default()).collect();
        for &o in &func.body().ops {
            let data = func.op(o);
            let whole = |i: std::ops::Range<usize>| -> Needs {
                data.operands[i].iter().filter_map(|x| of.get(x)).flatten().copied().collect()
            };
            let own: Needs = match (by.get(&o), &data.op) {
                (Some(&k), &Op::Repeat { carries, xs, .. }) => {
                    let mut r = Reads { whole: whole(0..carries), ..Reads::default() };
                    r.whole.extend(whole(carries + xs..data.operands.len()));
                    for &x in &data.operands[carries..carries + xs] {
                        match self.entry(x, &by) {
                            Some(n) => _ = r.each.insert(n),
                            None => r.whole.extend(of.get(&x).into_iter().flatten()),
                        }
                    }
                    reads[k] = r;
                    [k].into()
                }
                _ => whole(0..data.operands.len()),
            };
            for &r in &data.results {
                of.insert(r, own.clone());
            }
        }
        self.gives = func
            .body()
            .yields
            .iter()
            .map(|y| (stacked(func, *y, &by), of.get(y).cloned().unwrap_or_default()))
            .collect();
        self.reads = reads;
    }

    /// The action or the received input whose entries the entries of a value are.
    fn entry(&self, x: ValueId, by: &BTreeMap<OpId, usize>) -> Option<usize> {
        match self.rank.func.value(x).def {
            Def::Arg(_, i) => {
                let each = matches!(self.rank.inputs[i as usize], RankInput::Received { each: true, .. });
                each.then_some(self.trips.len() + i as usize)
            }
            Def::Op(..) => stacked(self.rank.func, x, by),
        }
    }

    fn name(&self, n: usize) -> String {
        match n.checked_sub(self.trips.len()) {
            None => format!("action `{}`", self.rank.actions[n].name),
            Some(i) => format!("wire `{}`", self.rank.func.inputs[i].name),
        }
    }

    fn all_there(&self, needs: &Needs) -> Result<(), String> {
        match needs.iter().find(|&&n| (self.done[n].len() as u64) < self.times[n]) {
            Some(&n) => Err(format!("reads what {} has not given yet", self.name(n))),
            None => Ok(()),
        }
    }

    fn take(&mut self, step: RankStep) -> Result<(), String> {
        match step {
            RankStep::Run { action, iteration } => self.run(action, iteration),
            RankStep::Send { output, entry } => {
                let (Some(RankOutput::Sent { each, .. }), Some((stack, needs))) =
                    (self.rank.outputs.get(output), self.gives.get(output))
                else {
                    return Err("sends an output that is not sent".into());
                };
                let name = &self.rank.func.outputs[output].name;
                if *each != entry.is_some() || !self.sent.insert((output, entry)) {
                    return Err(format!("sends `{name}` twice, or not as the wire says"));
                }
                match (stack, entry) {
                    (Some(a), Some(_)) if self.done[*a].contains(&entry) => Ok(()),
                    (Some(a), Some(m)) => {
                        Err(format!("sends microbatch {m} of `{name}` before {} has run for it", self.name(*a)))
                    }
                    _ => self.all_there(needs).map_err(|e| format!("sends `{name}`, which {e}")),
                }
            }
            RankStep::Receive { input, entry } => {
                let Some(RankInput::Received { each, .. }) = self.rank.inputs.get(input) else {
                    return Err("receives an input that is not received".into());
                };
                let n = self.trips.len() + input;
                let inside = entry.is_none_or(|m| m < self.times[n]);
                if *each != entry.is_some() || !inside || !self.done[n].insert(entry) {
                    return Err(format!("receives {} twice, or not as it says", self.name(n)));
                }
                Ok(())
            }
        }
    }

    fn run(&mut self, action: usize, i: u64) -> Result<(), String> {
        let Some(&trip) = self.trips.get(action) else { return Err("runs an action that there is not".into()) };
        let name = format!("{} for microbatch {i}", self.name(action));
        if i >= trip || self.done[action].contains(&Some(i)) {
            return Err(format!("runs {name} twice, or beyond its end"));
        }
        let reads = &self.reads[action];
        if let Some(&n) = reads.each.iter().find(|&&n| !self.done[n].contains(&Some(i))) {
            return Err(format!("runs {name} before {} is there for it", self.name(n)));
        }
        self.all_there(&reads.whole).map_err(|e| format!("runs {name}, which {e}"))?;
        if let Op::Repeat { carries, reverse, .. } = self.rank.func.op(self.rank.actions[action].repeat).op {
            let so_far = self.done[action].len() as u64;
            let due = if reverse { trip - 1 - so_far } else { so_far };
            if carries > 0 && i != due {
                return Err(format!("runs {name}, and microbatch {due} is the next that it carries on from"));
            }
        }
        self.done[action].insert(Some(i));
        Ok(())
    }

    /// What is not done in the end.
    fn end(&self) -> Vec<Refusal> {
        let mut wrong = Vec::new();
        for (n, &times) in self.times.iter().enumerate() {
            let done = self.done[n].len() as u64;
            if done != times {
                wrong.push(Refusal::rank(self.k, format!("{} is done {done} times of {times}", self.name(n))));
            }
        }
        for (o, t) in self.rank.outputs.iter().enumerate() {
            let RankOutput::Sent { each, .. } = t else { continue };
            let rows = self.rank.func.ty(self.rank.func.body().yields[o]).shape.first().copied();
            let times = if *each { rows.unwrap_or(0) } else { 1 };
            let done = self.sent.range((o, None)..(o + 1, None)).count() as u64;
            if done != times {
                let name = &self.rank.func.outputs[o].name;
                wrong.push(Refusal::rank(self.k, format!("wire `{name}` is sent {done} times of {times}")));
            }
        }
        wrong
    }
}

/// The action of which a value is a stack of what each iteration gives.
fn stacked(func: &Func, v: ValueId, by: &BTreeMap<OpId, usize>) -> Option<usize> {
    let Def::Op(o, j) = func.value(v).def else { return None };
    match func.op(o).op {
        Op::Repeat { carries, .. } if j as usize >= carries => by.get(&o).copied(),
        _ => None,
    }
}
