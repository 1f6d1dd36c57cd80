//! Loops that are followed as a whole, and loops that end early.
//!
//! Not here: what a round begins with and leaves ([`crate::rounds`]), and what such a loop results in ([`crate::early`]).

use crate::affine::Affine;
use crate::early::Left;
use crate::machine::{Machine, finding};
use crate::objection::Objection;
use crate::rounds::Whole;
use crate::space::Stop;
use crate::{early, rounds};
use meshloom_bundle::program::{Instr, While};
use meshloom_ir::OpId;
use std::rc::Rc;

impl Machine<'_> {
    /// Whether a loop is followed as a whole.
    pub(super) fn is_whole(&self, trip: u64, body: &[Instr]) -> bool {
        let depth = self.state.iterations.len();
        let cut = rounds::cut(trip, body, depth).filter(|_| self.state.whole && self.state.rounds.is_none());
        let each = || rounds::cost(body, depth + 1, true, u64::MAX).saturating_mul(trip);
        cut.is_some_and(|c| rounds::is_plain(body) && rounds::rounds(c, body, depth) < each())
    }

    pub(super) fn iteration(&mut self, at: usize, body: &[Instr], n: Affine) -> Result<(), Objection> {
        self.state.iterations.push(n);
        let done = self.list(Some(at), body);
        self.state.iterations.pop();
        done
    }

    /// Runs the first iterations of a loop, and the others as rounds.
    pub(super) fn whole(&mut self, at: usize, trip: u64, body: &[Instr]) -> Result<(), Objection> {
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
    pub(super) fn early(&mut self, at: usize, w: &While) -> Result<(), Objection> {
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
            left = match self.rounds(at, w, o, cut, &all, &left) {
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
        cut: rounds::Cut,
        all: &[Instr],
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
}
