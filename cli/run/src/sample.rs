//! Text from a model that scores what comes next.
//!
//! Two kinds of entries can sample. One takes a window of the text, `[1, n]` integers, and scores all of it,
//! `[1, n, vocab]`. It is simple, and computes the whole window for every token. The other takes `token` and `position`
//! and keeps what it needs of the text before in its state, a cache; a step costs one token. The inputs of the entry
//! say which kind it is.
//!
//! Sampling is seeded: the same seed, parameters and prompt give the same text on every mesh.

use crate::draw::{Random, Sampling, draw};
use crate::{Failed, Result, RunArgs, interrupt, status};
use meshloom_bundle::{Bundle, DType, EntryKind, Port, Program, Role};
use meshloom_runtime::data::Tokenizer;
use meshloom_runtime::{HostTensor, Session};
use std::sync::atomic::Ordering::Relaxed;

/// How an entry is asked for scores.
#[derive(Debug, PartialEq)]
struct Writer {
    scores: String,
    vocab: usize,
    /// Tokens that it sees at once.
    context: usize,
    asks: Asks,
}

#[derive(Debug, PartialEq)]
enum Asks {
    Window { tokens: String, shape: Vec<u64> },
    Token { token: Vec<u64>, position: Vec<u64> },
}

/// The function entry that can write text: one with a cache before one with a window.
pub fn writer(bundle: &Bundle) -> Option<&str> {
    let entries = bundle.contents.entries.iter().filter(|e| e.kind == EntryKind::Function).map(|e| &e.program);
    let mut found: Vec<(&Program, Writer)> = entries.filter_map(|p| Some((p, shape(p)?))).collect();
    found.sort_by_key(|(_, w)| matches!(w.asks, Asks::Window { .. }));
    found.first().map(|(p, _)| p.entry.as_str())
}

fn shape(program: &Program) -> Option<Writer> {
    let ports = |role: Role| program.ports.iter().filter(move |p| p.role == role && p.alias.is_none());
    let integer = |p: &&Port| p.dtype.is_int();
    let mut outputs = ports(Role::Output);
    let output = outputs.next().filter(|o| matches!(o.dtype, DType::F32 | DType::F64))?;
    if outputs.next().is_some() {
        return None;
    }
    let (&vocab, rest) = output.global_shape.split_last()?;
    let inputs: Vec<&Port> = ports(Role::Input).collect();
    if vocab == 0 || !inputs.iter().all(integer) {
        return None;
    }
    let (scores, vocab) = (output.name.clone(), vocab as usize);
    let one =
        |name: &str| inputs.iter().find(|p| p.name == name && p.global_shape.iter().product::<u64>() == 1).copied();
    match inputs.as_slice() {
        [input] if matches!(rest, &[1, n] if n > 0 && input.global_shape == [1, n]) => {
            let asks = Asks::Window { tokens: input.name.clone(), shape: input.global_shape.clone() };
            Some(Writer { scores, vocab, context: rest[1] as usize, asks })
        }
        [_, _] if rest.iter().all(|n| *n == 1) => {
            let (token, position) = (one("token")?, one("position")?);
            let context = position.range.filter(|r| r.lo == 0)?.hi as usize;
            let asks = Asks::Token { token: token.global_shape.clone(), position: position.global_shape.clone() };
            Some(Writer { scores, vocab, context, asks })
        }
        _ => None,
    }
}

/// Between text and tokens: a tokenizer, or bytes.
enum Vocabulary {
    Bytes,
    Tokenizer(Box<Tokenizer>),
}

impl Vocabulary {
    fn encode(&self, text: &str) -> Result<Vec<u32>> {
        let mut tokens = match self {
            Vocabulary::Bytes => text.bytes().map(u32::from).collect(),
            Vocabulary::Tokenizer(t) => t.encode(text)?,
        };
        if tokens.is_empty() {
            // A model needs something to go on from.
            tokens.push(u32::from(b'\n'));
        }
        Ok(tokens)
    }

    /// How many of `vocab` scores mean something.
    fn size(&self, vocab: usize) -> usize {
        match self {
            Vocabulary::Bytes => vocab.min(256),
            Vocabulary::Tokenizer(t) => vocab.min(t.vocabulary() as usize),
        }
    }

