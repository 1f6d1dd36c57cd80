//! The phases, as values. `--emit`, `opt`, the table in docs/architecture.md and the file tests all use this one list.
//!
//! A phase says at which stage of a program its output exists, and [`Reached::to`] runs the program up to that stage. It
//! also says how the output is printed, what reads the text back, and what verifies it. A new phase is an entry here.
//!
//! Not here: the work itself ([`crate::front`], [`crate::pipeline`]).

use crate::pipeline::{lower, plan};
use crate::program::{CompileOptions, Entry, HasPlan, Planned, Program, Scheduled};
use crate::{report, roofline};
use meshloom_certify as certify;
use meshloom_ir::{Func, parse, print, verify};
use meshloom_kernels::target::Level;
use meshloom_lower::arrange::arrange_stage;
use meshloom_source::{CompileResult, Failure, SourceMap};
use meshloom_stablehlo::emit as stablehlo;
use meshloom_strategy::entry::Elaborated;
use meshloom_syntax::format::format;

/// One phase: what goes in, what comes out, what checks it.
pub struct Phase {
    /// Its name in `--emit`, in timings and in the first lines of file tests.
    pub name: &'static str,
    pub input: &'static str,
    pub output: &'static str,
    pub verified_by: &'static str,
    pub prints: Prints,
}

/// What a phase prints.
pub enum Prints {
    /// The text as it is given: nothing is run.
    Source(Each<str>),
    /// Each entry of a checked program.
    Elaborated(Each<Elaborated>),
    /// Each entry of a planned program.
    Planned(Each<Planned>),
    /// Each entry of a scheduled program.
    Scheduled(Each<Scheduled>),
    /// A scheduled program as a whole, to be read by people or by MLIR.
    Whole(fn(&Program<Scheduled>, Show) -> Result<String, Failure>),
}

/// How an entry is printed, at the stage `E`.
pub struct Each<E: ?Sized> {
    pub print: fn(&E) -> Result<String, Failure>,
    /// Reads the text of an entry's output, and prints what was read; `None` if only other programs read the text.
    pub read: Option<Read<E>>,
    /// Verifies the output before the next phase sees it; `None` if the reader of the text does that.
    pub verify: Option<Verify<E>>,
}

/// From an entry's text to what was read, printed; or why it cannot be read.
pub type Read<E> = fn(&str, &E) -> Result<String, String>;
/// What is wrong with an entry's output.
pub type Verify<E> = fn(&E) -> Result<(), String>;

/// How kernels are shown.
#[derive(Clone, Copy, Debug)]
pub struct Show {
    /// What CPU they are made for.
    pub level: Level,
    /// Not only declared.
    pub bodies: bool,
    /// From a program in the `loom` dialect to what MLIR prints, which is in another process where LLVM is not to be loaded.
    pub mlir: fn(&str) -> Result<String, String>,
}

/// The stage that a program has to reach for a phase.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    Source,
    Elaborated,
    Planned,
    Scheduled,
}

