//! A launch file as what it asks for: the model, the batch, and how both are split over devices.
//!
//! ```text
//! text -> pairs or flags, with lines -> Settings (words -> keys) -> LaunchFile
//! ```
//!
//! Nothing is passed over in silence: a setting that is not understood is in [`LaunchFile::unread`], and what was assumed where the file says
//! nothing is in [`LaunchFile::assumed`].
//!
//! Not here: the program of a launch (`program`), and what could be changed (`changes`).

use super::model::{self, Experts, Latent, Model};
use super::pairs::{self, Pair};
use super::{ReadError, shell};
use crate::words::Stack;
use crate::words::{Key, SCHEDULES, key, quiet, word};
use std::collections::BTreeMap;

/// What lies in parts on the devices of the batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Zero {
    /// Copies of everything.
    #[default]
    Nothing,
    /// The optimizer's state.
    State,
    /// Parameters too.
    Parameters,
}

/// What the backward pass computes again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checkpoint {
    #[default]
    None,
    /// This part of the forward pass of each layer, in percent.
    Part(u64),
    Full,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Precision {
    #[default]
    Bf16,
    Fp16,
    Fp32,
    Fp8,
}

impl Precision {
    pub fn name(self) -> &'static str {
        match self {
            Precision::Bf16 => "bf16",
            Precision::Fp16 => "f16",
            Precision::Fp32 => "f32",
            Precision::Fp8 => "fp8",
        }
    }
}

/// What a caller knows that the file may not say.
#[derive(Clone, Debug, Default)]
pub struct LaunchGiven {
    /// The text of a config.json.
    pub config: Option<String>,
    pub devices: Option<u64>,
    pub seq: Option<u64>,
    pub batch: Option<u64>,
    /// Rows of a microbatch on a device.
    pub micro: Option<u64>,
}

/// A line that is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    pub line: usize,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchFile {
    pub stack: Stack,
    pub model: Model,
    pub seq: u64,
    /// Rows of a step, of all devices.
    pub batch: u64,
    /// Rows of a microbatch on the devices that share one copy of the model's tensors.
    pub micro: u64,
    pub devices: u64,
    /// Copies of what `shard` devices have in parts.
    pub replicate: u64,
    pub shard: u64,
    pub tensor: u64,
    pub sequence: bool,
    pub context: u64,
    pub pipe: u64,
    pub each: u64,
    /// By our names.
    pub schedule: &'static str,
    pub expert: u64,
    pub zero: Zero,
    pub checkpoint: Checkpoint,
    pub precision: Precision,
    /// Attention is several kernels, which keep its scores.
    pub unfused: bool,
    /// Lines of the settings that were given.
    pub lines: BTreeMap<Key, usize>,
    pub unread: Vec<Unread>,
    pub assumed: Vec<String>,
}

/// Rows of a step for each device where neither file nor caller says them.
const ROWS: u64 = 1;
/// Tokens of a row there.
const SEQ: u64 = 4096;

/// The stack that a file's name and text are of.
///
/// # Errors
/// It is none of those that are read.
pub fn stack(name: &str, text: &str) -> Result<Stack, ReadError> {
    let end = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    match end.as_str() {
        "toml" => Ok(Stack::Torchtitan),
        "sh" | "bash" | "sbatch" | "slurm" => Ok(Stack::Megatron),
        "json" => Ok(Stack::Deepspeed),
        "yaml" | "yml" => Ok(Stack::Accelerate),
        _ if text.starts_with("#!") => Ok(Stack::Megatron),
        _ => Err(ReadError::new(
            1,
            "is no .toml of torchtitan, .sh of Megatron-LM, .json of DeepSpeed or .yaml of accelerate",
        )),
    }
}

/// The settings of a file, by key.
pub(super) struct Settings {
    pub stack: Stack,
    found: BTreeMap<Key, Pair>,
}

impl Settings {
    pub fn text(&self, key: Key) -> Option<&str> {
        self.found.get(&key).map(|p| p.value.as_str())
    }

