//! What a source says of devices, read from its text and written into it: the axes of its mesh, the list whose layers are
//! pipeline stages, and settings of a `train`. `plan --devices` plans the text that comes out of here, and prints the lines
//! that it wrote, so its suggestions are what it tried.
//!
//! Not here: which sizes are good (`driver::devices`).

use crate::annotate::Edit;
use crate::ast::*;
use crate::parse::parse;
use meshloom_ir::{FileId, Span};

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
    match &bare(&given.value).kind {
        ExprKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// What is to be written into a source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// All axes with their sizes, the outermost first; none leaves the mesh as it is.
    pub mesh: Vec<(String, u64)>,
    /// A field that is a list, and the axis that its layers are split over.
    pub stages: Option<(String, String)>,
    /// The `train` that the settings are for.
    pub train: String,
    /// Names and values: `accumulate` and `8`, `schedule` and `"1f1b"`. A setting that stands there gets the new value.
    pub settings: Vec<(String, String)>,
}

/// A text with what was wanted of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSource {
    pub text: String,
    /// What was written, as it stands there, in the order of the text: `mesh [pipe: 4, data: 2]`.
    pub lines: Vec<String>,
}

/// Writes into a text what is wanted of it; `None` where it has no such list or `train`.
pub fn write(text: &str, wanted: &Wanted) -> Option<WrittenSource> {
    let tree = parse(FileId(0), text).file;
    let mut edits = Vec::new();
    if !wanted.mesh.is_empty() {
        edits.push(mesh(&tree, &wanted.mesh));
    }
    if let Some((field, axis)) = &wanted.stages {
        edits.extend(stages(text, &tree, field, axis)?);
    }
    edits.extend(settings(text, &tree, &wanted.train, &wanted.settings)?);
    edits.sort_by_key(|e| e.start);
    let lines = edits.iter().map(|e| e.shown.clone()).filter(|l| !l.is_empty()).collect();
    let text = edits.iter().rev().fold(text.to_owned(), |text, e| e.apply(&text));
    Some(WrittenSource { text, lines })
}

fn edit(at: Span, with: String, shown: String) -> Edit {
    Edit { start: at.start as usize, end: at.end as usize, with, shown }
}

/// The mesh in place of that of the text; before everything where it has none.
fn mesh(tree: &File, axes: &[(String, u64)]) -> Edit {
    let axes: Vec<String> = axes.iter().map(|(name, size)| format!("{name}: {size}")).collect();
    let line = format!("mesh [{}]", axes.join(", "));
    match tree.items.iter().find(|i| matches!(i.kind, ItemKind::Mesh(_))) {
        Some(item) => edit(item.span, line.clone(), line),
        None => Edit { start: 0, end: 0, with: format!("{line}\n\n"), shown: line },
    }
}

/// `blocks: [Block; layers] @ pipe`. Nothing to write where it stands there already; `None` without just one such field.
fn stages(text: &str, tree: &File, field: &str, axis: &str) -> Option<Option<Edit>> {
    let structs = tree.items.iter().filter_map(|i| if let ItemKind::Struct(s) = &i.kind { Some(s) } else { None });
    let is = |f: &&Field| f.name.text == field && matches!(f.ty.kind, TypeKind::List { .. });
    let mut fields = structs.flat_map(|s| &s.fields).filter(is);
    let found = fields.next().filter(|f| f.layout.is_none() && fields.next().is_none() && f.name.text == field)?;
    let declared = text.get(found.name.span.start as usize..found.ty.span.end as usize)?;
    let shown = format!("{} @ {axis}", declared.split_whitespace().collect::<Vec<_>>().join(" "));
    Some(match &found.stages {
        Some(s) if s.axis.text == axis => None,
        Some(s) => Some(edit(s.span, axis.to_owned(), shown)),
        None => {
            let end = Span { start: found.ty.span.end, ..found.ty.span };
            Some(edit(end, format!(" @ {axis}"), shown))
        }
    })
}

