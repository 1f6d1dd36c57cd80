//! One page that shows a plan: a file of HTML that needs no network and no other file.
//!
//! [`PlanPage`] is the data. The page holds it as JSON, the plan itself exactly as `plan --json` has it, and draws it with the
//! scripts beside this file (`page/*.js`): tables, and pictures as SVG. So a figure on the page is a figure of the JSON. Long
//! sources are left out but for the lines that something points to, since the page is meant to be sent to colleagues.
//!
//! The page of `diff` holds two plans and what changed, that of `explain` a plan and an answer, that of `run` a plan and what was
//! measured ([`PageMeasured`]).
//!
//! Not here: where the data comes from (`driver::page`, `runtime::trace`).

mod measured;
pub use measured::{PageMeasured, PageStep, PageTraced, PageTracedSpan};

use crate::diff::Difference;
use crate::explain::Explanation;
use crate::layer::LayerExplanation;
use crate::model::{PlanReport, rounded};
use crate::text::Memory;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a page shows.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PlanPage {
    pub title: String,
    pub version: String,
    pub entries: Vec<PageEntry>,
    pub sources: Vec<PageSource>,
    /// What the plan is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<Box<ComparedPage>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<PageAnswer>,
    /// What running the first entry came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<PageMeasured>,
}

/// Another plan, and what changed from it to the page's own.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparedPage {
    pub before: PlanPage,
    pub differences: Vec<Difference>,
    /// Entries that one side alone has, each as a sentence.
    pub missing: Vec<String>,
}

/// What `explain` says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageAnswer {
    Tensor(Box<Explanation>),
    Layer(Box<LayerExplanation>),
}

/// A plan, and what its tables do not hold.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageEntry {
    /// `train step`, `function`.
    pub kind: String,
    pub layout: Option<String>,
    /// Bytes of a device that programs can have.
    pub room: Option<u64>,
    pub plan: PlanReport,
    /// One device's peak by what it is for; of a pipeline each rank has other parts.
    pub memory: Option<Memory>,
    pub timeline: PageTimeline,
    pub buffers: PageBuffers,
    /// The costliest first.
    pub ops: Vec<PageOp>,
    /// Peak operations per second and bytes of memory per second, of the target.
    pub peak: f64,
    pub bandwidth: f64,
    /// By rank of a pipeline, its actions at the predicted times.
    pub ranks: Vec<Vec<PageAction>>,
    /// The steps of the certificate, as `--emit certify` prints them; empty where that is too long for a page.
    pub certificate: String,
}

impl PageEntry {
    /// An entry for a plan of which only the report exists, as JSON or in a bundle.
    pub fn reported(plan: PlanReport) -> PageEntry {
        PageEntry {
            kind: "plan".into(),
            layout: None,
            room: None,
            plan,
            memory: None,
            timeline: PageTimeline::default(),
            buffers: PageBuffers::default(),
            ops: Vec::new(),
            peak: 0.0,
            bandwidth: 0.0,
            ranks: Vec::new(),
            certificate: String::new(),
        }
    }
}

/// A step in time, in microseconds.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PageTimeline {
    /// Computation, then the levels of the network, then copies from the host and to it.
    pub lanes: Vec<String>,
    pub spans: Vec<PageSpan>,
}

/// A stretch of a lane; of a loop the first iteration is there, and the loop itself is on all lanes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageSpan {
    pub name: String,
    pub lane: Option<usize>,
    #[serde(serialize_with = "rounded")]
    pub start: f64,
    #[serde(serialize_with = "rounded")]
    pub us: f64,
    pub times: u64,
    pub depth: usize,
    pub phase: String,
    pub at: Option<PagePlace>,
}

/// File and line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct PagePlace(pub String, pub u64);

/// What lies in memory in which step of the program.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PageBuffers {
    /// By step, the op and its place.
    pub steps: Vec<(String, Option<PagePlace>)>,
    pub all: Vec<PageBuffer>,
    /// With gaps between buffers and scratch memory.
    pub total: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PageBuffer {
    pub what: String,
    /// `parameter`, `state`, `data`, or the phase that computes it.
    pub kind: String,
    pub bytes: u64,
    /// Steps, both included.
    pub first: usize,
    pub last: usize,
}

