//! Which data goes into which input, and in what order.
//!
//! - Token files (`--data FILE..`) feed the inputs `tokens`, `targets`, `positions`, `segments` and `weights`, all
//!   `[batch, width]`, as far as the entry has them.
//! - Arrays (`--data NAME=FILE`) feed input `NAME` with `batch` rows a step; several arrays are read at the same rows.
//!
//! A *row* is what one position of the batch takes: a window of the stream, a row of packed documents, or a row of an
//! array. A *sample* number counts rows through all epochs, and the seed and the number `g` alone decide which row
//! sample `g` is. So the order is the same on every mesh, and one number is the complete position of a run.

use super::arrays::Array;
use super::det::{GAMMA, splitmix};
use super::element::{Element, Rounding};
use super::pack::Packing;
use super::shuffle::Permutation;
use super::tokenizer::Tokenizer;
use super::tokens::{Reading, Tokens};
use crate::error::{Result, RuntimeError};
use crate::host::{HostTensor, describe_port};
use meshloom_bundle::{DType, Port, Range};
use std::hash::Hasher;
use std::path::PathBuf;
use std::sync::Arc;
use twox_hash::XxHash3_64;

/// One word of `--data`.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// `FILE`: tokens.
    Tokens(PathBuf),
    /// `NAME=FILE[:ARRAY]`: rows for an input.
    Rows { input: String, file: PathBuf, array: Option<String> },
}

impl std::str::FromStr for Item {
    type Err = RuntimeError;

    fn from_str(s: &str) -> Result<Item> {
        let name = |n: &str| {
            !n.is_empty()
                && !n.starts_with(|c: char| c.is_ascii_digit())
                && n.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        Ok(match s.split_once('=') {
            Some((input, file)) if name(input) => {
                let (file, array) = super::split_name(file);
                Item::Rows { input: input.into(), file, array }
            }
            _ => Item::Tokens(s.into()),
        })
    }
}

/// What `--data` and the options beside it say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    pub items: Vec<Item>,
    pub tokenizer: Option<PathBuf>,
    /// The token that ends a document.
    pub eod: Option<u32>,
    /// Documents side by side in rows, instead of windows over all of them.
    pub pack: bool,
}

/// Rows for the inputs of one entry.
pub struct Feed {
    source: Arc<Source>,
    bound: Vec<Bound>,
    batch: u64,
    /// Which tokens, packed rows or rows of arrays are this feed's.
    part: std::ops::Range<u64>,
    /// Without one, rows come in the order of the files.
    seed: Option<u64>,
}

enum Source {
    Windows { tokens: Tokens, width: u64 },
    Packed { tokens: Tokens, packing: Packing, width: u64 },
    Arrays(Vec<Array>),
}

/// An input and what it takes.
struct Bound {
    port: Port,
    column: Column,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Tokens,
    Targets,
    /// Index in the window, or in the part of a document.
    Positions,
    /// Number of the document in the row from 1 on; 0 is padding.
    Segments,
    /// 1 where a target counts, 0 in padding.
    Weights,
    /// Rows of this array.
    Array(usize),
}

const COLUMNS: [(&str, Column); 5] = [
    ("tokens", Column::Tokens),
    ("targets", Column::Targets),
    ("positions", Column::Positions),
    ("segments", Column::Segments),
    ("weights", Column::Weights),
];
/// Ranks compare so many samples of their data, of so many tokens each.
const SAMPLES: u64 = 256;
const SAMPLE: usize = 512;
/// Which rows of arrays are held out does not depend on the seed: runs with several seeds can be compared.
const SPLIT: u64 = 0x7370_6c69_7400;

