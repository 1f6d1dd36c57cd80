//! Small collectives of one kind become one call, a *bucket*. The latency of a call then counts once, and devices meet
//! once. A program has dozens of such collectives: gradients of norms and biases, and scalars such as losses and norms.
//!
//! There are two ways into a bucket:
//! - A collective waits for a later one of its kind. No step in between may read its result or write its operand.
//!   Gradients wait for each other in this way.
//! - A collective starts together with an earlier one, if its operand is ready by then. Weights that are gathered where
//!   they are used start early in this way. A collective that is rematerialized for the backward pass
//!   (`OpData::is_rematerialized`) does not: its result would be live all along.
//!
//! Everything else stays where it is. Operands and results of a bucket live longer, so the bytes of a bucket are
//! bounded. There is no buffer to pack them into: a call takes a list of operands.
//!
//! Not here: what can be one call, and how large it may get ([`crate::call`]).

use crate::call::{CALL_BYTES, CallSize};
use crate::memory::{Collective, Step};

/// The bytes up to which a collective starts early, since its result is then live for longer.
const EARLY_BYTES: u64 = CALL_BYTES / 8;

/// A bucket that others may join.
struct Open {
    members: Vec<usize>,
    size: CallSize,
    /// The first step that has to stay behind the bucket.
    until: usize,
}

/// Puts the small collectives of a list of steps into buckets.
pub fn bucket(steps: Vec<Step>) -> Vec<Step> {
    // The two passes run one after the other. Each keeps dependent steps in order; both at once would not.
    earlier(later(steps))
}

/// Puts collectives that can wait into buckets with later ones.
fn later(steps: Vec<Step>) -> Vec<Step> {
    let mut buckets: Vec<Open> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let Step::Collective(c) = step else { continue };
        let size = size(step.collectives());
        if size.bytes > CALL_BYTES {
            continue;
        }
        let until = needed(&steps, at, c);
        let joins = |b: &&mut Open| {
            at < b.until
                && b.size.with(size).is_some()
                && steps[b.members[0]].collectives().first().is_some_and(|first| first.call == c.call)
        };
        match buckets.iter_mut().find(joins) {
            Some(b) => {
                b.members.push(at);
                b.size = b.size.with(size).unwrap_or(b.size);
                b.until = b.until.min(until);
            }
            None => buckets.push(Open { members: vec![at], size, until }),
        }
    }
    buckets.retain(|b| b.members.len() > 1);
    // Each bucket stands where its last member stood.
    let mut out: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    for b in buckets {
        let members = b.members.iter().filter_map(|&i| match out[i].take() {
            Some(Step::Collective(c)) => Some(*c),
            _ => None,
        });
        let all = Step::Bucket(members.collect());
        out[b.members[b.members.len() - 1]] = Some(all);
    }
    out.into_iter().flatten().collect()
}

/// Puts collectives that can start early into calls with earlier ones.
fn earlier(mut steps: Vec<Step>) -> Vec<Step> {
    // Where the calls are that others may join.
    let mut calls: Vec<usize> = Vec::new();
    let mut gone = vec![false; steps.len()];
    for at in 0..steps.len() {
        let (Some(c), n) = (steps[at].collectives().first(), steps[at].collectives().len()) else { continue };
        let ready = operand_ready(&steps, at, c);
        let joins = |&&p: &&usize| {
            let there = steps[p].collectives();
            p >= ready && size(there).with(size(steps[at].collectives())).is_some() && there[0].call == c.call
        };
        match calls
            .iter()
            .rev()
            .find(joins)
            .copied()
            .filter(|_| n == 1 && !c.rematerialized && size(steps[at].collectives()).bytes <= EARLY_BYTES)
        {
            Some(p) => {
                let all = [&steps[p], &steps[at]].into_iter().flat_map(|s| s.collectives().to_vec()).collect();
                steps[p] = Step::Bucket(all);
                gone[at] = true;
            }
            None => calls.push(at),
        }
    }
    let kept = steps.into_iter().zip(gone).filter(|(_, gone)| !gone);
    kept.map(|(s, _)| s).collect()
}

fn size(all: &[Collective]) -> CallSize {
    CallSize { members: all.len(), bytes: all.iter().map(|c| c.src.bytes.max(c.dst.bytes)).sum() }
}

/// The first place before `at` to which a collective at `at` may move. Every step that writes its operand, or that
/// reads or writes the buffer of its result, stays before it.
fn operand_ready(steps: &[Step], at: usize, c: &Collective) -> usize {
    let (src, dst) = (c.src.home.buf, c.dst.home.buf);
    let last = steps[..at].iter().rposition(|s| {
        let mut meets = false;
        s.visit(&mut |r, write| meets |= r.home.buf == dst || (write && r.home.buf == src));
        meets
    });
    last.map_or(0, |k| k + 1)
}

