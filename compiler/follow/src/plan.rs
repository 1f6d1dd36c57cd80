//! A DTensor plan as data: the calls that a script makes, in their order. docs/from-pytorch.md describes the JSON.

use meshloom_ir::mesh::{MAX_AXES, MAX_DEVICES};
use meshloom_ir::{Axis, Layout, Reduction};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A plan.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DtensorPlan {
    /// 1.
    pub schema: u32,
    /// Sizes of the device mesh's axes.
    pub mesh: BTreeMap<String, u64>,
    /// The axes over which rows of the batch are split: each rank of them runs the module on its own.
    #[serde(default)]
    pub batch: Vec<String>,
    pub calls: Vec<PlanCall>,
    /// Forward and backward pass run inside of `loss_parallel()`.
    #[serde(default)]
    pub loss_parallel: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlanCall {
    /// `parallelize_module(model.get_submodule(module), mesh[axis], plan)`
    ParallelizeModule {
        mesh: String,
        #[serde(default)]
        module: String,
        plan: BTreeMap<String, ParallelStyle>,
    },
    /// `fully_shard(model.get_submodule(m), mesh=mesh[axes])` for each of these modules. A `*` stands for one name.
    FullyShard { mesh: Vec<String>, modules: Vec<String> },
    /// `replicate(..)`, in the same way.
    Replicate { mesh: Vec<String>, modules: Vec<String> },
    /// These parameters are made one again, the first.
    Tie { parameters: Vec<String> },
}

/// One placement, or one for each argument or result.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Layouts {
    One(Placement),
    Each(Vec<Option<Placement>>),
}

impl Layouts {
    pub fn each(&self) -> Vec<Option<Placement>> {
        match self {
            Layouts::One(p) => vec![Some(*p)],
            Layouts::Each(all) => all.clone(),
        }
    }
}

/// The styles of `torch.distributed.tensor.parallel`, with its names and defaults.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "style", deny_unknown_fields)]
pub enum ParallelStyle {
    ColwiseParallel {
        input_layouts: Option<Placement>,
        output_layouts: Option<Placement>,
        #[serde(default = "yes")]
        use_local_output: bool,
    },
    RowwiseParallel {
        input_layouts: Option<Placement>,
        output_layouts: Option<Placement>,
        #[serde(default = "yes")]
        use_local_output: bool,
    },
    SequenceParallel {
        #[serde(default = "first")]
        sequence_dim: i64,
        #[serde(default)]
        use_local_output: bool,
    },
    PrepareModuleInput(InputLayouts),
    PrepareModuleOutput(OutputLayouts),
    PrepareModuleInputOutput(InputOutputLayouts),
    /// A style of one's own by `distribute_module`.
    #[serde(rename = "distribute_module")]
    DistributeModule(Distributed),
}

