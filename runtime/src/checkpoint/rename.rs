//! `--rename FILE`: how the names and dims of another program's checkpoint become those of a program.
//!
//! ```text
//! # names of the file                      path          what is done on the way
//! prefix transformer. except lm_head.
//! wte.weight                            -> tok
//! h.{i}.attn.c_attn.weight              -> blocks.{i}.qkv  | split 1 3 | transpose 1 0 2 | reshape
//! q.{i}.weight, k.{i}.weight            -> blocks.{i}.qk   | transpose | stack 0
//! experts.{i}.{*}.w1                    -> blocks.{i}.up   | stack 0
//! h.{i}.attn.bias                       -> skip
//! initial **.bias
//! adapter blocks.{i}.lora_q 16          -> blocks.{i}.q
//! ```
//!
//! `{i}` stands for the number of a layer, the same on both sides; with `{i+3}` it is 3 more on that side, and `{i<3}` stands for
//! numbers below 3 only. `{*}` stands for all numbers, in order. A `prefix` is
//! removed from names that have it. `except` lists names without the prefix; [`super::export`], which reads the lines
//! from right to left, writes these without it. Tensors that no line names keep their names. A line that finds nothing
//! is an error, except for `skip`. `initial` and `adapter` are about paths that the file may lack ([`super::adapters`]).

use super::adapters::{Adapter, matches};
use super::pattern::{Pattern, Piece};
use super::weights::Weights;
use crate::data::element::Element;
use crate::error::{Result, RuntimeError};
use crate::file;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The lines of a rename file; by default none.
#[derive(Debug, Default)]
pub struct Renames {
    /// The file, for messages.
    pub(super) name: String,
    /// What is taken off, and the beginnings of names that stand without it.
    pub(super) prefixes: Vec<(String, Vec<String>)>,
    pub(super) lines: Vec<Line>,
    /// Patterns over paths that keep their initial values where the file has nothing for them, each with its line.
    pub(super) initial: Vec<(String, usize)>,
    pub(super) adapters: Vec<Adapter>,
}

#[derive(Debug)]
pub(super) struct Line {
    pub number: usize,
    pub patterns: Vec<Pattern>,
    /// `None` to leave a tensor out.
    pub path: Option<Pattern>,
    pub ops: Vec<Op>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    /// The dims in another order; without one, reversed.
    Transpose(Vec<usize>),
    /// Dim `dim` of size `n * m` becomes two, `n` and `m`.
    Split {
        dim: usize,
        n: u64,
    },
    /// Dims `dim` and `dim + 1` become one.
    Merge {
        dim: usize,
    },
    /// The last op: dim `dim` becomes the two that the path has there.
    Unmerge {
        dim: usize,
    },
    /// Part `k` of `n` equal parts of a dim.
    Part {
        dim: usize,
        k: u64,
        n: u64,
    },
    Stack {
        dim: usize,
    },
    Concat {
        dim: usize,
    },
    /// To the shape of the path.
    Reshape,
}

/// Where the tensors of a program come from, by path.
pub struct Sources {
    pub by_path: BTreeMap<String, RenamedTensor>,
}

/// One tensor of a program: tensors of the file and what is done with them.
pub struct RenamedTensor {
    pub names: Vec<String>,
    ops: Vec<Op>,
    /// File and line that said so.
    line: Option<(String, usize)>,
}

impl Renames {
    /// # Errors
    /// A file that cannot be read, a line that is none, with its number.
    pub fn open(path: &Path) -> Result<Renames> {
        let text = file::text(path, file::TEXT)?;
        let name = path.display().to_string();
        Renames::parse(&name, &text).map_err(|(line, m)| RuntimeError::usage(format!("{name}:{line}"), m))
    }

