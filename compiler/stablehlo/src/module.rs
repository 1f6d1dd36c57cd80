//! A module as functions of ops. Where an op ends and the next begins is all that is decided here: an op begins with its
//! results (`%0, %1 =` or `%0:2 =`), with a quoted name before operands (the generic form), or with a dotted name.

use crate::lexer::Token;
use crate::tree::{Tree, setting, wrong};
use meshloom_ir::Span;
use meshloom_source::Diagnostic;
use std::collections::BTreeSet;

/// An op with everything that is written about it.
#[derive(Clone, Debug)]
pub struct TextOp<'s> {
    /// With its dialect: `stablehlo.add`, `func.return`.
    pub name: &'s str,
    /// Names of its results, `%0`, or `%0#1` of several under one name.
    pub results: Vec<String>,
    /// What stands between the name and the colon before the types.
    pub items: &'s [Tree<'s>],
    /// What stands after that colon, up to the regions that some ops have there.
    pub types: &'s [Tree<'s>],
    /// What stands after the types.
    pub rest: &'s [Tree<'s>],
    /// Without its location.
    pub span: Span,
    /// What stands in `loc(..)` behind it.
    pub loc: Option<&'s [Tree<'s>]>,
}

#[derive(Clone, Debug)]
pub struct Function<'s> {
    /// Without `@` and quotes.
    pub name: &'s str,
    pub params: &'s [Tree<'s>],
    pub results: &'s [Tree<'s>],
    /// Attributes of parameters and results where they stand apart, as in the generic form: `{..}, {..}`.
    pub arg_attrs: &'s [Tree<'s>],
    pub result_attrs: &'s [Tree<'s>],
    pub body: Vec<TextOp<'s>>,
    pub span: Span,
}

/// A mesh of sdy: its name and axes with sizes.
#[derive(Clone, Debug)]
pub struct MeshDecl<'s> {
    pub name: &'s str,
    pub trees: &'s [Tree<'s>],
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Module<'s> {
    pub meshes: Vec<MeshDecl<'s>>,
    pub functions: Vec<Function<'s>>,
    /// `#loc3 = loc(..)`: what an alias stands for.
    pub aliases: Vec<(&'s str, &'s [Tree<'s>])>,
    /// What stands between `{-#` and `#-}`: the bytes of large constants.
    pub resources: &'s [Tree<'s>],
}

/// The name in `@main`, or `@"main.1"`.
pub fn symbol(text: &str) -> &str {
    text.trim_start_matches('@').trim_matches('"')
}

