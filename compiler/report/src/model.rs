//! The data of `plan --json`. The order of fields is the order of keys. No figure is measured: the same plan gives the
//! same bytes.

use crate::human;
use crate::tried::{MoveReport, TriedReport};
use meshloom_plan::cost::Profiled;
use serde::{Deserialize, Serialize, Serializer};

/// Increases when a key changes its meaning or goes; new keys do not increase it.
pub const SCHEMA: u32 = 1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanReport {
    pub schema: u32,
    pub entry: String,
    pub mesh: MeshReport,
    pub target: String,
    /// In the order of the program: inputs, intermediates with a name, outputs.
    pub tensors: Vec<TensorReport>,
    /// In the order of the local program.
    pub collectives: Vec<CollectiveReport>,
    /// How the forward pass reads parameters, in the order of the program.
    #[serde(default)]
    pub reads: Vec<ReadReport>,
    /// How often parameters are gathered.
    #[serde(default)]
    pub gathers: Vec<GatherReport>,
    /// What loops keep for the backward pass, or recompute.
    #[serde(default)]
    pub stashes: Vec<StashReport>,
    /// Composites that run as the ops of their bodies.
    #[serde(default)]
    pub expanded: Vec<ExpandedReport>,
    /// Limits that the planner reached, in words.
    #[serde(default)]
    pub limits: Vec<String>,
    /// What else was tried on the way to the plan, and why it lost.
    #[serde(default)]
    pub tried: Vec<TriedReport>,
    /// How the moves of the search went.
    #[serde(default)]
    pub moves: Vec<MoveReport>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<AskedReport>,
    /// The last microbatch is computed after the loop over the others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub last_apart: bool,
    pub totals: TotalsReport,
    /// Levels of the network that are used, the innermost first.
    #[serde(default)]
    pub levels: Vec<LevelReport>,
    /// Stages, microbatches and schedule; null without a pipeline.
    pub pipeline: Option<PipelineReport>,
    pub certificate: CertificateReport,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MeshReport {
    pub axes: Vec<AxisSize>,
    pub devices: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AxisSize {
    pub name: String,
    pub size: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TensorReport {
    pub name: String,
    /// `parameter`, `state`, `input`, `output` or `activation`.
    pub role: String,
    /// For optimizer state: the parameter that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    pub dtype: String,
    pub shape: Vec<u64>,
    /// Axes of each dim, major first.
    pub layout: Vec<Vec<String>>,
    pub partial: Vec<PartialAxis>,
    pub local_shape: Vec<u64>,
    /// Elements that the blocks of each dim hold beyond its size.
    pub padding: Vec<u64>,
    pub stage: Option<u64>,
    /// Of a pipeline: the ranks that have some of an input of the step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<u64>,
    pub bytes_per_device: u64,
    /// These bytes are of the host's memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_host: bool,
    /// `annotation`, `propagation` or `search`.
    pub decided_by: String,
    /// Where a layout block has the rule that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<SourcePlace>,
    pub source: Option<SourcePlace>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PartialAxis {
    pub axis: String,
    pub reduction: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CollectiveReport {
    /// Its row in the table of `plan`, from 1, the most expensive first. Collectives that are alike share a row.
    #[serde(default)]
    pub number: u64,
    pub op: String,
    pub axes: Vec<String>,
    pub group_size: u64,
    pub dtype: String,
    /// One device's full buffer.
    pub bytes: u64,
    /// Of all executions in one step, by the ring algorithm.
    #[serde(serialize_with = "number")]
    pub wire_bytes_per_device: f64,
    pub times_per_step: u64,
    /// `forward`, `backward` or `update`.
    pub phase: String,
    pub stage: Option<u64>,
    /// Of a pipeline: the rank whose devices send most of it, and that the other figures are of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u64>,
    #[serde(serialize_with = "rounded")]
    pub predicted_us: f64,
    /// For how long of that time nothing is computed.
    #[serde(default, serialize_with = "rounded")]
    pub exposed_us: f64,
    pub why: String,
    pub source: Option<SourcePlace>,
}

/// An op of the forward pass that computes with a parameter.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ReadReport {
    pub tensor: String,
    /// `contraction`, `lookup` of rows by index, or `elementwise`.
    pub op: String,
    /// Dims of the tensor that are summed over.
    pub contracted: Vec<u64>,
    /// For each dim of the tensor the axes that split it where it is read.
    pub layout: Vec<Vec<String>>,
    /// Axes over which it was gathered before.
    pub gathered: Vec<String>,
    /// Layouts of the operand that it is computed with, and of the result.
    pub with: Vec<Vec<String>>,
    pub result: Vec<Vec<String>>,
    /// Axes over which the result is partial.
    pub partial: Vec<String>,
    pub result_bytes_per_device: u64,
    /// Where the splits of the result end that are those of the tensor.
    pub ends: Vec<EndReport>,
    /// Of an elementwise read: only contractions with parameters take the result.
    #[serde(default)]
    pub only_contracted: bool,
    pub source: Option<SourcePlace>,
}

/// Where a split over an axis ends.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EndReport {
    pub axis: String,
    /// Tensors whose contraction sums over it.
    pub contracted_with: Vec<String>,
    /// It is reduced by other ops too.
    pub reduced: bool,
    /// A collective over the axis takes it.
    pub exchanged: bool,
}

/// A parameter that is gathered over an axis, so many times a step.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GatherReport {
    pub tensor: String,
    pub axis: String,
    pub times: u64,
}

/// Iterations `from..to` of a loop of `of`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Iterations {
    pub from: u64,
    pub to: u64,
    pub of: u64,
    /// The list that the loop runs over, where it does.
    pub list: Option<String>,
}

/// What the source or the command line says about recomputation and memory, where it says something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedReport {
    /// `recompute` or `budget`.
    pub setting: String,
    pub value: String,
    /// The loop or the `train` that says so; null for the command line.
    pub source: Option<SourcePlace>,
}

