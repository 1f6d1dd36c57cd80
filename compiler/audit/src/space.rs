//! The boxes of indices over which equalities are proved, and division with remainder in them.
//!
//! Each index is a variable with a size, or several: where a sum of indices is divided by a number, the quotient and the
//! remainder have to be sums again. Over a whole box they often are not, but they are after a variable was written as two
//! digits ([`Stop::Refine`]), or in each part of a box that was cut in two ([`Stop::Split`]). A proof that needs one of the two
//! stops, the box is changed, and the proof begins again ([`cases`]; a sum over part of a box, see [`crate::prove`], begins alone).
//! Changes are remembered by an index' ordinal: the proof gives out its indices in the same order each time.
//!
//! A quotient that is a sum over the whole of a box is right at every point of it, so nothing is sampled here.

use crate::affine::{Affine, Terms, Var};
use crate::steps::Steps;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Why a proof stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The variable has to be two digits, the minor one of `inner` values.
    Refine { var: Var, inner: u64 },
    /// The variable takes its values below `at` in one box, and the others in another one.
    Split { var: Var, at: u64 },
    /// The two are not the same.
    Differs(String),
    /// Whatever the two are, this is wrong.
    Wrong(String),
    /// Nothing is known.
    Unfollowed(String),
}

pub(crate) type Proof<T> = Result<T, Stop>;

pub(crate) fn differs<T>(what: impl Into<String>) -> Proof<T> {
    Err(Stop::Differs(what.into()))
}

pub(crate) fn wrong<T>(what: impl Into<String>) -> Proof<T> {
    Err(Stop::Wrong(what.into()))
}

pub(crate) fn unfollowed<T>(what: impl Into<String>) -> Proof<T> {
    Err(Stop::Unfollowed(what.into()))
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Any value: what is proved, is proved for all of them.
    Free,
    /// The index that a kernel sums over.
    Summed,
    /// The index that the program sums over: which of the kernel's it is, the proof finds.
    Sought,
    /// The position of a device along an axis.
    Device,
    /// The round of a loop that is followed as a whole.
    Round,
}

/// A part of an index: `weight * (first + variable)`.
#[derive(Clone, Debug)]
pub(crate) struct Digit {
    pub size: u64,
    pub first: i64,
    pub weight: i64,
}

impl Digit {
    pub fn whole(size: u64) -> Digit {
        Digit { size, first: 0, weight: 1 }
    }

    /// As two digits, the minor one of `inner` values.
    pub fn refined(&self, inner: u64) -> [Digit; 2] {
        let major = Digit { size: self.size / inner, first: 0, weight: self.weight * inner as i64 };
        [major, Digit { size: inner, ..self.clone() }]
    }

    /// The values below `at`, or the others.
    pub fn part(&self, at: u64, upper: bool) -> Digit {
        let (size, first) = if upper { (self.size - at, self.first + at as i64) } else { (at, self.first) };
        Digit { size, first, weight: self.weight }
    }
}

/// How indices are written: those that are not one digit, by ordinal, with the size that they have in all.
#[derive(Clone, Debug, Default)]
struct Cut(BTreeMap<usize, (u64, Vec<Digit>)>);

impl Cut {
    fn digits(&self, ordinal: usize, size: u64) -> Vec<Digit> {
        match self.0.get(&ordinal) {
            Some((n, digits)) if *n == size => digits.clone(),
            _ => vec![Digit::whole(size)],
        }
    }
}

/// Some of the devices: along axes, by the variables of their positions, from a first one on so many. All along the other axes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Devices(Vec<(Var, i64, u64)>);

impl Devices {
    /// Whether all of the others are among these, as far as that is seen at once.
    pub fn has(&self, others: &Devices) -> bool {
        self.0.is_empty() || self == others
    }

    pub fn ranges(&self) -> &[(Var, i64, u64)] {
        &self.0
    }
}