    fn decode(&self, tokens: &[u32]) -> Result<String> {
        Ok(match self {
            Vocabulary::Bytes => {
                let bytes: Vec<u8> = tokens.iter().map(|&t| t as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Vocabulary::Tokenizer(t) => t.decode(tokens)?,
        })
    }
}

/// Prints text as its tokens come. Characters are written whole, so that a terminal can show them; what a token says may depend on
/// the one before, so a little of the past is decoded again.
struct Printer {
    /// From here on tokens are decoded together.
    from: usize,
    /// Before this one all is printed.
    done: usize,
}

impl Printer {
    fn print(&mut self, vocabulary: &Vocabulary, tokens: &[u32], end: bool) -> Result<()> {
        let before = vocabulary.decode(&tokens[self.from..self.done])?;
        let now = vocabulary.decode(&tokens[self.from..])?;
        // An incomplete character, unless it stays one.
        let whole = !now.ends_with('\u{fffd}') || tokens.len() - self.done >= 4 || end;
        if whole && now.len() > before.len() {
            status::data(now.get(before.len()..).unwrap_or_default());
            (self.from, self.done) = (self.done, tokens.len());
        }
        Ok(())
    }
}

/// Writes the prompt and what follows it to standard output. Returns false when it was interrupted.
pub fn generate(session: &mut Session, args: &RunArgs, prompt: &str) -> Result<bool> {
    let entry = session.program().entry.clone();
    let writer = shape(session.program()).ok_or_else(|| {
        Failed::usage(format!("entry `{entry}` cannot continue a text"))
            .help("that takes integers [1, n] and gives scores [1, n, vocab]")
            .help("or takes `token: i32` and `position: i32 in 0..n`, keeps state, and gives scores [vocab]")
    })?;
    let vocabulary = match &args.tokenizer {
        Some(path) => Vocabulary::Tokenizer(Box::new(Tokenizer::open(path)?)),
        None => Vocabulary::Bytes,
    };
    let mut tokens = vocabulary.encode(prompt)?;
    if let Some(t) = tokens.iter().find(|&&t| t as usize >= writer.vocab) {
        let text = format!("the prompt has token {t}, and entry `{entry}` knows {}", writer.vocab);
        return Err(
            Failed::usage(text).help("it needs the tokenizer that the model was trained with: --tokenizer FILE")
        );
    }
    let unit = if args.tokenizer.is_some() { "token" } else { "byte" };
    let what = status::count(args.tokens, unit);
    status::say("Sampling", &format!("{what} with `{entry}`, temperature {}", args.temperature));
    let mut printer = Printer { from: tokens.len(), done: tokens.len() };
    match vocabulary {
        Vocabulary::Bytes => status::data(&vocabulary.decode(&tokens)?),
        Vocabulary::Tokenizer(_) => status::data(prompt),
    }
    let choice = Sampling { temperature: args.temperature, top_k: args.top_k, top_p: args.top_p };
    let mut random = Random::new(args.seed);
    let mut asked = Asked::default();
    for _ in 0..args.tokens {
        let stop = interrupt::requested().load(Relaxed);
        if session.world().map_or(stop, |w| w.any(stop)) {
            status::data("\n");
            return Ok(false);
        }
        let scores = asked.scores(session, &writer, &tokens)?;
        let token = draw(&scores[..vocabulary.size(scores.len())], choice, random.next()) as u32;
        if args.eod == Some(token) {
            break;
        }
        tokens.push(token);
        printer.print(&vocabulary, &tokens, false)?;
    }
    printer.print(&vocabulary, &tokens, true)?;
    status::data("\n");
    Ok(true)
}

/// What a cache holds: tokens `start..next` of the text, at positions from 0 on.
#[derive(Debug, Default)]
struct Asked {
    start: usize,
    next: usize,
}

impl Asked {
    /// Scores of what follows the text.
    fn scores(&mut self, session: &mut Session, writer: &Writer, text: &[u32]) -> Result<Vec<f64>> {
        let at = match &writer.asks {
            Asks::Window { tokens, shape } => {
                let window = &text[text.len().saturating_sub(writer.context)..];
                let mut ids: Vec<i32> = window.iter().map(|&t| t as i32).collect();
                // What follows the text is not read by a causal model.
                ids.resize(writer.context, 0);
                session.write(tokens, HostTensor::i32(shape, &ids))?;
                session.run()?;
                window.len() - 1
            }
            Asks::Token { token, position } => {
                while let Some((index, place)) = self.step(writer.context, text.len()) {
                    session.write("token", HostTensor::i32(token, &[text[index] as i32]))?;
                    session.write("position", HostTensor::i32(position, &[place as i32]))?;
                    session.run()?;
                }
                0
            }
        };
        let all = session.read(&writer.scores)?.to_f64().unwrap_or_default();
        Ok(all.get(at * writer.vocab..(at + 1) * writer.vocab).unwrap_or_default().to_vec())
    }

    /// The next token that the cache lacks and its position. A cache that is full starts again with the later half of its tokens.
    fn step(&mut self, context: usize, len: usize) -> Option<(usize, usize)> {
        if self.next >= len {
            return None;
        }
        if self.next - self.start >= context.max(1) {
            self.start = self.next - context / 2;
            self.next = self.start;
        }
        self.next += 1;
        Some((self.next - 1, self.next - 1 - self.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_goes_on_with_half_of_it() {
        let mut asked = Asked::default();
        let mut steps = |len| std::iter::from_fn(|| asked.step(4, len)).collect::<Vec<_>>();
        assert_eq!(steps(3), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(steps(3), []);
        assert_eq!(steps(5), [(3, 3), (2, 0), (3, 1), (4, 2)]);
        assert_eq!(steps(6), [(5, 3)]);
        assert_eq!(steps(7), [(4, 0), (5, 1), (6, 2)]);
        let mut short = Asked::default();
        assert_eq!(std::iter::from_fn(|| short.step(1, 2)).collect::<Vec<_>>(), [(0, 0), (1, 0)]);
    }
}