impl Feed {
    /// Opens the files and finds the inputs among `ports`, those without a value.
    ///
    /// # Errors
    /// Damaged files, inputs that do not fit, data too short for one row.
    pub fn open(spec: &Spec, entry: &str, ports: &[Port], seed: u64) -> Result<Feed> {
        let mut files = Vec::new();
        let mut rows = Vec::new();
        for item in &spec.items {
            match item {
                Item::Tokens(path) => files.push(path.clone()),
                Item::Rows { input, file, array } => rows.push((input, file, array)),
            }
        }
        let feed = match (files.is_empty(), rows.is_empty()) {
            (true, false) => {
                if let Some(option) =
                    [(spec.tokenizer.is_some(), "--tokenizer"), (spec.eod.is_some(), "--eod"), (spec.pack, "--pack")]
                        .iter()
                        .find(|o| o.0)
                {
                    return Err(RuntimeError::usage(
                        option.1,
                        "is for files of tokens, and --data gives arrays by name",
                    ));
                }
                Feed::arrays(entry, ports, &rows, seed)?
            }
            (false, true) => Feed::tokens(spec, entry, ports, &files, seed)?,
            _ => {
                return Err(RuntimeError::usage(
                    "--data",
                    "takes either files of tokens or arrays by NAME=FILE, not both",
                ));
            }
        };
        if feed.rows() == 0 {
            let (have, need) = match &*feed.source {
                Source::Windows { tokens, width } => (format!("{} tokens", tokens.len()), width + 1),
                Source::Packed { .. } => ("no document".into(), 2),
                Source::Arrays(_) => ("no rows".into(), 1),
            };
            return Err(RuntimeError::usage(feed.name(), format!("{have}; {need} are the least for one row")));
        }
        Ok(feed)
    }

    fn tokens(spec: &Spec, entry: &str, ports: &[Port], files: &[PathBuf], seed: u64) -> Result<Feed> {
        let bound = bind_tokens(entry, ports)?;
        let (batch, width) = (bound[0].port.global_shape[0], bound[0].port.global_shape[1]);
        let tokenizer = spec.tokenizer.as_deref().map(Tokenizer::open).transpose()?;
        if let (Some(t), Some(r)) = (&tokenizer, bound[0].port.range)
            && t.vocabulary() > r.hi.max(0) as u64
        {
            let message = format!("{} tokens; `{}` takes {}..{}", t.vocabulary(), bound[0].port.name, r.lo, r.hi);
            return Err(RuntimeError::usage(t.name.clone(), message));
        }
        let tokens = Tokens::open(files, Reading { tokenizer: tokenizer.as_ref(), eod: spec.eod })?;
        let (source, part) = if spec.pack {
            let packing = Packing::new(tokens.documents(spec.eod)?, width);
            let rows = packing.rows();
            (Source::Packed { tokens, packing, width }, 0..rows)
        } else {
            let len = tokens.len();
            (Source::Windows { tokens, width }, 0..len)
        };
        Ok(Feed { source: source.into(), bound, batch, part, seed: Some(seed) })
    }

    fn arrays(entry: &str, ports: &[Port], rows: &[(&String, &PathBuf, &Option<String>)], seed: u64) -> Result<Feed> {
        let (mut arrays, mut bound): (Vec<Array>, Vec<Bound>) = (Vec::new(), Vec::new());
        for (input, file, name) in rows {
            let known = || ports.iter().map(|p| format!("`{}`", p.name)).collect::<Vec<_>>().join(", ");
            let port = ports.iter().find(|p| p.name == **input).ok_or_else(|| {
                RuntimeError::usage(
                    format!("--data {input}=.."),
                    format!("is no input of entry `{entry}`: {}", known()),
                )
            })?;
            if bound.iter().any(|b| b.port.name == port.name) {
                return Err(RuntimeError::usage(format!("--data {input}=.."), "is given twice"));
            }
            let array = Array::open(file, name.as_deref())?;
            let place = format!("{input}={}", array.place);
            let due = port.global_shape.get(1..).unwrap_or_default();
            if port.global_shape.is_empty() || array.shape.get(1..) != Some(due) || array.complex != port.complex {
                let found = array.describe();
                let message = format!("rows for {} are needed, found {found}", describe_port(port, &port.global_shape));
                return Err(RuntimeError::usage(place, message));
            }
            // Told now and not at the step that meets it: what no value of this type can become.
            array.element.convert_for(&[], port, Rounding::Exact).map_err(|m| RuntimeError::usage(place.clone(), m))?;
            if let Some((first, b)) = arrays.first().zip(bound.first()) {
                if first.shape[0] != array.shape[0] {
                    let message = format!("{} rows where {} has {}", array.shape[0], first.place, first.shape[0]);
                    return Err(RuntimeError::usage(place, message));
                }
                if b.port.global_shape[0] != port.global_shape[0] {
                    let message = format!(
                        "a batch of {} where `{}` has one of {}",
                        port.global_shape[0], b.port.name, b.port.global_shape[0]
                    );
                    return Err(RuntimeError::usage(place, message));
                }
            }
            bound.push(Bound { port: port.clone(), column: Column::Array(arrays.len()) });
            arrays.push(array);
        }
        let (batch, n) = (bound[0].port.global_shape[0], arrays[0].shape[0]);
        Ok(Feed { source: Source::Arrays(arrays).into(), bound, batch, part: 0..n, seed: Some(seed) })
    }