/// A forward value that the backward pass of a loop reads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StashReport {
    pub name: String,
    /// Of these iterations, if it is kept.
    pub bytes_per_device: u64,
    /// Recomputed instead of kept.
    pub recomputed: bool,
    pub iterations: Iterations,
    pub source: Option<SourcePlace>,
}

/// A composite that no kernel runs: its ops run in its place, and their intermediate results are kept in full.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ExpandedReport {
    pub name: String,
    pub why: String,
    pub source: Option<SourcePlace>,
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TotalsReport {
    pub flops_per_device: u64,
    #[serde(serialize_with = "number")]
    pub wire_bytes_per_device: f64,
    pub peak_bytes_per_device: Option<u64>,
    /// Of the host's memory; 0 if nothing of the step lies there.
    #[serde(default)]
    pub host_bytes_per_device: Option<u64>,
    #[serde(serialize_with = "rounded")]
    pub predicted_step_us: f64,
    #[serde(serialize_with = "rounded_option")]
    pub lower_bound_us: Option<f64>,
    /// Of a step of training. Tokens are rows where the inputs have none.
    #[serde(default, serialize_with = "rounded_option")]
    pub tokens_per_second: Option<f64>,
    /// Three times the operations of the loss, over the peak rate of all devices in the type that most are computed in.
    #[serde(default, serialize_with = "ratio_option")]
    pub mfu: Option<f64>,
    /// Where the target has a price.
    #[serde(default, serialize_with = "rounded_option")]
    pub usd_per_million_tokens: Option<f64>,
    /// The software that the step's time is predicted for, where it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileReport>,
}

/// A software profile, and how far its predictions are from what was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ProfileReport {
    pub name: String,
    /// Published runs that it was compared with.
    pub rows: u64,
    /// Of these, the least and the most of measured times over predicted ones; null without rows.
    pub band: Option<[f64; 2]>,
}

