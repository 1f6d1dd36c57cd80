//! Whether two formulas are one, up to the order of terms and factors, the names of loops, and how loops are cut into
//! others.

use super::formula::{Factor, Index, Reading, Scale, Sum, Term};
use super::index::{Affine, Loop, Loops};
use meshloom_ir::Op;

/// Brings loops and numbers into one form: indices in terms of loops that are not split any further, loops that always run as
/// one made one, sums over loops that nothing depends on made multiples.
pub fn normalize(sum: &mut Sum, loops: &mut Loops, reading: Reading) {
    for t in sum {
        t.over = resolved(&t.over, loops);
        for f in &mut t.factors {
            inside(f, loops, reading);
        }
        let mut scope: Vec<&mut Affine> = Vec::new();
        t.factors.iter_mut().for_each(|f| affines(f, &mut scope));
        merge(&mut t.over, &mut scope, loops);
        if reading == Reading::Real {
            let used = |l: &Loop| scope.iter().any(|a| step(a, *l) != 0);
            let (over, idle): (Vec<Loop>, Vec<Loop>) = t.over.iter().partition(|l| used(l));
            let times: f64 = idle.iter().map(|&l| loops.size(l) as f64).product();
            t.over = over;
            t.scales.push(Scale::Times(times.to_bits()));
        }
        let minus_one = Scale::Times((-1f64).to_bits());
        let turns = t.scales.iter().filter(|s| **s == minus_one).count();
        if reading == Reading::Real {
            t.negative ^= turns % 2 == 1;
            t.scales
                .retain(|s| *s != minus_one && *s != Scale::Times(1f64.to_bits()) && *s != Scale::Over(1f64.to_bits()));
        }
        t.scales.sort_unstable();
    }
}

fn inside(f: &mut Factor, loops: &mut Loops, reading: Reading) {
    match f {
        Factor::Element { at, .. } => {
            for i in at {
                match i {
                    Index::At(a) => *a = loops.resolve(a),
                    Index::Row(row, _) => normalize(row, loops, reading),
                }
            }
        }
        Factor::Apply { args, .. } => args.iter_mut().for_each(|a| normalize(a, loops, reading)),
        Factor::Fold { kind, over, body } => {
            normalize(body, loops, reading);
            *over = resolved(over, loops);
            let mut scope: Vec<&mut Affine> = Vec::new();
            body.iter_mut().flat_map(|t| &mut t.factors).for_each(|f| affines(f, &mut scope));
            merge(over, &mut scope, loops);
            // The largest of equal elements is the element.
            if kind.is_idempotent() {
                over.retain(|&l| scope.iter().any(|a| step(a, l) != 0));
            }
        }
        Factor::Log { of } => normalize(of, loops, reading),
        Factor::Position { at, .. } => *at = loops.resolve(at),
    }
}

fn resolved(over: &[Loop], loops: &Loops) -> Vec<Loop> {
    over.iter().flat_map(|&l| loops.leaves(l)).filter(|&l| loops.size(l) > 1).collect()
}

/// All indices in a factor.
fn affines<'a>(f: &'a mut Factor, out: &mut Vec<&'a mut Affine>) {
    match f {
        Factor::Element { at, .. } => {
            for i in at {
                match i {
                    Index::At(a) => out.push(a),
                    Index::Row(row, _) => row.iter_mut().flat_map(|t| &mut t.factors).for_each(|f| affines(f, out)),
                }
            }
        }
        Factor::Apply { args, .. } => {
            args.iter_mut().flatten().flat_map(|t| &mut t.factors).for_each(|f| affines(f, out));
        }
        Factor::Fold { body, .. } => body.iter_mut().flat_map(|t| &mut t.factors).for_each(|f| affines(f, out)),
        Factor::Log { of } => of.iter_mut().flat_map(|t| &mut t.factors).for_each(|f| affines(f, out)),
        Factor::Position { at, .. } => out.push(at),
    }
}

fn step(a: &Affine, l: Loop) -> u64 {
    a.parts.iter().find(|p| p.0 == l).map_or(0, |p| p.1)
}

/// Two loops of a sum that only ever stand as the major and the minor digit of one index are one loop.
fn merge(over: &mut Vec<Loop>, scope: &mut [&mut Affine], loops: &mut Loops) {
    'again: loop {
        for i in 0..over.len() {
            for j in 0..over.len() {
                let (major, minor) = (over[i], over[j]);
                let n = loops.size(minor);
                let one = i != j
                    && scope.iter().any(|a| step(a, minor) != 0)
                    && scope.iter().all(|a| Some(step(a, major)) == step(a, minor).checked_mul(n));
                if !one {
                    continue;
                }
                let both = loops.fresh(loops.size(major) * n);
                for a in scope.iter_mut() {
                    let s = step(a, minor);
                    a.parts.retain(|p| p.0 != major && p.0 != minor);
                    if s != 0 {
                        a.parts.push((both, s));
                    }
                }
                over.retain(|&l| l != major && l != minor);
                over.push(both);
                continue 'again;
            }
        }
        return;
    }
}

/// Whether two normal formulas are one. Loops below `outer`, and what they were split into, are the same on both sides.
pub fn matches(x: &Sum, y: &Sum, loops: &Loops, outer: Loop) -> bool {
    let m = Matcher { loops, outer };
    !m.sum(x, y, &Vec::new()).is_empty()
}

/// Loops of the left side and what they are on the right.
type Names = Vec<(Loop, Loop)>;

/// Ways to match that are followed.
const WAYS: usize = 16;

struct Matcher<'a> {
    loops: &'a Loops,
    outer: Loop,
}

