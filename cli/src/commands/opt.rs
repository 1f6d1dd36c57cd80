//! `meshloom opt`: takes a program through the phases, as text. It reads Loom, or IR text of a global program.

use crate::args::OptArgs;
use crate::{model, phases, rejected};
use meshloom_driver::front;
use meshloom_driver::phases::{PHASES, Phase, Prints, Reached, Stage};
use meshloom_source::SourceMap;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &OptArgs) -> Result<()> {
    if args.list_phases {
        status::data(&table());
        return Ok(());
    }
    let phase = phases::named(&args.to)?;
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let text = model::source(&args.file, &args.model)?;
    let name = model::display(&args.file);
    let ir = front::is_ir(&text);
    if let Prints::Source(each) = &phase.prints {
        if ir {
            return Err(Failed::usage(format!("IR text has no phase `{}`", phase.name))
                .help("--to elaborate prints it as it is read"));
        }
        let mut sources = SourceMap::new();
        sources.add(&name, &text);
        status::data(&(each.print)(&text).map_err(|f| rejected::failed((f, sources)))?);
        return Ok(());
    }
    let program = match ir {
        true => front::read_ir(&name, &text, &options).map_err(rejected::failed)?,
        false => model::check(&args.file, &text, &options)?,
    };
    let program = match phase.stage() {
        Stage::Source | Stage::Elaborated => Reached::Elaborated(program),
        Stage::Planned | Stage::Scheduled => Reached::Planned(model::plan(program, &options)?),
    };
    let program = program.to(phase.stage(), &options).map_err(rejected::failed)?;
    status::data(&phases::text(&program, phase)?);
    Ok(())
}

fn table() -> String {
    let width = |f: fn(&Phase) -> &str| PHASES.iter().map(|p| f(p).len()).max().unwrap_or(0);
    let (a, b, c) = (width(|p| p.name), width(|p| p.input), width(|p| p.output));
    let row = |p: [&str; 4]| format!("{:a$}  {:b$}  {:c$}  {}\n", p[0], p[1], p[2], p[3]);
    let rows = PHASES.iter().map(|p| row([p.name, p.input, p.output, p.verified_by]));
    row(["phase", "from", "to", "verified by"]) + &rows.collect::<String>()
}
