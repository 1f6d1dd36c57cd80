//! Every name of a file with what it means: the table behind definitions, references, renaming, hovering and completion.
//!
//! What a name may mean by the scopes of the language is told by `scopes` of `syntax`. What stands at the top of files is known to the
//! [`Project`]. A field belongs to a struct that only elaboration knows; it tells by the types of expressions.

mod fields;

use crate::project::{Declared, Project, Source};
use meshloom_ir::Span;
use meshloom_source::Glob;
use meshloom_syntax::ast::{Expr, ExprKind, Field, FnDef, Import, Imported, LayersOf, Name, StructDef};
use meshloom_syntax::import::resolve;
use meshloom_syntax::scopes::{self, Binds, Heading, Scoped, Visitor};
use std::collections::BTreeMap;

/// What a name stands for, the same wherever it is written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A variable, parameter or dim of a signature: the place of its declaration.
    Local {
        file: String,
        at: u32,
    },
    /// What stands at the top of a file.
    Item {
        file: String,
        name: String,
    },
    Axis {
        file: String,
        name: String,
    },
    Field {
        file: String,
        owner: String,
        name: String,
    },
    /// What the compiler itself knows: `dot`, `all_gather`.
    Primitive(String),
    /// A file that is imported.
    File(String),
}

impl Symbol {
    fn field(file: &str, owner: &StructDef, name: &str) -> Symbol {
        Symbol::Field { file: file.to_string(), owner: owner.name.text.clone(), name: name.to_string() }
    }
}

/// What may stand where a name stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameSpace {
    Value,
    Function,
    Type,
    /// An axis, in a layout of a tensor with so many dims where that is known.
    Axis {
        rank: Option<usize>,
    },
    /// Of an expression at these bytes.
    Field {
        base: (u32, u32),
    },
    /// The name of an argument of what is called.
    Argument {
        callee: Option<Symbol>,
    },
    Path,
    /// Something of the file with this path.
    Import {
        from: String,
    },
    Layout,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    pub start: u32,
    pub end: u32,
    pub text: String,
    pub space: NameSpace,
    pub symbol: Option<Symbol>,
    pub declares: bool,
}

/// Types of places of one file, as elaboration shows them.
pub type Types = BTreeMap<(u32, u32), Vec<String>>;

/// What a walk found.
pub struct Mentions {
    pub all: Vec<Mention>,
    /// Names of variables at the cursor that was asked for, innermost last.
    pub scope: Vec<(String, Symbol)>,
}

impl Mentions {
    /// The mention at a byte; where two names touch, the one that begins there.
    pub fn at(&self, offset: usize) -> Option<&Mention> {
        let o = u32::try_from(offset).ok()?;
        let here = self.all.iter().filter(|m| m.start <= o && o <= m.end);
        here.min_by_key(|m| (m.end == o, m.end - m.start))
    }
}

/// Walks a file of a project. `cursor` is a byte at which the variables in scope are wanted.
pub fn mentions(project: &Project, path: &str, types: &Types, cursor: Option<usize>) -> Mentions {
    let Some(source) = project.file(path) else { return Mentions { all: Vec::new(), scope: Vec::new() } };
    let cursor = cursor.and_then(|c| u32::try_from(c).ok());
    let mut noted =
        Noted { project, path, source, types, cursor, bound: Scoped::default(), out: Vec::new(), scope: Vec::new() };
    // The walk may change names. These are left as they are.
    scopes::file(&mut noted, &mut source.tree.clone());
    noted.out.sort_by_key(|m| (m.start, m.end));
    Mentions { all: noted.out, scope: noted.scope }
}

struct Noted<'a> {
    project: &'a Project,
    path: &'a str,
    source: &'a Source,
    types: &'a Types,
    cursor: Option<u32>,
    bound: Scoped<Symbol>,
    out: Vec<Mention>,
    scope: Vec<(String, Symbol)>,
}

