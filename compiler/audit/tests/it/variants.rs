//! What a schedule is free to choose: the order of instructions that do not depend on each other, and where values lie. Programs
//! are changed in these ways, and are accepted as before. Another choice of kernels is what the devices of [`crate::kinds`] give.

use crate::mutants::programs;
use crate::support::Case;
use meshloom_audit::audit;
use meshloom_bundle::program::{BufRef, Instr, Program};
use meshloom_random::Rng;

/// The buffers of an instruction, and whether it writes each. Those of a loop are its body's.
fn buffers(i: &mut Instr) -> Vec<(&mut BufRef, bool)> {
    match i {
        Instr::Launch(l) => {
            let writes = l.writes.clone();
            l.args.iter_mut().enumerate().map(|(k, b)| (b, writes.contains(&(k as u32)))).collect()
        }
        Instr::Collective(c) => vec![(&mut c.src, false), (&mut c.dst, true)],
        Instr::Bucket(all) => all.iter_mut().flat_map(|c| [(&mut c.src, false), (&mut c.dst, true)]).collect(),
        Instr::Copy { src, dst, .. } => vec![(src, false), (dst, true)],
        Instr::Fill { dst, .. } => vec![(dst, true)],
        Instr::Loop { body, .. } => body.iter_mut().flat_map(buffers).collect(),
        Instr::While(_) | Instr::Actions(_) | Instr::Send(_) | Instr::Receive(_) => Vec::new(),
    }
}

/// The bytes that an instruction touches; `None` where they depend on the iteration, or it is a loop.
fn touched(i: &Instr) -> Option<Vec<((u64, u64), bool)>> {
    let mut i = i.clone();
    let loops = matches!(i, Instr::Loop { .. } | Instr::While(_) | Instr::Actions(_));
    let all = buffers(&mut i);
    let fixed = all.iter().all(|(b, _)| b.moves.0.iter().all(|m| m.index.is_fixed()));
    (!loops && fixed).then(|| all.iter().map(|(b, writes)| ((b.offset, b.offset + b.bytes), *writes)).collect())
}

/// Whether two instructions may be exchanged: neither writes what the other reads or writes.
fn independent(a: &Instr, b: &Instr) -> bool {
    let (Some(a), Some(b)) = (touched(a), touched(b)) else { return false };
    let meet = |x: (u64, u64), y: (u64, u64)| x.0 < y.1 && y.0 < x.1;
    a.iter().all(|(x, w)| b.iter().all(|(y, v)| !(*w || *v) || !meet(*x, *y)))
}

/// Exchanges neighbours at random, in loops too: how many.
fn shuffle(list: &mut [Instr], rng: &mut Rng) -> usize {
    let mut swaps = 0;
    for _ in 0..4 * list.len() {
        let i = rng.below(list.len().max(2) - 1);
        if i + 1 < list.len() && independent(&list[i], &list[i + 1]) {
            list.swap(i, i + 1);
            swaps += 1;
        }
    }
    for i in list {
        if let Instr::Loop { body, .. } = i {
            swaps += shuffle(body, rng);
        }
    }
    swaps
}

fn accepted(case: &Case, program: &Program, what: &str) {
    meshloom_bundle::validate(program).unwrap_or_else(|e| panic!("{} {what}: {e}", case.name));
    let a =
        audit(&case.local, program, &case.scheduled.kernels).unwrap_or_else(|e| panic!("{} {what}: {e}", case.name));
    assert!(a.is_proved(), "{} {what}: {}", case.name, a.unfollowed[0]);
}

#[test]
fn another_order_of_instructions_is_accepted() {
    let mut swaps = 0;
    for (n, case) in programs().iter().enumerate() {
        let mut program = case.scheduled.program.clone();
        swaps += shuffle(&mut program.instrs, &mut Rng::new(n as u64));
        accepted(case, &program, "in another order");
    }
    assert!(swaps > 50, "{swaps}");
}

/// Ranges of bytes that overlap lie together; `None` of a program whose buffers move.
fn ranges(p: &Program) -> Option<Vec<(u64, u64)>> {
    let mut all: Vec<(u64, u64)> = p.ports.iter().map(|x| (x.offset, x.offset + x.bytes)).collect();
    for i in &p.instrs {
        all.extend(touched(i)?.into_iter().map(|x| x.0));
    }
    all.sort_unstable();
    let mut out: Vec<(u64, u64)> = Vec::new();
    for (start, end) in all {
        match out.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => out.push((start, end)),
        }
    }
    Some(out)
}

fn moved(p: &Program, to: &dyn Fn(u64) -> u64) -> Program {
    let mut p = p.clone();
    p.ports.iter_mut().for_each(|x| x.offset = to(x.offset));
    p.instrs.iter_mut().flat_map(buffers).for_each(|(b, _)| b.offset = to(b.offset));
    p
}

#[test]
fn another_arena_is_accepted() {
    let mut turned = 0;
    for case in programs() {
        let program = &case.scheduled.program;
        let mut shifted = moved(program, &|at| at + 4096);
        shifted.arena_bytes += 4096;
        accepted(&case, &shifted, "further on");
        let Some(ranges) = ranges(program) else { continue };
        // The last one first, each with a gap behind it.
        let (mut places, mut end) = (Vec::new(), 0u64);
        for &(start, stop) in ranges.iter().rev() {
            places.push((start, stop, end));
            end += (stop - start).next_multiple_of(64) + 128;
        }
        let to = |at: u64| {
            let found = places.iter().find(|p| p.0 <= at && at < p.1.max(p.0 + 1));
            found.map_or(at, |p| p.2 + (at - p.0))
        };
        let mut other = moved(program, &to);
        other.arena_bytes = end;
        accepted(&case, &other, "the other way around");
        turned += 1;
    }
    assert!(turned > 1, "{turned}");
}
