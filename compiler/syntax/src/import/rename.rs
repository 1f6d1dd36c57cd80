//! Rewrites the names of one file to full names, respecting what variables and parameters hide.

use crate::ast::*;
use crate::scoped::Scoped;
use meshloom_ir::{DType, Span};
use meshloom_source::Diagnostic;
use meshloom_source::suggest::nearest;
use std::collections::BTreeMap;

/// Before a name of the library, where it must not be taken for another.
pub const LIBRARY: &str = "lib.";

pub struct Renamer<'a> {
    /// Of the file's own names; empty for the main file.
    prefix: &'a str,
    visible: &'a BTreeMap<String, String>,
    qualifiers: &'a BTreeMap<String, Span>,
    library: &'a dyn Fn(&str) -> bool,
    errors: &'a mut Vec<Diagnostic>,
    /// Variables, parameters and generic dims, innermost last.
    bound: Scoped,
}

impl<'a> Renamer<'a> {
    pub fn new(
        prefix: &'a str,
        visible: &'a BTreeMap<String, String>,
        qualifiers: &'a BTreeMap<String, Span>,
        library: &'a dyn Fn(&str) -> bool,
        errors: &'a mut Vec<Diagnostic>,
    ) -> Renamer<'a> {
        Renamer { prefix, visible, qualifiers, library, errors, bound: Scoped::default() }
    }

    pub fn file(&mut self, f: &mut File) {
        for item in &mut f.items {
            self.item(item);
        }
    }

    /// What is not seen here must not be found elsewhere: another file may declare the name.
    fn foreign(&self, name: &str) -> Option<String> {
        (!self.prefix.is_empty() && !name.contains('.')).then(|| format!("{}{name}", self.prefix))
    }

    /// A dim or constant. Names that nothing declares may still be dims of a signature.
    fn constant(&mut self, name: &mut String) {
        if self.bound.contains(name) {
            return;
        }
        if let Some(full) = self.visible.get(name) {
            name.clone_from(full);
        } else if let Some(full) = self.foreign(name) {
            *name = full;
        }
    }

    fn function(&mut self, callee: &mut Name) {
        if let Some(full) = self.visible.get(&callee.text) {
            callee.text.clone_from(full);
        } else if let Some((file, name)) = callee.text.split_once('.') {
            self.qualified(file, name, callee.span);
        } else if !self.prefix.is_empty() && (self.library)(&callee.text) {
            callee.text = format!("{LIBRARY}{}", callee.text);
        } else if let Some(full) = self.foreign(&callee.text) {
            callee.text = full;
        }
    }

    fn type_name(&mut self, name: &mut Name) {
        if let Some(full) = self.visible.get(&name.text) {
            name.text.clone_from(full);
        } else if let Some((file, of)) = name.text.split_once('.') {
            self.qualified(file, of, name.span);
        } else if name.text == "float" || DType::from_name(&name.text).is_some() {
        } else if !self.prefix.is_empty() && (self.library)(&name.text) {
            name.text = format!("{LIBRARY}{}", name.text);
        } else if let Some(full) = self.foreign(&name.text) {
            name.text = full;
        }
    }

    /// Reports `file.name` where the file is imported and has no such name; elsewhere elaboration says more.
    fn qualified(&mut self, file: &str, name: &str, span: Span) {
        if !self.qualifiers.contains_key(file) {
            return;
        }
        let start = format!("{file}.");
        let names = self.visible.keys().filter_map(|n| n.strip_prefix(start.as_str()));
        let d = Diagnostic::error("import-name", format!("`{file}` has no `{name}`")).at(span, "not declared there");
        self.errors.push(match nearest(name, names) {
            Some(n) => d.did_you_mean(&format!("{file}.{n}")),
            None => d.help("dims, constants, structs and functions can be imported"),
        });
    }

    fn item(&mut self, item: &mut Item) {
        let own = |name: &mut Name, prefix: &str| name.text = format!("{prefix}{}", name.text);
        match &mut item.kind {
            ItemKind::Mesh(b) => b.iter_mut().for_each(|b| self.expr(&mut b.value)),
            ItemKind::Dim(b) | ItemKind::Const(b) => {
                for b in b {
                    self.expr(&mut b.value);
                    own(&mut b.name, self.prefix);
                }
            }
            ItemKind::Struct(s) => {
                self.bound = s.dims.iter().map(|d| d.text.clone()).collect();
                for f in &mut s.fields {
                    self.ty(&mut f.ty);
                    f.stages.iter_mut().flat_map(|s| &mut s.sizes).flatten().for_each(|e| self.expr(e));
                    if let Some(init) = &mut f.init {
                        self.initial(init);
                    }
                }
                self.bound.clear();
                own(&mut s.name, self.prefix);
            }
            ItemKind::Fn(f) => {
                self.definition(f);
                own(&mut f.name, self.prefix);
            }
            // The loss is named, not called.
            ItemKind::Train { optimizer, .. } => {
                if let ExprKind::Call { args, .. } = &mut optimizer.kind {
                    for (i, a) in args.iter_mut().enumerate() {
                        match &mut a.value.kind {
                            ExprKind::Name(n) if i == 0 && a.name.is_none() => {
                                if let Some(full) = self.visible.get(n.as_str()) {
                                    n.clone_from(full);
                                }
                            }
                            ExprKind::Call { args, .. } => args.iter_mut().for_each(|a| self.expr(&mut a.value)),
                            ExprKind::Name(n) if self.visible.contains_key(n.as_str()) => self.constant(n),
                            ExprKind::Name(_) => {}
                            _ => self.expr(&mut a.value),
                        }
                    }
                }
            }
            ItemKind::Assert(Assertion::Bound { value, .. }) => self.expr(value),
            ItemKind::Assert(_) | ItemKind::Layout(_) | ItemKind::Import(_) | ItemKind::Error => {}
        }
    }

    /// `normal(0.02)`, `zeros`: names of initial values are no functions.
    fn initial(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Call { args, .. } => args.iter_mut().for_each(|a| self.expr(&mut a.value)),
            ExprKind::Name(n) if !self.visible.contains_key(n.as_str()) => {}
            _ => self.expr(e),
        }
    }

    fn definition(&mut self, f: &mut FnDef) {
        self.bound = f.generics.iter().map(|g| g.text.clone()).collect();
        // A dim that this file does not declare is generic, whatever another file declares.
        if !self.prefix.is_empty() {
            let mut free = Vec::new();
            f.params.iter().filter_map(|p| p.ty.as_ref()).for_each(|t| free_dims(t, &mut free));
            for name in free {
                if !self.visible.contains_key(&name.text) && !self.bound.contains(&name.text) {
                    self.bound.push(name.text.clone());
                    f.generics.push(name);
                }
            }
        } else {
            let mut free = Vec::new();
            f.params.iter().filter_map(|p| p.ty.as_ref()).for_each(|t| free_dims(t, &mut free));
            self.bound.extend(free.into_iter().map(|n| n.text).filter(|n| !self.visible.contains_key(n)));
        }
        for p in &mut f.params {
            if let Some(t) = &mut p.ty {
                self.ty(t);
            }
            if let Some((a, b)) = &mut p.range {
                self.expr(a);
                self.expr(b);
            }
            if let Some(d) = &mut p.default {
                self.expr(d);
            }
        }
        if let Some(t) = &mut f.result {
            self.ty(t);
        }
        let names: Vec<Name> = f.params.iter().map(|p| p.name.clone()).collect();
        names.iter().for_each(|n| self.bind(n));
        self.block(&mut f.body);
        if let Some(rule) = &mut f.rule {
            rule.names.iter().for_each(|n| self.bind(n));
            self.block(&mut rule.body);
        }
        self.bound.clear();
    }

    fn bind(&mut self, name: &Name) {
        if let Some(first) = self.qualifiers.get(&name.text) {
            self.errors.push(
                Diagnostic::error("duplicate", format!("`{}` is an imported file", name.text))
                    .at(name.span, "and cannot be a variable")
                    .also(*first, "imported here")
                    .help("give the file another name: `import \"..\" as ..`"),
            );
        }
        self.bound.push(name.text.clone());
    }

    fn ty(&mut self, t: &mut Type) {
        match &mut t.kind {
            TypeKind::Named { name, dims } => {
                self.type_name(name);
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
            TypeKind::Tuple(v) => v.iter_mut().for_each(|t| self.ty(t)),
            TypeKind::Error => {}
        }
    }

    fn block(&mut self, b: &mut Block) {
        let depth = self.bound.len();
        b.stmts.iter_mut().for_each(|s| self.stmt(s));
        self.bound.truncate(depth);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        match &mut s.kind {
            StmtKind::Let { pattern, ty, value } => {
                self.expr(value);
                if let Some(t) = ty {
                    self.ty(t);
                }
                self.pattern(pattern);
            }
            StmtKind::Assign { value, .. } | StmtKind::Expr(value) => self.expr(value),
            StmtKind::AssignField { base, value, .. } => {
                self.expr(base);
                self.expr(value);
            }
            StmtKind::For { pattern, over, until, body, .. } => {
                self.expr(over);
                if let Some(e) = until {
                    self.expr(e);
                }
                let depth = self.bound.len();
                self.pattern(pattern);
                self.block(body);
                self.bound.truncate(depth);
            }
            StmtKind::While { condition, most, body } => {
                self.expr(condition);
                if let Some(most) = most {
                    self.expr(most);
                }
                self.block(body);
            }
            StmtKind::State { name, ty, init } => {
                self.ty(ty);
                self.expr(init);
                self.bind(name);
            }
            StmtKind::Error => {}
        }
    }

    fn pattern(&mut self, p: &Pattern) {
        match &p.kind {
            PatternKind::Name(n) => self.bind(n),
            PatternKind::Ignore => {}
            PatternKind::Tuple(v) | PatternKind::List(v) => v.iter().for_each(|p| self.pattern(p)),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Name(n) => self.constant(n),
            ExprKind::Field { base, field } => {
                let file = match &base.kind {
                    ExprKind::Name(n) if self.qualifiers.contains_key(n) && !self.bound.contains(n) => n.clone(),
                    _ => return self.expr(base),
                };
                match self.visible.get(&format!("{file}.{}", field.text)) {
                    Some(full) => e.kind = ExprKind::Name(full.clone()),
                    None => {
                        let (name, span) = (field.text.clone(), e.span);
                        self.qualified(&file, &name, span);
                        e.kind = ExprKind::Error;
                    }
                }
            }
            ExprKind::Call { callee, args } => {
                self.function(callee);
                args.iter_mut().for_each(|a| self.expr(&mut a.value));
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            ExprKind::Manual(m) => {
                m.inputs.iter_mut().for_each(|i| self.expr(&mut i.value));
                let depth = self.bound.len();
                m.inputs.iter().filter_map(|i| i.inner()).for_each(|n| self.bind(&n));
                self.block(&mut m.body);
                self.bound.truncate(depth);
            }
            _ => children_mut(e).into_iter().for_each(|c| self.expr(c)),
        }
    }
}

/// Names that stand alone as dims of a type.
fn free_dims(t: &Type, out: &mut Vec<Name>) {
    let mut take = |e: &Expr| {
        if let ExprKind::Name(n) = &e.kind {
            out.push(Name { text: n.clone(), span: e.span });
        }
    };
    match &t.kind {
        TypeKind::Named { dims, .. } => dims.iter().for_each(|d| {
            if let DimArg::Expr(e) = d {
                take(e);
            }
        }),
        TypeKind::List { element, count } => {
            take(count);
            free_dims(element, out);
        }
        TypeKind::Tuple(v) => v.iter().for_each(|t| free_dims(t, out)),
        TypeKind::Error => {}
    }
}
