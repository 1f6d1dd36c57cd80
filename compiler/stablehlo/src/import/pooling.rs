//! Poolings and their gradients, as reductions over windows. A running sum that is written as a window over all that came
//! before (as JAX lowers `cumsum` and `cumlogsumexp`) is taken for what it is.

use super::fold::fold;
use super::reduce::{combines, kind_of as bits_of, neutral};
use super::regions::NamedRegion;
use super::state::{Import, ImportRule, constant};
use super::windows::{WindowDim, counts, iota, padding, slide, splat, spread};
use crate::lexer::Token;
use crate::module::{self, TextOp};
use crate::tree::Tree;
use meshloom_ir::table::contract::identity_of;
use meshloom_ir::{DType, Op as Ir, Reduction, Scalar, ValueId, Window};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.reduce_window", reduce_window), ("stablehlo.select_and_scatter", select_and_scatter)];

/// The windows of an op over a tensor of `rank` dims.
fn windows(op: &TextOp<'_>, rank: usize) -> Result<Vec<WindowDim>, String> {
    if op.attr("window_dimensions").is_none() {
        return Err("`window_dimensions` is missing".to_string());
    }
    let (size, stride) = (counts(op, &["window_dimensions"], rank)?, counts(op, &["window_strides"], rank)?);
    let (base, dilation) = (counts(op, &["base_dilations"], rank)?, counts(op, &["window_dilations"], rank)?);
    let pads = padding(op, &["padding"], rank)?;
    let along = |d: usize| WindowDim {
        size: size[d],
        stride: stride[d],
        low: pads[d].0,
        high: pads[d].1,
        base: base[d],
        dilation: dilation[d],
    };
    Ok((0..rank).map(along).collect())
}

fn kind_of(name: &str) -> Option<Reduction> {
    let name = name.strip_prefix("stablehlo.")?;
    Reduction::ALL.into_iter().find(|k| k.elementwise() == name)
}

/// A tensor with its windows: for each dim of the original, where its windows are, and the places in them.
struct Slid {
    value: ValueId,
    places: Vec<(usize, Option<usize>)>,
}

impl Slid {
    /// The dims of places.
    fn inside(&self) -> Vec<usize> {
        let mut dims: Vec<usize> = self.places.iter().filter_map(|p| p.1).collect();
        dims.sort_unstable();
        dims
    }
}

/// Slides windows over all dims. What is reduced then is not the last dim, which kernels run along.
fn slid(i: &mut Import<'_>, x: ValueId, all: &[WindowDim], fill: Scalar) -> Result<Slid, String> {
    let mut value = x;
    let mut places: Vec<(usize, Option<usize>)> = Vec::new();
    let mut at = 0;
    for w in all {
        value = slide(i, value, at, w, fill)?;
        let inside = (w.size > 1).then_some(at + 1);
        places.push((at, inside));
        at = inside.unwrap_or(at) + 1;
    }
    if let Some((windows, Some(inside))) = places.last_mut() {
        let mut perm: Vec<usize> = (0..i.b.ty(value).rank()).collect();
        perm.swap(*windows, *inside);
        std::mem::swap(windows, inside);
        value = i.emit(Ir::Transpose { perm }, &[value])?;
    }
    Ok(Slid { value, places })
}

/// The body that JAX gives to `cumlogsumexp`: the logarithm of the sum of two exponentials, its ops numbered.
const LOG_SUM_EXP: &str = "maximum 0 1; subtract 0 1; compare NE 3 3; add 0 1; abs 3; negate 6; exponential 7; log_plus_one 8; \
                           add 2 9; select 4 5 10; return 11; ";

/// The op that windows with that body are, where each holds all up to its element and none starts with anything.
fn log_sum_exp(i: &mut Import<'_>, op: &TextOp<'_>, x: ValueId, init: ValueId) -> Result<Option<ValueId>, String> {
    let all = windows(op, i.b.ty(x).rank())?;
    if !neutral(i, init, Reduction::Max) {
        return Ok(None);
    }
    if all.iter().all(|w| w.is_trivial()) {
        return Ok(Some(x));
    }
    let running = running(i, x, &all);
    running.map(|(dim, reverse)| i.emit(Ir::CumLogSumExp { dim, reverse }, &[x])).transpose()
}

