//! Weights under the names and in the dims of another program: the lines of a rename file, read from right to left.
//!
//! The shape that an op made says what undoing it takes. `transpose`, `split`, `unmerge` and `stack` can be undone, and
//! so can `part`s when all of them are there. `merge`, `concat` and `reshape` forget sizes, so a line with one of them
//! is refused, with what to write in its place. A tensor is made just before it is written, so memory is needed for
//! one.

use super::adapters::{Adapter, fit, matches, merged, unmatched};
use super::load::complete;
use super::rename::{Line, Op, Renames, Value, concat, transpose};
use super::weights::Weights;
use super::write::write_tensors;
use super::*;
use crate::data::element::{Element, Rounding};
use crate::error::{Result, RuntimeError};
use safetensors::View;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    pub tensors: usize,
    pub bytes: u64,
    /// Names of the files, the index last where there is one.
    pub files: Vec<String>,
}

/// Writes the parameters of a checkpoint, or of any weights by a program's paths, as `model.safetensors` (in shards beyond `shard_bytes`,
/// with an index) into the folder `to`, which must not hold one. With a `dtype`, floats are rounded to it.
///
/// # Errors
/// Files that are missing or damaged, lines that have no way back, tensors that do not have the dims that a line makes; nothing is
/// written then.
pub fn export(from: &Path, renames: &Renames, to: &Path, dtype: Option<DType>, shard_bytes: u64) -> Result<Exported> {
    export_only(from, renames, to, dtype, shard_bytes, &[])
}

/// As [`export`], of those parameters alone whose path a pattern of `only` matches; of all, where there are none. Adapters are added to
/// their weights where all is exported.
///
/// # Errors
/// As there, and a pattern that matches nothing.
pub fn export_only(
    from: &Path,
    renames: &Renames,
    to: &Path,
    dtype: Option<DType>,
    shard_bytes: u64,
    only: &[String],
) -> Result<Exported> {
    let weights = Weights::open(&complete(from)?, MODEL)?;
    weights.verify_all()?;
    if let Some(unused) = only.iter().find(|p| !weights.names().any(|name| matches(p, name))) {
        return Err(unmatched(unused, &from.display().to_string()));
    }
    let merge = if only.is_empty() { &renames.adapters[..] } else { &[] };
    for a in merge {
        let lost = weights.names().find_map(|path| Some((path, a.weight(path).filter(|w| !weights.contains(w))?)));
        if let Some((path, weight)) = lost {
            let message = format!("`{path}` is added to `{weight}`, and there is no such weight");
            return Err(RuntimeError::usage(format!("{}:{}", renames.name, a.line), message));
        }
    }
    let mut targets: BTreeMap<String, Target<'_>> = BTreeMap::new();
    for path in weights.names() {
        let wanted = only.is_empty() || only.iter().any(|p| matches(p, path));
        if wanted && !merge.iter().any(|a| a.has(path)) {
            find(renames, path, &weights, &mut targets)?;
        }
    }
    for target in targets.values_mut() {
        target.merge = merge;
    }
    let mut tensors = Vec::new();
    for (name, target) in targets {
        let made = target.made(&weights, false).and_then(|(element, value)| {
            let dtype = match dtype {
                Some(d) if element.is_float() => d,
                _ => element.dtype().ok_or_else(|| format!("{} is no type of a program", element.name()))?,
            };
            element.convert(&[], dtype, Rounding::Allowed)?;
            Ok((dtype, value.shape))
        });
        let (dtype, shape) = made.map_err(|m| target.error(renames, &name, &m))?;
        let shape = shape.iter().map(|&n| n as usize).collect();
        tensors.push((name, Written { weights: &weights, target, dtype, shape }));
    }
    let (count, bytes) = (tensors.len(), tensors.iter().map(|t| t.1.data_len() as u64).sum());
    std::fs::create_dir_all(to).map_err(|e| RuntimeError::io(to, "cannot be created", &e))?;
    if let Some(old) = [single(MODEL), index(MODEL)].iter().map(|n| to.join(n)).find(|p| p.exists()) {
        return Err(RuntimeError::usage(old.display().to_string(), "exists already; export into another folder"));
    }
    let files = write_tensors(to, MODEL, tensors, shard_bytes)?;
    Ok(Exported { tensors: count, bytes, files: files.into_iter().map(|f| f.name).collect() })
}