struct Variable {
    size: u64,
    /// The least value; 0 but for devices, whose variables are the same in every box.
    first: i64,
    role: Role,
    ordinal: usize,
    digit: usize,
    /// What a sought one was found to be, or the digits that one is written in.
    found: Option<Affine>,
    /// It is written in digits.
    refined: bool,
}

/// A box, and what was found of the indices that were sought.
pub(crate) struct Space {
    cut: Cut,
    vars: Vec<Variable>,
    /// The first variables, so many, are the positions of devices and the round of a loop.
    named: usize,
    sizes: BTreeMap<usize, u64>,
    next: usize,
    trail: Vec<Var>,
    /// How much of what was found was never forgotten since somebody asked.
    kept: usize,
    /// Slices of stacks are taken one by one.
    slices: bool,
    /// Slices of stacks are values of the body, also where it is not known which.
    inside: bool,
    /// Each op of the program rounds to its type: nothing is kept wider inside of kernels.
    pub rounds_each: bool,
    /// What the proof asked of loops.
    pub steps: RefCell<Steps>,
}

/// The most boxes, and most new beginnings, of one proof.
const CASES: usize = 2048;

/// The most slices that are taken one by one.
const SLICES: u64 = 64;

/// The size of the longest index that is halved where no cut tells its parts apart.
const HALVED: u64 = 64;

/// Proves something in every box that the proof asks for. The first indices are the devices' positions along the mesh axes,
/// and the round of a loop. `inside`: slices of stacks are values of their loop's body.
pub(crate) fn cases<T>(
    axes: &[u64],
    rounds: Option<u64>,
    inside: bool,
    mut prove: impl FnMut(&mut Space) -> Proof<T>,
) -> Proof<Vec<T>> {
    let (mut open, mut done) = (vec![Cut::default()], Vec::new());
    for _ in 0..CASES {
        let Some(cut) = open.pop() else { return Ok(done) };
        let mut space = Space::new(cut, axes, rounds);
        space.inside = inside;
        match prove(&mut space) {
            Ok(x) => done.push(x),
            Err(Stop::Refine { var, inner }) => open.push(space.change(var, |d| d.refined(inner).into())),
            // Parts of a sum are for the proof of the sum.
            Err(Stop::Split { var, .. }) if matches!(space.role(var), Role::Summed | Role::Sought) => {
                return unfollowed("a sum whose parts are not alike");
            }
            Err(Stop::Split { var, at }) => {
                open.push(space.change(var, |d| vec![d.part(at, true)]));
                open.push(space.change(var, |d| vec![d.part(at, false)]));
            }
            Err(other) => return Err(other),
        }
    }
    if open.is_empty() { Ok(done) } else { unfollowed(format!("more than {CASES} cases")) }
}

impl Space {
    fn new(cut: Cut, axes: &[u64], rounds: Option<u64>) -> Space {
        // Most proofs give out fewer than so many.
        let (vars, sizes) = (Vec::with_capacity(16), BTreeMap::new());
        let mut space = Space {
            cut,
            vars,
            named: 0,
            sizes,
            next: 0,
            trail: Vec::new(),
            kept: usize::MAX,
            slices: false,
            inside: false,
            rounds_each: false,
            steps: RefCell::default(),
        };
        let axes = axes.iter().map(|&n| (n, Role::Device)).chain(rounds.map(|n| (n, Role::Round)));
        for (n, role) in axes {
            // One for each axis, also where there is one device along it, so that their numbers are known.
            let ordinal = space.next;
            for Digit { size, first, .. } in space.cut.digits(ordinal, n) {
                let found = (size == 1).then(|| Affine::constant(first));
                space.vars.push(Variable { size, first, role, ordinal, digit: 0, found, refined: false });
            }
            space.sizes.insert(ordinal, n);
            space.next += 1;
        }
        space.named = space.vars.len();
        space
    }

    /// Has every slice of a stack in a box of its own from now on.
    pub fn take_slices(&mut self) {
        self.slices = true;
    }

