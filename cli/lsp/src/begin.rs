//! How a session begins: what the client says of itself, and what this server can do.
//!
//! Whatever comes before `initialize` is answered with an error or ignored, as the protocol wants it, and so is an
//! `initialize` that makes no sense.
//!
//! Not here: the session (`server`).

use crate::position::{Units, path_of};
use lsp_server::{Connection, ErrorCode, Message, Response};
use lsp_types::notification::{Exit, Notification as _};
use lsp_types::request::{Initialize, Request as _};
use lsp_types::*;
use serde_json::{Value, json};

/// What the client can do, and how it wants things.
#[derive(Default)]
pub struct Client {
    pub progress: bool,
    pub refresh: bool,
    /// `initializationOptions.plan`: `pause`, `save` or `never`.
    pub plans_on_pause: bool,
    pub plans: bool,
}

/// How a session begins.
pub struct Begun {
    pub units: Units,
    pub roots: Vec<String>,
    pub can: Client,
}

/// Waits for `initialize` and answers it; nothing where the client ends the session before.
pub fn begin(connection: &Connection) -> Option<Begun> {
    for m in &connection.receiver {
        let r = match m {
            Message::Request(r) => r,
            Message::Notification(n) if n.method == Exit::METHOD => return None,
            Message::Notification(_) | Message::Response(_) => continue,
        };
        let refused = |code: ErrorCode, why: String| Response::new_err(r.id.clone(), code as i32, why);
        let answer = match serde_json::from_value::<InitializeParams>(r.params.clone()) {
            _ if r.method != Initialize::METHOD => {
                refused(ErrorCode::ServerNotInitialized, format!("{} before initialize", r.method))
            }
            Err(e) => refused(ErrorCode::InvalidParams, e.to_string()),
            Ok(params) => {
                let begun = Begun::of(&params);
                connection.sender.send(Response::new_ok(r.id, hello(begun.units)).into()).ok()?;
                return Some(begun);
            }
        };
        connection.sender.send(answer.into()).ok()?;
    }
    None
}

impl Begun {
    fn of(params: &InitializeParams) -> Begun {
        let encodings = params.capabilities.general.as_ref().and_then(|g| g.position_encodings.clone());
        let utf8 = encodings.is_some_and(|e| e.contains(&PositionEncodingKind::UTF8));
        let units = if utf8 { Units::Utf8 } else { Units::Utf16 };
        Begun { units, roots: roots(params), can: client(params) }
    }
}

fn hello(units: Units) -> Value {
    json!({
        "capabilities": capabilities(units),
        "serverInfo": { "name": "meshloom", "version": env!("CARGO_PKG_VERSION") },
    })
}

fn roots(params: &InitializeParams) -> Vec<String> {
    let folders = params.workspace_folders.iter().flatten().map(|f| path_of(&f.uri));
    let mut all: Vec<String> = folders.collect();
    #[expect(deprecated, reason = "clients of before 3.6 give a root and no folders")]
    if let Some(root) = params.root_uri.as_ref().filter(|_| all.is_empty()) {
        all.push(path_of(root));
    }
    all
}

fn client(params: &InitializeParams) -> Client {
    let can = &params.capabilities;
    let wanted = params.initialization_options.as_ref().and_then(|o| o.get("plan")).and_then(Value::as_str);
    let hints = can.workspace.as_ref().and_then(|w| w.inlay_hint.as_ref()).and_then(|h| h.refresh_support);
    Client {
        progress: can.window.as_ref().and_then(|w| w.work_done_progress) == Some(true),
        refresh: hints == Some(true),
        plans_on_pause: !matches!(wanted, Some("save" | "never")),
        plans: wanted != Some("never"),
    }
}

fn capabilities(units: Units) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match units {
            Units::Utf8 => PositionEncodingKind::UTF8,
            Units::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "@", "[", "(", ":"].map(str::to_string).to_vec()),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_string).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        inlay_hint_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}
