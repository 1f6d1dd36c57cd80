//! Every name of a file with what it means: the table behind definitions, references, renaming, hovering and completion.
//!
//! The walk follows the scopes of the language as `import/rename` of `syntax` does, and keeps places where that one keeps full
//! names. A field belongs to a struct that only elaboration knows; it tells by the types of expressions.

mod code;

use crate::project::{Declared, Project, Source};
use meshloom_ir::Span;
use meshloom_source::Glob;
use meshloom_syntax::ast::{
    Assertion, Binding, DimArg, Expr, ExprKind, FnDef, Import, Imported, Item, ItemKind, LayersOf, LayoutExpr,
    LayoutKind, Name, StructDef, Type, TypeKind,
};
use meshloom_syntax::import::resolve;
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
    let mut walk = Walk { project, path, source, types, cursor, bound: Vec::new(), out: Vec::new(), scope: Vec::new() };
    source.tree.items.iter().for_each(|i| walk.item(i));
    walk.out.sort_by_key(|m| (m.start, m.end));
    Mentions { all: walk.out, scope: walk.scope }
}

struct Walk<'a> {
    project: &'a Project,
    path: &'a str,
    source: &'a Source,
    types: &'a Types,
    cursor: Option<u32>,
    /// Variables, parameters and dims of signatures, innermost last.
    bound: Vec<(String, Symbol)>,
    out: Vec<Mention>,
    scope: Vec<(String, Symbol)>,
}

