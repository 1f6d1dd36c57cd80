//! Leaves out collectives that are hardly worth their while. What is hidden costs next to nothing, so a search for time alone ends
//! with many conversions that save microseconds of a step of seconds. They make a plan hard to read, and predictions are not that
//! exact.
//!
//! Readers of converted tensors go back to a layout that is there. That is kept if there are fewer collectives, and all that was
//! left out together makes the step longer by at most what the entry [`Move::Plain`] allows.

use super::cost::Cost;
use super::perturb::{apply, hot, moves_of};
use super::state::State;
use crate::effort;
use crate::moves::Move;
use std::collections::BTreeSet;

/// What a collective counts in [`Cost::calls`].
const CALL: u64 = 16;

/// `took` is what the choice takes, and `judge` says what others take.
pub fn leave_out(state: &mut State<'_>, took: u64, judge: &mut dyn FnMut(&mut State<'_>) -> u64) {
    let slack = Move::Plain.below(took).saturating_sub(took);
    let mut seen = BTreeSet::new();
    loop {
        // Those that are called most often first, among those that take little.
        let mut cheap = hot(state);
        cheap.retain(|(c, _)| c.time <= slack && c.calls >= CALL);
        cheap.sort_by_key(|(c, t)| (std::cmp::Reverse(c.calls), c.time, *t));
        let cheap: Vec<u32> = cheap.into_iter().map(|c| c.1).collect();
        let mut helped = false;
        for perturbation in moves_of(state, &cheap) {
            if seen.len() >= effort::PLAIN_QUESTIONS {
                return;
            }
            let before = state.total;
            let fewer = |c: Cost| {
                let plainer = c.calls.saturating_add(CALL) <= before.calls && c.idle == before.idle;
                plainer && c.time <= before.time.saturating_add(slack) && !seen.contains(&c)
            };
            let total = apply(state, perturbation, &fewer);
            let taken = fewer(total) && {
                seen.insert(total);
                let now = judge(state);
                state.known.borrow_mut().moves.accepts(Move::Plain, took, now)
            };
            if !taken {
                state.undo(0);
            }
            state.commit();
            helped |= taken;
        }
        if !helped {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::search::cost::Rent;
    use crate::search::tests::on_random;

    /// Collectives are left out where what they save is little of a step, and not where it counts; the step gets no longer than said.
    #[test]
    fn collectives_that_save_little_are_left_out() {
        let (mut plainer, mut kept) = (0, 0);
        on_random::found(Limits { states: 0, ..Limits::default() }, |seed, search, problem, found| {
            for f in found.iter().filter(|f| !f.cost.is_impossible()) {
                // A step that is so long that a collective of this program is, or is not, a part of it that counts.
                for took in [f.cost.time, f.cost.time.saturating_mul(400)] {
                    let mut state = search.state(problem, Rent(0), &f.chosen);
                    let before = state.total;
                    leave_out(&mut state, took, &mut |s| took - before.time + s.total.time);
                    let after = state.total;
                    assert!(
                        after.time <= before.time + Move::Plain.below(took) - took,
                        "seed {seed}: {after:?}, {before:?}"
                    );
                    assert!(after.calls <= before.calls, "seed {seed}: {after:?}, {before:?}");
                    plainer += usize::from(after.calls < before.calls);
                    kept += usize::from(after == before && before.calls >= CALL);
                }
            }
        });
        assert!(plainer > 0 && kept > 0, "{plainer} are plainer, {kept} as they were");
    }
}
