//! Layouts as text, `[data, _, (a, b)] + partial(model)`: the one printer and the one parser of them. The IR's text,
//! certificates, reports, and layouts that are written into a source all go by it.
//!
//! Not here: the grammar of Loom, whose layouts have a place for every name (`syntax`), and sdy's notation (`stablehlo`).

use super::{Constraint, DimSpec, Layout, Reduction};
use crate::mesh::{Axis, Mesh};
use crate::scan::{Cursor, ParseResult};

/// The axes of one dim, major first: `_`, `data`, `(data, model)`; with `?` behind where the dim is open.
pub fn show_dim<N: AsRef<str>>(axes: &[N], open: bool) -> String {
    let mut s = match axes {
        [] if open => String::new(),
        [] => "_".into(),
        [one] => one.as_ref().into(),
        many => format!("({})", many.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")),
    };
    s.extend(open.then_some('?'));
    s
}

/// A layout of dims that [`show_dim`] has shown, and of partial axes with their reductions.
pub fn show<'n>(dims: &[String], partial: impl IntoIterator<Item = (&'n str, &'n str)>) -> String {
    let mut s = format!("[{}]", dims.join(", "));
    for (axis, reduction) in partial {
        s += &match reduction {
            "sum" => format!(" + partial({axis})"),
            other => format!(" + partial({axis}, {other})"),
        };
    }
    s
}

/// As [`show_dim`], of axes of a mesh.
pub fn show_axes(axes: &[Axis], mesh: &Mesh) -> String {
    show_dim(&names(axes, mesh), false)
}

fn names<'m>(axes: &[Axis], mesh: &'m Mesh) -> Vec<&'m str> {
    axes.iter().map(|&a| mesh.name(a)).collect()
}

impl Layout {
    /// Text form with the axes' names: `[data, _, (a, b)] + partial(model)`; `+ partial(model, max)` for other reductions.
    pub fn show(&self, mesh: &Mesh) -> String {
        Constraint::exactly(self).show(mesh)
    }
}

impl Constraint {
    /// Text form: `[data, ?, model?]`, with `+ copies(model)` where an axis may not stand; empty when absent.
    pub fn show(&self, mesh: &Mesh) -> String {
        if self.absent {
            return String::new();
        }
        let dim = |d: &DimSpec| match d {
            DimSpec::Exactly(a) => show_dim(&names(a, mesh), false),
            DimSpec::AtLeast(a) => show_dim(&names(a, mesh), true),
        };
        let dims: Vec<String> = self.dims.iter().map(dim).collect();
        let mut s = show(&dims, self.partial.iter().map(|(&a, r)| (mesh.name(a), r.name())));
        for &a in &self.replicated {
            s += &format!(" + copies({})", mesh.name(a));
        }
        s
    }
}

/// An axis of the mesh, by its name.
///
/// # Errors
/// The mesh has none of this name.
pub fn read_axis(c: &mut Cursor<'_>, mesh: &Mesh) -> ParseResult<Axis> {
    let word = c.peek_word();
    match mesh.axis(word) {
        Some(a) => {
            c.expect_word(word)?;
            Ok(a)
        }
        None if word.is_empty() => c.expected(&format!("an axis of the mesh {mesh}")),
        None => c.error(format!("the mesh {mesh} has no axis `{word}`")),
    }
}

/// The axes of one dim: `_`, `data`, or `(data, model)`, major first.
///
/// # Errors
/// Something else stands here, or an axis that the mesh does not have.
pub fn read_axes(c: &mut Cursor<'_>, mesh: &Mesh) -> ParseResult<Vec<Axis>> {
    if c.eat_word("_") {
        return Ok(Vec::new());
    }
    if c.peek() != Some('(') {
        return Ok(vec![read_axis(c, mesh)?]);
    }
    c.list("(", ")", |c| read_axis(c, mesh))
}

/// `sum`, `max` ..
///
/// # Errors
/// The word names no reduction.
pub fn read_reduction(c: &mut Cursor<'_>) -> ParseResult<Reduction> {
    match Reduction::from_name(c.peek_word()) {
        Some(r) => {
            c.expect_word(r.name())?;
            Ok(r)
        }
        None => c.expected("sum, max or min"),
    }
}

/// A layout: every dim closed.
///
/// # Errors
/// As for [`read_constraint`]; and a dim that is open.
pub fn read_layout(c: &mut Cursor<'_>, mesh: &Mesh) -> ParseResult<Layout> {
    let at = c.pos();
    let read = read_constraint(c, mesh)?;
    match read.closed().filter(|_| read.replicated.is_empty()) {
        Some(l) => Ok(l),
        None => c.error_at(at, "a layout has no open dims (`?`) and no `copies`"),
    }
}

/// What [`Constraint::show`] writes.
///
/// # Errors
/// Something else stands here, an axis that the mesh does not have, or one that is partial twice.
pub fn read_constraint(c: &mut Cursor<'_>, mesh: &Mesh) -> ParseResult<Constraint> {
    let mut read = Constraint::of(c.list("[", "]", |c| {
        let axes = if c.peek() == Some('?') { Vec::new() } else { read_axes(c, mesh)? };
        Ok(if c.eat("?") { DimSpec::AtLeast(axes) } else { DimSpec::Exactly(axes) })
    })?);
    while c.eat("+") {
        let copies = c.eat_word("copies");
        if !copies {
            c.expect_word("partial")?;
        }
        c.expect("(")?;
        let at = c.pos();
        let axis = read_axis(c, mesh)?;
        let fresh = if copies {
            read.replicated.insert(axis)
        } else {
            let kind = if c.eat(",") { read_reduction(c)? } else { Reduction::Sum };
            read.partial.insert(axis, kind).is_none()
        };
        if !fresh {
            return c.error_at(at, format!("`{}` stands here twice", mesh.name(axis)));
        }
        c.expect(")")?;
    }
    Ok(read)
}
