//! The flags of a launch script, with their lines: assignments, arrays, arithmetic and `if` are followed as far as such scripts use
//! them.
//!
//! A script is not run. A flag counts wherever it stands, in an array or on a command line, unless an `if` around it is false; an `if`
//! that cannot be decided is listed, and what it holds is left out.
//!
//! Not here: what flags mean (`words`).

use super::pairs::Pair;
use std::collections::BTreeMap;

/// What a script says.
#[derive(Default)]
pub struct Script {
    pub flags: Vec<Pair>,
    /// Lines that were not followed, and why.
    pub unread: Vec<(usize, String)>,
}

/// An `if` that is open: whether its present branch is read, and whether one was.
struct Branch {
    read: bool,
    done: bool,
}

pub fn read(text: &str) -> Script {
    let mut script = Script::default();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut branches: Vec<Branch> = Vec::new();
    let mut flag: Option<Pair> = None;
    for (i, raw) in text.lines().enumerate() {
        let line = i + 1;
        let words = words(raw);
        let first = words.first().map_or("", String::as_str);
        match first {
            "if" | "elif" => {
                let value = condition(&words, &known);
                if value.is_none() {
                    let why = format!("a condition that is not followed, and what depends on it: {}", raw.trim());
                    script.unread.push((line, why));
                }
                let value = value.unwrap_or(false);
                match branches.last_mut().filter(|_| first == "elif") {
                    Some(b) => (b.read, b.done) = (!b.done && value, b.done || value),
                    None => branches.push(Branch { read: value, done: value }),
                }
                continue;
            }
            "else" => {
                if let Some(b) = branches.last_mut() {
                    (b.read, b.done) = (!b.done, true);
                }
                continue;
            }
            "fi" => {
                branches.pop();
                continue;
            }
            _ => {}
        }
        if branches.iter().any(|b| !b.read) {
            continue;
        }
        if let Some((name, value)) = assignment(raw) {
            let value = substituted(&value, &known);
            known.insert(name, value);
            continue;
        }
        // A quoted word may hold a flag and its value.
        let split =
            words.iter().flat_map(|w| substituted(w, &known).split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        for word in split.collect::<Vec<_>>() {
            if word.starts_with("--") {
                script.flags.extend(flag.take());
                let (name, value) = word.split_once('=').unwrap_or((&word, ""));
                flag = Some(Pair::new(name, value, line));
            } else if [")", "\\", "("].contains(&word.as_str()) {
                continue;
            } else if let Some(open) = &mut flag
                && open.value.is_empty()
                && open.line == line
            {
                open.value = word;
            }
        }
        // A flag ends with its line unless its value stands there: values are not carried over lines.
        script.flags.extend(flag.take());
    }
    script
}

/// The words of a line, without quotes and comments. Brackets of arrays are words.
fn words(line: &str) -> Vec<String> {
    let (mut out, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut depth = 0usize;
    let mut before = ' ';
    for c in line.chars() {
        let open = quote.is_none() && depth == 0;
        match c {
            '#' if open && before.is_whitespace() => break,
            '"' | '\'' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            '{' | '(' if before == '$' || depth > 0 => {
                depth += 1;
                word.push(c);
            }
            '}' | ')' if depth > 0 => {
                depth -= 1;
                word.push(c);
            }
            '(' | ')' if open => {
                out.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
                out.push(c.to_string());
            }
            c if c.is_whitespace() && open => out.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
        before = c;
    }
    out.extend((!word.is_empty()).then_some(word));
    out
}

/// `NAME=VALUE` alone on a line, also behind `export`. An array is none: its flags are read as they stand.
fn assignment(line: &str) -> Option<(String, String)> {
    let words = words(line);
    let at = usize::from(["export", "local", "declare"].contains(&words.first()?.as_str()));
    let (name, value) = words.get(at)?.split_once('=')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // A command with settings before it has more words, and an array a bracket; text in quotes is one word.
    let alone = words.len() == at + 1 && !value.contains("--") && !line.contains("=(");
    (is_name && alone).then(|| (name.to_owned(), value.to_owned()))
}

/// `text` with the values of variables that are known: `$A`, `${A}`, `${A:-b}`, `$((A * 2))`. Others stay as they are.
fn substituted(text: &str, known: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out += &rest[..at];
        rest = &rest[at..];
        let (value, used) = variable(rest, known);
        match value {
            Some(value) => out += &value,
            None => out += &rest[..used],
        }
        rest = &rest[used..];
    }
    out + rest
}

/// The value of the variable or sum at the front of `text`, and how long its name is.
fn variable(text: &str, known: &BTreeMap<String, String>) -> (Option<String>, usize) {
    if let Some(end) = text.strip_prefix("$((").and_then(|t| t.find("))")) {
        let inner = &text[3..3 + end];
        return (arithmetic(&substituted(inner, known), known).map(|n| n.to_string()), end + 5);
    }
    if let Some(end) = text.strip_prefix("${").and_then(|t| t.find('}')) {
        let inner = &text[2..2 + end];
        let (name, usual) = match inner.split_once(":-").or_else(|| inner.split_once(":=")) {
            Some((name, usual)) => (name, Some(usual)),
            None => (inner, None),
        };
        let usual = usual.map(|u| substituted(u.trim_matches(['"', '\'']), known));
        return (known.get(name).filter(|v| !v.is_empty()).cloned().or(usual), end + 3);
    }
    let name: String = text[1..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    (known.get(&name).cloned(), 1 + name.len())
}

/// A product, quotient, sum or difference of whole numbers and names, from left to right with `*` and `/` first.
fn arithmetic(text: &str, known: &BTreeMap<String, String>) -> Option<i64> {
    let text = text.replace(['(', ')'], " ");
    let term = |t: &str| -> Option<i64> {
        let mut value = None;
        let (mut op, mut from) = ('*', 0);
        let ends = t.char_indices().filter(|c| "*/".contains(c.1)).chain([(t.len(), ' ')]);
        for (i, next) in ends {
            let word = t[from..i].trim();
            let n: i64 = word.parse().ok().or_else(|| known.get(word)?.trim().parse().ok())?;
            value = match (value, op) {
                (None, _) => Some(n),
                (Some(v), '*') => i64::checked_mul(v, n),
                (Some(v), _) => i64::checked_div(v, n),
            };
            (op, from) = (next, i + 1);
        }
        value
    };
    let mut sum = 0i64;
    let (mut sign, mut from) = (1, 0);
    for (i, c) in text.char_indices().filter(|c| "+-".contains(c.1)).chain([(text.len(), ' ')]) {
        sum = sum.checked_add(term(&text[from..i])?.checked_mul(sign)?)?;
        (sign, from) = (if c == '-' { -1 } else { 1 }, i + 1);
    }
    Some(sum)
}

/// Whether a test holds: `A == B`, `A != B`, `-n A`, `-z A`, numbers by `-gt` and its like, joined by `||` or `&&`.
fn condition(words: &[String], known: &BTreeMap<String, String>) -> Option<bool> {
    let inner: Vec<String> = words
        .iter()
        .skip(1)
        .map(|w| w.trim_end_matches(';').to_owned())
        .filter(|w| !["[", "[[", "]", "]]", "then", ""].contains(&w.as_str()) || w.is_empty())
        .collect();
    let mut value: Option<bool> = None;
    let mut joined = "";
    let mut rest = inner.as_slice();
    loop {
        let end = rest.iter().position(|w| w == "||" || w == "&&").unwrap_or(rest.len());
        let one = test(&rest[..end], known)?;
        value = Some(match (value, joined) {
            (Some(v), "||") => v || one,
            (Some(v), _) => v && one,
            (None, _) => one,
        });
        match rest.get(end) {
            Some(w) => joined = if w == "||" { "||" } else { "&&" },
            None => return value,
        }
        rest = &rest[end + 1..];
    }
}

fn test(words: &[String], known: &BTreeMap<String, String>) -> Option<bool> {
    let of = |w: &String| {
        let value = substituted(w, known);
        // What was never given is empty.
        if value.contains('$') { String::new() } else { value }
    };
    let words: Vec<&String> = words.iter().filter(|w| !w.is_empty()).collect();
    match words.as_slice() {
        [op, a] if *op == "-n" => Some(!of(a).is_empty()),
        [op, a] if *op == "-z" => Some(of(a).is_empty()),
        [op] if *op == "-n" => Some(false),
        [op] if *op == "-z" => Some(true),
        [a, op, b] => {
            let numbers = || Some((of(a).parse::<i64>().ok()?, of(b).parse::<i64>().ok()?));
            match op.as_str() {
                "==" | "=" => Some(of(a) == of(b)),
                "!=" => Some(of(a) != of(b)),
                "-eq" => numbers().map(|(a, b)| a == b),
                "-ne" => numbers().map(|(a, b)| a != b),
                "-gt" => numbers().map(|(a, b)| a > b),
                "-ge" => numbers().map(|(a, b)| a >= b),
                "-lt" => numbers().map(|(a, b)| a < b),
                "-le" => numbers().map(|(a, b)| a <= b),
                _ => None,
            }
        }
        _ => None,
    }
}
