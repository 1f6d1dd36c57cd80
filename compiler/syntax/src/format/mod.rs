//! The formatter: one way to write each program, with comments kept, in lines of at most 100 columns where that is
//! possible.
//!
//! Comments are not in the tree. The formatter inserts them by position, wherever lines begin or end: before and behind
//! items, statements, fields and list entries. A comment that stands elsewhere moves to the start of its statement.

mod doc;
mod expr;
mod lines;

use crate::ast::*;
use crate::parse::parse;
use crate::token::Comment;
use doc::{Doc, render};
use expr::{layout, names, show_pattern};
use lines::Formatter;
use meshloom_ir::FileId;
use meshloom_source::Diagnostic;

pub const WIDTH: usize = 100;

/// Formats a program.
///
/// # Errors
/// The syntax errors of a text that does not parse; their spans are in `FileId(0)`.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(FileId(0), source);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let mut f = Formatter::new(source, parsed.comments);
    let doc = f.file(&parsed.file);
    let mut out = render(&doc, WIDTH);
    out.truncate(out.trim_end().len());
    if !out.is_empty() {
        out.push('\n');
    }
    Ok(out)
}

impl<'a> Formatter<'a> {
    fn file(&mut self, file: &File) -> Doc {
        let apart = |i: &Item| {
            !matches!(
                i.kind,
                ItemKind::Mesh(_) | ItemKind::Dim(_) | ItemKind::Const(_) | ItemKind::Assert(_) | ItemKind::Import(_)
            )
        };
        let entries = self.lines(&file.items, self.source.len() + 1, |i| i.span, apart, |f, i| f.item(i));
        self.stack(entries)
    }

    fn item(&mut self, item: &Item) -> Doc {
        let end = item.span.end as usize;
        match &item.kind {
            ItemKind::Mesh(axes) => {
                let list = self.list(
                    ("[", "]"),
                    axes,
                    end,
                    |b| b.span,
                    |f, b| {
                        let value = f.expr(&b.value);
                        Doc::Concat(vec![Doc::text(format!("{}: ", b.name.text)), value])
                    },
                );
                Doc::Concat(vec![Doc::text("mesh "), list])
            }
            ItemKind::Dim(b) => self.bindings("dim ", b),
            ItemKind::Const(b) => self.bindings("const ", b),
            ItemKind::Struct(s) => self.structure(s, end),
            ItemKind::Fn(f) => self.function(f),
            ItemKind::Train { name, optimizer } => {
                let value = self.expr(optimizer);
                Doc::Concat(vec![Doc::text(format!("train {} = ", name.text)), value])
            }
            ItemKind::Layout(l) => self.layout_block(l, end),
            ItemKind::Assert(a) => Doc::text(format!("assert {}", self.assertion(a))),
            ItemKind::Import(i) => Doc::text(import(i)),
            ItemKind::Error => Doc::text(self.text(item.span)),
        }
    }

    fn bindings(&mut self, keyword: &str, bindings: &[Binding]) -> Doc {
        let mut parts = Vec::new();
        for (i, b) in bindings.iter().enumerate() {
            if i > 0 {
                while let Some(c) = self.comment_before(b.span.start as usize) {
                    parts.extend([Doc::text(c.text), Doc::HardLine]);
                }
            }
            let value = self.expr(&b.value);
            parts.push(Doc::text(format!("{} = ", b.name.text)));
            parts.push(value);
            if let Some(next) = bindings.get(i + 1) {
                parts.push(Doc::text(","));
                if let Some(c) = self.trailing(b.span.end as usize, next.span.start as usize) {
                    parts.push(Doc::Comment(c.text.into()));
                }
                parts.push(Doc::Line);
            }
        }
        Doc::Concat(vec![Doc::text(keyword), Doc::Concat(parts).indent()]).group()
    }

