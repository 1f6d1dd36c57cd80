//! `train name = adamw(loss, ..)`: the optimizer's settings as data.

use super::consts;
use super::program::{Constants, FnRef, Program, TrainRef};
use super::suggest::{self, nearest};
use crate::ast::{Arg, Expr, ExprKind, Name};
use crate::diagnostic::Diagnostic;
use meshloom_ir::Span;
use meshloom_ir::train::{Optimizer, Schedule, TrainSpec};

/// What a `train` declaration says.
pub struct Training<'a> {
    pub loss: FnRef<'a>,
    pub spec: TrainSpec,
    /// Absent where the batch is taken whole.
    pub accumulate: Option<Accumulate>,
}

/// `accumulate: k`.
#[derive(Clone, Copy)]
pub struct Accumulate {
    pub count: u64,
    pub span: Span,
}

/// Named settings of a call, each used once.
struct Settings<'a> {
    what: &'a str,
    args: Vec<(&'a Name, &'a Expr)>,
    constants: &'a Constants,
}

impl<'a> Settings<'a> {
    fn new(
        what: &'a str,
        args: &'a [Arg],
        known: &[&str],
        constants: &'a Constants,
    ) -> Result<Settings<'a>, Diagnostic> {
        let mut out: Vec<(&Name, &Expr)> = Vec::new();
        for a in args {
            let Some(name) = &a.name else {
                return Err(Diagnostic::error("train", format!("the settings of `{what}` are given by name"))
                    .at(a.span, "which setting?")
                    .help(format!("its settings: {}", suggest::list(known.iter().copied()))));
            };
            if !known.contains(&name.text.as_str()) {
                let d =
                    Diagnostic::error("train", format!("`{what}` has no setting `{}`", name.text)).at(name.span, "");
                return Err(match nearest(&name.text, known.iter().copied()) {
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
        Ok(Settings { what, args: out, constants })
    }

    fn get(&self, name: &str) -> Option<&'a Expr> {
        self.args.iter().find(|a| a.0.text == name).map(|a| a.1)
    }

    /// A number in a range, or its default.
    fn number(&self, name: &str, default: f64, fits: fn(f64) -> bool, wanted: &str) -> Result<f64, Diagnostic> {
        let Some(e) = self.get(name) else { return Ok(default) };
        let x = consts::float(e, self.constants)?;
        if fits(x) {
            return Ok(x);
        }
        Err(Diagnostic::error("train", format!("`{name}` must be {wanted}, not {x}")).at(e.span, ""))
    }

    fn required(&self, name: &str, call: &Expr) -> Result<&'a Expr, Diagnostic> {
        self.get(name).ok_or_else(|| {
            Diagnostic::error("train", format!("`{}` needs `{name}`", self.what))
                .at(call.span, format!("`{name}: ..` is missing"))
        })
    }
}

fn call<'a>(e: &'a Expr, known: &[&str], what: &str) -> Result<(&'a Name, &'a [Arg]), Diagnostic> {
    let ExprKind::Call { callee, args } = &e.bare().kind else {
        return Err(Diagnostic::error("train", format!("expected {what}"))
            .at(e.span, "")
            .help(format!("one of {}", suggest::list(known.iter().copied()))));
    };
    if !known.contains(&callee.text.as_str()) {
        let d = Diagnostic::error("train", format!("`{}` is not {what}", callee.text)).at(callee.span, "");
        return Err(match nearest(&callee.text, known.iter().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("one of {}", suggest::list(known.iter().copied()))),
        });
    }
    Ok((callee, args))
}

fn positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

fn not_negative(x: f64) -> bool {
    x >= 0.0 && x.is_finite()
}

