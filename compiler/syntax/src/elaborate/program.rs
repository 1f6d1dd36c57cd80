//! The items of a program by name: the user's and the library's, with the mesh and all dims and constants evaluated.

use super::consts::{self, BATCH, Const, Names};
use super::seen::Seen;
use super::value::Num;
use crate::ast::{
    self, Binding, DimArg, ExprKind, FnDef, Item, ItemKind, LayersOf, LayoutDef, LayoutRule, Name, StructDef, TypeKind,
};
use crate::import::LIBRARY;
use indexmap::IndexMap;
use meshloom_ir::mesh::MAX_AXES;
use meshloom_ir::{Mesh, Span};
use meshloom_source::{Diagnostic, FrontOptions, suggest};

/// The most devices of a mesh.
const MAX_DEVICES: u64 = meshloom_ir::mesh::MAX_DEVICES;

#[derive(Clone, Copy)]
pub struct FnRef<'a> {
    pub def: &'a FnDef,
    pub library: bool,
}

#[derive(Clone, Copy)]
pub struct StructRef<'a> {
    pub def: &'a StructDef,
    pub library: bool,
}

#[derive(Clone, Copy)]
pub struct TrainRef<'a> {
    pub name: &'a Name,
    pub optimizer: &'a ast::Expr,
}

/// The constants of a file, in the order of declaration.
#[derive(Default)]
pub struct Constants {
    map: IndexMap<String, Const>,
}

impl Constants {
    pub fn get(&self, name: &str) -> Option<&Const> {
        self.map.get(name)
    }
}

impl Names for Constants {
    fn get(&self, name: &str) -> Option<Const> {
        self.map.get(name).copied()
    }

    fn names(&self) -> Vec<String> {
        self.map.keys().cloned().collect()
    }
}

pub struct Declarations<'a> {
    /// Of the user's file.
    pub path: &'a str,
    pub options: &'a FrontOptions,
    pub mesh: Mesh,
    pub constants: Constants,
    /// Functions and structs: the user's own, then the library's.
    pub functions: IndexMap<&'a str, FnRef<'a>>,
    pub structs: IndexMap<&'a str, StructRef<'a>>,
    pub library_functions: IndexMap<&'a str, FnRef<'a>>,
    pub library_structs: IndexMap<&'a str, StructRef<'a>>,
    pub trains: IndexMap<&'a str, TrainRef<'a>>,
    pub asserts: Vec<(Span, &'a ast::Assertion)>,
    /// The chosen layout block.
    pub layout: Option<&'a LayoutDef>,
    pub float: Option<meshloom_ir::DType>,
    pub precision: Option<meshloom_ir::DType>,
    /// Where types are noted, for an editor.
    pub seen: Option<&'a Seen>,
}

impl<'a> Declarations<'a> {
    /// The rule of the chosen block for a path: of those that match, the last. Rules for some layers of a list are left out.
    pub fn rule_for(&self, role: &str, path: &str) -> Option<&'a LayoutRule> {
        self.rules_of(role, path).filter(|r| r.layers.is_none()).last()
    }

    /// The rules for some layers of a path, as far as no later one is for all of it.
    pub fn layer_rules(&self, role: &str, path: &str) -> Vec<(&'a LayoutRule, &'a LayersOf)> {
        let mut own = Vec::new();
        for rule in self.rules_of(role, path) {
            match &rule.layers {
                Some(layers) => own.push((rule, layers)),
                None => own.clear(),
            }
        }
        own
    }

    fn rules_of(&self, role: &str, path: &str) -> impl Iterator<Item = &'a LayoutRule> {
        let rules = self.layout.map_or(&[][..], |l| &l.rules);
        rules.iter().filter(move |r| r.role.text == role && r.matches(path))
    }

    /// A function as code sees it: user code its own file's first, library code the library's only.
    pub fn function(&self, name: &str, from_library: bool) -> Option<FnRef<'a>> {
        let (name, from_library) = unprefixed(name, from_library);
        let own = if from_library { None } else { self.functions.get(name) };
        own.or_else(|| self.library_functions.get(name)).copied()
    }

    pub fn structure(&self, name: &str, from_library: bool) -> Option<StructRef<'a>> {
        let (name, from_library) = unprefixed(name, from_library);
        let own = if from_library { None } else { self.structs.get(name) };
        own.or_else(|| self.library_structs.get(name)).copied()
    }
}

