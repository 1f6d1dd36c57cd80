//! Collectives in the source, inside of manual regions: the local ops of the IR, with their axes checked.

use super::dynamic::dim_arg;
use super::layout;
use super::primitive::Given;
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use crate::ast::{Arg, Expr, ExprKind, Name};
use meshloom_ir::{Axis, DType, Op, Reduction, Span};
use meshloom_source::{Diagnostic, suggest};

/// A collective: its parameters, of which those that end in `?` may be left out, and what it makes.
pub struct CollectiveFn {
    pub name: &'static str,
    pub params: &'static [&'static str],
    make: Make,
}

/// What a call makes.
#[derive(Clone, Copy)]
enum Make {
    /// A number, from axes alone.
    OfAxes(fn(&mut Elab<'_>, Vec<Axis>, Span) -> Val),
    /// Of each tensor of `x` another.
    OfTensor(fn(&mut Elab<'_>, &Call<'_>, &TensorVal) -> Option<TensorVal>),
}

/// A call, its names resolved.
struct Call<'c> {
    name: &'static str,
    axes: Vec<Axis>,
    /// Devices of a group.
    n: u64,
    kind: Reduction,
    argument: &'c dyn Fn(&str) -> Option<&'c Given>,
    span: Span,
}

pub const COLLECTIVES: &[CollectiveFn] = &[
    CollectiveFn { name: "all_reduce", params: &["x", "axis", "reduction?"], make: Make::OfTensor(all_reduce) },
    CollectiveFn { name: "all_gather", params: &["x", "axis", "dim"], make: Make::OfTensor(all_gather) },
    CollectiveFn {
        name: "reduce_scatter",
        params: &["x", "axis", "dim", "reduction?"],
        make: Make::OfTensor(reduce_scatter),
    },
    CollectiveFn { name: "all_to_all", params: &["x", "axis", "split", "concat"], make: Make::OfTensor(all_to_all) },
    CollectiveFn { name: "collective_permute", params: &["x", "axis", "shift"], make: Make::OfTensor(permute) },
    CollectiveFn { name: "axis_index", params: &["axis"], make: Make::OfAxes(axis_index) },
    CollectiveFn { name: "axis_size", params: &["axis"], make: Make::OfAxes(axis_size) },
];

/// Names and parameters of all collectives, as [`super::primitives`] gives those of primitives.
pub fn collectives() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    COLLECTIVES.iter().map(|c| (c.name, c.params))
}

pub fn find(name: &str) -> Option<&'static CollectiveFn> {
    COLLECTIVES.iter().find(|c| c.name == name)
}

/// Arguments that are names of the mesh or of the language, and no values.
fn is_word(param: &str) -> bool {
    matches!(param, "axis" | "reduction?")
}

