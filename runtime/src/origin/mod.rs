//! What a program was made from: its source, the types of its inputs, and the settings of its optimizer as they came out, with what
//! the command line made of dims and constants.
//!
//! Values are compared, and not how they are written: `1e-3` is `0.001`. What functions say is compared as text, line by line, where the
//! source is Loom; a program from JAX has a hash.

mod changes;

use changes::changes;
use meshloom_bundle::{Bundle, Port, Role, sha256};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A longer source is kept as a hash alone.
const LONGEST: usize = 1 << 18;
/// The compiler puts the settings of an entry beside the sources, under this and its name (`driver/src/backend.rs`).
const SETTINGS: &str = "settings of ";
/// What was asserted at the command line, which changes no number (`syntax/src/elaborate`).
const ASSERTS: &str = "--assert";
/// So many changed lines are shown.
const SHOWN: usize = 5;

/// What a program was made from, the mesh aside: what people change between two runs, and want to hear of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Hash of the source texts.
    pub source: String,
    /// Inputs with their types: the batch, the length of a sequence.
    pub inputs: BTreeMap<String, String>,
    /// What checkpoints of the first versions have: the text of the `train` declaration. It is not compared.
    #[serde(default, skip_serializing)]
    pub settings: BTreeMap<String, String>,
    /// What the `train` declaration comes to, and the constants of the program: `lr`, `constant batch`.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// The source texts, by path, where they are Loom.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub text: BTreeMap<String, String>,
}

impl Origin {
    /// Of an entry of a bundle, with these ports.
    pub fn of(bundle: &Bundle, entry: &str, ports: &[Port]) -> Origin {
        let all = &bundle.contents.sources;
        let of_program = all.iter().filter(|s| s.0 != ASSERTS);
        let (beside, sources): (Vec<_>, Vec<_>) = of_program.partition(|s| s.0.starts_with(SETTINGS));
        let settings = beside.iter().find(|s| s.0.strip_prefix(SETTINGS) == Some(entry));
        let settings = settings.into_iter().flat_map(|s| s.1.lines()).filter_map(|l| l.split_once(" = "));
        let all: Vec<&[u8]> = sources.iter().map(|s| s.1.as_bytes()).collect();
        let inputs = ports.iter().filter(|p| p.alias.is_none() && p.role == Role::Input);
        let small = all.iter().map(|s| s.len()).sum::<usize>() <= LONGEST;
        let loom = |path: &str| small && !path.ends_with(".mlir") && !path.ends_with(".stablehlo");
        Origin {
            source: sha256(&all.join(&0)),
            inputs: inputs.map(|p| (p.name.clone(), crate::host::describe(p.dtype, &p.global_shape))).collect(),
            settings: BTreeMap::new(),
            values: settings.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            text: sources.into_iter().filter(|s| loom(&s.0)).cloned().collect(),
        }
    }

    /// How a run differs from the one that wrote a checkpoint: a sentence for each difference.
    pub fn differences(&self, was: &Origin) -> Vec<String> {
        let mut all = compared("input", &self.inputs, &was.inputs);
        if !was.values.is_empty() {
            all.extend(compared("setting", &self.values, &was.values));
        }
        if self.source != was.source {
            all.extend(self.lines(was));
        }
        // Comments are no difference; of what is a hash alone, nothing more is known.
        let known = !self.text.is_empty() && !was.text.is_empty();
        if all.is_empty() && !known && self.source != was.source {
            let short = |s: &str| s.get(..12).unwrap_or(s).to_owned();
            all.push(format!("its source had the hash {}, and has {}", short(&was.source), short(&self.source)));
        }
        all
    }

    /// Lines of the source that are others, comments and spaces aside.
    fn lines(&self, was: &Origin) -> Vec<String> {
        let mut all = Vec::new();
        if self.text.is_empty() || was.text.is_empty() {
            return all;
        }
        // One file may have another name since; of several, each is found by its name.
        let renamed = self.text.len() == 1 && was.text.len() == 1;
        for (path, now) in &self.text {
            let then = if renamed { was.text.values().next() } else { was.text.get(path) };
            all.extend(then.map_or_else(|| vec![format!("{path} is new")], |then| changes(path, then, now)));
        }
        let gone = was.text.keys().filter(|path| !renamed && !self.text.contains_key(*path));
        all.extend(gone.map(|path| format!("{path} was a part of it, and is not")));
        let more = all.len().saturating_sub(SHOWN);
        all.truncate(SHOWN);
        if more > 0 {
            all.push(format!("{more} more lines of its source are others"));
        }
        all
    }
}

fn compared(what: &str, now: &BTreeMap<String, String>, then: &BTreeMap<String, String>) -> Vec<String> {
    let mut names: Vec<&String> = now.keys().chain(then.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let differ = names.into_iter().filter(|n| now.get(*n) != then.get(*n));
    let all = differ.map(|name| {
        let say = |v: Option<&String>| v.map_or("not given".to_owned(), |v| format!("`{v}`"));
        let (what, short) = name.split_once(' ').unwrap_or((what, name));
        format!("{what} `{short}` was {}, and is {}", say(then.get(name)), say(now.get(name)))
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(all: &[(&str, &str)]) -> BTreeMap<String, String> {
        all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn what_differs_is_said_with_both_values() {
        let of = |lr: &str, batch: &str, source: &str| Origin {
            source: sha256(source.as_bytes()),
            inputs: map(&[("tokens", &format!("i32[{batch}, 64]"))]),
            values: map(&[("optimizer", "adamw"), ("lr", lr), ("constant batch", batch)]),
            text: map(&[("a.loom", source)]),
            ..Origin::default()
        };
        let was = of("0.001", "8", "a\n");
        assert_eq!(of("0.001", "8", "a\n").differences(&was), Vec::<String>::new());
        assert_eq!(of("0.0001", "8", "a\n").differences(&was), ["setting `lr` was `0.001`, and is `0.0001`"]);
        let two = of("0.001", "4", "a\n").differences(&was);
        let due = ["input `tokens` was `i32[8, 64]`, and is `i32[4, 64]`", "constant `batch` was `8`, and is `4`"];
        assert_eq!(two, due);
        assert_eq!(of("0.001", "8", "b\n").differences(&was), ["a.loom:1 was `a`, and is `b`"]);
        // Of a checkpoint that says less, less is compared.
        let old = Origin { values: BTreeMap::new(), text: BTreeMap::new(), ..was.clone() };
        let said = of("0.001", "8", "b\n").differences(&old);
        assert!(said.len() == 1 && said[0].starts_with("its source had the hash "), "{said:?}");
        assert_eq!(of("0.1", "8", "a\n").differences(&old), Vec::<String>::new());
    }
}