/// Reads a `train` declaration.
pub fn read<'a>(program: &Program<'a>, train: TrainRef<'a>) -> Result<Training<'a>, Diagnostic> {
    let (optimizer, args) = call(train.optimizer, &["adamw", "sgd"], "an optimizer")?;
    let loss = args.first().filter(|a| a.name.is_none()).ok_or_else(|| {
        Diagnostic::error("train", format!("`{}` needs the function it lowers", optimizer.text))
            .at(train.optimizer.span, "")
            .help(format!("such as `{}(loss, lr: 1e-3)`", optimizer.text))
    })?;
    let name = match &loss.value.bare().kind {
        ExprKind::Name(n) => n,
        _ => return Err(Diagnostic::error("train", "expected the name of the loss function").at(loss.span, "")),
    };
    let f = program.functions.get(name.as_str()).copied().ok_or_else(|| {
        let d =
            Diagnostic::error("unknown-function", format!("there is no function `{name}`")).at(loss.span, "the loss");
        match nearest(name, program.functions.keys().copied()) {
            Some(n) => d.did_you_mean(n),
            None => d,
        }
    })?;
    let adamw = optimizer.text == "adamw";
    let known: &[&str] = if adamw {
        &["lr", "betas", "eps", "weight_decay", "clip", "accumulate"]
    } else {
        &["lr", "clip", "accumulate"]
    };
    let s = Settings::new(&optimizer.text, &args[1..], known, &program.constants)?;
    let lr = schedule(s.required("lr", train.optimizer)?, &program.constants)?;
    let clip = match s.get("clip") {
        Some(_) => Some(s.number("clip", 1.0, positive, "more than 0")?),
        None => None,
    };
    let accumulate = match s.get("accumulate") {
        Some(e) => Some(Accumulate { count: microbatches(e, &program.constants)?, span: e.span }),
        None => None,
    };
    let optimizer = if adamw {
        let (beta1, beta2) = match s.get("betas") {
            Some(e) => betas(e, &program.constants)?,
            None => (0.9, 0.999),
        };
        Optimizer::AdamW {
            beta1,
            beta2,
            eps: s.number("eps", 1e-8, positive, "more than 0")?,
            weight_decay: s.number("weight_decay", 0.01, not_negative, "0 or more")?,
        }
    } else {
        Optimizer::Sgd
    };
    let accumulate = accumulate.filter(|a| a.count > 1);
    Ok(Training { loss: f, spec: TrainSpec { optimizer, lr, clip }, accumulate })
}

fn microbatches(e: &Expr, constants: &Constants) -> Result<u64, Diagnostic> {
    match consts::natural(e, constants)? {
        0 => Err(Diagnostic::error("train", "a batch has at least one microbatch").at(e.span, "")),
        n => Ok(n),
    }
}

fn betas(e: &Expr, constants: &Constants) -> Result<(f64, f64), Diagnostic> {
    let wrong = || {
        Diagnostic::error("train", "`betas` are two numbers from 0 up to 1")
            .at(e.span, "")
            .help("such as `(0.9, 0.95)`")
    };
    let ExprKind::Tuple(items) = &e.bare().kind else { return Err(wrong()) };
    let [a, b] = &items[..] else { return Err(wrong()) };
    let (a, b) = (consts::float(a, constants)?, consts::float(b, constants)?);
    if (0.0..1.0).contains(&a) && (0.0..1.0).contains(&b) { Ok((a, b)) } else { Err(wrong()) }
}

fn schedule(e: &Expr, constants: &Constants) -> Result<Schedule, Diagnostic> {
    let ExprKind::Call { .. } = &e.bare().kind else {
        let x = consts::float(e, constants)?;
        if not_negative(x) {
            return Ok(Schedule::Constant(x));
        }
        return Err(Diagnostic::error("train", format!("`lr` must be 0 or more, not {x}")).at(e.span, ""));
    };
    let (name, args) = call(e, &["warmup_cosine"], "a schedule")?;
    let s = Settings::new(&name.text, args, &["peak", "warmup", "total", "floor"], constants)?;
    let peak = s.required("peak", e)?;
    let steps = |name: &str| consts::natural(s.required(name, e)?, constants);
    let (warmup, total) = (steps("warmup")?, steps("total")?);
    if total <= warmup {
        let at = s.required("total", e)?.span;
        return Err(Diagnostic::error(
            "train",
            format!("`total` counts the warmup too: {total} steps do not go beyond {warmup}"),
        )
        .at(at, ""));
    }
    let peak_value = consts::float(peak, constants)?;
    if !not_negative(peak_value) {
        return Err(Diagnostic::error("train", format!("`peak` must be 0 or more, not {peak_value}")).at(peak.span, ""));
    }
    Ok(Schedule::WarmupCosine {
        peak: peak_value,
        warmup,
        total,
        floor: s.number("floor", 0.0, not_negative, "0 or more")?,
    })
}