    /// Whether a slice of a stack is a value of the body, also where it is not known which.
    pub fn is_inside(&self) -> bool {
        self.inside
    }

    /// The one value of an index of a slice, or a cut on the way to boxes in which there is one; `None` if slices are not taken.
    pub fn slice(&self, a: &Affine) -> Proof<Option<i64>> {
        let a = self.known(a);
        let Some(&(var, _)) = a.terms.iter().max_by_key(|t| t.1.unsigned_abs()).filter(|_| self.slices) else {
            return Ok(a.as_constant());
        };
        match self.role(var) {
            Role::Free | Role::Summed if self.size(var) <= SLICES => Err(Stop::Split { var, at: self.size(var) / 2 }),
            _ => Ok(None),
        }
    }

    /// A new index of `size` values, at least 1.
    pub fn index(&mut self, size: u64, role: Role) -> Affine {
        let ordinal = self.next;
        self.next += 1;
        self.sizes.insert(ordinal, size);
        let mut sum = Affine::default();
        if !self.cut.0.contains_key(&ordinal) {
            if size > 1 {
                let v = self.vars.len() as Var;
                self.vars.push(Variable { size, first: 0, role, ordinal, digit: 0, found: None, refined: false });
                sum.push(v, 1);
            }
            return sum;
        }
        for (digit, d) in self.cut.digits(ordinal, size).into_iter().enumerate() {
            sum.offset += d.first * d.weight;
            if d.size > 1 {
                let v = self.vars.len() as Var;
                self.vars.push(Variable { size: d.size, first: 0, role, ordinal, digit, found: None, refined: false });
                sum = sum.plus(&Affine::var(v), d.weight);
            }
        }
        sum
    }

    pub fn indices(&mut self, shape: &[u64], role: Role) -> Vec<Affine> {
        shape.iter().map(|&n| self.index(n, role)).collect()
    }

    pub fn size(&self, v: Var) -> u64 {
        self.vars[v as usize].size
    }

    /// The devices that this is about.
    pub fn devices(&self) -> Devices {
        let some = |v: &&Variable| self.sizes.get(&v.ordinal) != Some(&v.size);
        Devices(self.vars[..self.named].iter().filter(some).map(|v| (v.ordinal as Var, v.first, v.size)).collect())
    }

    /// Whether this is about none of some devices.
    pub fn are_none_of(&self, some: &Devices) -> bool {
        some.0.iter().any(|&(v, first, size)| {
            let Variable { first: own, size: n, .. } = self.vars[v as usize];
            own + n as i64 <= first || first + size as i64 <= own
        })
    }

    /// Whether this is about some devices only; asks for a cut where it is also about others.
    pub fn are_among(&self, some: &Devices) -> Proof<bool> {
        if self.are_none_of(some) {
            return Ok(false);
        }
        for &(var, first, size) in &some.0 {
            let Variable { first: own, size: n, .. } = self.vars[var as usize];
            let ends = [first - own, first + size as i64 - own];
            if let Some(&at) = ends.iter().find(|&&at| at > 0 && at < n as i64) {
                return Err(Stop::Split { var, at: at as u64 });
            }
        }
        Ok(true)
    }

    /// The least value of a variable.
    pub fn first(&self, v: Var) -> i64 {
        self.vars[v as usize].first
    }

    pub fn role(&self, v: Var) -> Role {
        self.vars[v as usize].role
    }

    /// A variable that the proof itself keeps account of: no part of an index that is remembered.
    pub fn local(&mut self, digit: &Digit, role: Role) -> (Option<Var>, Affine) {
        let first = Affine::constant(digit.first * digit.weight);
        if digit.size == 1 {
            return (None, first);
        }
        let v = self.vars.len() as Var;
        self.vars.push(Variable {
            size: digit.size,
            first: 0,
            role,
            ordinal: usize::MAX,
            digit: 0,
            found: None,
            refined: false,
        });
        (Some(v), first.plus(&Affine::var(v), digit.weight))
    }

