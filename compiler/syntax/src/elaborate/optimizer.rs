//! `train name = adamw(loss, ..)`: which parameters are trained, and the update of each as a function.
//!
//! An optimizer declares settings of its own; a few settings belong to every `train`. `groups` gives some parameters
//! other settings, or freezes them.

use super::program::{Constants, Declarations, FnRef, TrainRef};
use super::recompute;
use super::request::{Request, Setting};
use super::state::Elab;
use super::{consts, foreign, program, schedule};
use crate::ast::{Arg, Expr, ExprKind, FnKind, Name};
use indexmap::IndexMap;
use meshloom_ir::train::{LossScale, Precision, TrainSpec, Update};
use meshloom_ir::{DType, Func, Role, Span, TensorType};
use meshloom_source::entry::{Memory, PRECISIONS, precision_name};
use meshloom_source::suggest::{self, nearest};
use meshloom_source::{Diagnostic, FrontOptions, Glob, SourceMap};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Settings of every `train`.
const COMMON: &[&str] = &[
    "clip",
    "clip_value",
    "ema",
    "accumulate",
    "trainable",
    "groups",
    "precision",
    "reduce_dtype",
    "loss_scale",
    "recompute",
    "budget",
    "offload",
    "schedule",
    "virtual",
];

/// What losses are scaled by in f16 where `loss_scale` does not say it.
const F16_LOSS_SCALE: f64 = 1024.0;

/// Where a scale starts that follows the gradients, and after how many updates in a row it doubles: what PyTorch's GradScaler does.
const DYNAMIC_START: f64 = 65536.0;
const DYNAMIC_EVERY: u32 = 2000;
const DYNAMIC_MOST: f64 = 1e30;

/// `accumulate: k`.
#[derive(Clone, Copy)]
pub struct Accumulate {
    pub count: u64,
    pub span: Span,
}

/// A `train` declaration, read as far as it can be before its loss is known.
pub struct Training<'a> {
    pub loss: FnRef<'a>,
    /// Absent where the batch is taken whole.
    pub accumulate: Option<Accumulate>,
    pub memory: Memory,
    pub(super) schedule: schedule::Asked,
    pub(super) optimizer: FnRef<'a>,
    pub(super) callee: &'a Name,
    call: Span,
    pub(super) settings: Vec<Setting<'a>>,
    pub(super) common: Vec<Setting<'a>>,
    trainable: Option<Vec<Pattern>>,
    groups: Vec<Group<'a>>,
    clip: Option<f64>,
    pub(super) precision: Option<Precision>,
}

/// A pattern over paths.
struct Pattern {
    text: String,
    span: Span,
}

/// `params("*.bias", weight_decay: 0)`
struct Group<'a> {
    patterns: Vec<Pattern>,
    frozen: bool,
    settings: Vec<Setting<'a>>,
}

/// Named settings of a call, each used once.
fn settings<'a>(what: &str, args: &'a [Arg], known: &[&str]) -> Result<Vec<Setting<'a>>, Diagnostic> {
    let mut out: Vec<(&Name, &Expr)> = Vec::new();
    for a in args {
        let Some(name) = &a.name else {
            return Err(Diagnostic::error("train", format!("the settings of `{what}` are given by name"))
                .at(a.span, "which setting?")
                .help(format!("its settings: {}", suggest::list(known.iter().copied()))));
        };
        if !known.contains(&name.text.as_str()) {
            let d = Diagnostic::error("train", format!("`{what}` has no setting `{}`", name.text)).at(name.span, "");
            return Err(match foreign::parameter(&name.text, known).or(nearest(&name.text, known.iter().copied())) {
                Some(n) => d.did_you_mean(n),
                None => d.help(format!("its settings: {}", suggest::list(known.iter().copied()))),
            });
        }
        if let Some((first, _)) = out.iter().find(|o| o.0.text == name.text) {
            return Err(Diagnostic::error("train", format!("`{}` is given twice", name.text))
                .at(name.span, "again here")
                .also(first.span, "first here"));
        }
        out.push((name, &a.value));
    }
    Ok(out)
}

fn find<'a>(settings: &[Setting<'a>], name: &str) -> Option<Setting<'a>> {
    settings.iter().find(|s| s.0.text == name).copied()
}