    fn parse(name: &str, text: &str) -> Result<Renames, (usize, String)> {
        let mut out = Renames { name: name.into(), ..Renames::default() };
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or("").trim();
            if line.is_empty() {
                continue;
            }
            let fail = |m: String| (i + 1, m);
            if let Some(prefix) = line.strip_prefix("prefix ") {
                let mut words = prefix.split_whitespace();
                let (Some(first), except) = (words.next(), words.next()) else {
                    return Err(fail("`prefix TEXT` needs a text".into()));
                };
                let bare: Vec<String> = words.map(str::to_owned).collect();
                if except.is_some_and(|w| w != "except") || except.is_some() == bare.is_empty() {
                    return Err(fail("expected `prefix TEXT` or `prefix TEXT except NAME ..`".into()));
                }
                out.prefixes.push((first.to_owned(), bare));
                continue;
            }
            if let Some(patterns) = line.strip_prefix("initial ") {
                out.initial.extend(patterns.split_whitespace().map(|p| (p.to_owned(), i + 1)));
                continue;
            }
            if let Some(adapter) = line.strip_prefix("adapter ") {
                out.adapters.push(Adapter::parse(adapter, i + 1).map_err(fail)?);
                continue;
            }
            let Some((names, rest)) = line.split_once("->") else {
                return Err(fail("expected NAME -> PATH, NAME -> skip, or prefix NAME".into()));
            };
            let patterns: Vec<Pattern> =
                names.split(',').map(Pattern::parse).collect::<Result<_, _>>().map_err(fail)?;
            let mut parts = rest.split('|');
            let path = parts.next().unwrap_or("").trim();
            let ops: Vec<Op> = parts.map(op).collect::<Result<_, _>>().map_err(fail)?;
            let path = if path == "skip" { None } else { Some(Pattern::parse(path).map_err(fail)?) };
            let unmerge = ops.iter().position(|o| matches!(o, Op::Unmerge { .. }));
            if unmerge.is_some_and(|at| at + 1 < ops.len()) {
                return Err(fail("`unmerge` takes its sizes from the path, so it stands last".into()));
            }
            if let Some(p) = &path {
                let joins = ops.iter().any(|o| matches!(o, Op::Stack { .. } | Op::Concat { .. }));
                let several = patterns.len() > 1 || patterns[0].0.contains(&Piece::Each);
                if several != joins {
                    return Err(fail(if several {
                        "several tensors become one by `stack DIM` or `concat DIM`".into()
                    } else {
                        "`stack` and `concat` are for several tensors: NAME, NAME -> or a `{*}`".into()
                    }));
                }
                let layer = Pattern::is_of_layers;
                if p.0.contains(&Piece::Each) || patterns.iter().any(|x| layer(x) != layer(p)) {
                    return Err(fail("`{i}` stands on both sides or on none, and `{*}` on the left only".into()));
                }
                if patterns.len() > 1 && patterns.iter().any(|x| x.0.contains(&Piece::Each)) {
                    return Err(fail("`{*}` stands in a line with one name".into()));
                }
            }
            out.lines.push(Line { number: i + 1, patterns, path, ops });
        }
        Ok(out)
    }

    /// Whether a path keeps its initial value where the file has nothing for it.
    pub(super) fn is_initial(&self, path: &str) -> bool {
        self.initial.iter().any(|(pattern, _)| matches(pattern, path)) || self.adapters.iter().any(|a| a.has(path))
    }

    /// Finds what every line means among the tensors of a file.
    ///
    /// # Errors
    /// Lines that find nothing, and two tensors for one path.
    pub fn apply(&self, weights: &Weights) -> Result<Sources> {
        let short = |name: &str| -> String {
            let prefix = self.prefixes.iter().find_map(|p| name.strip_prefix(p.0.as_str()));
            prefix.unwrap_or(name).to_owned()
        };
        let twice = |a: &str, b: &str, path: &str| {
            let message = format!("`{a}` and `{b}` are both `{path}`; a line `{a} -> skip` leaves one out");
            RuntimeError::usage(weights.everywhere().to_owned(), message)
        };
        let mut full: BTreeMap<String, &str> = BTreeMap::new();
        for name in weights.names() {
            if let Some(other) = full.insert(short(name), name) {
                return Err(twice(other, name, &short(name)));
            }
        }
        let mut used: BTreeSet<String> = BTreeSet::new();
        let mut by_path: BTreeMap<String, RenamedTensor> = BTreeMap::new();
        for line in &self.lines {
            let fail = |m: String| RuntimeError::usage(format!("{}:{}", self.name, line.number), m);
            // Layer, then the names that belong to it, in the order of `{*}`.
            let mut found: BTreeMap<Option<u64>, Vec<(Option<u64>, &String)>> = BTreeMap::new();
            for name in full.keys() {
                if let Some((layer, each)) = line.patterns[0].find(name) {
                    found.entry(layer).or_default().push((each, name));
                }
            }
            let Some(path) = &line.path else {
                used.extend(found.into_values().flatten().map(|f| f.1.clone()));
                continue;
            };
            if found.is_empty() {
                return Err(fail(format!("no tensor is named `{}`", line.patterns[0])));
            }
            for (layer, mut group) in found {
                group.sort_unstable();
                let mut names: Vec<String> = group.into_iter().map(|g| g.1.clone()).collect();
                for other in &line.patterns[1..] {
                    names.push(other.with(layer));
                }
                if let Some(missing) = names.iter().find(|n| !full.contains_key(*n)) {
                    return Err(fail(format!("no tensor is named `{missing}`")));
                }
                used.extend(names.iter().cloned());
                let names = names.iter().map(|n| full[n].to_owned()).collect();
                let source =
                    RenamedTensor { names, ops: line.ops.clone(), line: Some((self.name.clone(), line.number)) };
                let path = path.with(layer);
                if by_path.insert(path.clone(), source).is_some() {
                    return Err(fail(format!("`{path}` was given by a line before")));
                }
            }
        }
        for (short, full) in full.iter().filter(|f| !used.contains(f.0)) {
            let own = RenamedTensor { names: vec![(*full).to_owned()], ops: Vec::new(), line: None };
            if let Some(other) = by_path.insert(short.clone(), own) {
                return Err(twice(full, &other.names[0], short));
            }
        }
        Ok(Sources { by_path })
    }
}