/// What an imported file means by a name of the library.
fn unprefixed(name: &str, from_library: bool) -> (&str, bool) {
    name.strip_prefix(LIBRARY).map_or((name, from_library), |n| (n, true))
}

/// Collects items, reports double names, evaluates constants and the mesh.
pub fn collect<'a>(
    path: &'a str,
    user: &'a ast::File,
    extra: Option<&'a ast::File>,
    library: &'a [ast::File],
    options: &'a FrontOptions,
    errors: &mut Vec<Diagnostic>,
) -> Declarations<'a> {
    let mut names: IndexMap<&'a str, Span> = IndexMap::new();
    let mut mesh: Option<(Span, &'a [Binding])> = None;
    let mut constants: Vec<(&'a Binding, bool)> = Vec::new();
    let mut program = Declarations {
        path,
        options,
        mesh: Mesh::default(),
        constants: Constants::default(),
        functions: IndexMap::new(),
        structs: IndexMap::new(),
        library_functions: IndexMap::new(),
        library_structs: IndexMap::new(),
        trains: IndexMap::new(),
        asserts: Vec::new(),
        layout: None,
        float: options.float,
        precision: options.precision,
        seen: None,
    };
    for item in &user.items {
        match &item.kind {
            ItemKind::Mesh(axes) => match mesh {
                None => mesh = Some((item.span, axes)),
                Some((first, _)) => errors.push(
                    Diagnostic::error("duplicate", "a program has one mesh")
                        .at(item.span, "a second one")
                        .also(first, "the first one"),
                ),
            },
            ItemKind::Dim(bindings) | ItemKind::Const(bindings) => {
                let dim = matches!(item.kind, ItemKind::Dim(_));
                for b in bindings {
                    if unique(&mut names, &b.name, errors) {
                        constants.push((b, dim));
                    }
                }
            }
            ItemKind::Struct(def) => {
                if unique(&mut names, &def.name, errors) {
                    program.structs.insert(&def.name.text, StructRef { def, library: false });
                }
            }
            ItemKind::Fn(def) => {
                if unique(&mut names, &def.name, errors) {
                    program.functions.insert(&def.name.text, FnRef { def, library: false });
                    unused_generics(def, errors);
                }
            }
            ItemKind::Train { name, optimizer } => {
                if unique(&mut names, name, errors) {
                    program.trains.insert(&name.text, TrainRef { name, optimizer });
                }
            }
            ItemKind::Assert(a) => program.asserts.push((item.span, a)),
            ItemKind::Layout(_) | ItemKind::Import(_) | ItemKind::Error => {}
        }
    }
    let layouts = layout_blocks(user, extra, errors);
    for item in library.iter().flat_map(|f| &f.items) {
        collect_library(item, &mut program);
    }
    evaluate(&mut program.constants, &constants, options, errors);
    program.mesh = build_mesh(mesh.map(|m| m.1), &program.constants, options, errors);
    for def in layouts.values() {
        super::layout::check_block(&program.mesh, def, errors);
    }
    program.layout = choose_layout(&layouts, options, errors);
    program
}

/// The layout blocks by name; a layout file has nothing else.
fn layout_blocks<'a>(
    user: &'a ast::File,
    extra: Option<&'a ast::File>,
    errors: &mut Vec<Diagnostic>,
) -> IndexMap<&'a str, &'a LayoutDef> {
    let mut layouts: IndexMap<&'a str, &'a LayoutDef> = IndexMap::new();
    for item in user.items.iter().chain(extra.iter().flat_map(|f| &f.items)) {
        let ItemKind::Layout(def) = &item.kind else { continue };
        match layouts.entry(&def.name.text) {
            indexmap::map::Entry::Occupied(first) => errors.push(
                Diagnostic::error("duplicate", format!("layout `{}` is defined twice", def.name.text))
                    .at(def.name.span, "again here")
                    .also(first.get().name.span, "first defined here"),
            ),
            indexmap::map::Entry::Vacant(slot) => {
                slot.insert(def);
            }
        }
    }
    if let Some(file) = extra {
        for item in file.items.iter().filter(|i| !matches!(i.kind, ItemKind::Layout(_))) {
            errors.push(
                Diagnostic::error("layout-file", "a layout file holds `layout` blocks alone").at(item.span, "not one"),
            );
        }
    }
    layouts
}

