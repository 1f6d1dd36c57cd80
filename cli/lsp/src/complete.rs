//! Completion. A word is put in at the cursor, and the walk over names says what may stand there: the text with the word parses
//! where the text without it does not (`p.`, `@ `).

use crate::documents::Documents;
use crate::mentions::{Mentions, NameSpace, mentions};
use crate::project::{Declared, Project};
use crate::reference;
use crate::signature::{call_at, callable};
use crate::snapshot::Snapshot;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, MarkupContent, MarkupKind};
use meshloom_ir::{DType, FileId};
use meshloom_syntax::doc::Documented;
use meshloom_syntax::token::{Token, lex};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// No name of anyone's.
const WORD: &str = "completed_here_";
const ITEMS: [&str; 12] = [
    "mesh",
    "dim",
    "const",
    "struct",
    "fn",
    "composite fn",
    "train",
    "entry",
    "optimizer",
    "layout",
    "assert",
    "import",
];
const STATEMENTS: [&str; 6] = ["let", "for", "while", "if", "manual", "true"];

pub fn complete(path: &str, text: &str, offset: usize, documents: &Documents) -> Vec<CompletionItem> {
    let (Some(before), Some(behind)) = (text.get(..offset), text.get(offset..)) else { return Vec::new() };
    let word = before
        .rfind(|c: char| !c.is_alphanumeric() && c != '_')
        .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
    let lexed = lex(FileId(0), before);
    if inside_comment_or_text(before, &lexed.errors.is_empty(), lexed.comments.last().map(|c| c.start)) {
        return Vec::new();
    }
    let tokens: Vec<Token<'_>> =
        lexed.tokens.iter().filter(|t| t.0 < word && t.1 != Token::Newline).map(|t| t.1).collect();
    // Behind `@`, and behind the colon of a rule, stands a layout.
    let layout = matches!(tokens.last(), Some(Token::At)) || in_rule(&tokens);
    let closed = closers(&before[..word], behind);
    let put = if layout { format!("[{WORD}]{closed}") } else { format!("{WORD}{closed}") };
    let head = &before[..word];
    let rest = behind.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let at = head.len() + usize::from(layout);
    let s = Snapshot::with(path, &format!("{head}{put}{rest}"), documents);
    let found = mentions(&s.project, path, s.types_of(path), Some(at));
    let mention = found.all.iter().find(|m| m.text.ends_with(WORD) && m.start as usize <= at && at <= m.end as usize);
    match mention.map(|m| &m.space) {
        Some(NameSpace::Axis { rank }) if layout => layouts(&s.project, path, *rank, &tokens),
        Some(NameSpace::Axis { .. }) => axes(&s.project, path),
        Some(NameSpace::Field { base }) => fields(&s, *base),
        Some(NameSpace::Type) => types(&s.project, path),
        Some(NameSpace::Import { from }) => imported(&s.project, from),
        Some(NameSpace::Value | NameSpace::Function | NameSpace::Argument { .. }) => {
            let mut out = arguments(&s, head);
            out.extend(values(&s, &found));
            out
        }
        Some(NameSpace::Path | NameSpace::Layout) => Vec::new(),
        None if layout => layouts(&s.project, path, None, &tokens),
        None if top(&tokens) => keywords(&ITEMS),
        None => values(&s, &found),
    }
}

/// What closes the brackets that are open on the cursor's line, where nothing follows there. Brackets of other lines are those
/// of text that is complete.
fn closers(before: &str, behind: &str) -> String {
    if !behind.lines().next().unwrap_or("").trim().is_empty() {
        return String::new();
    }
    let line = &before[before.rfind('\n').map_or(0, |i| i + 1)..];
    let mut open = Vec::new();
    for (_, token, _) in lex(FileId(0), line).tokens {
        match token {
            Token::LParen => open.push(')'),
            Token::LBracket => open.push(']'),
            Token::LBrace => open.push('}'),
            Token::RParen | Token::RBracket | Token::RBrace => drop(open.pop()),
            _ => {}
        }
    }
    open.iter().rev().collect()
}