impl ProfileReport {
    pub fn of(profile: &Profiled) -> ProfileReport {
        let part = |per_mille: u64| per_mille as f64 / 1e3;
        ProfileReport {
            name: profile.name.clone(),
            rows: profile.rows,
            band: profile.band.map(|b| [part(b.least), part(b.most)]),
        }
    }

    /// `of 9 published runs with the profile torchtitan-2025`, or that there are none.
    pub fn from(&self) -> String {
        match self.band {
            Some(_) => format!("of {} published runs with the profile {}", self.rows, self.name),
            None => format!("the profile {} has no rows, so no band", self.name),
        }
    }
}

/// `1.6 s, 1.4 to 1.9`: a predicted time with its band, where there is one.
pub fn with_band(us: f64, profile: Option<&ProfileReport>) -> String {
    let shown = human::micros(us);
    match profile.and_then(|p| p.band) {
        Some([least, most]) => {
            format!("{shown}, {} to {}", human::micros_like(us * least, us), human::micros_like(us * most, us))
        }
        None => shown,
    }
}

/// What a device sends in a step on one level of the network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LevelReport {
    pub level: String,
    pub wire_bytes_per_device: u64,
    /// Unknown of a pipeline.
    #[serde(serialize_with = "rounded_option")]
    pub predicted_us: Option<f64>,
    /// For how long of that time nothing is computed.
    #[serde(serialize_with = "rounded_option")]
    pub exposed_us: Option<f64>,
}

/// How layers are split over an axis of the mesh, and in which order its ranks work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PipelineReport {
    pub axis: String,
    /// The path of the list of layers.
    pub list: String,
    /// Its name, or its file.
    pub schedule: String,
    pub microbatches: u64,
    pub stages: Vec<StageReport>,
    pub ranks: Vec<RankReport>,
    /// The share of its time that a rank waits, on the rank that waits longest, where `F`, `I` and `W` take one tick each, and
    /// messages none.
    #[serde(serialize_with = "rounded_option")]
    pub bubble: Option<f64>,
    /// The same at the times that are predicted of the stages.
    #[serde(serialize_with = "rounded_option")]
    pub predicted_bubble: Option<f64>,
}

/// Layers `first_layer..first_layer + layers` of the list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StageReport {
    pub stage: u64,
    /// The rank that has it. Where microbatches go two ways, the one of the first way.
    pub rank: u64,
    /// Where microbatches go two ways: the rank that has a copy of it for the other half.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<u64>,
    pub first_layer: u64,
    pub layers: u64,
}

/// The devices at one place on the axis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankReport {
    pub rank: u64,
    pub stages: Vec<u64>,
    /// Elements of the parameters that its devices have together.
    pub parameters: u64,
    /// Absent where the target cannot run it.
    pub bytes_per_device: Option<u64>,
    /// Microbatches of one stage whose activations it keeps at most.
    pub activations_in_flight: u64,
    /// What one of its devices computes in a step.
    #[serde(default)]
    pub flops_per_device: u64,
    /// What one of its devices sends in a step, messages to other ranks among it.
    #[serde(default, serialize_with = "number")]
    pub wire_bytes_per_device: f64,
    /// What of that goes to other ranks.
    #[serde(default)]
    pub message_bytes_per_device: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CertificateReport {
    /// `proved` or `failed`.
    pub status: String,
    pub steps: u64,
}

/// A place in a source file; line and column count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourcePlace {
    pub file: String,
    pub line: u64,
    pub column: u64,
    /// What stands there, for the table; the reader of the JSON has the file.
    #[serde(skip)]
    pub text: String,
    /// Where that comes from, if it was made from another text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<SourceOrigin>,
}

