//! `meshloom doc`: signatures and comments of a model's items, of the library, and of the primitives.

use crate::args::DocArgs;
use crate::model;
use meshloom_source::suggest::nearest;
use meshloom_syntax::doc::{self, Documented};
use meshloom_terminal::{Failed, Result, status};
use std::path::Path;

pub fn run(args: &DocArgs) -> Result<()> {
    let Some(what) = &args.what else {
        status::data(&format!("{}\nPrimitives\n{}", list(&doc::library()), list(&doc::primitives_table())));
        return Ok(());
    };
    let text = what.to_string_lossy();
    let is_file = text == "-" || text.ends_with(".loom") || args.name.is_some();
    if !is_file {
        let shipped: Vec<Documented> = doc::library().into_iter().chain(doc::primitives_table()).collect();
        return one(&shipped, &text, "the library");
    }
    let file = model::display(what);
    let items = doc::items(&file, &model::read(what)?);
    match &args.name {
        Some(name) => one(&items, name, &file),
        None => {
            status::data(&list(&items));
            Ok(())
        }
    }
}

/// Names and first sentences, under the file that they are in.
fn list(items: &[Documented]) -> String {
    let width = items.iter().map(|d| d.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    let mut file = "";
    for d in items {
        if let Some((name, _)) = &d.place
            && name != file
        {
            out += &format!("{}{name}\n", if file.is_empty() { "" } else { "\n" });
            file = name;
        }
        out += format!("  {:width$}  {}", d.name, d.summary()).trim_end();
        out += "\n";
    }
    out
}

fn one(items: &[Documented], name: &str, place: &str) -> Result<()> {
    let Some(d) = items.iter().find(|d| d.name == name) else {
        let failed = Failed::rejected(format!("{place} has no `{name}`"));
        return Err(match nearest(name, items.iter().map(|d| d.name.as_str())) {
            Some(n) => failed.help(format!("did you mean `{n}`?")),
            None if Path::new(name).exists() => failed.help("the names of models end in .loom"),
            None => failed.help("`meshloom doc` lists the library, `meshloom doc FILE.loom` a model"),
        });
    };
    let at = d.place.as_ref().map_or("a primitive".to_string(), |(file, line)| format!("{file}:{line}"));
    let text = if d.text.is_empty() { String::new() } else { format!("\n{}\n", d.text) };
    status::data(&format!("{}\n{text}\n{at}\n", d.signature));
    Ok(())
}
