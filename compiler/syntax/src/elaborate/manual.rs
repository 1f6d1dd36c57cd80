//! `manual(axis)(inputs) -> layout { .. }`: a region in which tensors are what one device of the axis has.
//!
//! The body is elaborated on its own, as the local program of a device, with shapes of shards. `ir::manual` makes ops
//! of the global program of it, which stand where the region stood. So a region may be in a loop or in another region,
//! and later phases need not know of regions. Collectives themselves are in [`super::collective`].

use super::placed::Lives;
use super::state::{Elab, IterationNumber, MAX_OPS, Scope, Variable};
use super::value::{Dim, TensorVal, Val};
use super::{chance, layout};
use crate::ast::{self, LayoutKind, Manual, ManualInput, ManualResult, Name};
use meshloom_ir::layout::text::show_axes;
use meshloom_ir::manual::{self, Lifted, Split};
use meshloom_ir::{Axis, Builder, Constraint, DimSpec, Func, Mesh, Port, Role, Span, ValueId};
use meshloom_source::Diagnostic;

/// How a tensor lies between the region and what is around it.
struct Border {
    /// By dim, the manual axes that split it.
    split: Split,
    /// By dim, further axes that the layout names.
    also: Split,
    at: Span,
}

/// What goes into a region.
struct Inputs {
    /// Values outside, and how they lie.
    outer: Vec<(ValueId, Border)>,
    /// By input: its name inside and its value there, whose tensors are numbered in `outer`'s order.
    inner: Vec<(Name, Val)>,
}

