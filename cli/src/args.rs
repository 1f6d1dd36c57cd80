//! The command line, as data. The doc comments here are what `--help` prints.

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use meshloom_export::Stack;
use meshloom_ir::DType;
use meshloom_pipeline::{Fraction, PipelineTimes};
use meshloom_plan::cost::Unit;
use meshloom_plan::{Mode, Recompute};
#[cfg(feature = "run")]
use meshloom_run::elastic::Range;
#[cfg(feature = "llvm")]
use meshloom_run::{DeviceArgs, RunArgs};
use meshloom_source::entry::{Offload, PRECISIONS, precision_name};
use std::io::IsTerminal;
use std::path::PathBuf;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Write a model once, as if for one enormous device; run it on a mesh of them
#[derive(Parser)]
#[command(name = "meshloom", version, styles = STYLES, max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "Exit codes: 0 ok, 1 rejected or a check failed, 2 usage or environment, 3 a rank failed, 4 the plan \
                        does not fit, 101 a bug of Meshloom, 130 stopped by Ctrl-C, 143 stopped by SIGTERM"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    /// Colours: auto follows the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, hide_possible_values = true)]
    pub color: Color,
    /// Say nothing but warnings and errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// How diagnostics are written to standard error: for people, or one JSON object per line (docs/diagnostics.md)
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = MessageFormat::Human)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub message_format: MessageFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    pub fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Whether data on standard output may be coloured: it goes to a terminal that shows colours, or `--color always` stands.
pub fn colours() -> bool {
    match anstream::ColorChoice::global() {
        anstream::ColorChoice::Always | anstream::ColorChoice::AlwaysAnsi => true,
        anstream::ColorChoice::Never => false,
        anstream::ColorChoice::Auto => {
            std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        }
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Start a model: a folder with a small GPT and a README, or with a model that people know
    New(NewArgs),
    /// Check a model and say everything that is wrong with it
    Check(CheckArgs),
    /// Format models in place
    Fmt(FmtArgs),
    /// Show how a model is split over the mesh, what moves between devices, and why
    Plan(PlanArgs),
    /// List ways to train a model on so many devices, by tokens per second: meshes, layout blocks, microbatches, recomputation
    Sweep(SweepArgs),
    /// Plan a model on several meshes and with several layouts, side by side
    WhatIf(WhatIfArgs),
    /// Say why a tensor lies as it does, what that costs, and what would change it; or what a diagnostic's code means
    Explain(ExplainArgs),
    /// Show what a model, the library and the primitives say of themselves
    Doc(DocArgs),
    /// List what an entry takes: position, name, shape, element type
    Inputs(InputsArgs),
    /// Draw which device holds which part of a tensor
    Inspect(InspectArgs),
    /// Compare two plans; exits with 1 if they differ
    Diff(DiffArgs),
    /// Compile a model for a mesh into one file
    #[cfg(feature = "llvm")]
    Compile(CompileArgs),
    /// Train a model, or run one of its functions
    #[cfg(feature = "llvm")]
    Run(Box<RunCommand>),
    /// Run a bundle as several processes on this host, one for each rank
    #[cfg(feature = "run")]
    Launch(LaunchArgs),
    /// Check that a bundle computes what a source says
    #[cfg(feature = "run")]
    Verify(VerifyArgs),
    /// Write the weights of a checkpoint under the names and in the dims of another program, such as Hugging Face's
    #[cfg(feature = "run")]
    Export(ExportArgs),
    /// Write a plan in the words of another stack: DTensor and FSDP2, torchtitan, Megatron, DeepSpeed, accelerate
    ExportPlan(ExportPlanArgs),
    /// Prove that a DTensor plan computes what a module computes, or say which module, op and layout does not
    CheckPlan(CheckPlanArgs),
    /// Say what is predicted of a launch file of torchtitan, Megatron-LM, DeepSpeed or accelerate, and what would help most
    Review(ReviewArgs),
    /// List the profiles of software that times can be predicted for, with the published runs that they are fitted to
    Profiles(ProfilesArgs),
    /// Show who runs what when in a pipeline under a schedule, how long ranks wait and what they keep; or check a table
    Schedule(ScheduleArgs),
    /// Take a program through the phases, as text
    Opt(OptArgs),
    /// Time compilation and steps of a known workload
    #[cfg(feature = "llvm")]
    Bench(BenchArgs),
    /// Serve an editor on standard input and output: the language server protocol (docs/editors.md)
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    /// Say what this machine has, and what is missing
    #[cfg(feature = "run")]
    Doctor(DoctorArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Write a manual page for each command into a folder: `man -M FOLDER meshloom-plan` shows one
    Man(ManArgs),
}

/// The target where none is named.
pub const CPU: &str = "cpu";

/// Which program, on which mesh, planned how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Program")]
pub struct ModelArgs {
    /// Sizes of mesh axes: data=2,model=4. An axis that is not given has size 1
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes)]
    pub mesh: Option<Sizes>,
    /// A `layout` block by name; or FILE.loom, or FILE.loom:NAME
    #[arg(long, value_name = "LAYOUT")]
    pub layout: Option<String>,
    /// Pass keys and values of attention round the devices of these axes (ring attention) wherever that is possible. Without this
    /// option, the planner does so where it is faster
    #[arg(long, value_name = "AXIS,..", value_delimiter = ',')]
    pub ring: Option<Vec<String>>,
    /// New values of dims and integer constants: batch=32
    #[arg(long, value_name = "NAME=N,..", value_parser = sizes, action = ArgAction::Append)]
    pub dim: Vec<Sizes>,
    /// Split the layers of a StableHLO train step into pipeline stages over this mesh axis
    #[arg(long, value_name = "AXIS")]
    pub pipe: Option<String>,
    /// Layers of each pipeline stage, in the order of the stages: 3,5. Without it, what the source says; else they are chosen
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub stages: Option<Vec<u64>>,
    /// In which order the ranks of a pipeline work: the name of a schedule (1f1b, interleaved, zb-h1, ..), or a table, FILE.csv
    #[arg(long, value_name = "NAME|FILE.csv")]
    pub schedule: Option<String>,
    /// Stages of each rank of a pipeline, where the schedule leaves them open
    #[arg(long = "virtual", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub virtual_stages: Option<u32>,
    /// How what is not annotated is decided
    #[arg(long, value_parser = one_of(&Mode::ALL, Mode::name, |m| Some(m.about())), default_value = Mode::Search.name())]
    pub plan: Mode,
    /// Devices and links to plan for: a name (cpu, a100-80g, h100-sxm, h200, b200, gb200, b300, gb300), or a TOML file. Without it, cpu
    #[arg(long, value_name = "NAME|FILE")]
    pub target: Option<String>,
    /// The software that times are predicted for: a name (`meshloom profiles` lists them), or a TOML file. Without it, Meshloom's own
    /// kernels
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// What a device may hold: 40GiB. Without it, what the `train` says, or the target's memory
    #[arg(long, value_name = "BYTES", value_parser = |s: &str| Unit::Bytes.parse(s))]
    pub budget: Option<u64>,
    /// Floats as they are written: no rewrite changes the order of operations, and each rounds to its type inside of kernels too
    #[arg(long)]
    pub strict_float: bool,
    /// Plan each layer of a StableHLO program on its own; else repeated ones become a loop, which is planned once
    #[arg(long)]
    pub no_roll: bool,
    /// Which forward values the backward pass recomputes, whatever the source says; auto where it says nothing
    #[arg(long, value_parser = one_of(&Recompute::ALL, Recompute::name, |r| Some(r.about())))]
    pub recompute: Option<Recompute>,
    /// What lies in the host's memory and is on the device only while it is needed, whatever the source says
    #[arg(long, value_parser = one_of(&Offload::ALL, Offload::name, |o| Some(o.about())))]
    pub offload: Option<Offload>,
    /// What `f32` means
    #[arg(long, value_name = "DTYPE", value_parser = one_type(&[DType::F32, DType::F64]))]
    pub float: Option<DType>,
    /// What losses are computed in, whatever `train` says; parameters stay f32
    #[arg(long, value_name = "DTYPE", value_parser = precision())]
    pub precision: Option<DType>,
    /// What GPUs multiply f32 in: tf32 has the range of f32 and 10 bits of mantissa, and is several times as fast. CPUs compute in f32
    #[arg(long, value_enum, value_name = "DTYPE")]
    pub matmul_precision: Option<MatmulPrecision>,
    /// Give the gradients of parameters as outputs `grad.PATH`
    #[arg(long)]
    pub gradients: bool,
    /// Warn of a reshard that moves more than this per device in a step: 1MiB
    #[arg(long, value_name = "BYTES", value_parser = |s: &str| Unit::Bytes.parse(s))]
    pub warn_reshard: Option<u64>,
    /// Reject plans with a reshard that moves more than this
    #[arg(long, value_name = "BYTES", value_parser = |s: &str| Unit::Bytes.parse(s))]
    pub deny_reshard: Option<u64>,
    /// Do not apply a rule of the planner; to see what it is worth
    #[arg(long, value_name = "RULE")]
    pub without_rule: Vec<String>,
    /// Do not try a variant of the plan: ring-attention, offload; `explain FILE tried` lists them
    #[arg(long, value_name = "VARIANT")]
    pub without_variant: Vec<String>,
    /// Reject a plan of which this does not hold, as if the source asserted it: 'no all_gather(model)', 'wire_bytes <= 3 MiB'
    #[arg(long = "assert", value_name = "ASSERTION", action = ArgAction::Append)]
    pub asserts: Vec<String>,
    #[command(flatten)]
    pub traced: TracedArgs,
}

