//! Whether a sharding of sdy is one: what Shardy's verifier asks of axes, parts of axes, and lists of them, and of its
//! collectives. A sharding that is none would end in a plan of another program.
//!
//! Not here: what the axes stand for ([`super::sdy`]).

use super::devices::Written;
use crate::import::written::part;
use crate::lexer::Token;
use crate::tree::Tree;
use meshloom_ir::{Axis, Mesh, Reduction};
use std::collections::BTreeMap;

/// An axis, or a part of it that follows `before` positions and has `size` of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct AxisRef<'s> {
    name: &'s str,
    /// In the order of the mesh.
    place: usize,
    before: u64,
    size: u64,
}

impl AxisRef<'_> {
    fn overlaps(&self, other: &Self) -> bool {
        self.place == other.place && self.before < other.before * other.size && other.before < self.before * self.size
    }

    /// Whether the other is what follows this part: together they are one.
    fn goes_on_in(&self, other: &Self) -> bool {
        self.place == other.place && self.before * self.size == other.before
    }
}

/// Whether trees are a list of axes and parts of axes, `"a", "b":(1)2`, in a dim perhaps with a `?` behind.
fn is_list(trees: &[Tree<'_>]) -> bool {
    let is = |t: &Tree<'_>, token: Token| t.leaf(token).is_some();
    let each = || trees.split(|t| is(t, Token::Comma));
    let last = each().count() - 1;
    trees.is_empty()
        || each().enumerate().all(|(at, one)| match one {
            [name] => is(name, Token::Str) || at == last && name.leaf(Token::Sign) == Some("?"),
            [name, colon, before, size] => {
                let before = before.group(b'(').is_some_and(|t| matches!(t, [n] if is(n, Token::Int)));
                is(name, Token::Str) && is(colon, Token::Colon) && before && is(size, Token::Int)
            }
            _ => false,
        })
}

/// The axes of a list, `"a", "b":(1)2`.
fn refs<'s>(axes: &[Written], trees: &[Tree<'s>]) -> Result<Vec<AxisRef<'s>>, String> {
    if !is_list(trees) {
        return Err("a list of axes is `{\"a\", \"b\":(1)2}`".to_string());
    }
    let mut out: Vec<AxisRef<'s>> = Vec::new();
    for (at, t) in trees.iter().enumerate() {
        let Some(name) = t.leaf(Token::Str).map(|s| s.trim_matches('"')) else { continue };
        let place = axes.iter().position(|a| a.name == name);
        let place = place.ok_or_else(|| format!("the mesh has no axis `{name}`"))?;
        let whole = axes[place].size;
        let after = &trees[at + 1..];
        let (before, size) = match after.first().and_then(|t| t.leaf(Token::Colon)) {
            None => (1, whole),
            Some(_) => {
                let (before, size) =
                    part(after).filter(|&(before, size)| before >= 1 && size >= 2).ok_or_else(|| {
                        format!("a part of axis `{name}` is `\"{name}\":(before)size`, of a size of 2 or more")
                    })?;
                let fits = before.checked_mul(size).is_some_and(|n| whole.is_multiple_of(n));
                if !fits || size == whole {
                    return Err(match fits {
                        true => format!("`\"{name}\":(1){size}` is all of the axis, which is written `\"{name}\"`"),
                        false => format!("`{name}` of size {whole} has no part `({before}){size}`"),
                    });
                }
                (before, size)
            }
        };
        let next = AxisRef { name, place, before, size };
        if out.last().is_some_and(|last| last.goes_on_in(&next)) {
            return Err(format!("two parts of axis `{name}` that follow each other are written as one"));
        }
        out.push(next);
    }
    Ok(out)
}

/// What is wrong with the axes in a collective's own brackets; with `sorted`, they stand in the order of the mesh.
///
/// # Errors
/// A list that is none, an axis twice, parts that are one.
pub fn list(axes: &[Written], trees: &[Tree<'_>], sorted: bool) -> Result<(), String> {
    let own = refs(axes, trees)?;
    if sorted && !in_order(&own) {
        return Err("the axes stand in another order than in the mesh".to_string());
    }
    apart(&own)
}

fn in_order(all: &[AxisRef<'_>]) -> bool {
    all.is_sorted_by(|a, b| (a.place, a.before) <= (b.place, b.before))
}

/// A list behind the dims of a sharding: its name, the reduction where one is written, and the axes.
pub type NamedList<'t, 's> = (&'s str, Option<&'s str>, &'t [Tree<'s>]);

/// The lists behind the dims of a sharding, each once: `replicated={"a"}`, `unreduced={"b"}`, `unreduced=max{"b"}`.
///
/// # Errors
/// Something else stands there.
pub fn lists<'t, 's>(trees: &'t [Tree<'s>]) -> Result<Vec<NamedList<'t, 's>>, String> {
    let dims = trees.iter().position(|t| t.group(b'[').is_some()).map_or(trees.len(), |at| at + 1);
    let (mut rest, mut out) = (&trees[dims..], Vec::new());
    while let [comma, name, equals, behind @ ..] = rest {
        let name = name.leaf(Token::Word).filter(|n| ["replicated", "unreduced"].contains(n));
        let name = name.filter(|n| out.iter().all(|(other, _, _)| other != n));
        let (kind, behind) = match behind {
            [word, behind @ ..] if name == Some("unreduced") && word.leaf(Token::Word).is_some() => {
                (word.leaf(Token::Word), behind)
            }
            all => (None, all),
        };
        let list = behind.first().and_then(|t| t.group(b'{'));
        match (comma.leaf(Token::Comma), name, equals.leaf(Token::Equals), list) {
            (Some(_), Some(name), Some(_), Some(list)) => out.push((name, kind, list)),
            _ => break,
        }
        rest = &behind[1..];
    }
    if rest.is_empty() {
        return Ok(out);
    }
    Err("behind the dims of a sharding stand `replicated={..}` and `unreduced={..}`, each once".to_string())
}

