//! The primitives over which the library is written, one row each.

use super::chance;
use super::dynamic;
use super::emit::Blame;
use super::pick;
use super::primitive::{Args, Given, Prim, need};
use super::scatter;
use super::shapes;
use super::state::Elab;
use super::tell;
use super::value::{Dim, Num, TensorVal, Val, count, plural, sizes_note};
use super::window;
use meshloom_ir::table::elem::{ElemDef, Sig, TABLE};
use meshloom_ir::{Arithmetic, Comparison, DType, Einsum, Op, Reduction, Span};
use meshloom_source::{Diagnostic, suggest};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The rows of the op table that Loom has as functions.
static ROWS: LazyLock<Vec<Prim>> = LazyLock::new(|| {
    let prim = |row: &'static ElemDef| {
        let (&name, params) = row.loom.split_first()?;
        let run = match (row.sig, row.arity) {
            (Sig::Bits | Sig::Integer, _) => bits,
            (Sig::Select, _) => select,
            (_, 1) => unary,
            (_, 2) => binary,
            _ => clamp,
        };
        Some(Prim { name, params, run })
    };
    TABLE.iter().filter_map(prim).collect()
});

/// Those whose functions stand in this file; the others are listed in the files of their functions.
const PRIMS: &[Prim] = &[
    Prim { name: "sum", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "max", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "min", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "prod", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "all", params: &["x", "dims?", "keep?"], run: logical },
    Prim { name: "any", params: &["x", "dims?", "keep?"], run: logical },
    Prim { name: "size", params: &["x", "dims?"], run: size },
    Prim { name: "rank", params: &["x"], run: rank },
    Prim { name: "training", params: &[], run: training },
    Prim { name: "metric", params: &["name", "value"], run: tell::metric },
    Prim { name: "require", params: &["condition", "message"], run: require },
    Prim { name: "einsum", params: &["spec", "x", "y?", "z?", "w?"], run: einsum },
    Prim { name: "dot", params: &["x", "y"], run: dot },
];

const FAMILIES: &[&[Prim]] =
    &[PRIMS, pick::PRIMS, shapes::PRIMS, chance::PRIMS, dynamic::PRIMS, scatter::PRIMS, window::PRIMS];

fn all() -> impl Iterator<Item = &'static Prim> {
    ROWS.iter().chain(FAMILIES.iter().flat_map(|family| family.iter()))
}

pub fn find(name: &str) -> Option<&'static Prim> {
    let name = name.strip_prefix(crate::import::LIBRARY).unwrap_or(name);
    all().find(|p| p.name == name)
}

/// Names and parameters of all primitives; those that end in `?` may be left out.
pub fn primitives() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    all().map(|p| (p.name, p.params))
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|p| p.name)
}

/// The row of a primitive of [`ROWS`].
fn row(p: &Prim) -> &'static ElemDef {
    let row = TABLE.iter().find(|row| row.loom.first() == Some(&p.name));
    row.unwrap_or_else(|| unreachable!("`{}` is made of a row", p.name))
}

