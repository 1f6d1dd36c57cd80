//! What a source says of devices, and other declarations in the place of those: the axes of its mesh, the list whose layers are
//! pipeline stages, and settings of a `train`. `plan --devices` plans the tree that comes out of here, and prints the lines in
//! which it differs from the source, so its suggestions are what it tried.
//!
//! Not here: which sizes are good (`strategy::devices`).

use crate::ast::*;
use crate::parse::parse;
use meshloom_ir::FileId;
use meshloom_source::entry::Overrides;

/// What a source says of devices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// Axes of the mesh, the outermost first.
    pub axes: Vec<String>,
    /// Layout blocks, and the axes that each names.
    pub layouts: Vec<(String, Vec<String>)>,
    /// Fields that are lists, and the axis that each is split over in stages.
    pub lists: Vec<(String, Option<String>)>,
    /// Names of all `train`s.
    pub trains: Vec<String>,
}

/// Reads a text. What cannot be parsed is left out.
pub fn read(text: &str) -> Said {
    let mut said = Said::default();
    for item in &parse(FileId(0), text).file.items {
        match &item.kind {
            ItemKind::Mesh(axes) => said.axes = axes.iter().map(|b| b.name.text.clone()).collect(),
            ItemKind::Struct(s) => {
                let lists = s.fields.iter().filter(|f| matches!(f.ty.kind, TypeKind::List { .. }));
                said.lists.extend(lists.map(|f| (f.name.text.clone(), f.stages.as_ref().map(|s| s.axis.text.clone()))));
            }
            ItemKind::Layout(l) => said.layouts.push((l.name.text.clone(), named(l))),
            ItemKind::Train { name, .. } => said.trains.push(name.text.clone()),
            _ => {}
        }
    }
    said
}

/// The axes that a layout block names, each once.
fn named(block: &LayoutDef) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for rule in &block.rules {
        let names: Vec<&Name> = match &rule.layout.kind {
            LayoutKind::Dims { dims, partial } => {
                dims.iter().flat_map(|d| &d.axes).chain(partial.iter().map(|p| &p.axis)).collect()
            }
            LayoutKind::Largest(axis) => vec![axis],
            LayoutKind::Replicated | LayoutKind::Like(_) => Vec::new(),
        };
        for name in names {
            if !all.contains(&name.text) {
                all.push(name.text.clone());
            }
        }
    }
    all
}