/// Generic dims that no argument can give a size: `n` is known from `f32[n]`, and not from `f32[2 * n]`.
fn unused_generics(def: &FnDef, errors: &mut Vec<Diagnostic>) {
    fn gives(t: &ast::Type, name: &str) -> bool {
        match &t.kind {
            TypeKind::Named { dims, .. } => {
                dims.iter().any(|d| matches!(d, DimArg::Expr(e) if matches!(&e.kind, ExprKind::Name(n) if n == name)))
            }
            TypeKind::List { element, count } => {
                gives(element, name) || matches!(&count.kind, ExprKind::Name(n) if n == name)
            }
            TypeKind::Tuple(types) => types.iter().any(|t| gives(t, name)),
            TypeKind::Error => false,
        }
    }
    for g in &def.generics {
        if !def.params.iter().filter_map(|p| p.ty.as_ref()).any(|t| gives(t, &g.text)) {
            errors.push(
                Diagnostic::error("unused-generic", format!("nothing gives the generic dim `{}` a size", g.text))
                    .at(g.span, "stands alone in no parameter's type")
                    .help(format!("use it there, `x: f32[{}]`, or remove it", g.text)),
            );
        }
    }
}

fn collect_library<'a>(item: &'a Item, program: &mut Declarations<'a>) {
    match &item.kind {
        ItemKind::Fn(def) => {
            program.library_functions.insert(&def.name.text, FnRef { def, library: true });
        }
        ItemKind::Struct(def) => {
            program.library_structs.insert(&def.name.text, StructRef { def, library: true });
        }
        _ => {}
    }
}

fn unique<'a>(names: &mut IndexMap<&'a str, Span>, name: &'a Name, errors: &mut Vec<Diagnostic>) -> bool {
    if let Some(&first) = names.get(name.text.as_str()) {
        errors.push(
            Diagnostic::error("duplicate", format!("`{}` is defined twice", name.text))
                .at(name.span, "again here")
                .also(first, "first defined here"),
        );
        return false;
    }
    names.insert(&name.text, name.span);
    true
}

/// Evaluates dims and constants in order, with the command line's values in place of the source's.
fn evaluate(out: &mut Constants, bindings: &[(&Binding, bool)], options: &FrontOptions, errors: &mut Vec<Diagnostic>) {
    for (name, _) in &options.dims {
        if !bindings.iter().any(|(b, _)| b.name.text == *name) {
            let all = bindings.iter().map(|(b, _)| b.name.text.as_str());
            let d = Diagnostic::error("unknown-dim", format!("--dim {name}: the program has no dim `{name}`"));
            errors.push(match suggest::nearest(name, all.clone()) {
                Some(n) => d.did_you_mean(n),
                None => d.help(format!("its dims and constants: {}", suggest::list(all))),
            });
        }
    }
    for (b, dim) in bindings {
        let given = options.dims.iter().rev().find(|(n, _)| *n == b.name.text);
        let value = match given {
            Some((_, n)) => Ok(Const::Number(Num::Int(i64::try_from(*n).unwrap_or(i64::MAX)))),
            None => consts::eval(&b.value, out),
        };
        let value = match value {
            Ok(Const::Number(Num::Int(n))) if *dim && b.name.text == BATCH && options.batches > 1 => {
                let times = i64::try_from(options.batches).unwrap_or(i64::MAX);
                Ok(Const::Number(Num::Int(n.saturating_mul(times))))
            }
            value => value,
        };
        match value {
            Ok(value) => {
                if *dim && !matches!(value, Const::Number(Num::Int(n)) if n >= 1) {
                    errors.push(
                        Diagnostic::error(
                            "size",
                            format!("dim `{}` must be a whole number of at least 1", b.name.text),
                        )
                        .at(b.value.span, "")
                        .help("`const` declares other numbers"),
                    );
                }
                out.map.insert(b.name.text.clone(), value);
            }
            Err(d) => {
                errors.push(d);
                out.map.insert(b.name.text.clone(), Const::Number(Num::Int(1)));
            }
        }
    }
}