impl Elab<'_> {
    pub(super) fn primitive(&mut self, p: &'static Prim, given: &[Given], span: Span) -> Val {
        let names: Vec<&str> = p.params.iter().map(|n| n.trim_end_matches('?')).collect();
        let Some(slots) = self.arrange(p.name, &names, given, span, None) else { return Val::Error };
        for (param, slot) in p.params.iter().zip(&slots) {
            match slot {
                Some(g) if g.value.is_error() => return Val::Error,
                None if !param.ends_with('?') => {
                    return self.error(
                        Diagnostic::error("arguments", format!("`{}` needs its argument `{param}`", p.name))
                            .at(span, "not given here")
                            .note(format!("its parameters: {}", suggest::list(names))),
                    );
                }
                _ => {}
            }
        }
        (p.run)(self, p, Args { slots, span })
    }

    /// An argument that must be a tensor; numbers are not.
    pub(super) fn tensor_arg(&mut self, p: &Prim, g: &Given) -> Option<TensorVal> {
        match &g.value {
            Val::Tensor(t) => Some(t.clone()),
            other => {
                self.error(
                    Diagnostic::error("type-mismatch", format!("`{}` is for tensors, not {other}", p.name))
                        .at(g.span, ""),
                );
                None
            }
        }
    }

    pub(super) fn bool_arg(&mut self, g: Option<&Given>) -> Option<bool> {
        match g.map(|g| (&g.value, g.span)) {
            None => Some(false),
            Some((Val::Bool(b), _)) => Some(*b),
            Some((other, span)) => {
                let message = format!("expected `true` or `false`, found {other}");
                self.error(Diagnostic::error("type-mismatch", message).at(span, ""));
                None
            }
        }
    }

    /// A whole number known while compiling.
    pub(super) fn int_arg(&mut self, g: &Given) -> Option<i64> {
        match &g.value {
            Val::Number(Num::Int(n), _) => Some(*n),
            other => {
                let d = Diagnostic::error("not-constant", format!("expected a constant whole number, found {other}"));
                let d = d.at(g.span, "");
                self.error(match other {
                    Val::Tensor(_) => d.help("sizes are known when a program is compiled: numbers, dims and constants"),
                    _ => d,
                });
                None
            }
        }
    }

    /// Dims of `rank` as positions, in ascending order: `-1`, `[0, 1]`, or `()` and nothing for all.
    pub(super) fn positions(&mut self, g: Option<&Given>, rank: usize) -> Option<Vec<usize>> {
        let mut out = self.positions_as_given(g, rank)?;
        out.sort_unstable();
        Some(out)
    }

    pub(super) fn positions_as_given(&mut self, g: Option<&Given>, rank: usize) -> Option<Vec<usize>> {
        let Some(g) = g else { return Some((0..rank).collect()) };
        let items = match &g.value {
            Val::Tuple(v) if v.is_empty() => return Some((0..rank).collect()),
            Val::List(v) | Val::Tuple(v) => v.clone(),
            v => vec![v.clone()],
        };
        let mut out = Vec::new();
        for v in items {
            let n = self.int_arg(&Given { value: v, ..g.clone() })?;
            let i = if n < 0 { n + rank as i64 } else { n };
            let position = usize::try_from(i).ok().filter(|&i| i < rank && !out.contains(&i));
            let Some(position) = position else {
                let d = Diagnostic::error("dims", format!("{n} is not a dim of a tensor of {}", count(rank)));
                self.error(
                    d.at(g.span, "").help("dims count from 0, or from the end: -1 is the last; each at most once"),
                );
                return None;
            };
            out.push(position);
        }
        Some(out)
    }

    /// `[batch, seq, 4]`: sizes with their names. One of them may be -1, where `elements` says how many there are in all.
    pub(super) fn sizes(&mut self, g: &Given, elements: Option<u64>) -> Option<Vec<Dim>> {
        let items = match &g.value {
            Val::List(v) | Val::Tuple(v) => v.clone(),
            v => vec![v.clone()],
        };
        let mut out: Vec<Dim> = Vec::new();
        let mut open = None;
        for v in items {
            let name = match &v {
                Val::Number(_, name) => name.clone(),
                _ => None,
            };
            match self.int_arg(&Given { value: v, ..g.clone() })? {
                n if n >= 1 => out.push(Dim { size: n as u64, name }),
                -1 if open.is_none() && elements.is_some() => {
                    open = Some(out.len());
                    out.push(Dim::plain(1));
                }
                -1 if open.is_some() => {
                    self.error(Diagnostic::error("size", "only one of the sizes can be -1").at(g.span, ""));
                    return None;
                }
                n => {
                    self.error(Diagnostic::error("size", format!("a size must be at least 1, not {n}")).at(g.span, ""));
                    return None;
                }
            }
        }
        if let (Some(at), Some(all)) = (open, elements) {
            let rest = out.iter().fold(1u64, |n, d| n.saturating_mul(d.size));
            out[at].size = (all / rest).max(1);
        }
        Some(out)
    }
}

impl Elab<'_> {
    /// The type of a tensor that is made of numbers alone: `i32` if all are whole, of the float type otherwise.
    pub(super) fn literal_type(&self, numbers: &[Num]) -> DType {
        match numbers.iter().all(|n| matches!(n, Num::Int(_))) {
            true => DType::I32,
            false => self.program.float.unwrap_or(DType::F32),
        }
    }
}

