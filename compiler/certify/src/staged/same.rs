//! Finds which terms are equal, with carries compared. Two carries are equal if their loops have the same space and direction,
//! their initial values are equal, and their next values are equal. At first all carries of one type and space are assumed to be
//! equal. Pass by pass, those that differ are separated, until the assumption holds.
//!
//! Induction over the order of computation proves that it holds then: each instance of a term, at one iteration of the loops
//! around it, is computed from instances that come before it, and equal terms are computed by equal ops from equal terms.

use super::terms::{Space, TermKind, TermRef, Terms};
use std::collections::HashMap;

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
    let mut first: HashMap<(Space, bool, String), u32> = HashMap::new();
    let mut carried: Vec<u32> = Vec::new();
    for c in &terms.carries {
        let next = first.len() as u32;
        carried.push(*first.entry((c.space, c.reverse, c.ty.to_string())).or_insert(next));
    }
    let mut count = first.len();
    let mut passes = 0;
    loop {
        passes += 1;
        let class = pass(terms, &carried);
        let mut found: HashMap<[u32; 3], u32> = HashMap::new();
        for (c, own) in terms.carries.iter().zip(&mut carried) {
            let next = found.len() as u32;
            *own = *found.entry([*own, class[c.start.index()], class[c.next.index()]]).or_insert(next);
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
    let mut known: HashMap<(TermKind, Vec<u32>), u32> = HashMap::new();
    for node in terms.nodes() {
        let mut of: Vec<u32> = node.of.iter().map(|t| class[t.index()]).collect();
        let kind = match node.kind {
            TermKind::Carry(number) => TermKind::Carry(carried[number as usize]),
            ref other => other.clone(),
        };
        if kind == TermKind::Sum {
            of.sort_unstable();
        }
        let next = known.len() as u32;
        class.push(*known.entry((kind, of)).or_insert(next));
    }
    class
}