impl Elab<'_> {
    pub(super) fn manual(&mut self, m: &Manual, span: Span) -> Val {
        let opening = Span { end: m.body.span.start, ..span };
        if self.update.is_some() {
            let d = Diagnostic::error("manual", "an optimizer has no manual region").at(opening, "");
            return self.error(d.help("it is about one parameter, whose layout the plan knows"));
        }
        let Some(axes) = self.manual_axes(m) else { return Val::Error };
        let Some(inputs) = self.manual_inputs(m, &axes) else { return Val::Error };
        if !self.assigns_nothing_outside(m, &inputs) {
            return Val::Error;
        }

        let last = m.body.stmts.last().map_or(m.body.span, |s| s.span);
        let (result, body, random) = self.manual_body(m, &axes, &inputs, opening, last);
        let Some(result) = result.filter(|_| !self.exhausted) else { return Val::Error };
        let Some(borders) = self.manual_results(m, &result, &axes, last) else { return Val::Error };

        // Its global form, here.
        if self.builder.func.ops.len() + 8 * body.ops.len() > MAX_OPS {
            self.exhausted = true;
            let message = format!("the program grows past {MAX_OPS} operations when its functions are expanded");
            return self.error(Diagnostic::error("too-large", message).at(opening, "while expanding this region"));
        }
        self.locate(opening);
        let mut args: Vec<Lifted> = Vec::new();
        for (v, border) in &inputs.outer {
            let v = self.here(*v);
            args.push(manual::enter(&mut self.builder, v, &border.split, &border.also, &axes));
        }
        for v in if random { chance::given(self) } else { Vec::new() } {
            args.push(manual::enter(&mut self.builder, v, &Split::new(), &Split::new(), &axes));
        }
        let lifted = match manual::lift(&mut self.builder, &body, &axes, &args) {
            Ok(l) => l,
            Err(e) => {
                let at = if e.span.is_none() { opening } else { e.span };
                return self.error(Diagnostic::error("manual", e.message).at(at, "").help(e.help));
            }
        };
        let mut ok = true;
        let mut each = lifted.iter().zip(&borders);
        let value = result.map(&mut |t| {
            let Some((x, border)) = each.next() else { return t.clone() };
            match manual::leave(&mut self.builder, x, &border.split, &border.also, &axes) {
                Ok(id) => {
                    let dims =
                        t.dims.iter().zip(&border.split).map(|(d, axes)| global_dim(d, axes, &self.program.mesh));
                    TensorVal { id, dtype: t.dtype, dims: dims.collect(), units: Vec::new() }
                }
                Err(lost) => {
                    ok = false;
                    self.varies(&lost, border, last);
                    t.clone()
                }
            }
        });
        if ok { value } else { Val::Error }
    }

    /// The body, as a program of its own: its value, the program, and whether it draws random numbers.
    fn manual_body(
        &mut self,
        m: &Manual,
        axes: &[Axis],
        inputs: &Inputs,
        opening: Span,
        last: Span,
    ) -> (Option<Val>, Func, bool) {
        let own = Builder::new("manual", self.mesh().clone());
        let caller = std::mem::replace(&mut self.builder, own);
        let (regions, random) = (std::mem::take(&mut self.regions), self.random.take());
        let loops = regions.iter().filter(|r| !matches!(r.number, IterationNumber::None)).count();
        let aside = self.set_told_aside();
        let around = self.around;
        self.around += loops;
        let open = self.manual.len();
        self.manual.extend(axes.iter().map(|&a| (a, opening)));
        let mut scope = Scope::new();
        for (name, value) in &inputs.inner {
            let value = value.map(&mut |t| {
                let id = self.builder.input(Elab::ir_type(t), port(&name.text, t.rank(), name.span));
                TensorVal { id, ..t.clone() }
            });
            scope.insert(name.text.clone(), Variable { value, span: name.span });
        }
        let frame = self.frame();
        let scopes = std::mem::take(&mut frame.scopes);
        let numbers = |s: &Scope| -> Scope {
            s.iter().filter(|v| v.1.value.tensors().is_empty()).map(|(n, v)| (n.clone(), v.clone())).collect()
        };
        frame.scopes = scopes.iter().map(numbers).chain([scope]).collect();
        let outside = std::mem::replace(&mut frame.outside, scopes);
        let result = self.block(&m.body);
        let solid = self.solid_value(&result, last);
        for (i, t) in solid.iter().flat_map(Val::tensors).enumerate() {
            self.builder.output(t.id, port(&i.to_string(), t.rank(), last));
        }
        let frame = self.frame();
        frame.scopes = std::mem::replace(&mut frame.outside, outside);
        self.manual.truncate(open);
        let body = std::mem::replace(&mut self.builder, caller).finish();
        self.regions = regions;
        let told = self.take_told_back(aside);
        self.nothing_told(told, "a manual region", "give it as a result of the region");
        self.around = around;
        (solid, body, std::mem::replace(&mut self.random, random).is_some())
    }

    fn manual_axes(&mut self, m: &Manual) -> Option<Vec<Axis>> {
        let mut axes: Vec<Axis> = Vec::new();
        for name in &m.axes {
            let a = match layout::axis(self.mesh(), name) {
                Ok(a) => a,
                Err(d) => {
                    self.error(d);
                    return None;
                }
            };
            let before = self.manual.iter().find(|o| o.0 == a).map(|o| o.1);
            if axes.contains(&a) || before.is_some() {
                let d =
                    Diagnostic::error("manual", format!("axis `{}` is manual already", name.text)).at(name.span, "");
                self.error(match before {
                    Some(at) => d.also(at, "in this region").help("its collectives can be used here too"),
                    None => d.help("name each axis once"),
                });
                return None;
            }
            axes.push(a);
        }
        axes.sort_unstable();
        Some(axes)
    }

    fn manual_inputs(&mut self, m: &Manual, manual: &[Axis]) -> Option<Inputs> {
        let mut out = Inputs { outer: Vec::new(), inner: Vec::new() };
        let mut ok = true;
        for input in &m.inputs {
            let value = self.expr(&input.value);
            let Some(name) = input.inner() else {
                let d = Diagnostic::error("manual", "this input has no name inside of the region").at(input.span, "");
                self.error(d.help("give it one: `x: expression @ [..]`"));
                ok = false;
                continue;
            };
            if let Some(first) = out.inner.iter().find(|o| o.0.text == name.text).map(|o| o.0.span) {
                let d = Diagnostic::error("duplicate", format!("two inputs are called `{}`", name.text));
                self.error(
                    d.at(name.span, "again here")
                        .also(first, "first here")
                        .help("write another name before it: `y: x @ [..]`"),
                );
                ok = false;
                continue;
            }
            match self.manual_input(input, &value, manual, &mut out.outer) {
                Some(value) => out.inner.push((name, value)),
                None => ok = false,
            }
        }
        ok.then_some(out)
    }

    /// The value of an input as the region sees it.
    fn manual_input(
        &mut self,
        input: &ManualInput,
        value: &Val,
        manual: &[Axis],
        outer: &mut Vec<(ValueId, Border)>,
    ) -> Option<Val> {
        let value = self.solid_value(value, input.value.span)?;
        if value.tensors().is_empty() {
            let d = Diagnostic::error("manual", format!("an input of a manual region is a tensor, not {value}"));
            self.error(d.at(input.value.span, "").help("numbers are known inside as they are"));
            return None;
        }
        if !matches!((&input.layout.kind, &value), (LayoutKind::Replicated, _) | (_, Val::Tensor(_))) {
            let d = Diagnostic::error("layout", format!("a layout is for a tensor, not {value}"));
            self.error(
                d.at(input.layout.span, "")
                    .help("`@ _` hands all of it in replicated; or hand in its tensors one by one"),
            );
            return None;
        }
        let mut ok = true;
        let inner = value.map(&mut |t| match self.border(&input.layout, &t.dims, manual, true) {
            Some(border) => {
                let dims = t.dims.iter().zip(&border.split).map(|(d, axes)| block(d, axes, &self.program.mesh));
                let inner = TensorVal { dims: dims.collect(), ..t.clone() };
                outer.push((t.id, border));
                inner
            }
            None => {
                ok = false;
                t.clone()
            }
        });
        ok.then_some(inner)
    }

    /// How a tensor with these dims lies by a layout; with `outside`, the dims are those outside of the region.
    fn border(&mut self, written: &ast::LayoutExpr, dims: &[Dim], manual: &[Axis], outside: bool) -> Option<Border> {
        let none: Split = vec![Vec::new(); dims.len()];
        if matches!(written.kind, LayoutKind::Replicated) {
            return Some(Border { split: none.clone(), also: none, at: written.span });
        }
        let c: Constraint = self.constraint(written, dims, Some(Lives::Stored))?;
        let (mut split, mut also) = (none.clone(), none);
        for (d, spec) in c.dims.iter().enumerate() {
            let (DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)) = spec;
            let first = axes.iter().take_while(|a| manual.contains(a)).count();
            split[d] = axes[..first].to_vec();
            also[d] = axes[first..].to_vec();
            if let Some(&late) = also[d].iter().find(|a| manual.contains(a)) {
                let name = self.mesh().name(late);
                let d = Diagnostic::error("manual", format!("manual axis `{name}` stands behind one that is not"));
                self.error(d.at(written.span, "").help("manual axes are the major ones of a dim: they stand first"));
                return None;
            }
            let k = self.mesh().group_size(&split[d]);
            if outside && !dims[d].size.is_multiple_of(k) {
                let names = axis_names(&split[d], self.mesh());
                let message = format!("a dim of {} cannot be shared by {k} devices in a manual region", dims[d]);
                let x = Diagnostic::error("manual-uneven", message)
                    .at(written.span, format!("dim {d} is split over {names}"))
                    .help(
                        "pad it to a multiple before, or leave it replicated: uneven dims are for axes that are not manual",
                    );
                self.error(match super::value::sizes_note([&dims[d]]) {
                    Some(n) => x.note(n),
                    None => x,
                });
                return None;
            }
        }
        Some(Border { split, also, at: written.span })
    }

    /// How each tensor of the result lies.
    fn manual_results(&mut self, m: &Manual, result: &Val, manual: &[Axis], last: Span) -> Option<Vec<Border>> {
        let whole = ast::LayoutExpr { span: last, kind: LayoutKind::Replicated };
        let parts: Vec<(&ast::LayoutExpr, &Val)> = match (&m.result, result) {
            (None, v) => vec![(&whole, v)],
            (Some(ManualResult::One(l)), v) => vec![(l, v)],
            (Some(ManualResult::Tuple(ls)), Val::Tuple(vs)) if ls.len() == vs.len() => ls.iter().zip(vs).collect(),
            (Some(ManualResult::Tuple(ls)), other) => {
                let message = format!("layouts are given for {} results, but the region gives {other}", ls.len());
                self.error(Diagnostic::error("layout", message).at(last, ""));
                return None;
            }
        };
        let mut out = Vec::new();
        for (l, v) in parts {
            if !matches!((&l.kind, v), (LayoutKind::Replicated, _) | (_, Val::Tensor(_))) {
                let d = Diagnostic::error("layout", format!("a layout is for a tensor, not {v}")).at(l.span, "");
                self.error(d.help("for a tuple, one for each part: `-> ([data, _], _)`"));
                return None;
            }
            for t in v.tensors() {
                out.push(self.border(l, &t.dims, manual, false)?);
            }
        }
        Some(out)
    }

    fn varies(&mut self, lost: &[Axis], border: &Border, last: Span) {
        let names = axis_names(lost, self.mesh());
        let one = self.mesh().name(lost[0]).to_string();
        let d = Diagnostic::error("varies", format!("this result differs between the devices of {names}"))
            .at(last, "the devices have different values");
        let d = if border.at == last { d } else { d.also(border.at, "but one is meant for all of them here") };
        self.error(d.help(format!(
            "combine the values, such as `all_reduce(x, {one})`, or say which dim they make up: `-> [{one}, ..]`"
        )));
    }

    /// Reports variables of the function that the body assigns: it has a program of its own.
    fn assigns_nothing_outside(&mut self, m: &Manual, inputs: &Inputs) -> bool {
        let assigned = self.assigned(&m.body);
        let outer = |n: &&Name| !inputs.inner.iter().any(|i| i.0.text == n.text);
        let Some(name) = assigned.iter().find(outer) else { return true };
        let d = Diagnostic::error("manual", format!("`{}` is a variable outside of this region", name.text))
            .at(name.span, "assigned inside");
        self.error(d.help("what a region gives is its value: `x = manual(..)(..) -> [..] { .. }`"));
        false
    }
}

