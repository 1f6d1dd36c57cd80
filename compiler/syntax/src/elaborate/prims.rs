//! The primitives that the library is written over, one row each.

use super::Elab;
use super::call::Given;
use super::emit::Blame;
use super::value::{Dim, Num, Tensor, Val, sizes_note};
use crate::diagnostic::Diagnostic;
use meshloom_ir::{DType, Einsum, Op, Reduction, Span};

/// A primitive: its parameters, of which those that end in `?` may be left out, and what it does.
pub struct Prim {
    pub name: &'static str,
    pub params: &'static [&'static str],
    run: fn(&mut Elab<'_>, &Prim, Args) -> Val,
}

pub struct Args {
    slots: Vec<Option<Given>>,
    span: Span,
}

pub const PRIMS: &[Prim] = &[
    Prim { name: "exp", params: &["x"], run: unary },
    Prim { name: "log", params: &["x"], run: unary },
    Prim { name: "tanh", params: &["x"], run: unary },
    Prim { name: "sqrt", params: &["x"], run: unary },
    Prim { name: "rsqrt", params: &["x"], run: unary },
    Prim { name: "sigmoid", params: &["x"], run: unary },
    Prim { name: "abs", params: &["x"], run: unary },
    Prim { name: "stop_gradient", params: &["x"], run: unary },
    Prim { name: "maximum", params: &["x", "y"], run: binary },
    Prim { name: "minimum", params: &["x", "y"], run: binary },
    Prim { name: "pow", params: &["x", "y"], run: binary },
    Prim { name: "select", params: &["condition", "x", "y"], run: select },
    Prim { name: "sum", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "max", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "min", params: &["x", "dims?", "keep?"], run: reduce },
    Prim { name: "size", params: &["x", "dims?"], run: size },
    Prim { name: "einsum", params: &["spec", "x", "y?", "z?", "w?"], run: einsum },
    Prim { name: "dot", params: &["x", "y"], run: dot },
    Prim { name: "transpose", params: &["x", "order?"], run: transpose },
    Prim { name: "reshape", params: &["x", "dims"], run: reshape },
    Prim { name: "broadcast", params: &["x", "dims"], run: broadcast },
    Prim { name: "expand", params: &["x", "at"], run: expand },
    Prim { name: "concat", params: &["parts", "dim"], run: concat },
    Prim { name: "iota", params: &["n"], run: iota },
    Prim { name: "full", params: &["dims", "value"], run: full },
];

pub fn find(name: &str) -> Option<&'static Prim> {
    PRIMS.iter().find(|p| p.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    PRIMS.iter().map(|p| p.name)
}