/// Reads the functions of a text; all mistakes that do not hide each other.
///
/// # Errors
/// What is not a module of functions.
pub fn module<'s>(trees: &'s [Tree<'s>]) -> Result<Module<'s>, Vec<Diagnostic>> {
    let mut out = Module::default();
    let mut errors = Vec::new();
    let mut at = 0;
    while let Some(t) = trees.get(at) {
        at += 1;
        let generic = t.leaf(Token::Str).map(|s| s.trim_matches('"'));
        match t.leaf(Token::Word).or(generic) {
            // `"builtin.module"() ({..}) : () -> ()`
            Some("builtin.module") if generic.is_some() => {
                let end = (at..trees.len()).find(|&i| trees[i].leaf(Token::Hash).is_some());
                let end = end.unwrap_or(trees.len());
                let body = trees[at..end].iter().find_map(|t| t.group(b'(')?.iter().find_map(|t| t.group(b'{')));
                match body {
                    Some(body) => items(unlabelled(body), &mut out, &mut errors),
                    None => errors.push(*wrong(t.span(), "this module has no body")),
                }
                out.resources = resources(&trees[at..]);
                aliases(&trees[end..], &mut out);
                at = trees.len();
            }
            Some("module" | "builtin.module") => {
                let is_body = |t: &Tree<'s>| t.group(b'{').is_some_and(|g| !is_resources(g));
                let Some(i) = trees[at..].iter().rposition(is_body) else {
                    errors.push(*wrong(t.span(), "this module has no body"));
                    continue;
                };
                if let Some(body) = trees[at + i].group(b'{') {
                    items(body, &mut out, &mut errors);
                }
                let after = &trees[at + i + 1..];
                out.resources = resources(after);
                aliases(
                    after.iter().position(|t| t.leaf(Token::Hash).is_some()).map_or(&[], |i| &after[i..]),
                    &mut out,
                );
                at = trees.len();
            }
            Some("func.func" | "sdy.mesh") => {
                items(&trees[at - 1..], &mut out, &mut errors);
                at = trees.len();
            }
            _ => at = aliases(&trees[at - 1..], &mut out).max(1) + at - 1,
        }
    }
    let mut names = BTreeSet::new();
    for again in out.functions.iter().filter(|f| !names.insert(f.name)) {
        let help = "a file holds one module; write the others to files of their own";
        errors.push((*wrong(again.span, format!("a function `@{}` stands above already", again.name))).help(help));
    }
    if errors.is_empty() && out.functions.is_empty() {
        let span = trees.first().map_or(Span::default(), Tree::span);
        errors.push(
            (*wrong(span, "the text holds no function")).help("expected `module { func.func public @main(..) .. }`"),
        );
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Alias definitions at the start of `trees`; how many trees they are.
fn aliases<'s>(trees: &'s [Tree<'s>], out: &mut Module<'s>) -> usize {
    let mut at = 0;
    while let Some(name) = trees.get(at).and_then(|t| t.leaf(Token::Hash)) {
        if trees.get(at + 1).and_then(|t| t.leaf(Token::Equals)).is_none() {
            break;
        }
        let start = at + 2;
        let end = (start..trees.len()).find(|&i| {
            let next = trees.get(i + 1).and_then(|t| t.leaf(Token::Equals)).is_some();
            (next && trees[i].leaf(Token::Hash).is_some()) || begins_module(&trees[i])
        });
        let end = end.unwrap_or(trees.len());
        out.aliases.push((name, &trees[start..end]));
        at = end;
    }
    at
}

/// Whether a module begins here, or what stands in one.
fn begins_module(t: &Tree<'_>) -> bool {
    let words = ["module", "builtin.module", "func.func", "sdy.mesh"];
    let generic = t.leaf(Token::Str).map(|s| s.trim_matches('"'));
    words.iter().any(|w| t.is_word(w)) || matches!(generic, Some("builtin.module"))
}

fn is_resources(trees: &[Tree<'_>]) -> bool {
    trees.first().is_some_and(|t| t.is_word("dialect_resources") || t.is_word("external_resources"))
}

fn resources<'s>(trees: &'s [Tree<'s>]) -> &'s [Tree<'s>] {
    trees.iter().filter_map(|t| t.group(b'{')).find(|g| is_resources(g)).unwrap_or_default()
}

/// A region without `^bb0:`.
fn unlabelled<'s>(trees: &'s [Tree<'s>]) -> &'s [Tree<'s>] {
    match trees {
        [label, colon, rest @ ..] if label.leaf(Token::Block).is_some() && colon.leaf(Token::Colon).is_some() => rest,
        all => all,
    }
}

/// The items of a module's body.
fn items<'s>(trees: &'s [Tree<'s>], out: &mut Module<'s>, errors: &mut Vec<Diagnostic>) {
    let generic = |t: &Tree<'_>| t.leaf(Token::Str).is_some_and(|s| matches!(s, "\"func.func\"" | "\"sdy.mesh\""));
    let starts = |t: &Tree<'_>| t.is_word("func.func") || t.is_word("sdy.mesh") || generic(t);
    let mut at = 0;
    while at < trees.len() {
        let end = (at + 1..trees.len()).find(|&i| starts(&trees[i])).unwrap_or(trees.len());
        let item = &trees[at..end];
        let span = item[0].span();
        if item[0].is_word("func.func") {
            match function(item, span) {
                Ok(f) => out.functions.push(f),
                Err(e) => errors.push(*e),
            }
        } else if item[0].leaf(Token::Str) == Some("\"func.func\"") {
            match generic_function(item, span) {
                Ok(f) => out.functions.push(f),
                Err(e) => errors.push(*e),
            }
        } else if item[0].leaf(Token::Str) == Some("\"sdy.mesh\"") {
            // `<{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()`
            let inside = item.iter().find_map(|t| t.group(b'<')?.iter().find_map(|t| t.group(b'{')));
            let of = |name| setting(inside.unwrap_or_default(), name);
            let name = of("sym_name").and_then(|t| t.first()?.leaf(Token::Str)).unwrap_or("mesh");
            match of("mesh").and_then(|t| t.iter().find_map(|t| t.group(b'<'))) {
                Some(trees) => out.meshes.push(MeshDecl { name: symbol(name), trees, span }),
                None => errors.push(*wrong(span, "this mesh has no axes")),
            }
        } else if item[0].is_word("sdy.mesh") {
            let name = symbol(item.iter().find_map(|t| t.leaf(Token::Symbol)).unwrap_or("@mesh"));
            match item.iter().find_map(|t| t.group(b'<')) {
                Some(trees) => out.meshes.push(MeshDecl { name, trees, span }),
                None => errors.push(*wrong(span, "this mesh has no axes")),
            }
        } else {
            errors.push(
                (*wrong(span, "this is neither a function nor a mesh"))
                    .help("a module of `func.func` in pretty form is what JAX prints with `as_text()`"),
            );
        }
        at = end;
    }
}

fn function<'s>(item: &'s [Tree<'s>], span: Span) -> Result<Function<'s>, Box<Diagnostic>> {
    let name = item.iter().find_map(|t| t.leaf(Token::Symbol));
    let Some(name) = name else { return Err(wrong(span, "this function has no name")) };
    let Some(p) = item.iter().position(|t| t.group(b'(').is_some()) else {
        return Err(wrong(span, format!("function `{name}` has no parameters")));
    };
    let params = item[p].group(b'(').unwrap_or_default();
    let Some(b) = item[p + 1..].iter().rposition(|t| t.group(b'{').is_some()).map(|i| i + p + 1) else {
        return Err(wrong(span, format!("function `{name}` has no body")));
    };
    let results = match item[p + 1..b].iter().position(|t| t.leaf(Token::Arrow).is_some()) {
        None => &[][..],
        Some(i) => match item.get(p + i + 2) {
            Some(t) if t.group(b'(').is_some() => t.group(b'(').unwrap_or_default(),
            Some(_) => &item[p + i + 2..p + i + 3],
            None => &[][..],
        },
    };
    let body = ops(item[b].group(b'{').unwrap_or_default())?;
    let none: &[Tree<'s>] = &[];
    Ok(Function { name: symbol(name), params, results, arg_attrs: none, result_attrs: none, body, span })
}

/// `"func.func"() <{sym_name = "main", arg_attrs = [{..}], ..}> ({^bb0(%arg0: tensor<..>): ..}) : () -> ()`
fn generic_function<'s>(item: &'s [Tree<'s>], span: Span) -> Result<Function<'s>, Box<Diagnostic>> {
    let own = item.iter().find_map(|t| match t {
        Tree::Group(g) if g.open == b'<' => g.trees.iter().find_map(|t| t.group(b'{')),
        Tree::Group(g) if g.open == b'{' => Some(&g.trees[..]),
        _ => None,
    });
    let own = own.unwrap_or_default();
    let of = |name| setting(own, name);
    let name = of("sym_name").and_then(|t| t.first()?.leaf(Token::Str));
    let Some(name) = name else { return Err(wrong(span, "this function has no name")) };
    let body = item.iter().find_map(|t| t.group(b'(')?.iter().find_map(|t| t.group(b'{')));
    let Some(body) = body else { return Err(wrong(span, format!("function `@{}` has no body", symbol(name)))) };
    let (params, body) = match body {
        [label, list, colon, rest @ ..] if label.leaf(Token::Block).is_some() && colon.leaf(Token::Colon).is_some() => {
            (list.group(b'(').unwrap_or_default(), rest)
        }
        all => (&[][..], unlabelled(all)),
    };
    let ty = of("function_type").unwrap_or_default();
    let results = match ty.iter().position(|t| t.leaf(Token::Arrow).is_some()) {
        Some(i) => ty.get(i + 1).and_then(|t| t.group(b'(')).unwrap_or(&ty[(i + 1).min(ty.len())..]),
        None => &[],
    };
    let list = |name| of(name).and_then(|t| t.first()?.group(b'[')).unwrap_or_default();
    let (arg_attrs, result_attrs) = (list("arg_attrs"), list("res_attrs"));
    Ok(Function { name: symbol(name), params, results, arg_attrs, result_attrs, body: ops(body)?, span })
}

/// The ops of a region.
///
/// # Errors
/// What is no op.
pub fn ops<'s>(mut trees: &'s [Tree<'s>]) -> Result<Vec<TextOp<'s>>, Box<Diagnostic>> {
    let mut out = Vec::new();
    while !trees.is_empty() {
        let end = (1..trees.len()).find(|&i| begins(trees, i)).unwrap_or(trees.len());
        out.push(op(&trees[..end])?);
        trees = &trees[end..];
    }
    Ok(out)
}

/// Whether an op begins at `i`, given that one has begun before.
fn begins(trees: &[Tree<'_>], i: usize) -> bool {
    let token = |i: usize| match trees.get(i) {
        Some(Tree::Leaf(l)) => Some(l.token),
        _ => None,
    };
    match &trees[i] {
        Tree::Group(_) => false,
        Tree::Leaf(l) => match l.token {
            Token::Value => {
                // `%0, %1 =` begins one; in `add %0, %1` no equals sign follows.
                let first = token(i - 1) != Some(Token::Comma);
                first && results_end(trees, i).is_some()
            }
            // An op without results; after an equals sign it is the op whose results stand before it.
            Token::Str => {
                let generic = trees.get(i + 1).is_some_and(|t| t.group(b'(').is_some());
                generic && token(i - 1) != Some(Token::Equals)
            }
            Token::Word => {
                let named = l.text.contains('.') || matches!(l.text, "return" | "call");
                let told = trees[i - 1].is_word("applies");
                // `sdy.sharding = ..` would be an attribute; those stand in braces.
                named && !told && token(i - 1) != Some(Token::Equals) && token(i + 1) != Some(Token::Equals)
            }
            _ => false,
        },
    }
}

/// Where the equals sign after a list of results that begins at `i` stands.
fn results_end(trees: &[Tree<'_>], i: usize) -> Option<usize> {
    let leaf = |i: usize, token| trees.get(i).and_then(|t| t.leaf(token));
    let mut at = i;
    loop {
        leaf(at, Token::Value)?;
        at += 1;
        if leaf(at, Token::Colon).is_some() {
            leaf(at + 1, Token::Int)?;
            at += 2;
        }
        if leaf(at, Token::Equals).is_some() {
            return Some(at);
        }
        leaf(at, Token::Comma)?;
        at += 1;
    }
}

fn op<'s>(trees: &'s [Tree<'s>]) -> Result<TextOp<'s>, Box<Diagnostic>> {
    let first = trees[0].span();
    let (trees, loc) = match trees {
        [op @ .., word, inside] if !op.is_empty() && word.is_word("loc") => (op, inside.group(b'(')),
        all => (all, None),
    };
    let last = trees[trees.len() - 1].span();
    let span = Span { end: last.end, ..first };
    let (results, at) = match results_end(trees, 0) {
        Some(end) => (results(&trees[..end]), end + 1),
        None => (Vec::new(), 0),
    };
    let name = match trees.get(at) {
        Some(t) => t.leaf(Token::Word).or_else(|| t.leaf(Token::Str).map(|s| s.trim_matches('"'))),
        None => None,
    };
    let Some(name) = name else { return Err(wrong(first, "expected an operation here")) };
    let items = &trees[at + 1..];
    // Types come after the last colon of the op itself; what stands behind them are regions.
    let colon = items.iter().position(|t| t.leaf(Token::Colon).is_some());
    let (items, types) = match colon {
        Some(c) => (&items[..c], &items[c + 1..]),
        None => (items, &[][..]),
    };
    let typed = |t: &Tree<'_>| match t {
        Tree::Leaf(l) => matches!(l.token, Token::Tensor | Token::Arrow | Token::Comma | Token::Dialect),
        Tree::Group(g) => g.open == b'(' || g.open == b'<',
    };
    let mut end = types.iter().position(|t| !typed(t)).unwrap_or(types.len());
    // `: (tensor<..>) -> tensor<..> reducer(..) (..) {..}`: groups after the word are not types.
    if colon.is_none() {
        end = 0;
    }
    let (types, rest) = types.split_at(end);
    Ok(TextOp { name, results, items, types, rest, span, loc })
}

fn results(trees: &[Tree<'_>]) -> Vec<String> {
    let mut out = Vec::new();
    for (i, t) in trees.iter().enumerate() {
        let Some(name) = t.leaf(Token::Value) else { continue };
        let several = trees.get(i + 1).is_some_and(|t| t.leaf(Token::Colon).is_some());
        let count = trees.get(i + 2).filter(|_| several).and_then(|t| t.leaf(Token::Int)).and_then(|n| n.parse().ok());
        match count {
            Some(n) if n < 4096 => out.extend((0..n).map(|k: usize| format!("{name}#{k}"))),
            _ => out.push(name.to_string()),
        }
    }
    out
}