/// The train step of a model that is given as `hf:FOLDER`, a folder with a `config.json` of Transformers.
#[derive(Args, Clone, Debug)]
pub struct TracedArgs {
    /// Of `hf:FOLDER`: tokens of a sequence
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..))]
    pub seq: u64,
    /// Of `hf:FOLDER`: sequences of a step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Of `hf:FOLDER`: microbatches whose gradients a step adds up; with stages, those that go through them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub accumulate: u64,
    /// Of `hf:FOLDER`: trace the loss alone, and make the step of it as of a loss in Loom: gradients, optimizer, precision. So it is with
    /// --accumulate and with stages, too
    #[arg(long)]
    pub loom_step: bool,
    /// Of `hf:FOLDER`: parts of the sequence of which the loss is computed one after the other, so that logits of one part are held
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub loss_chunks: u64,
    /// Of `hf:FOLDER`: an expert takes so many times its even share of tokens, and what is beyond that is left out of it, as in the Loom
    /// examples: 1.25. Without it, mixtures are computed exactly, by products of all tokens with all experts
    #[arg(long, value_name = "TIMES")]
    pub expert_capacity: Option<f64>,
}

impl ModelArgs {
    /// What they are where nothing is given.
    pub fn usual() -> ModelArgs {
        let command = ModelArgs::augment_args(clap::Command::new("model").no_binary_name(true));
        let none: [&str; 0] = [];
        let matches = command.get_matches_from(none);
        ModelArgs::from_arg_matches(&matches).unwrap_or_else(|e| e.exit())
    }
}

