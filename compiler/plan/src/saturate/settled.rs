//! A graph that no longer grows: which terms each class has, and which class each layout of a tensor is. egg's own graph keeps each
//! term three times over, to find what is equal to it; a search reads it once and then needs its memory for itself.

use super::term::{Graph, LayoutId, LayoutTerm};
use egg::{Id, Language};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub(crate) struct Settled {
    /// By id: the id that stands for its class.
    class: Vec<Id>,
    /// By id, of those that stand for a class: its terms.
    terms: Vec<Vec<LayoutTerm>>,
    /// By layout and the class of a global tensor: the class of that tensor in that layout.
    at: FxHashMap<(LayoutId, Id), Id>,
}

impl Settled {
    /// Of a graph that was rebuilt.
    pub fn new(mut graph: Graph) -> Settled {
        let n = graph.nodes().len();
        let mut settled = Settled { class: (0..n).map(|i| graph.find(Id::from(i))).collect(), ..Settled::default() };
        settled.terms.resize_with(n, Vec::new);
        for class in graph.classes_mut() {
            let terms = std::mem::take(&mut class.nodes);
            for term in &terms {
                if let LayoutTerm::At(l, [x]) = term {
                    settled.at.insert((*l, settled.class[usize::from(*x)]), class.id);
                }
                debug_assert!(term.children().iter().all(|&c| usize::from(c) < n));
            }
            settled.terms[usize::from(class.id)] = terms;
        }
        settled
    }

    /// The id that stands for the class of `id`.
    pub fn find(&self, id: Id) -> Id {
        self.class[usize::from(id)]
    }

    /// The terms of the class of `id`.
    pub fn terms(&self, id: Id) -> &[LayoutTerm] {
        &self.terms[usize::from(self.find(id))]
    }

    /// The class of the tensor of class `x` in layout `l`, where anybody asked for it.
    pub fn at(&self, l: LayoutId, x: Id) -> Option<Id> {
        self.at.get(&(l, self.find(x))).copied()
    }
}
