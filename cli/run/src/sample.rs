//! Text from a model that scores what comes next.
//!
//! Two kinds of entries can sample. One takes a window of the text, `[1, n]` integers, and scores all of it,
//! `[1, n, vocab]`. It is simple, and computes the whole window for every token. The other takes `token` and `position`
//! and keeps what it needs of the text before in its state, a cache; a step costs one token. The inputs of the entry
//! say which kind it is.
//!
//! Several prompts are continued in turn, or as many at a time as the entry has rows: one with a cache may take `token` and `position`
//! `[n]`. Rows need not be of one length: each has a position of its own, and one whose prompt ends sooner begins to write sooner.
//!
//! Sampling is seeded: the same seed, parameters and prompt give the same text on every mesh, whatever other prompts there are.

use crate::draw::{Random, Sampling, draw};
use crate::{Failed, Result, RunArgs, interrupt, status};
use meshloom_bundle::{Bundle, DType, EntryKind, Port, Program, Role};
use meshloom_runtime::data::Tokenizer;
use meshloom_runtime::{HostTensor, Session};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// How an entry is asked for scores.
#[derive(Debug, PartialEq)]
struct Writer {
    scores: String,
    vocab: usize,
    /// Tokens that it sees at once.
    context: usize,
    /// Texts that it continues at a time.
    rows: usize,
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
    let rows: u64 = rest.iter().product();
    let each =
        |name: &str| inputs.iter().find(|p| p.name == name && p.global_shape.iter().product::<u64>() == rows).copied();
    match inputs.as_slice() {
        [input] if matches!(rest, &[1, n] if n > 0 && input.global_shape == [1, n]) => {
            let asks = Asks::Window { tokens: input.name.clone(), shape: input.global_shape.clone() };
            Some(Writer { scores, vocab, context: rest[1] as usize, rows: 1, asks })
        }
        [_, _] if rows > 0 => {
            let (token, position) = (each("token")?, each("position")?);
            let context = position.range.filter(|r| r.lo == 0)?.hi as usize;
            let asks = Asks::Token { token: token.global_shape.clone(), position: position.global_shape.clone() };
            Some(Writer { scores, vocab, context, rows: rows as usize, asks })
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

/// A text that is being written.
struct Text {
    tokens: Vec<u32>,
    /// Tokens that are still to be sampled.
    left: u64,
    random: Random,
    asked: Asked,
}

/// Writes the prompts and what follows each to standard output. Returns false when it was interrupted.
pub fn generate(session: &mut Session, args: &RunArgs, prompts: &[String]) -> Result<bool> {
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
    let encoded = prompts.iter().map(|p| vocabulary.encode(p)).collect::<Result<Vec<_>>>()?;
    if let Some(t) = encoded.iter().flatten().find(|&&t| t as usize >= writer.vocab) {
        let text = format!("the prompt has token {t}, and entry `{entry}` knows {}", writer.vocab);
        return Err(
            Failed::usage(text).help("it needs the tokenizer that the model was trained with: --tokenizer FILE")
        );
    }
    let unit = if args.tokenizer.is_some() { "token" } else { "byte" };
    let each = if prompts.len() > 1 { format!(" for each of {} prompts", prompts.len()) } else { String::new() };
    let what = format!("{}{each}", status::count(args.tokens, unit));
    status::say("Sampling", &format!("{what} with `{entry}`, temperature {}", args.temperature));
    let kept = if prompts.len() > writer.rows { state(session)? } else { Vec::new() };
    let (start, mut sampled) = (Instant::now(), 0);
    for (number, tokens) in encoded.chunks(writer.rows).enumerate() {
        if number > 0 {
            kept.iter().try_for_each(|(name, value)| session.write(name, value.clone()))?;
        }
        let text = |tokens: &Vec<u32>| Text {
            tokens: tokens.clone(),
            left: args.tokens,
            random: Random::new(args.seed),
            asked: Asked::default(),
        };
        let mut texts: Vec<Text> = tokens.iter().map(text).collect();
        let first = number * writer.rows;
        let finished = group(session, args, &writer, &vocabulary, &mut texts, &prompts[first..first + tokens.len()])?;
        let made = |(t, given): (&Text, &Vec<u32>)| t.tokens.len() - given.len();
        sampled += texts.iter().zip(tokens).map(made).sum::<usize>();
        if !finished {
            return Ok(false);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let rate = sampled as f64 / seconds.max(1e-9);
    status::say("Sampled", &format!("{} in {seconds:.1} s, {rate:.1} a second", status::count(sampled as u64, unit)));
    Ok(true)
}

/// What the entry keeps from run to run, as it is.
fn state(session: &Session) -> Result<Vec<(String, HostTensor)>> {
    let ports = session.program().ports.iter().filter(|p| p.role == Role::State && p.alias.is_none());
    let names: Vec<String> = ports.map(|p| p.name.clone()).collect();
    names.into_iter().map(|name| session.read(&name).map(|value| (name, value)).map_err(Failed::from)).collect()
}

/// Continues as many texts as the entry has rows, or fewer. What is written of one alone is printed as it comes, others when all are
/// written. Returns false when it was interrupted.
fn group(
    session: &mut Session,
    args: &RunArgs,
    writer: &Writer,
    vocabulary: &Vocabulary,
    texts: &mut [Text],
    prompts: &[String],
) -> Result<bool> {
    let choice = Sampling { temperature: args.temperature, top_k: args.top_k, top_p: args.top_p };
    let begin = |text: &Text, prompt: &str| match vocabulary {
        Vocabulary::Bytes => vocabulary.decode(&text.tokens),
        Vocabulary::Tokenizer(_) => Ok(prompt.to_owned()),
    };
    let mut printers: Vec<Printer> =
        texts.iter().map(|t| Printer { from: t.tokens.len(), done: t.tokens.len() }).collect();
    let alone = texts.len() == 1;
    let begun = texts.iter().zip(prompts).map(|(t, p)| begin(t, p)).collect::<Result<Vec<_>>>()?;
    if alone {
        status::data(&begun[0]);
    }
    while texts.iter().any(|t| t.left > 0) {
        let stop = interrupt::requested().load(Relaxed);
        if session.world().map_or(stop, |w| w.any(stop)) {
            status::data("\n");
            return Ok(false);
        }
        for (i, scores) in scores(session, writer, texts)? {
            let text = &mut texts[i];
            let token = draw(&scores[..vocabulary.size(scores.len())], choice, text.random.next()) as u32;
            text.left -= 1;
            if args.eod == Some(token) {
                text.left = 0;
                continue;
            }
            text.tokens.push(token);
            if alone {
                printers[i].print(vocabulary, &text.tokens, false)?;
            }
        }
    }
    for ((text, printer), begun) in texts.iter().zip(&mut printers).zip(&begun) {
        if !alone {
            status::data(begun);
        }
        printer.print(vocabulary, &text.tokens, true)?;
        status::data("\n");
    }
    Ok(true)
}

/// Scores of what follows the texts that are not finished, of those that are read to their end: runs the entry until there are some.
fn scores(session: &mut Session, writer: &Writer, texts: &mut [Text]) -> Result<Vec<(usize, Vec<f64>)>> {
    let row = |all: &[f64], at: usize| all.get(at * writer.vocab..(at + 1) * writer.vocab).unwrap_or_default().to_vec();
    match &writer.asks {
        Asks::Window { tokens, shape } => {
            let text = &texts[0].tokens;
            let window = &text[text.len().saturating_sub(writer.context)..];
            let mut ids: Vec<i32> = window.iter().map(|&t| t as i32).collect();
            // What follows the text is not read by a causal model.
            ids.resize(writer.context, 0);
            session.write(tokens, HostTensor::i32(shape, &ids))?;
            session.run()?;
            let all = session.read(&writer.scores)?.to_f64().unwrap_or_default();
            Ok(vec![(0, row(&all, window.len() - 1))])
        }
        Asks::Token { token, position } => loop {
            let (mut ids, mut places) = (vec![0; writer.rows], vec![0; writer.rows]);
            for (i, t) in texts.iter_mut().enumerate() {
                let (index, place) = t.asked.step(writer.context, t.tokens.len());
                (ids[i], places[i]) = (t.tokens[index] as i32, place as i32);
            }
            session.write("token", HostTensor::i32(token, &ids))?;
            session.write("position", HostTensor::i32(position, &places))?;
            session.run()?;
            let there = |t: &Text| t.left > 0 && t.asked.next == t.tokens.len();
            if texts.iter().any(there) {
                let all = session.read(&writer.scores)?.to_f64().unwrap_or_default();
                let rows = texts.iter().enumerate().filter(|(_, t)| there(t));
                return Ok(rows.map(|(i, _)| (i, row(&all, i))).collect());
            }
        },
    }
}

/// What a cache holds: tokens `start..next` of the text, at positions from 0 on.
#[derive(Debug, Default)]
struct Asked {
    start: usize,
    next: usize,
}

impl Asked {
    /// The next token that the cache lacks and its position; of a text that it has, the last one again. A cache that is full starts
    /// again with the later half of its tokens.
    fn step(&mut self, context: usize, len: usize) -> (usize, usize) {
        if self.next < len {
            if self.next - self.start >= context.max(1) {
                self.start = self.next - context / 2;
                self.next = self.start;
            }
            self.next += 1;
        }
        (self.next - 1, self.next - 1 - self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_cache_goes_on_with_half_of_it() {
        let mut asked = Asked::default();
        let mut steps = |len| {
            let mut all = Vec::new();
            while asked.next < len {
                all.push(asked.step(4, len));
            }
            all
        };
        assert_eq!(steps(3), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(steps(3), []);
        assert_eq!(steps(5), [(3, 3), (2, 0), (3, 1), (4, 2)]);
        assert_eq!(steps(6), [(5, 3)]);
        assert_eq!(steps(7), [(4, 0), (5, 1), (6, 2)]);
        let mut short = Asked::default();
        assert_eq!([2, 2].map(|len| short.step(1, len)), [(0, 0), (1, 0)]);
        assert_eq!(short.step(1, 2), (1, 0), "a text that is finished stays where it is");
    }
}
