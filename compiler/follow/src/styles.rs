//! What the calls of a plan say of each module: its boundaries and where its parameters lie. What PyTorch refuses as the calls are made is
//! refused here.

use crate::boundary::Boundary;
use crate::places::Mark;
use crate::plan::{DtensorPlan, InputLayouts, Layouts, OutputLayouts, ParallelStyle, Placement, PlanCall};
use crate::refusal::PlanRefusal;
use crate::tree::Modules;
use meshloom_ir::Func;
use std::collections::BTreeMap;

/// What begins the names of parameters and of gradients in a program.
pub const PARAMETERS: &str = "params.";
pub const GRADIENTS: &str = "result.grad.";
pub const BUFFERS: &str = "buffers.";

#[derive(Debug, Default)]
pub struct Styled {
    /// Axes of tensors, with their sizes.
    pub axes: Vec<(String, u64)>,
    boundaries: BTreeMap<Mark, Vec<Boundary>>,
    /// Parameters that are DTensors, by the program's names: the axis, and where they lie.
    pub parameters: BTreeMap<String, (usize, Placement)>,
    /// Modules whose parameters and buffers are DTensors, with the axis.
    pub distributed: BTreeMap<String, usize>,
    pub loss_parallel: bool,
    pub refusals: Vec<PlanRefusal>,
    pub warnings: Vec<String>,
}

impl Styled {
    pub fn at(&self, mark: &Mark) -> Vec<Boundary> {
        self.boundaries.get(mark).cloned().unwrap_or_default()
    }

    /// All boundaries, each with the style that has it first.
    pub fn boundaries(&self) -> impl Iterator<Item = (&Mark, &'static str)> {
        self.boundaries.iter().filter_map(|(m, b)| Some((m, b.first()?.style)))
    }
}

struct Resolver<'a> {
    modules: &'a Modules,
    func: &'a Func,
    out: Styled,
    /// By name of a parameter, tied ones by each of their names.
    placed: BTreeMap<String, (usize, Placement)>,
}

/// What all calls say.
///
/// # Errors
/// The program has no parameters by name.
pub fn resolve(plan: &DtensorPlan, modules: &Modules, func: &Func) -> Result<Styled, String> {
    if !func.inputs.iter().any(|p| p.name.starts_with(PARAMETERS))
        || !func.outputs.iter().any(|p| p.name.starts_with(GRADIENTS))
    {
        return Err(
            "it does not give loss and gradients: trace it with `python -m meshloom.torch.trace --boundaries`".into()
        );
    }
    let mut names: Vec<&String> = plan
        .calls
        .iter()
        .filter_map(|c| if let PlanCall::ParallelizeModule { mesh, .. } = c { Some(mesh) } else { None })
        .collect();
    names.sort();
    names.dedup();
    let axes = names.into_iter().map(|n| (n.clone(), plan.mesh.get(n).copied().unwrap_or(1))).collect();
    let out = Styled { axes, loss_parallel: plan.loss_parallel, ..Styled::default() };
    let mut r = Resolver { modules, func, out, placed: BTreeMap::new() };
    for call in &plan.calls {
        if let PlanCall::ParallelizeModule { mesh, module, plan } = call {
            let axis = r.out.axes.iter().position(|a| a.0 == *mesh).unwrap_or(0);
            if modules.class(module).is_none() {
                r.out.refusals.push(PlanRefusal::new(module, "there is no module of this name"));
            }
            for (pattern, style) in plan {
                r.entry(axis, module, pattern, style);
            }
        }
    }
    r.tied(plan);
    Ok(r.out)
}

