//! What of a model matters to the choice of a mesh: its batch, its layers, its axes and what each is for, its layout blocks.
//!
//! A source says what an axis is for by how it uses it. The batch axes split the first dim of the inputs; one of them, `data`
//! where there is an axis of that name, takes all devices that are left over. The axis of a list of layers (`@ pipe`) has the
//! stages; a source without such an axis gets one. All other axes stay within a node, but for `context`. A source without a mesh gets
//! the axes that it can use ([`super::axes`]), and the planner finds what to split over them; one with very long sequences gets an axis for
//! them.

use super::axes;
use crate::compiler::{Compiler, GivenSource};
use crate::entry::Elaborated;
use crate::settings::Settings;
use crate::speed::StepWork;
use meshloom_bundle::EntryKind;
use meshloom_ir::{DimSpec, Func, Op, Role, Span};
use meshloom_source::entry::Overrides;
use meshloom_source::{CompileResult, Diagnostic, Failure, SourceMap};
use meshloom_syntax::overrides::{self, Said};
use std::collections::BTreeSet;

/// An axis whose size is chosen, or was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AxisUse {
    pub name: String,
    /// Splits the batch.
    pub batch: bool,
    /// `--mesh` says its size.
    pub fixed: Option<u64>,
    /// It has a use where the axis at this position has more than one device.
    pub with: Option<usize>,
}

/// The list whose layers become stages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerList {
    /// The field that declares it.
    pub field: String,
    /// The axis of the stages.
    pub axis: String,
    /// `--mesh` says its size.
    pub fixed: Option<u64>,
    pub layers: u64,
}

/// A layout block, or the absence of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayoutUse {
    pub name: Option<String>,
    /// Which of the axes have a use under it, by their position.
    pub used: Vec<bool>,
    /// Which of them it names: with one device on such an axis it says what another block says without it.
    pub needed: Vec<bool>,
    /// What dims are split over: each dim's size, and the axes by their position.
    pub splits: BTreeSet<(u64, Vec<usize>)>,
}

/// A model as the choice of a mesh sees it.
#[derive(Clone, Debug)]
pub struct ModelShape {
    pub train: String,
    pub span: Span,
    pub text: String,
    /// All but that of the stages, the outermost first.
    pub axes: Vec<AxisUse>,
    /// The axis that takes what is left over.
    pub rest: usize,
    pub list: Option<LayerList>,
    pub layouts: Vec<LayoutUse>,
    /// Rows of the inputs in a step.
    pub batch: u64,
    /// Whether the batch can be split into microbatches: there is a dim of that name.
    pub splits_batch: bool,
    pub work: StepWork,
}

