//! What a tokenizer.json may hold, as far as the `tokenizers` crate does not look before it leaps: it trusts some parts of
//! the file, and panics at the first text, or fills the memory. Whatever is refused here is refused when the file is read.
//!
//! Not here: what tokens are (`tokenizers`), and options of the file that do not apply to a corpus ([`super::tokenizer`]).

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The longest file that is read: the largest tokenizers have 40 MB.
pub const MOST_BYTES: u64 = 64 << 20;
/// The most values of a file, names included: the largest tokenizers have about 2.3 million. In memory each takes up to 250
/// bytes, so that no file takes 1 GB.
const VALUES: u64 = 3 << 20;
/// The most nodes of the tree in which a Unigram model keeps its tokens, byte by byte, each with a table of its own.
const NODES: usize = 2 << 20;
/// The most bytes of added tokens, which are compiled to an automaton.
const ADDED_BYTES: usize = 4 << 20;
/// A text may grow so many times when it is normalized or decoded. Characters of compatibility grow 11 times, spaces of
/// SentencePiece 3 times.
const GROWTH: u64 = 64;
/// Special tokens that are added to one document.
const ADDED: usize = 1024;

/// The file as JSON, unless it has more values than any tokenizer. They are counted before memory is taken for them.
///
/// # Errors
/// What is wrong with the file, without its name.
pub fn json(bytes: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    Counted(&mut VALUES.clone()).deserialize(&mut reader).map_err(|e| e.to_string())?;
    serde_json::from_slice(bytes).map_err(|e| e.to_string())
}

/// Reads a value and keeps nothing of it; counts down from what may come.
struct Counted<'a>(&'a mut u64);

