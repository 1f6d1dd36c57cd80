//! Remedies when no plan fits into memory: what would help, and by how much.
//!
//! To plan every remedy would take minutes. So each is estimated: the program is checked as it would then be, and a
//! short search says about how little a device holds ([`meshloom_plan::least_memory`]). Some remedies come in degrees: twice the devices, four times,
//! and so on. Of such a remedy the last degree is estimated first. If that fits, the smallest degree that fits is searched for, beginning with the
//! one that should. Degrees whose inputs alone are too large are passed over. If the inputs alone are too large, a change that makes them no smaller
//! is no remedy, and is not estimated. The first remedies that should fit are then planned for the budget. Counts bound all of that, never time.
//!
//! A remedy is an option of the command line, or a line to write into the source.
//!
//! Not here: which changes there are (`possible`), and what a device holds under one (`estimate`).

mod change;
mod estimate;
mod possible;

use crate::compiler::{self, Compiler};
use crate::entry::Elaborated;
use crate::settings::Settings;
use change::{Change, ChangeKind};
use estimate::{Asking, Changed, Need};
use meshloom_report::human::bytes;
use meshloom_source::Diagnostic;
use possible::{DOUBLINGS, PossibleChanges};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most other meshes of as many devices that are named.
const MESHES_NAMED: usize = 2;
/// Other layout blocks that are tried with several changes together.
const BLOCKS: usize = 2;
/// Doublings in all where several axes become longer together.
const TOGETHER: usize = 7;
/// Remedies that are named.
const NAMED: usize = 8;
/// Remedies that are planned, until one fits.
const PLANNED: usize = 2;
/// A degree nearly fits if it takes more than the budget by less than this part of it.
const NEARLY: u64 = 8;
/// What saves less than this part of the memory, in percent, and does not fit, is not named.
const LITTLE: u64 = 5;

/// How much is needed, and how much there is.
#[derive(Clone, Copy)]
pub struct Shortage {
    /// Bytes on a device for the program as the user asked for it.
    pub needed: u64,
    /// Bytes that a device may hold.
    pub budget: u64,
}

/// A change, and what a device would then hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// What to type: `--mesh data=16,model=4`; or to write.
    pub option: String,
    pub needs: u64,
    pub fits: bool,
    /// Whether a plan gave these numbers, and not an estimate.
    pub planned: bool,
}

impl Remedy {
    /// `--recompute auto: 5.1 GiB per device, fits (planned)`
    pub fn text(&self, needed: u64) -> String {
        let less = needed.saturating_sub(self.needs);
        let (about, how) = if self.planned { ("", "planned") } else { ("about ", "estimated") };
        let outcome = match (self.fits, less) {
            (true, _) => "fits".to_string(),
            (false, n) => format!("{} less, which is not enough", bytes(n as f64)),
        };
        format!("{}: {about}{} per device, {outcome} ({how})", self.option, bytes(self.needs as f64))
    }
}

/// What says that no plan of an entry fits, and what would help. `layout` is the layout block in use.
pub fn does_not_fit(
    by: &dyn Compiler,
    layout: Option<&str>,
    entry: &Elaborated,
    settings: &Settings,
    shortage: Shortage,
) -> Diagnostic {
    let Shortage { needed: needs, budget } = shortage;
    let shown = |n: u64| bytes(n as f64);
    let found = match needs {
        // Of none of them it is known what a device would hold.
        u64::MAX => "none could be cut into its stages".to_owned(),
        _ => format!("the smallest found needs {}", shown(needs)),
    };
    let message = format!("no plan of `{}` fits into {} per device: {found}", entry.name, shown(budget));
    let d = Diagnostic::error("does-not-fit", message).at(entry.span, "");
    let possible = PossibleChanges::new(by.source(), layout, entry, settings);
    let remedies = Search { by, possible, changed: Changed::new(by, entry, budget), shortage }.remedies();
    if remedies.is_empty() {
        let tried =
            "search, recomputation, offloading, microbatches, other layouts and meshes, more devices, a smaller batch";
        return d.note(format!("nothing that was tried makes it much smaller: {tried}"));
    }
    // A list of what is not enough sends the reader from one to the next.
    if remedies.iter().all(|r| !r.fits) {
        let nearest = remedies.iter().min_by_key(|r| r.needs).map_or(String::new(), |r| r.text(needs));
        return d.note("nothing that was tried is enough; this comes nearest").help(nearest);
    }
    remedies.iter().fold(d, |d, r| d.help(r.text(needs)))
}