    fn has(&self, key: Key) -> bool {
        self.found.contains_key(&key)
    }

    fn line(&self, key: Key) -> usize {
        self.found.get(&key).map_or(1, |p| p.line)
    }

    /// A number; `auto` and numbers below one are none.
    fn number(&self, key: Key) -> Result<Option<u64>, ReadError> {
        let Some(pair) = self.found.get(&key) else { return Ok(None) };
        if pair.value == "auto" || pair.value.starts_with('-') {
            return Ok(None);
        }
        let wrong = || ReadError::new(pair.line, format!("{}: `{}` is no whole number", pair.name, pair.value));
        let n: f64 = pair.value.parse().map_err(|_| wrong())?;
        if n.fract() != 0.0 || !(0.0..=1e12).contains(&n) { Err(wrong()) } else { Ok(Some(n as u64)) }
    }

    fn or(&self, key: Key, usual: u64) -> Result<u64, ReadError> {
        Ok(self.number(key)?.unwrap_or(usual).max(1))
    }

    fn yes(&self, key: Key) -> bool {
        self.text(key).is_some_and(|v| ["", "true", "True", "yes", "1"].contains(&v))
    }

    fn missing(&self, key: Key, what: &str) -> ReadError {
        let name = word(self.stack, key);
        let name = if name.is_empty() { String::new() } else { format!(" (`{name}`)") };
        ReadError::new(1, format!("{what}{name} is not said"))
    }
}

/// Reads a launch file.
///
/// # Errors
/// What is wrong with the text, and what it must say and does not, with the line.
pub fn launch(name: &str, text: &str, given: &LaunchGiven) -> Result<LaunchFile, ReadError> {
    let stack = stack(name, text)?;
    let mut unread = Vec::new();
    let pairs = match stack {
        Stack::Torchtitan => pairs::toml(text)?,
        Stack::Deepspeed => pairs::json(text)?,
        Stack::Accelerate | Stack::Dtensor => pairs::yaml(text)?,
        Stack::Megatron => {
            let script = shell::read(text);
            unread.extend(script.unread.into_iter().map(|(line, text)| Unread { line, text }));
            script.flags
        }
    };
    let mut found = BTreeMap::new();
    for pair in pairs {
        match key(stack, &pair.name) {
            Some(k) => _ = found.insert(k, pair),
            None if quiet(stack, &pair.name) => {}
            None => {
                let text = format!("{} {}", pair.name, pair.value).trim().to_owned();
                unread.push(Unread { line: pair.line, text });
            }
        }
    }
    unread.sort_by_key(|u| u.line);
    let settings = Settings { stack, found };
    let mut assumed = Vec::new();
    let model = model(&settings, given, &mut assumed)?;
    let mut launch = split(&settings, given, model, &mut assumed)?;
    launch.lines = settings.found.iter().map(|(k, p)| (*k, p.line)).collect();
    launch.unread = unread;
    launch.assumed = assumed;
    checked(&launch)?;
    Ok(launch)
}

fn model(s: &Settings, given: &LaunchGiven, assumed: &mut Vec<String>) -> Result<Model, ReadError> {
    if let Some(config) = &given.config {
        let pairs = pairs::json(config)
            .map_err(|e| ReadError::new(1, format!("config.json, line {}: {}", e.line, e.message)))?;
        return model::of_config(&pairs).map_err(|e| ReadError::new(1, format!("config.json: {e}")));
    }
    match s.stack {
        Stack::Torchtitan => {
            let (family, flavor) = (s.text(Key::Family), s.text(Key::Flavor));
            let (Some(family), Some(flavor)) = (family, flavor) else {
                return Err(s.missing(Key::Flavor, "the model's flavor"));
            };
            model::flavor(family, flavor).ok_or_else(|| {
                let text = format!("no sizes of `{family}` `{flavor}` are known; there are {}", model::flavors());
                ReadError::new(s.line(Key::Flavor), text)
            })
        }
        Stack::Megatron => flags(s, assumed),
        _ => {
            Err(ReadError::new(1, "the file does not say which model it trains: give --hf FOLDER, with a config.json"))
        }
    }
}

