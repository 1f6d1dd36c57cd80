//! Small collectives of one kind become one call: the latency of a call counts once, and devices meet once. Gradients of norms
//! and biases, and scalars such as losses and norms, come in dozens.
//!
//! A collective may wait until another of its kind starts, as long as nothing in between reads its result or writes what it
//! reads: gradients wait for each other. Then one may start with an earlier one, if its operand is there by then: weights that are
//! gathered where they are used. Everything else stays where it is. Operands and results of a bucket live longer, which is why its
//! bytes are bounded; there is no buffer to pack them into, a call takes the list of them.
//!
//! What is gathered again for the backward pass (`OpData::is_rematerialized`) does not start early: it would be live all along.
//!
//! Not here: what the planner assumes of this (`plan::cost::simulate` groups what is ready at one time, on targets that say so).

use crate::memory::{Collective, Step};

/// Bytes up to which a call grows: what the CPU target moves in about eight times the latency of a call. Beyond that there is
/// nothing to win from making it one with others.
pub const BUCKET_BYTES: u64 = 256 << 10;

/// Bytes of a collective that starts before its place: its result is live for longer.
const EARLY_BYTES: u64 = BUCKET_BYTES / 8;

/// Most collectives in a bucket.
const MEMBERS: usize = 64;

/// A bucket that others may join.
struct Open {
    members: Vec<usize>,
    bytes: u64,
    /// The first step that cannot come before it.
    until: usize,
}

/// Puts the small collectives of a list of steps into buckets.
pub fn bucket(steps: Vec<Step>) -> Vec<Step> {
    // One after the other: each keeps the order of what depends on each other, both at once would not.
    earlier(later(steps))
}

