//! Text from a model that scores the next byte: a window slides over the text, and each byte is drawn from the scores at the
//! last position. Seeded, so the same seed, parameters and prompt give the same text on every mesh.

use crate::{Failed, Result, RunArgs, interrupt, status};
use meshloom_bundle::{Bundle, DType, EntryKind, Port, Program, Role};
use meshloom_runtime::{Session, Tensor};
use std::sync::atomic::Ordering::Relaxed;

/// Where a function entry takes tokens and gives scores.
struct Shape {
    tokens: String,
    scores: String,
    width: usize,
    vocab: usize,
}

/// The first function entry that can write text.
pub fn writer(bundle: &Bundle) -> Option<&str> {
    let entries = bundle.contents.entries.iter().filter(|e| e.kind == EntryKind::Function);
    entries.map(|e| &e.program).find(|p| shape(p).is_some()).map(|p| p.entry.as_str())
}

/// One integer input `[1, width]` and one float output `[1, width, vocab]`.
fn shape(program: &Program) -> Option<Shape> {
    let ports = |role: Role| program.ports.iter().filter(move |p| p.role == role && p.alias.is_none());
    let only = |role: Role| -> Option<&Port> {
        let mut all = ports(role);
        all.next().filter(|_| all.next().is_none())
    };
    let (input, output) = (only(Role::Input)?, only(Role::Output)?);
    let integer = matches!(input.dtype, DType::I32 | DType::I64 | DType::U32 | DType::U8);
    let float = matches!(output.dtype, DType::F32 | DType::F64);
    match (input.global_shape.as_slice(), output.global_shape.as_slice()) {
        (&[1, w], &[1, v, vocab]) if integer && float && w == v && w > 0 && vocab > 0 => Some(Shape {
            tokens: input.name.clone(),
            scores: output.name.clone(),
            width: w as usize,
            vocab: vocab as usize,
        }),
        _ => None,
    }
}

/// Writes the prompt and what follows it to standard output. Returns false when it was interrupted.
pub fn generate(session: &mut Session, args: &RunArgs, prompt: &str) -> Result<bool> {
    let entry = session.program().entry.clone();
    let shape = shape(session.program()).ok_or_else(|| {
        Failed::usage(format!("entry `{entry}` cannot continue a text"))
            .help("that takes one integer input of shape [1, n] and one output of shape [1, n, vocab]")
    })?;
    let mut text: Vec<u8> = prompt.as_bytes().to_vec();
    if text.is_empty() {
        // A model needs something to go on from.
        text.push(b'\n');
    }
    status::say(
        "Sampling",
        &format!("{} with `{entry}`, temperature {}", status::count(args.tokens, "byte"), args.temperature),
    );
    status::bytes(&text);
    let mut random = Random::new(args.seed);
    let mut split = Vec::new();
    for _ in 0..args.tokens {
        if interrupt::requested().load(Relaxed) {
            status::bytes(b"\n");
            return Ok(false);
        }
        let window = &text[text.len().saturating_sub(shape.width)..];
        let last = window.len() - 1;
        let mut tokens: Vec<i32> = window.iter().map(|&b| i32::from(b)).collect();
        // What follows the text is not read by a causal model.
        tokens.resize(shape.width, 0);
        session.write(&shape.tokens, Tensor::i32(&[1, shape.width as u64], &tokens))?;
        session.run()?;
        let all = session.read(&shape.scores)?.to_f64().unwrap_or_default();
        let scores = all.get(last * shape.vocab..(last + 1) * shape.vocab).unwrap_or_default();
        let byte = draw(&scores[..scores.len().min(256)], args.temperature, args.top_k, random.next());
        text.push(byte);
        // Characters are written whole, so that a terminal can show them.
        split.push(byte);
        if std::str::from_utf8(&split).is_ok() || split.len() >= 4 {
            status::data(&String::from_utf8_lossy(&split));
            split.clear();
        }
    }
    status::data(&format!("{}\n", String::from_utf8_lossy(&split)));
    Ok(true)
}

/// One of the `top_k` likeliest, by a uniform number in 0..1. Ties go to the smaller byte.
fn draw(scores: &[f64], temperature: f64, top_k: usize, uniform: f64) -> u8 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let Some(&best) = order.first() else { return b' ' };
    if temperature <= 0.0 || top_k == 1 {
        return best as u8;
    }
    order.truncate(top_k.max(1));
    let weights: Vec<f64> = order.iter().map(|&i| ((scores[i] - scores[best]) / temperature).exp()).collect();
    let mut left = uniform * weights.iter().sum::<f64>();
    for (&i, w) in order.iter().zip(&weights) {
        left -= w;
        if left < 0.0 {
            return i as u8;
        }
    }
    best as u8
}

/// splitmix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed ^ 0x7361_6d70_6c65)
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_scores() {
        let scores = [0.0, 3.0, 1.0, f64::NEG_INFINITY];
        assert_eq!(draw(&scores, 0.0, 40, 0.9), 1);
        assert_eq!(draw(&scores, 1.0, 1, 0.999), 1);
        let mut random = Random::new(1);
        let mut seen = [0u32; 4];
        for _ in 0..10_000 {
            seen[usize::from(draw(&scores, 1.0, 2, random.next()))] += 1;
        }
        assert_eq!((seen[0], seen[3]), (0, 0));
        let share = f64::from(seen[1]) / 10_000.0;
        let expected = 1.0 / (1.0 + (-2f64).exp());
        assert!((share - expected).abs() < 0.02, "{share} where {expected} is due");
        assert_eq!(draw(&[], 1.0, 4, 0.5), b' ');
    }

    #[test]
    fn scores_that_are_no_numbers_do_no_harm() {
        assert!(draw(&[f64::NAN, f64::NAN], 1.0, 40, 0.5) < 2);
        assert!(draw(&[f64::INFINITY, 0.0], 1.0, 40, 0.5) < 2);
    }
}