    /// Takes the last `fraction` of the data away, for validation: the end of the stream, the last packed rows, or rows of arrays that
    /// are the same for every seed.
    ///
    /// # Errors
    /// One of the two has no row left.
    pub fn hold_out(&mut self, fraction: f64) -> Result<Feed> {
        let n = self.part.end - self.part.start;
        let cut = self.part.end - ((n as f64 * fraction).round() as u64).min(n);
        let held = self.share(cut..self.part.end);
        self.part.end = cut;
        for (feed, what) in [(&held, "held out"), (&*self, "left for training")] {
            if feed.rows() == 0 {
                let message = format!("too short for --eval-split {fraction}: no row is {what}");
                return Err(RuntimeError::usage(self.name(), message));
            }
        }
        Ok(held.in_order())
    }

    /// The same rows every time, from the first on.
    pub fn in_order(mut self) -> Feed {
        self.seed = None;
        self
    }

    fn share(&self, part: std::ops::Range<u64>) -> Feed {
        let bound = self.bound.iter().map(|b| Bound { port: b.port.clone(), column: b.column }).collect();
        Feed { source: Arc::clone(&self.source), bound, batch: self.batch, part, seed: self.seed }
    }

    /// Rows of an epoch.
    pub fn rows(&self) -> u64 {
        let n = self.part.end - self.part.start;
        match &*self.source {
            Source::Windows { width, .. } => cut(n, *width, self.seed.is_some()).0,
            Source::Packed { .. } | Source::Arrays(_) => n,
        }
    }

    /// Names of the inputs that are fed.
    pub fn inputs(&self) -> impl Iterator<Item = &str> {
        self.bound.iter().map(|b| b.port.name.as_str())
    }

    /// Rows of a step.
    pub fn batch_rows(&self) -> u64 {
        self.batch
    }

    pub fn feeds(&self, input: &str) -> bool {
        self.bound.iter().any(|b| b.port.name == input)
    }

    /// The files.
    pub fn name(&self) -> String {
        match &*self.source {
            Source::Windows { tokens, .. } | Source::Packed { tokens, .. } => tokens.name(),
            Source::Arrays(a) => a.iter().map(|a| a.place.as_str()).collect::<Vec<_>>().join(", "),
        }
    }

    /// A description of the data, which checkpoints keep: `1024 windows of 128 in 131200 tokens`.
    pub fn describe(&self) -> String {
        match &*self.source {
            Source::Windows { width, .. } => {
                format!("{} windows of {width} in {} tokens", self.rows(), self.part.end - self.part.start)
            }
            Source::Packed { packing, width, .. } => {
                format!("{} rows of {width}, {:.1} % filled", self.rows(), 100.0 * packing.filled(*width))
            }
            Source::Arrays(_) => format!("{} rows", self.rows()),
        }
    }