fn reduce_window<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let all = i.operands(op)?;
    if all.is_empty() || all.len() % 2 != 0 {
        return Err("a reduction of windows takes an initial value for each operand".to_string());
    }
    let (xs, inits) = all.split_at(all.len() / 2);
    let body = NamedRegion::of(op, 0)?;
    let body = i.called(body);
    let (&[x], &[init]) = (xs, inits) else { return folded(i, op, &body, xs, inits) };
    if body.numbered() == LOG_SUM_EXP
        && let Some(out) = log_sum_exp(i, op, x, init)?
    {
        return Ok(vec![out]);
    }
    // Truth values are reduced as integers of one bit each; unsigned ones of 64 bits in the order that they have as signed ones.
    let truth = i.b.ty(x).dtype == DType::Bool;
    let dtype = if truth { DType::I32 } else { i.b.ty(x).dtype };
    let Some(kind) = body.one_op().and_then(|one| kind_of(one.name)).filter(|k| k.is_for(dtype)) else {
        return folded(i, op, &body, xs, inits);
    };
    let all = windows(op, i.b.ty(x).rank())?;
    let unsigned = op.elements()[0] == "ui64" && matches!(kind, Reduction::Max | Reduction::Min);
    let into = |i: &mut Import<'_>, v| match (truth, unsigned) {
        (true, _) => i.convert(v, DType::I32),
        (_, true) => i.flipped(v),
        _ => Ok(v),
    };
    let start = neutral(i, init, kind);
    let (x, init) = (into(i, x)?, into(i, init)?);
    let out = match running(i, x, &all) {
        Some((dim, reverse)) if start => i.emit(Ir::Cumulative { kind, dim, reverse, exclusive: false }, &[x])?,
        _ => {
            // How often a start that is no identity enters is for the implementation to say: once, as XLA does.
            let s = slid(i, x, &all, identity_of(kind, dtype))?;
            i.reduce(kind, s.value, &s.inside())?
        }
    };
    let out = if start {
        out
    } else {
        let shape = i.b.shape(out);
        let init = i.broadcast(init, &shape, &[])?;
        i.elem(kind.elementwise(), &[out, init])?
    };
    Ok(vec![match (truth, unsigned) {
        (true, _) => i.convert(out, DType::Bool)?,
        (_, true) => i.flipped(out)?,
        _ => out,
    }])
}

/// Windows over several tensors at once, or by any body: pairs of places, until one is left.
fn folded<'m>(i: &mut Import<'m>, op: &TextOp<'m>, body: &NamedRegion<'m>, xs: &[ValueId], inits: &[ValueId]) -> Made {
    let all = windows(op, i.b.ty(xs[0]).rank())?;
    let padded = all.iter().any(|w| w.low > 0 || w.high > 0 || w.base > 1);
    let (mut values, mut inside) = (Vec::new(), Vec::new());
    for (&x, &init) in xs.iter().zip(inits) {
        if i.b.shape(x) != i.b.shape(xs[0]) || i.b.ty(x).dtype == DType::Bool {
            return Err("windows by this body are supported over tensors of one shape, and not over bools".to_string());
        }
        let fill = match constant(i.func(), init) {
            Some(fill) => fill,
            None if padded => return Err("windows by this body start from constants where they are padded".to_string()),
            None => Scalar::of(i.b.ty(x).dtype, 0.0),
        };
        let s = slid(i, x, &all, fill)?;
        inside = s.inside();
        values.push(s.value);
    }
    fold(i, |i, pairs| i.apply(body, pairs), &values, inits, &inside)
}

