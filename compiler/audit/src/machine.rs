//! The abstract machine: runs the instructions of a program, loops iteration by iteration.

use crate::affine::Affine;
use crate::again::Again;
use crate::early::{self, Left};
use crate::memory::{Content, Launched, Piece, Place, meet};
use crate::moved::copied;
use crate::objection::{Audit, Objection};
use crate::rounds::{self, Whole};
use crate::space::{Devices, Proof, Stop, unfollowed, wrong};
use crate::state::State;
use crate::term::{Exact, element_type};
use crate::turns::{Done, Turns};
use crate::{collective, lines, ports, stacks, wires};
use meshloom_bundle::program::{BufRef, ElementType, Instr, Launch, Number, Program, SourcePlace, Turn, While};
use meshloom_ir::{Func, Literal, Op, OpId, Scalar};
use meshloom_kernels::KernelSpec;
use std::cell::Cell;
use std::rc::Rc;

/// Most instructions that are run, each once for each iteration.
const STEPS: usize = 1 << 15;

/// Turns of each action that are run before the others are most often answered by them.
const TURNS: u64 = 16;

/// What is answered by what was proved of other microbatches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remembers {
    Nothing,
    Launches,
    Turns,
}

struct Machine<'a> {
    state: State<'a>,
    kernels: Vec<Rc<KernelSpec>>,
    audit: Audit,
    again: Again,
    turns: Turns,
    /// What is answered by what was proved of other microbatches.
    remembers: Remembers,
    /// Something was read that a turn had left which was not run.
    skipped: Rc<Cell<bool>>,
    /// Instructions that were run, and not answered by what another turn did.
    ran: usize,
    /// Where launches stand whose results are no value of the program by themselves: what is wrong may come from there.
    unnamed: Vec<Option<SourcePlace>>,
}

/// The launches of a list and of the loops in it.
fn launches<'a>(list: &'a [Instr]) -> Vec<&'a Launch> {
    let of = |i: &'a Instr| match i {
        Instr::Launch(l) => vec![l],
        Instr::Loop { body, .. } => launches(body),
        Instr::While(w) => [launches(&w.body), launches(&w.after)].concat(),
        _ => Vec::new(),
    };
    list.iter().flat_map(of).collect()
}

/// What a launch left, with what it read of the arena alone.
fn alone(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let mut of: Option<Rc<Launched>> = None;
    for p in &mut pieces {
        if let Content::Node { by, .. } | Content::Sorted { by, .. } = &mut p.content {
            *by = Rc::clone(of.get_or_insert_with(|| Rc::new(by.alone())));
        }
    }
    pieces
}

/// Says where a proof stopped.
fn finding(instruction: Option<usize>, source: Option<&SourcePlace>, message: String) -> Objection {
    Objection { instruction, source: source.cloned(), message }
}

/// Holds an executable program against the local program that was certified. `kernels` are in the order of `program.kernels`; the
/// program is one that [`meshloom_bundle::validate`] accepts.
///
/// # Errors
/// What is wrong with it.
pub fn audit(local: &Func, program: &Program, kernels: &[KernelSpec]) -> Result<Audit, Objection> {
    let whole = |turns| rounds::cost(&program.instrs, 0, (false, turns)) > STEPS as u64;
    let (some, all) = (whole(TURNS), whole(u64::MAX));
    // Most turns are answered, so that there are many of them is no reason to follow their loops as a whole.
    if some != all
        && let Some(done) = audited(local, program, kernels, (Remembers::Turns, some)).filter(|d| !d.over)
    {
        return done.audit;
    }
    let done = audited(local, program, kernels, (Remembers::Turns, all));
    done.or_else(|| audited(local, program, kernels, (Remembers::Launches, all))).map_or_else(unknown, |d| d.audit)
}

/// The same, with a proof of its own for each launch of each microbatch: what tests hold [`audit`] against.
///
/// # Errors
/// What is wrong with it.
#[doc(hidden)]
pub fn audit_each_microbatch(local: &Func, program: &Program, kernels: &[KernelSpec]) -> Result<Audit, Objection> {
    let whole = rounds::cost(&program.instrs, 0, (false, u64::MAX)) > STEPS as u64;
    audited(local, program, kernels, (Remembers::Nothing, whole)).map_or_else(unknown, |d| d.audit)
}

