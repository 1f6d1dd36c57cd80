//! All that a module says of devices, gathered before anything is imported: its meshes, parts of their axes, tile assignments of
//! GSPMD, and groups of collectives.

use super::asked;
use super::devices::{self, Devices, Digit, Written, add, digits, in_order};
use super::gspmd;
use crate::import::written::{groups, part};
use crate::lexer::Token;
use crate::module::{MeshDecl, Module, symbol};
use crate::read;
use crate::tree::Tree;
use meshloom_ir::mesh::MAX_DEVICES;
use meshloom_ir::{Axis, Mesh, Span};
use meshloom_source::{Diagnostic, FrontOptions};
use std::collections::{BTreeMap, BTreeSet};

/// The meshes of a module by their names, in one mesh.
pub struct Meshes {
    /// As they are written: manual regions have shapes of this many devices.
    pub devices: Devices,
    /// With the sizes that the program is planned for. What is imported is a program of whole tensors, which runs on any mesh of
    /// these axes: where an axis is shorter, a device does what several do in a manual region.
    pub planned: Mesh,
    /// In the order in which they are written.
    named: BTreeMap<String, Vec<Written>>,
    /// Those of one device, and those that are not supported, which has been said.
    maximal: BTreeSet<String>,
    refused: BTreeSet<String>,
    /// `--mesh` gives axes to a program that names none.
    asked: bool,
    /// By position in the mesh, the number of a device, where they are not in the order of their numbers.
    order: Option<Vec<u64>>,
}

/// What is found in the text beside the meshes.
#[derive(Default)]
struct Found<'m> {
    /// Meshes that are written where they are used.
    inline: Vec<(String, &'m [Tree<'m>], Span)>,
    /// Parts of axes, by the axis' name.
    parts: BTreeSet<(&'m str, u64, u64)>,
    tiles: BTreeMap<&'m str, Span>,
    groups: Vec<Vec<u64>>,
}

impl<'m> Found<'m> {
    fn walk(&mut self, trees: &'m [Tree<'m>]) {
        for (at, t) in trees.iter().enumerate() {
            let after = &trees[at + 1..];
            let follows = |token| after.first().and_then(|t| t.leaf(token)).is_some();
            match t {
                Tree::Group(g) => self.walk(&g.trees),
                Tree::Leaf(l) if l.token == Token::Str => {
                    if let (true, Some((before, size))) = (follows(Token::Colon), part(after)) {
                        self.parts.insert((l.text.trim_matches('"'), before, size));
                    }
                }
                Tree::Leaf(l) if l.token == Token::Word => match l.text {
                    "mhlo.sharding" if follows(Token::Equals) => {
                        if let Some(Tree::Leaf(text)) = after.get(1) {
                            self.tiles.entry(text.text).or_insert(text.span);
                        }
                    }
                    "replica_groups" if follows(Token::Equals) => {
                        let first = groups(&after[1..]).and_then(|all| all.into_iter().next());
                        self.groups.extend(first.filter(|g| !self.groups.contains(g)));
                    }
                    "mesh" => {
                        if let Some(inner) = after.first().and_then(|t| t.group(b'<')) {
                            self.inline.push((format!("<{}>", l.span.start), inner, l.span));
                        }
                    }
                    _ => {}
                },
                Tree::Leaf(_) => {}
            }
        }
    }
}

/// Axes with their sizes, and the numbers of devices where they are written.
type Listed = (Vec<(String, u64)>, Option<Vec<u64>>);