fn unary(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, row) = (need!(args, 0), row(p));
    // Only floats have gradients that could be stopped.
    let of_integers = row.sig == Sig::Number && row.arithmetic != Arithmetic::Same;
    match &x.value {
        Val::Number(n, _) => match (row.eval)(&[n.as_f64()]) {
            r if row.sig == Sig::Test => Val::Bool(r != 0.0),
            r if r.is_finite() => Val::Number(Num::Float(r), None),
            _ => cx.error(Diagnostic::error("number", format!("`{}` of {n} is not finite", p.name)).at(args.span, "")),
        },
        Val::Tensor(t) if !t.dtype.is_float() && !of_integers => {
            let d = Diagnostic::error("dtype-mismatch", format!("`{}` is for floats, not {}", p.name, t.dtype));
            cx.error(d.at(x.span, format!("this is {}", x.value)).help("convert it: `x as f32`"))
        }
        _ => match cx.tensor_arg(p, &x) {
            Some(t) => cx.elementwise(row.name, p.name, &[t], Blame { operation: x.span, operands: &[] }, args.span),
            None => Val::Error,
        },
    }
}

fn binary(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, y, row) = (need!(args, 0), need!(args, 1), row(p));
    let (Val::Number(a, _), Val::Number(b, _)) = (&x.value, &y.value) else {
        let operands = [(x.value, x.span), (y.value, y.span)];
        return cx.apply(row.name, &format!("`{}`", p.name), &operands, args.span, args.span);
    };
    let whole = if let (Num::Int(a), Num::Int(b)) = (a, b) { Some([*a, *b]) } else { None };
    match ((row.eval)(&[a.as_f64(), b.as_f64()]), row.eval_int, whole) {
        (r, Some(eval), Some(whole)) if row.keeps || r.is_finite() => Val::int(eval(&whole, DType::I64)),
        // The number itself, which may be a whole one.
        (r, ..) if row.keeps => Val::Number(if a.as_f64() == r { *a } else { *b }, None),
        (r, ..) if r.is_finite() => Val::Number(Num::Float(r), None),
        _ => {
            let message = format!("`{}` of {a} and {b} is not finite", p.name);
            cx.error(Diagnostic::error("number", message).at(args.span, ""))
        }
    }
}

/// `x` between `low` and `high`: the IR's op has its operands in another order.
fn clamp(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, low, high) = (need!(args, 0), need!(args, 1), need!(args, 2));
    if let (Val::Number(a, _), Val::Number(b, _), Val::Number(c, _)) = (&x.value, &low.value, &high.value) {
        let less = |a, b| super::numbers::compare(Comparison::Lt, a, b);
        let above = if less(*a, *b) { *b } else { *a };
        return Val::Number(if less(*c, above) { *c } else { above }, None);
    }
    let operands = [(low.value, low.span), (x.value, x.span), (high.value, high.span)];
    cx.apply("clamp", &format!("`{}`", p.name), &operands, args.span, args.span)
}

/// Ops on the bits of integers; `&&`, `||` and `!` are those of bools.
fn bits(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let given: Vec<Given> = args.slots.iter().flatten().cloned().collect();
    let mut dtype: Option<DType> = None;
    for g in &given {
        let Val::Tensor(t) = &g.value else { continue };
        let integers = t.dtype.is_int() && dtype.is_none_or(|d| d == t.dtype);
        if !integers {
            let d = Diagnostic::error(
                "type-mismatch",
                format!("`{}` is for integers of one type, not {}", p.name, t.dtype),
            );
            return cx.error(d.at(g.span, format!("this is {}", g.value)).help("convert it: `x as i32`"));
        }
        dtype = Some(t.dtype);
    }
    let Some(dtype) = dtype else {
        return cx.error(
            Diagnostic::error("type-mismatch", format!("`{}` needs a tensor of integers", p.name)).at(args.span, ""),
        );
    };
    let operands: Vec<(Val, Span)> = given.into_iter().map(|g| (g.value, g.span)).collect();
    cx.apply_as(dtype, row(p).name, &format!("`{}`", p.name), &operands, args.span, args.span)
}

