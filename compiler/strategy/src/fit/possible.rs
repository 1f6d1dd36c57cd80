//! What can be changed of an entry that does not fit: each kind of change by itself, in rising degrees.
//!
//! Not here: what a device holds then ([`super::estimate`]).

use super::change::{Change, ChangeKind, Degrees};
use crate::compiler::GivenSource;
use crate::entry::Elaborated;
use crate::offload;
use crate::settings::Settings;
use crate::speed::tokens;
use meshloom_bundle::EntryKind;
use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_ir::without_axis;
use meshloom_ir::{Axis, DimSpec, Role};
use meshloom_plan::{Mode, Recompute};
use meshloom_source::entry::{Offload, Overrides};
use meshloom_syntax::overrides::{self, Said};
use std::cmp::Reverse;

/// Times that an axis is doubled, a batch halved, or microbatches doubled, until it fits.
pub const DOUBLINGS: u32 = 5;
/// The most other meshes of as many devices that are estimated.
const MESHES: usize = 6;

/// An entry that does not fit, and what it is planned with: the changes that there are start from here.
pub struct PossibleChanges<'a> {
    source: GivenSource<'a>,
    /// What a Loom source says of devices.
    said: Said,
    /// The layout block in use.
    layout: Option<&'a str>,
    entry: &'a Elaborated,
    pub plain: Change,
}

impl<'a> PossibleChanges<'a> {
    pub fn new(
        source: GivenSource<'a>,
        layout: Option<&'a str>,
        entry: &'a Elaborated,
        settings: &Settings,
    ) -> PossibleChanges<'a> {
        let said = if source.is_loom { overrides::read(source.text) } else { Said::default() };
        PossibleChanges { source, said, layout, entry, plain: Change::of(settings.clone()) }
    }

    fn settings(&self) -> &Settings {
        &self.plain.settings
    }

    fn change(&self, shown: String, change: impl FnOnce(&mut Settings)) -> Change {
        self.plain.and(shown, change)
    }

    /// All remedies that are estimated.
    pub fn kinds(&self) -> Vec<Degrees> {
        let searches = self.settings().plan.mode == Mode::Search;
        let mut all = Vec::new();
        let mut one = |kind, change| all.push(Degrees { kind, steps: vec![change] });
        if !searches {
            one(ChangeKind::Search, self.change("--plan search".into(), |o| o.plan.mode = Mode::Search));
        }
        if searches && self.keeps() {
            let auto = |o: &mut Settings| o.plan.recompute_all = Some(Recompute::Auto);
            one(ChangeKind::Recompute, self.change("--recompute auto".into(), auto));
        }
        if self.settings().front.layout_file.is_none() {
            for (name, axes) in self.said.layouts.iter().filter(|l| self.layout != Some(&l.0)) {
                let block = |o: &mut Settings| o.front.layout = Some(name.clone());
                one(ChangeKind::Layout(axes.len()), self.change(format!("--layout {name}"), block));
            }
            if let Some(layout) = self.layout.filter(|_| searches) {
                one(
                    ChangeKind::Layout(0),
                    self.change(format!("without --layout {layout}"), |o| o.front.layout = None),
                );
            }
        }
        self.meshes().into_iter().for_each(|c| one(ChangeKind::Mesh, c));
        let counts = self.microbatches(&self.sizes());
        let accumulated = counts.into_iter().filter_map(|n| self.accumulated(&self.plain, n)).collect();
        let batch = self.batch().map(|n| self.smaller(n)).unwrap_or_default();
        let degrees = [
            (ChangeKind::Offload, self.offloaded()),
            (ChangeKind::Accumulate, accumulated),
            (ChangeKind::Batch, batch),
        ];
        let axes = self.more_devices().into_iter().map(|(at, steps)| (ChangeKind::Devices(at), steps));
        all.extend(degrees.into_iter().chain(axes).map(|(kind, steps)| Degrees { kind, steps }));
        all.retain(|d| !d.steps.is_empty());
        all
    }

    /// Whether something was told to be kept that could be recomputed.
    pub fn keeps(&self) -> bool {
        let loops = self.entry.global.ops.iter().filter_map(|d| d.recompute);
        match self.settings().plan.recompute_all {
            Some(all) => all == Recompute::None,
            None => {
                loops.chain([self.entry.plan_options(&self.settings().plan).recompute]).any(|r| r == Recompute::None)
            }
        }
    }

    /// More of a step in the host's memory than is there, where the target has a host: state, then stashes as well. `auto` has tried all.
    fn offloaded(&self) -> Vec<Change> {
        let (func, settings) = (&self.entry.global, self.settings());
        let auto = settings.offload.or(self.entry.memory.offload) == Some(Offload::Auto);
        if auto || settings.plan.target.host.is_none() {
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
    pub fn batch_axes(&self) -> Vec<&str> {
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
        let (text, train) = (self.source.text, &self.entry.name);
        if let Some(name) = overrides::setting_name(text, train, "accumulate") {
            return Some(from.and(format!("--dim {name}={count}"), |s| {
                s.front.dims.retain(|d| d.0 != name);
                s.front.dims.push((name.clone(), count));
            }));
        }
        let settings = vec![("accumulate".to_owned(), count.to_string())];
        let overrides = Overrides { train: train.clone(), settings, ..Overrides::default() };
        let lines = overrides::lines(text, &overrides)?;
        Some(from.and(format!("`{}` in `train {train}`", lines.join(", ")), |s| s.front.overrides = overrides))
    }

    /// Sizes of all axes, as they are.
    pub fn sizes(&self) -> Vec<(String, u64)> {
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
    pub fn fits_mesh(&self, sizes: &[(String, u64)]) -> bool {
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
                        all.push(self.plain.on(sizes));
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
            (1..=DOUBLINGS).map(longer).take_while(|s| self.fits_mesh(s)).map(|s| self.plain.on(s)).collect()
        };
        let tried = (0..now.len()).filter(|&at| alike[at] == at);
        tried.map(|at| (at, axis(at))).collect()
    }

    /// A change and a mesh, with all that makes a program smaller on it.
    pub fn at_most(&self, from: &Change, sizes: &[(String, u64)]) -> Change {
        let mut made = if sizes == self.sizes() { from.clone() } else { from.on(sizes.to_vec()) };
        if self.keeps() && made.settings.plan.mode == Mode::Search {
            made = made.and("--recompute auto".into(), |o| o.plan.recompute_all = Some(Recompute::Auto));
        }
        let last = self.microbatches(sizes).pop();
        last.and_then(|count| self.accumulated(&made, count)).unwrap_or(made)
    }
}