/// The dim along which each window is everything up to its element, or (reversed) from it on.
fn running(i: &Import<'_>, x: ValueId, all: &[WindowDim]) -> Option<(usize, bool)> {
    let mut dims = (0..all.len()).filter(|&d| !all[d].is_trivial());
    let dim = dims.next().filter(|_| dims.next().is_none())?;
    let n = i64::try_from(i.b.shape(x)[dim]).ok().filter(|&n| n > 1)?;
    let over = |low, high| WindowDim { size: n as u64, low, high, ..WindowDim::ONE };
    match all[dim] {
        w if w == over(n - 1, 0) => Some((dim, false)),
        w if w == over(0, n - 1) => Some((dim, true)),
        _ => None,
    }
}

/// Which of two elements a window keeps: the larger or the smaller, and of equal ones the first or the last.
#[derive(Clone, Copy)]
struct Keeps {
    larger: bool,
    first: bool,
}

/// A body that compares its arguments: `compare GE, %selected, %next`.
fn keeps(region: &[Tree<'_>]) -> Result<Keeps, String> {
    let other = || "only windows that select by one comparison of the two elements are supported".to_string();
    let [label, params, colon, body @ ..] = region else { return Err(other()) };
    let params = params.group(b'(').filter(|_| label.leaf(Token::Block).is_some()).ok_or_else(other)?;
    colon.leaf(Token::Colon).ok_or_else(other)?;
    let names: Vec<&str> = params.iter().filter_map(|t| t.leaf(Token::Value)).collect();
    let ops = module::ops(body).map_err(|d| d.message)?;
    let [compare, end] = &ops[..] else { return Err(other()) };
    let returned = end.name.ends_with("return") && compare.results.iter().eq(end.operands().iter());
    if compare.name != "stablehlo.compare" || !returned {
        return Err(other());
    }
    let told = compare.attr("comparison_direction").and_then(|t| t.iter().find_map(|t| t.group(b'<')));
    let told = told.and_then(|t| t.iter().find_map(|t| t.leaf(Token::Word).filter(|w| w.len() == 2)));
    let direction = told.or_else(|| compare.word(0)).ok_or_else(other)?;
    let operands = compare.operands();
    let swapped = match (&operands[..], &names[..]) {
        ([a, b], [x, y]) if (a, b) == (x, y) => false,
        ([a, b], [x, y]) if (a, b) == (y, x) => true,
        _ => return Err(other()),
    };
    let (larger, first) = match direction {
        "GE" => (true, true),
        "GT" => (true, false),
        "LE" => (false, true),
        "LT" => (false, false),
        _ => return Err(other()),
    };
    Ok(Keeps { larger: larger != swapped, first })
}

/// Each window selects one of its elements, and what belongs to the window is put there. In two steps: which place in it each
/// window selects, and for each element the windows that have it at just that place.
fn select_and_scatter(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, source, init] = i.exactly(op)?;
    let regions = op.regions();
    let [select, scatter] = regions[..] else { return Err("two bodies are needed".to_string()) };
    let keeps = keeps(select)?;
    let name = combines(scatter)?;
    // Truth values are integers of one bit each.
    let truth = i.b.ty(x).dtype == DType::Bool;
    let as_integer = |i: &mut Import<'_>, v| if truth { i.convert(v, DType::I32) } else { Ok(v) };
    let [x, source, init] = [as_integer(i, x)?, as_integer(i, source)?, as_integer(i, init)?];
    let dtype = i.b.ty(x).dtype;
    let kind = if truth { bits_of(&name, DType::Bool).map(|k| k.0) } else { kind_of(&name) };
    let kind = kind.filter(|k| k.is_for(dtype));
    let kind = kind.ok_or_else(|| format!("windows of {dtype} that scatter by `{name}` are not supported"))?;
    let shape = i.b.shape(x);
    let all = windows(op, shape.len())?;
    let chosen = selected(i, x, &all, keeps)?;
    if i.b.shape(source) != i.b.shape(chosen) {
        return Err(format!("there are {:?} windows, and a source of {:?}", i.b.shape(chosen), i.b.shape(source)));
    }
    let none = identity_of(kind, dtype);
    let tiled = (0..all.len()).all(|d| all[d].is_trivial() || all[d].tiles(shape[d]));
    let out = if tiled {
        in_tiles(i, chosen, source, &all, &shape, none)?
    } else {
        where_selected(i, chosen, source, &all, &shape, kind, none)?
    };
    let out = if neutral(i, init, kind) {
        out
    } else {
        let init = i.broadcast(init, &shape, &[])?;
        i.elem(kind.elementwise(), &[out, init])?
    };
    Ok(vec![if truth { i.convert(out, DType::Bool)? } else { out }])
}