fn op(text: &str) -> Result<Op, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |w: &str| w.parse::<u64>().map_err(|_| format!("`{w}` is no number"));
    let dim = |w: &str| number(w).map(|n| n as usize);
    Ok(match *words.as_slice() {
        ["transpose", ref order @ ..] => {
            let order: Vec<usize> = order.iter().map(|w| dim(w)).collect::<Result<_, _>>()?;
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if !sorted.iter().copied().eq(0..order.len()) {
                return Err(format!("`{}` is no order of dims", text.trim()));
            }
            Op::Transpose(order)
        }
        ["split", d, n] => Op::Split { dim: dim(d)?, n: number(n)?.max(1) },
        ["merge", d] => Op::Merge { dim: dim(d)? },
        ["unmerge", d] => Op::Unmerge { dim: dim(d)? },
        ["part", d, of] => {
            let (k, n) = of.split_once('/').ok_or("`part DIM K/N`, K from 0 on")?;
            let (k, n) = (number(k)?, number(n)?);
            if k >= n {
                return Err(format!("there is no part {k} of {n}; the first is 0"));
            }
            Op::Part { dim: dim(d)?, k, n }
        }
        ["stack", d] => Op::Stack { dim: dim(d)? },
        ["concat", d] => Op::Concat { dim: dim(d)? },
        ["reshape"] => Op::Reshape,
        _ => {
            return Err(format!(
                "`{}` is none of transpose [ORDER], split DIM N, merge DIM, unmerge DIM, part DIM K/N, stack DIM, concat DIM, reshape",
                text.trim()
            ));
        }
    })
}

/// A tensor on its way; without bytes where only shapes are asked for.
pub(super) struct Value {
    pub shape: Vec<u64>,
    pub bytes: Option<Vec<u8>>,
}

impl RenamedTensor {
    /// The name in the file, where nothing but the name may differ.
    pub fn unchanged(&self) -> Option<&str> {
        self.names.first().filter(|_| self.names.len() == 1 && self.ops.is_empty()).map(String::as_str)
    }

    /// ` from `h.0.attn.c_attn.weight` (gpt2.rename:4)`, or nothing where the name is the path.
    pub fn origin(&self, path: &str) -> String {
        let names: Vec<String> = self.names.iter().take(3).map(|n| format!("`{n}`")).collect();
        match &self.line {
            Some((file, line)) => format!(" from {} ({file}:{line})", names.join(", ")),
            None if self.names[0] != path => format!(" from {}", names.join(", ")),
            None => String::new(),
        }
    }

    /// Element type and shape that come out.
    ///
    /// # Errors
    /// An op that does not fit the shape that it meets.
    pub fn shape(&self, weights: &Weights, target: &[u64]) -> Result<(Element, Vec<u64>), String> {
        self.run(weights, target, false).map(|(e, v)| (e, v.shape))
    }

