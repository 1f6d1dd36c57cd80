//! Requests and their answers, method by method. A request about what is not open, or not there, is answered with nothing; one
//! that the server does not know, with an error.

use crate::complete;
use crate::hints;
use crate::hover;
use crate::navigate;
use crate::notes::Notes;
use crate::position::{Lines, path_of, uri_of};
use crate::signature;
use crate::snapshot::Snapshot;
use crate::state::ServerState;
use lsp_server::{ErrorCode, Request, Response};
use lsp_types::request as ask;
use lsp_types::request::Request as _;
use lsp_types::*;
use meshloom_syntax::format::format;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Why there is no answer: the code of the protocol, and the text.
type Refused = (ErrorCode, String);

pub fn answer(server: &mut ServerState, r: Request) -> Response {
    let (id, method) = (r.id.clone(), r.method.clone());
    // A mistake in an answer costs the answer, and not what the editor has typed since.
    let made = catch_unwind(AssertUnwindSafe(|| dispatch(server, r)));
    match made {
        Ok(Ok(value)) => Response::new_ok(id, value),
        Ok(Err((code, message))) => Response::new_err(id, code as i32, message),
        Err(_) => {
            Response::new_err(id, ErrorCode::InternalError as i32, format!("a bug of Meshloom: no answer to {method}"))
        }
    }
}

fn dispatch(server: &mut ServerState, r: Request) -> Result<Value, Refused> {
    match r.method.as_str() {
        ask::HoverRequest::METHOD => {
            let p: HoverParams = params(r)?;
            at(server, &p.text_document_position_params, |server, s, offset| {
                json!(hover::hover(s, &notes(server, s), offset, server.units))
            })
        }
        ask::GotoDefinition::METHOD => {
            let p: GotoDefinitionParams = params(r)?;
            at(server, &p.text_document_position_params, |server, s, offset| {
                json!(navigate::definition(s, offset, server.units))
            })
        }
        ask::References::METHOD => {
            let p: ReferenceParams = params(r)?;
            at(server, &p.text_document_position, |server, s, offset| {
                let declaration = p.context.include_declaration;
                json!(navigate::references(s, &server.documents, &server.roots, offset, declaration, server.units))
            })
        }
        ask::SignatureHelpRequest::METHOD => {
            let p: SignatureHelpParams = params(r)?;
            at(server, &p.text_document_position_params, |_, s, offset| json!(signature::signature(s, offset)))
        }
        ask::Completion::METHOD => {
            let p: CompletionParams = params(r)?;
            at(server, &p.text_document_position, |server, s, offset| {
                json!(complete::complete(&s.path, s.text(), offset, &server.documents))
            })
        }
        ask::PrepareRenameRequest::METHOD => {
            let p: TextDocumentPositionParams = params(r)?;
            let Some((s, offset)) = place(server, &p) else { return Ok(Value::Null) };
            let m = navigate::renamed(&s, offset).map_err(refused)?;
            let range = Lines::new(s.text(), server.units).range(m.start as usize, m.end as usize);
            Ok(json!(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: m.text }))
        }
        ask::Rename::METHOD => rename(server, &params(r)?),
        ask::Formatting::METHOD => {
            let p: DocumentFormattingParams = params(r)?;
            Ok(json!(formatted(server, &p.text_document.uri)))
        }
        ask::DocumentSymbolRequest::METHOD => {
            let p: DocumentSymbolParams = params(r)?;
            let s = server.snapshot(&p.text_document.uri);
            Ok(json!(s.map(|s| navigate::outline(&s, server.units))))
        }
        ask::CodeActionRequest::METHOD => Ok(json!(actions(server, &params(r)?))),
        ask::InlayHintRequest::METHOD => {
            let p: InlayHintParams = params(r)?;
            let s = server.snapshot(&p.text_document.uri);
            Ok(json!(s.map(|s| hints::hints(&s, &notes(server, &s), p.range, server.units))))
        }
        other => Err((ErrorCode::MethodNotFound, format!("this server does not know {other}"))),
    }
}

fn params<P: DeserializeOwned>(r: Request) -> Result<P, Refused> {
    serde_json::from_value(r.params).map_err(|e| (ErrorCode::InvalidParams, e.to_string()))
}

fn refused(why: String) -> Refused {
    (ErrorCode::RequestFailed, why)
}

fn place(server: &mut ServerState, p: &TextDocumentPositionParams) -> Option<(Rc<Snapshot>, usize)> {
    let s = server.snapshot(&p.text_document.uri)?;
    let offset = Lines::new(s.text(), server.units).offset(p.position);
    Some((s, offset))
}

fn at(
    server: &mut ServerState,
    p: &TextDocumentPositionParams,
    make: impl FnOnce(&ServerState, &Snapshot, usize) -> Value,
) -> Result<Value, Refused> {
    Ok(place(server, p).map_or(Value::Null, |(s, offset)| make(server, &s, offset)))
}

/// What the last plan says of a document.
fn notes(server: &ServerState, s: &Snapshot) -> Vec<crate::check::PlanNote> {
    let none = Notes::default();
    let notes = server.notes.get(&s.path).unwrap_or(&none);
    notes.of(&s.path, &s.path, s.text())
}

fn rename(server: &mut ServerState, p: &RenameParams) -> Result<Value, Refused> {
    let Some((s, offset)) = place(server, &p.text_document_position) else { return Ok(Value::Null) };
    let edits = navigate::rename(&s, &server.documents, &server.roots, offset, &p.new_name, server.units);
    let edits = edits.map_err(refused)?;
    // A map with URIs as keys, as the protocol wants it.
    let changes: serde_json::Map<String, Value> =
        edits.iter().filter_map(|(path, e)| Some((uri_of(path)?.as_str().to_string(), json!(e)))).collect();
    Ok(json!({ "changes": changes }))
}

/// The edit that formats a document, from its first line that changes to its last; none where it has errors.
fn formatted(server: &ServerState, uri: &Uri) -> Option<Vec<TextEdit>> {
    let text = &server.documents.get(&path_of(uri))?.text;
    let new = format(text).ok()?;
    if new == *text {
        return Some(Vec::new());
    }
    let common = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(x, y)| x == y).count();
    let start = common(&mut text.bytes().zip(new.bytes()));
    let start = text[..text.floor_char_boundary(start)].rfind('\n').map_or(0, |i| i + 1);
    let behind = common(&mut text[start..].bytes().rev().zip(new[start..].bytes().rev()));
    let end = text.len() - behind;
    // Whole lines on both sides.
    let end = text[end..].find('\n').map_or(text.len(), |i| end + i + 1);
    let new_end = new.len() - (text.len() - end);
    let range = Lines::new(text, server.units).range(start, end);
    Some(vec![TextEdit { range, new_text: new[start..new_end].to_string() }])
}

fn actions(server: &ServerState, p: &CodeActionParams) -> Vec<Value> {
    let path = path_of(&p.text_document.uri);
    let touches = |r: &Range| r.start <= p.range.end && p.range.start <= r.end;
    let mut out: Vec<Value> = Vec::new();
    for f in server.found(&path).filter(|f| touches(&f.diagnostic.range)) {
        for fix in &f.fixes {
            let action = json!({
                "title": fix.title,
                "kind": CodeActionKind::QUICKFIX,
                "diagnostics": [f.diagnostic],
                "isPreferred": f.fixes.len() == 1,
                "edit": { "changes": { fix.uri.as_str(): [fix.edit] } },
            });
            if !out.contains(&action) {
                out.push(action);
            }
        }
    }
    out
}
