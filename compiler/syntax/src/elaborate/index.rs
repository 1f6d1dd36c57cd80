//! `x[..]`: entries and slices at constant positions, and rows at positions given by a tensor of integers.

use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val, count};
use crate::ast::{Expr, IndexItem};
use meshloom_ir::{Op, Span};
use meshloom_source::Diagnostic;

/// What to write where an index is computed: into a list of structs, a tuple or list of values, a dim of a tensor.
const OF_LAYERS: &str = "all entries in order: `for p in layers { .. }`, or `scan`; one at a computed place would need all of them on each device";
const OF_VALUES: &str =
    "values of a list may differ in type: a computed one of equal tensors is `dynamic_slice(x, i, 1)` of them stacked";
const OF_DIMS: &str = "at a computed place: `dynamic_slice(x, i, 1, dim)`, or rows of a tensor of indices, `x[rows]`";

/// What is taken of one dim.
enum Take {
    Entry(u64),
    Range(u64, u64),
}

impl Elab<'_> {
    pub(super) fn index(&mut self, base: &Val, base_span: Span, items: &[IndexItem], span: Span) -> Val {
        match base {
            Val::Error => Val::Error,
            Val::Tensor(t) => self.index_tensor(t, base_span, items, span),
            Val::Stack(s) => {
                let (s, count) = (s.clone(), s.count.clone());
                match self.one_entry(items, &count, OF_LAYERS, span) {
                    Some(i) => self.stack_entry(&s.element, i, span),
                    None => Val::Error,
                }
            }
            Val::Tuple(v) | Val::List(v) => {
                let v = v.clone();
                match self.one_entry(items, &Dim::plain(v.len() as u64), OF_VALUES, span) {
                    Some(i) => v[i as usize].clone(),
                    None => Val::Error,
                }
            }
            other => self.error(Diagnostic::error("index", format!("{other} cannot be indexed")).at(base_span, "")),
        }
    }

    /// The one constant index of a list.
    fn one_entry(&mut self, items: &[IndexItem], count: &Dim, computed: &str, span: Span) -> Option<u64> {
        let [IndexItem::At(e)] = items else {
            self.error(Diagnostic::error("index", "a list takes one index, a constant").at(span, ""));
            return None;
        };
        let v = self.expr(e);
        self.position(&v, e, count, computed)
    }

    /// A constant index into a dim; negative ones count from the end. `computed` says what to do with one that is no constant.
    fn position(&mut self, v: &Val, e: &Expr, dim: &Dim, computed: &str) -> Option<u64> {
        let n = match v {
            Val::Number(Num::Int(n), _) => *n,
            Val::Error => return None,
            other => {
                self.error(
                    Diagnostic::error("index", format!("an index here is a constant whole number, not {other}"))
                        .at(e.span, "")
                        .help(computed),
                );
                return None;
            }
        };
        let at = if n < 0 { n.checked_add_unsigned(dim.size) } else { Some(n) };
        match at {
            Some(i) if i >= 0 && (i as u64) < dim.size => Some(i as u64),
            _ => {
                self.error(
                    Diagnostic::error("index", format!("index {n} is outside of the dim"))
                        .at(e.span, format!("the size is {}{}", name(dim), dim.size)),
                );
                None
            }
        }
    }

    fn bound(&mut self, e: Option<&Expr>, default: u64, dim: &Dim) -> Option<u64> {
        let Some(e) = e else { return Some(default) };
        let n = match self.expr(e) {
            Val::Number(Num::Int(n), _) => n,
            Val::Error => return None,
            other => {
                self.error(
                    Diagnostic::error("index", format!("the ends of a slice are constant whole numbers, not {other}"))
                        .at(e.span, "")
                        .help("from a computed start: `dynamic_slice(x, start, size, dim)`, whose size is a constant"),
                );
                return None;
            }
        };
        let at = if n < 0 { n.checked_add_unsigned(dim.size) } else { Some(n) };
        match at {
            Some(i) if i >= 0 && (i as u64) <= dim.size => Some(i as u64),
            _ => {
                self.error(
                    Diagnostic::error("index", format!("{n} is outside of the dim"))
                        .at(e.span, format!("the size is {}{}", name(dim), dim.size)),
                );
                None
            }
        }
    }

    /// How to write an index of several dims in steps, of which `tensor` is one of `rank` dims. These come in place of the one that is
    /// indexed, so those after it are indexed behind them.
    fn in_steps(&self, base: Span, items: &[IndexItem], tensor: Span, rank: usize) -> String {
        let at = |item: &IndexItem| match item {
            IndexItem::At(e) if e.span.start > tensor.start => {
                Some(format!("{}{}", ":, ".repeat(rank), self.sources.text(e.span)))
            }
            IndexItem::At(e) => Some(self.sources.text(e.span).to_string()),
            IndexItem::Slice { .. } => None,
        };
        match items.iter().map(at).collect::<Option<Vec<_>>>() {
            Some(all) => format!("index in steps: `{}[{}]`", self.sources.text(base), all.join("][")),
            None => "index in two steps: `x[rows][:, a:b]`".into(),
        }
    }

    fn index_tensor(&mut self, t: &TensorVal, base_span: Span, items: &[IndexItem], span: Span) -> Val {
        if items.len() > t.rank() || items.is_empty() {
            let ty = Val::Tensor(t.clone());
            return self.error(
                Diagnostic::error("index", format!("{} indices for {ty}", items.len()))
                    .at(span, "")
                    .also(base_span, format!("has {}", count(t.rank()))),
            );
        }
        let Some(t) = self.solid(t, span) else { return Val::Error };
        let mut takes = Vec::new();
        for (item, dim) in items.iter().zip(&t.dims) {
            match item {
                IndexItem::At(e) => {
                    let v = self.expr(e);
                    if let Val::Tensor(rows) = &v {
                        if items.len() > 1 {
                            let help = self.in_steps(base_span, items, e.span, rows.rank());
                            return self.error(
                                Diagnostic::error("index", "rows are taken by one tensor of indices alone")
                                    .at(e.span, "known only when the program runs")
                                    .help(help),
                            );
                        }
                        return self.gather(&t, &rows.clone(), e.span, span);
                    }
                    match self.position(&v, e, dim, OF_DIMS) {
                        Some(i) => takes.push(Take::Entry(i)),
                        None => return Val::Error,
                    }
                }
                IndexItem::Slice { span: at, start, end } => {
                    let (Some(a), Some(b)) =
                        (self.bound(start.as_ref(), 0, dim), self.bound(end.as_ref(), dim.size, dim))
                    else {
                        return Val::Error;
                    };
                    if a >= b {
                        return self
                            .error(Diagnostic::error("index", format!("the slice {a}:{b} is empty")).at(*at, ""));
                    }
                    takes.push(Take::Range(a, b));
                }
            }
        }
        self.slice(&t, &takes, span)
    }

    fn slice(&mut self, t: &TensorVal, takes: &[Take], span: Span) -> Val {
        let (mut start, mut limit, mut dims) = (vec![0; t.rank()], t.shape(), Vec::new());
        for (i, d) in t.dims.iter().enumerate() {
            match takes.get(i) {
                Some(Take::Entry(at)) => (start[i], limit[i]) = (*at, at + 1),
                Some(Take::Range(a, b)) => {
                    (start[i], limit[i]) = (*a, *b);
                    dims.push(if b - a == d.size { d.clone() } else { Dim::plain(b - a) });
                }
                None => dims.push(d.clone()),
            }
        }
        let v = if limit == t.shape() && start.iter().all(|&s| s == 0) {
            Some(t.id)
        } else {
            self.emit(Op::Slice { start, limit }, &[t.id], span)
        };
        let Some(v) = v else { return Val::Error };
        if dims.len() == t.rank() {
            return Val::Tensor(TensorVal { id: v, dtype: t.dtype, dims, units: Vec::new() });
        }
        let shape = dims.iter().map(|d| d.size).collect();
        self.tensor(Op::Reshape { shape }, &[v], dims, span)
    }

    fn gather(&mut self, table: &TensorVal, rows: &TensorVal, rows_span: Span, span: Span) -> Val {
        if !rows.dtype.is_int() {
            let ty = Val::Tensor(rows.clone());
            return self.error(
                Diagnostic::error("dtype-mismatch", format!("indices are integers, not {ty}")).at(rows_span, ""),
            );
        }
        let Some(rows) = self.solid(rows, rows_span) else { return Val::Error };
        let dims = rows.dims.iter().chain(&table.dims[1..]).cloned().collect();
        self.tensor(Op::Gather { shard: Vec::new(), total: None }, &[table.id, rows.id], dims, span)
    }
}

fn name(d: &Dim) -> String {
    d.name.as_ref().map(|n| format!("{n} = ")).unwrap_or_default()
}