    /// The bytes that come out.
    ///
    /// # Errors
    /// As [`RenamedTensor::shape`].
    pub fn data(&self, weights: &Weights, target: &[u64]) -> Result<(Element, Vec<u8>), String> {
        self.run(weights, target, true).map(|(e, v)| (e, v.bytes.unwrap_or_default()))
    }

    fn run(&self, weights: &Weights, target: &[u64], data: bool) -> Result<(Element, Value), String> {
        let mut values = Vec::new();
        let mut element = None;
        for name in &self.names {
            let t = weights.tensor(name)?;
            if element.replace(t.element).is_some_and(|e| e != t.element) {
                return Err(format!("`{name}` is {}, and the others are not", t.element.name()));
            }
            let bytes = if data { Some(weights.bytes(name)?) } else { None };
            values.push(Value { shape: t.shape.to_vec(), bytes });
        }
        let element = element.ok_or("no tensor")?;
        for op in &self.ops {
            values = op.apply(values, element.size(), target)?;
        }
        match <[Value; 1]>::try_from(values) {
            Ok([v]) => Ok((element, v)),
            Err(v) => Err(format!("{} tensors for one", v.len())),
        }
    }
}

impl Op {
    fn apply(&self, values: Vec<Value>, size: usize, target: &[u64]) -> Result<Vec<Value>, String> {
        match self {
            Op::Stack { dim } => {
                let mut values = values;
                for v in &mut values {
                    if *dim > v.shape.len() {
                        return Err(format!("`stack {dim}` of {:?}", v.shape));
                    }
                    v.shape.insert(*dim, 1);
                }
                concat(values, *dim, size).map(|v| vec![v])
            }
            Op::Concat { dim } => concat(values, *dim, size).map(|v| vec![v]),
            _ => values.into_iter().map(|v| self.one(v, size, target)).collect(),
        }
    }

    fn one(&self, mut v: Value, size: usize, target: &[u64]) -> Result<Value, String> {
        let wrong = |what: String, shape: &[u64]| Err(format!("`{what}` of {shape:?}"));
        let rank = v.shape.len();
        match *self {
            Op::Transpose(ref order) => {
                let order = if order.is_empty() { (0..rank).rev().collect() } else { order.clone() };
                if order.len() != rank {
                    return wrong(format!("transpose {order:?}"), &v.shape);
                }
                v.bytes = v.bytes.map(|b| transpose(&b, size, &v.shape, &order));
                v.shape = order.iter().map(|&d| v.shape[d]).collect();
            }
            Op::Split { dim, n } => {
                if dim >= rank || !v.shape[dim].is_multiple_of(n) {
                    return wrong(format!("split {dim} {n}"), &v.shape);
                }
                let m = v.shape[dim] / n;
                v.shape.splice(dim..=dim, [n, m]);
            }
            Op::Merge { dim } => {
                if dim + 1 >= rank {
                    return wrong(format!("merge {dim}"), &v.shape);
                }
                let n = v.shape[dim] * v.shape[dim + 1];
                v.shape.splice(dim..=dim + 1, [n]);
            }
            Op::Unmerge { dim } => {
                let sizes = target.get(dim..dim + 2).filter(|_| target.len() == rank + 1);
                let Some(sizes) = sizes.filter(|s| s[0].checked_mul(s[1]) == v.shape.get(dim).copied()) else {
                    return Err(format!("`unmerge {dim}` of {:?} to {target:?}", v.shape));
                };
                v.shape.splice(dim..=dim, sizes.iter().copied());
            }
            Op::Part { dim, k, n } => {
                if dim >= rank || !v.shape[dim].is_multiple_of(n) {
                    return wrong(format!("part {dim} {k}/{n}"), &v.shape);
                }
                let inner = v.shape[dim + 1..].iter().product::<u64>() as usize * size;
                let (block, whole) = ((v.shape[dim] / n) as usize * inner, v.shape[dim] as usize * inner);
                let cut = |b: Vec<u8>| -> Vec<u8> {
                    let from = k as usize * block;
                    b.chunks_exact(whole.max(1)).flat_map(|c| &c[from..from + block]).copied().collect()
                };
                v.bytes = v.bytes.map(cut);
                v.shape[dim] /= n;
            }
            Op::Reshape => {
                if v.shape.iter().product::<u64>() != target.iter().product::<u64>() {
                    return Err(format!("`reshape` of {:?} to {target:?}", v.shape));
                }
                v.shape = target.to_vec();
            }
            Op::Stack { .. } | Op::Concat { .. } => {}
        }
        Ok(v)
    }
}

