//! Writes a layout into a source text, where a person would write it: on the declaration of a field or parameter,
//! behind the expression that makes a value, or as the last rule of a `layout` block. `explain` plans the text that
//! comes out of here and prints the change that was made, so its suggestions are what it tried.

use crate::ast::*;
use crate::parse::parse;
use meshloom_ir::{FileId, Span};

/// Replaces bytes `start..end` of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub start: usize,
    pub end: usize,
    pub with: String,
    /// What was written, as it then stands there: `h @ [data, _]`.
    pub shown: String,
}

impl Edit {
    pub fn apply(&self, text: &str) -> String {
        format!("{}{}{}", &text[..self.start], self.with, &text[self.end..])
    }
}

/// Writes `@ layout` on what stands at `span` of file `file`: a field, a parameter, the result type of a function, or an
/// expression. A layout that stands there already is replaced.
pub fn annotate(text: &str, file: FileId, span: Span, layout: &str) -> Option<Edit> {
    let tree = parse(file, text).file;
    let place = tree.items.iter().find_map(|i| item(i, span))?;
    Some(place.edit(text, layout))
}

/// Adds a rule to a `layout` block as its last one, which goes before all others.
pub fn add_rule(text: &str, file: FileId, block: &str, rule: &str) -> Option<Edit> {
    let tree = parse(file, text).file;
    let is = |i: &&Item| matches!(&i.kind, ItemKind::Layout(l) if l.name.text == block);
    let item = tree.items.iter().find(is)?;
    let end = item.span.end as usize;
    let brace = text.get(..end)?.rfind('}')?;
    let line = text[..brace].rfind('\n').map_or(0, |n| n + 1);
    let own_line = text[line..brace].trim().is_empty();
    let (at, with) = if own_line { (line, format!("    {rule}\n")) } else { (brace, format!("\n    {rule}\n")) };
    Some(Edit { start: at, end: at, with, shown: rule.to_string() })
}

/// Whether a function's parameter, result or body has expressions or declarations at `span`.
enum Place {
    /// A layout to replace, on what stands before it.
    Replace { on: Span, layout: Span },
    /// Behind a declaration.
    Behind { on: Span, at: u32 },
    /// Behind an expression where nothing binds it to what follows.
    Loose(Span),
    /// An operand: the layout needs parentheses.
    Operand(Span),
}

impl Place {
    fn edit(&self, text: &str, layout: &str) -> Edit {
        let source = |s: Span| squeeze(text.get(s.start as usize..s.end as usize).unwrap_or(""));
        let edit = |start: u32, end: u32, with: String, shown: String| Edit {
            start: start as usize,
            end: end as usize,
            with,
            shown,
        };
        match *self {
            Place::Replace { on, layout: l } => {
                edit(l.start, l.end, layout.to_string(), format!("{} @ {layout}", source(on)))
            }
            Place::Behind { on, at } => edit(at, at, format!(" @ {layout}"), format!("{} @ {layout}", source(on))),
            Place::Loose(on) => edit(on.end, on.end, format!(" @ {layout}"), format!("{} @ {layout}", source(on))),
            Place::Operand(on) => {
                let inner = text.get(on.start as usize..on.end as usize).unwrap_or("");
                edit(on.start, on.end, format!("({inner} @ {layout})"), format!("({} @ {layout})", source(on)))
            }
        }
    }
}