/// `data=2,model=4`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes(pub Vec<(String, u64)>);

fn sizes(s: &str) -> Result<Sizes, String> {
    let one = |part: &str| {
        let (name, size) = part.split_once(['=', ':']).ok_or_else(|| format!("`{part}` is not of the form NAME=N"))?;
        let (name, size) = (name.trim(), size.trim());
        if name.is_empty() {
            return Err(format!("`{part}` is not of the form NAME=N"));
        }
        let n = size.parse::<u64>().map_err(|_| format!("`{size}` is no size"))?;
        Ok((name.to_owned(), n))
    };
    s.split(',').map(one).collect::<Result<_, _>>().map(Sizes)
}

/// Values of an option that the compiler has names for, with what `--help` says of each.
fn one_of<T: Copy + Send + Sync + 'static>(
    all: &[T],
    name: fn(T) -> &'static str,
    about: fn(T) -> Option<&'static str>,
) -> impl TypedValueParser<Value = T> {
    let shown = all.iter().map(|&x| match about(x) {
        Some(text) => PossibleValue::new(name(x)).help(text),
        None => PossibleValue::new(name(x)),
    });
    let all = all.to_vec();
    PossibleValuesParser::new(shown)
        .try_map(move |text| all.iter().copied().find(|&x| name(x) == text).ok_or("no such value"))
}

/// Element types by their names.
fn one_type(all: &[DType]) -> impl TypedValueParser<Value = DType> {
    one_of(all, DType::name, |_| None)
}

