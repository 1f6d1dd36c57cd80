//! The options of a run, as both programs take them.

use clap::Args;
use meshloom_runtime::data::Input;
use std::path::PathBuf;

/// Who runs it.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Devices")]
pub struct DeviceArgs {
    /// Devices, as a check: the mesh must have as many
    #[arg(long, value_name = "N")]
    pub devices: Option<u64>,
    /// Worker threads; by default one per core. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
}

/// What goes in and what comes out.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub struct RunArgs {
    /// Which entry; by default the only `train`, or else the only entry
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Steps to train, those of a resumed run included
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub steps: u64,
    /// Seed of initial values, data order and sampling
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Text to train on, byte by byte; several files are joined
    #[arg(long, value_name = "FILE", num_args = 1.., action = clap::ArgAction::Append)]
    pub data: Vec<PathBuf>,
    /// An input or parameter: NAME=@x.npy, NAME=det:uniform:KEY:SCALE, NAME=det:tokens:KEY:VOCAB[:WIDTH[:COLUMN]]
    #[arg(long, value_name = "NAME=VALUE", value_parser = input)]
    pub input: Vec<Input>,
    /// Parameters from a .safetensors file or a checkpoint
    #[arg(long, value_name = "PATH")]
    pub load: Option<PathBuf>,
    /// Go on from a checkpoint: parameters, optimizer state and step
    #[arg(long, value_name = "DIR", conflicts_with = "load")]
    pub resume: Option<PathBuf>,
    /// Where checkpoints go: one at the end, also after Ctrl-C
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Steps between checkpoints
    #[arg(long, value_name = "N", requires = "save", default_value_t = 0, hide_default_value = true)]
    pub save_every: u64,
    /// One JSON object per step into this file
    #[arg(long, value_name = "FILE")]
    pub metrics: Option<PathBuf>,
    /// One JSON object per step on standard output
    #[arg(long)]
    pub json: bool,
    /// Outputs after the last step, as safetensors
    #[arg(long, value_name = "FILE")]
    pub save_outputs: Option<PathBuf>,
    /// Text to continue: with a function entry, or after training with the first entry that maps tokens to scores
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// Bytes to sample
    #[arg(long, value_name = "N", requires = "prompt", default_value_t = 200)]
    pub tokens: u64,
    /// 0 takes the most likely byte, 1 samples what the model says
    #[arg(long, value_name = "X", requires = "prompt", default_value_t = 0.8, value_parser = temperature)]
    pub temperature: f64,
    /// Sample among the N most likely bytes only
    #[arg(long, value_name = "N", requires = "prompt", default_value_t = 40)]
    pub top_k: usize,
}

fn input(s: &str) -> Result<Input, String> {
    s.parse::<Input>().map_err(|e| e.message)
}

fn temperature(s: &str) -> Result<f64, String> {
    let t: f64 = s.parse().map_err(|_| format!("`{s}` is no number"))?;
    if t.is_finite() && t >= 0.0 { Ok(t) } else { Err("expected a number from 0 up".into()) }
}
