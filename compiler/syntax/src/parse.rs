//! Text to syntax tree. A file is first cut into items, at the keywords that start one, outside all brackets or at the
//! start of a line. Each item is parsed by itself, so that a mistake in one function leaves the others readable.

use crate::ast::*;
use crate::grammar::ItemParser;
use crate::token::{self, Comment, Spanned, Token};
use lalrpop_util::{ErrorRecovery, ParseError};
use meshloom_ir::{FileId, Span};
use meshloom_source::Diagnostic;

/// A parsed file. The tree is usable where there are errors too: what could not be read is an `Error` node.
pub struct Parsed<'a> {
    pub file: File,
    pub comments: Vec<Comment<'a>>,
    pub errors: Vec<Diagnostic>,
    /// What is no error, and probably not meant.
    pub warnings: Vec<Diagnostic>,
}

/// Largest source text, in bytes: some 60,000 lines, of which the tree, the comments and the formatted text take less than 1 GiB.
pub const MAX_SOURCE: usize = 2 << 20;

/// The most errors reported for one file.
const MAX_ERRORS: usize = 100;

/// So many errors that [`MAX_ERRORS`] of them are in different places: no more are described.
const ENOUGH: usize = 4 * MAX_ERRORS;

const RULE_ON_A_FIELD: &str =
    "`largest(axis)` and `like params` are for rules of `layout` blocks; here it is `@ [data, _]`";

/// Bytes before an error in which a habit is looked for.
const NEAR: usize = 1 << 10;

/// Parses a file. Never fails: the errors stand beside the tree.
pub fn parse(file: FileId, text: &str) -> Parsed<'_> {
    if text.len() > MAX_SOURCE {
        let error =
            Diagnostic::error("syntax", format!("the source has {} bytes; at most {MAX_SOURCE} are read", text.len()));
        return Parsed { file: File::default(), comments: Vec::new(), errors: vec![error], warnings: Vec::new() };
    }
    let lexed = token::lex(file, text);
    let mut cx = Cx { file, text, errors: lexed.errors, laid_out: Vec::new() };
    let mut items = Vec::new();
    let mut lexical: Vec<u32> = cx.errors.iter().filter_map(|e| Some(e.primary.as_ref()?.span.start)).collect();
    lexical.sort_unstable();
    // Where lines end: a line may have any number of items.
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    for chunk in chunks(text, &lexed.tokens) {
        // What the lexer left out makes the parser complain too; once is enough.
        let of_line = |at: usize| ends.get(ends.partition_point(|&e| e < at)).copied().unwrap_or(text.len());
        let end = chunk.last().map_or(0, |t| of_line(t.2));
        let first = lexical.partition_point(|&at| (at as usize) < chunk[0].0);
        let broken = lexical.get(first).is_some_and(|&at| at as usize <= end);
        if !starts_item(&chunk[0].1) {
            cx.stray(chunk);
            continue;
        }
        if !broken && let Some(error) = unbalanced(file, chunk) {
            cx.errors.push(error);
            continue;
        }
        let repaired = with_commas(&mut cx, chunk);
        let chunk = &repaired[..];
        let before = cx.errors.len();
        match ItemParser::new().parse(&mut cx, chunk.iter().map(|&t| Ok::<_, ()>(t))) {
            Ok(item) => items.push(item),
            Err(_) if broken => {}
            Err(error) => cx.errors.push(describe(file, text, error)),
        }
        for layout in std::mem::take(&mut cx.laid_out).into_iter().flat_map(|t| t.1).flatten() {
            let d = Diagnostic::error("layout", "this part of a tuple has no layout of its own").at(layout.span, "");
            cx.errors.push(d.help("parts of a function's result have layouts; others have them where they are made"));
        }
        if broken {
            cx.errors.truncate(before);
        }
        dedup_from(&mut cx.errors, before);
    }
    cx.errors.truncate(MAX_ERRORS);
    cx.errors.sort_by_key(|e| e.primary.as_ref().map_or(0, |l| l.span.start));
    let warnings = crate::floor::warnings(file, &lexed.tokens, &lexed.comments);
    Parsed { file: File { items }, comments: lexed.comments, errors: cx.errors, warnings }
}

