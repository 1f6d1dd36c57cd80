//! Remedies when no plan fits into memory: what would help, and by how much.
//!
//! To plan every remedy would take minutes. So each is estimated: the program is checked as it would then be, and a
//! short search says about how little a device holds ([`meshloom_plan::least_memory`]). Some remedies come in degrees: twice the devices, four times,
//! and so on. Of such a remedy the last degree is estimated first. If that fits, the smallest degree that fits is searched for, beginning with the
//! one that should. Degrees whose inputs alone are too large are passed over. If the inputs alone are too large, a change that makes them no smaller
//! is no remedy, and is not estimated. The first remedies that should fit are then planned for the budget. Counts bound all of that, never time.
//!
//! A remedy is an option of the command line, or a line to write into the source.

use crate::offload;
use crate::parallel;
use crate::program::{CompileOptions, Elaborated, Program};
use crate::speed::tokens;
use meshloom_bundle::EntryKind;
use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_ir::without_axis;
use meshloom_ir::{Axis, DimSpec, Role};
use meshloom_plan::{Mode, Recompute};
use meshloom_report::human::bytes;
use meshloom_source::entry::Offload;
use meshloom_syntax::devices::{self, Wanted};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Times that an axis is doubled, a batch halved, or microbatches doubled, until it fits.
const DOUBLINGS: u32 = 5;
/// The most other meshes of as many devices that are estimated, and the most that are named.
const MESHES: usize = 6;
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

/// What a device holds, in bytes, and whether there is that much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    pub bytes: u64,
    pub fits: bool,
}

/// A change of the options or of the source.
#[derive(Clone)]
pub struct Change {
    shown: String,
    pub options: CompileOptions,
    /// The source with a line written into it.
    pub source: Option<String>,
}

impl Change {
    /// The change as a command line would have it. No two changes have the same text.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The same with one more option.
    fn and(&self, shown: String, change: impl FnOnce(&mut CompileOptions)) -> Change {
        let shown = [self.shown.as_str(), shown.as_str()].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>();
        let mut made = Change { shown: shown.join(" "), ..self.clone() };
        change(&mut made.options);
        made
    }
}

/// How many bytes a program takes under a change; `None` if it cannot be planned so.
pub struct Asking<'a> {
    pub estimated: &'a (dyn Fn(&Change) -> Option<u64> + Sync),
    /// Bytes of the inputs, which every plan has and which are known without one; `None` if they are not known.
    pub inputs: &'a (dyn Fn(&Change) -> Option<u64> + Sync),
    pub planned: &'a dyn Fn(&Change) -> Option<Need>,
}