impl Noted<'_> {
    fn push(&mut self, span: Span, text: &str, space: NameSpace, symbol: Option<Symbol>, declares: bool) {
        if self.cursor.is_some_and(|c| span.start <= c && c <= span.end) {
            self.scope = self.bound.all().to_vec();
        }
        self.out.push(Mention { start: span.start, end: span.end, text: text.to_string(), space, symbol, declares });
    }

    fn uses(&mut self, name: &Name, space: NameSpace, symbol: Option<Symbol>) {
        self.push(name.span, &name.text, space, symbol, false);
    }

    fn local(&self, name: &Name) -> Symbol {
        Symbol::Local { file: self.path.to_string(), at: name.span.start }
    }

    /// What stands at the top of a file, or in the library; else a primitive.
    fn declared(&self, name: &str) -> Option<Symbol> {
        let found = self.project.lookup(self.path, name).map(|(file, name)| Symbol::Item { file, name });
        found.or_else(|| crate::reference::is_primitive(name).then(|| Symbol::Primitive(name.to_string())))
    }

    fn axis_symbol(&self, name: &str) -> Option<Symbol> {
        let known = self.project.axes(self.path).iter().any(|b| b.name.text == name);
        known.then(|| Symbol::Axis { file: self.path.to_string(), name: name.to_string() })
    }

    /// A name, or one behind the name of an imported file.
    fn qualified(&mut self, name: &str, span: Span, space: NameSpace) -> Option<Symbol> {
        let symbol = self.declared(name);
        match name.split_once('.') {
            Some((file, inner)) => {
                let before = Span { end: span.start + file.len() as u32, ..span };
                let behind = Span { start: span.end.saturating_sub(inner.len() as u32), ..span };
                self.file_name(file, before);
                // Blanks around the dot would make it another text.
                if self.source.text.get(behind.start as usize..behind.end as usize) == Some(inner) {
                    self.push(behind, inner, space, symbol.clone(), false);
                }
            }
            None => self.push(span, name, space, symbol.clone(), false),
        }
        symbol
    }

    /// The name of an imported file, before a dot.
    fn file_name(&mut self, name: &str, span: Span) {
        let symbol = self.project.qualifier(self.path, name).map(|(import, target)| match &import.what {
            Imported::All { alias: Some(a) } => self.local(a),
            _ => Symbol::File(target),
        });
        self.push(span, name, NameSpace::Value, symbol, false);
    }

    fn parameter(&self, callee: Option<&Symbol>, name: &str) -> Option<Symbol> {
        let (file, def) = self.definition(callee)?;
        let p = def.params.iter().find(|p| p.name.text == name)?;
        Some(Symbol::Local { file, at: p.name.span.start })
    }

    /// The function that a symbol stands for, and its file.
    fn definition(&self, symbol: Option<&Symbol>) -> Option<(String, &FnDef)> {
        let Symbol::Item { file, name } = symbol? else { return None };
        match self.project.declared(file, name)? {
            Declared::Function(f) => Some((file.clone(), f)),
            _ => None,
        }
    }

    fn shown(&self, span: Span) -> Option<&str> {
        self.types.get(&(span.start, span.end))?.first().map(String::as_str)
    }
}

