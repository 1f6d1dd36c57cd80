//! Entries: what a front end makes of a program, before anything is planned.
//!
//! Not here: the entries of later stages (`driver::program`), and how a loss becomes a train step (`autodiff`).

use crate::assertion::Assert;
use crate::diagnostic::Diagnostic;
use crate::map::{SourceMap, SourceText};
use meshloom_ir::train::TrainSpec;
use meshloom_ir::{Constraint, DType, FileId, Func, Mesh, Recompute, Span};
use std::collections::BTreeMap;

/// What the command line chooses. The default is what the source says. A front end ignores what its language does not
/// have, such as `layout` blocks.
#[derive(Clone, Debug, Default)]
pub struct FrontOptions {
    /// Sizes of mesh axes; with it, an axis that it does not give has size 1.
    pub mesh: Option<Vec<(String, u64)>>,
    /// The `layout` block to apply.
    pub layout: Option<String>,
    /// Also read the `layout` blocks that are not applied, and say what is wrong with them.
    pub every_layout: bool,
    /// More `layout` blocks: a file's name and text.
    pub layout_file: Option<(String, String)>,
    /// New values of dims and integer constants.
    pub dims: Vec<(String, u64)>,
    /// So many batches of the source make one: its dim `batch` is that many times as large. 0 means 1.
    pub batches: u64,
    /// One entry instead of all: a `train`, an `entry`, or any function.
    pub entry: Option<String>,
    /// Assertions beside those of the source, as Loom writes them behind the word `assert`.
    pub asserts: Vec<String>,
    /// The files that the source imports, and the tables that it names, as `syntax::import::gather` gives them.
    pub files: Vec<SourceText>,
    /// What `f32` means, for running a model in another precision.
    pub float: Option<DType>,
    /// What `train`s compute in, whatever their `precision` says.
    pub precision: Option<DType>,
    /// The schedule of `train`s with pipeline stages, whatever they say, and of imported train steps.
    pub schedule: Option<ScheduleChoice>,
    /// Stages of each rank, where the schedule leaves them open.
    pub virtual_stages: Option<u32>,
    /// Layers of each stage, whatever the source says.
    pub stages: Option<Vec<u64>>,
    /// The axis over which the layers of an imported train step are split into pipeline stages.
    pub pipe: Option<String>,
    /// Leave the repeated layers of an imported program written out, which else become loops.
    pub unrolled: bool,
    /// What stands otherwise than in the source.
    pub overrides: Overrides,
}

/// Declarations of a source in the place of those that stand there: by these a choice of devices differs from the source, and they are
/// what a user writes into it to have the choice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// All axes with their sizes, the outermost first; none leaves the mesh as it is.
    pub mesh: Vec<(String, u64)>,
    /// A field that is a list, and the axis that its layers are split over.
    pub stages: Option<(String, String)>,
    /// The `train` that the settings are for.
    pub train: String,
    /// Names and values: `accumulate` and `8`, `schedule` and `"1f1b"`. A setting that stands there gets the new value.
    pub settings: Vec<(String, String)>,
}

impl Overrides {
    /// The mesh as it is declared.
    pub fn mesh_line(&self) -> Option<String> {
        let axes: Vec<String> = self.mesh.iter().map(|(name, size)| format!("{name}: {size}")).collect();
        (!axes.is_empty()).then(|| format!("mesh [{}]", axes.join(", ")))
    }

    /// The settings as they are given.
    pub fn setting_lines(&self) -> impl Iterator<Item = String> {
        self.settings.iter().map(|(name, value)| format!("{name}: {value}"))
    }
}

/// What a front end makes of a source text.
pub struct Outcome {
    /// All files that spans point into.
    pub sources: SourceMap,
    /// The user's file.
    pub file: FileId,
    /// Errors and warnings in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
    /// Absent where there are errors.
    pub elaborated: Option<Elaborated>,
}

