//! The abstract machine: runs the instructions of an executable program on an arena that says of each element which value it is
//! ([`crate::memory`]). A loop runs iteration by iteration, or as a whole (`loops`); the actions of a pipeline run turn by turn
//! (`turns`). Not here: what a launch computes ([`crate::launch`]), and how much of a program is run (`ways`).

mod arrays;
mod loops;
mod turns;
pub mod ways;

use crate::affine::Affine;
use crate::again::Again;
use crate::bytes::meet;
use crate::launch::{Kernel, Made};
use crate::memory::{Content, Piece};
use crate::moved::copied;
use crate::objection::{Audit, Objection};
use crate::space::{Devices, Proof, Stop, unfollowed, wrong};
use crate::state::State;
use crate::turns::Turns;
use crate::{collective, joined, lines, ports, stacks, wires};
use meshloom_bundle::program::{BufRef, Instr, KernelRef, Launch, SourcePlace};
use meshloom_kernels::KernelSpec;
use std::cell::Cell;
use std::rc::Rc;

/// The most instructions that are run. An instruction of a loop counts once for each iteration.
const STEPS: usize = 1 << 15;

/// Which proofs for one microbatch are used again for the others: none, those of launches, or those of whole turns too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Remembers {
    Nothing,
    Launches,
    Turns,
}

struct Machine<'a> {
    state: State<'a>,
    kernels: Vec<Kernel>,
    audit: Audit,
    again: Again,
    turns: Turns,
    /// Which proofs are used again for other microbatches.
    remembers: Remembers,
    /// Set when a read finds the memory of a turn that was not run, because an earlier turn answers it.
    skipped: Rc<Cell<bool>>,
    /// How many instructions were run. Those of turns that another turn answers do not count.
    ran: usize,
    /// The place in the source of the last launch whose results are no value of the program by themselves. If a port is wrong
    /// in the end, the error may come from there.
    unnamed: Option<SourcePlace>,
}

/// Says where a proof stopped.
fn finding(instruction: Option<usize>, source: Option<&SourcePlace>, message: String) -> Objection {
    Objection { instruction, source: source.cloned(), message }
}

impl Machine<'_> {
    fn run(&mut self, specs: &[KernelSpec]) -> Result<(), Objection> {
        ports::start(&mut self.state).map_err(|(value, why)| {
            let line = value.and_then(|v| lines::of_value(self.state.func, self.state.program, v));
            finding(None, line.as_ref(), why)
        })?;
        wires::start(&mut self.state).map_err(|e| finding(None, None, e))?;
        self.kernels = self.kernels(specs)?;
        self.list(None, &self.state.program.instrs)?;
        if self.is_over() {
            // The effect of the other instructions is unknown, so the ports cannot be checked.
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
                    let source = self.unnamed.clone().or_else(line);
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

    /// The kernels, if they are the ones that the program names.
    fn kernels(&self, specs: &[KernelSpec]) -> Result<Vec<Kernel>, Objection> {
        let program = self.state.program;
        if specs.len() != program.kernels.len() {
            return Err(finding(None, None, "it has not as many kernels as it names".into()));
        }
        let one = |(i, (spec, named)): (usize, (&KernelSpec, &KernelRef))| {
            let wrong = |why| finding(None, lines::of_kernel(program, i).as_ref(), why);
            spec.verify().map_err(|e| wrong(format!("kernel `{}`: {e}", named.symbol)))?;
            let hash = spec.hash();
            // The symbol of a GPU's kernel also names its grid, which this spec does not have. So the symbol is not compared.
            let own = named.gpu.is_some()
                || spec.symbol_of(&hash) == named.symbol && (spec.scratch_bytes() > 0) == named.scratch;
            let same = hash == named.hash && spec.dims() == named.dims;
            let args = spec.args();
            match own && same && args.len() as u32 == named.buffers {
                true => Ok(Kernel { spec: Rc::new(spec.clone()), args }),
                false => Err(wrong(format!("kernel `{}` is not the one that its name says", named.symbol))),
            }
        };
        specs.iter().zip(&program.kernels).enumerate().map(one).collect()
    }

    /// Whether more than [`STEPS`] instructions were run. From then on nothing is run any more.
    fn is_over(&self) -> bool {
        self.ran > STEPS
    }

    /// Runs a list of instructions. `outer` is the place of the outermost loop around them in the program: an objection to an
    /// instruction of a loop names the loop.
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
            Instr::Actions(a) => return self.actions(at, a),
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
                let piece = Piece::dense(base, &[*count], dtype.bytes(), |_| Content::Number(*value));
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

    /// Marks all bytes that an instruction writes as unknown.
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
            // Its body may write anywhere, so the whole arena becomes unknown.
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
        let Made { pieces, named } = made?;
        if !named && !l.ops.is_empty() && l.source.is_some() {
            self.unnamed.clone_from(&l.source);
        }
        pieces.iter().cloned().for_each(|p| self.state.write(p));
        joined::join(&mut self.state, &self.again, l, &pieces);
        Ok(())
    }
}