fn inside_comment_or_text(before: &str, whole: &bool, comment: Option<usize>) -> bool {
    let line = before.rfind('\n').map_or(0, |i| i + 1);
    comment.is_some_and(|c| c >= line) || !whole && before[line..].matches('"').count() % 2 == 1
}

/// Outside of all brackets, where an item begins.
fn top(tokens: &[Token<'_>]) -> bool {
    let depth = |t: &Token<'_>| match t {
        Token::LParen | Token::LBracket | Token::LBrace => 1,
        Token::RParen | Token::RBracket | Token::RBrace => -1,
        _ => 0,
    };
    tokens.iter().map(depth).sum::<i32>() == 0
}

/// Behind `params blocks.*.up:` in a `layout` block.
fn in_rule(tokens: &[Token<'_>]) -> bool {
    let Some(open) = tokens.iter().rposition(|t| matches!(t, Token::LBrace | Token::RBrace)) else { return false };
    matches!(tokens.last(), Some(Token::Colon))
        && matches!(tokens[..open + 1], [.., Token::Layout, Token::Ident(_), Token::LBrace])
}

fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_string(),
        kind: Some(kind),
        detail: (!detail.is_empty()).then(|| detail.to_string()),
        ..CompletionItem::default()
    }
}

fn with_text(mut i: CompletionItem, d: &Documented) -> CompletionItem {
    if !d.text.is_empty() {
        let value = d.text.clone();
        i.documentation = Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value }));
    }
    i
}

fn keywords(words: &[&str]) -> Vec<CompletionItem> {
    words.iter().map(|w| item(w, CompletionItemKind::KEYWORD, "")).collect()
}

fn axes(project: &Project, path: &str) -> Vec<CompletionItem> {
    let named =
        project.axes(path).iter().map(|b| item(&b.name.text, CompletionItemKind::ENUM_MEMBER, "axis of the mesh"));
    let mut out: Vec<CompletionItem> = named.collect();
    out.push(item("_", CompletionItemKind::ENUM_MEMBER, "not split"));
    out.push(item("?", CompletionItemKind::ENUM_MEMBER, "the compiler chooses"));
    out
}