    /// A hash of how much data there is, and of samples of it: of everything, where it is small. Names of files do not count.
    ///
    /// # Errors
    /// A file cannot be read any more.
    pub fn data_hash(&self) -> Result<u64> {
        let mut hash = XxHash3_64::new();
        match &*self.source {
            Source::Windows { tokens, .. } | Source::Packed { tokens, .. } => {
                hash.write_u64(tokens.len());
                let mut piece = vec![0; SAMPLE];
                for start in samples(tokens.len(), SAMPLE as u64) {
                    let n = (tokens.len() - start).min(SAMPLE as u64) as usize;
                    tokens.read(start, &mut piece[..n])?;
                    piece[..n].iter().for_each(|t| hash.write_i64(*t));
                }
            }
            Source::Arrays(arrays) => {
                for (b, a) in self.bound.iter().zip(arrays) {
                    hash.write(b.port.name.as_bytes());
                    hash.write(a.describe().as_bytes());
                    for row in samples(a.shape[0], 1) {
                        hash.write(&a.row(row)?);
                    }
                }
            }
        }
        Ok(hash.finish())
    }

    /// A hash of how tokens become rows: windows, or packed documents.
    pub fn packing_hash(&self) -> u64 {
        let mut hash = XxHash3_64::new();
        if let Source::Packed { packing, .. } = &*self.source {
            for i in 0..packing.rows() {
                hash.write_u64(i);
                packing.row(i).iter().for_each(|p| {
                    hash.write_u64(p.start);
                    hash.write_u32(p.len);
                });
            }
        }
        hash.finish()
    }

    /// A hash of which part of the data this is, in which order it is read, and by how many rows a step.
    pub fn order_hash(&self) -> u64 {
        let mut hash = XxHash3_64::new();
        let (some, seed) = self.seed.map_or((0, 0), |s| (1, s));
        [self.part.start, self.part.end, self.batch, some, seed].iter().for_each(|n| hash.write_u64(*n));
        hash.finish()
    }

    /// Which part of the data this is: `tokens 0..118080`, `rows 0..36`.
    pub fn part(&self) -> String {
        let of = if matches!(&*self.source, Source::Windows { .. }) { "tokens" } else { "rows" };
        format!("{of} {}..{}", self.part.start, self.part.end)
    }

    /// The inputs of the step that begins with this sample.
    ///
    /// # Errors
    /// Tokens outside of the range that an input declares, values that do not fit, with file and place.
    pub fn batch(&self, sample: u64) -> Result<Vec<(&str, HostTensor)>> {
        self.part_of_batch(sample, u64::MAX, 0..self.batch)
    }

    /// As [`Feed::batch`], of which `of` samples are read, again and again until the batch is full. Only some rows are read; the first
    /// of them is repeated in place of all others.
    ///
    /// # Errors
    /// As there, for the rows that are read.
    pub fn part_of_batch(&self, sample: u64, of: u64, rows: std::ops::Range<u64>) -> Result<Vec<(&str, HostTensor)>> {
        let n = self.rows();
        let rows = if rows.is_empty() { 0..self.batch.min(1) } else { rows.start..rows.end.min(self.batch) };
        let mut columns: Vec<Vec<u8>> = vec![Vec::new(); self.bound.len()];
        for g in rows.clone().map(|row| sample + row % of.max(1)) {
            let (epoch, i) = (g / n, g % n);
            let key = self
                .seed
                .map(|s| splitmix(splitmix(s ^ 0x6f72_6465_7200).wrapping_add((epoch + 1).wrapping_mul(GAMMA))));
            let i = key.map_or(i, |key| Permutation::new(n, key).at(i));
            self.row(i, key, &mut columns)?;
        }
        for column in &mut columns {
            let first = column[..column.len() / (rows.end - rows.start).max(1) as usize].to_vec();
            let (before, after) = (rows.start as usize, (self.batch - rows.end) as usize);
            if before + after > 0 {
                *column = [first.repeat(before), std::mem::take(column), first.repeat(after)].concat();
            }
        }
        let tensors = self.bound.iter().zip(columns).map(|(b, bytes)| {
            let (dtype, shape) = (b.port.dtype, b.port.global_shape.clone());
            (b.port.name.as_str(), HostTensor { dtype, shape, bytes })
        });
        Ok(tensors.collect())
    }