impl Resolver<'_> {
    fn refuse(&mut self, module: &str, text: impl Into<String>) {
        self.out.refusals.push(PlanRefusal::new(module, text));
    }

    fn entry(&mut self, axis: usize, root: &str, pattern: &str, style: &ParallelStyle) {
        let modules = self.modules;
        let found = modules.matching(root, pattern);
        if found.is_empty() {
            self.out.warnings.push(format!("no module fits `{pattern}`, so PyTorch passes over it"));
        }
        for m in found {
            self.style(axis, m, style);
        }
    }

    fn boundary(&mut self, module: &str, enters: bool, argument: String, b: Boundary) {
        let mark = Mark { module: module.into(), enters, argument };
        self.out.boundaries.entry(mark).or_default().push(b);
    }

    fn style(&mut self, axis: usize, module: &str, style: &ParallelStyle) {
        let base = Boundary { style: style.name(), axis, ..Boundary::default() };
        match style {
            ParallelStyle::ColwiseParallel { input_layouts, output_layouts, use_local_output } => {
                let comes = input_layouts.unwrap_or(Placement::Replicate);
                let gives = output_layouts.unwrap_or(Placement::Shard(-1));
                self.split(module, base, true, comes, gives, *use_local_output);
            }
            ParallelStyle::RowwiseParallel { input_layouts, output_layouts, use_local_output } => {
                let comes = input_layouts.unwrap_or(Placement::Shard(-1));
                let gives = output_layouts.unwrap_or(Placement::Replicate);
                self.split(module, base, false, comes, gives, *use_local_output);
            }
            ParallelStyle::SequenceParallel { sequence_dim, use_local_output } => {
                let at = Some(Placement::Shard(*sequence_dim));
                let enters = Boundary { comes: at, wanted: at, compares: true, ..base.clone() };
                let leaves = Boundary { dtensor: true, local: *use_local_output, ..base };
                self.around(module, Some(enters), leaves);
                self.place(axis, module, style.name(), |_| Some(Placement::Replicate));
            }
            ParallelStyle::PrepareModuleInput(i) => self.inputs(module, &base, i),
            ParallelStyle::PrepareModuleOutput(o) => self.outputs(module, &base, o),
            ParallelStyle::PrepareModuleInputOutput(both) => {
                self.inputs(module, &base, &both.inputs());
                self.outputs(module, &base, &both.outputs());
            }
            ParallelStyle::DistributeModule(own) => {
                let enters = own.input_layouts.or(own.desired_input_layouts).map(|_| Boundary {
                    comes: own.input_layouts,
                    wanted: own.desired_input_layouts.or(own.input_layouts),
                    compares: true,
                    ..base.clone()
                });
                let (wanted, local) = (own.output_layouts, own.use_local_output);
                self.around(module, enters, Boundary { wanted, compares: true, dtensor: true, local, ..base });
                let at = |leaf: &str| own.parameters.get(leaf).copied().unwrap_or(Placement::Replicate);
                self.place(axis, module, style.name(), |leaf| Some(at(leaf)));
            }
        }
    }

    /// The boundaries of a module's first input and of its result.
    fn around(&mut self, module: &str, enters: Option<Boundary>, leaves: Boundary) {
        if let Some(enters) = enters {
            self.boundary(module, true, "0".into(), enters);
        }
        self.boundary(module, false, "0".into(), leaves);
    }

    /// `ColwiseParallel` or `RowwiseParallel`.
    fn split(&mut self, module: &str, base: Boundary, columns: bool, comes: Placement, gives: Placement, local: bool) {
        let class = self.modules.class(module).unwrap_or_default().to_string();
        let table = class == "Embedding";
        if !table && class != "Linear" {
            let text = format!("{} is for nn.Linear and nn.Embedding, and this is a {class}", base.style);
            return self.refuse(module, text);
        }
        let (axis, style) = (base.axis, base.style);
        let wanted = if columns || table { Placement::Replicate } else { Placement::Shard(-1) };
        let enters = Boundary { comes: Some(comes), wanted: Some(wanted), ..base.clone() };
        self.around(
            module,
            Some(enters),
            Boundary { wanted: Some(gives), compares: true, dtensor: true, local, ..base },
        );
        self.place(axis, module, style, |leaf| {
            Some(match (columns, table, leaf) {
                (true, true, _) | (false, false, "weight") => Placement::Shard(1),
                (true, false, _) | (false, true, _) => Placement::Shard(0),
                (false, false, _) => Placement::Replicate,
            })
        });
    }

    fn inputs(&mut self, module: &str, base: &Boundary, i: &InputLayouts) {
        let each = |l: &Option<Layouts>| l.as_ref().map_or_else(Vec::new, Layouts::each);
        let (comes, wanted) = (each(&i.input_layouts), each(&i.desired_input_layouts));
        if comes.len() != wanted.len() || i.input_kwarg_layouts.len() != i.desired_input_kwarg_layouts.len() {
            let text = format!("{} has as many desired layouts as layouts, and here it has others", base.style);
            return self.refuse(module, text);
        }
        for (n, (c, w)) in comes.into_iter().zip(wanted).enumerate() {
            if c.is_some() {
                let b = Boundary { comes: c, wanted: w, local: i.use_local_output, ..base.clone() };
                self.boundary(module, true, n.to_string(), b);
            }
        }
        for (argument, c) in &i.input_kwarg_layouts {
            let wanted = i.desired_input_kwarg_layouts.get(argument).copied();
            let b = Boundary { comes: Some(*c), wanted, local: i.use_local_output, ..base.clone() };
            self.boundary(module, true, argument.clone(), b);
        }
    }

    fn outputs(&mut self, module: &str, base: &Boundary, o: &OutputLayouts) {
        let (comes, wanted) = (o.output_layouts.each(), o.desired_output_layouts.each());
        if comes.len() != wanted.len() {
            let text = format!("{} has as many desired layouts as layouts, and here it has others", base.style);
            return self.refuse(module, text);
        }
        for (n, (c, w)) in comes.into_iter().zip(wanted).enumerate() {
            if c.is_some() {
                let b = Boundary { comes: c, wanted: w, local: o.use_local_output, ..base.clone() };
                self.boundary(module, false, n.to_string(), b);
            }
        }
    }

    /// Parameters of a module become DTensors.
    fn place(&mut self, axis: usize, module: &str, style: &str, of: impl Fn(&str) -> Option<Placement>) {
        let (func, modules) = (self.func, self.modules);
        self.out.distributed.insert(module.to_string(), axis);
        for (i, port) in func.inputs.iter().enumerate() {
            let Some(own) = port.name.strip_prefix(PARAMETERS) else { continue };
            for name in modules.names(own) {
                let (path, leaf) = name.rsplit_once('.').unwrap_or(("", name));
                if path != module {
                    if Modules::is_within(path, module) && style != "distribute_module" {
                        self.refuse(
                            module,
                            format!(
                                "{style} places a module's own parameters, and `{name}` is a part's: PyTorch raises"
                            ),
                        );
                    }
                    continue;
                }
                let shape = &func.ty(func.body().args[i]).shape;
                let Some(p) = of(leaf) else { continue };
                let Some(p) = p.of_rank(shape.len()) else {
                    self.refuse(module, format!("{style}: `{leaf}` has no dim for {p}"));
                    continue;
                };
                if let Placement::Shard(d) = p
                    && !shape.get(d as usize).is_some_and(|n| n.is_multiple_of(self.out.axes[axis].1))
                {
                    let (n, size) = (shape.get(d as usize).copied().unwrap_or(0), self.out.axes[axis].1);
                    self.refuse(module, format!("{style}: dim {d} of `{leaf}` has {n} entries, which {size} devices do not share evenly; that is not followed"));
                    continue;
                }
                if let Some(before) = self.placed.insert(name.to_string(), (axis, p))
                    && before != (axis, p)
                {
                    self.refuse(module, format!("`{leaf}` is placed twice, as {} and as {p}", before.1));
                }
            }
        }
    }

    /// Placing a module's parameters gives it new ones. What was one with another module's is one no longer, unless the plan ties them again.
    fn tied(&mut self, plan: &DtensorPlan) {
        let (func, modules) = (self.func, self.modules);
        for port in &func.inputs {
            let Some(own) = port.name.strip_prefix(PARAMETERS) else { continue };
            let names = modules.names(own);
            let placed: Vec<&str> = names.iter().copied().filter(|n| self.placed.contains_key(*n)).collect();
            let Some(&one) = placed.first() else { continue };
            let tie = plan.calls.iter().find_map(|c| match c {
                PlanCall::Tie { parameters } if names.iter().all(|n| parameters.iter().any(|p| p == n)) => {
                    parameters.first()
                }
                _ => None,
            });
            let counts = tie.map_or(one, String::as_str);
            if names.len() > 1 && tie.is_none() {
                let module = one.rsplit_once('.').map_or("", |x| x.0).to_string();
                let other = names.iter().find(|n| **n != one).copied().unwrap_or_default();
                self.refuse(&module, format!("placing `{one}` makes it a parameter of its own, and it is one with `{other}`: they would be trained apart"));
            }
            if let Some(p) = self.placed.get(counts) {
                self.out.parameters.insert(own.to_string(), *p);
            }
        }
    }
}
