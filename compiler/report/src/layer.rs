//! The answer of `explain` about a layer of a pipeline: its stage, what the stage takes beside the slowest one, and what moving
//! a boundary of the stage by one layer would cost.

use crate::human::{self, signed};
use crate::table::{Align, Table};
use serde::Serialize;

/// `explain --json` of a layer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayerExplanation {
    pub schema: u32,
    pub entry: String,
    pub question: String,
    /// The path of the list of layers, and the axis of the mesh over which its stages are.
    pub list: String,
    pub axis: String,
    pub layer: u64,
    pub stage: u64,
    pub rank: u64,
    /// Where microbatches go two ways: the rank that has a copy of the stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<u64>,
    pub first_layer: u64,
    /// How many layers the stage has.
    pub layers: u64,
    /// `source` where the sizes are given, `cost` where they were chosen.
    pub decided_by: String,
    /// The layers, `[first, end]`, that the search gave layouts of their own and this one is one of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_layouts: Option<[u64; 2]>,
    /// All actions of one microbatch in this stage, as predicted.
    pub microbatch_us: f64,
    pub slowest_stage: u64,
    pub slowest_microbatch_us: f64,
    pub predicted_step_us: f64,
    pub moves: Vec<BoundaryReport>,
}

/// A boundary of the stage, moved by one layer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoundaryReport {
    /// The stage that begins at the boundary.
    pub stage: u64,
    /// It begins a layer `later` or `earlier`.
    pub begins: String,
    /// The layers of all stages then.
    pub sizes: Vec<u64>,
    pub predicted_step_us: f64,
    /// Bytes of the device that holds most.
    pub peak_bytes_per_device: u64,
    /// Whether all ranks would have room.
    pub fits: bool,
}

/// The answer for people, every line ended by a newline.
pub fn text(e: &LayerExplanation) -> String {
    let range = human::layers(e.first_layer, e.layers);
    let copy = e.copy.map_or(String::new(), |r| format!(", and a copy on rank {r}"));
    let mut out = vec![
        format!("{}[{}]: in stage {} of {}, {range}, on rank {}{copy}", e.list, e.layer, e.stage, e.entry, e.rank),
        String::new(),
        "why".into(),
        match e.decided_by.as_str() {
            "source" => "  the source says how many layers each stage has".into(),
            _ => "  of the cuts with room on each rank it has the shortest predicted step".into(),
        },
    ];
    if let Some([first, end]) = e.own_layouts {
        let layers = human::layers(first, end - first);
        out.push(format!(
            "  the search planned {layers} apart from the others; `explain` of a tensor of theirs says why"
        ));
    }
    let own = format!("  stage {} takes {} for a microbatch", e.stage, human::micros(e.microbatch_us));
    out.push(match e.slowest_stage == e.stage {
        true => own + ", the longest of all stages",
        false => format!("{own}; the slowest, {}, takes {}", e.slowest_stage, human::micros(e.slowest_microbatch_us)),
    });
    out.extend([String::new(), format!("the plan: step {}", human::micros(e.predicted_step_us))]);
    if e.moves.is_empty() {
        out.push("no boundary of this stage can be moved: each stage keeps a layer".into());
    } else {
        out.extend(others(e));
    }
    out.iter().flat_map(|l| [l.trim_end(), "\n"]).collect()
}

fn others(e: &LayerExplanation) -> Vec<String> {
    use Align::{Left, Right};
    let columns = [("other boundaries", Left), ("step", Right), ("peak", Right), ("fits", Left), ("to get it", Left)];
    let mut t = Table::new(&columns);
    for m in &e.moves {
        let sizes: Vec<String> = m.sizes.iter().map(u64::to_string).collect();
        t.row([
            format!("stage {} one layer {}", m.stage, m.begins),
            signed(m.predicted_step_us - e.predicted_step_us, human::micros),
            human::bytes(m.peak_bytes_per_device as f64),
            if m.fits { "yes" } else { "no" }.into(),
            format!("@ {}({})", e.axis, sizes.join(", ")),
        ]);
    }
    t.lines()
}
