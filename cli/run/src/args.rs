//! The options of a run, as both programs take them.

use clap::Args;
use meshloom_runtime::data::Input;
use meshloom_runtime::data::feed::{Item, Spec};
use std::path::PathBuf;

/// Who runs it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Devices")]
pub struct DeviceArgs {
    /// Devices, as a check: the mesh must have as many
    #[arg(long, value_name = "N")]
    pub devices: Option<u64>,
    /// Worker threads of this process; by default one per core. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Whose environment says which of how many processes this is: torchrun (and `meshloom launch`), openmpi, pmi, slurm, kubernetes;
    /// auto finds out, none runs all devices in this process
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = launchers(), hide_possible_values = true)]
    pub launcher: String,
    /// How processes on CPUs exchange data: memory that they share, on one host, or mpi, between hosts (a build with it, under mpirun);
    /// auto takes memory where it can
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = ["auto", "memory", "mpi"], hide_possible_values = true)]
    pub collectives: String,
    /// Longest wait for another process, at the start and at any collective
    #[arg(long, value_name = "SECONDS", default_value_t = 300.0, value_parser = seconds)]
    pub timeout: f64,
}

fn launchers() -> clap::builder::PossibleValuesParser {
    ["auto", "none"]
        .into_iter()
        .chain(meshloom_runtime::world::Launcher::ALL.iter().copied())
        .collect::<Vec<_>>()
        .into()
}

fn seconds(s: &str) -> Result<f64, String> {
    s.parse().ok().filter(|x| (0.1..=1e9).contains(x)).ok_or_else(|| "expected a number of seconds, 0.1 or more".into())
}