/// The line of Python behind a line of a dump.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SourceOrigin {
    /// JAX's name stack, `jit(f)/jit(main)/dot_general`.
    pub name: String,
    pub file: String,
    pub line: u64,
    pub column: u64,
    pub function: String,
    /// All of it, for messages.
    #[serde(skip)]
    pub text: String,
}

impl PlanReport {
    /// The text of `plan --json`: a tensor or a collective per line, so that two plans compare line by line.
    pub fn to_json(&self) -> String {
        let mut fields = vec![
            ("schema", line(&self.schema)),
            ("entry", line(&self.entry)),
            ("mesh", line(&self.mesh)),
            ("target", line(&self.target)),
            ("tensors", lines(&self.tensors)),
            ("collectives", lines(&self.collectives)),
            ("reads", lines(&self.reads)),
            ("gathers", lines(&self.gathers)),
            ("stashes", lines(&self.stashes)),
            ("expanded", lines(&self.expanded)),
            ("limits", line(&self.limits)),
            ("tried", lines(&self.tried)),
            ("moves", lines(&self.moves)),
            ("totals", line(&self.totals)),
            ("levels", line(&self.levels)),
            ("pipeline", line(&self.pipeline)),
            ("certificate", line(&self.certificate)),
        ];
        if self.last_apart {
            fields.insert(13, ("last_apart", line(&true)));
        }
        let fields: Vec<String> = fields.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }

    /// Reads what [`PlanReport::to_json`] wrote.
    ///
    /// # Errors
    /// What is missing or of another type, with its line.
    pub fn from_json(text: &str) -> Result<PlanReport, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }
}

impl PlanReport {
    /// Reads the plans of all entries: an object with `entries`; or, as they were written before, a list, or one plan.
    ///
    /// # Errors
    /// As [`PlanReport::from_json`].
    pub fn list_from_json(text: &str) -> Result<Vec<PlanReport>, String> {
        #[derive(Deserialize)]
        struct Written {
            entries: Vec<PlanReport>,
        }
        let error = |e: serde_json::Error| e.to_string();
        if text.trim_start().starts_with('[') {
            return serde_json::from_str(text).map_err(error);
        }
        let value: serde_json::Value = serde_json::from_str(text).map_err(error)?;
        match value.get("entries") {
            // From the text, so that an error names a line.
            Some(_) => serde_json::from_str(text).map(|w: Written| w.entries).map_err(error),
            None => PlanReport::from_json(text).map(|p| vec![p]),
        }
    }
}

fn line<T: Serialize>(x: &T) -> String {
    // Only maps with keys that are no strings could make this fail, and there are none.
    serde_json::to_string(x).unwrap_or_default()
}

fn lines<T: Serialize>(xs: &[T]) -> String {
    if xs.is_empty() {
        return "[]".into();
    }
    let xs: Vec<String> = xs.iter().map(|x| format!("    {}", line(x))).collect();
    format!("[\n{}\n  ]", xs.join(",\n"))
}

/// Writes bytes as whole numbers where they are whole; one device's share of a collective may be a fraction.
pub(crate) fn number<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    if x.fract() == 0.0 && (0.0..9.0e15).contains(x) { s.serialize_u64(*x as u64) } else { s.serialize_f64(*x) }
}

/// Predictions, to a nanosecond: more digits would be noise in a diff.
pub(crate) fn rounded<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
    number(&((x * 1e3).round() / 1e3), s)
}

/// Shares of a whole, to a thousandth of a percent.
pub(crate) fn ratio_option<S: Serializer>(x: &Option<f64>, s: S) -> Result<S::Ok, S::Error> {
    match x {
        Some(x) => number(&((x * 1e5).round() / 1e5), s),
        None => s.serialize_none(),
    }
}

pub(crate) fn rounded_option<S: Serializer>(x: &Option<f64>, s: S) -> Result<S::Ok, S::Error> {
    match x {
        Some(x) => rounded(x, s),
        None => s.serialize_none(),
    }
}