fn select(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (c, x, y) = (need!(args, 0), need!(args, 1), need!(args, 2));
    match &c.value {
        Val::Bool(true) => return x.value,
        Val::Bool(false) => return y.value,
        Val::Tensor(t) if t.dtype == DType::Bool => {}
        other => {
            return cx.error(
                Diagnostic::error("type-mismatch", format!("the condition of `select` is a bool tensor, not {other}"))
                    .at(c.span, ""),
            );
        }
    }
    let Some(condition) = cx.tensor_arg(p, &c) else { return Val::Error };
    let (a, b) = match (&x.value, &y.value) {
        (Val::Tensor(a), Val::Tensor(b)) if a.dtype != b.dtype => {
            let d = Diagnostic::error(
                "dtype-mismatch",
                format!("`select` needs one element type, found {} and {}", a.dtype, b.dtype),
            );
            return cx.error(d.at(y.span, y.value.to_string()).also(x.span, x.value.to_string()));
        }
        (Val::Tensor(a), Val::Tensor(b)) => (Some(a.clone()), Some(b.clone())),
        (Val::Tensor(a), Val::Number(n, _)) => (Some(a.clone()), cx.scalar(*n, a.dtype, y.span)),
        (Val::Number(n, _), Val::Tensor(b)) => (cx.scalar(*n, b.dtype, x.span), Some(b.clone())),
        (Val::Number(a, _), Val::Number(b, _)) => {
            let dtype = cx.literal_type(&[*a, *b]);
            (cx.scalar(*a, dtype, x.span), cx.scalar(*b, dtype, y.span))
        }
        (a, b) => {
            let (bad, span) = if matches!(a, Val::Tensor(_) | Val::Number(..)) { (b, y.span) } else { (a, x.span) };
            let message = format!("`select` is for numbers and tensors, not {bad}");
            return cx.error(Diagnostic::error("type-mismatch", message).at(span, ""));
        }
    };
    match (a, b) {
        (Some(a), Some(b)) => {
            let at = Blame { operation: args.span, operands: &[c.span, x.span, y.span] };
            cx.elementwise("select", "`select`", &[condition, a, b], at, args.span)
        }
        _ => Val::Error,
    }
}

fn reduce(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    if t.dtype == DType::Bool {
        let d = Diagnostic::error("dtype-mismatch", format!("`{}` is for numbers, not bool", p.name));
        return cx.error(match p.name {
            "sum" => d.at(x.span, "").help("convert it: `x as f32`"),
            _ => d.at(x.span, "").help("`all` and `any` are for bools"),
        });
    }
    let Some(dims) = cx.positions(args.get(1), t.rank()) else { return Val::Error };
    let Some(keep) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let kind = match p.name {
        "sum" => Reduction::Sum,
        "max" => Reduction::Max,
        "prod" => Reduction::Prod,
        _ => Reduction::Min,
    };
    cx.reduce(kind, &t, &dims, keep, args.span)
}

/// `all` and `any`: reductions of bools, which kernels and collectives do as integers.
fn logical(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    if t.dtype != DType::Bool {
        let d = Diagnostic::error("dtype-mismatch", format!("`{}` is for bools, not {}", p.name, t.dtype));
        return cx.error(d.at(x.span, format!("this is {}", x.value)).help("compare it: `x != 0`"));
    }
    let Some(dims) = cx.positions(args.get(1), t.rank()) else { return Val::Error };
    let Some(keep) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let kind = if p.name == "all" { Reduction::And } else { Reduction::Or };
    let run = |cx: &mut Elab<'_>| {
        let id = cx.emit(Op::Convert { to: DType::I32 }, &[t.id], args.span)?;
        let Val::Tensor(bits) = cx.reduce(kind, &TensorVal { id, dtype: DType::I32, ..t }, &dims, keep, args.span)
        else {
            return None;
        };
        let zero = cx.scalar(Num::Int(0), DType::I32, args.span)?;
        dynamic::joined(cx, p, "compare_ne", &[bits, zero], args.span)
    };
    run(cx).map_or(Val::Error, Val::Tensor)
}

