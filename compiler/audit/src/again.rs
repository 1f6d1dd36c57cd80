//! Reuse of proofs between microbatches. If a launch of a pipeline stage finds in memory what it found for an earlier microbatch, it is
//! not proved again: what it leaves is what it left then, moved to its own microbatch.
//!
//! A stage runs each action for each microbatch, in the order of a schedule. Microbatches are iterations of one loop of the local
//! program, whose body says the same of each of them. So a launch leaves for microbatch `k` what it left for microbatch `j`, with
//! every iteration of that loop moved by `k - j`, if three conditions hold:
//! - It finds the same. The buffers that it reads have the same contents at the same places, with iterations moved by `k - j`. A buffer
//!   that it writes overlaps the others as it did. The [`Question`] states all of this.
//! - Where a buffer has the result of another launch, it has that launch's result for the iteration that is moved by `k - j`. To
//!   tell this, a launch shares its number with the launches that it answers ([`Twin`]).
//! - The proof holds for any iteration. It does not if it asked for a carry before the first iteration or behind the last, or for a
//!   slice of a stack that something else may read too ([`crate::steps`]).
//!
//! Not here: what a launch does ([`crate::launch`]), and loops of the local program that are followed as a whole ([`crate::rounds`]).

use crate::affine::Affine;
use crate::bytes::{Bytes, inside, meet};
use crate::index::Lying;
use crate::launch::{self, Kernel, Made};
use crate::memo::Mixed;
use crate::memory::{Buffer, Content, Launched, Memory, Piece, Twin};
use crate::place::Place;
use crate::slices::Slices;
use crate::space::{Devices, Proof};
use crate::state::State;
use meshloom_bundle::program::{Launch, Number};
use meshloom_ir::{Def, Func, Op, OpId, ValueId};
use meshloom_kernels::{BufferRole, KernelSpec, Node};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

/// All that an answer depends on, as numbers.
#[derive(PartialEq, Eq)]
struct Question(Vec<i64>);

impl Hash for Question {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.0.iter().for_each(|&n| to.write_u64(n as u64));
    }
}

/// A launch that is run for a microbatch.
struct Run<'a> {
    s: &'a State<'a>,
    l: &'a Launch,
    spec: &'a Rc<KernelSpec>,
    /// The launch's own number.
    number: usize,
    /// The bytes of its arguments.
    buffers: Vec<Bytes>,
    /// The microbatch.
    now: i64,
}

/// What a launch left for a microbatch.
struct Answer {
    twin: Twin,
    starts: Vec<Affine>,
    /// Each with the buffer that it lies in.
    pieces: Vec<(usize, Piece)>,
    named: bool,
    /// The earliest iteration at which the proof followed a carry, counted from the microbatch.
    least: i64,
}

/// The loop over microbatches, and the launches in it that were proved.
#[derive(Default)]
pub(crate) struct Again {
    /// The loops of the local program whose iterations are microbatches.
    loops: BTreeSet<OpId>,
    /// The outermost loop around each value.
    outermost: Vec<Option<OpId>>,
    /// The stacks from which these loops read one slice in each iteration.
    slices: Slices,
    /// Buffers that kernels read, by kernel.
    read: BTreeMap<u32, Rc<[bool]>>,
    answers: HashMap<Question, Answer, BuildHasherDefault<Mixed>>,
}