/// All executions of an op in a step, on one device.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageOp {
    pub op: String,
    pub text: String,
    pub phase: String,
    pub at: Option<PagePlace>,
    pub times: u64,
    #[serde(serialize_with = "rounded")]
    pub us: f64,
    pub flops: u64,
    pub bytes: u64,
    /// `arithmetic`, `memory` or `launch`.
    pub bound: String,
}

/// `2F0` of a schedule, in microseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageAction {
    pub name: String,
    /// `F`, `I`, `W`, `B`, or `F+B` for two that overlap.
    pub kind: String,
    #[serde(serialize_with = "rounded")]
    pub start: f64,
    #[serde(serialize_with = "rounded")]
    pub us: f64,
}

/// A source file; its lines by number.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct PageSource {
    pub name: String,
    pub lines: BTreeMap<u64, String>,
}

impl PageSource {
    /// The lines of a text: all of them if it has at most `most` bytes, else those in `wanted` with two around each.
    pub fn new(name: &str, text: &str, wanted: &[u64], most: usize) -> PageSource {
        let near = |n: u64| wanted.iter().any(|w| w.abs_diff(n) <= 2);
        let lines = text.lines().enumerate().map(|(i, l)| (i as u64 + 1, l));
        let kept = lines.filter(|(n, _)| text.len() <= most || near(*n));
        PageSource { name: name.into(), lines: kept.map(|(n, l)| (n, shortened(l))).collect() }
    }
}

/// Lines of dumps hold whole arrays.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 400;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.into(),
    }
}

impl PlanPage {
    /// The page, one file.
    pub fn html(&self) -> String {
        // Only maps with keys that are no strings could make this fail, and there are none.
        let data = serde_json::to_string(self).unwrap_or_default();
        // No text of a user ends the element that holds the data.
        let data = data.replace('<', "\\u003c");
        let scripts = SCRIPTS.concat();
        let parts = [("{{title}}", escaped(&self.title)), ("{{style}}", include_str!("page/page.css").into())];
        let page = parts.iter().fold(include_str!("page/page.html").to_string(), |p, (key, text)| p.replace(key, text));
        // Last: the data may hold anything.
        page.replace("{{script}}", &scripts).replace("{{data}}", &data)
    }
}

const SCRIPTS: [&str; 7] = [
    include_str!("page/base.js"),
    include_str!("page/chart.js"),
    include_str!("page/tables.js"),
    include_str!("page/pictures.js"),
    include_str!("page/answers.js"),
    include_str!("page/measured.js"),
    include_str!("page/main.js"),
];

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_file_whatever_the_source_says() {
        let source = PageSource::new("a.loom", "let x = 1 // </script><b> {{data}}\n", &[], 100);
        let page = PlanPage { title: "<a> & \"b\"".into(), sources: vec![source], ..PlanPage::default() };
        let html = page.html();
        assert!(html.contains("<title>&lt;a> &amp; &quot;b&quot;"));
        assert_eq!(html.matches("</script>").count(), 2, "the page's own");
        assert!(html.contains("\\u003c/script>\\u003cb>"));
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            let at = html.find(outside).filter(|_| outside != "http://");
            assert_eq!(at, None, "{outside} asks for another file");
        }
        // SVG's name is a name and no address.
        assert_eq!(html.matches("http://").count(), html.matches("http://www.w3.org/2000/svg").count());
    }

    #[test]
    fn long_sources_keep_the_lines_that_something_points_to() {
        let text: String = (1..=100).map(|n| format!("line {n}\n")).collect();
        let lines = |most| PageSource::new("a", &text, &[50], most).lines.keys().copied().collect::<Vec<u64>>();
        assert_eq!(lines(10), [48, 49, 50, 51, 52]);
        assert_eq!(lines(10_000).len(), 100);
    }
}
