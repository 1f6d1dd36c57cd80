//! A memo of comparisons: pairs of terms, each with the result of comparing them.
//!
//! A proof meets the same pair again and again: for the other order of a product, for each order of a sum, in each box that its
//! box is cut into, and again whenever a digit makes it begin anew. From the second time on, the answer comes from here.
//!
//! An answer is about all values of the indices in both terms, so the names of the indices say nothing. Two pairs are the same if
//! they are equal once their indices are numbered in the order in which they occur, with sizes and roles. Devices' positions keep
//! their names. What a proof chose for the indices that it sought is part of the answer.

use crate::affine::{Affine, Var};
use crate::exact::Exact;
use crate::memory::{Buffer, Launched};
use crate::place::Place;
use crate::space::{Proof, Role, Space, Stop};
use crate::term::{Table, Term};
use meshloom_kernels::{DType, Elem, NodeId, Reduction};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

/// A piece of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Number(i64),
    Type(DType),
    Op(Elem),
    Kind(Reduction),
}

/// Mixes numbers, all that is hashed here, as FNV mixes bytes: keys are long, and nobody makes them collide.
#[derive(Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_u64(b.into()));
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// The words of a key.
#[derive(PartialEq, Eq)]
struct Words(Vec<Word>);

impl Hash for Words {
    fn hash<H: Hasher>(&self, to: &mut H) {
        // Types and ops stand among numbers that tell most keys apart.
        self.0.iter().for_each(|w| {
            if let Word::Number(n) = w {
                to.write_u64(*n as u64)
            }
        });
    }
}

/// Two terms, up to the names of their indices.
pub(crate) struct Key {
    words: Words,
    /// The indices, in the order in which they occur.
    vars: Vec<Var>,
    /// Indices that were given out when the comparison began.
    given: usize,
}

/// The result of a comparison.
struct Answer {
    result: Proof<()>,
    /// Indices that were sought, and what they were found to be; both by number in the key.
    found: Vec<(usize, Affine)>,
    /// Indices that it gave out: those after it keep their ordinals.
    given: usize,
}

/// The first comparisons of a launch, so many, are not remembered. Most launches need no more, and a key costs as much as a
/// comparison.
pub(crate) const FORGOTTEN: u32 = 256;

/// The most answers that are kept.
const ANSWERS: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct Memo {
    answers: HashMap<Words, Answer, BuildHasherDefault<Mixed>>,
}

impl Memo {
    /// The result of an earlier comparison of such a pair. The choices that it made for sought indices are made again.
    pub fn answer(&self, key: &Key, space: &mut Space) -> Option<Proof<()>> {
        let answer = self.answers.get(&key.words)?;
        for (v, is) in &answer.found {
            let is = is.with(&|i| key.vars.get(i as usize).map(|&v| Affine::var(v)));
            space.find(key.vars[*v], is);
        }
        space.give_again(space.given() + answer.given);
        Some(answer.result.clone())
    }

    /// Drops all answers, since some may rest on an assumption that no longer holds.
    pub fn forget(&mut self) {
        self.answers.clear();
    }

    /// Remembers an answer, unless it asks for a cut: the terms change with the cut.
    pub fn keep(&mut self, key: Key, space: &Space, result: &Proof<()>) {
        let result = match result {
            Ok(()) => Ok(()),
            Err(stop @ (Stop::Differs(_) | Stop::Unfollowed(_))) => Err(stop.clone()),
            Err(_) => return,
        };
        let mut found = Vec::new();
        for (i, &v) in key.vars.iter().enumerate().filter(|x| result.is_ok() && space.role(*x.1) == Role::Sought) {
            let is = space.known(&Affine::var(v));
            if is == Affine::var(v) {
                continue;
            }
            let number = |w: Var| key.vars.iter().position(|&x| x == w);
            if is.terms.iter().any(|t| number(t.0).is_none()) {
                return;
            }
            found.push((i, is.with(&|w| number(w).map(|i| Affine::var(i as Var)))));
        }
        if self.answers.len() >= ANSWERS {
            self.answers.clear();
        }
        let given = space.given().saturating_sub(key.given);
        self.answers.insert(key.words, Answer { result, found, given });
    }
}

/// A node of a kernel and an element of a value of the program.
#[derive(Clone)]
struct Pair {
    by: Rc<Launched>,
    node: NodeId,
    at: Rc<Vec<Affine>>,
    place: Place,
    rounded: bool,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Pair) -> bool {
        Rc::ptr_eq(&self.by, &other.by)
            && (self.node, self.rounded) == (other.node, other.rounded)
            && self.at == other.at
            && self.place == other.place
    }
}