/// The search for what would help.
struct Search<'a> {
    by: &'a dyn Compiler,
    possible: PossibleChanges<'a>,
    changed: Changed<'a>,
    shortage: Shortage,
}

impl Search<'_> {
    /// Remedies for an entry that does not fit: those that fit first, and of each the smallest change that does. What would not help is left
    /// out.
    fn remedies(&self) -> Vec<Remedy> {
        let Search { by, possible, changed, shortage } = self;
        let Shortage { needed, budget } = *shortage;
        let kinds = possible.kinds();
        let now = changed.inputs(&possible.plain);
        let ends = compiler::map(*by, &kinds, |k| {
            let last = k.steps.last()?;
            let inputs = changed.inputs(last).filter(|n| *n > budget && Some(*n) >= now);
            inputs.map(End::Inputs).or_else(|| changed.estimated(last).map(End::All))
        });
        let mut found: Vec<Found> = Vec::new();
        let mut saved: Vec<(End, usize)> = Vec::new();
        let mut blocks: Vec<(End, Reverse<usize>, usize)> = Vec::new();
        for (at, (of, end)) in kinds.iter().zip(ends).enumerate() {
            let Some(end) = end else { continue };
            if let ChangeKind::Devices(axis) = of.kind {
                saved.push((end, axis));
            }
            if let ChangeKind::Layout(axes) = of.kind {
                blocks.push((end, Reverse(axes), at));
            }
            let End::All(end) = end else { continue };
            if end > budget && end > needed - needed / 100 * LITTLE {
                continue;
            }
            let (needs, change) = first_that_fits(&of.steps, end, *shortage, changed);
            found.push((of.kind, estimate(change, needs, budget), change.clone()));
        }
        if !found.iter().any(|f| f.1.fits) {
            // A block that names more axes gains more where they become longer.
            blocks.sort_unstable();
            let blocks: Vec<&Change> = blocks.iter().take(BLOCKS).flat_map(|b| &kinds[b.2].steps).collect();
            found.extend(self.together(blocks, saved));
        }
        // Alone and together may come to the same.
        let mut said = BTreeSet::new();
        found.retain(|(_, r, _)| said.insert(r.option.clone()));
        found.sort_by_key(|(kind, r, _)| if r.fits { (false, Some(*kind), r.needs) } else { (true, None, r.needs) });
        let mut meshes = 0;
        found.retain(|(kind, ..)| {
            meshes += usize::from(*kind == ChangeKind::Mesh);
            *kind != ChangeKind::Mesh || meshes <= MESHES_NAMED
        });
        for (_, remedy, change) in found.iter_mut().filter(|f| f.1.fits).take(PLANNED) {
            if let Some(Need { bytes, fits }) = changed.need(change) {
                (remedy.needs, remedy.fits, remedy.planned) = (bytes, fits, true);
            }
            if remedy.fits {
                break;
            }
        }
        let mut all: Vec<Remedy> = found.into_iter().map(|f| f.1).collect();
        all.sort_by_key(|r| !r.fits);
        all.truncate(NAMED);
        all
    }

    /// Where nothing helps alone: more and more devices along the axes that save most, under the layout block in use or one of
    /// `blocks`, each with as many microbatches as there can be, and with recomputation. `axes` has what each saves where it is as long as can be.
    fn together(&self, blocks: Vec<&Change>, mut axes: Vec<(End, usize)>) -> Option<Found> {
        let Search { by, possible, changed, shortage } = self;
        let split = possible.batch_axes();
        let batch = |at: usize| possible.sizes().get(at).is_some_and(|s| split.contains(&s.0.as_str()));
        axes.sort_unstable();
        // Among the axes that split the batch, only the one that saves most is made longer.
        let first = axes.iter().position(|(_, at)| batch(*at));
        let axes: Vec<usize> =
            axes.iter().enumerate().filter(|(i, (_, at))| !batch(*at) || Some(*i) == first).map(|(_, a)| a.1).collect();
        let mut all = vec![possible.sizes()];
        for at in axes.iter().cycle().take(axes.len() * DOUBLINGS as usize) {
            let mut longer = all.last()?.clone();
            longer[*at].1 *= 2;
            if possible.fits_mesh(&longer) && all.len() <= TOGETHER {
                all.push(longer);
            }
        }
        let from: Vec<&Change> = [&possible.plain].into_iter().chain(blocks).collect();
        let longest = all.last()?;
        let ends = compiler::map(*by, &from, |from| changed.estimated(&possible.at_most(from, longest)));
        let (end, from) =
            ends.into_iter().zip(from).filter_map(|(end, from)| Some((end?, from))).min_by_key(|e| e.0)?;
        let steps: Vec<Change> = all.iter().map(|sizes| possible.at_most(from, sizes)).collect();
        let (needs, change) = first_that_fits(&steps, end, *shortage, changed);
        Some((ChangeKind::Together, estimate(change, needs, shortage.budget), change.clone()))
    }
}

