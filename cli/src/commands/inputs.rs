//! `meshloom inputs`: lists the inputs of an entry, by the names and positions that `--input` and files of arrays use. With `--json` it
//! lists the results too. It checks the program and plans nothing.

use crate::args::InputsArgs;
use crate::model;
use meshloom_bundle::{Init, Port, Role, arguments};
use meshloom_strategy::entry::Elaborated;
use meshloom_terminal::{Result, status};
use serde_json::{Value, json};

pub fn run(args: &InputsArgs) -> Result<()> {
    let options = model::options(&args.model, args.entry.as_deref())?;
    let text = model::source(&args.file, &args.model)?;
    let program = model::check(&args.file, &text, &options)?;
    if args.json {
        let entries: Vec<Value> = program.entries.iter().map(as_json).collect();
        status::data(&format!("{}\n", json!({ "schema": 1, "entries": entries })));
        return Ok(());
    }
    let tables: Vec<String> = program.entries.iter().map(table).collect();
    status::data(&tables.join("\n"));
    Ok(())
}

/// A line for each input. If layers are stacked, no positions are shown: then `--input` takes a position only for an argument that has no
/// name.
fn table(entry: &Elaborated) -> String {
    let ports = entry.ports();
    let stacked = arguments(&ports).any(|p| p.stacked);
    let rows: Vec<[String; 5]> = arguments(&ports)
        .enumerate()
        .map(|(i, p)| {
            let position = if stacked { "-".to_string() } else { i.to_string() };
            let layers = if p.stacked { format!("  x{}", p.global_shape[0]) } else { String::new() };
            [position, format!("{}{layers}", p.name), shape(p), p.element(), about(p)]
        })
        .collect();
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..4).map(width).collect();
    let mut out = format!("{}: {} inputs\n", entry.name, rows.len());
    for r in &rows {
        let cells: Vec<String> = widths.iter().zip(r).map(|(w, cell)| format!("{cell:w$}")).collect();
        out += format!("  {}  {}", cells.join("  "), r[4]).trim_end();
        out += "\n";
    }
    out
}

/// The shape of the array in a file. A file has an array for each layer of a stacked tensor, so this is the shape of one layer.
fn shape(p: &Port) -> String {
    let dims = if p.stacked { &p.global_shape[1..] } else { &p.global_shape[..] };
    format!("[{}]", p.numbers(dims).iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

fn about(p: &Port) -> String {
    let kept = match p.role {
        Role::Parameter => "parameter",
        Role::State if p.init == Init::Given => "kept from step to step",
        Role::State => "state",
        _ => "",
    };
    match &p.range {
        Some(r) => format!("in {}..{}", r.lo, r.hi),
        None => kept.to_string(),
    }
}

fn as_json(entry: &Elaborated) -> Value {
    let ports = entry.ports();
    let inputs: Vec<Value> = arguments(&ports)
        .enumerate()
        .map(|(i, p)| {
            json!({
                "position": i, "name": p.name, "shape": p.numbers(&p.global_shape), "dtype": p.element(), "stacked": p.stacked,
                "role": p.role.name(), "range": p.range.as_ref().map(|r| [r.lo, r.hi]),
            })
        })
        .collect();
    // In `ports`, the outputs come after all inputs.
    let taken = entry.global.inputs.len();
    let results: Vec<Value> = ports[taken..]
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let updates = p.alias.map(|input| &ports[input as usize].name);
            json!({
                "position": i, "name": p.name, "shape": p.numbers(&p.global_shape), "dtype": p.element(), "stacked": p.stacked,
                "role": p.role.name(), "updates": updates,
            })
        })
        .collect();
    json!({ "entry": entry.name, "inputs": inputs, "results": results })
}