impl Elab<'_> {
    pub(super) fn collective(&mut self, c: &'static CollectiveFn, args: &[Arg], span: Span) -> Val {
        let mut given = Vec::new();
        let mut words: Vec<Vec<Name>> = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let param = match &a.name {
                Some(n) => c.params.iter().find(|p| p.trim_end_matches('?') == n.text),
                None => c.params.get(i),
            };
            let value = match param.filter(|p| is_word(p)) {
                Some(_) => {
                    let Some(names) = word(&a.value) else {
                        let d = Diagnostic::error("arguments", format!("`{}` takes a name here", c.name));
                        return self.error(
                            d.at(a.value.span, "an expression")
                                .help("an axis of the mesh: `model`, or several: `(data, model)`"),
                        );
                    };
                    words.push(names);
                    Val::int(words.len() as i64 - 1)
                }
                None => self.expr(&a.value),
            };
            given.push(Given { name: a.name.clone(), value, span: a.value.span });
        }
        let names: Vec<&str> = c.params.iter().map(|n| n.trim_end_matches('?')).collect();
        let Some(slots) = self.arrange(c.name, &names, &given, span, None) else { return Val::Error };
        for (param, slot) in c.params.iter().zip(&slots) {
            if slot.is_none() && !param.ends_with('?') {
                let message = format!("`{}` needs its argument `{param}`", c.name);
                let d = Diagnostic::error("arguments", message).at(span, "not given here");
                return self.error(d.note(format!("its parameters: {}", suggest::list(names))));
            }
        }
        let slot = |param: &str| names.iter().position(|n| *n == param).and_then(|i| slots[i].as_ref());
        let said = |param: &str| -> Option<&[Name]> {
            match slot(param)?.value {
                Val::Number(Num::Int(i), _) => words.get(usize::try_from(i).ok()?).map(Vec::as_slice),
                _ => None,
            }
        };
        let Some(axes) = self.collective_axes(c, said("axis").unwrap_or_default(), span) else { return Val::Error };
        let make = match c.make {
            Make::OfAxes(number) => return number(self, axes, span),
            Make::OfTensor(make) => make,
        };
        let kind = match said("reduction") {
            None => Reduction::Sum,
            Some(names) => match names.first().and_then(|n| Reduction::from_name(&n.text)) {
                Some(r) => r,
                None => {
                    let d = Diagnostic::error("arguments", format!("`{}` has no such reduction", c.name));
                    return self
                        .error(d.at(slot("reduction").map_or(span, |g| g.span), "").help("`sum`, `max` or `min`"));
                }
            },
        };
        let Some(x) = slot("x").cloned() else { return Val::Error };
        let Some(value) = self.solid_value(&x.value, x.span) else { return Val::Error };
        if value.tensors().is_empty() {
            let d = Diagnostic::error("type-mismatch", format!("`{}` is for tensors, not {value}", c.name));
            return self.error(d.at(x.span, ""));
        }
        let call = Call { name: c.name, n: self.mesh().group_size(&axes), axes, kind, argument: &slot, span };
        let numbers = c.params.contains(&"reduction?");
        let mut ok = true;
        let out = value.map(&mut |t| {
            let made = if numbers && t.dtype == DType::Bool {
                let d = Diagnostic::error("type-mismatch", format!("`{}` is for numbers, not bool", c.name));
                self.error(d.at(span, "").help("convert it: `x as i32`"));
                None
            } else {
                make(self, &call, t)
            };
            ok &= made.is_some();
            made.unwrap_or_else(|| t.clone())
        });
        if ok { out } else { Val::Error }
    }

    /// The collective `op` of a tensor, whose result has these dims.
    fn communicate(&mut self, op: Op, t: &TensorVal, dims: Vec<Dim>, span: Span) -> Option<TensorVal> {
        match self.tensor(op, &[t.id], dims, span) {
            Val::Tensor(t) => Some(t),
            _ => None,
        }
    }

    /// The part of a dim that one device keeps.
    fn scattered(&mut self, c: &Call<'_>, t: &TensorVal, dim: usize) -> Option<Dim> {
        let d = &t.dims[dim];
        if d.size.is_multiple_of(c.n) {
            return Some(Dim::plain(d.size / c.n));
        }
        let x =
            Diagnostic::error("manual-uneven", format!("`{}` cannot give {} devices equal parts of {d}", c.name, c.n))
                .at(c.span, format!("dim {dim} of {}", Val::Tensor(t.clone())))
                .help("pad it to a multiple before");
        self.error(match super::value::sizes_note([d]) {
            Some(n) => x.note(n),
            None => x,
        });
        None
    }

    /// The axes, which are manual here.
    fn collective_axes(&mut self, c: &CollectiveFn, names: &[Name], span: Span) -> Option<Vec<Axis>> {
        let mut axes = Vec::new();
        for name in names {
            let a = match layout::axis(self.mesh(), name) {
                Ok(a) => a,
                Err(d) => {
                    self.error(d);
                    return None;
                }
            };
            if axes.contains(&a) {
                let d = Diagnostic::error("axis-twice", format!("axis `{}` stands twice in one group", name.text));
                self.error(d.at(name.span, "again here"));
                return None;
            }
            if !self.manual.iter().any(|m| m.0 == a) {
                let d = Diagnostic::error(
                    "outside-manual",
                    format!("`{}` over `{}`, which is not manual here", c.name, name.text),
                )
                .at(span, "the compiler places the collectives of this axis");
                self.error(d.help(format!(
                    "collectives are written in a region: `manual({})(x @ [..]) -> [..] {{ .. }}`",
                    name.text
                )));
                return None;
            }
            axes.push(a);
        }
        if axes.is_empty() {
            let d = Diagnostic::error("arguments", format!("`{}` goes over an axis", c.name)).at(span, "");
            self.error(d.help("such as `model`, or `(data, model)` for both, major first"));
            return None;
        }
        Some(axes)
    }
}

