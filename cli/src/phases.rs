//! Phases by name: how far a program must go for one, and the text of its output.

use crate::{model, rejected};
use meshloom_driver::{PHASES, Phase, Program, emit};
use meshloom_run::{Failed, Result};

/// The phase of a name.
///
/// # Errors
/// A name that is none.
pub fn named(name: &str) -> Result<&'static Phase> {
    PHASES.iter().find(|p| p.name == name).ok_or_else(|| {
        let names: Vec<&str> = PHASES.iter().map(|p| p.name).collect();
        Failed::usage(format!("there is no phase `{name}`")).help(format!("there are {}", names.join(", ")))
    })
}

/// Whether a phase comes before another in the table, or is it.
pub fn reaches(asked: &str, phase: &str) -> bool {
    let place = |name: &str| PHASES.iter().position(|p| p.name == name);
    place(asked) >= place(phase)
}

/// Takes a planned program as far as the phases ask for.
///
/// # Errors
/// What the target cannot run.
pub fn reach<T>(program: Program, asked: &[(&'static str, T)]) -> Result<Program> {
    // The plan's table shows what scheduling finds out.
    let further = asked.iter().any(|(p, _)| *p == "plan" || reaches(p, "schedule"));
    if further { model::lower(program) } else { Ok(program) }
}

/// The output of a phase for all entries.
///
/// # Errors
/// A phase that this build does not hold.
pub fn text(program: &Program, phase: &str) -> Result<String> {
    if phase == "parse" {
        // Of the file, not of its entries.
        return Ok(program.entries.first().and_then(|e| emit::text(program, e, phase)).unwrap_or_default());
    }
    let written: Vec<_> = program.entries.iter().filter_map(|e| emit::stablehlo(e, phase)).collect();
    if !written.is_empty() {
        let failed = |f| rejected::failed((f, program.sources.clone()));
        // A module for each entry: what reads them takes one at a time.
        let texts = written.into_iter().collect::<std::result::Result<Vec<String>, _>>().map_err(failed)?;
        return Ok(texts.join("\n"));
    }
    if let Some(text) = machine::text(program, phase)? {
        return Ok(text);
    }
    let texts: Vec<String> = program.entries.iter().filter_map(|e| emit::text(program, e, phase)).collect();
    if texts.is_empty() {
        return Err(Failed::usage(format!("this build of Meshloom does not print phase `{phase}`")));
    }
    Ok(texts
        .iter()
        .map(|t| if t.ends_with('\n') { t.clone() } else { format!("{t}\n") })
        .collect::<Vec<_>>()
        .join("\n"))
}

/// The phases that need LLVM.
#[cfg(feature = "llvm")]
mod machine {
    use crate::{build, rejected};
    use meshloom_codegen::loom_mlir;
    use meshloom_driver::{Program, backend};
    use meshloom_run::Result;
    use meshloom_syntax::source::SourceMap;

    pub fn text(program: &Program, phase: &str) -> Result<Option<String>> {
        let failed = |f| rejected::failed((f, SourceMap::new()));
        let cpu = build::host().unwrap_or(build::LEVELS[0]);
        match phase {
            "kernels" => {
                let kernels = backend::texts(program, cpu).map_err(failed)?;
                let texts: Vec<String> =
                    kernels.iter().map(|k| format!("// kernel {}\n{}\n", k.symbol, k.text.trim_end())).collect();
                Ok(Some(texts.join("\n")))
            }
            "loom-mlir" => {
                let kernels = backend::texts(program, cpu).map_err(failed)?;
                let kernels: Vec<(&str, &str)> = kernels.iter().map(|k| (k.symbol.as_str(), k.text.as_str())).collect();
                let mut out = String::new();
                for s in program.entries.iter().filter_map(|e| e.scheduled.as_ref()) {
                    let text = loom_mlir::emit(&s.program, &kernels);
                    let text = loom_mlir::roundtrip(&text).map_err(|e| {
                        let phase = "loom-mlir";
                        failed(meshloom_driver::Failure::Internal { phase, message: e.to_string(), reproducer: text })
                    })?;
                    out.push_str(&text);
                    if !out.ends_with('\n') {
                        out.push('\n');
                    }
                }
                Ok(Some(out))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(not(feature = "llvm"))]
mod machine {
    use meshloom_driver::Program;
    use meshloom_run::Result;

    pub fn text(_program: &Program, _phase: &str) -> Result<Option<String>> {
        Ok(None)
    }
}