/// Of a program in which something was read that was not run, which happens only where turns are answered.
fn unknown() -> Result<Audit, Objection> {
    let why = finding(None, None, "what was not run for this microbatch".into());
    Ok(Audit { unfollowed: vec![why], ..Audit::default() })
}

/// What an audit found, and whether it ran more instructions than are followed.
struct Audited {
    audit: Result<Audit, Objection>,
    over: bool,
}

/// One way to audit: what is answered, and whether loops are followed as a whole. `None` where something was read that was not run.
fn audited(
    local: &Func,
    program: &Program,
    kernels: &[KernelSpec],
    (remembers, whole): (Remembers, bool),
) -> Option<Audited> {
    let mut m = Machine {
        state: State::new(local, program),
        kernels: kernels.iter().map(|k| Rc::new(k.clone())).collect(),
        audit: Audit::default(),
        again: Again::default(),
        turns: Turns::default(),
        remembers,
        skipped: Rc::default(),
        ran: 0,
        unnamed: Vec::new(),
    };
    m.state.whole = whole;
    let ended = m.run().map_err(|mut e| {
        e.source = e.source.or_else(|| lines::near(program, e.instruction.unwrap_or(0)));
        e
    });
    let over = m.is_over();
    let audit = match ended {
        // It may be what was not kept of a loop's memory.
        Err(mut e) if whole => {
            e.message = format!("in more than {STEPS} steps, with loops followed as a whole: {}", e.message);
            m.audit.unfollowed.push(e);
            Ok(m.audit)
        }
        result => result.map(|()| m.audit),
    };
    (!m.skipped.get()).then_some(Audited { audit, over })
}

