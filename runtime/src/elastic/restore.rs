//! Going on from what another generation has kept.

use super::format::{Kept, KeptPart, Position, SLOTS};
use super::memory::{Handed, open};
use crate::error::Result;
use crate::session::{Session, names, shape_of};
use crate::shard::Window;
use meshloom_bundle::Role;
use std::collections::BTreeMap;

/// Gives parameters, state and position the newest values of which earlier generations have kept all; the steps done. Else why
/// nothing can be used, in sentences; nothing is changed then.
///
/// # Errors
/// KeptMemory that cannot be opened, or is not as it says.
pub fn restore(handed: &Handed, session: &mut Session) -> Result<Result<u64, Vec<String>>> {
    let mut left = Vec::new();
    for generation in &handed.before {
        let mut all = Vec::new();
        for &fd in generation {
            all.extend(Kept::open(open(handed.launcher, fd)?));
        }
        all.retain(|k| k.header.entry == session.program().entry && k.header.seed == session.seed());
        for (position, slots) in steps(&all) {
            let found: Vec<(&Kept, usize)> = slots.iter().map(|&(k, slot)| (&all[k], slot)).collect();
            match whole(&found, session) {
                Ok(tensors) => {
                    put(&tensors, session)?;
                    session.set_position(position.step, position.data.clone());
                    return Ok(Ok(position.step));
                }
                Err(why) => left.push(format!("step {}: {why}", position.step)),
            }
        }
    }
    Ok(Err(left))
}

/// Steps that anybody has, the newest first, each with who has it, and in which slot.
fn steps(all: &[Kept]) -> Vec<(Position, Vec<(usize, usize)>)> {
    let mut found: BTreeMap<u64, (Position, Vec<(usize, usize)>)> = BTreeMap::new();
    for (k, kept) in all.iter().enumerate() {
        for slot in 0..SLOTS {
            if let Some(p) = kept.position(slot) {
                found.entry(p.step).or_insert_with(|| (p, Vec::new())).1.push((k, slot));
            }
        }
    }
    found.into_values().rev().collect()
}

/// A part, and where it is.
type Found<'a> = (&'a Kept, usize, &'a KeptPart);

/// A tensor of the session: port, layer, and all of its parts.
type WholeTensor<'a> = (usize, Option<u64>, Vec<Found<'a>>);

/// All parts of all parameters and state; else what is not there.
fn whole<'a>(found: &[(&'a Kept, usize)], session: &Session) -> Result<Vec<WholeTensor<'a>>, String> {
    let mut parts: BTreeMap<&str, BTreeMap<&[u64], Found<'a>>> = BTreeMap::new();
    for &(kept, slot) in found {
        for p in &kept.header.parts {
            parts.entry(&p.tensor).or_default().insert(&p.from, (kept, slot, p));
        }
    }
    let mut all = Vec::new();
    for (index, port) in session.program().ports.iter().enumerate() {
        if port.alias.is_some() || !matches!(port.role, Role::Parameter | Role::State) {
            continue;
        }
        for (name, layer) in names(port) {
            let shape = shape_of(port, layer);
            let have: Vec<Found<'a>> = parts.remove(name.as_str()).into_iter().flatten().map(|p| p.1).collect();
            let fits = |p: &KeptPart| {
                let inside = p.from.iter().zip(&p.shape).zip(&shape);
                p.dtype == port.dtype.name()
                    && p.tensor_shape == shape
                    && p.bytes == p.shape.iter().product::<u64>() * port.dtype.bytes()
                    && inside.into_iter().all(|((&a, &n), &all)| a.checked_add(n).is_some_and(|end| end <= all))
            };
            if let Some((_, _, p)) = have.iter().find(|(_, _, p)| !fits(p)) {
                return Err(format!(
                    "`{name}` is {}{:?} in memory, and otherwise in this plan",
                    p.dtype, p.tensor_shape
                ));
            }
            // The parts of one generation do not overlap, since one plan cut them.
            let elements: u64 = have.iter().map(|(_, _, p)| p.shape.iter().product::<u64>()).sum();
            let due = shape.iter().product::<u64>();
            if elements != due {
                return Err(format!("of `{name}` {elements} of {due} elements are left"));
            }
            all.push((index, layer, have));
        }
    }
    Ok(all)
}