fn integer(i: &mut Import<'_>, shape: &[u64], n: i64) -> Result<ValueId, String> {
    splat(i, DType::I32, shape, Scalar::Int(n))
}

/// The number of each place in its window, over `shape`, in which the places of window dim `d` stand at `at[d]`: row-major, or
/// counted from the end.
fn numbers(
    i: &mut Import<'_>,
    shape: &[u64],
    at: &[Option<usize>],
    all: &[WindowDim],
    from_end: bool,
) -> Result<ValueId, String> {
    let mut sum = integer(i, shape, 0)?;
    let mut step: u64 = 1;
    for (w, at) in all.iter().zip(at).rev() {
        let Some(at) = *at else { continue };
        let mut place = iota(i, shape, at)?;
        if from_end {
            let last = integer(i, shape, w.size as i64 - 1)?;
            place = i.elem("subtract", &[last, place])?;
        }
        let times = integer(i, shape, step as i64)?;
        let place = i.elem("multiply", &[place, times])?;
        sum = i.elem("add", &[sum, place])?;
        step = step.checked_mul(w.size).filter(|&n| n < 1 << 31).ok_or("a window has too many places")?;
    }
    Ok(sum)
}

/// The number of the place that each window selects. StableHLO goes through the places in order, and keeps its candidate as
/// long as the comparison with the next element holds. No comparison with NaN holds. So the elements after the last NaN
/// compete, or the last NaN is selected if none follow.
fn selected(i: &mut Import<'_>, x: ValueId, all: &[WindowDim], keeps: Keeps) -> Result<ValueId, String> {
    let (shape, dtype) = (i.b.shape(x), i.b.ty(x).dtype);
    let kind = if keeps.larger { Reduction::Max } else { Reduction::Min };
    let worst = identity_of(kind, dtype);
    let s = slid(i, x, all, worst)?;
    let (wide, inside) = (i.b.shape(s.value), s.inside());
    let at: Vec<Option<usize>> = s.places.iter().map(|p| p.1).collect();
    let number = numbers(i, &wide, &at, all, false)?;
    let outside: Vec<usize> = (0..wide.len()).filter(|d| !inside.contains(d)).collect();
    let minus = integer(i, &wide, -1)?;
    // Places beyond the ends are none.
    let mut live: Option<ValueId> = None;
    for (d, w) in all.iter().enumerate().filter(|x| x.1.low > 0 || x.1.high > 0) {
        let mut place = iota(i, &wide, s.places[d].0)?;
        let stride = integer(i, &wide, w.stride as i64)?;
        place = i.elem("multiply", &[place, stride])?;
        if let Some(k) = s.places[d].1 {
            let k = iota(i, &wide, k)?;
            place = i.elem("add", &[place, k])?;
        }
        let (first, last) = (integer(i, &wide, w.low)?, integer(i, &wide, w.low + shape[d] as i64)?);
        for (name, end) in [("compare_ge", first), ("compare_lt", last)] {
            let is = i.elem(name, &[place, end])?;
            live = Some(match live {
                None => is,
                Some(l) => i.elem("and", &[l, is])?,
            });
        }
    }
    // The last NaN, by number; -1 is none.
    let mut broken = None;
    if dtype.is_float() {
        let nan = i.elem("compare_ne", &[s.value, s.value])?;
        let at = i.select(nan, number, minus)?;
        let last = i.reduce(Reduction::Max, at, &inside)?;
        let spread = i.broadcast(last, &wide, &outside)?;
        let after = i.elem("compare_gt", &[number, spread])?;
        live = Some(match live {
            None => after,
            Some(l) => i.elem("and", &[l, after])?,
        });
        broken = Some(last);
    }
    let value = match live {
        None => s.value,
        Some(l) => {
            let worst = splat(i, dtype, &wide, worst)?;
            i.select(l, s.value, worst)?
        }
    };
    let best = i.reduce(kind, value, &inside)?;
    let best = i.broadcast(best, &wide, &outside)?;
    let mut hit = i.elem("compare_eq", &[value, best])?;
    if let Some(l) = live {
        hit = i.elem("and", &[hit, l])?;
    }
    let places: u64 = all.iter().map(|w| w.size).product();
    let (side, other) = if keeps.first { (Reduction::Min, places as i64) } else { (Reduction::Max, -1) };
    let none = integer(i, &wide, other)?;
    let at = i.select(hit, number, none)?;
    let mut out = i.reduce(side, at, &inside)?;
    if let Some(last) = broken {
        let small = i.b.shape(out);
        let none = integer(i, &small, other)?;
        let no_other = i.elem("compare_eq", &[out, none])?;
        out = i.select(no_other, last, out)?;
    }
    Ok(out)
}

