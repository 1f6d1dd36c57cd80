//! Losses that are trained: a module that gives a loss, and behind it what is made of that.
//!
//! ```text
//! module @main { .. }
//! // meshloom.train adamw(loss, lr: 0.001, clip: 1.0)
//! // meshloom.microbatches 4
//! module @main { .. }
//! ```
//!
//! The line with `train` has a `train` of Loom, so that the optimizer, accumulation, recomputation and stages are Loom's own. The second
//! module is the loss of one microbatch. Of each, one result is called `loss`; a donated argument that comes back as it was is a
//! parameter, and one that comes back otherwise is state that the loss changes. Whoever writes such a text has no need to list them.
//!
//! Not here: gradients (`autodiff`), and the layers of stages, which are what was rolled.

use crate::{roll, stages};
use meshloom_ir::{Func, Mesh, Port, Role, Span};
use meshloom_source::entry::{Elaborated, Entry, EntryKind, Memory, Microbatch};
use meshloom_source::{Diagnostic, FrontOptions};
use meshloom_syntax::elaborate::train_spec;
use std::collections::BTreeMap;

const TRAIN: &str = "// meshloom.train ";
const MICROBATCHES: &str = "// meshloom.microbatches ";
const LOSS: &str = "loss";

/// The function `@main` of a module, and the mesh that it is planned for.
pub struct MainFunction {
    pub func: Func,
    pub mesh: Mesh,
    pub span: Span,
}

/// What a text says of training.
pub struct Training<'t> {
    /// `adamw(loss, lr: 0.001)`
    optimizer: &'t str,
    /// The module of the loss.
    pub whole: &'t str,
    /// How many microbatches there are, as it is written.
    count: Option<&'t str>,
    /// The module of a microbatch, behind as many blanks as there are bytes before it, so that places are those in the whole text.
    pub micro: Option<String>,
}

/// What stands behind the module of a loss; `None` where nothing is said.
pub fn said(text: &str) -> Option<Training<'_>> {
    let at = line(text, TRAIN)?;
    let (optimizer, rest) = text[at + TRAIN.len()..].split_once('\n').unwrap_or((&text[at + TRAIN.len()..], ""));
    let mut training = Training { optimizer: optimizer.trim(), whole: &text[..at], count: None, micro: None };
    if let Some(begin) = line(rest, MICROBATCHES) {
        let behind = &rest[begin + MICROBATCHES.len()..];
        let (count, module) = behind.split_once('\n').unwrap_or((behind, ""));
        training.count = Some(count.trim());
        training.micro = Some(" ".repeat(text.len() - module.len()) + module);
    }
    Some(training)
}

/// Where a line begins so. Such lines stand at the end of a long text.
fn line(text: &str, begin: &str) -> Option<usize> {
    if text.starts_with(begin) {
        return Some(0);
    }
    text.rfind(&format!("\n{begin}")).map(|at| at + 1)
}

