//! The walk: op by op through loss and gradients, as PyTorch would run them on one device.

use crate::assign::{self, Demand};
use crate::local::Local;
use crate::places::{Mark, Place};
use crate::refusal::PlanRefusal;
use crate::state::Walk;
use crate::styles::{BUFFERS, GRADIENTS, PARAMETERS, Styled};
use crate::tensor::{LocalTensor, TensorKind};
use crate::tree::Modules;
use meshloom_certify::Certificate;
use meshloom_ir::live::live_values;
use meshloom_ir::{Assignment, Axis, FactorRule, Func, Layout, Op, OpId, Span, ValueId, table};
use std::collections::{BTreeMap, BTreeSet};

pub struct Walked {
    pub local: Func,
    pub certificate: Certificate,
    pub refusals: Vec<PlanRefusal>,
    pub warnings: Vec<String>,
}

/// Follows the whole program.
pub fn walk<'a>(
    func: &'a Func,
    modules: &'a Modules,
    place: &'a dyn Fn(Span) -> Option<Place>,
    styled: &'a Styled,
) -> Walked {
    let mut w = Walk {
        func,
        modules,
        place,
        styled,
        local: Local::new(func),
        held: vec![None; func.values.len()],
        assigned: BTreeMap::new(),
        forms: BTreeMap::new(),
        done: BTreeMap::new(),
        bounded: BTreeSet::new(),
        refusals: Vec::new(),
        warnings: Vec::new(),
    };
    w.inputs();
    let live = live_values(func);
    for &o in &func.body().ops {
        if func.op(o).results.iter().any(|r| live[r.index()]) {
            w.step(o);
        }
    }
    w.unused();
    w.outputs();
    let Local { func, certificate, .. } = w.local;
    Walked { local: func, certificate, refusals: w.refusals, warnings: w.warnings }
}