impl Eq for Pair {}

impl Hash for Pair {
    fn hash<H: Hasher>(&self, to: &mut H) {
        to.write_u64(
            ((self.node.index() as u64) << 33) | ((self.place.value.index() as u64) << 1) | u64::from(self.rounded),
        );
        for a in self.at.iter().chain(self.place.at.iter()) {
            to.write_u64(a.offset as u64);
            a.terms.iter().for_each(|&(v, c)| to.write_u64((u64::from(v) << 40) ^ c as u64));
        }
    }
}

/// Nodes of kernels and values of the program that a proof has shown to be the same at one point. Many nodes are read by several
/// others, and so are values: without these each would be compared once for each path that leads to it.
///
/// What was shown stands on what had been found of sought indices by then, and holds until some of that is forgotten.
#[derive(Default)]
pub(crate) struct Shown {
    /// Each with the indices that its comparison gave out.
    pairs: HashMap<Pair, usize, BuildHasherDefault<Mixed>>,
    /// The same in the order in which they were shown, each with how much had been found.
    order: Vec<(usize, Pair)>,
}

impl Shown {
    fn pair(kernel: &Term, program: &Term, rounded: bool) -> Option<Pair> {
        let (Term::Node(by, node, at), Term::Place(p)) = (kernel, program) else { return None };
        Some(Pair { by: Rc::clone(by), node: *node, at: Rc::clone(at), place: p.clone(), rounded })
    }

    /// Whether that was shown; the indices that its comparison gave out are given out again.
    pub fn has(&mut self, space: &mut Space, kernel: &Term, program: &Term, rounded: bool) -> bool {
        self.forget(space);
        if self.pairs.is_empty() {
            return false;
        }
        let given = Shown::pair(kernel, program, rounded).and_then(|p| self.pairs.get(&p));
        given.inspect(|&&n| space.give_again(space.given() + n)).is_some()
    }

    /// `given`: indices that were given out when the comparison began.
    pub fn keep(&mut self, space: &mut Space, kernel: &Term, program: &Term, rounded: bool, given: usize) {
        self.forget(space);
        if let Some(pair) = Shown::pair(kernel, program, rounded) {
            self.order.push((space.mark(), pair.clone()));
            self.pairs.insert(pair, space.given().saturating_sub(given));
        }
    }

    /// Leaves out what stands on something that was found and is forgotten.
    fn forget(&mut self, space: &mut Space) {
        let kept = space.kept();
        while let Some((_, pair)) = self.order.pop_if(|x| x.0 > kept) {
            self.pairs.remove(&pair);
        }
    }
}

impl Key {
    pub fn new(space: &Space, kernel: &Term, program: &Term, rounded: bool) -> Key {
        let mut key = Key { words: Words(Vec::with_capacity(64)), vars: Vec::new(), given: space.given() };
        key.number(i64::from(rounded));
        // What lies in memory may be another thing on other devices.
        let devices = space.devices();
        key.number(devices.ranges().len() as i64);
        for &(v, first, n) in devices.ranges() {
            [v.into(), first, n as i64].into_iter().for_each(|x| key.number(x));
        }
        key.term(space, kernel);
        key.term(space, program);
        for i in 0..key.vars.len() {
            let v = key.vars[i];
            key.number(space.role(v) as i64);
            key.number(space.size(v) as i64);
            key.number(space.first(v));
        }
        key
    }

    fn number(&mut self, n: i64) {
        self.words.0.push(Word::Number(n));
    }

    fn affine(&mut self, space: &Space, a: &Affine) {
        let a = space.settled(a);
        self.number(a.offset);
        self.number(a.terms.len() as i64);
        for &(v, c) in &a.terms {
            let n = self.vars.iter().position(|&x| x == v).unwrap_or_else(|| {
                self.vars.push(v);
                self.vars.len() - 1
            });
            self.number(n as i64);
            self.number(c);
            // A device's position is itself, and so is a loop's round.
            if matches!(space.role(v), Role::Device | Role::Round) {
                self.number(i64::from(v));
            }
        }
    }

    fn all(&mut self, space: &Space, list: &[Affine]) {
        self.number(list.len() as i64);
        list.iter().for_each(|a| self.affine(space, a));
    }

    fn place(&mut self, space: &Space, p: &Place) {
        self.number(p.value.index() as i64);
        self.all(space, &p.iterations);
        self.all(space, &p.at);
    }