/// `"*.bias"`, or a list of such patterns.
fn patterns(e: &Expr) -> Result<Vec<Pattern>, Diagnostic> {
    match &e.bare().kind {
        ExprKind::Str(s) => Ok(vec![Pattern { text: s.clone(), span: e.span }]),
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            let all: Result<Vec<_>, _> = items.iter().map(patterns).collect();
            Ok(all?.into_iter().flatten().collect())
        }
        _ => Err(Diagnostic::error("train", "expected patterns over paths, as strings")
            .at(e.span, "")
            .help("such as `[\"head.*\", \"**.bias\"]`")),
    }
}

fn groups<'a>(e: &'a Expr, known: &[&str]) -> Result<Vec<Group<'a>>, Diagnostic> {
    let wrong = |at: Span| {
        Diagnostic::error("train", "expected `params(..)`: patterns, then what holds for the parameters they match")
            .at(at, "")
            .help("such as `groups: [params(\"**.bias\", weight_decay: 0)]`")
    };
    let items = match &e.bare().kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().collect(),
        _ => vec![e],
    };
    let mut out = Vec::new();
    for item in items {
        let ExprKind::Call { callee, args } = &item.bare().kind else { return Err(wrong(item.span)) };
        if callee.text != "params" {
            return Err(wrong(callee.span));
        }
        let named = args.iter().position(|a| a.name.is_some()).unwrap_or(args.len());
        let mut globs = Vec::new();
        for a in &args[..named] {
            globs.extend(patterns(&a.value)?);
        }
        if globs.is_empty() {
            return Err(wrong(item.span));
        }
        let own: Vec<&str> = known.iter().copied().chain(["frozen"]).collect();
        let given = settings("params", &args[named..], &own)?;
        let frozen = match find(&given, "frozen").map(|(_, e)| (&e.bare().kind, e.span)) {
            None => false,
            Some((ExprKind::Bool(b), _)) => *b,
            Some((_, span)) => return Err(Diagnostic::error("train", "`frozen` is `true` or `false`").at(span, "")),
        };
        let given = given.into_iter().filter(|(n, _)| n.text != "frozen").collect();
        out.push(Group { patterns: globs, frozen, settings: given });
    }
    Ok(out)
}

/// The optimizer that a `train` declaration calls: its name as written, the function, and the arguments.
fn called<'a>(program: &Declarations<'a>, train: TrainRef<'a>) -> Result<(&'a Name, FnRef<'a>, &'a [Arg]), Diagnostic> {
    let functions = || program.functions.iter().chain(&program.library_functions);
    let optimizers: Vec<&str> =
        functions().filter(|f| f.1.def.kind == FnKind::Optimizer).map(|(name, _)| *name).collect();
    let ExprKind::Call { callee, args } = &train.optimizer.bare().kind else {
        return Err(Diagnostic::error("train", "expected an optimizer")
            .at(train.optimizer.span, "")
            .help(format!("one of {}", suggest::list(optimizers))));
    };
    let optimizer = program.function(&callee.text, false).filter(|f| f.def.kind == FnKind::Optimizer);
    let Some(optimizer) = optimizer else {
        let d = Diagnostic::error("train", format!("`{}` is not an optimizer", callee.text)).at(callee.span, "");
        return Err(match nearest(&callee.text, optimizers.iter().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("one of {}", suggest::list(optimizers))),
        });
    };
    Ok((callee, optimizer, args))
}

/// The function that is lowered: the first argument.
fn lowered<'a>(
    program: &Declarations<'a>,
    train: TrainRef<'a>,
    callee: &Name,
    args: &[Arg],
) -> Result<FnRef<'a>, Diagnostic> {
    let loss = args.first().filter(|a| a.name.is_none()).ok_or_else(|| {
        Diagnostic::error("train", format!("`{}` needs the function it lowers", callee.text))
            .at(train.optimizer.span, "")
            .help(format!("such as `{}(loss, lr: 1e-3)`", callee.text))
    })?;
    let name = match &loss.value.bare().kind {
        ExprKind::Name(n) => n,
        _ => return Err(Diagnostic::error("train", "expected the name of the loss function").at(loss.span, "")),
    };
    program.functions.get(name.as_str()).copied().ok_or_else(|| {
        let d =
            Diagnostic::error("unknown-function", format!("there is no function `{name}`")).at(loss.span, "the loss");
        match nearest(name, program.functions.keys().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d,
        }
    })
}