impl Visitor for Noted<'_> {
    type Local = Symbol;
    type Item = Option<Symbol>;

    fn scope(&mut self) -> &mut Scoped<Symbol> {
        &mut self.bound
    }

    fn is_declared(&self, name: &str) -> bool {
        self.project.is_declared(self.path, name)
    }

    fn is_file(&self, name: &str) -> bool {
        self.project.qualifier(self.path, name).is_some()
    }

    fn binds(&mut self, name: &Name, _: Binds) -> Symbol {
        let symbol = self.local(name);
        self.push(name.span, &name.text, NameSpace::Value, Some(symbol.clone()), true);
        symbol
    }

    /// The same name as outside, which was walked over before.
    fn keeps(&mut self, _: &Name, value: &Expr) -> Option<Symbol> {
        let span = match &value.bare().kind {
            ExprKind::Field { field, .. } => field.span,
            _ => value.bare().span,
        };
        self.out.iter().rev().find(|m| (m.start, m.end) == (span.start, span.end))?.symbol.clone()
    }

    fn value(&mut self, name: &mut String, span: Span) {
        let symbol = self.bound.get(name).cloned();
        // A dim of a signature was noted where it was bound.
        if matches!(&symbol, Some(Symbol::Local { at, .. }) if *at == span.start) {
            return;
        }
        let symbol = symbol.or_else(|| self.declared(name)).or_else(|| self.axis_symbol(name));
        self.push(span, name, NameSpace::Value, symbol, false);
    }

    fn function(&mut self, name: &mut String, span: Span) -> Option<Symbol> {
        self.qualified(name, span, NameSpace::Function)
    }

    fn type_name(&mut self, name: &mut Name) {
        self.qualified(&name.text, name.span, NameSpace::Type);
    }

    fn of_file(&mut self, e: &mut Expr) -> Option<Symbol> {
        let ExprKind::Field { base, field } = &e.kind else { return None };
        let ExprKind::Name(file) = &base.kind else { return None };
        self.file_name(file, base.span);
        let symbol = self.declared(&format!("{file}.{}", field.text));
        self.uses(field, NameSpace::Value, symbol.clone());
        symbol
    }

    fn heading(&mut self, name: &mut Name, what: Heading) {
        let space = match what {
            Heading::Constant => NameSpace::Value,
            Heading::Struct => NameSpace::Type,
            Heading::Function => NameSpace::Function,
            Heading::Layout => NameSpace::Layout,
        };
        let symbol = Symbol::Item { file: self.path.to_string(), name: name.text.clone() };
        self.push(name.span, &name.text, space, Some(symbol), true);
    }

    fn recipe(&mut self, callee: &mut Name) -> Option<Symbol> {
        self.qualified(&callee.text, callee.span, NameSpace::Function)
    }

    fn import(&mut self, i: &Import) {
        let target = resolve(self.path, &i.path.text);
        self.uses(&i.path, NameSpace::Path, Some(Symbol::File(target.clone())));
        match &i.what {
            Imported::All { alias } => {
                if let Some(a) = alias {
                    let symbol = self.local(a);
                    self.push(a.span, &a.text, NameSpace::Value, Some(symbol), true);
                }
            }
            Imported::Names(names) => {
                for n in names {
                    let symbol =
                        self.project.lookup(&target, &n.name.text).map(|(file, name)| Symbol::Item { file, name });
                    self.uses(&n.name, NameSpace::Import { from: target.clone() }, symbol.clone());
                    if let Some(a) = &n.alias {
                        self.push(a.span, &a.text, NameSpace::Value, symbol.clone(), false);
                    }
                }
            }
        }
    }

    fn axis(&mut self, name: &Name, rank: Option<usize>) {
        let symbol = self.axis_symbol(&name.text);
        self.uses(name, NameSpace::Axis { rank }, symbol);
    }

    fn mesh_axis(&mut self, name: &Name) {
        let symbol = self.axis_symbol(&name.text);
        self.push(name.span, &name.text, NameSpace::Axis { rank: None }, symbol, true);
    }

    fn asserted(&mut self, scope: &Name) {
        let symbol = self.declared(&scope.text);
        self.uses(scope, NameSpace::Function, symbol);
    }

    fn rank(&self, value: Span) -> Option<usize> {
        self.shown(value).and_then(shown_rank)
    }

    fn paths(&mut self, glob: &Glob, layers: Option<&LayersOf>) -> Option<usize> {
        self.glob(glob, layers)
    }

    fn has_field(&mut self, owner: &StructDef, f: &Field) {
        let symbol = Symbol::field(self.path, owner, &f.name.text);
        self.push(f.name.span, &f.name.text, NameSpace::Field { base: (0, 0) }, Some(symbol), true);
    }

    fn field(&mut self, base: &Expr, name: &Name) {
        let symbol = self.field_of(base.span, &name.text);
        self.uses(name, NameSpace::Field { base: (base.span.start, base.span.end) }, symbol);
    }

    fn assigned(&mut self, name: &Name) {
        let symbol = self.bound.get(&name.text).cloned();
        self.uses(name, NameSpace::Value, symbol);
    }

    fn argument(&mut self, callee: &Option<Symbol>, name: &str, span: Span) {
        let symbol = self.parameter(callee.as_ref(), name);
        self.push(span, name, NameSpace::Argument { callee: callee.clone() }, symbol, false);
    }

    fn transform(&mut self, callee: &Name) {
        let symbol = self.declared(&callee.text);
        self.uses(callee, NameSpace::Function, symbol);
    }
}

/// The number of dims of a tensor's type as it is shown: `f32[batch, seq]`.
fn shown_rank(shown: &str) -> Option<usize> {
    let (dtype, dims) = shown.split_once('[').map_or((shown, ""), |(d, rest)| (d, rest.trim_end_matches(']')));
    meshloom_ir::DType::from_name(dtype)?;
    let mut depth = 0usize;
    let commas = dims.chars().filter(|&c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    Some(if dims.is_empty() { 0 } else { commas.count() + 1 })
}
