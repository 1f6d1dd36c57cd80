//! Signature help: the parameters of the call that the cursor is in.

use crate::project::Declared;
use crate::reference;
use crate::snapshot::Snapshot;
use lsp_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation,
};
use meshloom_ir::FileId;
use meshloom_syntax::token::{Token, lex};

/// A call that is open at the cursor.
pub struct OpenCall {
    pub callee: String,
    /// Arguments before the cursor's.
    pub index: usize,
    /// The name of the cursor's argument, where it has one.
    pub named: Option<String>,
}

/// The innermost call around a place. Tokens are enough, so it is found in a text that does not parse.
pub fn call_at(text: &str, offset: usize) -> Option<OpenCall> {
    let before = text.get(..offset)?;
    let lexed = lex(FileId(0), before);
    // Of each open bracket the callee, the commas behind it, and the first tokens of the argument.
    let mut open: Vec<(Option<String>, usize, Vec<Token<'_>>)> = Vec::new();
    for (i, (_, token, _)) in lexed.tokens.iter().enumerate() {
        match token {
            Token::LParen => {
                let callee = callee(&lexed.tokens[..i].iter().map(|t| t.1).collect::<Vec<_>>());
                open.push((callee, 0, Vec::new()));
            }
            Token::LBracket | Token::LBrace => open.push((None, 0, Vec::new())),
            Token::RParen | Token::RBracket | Token::RBrace => drop(open.pop()),
            Token::Comma => {
                if let Some(o) = open.last_mut() {
                    (o.1, o.2) = (o.1 + 1, Vec::new());
                }
            }
            t => {
                if let Some(o) = open.last_mut() {
                    o.2.push(*t);
                }
            }
        }
    }
    let (callee, index, argument) = open.into_iter().rev().find(|o| o.0.is_some())?;
    let named = match argument.as_slice() {
        [Token::Ident(name), Token::Colon, ..] => Some((*name).to_string()),
        _ => None,
    };
    Some(OpenCall { callee: callee?, index, named })
}

/// The name right before a bracket, if what stands there is a call and no declaration.
fn callee(before: &[Token<'_>]) -> Option<String> {
    match before {
        [.., Token::Fn | Token::Entry | Token::Optimizer, Token::Ident(_)] => None,
        [.., Token::Ident(file), Token::Dot, Token::Ident(name)] => Some(format!("{file}.{name}")),
        [.., Token::Ident(name)] => Some((*name).to_string()),
        _ => None,
    }
}

/// A function as its callers see it.
pub struct Callable {
    /// Names of the parameters, and each as it is written: `causal: bool = false`.
    pub params: Vec<(String, String)>,
    /// ` -> f32[n]`, or nothing.
    result: String,
    text: String,
}

pub fn callable(s: &Snapshot, callee: &str) -> Option<Callable> {
    if let Some((file, name)) = s.project.lookup(&s.path, callee) {
        let Declared::Function(f) = s.project.declared(&file, &name)? else { return None };
        let source = &s.project.file(&file)?.text;
        let written = |start: u32, end: u32| {
            let text = source.get(start as usize..end as usize).unwrap_or("");
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let params = f.params.iter().map(|p| (p.name.text.clone(), written(p.span.start, p.span.end))).collect();
        let result = f.result.as_ref().map_or(String::new(), |t| format!(" -> {}", written(t.span.start, t.span.end)));
        let text = reference::documented(&s.project, &file, &name).map_or(String::new(), |d| d.text);
        return Some(Callable { params, result, text });
    }
    let d = reference::primitive(callee)?;
    let inside = d.signature.split_once('(')?.1.trim_end_matches(')');
    let params = inside.split(", ").filter(|p| !p.is_empty());
    let name = |p: &str| p.split([' ', ':']).next().unwrap_or(p).to_string();
    let params = params.map(|p| (name(p), p.to_string())).collect();
    Some(Callable { params, result: String::new(), text: d.text.clone() })
}

pub fn signature(s: &Snapshot, offset: usize) -> Option<SignatureHelp> {
    let call = call_at(s.text(), offset)?;
    let Callable { params, result, text } = callable(s, &call.callee)?;
    let active = match &call.named {
        Some(name) => params.iter().position(|p| p.0 == *name),
        None => (call.index < params.len()).then_some(call.index),
    };
    let shown: Vec<String> = params.iter().map(|p| p.1.clone()).collect();
    let info = |p: &String| ParameterInformation { label: ParameterLabel::Simple(p.clone()), documentation: None };
    let active = active.and_then(|a| u32::try_from(a).ok());
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label: format!("{}({}){result}", call.callee, shown.join(", ")),
            documentation: (!text.is_empty())
                .then_some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text })),
            parameters: Some(shown.iter().map(info).collect()),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    })
}
