//! What the entries of the op table print and read their attributes with: the text between an op's braces.
//!
//! [`Attrs`] is the reader, a cursor inside the braces with the mesh whose axes may be named; the `show_..` functions write what it
//! reads back. What an op's own attributes are stands in its entry ([`crate::table`]). Operands, types and regions are the
//! parser's ([`crate::parse`]).

use crate::layout::text::{read_axes, read_constraint, read_layout, read_reduction, show_axes};
use crate::layout::{Constraint, Layout, Reduction};
use crate::mesh::{Axis, Mesh};
use crate::op::Attr;
use crate::scan::{Cursor, ParseResult, is_name_char};
use crate::types::{Literal, Scalar};
use crate::verify::{MAX_ELEMENTS, MAX_RANK};
use std::fmt::Write;

/// A reader of attributes.
pub(crate) struct Attrs<'p, 'a> {
    pub c: &'p mut Cursor<'a>,
    pub mesh: &'p Mesh,
}

impl Attrs<'_, '_> {
    pub fn attr(&mut self) -> ParseResult<Attr> {
        if self.c.peek() == Some('"') {
            return Ok(Attr::Str(self.c.string()?));
        }
        if self.c.eat_word("true") {
            return Ok(Attr::Bool(true));
        }
        if self.c.eat_word("false") {
            return Ok(Attr::Bool(false));
        }
        Ok(match self.scalar()? {
            Scalar::Int(i) => Attr::Int(i),
            Scalar::Float(b) => Attr::Float(b),
        })
    }

    pub fn literal(&mut self) -> ParseResult<Literal> {
        if self.c.peek() != Some('[') {
            return Ok(Literal::Splat(self.scalar()?));
        }
        self.c.expect("[")?;
        let mut out = Vec::new();
        while !self.c.eat("]") {
            out.push(self.scalar()?);
            if !self.c.eat(",") && self.c.peek() != Some(']') {
                return self.c.expected("`,` or `]`");
            }
        }
        Ok(Literal::Dense(out))
    }

    pub fn scalar(&mut self) -> ParseResult<Scalar> {
        let at = self.c.pos();
        let text = self.c.number_text()?;
        if let Ok(i) = text.parse::<i64>() {
            return Ok(Scalar::Int(i));
        }
        let bits = if text == "nan" {
            Some(f64::NAN.to_bits())
        } else if let Some(hex) = text.strip_prefix("nan(0x") {
            let bits = u64::from_str_radix(hex.trim_end_matches(')'), 16).ok();
            bits.filter(|&b| f64::from_bits(b).is_nan())
        } else {
            text.parse::<f64>().ok().map(f64::to_bits)
        };
        match bits {
            Some(b) => Ok(Scalar::Float(b)),
            None => self.c.error_at(at, format!("`{text}` is not a number")),
        }
    }

    /// Bits of an f64.
    pub fn float(&mut self) -> ParseResult<u64> {
        Ok(match self.scalar()? {
            Scalar::Float(bits) => bits,
            Scalar::Int(i) => (i as f64).to_bits(),
        })
    }

    pub fn int(&mut self) -> ParseResult<i64> {
        let at = self.c.pos();
        match self.scalar()? {
            Scalar::Int(i) => Ok(i),
            Scalar::Float(_) => self.c.error_at(at, "an integer is needed"),
        }
    }

    pub fn dim(c: &mut Cursor<'_>) -> ParseResult<usize> {
        Ok(c.number("a dim", MAX_RANK as u64)? as usize)
    }

    pub fn keyed_dim(&mut self, key: &str) -> ParseResult<usize> {
        self.c.expect_word(key)?;
        Self::dim(self.c)
    }

    pub fn keyed_size(&mut self, key: &str) -> ParseResult<u64> {
        self.c.expect_word(key)?;
        self.c.number("a size", MAX_ELEMENTS)
    }

    /// A width of padding, which may be negative.
    pub fn signed(&mut self) -> ParseResult<i64> {
        let sign = if self.c.eat("-") { -1 } else { 1 };
        Ok(sign * self.c.number("a width", MAX_ELEMENTS)? as i64)
    }

    /// `size 1003`, where it is given.
    pub fn size(&mut self, key: &str) -> ParseResult<Option<u64>> {
        if self.c.peek_word() == key { self.keyed_size(key).map(Some) } else { Ok(None) }
    }

    pub fn dims(&mut self) -> ParseResult<Vec<usize>> {
        self.c.list("[", "]", Self::dim)
    }

