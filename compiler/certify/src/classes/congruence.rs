//! Which terms are equal: union-find and hash-consing, closed under congruence as terms are added and classes are
//! united.
//!
//! A term stands for a *family* of tensors, one for each point of its iteration space ([`crate::spaces`]). Two terms are equal if
//! they have one space and are equal at each point: iteration `i` of one loop is compared with iteration `i` of the other.
//!
//! Not here: which term a value of a program is ([`super::terms`]).

use crate::spaces::{Space, Spaces};
use meshloom_ir::OpId;
use std::collections::HashMap;

/// A term. [`Congruence::find`] gives the root of its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(u32);

/// What a term is. Children are the roots of their classes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A term that equals no other until an equality is stated: an input, a carry, what a repeat leaves in a carry.
    Leaf(u32),
    /// An op, by the number that all equal operations with equal attributes share.
    Op(u32, Vec<TermId>),
    /// The same tensor in all iterations of the space.
    Lift(Space, TermId),
    /// `t -> x[t]`.
    Slice(Space, TermId),
    /// The tensors of all iterations of the innermost loop, as entries along a new dim 0.
    Stack(Space, TermId),
}

#[derive(Clone, Default, Debug)]
struct Class {
    /// Terms with a child in this class.
    users: Vec<TermId>,
    /// What a member is a lift, a slice or a stack of.
    lift: Option<TermId>,
    slice: Option<TermId>,
    stack: Option<TermId>,
    defs: Vec<OpId>,
}

#[derive(Clone, Debug)]
pub struct Congruence {
    parent: Vec<TermId>,
    terms: Vec<Term>,
    space: Vec<Space>,
    /// By root; those of other terms are empty.
    classes: Vec<Class>,
    known: HashMap<Term, TermId>,
    pub spaces: Spaces,
    /// Pairs that are equal and not yet united.
    pending: Vec<(TermId, TermId)>,
    /// Classes of spaces less deep than this are not united: what is assumed of one iteration says nothing of all.
    floor: u32,
}

impl Congruence {
    pub fn new() -> Congruence {
        Congruence {
            parent: Vec::new(),
            terms: Vec::new(),
            space: Vec::new(),
            classes: Vec::new(),
            known: HashMap::new(),
            spaces: Spaces::new(),
            pending: Vec::new(),
            floor: 0,
        }
    }

    pub fn find(&self, mut n: TermId) -> TermId {
        while self.parent[n.0 as usize] != n {
            n = self.parent[n.0 as usize];
        }
        n
    }

    pub fn same(&self, a: TermId, b: TermId) -> bool {
        self.find(a) == self.find(b)
    }

    /// The ops that define members of a class.
    pub fn defs(&self, n: TermId) -> &[OpId] {
        &self.classes[self.find(n).0 as usize].defs
    }

    pub fn define(&mut self, n: TermId, o: OpId) {
        let root = self.find(n);
        self.classes[root.0 as usize].defs.push(o);
    }

    /// The class of a term of the given space. A nullary op is one and the same outside of all loops, so it is added there
    /// and lifted.
    pub fn add(&mut self, term: Term, space: Space) -> TermId {
        let n = self.term(term, space);
        self.close();
        self.find(n)
    }

    /// Says that two terms of one space and type are equal, and draws what follows.
    pub fn unite(&mut self, a: TermId, b: TermId) {
        self.pending.push((a, b));
        self.close();
    }

    /// A copy in which things may be assumed of single iterations of `space`: what follows is drawn for each iteration by
    /// itself, never for what is put together from all of them.
    pub fn suppose(&self, space: Space) -> Congruence {
        let mut copy = self.clone();
        copy.floor = self.spaces.depth(space);
        copy
    }

    fn canonical(&self, term: &Term) -> Term {
        match term {
            Term::Leaf(v) => Term::Leaf(*v),
            Term::Op(k, xs) => Term::Op(*k, xs.iter().map(|&x| self.find(x)).collect()),
            Term::Lift(s, x) => Term::Lift(*s, self.find(*x)),
            Term::Slice(s, x) => Term::Slice(*s, self.find(*x)),
            Term::Stack(s, x) => Term::Stack(*s, self.find(*x)),
        }
    }

