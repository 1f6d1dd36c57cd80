//! `meshloom opt`: takes a program through the phases, as text. It reads Loom, or IR text of a global program.

use crate::args::OptArgs;
use crate::{model, phases, rejected};
use meshloom_bundle::EntryKind;
use meshloom_driver::{Entry, PHASES, Program};
use meshloom_ir::{Span, parse, verify};
use meshloom_run::{Failed, Result, status};
use meshloom_syntax::elaborate::Memory;
use meshloom_syntax::source::SourceMap;

pub fn run(args: &OptArgs) -> Result<()> {
    if args.list_phases {
        status::data(&table());
        return Ok(());
    }
    let phase = phases::named(&args.to)?.name;
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let text = model::read(&args.file)?;
    let program = if is_ir(&text) {
        if phase == "parse" {
            return Err(Failed::usage("IR text has no phase `parse`").help("--to elaborate prints it as it is read"));
        }
        read_ir(&model::display(&args.file), &text)?
    } else {
        if phase == "parse" {
            // Formatting asks for syntax alone.
            let formatted = meshloom_syntax::format::format(&text).map_err(|d| {
                let mut sources = SourceMap::new();
                sources.add(model::display(&args.file), text.clone());
                Failed::rendered(1, rejected::rendered(&d, &sources))
            })?;
            status::data(&formatted);
            return Ok(());
        }
        model::check(&args.file, &text, &options)?
    };
    let program = if phases::reaches(phase, "plan") { model::plan(program, &options)? } else { program };
    let program = phases::reach(program, &[(phase, ())])?;
    status::data(&phases::text(&program, phase)?);
    Ok(())
}

/// IR begins with `func`, behind comments.
fn is_ir(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    lines.next().is_some_and(|l| l.starts_with("func ") || l.starts_with("func@"))
}

fn read_ir(name: &str, text: &str) -> Result<Program> {
    let func = parse::parse(text).map_err(|e| Failed::rejected(format!("{name}: {e}")))?;
    verify::verify(&func)
        .map_err(|e| Failed::rejected(format!("{name}: the program does not verify\n{}", verify::show(&func, &e))))?;
    let mut sources = SourceMap::new();
    sources.add(name, text);
    let entry = Entry {
        memory: Memory::default(),
        asked: Vec::new(),
        name: func.name.clone(),
        kind: EntryKind::Function,
        span: Span::default(),
        elaborated: func.clone(),
        global: func,
        evaluation: None,
        derived: false,
        plan: None,
        proof: None,
        scheduled: None,
    };
    Ok(Program {
        path: name.to_owned(),
        text: text.to_owned(),
        sources,
        layout: None,
        target: String::new(),
        tf32: false,
        diagnostics: Vec::new(),
        entries: vec![entry],
        asserts: Vec::new(),
        timings: Vec::new(),
    })
}

fn table() -> String {
    let width = |f: fn(&meshloom_driver::Phase) -> &str| PHASES.iter().map(|p| f(p).len()).max().unwrap_or(0);
    let (a, b, c) = (width(|p| p.name), width(|p| p.input), width(|p| p.output));
    let row = |p: [&str; 4]| format!("{:a$}  {:b$}  {:c$}  {}\n", p[0], p[1], p[2], p[3]);
    let rows = PHASES.iter().map(|p| row([p.name, p.input, p.output, p.verified_by]));
    row(["phase", "from", "to", "verified by"]) + &rows.collect::<String>()
}