    pub fn ranges(&mut self) -> ParseResult<(Vec<u64>, Vec<u64>)> {
        let pairs = self.c.list("[", "]", |c| {
            let a = c.number("a bound", MAX_ELEMENTS)?;
            c.expect(":")?;
            Ok((a, c.number("a bound", MAX_ELEMENTS)?))
        })?;
        Ok(pairs.into_iter().unzip())
    }

    pub fn reduction(&mut self) -> ParseResult<Reduction> {
        read_reduction(self.c)
    }

    /// `data`, or `(data, model)`, major first.
    pub fn axes(&mut self) -> ParseResult<Vec<Axis>> {
        read_axes(self.c, self.mesh)
    }

    pub fn over(&mut self, key: &str) -> ParseResult<Vec<Axis>> {
        self.c.expect_word(key)?;
        self.axes()
    }

    pub fn shard(&mut self) -> ParseResult<Vec<Axis>> {
        if self.c.peek_word() == "shard" {
            return self.over("shard");
        }
        Ok(Vec::new())
    }

    pub fn layout(&mut self) -> ParseResult<Layout> {
        read_layout(self.c, self.mesh)
    }

    pub fn constraint(&mut self) -> ParseResult<Constraint> {
        read_constraint(self.c, self.mesh)
    }

    /// A count, which `what` names in an error.
    pub fn count(&mut self, what: &str) -> ParseResult<u64> {
        self.c.number(what, MAX_ELEMENTS)
    }

    /// `[8, 16]`
    pub fn sizes(&mut self) -> ParseResult<Vec<u64>> {
        self.c.list("[", "]", |c| c.number("a size", MAX_ELEMENTS))
    }

    /// `[8, 16] split [data, _]`: the second part may be missing.
    pub fn split(&mut self) -> ParseResult<Vec<Vec<Axis>>> {
        if self.c.eat_word("split") { Ok(self.layout()?.dims) } else { Ok(Vec::new()) }
    }
}

/// The size that a gathered dim is cut to.
pub(crate) fn show_size(size: Option<u64>) -> String {
    size.map_or(String::new(), |n| format!(" size {n}"))
}

pub(crate) fn show_constraint(c: &Constraint, mesh: &Mesh) -> String {
    if c.absent {
        return format!("absent {}", c.dims.len());
    }
    c.show(mesh)
}

/// Where an op says which axes split what it counts, `before` in front of it; nothing where none do.
pub(crate) fn show_shard(before: &str, axes: &[Axis], mesh: &Mesh) -> String {
    if axes.is_empty() { String::new() } else { format!("{before}shard {}", show_axes(axes, mesh)) }
}

/// Axes of each dim, as in a layout.
pub(crate) fn show_split(dims: &[Vec<Axis>], mesh: &Mesh) -> String {
    Layout { dims: dims.to_vec(), partial: Default::default() }.show(mesh)
}

pub(crate) fn show_ranges(a: &[u64], b: &[u64]) -> String {
    let n = a.len().max(b.len());
    let at = |v: &[u64], i: usize| v.get(i).map_or("?".into(), u64::to_string);
    let list: Vec<String> = (0..n).map(|i| format!("{}:{}", at(a, i), at(b, i))).collect();
    format!("[{}]", list.join(", "))
}

pub(crate) fn show_attr(a: &Attr) -> String {
    match a {
        Attr::Bool(b) => b.to_string(),
        Attr::Int(i) => i.to_string(),
        Attr::Float(b) => show_float(*b),
        Attr::Str(s) => quote(s),
    }
}

pub(crate) fn show_scalar(x: Scalar) -> String {
    match x {
        Scalar::Float(b) => show_float(b),
        Scalar::Int(i) => i.to_string(),
    }
}

/// The shortest decimal that reads back as the same f64; it has a point, an exponent or a name, so it is no integer.
pub(crate) fn show_float(bits: u64) -> String {
    let x = f64::from_bits(bits);
    if !x.is_nan() {
        return format!("{x:?}");
    }
    if bits == f64::NAN.to_bits() { "nan".into() } else { format!("nan({bits:#x})") }
}

/// Whether a name stands without quotes: a path of identifiers, numbers and stars.
pub(crate) fn is_bare(s: &str) -> bool {
    s.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && s.chars().all(is_name_char)
}

pub(crate) fn show_name(s: &str) -> String {
    if is_bare(s) { s.into() } else { quote(s) }
}

pub(crate) fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
