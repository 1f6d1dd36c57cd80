//! The loop: one message after the other, then a check of what they changed, names and types first; and a plan where the editor
//! pauses.
//!
//! Edits that wait in the queue are carried out before anything is checked, so fast typing costs one check and not one for each
//! key.

use crate::background::{Done, Job, Planner};
use crate::begin::{Client, begin};
use crate::check;
use crate::notes::Notes;
use crate::position::{path_of, uri_of};
use crate::reference;
use crate::requests;
use crate::state::ServerState;
use crossbeam_channel::{after, never, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self as note, Notification as _};
use lsp_types::request as ask;
use lsp_types::request::Request as _;
use lsp_types::*;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long an editor is still before its text is planned.
const PAUSE: Duration = Duration::from_millis(300);
/// What took longer is planned when it is opened and when it is saved.
const QUICK: Duration = Duration::from_secs(3);

struct Server {
    connection: Connection,
    state: ServerState,
    can: Client,
    planner: Planner,
    /// When to plan what was edited, by path.
    due: BTreeMap<String, Instant>,
    /// Texts whose last plan took long.
    slow: BTreeSet<String>,
    /// Texts that changed, or whose imports did, and were not checked yet.
    unchecked: BTreeSet<String>,
    /// Texts of which only names and types were checked.
    half: BTreeSet<String>,
    /// The files that an open document imports.
    imports: BTreeMap<String, Vec<String>>,
    /// Files that have diagnostics now.
    marked: BTreeSet<String>,
    asked: i32,
    shut: bool,
}

/// Serves a client until the connection ends; whether it ended as the protocol asks.
///
/// # Errors
/// A thread that cannot be started.
pub fn run(connection: Connection) -> Result<bool, String> {
    let Some(begun) = begin(&connection) else { return Ok(false) };
    let mut server = Server {
        connection,
        state: ServerState::new(begun.units, begun.roots),
        can: begun.can,
        planner: Planner::start().map_err(|e| e.to_string())?,
        due: BTreeMap::new(),
        slow: BTreeSet::new(),
        unchecked: BTreeSet::new(),
        half: BTreeSet::new(),
        imports: BTreeMap::new(),
        marked: BTreeSet::new(),
        asked: 0,
        shut: false,
    };
    server.serve()
}

impl Server {
    fn serve(&mut self) -> Result<bool, String> {
        loop {
            let next = self.due.values().min().filter(|_| !self.planner.busy);
            let wait = next.map(|t| t.saturating_duration_since(Instant::now()));
            let wait = if self.half.is_empty() { wait } else { Some(Duration::ZERO) };
            let wake = wait.map_or_else(never, after);
            let (messages, done) = (self.connection.receiver.clone(), self.planner.done.clone());
            select! {
                recv(messages) -> m => match m {
                    Ok(Message::Notification(n)) if n.method == note::Exit::METHOD => return Ok(self.shut),
                    Ok(m) => self.message(m),
                    Err(_) => return Ok(false),
                },
                recv(done) -> d => if let Ok(d) = d { self.planned(d) },
                recv(wake) -> _ => {}
            }
            if !self.connection.receiver.is_empty() {
                continue;
            }
            let unchecked = std::mem::take(&mut self.unchecked);
            if unchecked.is_empty() {
                if let Some(path) = self.half.pop_first() {
                    self.check_on(&path);
                }
                self.plan_next();
            }
            for path in unchecked {
                self.check(&path);
            }
        }
    }

    fn message(&mut self, m: Message) {
        match m {
            Message::Request(r) => self.request(r),
            Message::Notification(n) => self.notified(n),
            // Answers to what the server asked for say nothing that it needs.
            Message::Response(_) => {}
        }
    }

    fn send(&self, m: impl Into<Message>) {
        // A client that is gone is met again where messages are read.
        drop(self.connection.sender.send(m.into()));
    }