/// Parameters lie so, the first argument comes so and is wanted so, the result is given so.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distributed {
    #[serde(default)]
    pub parameters: BTreeMap<String, Placement>,
    pub input_layouts: Option<Placement>,
    pub desired_input_layouts: Option<Placement>,
    pub output_layouts: Option<Placement>,
    #[serde(default = "yes")]
    pub use_local_output: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputLayouts {
    pub input_layouts: Option<Layouts>,
    pub desired_input_layouts: Option<Layouts>,
    #[serde(default)]
    pub input_kwarg_layouts: BTreeMap<String, Placement>,
    #[serde(default)]
    pub desired_input_kwarg_layouts: BTreeMap<String, Placement>,
    #[serde(default)]
    pub use_local_output: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputLayouts {
    pub output_layouts: Layouts,
    pub desired_output_layouts: Layouts,
    #[serde(default = "yes")]
    pub use_local_output: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputOutputLayouts {
    input_layouts: Option<Layouts>,
    desired_input_layouts: Option<Layouts>,
    #[serde(default)]
    input_kwarg_layouts: BTreeMap<String, Placement>,
    #[serde(default)]
    desired_input_kwarg_layouts: BTreeMap<String, Placement>,
    #[serde(default)]
    use_local_input: bool,
    output_layouts: Layouts,
    desired_output_layouts: Layouts,
    #[serde(default = "yes")]
    use_local_output: bool,
}

impl InputOutputLayouts {
    /// As `PrepareModuleInput` has them.
    pub fn inputs(&self) -> InputLayouts {
        InputLayouts {
            input_layouts: self.input_layouts.clone(),
            desired_input_layouts: self.desired_input_layouts.clone(),
            input_kwarg_layouts: self.input_kwarg_layouts.clone(),
            desired_input_kwarg_layouts: self.desired_input_kwarg_layouts.clone(),
            use_local_output: self.use_local_input,
        }
    }

    /// As `PrepareModuleOutput` has them.
    pub fn outputs(&self) -> OutputLayouts {
        OutputLayouts {
            output_layouts: self.output_layouts.clone(),
            desired_output_layouts: self.desired_output_layouts.clone(),
            use_local_output: self.use_local_output,
        }
    }
}

fn yes() -> bool {
    true
}

fn first() -> i64 {
    1
}

impl ParallelStyle {
    /// As PyTorch calls it.
    pub fn name(&self) -> &'static str {
        match self {
            ParallelStyle::ColwiseParallel { .. } => "ColwiseParallel",
            ParallelStyle::RowwiseParallel { .. } => "RowwiseParallel",
            ParallelStyle::SequenceParallel { .. } => "SequenceParallel",
            ParallelStyle::PrepareModuleInput(_) => "PrepareModuleInput",
            ParallelStyle::PrepareModuleOutput(_) => "PrepareModuleOutput",
            ParallelStyle::PrepareModuleInputOutput(_) => "PrepareModuleInputOutput",
            ParallelStyle::DistributeModule(_) => "distribute_module",
        }
    }
}

impl DtensorPlan {
    /// Reads a plan.
    ///
    /// # Errors
    /// What is wrong with the text, with its line.
    pub fn read(text: &str) -> Result<DtensorPlan, String> {
        let plan: DtensorPlan = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if plan.schema != 1 {
            return Err(format!("its schema is {}, and there is schema 1", plan.schema));
        }
        let named = plan.calls.iter().flat_map(|c| match c {
            PlanCall::ParallelizeModule { mesh, .. } => std::slice::from_ref(mesh),
            PlanCall::FullyShard { mesh, .. } | PlanCall::Replicate { mesh, .. } => mesh.as_slice(),
            PlanCall::Tie { .. } => &[],
        });
        if let Some(axis) = named.chain(&plan.batch).find(|a| !plan.mesh.contains_key(*a)) {
            let axes: Vec<&str> = plan.mesh.keys().map(String::as_str).collect();
            return Err(format!("it names the axis `{axis}`, and its mesh has {}", axes.join(", ")));
        }
        let devices = plan.mesh.values().try_fold(1u64, |n, size| n.checked_mul(*size));
        if plan.mesh.len() > MAX_AXES || !devices.is_some_and(|n| (1..=MAX_DEVICES).contains(&n)) {
            return Err(format!("its mesh has more than {MAX_AXES} axes, no devices, or more than {MAX_DEVICES}"));
        }
        Ok(plan)
    }
}

/// `Shard(0)`, `Shard(-1)`, `Replicate()`, `Partial()`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum Placement {
    Shard(i64),
    Replicate,
    Partial,
}

impl TryFrom<String> for Placement {
    type Error = String;

    fn try_from(text: String) -> Result<Placement, String> {
        let inside = text.strip_prefix("Shard(").and_then(|t| t.strip_suffix(')'));
        let inside = inside.map(|t| t.trim().trim_start_matches("dim=").parse::<i64>());
        match (text.as_str(), inside) {
            ("Replicate()", _) => Ok(Placement::Replicate),
            ("Partial()" | "Partial(sum)" | "Partial('sum')", _) => Ok(Placement::Partial),
            (_, Some(Ok(dim))) => Ok(Placement::Shard(dim)),
            _ => Err(format!("`{text}` is no placement: there are Shard(DIM), Replicate() and Partial()")),
        }
    }
}

impl Placement {
    /// With dims counted from the front. `None` where a tensor of that rank has no such dim.
    pub fn of_rank(self, rank: usize) -> Option<Placement> {
        let Placement::Shard(dim) = self else { return Some(self) };
        let rank = rank as i64;
        let at = if dim < 0 { dim + rank } else { dim };
        (0..rank).contains(&at).then_some(Placement::Shard(at))
    }

    /// As a gradient is given: whole where the value is partial.
    #[must_use]
    pub fn of_gradient(self) -> Placement {
        if self == Placement::Partial { Placement::Replicate } else { self }
    }

    /// A layout that has it on one axis. `self` is counted from the front ([`Self::of_rank`]).
    pub fn on(self, layout: &Layout, axis: Axis) -> Layout {
        let mut l = layout.without(axis);
        match self {
            Placement::Replicate => {}
            Placement::Shard(d) => {
                if let Some(dim) = usize::try_from(d).ok().and_then(|d| l.dims.get_mut(d)) {
                    dim.push(axis);
                }
            }
            Placement::Partial => {
                l.partial.insert(axis, Reduction::Sum);
            }
        }
        l
    }
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Placement::Shard(d) => write!(f, "Shard({d})"),
            Placement::Replicate => f.write_str("Replicate()"),
            Placement::Partial => f.write_str("Partial()"),
        }
    }
}
