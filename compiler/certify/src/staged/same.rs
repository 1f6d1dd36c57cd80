//! Which terms are equal, once carries are compared: two carries are one if their loops have one space and direction, they start
//! equal, and they go on equal. All carries of one type and space are supposed to be equal at first; those that are not fall
//! apart, pass by pass, until what is supposed holds.
//!
//! That it holds then is proved by induction over what is computed from what: each instance of a term, at one iteration of the
//! loops around it, is made of instances that are computed before it, and equal terms are made alike of equal ones.

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
