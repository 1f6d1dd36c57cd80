//! Rewrites the names of one file to full names. What variables and parameters hide is told by [`crate::scopes`].

use crate::ast::{Expr, ExprKind, FnDef, Name};
use crate::scopes::{Binds, Heading, Scoped, Visitor};
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

    /// What is not seen here must not be found elsewhere: another file may declare the name.
    fn foreign(&self, name: &str) -> Option<String> {
        (!self.prefix.is_empty() && !name.contains('.')).then(|| format!("{}{name}", self.prefix))
    }

    /// The name of a function or type that this file sees, or that of one of the library.
    fn outer(&mut self, name: &mut String, span: Span) {
        if let Some(full) = self.visible.get(name) {
            name.clone_from(full);
        } else if let Some((file, inner)) = name.split_once('.') {
            self.qualified(file, inner, span);
        } else if !self.prefix.is_empty() && (self.library)(name) {
            *name = format!("{LIBRARY}{name}");
        } else if let Some(full) = self.foreign(name) {
            *name = full;
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
}

impl Visitor for Renamer<'_> {
    type Local = ();
    type Item = ();

    fn scope(&mut self) -> &mut Scoped {
        &mut self.bound
    }

    fn is_declared(&self, name: &str) -> bool {
        self.visible.contains_key(name)
    }

    fn is_file(&self, name: &str) -> bool {
        self.qualifiers.contains_key(name)
    }

    fn binds(&mut self, name: &Name, what: Binds) {
        let Some(first) = self.qualifiers.get(&name.text).filter(|_| what == Binds::Variable) else { return };
        self.errors.push(
            Diagnostic::error("duplicate", format!("`{}` is an imported file", name.text))
                .at(name.span, "and cannot be a variable")
                .also(*first, "imported here")
                .help("give the file another name: `import \"..\" as ..`"),
        );
    }

    fn keeps(&mut self, name: &Name, _: &Expr) -> Option<()> {
        self.binds(name, Binds::Variable);
        Some(())
    }

    /// Names that nothing declares may still be dims of a signature.
    fn value(&mut self, name: &mut String, _: Span) {
        if self.bound.contains(name) {
            return;
        }
        if let Some(full) = self.visible.get(name) {
            name.clone_from(full);
        } else if let Some(full) = self.foreign(name) {
            *name = full;
        }
    }

    fn function(&mut self, name: &mut String, span: Span) {
        self.outer(name, span);
    }

    fn type_name(&mut self, name: &mut Name) {
        if self.visible.contains_key(&name.text) || name.text != "float" && DType::from_name(&name.text).is_none() {
            self.outer(&mut name.text, name.span);
        }
    }

    fn of_file(&mut self, e: &mut Expr) {
        let ExprKind::Field { base, field } = &e.kind else { return };
        let ExprKind::Name(file) = &base.kind else { return };
        e.kind = match self.visible.get(&format!("{file}.{}", field.text)) {
            Some(full) => ExprKind::Name(full.clone()),
            None => {
                let (file, name) = (file.clone(), field.text.clone());
                self.qualified(&file, &name, e.span);
                ExprKind::Error
            }
        }
    }

    fn heading(&mut self, name: &mut Name, _: Heading) {
        name.text.insert_str(0, self.prefix);
    }

    /// A dim that this file does not declare is generic, whatever another file declares.
    fn generic(&mut self, f: &mut FnDef, dims: Vec<Name>) {
        if !self.prefix.is_empty() {
            f.generics.extend(dims);
        }
    }
}