    fn notify<N: note::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.into(), params));
    }

    fn ask<R: ask::Request>(&mut self, params: R::Params) {
        self.asked += 1;
        self.send(Request::new(RequestId::from(self.asked), R::METHOD.into(), params));
    }

    fn request(&mut self, r: Request) {
        if self.shut || r.method == ask::Initialize::METHOD {
            let when = if self.shut { "after shutdown" } else { "a second time" };
            let why = format!("{} {when}", r.method);
            return self.send(Response::new_err(r.id, ErrorCode::InvalidRequest as i32, why));
        }
        if r.method == ask::Shutdown::METHOD {
            self.shut = true;
            return self.send(Response::new_ok(r.id, Value::Null));
        }
        let answer = requests::answer(&mut self.state, r);
        self.send(answer);
    }

    fn notified(&mut self, n: Notification) {
        fn params<P: DeserializeOwned>(n: Notification) -> Option<P> {
            serde_json::from_value(n.params).ok()
        }
        match n.method.as_str() {
            note::DidOpenTextDocument::METHOD => {
                let Some(p) = params::<DidOpenTextDocumentParams>(n) else { return };
                let d = p.text_document;
                let path = self.state.documents.open(d.uri, d.version, d.text);
                self.changed(&path);
                self.plan_at(&path, Instant::now());
            }
            note::DidChangeTextDocument::METHOD => {
                let Some(p) = params::<DidChangeTextDocumentParams>(n) else { return };
                let d = p.text_document;
                self.state.documents.change(&d.uri, d.version, p.content_changes, self.state.units);
                let path = path_of(&d.uri);
                self.changed(&path);
                if self.can.plans_on_pause && !self.slow.contains(&path) {
                    self.plan_at(&path, Instant::now() + PAUSE);
                }
            }
            note::DidSaveTextDocument::METHOD => {
                let Some(p) = params::<DidSaveTextDocumentParams>(n) else { return };
                self.plan_at(&path_of(&p.text_document.uri), Instant::now());
            }
            note::DidCloseTextDocument::METHOD => {
                let Some(p) = params::<DidCloseTextDocumentParams>(n) else { return };
                let path = path_of(&p.text_document.uri);
                self.state.documents.close(&p.text_document.uri);
                for map in [&mut self.unchecked, &mut self.half, &mut self.slow] {
                    map.remove(&path);
                }
                self.due.remove(&path);
                self.state.notes.remove(&path);
                self.state.snapshots.remove(&path);
                self.state.said.remove(&path);
                self.imports.remove(&path);
                self.publish();
                self.changed(&path);
            }
            _ => {}
        }
    }

    /// Marks a document, and those that import it, as not checked.
    fn changed(&mut self, path: &str) {
        let open: Vec<String> = self.state.documents.paths().map(str::to_string).collect();
        for other in open {
            let imports = self.imports.get(&other).is_some_and(|i| i.iter().any(|p| p == path));
            if other == path || imports {
                self.unchecked.insert(other);
            }
        }
    }

    fn plan_at(&mut self, path: &str, when: Instant) {
        // What the library says is not for the user to change.
        if self.can.plans && reference::of_disk(path).is_none() && self.state.documents.get(path).is_some() {
            self.due.insert(path.to_string(), when);
        }
    }

    /// The quick check, and what it says.
    fn check(&mut self, path: &str) {
        if reference::of_disk(path).is_some() {
            return;
        }
        let Some(doc) = self.state.documents.get(path) else { return };
        let text = doc.text.clone();
        let files = meshloom_syntax::import::gather(path, &text, &mut |p| self.state.documents.read(p));
        let checked = check::quick(path, &text, &files);
        self.imports.insert(path.to_string(), files.into_iter().map(|f| f.path).collect());
        if checked.sound {
            self.half.insert(path.to_string());
        } else {
            self.half.remove(path);
            self.due.remove(path);
        }
        self.state.said.insert(path.to_string(), check::by_file(&checked, path, self.state.units));
        self.publish();
    }

    /// The rest of the check before planning, for which nothing has to wait.
    fn check_on(&mut self, path: &str) {
        let Some(doc) = self.state.documents.get(path) else { return };
        let text = doc.text.clone();
        let files = meshloom_syntax::import::gather(path, &text, &mut |p| self.state.documents.read(p));
        let checked = check::front(path, &text, &files);
        if !checked.sound {
            self.due.remove(path);
        }
        self.state.said.insert(path.to_string(), check::by_file(&checked, path, self.state.units));
        self.publish();
    }

    /// Sends the diagnostics of all files that have some, or had some.
    fn publish(&mut self) {
        let mut all: BTreeMap<String, Vec<Diagnostic>> =
            self.marked.iter().map(|path| (path.clone(), Vec::new())).collect();
        for (path, found) in self.state.said.values().flatten() {
            let here = all.entry(path.clone()).or_default();
            for f in found {
                // Two documents that import one file find the same in it.
                if !here.contains(&f.diagnostic) {
                    here.push(f.diagnostic.clone());
                }
            }
        }
        self.marked = all.iter().filter(|a| !a.1.is_empty()).map(|a| a.0.clone()).collect();
        for (path, diagnostics) in all {
            let doc = self.state.documents.get(&path);
            let version = doc.map(|d| d.version);
            let Some(uri) = doc.map(|d| d.uri.clone()).or_else(|| uri_of(&path)) else { continue };
            self.notify::<note::PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
        }
    }

    /// Begins the plan that has been due for longest.
    fn plan_next(&mut self) {
        let now = Instant::now();
        let next = self.due.iter().filter(|d| *d.1 <= now).min_by_key(|d| *d.1).map(|d| d.0.clone());
        let Some(path) = next.filter(|_| !self.planner.busy) else { return };
        self.due.remove(&path);
        let Some(doc) = self.state.documents.get(&path) else { return };
        let (text, version) = (doc.text.clone(), doc.version);
        let files = meshloom_syntax::import::gather(&path, &text, &mut |p| self.state.documents.read(p));
        if self.can.progress {
            let token = progress(&path);
            self.ask::<ask::WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
            let name = path.rsplit('/').next().unwrap_or(&path).to_string();
            let value = WorkDoneProgress::Begin(WorkDoneProgressBegin {
                title: "Planning".into(),
                message: Some(name),
                ..WorkDoneProgressBegin::default()
            });
            self.notify::<note::Progress>(ProgressParams { token, value: ProgressParamsValue::WorkDone(value) });
        }
        self.planner.begin(Job { path, version, text, files });
    }

    fn planned(&mut self, done: Done) {
        self.planner.busy = false;
        let path = done.job.path;
        if done.took > QUICK {
            self.slow.insert(path.clone());
        } else {
            self.slow.remove(&path);
        }
        let now = self.state.documents.get(&path);
        let (open, same) = (now.is_some(), now.is_some_and(|d| d.text == done.job.text));
        // Of an older text, what the plan says of the program is not said: the quick check of the text as it is says more.
        if same {
            self.state.said.insert(path.clone(), check::by_file(&done.checked, &path, self.state.units));
            self.publish();
        }
        if open && done.checked.sound {
            self.state.notes.insert(path.clone(), Notes { text: done.job.text, all: done.notes });
            if self.can.refresh {
                self.ask::<ask::InlayHintRefreshRequest>(());
            }
        }
        if self.can.progress {
            let end = WorkDoneProgressEnd { message: Some(format!("version {}", done.job.version)) };
            let value = ProgressParamsValue::WorkDone(WorkDoneProgress::End(end));
            self.notify::<note::Progress>(ProgressParams { token: progress(&path), value });
        }
    }
}

fn progress(path: &str) -> ProgressToken {
    NumberOrString::String(format!("meshloom-plan:{path}"))
}