    /// Writes a variable as two digits from now on, in this box and in the ones that come of it; `false` where the proof itself
    /// keeps account of it.
    pub fn refine(&mut self, var: Var, inner: u64) -> bool {
        let Variable { ordinal, digit, role, size, .. } = self.vars[var as usize];
        if ordinal == usize::MAX || self.vars[var as usize].found.is_some() {
            return false;
        }
        self.cut = self.change(var, |d| d.refined(inner).into());
        self.vars.iter_mut().filter(|v| v.ordinal == ordinal && v.digit > digit).for_each(|v| v.digit += 1);
        let first = self.vars.len() as Var;
        for (digit, size) in [(digit, size / inner), (digit + 1, inner)] {
            self.vars.push(Variable { size, first: 0, role, ordinal, digit, found: None, refined: false });
        }
        let is = Affine::var(first).scaled(inner as i64).plus(&Affine::var(first + 1), 1);
        (self.vars[var as usize].found, self.vars[var as usize].refined) = (Some(is), true);
        true
    }

    /// With digits in the place of what is written in them.
    pub fn written(&self, a: &Affine) -> Affine {
        let mut a = a.clone();
        let of = |v: Var| self.vars[v as usize].found.as_ref().filter(|_| self.vars[v as usize].refined);
        while a.terms.iter().any(|t| of(t.0).is_some()) {
            a = a.with(&|v| of(v).cloned());
        }
        a
    }

    /// The variables that an index is written in.
    pub fn digits(&self, a: &Affine) -> Vec<Var> {
        self.written(a).terms.iter().map(|t| t.0).collect()
    }

    fn change(&self, var: Var, by: impl FnOnce(&Digit) -> Vec<Digit>) -> Cut {
        let Variable { ordinal, digit, .. } = self.vars[var as usize];
        let size = self.sizes.get(&ordinal).copied().unwrap_or(1);
        let mut digits = self.cut.digits(ordinal, size);
        if let Some(d) = digits.get(digit) {
            let new = by(d);
            digits.splice(digit..=digit, new);
        }
        let mut cut = self.cut.clone();
        cut.0.insert(ordinal, (size, digits));
        cut
    }

    /// With what was found in the place of what was sought.
    pub fn known(&self, a: &Affine) -> Affine {
        self.settled(a).into_owned()
    }