    /// Appends one row to every input.
    fn row(&self, i: u64, epoch: Option<u64>, columns: &mut [Vec<u8>]) -> Result<()> {
        match &*self.source {
            Source::Windows { tokens, width } => {
                let (_, slack) = cut(self.part.end - self.part.start, *width, epoch.is_some());
                // Every epoch cuts the stream at other places, so that windows differ.
                let shift = epoch.map_or(0, |key| ((u128::from(splitmix(key)) * u128::from(slack + 1)) >> 64) as u64);
                let start = self.part.start + shift + i * width;
                self.pieces(tokens, &[(start, *width)], *width, columns)
            }
            Source::Packed { tokens, packing, width } => {
                let pieces: Vec<(u64, u64)> =
                    packing.row(self.part.start + i).iter().map(|p| (p.start, u64::from(p.len))).collect();
                self.pieces(tokens, &pieces, *width, columns)
            }
            Source::Arrays(arrays) => {
                let all = Permutation::new(arrays[0].shape[0], SPLIT);
                let row = all.at(self.part.start + i);
                for (b, out) in self.bound.iter().zip(columns) {
                    let Column::Array(k) = b.column else { continue };
                    let a = &arrays[k];
                    let fail = |m: String| RuntimeError::usage(format!("{}={}: row {row}", b.port.name, a.place), m);
                    let elements = a.row(row)?;
                    if let Some(r) = b.port.range {
                        check(a.element, &elements, r).map_err(fail)?;
                    }
                    out.extend(a.element.convert_for(&elements, &b.port, Rounding::Exact).map_err(fail)?);
                }
                Ok(())
            }
        }
    }

    fn pieces(&self, tokens: &Tokens, pieces: &[(u64, u64)], width: u64, columns: &mut [Vec<u8>]) -> Result<()> {
        // Read once; inputs take their part of it.
        let mut read = Vec::new();
        for &(start, len) in pieces {
            let mut piece = vec![0; len as usize + 1];
            tokens.read(start, &mut piece)?;
            read.push((start, piece));
        }
        for (b, out) in self.bound.iter().zip(columns) {
            let mut row: Vec<i64> = Vec::with_capacity(width as usize);
            for (k, (start, piece)) in read.iter().enumerate() {
                let n = piece.len() - 1;
                match b.column {
                    Column::Tokens | Column::Targets => {
                        let from = usize::from(b.column == Column::Targets);
                        let values = &piece[from..][..n];
                        self.within(tokens, start + from as u64, values, &b.port)?;
                        row.extend(values);
                    }
                    Column::Positions => row.extend(0..n as i64),
                    Column::Segments => row.extend(std::iter::repeat_n(k as i64 + 1, n)),
                    Column::Weights => row.extend(std::iter::repeat_n(1, n)),
                    Column::Array(_) => {}
                }
            }
            // What pads a row is a token that the input allows.
            let padding = match b.column {
                Column::Tokens | Column::Targets => b.port.range.map_or(0, |r| r.lo),
                _ => 0,
            };
            row.resize(width as usize, padding);
            write(&row, b.port.dtype, out);
        }
        Ok(())
    }

    /// Tokens that a program indexes with are what it says they are.
    fn within(&self, tokens: &Tokens, start: u64, values: &[i64], port: &Port) -> Result<()> {
        let (lo, hi) = port.range.map_or(fits(port.dtype), |r| (r.lo, r.hi));
        match values.iter().position(|v| !(lo..hi).contains(v)) {
            None => Ok(()),
            Some(k) => Err(RuntimeError::usage(
                tokens.place(start + k as u64),
                format!("is {}; `{}` takes {lo}..{hi}", values[k], port.name),
            )),
        }
    }
}

/// Where samples of `n` elements begin, `each` long: everywhere, where there are few elements.
fn samples(n: u64, each: u64) -> impl Iterator<Item = u64> {
    let all = n.div_ceil(each);
    let some = all.min(SAMPLES);
    // Spread evenly, the first and the last among them.
    (0..some).map(move |k| (u128::from(k) * u128::from(all - 1) / u128::from((some - 1).max(1))) as u64 * each)
}