impl Machine<'_> {
    fn run(&mut self) -> Result<(), Objection> {
        ports::start(&mut self.state).map_err(|(value, why)| {
            let line = value.and_then(|v| lines::of_value(self.state.func, self.state.program, v));
            finding(None, line.as_ref(), why)
        })?;
        wires::start(&mut self.state).map_err(|e| finding(None, None, e))?;
        self.specs()?;
        self.list(None, &self.state.program.instrs)?;
        if self.is_over() {
            // What comes after is not known, so nothing of the end is.
            self.audit.unfollowed.push(finding(None, None, format!("more than {STEPS} steps")));
            return Ok(());
        }
        wires::end(&self.state).map_err(|e| finding(None, None, e))?;
        for (name, value, held) in ports::end(&self.state) {
            let line = || lines::of_value(self.state.func, self.state.program, value);
            match held {
                Ok(()) => {}
                Err(Stop::Unfollowed(why)) => {
                    self.audit.unfollowed.push(finding(None, line().as_ref(), format!("port `{name}`: {why}")));
                }
                Err(Stop::Differs(why) | Stop::Wrong(why)) => {
                    let source = self.unnamed.last().cloned().flatten().or_else(line);
                    return Err(finding(None, source.as_ref(), format!("port `{name}` in the end: {why}")));
                }
                Err(Stop::Refine { .. } | Stop::Split { .. }) => {
                    let why = format!("port `{name}`: a proof that does not end");
                    self.audit.unfollowed.push(finding(None, line().as_ref(), why));
                }
            }
        }
        Ok(())
    }

    /// Whether kernels are the ones that the program names.
    fn specs(&self) -> Result<(), Objection> {
        let program = self.state.program;
        if self.kernels.len() != program.kernels.len() {
            return Err(finding(None, None, "it has not as many kernels as it names".into()));
        }
        for (i, (spec, named)) in self.kernels.iter().zip(&program.kernels).enumerate() {
            let wrong = |why| finding(None, lines::of_kernel(program, i).as_ref(), why);
            spec.verify().map_err(|e| wrong(format!("kernel `{}`: {e}", named.symbol)))?;
            let hash = spec.hash();
            // The names of a GPU's kernels are also those of their grids.
            let own = named.gpu.is_some()
                || spec.symbol_of(&hash) == named.symbol && (spec.scratch_bytes() > 0) == named.scratch;
            let same = hash == named.hash && spec.dims() == named.dims;
            if !own || !same || spec.args().len() as u32 != named.buffers {
                return Err(wrong(format!("kernel `{}` is not the one that its name says", named.symbol)));
            }
        }
        Ok(())
    }

    /// Whether it took more steps than are followed: nothing is run any more.
    fn is_over(&self) -> bool {
        self.ran > STEPS
    }

    /// Runs a list of instructions; one of a loop's body is told by the loop's place in the program.
    fn list(&mut self, outer: Option<usize>, list: &[Instr]) -> Result<(), Objection> {
        let mut i = 0;
        while i < list.len() && !self.is_over() {
            let known = self.array(&list[i..]);
            if known == 0 {
                self.instr(outer.unwrap_or(i), &list[i])?;
            }
            i += known.max(1);
        }
        Ok(())
    }

    /// Fills of single elements, one behind the other, that leave an array of constants of the program: how many there are.
    fn array(&mut self, list: &[Instr]) -> usize {
        let mut values: Vec<Number> = Vec::new();
        let mut first: Option<(Affine, ElementType)> = None;
        for instr in list {
            let Instr::Fill { dst, dtype, count: 1, value } = instr else { break };
            let at = self.state.address(dst);
            let (start, of) = first.get_or_insert_with(|| (at.clone(), *dtype));
            if dtype != of || at != start.shifted((values.len() as u64 * of.size()) as i64) {
                break;
            }
            values.push(*value);
        }
        let Some((base, of)) = first else { return 0 };
        let found = self.state.func.ops.iter().filter_map(|d| {
            let Op::Constant { value: Literal::Dense(all), dtype, shape } = &d.op else { return None };
            let same = |(x, n): (&Scalar, &Number)| Exact::of(*dtype, *x).same(Exact::filled(*dtype, *n));
            let fits = (2..=values.len()).contains(&all.len()) && element_type(*dtype) == of;
            (fits && all.iter().zip(&values).all(same)).then_some((d.results[0], shape, dtype))
        });
        let found = found.filter_map(|(v, shape, dtype)| Some((self.state.place(v)?, shape, dtype)));
        let Some((place, shape, dtype)) = found.max_by_key(|x| x.1.iter().product::<u64>()) else { return 0 };
        let piece = Piece::dense(base, shape, dtype.bytes(), |at| Content::Value(Place { at: at.into(), ..place }));
        (self.audit.steps, self.ran) = (self.audit.steps + 1, self.ran + 1);
        self.state.write(piece);
        shape.iter().product::<u64>() as usize
    }

    fn instr(&mut self, at: usize, instr: &Instr) -> Result<(), Objection> {
        (self.audit.steps, self.ran) = (self.audit.steps + 1, self.ran + 1);
        self.state.facts.begin();
        let result = match instr {
            Instr::Loop { body, .. } if body.is_empty() => Ok(()),
            Instr::Loop { trip, body } if self.is_whole(*trip, body) => return self.whole(at, *trip, body),
            Instr::Loop { trip, body } => {
                let before = self.state.memory.stamp;
                for n in 0..*trip {
                    self.state.iterations.push(Affine::constant(n as i64));
                    let done = self.list(Some(at), body);
                    self.state.iterations.pop();
                    done?;
                    if self.is_over() {
                        break;
                    }
                }
                if !self.state.whole || self.state.microbatch.is_some() && self.state.rounds.is_none() {
                    stacks::gather(&mut self.state, before);
                }
                Ok(())
            }
            Instr::While(w) => return self.early(at, w),
            Instr::Actions(a) => {
                let launches = a.bodies.iter().flat_map(|b| launches(&b.body));
                self.again = Again::of(self.state.func, launches);
                if self.remembers == Remembers::Turns {
                    self.turns = Turns::of(&self.state, &self.again, a, &self.skipped);
                }
                for turn in &a.order {
                    self.state.microbatch = (self.remembers != Remembers::Nothing).then_some(turn.microbatch as i64);
                    let done = self.turn(at, &a.bodies[turn.action as usize].body, turn);
                    self.state.microbatch = None;
                    done?;
                    if self.is_over() {
                        break;
                    }
                }
                Ok(())
            }
            Instr::Receive(t) => wires::received(&mut self.state, t),
            Instr::Launch(l) => self.launch(l),
            Instr::Send(_) | Instr::Collective(_) | Instr::Bucket(_) | Instr::Copy { .. } => {
                self.looks(instr);
                let done = match instr {
                    Instr::Send(t) => wires::sent(&mut self.state, t),
                    Instr::Collective(c) => collective::run(&mut self.state, std::slice::from_ref(c)),
                    Instr::Bucket(all) => collective::run(&mut self.state, all),
                    Instr::Copy { src, dst, bytes } => self.copy(src, dst, *bytes),
                    _ => Ok(()),
                };
                self.state.rests(self.again.least(&self.state));
                done
            }
            Instr::Fill { dst, dtype, count, value } => {
                let base = self.state.address(dst);
                let piece = Piece::dense(base, &[*count], dtype.size(), |_| Content::Number(*value));
                self.state.write(piece);
                Ok(())
            }
        };
        let line = |m: &Self| lines::of_instruction(m.state.func, m.state.program, instr);
        match result {
            Ok(()) => Ok(()),
            Err(Stop::Unfollowed(why)) => {
                self.forget(instr, &why);
                if self.audit.unfollowed.len() < 100 {
                    self.audit.unfollowed.push(finding(Some(at), line(self).as_ref(), why));
                }
                Ok(())
            }
            Err(Stop::Differs(why) | Stop::Wrong(why)) => Err(finding(Some(at), line(self).as_ref(), why)),
            Err(Stop::Refine { .. } | Stop::Split { .. }) => {
                Err(finding(Some(at), line(self).as_ref(), "a proof that does not end".into()))
            }
        }
    }

    /// Whether a loop is followed as a whole.
    fn is_whole(&self, trip: u64, body: &[Instr]) -> bool {
        let depth = self.state.iterations.len();
        let cut = rounds::cut(trip, body, depth).filter(|_| self.state.whole && self.state.rounds.is_none());
        let each = || rounds::cost(body, depth + 1, (true, u64::MAX)).saturating_mul(trip);
        cut.is_some_and(|c| rounds::is_plain(body) && rounds::rounds(c, body, depth) < each())
    }

    fn iteration(&mut self, at: usize, body: &[Instr], n: Affine) -> Result<(), Objection> {
        self.state.iterations.push(n);
        let done = self.list(Some(at), body);
        self.state.iterations.pop();
        done
    }

    /// Runs a turn of an action, or does what an earlier one did.
    fn turn(&mut self, at: usize, body: &[Instr], turn: &Turn) -> Result<(), Objection> {
        let (action, now) = (turn.action as usize, turn.microbatch as i64);
        if let Some(done) = self.turns.answered(&self.again, &mut self.state, action, now) {
            self.audit.steps += done.steps;
            self.unnamed.extend(done.unnamed);
            return Ok(());
        }
        let (steps, unnamed, open) = (self.audit.steps, self.unnamed.len(), self.audit.unfollowed.len());
        *self.state.asked.borrow_mut() = self.turns.begin(&self.state, action);
        let done = self.iteration(at, body, Affine::constant(now));
        let asked = self.state.asked.take();
        done?;
        if let Some(asked) = asked.filter(|_| self.audit.unfollowed.len() == open && !self.is_over()) {
            let done = Done { steps: self.audit.steps - steps, unnamed: self.unnamed[unnamed..].to_vec() };
            self.turns.end(&self.again, &self.state, &asked, (action, now), done);
        }
        Ok(())
    }

    /// Notes what else than a launch depends on memory, for the turn that is run.
    fn looks(&self, instr: &Instr) {
        self.state.steps.take();
        let look = |b: &BufRef, bytes: u64| {
            self.state.looks(&self.state.address(b), i64::try_from(bytes).unwrap_or(i64::MAX));
        };
        match instr {
            Instr::Collective(c) => look(&c.src, c.src.bytes),
            Instr::Bucket(all) => all.iter().for_each(|c| look(&c.src, c.src.bytes)),
            Instr::Copy { src, bytes, .. } => look(src, *bytes),
            Instr::Send(t) => look(&t.buf, t.buf.bytes),
            _ => {}
        }
    }

    /// Runs the first iterations of a loop, and the others as rounds.
    fn whole(&mut self, at: usize, trip: u64, body: &[Instr]) -> Result<(), Objection> {
        let Some(cut) = rounds::cut(trip, body, self.state.iterations.len()) else { return Ok(()) };
        // What is found and left of the turn is told of single iterations.
        self.state.asked.take();
        for n in 0..cut.first {
            self.iteration(at, body, Affine::constant(n as i64))?;
        }
        let mut loop_ = Whole::begin(&self.state, cut, trip, body);
        let open = self.audit.unfollowed.len();
        loop {
            self.audit.unfollowed.truncate(open);
            loop_.set(&mut self.state);
            for of_round in 0..cut.period {
                let n = loop_.iteration(&self.state, of_round);
                self.iteration(at, body, n)?;
            }
            if self.is_over() || loop_.holds(&self.state) {
                break;
            }
        }
        if !loop_.end(&mut self.state) {
            let why = "a loop that writes beyond its buffers".to_string();
            self.audit.unfollowed.push(finding(Some(at), None, why));
        }
        Ok(())
    }

    /// Runs a loop that ends early: its first iterations as they are, the others as rounds, and in each what comes if it ends there.
    fn early(&mut self, at: usize, w: &While) -> Result<(), Objection> {
        let open = |m: &mut Self, why: &str| {
            m.forget(&Instr::While(Box::new(w.clone())), why);
            m.audit.unfollowed.push(finding(Some(at), None, why.into()));
            Ok(())
        };
        let Some(o) = early::of_program(&self.state, w) else { return open(self, "a loop that ends early") };
        if w.most != early::limit(&self.state, o) {
            return Err(finding(Some(at), None, "a loop that ends after another number of iterations".into()));
        }
        let going = Instr::Copy { src: w.going, dst: w.going, bytes: 0 };
        let all = [&w.body[..], &w.after, &[going]].concat();
        let (depth, most) = (self.state.iterations.len(), w.most.unwrap_or(u64::MAX));
        let Some(cut) = rounds::cut_early(most, &all, depth).filter(|_| self.state.rounds.is_none()) else {
            return open(self, "a loop that ends early in one that is followed as a whole");
        };
        if !rounds::is_plain(&all) {
            return open(self, "a loop that ends early, with another one in it");
        }
        let before = Rc::clone(&self.state.memory);
        let mut left = early::candidates(&self.state, w, o);
        for n in 0..cut.first {
            left = self.ended(at, w, o, &Affine::constant(n as i64), &left)?;
            self.iteration(at, &w.body, Affine::constant(n as i64))?;
        }
        if cut.rounds == 0 {
            left = self.after(at, w, o, &Affine::constant(cut.first as i64), &left)?;
        } else if !self.is_over() {
            left = match self.rounds(at, w, o, (cut, &all), &left) {
                Ok(left) => left,
                // It may be what was guessed of the loop's memory.
                Err(e) => {
                    (self.state.rounds, self.state.log) = (None, None);
                    self.audit.unfollowed.push(e);
                    Vec::new()
                }
            };
        }
        self.state.memory = before;
        rounds::lose(&mut self.state, most, &all);
        early::results(&mut self.state, o, &left);
        Ok(())
    }

    /// Rounds of a loop that ends early, and what lies where whenever it ends in one.
    fn rounds(
        &mut self,
        at: usize,
        w: &While,
        o: OpId,
        (cut, all): (rounds::Cut, &[Instr]),
        left: &[Left],
    ) -> Result<Vec<Left>, Objection> {
        let mut loop_ = Whole::begin(&self.state, cut, w.most.unwrap_or(u64::MAX), all);
        let open = self.audit.unfollowed.len();
        loop {
            self.audit.unfollowed.truncate(open);
            loop_.set(&mut self.state);
            let mut kept = left.to_vec();
            for of_round in 0..cut.period {
                let n = loop_.iteration(&self.state, of_round);
                kept = self.ended(at, w, o, &n, &kept)?;
                self.iteration(at, &w.body, n)?;
            }
            if self.is_over() || loop_.holds(&self.state) {
                if !loop_.leave(&mut self.state) {
                    let why = "a loop that writes beyond its buffers".to_string();
                    self.audit.unfollowed.push(finding(Some(at), None, why));
                }
                return Ok(kept);
            }
        }
    }

    /// Whether the flag before iteration `n` is the program's, and of these carries those that lie there if the loop ends.
    fn ended(&mut self, at: usize, w: &While, o: OpId, n: &Affine, left: &[Left]) -> Result<Vec<Left>, Objection> {
        self.state.facts.begin();
        match early::goes_on(&self.state, w, o, n) {
            Ok(()) => {}
            Err(Stop::Differs(why) | Stop::Wrong(why)) => {
                return Err(finding(Some(at), None, format!("whether the loop goes on: {why}")));
            }
            Err(Stop::Unfollowed(why)) => {
                self.audit.unfollowed.push(finding(Some(at), None, format!("whether the loop goes on: {why}")));
            }
            Err(Stop::Refine { .. } | Stop::Split { .. }) => {
                self.audit.unfollowed.push(finding(Some(at), None, "a proof that does not end".into()));
            }
        }
        self.after(at, w, o, n, left)
    }

    /// Of these carries those that lie where they are said to, if the loop ends before iteration `n`. Nothing stays of the trial.
    fn after(&mut self, at: usize, w: &While, o: OpId, n: &Affine, left: &[Left]) -> Result<Vec<Left>, Objection> {
        let before = Rc::clone(&self.state.memory);
        self.iteration(at, &w.after, n.clone())?;
        let kept = early::kept(&self.state, o, n, left);
        self.state.memory = before;
        Ok(kept)
    }

    /// Nothing is known of what an instruction writes.
    fn forget(&mut self, instr: &Instr, why: &str) {
        let unknown = |m: &mut Self, b: &BufRef| {
            let base = m.state.address(b);
            let (content, devices) = (Content::Unknown(why.to_string()), Devices::default());
            m.state.write(Piece { base, coordinates: vec![(1, b.bytes)], element: 1, content, devices });
        };
        match instr {
            Instr::Launch(l) => l.writes.iter().for_each(|&w| unknown(self, &l.args[w as usize])),
            Instr::Collective(c) => unknown(self, &c.dst),
            Instr::Bucket(all) => all.iter().for_each(|c| unknown(self, &c.dst)),
            Instr::Copy { dst, .. } | Instr::Fill { dst, .. } => unknown(self, dst),
            Instr::Receive(t) => unknown(self, &t.buf),
            Instr::Send(_) => {}
            // Anything may be anywhere.
            Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_) => {
                let bytes = self.state.program.arena_bytes + self.state.program.host_bytes;
                let content = Content::Unknown(why.to_string());
                let (coordinates, devices) = (vec![(1, bytes)], Devices::default());
                self.state.write(Piece { base: Affine::default(), coordinates, element: 1, content, devices });
            }
        }
    }

    fn copy(&mut self, src: &BufRef, dst: &BufRef, bytes: u64) -> Proof<()> {
        let (from, to) = (self.state.address(src), self.state.address(dst));
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        if meet(self.state.rounds, (&from, bytes), (&to, bytes)) {
            return wrong("copies bytes over themselves");
        }
        let moved = copied(&self.state.memory, &from, &to, bytes);
        moved.map_or_else(
            || unfollowed("a copy of parts of values"),
            |all| {
                all.into_iter().for_each(|p| self.state.write(p));
                Ok(())
            },
        )
    }

    fn launch(&mut self, l: &Launch) -> Proof<()> {
        let made = self.again.run(&self.state, l, &self.kernels[l.kernel as usize], self.audit.steps);
        self.audit.work = self.audit.work.max(self.state.facts.work());
        let (pieces, named) = made?;
        if !named && !l.ops.is_empty() {
            self.unnamed.push(l.source.clone());
        }
        alone(pieces).into_iter().for_each(|p| self.state.write(p));
        Ok(())
    }
}
