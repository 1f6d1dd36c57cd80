//! The language server as editors use it: the binary, spoken to over its pipes.

mod client;
mod edits;

use crate::support::Place;
use client::{Client, find};
use serde_json::{Value, json};

/// A place with a document open: the example, and its text.
fn opened(name: &str) -> (Place, Client, String, String) {
    let place = Place::new();
    let mut client = Client::start(&place, &json!({ "plan": "never" }));
    let uri = format!("file://{}/{name}", place.path().display());
    let text = place.read(name);
    client.open(&uri, &text);
    (place, client, uri, text)
}

fn hover(client: &mut Client, uri: &str, at: (u32, u32)) -> String {
    let answer = client.at("hover", uri, at, &Value::Null).expect("an answer");
    answer["contents"]["value"].as_str().unwrap_or("").to_string()
}

#[test]
fn a_session_begins_and_ends() {
    let (_place, mut client, uri, _) = opened("examples/gpt.loom");
    assert_eq!(client.capabilities["textDocumentSync"]["change"], 2, "incremental");
    assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    let unknown = client.try_ask("textDocument/moniker", json!({}));
    assert!(unknown.is_err_and(|e| e.contains("does not know")));
    assert_eq!(client.end(), 0);
}

/// What is no message costs nothing but itself.
#[test]
fn a_session_outlives_messages_that_are_none() {
    let (_place, mut client, uri, _) = opened("examples/gpt.loom");
    let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    for bytes in [
        framed(r#"{"jsonrpc":"2.0","id":null,"result":null}"#),
        framed(r#"{"jsonrpc":"2.0","id":null,"method":"textDocument/hover"}"#),
        framed(r#"{"jsonrpc":"2.0","id":9999999999,"method":"shutdown"}"#),
        framed(r#"[{"jsonrpc":"2.0","method":"exit"}]"#),
        framed("{"),
        framed(""),
        "Content-Length: nine\r\n\r\n".into(),
        "{}\r\n\r\n".into(),
    ] {
        client.send_bytes(bytes.as_bytes());
        let hovered = client.at("hover", &uri, (0, 0), &json!({}));
        assert!(hovered.is_ok(), "{bytes}: {hovered:?}");
    }
    assert!(client.try_ask("initialize", json!({})).is_err_and(|e| e.contains("a second time")));
    assert_eq!(client.end(), 0);
}

/// What comes before a session begins is refused, and what comes behind its end too.
#[test]
fn a_session_begins_with_initialize() {
    let place = Place::new();
    let mut client = Client::unbegun(&place);
    assert!(client.try_ask("textDocument/hover", json!({})).is_err_and(|e| e.contains("before initialize")));
    client.send_bytes(b"Content-Length: 22\r\n\r\n{\"id\":1,\"result\":null}");
    assert!(client.try_ask("initialize", json!({ "capabilities": 7 })).is_err());
    client.begin(&place, &json!({}));
    client.ask("shutdown", Value::Null);
    assert!(client.try_ask("textDocument/hover", json!({})).is_err_and(|e| e.contains("after shutdown")));
    assert_eq!(client.exit(), 0);
    // A client that goes before anything has begun.
    assert_eq!(Client::unbegun(&place).exit(), 1);
}

#[test]
fn diagnostics_come_with_each_edit_and_can_be_fixed() {
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    let at = find(&text, "gelu(dot(layer_norm(x, p.norm2), p.up))", 0, 0);
    let version = client.edit(&uri, at, (at.0, at.1 + 4), "gelo");
    let said = client.diagnostics(&uri, version);
    assert_eq!(said.len(), 1, "{said:?}");
    let range = json!({ "start": { "line": at.0, "character": at.1 }, "end": { "line": at.0, "character": at.1 + 4 } });
    assert_eq!((&said[0]["range"], said[0]["severity"].as_u64()), (&range, Some(1)));
    assert!(said[0]["code"].as_str().is_some_and(|c| c.starts_with('E')), "{said:?}");
    assert!(said[0]["codeDescription"]["href"].as_str().is_some_and(|h| h.ends_with(".md")), "{said:?}");
    let actions = client.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": said } }),
    );
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!((actions[0]["title"].as_str(), edit["newText"].as_str()), (Some("change to `gelu`"), Some("gelu")));
    let version = client.edit(&uri, at, (at.0, at.1 + 4), edit["newText"].as_str().unwrap_or(""));
    assert_eq!(client.diagnostics(&uri, version), Vec::<Value>::new());
    assert_eq!(client.end(), 0);
}

#[test]
fn hovering_shows_types_sizes_and_comments() {
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    let h = hover(&mut client, &uri, find(&text, "let h = layer_norm", 0, 4));
    assert!(h.contains("let h: f32[") && h.contains("seq = 128"), "{h}");
    let up = hover(&mut client, &uri, find(&text, "p.up))", 0, 2));
    assert!(up.contains("@ [_, model]") && up.contains("of `Block`") && up.contains("hidden = 1024"), "{up}");
    let library = hover(&mut client, &uri, find(&text, "cross_entropy(", 0, 3));
    assert!(library.contains("fn cross_entropy(") && library.matches("\n\n").count() >= 1, "{library}");
    let primitive = hover(&mut client, &uri, find(&text, "einsum(", 0, 1));
    assert!(primitive.contains("einsum("), "{primitive}");
    let entry = hover(&mut client, &uri, find(&text, "logits(m, tokens)", 1, 1));
    assert!(entry.contains("fn logits(m: Gpt"), "{entry}");
    let axis = hover(&mut client, &uri, find(&text, "[_, model]", 0, 5));
    assert!(axis.contains("mesh [model: 4]"), "{axis}");
    let dim = hover(&mut client, &uri, find(&text, "vocab, embed]", 0, 1));
    assert!(dim.contains("dim vocab = 256"), "{dim}");
    let nothing = client.at("hover", &uri, (0, 5), &Value::Null).expect("an answer");
    assert_eq!(nothing, Value::Null);
}

#[test]
fn definitions_are_found_in_the_library_and_in_imports() {
    let (place, mut client, uri, text) = opened("examples/gpt.loom");
    let mut go = |at| client.at("definition", &uri, at, &Value::Null).expect("an answer");
    let line = |v: &Value| v["range"]["start"]["line"].as_u64();
    // A variable, whose last declaration counts; a field; a function; an axis.
    let x = go(find(&text, "layer_norm(x, p.norm2)", 0, 11));
    assert_eq!(line(&x), Some(u64::from(find(&text, "let x = x + einsum", 0, 0).0)));
    assert_eq!(line(&go(find(&text, "m.tok[", 0, 3))), Some(u64::from(find(&text, "tok:", 0, 0).0)));
    assert_eq!(line(&go(find(&text, "block(p, x)", 0, 1))), Some(u64::from(find(&text, "fn block", 0, 0).0)));
    assert_eq!(line(&go(find(&text, "largest(data)", 0, 9))), Some(u64::from(find(&text, "mesh [", 0, 0).0)));
    // A path in a layout block.
    assert_eq!(line(&go(find(&text, "blocks.*.up", 0, 9))), Some(u64::from(find(&text, "up: ", 0, 0).0)));
    let library = go(find(&text, "attention(q", 0, 2));
    let path = library["uri"].as_str().and_then(|u| u.strip_prefix("file://")).expect("a file").to_string();
    let shown = std::fs::read_to_string(&path).expect("a file of the library");
    let line = library["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(shown.lines().nth(line).is_some_and(|l| l.contains("fn attention(")), "{path}:{line}");
    // Imports: by name, by another name, behind the file's name.
    let layers =
        "/// Twice.\nfn twice(x: f32[n]) -> f32[n] { x + x }\nfn thrice(x: f32[n]) -> f32[n] { twice(x) + x }\n";
    std::fs::write(place.path().join("layers.loom"), layers).expect("a file");
    let main = "import twice, thrice as three from \"layers.loom\"\nimport \"layers.loom\" as l\ndim n = 4\n\
                entry f(x: f32[n]) -> f32[n] {\n    twice(x) + three(x) + l.thrice(x)\n}\n";
    let uri = format!("file://{}/main.loom", place.path().display());
    client.open(&uri, main);
    assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    for (what, into, line) in [("twice(x)", 1, 1), ("three(x)", 1, 2), ("l.thrice(x)", 3, 2), ("\"layers", 2, 0)] {
        let found = client.at("definition", &uri, find(main, what, 0, into), &Value::Null).expect("an answer");
        assert!(found["uri"].as_str().is_some_and(|u| u.ends_with("/layers.loom")), "{what}: {found}");
        assert_eq!(found["range"]["start"]["line"], line, "{what}");
    }
    let twice = hover(&mut client, &uri, find(main, "twice(x)", 0, 1));
    assert!(twice.contains("Twice."), "{twice}");
    // The import is edited and not saved: the program that imports it is checked again.
    let imported = format!("file://{}/layers.loom", place.path().display());
    client.open(&imported, layers);
    client.edit(&imported, (1, 3), (1, 8), "double");
    client.until(&uri, "has no `twice`");
}

#[test]
fn references_and_renaming_reach_other_files() {
    let (place, mut client, _, _) = opened("examples/mlp.loom");
    let layers =
        "struct Layer[n] {\n    w: f32[n] = zeros,\n}\nfn scaled(m: Layer[n], x: f32[n]) -> f32[n] {\n    m.w * x\n}\n";
    let main = "import Layer, scaled from \"layers.loom\"\nmesh [data: 2]\ndim size = 4\nstruct Model {\n    \
                layer: Layer[size],\n}\nentry f(m: Model, x: f32[size] @ [data]) -> f32[size] {\n    \
                scaled(m.layer, x: x) + m.layer.w\n}\nlayout all {\n    params layer.w: [data]\n}\n";
    std::fs::write(place.path().join("layers.loom"), layers).expect("a file");
    std::fs::write(place.path().join("main.loom"), main).expect("a file");
    let layers_uri = format!("file://{}/layers.loom", place.path().display());
    let uri = format!("file://{}/main.loom", place.path().display());
    client.open(&layers_uri, layers);
    assert_eq!(client.diagnostics(&layers_uri, 1), Vec::<Value>::new());
    let places = |v: &Value| v.as_array().map_or(0, Vec::len);
    // The field `w`: its declaration, `m.w`, `m.layer.w`, and the rule of the layout, in a file that is not open.
    let w = find(layers, "w: f32", 0, 0);
    let found = client.at("references", &layers_uri, w, &json!({ "context": { "includeDeclaration": true } }));
    assert_eq!(places(&found.expect("an answer")), 4);
    let renamed = client.at("rename", &layers_uri, w, &json!({ "newName": "weight" })).expect("an answer");
    assert_eq!((places(&renamed["changes"][&layers_uri]), places(&renamed["changes"][&uri])), (2, 2), "{renamed}");
    // A parameter, and the argument that names it.
    let x = find(layers, "x: f32", 0, 0);
    let renamed = client.at("rename", &layers_uri, x, &json!({ "newName": "input" })).expect("an answer");
    assert_eq!((places(&renamed["changes"][&layers_uri]), places(&renamed["changes"][&uri])), (2, 1), "{renamed}");
    // What would be wrong is refused, and so is what is no name and what is not the user's.
    client.open(&uri, main);
    assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    let size = find(main, "size = 4", 0, 0);
    let taken = client.at("rename", &uri, size, &json!({ "newName": "scaled" }));
    assert!(taken.as_ref().is_err_and(|e| e.contains("would be wrong")), "{taken:?}");
    let keyword = client.at("rename", &uri, size, &json!({ "newName": "let" }));
    assert!(keyword.is_err_and(|e| e.contains("cannot be a name")));
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    for (what, why) in [("attention(q", "library"), ("einsum(", "primitive")] {
        let refused = client.at("rename", &uri, find(&text, what, 0, 1), &json!({ "newName": "other" }));
        assert!(refused.as_ref().is_err_and(|e| e.contains(why)), "{refused:?}");
    }
    // A variable and one of the same name that hides it.
    let h = find(&text, "let h = gelu", 0, 4);
    let renamed = client.at("rename", &uri, h, &json!({ "newName": "inner" })).expect("an answer");
    assert_eq!(places(&renamed["changes"][&uri]), 2, "{renamed}");
}

#[test]
fn references_reach_gradient_rules_and_dims_of_signatures() {
    let (place, mut client, _, _) = opened("examples/mlp.loom");
    // `mean` is a function of the library, and as a dim of a signature a name like any other.
    let text = "fn scaled(x: f32[mean], w: f32[mean]) -> f32[mean] {\n    let y = x * w\n    y\n} gradient(dy) {\n    \
                let y = dy * w\n    (y, dy * x)\n}\nfn total(x: f32[n], w: f32[n]) -> f32 {\n    sum(scaled(x, w))\n}\n\
                entry f(x: f32[4], w: f32[4]) -> f32[4] {\n    grad(total, wrt: w)(x, w)\n}\n";
    let uri = format!("file://{}/rule.loom", place.path().display());
    client.open(&uri, text);
    assert_eq!(client.diagnostics(&uri, 1), Vec::<Value>::new());
    let mut count = |what: &str, into: usize| {
        let at = find(text, what, 0, into);
        let found = client.at("references", &uri, at, &json!({ "context": { "includeDeclaration": true } }));
        let found = found.expect("an answer").as_array().map_or(0, Vec::len);
        let renamed = client.at("rename", &uri, at, &json!({ "newName": "other" })).expect("an answer");
        let renamed = renamed["changes"][&uri].as_array().map_or(0, Vec::len);
        assert_eq!(found, renamed, "{what}");
        found
    };
    assert_eq!(count("mean]", 0), 3);
    // Parameters are mentioned in the body and in the rule, and what names the parameter to differentiate by mentions it too.
    assert_eq!(count("w: f32[mean]", 0), 3);
    assert_eq!(count("w: f32[n]", 0), 3);
    // The body and the rule have a `y` each.
    assert_eq!((count("y = x", 0), count("y = dy", 0), count("dy) {", 0)), (2, 2, 3));
}

#[test]
fn completion_knows_what_may_stand_there() {
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    let typed = |client: &mut Client, at: (u32, u32), what: &str| {
        client.edit(&uri, at, at, &format!("{what}\n"));
        let end = (at.0, at.1 + what.len() as u32);
        let answer = client.at("completion", &uri, end, &Value::Null).expect("an answer");
        client.edit(&uri, at, (at.0 + 1, 0), "");
        let all = answer.as_array().expect("a list").iter();
        all.filter_map(|i| i["label"].as_str().map(str::to_string)).collect::<Vec<String>>()
    };
    // The fields of what stands before a dot, also where the line is not complete.
    let body = find(&text, "    x + dot(h, p.down)", 0, 0);
    assert_eq!(typed(&mut client, body, "    let y = p."), ["norm1", "qkv", "out", "norm2", "up", "down"]);
    let values = typed(&mut client, body, "    let y = la");
    for wanted in ["h", "x", "q", "p", "layers", "layer_norm", "block", "dot", "let"] {
        assert!(values.iter().any(|v| v == wanted), "{wanted}: {values:?}");
    }
    assert!(!values.iter().any(|v| v == "tokens"), "of another function");
    // Layouts: of a field of two dims, and in a rule.
    let field = find(&text, "    up:   ", 0, 0);
    let layouts = typed(&mut client, field, "    new: f32[embed, hidden] @ ");
    assert_eq!(layouts, ["[data, _]", "[_, data]", "[model, _]", "[_, model]", "[_, _]"]);
    let rule = find(&text, "    params *: largest(data)", 0, 0);
    let rules = typed(&mut client, rule, "    params blocks.*.qkv: ");
    assert!(rules.iter().any(|r| r == "largest(model)") && rules.iter().any(|r| r == "[_, _, model, _]"), "{rules:?}");
    let axes = typed(&mut client, field, "    new: f32[embed, hidden] @ [");
    assert!(axes.starts_with(&["data".into(), "model".into()]), "{axes:?}");
    let types = typed(&mut client, field, "    new: ");
    assert!(types.iter().any(|t| t == "bf16") && types.iter().any(|t| t == "LayerNorm"), "{types:?}");
    let arguments = typed(&mut client, body, "    let y = attention(q, k, v, ");
    assert!(arguments.iter().any(|a| a == "causal:"), "{arguments:?}");
    let items = typed(&mut client, (2, 0), "str");
    assert!(items.iter().any(|i| i == "struct"), "{items:?}");
    assert!(typed(&mut client, (2, 0), "// str").is_empty());
    let version = client.edit(&uri, (0, 0), (0, 0), "");
    assert_eq!(client.diagnostics(&uri, version), Vec::<Value>::new(), "the text is as it was");
}

#[test]
fn signatures_show_the_parameter_at_the_cursor() {
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    let mut help = |at| client.at("signatureHelp", &uri, at, &Value::Null).expect("an answer");
    let one = help(find(&text, "attention(q, k, v, causal: true)", 0, 13));
    let label = one["signatures"][0]["label"].as_str().unwrap_or("");
    assert!(label.starts_with("attention(") && label.contains("causal: bool = false"), "{label}");
    assert_eq!(one["activeParameter"], 1);
    let named = help(find(&text, "attention(q, k, v, causal: true)", 0, 29));
    let index = named["activeParameter"].as_u64().expect("one") as usize;
    assert!(named["signatures"][0]["parameters"][index]["label"].as_str().is_some_and(|l| l.starts_with("causal")));
    let primitive = help(find(&text, "transpose(m.tok)", 0, 11));
    assert!(primitive["signatures"][0]["label"].as_str().is_some_and(|l| l.starts_with("transpose(")));
    assert_eq!(help((0, 0)), Value::Null);
}

#[test]
fn formatting_changes_what_has_to_change() {
    let (_place, mut client, uri, text) = opened("examples/gpt.loom");
    let options = json!({ "options": { "tabSize": 4, "insertSpaces": true }, "textDocument": { "uri": uri } });
    assert_eq!(client.ask("textDocument/formatting", options.clone()), json!([]));
    let at = find(&text, "let h = layer_norm", 0, 0);
    client.edit(&uri, at, (at.0, at.1 + 8), "let   h=");
    let edits = client.ask("textDocument/formatting", options.clone());
    let edit = &edits[0];
    assert_eq!((edit["range"]["start"]["line"].as_u64(), edits.as_array().map(Vec::len)), (Some(at.0.into()), Some(1)));
    assert_eq!(edit["newText"], format!("{}\n", text.lines().nth(at.0 as usize).unwrap_or("")));
    client.edit(&uri, (0, 0), (0, 0), "fn (");
    assert_eq!(client.ask("textDocument/formatting", options), Value::Null);
    let outline = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    let names: Vec<&str> = outline.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert!(names.contains(&"Block") && names.contains(&"gpt") && names.contains(&"fsdp"), "{names:?}");
}

/// Shapes at once; layouts and collectives once there is a plan, which also finds what only planning finds.
#[test]
fn hints_show_shapes_and_then_the_plan() {
    let place = Place::new();
    let mut client = Client::start(&place, &json!({}));
    let uri = format!("file://{}/examples/mlp.loom", place.path().display());
    let text = place.read("examples/mlp.loom");
    client.open(&uri, &text);
    let hints = |client: &mut Client| {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let all = client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
        let one =
            |h: &Value| (h["position"]["line"].as_u64().unwrap_or(0), h["label"].as_str().unwrap_or("").to_string());
        all.as_array().expect("a list").iter().map(one).collect::<Vec<(u64, String)>>()
    };
    let h = u64::from(find(&text, "let h = relu", 0, 0).0);
    let before = hints(&mut client);
    assert!(before.iter().any(|(l, t)| *l == h && t.starts_with(": f32[batch, hidden]")), "{before:?}");
    assert_eq!(client.planned(&uri, 1), Vec::<Value>::new());
    let after = hints(&mut client);
    let b2 = u64::from(find(&text, "b2: f32", 0, 0).0);
    assert!(after.contains(&(b2, " @ [model]".into())), "{after:?}");
    // They are those of the plan that `meshloom plan` prints.
    let printed = crate::support::finish(place.command(&["plan", "examples/mlp.loom", "--json"]));
    let printed: Value = serde_json::from_str(&printed.stdout).expect("JSON");
    let tensors = printed["entries"][0]["tensors"].as_array().expect("a list");
    let planned = tensors.iter().find(|t| t["name"] == "b2").expect("it is there");
    assert_eq!(planned["layout"], json!([["model"]]));
    assert!(after.iter().any(|(l, t)| *l == h + 1 && t.contains("reduce_scatter(model) forward")), "{after:?}");
    let hovered = hover(&mut client, &uri, find(&text, "m.w2)", 0, 2));
    assert!(hovered.contains("planned as `@ [model, _]` in mlp"), "{hovered}");
    // A line above moves what was planned down; a line that changes loses it.
    client.edit(&uri, (0, 0), (0, 0), "// More.\n");
    let moved = hints(&mut client);
    assert!(moved.contains(&(b2 + 1, " @ [model]".into())), "{moved:?}");
    // An assertion that does not hold is found by planning alone.
    let version = client.edit(&uri, (0, 0), (0, 0), "assert no reduce_scatter(model)\n");
    // On a busy machine the plan has taken so long that the next one waits for this.
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let said = client.planned(&uri, version);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0]["range"]["start"]["line"], 0);
    let checked = crate::support::finish(place.command(&["check", "examples/mlp.loom"]));
    assert_eq!(checked.code, 0, "what is on disk is another text: {}", checked.stderr);
    assert_eq!(client.end(), 0);
}