    /// The comment behind the first `{` after `from`.
    fn behind_brace(&mut self, from: usize, limit: usize) -> Option<Comment<'a>> {
        let brace = from + self.source.get(from..limit)?.find('{')?;
        self.trailing(brace + 1, limit)
    }

    fn structure(&mut self, s: &StructDef, end: usize) -> Doc {
        let mut head = format!("struct {}", s.name.text);
        if !s.dims.is_empty() {
            head += &format!("[{}]", names(&s.dims));
        }
        let first = s.fields.first().map_or(end, |f| f.span.start as usize);
        let opening = self.behind_brace(s.name.span.end as usize, first);
        let runs = self.runs(s, end);
        let columns = self.columns(&s.fields, &runs);
        let mut i = 0;
        let entries = self.lines(
            &s.fields,
            end,
            |f| f.span,
            |_| false,
            |_, _| {
                i += 1;
                Doc::text(columns[i - 1].clone())
            },
        );
        Doc::Concat(vec![Doc::text(format!("{head} ")), self.braces(opening, entries)])
    }

    /// Where fields stand without an empty line between them: the first of each such run, and where the last ends. Taken
    /// from the lines that are going to be written, comments among them: reading those again must give the same runs.
    fn runs(&mut self, s: &StructDef, end: usize) -> Vec<usize> {
        let next = self.next;
        let entries = self.lines(&s.fields, end, |f| f.span, |_| false, |_, _| Doc::text(""));
        self.next = next;
        let mut field = 0;
        let mut starts = vec![0];
        for (i, e) in entries.iter().enumerate() {
            if i > 0 && self.parted(&entries[i - 1], e) && field > 0 {
                starts.push(field);
            }
            field += usize::from(!self.is_comment(e.start));
        }
        starts.push(s.fields.len());
        starts.dedup();
        starts
    }

    /// Fields as text, their types, layouts and initial values under each other within each run.
    fn columns(&mut self, fields: &[Field], runs: &[usize]) -> Vec<String> {
        let rows: Vec<[String; 4]> = fields
            .iter()
            .map(|f| {
                [
                    format!("{}{}:", if f.state { "state " } else { "" }, f.name.text),
                    self.ty(&f.ty),
                    match (&f.layout, &f.stages) {
                        (Some(l), _) => format!("@ {}", layout(l)),
                        (None, Some(s)) => self.stages(s),
                        (None, None) => String::new(),
                    },
                    f.init.as_ref().map_or(String::new(), |e| format!("= {}", self.flat(e))),
                ]
            })
            .collect();
        let mut out: Vec<String> = Vec::new();
        for run in runs.windows(2) {
            let run = &rows[run[0]..run[1]];
            let mut widths = [0; 4];
            for row in run {
                for c in 0..3 {
                    // A column is as wide as the entries that have something behind them.
                    if row[c + 1..].iter().any(|x| !x.is_empty()) {
                        widths[c] = widths[c].max(row[c].chars().count());
                    }
                }
            }
            let line = |row: &[String; 4], widths: &[usize; 4]| {
                let mut s = String::new();
                for (cell, width) in row.iter().zip(widths) {
                    if cell.is_empty() && *width == 0 {
                        continue;
                    }
                    s += &format!("{cell:width$} ");
                }
                format!("{},", s.trim_end())
            };
            let aligned: Vec<String> = run.iter().map(|r| line(r, &widths)).collect();
            let too_wide = aligned.iter().any(|l| l.chars().count() + 4 > WIDTH);
            out.extend(if too_wide { run.iter().map(|r| line(r, &[0; 4])).collect() } else { aligned });
        }
        out
    }

    /// `@ pipe(3, 5)`
    fn stages(&mut self, s: &StagesExpr) -> String {
        let sizes = s.sizes.as_ref().map_or(String::new(), |sizes| {
            let sizes: Vec<String> = sizes.iter().map(|e| self.flat(e)).collect();
            format!("({})", sizes.join(", "))
        });
        format!("@ {}{sizes}", s.axis.text)
    }

    fn function(&mut self, f: &FnDef) -> Doc {
        let keyword = match f.kind {
            FnKind::Plain => "fn ",
            FnKind::Composite => "composite fn ",
            FnKind::Entry => "entry ",
            FnKind::Optimizer => "optimizer ",
        };
        let mut head = format!("{keyword}{}", f.name.text);
        if !f.generics.is_empty() {
            head += &format!("<{}>", names(&f.generics));
        }
        let close = f.result.as_ref().map_or(f.body.span.start, |t| t.span.start) as usize;
        let params = self.list(("(", ")"), &f.params, close, |p| p.span, |s, p| Doc::text(s.param(p)));
        let mut result = String::from(" ");
        if let Some(t) = &f.result {
            result += &match &t.kind {
                TypeKind::Tuple(types) if !f.part_layouts.is_empty() => {
                    let parts = types.iter().zip(&f.part_layouts).map(|(t, l)| match l {
                        Some(l) => format!("{} @ {}", self.ty(t), layout(l)),
                        None => self.ty(t),
                    });
                    let end = if types.len() == 1 { "," } else { "" };
                    format!("-> ({}{end}) ", parts.collect::<Vec<_>>().join(", "))
                }
                _ => format!("-> {} ", self.ty(t)),
            };
            if let Some(l) = &f.result_layout {
                result += &format!("@ {} ", layout(l));
            }
        }
        let body = self.block(&f.body);
        let mut parts = vec![Doc::text(head), params, Doc::text(result), body];
        if let Some(rule) = &f.rule {
            parts.push(Doc::text(format!(" gradient({}) ", names(&rule.names))));
            parts.push(self.block(&rule.body));
        }
        Doc::Concat(parts)
    }

    fn param(&mut self, p: &Param) -> String {
        let mut s = p.name.text.clone();
        if let Some(t) = &p.ty {
            s += &format!(": {}", self.ty(t));
        }
        if let Some((a, b)) = &p.range {
            s += &format!(" in {}..{}", self.flat(a), self.flat(b));
        }
        if let Some(l) = &p.layout {
            s += &format!(" @ {}", layout(l));
        }
        if let Some(e) = &p.default {
            s += &format!(" = {}", self.flat(e));
        }
        s
    }

    fn layout_block(&mut self, l: &LayoutDef, end: usize) -> Doc {
        let first = l.rules.first().map_or(end, |r| r.span.start as usize);
        let opening = self.behind_brace(l.name.span.end as usize, first);
        let entries = self.lines(
            &l.rules,
            end,
            |r| r.span,
            |_| false,
            |_, r| Doc::text(format!("{} {}: {}", r.role.text, r.pattern(), layout(&r.layout))),
        );
        Doc::Concat(vec![Doc::text(format!("layout {} ", l.name.text)), self.braces(opening, entries)])
    }

    fn assertion(&mut self, a: &Assertion) -> String {
        match a {
            Assertion::Absent { kind, axis, scope } => {
                let axis = axis.as_ref().map_or(String::new(), |a| format!("({})", a.text));
                let scope = scope.as_ref().map_or(String::new(), |s| format!(" in {}", s.text));
                format!("no {}{axis}{scope}", kind.text)
            }
            Assertion::Bound { what, args, op, value, unit } => {
                let args = if args.is_empty() { String::new() } else { format!("({})", names(args)) };
                let unit = unit.as_ref().map_or(String::new(), |u| format!(" {}", u.text));
                format!("{}{args} {} {}{unit}", what.text, op.symbol(), self.flat(value))
            }
            Assertion::Layout { glob, layout: l } => format!("layout({}) == {}", glob.segments.join("."), layout(l)),
        }
    }

    // ---- statements

    /// A block; one that is a single statement on one line stays so while it fits.
    fn block(&mut self, b: &Block) -> Doc {
        let (start, end) = (b.span.start as usize, b.span.end as usize);
        let first = b.stmts.first().map_or(end, |s| s.span.start as usize);
        let opening = self.trailing(start + 1, first);
        if opening.is_none() && b.stmts.len() == 1 && self.newlines(start, end) == 0 {
            let stmt = self.stmt(&b.stmts[0]);
            return Doc::Concat(vec![
                Doc::text("{"),
                Doc::Concat(vec![Doc::Line, stmt]).indent(),
                Doc::Line,
                Doc::text("}"),
            ])
            .group();
        }
        let entries = self.lines(&b.stmts, end, |s| s.span, |_| false, |f, s| f.stmt(s));
        self.braces(opening, entries)
    }

    fn stmt(&mut self, s: &Stmt) -> Doc {
        match &s.kind {
            StmtKind::Let { pattern, ty, value } => {
                let ty = ty.as_ref().map_or(String::new(), |t| format!(": {}", self.ty(t)));
                let value = self.expr(value);
                Doc::Concat(vec![Doc::text(format!("let {}{ty} = ", show_pattern(pattern))), value])
            }
            StmtKind::Assign { name, value } => {
                let value = self.expr(value);
                Doc::Concat(vec![Doc::text(format!("{} = ", name.text)), value])
            }
            StmtKind::AssignField { base, field, value } => {
                let (base, value) = (self.expr(base), self.expr(value));
                Doc::Concat(vec![base, Doc::text(format!(".{} = ", field.text)), value])
            }
            StmtKind::State { name, ty, init } => {
                let ty = self.ty(ty);
                let init = self.expr(init);
                Doc::Concat(vec![Doc::text(format!("state {}: {ty} = ", name.text)), init])
            }
            StmtKind::For { pattern, over, until, settings, body } => {
                let mut parts = vec![Doc::text(format!("for {} in ", show_pattern(pattern))), self.expr(over)];
                if let Some(e) = until {
                    parts.push(Doc::text(".."));
                    parts.push(self.expr(e));
                }
                parts.extend(settings.iter().map(|(n, v)| Doc::text(format!(", {}: {}", n.text, v.text))));
                parts.push(Doc::text(" "));
                parts.push(self.block(body));
                Doc::Concat(parts)
            }
            StmtKind::While { condition, most, body } => {
                let mut parts = vec![Doc::text("while "), self.expr(condition)];
                if let Some(most) = most {
                    parts.extend([Doc::text(", at_most: "), self.expr(most)]);
                }
                parts.push(Doc::text(" "));
                parts.push(self.block(body));
                Doc::Concat(parts)
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Error => Doc::text(self.text(s.span)),
        }
    }
}

fn import(i: &Import) -> String {
    let renamed =
        |n: &str, alias: &Option<Name>| alias.as_ref().map_or(n.to_string(), |a| format!("{n} as {}", a.text));
    match &i.what {
        Imported::All { alias } => format!("import {}", renamed(&format!("\"{}\"", i.path.text), alias)),
        Imported::Names(names) => {
            let names: Vec<String> = names.iter().map(|n| renamed(&n.name.text, &n.alias)).collect();
            format!("import {} from \"{}\"", names.join(", "), i.path.text)
        }
    }
}
