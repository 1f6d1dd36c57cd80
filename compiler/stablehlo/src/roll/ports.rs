//! Names of stacked ports: what the entries' names have in common, with `*` where they differ.
//!
//! The entries keep their names, which the port lists: files, `--input` and checkpoints go on as if nothing were stacked.

use super::analysis::Analysis;
use super::stacks::StackId;
use meshloom_ir::{Constraint, DimSpec, Port};
use std::collections::{BTreeMap, BTreeSet};

/// A name for each group of inputs, like no other.
pub fn names(a: &Analysis<'_>) -> BTreeMap<StackId, String> {
    let mut taken: BTreeSet<String> = a.func.inputs.iter().chain(&a.func.outputs).map(|p| p.name.clone()).collect();
    let mut out = BTreeMap::new();
    for (&s, group) in &a.groups {
        let all: Vec<&str> = group.iter().map(|&i| a.func.inputs[i].name.as_str()).collect();
        let common = pattern(&all);
        // Arguments without names of their own: `arg*` is one group, `arg7,*` the one that begins with `arg7`.
        let name = if taken.contains(&common) { format!("{},*", all[0].replace('*', "_")) } else { common };
        taken.insert(name.clone());
        out.insert(s, name);
    }
    out
}

/// `p.h*/wq` for `p.h0/wq`, `p.h1/wq`.
fn pattern(names: &[&str]) -> String {
    let first = names[0];
    let before = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let behind = |a: &str, b: &str| a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    let mut head = names.iter().map(|n| before(first, n)).min().unwrap_or(0);
    let mut tail = names.iter().map(|n| behind(first, n)).min().unwrap_or(0);
    let digit = |i: usize| first.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
    // A number is taken whole: `h*` and not `h1*` for `h10`, `h11`.
    while head > 0 && (digit(head - 1) || !first.is_char_boundary(head)) {
        head -= 1;
    }
    let shortest = names.iter().map(|n| n.len()).min().unwrap_or(0);
    tail = tail.min(shortest.saturating_sub(head));
    while tail > 0 && (digit(first.len() - tail) || !first.is_char_boundary(first.len() - tail)) {
        tail -= 1;
    }
    format!("{}*{}", first[..head].replace('*', "_"), first[first.len() - tail..].replace('*', "_"))
}

/// The parameter that the state of `all` belongs to, by its name in the rolled program. `None` where the parameters were not
/// stacked as the state is.
fn parameter(a: &Analysis<'_>, names: &BTreeMap<StackId, String>, all: &[&Port]) -> Option<String> {
    let of: Vec<&str> = all.iter().map(|p| p.of.as_deref()).collect::<Option<_>>()?;
    let called = |group: &[usize]| group.iter().map(|&i| a.func.inputs[i].name.as_str()).eq(of.iter().copied());
    if let Some((s, _)) = a.groups.iter().find(|(_, group)| called(group)) {
        return names.get(s).cloned();
    }
    let grouped = |name: &str| a.groups.values().flatten().any(|&i| a.func.inputs[i].name == name);
    match of[..] {
        [one] if !grouped(one) => Some(one.to_string()),
        _ => None,
    }
}

/// A port that is not stacked.
pub fn single(a: &Analysis<'_>, names: &BTreeMap<StackId, String>, port: &Port) -> Port {
    Port { of: parameter(a, names, &[port]), ..port.clone() }
}

/// The port of stack `s`, like `port` and with the names of `all`.
pub fn stacked(a: &Analysis<'_>, names: &BTreeMap<StackId, String>, s: StackId, port: &Port, all: &[&Port]) -> Port {
    let name = &names[&s];
    let mut constraint = port.constraint.clone();
    if constraint.absent {
        constraint = Constraint::absent(constraint.dims.len() + 1);
    } else {
        constraint.dims.insert(0, DimSpec::Exactly(Vec::new()));
    }
    let mut entries: Vec<String> = all.iter().map(|p| p.name.clone()).collect();
    if entries.iter().enumerate().all(|(i, e)| *e == name.replace('*', &i.to_string())) {
        entries.clear();
    }
    Port { name: name.into(), stacked: true, constraint, entries, of: parameter(a, names, all), ..port.clone() }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn what_names_have_in_common() {
        assert_eq!(pattern(&["p.h0/wq", "p.h1/wq"]), "p.h*/wq");
        assert_eq!(pattern(&["p.h10.w1", "p.h11.w1", "p.h9.w1"]), "p.h*.w1");
        assert_eq!(pattern(&["arg1", "arg11"]), "arg*");
        assert_eq!(pattern(&["é1", "è2"]), "*");
        assert_eq!(pattern(&["w", "v"]), "*");
    }
}