    /// The same, which is most often the sum as it is.
    pub fn settled<'a>(&self, a: &'a Affine) -> Cow<'a, Affine> {
        let mut a = Cow::Borrowed(a);
        while a.terms.iter().any(|t| self.vars[t.0 as usize].found.is_some()) {
            a = Cow::Owned(a.with(&|v| self.vars[v as usize].found.clone()));
        }
        a
    }

    /// The least and the greatest value.
    pub fn range(&self, a: &Affine) -> (i128, i128) {
        let a = self.settled(a);
        a.terms.iter().fold((a.offset.into(), a.offset.into()), |(lo, hi), &(v, c)| {
            let (first, end) =
                (i128::from(c) * i128::from(self.vars[v as usize].first), i128::from(c) * i128::from(self.size(v) - 1));
            (lo + first + end.min(0), hi + first + end.max(0))
        })
    }

    /// Whether all values lie in `0..n`; asks for a cut where only some do.
    pub fn within(&self, a: &Affine, n: u64) -> Proof<bool> {
        let (lo, hi) = self.range(a);
        let n = i128::from(n);
        if lo >= 0 && hi < n {
            return Ok(true);
        }
        if hi < 0 || lo >= n {
            return Ok(false);
        }
        self.cut_at(&self.settled(a), if lo < 0 { 0 } else { n })
    }

    /// Whether all values are at least `n`; asks for a cut where only some are.
    pub fn at_least(&self, a: &Affine, n: i64) -> Proof<bool> {
        let (lo, hi) = self.range(a);
        match (lo >= n.into(), hi < n.into()) {
            (true, _) => Ok(true),
            (_, true) => Ok(false),
            _ => self.cut_at(&self.known(a), n.into()),
        }
    }

    /// Asks for a cut after which `a` is below `bound` in one part more than before, or at least that in one.
    fn cut_at<T>(&self, a: &Affine, bound: i128) -> Proof<T> {
        let (lo, hi) = self.range(a);
        let mut terms = a.terms.clone();
        terms.sort_by_key(|&(v, c)| (std::cmp::Reverse(c.unsigned_abs()), v));
        for (v, c) in terms {
            let n = i128::from(self.size(v));
            let (step, own) = (i128::from(c).abs(), i128::from(c).abs() * (n - 1));
            // The digit counted so that the sum grows with it: with all others least, and with all others greatest.
            let surely = (bound - lo + step - 1).div_euclid(step);
            let never = (bound - (hi - own) - 1).div_euclid(step) + 1;
            let Some(t) = [surely, never].into_iter().find(|&t| t > 0 && t < n) else { continue };
            let at = (if c > 0 { t } else { n - t }) as u64;
            return match self.role(v) {
                Role::Sought => unfollowed("a sum whose parts are not alike"),
                _ => Err(Stop::Split { var: v, at }),
            };
        }
        // No cut settles a part at once: the shortest index is halved, as long as that is few cases.
        let short = a.terms.iter().map(|t| t.0).filter(|&v| self.role(v) != Role::Sought && self.size(v) <= HALVED);
        match short.min_by_key(|&v| (self.size(v), v)) {
            Some(var) => Err(Stop::Split { var, at: self.size(var) / 2 }),
            None => unfollowed("an index with parts that no cut tells apart"),
        }
    }

    /// Quotient and remainder by `n`, rounded down.
    pub fn div_mod(&self, a: &Affine, n: i64) -> Proof<(Affine, Affine)> {
        if n <= 0 {
            return wrong(format!("a step of {n}"));
        }
        let a = self.settled(a);
        let (mut quotient, mut rest) = (Affine::default(), Affine::default());
        for &(v, c) in &a.terms {
            let (q, r) = if c > 0 || c % n == 0 { (c / n, c % n) } else { (0, c) };
            quotient.push(v, q);
            rest.push(v, r);
        }
        quotient.offset = a.offset.div_euclid(n);
        rest.offset = a.offset.rem_euclid(n);
        let (lo, hi) = self.range(&rest);
        let floor = lo.div_euclid(n.into());
        if floor == hi.div_euclid(n.into()) {
            return Ok((quotient.shifted(floor as i64), rest.shifted(-(floor as i64 * n))));
        }
        let mut terms = rest.terms.clone();
        terms.sort_by_key(|&(v, c)| (std::cmp::Reverse(c.unsigned_abs()), v));
        for (v, c) in terms {
            let size = self.size(v);
            let inner = (n / c.abs()) as u64;
            if n % c == 0 && size > inner {
                let role = self.role(v);
                if size.is_multiple_of(inner) && !matches!(role, Role::Device | Role::Round) {
                    return Err(Stop::Refine { var: v, inner });
                }
                if matches!(role, Role::Free | Role::Summed) {
                    return Err(Stop::Split { var: v, at: size / inner * inner });
                }
            }
        }
        self.cut_at(&rest, (floor + 1) * i128::from(n))
    }

    /// Coordinates in a shape, of an index in row-major order.
    pub fn unravel(&self, index: &Affine, shape: &[u64]) -> Proof<Vec<Affine>> {
        let mut out = vec![Affine::default(); shape.len()];
        let mut rest = index.clone();
        for (d, &n) in shape.iter().enumerate().rev() {
            if shape[..d].iter().all(|&m| m == 1) {
                out[d] = rest;
                break;
            }
            (rest, out[d]) = self.div_mod(&rest, n as i64)?;
        }
        Ok(out)
    }

    /// The number of the variable that is given out next.
    pub fn now(&self) -> Var {
        self.vars.len() as Var
    }

    /// How many indices were given out so far.
    pub fn given(&self) -> usize {
        self.next
    }

    /// Gives out indices from this one on, for a proof that begins anew here.
    pub fn give_again(&mut self, from: usize) {
        self.next = from;
    }

    /// How much was found so far, to come back to.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Forgets what was found since.
    pub fn back(&mut self, mark: usize) {
        self.kept = self.kept.min(mark);
        while self.trail.len() > mark {
            if let Some(v) = self.trail.pop() {
                self.vars[v as usize].found = None;
            }
        }
    }

    /// How much of what was found was never forgotten since this was asked the last time.
    pub fn kept(&mut self) -> usize {
        std::mem::replace(&mut self.kept, usize::MAX)
    }

    /// Chooses a value for a variable that was sought.
    pub fn find(&mut self, v: Var, is: Affine) {
        self.vars[v as usize].found = Some(is);
        self.trail.push(v);
    }

    /// Whether two sums are equal everywhere, where what is sought may be chosen so that they are.
    pub fn equal(&mut self, a: &Affine, b: &Affine) -> Proof<bool> {
        let apart = self.known(&a.minus(b));
        let (mut sought, rest): (Terms, Terms) =
            apart.terms.iter().copied().partition(|t| self.role(t.0) == Role::Sought);
        let rest = Affine { terms: rest, offset: apart.offset };
        if sought.is_empty() {
            return Ok(rest == Affine::default());
        }
        // sum(factor * sought) = value, with factors above 0.
        let negative = sought.iter().filter(|t| t.1 < 0).count();
        if negative != 0 && negative != sought.len() {
            return unfollowed("sums over differences of indices");
        }
        let mut value = rest;
        if negative == 0 {
            value = value.scaled(-1);
        } else {
            sought.iter_mut().for_each(|t| t.1 = -t.1);
        }
        sought.sort_by_key(|&(v, c)| (std::cmp::Reverse(c), v));
        for (v, c) in sought {
            let (q, r) = self.div_mod(&value, c)?;
            let (lo, hi) = self.range(&q);
            if lo < 0 || hi >= self.size(v).into() {
                return Ok(false);
            }
            self.find(v, q);
            value = r;
        }
        Ok(value == Affine::default())
    }

    /// Whether lists of sums are equal; what was found is kept only if they are.
    pub fn all_equal(&mut self, a: &[Affine], b: &[Affine]) -> Proof<bool> {
        let mark = self.mark();
        for (a, b) in a.iter().zip(b) {
            if !self.equal(a, b)? {
                self.back(mark);
                return Ok(false);
            }
        }
        Ok(a.len() == b.len())
    }

    /// Whether the indices that the program sums over run through the same points as those of the kernel, each once: every one
    /// of the former is a number whose digits are some of the latter, and no digit stands in two.
    pub fn one_to_one(&mut self, kernel: &[Affine], program: &[Affine]) -> Proof<bool> {
        let digits = |list: &[Affine]| list.iter().flat_map(|a| self.digits(a)).collect::<Vec<Var>>();
        let (mut left, mut missing) = (digits(kernel), 1u64);
        for v in digits(program) {
            let Some(is) = self.vars[v as usize].found.clone() else {
                missing = missing.saturating_mul(self.size(v));
                // Nothing depends on it: any value will do.
                self.find(v, Affine::default());
                continue;
            };
            let is = self.known(&is);
            let mut terms = is.terms.clone();
            terms.sort_by_key(|t| t.1.unsigned_abs());
            let mut step = 1u64;
            for (w, c) in terms {
                let Some(at) = left.iter().position(|&x| x == w) else { return Ok(false) };
                left.remove(at);
                if c.unsigned_abs() != step {
                    return Ok(false);
                }
                step *= self.size(w);
            }
            if step != self.size(v) || self.range(&is) != (0, i128::from(step) - 1) {
                return Ok(false);
            }
        }
        Ok(left.iter().map(|&w| self.size(w)).product::<u64>() == missing)
    }
}