fn build_mesh(
    axes: Option<&[Binding]>,
    constants: &Constants,
    options: &FrontOptions,
    errors: &mut Vec<Diagnostic>,
) -> Mesh {
    let axes = axes.unwrap_or(&[]);
    let mut mesh = Mesh::default();
    for (i, b) in axes.iter().enumerate() {
        if mesh.axis(&b.name.text).is_some() {
            errors.push(
                Diagnostic::error("duplicate", format!("axis `{}` stands twice in the mesh", b.name.text))
                    .at(b.name.span, ""),
            );
            continue;
        }
        if i == MAX_AXES {
            errors.push(
                Diagnostic::error("mesh", format!("a mesh has at most {MAX_AXES} axes")).at(b.span, "one too many"),
            );
            break;
        }
        let size = match consts::size(&b.value, constants) {
            Ok(d) => d.size,
            Err(d) => {
                errors.push(d);
                1
            }
        };
        mesh.axes.push((b.name.text.clone(), size));
    }
    if let Some(given) = &options.mesh {
        for (name, _) in given {
            if mesh.axis(name).is_none() {
                let all: Vec<&str> = mesh.axes.iter().map(|a| a.0.as_str()).collect();
                let d = Diagnostic::error(
                    "unknown-axis",
                    format!("--mesh {name}: the program's mesh has no axis `{name}`"),
                );
                let d = match axes.first().zip(axes.last()) {
                    Some((a, b)) => d.at(a.span.to(b.span), "its axes"),
                    None => d,
                };
                errors.push(match suggest::nearest(name, all.iter().copied()) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None if all.is_empty() => d.help(format!("name the axis in the source: `mesh [{name}: 1]`")),
                    None => d.help(format!("its axes: {}", suggest::list(all))),
                });
            }
        }
        for axis in &mut mesh.axes {
            axis.1 = given.iter().rev().find(|g| g.0 == axis.0).map_or(1, |g| g.1);
            if axis.1 == 0 {
                errors.push(Diagnostic::error("mesh", format!("--mesh {}=0: an axis has at least one device", axis.0)));
                axis.1 = 1;
            }
        }
    }
    let devices = mesh.axes.iter().fold(1u64, |n, a| n.saturating_mul(a.1));
    if devices > MAX_DEVICES {
        let d =
            Diagnostic::error("mesh", format!("the mesh has {devices} devices; at most {MAX_DEVICES} are planned for"));
        errors.push(match axes.first() {
            Some(b) => d.at(b.span, ""),
            None => d,
        });
        mesh.axes.iter_mut().for_each(|a| a.1 = 1);
    }
    mesh
}

fn choose_layout<'a>(
    layouts: &IndexMap<&'a str, &'a LayoutDef>,
    options: &FrontOptions,
    errors: &mut Vec<Diagnostic>,
) -> Option<&'a LayoutDef> {
    let wanted = options.layout.as_deref()?;
    let found = layouts.get(wanted).copied();
    if found.is_none() {
        let d = Diagnostic::error("unknown-layout", format!("--layout {wanted}: there is no layout `{wanted}`"));
        errors.push(match suggest::nearest(wanted, layouts.keys().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("layouts defined: {}", suggest::list(layouts.keys().copied()))),
        });
    }
    found
}