impl Walk<'_> {
    fn push(&mut self, span: Span, text: &str, space: NameSpace, symbol: Option<Symbol>, declares: bool) {
        if self.cursor.is_some_and(|c| span.start <= c && c <= span.end) {
            self.scope.clone_from(&self.bound);
        }
        self.out.push(Mention { start: span.start, end: span.end, text: text.to_string(), space, symbol, declares });
    }

    fn uses(&mut self, name: &Name, space: NameSpace, symbol: Option<Symbol>) {
        self.push(name.span, &name.text, space, symbol, false);
    }

    fn here(&self, name: &str) -> Symbol {
        Symbol::Item { file: self.path.to_string(), name: name.to_string() }
    }

    fn local(&self, name: &Name) -> Symbol {
        Symbol::Local { file: self.path.to_string(), at: name.span.start }
    }

    /// Declares a variable.
    fn bind(&mut self, name: &Name) {
        let symbol = self.local(name);
        self.push(name.span, &name.text, NameSpace::Value, Some(symbol.clone()), true);
        self.bound.push((name.text.clone(), symbol));
    }

    fn variable(&self, name: &str) -> Option<Symbol> {
        self.bound.iter().rev().find(|b| b.0 == name).map(|b| b.1.clone())
    }

    /// What stands at the top of a file, or in the library; else a primitive.
    fn declared(&self, name: &str) -> Option<Symbol> {
        let found = self.project.lookup(self.path, name).map(|(file, name)| Symbol::Item { file, name });
        found.or_else(|| crate::reference::is_primitive(name).then(|| Symbol::Primitive(name.to_string())))
    }

    fn axis(&mut self, name: &Name, rank: Option<usize>) {
        let symbol = self.axis_symbol(&name.text);
        self.uses(name, NameSpace::Axis { rank }, symbol);
    }

    fn axis_symbol(&self, name: &str) -> Option<Symbol> {
        let known = self.project.axes(self.path).iter().any(|b| b.name.text == name);
        known.then(|| Symbol::Axis { file: self.path.to_string(), name: name.to_string() })
    }

    /// A name, or one behind the name of an imported file.
    fn qualified(&mut self, name: &Name, space: NameSpace) -> Option<Symbol> {
        let symbol = self.declared(&name.text);
        match name.text.split_once('.') {
            Some((file, inner)) => {
                let before = Span { end: name.span.start + file.len() as u32, ..name.span };
                let behind = Span { start: name.span.end.saturating_sub(inner.len() as u32), ..name.span };
                self.file_name(file, before);
                // Blanks around the dot would make it another text.
                if self.source.text.get(behind.start as usize..behind.end as usize) == Some(inner) {
                    self.push(behind, inner, space, symbol.clone(), false);
                }
            }
            None => self.uses(name, space, symbol.clone()),
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

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Mesh(axes) => {
                for b in axes {
                    let symbol = self.axis_symbol(&b.name.text);
                    self.push(b.name.span, &b.name.text, NameSpace::Axis { rank: None }, symbol, true);
                    self.expr(&b.value);
                }
            }
            ItemKind::Dim(b) | ItemKind::Const(b) => b.iter().for_each(|b| self.constant(b)),
            ItemKind::Struct(s) => self.structure(s),
            ItemKind::Fn(f) => self.function(f),
            ItemKind::Train { name, optimizer } => {
                self.push(name.span, &name.text, NameSpace::Function, Some(self.here(&name.text)), true);
                self.expr(optimizer);
            }
            ItemKind::Layout(l) => {
                self.push(l.name.span, &l.name.text, NameSpace::Layout, Some(self.here(&l.name.text)), true);
                for r in &l.rules {
                    let rank = self.glob(&r.glob, r.layers.as_ref());
                    self.layout(&r.layout, rank);
                }
            }
            ItemKind::Assert(Assertion::Absent { axis, scope, .. }) => {
                axis.iter().for_each(|a| self.axis(a, None));
                if let Some(s) = scope {
                    let symbol = self.declared(&s.text);
                    self.uses(s, NameSpace::Function, symbol);
                }
            }
            ItemKind::Assert(Assertion::Bound { args, value, .. }) => {
                args.iter().for_each(|a| self.axis(a, None));
                self.expr(value);
            }
            ItemKind::Assert(Assertion::Layout { glob, layout }) => {
                let rank = self.glob(glob, None);
                self.layout(layout, rank);
            }
            ItemKind::Import(i) => self.import(i),
            ItemKind::Error => {}
        }
    }

    fn constant(&mut self, b: &Binding) {
        self.push(b.name.span, &b.name.text, NameSpace::Value, Some(self.here(&b.name.text)), true);
        self.expr(&b.value);
    }

    fn structure(&mut self, s: &StructDef) {
        self.push(s.name.span, &s.name.text, NameSpace::Type, Some(self.here(&s.name.text)), true);
        s.dims.iter().for_each(|d| self.bind(d));
        for f in &s.fields {
            let symbol = field(self.path, s, &f.name.text);
            self.push(f.name.span, &f.name.text, NameSpace::Field { base: (0, 0) }, Some(symbol), true);
            self.ty(&f.ty);
            let rank = rank(&f.ty);
            if let Some(layout) = &f.layout {
                self.layout(layout, rank);
            }
            if let Some(stages) = &f.stages {
                self.axis(&stages.axis, rank);
                stages.sizes.iter().flatten().for_each(|e| self.expr(e));
            }
            // Names of initial values are no functions.
            match f.init.as_ref().map(|e| &e.kind) {
                Some(ExprKind::Call { args, .. }) => args.iter().for_each(|a| self.expr(&a.value)),
                Some(ExprKind::Name(n)) if self.project.lookup(self.path, n).is_none() => {}
                _ => f.init.iter().for_each(|e| self.expr(e)),
            }
        }
        self.bound.clear();
    }

    fn function(&mut self, f: &FnDef) {
        self.push(f.name.span, &f.name.text, NameSpace::Function, Some(self.here(&f.name.text)), true);
        f.generics.iter().for_each(|g| self.bind(g));
        for p in &f.params {
            if let Some(t) = &p.ty {
                self.signature_dims(t);
                self.ty(t);
            }
            if let Some((a, b)) = &p.range {
                self.expr(a);
                self.expr(b);
            }
            if let Some(layout) = &p.layout {
                self.layout(layout, p.ty.as_ref().and_then(rank));
            }
            p.default.iter().for_each(|d| self.expr(d));
        }
        if let Some(t) = &f.result {
            self.ty(t);
        }
        if let Some(layout) = &f.result_layout {
            self.layout(layout, f.result.as_ref().and_then(rank));
        }
        f.params.iter().for_each(|p| self.bind(&p.name));
        self.block(&f.body);
        self.bound.clear();
    }

    /// Dims that a signature makes generic by naming them, as long as nothing else has the name.
    fn signature_dims(&mut self, t: &Type) {
        let mut free = Vec::new();
        alone(t, &mut free);
        for e in free {
            let ExprKind::Name(n) = &e.kind else { continue };
            if self.variable(n).is_none() && self.project.lookup(self.path, n).is_none() {
                self.bind(&Name { text: n.clone(), span: e.span });
            }
        }
    }

    fn ty(&mut self, t: &Type) {
        match &t.kind {
            TypeKind::Named { name, dims } => {
                self.qualified(name, NameSpace::Type);
                for d in dims {
                    if let DimArg::Expr(e) = d {
                        self.expr(e);
                    }
                }
            }
            TypeKind::List { element, count } => {
                self.ty(element);
                self.expr(count);
            }
            TypeKind::Tuple(v) => v.iter().for_each(|t| self.ty(t)),
            TypeKind::Error => {}
        }
    }

    fn layout(&mut self, l: &LayoutExpr, rank: Option<usize>) {
        match &l.kind {
            LayoutKind::Dims { dims, partial } => {
                dims.iter().flat_map(|d| &d.axes).for_each(|a| self.axis(a, rank));
                partial.iter().for_each(|p| self.axis(&p.axis, rank));
            }
            LayoutKind::Largest(axis) => self.axis(axis, rank),
            LayoutKind::Replicated | LayoutKind::Like(_) => {}
        }
    }

    /// The fields that a pattern names, from a model down; the rank of what it ends at.
    fn glob(&mut self, glob: &Glob, layers: Option<&LayersOf>) -> Option<usize> {
        let text = self.source.text.get(glob.span.start as usize..glob.span.end as usize)?.to_string();
        let mut at = 0;
        let mut places = Vec::new();
        for (i, s) in glob.segments.iter().enumerate() {
            if let Some(layers) = layers.filter(|l| l.list == i) {
                places.push((s.clone(), layers.span));
                at = (layers.span.end.checked_sub(glob.span.start)?) as usize;
                continue;
            }
            let start = at + text.get(at..)?.find(s.as_str())?;
            at = start + s.len();
            let byte = |i: usize| glob.span.start + i as u32;
            places.push((s.clone(), Span { start: byte(start), end: byte(at), ..glob.span }));
        }
        let models: Vec<String> = self.models();
        models.iter().find_map(|m| self.chain(m, &places))
    }

    /// The structs that functions of the file take.
    fn models(&self) -> Vec<String> {
        let functions = self.source.tree.items.iter().filter_map(|i| match &i.kind {
            ItemKind::Fn(f) => Some(f),
            _ => None,
        });
        let mut out: Vec<String> =
            functions.flat_map(|f| &f.params).filter_map(|p| struct_name(p.ty.as_ref()?)).collect();
        out.sort();
        out.dedup();
        out
    }

    /// Notes the segments of a path as fields, if the first is one of the struct.
    fn chain(&mut self, model: &str, places: &[(String, Span)]) -> Option<usize> {
        let (file, name) = self.project.lookup(self.path, model)?;
        let mut at = (file, name);
        let mut found = Vec::new();
        let mut end = None;
        for (segment, span) in places {
            if segment == "*" {
                continue;
            }
            let Some(Declared::Struct(s)) = self.project.declared(&at.0, &at.1) else { break };
            let Some(f) = s.fields.iter().find(|f| f.name.text == *segment) else { break };
            found.push((*span, segment.clone(), field(&at.0, s, segment)));
            end = rank(&f.ty);
            let Some(next) = struct_name(&f.ty).and_then(|n| self.project.lookup(&at.0, &n)) else { break };
            at = next;
        }
        if found.is_empty() {
            return None;
        }
        for (span, text, symbol) in found {
            self.push(span, &text, NameSpace::Field { base: (0, 0) }, Some(symbol), false);
        }
        end
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
}

