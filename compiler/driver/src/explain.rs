//! Answers of `explain`: what is asked about, why it is as it is, and what other layouts would cost.
//!
//! Nothing is estimated. Each other layout is written into the source, where a person would write it, and the program is
//! checked and planned again; what is reported is the difference between the two plans, and the text that was
//! written is the suggestion.

use crate::front::{self, is_stablehlo};
use crate::program::{CompileOptions, Planned, Program};
use crate::question::{self, Subject, Unknown};
use crate::tensors::{outside, span_of};
use crate::{parallel, pipeline, report};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Def, Func, Layout, Op, Phase, Role, Span, ValueId};
use meshloom_plan::explain as engine;
use meshloom_plan::{CollectiveInfo, Plan};
use meshloom_report::explain::{
    Alternative, Delta, Explanation, Hop, OtherPart, PartReason, QuotedSource, Reason, Refused, Suggestion,
};
use meshloom_report::{CollectiveReport, SourcePlace, TensorReport, TotalsReport};
use meshloom_source::Failure;
use meshloom_strategy::variants::BY_STAGE;
use meshloom_syntax::annotate::{self, Edit};

/// Layouts that are tried: each takes a whole compilation.
const TRIED: usize = 24;

/// Answers a question about a planned program, with the options that it was planned with.
///
/// # Errors
/// A question about nothing in the program.
pub fn explain(program: &Program<Planned>, options: &CompileOptions, what: &str) -> Result<Explanation, Unknown> {
    explain_first(program, options, what, |_| {})
}

/// The same. What the plan alone says goes to `first` before other layouts are priced, which takes a plan of each.
///
/// # Errors
/// Those of [`explain`].
pub fn explain_first(
    program: &Program<Planned>,
    options: &CompileOptions,
    what: &str,
    first: impl FnOnce(&Explanation),
) -> Result<Explanation, Unknown> {
    let subject = question::resolve(program, what)?;
    let entry = &program.entries[subject.entry];
    let (plan, data) = (&entry.plan, report::of(program, entry).data);
    let asked = Asked { program, options, entry, plan, v: outside(entry.program(), subject.value) };
    let layouts = asked.layouts();
    let now = layouts.first().cloned().unwrap_or_else(|| Layout::replicated(entry.program().ty(asked.v).rank()));
    let place = asked.place();
    let mut explanation = Explanation {
        schema: 1,
        entry: entry.name.clone(),
        question: what.into(),
        tensor: asked.tensor(&subject, &now),
        others: subject.others.clone(),
        part: asked.part(),
        reasons: engine::reasons(entry.program(), plan, asked.v, &now).into_iter().map(|r| asked.reason(&r)).collect(),
        collectives: asked.collectives(&data.collectives),
        instead: place.instead(&asked),
        totals: data.totals,
        alternatives: Vec::new(),
        refused: Vec::new(),
    };
    first(&explanation);
    price(&asked, &place, &mut explanation);
    Ok(explanation)
}

/// Plans the program with other layouts.
fn price(asked: &Asked<'_>, place: &Where, e: &mut Explanation) {
    let tried: Vec<(String, Edit, Kind)> = asked
        .candidates(place)
        .iter()
        .filter_map(|l| place.edit(asked, l).map(|(edit, kind)| (place.written(l, asked), edit, kind)))
        .collect();
    let progress = &asked.options.progress;
    progress.expect(tried.len());
    let outcomes = parallel::map(&tried, |(_, edit, kind)| {
        let outcome = asked.replan(edit, *kind);
        progress.done();
        outcome
    });
    for ((layout, edit, kind), outcome) in tried.iter().zip(outcomes) {
        match outcome {
            Ok(totals) => e.alternatives.push(Alternative {
                layout: layout.clone(),
                change: delta(&e.totals, &totals),
                totals,
                suggestion: asked.suggestion(edit, *kind),
            }),
            Err(reason) => e.refused.push(Refused { layout: layout.clone(), reason }),
        }
    }
    e.alternatives.extend(e.part.as_ref().and_then(|_| asked.alike(&e.totals)));
    e.alternatives.sort_by(|a, b| {
        let key = |x: &Alternative| (x.totals.predicted_step_us, x.totals.wire_bytes_per_device);
        let ((s, w), (t, x)) = (key(a), key(b));
        s.total_cmp(&t).then(w.total_cmp(&x)).then_with(|| a.layout.cmp(&b.layout))
    });
}