/// The model that Megatron's flags describe.
fn flags(s: &Settings, assumed: &mut Vec<String>) -> Result<Model, ReadError> {
    let need = |key: Key, what: &str| s.number(key)?.filter(|n| *n > 0).ok_or_else(|| s.missing(key, what));
    let (layers, embed, heads) = (
        need(Key::Layers, "the number of layers")?,
        need(Key::Embed, "the hidden size")?,
        need(Key::Heads, "the number of heads")?,
    );
    let gated = s.has(Key::Gated);
    let ffn = match s.number(Key::Ffn)? {
        Some(n) => n,
        // As Megatron sets it where it is not given.
        None if gated => (4 * embed * 2 / 3).div_ceil(64) * 64,
        None => 4 * embed,
    };
    let vocab = match s.number(Key::Vocab)? {
        Some(n) => n.div_ceil(128) * 128,
        None => {
            assumed.push("a vocabulary of 51200, which the tokenizer's file decides".into());
            51200
        }
    };
    let experts = match s.number(Key::Experts)?.filter(|n| *n > 0) {
        None => None,
        Some(number) => Some(Experts {
            number,
            chosen: s.or(Key::Chosen, 2)?,
            ffn: s.number(Key::ExpertFfn)?.unwrap_or(ffn),
            shared: s.number(Key::SharedFfn)?.unwrap_or(0),
            dense: 0,
        }),
    };
    let latent = match s.has(Key::Latent) {
        false => None,
        true => Some(Latent {
            q_rank: s.number(Key::QRank)?.unwrap_or(0),
            kv_rank: s.or(Key::KvRank, 32)?,
            turn: s.or(Key::Turn, 64)?,
        }),
    };
    let head = s.number(Key::HeadDim)?.unwrap_or(if latent.is_some() { 128 } else { embed / heads });
    Ok(Model {
        name: format!("a model of {layers} layers of {embed}"),
        layers,
        embed,
        heads,
        // Megatron's own number of groups is 1 where groups are asked for.
        kv_heads: if s.has(Key::Grouped) { s.or(Key::KvHeads, 1)? } else { heads },
        head,
        ffn,
        vocab,
        gated,
        experts,
        latent,
    })
}