fn starts_item(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::Mesh
            | Token::Dim
            | Token::Const
            | Token::Struct
            | Token::Fn
            | Token::Composite
            | Token::Train
            | Token::Entry
            | Token::Optimizer
            | Token::Layout
            | Token::Assert
            | Token::Import
    )
}

/// Cuts the tokens at item keywords. Each chunk but possibly the first starts with one.
fn chunks<'a, 'b>(text: &str, tokens: &'b [Spanned<'a>]) -> Vec<&'b [Spanned<'a>]> {
    let mut out = Vec::new();
    let (mut start, mut depth) = (0usize, 0usize);
    for (i, (at, token, _)) in tokens.iter().enumerate() {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => depth += 1,
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.saturating_sub(1),
            t if starts_item(t) => {
                let line_start = *at == 0 || text.as_bytes()[at - 1] == b'\n';
                // `composite fn`, `assert layout(..)`
                let second = i > 0 && matches!(tokens[i - 1].1, Token::Composite | Token::Assert);
                if (depth == 0 || line_start) && !second {
                    if i > start {
                        out.push(&tokens[start..i]);
                    }
                    (start, depth) = (i, 0);
                }
            }
            // Text that is no item, at the start of a line: no part of the item before it.
            t if depth == 0
                && i > start
                && (*at == 0 || text.as_bytes()[at - 1] == b'\n')
                && token::ends_statement(&tokens[i - 1].1)
                && token::starts_statement(t, text.as_bytes().get(tokens[i].2)) =>
            {
                out.push(&tokens[start..i]);
                start = i;
            }
            _ => {}
        }
    }
    if tokens.len() > start {
        out.push(&tokens[start..]);
    }
    out
}

/// The first bracket of an item that has no partner. Said before parsing, since the parser would complain far away.
fn unbalanced(file: FileId, tokens: &[Spanned<'_>]) -> Option<Diagnostic> {
    let closer = |t: &Token<'_>| match t {
        Token::LParen => Some(Token::RParen),
        Token::LBracket => Some(Token::RBracket),
        Token::LBrace => Some(Token::RBrace),
        _ => None,
    };
    let span = |t: &Spanned<'_>| Span::new(file, t.0, t.2);
    let mut open: Vec<&Spanned<'_>> = Vec::new();
    for t in tokens {
        if closer(&t.1).is_some() {
            open.push(t);
        } else if matches!(t.1, Token::RParen | Token::RBracket | Token::RBrace) {
            let Some(opener) = open.pop() else {
                return Some(
                    Diagnostic::error("bracket", format!("{} closes nothing", t.1))
                        .at(span(t), "no bracket is open here"),
                );
            };
            let wanted = closer(&opener.1)?;
            if wanted != t.1 {
                return Some(
                    Diagnostic::error("bracket", format!("expected {wanted}, found {}", t.1))
                        .at(span(t), format!("should be {wanted}"))
                        .also(span(opener), "to close this one"),
                );
            }
        }
    }
    let opener = open.pop()?;
    let wanted = closer(&opener.1)?;
    Some(
        Diagnostic::error("bracket", format!("{} is never closed", opener.1))
            .at(span(opener), format!("needs a {wanted}")),
    )
}