/// A checked program.
#[derive(Clone, Debug)]
pub struct Elaborated {
    pub mesh: Mesh,
    /// The chosen layout block.
    pub layout: Option<String>,
    /// All entries in the order of the source, or the one entry that the caller named.
    pub entries: Vec<Entry>,
    pub asserts: Vec<Assert>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub kind: EntryKind,
    /// Inputs: the model's parameters by path, then data. Outputs: the loss of a `train`, the results of a function.
    pub func: Func,
    pub span: Span,
    /// How its layers are split over an axis of the mesh.
    pub pipeline: Option<Box<Pipelining>>,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a program has a handful of entries")]
pub enum EntryKind {
    /// `func` is the loss; autodiff makes the step from it.
    Train {
        spec: TrainSpec,
        /// Layouts that the layout block gives to optimizer state, by the parameter's path. Other state follows its
        /// parameter.
        state: BTreeMap<String, Constraint>,
        /// Where gradients are accumulated.
        microbatch: Option<Box<Microbatch>>,
        /// The loss where nothing is trained, if that is another program: one without dropout.
        evaluation: Option<Box<Func>>,
        memory: Memory,
        /// What its settings come to, by name, and the dims and constants of the source.
        settings: BTreeMap<String, String>,
    },
    Function,
}

/// Pipeline stages of an entry. Of a `train`: `blocks: [Block; layers] @ pipe`, and its `schedule: ..`. Of an imported train step:
/// `--pipe AXIS`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pipelining {
    /// The axis that the layers are split over. No layout names it.
    pub axis: String,
    /// The path of the list of layers: `blocks`.
    pub list: String,
    /// Layers of each stage, in the order of the stages; chosen where absent.
    pub sizes: Option<Vec<u64>>,
    /// Where they stand; none where the command line gives them (`--stages`).
    pub sizes_span: Span,
    /// Where the source says so: the list's field, or the option of the command line.
    pub span: Span,
    pub schedule: ScheduleChoice,
    pub schedule_span: Span,
    /// Layouts of runs of layers, where they differ; none where all layers of a tensor lie alike.
    pub layers: Vec<LayerLayouts>,
}

/// The layouts of the layers `first..end` of a parameter, and of the optimizer's state of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerLayouts {
    /// Path of the parameter: `blocks.*.up`.
    pub name: String,
    pub first: u64,
    pub end: u64,
    /// The layout of the stacked parameter. Its first dim counts the layers, and is not split.
    pub params: Constraint,
    /// The layout of the state, if the source or the planner pins one. If `None`, the planner decides.
    pub state: Option<Constraint>,
}

/// The order of a pipeline's actions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScheduleChoice {
    /// One that has a name (`pipeline::schedules`), with the stages of each rank where it leaves them open.
    Named { name: String, virtual_stages: Option<u32> },
    /// A table of the user's: its file's name, and the CSV text.
    Table { file: String, text: String },
}

/// The loss for one of `count` microbatches.
#[derive(Clone, Debug)]
pub struct Microbatch {
    /// As `Entry::func`, with a smaller batch.
    pub loss: Func,
    pub count: u64,
    /// Where the source says so.
    pub span: Span,
}

/// What a `train` says of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// For loops that say nothing themselves, and for values outside of loops.
    pub recompute: Option<Recompute>,
    /// Bytes that a device may hold.
    pub budget: Option<u64>,
    /// What the host's memory holds for the device.
    pub offload: Option<Offload>,
}

/// What a `train` may compute its loss in. Both formats of floats of 8 bits are one precision, so one stands for them.
pub const PRECISIONS: [DType; 4] = [DType::BF16, DType::F16, DType::F32, DType::F8E4M3];

/// What users call a precision.
pub fn precision_name(d: DType) -> &'static str {
    if d.is_float8() { "fp8" } else { d.name() }
}

meshloom_ir::named! {
    /// What lies in the host's memory while the device does not need it.
    #[derive(Default)]
    Offload {
        #[default]
        None "none" "Nothing",
        State "state" "The optimizer's state",
        Stashes "stashes" "What loops keep for the backward pass",
        All "all" "State and stashes",
        Auto "auto" "Either or both, where a step does not fit otherwise, or is slower",
    }
}

impl Offload {
    /// Whether the optimizer's state lies in the host's memory in every plan.
    pub fn state(self) -> bool {
        matches!(self, Offload::State | Offload::All)
    }

    /// Whether stashes lie in the host's memory in every plan.
    pub fn stashes(self) -> bool {
        matches!(self, Offload::Stashes | Offload::All)
    }
}