/// Reads a `train` declaration.
pub fn read<'a>(program: &Declarations<'a>, train: TrainRef<'a>) -> Result<Training<'a>, Diagnostic> {
    let (callee, optimizer, args) = called(program, train)?;
    let f = lowered(program, train, callee, args)?;
    // The first two are the parameter and its gradient; `step` is given by `train` itself.
    let params = &optimizer.def.params;
    let declared = params.iter().skip(2).filter(|p| p.name.text != "step");
    let own: Vec<&str> = declared.clone().map(|p| p.name.text.as_str()).collect();
    if params.len() < 2 {
        return Err(Diagnostic::error("train", "an optimizer takes a parameter and its gradient")
            .at(optimizer.def.name.span, "")
            .help(format!("`optimizer {}(p: float[..], g: float[..], lr) -> float[..]`", callee.text)));
    }
    if let Some(taken) = declared.clone().find(|p| COMMON.contains(&p.name.text.as_str())) {
        return Err(Diagnostic::error("train", format!("`{}` is a setting of every `train`", taken.name.text))
            .at(taken.span, "give it another name"));
    }
    let known: Vec<&str> = own.iter().chain(COMMON).copied().collect();
    let all = settings(&callee.text, &args[1..], &known)?;
    for p in declared.filter(|p| p.default.is_none()) {
        if find(&all, &p.name.text).is_none() {
            return Err(Diagnostic::error("train", format!("`{}` needs `{}`", callee.text, p.name.text))
                .at(train.optimizer.span, format!("`{}: ..` is missing", p.name.text)));
        }
    }
    let (settings, common): (Vec<_>, Vec<_>) = all.into_iter().partition(|(n, _)| own.contains(&n.text.as_str()));
    let clip = match find(&common, "clip") {
        Some((_, e)) => Some(positive(e, "clip", &program.constants)?),
        None => None,
    };
    let accumulate = match find(&common, "accumulate") {
        Some((_, e)) => Some(Accumulate { count: microbatches(e, &program.constants)?, span: e.span }),
        None => None,
    };
    let accumulate = accumulate.filter(|a| a.count > 1);
    let trainable = find(&common, "trainable").map(|(_, e)| patterns(e)).transpose()?;
    let groups = find(&common, "groups").map(|(_, e)| groups(e, &own)).transpose()?.unwrap_or_default();
    let memory = Memory {
        recompute: find(&common, "recompute").map(|(_, e)| recompute::mode_of(e)).transpose()?,
        budget: find(&common, "budget").map(|(_, e)| recompute::bytes(e, &program.constants)).transpose()?,
        offload: find(&common, "offload").map(|(_, e)| recompute::offload(e)).transpose()?,
    };
    let call = train.optimizer.span;
    let precision = precision(program, &common)?;
    let schedule = schedule::asked(program, find(&common, "schedule"), find(&common, "virtual"))?;
    Ok(Training {
        loss: f,
        accumulate,
        memory,
        schedule,
        optimizer,
        callee,
        call,
        settings,
        common,
        trainable,
        groups,
        clip,
        precision,
    })
}

/// `precision`, `reduce_dtype` and `loss_scale`; `--precision` goes before the first.
fn precision(program: &Declarations<'_>, common: &[Setting<'_>]) -> Result<Option<Precision>, Diagnostic> {
    let read = |name: &str, known: &[DType]| match find(common, name) {
        Some((_, e)) => element_type(e, name, known).map(Some),
        None => Ok(None),
    };
    let halves = [DType::BF16, DType::F16, DType::F32];
    let written = read("precision", &PRECISIONS)?;
    let reduce = read("reduce_dtype", &halves)?;
    let scale = find(common, "loss_scale").map(|(_, e)| loss_scale(e, &program.constants)).transpose()?;
    // In f64 everything is f64.
    let compute = if program.float == Some(DType::F64) { None } else { program.precision.or(written) };
    let Some(compute) = compute.filter(|&d| d != DType::F32) else {
        let without = ["reduce_dtype", "loss_scale"].iter().find_map(|name| find(common, name));
        return match without.filter(|_| written.is_none() && program.precision.is_none()) {
            None => Ok(None),
            Some((name, _)) => Err(Diagnostic::error("train", format!("`{}` is for training in 16 bits", name.text))
                .at(name.span, "")
                .help("add `precision: bf16`, or leave it out")),
        };
    };
    // What is not in 8 bits is in bf16.
    let eight = compute == DType::F8E4M3;
    let compute = if eight { DType::BF16 } else { compute };
    let reduce = reduce.unwrap_or(DType::F32);
    if reduce != DType::F32 && reduce != compute {
        let at = find(common, "reduce_dtype").map(|s| s.1.span).unwrap_or_default();
        return Err(Diagnostic::error("train", format!("gradients of {compute} cannot be summed in {reduce}"))
            .at(at, "")
            .help(format!("`reduce_dtype: f32`, which is the default, or `reduce_dtype: {compute}`")));
    }
    let default = if compute == DType::F16 { F16_LOSS_SCALE } else { 1.0 };
    Ok(Some(Precision { compute, reduce, loss_scale: scale.unwrap_or(LossScale::Fixed(default)), eight }))
}