fn precision() -> impl TypedValueParser<Value = DType> {
    one_of(&PRECISIONS, precision_name, |d| d.is_float8().then_some("bf16, and matmuls with parameters in 8 bits"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatmulPrecision {
    F32,
    Tf32,
}

#[cfg(feature = "run")]
#[derive(Args)]
pub struct ExportArgs {
    /// A checkpoint, a folder of them, or weights: what `run --load` takes
    pub from: PathBuf,
    /// Folder to write `model.safetensors` into, in several files with an index where it is large
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Names and dims of the other program, as `run --load` would be given (docs/checkpoints.md); read from right to left here
    #[arg(long, value_name = "FILE")]
    pub rename: Option<PathBuf>,
    /// These parameters alone, by a pattern over their paths: '**.lora_*.*'. May be given several times. Adapters are then not added to
    /// their weights
    #[arg(long, value_name = "PATTERN")]
    pub only: Vec<String>,
    /// Round floats to this type; as they are saved, where absent
    #[arg(long, value_name = "DTYPE", value_parser = one_type(&[DType::F32, DType::BF16, DType::F16, DType::F64]))]
    pub dtype: Option<DType>,
    /// Most of one file, in MB
    #[arg(long, value_name = "MB", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub shard_size: u64,
}

#[derive(Args)]
pub struct ExportPlanArgs {
    /// A plan as `plan --json` wrote it, or a model, which is planned now: hf:FOLDER, a dump. `-` is standard input
    #[arg(value_name = "PLAN")]
    pub file: PathBuf,
    /// The stack
    #[arg(long, value_name = "STACK", value_parser = one_of(&Stack::ALL, Stack::name, |s| Some(s.about())))]
    pub to: Stack,
    /// Write here, and not to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// This entry, where there are several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
}

#[derive(Args)]
pub struct CheckPlanArgs {
    /// The plan: calls of parallelize_module, fully_shard and replicate as JSON (docs/from-pytorch.md)
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// hf:FOLDER, or what `python -m meshloom.torch.trace --boundaries` wrote; `-` is standard input
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// What is refused as JSON, on standard output
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub traced: TracedArgs,
}

#[derive(Args)]
pub struct ReviewArgs {
    /// A torchtitan TOML, a Megatron-LM launch script (.sh), a DeepSpeed ds_config.json, or an accelerate FSDP config (.yaml)
    pub file: PathBuf,
    /// The model, where the file does not say it: a folder with a config.json of Transformers, or such a file
    #[arg(long, value_name = "FOLDER")]
    pub hf: Option<PathBuf>,
    /// Devices in all, where the file does not say it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub devices: Option<u64>,
    /// Devices and links: a name, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = "h100-sxm")]
    pub target: String,
    /// The software that times are predicted for. Without it, the profile of the file's stack that has figures for the target
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Tokens of a sequence, where the file does not say it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub seq: Option<u64>,
    /// Sequences of a step, where the file does not say it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub batch: Option<u64>,
    /// Rows of a microbatch on a device, where the file does not say it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub micro: Option<u64>,
    /// Predict, and try no change
    #[arg(long)]
    pub only: bool,
    /// Print the Loom program that stands for the file, and predict nothing
    #[arg(long, conflicts_with = "json")]
    pub loom: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ProfilesArgs {
    /// One of them, with all its rows
    pub name: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct NewArgs {
    /// Folder to make
    #[arg(required_unless_present = "list_models")]
    pub dir: Option<PathBuf>,
    /// A model that people know, with the names that its weights have: llama3, gpt2, .. (docs/zoo.md)
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// List the models that `--model` knows
    #[arg(long, conflicts_with_all = ["dir", "model"])]
    pub list_models: bool,
}

#[derive(Args)]
pub struct CheckArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Diagnostics as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct FmtArgs {
    /// Models; `-` formats standard input to standard output
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if something would change
    #[arg(long)]
    pub check: bool,
}

#[derive(Args)]
pub struct PlanArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// The plan as JSON
    #[arg(long)]
    pub json: bool,
    /// Choose the mesh for so many devices, and print the best plans: sizes of axes, pipeline stages, microbatches, schedule,
    /// layout block and recomputation. What other options say of these stays; `--mesh` gives sizes that stay. Of a traced program
    /// that names no mesh: sizes of axes `data` and `model`
    #[arg(long, value_name = "N", conflicts_with_all = ["emit", "html", "lock", "locked", "timings"])]
    pub devices: Option<u64>,
    /// Print the output of phases instead, or write them to files; `opt --list-phases` names them
    #[arg(long, value_name = "PHASE[=PATH],..", value_delimiter = ',', conflicts_with = "json")]
    pub emit: Vec<String>,
    /// Write the plan to a lock file; FILE.lock where none is named
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true, conflicts_with = "emit")]
    pub lock: Option<Option<PathBuf>>,
    /// Write a page that shows the plan to this file: one file of HTML that needs no network
    #[arg(long, value_name = "PATH", conflicts_with = "emit")]
    pub html: Option<PathBuf>,
    /// Fail, and say what changed, if the plan is not that of the lock file
    #[arg(long, value_name = "PATH", num_args = 0..=1, require_equals = true, conflicts_with_all = ["emit", "lock"])]
    pub locked: Option<Option<PathBuf>>,
    /// Say how long each phase took
    #[arg(long)]
    pub timings: bool,
    /// Plan again whenever the file changes, or one that it imports, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Review the plan instead: goodput with failures and checkpoints, power, cost, what of the network and of memory is left, how
    /// the step changes with slower links or a larger batch, and on what hardware another plan would be chosen
    #[arg(long, conflicts_with_all = ["emit", "html", "lock", "locked", "devices", "timings"])]
    pub review: bool,
    /// Facts of the cluster for `--review`, as TOML: failures, storage, power, taper of the network. What the file leaves out is usual
    #[arg(long, value_name = "FILE", requires = "review")]
    pub cluster: Option<PathBuf>,
}

#[derive(Args)]
pub struct SweepArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// This `train`, where there are several
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Devices to use; `--mesh` gives sizes of axes that stay
    #[arg(long, value_name = "N")]
    pub devices: u64,
    /// Strategies that are planned in full; the others are estimates
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub plans: u16,
    /// The list as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct WhatIfArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// This entry; the first `train` where none is named
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// A mesh: data=2,model=4. Again for each; the source's own where none is given
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes, action = ArgAction::Append)]
    pub mesh: Vec<Sizes>,
    /// A `layout` block, beside the source as it is: a name, FILE.loom, or FILE.loom:NAME. Again for each
    #[arg(long, value_name = "LAYOUT")]
    pub layout: Vec<String>,
    /// New values of dims and integer constants: batch=32
    #[arg(long, value_name = "NAME=N,..", value_parser = sizes, action = ArgAction::Append)]
    pub dim: Vec<Sizes>,
    /// Devices and links to plan for: a name (cpu, a100-80g, h100-sxm, h200, b200, gb200, b300, gb300), or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = CPU)]
    pub target: String,
    /// The software that times are predicted for: a name (`meshloom profiles` lists them), or a TOML file
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// What a device may hold: 40GiB
    #[arg(long, value_name = "BYTES", value_parser = |s: &str| Unit::Bytes.parse(s))]
    pub budget: Option<u64>,
    #[command(flatten)]
    pub traced: TracedArgs,
    /// The table as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ExplainArgs {
    /// The model, `-` being standard input; or the code of a diagnostic (`E0303`), and nothing else
    pub file: PathBuf,
    /// A tensor by its path or name (`blocks.*.up`, `h`, `x@22` for the one of line 22), a line (`22`, `gpt.loom:22`), a
    /// collective by its number in the table of `plan` (`#1`) or by kind and line (`all_reduce@22`), a layer of a pipeline
    /// (`blocks[3]`), a variant of the plan (`ring-attention`), or all that was `tried`
    pub what: Option<String>,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// The answer as JSON
    #[arg(long)]
    pub json: bool,
    /// Write a page with the answer and the plan to this file: one file of HTML that needs no network
    #[arg(long, value_name = "PATH")]
    pub html: Option<PathBuf>,
}