/// Name of the IR's op, where it differs from the primitive's.
fn op_name(name: &str) -> &str {
    match name {
        "exp" => "exponential",
        "sigmoid" => "logistic",
        "pow" => "power",
        other => other,
    }
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
                            .note(format!("its parameters: {}", super::suggest::list(names))),
                    );
                }
                _ => {}
            }
        }
        (p.run)(self, p, Args { slots, span })
    }

    /// An argument that must be a tensor; numbers are not.
    fn tensor_arg(&mut self, p: &Prim, g: &Given) -> Option<Tensor> {
        match &g.value {
            Val::Tensor(t) => Some(t.clone()),
            other => {
                self.error(Diagnostic::error("type-mismatch", format!("`{}` is for tensors, not {other}", p.name)).at(g.span, ""));
                None
            }
        }
    }

    fn bool_arg(&mut self, g: Option<&Given>) -> Option<bool> {
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
    fn int_arg(&mut self, g: &Given) -> Option<i64> {
        match &g.value {
            Val::Number(Num::Int(n), _) => Some(*n),
            other => {
                self.error(Diagnostic::error("not-constant", format!("expected a constant whole number, found {other}")).at(g.span, ""));
                None
            }
        }
    }

    /// Dims of `rank` as positions: `-1`, `[0, 1]`, or `()` and nothing for all.
    fn positions(&mut self, g: Option<&Given>, rank: usize) -> Option<Vec<usize>> {
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
                let d = Diagnostic::error("dims", format!("{n} is not a dim of a tensor of {}", super::types::count(rank)));
                self.error(d.at(g.span, "").help("dims count from 0, or from the end: -1 is the last; each at most once"));
                return None;
            };
            out.push(position);
        }
        out.sort_unstable();
        Some(out)
    }

    /// `[batch, seq, 4]`: sizes with their names. One of them may be -1, where `elements` says how many there are in all.
    fn sizes(&mut self, g: &Given, elements: Option<u64>) -> Option<Vec<Dim>> {
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
                n => {
                    self.error(Diagnostic::error("dims", format!("a size must be at least 1, not {n}")).at(g.span, ""));
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

impl Args {
    fn get(&self, i: usize) -> Option<&Given> {
        self.slots.get(i)?.as_ref()
    }
}

/// Taken from a filled slot; `primitive` saw to it that required ones are.
macro_rules! need {
    ($args:expr, $i:expr) => {
        match $args.get($i) {
            Some(g) => g.clone(),
            None => return Val::Error,
        }
    };
}

fn unary(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    match &x.value {
        Val::Number(n, _) => {
            let v = n.as_f64();
            let r = match p.name {
                "exp" => v.exp(),
                "log" => v.ln(),
                "tanh" => v.tanh(),
                "sqrt" => v.sqrt(),
                "rsqrt" => 1.0 / v.sqrt(),
                "sigmoid" => 1.0 / (1.0 + (-v).exp()),
                "abs" => v.abs(),
                _ => v,
            };
            if !r.is_finite() {
                return cx.error(Diagnostic::error("number", format!("`{}` of {n} is not finite", p.name)).at(args.span, ""));
            }
            Val::Number(Num::Float(r), None)
        }
        Val::Tensor(t) if !t.dtype.is_float() && p.name != "abs" => {
            let d = Diagnostic::error("type-mismatch", format!("`{}` is for floats, not {}", p.name, t.dtype));
            cx.error(d.at(x.span, format!("this is {}", x.value)).help("convert it: `x as f32`"))
        }
        _ => match cx.tensor_arg(p, &x) {
            Some(t) => cx.elementwise(op_name(p.name), p.name, &[t], Blame { operation: x.span, operands: &[] }, args.span),
            None => Val::Error,
        },
    }
}

fn binary(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, y) = (need!(args, 0), need!(args, 1));
    if let (Val::Number(a, _), Val::Number(b, _)) = (&x.value, &y.value) {
        let (a, b) = (*a, *b);
        return match p.name {
            "maximum" => Val::Number(if a.as_f64() >= b.as_f64() { a } else { b }, None),
            "minimum" => Val::Number(if a.as_f64() <= b.as_f64() { a } else { b }, None),
            _ => match a.as_f64().powf(b.as_f64()) {
                r if r.is_finite() => Val::Number(Num::Float(r), None),
                _ => cx.error(Diagnostic::error("number", "this power is not finite").at(args.span, "")),
            },
        };
    }
    cx.apply(op_name(p.name), &format!("`{}`", p.name), &[(x.value, x.span), (y.value, y.span)], args.span, args.span)
}

fn select(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (c, x, y) = (need!(args, 0), need!(args, 1), need!(args, 2));
    match &c.value {
        Val::Bool(true) => return x.value,
        Val::Bool(false) => return y.value,
        Val::Tensor(t) if t.dtype == DType::Bool => {}
        other => {
            return cx.error(
                Diagnostic::error("type-mismatch", format!("the condition of `select` is a bool tensor, not {other}")).at(c.span, ""),
            );
        }
    }
    let Some(condition) = cx.tensor_arg(p, &c) else { return Val::Error };
    let (a, b) = match (&x.value, &y.value) {
        (Val::Tensor(a), Val::Tensor(b)) if a.dtype != b.dtype => {
            let d = Diagnostic::error("type-mismatch", format!("`select` needs one element type, found {} and {}", a.dtype, b.dtype));
            return cx.error(d.at(y.span, y.value.to_string()).also(x.span, x.value.to_string()));
        }
        (Val::Tensor(a), Val::Tensor(b)) => (Some(a.clone()), Some(b.clone())),
        (Val::Tensor(a), Val::Number(n, _)) => (Some(a.clone()), cx.scalar(*n, a.dtype, y.span)),
        (Val::Number(n, _), Val::Tensor(b)) => (cx.scalar(*n, b.dtype, x.span), Some(b.clone())),
        (Val::Number(a, _), Val::Number(b, _)) => {
            let dtype = cx.program.float.unwrap_or(DType::F32);
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
        let d = Diagnostic::error("type-mismatch", format!("`{}` is for numbers, not bool", p.name));
        return cx.error(d.at(x.span, "").help("convert it: `x as f32`"));
    }
    let Some(dims) = cx.positions(args.get(1), t.rank()) else { return Val::Error };
    let Some(keep) = cx.bool_arg(args.get(2)) else { return Val::Error };
    let kind = match p.name {
        "sum" => Reduction::Sum,
        "max" => Reduction::Max,
        _ => Reduction::Min,
    };
    cx.reduce(kind, &t, &dims, keep, args.span)
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

fn einsum(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let spec = need!(args, 0);
    let Val::Str(text) = &spec.value else {
        let d = Diagnostic::error("type-mismatch", format!("`einsum` begins with its dims, as a string, not {}", spec.value));
        return cx.error(d.at(spec.span, "").help("such as `einsum(\"bse,ehd->bshd\", x, w)`"));
    };
    let parsed = match Einsum::parse(text) {
        Ok(e) => e,
        Err(message) => return cx.error(Diagnostic::error("einsum", message).at(spec.span, "")),
    };
    let operands: Vec<Given> = args.slots[1..].iter().flatten().cloned().collect();
    if operands.len() != parsed.operands.len() {
        let d = Diagnostic::error(
            "einsum",
            format!("`{text}` names {} operand{}, found {}", parsed.operands.len(), super::call::plural(parsed.operands.len()), operands.len()),
        );
        return cx.error(d.at(spec.span, ""));
    }
    let mut tensors: Vec<Tensor> = Vec::new();
    let mut dims: Vec<(char, Dim, Span)> = Vec::new();
    for (g, letters) in operands.iter().zip(&parsed.operands) {
        let Some(t) = cx.tensor_arg(p, g) else { return Val::Error };
        if letters.len() != t.rank() {
            let shown: String = letters.iter().collect();
            let message = format!("`{shown}` names {} and the operand is {}", super::types::count(letters.len()), g.value);
            return cx.error(
                Diagnostic::error("einsum", message).at(g.span, format!("has {}", super::types::count(t.rank()))).also(spec.span, "named here"),
            );
        }
        if let Some(first) = tensors.first()
            && first.dtype != t.dtype
        {
            let message = format!("`einsum` needs one element type, found {} and {}", first.dtype, t.dtype);
            return cx.error(Diagnostic::error("type-mismatch", message).at(g.span, g.value.to_string()).also(operands[0].span, operands[0].value.to_string()));
        }
        if !t.dtype.is_float() {
            return cx.error(Diagnostic::error("type-mismatch", format!("`einsum` is for floats, not {}", t.dtype)).at(g.span, ""));
        }
        for (&c, d) in letters.iter().zip(&t.dims) {
            match dims.iter().find(|x| x.0 == c) {
                None => dims.push((c, d.clone(), g.span)),
                Some((_, have, at)) if have.size != d.size => {
                    let mut e = Diagnostic::error("shape-mismatch", format!("dim `{c}` of `{text}` is {have} in one operand and {d} in another"))
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

fn dot(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, y) = (need!(args, 0), need!(args, 1));
    let (Some(a), Some(b)) = (cx.tensor_arg(p, &x), cx.tensor_arg(p, &y)) else { return Val::Error };
    if a.rank() == 0 || b.rank() == 0 {
        let scalar = if a.rank() == 0 { &x } else { &y };
        return cx.error(Diagnostic::error("shape-mismatch", "`dot` needs a dim to sum over").at(scalar.span, format!("this is {}", scalar.value)));
    }
    if a.dtype != b.dtype || !a.dtype.is_float() {
        let message = format!("`dot` needs two operands of one float type, found {} and {}", a.dtype, b.dtype);
        return cx.error(Diagnostic::error("type-mismatch", message).at(y.span, y.value.to_string()).also(x.span, x.value.to_string()));
    }
    let (k, l) = (&a.dims[a.rank() - 1], &b.dims[0]);
    if k.size != l.size {
        let message = "`dot` sums the last dim of its first operand with the first dim of its second";
        let d = Diagnostic::error("shape-mismatch", message)
            .at(y.span, format!("the first dim of {} is {l}", y.value))
            .also(x.span, format!("the last dim of {} is {k}", x.value));
        return cx.error(match sizes_note([k, l]) {
            Some(n) => d.note(n),
            None => d,
        });
    }
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let n = a.rank() + b.rank() - 1;
    if n > letters.len() {
        return cx.error(Diagnostic::error("dims", "too many dims").at(args.span, ""));
    }
    let left = letters[..a.rank()].to_vec();
    let right = letters[a.rank() - 1..n].to_vec();
    let result: Vec<char> = letters[..a.rank() - 1].iter().chain(&letters[a.rank()..n]).copied().collect();
    let dims: Vec<Dim> = a.dims[..a.rank() - 1].iter().chain(&b.dims[1..]).cloned().collect();
    let of = |c: char| result.iter().position(|&r| r == c).map_or(Dim::plain(1), |i| dims[i].clone());
    cx.einsum(&Einsum { operands: vec![left, right], result: result.clone() }, &[a, b], &of, args.span)
}

fn transpose(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let x = need!(args, 0);
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(t) = cx.solid(&t, args.span) else { return Val::Error };
    let perm = match args.get(1) {
        None if t.rank() == 2 => vec![1, 0],
        None => {
            let d = Diagnostic::error("arguments", format!("`transpose` of {} needs the order of its dims", x.value));
            return cx.error(d.at(args.span, "").help("such as `transpose(x, [0, 2, 1])`; only two dims are simply swapped"));
        }
        Some(g) => {
            let items = match &g.value {
                Val::List(v) | Val::Tuple(v) => v.clone(),
                v => vec![v.clone()],
            };
            let mut perm: Vec<usize> = Vec::new();
            for v in items {
                let Some(n) = cx.int_arg(&Given { value: v, ..g.clone() }) else { return Val::Error };
                let i = if n < 0 { n + t.rank() as i64 } else { n };
                perm.extend(usize::try_from(i).ok());
            }
            let mut sorted = perm.clone();
            sorted.sort_unstable();
            if sorted != (0..t.rank()).collect::<Vec<_>>() {
                let d = Diagnostic::error("dims", format!("this is not an order of the {} of {}", super::types::count(t.rank()), x.value));
                return cx.error(d.at(g.span, "").help("each dim stands in it once: `[0, 2, 1]`"));
            }
            perm
        }
    };
    let dims = perm.iter().map(|&i| t.dims[i].clone()).collect();
    cx.tensor(Op::Transpose { perm }, &[t.id], dims, args.span)
}

fn reshape(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let all = t.dims.iter().fold(1u64, |n, d| n.saturating_mul(d.size));
    let Some(dims) = cx.sizes(&g, Some(all)) else { return Val::Error };
    let new = dims.iter().fold(1u64, |n, d| n.saturating_mul(d.size));
    if new != all {
        let shown = super::value::show_dims(&dims);
        let d = Diagnostic::error("shape-mismatch", format!("{} cannot be reshaped to [{shown}]", x.value))
            .at(g.span, format!("{new} elements"))
            .also(x.span, format!("{all} elements"));
        return cx.error(match sizes_note(t.dims.iter().chain(&dims)) {
            Some(n) => d.note(n),
            None => d,
        });
    }
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    if shape == t.shape() && t.units.is_empty() {
        return Val::Tensor(Tensor { dims, ..t });
    }
    cx.tensor(Op::Reshape { shape }, &[t.id], dims, args.span)
}

fn broadcast(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(dims) = cx.sizes(&g, None) else { return Val::Error };
    if let Val::Number(n, _) = x.value {
        let dtype = cx.program.float.unwrap_or(DType::F32);
        return filled(cx, dtype, dims, n, args.span);
    }
    match cx.tensor_arg(p, &x) {
        Some(t) => cx.broadcast_to(&t, dims, args.span),
        None => Val::Error,
    }
}

/// A dim of size 1 more, before position `at` of the result.
fn expand(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (x, g) = (need!(args, 0), need!(args, 1));
    let Some(mut t) = cx.tensor_arg(p, &x) else { return Val::Error };
    let Some(at) = cx.positions(Some(&g), t.rank() + 1) else { return Val::Error };
    for i in at {
        t.dims.insert(i.min(t.dims.len()), Dim::plain(1));
        t.units.iter_mut().filter(|u| **u >= i).for_each(|u| *u += 1);
        t.units.push(i);
        t.units.sort_unstable();
    }
    Val::Tensor(t)
}

fn concat(cx: &mut Elab<'_>, p: &Prim, args: Args) -> Val {
    let (parts, g) = (need!(args, 0), need!(args, 1));
    let (Val::List(items) | Val::Tuple(items)) = &parts.value else {
        let d = Diagnostic::error("type-mismatch", format!("`concat` takes a list of tensors, not {}", parts.value));
        return cx.error(d.at(parts.span, "").help("such as `concat([x, y], -1)`"));
    };
    let mut tensors: Vec<Tensor> = Vec::new();
    for v in items {
        let Some(t) = cx.tensor_arg(p, &Given { value: v.clone(), ..parts.clone() }) else { return Val::Error };
        let Some(t) = cx.solid(&t, parts.span) else { return Val::Error };
        tensors.push(t);
    }
    let Some(first) = tensors.first().cloned() else {
        return cx.error(Diagnostic::error("type-mismatch", "`concat` needs at least one tensor").at(parts.span, ""));
    };
    let Some(at) = cx.positions(Some(&g), first.rank()) else { return Val::Error };
    let [dim] = at[..] else {
        return cx.error(Diagnostic::error("dims", "`concat` goes along one dim").at(g.span, ""));
    };
    for t in &tensors {
        let fits = t.rank() == first.rank()
            && t.dtype == first.dtype
            && (0..t.rank()).all(|i| i == dim || t.dims[i].size == first.dims[i].size);
        if !fits {
            let (x, y) = (Val::Tensor(first.clone()), Val::Tensor(t.clone()));
            let d = Diagnostic::error("shape-mismatch", format!("{x} and {y} cannot be put together along dim {dim}"))
                .at(parts.span, "their other dims must be equal");
            return cx.error(match sizes_note(first.dims.iter().chain(&t.dims)) {
                Some(n) => d.note(n),
                None => d,
            });
        }
    }
    let mut dims = first.dims.clone();
    dims[dim] = Dim::plain(tensors.iter().map(|t| t.dims.get(dim).map_or(0, |d| d.size)).sum());
    if let [only] = &tensors[..] {
        return Val::Tensor(only.clone());
    }
    let ids: Vec<_> = tensors.iter().map(|t| t.id).collect();
    cx.tensor(Op::Concatenate { dim }, &ids, dims, args.span)
}

fn iota(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let g = need!(args, 0);
    let Some(dims) = cx.sizes(&g, None) else { return Val::Error };
    let [d] = &dims[..] else {
        return cx.error(Diagnostic::error("dims", "`iota` takes one size").at(g.span, ""));
    };
    let op = Op::Iota { dtype: DType::I32, shape: vec![d.size], dim: 0, shard: Vec::new() };
    cx.tensor(op, &[], dims.clone(), args.span)
}

fn full(cx: &mut Elab<'_>, _: &Prim, args: Args) -> Val {
    let (g, v) = (need!(args, 0), need!(args, 1));
    let Some(dims) = cx.sizes(&g, None) else { return Val::Error };
    let dtype = cx.program.float.unwrap_or(DType::F32);
    match v.value {
        Val::Number(n, _) => filled(cx, dtype, dims, n, args.span),
        Val::Tensor(t) => cx.broadcast_to(&t, dims, args.span),
        other => cx.error(Diagnostic::error("type-mismatch", format!("`full` takes a number, not {other}")).at(v.span, "")),
    }
}

fn filled(cx: &mut Elab<'_>, dtype: DType, dims: Vec<Dim>, n: Num, span: Span) -> Val {
    if !cx.check_literal(n, dtype, span) {
        return Val::Error;
    }
    let shape: Vec<u64> = dims.iter().map(|d| d.size).collect();
    match cx.splat(dtype, &shape, n, span) {
        Some(id) => Val::Tensor(Tensor { id, dtype, dims, units: Vec::new() }),
        None => Val::Error,
    }
}