/// How the batch and the model are split.
fn split(s: &Settings, given: &LaunchGiven, model: Model, assumed: &mut Vec<String>) -> Result<LaunchFile, ReadError> {
    let (tensor, pipe, context) = (s.or(Key::Tensor, 1)?, s.or(Key::Pipe, 1)?, s.or(Key::Context, 1)?);
    let degrees = tensor * pipe * context;
    let said = match s.stack {
        Stack::Megatron => s.number(Key::PerNode)?.map(|n| Ok(n * s.or(Key::Nodes, 1)?)).transpose()?,
        Stack::Accelerate => s.number(Key::Processes)?,
        Stack::Torchtitan => s.number(Key::Shard)?.map(|n| Ok(n * s.or(Key::Replicate, 1)? * degrees)).transpose()?,
        _ => None,
    };
    let devices = given.devices.or(said);
    let Some(devices) = devices else {
        return Err(ReadError::new(1, "the number of devices is not said: give --devices"));
    };
    if devices == 0 || !devices.is_multiple_of(degrees) {
        let text =
            format!("{devices} devices are no multiple of tensor {tensor} x pipeline {pipe} x context {context}");
        return Err(ReadError::new(s.line(Key::Tensor), text));
    }
    let data = devices / degrees;
    let (zero, shard) = sharded(s, data)?;
    let seq = match given.seq.or(s.number(Key::Seq)?) {
        Some(n) => n,
        None => {
            assumed.push(format!("sequences of {SEQ} tokens (--seq)"));
            SEQ
        }
    };
    let (micro, batch) = rows(s, given, data, pipe, assumed)?;
    let (schedule, each) = order(s, &model, pipe)?;
    let expert = s.or(Key::Expert, 1)?;
    if s.or(Key::ExpertTensor, 1)? > 1 {
        assumed.push("experts that are whole: their own tensor parallelism is not followed".into());
    }
    if model.experts.as_ref().is_some_and(|e| e.dense > 0) {
        assumed.push("experts in all layers, where the first ones have none".into());
    }
    if model.experts.is_some() {
        assumed.push("tokens that are spread evenly over experts".into());
    }
    if s.yes(Key::AsyncTensor) {
        assumed.push(
            "collectives of tensor parallelism that wait for their matmuls (asynchronous ones are not modelled)".into(),
        );
    }
    Ok(LaunchFile {
        stack: s.stack,
        model,
        seq,
        batch,
        micro,
        devices,
        replicate: data / shard.max(1),
        shard,
        tensor,
        // torchtitan's plans are sequence-parallel.
        sequence: tensor > 1 && (s.has(Key::Sequence) || s.stack == Stack::Torchtitan),
        context,
        pipe,
        each,
        schedule,
        expert,
        zero,
        checkpoint: checkpoint(s),
        precision: precision(s),
        unfused: s.text(Key::Attention).is_some_and(|v| ["unfused", "local"].contains(&v)),
        lines: BTreeMap::new(),
        unread: Vec::new(),
        assumed: Vec::new(),
    })
}

/// What is sharded, and over how many devices of `data`.
fn sharded(s: &Settings, data: u64) -> Result<(Zero, u64), ReadError> {
    let replicate = s.or(Key::Replicate, 1)?;
    let over = |n: u64, key: Key| match n > 0 && data.is_multiple_of(n) {
        true => Ok(n),
        false => Err(ReadError::new(s.line(key), format!("{n} do not divide the {data} devices of the batch"))),
    };
    Ok(match s.stack {
        Stack::Torchtitan => {
            let shard = data / over(replicate, Key::Replicate)?;
            let asked = s.number(Key::Shard)?.unwrap_or(shard);
            if asked != shard && s.text(Key::Shard) != Some("-1") {
                let text = format!("{} x {} are not the {data} devices of the batch", replicate, asked);
                return Err(ReadError::new(s.line(Key::Shard), text));
            }
            (if shard > 1 { Zero::Parameters } else { Zero::Nothing }, shard)
        }
        Stack::Megatron => {
            let shard = data / over(replicate, Key::Replicate)?;
            let whole = s.text(Key::Strategy).is_none_or(|t| t == "optim_grads_params");
            match (s.has(Key::FullShard) && whole, s.has(Key::Optimizer) || s.has(Key::FullShard)) {
                (true, _) => (Zero::Parameters, shard),
                (false, true) => (Zero::State, shard),
                (false, false) => (Zero::Nothing, 1),
            }
        }
        Stack::Deepspeed => {
            let shard = match s.number(Key::Shard)?.filter(|n| *n > 1) {
                Some(n) => over(n, Key::Shard)?,
                None => data,
            };
            match s.number(Key::Stage)?.unwrap_or(0) {
                0 => (Zero::Nothing, 1),
                1 | 2 => (Zero::State, data),
                _ => (Zero::Parameters, shard),
            }
        }
        _ => {
            let strategy = s.text(Key::Strategy).unwrap_or("FULL_SHARD").to_ascii_uppercase();
            let fsdp = s.text(Key::Distributed).is_none_or(|d| d == "FSDP");
            let shard = match (s.number(Key::Shard)?, s.number(Key::Replicate)?) {
                (Some(n), _) => over(n, Key::Shard)?,
                (None, Some(n)) => data / over(n, Key::Replicate)?,
                // Whole nodes have a copy each.
                (None, None) if strategy.contains("HYBRID") => over(data.min(8), Key::Strategy)?,
                (None, None) => data,
            };
            match () {
                () if !fsdp || strategy.contains("NO_SHARD") || strategy == "3" => (Zero::Nothing, 1),
                () if strategy.contains("GRAD_OP") || strategy == "2" => (Zero::State, shard),
                () => (Zero::Parameters, shard),
            }
        }
    })
}