/// Whole layouts: each axis on each dim, and what a rule can say.
fn layouts(project: &Project, path: &str, rank: Option<usize>, tokens: &[Token<'_>]) -> Vec<CompletionItem> {
    let mut out = Vec::new();
    let mut add = |label: String, detail: &str| {
        let mut i = item(&label, CompletionItemKind::ENUM_MEMBER, detail);
        i.sort_text = Some(format!("{:03}", out.len()));
        i.insert_text = Some(label);
        i.insert_text_format = Some(InsertTextFormat::PLAIN_TEXT);
        out.push(i);
    };
    let names: Vec<&str> = project.axes(path).iter().map(|b| b.name.text.as_str()).collect();
    if in_rule(tokens) {
        names.iter().for_each(|n| add(format!("largest({n})"), "the largest dim that the axis divides"));
        add("like params".into(), "as the parameter");
        add("_".into(), "not split");
    }
    let n = rank.unwrap_or(2).min(8);
    if n > 0 {
        for name in &names {
            for d in 0..n {
                let dims: Vec<&str> = (0..n).map(|i| if i == d { name } else { "_" }).collect();
                add(format!("[{}]", dims.join(", ")), &format!("dim {d} split over {name}"));
            }
        }
        add(format!("[{}]", vec!["_"; n].join(", ")), "not split");
    }
    out
}

fn fields(s: &Snapshot, base: (u32, u32)) -> Vec<CompletionItem> {
    let shown = s.shown(&s.path, base.0, base.1);
    let mut out = Vec::new();
    for (file, def) in shown.iter().filter_map(|t| s.project.structure(t)) {
        let source = s.project.file(&file).map_or("", |f| f.text.as_str());
        for f in &def.fields {
            let ty = source.get(f.ty.span.start as usize..f.ty.span.end as usize).unwrap_or("");
            out.push(item(&f.name.text, CompletionItemKind::FIELD, ty));
        }
    }
    out
}

fn types(project: &Project, path: &str) -> Vec<CompletionItem> {
    let named = DType::ALL.iter().map(|t| t.name()).chain(["float"]);
    let mut out: Vec<CompletionItem> = named.map(|t| item(t, CompletionItemKind::TYPE_PARAMETER, "")).collect();
    let own = project.visible(path).into_iter().filter(|v| matches!(v.2, Declared::Struct(_)));
    out.extend(own.map(|v| item(&v.0, CompletionItemKind::STRUCT, "")));
    let shared = Project::library().filter(|(_, d)| matches!(d, Declared::Struct(_)));
    out.extend(shared.map(|(file, d)| item(&d.name().text, CompletionItemKind::STRUCT, file)));
    out
}

fn imported(project: &Project, from: &str) -> Vec<CompletionItem> {
    let all = project.file(from).map(|f| crate::project::declarations(&f.tree)).into_iter().flatten();
    let shared = all.filter(|d| !matches!(d, Declared::Train(_) | Declared::Layout(_)));
    shared.map(|d| item(&d.name().text, kind(d), "")).collect()
}

fn kind(d: Declared<'_>) -> CompletionItemKind {
    match d {
        Declared::Function(_) | Declared::Train(_) => CompletionItemKind::FUNCTION,
        Declared::Struct(_) => CompletionItemKind::STRUCT,
        Declared::Constant(..) => CompletionItemKind::CONSTANT,
        Declared::Layout(_) => CompletionItemKind::ENUM_MEMBER,
    }
}

/// Names of arguments of the call around the cursor.
fn arguments(s: &Snapshot, head: &str) -> Vec<CompletionItem> {
    let before = head.trim_end();
    if !before.ends_with(['(', ',']) {
        return Vec::new();
    }
    let call = call_at(head, head.len());
    let params = call.and_then(|c| callable(s, &c.callee)).map_or(Vec::new(), |c| c.params);
    let one = |(name, written): &(String, String)| {
        let mut i = item(&format!("{name}:"), CompletionItemKind::PROPERTY, written);
        i.insert_text = Some(format!("{name}: "));
        i
    };
    params.iter().filter(|p| p.0.chars().all(|c| c.is_alphanumeric() || c == '_')).map(one).collect()
}

/// Variables, what the file declares, the library, primitives and keywords.
fn values(s: &Snapshot, found: &Mentions) -> Vec<CompletionItem> {
    let mut out: Vec<CompletionItem> = Vec::new();
    for (name, _) in found.scope.iter().rev() {
        if out.iter().all(|i| i.label != *name) {
            out.push(item(name, CompletionItemKind::VARIABLE, ""));
        }
    }
    let mut documented: BTreeMap<String, Cow<'static, [Documented]>> = BTreeMap::new();
    let library = Project::library().map(|(file, d)| (d.name().text.clone(), file.to_string(), d));
    let library = library.filter(|l| matches!(l.2, Declared::Function(_)));
    for (name, file, d) in s.project.visible(&s.path).into_iter().chain(library) {
        if name.ends_with(WORD) || matches!(d, Declared::Layout(_) | Declared::Train(_)) {
            continue;
        }
        let all = documented.entry(file.clone()).or_insert_with(|| reference::items(&s.project, &file));
        let i = item(&name, kind(d), "");
        out.push(match all.iter().find(|doc| doc.name == d.name().text) {
            Some(doc) => with_text(CompletionItem { detail: Some(doc.signature.clone()), ..i }, doc),
            None => i,
        });
    }
    for d in reference::all_primitives() {
        out.push(with_text(item(&d.name, CompletionItemKind::FUNCTION, &d.signature), d));
    }
    out.extend(
        s.project.axes(&s.path).iter().map(|b| item(&b.name.text, CompletionItemKind::ENUM_MEMBER, "axis of the mesh")),
    );
    out.extend(keywords(&STATEMENTS));
    out
}