impl ModelShape {
    /// Reads a source.
    ///
    /// # Errors
    /// Those of the source, and a source without one `train`.
    pub fn read(by: &dyn Compiler, settings: &Settings) -> CompileResult<ModelShape> {
        let GivenSource { text, .. } = by.source();
        let said = overrides::read(text);
        let train = train(by, &said, settings).map_err(|d| (Failure::Rejected(vec![*d]), sources(by)))?;
        let mut probe = Probe { by, axes: said.axes.clone(), train: &train, settings };
        let named_none = probe.axes.is_empty();
        if named_none {
            probe.axes = vec![axes::DATA.into(), axes::MODEL.into()];
        }
        let wanted = settings.front.layout.clone();
        let blocks = said.layouts.iter().map(|l| Some(l.0.clone()));
        let all: Vec<Option<String>> = match wanted {
            Some(name) => vec![Some(name)],
            None if said.layouts.is_empty() => vec![None],
            None => blocks.collect(),
        };
        let plain = probe.entry(None)?;
        let func = &plain.elaborated;
        if named_none {
            probe.axes = axes::usual(func);
        }
        let added = !named_none && axes::lacks_context(func, &probe.axes) && probe.takes(axes::CONTEXT);
        let pipes: Vec<&String> = said.lists.iter().filter_map(|l| l.1.as_ref()).collect();
        let list = list(func, &said);
        let fixed = |name: &str| settings.front.mesh.iter().flatten().find(|m| m.0 == name).map(|m| m.1);
        let list = list.map(|(field, layers)| {
            let own = said.lists.iter().find(|l| l.0 == field).and_then(|l| l.1.clone());
            let axis = own.unwrap_or_else(|| "pipe".into());
            LayerList { field, fixed: fixed(&axis), axis, layers }
        });
        let stages = |name: &String| pipes.contains(&name) || list.as_ref().is_some_and(|l| l.axis == *name);
        let names: Vec<String> = probe.axes.iter().filter(|a| !stages(a)).cloned().collect();
        let split = batch_axes(func);
        let expert = |name: &String| named_none && name == axes::EXPERT;
        let batch =
            |name: &String| if split.is_empty() { name == axes::DATA || expert(name) } else { split.contains(name) };
        let open_context = |name: &String| (named_none || added) && name == axes::CONTEXT;
        let with = |name: &String| {
            let model = names.iter().position(|n| n == axes::MODEL);
            let inner = model.or_else(|| names.iter().rposition(|n| n != axes::CONTEXT && !batch(n)));
            inner.filter(|_| open_context(name))
        };
        let axes: Vec<AxisUse> = names
            .iter()
            .map(|n| AxisUse { name: n.clone(), batch: batch(n), fixed: fixed(n), with: with(n) })
            .collect();
        let named = axes.iter().position(|a| a.batch && a.name == axes::DATA);
        let rest = named.or_else(|| axes.iter().position(|a| a.batch)).unwrap_or(0);
        let mut layouts = Vec::new();
        for name in all {
            let entry = probe.entry(name.clone())?;
            let splits = splits(&entry, &names);
            // Without any block the planner finds a use for every axis.
            let open = said.layouts.is_empty() && settings.front.layout.is_none();
            let blocks = said.layouts.iter().find(|l| Some(&l.0) == name.as_ref()).map(|l| &l.1);
            let named = |i: usize| blocks.is_some_and(|b| b.contains(&names[i]));
            // That it splits the batch as well is no use for an axis beside that of the rest: it would hold copies.
            let rows = |s: &(u64, Vec<usize>)| s.0 == first_input(func) && s.1.iter().all(|a| axes[*a].batch);
            let own = |i: usize| splits.iter().any(|s| s.1.contains(&i) && !rows(s));
            let used = |i: usize| {
                i == rest
                    || named(i)
                    || own(i)
                    || (open && (!axes[i].batch || expert(&names[i])))
                    || (added && open_context(&names[i]))
            };
            let needed = (0..names.len()).map(|i| i != rest && named(i)).collect();
            let used = (0..names.len()).map(used).collect();
            layouts.push(LayoutUse { name, used, needed, splits });
        }
        tried_with_one(&mut layouts);
        Ok(ModelShape {
            span: plain.span,
            text: text.to_owned(),
            axes,
            rest,
            list,
            layouts,
            batch: first_input(func),
            splits_batch: probe.microbatches(),
            work: StepWork::of(&plain),
            train,
        })
    }
}

/// Of axes that every block names, one device is tried too.
fn tried_with_one(layouts: &mut [LayoutUse]) {
    for i in 0..layouts.first().map_or(0, |l| l.needed.len()) {
        if layouts.iter().all(|l| l.needed[i]) {
            layouts.iter_mut().for_each(|l| l.needed[i] = false);
        }
    }
}

/// The one `train` of a source, or the one that was asked for.
fn train(by: &dyn Compiler, said: &Said, settings: &Settings) -> Result<String, Box<Diagnostic>> {
    let wrong = |message: String| Diagnostic::error("unknown-entry", message);
    if !by.source().is_loom {
        let d = wrong("--devices: a StableHLO program has the mesh that it was traced for".into());
        return Err(Box::new(d.help("trace it with other shardings, or write the model in Loom")));
    }
    let refused = match (&settings.front.entry, said.trains.as_slice()) {
        (Some(name), all) if all.contains(name) => return Ok(name.clone()),
        (None, [only]) => return Ok(only.clone()),
        (Some(name), _) => wrong(format!("--devices: `{name}` is no `train`, and a mesh is chosen for one"))
            .help("leave --entry out, or name a `train`"),
        (None, []) => wrong("--devices: the model has no `train`, and a mesh is chosen for a step of training".into())
            .help("declare one: `train name = adamw(loss, lr: 1e-3)`; or give a mesh: --mesh data=8"),
        (None, all) => wrong(format!("--devices: there are several `train`s: {}", all.join(", ")))
            .help(format!("choose one: --entry {}", all[0])),
    };
    Err(Box::new(refused))
}

fn sources(by: &dyn Compiler) -> SourceMap {
    let GivenSource { path, text, .. } = by.source();
    let mut map = SourceMap::new();
    map.add(path, text);
    map
}

/// The source on one device, to look at.
struct Probe<'a> {
    by: &'a dyn Compiler,
    /// Those of the source, or those that it gets.
    axes: Vec<String>,
    train: &'a str,
    settings: &'a Settings,
}