impl Walk<'_> {
    fn inputs(&mut self) {
        for (i, port) in self.func.inputs.iter().enumerate() {
            let v = self.func.body().args[i];
            let ty = self.func.ty(v);
            let whole = Layout::replicated(ty.rank());
            let own = port.name.strip_prefix(PARAMETERS);
            let placed = own.and_then(|n| self.styled.parameters.get(n));
            let of_module = port.name.strip_prefix(BUFFERS).and_then(|n| n.rsplit_once('.')).map(|x| x.0);
            let buffer = of_module.and_then(|m| self.styled.distributed.get(m));
            let (layout, kind) = match (placed, buffer) {
                (Some((axis, p)), _) => (p.on(&whole, Axis(*axis as u8)), TensorKind::DTensor(Axis(*axis as u8))),
                (None, Some(axis)) => (whole, TensorKind::DTensor(Axis(*axis as u8))),
                (None, None) if own.is_none() && of_module.is_none() && !ty.dtype.is_float() => {
                    (whole, TensorKind::Data)
                }
                _ => (whole, TensorKind::Plain),
            };
            let local = self.local.input(i, &layout);
            self.held[v.index()] = Some(LocalTensor { local, layout, kind, since: None });
        }
    }

    fn step(&mut self, o: OpId) {
        let data = self.func.op(o);
        let place = self.place_of(o).unwrap_or_default();
        let mark = if data.op.name() == "multiply" { place.mark() } else { None };
        let held: Option<Vec<LocalTensor>> = data.operands.iter().map(|v| self.held[v.index()].clone()).collect();
        if let Some(held) = held {
            match self.op(o, held, &place) {
                Ok(made) => {
                    for (&v, h) in data.results.iter().zip(made) {
                        self.held[v.index()] = Some(h);
                    }
                }
                Err(text) => {
                    let module = mark.as_ref().map_or_else(|| place.module(self.modules), |m| m.module.clone());
                    self.refuse_at(&module, place.op(), Some(place.line.clone()), text);
                }
            }
        }
        if let Some(mark) = mark {
            self.cross(o, &mark, data.results[0], place.is_backward());
        }
    }

    fn op(&mut self, o: OpId, held: Vec<LocalTensor>, place: &Place) -> Result<Vec<LocalTensor>, String> {
        let kind = self.mixed(o, &held)?;
        let Some(rule) = table::factors(self.func, o) else {
            return self.looped(o, &held, kind);
        };
        match kind.axis() {
            None => {
                let (a, operands) = self.taken(o, &rule, &held, None)?;
                let local = self.local.form(o, &rule, &a);
                let op = &self.func.op(o).op;
                if let Some(why) = assign::unlike_torch(op, &local, &rule, &a, place.is_backward()) {
                    return Err(format!("{}: {why}", self.split_over(&held)));
                }
                Ok(self.written(o, &rule, &a, operands, kind, place))
            }
            Some(axis) => {
                let (a, operands) = self.exchanged(o, &rule, held, axis)?;
                Ok(self.written(o, &rule, &a, operands, kind, place))
            }
        }
    }

    /// What kind the result is. A tensor and a DTensor do not go together.
    fn mixed(&self, o: OpId, held: &[LocalTensor]) -> Result<TensorKind, String> {
        let kind = Walk::kind_of(held);
        let Some(axis) = kind.axis() else { return Ok(kind) };
        for (h, v) in held.iter().zip(&self.func.op(o).operands) {
            let plain = match h.kind {
                TensorKind::Plain => self.func.ty(*v).rank() > 0,
                TensorKind::Data => self.func.ty(*v).rank() > 0 && !self.styled.loss_parallel,
                TensorKind::Free => false,
                TensorKind::DTensor(a) if a != axis => {
                    return Err("it has DTensors of two meshes, and PyTorch raises".into());
                }
                TensorKind::DTensor(_) => false,
            };
            if plain {
                let from = held.iter().find_map(|h| h.since.clone().filter(|_| h.kind.axis().is_some()));
                let from = from.map_or(String::new(), |s| format!(" ({s})"));
                let hint = if h.kind == TensorKind::Data { "; with `loss_parallel()` labels may be plain" } else { "" };
                return Err(format!("a DTensor{from} meets a plain tensor, and PyTorch raises{hint}"));
            }
        }
        Ok(kind)
    }

    /// A loop on tensors that are whole on every device.
    fn looped(&mut self, o: OpId, held: &[LocalTensor], kind: TensorKind) -> Result<Vec<LocalTensor>, String> {
        if held.iter().any(|h| !h.layout.is_replicated()) {
            return Err(format!("a loop on what is {} is not followed", self.split_over(held)));
        }
        let made = self.local.whole_loop(o, held.iter().map(|h| h.local).collect());
        let results = &self.func.op(o).results;
        let whole = |v: &ValueId| Layout::replicated(self.func.ty(*v).rank());
        Ok(results
            .iter()
            .zip(made)
            .map(|(v, local)| LocalTensor { local, layout: whole(v), kind, since: None })
            .collect())
    }

    /// The assignment that takes operands as they are, with those split that only repeat themselves, or that are DTensors of `axis`.
    fn taken(
        &mut self,
        o: OpId,
        rule: &FactorRule,
        held: &[LocalTensor],
        axis: Option<Axis>,
    ) -> Result<(Assignment, Vec<LocalTensor>), String> {
        let layouts: Vec<&Layout> = held.iter().map(|h| &h.layout).collect();
        let (a, demands) = assign::assignment(rule, &layouts, &self.func.mesh).map_err(|c| self.clash(held, &c))?;
        let mut out = held.to_vec();
        for d in demands {
            let v = self.func.op(o).operands[d.operand];
            let made = match axis {
                Some(axis) if d.axes == [axis] => self.split(v, &out[d.operand], d.dim, &d.axes, o),
                _ => self.repeated_as(v, &out[d.operand], &d),
            };
            out[d.operand] = made.ok_or_else(|| self.apart(held, &d))?;
        }
        Ok((a, out))
    }

    fn repeated_as(&mut self, v: ValueId, held: &LocalTensor, d: &Demand) -> Option<LocalTensor> {
        // The value may have been split by another dim already.
        if self.held[v.index()].as_ref().is_some_and(|h| h.layout == held.layout) {
            return self.repeated(v, d.dim, &d.axes);
        }
        None
    }

    /// What DTensor does: it takes operands as they are where it can; else it puts partial sums together, and then everything.
    fn exchanged(
        &mut self,
        o: OpId,
        rule: &FactorRule,
        held: Vec<LocalTensor>,
        axis: Axis,
    ) -> Result<(Assignment, Vec<LocalTensor>), String> {
        if let Ok(made) = self.taken(o, rule, &held, Some(axis)) {
            return Ok(made);
        }
        let operands = self.func.op(o).operands.clone();
        let mut at = held;
        for all in [false, true] {
            for (h, &v) in at.iter_mut().zip(&operands) {
                if all || h.layout.partial.contains_key(&axis) {
                    let to = h.layout.without(axis);
                    let made = self.resharded(v, h, &to, o);
                    *h = made.ok_or("a tensor that is split by several axes cannot be put together here")?;
                }
            }
            match self.taken(o, rule, &at, Some(axis)) {
                Ok(made) => return Ok(made),
                Err(e) if all => return Err(e),
                Err(_) => {}
            }
        }
        Err("its operands do not fit".into())
    }

    fn written(
        &mut self,
        o: OpId,
        rule: &FactorRule,
        a: &Assignment,
        operands: Vec<LocalTensor>,
        kind: TensorKind,
        place: &Place,
    ) -> Vec<LocalTensor> {
        let made = self.local.op(o, rule, a, operands.iter().map(|h| h.local).collect());
        self.assigned.insert(o, a.clone());
        let divided = |h: &&LocalTensor| !h.layout.is_replicated();
        let partial = operands.iter().any(|h| !h.layout.partial.is_empty());
        let before = operands.iter().find(divided).or(operands.iter().find(|h| h.since.is_some()));
        let before = before.and_then(|h| h.since.clone());
        // What is made of one tensor alone is said to be what that one is.
        let alone = operands.iter().filter(|h| h.kind != TensorKind::Free).count() == 1;
        let results = self.func.op(o).results.len();
        let kind = if matches!(self.func.op(o).op, Op::RandomBits { .. }) { TensorKind::Plain } else { kind };
        (0..results)
            .zip(made)
            .map(|(i, local)| {
                let layout = rule.result_layout(a, i);
                let since = if layout.is_replicated() && kind.axis().is_none() && !alone {
                    None
                } else if !layout.partial.is_empty() && !partial {
                    let module = place.module(self.modules);
                    let module = if module.is_empty() { "the model".into() } else { module };
                    Some(format!("as {} in {module} makes it", place.op().unwrap_or_else(|| "an op".into())))
                } else {
                    before.clone()
                };
                LocalTensor { local, layout, kind, since }
            })
            .collect()
    }

    /// Boundaries with a style that no tensor crosses.
    fn unused(&mut self) {
        let func = self.func;
        let places = func.body().ops.iter().filter(|o| func.op(**o).op.name() == "multiply");
        let seen: BTreeSet<Mark> = places.filter_map(|&o| self.place_of(o)?.mark()).collect();
        let missing: Vec<(&Mark, &str)> = self.styled.boundaries().filter(|(m, _)| !seen.contains(*m)).collect();
        for (mark, style) in missing {
            let module = if mark.module.is_empty() { "the model" } else { &mark.module };
            let by_name = !mark.argument.bytes().all(|b| b.is_ascii_digit());
            if !seen.iter().any(|m| m.module == mark.module) {
                self.warnings.push(format!("{module} is never called with a tensor, and has a style"));
            } else if by_name {
                let text =
                    format!("no tensor comes into {module} as `{}`: PyTorch passes over its layout", mark.argument);
                self.warnings.push(text);
            } else if mark.enters {
                let text = "and it is called with fewer tensors by position: PyTorch raises";
                self.refuse(&mark.module, None, format!("{style} prepares its input {}, {text}", mark.argument));
            } else {
                let text = "and it gives no tensor there: PyTorch raises";
                self.refuse(&mark.module, None, format!("{style} prepares its result {}, {text}", mark.argument));
            }
        }
    }

    fn outputs(&mut self) {
        for (i, port) in self.func.outputs.iter().enumerate() {
            let v = self.func.body().yields[i];
            let Some(held) = self.held[v.index()].clone() else { continue };
            let whole = Layout::replicated(self.func.ty(v).rank());
            let own = port.name.strip_prefix(GRADIENTS);
            let wanted = match own.and_then(|n| self.styled.parameters.get(n)) {
                Some((axis, p)) => p.on(&whole, Axis(*axis as u8)),
                None => whole,
            };
            let near = self.func.def_op(v).or(self.func.body().ops.last().copied());
            let made = match (held.kind, near) {
                _ if held.layout == wanted => Some(held.clone()),
                // The optimizer takes a DTensor's gradient as the parameter lies. A constant is that of a parameter that nothing reads.
                (TensorKind::DTensor(_) | TensorKind::Free, Some(near)) => self.resharded(v, &held, &wanted, near),
                _ => None,
            };
            match made {
                Some(h) => self.local.output(i, h.local, &h.layout),
                None => self.unlike(own, &held),
            }
        }
    }
}