/// Rows of a microbatch, and of a step.
fn rows(
    s: &Settings,
    given: &LaunchGiven,
    data: u64,
    pipe: u64,
    assumed: &mut Vec<String>,
) -> Result<(u64, u64), ReadError> {
    let global = given.batch.or(s.number(Key::GlobalBatch)?);
    let local = s.number(Key::LocalBatch)?;
    let micro = match s.stack {
        Stack::Torchtitan if pipe > 1 => Some(s.or(Key::PipeMicro, 1)?),
        Stack::Torchtitan => Some(local.unwrap_or(1)),
        _ => s.number(Key::MicroBatch)?,
    };
    let micro = given.micro.or(micro);
    let accumulate = s.number(Key::Accumulate)?.unwrap_or(1).max(1);
    let micro = match micro {
        Some(n) => n.max(1),
        None => {
            let n = global.map_or(ROWS, |g| (g / (data * accumulate)).max(1));
            assumed.push(format!(
                "{n} row{} of a microbatch on a device (--batch says those of a step)",
                if n == 1 { "" } else { "s" }
            ));
            n
        }
    };
    let batch = global.unwrap_or(match (s.stack, local) {
        (Stack::Torchtitan, Some(local)) => local * data,
        _ => micro * data * accumulate,
    });
    let of = micro * data;
    if batch == 0 || !batch.is_multiple_of(of) {
        let text =
            format!("{batch} rows of a step are no multiple of {micro} rows on each of {data} devices of the batch");
        return Err(ReadError::new(s.line(Key::GlobalBatch), text));
    }
    Ok((micro, batch))
}

/// The schedule of a pipeline, and the stages of each rank.
fn order(s: &Settings, model: &Model, pipe: u64) -> Result<(&'static str, u64), ReadError> {
    if pipe < 2 {
        return Ok(("1f1b", 1));
    }
    let per_stage = s.number(Key::LayersPerStage)?.filter(|n| *n > 0);
    let each = match (s.number(Key::Virtual)?, per_stage) {
        (Some(n), _) => Some(n.max(1)),
        // torchtitan counts embeddings and head as a layer each.
        (None, Some(n)) if s.stack == Stack::Torchtitan => Some((model.layers + 2).div_ceil(n).div_ceil(pipe).max(1)),
        (None, Some(n)) => Some((model.layers / pipe / n).max(1)),
        (None, None) => None,
    };
    if s.stack != Stack::Torchtitan {
        let each = each.unwrap_or(1);
        return Ok((if each > 1 { "interleaved" } else { "1f1b" }, each));
    }
    let named = s.text(Key::Schedule).unwrap_or("1F1B");
    let Some((ours, _)) = SCHEDULES.iter().find(|x| x.1.eq_ignore_ascii_case(named)) else {
        let known: Vec<&str> = SCHEDULES.iter().map(|x| x.1).collect();
        let text = format!("the schedule `{named}` is not known here; there are {}", known.join(", "));
        return Err(ReadError::new(s.line(Key::Schedule), text));
    };
    let several = ["interleaved", "zb-v", "dualpipe-v"].contains(ours);
    Ok((ours, if several { each.unwrap_or(2).max(2) } else { 1 }))
}

/// Part of a layer's forward pass that selective recomputation of torchtitan's `op` policy does again, in percent: attention and every
/// second matmul are kept.
const SELECTIVE: u64 = 50;