/// The tokens of a struct, with the commas that lack between fields, each of which is one error here and many in the parser,
/// and with `state` before a field as a token of its own. Other items as they are.
fn with_commas<'a>(cx: &mut Cx<'_>, chunk: &[Spanned<'a>]) -> Vec<Spanned<'a>> {
    let mut out: Vec<Spanned<'a>> = Vec::with_capacity(chunk.len());
    let mut depth = 0usize;
    for (i, t) in chunk.iter().enumerate() {
        let begins = |i: usize| {
            let next = chunk.get(i + 1).map(|t| &t.1);
            matches!(chunk.get(i), Some((_, Token::Ident(_), _))) && next == Some(&Token::Colon)
        };
        // Not a keyword: layout blocks have rules for `state`, and it is a common name.
        let state = t.1 == Token::Ident("state") && begins(i + 1);
        let after_state = matches!(out.last(), Some((_, Token::StateField, _)));
        if (state || begins(i) && !after_state)
            && depth == 1
            && chunk[0].1 == Token::Struct
            && let Some((_, last, end)) = out.last()
            && token::ends_statement(last)
        {
            let end = *end;
            cx.errors.push(
                Diagnostic::error("syntax", format!("expected `,` before the field {}", t.1))
                    .at(cx.span(t.0, t.2), "another field begins here")
                    .help("commas stand between the fields of a struct: `a: f32[n],`"),
            );
            out.push((end, Token::Comma, end));
        }
        match t.1 {
            Token::LBrace | Token::LBracket | Token::LParen => depth += 1,
            Token::RBrace | Token::RBracket | Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        let field = state && depth == 1 && chunk[0].1 == Token::Struct;
        out.push(if field { (t.0, Token::StateField, t.2) } else { *t });
    }
    out
}

/// Recovery can report the same place twice.
fn dedup_from(errors: &mut Vec<Diagnostic>, from: usize) {
    let mut tail = errors.split_off(from);
    tail.dedup_by(|a, b| a.primary == b.primary);
    errors.extend(tail);
}

fn describe(file: FileId, text: &str, error: ParseError<usize, Token<'_>, ()>) -> Diagnostic {
    match error {
        ParseError::UnrecognizedToken { token, expected } => unexpected(file, text, token, &expected),
        ParseError::ExtraToken { token } => unexpected(file, text, token, &[]),
        ParseError::UnrecognizedEof { location, expected } => {
            let at = Span::new(file, location.saturating_sub(1), location);
            let d = Diagnostic::error("syntax", "this item ends too early");
            match expectation(&expected) {
                Some(what) => d.at(at, format!("expected {what} after this")),
                None => d.at(at, "something is missing after this"),
            }
        }
        ParseError::InvalidToken { location } => {
            Diagnostic::error("syntax", "this cannot be read").at(Span::new(file, location, location + 1), "")
        }
        ParseError::User { error: () } => Diagnostic::error("syntax", "this cannot be read"),
    }
}

fn unexpected(file: FileId, text: &str, token: Spanned<'_>, expected: &[String]) -> Diagnostic {
    let span = Span::new(file, token.0, token.2);
    let what = expectation(expected);
    let message = match &what {
        Some(what) => format!("expected {what}, found {}", token.1),
        None => format!("{} cannot stand here", token.1),
    };
    let mut d = Diagnostic::error("syntax", message).at(span, "not expected here");
    let word = token.1.to_string();
    let word = word.trim_matches('`');
    if let Some(help) = habit(text, &token) {
        return d.help(help);
    }
    let statement = matches!(token.1, Token::Let | Token::For | Token::If | Token::Else | Token::In | Token::As);
    if token::KEYWORDS.contains(&word) && !statement && expected.iter().any(|e| e == "ident") {
        d = d.help(format!("`{word}` is a keyword and cannot be a name"));
    } else if token.1 == Token::Eq && expected.iter().any(|e| e == "\"==\"") {
        d = d.help("`==` compares; `name = value` stands on a line of its own");
    } else if matches!(token.1, Token::Ident(_) | Token::Int(_) | Token::Let) && expected.iter().any(|e| e == "newline")
    {
        d = d.help("statements stand on lines of their own, or with `;` between them");
    } else if matches!(expected, [only] if only == "\"(\"") {
        d = d.help(
            "a layout goes on only with `+ partial(axis)`; to add to a value with a layout: `(x @ [data, _]) + y`",
        );
    } else if expected.iter().any(|e| e == "\"else\"") {
        d = d.help("`if` is an expression here: it needs an `else { .. }` with the other value");
    }
    d
}

/// What people write by habit from other languages, and what it is here. The token is the one that was not expected.
fn habit(text: &str, token: &Spanned<'_>) -> Option<&'static str> {
    // Habits show close by; a statement without end is not read again for each of its errors.
    let near = token.0.saturating_sub(NEAR)..token.0;
    let start = near.clone().find(|&i| text.is_char_boundary(i)).unwrap_or(token.0);
    let before = text.get(start..token.0).unwrap_or("").trim_end();
    let last_word = |s: &str| s.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_string();
    let word = last_word(before);
    // `return relu` could have been `state name: ..` until the next token came.
    let before_that = last_word(before.strip_suffix(word.as_str()).unwrap_or("").trim_end());
    Some(match (word.as_str(), &token.1) {
        _ if before_that == "return" => "the last expression of a function is its value; there is no `return`",
        (_, Token::Dim) if before.ends_with([',', '(']) => "`dim` is a keyword; the parameter is called `dims`",
        ("return", _) => "the last expression of a function is its value; there is no `return`",
        ("mut", _) => "any variable can be given a new value: `let x = ..`, and then `x = ..`",
        ("not", _) => "`!x` negates a bool",
        (_, Token::Ident("and" | "or")) => "of bools: `a && b`, `a || b`",
        (_, Token::If) if !word.is_empty() => {
            "of constants `if c { a } else { b }`; element by element `select(c, a, b)`"
        }
        (_, Token::Colon) if ["if", "else", "for", "while"].contains(&first_word(before)) => {
            "blocks stand in braces: `if c { .. } else { .. }`, `for x in xs { .. }`"
        }
        (_, Token::Comma) if first_word(before) == "let" && !last_line(before).contains('=') => {
            "several names stand in parentheses: `let (a, b) = ..`"
        }
        (_, Token::Star) if before.ends_with('*') => "a power is `pow(x, 2)`",
        (_, Token::Eq) if before.ends_with(['+', '-', '*', '/']) => "write it out: `x = x + ..`",
        (_, Token::Slash) if before.ends_with('/') => "whole numbers divide with `/`",
        (_, Token::Colon) if before.ends_with(':') => "slices have no step: `x[a:b]`",
        (_, Token::Str(_)) if before.ends_with(['[', ',', '(']) && before.contains('@') => {
            "axes are written without quotes: `@ [data, _]`"
        }
        (_, Token::Ident("largest" | "like")) if before.ends_with('@') => RULE_ON_A_FIELD,
        ("like", Token::Ident("params")) => RULE_ON_A_FIELD,
        (_, Token::Ident(_) | Token::LParen) if before.ends_with('@') => {
            "`@` gives a layout, `x @ [data, _]`; the product of matrices is `dot(x, w)`"
        }
        _ => return None,
    })
}

/// `layers.block`; also what only others have: `x.sum`, `torch.nn.relu`.
fn dotted(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Name(n) => Some(n.clone()),
        ExprKind::Field { base, field } => Some(format!("{}.{}", dotted(base)?, field.text)),
        _ => None,
    }
}

fn last_line(before: &str) -> &str {
    before.rsplit(['\n', ';', '{']).next().unwrap_or("").trim()
}

/// With which word the statement begins.
fn first_word(before: &str) -> &str {
    last_line(before).split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
}

/// The tokens that could have stood there, in words.
fn expectation(expected: &[String]) -> Option<String> {
    let has = |t: &str| expected.iter().any(|e| e == t);
    let mut words: Vec<String> = Vec::new();
    let expression = has("ident") && has("int") && has("\"(\"");
    if expression {
        words.push("an expression".into());
    } else if has("ident") {
        words.push("a name".into());
    }
    if has("newline") {
        words.push("the end of the statement".into());
    }
    let operators = ["+", "-", "*", "/", "==", "!=", "<=", ">=", "&&", "||", "<", ">", ".", "as", "@", ";", "!"];
    let starters = ["(", "[", "if", "true", "false", "let", "for", "while", "manual"];
    for e in expected {
        let Some(t) = e.strip_prefix('"').and_then(|e| e.strip_suffix('"')) else { continue };
        let part_of_expression = expression && starters.contains(&t);
        if !operators.contains(&t) && !part_of_expression {
            words.push(format!("`{t}`"));
        }
    }
    if words.is_empty() {
        let t = expected.first()?;
        return Some(t.replace('"', "`"));
    }
    if words.len() > 5 {
        return None;
    }
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) })
}