    fn term(&mut self, term: Term, space: Space) -> TermId {
        let term = self.canonical(&term);
        if let Some(&n) = self.known.get(&term) {
            return n;
        }
        let n = TermId(self.terms.len() as u32);
        self.parent.push(n);
        self.space.push(space);
        let mut class = Class::default();
        match &term {
            Term::Leaf(_) => {}
            Term::Op(_, xs) => {
                for x in xs {
                    self.classes[x.0 as usize].users.push(n);
                }
            }
            Term::Lift(_, x) | Term::Slice(_, x) | Term::Stack(_, x) => {
                self.classes[x.0 as usize].users.push(n);
                let what = match &term {
                    Term::Lift(..) => &mut class.lift,
                    Term::Slice(..) => &mut class.slice,
                    _ => &mut class.stack,
                };
                *what = Some(*x);
            }
        }
        self.classes.push(class);
        self.known.insert(term.clone(), n);
        self.terms.push(term);
        self.simplify(n);
        n
    }

    /// What a term is equal to by what is known of its children.
    fn simplify(&mut self, n: TermId) {
        let term = self.canonical(&self.terms[n.0 as usize]);
        let class = |x: &TermId| &self.classes[x.0 as usize];
        match &term {
            Term::Slice(_, x) => self.pending.extend(class(x).stack.map(|y| (n, y))),
            Term::Stack(_, x) => self.pending.extend(class(x).slice.map(|y| (n, y))),
            Term::Op(k, xs) => {
                let space = self.space[n.0 as usize];
                let Some(outer) = self.spaces.outer(space) else { return };
                // An op on what no iteration changes is no iteration's.
                let whole: Option<Vec<TermId>> = xs.iter().map(|x| class(x).lift).collect();
                if let Some(whole) = whole {
                    let k = *k;
                    let once = self.term(Term::Op(k, whole), outer);
                    let lifted = self.term(Term::Lift(space, once), space);
                    self.pending.push((n, lifted));
                }
            }
            Term::Leaf(_) | Term::Lift(..) => {}
        }
    }

    fn close(&mut self) {
        while let Some((a, b)) = self.pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            let space = self.space[a.0 as usize];
            if a == b || self.spaces.depth(space) < self.floor {
                continue;
            }
            debug_assert_eq!(space, self.space[b.0 as usize], "one space");
            let trip = self.spaces.trip(space);
            let users = |n: TermId| self.classes[n.0 as usize].users.len();
            let (keep, drop) = if users(a) >= users(b) { (a, b) } else { (b, a) };
            self.parent[drop.0 as usize] = keep;
            let gone = std::mem::take(&mut self.classes[drop.0 as usize]);
            let kept = &mut self.classes[keep.0 as usize];
            kept.defs.extend(gone.defs);
            // Equal stacks have equal entries, and equal families of slices are of equal stacks. Of lifts this holds where
            // there is an iteration.
            let mut news = false;
            for (what, other, one_to_one) in [
                (&mut kept.lift, gone.lift, trip > 0),
                (&mut kept.slice, gone.slice, true),
                (&mut kept.stack, gone.stack, true),
            ] {
                news |= what.is_some() != other.is_some();
                match (*what, other) {
                    (Some(x), Some(y)) if one_to_one => self.pending.push((x, y)),
                    (None, _) => *what = other,
                    _ => {}
                }
            }
            // Terms over the class that went have a new canonical form; what is known of the one may be new to terms over the
            // other.
            let moved = gone.users;
            let stay = if news { kept.users.clone() } else { Vec::new() };
            kept.users.extend(&moved);
            for &n in &moved {
                let term = self.canonical(&self.terms[n.0 as usize]);
                match self.known.get(&term) {
                    Some(&same) => self.pending.push((n, same)),
                    None => {
                        self.known.insert(term, n);
                    }
                }
            }
            if news {
                for n in moved.into_iter().chain(stay) {
                    self.simplify(n);
                }
            }
        }
    }
}
