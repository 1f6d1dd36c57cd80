//! Adapters, and other parameters that a file of weights need not have.
//!
//! A rename file says `initial PATTERN ..` of paths that keep their initial values where the file has nothing for them, and
//! `adapter PATH ALPHA -> PATH` of a `Lora` beside a weight. A program of adapters takes weights without them, and [`super::export()`]
//! adds each adapter to its weight, so that what it writes is the model as it was before there were adapters.

use super::pattern::Pattern;
use super::weights::Weights;
use crate::data::element::{Element, Rounding};
use crate::error::{Result, RuntimeError};
use meshloom_bundle::DType;

/// `adapter blocks.{i}.lora_q 16 -> blocks.{i}.q`: the weight plus 16 / r times `down` times `up`.
#[derive(Debug)]
pub struct Adapter {
    /// Where the struct is, and the weight.
    from: Pattern,
    alpha: f64,
    to: Pattern,
    /// Of the rename file.
    pub line: usize,
}

/// The matrices of an adapter.
const FIELDS: [&str; 2] = ["down", "up"];

impl Adapter {
    /// Reads what stands behind the word `adapter` of a line.
    pub fn parse(text: &str, line: usize) -> Result<Adapter, String> {
        let wrong =
            || "expected adapter PATH ALPHA -> PATH, such as `adapter blocks.{i}.lora 16 -> blocks.{i}.w`".into();
        let Some((left, to)) = text.split_once("->") else { return Err(wrong()) };
        let [from, alpha] = left.split_whitespace().collect::<Vec<_>>()[..] else { return Err(wrong()) };
        let alpha: f64 = alpha.parse().map_err(|_| format!("`{alpha}` is no number"))?;
        let (from, to) = (Pattern::parse(from)?, Pattern::parse(to)?);
        if from.several() || to.several() || from.is_of_layers() != to.is_of_layers() || !alpha.is_finite() {
            return Err(wrong());
        }
        Ok(Adapter { from, alpha, to, line })
    }

    /// Whether a path is one of its matrices.
    pub fn has(&self, path: &str) -> bool {
        self.weight(path).is_some()
    }

    /// The weight that an adapter is added to of which a path is one of the matrices.
    pub fn weight(&self, path: &str) -> Option<String> {
        let of = |field: &str| path.strip_suffix(field)?.strip_suffix('.').and_then(|from| self.from.find(from));
        let (layer, _) = FIELDS.iter().find_map(|field| of(field))?;
        Some(self.to.filled(layer, None))
    }

    /// The path of the adapter of the weight at `path`, if it is one.
    fn of(&self, path: &str) -> Option<String> {
        let (layer, _) = self.to.find(path)?;
        Some(self.from.filled(layer, None))
    }
}

/// Whether the adapters of a weight fit it.
///
/// # Errors
/// An adapter that is not there, or does not fit the weight.
pub fn fit(adapters: &[Adapter], weights: &Weights, path: &str) -> Result<(), String> {
    let froms = adapters.iter().filter_map(|a| a.of(path));
    froms.into_iter().try_for_each(|from| dims(weights, path, &from).map(|_| ()))
}

/// The dims of the adapter at `from`: rows, rank and columns.
fn dims(weights: &Weights, path: &str, from: &str) -> Result<[usize; 3], String> {
    let stored = weights.tensor(path)?;
    let [d, u] = FIELDS.map(|field| {
        let name = format!("{from}.{field}");
        weights.tensor(&name).map(|t| t.shape.to_vec()).map_err(|e| format!("`{name}`: {e}"))
    });
    let (d, u) = (d?, u?);
    let ([n, r], [r2, m]) = (&d[..], &u[..]) else { return Err(format!("`{from}` is no adapter")) };
    if r != r2 || stored.shape != [*n, *m] || *r == 0 {
        return Err(format!("`{from}` changes {n} x {m}, and `{path}` is {}", stored.element.describe(stored.shape)));
    }
    Ok([*n as usize, *r as usize, *m as usize])
}

/// Adds the adapters of a weight to its bytes.
///
/// # Errors
/// As [`fit`].
pub fn merged(adapters: &[Adapter], weights: &Weights, path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let element = weights.tensor(path)?.element;
    let mut sum: Option<Vec<f64>> = None;
    for a in adapters {
        let Some(from) = a.of(path) else { continue };
        let [n, r, m] = dims(weights, path, &from)?;
        let [d, u] = FIELDS.map(|field| numbers(weights, &format!("{from}.{field}")));
        let (d, u) = (d?, u?);
        let w = match &mut sum {
            Some(w) => w,
            None => sum.insert(doubles(element, &bytes)?),
        };
        for (i, row) in w.chunks_exact_mut(m).enumerate().take(n) {
            for (j, x) in row.iter_mut().enumerate() {
                *x += a.alpha / r as f64 * (0..r).map(|k| d[i * r + k] * u[k * m + j]).sum::<f64>();
            }
        }
    }
    let Some(sum) = sum else { return Ok(bytes) };
    let own = element.dtype().ok_or_else(|| format!("{} is no type of a program", element.name()))?;
    let bytes: Vec<u8> = sum.iter().flat_map(|x| x.to_le_bytes()).collect();
    Element::Of(DType::F64).convert(&bytes, own, Rounding::Allowed)
}

fn numbers(weights: &Weights, path: &str) -> Result<Vec<f64>, String> {
    doubles(weights.tensor(path)?.element, &weights.bytes(path)?)
}

fn doubles(element: Element, bytes: &[u8]) -> Result<Vec<f64>, String> {
    let wide = element.convert(bytes, DType::F64, Rounding::Allowed)?;
    Ok(wide.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
}

/// Whether a pattern of layout blocks matches a path: `*` stands for anything in a part, `**` for any parts.
pub fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), path.split('.').collect());
    parts(&pattern, &path)
}

fn parts(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], []) => true,
        (["**", rest @ ..], _) => (0..=path.len()).any(|n| parts(rest, &path[n..])),
        ([first, rest @ ..], [part, more @ ..]) => word(first, part) && parts(rest, more),
        _ => false,
    }
}

/// One part, in which `*` stands for any text.
fn word(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(before) else { return false };
    (0..=text.len()).filter(|&n| text.is_char_boundary(n)).any(|n| word(after, &text[n..]))
}

/// The error of a pattern that matches no path.
pub fn unmatched(pattern: &str, place: &str) -> RuntimeError {
    RuntimeError::usage(place, format!("`{pattern}` matches no parameter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths() {
        for (pattern, path, due) in [
            ("**.lora_*.*", "blocks.0.lora_q.up", true),
            ("**.lora_*.*", "blocks.0.lora_q", false),
            ("**", "a", true),
            ("blocks.*.q", "blocks.12.q", true),
            ("blocks.*.q", "blocks.12.q.b", false),
            ("*a*b", "xaybzb", true),
            ("*a*b", "xayc", false),
        ] {
            assert_eq!(matches(pattern, path), due, "{pattern} {path}");
        }
    }

    #[test]
    fn lines_of_adapters() {
        let a = Adapter::parse("blocks.{i}.lora_q 6 -> blocks.{i}.q", 1).unwrap();
        assert!(a.has("blocks.3.lora_q.down") && a.has("blocks.3.lora_q.up") && !a.has("blocks.3.q"));
        assert_eq!(a.of("blocks.3.q").as_deref(), Some("blocks.3.lora_q"));
        for wrong in ["a", "a -> b", "a x -> b", "a.{i} 6 -> b", "a 6 7 -> b", "a inf -> b"] {
            assert!(Adapter::parse(wrong, 1).is_err(), "{wrong}");
        }
    }
}