/// Writes what the devices of this process hold.
fn put(tensors: &[WholeTensor<'_>], session: &mut Session) -> Result<()> {
    for (index, layer, parts) in tensors {
        for (kept, slot, part) in parts {
            let own = part.from.iter().zip(&part.shape).map(|(&a, &n)| a..a + n);
            let window: Window = layer.iter().map(|&l| l..l + 1).chain(own).collect();
            if session.holds(*index, &window) {
                session.put_window(*index, &window, &kept.read(*slot, part)?)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::format::Header;
    use super::super::memory::KeptMemory;
    use super::*;
    use crate::session::DataPosition;

    fn part(from: u64, rows: u64) -> KeptPart {
        let (tensor, dtype) = ("w".into(), "f32".into());
        KeptPart {
            tensor,
            dtype,
            tensor_shape: vec![4],
            from: vec![from],
            shape: vec![rows],
            offset: 0,
            bytes: rows * 4,
        }
    }

    fn file() -> std::fs::File {
        let memory = KeptMemory::new().unwrap();
        open(std::process::id(), memory.descriptor()).unwrap()
    }

    fn position(step: u64) -> Position {
        Position { step, data: DataPosition { samples: 8 * step, source: None } }
    }

    /// A process that is killed while it writes leaves the step before; the step that all have is the one that is taken first.
    #[test]
    fn a_copy_that_is_cut_short_is_not_there() {
        let all: Vec<_> = [part(0, 2), part(2, 2)]
            .map(|p| {
                let header = Header { entry: "t".into(), seed: 0, parts: vec![p] };
                Kept::create(file(), header).unwrap()
            })
            .into();
        for (step, slot) in [(4, 0), (5, 1)] {
            all.iter().for_each(|k| k.write(slot, &position(step), |_| Ok(vec![step as u8; 8])).unwrap());
        }
        let found = |all: &[Kept]| steps(all).into_iter().map(|(p, at)| (p.step, at.len())).collect::<Vec<_>>();
        assert_eq!(found(&all), [(5, 2), (4, 2)]);
        // The first one has step 6, and the second one dies within it.
        all[0].write(0, &position(6), |_| Ok(vec![6; 8])).unwrap();
        let killed = all[1].write(0, &position(6), |_| Err(crate::RuntimeError::usage("", "killed")));
        assert!(killed.is_err());
        assert_eq!(found(&all), [(6, 1), (5, 2)]);
        assert_eq!(all[1].read(1, &all[1].header.parts[0]).unwrap(), [5; 8]);
    }

    #[test]
    fn what_is_no_copy_is_not_there() {
        let f = file();
        assert!(Kept::open(f.try_clone().unwrap()).is_none(), "empty");
        let header = Header { entry: "t".into(), seed: 0, parts: vec![part(0, 4)] };
        let kept = Kept::create(f.try_clone().unwrap(), header.clone()).unwrap();
        assert_eq!((0..SLOTS).find_map(|s| kept.position(s)), None);
        kept.write(1, &position(3), |_| Ok(vec![1; 16])).unwrap();
        assert_eq!(
            Kept::open(f.try_clone().unwrap()).map(|k| (k.header.clone(), k.position(1))),
            Some((header, Some(position(3))))
        );
        // One byte of what it says of itself.
        use std::os::unix::fs::FileExt;
        f.write_all_at(b"7", kept_meta(&kept)).unwrap();
        assert_eq!(kept.position(1), None);
        f.set_len(9000).unwrap();
        assert!(kept.read(1, &part(0, 4)).is_err());
    }

    fn kept_meta(kept: &Kept) -> u64 {
        kept.slot_start(1) + 8
    }
}