/// What goes in and what comes out.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub struct RunArgs {
    /// Run the bundle only if it is signed with this key: a public key of minisign, as a file or in base64. The signature is the
    /// file beside the bundle that `compile --sign` or `minisign -S` wrote
    #[arg(long, value_name = "KEY")]
    pub require_signature: Option<String>,
    /// Which entry; by default the only `train`, or else the only entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Steps to train, those of a resumed run included [default: 10]. A function is called so often, each time with the state that the
    /// call before left [default: once]
    #[arg(long, value_name = "N")]
    pub steps: Option<u64>,
    /// Seed of initial values, data order and sampling
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Data to train on: files of tokens (text, .jsonl, .bin, .npy; several are joined), or rows of an array for an input,
    /// NAME=FILE[:ARRAY]. See docs/data.md
    #[arg(long, value_name = "FILE|NAME=FILE", num_args = 1.., action = clap::ArgAction::Append, value_parser = item)]
    pub data: Vec<Item>,
    /// A tokenizer.json, for text and for sampling; without one, tokens are bytes
    #[arg(long, value_name = "FILE")]
    pub tokenizer: Option<PathBuf>,
    /// The token that ends a document: added to text, looked for in token files
    #[arg(long, value_name = "TOKEN")]
    pub eod: Option<u32>,
    /// Documents side by side in rows, instead of windows over all of them
    #[arg(long, requires = "data")]
    pub pack: bool,
    /// Steps between losses on held-out data
    #[arg(long, value_name = "N", requires = "data", value_parser = clap::value_parser!(u64).range(1..))]
    pub eval_every: Option<u64>,
    /// Share of the data that is held out
    #[arg(long, value_name = "X", requires = "eval_every", default_value_t = 0.1, value_parser = fraction)]
    pub eval_split: f64,
    /// Held-out data of its own, instead of a share of --data
    #[arg(long, value_name = "FILE|NAME=FILE", num_args = 1.., action = clap::ArgAction::Append, value_parser = item,
        requires = "eval_every", conflicts_with = "eval_split")]
    pub eval_data: Vec<Item>,
    /// Batches of held-out data, always the same ones
    #[arg(long, value_name = "N", requires = "eval_every", default_value_t = 8,
        value_parser = clap::value_parser!(u64).range(1..))]
    pub eval_batches: u64,
    /// An input or parameter for the whole run: NAME=@FILE[:ARRAY] (.npy, .npz, .safetensors), NAME=det:uniform:KEY:SCALE, NAME=det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]
    #[arg(long, value_name = "NAME=VALUE", value_parser = input)]
    pub input: Vec<Input>,
    /// All inputs that a file has (.npz, .safetensors), by their names or positions
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub inputs: Vec<PathBuf>,
    /// Draw the inputs that have no value: normal floats, integers in their range or in 0..8
    #[arg(long, value_name = "SEED")]
    pub random_inputs: Option<u64>,
    /// Parameters from a .safetensors file, an index of several, a folder with either, or a checkpoint. Given more than once, each has some
    /// of them: a model's weights, and adapters for them
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append)]
    pub load: Vec<PathBuf>,
    /// How names and dims of the loaded file become the program's: see docs/checkpoints.md
    #[arg(long, value_name = "FILE", requires = "load")]
    pub rename: Option<PathBuf>,
    /// Parameters that the loaded file does not have keep their initial values, and are listed
    #[arg(long, requires = "load")]
    pub load_partial: bool,
    /// Go on from a checkpoint: parameters, optimizer state, step and place in the data. `auto` takes the newest of --save, if there is
    /// one, and else begins
    #[arg(long, value_name = "DIR|auto")]
    pub resume: Option<PathBuf>,
    /// Where checkpoints go: one at the end, also after Ctrl-C
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Steps between checkpoints
    #[arg(long, value_name = "N", requires = "save", default_value_t = 0, hide_default_value = true)]
    pub save_every: u64,
    /// Keep the newest N checkpoints only
    #[arg(long, value_name = "N", requires = "save", value_parser = clap::value_parser!(u64).range(1..))]
    pub save_keep: Option<u64>,
    /// Most of one file of a checkpoint, in MB; a larger model is saved in several with an index
    #[arg(long, value_name = "MB", requires = "save", default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub shard_size: u64,
    /// Every N steps, compare the copies of parameters, state and loss that devices hold, and end the run where they differ
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub check_desync: u64,
    /// Say which process came last to which collective, how often, and for how long the others waited: at the end, and every N steps
    #[arg(long, value_name = "N", default_missing_value = "0", num_args = 0..=1, require_equals = true)]
    pub stragglers: Option<u64>,
    /// Each process writes its own part of a checkpoint, into a folder that all reach: yes, no, or auto, where several processes do if
    /// parameters and state are more than 1 GB
    #[arg(long, value_name = "WHEN", requires = "save", default_value = "auto", default_missing_value = "yes",
        num_args = 0..=1, require_equals = true, value_parser = ["auto", "yes", "no"], hide_possible_values = true)]
    pub save_sharded: String,
    /// Write checkpoints while training goes on, from a copy in memory of what this process writes; at most one at a time
    #[arg(long, requires = "save")]
    pub save_async: bool,
    /// After SIGTERM the process ends within so many seconds, even if it has not saved by then (exit code 3 instead of 143)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub preempt_deadline: Option<f64>,
    /// What a loss or gradient norm that is not finite does: stop ends the run and saves nothing, skip drops the step's update (from a
    /// copy of parameters and state, which takes as much memory again), continue goes on
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = ["stop", "skip", "continue"],
        hide_possible_values = true)]
    pub on_nonfinite: String,
    /// One JSON object per step into this file
    #[arg(long, value_name = "FILE")]
    pub metrics: Option<PathBuf>,
    /// The same numbers as an event file in this folder, for TensorBoard
    #[arg(long, value_name = "DIR")]
    pub tensorboard: Option<PathBuf>,
    /// Draw the loss in the terminal when the run ends
    #[arg(long)]
    pub plot: bool,
    /// What runs when in the third step (or the last of fewer), as a timeline for ui.perfetto.dev or chrome://tracing; each of several
    /// processes writes its own
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Time runs for about so many seconds, many of them for each wait, and print milliseconds of one as JSON. No step is reported
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["save", "metrics", "tensorboard", "plot", "trace", "json", "prompt"])]
    pub time: Option<f64>,
    /// One JSON object per step on standard output: losses and metrics, or the single numbers that a function gives
    #[arg(long)]
    pub json: bool,
    /// Outputs after the last step, as safetensors
    #[arg(long, value_name = "FILE")]
    pub save_outputs: Option<PathBuf>,
    /// Text to continue: with a function entry, or after training with the first entry that maps tokens to scores. Several are
    /// continued in turn, or together if the entry has rows for them
    #[arg(long, value_name = "TEXT")]
    pub prompt: Vec<String>,
    /// Tokens to sample (bytes, without a tokenizer)
    #[arg(long, visible_alias = "max-tokens", value_name = "N", requires = "prompt", default_value_t = 200)]
    pub tokens: u64,
    /// 0 takes the most likely token, 1 samples what the model says
    #[arg(long, value_name = "X", requires = "prompt", default_value_t = 0.8, value_parser = temperature)]
    pub temperature: f64,
    /// Sample among the N most likely tokens only
    #[arg(long, value_name = "N", requires = "prompt", default_value_t = 40)]
    pub top_k: usize,
    /// Sample among the most likely tokens that together have this probability
    #[arg(long, value_name = "X", requires = "prompt", default_value_t = 1.0, value_parser = probability)]
    pub top_p: f64,
}

fn input(s: &str) -> Result<Input, String> {
    s.parse::<Input>().map_err(|e| e.message)
}

fn item(s: &str) -> Result<Item, String> {
    s.parse::<Item>().map_err(|e| e.message)
}

fn fraction(s: &str) -> Result<f64, String> {
    s.parse().ok().filter(|x| *x > 0.0 && *x < 1.0).ok_or_else(|| "expected a number between 0 and 1".into())
}

fn probability(s: &str) -> Result<f64, String> {
    s.parse().ok().filter(|x| *x > 0.0 && *x <= 1.0).ok_or_else(|| "expected a number above 0 and up to 1".into())
}

fn temperature(s: &str) -> Result<f64, String> {
    let t: f64 = s.parse().map_err(|_| format!("`{s}` is no number"))?;
    if t.is_finite() && t >= 0.0 { Ok(t) } else { Err("expected a number from 0 up".into()) }
}

impl RunArgs {
    /// Steps that a `train` takes.
    pub(crate) fn train_steps(&self) -> u64 {
        self.steps.unwrap_or(10)
    }

    /// What `--data` and the options beside it say.
    pub(crate) fn spec(&self, items: &[Item]) -> Spec {
        Spec { items: items.to_vec(), tokenizer: self.tokenizer.clone(), eod: self.eod, pack: self.pack }
    }
}