/// What is wrong with a sharding over a mesh of these axes.
///
/// # Errors
/// An axis twice, in whole or in part; a part that is none; dims that are no lists of axes with a priority; axes that are
/// replicated or unreduced in another order than the mesh's.
pub fn sharding(axes: &[Written], trees: &[Tree<'_>]) -> Result<(), String> {
    let dims = trees.iter().find_map(|t| t.group(b'[')).unwrap_or_default();
    let mut all: Vec<AxisRef<'_>> = Vec::new();
    for d in dims.split(|t| t.leaf(Token::Comma).is_some()).filter(|_| !dims.is_empty()) {
        let inner = d.first().and_then(|t| t.group(b'{'));
        let inner = inner.ok_or("a dim of a sharding is a list of axes, `{\"a\", \"b\"}`")?;
        let own = refs(axes, inner)?;
        let behind = d.get(1).map(|t| t.leaf(Token::Word).unwrap_or_default());
        let priority = |word: &str| {
            let number = word.strip_prefix('p').filter(|n| *n == "0" || !n.starts_with('0'));
            number.is_some_and(|n| n.parse::<u32>().is_ok()) && d.len() == 2
        };
        if behind.is_some_and(|word| !priority(word)) {
            return Err("behind the axes of a dim stands a priority, `p0`, `p1`, or nothing".to_string());
        }
        if behind.is_some() && own.is_empty() && !inner.iter().any(|t| t.leaf(Token::Sign) == Some("?")) {
            return Err("a dim without axes that is closed has no priority".to_string());
        }
        all.extend(own);
    }
    for (name, _, list) in lists(trees)? {
        let own = refs(axes, list)?;
        if !in_order(&own) {
            return Err(format!("the {name} axes stand in another order than in the mesh"));
        }
        all.extend(own);
    }
    apart(&all)
}

/// Axes of which none stands twice, in whole or in part.
fn apart(all: &[AxisRef<'_>]) -> Result<(), String> {
    for (at, a) in all.iter().enumerate() {
        if all[..at].iter().any(|b| a.overlaps(b)) {
            return Err(format!("axis `{}` splits more than once", a.name));
        }
    }
    Ok(())
}

/// By dim, the axes that split a tensor, major first.
pub type Dims = Vec<Vec<Axis>>;

/// What the axes beside a collective of sdy say, in its own brackets: by dim, or of all, or from dim to dim.
pub enum Moved {
    ByDim(Dims),
    All(Vec<Axis>),
    Between(Vec<(Vec<Axis>, usize, usize)>),
    Nothing,
}

/// Whether a collective makes the second layout of the first.
///
/// # Errors
/// It makes another one, which is named.
pub fn collective(name: &str, moved: &Moved, from: &Dims, to: &Dims, mesh: &Mesh) -> Result<(), String> {
    let mut expected = from.clone();
    match (name, moved) {
        ("sdy.all_gather", Moved::ByDim(by)) if by.len() == from.len() => {
            for (d, axes) in by.iter().enumerate() {
                minor(&mut expected, d, axes)?;
            }
        }
        ("sdy.all_slice" | "sdy.reduce_scatter", Moved::ByDim(by)) if by.len() == from.len() => {
            for (d, axes) in by.iter().enumerate() {
                unused(&expected, axes, mesh)?;
                expected[d].extend(axes);
            }
        }
        ("sdy.all_gather" | "sdy.all_slice" | "sdy.reduce_scatter", Moved::ByDim(by)) => {
            return Err(format!("axes of {} dims, and the tensor has {}", by.len(), from.len()));
        }
        ("sdy.all_to_all", Moved::Between(all)) => {
            let mut dims: Vec<usize> = all.iter().flat_map(|a| [a.1, a.2]).collect();
            dims.sort_unstable();
            if !all.is_sorted_by_key(|a| a.1) || dims.windows(2).any(|d| d[0] == d[1]) {
                return Err("axes move from dims in ascending order, each dim named once".to_string());
            }
            for (axes, source, target) in all {
                if source == target || *target >= from.len() {
                    return Err(format!("axes do not move from dim {source} to dim {target}"));
                }
                minor(&mut expected, *source, axes)?;
                expected[*target].extend(axes);
            }
        }
        ("sdy.all_to_all", Moved::ByDim(_)) => return Err("no axes move".to_string()),
        ("sdy.all_reduce", Moved::All(axes)) => unused(&expected, axes, mesh)?,
        ("sdy.collective_permute", _) => {
            let count = |d: &[Axis]| d.iter().map(|&a| mesh.size(a)).product::<u64>();
            let alike = from.len() == to.len() && from.iter().zip(to).all(|(x, y)| count(x) == count(y));
            return if alike {
                Ok(())
            } else {
                Err("a permutation splits each dim in as many parts as before".to_string())
            };
        }
        _ => return Ok(()),
    }
    same_dims(&expected, to, mesh)
}

/// Takes the minor axes off a dim.
fn minor(dims: &mut Dims, d: usize, axes: &[Axis]) -> Result<(), String> {
    let Some(dim) = dims.get_mut(d) else { return Err(format!("the tensor has no dim {d}")) };
    let left = dim.len().checked_sub(axes.len()).filter(|&n| dim[n..] == *axes);
    dim.truncate(left.ok_or_else(|| format!("dim {d} is not split by these axes, with no others behind them"))?);
    Ok(())
}

fn unused(dims: &Dims, axes: &[Axis], mesh: &Mesh) -> Result<(), String> {
    match axes.iter().find(|a| dims.iter().flatten().any(|b| b == *a)) {
        Some(&a) => Err(format!("axis `{}` splits the tensor already", mesh.name(a))),
        None => Ok(()),
    }
}

fn same_dims(expected: &Dims, to: &Dims, mesh: &Mesh) -> Result<(), String> {
    if expected != to {
        let wrong = (0..to.len().max(expected.len())).find(|&d| to.get(d) != expected.get(d)).unwrap_or(0);
        let names = |d: Option<&Vec<Axis>>| match d.map(Vec::as_slice) {
            None | Some([]) => "not split".to_string(),
            Some(axes) => format!(
                "split by {}",
                axes.iter().map(|&a| format!("`{}`", mesh.name(a))).collect::<Vec<_>>().join(", ")
            ),
        };
        return Err(format!(
            "`out_sharding` has dim {wrong} {}, and this leaves it {}",
            names(to.get(wrong)),
            names(expected.get(wrong))
        ));
    }
    Ok(())
}

/// Checks the reductions over which a value is unreduced before and after an op. A new one is a sum, one that stays keeps its kind,
/// and one that the op carries out is of the kind `by`.
///
/// # Errors
/// A sentence with the kind that is wrong.
pub fn kinds(
    from: &BTreeMap<Axis, Reduction>,
    to: &BTreeMap<Axis, Reduction>,
    by: Option<Reduction>,
) -> Result<(), String> {
    if let Some((_, kind)) = to.iter().find(|(a, kind)| **kind != *from.get(a).unwrap_or(&Reduction::Sum)) {
        return Err(format!(
            "what becomes unreduced is a sum, and what is unreduced keeps its kind; this is `{}`",
            kind.name()
        ));
    }
    match from.iter().find(|(a, kind)| !to.contains_key(a) && by.is_some_and(|by| by != **kind)) {
        Some((_, kind)) => Err(format!("what is unreduced by `{}` is reduced by another kind", kind.name())),
        None => Ok(()),
    }
}

/// A layout of a value that is unreduced over some axes.
#[derive(Clone, Copy)]
pub struct Unreduced<'a> {
    pub dims: &'a Dims,
    /// The axes over which it is unreduced.
    pub over: &'a [Axis],
}

/// Checks that a collective which makes a value unreduced, or reduces it, turns the layout `from` into the layout `to`.
///
/// # Errors
/// The collective gives another layout, or its axes do not fit.
pub fn unreduced(name: &str, moved: &Moved, from: Unreduced<'_>, to: Unreduced<'_>, mesh: &Mesh) -> Result<(), String> {
    let (mut dims, mut pending) = (from.dims.clone(), from.over.to_vec());
    match (name, moved) {
        ("sdy.sharded_to_unreduced", Moved::ByDim(by)) if by.len() == dims.len() => {
            for (d, axes) in by.iter().enumerate() {
                minor(&mut dims, d, axes)?;
                pending.extend(axes);
            }
        }
        ("sdy.replicated_to_unreduced", Moved::All(axes)) if !axes.is_empty() => {
            unused(&dims, axes, mesh)?;
            pending.extend(axes);
        }
        ("sdy.all_reduce", Moved::All(axes)) => {
            unused(&dims, axes, mesh)?;
            pending.retain(|a| !axes.contains(a));
        }
        _ => return Err("its axes do not fit the tensor".to_string()),
    }
    same_dims(&dims, to.dims, mesh)?;
    let mut due = to.over.to_vec();
    due.sort_unstable();
    pending.sort_unstable();
    if due != pending {
        let names = |all: &[Axis]| all.iter().map(|&a| format!("`{}`", mesh.name(a))).collect::<Vec<_>>().join(", ");
        return Err(format!(
            "`out_sharding` is unreduced over [{}], and this leaves [{}]",
            names(&due),
            names(&pending)
        ));
    }
    Ok(())
}
