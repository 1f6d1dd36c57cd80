//! Random edits, typed key by key: what the server says of the text is at every moment what `meshloom check` says of it.

use super::client::{Client, position};
use crate::support::{Place, meshloom, root};
use meshloom_driver::{CompileOptions, front};
use meshloom_source::{Diagnostic, Failure, SourceMap};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A generator of numbers that is the same everywhere (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// What people type, and what they do not.
const PIECES: [&str; 24] = [
    "x",
    "let y = x\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    " @ [data, _]",
    ".",
    ",",
    "\n",
    "model",
    "fn f(",
    "1",
    "-1.5e3",
    "\"",
    "// \u{e9}\u{1f600}\n",
    "dot(x, ",
    "@",
    ":",
    "p.",
    "import \"none.loom\"\n",
    "\u{1f600}",
];

/// A text in the server, and here.
struct Typed<'a> {
    client: &'a mut Client,
    uri: String,
    text: String,
    version: i64,
}

impl Typed<'_> {
    /// Replaces bytes: deletes them key by key from behind, and types key by key.
    fn replace(&mut self, start: usize, end: usize, with: &str) {
        let mut end = end;
        while end > start {
            let from = self.text[..end].char_indices().next_back().map_or(0, |c| c.0);
            self.key(from, end, "");
            end = from;
        }
        let mut at = start;
        for c in with.chars() {
            self.key(at, at, &c.to_string());
            at += c.len_utf8();
        }
    }

    fn key(&mut self, start: usize, end: usize, with: &str) {
        let (from, to) = (position(&self.text, start), position(&self.text, end));
        self.version = self.client.edit(&self.uri, from, to, with);
        self.text.replace_range(start..end, with);
    }

    /// A random edit: what was deleted there, and what was typed.
    fn edit(&mut self, dice: &mut Dice) -> (usize, String, String) {
        let boundary = |i: usize| self.text.floor_char_boundary(i.min(self.text.len()));
        let start = boundary(dice.below(self.text.len() + 1));
        let longest = if dice.below(4) == 0 { 30 } else { 3 };
        let end = boundary(start + dice.below(longest)).max(start);
        let with = match dice.below(4) {
            0 => String::new(),
            1 => {
                let from = boundary(dice.below(self.text.len() + 1));
                self.text[from..boundary(from + 12).max(from)].to_string()
            }
            _ => PIECES[dice.below(PIECES.len())].to_string(),
        };
        let gone = self.text[start..end].to_string();
        self.replace(start, end, &with);
        (start, gone, with)
    }
}

/// Code, severity, first line of the message, and where it begins.
type Line = (String, bool, String, (u32, u32));

fn lines(said: &[Value]) -> Vec<Line> {
    let one = |d: &Value| {
        let first = d["message"].as_str().unwrap_or("").lines().next().unwrap_or("").to_string();
        let at = &d["range"]["start"];
        let number = |v: &Value| v.as_u64().unwrap_or(0) as u32;
        let code = d["code"].as_str().unwrap_or("").to_string();
        (code, d["severity"] == 1, first, (number(&at["line"]), number(&at["character"])))
    };
    let mut all: Vec<Line> = said.iter().map(one).collect();
    all.sort();
    all
}

/// What checking says, in the same form.
fn expected(said: &[Diagnostic], sources: &SourceMap) -> Vec<Line> {
    let one = |d: &Diagnostic| {
        let user = |l: &&meshloom_source::diagnostic::Label| sources.get(l.span.file).is_some_and(|f| !f.library);
        let at = d.primary.iter().chain(&d.secondary).find(user).map_or((0, 0), |l| {
            let text = &sources.get(l.span.file).expect("a file").text;
            position(text, text.floor_char_boundary(l.span.start as usize))
        });
        let first = d.message.lines().next().unwrap_or("").to_string();
        (d.number().to_string(), d.is_error(), first, at)
    };
    let mut all: Vec<Line> = said.iter().map(one).collect();
    all.sort();
    all.dedup();
    all
}