/// One tensor of the other program: a tensor of ours, or parts of it from several of ours, in their order.
struct Target<'a> {
    pieces: BTreeMap<u64, Piece<'a>>,
    /// What is added to weights.
    merge: &'a [Adapter],
}

struct Piece<'a> {
    path: String,
    /// `None` where no line speaks of the path.
    line: Option<&'a Line>,
    /// Which of the tensors that the line joins.
    index: u64,
    /// How many parts there are to be.
    parts: u64,
}

/// Adds what the lines make of one path.
fn find<'a>(
    renames: &'a Renames,
    path: &str,
    weights: &Weights,
    targets: &mut BTreeMap<String, Target<'a>>,
) -> Result<()> {
    let mut spoken = false;
    for line in &renames.lines {
        let fail = |m: String| RuntimeError::usage(format!("{}:{}", renames.name, line.number), m);
        let Some((layer, _)) = line.path.as_ref().and_then(|p| p.find(path)) else { continue };
        spoken = true;
        let names: Vec<String> = if line.patterns[0].several() {
            let shape = weights.tensor(path).map_err(&fail)?.shape.to_vec();
            let dim = line.ops.iter().find_map(|o| if let Op::Stack { dim } = o { Some(*dim) } else { None });
            let n = dim.and_then(|d| shape.get(d)).ok_or_else(|| fail(no_way("concat")))?;
            (0..*n).map(|k| line.patterns[0].filled(layer, Some(k))).collect()
        } else {
            line.patterns.iter().map(|p| p.filled(layer, None)).collect()
        };
        let (part, parts) = match line.ops.iter().find(|o| matches!(o, Op::Part { .. })) {
            Some(Op::Part { k, n, .. }) => (*k, *n),
            _ => (0, 1),
        };
        for (i, name) in names.iter().enumerate() {
            let prefix = renames.prefixes.iter().find(|p| !p.1.iter().any(|bare| name.starts_with(bare.as_str())));
            let name = prefix.map_or_else(|| name.clone(), |p| format!("{}{name}", p.0));
            let piece = Piece { path: path.to_owned(), line: Some(line), index: i as u64, parts };
            let target = targets.entry(name.clone()).or_insert_with(|| Target { pieces: BTreeMap::new(), merge: &[] });
            if target.pieces.insert(part, piece).is_some() {
                return Err(fail(format!("`{name}` is made by a line before")));
            }
        }
    }
    if !spoken {
        let piece = Piece { path: path.to_owned(), line: None, index: 0, parts: 1 };
        targets.insert(path.to_owned(), Target { pieces: BTreeMap::from([(0, piece)]), merge: &[] });
    }
    Ok(())
}

fn no_way(op: &str) -> String {
    let instead = match op {
        "concat" => "`stack DIM` keeps apart what it joins",
        "merge" => "leave the dims apart",
        _ => "`unmerge DIM` says which dim becomes two",
    };
    format!("`{op}` has no way back, since it forgets sizes; {instead}")
}