/// What the grammar's actions share.
pub struct Cx<'a> {
    pub file: FileId,
    pub text: &'a str,
    pub errors: Vec<Diagnostic>,
    /// Tuple types of the item that have layouts on their parts. That of a result takes its own; nothing else has them.
    pub laid_out: Vec<(Span, Vec<Option<LayoutExpr>>)>,
}

/// Everything of a function but its body.
pub struct Signature {
    pub name: Name,
    pub generics: Vec<Name>,
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub result_layout: Option<LayoutExpr>,
}

impl Cx<'_> {
    pub fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start, end.max(start))
    }

    pub fn recovered(&mut self, e: ErrorRecovery<usize, Token<'_>, ()>) {
        // Recovery can go on for each of a million tokens.
        if self.errors.len() >= ENOUGH {
            return;
        }
        let error = describe(self.file, self.text, e.error);
        self.errors.push(error);
    }

    /// Tokens before the first item, or after a stray bracket.
    fn stray(&mut self, chunk: &[Spanned<'_>]) {
        let (start, token, end) = chunk[0];
        let habit = match token {
            Token::Ident("def" | "function" | "func" | "async") => Some("functions are declared with `fn`"),
            Token::Ident("class") => Some("the tensors of a model stand in a `struct`, what it computes in functions"),
            Token::Ident("from") => Some("names of another file: `import block from \"layers.loom\"`"),
            _ => None,
        };
        let error = Diagnostic::error("item", format!("expected an item, found {token}")).at(self.span(start, end), "");
        self.errors.push(error.help(habit.unwrap_or(
            "items start with `mesh`, `dim`, `const`, `struct`, `fn`, `composite fn`, `train`, `entry`, `optimizer`, `layout`, \
             `assert` or `import`",
        )));
    }

    pub fn function(&mut self, kind: FnKind, s: Signature, body: Block, rule: Option<GradientRule>) -> ItemKind {
        let Signature { name, generics, params, result, result_layout } = s;
        let own = self.laid_out.iter().position(|t| result.as_ref().is_some_and(|r| r.span == t.0));
        let part_layouts = own.map(|i| self.laid_out.remove(i).1).unwrap_or_default();
        ItemKind::Fn(FnDef { kind, name, generics, params, result, result_layout, part_layouts, body, rule })
    }

    /// `(f32[n] @ [data], f32)`
    pub fn tuple_type(&mut self, l: usize, r: usize, parts: Vec<(Type, Option<LayoutExpr>)>) -> TypeKind {
        let (types, layouts): (Vec<Type>, Vec<Option<LayoutExpr>>) = parts.into_iter().unzip();
        if layouts.iter().any(Option::is_some) {
            self.laid_out.push((self.span(l, r), layouts));
        }
        TypeKind::Tuple(types)
    }

    /// `gradient(y, dy) { .. }` behind a function's body.
    pub fn rule(&mut self, word: Name, names: Vec<Name>, body: Block) -> Option<GradientRule> {
        if word.text != "gradient" {
            let d = Diagnostic::error("syntax", format!("expected the next item, found `{}`", word.text));
            self.errors.push(
                d.at(word.span, "not expected here")
                    .help("behind the body of a function can stand `gradient(dy) { .. }`, its own gradient"),
            );
            return None;
        }
        if names.is_empty() || names.len() > 2 {
            let d = Diagnostic::error("syntax", format!("a gradient takes one or two names, found {}", names.len()));
            self.errors.push(
                d.at(word.span, "")
                    .help("`gradient(dy)` names the cotangent of the result, `gradient(y, dy)` the result too"),
            );
            return None;
        }
        Some(GradientRule { names, body })
    }

    #[allow(clippy::too_many_arguments)] // positions come one by one from the grammar
    pub fn field(
        &mut self,
        l: usize,
        r: usize,
        state: bool,
        name: Name,
        ty: Type,
        placed: Option<Placed>,
        init: Option<Expr>,
    ) -> Field {
        let (layout, stages) = match placed {
            None => (None, None),
            Some(Placed::Layout(layout)) => (Some(layout), None),
            Some(Placed::Stages(s)) if s.axis.text == "largest" => {
                self.errors.push(
                    Diagnostic::error("syntax", "expected a layout, found `largest`")
                        .at(s.axis.span, "not expected here")
                        .help(RULE_ON_A_FIELD),
                );
                (None, None)
            }
            Some(Placed::Stages(stages)) => (None, Some(stages)),
        };
        Field { span: self.span(l, r), name, ty, state, layout, stages, init }
    }

    pub fn state(&mut self, what: Name, name: Name, ty: Type, init: Expr) -> StmtKind {
        if what.text == "state" {
            return StmtKind::State { name, ty, init };
        }
        self.errors.push(
            Diagnostic::error("syntax", format!("`{}` begins no statement", what.text))
                .at(what.span, "before a name and its type")
                .help("`let x: f32 = ..` makes a variable; `state m: float[..] = zeros` what an optimizer keeps"),
        );
        StmtKind::Error
    }

    pub fn block(&self, stmts: Vec<Stmt>, l: usize, r: usize) -> Block {
        let depth = stmts.iter().map(Stmt::depth).max().unwrap_or(0) + 1;
        Block { span: self.span(l, r), stmts, depth }
    }

    /// An expression node; one that is too deep becomes an error.
    pub fn expr(&mut self, l: usize, r: usize, kind: ExprKind) -> Expr {
        let span = self.span(l, r);
        let depth = kind.children_depth() + 1;
        if depth > MAX_DEPTH {
            // Said once: the rest of it would be cut into more parts that are all too deep.
            if !self.errors.iter().any(|e| e.code == "too-deep") {
                self.errors.push(
                    Diagnostic::error("too-deep", format!("this expression is nested more than {MAX_DEPTH} deep"))
                        .at(span, "")
                        .help("give a part of it a name with `let`"),
                );
            }
            return Expr { span, depth: 1, kind: ExprKind::Error };
        }
        Expr { span, depth, kind }
    }

    #[allow(clippy::too_many_arguments)] // positions come one by one from the grammar
    pub fn binary(&mut self, l: usize, r: usize, left: Expr, op: BinaryOp, ol: usize, or: usize, right: Expr) -> Expr {
        let op_span = self.span(ol, or);
        self.expr(l, r, ExprKind::Binary { op, op_span, left: Box::new(left), right: Box::new(right) })
    }

    /// `-operand`. The least i64 has no positive counterpart: [`Self::int`] refuses its digits, and a minus before them makes
    /// them a number.
    pub fn negative(&mut self, l: usize, r: usize, operand: Expr) -> Expr {
        if operand.kind == ExprKind::Int(i64::MIN) {
            let (refused, digits) = (self.errors.len(), operand.span);
            self.errors.retain(|e| e.code != "literal" || e.primary.as_ref().is_none_or(|p| p.span != digits));
            if self.errors.len() < refused {
                return self.expr(l, r, ExprKind::Int(i64::MIN));
            }
        }
        self.expr(l, r, ExprKind::Unary { op: UnaryOp::Neg, operand: Box::new(operand) })
    }

    pub fn int(&mut self, l: usize, r: usize, text: &str) -> Expr {
        let number = text.replace('_', "").parse::<u64>().ok();
        if let Some(n) = number.and_then(|n| i64::try_from(n).ok()) {
            return self.expr(l, r, ExprKind::Int(n));
        }
        self.errors.push(
            Diagnostic::error("literal", format!("`{text}` is too large for an integer"))
                .at(self.span(l, r), format!("at most {}", i64::MAX)),
        );
        let least = number == Some(i64::MIN.unsigned_abs());
        self.expr(l, r, if least { ExprKind::Int(i64::MIN) } else { ExprKind::Error })
    }

    /// `[first..end]` or `[first]` behind a list, whose path has `list` parts. Numbers that are too large are those of no layer.
    pub fn layers_of(&self, span: Span, list: usize, first: &str, end: Option<&str>) -> LayersOf {
        let number = |text: &str| text.replace('_', "").parse().unwrap_or(u64::MAX);
        let first: u64 = number(first);
        LayersOf { span, list, first, end: end.map_or(first.saturating_add(1), number) }
    }

    pub fn float(&mut self, l: usize, r: usize, text: &str) -> Expr {
        match text.replace('_', "").parse::<f64>() {
            Ok(x) if x.is_finite() => self.expr(l, r, ExprKind::Float(x)),
            _ => {
                self.errors.push(
                    Diagnostic::error("literal", format!("`{text}` is too large for a number"))
                        .at(self.span(l, r), "not a finite f64"),
                );
                self.expr(l, r, ExprKind::Error)
            }
        }
    }

    /// A call: of a function by its name, or by its file's and its own.
    pub fn call(&mut self, l: usize, r: usize, mut callee: Expr, args: Vec<Arg>) -> Expr {
        if let ExprKind::Call { .. } = callee.kind {
            let ExprKind::Call { callee: name, args: settings } = std::mem::replace(&mut callee.kind, ExprKind::Error)
            else {
                return callee;
            };
            if TRANSFORMS.contains(&name.text.as_str()) {
                return self.expr(l, r, ExprKind::Apply { callee: name, settings, args });
            }
            return self.not_called(l, r, callee.span);
        }
        if let ExprKind::Error = callee.kind {
            return callee;
        }
        match dotted(&callee) {
            Some(text) => self.expr(l, r, ExprKind::Call { callee: Name { text, span: callee.span }, args }),
            None => self.not_called(l, r, callee.span),
        }
    }

    fn not_called(&mut self, l: usize, r: usize, callee: Span) -> Expr {
        self.errors.push(
            Diagnostic::error("syntax", "only functions are called, by their names")
                .at(callee, "this is a value")
                .help("rows are taken with brackets: `x[rows]`; a statement of its own begins on a line of its own, or after `;`"),
        );
        self.expr(l, r, ExprKind::Error)
    }

    /// `import a, b from "file.loom"`
    pub fn import(&mut self, names: Vec<ImportName>, from: Name, path: Name) -> ItemKind {
        if from.text != "from" {
            self.errors.push(
                Diagnostic::error("syntax", format!("expected `from`, found `{}`", from.text))
                    .at(from.span, "")
                    .help("such as `import block, Block from \"layers.loom\"`"),
            );
        }
        ItemKind::Import(Import { path, what: Imported::Names(names) })
    }

    /// `while condition { .. }`, `while condition, at_most: 100 { .. }`
    pub fn while_loop(&mut self, condition: Expr, most: Option<(Name, Expr)>, body: Block) -> StmtKind {
        if let Some((word, _)) = most.as_ref().filter(|(word, _)| word.text != "at_most") {
            self.errors.push(
                Diagnostic::error("syntax", format!("expected `at_most`, found `{}`", word.text))
                    .at(word.span, "")
                    .help("a `while` may have a limit to its iterations: `while x > 1, at_most: 100 { .. }`"),
            );
        }
        StmtKind::While { condition, most: most.map(|m| m.1), body }
    }

    pub fn partial(&mut self, what: Name, axis: Name, reduction: Option<Name>) -> Partial {
        if what.text != "partial" {
            self.errors.push(
                Diagnostic::error("syntax", format!("expected `partial`, found `{}`", what.text))
                    .at(what.span, "a layout goes on only with `+ partial(axis)`")
                    .help("to add to a value with a layout, put it in parentheses: `(x @ [data, _]) + y`"),
            );
        }
        Partial { axis, reduction }
    }

    pub fn largest(&mut self, what: Name, axis: Name, l: usize, r: usize) -> LayoutExpr {
        if what.text != "largest" {
            self.errors.push(self.bad_rule(&what));
        }
        LayoutExpr { span: self.span(l, r), kind: LayoutKind::Largest(axis) }
    }

    pub fn like(&mut self, what: Name, of: Name, l: usize, r: usize) -> LayoutExpr {
        if what.text != "like" || of.text != "params" {
            self.errors.push(self.bad_rule(&what));
        }
        LayoutExpr { span: self.span(l, r), kind: LayoutKind::Like(of) }
    }

    /// `no kind(axis) in scope`
    pub fn absent(&mut self, no: Name, kind: Name, axis: Option<Name>, scope: Option<Name>) -> Assertion {
        if no.text != "no" {
            self.errors.push(
                Diagnostic::error("syntax", format!("expected `no`, found `{}`", no.text))
                    .at(no.span, "")
                    .help("such as `assert no all_gather in block`, `assert wire_bytes(model) <= 3 MiB`"),
            );
        }
        Assertion::Absent { kind, axis, scope }
    }

    fn bad_rule(&self, what: &Name) -> Diagnostic {
        Diagnostic::error("syntax", format!("`{}` is not a layout", what.text))
            .at(what.span, "")
            .help("a rule gives `[data, _]`, `largest(data)` or `like params`")
    }
}

