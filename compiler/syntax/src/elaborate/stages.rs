//! `blocks: [Block; layers] @ pipe`: which list of a model is split into pipeline stages, and over which axis of the mesh.
//!
//! A list may be split wherever the model stands, and counts on a mesh whose axis has more than one device. What a `train` cannot have
//! is an error; another entry then runs on all devices.
//! Not here: with which schedule ([`super::schedule`]).

use super::consts;
use super::layout;
use super::optimizer::Training;
use super::schedule::Asked;
use super::state::{Elab, SplitList};
use super::types::{Bindings, Scope};
use super::value::Val;
use crate::ast::{Field, LayoutExpr, LayoutKind, Name, StagesExpr};
use meshloom_ir::without_axis::{self, Names};
use meshloom_ir::{Axis, Constraint, Def, Func, Op, Role, Span};
use meshloom_source::Diagnostic;
use meshloom_source::entry::{LayerLayouts, Pipelining, ScheduleChoice};
use std::collections::BTreeMap;

/// A field whose list is split into stages.
pub(super) struct StagedField<'f> {
    pub field: &'f Field,
    pub stages: &'f StagesExpr,
    /// That of the field.
    pub path: String,
    /// What the field's type made.
    pub value: &'f Val,
    /// The field is in a list itself.
    pub inside: bool,
}

impl<'a> Elab<'a> {
    /// Notes the list of a field that is split.
    pub(super) fn split_list(&mut self, staged: StagedField<'_>, bindings: &Bindings, library: bool) {
        let StagedField { field, stages, path, value, inside } = staged;
        let Val::Stack(stack) = value else {
            let d = Diagnostic::error("stages", format!("`{}` is no list of layers", field.name.text));
            let d = d.at(stages.span, "only a list is split into stages");
            self.error(
                d.help("a layout has brackets, `@ [data, _]`; stages are those of a list: `blocks: [Block; 8] @ pipe`"),
            );
            return;
        };
        if inside || stack.element.has_list() {
            let message = if inside {
                format!("`{path}` is inside of another list")
            } else {
                format!("the entries of `{path}` have lists")
            };
            let d = Diagnostic::error("stages", message).at(stages.span, "such a list is not split into stages");
            self.error(d.help("the layers of stages are one list: `blocks: [Block; 8] @ pipe`, with all of them"));
            return;
        }
        let axis = match layout::axis(self.mesh(), &stages.axis) {
            Ok(axis) => axis,
            Err(d) => {
                self.error(d);
                return;
            }
        };
        let names = Scope { elab: self, dims: &bindings.dims, library };
        let sizes = stages.sizes.as_ref().map(|all| all.iter().map(|e| consts::natural(e, &names)).collect());
        let sizes = match sizes.transpose() {
            Ok(sizes) => sizes,
            Err(d) => {
                self.error(d);
                return;
            }
        };
        let sum = |all: &Vec<u64>| all.iter().fold(0u64, |n, s| n.saturating_add(*s));
        if let Some(found) = sizes.as_ref().map(sum).filter(|n| *n != stack.count.size) {
            let message = format!("the stages have {found} layers, and `{path}` has {}", stack.count.size);
            let d = Diagnostic::error("stages", message).at(stages.span, "the sizes do not add up");
            self.error(d.help(format!("leave them out, and Meshloom chooses: `@ {}`", stages.axis.text)));
            return;
        }
        self.split.push(SplitList { axis, path, sizes, span: stages.span });
    }

    /// What a `train` says of stages. Nothing where no list is split, or where the axis has one device.
    ///
    /// # Errors
    /// A program that has no stages as it is written.
    pub(super) fn pipelining(
        &self,
        training: &Training<'a>,
        func: &Func,
        state: &BTreeMap<String, Constraint>,
    ) -> Result<Option<Pipelining>, Vec<Diagnostic>> {
        let one = |d: Diagnostic| Err(vec![d]);
        let layers = self.layered(self.split.first(), func, state)?;
        let Some(list) = self.split.first() else {
            let nothing = |d: Diagnostic| d.help("split a list of layers: `blocks: [Block; 8] @ pipe`");
            let message = "no list of layers is split into stages";
            return match (&self.program.options.schedule, training.schedule.span) {
                (Some(_), _) => one(nothing(Diagnostic::error("stages", format!("--schedule: {message}")))),
                _ if self.program.options.virtual_stages.is_some() => {
                    one(nothing(Diagnostic::error("stages", format!("--virtual: {message}"))))
                }
                _ if self.program.options.stages.is_some() => {
                    one(nothing(Diagnostic::error("stages", format!("--stages: {message}"))))
                }
                (None, Some(span)) => {
                    one(nothing(Diagnostic::error("stages", message).at(span, "a schedule of stages")))
                }
                (None, None) => Ok(None),
            };
        };
        if let Some(other) = self.split.iter().find(|l| l.path != list.path) {
            let message = format!("two lists are split into stages, `{}` and `{}`", list.path, other.path);
            let d =
                Diagnostic::error("stages", message).at(other.span, "a second one").also(list.span, "the first one");
            return one(d.help("a pipeline has the layers of one list"));
        }
        if self.mesh().size(list.axis) < 2 {
            return Ok(None);
        }
        if !has_loop(func, &list.path) {
            let d = Diagnostic::error("stages", format!("no loop goes over `{}`", list.path));
            let d = d.at(list.span, "its layers would be the stages").also(training.loss.def.name.span, "in this loss");
            return one(d.help(format!("stages are parts of a loop over layers: `for p in m.{} {{ .. }}`", list.path)));
        }
        let mut named = self.layouts_with(list.axis, func, state);
        named.extend(self.layers_with(list.axis, &layers));
        if !named.is_empty() {
            let name = self.mesh().name(list.axis);
            let say = |at: Span| {
                let d =
                    Diagnostic::error("stages", format!("`{name}` is the axis of the stages, so no layout names it"));
                let d = d.at(at, "").also(list.span, "layers are split over it here");
                d.help("a layout is about the devices of one stage: name the other axes")
            };
            return Err(named.into_iter().map(say).collect());
        }
        let Asked { choice, span } = &training.schedule;
        Ok(Some(Pipelining {
            axis: self.mesh().name(list.axis).to_owned(),
            list: list.path.clone(),
            sizes: self.sizes_of(list),
            sizes_span: if self.program.options.stages.is_some() { Span::default() } else { list.span },
            span: list.span,
            schedule: choice.clone(),
            schedule_span: match self.program.options.schedule {
                Some(_) => Span::default(),
                None => span.unwrap_or(list.span),
            },
            layers,
        }))
    }

