//! `schedule: "1f1b"`, `schedule: "tables/mine.csv"` and `virtual: 2` of a `train`, or of the command line: in which order the ranks
//! of a pipeline work.
//!
//! Not here: what a schedule is, and whether it fits. The driver asks the table of schedules.

use super::consts;
use super::program::Declarations;
use crate::ast::{Expr, ExprKind, Name};
use crate::import;
use meshloom_ir::Span;
use meshloom_source::entry::ScheduleChoice;
use meshloom_source::{Diagnostic, SourceText};

/// What runs stages where nothing is said.
const SCHEDULE: &str = "1f1b";

/// `schedule` and `virtual` of a `train`, or of the command line.
pub(super) struct Asked {
    pub(super) choice: ScheduleChoice,
    /// Absent where nothing is said.
    pub(super) span: Option<Span>,
}

/// Reads `schedule` and `virtual`. What the command line says goes before.
pub(super) fn asked(
    program: &Declarations<'_>,
    schedule: Option<(&Name, &Expr)>,
    stages: Option<(&Name, &Expr)>,
) -> Result<Asked, Diagnostic> {
    let written = match schedule {
        None => None,
        Some((_, e)) => Some((written(program, e)?, e.span)),
    };
    let said = match stages {
        None => None,
        Some((_, e)) => match u32::try_from(consts::natural(e, &program.constants)?) {
            Ok(n) if n > 0 => Some((n, e.span)),
            _ => {
                let d = Diagnostic::error("train", "`virtual` is the number of stages of each rank: 1, 2 or more");
                return Err(d.at(e.span, ""));
            }
        },
    };
    let (mut choice, span) = match (&program.options.schedule, written) {
        (Some(given), _) => (given.clone(), None),
        (None, Some((choice, span))) => (choice, Some(span)),
        (None, None) => (ScheduleChoice::Named { name: SCHEDULE.into(), virtual_stages: None }, None),
    };
    // Of another schedule than the one that it was written for, it says nothing.
    let own = said.filter(|_| program.options.schedule.is_none()).map(|s| s.0);
    match &mut choice {
        ScheduleChoice::Named { virtual_stages, .. } => *virtual_stages = program.options.virtual_stages.or(own),
        ScheduleChoice::Table { .. } => {
            if let Some((_, at)) = said.filter(|_| own.is_some()) {
                let d = Diagnostic::error("train", "`virtual` is for schedules that have a name").at(at, "");
                return Err(d.help("a table says itself how many stages each rank has"));
            }
        }
    }
    Ok(Asked { choice, span: span.or(said.map(|s| s.1)) })
}

/// `"1f1b"`, or `"tables/mine.csv"`: a path relative to the source.
fn written(program: &Declarations<'_>, e: &Expr) -> Result<ScheduleChoice, Diagnostic> {
    let ExprKind::Str(text) = &e.bare().kind else {
        return Err(Diagnostic::error("train", "`schedule` is the name of a schedule, or a table's file, as a string")
            .at(e.span, "")
            .help("such as `schedule: \"1f1b\"` or `schedule: \"tables/mine.csv\"`"));
    };
    if !import::is_table(text) {
        return Ok(ScheduleChoice::Named { name: text.clone(), virtual_stages: None });
    }
    let file = import::resolve(program.path, text);
    match table(&program.options.files, &file) {
        Ok(text) => Ok(ScheduleChoice::Table { file, text: text.to_owned() }),
        Err(why) => {
            let d = Diagnostic::error("schedule", format!("`{text}` cannot be read: {why}")).at(e.span, "");
            Err(d.help("the path of a table is relative to the file that names it"))
        }
    }
}

fn table<'f>(files: &'f [SourceText], file: &str) -> Result<&'f str, &'f str> {
    match files.iter().find(|f| f.path == file).map(|f| &f.text) {
        Some(Ok(text)) => Ok(text),
        Some(Err(why)) => Err(why),
        None => Err("it was not loaded"),
    }
}
