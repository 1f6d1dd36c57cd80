//! What a memory plan must satisfy: buffers lie in the arena, and every read finds the value that it means. This is
//! checked on two forms. The plan gives each buffer's place and life. The trace gives reads and writes in order of
//! issue, with loops unrolled by the caller. The trace says nothing of lives, so it also finds a life that was stated
//! too short.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A planned buffer: `bytes` from `offset`, in use from step `live.start` until before step `live.end`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    pub name: String,
    pub bytes: Range<u64>,
    pub live: Range<u64>,
}

/// What is wrong with a memory plan, and with which buffers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryError {
    /// A buffer that does not lie in the arena.
    Outside { name: String, bytes: Range<u64>, arena: u64 },
    /// Two buffers in use at once share bytes.
    Overlap { first: String, second: String, bytes: Range<u64>, step: u64 },
    /// A read finds another value than it means, or none.
    Lost { step: u64, value: String, found: Option<String>, bytes: Range<u64> },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryError::Outside { name, bytes, arena } => {
                write!(f, "`{name}` lies at bytes {}..{}, but the arena ends at {arena}", bytes.start, bytes.end)
            }
            MemoryError::Overlap { first, second, bytes, step } => write!(
                f,
                "`{first}` and `{second}` are both in use at step {step} and share bytes {}..{}",
                bytes.start, bytes.end
            ),
            MemoryError::Lost { step, value, found, bytes } => {
                write!(f, "step {step} reads `{value}` at bytes {}..{}, where ", bytes.start, bytes.end)?;
                match found {
                    Some(other) => write!(f, "`{other}` was written since"),
                    None => write!(f, "nothing was written"),
                }
            }
        }
    }
}

impl std::error::Error for MemoryError {}

/// Checks that buffers in use at once share no byte of an arena of `arena` bytes. Empty buffers and lives share nothing.
///
/// # Errors
/// Every buffer that lies outside, and every pair that overlaps (one step each).
pub fn check_placements(buffers: &[Placement], arena: u64) -> Result<(), Vec<MemoryError>> {
    let mut errors = Vec::new();
    let mut order: Vec<&Placement> = Vec::new();
    for b in buffers {
        if b.bytes.start > b.bytes.end || b.bytes.end > arena {
            errors.push(MemoryError::Outside { name: b.name.clone(), bytes: b.bytes.clone(), arena });
        } else if !b.bytes.is_empty() && !b.live.is_empty() {
            order.push(b);
        }
    }
    order.sort_by_key(|b| b.live.start);
    // Buffers in use at the start of the next one, in order of address.
    let mut open: Vec<&Placement> = Vec::new();
    for b in order {
        open.retain(|o| o.live.end > b.live.start);
        for o in &open {
            let shared = o.bytes.start.max(b.bytes.start)..o.bytes.end.min(b.bytes.end);
            if !shared.is_empty() {
                errors.push(MemoryError::Overlap {
                    first: o.name.clone(),
                    second: b.name.clone(),
                    bytes: shared,
                    step: b.live.start,
                });
            }
        }
        open.push(b);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// One access of a trace. `value` names an instance: a value of a loop body has another name in each iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    pub step: u64,
    pub value: String,
    pub bytes: Range<u64>,
    pub write: bool,
}

/// Runs a trace over a map of the arena that remembers which value each byte has. Reads of a step are listed before its
/// writes: a kernel that writes in place reads its operand first.
///
/// # Errors
/// Every access outside of the arena, and every read that finds another value than the one it names.
pub fn check_trace(trace: &[Access], arena: u64) -> Result<(), Vec<MemoryError>> {
    let mut errors = Vec::new();
    // From the start of each written stretch to its end and its value. Stretches do not overlap.
    let mut written: BTreeMap<u64, (u64, &str)> = BTreeMap::new();
    for a in trace {
        if a.bytes.start > a.bytes.end || a.bytes.end > arena {
            errors.push(MemoryError::Outside { name: a.value.clone(), bytes: a.bytes.clone(), arena });
        } else if a.write {
            write(&mut written, a.bytes.clone(), &a.value);
        } else if let Some((bytes, found)) = missing(&written, a) {
            errors.push(MemoryError::Lost {
                step: a.step,
                value: a.value.clone(),
                found: found.map(str::to_string),
                bytes,
            });
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Puts `value` over `bytes` and cuts the stretches that lay there.
fn write<'a>(written: &mut BTreeMap<u64, (u64, &'a str)>, bytes: Range<u64>, value: &'a str) {
    if bytes.is_empty() {
        return;
    }
    let before = written.range(..bytes.start).next_back().map(|(&s, &x)| (s, x));
    if let Some((start, (end, old))) = before
        && end > bytes.start
    {
        written.insert(start, (bytes.start, old));
        if end > bytes.end {
            written.insert(bytes.end, (end, old));
        }
    }
    let inside: Vec<u64> = written.range(bytes.clone()).map(|(&s, _)| s).collect();
    for start in inside {
        if let Some((end, old)) = written.remove(&start)
            && end > bytes.end
        {
            written.insert(bytes.end, (end, old));
        }
    }
    written.insert(bytes.start, (bytes.end, value));
}

/// The first stretch of a read that does not have the right value, and the value that it has.
fn missing<'a>(written: &BTreeMap<u64, (u64, &'a str)>, a: &Access) -> Option<(Range<u64>, Option<&'a str>)> {
    let mut at = a.bytes.start;
    while at < a.bytes.end {
        match written.range(..=at).next_back() {
            Some((_, &(end, value))) if end > at => {
                if value != a.value {
                    return Some((at..end.min(a.bytes.end), Some(value)));
                }
                at = end;
            }
            _ => {
                let next = written.range(at..).next().map_or(a.bytes.end, |(&s, _)| s);
                return Some((at..next.min(a.bytes.end), None));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(name: &str, bytes: Range<u64>, live: Range<u64>) -> Placement {
        let name = name.into();
        Placement { name, bytes, live }
    }

    #[test]
    fn buffers_may_share_bytes_one_after_the_other() {
        let plan = [at("a", 0..8, 0..2), at("b", 8..16, 1..4), at("c", 0..8, 2..3)];
        assert_eq!(check_placements(&plan, 16), Ok(()));
    }

    #[test]
    fn buffers_in_use_at_once_may_not() {
        let plan = [at("a", 0..8, 0..3), at("c", 4..12, 2..3), at("d", 12..20, 0..1)];
        let errors = check_placements(&plan, 16).expect_err("overlap");
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "`d` lies at bytes 12..20, but the arena ends at 16",
                "`a` and `c` are both in use at step 2 and share bytes 4..8"
            ]
        );
    }

    fn access(step: u64, value: &str, bytes: Range<u64>, write: bool) -> Access {
        let value = value.into();
        Access { step, value, bytes, write }
    }

    #[test]
    fn a_trace_finds_what_was_overwritten() {
        let mut t = vec![
            access(0, "a", 0..8, true),
            access(1, "a", 0..8, false),
            access(1, "b", 8..16, true),
            access(2, "c", 4..6, true),
            access(3, "b", 8..16, false),
        ];
        assert_eq!(check_trace(&t, 16), Ok(()));
        t.push(access(4, "a", 0..8, false));
        t.push(access(5, "b", 8..24, false));
        t.push(access(6, "c", 3..6, false));
        let said: Vec<String> = check_trace(&t, 32).expect_err("lost").iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "step 4 reads `a` at bytes 4..6, where `c` was written since",
                "step 5 reads `b` at bytes 16..24, where nothing was written",
                "step 6 reads `c` at bytes 3..4, where `a` was written since"
            ]
        );
    }
}