/// All phases, in order. `--emit NAME` prints the output of one.
pub static PHASES: &[Phase] = &[
    Phase {
        name: "parse",
        input: "source text",
        output: "syntax tree, as formatted source",
        verified_by: "the formatter reads its own output",
        prints: Prints::Source(Each { print: formatted, read: Some(|text, _| told(formatted(text))), verify: None }),
    },
    Phase {
        name: "elaborate",
        input: "syntax tree",
        output: "global IR, one function per entry",
        verified_by: "ir::verify",
        prints: Prints::Elaborated(Each {
            print: |e| Ok(print::print(&e.elaborated)),
            read: Some(|text, e| read_back(text, &e.elaborated)),
            verify: Some(|e| verifies(&e.elaborated)),
        }),
    },
    Phase {
        name: "grad",
        input: "global IR of a loss",
        output: "global IR of the train step",
        verified_by: "ir::verify",
        prints: Prints::Elaborated(Each {
            print: |e| Ok(print::print(&e.global)),
            read: Some(|text, e| read_back(text, &e.global)),
            verify: Some(|e| verifies(&e.global)),
        }),
    },
    Phase {
        name: "stablehlo",
        input: "global IR",
        output: "the program as StableHLO, sdy annotations",
        verified_by: "JAX's parser, by run.py",
        prints: Prints::Elaborated(Each {
            print: |e| stablehlo::global(&e.global).map_err(Failure::Rejected),
            read: None,
            verify: None,
        }),
    },
    Phase {
        name: "plan",
        input: "global IR",
        output: "layouts and collectives",
        verified_by: "certify",
        // The table shows what scheduling finds out.
        prints: Prints::Whole(|program, _| Ok(joined(program.entries.iter().map(|e| report::of(program, e).text())))),
    },
    Phase {
        name: "local",
        input: "global IR and layouts",
        output: "local IR",
        verified_by: "ir::verify",
        prints: Prints::Planned(Each {
            print: |e| Ok(print::print(&e.plan.local)),
            read: Some(|text, e| read_back(text, &e.plan.local)),
            verify: Some(|e| verifies(&e.plan.local)),
        }),
    },
    Phase {
        name: "certify",
        input: "global IR, local IR, certificate",
        output: "certificate",
        verified_by: "certify::check",
        prints: Prints::Planned(Each {
            print: |e| Ok(certify::text::print(&e.plan.certificate, &e.global, &e.plan.local)),
            read: Some(certificate),
            verify: Some(proved),
        }),
    },
    Phase {
        name: "stablehlo-local",
        input: "local IR",
        output: "each device's program as StableHLO",
        verified_by: "JAX's parser, by run.py",
        prints: Prints::Planned(Each {
            print: |e| stablehlo::local(&e.plan.local, &e.global).map_err(Failure::Rejected),
            read: None,
            verify: None,
        }),
    },
    Phase {
        name: "memory",
        input: "local IR",
        output: "the largest buffers, and when they live",
        verified_by: "lower",
        prints: Prints::Planned(Each { print: memory, read: None, verify: None }),
    },
    Phase {
        name: "roofline",
        input: "local IR",
        output: "the costliest ops, on the roofline",
        verified_by: "plan::cost",
        prints: Prints::Whole(|program, _| {
            Ok(joined(program.entries.iter().map(|e| roofline::of(program, e.planned()).text())))
        }),
    },
    Phase {
        name: "schedule",
        input: "local IR",
        output: "executable program over one arena",
        verified_by: "bundle::validate, audit",
        prints: Prints::Scheduled(Each {
            print: |e| Ok(joined(e.programs().iter().map(meshloom_lower::executable::print::print))),
            read: None,
            verify: Some(|e| {
                let outline =
                    if e.staged.is_empty() { Ok(()) } else { meshloom_bundle::validate_outline(&e.scheduled.program) };
                let all = || e.programs().iter().try_for_each(|s| meshloom_bundle::validate(&s.program));
                outline.and_then(|()| all()).map_err(|e| e.to_string())
            }),
        }),
    },
    Phase {
        name: "kernels",
        input: "kernel specs",
        output: "one MLIR function per kernel",
        verified_by: "MLIR's verifier",
        prints: Prints::Whole(machine::kernels),
    },
    Phase {
        name: "loom-mlir",
        input: "executable program",
        output: "the program in the loom dialect",
        verified_by: "MLIR's verifier",
        prints: Prints::Whole(machine::dialect),
    },
];

impl Phase {
    pub fn named(name: &str) -> Option<&'static Phase> {
        PHASES.iter().find(|p| p.name == name)
    }

    /// How far a program has to come for its output.
    pub fn stage(&self) -> Stage {
        match self.prints {
            Prints::Source(_) => Stage::Source,
            Prints::Elaborated(_) => Stage::Elaborated,
            Prints::Planned(_) => Stage::Planned,
            Prints::Scheduled(_) | Prints::Whole(_) => Stage::Scheduled,
        }
    }
}

/// A program as far as it was taken.
pub enum Reached {
    Elaborated(Program),
    Planned(Program<Planned>),
    Scheduled(Program<Scheduled>),
}

impl Reached {
    /// Runs what is missing up to a stage. What came further stays as it is.
    ///
    /// # Errors
    /// Those of [`plan`] and [`lower`].
    pub fn to(self, stage: Stage, options: &CompileOptions) -> CompileResult<Reached> {
        match self {
            Reached::Elaborated(p) if stage >= Stage::Planned => Reached::Planned(plan(p, options)?).to(stage, options),
            Reached::Planned(p) if stage >= Stage::Scheduled => lower(p).map(Reached::Scheduled),
            far => Ok(far),
        }
    }

    /// The output of a phase: of its entries one after the other, or of the whole.
    ///
    /// # Errors
    /// A phase that the program has not come to, or that this build does not hold; what StableHLO cannot say.
    pub fn text(&self, phase: &Phase, show: Show) -> CompileResult<String> {
        let (path, text, sources) = self.source();
        let made = match (&phase.prints, self) {
            (Prints::Source(each), _) => {
                let mut own = SourceMap::new();
                own.add(path, text);
                return (each.print)(text).map_err(|f| (f, own));
            }
            (Prints::Elaborated(each), _) => all(each, self.elaborated()),
            (Prints::Planned(each), Reached::Planned(p)) => all(each, p.entries.iter()),
            (Prints::Planned(each), Reached::Scheduled(p)) => all(each, p.entries.iter().map(HasPlan::planned)),
            (Prints::Scheduled(each), Reached::Scheduled(p)) => all(each, p.entries.iter()),
            (Prints::Whole(print), Reached::Scheduled(p)) => print(p, show),
            _ => {
                let message = "its output was asked for before it was run".into();
                Err(Failure::Internal { phase: phase.name, message, reproducer: text.to_owned() })
            }
        };
        made.map_err(|f| (f, sources.clone()))
    }

    /// Each entry as it was elaborated.
    pub fn elaborated(&self) -> Vec<&Elaborated> {
        match self {
            Reached::Elaborated(p) => p.entries.iter().collect(),
            Reached::Planned(p) => p.entries.iter().map(Entry::elaborated).collect(),
            Reached::Scheduled(p) => p.entries.iter().map(Entry::elaborated).collect(),
        }
    }

