//! `sdy.sharding_rule` beside an op: `#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>`. It says which
//! dims are the same factor, for Shardy to propagate along. Plans have factors of their own, from the op itself, so a rule is
//! read only as far as Shardy's verifier reads it: one that is malformed is refused, and no other is followed.

use crate::lexer::Token;
use crate::tree::Tree;

/// Factors by number: `i` is 0, `z` is 17, `z_1` is 18.
type Dims = Vec<Vec<usize>>;

/// The sets of factors behind the sizes, in their order.
const SETS: [&str; 4] = ["reduction", "need_replication", "permutation", "blocked_propagation"];

/// What is wrong with a rule, beside an op with operands and results of these ranks.
///
/// # Errors
/// Mappings of another number or rank, a dim without a factor, a factor that stands nowhere, twice in a tensor, or out of order.
pub fn check(trees: &[Tree<'_>], operands: &[usize], results: &[usize]) -> Result<(), String> {
    const FORM: &str = "a sharding rule is `#sdy.op_sharding_rule<([i, j], ..)->([i, j]) {i=8, j=4}>`";
    let inner = match trees {
        [name, rule] if name.leaf(Token::Hash) == Some("#sdy.op_sharding_rule") => rule.group(b'<').ok_or(FORM)?,
        _ => return Err(FORM.to_string()),
    };
    let [from, arrow, to, rest @ ..] = inner else { return Err(FORM.to_string()) };
    if arrow.leaf(Token::Arrow).is_none() {
        return Err(FORM.to_string());
    }
    let (from, to) = (mappings(from.group(b'(').ok_or(FORM)?)?, mappings(to.group(b'(').ok_or(FORM)?)?);
    let (sizes, rest) = match rest {
        [Tree::Group(g), rest @ ..] if g.open == b'{' => (sizes(&g.trees)?, rest),
        rest => (Vec::new(), rest),
    };
    let special = special(rest)?;

    for (what, maps, ranks) in [("operand", &from, operands), ("result", &to, results)] {
        if maps.len() != ranks.len() {
            return Err(format!("a rule of {} {what}s, and the op has {}", maps.len(), ranks.len()));
        }
        for (n, (dims, &rank)) in maps.iter().zip(ranks).enumerate() {
            if dims.len() != rank {
                return Err(format!("a rule has {} dims for {what} {n}, which has {rank}", dims.len()));
            }
            tensor(dims, &sizes).map_err(|e| format!("{what} {n} of a rule: {e}"))?;
        }
    }
    let used = |f: usize| from.iter().chain(&to).flatten().flatten().any(|&g| g == f);
    if let Some(f) = (0..sizes.len()).find(|&f| !used(f)) {
        return Err(format!("factor `{}` of a rule stands in no tensor", symbol(f)));
    }
    for (n, set) in special.iter().enumerate() {
        let name = SETS[n];
        if let Some(&f) = set.iter().find(|&&f| f >= sizes.len()) {
            return Err(format!("`{name}` of a rule has `{}`, which is no factor of it", symbol(f)));
        }
        if !set.is_sorted_by(|a, b| a < b) {
            return Err(format!("the factors of `{name}` stand in another order than in the rule, or twice"));
        }
        // What is blocked may be of any kind.
        let again = |f: &&usize| n < 3 && special[..n].iter().any(|s| s.contains(f));
        if let Some(&f) = set.iter().find(again) {
            return Err(format!("factor `{}` of a rule is of two kinds", symbol(f)));
        }
    }
    match special[0].iter().find(|f| to.iter().flatten().flatten().any(|g| g == *f)) {
        Some(&f) => Err(format!("factor `{}` of a rule is reduced, and stands in a result", symbol(f))),
        None => Ok(()),
    }
}

/// Whether the dims of a tensor have factors as they should.
fn tensor(dims: &Dims, sizes: &[u64]) -> Result<(), String> {
    let mut seen: Vec<usize> = Vec::new();
    for factors in dims {
        if factors.is_empty() {
            return Err("a dim has no factor".to_string());
        }
        for &f in factors {
            let size = sizes.get(f).ok_or_else(|| format!("`{}` has no size", symbol(f)))?;
            if *size == 1 && factors.len() > 1 {
                return Err(format!("`{}`, of size 1, is one of several factors of a dim", symbol(f)));
            }
            if seen.contains(&f) {
                return Err(format!("`{}` stands twice", symbol(f)));
            }
            seen.push(f);
        }
    }
    Ok(())
}

/// `[i, j], [jk]`
fn mappings(trees: &[Tree<'_>]) -> Result<Vec<Dims>, String> {
    let each = trees.split(|t| t.leaf(Token::Comma).is_some());
    each.map(|one| match one {
        [Tree::Group(g)] if g.open == b'[' && g.trees.is_empty() => Ok(Vec::new()),
        [Tree::Group(g)] if g.open == b'[' => {
            g.trees.split(|t| t.leaf(Token::Comma).is_some()).map(|d| dim(d)).collect()
        }
        _ => Err("the factors of each tensor of a rule stand in `[ ]`".to_string()),
    })
    .collect()
}

/// The factors of one dim: `j`, or `jz_1`.
fn dim(trees: &[Tree<'_>]) -> Result<Vec<usize>, String> {
    match trees {
        [] => Ok(Vec::new()),
        [t] => factors(t.leaf(Token::Word).unwrap_or_default()),
        _ => Err("the factors of a dim of a rule are written without spaces".to_string()),
    }
}

fn factors(word: &str) -> Result<Vec<usize>, String> {
    let wrong = || format!("`{word}` is no factor of a rule: these are `i` to `z`, then `z_1`, `z_2` ..");
    let (mut out, mut rest) = (Vec::new(), word);
    while let Some(c) = rest.chars().next() {
        if !('i'..='z').contains(&c) {
            return Err(wrong());
        }
        rest = &rest[1..];
        let mut number = c as usize - 'i' as usize;
        if let Some(digits) = rest.strip_prefix('_').filter(|_| c == 'z') {
            let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let n = digits[..end].parse::<u32>().ok().filter(|_| !digits.starts_with('0'));
            number += n.ok_or_else(wrong)? as usize;
            rest = &digits[end..];
        }
        out.push(number);
    }
    if out.is_empty() { Err(wrong()) } else { Ok(out) }
}

fn symbol(factor: usize) -> String {
    match factor {
        0..=17 => char::from(b'i' + factor as u8).to_string(),
        _ => format!("z_{}", factor - 17),
    }
}

/// `i=8, j=4`, in the order of the factors.
fn sizes(trees: &[Tree<'_>]) -> Result<Vec<u64>, String> {
    let mut out = Vec::new();
    for one in trees.split(|t| t.leaf(Token::Comma).is_some()).filter(|_| !trees.is_empty()) {
        let (name, size) = match one {
            [name, equals, size] if equals.leaf(Token::Equals).is_some() => (name, size),
            _ => return Err("sizes of a rule's factors are `{i=8, j=4}`".to_string()),
        };
        let size = size.leaf(Token::Int).and_then(|n| n.parse().ok()).ok_or("a factor of a rule has a size")?;
        if factors(name.leaf(Token::Word).unwrap_or_default())? != [out.len()] {
            return Err(format!(
                "the sizes of a rule are those of `i`, `j`, `k` .. in this order: next is `{}`",
                symbol(out.len())
            ));
        }
        out.push(size);
    }
    Ok(out)
}

/// `reduction={k} permutation={i}, custom`: for each of [`SETS`] its factors.
fn special(trees: &[Tree<'_>]) -> Result<[Vec<usize>; 4], String> {
    let mut out: [Vec<usize>; 4] = Default::default();
    let (mut rest, mut from) = (trees, 0);
    loop {
        match rest {
            [] => return Ok(out),
            [comma, custom] if comma.leaf(Token::Comma).is_some() && custom.is_word("custom") => return Ok(out),
            [name, equals, Tree::Group(set), behind @ ..]
                if equals.leaf(Token::Equals).is_some() && set.open == b'{' =>
            {
                let at = SETS.iter().skip(from).position(|s| name.is_word(s)).map(|at| at + from);
                let at =
                    at.ok_or_else(|| format!("behind the sizes of a rule stand {}, in this order", SETS.join(", ")))?;
                for one in set.trees.split(|t| t.leaf(Token::Comma).is_some()) {
                    let [factor] = dim(one)?[..] else { return Err("a set of factors is `{i, k}`".to_string()) };
                    out[at].push(factor);
                }
                (rest, from) = (behind, at + 1);
            }
            _ => return Err("behind a rule's factors stand sets of them, `reduction={k}`, and `, custom`".to_string()),
        }
    }
}
