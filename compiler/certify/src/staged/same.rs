//! Finds which terms are equal, with carries compared. Two carries are equal if their loops have the same space and direction,
//! their initial values are equal, and their next values are equal. At first all carries of one type and space are assumed to be
//! equal. Pass by pass, those that differ are separated, until the assumption holds.
//!
//! Induction over the order of computation proves that it holds then: each instance of a term, at one iteration of the loops
//! around it, is computed from instances that come before it, and equal terms are computed by equal ops from equal terms.

use super::terms::{Carry, TermKind, Terms};
use crate::spaces::Space;
use crate::term_ref::TermRef;
use indexmap::IndexSet;

/// The classes of equal terms.
pub struct Same {
    class: Vec<u32>,
    pub passes: usize,
}

impl Same {
    pub fn class(&self, t: TermRef) -> u32 {
        self.class[t.index()]
    }
}

pub fn classes(terms: &Terms) -> Same {
    let mut first: IndexSet<(Space, bool, String)> = IndexSet::new();
    let mut number = |c: &Carry| first.insert_full((c.space, c.reverse, c.ty.to_string())).0 as u32;
    let mut carried: Vec<u32> = terms.carries.iter().map(&mut number).collect();
    let mut count = first.len();
    let mut passes = 0;
    loop {
        passes += 1;
        let class = pass(terms, &carried);
        let mut found: IndexSet<[u32; 3]> = IndexSet::new();
        for (c, own) in terms.carries.iter().zip(&mut carried) {
            *own = found.insert_full([*own, class[c.start.index()], class[c.next.index()]]).0 as u32;
        }
        if found.len() == count {
            return Same { class, passes };
        }
        count = found.len();
    }
}

/// The classes of all terms, given those of carries.
fn pass(terms: &Terms, carried: &[u32]) -> Vec<u32> {
    let mut class: Vec<u32> = Vec::with_capacity(terms.len());
    let mut known: IndexSet<(TermKind, Vec<u32>)> = IndexSet::new();
    for node in terms.nodes() {
        let mut of: Vec<u32> = node.of.iter().map(|t| class[t.index()]).collect();
        let kind = match node.kind {
            TermKind::Carry(number) => TermKind::Carry(carried[number as usize]),
            ref other => other.clone(),
        };
        if kind == TermKind::Sum {
            of.sort_unstable();
        }
        class.push(known.insert_full((kind, of)).0 as u32);
    }
    class
}