fn size(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(dims) = cx.positions(args.get(1), t.rank()) else { return Val::Error };
    if let [d] = dims[..] {
        return Val::dim(&t.dims[d]);
    }
    let n = dims.iter().fold(1u64, |n, &d| n.saturating_mul(t.dims[d].size));
    Val::int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// How many dims a tensor has.
fn rank(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    match &x.value {
        Val::Number(..) => Val::int(0),
        _ => cx.tensor_arg(p, &x).map_or(Val::Error, |t| Val::int(t.rank() as i64)),
    }
}

/// Whether this is the loss of a `train`, on its way to gradients: a constant.
fn training(cx: &mut Elab<'_>, _: &Prim, _: Args) -> Val {
    cx.asked_training = true;
    Val::Bool(cx.training)
}

/// Checks a constant condition while compiling. One that is not constant (a setting that follows a schedule) is not
/// checked.
fn require(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let (condition, message) = (need!(args, 0), need!(args, 1));
    let Val::Str(text) = &message.value else {
        let d = Diagnostic::error("type-mismatch", format!("the message is a string, not {}", message.value));
        return cx.error(d.at(message.span, ""));
    };
    match &condition.value {
        Val::Bool(true) => Val::unit(),
        Val::Bool(false) => {
            let at = cx.user_call().unwrap_or(args.span);
            cx.error(Diagnostic::error("requirement", text.to_string()).at(at, ""))
        }
        Val::Tensor(t) if t.dtype == DType::Bool => Val::unit(),
        other => {
            let d = Diagnostic::error("type-mismatch", format!("`require` is about a condition, not {other}"));
            cx.error(d.at(condition.span, ""))
        }
    }
}

fn einsum(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let spec = need!(args, 0);
    let Val::Str(text) = &spec.value else {
        let d = Diagnostic::error(
            "type-mismatch",
            format!("`einsum` begins with its dims, as a string, not {}", spec.value),
        );
        return cx.error(d.at(spec.span, "").help("such as `einsum(\"bse,ehd->bshd\", x, w)`"));
    };
    let operands: Vec<Given> = args.slots[1..].iter().flatten().cloned().collect();
    let parsed = match Einsum::parse(&spelled_out(text, &operands)) {
        Ok(e) => e,
        Err(_) if text.contains("...") => {
            let d = Diagnostic::error("einsum", "`..` stands for the dims without letters, not `...`");
            return cx.error(d.at(spec.span, "").help(format!("`{}`", text.replace("...", ".."))));
        }
        Err(message) => return cx.error(Diagnostic::error("einsum", message).at(spec.span, "")),
    };
    if operands.len() != parsed.operands.len() {
        let n = parsed.operands.len();
        let message = format!("`{text}` names {n} operand{}, found {}", plural(n), operands.len());
        return cx.error(Diagnostic::error("einsum", message).at(spec.span, ""));
    }
    let mut tensors: Vec<TensorVal> = Vec::new();
    let mut dims: Vec<(char, Dim, Span)> = Vec::new();
    for (g, subscripts) in operands.iter().zip(&parsed.operands) {
        let Some(t) = cx.tensor_arg(p, g) else { return Val::Error };
        if subscripts.len() != t.rank() {
            let shown: String = subscripts.iter().collect();
            let message = format!("`{shown}` names {} and the operand is {}", count(subscripts.len()), g.value);
            return cx.error(
                Diagnostic::error("einsum", message)
                    .at(g.span, format!("has {}", count(t.rank())))
                    .also(spec.span, "named here"),
            );
        }
        if let Some(first) = tensors.first()
            && first.dtype != t.dtype
        {
            let message = format!("`einsum` needs one element type, found {} and {}", first.dtype, t.dtype);
            return cx.error(
                Diagnostic::error("type-mismatch", message)
                    .at(g.span, g.value.to_string())
                    .also(operands[0].span, operands[0].value.to_string()),
            );
        }
        if !t.dtype.is_float() {
            return cx.error(
                Diagnostic::error("dtype-mismatch", format!("`einsum` is for floats, not {}", t.dtype)).at(g.span, ""),
            );
        }
        for (&c, d) in subscripts.iter().zip(&t.dims) {
            match dims.iter().find(|x| x.0 == c) {
                None => dims.push((c, d.clone(), g.span)),
                Some((_, have, at)) if have.size != d.size => {
                    let mut e = Diagnostic::error(
                        "shape-mismatch",
                        format!("dim `{c}` of `{text}` is {have} in one operand and {d} in another"),
                    )
                    .at(g.span, g.value.to_string());
                    if let Some(i) = operands.iter().position(|o| o.span == *at) {
                        e = e.also(*at, operands[i].value.to_string());
                    }
                    if let Some(note) = sizes_note([have, d]) {
                        e = e.note(note);
                    }
                    return cx.error(e);
                }
                Some(_) => {}
            }
        }
        tensors.push(t);
    }
    let dim = |c: char| dims.iter().find(|x| x.0 == c).map_or(Dim::plain(1), |x| x.1.clone());
    cx.einsum(&parsed, &tensors, &dim, args.span)
}

/// The dims of an einsum with letters in place of `..`: as many as the first operand that has them leaves open.
fn spelled_out<'t>(text: &'t str, operands: &[Given]) -> Cow<'t, str> {
    let mut named = text.split("->").next().unwrap_or(text).split(',').zip(operands);
    let Some((named, Given { value: Val::Tensor(t), .. })) = named.find(|(n, _)| n.contains("..")) else {
        return Cow::Borrowed(text);
    };
    let own = named.chars().filter(char::is_ascii_alphabetic).count();
    let free = ('A'..='Z').chain('a'..='z').filter(|c| !text.contains(*c));
    let letters: String = free.take(t.rank().saturating_sub(own)).collect();
    Cow::Owned(text.replace("..", &letters))
}