fn checkpoint(s: &Settings) -> Checkpoint {
    let said = s.text(Key::Recompute).map(str::to_ascii_lowercase);
    match (s.stack, said.as_deref()) {
        (_, Some("full" | "true" | "yes")) => Checkpoint::Full,
        (Stack::Torchtitan, Some("selective")) => Checkpoint::Part(SELECTIVE),
        // What Megatron recomputes selectively is attention's scores, which no kernel of attention keeps any more.
        _ => Checkpoint::None,
    }
}

fn precision(s: &Settings) -> Precision {
    let said = s.text(Key::Precision).unwrap_or("").to_ascii_lowercase();
    let fp8 = match s.stack {
        Stack::Torchtitan => s.text(Key::Fp8).is_some_and(|v| v.contains("float8") || v.contains("mx")),
        _ => s.has(Key::Fp8) || said.contains("fp8"),
    };
    match () {
        () if fp8 => Precision::Fp8,
        () if s.yes(Key::Fp16) || said.contains("fp16") || said.contains("float16") && !said.contains("bfloat16") => {
            Precision::Fp16
        }
        () if s.yes(Key::Bf16) || said.contains("bf16") || said.contains("bfloat16") => Precision::Bf16,
        // torchtitan computes in bf16 where nothing is said.
        () if s.stack == Stack::Torchtitan && said.is_empty() => Precision::Bf16,
        () => Precision::Fp32,
    }
}

/// How the devices of the batch are named: copies, parts, and those that share experts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places {
    pub replica: u64,
    pub data: u64,
    pub expert: u64,
    /// Experts are split over the devices of tensor parallelism too.
    pub over_model: bool,
}

/// The places of a launch; none where expert parallelism does not fit the other degrees.
pub(super) fn places(l: &LaunchFile) -> Option<Places> {
    let data = l.replicate * l.shard;
    let (expert, over_model) = match l.expert {
        1 => (1, false),
        e if l.tensor > 1 && e.is_multiple_of(l.tensor) && data.is_multiple_of(e / l.tensor) => (e / l.tensor, true),
        e if data.is_multiple_of(e) => (e, false),
        _ => return None,
    };
    if l.shard == 1 {
        return Some(Places { replica: data / expert, data: 1, expert, over_model });
    }
    l.shard.is_multiple_of(expert).then_some(Places {
        replica: l.replicate,
        data: l.shard / expert,
        expert,
        over_model,
    })
}

/// What cannot be, though each setting is right by itself.
fn checked(l: &LaunchFile) -> Result<(), ReadError> {
    let at = |key: Key| l.lines.get(&key).copied().unwrap_or(1);
    let fail = |key: Key, text: String| Err(ReadError::new(at(key), text));
    let m = &l.model;
    if [m.layers, m.embed, m.heads, m.kv_heads, m.head, m.vocab].contains(&0) {
        return fail(Key::Layers, "a size of the model is 0".into());
    }
    if !m.heads.is_multiple_of(l.tensor) || !m.heads.is_multiple_of(m.kv_heads) {
        return fail(Key::Tensor, format!("{} heads are not split over {} devices", m.heads, l.tensor));
    }
    if !l.seq.is_multiple_of(l.context * if l.sequence { l.tensor } else { 1 }) {
        return fail(Key::Seq, format!("{} tokens are not split over context x tensor", l.seq));
    }
    if m.layers < l.pipe * l.each {
        return fail(Key::Pipe, format!("{} layers are fewer than {} stages", m.layers, l.pipe * l.each));
    }
    if l.expert > 1 {
        let Some(e) = &m.experts else { return fail(Key::Expert, "the model has no experts".into()) };
        if !e.number.is_multiple_of(l.expert) {
            return fail(Key::Expert, format!("{} experts are not split over {} devices", e.number, l.expert));
        }
        if places(l).is_none() {
            let text = format!(
                "expert parallelism of {} fits neither {} devices of the batch nor these times {} of tensors",
                l.expert,
                l.shard * l.replicate,
                l.tensor
            );
            return fail(Key::Expert, text);
        }
    }
    Ok(())
}