fn checked(path: &str, text: &str) -> (Vec<Line>, bool) {
    // As `check` reads them: layouts that are not chosen too.
    let mut options = CompileOptions::default();
    options.front.every_layout = true;
    match front::check(path, text, &options) {
        Ok(p) => (expected(&p.diagnostics, &p.sources), true),
        Err((Failure::Rejected(d), sources)) => (expected(&d, &sources), false),
        Err((other, _)) => panic!("{path}: {other}"),
    }
}

/// Code, severity, message and line, as the command has them.
type Told = (String, bool, String, u64);

fn told(said: &[Value]) -> Vec<Told> {
    let mut all: Vec<Told> =
        lines(said).into_iter().map(|(code, e, m, at)| (code, e, m, u64::from(at.0) + 1)).collect();
    all.sort();
    all
}

fn by_command(place: &Place) -> Vec<Told> {
    let out = meshloom(place, &["check", "edited.loom", "--json"]);
    let json: Value = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", out.stderr));
    let one = |d: &Value| {
        let text = |v: &Value| v.as_str().unwrap_or("").to_string();
        let message = text(&d["message"]).lines().next().unwrap_or("").to_string();
        // What has no place in the file stands on its first line.
        let line = d["primary"]["line"].as_u64().unwrap_or(1);
        (text(&d["code"]), d["severity"] == "error", message, line)
    };
    let mut all: Vec<Told> = json["diagnostics"].as_array().expect("a list").iter().map(one).collect();
    all.sort();
    all.dedup();
    all
}

/// Types `count` random edits into an example, most of which are taken back, and compares after each. At the end the text is
/// planned, and saved, and compared with what the command says.
fn replay(name: &str, count: usize, seed: u64) {
    let place = Place::new();
    let source = std::fs::read_to_string(root().join(name)).expect("an example");
    std::fs::write(place.path().join("edited.loom"), &source).expect("a file");
    let path = format!("{}/edited.loom", place.path().display());
    let mut client = Client::start(&place, &json!({ "plan": "save" }));
    let uri = format!("file://{path}");
    client.open(&uri, &source);
    let mut typed = Typed { client: &mut client, uri: uri.clone(), text: source, version: 1 };
    let mut dice = Dice(seed);
    for i in 0..count {
        let (start, gone, with) = typed.edit(&mut dice);
        let said = typed.client.diagnostics(&uri, typed.version);
        let (wanted, sound) = checked(&path, &typed.text);
        let shown = || format!("{name}, edit {i} of seed {seed}:\n{}", typed.text);
        assert_eq!(lines(&said), wanted, "{}", shown());
        // A text with errors would only get more of them.
        if !sound || dice.below(3) > 0 {
            typed.replace(start, start + with.len(), &gone);
        }
    }
    std::fs::write(&path, &typed.text).expect("a file");
    let (text, version) = (typed.text.clone(), typed.version);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let said = if checked(&path, &text).1 { client.planned(&uri, version) } else { client.diagnostics(&uri, version) };
    assert_eq!(told(&said), by_command(&place), "{name}, at the end:\n{text}");
    assert_eq!(client.end(), 0, "{name}");
}