impl Again {
    /// Finds the loops over microbatches. `launches` are those of all actions.
    pub fn of<'l>(func: &Func, launches: impl Iterator<Item = &'l Launch>) -> Again {
        let loop_of = |region| {
            let (mut region, mut found) = (region, None);
            while let Some(o) = func.region(region).owner {
                found = if matches!(func.op(o).op, Op::Repeat { .. }) { Some(o) } else { found };
                region = func.op(o).parent;
            }
            found
        };
        let outermost = func.values.iter().map(|v| match v.def {
            Def::Arg(r, _) => loop_of(r),
            Def::Op(o, _) => loop_of(func.op(o).parent),
        });
        let outermost = outermost.collect();
        let ops = launches.flat_map(|l| &l.ops).filter(|&&o| (o as usize) < func.ops.len());
        let loops: BTreeSet<OpId> = ops.filter_map(|&o| loop_of(func.op(OpId(o)).parent)).collect();
        let slices = Slices::of(func, &loops);
        Again { loops, outermost, slices, ..Again::default() }
    }

    /// What a launch leaves in memory, by an earlier answer or else by a proof. `number` is the launch's own number.
    pub fn run(&mut self, s: &State<'_>, l: &Launch, kernel: &Kernel, number: usize) -> Proof<Made> {
        let Some(now) = s.microbatch else {
            return launch::run(s, l, kernel, number, None).map(alone);
        };
        let read = Rc::clone(self.read.entry(l.kernel).or_insert_with(|| reads(kernel)));
        let buffers = l.args.iter().map(|b| s.bytes(b)).collect();
        let run = Run { s, l, spec: &kernel.spec, number, buffers, now };
        let question = self.question(&run, &read);
        if let Some(a) = question.as_ref().and_then(|q| self.answers.get(q))
            && now.saturating_add(a.least) >= 1
        {
            s.rests(Some(a.least.saturating_add(now)));
            return Ok(self.moved(&run, a));
        }
        s.steps.take();
        let made = alone(launch::run(s, l, kernel, number, Some((number, now)))?);
        let least = self.least(s);
        s.rests(least.filter(|_| question.is_some()));
        if let (Some(question), Some(least)) = (question, least)
            && let Some(answer) = self.answer(&run, &made, least)
        {
            self.answers.insert(question, answer);
        }
        Ok(made)
    }

    /// The earliest iteration at which a carry was followed since the steps were last taken. `None` if the proof holds for this
    /// microbatch alone.
    pub fn least(&self, s: &State<'_>) -> Option<i64> {
        let steps = s.steps.take();
        let least = steps.least(&self.loops);
        let of_any = least >= 1 && steps.is_within() && steps.is_of_any(&self.loops);
        (of_any && steps.stacks().all(|v| self.slices.is_stack(v))).then_some(least)
    }

    /// All that a proof depends on. `None` if it is unknown which of the numbers in it are iterations.
    fn question(&self, run: &Run<'_>, read: &[bool]) -> Option<Question> {
        let Run { s, l, now, ref buffers, .. } = *run;
        let mut words = Words { again: self, now, list: Vec::with_capacity(128) };
        // The same instruction of the same action: where that lies in the program.
        words.list.push(std::ptr::from_ref(l) as usize as i64);
        words.all(&s.iterations[1..]);
        words.list.extend(s.rounds.map_or([-1, 0], |(v, n)| [v.into(), n as i64]));
        let written = |i: usize| l.writes.contains(&(i as u32));
        for (i, (start, bytes)) in buffers.iter().enumerate() {
            words.terms(start);
            for (j, (other, size)) in buffers.iter().enumerate().take(i).filter(|x| written(i) || written(x.0)) {
                if meet(s.rounds, (start, *bytes), (other, *size)) {
                    words.list.extend([i as i64, j as i64, start.offset.wrapping_sub(other.offset)]);
                }
            }
            words.list.push(-1);
            if read.get(i).copied().unwrap_or(true) {
                words.seen(&s.looked(start, *bytes), start, *bytes)?;
            }
        }
        Some(Question(words.list))
    }

    /// The contents of some bytes, in words relative to microbatch `now`. `None` if it is unknown which of the numbers in them are
    /// iterations.
    pub fn found(&self, memory: &Memory, from: &Affine, bytes: i64, now: i64) -> Option<Vec<i64>> {
        let mut words = self.words(now);
        words.seen(&memory.seen(from, bytes), from, bytes)?;
        Some(words.list)
    }

    /// Collects such words for several ranges of bytes, one after the other.
    pub fn words(&self, now: i64) -> Words<'_> {
        Words { again: self, now, list: Vec::new() }
    }

    /// The answer that a proof gives for other microbatches, if it gives one.
    fn answer(&self, run: &Run<'_>, made: &Made, least: i64) -> Option<Answer> {
        let Run { s, l, ref buffers, .. } = *run;
        let twin: Twin = (run.number, run.now);
        let lies = |p: &Piece| {
            let of =
                |&&w: &&u32| inside(s.rounds, (&p.base, p.reach()), (&buffers[w as usize].0, buffers[w as usize].1));
            l.writes.iter().find(of).map(|&w| w as usize)
        };
        let own = |c: &Content| match c {
            Content::Value(p) => self.is_told(p),
            Content::Node { by, .. } | Content::Sorted { by, .. } => by.twin == Some(twin),
            Content::Number(_) => true,
            Content::Padded(_) | Content::Padding | Content::Unknown(_) | Content::Skipped(_) => false,
        };
        let pieces: Option<Vec<(usize, Piece)>> =
            made.pieces.iter().map(|p| own(&p.content).then(|| lies(p).map(|i| (i, p.clone())))?).collect();
        let starts = buffers.iter().map(|b| b.0.clone()).collect();
        Some(Answer { twin, starts, pieces: pieces?, named: made.named, least: least.saturating_sub(twin.1) })
    }

    /// An answer, moved to the microbatch that is run now.
    fn moved(&self, run: &Run<'_>, a: &Answer) -> Made {
        let Run { s, l, spec, number, now, ref buffers } = *run;
        let by = std::cell::OnceCell::new();
        let launched = || {
            Rc::clone(by.get_or_init(|| {
                let buffer = |(start, bytes): &Bytes| Buffer {
                    start: start.clone(),
                    bytes: *bytes,
                    memory: Rc::clone(&s.memory),
                };
                let buffers = buffers.iter().map(buffer).collect();
                let dims = l.dims.iter().map(|d| s.dim(d)).collect();
                let twin = Some((a.twin.0, now));
                Rc::new(Launched { spec: Rc::clone(spec), buffers, dims, number, twin }.alone())
            }))
        };
        let content = |c: &Content| match c {
            Content::Value(p) => Content::Value(self.place(p, now - a.twin.1)),
            Content::Node { node, at, .. } => Content::Node { by: launched(), node: *node, at: at.clone() },
            Content::Sorted { rows, .. } => Content::Sorted { by: launched(), rows: *rows },
            other => other.clone(),
        };
        let piece = |(i, p): &(usize, Piece)| Piece {
            base: p.base.minus(&a.starts[*i]).plus(&buffers[*i].0, 1),
            coordinates: p.coordinates.clone(),
            element: p.element,
            content: content(&p.content),
            devices: p.devices.clone(),
        };
        Made { pieces: a.pieces.iter().map(piece).collect(), named: a.named }
    }

    /// Whether a value lies in a loop over microbatches.
    fn is_in(&self, v: ValueId) -> bool {
        self.outermost[v.index()].is_some_and(|o| self.loops.contains(&o))
    }

    /// Whether the value is a stack with a slice for each microbatch: one that only the loops read, or that one of them leaves.
    pub fn is_sliced(&self, func: &Func, v: ValueId) -> bool {
        let left = |o: OpId, i: u32| match func.op(o).op {
            Op::Repeat { reverse: false, carries, .. } => i as usize >= carries && self.loops.contains(&o),
            _ => false,
        };
        self.slices.is_stack(v) || matches!(func.value(v).def, Def::Op(o, i) if left(o, i))
    }

    /// Whether the microbatch of an element is known, or the element belongs to no microbatch.
    pub fn is_told(&self, p: &Place) -> bool {
        let known = || p.iterations.first().is_some_and(|i| i.terms.is_empty());
        p.iterations.is_empty() || !self.is_in(p.value) || known()
    }

    /// The same element for the microbatch that comes `by` microbatches later.
    pub fn place(&self, p: &Place, by: i64) -> Place {
        if p.iterations.is_empty() {
            return self.slices.place(p, by);
        }
        let iterations = match by != 0 && self.is_in(p.value) {
            true => p.iterations.iter().enumerate().map(|(i, n)| n.shifted(if i == 0 { by } else { 0 })).collect(),
            false => Rc::clone(&p.iterations),
        };
        Place { value: p.value, iterations, at: Rc::clone(&p.at) }
    }
}

