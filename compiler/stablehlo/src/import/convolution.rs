//! Convolutions, as contractions over windows: `out[n, h, o] = sum over k, c of x[n, h * stride + k, c] * w[k, c, o]`. So batch,
//! both feature dims and groups are split like those of any contraction, and what is summed over split features is partial.

use super::state::{Import, ImportRule};
use super::windows::{WindowDim, counts, padding, per_dim, reversed, slide};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{Einsum, Op as Ir, Reduction, Scalar, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.convolution", convolution)];

/// What the dims of a tensor are: batch and feature of the input and the output, input and output feature of the kernel.
struct Dims {
    pair: [usize; 2],
    spatial: Vec<usize>,
}

impl Dims {
    fn rank(&self) -> usize {
        2 + self.spatial.len()
    }

    /// `[b, 0, 1, f]`, where `pair` are the two letters.
    fn of_list(list: &[Tree<'_>], pair: [&str; 2]) -> Result<Dims, String> {
        let parts: Vec<&[Tree<'_>]> = list.split(|t| t.leaf(Token::Comma).is_some()).collect();
        let letter = |c: &str| parts.iter().position(|p| p.len() == 1 && p[0].is_word(c));
        let number = |n: usize| {
            parts.iter().position(|p| p.first().and_then(|t| t.leaf(Token::Int)).is_some_and(|t| t.parse() == Ok(n)))
        };
        let missing = |what: &str| format!("`dim_numbers` has no dim `{what}`");
        let spatial = 0..parts.len().saturating_sub(2);
        Ok(Dims {
            pair: [letter(pair[0]).ok_or_else(|| missing(pair[0]))?, letter(pair[1]).ok_or_else(|| missing(pair[1]))?],
            spatial: spatial.map(|n| number(n).ok_or_else(|| missing(&n.to_string()))).collect::<Result<_, _>>()?,
        })
    }

    /// `input_batch_dimension = 0, ..`.
    fn of_names(list: &[Tree<'_>], side: &str, pair: [&str; 2]) -> Result<Dims, String> {
        let numbers = |name: String| -> Result<Vec<usize>, String> {
            let found = read::setting(list, &name).map(read::ints).ok_or_else(|| format!("`{name}` is missing"))?;
            found
                .into_iter()
                .map(|n| usize::try_from(n).map_err(|_| format!("`{name}` has the negative {n}")))
                .collect()
        };
        let one = |name: &str| -> Result<usize, String> {
            numbers(format!("{side}_{name}_dimension"))?.first().copied().ok_or_else(|| format!("`{name}` is missing"))
        };
        Ok(Dims { pair: [one(pair[0])?, one(pair[1])?], spatial: numbers(format!("{side}_spatial_dimensions"))? })
    }

    /// Every dim of the rank once.
    fn check(&self, rank: usize) -> Result<(), String> {
        let mut all: Vec<usize> = self.pair.iter().chain(&self.spatial).copied().collect();
        all.sort_unstable();
        if all.iter().copied().eq(0..rank) {
            return Ok(());
        }
        Err(format!("`dim_numbers` name {} dims, and the tensor has {rank}", self.rank()))
    }
}

/// The dims of input, kernel and output.
fn dim_numbers(op: &TextOp<'_>) -> Result<[Dims; 3], String> {
    let trees = op.attr("dim_numbers").or_else(|| op.attr("dimension_numbers")).ok_or("`dim_numbers` is missing")?;
    let trees = trees.iter().find_map(|t| t.group(b'<')).unwrap_or(trees);
    let lists: Vec<&[Tree<'_>]> = trees.iter().filter_map(|t| t.group(b'[')).collect();
    if let [x, w, y] = lists[..]
        && read::setting(trees, "input_batch_dimension").is_none()
    {
        return Ok([Dims::of_list(x, ["b", "f"])?, Dims::of_list(w, ["i", "o"])?, Dims::of_list(y, ["b", "f"])?]);
    }
    // `raw input_batch_dimension = 0, ..`
    Ok([
        Dims::of_names(trees, "input", ["batch", "feature"])?,
        Dims::of_names(trees, "kernel", ["input_feature", "output_feature"])?,
        Dims::of_names(trees, "output", ["batch", "feature"])?,
    ])
}

/// Which spatial dims of the kernel are read from end to start.
fn reversal(op: &TextOp<'_>, rank: usize) -> Result<Vec<bool>, String> {
    fn words(trees: &[Tree<'_>], out: &mut Vec<bool>) {
        for t in trees {
            match t {
                Tree::Group(g) => words(&g.trees, out),
                t if t.is_word("true") => out.push(true),
                t if t.is_word("false") => out.push(false),
                _ => {}
            }
        }
    }
    let mut all = Vec::new();
    words(op.attr("reverse").or_else(|| op.attr("window_reversal")).unwrap_or_default(), &mut all);
    match all[..] {
        [] => Ok(vec![false; rank]),
        [one] => Ok(vec![one; rank]),
        _ if all.len() == rank => Ok(all),
        _ => Err(format!("the reversal has {} values for {rank} dims", all.len())),
    }
}

fn convolution(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, w] = i.exactly(op)?;
    let [xd, wd, yd] = dim_numbers(op)?;
    let result = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    xd.check(i.b.ty(x).rank())?;
    wd.check(i.b.ty(w).rank())?;
    yd.check(result.rank())?;
    let rank = xd.spatial.len();
    if wd.spatial.len() != rank || yd.spatial.len() != rank {
        return Err("`dim_numbers` have another number of spatial dims in each tensor".to_string());
    }
    let strides = counts(op, &["stride", "window_strides"], rank)?;
    let pads = padding(op, &["pad", "padding"], rank)?;
    let base = counts(op, &["lhs_dilate", "lhs_dilation"], rank)?;
    let dilation = counts(op, &["rhs_dilate", "rhs_dilation"], rank)?;
    let reverse = reversal(op, rank)?;
    let groups = per_dim(op, &["feature_group_count"], 1, 1)?[0];
    let batches = per_dim(op, &["batch_group_count"], 1, 1)?[0];
    let [groups, batches] = [groups, batches].map(|n| u64::try_from(n).unwrap_or(0));
    if groups == 0 || batches == 0 || groups > 1 && batches > 1 {
        return Err("there are groups of features, of batches, or neither, and 1 or more of them".to_string());
    }

    // Sums are taken in the type of the result.
    let (mut x, mut w) = (i.convert(x, result.dtype)?, i.convert(w, result.dtype)?);
    let flipped: Vec<usize> = (0..rank).filter(|&d| reverse[d]).map(|d| wd.spatial[d]).collect();
    w = reversed(i, w, &flipped)?;
    let sizes = i.b.shape(w);
    let along = |d: usize| WindowDim {
        size: sizes[wd.spatial[d]],
        stride: strides[d],
        low: pads[d].0,
        high: pads[d].1,
        base: base[d],
        dilation: dilation[d],
    };
    let mut names = Names::default();
    let (group, batch, input, output) = (names.next()?, names.next()?, names.next()?, names.next()?);
    let places: Vec<[char; 2]> =
        (0..rank).map(|_| Ok::<_, String>([names.next()?, names.next()?])).collect::<Result<_, _>>()?;

    let mut of_x = vec![' '; xd.rank()];
    (of_x[xd.pair[0]], of_x[xd.pair[1]]) = (batch, input);
    (0..rank).for_each(|d| of_x[xd.spatial[d]] = places[d][0]);
    // From the first dim on: it is the one that devices split, and what they send each other is then not repeated yet.
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|&d| xd.spatial[d]);
    let zero = Scalar::of(result.dtype, 0.0);
    for d in order {
        if along(d).size == 0 {
            return Err("a kernel without elements is not supported".to_string());
        }
        let at = of_x.iter().position(|&c| c == places[d][0]).ok_or("a spatial dim is missing")?;
        x = slide(i, x, at, &along(d), zero)?;
        if along(d).size > 1 {
            of_x.insert(at + 1, places[d][1]);
        }
    }
    let mut of_w = vec![' '; wd.rank()];
    (of_w[wd.pair[0]], of_w[wd.pair[1]]) = (input, output);
    (0..rank).for_each(|d| of_w[wd.spatial[d]] = places[d][1]);
    let single: Vec<usize> = (0..of_w.len()).filter(|&d| wd.spatial.contains(&d) && sizes[d] == 1).collect();
    if !single.is_empty() {
        let kept = |d: &usize| !single.contains(d);
        let shape = (0..sizes.len()).filter(kept).map(|d| sizes[d]).collect();
        of_w = (0..sizes.len()).filter(kept).map(|d| of_w[d]).collect();
        w = i.emit(Ir::Reshape { shape }, &[w])?;
    }
    let mut of_y = vec![' '; yd.rank()];
    (of_y[yd.pair[0]], of_y[yd.pair[1]]) = (batch, output);
    (0..rank).for_each(|d| of_y[yd.spatial[d]] = places[d][0]);
    let count = groups.max(batches);
    if count > 1 {
        let of = if groups > 1 { input } else { batch };
        x = grouped(i, x, &mut of_x, of, group, count)?;
        w = grouped(i, w, &mut of_w, output, group, count)?;
        let at = of_y.iter().position(|&c| c == output).unwrap_or(0);
        of_y.insert(at, group);
    }
    let y = contract(i, x, w, Einsum::new(vec![of_x, of_w], of_y))?;
    Ok(vec![if count > 1 { i.emit(Ir::Reshape { shape: result.shape }, &[y])? } else { y }])
}

/// The dim named `name` in `count` groups, whose number becomes the dim `group` before it.
fn grouped(
    i: &mut Import<'_>,
    x: ValueId,
    names: &mut Vec<char>,
    name: char,
    group: char,
    count: u64,
) -> Result<ValueId, String> {
    let mut shape = i.b.shape(x);
    let at = names.iter().position(|&c| c == name).ok_or("a grouped dim is missing")?;
    if !shape[at].is_multiple_of(count) {
        return Err(format!("a dim of {} is not {count} groups", shape[at]));
    }
    shape[at] /= count;
    shape.insert(at, count);
    names.insert(at, group);
    i.emit(Ir::Reshape { shape }, &[x])
}

/// A contraction; that of integers as the sum of products that it is.
fn contract(i: &mut Import<'_>, x: ValueId, w: ValueId, e: Einsum) -> Result<ValueId, String> {
    if i.b.ty(x).dtype.is_float() {
        return i.emit(Ir::DotGeneral(e), &[x, w]);
    }
    let summed: Vec<char> = e.contracted();
    let all: Vec<char> = e.result.iter().chain(&summed).copied().collect();
    let shapes = [i.b.shape(x), i.b.shape(w)];
    let size = |c: char| {
        (0..2).find_map(|k| e.operands[k].iter().position(|&l| l == c).and_then(|d| shapes[k].get(d).copied()))
    };
    let shape: Vec<u64> = all.iter().map(|&c| size(c).unwrap_or(1)).collect();
    let mut spread = Vec::new();
    for (k, v) in [x, w].into_iter().enumerate() {
        let places: Vec<usize> = e.operands[k].iter().map(|c| all.iter().position(|l| l == c).unwrap_or(0)).collect();
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&d| places[d]);
        let dims: Vec<usize> = order.iter().map(|&d| places[d]).collect();
        let v = if order.is_sorted() { v } else { i.emit(Ir::Transpose { perm: order }, &[v])? };
        spread.push(i.broadcast(v, &shape, &dims)?);
    }
    let products = i.elem("multiply", &spread)?;
    i.reduce(Reduction::Sum, products, &(e.result.len()..all.len()).collect::<Vec<_>>())
}

/// Subscripts for dims.
#[derive(Default)]
struct Names(u8);

impl Names {
    fn next(&mut self) -> Result<char, String> {
        self.0 += 1;
        ('a'..='z').chain('A'..='Z').nth(usize::from(self.0) - 1).ok_or_else(|| "more dims than letters".to_string())
    }
}
