//! Locations: `loc("jit(f)/add"(callsite("f"("train.py":4:8) at "<module>"("train.py":9:0))))`, and aliases for parts of it,
//! as `as_text(debug_info=True)` prints them.
//!
//! JAX wraps the calls on the way to an op, each with the name of its function, into the op's name stack. XLA, and JAX before
//! 0.5, name no functions. So the outermost name is the name stack, and a name directly around a file is a function's.
//!
//! JAX lowers a function that it keeps (`take`, `where`) once for all its calls, so its ops have no line. They get that of the
//! call that leads to them.

use crate::lexer::Token;
use crate::module::Module;
use crate::tree::Tree;
use meshloom_ir::Span;
use meshloom_source::{Frame, Origin, Origins};
use std::collections::HashMap;

/// Aliases inside aliases, and calls on the way to an op.
const DEPTH: usize = 64;
/// Parts of one location: aliases of aliases can double at each level.
const PARTS: usize = 256;

/// Locations of a module, each read once.
pub struct Locations<'m> {
    aliases: HashMap<&'m str, &'m [Tree<'m>]>,
    known: HashMap<&'m str, Option<u32>>,
    pub origins: Origins,
}

impl<'m> Locations<'m> {
    /// Those of a module, added to what is known of another part of the text.
    pub fn of(module: &Module<'m>, origins: Origins) -> Locations<'m> {
        Locations { aliases: module.aliases.iter().copied().collect(), known: HashMap::new(), origins }
    }

    /// The name that `loc(..)` gives an argument: `loc("state['p']")`, or an alias of that.
    pub fn name(&self, loc: &'m [Tree<'m>]) -> Option<String> {
        let mut at = loc;
        for _ in 0..DEPTH {
            at = match at {
                [word, inside] if word.is_word("loc") => inside.group(b'(')?,
                [t] => match t.leaf(Token::Hash) {
                    Some(alias) => self.aliases.get(alias)?,
                    None => return t.leaf(Token::Str).map(|_| text(t)),
                },
                _ => return None,
            };
        }
        None
    }

    /// Notes what stands in `loc(..)` beside the text of a span.
    pub fn note(&mut self, span: Span, loc: &'m [Tree<'m>]) {
        if self.origins.get(span).is_some() {
            return;
        }
        let alias = match loc {
            [t] => t.leaf(Token::Hash),
            _ => None,
        };
        let known = alias.and_then(|a| self.known.get(a).copied());
        let id = known.unwrap_or_else(|| {
            let mut reader = Reader { aliases: &self.aliases, origin: Origin::default(), parts: 0 };
            reader.read(loc, "", 0);
            let origin = reader.origin;
            let said = !origin.name.is_empty() || !origin.frames.is_empty();
            said.then(|| self.origins.add(origin))
        });
        self.known.extend(alias.map(|a| (a, id)));
        if let Some(id) = id {
            self.origins.set(span, id);
        }
    }

    /// The span that says most of an op's place: its own, or, where only the op that it stands in (`around`) has a line of Python,
    /// that one's.
    pub fn placed(&self, own: Span, around: Span) -> Span {
        let has_line = |span: Span| self.origins.get(span).is_some_and(|o| !o.frames.is_empty());
        if has_line(around) && !has_line(own) { around } else { own }
    }
}

struct Reader<'a, 'm> {
    aliases: &'a HashMap<&'m str, &'m [Tree<'m>]>,
    origin: Origin,
    parts: usize,
}

impl<'m> Reader<'_, 'm> {
    /// Reads a location that stands inside of the name `name`. What cannot be read is left out: no program is refused for it.
    fn read(&mut self, trees: &'m [Tree<'m>], name: &str, depth: usize) {
        self.parts += 1;
        if depth > DEPTH || self.parts > PARTS {
            return;
        }
        match trees {
            // An alias stands for `loc(..)`.
            [word, inside] if word.is_word("loc") => self.read(inside.group(b'(').unwrap_or_default(), name, depth + 1),
            [t] if t.leaf(Token::Hash).is_some() => {
                let stands_for = t.leaf(Token::Hash).and_then(|h| self.aliases.get(h).copied());
                self.read(stands_for.unwrap_or_default(), name, depth + 1);
            }
            [word, inside] if word.is_word("callsite") => {
                let inside = inside.group(b'(').unwrap_or_default();
                let at = inside.iter().position(|t| t.is_word("at")).unwrap_or(inside.len());
                self.read(&inside[..at], name, depth + 1);
                self.read(inside.get(at + 1..).unwrap_or_default(), "", depth + 1);
            }
            // `fused["pass"][a, b]`, `fused<..>[a, b]`
            [word, .., list] if word.is_word("fused") => {
                let list = list.group(b'[').unwrap_or_default();
                for part in list.split(|t| t.leaf(Token::Comma).is_some()) {
                    self.read(part, name, depth + 1);
                }
            }
            [file, colon, rest @ ..] if file.leaf(Token::Str).is_some() && colon.leaf(Token::Colon).is_some() => {
                let number = |i: usize| rest.get(i)?.leaf(Token::Int)?.parse().ok();
                let Some(line) = number(0) else { return };
                let function = name.to_string();
                let frame = Frame { file: text(file), line, column: number(2).unwrap_or(0), function };
                self.origin.frames.push(frame);
            }
            [own, rest @ ..] if own.leaf(Token::Str).is_some() => {
                let own = text(own);
                let outermost = self.origin.name.is_empty() && self.origin.frames.is_empty() && name.is_empty();
                if outermost {
                    self.origin.name.clone_from(&own);
                }
                if let [inside] = rest {
                    let own = if outermost { "" } else { &own };
                    self.read(inside.group(b'(').unwrap_or_default(), own, depth + 1);
                }
            }
            _ => {}
        }
    }
}

fn text(t: &Tree<'_>) -> String {
    let quoted = t.leaf(Token::Str).unwrap_or("\"\"");
    quoted.trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\")
}