#[derive(Args)]
pub struct DocArgs {
    /// A model, `-` being standard input; or the name of something in the library. Without it, the library's contents
    pub what: Option<PathBuf>,
    /// Something in the model
    pub name: Option<String>,
}

#[derive(Args)]
pub struct InputsArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct InspectArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// Tensors by path or name; patterns as in layout blocks: blocks.*.w*
    #[arg(long, value_name = "NAME", required = true, action = ArgAction::Append)]
    pub tensor: Vec<String>,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Draw with + - |
    #[arg(long)]
    pub ascii: bool,
    /// The shards as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct DiffArgs {
    /// A plan (`plan --json > a.plan`), a bundle, or a model
    pub before: PathBuf,
    /// The same; without it, the first one once more
    pub after: Option<PathBuf>,
    /// Layout of the first, where it is a model
    #[arg(long, value_name = "LAYOUT")]
    pub layout_a: Option<String>,
    /// Layout of the second
    #[arg(long, value_name = "LAYOUT")]
    pub layout_b: Option<String>,
    /// Mesh of the first
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes)]
    pub mesh_a: Option<Sizes>,
    /// Mesh of the second
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes)]
    pub mesh_b: Option<Sizes>,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// For both, where they are models
    #[command(flatten)]
    pub model: ModelArgs,
    /// The difference as JSON
    #[arg(long)]
    pub json: bool,
    /// Write a page with what changed and both plans beside each other to this file: one file of HTML that needs no network
    #[arg(long, value_name = "PATH")]
    pub html: Option<PathBuf>,
}

