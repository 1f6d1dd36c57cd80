//! `accumulate: k` on a `train`: its loss a second time, for one of k microbatches.
//!
//! A microbatch is the same program with another `batch`. So the program itself says what changes with the batch (dims
//! computed from it, the divisor of a mean), and nothing has to be guessed from shapes.

use super::consts::{BATCH, Const};
use super::optimizer::Accumulate;
use super::program::Declarations;
use super::value::Num;
use meshloom_ir::Func;
use meshloom_source::entry::{Entry, EntryKind, Microbatch};
use meshloom_source::{Diagnostic, FrontOptions};

/// The options under which the loss of one microbatch is elaborated.
pub fn options(
    program: &Declarations<'_>,
    options: &FrontOptions,
    train: &str,
    accumulate: &Accumulate,
) -> Result<FrontOptions, Diagnostic> {
    let k = accumulate.count;
    let wrong = |message: String, label: &str| Diagnostic::error("train", message).at(accumulate.span, label);
    let Some(Const::Number(Num::Int(batch))) = program.constants.get(BATCH) else {
        return Err(wrong("there is no dim `batch` to split into microbatches".into(), "")
            .help("declare the batch as `dim batch = ..` and use it in the types of the loss's inputs"));
    };
    let batch = u64::try_from(*batch).unwrap_or(0);
    if !batch.is_multiple_of(k) || batch == 0 {
        let fits: Vec<String> =
            (2..=batch.min(4096)).filter(|n| batch.is_multiple_of(*n)).map(|n| n.to_string()).collect();
        let d = wrong(format!("a batch of {batch} cannot be split into {k} microbatches"), "does not divide `batch`");
        return Err(if fits.is_empty() { d } else { d.help(format!("one of {}", fits.join(", "))) });
    }
    let mut small = options.clone();
    small.entry = Some(train.to_string());
    // `batch` is already what the options make of it.
    small.batches = 1;
    small.dims.push((BATCH.to_string(), batch / k));
    Ok(small)
}

/// The batch of a `train` with stages, which accumulates nothing, as its one microbatch: stages are parts of the loop over
/// microbatches.
pub fn single(entry: &mut Entry) {
    if let (EntryKind::Train { microbatch: microbatch @ None, .. }, Some(of)) = (&mut entry.kind, &entry.pipeline) {
        *microbatch = Some(Box::new(Microbatch { loss: entry.func.clone(), count: 1, span: of.span }));
    }
}

/// Puts the loss of a microbatch beside that of the batch.
pub fn attach(
    kind: &mut EntryKind,
    accumulate: &Accumulate,
    made: Option<Func>,
    mut errors: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    errors.retain(Diagnostic::is_error);
    for d in &mut errors {
        d.notes.push(format!("this is so for one of {} microbatches, in which `batch` is smaller", accumulate.count));
    }
    if let (EntryKind::Train { microbatch, .. }, Some(loss)) = (kind, made) {
        *microbatch = Some(Box::new(Microbatch { loss, count: accumulate.count, span: accumulate.span }));
    }
    errors
}