    fn buffer(&mut self, space: &Space, from: &Buffer) {
        self.number(from.memory.stamp as i64);
        self.affine(space, &from.start);
        self.number(from.bytes);
    }

    fn term(&mut self, space: &Space, t: &Term) {
        self.number(match t {
            Term::Node(..) => 0,
            Term::Load { .. } => 1,
            Term::Place(_) => 2,
            Term::Number(_) => 3,
            Term::Index(_) => 5,
            Term::Elem(..) => 6,
            Term::Product(..) => 7,
            Term::Reduce { .. } => 8,
            Term::Row { .. } => 9,
            Term::Padded(_) => 10,
        });
        match t {
            Term::Node(by, node, at) => {
                self.number(by.number as i64);
                self.number(node.index() as i64);
                self.all(space, at);
            }
            Term::Load { from, address, dtype } => {
                self.buffer(space, from);
                self.affine(space, address);
                self.words.0.push(Word::Type(*dtype));
            }
            Term::Place(p) => self.place(space, p),
            Term::Padded(p) => {
                self.place(space, &p.place);
                self.number(p.within.len() as i64);
                for (a, n) in &p.within {
                    self.affine(space, a);
                    self.number(*n as i64);
                }
                self.exact(p.fill);
            }
            Term::Number(x) => self.exact(*x),
            Term::Index(a) => self.affine(space, a),
            Term::Elem(op, args, dtype) => {
                self.words.0.extend([Word::Op(*op), Word::Type(*dtype)]);
                self.number(args.len() as i64);
                args.iter().for_each(|a| self.term(space, a));
            }
            Term::Product(a, b) => {
                self.term(space, a);
                self.term(space, b);
            }
            Term::Reduce { kind, over, arg, dtype } => {
                self.words.0.extend([Word::Kind(*kind), Word::Type(*dtype)]);
                self.all(space, over);
                self.term(space, arg);
            }
            Term::Row { of, index, rows } => {
                self.number(*rows as i64);
                self.table(space, of);
                self.term(space, index);
            }
        }
    }

    fn exact(&mut self, x: Exact) {
        match x {
            Exact::Float(x) => [0, x.to_bits() as i64],
            Exact::Int(n) => [1, n],
        }
        .into_iter()
        .for_each(|n| self.number(n));
    }

    fn table(&mut self, space: &Space, of: &Table) {
        self.number(i64::from(matches!(of, Table::Memory { .. })));
        match of {
            Table::Memory { from, address, stride, dtype } => {
                self.buffer(space, from);
                self.affine(space, address);
                self.number(*stride);
                self.words.0.push(Word::Type(*dtype));
            }
            Table::Value { place, dim } => {
                self.place(space, place);
                self.number(*dim as i64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::cases;
    use meshloom_ir::ValueId;
    use meshloom_kernels::{Access, KernelSpec};

    /// A result that was proved under a choice for an index is forgotten once the choice is taken back, even if the same choice is
    /// made again.
    #[test]
    fn what_stands_on_something_taken_back_is_not_known() {
        let access = || Access::new(0, &[1]);
        let spec = Rc::new(KernelSpec::copy(DType::F32, &[4], access(), access()));
        let by = Rc::new(Launched { spec, buffers: Vec::new(), dims: Vec::new(), number: 0, twin: None });
        let met = cases(&[], None, false, |space| {
            let (x, sought) = (space.index(4, Role::Free), space.index(4, Role::Sought));
            let node = |n: u32| Term::Node(Rc::clone(&by), NodeId(n), Rc::new(vec![x.clone()]));
            let place = Term::Place(Place { value: ValueId(0), iterations: [].into(), at: [sought.clone()].into() });
            let mut shown = Shown::default();
            let given = space.given();
            shown.keep(space, &node(0), &place, false, given);
            let mark = space.mark();
            let var = sought.terms[0].0;
            space.find(var, x.clone());
            shown.keep(space, &node(1), &place, false, given);
            let before = [0, 1, 2].map(|n| shown.has(space, &node(n), &place, false));
            let rounded = shown.has(space, &node(1), &place, true);
            space.back(mark);
            space.find(var, x.clone());
            let after = [0, 1].map(|n| shown.has(space, &node(n), &place, false));
            Ok((before, rounded, after))
        });
        let met = met.unwrap_or_else(|_| unreachable!("nothing is proved"));
        assert_eq!(met, [([true, true, false], false, [true, false])]);
    }
}