impl Probe<'_> {
    /// On a mesh of one device, with so many microbatches; nothing where the source cannot be had so.
    fn overrides(&self, microbatches: u64) -> Option<Overrides> {
        let mesh = self.axes.iter().map(|a| (a.clone(), 1)).collect();
        let settings = vec![("accumulate".into(), microbatches.to_string())];
        let all = Overrides { mesh, stages: None, train: self.train.to_owned(), settings };
        overrides::lines(self.by.source().text, &all).is_some().then_some(all)
    }

    fn settings(&self, layout: Option<String>, overrides: Overrides) -> Settings {
        let mut o = self.settings.clone();
        o.front.entry = Some(self.train.to_owned());
        (o.front.mesh, o.front.layout, o.front.schedule, o.front.virtual_stages) = (None, layout, None, None);
        o.front.overrides = overrides;
        o
    }

    /// Adds an axis, if the source can be had with it. Its place is outside of the innermost axis, whose collectives are those of every op.
    fn takes(&mut self, axis: &str) -> bool {
        let at = self.axes.len().saturating_sub(1);
        self.axes.insert(at, axis.to_owned());
        let can = self.entry(None).is_ok();
        if !can {
            self.axes.remove(at);
        }
        can
    }

    fn entry(&self, layout: Option<String>) -> CompileResult<Elaborated> {
        // A text that cannot be had so is refused as it is.
        let overrides = self.overrides(1).unwrap_or_default();
        let mut entries = self.by.entries(&self.settings(layout, overrides))?;
        let found = entries.iter().position(|e| e.name == self.train && e.kind == EntryKind::Train);
        match found {
            Some(i) => Ok(entries.swap_remove(i)),
            None => {
                let d = Diagnostic::error("unknown-entry", format!("--devices: there is no `train` `{}`", self.train));
                Err((Failure::Rejected(vec![d]), sources(self.by)))
            }
        }
    }

    /// Whether the loss can be elaborated for a part of the batch.
    fn microbatches(&self) -> bool {
        self.overrides(2).is_some_and(|two| self.by.entries(&self.settings(None, two)).is_ok())
    }
}

/// The list with most layers that a loop goes over: its field and their number. Of a source that splits one, that one.
fn list(func: &Func, said: &Said) -> Option<(String, u64)> {
    let mut found: Vec<(u64, String)> = Vec::new();
    for (port, &arg) in func.inputs.iter().zip(&func.body().args).filter(|(p, _)| p.stacked) {
        let Some((path, _)) = port.name.split_once(".*") else { continue };
        let looped = func.ops.iter().any(|o| match o.op {
            Op::Repeat { carries, xs, .. } => o.operands.iter().skip(carries).take(xs).any(|&x| x == arg),
            _ => false,
        });
        let field = path.rsplit('.').next().unwrap_or(path);
        let fields = said.lists.iter().filter(|l| l.0 == field).count();
        if looped && fields == 1 {
            found.push((func.ty(arg).shape.first().copied().unwrap_or(0), field.to_owned()));
        }
    }
    let split = |field: &String| said.lists.iter().any(|l| l.0 == *field && l.1.is_some());
    let best = found.into_iter().max_by_key(|(n, field)| (split(field), *n));
    best.filter(|b| b.0 > 1).map(|(n, field)| (field, n))
}

/// The axes that split the first dim of inputs.
fn batch_axes(func: &Func) -> Vec<String> {
    let inputs = func.inputs.iter().filter(|p| p.role == Role::Input && !p.constraint.absent);
    let axes = inputs.filter_map(|p| p.constraint.dims.first()).flat_map(|d| match d {
        DimSpec::Exactly(axes) | DimSpec::AtLeast(axes) => axes.clone(),
    });
    axes.map(|a| func.mesh.name(a).to_owned()).collect()
}

/// The dims that layouts split, and the axes of each by its position in `names`.
fn splits(entry: &Elaborated, names: &[String]) -> BTreeSet<(u64, Vec<usize>)> {
    let func = &entry.global;
    let mut all = BTreeSet::new();
    let mut add = |constraint: &meshloom_ir::Constraint, shape: &[u64]| {
        for (dim, n) in constraint.dims.iter().zip(shape) {
            let (DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)) = dim;
            let at = |a: &meshloom_ir::Axis| names.iter().position(|n| n == func.mesh.name(*a));
            let axes: Vec<usize> = axes.iter().filter_map(at).collect();
            if !axes.is_empty() {
                all.insert((*n, axes));
            }
        }
    };
    for (port, &arg) in func.inputs.iter().zip(&func.body().args) {
        add(&port.constraint, &func.ty(arg).shape);
    }
    for o in &func.ops {
        if let (Op::Constrain(c), Some(&v)) = (&o.op, o.results.first()) {
            add(c, &func.ty(v).shape);
        }
    }
    all
}

fn first_input(func: &Func) -> u64 {
    let at = func.inputs.iter().position(|p| p.role == Role::Input);
    at.and_then(|i| func.ty(func.body().args[i]).shape.first().copied()).unwrap_or(1)
}
