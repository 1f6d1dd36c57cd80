//! The ways to audit a program, from the one that takes fewest steps on.

use crate::again::Again;
use crate::machine::{Machine, Remembers, STEPS, finding};
use crate::objection::{Audit, Objection};
use crate::state::State;
use crate::turns::Turns;
use crate::{lines, rounds};
use meshloom_bundle::program::Program;
use meshloom_ir::Func;
use meshloom_kernels::KernelSpec;
use std::rc::Rc;

/// Turns of each action that are run before the others are most often answered by them.
const TURNS: u64 = 16;

/// Holds an executable program against the local program that was certified. `kernels` are in the order of `program.kernels`; the
/// program is one that [`meshloom_bundle::validate`] accepts.
///
/// # Errors
/// What is wrong with it.
pub fn audit(local: &Func, program: &Program, kernels: &[KernelSpec]) -> Result<Audit, Objection> {
    audit_with(local, program, kernels, KeptFloats::MayStayWide)
}

/// What becomes of results of floats of 8 and 16 bits inside of a kernel that reads them again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeptFloats {
    /// They may be kept in the wider type that kernels compute in.
    MayStayWide,
    /// Each op rounds to its type, as the program is written.
    RoundsEach,
}

/// As [`audit`]; with [`KeptFloats::RoundsEach`], what leaves a rounding out or adds one is not proved. It is told as not followed where all
/// else agrees: the proof does not find all parts of sums that are rounded alike.
///
/// # Errors
/// What is wrong with it.
pub fn audit_with(
    local: &Func,
    program: &Program,
    kernels: &[KernelSpec],
    narrow: KeptFloats,
) -> Result<Audit, Objection> {
    let found = in_all_ways(local, program, kernels, narrow);
    match found {
        Err(mut e) if narrow == KeptFloats::RoundsEach => {
            let mut audit = in_all_ways(local, program, kernels, KeptFloats::MayStayWide)?;
            e.message = format!("where each op rounds: {}", e.message);
            audit.unfollowed.push(e);
            Ok(audit)
        }
        other => other,
    }
}

fn in_all_ways(
    local: &Func,
    program: &Program,
    kernels: &[KernelSpec],
    narrow: KeptFloats,
) -> Result<Audit, Objection> {
    let whole = |turns| rounds::cost(&program.instrs, 0, false, turns) > STEPS as u64;
    let (some, all) = (whole(TURNS), whole(u64::MAX));
    let with = |remembers, whole| audited(local, program, kernels, Way { remembers, whole, narrow });
    // Most turns are answered, so that there are many of them is no reason to follow their loops as a whole.
    if some != all
        && let Some(done) = with(Remembers::Turns, some).filter(|d| !d.over)
    {
        return done.audit;
    }
    with(Remembers::Turns, all).or_else(|| with(Remembers::Launches, all)).map_or_else(unknown, |d| d.audit)
}

/// The same, with a proof of its own for each launch of each microbatch: what tests hold [`audit`] against.
///
/// # Errors
/// What is wrong with it.
#[doc(hidden)]
pub fn audit_each_microbatch(local: &Func, program: &Program, kernels: &[KernelSpec]) -> Result<Audit, Objection> {
    let whole = rounds::cost(&program.instrs, 0, false, u64::MAX) > STEPS as u64;
    let way = Way { remembers: Remembers::Nothing, whole, narrow: KeptFloats::MayStayWide };
    audited(local, program, kernels, way).map_or_else(unknown, |d| d.audit)
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

/// One way to audit.
struct Way {
    /// What is answered.
    remembers: Remembers,
    /// Loops are followed as a whole.
    whole: bool,
    /// What is asked of roundings.
    narrow: KeptFloats,
}

/// Audits in one way. `None` where something was read that was not run.
fn audited(local: &Func, program: &Program, kernels: &[KernelSpec], way: Way) -> Option<Audited> {
    let Way { remembers, whole, narrow } = way;
    let mut m = Machine {
        state: State::new(local, program),
        kernels: Vec::new(),
        audit: Audit::default(),
        again: Again::default(),
        turns: Turns::default(),
        remembers,
        skipped: Rc::default(),
        ran: 0,
        unnamed: None,
    };
    m.state.whole = whole;
    m.state.rounds_each = narrow == KeptFloats::RoundsEach;
    let ended = m.run(kernels).map_err(|mut e| {
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
