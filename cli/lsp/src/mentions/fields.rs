//! Fields of structs: those of values, and the paths of tensors that patterns name.

use super::{NameSpace, Noted, Symbol};
use crate::project::Declared;
use meshloom_ir::Span;
use meshloom_source::Glob;
use meshloom_syntax::ast::{ItemKind, LayersOf, Type, TypeKind};

impl Noted<'_> {
    /// The field of the value of the expression at a place.
    pub(super) fn field_of(&self, base: Span, name: &str) -> Option<Symbol> {
        let of_type = self.shown(base).and_then(|t| self.project.structure(t));
        // What was not elaborated has no type. A name that one struct alone has is that struct's.
        let (file, owner) = of_type.or_else(|| {
            let mut all = self.project.owners(name);
            if all.len() == 1 { all.pop() } else { None }
        })?;
        owner.fields.iter().any(|f| f.name.text == name).then(|| Symbol::field(&file, owner, name))
    }

    /// The fields that a pattern names, from a model down; the rank of what it ends at.
    pub(super) fn glob(&mut self, glob: &Glob, layers: Option<&LayersOf>) -> Option<usize> {
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
            found.push((*span, segment.clone(), Symbol::field(&at.0, s, segment)));
            end = f.ty.rank();
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
}

/// The struct that a type is, or is a list of.
fn struct_name(t: &Type) -> Option<String> {
    match &t.kind {
        TypeKind::Named { name, .. } => Some(name.text.clone()),
        TypeKind::List { element, .. } => struct_name(element),
        TypeKind::Tuple(_) | TypeKind::Error => None,
    }
}
