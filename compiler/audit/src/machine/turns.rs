//! The actions of a pipeline stage, turn by turn.
//!
//! Not here: which turns are answered by which others ([`crate::turns`]).

use crate::affine::Affine;
use crate::again::Again;
use crate::machine::{Machine, Remembers};
use crate::objection::Objection;
use crate::turns::{Done, Turns};
use meshloom_bundle::program::{Actions, BufRef, Instr, Launch, Turn};

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

impl Machine<'_> {
    /// Runs the turns of all actions, in the order of the schedule.
    pub(super) fn actions(&mut self, at: usize, a: &Actions) -> Result<(), Objection> {
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

    /// Runs a turn of an action, or does what an earlier one did.
    fn turn(&mut self, at: usize, body: &[Instr], turn: &Turn) -> Result<(), Objection> {
        let (action, now) = (turn.action as usize, turn.microbatch as i64);
        if let Some(done) = self.turns.answered(&self.again, &mut self.state, action, now) {
            self.audit.steps += done.steps;
            self.unnamed = done.unnamed.or(self.unnamed.take());
            return Ok(());
        }
        let (steps, before, open) = (self.audit.steps, self.unnamed.take(), self.audit.unfollowed.len());
        *self.state.asked.borrow_mut() = self.turns.begin(&self.state, action);
        let done = self.iteration(at, body, Affine::constant(now));
        let asked = self.state.asked.take();
        done?;
        if let Some(asked) = asked.filter(|_| self.audit.unfollowed.len() == open && !self.is_over()) {
            let done = Done { steps: self.audit.steps - steps, unnamed: self.unnamed.clone() };
            self.turns.end(&self.again, &self.state, &asked, action, now, done);
        }
        self.unnamed = self.unnamed.take().or(before);
        Ok(())
    }

    /// Notes what else than a launch depends on memory, for the turn that is run.
    pub(super) fn looks(&self, instr: &Instr) {
        self.state.steps.take();
        let look = |b: &BufRef, bytes: u64| {
            self.state.looked(&self.state.address(b), i64::try_from(bytes).unwrap_or(i64::MAX));
        };
        match instr {
            Instr::Collective(c) => look(&c.src, c.src.bytes),
            Instr::Bucket(all) => all.iter().for_each(|c| look(&c.src, c.src.bytes)),
            Instr::Copy { src, bytes, .. } => look(src, *bytes),
            Instr::Send(t) => look(&t.buf, t.buf.bytes),
            _ => {}
        }
    }
}
