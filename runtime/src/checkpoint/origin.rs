//! What a program was made from: the hash of its source, the types of its inputs, and the settings of its optimizer as
//! the `train` declaration has them.
//!
//! Settings are compared as they are written, so `1e-3` and `0.001` differ. What a function says that the declaration
//! calls is under the hash of the source alone, and a program from JAX has no declaration.

use meshloom_bundle::{Bundle, Port, Role, sha256};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a program was made from, the mesh aside: what people change between two runs, and want to hear of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Hash of the source texts.
    pub source: String,
    /// Inputs with their types: the batch, the length of a sequence.
    pub inputs: BTreeMap<String, String>,
    /// What the `train` declaration says: `optimizer`, then each of its arguments.
    pub settings: BTreeMap<String, String>,
}

impl Origin {
    /// Of an entry of a bundle, with these ports.
    pub fn of(bundle: &Bundle, entry: &str, ports: &[Port]) -> Origin {
        let sources = &bundle.contents.sources;
        let all: Vec<&[u8]> = sources.iter().map(|s| s.1.as_bytes()).collect();
        let inputs = ports.iter().filter(|p| p.alias.is_none() && p.role == Role::Input);
        Origin {
            source: sha256(&all.join(&0)),
            inputs: inputs.map(|p| (p.name.clone(), crate::host::describe(p.dtype, &p.global_shape))).collect(),
            settings: sources.iter().find_map(|s| settings(&s.1, entry)).unwrap_or_default(),
        }
    }

    /// How a run differs from the one that wrote a checkpoint: a sentence for each difference that matters.
    pub fn differences(&self, was: &Origin) -> Vec<String> {
        let mut all = Vec::new();
        for (what, now, then) in [("input", &self.inputs, &was.inputs), ("setting", &self.settings, &was.settings)] {
            let mut names: Vec<&String> = now.keys().chain(then.keys()).collect();
            names.sort_unstable();
            names.dedup();
            for name in names.into_iter().filter(|n| now.get(*n) != then.get(*n)) {
                let say = |v: Option<&String>| v.map_or("not given".to_owned(), |v| format!("`{v}`"));
                all.push(format!("{what} `{name}` was {}, and is {}", say(then.get(name)), say(now.get(name))));
            }
        }
        if all.is_empty() && self.source != was.source {
            let short = |s: &str| s.get(..12).unwrap_or(s).to_owned();
            all.push(format!("its source had the hash {}, and has {}", short(&was.source), short(&self.source)));
        }
        all
    }
}

/// The arguments of `train ENTRY = optimizer(loss, lr: 0.1, ..)`, by name, or by place where they have none.
fn settings(source: &str, entry: &str) -> Option<BTreeMap<String, String>> {
    let text: Vec<&str> = source.lines().map(|l| l.split("//").next().unwrap_or_default()).collect();
    let at = text.iter().position(|l| {
        let declared = l.trim_start().strip_prefix("train ").map(str::trim_start);
        declared.and_then(|l| l.strip_prefix(entry)).is_some_and(|l| l.trim_start().starts_with('='))
    })?;
    let text = text[at..].join(" ");
    let (optimizer, rest) = text.split_once('=')?.1.split_once('(')?;
    let mut all = BTreeMap::from([("optimizer".to_owned(), optimizer.trim().to_owned())]);
    let (mut depth, mut argument, mut place) = (0, String::new(), 0);
    for c in rest.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth < 0 || (depth == 0 && c == ',') {
            let words = argument.split_whitespace().collect::<Vec<_>>().join(" ");
            let named = words.split_once(':').filter(|(n, _)| n.chars().all(|c| c.is_alphanumeric() || c == '_'));
            if let Some((name, value)) = named {
                all.insert(name.to_owned(), value.trim().to_owned());
            } else if !words.is_empty() {
                all.insert(format!("argument {place}"), words.clone());
            }
            place += 1;
            argument.clear();
        } else {
            argument.push(c);
        }
        if depth < 0 {
            return Some(all);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_is_read() {
        let source = "fn train_it() {}\ntrain gpt2 = sgd(loss, lr: 1)\ntrain gpt = adamw( // the best\n    loss,\n    lr: warmup_cosine(peak: 1e-3,\n \
                      warmup: 100), betas: (0.9, 0.95),\n)\nentry next() {}";
        let found = settings(source, "gpt").unwrap();
        let due = [
            ("argument 0", "loss"),
            ("betas", "(0.9, 0.95)"),
            ("lr", "warmup_cosine(peak: 1e-3, warmup: 100)"),
            ("optimizer", "adamw"),
        ];
        assert_eq!(found, due.map(|(n, v)| (n.to_owned(), v.to_owned())).into());
        assert_eq!(settings(source, "other"), None);
        assert_eq!(settings("train a = sgd(loss", "a"), None);
        assert_eq!(settings("module @jit {}", "a"), None);
    }

    #[test]
    fn what_differs_is_said_with_both_values() {
        let of = |lr: &str, batch: &str, source: &str| Origin {
            source: source.into(),
            inputs: [("tokens".to_owned(), format!("i32[{batch}, 64]"))].into(),
            settings: [("optimizer".to_owned(), "adamw".to_owned()), ("lr".to_owned(), lr.to_owned())].into(),
        };
        let was = of("1e-3", "8", "a");
        assert_eq!(of("1e-3", "8", "a").differences(&was), Vec::<String>::new());
        assert_eq!(of("1e-4", "8", "b").differences(&was), ["setting `lr` was `1e-3`, and is `1e-4`"]);
        let two = of("1e-3", "4", "a").differences(&was);
        assert_eq!(two, ["input `tokens` was `i32[8, 64]`, and is `i32[4, 64]`"]);
        assert_eq!(of("1e-3", "8", "b").differences(&was), ["its source had the hash a, and has b"]);
    }
}