/// The train step of a loss.
///
/// # Errors
/// A module that gives no loss or has no parameters, an optimizer that is none, a microbatch that is not like the whole.
pub fn entry(
    training: &Training<'_>,
    whole: MainFunction,
    micro: Option<MainFunction>,
    options: &FrontOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Elaborated, Vec<Diagnostic>> {
    let MainFunction { func: whole, mesh, span } = whole;
    let wrong = |message: String| vec![Diagnostic::error("train", message).at(span, "")];
    let func = trained(whole, options, diagnostics).map_err(&wrong)?;
    let mut spec =
        train_spec(training.optimizer, &func).map_err(|e| wrong(format!("the text says how it is trained: {e}")))?;
    let state: Vec<&str> = func.outputs.iter().filter_map(|p| Some(func.inputs[p.updates?].name.as_str())).collect();
    spec.updates.retain(|name, _| !state.contains(&name.as_str()));
    let mut microbatch = None;
    let mut settings = BTreeMap::new();
    if let Some(micro) = micro {
        let count = training.count.and_then(|c| c.parse().ok()).filter(|&c: &u64| c > 1);
        let count = count.ok_or_else(|| wrong("the number of microbatches is no number from 2".into()))?;
        let loss = trained(micro.func, options, &mut Vec::new()).map_err(&wrong)?;
        if let Some(port) = unlike(&func, &loss) {
            return Err(wrong(format!("`{port}` is not in a microbatch as it is in the whole batch")));
        }
        settings.insert("accumulate".to_owned(), count.to_string());
        microbatch = Some(Box::new(Microbatch { loss, count, span }));
    }
    let pipeline = stages::of_loss(&func, options, span).map_err(|d| vec![*d])?.map(Box::new);
    if pipeline.is_some() && microbatch.is_none() {
        microbatch = Some(Box::new(Microbatch { loss: func.clone(), count: 1, span }));
    }
    let kind = EntryKind::Train {
        spec,
        state: BTreeMap::new(),
        microbatch,
        evaluation: None,
        memory: Memory::default(),
        settings,
    };
    let entry = Entry { name: func.name.clone(), kind, func, span, pipeline };
    Ok(Elaborated { mesh, layout: None, entries: vec![entry], asserts: Vec::new() })
}

/// A loss with its ports as `autodiff` takes them, its layers rolled.
fn trained(mut func: Func, options: &FrontOptions, diagnostics: &mut Vec<Diagnostic>) -> Result<Func, String> {
    let mut outputs = Vec::new();
    let mut yields = Vec::new();
    let (args, given) = (func.body().args.clone(), func.body().yields.clone());
    for (mut port, value) in std::mem::take(&mut func.outputs).into_iter().zip(given) {
        match port.updates {
            Some(i) if args[i] == value => {
                func.inputs[i].role = Role::Parameter;
                continue;
            }
            Some(i) => {
                func.inputs[i].role = Role::Parameter;
                port.role = Role::Parameter;
            }
            None if is_loss(&port) => {
                (port.role, port.name) = (Role::Loss, LOSS.into());
            }
            None => port.role = Role::Metric,
        }
        outputs.push(port);
        yields.push(value);
    }
    if !outputs.iter().any(|p| p.role == Role::Loss) {
        return Err(format!("no result of the module is called `{LOSS}`"));
    }
    func.outputs = outputs;
    func.regions[0].yields = yields;
    Ok(roll::wanted(func, options, diagnostics))
}

fn is_loss(port: &Port) -> bool {
    port.name == LOSS || port.name.rsplit('.').next() == Some(LOSS)
}

/// A parameter that the two have otherwise.
fn unlike(whole: &Func, micro: &Func) -> Option<String> {
    let ports = |f: &Func| -> Vec<_> {
        let all = f.inputs.iter().zip(&f.body().args).filter(|(p, _)| p.role == Role::Parameter);
        all.map(|(p, &v)| (p.name.clone(), p.entries.clone(), f.ty(v).clone())).collect()
    };
    let (a, b) = (ports(whole), ports(micro));
    let apart = a.iter().zip(&b).find(|(a, b)| a != b).map(|(a, _)| a.0.clone());
    apart.or_else(|| (a.len() != b.len()).then(|| format!("{} parameters", a.len())))
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn a_text_is_taken_apart_and_places_stay() {
        let text = "module @a {\n}\n// meshloom.train sgd(loss, lr: 1)\n// meshloom.microbatches 2\nmodule @b {\n}\n";
        let found = said(text).unwrap();
        assert_eq!((found.optimizer, found.whole, found.count), ("sgd(loss, lr: 1)", "module @a {\n}\n", Some("2")));
        let micro = found.micro.unwrap();
        assert_eq!((micro.len(), micro.find("module")), (text.len(), text.rfind("module")));
        assert!(said("module @a {\n}\n").is_none());
    }
}
