//! An editor, as far as the language server can tell: it starts `meshloom lsp`, and speaks the protocol with it.

use crate::support::Place;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// No answer takes so long, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(300);

pub struct Client {
    process: Child,
    input: ChildStdin,
    messages: Receiver<Message>,
    requests: i32,
    pub capabilities: Value,
    /// The last diagnostics of each document, with the version that they are about.
    diagnostics: BTreeMap<String, (i64, Vec<Value>)>,
    /// How often the server said something of that version.
    times: BTreeMap<String, usize>,
    /// Messages of plans that have ended.
    planned: Vec<String>,
    planning: usize,
    versions: BTreeMap<String, i64>,
}

impl Client {
    /// A session that has begun.
    pub fn start(place: &Place, options: &Value) -> Client {
        let mut client = Client::unbegun(place);
        client.begin(place, options);
        client
    }

    /// A server to which nothing was said yet.
    pub fn unbegun(place: &Place) -> Client {
        let mut command = place.command(&["lsp", "--stdio"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        command.env("XDG_CACHE_HOME", place.path().join("cache"));
        let mut process = command.spawn().expect("the server starts");
        let input = process.stdin.take().expect("a pipe");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(m)) = Message::read(&mut output) {
                if sender.send(m).is_err() {
                    return;
                }
            }
        });
        Client {
            process,
            input,
            messages,
            requests: 0,
            capabilities: Value::Null,
            diagnostics: BTreeMap::new(),
            times: BTreeMap::new(),
            planned: Vec::new(),
            planning: 0,
            versions: BTreeMap::new(),
        }
    }

    pub fn begin(&mut self, place: &Place, options: &Value) {
        let root = format!("file://{}", place.path().display());
        let initialized = self.ask(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": root,
                "workspaceFolders": [{ "uri": root, "name": "work" }],
                "initializationOptions": options,
                "capabilities": {
                    "window": { "workDoneProgress": true },
                    "workspace": { "inlayHint": { "refreshSupport": true } },
                },
            }),
        );
        self.capabilities = initialized["capabilities"].clone();
        self.notify("initialized", json!({}));
    }

    fn send(&mut self, m: Message) {
        m.write(&mut self.input).expect("the server reads");
    }

    /// Bytes as they are, whatever they say.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.write_all(bytes).and_then(|()| self.input.flush()).expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification { method: method.into(), params }.into());
    }

    /// The result of a request, or the message of the error.
    pub fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Request { id: id.clone(), method: method.into(), params }.into());
        loop {
            if let Message::Response(r) = self.next() {
                assert_eq!(r.id, id, "answers come in order");
                return match r.error {
                    Some(e) => Err(e.message),
                    None => Ok(r.result.unwrap_or(Value::Null)),
                };
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|e| panic!("{method}: {e}"))
    }

    /// The next message, after what it tells was noted.
    fn next(&mut self) -> Message {
        let message = match self.messages.recv_timeout(PATIENCE) {
            Ok(m) => m,
            Err(RecvTimeoutError::Timeout) => panic!("the server is silent"),
            Err(RecvTimeoutError::Disconnected) => panic!("the server is gone: {:?}", self.process.try_wait()),
        };
        match &message {
            Message::Request(r) => {
                let answer = Response::new_ok(r.id.clone(), Value::Null);
                self.send(answer.into());
            }
            Message::Notification(n) if n.method == "textDocument/publishDiagnostics" => {
                let uri = n.params["uri"].as_str().expect("a URI").to_string();
                let version = n.params["version"].as_i64().unwrap_or(-1);
                let all = n.params["diagnostics"].as_array().expect("a list").clone();
                let times = self.times.entry(uri.clone()).or_default();
                let same = self.diagnostics.get(&uri).is_some_and(|d| d.0 == version);
                *times = if same { *times + 1 } else { 1 };
                self.diagnostics.insert(uri, (version, all));
            }
            Message::Notification(n) if n.method == "$/progress" => match n.params["value"]["kind"].as_str() {
                Some("begin") => self.planning += 1,
                _ => {
                    self.planning -= 1;
                    self.planned.push(n.params["value"]["message"].as_str().unwrap_or("").to_string());
                }
            },
            _ => {}
        }
        message
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.into(), 1);
        let document = json!({ "uri": uri, "languageId": "loom", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// One edit: what stands between two positions becomes `with`. The version that the text has then.
    pub fn edit(&mut self, uri: &str, start: (u32, u32), end: (u32, u32), with: &str) -> i64 {
        let version = self.versions.get_mut(uri).expect("an open document");
        *version += 1;
        let version = *version;
        let position = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
        let change = json!({ "range": { "start": position(start), "end": position(end) }, "text": with });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }),
        );
        version
    }

    /// Diagnostics of a version of a document, once the server has said them: where names and types are right, what the phases
    /// behind say.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let error = |d: &Value| d["severity"] == 1;
        loop {
            if let Some((_, all)) = self.diagnostics.get(uri).filter(|d| d.0 >= version)
                && (all.iter().any(error) || self.times[uri] > 1)
            {
                return all.clone();
            }
            self.next();
        }
    }

    /// The first diagnostics of a version of a document.
    pub fn first(&mut self, uri: &str, version: i64) {
        while self.diagnostics.get(uri).is_none_or(|d| d.0 < version) {
            self.next();
        }
    }

    /// Waits until something is said of a document.
    pub fn until(&mut self, uri: &str, what: &str) {
        let says = |d: &Value| d["message"].as_str().is_some_and(|m| m.contains(what));
        while !self.diagnostics.get(uri).is_some_and(|d| d.1.iter().any(says)) {
            self.next();
        }
    }

    /// Waits until a version was planned; what is said of it then.
    pub fn planned(&mut self, uri: &str, version: i64) -> Vec<Value> {
        let wanted = format!("version {version}");
        while !self.planned.contains(&wanted) {
            self.next();
        }
        self.diagnostics(uri, version)
    }

    /// A request about a place in a document.
    pub fn at(&mut self, method: &str, uri: &str, position: (u32, u32), more: &Value) -> Result<Value, String> {
        let (line, character) = position;
        let mut params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.try_ask(&format!("textDocument/{method}"), params)
    }

    /// Ends the session as the protocol asks; the exit code.
    pub fn end(mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.exit()
    }

    /// Says `exit`; the exit code.
    pub fn exit(mut self) -> i32 {
        self.notify("exit", Value::Null);
        drop(self.input);
        self.process.wait().expect("the server ends").code().unwrap_or(-1)
    }
}

/// The position of a byte, in lines and units of UTF-16.
pub fn position(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() as u32, before[start..].encode_utf16().count() as u32)
}

/// The position of the `n`th time that something stands in a text, and how far into it.
pub fn find(text: &str, what: &str, n: usize, into: usize) -> (u32, u32) {
    let at = text.match_indices(what).nth(n).unwrap_or_else(|| panic!("{what} stands in the text")).0;
    position(text, at + into)
}
