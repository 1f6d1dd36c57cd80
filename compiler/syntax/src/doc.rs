//! What can be looked up: items of a file, items of the library, and primitives, each with the `///` comment above it.
//! `meshloom doc` prints them; an editor may show them on hovering.

use crate::ast::{Item, ItemKind, Name};
use crate::elaborate::{collectives, primitives};
use crate::library;
use crate::parse::parse;
use crate::token::Comment;
use meshloom_ir::FileId;

/// One item's documentation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Documented {
    pub name: String,
    /// As it is written, without a function's body.
    pub signature: String,
    /// The lines of its comment, without the slashes.
    pub text: String,
    /// `lib/attention.loom`, and the line, from 1; none for a primitive.
    pub place: Option<(String, usize)>,
}

impl Documented {
    /// The first sentence, for a list.
    pub fn summary(&self) -> String {
        let line = self.text.split("\n\n").next().unwrap_or("").replace('\n', " ");
        line.split_once(". ").map_or(line.clone(), |(first, _)| format!("{first}."))
    }
}

/// The items of a file, in its order: dims and constants where they have a comment, all others.
pub fn items(file: &str, text: &str) -> Vec<Documented> {
    let parsed = parse(FileId(0), text);
    let one = |item: &Item| {
        let comment = above(text, &parsed.comments, item.span.start as usize);
        let place = Some((file.to_string(), text[..item.span.start as usize].matches('\n').count() + 1));
        let (name, end): (&Name, u32) = match &item.kind {
            ItemKind::Fn(f) => (&f.name, f.body.span.start),
            ItemKind::Struct(s) => (&s.name, item.span.end),
            ItemKind::Train { name, .. } => (name, item.span.end),
            ItemKind::Layout(l) => (&l.name, item.span.end),
            ItemKind::Dim(b) | ItemKind::Const(b) if !comment.is_empty() => (&b.first()?.name, item.span.end),
            _ => return None,
        };
        let signature = text.get(item.span.start as usize..end as usize)?.trim().to_string();
        Some(Documented { name: name.text.clone(), signature, text: comment, place })
    };
    parsed.file.items.iter().filter_map(one).collect()
}

/// The library, file by file.
pub fn library() -> Vec<Documented> {
    library::FILES.iter().flat_map(|(name, text)| items(name, text)).collect()
}

/// The primitives, as the reference describes them.
pub fn primitives_table() -> Vec<Documented> {
    const LANGUAGE: &str = include_str!("../../../docs/language.md");
    // Tables before it have rows that name functions too.
    let reference = LANGUAGE.split_once("| primitive | |").map_or("", |parts| parts.1);
    let rows: Vec<(&str, &str)> =
        reference.lines().filter_map(|l| l.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")).collect();
    let functions = primitives().chain(collectives()).map(|(name, params)| {
        let row = rows.iter().find(|(names, _)| names_in(names).any(|n| n == name));
        let shown: Vec<String> =
            params.iter().map(|p| p.strip_suffix('?').map_or((*p).to_string(), |p| format!("{p} = .."))).collect();
        Documented {
            name: name.to_string(),
            signature: format!("{name}({})", shown.join(", ")),
            // Collectives have a column of gradients.
            text: row.map_or(String::new(), |r| r.1.trim().trim_end_matches(" |").replace(" | ", "; its gradient: ")),
            place: None,
        }
    });
    let forms = FORMS.iter().map(|&[name, signature, text]| Documented {
        name: name.to_string(),
        signature: signature.to_string(),
        text: text.to_string(),
        place: None,
    });
    functions.chain(forms).collect()
}

/// What a cell of the table is about: `a(x, y)`, `b(..)` is about `a` and `b`, and not about their arguments; a cell of bare words
/// about all of them.
fn names_in(cell: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    cell.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').filter_map(move |piece| {
        let outside = depth == 0;
        match piece.chars().last() {
            Some('(') => depth += 1,
            Some(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        (outside && !word.is_empty()).then_some(word)
    })
}

/// What is no primitive and yet called like a function.
const FORMS: [[&str; 3]; 4] = [
    [
        "scan",
        "scan(f, init, xs, .., reverse = ..)",
        "A loop with a carry and stacked results, as `jax.lax.scan`: `f(carry, x)` returns the next carry and this iteration's result. \
         `xs` is a tensor, several, a list of structs, or a number of iterations; arguments behind it go to each iteration.",
    ],
    [
        "associative_scan",
        "associative_scan(f, xs, dim, reverse = ..)",
        "Running results of an associative function, as `jax.lax.associative_scan`: `f(a, b)` combines what `a` has of earlier elements \
         with `b`. `xs` is a tensor or a tuple of tensors, scanned along the same dim (0 if left out).",
    ],
    [
        "grad",
        "grad(f, wrt = ..)(args)",
        "The gradient of `f`, which returns one float, with respect to its first argument, or the parameter `wrt`.",
    ],
    [
        "value_and_grad",
        "value_and_grad(f, wrt = ..)(args)",
        "The pair of the value of `f` and its gradient, as `grad` has it.",
    ],
];

/// The `///` lines right above a place.
fn above(text: &str, comments: &[Comment<'_>], start: usize) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut next = start;
    for c in comments.iter().rev().filter(|c| c.start < start) {
        let end = c.start + c.text.len();
        let apart = text.get(end..next).is_none_or(|gap| !gap.trim().is_empty() || gap.matches('\n').count() != 1);
        let Some(line) = c.text.strip_prefix("///").filter(|_| c.own_line && !apart) else { break };
        lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
        next = text[..c.start].rfind('\n').map_or(0, |n| n + 1);
        // Blanks before the comment are part of the gap of the one above.
        next = next.max(1).min(c.start.max(1));
    }
    lines.reverse();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// A file.\n\n/// A layer.\n///\n/// Two lines. Or more.\nstruct Layer { w: f32[4] = zeros }\n\n/// Not this one.\n\n\
                        fn f(x: f32[4]) -> f32[4] { x }\n/// Rows.\ndim n = 4\ndim m = 5\n";

    #[test]
    fn comments_belong_to_what_is_right_below() {
        let all = items("a.loom", TEXT);
        let shown: Vec<(&str, &str, &str)> =
            all.iter().map(|d| (d.name.as_str(), d.signature.as_str(), d.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("Layer", "struct Layer { w: f32[4] = zeros }", "A layer.\n\nTwo lines. Or more."),
                ("f", "fn f(x: f32[4]) -> f32[4]", ""),
                ("n", "dim n = 4", "Rows."),
            ]
        );
        assert_eq!((all[0].summary(), all[0].place.clone()), ("A layer.".into(), Some(("a.loom".into(), 6))));
    }

    #[test]
    fn everything_that_ships_is_documented() {
        for d in primitives_table() {
            assert!(!d.text.is_empty(), "{}", d.name);
        }
        let of =
            |name: &str| primitives_table().into_iter().find(|d| d.name == name).map(|d| d.text).unwrap_or_default();
        assert!(of("concat").contains("behind"), "{}", of("concat"));
        assert!(of("full").contains("everywhere") && of("iota").contains("counted"), "{} {}", of("full"), of("iota"));
        assert!(of("all_gather").contains("its gradient: `reduce_scatter`") && of("scan").contains("carry"));
        let attention = library().into_iter().find(|d| d.name == "attention").expect("attention");
        assert!(attention.signature.contains("causal: bool = false") && !attention.text.is_empty());
    }
}