impl Counted<'_> {
    fn one<E: Error>(&mut self) -> Result<(), E> {
        *self.0 = self.0.checked_sub(1).ok_or_else(|| E::custom(format!("more than {VALUES} values")))?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Counted<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, d: D) -> Result<(), D::Error> {
        self.one()?;
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Counted<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut all: A) -> Result<(), A::Error> {
        while all.next_element_seed(Counted(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut all: A) -> Result<(), A::Error> {
        while all.next_key::<IgnoredAny>()?.is_some() {
            self.one()?;
            all.next_value_seed(Counted(&mut *self.0))?;
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}

/// # Errors
/// What is wrong with the file, without its name.
pub fn check(file: &Value) -> Result<(), String> {
    parts(file)?;
    let texts = file["added_tokens"].as_array().into_iter().flatten().filter_map(|t| t["content"].as_str());
    let bytes: usize = texts.map(str::len).sum();
    if bytes > ADDED_BYTES {
        return Err(format!("{bytes} bytes of added tokens; at most {ADDED_BYTES} are allowed"));
    }
    unigram(&file["model"])?;
    for part in ["normalizer", "decoder"] {
        let times = growth(&file[part])?;
        if times > GROWTH {
            return Err(format!("{part}: a text may grow {times} times; at most {GROWTH} is allowed"));
        }
    }
    Ok(())
}

/// Looks at every part by its type, however deep it lies.
fn parts(value: &Value) -> Result<(), String> {
    match value {
        Value::Array(all) => all.iter().try_for_each(parts),
        Value::Object(map) => {
            match value["type"].as_str() {
                Some("TemplateProcessing") => template(value)?,
                Some("FixedLength") if value["length"] == 0 => {
                    return Err("FixedLength: pieces of 0 characters".into());
                }
                // The crate counts back from the end of tokens that are shorter.
                Some("Strip") if value["stop"].as_u64().is_some_and(|n| n > 0) => {
                    return Err("Strip: a decoder that strips the ends of tokens is not supported".into());
                }
                _ => {}
            }
            if value["merges"].is_array() {
                merges(value)?;
            }
            map.iter().filter(|(k, _)| !matches!(k.as_str(), "vocab" | "merges")).try_for_each(|(_, v)| parts(v))
        }
        _ => Ok(()),
    }
}

/// Every special token that a template names is one of its own, and the text of a document comes once.
fn template(t: &Value) -> Result<(), String> {
    let fail = |m: String| Err(format!("TemplateProcessing: {m}"));
    let mut added = 0;
    for name in ["single", "pair"] {
        let mut documents = 0;
        for piece in t[name].as_array().into_iter().flatten() {
            if let Some(id) = piece["SpecialToken"]["id"].as_str() {
                let token = &t["special_tokens"][id];
                let Some(ids) = token["ids"].as_array() else {
                    return fail(format!("`{name}` has `{}`, which is none of its special tokens", id.escape_debug()));
                };
                if token["tokens"].as_array().map(Vec::len) != Some(ids.len()) {
                    return fail(format!("`{}` has not as many tokens as ids", id.escape_debug()));
                }
                added += ids.len();
            }
            if let Some(id) = piece["Sequence"]["id"].as_str() {
                documents += 1;
                if name == "single" && id != "A" {
                    return fail("`single` has a second document".into());
                }
            }
        }
        if documents > 2 || added > ADDED {
            return fail(format!("`{name}` has {documents} documents and {added} special tokens"));
        }
    }
    Ok(())
}

/// The second half of a merge begins with the prefix that it is to lose.
fn merges(model: &Value) -> Result<(), String> {
    let Some(prefix) = model["continuing_subword_prefix"].as_str().filter(|p| !p.is_empty()) else { return Ok(()) };
    for merge in model["merges"].as_array().into_iter().flatten() {
        let second = match merge {
            Value::String(both) => both.split_once(' ').map(|m| m.1),
            both => both[1].as_str(),
        };
        if let Some(second) = second.filter(|s| !s.starts_with(prefix)) {
            return Err(format!("BPE: the merge with `{}` lacks the prefix of subwords", second.escape_debug()));
        }
    }
    Ok(())
}

/// The tokens of a Unigram model, by their common beginnings.
fn unigram(model: &Value) -> Result<(), String> {
    // Only this model has its vocabulary as a list.
    let tokens = model["vocab"].as_array().into_iter().flatten();
    let mut tokens: Vec<&[u8]> = tokens.filter_map(|t| t[0].as_str().map(str::as_bytes)).collect();
    tokens.sort_unstable();
    let shared = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let first = tokens.first().map_or(0, |t| t.len());
    let nodes = first + tokens.windows(2).map(|t| t[1].len() - shared(t[0], t[1])).sum::<usize>();
    match nodes > NODES {
        true => Err(format!("Unigram: {nodes} beginnings of tokens; at most {NODES} are allowed")),
        false => Ok(()),
    }
}

/// How many times longer a text may become, at most.
fn growth(part: &Value) -> Result<u64, String> {
    let all = |list: &Value| {
        let mut each = list.as_array().into_iter().flatten().map(growth);
        each.try_fold(1u64, |a, b: Result<u64, String>| b.map(|b| a.saturating_mul(b)))
    };
    match part["type"].as_str() {
        Some("Sequence") => {
            let (normalizers, decoders) = (all(&part["normalizers"])?, all(&part["decoders"])?);
            Ok(normalizers.max(decoders))
        }
        Some("Replace") => {
            let content = part["content"].as_str().map_or(0, str::len) as u64;
            Ok(match part["pattern"]["String"].as_str() {
                Some(p) if !p.is_empty() => content.div_ceil(p.len() as u64).max(1),
                // A pattern may match what is empty, between any two characters.
                _ => content + 1,
            })
        }
        // Once in each document, and documents may be short.
        Some("Prepend") => Ok(match part["prepend"].as_str().map_or(0, str::len) as u64 {
            n if n <= GROWTH => 1,
            n => n,
        }),
        Some("ByteLevel") => Ok(2),
        Some("Precompiled") => {
            let map = part["precompiled_charsmap"].as_str().unwrap_or_default();
            charsmap(map).map_err(|m| format!("Precompiled: {m}"))
        }
        _ => Ok(1),
    }
}

/// Checks a map of characters as SentencePiece compiles it, and says how many times longer it makes a text. The map is a
/// double-array trie of little-endian words, behind its length, and then the texts that the leaves point into.
fn charsmap(base64: &str) -> Result<u64, String> {
    let bytes = base64::decode(base64).map_err(|e| e.to_string())?;
    let (first, rest) = bytes.split_first_chunk::<4>().ok_or("no length of the trie")?;
    let size = u32::from_le_bytes(*first) as usize;
    if size == 0 || !size.is_multiple_of(4) || size > rest.len() {
        return Err(format!("a trie of {size} bytes in {}", rest.len()));
    }
    let (trie, texts) = rest.split_at(size);
    let trie: Vec<usize> = trie.as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w) as usize).collect();
    let texts = std::str::from_utf8(texts).map_err(|_| "texts that are no UTF-8")?;
    // As the crate reads a word: an offset, a label, and whether a leaf follows.
    let offset = |unit: usize| (unit >> 10) << ((unit & (1 << 9)) >> 6);
    let label = |unit: usize| unit & (1 << 31 | 0xff);
    let mut times = 1;
    // Nodes from the root on, each once, with the bytes that lead to it.
    let mut seen = vec![false; trie.len()];
    let mut open = vec![(offset(trie[0]), 0u64)];
    while let Some((node, depth)) = open.pop() {
        let visited = seen.get_mut(node).ok_or("a node outside of the trie")?;
        if std::mem::replace(visited, true) {
            continue;
        }
        for byte in 1..=255usize {
            let unit = *trie.get(node ^ byte).ok_or("a node outside of the trie")?;
            if label(unit) != byte {
                continue;
            }
            let next = (node ^ byte) ^ offset(unit);
            if unit >> 8 & 1 == 1 {
                let at = *trie.get(next).ok_or("a leaf outside of the trie")? & ((1 << 31) - 1);
                let text = texts.get(at..).ok_or("a leaf that points into no text")?;
                let len = text.bytes().position(|b| b == 0).unwrap_or(text.len()) as u64;
                times = times.max(len.div_ceil(depth + 1));
            }
            open.push((next, depth + 1));
        }
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(part: Value, why: &str) {
        let e = check(&json!({ "normalizer": part })).expect_err(why);
        assert!(e.contains(why), "{e}");
    }

    /// A map with one leaf: `a` becomes `text`.
    fn map(text: &str, meddle: impl Fn(&mut Vec<u32>)) -> String {
        // The root's offset is 0; `a` is at 0x61 with offset 0x61 ^ 0x80, so its leaf is at 0x80, where the text's place stands.
        let mut trie = vec![0u32; 256];
        trie[0x61] = 0x61 | 1 << 8 | (0x61 ^ 0x80) << 10;
        meddle(&mut trie);
        let mut bytes = (trie.len() as u32 * 4).to_le_bytes().to_vec();
        bytes.extend(trie.iter().flat_map(|w| w.to_le_bytes()));
        bytes.extend(text.as_bytes());
        base64::encode(bytes)
    }

    #[test]
    fn precompiled_maps() {
        assert_eq!(charsmap(&map("xyz\0", |_| {})), Ok(3));
        for (map, why) in [
            ("?".to_owned(), "Invalid"),
            (base64::encode([1]), "no length"),
            (base64::encode([0, 0, 0, 0, b'a']), "a trie of 0 bytes"),
            (base64::encode([255; 8]), "a trie of 4294967295 bytes in 4"),
            (map("x\0", |t| t.truncate(128)), "outside of the trie"),
            (map("x\0", |t| t[0x80] = 77), "points into no text"),
            (map("\u{e9}\0", |t| t[0x80] = 1), "points into no text"),
            (map("x\0", |t| t[0x61] |= 1 << 20), "outside of the trie"),
        ] {
            let e = charsmap(&map).expect_err(why);
            assert!(e.contains(why), "{e} where {why} is due");
        }
        refused(json!({"type": "Precompiled", "precompiled_charsmap": map(&"x".repeat(1000), |_| {})}), "1000 times");
    }

    #[test]
    fn texts_that_grow_without_end() {
        let twice = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
        assert_eq!(check(&json!({"normalizer": {"type": "Sequence", "normalizers": vec![twice.clone(); 6]}})), Ok(()));
        refused(json!({"type": "Sequence", "normalizers": vec![twice; 40]}), "a text may grow 1099511627776 times");
        refused(json!({"type": "Replace", "pattern": {"Regex": ""}, "content": "x".repeat(99)}), "100 times");
        refused(json!({"type": "Prepend", "prepend": "x".repeat(99)}), "99 times");
    }

    #[test]
    fn templates() {
        let template = |single: Value| {
            let special = json!({"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}, "odd": {"id": "odd", "ids": [1, 2], "tokens": ["<s>"]}});
            json!({"type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": special})
        };
        let (token, text) = (
            |id: &str| json!({"SpecialToken": {"id": id, "type_id": 0}}),
            |id: &str| json!({"Sequence": {"id": id, "type_id": 0}}),
        );
        assert_eq!(parts(&template(json!([token("<s>"), text("A")]))), Ok(()));
        refused(template(json!([token("[CLS]")])), "`[CLS]`, which is none of its special tokens");
        refused(template(json!([token("odd")])), "not as many tokens as ids");
        refused(template(json!([text("B")])), "a second document");
        refused(template(json!(vec![text("A"); 9])), "9 documents");
        refused(json!({"type": "Sequence", "processors": [template(json!([token("x")]))]}), "`x`");
    }

    #[test]
    fn large_files() {
        let list = format!("[{}0]", "0,".repeat(VALUES as usize));
        assert_eq!(json(list.as_bytes()).unwrap_err(), format!("more than {VALUES} values at line 1 column 6291455"));
        assert_eq!(json(br#"{"a": [1, -1, 0.5, "x", null, true, {}]}"#).unwrap()["a"][3], "x");
        let file = |model: Value| json!({ "model": { "vocab": model } });
        let token = |k: usize, len: usize| json!([format!("{k}{}", "x".repeat(len)), 0.0]);
        assert_eq!(check(&file((0..100).map(|k| token(k, 1000)).collect())), Ok(()));
        let e = check(&file((0..5).map(|k| token(k, 1 << 20)).collect())).unwrap_err();
        assert!(e.contains("5242885 beginnings of tokens"), "{e}");
        // One begins as the other does.
        assert_eq!(check(&file(json!([["x".repeat(1 << 20), 0.0], ["x".repeat((1 << 20) + 1), 0.0]]))), Ok(()));
        let e = check(&json!({ "added_tokens": [{ "content": "x".repeat(5 << 20) }] })).unwrap_err();
        assert!(e.contains("5242880 bytes of added tokens"), "{e}");
    }

    #[test]
    fn other_parts() {
        refused(json!({"type": "FixedLength", "length": 0}), "0 characters");
        refused(json!({"type": "Strip", "content": " ", "start": 0, "stop": 1}), "the ends of tokens");
        for merges in [json!(["a b"]), json!([["a", "b"]])] {
            refused(json!({"continuing_subword_prefix": "##", "merges": merges}), "lacks the prefix");
        }
    }
}