fn examples() -> Vec<String> {
    let mut all = Vec::new();
    for folder in ["examples", "examples/large"] {
        for e in std::fs::read_dir(root().join(folder)).expect("a folder").flatten() {
            let name = e.file_name().to_string_lossy().into_owned();
            if name.ends_with(".loom") {
                all.push(format!("{folder}/{name}"));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn edits_of_examples_say_what_check_says() {
    for (i, name) in ["gpt_tiny", "manual", "mlp", "moe"].iter().enumerate() {
        replay(&format!("examples/{name}.loom"), 12, 17 + i as u64);
    }
}

/// `MESHLOOM_EXAMPLES=gpt,llama` names some of them, `MESHLOOM_SEEDS=3` another seed.
#[test]
#[ignore = "takes some minutes: two hundred edits of every example"]
fn two_hundred_edits_of_every_example() {
    let only = std::env::var("MESHLOOM_EXAMPLES").unwrap_or_default();
    let seed: u64 = std::env::var("MESHLOOM_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let wanted = |n: &str| only.is_empty() || only.split(',').any(|o| n.ends_with(&format!("/{o}.loom")));
    for name in examples().iter().filter(|n| wanted(n)) {
        replay(name, 200, seed);
        println!("{name}: 200 edits");
    }
}

/// How long diagnostics and answers take, in a model of some 580 lines whose 22 layers are all written out, and in `gpt`.
#[test]
#[ignore = "takes a minute, and measures: the figures of docs/editors.md"]
fn latencies() {
    let place = Place::new();
    for (name, text) in [("long", long_model()), ("gpt", place.read("examples/gpt.loom"))] {
        let mut client = Client::start(&place, &json!({ "plan": "never" }));
        let uri = format!("file://{}/{name}.loom", place.path().display());
        client.open(&uri, &text);
        assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
        println!("{name}, {} lines:", text.lines().count());
        let (mut first, mut all) = (Vec::new(), Vec::new());
        for i in 0..40 {
            // A blank comes and goes.
            let line = (text.lines().count() * i / 40) as u32;
            let (end, with) = if i % 2 == 0 { (0, " ") } else { (1, "") };
            let line = if i % 2 == 0 { line } else { (text.lines().count() * (i - 1) / 40) as u32 };
            let start = Instant::now();
            let version = client.edit(&uri, (line, 0), (line, end), with);
            client.first(&uri, version);
            first.push(start.elapsed());
            client.diagnostics(&uri, version);
            all.push(start.elapsed());
        }
        show("names and types", first);
        show("all but the plan", all);
        let at = super::find(&text, "dot(layer_norm(x, p.norm2), p.up)", 0, 5);
        for method in ["hover", "definition", "completion", "signatureHelp"] {
            let mut spent = Vec::new();
            for _ in 0..10 {
                let version = client.edit(&uri, (0, 0), (0, 0), " ");
                client.diagnostics(&uri, version);
                let start = Instant::now();
                client.at(method, &uri, at, &Value::Null).expect("an answer");
                spent.push(start.elapsed());
            }
            show(method, spent);
        }
    }
}

fn show(what: &str, mut spent: Vec<Duration>) {
    spent.sort();
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    println!("  {what}: median {:.0} ms, largest {:.0} ms", ms(spent[spent.len() / 2]), ms(spent[spent.len() - 1]));
}

/// `gpt` with 22 kinds of layers in place of one.
fn long_model() -> String {
    let text = std::fs::read_to_string(root().join("examples/gpt.loom")).expect("an example");
    let between = |from: &str, to: &str| {
        let start = text.find(from).expect("an item");
        &text[start..start + text[start..].find(to).expect("an item")]
    };
    let (layer, block) = (between("struct Block", "struct Gpt"), between("fn block", "fn logits"));
    let field = "    blocks: [Block; layers],\n";
    let walk = between("    for p in m.blocks {  //", "    dot(layer_norm(x, m.norm)");
    let (mut items, mut fields, mut loops) = (String::new(), field.to_string(), String::new());
    for i in 0..22 {
        items += &layer.replace("Block", &format!("Block{i}"));
        items += &block.replace("fn block(p: Block", &format!("fn block{i}(p: Block{i}"));
        fields += &format!("    blocks{i}: [Block{i}; layers],\n");
        loops += &walk.replace("m.blocks", &format!("m.blocks{i}")).replace("block(p, x)", &format!("block{i}(p, x)"));
    }
    text.replace(walk, &loops).replace(field, &fields).replace("struct Gpt", &format!("{items}struct Gpt"))
}