/// What a launch left, with what it read of the arena alone.
fn alone(mut made: Made) -> Made {
    let mut of: Option<Rc<Launched>> = None;
    for p in &mut made.pieces {
        if let Content::Node { by, .. } | Content::Sorted { by, .. } = &mut p.content {
            *by = Rc::clone(of.get_or_insert_with(|| Rc::new(by.alone())));
        }
    }
    made
}

/// For each buffer of a kernel, whether the kernel may read it.
fn reads(Kernel { spec, args }: &Kernel) -> Rc<[bool]> {
    let mut read: Vec<bool> = args.iter().map(|a| a.role != BufferRole::Write).collect();
    if let Some(body) = spec.body() {
        for n in &body.nodes {
            if let Node::Leaf(a) | Node::Gather { access: a, .. } = n {
                read[a.buffer as usize] = true;
            }
        }
    }
    read.into()
}

/// The words of a question.
pub(crate) struct Words<'a> {
    again: &'a Again,
    now: i64,
    list: Vec<i64>,
}

impl Words<'_> {
    /// Whether the contents of some bytes are those that `words` state.
    pub fn are(&mut self, memory: &Memory, from: &Affine, bytes: i64, words: &[i64]) -> bool {
        self.list.clear();
        self.seen(&memory.seen(from, bytes), from, bytes).is_some() && self.list == words
    }

    fn terms(&mut self, a: &Affine) {
        self.list.push(a.terms.len() as i64);
        a.terms.iter().for_each(|&(v, c)| self.list.extend([v.into(), c]));
    }

    fn all(&mut self, list: &[Affine]) {
        self.list.push(list.len() as i64);
        list.iter().for_each(|a| self.one(a));
    }

    fn one(&mut self, a: &Affine) {
        self.list.push(a.offset);
        self.terms(a);
    }

    /// Adds the words for all that can be read in some bytes.
    fn seen(&mut self, seen: &[&Lying<Rc<Piece>>], from: &Affine, bytes: i64) -> Option<()> {
        for p in seen.iter().map(|x| &x.what) {
            let is_stack = matches!(&p.content, Content::Value(v) if self.again.slices.has(v.value));
            let slice = if is_stack { p.slice(from, bytes) } else { None };
            self.piece(slice.as_ref().unwrap_or(p), from)?;
        }
        Some(())
    }

    /// Adds the words for one piece, relative to `start`.
    fn piece(&mut self, p: &Piece, start: &Affine) -> Option<()> {
        let base = p.base.minus(start);
        self.all(std::slice::from_ref(&base));
        self.list.extend([p.element as i64, p.coordinates.len() as i64]);
        p.coordinates.iter().for_each(|&(s, n)| self.list.extend([s, n as i64]));
        if p.devices != Devices::default() {
            self.list.push(-2);
            p.devices.ranges().iter().for_each(|&(v, first, n)| self.list.extend([v.into(), first, n as i64]));
        }
        match &p.content {
            Content::Value(p) => self.place(p)?,
            Content::Padded(_) => return None,
            Content::Node { by, node, at } => {
                self.launched(1, by);
                self.list.push(node.index() as i64);
                self.all(at);
            }
            Content::Sorted { by, rows } => self.launched(if *rows { 3 } else { 2 }, by),
            Content::Number(Number::Int(n)) => self.list.extend([4, *n]),
            Content::Number(Number::Float(x)) => self.list.extend([5, x.to_bits() as i64]),
            Content::Padding => self.list.push(6),
            Content::Unknown(_) => self.list.push(7),
            // Nobody reads it: where somebody does, no answer counts.
            Content::Skipped(_) => self.list.push(8),
        }
        Some(())
    }

    /// A launch that was before the actions is itself.
    fn launched(&mut self, kind: i64, by: &Launched) {
        self.list.extend(match by.twin {
            Some((first, of)) => [kind, first as i64, of - self.now],
            None => [-kind, by.number as i64, 0],
        });
    }

    fn place(&mut self, p: &Place) -> Option<()> {
        if !self.again.is_told(p) {
            return None;
        }
        self.list.extend([0, p.value.index() as i64]);
        let Some((first, rest)) = p.iterations.split_first() else {
            self.list.push(0);
            self.all(&self.again.slices.place(p, self.now.wrapping_neg()).at);
            return Some(());
        };
        self.list.push(p.iterations.len() as i64);
        let by = if self.again.is_in(p.value) { self.now } else { 0 };
        self.one(&first.shifted(by.wrapping_neg()));
        rest.iter().for_each(|a| self.one(a));
        self.all(&p.at);
        Some(())
    }
}