/// Windows that share no element: each is written out.
fn in_tiles(
    i: &mut Import<'_>,
    chosen: ValueId,
    source: ValueId,
    all: &[WindowDim],
    shape: &[u64],
    none: Scalar,
) -> Result<ValueId, String> {
    let (mut wide, mut dims, mut at) = (Vec::new(), Vec::new(), Vec::new());
    for (&n, w) in i.b.shape(source).iter().zip(all) {
        dims.push(wide.len());
        wide.push(n);
        at.push((w.size > 1).then_some(wide.len()));
        if w.size > 1 {
            wide.push(w.size);
        }
    }
    let number = numbers(i, &wide, &at, all, false)?;
    let (chosen, source) = (i.broadcast(chosen, &wide, &dims)?, i.broadcast(source, &wide, &dims)?);
    let hit = i.elem("compare_eq", &[chosen, number])?;
    let other = splat(i, i.b.ty(source).dtype, &wide, none)?;
    let out = i.select(hit, source, other)?;
    i.emit(Ir::Reshape { shape: shape.to_vec() }, &[out])
}

/// Windows that overlap. Over the windows as far apart as they stand slides a window that is as large as they are: what it
/// sees at place `k` from its end is the window that has the element at place `k`.
fn where_selected(
    i: &mut Import<'_>,
    mut chosen: ValueId,
    mut source: ValueId,
    all: &[WindowDim],
    shape: &[u64],
    kind: Reduction,
    none: Scalar,
) -> Result<ValueId, String> {
    let nobody = Scalar::Int(-1);
    let mut at: Vec<Option<usize>> = Vec::new();
    let mut dim = 0;
    for (w, &n) in all.iter().zip(shape) {
        if w.is_trivial() {
            at.push(None);
            dim += 1;
            continue;
        }
        for (v, fill) in [(&mut chosen, nobody), (&mut source, none)] {
            *v = spread(i, *v, dim, w.stride, fill)?;
            let apart = i.b.shape(*v)[dim] as i64;
            let low = w.size as i64 - 1 - w.low;
            let high = n as i64 + w.size as i64 - 1 - apart - low;
            let window = Window { size: w.size, stride: 1, dilation: 1, low, high, fill };
            *v = i.emit(Ir::Windows { dim, window }, &[*v])?;
        }
        at.push(Some(dim + 1));
        dim += 2;
    }
    let wide = i.b.shape(source);
    let number = numbers(i, &wide, &at, all, true)?;
    let hit = i.elem("compare_eq", &[chosen, number])?;
    let other = splat(i, i.b.ty(source).dtype, &wide, none)?;
    let put = i.select(hit, source, other)?;
    i.reduce(kind, put, &at.into_iter().flatten().collect::<Vec<_>>())
}
