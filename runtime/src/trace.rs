//! What ran when in one step, as a timeline: kernels, copies and collectives with their source lines, each on the track
//! of the stream or worker that ran it; and of pipeline stages the actions, around what they consist of.
//!
//! A traced step is issued one piece of work at a time. On GPUs an event stands before and after each piece on its
//! stream, since a captured step would have one time for all. On CPUs each worker's loop reads a clock. So a traced
//! step takes a little longer than others.
//!
//! `chrome://tracing` and <https://ui.perfetto.dev> open the file: one JSON object, times in microseconds. A rank is a
//! process, a stream or worker a thread of it.

use crate::measured::MeasuredRank;
use meshloom_bundle::{Instr, Iterations, Program, SourcePlace};
use serde_json::{Value, json};

/// What a piece of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Kernel,
    Copy,
    Collective,
    /// What goes over a wire to another rank of a pipeline, or comes from there; the wait for it included.
    Wire,
    /// An action of a pipeline's rank for a microbatch, named as in the schedule: `0F3`. What it consists of lies within it.
    Action,
}

impl What {
    pub fn name(self) -> &'static str {
        match self {
            What::Kernel => "kernel",
            What::Copy => "copy",
            What::Collective => "collective",
            What::Wire => "wire",
            What::Action => "action",
        }
    }
}

/// What is known of an instruction before it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    pub what: What,
    pub source: Option<SourcePlace>,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSpan {
    pub label: Label,
    /// Index into [`Trace::tracks`].
    pub track: usize,
    /// The device that did it; `None` of what all devices do together.
    pub device: Option<usize>,
    /// Of the loops around it.
    pub at: Iterations,
    /// Microseconds since the step began.
    pub start: f64,
    pub end: f64,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Streams or workers.
    pub tracks: Vec<String>,
    pub spans: Vec<TraceSpan>,
}

impl Label {
    /// Of an instruction that is no loop.
    pub fn of(program: &Program, instr: &Instr) -> Label {
        let axes = |axes: &[u32]| {
            let names = axes.iter().filter_map(|&a| program.mesh.get(a as usize)).map(|a| a.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let label = |name: String, what, source: &Option<SourcePlace>| Label { name, what, source: source.clone() };
        match instr {
            Instr::Launch(l) => {
                let name = program.kernels.get(l.kernel as usize).map_or("", |k| &k.symbol);
                label(name.into(), What::Kernel, &l.source)
            }
            Instr::Collective(_) | Instr::Bucket(_) => {
                let all = instr.collectives();
                let Some(first) = all.first() else { return label("collective".into(), What::Collective, &None) };
                let several = if all.len() > 1 { format!(", {} in one", all.len()) } else { String::new() };
                let name = format!("{} over {}{several}", first.kind.name(), axes(&first.axes));
                label(name, What::Collective, &first.source)
            }
            Instr::Send(t) | Instr::Receive(t) => {
                let name = program.wires.get(t.wire as usize).map_or("", |w| &w.name);
                let verb = if matches!(instr, Instr::Send(_)) { "send" } else { "receive" };
                label(format!("{verb} {name}"), What::Wire, &None)
            }
            Instr::Fill { .. } => label("fill".into(), What::Copy, &None),
            Instr::Copy { src, .. } if program.in_host(src.offset) => label("from the host".into(), What::Copy, &None),
            Instr::Copy { dst, .. } if program.in_host(dst.offset) => label("to the host".into(), What::Copy, &None),
            _ => label("copy".into(), What::Copy, &None),
        }
    }
}

impl Trace {
    /// The file's text. `rank` of how many processes this is, `step` as users count. `stages` are written beside it, for programs.
    pub fn to_json(&self, rank: usize, step: u64, stages: &[MeasuredRank]) -> String {
        let mut events: Vec<Value> = Vec::new();
        let named = |what: &str, track: usize, name: &str| json!({ "ph": "M", "name": what, "pid": rank, "tid": track, "args": { "name": name } });
        events.push(named("process_name", 0, &format!("rank {rank}, step {step}")));
        for (k, name) in self.tracks.iter().enumerate() {
            events.push(named("thread_name", k, name));
            events.push(
                json!({ "ph": "M", "name": "thread_sort_index", "pid": rank, "tid": k, "args": { "sort_index": k } }),
            );
        }
        for s in &self.spans {
            let category = s.label.what.name();
            let mut args = serde_json::Map::new();
            if let Some(source) = &s.label.source {
                args.insert("source".into(), json!(source.to_string()));
            }
            if let Some(device) = s.device {
                args.insert("device".into(), json!(device));
            }
            if let Some(last) = s.at.iter().rposition(|&i| i != 0) {
                args.insert("iteration".into(), json!(s.at[..=last]));
            }
            events.push(json!({
                "ph": "X", "name": s.label.name, "cat": category, "pid": rank, "tid": s.track,
                "ts": s.start, "dur": (s.end - s.start).max(0.0), "args": args,
            }));
        }
        // One event in a line.
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        let other =
            if stages.is_empty() { String::new() } else { format!("\"otherData\":{},", json!({ "stages": stages })) };
        format!("{{\"displayTimeUnit\":\"ms\",{other}\"traceEvents\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_json_with_an_event_for_each_span() {
        let source = Some(SourcePlace { file: "m.loom".into(), line: 3, column: 7 });
        let label = Label { name: "dot_1".into(), what: What::Kernel, source };
        let span = TraceSpan { label, track: 1, device: Some(2), at: [0, 4, 0, 0], start: 1.5, end: 4.0 };
        let trace = Trace { tracks: vec!["a".into(), "b".into()], spans: vec![span] };
        let json: Value = serde_json::from_str(&trace.to_json(3, 8, &[])).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        assert_eq!(events.len(), 1 + 2 * 2 + 1);
        assert_eq!(events[0]["args"]["name"], "rank 3, step 8");
        let e = &events[5];
        assert_eq!((&e["ph"], &e["pid"], &e["tid"]), (&json!("X"), &json!(3), &json!(1)));
        assert_eq!((&e["ts"], &e["dur"], &e["cat"]), (&json!(1.5), &json!(2.5), &json!("kernel")));
        assert_eq!(e["args"], json!({ "source": "m.loom:3:7", "device": 2, "iteration": [0, 4] }));
    }
}