fn field(file: &str, owner: &StructDef, name: &str) -> Symbol {
    Symbol::Field { file: file.to_string(), owner: owner.name.text.clone(), name: name.to_string() }
}

/// Dims of a type that are a name and nothing else.
fn alone<'e>(t: &'e Type, out: &mut Vec<&'e Expr>) {
    match &t.kind {
        TypeKind::Named { dims, .. } => {
            out.extend(dims.iter().filter_map(|d| if let DimArg::Expr(e) = d { Some(e) } else { None }));
        }
        TypeKind::List { element, count } => {
            out.push(count);
            alone(element, out);
        }
        TypeKind::Tuple(v) => v.iter().for_each(|t| alone(t, out)),
        TypeKind::Error => {}
    }
}

/// How many dims a tensor of the type has; of a struct nothing is known.
fn rank(t: &Type) -> Option<usize> {
    match &t.kind {
        TypeKind::Named { name, dims } => {
            let tensor = name.text == "float" || meshloom_ir::DType::from_name(&name.text).is_some();
            let open = dims.iter().any(|d| matches!(d, DimArg::Rest(_)));
            (tensor && !open).then_some(dims.len())
        }
        _ => None,
    }
}

/// The struct that a type is, or is a list of.
fn struct_name(t: &Type) -> Option<String> {
    match &t.kind {
        TypeKind::Named { name, .. } => Some(name.text.clone()),
        TypeKind::List { element, .. } => struct_name(element),
        TypeKind::Tuple(_) | TypeKind::Error => None,
    }
}