/// Remedies for an entry that does not fit: those that fit first, and of each the smallest change that does. What would not help is left
/// out.
pub fn remedies(
    program: &Program,
    entry: &Elaborated,
    options: &CompileOptions,
    shortage: Shortage,
    asking: &Asking<'_>,
) -> Vec<Remedy> {
    let Shortage { needed, budget } = shortage;
    let start =
        Start { program, entry, plain: Change { shown: String::new(), options: options.clone(), source: None } };
    let kinds = start.kinds();
    let now = (asking.inputs)(&start.plain);
    let ends = parallel::map(&kinds, |k| {
        let last = k.steps.last()?;
        let inputs = (asking.inputs)(last).filter(|n| *n > budget && Some(*n) >= now);
        inputs.map(End::Inputs).or_else(|| (asking.estimated)(last).map(End::All))
    });
    let mut found: Vec<Found> = Vec::new();
    let mut saved: Vec<(End, usize)> = Vec::new();
    let mut blocks: Vec<(End, Reverse<usize>, usize)> = Vec::new();
    for (at, (of, end)) in kinds.iter().zip(ends).enumerate() {
        let Some(end) = end else { continue };
        if let Kind::Devices(axis) = of.kind {
            saved.push((end, axis));
        }
        if let Kind::Layout(axes) = of.kind {
            blocks.push((end, Reverse(axes), at));
        }
        let End::All(end) = end else { continue };
        if end > budget && end > needed - needed / 100 * LITTLE {
            continue;
        }
        let (needs, change) = first_that_fits(&of.steps, end, shortage, asking);
        found.push((of.kind, estimate(change, needs, budget), change.clone()));
    }
    if !found.iter().any(|f| f.1.fits) {
        // A block that names more axes gains more where they become longer.
        blocks.sort_unstable();
        let blocks: Vec<&Change> = blocks.iter().take(BLOCKS).flat_map(|b| &kinds[b.2].steps).collect();
        found.extend(start.together(blocks, &saved, asking, shortage));
    }
    // Alone and together may come to the same.
    let mut said = BTreeSet::new();
    found.retain(|(_, r, _)| said.insert(r.option.clone()));
    found.sort_by_key(|(kind, r, _)| if r.fits { (false, Some(*kind), r.needs) } else { (true, None, r.needs) });
    let mut meshes = 0;
    found.retain(|(kind, ..)| {
        meshes += usize::from(*kind == Kind::Mesh);
        *kind != Kind::Mesh || meshes <= MESHES_NAMED
    });
    for (_, remedy, change) in found.iter_mut().filter(|f| f.1.fits).take(PLANNED) {
        if let Some(Need { bytes, fits }) = (asking.planned)(change) {
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

/// What the last degree of a change comes to: what helps stands before what does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// Bytes of all that a device holds.
    All(u64),
    /// Of the inputs alone, which are too large and no smaller than they were.
    Inputs(u64),
}

fn estimate(change: &Change, needs: u64, budget: u64) -> Remedy {
    Remedy { option: change.shown.clone(), needs, fits: needs <= budget, planned: false }
}

/// The first degree that fits, where the last takes `end`; the last where that does not fit. Without the change a device holds
/// what is needed, and each degree leaves half of what the one before it leaves of all that the change can take away. So it is known about
/// which degree that is, and its neighbours are asked next.
fn first_that_fits<'a>(steps: &'a [Change], end: u64, shortage: Shortage, asking: &Asking<'_>) -> (u64, &'a Change) {
    let budget = shortage.budget;
    let (mut low, mut high, mut needs) = (0, steps.len() - 1, end);
    if end > budget {
        return (end, &steps[high]);
    }
    let mut next = expected(steps.len(), end, shortage).min(high.saturating_sub(1));
    while low < high {
        let fits = match (asking.inputs)(&steps[next]).is_some_and(|n| n > budget) {
            true => None,
            false => (asking.estimated)(&steps[next]).filter(|n| *n <= budget),
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

/// What is changed, in the order in which remedies that fit are named: what costs least comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Search,
    Recompute,
    Offload,
    Accumulate,
    /// Of a block that names so many axes.
    Layout(usize),
    Mesh,
    Batch,
    /// Along an axis of the mesh, by its position.
    Devices(usize),
    /// Several of these.
    Together,
}

type Found = (Kind, Remedy, Change);

/// The same change in rising degrees.
struct Degrees {
    kind: Kind,
    steps: Vec<Change>,
}

/// What is changed from.
struct Start<'a> {
    program: &'a Program,
    entry: &'a Elaborated,
    plain: Change,
}

impl Start<'_> {
    fn options(&self) -> &CompileOptions {
        &self.plain.options
    }

    fn change(&self, shown: String, change: impl FnOnce(&mut CompileOptions)) -> Change {
        self.plain.and(shown, change)
    }

    /// All remedies that are estimated.
    fn kinds(&self) -> Vec<Degrees> {
        let searches = self.options().plan.mode == Mode::Search;
        let mut all = Vec::new();
        let mut one = |kind, change| all.push(Degrees { kind, steps: vec![change] });
        if !searches {
            one(Kind::Search, self.change("--plan search".into(), |o| o.plan.mode = Mode::Search));
        }
        if searches && self.keeps() {
            let auto = |o: &mut CompileOptions| o.plan.recompute_all = Some(Recompute::Auto);
            one(Kind::Recompute, self.change("--recompute auto".into(), auto));
        }
        if self.options().front.layout_file.is_none() {
            let said = devices::read(&self.program.text);
            for (name, axes) in said.layouts.iter().filter(|l| self.program.layout.as_ref() != Some(&l.0)) {
                let block = |o: &mut CompileOptions| o.front.layout = Some(name.clone());
                one(Kind::Layout(axes.len()), self.change(format!("--layout {name}"), block));
            }
            if let Some(layout) = self.program.layout.as_ref().filter(|_| searches) {
                one(Kind::Layout(0), self.change(format!("without --layout {layout}"), |o| o.front.layout = None));
            }
        }
        self.meshes().into_iter().for_each(|c| one(Kind::Mesh, c));
        let counts = self.microbatches(&self.sizes());
        let accumulated = counts.into_iter().filter_map(|n| self.accumulated(&self.plain, n)).collect();
        let batch = self.batch().map(|n| self.smaller(n)).unwrap_or_default();
        let degrees = [(Kind::Offload, self.offloaded()), (Kind::Accumulate, accumulated), (Kind::Batch, batch)];
        let axes = self.more_devices().into_iter().map(|(at, steps)| (Kind::Devices(at), steps));
        all.extend(degrees.into_iter().chain(axes).map(|(kind, steps)| Degrees { kind, steps }));
        all.retain(|d| !d.steps.is_empty());
        all
    }

    /// Whether something was told to be kept that could be recomputed.
    fn keeps(&self) -> bool {
        let loops = self.entry.global.ops.iter().filter_map(|d| d.recompute);
        match self.options().plan.recompute_all {
            Some(all) => all == Recompute::None,
            None => {
                loops.chain([self.entry.plan_options(&self.options().plan).recompute]).any(|r| r == Recompute::None)
            }
        }
    }

    /// More of a step in the host's memory than is there, where the target has a host: state, then stashes as well. `auto` has tried all.
    fn offloaded(&self) -> Vec<Change> {
        let (func, options) = (&self.entry.global, self.options());
        let auto = options.offload.or(self.entry.memory.offload) == Some(Offload::Auto);
        if auto || options.plan.target.host.is_none() {
            return Vec::new();
        }
        let now = [func.inputs.iter().any(|p| p.host), func.stashes_in_host];
        let what = |how: &Offload| [how.state(), how.stashes()];
        let more = |how: &Offload| what(how) != now && what(how).iter().zip(now).all(|(then, now)| *then || !now);
        let mut all: Vec<Offload> = offload::choices(self.entry).into_iter().filter(more).collect();
        if all.contains(&Offload::All) {
            all.retain(|how| *how != Offload::Stashes);
        }
        let change = |how: Offload| self.change(format!("--offload {}", how.name()), |o| o.offload = Some(how));
        all.into_iter().map(change).collect()
    }

    /// The batch, if the program has one that can be made smaller: dim 0 of its first input.
    fn batch(&self) -> Option<u64> {
        let func = &self.entry.global;
        let at = func.inputs.iter().position(|p| p.role == Role::Input)?;
        func.ty(func.body().args[at]).shape.first().copied()
    }

    /// Axes that split the batch, by name.
    fn batch_axes(&self) -> Vec<&str> {
        let func = &self.entry.global;
        let first = func.inputs.iter().find(|p| p.role == Role::Input && !p.constraint.absent);
        let dim = first.and_then(|p| p.constraint.dims.first());
        let axes = dim.map(|(DimSpec::Exactly(axes) | DimSpec::AtLeast(axes))| axes.as_slice()).unwrap_or_default();
        axes.iter().map(|a| func.mesh.name(*a)).collect()
    }

    /// Batches of half as many rows, a quarter ..
    fn smaller(&self, batch: u64) -> Vec<Change> {
        let sizes = (1..=DOUBLINGS).map(|k| (batch >> k, batch >> k << k)).take_while(|s| s.0 > 0 && s.1 == batch);
        let made = sizes.map(|(size, _)| {
            self.change(format!("--dim batch={size}"), |o| {
                o.front.dims.retain(|d| d.0 != "batch");
                o.front.dims.push(("batch".into(), size));
            })
        });
        made.collect()
    }

    /// Higher numbers of microbatches, on a mesh of these sizes, as long as each device has whole rows of each.
    fn microbatches(&self, sizes: &[(String, u64)]) -> Vec<u64> {
        let Some(batch) = self.batch().filter(|_| self.entry.kind == EntryKind::Train) else { return Vec::new() };
        let rows = batch / self.parts(sizes);
        // A loss that is accumulated without stages is elaborated for a microbatch.
        let now = match &self.entry.pipeline {
            Some(of) => u64::from(of.schedule.microbatches()),
            None => tokens(&self.entry.global).checked_div(tokens(&self.entry.elaborated)).unwrap_or(1).max(1),
        };
        (1..=DOUBLINGS).map(|k| now << k).take_while(|n| *n <= rows && rows.is_multiple_of(*n)).collect()
    }

    /// So many microbatches: by the constant that the source says it with, or written into it.
    fn accumulated(&self, from: &Change, count: u64) -> Option<Change> {
        let (text, train) = (&self.program.text, &self.entry.name);
        if let Some(name) = devices::setting_name(text, train, "accumulate") {
            return Some(from.and(format!("--dim {name}={count}"), |o| {
                o.front.dims.retain(|d| d.0 != name);
                o.front.dims.push((name.clone(), count));
            }));
        }
        let settings = vec![("accumulate".to_owned(), count.to_string())];
        let written = devices::write(text, &Wanted { train: train.clone(), settings, ..Wanted::default() })?;
        let made = from.and(format!("`{}` in `train {train}`", written.lines.join(", ")), |_| ());
        Some(Change { source: Some(written.text), ..made })
    }

    /// Sizes of all axes, as they are.
    fn sizes(&self) -> Vec<(String, u64)> {
        let mesh = self.entry.mesh();
        mesh.all_axes().map(|a| (mesh.name(a).to_owned(), mesh.size(a))).collect()
    }

    /// Into how many parts a mesh of these sizes splits the batch.
    fn parts(&self, sizes: &[(String, u64)]) -> u64 {
        let split = self.batch_axes();
        let sizes = sizes.iter().filter(|s| split.contains(&s.0.as_str())).map(|s| s.1);
        sizes.fold(1, u64::saturating_mul).max(1)
    }

    /// Whether there is a mesh of these sizes, with rows of the batch for each device of the axes that split it.
    fn fits_mesh(&self, sizes: &[(String, u64)]) -> bool {
        let all = sizes.iter().fold(1u64, |n, s| n.saturating_mul(s.1));
        all <= MAX_DEVICES && self.batch().is_none_or(|n| n.is_multiple_of(self.parts(sizes)))
    }

    /// For each axis, the longest among the axes that are interchangeable with it, since all annotations treat them alike. A
    /// plan can do with one of these what it can do with the others.
    fn alike(&self) -> Vec<usize> {
        let (func, sizes) = (&self.entry.global, self.sizes());
        // The program's mesh lacks the axis of the pipeline stages.
        let axes: Vec<Option<Axis>> = sizes.iter().map(|(name, _)| func.mesh.axis(name)).collect();
        let alike = |at: usize, other: usize| {
            at == other || axes[at].zip(axes[other]).is_some_and(|(a, b)| without_axis::alike(func, a, b))
        };
        let longest = |at: usize| {
            let all = (0..axes.len()).filter(|&other| alike(at, other));
            all.min_by_key(|&other| (Reverse(sizes[other].1), other)).unwrap_or(at)
        };
        (0..axes.len()).map(longest).collect()
    }

    /// As many devices, other sizes: a part of an axis moves to another one, a small part first. Among interchangeable axes the
    /// longest takes it.
    fn meshes(&self) -> Vec<Change> {
        let (now, alike) = (self.sizes(), self.alike());
        let mut all = Vec::new();
        for part in (1..=DOUBLINGS).map(|k| 1u64 << k) {
            for from in (0..now.len()).filter(|&from| now[from].1.is_multiple_of(part)) {
                for to in (0..now.len()).filter(|&to| alike[to] == to && alike[from] != to) {
                    let mut sizes = now.clone();
                    sizes[from].1 /= part;
                    sizes[to].1 *= part;
                    if self.fits_mesh(&sizes) {
                        all.push(on(&self.plain, sizes));
                    }
                }
            }
        }
        all.truncate(MESHES);
        all
    }

    /// Each axis twice as long, four times .., with its position. Among interchangeable axes, the longest stands for all.
    fn more_devices(&self) -> Vec<(usize, Vec<Change>)> {
        let (now, alike) = (self.sizes(), self.alike());
        let axis = |at: usize| {
            let longer = |k: u32| {
                let mut sizes = now.clone();
                sizes[at].1 <<= k;
                sizes
            };
            (1..=DOUBLINGS).map(longer).take_while(|s| self.fits_mesh(s)).map(|s| on(&self.plain, s)).collect()
        };
        let tried = (0..now.len()).filter(|&at| alike[at] == at);
        tried.map(|at| (at, axis(at))).collect()
    }

    /// Where nothing helps alone: more and more devices along the axes that save most, under the layout block in use or one of
    /// `blocks`, each with as many microbatches as there can be, and with recomputation.
    fn together(
        &self,
        blocks: Vec<&Change>,
        saved: &[(End, usize)],
        asking: &Asking<'_>,
        shortage: Shortage,
    ) -> Option<Found> {
        let split = self.batch_axes();
        let batch = |at: usize| self.sizes().get(at).is_some_and(|s| split.contains(&s.0.as_str()));
        let mut axes = saved.to_vec();
        axes.sort_unstable();
        // Among the axes that split the batch, only the one that saves most is made longer.
        let first = axes.iter().position(|(_, at)| batch(*at));
        let axes: Vec<usize> =
            axes.iter().enumerate().filter(|(i, (_, at))| !batch(*at) || Some(*i) == first).map(|(_, a)| a.1).collect();
        let mut all = vec![self.sizes()];
        for at in axes.iter().cycle().take(axes.len() * DOUBLINGS as usize) {
            let mut longer = all.last()?.clone();
            longer[*at].1 *= 2;
            if self.fits_mesh(&longer) && all.len() <= TOGETHER {
                all.push(longer);
            }
        }
        let from: Vec<&Change> = [&self.plain].into_iter().chain(blocks).collect();
        let longest = all.last()?;
        let ends = parallel::map(&from, |from| (asking.estimated)(&self.at_most(from, longest)));
        let (end, from) =
            ends.into_iter().zip(from).filter_map(|(end, from)| Some((end?, from))).min_by_key(|e| e.0)?;
        let steps: Vec<Change> = all.iter().map(|sizes| self.at_most(from, sizes)).collect();
        let (needs, change) = first_that_fits(&steps, end, shortage, asking);
        Some((Kind::Together, estimate(change, needs, shortage.budget), change.clone()))
    }

    /// A change and a mesh, with all that makes a program smaller on it.
    fn at_most(&self, from: &Change, sizes: &[(String, u64)]) -> Change {
        let mut made = if sizes == self.sizes() { from.clone() } else { on(from, sizes.to_vec()) };
        if self.keeps() && made.options.plan.mode == Mode::Search {
            made = made.and("--recompute auto".into(), |o| o.plan.recompute_all = Some(Recompute::Auto));
        }
        let last = self.microbatches(sizes).pop();
        last.and_then(|count| self.accumulated(&made, count)).unwrap_or(made)
    }
}

/// The same on a mesh of these sizes.
fn on(from: &Change, sizes: Vec<(String, u64)>) -> Change {
    let shown: Vec<String> = sizes.iter().filter(|s| s.1 > 1).map(|(n, s)| format!("{n}={s}")).collect();
    from.and(format!("--mesh {}", shown.join(",")), |o| o.front.mesh = Some(sizes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Whatever part of the memory halves with each degree, the first that fits is found by two questions.
    #[test]
    fn the_first_degree_that_fits_is_found() {
        let change = |k: usize| Change { shown: k.to_string(), options: CompileOptions::default(), source: None };
        let steps: Vec<Change> = (0..5).map(change).collect();
        let needed = 1 << 20;
        for stays in [0, 1 << 10, 1 << 17, 1 << 19] {
            let needs = |k: u32| stays + ((needed - stays) >> (k + 1));
            let asked = AtomicUsize::new(0);
            let estimated = |c: &Change| {
                asked.fetch_add(1, Ordering::Relaxed);
                c.shown.parse().ok().map(needs)
            };
            let asking = Asking { estimated: &estimated, inputs: &|_| None, planned: &|_| None };
            for budget in (0..5).flat_map(|k| [needs(k), needs(k) + (needs(k) >> 4)]) {
                let first = (0..5).find(|k| needs(*k) <= budget).expect("the last does");
                asked.store(0, Ordering::Relaxed);
                let found = first_that_fits(&steps, needs(4), Shortage { needed, budget }, &asking);
                assert_eq!((found.0, found.1.shown.as_str()), (needs(first), first.to_string().as_str()));
                assert!(asked.load(Ordering::Relaxed) <= 2, "{stays} {budget}");
            }
        }
    }
}
