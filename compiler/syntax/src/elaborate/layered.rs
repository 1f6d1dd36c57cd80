//! Rules of a layout block that are for some layers of a list alone: `params blocks[0..2].up: [_, model]`.
//!
//! All layers of a list are one tensor for each parameter, so they lie alike, but where they are in different pipeline stages: then
//! no device has layers of both. The rules become layouts by runs of layers, and the driver takes the list apart there.
//! Not here: rules for whole lists ([`super::model`]), and on which devices a stage is.

use super::layout::resolve;
use super::model::stack;
use super::state::{Elab, SplitList};
use super::value::Dim;
use crate::ast::{LayersOf, LayoutExpr, LayoutKind, LayoutRule};
use meshloom_ir::{Constraint, Func, Port, Role};
use meshloom_source::Diagnostic;
use meshloom_source::entry::LayerLayouts;
use std::collections::BTreeMap;

impl Elab<'_> {
    /// The layouts of runs of layers, parameter by parameter; none where no rule is for some layers alone. `state` are the layouts of
    /// whole tensors of the optimizer.
    ///
    /// # Errors
    /// Layers that a list does not have, or that are in no stage; layouts that do not fit.
    pub(super) fn layered(
        &self,
        list: Option<&SplitList>,
        func: &Func,
        state: &BTreeMap<String, Constraint>,
    ) -> Result<Vec<LayerLayouts>, Vec<Diagnostic>> {
        let (mut all, mut errors) = (Vec::new(), Vec::new());
        for (port, &v) in func.inputs.iter().zip(&func.body().args) {
            let own = ["params", "state"].map(|role| self.program.layer_rules(role, &port.name));
            let Some(first) = own.iter().flatten().next().filter(|_| port.role == Role::Parameter) else { continue };
            if let Some(d) = self.in_no_stage(list, port, first.1) {
                errors.push(d);
                continue;
            }
            let (count, dims) = match func.ty(v).shape.split_first() {
                Some((count, rest)) => (*count, rest.iter().map(|&n| Dim::plain(n)).collect::<Vec<_>>()),
                None => continue,
            };
            let wrong = own.iter().flatten().filter_map(|(_, layers)| out_of_range(layers, port, count));
            let before = errors.len();
            errors.extend(wrong);
            if errors.len() > before {
                continue;
            }
            let mut bounds: Vec<u64> =
                own.iter().flatten().flat_map(|(_, l)| [l.first, l.end]).chain([0, count]).collect();
            bounds.sort_unstable();
            bounds.dedup();
            for w in bounds.windows(2) {
                let of = |rules: &[(&LayoutRule, &LayersOf)]| {
                    let covers = |l: &LayersOf| l.first <= w[0] && w[1] <= l.end;
                    rules.iter().rev().find(|(_, l)| covers(l)).map(|(r, _)| r.layout.clone())
                };
                let resolved = |l: &LayoutExpr| resolve(self.mesh(), l, &dims).map(|c| stack(c, true));
                let params = match of(&own[0]).map(|l| resolved(&l)).transpose() {
                    Ok(found) => found.unwrap_or_else(|| port.constraint.clone()),
                    Err(d) => {
                        errors.push(d);
                        continue;
                    }
                };
                let whole = self.program.rule_for("state", &port.name).map(|r| r.layout.clone());
                let state = match of(&own[1]).or(whole) {
                    Some(LayoutExpr { kind: LayoutKind::Like(_), .. }) => Some(params.clone()),
                    Some(l) => match resolved(&l) {
                        Ok(c) => Some(c),
                        Err(d) => {
                            errors.push(d);
                            continue;
                        }
                    },
                    None => state.get(&port.name).cloned(),
                };
                all.push(LayerLayouts { name: port.name.clone(), first: w[0], end: w[1], params, state });
            }
        }
        // Each place once: a rule is for several tensors.
        errors.dedup_by(|a, b| a.message == b.message);
        if errors.is_empty() { Ok(all) } else { Err(errors) }
    }

    /// That a rule is for layers which are in no stage, or may be in any.
    fn in_no_stage(&self, list: Option<&SplitList>, port: &Port, layers: &LayersOf) -> Option<Diagnostic> {
        let path = port.name.split_once(".*").map_or(port.name.as_str(), |n| n.0);
        let Some(list) = list.filter(|l| port.is_of_list(&l.path)) else {
            let message =
                format!("a layout for some layers of `{path}` alone, which is not split into pipeline stages");
            let d = Diagnostic::error("stages", message).at(layers.span, "its other layers are on the same devices");
            return Some(d.help(format!("leave `[..]` out, or split the list: `{path}: [..] @ pipe(..)`")));
        };
        if self.sizes_of(list).is_some() || self.mesh().size(list.axis) < 2 {
            return None;
        }
        let axis = self.mesh().name(list.axis);
        let message = format!("a layout for some layers of `{path}` alone, and it is open which stages have them");
        let d = Diagnostic::error("stages", message).at(layers.span, "");
        let d = d.also(list.span, "here Meshloom chooses how many layers each stage has");
        Some(d.help(format!("say it: `@ {axis}(..)`, with a number of layers for each stage, or --stages")))
    }
}

fn out_of_range(layers: &LayersOf, port: &Port, count: u64) -> Option<Diagnostic> {
    let (first, end) = (layers.first, layers.end);
    let path = port.name.split_once(".*").map_or(port.name.as_str(), |n| n.0);
    let message = match first < end {
        false => format!("there are no layers in {first}..{end}"),
        true if end > count => format!("`{path}` has the layers 0..{count}"),
        true => return None,
    };
    Some(
        Diagnostic::error("layout-rule", message).at(layers.span, "layers count from 0, and the end is not among them"),
    )
}