#[cfg(feature = "llvm")]
#[derive(Args)]
pub struct CompileArgs {
    /// The model; `-` is standard input
    pub file: PathBuf,
    /// The bundle to write
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// The loss of each `train` as an entry of its own too: what --eval-every needs
    #[arg(long)]
    pub eval: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    /// Another mesh to plan for, into the same bundle: `run` and `launch` take the plan for as many devices as there are. Once for each
    /// number of devices
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes, action = ArgAction::Append)]
    pub also_mesh: Vec<Sizes>,
    /// CPUs that the bundle runs on: kernels are made for each level. `native` is the best one of this machine, and takes half the
    /// time of `all`
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = CpuLevels::All)]
    pub cpu: CpuLevels,
    /// Threads copy what Hopper's tensor memory accelerator would bring to matmuls; to see what it is worth
    #[arg(long)]
    pub without_tma: bool,
    /// Sign the bundle with a secret key of minisign; the signature goes into FILE.minisig. The key's password is read from
    /// MESHLOOM_SIGN_PASSWORD, or asked for
    #[arg(long, value_name = "KEY")]
    pub sign: Option<PathBuf>,
    /// Compile all kernels, and keep none: else kernels that were compiled before are taken from the user's cache folder, or from the
    /// folder that MESHLOOM_CACHE names
    #[arg(long)]
    pub no_cache: bool,
    /// Say how long each phase took
    #[arg(long)]
    pub timings: bool,
}

/// CPU levels that a bundle carries kernels for.
#[cfg(feature = "llvm")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CpuLevels {
    /// Both of the next ones; a machine takes the best that it has
    All,
    /// Those with AVX2
    #[value(name = "x86-64-v3")]
    V3,
    /// Those with AVX-512
    #[value(name = "x86-64-v4")]
    V4,
    /// The best level of this machine
    Native,
}

#[cfg(feature = "llvm")]
#[derive(Args)]
pub struct RunCommand {
    /// A model, or a bundle that `compile` wrote
    pub file: PathBuf,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub devices: DeviceArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Write a page with what was measured beside the plan to this file: one file of HTML that needs no network
    #[arg(long, value_name = "FILE", conflicts_with = "time")]
    pub html: Option<PathBuf>,
    /// Compile all kernels, and keep none: else kernels that were compiled before are taken from the user's cache folder, or from the
    /// folder that MESHLOOM_CACHE names
    #[arg(long)]
    pub no_cache: bool,
    /// Say how long each phase took
    #[arg(long)]
    pub timings: bool,
}

#[cfg(feature = "run")]
#[derive(Args)]
pub struct LaunchArgs {
    /// Processes; by default one for each device of the bundle's mesh
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub nproc_per_node: Option<u32>,
    /// Port at which rank 0 waits for the others; by default one that is free
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub master_port: Option<u16>,
    /// Hosts to run on, a line for each: `HOST slots=N`
    #[arg(long, value_name = "FILE", conflicts_with = "nproc_per_node")]
    pub hostfile: Option<PathBuf>,
    /// Print the commands instead of running them
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub elastic: ElasticArgs,
    /// The bundle: model.loomx
    #[arg(required_unless_present_any = ["join", "leave"])]
    pub bundle: Option<PathBuf>,
    /// Options of `run`, for all ranks: --steps 100 --save DIR
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub args: Vec<std::ffi::OsString>,
}

