//! Entries that stand in no source: the loss of each `train` over data that it is not trained on.
//!
//! How a loss over one batch becomes one over several is told by `autodiff::held_out`, which reads it beside the loss of a larger batch.

use crate::front;
use crate::program::{CompileOptions, EVALUATION, Program};
use meshloom_autodiff::Coupled;
use meshloom_bundle::EntryKind;
use meshloom_source::Diagnostic;
use meshloom_strategy::entry::Elaborated;

impl Program {
    /// Adds for each train entry `gpt` an entry `gpt.eval` that computes its loss and nothing else, over all batches that it was
    /// given: what validation runs, in the stages of the step where that has stages. No assertion is about it. Diagnostics that are
    /// added say which figures are no more than means over batches.
    pub fn add_evaluations(&mut self, options: &CompileOptions) {
        let trains = self.entries.iter().filter(|e| e.kind == EntryKind::Train);
        let mut warnings = Vec::new();
        let losses: Vec<Elaborated> = trains
            .map(|e| {
                let mut elaborated = e.evaluation.as_ref().unwrap_or(&e.elaborated).clone();
                // It is not differentiated.
                if meshloom_autodiff::custom::written_out(&mut elaborated) {
                    elaborated = meshloom_autodiff::prune(&elaborated);
                }
                let larger = front::larger(self, &e.name, options);
                let made = meshloom_autodiff::held_out(&elaborated, larger.as_ref().map_err(Clone::clone));
                warnings.extend(made.means.iter().map(|(output, why)| batch_means(e, output, why)));
                elaborated = made.func;
                elaborated.name = format!("{}{EVALUATION}", e.name);
                let staged = e.pipeline.as_ref().and_then(|of| of.forward(&elaborated));
                let whole = Elaborated::function(elaborated);
                let whole = Elaborated { span: e.span, memory: e.memory, derived: true, ..whole };
                match staged {
                    Some((global, of)) => Elaborated { global, pipeline: Some(Box::new(of)), ..whole },
                    None => whole,
                }
            })
            .collect();
        self.entries.extend(losses);
        self.diagnostics.extend(warnings);
    }
}

/// A figure of held-out data that depends on which rows are in one batch.
fn batch_means(e: &Elaborated, output: &str, why: &Coupled) -> Diagnostic {
    let message = format!("the held-out `{output}` of `{}` is a mean over batches", e.name);
    let d = Diagnostic::warning("accumulate", message).at(e.span, "");
    let d = if why.span.is_none() { d.note(why.message.clone()) } else { d.also(why.span, why.message.clone()) };
    d.help("what is made of sums over the rows of `dim batch` is that of all rows, whatever the batch")
}