impl Stmt {
    fn depth(&self) -> u16 {
        match &self.kind {
            StmtKind::Let { value, .. } | StmtKind::Assign { value, .. } => value.depth,
            StmtKind::AssignField { base, value, .. } => base.depth.max(value.depth),
            StmtKind::For { over, until, body, .. } => {
                body.depth.max(over.depth).max(until.as_ref().map_or(0, |e| e.depth))
            }
            StmtKind::While { condition, most, body } => {
                body.depth.max(condition.depth).max(most.as_ref().map_or(0, |m| m.depth))
            }
            StmtKind::Expr(e) | StmtKind::State { init: e, .. } => e.depth,
            StmtKind::Error => 0,
        }
    }
}

impl ExprKind {
    fn children_depth(&self) -> u16 {
        let max = |it: &mut dyn Iterator<Item = u16>| it.max().unwrap_or(0);
        match self {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Name(_)
            | ExprKind::Error => 0,
            ExprKind::Tuple(v) | ExprKind::List(v) => max(&mut v.iter().map(|e| e.depth)),
            ExprKind::Field { base, .. } => base.depth,
            ExprKind::Index { base, items } => base.depth.max(max(&mut items.iter().map(|i| match i {
                IndexItem::At(e) => e.depth,
                IndexItem::Slice { start, end, .. } => {
                    start.as_ref().map_or(0, |e| e.depth).max(end.as_ref().map_or(0, |e| e.depth))
                }
            }))),
            ExprKind::Call { args, .. } => max(&mut args.iter().map(|a| a.value.depth)),
            ExprKind::Apply { settings, args, .. } => max(&mut settings.iter().chain(args).map(|a| a.value.depth)),
            ExprKind::Unary { operand: e, .. }
            | ExprKind::Cast { value: e, .. }
            | ExprKind::Constrain { value: e, .. }
            | ExprKind::Measured { value: e, .. }
            | ExprKind::Paren(e) => e.depth,
            ExprKind::Binary { left, right, .. } => left.depth.max(right.depth),
            ExprKind::Manual(m) => max(&mut m.inputs.iter().map(|i| i.value.depth)).max(m.body.depth),
            ExprKind::If { condition, then, otherwise } => condition.depth.max(then.depth).max(otherwise.depth),
        }
    }
}