/// What a mesh says of itself.
///
/// # Errors
/// What is wrong with it.
fn read_mesh(trees: &[Tree<'_>]) -> Result<Listed, String> {
    let list = trees.iter().find_map(|t| t.group(b'[')).unwrap_or_default();
    let mut axes: Vec<(String, u64)> = Vec::new();
    for a in list.split(|t| t.leaf(Token::Comma).is_some()).filter(|a| !a.is_empty()) {
        let name = a[0].leaf(Token::Str).map(|s| s.trim_matches('"'));
        let size = a.last().and_then(|t| t.leaf(Token::Int)).and_then(|n| n.parse::<u64>().ok());
        let (Some(name), Some(size @ 1..)) = (name, size) else {
            return Err("an axis of a mesh is `\"name\"=size`".to_string());
        };
        if axes.iter().any(|a| a.0 == name) {
            return Err(format!("the mesh has two axes `{name}`"));
        }
        axes.push((name.to_string(), size));
    }
    let count = axes.iter().fold(1u64, |n, a| n.saturating_mul(a.1));
    if count > MAX_DEVICES {
        return Err(format!("the mesh has {count} devices; at most {MAX_DEVICES} are planned for"));
    }
    let ids = read::setting(trees, "device_ids").map(|t| {
        let all = t.first().and_then(|t| t.group(b'[')).map(read::ints).unwrap_or_default();
        all.into_iter().map(u64::try_from).collect::<Result<Vec<_>, _>>()
    });
    let ids = ids.transpose().map_err(|_| "`device_ids` has a negative number".to_string())?;
    match &ids {
        Some(ids) if !axes.is_empty() && ids.len() as u64 != count => {
            Err(format!("the mesh has {count} devices, and lists {}", ids.len()))
        }
        Some(ids) if axes.is_empty() && ids.len() > 1 => {
            Err(format!("a mesh without axes is of one device, and this one lists {}", ids.len()))
        }
        Some(ids) if !axes.is_empty() && !is_order(ids) => {
            Err(format!("`device_ids` are not the numbers 0 to {} in some order", count - 1))
        }
        _ => Ok((axes, ids)),
    }
}

/// A mesh as it is written.
struct ReadMesh {
    name: String,
    sizes: Vec<(String, u64)>,
    /// Its devices, where it lists them.
    ids: Option<Vec<u64>>,
    span: Span,
}

/// The digits of device numbers that all meshes so far are made of.
struct Digits {
    /// Where digits begin and end.
    bounds: BTreeSet<u64>,
    /// The axes of the mesh that gives them their names.
    first: Vec<Written>,
    /// Devices of every mesh.
    count: Option<u64>,
}

fn refuse(diagnostics: &mut Vec<Diagnostic>, span: Span, what: String, help: &str) {
    diagnostics.push(Diagnostic::error("mlir-unsupported", what).at(span, "").help(help));
}

impl Meshes {
    /// Reads all of a module, `trees` being the whole text. What is not supported is said, and left out.
    pub fn of<'m>(
        module: &'m Module<'m>,
        trees: &'m [Tree<'m>],
        options: &FrontOptions,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Meshes {
        let mut found = Found::default();
        found.walk(trees);
        let declared = module.meshes.iter().map(|m: &MeshDecl<'m>| (m.name.to_string(), m.trees, m.span));
        let all: Vec<(String, &[Tree<'_>], Span)> = declared.chain(std::mem::take(&mut found.inline)).collect();
        let mut out = Meshes {
            devices: Devices::of_mesh(&[]),
            planned: Mesh::default(),
            named: BTreeMap::new(),
            maximal: BTreeSet::new(),
            refused: BTreeSet::new(),
            asked: false,
            order: None,
        };
        let mut read = out.read(all, diagnostics);
        // Axes are named as in the mesh that has the most of them; devices are in its order where theirs is none of digits.
        read.sort_by_key(|m| std::cmp::Reverse(m.sizes.len()));
        let mut digits = Digits { bounds: BTreeSet::from([1]), first: Vec::new(), count: None };
        for mesh in read {
            out.join(mesh, &mut digits, diagnostics);
        }
        let Digits { mut bounds, first, .. } = digits;
        for &(name, before, size) in &found.parts {
            for axis in out.named.values().flatten().filter(|a| a.name == name) {
                add(&mut bounds, axis.part(before, size).unwrap_or_default());
            }
        }
        for (text, span) in &found.tiles {
            match gspmd::all_digits(text) {
                Ok(all) if add(&mut bounds, all.iter().copied()) => {}
                Ok(_) => refuse(
                    diagnostics,
                    *span,
                    format!("`{}` does not go with the other shardings of the module", text.trim_matches('"')),
                    "lower the step with shardings of one mesh",
                ),
                // The op that has it says so.
                Err(_) => {}
            }
        }
        for group in &found.groups {
            // In whatever order they stand.
            let places = out.positions(group).map(|mut p| {
                p.sort_unstable();
                p
            });
            add(&mut bounds, places.and_then(|p| out.digits(&p)).unwrap_or_default());
        }
        let sizes = asked::sizes(options, diagnostics);
        out.devices = match sizes {
            // A program that says nothing of devices runs on those that are asked for.
            Some(sizes) if bounds.len() == 1 && first.is_empty() => {
                out.asked = true;
                Devices::of_mesh(sizes)
            }
            _ => Devices::new(&bounds, &first),
        };
        out.planned = out.devices.mesh.clone();
        out.resize(sizes, options, diagnostics);
        out
    }

    /// The meshes that can be read. The others are refused, and those of one device are noted.
    fn read(&mut self, all: Vec<(String, &[Tree<'_>], Span)>, diagnostics: &mut Vec<Diagnostic>) -> Vec<ReadMesh> {
        let mut read: Vec<ReadMesh> = Vec::new();
        let mut seen = BTreeSet::new();
        for (name, trees, span) in all {
            if !seen.insert(name.clone()) {
                refuse(diagnostics, span, format!("there are two meshes `@{name}`"), "give each a name of its own");
                continue;
            }
            match read_mesh(trees) {
                Err(e) => {
                    refuse(diagnostics, span, e, "print the module as JAX does, with `as_text()`");
                    self.refused.insert(name);
                }
                Ok((axes, Some(ids))) if axes.is_empty() && !ids.is_empty() => drop(self.maximal.insert(name)),
                Ok((sizes, ids)) => read.push(ReadMesh { name, sizes, ids, span }),
            }
        }
        read
    }

    /// Adds a mesh, if its axes can be cut into the same digits as those before it.
    fn join(&mut self, mesh: ReadMesh, digits: &mut Digits, diagnostics: &mut Vec<Diagnostic>) {
        let ReadMesh { name, sizes, ids, span } = mesh;
        let n = sizes.iter().fold(1u64, |n, a| n.saturating_mul(a.1));
        if !sizes.is_empty() && *digits.count.get_or_insert(n) != n {
            let other = digits.count.unwrap_or(n);
            refuse(
                diagnostics,
                span,
                format!("this mesh has {n} devices, and another one of this module {other}"),
                "lower the step with shardings over the same devices",
            );
            self.refused.insert(name);
            return;
        }
        let axes = match &ids {
            None if self.order.is_none() => Some(in_order(&sizes)),
            None => self.positions(&(0..n).collect::<Vec<_>>()).and_then(|ids| devices::axes(&sizes, &ids)),
            Some(ids) => self.positions(ids).and_then(|ids| devices::axes(&sizes, &ids)),
        };
        let axes = match (axes, &ids) {
            (None, Some(ids)) if digits.first.is_empty() && is_order(ids) => {
                self.order = Some(ids.clone());
                Some(in_order(&sizes))
            }
            (axes, _) => axes,
        };
        match axes.filter(|axes| add(&mut digits.bounds, axes.iter().flat_map(|a| a.digits.clone()))) {
            Some(axes) => {
                if digits.first.is_empty() {
                    digits.first.clone_from(&axes);
                }
                self.named.insert(name, axes);
            }
            None => {
                refuse(
                    diagnostics,
                    span,
                    "the axes of this mesh do not go with those of another one: its devices are in an order, or its axes of \
                     sizes, that have no common parts"
                        .to_string(),
                    "make all shardings of the step on one mesh, or on meshes that are reshapes and transposes of one",
                );
                self.refused.insert(name);
            }
        }
    }

    /// Gives the axes the sizes that `--mesh` asks for: those that it does not give have size 1.
    fn resize(&mut self, sizes: Option<&[(String, u64)]>, options: &FrontOptions, diagnostics: &mut Vec<Diagnostic>) {
        let Some(sizes) = sizes.filter(|_| !self.asked) else { return };
        let mut given: BTreeMap<Axis, u64> = BTreeMap::new();
        let mut stages = None;
        for (name, size) in sizes {
            if let Some(axis) = self.devices.mesh.axis(name) {
                given.insert(axis, *size);
                continue;
            }
            let written = self.named.values().flatten().find(|a| a.name == *name);
            let (axes, was) = match written.and_then(|a| Some((self.devices.written(a)?, a.size))) {
                Some(found) => found,
                // No sharding of the program can name the axis of stages.
                None if options.pipe.as_ref() == Some(name) => {
                    stages = Some((name.clone(), *size));
                    continue;
                }
                None => {
                    let known: Vec<String> = self.devices.mesh.axes.iter().map(|a| format!("`{}`", a.0)).collect();
                    let d = Diagnostic::error(
                        "unknown-axis",
                        format!("--mesh {name}: the program's mesh has no axis `{name}`"),
                    );
                    diagnostics.push(d.help(format!("its axes: {}", known.join(", "))));
                    continue;
                }
            };
            match axes[..] {
                [one] => drop(given.insert(one, *size)),
                _ if was == *size => given.extend(axes.iter().map(|&a| (a, self.devices.mesh.size(a)))),
                _ => {
                    let parts: Vec<String> = axes
                        .iter()
                        .map(|&a| format!("{}={}", self.devices.mesh.name(a), self.devices.mesh.size(a)))
                        .collect();
                    let message = format!("--mesh {name}={size}: the program uses parts of `{name}`");
                    let d = Diagnostic::error("unknown-axis", message);
                    diagnostics.push(d.help(format!("give sizes of its parts, which are {}", parts.join(","))));
                }
            }
        }
        asked::left_out(&self.planned, &given, diagnostics);
        for (i, axis) in self.planned.axes.iter_mut().enumerate() {
            axis.1 = given.get(&Axis(i as u8)).copied().unwrap_or(1);
        }
        self.planned.axes.extend(stages);
    }

    /// The name of the mesh that a sharding is on: `@mesh`, or one that is written in place.
    pub fn name(&self, sharding: &[Tree<'_>]) -> String {
        let inline = sharding.iter().find(|t| t.is_word("mesh")).map(|t| format!("<{}>", t.span().start));
        let named = || sharding.iter().find_map(|t| t.leaf(Token::Symbol)).map(|s| symbol(s).to_string());
        inline.or_else(named).unwrap_or_default()
    }

    /// Whether there is a mesh of this name that has axes.
    pub fn has(&self, mesh: &str) -> bool {
        self.named.contains_key(mesh)
    }

    /// The axes of a mesh, as they are written.
    pub fn written(&self, mesh: &str) -> &[Written] {
        self.named.get(mesh).map_or(&[], Vec::as_slice)
    }

    /// Whether shardings on this mesh say nothing.
    pub fn is_silent(&self, mesh: &str) -> bool {
        let empty = self.named.get(mesh).is_some_and(Vec::is_empty);
        self.refused.contains(mesh) || empty && self.asked
    }

    pub fn is_maximal(&self, mesh: &str) -> bool {
        self.maximal.contains(mesh)
    }

    /// The axes that an axis of a mesh, or a part of it, stands for, major first.
    ///
    /// # Errors
    /// There is none.
    pub fn axes(&self, mesh: &str, name: &str, part: Option<(u64, u64)>) -> Result<Vec<Axis>, String> {
        let Some(axes) = self.named.get(mesh) else { return Err(format!("there is no mesh `@{mesh}`")) };
        let Some(axis) = axes.iter().find(|a| a.name == name) else {
            return Err(format!("the mesh has no axis `{name}`"));
        };
        let found = match part {
            None => self.devices.written(axis),
            Some((before, size)) => axis.part(before, size).and_then(|d| self.devices.axes(&d)),
        };
        found.ok_or_else(|| {
            let (before, size) = part.unwrap_or((1, axis.size));
            format!("`{name}` of size {} has no part `({before}){size}`", axis.size)
        })
    }

    /// Where devices stand in the mesh.
    pub fn positions(&self, ids: &[u64]) -> Option<Vec<u64>> {
        let Some(order) = &self.order else { return Some(ids.to_vec()) };
        ids.iter().map(|id| order.iter().position(|o| o == id).map(|p| p as u64)).collect()
    }

    /// The digits that the devices at these positions differ in.
    pub fn digits(&self, places: &[u64]) -> Option<Vec<Digit>> {
        let from = places.first().copied().unwrap_or(0);
        digits(&places.iter().map(|p| p.checked_sub(from)).collect::<Option<Vec<_>>>()?)
    }
}

/// Whether these are the numbers from 0 on, in any order.
fn is_order(ids: &[u64]) -> bool {
    let all: BTreeSet<u64> = ids.iter().copied().collect();
    all.len() == ids.len() && all.last().is_none_or(|&l| l + 1 == ids.len() as u64)
}