/// The name that a setting of a `train` is given by: of `accumulate: microbatches`, `microbatches`.
pub fn setting_name(text: &str, train: &str, setting: &str) -> Option<String> {
    let tree = parse(FileId(0), text).file;
    let args = args(&tree, train)?;
    let given = args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == setting))?;
    match &given.value.bare().kind {
        ExprKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// Overrides as a text of their own, so that messages can show them: the file that [`apply`] takes its declarations from.
pub fn declared(overrides: &Overrides) -> String {
    let mesh = overrides.mesh_line();
    let stages =
        overrides.stages.as_ref().map(|(field, axis)| format!("struct Model {{ {field}: [Layer; 1] @ {axis} }}"));
    let settings: Vec<String> = overrides.setting_lines().collect();
    let train = format!("train {} = changed({})", overrides.train, settings.join(", "));
    mesh.into_iter().chain(stages).chain([train]).map(|line| line + "\n").collect()
}

/// The lines that a user would write into a source to have it with these overrides, in the order of the source:
/// `mesh [pipe: 4, data: 2]`. `None` where it has no such list or `train`.
pub fn lines(text: &str, overrides: &Overrides) -> Option<Vec<String>> {
    let given = declared(overrides);
    apply(text, &mut parse(FileId(0), text).file, overrides, parse(FileId(1), &given).file)
}

/// Puts overrides into the tree of a text. `given` is the tree of [`declared`]. The result is that of [`lines`].
pub fn apply(text: &str, tree: &mut File, overrides: &Overrides, given: File) -> Option<Vec<String>> {
    let (mut mesh, mut stages, mut settings) = (None, None, Vec::new());
    for item in given.items {
        match item.kind {
            ItemKind::Mesh(_) => mesh = Some(item),
            ItemKind::Struct(s) => stages = s.fields.into_iter().find_map(|f| f.stages),
            ItemKind::Train { optimizer: Expr { kind: ExprKind::Call { args, .. }, .. }, .. } => settings = args,
            _ => {}
        }
    }
    // Each with where it stands in the text.
    let mut lines = Vec::new();
    if let (Some((field, _)), Some(stages)) = (&overrides.stages, stages) {
        lines.extend(split(text, tree, field, stages)?);
    }
    lines.extend(set(text, tree, overrides, settings)?);
    if let (Some(mesh), Some(line)) = (mesh, overrides.mesh_line()) {
        lines.push((declare(tree, mesh), line));
    }
    lines.sort_by_key(|l| l.0);
    Some(lines.into_iter().map(|l| l.1).collect())
}

/// The mesh in place of that of the tree; before everything where it has none.
fn declare(tree: &mut File, mesh: Item) -> u32 {
    match tree.items.iter_mut().find(|i| matches!(i.kind, ItemKind::Mesh(_))) {
        Some(item) => {
            let at = item.span.start;
            *item = mesh;
            at
        }
        None => {
            tree.items.insert(0, mesh);
            0
        }
    }
}

/// `blocks: [Block; layers] @ pipe`. No line where it stands there already; `None` without just one such field.
fn split(text: &str, tree: &mut File, field: &str, stages: StagesExpr) -> Option<Option<(u32, String)>> {
    let structs =
        tree.items.iter_mut().filter_map(|i| if let ItemKind::Struct(s) = &mut i.kind { Some(s) } else { None });
    let is = |f: &&mut Field| f.name.text == field && matches!(f.ty.kind, TypeKind::List { .. });
    let mut fields = structs.flat_map(|s| &mut s.fields).filter(is);
    let found = fields.next().filter(|f| f.layout.is_none())?;
    if fields.next().is_some() {
        return None;
    }
    if found.stages.as_ref().is_some_and(|s| s.axis.text == stages.axis.text) {
        return Some(None);
    }
    let declared = text.get(found.name.span.start as usize..found.ty.span.end as usize)?;
    let line = format!("{} @ {}", declared.split_whitespace().collect::<Vec<_>>().join(" "), stages.axis.text);
    let at = found.stages.as_ref().map_or(found.ty.span.end, |s| s.span.start);
    found.stages = Some(stages);
    Some(Some((at, line)))
}

/// Each setting in place of the one that stands there, or behind all others.
fn set(text: &str, tree: &mut File, overrides: &Overrides, given: Vec<Arg>) -> Option<Vec<(u32, String)>> {
    let args = args_mut(tree, &overrides.train)?;
    let end = args.last()?.span.end;
    let (mut lines, mut new) = (Vec::new(), Vec::new());
    for (((name, value), line), arg) in overrides.settings.iter().zip(overrides.setting_lines()).zip(given) {
        match args.iter_mut().find(|a| a.name.as_ref().is_some_and(|n| n.text == *name)) {
            Some(a) => {
                let (start, end) = (a.value.span.start, a.value.span.end);
                if text.get(start as usize..end as usize) != Some(value) {
                    a.value = arg.value;
                    lines.push((start, line));
                }
            }
            None => {
                args.push(arg);
                new.push(line);
            }
        }
    }
    if !new.is_empty() {
        lines.push((end, new.join(", ")));
    }
    Some(lines)
}

/// The arguments of a `train`'s optimizer.
fn args<'a>(tree: &'a File, train: &str) -> Option<&'a [Arg]> {
    let optimizer = tree.items.iter().find_map(|i| match &i.kind {
        ItemKind::Train { name, optimizer } if name.text == train => Some(optimizer),
        _ => None,
    })?;
    match &optimizer.bare().kind {
        ExprKind::Call { args, .. } => Some(args),
        _ => None,
    }
}