impl Matcher<'_> {
    fn sum(&self, x: &[Term], y: &[Term], names: &Names) -> Vec<Names> {
        self.all(x, y, names, &|a, b, n| self.term(a, b, n))
    }

    /// The ways to match each of `x` with another of `y`.
    fn all<T>(&self, x: &[T], y: &[T], names: &Names, one: &dyn Fn(&T, &T, &Names) -> Vec<Names>) -> Vec<Names> {
        if x.len() != y.len() {
            return Vec::new();
        }
        let mut ways: Vec<(Vec<bool>, Names)> = vec![(vec![false; y.len()], names.clone())];
        for a in x {
            let mut next: Vec<(Vec<bool>, Names)> = Vec::new();
            for (used, names) in &ways {
                for (j, b) in y.iter().enumerate().filter(|(j, _)| !used[*j]) {
                    for names in one(a, b, names) {
                        let mut used = used.clone();
                        used[j] = true;
                        if next.len() < WAYS && !next.contains(&(used.clone(), names.clone())) {
                            next.push((used, names));
                        }
                    }
                }
            }
            ways = next;
        }
        ways.into_iter().map(|w| w.1).collect()
    }

    fn term(&self, x: &Term, y: &Term, names: &Names) -> Vec<Names> {
        if x.negative != y.negative || x.scales != y.scales {
            return Vec::new();
        }
        let ways = self.all(&x.factors, &y.factors, names, &|a, b, n| self.factor(a, b, n));
        ways.into_iter().filter_map(|n| self.bound(&x.over, &y.over, n)).collect()
    }

    fn factor(&self, x: &Factor, y: &Factor, names: &Names) -> Vec<Names> {
        match (x, y) {
            (Factor::Element { of: a, at: i }, Factor::Element { of: b, at: j }) => {
                if a != b || i.len() != j.len() {
                    return Vec::new();
                }
                self.each(i, j, names, &|i, j, n| match (i, j) {
                    (Index::At(a), Index::At(b)) => self.affine(a, b, n).into_iter().collect(),
                    (Index::Row(a, n1), Index::Row(b, n2)) if n1 == n2 => self.sum(a, b, n),
                    _ => Vec::new(),
                })
            }
            (Factor::Apply { op: a, args: i }, Factor::Apply { op: b, args: j }) => {
                if a != b || i.len() != j.len() {
                    return Vec::new();
                }
                let mut ways = self.each(i, j, names, &|i, j, n| self.sum(i, j, n));
                if let ([i0, i1], [j0, j1], true) = (&i[..], &j[..], commutes(a)) {
                    let first = self.sum(i0, j1, names);
                    ways.extend(first.iter().flat_map(|n| self.sum(i1, j0, n)));
                }
                ways.truncate(WAYS);
                ways
            }
            (Factor::Fold { kind: a, over: p, body: i }, Factor::Fold { kind: b, over: q, body: j }) => {
                if a != b {
                    return Vec::new();
                }
                self.sum(i, j, names).into_iter().filter_map(|n| self.bound(p, q, n)).collect()
            }
            (Factor::Log { of: a }, Factor::Log { of: b }) => self.sum(a, b, names),
            (Factor::Position { dtype: a, at: i }, Factor::Position { dtype: b, at: j }) if a == b => {
                self.affine(i, j, names).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The ways to match `x` with `y` in order.
    fn each<T>(&self, x: &[T], y: &[T], names: &Names, one: &dyn Fn(&T, &T, &Names) -> Vec<Names>) -> Vec<Names> {
        let mut ways = vec![names.clone()];
        for (a, b) in x.iter().zip(y) {
            ways = ways.iter().flat_map(|n| one(a, b, n)).take(WAYS).collect();
        }
        ways
    }

    fn affine(&self, a: &Affine, b: &Affine, names: &Names) -> Option<Names> {
        if a.offset != b.offset || a.parts.len() != b.parts.len() {
            return None;
        }
        let mut names = names.clone();
        let mut used = vec![false; b.parts.len()];
        for &(l, s) in &a.parts {
            let named =
                if self.loops.within(l, self.outer) { Some(l) } else { names.iter().find(|n| n.0 == l).map(|n| n.1) };
            let j = b.parts.iter().enumerate().position(|(j, &(m, t))| {
                !used[j]
                    && s == t
                    && match named {
                        Some(known) => m == known,
                        None => {
                            self.loops.size(l) == self.loops.size(m)
                                && !self.loops.within(m, self.outer)
                                && !names.iter().any(|n| n.1 == m)
                        }
                    }
            })?;
            used[j] = true;
            if named.is_none() {
                names.push((l, b.parts[j].0));
            }
        }
        Some(names)
    }

    /// Whether the loops `x` of the one side are the loops `y` of the other; those that no index shows go by size.
    fn bound(&self, x: &[Loop], y: &[Loop], mut names: Names) -> Option<Names> {
        if x.len() != y.len() {
            return None;
        }
        let mut rest: Vec<Loop> = y.to_vec();
        for &l in x {
            let j = match names.iter().find(|n| n.0 == l) {
                Some(&(_, m)) => rest.iter().position(|&r| r == m)?,
                None => {
                    let free = |m: Loop| self.loops.size(m) == self.loops.size(l) && !names.iter().any(|n| n.1 == m);
                    let j = rest.iter().position(|&m| free(m))?;
                    names.push((l, rest[j]));
                    j
                }
            };
            rest.swap_remove(j);
        }
        // Terms that were multiplied out have their loops' names in common, and each its own sum.
        names.retain(|n| !x.contains(&n.0));
        Some(names)
    }
}

/// Whether an op on two elements gives the same with them swapped, rounding included.
fn commutes(op: &Op) -> bool {
    matches!(op, Op::Elem(e) if e.commutes())
}