/// A number, `dynamic`, or `dynamic(start: 65536, every: 2000)`.
fn loss_scale(e: &Expr, constants: &Constants) -> Result<LossScale, Diagnostic> {
    let args = match &e.bare().kind {
        ExprKind::Name(n) if n == "dynamic" => &[][..],
        ExprKind::Call { callee, args } if callee.text == "dynamic" => args,
        _ => return positive(e, "loss_scale", constants).map(LossScale::Fixed),
    };
    let given = settings("dynamic", args, &["start", "every"])?;
    let start = match find(&given, "start") {
        None => DYNAMIC_START,
        Some((_, e)) => {
            let x = positive(e, "start", constants)?;
            // It is kept in f32, and doubled.
            let large = || Diagnostic::error("train", format!("`start` is too large: {x}")).at(e.span, "");
            if x <= DYNAMIC_MOST { x } else { return Err(large().help(format!("at most {DYNAMIC_MOST}"))) }
        }
    };
    let every = match find(&given, "every") {
        None => DYNAMIC_EVERY,
        Some((_, e)) => {
            let x = positive(e, "every", constants)?;
            let whole = x.fract() == 0.0 && x <= f64::from(i32::MAX);
            let wrong =
                || Diagnostic::error("train", format!("`every` is a number of updates, not {x}")).at(e.span, "");
            if whole { x as u32 } else { return Err(wrong()) }
        }
    };
    Ok(LossScale::Dynamic { start, every })
}

/// The name of an element type as the value of a setting.
fn element_type(e: &Expr, name: &str, known: &[DType]) -> Result<DType, Diagnostic> {
    let text = match &e.bare().kind {
        ExprKind::Name(n) => n.as_str(),
        _ => "",
    };
    known.iter().copied().find(|d| precision_name(*d) == text).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|d| format!("`{}`", precision_name(*d))).collect();
        let d = Diagnostic::error("train", format!("`{name}` is an element type")).at(e.span, "");
        match nearest(text, known.iter().map(|d| precision_name(*d))) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("one of {}", names.join(", "))),
        }
    })
}

fn microbatches(e: &Expr, constants: &Constants) -> Result<u64, Diagnostic> {
    match consts::natural(e, constants)? {
        0 => Err(Diagnostic::error("train", "a batch has at least one microbatch").at(e.span, "")),
        n => Ok(n),
    }
}

fn positive(e: &Expr, name: &str, constants: &Constants) -> Result<f64, Diagnostic> {
    let x = consts::float(e, constants)?;
    if x > 0.0 && x.is_finite() {
        return Ok(x);
    }
    Err(Diagnostic::error("train", format!("`{name}` must be more than 0, not {x}")).at(e.span, ""))
}