pub(super) fn concat(values: Vec<Value>, dim: usize, size: usize) -> Result<Value, String> {
    let mut shape = values.first().map(|v| v.shape.clone()).ok_or("no tensor")?;
    if dim >= shape.len() {
        return Err(format!("dim {dim} of {shape:?}"));
    }
    let mut total = 0;
    for v in &values {
        let others = |s: &[u64]| s.iter().enumerate().filter(|d| d.0 != dim).map(|d| *d.1).collect::<Vec<_>>();
        if v.shape.len() != shape.len() || others(&v.shape) != others(&shape) {
            return Err(format!("{shape:?} and {:?} do not fit together", v.shape));
        }
        total += v.shape[dim];
    }
    let inner = shape[dim + 1..].iter().product::<u64>() as usize * size;
    let outer = shape[..dim].iter().product::<u64>() as usize;
    let bytes = values.iter().all(|v| v.bytes.is_some()).then(|| {
        let mut out = Vec::with_capacity(outer * total as usize * inner);
        for o in 0..outer {
            for v in &values {
                let n = v.shape[dim] as usize * inner;
                out.extend_from_slice(&v.bytes.as_deref().unwrap_or_default()[o * n..(o + 1) * n]);
            }
        }
        out
    });
    shape[dim] = total;
    Ok(Value { shape, bytes })
}