fn delta(now: &TotalsReport, then: &TotalsReport) -> Delta {
    let peak = now.peak_bytes_per_device.zip(then.peak_bytes_per_device);
    Delta {
        wire_bytes_per_device: then.wire_bytes_per_device - now.wire_bytes_per_device,
        predicted_step_us: then.predicted_step_us - now.predicted_step_us,
        peak_bytes_per_device: peak.map(|(a, b)| b as i64 - a as i64),
    }
}

/// A question on its way to its answer.
struct Asked<'a> {
    program: &'a Program<Planned>,
    options: &'a CompileOptions,
    entry: &'a Planned,
    plan: &'a Plan,
    /// The tensor: a value of the entry's global program.
    v: ValueId,
}

/// Where an annotation can stand.
enum Where {
    /// On an input of the program.
    Port(usize),
    /// On the result of the function.
    Output(usize),
    /// Behind the expression that makes a value.
    Expression(ValueId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// In the source text.
    Annotation,
    /// In the layout block in use, wherever it stands.
    Rule,
    /// A layout block of its own.
    Layout,
}

impl Asked<'_> {
    fn func(&self) -> &Func {
        self.entry.program()
    }

    fn layouts(&self) -> Vec<Layout> {
        engine::layouts(self.func(), self.plan, self.v)
    }

    fn source(&self, span: Span) -> Option<SourcePlace> {
        report::source(self.program, span)
    }

    /// What stands at a span; of a dump, the line of Python that it comes from.
    fn code(&self, span: Span) -> String {
        if let Some(o) = self.program.sources.origins.get(span) {
            return o.short();
        }
        let words: Vec<&str> = self.program.sources.text(span).split_whitespace().collect();
        meshloom_report::snippet(&words.join(" "))
    }

    fn tensor(&self, subject: &Subject, now: &Layout) -> TensorReport {
        let listed = self.plan.tensors.iter().find(|t| t.global == self.v && report::shown(t));
        if let Some(t) = listed {
            let made = meshloom_report::tensor(t, &self.func().mesh, &|s| self.source(s));
            return TensorReport { rule: report::rule(self.program, &made), ..made };
        }
        // Without a name of its own it is called by the op that makes it.
        let ty = self.func().ty(self.v);
        let name = subject.name.clone();
        let t = meshloom_plan::TensorPlan {
            name,
            role: None,
            of: None,
            is_output: false,
            first_layer: None,
            global: self.v,
            dtype: ty.dtype,
            shape: ty.shape.clone(),
            layout: now.clone(),
            local_shape: now.local_shape(&ty.shape, &self.func().mesh).unwrap_or_else(|| ty.shape.clone()),
            bytes_per_device: 0,
            in_host: false,
            decided_by: meshloom_plan::DecidedBy::Propagation,
            span: span_of(self.func(), self.v),
        };
        let bytes = t.local_shape.iter().product::<u64>() * ty.dtype.bytes();
        let t = meshloom_plan::TensorPlan { bytes_per_device: bytes, ..t };
        meshloom_report::tensor(&t, &self.func().mesh, &|s| self.source(s))
    }

    fn reason(&self, r: &engine::Reason) -> Reason {
        let func = engine::program(self.func(), self.plan);
        let mesh = &func.mesh;
        let annotation = r.pin.map(|p| {
            let (span, layout) = match p {
                engine::Pin::Input(i) => {
                    let port = &func.inputs[i];
                    let mut c = port.constraint.clone();
                    if port.stacked && !c.dims.is_empty() {
                        c.dims.remove(0);
                    }
                    let role = if port.role == Role::Input { "inputs" } else { "params" };
                    let rule = self.program.sources.rules.get(&(role, port.name.clone()));
                    (rule.copied().unwrap_or(port.span), c.show(mesh))
                }
                engine::Pin::Output(i) => (func.outputs[i].span, func.outputs[i].constraint.show(mesh)),
                engine::Pin::Constrain(o) => match &func.op(o).op {
                    Op::Constrain(c) => (func.op(o).span, c.show(mesh)),
                    _ => (Span::default(), String::new()),
                },
            };
            let what = match p {
                engine::Pin::Input(i) => func.inputs[i].name.clone(),
                engine::Pin::Output(i) => func.outputs[i].name.clone(),
                engine::Pin::Constrain(_) => {
                    let text = self.program.sources.text(span);
                    self.code_of(text.rsplit_once('@').map_or(text, |x| x.0))
                }
            };
            let text = match layout.is_empty() {
                // The annotation of a parameter, which its state goes with.
                true => format!("{what} goes with its parameter"),
                false => format!("{what} @ {layout}"),
            };
            QuotedSource { text, source: self.source(span) }
        });
        let mut chain: Vec<Hop> = Vec::new();
        for &o in &r.chain {
            let data = func.op(o);
            if matches!(data.op, Op::Constrain(_)) {
                continue;
            }
            let hop = Hop {
                op: data.op.name().into(),
                phase: data.phase.name().into(),
                source: self.source(data.span),
                text: self.code(data.span),
            };
            // Several ops of one expression are one step for who reads its line.
            match chain.last_mut() {
                Some(last) if last.source == hop.source && last.phase == hop.phase => last.op = hop.op,
                _ => chain.push(hop),
            }
        }
        Reason {
            axis: mesh.name(r.axis).into(),
            place: match r.slot {
                Slot::Split(d) => format!("dim {}", d.saturating_sub(usize::from(self.stacked()))),
                _ => "partial".into(),
            },
            decided_by: if annotation.is_some() { "annotation" } else { "cost" }.into(),
            annotation,
            chain,
        }
    }