impl<'a> Training<'a> {
    /// The update of each parameter of the loss, those aside whose next value is the loss's to give (`state`, by their paths).
    pub fn spec(
        &self,
        program: &Declarations<'a>,
        sources: &SourceMap,
        loss: &Func,
        state: &BTreeSet<String>,
    ) -> Result<TrainSpec, Vec<Diagnostic>> {
        let parameters: Vec<(String, TensorType)> = loss
            .inputs
            .iter()
            .zip(&loss.body().args)
            .filter(|(port, _)| port.role == Role::Parameter && !state.contains(&port.name))
            .map(|(port, &v)| {
                let ty = loss.ty(v);
                let shape = ty.shape[usize::from(port.stacked)..].to_vec();
                (port.name.clone(), TensorType::new(ty.dtype, shape))
            })
            .collect();
        self.all_match(&parameters)?;
        let request = |settings| Request {
            optimizer: self.optimizer,
            user: self.loss,
            callee: self.callee,
            call: self.call,
            settings,
            clip_value: find(&self.common, "clip_value"),
            ema: find(&self.common, "ema"),
        };
        let wide = loss.body().yields.first().is_some_and(|&v| loss.ty(v).dtype == DType::F64);
        let lr = find(&self.settings, "lr").map(|s| s.1);
        let rate = Elab::new(program, sources, "lr");
        let lr = rate.rate(&request(self.settings.clone()), lr, if wide { DType::F64 } else { DType::F32 })?;
        let mut made: IndexMap<(TensorType, Vec<Span>), Arc<Update>> = IndexMap::new();
        let mut updates = BTreeMap::new();
        for (path, ty) in &parameters {
            let Some(settings) = self.settings_of(path) else { continue };
            let key = (ty.clone(), settings.iter().map(|s| s.1.span).collect::<Vec<_>>());
            let update = match made.get(&key) {
                Some(u) => u.clone(),
                None => {
                    let elab = Elab::new(program, sources, "update");
                    let f = Arc::new(elab.parameter_update(&request(settings), ty)?);
                    made.insert(key, f.clone());
                    f
                }
            };
            updates.insert(path.clone(), update);
        }
        if updates.is_empty() && !parameters.is_empty() {
            let d = Diagnostic::error("train", "every parameter is frozen, so there is nothing to train");
            return Err(vec![d.at(self.call, "")]);
        }
        Ok(TrainSpec { lr, updates, clip: self.clip, precision: self.precision })
    }

    /// The optimizer's settings for a parameter; `None` if it is frozen. The last group that says something counts.
    fn settings_of(&self, path: &str) -> Option<Vec<Setting<'a>>> {
        let matches = |p: &[Pattern]| p.iter().any(|p| p.matches(path));
        let mut frozen = self.trainable.as_ref().is_some_and(|p| !matches(p));
        let mut settings = self.settings.clone();
        for group in self.groups.iter().filter(|g| matches(&g.patterns)) {
            frozen |= group.frozen;
            for &given in &group.settings {
                settings.retain(|s| s.0.text != given.0.text);
                settings.push(given);
            }
        }
        (!frozen).then_some(settings)
    }

    /// A pattern that matches nothing is most likely misspelt.
    fn all_match(&self, parameters: &[(String, TensorType)]) -> Result<(), Vec<Diagnostic>> {
        let patterns = self.groups.iter().map(|g| &g.patterns).chain(&self.trainable).flatten();
        let unused = patterns.filter(|p| !parameters.iter().any(|(path, _)| p.matches(path)));
        let errors: Vec<Diagnostic> = unused
            .map(|p| {
                let d =
                    Diagnostic::error("train", format!("`{}` matches no parameter", p.text)).at(p.span, "no such path");
                let paths = parameters.iter().map(|p| p.0.as_str());
                match nearest(&p.text, paths.clone()) {
                    Some(n) => d.help(format!("did you mean `{n}`?")),
                    None => d.help(format!("paths: {}", suggest::list(paths.take(12)))),
                }
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

impl Pattern {
    fn matches(&self, path: &str) -> bool {
        Glob::new(&self.text).matches(path)
    }
}

/// What `train it = <text>` would say of `loss`, the function called `loss` in `text`: `adamw(loss, lr: 1e-3)`. For
/// programs that are not made of Loom.
///
/// # Errors
/// What is wrong with the text, one line for each mistake.
pub fn train_spec(text: &str, loss: &Func) -> Result<TrainSpec, String> {
    let source = format!("fn loss(x: f32) -> f32 {{ x }}\ntrain it = {text}\n");
    let mut sources = SourceMap::new();
    let user = crate::parse::parse(sources.add("train", source.as_str()), &source);
    let library: Vec<_> = crate::library::FILES
        .iter()
        .map(|(name, text)| crate::parse::parse(sources.add_library(name, text), text).file)
        .collect();
    let mut errors = user.errors;
    let options = FrontOptions::default();
    let made = if errors.is_empty() {
        let program = program::collect("train", &user.file, None, &library, &options, &mut errors);
        let train = program.trains.values().next().copied();
        match train.map(|t| read(&program, t)) {
            Some(Ok(t)) => t.spec(&program, &sources, loss, &BTreeSet::new()).map_err(|d| errors.extend(d)).ok(),
            Some(Err(d)) => {
                errors.push(d);
                None
            }
            None => None,
        }
    } else {
        None
    };
    match made {
        Some(spec) if errors.is_empty() => Ok(spec),
        _ => Err(errors.into_iter().map(|d| d.message).collect::<Vec<_>>().join("\n")),
    }
}