    /// Path and text of the source, and all that was read.
    fn source(&self) -> (&str, &str, &SourceMap) {
        match self {
            Reached::Elaborated(p) => (&p.path, &p.text, &p.sources),
            Reached::Planned(p) => (&p.path, &p.text, &p.sources),
            Reached::Scheduled(p) => (&p.path, &p.text, &p.sources),
        }
    }
}

fn all<'a, E: 'a>(each: &Each<E>, entries: impl IntoIterator<Item = &'a E>) -> Result<String, Failure> {
    let texts: Vec<String> = entries.into_iter().map(each.print).collect::<Result<_, _>>()?;
    Ok(joined(texts))
}

/// One text behind the other, a blank line between them.
fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let whole = |t: String| if t.ends_with('\n') { t } else { format!("{t}\n") };
    texts.into_iter().map(whole).collect::<Vec<_>>().join("\n")
}

fn formatted(text: &str) -> Result<String, Failure> {
    format(text).map_err(Failure::Rejected)
}

fn told(result: Result<String, Failure>) -> Result<String, String> {
    result.map_err(|f| f.to_string())
}

fn verifies(func: &Func) -> Result<(), String> {
    verify::verify(func).map_err(|e| verify::show(func, &e))
}

/// Reads a program that was printed, and prints it. With its positions it has to come back as well.
fn read_back(text: &str, func: &Func) -> Result<String, String> {
    let read = |text: &str| {
        let func = parse::parse(text).map_err(|e| e.to_string())?;
        verifies(&func).map(|()| func)
    };
    let placed = print::print_with_spans(func);
    let again = print::print_with_spans(&read(&placed)?);
    if again != placed {
        return Err(format!("with positions, the text reads back to another program:\n{placed}\n{again}"));
    }
    Ok(print::print(&read(text)?))
}

fn certificate(text: &str, entry: &Planned) -> Result<String, String> {
    let (global, local) = (&entry.global, &entry.plan.local);
    let read = certify::text::parse(text, global, local).map_err(|e| e.to_string())?;
    Ok(certify::text::print(&read, global, local))
}

/// Lines of the listing of a program.
const LARGEST: usize = 40;

fn memory(entry: &Planned) -> Result<String, Failure> {
    let rejected = |e: meshloom_lower::LowerError| Failure::Rejected(vec![crate::failure::unscheduled(e)]);
    let Some(ranks) = &entry.ranks else {
        return Ok(entry.plan.arranged.as_ref().map_or_else(String::new, |a| a.listing(LARGEST)));
    };
    let made = ranks.programs.iter().map(|p| arrange_stage(&p.program.func, ranks.planned, &p.weave));
    let made = made.collect::<Result<Vec<_>, _>>().map_err(rejected)?;
    Ok(joined(made.iter().map(|a| a.listing(LARGEST))))
}

fn proved(entry: &Planned) -> Result<(), String> {
    match certify::check(&entry.global, &entry.plan.local, &entry.plan.certificate) {
        Ok(_) => Ok(()),
        Err(rejected) => Err(rejected.iter().map(|r| format!("rejected: {r}\n")).collect()),
    }
}

/// The phases that need LLVM.
#[cfg(feature = "llvm")]
mod machine {
    use super::Show;
    use crate::backend::{self, Cpu};
    use crate::program::{Program, Scheduled};
    use meshloom_codegen::loom_mlir;
    use meshloom_source::Failure;

    pub fn kernels(program: &Program<Scheduled>, show: Show) -> Result<String, Failure> {
        let kernels = backend::texts(&backend::kernels(program), Cpu { level: show.level })?;
        let texts = kernels.iter().map(|k| format!("// kernel {}\n{}\n", k.symbol, k.text.trim_end()));
        Ok(texts.collect::<Vec<String>>().join("\n"))
    }

    pub fn dialect(program: &Program<Scheduled>, show: Show) -> Result<String, Failure> {
        let kernels = if show.bodies {
            backend::texts(&backend::kernels(program), Cpu { level: show.level })?
        } else {
            Vec::new()
        };
        let kernels: Vec<(&str, &str)> = kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str())).collect();
        let mut out = String::new();
        for s in program.entries.iter().flat_map(|e| e.programs()) {
            let text = loom_mlir::emit(&s.program, &kernels);
            let text = (show.mlir)(&text).map_err(|message| {
                let phase = "loom-mlir";
                Failure::Internal { phase, message, reproducer: text }
            })?;
            out.push_str(&text);
            if !out.ends_with('\n') {
                out.push('\n');
            }
        }
        Ok(out)
    }
}

#[cfg(not(feature = "llvm"))]
mod machine {
    use super::Show;
    use crate::program::{Program, Scheduled};
    use meshloom_source::Failure;

    fn absent() -> Result<String, Failure> {
        Err(Failure::Environment("this build of Meshloom has no LLVM, which prints this phase".into()))
    }

    pub fn kernels(_program: &Program<Scheduled>, _show: Show) -> Result<String, Failure> {
        absent()
    }

    pub fn dialect(_program: &Program<Scheduled>, _show: Show) -> Result<String, Failure> {
        absent()
    }
}