/// On one line, however it is written.
fn squeeze(text: &str) -> String {
    let code = text.lines().map(|l| l.split("//").next().unwrap_or(l));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

fn item(i: &Item, span: Span) -> Option<Place> {
    match &i.kind {
        ItemKind::Struct(s) => s.fields.iter().find(|f| f.span == span).map(|f| {
            let on = f.name.span.to(f.ty.span);
            declared(on, f.ty.span.end, f.layout.as_ref())
        }),
        ItemKind::Fn(f) => {
            let param = f.params.iter().find(|p| p.span == span).and_then(|p| {
                let ty = p.ty.as_ref()?;
                let end = p.range.as_ref().map_or(ty.span, |r| r.1.span);
                Some(declared(p.name.span.to(end), end.end, p.layout.as_ref()))
            });
            let result = f.result.as_ref().filter(|t| t.span == span);
            let result = result.map(|t| declared(t.span, t.span.end, f.result_layout.as_ref()));
            param
                .or(result)
                .or_else(|| block(&f.body, span))
                .or_else(|| f.rule.as_ref().and_then(|r| block(&r.body, span)))
        }
        _ => None,
    }
}

fn declared(on: Span, at: u32, layout: Option<&LayoutExpr>) -> Place {
    match layout {
        Some(l) => Place::Replace { on, layout: l.span },
        None => Place::Behind { on, at },
    }
}

fn block(b: &Block, span: Span) -> Option<Place> {
    b.stmts.iter().find_map(|s| match &s.kind {
        StmtKind::Let { value: e, .. }
        | StmtKind::Assign { value: e, .. }
        | StmtKind::AssignField { value: e, .. }
        | StmtKind::Expr(e) => expr(e, span, true),
        StmtKind::For { over, until, body, .. } => expr(over, span, false)
            .or_else(|| until.as_ref().and_then(|e| expr(e, span, false)))
            .or_else(|| block(body, span)),
        StmtKind::While { condition, body, .. } => expr(condition, span, false).or_else(|| block(body, span)),
        StmtKind::State { .. } | StmtKind::Error => None,
    })
}

/// `loose`: a layout behind the expression would be about all of it, and end what it stands in.
fn expr(e: &Expr, span: Span, loose: bool) -> Option<Place> {
    if e.span.end < span.end || e.span.start > span.start {
        return None;
    }
    if let ExprKind::Constrain { value, layout } = &e.kind {
        // The constrained value is asked for, or what is constrained: one annotation is enough for both.
        if e.span == span || value.span == span {
            return Some(Place::Replace { on: value.span, layout: layout.span });
        }
        return expr(value, span, true);
    }
    let below = || {
        let inside = matches!(
            e.kind,
            ExprKind::Call { .. }
                | ExprKind::Apply { .. }
                | ExprKind::Tuple(_)
                | ExprKind::List(_)
                | ExprKind::Paren(_)
        );
        let inner = blocks(e).into_iter().find_map(|b| block(b, span));
        inner.or_else(|| children(e).into_iter().find_map(|c| expr(c, span, inside)))
    };
    if e.span == span {
        // An `else if` has the span of its `if`.
        return below().or(Some(if loose { Place::Loose(e.span) } else { Place::Operand(e.span) }));
    }
    below()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "struct P {
    w: f32[a, b] @ [_, model] = zeros,
    v: f32[a],  // a comment
}
fn f(p: P, x: f32[a] in 0..9 @ [data], y: f32[a]) -> f32[a] {
    let h = gelu(dot(x, p.w)) @ [data, _]
    let [q, k] = einsum(\"a->a\", x)
    for i in 0..3 { x = x + (y) }
    x + dot(h, y) * if true { x } else { y
        * 2 }
}
layout l { params *: _ }
layout m {
    params *: _
}
";

    fn at(what: &str, layout: &str) -> String {
        let start = SOURCE.find(what).expect("there");
        let span = Span::new(FileId(0), start, start + what.len());
        let edit = annotate(SOURCE, FileId(0), span, layout).expect("a place");
        let after = edit.apply(SOURCE);
        assert!(parse(FileId(0), &after).errors.is_empty(), "{after}");
        edit.shown
    }

    #[test]
    fn layouts_go_where_people_write_them() {
        for (what, shown) in [
            ("w: f32[a, b] @ [_, model] = zeros", "w: f32[a, b] @ L"),
            ("v: f32[a]", "v: f32[a] @ L"),
            ("x: f32[a] in 0..9 @ [data]", "x: f32[a] in 0..9 @ L"),
            ("y: f32[a]", "y: f32[a] @ L"),
            ("gelu(dot(x, p.w)) @ [data, _]", "gelu(dot(x, p.w)) @ L"),
            ("gelu(dot(x, p.w))", "gelu(dot(x, p.w)) @ L"),
            ("dot(x, p.w)", "dot(x, p.w) @ L"),
            ("einsum(\"a->a\", x)", "einsum(\"a->a\", x) @ L"),
            ("dot(h, y)", "(dot(h, y) @ L)"),
            ("x + (y)", "x + (y) @ L"),
            ("y\n        * 2", "y * 2 @ L"),
        ] {
            assert_eq!(at(what, "[data, (a, b)]"), shown.replace('L', "[data, (a, b)]"), "{what}");
        }
        let nowhere = Span::new(FileId(0), 3, 5);
        assert_eq!(annotate(SOURCE, FileId(0), nowhere, "[_]"), None);
    }

    #[test]
    fn rules_become_the_last_of_a_block() {
        for block in ["l", "m"] {
            let edit = add_rule(SOURCE, FileId(0), block, "params w: [_, model]").expect("a block");
            let after = edit.apply(SOURCE);
            let tree = parse(FileId(0), &after);
            assert!(tree.errors.is_empty(), "{after}");
            let rules = tree.file.items.iter().find_map(|i| match &i.kind {
                ItemKind::Layout(l) if l.name.text == block => Some(l.rules.clone()),
                _ => None,
            });
            assert_eq!(rules.expect("it").last().map(|r| r.glob.segments.join(".")), Some("w".into()), "{after}");
        }
        assert_eq!(add_rule(SOURCE, FileId(0), "none", "params *: _"), None);
    }
}