/// Collectives that wait for a later one.
fn later(steps: Vec<Step>) -> Vec<Step> {
    let mut buckets: Vec<Open> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let Step::Collective(c) = step else { continue };
        let bytes = bytes(step.collectives());
        if bytes > BUCKET_BYTES {
            continue;
        }
        let until = needed(&steps, at, c);
        let joins = |b: &&mut Open| {
            at < b.until
                && b.bytes + bytes <= BUCKET_BYTES
                && b.members.len() < MEMBERS
                && steps[b.members[0]].collectives().first().is_some_and(|first| alike(first, c))
        };
        match buckets.iter_mut().find(joins) {
            Some(b) => {
                b.members.push(at);
                b.bytes += bytes;
                b.until = b.until.min(until);
            }
            None => buckets.push(Open { members: vec![at], bytes, until }),
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

/// Collectives that start with an earlier one.
fn earlier(mut steps: Vec<Step>) -> Vec<Step> {
    // Where the calls are that others may join.
    let mut calls: Vec<usize> = Vec::new();
    let mut gone = vec![false; steps.len()];
    for at in 0..steps.len() {
        let (Some(c), n) = (steps[at].collectives().first(), steps[at].collectives().len()) else { continue };
        let ready = operand_ready(&steps, at, c);
        let joins = |&&p: &&usize| {
            let there = steps[p].collectives();
            p >= ready
                && there.len() < MEMBERS
                && bytes(there) + bytes(steps[at].collectives()) <= BUCKET_BYTES
                && alike(&there[0], c)
        };
        match calls
            .iter()
            .rev()
            .find(joins)
            .copied()
            .filter(|_| n == 1 && !c.rematerialized && bytes(steps[at].collectives()) <= EARLY_BYTES)
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

/// Bytes of a call: of each of its collectives the larger of operand and result.
fn bytes(all: &[Collective]) -> u64 {
    all.iter().map(|c| c.src.bytes.max(c.dst.bytes)).sum()
}

/// The first place before `at` to which a collective there may move: whatever writes its operand, or reads or writes the buffer
/// of its result, is done.
fn operand_ready(steps: &[Step], at: usize, c: &Collective) -> usize {
    let (src, dst) = (c.src.home.buf, c.dst.home.buf);
    let last = steps[..at].iter().rposition(|s| {
        let mut meets = false;
        s.visit(&mut |r, write| meets |= r.home.buf == dst || (write && r.home.buf == src));
        meets
    });
    last.map_or(0, |k| k + 1)
}

/// The first step after `at` that a collective there must come before: it reads or writes the result, or writes the operand.
/// Whole buffers are compared, so that pieces of one count as the same.
fn needed(steps: &[Step], at: usize, c: &Collective) -> usize {
    let (src, dst) = (c.src.home.buf, c.dst.home.buf);
    let after = steps[at + 1..].iter().position(|s| {
        let mut meets = false;
        s.visit(&mut |r, write| meets |= r.home.buf == dst || (write && r.home.buf == src));
        meets
    });
    after.map_or(steps.len(), |k| at + 1 + k)
}

fn alike(a: &Collective, b: &Collective) -> bool {
    a.kind.alike(&b.kind) && a.axes == b.axes && a.dtype == b.dtype
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Ref;
    use crate::view::{BufId, Home};
    use meshloom_bundle::program::{CollectiveKind, ElementType, Number, Reduction};
    use meshloom_ir::Span;

    fn piece(buf: usize, bytes: u64) -> Ref {
        Ref { home: Home::fixed(BufId(buf)), offset: 0, bytes }
    }

    fn sum(src: usize, dst: usize, count: u64, axis: u32) -> Step {
        Step::Collective(Box::new(Collective {
            kind: CollectiveKind::AllReduce { reduction: Reduction::Sum, count },
            axes: vec![axis],
            dtype: ElementType::F32,
            src: piece(src, 4 * count),
            dst: piece(dst, 4 * count),
            span: Span::default(),
            ops: Vec::new(),
            rematerialized: false,
        }))
    }

    /// Something that writes a buffer.
    fn write(buf: usize) -> Step {
        Step::Fill { dst: piece(buf, 4), dtype: ElementType::F32, count: 1, value: Number::Float(0.0) }
    }

    /// Destinations of the collectives of each step, or what else it writes.
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
    fn other_axes_and_large_ones_stay_alone() {
        assert_eq!(shape(&bucket(vec![sum(0, 10, 8, 0), sum(1, 11, 8, 1)])), [vec![10], vec![11]]);
        let large = BUCKET_BYTES / 4;
        assert_eq!(shape(&bucket(vec![sum(0, 10, large, 0), sum(1, 11, 8, 0)])), [vec![10], vec![11]]);
        let half = BUCKET_BYTES / 8;
        let steps = vec![sum(0, 10, half, 0), sum(1, 11, half, 0), sum(2, 12, half, 0)];
        assert_eq!(shape(&bucket(steps)), [vec![10, 11], vec![12]]);
    }

    #[test]
    fn what_is_there_early_starts_with_an_earlier_one() {
        // Readers in between keep the first from waiting; the second's operand is there from the start.
        let reads = |x: usize| sum(x, x + 50, BUCKET_BYTES, 0);
        let steps = vec![sum(0, 10, 8, 0), reads(10), sum(1, 11, 8, 0), reads(11)];
        assert_eq!(shape(&bucket(steps)), [vec![10, 11], vec![60], vec![61]]);
        // Not if it is written in between, nor if the result's buffer is still in use.
        let steps = vec![sum(0, 10, 8, 0), reads(10), write(1), sum(1, 11, 8, 0), reads(11)];
        assert_eq!(bucket(steps.clone()), steps);
        let steps = vec![sum(0, 10, 8, 0), reads(10), reads(11), sum(1, 11, 8, 0)];
        assert_eq!(bucket(steps.clone()), steps);
        // Nor if it is large enough to matter how long it is live.
        let steps = vec![sum(0, 10, 8, 0), reads(10), sum(1, 11, EARLY_BYTES / 2, 0), reads(11)];
        assert_eq!(bucket(steps.clone()), steps);
    }

    #[test]
    fn what_is_rematerialized_does_not_start_early() {
        let reads = |x: usize| sum(x, x + 50, BUCKET_BYTES, 0);
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