/// Ranks that come and go: docs/running.md
#[cfg(feature = "run")]
#[derive(Args)]
#[command(next_help_heading = "Elastic runs")]
pub struct ElasticArgs {
    /// Go on with other ranks where some are lost or come: as many of MIN..MAX as are there and the bundle has a plan for
    #[arg(long, value_name = "MIN..MAX", conflicts_with_all = ["nproc_per_node", "hostfile"])]
    pub elastic: Option<Range>,
    /// Ranks that died and are started again, in all
    #[arg(long, value_name = "N", requires = "elastic", default_value_t = 3)]
    pub max_restarts: u32,
    /// How long a rank that died stays away before it is started again; twice as long each time
    #[arg(long, value_name = "SECONDS", requires = "elastic", default_value_t = 10.0, value_parser = wait)]
    pub restart_after: f64,
    /// How long to wait for ranks where fewer than MIN are left
    #[arg(long, value_name = "SECONDS", requires = "elastic", default_value_t = 300.0, value_parser = wait)]
    pub join_timeout: f64,
    /// Steps between two copies of parameters and state in memory; 0 keeps none, and goes on from the last checkpoint
    #[arg(long, value_name = "N", requires = "elastic", default_value_t = 1)]
    pub keep_every: u64,
    /// Tell a running elastic launcher that N more ranks are there
    #[arg(long, value_name = "N", requires = "to", conflicts_with_all = ["elastic", "leave"],
        value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub join: Option<u32>,
    /// Tell it that N ranks are to leave, after the present step
    #[arg(long, value_name = "N", requires = "to", conflicts_with = "elastic", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub leave: Option<u32>,
    /// The launcher that is told, by its process number
    #[arg(long, value_name = "PID")]
    pub to: Option<u32>,
}

#[cfg(feature = "run")]
fn wait(s: &str) -> Result<f64, String> {
    s.parse().ok().filter(|x| (0.0..=1e9).contains(x)).ok_or_else(|| "expected a number of seconds".into())
}

#[cfg(feature = "run")]
#[derive(Args)]
pub struct VerifyArgs {
    /// The source that the bundle claims to compute
    pub file: PathBuf,
    /// The bundle
    pub bundle: PathBuf,
    /// Options as they were given to `compile`. Without a mesh, it is the bundle's; those that choose between plans of the same
    /// numbers change nothing
    #[command(flatten)]
    pub model: ModelArgs,
    /// The other meshes that the bundle is to have plans for, as `compile` was given them
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes, action = ArgAction::Append)]
    pub also_mesh: Vec<Sizes>,
    /// What is done about machine code: `compile` compiles the kernels again and compares bytes; `run` runs them on random values and
    /// compares with a reference; `skip` trusts the bundle
    #[arg(long, value_enum, default_value = "compile")]
    pub kernels: MachineCode,
    /// What has to be known of instructions beside that scheduling again gives them: `prove` wants a proof of all of them; `compare`
    /// trusts the scheduler where the proof cannot follow it
    #[arg(long, value_enum, default_value = "prove")]
    pub instructions: Instructions,
    /// The result as JSON
    #[arg(long)]
    pub json: bool,
}

/// What `verify` wants of the instructions of a bundle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Instructions {
    Prove,
    Compare,
}

/// What `verify` does about the machine code of a bundle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MachineCode {
    Compile,
    Run,
    Skip,
}

#[derive(Args)]
pub struct OptArgs {
    /// A Loom source, or IR text of a global program (`func ..`); `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// Phase whose output to print
    #[arg(long, value_name = "PHASE", default_value = "local")]
    pub to: String,
    /// Print the table of phases
    #[arg(long)]
    pub list_phases: bool,
    /// Only this entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    #[command(flatten)]
    pub model: ModelArgs,
}