fn all_reduce(cx: &mut Elab<'_>, c: &Call<'_>, t: &TensorVal) -> Option<TensorVal> {
    cx.communicate(Op::AllReduce { axes: c.axes.clone(), kind: c.kind }, t, t.dims.clone(), c.span)
}

fn all_gather(cx: &mut Elab<'_>, c: &Call<'_>, t: &TensorVal) -> Option<TensorVal> {
    let dim = dim_arg(cx, t, (c.argument)("dim"), c.span)?;
    let mut dims = t.dims.clone();
    dims[dim] = Dim::plain(dims[dim].size * c.n);
    cx.communicate(Op::AllGather { axes: c.axes.clone(), dim, size: None }, t, dims, c.span)
}

fn reduce_scatter(cx: &mut Elab<'_>, c: &Call<'_>, t: &TensorVal) -> Option<TensorVal> {
    let dim = dim_arg(cx, t, (c.argument)("dim"), c.span)?;
    let mut dims = t.dims.clone();
    dims[dim] = cx.scattered(c, t, dim)?;
    cx.communicate(Op::ReduceScatter { axes: c.axes.clone(), dim, kind: c.kind }, t, dims, c.span)
}

fn all_to_all(cx: &mut Elab<'_>, c: &Call<'_>, t: &TensorVal) -> Option<TensorVal> {
    let split = dim_arg(cx, t, (c.argument)("split"), c.span)?;
    let concat = dim_arg(cx, t, (c.argument)("concat"), c.span)?;
    if split == concat {
        let d = Diagnostic::error("dims", "`all_to_all` splits one dim and puts another together");
        cx.error(d.at(c.span, format!("dim {split} stands for both")));
        return None;
    }
    let mut dims = t.dims.clone();
    dims[split] = cx.scattered(c, t, split)?;
    dims[concat] = Dim::plain(dims[concat].size * c.n);
    cx.communicate(Op::all_to_all(c.axes.clone(), split, concat), t, dims, c.span)
}

fn permute(cx: &mut Elab<'_>, c: &Call<'_>, t: &TensorVal) -> Option<TensorVal> {
    let by = cx.int_arg((c.argument)("shift")?)?.rem_euclid(c.n as i64) as u64;
    if c.axes.len() > 1 {
        let d = Diagnostic::error("arguments", "`collective_permute` goes round one axis").at(c.span, "");
        cx.error(d.help("go round one after the other"));
        return None;
    }
    if by == 0 {
        return Some(t.clone());
    }
    cx.communicate(Op::CollectiveShift { axes: c.axes.clone(), by, mirror: false }, t, t.dims.clone(), c.span)
}

fn axis_size(cx: &mut Elab<'_>, axes: Vec<Axis>, _: Span) -> Val {
    Val::int(cx.mesh().group_size(&axes) as i64)
}

fn axis_index(cx: &mut Elab<'_>, axes: Vec<Axis>, span: Span) -> Val {
    let op = Op::Iota { dtype: DType::I32, shape: vec![1], dim: 0, shard: axes };
    let Val::Tensor(one) = cx.tensor(op, &[], vec![Dim::plain(1)], span) else { return Val::Error };
    cx.tensor(Op::Reshape { shape: Vec::new() }, &[one.id], Vec::new(), span)
}

/// `model`, `(data, model)`
fn word(e: &Expr) -> Option<Vec<Name>> {
    let one = |e: &Expr| match &e.bare().kind {
        ExprKind::Name(n) => Some(Name { text: n.clone(), span: e.span }),
        _ => None,
    };
    match &e.bare().kind {
        ExprKind::Tuple(v) => v.iter().map(one).collect(),
        _ => one(e).map(|n| vec![n]),
    }
}
