//! Which lines of a text are others in another version of it.
//!
//! Lines are compared without comments and without what spaces are before, behind and between words, so that neither a comment nor the
//! formatter is a change. What both versions have is found as the longest common sequence of lines.

/// Beyond so many pairs of lines that differ, one sentence stands for all of them.
const MOST: usize = 1 << 22;

/// A line, by its number from 1, and its words.
type Line = (usize, String);

/// Sentences such as ``a.loom:3 was `x`, and is `y` ``, in the order of the text `now`.
pub fn changes(path: &str, then: &str, now: &str) -> Vec<String> {
    let (then, now) = (lines(then), lines(now));
    let same = then.iter().zip(&now).take_while(|(a, b)| a.1 == b.1).count();
    let (then, now) = (&then[same..], &now[same..]);
    let tail = then.iter().rev().zip(now.iter().rev()).take_while(|(a, b)| a.1 == b.1).count();
    let (then, now) = (&then[..then.len() - tail], &now[..now.len() - tail]);
    if then.len().saturating_mul(now.len()) > MOST {
        return vec![format!("{path} is another text from line {} on", now[0].0)];
    }
    let mut said = Vec::new();
    let (mut old, mut new): (Vec<&Line>, Vec<&Line>) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    for (a, b) in common(then, now).into_iter().chain([(then.len(), now.len())]) {
        old.extend(&then[i..a]);
        new.extend(&now[j..b]);
        said.extend(changed(path, &old, &new));
        old.clear();
        new.clear();
        (i, j) = (a + 1, b + 1);
    }
    said
}

/// Lines in the place of others: one for one as far as both go.
fn changed(path: &str, old: &[&Line], new: &[&Line]) -> Vec<String> {
    let both = old.iter().zip(new).map(|(a, b)| format!("{path}:{} was `{}`, and is `{}`", b.0, a.1, b.1));
    let gone = old.iter().skip(new.len()).map(|a| format!("{path} had line {}, `{}`, and has it no more", a.0, a.1));
    let more = new.iter().skip(old.len()).map(|b| format!("{path}:{} is new: `{}`", b.0, b.1));
    both.chain(gone).chain(more).collect()
}

/// Lines with anything in them.
fn lines(text: &str) -> Vec<Line> {
    let words = |l: &str| l.split("//").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().enumerate().map(|(i, l)| (i + 1, words(l))).filter(|l| !l.1.is_empty()).collect()
}

/// The places of the longest common sequence of lines.
fn common(a: &[Line], b: &[Line]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i].1 == b[j].1 {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i].1 == b[j].1 {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_others() {
        let then = "fn f() {\n    a // one\n    b\n    c\n}\n";
        assert_eq!(changes("x", then, "fn f()   {\n\n  a\n  b // two\n  c\n}"), Vec::<String>::new());
        assert_eq!(
            changes("x", then, "fn f() {\n    a\n    dropout(b, 0.1)\n    c\n}"),
            ["x:3 was `b`, and is `dropout(b, 0.1)`"]
        );
        assert_eq!(
            changes("x", then, "fn f() {\n    a\n    n\n    b\n}"),
            ["x:3 is new: `n`", "x had line 4, `c`, and has it no more"]
        );
        assert_eq!(changes("x", "", "a"), ["x:1 is new: `a`"]);
        assert_eq!(changes("x", "a", ""), ["x had line 1, `a`, and has it no more"]);
    }

    #[test]
    fn much_that_differs_is_one_sentence() {
        let of = |word: &str| (0..3000).map(|i| format!("{word}{i}\n")).collect::<String>();
        assert_eq!(changes("x", &of("a"), &of("b")), ["x is another text from line 1 on"]);
    }
}