/// The same, to be changed.
fn args_mut<'a>(tree: &'a mut File, train: &str) -> Option<&'a mut Vec<Arg>> {
    let mut optimizer = tree.items.iter_mut().find_map(|i| match &mut i.kind {
        ItemKind::Train { name, optimizer } if name.text == train => Some(optimizer),
        _ => None,
    })?;
    loop {
        match &mut optimizer.kind {
            ExprKind::Paren(inner) => optimizer = inner,
            ExprKind::Call { args, .. } => return Some(args),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::compile;
    use meshloom_ir::print::print;
    use meshloom_source::FrontOptions;

    const SOURCE: &str = "// A model.
mesh [data: 8, model: 1]
struct Net {
    blocks: [Block;  layers],
    head: f32[a, b],
}
train net = adamw(loss, lr: 1e-3, accumulate: k)
layout both { params *: largest(data)
    params w: [_, (model, data)] }
";

    fn pair(a: &str, b: &str) -> (String, String) {
        (a.to_string(), b.to_string())
    }

    fn overrides() -> Overrides {
        Overrides {
            mesh: vec![("pipe".into(), 4), ("data".into(), 2)],
            stages: Some(pair("blocks", "pipe")),
            train: "net".into(),
            settings: vec![pair("accumulate", "8"), pair("schedule", "\"zb-v\"")],
        }
    }

    /// The same with something else in it.
    fn other(change: impl FnOnce(&mut Overrides)) -> Overrides {
        let mut o = overrides();
        change(&mut o);
        o
    }

    #[test]
    fn a_source_says_what_it_has() {
        let said = read(SOURCE);
        assert_eq!(said.axes, ["data", "model"]);
        assert_eq!(said.layouts, [("both".to_string(), vec!["data".to_string(), "model".to_string()])]);
        assert_eq!((said.lists, said.trains), (vec![("blocks".to_string(), None)], vec!["net".to_string()]));
        assert_eq!(setting_name(SOURCE, "net", "accumulate").as_deref(), Some("k"));
        assert_eq!((setting_name(SOURCE, "net", "lr"), setting_name(SOURCE, "other", "accumulate")), (None, None));
    }

    #[test]
    fn lines_are_what_differs_from_the_source() {
        let all = ["mesh [pipe: 4, data: 2]", "blocks: [Block; layers] @ pipe", "accumulate: 8", "schedule: \"zb-v\""];
        assert_eq!(lines(SOURCE, &overrides()).expect("it has the list and the train"), all);
        // What stands there is no line, but for the mesh.
        let written = SOURCE.replace("layers]", "layers] @ pipe").replace("k)", "8, schedule: \"zb-v\")");
        assert_eq!(lines(&written, &overrides()).expect("it has them"), all[..1]);
        let one = Overrides { train: "net".into(), settings: vec![pair("accumulate", "4")], ..Overrides::default() };
        assert_eq!(lines(SOURCE, &one).expect("a setting"), ["accumulate: 4"]);
    }

    #[test]
    fn what_is_not_there_is_not_overridden() {
        assert_eq!(lines(SOURCE, &other(|o| o.train = "none".into())), None);
        assert_eq!(lines(SOURCE, &other(|o| o.stages = Some(pair("head", "pipe")))), None);
        let out = compile("m.loom", "mesh [d: 1]", &FrontOptions { overrides: overrides(), ..FrontOptions::default() });
        assert!(out.elaborated.is_none() && out.diagnostics.iter().any(|d| d.message.contains("`train net`")));
    }

    /// A model without overrides, and what is written into it.
    const MODEL: &str = "dim batch = 16, n = 8, layers = 4
struct Block { w: f32[n, n] @ [_, model] = normal(0.02) }
struct Net { blocks: [Block; layers] }
fn loss(m: Net, x: f32[batch, n] @ [data, _]) -> f32 {
    for p in m.blocks { x = relu(dot(x, p.w)) }
    mean(x)
}
train net = sgd(loss, lr: 0.1)
";

    #[test]
    fn a_tree_with_overrides_is_that_of_the_text_with_them() {
        let entry = |text: &str, overrides: Overrides| {
            let out = compile("m.loom", text, &FrontOptions { overrides, ..FrontOptions::default() });
            let wrong: Vec<String> =
                out.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.message.clone()).collect();
            let e = out.elaborated.unwrap_or_else(|| panic!("{wrong:?}")).entries.remove(0);
            let meshloom_source::entry::EntryKind::Train { microbatch, settings, .. } = e.kind else {
                panic!("a train")
            };
            (print(&e.func), e.pipeline.map(|p| (p.axis, p.schedule)), microbatch.map(|m| print(&m.loss)), settings)
        };
        let mesh =
            |sizes: [u64; 3]| vec![("pipe".into(), sizes[0]), ("data".into(), sizes[1]), ("model".into(), sizes[2])];
        let of = other(|o| o.mesh = mesh([2, 2, 2]));
        let written = MODEL
            .replace("layers] }", "layers] @ pipe }")
            .replace("lr: 0.1)", "lr: 0.1, accumulate: 8, schedule: \"zb-v\")");
        let whole = format!("mesh [pipe: 2, data: 2, model: 2]\n{written}");
        let expected = entry(&whole, Overrides::default());
        assert_eq!(entry(MODEL, of.clone()), expected);
        // In the place of others.
        let others = whole
            .replace("pipe: 2, data: 2", "p: 1, data: 8")
            .replace("@ pipe", "@ p")
            .replace("8, schedule: \"zb-v\"", "2");
        assert_ne!(entry(&others, Overrides::default()), expected);
        assert_eq!(entry(&others, of.clone()), expected);
        assert_eq!(entry(&whole, of), expected);
    }
}
