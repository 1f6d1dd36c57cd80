//! Rust sources as tokens, for tests that read them as text.
//!
//! Not here: what the tokens mean.

/// Words, `::`, and single signs; without comments, strings, characters and lifetimes.
pub fn tokens(text: &str) -> Vec<String> {
    numbered(text).into_iter().map(|t| t.1).collect()
}

/// The same, each with its line.
pub fn numbered(text: &str) -> Vec<(usize, String)> {
    let c: Vec<char> = text.chars().collect();
    let mut line = 1;
    let line_of = |c: &char| {
        let here = line;
        line += usize::from(*c == '\n');
        here
    };
    let lines: Vec<usize> = c.iter().map(line_of).collect();
    let word = |i: usize| c.get(i).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let mut found = Vec::new();
    let mut i = 0;
    while i < c.len() {
        let next = c.get(i + 1).copied().unwrap_or(' ');
        if c[i] == '/' && next == '/' {
            while i < c.len() && c[i] != '\n' {
                i += 1;
            }
        } else if c[i] == '/' && next == '*' {
            while i < c.len() && !(c[i] == '*' && c.get(i + 1) == Some(&'/')) {
                i += 1;
            }
            i += 2;
        } else if c[i] == 'r' && (next == '"' || next == '#' && matches!(c.get(i + 2), Some('"' | '#'))) {
            let hashes = c[i + 1..].iter().take_while(|c| **c == '#').count();
            i += hashes + 2;
            let end = |i: usize| c[i] == '"' && c[i + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
            while i < c.len() && !end(i) {
                i += 1;
            }
            i += hashes + 1;
        } else if c[i] == '"' {
            i += 1;
            while i < c.len() && c[i] != '"' {
                i += if c[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c[i] == '\'' {
            // 'x' and '\n' are characters, 'a without a closing sign is a lifetime.
            if next == '\\' {
                i += 3;
                while i < c.len() && c[i] != '\'' {
                    i += 1;
                }
                i += 1;
            } else if c.get(i + 2) == Some(&'\'') {
                i += 3;
            } else {
                i += 1;
                while word(i) {
                    i += 1;
                }
            }
        } else if word(i) {
            let start = i;
            while word(i) {
                i += 1;
            }
            found.push((lines[start], c[start..i].iter().collect()));
        } else if c[i] == ':' && next == ':' {
            found.push((lines[i], "::".into()));
            i += 2;
        } else {
            if !c[i].is_whitespace() {
                found.push((lines[i], c[i].to_string()));
            }
            i += 1;
        }
    }
    found
}