#[derive(Args)]
pub struct ScheduleArgs {
    /// A schedule by name; `--list` names them
    #[arg(required_unless_present_any = ["list", "check"], requires = "ranks", requires = "microbatches")]
    pub name: Option<String>,
    /// List all schedules: which sizes they have, what is published of their bubble, and where
    #[arg(long, conflicts_with_all = ["name", "check", "csv", "perfetto"])]
    pub list: bool,
    /// Check a table of your own, in PyTorch's form: a row of cells such as 0F3 or 1B2 for each rank; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "ranks", "microbatches", "virtual_stages", "memory"])]
    pub check: Option<PathBuf>,
    /// Ranks of the pipeline
    #[arg(long, value_name = "N")]
    pub ranks: Option<u32>,
    /// Microbatches of one step
    #[arg(long, value_name = "N")]
    pub microbatches: Option<u32>,
    /// Stages of each rank, for schedules that leave it open; 2 where absent
    #[arg(long = "virtual", value_name = "N")]
    pub virtual_stages: Option<u32>,
    /// How long one stage takes for one microbatch: forward, gradient by the input, gradient by the weights, and a message;
    /// also fb, for a forward and a backward that overlap. Numbers such as 3, 1.25 or 5/4
    #[arg(long, value_name = "f=N,..", default_value = "f=1,i=1,w=1,send=0", value_parser = times)]
    pub times: PipelineTimes,
    /// Activations that a rank may keep, for `search`
    #[arg(long, value_name = "N")]
    pub memory: Option<u64>,
    /// The table as CSV, as PyTorch reads it
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Everything as JSON; times are in ticks
    #[arg(long)]
    pub json: bool,
    /// Write the simulated step as a timeline for ui.perfetto.dev or chrome://tracing, a unit of time as a millisecond
    #[arg(long, value_name = "FILE")]
    pub perfetto: Option<PathBuf>,
}

/// `f=1,i=1,w=1,send=0`; what is not given stays 1, a message 0, and an overlapped pair takes the sum of its parts.
fn times(s: &str) -> Result<PipelineTimes, String> {
    let whole = |n| Fraction::new(n, 1);
    let (mut stage, mut send, mut pair) = ([whole(1); 3], whole(0), None);
    for part in s.split(',') {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form f=1"))?;
        let value = Fraction::parse(value)?;
        match name.trim() {
            "f" => stage[0] = value,
            "i" => stage[1] = value,
            "w" => stage[2] = value,
            "send" => send = value,
            "fb" => pair = Some(value),
            other => return Err(format!("there is no time `{other}`; there are f, i, w, send and fb")),
        }
    }
    PipelineTimes::new(&[stage], send, pair).map_err(|e| e.to_string())
}

#[cfg(feature = "llvm")]
#[derive(Args)]
pub struct BenchArgs {
    #[arg(value_enum, required_unless_present_any = ["calibrate", "gpu"])]
    pub workload: Option<Workload>,
    /// Measure this machine instead, and print a target file for `--target`
    #[arg(long, conflicts_with_all = ["workload", "mesh", "layers", "compile_only", "json"])]
    pub calibrate: bool,
    /// Measure kernels and whole steps on this machine's GPU, beside JAX and PyTorch where python3 has them, and print a table
    #[arg(long, conflicts_with_all = ["workload", "calibrate", "mesh", "layers", "compile_only", "json"])]
    pub gpu: bool,
    /// The target file to write
    #[arg(long, short, value_name = "FILE", requires = "calibrate")]
    pub output: Option<PathBuf>,
    /// Sizes of mesh axes: data=8
    #[arg(long, value_name = "AXIS=N,..", value_parser = sizes)]
    pub mesh: Option<Sizes>,
    /// `dp`, `zero1`, `fsdp` or `megatron`
    #[arg(long, value_name = "LAYOUT", default_value = "dp")]
    pub layout: String,
    /// Steps that are timed, after two that are not
    #[arg(long, value_name = "N", default_value_t = 9)]
    pub steps: u64,
    /// Layers, for a GPT
    #[arg(long, value_name = "N")]
    pub layers: Option<u64>,
    /// Worker threads; by default one per core
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Compile, and run nothing
    #[arg(long)]
    pub compile_only: bool,
    /// One line of JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(feature = "llvm")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Workload {
    Mlp,
    GptTiny,
    GptSmall,
    GptMedium,
}

#[cfg(feature = "lsp")]
#[derive(Args)]
pub struct LspArgs {
    /// Accepted for clients that name the channel; there is no other
    #[arg(long)]
    pub stdio: bool,
}

#[cfg(feature = "run")]
#[derive(Args)]
pub struct DoctorArgs {
    /// The findings as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// Pages go to FOLDER/man1
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
}

#[cfg(test)]
mod tests;