/// Windows that `n` tokens give, and by how many tokens they can be shifted. A target is one further than its token.
fn cut(n: u64, width: u64, shuffled: bool) -> (u64, u64) {
    let pairs = n.saturating_sub(1);
    match pairs.checked_div(width).unwrap_or(0) {
        // With one window less, every shift is possible.
        whole if whole > 1 && shuffled => (whole - 1, width - 1),
        whole => (whole, if whole > 0 { pairs - whole * width } else { 0 }),
    }
}

/// The inputs that tokens feed, `tokens` first.
fn bind_tokens(entry: &str, ports: &[Port]) -> Result<Vec<Bound>> {
    let place = || format!("entry `{entry}`");
    let mut bound: Vec<Bound> = Vec::new();
    for (name, column) in COLUMNS {
        if let Some(port) = ports.iter().find(|p| p.name == name) {
            bound.push(Bound { port: port.clone(), column });
        }
    }
    if bound.first().is_none_or(|b| b.column != Column::Tokens) {
        // Two integer matrices by other names can only be tokens and their targets.
        let integers: Vec<&Port> = ports.iter().filter(|p| p.dtype.is_int()).collect();
        bound = match integers.as_slice() {
            [a, b] => [(a, Column::Tokens), (b, Column::Targets)]
                .map(|(p, column)| Bound { port: (*p).clone(), column })
                .into(),
            _ => {
                let inputs: Vec<String> =
                    ports.iter().map(|p| format!("`{}: {}`", p.name, describe_port(p, &p.global_shape))).collect();
                let has =
                    if inputs.is_empty() { "none is left".into() } else { format!("it has {}", inputs.join(", ")) };
                let message = "files of tokens feed inputs named tokens, targets, positions, segments and weights, of shape [batch, width]";
                return Err(RuntimeError::usage(
                    place(),
                    format!("{message}; {has} (arrays are given as --data NAME=FILE)"),
                ));
            }
        };
    }
    let first = bound[0].port.clone();
    for b in &bound {
        let due = (first.global_shape.len() == 2 && first.global_shape[1] > 0)
            .then_some(&first.global_shape)
            .filter(|s| **s == b.port.global_shape);
        if due.is_none() {
            let message = format!(
                "`{}` is {} and takes [batch, width] like the other inputs that tokens feed",
                b.port.name,
                describe_port(&b.port, &b.port.global_shape)
            );
            return Err(RuntimeError::usage(place(), message));
        }
        let float = b.port.dtype.is_float();
        if float != (b.column == Column::Weights) || b.port.dtype == DType::Bool {
            let wanted = if b.column == Column::Weights { "floats" } else { "integers" };
            return Err(RuntimeError::usage(
                place(),
                format!("`{}` is {} and takes {wanted}", b.port.name, b.port.dtype.name()),
            ));
        }
    }
    Ok(bound)
}

/// Values of a dtype, as a half-open range.
fn fits(dtype: DType) -> (i64, i64) {
    dtype.range().map_or((i64::MIN, i64::MAX), |r| (*r.start(), r.end().saturating_add(1)))
}

/// Small integers as elements of a port; every dtype holds 0 and 1, which is all that floats are asked for.
fn write(values: &[i64], dtype: DType, out: &mut Vec<u8>) {
    let size = dtype.bytes() as usize;
    for &v in values {
        match dtype {
            DType::F32 => out.extend((v as f32).to_le_bytes()),
            DType::F64 => out.extend((v as f64).to_le_bytes()),
            DType::F16 => out.extend(half::f16::from_f64(v as f64).to_le_bytes()),
            DType::BF16 => out.extend(half::bf16::from_f64(v as f64).to_le_bytes()),
            _ => out.extend(&v.to_le_bytes()[..size]),
        }
    }
}

fn check(element: Element, bytes: &[u8], r: Range) -> Result<(), String> {
    if !element.is_integer() {
        return Ok(());
    }
    let range = i128::from(r.lo)..i128::from(r.hi);
    let outside = |v: &(usize, i128)| !range.contains(&v.1);
    match bytes.chunks_exact(element.size()).map(|c| element.integer(c)).enumerate().find(outside) {
        None => Ok(()),
        Some((at, v)) => Err(format!("element {at} is {v}; the program takes {}..{}", r.lo, r.hi)),
    }
}