fn dot(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, y) = (need!(args, 0), need!(args, 1));
    let (Some(a), Some(b)) = (cx.tensor_arg(p, &x), cx.tensor_arg(p, &y)) else { return Val::Error };
    if a.rank() == 0 || b.rank() == 0 {
        let scalar = if a.rank() == 0 { &x } else { &y };
        return cx.error(
            Diagnostic::error("shape-mismatch", "`dot` needs a dim to sum over")
                .at(scalar.span, format!("this is {}", scalar.value)),
        );
    }
    if a.dtype != b.dtype || !a.dtype.is_float() {
        let message = format!("`dot` needs two operands of one float type, found {} and {}", a.dtype, b.dtype);
        return cx.error(
            Diagnostic::error("type-mismatch", message)
                .at(y.span, y.value.to_string())
                .also(x.span, x.value.to_string()),
        );
    }
    let (k, l) = (&a.dims[a.rank() - 1], &b.dims[0]);
    if k.size != l.size {
        let message = "`dot` sums the last dim of its first operand with the first dim of its second";
        let d = Diagnostic::error("shape-mismatch", message)
            .at(y.span, format!("the first dim of {} is {l}", y.value))
            .also(x.span, format!("the last dim of {} is {k}", x.value));
        let turned = b.rank() == 2 && b.dims[1].size == k.size;
        let text = cx.sources.text(y.span);
        let d = match turned {
            true => d.fix(y.span, format!("transpose({text})"), format!("its other dim fits: `transpose({text})`")),
            false => d,
        };
        return cx.error(match sizes_note([k, l]) {
            Some(n) => d.note(n),
            None => d,
        });
    }
    let subscripts: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let n = a.rank() + b.rank() - 1;
    if n > subscripts.len() {
        return cx.error(Diagnostic::error("dims", "too many dims").at(args.span, ""));
    }
    let left = subscripts[..a.rank()].to_vec();
    let right = subscripts[a.rank() - 1..n].to_vec();
    let result: Vec<char> = subscripts[..a.rank() - 1].iter().chain(&subscripts[a.rank()..n]).copied().collect();
    let dims: Vec<Dim> = a.dims[..a.rank() - 1].iter().chain(&b.dims[1..]).cloned().collect();
    let of = |c: char| result.iter().position(|&r| r == c).map_or(Dim::plain(1), |i| dims[i].clone());
    cx.einsum(&Einsum::new(vec![left, right], result.clone()), &[a, b], &of, args.span)
}