/// A dim as one device of `axes` has it: `hidden/model`.
fn block(d: &Dim, axes: &[Axis], mesh: &Mesh) -> Dim {
    if axes.is_empty() {
        return d.clone();
    }
    Dim::named(&format!("{d}/{}", show_axes(axes, mesh)), d.size / mesh.group_size(axes))
}

/// The dim of which one device of `axes` has `d`.
fn global_dim(d: &Dim, axes: &[Axis], mesh: &Mesh) -> Dim {
    if axes.is_empty() {
        return d.clone();
    }
    let behind = format!("/{}", show_axes(axes, mesh));
    let name = d.name.as_ref().and_then(|n| n.strip_suffix(behind.as_str()));
    // A dim without a name is called by its size while it is split.
    let name = name.filter(|n| n.parse::<u64>().is_err());
    Dim { size: d.size * mesh.group_size(axes), name: name.map(Into::into) }
}

fn axis_names(axes: &[Axis], mesh: &Mesh) -> String {
    axes.iter().map(|&a| format!("`{}`", mesh.name(a))).collect::<Vec<_>>().join(" and ")
}

fn port(name: &str, rank: usize, span: Span) -> Port {
    Port {
        name: name.to_string(),
        role: Role::Input,
        constraint: Constraint::absent(rank),
        stacked: false,
        first_layer: 0,
        entries: Vec::new(),
        complex: false,
        unsigned: false,
        init: None,
        range: None,
        updates: None,
        of: None,
        host: false,
        span,
    }
}