/// What the last degree of a change comes to: what helps stands before what does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Bytes of all that a device holds.
    All(u64),
    /// Of the inputs alone, which are too large and no smaller than they were.
    Inputs(u64),
}

fn estimate(change: &Change, needs: u64, budget: u64) -> Remedy {
    Remedy { option: change.shown().to_owned(), needs, fits: needs <= budget, planned: false }
}

/// The first degree that fits, where the last takes `end`; the last where that does not fit. Without the change a device holds
/// what is needed, and each degree leaves half of what the one before it leaves of all that the change can take away. So it is known about
/// which degree that is, and its neighbours are asked next.
fn first_that_fits<'a>(steps: &'a [Change], end: u64, shortage: Shortage, asking: &dyn Asking) -> (u64, &'a Change) {
    let budget = shortage.budget;
    let (mut low, mut high, mut needs) = (0, steps.len() - 1, end);
    if end > budget {
        return (end, &steps[high]);
    }
    let mut next = expected(steps.len(), end, shortage).min(high.saturating_sub(1));
    while low < high {
        let fits = match asking.inputs(&steps[next]).is_some_and(|n| n > budget) {
            true => None,
            false => asking.estimated(&steps[next]).filter(|n| *n <= budget),
        };
        match fits {
            Some(n) => (high, needs) = (next, n),
            None => low = next + 1,
        }
        next = if fits.is_some() { high.saturating_sub(1).max(low) } else { low };
    }
    (needs, &steps[high])
}

/// Which of so many degrees should be the first that fits, or nearly does.
fn expected(count: usize, end: u64, shortage: Shortage) -> usize {
    let Shortage { needed, budget } = shortage;
    // What the change can take away at all, of which the last degree leaves a part.
    let parts = (1u64 << count.min(63)) - 1;
    let open = needed.saturating_sub(end);
    let all = open.saturating_add(open / parts.max(1));
    let fits =
        |k: &usize| needed.saturating_sub(all).saturating_add(all >> (k + 1)) <= budget.saturating_add(budget / NEARLY);
    (0..count).find(fits).unwrap_or(count - 1)
}

type Found = (ChangeKind, Remedy, Change);

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Each degree of a change leaves half of what can be taken away.
    struct Halves {
        needed: u64,
        stays: u64,
        asked: AtomicUsize,
    }

    impl Halves {
        fn needs(&self, degree: u32) -> u64 {
            self.stays + ((self.needed - self.stays) >> (degree + 1))
        }
    }

    impl Asking for Halves {
        fn estimated(&self, change: &Change) -> Option<u64> {
            self.asked.fetch_add(1, Ordering::Relaxed);
            change.shown().parse().ok().map(|degree| self.needs(degree))
        }

        fn inputs(&self, _: &Change) -> Option<u64> {
            None
        }
    }

    /// Whatever part of the memory halves with each degree, the first that fits is found by two questions.
    #[test]
    fn the_first_degree_that_fits_is_found() {
        let change = |k: usize| Change::of(Settings::default()).and(k.to_string(), |_| ());
        let steps: Vec<Change> = (0..5).map(change).collect();
        let needed = 1 << 20;
        for stays in [0, 1 << 10, 1 << 17, 1 << 19] {
            let asking = Halves { needed, stays, asked: AtomicUsize::new(0) };
            let needs = |k: u32| asking.needs(k);
            for budget in (0..5).flat_map(|k| [needs(k), needs(k) + (needs(k) >> 4)]) {
                let first = (0..5).find(|k| needs(*k) <= budget).expect("the last does");
                asking.asked.store(0, Ordering::Relaxed);
                let found = first_that_fits(&steps, needs(4), Shortage { needed, budget }, &asking);
                assert_eq!((found.0, found.1.shown()), (needs(first), first.to_string().as_str()));
                assert!(asking.asked.load(Ordering::Relaxed) <= 2, "{stays} {budget}");
            }
        }
    }
}