/// Result dim `d` is dim `order[d]` of `shape`.
pub(super) fn transpose(bytes: &[u8], size: usize, shape: &[u64], order: &[usize]) -> Vec<u8> {
    let mut strides = vec![size; shape.len()];
    for d in (0..shape.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * shape[d + 1] as usize;
    }
    let (dims, steps): (Vec<usize>, Vec<usize>) = order.iter().map(|&d| (shape[d] as usize, strides[d])).unzip();
    let mut out = Vec::with_capacity(bytes.len());
    let (mut index, mut at) = (vec![0; dims.len()], 0);
    for _ in 0..bytes.len() / size.max(1) {
        out.extend_from_slice(&bytes[at..at + size]);
        for d in (0..dims.len()).rev() {
            index[d] += 1;
            at += steps[d];
            if index[d] < dims[d] {
                break;
            }
            at -= steps[d] * dims[d];
            index[d] = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(shape: &[u64]) -> Value {
        let n = shape.iter().product::<u64>() as u8;
        Value { shape: shape.to_vec(), bytes: Some((0..n).collect()) }
    }

    fn run(text: &str, values: Vec<Value>, target: &[u64]) -> Result<(Vec<u64>, Vec<u8>), String> {
        let mut values = values;
        for o in text.split('|') {
            values = op(o)?.apply(values, 1, target)?;
        }
        let v = values.pop().ok_or("nothing")?;
        Ok((v.shape, v.bytes.unwrap_or_default()))
    }

    #[test]
    fn dims_move() {
        assert_eq!(run("transpose", vec![value(&[2, 3])], &[]), Ok((vec![3, 2], vec![0, 3, 1, 4, 2, 5])));
        assert_eq!(
            run("transpose 1 0 2", vec![value(&[2, 2, 2])], &[]),
            Ok((vec![2, 2, 2], vec![0, 1, 4, 5, 2, 3, 6, 7]))
        );
        // c_attn [e, 3 e] to qkv [3, e, heads, head].
        assert_eq!(
            run("split 1 3 | transpose 1 0 2 | reshape", vec![value(&[2, 6])], &[3, 2, 1, 2]),
            Ok((vec![3, 2, 1, 2], vec![0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11]))
        );
        assert_eq!(run("merge 0", vec![value(&[2, 3, 2])], &[]).unwrap().0, [6, 2]);
        assert_eq!(run("transpose | unmerge 0", vec![value(&[2, 6])], &[3, 2, 2]).unwrap().0, [3, 2, 2]);
        assert_eq!(run("part 1 1/3", vec![value(&[2, 6])], &[]), Ok((vec![2, 2], vec![2, 3, 8, 9])));
        assert_eq!(
            run("stack 1", vec![value(&[2, 2]), value(&[2, 2])], &[]),
            Ok((vec![2, 2, 2], vec![0, 1, 0, 1, 2, 3, 2, 3]))
        );
        assert_eq!(
            run("concat 0", vec![value(&[1, 2]), value(&[2, 2])], &[]),
            Ok((vec![3, 2], vec![0, 1, 0, 1, 2, 3]))
        );
    }

    #[test]
    fn shapes_that_do_not_fit() {
        for (text, shape, why) in [
            ("split 1 4", [2, 6], "`split 1 4` of [2, 6]"),
            ("split 2 1", [2, 6], "`split 2 1` of [2, 6]"),
            ("merge 1", [2, 6], "`merge 1` of [2, 6]"),
            ("part 0 0/3", [2, 6], "`part 0 0/3` of [2, 6]"),
            ("transpose 0", [2, 6], "`transpose [0]` of [2, 6]"),
            ("reshape", [2, 6], "`reshape` of [2, 6] to [5]"),
            ("unmerge 0", [2, 6], "`unmerge 0` of [2, 6] to [5]"),
            ("stack 3", [2, 6], "`stack 3` of [2, 6]"),
            ("concat 2", [2, 6], "dim 2 of [2, 6]"),
        ] {
            assert_eq!(run(text, vec![value(&shape)], &[5]).unwrap_err(), why);
        }
        let e = run("concat 0", vec![value(&[1, 2]), value(&[1, 3])], &[]).unwrap_err();
        assert_eq!(e, "[1, 2] and [1, 3] do not fit together");
    }

    #[test]
    fn lines_that_are_none() {
        for (text, line, why) in [
            ("a b", 1, "expected NAME -> PATH"),
            ("# c\na -> b | turn", 2, "`turn` is none of transpose"),
            ("a -> b | part 0 3/3", 1, "no part 3 of 3"),
            ("a -> b | transpose 0 2", 1, "is no order of dims"),
            ("a -> b | split 0 x", 1, "`x` is no number"),
            ("a, b -> c", 1, "several tensors become one"),
            ("a -> c | stack 0", 1, "are for several tensors"),
            ("a.{i} -> b", 1, "`{i}` stands on both sides"),
            ("a.{j} -> b", 1, "`a.{j}` is no name"),
            ("a.{i-1} -> b.{i}", 1, "is no name"),
            ("a.{i+1}.{i<2} -> b.{i}", 1, "is no name"),
            ("a.{i}{*} -> b.{i} | stack 0", 1, "is no name"),
            (" -> b", 1, "`` is no name"),
            ("a ->", 1, "`` is no name"),
            ("a -> b | unmerge 0 | transpose", 1, "so it stands last"),
            ("prefix a. but b", 1, "expected `prefix TEXT`"),
            ("prefix a. except", 1, "expected `prefix TEXT`"),
        ] {
            let e = Renames::parse("r", text).unwrap_err();
            assert!(e.0 == line && e.1.contains(why), "{text}: {e:?}");
        }
    }

    #[test]
    fn names_and_numbers() {
        let p = |s: &str| Pattern::parse(s).unwrap();
        assert_eq!(p("h.{i}.w").find("h.12.w"), Some((Some(12), None)));
        assert_eq!(p("h.{i}.e.{*}.w").find("h.1.e.7.w"), Some((Some(1), Some(7))));
        for no in ["h..w", "h.x.w", "h.1.w2", "g.1.w", "h.99999999999999999999.w"] {
            assert_eq!(p("h.{i}.w").find(no), None);
        }
        assert_eq!(p("a.{i}").with(Some(3)), "a.3");
        // Two lists that a file counts as one.
        assert_eq!((p("h.{i+3}").find("h.4"), p("h.{i+3}").find("h.2")), (Some((Some(1), None)), None));
        assert_eq!((p("h.{i<3}").find("h.2"), p("h.{i<3}").find("h.3")), (Some((Some(2), None)), None));
        assert_eq!((p("h.{i+3}").with(Some(1)), p("h.{i<3}").with(Some(1))), ("h.4".into(), "h.1".into()));
        assert_eq!((p("h.{i+3}").to_string(), p("h.{i<3}").to_string()), ("h.{i+3}".into(), "h.{i<3}".into()));
        assert_eq!(p("a.{i}.{*}").to_string(), "a.{i}.{*}");
    }
}