    fn code_of(&self, text: &str) -> String {
        meshloom_report::snippet(&text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Whether dim 0 is the position in a list.
    fn stacked(&self) -> bool {
        self.port().is_some_and(|i| self.func().inputs[i].stacked)
    }

    fn port(&self) -> Option<usize> {
        match self.func().value(self.v).def {
            Def::Arg(r, i) if r == Func::BODY => Some(i as usize),
            _ => None,
        }
    }

    /// The parameter whose gradient or next value this is.
    fn parameter(&self) -> Option<usize> {
        let func = self.func();
        let of = func.outputs.iter().zip(&func.body().yields).find(|(p, y)| {
            p.role == Role::Parameter && p.updates.is_some() && update(func, **y).contains(&engine::root(func, self.v))
        });
        of.and_then(|(p, _)| p.updates)
    }

    /// The collectives that convert this tensor, its slices in loops, or either in another type (weights are gathered in the type
    /// that is computed in); of a parameter also those on its gradient and its next value.
    fn collectives(&self, reports: &[CollectiveReport]) -> Vec<CollectiveReport> {
        let func = engine::program(self.func(), self.plan);
        let mut own = vec![engine::root(func, self.v)];
        if let Some(i) = self.port() {
            let next = func.outputs.iter().zip(&func.body().yields).filter(|(p, _)| p.updates == Some(i));
            for (_, &y) in next {
                own.extend(update(func, y));
            }
        }
        let is = |c: &CollectiveInfo| {
            let mut v = c.global;
            loop {
                v = engine::root(func, outside(func, v));
                match func.def_op(v).map(|o| func.op(o)) {
                    _ if own.contains(&v) => return true,
                    Some(data) if matches!(data.op, Op::Convert { .. }) => v = data.operands[0],
                    _ => return false,
                }
            }
        };
        self.plan.collectives.iter().zip(reports).filter(|(c, _)| is(c)).map(|(_, r)| r.clone()).collect()
    }

    /// Where an annotation would stand: on the tensor, else on the expression that it is a part of.
    fn place(&self) -> Where {
        let func = self.func();
        if let Some(i) = self.port().or_else(|| self.parameter()) {
            return Where::Port(i);
        }
        if let Some(i) = func.outputs.iter().zip(&func.body().yields).position(|(p, &y)| {
            p.role == Role::Output && !p.span.is_none() && engine::root(func, y) == engine::root(func, self.v)
        }) && func.outputs.iter().filter(|p| p.role == Role::Output).count() == 1
        {
            return Where::Output(i);
        }
        // The value of the expression is the last that was made for it, before anything was differentiated.
        let span = span_of(func, self.v);
        let mut made = func.walk(Func::BODY).into_iter().filter(|&o| {
            let data = func.op(o);
            data.span == span && data.phase == Phase::Forward && data.results.len() == 1
        });
        let last = made.rfind(|&o| !matches!(func.op(o).op, Op::Constrain(_)));
        Where::Expression(last.map_or(self.v, |o| func.op(o).results[0]))
    }

    fn candidates(&self, place: &Where) -> Vec<Layout> {
        let func = self.func();
        let (v, first) = match place {
            Where::Port(i) => (func.body().args[*i], usize::from(func.inputs[*i].stacked)),
            Where::Output(_) => (self.v, 0),
            Where::Expression(v) => (*v, 0),
        };
        let mut have = engine::layouts(func, self.plan, v);
        if let Where::Port(_) = place {
            // A port has the layout it comes in; conversions are what its readers want.
            have.truncate(1);
        }
        let mut all = engine::candidates(&func.ty(v).shape, &func.mesh, &have, first);
        // An annotation does not make sums partial that nothing left partial.
        all.retain(|l| l.partial.is_empty());
        all.truncate(TRIED);
        all
    }

    /// The totals of the plan that an edit leads to.
    fn replan(&self, edit: &Edit, kind: Kind) -> Result<TotalsReport, String> {
        let mut options = self.options.clone();
        options.front.entry = Some(self.entry.name.clone());
        (options.asserts_later, options.reshards) = (true, Default::default());
        let mut text = self.program.text.clone();
        match kind {
            Kind::Annotation => text = edit.apply(&text),
            Kind::Layout => {
                options.front.layout = Some(NEW_BLOCK.into());
                options.front.layout_file = Some((NEW_FILE.into(), edit.with.clone()));
            }
            Kind::Rule => match &mut options.front.layout_file {
                Some((_, file)) if self.rule_is_in_file() => *file = edit.apply(file),
                _ => text = edit.apply(&text),
            },
        }
        self.planned(&text, &options)
    }

    /// The totals of the plan of a text with these options.
    fn planned(&self, text: &str, options: &CompileOptions) -> Result<TotalsReport, String> {
        let failed = |(f, _): (Failure, _)| f.to_string();
        let program = front::check(&self.program.path, text, options).map_err(failed)?;
        let program = pipeline::plan(program, options).map_err(failed)?;
        let entry = program.entry(&self.entry.name).ok_or("the entry is gone")?;
        Ok(report::of(&program, entry).data.totals)
    }

    /// Why the layers that this tensor is of lie otherwise than the rest of their list, where the search chose so.
    fn part(&self) -> Option<PartReason> {
        self.entry.ranks.as_ref().filter(|r| r.by_stage)?;
        let list = &self.entry.pipeline.as_ref()?.list;
        let func = self.func();
        let i = self.port().or_else(|| self.parameter())?;
        let own = func.inputs.get(i).filter(|p| p.is_of_list(list))?;
        let layers = |v: ValueId| func.ty(v).shape.first().copied();
        let listed = self.plan.tensors.iter().filter(|t| report::shown(t) && !t.is_output);
        let others = listed.filter(|t| t.name == own.name && t.first_layer.is_some_and(|f| f != own.first_layer));
        let other = |t: &meshloom_plan::TensorPlan| {
            let t = meshloom_report::tensor(t, &func.mesh, &|s| self.source(s));
            OtherPart { layout: meshloom_report::show_layout(&t), name: t.name }
        };
        Some(PartReason {
            list: list.clone(),
            first_layer: own.first_layer,
            layers: layers(func.body().args[i])?,
            // The first stages hold the most microbatches ([`meshloom_strategy::by_stage`]).
            decided_by: if own.first_layer == 0 { "memory" } else { "time" }.into(),
            others: others.map(other).collect(),
        })
    }

    /// The plan whose layers all lie alike.
    fn alike(&self, now: &TotalsReport) -> Option<Alternative> {
        let mut options = self.options.clone();
        options.front.entry = Some(self.entry.name.clone());
        (options.asserts_later, options.reshards) = (true, Default::default());
        options.plan.disabled_variants.insert(BY_STAGE.into());
        let totals = self.planned(&self.program.text, &options).ok()?;
        let text = format!("--without-variant {BY_STAGE}");
        let suggestion =
            Suggestion { kind: "option".into(), text, source: None, start: 0, end: 0, with: String::new() };
        Some(Alternative { layout: "all layers alike".into(), change: delta(now, &totals), totals, suggestion })
    }

    /// Whether the layout block in use stands in a file of its own.
    fn rule_is_in_file(&self) -> bool {
        let block = self.program.layout.as_deref().unwrap_or_default();
        let file = self.options.front.layout_file.as_ref();
        file.is_some_and(|(_, text)| annotate::add_rule(text, Default::default(), block, "params *: _").is_some())
    }

    fn suggestion(&self, edit: &Edit, kind: Kind) -> Suggestion {
        let (name, text) = match (kind, &self.options.front.layout_file) {
            (Kind::Layout, _) => (None, ""),
            (Kind::Rule, Some((name, text))) if self.rule_is_in_file() => (Some(name.clone()), text.as_str()),
            _ => (Some(self.program.path.clone()), self.program.text.as_str()),
        };
        let before = text.get(..edit.start).unwrap_or("");
        let source = name.map(|file| SourcePlace {
            file,
            line: before.matches('\n').count() as u64 + 1,
            column: before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as u64 + 1,
            ..SourcePlace::default()
        });
        let kind = match kind {
            Kind::Annotation => "annotation",
            Kind::Rule => "rule",
            Kind::Layout => "layout",
        };
        Suggestion {
            kind: kind.into(),
            text: edit.shown.clone(),
            source,
            start: edit.start,
            end: edit.end,
            with: edit.with.clone(),
        }
    }
}

/// What an update is made from, itself included: values of its shape, back to the gradient. The gradients' norm is a single
/// number, so other parameters are not reached through it.
fn update(func: &Func, next: ValueId) -> Vec<ValueId> {
    let shape = &func.ty(next).shape;
    let mut out = vec![engine::root(func, next)];
    let mut i = 0;
    while i < out.len() {
        if let Def::Op(o, _) = func.value(out[i]).def
            && func.op(o).phase == Phase::Update
        {
            for &x in &func.op(o).operands {
                let x = engine::root(func, x);
                let made = matches!(func.value(x).def, Def::Op(..));
                if made && func.ty(x).shape == *shape && !shape.is_empty() && !out.contains(&x) {
                    out.push(x);
                }
            }
        }
        i += 1;
    }
    out
}

/// The block that is suggested where none is in use.
const NEW_BLOCK: &str = "explain";
const NEW_FILE: &str = "explain.loom";

impl Where {
    /// The layout as it would be written.
    fn written(&self, l: &Layout, asked: &Asked<'_>) -> String {
        let mut l = l.clone();
        if let Where::Port(i) = self
            && asked.func().inputs[*i].stacked
            && !l.dims.is_empty()
        {
            l.dims.remove(0);
        }
        l.show(&asked.func().mesh)
    }

    fn edit(&self, asked: &Asked<'_>, l: &Layout) -> Option<(Edit, Kind)> {
        // The place for an annotation is the program that a dump was made from.
        if is_stablehlo(&asked.program.path) {
            return None;
        }
        let layout = self.written(l, asked);
        let (text, file) = (&asked.program.text, Default::default());
        let func = asked.func();
        let span = match *self {
            Where::Port(i) => return port_edit(asked, i, &layout),
            Where::Output(i) => func.outputs[i].span,
            Where::Expression(v) => span_of(func, v),
        };
        Some((annotate::annotate(text, file, span, &layout)?, Kind::Annotation))
    }

    /// What the annotation would stand on, where that is not what was asked about.
    fn instead(&self, asked: &Asked<'_>) -> Option<String> {
        match *self {
            Where::Port(i) if asked.port() != Some(i) => {
                Some(format!("`{}`, which this is the gradient of", asked.func().inputs[i].name))
            }
            Where::Expression(v) if v != asked.v => {
                let span = span_of(asked.func(), v);
                let code = asked.code(span);
                (!code.is_empty()).then(|| format!("`{code}`, which it is a part of"))
            }
            _ => None,
        }
    }
}

/// On a declaration, unless a layout block is in use or the declaration stands for several tensors.
fn port_edit(asked: &Asked<'_>, i: usize, layout: &str) -> Option<(Edit, Kind)> {
    let func = asked.func();
    let port = &func.inputs[i];
    let (role, path) = match port.role {
        Role::Parameter => ("params", port.name.as_str()),
        Role::Input => ("inputs", port.name.as_str()),
        Role::State => ("state", port.of.as_deref()?),
        _ => return None,
    };
    // Of a list in parts it is about the layers of this one.
    let parts = func.inputs.iter().any(|p| p.first_layer > 0 && (p.role, &p.name) == (port.role, &port.name));
    let layers = func.ty(func.body().args[i]).shape.first().filter(|_| parts);
    let path = match layers {
        Some(n) => meshloom_report::part_name(path, port.first_layer, *n),
        None => path.to_owned(),
    };
    let rule = format!("{role} {path}: {layout}");
    if let Some(block) = &asked.program.layout {
        let file = asked.options.front.layout_file.as_ref().filter(|_| asked.rule_is_in_file());
        let text = file.map_or(&asked.program.text, |f| &f.1);
        return Some((annotate::add_rule(text, Default::default(), block, &rule)?, Kind::Rule));
    }
    let alone = func.inputs.iter().filter(|p| p.span == port.span && p.role == port.role).count() == 1;
    if role != "state" && alone {
        let edit = annotate::annotate(&asked.program.text, Default::default(), port.span, layout);
        if let Some(edit) = edit {
            return Some((edit, Kind::Annotation));
        }
    }
    let with = format!("layout {NEW_BLOCK} {{\n    {rule}\n}}\n");
    Some((Edit { start: 0, end: 0, with, shown: rule }, Kind::Layout))
}