/// The arguments of a `train`'s optimizer.
fn args<'a>(tree: &'a File, train: &str) -> Option<&'a [Arg]> {
    let optimizer = tree.items.iter().find_map(|i| match &i.kind {
        ItemKind::Train { name, optimizer } if name.text == train => Some(optimizer),
        _ => None,
    })?;
    match &bare(optimizer).kind {
        ExprKind::Call { args, .. } => Some(args),
        _ => None,
    }
}

/// Each setting in place of the one that stands there, or behind all others.
fn settings(text: &str, tree: &File, train: &str, wanted: &[(String, String)]) -> Option<Vec<Edit>> {
    let args = args(tree, train)?;
    let last = args.last()?.span;
    let mut edits = Vec::new();
    let mut new = String::new();
    let mut shown = Vec::new();
    for (name, value) in wanted {
        match args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == *name)) {
            Some(a) if text.get(a.value.span.start as usize..a.value.span.end as usize) == Some(value) => {}
            Some(a) => edits.push(edit(a.value.span, value.clone(), format!("{name}: {value}"))),
            None => {
                new += &format!(", {name}: {value}");
                shown.push(format!("{name}: {value}"));
            }
        }
    }
    if !new.is_empty() {
        edits.push(edit(Span { start: last.end, ..last }, new, shown.join(", ")));
    }
    Some(edits)
}

fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Paren(inner) => bare(inner),
        _ => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn wanted() -> Wanted {
        let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
        Wanted {
            mesh: vec![("pipe".into(), 4), ("data".into(), 2)],
            stages: Some(pair("blocks", "pipe")),
            train: "net".into(),
            settings: vec![pair("accumulate", "8"), pair("schedule", "\"zb-v\"")],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let said = read(SOURCE);
        assert_eq!(said.axes, ["data", "model"]);
        assert_eq!(said.layouts, [("both".to_string(), vec!["data".to_string(), "model".to_string()])]);
        assert_eq!((said.lists, said.trains), (vec![("blocks".to_string(), None)], vec!["net".to_string()]));
        let made = write(SOURCE, &wanted()).expect("it has the list and the train");
        let lines =
            ["mesh [pipe: 4, data: 2]", "blocks: [Block; layers] @ pipe", "accumulate: 8", "schedule: \"zb-v\""];
        assert_eq!(made.lines, lines, "{}", made.text);
        let again = read(&made.text);
        assert_eq!((again.axes, again.lists[0].1.as_deref()), (vec!["pipe".to_string(), "data".into()], Some("pipe")));
        // What stands there is not written twice.
        let twice = write(&made.text, &wanted()).expect("the same");
        assert_eq!((&twice.text, twice.lines), (&made.text, vec![lines[0].to_string()]));
    }

    #[test]
    fn settings_are_written_without_a_mesh() {
        assert_eq!(setting_name(SOURCE, "net", "accumulate").as_deref(), Some("k"));
        assert_eq!((setting_name(SOURCE, "net", "lr"), setting_name(SOURCE, "other", "accumulate")), (None, None));
        let settings = vec![("accumulate".to_owned(), "4".to_owned())];
        let made = write(SOURCE, &Wanted { train: "net".into(), settings, ..Wanted::default() }).expect("a setting");
        assert_eq!(made.lines, ["accumulate: 4"]);
        assert_eq!(made.text, SOURCE.replace("accumulate: k", "accumulate: 4"));
    }

    #[test]
    fn what_is_not_there_is_not_written() {
        let other = |change: &dyn Fn(&mut Wanted)| {
            let mut w = wanted();
            change(&mut w);
            write(SOURCE, &w)
        };
        assert_eq!(other(&|w| w.train = "none".into()), None);
        assert_eq!(other(&|w| w.stages = Some(("head".into(), "pipe".into()))), None);
        let text = "struct Net { w: f32[n] }\ntrain net = sgd(loss, lr: 1)";
        let made = write(text, &Wanted { stages: None, ..wanted() }).expect("a mesh and settings");
        assert!(made.text.starts_with("mesh [pipe: 4, data: 2]\n\nstruct"), "{}", made.text);
        assert!(made.text.ends_with("lr: 1, accumulate: 8, schedule: \"zb-v\")"), "{}", made.text);
    }
}