    /// The stages of an entry that trains nothing: one for each rank, through which all of it goes as one microbatch. Nothing where
    /// it does not go over the list, keeps state from call to call, or names the axis: then all devices run it.
    pub(super) fn forward_stages(&self, func: &Func) -> Option<Pipelining> {
        let list = self.split.first().filter(|l| self.split.iter().all(|o| o.path == l.path))?;
        let ranks = self.mesh().size(list.axis);
        let state = func.inputs.iter().any(|p| p.role == Role::State);
        let named = || !self.layouts_with(list.axis, func, &BTreeMap::new()).is_empty();
        if ranks < 2 || state || !has_loop(func, &list.path) || named() {
            return None;
        }
        Some(Pipelining {
            axis: self.mesh().name(list.axis).to_owned(),
            list: list.path.clone(),
            sizes: self.sizes_of(list).filter(|s| s.len() as u64 == ranks),
            sizes_span: list.span,
            span: list.span,
            schedule: ScheduleChoice::Named { name: "gpipe".into(), virtual_stages: None },
            schedule_span: list.span,
            layers: Vec::new(),
        })
    }

    /// The layers of each stage, if somebody says.
    pub(super) fn sizes_of(&self, list: &SplitList) -> Option<Vec<u64>> {
        self.program.options.stages.clone().or_else(|| list.sizes.clone())
    }

    /// Where rules for some layers name an axis.
    fn layers_with(&self, axis: Axis, layers: &[LayerLayouts]) -> Vec<Span> {
        let of = |l: &LayerLayouts| {
            let rules = ["params", "state"].into_iter().flat_map(|role| self.program.layer_rules(role, &l.name));
            rules.filter_map(|(r, _)| naming(&r.layout, self.mesh().name(axis))).collect::<Vec<Span>>()
        };
        let mut out: Vec<Span> = layers.iter().flat_map(of).collect();
        out.sort();
        out.dedup();
        out
    }

    /// Where layouts name an axis, each place once.
    fn layouts_with(&self, axis: Axis, func: &Func, state: &BTreeMap<String, Constraint>) -> Vec<Span> {
        let rule = |role: &str, path: &str| {
            let layout = self.program.rule_for(role, path).map(|r| &r.layout);
            layout.and_then(|l| naming(l, self.mesh().name(axis)))
        };
        let mut out = Vec::new();
        for at in without_axis::names(func, axis) {
            out.push(match at {
                Names::Port(p) if p.role == Role::Parameter => rule("params", &p.name).unwrap_or(p.span),
                Names::Port(p) => rule("inputs", &p.name).unwrap_or(p.span),
                Names::Op(o) => o.span,
            });
        }
        let state = state.iter().filter(|(_, c)| c.names(axis)).filter_map(|(path, _)| rule("state", path));
        out.extend(state);
        out.sort();
        out.dedup();
        out
    }
}

/// Where a layout names an axis.
fn naming(layout: &LayoutExpr, axis: &str) -> Option<Span> {
    let names: Vec<&Name> = match &layout.kind {
        LayoutKind::Dims { dims, partial } => {
            dims.iter().flat_map(|d| &d.axes).chain(partial.iter().map(|p| &p.axis)).collect()
        }
        LayoutKind::Largest(n) => vec![n],
        LayoutKind::Replicated | LayoutKind::Like(_) => Vec::new(),
    };
    names.into_iter().find(|n| n.text == axis).map(|n| n.span)
}

/// Whether a loop of a program goes over the layers of a list.
fn has_loop(func: &Func, list: &str) -> bool {
    let of_list = |name: &str| name.strip_prefix(list).is_some_and(|rest| rest.starts_with('.'));
    func.ops.iter().any(|o| match o.op {
        Op::Repeat { carries, xs, .. } => o.operands.iter().skip(carries).take(xs).any(|&x| {
            matches!(func.value(x).def, Def::Arg(region, i) if region == Func::BODY
                && func.inputs.get(i as usize).is_some_and(|p| p.stacked && of_list(&p.name)))
        }),
        _ => false,
    })
}