impl Target<'_> {
    /// Element type and value; without bytes where only the shape is asked for.
    fn made(&self, weights: &Weights, data: bool) -> Result<(Element, Value), String> {
        let (mut values, mut element) = (Vec::new(), None);
        let first = self.pieces.values().next().ok_or("no tensor")?;
        if self.pieces.len() as u64 != first.parts {
            return Err(format!("{} of its {} parts are there", self.pieces.len(), first.parts));
        }
        for piece in self.pieces.values() {
            let t = weights.tensor(&piece.path)?;
            if element.replace(t.element).is_some_and(|e| e != t.element) {
                return Err(format!("`{}` is {}, and the other parts are not", piece.path, t.element.name()));
            }
            let mut value = Value { shape: t.shape.to_vec(), bytes: None };
            if data {
                value.bytes = Some(merged(self.merge, weights, &piece.path, weights.bytes(&piece.path)?)?);
            } else {
                fit(self.merge, weights, &piece.path)?;
            }
            let ops = piece.line.map_or(&[][..], |l| &l.ops);
            for op in ops.iter().rev().take_while(|o| !matches!(o, Op::Part { .. })) {
                value = undo(op, value, t.element.size(), piece.index)?;
            }
            values.push(value);
        }
        let element = element.ok_or("no tensor")?;
        let ops = first.line.map_or(&[][..], |l| &l.ops);
        let Some(at) = ops.iter().position(|o| matches!(o, Op::Part { .. })) else {
            return Ok((element, values.pop().ok_or("no tensor")?));
        };
        let Op::Part { dim, .. } = ops[at] else { return Err("no part".into()) };
        let mut value = concat(values, dim, element.size())?;
        for op in ops[..at].iter().rev() {
            value = undo(op, value, element.size(), first.index)?;
        }
        Ok((element, value))
    }

    /// An error of the line, or of the tensor where there is none.
    fn error(&self, renames: &Renames, name: &str, message: &str) -> RuntimeError {
        let line = self.pieces.values().find_map(|p| p.line);
        let paths: Vec<String> = self.pieces.values().map(|p| format!("`{}`", p.path)).collect();
        let place = line.map_or_else(|| name.to_owned(), |l| format!("{}:{}", renames.name, l.number));
        RuntimeError::usage(place, format!("tensor `{name}` from {}: {message}", paths.join(", ")))
    }
}

/// What an op was given, from what it made; of what `stack` joined, tensor `index`.
fn undo(op: &Op, mut v: Value, size: usize, index: u64) -> Result<Value, String> {
    let rank = v.shape.len();
    match *op {
        Op::Transpose(ref order) => {
            let order: Vec<usize> = if order.is_empty() { (0..rank).rev().collect() } else { order.clone() };
            if order.len() != rank {
                return Err(format!("`transpose {order:?}` does not make {:?}", v.shape));
            }
            let mut back = vec![0; rank];
            order.iter().enumerate().for_each(|(to, &from)| back[from] = to);
            v.bytes = v.bytes.map(|b| transpose(&b, size, &v.shape, &back));
            v.shape = back.iter().map(|&d| v.shape[d]).collect();
        }
        Op::Split { dim, n } if v.shape.get(dim) != Some(&n) || dim + 1 >= rank => {
            return Err(format!("`split {dim} {n}` does not make {:?}", v.shape));
        }
        Op::Unmerge { dim } if dim + 1 >= rank => return Err(format!("`unmerge {dim}` does not make {:?}", v.shape)),
        Op::Split { dim, .. } | Op::Unmerge { dim } => {
            let n = v.shape[dim] * v.shape[dim + 1];
            v.shape.splice(dim..=dim + 1, [n]);
        }
        Op::Stack { dim } => {
            let n = v.shape.get(dim).copied().unwrap_or(0);
            if index >= n {
                return Err(format!("`stack {dim}` of more than {n} does not make {:?}", v.shape));
            }
            let inner = v.shape[dim + 1..].iter().product::<u64>() as usize * size;
            let take = |b: Vec<u8>| -> Vec<u8> {
                let from = index as usize * inner;
                b.chunks_exact((n as usize * inner).max(1)).flat_map(|c| &c[from..from + inner]).copied().collect()
            };
            v.bytes = v.bytes.map(take);
            v.shape.remove(dim);
        }
        Op::Merge { .. } => return Err(no_way("merge")),
        Op::Concat { .. } => return Err(no_way("concat")),
        Op::Reshape => return Err(no_way("reshape")),
        Op::Part { .. } => return Err("two `part`s in a line".into()),
    }
    Ok(v)
}

/// A tensor on its way into the file.
struct Written<'a> {
    weights: &'a Weights,
    target: Target<'a>,
    dtype: DType,
    shape: Vec<usize>,
}

impl View for Written<'_> {
    fn dtype(&self) -> Dtype {
        to_safetensors(self.dtype)
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        // Shapes and types were tried before the first file was begun, and nothing else can fail.
        let made = self.target.made(self.weights, true);
        let bytes = made.and_then(|(e, v)| e.convert(&v.bytes.unwrap_or_default(), self.dtype, Rounding::Allowed));
        Cow::Owned(bytes.unwrap_or_default())
    }

    fn data_len(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.bytes() as usize
    }
}