/// The first step after `at` that has to stay behind the collective at `at`: a step that reads or writes its result, or
/// that writes its operand. Buffers are compared as a whole, so two parts of one buffer count as the same memory. A pipeline
/// stage does not wait for another one before it has computed what it could: the other one may wait for that.
fn needed(steps: &[Step], at: usize, c: &Collective) -> usize {
    let (src, dst) = (c.src.home.buf, c.dst.home.buf);
    let after = steps[at + 1..].iter().position(|s| {
        let mut meets = matches!(s, Step::Receive(..));
        s.visit(&mut |r, write| meets |= r.home.buf == dst || (write && r.home.buf == src));
        meets
    });
    after.map_or(steps.len(), |k| at + 1 + k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CallKind;
    use crate::memory::Ref;
    use crate::view::{BufId, Home};
    use meshloom_bundle::program::{CollectiveKind, DType, Number, Reduction};
    use meshloom_ir::Span;

    fn piece(buf: usize, bytes: u64) -> Ref {
        Ref { home: Home::fixed(BufId(buf)), offset: 0, bytes }
    }

    fn sum(src: usize, dst: usize, count: u64, axis: u32) -> Step {
        Step::Collective(Box::new(Collective {
            kind: CollectiveKind::AllReduce { reduction: Reduction::Sum, count },
            axes: vec![axis],
            dtype: DType::F32,
            src: piece(src, 4 * count),
            dst: piece(dst, 4 * count),
            span: Span::default(),
            ops: Vec::new(),
            rematerialized: false,
            call: CallKind {
                op: "all_reduce",
                reduction: Some(meshloom_ir::layout::Reduction::Sum),
                axes: vec![meshloom_ir::Axis(axis as u8)],
                dtype: Some(DType::F32),
            },
        }))
    }

    /// A step that writes a buffer.
    fn write(buf: usize) -> Step {
        Step::Fill { dst: piece(buf, 4), dtype: DType::F32, count: 1, value: Number::Float(0.0) }
    }

    /// For each step, the destinations of its collectives, or the buffer that it writes.
    fn shape(steps: &[Step]) -> Vec<Vec<usize>> {
        let one = |s: &Step| {
            let mut all = Vec::new();
            s.visit(&mut |r, write| all.extend(write.then_some(r.home.buf.0)));
            all
        };
        steps.iter().map(one).collect()
    }

    #[test]
    fn independent_ones_join_the_last() {
        let steps = vec![sum(0, 10, 8, 0), write(1), sum(1, 11, 8, 0), write(2), sum(2, 12, 8, 0)];
        assert_eq!(shape(&bucket(steps)), [vec![1], vec![2], vec![10, 11, 12]]);
    }

    #[test]
    fn a_reader_or_a_writer_in_between_keeps_them_apart() {
        // Buffer 10 is read by the second; buffer 0 is written again before it.
        assert_eq!(shape(&bucket(vec![sum(0, 10, 8, 0), sum(10, 11, 8, 0)])), [vec![10], vec![11]]);
        let steps = vec![sum(0, 10, 8, 0), write(0), write(1), sum(1, 11, 8, 0)];
        assert_eq!(bucket(steps.clone()), steps);
        let body = vec![sum(10, 30, 8, 0), write(1)];
        let steps = vec![sum(0, 10, 8, 0), Step::Loop { number: 0, trip: 2, body, exit: None }, sum(1, 11, 8, 0)];
        assert_eq!(bucket(steps.clone()), steps);
    }

    #[test]
    fn nothing_waits_for_another_stage() {
        let steps = vec![sum(0, 10, 8, 0), Step::Receive(0, piece(1, 32)), sum(1, 11, 8, 0)];
        assert_eq!(bucket(steps.clone()), steps);
    }

    #[test]
    fn other_axes_and_large_ones_stay_alone() {
        assert_eq!(shape(&bucket(vec![sum(0, 10, 8, 0), sum(1, 11, 8, 1)])), [vec![10], vec![11]]);
        let large = CALL_BYTES / 4;
        assert_eq!(shape(&bucket(vec![sum(0, 10, large, 0), sum(1, 11, 8, 0)])), [vec![10], vec![11]]);
        let half = CALL_BYTES / 8;
        let steps = vec![sum(0, 10, half, 0), sum(1, 11, half, 0), sum(2, 12, half, 0)];
        assert_eq!(shape(&bucket(steps)), [vec![10, 11], vec![12]]);
    }

    #[test]
    fn what_is_there_early_starts_with_an_earlier_one() {
        // Readers in between keep the first from waiting; the second's operand is there from the start.
        let reads = |x: usize| sum(x, x + 50, CALL_BYTES, 0);
        let steps = vec![sum(0, 10, 8, 0), reads(10), sum(1, 11, 8, 0), reads(11)];
        assert_eq!(shape(&bucket(steps)), [vec![10, 11], vec![60], vec![61]]);
        // Not if it is written in between, nor if the result's buffer is still in use.
        let steps = vec![sum(0, 10, 8, 0), reads(10), write(1), sum(1, 11, 8, 0), reads(11)];
        assert_eq!(bucket(steps.clone()), steps);
        let steps = vec![sum(0, 10, 8, 0), reads(10), reads(11), sum(1, 11, 8, 0)];
        assert_eq!(bucket(steps.clone()), steps);
        // Nor if it is so large that its lifetime matters.
        let steps = vec![sum(0, 10, 8, 0), reads(10), sum(1, 11, EARLY_BYTES / 2, 0), reads(11)];
        assert_eq!(bucket(steps.clone()), steps);
    }

    #[test]
    fn what_is_rematerialized_does_not_start_early() {
        let reads = |x: usize| sum(x, x + 50, CALL_BYTES, 0);
        let mut steps = vec![sum(0, 10, 8, 0), reads(10), sum(1, 11, 8, 0), reads(11)];
        if let Step::Collective(c) = &mut steps[2] {
            c.rematerialized = true;
        }
        assert_eq!(bucket(steps.clone()), steps);
    }

    #[test]
    fn what_depends_stays_in_order() {
        // 20 needs 10, and both find others of their kind later.
        let steps = vec![sum(0, 10, 8, 0), sum(10, 20, 8, 1), sum(1, 11, 8, 0), sum(2, 21, 8, 1)];
        assert_eq!(shape(&bucket(steps)), [vec![10, 11], vec![20, 21]]);
    }
}
